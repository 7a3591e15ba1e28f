/* Tests of the plain scanner: what Go's encoding/json says of malformed
 * texts.  parse_test.c tests that it accepts what the parser accepts. */

#include "json/explain.h"

#include "unit.h"
#include "yuloh/error.h"

/* The messages and offsets are Go's.  Its offset counts the bad byte too; at
 * the end of the text there is none. */
static const struct {
    struct yl_str text;
    size_t go_offset;
    const char *message;
} go_cases[] = {
    { YL_STR_INIT(""), 0,
      "unexpected end of JSON input" },
    { YL_STR_INIT(" "), 1,
      "unexpected end of JSON input" },
    { YL_STR_INIT("{"), 1,
      "unexpected end of JSON input" },
    { YL_STR_INIT("["), 1,
      "unexpected end of JSON input" },
    { YL_STR_INIT("\""), 1,
      "unexpected end of JSON input" },
    { YL_STR_INIT("\"abc"), 4,
      "unexpected end of JSON input" },
    { YL_STR_INIT("\"\\"), 2,
      "invalid character ' ' in string escape code" },
    { YL_STR_INIT("\"\\u"), 3,
      "invalid character ' ' in \\u hexadecimal character escape" },
    { YL_STR_INIT("\"\\u12"), 5,
      "invalid character ' ' in \\u hexadecimal character escape" },
    { YL_STR_INIT("\"\\x\""), 3,
      "invalid character 'x' in string escape code" },
    { YL_STR_INIT("\"\\u12g4\""), 6,
      "invalid character 'g' in \\u hexadecimal character escape" },
    { YL_STR_INIT("\"a\nb\""), 3,
      "invalid character '\\n' in string literal" },
    { YL_STR_INIT("\"a\000b\""), 3,
      "invalid character '\\x00' in string literal" },
    { YL_STR_INIT("\"a\037b\""), 3,
      "invalid character '\\x1f' in string literal" },
    { YL_STR_INIT("nul"), 3,
      "invalid character ' ' in literal null (expecting 'l')" },
    { YL_STR_INIT("nulL"), 4,
      "invalid character 'L' in literal null (expecting 'l')" },
    { YL_STR_INIT("nonsense"), 2,
      "invalid character 'o' in literal null (expecting 'u')" },
    { YL_STR_INIT("tru"), 3,
      "invalid character ' ' in literal true (expecting 'e')" },
    { YL_STR_INIT("trve"), 3,
      "invalid character 'v' in literal true (expecting 'u')" },
    { YL_STR_INIT("truex"), 5,
      "invalid character 'x' after top-level value" },
    { YL_STR_INIT("fals"), 4,
      "invalid character ' ' in literal false (expecting 'e')" },
    { YL_STR_INIT("falze"), 4,
      "invalid character 'z' in literal false (expecting 's')" },
    { YL_STR_INIT("true false"), 6,
      "invalid character 'f' after top-level value" },
    { YL_STR_INIT("1 2"), 3,
      "invalid character '2' after top-level value" },
    { YL_STR_INIT("01"), 2,
      "invalid character '1' after top-level value" },
    { YL_STR_INIT("-"), 1,
      "invalid character ' ' in numeric literal" },
    { YL_STR_INIT("-a"), 2,
      "invalid character 'a' in numeric literal" },
    { YL_STR_INIT("-01"), 3,
      "invalid character '1' after top-level value" },
    { YL_STR_INIT("1."), 2,
      "invalid character ' ' after decimal point in numeric literal" },
    { YL_STR_INIT("1.a"), 3,
      "invalid character 'a' after decimal point in numeric literal" },
    { YL_STR_INIT("1.5.5"), 4,
      "invalid character '.' after top-level value" },
    { YL_STR_INIT("1e"), 2,
      "invalid character ' ' in exponent of numeric literal" },
    { YL_STR_INIT("1ea"), 3,
      "invalid character 'a' in exponent of numeric literal" },
    { YL_STR_INIT("1e+"), 3,
      "invalid character ' ' in exponent of numeric literal" },
    { YL_STR_INIT("1e+x"), 4,
      "invalid character 'x' in exponent of numeric literal" },
    { YL_STR_INIT("1E-"), 3,
      "invalid character ' ' in exponent of numeric literal" },
    { YL_STR_INIT(".5"), 1,
      "invalid character '.' looking for beginning of value" },
    { YL_STR_INIT("+1"), 1,
      "invalid character '+' looking for beginning of value" },
    { YL_STR_INIT("0x1"), 2,
      "invalid character 'x' after top-level value" },
    { YL_STR_INIT("NaN"), 1,
      "invalid character 'N' looking for beginning of value" },
    { YL_STR_INIT("Infinity"), 1,
      "invalid character 'I' looking for beginning of value" },
    { YL_STR_INIT("'a'"), 1,
      "invalid character '\\'' looking for beginning of value" },
    { YL_STR_INIT("{,}"), 2,
      "invalid character ',' looking for beginning of object key string" },
    { YL_STR_INIT("{\"a\""), 4,
      "unexpected end of JSON input" },
    { YL_STR_INIT("{\"a\"}"), 5,
      "invalid character '}' after object key" },
    { YL_STR_INIT("{\"a\":"), 5,
      "unexpected end of JSON input" },
    { YL_STR_INIT("{\"a\":}"), 6,
      "invalid character '}' looking for beginning of value" },
    { YL_STR_INIT("{\"a\":1"), 6,
      "unexpected end of JSON input" },
    { YL_STR_INIT("{\"a\":1,"), 7,
      "unexpected end of JSON input" },
    { YL_STR_INIT("{\"a\":1,}"), 8,
      "invalid character '}' looking for beginning of object key string" },
    { YL_STR_INIT("{\"a\":1 \"b\":2}"), 8,
      "invalid character '\"' after object key:value pair" },
    { YL_STR_INIT("{\"a\" 1}"), 6,
      "invalid character '1' after object key" },
    { YL_STR_INIT("{a:1}"), 2,
      "invalid character 'a' looking for beginning of object key string" },
    { YL_STR_INIT("{1:2}"), 2,
      "invalid character '1' looking for beginning of object key string" },
    { YL_STR_INIT("{'a':1}"), 2,
      "invalid character '\\'' looking for beginning of object key string" },
    { YL_STR_INIT("{\"a\":1]"), 7,
      "invalid character ']' after object key:value pair" },
    { YL_STR_INIT("{\"a\":1}}"), 8,
      "invalid character '}' after top-level value" },
    { YL_STR_INIT("{\"a\":1}{"), 8,
      "invalid character '{' after top-level value" },
    { YL_STR_INIT("[,]"), 2,
      "invalid character ',' looking for beginning of value" },
    { YL_STR_INIT("[1"), 2,
      "unexpected end of JSON input" },
    { YL_STR_INIT("[1,"), 3,
      "unexpected end of JSON input" },
    { YL_STR_INIT("[1,]"), 4,
      "invalid character ']' looking for beginning of value" },
    { YL_STR_INIT("[1 2]"), 4,
      "invalid character '2' after array element" },
    { YL_STR_INIT("[1}"), 3,
      "invalid character '}' after array element" },
    { YL_STR_INIT("[]]"), 3,
      "invalid character ']' after top-level value" },
    { YL_STR_INIT("[1,,2]"), 4,
      "invalid character ',' looking for beginning of value" },
    { YL_STR_INIT("[\"a\":1]"), 5,
      "invalid character ':' after array element" },
    { YL_STR_INIT("]"), 1,
      "invalid character ']' looking for beginning of value" },
    { YL_STR_INIT("}"), 1,
      "invalid character '}' looking for beginning of value" },
    { YL_STR_INIT(","), 1,
      "invalid character ',' looking for beginning of value" },
    { YL_STR_INIT(":"), 1,
      "invalid character ':' looking for beginning of value" },
    { YL_STR_INIT("\\"), 1,
      "invalid character '\\\\' looking for beginning of value" },
    { YL_STR_INIT("\"a\"b"), 4,
      "invalid character 'b' after top-level value" },
    { YL_STR_INIT("\000"), 1,
      "invalid character '\\x00' looking for beginning of value" },
    { YL_STR_INIT("\007"), 1,
      "invalid character '\\a' looking for beginning of value" },
    { YL_STR_INIT("\177"), 1,
      "invalid character '\\x7f' looking for beginning of value" },
    { YL_STR_INIT("\200"), 1,
      "invalid character '\\u0080' looking for beginning of value" },
    { YL_STR_INIT("\240"), 1,
      "invalid character '\\u00a0' looking for beginning of value" },
    { YL_STR_INIT("\255"), 1,
      "invalid character '\\u00ad' looking for beginning of value" },
    { YL_STR_INIT("\351"), 1,
      "invalid character '\303\251' looking for beginning of value" },
    { YL_STR_INIT("\377"), 1,
      "invalid character '\303\277' looking for beginning of value" },
    { YL_STR_INIT("/* c */ 1"), 1,
      "invalid character '/' looking for beginning of value" },
    { YL_STR_INIT("// c"), 1,
      "invalid character '/' looking for beginning of value" },
    { YL_STR_INIT("[1] // c"), 5,
      "invalid character '/' after top-level value" },
    { YL_STR_INIT("\357\273\277{}"), 1,
      "invalid character '\303\257' looking for beginning of value" },
    { YL_STR_INIT("@"), 1,
      "invalid character '@' looking for beginning of value" },
    { YL_STR_INIT("#"), 1,
      "invalid character '#' looking for beginning of value" },
    { YL_STR_INIT("[\"a\\q\"]"), 5,
      "invalid character 'q' in string escape code" },
    { YL_STR_INIT("[tRue]"), 3,
      "invalid character 'R' in literal true (expecting 'r')" },
    { YL_STR_INIT("[1,\t\n}"), 6,
      "invalid character '}' looking for beginning of value" },
    { YL_STR_INIT("{\"a\":tru}"), 9,
      "invalid character '}' in literal true (expecting 'e')" },
    { YL_STR_INIT("\"\\ud800"), 7,
      "unexpected end of JSON input" },
    { YL_STR_INIT("\"\t\""), 2,
      "invalid character '\\t' in string literal" },
    { YL_STR_INIT("1e5x"), 4,
      "invalid character 'x' after top-level value" },
    { YL_STR_INIT("0.0."), 4,
      "invalid character '.' after top-level value" },
    { YL_STR_INIT("--1"), 2,
      "invalid character '-' in numeric literal" },
    { YL_STR_INIT("\"\\'\""), 3,
      "invalid character '\\'' in string escape code" },
    { YL_STR_INIT("[\0131]"), 2,
      "invalid character '\\v' looking for beginning of value" },
    { YL_STR_INIT("[1\014]"), 3,
      "invalid character '\\f' after array element" },
    { YL_STR_INIT("\"\\\200\""), 3,
      "invalid character '\\u0080' in string escape code" },
};

TEST(messages_and_places_are_those_of_go)
{
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(go_cases); i++) {
        struct yl_error err = YL_ERROR_INIT;
        struct yl_str text = go_cases[i].text;
        size_t expected = go_cases[i].go_offset;
        size_t offset = 12345;
        int r = yl_json_explain(text, NULL, &offset, &err);

        if (strcmp(yl_error_message(&err), go_cases[i].message)) {
            print_error("%.*s: %s, not %s\n", YL_STR_ARG(text),
                        yl_error_message(&err), go_cases[i].message);
            fail();
        }
        assert_int_equal(r, err.code);
        if (r == YL_ETRUNCATED) {
            assert_int_equal(offset, text.size);
            assert_int_equal(expected, text.size);
        } else {
            assert_int_equal(r, YL_ESYNTAX);
            assert_int_equal(offset, expected - 1);
        }
        yl_error_clear(&err);
    }
}

static void
assert_explains(struct yl_str text, const struct yl_json_limits *limits,
                int code, size_t offset, const char *message)
{
    struct yl_error err = YL_ERROR_INIT;
    size_t at = 12345;

    assert_int_equal(yl_json_explain(text, limits, &at, &err), code);
    assert_int_equal(at, offset);
    assert_string_equal(yl_error_message(&err), message);
    assert_int_equal(yl_json_explain(text, limits, NULL, NULL), code);
    yl_error_clear(&err);
}

TEST(what_go_would_mend_is_refused)
{
    const char *lone = "lone surrogate in \\u hexadecimal character escape";
    const char *utf8 = "invalid UTF-8 in string literal";

    assert_explains(YL_STR("[\"\\ud800\"]"), NULL, YL_ESYNTAX, 2, lone);
    assert_explains(YL_STR("\"a\\udc00\""), NULL, YL_ESYNTAX, 2, lone);
    assert_explains(YL_STR("\"\\ud800\\u0041\""), NULL, YL_ESYNTAX, 1, lone);
    assert_explains(YL_STR("\"\\ud800\\ud800\""), NULL, YL_ESYNTAX, 1, lone);
    assert_explains(YL_STR("\"\\ud800x\""), NULL, YL_ESYNTAX, 1, lone);
    assert_explains(YL_STR("\"ab\xff\""), NULL, YL_ESYNTAX, 3, utf8);
    assert_explains(YL_STR("\"\xc3\""), NULL, YL_ESYNTAX, 1, utf8);
    assert_explains(YL_STR("{\"\xed\xa0\x80\":1}"), NULL, YL_ESYNTAX, 2,
                    utf8);
}

TEST(good_texts_leave_the_error_alone)
{
    static const char *const texts[] = {
        "0", "-0", "1e5", "1.5E-3", "null", " [ ] ", "{}", "\"\"",
        "\"\\ud83d\\ude00\"", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00Ff\"",
        "[1,{\"a\":[true,false,null]}]", "\"\xf0\x9f\x98\x80\"", "\"\x7f\"",
        "\t\r\n 1 \t\r\n",
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(texts); i++) {
        struct yl_error err = YL_ERROR_INIT;
        size_t offset = 12345;

        assert_int_equal(yl_json_explain(yl_str_c(texts[i]), NULL, &offset,
                                         &err), 0);
        assert_int_equal(offset, 12345);
        assert_int_equal(err.code, 0);
    }
}

TEST(limits)
{
    struct yl_json_limits limits = { .max_size = 5, .max_depth = 2 };
    char number[YL_JSON_MAX_NUMBER + 2];

    assert_explains(YL_STR("[1234]"), &limits, YL_ETOOBIG, 5,
                    "JSON text has 6 bytes, the limit is 5");
    assert_explains(YL_STR("[[[]]"), &limits, YL_ETOODEEP, 2,
                    "exceeded max depth of 2");
    assert_int_equal(yl_json_explain(YL_STR("[[1]]"), &limits, NULL, NULL), 0);
    assert_int_equal(yl_json_explain(YL_STR("[{}]"), &limits, NULL, NULL), 0);

    memset(number, '1', sizeof number);
    assert_int_equal(yl_json_explain(yl_str_n(number, YL_JSON_MAX_NUMBER),
                                     NULL, NULL, NULL), 0);
    assert_explains(yl_str_n(number, YL_JSON_MAX_NUMBER + 1), NULL,
                    YL_ETOOBIG, 0, "number has 1025 bytes, the limit is 1024");
}

TEST(the_null_slice_is_an_empty_text)
{
    assert_explains(yl_str_null(), NULL, YL_ETRUNCATED, 0,
                    "unexpected end of JSON input");
}
