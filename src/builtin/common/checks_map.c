/* Checks of labels and selectors.  See builtin/common/checks.h for the
 * contract. */

#include "builtin/common/checks.h"

#include "builtin/go/go_value.h"
#include "gen/meta_v1_go.h"
#include "yuloh/selector.h"

static void check_requirement(struct yl_check *, const struct yl_at *);

bool
yl_check_labels(struct yl_check *c, const struct yl_at *labels)
{
    size_t n = yl_check_faults(c);

    YL_CHECK_FOR_EACH (c, label, labels) {
        yl_check_name_of(c, yl_at_path(labels), YL_NAME_QUALIFIED,
                         yl_at_key(&label));
        yl_check_name_of(c, yl_at_path(labels), YL_NAME_LABEL_VALUE,
                         yl_at_str(c, &label));
    }
    return yl_check_faults(c) == n;
}

bool
yl_check_label_selector(struct yl_check *c, const struct yl_at *selector)
{
    struct yl_at labels = yl_at(selector, "matchLabels");
    struct yl_at list = yl_at(selector, "matchExpressions");
    size_t n = yl_check_faults(c);

    yl_check_labels(c, &labels);
    YL_CHECK_FOR_EACH (c, requirement, &list) {
        check_requirement(c, &requirement);
    }
    return yl_check_faults(c) == n;
}

bool
yl_selector_node_matches(struct yl_check *c, const struct yl_node *selector,
                         const struct yl_node *labels)
{
    const struct yl_selector *s;
    struct yl_buf a, b;
    bool matches;

    if (yl_arena_is_over(c->arena)) {
        return false;
    }
    yl_buf_init(&a, SIZE_MAX);
    yl_buf_init(&b, SIZE_MAX);
    if (selector) {
        yl_node_write(&a, selector);
    }
    if (labels) {
        yl_node_write(&b, labels);
    }
    matches = yl_selector_from_json(yl_json(yl_buf_str(&a)), c->arena, &s,
                                    NULL) == 0
              && yl_selector_matches(s, yl_json(yl_buf_str(&b)));
    yl_buf_release(&a);
    yl_buf_release(&b);
    return matches;
}

struct yl_bad_value
yl_bad_selector(struct yl_check *c, const struct yl_at *at)
{
    return yl_at_has(at) ? yl_bad_struct(c, at->node,
                                         YL_GO(meta_v1, label_selector))
                         : yl_bad_node(NULL);
}

bool
yl_set_add(struct yl_arena *arena, struct yl_node *set, struct yl_str s)
{
    if (yl_node_get(set, s)) {
        return false;
    }
    yl_node_set(arena, set, s, yl_node_new_null(arena));
    return true;
}

static void
check_requirement(struct yl_check *c, const struct yl_at *requirement)
{
    struct yl_at op = yl_at(requirement, "operator");
    struct yl_at key = yl_at(requirement, "key");
    struct yl_at values = yl_at(requirement, "values");

    if (yl_at_is(&op, "In") || yl_at_is(&op, "NotIn")) {
        if (!yl_at_count(&values)) {
            yl_field_required(c->err, yl_at_path(&values),
                              "must be specified when `operator` is 'In' or "
                              "'NotIn'");
        }
    } else if (yl_at_is(&op, "Exists") || yl_at_is(&op, "DoesNotExist")) {
        if (yl_at_count(&values)) {
            yl_field_forbidden(c->err, yl_at_path(&values),
                               "may not be specified when `operator` is "
                               "'Exists' or 'DoesNotExist'");
        }
    } else {
        yl_field_invalid(c->err, yl_at_path(&op), yl_bad_str(c, &op),
                         "not a valid selector operator");
    }
    yl_check_name(c, &key, YL_NAME_QUALIFIED);
    YL_CHECK_FOR_EACH (c, value, &values) {
        yl_check_name(c, &value, YL_NAME_LABEL_VALUE);
    }
}
