/* Updates of a part of an object.  See subresources.h for the contract. */

#include "apiserver/verbs/subresources.h"

#include "apiserver/verbs/write.h"
#include "builtin/builtin.h"
#include "builtin/meta.h"
#include "schema/field_error.h"
#include "yuloh/arena.h"
#include "yuloh/time.h"

static int invalid(struct yl_write *, struct yl_error *, struct yl_status *);
static void drop_causes(struct yl_error *, const char *field,
                        const char *message);
static void set_condition_times(struct yl_write *, struct yl_node *status,
                                const struct yl_node *old);

struct yl_propose_opts
yl_subresource_opts(const struct yl_api_request *req)
{
    struct yl_propose_opts opts = {
        .subresource = req->subresource ? req->subresource->what
                                        : YL_SUB_NONE,
    };

    switch (opts.subresource) {
    case YL_SUB_FINALIZE:
        opts.prepare = yl_finalize_prepare;
        opts.validate = yl_finalize_validate;
        break;
    case YL_SUB_EPHEMERAL_CONTAINERS:
        opts.prepare = yl_ephemeral_prepare;
        opts.validate = yl_ephemeral_validate;
        break;
    case YL_SUB_RESIZE:
        opts.prepare = yl_resize_prepare;
        opts.validate = yl_resize_validate;
        break;
    case YL_SUB_APPROVAL:
        opts.prepare = yl_approval_prepare;
        opts.validate = yl_approval_validate;
        break;
    default:
        break;
    }
    return opts;
}

/* namespaces/finalize: the finalizers of the spec. */
void
yl_finalize_prepare(struct yl_write *w, struct yl_node *object,
                    const struct yl_node *old)
{
    struct yl_node *spec = yl_node_get(object, YL_STR("spec"));

    spec = spec ? yl_node_copy(w->arena, spec)
                : yl_node_new_object(w->arena);
    yl_builtin_prepare_update(w->resource->builtin, w->arena, object, old);
    yl_set(w->arena, object, "spec", spec);
}

int
yl_finalize_validate(struct yl_write *w, const struct yl_node *object,
                     const struct yl_node *old, struct yl_status *status)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_check c = { w->arena, &err };
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at finalizers = yl_at(&spec, "finalizers");

    yl_builtin_validate_update(w->resource->builtin, w->arena, object, old,
                               &err);
    drop_causes(&err, "spec.finalizers", NULL);
    YL_AT_FOR_EACH (finalizer, &finalizers) {
        yl_check_finalizer(&c, &finalizer, yl_at_str(&c, &finalizer));
    }
    return err.n_causes ? invalid(w, &err, status) : 0;
}

/* pods/ephemeralcontainers: more of them. */
void
yl_ephemeral_prepare(struct yl_write *w, struct yl_node *object,
                     const struct yl_node *old)
{
    struct yl_node *spec = yl_make_object(w->arena, object, "spec");
    struct yl_node *list = yl_node_get(spec, YL_STR("ephemeralContainers"));
    struct yl_node *now = yl_node_copy(w->arena, old);

    spec = yl_make_object(w->arena, now, "spec");
    yl_drop(spec, "ephemeralContainers");
    if (list) {
        yl_set(w->arena, spec, "ephemeralContainers", yl_node_detach(list));
    }
    yl_set(w->arena, object, "spec", yl_node_detach(spec));
    yl_keep(w->arena, object, old, "status");
    yl_keep(w->arena, object, old, "metadata");
    if (!yl_node_same(yl_node_get(object, YL_STR("spec")),
                      yl_node_get(old, YL_STR("spec")))) {
        yl_count_generation(w->arena, object, old);
    }
}

int
yl_ephemeral_validate(struct yl_write *w, const struct yl_node *object,
                      const struct yl_node *old, struct yl_status *status)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_check c = { w->arena, &err };
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at spec = yl_at(&root, "spec"), had = yl_at(&before, "spec");
    struct yl_at list = yl_at(&spec, "ephemeralContainers");
    struct yl_at old_list = yl_at(&had, "ephemeralContainers");
    struct yl_node *by_name = yl_node_new_object(w->arena);

    yl_builtin_validate(w->resource->builtin, w->arena, object, &err);
    drop_causes(&err, "spec.ephemeralContainers",
                "Forbidden: cannot be set on create");
    YL_AT_FOR_EACH (container, &list) {
        yl_node_set(w->arena, by_name, yl_get_str(&c, &container, "name"),
                    yl_node_copy(w->arena, container.node));
    }
    YL_AT_FOR_EACH (container, &old_list) {
        struct yl_str name = yl_get_str(&c, &container, "name");
        const struct yl_node *now = yl_node_get(by_name, name);

        if (!now) {
            yl_field_forbidden(&err, yl_at_path(&list),
                               "existing ephemeral containers \"%.*s\" may "
                               "not be removed\n", YL_STR_ARG(name));
        } else if (!yl_node_equal(now, container.node)) {
            yl_field_forbidden(&err, yl_at_path(&list),
                               "existing ephemeral containers \"%.*s\" may "
                               "not be changed\n", YL_STR_ARG(name));
        }
    }
    return err.n_causes ? invalid(w, &err, status) : 0;
}

/* pods/resize: the resources of containers. */
void
yl_resize_prepare(struct yl_write *w, struct yl_node *object,
                  const struct yl_node *old)
{
    static const char *const fields[] = { "resources", "resizePolicy" };
    struct yl_check c = { w->arena, NULL };
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at list = yl_at(&spec, "containers");
    struct yl_node *wanted = yl_node_new_object(w->arena);
    struct yl_node *now = yl_node_copy(w->arena, old);
    struct yl_node *containers, *container;
    size_t i;

    YL_AT_FOR_EACH (item, &list) {
        yl_node_set(w->arena, wanted, yl_get_str(&c, &item, "name"),
                    yl_node_copy(w->arena, item.node));
    }
    containers = yl_get_array(yl_get_object(now, "spec"), "containers");
    for (container = containers ? containers->first : NULL; container;
         container = container->next) {
        struct yl_at at = yl_at_root(container);
        const struct yl_node *want = yl_node_get(
            wanted, yl_get_str(&c, &at, "name"));

        for (i = 0; want && i < YL_ARRAY_SIZE(fields); i++) {
            yl_keep(w->arena, container, want, fields[i]);
        }
    }
    yl_keep(w->arena, object, now, "spec");
    yl_keep(w->arena, object, old, "status");
    yl_keep(w->arena, object, old, "metadata");
    if (!yl_node_same(yl_node_get(object, YL_STR("spec")),
                      yl_node_get(old, YL_STR("spec")))) {
        yl_count_generation(w->arena, object, old);
    }
}

int
yl_resize_validate(struct yl_write *w, const struct yl_node *object,
                   const struct yl_node *old, struct yl_status *status)
{
    struct yl_error err = YL_ERROR_INIT;

    (void) old;
    yl_builtin_validate(w->resource->builtin, w->arena, object, &err);
    drop_causes(&err, "spec.ephemeralContainers",
                "Forbidden: cannot be set on create");
    return err.n_causes ? invalid(w, &err, status) : 0;
}

/* certificatesigningrequests/approval: the conditions. */
void
yl_approval_prepare(struct yl_write *w, struct yl_node *object,
                    const struct yl_node *old)
{
    struct yl_node *status = yl_make_object(w->arena, object, "status");
    struct yl_node *conditions = yl_node_get(status, YL_STR("conditions"));
    struct yl_node *now;

    conditions = conditions ? yl_node_detach(conditions) : NULL;
    yl_builtin_prepare_update(w->resource->builtin, w->arena, object, old);
    yl_keep(w->arena, object, old, "spec");
    yl_keep(w->arena, object, old, "status");
    now = yl_make_object(w->arena, object, "status");
    yl_drop(now, "conditions");
    if (conditions) {
        yl_set(w->arena, now, "conditions", conditions);
        set_condition_times(w, now, yl_get_object(old, "status"));
    }
}

int
yl_approval_validate(struct yl_write *w, const struct yl_node *object,
                     const struct yl_node *old, struct yl_status *status)
{
    static const char *const decisions[] = { "Approved", "Denied" };
    static const char *const supported[] = { "True", NULL };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_check c = { w->arena, &err };
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at now = yl_at(&root, "status"), had = yl_at(&before, "status");
    struct yl_at conditions = yl_at(&now, "conditions");
    struct yl_at old_conditions = yl_at(&had, "conditions");
    size_t i;

    yl_builtin_validate_update(w->resource->builtin, w->arena, object, old,
                               &err);
    YL_AT_FOR_EACH (condition, &conditions) {
        struct yl_at value = yl_at(&condition, "status");
        bool decides = yl_get_is(&condition, "type", "Approved")
                       || yl_get_is(&condition, "type", "Denied")
                       || yl_get_is(&condition, "type", "Failed");

        if (decides && !yl_at_is(&value, "True")) {
            yl_field_not_supported(&err, yl_at_path(&value),
                                   yl_bad_string(yl_at_str(&c, &value)),
                                   supported);
        }
    }
    for (i = 0; i < YL_ARRAY_SIZE(decisions); i++) {
        bool was = false, is = false;

        YL_AT_FOR_EACH (condition, &old_conditions) {
            was |= yl_get_is(&condition, "type", decisions[i]);
        }
        YL_AT_FOR_EACH (condition, &conditions) {
            is |= yl_get_is(&condition, "type", decisions[i]);
        }
        if (was && !is) {
            yl_field_forbidden(&err, yl_at_path(&conditions),
                               "updates may not remove a condition of type "
                               "\"%s\"", decisions[i]);
        }
    }
    return err.n_causes ? invalid(w, &err, status) : 0;
}

static int
invalid(struct yl_write *w, struct yl_error *err, struct yl_status *status)
{
    int r = yl_status_invalid(status, yl_write_gvk(w), w->key.name, err);

    yl_error_clear(err);
    return r;
}

/* Takes out the causes of 'field', or only those with that message. */
static void
drop_causes(struct yl_error *err, const char *field, const char *message)
{
    struct yl_error rest = YL_ERROR_INIT;
    size_t i;

    for (i = 0; i < err->n_causes; i++) {
        const struct yl_cause *cause = &err->causes[i];

        if (strcmp(cause->field, field) != 0
            || (message && strcmp(cause->message, message) != 0)) {
            rest.code = err->code;
            yl_error_add_cause(&rest, yl_str_c(cause->reason),
                               yl_str_c(cause->message),
                               yl_str_c(cause->field));
        }
    }
    yl_error_clear(err);
    *err = rest;
}

/* New conditions, and those whose status is another, begin now. */
static void
set_condition_times(struct yl_write *w, struct yl_node *status,
                    const struct yl_node *old)
{
    struct yl_check c = { w->arena, NULL };
    struct yl_at before = yl_at_root(old);
    struct yl_at old_list = yl_at(&before, "conditions");
    struct yl_node *conditions = yl_get_array(status, "conditions");
    struct yl_node *by_type = yl_node_new_object(w->arena);
    struct yl_node *condition;
    char now[YL_TIME_TEXT_SIZE];

    YL_AT_FOR_EACH (item, &old_list) {
        yl_node_set(w->arena, by_type, yl_get_str(&c, &item, "type"),
                    yl_node_copy(w->arena, item.node));
    }
    yl_time_write(yl_time_now(), now);
    for (condition = conditions ? conditions->first : NULL; condition;
         condition = condition->next) {
        struct yl_at at = yl_at_root(condition);
        const struct yl_node *had = yl_node_get(
            by_type, yl_get_str(&c, &at, "type"));

        if (yl_is_absent(condition, "lastUpdateTime")) {
            yl_set_str(w->arena, condition, "lastUpdateTime", now);
        }
        if (had && yl_node_same(yl_node_get(had, YL_STR("status")),
                                yl_node_get(condition, YL_STR("status")))) {
            yl_keep(w->arena, condition, had, "lastTransitionTime");
        }
        if (yl_is_absent(condition, "lastTransitionTime")) {
            yl_set_str(w->arena, condition, "lastTransitionTime", now);
        }
    }
}
