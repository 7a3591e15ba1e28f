/* Tests of json/yaml_in.c.
 *
 * The table was written by a program that asked sigs.k8s.io/yaml v1.6.0. */

#include "json/yaml_in.h"

#include <glob.h>

#include "base/buf.h"
#include "json/tree.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

/* A text and the JSON that Go makes of it; NULL if it refuses. */
static const struct row {
    const char *yaml;
    const char *json;
} rows[] = {
    { "y", "true" },
    { "Y", "true" },
    { "yes", "true" },
    { "Yes", "true" },
    { "YES", "true" },
    { "yEs", "\"yEs\"" },
    { "true", "true" },
    { "True", "true" },
    { "TRUE", "true" },
    { "tRUE", "\"tRUE\"" },
    { "on", "true" },
    { "On", "true" },
    { "ON", "true" },
    { "n", "false" },
    { "N", "false" },
    { "no", "false" },
    { "No", "false" },
    { "NO", "false" },
    { "false", "false" },
    { "False", "false" },
    { "FALSE", "false" },
    { "off", "false" },
    { "Off", "false" },
    { "OFF", "false" },
    { "oFF", "\"oFF\"" },
    { "", "null" },
    { "~", "null" },
    { "null", "null" },
    { "Null", "null" },
    { "NULL", "null" },
    { "nULL", "\"nULL\"" },
    { "'yes'", "\"yes\"" },
    { "\"on\"", "\"on\"" },
    { "'~'", "\"~\"" },
    { "''", "\"\"" },
    { "0", "0" },
    { "-0", "0" },
    { "+0", "0" },
    { "12", "12" },
    { "+12", "12" },
    { "-12", "-12" },
    { "0x1F", "31" },
    { "0XfF", "255" },
    { "-0x1f", "-31" },
    { "0o17", "15" },
    { "0O17", "15" },
    { "0o8", "\"0o8\"" },
    { "017", "15" },
    { "08", "8" },
    { "-017", "-15" },
    { "0b11", "3" },
    { "0B11", "3" },
    { "-0b11", "-3" },
    { "0b12", "\"0b12\"" },
    { "0b-11", "-3" },
    { "0b+11", "3" },
    { "-0b-11", "\"-0b-11\"" },
    { "0x", "\"0x\"" },
    { "0b", "\"0b\"" },
    { "0o", "\"0o\"" },
    { "1_000", "1000" },
    { "1__0", "10" },
    { "1_", "1" },
    { "_1", "\"_1\"" },
    { "0_x1", "1" },
    { "9223372036854775807", "9223372036854775807" },
    { "9223372036854775808", "9223372036854775808" },
    { "18446744073709551615", "18446744073709551615" },
    { "18446744073709551616", "18446744073709552000" },
    { "-9223372036854775808", "-9223372036854775808" },
    { "-9223372036854775809", "-9223372036854776000" },
    { "+9223372036854775808", "9223372036854776000" },
    { "0x8000000000000000", "9223372036854775808" },
    { "0xFFFFFFFFFFFFFFFF", "18446744073709551615" },
    { "0x10000000000000000", "\"0x10000000000000000\"" },
    { "01777777777777777777777", "18446744073709551615" },
    { "1.5", "1.5" },
    { "-1.5", "-1.5" },
    { "+1.5", "1.5" },
    { "1.", "1" },
    { ".5", "0.5" },
    { "-.5", "-0.5" },
    { "+.5", "0.5" },
    { ".", "\".\"" },
    { "-.", "\"-.\"" },
    { "..", "\"..\"" },
    { "1.5.2", "\"1.5.2\"" },
    { "1e3", "1000" },
    { "1E3", "1000" },
    { "1e+3", "1000" },
    { "1e-3", "0.001" },
    { "1e", "\"1e\"" },
    { "1e21", "1e+21" },
    { "1e20", "100000000000000000000" },
    { "1e6", "1000000" },
    { "1e-7", "1e-7" },
    { "0.000001", "0.000001" },
    { "1e999", "\"1e999\"" },
    { "-1e999", "\"-1e999\"" },
    { "1e-999", "0" },
    { ".1e999", "\".1e999\"" },
    { ".5_0", "0.5" },
    { "._5", "\"._5\"" },
    { ".5_", "\".5_\"" },
    { ".5e1_0", "5000000000" },
    { "1_0.5", "10.5" },
    { "123456789.25", "123456789.25" },
    { "-0.0", "-0" },
    { "0e0", "0" },
    { "00", "0" },
    { "09.5", "9.5" },
    { ".inf", NULL },
    { "-.inf", NULL },
    { "+.inf", NULL },
    { ".Inf", NULL },
    { ".INF", NULL },
    { ".iNF", "\".iNF\"" },
    { ".nan", NULL },
    { ".NaN", NULL },
    { ".NAN", NULL },
    { "'.inf'", "\".inf\"" },
    { "2001-01-01", "\"2001-01-01\"" },
    { "2001-12-14t21:59:43.10-05:00", "\"2001-12-14t21:59:43.10-05:00\"" },
    { "2001-12-14 21:59:43.10 -5", "\"2001-12-14 21:59:43.10 -5\"" },
    { "1:30", "\"1:30\"" },
    { "1:30:00", "\"1:30:00\"" },
    { "190:20:30.15", "\"190:20:30.15\"" },
    { "=", "\"=\"" },
    { "<<", "\"\\u003c\\u003c\"" },
    { "1.2.3.4", "\"1.2.3.4\"" },
    { "100m", "\"100m\"" },
    { "1Gi", "\"1Gi\"" },
    { "v1", "\"v1\"" },
    { "!!str 12", "\"12\"" },
    { "!!str yes", "\"yes\"" },
    { "!!str", "\"\"" },
    { "!!int 12", "12" },
    { "!!int '12'", "12" },
    { "!!int x", NULL },
    { "!!int 1.5", NULL },
    { "!!int 18446744073709551615", "18446744073709551615" },
    { "!!float 1", "1" },
    { "!!float 1.5", "1.5" },
    { "!!float 18446744073709551615", NULL },
    { "!!float x", NULL },
    { "!!bool yes", "true" },
    { "!!bool 'yes'", "true" },
    { "!!bool 1", NULL },
    { "!!null ~", "null" },
    { "!!null ''", "null" },
    { "!!null x", NULL },
    { "!!timestamp 2001-01-01", "\"2001-01-01\"" },
    { "!!timestamp 2001-02-29", NULL },
    { "!!timestamp 2000-02-29", "\"2000-02-29\"" },
    { "!!timestamp x", NULL },
    { "!!timestamp 2001-1-1 1:1:1", "\"2001-1-1 1:1:1\"" },
    { "!!timestamp 2001-1-1t1:2:3,5+24:60", "\"2001-1-1t1:2:3,5+24:60\"" },
    { "!!timestamp 2001-1-1T1:2:3+25:00", NULL },
    { "!!timestamp 2001-1-1T24:00:00Z", NULL },
    { "!!timestamp 2001-13-01", NULL },
    { "!!binary aGVsbG8=", "\"hello\"" },
    { "!!binary aGVs bG8=", NULL },
    { "!!binary |\n  aGVs\n  bG8=\n", "\"hello\"" },
    { "!!binary a", NULL },
    { "!!binary /w==", "\"\\ufffd\"" },
    { "!!binary YQ", NULL },
    { "!!binary YQ=", NULL },
    { "!!binary YQ==", "\"a\"" },
    { "!!binary YWI=", "\"ab\"" },
    { "!!binary YWI==", NULL },
    { "!!binary =", NULL },
    { "!!binary ''", "\"\"" },
    { "! 12", "\"12\"" },
    { "! '12'", "\"12\"" },
    { "!foo 12", "\"12\"" },
    { "!<tag:yaml.org,2002:int> 12", "12" },
    { "!!set {a: 1}", "{\"a\":1}" },
    { "!!map [1]", "[1]" },
    { "!!seq {a: 1}", "{\"a\":1}" },
    { "!!unknown 1", "\"1\"" },
    { "!x!y 1", NULL },
    { "%TAG !x! tag:yaml.org,2002:\n--- !x!int '7'", "7" },
    { "1: a", "{\"1\":\"a\"}" },
    { "0x10: a", "{\"16\":\"a\"}" },
    { "1.5: a", "{\"1.5\":\"a\"}" },
    { "1e6: a", "{\"1e+06\":\"a\"}" },
    { "16777217.5: a", "{\"1.6777218e+07\":\"a\"}" },
    { "1e39: a", "{\".inf\":\"a\"}" },
    { ".inf: a", "{\".inf\":\"a\"}" },
    { ".nan: a", "{\".nan\":\"a\"}" },
    { "yes: a", "{\"true\":\"a\"}" },
    { "no: a", "{\"false\":\"a\"}" },
    { "~: a", NULL },
    { "null: a", NULL },
    { ": a", NULL },
    { "'': a", "{\"\":\"a\"}" },
    { "'null': a", "{\"null\":\"a\"}" },
    { "18446744073709551615: a", NULL },
    { "2001-01-01: a", "{\"2001-01-01\":\"a\"}" },
    { "!!binary aGk=: a", "{\"hi\":\"a\"}" },
    { "[1]: a", NULL },
    { "{a: 1}: b", NULL },
    { "? a\n: b", "{\"a\":\"b\"}" },
    { "? a", "{\"a\":null}" },
    { "? [1]\n: b", NULL },
    { "? |\n  a\n: b", "{\"a\\n\":\"b\"}" },
    { "a: 1\na: 2", "{\"a\":2}" },
    { "&a k: v\nb: *a", "{\"b\":\"k\",\"k\":\"v\"}" },
    { "&a 1: v\nb: *a", "{\"1\":\"v\",\"b\":1}" },
    { "a: &a 7\n*a : x", "{\"7\":\"x\",\"a\":7}" },
    { "a: &a [1]\n*a : x", NULL },
    { "- a\n- b", "[\"a\",\"b\"]" },
    { "a:\n- b\n- c", "{\"a\":[\"b\",\"c\"]}" },
    { "a:\n  - b\n  - c", "{\"a\":[\"b\",\"c\"]}" },
    { "a: [1, 'b', {c: d}]", "{\"a\":[1,\"b\",{\"c\":\"d\"}]}" },
    { "{a: 1, b: [x, y], c: {}, d: []}",
      "{\"a\":1,\"b\":[\"x\",true],\"c\":{},\"d\":[]}" },
    { "{a, b: }", "{\"a\":null,\"b\":null}" },
    { "[a: 1, b]", "[{\"a\":1},\"b\"]" },
    { "- - - 1", "[[[1]]]" },
    { "-\n  a: 1\n  b: 2", "[{\"a\":1,\"b\":2}]" },
    { "a:\nb:", "{\"a\":null,\"b\":null}" },
    { "- \n- x", "[null,\"x\"]" },
    { "a: b: c", NULL },
    { "a:\n\tb: 1", NULL },
    { "a: \tb", "{\"a\":\"b\"}" },
    { "\ta: 1", NULL },
    { "a: 1\n b: 2", NULL },
    { "- a\nb: 1", NULL },
    { "[a", NULL },
    { "{a: 1", NULL },
    { "a]", "\"a]\"" },
    { "'a", NULL },
    { "\"a", NULL },
    { "a: 'it''s'", "{\"a\":\"it's\"}" },
    { "a: 'x\n  y'", "{\"a\":\"x y\"}" },
    { "a: \"x\\\n  y\"", "{\"a\":\"xy\"}" },
    { "a: x\n  y\n\n  z", "{\"a\":\"x y\\nz\"}" },
    { "[a,]", "[\"a\"]" },
    { "[,]", NULL },
    { "{,}", NULL },
    { "[http://x/y, a:b]", "[\"http://x/y\",\"a:b\"]" },
    { "{\"a\":1}", "{\"a\":1}" },
    { "{a:1}", "{\"a:1\":null}" },
    { "\"\\ud83d\\ude00\"", NULL },
    { "\"\\U0001F600\"", "\"\360\237\230\200\"" },
    { "\"\\q\"", NULL },
    { "\"\\0\"", "\"\\u0000\"" },
    { "\"\\x80\"", "\"\302\200\"" },
    { "a: |\n  x\n  y\n", "{\"a\":\"x\\ny\\n\"}" },
    { "a: |-\n  x\n  y\n", "{\"a\":\"x\\ny\"}" },
    { "a: |+\n  x\n\n\n", "{\"a\":\"x\\n\\n\\n\"}" },
    { "a: |2\n   x\n  y\n", "{\"a\":\" x\\ny\\n\"}" },
    { "a: >\n  x\n  y\n\n  z\n", "{\"a\":\"x y\\nz\\n\"}" },
    { "a: >-\n  x\n    y\n  z\n", "{\"a\":\"x\\n  y\\nz\"}" },
    { "a: |\n\n  x\n", "{\"a\":\"\\nx\\n\"}" },
    { "a: |\n", "{\"a\":\"\"}" },
    { "a: |0\n x", NULL },
    { "a: | # c\n  x\n", "{\"a\":\"x\\n\"}" },
    { "a: |\n\tx\n", NULL },
    { "a: 1 # c\n# d\nb: 2", "{\"a\":1,\"b\":2}" },
    { "a: b#c", "{\"a\":\"b#c\"}" },
    { "a: 'b' #c", "{\"a\":\"b\"}" },
    { "# only", "null" },
    { "--- # c\na: 1", "{\"a\":1}" },
    { "---\na: 1", "{\"a\":1}" },
    { "--- a", "\"a\"" },
    { "a: 1\n...\n}{", "{\"a\":1}" },
    { "a: 1\n---\n}{", "{\"a\":1}" },
    { "---\n---\na: 1", "null" },
    { "...\na: 1", NULL },
    { "%YAML 1.1\n---\na: 1", "{\"a\":1}" },
    { "%YAML 1.2\n---\na: 1", NULL },
    { "%YAML 2.0\n---\na: 1", NULL },
    { "%FOO\n---\na: 1", NULL },
    { "%YAML 1.1\na: 1", NULL },
    { "a: %x", NULL },
    { "a: @x", NULL },
    { "a: `x`", NULL },
    { "a: !x", "{\"a\":\"\"}" },
    { "a: -", NULL },
    { "a: - b", NULL },
    { "-", "[null]" },
    { "- ", "[null]" },
    { "?", NULL },
    { ":", NULL },
    { "a: ?", NULL },
    { "a: ? b", NULL },
    { "\357\273\277a: 1", "{\"a\":1}" },
    { "a: 1\r\nb: 2\r\n", "{\"a\":1,\"b\":2}" },
    { "a: 1\rb: 2", "{\"a\":1,\"b\":2}" },
    { "a: \302\205b", NULL },
    { "a: \001", NULL },
    { "a: \177", NULL },
    { "a: \302\200", NULL },
    { "a: \377", NULL },
    { "a: \300\200", NULL },
    { "a: \355\240\200", NULL },
    { "a: \360\237\230\200", "{\"a\":\"\360\237\230\200\"}" },
    { "a: \357\277\277", NULL },
    { "- &a 1\n- *a", "[1,1]" },
    { "- &a [1, 2]\n- *a", "[[1,2],[1,2]]" },
    { "- &a {x: &b 1}\n- *b\n- *a", "[{\"x\":1},1,{\"x\":1}]" },
    { "- *a", NULL },
    { "- &a 1\n- &a 2\n- *a", "[1,2,2]" },
    { "&a [*a]", NULL },
    { "&a {x: *a}", NULL },
    { "&a [1, &a [2], *a]", "[1,[2],[2]]" },
    { "a: &a {<<: *a}", NULL },
    { "- &a\n- *a", "[null,null]" },
    { "a: &a {x: 1, y: 2}\nb:\n  <<: *a\n  y: 3",
      "{\"a\":{\"true\":2,\"x\":1},\"b\":{\"true\":3,\"x\":1}}" },
    { "a: &a {x: 1, y: 2}\nb:\n  y: 3\n  <<: *a",
      "{\"a\":{\"true\":2,\"x\":1},\"b\":{\"true\":2,\"x\":1}}" },
    { "a: &a {x: 1}\nb: &b {x: 2, y: 2}\nc: {<<: [*a, *b], z: 3}",
      "{\"a\":{\"x\":1},\"b\":{\"true\":2,\"x\":2},\"c\":{\"true\":2,\"x\":"
      "1,\"z\":3}}" },
    { "b: {<<: {x: 1}, y: 2}", "{\"b\":{\"true\":2,\"x\":1}}" },
    { "b: {<<: [{x: 1}, {x: 2}]}", "{\"b\":{\"x\":1}}" },
    { "b: {<<: []}", "{\"b\":{}}" },
    { "b: {<<: 1}", NULL },
    { "b: {<<: ~}", NULL },
    { "b: {<<: [1]}", NULL },
    { "a: &a [1]\nb: {<<: *a}", NULL },
    { "a: &a 1\nb: {<<: *a}", NULL },
    { "a: &a [{x: 1}]\nb: {<<: *a}", NULL },
    { "b: {'<<': {x: 1}}", "{\"b\":{\"\\u003c\\u003c\":{\"x\":1}}}" },
    { "b: {!!merge <<: {x: 1}}", "{\"b\":{\"x\":1}}" },
    { "b: {<<: &m {x: 1}, c: *m}", "{\"b\":{\"c\":{\"x\":1},\"x\":1}}" },
    { "<<: {a: 1}", "{\"a\":1}" },
    { "- <<", "[\"\\u003c\\u003c\"]" },
    { "b: {!!str <<: {x: 1}}", "{\"b\":{\"\\u003c\\u003c\":{\"x\":1}}}" },
    { "- &m <<\n- {*m : {x: 1}}",
      "[\"\\u003c\\u003c\",{\"\\u003c\\u003c\":{\"x\":1}}]" },
};

/* Where libyaml and its Go descendant part, and what we make of it.  Go
 * refuses the escape; reads "a:"; and keeps the mark as a part of the key. */
static const struct row differences[] = {
    { "{\"a\": \"\\/\"}", "{\"a\":\"/\"}" },
    { "[a:]", NULL },
    { "---\n\357\273\277a: 1", "{\"a\":1}" },
};

static struct yl_arena *arena;

/* Must 'yaml' read as 'json', or be refused if that is NULL? */
static void
check(struct yl_str yaml, const char *json, const struct yl_yaml_opts *opts)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *got = NULL;
    struct yl_node *want;
    int r = yl_yaml_parse(arena, yaml, opts, &got, &err);

    if (!json) {
        if (r == 0) {
            fail_msg("accepted: %.*s", YL_STR_ARG(yaml));
        }
        assert_null(got);
        assert_int_equal(err.code, r);
        assert_true(yl_str_starts_with(yl_str_c(yl_error_message(&err)),
                                       YL_STR("yaml: ")));
        yl_error_clear(&err);
        return;
    }
    if (r < 0) {
        fail_msg("refused: %.*s: %s", YL_STR_ARG(yaml),
                 yl_error_message(&err));
    }
    assert_int_equal(yl_tree_parse(arena, yl_str_c(json), NULL, &want, NULL),
                     0);
    if (!yl_node_equal(got, want)) {
        struct yl_buf buf;

        yl_buf_init(&buf, 4096);
        yl_node_write(&buf, got);
        fail_msg("%.*s gave %s, not %s", YL_STR_ARG(yaml),
                 yl_buf_c_str(&buf), json);
    }
}

/* 'yaml' must fail with 'code' and exactly 'message'. */
static void
check_error(const char *yaml, const struct yl_yaml_opts *opts, int code,
            const char *message)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *root;

    arena = yl_arena_new();
    assert_int_equal(yl_yaml_parse(arena, yl_str_c(yaml), opts, &root, &err),
                     code);
    assert_string_equal(yl_error_message(&err), message);
    assert_int_equal(yl_yaml_parse(arena, yl_str_c(yaml), opts, &root, NULL),
                     code);
    yl_error_clear(&err);
    yl_arena_free(arena);
}

TEST(reads_faithfully)
{
    size_t i;

    arena = yl_arena_new();
    for (i = 0; i < YL_ARRAY_SIZE(rows); i++) {
        check(yl_str_c(rows[i].yaml), rows[i].json, NULL);
    }
    yl_arena_free(arena);
}

TEST(differs_from_go_where_libyaml_does)
{
    size_t i;

    arena = yl_arena_new();
    for (i = 0; i < YL_ARRAY_SIZE(differences); i++) {
        check(yl_str_c(differences[i].yaml), differences[i].json, NULL);
    }
    yl_arena_free(arena);
}

TEST(reads_utf16_with_a_mark)
{
    arena = yl_arena_new();
    check(YL_STR("\377\376a\000:\000 \0001\000"), "{\"a\":1}", NULL);
    check(YL_STR("\376\377\000a\000:\000 \0001"), "{\"a\":1}", NULL);
    yl_arena_free(arena);
}

TEST(a_nul_is_a_character)
{
    arena = yl_arena_new();
    check(YL_STR("a: \"x\\0y\""), "{\"a\":\"x\\u0000y\"}", NULL);
    check(YL_STR("a: \000"), NULL, NULL);
    yl_arena_free(arena);
}

TEST(a_number_of_more_than_1024_characters_is_a_string)
{
    char text[1100];
    char json[1110];

    memset(text, '0', sizeof text);
    text[1024] = '\0';
    arena = yl_arena_new();
    check(yl_str_c(text), "0", NULL);
    text[1024] = '0';
    text[1025] = '\0';
    snprintf(json, sizeof json, "\"%s\"", text);
    check(yl_str_c(text), json, NULL);
    text[0] = '.';
    json[1] = '.';
    check(yl_str_c(text), json, NULL);
    yl_arena_free(arena);
}

TEST(errors_say_what_and_where)
{
    static const struct yl_yaml_opts tenth = { .first_line = 10 };

    check_error("a: 1\nb: [\n", NULL, YL_ESYNTAX,
                "yaml: line 3: did not find expected node content");
    check_error("a: 1\nb: *x\n", NULL, YL_ESYNTAX,
                "yaml: line 2: unknown anchor 'x' referenced");
    check_error("a: 1\nb: *x\n", &tenth, YL_ESYNTAX,
                "yaml: line 11: unknown anchor 'x' referenced");
    check_error("a: &x [*x]\n", NULL, YL_ESYNTAX,
                "yaml: line 1: anchor 'x' value contains itself");
    check_error("a: 1\nb: \001\n", NULL, YL_ESYNTAX,
                "yaml: line 2: control characters are not allowed");
    check_error("a: 1\n\nb: !!int x", NULL, YL_ETYPE,
                "yaml: line 3: cannot decode `x` as a !!int");
    check_error("!!binary x", NULL, YL_ETYPE,
                "yaml: line 1: !!binary value contains invalid base64 data");
    check_error("- .inf", NULL, YL_ERANGE,
                "yaml: line 1: JSON cannot say .inf");
    check_error("a: 1\n~: 2", NULL, YL_ESYNTAX,
                "yaml: line 2: null cannot be a map key");
    check_error("[1]: 2", NULL, YL_ESYNTAX,
                "yaml: line 1: invalid map key: a list or a map");
    check_error("<<: 1", NULL, YL_ESYNTAX, "yaml: line 1: map merge requires "
                "map or sequence of maps as the value");
}

TEST(errors_can_be_those_of_go)
{
    static const struct yl_yaml_opts go = { .go_messages = true };

    check_error("a: 1\nb: *x\n", &go, YL_ESYNTAX,
                "yaml: unknown anchor 'x' referenced");
    check_error("a: b: c", &go, YL_ESYNTAX,
                "yaml: mapping values are not allowed in this context");
    check_error("x: y\na: b: c", &go, YL_ESYNTAX, "yaml: line 2: mapping "
                "values are not allowed in this context");
    check_error("- a\nb: c", &go, YL_ESYNTAX,
                "yaml: line 1: did not find expected '-' indicator");
    check_error("a: b\n\001", &go, YL_ESYNTAX,
                "yaml: control characters are not allowed");
    check_error("a: [1, 2", &go, YL_ESYNTAX,
                "yaml: line 1: did not find expected ',' or ']'");
    check_error("- .inf", &go, YL_ERANGE, "json: unsupported value: +Inf");
    check_error("- -.inf", &go, YL_ERANGE, "json: unsupported value: -Inf");
    check_error("- .nan", &go, YL_ERANGE, "json: unsupported value: NaN");
}

TEST(a_repeated_key_is_refused_on_request)
{
    static const struct yl_yaml_opts strict = { .refuse_duplicates = true };
    char text[2010];

    check_error("a: 1\nb: 2\na: 3\n\"b\": 4\n", &strict, YL_EDUPLICATE,
                "yaml: unmarshal errors:\n"
                "  line 3: key \"a\" already set in map\n"
                "  line 4: key \"b\" already set in map");
    check_error("a: &a {x: 1}\nb:\n  <<: *a\n  x: 2\n", &strict,
                YL_EDUPLICATE, "yaml: unmarshal errors:\n"
                "  line 4: key \"x\" already set in map");

    memset(text, 'k', sizeof text);
    memcpy(text, "? ", 2);
    memcpy(text + 1002, "\n? ", 3);
    text[2005] = '\0';
    check_error(text, &strict, YL_EDUPLICATE, "yaml: unmarshal errors: a "
                "long key is already set in its map");

    arena = yl_arena_new();
    check(YL_STR("a: {x: 1}\nb: {x: 1}"),
          "{\"a\":{\"x\":1},\"b\":{\"x\":1}}", &strict);
    yl_arena_free(arena);
}

/* A list of 'n' anchors, each of which holds the one before it nine times. */
static char *
laughs(int n, const char *first)
{
    struct yl_buf buf;
    int i, j;

    yl_buf_init(&buf, 1 << 22);
    yl_buf_printf(&buf, "a0: &a0 %s\n", first);
    for (i = 1; i < n; i++) {
        yl_buf_printf(&buf, "a%d: &a%d [", i, i);
        for (j = 0; j < 9; j++) {
            yl_buf_printf(&buf, "%s*a%d", j ? ", " : "", i - 1);
        }
        yl_buf_append_c(&buf, "]\n");
    }
    return yl_buf_detach(&buf);
}

TEST(a_billion_laughs_are_bounded)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *root;
    char *text = laughs(12, "[lol]");

    arena = yl_arena_new();
    assert_int_equal(yl_yaml_parse(arena, yl_str_c(text), NULL, &root, &err),
                     YL_ETOOBIG);
    assert_non_null(strstr(yl_error_message(&err), "excessive aliasing"));
    assert_true(yl_arena_footprint(arena) < 100 << 20);
    yl_error_clear(&err);
    yl_arena_free(arena);
    free(text);
}

TEST(the_bytes_of_aliases_are_bounded)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *root;
    char *big = malloc(1 << 20);
    char *text;

    assert_non_null(big);
    memset(big, 'x', 1 << 20);
    big[(1 << 20) - 1] = '\0';
    text = laughs(4, big);

    arena = yl_arena_new();
    assert_int_equal(yl_yaml_parse(arena, yl_str_c(text), NULL, &root, &err),
                     YL_ETOOBIG);
    assert_non_null(strstr(yl_error_message(&err),
                           "aliases expand to more than 16777216 bytes"));
    assert_true(yl_arena_footprint(arena) < 100 << 20);
    yl_error_clear(&err);
    yl_arena_free(arena);
    free(text);
    free(big);
}

TEST(depth_is_bounded)
{
    static const struct yl_yaml_opts three = { .max_depth = 3 };
    char text[2100];

    memset(text, '[', 1001);
    memset(text + 1001, ']', 1001);
    text[2002] = '\0';
    check_error(text, NULL, YL_ETOODEEP,
                "yaml: line 1: nested deeper than 1000 levels");
    arena = yl_arena_new();
    text[2001] = '\0';
    check(yl_str_c(text + 1), text + 1, NULL);
    check(YL_STR("[[[]]]"), "[[[]]]", &three);
    check(YL_STR("- &a [[]]\n- *a"), "[[[]],[[]]]", &three);
    check(YL_STR("a: &a {x: []}\nb: {c: *a}"), NULL, &three);
    yl_arena_free(arena);
    check_error("- &a [[1]]\n- [*a]", &three, YL_ETOODEEP,
                "yaml: line 2: nested deeper than 3 levels");
}

TEST(wide_and_deep_at_once_is_bounded)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *root;
    struct yl_buf buf;
    int i;

    yl_buf_init(&buf, 1 << 20);
    for (i = 0; i < 900; i++) {
        yl_buf_append_char(&buf, '[');
    }
    for (i = 0; i < 40000; i++) {
        yl_buf_append_c(&buf, "1,");
    }
    arena = yl_arena_new();
    assert_int_equal(yl_yaml_parse(arena, yl_buf_str(&buf), NULL, &root,
                                   &err), YL_ETOODEEP);
    assert_string_equal(yl_error_message(&err),
                        "yaml: line 1: too much is nested too deeply");
    yl_error_clear(&err);
    yl_arena_free(arena);
    yl_buf_release(&buf);
}

TEST(tag_directives_are_bounded)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *root;
    struct yl_buf buf;
    int i;

    yl_buf_init(&buf, 1 << 20);
    for (i = 0; i < 1000; i++) {
        yl_buf_printf(&buf, "%%TAG !a%d! x\n", i);
    }
    arena = yl_arena_new();
    yl_buf_append_c(&buf, "--- a");
    check(yl_buf_str(&buf), "\"a\"", NULL);
    yl_buf_append_c(&buf, "%TAG");
    assert_int_equal(yl_yaml_parse(arena, yl_buf_str(&buf), NULL, &root,
                                   &err), YL_ETOOBIG);
    assert_string_equal(yl_error_message(&err), "yaml: the document has more "
                        "than 1000 %TAG directives");
    yl_error_clear(&err);
    yl_arena_free(arena);
    yl_buf_release(&buf);
}

TEST(size_is_bounded)
{
    static const struct yl_yaml_opts ten = { .max_size = 10 };

    check_error("a: 45678901", &ten, YL_ETOOBIG,
                "yaml: the document has 11 bytes; the limit is 10");
    arena = yl_arena_new();
    check(YL_STR("a: 4567890"), "{\"a\":4567890}", &ten);
    yl_arena_free(arena);
}

TEST(every_truncated_text_is_read_or_refused)
{
    static const char text[] =
        "%YAML 1.1\n--- # c\n&r a: &a {x: [1, 'y', \"\\u00e9\"]}\n"
        "? k\n: |-\n  text\n\n  more\nb:\n  <<: [*a, {z: !!binary YQ==}]\n"
        "- \303\251: >2\n   x\n...\n";
    size_t i;

    for (i = 0; i < sizeof text; i++) {
        /* A copy of its own, so that a byte too far is seen. */
        char *copy = malloc(i ? i : 1);
        struct yl_node *root;

        assert_non_null(copy);
        memcpy(copy, text, i);
        arena = yl_arena_new();
        yl_yaml_parse(arena, yl_str_n(copy, i), NULL, &root, NULL);
        yl_arena_free(arena);
        free(copy);
    }
}

TEST(samples_of_every_type_read_like_their_json)
{
    glob_t files;
    size_t i;

    assert_int_equal(glob(truth_path("wire/*.yaml"), 0, NULL, &files), 0);
    for (i = 0; i < files.gl_pathc; i++) {
        const char *path = files.gl_pathv[i];
        size_t size;
        char *yaml = read_file(path, &size);
        char name[512];
        char *json;

        snprintf(name, sizeof name, "%.*sjson", (int) strlen(path) - 4, path);
        json = read_file(name, &(size_t) { 0 });
        arena = yl_arena_new();
        check(yl_str_n(yaml, size), json, NULL);
        yl_arena_free(arena);
        free(json);
        free(yaml);
    }
    globfree(&files);
}
