/* Tests of a resource: its keys, and how its history goes. */

#include "apiserver/keyspace/resource.h"

#include "keyspace_unit.h"

KS_TEST(keys_have_texts)
{
    struct fixture f;
    char space[YL_KS_MAX_KEY];
    struct yl_key key = key_of("a", "x"), back;
    struct yl_str text;

    fixture_init(&f, NULL);
    text = yl_ks_resource_text(f.pods, &key, space);
    assert_str_equal(text, "a/x");
    assert_int_equal(yl_ks_resource_parse(f.pods, text, &back), 0);
    assert_true(yl_key_equal(&key, &back));
    assert_true(yl_str_is_null(yl_ks_resource_text(f.nodes, &key, space)));
    key = key_of(NULL, "n");
    assert_str_equal(yl_ks_resource_text(f.nodes, &key, space), "n");
    assert_int_equal(yl_ks_resource_parse(f.nodes, YL_STR("n"), &back), 0);
    assert_str_equal(back.name, "n");
    assert_int_equal(yl_ks_resource_parse(f.nodes, YL_STR("a/n"), &back),
                     YL_EINVALID);
    assert_int_equal(yl_ks_resource_parse(f.pods, YL_STR("n"), &back),
                     YL_EINVALID);
    assert_int_equal(yl_ks_resource_parse(f.pods, YL_STR("/n"), &back),
                     YL_EINVALID);
    assert_int_equal(yl_ks_resource_parse(f.pods, YL_STR("a/"), &back),
                     YL_EINVALID);
    assert_int_equal(yl_ks_resource_parse(f.pods, YL_STR("a/b/c"), &back),
                     YL_EINVALID);
    fixture_release(&f);
}

KS_TEST(what_can_not_be_there_is_not_found)
{
    struct fixture f;

    fixture_init(&f, NULL);
    assert_int_equal(yl_ks_get(f.pods, key_of("a", ""), NULL, NULL),
                     YL_ENOTFOUND);
    assert_int_equal(yl_ks_get(f.pods, key_of("a/b", "c"), NULL, NULL),
                     YL_ENOTFOUND);
    assert_int_equal(yl_ks_get(f.nodes, key_of("a", "n"), NULL, NULL),
                     YL_ENOTFOUND);
    fixture_release(&f);
}

/* How many keys and events a resource holds. */
static uint64_t
count_keys(struct yl_ks_resource *resource)
{
    uint64_t n;

    yl_mutex_lock(&resource->lock);
    n = resource->tree.n_keys;
    yl_mutex_unlock(&resource->lock);
    return n;
}

static uint64_t
count_events(struct yl_ks_resource *resource)
{
    uint64_t n;

    yl_mutex_lock(&resource->lock);
    n = resource->log.end - resource->log.first;
    yl_mutex_unlock(&resource->lock);
    return n;
}

KS_TEST(deleted_keys_go_with_their_history)
{
    struct yl_keyspace_opts opts = { .history_age = 1000 };
    struct fixture f;
    uint64_t revision = 0;
    int i;

    fixture_init(&f, &opts);
    for (i = 0; i < 300; i++) {
        char name[16];

        snprintf(name, sizeof name, "x%d", i);
        put(&f, "a", name, "1", 0, &revision);
        put(&f, "a", name, "2", revision, &revision);
        delete(&f, "a", name, revision, &revision);
    }
    assert_int_equal(count_keys(f.pods), 300);
    assert_int_equal(yl_ks_count(f.pods), 0);
    yl_clock_fake_advance(f.clock, 2000);

    /* Little by little, a few more in each turn than come in. */
    for (i = 0; i < 60; i++) {
        put(&f, "b", "y", "1", i ? revision : 0, &revision);
    }
    assert_int_equal(count_keys(f.pods), 1);
    assert_int_equal(count_events(f.pods), 60);
    fixture_release(&f);
}

KS_TEST(a_key_that_came_back_stays)
{
    struct yl_keyspace_opts opts = { .history_age = 1000 };
    struct fixture f;
    uint64_t x = 0;
    struct yl_object *object;

    fixture_init(&f, &opts);
    put(&f, "a", "x", "1", 0, &x);
    delete(&f, "a", "x", x, NULL);
    put(&f, "a", "x", "2", 0, &x);
    yl_clock_fake_advance(f.clock, 2000);
    put(&f, "a", "y", "1", 0, NULL);
    assert_int_equal(count_events(f.pods), 1);
    assert_int_equal(yl_ks_get(f.pods, key_of("a", "x"), &object, NULL), 0);
    assert_true(yl_object_label_is(object, YL_STR("v"), YL_STR("2")));
    yl_object_unref(object);
    fixture_release(&f);
}
