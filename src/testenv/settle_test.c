/* Tests of waiting until nothing is left to do. */

#include "yuloh/testenv.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "unit.h"
#include "yuloh/api/core_v1_client.h"
#include "yuloh/arena.h"
#include "yuloh/client.h"
#include "yuloh/controller.h"
#include "yuloh/informer.h"
#include "yuloh/log.h"
#include "yuloh/manager.h"

/* A controller that copies ConfigMaps, "a" to "a-copy", "a-copy" to
 * "a-copy-copy", three times: each write causes the next. */

static struct yl_testenv *env;
static struct yl_client *client;
static struct yl_manager *manager;
static struct yl_error err = YL_ERROR_INIT;
static atomic_uint n_calls;
static atomic_uint n_failures;  /* That reconciles are to have. */

static int
copy(struct yl_request *req)
{
    const struct core_v1_config_map *map = core_v1_config_map_of(req);
    struct core_v1_config_map want = { .data = NULL };

    n_calls++;
    usleep(500);
    if (n_failures) {
        n_failures--;
        return yl_request_fail(req, YL_EUNAVAILABLE, "not yet");
    }
    if (!map || strlen(map->metadata.name) > strlen("a-copy-copy")) {
        return 0;
    }
    want.metadata.name = yl_arena_printf(yl_request_arena(req), "%s-copy",
                                         map->metadata.name);
    want.metadata.namespace_ = map->metadata.namespace_;
    want.data = map->data;
    want.n_data = map->n_data;
    return core_v1_config_map_apply_owned(req, &want, NULL);
}

static const struct yl_controller copier = {
    .name = "copier",
    .reconcile = copy,
    .watches = YL_WATCHES({ .for_ = &core_v1_config_map_kind }),
    .workers = 2,
};

static void
drop_line(const struct yl_log_sink *sink YL_UNUSED,
          const char *line YL_UNUSED, size_t size YL_UNUSED)
{
}

static void
begin(bool held_clock)
{
    static const struct yl_log_sink quiet = { drop_line };
    static const struct yl_informer_factory_opts informers = {
        .reflector = { .backoff_min = 1, .backoff_max = 20 },
    };
    struct yl_client_config config;

    n_calls = n_failures = 0;
    yl_log_set_sink(&quiet);
    assert_int_equal(yl_testenv_new(&(struct yl_testenv_opts) {
        .held_clock = held_clock,
    }, &env, &err), 0);
    config = yl_testenv_client_config(env);
    assert_int_equal(yl_client_new(&config, &(struct yl_client_opts) {
        .clock = yl_testenv_clock(env),
    }, &client, &err), 0);
    assert_int_equal(yl_manager_new(&(struct yl_manager_opts) {
        .client = client, .clock = yl_testenv_clock(env),
        .informers = &informers,
    }, &manager, &err), 0);
    assert_int_equal(yl_manager_add(manager, &copier, &err), 0);
    assert_int_equal(yl_manager_start(manager, &err), 0);
}

static void
end(void)
{
    yl_manager_free(manager);
    yl_client_unref(client);
    yl_testenv_free(env);
    yl_error_clear(&err);
    yl_log_set_sink(NULL);
}

static void
settle(void)
{
    if (yl_testenv_settle(env, manager, 0, &err) < 0) {
        fail_msg("%s", yl_error_message(&err));
    }
}

static void
apply_map(const char *name, const char *value)
{
    char *yaml;

    assert_true(asprintf(&yaml, "apiVersion: v1\nkind: ConfigMap\n"
                         "metadata: {name: %s, namespace: default}\n"
                         "data: {v: \"%s\"}\n", name, value) > 0);
    if (yl_testenv_apply(env, yaml, &err) < 0) {
        fail_msg("%s", yl_error_message(&err));
    }
    free(yaml);
}

static bool
map_is(const char *name, const char *value)
{
    struct yl_arena *arena = yl_arena_new();
    struct core_v1_config_map map;
    struct yl_key key = yl_key_make(YL_STR("default"), yl_str_c(name));
    bool is = core_v1_config_map_client_get(client, &key, NULL, arena, &map,
                                            NULL) == 0
              && map.n_data == 1 && !strcmp(map.data[0].value, value);

    yl_arena_free(arena);
    return is;
}

TEST(when_it_returns_the_last_write_that_follows_was_made)
{
    begin(false);
    for (int i = 0; i < 5; i++) {
        char value[16];

        snprintf(value, sizeof value, "%d", i);
        apply_map("a", value);
        settle();
        assert_true(map_is("a-copy-copy-copy", value));
    }
    end();
}

TEST(it_returns_although_nobody_does_anything)
{
    unsigned before;

    begin(false);
    settle();
    before = n_calls;
    settle();
    assert_int_equal(n_calls, before);
    end();
}

TEST(keys_that_back_off_are_waited_for_by_moving_the_clock)
{
    begin(true);
    settle();
    n_failures = 1;
    apply_map("a", "x");
    settle();
    assert_int_equal(n_failures, 0);
    assert_false(map_is("a-copy", "x"));
    yl_testenv_advance(env, 1000);
    settle();
    assert_true(map_is("a-copy-copy-copy", "x"));
    end();
}

TEST(a_dead_server_does_not_settle_and_a_revived_one_does)
{
    begin(false);
    settle();
    yl_testenv_inject(env, &(struct yl_testenv_fault) {
        .what = YL_FAULT_ANSWER, .verb = "watch", .status = 500, .times = 1,
    });
    assert_int_equal(yl_testenv_revive(env, &err), 0);
    apply_map("a", "x");
    settle();
    assert_true(map_is("a-copy-copy-copy", "x"));
    end();
}

TEST(what_does_not_settle_is_named)
{
    begin(false);
    settle();
    yl_testenv_inject(env, &(struct yl_testenv_fault) {
        .what = YL_FAULT_ANSWER, .verb = "watch", .status = 500,
    });
    yl_testenv_inject(env, &(struct yl_testenv_fault) {
        .what = YL_FAULT_ANSWER, .verb = "list", .status = 500,
    });
    assert_int_equal(yl_testenv_revive(env, &err), 0);
    apply_map("a", "x");
    assert_int_equal(yl_testenv_settle(env, manager, 50, &err), YL_ETIMEOUT);
    assert_non_null(strstr(yl_error_message(&err),
                           "it does not settle: configmaps"));
    end();
}
