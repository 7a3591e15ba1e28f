/* Tests of steps that wait, with a plugin of admission that waits for a timer:
 * whatever happens meanwhile, there is one right end. */

#include "apiserver/verbs/steps.h"

#include "json/member.h"
#include "verb_rig.h"

#define SERVICES "/api/v1/namespaces/ns/services"
#define MAX_WAITS 8
#define DELAY 5000              /* Milliseconds of the fake clock. */

/* One call of the plugin that waits. */
struct sleep {
    struct yl_loop_timer timer;
    struct yl_wait *wait;
    struct yl_loop *loop;
    struct yl_admission *admission;
    struct yl_status *status;
    bool over;
};

static struct {
    int to_sleep;               /* So many calls will wait. */
    bool in_validate;           /* In validating admission; else mutating. */
    bool refuse;                /* And refuse then. */
    bool patch;                 /* Add a container to Pods, as webhooks do. */
    struct sleep sleeps[MAX_WAITS];
    int n_begun, n_continued, n_cancelled;
} plugin;

static void
wake(struct yl_loop_timer *timer)
{
    struct sleep *sleep = YL_CONTAINER_OF(timer, struct sleep, timer);
    struct yl_admission *a = sleep->admission;
    int r = 0;

    assert_false(sleep->over);
    sleep->over = true;
    plugin.n_continued++;
    if (plugin.refuse) {
        struct yl_gvr gvr = { a->resource->group, yl_str_null(),
                              a->resource->plural };

        r = yl_status_forbidden(sleep->status, gvr, a->name,
                                YL_STR("slept badly"));
    } else if (!plugin.in_validate && a->object) {
        yl_member_set_str(a->arena,
                          yl_member_make(a->arena,
                                         yl_member_make(a->arena, a->object,
                                                        "metadata"),
                                         "labels"), "slept", "well");
    }
    yl_wait_end(sleep->wait, r);
}

static void
cancel(struct yl_wait *wait)
{
    struct sleep *sleep = wait->what;

    assert_false(sleep->over);
    sleep->over = true;
    plugin.n_cancelled++;
    yl_loop_timer_cancel(sleep->loop, &sleep->timer);
}

static int
nap(struct yl_admission *a, struct yl_status *status)
{
    struct sleep *sleep;

    if (plugin.to_sleep == 0 || !a->resource->namespaced) {
        return 0;
    }
    plugin.to_sleep--;
    assert_true(plugin.n_begun < MAX_WAITS);
    sleep = &plugin.sleeps[plugin.n_begun++];
    *sleep = (struct sleep) {
        .timer = { .fire = wake },
        .wait = a->wait,
        .loop = a->request->http->loop,
        .admission = a,
        .status = status,
    };
    yl_loop_timer_arm(sleep->loop, &sleep->timer,
                      yl_loop_now(sleep->loop) + DELAY);
    return yl_wait_begin(a->wait, cancel, sleep);
}

static int
mutate(struct yl_admission *a, struct yl_status *status)
{
    struct yl_node *containers =
        yl_member_array(yl_member_object(a->object, "spec"), "containers");

    if (plugin.patch && containers) {
        struct yl_node *container = yl_node_new_object(a->arena);

        yl_member_set_str(a->arena, container, "name", "sidecar");
        yl_member_set_str(a->arena, container, "image", "i");
        yl_node_append(containers, container);
        a->patched = true;
    }
    return plugin.in_validate ? 0 : nap(a, status);
}

static int
validate(const struct yl_admission *a, struct yl_status *status)
{
    return plugin.in_validate
           ? nap((struct yl_admission *) (uintptr_t) a, status) : 0;
}

static const struct yl_admission_plugin plugins[] = {
    { "Sleeper", YL_ADMIT(CREATE) | YL_ADMIT(UPDATE) | YL_ADMIT(DELETE),
      mutate, validate },
};

static void
open_sleepy(void)
{
    struct yl_clock *clock = yl_clock_fake_new(1000000);

    memset(&plugin, 0, sizeof plugin);
    rig_start((struct yl_apiserver_opts) {
        .authorize_always = true, .clock = clock, .plugins = plugins,
        .n_plugins = YL_ARRAY_SIZE(plugins),
    }, clock);
    ask(201, "POST", "/api/v1/namespaces", "{'metadata':{'name':'ns'}}");
}

/* Sends a request, and returns when its write waits. */
static int
send_slow(const char *method, const char *path, const char *body)
{
    int begun = plugin.n_begun, fd;

    plugin.to_sleep = 1;
    fd = rig_send(method, path, verb_json(body));
    while (plugin.n_begun == begun) {
        yl_http_server_turn(rig.http, false);
    }
    return fd;
}

/* Reads the answer of a request that was sent before. */
static int
answer_of(int fd)
{
    yl_arena_clear(rig.arena);
    yl_buf_clear(&rig.answer);
    while (rig_receive(fd) && !rig_split()) {
        yl_http_server_turn(rig.http, false);
    }
    close(fd);
    return rig.status;
}

/* Has every wait ended, so many of them each way? */
static void
ended(int continued, int cancelled)
{
    assert_int_equal(plugin.n_continued, continued);
    assert_int_equal(plugin.n_cancelled, cancelled);
    assert_int_equal(plugin.n_begun, continued + cancelled);
}

TEST(a_write_goes_on_where_it_waited)
{
    int fd;

    open_sleepy();
    fd = send_slow("POST", CONFIG_MAPS,
                   "{'metadata':{'name':'a'},'data':{'k':'v'}}");
    ask(404, "GET", CONFIG_MAPS "/a", NULL);
    rig_advance(DELAY);
    assert_int_equal(answer_of(fd), 201);
    says("/metadata/labels/slept", "well");
    says("/data/k", "v");
    ended(1, 0);

    plugin.in_validate = true;
    fd = send_slow("PUT", CONFIG_MAPS "/a", "{'metadata':{'name':'a'}}");
    rig_advance(DELAY);
    assert_int_equal(answer_of(fd), 200);
    says("/metadata/labels", "");
    ended(2, 0);

    fd = send_slow("DELETE", CONFIG_MAPS "/a", NULL);
    ask(200, "GET", CONFIG_MAPS "/a", NULL);
    rig_advance(DELAY);
    assert_int_equal(answer_of(fd), 200);
    ask(404, "GET", CONFIG_MAPS "/a", NULL);
    ended(3, 0);
    rig_close();
}

TEST(a_plugin_that_waited_can_refuse)
{
    int fd;

    open_sleepy();
    plugin.refuse = true;
    fd = send_slow("POST", CONFIG_MAPS, "{'metadata':{'name':'a'}}");
    rig_advance(DELAY);
    assert_int_equal(answer_of(fd), 403);
    says("/message", "configmaps \"a\" is forbidden: slept badly");
    ended(1, 0);
    rig_close();
}

TEST(a_write_whose_client_leaves_is_abandoned)
{
    int fd;

    open_sleepy();
    fd = send_slow("POST", CONFIG_MAPS, "{'metadata':{'name':'a'}}");
    close(fd);
    while (plugin.n_cancelled == 0) {
        yl_http_server_turn(rig.http, false);
    }
    rig_advance(2 * DELAY);
    ended(0, 1);
    ask(404, "GET", CONFIG_MAPS "/a", NULL);
    rig_close();
}

TEST(a_write_whose_deadline_passes_is_abandoned)
{
    int fd;

    open_sleepy();
    fd = send_slow("POST", CONFIG_MAPS "?timeout=2s",
                   "{'metadata':{'name':'a'}}");
    rig_advance(3000);
    assert_int_equal(answer_of(fd), 504);
    says("/reason", "Timeout");
    rig_advance(2 * DELAY);
    ended(0, 1);
    ask(404, "GET", CONFIG_MAPS "/a", NULL);
    rig_close();
}

TEST(a_write_that_waits_when_the_server_goes_is_abandoned)
{
    int fd;

    open_sleepy();
    fd = send_slow("POST", CONFIG_MAPS, "{'metadata':{'name':'a'}}");
    rig_close();
    ended(0, 1);
    close(fd);
}

TEST(a_write_that_waits_while_the_server_stops_is_refused)
{
    int fd;

    open_sleepy();
    fd = send_slow("POST", CONFIG_MAPS, "{'metadata':{'name':'a'}}");
    yl_apiserver_stop(rig.server);
    rig_advance(DELAY);
    assert_int_equal(answer_of(fd), 503);
    ended(1, 0);
    rig_close();
}

TEST(a_write_whose_object_changes_starts_over)
{
    int fd;

    open_sleepy();
    ask(201, "POST", CONFIG_MAPS, "{'metadata':{'name':'a'}}");
    rig.content_type = "application/merge-patch+json";
    fd = send_slow("PATCH", CONFIG_MAPS "/a", "{'data':{'k':'slow'}}");
    patch(200, "merge", CONFIG_MAPS "/a", "{'data':{'l':'fast'}}");
    plugin.to_sleep = 1;        /* The second try waits as well. */
    rig_advance(DELAY);
    while (plugin.n_begun < 2) {
        yl_http_server_turn(rig.http, false);
    }
    rig_advance(DELAY);
    assert_int_equal(answer_of(fd), 200);
    says("/data/k", "slow");
    says("/data/l", "fast");
    says("/metadata/labels/slept", "well");
    ended(2, 0);

    /* A conditional write is not tried again if its condition no longer
     * holds. */
    fd = send_slow("PUT", CONFIG_MAPS "/a",
                   yl_arena_printf(rig.arena, "{'metadata':{'name':'a',"
                                   "'resourceVersion':'%s'}}",
                                   text_at("/metadata/resourceVersion")));
    patch(200, "merge", CONFIG_MAPS "/a", "{'data':{'l':'faster'}}");
    rig_advance(DELAY);
    assert_int_equal(answer_of(fd), 409);

    fd = send_slow("PUT", CONFIG_MAPS "/a", "{'metadata':{'name':'a'}}");
    ask(200, "DELETE", CONFIG_MAPS "/a", NULL);
    rig_advance(DELAY);
    assert_int_equal(answer_of(fd), 404);

    fd = send_slow("POST", CONFIG_MAPS, "{'metadata':{'name':'b'}}");
    ask(201, "POST", CONFIG_MAPS, "{'metadata':{'name':'b'}}");
    rig_advance(DELAY);
    assert_int_equal(answer_of(fd), 409);
    says("/reason", "AlreadyExists");
    rig_close();
}

TEST(what_an_abandoned_write_claimed_is_free)
{
    static const char service[] =
        "{'metadata':{'name':'%s'},'spec':{'type':'NodePort','ports':"
        "[{'port':80,'nodePort':30007}]}}";
    char body[256];
    int fd;

    open_sleepy();
    plugin.in_validate = true;
    snprintf(body, sizeof body, service, "a");
    fd = send_slow("POST", SERVICES, body);
    snprintf(body, sizeof body, service, "b");
    ask(422, "POST", SERVICES, body);
    says("/message", "Service \"b\" is invalid: spec.ports[0].nodePort: "
         "Invalid value: 30007: provided port is already allocated");
    close(fd);
    while (plugin.n_cancelled == 0) {
        yl_http_server_turn(rig.http, false);
    }
    ask(201, "POST", SERVICES, body);
    ended(0, 1);
    rig_close();
}

TEST(several_writes_of_one_request_can_wait)
{
    int fd, i;

    open_sleepy();
    ask(201, "POST", CONFIG_MAPS, "{'metadata':{'name':'a'}}");
    ask(201, "POST", CONFIG_MAPS, "{'metadata':{'name':'b'}}");
    ask(201, "POST", CONFIG_MAPS, "{'metadata':{'name':'c'}}");
    for (i = 0; i < 2; i++) {
        plugin.to_sleep = 3;
        fd = rig_send("DELETE", CONFIG_MAPS, NULL);
        while (plugin.to_sleep > 0) {
            yl_http_server_turn(rig.http, false);
        }
        if (i == 0) {
            close(fd);
            while (plugin.n_cancelled < 3) {
                yl_http_server_turn(rig.http, false);
            }
            ask(200, "GET", CONFIG_MAPS, NULL);
            says("/items/2/metadata/name", "c");
        }
    }
    rig_advance(DELAY);
    assert_int_equal(answer_of(fd), 200);
    says("/items/2/metadata/name", "c");
    ended(3, 3);
    ask(200, "GET", CONFIG_MAPS, NULL);
    says("/items", "[]");
    rig_close();
}

TEST(orders_are_admitted_as_what_was_sent)
{
    int fd;

    open_sleepy();
    ask(201, "POST", PODS, POD("p", ""));
    fd = send_slow("POST", PODS "/p/binding",
                   "{'metadata':{'name':'p'},'target':{'kind':'Node',"
                   "'name':'n'}}");
    rig_advance(DELAY);
    assert_int_equal(answer_of(fd), 201);
    ask(200, "GET", PODS "/p", NULL);
    says("/spec/nodeName", "n");
    says("/metadata/labels/slept", "well");

    plugin.refuse = true;
    fd = send_slow("POST", PODS "/p/eviction", "{'metadata':{'name':'p'}}");
    rig_advance(DELAY);
    assert_int_equal(answer_of(fd), 403);
    plugin.refuse = false;
    fd = send_slow("POST", PODS "/p/eviction", "{'metadata':{'name':'p'}}");
    rig_advance(DELAY);
    assert_int_equal(answer_of(fd), 201);
    ended(3, 0);

    ask(201, "POST", DEPLOYMENTS, DEPLOYMENT("d"));
    fd = send_slow("PUT", DEPLOYMENTS "/d/scale",
                   "{'metadata':{'name':'d'},'spec':{'replicas':7}}");
    assert_true(yl_node_string_is(
        yl_node_get(plugin.sleeps[3].admission->object, YL_STR("kind")),
        YL_STR("Scale")));
    rig_advance(DELAY);
    assert_int_equal(answer_of(fd), 200);
    says("/spec/replicas", "7");
    rig_close();
}

TEST(what_a_plugin_patches_gets_defaults)
{
    open_sleepy();
    plugin.patch = true;
    ask(201, "POST", PODS, POD("p", ""));
    says("/spec/containers/1/name", "sidecar");
    says("/spec/containers/1/terminationMessagePolicy", "File");
    rig_close();
}
