/* Envelopes of objects in protobuf.  See schema/protobuf.h for the
 * contract. */

#include "schema/protobuf.h"

#include "json/utf8.h"
#include "schema/wire.h"
#include "yuloh/error.h"

static int read_unknown(struct yl_str, struct yl_protobuf_envelope *,
                        struct yl_error *);
static int read_type_meta(struct yl_str, struct yl_protobuf_envelope *,
                          struct yl_error *);
static int put(const struct yl_wire_field *, const char *name,
               struct yl_str *ret, struct yl_error *);

int
yl_protobuf_open(struct yl_str bytes, struct yl_protobuf_envelope *ret,
                 struct yl_error *err)
{
    struct yl_protobuf_envelope envelope = { .kind = yl_str_null() };
    int r;

    if (!bytes.size) {
        return yl_error_set(err, YL_EBADREQUEST, "empty data");
    }
    if (!yl_str_starts_with(bytes, YL_PROTOBUF_MAGIC)) {
        return yl_error_set(err, YL_EBADREQUEST, "provided data does not "
                            "appear to be a protobuf message, expected prefix "
                            "[107 56 115 0]");
    }
    if (bytes.size == YL_PROTOBUF_MAGIC.size) {
        return yl_error_set(err, YL_EBADREQUEST, "empty body");
    }
    r = read_unknown(yl_str_skip(bytes, YL_PROTOBUF_MAGIC.size), &envelope,
                     err);
    if (r == 0) {
        *ret = envelope;
    }
    return r;
}

bool
yl_protobuf_has(struct yl_type_ref type)
{
    const struct yl_field *field = &type.set->fields[type.type->fields];
    const struct yl_field *end = field + type.type->n_fields;

    for (; field < end; field++) {
        if (field->number) {
            return true;
        }
    }
    return false;
}

static int
read_unknown(struct yl_str rest, struct yl_protobuf_envelope *envelope,
             struct yl_error *err)
{
    struct yl_wire_field field;
    struct yl_str type;
    int r;

    while ((r = yl_wire_next(&rest, "Unknown", &field, err)) > 0) {
        switch (field.number) {
        case 1:
            r = put(&field, "TypeMeta", &type, err);
            if (r == 0) {
                r = read_type_meta(type, envelope, err);
            }
            break;

        case 2:
            r = put(&field, "Raw", &envelope->raw, err);
            break;

        case 3:
            r = put(&field, "ContentEncoding", &envelope->content_encoding,
                    err);
            break;

        case 4:
            r = put(&field, "ContentType", &envelope->content_type, err);
            break;
        }
        if (r < 0) {
            break;
        }
    }
    return r;
}

static int
read_type_meta(struct yl_str rest, struct yl_protobuf_envelope *envelope,
               struct yl_error *err)
{
    struct yl_wire_field field;
    int r;

    while ((r = yl_wire_next(&rest, "TypeMeta", &field, err)) > 0) {
        struct yl_str *text = field.number == 1 ? &envelope->api_version
                              : field.number == 2 ? &envelope->kind
                              : NULL;

        if (text) {
            r = put(&field, field.number == 1 ? "APIVersion" : "Kind", text,
                    err);
            if (r == 0 && yl_utf8_find_invalid(*text)) {
                r = yl_error_set(err, YL_EBADREQUEST, "proto: TypeMeta: a "
                                 "string is not UTF-8");
            }
        }
        if (r < 0) {
            break;
        }
    }
    return r;
}

static int
put(const struct yl_wire_field *field, const char *name, struct yl_str *ret,
    struct yl_error *err)
{
    if (field->type != YL_WIRE_BYTES) {
        return yl_error_set(err, YL_EBADREQUEST,
                            "proto: wrong wireType = %d for field %s",
                            field->type, name);
    }
    *ret = field->bytes;
    return 0;
}
