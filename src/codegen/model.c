/* The generator's model: building it and looking things up.  See
 * codegen/model.h; the rules for names stand in names.c. */

#include "codegen/model.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "yuloh/arena.h"

static int compare_fields(const void *, const void *);
static void flatten(struct yl_gen_type *);

/* Where the next element of a list that starts at HEAD is linked in. */
#define LIST_END(HEAD, END)                                                   \
    do {                                                                      \
        (END) = &(HEAD);                                                      \
        while (*(END)) {                                                      \
            (END) = &(*(END))->next;                                          \
        }                                                                     \
    } while (0)

struct yl_gen_unit *
yl_gen_unit_new(struct yl_arena *arena, const char *base, const char *group,
                const char *version)
{
    struct yl_gen_unit *unit = yl_arena_zalloc(arena, sizeof *unit);
    struct yl_str label = yl_str_c(group), rest;

    yl_str_cut(label, '.', &label, &rest);
    unit->arena = arena;
    unit->base = base;
    unit->file = unit->include_as = unit->doc = "";
    unit->group = group;
    unit->version = version;
    unit->prefix = label.size
                   ? yl_arena_printf(arena, "%.*s_%s_", YL_STR_ARG(label),
                                     version)
                   : yl_arena_printf(arena, "core_%s_", version);
    unit->openapi_prefix = yl_gen_openapi_prefix(arena, group, version);
    return unit;
}

struct yl_gen_type *
yl_gen_type_add(struct yl_gen_unit *unit, const char *c_name)
{
    struct yl_gen_type *type = yl_arena_zalloc(unit->arena, sizeof *type);
    struct yl_gen_type **end;
    const char *stem = c_name;

    if (yl_str_starts_with(yl_str_c(c_name), yl_str_c(unit->prefix))
        && strlen(c_name) > strlen(unit->prefix)) {
        stem += strlen(unit->prefix);
    }
    type->unit = unit;
    type->c_name = c_name;
    type->doc = "";
    yl_gen_type_rename(type, yl_gen_camel(unit->arena, stem, true));
    LIST_END(unit->types, end);
    *end = type;
    type->index = ++unit->n_types;
    return type;
}

struct yl_gen_field *
yl_gen_field_add(struct yl_gen_type *type, const char *c_name,
                 struct yl_gen_value *value)
{
    struct yl_arena *arena = type->unit->arena;
    struct yl_gen_field *field = yl_arena_zalloc(arena, sizeof *field);
    struct yl_gen_field **end;

    field->c_name = c_name;
    field->json_name = yl_gen_camel(arena, c_name, false);
    field->c_count = value->kind == YL_VALUE_LIST
                     || value->kind == YL_VALUE_MAP
                     ? yl_arena_printf(arena, "n_%s", c_name) : "";
    field->doc = field->merge_key = field->default_ = "";
    field->go.type = field->go.name = field->go.after = field->go.in = "";
    field->value = value;
    LIST_END(type->fields, end);
    *end = field;
    return field;
}

struct yl_gen_value *
yl_gen_value_new(struct yl_gen_unit *unit, enum yl_value_kind kind)
{
    struct yl_gen_value *value = yl_arena_zalloc(unit->arena, sizeof *value);

    value->kind = kind;
    value->list_keys = value->c_element = "";
    return value;
}

struct yl_gen_rule *
yl_gen_rule_add(struct yl_gen_unit *unit, struct yl_gen_rule **rules,
                enum yl_rule_op op, double number, const char *text)
{
    struct yl_gen_rule *rule = yl_arena_zalloc(unit->arena, sizeof *rule);
    struct yl_gen_rule **end;

    rule->op = op;
    rule->number = number;
    rule->text = text;
    LIST_END(*rules, end);
    *end = rule;
    return rule;
}

void
yl_gen_text_add(struct yl_gen_unit *unit, struct yl_gen_text **texts,
                const char *text)
{
    struct yl_gen_text *item = yl_arena_zalloc(unit->arena, sizeof *item);
    struct yl_gen_text **end;

    item->text = text;
    LIST_END(*texts, end);
    *end = item;
}

struct yl_gen_column *
yl_gen_column_add(struct yl_gen_unit *unit, struct yl_gen_kind *kind)
{
    struct yl_gen_column *column = yl_arena_zalloc(unit->arena,
                                                   sizeof *column);
    struct yl_gen_column **end;

    column->name = column->type = column->format = "";
    column->description = column->json_path = "";
    LIST_END(kind->columns, end);
    *end = column;
    return column;
}

struct yl_gen_kind *
yl_gen_kind_add(struct yl_gen_type *type)
{
    struct yl_gen_unit *unit = type->unit;
    struct yl_gen_kind *kind = yl_arena_zalloc(unit->arena, sizeof *kind);
    struct yl_gen_kind **end;
    char *singular;
    size_t i;

    assert(!type->kind);
    singular = yl_arena_strdup(unit->arena, yl_str_c(type->name));
    for (i = 0; singular[i]; i++) {
        if (singular[i] >= 'A' && singular[i] <= 'Z') {
            singular[i] += 'a' - 'A';
        }
    }
    kind->type = type;
    kind->name = type->name;
    kind->list_name = yl_arena_printf(unit->arena, "%sList", type->name);
    kind->singular = singular;
    kind->plural = yl_gen_plural(unit->arena, type->name);
    kind->scale_spec = kind->scale_status = kind->scale_selector = "";
    kind->deprecation = kind->only_verbs = "";
    LIST_END(unit->kinds, end);
    *end = kind;
    type->kind = kind;
    return kind;
}

void
yl_gen_type_rename(struct yl_gen_type *type, const char *name)
{
    type->name = name;
    type->openapi_name = yl_arena_printf(type->unit->arena, "%s.%s",
                                         type->unit->openapi_prefix, name);
}

unsigned
yl_gen_import(struct yl_gen_unit *unit, struct yl_gen_unit *other)
{
    struct yl_gen_import **end;
    unsigned number = 1;

    if (unit == other) {
        return 0;
    }
    for (end = &unit->imports; *end; end = &(*end)->next) {
        if ((*end)->unit == other) {
            return number;
        }
        number++;
    }
    *end = yl_arena_zalloc(unit->arena, sizeof **end);
    (*end)->unit = other;
    return number;
}

struct yl_gen_type *
yl_gen_type_find(const struct yl_gen_unit *unit, const char *c_name)
{
    struct yl_gen_type *type;

    for (type = unit->types; type; type = type->next) {
        if (!strcmp(type->c_name, c_name)) {
            break;
        }
    }
    return type;
}

struct yl_gen_type *
yl_gen_type_find_api(const struct yl_gen_unit *unit, const char *name)
{
    struct yl_gen_type *type;

    for (type = unit->types; type; type = type->next) {
        if (!strcmp(type->name, name)) {
            break;
        }
    }
    return type;
}

struct yl_gen_field *
yl_gen_field_find(const struct yl_gen_type *type, const char *json_name)
{
    struct yl_gen_field *field;

    for (field = type->fields; field; field = field->next) {
        if (!strcmp(field->json_name, json_name)) {
            break;
        }
    }
    return field;
}

const struct yl_gen_rule *
yl_gen_rule_find(const struct yl_gen_rule *rule, enum yl_rule_op op)
{
    while (rule && rule->op != op) {
        rule = rule->next;
    }
    return rule;
}

struct yl_gen_field **
yl_gen_fields_sorted(const struct yl_gen_type *type, size_t *ret_n)
{
    struct yl_gen_field **fields, *field;
    size_t n = 0;

    for (field = type->fields; field; field = field->next) {
        n++;
    }
    fields = yl_arena_array(type->unit->arena, n, sizeof *fields);
    n = 0;
    for (field = type->fields; field; field = field->next) {
        fields[n++] = field;
    }
    qsort(fields, n, sizeof *fields, compare_fields);
    *ret_n = n;
    return fields;
}

void
yl_gen_unit_flatten(struct yl_gen_unit *unit)
{
    struct yl_gen_type *type;

    for (type = unit->types; type; type = type->next) {
        flatten(type);
    }
}

void
yl_gen_unit_add_lists(struct yl_gen_unit *unit, struct yl_gen_type *list_meta)
{
    struct yl_gen_kind *kind;

    for (kind = unit->kinds; kind; kind = kind->next) {
        const char *c_name = yl_arena_printf(unit->arena, "%s_list",
                                             kind->type->c_name);
        struct yl_gen_type *list = yl_gen_type_find(unit, c_name);
        struct yl_gen_value *items, *item, *metadata;

        if (!kind->plural[0]
            || (kind->only_verbs[0] && !strstr(kind->only_verbs, "list"))) {
            continue;           /* It cannot be listed. */
        }
        kind->list = list;
        if (list) {
            list->name = kind->list_name;
            continue;
        }
        list = yl_gen_type_add(unit, c_name);
        list->name = kind->list_name;
        list->openapi_name = yl_arena_printf(unit->arena, "%sList",
                                             kind->type->openapi_name);
        list->is_list = true;
        kind->list = list;

        metadata = yl_gen_value_new(unit, YL_VALUE_STRUCT);
        metadata->type = list_meta;
        yl_gen_field_add(list, "metadata", metadata)->number = 1;
        list->fields->presence = YL_PRESENCE_OMIT_EMPTY;
        yl_gen_import(unit, list_meta->unit);

        item = yl_gen_value_new(unit, YL_VALUE_STRUCT);
        item->type = kind->type;
        items = yl_gen_value_new(unit, YL_VALUE_LIST);
        items->element = item;
        items->c_element = yl_gen_c_type(unit->arena, item);
        yl_gen_field_add(list, "items", items)->required = true;
        yl_gen_field_find(list, "items")->number = 2;
    }
}

static int
compare_fields(const void *a_, const void *b_)
{
    const struct yl_gen_field *const *a = a_, *const *b = b_;

    return strcmp((*a)->json_name, (*b)->json_name);
}

/* A struct cannot contain itself, so this ends.  The fields that it inserts
 * may have to be flattened too. */
static void
flatten(struct yl_gen_type *type)
{
    struct yl_arena *arena = type->unit->arena;
    struct yl_gen_field **link = &type->fields;

    while (*link) {
        struct yl_gen_field *outer = *link, *field, **end;

        if (!outer->inlined) {
            link = &outer->next;
            continue;
        }
        end = link;
        for (field = outer->value->type->fields; field; field = field->next) {
            struct yl_gen_field *copy = yl_arena_alloc(arena, sizeof *copy);

            *copy = *field;
            copy->c_name = yl_arena_printf(arena, "%s.%s", outer->c_name,
                                           field->c_name);
            if (field->c_count[0]) {
                copy->c_count = yl_arena_printf(arena, "%s.%s",
                                                outer->c_name,
                                                field->c_count);
            }
            copy->line = outer->line;
            *end = copy;
            end = &copy->next;
        }
        *end = outer->next;
    }
}
