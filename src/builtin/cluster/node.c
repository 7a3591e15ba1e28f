/* Validation and updates of Node. */

#include "base/quote.h"
#include "builtin/common/meta.h"
#include "builtin/go/go_value.h"
#include "builtin/network/ip.h"
#include "builtin/pods/pod_check.h"
#include "builtin/rows.h"
#include "gen/core_v1_go.h"

#define AVOID_PODS "scheduler.alpha.kubernetes.io/preferAvoidPods"

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_SUBDOMAIN, false, false };

static void check_update(struct yl_check *, const struct yl_node *object,
                         const struct yl_node *old);
static void check_features(struct yl_check *, const struct yl_at *status);
static bool is_feature_name(struct yl_str);
static void check_addresses(struct yl_check *, const struct yl_at *status);
static void check_avoid_pods(struct yl_check *, const struct yl_at *metadata);
static void check_taints(struct yl_check *, const struct yl_at *taints);
static void check_amounts(struct yl_check *, const struct yl_at *status,
                          const char *list);
static void check_cidrs(struct yl_check *, const struct yl_at *cidrs);

void
yl_core_node_validate(struct yl_check *c, const struct yl_node *object)
{
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
    check_features(c, &status);
    check_cidrs(c, &cidrs);
}

/* Only /status changes the status, although a new Node may have one. */
void
yl_core_node_prepare_update(struct yl_arena *arena, struct yl_node *object,
                            const struct yl_node *old)
{
    struct yl_node *before = yl_member_object(old, "spec");

    yl_member_keep(arena, object, old, "status");
    if (yl_member_is_absent(before, "configSource")) {
        yl_member_drop(yl_member_object(object, "spec"), "configSource");
    }
}

void
yl_core_node_validate_update(struct yl_check *c, const struct yl_node *object,
                             const struct yl_node *old)
{
    yl_core_node_validate(c, object);
    check_update(c, object, old);
}

void
yl_core_node_prepare_status(struct yl_arena *arena YL_UNUSED,
                            struct yl_node *object,
                            const struct yl_node *old)
{
    if (yl_member_is_absent(yl_member_object(old, "status"), "config")) {
        yl_member_drop(yl_member_object(object, "status"), "config");
    }
}

void
yl_core_node_validate_status(struct yl_check *c, const struct yl_node *object,
                             const struct yl_node *old)
{
    check_update(c, object, old);
}

static void
check_update(struct yl_check *c, const struct yl_node *object,
             const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at spec = yl_at(&root, "spec"), then = yl_at(&before, "spec");
    struct yl_at status = yl_at(&root, "status");
    struct yl_at node = yl_at(&spec, "taints");
    struct yl_at taints = yl_at_node(&metadata, "taints", node.node);
    struct yl_at cidrs = yl_at(&spec, "podCIDRs");
    struct yl_at old_cidrs = yl_at(&then, "podCIDRs");
    struct yl_at provider = yl_at(&spec, "providerID");
    struct yl_at old_provider = yl_at(&then, "providerID");
    struct yl_at external = yl_at(&spec, "externalID");
    struct yl_at old_external = yl_at(&then, "externalID");

    yl_check_meta_update(c, &metadata, yl_member_object(old, "metadata"),
                         &rule);
    check_avoid_pods(c, &metadata);
    check_amounts(c, &status, "capacity");
    check_amounts(c, &status, "allocatable");
    check_features(c, &status);
    check_addresses(c, &status);
    if (yl_at_count(&old_cidrs)
        && !yl_node_same(cidrs.node, old_cidrs.node)) {
        yl_field_forbidden(c->err, yl_at_path(&cidrs),
                           "node updates may not change podCIDR except from "
                           "\"\" to valid");
    }
    if (!yl_at_is(&old_provider, "")
        && !yl_node_same(provider.node, old_provider.node)) {
        yl_field_forbidden(c->err, yl_at_path(&provider),
                           "node updates may not change providerID except "
                           "from \"\" to valid");
    }
    check_taints(c, &taints);
    if (!yl_node_same(external.node, old_external.node)) {
        yl_field_forbidden(c->err, yl_at_path(&external),
                           "may not be updated");
    }
}

/* Declared features must be valid names and sorted. */
static void
check_features(struct yl_check *c, const struct yl_at *status)
{
    struct yl_at features = yl_at(status, "declaredFeatures");

    YL_CHECK_FOR_EACH (c, feature, &features) {
        struct yl_str name = yl_at_str(c, &feature);
        struct yl_at next = feature;

        if (!is_feature_name(name)) {
            struct yl_buf shown;

            yl_buf_init(&shown, SIZE_MAX);
            yl_quote(&shown, name);
            yl_field_invalid(c->err, yl_at_path(&feature),
                             yl_bad_string(name),
                             "invalid feature name %s: must start with an "
                             "UpperCamelCase segment, with subsequent "
                             "segments separated by '/' (e.g., MyFeature or "
                             "MyFeature/mySubFeature), and contain only "
                             "alphanumeric characters and slashes",
                             yl_buf_c_str(&shown));
            yl_buf_release(&shown);
        }
        yl_at_next(&next);
        if (next.node) {
            struct yl_str after = yl_at_str(c, &next);
            int order = yl_str_compare(name, after);

            if (order == 0) {
                yl_field_duplicate(c->err, yl_at_path(&next),
                                   yl_bad_string(after));
            } else if (order > 0) {
                yl_field_invalid(c->err, yl_at_path(&next),
                                 yl_bad_string(after),
                                 "list must be sorted alphabetically");
            }
        }
    }
}

/* Segments of letters and digits, each starting with a letter, the first one
 * with a capital. */
static bool
is_feature_name(struct yl_str name)
{
    bool start = true;
    size_t i;

    for (i = 0; i < name.size; i++) {
        char ch = name.data[i];
        bool upper = ch >= 'A' && ch <= 'Z', lower = ch >= 'a' && ch <= 'z';
        bool digit = ch >= '0' && ch <= '9';

        if (ch == '/' && !start) {
            start = true;
        } else if (upper || (lower && i) || (digit && !start)) {
            start = false;
        } else {
            return false;
        }
    }
    return !start;
}

static void
check_addresses(struct yl_check *c, const struct yl_at *status)
{
    struct yl_at addresses = yl_at(status, "addresses");
    struct yl_node *seen = yl_node_new_object(c->arena);

    YL_CHECK_FOR_EACH (c, address, &addresses) {
        struct yl_str type = yl_at_get_str(c, &address, "type");
        struct yl_str text = yl_at_get_str(c, &address, "address");

        if (!yl_set_add(c->arena, seen, yl_str_c(yl_arena_printf(
                c->arena, "%.*s\n%.*s", YL_STR_ARG(type),
                YL_STR_ARG(text))))) {
            yl_field_duplicate(c->err, yl_at_path(&address),
                               yl_bad_struct(c, address.node,
                                             YL_GO(core_v1, node_address)));
        }
    }
}

static void
check_avoid_pods(struct yl_check *c, const struct yl_at *metadata)
{
    struct yl_at annotations = yl_at(metadata, "annotations");
    struct yl_at path = yl_at_node(&annotations, "AvoidPods", NULL);
    struct yl_str text = yl_at_get_str(c, &annotations, AVOID_PODS);
    struct yl_error err = YL_ERROR_INIT;

    if (text.size && yl_json_validate(text, NULL, &err) < 0) {
        yl_field_invalid(c->err, yl_at_path(&path),
                         yl_bad_string(YL_STR(AVOID_PODS)), "%s",
                         yl_error_message(&err));
        yl_error_clear(&err);
    }
}

/* Causes say "metadata.taints", because upstream's path still names the place
 * where taints used to be. */
static void
check_taints(struct yl_check *c, const struct yl_at *taints)
{
    struct yl_node *seen = yl_node_new_object(c->arena);

    YL_CHECK_FOR_EACH (c, taint, taints) {
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
                                       yl_bad_struct(c, taint.node,
                                                     YL_GO(core_v1, taint)),
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

    YL_CHECK_FOR_EACH (c, amount, &amounts) {
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

    YL_CHECK_FOR_EACH (c, cidr, cidrs) {
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
        yl_field_invalid(c->err, yl_at_path(cidrs), yl_bad_at(cidrs),
                         "may specify no more than one CIDR for each IP "
                         "family");
    }
}
