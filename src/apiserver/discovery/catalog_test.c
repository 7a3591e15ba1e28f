/* Tests of the registry as documents list it. */

#include "apiserver/discovery/catalog.h"

#include "registry_unit.h"
#include "unit.h"
#include "yuloh/arena.h"

static struct registry_unit unit;
static struct yl_arena *arena;
static const struct yl_catalog *catalog;

static void
begin(void)
{
    registry_unit_init(&unit);
    arena = yl_arena_new();
    catalog = yl_catalog_make(unit.registry, arena);
}

static void
end(void)
{
    yl_arena_free(arena);
    registry_unit_release(&unit);
}

TEST(groups_versions_and_resources_are_in_order)
{
    begin();
    assert_str_equal(catalog->groups[0].name, "");
    for (size_t i = 0; i < catalog->n_groups; i++) {
        const struct yl_catalog_group *group = &catalog->groups[i];

        if (i > 0) {
            assert_true(yl_api_group_compare(catalog->groups[i - 1].name,
                                             group->name) < 0);
        }
        for (size_t j = 0; j < group->n_versions; j++) {
            const struct yl_catalog_version *version = &group->versions[j];

            assert_true(yl_str_equal(version->group, group->name));
            if (j > 0) {
                assert_true(yl_version_compare(group->versions[j - 1].version,
                                               version->version) > 0);
            }
            for (size_t k = 1; k < version->n_entries; k++) {
                assert_true(yl_str_compare(
                    version->entries[k - 1].resource->plural,
                    version->entries[k].resource->plural) < 0);
            }
        }
    }
    end();
}

TEST(a_resource_stands_in_all_its_groups)
{
    const struct yl_catalog_version *events;

    begin();
    events = yl_catalog_version(catalog, YL_STR("events.k8s.io"),
                                YL_STR("v1"));
    assert_int_equal(events->n_entries, 1);
    assert_ptr_equal(events->entries[0].resource,
                     yl_registry_builtin(unit.registry, "", "events"));
    assert_str_equal(events->entries[0].version->group, "events.k8s.io");
    end();
}

TEST(versions_are_found_by_name)
{
    begin();
    assert_non_null(yl_catalog_version(catalog, YL_STR("batch"),
                                       YL_STR("v2alpha1")));
    assert_null(yl_catalog_version(catalog, YL_STR("batch"), YL_STR("v9")));
    assert_null(yl_catalog_version(catalog, YL_STR("nope"), YL_STR("v1")));
    assert_null(yl_catalog_group(catalog, YL_STR("nope")));
    assert_str_equal(yl_catalog_version(catalog, YL_STR(""), YL_STR("v1"))
                         ->api_version, "v1");
    assert_str_equal(yl_catalog_version(catalog, YL_STR("apps"), YL_STR("v1"))
                         ->api_version, "apps/v1");
    end();
}

TEST(a_catalog_of_nothing_is_empty)
{
    struct yl_registry *registry = yl_registry_new();

    arena = yl_arena_new();
    assert_int_equal(yl_catalog_make(registry, arena)->n_groups, 0);
    yl_arena_free(arena);
    yl_registry_free(registry);
}
