/* Field errors.  See schema/field_error.h for the contract. */

#include "schema/field_error.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/quote.h"
#include "json/tree.h"
#include "json/utf8.h"
#include "schema/go_value.h"
#include "yuloh/arena.h"

/* The words of one of upstream's error types. */
struct fault {
    const char *reason;
    const char *text;
};

static const struct fault invalid = { "FieldValueInvalid", "Invalid value" };
static const struct fault type_invalid =
    { "FieldValueTypeInvalid", "Invalid value" };
static const struct fault required =
    { "FieldValueRequired", "Required value" };
static const struct fault forbidden = { "FieldValueForbidden", "Forbidden" };
static const struct fault internal = { "InternalError", "Internal error" };
static const struct fault duplicate =
    { "FieldValueDuplicate", "Duplicate value" };
static const struct fault not_found = { "FieldValueNotFound", "Not found" };
static const struct fault not_supported =
    { "FieldValueNotSupported", "Unsupported value" };
static const struct fault too_long = { "FieldValueTooLong", "Too long" };
static const struct fault too_many = { "FieldValueTooMany", "Too many" };

static int add(struct yl_error *, const struct yl_field_path *,
               const struct fault *, struct yl_bad_value, const char *format,
               ...) YL_PRINTF(5, 6);
static int vadd(struct yl_error *, const struct yl_field_path *,
                const struct fault *, struct yl_bad_value, const char *format,
                va_list) YL_PRINTF(5, 0);
static void write_number(struct yl_buf *, const struct yl_node *);
static void write_json(struct yl_buf *, const struct yl_node *);
static struct yl_str cut(struct yl_str, const char **ret_dots);
static void shorten(struct yl_buf *, size_t max);

void
yl_field_path_write(struct yl_buf *buf, const struct yl_field_path *path)
{
    const struct yl_field_path *steps[64];
    size_t n = 0;

    /* Collects 64 steps at a time in reverse order; the steps above them are
     * written first, by recursion.  Validation bounds the depth of paths. */
    for (; path && n < 64; path = path->parent) {
        steps[n++] = path;
    }
    if (!n) {
        yl_buf_append_c(buf, "<nil>");
        return;
    }
    if (path) {
        yl_field_path_write(buf, path);
    }
    while (n--) {
        const struct yl_field_path *step = steps[n];

        if (step->step == YL_FIELD_MEMBER) {
            yl_buf_append_c(buf, step->parent ? "." : "");
            yl_buf_append_str(buf, step->name);
        } else if (step->step == YL_FIELD_INDEX) {
            yl_buf_printf(buf, "[%zu]", step->index);
        } else {
            yl_buf_append_char(buf, '[');
            yl_buf_append_str(buf, step->name);
            yl_buf_append_char(buf, ']');
        }
    }
}

void
yl_bad_value_write(struct yl_buf *buf, struct yl_bad_value value)
{
    char text[YL_DOUBLE_SIZE];
    const char *dots = "";

    switch (value.kind) {
    case YL_BAD_OMITTED:
        break;

    case YL_BAD_STRING:
        yl_quote(buf, cut(value.text, &dots));
        yl_buf_append_c(buf, dots);
        break;

    case YL_BAD_TEXT:
        yl_buf_append_str(buf, cut(value.text, &dots));
        yl_buf_append_c(buf, dots);
        break;

    case YL_BAD_INT:
        yl_buf_printf(buf, "%" PRId64, value.integer);
        break;

    case YL_BAD_DOUBLE:
        yl_go_double(text, value.number);
        yl_buf_append_c(buf, text);
        break;

    case YL_BAD_BOOL:
        yl_buf_append_c(buf, value.integer ? "true" : "false");
        break;

    case YL_BAD_NODE:
        write_json(buf, value.node);
        break;
    }
}

int
yl_field_invalid(struct yl_error *err, const struct yl_field_path *path,
                 struct yl_bad_value value, const char *format, ...)
{
    va_list args;
    int r;

    va_start(args, format);
    r = vadd(err, path, &invalid, value, format, args);
    va_end(args);
    return r;
}

int
yl_field_type_invalid(struct yl_error *err, const struct yl_field_path *path,
                      struct yl_bad_value value, const char *format, ...)
{
    va_list args;
    int r;

    va_start(args, format);
    r = vadd(err, path, &type_invalid, value, format, args);
    va_end(args);
    return r;
}

int
yl_field_required(struct yl_error *err, const struct yl_field_path *path,
                  const char *format, ...)
{
    va_list args;
    int r;

    va_start(args, format);
    r = vadd(err, path, &required, yl_bad_omitted(), format, args);
    va_end(args);
    return r;
}

int
yl_field_forbidden(struct yl_error *err, const struct yl_field_path *path,
                   const char *format, ...)
{
    va_list args;
    int r;

    va_start(args, format);
    r = vadd(err, path, &forbidden, yl_bad_omitted(), format, args);
    va_end(args);
    return r;
}

int
yl_field_internal(struct yl_error *err, const struct yl_field_path *path,
                  const char *format, ...)
{
    va_list args;
    int r;

    va_start(args, format);
    r = vadd(err, path, &internal, yl_bad_omitted(), format, args);
    va_end(args);
    return r;
}

int
yl_field_duplicate(struct yl_error *err, const struct yl_field_path *path,
                   struct yl_bad_value value)
{
    return add(err, path, &duplicate, value, NULL);
}

int
yl_field_not_found(struct yl_error *err, const struct yl_field_path *path,
                   struct yl_bad_value value)
{
    return add(err, path, &not_found, value, NULL);
}

int
yl_field_not_supported(struct yl_error *err, const struct yl_field_path *path,
                       struct yl_bad_value value,
                       const char *const *supported)
{
    struct yl_buf list;
    size_t i;
    int r;

    yl_buf_init(&list, SIZE_MAX);
    for (i = 0; supported[i]; i++) {
        yl_buf_append_c(&list, i ? ", " : "");
        yl_quote(&list, yl_str_c(supported[i]));
    }
    r = yl_field_not_supported_text(err, path, value, yl_buf_str(&list));
    yl_buf_release(&list);
    return r;
}

int
yl_field_not_supported_text(struct yl_error *err,
                            const struct yl_field_path *path,
                            struct yl_bad_value value,
                            struct yl_str supported)
{
    if (!supported.size) {
        return add(err, path, &not_supported, value, NULL);
    }
    return add(err, path, &not_supported, value, "supported values: %.*s",
               YL_STR_ARG(supported));
}

int
yl_field_too_long(struct yl_error *err, const struct yl_field_path *path,
                  int64_t max_bytes)
{
    if (max_bytes < 0) {
        return add(err, path, &too_long, yl_bad_omitted(),
                   "value is too long");
    }
    return add(err, path, &too_long, yl_bad_omitted(),
               "may not be more than %" PRId64 " byte%s", max_bytes,
               max_bytes == 1 ? "" : "s");
}

int
yl_field_too_many(struct yl_error *err, const struct yl_field_path *path,
                  int64_t n, int64_t max)
{
    struct yl_bad_value count = n < 0 ? yl_bad_omitted() : yl_bad_int(n);

    if (max < 0) {
        return add(err, path, &too_many, count, "has too many items");
    }
    return add(err, path, &too_many, count,
               "must have at most %" PRId64 " item%s", max,
               max == 1 ? "" : "s");
}

void
yl_field_forget(struct yl_error *err, size_t n)
{
    while (err->n_causes > n) {
        struct yl_cause *cause = &err->causes[--err->n_causes];

        free(cause->reason);
        free(cause->message);
        free(cause->field);
    }
}

static int
add(struct yl_error *err, const struct yl_field_path *path,
    const struct fault *fault, struct yl_bad_value value, const char *format,
    ...)
{
    va_list args;
    int r;

    va_start(args, format);
    r = vadd(err, path, fault, value, format, args);
    va_end(args);
    return r;
}

static int
vadd(struct yl_error *err, const struct yl_field_path *path,
     const struct fault *fault, struct yl_bad_value value, const char *format,
     va_list args)
{
    struct yl_buf message, field;
    bool few;

    if (!err) {
        return YL_EINVALID;
    }
    err->code = err->code ? err->code : YL_EINVALID;
    if (err->n_causes >= YL_MAX_CAUSES) {
        return YL_EINVALID;
    }
    yl_buf_init(&message, SIZE_MAX);
    yl_buf_append_c(&message, fault->text);
    if (value.kind != YL_BAD_OMITTED) {
        yl_buf_append_c(&message, ": ");
        yl_bad_value_write(&message, value);
    }
    if (format) {
        yl_buf_append_c(&message, ": ");
        yl_buf_vprintf(&message, format, args);
    }
    yl_buf_init(&field, SIZE_MAX);
    yl_field_path_write(&field, path);
    few = err->n_causes < YL_FIELD_FEW_CAUSES;
    shorten(&message, few ? YL_FIELD_MESSAGE_MAX : YL_FIELD_TEXT_MORE);
    shorten(&field, few ? YL_FIELD_TEXT_MAX : YL_FIELD_TEXT_MORE);

    yl_error_add_cause(err, yl_str_c(fault->reason), yl_buf_str(&message),
                       yl_buf_str(&field));
    yl_buf_release(&message);
    yl_buf_release(&field);
    return YL_EINVALID;
}

/* Writes a number as Go prints an int64, or else a float64. */
static void
write_number(struct yl_buf *buf, const struct yl_node *node)
{
    struct yl_go_number number = yl_go_number(node);
    struct yl_str text;

    if (isfinite(number.number)) {
        yl_bad_value_write(buf, number.is_int ? yl_bad_int(number.integer)
                                              : yl_bad_double(number.number));
    } else if (yl_node_number(node, &text) == 0) {
        yl_buf_append_str(buf, text);
    }
}

/* Writes a value as upstream shows it: strings as %q, numbers as %v,
 * everything else as Go's json.Marshal does, which escapes the characters of
 * HTML. */
static void
write_json(struct yl_buf *buf, const struct yl_node *node)
{
    struct yl_arena *arena = NULL;
    struct yl_str text = YL_STR("null");
    struct yl_buf json;
    const char *dots = "";
    size_t i;

    if (yl_node_type(node) == YL_JSON_NUMBER) {
        write_number(buf, node);
        return;
    }
    if (yl_node_type(node) == YL_JSON_STRING) {
        arena = yl_arena_new();
        yl_node_string(node, arena, &text);
        yl_bad_value_write(buf, yl_bad_string(text));
        yl_arena_free(arena);
        return;
    }
    yl_buf_init(&json, SIZE_MAX);
    if (node) {
        if (yl_node_write_canonical(&json, node) < 0) {
            yl_buf_clear(&json);
            yl_node_write(&json, node);
        }
        text = cut(yl_buf_str(&json), &dots);
    }
    for (i = 0; i < text.size; i++) {
        char c = text.data[i];

        if (c == '<' || c == '>' || c == '&') {
            yl_buf_printf(buf, "\\u%04x", (unsigned) c);
        } else {
            yl_buf_append_char(buf, c);
        }
    }
    yl_buf_append_c(buf, dots);
    yl_buf_release(&json);
}

/* The part of 's' that a message repeats, whole characters only; '*ret_dots'
 * is "..." if that is not all of it. */
static struct yl_str
cut(struct yl_str s, const char **ret_dots)
{
    struct yl_str head = yl_utf8_cut(s, YL_FIELD_TEXT_MAX);

    if (head.size < s.size) {
        *ret_dots = "...";
    }
    return head;
}

/* The same for text that is written already. */
static void
shorten(struct yl_buf *text, size_t max)
{
    if (text->size > max) {
        text->size = yl_utf8_cut(yl_buf_str(text), max).size;
        yl_buf_append_c(text, "...");
    }
}
