/* Defaults of Namespace, Secret and Node.  ConfigMaps and ServiceAccounts have
 * none that can be seen. */

#include "builtin/pods/pod.h"
#include "builtin/rows.h"
#include "json/base64.h"
#include "json/member.h"
#include "schema/at.h"
#include "yuloh/names.h"

#define NAME_LABEL "kubernetes.io/metadata.name"

static void set_name_label(struct yl_arena *, struct yl_node *object);
static void default_pod_cidrs(struct yl_arena *, struct yl_node *spec);

void
yl_namespace_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *status = yl_member_make(arena, object, "status");

    set_name_label(arena, object);
    yl_member_default_str(arena, status, "phase", "Active");
}

/* A new Namespace is Active and has the finalizer "kubernetes", which the
 * namespace controller removes when it has deleted the content. */
void
yl_namespace_prepare(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *spec = yl_member_make(arena, object, "spec");
    struct yl_node *status = yl_node_new_object(arena);
    struct yl_node *list = yl_member_array(spec, "finalizers"), *item;
    struct yl_check c = { arena, NULL };
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");
    bool found = false;

    yl_member_set_str(arena, status, "phase", "Active");
    yl_member_set(arena, object, "status", status);
    if (!yl_name_check(YL_NAME_LABEL_VALUE,
                       yl_at_get_str(&c, &metadata, "name"), NULL)) {
        /* A name that is no label value will be refused by validation; a bad
         * label would only add a second error. */
        set_name_label(arena, object);
    }
    if (!list) {
        list = yl_node_new_array(arena);
        yl_member_set(arena, spec, "finalizers", list);
    }
    YL_NODE_FOR_EACH (item, list) {
        found |= yl_node_string_is(item, YL_STR("kubernetes"));
    }
    if (!found) {
        yl_node_append(list, yl_node_new_string(arena, YL_STR("kubernetes")));
    }
}

void
yl_secret_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *plain = yl_member_object(object, "stringData");
    struct yl_node *value;

    yl_member_default_str(arena, object, "type", "Opaque");
    if (!plain) {
        return;
    }
    if (plain->n) {
        struct yl_node *data = yl_member_make(arena, object, "data");

        YL_NODE_FOR_EACH (value, plain) {
            struct yl_str text = YL_STR("");
            struct yl_buf buf;

            (void) yl_node_string(value, arena, &text);
            yl_buf_init(&buf, SIZE_MAX);
            yl_base64_write(&buf, text);
            if (data) {
                yl_node_set(arena, data, yl_node_key(value),
                            yl_node_new_string(arena, yl_buf_str(&buf)));
            }
            yl_buf_release(&buf);
        }
    }
    yl_member_drop(object, "stringData");
}

void
yl_core_node_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *status = yl_member_object(object, "status");
    struct yl_node *capacity = yl_member_object(status, "capacity");

    if (capacity && yl_member_is_zero(status, "allocatable")) {
        yl_member_set(arena, status, "allocatable",
                      yl_node_copy(arena, capacity));
    }
    yl_resource_list_default(arena, capacity);
    yl_resource_list_default(arena, yl_member_object(status, "allocatable"));
    default_pod_cidrs(arena, yl_member_object(object, "spec"));
}

/* Kubelet configuration from a ConfigMap no longer exists, so these fields are
 * dropped. */
void
yl_core_node_prepare(struct yl_arena *arena, struct yl_node *object)
{
    (void) arena;
    yl_member_drop(yl_member_object(object, "spec"), "configSource");
    yl_member_drop(yl_member_object(object, "status"), "config");
}

/* Of a reference to a Secret only the name is kept. */
void
yl_service_account_prepare(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *secrets = yl_member_array(object, "secrets");
    struct yl_node *ref, *next;

    if (!secrets) {
        return;
    }
    YL_NODE_FOR_EACH_SAFE (ref, next, secrets) {
        struct yl_node *name = yl_node_type(ref) == YL_JSON_OBJECT
                               ? yl_node_get(ref, YL_STR("name")) : NULL;
        struct yl_node *only = yl_node_new_object(arena);

        if (name) {
            yl_member_set(arena, only, "name", yl_node_copy(arena, name));
        }
        yl_node_replace(ref, only);
    }
}

static void
set_name_label(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *metadata = yl_member_make(arena, object, "metadata");
    struct yl_check c = { arena, NULL };
    struct yl_at at = yl_at_root(metadata);
    struct yl_str name = yl_at_get_str(&c, &at, "name");

    if (name.size) {
        yl_member_set(arena, yl_member_make(arena, metadata, "labels"),
                      NAME_LABEL, yl_node_new_string(arena, name));
    }
}

/* 'podCIDR' is the first of 'podCIDRs', and wins if they differ. */
static void
default_pod_cidrs(struct yl_arena *arena, struct yl_node *spec)
{
    struct yl_node *list = yl_member_array(spec, "podCIDRs");
    struct yl_check c = { arena, NULL };
    struct yl_at at = yl_at_root(spec);
    struct yl_str one = yl_at_get_str(&c, &at, "podCIDR");

    if (one.size && (!list || !yl_node_string_is(list->first, one))) {
        list = yl_node_new_array(arena);
        yl_node_append(list, yl_node_new_string(arena, one));
        yl_member_set(arena, spec, "podCIDRs", list);
    } else if (!one.size && list && list->n) {
        yl_member_set(arena, spec, "podCIDR",
                      yl_node_copy(arena, list->first));
    }
}
