#ifndef SCHEMA_KEYWORD_H
#define SCHEMA_KEYWORD_H 1

/* The words of schemas: which keyword says a rule, which type and format say
 * the kind of a value, and how lists and maps are said to be merged.
 *
 * Whoever reads schemas (schema/props.h) and whoever writes them
 * (schema/openapi.h, codegen's CRDs) takes the words from these tables, so
 * that what one writes the other reads. */

#include <stdbool.h>

#include "yuloh/schema.h"
#include "yuloh/str.h"

/* What stands behind a keyword. */
enum yl_keyword_form {
    YL_KEYWORD_NUMBER,          /* Any number. */
    YL_KEYWORD_COUNT,           /* A whole number: maxLength, ... */
    YL_KEYWORD_BOOL,
    YL_KEYWORD_TEXT,
    YL_KEYWORD_ARRAY,
    YL_KEYWORD_JSON,            /* Anything. */
};

struct yl_keyword {
    const char *name;           /* "maxLength" */
    enum yl_keyword_form form;
};

/* The keyword of a rule; NULL of those that are no keyword or more than one
 * (YL_RULE_CEL, YL_RULE_SCHEMA).  Schemas have a limit ("minimum") and a flag
 * that excludes it ("exclusiveMinimum"); YL_RULE_EXCLUSIVE_MINIMUM is the flag
 * here, and both in descriptors. */
const struct yl_keyword *yl_keyword_of(enum yl_rule_op);

/* The rule that a keyword says; YL_RULE_NONE if it says none. */
enum yl_rule_op yl_keyword_find(struct yl_str name);

/* "type" and "format" of the kinds that have them; NULL for no such word. */
struct yl_type_words {
    const char *type, *format;
};

struct yl_type_words yl_type_words(enum yl_value_kind);

/* What x-kubernetes-list-type and x-kubernetes-map-type say, "atomic", ...;
 * NULL of YL_TOPOLOGY_NONE.  And the other way: what a word says of a list, or
 * else of a map or struct; YL_TOPOLOGY_NONE if it says nothing there. */
const char *yl_topology_word(enum yl_topology);
enum yl_topology yl_topology_find(struct yl_str word, bool list);

/* The pattern that controller-gen gives to quantities, by which they are told
 * from other values that are integers or strings. */
#define YL_QUANTITY_PATTERN                                                   \
    YL_QUANTITY_PATTERN_START "(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|"         \
    "([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$"
#define YL_QUANTITY_PATTERN_START "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|"

#endif /* schema/keyword.h */
