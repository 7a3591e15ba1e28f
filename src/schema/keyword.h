#ifndef SCHEMA_KEYWORD_H
#define SCHEMA_KEYWORD_H 1

/* The words of schemas: which keyword stands for a rule, which type and format
 * for the kind of a value, and how lists and maps are merged.
 *
 * The reader of schemas (schema/props.h) and the writers (schema/openapi.h,
 * codegen's CRDs) take the words from these tables, so that what is written
 * can be read again. */

#include <stdbool.h>

#include "yuloh/schema.h"
#include "yuloh/str.h"

/* The type of a keyword's value. */
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

/* The keyword of a rule; NULL for rules that are not exactly one keyword
 * (YL_RULE_CEL, YL_RULE_SCHEMA).  Schemas have a limit ("minimum") and a flag
 * that excludes it ("exclusiveMinimum"); YL_RULE_EXCLUSIVE_MINIMUM is the flag
 * here, and both in descriptors. */
const struct yl_keyword *yl_keyword_of(enum yl_rule_op);

/* The rule of a keyword; YL_RULE_NONE if it has none. */
enum yl_rule_op yl_keyword_find(struct yl_str name);

/* "type" and "format" of the kinds that have them; NULL for no such word. */
struct yl_type_words {
    const char *type, *format;
};

struct yl_type_words yl_type_words(enum yl_value_kind);

/* The words of x-kubernetes-list-type and x-kubernetes-map-type, "atomic",
 * ...; NULL for YL_TOPOLOGY_NONE.  And the other way: the topology of a list,
 * or else of a map or struct, for a word; YL_TOPOLOGY_NONE if there is no such
 * word. */
const char *yl_topology_word(enum yl_topology);
enum yl_topology yl_topology_find(struct yl_str word, bool list);

/* The pattern that controller-gen gives to quantities, by which they are told
 * from other values that are integers or strings. */
#define YL_QUANTITY_PATTERN                                                   \
    YL_QUANTITY_PATTERN_START "(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|"         \
    "([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$"
#define YL_QUANTITY_PATTERN_START "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|"

#endif /* schema/keyword.h */
