/* Validation of Lease. */

#include "builtin/common/meta.h"
#include "builtin/rows.h"

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_SUBDOMAIN, true, true };

static void check_spec(struct yl_check *, const struct yl_node *object);
static void check_strategy(struct yl_check *, const struct yl_at *strategy);

void
yl_lease_validate(struct yl_check *c, const struct yl_node *object)
{
    yl_check_object_meta(c, object, &rule);
    check_spec(c, object);
}

void
yl_lease_validate_update(struct yl_check *c, const struct yl_node *object,
                         const struct yl_node *old)
{
    yl_check_object_meta_update(c, object, old, &rule);
    check_spec(c, object);
}

void
yl_lease_prepare_update(struct yl_arena *arena, struct yl_node *object,
                        const struct yl_node *old YL_UNUSED)
{
    yl_lease_prepare(arena, object);
}

/* Coordinated leader election is not supported yet, so its fields are
 * dropped. */
void
yl_lease_prepare(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *spec = yl_member_object(object, "spec");

    (void) arena;
    yl_member_drop(spec, "strategy");
    yl_member_drop(spec, "preferredHolder");
}

static void
check_spec(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at duration = yl_at(&spec, "leaseDurationSeconds");
    struct yl_at transitions = yl_at(&spec, "leaseTransitions");
    struct yl_at strategy = yl_at(&spec, "strategy");
    struct yl_at holder = yl_at(&spec, "preferredHolder");

    if (yl_at_has(&duration) && yl_at_int(&duration) <= 0) {
        yl_field_invalid(c->err, yl_at_path(&duration),
                         yl_bad_int(yl_at_int(&duration)), YL_POSITIVE);
    }
    yl_check_not_negative(c, &transitions);
    if (yl_at_has(&strategy)) {
        check_strategy(c, &strategy);
    }
    if (!yl_at_is(&holder, "") && yl_at_is(&strategy, "")) {
        yl_field_forbidden(c->err, yl_at_path(&holder),
                           "may only be specified if `strategy` is defined");
    }
}

/* Upstream's path names the field twice: "spec.strategy.strategy". */
static void
check_strategy(struct yl_check *c, const struct yl_at *strategy)
{
    static const char *const supported[] = { "OldestEmulationVersion", NULL };
    struct yl_at again = yl_at_node(strategy, "strategy", strategy->node);

    if (yl_str_find_char(yl_at_str(c, strategy), '/')) {
        yl_check_name(c, &again, YL_NAME_QUALIFIED);
    } else {
        yl_check_one_of(c, &again, supported);
    }
}
