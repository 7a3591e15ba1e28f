/* Defaults of CustomResourceDefinition, and what the server sets in a new
 * one. */

#include "builtin/common/meta.h"
#include "builtin/rows.h"
#include "json/member.h"
#include "schema/at.h"

#define WEBHOOK_PORT 443

static void default_names(struct yl_arena *, struct yl_node *spec);
static void set_stored_version(struct yl_arena *, struct yl_node *object,
                               struct yl_node *status);

void
yl_crd_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *spec = yl_member_make(arena, object, "spec");
    struct yl_node *status = yl_member_make(arena, object, "status");
    struct yl_node *conversion = yl_member_object(spec, "conversion");
    struct yl_node *client = yl_member_object(
        yl_member_object(conversion, "webhook"), "clientConfig");

    default_names(arena, spec);
    if (yl_member_is_absent(spec, "conversion")) {
        yl_member_set_str(arena, yl_member_make(arena, spec, "conversion"),
                          "strategy", "None");
    }
    yl_member_default_int_ptr(arena, yl_member_object(client, "service"),
                              "port", WEBHOOK_PORT);
    if (yl_member_is_zero(status, "storedVersions")) {
        set_stored_version(arena, object, status);
    }
}

void
yl_crd_prepare(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *status = yl_node_new_object(arena);

    yl_member_set(arena, object, "status", status);
    yl_meta_set_generation(arena, object);
    set_stored_version(arena, object, status);
}

static void
default_names(struct yl_arena *arena, struct yl_node *spec)
{
    struct yl_node *names = yl_member_make(arena, spec, "names");
    struct yl_check c = { arena, NULL };
    struct yl_at at = yl_at_root(names);
    struct yl_str kind = yl_at_get_str(&c, &at, "kind");
    char *lower = yl_arena_strdup(arena, kind);
    size_t i;

    for (i = 0; i < kind.size; i++) {
        if (lower[i] >= 'A' && lower[i] <= 'Z') {
            lower[i] = (char) (lower[i] + 'a' - 'A');
        }
    }
    if (kind.size) {
        yl_member_default_str(arena, names, "singular", lower);
        yl_member_default_str(
            arena, names, "listKind",
            yl_arena_printf(arena, "%.*sList", YL_STR_ARG(kind)));
    }
}

/* Sets storedVersions to the first version that objects are stored in. */
static void
set_stored_version(struct yl_arena *arena, struct yl_node *object,
                   struct yl_node *status)
{
    struct yl_node *versions =
        yl_member_array(yl_member_object(object, "spec"), "versions");
    struct yl_node *version;

    if (!versions) {
        return;
    }
    YL_NODE_FOR_EACH (version, versions) {
        struct yl_check c = { arena, NULL };
        struct yl_at at = yl_at_root(version);
        struct yl_node *list = yl_node_new_array(arena);

        if (yl_at_get_bool(&at, "storage")) {
            yl_node_append(list, yl_node_new_string(
                                     arena, yl_at_get_str(&c, &at, "name")));
            yl_member_set(arena, status, "storedVersions", list);
            return;
        }
    }
}
