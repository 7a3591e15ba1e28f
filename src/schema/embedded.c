/* Objects inside of others.  See schema/embedded.h for the contract.
 *
 * The recursion is as deep as the tree, whose depth its parser bounds. */

#include "schema/embedded.h"

#include <ctype.h>

#include "base/arena.h"
#include "json/tree.h"
#include "schema/at.h"
#include "schema/field_error.h"
#include "schema/normalize.h"
#include "schema/shape.h"
#include "schema/strict.h"
#include "yuloh/error.h"
#include "yuloh/names.h"

/* A walk that coerces. */
struct coercion {
    struct yl_arena *arena;
    const struct yl_embedded_opts *opts;
    struct yl_strict *strict;   /* Or NULL. */
    struct yl_error *err;
};

/* A walk that checks. */
struct checking {
    struct yl_check check;
    yl_check_meta_fn *meta;
};

static int coerce_object(struct coercion *, const struct yl_field_path *,
                         const struct yl_shape *, bool root,
                         struct yl_node *);
static int coerce_value(struct coercion *, const struct yl_field_path *,
                        const struct yl_type_set *, const struct yl_value *,
                        struct yl_node *);
static int coerce_name(struct coercion *, const struct yl_field_path *,
                       struct yl_node *);
static int coerce_meta(struct coercion *, const struct yl_field_path *,
                       struct yl_node *);
static struct yl_node *encoded(struct yl_arena *, const struct yl_node *);
static void report_unknown(struct coercion *, const struct yl_field_path *,
                           const struct yl_strict *);
static int refuse(struct coercion *, const struct yl_field_path *,
                  const struct yl_node *, const char *why);
static void remove_zero_time(struct yl_node *metadata);
static void check_object(struct checking *, const struct yl_at *,
                         const struct yl_shape *, bool root);
static void check_value(struct checking *, const struct yl_at *,
                        const struct yl_type_set *, const struct yl_value *);
static void check_resource(struct checking *, const struct yl_at *);
static void check_api_version(struct checking *, const struct yl_at *);
static void check_kind(struct checking *, const struct yl_at *);
static struct yl_at child(struct yl_field_path, const struct yl_node *);

int
yl_embedded_coerce(struct yl_arena *arena, struct yl_type_ref type,
                   struct yl_node *root, const struct yl_embedded_opts *opts,
                   struct yl_strict *strict, struct yl_error *err)
{
    struct coercion c = { arena, opts, strict, err };
    struct yl_shape shape = yl_shape_of_type(type);
    int r = 0;

    if (yl_node_type(root) == YL_JSON_OBJECT) {
        r = coerce_object(&c, NULL, &shape, true, root);
    }
    return r < 0 ? r : yl_arena_check(arena, err);
}

void
yl_embedded_repair_meta(struct yl_arena *arena, struct yl_type_ref meta,
                        struct yl_node *metadata)
{
    struct yl_node *member, *next;

    if (yl_node_type(metadata) != YL_JSON_OBJECT) {
        return;
    }
    YL_NODE_FOR_EACH_SAFE (member, next, metadata) {
        struct yl_node *alone = yl_node_new_object(arena);

        yl_node_set(arena, alone, yl_node_key(member),
                    encoded(arena, member));
        if (yl_normalize(arena, meta, alone, NULL, NULL) < 0) {
            yl_node_detach(member);
        }
        if (yl_arena_is_over(arena)) {
            return;
        }
    }
    (void) yl_normalize(arena, meta, metadata, NULL, NULL);
    remove_zero_time(metadata);
}

void
yl_embedded_check(struct yl_arena *arena, struct yl_type_ref type,
                  const struct yl_node *root, yl_check_meta_fn *meta,
                  struct yl_error *err)
{
    struct checking c = { { arena, err }, meta };
    struct yl_shape shape = yl_shape_of_type(type);
    struct yl_at at = yl_at_root(root);

    if (yl_node_type(root) == YL_JSON_OBJECT) {
        check_object(&c, &at, &shape, true);
    }
}

void
yl_embedded_check_value(struct yl_check *check, const struct yl_type_set *set,
                        const struct yl_value *value, const struct yl_at *at,
                        yl_check_meta_fn *meta)
{
    struct checking c = { *check, meta };

    check_value(&c, at, set, value);
}

static int
coerce_object(struct coercion *c, const struct yl_field_path *parent,
              const struct yl_shape *shape, bool root, struct yl_node *object)
{
    bool resource = !root && shape->flags & YL_VALUE_RESOURCE;
    struct yl_node *member, *next;

    YL_NODE_FOR_EACH_SAFE (member, next, object) {
        struct yl_str name = yl_node_key(member);
        const struct yl_value *value = yl_shape_member(shape, name);
        struct yl_field_path path = shape->kind == YL_VALUE_MAP
                                    ? yl_field_key(parent, name)
                                    : yl_field_member(parent, name);
        int r = 0;

        if (resource && (yl_str_equal_c(name, "apiVersion")
                         || yl_str_equal_c(name, "kind"))) {
            r = coerce_name(c, &path, member);
        } else if (resource && yl_str_equal_c(name, "metadata")) {
            r = coerce_meta(c, &path, member);
        } else if (value) {
            r = coerce_value(c, &path, yl_shape_set(shape), value, member);
        }
        if (r < 0 || yl_arena_is_over(c->arena)) {
            return r;
        }
    }
    return 0;
}

static int
coerce_value(struct coercion *c, const struct yl_field_path *path,
             const struct yl_type_set *set, const struct yl_value *value,
             struct yl_node *node)
{
    struct yl_shape shape;
    struct yl_node *element;
    size_t i = 0;
    int r = 0;

    if (node->type != YL_JSON_ARRAY && node->type != YL_JSON_OBJECT) {
        return 0;
    }
    shape = yl_shape_of_value(set, value);
    if (node->type == YL_JSON_OBJECT) {
        return coerce_object(c, path, &shape, false, node);
    } else if (shape.kind == YL_VALUE_LIST) {
        for (element = node->first; element && r == 0;
             element = element->next) {
            struct yl_field_path at = yl_field_index(path, i++);

            r = coerce_value(c, &at, shape.set, shape.element, element);
        }
    }
    return r;
}

/* An apiVersion or a kind. */
static int
coerce_name(struct coercion *c, const struct yl_field_path *path,
            struct yl_node *node)
{
    if (node->type == YL_JSON_STRING) {
        return 0;
    } else if (c->opts->drop) {
        yl_node_detach(node);
        return 0;
    }
    return refuse(c, path, node, "must be a string");
}

static int
coerce_meta(struct coercion *c, const struct yl_field_path *path,
            struct yl_node *node)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *meta;
    struct yl_strict strict;
    int r;

    if (node->type == YL_JSON_NULL) {
        yl_node_replace(node, yl_node_new_object(c->arena));
        return 0;
    }
    meta = encoded(c->arena, node);
    yl_strict_init(&strict, c->arena);
    r = yl_normalize(c->arena, c->opts->meta, meta, &strict, &err);
    if (r == 0) {
        report_unknown(c, path, &strict);
        remove_zero_time(meta);
        yl_node_replace(node, meta);
    } else if (c->opts->drop) {
        yl_embedded_repair_meta(c->arena, c->opts->meta, node);
        r = 0;
    } else {
        r = refuse(c, path, node, yl_error_message(&err));
    }
    yl_strict_release(&strict);
    yl_error_clear(&err);
    return r;
}

/* A copy as Go has encoded it, before it decodes that as metadata: 1.0 is 1
 * then, and members are sorted. */
static struct yl_node *
encoded(struct yl_arena *arena, const struct yl_node *node)
{
    struct yl_node *copy;
    struct yl_buf text;

    yl_buf_init(&text, SIZE_MAX);
    if (yl_node_write_canonical(&text, node) < 0
        || yl_tree_parse(arena, yl_arena_copy(arena, yl_buf_str(&text)), NULL,
                         &copy, NULL) < 0) {
        copy = yl_node_copy(arena, node);
    }
    yl_buf_release(&text);
    return copy;
}

/* Reports what normalising has found in metadata, with the path of that. */
static void
report_unknown(struct coercion *c, const struct yl_field_path *path,
               const struct yl_strict *found)
{
    size_t i;

    for (i = 0; i < found->n_errors; i++) {
        struct yl_str name = found->errors[i], rest;

        if (yl_str_cut(name, '"', &rest, &name) && name.size) {
            name.size--;        /* The quote at its end. */
            yl_strict_unknown(c->strict, path, name);
        }
    }
}

/* Sets the error "PATH: Invalid value: VALUE: WHY". */
static int
refuse(struct coercion *c, const struct yl_field_path *path,
       const struct yl_node *node, const char *why)
{
    struct yl_error fault = YL_ERROR_INIT;

    yl_field_invalid(&fault, path, yl_bad_node(node), "%s", why);
    yl_error_set(c->err, YL_EBADREQUEST, "%s: %s", fault.causes[0].field,
                 fault.causes[0].message);
    yl_error_clear(&fault);
    return YL_EBADREQUEST;
}

static void
remove_zero_time(struct yl_node *metadata)
{
    const struct yl_node *time = yl_node_get(metadata,
                                             YL_STR("creationTimestamp"));

    if (yl_node_type(time) == YL_JSON_NULL) {
        yl_node_remove(metadata, YL_STR("creationTimestamp"));
    }
}

static void
check_object(struct checking *c, const struct yl_at *at,
             const struct yl_shape *shape, bool root)
{
    const struct yl_node *member;

    if (!root && shape->flags & YL_VALUE_RESOURCE) {
        check_resource(c, at);
    }
    YL_NODE_FOR_EACH (member, at->node) {
        struct yl_str name = yl_node_key(member);
        const struct yl_value *value = yl_shape_member(shape, name);
        const struct yl_field_path *parent = yl_at_path(at);
        struct yl_at below = child(shape->kind == YL_VALUE_MAP
                                       ? yl_field_key(parent, name)
                                       : yl_field_member(parent, name),
                                   member);

        if (value) {
            check_value(c, &below, yl_shape_set(shape), value);
        }
    }
}

static void
check_value(struct checking *c, const struct yl_at *at,
            const struct yl_type_set *set, const struct yl_value *value)
{
    struct yl_shape shape;
    const struct yl_node *element;
    size_t i = 0;

    if (at->node->type != YL_JSON_ARRAY && at->node->type != YL_JSON_OBJECT) {
        return;
    }
    shape = yl_shape_of_value(set, value);
    if (at->node->type == YL_JSON_OBJECT) {
        check_object(c, at, &shape, false);
    } else if (shape.kind == YL_VALUE_LIST) {
        YL_NODE_FOR_EACH (element, at->node) {
            struct yl_at below =
                child(yl_field_index(yl_at_path(at), i++), element);

            check_value(c, &below, shape.set, shape.element);
        }
    }
}

static void
check_resource(struct checking *c, const struct yl_at *at)
{
    static const char *const names[] = { "apiVersion", "kind" };
    const struct yl_node *member;
    size_t i;

    for (i = 0; i < 2; i++) {
        struct yl_field_path path = yl_field_member(yl_at_path(at),
                                                    yl_str_c(names[i]));

        if (!yl_node_get(at->node, path.name)) {
            yl_field_required(c->check.err, &path, NULL);
        }
    }
    YL_NODE_FOR_EACH (member, at->node) {
        struct yl_str name = yl_node_key(member);
        struct yl_at below =
            child(yl_field_member(yl_at_path(at), name), member);

        if (yl_str_equal_c(name, "apiVersion")) {
            check_api_version(c, &below);
        } else if (yl_str_equal_c(name, "kind")) {
            check_kind(c, &below);
        } else if (yl_str_equal_c(name, "metadata") && c->meta) {
            c->meta(&c->check, &below);
        }
    }
}

static void
check_api_version(struct checking *c, const struct yl_at *at)
{
    struct yl_str text, group, rest;

    if (yl_node_string(at->node, c->check.arena, &text) < 0) {
        yl_field_invalid(c->check.err, yl_at_path(at), yl_bad_node(at->node),
                         "must be a string");
    } else if (!text.size) {
        yl_field_invalid(c->check.err, yl_at_path(at), yl_bad_node(at->node),
                         "must not be empty");
    } else if (yl_str_cut(text, '/', &group, &rest)
               && yl_str_cut(rest, '/', &group, &rest)) {
        yl_field_invalid(c->check.err, yl_at_path(at), yl_bad_node(at->node),
                         "unexpected GroupVersion string: %.*s",
                         YL_STR_ARG(text));
    }
}

static void
check_kind(struct checking *c, const struct yl_at *at)
{
    struct yl_str text;

    if (yl_node_string(at->node, c->check.arena, &text) < 0) {
        yl_field_invalid(c->check.err, yl_at_path(at), yl_bad_node(at->node),
                         "must be a string");
    } else if (!text.size) {
        yl_field_invalid(c->check.err, yl_at_path(at), yl_bad_node(at->node),
                         "must not be empty");
    } else {
        struct yl_name_faults faults = { 0, { NULL } };
        char *lower = yl_arena_strdup(c->check.arena, text);
        struct yl_buf why;
        size_t i;

        for (i = 0; i < text.size; i++) {
            lower[i] = (char) tolower((unsigned char) lower[i]);
        }
        if (yl_name_check(YL_NAME_DNS1035_LABEL, yl_str_n(lower, text.size),
                          &faults) == 0) {
            return;
        }
        yl_buf_init(&why, SIZE_MAX);
        for (i = 0; i < faults.n_faults; i++) {
            yl_buf_append_c(&why, i ? "," : "");
            yl_buf_append_c(&why, faults.faults[i]);
        }
        yl_field_invalid(c->check.err, yl_at_path(at), yl_bad_node(at->node),
                         "may have mixed case, but should otherwise match: %s",
                         yl_buf_c_str(&why));
        yl_buf_release(&why);
    }
}

static struct yl_at
child(struct yl_field_path path, const struct yl_node *node)
{
    struct yl_at at = { path, node, false, NULL };

    return at;
}
