/* Updates of Namespace, Secret, ConfigMap and ServiceAccount. */

#include "builtin/common/meta.h"
#include "builtin/common/subresources.h"
#include "builtin/rows.h"

static const struct yl_meta_rule subdomain =
    { YL_NAME_DNS1123_SUBDOMAIN, true, false };
static const struct yl_meta_rule namespace_rule =
    { YL_NAME_DNS1123_LABEL, false, false };

static void check_sealed(struct yl_check *, const struct yl_node *object,
                         const struct yl_node *old,
                         const char *const *names);

/* Only /finalize changes the finalizers of the spec. */
void
yl_namespace_prepare_update(struct yl_arena *arena, struct yl_node *object,
                            const struct yl_node *old)
{
    yl_member_keep(arena, yl_member_make(arena, object, "spec"),
                   yl_member_object(old, "spec"), "finalizers");
}

void
yl_namespace_validate_update(struct yl_check *c, const struct yl_node *object,
                             const struct yl_node *old)
{
    yl_namespace_validate(c, object);
    yl_check_object_meta_update(c, object, old, &namespace_rule);
}

void
yl_namespace_validate_status(struct yl_check *c, const struct yl_node *object,
                             const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at status = yl_at(&root, "status");
    struct yl_at phase = yl_at(&status, "phase");
    struct yl_at shown = yl_at_node(&status, "Phase", phase.node);
    bool leaving = yl_at_get_has(&metadata, "deletionTimestamp");

    yl_check_object_meta_update(c, object, old, &namespace_rule);
    if (!yl_at_is(&phase, leaving ? "Terminating" : "Active")) {
        yl_field_invalid(c->err, yl_at_path(&shown), yl_bad_str(c, &phase),
                         leaving ? "may only be 'Terminating' if "
                                   "`deletionTimestamp` is not empty"
                                 : "may only be 'Active' if "
                                   "`deletionTimestamp` is empty");
    }
}

void
yl_namespace_prepare_finalize(struct yl_arena *arena, struct yl_node *object,
                              const struct yl_node *old)
{
    yl_member_keep(arena, object, old, "status");
}

void
yl_namespace_validate_finalize(struct yl_check *c,
                               const struct yl_node *object,
                               const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at finalizers = yl_at(&spec, "finalizers");

    yl_check_object_meta_update(c, object, old, &namespace_rule);
    YL_CHECK_FOR_EACH (c, finalizer, &finalizers) {
        struct yl_str s = yl_at_str(c, &finalizer);

        yl_check_name_of(c, yl_at_path(&finalizer), YL_NAME_QUALIFIED, s);
        yl_check_finalizer(c, &finalizer, s);
    }
}

void
yl_secret_prepare_update(struct yl_arena *arena, struct yl_node *object,
                         const struct yl_node *old)
{
    if (yl_member_is_zero(object, "type")) {
        yl_member_keep(arena, object, old, "type");
    }
}

void
yl_secret_validate_update(struct yl_check *c, const struct yl_node *object,
                          const struct yl_node *old)
{
    static const char *const fixed[] = { "type" };
    static const char *const sealed[] = { "data", NULL };

    yl_check_object_meta_update(c, object, old, &subdomain);
    yl_check_fixed(c, object, old, fixed, 1);
    check_sealed(c, object, old, sealed);
    yl_secret_validate(c, object);
}

void
yl_config_map_validate_update(struct yl_check *c,
                              const struct yl_node *object,
                              const struct yl_node *old)
{
    static const char *const sealed[] = { "data", "binaryData", NULL };

    yl_check_object_meta_update(c, object, old, &subdomain);
    check_sealed(c, object, old, sealed);
    yl_config_map_validate(c, object);
}

void
yl_service_account_prepare_update(struct yl_arena *arena,
                                  struct yl_node *object,
                                  const struct yl_node *old YL_UNUSED)
{
    yl_service_account_prepare(arena, object);
}

void
yl_service_account_validate_update(struct yl_check *c,
                                   const struct yl_node *object,
                                   const struct yl_node *old)
{
    yl_check_object_meta_update(c, object, old, &subdomain);
    yl_service_account_validate(c, object);
}

/* If the old object is immutable, it must stay so, and these members must not
 * change. */
static void
check_sealed(struct yl_check *c, const struct yl_node *object,
             const struct yl_node *old, const char *const *names)
{
    static const char why[] = "field is immutable when `immutable` is set";
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at immutable = yl_at(&root, "immutable");

    if (!yl_at_get_bool(&before, "immutable")) {
        return;
    }
    if (!yl_at_bool(&immutable)) {
        yl_field_forbidden(c->err, yl_at_path(&immutable), why);
    }
    for (; *names; names++) {
        struct yl_at now = yl_at(&root, *names);
        struct yl_at then = yl_at(&before, *names);

        if (yl_at_count(&now) != yl_at_count(&then)
            || (now.emptied && !then.node)
            || (yl_at_count(&now) && !yl_node_equal(now.node, then.node))) {
            yl_field_forbidden(c->err, yl_at_path(&now), why);
        }
    }
}
