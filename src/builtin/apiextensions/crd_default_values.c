/* Validation of the defaults in a schema: each must be valid by the schema
 * that has it, and have no member that pruning would remove.
 *
 * Members of apiVersion, kind and metadata are checked by their schema
 * alone. */

#include "builtin/apiextensions/crd_check.h"
#include "builtin/common/meta.h"
#include "schema/compile.h"
#include "schema/embedded.h"
#include "schema/pattern.h"
#include "schema/props.h"
#include "schema/structural.h"

struct walk {
    struct yl_check *c;
    struct yl_patterns *patterns;
};

static void check_schema(const struct walk *, const struct yl_field_path *,
                         const struct yl_schema_props *, bool in_meta);
static void check_default(const struct walk *, const struct yl_field_path *,
                          const struct yl_schema_props *, bool in_meta);
static void take_causes(struct yl_check *, const struct yl_field_path *,
                        const struct yl_error *faults);
static const struct yl_schema_props *
as_written(struct yl_arena *, const struct yl_schema_props *);
static struct yl_schema_props *
below_as_written(struct yl_arena *, const struct yl_schema_props *);
static bool has_int_or_string(const struct yl_schema_props *);
static bool is_pruned(const struct yl_node *, const struct yl_schema_props *,
                      bool keeps);
static bool is_meta(struct yl_str name);
static yl_check_meta_fn check_meta;

void
yl_check_crd_defaults(struct yl_check *c, const struct yl_field_path *path,
                      const struct yl_schema_props *s,
                      struct yl_patterns *patterns)
{
    struct walk w = { c, patterns };
    struct yl_schema_props root = *s;

    /* The root is an object with apiVersion, kind and metadata, too. */
    root.flags |= YL_SCHEMA_EMBEDDED;
    check_schema(&w, path, &root, false);
}

/* Defaults of additionalProperties have no effect, and nothing checks them. */
static void
check_schema(const struct walk *w, const struct yl_field_path *path,
             const struct yl_schema_props *s, bool in_meta)
{
    struct yl_field_path at = yl_field_member(path, YL_STR("default"));
    struct yl_field_path items = yl_field_member(path, YL_STR("items"));
    struct yl_field_path properties =
        yl_field_member(path, YL_STR("properties"));
    size_t i;

    if (yl_check_is_full(w->c)) {
        return;
    }
    in_meta &= !(s->flags & YL_SCHEMA_EMBEDDED);
    if (s->default_) {
        check_default(w, &at, s, in_meta);
    }
    if (s->items) {
        check_schema(w, &items, s->items, in_meta);
    }
    for (i = 0; i < s->properties.n; i++) {
        struct yl_str name = s->by_name[i]->name;
        struct yl_field_path property = yl_field_key(&properties, name);

        check_schema(w, &property, s->by_name[i],
                     in_meta || (s->flags & YL_SCHEMA_EMBEDDED
                                 && is_meta(name)));
    }
}

static void
check_default(const struct walk *w, const struct yl_field_path *path,
              const struct yl_schema_props *s, bool in_meta)
{
    struct yl_check *c = w->c;
    struct yl_validate_opts opts = { .match = yl_patterns_match,
                                     .aux = w->patterns, .path = path };
    struct yl_schema_opts any = { .any = true };
    struct yl_at at = { *path, s->default_, false, NULL };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_schema *schema = NULL;
    const struct yl_value *value;
    size_t n;

    if (!in_meta && !is_pruned(s->default_, s, false)) {
        yl_field_invalid(c->err, path, yl_bad_node(s->default_),
                         "must not have unknown fields");
    }
    /* If it has no meaning, this has been reported. */
    if (yl_schema_compile(as_written(c->arena, s), &any, &schema, NULL) < 0) {
        return;
    }
    value = yl_schema_value(schema);
    n = yl_check_faults(c);
    yl_embedded_check_value(c, yl_schema_type(schema).set, value, &at,
                            check_meta);
    if (yl_check_faults(c) == n) {
        yl_validate_value(yl_schema_type(schema).set, value, s->default_,
                          &opts, &err);
        take_causes(c, path, &err);
        yl_error_clear(&err);
    }
    yl_schema_unref(schema);
}

/* Adds causes as upstream names their fields: an element of a default that is
 * a list is "default.[0]", a member without a name the default itself. */
static void
take_causes(struct yl_check *c, const struct yl_field_path *path,
            const struct yl_error *faults)
{
    struct yl_buf at;
    size_t i, n;

    yl_buf_init(&at, SIZE_MAX);
    yl_field_path_write(&at, path);
    n = at.size;
    c->err->code = faults->n_causes && !c->err->code ? YL_EINVALID
                                                     : c->err->code;
    for (i = 0; i < faults->n_causes; i++) {
        const struct yl_cause *cause = &faults->causes[i];
        struct yl_str field = yl_str_c(cause->field);
        struct yl_str below = field.size > n ? yl_str_skip(field, n)
                                             : YL_STR("");

        if (yl_str_starts_with(below, YL_STR("["))) {
            field = yl_str_c(yl_arena_printf(
                c->arena, "%.*s.%.*s", (int) n, field.data,
                YL_STR_ARG(below)));
        } else if (yl_str_equal_c(below, ".")) {
            field.size = n;
        }
        yl_error_add_cause(c->err, yl_str_c(cause->reason),
                           yl_str_c(cause->message), field);
    }
    yl_buf_release(&at);
}

/* The schema without x-kubernetes-int-or-string: for defaults upstream heeds
 * only the logic beside it. */
static const struct yl_schema_props *
as_written(struct yl_arena *arena, const struct yl_schema_props *s)
{
    struct yl_schema_props *copy;
    size_t i;

    if (!has_int_or_string(s)) {
        return s;
    }
    copy = yl_arena_alloc(arena, sizeof *copy);
    *copy = *s;
    if (s->flags & YL_SCHEMA_INT_OR_STRING) {
        copy->flags &= ~(unsigned) YL_SCHEMA_INT_OR_STRING;
        copy->kind = YL_VALUE_RAW;
    }
    copy->items = below_as_written(arena, s->items);
    copy->additional = below_as_written(arena, s->additional);
    copy->properties.all = yl_arena_array(arena, s->properties.n,
                                          sizeof *copy);
    copy->by_name = yl_arena_array(arena, s->properties.n,
                                   sizeof *copy->by_name);
    for (i = 0; i < s->properties.n; i++) {
        copy->properties.all[i] = *as_written(arena, s->by_name[i]);
        copy->by_name[i] = &copy->properties.all[i];
    }
    return copy;
}

static struct yl_schema_props *
below_as_written(struct yl_arena *arena, const struct yl_schema_props *s)
{
    struct yl_schema_props *copy = NULL;

    if (s) {
        copy = yl_arena_alloc(arena, sizeof *copy);
        *copy = *as_written(arena, s);
    }
    return copy;
}

static bool
has_int_or_string(const struct yl_schema_props *s)
{
    size_t i;

    if (s->flags & YL_SCHEMA_INT_OR_STRING
        || (s->items && has_int_or_string(s->items))
        || (s->additional && has_int_or_string(s->additional))) {
        return true;
    }
    for (i = 0; i < s->properties.n; i++) {
        if (has_int_or_string(s->by_name[i])) {
            return true;
        }
    }
    return false;
}

/* Does 'node' stay as it is when it is pruned by 's'?  NULL is a schema that
 * says nothing; 'keeps' is true below one that preserves unknown fields, which
 * lists hand on. */
static bool
is_pruned(const struct yl_node *node, const struct yl_schema_props *s,
          bool keeps)
{
    const struct yl_node *child;

    keeps |= s && s->flags & YL_SCHEMA_PRESERVE;
    if (node->type == YL_JSON_ARRAY) {
        YL_NODE_FOR_EACH (child, node) {
            if (!(keeps && !s) && !is_pruned(child, s ? s->items : NULL,
                                             keeps)) {
                return false;
            }
        }
        return true;
    } else if (node->type != YL_JSON_OBJECT || (keeps && !s)) {
        return true;
    }
    YL_NODE_FOR_EACH (child, node) {
        struct yl_str name = yl_node_key(child);
        const struct yl_schema_props *property =
            s ? yl_schema_property(s, name) : NULL;

        if (s && s->flags & YL_SCHEMA_EMBEDDED && is_meta(name)) {
            continue;
        } else if (!property && (!s || !yl_schema_has_additional(s))) {
            if (!keeps) {
                return false;
            }
        } else if (!is_pruned(child, property ? property : s->additional,
                              false)) {
            return false;
        }
    }
    return true;
}

static bool
is_meta(struct yl_str name)
{
    return yl_str_equal_c(name, "metadata") || yl_str_equal_c(name, "kind")
           || yl_str_equal_c(name, "apiVersion");
}

/* Metadata of an object in a default.  It need not have a name. */
static void
check_meta(struct yl_check *c, const struct yl_at *metadata)
{
    struct yl_meta_rule rule = { YL_NAME_PATH_SEGMENT, false, false };
    struct yl_at named = *metadata;
    struct yl_node *copy = yl_node_copy(c->arena, metadata->node);

    rule.namespaced = yl_at_get_str(c, metadata, "namespace").size > 0;
    yl_member_default_str(c->arena, copy, "name", "fakename");
    named.node = copy;
    yl_check_meta(c, &named, &rule);
}
