/* Tests of the parser: JSONTestSuite in every variant of the scanner, and the
 * plain scanner as its twin. */

#include "json/tree.h"

#include <dirent.h>

#include "base/arena.h"
#include "json/bits.h"
#include "json/explain.h"
#include "unit.h"
#include "yuloh/error.h"

/* The verdict on 'text', on which validation, parsing and the plain scanner
 * must agree. */
static int
verdict(struct yl_str text)
{
    struct yl_arena arena;
    struct yl_node *root;
    int r = yl_json_validate(text, NULL, NULL);

    yl_arena_init(&arena);
    assert_int_equal(yl_tree_parse(&arena, text, NULL, &root, NULL), r);
    assert_int_equal(yl_json_explain(text, NULL, NULL, NULL), r);
    yl_arena_release(&arena);
    return r;
}

TEST(json_test_suite_in_every_variant)
{
    char dir[4096], path[8192];
    const struct yl_bits *const *variant;
    struct dirent *entry;
    size_t n = 0;
    DIR *d;

    snprintf(dir, sizeof dir, "%s", truth_path("json/test_parsing"));
    for (variant = yl_bits_variants(); *variant; variant++) {
        yl_bits_use(*variant);
        d = opendir(dir);
        assert_non_null(d);
        while ((entry = readdir(d)) != NULL) {
            struct yl_str text;
            char *data;
            int r;

            if (entry->d_name[0] == '.') {
                continue;
            }
            snprintf(path, sizeof path, "%s/%s", dir, entry->d_name);
            data = read_file(path, &text.size);
            text.data = data;
            r = verdict(text);
            if ((entry->d_name[0] == 'y' && r < 0)
                || (entry->d_name[0] == 'n' && r == 0)) {
                print_error("%s (%s): %d\n", entry->d_name, (*variant)->name,
                            r);
                fail();
            }
            n++;
            free(data);
        }
        closedir(d);
    }
    yl_bits_use(NULL);
    assert_true(n >= 318);
}

/* Validates 'text' in every variant, and parses it; both must fail the same
 * way, with 'message', and hold no more memory than 'footprint'. */
static void
assert_refused(struct yl_str text, int code, const char *message,
               size_t footprint)
{
    const struct yl_bits *const *variant;

    for (variant = yl_bits_variants(); *variant; variant++) {
        struct yl_error err = YL_ERROR_INIT;
        struct yl_node *root = NULL;
        struct yl_arena arena;

        yl_bits_use(*variant);
        assert_int_equal(yl_json_validate(text, NULL, &err), code);
        assert_int_equal(err.code, code);
        assert_string_equal(yl_error_message(&err), message);
        yl_error_clear(&err);

        yl_arena_init(&arena);
        assert_int_equal(yl_tree_parse(&arena, text, NULL, &root, &err), code);
        assert_null(root);
        assert_string_equal(yl_error_message(&err), message);
        assert_true(yl_arena_footprint(&arena) <= footprint);
        yl_error_clear(&err);
        yl_arena_release(&arena);
    }
    yl_bits_use(NULL);
}

TEST(hostile_depth)
{
    enum { N = 100000 };
    char *text = malloc(N * 5);
    size_t i;

    memset(text, '[', N);
    assert_refused(yl_str_n(text, N), YL_ETOODEEP,
                   "exceeded max depth of 1000", 256 << 10);
    for (i = 0; i < N; i++) {
        memcpy(text + i * 5, "{\"a\":", 5);
    }
    assert_refused(yl_str_n(text, N * 5), YL_ETOODEEP,
                   "exceeded max depth of 1000", 256 << 10);

    /* The deepest that is fine, and one more. */
    memset(text, '[', YL_JSON_MAX_DEPTH);
    memset(text + YL_JSON_MAX_DEPTH, ']', YL_JSON_MAX_DEPTH);
    assert_int_equal(verdict(yl_str_n(text, 2 * YL_JSON_MAX_DEPTH)), 0);
    memset(text, '[', YL_JSON_MAX_DEPTH + 1);
    memset(text + YL_JSON_MAX_DEPTH + 1, ']', YL_JSON_MAX_DEPTH + 1);
    assert_int_equal(verdict(yl_str_n(text, 2 * YL_JSON_MAX_DEPTH + 2)),
                     YL_ETOODEEP);
    free(text);
}

TEST(hostile_numbers)
{
    enum { N = 1 << 20 };
    char *text = malloc(N);

    memset(text, '7', N);
    assert_refused(yl_str_n(text, N), YL_ETOOBIG,
                   "number has 1048576 bytes, the limit is 1024", 64 << 10);
    text[0] = '[';
    assert_refused(yl_str_n(text, N), YL_ETOOBIG,
                   "number has 1048575 bytes, the limit is 1024", 64 << 10);
    memcpy(text, "1e", 2);
    assert_refused(yl_str_n(text, N), YL_ETOOBIG,
                   "number has 1048576 bytes, the limit is 1024", 64 << 10);
    memcpy(text, "0.", 2);
    assert_refused(yl_str_n(text, N), YL_ETOOBIG,
                   "number has 1048576 bytes, the limit is 1024", 64 << 10);
    assert_int_equal(verdict(yl_str_n(text, YL_JSON_MAX_NUMBER)), 0);
    assert_int_equal(verdict(yl_str_n(text, YL_JSON_MAX_NUMBER + 1)),
                     YL_ETOOBIG);
    free(text);
}

TEST(hostile_strings)
{
    const char *lone = "lone surrogate in \\u hexadecimal character escape";
    const size_t little = 64 << 10;

    assert_refused(YL_STR("[\"\\ud800\"]"), YL_ESYNTAX, lone, little);
    assert_refused(YL_STR("{\"\\udc00\":1}"), YL_ESYNTAX, lone, little);
    assert_refused(YL_STR("\"\\ud800\\ud800\""), YL_ESYNTAX, lone, little);
    assert_refused(YL_STR("\"a\0b\""), YL_ESYNTAX,
                   "invalid character '\\x00' in string literal", little);
    assert_refused(YL_STR("\0"), YL_ESYNTAX,
                   "invalid character '\\x00' looking for beginning of value",
                   little);
    assert_refused(YL_STR("1\0"), YL_ESYNTAX,
                   "invalid character '\\x00' after top-level value", little);
    assert_refused(YL_STR("[1,\0 2]"), YL_ESYNTAX,
                   "invalid character '\\x00' looking for beginning of value",
                   little);
    assert_refused(YL_STR("{\"a\":tru\0}"), YL_ESYNTAX,
                   "invalid character '\\x00' in literal true (expecting "
                   "'e')", little);
    assert_refused(YL_STR("\"\xff\""), YL_ESYNTAX,
                   "invalid UTF-8 in string literal", little);
    assert_refused(YL_STR("[1,\x0c 2]"), YL_ESYNTAX,
                   "invalid character '\\f' looking for beginning of value",
                   little);
    assert_refused(YL_STR("[1\x0c 2]"), YL_ESYNTAX,
                   "invalid character '\\f' after array element", little);
    assert_refused(YL_STR("{\"a\"\x1a 2}"), YL_ESYNTAX,
                   "invalid character '\\x1a' after object key", little);
    assert_int_equal(verdict(YL_STR("\"\\u0000\"")), 0);
}

TEST(hostile_sizes)
{
    struct yl_json_limits limits = { .max_size = 10 };
    struct yl_error err = YL_ERROR_INIT;
    size_t size = YL_JSON_MAX_SIZE + 1;
    char *text = calloc(1, size);       /* Pages that nobody reads. */

    assert_int_equal(yl_json_validate(YL_STR("[1,2,3,45]"), &limits, NULL), 0);
    assert_int_equal(yl_json_validate(YL_STR("[1,2,3,456]"), &limits, &err),
                     YL_ETOOBIG);
    assert_string_equal(yl_error_message(&err),
                        "JSON text has 11 bytes, the limit is 10");
    yl_error_clear(&err);
    assert_refused(yl_str_n(text, size), YL_ETOOBIG,
                   "JSON text has 67108865 bytes, the limit is 67108864",
                   64 << 10);
    free(text);
}

TEST(limits_of_depth)
{
    struct yl_json_limits limits = { .max_depth = 2 };
    struct yl_error err = YL_ERROR_INIT;

    assert_int_equal(yl_json_validate(YL_STR("[[1]]"), &limits, NULL), 0);
    assert_int_equal(yl_json_validate(YL_STR("[{\"a\":[]}]"), &limits, &err),
                     YL_ETOODEEP);
    assert_string_equal(yl_error_message(&err), "exceeded max depth of 2");
    yl_error_clear(&err);

    /* More than there can be means as much as there can be. */
    limits.max_depth = 4000000000u;
    assert_int_equal(yl_json_validate(YL_STR("[[1]]"), &limits, NULL), 0);
    assert_int_equal(yl_json_explain(YL_STR("[[1]]"), &limits, NULL, NULL), 0);
}

TEST(truncated_at_every_byte)
{
    static const char text[] =
        "{\"apiVersion\":\"v1\",\"items\":[{\"a\\n\\u00e9\\ud83d\\ude00\":"
        "-12.5e+10,\"b\":[true,false,null,\"\xc3\xa9\xf0\x9f\x98\x80\"],"
        "\"c\":{\"d\":{},\"e\":[[],[0]]}},{\"long\":\"aaaaaaaaaaaaaaaaaaaaaaa"
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\\\\\"}]}";
    const struct yl_bits *const *variant;
    size_t n;

    assert_int_equal(verdict(yl_str_c(text)), 0);
    for (variant = yl_bits_variants(); *variant; variant++) {
        yl_bits_use(*variant);
        for (n = 0; n < sizeof text - 1; n++) {
            struct yl_error err = YL_ERROR_INIT;
            char *copy = malloc(n ? n : 1);
            const char *message;
            int r;

            memcpy(copy, text, n);
            r = verdict(yl_str_n(copy, n));
            assert_int_equal(yl_json_validate(yl_str_n(copy, n), NULL, &err),
                             r);
            message = yl_error_message(&err);
            if (r == YL_ESYNTAX) {
                /* Only a character of several bytes can be cut so. */
                assert_string_equal(message,
                                    "invalid UTF-8 in string literal");
                assert_true((unsigned char) text[n] >= 0x80);
            } else {
                assert_int_equal(r, YL_ETRUNCATED);
                assert_true(!strcmp(message, "unexpected end of JSON input")
                            || !strncmp(message, "invalid character ' ' ",
                                        22));
            }
            yl_error_clear(&err);
            free(copy);
        }
    }
    yl_bits_use(NULL);
}

TEST(parser_and_plain_scanner_agree_on_broken_texts)
{
    static const char good[] =
        "{\"a\":[1,2.5,-3e4,true,false,null,\"s\\n\\u0041\"],"
        "\"b\":{\"c\":{}},"
        "\"d\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        "\\\\\\\"\"}";
    static const char junk[] = "\"\\{}[],:0-+e.tfnu \n\t\x0c\x1a\x01\xc3\xff";
    const struct yl_bits *const *variant;
    unsigned seed = 11;
    int i, j, n_good = 0;

    for (variant = yl_bits_variants(); *variant; variant++) {
        yl_bits_use(*variant);
        for (i = 0; i < 15000; i++) {
            size_t n = sizeof good - 1;
            char *copy = malloc(n);

            memcpy(copy, good, n);
            for (j = 0; j <= i % 3; j++) {
                seed = seed * 1103515245u + 12345u;
                copy[(seed >> 8) % n] = junk[(seed >> 20) % (sizeof junk - 1)];
            }
            n_good += verdict(yl_str_n(copy, n)) == 0;
            free(copy);
        }
    }
    yl_bits_use(NULL);
    assert_true(n_good > 100);
}

TEST(ret_root_and_err_are_touched_only_when_they_should)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *root = NULL;
    struct yl_arena arena;

    yl_arena_init(&arena);
    assert_true(yl_tree_parse(&arena, YL_STR("["), NULL, &root, NULL) < 0);
    assert_null(root);
    assert_int_equal(yl_tree_parse(&arena, YL_STR("[]"), NULL, &root, &err),
                     0);
    assert_non_null(root);
    assert_int_equal(err.code, 0);
    assert_int_equal(yl_json_validate(yl_str_null(), NULL, &err),
                     YL_ETRUNCATED);
    yl_error_clear(&err);
    yl_arena_release(&arena);
}
