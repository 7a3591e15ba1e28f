/* Rules of compiled schemas.  See schema/compile.h for the contract. */

#include "schema/compiler.h"

#include "json/tree.h"
#include "schema/field_error.h"
#include "schema/keyword.h"
#include "schema/props.h"
#include "yuloh/error.h"

/* Rules of which there is at most one, beside those that were read: for the
 * description, no format, YL_RULE_SCHEMA, _OTHER, _NOT, _DEFAULT, _REQUIRED;
 * and three of YL_RULE_ALSO. */
#define N_OTHER_RULES 10

static void add_rule(struct yl_compiler *, const struct yl_field_path *,
                     const struct yl_schema_props *,
                     const struct yl_schema_rule *,
                     struct yl_compiler_rules *);
static void add_text(struct yl_compiler *, const struct yl_field_path *,
                     enum yl_rule_op, struct yl_str text,
                     struct yl_compiler_rules *);
static bool has_rule(const struct yl_schema_props *, enum yl_rule_op);
static void add_rest(struct yl_compiler *, const struct yl_field_path *,
                     const struct yl_schema_props *, enum yl_value_kind,
                     struct yl_compiler_rules *);
static bool is_kept(const struct yl_schema_props *, struct yl_str keyword);
static bool is_comment(enum yl_rule_op);
static void add_others(struct yl_compiler *, const struct yl_field_path *,
                       const struct yl_schema_props *, enum yl_value_kind,
                       struct yl_compiler_rules *);
static void add_schemas(struct yl_compiler *, const struct yl_field_path *,
                        const struct yl_schema_props *,
                        struct yl_compiler_rules *);
static void add_value(struct yl_compiler *, const struct yl_field_path *,
                      enum yl_rule_op, const struct yl_schema_props *,
                      struct yl_compiler_rules *);
static bool judges(const struct yl_schema_props *, enum yl_value_kind,
                   struct yl_str keyword);
static void check_pattern(struct yl_compiler *, const struct yl_field_path *,
                          struct yl_str pattern);

struct yl_compiler_rules
yl_compile_rules(struct yl_compiler *c, const struct yl_field_path *path,
                 const struct yl_schema_props *props, enum yl_value_kind kind)
{
    const struct yl_schema_rule *rule;
    struct yl_compiler_rules rules = { NULL, N_OTHER_RULES };
    int op;

    for (rule = props->rules; rule; rule = rule->next) {
        rules.n++;
    }
    rules.n += props->any_of.n + props->one_of.n + props->all_of.n;
    if (rules.n > UINT16_MAX) {
        yl_compile_fault(c, path, YL_ETOOBIG, "there are more than %d rules",
                         UINT16_MAX);
        rules.n = 0;
        return rules;
    }
    rules.rows = yl_arena_array(&c->arena, rules.n, sizeof *rules.rows);
    rules.n = 0;
    for (op = YL_RULE_NONE + 1; op < YL_RULE_SCHEMA; op++) {
        const struct yl_keyword *keyword = yl_keyword_of((enum yl_rule_op) op);

        if (c->nested && is_comment((enum yl_rule_op) op)) {
            continue;
        } else if (op == YL_RULE_DESCRIPTION) {
            add_text(c, path, YL_RULE_DESCRIPTION, props->description, &rules);
        } else if (op == YL_RULE_FORMAT && !props->format.size
                   && yl_type_words(kind).format) {
            /* The kind has a format although the schema names none. */
            rules.rows[rules.n++].op = YL_RULE_FORMAT;
        }
        if (keyword
            && yl_schema_is_said(props, kind, yl_str_c(keyword->name))) {
            continue;
        }
        for (rule = props->rules; rule; rule = rule->next) {
            if (rule->op == (enum yl_rule_op) op) {
                add_rule(c, path, props, rule, &rules);
            }
        }
    }
    if (!c->nested) {
        add_rest(c, path, props, kind, &rules);
    }
    add_others(c, path, props, kind, &rules);
    add_schemas(c, path, props, &rules);
    if (!c->nested && yl_str_is_null(props->name) && props->default_) {
        add_text(c, path, YL_RULE_DEFAULT,
                 yl_schema_json(&c->arena, props->default_), &rules);
    }
    return rules;
}

void
yl_compile_required(struct yl_compiler *c, const struct yl_field_path *path,
                    const struct yl_schema_props *props,
                    struct yl_compiler_rules *rules)
{
    const struct yl_node *item =
        props->required ? props->required->first : NULL;
    size_t i;

    if (!item || c->code < 0) {
        return;                 /* After an error there may be no room. */
    }
    for (i = 0; i < props->properties.n; i++) {
        const struct yl_schema_props *property = props->by_name[i];

        if (property->flags & YL_SCHEMA_REQUIRED) {
            if (!item || !yl_node_string_is(item, property->name)) {
                break;
            }
            item = item->next;
        }
    }
    if (item || i < props->properties.n) {
        add_text(c, path, YL_RULE_REQUIRED,
                 yl_schema_json(&c->arena, props->required), rules);
    }
}

/* Adds a rule.  Schemas have a limit and a flag that excludes it; tables have
 * one rule for both. */
static void
add_rule(struct yl_compiler *c, const struct yl_field_path *path,
         const struct yl_schema_props *props,
         const struct yl_schema_rule *rule, struct yl_compiler_rules *rules)
{
    struct yl_rule *row = &rules->rows[rules->n];
    enum yl_rule_op op = rule->op;

    if (op == YL_RULE_EXCLUSIVE_MINIMUM || op == YL_RULE_EXCLUSIVE_MAXIMUM) {
        return;
    } else if (op == YL_RULE_MINIMUM
               && has_rule(props, YL_RULE_EXCLUSIVE_MINIMUM)) {
        op = YL_RULE_EXCLUSIVE_MINIMUM;
    } else if (op == YL_RULE_MAXIMUM
               && has_rule(props, YL_RULE_EXCLUSIVE_MAXIMUM)) {
        op = YL_RULE_EXCLUSIVE_MAXIMUM;
    } else if (op == YL_RULE_PATTERN) {
        check_pattern(c, path, rule->text);
    }
    if (rule->text.data) {
        add_text(c, path, op, rule->text, rules);
        return;
    } else if (op == YL_RULE_ENUM || op == YL_RULE_EXAMPLE
               || op == YL_RULE_CEL) {
        add_text(c, path, op, yl_schema_json(&c->arena, rule->node), rules);
        return;
    }
    row->op = (uint16_t) op;
    row->number = rule->number;
    rules->n++;
}

/* A rule with a text, unless that is empty. */
static void
add_text(struct yl_compiler *c, const struct yl_field_path *path,
         enum yl_rule_op op, struct yl_str text,
         struct yl_compiler_rules *rules)
{
    if (text.size) {
        rules->rows[rules->n].op = (uint16_t) op;
        rules->rows[rules->n].text = yl_compile_text(c, path, text);
        rules->n++;
    }
}

static bool
has_rule(const struct yl_schema_props *props, enum yl_rule_op op)
{
    const struct yl_schema_rule *rule = props->rules;

    while (rule && rule->op != op) {
        rule = rule->next;
    }
    return rule != NULL;
}

/* Adds the keywords that no other row covers, as the texts of two objects: one
 * with those that validation reads, one with those that it does not need. */
static void
add_rest(struct yl_compiler *c, const struct yl_field_path *path,
         const struct yl_schema_props *props, enum yl_value_kind kind,
         struct yl_compiler_rules *rules)
{
    struct yl_node *schema = yl_node_new_object(&c->arena);
    struct yl_node *other = yl_node_new_object(&c->arena);
    const struct yl_node *node;

    YL_NODE_FOR_EACH (node, props->node) {
        struct yl_str name = yl_node_key(node);

        if (node->type == YL_JSON_NULL || yl_keyword_find(name) != YL_RULE_NONE
            || yl_str_equal_c(name, "x-kubernetes-validations")
            || (kind == YL_VALUE_STRUCT
                && yl_str_equal_c(name, "x-kubernetes-embedded-resource"))
            || (yl_schema_is_said(props, kind, name)
                && !is_kept(props, name))) {
            continue;
        }
        yl_node_set(&c->arena, judges(props, kind, name) ? schema : other,
                    name, yl_node_copy(&c->arena, node));
    }
    if (schema->n) {
        rules->rows[rules->n].number = 1;
        add_text(c, path, YL_RULE_SCHEMA, yl_schema_json(&c->arena, schema),
                 rules);
    }
    if (other->n) {
        add_text(c, path, YL_RULE_OTHER, yl_schema_json(&c->arena, other),
                 rules);
    }
}

/* Is a keyword kept as a text although descriptors say it?  The words of
 * alternatives are, and so are defaults that are not those of a field. */
static bool
is_kept(const struct yl_schema_props *props, struct yl_str keyword)
{
    return yl_str_ends_with(keyword, YL_STR("Of"))
           || (yl_str_equal_c(keyword, "default")
               && yl_str_is_null(props->name));
}

/* Does a rule say nothing about values? */
static bool
is_comment(enum yl_rule_op op)
{
    return op == YL_RULE_TITLE || op == YL_RULE_DESCRIPTION
           || op == YL_RULE_EXAMPLE || op == YL_RULE_CEL;
}

/* Adds rules for the keywords that do not go with the kind: each makes a value
 * of the kind that it goes with. */
static void
add_others(struct yl_compiler *c, const struct yl_field_path *path,
           const struct yl_schema_props *props, enum yl_value_kind kind,
           struct yl_compiler_rules *rules)
{
    static const struct yl_node no_keywords = { .type = YL_JSON_OBJECT };
    struct yl_schema_props other = { .node = &no_keywords, .list_keys = "" };

    if (kind != YL_VALUE_STRUCT && (props->properties.n || props->required)) {
        other.kind = YL_VALUE_STRUCT;
        other.properties = props->properties;
        other.by_name = props->by_name;
        other.required = props->required;
        add_value(c, path, YL_RULE_ALSO, &other, rules);
    }
    if (kind != YL_VALUE_MAP && props->additional) {
        other = (struct yl_schema_props) {
            .node = &no_keywords,
            .kind = YL_VALUE_MAP,
            .additional = props->additional,
            .list_keys = "",
        };
        add_value(c, path, YL_RULE_ALSO, &other, rules);
    }
    if (kind != YL_VALUE_LIST && props->items) {
        other = (struct yl_schema_props) {
            .node = &no_keywords,
            .kind = YL_VALUE_LIST,
            .items = props->items,
            .list_keys = "",
        };
        add_value(c, path, YL_RULE_ALSO, &other, rules);
    }
}

/* Rules for the schemas beside this one. */
static void
add_schemas(struct yl_compiler *c, const struct yl_field_path *path,
            const struct yl_schema_props *props,
            struct yl_compiler_rules *rules)
{
    const struct {
        const char *keyword;
        const struct yl_schema_list *list;
        enum yl_rule_op op;
    } rows[] = {
        { "anyOf", &props->any_of, YL_RULE_ANY_OF },
        { "oneOf", &props->one_of, YL_RULE_ONE_OF },
        { "allOf", &props->all_of, YL_RULE_ALL_OF },
    };
    struct yl_field_path at = yl_field_member(path, YL_STR("not"));
    size_t i, j;

    for (i = 0; i < YL_ARRAY_SIZE(rows); i++) {
        struct yl_field_path list =
            yl_field_member(path, yl_str_c(rows[i].keyword));

        for (j = 0; j < rows[i].list->n && c->code == 0; j++) {
            struct yl_field_path one = yl_field_index(&list, j);

            add_value(c, &one, rows[i].op, &rows[i].list->all[j], rules);
        }
    }
    if (props->not_) {
        add_value(c, &at, YL_RULE_NOT, props->not_, rules);
    }
}

static void
add_value(struct yl_compiler *c, const struct yl_field_path *path,
          enum yl_rule_op op, const struct yl_schema_props *props,
          struct yl_compiler_rules *rules)
{
    uint16_t value;

    c->nested++;
    value = yl_compile_value(c, path, props);
    c->nested--;
    rules->rows[rules->n].op = (uint16_t) op;
    rules->rows[rules->n].number = value;
    rules->n++;
}

/* Can this keyword make a value invalid? */
static bool
judges(const struct yl_schema_props *props, enum yl_value_kind kind,
       struct yl_str keyword)
{
    static const char *const words[] = {
        "allOf", "anyOf", "oneOf", "not", "properties", "required", "items",
        "additionalProperties",
    };
    size_t i;

    /* An integer or a string is always one of the two.  CRDs do not allow
     * arrays of items or booleans here. */
    if (yl_schema_is_said(props, kind, keyword)
        || (yl_str_equal_c(keyword, "items") && !props->items)
        || (yl_str_equal_c(keyword, "additionalProperties")
            && !props->additional)) {
        return false;
    }
    for (i = 0; i < YL_ARRAY_SIZE(words); i++) {
        if (yl_str_equal_c(keyword, words[i])) {
            return true;
        }
    }
    return false;
}

static void
check_pattern(struct yl_compiler *c, const struct yl_field_path *path,
              struct yl_str pattern)
{
    struct yl_field_path at = yl_field_member(path, YL_STR("pattern"));
    struct yl_error why = YL_ERROR_INIT;

    if (c->opts->match
        && c->opts->match(c->opts->aux, pattern, YL_STR(""), &why) < 0) {
        yl_compile_fault(c, &at, YL_EINVALID, "%s", yl_error_message(&why));
    }
    yl_error_clear(&why);
}
