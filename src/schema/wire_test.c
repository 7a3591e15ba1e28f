/* Tests of protobuf's wire format. */

#include "schema/wire.h"

#include "unit.h"
#include "yuloh/error.h"

#define BYTES(TEXT) yl_str_n((TEXT), sizeof(TEXT) - 1)

static void
assert_refused(struct yl_str bytes, const char *message)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_wire_field field = { 0, 0, 0, { NULL, 0 } };
    int r;

    while ((r = yl_wire_next(&bytes, "Foo", &field, &err)) > 0) {
    }
    assert_int_equal(r, YL_EBADREQUEST);
    assert_string_equal(yl_error_message(&err), message);
    yl_error_clear(&err);
}

TEST(fields_of_every_type_are_read)
{
    struct yl_str rest = BYTES("\x08\x96\x01"
                               "\x11\x01\x02\x03\x04\x05\x06\x07\x08"
                               "\x1a\x02hi"
                               "\x25\x01\x00\x00\x80"
                               "\xf8\xff\xff\xff\x0f\x01");
    struct yl_wire_field f;

    assert_int_equal(yl_wire_next(&rest, "Foo", &f, NULL), 1);
    assert_int_equal(f.number, 1);
    assert_int_equal(f.type, YL_WIRE_VARINT);
    assert_int_equal(f.value, 150);
    assert_int_equal(yl_wire_next(&rest, "Foo", &f, NULL), 1);
    assert_int_equal(f.type, YL_WIRE_FIXED64);
    assert_true(f.value == UINT64_C(0x0807060504030201));
    assert_int_equal(yl_wire_next(&rest, "Foo", &f, NULL), 1);
    assert_int_equal(f.type, YL_WIRE_BYTES);
    assert_str_equal(f.bytes, "hi");
    assert_int_equal(yl_wire_next(&rest, "Foo", &f, NULL), 1);
    assert_int_equal(f.type, YL_WIRE_FIXED32);
    assert_true(f.value == UINT64_C(0x80000001));
    assert_int_equal(yl_wire_next(&rest, "Foo", &f, NULL), 1);
    assert_int_equal(f.number, 0x1fffffff);
    assert_int_equal(yl_wire_next(&rest, "Foo", &f, NULL), 0);
}

TEST(what_is_cut_off_is_refused)
{
    assert_refused(BYTES("\x08"), "unexpected EOF");
    assert_refused(BYTES("\x08\x80"), "unexpected EOF");
    assert_refused(BYTES("\x11\x01\x02"), "unexpected EOF");
    assert_refused(BYTES("\x1a\x03hi"), "unexpected EOF");
    assert_refused(BYTES("\x25\x01"), "unexpected EOF");
    assert_refused(BYTES("\x0b\x08\x01"), "unexpected EOF");
    assert_refused(BYTES("\x80"), "unexpected EOF");
}

TEST(what_makes_no_sense_is_refused)
{
    assert_refused(BYTES("\x00\x01"),
                   "proto: Foo: illegal tag 0 (wire type 0)");
    assert_refused(BYTES("\x0c"),
                   "proto: Foo: wiretype end group for non-group");
    assert_refused(BYTES("\x0f\x01"), "proto: illegal wireType 7");
    assert_refused(BYTES("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
                   "proto: integer overflow");
    assert_refused(BYTES("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
                   "proto: negative length found during unmarshaling");
}

/* A group of a hundred thousand in each other needs no stack. */
TEST(groups_are_skipped)
{
    size_t n = 100000;
    char *bytes = malloc(2 * n + 2);
    struct yl_str rest = yl_str_n(bytes, 2 * n + 2);
    struct yl_wire_field f;

    assert_non_null(bytes);
    memset(bytes, 0x0b, n);
    memset(bytes + n, 0x0c, n);
    memcpy(bytes + 2 * n, "\x10\x05", 2);
    assert_int_equal(yl_wire_next(&rest, "Foo", &f, NULL), 1);
    assert_int_equal(f.type, YL_WIRE_GROUP);
    assert_int_equal(yl_wire_next(&rest, "Foo", &f, NULL), 1);
    assert_int_equal(f.number, 2);
    assert_int_equal(f.value, 5);
    assert_int_equal(yl_wire_next(&rest, "Foo", &f, NULL), 0);
    free(bytes);
}

TEST(packed_values_are_taken)
{
    struct yl_str rest = BYTES("\x01\x80\x01\x00\x00\x00\x00\x00\x00\xf0\x3f");
    uint64_t value;

    assert_int_equal(yl_wire_take_varint(&rest, &value, NULL), 0);
    assert_int_equal(value, 1);
    assert_int_equal(yl_wire_take_varint(&rest, &value, NULL), 0);
    assert_int_equal(value, 128);
    assert_int_equal(yl_wire_take_fixed64(&rest, &value, NULL), 0);
    assert_true(value == UINT64_C(0x3ff0000000000000));
    assert_int_equal(yl_wire_take_fixed64(&rest, &value, NULL),
                     YL_EBADREQUEST);
}

/* What is written is read, whatever the sizes of messages. */
TEST(messages_are_written)
{
    static const size_t sizes[] = { 0, 1, 127, 128, 300, 16383, 16384 };
    size_t i;

    for (i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct yl_str rest, text;
        struct yl_wire_field f;
        struct yl_buf buf;
        size_t outer, inner;
        char *zeros = calloc(1, sizes[i] + 1);

        yl_buf_init(&buf, SIZE_MAX);
        yl_wire_put_varint(&buf, 1, UINT64_MAX);
        outer = yl_wire_open(&buf, 2);
        inner = yl_wire_open(&buf, 16);
        yl_wire_put_bytes(&buf, 3, yl_str_n(zeros, sizes[i]));
        yl_wire_close(&buf, inner);
        yl_wire_put_double(&buf, 4, 1.0);
        yl_wire_close(&buf, outer);
        yl_wire_put_varint(&buf, 5, 7);

        rest = yl_buf_str(&buf);
        assert_int_equal(yl_wire_next(&rest, "", &f, NULL), 1);
        assert_true(f.value == UINT64_MAX);
        assert_int_equal(yl_wire_next(&rest, "", &f, NULL), 1);
        assert_int_equal(f.number, 2);
        text = f.bytes;
        assert_int_equal(yl_wire_next(&rest, "", &f, NULL), 1);
        assert_int_equal(f.value, 7);
        assert_int_equal(yl_wire_next(&rest, "", &f, NULL), 0);

        rest = text;
        assert_int_equal(yl_wire_next(&rest, "", &f, NULL), 1);
        assert_int_equal(f.number, 16);
        text = f.bytes;
        assert_int_equal(yl_wire_next(&rest, "", &f, NULL), 1);
        assert_true(f.value == UINT64_C(0x3ff0000000000000));
        rest = text;
        assert_int_equal(yl_wire_next(&rest, "", &f, NULL), 1);
        assert_int_equal(f.bytes.size, sizes[i]);
        free(zeros);
        yl_buf_release(&buf);
    }
}

/* A buffer that is full stays as it is. */
TEST(a_full_buffer_keeps_its_error)
{
    struct yl_buf buf;
    size_t opened;

    yl_buf_init(&buf, 140);
    opened = yl_wire_open(&buf, 1);
    while (!yl_buf_error(&buf)) {
        yl_buf_append_c(&buf, "0123456789");
    }
    yl_wire_close(&buf, opened);
    assert_int_equal(yl_buf_error(&buf), YL_ETOOBIG);
    yl_buf_release(&buf);
}
