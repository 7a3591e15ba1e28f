/* Custom kinds: what is set before an object is stored, and what is forbidden
 * and warned of.  See apiserver/crd/custom.h for the contract. */

#include "apiserver/admission/admission.h"
#include "apiserver/crd/custom.h"
#include "apiserver/crd/definition.h"
#include "builtin/common/meta.h"
#include "json/member.h"
#include "json/tree.h"
#include "schema/at.h"
#include "yuloh/arena.h"
#include "yuloh/status.h"

static void prepare_update(const struct yl_change *, bool status);
static void prepare_status(const struct yl_change *);
static bool has_changed(const struct yl_node *object,
                        const struct yl_node *old);
static bool has_other(const struct yl_node *a, const struct yl_node *b);
static void warn_of_finalizer(struct yl_warnings *, struct yl_str name);
static bool has_finalizer(const struct yl_node *object, struct yl_str name);

void
yl_custom_prepare(const struct yl_change *change)
{
    bool status = yl_custom_version(change->version)->status;

    if (!change->old) {
        if (status && yl_node_get(change->object, YL_STR("status"))) {
            /* Only its default is left. */
            yl_member_drop(change->object, "status");
            yl_strategy_default(change->resource, change->version,
                                change->arena, change->object);
        }
        yl_meta_set_generation(change->arena, change->object);
    } else if (change->subresource == YL_SUB_STATUS) {
        prepare_status(change);
    } else {
        prepare_update(change, status);
    }
}

int
yl_custom_permit(const struct yl_admission *admission,
                 struct yl_status *status)
{
    const struct yl_api_resource *resource = admission->resource;
    const struct yl_api_version *hub = yl_api_resource_hub(resource);
    struct yl_gvr gvr = { resource->group, hub->version, resource->plural };

    if (admission->operation != YL_OPERATION_CREATE
        || !yl_custom_version(hub)->definition->terminating) {
        return 0;
    }
    return yl_status_forbidden(status, gvr, admission->name,
                               YL_STR("create not allowed while custom "
                                      "resource definition is terminating"));
}

void
yl_custom_warn(const struct yl_change *change, enum yl_warn_time when,
               struct yl_warnings *warnings)
{
    struct yl_check c = { change->arena, NULL };
    struct yl_at root = yl_at_root(change->object);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at finalizers = yl_at(&metadata, "finalizers");

    if (when != YL_WARN_VALID || change->subresource == YL_SUB_STATUS) {
        return;
    }
    YL_AT_FOR_EACH (finalizer, &finalizers) {
        struct yl_str name = yl_at_str(&c, &finalizer);

        if (!change->old || !has_finalizer(change->old, name)) {
            warn_of_finalizer(warnings, name);
        }
    }
}

/* The generation counts changes of everything but metadata. */
static void
prepare_update(const struct yl_change *change, bool status)
{
    struct yl_builtin rules = {
        .namespaced = change->resource->namespaced,
        .flags = status ? YL_BUILTIN_STATUS : 0,
    };

    yl_builtin_prepare_update(&rules, change->arena, change->object,
                              change->old);
    if (has_changed(change->object, change->old)) {
        yl_meta_count_generation(change->arena, change->object, change->old);
    }
}

/* Only status, and who owns which of its fields, can be written. */
static void
prepare_status(const struct yl_change *change)
{
    struct yl_node *object = change->object, *member, *next;
    struct yl_node *metadata = yl_member_make(change->arena, object,
                                              "metadata");
    struct yl_node *managed = yl_node_get(metadata, YL_STR("managedFields"));

    YL_NODE_FOR_EACH_SAFE (member, next, object) {
        if (!yl_str_equal_c(yl_node_key(member), "status")) {
            yl_node_detach(member);
        }
    }
    YL_NODE_FOR_EACH (member, change->old) {
        if (!yl_str_equal_c(yl_node_key(member), "status")) {
            yl_node_set(change->arena, object, yl_node_key(member),
                        yl_node_copy(change->arena, member));
        }
    }
    metadata = yl_member_make(change->arena, object, "metadata");
    yl_member_drop(metadata, "managedFields");
    if (managed) {
        yl_member_set(change->arena, metadata, "managedFields",
                      yl_node_detach(managed));
    }
}

/* A list that is empty and one that is absent differ here, unlike in the
 * objects of built-in kinds. */
static bool
has_changed(const struct yl_node *object, const struct yl_node *old)
{
    return has_other(object, old) || has_other(old, object);
}

static bool
has_other(const struct yl_node *a, const struct yl_node *b)
{
    const struct yl_node *member;

    YL_NODE_FOR_EACH (member, a) {
        const struct yl_node *other = yl_node_get(b, yl_node_key(member));

        if (!yl_str_equal_c(yl_node_key(member), "metadata")
            && (!other || !yl_node_equal(member, other))) {
            return true;
        }
    }
    return false;
}

static bool
has_finalizer(const struct yl_node *object, struct yl_str name)
{
    struct yl_node *list = yl_member_array(yl_member_object(object,
                                                            "metadata"),
                                           "finalizers");
    struct yl_node *one;

    if (list) {
        YL_NODE_FOR_EACH (one, list) {
            if (yl_node_string_is(one, name)) {
                return true;
            }
        }
    }
    return false;
}

static void
warn_of_finalizer(struct yl_warnings *warnings, struct yl_str name)
{
    static const char *const standard[] = { "orphan", "foregroundDeletion",
                                            "kubernetes" };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(standard); i++) {
        if (yl_str_equal_c(name, standard[i])) {
            return;
        }
    }
    if (!yl_str_find_char(name, '/')) {
        warnings->add(warnings->aux, yl_arena_printf(
            warnings->arena, "metadata.finalizers: \"%.*s\": prefer a "
            "domain-qualified finalizer name %sto avoid accidental conflicts "
            "with other finalizer writers", YL_STR_ARG(name),
            yl_str_find_char(name, '.') ? "including a path (/) " : ""));
    }
}
