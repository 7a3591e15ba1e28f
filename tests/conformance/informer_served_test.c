/* Informers of a factory, over a client, against a server in this process. */

#include "yuloh/informer.h"

#include "informer_unit.h"
#include "yuloh/client.h"
#include "yuloh/client_config.h"
#include "yuloh/testenv.h"

static const struct yl_resource config_maps = {
    .gvr = { YL_STR_INIT(""), YL_STR_INIT("v1"), YL_STR_INIT("configmaps") },
    .kind = YL_STR_INIT("ConfigMap"), .namespaced = true,
};

#define CONFIG_MAP(NAME, VALUE)                                               \
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " NAME                 \
    ", namespace: default, labels: {app: web}}\ndata: {a: \"" VALUE "\"}\n"

TEST(a_factory_lists_and_watches_through_a_client)
{
    struct yl_informer_scope scope = {
        .namespace_ = YL_STR("default"),
        .label_selector = YL_STR("app=web"),
        .field_selector = YL_STR("metadata.name!=other"),
    };
    struct yl_informer_factory *factory;
    struct yl_client_config config;
    struct yl_informer *informer;
    struct yl_client *client;
    struct yl_testenv *env;
    struct ear ear;

    assert_int_equal(yl_testenv_new(NULL, &env, NULL), 0);
    assert_int_equal(yl_testenv_apply(env, CONFIG_MAP("a", "1"), NULL), 0);
    assert_int_equal(yl_testenv_apply(env, CONFIG_MAP("other", "1"), NULL), 0);
    config = yl_testenv_client_config(env);
    assert_int_equal(yl_client_new(&config, NULL, &client, NULL), 0);
    assert_int_equal(yl_informer_factory_new(client, NULL, &factory, NULL), 0);
    yl_client_unref(client);
    informer = yl_informer_factory_get(factory, &config_maps, &scope);
    ear_init(&ear);
    assert_int_equal(yl_informer_add_handler(informer, &ear_handler, &ear,
                                             NULL, NULL, NULL), 0);
    yl_informer_factory_start(factory);
    assert_int_equal(yl_informer_factory_wait(factory, YL_NEVER, NULL, NULL),
                     0);
    ear_wait(&ear, 1);
    assert_int_equal(yl_testenv_apply(env, CONFIG_MAP("a", "2"), NULL), 0);
    assert_int_equal(yl_testenv_apply(env, CONFIG_MAP("b", "1"), NULL), 0);
    ear_wait(&ear, 3);
    ear_assert(&ear, "*a ~a +b");
    assert_int_equal(yl_store_stats(yl_informer_store(informer)).n_objects, 2);
    yl_informer_factory_free(factory);
    yl_testenv_free(env);
    ear_release(&ear);
}
