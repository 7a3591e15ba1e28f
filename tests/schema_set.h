#ifndef TESTS_SCHEMA_SET_H
#define TESTS_SCHEMA_SET_H 1

/* Descriptors from a few lines of text, for tests of src/schema.
 *
 *     type Spec preserve
 *     replicas pointer default=1 minimum=0 : int32
 *     ports merge=port listMap=port : [] Port
 *     labels each:maxLength=3 : {} string
 *
 * A line "type NAME [preserve]" starts a type, which is number 1, 2, ... of
 * the set and may use the ones of other lines.  The others are fields, in any
 * order: name, words, a colon, and the type: [] and {} for lists and maps,
 * then bool, int32, int64, double, string, bytes, time, microTime, duration,
 * quantity, intOrString, raw, embedded or the name of a type.
 *
 * Words without '=': omit (the default is always), omitZero, pointer,
 * pointerAlways, required, merge, replace, retainKeys, nullable, preserve,
 * set, atomic, granular, uniqueItems.  With: merge=KEY, default=JSON,
 * listMap=KEYS, and the rules by their names in a schema.  "each:" puts a rule
 * on the elements, "type:" on the struct.  No word may hold a blank. */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "yuloh/schema.h"

#define SCHEMA_SET_MAX 256

/* Cuts off the text before the next 'separator' in '*rest'; NULL at the end.
 * Empty parts are skipped. */
static inline char *
schema_set_cut(char **rest, char separator)
{
    char *part;

    while (**rest == separator) {
        ++*rest;
    }
    part = *rest;
    while (**rest && **rest != separator) {
        ++*rest;
    }
    if (**rest) {
        *(*rest)++ = '\0';
    }
    return *part ? part : NULL;
}

struct schema_set {
    struct yl_type_set set;
    struct yl_type types[SCHEMA_SET_MAX];
    struct yl_field fields[SCHEMA_SET_MAX];
    struct yl_value values[SCHEMA_SET_MAX];
    struct yl_rule rules[SCHEMA_SET_MAX];
    char strings[16384];
    size_t n_strings;
};

static inline uint32_t
schema_set_text(struct schema_set *s, const char *text)
{
    size_t size = strlen(text) + 1, at = s->n_strings;

    assert(at + size <= sizeof s->strings);
    memcpy(s->strings + at, text, size);
    s->n_strings += size;
    return (uint32_t) at;
}

/* Adds a rule to the '*n' rules that start at '*first'. */
static inline void
schema_set_rule(struct schema_set *s, uint32_t *first, uint16_t *n,
                const char *name, const char *arg)
{
    static const struct {
        const char *name;
        enum yl_rule_op op;
        bool number;
    } ops[] = {
        { "minimum", YL_RULE_MINIMUM, true },
        { "maximum", YL_RULE_MAXIMUM, true },
        { "exclusiveMinimum", YL_RULE_EXCLUSIVE_MINIMUM, true },
        { "exclusiveMaximum", YL_RULE_EXCLUSIVE_MAXIMUM, true },
        { "multipleOf", YL_RULE_MULTIPLE_OF, true },
        { "minLength", YL_RULE_MIN_LENGTH, true },
        { "maxLength", YL_RULE_MAX_LENGTH, true },
        { "minItems", YL_RULE_MIN_ITEMS, true },
        { "maxItems", YL_RULE_MAX_ITEMS, true },
        { "minProperties", YL_RULE_MIN_PROPERTIES, true },
        { "maxProperties", YL_RULE_MAX_PROPERTIES, true },
        { "uniqueItems", YL_RULE_UNIQUE_ITEMS, true },
        { "pattern", YL_RULE_PATTERN, false },
        { "format", YL_RULE_FORMAT, false },
        { "enum", YL_RULE_ENUM, false },
        { "schema", YL_RULE_SCHEMA, false },
        { "title", YL_RULE_TITLE, false },
    };
    size_t i;

    for (i = 0; strcmp(ops[i].name, name); i++) {
        assert(i + 1 < sizeof ops / sizeof ops[0]);
    }
    if (!*n) {
        *first = s->set.n_rules;
    }
    s->rules[s->set.n_rules].op = (uint16_t) ops[i].op;
    if (ops[i].number) {
        s->rules[s->set.n_rules].number = strtod(arg, NULL);
    } else {
        s->rules[s->set.n_rules].text = schema_set_text(s, arg);
    }
    s->set.n_rules++;
    ++*n;
}

/* Applies one word before the colon. */
static inline void
schema_set_word(struct schema_set *s, struct yl_field *field,
                struct yl_value *value, struct yl_value *element,
                struct yl_type *type, char *word)
{
    static const struct {
        const char *word;
        int presence, field_flag, value_flag, topology;
    } words[] = {
        { "omit", YL_PRESENCE_OMIT_EMPTY, 0, 0, 0 },
        { "omitZero", YL_PRESENCE_OMIT_ZERO, 0, 0, 0 },
        { "pointer", YL_PRESENCE_POINTER, 0, 0, 0 },
        { "pointerAlways", YL_PRESENCE_POINTER_ALWAYS, 0, 0, 0 },
        { "required", 0, YL_FIELD_REQUIRED, 0, 0 },
        { "merge", 0, YL_FIELD_MERGE, 0, 0 },
        { "replace", 0, YL_FIELD_REPLACE, 0, 0 },
        { "retainKeys", 0, YL_FIELD_RETAIN_KEYS, 0, 0 },
        { "nullable", 0, 0, YL_VALUE_NULLABLE, 0 },
        { "preserve", 0, 0, YL_VALUE_PRESERVE, 0 },
        { "set", 0, 0, 0, YL_TOPOLOGY_SET },
        { "atomic", 0, 0, 0, YL_TOPOLOGY_ATOMIC },
        { "granular", 0, 0, 0, YL_TOPOLOGY_GRANULAR },
    };
    char *arg = strchr(word, '=');
    size_t i;

    for (i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (!strcmp(words[i].word, word)) {
            field->presence |= (uint8_t) words[i].presence;
            field->flags |= (uint8_t) words[i].field_flag;
            value->flags |= (uint8_t) words[i].value_flag;
            value->topology |= (uint8_t) words[i].topology;
            return;
        }
    }
    if (arg) {
        *arg++ = '\0';
    } else {
        static char none[] = "1";

        arg = none;
    }
    if (!strcmp(word, "merge")) {
        field->flags |= YL_FIELD_MERGE;
        field->merge_key = schema_set_text(s, arg);
    } else if (!strcmp(word, "default")) {
        field->default_ = schema_set_text(s, arg);
    } else if (!strcmp(word, "listMap")) {
        value->topology = YL_TOPOLOGY_MAP;
        value->list_keys = schema_set_text(s, arg);
    } else if (!strncmp(word, "each:nullable", 13)) {
        element->flags |= YL_VALUE_NULLABLE;
    } else if (!strncmp(word, "each:", 5)) {
        schema_set_rule(s, &element->rules, &element->n_rules, word + 5, arg);
    } else if (!strncmp(word, "type:", 5)) {
        schema_set_rule(s, &type->rules, &type->n_rules, word + 5, arg);
    } else {
        schema_set_rule(s, &value->rules, &value->n_rules, word, arg);
    }
}

/* Makes values of "[] {} NAME"; returns the index of the first. */
static inline uint16_t
schema_set_value(struct schema_set *s, const char *text)
{
    static const char *const kinds[] = {
        "none", "bool", "int32", "int64", "double", "string", "bytes", "time",
        "microTime", "duration", "quantity", "intOrString", "raw", "embedded",
    };
    uint16_t index = (uint16_t) s->set.n_values++;
    struct yl_value *value = &s->values[index];
    size_t i;

    text += strspn(text, " ");
    if (*text == '[' || *text == '{') {
        value->kind = *text == '[' ? YL_VALUE_LIST : YL_VALUE_MAP;
        value->element = schema_set_value(s, text + 2);
        return index;
    }
    for (i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (!strcmp(kinds[i], text)) {
            value->kind = (uint8_t) i;
            return index;
        }
    }
    for (i = 1; i < s->set.n_types; i++) {
        if (!strcmp(s->strings + s->types[i].name, text)) {
            value->kind = YL_VALUE_STRUCT;
            value->type = (uint16_t) i;
            return index;
        }
    }
    assert(!"no such type");
    return 0;
}

static inline void
schema_set_field(struct schema_set *s, struct yl_type *type, char *line)
{
    struct yl_field field;
    char *colon = strstr(line, " : "), *word;
    struct yl_value *value;
    size_t at;

    assert(colon);
    *colon = '\0';
    memset(&field, 0, sizeof field);
    field.value = schema_set_value(s, colon + 3);
    value = &s->values[field.value];
    word = schema_set_cut(&line, ' ');
    field.name = schema_set_text(s, word);
    field.name_size = (uint16_t) strlen(word);
    while ((word = schema_set_cut(&line, ' ')) != NULL) {
        schema_set_word(s, &field, value, &s->values[value->element], type,
                        word);
    }

    /* Fields are sorted by name. */
    at = s->set.n_fields++;
    while (at > type->fields
           && strcmp(s->strings + field.name,
                     s->strings + s->fields[at - 1].name) < 0) {
        s->fields[at] = s->fields[at - 1];
        at--;
    }
    s->fields[at] = field;
    type->n_fields++;
}

/* A set for 'text'; the caller frees it with free(). */
static inline struct schema_set *
schema_set_new(const char *group, const char *text)
{
    struct schema_set *s = calloc(1, sizeof *s);
    char *copy = strdup(text), *again = strdup(text);
    char *rest = copy, *line;
    struct yl_type *type = NULL;

    s->n_strings = 1;
    s->set.group = group;
    s->set.version = "v1";
    s->set.strings = s->strings;
    s->set.types = s->types;
    s->set.fields = s->fields;
    s->set.values = s->values;
    s->set.rules = s->rules;
    s->set.n_types = s->set.n_fields = 1;
    s->set.n_values = s->set.n_rules = 1;
    while ((line = schema_set_cut(&rest, '\n')) != NULL) {
        if (!strncmp(line, "type ", 5)) {
            type = &s->types[s->set.n_types++];
            if (strstr(line, " preserve")) {
                type->flags |= YL_VALUE_PRESERVE;
                *strstr(line, " preserve") = '\0';
            }
            type->name = schema_set_text(s, line + 5);
        }
    }
    type = s->types;
    rest = again;
    while ((line = schema_set_cut(&rest, '\n')) != NULL) {
        if (!strncmp(line, "type ", 5)) {
            type++;
            type->fields = s->set.n_fields;
        } else {
            schema_set_field(s, type, line);
        }
    }
    free(copy);
    free(again);
    return s;
}

static inline struct yl_type_ref
schema_set_type(const struct schema_set *s, size_t number)
{
    struct yl_type_ref ref = { &s->set, &s->types[number] };

    return ref;
}

#endif /* tests/schema_set.h */
