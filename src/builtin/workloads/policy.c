/* PodDisruptionBudget: validation, updates. */

#include "builtin/common/conditions.h"
#include "builtin/common/meta.h"
#include "builtin/go/go_value.h"
#include "builtin/rows.h"
#include "gen/policy_v1_go.h"

static void check_amount(struct yl_check *, const struct yl_at *);
static struct yl_bad_value bad_spec(struct yl_check *, const struct yl_at *);

/* The name is not checked; upstream forgets it. */
void
yl_pdb_validate(struct yl_check *c, const struct yl_node *object)
{
    static const char *const policies[] = { "AlwaysAllow", "IfHealthyBudget",
                                            NULL };
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at min = yl_at(&spec, "minAvailable");
    struct yl_at max = yl_at(&spec, "maxUnavailable");
    struct yl_at selector = yl_at(&spec, "selector");
    struct yl_at policy = yl_at(&spec, "unhealthyPodEvictionPolicy");

    if (yl_at_has(&min) && yl_at_has(&max)) {
        yl_field_invalid(c->err, yl_at_path(&spec), bad_spec(c, &spec),
                         "minAvailable and maxUnavailable cannot be both "
                         "set");
    }
    check_amount(c, &min);
    check_amount(c, &max);
    yl_check_label_selector(c, &selector);
    if (yl_at_has(&policy)) {
        yl_check_one_of(c, &policy, policies);
    }
}

void
yl_pdb_validate_update(struct yl_check *c, const struct yl_node *object,
                       const struct yl_node *old YL_UNUSED)
{
    yl_pdb_validate(c, object);
}

void
yl_pdb_validate_status(struct yl_check *c, const struct yl_node *object,
                       const struct yl_node *old YL_UNUSED)
{
    static const char *const counts[] = { "disruptionsAllowed",
                                          "currentHealthy", "desiredHealthy",
                                          "expectedPods" };
    struct yl_at root = yl_at_root(object);
    struct yl_at status = yl_at(&root, "status");
    struct yl_at conditions = yl_at(&status, "conditions");
    size_t i;

    yl_check_conditions(c, &conditions);
    for (i = 0; i < YL_ARRAY_SIZE(counts); i++) {
        struct yl_at count = yl_at(&status, counts[i]);

        yl_check_not_negative(c, &count);
    }
}

static void
check_amount(struct yl_check *c, const struct yl_at *amount)
{
    if (yl_at_has(amount)) {
        yl_check_int_or_percent(c, amount);
        yl_check_percent_at_most_100(c, amount);
    }
}

/* The spec as upstream's internal type shows it. */
static struct yl_bad_value
bad_spec(struct yl_check *c, const struct yl_at *spec)
{
    return yl_bad_struct(c, spec->node,
                         YL_GO(policy_v1, pod_disruption_budget_spec));
}
