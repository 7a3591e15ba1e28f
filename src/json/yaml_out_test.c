/* Tests of json/yaml_out.c.
 *
 * The table was written by a program that asked sigs.k8s.io/yaml v1.6.0. */

#include "json/yaml_out.h"

#include <glob.h>

#include "base/buf.h"
#include "json/tree.h"
#include "json/yaml_in.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

/* A JSON text and the YAML that Go makes of it. */
static const struct row {
    const char *json;
    const char *yaml;
} rows[] = {
    { "null", "null\n" },
    { "true", "true\n" },
    { "false", "false\n" },
    { "0", "0\n" },
    { "\"x\"", "x\n" },
    { "[]", "[]\n" },
    { "{}", "{}\n" },
    { "[1,2]", "- 1\n- 2\n" },
    { "{\"a\":1}", "a: 1\n" },
    { "{\"a\":[]}", "a: []\n" },
    { "{\"a\":{}}", "a: {}\n" },
    { "{\"a\":null}", "a: null\n" },
    { "{\"a\":[1,[2,[]],{\"b\":1,\"c\":[3]}]}",
      "a:\n- 1\n- - 2\n  - []\n- b: 1\n  c:\n  - 3\n" },
    { "[[[1],2],3]", "- - - 1\n  - 2\n- 3\n" },
    { "{\"a\":{\"b\":{\"c\":[{\"d\":1,\"e\":{\"f\":2}},{\"g\":null}]}}}",
      "a:\n  b:\n    c:\n    - d: 1\n      e:\n        f: 2\n    - g: null"
      "\n" },
    { "[{\"a\":[1]},{\"b\":[{\"c\":1}]}]", "- a:\n  - 1\n- b:\n  - c: 1\n" },
    { "{\"\":1}", "\"\": 1\n" },
    { "-0", "0\n" },
    { "-0.0", "-0\n" },
    { "1.0", "1\n" },
    { "1.50", "1.5\n" },
    { "1e3", "1000\n" },
    { "1e5", "100000\n" },
    { "1e6", "1e+06\n" },
    { "123456.5", "123456.5\n" },
    { "1234567.5", "1.2345675e+06\n" },
    { "0.0001", "0.0001\n" },
    { "0.00001", "1e-05\n" },
    { "1e21", "1e+21\n" },
    { "1e-400", "0\n" },
    { "1e400", "1e400\n" },
    { "9223372036854775807", "9223372036854775807\n" },
    { "18446744073709551615", "18446744073709551615\n" },
    { "18446744073709551616", "1.8446744073709552e+19\n" },
    { "-9223372036854775808", "-9223372036854775808\n" },
    { "-9223372036854775809", "-9.223372036854776e+18\n" },
    { "0.1", "0.1\n" },
    { "100000000000000000000000", "1e+23\n" },
    { "\"\"", "\"\"\n" },
    { "\" \"", "' '\n" },
    { "\"a\"", "a\n" },
    { "\" a\"", "' a'\n" },
    { "\"a \"", "'a '\n" },
    { "\"a b\"", "a b\n" },
    { "\"yes\"", "\"yes\"\n" },
    { "\"Yes\"", "\"Yes\"\n" },
    { "\"yEs\"", "yEs\n" },
    { "\"no\"", "\"no\"\n" },
    { "\"on\"", "\"on\"\n" },
    { "\"off\"", "\"off\"\n" },
    { "\"y\"", "\"y\"\n" },
    { "\"n\"", "\"n\"\n" },
    { "\"true\"", "\"true\"\n" },
    { "\"null\"", "\"null\"\n" },
    { "\"~\"", "\"~\"\n" },
    { "\"1\"", "\"1\"\n" },
    { "\"-1\"", "\"-1\"\n" },
    { "\"1.5\"", "\"1.5\"\n" },
    { "\".5\"", "\".5\"\n" },
    { "\"1e3\"", "\"1e3\"\n" },
    { "\"0x1f\"", "\"0x1f\"\n" },
    { "\"0o17\"", "\"0o17\"\n" },
    { "\"017\"", "\"017\"\n" },
    { "\"08\"", "\"08\"\n" },
    { "\"1_000\"", "\"1_000\"\n" },
    { "\".inf\"", "\".inf\"\n" },
    { "\".nan\"", "\".nan\"\n" },
    { "\"<<\"", "<<\n" },
    { "\"=\"", "=\n" },
    { "\"1:30\"", "\"1:30\"\n" },
    { "\"190:20:30.15\"", "\"190:20:30.15\"\n" },
    { "\"1:60\"", "1:60\n" },
    { "\"2001-01-01\"", "\"2001-01-01\"\n" },
    { "\"2001-01-01T10:00:00Z\"", "\"2001-01-01T10:00:00Z\"\n" },
    { "\"2001-01-01x\"", "2001-01-01x\n" },
    { "\"1.2.3.4\"", "1.2.3.4\n" },
    { "\"100m\"", "100m\n" },
    { "\"v1\"", "v1\n" },
    { "\"+\"", "+\n" },
    { "\"-\"", "'-'\n" },
    { "\".\"", ".\n" },
    { "\"..\"", "..\n" },
    { "\"...\"", "'...'\n" },
    { "\"---\"", "'---'\n" },
    { "\"--- a\"", "'--- a'\n" },
    { "\"...a\"", "'...a'\n" },
    { "\"--\"", "--\n" },
    { "\"-a\"", "-a\n" },
    { "\"- a\"", "'- a'\n" },
    { "\"?\"", "'?'\n" },
    { "\"? a\"", "'? a'\n" },
    { "\"?a\"", "?a\n" },
    { "\":\"", "':'\n" },
    { "\": a\"", "': a'\n" },
    { "\":a\"", ":a\n" },
    { "\"a:\"", "'a:'\n" },
    { "\"a: b\"", "'a: b'\n" },
    { "\"a:b\"", "a:b\n" },
    { "\"a #b\"", "'a #b'\n" },
    { "\"a#b\"", "a#b\n" },
    { "\"#a\"", "'#a'\n" },
    { "\",\"", "','\n" },
    { "\"a,b\"", "a,b\n" },
    { "\"[a\"", "'[a'\n" },
    { "\"a[\"", "a[\n" },
    { "\"]\"", "']'\n" },
    { "\"{a\"", "'{a'\n" },
    { "\"}\"", "'}'\n" },
    { "\"&a\"", "'&a'\n" },
    { "\"a&\"", "a&\n" },
    { "\"*a\"", "'*a'\n" },
    { "\"!a\"", "'!a'\n" },
    { "\"|a\"", "'|a'\n" },
    { "\">a\"", "'>a'\n" },
    { "\"'a'\"", "'''a'''\n" },
    { "\"it's\"", "it's\n" },
    { "\"\\\"a\\\"\"", "'\"a\"'\n" },
    { "\"a\\\"b\"", "a\"b\n" },
    { "\"%a\"", "'%a'\n" },
    { "\"@a\"", "'@a'\n" },
    { "\"`a`\"", "'`a`'\n" },
    { "\"\\\\\"", "\\\n" },
    { "\"a\\\\b\"", "a\\b\n" },
    { "\"a:\\tb\"", "\"a:\\tb\"\n" },
    { "\"a\\tb\"", "\"a\\tb\"\n" },
    { "\"\\ta\"", "\"\\ta\"\n" },
    { "\"a:\\t\"", "\"a:\\t\"\n" },
    { "\"#\"", "'#'\n" },
    { "\"a\\t#b\"", "\"a\\t#b\"\n" },
    { "\"a\\nb\"", "|-\n  a\n  b\n" },
    { "\"a\\nb\\n\"", "|\n  a\n  b\n" },
    { "\"a\\n\\n\"", "|+\n  a\n\n" },
    { "\"a\\nb\\n\\n\\n\"", "|+\n  a\n  b\n\n\n" },
    { "\"\\na\"", "|2-\n\n  a\n" },
    { "\"\\n\"", "|2+\n\n" },
    { "\"\\n\\n\"", "|2+\n\n\n" },
    { "\" a\\nb\"", "|2-\n   a\n  b\n" },
    { "\"a \\nb\"", "\"a \\nb\"\n" },
    { "\"a\\n b\"", "|-\n  a\n   b\n" },
    { "\"a\\nb \"", "\"a\\nb \"\n" },
    { "\"a\\n \"", "\"a\\n \"\n" },
    { "\"a\\tb\\nc\"", "\"a\\tb\\nc\"\n" },
    { "\"a\\n\\tb\"", "\"a\\n\\tb\"\n" },
    { "\"a\\n\\n\\nb\\n\"", "|\n  a\n\n\n  b\n" },
    { "\"a\\r\\nb\"", "\"a\\r\\nb\"\n" },
    { "\"a\\n\303\251\\n\"", "|\n  a\n  \303\251\n" },
    { "\"a\\n\360\237\230\200\"", "\"a\\n\\U0001F600\"\n" },
    { "\"\\n\\n \"", "\"\\n\\n \"\n" },
    { "\"x\\n\\u2028\"", "|+\n  x\n\342\200\250" },
    { "\"x\\n\\u0085\"", "\"x\\n\\N\"\n" },
    { "\"\303\251\"", "\303\251\n" },
    { "\"\346\227\245\346\234\254\"", "\346\227\245\346\234\254\n" },
    { "\"\360\237\230\200\"", "\"\\U0001F600\"\n" },
    { "\"a\360\237\230\200b\"", "\"a\\U0001F600b\"\n" },
    { "\"\\u0001\"", "\"\\x01\"\n" },
    { "\"\\u0000\"", "\"\\0\"\n" },
    { "\"\\u001b\"", "\"\\e\"\n" },
    { "\"\\u0007\\b\\u000b\\f\\r\"", "\"\\a\\b\\v\\f\\r\"\n" },
    { "\"\\u007f\"", "\"\\x7F\"\n" },
    { "\"\\u0080\"", "\"\\x80\"\n" },
    { "\"\\u0085\"", "\"\\N\"\n" },
    { "\"\302\240\"", "\302\240\n" },
    { "\"a\302\240\"", "a\302\240\n" },
    { "\"\\u2028\"", "'\342\200\250'\n" },
    { "\"a\\u2028b\"", "'a\342\200\250  b'\n" },
    { "\"a\\u2028 b\"", "\"a\\L b\"\n" },
    { "\"it's\\u2029\"", "'it''s\342\200\251'\n" },
    { "\"\\ufeff\"", "\"\\uFEFF\"\n" },
    { "\"\\ufeffa b\"", "\"\\uFEFF\\x61\\x20\\x62\"\n" },
    { "\"a\\ufeffb\"", "\"a\\uFEFFb\"\n" },
    { "\"\357\277\275\"", "\357\277\275\n" },
    { "\"\356\200\200\"", "\356\200\200\n" },
    { "\"word word word word word word word word word word word word word wor"
      "d word word word word\"",
      "word word word word word word word word word word word word word wor"
      "d word word word\n  word\n" },
    { "\"word word word word word word word word word word word word word wor"
      "d word word word word \"",
      "'word word word word word word word word word word word word word wo"
      "rd word word word\n  word '\n" },
    { "\"word word word word word word word word word word word word word wor"
      "d word word word word: x\"",
      "'word word word word word word word word word word word word word wo"
      "rd word word word\n  word: x'\n" },
    { "\"word word word word word word word word word word word word word wor"
      "d word word word word\\tx\"",
      "\"word word word word word word word word word word word word word w"
      "ord word word word\n  word\\tx\"\n" },
    { "\"word  word  word  word  word  word  word  word  word  word  word  wo"
      "rd  word  word  word  \\tx\"",
      "\"word  word  word  word  word  word  word  word  word  word  word  "
      "word  word  word\n  \\ word  \\tx\"\n" },
    { "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
      "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx y z\"",
      "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
      "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n  y z\n" },
    { "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
      "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx  y z\"",
      "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
      "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx  y\n  z\n" },
    { "\"'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
      "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx y  z\"",
      "'''xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
      "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n  y  z'\n" },
    { "\"\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227"
      "\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346"
      "\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245"
      "\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227"
      "\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346"
      "\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245"
      "\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227"
      "\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346"
      "\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245"
      "\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227"
      "\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346"
      "\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245"
      "\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227"
      "\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245 a b\"",
      "\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227"
      "\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346"
      "\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245"
      "\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227"
      "\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346"
      "\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245"
      "\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227"
      "\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346"
      "\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245"
      "\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227"
      "\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346"
      "\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245"
      "\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227"
      "\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245 a\n"
      "  b\n" },
    { "{\"k\":\"word word word word word word word word word word word word w"
      "ord word word word word word\"}",
      "k: word word word word word word word word word word word word word "
      "word word word\n  word word\n" },
    { "[\"word word word word word word word word word word word word word wo"
      "rd word word word word\"]",
      "- word word word word word word word word word word word word word w"
      "ord word word\n  word word\n" },
    { "{\"k\":[{\"j\":\"word word word word word word word word word word wor"
      "d word word word word word word word\\u0001\"}]}",
      "k:\n- j: \"word word word word word word word word word word word wo"
      "rd word word word word\n    word word\\x01\"\n" },
    { "\"word word word word word word word word word word word word word wor"
      "d word word word word \\nword word word word word word word word word "
      "word word word word word word word word word x\"",
      "\"word word word word word word word word word word word word word w"
      "ord word word word\n  word \\nword word word word word word word wor"
      "d word word word word word word word\n  word word word x\"\n" },
    { "{\"a\\nb\":1}", "? |-\n  a\n  b\n: 1\n" },
    { "{\"a\\nb\":[1]}", "? |-\n  a\n  b\n: - 1\n" },
    { "{\"a\\nb\":{\"c\":1}}", "? |-\n  a\n  b\n: c: 1\n" },
    { "{\"a\\u2028b\":1}", "? 'a\342\200\250  b'\n: 1\n" },
    { "{\"kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"
      "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk\":1}",
      "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"
      "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk: 1\n" },
    { "{\"kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"
      "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk\":1}",
      "? kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"
      "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk\n: 1"
      "\n" },
    { "{\"kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"
      "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk\":[1,2]"
      "}",
      "? kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"
      "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk\n: -"
      " 1\n  - 2\n" },
    { "{\"kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"
      "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk\":{\"b"
      "\":1}}",
      "? kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"
      "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk\n: b"
      ": 1\n" },
    { "{\"\\u0001\":5,\" \":4,\"1\":2,\"a: b\":3,\"yes\":1}",
      "\"\\x01\": 5\n' ': 4\n\"1\": 2\n'a: b': 3\n\"yes\": 1\n" },
    { "{\"word word word word word word word word word word word word word wo"
      "rd word word word word\":\"v\"}",
      "word word word word word word word word word word word word word wor"
      "d word word word word: v\n" },
    { "[\"a\\nb\"]", "- |-\n  a\n  b\n" },
    { "{\"a\":\"b\\nc\\n\",\"d\":\"e\\n\\n\",\"f\":1}",
      "a: |\n  b\n  c\nd: |+\n  e\n\nf: 1\n" },
    { "{\"a\":[\"b\\nc\"]}", "a:\n- |-\n  b\n  c\n" },
    { "[{\"a\":\"b\\n\"}]", "- a: |\n    b\n" },
    { "{\"-\":1,\"1\":1,\"10\":1,\"2\":1,\"A\":1,\"B\":1,\"_\":1,\"a\":1,\"a-"
      "b\":1,\"a.b\":1,\"a/b\":1,\"a1\":1,\"a10\":1,\"a2\":1,\"ab\":1,\"b\":1"
      "}",
      "'-': 1\n_: 1\n\"1\": 1\n\"2\": 1\n\"10\": 1\nA: 1\nB: 1\na: 1\na-b: "
      "1\na.b: 1\na/b: 1\na1: 1\na2: 1\na10: 1\nab: 1\nb: 1\n" },
    { "{\"a0\":1,\"a001\":1,\"a01\":1,\"a1\":1,\"a10\":1,\"a100\":1}",
      "a0: 1\na1: 1\na01: 1\na001: 1\na10: 1\na100: 1\n" },
    { "{\"5\":1,\"e\":1,\"z\":1,\"\303\251\":1,\"\331\243\":1,\"\346\227\245"
      "\":1}",
      "\"5\": 1\n\331\243: 1\ne: 1\nz: 1\n\303\251: 1\n\346\227\245: 1\n" },
    { "{\"1.10\":1,\"1.100\":1,\"1.9\":1,\"v1\":1,\"v1beta1\":1,\"v2\":1}",
      "\"1.9\": 1\n\"1.10\": 1\n\"1.100\": 1\nv1: 1\nv1beta1: 1\nv2: 1\n" },
};

static struct yl_arena *arena;

/* 'json' as YAML, for the caller to free. */
static char *
to_yaml(const char *json, struct yl_node **ret_root)
{
    struct yl_node *root;
    struct yl_buf buf;

    assert_int_equal(yl_tree_parse(arena, yl_str_c(json), NULL, &root, NULL),
                     0);
    yl_buf_init(&buf, 64 << 20);
    yl_yaml_write(&buf, root);
    assert_int_equal(yl_buf_error(&buf), 0);
    *ret_root = root;
    return yl_buf_detach(&buf);
}

/* What 'json' becomes as YAML must read as equal to it. */
static void
check_back(const char *json)
{
    struct yl_yaml_opts opts = { .refuse_duplicates = true };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *root, *back;
    char *yaml = to_yaml(json, &root);

    if (yl_yaml_parse(arena, yl_str_c(yaml), &opts, &back, &err) < 0) {
        fail_msg("%s: %s", yl_error_message(&err), yaml);
    }
    if (!yl_node_equal(root, back)) {
        fail_msg("%s is something else than %s", yaml, json);
    }
    free(yaml);
}

TEST(writes_byte_for_byte)
{
    size_t i;

    arena = yl_arena_new();
    for (i = 0; i < YL_ARRAY_SIZE(rows); i++) {
        struct yl_node *root;
        char *yaml = to_yaml(rows[i].json, &root);

        if (strcmp(yaml, rows[i].yaml)) {
            fail_msg("%s gave\n%s, not\n%s", rows[i].json, yaml,
                     rows[i].yaml);
        }
        free(yaml);
    }
    yl_arena_free(arena);
}

TEST(goes_there_and_back)
{
    size_t i;

    arena = yl_arena_new();
    for (i = 0; i < YL_ARRAY_SIZE(rows); i++) {
        /* What no double holds comes back as a string, as with kubectl. */
        if (strcmp(rows[i].json, "1e400")) {
            check_back(rows[i].json);
        }
    }
    yl_arena_free(arena);
}

TEST(a_tree_that_was_changed_is_written_too)
{
    struct yl_node *root;
    struct yl_buf buf;
    char *yaml;

    arena = yl_arena_new();
    yaml = to_yaml("{\"b\":1}", &root);
    free(yaml);
    yl_node_set(arena, root, YL_STR("a"),
                yl_node_new_string(arena, YL_STR("x\ny")));
    yl_buf_init(&buf, 100);
    yl_yaml_write(&buf, root);
    assert_str_equal(yl_buf_str(&buf), "a: |-\n  x\n  y\nb: 1\n");
    yl_buf_release(&buf);
    yl_arena_free(arena);
}

TEST(the_ceiling_of_the_buffer_holds)
{
    struct yl_node *root;
    struct yl_buf buf;

    arena = yl_arena_new();
    assert_int_equal(yl_tree_parse(arena, YL_STR("[[1,2],{\"a\":\"b\"}]"),
                                   NULL, &root, NULL), 0);
    yl_buf_init(&buf, 5);
    yl_yaml_write(&buf, root);
    assert_int_equal(yl_buf_error(&buf), YL_ETOOBIG);
    yl_buf_release(&buf);
    yl_arena_free(arena);
}

TEST(samples_of_every_type_are_written_as_kubectl_does)
{
    glob_t files;
    size_t i;

    assert_int_equal(glob(truth_path("wire/*.json"), 0, NULL, &files), 0);
    for (i = 0; i < files.gl_pathc; i++) {
        const char *path = files.gl_pathv[i];
        char *json = read_file(path, &(size_t) { 0 });
        struct yl_node *root;
        char name[512];
        char *yaml, *want;

        snprintf(name, sizeof name, "%.*syaml", (int) strlen(path) - 4, path);
        want = read_file(name, &(size_t) { 0 });
        arena = yl_arena_new();
        yaml = to_yaml(json, &root);
        assert_string_equal(yaml, want);
        check_back(json);
        yl_arena_free(arena);
        free(yaml);
        free(want);
        free(json);
    }
    globfree(&files);
}
