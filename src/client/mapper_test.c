/* The mapper: what it asks a server, and when. */

#include "yuloh/mapper.h"

#include <sched.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/thread.h"
#include "env_rig.h"
#include "script_rig.h"
#include "yuloh/cancel.h"

static struct {
    struct yl_mapper *mapper;
    struct yl_clock *clock;
    struct yl_arena *arena;
    struct yl_error err;
} t;

static void
open_mapper(struct yl_client *client)
{
    memset(&t, 0, sizeof t);
    t.clock = yl_clock_fake_new(1000);
    t.arena = yl_arena_new();
    t.mapper = yl_mapper_new(client, &(struct yl_mapper_opts) {
        .clock = t.clock,
    });
}

static void
close_mapper(void)
{
    yl_arena_free(t.arena);
    yl_mapper_free(t.mapper);
    yl_clock_free(t.clock);
    yl_error_clear(&t.err);
}

static int
find(const char *text)
{
    const struct yl_mapping *mapping;

    return yl_mapper_find(t.mapper, yl_str_c(text), NULL, t.arena, &mapping,
                          &t.err);
}

#define DISCOVERY(NAME) "{\"kind\":\"APIGroupDiscoveryList\",\"items\":[{" \
    "\"metadata\":{\"name\":\"g\"},\"versions\":[{\"version\":\"v1\"," \
    "\"resources\":[{\"resource\":\"" NAME "\",\"responseKind\":{\"kind\":" \
    "\"X\"}}]}]}]}"
#define NONE "{\"kind\":\"APIGroupDiscoveryList\",\"items\":[]}"

TEST(the_server_is_asked_once_and_then_at_a_miss)
{
    script_open();
    open_mapper(script.client);
    script_answer(200, "", NONE);
    script_answer(200, "", DISCOVERY("one"));
    assert_int_equal(script.n_requests, 0);
    assert_int_equal(find("one"), 0);
    assert_int_equal(find("one"), 0);
    assert_string_equal(script_heard(), "GET /api\nGET /apis\n");

    /* Not again so soon, */
    yl_clock_fake_advance(t.clock, 9999);
    assert_int_equal(find("two"), YL_ENOTFOUND);
    assert_string_equal(yl_error_message(&t.err),
                        "the server doesn't have a resource type \"two\"");
    assert_int_equal(script.n_requests, 2);

    /* but later, and then it is there. */
    yl_clock_fake_advance(t.clock, 1);
    script_answer(200, "", NONE);
    script_answer(200, "", DISCOVERY("two"));
    assert_int_equal(find("two"), 0);
    assert_int_equal(script.n_requests, 4);

    /* What is found needs nobody, however old it is. */
    yl_clock_fake_advance(t.clock, 1000000);
    assert_int_equal(find("two"), 0);
    assert_int_equal(script.n_requests, 4);
    yl_mapper_invalidate(t.mapper);
    script_answer(200, "", NONE);
    script_answer(200, "", DISCOVERY("three"));
    assert_int_equal(find("two"), YL_ENOTFOUND);
    assert_int_equal(find("three"), 0);
    assert_int_equal(script.n_requests, 6);
    close_mapper();
    script_close();
}

TEST(an_error_of_the_server_is_told_and_not_remembered)
{
    script_open();
    open_mapper(script.client);
    script_answer(500, "", "");
    assert_int_equal(find("one"), YL_EINTERNAL);
    script_answer(200, "", NONE);
    script_answer(403, "", "");
    assert_int_equal(find("one"), YL_EFORBIDDEN);
    script_answer(200, "", NONE);
    script_answer(200, "", "{}");
    assert_int_equal(find("one"), YL_ETYPE);
    script_answer(404, "", "");
    script_answer(200, "", DISCOVERY("one"));
    assert_int_equal(find("one"), 0);
    close_mapper();
    script_close();
}

TEST(older_servers_are_asked_for_each_version)
{
    const struct yl_mapping *mapping;

    script_open();
    open_mapper(script.client);
    script_answer(200, "", "{\"kind\":\"APIVersions\",\"versions\":[\"v1\"]}");
    script_answer(200, "", "{\"kind\":\"APIResourceList\",\"resources\":[{"
                  "\"name\":\"pods\",\"namespaced\":true,\"kind\":\"Pod\"}]}");
    script_answer(200, "", "{\"kind\":\"APIGroupList\",\"groups\":[{\"name\":"
                  "\"down\",\"versions\":[{\"version\":\"v1\"}]},{\"name\":"
                  "\"g\",\"versions\":[{\"version\":\"v1\"}],"
                  "\"preferredVersion\":{\"version\":\"v1\"}}]}");
    script_answer(503, "", "");
    script_answer(200, "", "{\"kind\":\"APIResourceList\",\"resources\":[{"
                  "\"name\":\"xs\",\"kind\":\"X\"}]}");
    assert_int_equal(yl_mapper_find_kind(t.mapper, (struct yl_gvk) {
        YL_STR("g"), YL_STR("v1"), YL_STR("X"),
    }, NULL, t.arena, &mapping, &t.err), 0);
    assert_str_equal(mapping->resource.gvr.resource, "xs");
    assert_int_equal(find("pods"), 0);
    assert_string_equal(script_heard(), "GET /api\nGET /api/v1\nGET /apis\n"
                        "GET /apis/down/v1\nGET /apis/g/v1\n");
    close_mapper();
    script_close();
}

/* A server that never says anything. */
static int silent_fd = -1;
static atomic_int n_connections;

static int
connect_to_silence(void *aux, struct yl_cancel *cancel, int *ret_fd,
                   struct yl_error *err)
{
    int fds[2];

    (void) aux;
    (void) cancel;
    (void) err;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    *ret_fd = fds[0];
    silent_fd = fds[1];
    atomic_fetch_add(&n_connections, 1);
    return 0;
}

static int
find_with(const struct yl_call_opts *opts)
{
    struct yl_arena *arena = yl_arena_new();
    const struct yl_mapping *mapping;
    int r = yl_mapper_find(t.mapper, YL_STR("one"), opts, arena, &mapping,
                           NULL);

    yl_arena_free(arena);
    return r;
}

static void
find_until_canceled(void *cancel)
{
    assert_int_equal(find_with(&(struct yl_call_opts) { .cancel = cancel }),
                     YL_ECANCELED);
}

TEST(whoever_waits_for_another_call_can_be_canceled_and_times_out)
{
    struct yl_cancel *cancel = yl_cancel_new(), *set = yl_cancel_new();
    struct yl_client *client;
    struct yl_thread thread;

    assert_int_equal(yl_client_new(&(struct yl_client_config) {
        .server = "http://silent", .connect = connect_to_silence,
    }, NULL, &client, NULL), 0);
    open_mapper(client);
    assert_int_equal(yl_thread_start(&thread, "find", find_until_canceled,
                                     cancel), 0);
    while (!atomic_load(&n_connections)) {
        sched_yield();
    }
    yl_cancel_now(set);
    assert_int_equal(find_with(&(struct yl_call_opts) { .cancel = set }),
                     YL_ECANCELED);
    assert_int_equal(find_with(&(struct yl_call_opts) { .timeout = 1 }),
                     YL_ETIMEOUT);
    assert_int_equal(atomic_load(&n_connections), 1);
    yl_cancel_now(cancel);
    yl_thread_join(&thread);
    close_mapper();
    yl_client_unref(client);
    close(silent_fd);
    yl_cancel_unref(cancel);
    yl_cancel_unref(set);
}

TEST(misses_are_told_in_client_gos_words)
{
    const struct yl_mapping *mapping;

    script_open();
    open_mapper(script.client);
    script_answer(200, "", NONE);
    script_answer(200, "", NONE);
    assert_int_equal(yl_mapper_find_kind(t.mapper, (struct yl_gvk) {
        YL_STR("g"), YL_STR("v1"), YL_STR("X"),
    }, NULL, t.arena, &mapping, &t.err), YL_ENOTFOUND);
    assert_string_equal(yl_error_message(&t.err),
                        "no matches for kind \"X\" in version \"g/v1\"");
    assert_int_equal(yl_mapper_find_kind(t.mapper, (struct yl_gvk) {
        YL_STR("g"), YL_STR(""), YL_STR("X"),
    }, NULL, t.arena, &mapping, &t.err), YL_ENOTFOUND);
    assert_string_equal(yl_error_message(&t.err),
                        "no matches for kind \"X\" in group \"g\"");
    close_mapper();
    script_close();
}

TEST(the_real_server_is_understood)
{
    const struct yl_mapping *mapping, *all;
    size_t n;

    env_open("mapper");
    open_mapper(env.client);
    assert_int_equal(yl_mapper_find(t.mapper, YL_STR("deploy"), NULL, t.arena,
                                    &mapping, &t.err), 0);
    assert_str_equal(mapping->resource.gvr.group, "apps");
    assert_str_equal(mapping->resource.gvr.resource, "deployments");
    assert_str_equal(mapping->resource.kind, "Deployment");
    assert_true(mapping->resource.namespaced);
    assert_true(yl_mapping_has_subresource(mapping, YL_STR("scale")));
    assert_true(yl_mapping_has_verb(mapping, YL_STR("watch")));
    assert_int_equal(yl_mapper_find_resource(t.mapper, (struct yl_gvr) {
        .resource = YL_STR("nodes"),
    }, NULL, t.arena, &mapping, &t.err), 0);
    assert_false(mapping->resource.namespaced);
    assert_int_equal(yl_mapper_all(t.mapper, NULL, t.arena, &all, &n, &t.err),
                     0);
    assert_true(n > 50);
    assert_str_equal(all[0].resource.gvr.group, "");

    /* A definition that comes later is found after a while. */
    assert_int_equal(find("foos"), YL_ENOTFOUND);
    assert_int_equal(yl_testenv_apply(
        env.server, "apiVersion: apiextensions.k8s.io/v1\n"
        "kind: CustomResourceDefinition\n"
        "metadata: {name: foos.x.io}\n"
        "spec:\n"
        "  group: x.io\n"
        "  scope: Cluster\n"
        "  names: {plural: foos, kind: Foo, singular: foo}\n"
        "  versions:\n"
        "  - name: v1\n"
        "    served: true\n"
        "    storage: true\n"
        "    schema: {openAPIV3Schema: {type: object}}\n", &t.err), 0);
    assert_int_equal(find("foos"), YL_ENOTFOUND);
    yl_clock_fake_advance(t.clock, 10000);
    assert_int_equal(find("foos.x.io"), 0);
    close_mapper();
    env_close();
}
