/* Fuzzes the reading of discovery documents, and lookups in what they say:
 * each resource is found by its own names.
 *
 * Input: a byte that says which document it is, and the document. */

#include "fuzz.h"

#include "client/api_set.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static int
on_group(void *n, struct yl_gv gv, bool preferred)
{
    (void) preferred;
    *(size_t *) n += gv.group.size + gv.version.size;
    return 0;
}

static void
check(struct yl_api_set *set)
{
    size_t i;

    for (i = 0; i < set->n_mappings && i < 100; i++) {
        const struct yl_mapping *mapping = &set->mappings[i];
        struct yl_gvr gvr = mapping->resource.gvr;
        const struct yl_mapping *found = yl_api_set_find_resource(set, gvr);

        CHECK(gvr.resource.size);
        CHECK(found && yl_str_equal(found->resource.gvr.resource,
                                    gvr.resource));
        CHECK(yl_str_equal(found->resource.gvr.group, gvr.group));
        yl_api_set_find(set, gvr.resource);
        if (mapping->n_verbs) {
            CHECK(yl_mapping_has_verb(mapping, mapping->verbs[0]));
        }
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = fuzz_input(data, size);
    struct yl_api_set *set = yl_api_set_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_gv gv = { YL_STR("g"), YL_STR("v1") };
    size_t n = 0;
    int r = 0;

    switch (fuzz_below(&in, 4)) {
    case 0:
        r = yl_api_set_add_aggregated(set, in.rest, &err);
        break;
    case 1:
        r = yl_api_set_add_resources(set, gv, true, in.rest, &err);
        break;
    case 2:
        r = yl_api_groups_read(in.rest, on_group, &n, &err);
        break;
    case 3:
        yl_api_set_find(set, in.rest);
        break;
    }
    CHECK(r == err.code);
    check(set);
    yl_error_clear(&err);
    yl_api_set_unref(set);
    return 0;
}
