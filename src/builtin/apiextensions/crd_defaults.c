/* Defaults of CustomResourceDefinitions, and what the server sets in them. */

#include "builtin/common/checks.h"
#include "builtin/rows.h"

#define WEBHOOK_PORT 443

static void default_names(struct yl_arena *, struct yl_node *spec);
static void default_conversion(struct yl_arena *, struct yl_node *spec);
static void default_version(struct yl_arena *, struct yl_node *spec);
static void default_stored(struct yl_arena *, struct yl_node *object);
static void add_stored(struct yl_arena *, struct yl_node *object,
                       struct yl_node *status);

void
yl_crd_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *spec = yl_member_make(arena, object, "spec");
    struct yl_node *webhook;

    default_names(arena, spec);
    default_conversion(arena, spec);
    webhook = yl_member_object(yl_member_object(spec, "conversion"),
                               "webhook");
    yl_member_default_int_ptr(
        arena, yl_member_object(yl_member_object(webhook, "clientConfig"),
                                "service"), "port", WEBHOOK_PORT);
    default_stored(arena, object);
}

void
yl_crd_v1beta1_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *spec = yl_member_make(arena, object, "spec");
    struct yl_node *conversion;

    yl_member_default_str(arena, spec, "scope", "Namespaced");
    default_names(arena, spec);
    default_version(arena, spec);
    default_conversion(arena, spec);
    conversion = yl_member_object(spec, "conversion");
    yl_member_default_int_ptr(
        arena,
        yl_member_object(yl_member_object(conversion, "webhookClientConfig"),
                         "service"), "port", WEBHOOK_PORT);
    if (yl_node_string_is(yl_node_get(conversion, YL_STR("strategy")),
                          YL_STR("Webhook"))
        && yl_member_is_zero(conversion, "conversionReviewVersions")) {
        struct yl_node *reviews = yl_node_new_array(arena);

        yl_node_append(reviews, yl_node_new_string(arena,
                                                   YL_STR("v1beta1")));
        yl_member_set(arena, conversion, "conversionReviewVersions",
                      reviews);
    }
    yl_member_default_bool_ptr(arena, spec, "preserveUnknownFields", true);
    default_stored(arena, object);
}

void
yl_crd_prepare(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *status = yl_node_new_object(arena);

    yl_member_set(arena, object, "status", status);
    add_stored(arena, object, status);
}

/* The status is the old one, with the version that objects are stored in from
 * now on. */
void
yl_crd_prepare_update(struct yl_arena *arena, struct yl_node *object,
                      const struct yl_node *old YL_UNUSED)
{
    add_stored(arena, object, yl_member_make(arena, object, "status"));
}

static void
default_names(struct yl_arena *arena, struct yl_node *spec)
{
    struct yl_node *names = yl_member_make(arena, spec, "names");
    struct yl_check c = { arena, NULL };
    struct yl_at at = yl_at_root(names);
    struct yl_str kind = yl_at_get_str(&c, &at, "kind");

    if (kind.size) {
        yl_member_default_str(
            arena, names, "singular",
            yl_arena_strdup(arena, yl_lower_case(arena, kind)));
        yl_member_default_str(
            arena, names, "listKind",
            yl_arena_printf(arena, "%.*sList", YL_STR_ARG(kind)));
    }
}

static void
default_conversion(struct yl_arena *arena, struct yl_node *spec)
{
    if (yl_member_is_absent(spec, "conversion")) {
        yl_member_set_str(arena, yl_member_make(arena, spec, "conversion"),
                          "strategy", "None");
    }
}

/* In v1beta1 'version' is the name of the first of 'versions'; one is made of
 * the other. */
static void
default_version(struct yl_arena *arena, struct yl_node *spec)
{
    struct yl_node *name, *list, *only;

    if (yl_member_is_zero(spec, "version")) {
        name = yl_node_get(yl_member_first(spec, "versions"), YL_STR("name"));
        if (name) {
            yl_member_set(arena, spec, "version", yl_node_copy(arena, name));
        }
    } else if (yl_member_is_zero(spec, "versions")) {
        only = yl_node_new_object(arena);
        name = yl_node_get(spec, YL_STR("version"));
        yl_member_set(arena, only, "name", yl_node_copy(arena, name));
        yl_member_default_bool_ptr(arena, only, "served", true);
        yl_member_default_bool_ptr(arena, only, "storage", true);
        list = yl_node_new_array(arena);
        yl_node_append(list, only);
        yl_member_set(arena, spec, "versions", list);
    }
}

static void
default_stored(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *status = yl_member_make(arena, object, "status");

    if (yl_member_is_zero(status, "storedVersions")) {
        add_stored(arena, object, status);
    }
}

/* Adds the first version that objects are stored in to storedVersions, if it
 * is not there. */
static void
add_stored(struct yl_arena *arena, struct yl_node *object,
           struct yl_node *status)
{
    struct yl_node *spec = yl_member_object(object, "spec");
    struct yl_node *version, *name = NULL, *stored;

    YL_MEMBER_EACH (version, spec, "versions") {
        struct yl_at at = yl_at_root(version);

        if (yl_at_get_bool(&at, "storage")) {
            name = yl_node_get(version, YL_STR("name"));
            break;
        }
    }
    if (yl_node_type(name) != YL_JSON_STRING) {
        return;
    }
    YL_MEMBER_EACH (stored, status, "storedVersions") {
        if (yl_node_equal(stored, name)) {
            return;
        }
    }
    stored = yl_member_array(status, "storedVersions");
    if (!stored) {
        stored = yl_node_new_array(arena);
        yl_member_set(arena, status, "storedVersions", stored);
    }
    yl_node_append(stored, yl_node_copy(arena, name));
}
