/* The lister-watcher over HTTP: the contract of every one, against the real
 * server in the same thread, and what is this one's own. */

#include "yuloh/client.h"

#include <sched.h>
#include <unistd.h>

#include "listwatch_contract.h" /* Its parameters have the name of a global
                                 * of the next. */
#include "api_rig.h"
#include "certs.h"
#include "yuloh/client_config.h"
#include "yuloh/loop.h"

static const struct yl_resource config_maps = {
    { YL_STR_INIT(""), YL_STR_INIT("v1"), YL_STR_INIT("configmaps") },
    YL_STR_INIT("ConfigMap"), true,
};

/* The server's clock stands still, the client's runs. */
static struct {
    struct yl_lister_watcher shim;      /* In front of the real one. */
    struct yl_lister_watcher *real;
    struct yl_client *client;
    struct yl_loop *loop;
    bool from_future;           /* A call asks for what is not there yet. */
    unsigned n_writes;
    bool tls;                   /* And with it HTTP/2. */
    struct yl_client_lister_watcher_opts opts;  /* Of the next rig. */
} t;

#define PATH "/api/v1/namespaces/d/configmaps"

static int
connect_rig(void *aux, struct yl_cancel *cancel, int *ret_fd,
            struct yl_error *err)
{
    (void) aux;
    (void) cancel;
    return yl_http_server_connect(rig.http, t.tls, NULL, ret_fd, err);
}

/* The server's certificate, and the authority that has signed it. */
static struct {
    char folder[64], ca[96], certificate[96], key[96];
} files;

static void
write_certificates(void)
{
    struct cert ca, server;

    snprintf(files.folder, sizeof files.folder, "/tmp/lw_test.XXXXXX");
    assert_non_null(mkdtemp(files.folder));
    snprintf(files.ca, sizeof files.ca, "%s/ca", files.folder);
    snprintf(files.certificate, sizeof files.certificate, "%s/crt",
             files.folder);
    snprintf(files.key, sizeof files.key, "%s/key", files.folder);
    cert_make(&ca, NULL, "/CN=ca", 3600, CERT_CA);
    cert_make(&server, &ca, "/CN=localhost", 3600, CERT_SERVER);
    cert_write(&ca, files.ca, NULL);
    cert_write(&server, files.certificate, files.key);
    cert_release(&ca);
    cert_release(&server);
}

static void
remove_certificates(void)
{
    unlink(files.ca);
    unlink(files.certificate);
    unlink(files.key);
    rmdir(files.folder);
}

/* An HTTP server in the place of the rig's. */
static void
serve(void)
{
    yl_http_server_free(rig.http);
    assert_int_equal(yl_http_server_new(&(struct yl_http_server_opts) {
        .handler = &yl_apiserver_handler, .aux = rig.server, .manual = true,
        .n_loops = 1, .clock = rig.clock,
        .tls.certificate = t.tls ? files.certificate : NULL,
        .tls.key = t.tls ? files.key : NULL,
    }, &rig.http, NULL), 0);
}

static uint64_t
revision(void)
{
    return strtoull(text_at("/metadata/resourceVersion"), NULL, 10);
}

/* Both ends take turns until neither has anything to say. */
static void
turn(struct lw_rig *lw)
{
    size_t heard = lw->heard.size;
    int quiet;

    for (quiet = 0; quiet < 40; quiet++) {
        yl_http_server_turn(rig.http, false);
        yl_loop_turn(t.loop, false);
        if (lw->heard.size != heard) {
            heard = lw->heard.size;
            quiet = 0;
        }
    }
}

/* Each write has an annotation of its own: one that changes nothing makes no
 * revision. */
static uint64_t
put_map(struct lw_rig *lw, const char *name, const char *v)
{
    char path[128], body[512];

    turn(lw);                   /* Calls begin before what comes next. */
    snprintf(body, sizeof body, "{\"apiVersion\":\"v1\",\"kind\":"
             "\"ConfigMap\",\"metadata\":{\"name\":\"%s\",\"labels\":{"
             "\"v\":\"%s\"},\"annotations\":{\"n\":\"%u\"}}}", name, v,
             t.n_writes++);
    snprintf(path, sizeof path, PATH "/%s", name);
    if (api("PUT", path, body) == 404) {
        assert_int_equal(api("POST", PATH, body), 201);
    } else {
        assert_int_equal(rig.status, 200);
    }
    return revision();
}

static uint64_t
remove_map(struct lw_rig *lw, const char *name)
{
    char path[128];

    (void) lw;
    snprintf(path, sizeof path, PATH "/%s", name);
    assert_int_equal(api("DELETE", path, NULL), 200);
    return yl_keyspace_revision(rig.server->keyspace);
}

static void
run(struct lw_rig *lw)
{
    turn(lw);
    if (t.from_future) {
        t.from_future = false;
        rig_advance(4000);
        turn(lw);
    }
}

static void
pass(struct lw_rig *lw, int seconds)
{
    run(lw);
    rig_advance(seconds * 1000);
}

static void
bookmark(struct lw_rig *lw)
{
    pass(lw, 60);
}

static void
forget(struct lw_rig *lw)
{
    static const struct yl_gvr gvr = {
        YL_STR_INIT(""), YL_STR_INIT("v1"), YL_STR_INIT("configmaps"),
    };
    uint64_t newest = yl_keyspace_revision(rig.server->keyspace);
    const struct yl_api_resource *resource;
    const struct yl_api_version *version;

    /* A watch that keeps up sees what there is before it goes.  After half an
     * hour the server may end it. */
    pass(lw, 400);
    assert_int_equal(api("POST", "/api/v1/namespaces",
                         "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\","
                         "\"metadata\":{\"generateName\":\"n\"}}"), 201);
    assert_int_equal(yl_registry_find(rig.server->registry, gvr, &resource,
                                      &version), 0);
    while (yl_ks_oldest(resource->objects) < newest) {
        sched_yield();
    }
    yl_api_resource_unref(resource);
}

static void
note(const struct yl_list_options *options)
{
    t.from_future = t.from_future
                    || yl_str_equal_c(options->resource_version, "1000000");
}

static int
shim_list(struct yl_lister_watcher *lw, const struct yl_list_options *options,
          const struct yl_list_sink *sink, void *aux,
          struct yl_lister_watcher_call **ret_call, struct yl_error *err)
{
    (void) lw;
    note(options);
    return t.real->list(t.real, options, sink, aux, ret_call, err);
}

static int
shim_watch(struct yl_lister_watcher *lw,
           const struct yl_list_options *options,
           const struct yl_watch_sink *sink, void *aux,
           struct yl_lister_watcher_call **ret_call, struct yl_error *err)
{
    (void) lw;
    note(options);
    return t.real->watch(t.real, options, sink, aux, ret_call, err);
}

static void
shim_stop(struct yl_lister_watcher *lw, struct yl_lister_watcher_call *call)
{
    (void) lw;
    t.real->stop(t.real, call);
}

static void
rig_init(struct lw_rig *lw)
{
    rig_open_fake();
    assert_int_equal(api("POST", "/api/v1/namespaces",
                         "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\","
                         "\"metadata\":{\"name\":\"d\"}}"), 201);
    if (t.tls) {
        write_certificates();
        serve();
    }
    t.shim = (struct yl_lister_watcher) { shim_list, shim_watch, shim_stop };
    t.n_writes = 0;
    t.from_future = false;
    assert_int_equal(yl_loop_new(NULL, &t.loop, NULL), 0);
    assert_int_equal(yl_client_new(&(struct yl_client_config) {
        .server = t.tls ? "https://localhost" : "http://localhost",
        .ca_file = t.tls ? files.ca : NULL, .user_agent = "test",
        .connect = connect_rig, .connect_is_quick = true,
    }, NULL, &t.client, NULL), 0);
    t.opts.namespace_ = YL_STR("d");
    t.real = yl_client_lister_watcher_new(t.client, t.loop, &config_maps,
                                          &t.opts);
    lw->lw = &t.shim;
    lw->put = put_map;
    lw->remove = remove_map;
    lw->forget = forget;
    lw->bookmark = bookmark;
    lw->pass = pass;
    lw->run = run;
    lw->selects = true;
}

static void
rig_release(struct lw_rig *lw)
{
    yl_client_lister_watcher_free(t.real);
    turn(lw);
    yl_client_unref(t.client);
    yl_loop_free(t.loop);
    rig_close();
    if (t.tls) {
        remove_certificates();
    }
    memset(&t, 0, sizeof t);
}

LISTWATCH_CASES(LISTWATCH_TEST)

/* All of it once more, with TLS and HTTP/2. */
#define TLS_TEST(NAME)                                                        \
    TEST(contract_tls_##NAME)                                                 \
    {                                                                         \
        t.tls = true;                                                         \
        lw_run_case(lw_##NAME, rig_init, rig_release);                        \
    }
LISTWATCH_CASES(TLS_TEST)

/* What is this one's own
 * ====================== */

static void
metadata_only(struct lw_rig *lw)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_lister_watcher_call *call;

    assert_int_equal(api("POST", PATH, "{\"apiVersion\":\"v1\",\"kind\":"
                         "\"ConfigMap\",\"metadata\":{\"name\":\"x\","
                         "\"labels\":{\"v\":\"1\"}},\"data\":{\"a\":\"b\"}}"),
                     201);
    lw_list(lw, LW_ALL, "x=1@0 =0+0;");
    assert_false(yl_json_exists(yl_object_field(lw->last, arena, "data")));
    call = lw_watch(lw, (struct yl_list_options) {
        .send_initial_events = true, .allow_watch_bookmarks = true,
    });
    lw_expect(lw, "A:x=1@0 B@0! ");
    assert_false(yl_json_exists(yl_object_field(lw->last, arena, "data")));
    yl_lister_watcher_stop(lw->lw, call);
    yl_arena_free(arena);
}

TEST(metadata_can_be_had_alone)
{
    t.opts.metadata_only = true;
    lw_run_case(metadata_only, rig_init, rig_release);
}

static void
own_selector(struct lw_rig *lw)
{
    lw_put(lw, "a", "1");
    lw_put(lw, "b", "2");
    lw_list(lw, LW_ALL, "b=2@2 =2+0;");
}

TEST(a_selector_can_be_for_all_calls)
{
    t.opts.label_selector = YL_STR("v=2");
    lw_run_case(own_selector, rig_init, rig_release);
}

/* The server stops in the middle: lists and watches hear of it. */
static void
broken(struct lw_rig *lw)
{
    lw_put(lw, "a", "1");
    lw_watch(lw, LW_ALL);
    lw_expect(lw, "A:a=1@1 ");
    serve();
    yl_loop_turn(t.loop, false);
    lw_heard(lw, "EUNAVAILABLE;");
    lw_list(lw, LW_ALL, "a=1@1 =1+0;");
}

TEST(a_connection_that_breaks_ends_its_calls)
{
    lw_run_case(broken, rig_init, rig_release);
    t.tls = true;
    lw_run_case(broken, rig_init, rig_release);
}

static void
shared(struct lw_rig *lw)
{
    struct yl_lister_watcher *sources[20];
    struct yl_lister_watcher_call *call;
    struct yl_http_server_stats stats;
    size_t i;

    lw_put(lw, "a", "1");
    for (i = 0; i < YL_ARRAY_SIZE(sources); i++) {
        sources[i] = yl_client_lister_watcher_new(t.client, t.loop,
                                                  &config_maps, &t.opts);
        assert_int_equal(yl_lister_watcher_watch(sources[i], NULL,
                                                 &lw_watch_sink, lw, &call,
                                                 NULL), 0);
    }
    turn(lw);
    assert_int_equal(lw->heard.size,
                     YL_ARRAY_SIZE(sources) * strlen("A:a=1@1 "));
    yl_http_server_stats(rig.http, &stats);
    assert_int_equal(stats.n_connections, 1);
    for (i = 0; i < YL_ARRAY_SIZE(sources); i++) {
        yl_client_lister_watcher_free(sources[i]);
    }
}

TEST(lister_watchers_of_a_loop_share_a_connection)
{
    t.tls = true;
    lw_run_case(shared, rig_init, rig_release);
}

/* A source goes while its calls are under way, another stays. */
static void
free_early(struct lw_rig *lw)
{
    struct yl_lister_watcher *other = yl_client_lister_watcher_new(
        t.client, t.loop, &config_maps, &t.opts);
    struct yl_lister_watcher_call *call;

    lw_put(lw, "a", "1");
    assert_int_equal(yl_lister_watcher_watch(other, NULL, &lw_watch_sink, lw,
                                             &call, NULL), 0);
    lw_watch(lw, LW_ALL);
    lw_expect(lw, "A:a=1@1 A:a=1@1 ");
    yl_client_lister_watcher_free(t.real);
    t.real = NULL;
    lw_put(lw, "b", "1");
    lw_expect(lw, "A:b=1@2 ");
    yl_client_lister_watcher_free(other);
    lw_put(lw, "c", "1");
    lw_expect(lw, "");
}

TEST(a_source_can_go_while_its_calls_run)
{
    lw_run_case(free_early, rig_init, rig_release);
}
