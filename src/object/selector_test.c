/* Tests of label selectors.  The tables were compared with apimachinery's own
 * answers. */

#include "yuloh/selector.h"

#include "unit.h"
#include "yuloh/arena.h"

#define QUALIFIED                                                             \
    "name part must consist of alphanumeric characters, '-', '_' or '.', "    \
    "and must start and end with an alphanumeric character (e.g. 'MyName',  " \
    "or 'my.name',  or '123-abc', regex used for validation is "              \
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
#define VALUE                                                                 \
    "a valid label must be an empty string or consist of alphanumeric "       \
    "characters, '-', '_' or '.', and must start and end with an "            \
    "alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', "   \
    "regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?"            \
    "[A-Za-z0-9])?')"
#define OPERATORS "in, notin, =, ==, !=, gt, lt"

static const struct {
    const char *text, *again;
} good[] = {
    { "", "" },
    { "  \t", "" },
    { "a", "a" },
    { "!a", "!a" },
    { " a = b ", "a=b" },
    { "a==b", "a==b" },
    { "a!=b", "a!=b" },
    { "a=", "a=" },
    { "a=,b", "a=,b" },
    { "c=1,a=2,b=3", "a=2,b=3,c=1" },
    { "a!=2,a=1,a", "a!=2,a=1,a" },
    { "a in (y,x,y)", "a in (x,y)" },
    { "a notin(x)", "a notin (x)" },
    { "a in ()", "a in ()" },
    { "a in (,)", "a in ()" },
    { "a in (,x)", "a in (,x)" },
    { "a in (x,,y)", "a in (,x,y)" },
    { "a in (x,)", "a in (,x)" },
    { "a in (,,,)", "a in ()" },
    { "in in (in,notin)", "in in (in,notin)" },
    { "notin", "notin" },
    { "n>5,n<10", "n>5,n<10" },
    { "n>+5", NULL },
    { "example.com/a=b", "example.com/a=b" },
};

TEST(texts_are_read_and_written_in_order)
{
    struct yl_arena *arena = yl_arena_new();
    const struct yl_selector *selector;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(good); i++) {
        int r = yl_selector_parse(yl_str_c(good[i].text), arena, &selector,
                                  NULL);

        assert_int_equal(r, good[i].again ? 0 : YL_EINVALID);
        if (r == 0) {
            assert_str_equal(yl_selector_text(selector, arena),
                             good[i].again);
        }
    }
    yl_arena_free(arena);
}

static const struct {
    struct yl_str text;
    const char *message;
} bad[] = {
    { YL_STR_INIT(","),
      "found ',', expected: !, identifier, or 'end of string'" },
    { YL_STR_INIT("a,"), "found '', expected: identifier after ','" },
    { YL_STR_INIT("a,,b"), "found ',', expected: identifier after ','" },
    { YL_STR_INIT("a=b c"), "found 'c', expected: ',' or 'end of string'" },
    { YL_STR_INIT("!a=b"), "found '=', expected: ',' or 'end of string'" },
    { YL_STR_INIT("!"),
      "unable to parse requirement: found '', expected: identifier" },
    { YL_STR_INIT("a b"),
      "unable to parse requirement: found 'b', expected: " OPERATORS },
    { YL_STR_INIT("a!"),
      "unable to parse requirement: found '!', expected: " OPERATORS },
    { YL_STR_INIT("a=("),
      "unable to parse requirement: found '(', expected: identifier" },
    { YL_STR_INIT("a in b"),
      "unable to parse requirement: found 'b' expected: '('" },
    { YL_STR_INIT("a in ("),
      "unable to parse requirement: found '', expected: ',', ')' or "
      "identifier" },
    { YL_STR_INIT("a in (b"),
      "unable to parse requirement: found '', expected: ',' or ')'" },
    { YL_STR_INIT("a in (b,"),
      "unable to parse requirement: found '', expected: ',', or identifier" },
    { YL_STR_INIT("_a"),
      "unable to parse requirement: <nil>: Invalid value: \"_a\": "
      QUALIFIED },
    { YL_STR_INIT("a=-"),
      "unable to parse requirement: values[0][a]: Invalid value: \"-\": "
      VALUE },
    { YL_STR_INIT("a in (-,_)"),
      "unable to parse requirement: [values[0][a]: Invalid value: \"-\": "
      VALUE ", values[1][a]: Invalid value: \"_\": " VALUE "]" },
    { YL_STR_INIT("a>x"),
      "unable to parse requirement: values[0]: Invalid value: \"x\": for "
      "'Gt', 'Lt' operators, the value must be an integer" },
    { YL_STR_INIT("a>-5"),
      "unable to parse requirement: values[0][a]: Invalid value: \"-5\": "
      VALUE },
    { YL_STR_INIT("a<"),
      "unable to parse requirement: values[0]: Invalid value: \"\": for "
      "'Gt', 'Lt' operators, the value must be an integer" },
    { YL_STR_INIT("a\0b"),
      "unable to parse requirement: found 'b', expected: " OPERATORS },
};

TEST(malformed_texts_get_upstream_s_messages)
{
    const struct yl_selector *selector = yl_selector_nothing();
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(bad); i++) {
        assert_int_equal(yl_selector_parse(bad[i].text, arena, &selector,
                                           &err), YL_EINVALID);
        assert_string_equal(yl_error_message(&err), bad[i].message);
    }
    assert_ptr_equal(selector, yl_selector_nothing());
    assert_int_equal(yl_selector_parse(YL_STR("a b"), arena, &selector, NULL),
                     YL_EINVALID);
    yl_error_clear(&err);
    yl_arena_free(arena);
}

TEST(nul_behind_a_blank_ends_the_text)
{
    struct yl_arena *arena = yl_arena_new();
    const struct yl_selector *selector;

    assert_int_equal(yl_selector_parse(YL_STR("a=b \0,;("), arena, &selector,
                                       NULL), 0);
    assert_str_equal(yl_selector_text(selector, arena), "a=b");
    yl_arena_free(arena);
}

static const struct {
    const char *selector;
    const char *labels;
    bool matches;
} matches[] = {
    { "", "{}", true },
    { "", "{\"a\":\"b\"}", true },
    { "a", "{\"a\":\"\"}", true },
    { "a", "{}", false },
    { "!a", "{}", true },
    { "!a", "{\"a\":\"\"}", false },
    { "a=b", "{\"a\":\"b\",\"c\":\"d\"}", true },
    { "a=b", "{\"a\":\"bb\"}", false },
    { "a==b", "{\"a\":\"b\"}", true },
    { "a=b", "{\"c\":\"b\"}", false },
    { "a=", "{\"a\":\"\"}", true },
    { "a=", "{}", false },
    { "a!=b", "{}", true },
    { "a!=b", "{\"a\":\"c\"}", true },
    { "a!=b", "{\"a\":\"b\"}", false },
    { "a in (x,y)", "{\"a\":\"y\"}", true },
    { "a in (x,y)", "{\"a\":\"z\"}", false },
    { "a in (x,y)", "{}", false },
    { "a notin (x,y)", "{\"a\":\"z\"}", true },
    { "a notin (x,y)", "{\"a\":\"x\"}", false },
    { "a notin (x,y)", "{}", true },
    { "a>5", "{\"a\":\"6\"}", true },
    { "a>5", "{\"a\":\"+6\"}", true },
    { "a>5", "{\"a\":\"5\"}", false },
    { "a<5", "{\"a\":\"-9\"}", true },
    { "a<5", "{\"a\":\"x\"}", false },
    { "a<5", "{}", false },
    { "a,a=b,a!=c", "{\"a\":\"b\"}", true },
    { "a=b,a=c", "{\"a\":\"b\"}", false },
    { "a=b,c=d", "{\"c\":\"d\",\"a\":\"b\"}", true },
    { "a=b,c=d", "{\"c\":\"d\"}", false },

    /* Escapes say the same. */
    { "a=b", "{\"\\u0061\":\"\\u0062\"}", true },
    { "a=b", "{\"a\":\"b\\n\"}", false },

    /* No labels at all, or not a map of strings. */
    { "a", "null", false },
    { "!a", "[\"a\"]", true },
    { "a", "{\"a\":1}", false },
};

TEST(labels_match_as_upstream_says)
{
    struct yl_arena *arena = yl_arena_new();
    const struct yl_selector *selector;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(matches); i++) {
        struct yl_json labels = yl_json(yl_str_c(matches[i].labels));
        struct yl_json_iter it = yl_json_iter(labels);
        struct yl_label pairs[4];
        size_t n = 0;

        assert_int_equal(yl_selector_parse(yl_str_c(matches[i].selector),
                                           arena, &selector, NULL), 0);
        assert_int_equal(yl_selector_matches(selector, labels),
                         matches[i].matches);
        while (yl_json_type(labels) == YL_JSON_OBJECT && yl_json_next(&it)
               && !it.escaped
               && yl_json_string(it.value, arena, &pairs[n].value) == 0) {
            pairs[n++].key = it.key;
        }
        if (!it.escaped) {
            assert_int_equal(yl_selector_matches_labels(selector, pairs, n),
                             matches[i].matches);
        }
    }
    assert_true(yl_selector_matches(yl_selector_everything(),
                                    yl_json_none()));
    assert_false(yl_selector_matches(yl_selector_nothing(), yl_json_none()));
    assert_false(yl_selector_matches_labels(yl_selector_nothing(), NULL, 0));
    yl_arena_free(arena);
}

TEST(everything_and_nothing_are_known)
{
    struct yl_arena *arena = yl_arena_new();
    const struct yl_selector *selector;
    size_t n;

    assert_int_equal(yl_selector_parse(YL_STR(""), arena, &selector, NULL), 0);
    assert_true(yl_selector_is_everything(selector));
    assert_false(yl_selector_is_nothing(selector));
    selector = yl_selector_nothing();
    assert_false(yl_selector_is_everything(selector));
    assert_true(yl_selector_is_nothing(selector));
    assert_str_equal(yl_selector_text(selector, arena), "");
    yl_selector_requirements(selector, &n);
    assert_int_equal(n, 0);
    yl_arena_free(arena);
}

TEST(exact_values_serve_an_index)
{
    static const struct {
        const char *selector, *value;
    } cases[] = {
        { "a=b", "b" }, { "a==b", "b" }, { "a in (b)", "b" },
        { "c,a=b,d", "b" }, { "a in (b,c)", NULL }, { "a!=b", NULL },
        { "a", NULL }, { "a>5", NULL }, { "b=a", NULL }, { "0=a", NULL },
        { "", NULL }, { "a,a=b", NULL },
    };
    struct yl_arena *arena = yl_arena_new();
    const struct yl_selector *selector;
    struct yl_str value;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        assert_int_equal(yl_selector_parse(yl_str_c(cases[i].selector), arena,
                                           &selector, NULL), 0);
        assert_int_equal(yl_selector_exact_value(selector, YL_STR("a"),
                                                 &value),
                         cases[i].value != NULL);
        if (cases[i].value) {
            assert_str_equal(value, cases[i].value);
        }
    }
    yl_arena_free(arena);
}

TEST(selector_keeps_copies_of_its_strings)
{
    char text[] = "a in (x,y),n>5";
    struct yl_arena *arena = yl_arena_new();
    const struct yl_requirement *requirements;
    const struct yl_selector *selector;
    size_t n;

    assert_int_equal(yl_selector_parse(yl_str_c(text), arena, &selector,
                                       NULL), 0);
    memset(text, '?', sizeof text - 1);
    requirements = yl_selector_requirements(selector, &n);
    assert_int_equal(n, 2);
    assert_str_equal(requirements[0].key, "a");
    assert_int_equal(requirements[0].op, YL_SELECTOR_IN);
    assert_int_equal(requirements[0].n_values, 2);
    assert_str_equal(requirements[0].values[1], "y");
    assert_int_equal(requirements[1].op, YL_SELECTOR_GREATER_THAN);
    assert_int_equal(requirements[1].number, 5);
    yl_arena_free(arena);
}

TEST(ceilings_are_ordinary_errors)
{
    size_t size = YL_SELECTOR_MAX_TEXT + 1, i;
    char *text = malloc(size);
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    const struct yl_selector *selector;

    assert_non_null(text);
    memset(text, 'a', size);
    assert_int_equal(yl_selector_parse(yl_str_n(text, size), arena, &selector,
                                       &err), YL_ETOOBIG);
    assert_string_equal(yl_error_message(&err),
                        "selector is longer than 262144 bytes");
    for (i = 1; i < size; i += 2) {
        text[i] = ',';
    }
    assert_int_equal(yl_selector_parse(
                         yl_str_n(text, YL_SELECTOR_MAX_REQUIREMENTS * 2 + 1),
                         arena, &selector, &err), YL_ETOOBIG);
    assert_string_equal(yl_error_message(&err),
                        "selector has more than 1024 requirements");
    assert_int_equal(yl_selector_parse(
                         yl_str_n(text, YL_SELECTOR_MAX_REQUIREMENTS * 2 - 1),
                         arena, &selector, &err), 0);
    assert_true(yl_selector_matches(selector,
                                    yl_json(YL_STR("{\"a\":\"\"}"))));

    /* As many values as fit, all of them invalid. */
    memcpy(text, "a in (", 6);
    for (i = 6; i + 8 < size; i += 7) {
        snprintf(text + i, 8, "_%05zu,", i / 7);
    }
    text[i - 1] = ')';
    assert_int_equal(yl_selector_parse(yl_str_n(text, i), arena, &selector,
                                       &err), YL_EINVALID);
    assert_true(strlen(yl_error_message(&err)) < 20000);
    yl_error_clear(&err);
    yl_arena_free(arena);
    free(text);
}

TEST(a_long_label_is_equal_to_no_value)
{
    char labels[8192] = "{\"a\":\"\\u0062";
    size_t size = strlen(labels);
    struct yl_arena *arena = yl_arena_new();
    const struct yl_selector *selector;

    memset(labels + size, 'b', 4000);
    memcpy(labels + size + 4000, "\"}", 3);
    assert_int_equal(yl_selector_parse(YL_STR("a!=b"), arena, &selector,
                                       NULL), 0);
    assert_true(yl_selector_matches(selector, yl_json(yl_str_c(labels))));
    yl_arena_free(arena);
}

/* The object form. */

static const struct {
    const char *json, *text;
} objects[] = {
    { "{}", "" },
    { "{\"matchLabels\":{},\"matchExpressions\":[]}", "" },
    { "{\"matchLabels\":null,\"matchExpressions\":null}", "" },
    { "{\"matchLabels\":{\"b\":\"2\",\"\\u0061\":\"\\u0031\"}}", "a=1,b=2" },
    { "{\"matchExpressions\":[{\"key\":\"e\",\"operator\":\"In\","
      "\"values\":[\"y\",\"x\",\"x\"]},{\"key\":\"d\",\"operator\":\"NotIn\","
      "\"values\":[\"z\"]},{\"key\":\"c\",\"operator\":\"Exists\"},"
      "{\"key\":\"b\",\"operator\":\"DoesNotExist\",\"values\":null}],"
      "\"matchLabels\":{\"a\":\"1\"}}",
      "a=1,!b,c,d notin (z),e in (x,x,y)" },
};

TEST(objects_are_read)
{
    struct yl_arena *arena = yl_arena_new();
    const struct yl_selector *selector;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(objects); i++) {
        assert_int_equal(yl_selector_from_json(
                             yl_json(yl_str_c(objects[i].json)), arena,
                             &selector, NULL), 0);
        assert_str_equal(yl_selector_text(selector, arena), objects[i].text);
        assert_int_equal(yl_selector_is_everything(selector),
                         objects[i].text[0] == '\0');
    }
    assert_int_equal(yl_selector_from_json(yl_json_none(), arena, &selector,
                                           NULL), 0);
    assert_true(yl_selector_is_nothing(selector));
    assert_int_equal(yl_selector_from_json(yl_json(YL_STR("null")), arena,
                                           &selector, NULL), 0);
    assert_true(yl_selector_is_nothing(selector));
    yl_arena_free(arena);
}

TEST(objects_meet_the_ceiling_too)
{
    size_t size = (YL_SELECTOR_MAX_REQUIREMENTS + 1) * 40 + 64, n, i;
    char *text = malloc(size);
    struct yl_arena *arena = yl_arena_new();
    const struct yl_selector *selector;

    assert_non_null(text);
    n = (size_t) snprintf(text, size, "{\"matchExpressions\":[");
    for (i = 0; i <= YL_SELECTOR_MAX_REQUIREMENTS; i++) {
        n += (size_t) snprintf(text + n, size - n, "%s{\"key\":\"a\","
                               "\"operator\":\"Exists\"}", i ? "," : "");
    }
    n += (size_t) snprintf(text + n, size - n, "]}");
    assert_int_equal(yl_selector_from_json(yl_json(yl_str_n(text, n)), arena,
                                           &selector, NULL), YL_ETOOBIG);
    yl_arena_free(arena);
    free(text);
}

TEST(plain_maps_are_read)
{
    struct yl_arena *arena = yl_arena_new();
    const struct yl_selector *selector;

    assert_int_equal(yl_selector_from_labels(
                         yl_json(YL_STR("{\"b\":\"2\",\"a\":\"1\"}")), arena,
                         &selector, NULL), 0);
    assert_str_equal(yl_selector_text(selector, arena), "a=1,b=2");
    assert_int_equal(yl_selector_from_labels(yl_json_none(), arena, &selector,
                                             NULL), 0);
    assert_true(yl_selector_is_everything(selector));
    assert_int_equal(yl_selector_from_labels(yl_json(YL_STR("[]")), arena,
                                             &selector, NULL), YL_ETYPE);
    yl_arena_free(arena);
}

static const struct {
    const char *json;
    int code;
    const char *message;
} bad_objects[] = {
    { "[]", YL_ETYPE, "label selector has another type" },
    { "{\"matchLabels\":[]}", YL_ETYPE, "matchLabels has another type" },
    { "{\"matchLabels\":{\"a\":1}}", YL_ETYPE,
      "matchLabels has another type" },
    { "{\"matchExpressions\":{}}", YL_ETYPE,
      "matchExpressions has another type" },
    { "{\"matchExpressions\":[1]}", YL_ETYPE,
      "matchExpressions has another type" },
    { "{\"matchExpressions\":[{\"key\":1}]}", YL_ETYPE,
      "key has another type" },
    { "{\"matchExpressions\":[{\"operator\":1}]}", YL_ETYPE,
      "operator has another type" },
    { "{\"matchExpressions\":[{\"operator\":\"In\",\"values\":{}}]}",
      YL_ETYPE, "values has another type" },
    { "{\"matchExpressions\":[{\"operator\":\"In\",\"values\":[1]}]}",
      YL_ETYPE, "values has another type" },
    { "{\"matchLabels\":{\"a\":\"-\"}}", YL_EINVALID,
      "values[0][a]: Invalid value: \"-\": " VALUE },
    { "{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"Gt\"}]}",
      YL_EINVALID, "\"Gt\" is not a valid label selector operator" },
    { "{\"matchExpressions\":[null]}", YL_EINVALID,
      "\"\" is not a valid label selector operator" },
    { "{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"In\"}]}",
      YL_EINVALID, "values: Invalid value: null: for 'in', 'notin' "
      "operators, values set can't be empty" },
    { "{\"matchExpressions\":[{\"key\":\"_\",\"operator\":\"Exists\","
      "\"values\":[\"x\",\"y\"]}]}",
      YL_EINVALID, "[key: Invalid value: \"_\": " QUALIFIED ", values: "
      "Invalid value: [\"x\",\"y\"]: values set must be empty for exists and "
      "does not exist]" },
};

TEST(bad_objects_get_upstream_s_messages)
{
    struct yl_arena *arena = yl_arena_new();
    const struct yl_selector *selector = NULL;
    struct yl_error err = YL_ERROR_INIT;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(bad_objects); i++) {
        assert_int_equal(yl_selector_from_json(
                             yl_json(yl_str_c(bad_objects[i].json)), arena,
                             &selector, &err), bad_objects[i].code);
        assert_string_equal(yl_error_message(&err), bad_objects[i].message);
    }
    assert_null(selector);
    yl_error_clear(&err);
    yl_arena_free(arena);
}
