/* Helpers of admission plugins.  See apiserver/admission/plugin.h for the
 * contract. */

#include "apiserver/admission/plugin.h"

#include <stdarg.h>

#include "apiserver/keyspace/keyspace.h"
#include "apiserver/server.h"

#define BATCH 64                /* Objects read under one lock. */

/* The default class so far. */
struct choice {
    const struct yl_check *check;
    const char *key, *other;
    struct yl_str name;
    struct yl_str created;
};

static struct yl_node *tree_of(const struct yl_admission *,
                               const struct yl_object *);
static bool choose(const struct yl_node *object, void *choice);

bool
yl_plugin_is_for(const struct yl_admission *a, const char *group,
                 const char *plural)
{
    return a->subresource == YL_SUB_NONE
           && yl_str_equal_c(a->resource->plural, plural)
           && yl_str_equal_c(a->resource->group, group);
}

struct yl_node *
yl_plugin_read(const struct yl_admission *a, const char *group,
               const char *plural, struct yl_str namespace_,
               struct yl_str name)
{
    const struct yl_api_resource *resource =
        yl_registry_builtin(a->server->registry, group, plural);
    struct yl_object *object;
    struct yl_node *root;
    uint64_t revision;

    if (yl_ks_get(resource->objects, yl_key_make(namespace_, name), &object,
                  &revision) < 0) {
        return NULL;
    }
    root = tree_of(a, object);
    yl_object_unref(object);
    return root;
}

void
yl_plugin_each(const struct yl_admission *a, const char *group,
               const char *plural,
               bool (*each)(const struct yl_node *object, void *aux),
               void *aux)
{
    const struct yl_api_resource *resource =
        yl_registry_builtin(a->server->registry, group, plural);
    struct yl_ks_scan_opts opts = { .revision = 0 };
    struct yl_versioned items[BATCH];
    struct yl_ks_scan *scan;
    bool more = true;
    int i, n;

    if (yl_ks_scan_open(resource->objects, &opts, &scan, NULL) < 0) {
        return;
    }
    while (more && (n = yl_ks_scan_next(scan, items, BATCH)) > 0) {
        for (i = 0; i < n; i++) {
            more = more && each(tree_of(a, items[i].object), aux);
            yl_object_unref(items[i].object);
        }
    }
    yl_ks_scan_close(scan);
}

struct yl_str
yl_plugin_default_class(const struct yl_admission *a, const char *group,
                        const char *plural, const char *key,
                        const char *other)
{
    struct yl_check c = { a->arena, NULL };
    struct choice choice = { &c, key, other, yl_str_null(), yl_str_null() };

    yl_plugin_each(a, group, plural, choose, &choice);
    return choice.name;
}

int
yl_plugin_forbid(const struct yl_admission *a, struct yl_status *status,
                 const char *format, ...)
{
    struct yl_gvr gvr = { a->resource->group, yl_str_null(),
                          a->resource->plural };
    struct yl_check c = { a->arena, NULL };
    struct yl_at metadata =
        yl_at_root(yl_member_object(a->object, "metadata"));
    struct yl_str name = a->name;
    const char *why;
    va_list args;

    if (!name.size) {
        name = yl_at_get_str(&c, &metadata, "name");
    }
    if (!name.size) {
        name = yl_at_get_str(&c, &metadata, "generateName");
    }
    va_start(args, format);
    why = yl_arena_vprintf(a->arena, format, args);
    va_end(args);
    return yl_status_forbidden(status, gvr,
                               name.size ? name : YL_STR("Unknown"),
                               yl_str_c(why));
}

void
yl_plugin_add_finalizer(struct yl_arena *arena, struct yl_node *object,
                        const char *finalizer)
{
    struct yl_node *metadata = yl_member_make(arena, object, "metadata");
    struct yl_node *list = yl_member_array(metadata, "finalizers");
    const struct yl_node *item;

    if (!list) {
        list = yl_node_new_array(arena);
        yl_member_set(arena, metadata, "finalizers", list);
    }
    YL_NODE_FOR_EACH (item, list) {
        if (yl_node_string_is(item, yl_str_c(finalizer))) {
            return;
        }
    }
    yl_node_append(list, yl_node_new_string(arena, yl_str_c(finalizer)));
}

/* The tree of a stored object; an empty object if it cannot be read, which
 * does not happen to stored objects. */
static struct yl_node *
tree_of(const struct yl_admission *a, const struct yl_object *object)
{
    struct yl_str json = yl_object_json(object, a->arena, NULL);
    struct yl_tree_opts opts = { .canonical = yl_object_is_canonical(object) };
    struct yl_node *root;

    if (yl_tree_parse(a->arena, json, &opts, &root, NULL) < 0) {
        return yl_node_new_object(a->arena);
    }
    return root;
}

/* Prefers the newest; of those created in the same second the first by name,
 * which is the order they come in. */
static bool
choose(const struct yl_node *object, void *aux)
{
    struct choice *choice = aux;
    struct yl_at metadata = yl_at_root(yl_member_object(object, "metadata"));
    struct yl_at annotations = yl_at(&metadata, "annotations");
    struct yl_str created =
        yl_at_get_str(choice->check, &metadata, "creationTimestamp");

    if ((yl_at_get_is(&annotations, choice->key, "true")
         || (choice->other
             && yl_at_get_is(&annotations, choice->other, "true")))
        && (!choice->name.size
            || yl_str_compare(created, choice->created) > 0)) {
        choice->name = yl_at_get_str(choice->check, &metadata, "name");
        choice->created = created;
    }
    return true;
}
