/* Tests of the typed layer, through the wrappers of built-in kinds. */

#include "yuloh/typed.h"

#include "controller_rig.h"
#include "yuloh/api/apps_v1_client.h"
#include "yuloh/api/core_v1_client.h"

static void
succeeds(int r)
{
    if (r < 0) {
        fail_msg("%s", yl_error_message(&fault));
    }
}

static int
count(void *n, const void *record)
{
    const struct core_v1_config_map *map = record;

    assert_non_null(map->metadata.resource_version);
    ++*(unsigned *) n;
    return 0;
}

static int
fail_at_once(void *aux YL_UNUSED, const void *record YL_UNUSED)
{
    return YL_ETESTFAILED;
}

TEST(records_are_created_read_changed_and_deleted)
{
    static const struct yl_string_pair data[] = { { "a", "x" } };
    struct core_v1_config_map map = {
        .metadata = { .name = "one", .namespace_ = "default" },
        .data = data, .n_data = 1,
    };
    const struct yl_call_opts as_test = { .field_manager = "test" };
    struct yl_key key = yl_key_make(YL_STR("default"), YL_STR("one"));
    struct core_v1_config_map have;
    unsigned n = 0;

    begin();
    succeeds(core_v1_config_map_client_create(the_client, &map, NULL, scratch,
                                              &have, &fault));
    assert_non_null(have.metadata.uid);
    assert_int_equal(core_v1_config_map_client_create(
        the_client, &map, NULL, scratch, NULL, NULL), YL_EEXISTS);
    succeeds(core_v1_config_map_client_get(the_client, &key, NULL, scratch,
                                           &map, &fault));
    assert_string_equal(map.metadata.resource_version,
                        have.metadata.resource_version);
    map.n_data = 0;
    map.data = NULL;
    succeeds(core_v1_config_map_client_update(the_client, &map, NULL, scratch,
                                              &have, &fault));
    assert_int_equal(have.n_data, 0);

    /* The record that was read first is old now. */
    map.data = data;
    map.n_data = 1;
    assert_int_equal(core_v1_config_map_client_update(
        the_client, &map, NULL, scratch, NULL, NULL), YL_ECONFLICT);
    memset(&map, 0, sizeof map);
    map.metadata.name = "one";
    map.metadata.namespace_ = "default";
    map.data = data;
    map.n_data = 1;
    succeeds(core_v1_config_map_client_apply(the_client, &map, &as_test,
                                             scratch, &have, &fault));
    assert_string_equal(have.data[0].value, "x");
    succeeds(core_v1_config_map_client_patch(
        the_client, &key, YL_PATCH_MERGE, YL_STR("{\"data\":{\"b\":\"c\"}}"),
        NULL, scratch, &have, &fault));
    assert_int_equal(have.n_data, 2);
    succeeds(core_v1_config_map_client_list(the_client, YL_STR("default"),
                                            NULL, NULL, count, &n, &fault));
    assert_true(n >= 1);
    assert_int_equal(core_v1_config_map_client_list(
        the_client, yl_str_null(), NULL, NULL, fail_at_once, NULL, NULL),
        YL_ETESTFAILED);
    succeeds(core_v1_config_map_client_delete(the_client, &key, NULL, NULL,
                                              &fault));
    assert_int_equal(core_v1_config_map_client_get(
        the_client, &key, NULL, scratch, &have, NULL), YL_ENOTFOUND);
    end();
}

TEST(a_status_and_a_scale_are_updated)
{
    struct yl_key key = yl_key_make(YL_STR("default"), YL_STR("web"));
    struct apps_v1_deployment web;
    struct yl_scale scale;

    begin();
    succeeds(yl_testenv_apply(
        env, "apiVersion: apps/v1\nkind: Deployment\n"
        "metadata: {name: web, namespace: default}\n"
        "spec:\n"
        "  selector: {matchLabels: {a: b}}\n"
        "  template:\n"
        "    metadata: {labels: {a: b}}\n"
        "    spec: {containers: [{name: c, image: i}]}\n", &fault));
    succeeds(apps_v1_deployment_client_get(the_client, &key, NULL, scratch,
                                           &web, &fault));
    web.status.replicas = 7;
    succeeds(apps_v1_deployment_client_update_status(
        the_client, &web, NULL, scratch, &web, &fault));
    assert_int_equal(web.status.replicas, 7);
    succeeds(yl_typed_update_scale(the_client, &apps_v1_deployment_kind, &key,
                                   3, 0, NULL, &scale, &fault));
    assert_int_equal(scale.spec_replicas, 3);
    succeeds(yl_typed_get_scale(the_client, &apps_v1_deployment_kind, &key,
                                NULL, &scale, &fault));
    assert_int_equal(scale.spec_replicas, 3);
    end();
}

static int
end_watch(void *ret_name, struct yl_watch_event *event)
{
    *(struct yl_object **) ret_name = event->object;
    event->object = NULL;
    return 1;
}

TEST(collections_are_watched_and_deleted)
{
    struct core_v1_config_map map;
    struct yl_object *seen = NULL;

    begin();
    succeeds(yl_testenv_apply(
        env, "apiVersion: v1\nkind: ConfigMap\n"
        "metadata: {name: one, namespace: default}\n", &fault));
    succeeds(core_v1_config_map_client_watch(the_client, YL_STR("default"),
                                             NULL, NULL, end_watch, &seen,
                                             &fault));
    succeeds(yl_typed_decode(&core_v1_config_map_kind, seen, 7, scratch, &map,
                             &fault));
    assert_string_equal(map.metadata.name, "one");
    assert_string_equal(map.metadata.resource_version, "7");
    yl_object_unref(seen);
    succeeds(core_v1_config_map_client_delete_collection(
        the_client, YL_STR("default"), NULL, NULL, NULL, &fault));
    end();
}

TEST(listers_read_the_cache)
{
    struct yl_key key = yl_key_make(YL_STR("default"), YL_STR("one"));
    struct yl_informer_factory *factory;
    struct core_v1_config_map map;
    struct yl_informer *informer;
    struct yl_store *store;
    unsigned n = 0;

    begin();
    succeeds(yl_testenv_apply(
        env, "apiVersion: v1\nkind: ConfigMap\n"
        "metadata: {name: one, namespace: default}\n", &fault));
    succeeds(yl_informer_factory_new(the_client, NULL, &factory, &fault));
    informer = core_v1_config_map_informer(factory, NULL);
    store = yl_informer_store(informer);
    assert_int_equal(core_v1_config_map_lister_get(store, &key, scratch, &map,
                                                   &fault), YL_ENOTFOUND);
    assert_string_equal(yl_error_message(&fault),
                        "configmaps \"one\" not found");
    yl_error_clear(&fault);
    yl_informer_factory_start(factory);
    succeeds(yl_informer_factory_wait(factory, YL_NEVER, NULL, &fault));
    succeeds(core_v1_config_map_lister_get(store, &key, scratch, &map,
                                           &fault));
    assert_string_equal(map.metadata.name, "one");
    succeeds(core_v1_config_map_lister_list(store, YL_STR("default"), NULL,
                                            count, &n, &fault));
    assert_int_equal(n, 1);
    assert_int_equal(core_v1_config_map_lister_list(
        store, yl_str_null(), NULL, fail_at_once, NULL, NULL),
        YL_ETESTFAILED);
    yl_informer_factory_free(factory);
    end();
}
