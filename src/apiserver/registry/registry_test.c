/* Tests of the registry, with custom resources. */

#include "apiserver/registry/registry.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/thread.h"
#include "unit.h"
#include "yuloh/error.h"

static const struct yl_api_subresource foo_subresources[] = {
    { .what = YL_SUB_STATUS, .name = "status", .verbs = YL_VERB_GET },
};

static const struct yl_api_version foo_versions[] = {
    { .group = YL_STR_INIT("example.com"), .version = YL_STR_INIT("v1"),
      .hub = true, .subresources = foo_subresources, .n_subresources = 1 },
    { .group = YL_STR_INIT("example.com"), .version = YL_STR_INIT("v1beta1") },
};

static struct yl_api_resource
foos(size_t n_versions)
{
    return (struct yl_api_resource) {
        .group = YL_STR("example.com"),
        .plural = YL_STR("foos"),
        .singular = YL_STR("foo"),
        .kind = YL_STR("Foo"),
        .verbs = YL_VERBS_ALL,
        .versions = foo_versions,
        .n_versions = n_versions,
        .custom = true,
    };
}

static struct yl_gvr
gvr(const char *group, const char *version, const char *resource)
{
    return (struct yl_gvr) { yl_str_c(group), yl_str_c(version),
                             yl_str_c(resource) };
}

static void
count_release(void *aux)
{
    atomic_fetch_add((atomic_int *) aux, 1);
}

TEST(a_resource_is_found_in_each_version)
{
    struct yl_registry *registry = yl_registry_new();
    struct yl_api_resource foo = foos(2);
    const struct yl_api_resource *found;
    const struct yl_api_version *version;

    assert_int_equal(yl_registry_put(registry, &foo, NULL, NULL), 0);
    for (size_t i = 0; i < 2; i++) {
        struct yl_gvr where = { foo_versions[i].group,
                                foo_versions[i].version, foo.plural };

        assert_int_equal(yl_registry_find(registry, where, &found, &version),
                         0);
        assert_ptr_equal(version, &foo_versions[i]);
        assert_str_equal(found->kind, "Foo");
        yl_api_resource_unref(found);
    }
    assert_int_equal(yl_registry_find(registry,
                                      gvr("example.com", "v2", "foos"),
                                      &found, &version), YL_ENOTFOUND);
    assert_int_equal(yl_registry_find(registry,
                                      gvr("example.com", "v1", "bars"),
                                      &found, &version), YL_ENOTFOUND);
    assert_int_equal(yl_registry_find(registry, gvr("", "v1", "foos"),
                                      &found, &version), YL_ENOTFOUND);
    yl_registry_free(registry);
}

TEST(subresources_are_found_by_name)
{
    const struct yl_api_version *v1 = &foo_versions[0];

    assert_ptr_equal(yl_api_version_subresource(v1, YL_STR("status")),
                     &foo_subresources[0]);
    assert_null(yl_api_version_subresource(v1, YL_STR("scale")));
    assert_null(yl_api_version_subresource(v1, YL_STR("")));
    assert_null(yl_api_version_subresource(&foo_versions[1],
                                           YL_STR("status")));
}

TEST(groups_are_there_while_something_is_in_them)
{
    struct yl_registry *registry = yl_registry_new();
    struct yl_api_resource foo = foos(2);
    struct yl_api_resource bar = foos(1);

    bar.plural = YL_STR("bars");
    assert_false(yl_registry_has_group(registry, foo.group, YL_STR("")));
    yl_registry_put(registry, &foo, NULL, NULL);
    yl_registry_put(registry, &bar, NULL, NULL);
    assert_true(yl_registry_has_group(registry, foo.group, YL_STR("")));
    assert_true(yl_registry_has_group(registry, foo.group, YL_STR("v1")));
    assert_true(yl_registry_has_group(registry, foo.group,
                                      YL_STR("v1beta1")));
    assert_false(yl_registry_has_group(registry, foo.group, YL_STR("v2")));
    assert_false(yl_registry_has_group(registry, YL_STR(""), YL_STR("v1")));

    assert_int_equal(yl_registry_remove(registry, foo.group, foo.plural), 0);
    assert_true(yl_registry_has_group(registry, foo.group, YL_STR("v1")));
    assert_false(yl_registry_has_group(registry, foo.group,
                                       YL_STR("v1beta1")));
    assert_int_equal(yl_registry_remove(registry, bar.group, bar.plural), 0);
    assert_false(yl_registry_has_group(registry, foo.group, YL_STR("")));
    yl_registry_free(registry);
}

TEST(what_was_found_outlives_its_removal)
{
    struct yl_registry *registry = yl_registry_new();
    struct yl_api_resource foo = foos(2);
    const struct yl_api_resource *found;
    const struct yl_api_version *version;
    atomic_int released = 0;

    yl_registry_put(registry, &foo, count_release, &released);
    yl_registry_find(registry, gvr("example.com", "v1", "foos"), &found,
                     &version);
    assert_int_equal(yl_registry_remove(registry, foo.group, foo.plural), 0);
    assert_int_equal(yl_registry_remove(registry, foo.group, foo.plural),
                     YL_ENOTFOUND);
    assert_int_equal(released, 0);
    assert_str_equal(found->plural, "foos");
    yl_api_resource_ref(found);
    yl_api_resource_unref(found);
    assert_int_equal(released, 0);
    yl_api_resource_unref(found);
    assert_int_equal(released, 1);
    yl_api_resource_unref(NULL);
    yl_registry_free(registry);
}

TEST(a_custom_resource_is_replaced)
{
    struct yl_registry *registry = yl_registry_new();
    struct yl_api_resource foo = foos(2);
    const struct yl_api_resource *found;
    const struct yl_api_version *version;
    atomic_int released = 0;

    yl_registry_put(registry, &foo, count_release, &released);
    foo = foos(1);
    foo.namespaced = true;
    assert_int_equal(yl_registry_put(registry, &foo, NULL, NULL), 0);
    assert_int_equal(released, 1);
    assert_int_equal(yl_registry_find(registry,
                                      gvr("example.com", "v1beta1", "foos"),
                                      &found, &version), YL_ENOTFOUND);
    assert_int_equal(yl_registry_find(registry,
                                      gvr("example.com", "v1", "foos"),
                                      &found, &version), 0);
    assert_true(found->namespaced);
    yl_api_resource_unref(found);
    yl_registry_free(registry);
}

TEST(nobody_takes_anothers_place)
{
    struct yl_registry *registry = yl_registry_new();
    struct yl_api_resource builtin = foos(1);
    struct yl_api_resource custom = foos(1);
    atomic_int released = 0;
    uint64_t generation;

    builtin.custom = false;
    assert_int_equal(yl_registry_put(registry, &builtin, NULL, NULL), 0);
    generation = yl_registry_generation(registry);

    /* The same one. */
    assert_int_equal(yl_registry_put(registry, &custom, count_release,
                                     &released), YL_EEXISTS);
    assert_int_equal(released, 1);

    /* Of another group, but with a version in this one. */
    custom.group = YL_STR("other.example.com");
    assert_int_equal(yl_registry_put(registry, &custom, count_release,
                                     &released), YL_EEXISTS);
    assert_int_equal(released, 2);
    assert_int_equal(yl_registry_remove(registry, builtin.group,
                                        builtin.plural), YL_ENOTFOUND);
    assert_int_equal(yl_registry_generation(registry), generation);
    assert_str_equal(yl_registry_builtin(registry, "example.com",
                                         "foos")->kind, "Foo");
    yl_registry_free(registry);
}

TEST(the_generation_rises_with_changes)
{
    struct yl_registry *registry = yl_registry_new();
    struct yl_api_resource foo = foos(2);
    uint64_t before = yl_registry_generation(registry);

    yl_registry_put(registry, &foo, NULL, NULL);
    assert_true(yl_registry_generation(registry) > before);
    before = yl_registry_generation(registry);
    yl_registry_put(registry, &foo, NULL, NULL);
    assert_true(yl_registry_generation(registry) > before);
    before = yl_registry_generation(registry);
    yl_registry_remove(registry, foo.group, foo.plural);
    assert_true(yl_registry_generation(registry) > before);
    before = yl_registry_generation(registry);
    yl_registry_remove(registry, foo.group, foo.plural);
    assert_int_equal(yl_registry_generation(registry), before);
    yl_registry_free(registry);
}

TEST(a_version_has_a_generation_of_its_own)
{
    struct yl_registry *registry = yl_registry_new();
    struct yl_api_resource foo = foos(2), bar = foos(1);
    uint64_t v1, v1beta1;

    bar.plural = YL_STR("bars");
    assert_int_equal(yl_registry_version_generation(registry, foo.group,
                                                    YL_STR("v1")), 0);
    yl_registry_put(registry, &foo, NULL, NULL);
    v1 = yl_registry_version_generation(registry, foo.group, YL_STR("v1"));
    v1beta1 = yl_registry_version_generation(registry, foo.group,
                                             YL_STR("v1beta1"));
    assert_true(v1 > 0);
    assert_int_equal(v1, v1beta1);
    yl_registry_put(registry, &bar, NULL, NULL);
    assert_true(yl_registry_version_generation(registry, foo.group,
                                               YL_STR("v1")) > v1);
    assert_int_equal(yl_registry_version_generation(registry, foo.group,
                                                    YL_STR("v1beta1")),
                     v1beta1);
    yl_registry_free(registry);
}

TEST(all_are_in_order)
{
    static const char *const plurals[] = { "zebras", "ants", "mice" };
    struct yl_registry *registry = yl_registry_new();
    const struct yl_api_resource **all;
    size_t n;

    for (size_t i = 0; i < 3; i++) {
        struct yl_api_resource foo = foos(2);

        foo.plural = yl_str_c(plurals[i]);
        yl_registry_put(registry, &foo, NULL, NULL);
    }
    all = yl_registry_all(registry, &n);
    assert_int_equal(n, 3);
    assert_str_equal(all[0]->plural, "ants");
    assert_str_equal(all[1]->plural, "mice");
    assert_str_equal(all[2]->plural, "zebras");
    for (size_t i = 0; i < n; i++) {
        yl_api_resource_unref(all[i]);
    }
    free(all);
    yl_registry_free(registry);
    yl_registry_free(NULL);
}

struct storm {
    struct yl_registry *registry;
    atomic_int n_found;
    atomic_bool stop;
};

static void
look(void *arg)
{
    struct storm *storm = arg;
    struct yl_gvr where = gvr("example.com", "v1", "foos");

    while (!atomic_load(&storm->stop)) {
        const struct yl_api_resource *found;
        const struct yl_api_version *version;

        if (yl_registry_find(storm->registry, where, &found, &version) == 0) {
            if (yl_str_equal_c(found->plural, "foos")
                && yl_str_equal_c(version->version, "v1")) {
                atomic_fetch_add(&storm->n_found, 1);
            }
            yl_api_resource_unref(found);
        }
    }
}

TEST(resources_come_and_go_while_others_look)
{
    struct storm storm = { .registry = yl_registry_new() };
    struct yl_api_resource foo = foos(2);
    struct yl_thread threads[2];
    atomic_int released = 0;
    int n_put = 0;

    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(yl_thread_start(&threads[i], "look", look, &storm),
                         0);
    }
    for (; n_put < 200 || !atomic_load(&storm.n_found); n_put++) {
        assert_int_equal(yl_registry_put(storm.registry, &foo, count_release,
                                         &released), 0);
        if (n_put % 3 == 0) {
            assert_int_equal(yl_registry_remove(storm.registry, foo.group,
                                                foo.plural), 0);
        }
    }
    atomic_store(&storm.stop, true);
    for (size_t i = 0; i < 2; i++) {
        yl_thread_join(&threads[i]);
    }
    yl_registry_free(storm.registry);
    assert_int_equal(released, n_put);
}

TEST(versions_know_their_hub)
{
    struct yl_api_version versions[2] = {
        { .version = YL_STR("v1beta1") },
        { .version = YL_STR("v1"), .hub = true },
    };
    struct yl_api_resource resource = { .versions = versions,
                                        .n_versions = 2 };

    assert_ptr_equal(yl_api_resource_hub(&resource), &versions[1]);
    versions[1].hub = false;
    assert_ptr_equal(yl_api_resource_hub(&resource), &versions[0]);
}

TEST(the_end_of_a_definition_is_a_change)
{
    struct yl_registry *registry = yl_registry_new();
    struct yl_api_resource foo = foos(1);
    const struct yl_api_resource *found;
    const struct yl_api_version *version;
    uint64_t before;

    assert_int_equal(yl_registry_put(registry, &foo, NULL, NULL), 0);
    assert_int_equal(yl_registry_find(registry,
                                      gvr("example.com", "v1", "foos"),
                                      &found, &version), 0);
    assert_false(yl_api_resource_is_ending(found));
    before = yl_registry_generation(registry);
    for (size_t i = 0; i < 2; i++) {
        yl_registry_end(registry, foo.group, foo.plural);
        yl_registry_end(registry, foo.group, YL_STR("nothing"));
        assert_true(yl_api_resource_is_ending(found));
        assert_int_equal(yl_registry_generation(registry), before + 1);
        assert_int_equal(yl_registry_version_generation(registry, foo.group,
                                                        YL_STR("v1")),
                         before + 1);
    }
    yl_api_resource_unref(found);
    yl_registry_free(registry);
}
