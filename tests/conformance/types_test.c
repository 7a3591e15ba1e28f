/* The built-in kinds against upstream's types: presence, patch strategy, merge
 * key and protobuf number of every field; and against discovery: the names,
 * scope and subresources of every resource. */

#include "all_kinds.h"
#include "json/tree.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/json.h"

#define N_COLUMNS 7
#define MAX_ROWS 8192

enum { TYPE, JSON_NAME, VALUE, EMPTY, STRATEGY, KEY, PROTOBUF };

struct row {
    struct yl_str columns[N_COLUMNS];
};

struct table {
    char *text;
    struct row rows[MAX_ROWS];
    size_t n;
};

static struct table table;
static unsigned n_differences;

static void
load(void)
{
    struct yl_str rest, line;
    size_t size;

    table.text = read_file(truth_path("types/fields.tsv"), &size);
    rest = yl_str_n(table.text, size);
    assert_true(yl_str_cut(rest, '\n', &line, &rest));
    table.n = 0;
    while (yl_str_cut(rest, '\n', &line, &rest)) {
        struct row *row = &table.rows[table.n++];
        size_t i;

        assert_true(table.n < MAX_ROWS);
        for (i = 0; i + 1 < N_COLUMNS; i++) {
            assert_true(yl_str_cut(line, '\t', &row->columns[i], &line));
        }
        row->columns[i] = line;
    }
    assert_true(table.n > 4000);
}

/* The row of a field, also of one that an embedded struct brings. */
static const struct row *
find(struct yl_str type, struct yl_str name, unsigned depth)
{
    size_t i;

    for (i = 0; i < table.n; i++) {
        const struct row *row = &table.rows[i];

        if (yl_str_equal(row->columns[TYPE], type)
            && yl_str_equal(row->columns[JSON_NAME], name)) {
            return row;
        }
    }
    for (i = 0; depth && i < table.n; i++) {
        const struct row *row = &table.rows[i];

        if (yl_str_equal(row->columns[TYPE], type)
            && yl_str_equal_c(row->columns[JSON_NAME], "(inline)")) {
            const struct row *found = find(row->columns[VALUE], name,
                                           depth - 1);

            if (found) {
                return found;
            }
        }
    }
    return NULL;
}

/* "core/v1.PodSpec" of "io.k8s.api.core.v1.PodSpec". */
static struct yl_str
row_type(struct yl_arena *arena, const char *openapi_name)
{
    const char *name = strrchr(openapi_name, '.'), *version, *group;

    for (version = name - 1; *version != '.'; version--) {
        continue;
    }
    for (group = version - 1; *group != '.'; group--) {
        continue;
    }
    return yl_str_c(yl_arena_printf(arena, "%.*s/%s",
                                    (int) (version - group - 1), group + 1,
                                    version + 1));
}

/* Kinds of values that know absence themselves: a pointer to one says no
 * more than the value. */
static bool
knows_absence(const struct yl_value *value)
{
    return value->kind == YL_VALUE_BYTES || value->kind == YL_VALUE_RAW
           || value->kind == YL_VALUE_EMBEDDED || value->kind == YL_VALUE_LIST
           || value->kind == YL_VALUE_MAP;
}

static enum yl_presence
wanted_presence(const struct row *row, const struct yl_value *value)
{
    bool star = yl_str_starts_with(row->columns[VALUE], YL_STR("*"));
    bool pointer = star && !knows_absence(value);

    if (star && (value->kind == YL_VALUE_RAW
                 || value->kind == YL_VALUE_EMBEDDED)
        && !yl_str_equal_c(row->columns[EMPTY], "always")) {
        /* Without the pointer Go would write null. */
        return YL_PRESENCE_OMIT_ZERO;
    }
    if (yl_str_equal_c(row->columns[EMPTY], "always")) {
        return pointer ? YL_PRESENCE_POINTER_ALWAYS : YL_PRESENCE_ALWAYS;
    } else if (yl_str_equal_c(row->columns[EMPTY], "omitempty+omitzero")) {
        return pointer ? YL_PRESENCE_POINTER : YL_PRESENCE_OMIT_ZERO;
    }
    return pointer ? YL_PRESENCE_POINTER : YL_PRESENCE_OMIT_EMPTY;
}

static const char *
strategy_of(const struct yl_field *field)
{
    switch (field->flags & (YL_FIELD_MERGE | YL_FIELD_REPLACE
                            | YL_FIELD_RETAIN_KEYS)) {
    case 0:
        return "-";
    case YL_FIELD_MERGE:
        return "merge";
    case YL_FIELD_REPLACE:
        return "replace";
    case YL_FIELD_RETAIN_KEYS:
        return "retainKeys";
    case YL_FIELD_MERGE | YL_FIELD_RETAIN_KEYS:
        return "merge,retainKeys";
    default:
        return "?";
    }
}

static void
differ(struct yl_str type, const char *field, const char *what,
       struct yl_str theirs)
{
    printf("# %.*s.%s: %s is not '%.*s'\n", YL_STR_ARG(type), field, what,
           YL_STR_ARG(theirs));
    n_differences++;
}

static void
compare_field(const struct yl_type_set *set, struct yl_str type,
              const struct yl_field *field)
{
    const struct yl_value *value = &set->values[field->value];
    const char *name = yl_type_set_text(set, field->name);
    const char *key = yl_type_set_text(set, field->merge_key);
    const struct row *row = find(type, yl_str_c(name), 4);
    struct yl_str number, rest;
    char digits[16];

    if (!row) {
        differ(type, name, "the field", YL_STR("there"));
        return;
    }
    if (field->presence != wanted_presence(row, value)) {
        differ(type, name, "presence", row->columns[EMPTY]);
    }
    if (!yl_str_equal_c(row->columns[STRATEGY], strategy_of(field))) {
        differ(type, name, "patch strategy", row->columns[STRATEGY]);
    }
    if (!yl_str_equal_c(row->columns[KEY], key[0] ? key : "-")) {
        differ(type, name, "merge key", row->columns[KEY]);
    }
    /* apiVersion and kind stand outside of an object's bytes there. */
    number = yl_str_equal_c(row->columns[TYPE], "meta/v1.TypeMeta")
                 ? YL_STR("-") : row->columns[PROTOBUF];
    yl_str_cut(number, ' ', &number, &rest);
    snprintf(digits, sizeof digits, "%u", (unsigned) field->number);
    if (!yl_str_equal_c(number, field->number ? digits : "-")) {
        differ(type, name, "protobuf number", row->columns[PROTOBUF]);
    }
}

/* Fields that a table has of 'type' itself, without apiVersion and kind. */
static size_t
count_rows(struct yl_str type)
{
    size_t i, n = 0;

    for (i = 0; i < table.n; i++) {
        const struct row *row = &table.rows[i];

        if (!yl_str_equal(row->columns[TYPE], type)) {
            continue;
        } else if (!yl_str_equal_c(row->columns[JSON_NAME], "(inline)")) {
            n++;
        } else if (!yl_str_equal_c(row->columns[VALUE],
                                   "meta/v1.TypeMeta")) {
            n += count_rows(row->columns[VALUE]);
        } else if (yl_str_equal_c(type, "meta/v1.DeleteOptions")) {
            n += 2;             /* Stands in others, so it has both. */
        }
    }
    return n;
}

static void
compare_set(struct yl_arena *arena, const struct yl_type_set *set,
            unsigned *n_fields)
{
    size_t i, j;

    for (i = 1; i < set->n_types; i++) {
        const struct yl_type *type = &set->types[i];
        struct yl_str name = row_type(
            arena, yl_type_set_text(set, type->openapi_name));

        for (j = 0; j < type->n_fields; j++) {
            compare_field(set, name, &set->fields[type->fields + j]);
            ++*n_fields;
        }
        if (count_rows(name) != type->n_fields) {
            printf("# %.*s has %u fields, not %zu\n", YL_STR_ARG(name),
                   type->n_fields, count_rows(name));
            n_differences++;
        }
    }
}

TEST(presence_and_merging_of_every_field_are_upstreams)
{
    struct yl_arena *arena = yl_arena_new();
    unsigned n_fields = 0;
    size_t i;

    load();
    n_differences = 0;
    for (i = 0; i < N_ALL_KINDS; i++) {
        compare_set(arena, all_kinds[i], &n_fields);
    }
    compare_set(arena, &meta_v1_types, &n_fields);
    printf("# %u fields compared\n", n_fields);
    assert_true(n_fields > 2000);
    assert_int_equal(n_differences, 0);
    free(table.text);
    yl_arena_free(arena);
}

/* Texts of a JSON array, joined by commas. */
static const char *
joined(struct yl_arena *arena, struct yl_json array)
{
    struct yl_json_iter it = yl_json_iter(array);
    const char *text = "";

    while (yl_json_next(&it)) {
        struct yl_str item;

        assert_int_equal(yl_json_string(it.value, arena, &item), 0);
        text = yl_arena_printf(arena, "%s%s%.*s", text, text[0] ? "," : "",
                               YL_STR_ARG(item));
    }
    return text;
}

static struct yl_json
resource_of(struct yl_json list, struct yl_arena *arena, const char *name)
{
    struct yl_json_iter it = yl_json_iter(yl_json_get(list,
                                                      YL_STR("resources")));

    (void) arena;
    while (yl_json_next(&it)) {
        if (yl_json_string_is(yl_json_get(it.value, YL_STR("name")),
                              yl_str_c(name))) {
            return it.value;
        }
    }
    return yl_json_none();
}

static void
compare_kind(struct yl_arena *arena, const struct yl_kind *kind,
             struct yl_json list)
{
    struct yl_json resource = resource_of(list, arena, kind->plural);
    const struct {
        const char *what;
        bool same;
    } checks[] = {
        { "kind", yl_json_string_is(yl_json_get(resource, YL_STR("kind")),
                                    yl_str_c(kind->name)) },
        { "singular", yl_json_string_is(
              yl_json_get(resource, YL_STR("singularName")),
              yl_str_c(kind->singular)) },
        { "scope", yl_str_equal_c(
              yl_json_raw(yl_json_get(resource, YL_STR("namespaced"))),
              kind->flags & YL_KIND_NAMESPACED ? "true" : "false") },
        { "short names", !strcmp(
              joined(arena, yl_json_get(resource, YL_STR("shortNames"))),
              yl_type_set_text(kind->set, kind->short_names)) },
        { "categories", !strcmp(
              joined(arena, yl_json_get(resource, YL_STR("categories"))),
              yl_type_set_text(kind->set, kind->categories)) },
        { "status", yl_json_exists(resource_of(
              list, arena, yl_arena_printf(arena, "%s/status", kind->plural)))
              == ((kind->flags & YL_KIND_STATUS) != 0) },
        { "scale", yl_json_exists(resource_of(
              list, arena, yl_arena_printf(arena, "%s/scale", kind->plural)))
              == ((kind->flags & YL_KIND_SCALE) != 0) },
        { "list", (strstr(joined(arena, yl_json_get(resource,
                                                    YL_STR("verbs"))),
                          "list") != NULL) == (kind->list_type != 0) },
    };
    size_t i;

    for (i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        if (!checks[i].same) {
            printf("# %s/%s %s: %s differs\n", kind->set->group,
                   kind->set->version, kind->name, checks[i].what);
            n_differences++;
        }
    }
}

TEST(names_scope_and_subresources_are_those_of_discovery)
{
    struct yl_arena *arena = yl_arena_new();
    unsigned n_kinds = 0;
    size_t i, j, size;

    n_differences = 0;
    for (i = 0; i < N_ALL_KINDS; i++) {
        const struct yl_type_set *set = all_kinds[i];
        const char *group = set->group, *version = set->version;
        struct yl_json_iter it;
        struct yl_json list;
        char *text;

        if (strstr(version, "alpha") || strstr(version, "beta")) {
            continue;
        }
        text = read_file(truth_path(
            group[0] ? yl_arena_printf(arena, "discovery/apis__%s__%s.json",
                                       group, version)
                     : "discovery/api__v1.json"), &size);
        list = yl_json(yl_str_n(text, size));
        for (j = 0; j < set->n_kinds; j++) {
            const struct yl_kind *kind = set->kinds[j];

            if (kind->plural[0]) {
                compare_kind(arena, kind, list);
                n_kinds++;
            }
        }
        /* And nothing is missing. */
        it = yl_json_iter(yl_json_get(list, YL_STR("resources")));
        while (yl_json_next(&it)) {
            struct yl_str name;
            bool found = false;

            assert_int_equal(yl_json_string(yl_json_get(it.value,
                                                        YL_STR("name")),
                                            arena, &name), 0);
            for (j = 0; j < set->n_kinds; j++) {
                found = found || yl_str_equal_c(name, set->kinds[j]->plural);
            }
            if (!found && !yl_str_find_char(name, '/')) {
                printf("# %s/%s: no %.*s\n", group, version,
                       YL_STR_ARG(name));
                n_differences++;
            }
        }
        free(text);
    }
    assert_true(n_kinds > 60);
    assert_int_equal(n_differences, 0);
    yl_arena_free(arena);
}
