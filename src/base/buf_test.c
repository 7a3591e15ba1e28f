/* Tests of the growing buffer. */

#include "base/buf.h"

#include "unit.h"
#include "yuloh/error.h"

TEST(appends_grow_and_keep_order)
{
    struct yl_buf buf;
    int i;

    yl_buf_init(&buf, 1 << 20);
    for (i = 0; i < 1000; i++) {
        yl_buf_printf(&buf, "%03d", i);
    }
    assert_int_equal(yl_buf_error(&buf), 0);
    assert_int_equal(buf.size, 3000);
    assert_memory_equal(buf.data + 2997, "999", 3);
    yl_buf_release(&buf);
}

TEST(ceiling_is_a_sticky_error_and_adds_nothing)
{
    struct yl_buf buf;

    yl_buf_init(&buf, 4);
    yl_buf_append_c(&buf, "abcd");
    assert_int_equal(yl_buf_error(&buf), 0);
    yl_buf_append_char(&buf, 'e');
    assert_int_equal(yl_buf_error(&buf), YL_ETOOBIG);
    assert_str_equal(yl_buf_str(&buf), "abcd");
    yl_buf_consume(&buf, 2);
    yl_buf_append_char(&buf, 'e');
    assert_int_equal(yl_buf_error(&buf), YL_ETOOBIG);
    yl_buf_clear(&buf);
    yl_buf_append_c(&buf, "xyz");
    assert_int_equal(yl_buf_error(&buf), 0);
    assert_string_equal(yl_buf_c_str(&buf), "xyz");
    yl_buf_release(&buf);
}

TEST(consume_moves_the_rest_to_the_front)
{
    struct yl_buf buf;
    char *bytes;

    yl_buf_init(&buf, 64);
    yl_buf_append_c(&buf, "headtail");
    yl_buf_consume(&buf, 4);
    assert_str_equal(yl_buf_str(&buf), "tail");
    bytes = yl_buf_detach(&buf);
    assert_string_equal(bytes, "tail");
    assert_int_equal(buf.size, 0);
    free(bytes);
    yl_buf_release(&buf);
}

TEST(printf_may_fill_the_buffer_to_the_ceiling)
{
    struct yl_buf buf;

    yl_buf_init(&buf, 3);
    yl_buf_printf(&buf, "%d", 123);
    assert_int_equal(yl_buf_error(&buf), 0);
    assert_str_equal(yl_buf_str(&buf), "123");
    yl_buf_release(&buf);
}

TEST(appending_nothing_to_an_empty_buffer_is_nothing)
{
    struct yl_buf buf;

    yl_buf_init(&buf, 0);
    yl_buf_append_c(&buf, "");
    yl_buf_append_str(&buf, yl_str_null());
    yl_buf_printf(&buf, "%s", "");
    assert_int_equal(yl_buf_error(&buf), 0);
    assert_null(buf.data);
    assert_str_equal(yl_buf_str(&buf), "");
    assert_non_null(yl_buf_reserve(&buf, 0));
    assert_string_equal(yl_buf_c_str(&buf), "");
    assert_null(yl_buf_reserve(&buf, 1));
    yl_buf_release(&buf);
}

TEST(nul_fits_behind_a_full_buffer)
{
    struct yl_buf buf;
    size_t i;

    yl_buf_init(&buf, 1000);
    for (i = 0; i < 1000; i++) {
        yl_buf_append_char(&buf, 'x');
    }
    assert_int_equal(buf.capacity, 1000);
    assert_int_equal(strlen(yl_buf_c_str(&buf)), 1000);
    assert_int_equal(buf.capacity, 1000);
    yl_buf_append_char(&buf, 'x');
    assert_int_equal(yl_buf_error(&buf), YL_ETOOBIG);
    yl_buf_release(&buf);
}
