/* Tests of the table of plugins; plugin_test.c has those of each. */

#include "apiserver/admission/admission.h"

#include "json/tree.h"
#include "unit.h"
#include "yuloh/arena.h"

/* A Node on its way in, which plugins need nothing else for. */
static struct yl_admission
node(struct yl_arena *arena, struct yl_api_resource *resource,
     enum yl_operation operation)
{
    struct yl_admission a = { .arena = arena, .resource = resource,
                              .operation = operation };

    *resource = (struct yl_api_resource) { .plural = YL_STR("nodes") };
    assert_int_equal(yl_tree_parse(arena, YL_STR("{\"spec\":{}}"), NULL,
                                   &a.object, NULL), 0);
    return a;
}

static const char *
text_of(struct yl_arena *arena, const struct yl_node *object)
{
    const char *text;
    struct yl_buf buf;

    yl_buf_init(&buf, SIZE_MAX);
    assert_int_equal(yl_node_write_canonical(&buf, object), 0);
    text = yl_arena_strdup(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return text;
}

TEST(plugins_run_for_their_operations)
{
    static const enum yl_operation others[] = {
        YL_OPERATION_UPDATE, YL_OPERATION_CONNECT,
    };
    struct yl_status status = YL_STATUS_INIT;
    struct yl_arena *arena = yl_arena_new();
    struct yl_api_resource resource;
    struct yl_admission a;
    size_t i;

    for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        a = node(arena, &resource, others[i]);
        assert_int_equal(yl_admit_mutate(&a, &status), 0);
        assert_string_equal(text_of(arena, a.object), "{\"spec\":{}}");
    }
    a = node(arena, &resource, YL_OPERATION_CREATE);
    assert_int_equal(yl_admit_mutate(&a, &status), 0);
    assert_string_equal(text_of(arena, a.object),
                        "{\"spec\":{\"taints\":[{\"effect\":\"NoSchedule\","
                        "\"key\":\"node.kubernetes.io/not-ready\"}]}}");
    yl_arena_free(arena);
}

TEST(mutating_again_changes_nothing)
{
    struct yl_status status = YL_STATUS_INIT;
    struct yl_arena *arena = yl_arena_new();
    struct yl_api_resource resource;
    struct yl_admission a = node(arena, &resource, YL_OPERATION_CREATE);
    const char *once;

    assert_int_equal(yl_admit_mutate(&a, &status), 0);
    once = text_of(arena, a.object);
    assert_int_equal(yl_admit_mutate(&a, &status), 0);
    assert_string_equal(text_of(arena, a.object), once);
    assert_int_equal(yl_admit_validate(&a, &status), 0);
    assert_string_equal(text_of(arena, a.object), once);
    yl_arena_free(arena);
}

TEST(plugins_are_chosen_by_upstreams_names)
{
    static const char *const off[] = {
        "ServiceAccount", "LimitRanger", "PodTopologyLabels",
    };
    static const char *const on[] = { "NodeRestriction", "ServiceAccount" };
    static const char *const odd[] = { "Odd" };
    static const char *const always[] = { "ClaimStatus" };
    struct yl_error err = YL_ERROR_INIT;
    uint64_t mask;

    assert_int_equal(yl_admission_choose(on, 2, NULL, 0, &mask, NULL), 0);
    assert_int_equal(mask, 0);
    assert_int_equal(yl_admission_choose(on, 1, off, 3, &mask, NULL), 0);
    assert_int_equal(mask, yl_admission_mask("ServiceAccount")
                           | yl_admission_mask("PodTopologyLabels"));
    assert_true(yl_admission_is_here("ServiceAccount"));
    assert_false(yl_admission_is_here("NodeRestriction"));
    assert_int_equal(yl_admission_choose(odd, 1, NULL, 0, &mask, &err),
                     YL_EINVALID);
    assert_string_equal(yl_error_message(&err), "enable-admission-plugins "
                        "plugin \"Odd\" is unknown");
    assert_int_equal(yl_admission_choose(NULL, 0, always, 1, &mask, &err),
                     YL_EINVALID);
    assert_string_equal(yl_error_message(&err), "disable-admission-plugins "
                        "plugin \"ClaimStatus\" is unknown");
    assert_int_equal(yl_admission_choose(on, 2, off, 3, &mask, &err),
                     YL_EINVALID);
    assert_string_equal(yl_error_message(&err), "[ServiceAccount] in "
                        "enable-admission-plugins and "
                        "disable-admission-plugins overlapped");
    yl_error_clear(&err);
}
