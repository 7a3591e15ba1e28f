/* Reviews in protobuf.  See reviews_protobuf.h. */

#include "apiserver/auth/reviews_protobuf.h"

#include <stdint.h>

#include "json/tree.h"
#include "json/utf8.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/gvk.h"

/* Reviews are flat. */
#define MAX_DEPTH 8

enum wire {
    VARINT = 0,
    FIXED64 = 1,
    BYTES = 2,
    FIXED32 = 5,
};

/* One field of a message as it came. */
struct item {
    uint64_t number;            /* Of the field. */
    enum wire wire;
    uint64_t integer;           /* Of a varint. */
    struct yl_str bytes;
};

static bool next(struct yl_str *rest, struct item *, bool *ret_bad);
static bool varint(struct yl_str *rest, uint64_t *ret_value);
static bool read_type_meta(struct yl_str message, struct yl_str *api_version,
                           struct yl_str *kind);
static struct yl_node *read_message(struct yl_arena *, struct yl_type_ref,
                                    struct yl_str message, int depth);
static bool add(struct yl_arena *, const struct yl_type_set *,
                const struct yl_value *, struct yl_node *object,
                struct yl_str name, const struct item *, int depth);
static struct yl_node *read_value(struct yl_arena *,
                                  const struct yl_type_set *,
                                  const struct yl_value *,
                                  const struct item *, int depth);
static struct yl_node *read_strings(struct yl_arena *, struct yl_str message);
static const struct yl_field *field_of(struct yl_type_ref, uint64_t number);
static bool is_utf8(struct yl_str);

bool
yl_review_is_protobuf(struct yl_str content_type)
{
    struct yl_str type, rest;

    if (!yl_str_cut(content_type, ';', &type, &rest)) {
        type = content_type;
    }
    return yl_str_equal(yl_str_trim(type),
                        YL_STR("application/vnd.kubernetes.protobuf"));
}

int
yl_review_read_protobuf(struct yl_arena *arena, const struct yl_kind *kind,
                        struct yl_str body, struct yl_node **ret_root,
                        struct yl_error *err)
{
    static const char magic[4] = "k8s";
    struct yl_str rest = body, raw = YL_STR("");
    struct yl_str api_version = YL_STR(""), name = YL_STR("");
    const struct yl_gv gv = { yl_str_c(kind->set->group),
                              yl_str_c(kind->set->version) };
    struct item item;
    bool bad = body.size < sizeof magic
               || memcmp(body.data, magic, sizeof magic) != 0;

    if (!bad) {
        rest = yl_str_skip(rest, sizeof magic);
    }
    while (!bad && next(&rest, &item, &bad)) {
        if (item.number == 1 && item.wire == BYTES) {
            bad = !read_type_meta(item.bytes, &api_version, &name);
        } else if (item.number == 2 && item.wire == BYTES) {
            raw = item.bytes;
        }
    }
    if (bad) {
        return yl_error_set(err, YL_EBADREQUEST, "the body of the request is "
                            "not a protobuf message of Kubernetes");
    }
    if (!yl_str_equal(api_version, yl_gv_api_version(gv, arena))
        || !yl_str_equal_c(name, kind->name)) {
        return yl_error_set(err, YL_EBADREQUEST, "the body of the request is "
                            "a %.*s of %.*s, not a %s", YL_STR_ARG(name),
                            YL_STR_ARG(api_version), kind->name);
    }
    *ret_root = read_message(arena, yl_kind_type(kind), raw, 0);
    return *ret_root ? 0
           : yl_error_set(err, YL_EBADREQUEST, "the body of the request is "
                          "not a %s in protobuf", kind->name);
}

/* Takes the next field off; false at the end, or if it is bad. */
static bool
next(struct yl_str *rest, struct item *item, bool *ret_bad)
{
    uint64_t tag, size;

    if (rest->size == 0) {
        return false;
    }
    *ret_bad = true;
    if (!varint(rest, &tag)) {
        return false;
    }
    item->number = tag >> 3;
    item->wire = (enum wire) (tag & 7);
    item->integer = 0;
    switch (item->wire) {
    case VARINT:
        if (!varint(rest, &item->integer)) {
            return false;
        }
        size = 0;
        break;

    case FIXED64:
        size = 8;
        break;

    case BYTES:
        if (!varint(rest, &size)) {
            return false;
        }
        break;

    case FIXED32:
        size = 4;
        break;

    default:
        return false;
    }
    if (size > rest->size) {
        return false;
    }
    item->bytes = yl_str_n(rest->data, (size_t) size);
    *rest = yl_str_skip(*rest, (size_t) size);
    *ret_bad = false;
    return true;
}

static bool
varint(struct yl_str *rest, uint64_t *ret_value)
{
    uint64_t value = 0;
    size_t i;

    for (i = 0; i < rest->size && i < 10; i++) {
        unsigned char byte = (unsigned char) rest->data[i];

        value |= (uint64_t) (byte & 0x7f) << (7 * i);
        if (!(byte & 0x80)) {
            *rest = yl_str_skip(*rest, i + 1);
            *ret_value = value;
            return true;
        }
    }
    return false;
}

static bool
read_type_meta(struct yl_str message, struct yl_str *api_version,
               struct yl_str *kind)
{
    struct item item;
    bool bad = false;

    while (next(&message, &item, &bad)) {
        if (item.number == 1 && item.wire == BYTES) {
            *api_version = item.bytes;
        } else if (item.number == 2 && item.wire == BYTES) {
            *kind = item.bytes;
        }
    }
    return !bad;
}

/* An object, or NULL if the message is bad. */
static struct yl_node *
read_message(struct yl_arena *arena, struct yl_type_ref type,
             struct yl_str message, int depth)
{
    struct yl_node *object = yl_node_new_object(arena);
    struct item item;
    bool bad = depth > MAX_DEPTH;

    while (!bad && next(&message, &item, &bad)) {
        const struct yl_field *field = field_of(type, item.number);

        if (field) {
            bad = !add(arena, type.set, &type.set->values[field->value],
                       object,
                       yl_str_n(yl_type_set_text(type.set, field->name),
                                field->name_size), &item, depth);
        }
    }
    return bad ? NULL : object;
}

/* Adds a field's value to an object: one more of a list or map. */
static bool
add(struct yl_arena *arena, const struct yl_type_set *set,
    const struct yl_value *value, struct yl_node *object, struct yl_str name,
    const struct item *item, int depth)
{
    struct yl_node *whole = yl_node_get(object, name), *node;
    struct yl_str message = item->bytes;
    struct item key = { 0 }, part;
    bool bad = false;

    if (value->kind == YL_VALUE_LIST) {
        node = read_value(arena, set, &set->values[value->element], item,
                          depth);
        if (!whole) {
            whole = yl_node_new_array(arena);
            yl_node_set(arena, object, name, whole);
        }
        if (node) {
            yl_node_append(whole, node);
        }
        return node != NULL;
    }
    if (value->kind != YL_VALUE_MAP) {
        node = read_value(arena, set, value, item, depth);
        if (node) {
            yl_node_set(arena, object, name, node);
        }
        return node != NULL;
    }
    if (!whole) {
        whole = yl_node_new_object(arena);
        yl_node_set(arena, object, name, whole);
    }
    node = NULL;
    while (item->wire == BYTES && next(&message, &part, &bad)) {
        if (part.number == 1) {
            key = part;
        } else if (part.number == 2) {
            node = read_value(arena, set, &set->values[value->element],
                              &part, depth);
        }
    }
    if (bad || !node || !is_utf8(key.bytes)) {
        return false;
    }
    yl_node_set(arena, whole, key.bytes, node);
    return true;
}

/* NULL if it is bad.  Kinds of values that reviews do not ask about are
 * null. */
static struct yl_node *
read_value(struct yl_arena *arena, const struct yl_type_set *set,
           const struct yl_value *value, const struct item *item, int depth)
{
    switch (value->kind) {
    case YL_VALUE_BOOL:
        return item->wire == VARINT
               ? yl_node_new_bool(arena, item->integer != 0) : NULL;

    case YL_VALUE_INT32:
    case YL_VALUE_INT64:
        return item->wire == VARINT
               ? yl_node_new_int64(arena, (int64_t) item->integer) : NULL;

    case YL_VALUE_STRING:
        return item->wire == BYTES && is_utf8(item->bytes)
               ? yl_node_new_string(arena, item->bytes) : NULL;

    case YL_VALUE_STRUCT:
        return item->wire == BYTES
               ? read_message(arena, yl_value_type(set, value), item->bytes,
                              depth + 1) : NULL;

    case YL_VALUE_LIST:
        return item->wire == BYTES ? read_strings(arena, item->bytes) : NULL;

    default:
        return yl_node_new_null(arena);
    }
}

/* A list that is a message of its own: the values of an extra. */
static struct yl_node *
read_strings(struct yl_arena *arena, struct yl_str message)
{
    struct yl_node *list = yl_node_new_array(arena);
    struct item item;
    bool bad = false;

    while (next(&message, &item, &bad)) {
        if (item.number == 1 && item.wire == BYTES) {
            if (!is_utf8(item.bytes)) {
                return NULL;
            }
            yl_node_append(list, yl_node_new_string(arena, item.bytes));
        }
    }
    return bad ? NULL : list;
}

static const struct yl_field *
field_of(struct yl_type_ref type, uint64_t number)
{
    const struct yl_field *fields = &type.set->fields[type.type->fields];
    size_t i;

    for (i = 0; number && i < type.type->n_fields; i++) {
        if (fields[i].number == number) {
            return &fields[i];
        }
    }
    return NULL;
}

static bool
is_utf8(struct yl_str s)
{
    return yl_utf8_find_invalid(s) == NULL;
}
