/* Tests of paths of fields. */

#include "apply/path.h"

#include "base/buf.h"
#include "json/tree.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

/* Reads 'text' as an element and writes it and prints it again. */
static void
check(const char *text, const char *written, const char *printed)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_path_element e;
    struct yl_buf buf;

    assert_int_equal(yl_path_element_parse(arena, yl_str_c(text), &e, NULL),
                     0);
    yl_buf_init(&buf, 1 << 20);
    yl_path_element_write(&buf, &e);
    assert_str_equal(yl_buf_str(&buf), written);
    yl_buf_clear(&buf);
    yl_path_print(&buf, &e, 1);
    assert_str_equal(yl_buf_str(&buf), printed);
    yl_buf_release(&buf);
    yl_arena_free(arena);
}

static void
check_refused(const char *text, const char *message)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_path_element e;

    assert_int_equal(yl_path_element_parse(arena, yl_str_c(text), &e, &err),
                     YL_EINVALID);
    if (message) {
        assert_string_equal(yl_error_message(&err), message);
    }
    yl_error_clear(&err);
    yl_arena_free(arena);
}

/* Elements in the order of 'texts', each smaller than the next. */
static void
check_order(const char *const *texts, size_t n)
{
    struct yl_arena *arena = yl_arena_new();
    size_t i, j;

    for (i = 0; i < n; i++) {
        for (j = 0; j < n; j++) {
            struct yl_path_element a, b;
            int c;

            assert_int_equal(yl_path_element_parse(arena, yl_str_c(texts[i]),
                                                   &a, NULL), 0);
            assert_int_equal(yl_path_element_parse(arena, yl_str_c(texts[j]),
                                                   &b, NULL), 0);
            c = yl_path_element_compare(&a, &b);
            assert_int_equal((c > 0) - (c < 0), (i > j) - (i < j));
            assert_int_equal(yl_path_element_equal(&a, &b), i == j);
        }
    }
    yl_arena_free(arena);
}

TEST(elements_are_read_written_and_printed)
{
    check("f:image", "\"f:image\"", ".image");
    check("f:", "\"f:\"", ".");
    check("f:a\"b\\\n\x01", "\"f:a\\\"b\\\\\\n\\u0001\"", ".a\"b\\\n\x01");
    check("f:.", "\"f:.\"", "..");
    check("k:{\"name\":\"a\"}", "\"k:{\\\"name\\\":\\\"a\\\"}\"",
          "[name=\"a\"]");
    check("v:\"a\"", "\"v:\\\"a\\\"\"", "[=\"a\"]");
    check("v:1", "\"v:1\"", "[=1]");
    check("v:true", "\"v:true\"", "[=true]");
    check("v:null", "\"v:null\"", "[=null]");
    check("i:0", "\"i:0\"", "[0]");
    check("i:+7", "\"i:7\"", "[7]");
    check("i:-1", "\"i:-1\"", "[-1]");
}

TEST(keys_are_sorted_and_numbers_are_canonical)
{
    check("k: { \"protocol\" : \"TCP\" , \"port\" : 8.0e1 } ",
          "\"k:{\\\"port\\\":80,\\\"protocol\\\":\\\"TCP\\\"}\"",
          "[port=80,protocol=\"TCP\"]");
    check("k:{\"b\":1,\"a\":\"x\"}",
          "\"k:{\\\"a\\\":\\\"x\\\",\\\"b\\\":1}\"", "[a=\"x\",b=1]");
    check("k:{\"a\":0,\"\":\"\"}",
          "\"k:{\\\"\\\":\\\"\\\",\\\"a\\\":0}\"", "[=\"\",a=0]");
    check("k:{\"a\":1,\"a\":2}", "\"k:{\\\"a\\\":2}\"", "[a=2]");
    check("k:{\"a\":1.0}", "\"k:{\\\"a\\\":1}\"", "[a=1]");
    check("v:1.50", "\"v:1.5\"", "[=1.5]");
    check("k:{}", "\"k:{}\"", "[]");
}

TEST(strings_in_keys_are_escaped_as_upstream_does)
{
    check("v:\"<\\u0026>\"", "\"v:\\\"\\\\u003c\\\\u0026\\\\u003e\\\"\"",
          "[=\"<&>\"]");
    check("v:\"\\b\\f\\n\"", "\"v:\\\"\\\\u0008\\\\u000c\\\\n\\\"\"",
          "[=\"\\b\\f\\n\"]");
    check("v:\"\xe2\x80\xa8\"", "\"v:\\\"\\\\u2028\\\"\"", "[=\"\\u2028\"]");
    check("v:\"\xe2\x82\xac\"", "\"v:\\\"\xe2\x82\xac\\\"\"",
          "[=\"\xe2\x82\xac\"]");
}

TEST(large_numbers_are_printed_as_go_prints_floats)
{
    check("v:999999", "\"v:999999\"", "[=999999]");
    check("v:1000000", "\"v:1000000\"", "[=1e+06]");
    check("v:1234567", "\"v:1234567\"", "[=1.234567e+06]");
    check("v:0.00001", "\"v:0.00001\"", "[=1e-05]");
    check("v:123456.5", "\"v:123456.5\"", "[=123456.5]");
}

TEST(elements_that_are_none_are_refused)
{
    check_refused("", "key must be 2 characters long:");
    check_refused("f", "key must be 2 characters long:");
    check_refused("foo", "missing colon: foo");
    check_refused("k:{", NULL);
    check_refused("k:[]", NULL);
    check_refused("k:{\"a\":1", NULL);
    check_refused("k:{\"a\":1,}", NULL);
    check_refused("k:{\"a\":1}x", NULL);
    check_refused("k:{\"a\":01}", NULL);
    check_refused("k:{\"a\":}", NULL);
    check_refused("k:{\"a\"}", NULL);
    check_refused("k:{1:1}", NULL);
    check_refused("v:\"a", NULL);
    check_refused("v:\"a\"b", NULL);
    check_refused("v:00", NULL);
    check_refused("v:", NULL);
    check_refused("v:1 2", NULL);
    check_refused("i:x",
                  "strconv.Atoi: parsing \"x\": invalid syntax");
    check_refused("i:", NULL);
    check_refused("i:99999999999999999999", NULL);
}

TEST(elements_of_unknown_types_are_told_apart)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_path_element e;

    assert_int_equal(yl_path_element_parse(arena, YL_STR("x:y"), &e, NULL), 1);
    yl_arena_free(arena);
}

TEST(elements_are_ordered_by_what_they_are_worth)
{
    static const char *const texts[] = {
        "f:A", "f:a", "f:ab", "f:b",
        "k:{\"a\":1}", "k:{\"a\":1,\"b\":1}", "k:{\"a\":9}", "k:{\"a\":80}",
        "k:{\"a\":\"\"}", "k:{\"a\":\"\\\"\"}", "k:{\"a\":\"A\"}",
        "k:{\"a\":\"a\"}", "k:{\"a\":\"ab\"}", "k:{\"a\":\"b\"}",
        "k:{\"a\":false}", "k:{\"a\":true}", "k:{\"a\":null}", "k:{\"b\":0}",
        "v:-1.5", "v:9", "v:10", "v:10.5", "v:\"\"", "v:\"<\"", "v:\"A\"",
        "v:\"a\"", "v:\"\xc3\xa9\"", "v:false", "v:true", "v:[]", "v:{}",
        "v:null",
        "i:-1", "i:9", "i:10",
    };

    check_order(texts, sizeof texts / sizeof texts[0]);
}

TEST(elements_of_trees_equal_those_that_were_read)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_path_element e, read;
    struct yl_path_key keys[2];
    struct yl_node *root;

    assert_int_equal(yl_tree_parse(arena,
                                   YL_STR("{\"b\":\"x\\u003cy\",\"a\":1e0}"),
                                   NULL, &root, NULL), 0);
    keys[0].name = YL_STR("b");
    keys[0].value = yl_node_get(root, keys[0].name);
    keys[1].name = YL_STR("a");
    keys[1].value = yl_node_get(root, keys[1].name);
    e = yl_path_value(arena, keys[0].value);
    assert_str_equal(yl_path_element_text(&e), "\"x\\u003cy\"");
    e = yl_path_keys(arena, keys, 2);
    assert_int_equal(
        yl_path_element_parse(arena, YL_STR("k:{\"a\":1,\"b\":\"x<y\"}"),
                              &read, NULL), 0);
    assert_true(yl_path_element_equal(&e, &read));
    yl_arena_free(arena);
}
