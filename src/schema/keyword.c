/* The words of schemas.  See schema/keyword.h. */

#include "schema/keyword.h"

static const struct yl_keyword keywords[] = {
    [YL_RULE_MINIMUM] = { "minimum", YL_KEYWORD_NUMBER },
    [YL_RULE_MAXIMUM] = { "maximum", YL_KEYWORD_NUMBER },
    [YL_RULE_EXCLUSIVE_MINIMUM] = { "exclusiveMinimum", YL_KEYWORD_BOOL },
    [YL_RULE_EXCLUSIVE_MAXIMUM] = { "exclusiveMaximum", YL_KEYWORD_BOOL },
    [YL_RULE_MULTIPLE_OF] = { "multipleOf", YL_KEYWORD_NUMBER },
    [YL_RULE_MIN_LENGTH] = { "minLength", YL_KEYWORD_COUNT },
    [YL_RULE_MAX_LENGTH] = { "maxLength", YL_KEYWORD_COUNT },
    [YL_RULE_MIN_ITEMS] = { "minItems", YL_KEYWORD_COUNT },
    [YL_RULE_MAX_ITEMS] = { "maxItems", YL_KEYWORD_COUNT },
    [YL_RULE_MIN_PROPERTIES] = { "minProperties", YL_KEYWORD_COUNT },
    [YL_RULE_MAX_PROPERTIES] = { "maxProperties", YL_KEYWORD_COUNT },
    [YL_RULE_UNIQUE_ITEMS] = { "uniqueItems", YL_KEYWORD_BOOL },
    [YL_RULE_PATTERN] = { "pattern", YL_KEYWORD_TEXT },
    [YL_RULE_FORMAT] = { "format", YL_KEYWORD_TEXT },
    [YL_RULE_ENUM] = { "enum", YL_KEYWORD_ARRAY },
    [YL_RULE_TITLE] = { "title", YL_KEYWORD_TEXT },
    [YL_RULE_DESCRIPTION] = { "description", YL_KEYWORD_TEXT },
    [YL_RULE_EXAMPLE] = { "example", YL_KEYWORD_JSON },
};

const struct yl_keyword *
yl_keyword_of(enum yl_rule_op op)
{
    return op < YL_ARRAY_SIZE(keywords) && keywords[op].name ? &keywords[op]
                                                             : NULL;
}

enum yl_rule_op
yl_keyword_find(struct yl_str name)
{
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(keywords); i++) {
        if (keywords[i].name && yl_str_equal_c(name, keywords[i].name)) {
            return (enum yl_rule_op) i;
        }
    }
    return YL_RULE_NONE;
}

struct yl_type_words
yl_type_words(enum yl_value_kind kind)
{
    static const struct yl_type_words words[] = {
        [YL_VALUE_BOOL] = { "boolean", NULL },
        [YL_VALUE_INT32] = { "integer", "int32" },
        [YL_VALUE_INT64] = { "integer", "int64" },
        [YL_VALUE_DOUBLE] = { "number", NULL },
        [YL_VALUE_STRING] = { "string", NULL },
        [YL_VALUE_BYTES] = { "string", "byte" },
        [YL_VALUE_TIME] = { "string", "date-time" },
        [YL_VALUE_MICRO_TIME] = { "string", "date-time" },
        [YL_VALUE_DURATION] = { "string", NULL },
        [YL_VALUE_EMBEDDED] = { "object", NULL },
        [YL_VALUE_STRUCT] = { "object", NULL },
        [YL_VALUE_LIST] = { "array", NULL },
        [YL_VALUE_MAP] = { "object", NULL },
    };
    static const struct yl_type_words none;

    return kind < YL_ARRAY_SIZE(words) ? words[kind] : none;
}

const char *
yl_topology_word(enum yl_topology topology)
{
    static const char *const words[] = {
        [YL_TOPOLOGY_ATOMIC] = "atomic",
        [YL_TOPOLOGY_SET] = "set",
        [YL_TOPOLOGY_MAP] = "map",
        [YL_TOPOLOGY_GRANULAR] = "granular",
    };

    return topology < YL_ARRAY_SIZE(words) ? words[topology] : NULL;
}

enum yl_topology
yl_topology_find(struct yl_str word, bool list)
{
    static const enum yl_topology of_lists[] = {
        YL_TOPOLOGY_ATOMIC, YL_TOPOLOGY_SET, YL_TOPOLOGY_MAP,
    };
    static const enum yl_topology of_maps[] = {
        YL_TOPOLOGY_ATOMIC, YL_TOPOLOGY_GRANULAR,
    };
    const enum yl_topology *of = list ? of_lists : of_maps;
    size_t n = list ? YL_ARRAY_SIZE(of_lists) : YL_ARRAY_SIZE(of_maps), i;

    for (i = 0; i < n; i++) {
        if (yl_str_equal_c(word, yl_topology_word(of[i]))) {
            return of[i];
        }
    }
    return YL_TOPOLOGY_NONE;
}
