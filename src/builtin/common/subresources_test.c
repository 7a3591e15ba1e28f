/* Tests of subresources in general; pods/pod_subresources_test.c and others
 * have those of each. */

#include "builtin/common/subresources.h"

#include "builtin_case.h"

static void
set_spec(struct yl_arena *arena, struct yl_node *object,
         const struct yl_node *old)
{
    yl_member_keep(arena, object, old, "status");
}

static void
refuse(struct yl_check *c, const struct yl_node *object,
       const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");

    if (yl_member_object(old, "spec")) {
        yl_field_forbidden(c->err, yl_at_path(&spec), "no");
    }
}

TEST(identity_is_kept_and_changes_count)
{
    static const struct yl_builtin_subresource counted = {
        set_spec, refuse, true
    };
    static const struct yl_builtin_subresource other = {
        set_spec, refuse, false
    };
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *old = case_parse(
        arena, "{'metadata':{'name':'a','uid':'u-1','generation':1},"
               "'spec':{'x':1},'status':{'y':1}}");
    struct yl_node *object;

    object = case_parse(arena, "{'metadata':{'name':'a'},'spec':{'x':2},"
                               "'status':{}}");
    yl_subresource_prepare(&counted, arena, object, old);
    CASE_IS(object,
            "{'metadata':{'generation':2,'name':'a','uid':'u-1'},'spec':{"
            "'x':2},'status':{'y':1}}");
    object = case_parse(arena, "{'metadata':{'name':'a'},'spec':{'x':2}}");
    yl_subresource_prepare(&other, arena, object, old);
    CASE_IS(object,
            "{'metadata':{'generation':1,'name':'a','uid':'u-1'},'spec':{"
            "'x':2},'status':{'y':1}}");
    yl_arena_free(arena);
}

TEST(its_own_rules_and_those_of_metadata_hold)
{
    static const struct yl_builtin_subresource end = {
        set_spec, refuse, false
    };
    const struct yl_builtin *kind = case_kind("Namespace");
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *old = case_parse(
        arena, "{'metadata':{'name':'a','uid':'u-1'},'spec':{}}");
    struct yl_node *object = case_parse(
        arena, "{'metadata':{'name':'b','uid':'u-1'},'spec':{}}");

    assert_int_equal(yl_subresource_validate(&end, kind, arena, object, old,
                                             &err), YL_EINVALID);
    assert_string_equal(case_write_causes(arena, &err),
                        "metadata.name: Invalid value: \"b\": field is "
                        "immutable\n"
                        "spec: Forbidden: no\n");
    yl_arena_free(arena);
}
