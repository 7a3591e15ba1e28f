/* Defaults of CustomResourceDefinition, and what the server sets in a new
 * one. */

#include "builtin/rows.h"
#include "builtin/fields.h"

#define WEBHOOK_PORT 443

static void default_names(struct yl_arena *, struct yl_node *spec);
static void set_stored_version(struct yl_arena *, struct yl_node *object,
                               struct yl_node *status);

void
yl_crd_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *spec = yl_make_object(arena, object, "spec");
    struct yl_node *status = yl_make_object(arena, object, "status");
    struct yl_node *conversion = yl_get_object(spec, "conversion");
    struct yl_node *client =
        yl_get_object(yl_get_object(conversion, "webhook"), "clientConfig");

    default_names(arena, spec);
    if (yl_is_absent(spec, "conversion")) {
        yl_set_str(arena, yl_make_object(arena, spec, "conversion"),
                   "strategy", "None");
    }
    yl_default_int_ptr(arena, yl_get_object(client, "service"), "port",
                       WEBHOOK_PORT);
    if (yl_is_zero(status, "storedVersions")) {
        set_stored_version(arena, object, status);
    }
}

void
yl_crd_prepare(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *status = yl_node_new_object(arena);

    yl_set(arena, object, "status", status);
    yl_set_generation(arena, object);
    set_stored_version(arena, object, status);
}

static void
default_names(struct yl_arena *arena, struct yl_node *spec)
{
    struct yl_node *names = yl_make_object(arena, spec, "names");
    struct yl_check c = { arena, NULL };
    struct yl_at at = yl_at_root(names);
    struct yl_str kind = yl_get_str(&c, &at, "kind");
    char *lower = yl_arena_strdup(arena, kind);
    size_t i;

    for (i = 0; i < kind.size; i++) {
        if (lower[i] >= 'A' && lower[i] <= 'Z') {
            lower[i] = (char) (lower[i] + 'a' - 'A');
        }
    }
    if (kind.size) {
        yl_default_str(arena, names, "singular", lower);
        yl_default_str(arena, names, "listKind",
                       yl_arena_printf(arena, "%.*sList", YL_STR_ARG(kind)));
    }
}

/* The first version that objects are to be stored in. */
static void
set_stored_version(struct yl_arena *arena, struct yl_node *object,
                   struct yl_node *status)
{
    struct yl_node *versions =
        yl_get_array(yl_get_object(object, "spec"), "versions");
    struct yl_node *version;

    if (!versions) {
        return;
    }
    YL_NODE_FOR_EACH (version, versions) {
        struct yl_check c = { arena, NULL };
        struct yl_at at = yl_at_root(version);
        struct yl_node *list = yl_node_new_array(arena);

        if (yl_get_bool(&at, "storage")) {
            yl_node_append(list, yl_node_new_string(
                arena, yl_get_str(&c, &at, "name")));
            yl_set(arena, status, "storedVersions", list);
            return;
        }
    }
}
