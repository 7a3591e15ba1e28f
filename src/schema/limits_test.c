/* Tests of limits; the words are tested with validation. */

#include "schema/limits.h"

#include "base/arena.h"
#include "json/tree.h"
#include "schema/compile.h"
#include "schema/keyword.h"
#include "schema/parsed.h"
#include "schema/props.h"
#include "unit.h"
#include "yuloh/error.h"

/* How many faults 'json' has by the keywords of 'schema'. */
static size_t
faults(const char *schema, const char *json)
{
    struct yl_schema_opts opts = { .any = true };
    static const struct yl_validate_opts no_opts;
    const struct yl_schema_props *props;
    struct yl_error err = YL_ERROR_INIT;
    struct yl_arena arena;
    struct yl_validation v = { &no_opts, &arena, &err, 0, NULL };
    struct yl_node *keywords, *node;
    struct yl_schema *compiled;
    const struct yl_value *value;
    struct yl_parsed parsed;
    struct yl_limits limits;
    size_t n, i;

    yl_arena_init(&arena);
    yl_parsed_init(&parsed, &arena);
    assert_int_equal(yl_tree_parse(&arena, yl_str_c(schema), NULL, &keywords,
                                   NULL), 0);
    assert_int_equal(yl_tree_parse(&arena, yl_str_c(json), NULL, &node, NULL),
                     0);
    assert_int_equal(yl_schema_props_read(&arena, keywords, NULL, &props,
                                          NULL), 0);
    assert_int_equal(yl_schema_compile(props, &opts, &compiled, NULL), 0);
    value = yl_schema_value(compiled);
    yl_limits_init(&limits);
    limits.types = value->kind == YL_VALUE_INT_OR_STRING
                       ? "integer,string" : yl_type_words(value->kind).type;
    limits.types = value->flags & YL_VALUE_UNTYPED ? NULL : limits.types;
    limits.format = yl_type_words(value->kind).format;
    limits.nullable = value->flags & YL_VALUE_NULLABLE;
    for (i = 0; i < value->n_rules; i++) {
        const struct yl_type_set *set = yl_schema_type(compiled).set;

        yl_limits_add_rule(&limits, &parsed, set,
                           &set->rules[value->rules + i]);
    }
    if (yl_limits_check_type(&v, &limits, NULL, node)) {
        yl_limits_check(&v, &limits, NULL, node);
    }
    n = err.n_causes;
    yl_error_clear(&err);
    yl_schema_unref(compiled);
    yl_parsed_release(&parsed);
    yl_arena_release(&arena);
    return n;
}

TEST(keywords_of_a_schema_are_limits)
{
    static const struct {
        const char *schema, *json;
        size_t n;
    } cases[] = {
        { "{}", "[1,{}]", 0 },
        { "{\"type\":\"\"}", "1", 0 },
        { "{\"type\":\"string\"}", "1", 1 },
        { "{\"type\":\"string\",\"nullable\":true}", "null", 0 },
        { "{\"x-kubernetes-int-or-string\":true}", "\"1\"", 0 },
        { "{\"x-kubernetes-int-or-string\":true}", "1.5", 1 },
        { "{\"type\":\"integer\",\"format\":\"int64\"}", "1.5", 1 },
        { "{\"type\":\"number\",\"format\":\"double\"}", "1e300", 0 },
        { "{\"minimum\":1,\"exclusiveMinimum\":true}", "1", 1 },
        { "{\"maximum\":1,\"exclusiveMaximum\":true}", "1", 1 },
        { "{\"minimum\":1,\"maximum\":2,\"multipleOf\":2}", "3", 2 },
        { "{\"multipleOf\":0.01}", "4.35", 0 },
        { "{\"multipleOf\":2.5}", "7", 1 },
        { "{\"minLength\":2,\"maxLength\":3,\"pattern\":\"x\"}", "\"ab\"", 0 },
        { "{\"minLength\":2}", "5", 0 },
        { "{\"minItems\":1,\"maxItems\":2,\"uniqueItems\":true}", "[1,2,1]",
          2 },
        { "{\"minProperties\":1,\"maxProperties\":1}", "{}", 1 },
        { "{\"enum\":[1,\"a\"]}", "1.0", 0 },
        { "{\"enum\":[1,\"a\"]}", "\"b\"", 1 },
        { "{\"enum\":[]}", "\"b\"", 0 },
        { "{\"format\":\"ipv4\"}", "\"x\"", 1 },
        { "{\"format\":\"nonsense\"}", "\"x\"", 0 },
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (faults(cases[i].schema, cases[i].json) != cases[i].n) {
            fail_msg("%s %s", cases[i].schema, cases[i].json);
        }
    }
}

TEST(rules_without_limits_are_left_out)
{
    static const char strings[] = "\0text";
    static const struct yl_type_set set = { .strings = strings };
    static const enum yl_rule_op ops[] = {
        YL_RULE_NONE, YL_RULE_TITLE, YL_RULE_DESCRIPTION, YL_RULE_EXAMPLE,
        YL_RULE_CEL, YL_RULE_SCHEMA, YL_RULE_ENUM, YL_RULE_OTHER,
        YL_RULE_REQUIRED,
    };
    struct yl_limits empty, limits;
    struct yl_parsed parsed;
    struct yl_arena arena;
    size_t i;

    yl_arena_init(&arena);
    yl_parsed_init(&parsed, &arena);
    yl_limits_init(&empty);
    yl_limits_init(&limits);
    for (i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        struct yl_rule rule = { (uint16_t) ops[i], 1, 0 };

        yl_limits_add_rule(&limits, &parsed, &set, &rule);
    }
    assert_memory_equal(&empty, &limits, sizeof limits);
    yl_parsed_release(&parsed);
    yl_arena_release(&arena);
}

TEST(counts_stay_within_their_numbers)
{
    static const struct yl_type_set set = { .strings = "" };
    static const struct {
        double number;
        int64_t count;
    } cases[] = {
        { 0, 0 }, { 5, 5 }, { 0x1p53, (int64_t) 1 << 53 }, { -1, -1 },
        { -1e300, -1 }, { 0x1p63, INT64_MAX }, { 1e300, INT64_MAX },
    };
    struct yl_limits limits;
    struct yl_parsed parsed;
    struct yl_arena arena;
    size_t i;

    yl_arena_init(&arena);
    yl_parsed_init(&parsed, &arena);
    yl_limits_init(&limits);
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct yl_rule rule = { YL_RULE_MAX_LENGTH, 0, cases[i].number };

        yl_limits_add_rule(&limits, &parsed, &set, &rule);
        assert_int_equal(limits.max_length, cases[i].count);
    }
    yl_parsed_release(&parsed);
    yl_arena_release(&arena);
}
