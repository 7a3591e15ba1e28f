/* The FlowSchemas and PriorityLevelConfigurations that every server has, and
 * nobody may change: "exempt" and "catch-all".  A server creates them when it
 * starts (see apiserver/bootstrap). */

#include "builtin/cluster/flowcontrol_fixed.h"

#include "builtin/common/meta.h"
#include "builtin/go/go_value.h"
#include "gen/flowcontrol_v1_go.h"
#include "json/tree.h"
#include "yuloh/compiler.h"

/* A name, and the spec that an object of this name has. */
struct fixed {
    const char *name;
    const char *spec;
};

/* Whatever 'SUBJECTS' ask for. */
#define EVERYTHING(SUBJECTS)                                                  \
    "[{\"subjects\":[" SUBJECTS "],"                                          \
    "\"resourceRules\":[{\"verbs\":[\"*\"],\"apiGroups\":[\"*\"],"            \
    "\"resources\":[\"*\"],\"clusterScope\":true,\"namespaces\":[\"*\"]}],"   \
    "\"nonResourceRules\":[{\"verbs\":[\"*\"],"                               \
    "\"nonResourceURLs\":[\"*\"]}]}]"
#define GROUP(NAME)                                                           \
    "{\"kind\":\"Group\",\"group\":{\"name\":\"system:" NAME "\"}}"

static const struct fixed schemas[] = {
    { "exempt",
      "{\"priorityLevelConfiguration\":{\"name\":\"exempt\"},"
      "\"matchingPrecedence\":1,"
      "\"rules\":" EVERYTHING(GROUP("masters")) "}" },
    { "catch-all",
      "{\"priorityLevelConfiguration\":{\"name\":\"catch-all\"},"
      "\"matchingPrecedence\":10000,"
      "\"distinguisherMethod\":{\"type\":\"ByUser\"},"
      "\"rules\":" EVERYTHING(GROUP("unauthenticated") ","
                              GROUP("authenticated")) "}" },
};

static const struct fixed levels[] = {
    { "catch-all",
      "{\"type\":\"Limited\",\"limited\":{\"nominalConcurrencyShares\":5,"
      "\"lendablePercent\":0,\"limitResponse\":{\"type\":\"Reject\"}}}" },
};

static bool differs(struct yl_check *, const struct yl_at *root,
                    const struct fixed *, size_t n);

void
yl_check_fixed_schema(struct yl_check *c, const struct yl_at *root)
{
    struct yl_at metadata = yl_at(root, "metadata");
    struct yl_at spec = yl_at(root, "spec");

    if (differs(c, root, schemas, YL_ARRAY_SIZE(schemas))) {
        yl_field_invalid(c->err, yl_at_path(&spec),
                         yl_bad_struct(c, spec.node, YL_GO(flowcontrol_v1,
                                                           flow_schema_spec)),
                         "spec of '%.*s' must equal the fixed value",
                         YL_STR_ARG(yl_at_get_str(c, &metadata, "name")));
    }
}

void
yl_check_fixed_level(struct yl_check *c, const struct yl_at *root)
{
    struct yl_at metadata = yl_at(root, "metadata");
    struct yl_at spec = yl_at(root, "spec");
    bool exempt = yl_at_get_is(&metadata, "name", "exempt")
                  && (!yl_at_get_is(&spec, "type", "Exempt")
                      || yl_at_get_has(&spec, "limited"));

    if (exempt || differs(c, root, levels, YL_ARRAY_SIZE(levels))) {
        yl_field_invalid(
            c->err, yl_at_path(&spec),
            yl_bad_struct(c, spec.node,
                          YL_GO(flowcontrol_v1,
                                priority_level_configuration_spec)),
            "spec of '%.*s'%s must equal the fixed value",
            YL_STR_ARG(yl_at_get_str(c, &metadata, "name")),
            exempt ? " except the 'spec.exempt' field" : "");
    }
}

/* Whether the object's name is that of a row whose spec it does not have. */
static bool
differs(struct yl_check *c, const struct yl_at *root,
        const struct fixed *rows, size_t n)
{
    struct yl_at metadata = yl_at(root, "metadata");
    struct yl_at spec = yl_at(root, "spec");
    struct yl_node *want;
    size_t i;

    for (i = 0; i < n; i++) {
        if (yl_at_get_is(&metadata, "name", rows[i].name)) {
            return yl_tree_parse(c->arena, yl_str_c(rows[i].spec), NULL,
                                 &want, NULL) < 0
                   || !yl_node_same(spec.node, want);
        }
    }
    return false;
}
