/* The calls about one object, against the real server. */

#include "yuloh/client.h"

#include "base/thread.h"
#include "env_rig.h"
#include "script_rig.h"

static struct {
    struct yl_arena *arena;
    struct yl_error err;
} t;

static const struct yl_key a = { YL_STR_INIT("default"), YL_STR_INIT("a") };

static void
open_env(void)
{
    memset(&t, 0, sizeof t);
    t.arena = yl_arena_new();
    env_open("verbs");
}

static void
close_env(void)
{
    yl_error_clear(&t.err);
    env_close();
    yl_arena_free(t.arena);
}

#define MAP(NAME, DATA) "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\"," \
    "\"metadata\":{\"name\":\"" NAME "\",\"namespace\":\"default\"}," \
    "\"data\":" DATA "}"

/* The value of data.x; takes the object. */
static const char *
x_of(struct yl_versioned object)
{
    struct yl_str value = YL_STR("absent");

    yl_json_string(yl_json_get(yl_object_field(object.object, t.arena,
                                               "data"), YL_STR("x")),
                   t.arena, &value);
    yl_object_unref(object.object);
    return yl_arena_strdup(t.arena, value);
}

static void
create(const char *json)
{
    if (yl_client_create(env.client, &rig_config_maps, yl_str_null(),
                         yl_str_c(json), NULL, NULL, &t.err) < 0) {
        fail_msg("%s", yl_error_message(&t.err));
    }
}

TEST(objects_are_created_and_read)
{
    struct yl_versioned made, read;

    open_env();
    assert_int_equal(yl_client_create(env.client, &rig_config_maps,
                                      YL_STR("default"),
                                      YL_STR(MAP("a", "{\"x\":\"1\"}")),
                                      NULL, &made, &t.err), 0);
    assert_true(made.revision > 0);
    assert_int_equal(yl_client_get(env.client, &rig_config_maps, &a, NULL,
                                   &read, &t.err), 0);
    assert_int_equal(read.revision, made.revision);
    assert_true(yl_object_equal(made.object, read.object));
    yl_object_unref(made.object);
    assert_string_equal(x_of(read), "1");

    /* Again is an error, in the server's words. */
    assert_int_equal(yl_client_create(env.client, &rig_config_maps,
                                      yl_str_null(),
                                      YL_STR(MAP("a", "{}")), NULL, NULL,
                                      &t.err), YL_EEXISTS);
    assert_string_equal(yl_error_message(&t.err),
                        "configmaps \"a\" already exists");
    close_env();
}

TEST(what_is_not_there_is_not_found)
{
    open_env();
    assert_int_equal(yl_client_get(env.client, &rig_config_maps, &a, NULL,
                                   NULL, &t.err), YL_ENOTFOUND);
    assert_string_equal(yl_error_message(&t.err),
                        "configmaps \"a\" not found");
    close_env();
}

TEST(a_call_without_a_name_is_refused_before_it_is_sent)
{
    static const struct yl_key nameless = {
        YL_STR_INIT("default"), { NULL, 0 },
    };

    open_env();
    assert_int_equal(yl_client_get(env.client, &rig_config_maps, &nameless,
                                   NULL, NULL, &t.err), YL_EINVALID);
    assert_int_equal(yl_client_delete(env.client, &rig_config_maps, &nameless,
                                      NULL, NULL, NULL, &t.err),
                     YL_EINVALID);
    assert_int_equal(yl_client_update(env.client, &rig_config_maps, NULL,
                                      YL_STR("{}"), NULL, NULL, &t.err),
                     YL_EINVALID);
    assert_int_equal(yl_client_create(env.client, &rig_config_maps,
                                      yl_str_null(), YL_STR("{}"), NULL,
                                      NULL, &t.err), YL_EINVALID);
    close_env();
}

TEST(causes_of_an_invalid_object_are_told)
{
    open_env();
    assert_int_equal(yl_client_create(env.client, &rig_config_maps,
                                      yl_str_null(),
                                      YL_STR(MAP("a", "{\"/\":\"1\"}")),
                                      NULL, NULL, &t.err), YL_EINVALID);
    assert_int_equal(t.err.n_causes, 1);
    assert_string_equal(t.err.causes[0].field, "data[/]");
    close_env();
}

TEST(an_update_of_an_old_version_is_a_conflict)
{
    struct yl_versioned first, second;
    struct yl_str json;

    open_env();
    create(MAP("a", "{\"x\":\"1\"}"));
    assert_int_equal(yl_client_get(env.client, &rig_config_maps, &a, NULL,
                                   &first, &t.err), 0);
    assert_int_equal(yl_client_update(env.client, &rig_config_maps, &a,
                                      YL_STR(MAP("a", "{\"x\":\"2\"}")),
                                      NULL, &second, &t.err), 0);
    assert_true(second.revision > first.revision);
    assert_string_equal(x_of(second), "2");
    json = yl_object_json(first.object, t.arena, &(struct yl_object_head) {
        .type = { YL_STR("v1"), YL_STR("ConfigMap") },
    });

    /* The name stands in the object, too. */
    assert_int_equal(yl_client_update(env.client, &rig_config_maps, NULL, json,
                                      NULL, NULL, &t.err), YL_ECONFLICT);
    yl_object_unref(first.object);
    close_env();
}

TEST(a_dry_run_changes_nothing)
{
    struct yl_call_opts opts = { .dry_run = true };
    struct yl_versioned object;

    open_env();
    create(MAP("a", "{\"x\":\"1\"}"));
    assert_int_equal(yl_client_update(env.client, &rig_config_maps, &a,
                                      YL_STR(MAP("a", "{\"x\":\"2\"}")),
                                      &opts, &object, &t.err), 0);
    assert_string_equal(x_of(object), "2");
    assert_int_equal(yl_client_delete(env.client, &rig_config_maps, &a, NULL,
                                      &opts, NULL, &t.err), 0);
    assert_int_equal(yl_client_get(env.client, &rig_config_maps, &a, NULL,
                                   &object, &t.err), 0);
    assert_string_equal(x_of(object), "1");
    close_env();
}

TEST(fields_can_be_validated_strictly)
{
    struct yl_call_opts opts = { .field_validation = YL_VALIDATION_STRICT };
    static const char json[] = MAP("a", "{},\"what\":1");

    open_env();
    assert_int_equal(yl_client_create(env.client, &rig_config_maps,
                                      yl_str_null(), yl_str_c(json), &opts,
                                      NULL, &t.err), YL_EBADREQUEST);
    assert_non_null(strstr(yl_error_message(&t.err), "what"));
    opts.field_validation = YL_VALIDATION_IGNORE;
    assert_int_equal(yl_client_create(env.client, &rig_config_maps,
                                      yl_str_null(), yl_str_c(json), &opts,
                                      NULL, &t.err), 0);
    close_env();
}

TEST(all_four_patches_work)
{
    static const struct {
        enum yl_patch_type type;
        const char *patch;
        const char *want;
    } cases[] = {
        { YL_PATCH_JSON, "[{\"op\":\"replace\",\"path\":\"/data/x\","
          "\"value\":\"2\"}]", "2" },
        { YL_PATCH_MERGE, "{\"data\":{\"x\":\"3\"}}", "3" },
        { YL_PATCH_STRATEGIC, "{\"data\":{\"x\":\"4\"}}", "4" },
        { YL_PATCH_APPLY, MAP("a", "{\"x\":\"5\"}"), "5" },
    };
    size_t i;

    open_env();
    create(MAP("a", "{\"x\":\"1\"}"));
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_call_opts opts = { .field_manager = "m", .force = true };
        struct yl_versioned object;

        assert_int_equal(yl_client_patch(env.client, &rig_config_maps, &a,
                                         cases[i].type,
                                         yl_str_c(cases[i].patch), &opts,
                                         &object, &t.err), 0);
        assert_string_equal(x_of(object), cases[i].want);
    }
    close_env();
}

TEST(an_apply_needs_a_manager_and_respects_others)
{
    struct yl_call_opts opts = { .field_manager = "one" };
    struct yl_versioned object;

    open_env();
    assert_int_equal(yl_client_apply(env.client, &rig_config_maps, &a,
                                     YL_STR(MAP("a", "{\"x\":\"1\"}")), NULL,
                                     NULL, &t.err), YL_EINVALID);
    assert_int_equal(yl_client_apply(env.client, &rig_config_maps, &a,
                                     YL_STR(MAP("a", "{\"x\":\"1\"}")),
                                     &opts, NULL, &t.err), 0);
    opts.field_manager = "two";
    assert_int_equal(yl_client_apply(env.client, &rig_config_maps, &a,
                                     YL_STR(MAP("a", "{\"x\":\"2\"}")),
                                     &opts, NULL, &t.err), YL_ECONFLICT);
    assert_int_equal(t.err.n_causes, 1);
    assert_string_equal(t.err.causes[0].field, ".data.x");
    opts.force = true;
    assert_int_equal(yl_client_apply(env.client, &rig_config_maps, &a,
                                     YL_STR(MAP("a", "{\"x\":\"2\"}")),
                                     &opts, &object, &t.err), 0);
    assert_string_equal(x_of(object), "2");
    close_env();
}

TEST(a_deletion_has_preconditions)
{
    struct yl_delete_opts options = { .uid = YL_STR("other") };
    struct yl_versioned object;

    open_env();
    create(MAP("a", "{}"));
    assert_int_equal(yl_client_delete(env.client, &rig_config_maps, &a,
                                      &options, NULL, NULL, &t.err),
                     YL_ECONFLICT);
    options = (struct yl_delete_opts) { .resource_version = YL_STR("1") };
    assert_int_equal(yl_client_delete(env.client, &rig_config_maps, &a,
                                      &options, NULL, NULL, &t.err),
                     YL_ECONFLICT);
    assert_int_equal(yl_client_delete(env.client, &rig_config_maps, &a, NULL,
                                      NULL, &object, &t.err), 0);
    assert_null(object.object);
    assert_int_equal(yl_client_delete(env.client, &rig_config_maps, &a, NULL,
                                      NULL, &object, &t.err), YL_ENOTFOUND);
    close_env();
}

TEST(an_object_on_its_way_out_is_returned)
{
    static const char json[] = "{\"apiVersion\":\"v1\","
        "\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\","
        "\"namespace\":\"default\",\"finalizers\":[\"x.io/y\"]}}";
    struct yl_delete_opts options = {
        .propagation = YL_PROPAGATION_FOREGROUND,
    };
    struct yl_versioned object;

    open_env();
    create(json);
    assert_int_equal(yl_client_delete(env.client, &rig_config_maps, &a,
                                      &options, NULL, &object, &t.err), 0);
    assert_true(yl_object_is_deleting(object.object));
    assert_int_equal(yl_json_count(yl_object_finalizers(object.object)), 2);
    yl_object_unref(object.object);
    close_env();
}

TEST(status_and_scale_are_subresources)
{
    static const char json[] = "{\"apiVersion\":\"apps/v1\",\"kind\":"
        "\"Deployment\",\"metadata\":{\"name\":\"a\",\"namespace\":"
        "\"default\"},\"spec\":{\"replicas\":3,\"selector\":{\"matchLabels\":"
        "{\"a\":\"b\"}},\"template\":{\"metadata\":{\"labels\":{\"a\":\"b\"}}"
        ",\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}},"
        "\"status\":{\"replicas\":2}}";
    struct yl_scale scale;
    struct yl_versioned object;

    open_env();
    assert_int_equal(yl_client_create(env.client, &rig_deployments,
                                      YL_STR("default"), yl_str_c(json), NULL,
                                      NULL, &t.err), 0);
    assert_int_equal(yl_client_get_scale(env.client, &rig_deployments, &a,
                                         NULL, &scale, &t.err), 0);
    assert_int_equal(scale.spec_replicas, 3);
    assert_int_equal(scale.status_replicas, 0);
    assert_int_equal(yl_client_update_status(env.client, &rig_deployments, &a,
                                             yl_str_c(json), NULL, NULL,
                                             &t.err), 0);
    assert_int_equal(yl_client_update_scale(env.client, &rig_deployments, &a,
                                            7, scale.revision, NULL, NULL,
                                            &t.err), YL_ECONFLICT);
    assert_int_equal(yl_client_update_scale(env.client, &rig_deployments, &a,
                                            7, 0, NULL, &scale, &t.err), 0);
    assert_int_equal(scale.spec_replicas, 7);
    assert_int_equal(scale.status_replicas, 2);
    assert_int_equal(yl_client_get(env.client, &rig_deployments, &a,
                                   &(struct yl_call_opts) {
        .subresource = "status",
    }, &object, &t.err), 0);
    yl_object_unref(object.object);
    close_env();
}

TEST(a_server_that_is_gone_is_unavailable)
{
    open_env();
    create(MAP("a", "{}"));
    yl_testenv_kill(env.server);
    assert_int_equal(yl_client_get(env.client, &rig_config_maps, &a, NULL,
                                   NULL, &t.err), YL_EUNAVAILABLE);
    assert_int_equal(yl_testenv_revive(env.server, NULL), 0);
    assert_int_equal(yl_client_get(env.client, &rig_config_maps, &a, NULL,
                                   NULL, &t.err), 0);
    close_env();
}

/* Each thread counts its own object up. */
static void
count_up(void *name_)
{
    const char *name = name_;
    struct yl_key key = yl_key_make(YL_STR("default"), yl_str_c(name));
    int i;

    for (i = 0; i < 20; i++) {
        struct yl_arena *arena = yl_arena_new();
        char *json = yl_arena_printf(arena, MAP("%s", "{\"x\":\"%d\"}"),
                                     name, i);
        struct yl_versioned written, read;
        int r = i ? yl_client_update(env.client, &rig_config_maps, &key,
                                     yl_str_c(json), NULL, &written, NULL)
                  : yl_client_create(env.client, &rig_config_maps,
                                     yl_str_null(), yl_str_c(json), NULL,
                                     &written, NULL);

        assert_int_equal(r, 0);
        assert_int_equal(yl_client_get(env.client, &rig_config_maps, &key,
                                       NULL, &read, NULL), 0);
        assert_int_equal(read.revision, written.revision);
        yl_object_unref(read.object);
        yl_object_unref(written.object);
        yl_arena_free(arena);
    }
}

TEST(threads_share_a_client)
{
    static char names[8][2] = { "a", "b", "c", "d", "e", "f", "g", "h" };
    struct yl_thread threads[YL_ARRAY_SIZE(names)];
    size_t i;

    open_env();
    for (i = 0; i < YL_ARRAY_SIZE(names); i++) {
        assert_int_equal(yl_thread_start(&threads[i], "worker", count_up,
                                         names[i]), 0);
    }
    for (i = 0; i < YL_ARRAY_SIZE(names); i++) {
        yl_thread_join(&threads[i]);
    }
    close_env();
}
