/* CustomResourceDefinition v1beta1 and v1.
 *
 *     v1beta1                                v1
 *     spec.version, if no versions           spec.versions[0]
 *     spec.validation                        spec.versions[*].schema
 *     spec.subresources                      spec.versions[*].subresources
 *     spec.additionalPrinterColumns          spec.versions[*]. ...
 *     spec.selectableFields                  spec.versions[*]. ...
 *     ...PrinterColumns[*].JSONPath          ...PrinterColumns[*].jsonPath
 *     spec.conversion.webhookClientConfig    spec.conversion.webhook
 *                                                .clientConfig
 *     spec.conversion                        spec.conversion.webhook
 *         .conversionReviewVersions              .conversionReviewVersions
 *     spec.preserveUnknownFields, else true  the same, else false
 *
 * In v1beta1 a field is at the top if it is equal in all versions, and then
 * only there.  So moving a field up when all are equal reverses moving it
 * down.  An object that has it in both places, or a 'version' that is not the
 * first one, contradicts itself and is refused. */

#include "builtin/convert/convert_crd.h"

#include "builtin/convert/convert.h"
#include "json/tree.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

/* Fields that v1beta1 also has above the versions. */
static const struct shared {
    const char *top;            /* In the spec of v1beta1. */
    const char *each;           /* In a version. */
} shared[] = {
    { "validation", "schema" },
    { "subresources", "subresources" },
    { "additionalPrinterColumns", "additionalPrinterColumns" },
    { "selectableFields", "selectableFields" },
};

static bool is_set(const struct yl_node *);
static struct yl_node *take(struct yl_node *object, const char *key);
static void put(struct yl_arena *, struct yl_node *object, const char *key,
                struct yl_node *value);
static int check_size(const struct yl_node *spec,
                      const struct yl_node *versions, struct yl_error *err);
static int check_contradictions(const struct yl_node *spec,
                                const struct yl_node *versions,
                                struct yl_error *err);
static void move_down(struct yl_arena *, struct yl_node *spec,
                      struct yl_node *versions);
static void move_up(struct yl_arena *, struct yl_node *spec,
                    struct yl_node *versions);
static bool all_equal(const struct yl_node *versions, const char *key);
static void rename_paths(struct yl_arena *, struct yl_node *holder,
                         const char *from, const char *to);

int
yl_convert_crd_to_v1(struct yl_arena *arena, struct yl_node *object,
                     struct yl_error *err)
{
    struct yl_node *spec = yl_node_get(object, YL_STR("spec"));
    struct yl_node *versions = yl_node_get(spec, YL_STR("versions"));
    struct yl_node *conversion = yl_node_get(spec, YL_STR("conversion"));
    struct yl_node *preserve = yl_node_get(spec,
                                           YL_STR("preserveUnknownFields"));
    struct yl_node *version;
    bool on = true;

    if (yl_node_type(spec) != YL_JSON_OBJECT) {
        return 0;
    }
    if (check_size(spec, versions, err) < 0) {
        return YL_ETOOBIG;
    } else if (check_contradictions(spec, versions, err) < 0) {
        return YL_EINVALID;
    }
    version = take(spec, "version");
    if (!is_set(versions) && is_set(version)) {
        struct yl_node *only = yl_node_new_object(arena);

        put(arena, only, "name", version);
        put(arena, only, "served", yl_node_new_bool(arena, true));
        put(arena, only, "storage", yl_node_new_bool(arena, true));
        versions = yl_node_new_array(arena);
        yl_node_append(versions, only);
        put(arena, spec, "versions", versions);
    }
    if (yl_node_type(versions) == YL_JSON_ARRAY) {
        move_down(arena, spec, versions);
    }
    if (yl_node_type(conversion) == YL_JSON_OBJECT) {
        struct yl_node *config = take(conversion, "webhookClientConfig");
        struct yl_node *reviews = take(conversion,
                                       "conversionReviewVersions");
        struct yl_node *webhook = yl_node_new_object(arena);

        if (is_set(config)) {
            put(arena, webhook, "clientConfig", config);
        }
        if (is_set(config) || is_set(reviews)) {
            put(arena, webhook, "conversionReviewVersions",
                reviews ? reviews : yl_node_new_null(arena));
            put(arena, conversion, "webhook", webhook);
        }
    }
    if (yl_node_bool(preserve, &on) == 0 && !on) {
        take(spec, "preserveUnknownFields");
    } else if (!is_set(preserve)) {
        put(arena, spec, "preserveUnknownFields",
            yl_node_new_bool(arena, true));
    }
    return 0;
}

int
yl_convert_crd_to_v1beta1(struct yl_arena *arena, struct yl_node *object,
                          struct yl_error *err YL_UNUSED)
{
    struct yl_node *spec = yl_node_get(object, YL_STR("spec"));
    struct yl_node *versions = yl_node_get(spec, YL_STR("versions"));
    struct yl_node *conversion = yl_node_get(spec, YL_STR("conversion"));
    struct yl_node *first;

    if (yl_node_type(spec) != YL_JSON_OBJECT) {
        return 0;
    }
    first = yl_node_at(versions, 0);
    if (first) {
        struct yl_node *name = yl_node_get(first, YL_STR("name"));

        move_up(arena, spec, versions);
        if (name) {
            put(arena, spec, "version", yl_node_copy(arena, name));
        }
    }
    if (yl_node_type(conversion) == YL_JSON_OBJECT) {
        struct yl_node *webhook = take(conversion, "webhook");
        struct yl_node *config = take(webhook, "clientConfig");
        struct yl_node *reviews = take(webhook, "conversionReviewVersions");

        if (is_set(config)) {
            put(arena, conversion, "webhookClientConfig", config);
        }
        if (is_set(reviews)) {
            put(arena, conversion, "conversionReviewVersions", reviews);
        }
    }
    if (!is_set(yl_node_get(spec, YL_STR("preserveUnknownFields")))) {
        put(arena, spec, "preserveUnknownFields",
            yl_node_new_bool(arena, false));
    }
    return 0;
}

/* Whether Go's typed code would see a value: an empty list and null are none,
 * an empty struct is one. */
static bool
is_set(const struct yl_node *node)
{
    switch (yl_node_type(node)) {
    case YL_JSON_NONE:
    case YL_JSON_NULL:
        return false;
    case YL_JSON_ARRAY:
        return node->n > 0;
    case YL_JSON_STRING:
        return !yl_node_string_is(node, YL_STR(""));
    case YL_JSON_BOOL:
    case YL_JSON_NUMBER:
    case YL_JSON_OBJECT:
        break;
    }
    return true;
}

/* Removes a member and returns it; NULL if there is none. */
static struct yl_node *
take(struct yl_node *object, const char *key)
{
    struct yl_node *member = yl_node_get(object, yl_str_c(key));

    return member ? yl_node_detach(member) : NULL;
}

static void
put(struct yl_arena *arena, struct yl_node *object, const char *key,
    struct yl_node *value)
{
    yl_node_set(arena, object, yl_str_c(key), value);
}

/* Every version gets a copy, which multiplies the size of what a client sent;
 * so the size is checked first. */
static int
check_size(const struct yl_node *spec, const struct yl_node *versions,
           struct yl_error *err)
{
    size_t n = is_set(versions) && versions->type == YL_JSON_ARRAY
               ? versions->n : 1;
    struct yl_buf buf;
    int r = 0;

    yl_buf_init(&buf, YL_CONVERT_MAX_COPIES);
    for (size_t i = 0; n > 1 && i < YL_ARRAY_SIZE(shared); i++) {
        const struct yl_node *top = yl_node_get(spec,
                                                yl_str_c(shared[i].top));

        if (top) {
            yl_node_write(&buf, top);
        }
    }
    if (yl_buf_error(&buf) || buf.size > YL_CONVERT_MAX_COPIES / n) {
        yl_error_set(err, YL_ETOOBIG,
                     "the schema, columns and subresources of %zu versions "
                     "are larger than %zu bytes", n, YL_CONVERT_MAX_COPIES);
        r = YL_ETOOBIG;
    }
    yl_buf_release(&buf);
    return r;
}

static int
check_contradictions(const struct yl_node *spec,
                     const struct yl_node *versions, struct yl_error *err)
{
    const struct yl_node *name = yl_node_get(spec, YL_STR("version"));
    const struct yl_node *version;
    size_t i;

    if (yl_node_type(versions) != YL_JSON_ARRAY || !versions->n) {
        return 0;
    }
    if (is_set(name)
        && !yl_node_equal(name, yl_node_get(versions->first,
                                            YL_STR("name")))) {
        return yl_error_set(err, YL_EINVALID, "spec.version: Invalid value: "
                            "must match the first version in spec.versions");
    }
    for (i = 0; i < YL_ARRAY_SIZE(shared); i++) {
        if (!is_set(yl_node_get(spec, yl_str_c(shared[i].top)))) {
            continue;
        }
        YL_NODE_FOR_EACH (version, versions) {
            if (is_set(yl_node_get(version, yl_str_c(shared[i].each)))) {
                return yl_error_set(err, YL_EINVALID, "spec.%s: Forbidden: "
                                    "top-level and per-version %s are "
                                    "mutually exclusive", shared[i].top,
                                    shared[i].each);
            }
        }
    }
    return 0;
}

/* v1beta1 to v1. */
static void
move_down(struct yl_arena *arena, struct yl_node *spec,
          struct yl_node *versions)
{
    struct yl_node *version;

    for (size_t i = 0; i < YL_ARRAY_SIZE(shared); i++) {
        struct yl_node *top = take(spec, shared[i].top);

        if (!is_set(top)) {
            continue;
        }
        YL_NODE_FOR_EACH (version, versions) {
            if (yl_node_type(version) == YL_JSON_OBJECT) {
                put(arena, version, shared[i].each,
                    yl_node_copy(arena, top));
            }
        }
    }
    YL_NODE_FOR_EACH (version, versions) {
        rename_paths(arena, version, "JSONPath", "jsonPath");
    }
}

/* v1 to v1beta1. */
static void
move_up(struct yl_arena *arena, struct yl_node *spec,
        struct yl_node *versions)
{
    struct yl_node *version;

    for (size_t i = 0; i < YL_ARRAY_SIZE(shared); i++) {
        struct yl_node *top;

        if (!all_equal(versions, shared[i].each)) {
            continue;
        }
        top = take(versions->first, shared[i].each);
        if (is_set(top)) {
            put(arena, spec, shared[i].top, top);
        }
        YL_NODE_FOR_EACH (version, versions) {
            yl_node_remove(version, yl_str_c(shared[i].each));
        }
    }
    rename_paths(arena, spec, "jsonPath", "JSONPath");
    YL_NODE_FOR_EACH (version, versions) {
        rename_paths(arena, version, "jsonPath", "JSONPath");
    }
}

static bool
all_equal(const struct yl_node *versions, const char *key)
{
    const struct yl_node *first = yl_node_get(versions->first, yl_str_c(key));
    const struct yl_node *version;

    YL_NODE_FOR_EACH (version, versions) {
        const struct yl_node *value = yl_node_get(version, yl_str_c(key));

        if (is_set(value) != is_set(first)
            || (is_set(first) && !yl_node_equal(value, first))) {
            return false;
        }
    }
    return true;
}

static void
rename_paths(struct yl_arena *arena, struct yl_node *holder, const char *from,
             const char *to)
{
    struct yl_node *columns = yl_node_get(holder, YL_STR(
        "additionalPrinterColumns"));
    struct yl_node *column;

    if (yl_node_type(columns) != YL_JSON_ARRAY) {
        return;
    }
    YL_NODE_FOR_EACH (column, columns) {
        struct yl_node *path = take(column, from);

        if (path) {
            put(arena, column, to, path);
        }
    }
}
