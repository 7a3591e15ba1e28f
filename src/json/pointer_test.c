/* Tests of JSON Pointer. */

#include "json/pointer.h"

#include "base/arena.h"
#include "json/tree.h"
#include "unit.h"
#include "yuloh/error.h"

/* The document of RFC 6901, section 5. */
static const char rfc_document[] =
    "{\"foo\":[\"bar\",\"baz\"],\"\":0,\"a/b\":1,\"c%d\":2,\"e^f\":3,"
    "\"g|h\":4,\"i\\\\j\":5,\"k\\\"l\":6,\" \":7,\"m~n\":8}";

/* What 'pointer' finds in 'text', as its bytes; both ways must agree.  An
 * error is "!" and its message. */
static void
assert_finds(const char *text, const char *pointer, const char *expected)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_error err2 = YL_ERROR_INIT;
    struct yl_str at = yl_str_c(pointer);
    struct yl_node *root, *node;
    struct yl_json value;
    struct yl_arena arena;
    struct yl_buf buf;
    int r;

    yl_arena_init(&arena);
    yl_buf_init(&buf, 4096);
    assert_int_equal(yl_tree_parse(&arena, yl_str_c(text), NULL, &root, &err),
                     0);
    r = yl_pointer_find(&arena, root, at, &node, &err);
    assert_int_equal(r, yl_pointer_find_json(&arena, yl_json(yl_str_c(text)),
                                             at, &value, &err2));
    if (r < 0) {
        assert_int_equal(r, err.code);
        assert_int_equal(expected[0], '!');
        assert_string_equal(yl_error_message(&err), expected + 1);
        assert_string_equal(yl_error_message(&err2), expected + 1);
    } else {
        yl_node_write(&buf, node);
        assert_str_equal(yl_buf_str(&buf), expected);
        assert_str_equal(yl_json_raw(value), expected);
        assert_int_equal(yl_pointer_check(at, &err), 0);
        assert_int_equal(err.code, 0);
    }
    yl_error_clear(&err);
    yl_error_clear(&err2);
    yl_buf_release(&buf);
    yl_arena_release(&arena);
}

TEST(finds_the_examples_of_the_rfc)
{
    assert_finds(rfc_document, "", rfc_document);
    assert_finds(rfc_document, "/foo", "[\"bar\",\"baz\"]");
    assert_finds(rfc_document, "/foo/0", "\"bar\"");
    assert_finds(rfc_document, "/", "0");
    assert_finds(rfc_document, "/a~1b", "1");
    assert_finds(rfc_document, "/c%d", "2");
    assert_finds(rfc_document, "/e^f", "3");
    assert_finds(rfc_document, "/g|h", "4");
    assert_finds(rfc_document, "/i\\j", "5");
    assert_finds(rfc_document, "/k\"l", "6");
    assert_finds(rfc_document, "/ ", "7");
    assert_finds(rfc_document, "/m~0n", "8");
}

TEST(escapes_are_resolved_once)
{
    assert_finds("{\"~1\":1,\"/\":2,\"~\":3}", "/~01", "1");
    assert_finds("{\"~1\":1,\"/\":2,\"~\":3}", "/~1", "2");
    assert_finds("{\"~1\":1,\"/\":2,\"~\":3}", "/~0", "3");
}

TEST(malformed_pointers_are_refused_on_every_document)
{
    assert_finds("5", "foo", "!JSON Pointer \"foo\" must be empty or start "
                 "with \"/\"");
    assert_finds("{}", "/nothing/~2", "!JSON Pointer \"/nothing/~2\" has a "
                 "\"~\" that is neither \"~0\" nor \"~1\"");
    assert_finds("{}", "/~", "!JSON Pointer \"/~\" has a \"~\" that is "
                 "neither \"~0\" nor \"~1\"");
}

TEST(what_is_not_there_is_not_found)
{
    static const char *const pointers[] = {
        "/none", "/foo/2", "/foo/-", "/foo/00", "/foo/01", "/foo/+1",
        "/foo/-1", "/foo/", "/foo/1e0", "/foo/ 1", "/foo/0/x", "/a~1b/x",
        "/foo/18446744073709551616", "//", "/foo/0/0",
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(pointers); i++) {
        char expected[128];

        snprintf(expected, sizeof expected, "!there is nothing at \"%s\"",
                 pointers[i]);
        assert_finds(rfc_document, pointers[i], expected);
    }
}

TEST(absent_roots_are_taken)
{
    struct yl_json value;
    struct yl_node *node;
    struct yl_arena arena;

    yl_arena_init(&arena);
    assert_int_equal(yl_pointer_find(&arena, NULL, YL_STR(""), &node, NULL),
                     YL_ENOTFOUND);
    assert_int_equal(yl_pointer_find_json(&arena, yl_json_none(), YL_STR("/a"),
                                          &value, NULL), YL_ENOTFOUND);
    yl_arena_release(&arena);
}

TEST(append_escapes_what_next_and_unescape_read)
{
    static const char *const tokens[] = { "metadata", "", "a/b", "~", "~1",
                                          "~0/~1//" };
    struct yl_str rest, token;
    struct yl_arena arena;
    struct yl_buf buf;
    size_t i;

    yl_arena_init(&arena);
    yl_buf_init(&buf, 4096);
    for (i = 0; i < YL_ARRAY_SIZE(tokens); i++) {
        yl_pointer_append(&buf, yl_str_c(tokens[i]));
    }
    assert_str_equal(yl_buf_str(&buf), "/metadata//a~1b/~0/~01/~00~1~01~1~1");
    rest = yl_buf_str(&buf);
    assert_int_equal(yl_pointer_check(rest, NULL), 0);
    for (i = 0; i < YL_ARRAY_SIZE(tokens); i++) {
        assert_true(yl_pointer_next(&rest, &token));
        assert_str_equal(yl_pointer_unescape(&arena, token), tokens[i]);
    }
    assert_false(yl_pointer_next(&rest, &token));
    yl_buf_release(&buf);
    yl_arena_release(&arena);
}

TEST(a_tilde_that_starts_no_escape_stays)
{
    struct yl_arena arena;

    yl_arena_init(&arena);
    assert_str_equal(yl_pointer_unescape(&arena, YL_STR("a~2b~")), "a~2b~");
    assert_str_equal(yl_pointer_unescape(&arena, YL_STR("~~0")), "~~");
    yl_arena_release(&arena);
}

TEST(tokens_without_escapes_take_no_memory)
{
    struct yl_str token = YL_STR("plain");

    assert_ptr_equal(yl_pointer_unescape(NULL, token).data, token.data);
}

TEST(index_is_plain_decimal)
{
    size_t i = 7;

    assert_int_equal(yl_pointer_index(YL_STR("0"), &i), 0);
    assert_int_equal(i, 0);
    assert_int_equal(yl_pointer_index(YL_STR("1024"), &i), 0);
    assert_int_equal(i, 1024);
    assert_int_equal(yl_pointer_index(YL_STR("-"), &i), YL_EINVALID);
    assert_int_equal(yl_pointer_index(YL_STR(""), &i), YL_EINVALID);
    assert_int_equal(i, 1024);
}
