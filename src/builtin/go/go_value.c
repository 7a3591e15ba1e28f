/* Values as upstream's messages show them.  See builtin/go/go_value.h. */

#include "builtin/go/go_value.h"

#include "builtin/go/diff.h"

static struct yl_bad_value take_text(const struct yl_check *,
                                     struct yl_buf *);
static void write_struct(struct yl_buf *, const struct yl_node *,
                         const struct yl_node *outer,
                         const struct yl_go_field *);
static void write_present(struct yl_buf *, const struct yl_node *,
                          const struct yl_go_field *, size_t start);
static bool is_list_or_map(const struct yl_go_field *);
static const struct yl_node *member(const struct yl_node *object,
                                    const char *name);
static void write_field(struct yl_buf *, const struct yl_node *,
                        const struct yl_node *outer,
                        const struct yl_go_field *);
static void write_tagged(struct yl_buf *, const struct yl_node *,
                         const struct yl_go_field *);
static void write_slice(struct yl_buf *, const struct yl_node *,
                        const struct yl_go_field *);
static void add_cause(struct yl_check *, const struct yl_at *,
                      const char *reason, const char *text,
                      struct yl_bad_value, const char *detail);

struct yl_bad_value
yl_bad_struct(const struct yl_check *c, const struct yl_node *node,
              const struct yl_go_field *fields)
{
    struct yl_buf buf;

    yl_buf_init(&buf, SIZE_MAX);
    write_struct(&buf, node, NULL, fields);
    return take_text(c, &buf);
}

struct yl_bad_value
yl_bad_tagged(const struct yl_check *c, const struct yl_node *node,
              const struct yl_go_field *fields)
{
    struct yl_buf buf;

    if (yl_node_type(node) != YL_JSON_OBJECT) {
        return yl_bad_node(NULL);
    }
    yl_buf_init(&buf, SIZE_MAX);
    write_tagged(&buf, node, fields);
    return take_text(c, &buf);
}

struct yl_bad_value
yl_bad_slice(const struct yl_check *c, const struct yl_node *list,
             const struct yl_go_field *fields)
{
    struct yl_go_field f = { "", "", YL_GO_STRUCT_SLICE, fields };
    struct yl_buf buf;

    if (yl_node_type(list) != YL_JSON_ARRAY) {
        return yl_bad_node(NULL);
    }
    yl_buf_init(&buf, SIZE_MAX);
    write_slice(&buf, list, &f);
    return take_text(c, &buf);
}

void
yl_field_changed(struct yl_check *c, const struct yl_at *at,
                 const struct yl_node *old, const struct yl_node *now,
                 const struct yl_go_field *fields, const char *text)
{
    struct yl_buf a, b, difference;

    yl_buf_init(&a, SIZE_MAX);
    yl_buf_init(&b, SIZE_MAX);
    yl_buf_init(&difference, SIZE_MAX);
    write_struct(&a, old, NULL, fields);
    write_struct(&b, now, NULL, fields);
    yl_diff_json(&difference, yl_buf_str(&a), yl_buf_str(&b));
    yl_field_forbidden(c->err, yl_at_path(at), "%s\n%.*s", text,
                       YL_STR_ARG(yl_buf_str(&difference)));
    yl_buf_release(&a);
    yl_buf_release(&b);
    yl_buf_release(&difference);
}

void
yl_field_duplicate_because(struct yl_check *c, const struct yl_at *at,
                           struct yl_bad_value value, const char *detail)
{
    add_cause(c, at, "FieldValueDuplicate", "Duplicate value", value, detail);
}

void
yl_field_not_found_because(struct yl_check *c, const struct yl_at *at,
                           struct yl_bad_value value, const char *detail)
{
    add_cause(c, at, "FieldValueNotFound", "Not found", value, detail);
}

static struct yl_bad_value
take_text(const struct yl_check *c, struct yl_buf *buf)
{
    struct yl_str text = yl_arena_copy(c->arena, yl_buf_str(buf));

    yl_buf_release(buf);
    return yl_bad_text(text);
}

static void
write_struct(struct yl_buf *buf, const struct yl_node *node,
             const struct yl_node *outer, const struct yl_go_field *fields)
{
    const struct yl_go_field *f;
    size_t start = buf->size + 1;

    yl_buf_append_char(buf, '{');
    for (f = fields; f->name; f++) {
        bool is_outer = f->kind == YL_GO_OUTER_BOOL
                        || f->kind == YL_GO_OUTER_POINTER;
        const struct yl_node *value = member(is_outer ? outer : node, f->json);

        if (f->kind == YL_GO_INLINE) {
            write_present(buf, value, f->fields, start);
            continue;
        }
        if (!value && is_list_or_map(f)) {
            value = yl_node_emptied(node, yl_str_c(f->json));
        }
        yl_buf_printf(buf, "%s\"%s\":", buf->size == start ? "" : ",",
                      f->name);
        write_field(buf, value, node, f);
    }
    yl_buf_append_char(buf, '}');
}

/* The fields that are there, behind those that began at 'start'. */
static void
write_present(struct yl_buf *buf, const struct yl_node *node,
              const struct yl_go_field *fields, size_t start)
{
    const struct yl_go_field *f;

    for (f = fields; f->name; f++) {
        const struct yl_node *value = member(node, f->json);

        if (f->kind == YL_GO_STRING
            || (value && !yl_node_is_zero(value))) {
            yl_buf_printf(buf, "%s\"%s\":", buf->size == start ? "" : ",",
                          f->name);
            write_field(buf, value, node, f);
        }
    }
}

/* May it be sent empty? */
static bool
is_list_or_map(const struct yl_go_field *f)
{
    return f->kind == YL_GO_POINTER || f->kind == YL_GO_STRUCT_SLICE
           || f->kind == YL_GO_TAGGED_SLICE;
}

/* NULL if it is absent or null. */
static const struct yl_node *
member(const struct yl_node *object, const char *name)
{
    const struct yl_node *value = NULL;

    if (yl_node_type(object) == YL_JSON_OBJECT) {
        value = yl_node_get(object, yl_str_c(name));
    }
    return yl_node_type(value) <= YL_JSON_NULL ? NULL : value;
}

static void
write_field(struct yl_buf *buf, const struct yl_node *value,
            const struct yl_node *outer, const struct yl_go_field *f)
{
    static const char *const zeros[] = {
        [YL_GO_STRING] = "\"\"", [YL_GO_INT] = "0", [YL_GO_BOOL] = "false",
        [YL_GO_POINTER] = "null", [YL_GO_STRUCT] = NULL,
        [YL_GO_STRUCT_POINTER] = "null", [YL_GO_STRUCT_SLICE] = "null",
        [YL_GO_QUANTITY] = "\"0\"", [YL_GO_OUTER_BOOL] = "false",
        [YL_GO_OUTER_POINTER] = "null", [YL_GO_INLINE] = NULL,
        [YL_GO_TAGGED] = "null", [YL_GO_TAGGED_SLICE] = "null",
    };

    if (!value && zeros[f->kind]) {
        yl_buf_append_c(buf, zeros[f->kind]);
    } else if (f->kind == YL_GO_STRUCT || f->kind == YL_GO_STRUCT_POINTER) {
        write_struct(buf, value, outer, f->fields);
    } else if (f->kind == YL_GO_STRUCT_SLICE
               || f->kind == YL_GO_TAGGED_SLICE) {
        write_slice(buf, value, f);
    } else if (f->kind == YL_GO_TAGGED) {
        write_tagged(buf, value, f->fields);
    } else if (yl_node_write_canonical(buf, value) < 0) {
        yl_node_write(buf, value);
    }
}

static void
write_tagged(struct yl_buf *buf, const struct yl_node *node,
             const struct yl_go_field *fields)
{
    yl_buf_append_char(buf, '{');
    write_present(buf, node, fields, buf->size);
    yl_buf_append_char(buf, '}');
}

static void
write_slice(struct yl_buf *buf, const struct yl_node *list,
            const struct yl_go_field *f)
{
    struct yl_node *item;

    yl_buf_append_char(buf, '[');
    YL_NODE_FOR_EACH (item, list) {
        yl_buf_append_c(buf, item == list->first ? "" : ",");
        if (f->kind == YL_GO_TAGGED_SLICE) {
            write_tagged(buf, item, f->fields);
        } else {
            write_struct(buf, item, list, f->fields);
        }
    }
    yl_buf_append_char(buf, ']');
}

static void
add_cause(struct yl_check *c, const struct yl_at *at, const char *reason,
          const char *text, struct yl_bad_value value, const char *detail)
{
    struct yl_buf message, path;

    yl_buf_init(&message, SIZE_MAX);
    yl_buf_init(&path, SIZE_MAX);
    yl_buf_printf(&message, "%s: ", text);
    yl_bad_value_write(&message, value);
    yl_buf_printf(&message, ": %s", detail);
    yl_field_path_write(&path, yl_at_path(at));
    c->err->code = c->err->code ? c->err->code : YL_EINVALID;
    yl_error_add_cause(c->err, yl_str_c(reason), yl_buf_str(&message),
                       yl_buf_str(&path));
    yl_buf_release(&message);
    yl_buf_release(&path);
}
