/* Tests of limits; the words are tested with validation. */

#include "schema/limits.h"

#include "base/arena.h"
#include "json/tree.h"
#include "schema/compile.h"
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
    struct yl_validation v = { .opts = &no_opts, .arena = &arena,
                               .err = &err };
    struct yl_node *keywords, *node;
    struct yl_schema *compiled;
    const struct yl_value *value;
    const struct yl_type_set *set;
    struct yl_limits limits;
    size_t n;

    yl_arena_init(&arena);
    assert_int_equal(yl_tree_parse(&arena, yl_str_c(schema), NULL, &keywords,
                                   NULL), 0);
    assert_int_equal(yl_tree_parse(&arena, yl_str_c(json), NULL, &node, NULL),
                     0);
    assert_int_equal(yl_schema_props_read(&arena, keywords, NULL, &props,
                                          NULL), 0);
    assert_int_equal(yl_schema_compile(props, &opts, &compiled, NULL), 0);
    value = yl_schema_value(compiled);
    set = yl_schema_type(compiled).set;
    yl_limits_read(&limits, set, (enum yl_value_kind) value->kind,
                   value->flags, &set->rules[value->rules], value->n_rules);
    if (yl_limits_check_type(&v, &limits, NULL, node)) {
        yl_limits_check_scalar(&v, &limits, NULL, node);
        if (node->type == YL_JSON_ARRAY) {
            yl_limits_check_items(&v, &limits, NULL, node);
        } else if (node->type == YL_JSON_OBJECT) {
            yl_limits_check_members(&v, &limits, NULL, node);
        }
        yl_limits_check_enum(&v, &limits, NULL, node);
    }
    n = err.n_causes;
    assert_int_equal(v.n_faults, n);
    yl_error_clear(&err);
    yl_schema_unref(compiled);
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
        { "{\"multipleOf\":0.01}", "4.25", 0 },
        { "{\"multipleOf\":0.01}", "4.35", 1 },
        { "{\"multipleOf\":2.5}", "7.5", 0 },
        { "{\"multipleOf\":0.5}", "2", 1 },
        { "{\"maximum\":1.5}", "2", 1 },
        { "{\"type\":\"integer\",\"maximum\":1.5}", "1", 1 },
        { "{\"type\":\"integer\",\"minimum\":1.5}", "1", 2 },
        { "{\"type\":\"integer\"}", "3.00000000001", 1 },
        { "{\"type\":\"integer\",\"minimum\":-9223372036854775808}", "1", 1 },
        { "{\"type\":\"integer\",\"minimum\":-9223372036854774784}", "1", 0 },
        { "{\"type\":\"integer\",\"format\":\"int32\","
          "\"minimum\":-2147483648}", "1", 0 },
        { "{\"type\":\"number\",\"maximum\":1e30}", "1", 1 },
        { "{\"type\":\"number\",\"maximum\":1e30}", "1.5", 0 },
        { "{\"multipleOf\":2.5}", "7", 1 },
        { "{\"minLength\":2,\"maxLength\":3,\"pattern\":\"x\"}", "\"ab\"", 0 },
        { "{\"minLength\":2}", "5", 0 },
        { "{\"minItems\":1,\"maxItems\":2,\"uniqueItems\":true}", "[1,2,1]",
          2 },
        { "{\"minProperties\":1,\"maxProperties\":1}", "{}", 1 },
        { "{\"minProperties\":-1,\"maxProperties\":-1}", "{}", 1 },
        { "{\"minItems\":-1,\"maxItems\":-1}", "[]", 1 },
        { "{\"minLength\":-1,\"maxLength\":-1}", "\"\"", 1 },
        { "{\"enum\":[1,\"a\"]}", "1.0", 0 },
        { "{\"enum\":[1,\"a\"]}", "\"b\"", 1 },
        { "{\"enum\":[]}", "\"b\"", 0 },
        { "{\"enum\":[1]}", "1.5", 0 },
        { "{\"enum\":[1.5]}", "1", 1 },
        { "{\"enum\":[\"A\"]}", "65", 0 },
        { "{\"enum\":[\"\u20ac\"]}", "8364", 0 },
        { "{\"enum\":[\"A\"]}", "65.0", 1 },
        { "{\"enum\":[true]}", "true", 0 },
        { "{\"enum\":[true]}", "false", 1 },
        { "{\"enum\":[null]}", "null", 1 },
        { "{\"enum\":[{\"a\":1}]}", "{\"a\":1}", 0 },
        { "{\"enum\":[[1]]}", "[1.0]", 1 },
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
    static const struct yl_rule rules[] = {
        { YL_RULE_NONE, 1, 0 }, { YL_RULE_TITLE, 1, 0 },
        { YL_RULE_DESCRIPTION, 1, 0 }, { YL_RULE_EXAMPLE, 1, 0 },
        { YL_RULE_CEL, 1, 0 }, { YL_RULE_SCHEMA, 1, 0 },
        { YL_RULE_OTHER, 1, 0 }, { YL_RULE_REQUIRED, 1, 0 },
        { YL_RULE_ALSO, 0, 1 }, { YL_RULE_NOT, 0, 1 },
    };
    struct yl_limits empty, limits;

    yl_limits_read(&empty, &set, YL_VALUE_RAW, 0, NULL, 0);
    yl_limits_read(&limits, &set, YL_VALUE_RAW, 0, rules,
                   sizeof rules / sizeof rules[0]);
    assert_memory_equal(&empty, &limits, sizeof limits);
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
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct yl_rule rule = { YL_RULE_MAX_LENGTH, 0, cases[i].number };

        yl_limits_read(&limits, &set, YL_VALUE_STRING, 0, &rule, 1);
        assert_int_equal(limits.max_length, cases[i].count);
    }
}
