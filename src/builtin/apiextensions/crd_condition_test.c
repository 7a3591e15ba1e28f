/* Tests of the conditions that follow from a CustomResourceDefinition
 * alone. */

#include "builtin/apiextensions/definition.h"

#include "builtin_case.h"
#include "schema/pattern.h"

struct condition_case {
    const char *json;
    const char *want;           /* "STATUS REASON: MESSAGE", or "none". */
};

static void
run(const char *file, int line,
    bool (*find)(struct yl_arena *, const struct yl_node *,
                 struct yl_crd_condition *),
    const struct condition_case *cases, size_t n)
{
    struct yl_arena *arena = yl_arena_new();
    bool good = true;
    size_t i;

    for (i = 0; i < n; i++) {
        struct yl_node *object = case_parse(arena, cases[i].json);
        struct yl_crd_condition condition;
        const char *have = "none";

        if (find(arena, object, &condition)) {
            have = yl_arena_printf(arena, "%s %s: %s", condition.status,
                                   condition.reason, condition.message);
        }
        good &= whole_check(file, line, i, cases[i].json, have,
                            cases[i].want);
    }
    yl_arena_free(arena);
    assert_true(good);
}

#define RUN(FIND, CASES) run(__FILE__, __LINE__, FIND, CASES, CASE_N(CASES))
#define VERSION(NAME, SCHEMA) \
    "{'name':'" NAME "','schema':{'openAPIV3Schema':" SCHEMA "}}"

static bool
structural_condition(struct yl_arena *arena, const struct yl_node *object,
                     struct yl_crd_condition *ret_condition)
{
    struct yl_patterns *patterns = yl_patterns_new();
    bool found = yl_crd_structural_condition(arena, object, patterns,
                                             ret_condition);

    yl_patterns_free(patterns);
    return found;
}

TEST(schemas_that_are_not_structural_are_named)
{
    static const struct condition_case cases[] = {
        { "{}", "none" },
        { "{'spec':{'versions':[{'name':'v1'}," VERSION("v2", "{'type':"
          "'object'}") "]}}", "none" },
        { "{'spec':{'preserveUnknownFields':true,'versions':[{'name':"
          "'v1'}]}}",
          "True Violations: spec.preserveUnknownFields: Invalid value: true: "
          "must be false" },
        { "{'spec':{'versions':[" VERSION("v1", "{}") "]}}",
          "True Violations: spec.versions[0].schema.openAPIV3Schema.type: "
          "Required value: must not be empty at the root" },
        { "{'spec':{'preserveUnknownFields':true,'versions':["
          VERSION("v1", "{}") "," VERSION("v2", "{'type':'object',"
          "'properties':{'a':{'pattern':'('}}}") "]}}",
          "True Violations: [spec.preserveUnknownFields: Invalid value: true: "
          "must be false, spec.versions[0].schema.openAPIV3Schema.type: "
          "Required value: must not be empty at the root, spec.versions["
          "1].schema.openAPIV3Schema.properties[a].pattern: Invalid value: "
          "\"(\": must be a valid regular expression, but isn't: error "
          "parsing regexp: missing closing ): `(`, spec.versions["
          "1].schema.openAPIV3Schema.properties[a].type: Required value: must "
          "not be empty for specified object fields]" },
        { "{'spec':{'preserveUnknownFields':true,'versions':["
          VERSION("v1", "{'$ref':'x'}") "]}}",
          "Unknown StructuralError: failed to check validation schema for "
          "version v1: OpenAPIV3Schema '$ref' is not supported" },
        { "{'spec':{'versions':[" VERSION("v1", "7") "]}}",
          "Unknown StructuralError: failed to check validation schema for "
          "version v1: a schema must be an object" },
    };

    RUN(structural_condition, cases);
}

#define APPROVED(GROUP, TEXT)                                                 \
    "{'metadata':{'annotations':{'api-approved.kubernetes.io':'" TEXT "'}},"  \
    "'spec':{'group':'" GROUP "'}}"

TEST(groups_of_the_community_are_approved)
{
    static const struct condition_case cases[] = {
        { "{'spec':{'group':'x.io'}}", "none" },
        { APPROVED("notk8s.io", "x"), "none" },
        { "{'spec':{'group':'x.k8s.io'}}",
          "False MissingAnnotation: protected groups must have approval "
          "annotation \"api-approved.kubernetes.io\", see "
          "https://github.com/kubernetes/enhancements/pull/1111" },
        { APPROVED("k8s.io", ""),
          "False MissingAnnotation: protected groups must have approval "
          "annotation \"api-approved.kubernetes.io\", see "
          "https://github.com/kubernetes/enhancements/pull/1111" },
        { APPROVED("a.kubernetes.io", "because"),
          "False InvalidAnnotation: protected groups must have approval "
          "annotation \"api-approved.kubernetes.io\" with either a URL or a "
          "reason starting with \"unapproved\", see "
          "https://github.com/kubernetes/enhancements/pull/1111" },
        { APPROVED("a.kubernetes.io", "/x"),
          "False InvalidAnnotation: protected groups must have approval "
          "annotation \"api-approved.kubernetes.io\" with either a URL or a "
          "reason starting with \"unapproved\", see "
          "https://github.com/kubernetes/enhancements/pull/1111" },
        { APPROVED("a.kubernetes.io", "https:///x"),
          "False InvalidAnnotation: protected groups must have approval "
          "annotation \"api-approved.kubernetes.io\" with either a URL or a "
          "reason starting with \"unapproved\", see "
          "https://github.com/kubernetes/enhancements/pull/1111" },
        { APPROVED("a.kubernetes.io", "https://a b/x"),
          "False InvalidAnnotation: protected groups must have approval "
          "annotation \"api-approved.kubernetes.io\" with either a URL or a "
          "reason starting with \"unapproved\", see "
          "https://github.com/kubernetes/enhancements/pull/1111" },
        { APPROVED("kubernetes.io", "https://a/x"),
          "True ApprovedAnnotation: approved in https://a/x" },
        { APPROVED("a.k8s.io", "unapproved, \\u0022legacy\\u0022"),
          "False UnapprovedAnnotation: not approved: \"unapproved, "
          "\\\"legacy\\\"\"" },
    };

    RUN(yl_crd_approval_condition, cases);
}
