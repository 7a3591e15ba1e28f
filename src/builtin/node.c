/* Validation of Node. */

#include "builtin/rows.h"
#include "builtin/go_value.h"
#include "builtin/ip.h"
#include "builtin/meta.h"
#include "builtin/pod_check.h"

#define AVOID_PODS "scheduler.alpha.kubernetes.io/preferAvoidPods"

static void check_avoid_pods(struct yl_check *, const struct yl_at *metadata);
static void check_taints(struct yl_check *, const struct yl_at *taints);
static void check_amounts(struct yl_check *, const struct yl_at *status,
                          const char *list);
static void check_cidrs(struct yl_check *, const struct yl_at *cidrs);

void
yl_core_node_validate(struct yl_check *c, const struct yl_node *object)
{
    static const struct yl_meta_rule rule =
        { YL_NAME_DNS1123_SUBDOMAIN, false, false };
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at status = yl_at(&root, "status");
    struct yl_at node = yl_at(&spec, "taints");
    struct yl_at taints = yl_at_node(&metadata, "taints", node.node);
    struct yl_at cidrs = yl_at(&spec, "podCIDRs");

    yl_check_meta(c, &metadata, &rule);
    check_avoid_pods(c, &metadata);
    check_taints(c, &taints);
    check_amounts(c, &status, "capacity");
    check_amounts(c, &status, "allocatable");
    check_cidrs(c, &cidrs);
}

static void
check_avoid_pods(struct yl_check *c, const struct yl_at *metadata)
{
    struct yl_at annotations = yl_at(metadata, "annotations");
    struct yl_at path = yl_at_node(&annotations, "AvoidPods", NULL);
    struct yl_str text = yl_get_str(c, &annotations, AVOID_PODS);
    struct yl_error err = YL_ERROR_INIT;

    if (text.size && yl_json_validate(text, NULL, &err) < 0) {
        yl_field_invalid(c->err, yl_at_path(&path),
                         yl_bad_string(YL_STR(AVOID_PODS)), "%s",
                         yl_error_message(&err));
        yl_error_clear(&err);
    }
}

/* Upstream looks for them in the metadata, where they once were. */
static void
check_taints(struct yl_check *c, const struct yl_at *taints)
{
    static const struct yl_go_field fields[] = {
        { "Key", "key", YL_GO_STRING, NULL },
        { "Value", "value", YL_GO_STRING, NULL },
        { "Effect", "effect", YL_GO_STRING, NULL },
        { "TimeAdded", "timeAdded", YL_GO_POINTER, NULL },
        { NULL, NULL, YL_GO_POINTER, NULL },
    };
    struct yl_node *seen = yl_node_new_object(c->arena);

    YL_AT_FOR_EACH (taint, taints) {
        struct yl_at key = yl_at(&taint, "key");
        struct yl_at value = yl_at(&taint, "value");
        struct yl_at effect = yl_at(&taint, "effect");
        struct yl_str k = yl_at_str(c, &key), e = yl_at_str(c, &effect);

        yl_check_name(c, &key, YL_NAME_QUALIFIED);
        yl_check_label_value_joined(c, yl_at_path(&value),
                                    yl_at_str(c, &value));
        if (yl_check_required(c, &effect)) {
            yl_check_taint_effect(c, &effect);
        }
        if (!yl_set_add(c->arena, seen,
                        yl_str_c(yl_arena_printf(c->arena, "%.*s %.*s",
                                                 YL_STR_ARG(e),
                                                 YL_STR_ARG(k))))) {
            yl_field_duplicate_because(c, &taint,
                                       yl_bad_struct(c, taint.node, fields),
                                       "taints must be unique by key and "
                                       "effect pair");
        }
    }
}

static void
check_amounts(struct yl_check *c, const struct yl_at *status,
              const char *list)
{
    struct yl_at amounts = yl_at(status, list);

    YL_AT_FOR_EACH (amount, &amounts) {
        struct yl_at shown = yl_at_node(&amounts, "", amount.node);

        shown.path.name = yl_at_key(&amount);
        yl_check_amount(c, &shown, yl_at_key(&amount));
    }
}

static void
check_cidrs(struct yl_check *c, const struct yl_at *cidrs)
{
    int families = 0;
    bool broken = false;

    YL_AT_FOR_EACH (cidr, cidrs) {
        struct yl_ip ip;
        unsigned bits;

        yl_check_cidr(c, &cidr);
        if (!yl_cidr_parse(yl_at_str(c, &cidr), &ip, &bits)) {
            if (!broken && yl_at_count(cidrs) > 1) {
                yl_field_internal(c->err, yl_at_path(cidrs),
                                  "invalid PodCIDRs. failed to check with "
                                  "dual stack with error:invalid CIDR[%zu]: "
                                  "<nil> (invalid CIDR address: %.*s)",
                                  cidr.path.index,
                                  YL_STR_ARG(yl_at_str(c, &cidr)));
            }
            broken = true;
            continue;
        }
        families |= ip.family == 4 ? 1 : 2;
    }
    if (yl_at_count(cidrs) > 1
        && (broken || families != 3 || yl_at_count(cidrs) > 2)) {
        yl_field_invalid(c->err, yl_at_path(cidrs), yl_bad_map(cidrs),
                         "may specify no more than one CIDR for each IP "
                         "family");
    }
}
