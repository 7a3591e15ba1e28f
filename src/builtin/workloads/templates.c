/* PodTemplate and ControllerRevision: defaults, validation, updates. */

#include "builtin/pods/pod.h"
#include "builtin/rows.h"

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_SUBDOMAIN, true, false };

static void check_revision(struct yl_check *, const struct yl_node *object);

void
yl_pod_template_object_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *template = yl_member_make(arena, object, "template");

    yl_pod_spec_default(arena, yl_member_make(arena, template, "spec"));
}

void
yl_pod_template_object_prepare(struct yl_arena *arena, struct yl_node *object)
{
    yl_pod_spec_prepare(
        arena, yl_member_object(yl_member_object(object, "template"), "spec"));
}

void
yl_pod_template_object_prepare_update(struct yl_arena *arena,
                                      struct yl_node *object,
                                      const struct yl_node *old YL_UNUSED)
{
    yl_pod_template_object_prepare(arena, object);
}

void
yl_pod_template_object_validate(struct yl_check *c,
                                const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at template = yl_at(&root, "template");

    yl_check_object_meta(c, object, &rule);
    yl_check_pod_template(c, &template);
}

void
yl_pod_template_object_validate_update(struct yl_check *c,
                                       const struct yl_node *object,
                                       const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at template = yl_at(&root, "template");

    yl_check_object_meta_update(c, object, old, &rule);
    yl_check_pod_template(c, &template);
}

void
yl_controller_revision_validate(struct yl_check *c,
                                const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at data = yl_at(&root, "data");

    check_revision(c, object);
    if (!yl_at_has(&data)) {
        yl_field_required(c->err, yl_at_path(&data), "data is mandatory");
    } else if (data.node->type != YL_JSON_OBJECT) {
        yl_field_required(c->err, yl_at_path(&data),
                          "data must be a valid JSON object");
    }
}

void
yl_controller_revision_validate_update(struct yl_check *c,
                                       const struct yl_node *object,
                                       const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at data = yl_at(&root, "data"), then = yl_at(&before, "data");

    yl_check_object_meta_update(c, object, old, &rule);
    check_revision(c, object);
    if (!yl_node_same(data.node, then.node)) {
        yl_field_invalid(c->err, yl_at_path(&data), yl_bad_at(&data),
                         YL_IMMUTABLE);
    }
}

static void
check_revision(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at revision = yl_at(&root, "revision");

    yl_check_object_meta(c, object, &rule);
    yl_check_not_negative(c, &revision);
}
