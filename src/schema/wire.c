/* Protobuf's wire format.  See schema/wire.h for the contract. */

#include "schema/wire.h"

#include <string.h>

#include "yuloh/error.h"

/* Bytes of the longest varint. */
#define VARINT_MAX 10

static int take_value(struct yl_str *rest, struct yl_wire_field *,
                      struct yl_error *);
static int take_bytes(struct yl_str *rest, size_t size, struct yl_str *ret,
                      struct yl_error *);
static int take_fixed(struct yl_str *rest, size_t size, uint64_t *ret,
                      struct yl_error *);
static int skip_group(struct yl_str *rest, struct yl_error *);
static int cut_off(struct yl_error *);
static void append_varint(struct yl_buf *, uint64_t);
static size_t write_varint(char bytes[VARINT_MAX], uint64_t);

int
yl_wire_next(struct yl_str *rest, const char *name,
             struct yl_wire_field *ret_field, struct yl_error *err)
{
    struct yl_wire_field field = { 0, 0, 0, { NULL, 0 } };
    uint64_t tag;
    int r;

    if (!rest->size) {
        return 0;
    }
    r = yl_wire_take_varint(rest, &tag, err);
    if (r < 0) {
        return r;
    }
    field.number = (uint32_t) (tag >> 3);
    field.type = tag & 7;
    if (field.type == YL_WIRE_END_GROUP) {
        return yl_error_set(err, YL_EBADREQUEST, "proto: %s: wiretype end "
                            "group for non-group", name);
    }
    if ((int32_t) field.number <= 0) {
        return yl_error_set(err, YL_EBADREQUEST, "proto: %s: illegal tag %d "
                            "(wire type %llu)", name, (int) field.number,
                            (unsigned long long) tag);
    }
    r = take_value(rest, &field, err);
    if (r < 0) {
        return r;
    }
    *ret_field = field;
    return 1;
}

int
yl_wire_take_varint(struct yl_str *rest, uint64_t *ret_value,
                    struct yl_error *err)
{
    uint64_t value = 0;
    size_t i;

    for (i = 0; i < VARINT_MAX; i++) {
        unsigned char byte;

        if (i == rest->size) {
            return cut_off(err);
        }
        byte = (unsigned char) rest->data[i];
        value |= (uint64_t) (byte & 0x7f) << (7 * i);
        if (byte < 0x80) {
            *rest = yl_str_skip(*rest, i + 1);
            *ret_value = value;
            return 0;
        }
    }
    return yl_error_set(err, YL_EBADREQUEST, "proto: integer overflow");
}

int
yl_wire_take_fixed64(struct yl_str *rest, uint64_t *ret_value,
                     struct yl_error *err)
{
    return take_fixed(rest, 8, ret_value, err);
}

void
yl_wire_put_varint(struct yl_buf *buf, unsigned number, uint64_t value)
{
    append_varint(buf, (uint64_t) number << 3 | YL_WIRE_VARINT);
    append_varint(buf, value);
}

void
yl_wire_put_double(struct yl_buf *buf, unsigned number, double value)
{
    uint64_t bits;
    int i;

    memcpy(&bits, &value, sizeof bits);
    append_varint(buf, (uint64_t) number << 3 | YL_WIRE_FIXED64);
    for (i = 0; i < 64; i += 8) {
        yl_buf_append_char(buf, (char) (bits >> i & 0xff));
    }
}

void
yl_wire_put_bytes(struct yl_buf *buf, unsigned number, struct yl_str bytes)
{
    yl_wire_put_head(buf, number, bytes.size);
    yl_buf_append_str(buf, bytes);
}

void
yl_wire_put_head(struct yl_buf *buf, unsigned number, size_t size)
{
    append_varint(buf, (uint64_t) number << 3 | YL_WIRE_BYTES);
    append_varint(buf, size);
}

size_t
yl_wire_open(struct yl_buf *buf, unsigned number)
{
    append_varint(buf, (uint64_t) number << 3 | YL_WIRE_BYTES);
    yl_buf_append_char(buf, 0);
    return buf->size;
}

void
yl_wire_close(struct yl_buf *buf, size_t opened)
{
    size_t size, n;
    char bytes[VARINT_MAX];

    if (yl_buf_error(buf)) {
        return;
    }
    size = buf->size - opened;
    n = write_varint(bytes, size);
    if (n > 1) {
        if (!yl_buf_reserve(buf, n - 1)) {
            return;
        }
        memmove(buf->data + opened + n - 1, buf->data + opened, size);
        yl_buf_commit(buf, n - 1);
    }
    memcpy(buf->data + opened - 1, bytes, n);
}

static int
take_value(struct yl_str *rest, struct yl_wire_field *field,
           struct yl_error *err)
{
    uint64_t size = 0;
    int r;

    switch (field->type) {
    case YL_WIRE_VARINT:
        return yl_wire_take_varint(rest, &field->value, err);

    case YL_WIRE_FIXED64:
        return yl_wire_take_fixed64(rest, &field->value, err);

    case YL_WIRE_BYTES:
        r = yl_wire_take_varint(rest, &size, err);
        if (r == 0 && (int64_t) size < 0) {
            r = yl_error_set(err, YL_EBADREQUEST, "proto: negative length "
                             "found during unmarshaling");
        }
        return r < 0 ? r : take_bytes(rest, (size_t) size, &field->bytes, err);

    case YL_WIRE_GROUP:
        return skip_group(rest, err);

    case YL_WIRE_FIXED32:
        return take_fixed(rest, 4, &field->value, err);

    default:
        return yl_error_set(err, YL_EBADREQUEST, "proto: illegal wireType %d",
                            field->type);
    }
}

static int
take_bytes(struct yl_str *rest, size_t size, struct yl_str *ret,
           struct yl_error *err)
{
    if (size > rest->size) {
        return cut_off(err);
    }
    *ret = yl_str_n(rest->data, size);
    *rest = yl_str_skip(*rest, size);
    return 0;
}

/* Takes a number of 'size' bytes, the lowest first. */
static int
take_fixed(struct yl_str *rest, size_t size, uint64_t *ret,
           struct yl_error *err)
{
    size_t i = size;

    if (size > rest->size) {
        return cut_off(err);
    }
    *ret = 0;
    while (i--) {
        *ret = *ret << 8 | (unsigned char) rest->data[i];
    }
    *rest = yl_str_skip(*rest, size);
    return 0;
}

/* Skips the contents of a group, other groups included, and its end. */
static int
skip_group(struct yl_str *rest, struct yl_error *err)
{
    struct yl_wire_field field;
    size_t depth = 1;
    uint64_t tag = 0;
    int r = 0;

    while (r == 0 && depth) {
        r = yl_wire_take_varint(rest, &tag, err);
        field.type = tag & 7;
        if (r < 0) {
            return r;
        }
        if (field.type == YL_WIRE_GROUP) {
            depth++;
        } else if (field.type == YL_WIRE_END_GROUP) {
            depth--;
        } else {
            r = take_value(rest, &field, err);
        }
    }
    return r;
}

static int
cut_off(struct yl_error *err)
{
    return yl_error_set(err, YL_EBADREQUEST, "unexpected EOF");
}

static void
append_varint(struct yl_buf *buf, uint64_t value)
{
    char bytes[VARINT_MAX];

    yl_buf_append(buf, bytes, write_varint(bytes, value));
}

static size_t
write_varint(char bytes[VARINT_MAX], uint64_t value)
{
    size_t n = 0;

    for (; value >= 0x80; value >>= 7) {
        bytes[n++] = (char) ((value & 0x7f) | 0x80);
    }
    bytes[n++] = (char) value;
    return n;
}
