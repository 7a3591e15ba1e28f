/* Properties of a schema that was read.  See schema/props.h; reading is in
 * props_read.c. */

#include "schema/props.h"

#include "base/buf.h"
#include "json/tree.h"
#include "schema/field_error.h"
#include "schema/keyword.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static bool are_integer_and_string(const struct yl_schema_list *);

struct yl_schema_props *
yl_schema_property(const struct yl_schema_props *props, struct yl_str name)
{
    size_t low = 0, high = props->properties.n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int c = yl_str_compare(name, props->by_name[middle]->name);

        if (c == 0) {
            return props->by_name[middle];
        } else if (c < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}

bool
yl_schema_is_said(const struct yl_schema_props *props, enum yl_value_kind kind,
                  struct yl_str keyword)
{
    static const struct {
        const char *keyword;
        unsigned kinds;         /* Bits of kinds; 0 is all. */
    } rows[] = {
        { "nullable", 0 },
        { "description", 0 },
        { "default", 0 },
        { "x-kubernetes-preserve-unknown-fields", 0 },
        { "properties", 1u << YL_VALUE_STRUCT },
        { "required", 1u << YL_VALUE_STRUCT },
        { "x-kubernetes-list-type", 1u << YL_VALUE_LIST },
        { "x-kubernetes-list-map-keys", 1u << YL_VALUE_LIST },
        { "x-kubernetes-map-type",
          1u << YL_VALUE_MAP | 1u << YL_VALUE_STRUCT },
        { "x-kubernetes-embedded-resource", 1u << YL_VALUE_EMBEDDED },
        { "x-kubernetes-int-or-string",
          1u << YL_VALUE_INT_OR_STRING | 1u << YL_VALUE_QUANTITY },
    };
    struct yl_type_words words = yl_type_words(kind);
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(rows); i++) {
        if (yl_str_equal_c(keyword, rows[i].keyword)) {
            return !rows[i].kinds || rows[i].kinds & 1u << kind;
        }
    }
    if (yl_str_equal_c(keyword, "type")) {
        return !props->type.size
               || (words.type && yl_str_equal_c(props->type, words.type));
    } else if (yl_str_equal_c(keyword, "format")) {
        return !props->format.size
               || (words.format
                   && yl_str_equal_c(props->format, words.format))
               || (kind == YL_VALUE_INT_OR_STRING
                   && yl_str_equal_c(props->format, "int-or-string"));
    } else if (yl_str_equal_c(keyword, "items")) {
        return kind == YL_VALUE_LIST && props->items;
    } else if (yl_str_equal_c(keyword, "additionalProperties")) {
        return kind == YL_VALUE_MAP;
    } else if (yl_str_equal_c(keyword, "pattern")) {
        return kind == YL_VALUE_QUANTITY;
    } else if (kind == YL_VALUE_QUANTITY || kind == YL_VALUE_INT_OR_STRING) {
        return (yl_str_equal_c(keyword, "anyOf")
                && are_integer_and_string(&props->any_of))
               || (yl_str_equal_c(keyword, "oneOf")
                   && are_integer_and_string(&props->one_of));
    }
    return false;
}

bool
yl_schema_is_quantity(const struct yl_schema_props *props)
{
    const struct yl_schema_rule *rule = props->rules;

    while (rule && rule->op != YL_RULE_PATTERN) {
        rule = rule->next;
    }
    return rule && yl_str_starts_with(rule->text,
                                      YL_STR(YL_QUANTITY_PATTERN_START));
}

struct yl_str
yl_schema_json(struct yl_arena *arena, const struct yl_node *node)
{
    struct yl_str text;
    struct yl_buf buf;

    yl_buf_init(&buf, YL_JSON_MAX_SIZE);
    yl_node_write_canonical(&buf, node);
    text = yl_arena_copy(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return text;
}

void
yl_schema_fault(struct yl_error *err, const struct yl_field_path *path,
                int code, const char *format, va_list args)
{
    struct yl_buf place, text;

    if (!err) {
        return;
    }
    yl_buf_init(&place, SIZE_MAX);
    yl_buf_init(&text, SIZE_MAX);
    if (path) {
        yl_field_path_write(&place, path);
    }
    yl_buf_vprintf(&text, format, args);
    yl_error_set(err, code, "%s%s%s", yl_buf_c_str(&place),
                 place.size ? ": " : "", yl_buf_c_str(&text));
    yl_error_add_cause(err, YL_STR("FieldValueInvalid"), yl_buf_str(&text),
                       yl_buf_str(&place));
    yl_buf_release(&place);
    yl_buf_release(&text);
}

/* Are these the two schemas that go with x-kubernetes-int-or-string, {type:
 * integer} and {type: string}? */
static bool
are_integer_and_string(const struct yl_schema_list *list)
{
    return list->n == 2
           && list->all[0].node->n == 1 && list->all[1].node->n == 1
           && yl_str_equal_c(list->all[0].type, "integer")
           && yl_str_equal_c(list->all[1].type, "string");
}
