#ifndef SCHEMA_WIRE_H
#define SCHEMA_WIRE_H 1

/* Protobuf's wire format: fields with a number and a value, one behind the
 * other.
 *
 *     tag = number << 3 | type        varint, 7 bits in each byte
 *       0  varint                     ints, bools
 *       1  8 bytes, little endian     doubles
 *       2  size, bytes                strings, bytes, messages, packed lists
 *       3, 4  group, its end          of old; skipped
 *       5  4 bytes
 *
 * Guarantees
 * ==========
 *
 *   - Reading never passes the end of the bytes.  Bytes that are cut off or
 *     invalid are YL_EBADREQUEST, in the words of Go's decoder.
 *
 *   - Groups are skipped without recursion.
 *
 * Ownership
 * =========
 *
 * Fields point into the bytes they were read from. */

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "yuloh/str.h"

struct yl_error;

enum yl_wire_type {
    YL_WIRE_VARINT = 0,
    YL_WIRE_FIXED64 = 1,
    YL_WIRE_BYTES = 2,
    YL_WIRE_GROUP = 3,
    YL_WIRE_END_GROUP = 4,
    YL_WIRE_FIXED32 = 5,
};

struct yl_wire_field {
    uint32_t number;
    uint8_t type;               /* enum yl_wire_type; no YL_WIRE_END_GROUP. */
    uint64_t value;             /* Set for all types except bytes and
                                 * groups. */
    struct yl_str bytes;        /* Set for bytes. */
};

/* Takes the next field off '*rest', which is in a message that Go calls 'name'
 * ("ConfigMap").  1, or 0 at the end, or YL_EBADREQUEST. */
int yl_wire_next(struct yl_str *rest, const char *name,
                 struct yl_wire_field *ret_field, struct yl_error *err);

/* Takes a varint or eight bytes off '*rest', as in packed lists.  0 or
 * YL_EBADREQUEST. */
int yl_wire_take_varint(struct yl_str *rest, uint64_t *ret_value,
                        struct yl_error *err);
int yl_wire_take_fixed64(struct yl_str *rest, uint64_t *ret_value,
                         struct yl_error *err);

/* Appends a field. */
void yl_wire_put_varint(struct yl_buf *, unsigned number, uint64_t);
void yl_wire_put_double(struct yl_buf *, unsigned number, double);
void yl_wire_put_bytes(struct yl_buf *, unsigned number, struct yl_str);

/* Appends the tag and the size of a field whose bytes follow. */
void yl_wire_put_head(struct yl_buf *, unsigned number, size_t size);

/* Starts a field that is a message; the bytes appended until yl_wire_close()
 * are the message.  Messages are closed in reverse order.
 *
 * One byte is kept for the size.  A message of 128 bytes or more is moved when
 * it is closed, so a byte moves at most once for each message around it. */
size_t yl_wire_open(struct yl_buf *, unsigned number);
void yl_wire_close(struct yl_buf *, size_t opened);

#endif /* schema/wire.h */
