/* Tests of builtin/go/diff.h. */

#include "builtin/go/diff.h"

#include "unit.h"

static void
expect(const char *old, const char *now, const char *want)
{
    struct yl_buf buf;

    yl_buf_init(&buf, SIZE_MAX);
    yl_diff_json(&buf, yl_str_c(old), yl_str_c(now));
    yl_buf_append_char(&buf, '\0');
    assert_string_equal(buf.data, want);
    yl_buf_release(&buf);
}

/* "[0,1,...]" with 'odd' in the place of the element 'at'. */
static char *
numbers(char *room, size_t size, int n, int at, const char *odd)
{
    struct yl_buf buf;
    int i;

    yl_buf_init(&buf, SIZE_MAX);
    yl_buf_append_char(&buf, '[');
    for (i = 0; i < n; i++) {
        if (i == at) {
            yl_buf_append_c(&buf, odd);
        } else {
            yl_buf_printf(&buf, "%d", i);
        }
        yl_buf_append_c(&buf, i + 1 < n ? "," : "]");
    }
    assert_in_range(buf.size, 0, size - 1);
    memcpy(room, buf.data, buf.size);
    room[buf.size] = '\0';
    yl_buf_release(&buf);
    return room;
}

TEST(equal_texts_have_no_difference)
{
    expect("{}", "{}", "");
    expect("{\"a\":[1,2]}", "{\"a\":[1,2]}", "");
}

TEST(a_change_has_three_lines_around_it)
{
    char a[200], b[200];

    expect("{\"a\":1}", "{\"a\":2}",
           "@@ -1,3 +1,3 @@\n {\n- \"a\": 1\n+ \"a\": 2\n }\n");
    expect(numbers(a, sizeof a, 12, -1, ""), numbers(b, sizeof b, 12, 6, "x"),
           "@@ -5,7 +5,7 @@\n  3,\n  4,\n  5,\n- 6,\n+ x,\n  7,\n  8,\n"
           "  9,\n");
}

TEST(lines_come_and_go)
{
    expect("{\"a\":{}}", "{\"a\":{\"k\":\"v\"},\"b\":[]}",
           "@@ -1,3 +1,6 @@\n {\n- \"a\": {}\n+ \"a\": {\n+  \"k\": \"v\"\n"
           "+ },\n+ \"b\": []\n }\n");
    expect("1", "[1]", "@@ -1 +1,3 @@\n-1\n+[\n+ 1\n+]\n");
}

TEST(changes_that_are_far_apart_are_told_apart)
{
    char a[300], b[300];

    numbers(a, sizeof a, 30, 2, "x");
    numbers(b, sizeof b, 30, 20, "y");
    expect(a, b,
           "@@ -1,7 +1,7 @@\n [\n  0,\n  1,\n- x,\n+ 2,\n  3,\n  4,\n  5,\n"
           "@@ -19,7 +19,7 @@\n  17,\n  18,\n  19,\n- 20,\n+ y,\n  21,\n"
           "  22,\n  23,\n");
}

TEST(changes_that_are_close_are_told_together)
{
    char a[300], b[300];

    numbers(a, sizeof a, 20, 5, "x");
    numbers(b, sizeof b, 20, 10, "y");
    expect(a, b,
           "@@ -4,12 +4,12 @@\n  2,\n  3,\n  4,\n- x,\n+ 5,\n  6,\n  7,\n"
           "  8,\n  9,\n- 10,\n+ y,\n  11,\n  12,\n  13,\n");
}

TEST(strings_are_not_taken_apart)
{
    expect("{\"a\":\"{,[\\\"\"}", "{\"a\":\"]}:\\\\\"}",
           "@@ -1,3 +1,3 @@\n {\n- \"a\": \"{,[\\\"\"\n"
           "+ \"a\": \"]}:\\\\\"\n }\n");
}

TEST(lines_that_are_everywhere_start_no_run)
{
    struct yl_buf a, b, out;
    int i;

    yl_buf_init(&a, SIZE_MAX);
    yl_buf_init(&b, SIZE_MAX);
    yl_buf_init(&out, SIZE_MAX);
    yl_buf_append_c(&a, "[");
    yl_buf_append_c(&b, "[");
    for (i = 0; i < 300; i++) {
        yl_buf_printf(&a, "null,");
        yl_buf_printf(&b, "null,%s", i == 150 ? "7," : "");
    }
    yl_buf_append_c(&a, "1]");
    yl_buf_append_c(&b, "2]");
    yl_diff_json(&out, yl_buf_str(&a), yl_buf_str(&b));
    /* The runs of nulls are found from the bracket alone. */
    assert_memory_equal(out.data, "@@ -150,154 +150,155 @@\n", 23);
    yl_buf_release(&a);
    yl_buf_release(&b);
    yl_buf_release(&out);
}

TEST(what_takes_too_long_has_no_difference)
{
    struct yl_buf a, b, out;
    int i;

    yl_buf_init(&a, SIZE_MAX);
    yl_buf_init(&b, SIZE_MAX);
    yl_buf_init(&out, SIZE_MAX);
    yl_buf_append_c(&a, "[");
    yl_buf_append_c(&b, "[");
    for (i = 0; i < 60000; i++) {
        yl_buf_printf(&a, "%d,", i % 120);
        yl_buf_printf(&b, "%d,", (i * 7) % 120);
    }
    yl_buf_append_c(&a, "0]");
    yl_buf_append_c(&b, "1]");
    yl_diff_json(&out, yl_buf_str(&a), yl_buf_str(&b));
    assert_int_equal(out.size, 0);
    yl_buf_release(&a);
    yl_buf_release(&b);
    yl_buf_release(&out);
}
