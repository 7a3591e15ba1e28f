/* Restoring.  See schema/restore.h for the contract.
 *
 * The recursion is as deep as the tree, whose depth its parser bounds. */

#include "schema/restore.h"

#include <math.h>

#include "base/arena.h"
#include "json/base64.h"
#include "json/text.h"
#include "json/tree.h"
#include "schema/go_set.h"
#include "schema/scalar.h"
#include "yuloh/error.h"

struct walk {
    struct yl_arena *arena;
    struct yl_error *err;
    const char *name;           /* Go's name for the current type; or NULL. */
};

static int walk_value(struct walk *, const struct yl_type_set *,
                      const struct yl_value *, struct yl_node *);
static int walk_struct(struct walk *, struct yl_type_ref, struct yl_node *);
static int walk_elements(struct walk *, const struct yl_type_set *,
                         const struct yl_value *, struct yl_node *);
static int walk_simple(struct walk *, enum yl_value_kind, struct yl_node *);
static int walk_bytes(struct walk *, struct yl_node *);
static int walk_own(struct walk *, enum yl_value_kind, struct yl_node *);
static int to_int(struct walk *, enum yl_value_kind, struct yl_node *);
static int64_t whole(double value);
static bool is_float(const struct yl_node *, double *ret_value);
static const char *go_kind(const struct yl_node *);
static const char *json_word(const struct yl_node *);

int
yl_restore(struct yl_arena *arena, struct yl_type_ref type,
           struct yl_node *root, struct yl_error *err)
{
    static const char *const names[] = { "kind", "apiVersion" };
    struct walk walk = { arena, err, NULL };
    size_t i;
    int r = 0;

    if (yl_node_type(root) != YL_JSON_OBJECT) {
        return yl_error_set(err, YL_EBADREQUEST,
                            "cannot restore struct from: %s", go_kind(root));
    }
    for (i = 0; r == 0 && i < YL_ARRAY_SIZE(names); i++) {
        struct yl_node *node = yl_node_get(root, yl_str_c(names[i]));

        if (yl_node_type(node) > YL_JSON_NULL) {
            r = walk_simple(&walk, YL_VALUE_STRING, node);
        }
    }
    return r == 0 ? walk_struct(&walk, type, root) : r;
}

/* Handles a value that is not null. */
static int
walk_value(struct walk *walk, const struct yl_type_set *set,
           const struct yl_value *value, struct yl_node *node)
{
    enum yl_json_type type = yl_node_type(node);

    switch ((enum yl_value_kind) value->kind) {
    case YL_VALUE_BOOL:
    case YL_VALUE_INT32:
    case YL_VALUE_INT64:
    case YL_VALUE_DOUBLE:
    case YL_VALUE_STRING:
        return walk_simple(walk, (enum yl_value_kind) value->kind, node);

    case YL_VALUE_BYTES:
        return walk_bytes(walk, node);

    case YL_VALUE_STRUCT:
        return type == YL_JSON_OBJECT
               ? walk_struct(walk, yl_value_type(set, value), node)
               : yl_error_set(walk->err, YL_EBADREQUEST,
                              "cannot restore struct from: %s",
                              go_kind(node));

    case YL_VALUE_LIST:
        return type == YL_JSON_ARRAY
               ? walk_elements(walk, set, value, node)
               : yl_error_set(walk->err, YL_EBADREQUEST,
                              "cannot restore slice from %s", go_kind(node));

    case YL_VALUE_MAP:
        return type == YL_JSON_OBJECT
               ? walk_elements(walk, set, value, node)
               : yl_error_set(walk->err, YL_EBADREQUEST,
                              "cannot restore map from %s", go_kind(node));

    default:
        return walk_own(walk, (enum yl_value_kind) value->kind, node);
    }
}

static int
walk_struct(struct walk *walk, struct yl_type_ref type, struct yl_node *node)
{
    size_t i;
    int r = 0;

    for (i = 0; r == 0 && i < type.type->n_fields; i++) {
        const struct yl_field *field
            = &type.set->fields[type.type->fields + i];
        struct yl_str key = yl_str_n(yl_type_set_text(type.set, field->name),
                                     field->name_size);
        struct yl_node *member = yl_node_get(node, key);

        if (yl_node_type(member) > YL_JSON_NULL) {
            walk->name = yl_go_field_type(type.set, field);
            r = walk_value(walk, type.set, &type.set->values[field->value],
                           member);
        }
    }
    return r;
}

static int
walk_elements(struct walk *walk, const struct yl_type_set *set,
              const struct yl_value *value, struct yl_node *node)
{
    const struct yl_value *element = &set->values[value->element];
    const char *name = yl_go_element_type(walk->name);
    struct yl_node *child, *next;
    int r = 0;

    YL_NODE_FOR_EACH_SAFE (child, next, node) {
        if (r == 0 && yl_node_type(child) != YL_JSON_NULL) {
            walk->name = name;
            r = walk_value(walk, set, element, child);
        }
        if (r == 0) {
            r = yl_arena_check(walk->arena, walk->err);
        }
        if (r < 0) {
            break;
        }
    }
    return r;
}

/* Values for which Go has no code of its own. */
static int
walk_simple(struct walk *walk, enum yl_value_kind kind, struct yl_node *node)
{
    static const char *const kinds[] = {
        [YL_VALUE_BOOL] = "bool", [YL_VALUE_INT32] = "int32",
        [YL_VALUE_INT64] = "int64", [YL_VALUE_DOUBLE] = "float64",
        [YL_VALUE_STRING] = "string",
    };
    enum yl_json_type type = yl_node_type(node);
    double ignored;

    if (type == YL_JSON_NUMBER
        && (kind == YL_VALUE_INT32 || kind == YL_VALUE_INT64)) {
        return to_int(walk, kind, node);
    }
    if ((type == YL_JSON_NUMBER && kind == YL_VALUE_DOUBLE)
        || (type == YL_JSON_STRING && kind == YL_VALUE_STRING)
        || (type == YL_JSON_BOOL && kind == YL_VALUE_BOOL)) {
        return 0;
    }
    if (type == YL_JSON_NUMBER && kind == YL_VALUE_STRING
        && !is_float(node, &ignored)) {
        /* Go could turn it into a text, but does not allow it. */
        return yl_error_set(walk->err, YL_EBADREQUEST,
                            "cannot convert int64 to %s",
                            walk->name ? walk->name : "string");
    }
    return yl_error_set(walk->err, YL_EBADREQUEST, "unrecognized type: %s",
                        kinds[kind]);
}

/* Base64, or a list of bytes, which becomes base64. */
static int
walk_bytes(struct walk *walk, struct yl_node *node)
{
    struct yl_node *child;
    struct yl_buf bytes, text;
    int r = 0;

    if (yl_node_type(node) == YL_JSON_STRING) {
        return 0;
    }
    if (yl_node_type(node) != YL_JSON_ARRAY) {
        return yl_error_set(walk->err, YL_EBADREQUEST,
                            "cannot restore slice from %s", go_kind(node));
    }
    yl_buf_init(&bytes, SIZE_MAX);
    yl_buf_init(&text, SIZE_MAX);
    YL_NODE_FOR_EACH (child, node) {
        int64_t byte = 0;
        double value = 0;

        if (yl_node_type(child) > YL_JSON_NULL
            && yl_node_type(child) != YL_JSON_NUMBER) {
            r = yl_error_set(walk->err, YL_EBADREQUEST,
                             "unrecognized type: uint8");
            break;
        }
        if (is_float(child, &value) && value != trunc(value)) {
            r = yl_error_set(walk->err, YL_EBADREQUEST,
                             "cannot convert float64 to uint8");
            break;
        }
        byte = is_float(child, &value) ? whole(value) : 0;
        (void) yl_node_int64(child, &byte);
        yl_buf_append_char(&bytes, (char) (uint8_t) (uint64_t) byte);
    }
    if (r == 0) {
        yl_base64_write(&text, yl_buf_str(&bytes));
        yl_node_replace(node, yl_node_new_string(walk->arena,
                                                 yl_buf_str(&text)));
    }
    yl_buf_release(&bytes);
    yl_buf_release(&text);
    return r;
}

/* Types that read their own JSON, for which values are written as Go writes
 * them. */
static int
walk_own(struct walk *walk, enum yl_value_kind kind, struct yl_node *node)
{
    struct yl_str number = YL_STR_INIT("");
    struct yl_scalar_fault fault;
    struct yl_node *copy;
    double value;
    bool zero;

    copy = is_float(node, &value) ? yl_node_new_double(walk->arena, value)
                                  : yl_node_copy(walk->arena, node);
    if (is_float(node, &value)) {
        struct yl_node *twin = yl_node_copy(walk->arena, copy);

        yl_node_replace(node, twin);
        node = twin;
    }
    /* A node without a parent cannot be replaced, so give it one. */
    yl_node_append(yl_node_new_array(walk->arena), copy);
    if (yl_scalar_normalize(walk->arena, kind, &copy, &zero, &fault)
        != YL_SCALAR_TYPE) {
        return 0;
    }
    if (fault.with_number) {
        (void) yl_node_number(node, &number);
    }
    return yl_error_set(walk->err, YL_EBADREQUEST,
                        "json: cannot unmarshal %s%s%.*s into Go value of "
                        "type %s", json_word(node), number.size ? " " : "",
                        YL_STR_ARG(number), fault.type);
}

/* Converts as Go does: whole floats, and only the bits for which there is
 * room. */
static int
to_int(struct walk *walk, enum yl_value_kind kind, struct yl_node *node)
{
    int64_t integer = 0;
    double value = 0;

    if (is_float(node, &value)) {
        if (value != trunc(value)) {
            return yl_error_set(walk->err, YL_EBADREQUEST,
                                "cannot convert float64 to %s",
                                kind == YL_VALUE_INT32 ? "int32" : "int64");
        }
        integer = whole(value);
    } else if (yl_node_int64(node, &integer) < 0
               || kind == YL_VALUE_INT64
               || integer == (int32_t) (uint32_t) (uint64_t) integer) {
        return 0;
    }
    if (kind == YL_VALUE_INT32) {
        integer = (int32_t) (uint32_t) (uint64_t) integer;
    }
    yl_node_replace(node, yl_node_new_int64(walk->arena, integer));
    return 0;
}

/* The result of processors for values that are out of range. */
static int64_t
whole(double value)
{
    return value >= -0x1p63 && value < 0x1p63 ? (int64_t) value : INT64_MIN;
}

/* Is it a number that Go decodes as a float64? */
static bool
is_float(const struct yl_node *node, double *ret_value)
{
    struct yl_str text;
    int64_t integer;

    if (yl_node_number(node, &text) < 0
        || (yl_json_number_is_integer(text)
            && yl_json_number_int64(text, &integer) == 0)) {
        return false;
    }
    return yl_json_number_double(text, ret_value) == 0;
}

static const char *
go_kind(const struct yl_node *node)
{
    double ignored;

    switch (yl_node_type(node)) {
    case YL_JSON_OBJECT:
        return "map";
    case YL_JSON_ARRAY:
        return "slice";
    case YL_JSON_NUMBER:
        return is_float(node, &ignored) ? "float64" : "int64";
    case YL_JSON_BOOL:
        return "bool";
    default:
        return "string";
    }
}

static const char *
json_word(const struct yl_node *node)
{
    switch (yl_node_type(node)) {
    case YL_JSON_OBJECT:
        return "object";
    case YL_JSON_ARRAY:
        return "array";
    case YL_JSON_NUMBER:
        return "number";
    case YL_JSON_BOOL:
        return "bool";
    default:
        return "string";
    }
}
