/* Values as upstream's messages show them.  See builtin/go_value.h. */

#include "builtin/go_value.h"

static void write_struct(struct yl_buf *, const struct yl_node *,
                         const struct yl_go_field *);
static void write_field(struct yl_buf *, const struct yl_node *,
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
    struct yl_str text;

    yl_buf_init(&buf, SIZE_MAX);
    write_struct(&buf, node, fields);
    text = yl_arena_copy(c->arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return yl_bad_text(text);
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

static void
write_struct(struct yl_buf *buf, const struct yl_node *node,
             const struct yl_go_field *fields)
{
    const struct yl_go_field *f;

    yl_buf_append_char(buf, '{');
    for (f = fields; f->name; f++) {
        const struct yl_node *value = NULL;

        if (yl_node_type(node) == YL_JSON_OBJECT) {
            value = yl_node_get(node, yl_str_c(f->json));
        }
        yl_buf_printf(buf, "%s\"%s\":", f == fields ? "" : ",", f->name);
        write_field(buf, yl_node_type(value) <= YL_JSON_NULL ? NULL : value,
                    f);
    }
    yl_buf_append_char(buf, '}');
}

static void
write_field(struct yl_buf *buf, const struct yl_node *value,
            const struct yl_go_field *f)
{
    static const char *const zeros[] = { "\"\"", "0", "false", "null" };

    switch (f->kind) {
    case YL_GO_STRING:
    case YL_GO_INT:
    case YL_GO_BOOL:
    case YL_GO_POINTER:
        if (!value) {
            yl_buf_append_c(buf, zeros[f->kind]);
        } else if (yl_node_write_canonical(buf, value) < 0) {
            yl_node_write(buf, value);
        }
        break;

    case YL_GO_STRUCT:
        write_struct(buf, value, f->fields);
        break;

    case YL_GO_STRUCT_POINTER:
        if (value) {
            write_struct(buf, value, f->fields);
        } else {
            yl_buf_append_c(buf, "null");
        }
        break;

    case YL_GO_STRUCT_SLICE:
        write_slice(buf, value, f->fields);
        break;
    }
}

static void
write_slice(struct yl_buf *buf, const struct yl_node *list,
            const struct yl_go_field *fields)
{
    struct yl_node *item;

    if (!list) {
        yl_buf_append_c(buf, "null");
        return;
    }
    yl_buf_append_char(buf, '[');
    YL_NODE_FOR_EACH (item, list) {
        yl_buf_append_c(buf, item == list->first ? "" : ",");
        write_struct(buf, item, fields);
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
