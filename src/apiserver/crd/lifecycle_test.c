/* Tests of the lifecycle of CRDs. */

#include "apiserver/crd/lifecycle.h"

#include <stdatomic.h>

#include "apiserver/strategy/strategy.h"
#include "apiserver/verbs/own.h"
#include "base/thread.h"
#include "crd_rig.h"

#define NAME "widgets.example.com"
#define WIDGETS CUSTOM "widgets"
#define WIDGET(NAME)                                                          \
    "{'apiVersion':'example.com/v1','kind':'Widget','metadata':{'name':'"     \
    NAME "'}}"

TEST(a_definition_is_served_when_it_is_established)
{
    verb_open();
    ask(404, "GET", WIDGETS, NULL);
    ask(201, "POST", CRDS, CRD_WIDGETS);
    crd_wait(NAME, "Established", "True");
    ask(200, "GET", WIDGETS, NULL);
    ask(200, "GET", CRDS "/" NAME, NULL);
    says("/status/acceptedNames/listKind", "WidgetList");
    says("/status/conditions/0/type", "NamesAccepted");
    says("/status/conditions/0/reason", "NoConflicts");
    says("/status/conditions/1/reason", "InitialNamesAccepted");
    rig_close();
}

TEST(a_name_has_one_owner_until_it_is_free)
{
    verb_open();
    crd_create(NAME, CRD_WIDGETS);
    ask(201, "POST", CRDS,
        CRD("gadgets", "Widget",
            CRD_VERSION("v1", "'storage':true", CRD_SPEC)));
    crd_wait("gadgets.example.com", "NamesAccepted", "False");
    says("/object/status/conditions/0/reason", "ListKindConflict");
    says("/object/status/conditions/0/message",
         "\"WidgetList\" is already in use");
    says("/object/status/conditions/1/reason", "NotAccepted");
    ask(404, "GET", CUSTOM "gadgets", NULL);
    ask(200, "DELETE", CRDS "/" NAME, NULL);
    crd_wait("gadgets.example.com", "Established", "True");
    ask(200, "GET", CUSTOM "gadgets", NULL);
    rig_close();
}

/* Who may write status could name another CRD's plural. */
TEST(a_definition_takes_no_place_but_its_own)
{
    verb_open();
    crd_create("gadgets.example.com",
               CRD("gadgets", "Gadget",
                   CRD_VERSION("v1", "'storage':true", CRD_SPEC)));
    patch(200, "merge", CRDS "/gadgets.example.com",
          "{'spec':{'names':{'shortNames':['widgets']}}}");
    do {
        ask(200, "GET", CRDS "/gadgets.example.com", NULL);
    } while (strcmp(text_at("/status/acceptedNames/shortNames/0"), "widgets")
             != 0);
    ask(201, "POST", CRDS, CRD_WIDGETS);
    crd_wait(NAME, "NamesAccepted", "False");
    patch(200, "merge", CRDS "/" NAME "/status",
          "{'status':{'acceptedNames':{'plural':'gadgets','singular':'x',"
          "'kind':'X','listKind':'XList'},'conditions':[{'type':'NamesAccepted"
          "','status':'False'},{'type':'Established','status':'True'}]}}");
    do {
        ask(200, "GET", CRDS "/" NAME, NULL);
    } while (strcmp(text_at("/status/acceptedNames/kind"), "Widget") != 0);
    ask(200, "GET", CUSTOM "gadgets", NULL);
    says("/kind", "GadgetList");
    ask(200, "DELETE", CRDS "/gadgets.example.com", NULL);
    crd_wait(NAME, "NamesAccepted", "True");
    ask(200, "GET", WIDGETS, NULL);
    says("/kind", "WidgetList");
    ask(404, "GET", CUSTOM "gadgets", NULL);
    rig_close();
}

/* Makes batches fail after the DELETE and the condition: those which delete
 * the objects, at once and when the condition is seen. */
struct saboteur {
    struct yl_memory_rival rival;
    atomic_int n_batches;
};

static void
take_turn(struct yl_memory_rival *rival, struct yl_storage *storage)
{
    struct saboteur *saboteur = YL_CONTAINER_OF(rival, struct saboteur,
                                                rival);

    if (atomic_fetch_add(&saboteur->n_batches, 1) == 2) {
        yl_memory_fail(storage, 2, YL_EUNAVAILABLE);
    }
}

TEST(a_deletion_goes_on_after_storage_has_failed)
{
    struct saboteur saboteur = { { take_turn }, 0 };

    verb_open();
    crd_create(NAME, CRD_WIDGETS);
    ask(201, "POST", WIDGETS, WIDGET("a"));
    yl_memory_set_rival(rig.storage, &saboteur.rival);
    ask(200, "DELETE", CRDS "/" NAME, NULL);
    crd_wait_gone(NAME);
    assert_true(atomic_load(&saboteur.n_batches) > 4);
    yl_memory_set_rival(rig.storage, NULL);
    rig_close();
}

/* Holds the lifecycle's thread where it writes status. */
static struct {
    atomic_bool closed, reached;
} barrier;

static int
wait_at_barrier(struct yl_ownership *ownership,
                struct yl_status *status YL_UNUSED)
{
    while (!ownership->request && atomic_load(&barrier.closed)) {
        atomic_store(&barrier.reached, true);
        usleep(50);
    }
    return 0;
}

TEST(definitions_are_found_though_their_events_were_dropped)
{
    const struct yl_api_resource *crds;
    uint64_t revision;

    rig_start((struct yl_apiserver_opts) {
        .authorize_always = true, .own = wait_at_barrier,
        .clock = yl_clock_fake_new(1000000),
    }, NULL);
    crds = yl_registry_builtin(rig.server->registry, "apiextensions.k8s.io",
                               "customresourcedefinitions");
    atomic_store(&barrier.closed, true);
    ask(201, "POST", CRDS, CRD_WIDGETS);
    while (!atomic_load(&barrier.reached)) {
        usleep(50);
    }
    ask(201, "POST", CRDS,
        CRD("gadgets", "Gadget",
            CRD_VERSION("v1", "'storage':true", CRD_SPEC)));
    revision = yl_keyspace_revision(rig.server->keyspace);
    ask(201, "POST", "/api/v1/namespaces", "{'metadata':{'name':'ns'}}");
    while (yl_ks_oldest(crds->objects) <= revision) {
        rig_advance(60000);
        patch(200, "merge", "/api/v1/namespaces/ns",
              yl_now(rig.clock) / 60000 % 2
              ? "{'metadata':{'labels':{'a':'b'}}}"
              : "{'metadata':{'labels':{'a':'c'}}}");
    }
    atomic_store(&barrier.closed, false);
    crd_wait("gadgets.example.com", "Established", "True");
    ask(200, "GET", CUSTOM "gadgets", NULL);
    rig_close();
}

TEST(a_deletion_removes_the_objects_first)
{
    struct rig_watch watch;

    verb_open();
    crd_create(NAME, CRD_WIDGETS);
    ask(201, "POST", WIDGETS, WIDGET("a"));
    ask(201, "POST", WIDGETS, WIDGET("held"));
    patch(200, "merge", WIDGETS "/held",
          "{'metadata':{'finalizers':['x.y/z']}}");
    assert_int_equal(rig_watch_open(&watch, WIDGETS "?watch=true"), 200);
    assert_string_equal(rig_watch_next(&watch), "ADDED");
    assert_string_equal(rig_watch_next(&watch), "ADDED");
    ask(200, "DELETE", CRDS "/" NAME, NULL);
    says("/metadata/finalizers/0",
         "customresourcecleanup.apiextensions.k8s.io");
    assert_string_equal(rig_watch_next(&watch), "DELETED");
    says("/object/metadata/name", "a");
    assert_string_equal(rig_watch_next(&watch), "MODIFIED");
    ask(403, "POST", WIDGETS, WIDGET("b"));
    tells("widgets.example.com \"b\" is forbidden: create not allowed while "
          "custom resource definition is terminating");
    patch(200, "merge", WIDGETS "/held", "{'metadata':{'finalizers':null}}");
    assert_string_equal(rig_watch_next(&watch), "DELETED");
    crd_wait_gone(NAME);
    rig_watch_close(&watch);
    rig_close();
}

TEST(a_name_comes_back_with_another_scope)
{
    int i;

    verb_open();
    for (i = 0; i < 2; i++) {
        crd_create(NAME, CRD_WIDGETS);
        ask(201, "POST", WIDGETS, WIDGET("a"));
        ask(200, "DELETE", CRDS "/" NAME, NULL);
        crd_wait_gone(NAME);
        crd_create(NAME,
                   "{'apiVersion':'apiextensions.k8s.io/v1','kind':"
                   "'CustomResourceDefinition','metadata':{'name':'" NAME
                   "'},'spec':{'group':'example.com','scope':'Cluster',"
                   "'names':{'plural':'widgets','kind':'Widget'},'versions':["
                   CRD_VERSION("v1", "'storage':true", CRD_SPEC) "]}}");
        ask(200, "GET", "/apis/example.com/v1/widgets", NULL);
        assert_string_equal(text_at("/items/0"), "");
        ask(201, "POST", "/apis/example.com/v1/widgets", WIDGET("a"));
        ask(404, "GET", WIDGETS "/a", NULL);
        ask(200, "DELETE", CRDS "/" NAME, NULL);
        crd_wait_gone(NAME);
    }
    rig_close();
}

TEST(watches_of_a_changed_definition_end)
{
    struct rig_watch watch;

    verb_open();
    crd_create(NAME, CRD_WIDGETS);
    assert_int_equal(rig_watch_open(&watch, WIDGETS "?watch=true"), 200);
    patch(200, "merge", CRDS "/" NAME,
          "{'spec':{'names':{'shortNames':['wi']}}}");
    while (!watch.ended) {
        rig_watch_receive(&watch);
    }
    rig_watch_close(&watch);
    rig_close();
}

/* Ends the server and starts another on the same storage. */
static void
restart(void)
{
    struct yl_apiserver_opts opts = { .authorize_always = true };
    struct yl_http_server_opts http = {
        .handler = &yl_apiserver_handler, .manual = true, .n_loops = 1,
    };

    yl_apiserver_stop(rig.server);
    yl_http_server_free(rig.http);
    yl_apiserver_free(rig.server);
    opts.storage = rig.storage;
    assert_int_equal(yl_apiserver_new(&opts, &rig.server, NULL), 0);
    http.aux = rig.server;
    assert_int_equal(yl_http_server_new(&http, &rig.http, NULL), 0);
}

TEST(everything_is_served_after_a_restart)
{
    verb_open();
    crd_create(NAME, CRD_WIDGETS);
    ask(201, "POST", WIDGETS, WIDGET("a"));
    restart();
    ask(200, "GET", WIDGETS "/a", NULL);
    says("/metadata/generation", "1");
    ask(200, "GET", CRDS "/" NAME, NULL);
    assert_string_equal(crd_condition("", "Established"), "True");
    ask(201, "POST", WIDGETS, WIDGET("b"));
    rig_close();
}

TEST(a_deletion_goes_on_after_a_restart)
{
    verb_open();
    crd_create(NAME, CRD_WIDGETS);
    ask(201, "POST", WIDGETS, WIDGET("a"));
    patch(200, "merge", WIDGETS "/a", "{'metadata':{'finalizers':['x/y']}}");
    ask(200, "DELETE", CRDS "/" NAME, NULL);
    restart();
    ask(403, "POST", WIDGETS, WIDGET("b"));
    ask(200, "GET", WIDGETS "/a", NULL);
    assert_int_equal(strlen(text_at("/metadata/deletionTimestamp")), 20);
    patch(200, "merge", WIDGETS "/a", "{'metadata':{'finalizers':null}}");
    crd_wait_gone(NAME);
    ask(404, "GET", WIDGETS, NULL);
    restart();
    crd_create(NAME, CRD_WIDGETS);
    ask(200, "GET", WIDGETS, NULL);
    says("/items", "[]");
    rig_close();
}

/* The number of the schema that the stored object has. */
static uint32_t
generation_of(const char *name)
{
    struct yl_gvr gvr = { YL_STR("example.com"), YL_STR("v1"),
                          YL_STR("widgets") };
    const struct yl_api_resource *resource;
    const struct yl_api_version *version;
    struct yl_object *object;
    uint32_t generation;

    assert_int_equal(yl_registry_find(rig.server->registry, gvr, &resource,
                                      &version), 0);
    assert_int_equal(yl_ks_get(resource->objects,
                               yl_key_make(YL_STR("ns"), yl_str_c(name)),
                               &object, NULL), 0);
    generation = yl_object_schema_generation(object);
    assert_int_equal(generation == resource->schema_generation,
                     !yl_strategy_is_stale(resource, object));
    yl_object_unref(object);
    yl_api_resource_unref(resource);
    return generation;
}

TEST(an_object_is_refreshed_once_if_it_is_as_it_would_be)
{
    uint32_t before;

    verb_open();
    crd_create(NAME, CRD_WIDGETS);
    ask(201, "POST", WIDGETS, "{'apiVersion':'example.com/v1','kind':'Widget',"
        "'metadata':{'name':'full'},'spec':{'size':1}}");
    ask(201, "POST", WIDGETS, "{'apiVersion':'example.com/v1','kind':'Widget',"
        "'metadata':{'name':'later'}}");
    restart();
    before = generation_of("full");
    ask(200, "GET", WIDGETS "/full", NULL);
    says("/spec/size", "1");
    assert_int_not_equal(generation_of("full"), before);

    /* One that gets a default each time it is read stays as it is. */
    ask(200, "GET", WIDGETS "/later", NULL);
    before = generation_of("later");
    patch(200, "merge", CRDS "/" NAME, "{'spec':{'versions':[{'name':'v1',"
          "'served':true,'storage':true,'schema':{'openAPIV3Schema':"
          "{'type':'object','properties':{'spec':{'type':'object','default':"
          "{},'properties':{'size':{'type':'integer','default':7}}}}}}}]}}");
    do {
        ask(200, "GET", WIDGETS "/later", NULL);
    } while (strcmp(text_at("/spec/size"), "7") != 0);
    assert_int_equal(generation_of("later"), before);
    rig_close();
}

/* The thread may see both the deletion and the creation at once. */
TEST(a_definition_comes_back_at_once)
{
    struct rig_watch watch;
    int i;

    verb_open();
    for (i = 0; i < 20; i++) {
        crd_create(NAME, CRD_WIDGETS);
        ask(201, "POST", WIDGETS, WIDGET("a"));
        assert_int_equal(rig_watch_open(&watch, CRDS "?watch=true"), 200);
        ask(200, "DELETE", CRDS "/" NAME, NULL);
        while (strcmp(rig_watch_next(&watch), "DELETED") != 0) {
            continue;
        }
        rig_watch_close(&watch);
    }
    rig_close();
}

#define V1(STORAGE)                                                           \
    CRD_VERSION("v1", "'storage':" STORAGE,                                   \
                "'spec':{'type':'object','properties':{'one':"                \
                "{'type':'string'},'both':{'type':'string'}}}")
#define V2(STORAGE)                                                           \
    CRD_VERSION("v2", "'storage':" STORAGE,                                   \
                "'spec':{'type':'object','properties':{'two':"                \
                "{'type':'string','default':'2'},'both':"                     \
                "{'type':'string'}}}")
#define WIDGETS_V2 "/apis/example.com/v2/namespaces/ns/widgets"

/* Replaces the versions and waits until the server has noticed. */
static void
change_versions(const char *versions, const char *probe, int status)
{
    static char body[4096];

    snprintf(body, sizeof body, "{'spec':{'versions':[%s]}}", versions);
    patch(200, "merge", CRDS "/" NAME, body);
    while (api("GET", probe, NULL) != status) {
        usleep(50);
    }
}

TEST(objects_stay_in_the_version_that_they_were_stored_in)
{
    verb_open();
    crd_create(NAME, CRD("widgets", "Widget", V1("true")));
    ask(201, "POST", WIDGETS, "{'apiVersion':'example.com/v1','kind':'Widget',"
        "'metadata':{'name':'a'},'spec':{'one':'1','both':'b'}}");
    change_versions(V1("false") "," V2("true"), WIDGETS_V2, 200);

    /* What v1 has and v2 has not is still there, also after a restart. */
    ask(200, "GET", WIDGETS "/a", NULL);
    says("/spec/one", "1");
    ask(200, "GET", WIDGETS_V2 "/a", NULL);
    says("/spec/one", "");
    says("/spec/both", "b");
    restart();
    ask(200, "GET", WIDGETS "/a", NULL);
    says("/spec/one", "1");

    /* A write that changes nothing stores it in v2. */
    ask(200, "GET", CRDS "/" NAME, NULL);
    says("/status/storedVersions/1", "v2");
    patch(200, "merge", WIDGETS_V2 "/a", "{}");
    ask(200, "GET", WIDGETS "/a", NULL);
    says("/spec/one", "");
    says("/spec/both", "b");
    restart();
    ask(200, "GET", WIDGETS_V2 "/a", NULL);
    says("/spec/both", "b");
    rig_close();
}

TEST(watches_show_the_version_that_they_ask_for)
{
    struct rig_watch one, two;

    verb_open();
    crd_create(NAME, CRD("widgets", "Widget", V1("true") "," V2("false")));
    assert_int_equal(rig_watch_open(&one, WIDGETS "?watch=true"), 200);
    assert_int_equal(rig_watch_open(&two, WIDGETS_V2 "?watch=true"), 200);
    ask(201, "POST", WIDGETS_V2,
        "{'apiVersion':'example.com/v2','kind':'Widget','metadata':"
        "{'name':'a'},'spec':{'both':'b'}}");
    assert_string_equal(rig_watch_next(&one), "ADDED");
    says("/object/apiVersion", "example.com/v1");
    says("/object/spec/both", "b");
    says("/object/spec/two", "");
    assert_string_equal(rig_watch_next(&two), "ADDED");
    says("/object/apiVersion", "example.com/v2");
    rig_watch_close(&one);
    rig_watch_close(&two);
    rig_close();
}

/* A reader on another thread, as a second loop would be. */
struct reader {
    struct yl_thread thread;
    atomic_bool stop;
    unsigned n_read;
};

static void
read_all(const struct yl_api_resource *resource,
         const struct yl_api_version *version, unsigned *n_read)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_versioned items[16];
    struct yl_ks_scan *scan;
    struct yl_node *tree;
    int i, n;

    assert_int_equal(yl_ks_scan_open(resource->objects, NULL, &scan, NULL),
                     0);
    while ((n = yl_ks_scan_next(scan, items, 16)) > 0) {
        for (i = 0; i < n; i++) {
            assert_int_equal(yl_strategy_read_as(resource, arena,
                                                 items[i].object, 0, version,
                                                 &tree, NULL), 0);
            yl_object_unref(items[i].object);
            ++*n_read;
        }
        yl_arena_clear(arena);
    }
    yl_ks_scan_close(scan);
    yl_arena_free(arena);
}

static void
run_reader(void *reader_)
{
    struct yl_gvr gvr = { YL_STR("example.com"), YL_STR("v1"),
                          YL_STR("widgets") };
    const struct yl_api_resource *resource;
    const struct yl_api_version *version;
    struct reader *reader = reader_;

    while (!atomic_load(&reader->stop)) {
        assert_int_equal(yl_registry_find(rig.server->registry, gvr,
                                          &resource, &version), 0);
        read_all(resource, version, &reader->n_read);
        yl_api_resource_unref(resource);
    }
}

/* The lifecycle's thread replaces rows while loops use them. */
TEST(definitions_may_change_while_objects_are_written_and_watched)
{
    static char path[128], body[512];
    struct reader reader = { .n_read = 0 };
    struct rig_watch watch;
    int i;

    verb_open();
    crd_create(NAME, CRD_WIDGETS);
    assert_int_equal(yl_thread_start(&reader.thread, "reader", run_reader,
                                     &reader), 0);
    for (i = 0; i < 40; i++) {
        assert_int_equal(rig_watch_open(&watch, WIDGETS "?watch=true"), 200);
        snprintf(body, sizeof body, "{'spec':{'versions':[{'name':'v1',"
                 "'served':true,'storage':true,'schema':{'openAPIV3Schema':"
                 "{'type':'object','properties':{'spec':{'type':'object',"
                 "'properties':{'size':{'type':'integer','default':%d}}}}}}}]}"
                 "}", i);
        patch(200, "merge", CRDS "/" NAME, body);
        snprintf(body, sizeof body, "{'apiVersion':'example.com/v1','kind':"
                 "'Widget','metadata':{'name':'w%d'},'spec':{}}", i);
        ask(201, "POST", WIDGETS, body);
        snprintf(path, sizeof path, WIDGETS "/w%d", i / 2);
        patch(200, "merge", path, "{'metadata':{'labels':{'l':'v'}}}");
        ask(200, "GET", WIDGETS "?limit=5", NULL);
        ask(200, "GET", path, NULL);
        rig_watch_close(&watch);
    }
    atomic_store(&reader.stop, true);
    yl_thread_join(&reader.thread);
    rig_close();
}
