/* The built-in kinds against upstream's types: presence, patch strategy, merge
 * key, protobuf number, order and Go's type of every field; and against
 * discovery: the names, scope and subresources of every resource. */

#include "all_kinds.h"
#include "base/buf.h"
#include "json/tree.h"
#include "schema/go_name.h"
#include "schema/go_set.h"
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

/* The fields of a type in Go's order, with those of embedded structs in their
 * place; apiVersion and kind are left out. */
static size_t
rows_in_order(struct yl_str type, const struct row **rows, size_t n)
{
    size_t i;

    for (i = 0; i < table.n; i++) {
        const struct row *row = &table.rows[i];

        if (!yl_str_equal(row->columns[TYPE], type)) {
            continue;
        } else if (!yl_str_equal_c(row->columns[JSON_NAME], "(inline)")) {
            rows[n++] = row;
        } else if (!yl_str_equal_c(row->columns[VALUE],
                                   "meta/v1.TypeMeta")) {
            n = rows_in_order(row->columns[VALUE], rows, n);
        }
    }
    return n;
}

static int
compare_offsets(const void *a_, const void *b_)
{
    const struct yl_field *const *a = a_, *const *b = b_;

    return (*a)->offset < (*b)->offset ? -1 : (*a)->offset > (*b)->offset;
}

/* The fields of a type in the order of the header, which is that of the
 * record; apiVersion and kind are left out. */
static size_t
fields_in_order(const struct yl_type_set *set, const struct yl_type *type,
                const struct yl_field **fields)
{
    size_t i, n = 0;

    for (i = 0; i < type->n_fields; i++) {
        const struct yl_field *field = &set->fields[type->fields + i];
        const char *name = yl_type_set_text(set, field->name);

        if (find(YL_STR("meta/v1.TypeMeta"), yl_str_c(name), 0)
            && !strcmp(yl_type_set_text(set, type->name), "DeleteOptions")) {
            continue;
        }
        fields[n++] = field;
    }
    qsort(fields, n, sizeof *fields, compare_offsets);
    return n;
}

static void
compare_order(const struct yl_type_set *set, const struct yl_type *type,
              struct yl_str name)
{
    const struct yl_field *fields[256];
    const struct row *rows[256];
    size_t n = fields_in_order(set, type, fields), i;

    assert_int_equal(rows_in_order(name, rows, 0), n);
    for (i = 0; i < n; i++) {
        const char *field = yl_type_set_text(set, fields[i]->name);

        if (!yl_str_equal_c(rows[i]->columns[JSON_NAME], field)) {
            differ(name, field, "what stands there",
                   rows[i]->columns[JSON_NAME]);
            return;
        }
    }
}

/* Runs 'compare' for every type of every set. */
static void
for_each_type(void (*compare)(const struct yl_type_set *,
                              const struct yl_type *, struct yl_str name))
{
    struct yl_arena *arena = yl_arena_new();
    size_t i, j;

    load();
    n_differences = 0;
    for (i = 0; i <= N_ALL_KINDS; i++) {
        const struct yl_type_set *set = i < N_ALL_KINDS ? all_kinds[i]
                                                        : &meta_v1_types;

        for (j = 1; j < set->n_types; j++) {
            compare(set, &set->types[j], row_type(arena, yl_type_set_text(
                set, set->types[j].openapi_name)));
        }
    }
    assert_int_equal(n_differences, 0);
    free(table.text);
    yl_arena_free(arena);
}

TEST(fields_stand_in_gos_order)
{
    for_each_type(compare_order);
}

/* Appends the name that Go prints: "[]v1.Capability" of
 * "[]core/v1.Capability=string". */
static void
write_printed(struct yl_buf *buf, struct yl_str value)
{
    struct yl_str head, rest;

    if (yl_str_starts_with(value, YL_STR("*"))) {
        value = yl_str_skip(value, 1);
    }
    if (yl_str_starts_with(value, YL_STR("[]"))) {
        yl_buf_append_c(buf, "[]");
        write_printed(buf, yl_str_skip(value, 2));
    } else if (yl_str_starts_with(value, YL_STR("map["))) {
        assert_true(yl_str_cut(yl_str_skip(value, 4), ']', &head, &rest));
        yl_buf_append_c(buf, "map[");
        write_printed(buf, head);
        yl_buf_append_c(buf, "]");
        write_printed(buf, rest);
    } else if (yl_str_equal_c(value, "bytes")) {
        yl_buf_append_c(buf, "[]uint8");
    } else {
        if (yl_str_cut(value, '=', &head, &rest)) {
            value = head;
        }
        while (yl_str_cut(value, '/', &head, &rest)) {
            value = rest;
        }
        yl_buf_append_str(buf, value);
    }
}

static void
compare_names(const struct yl_type_set *set, const struct yl_type *type,
              struct yl_str name)
{
    size_t i;

    for (i = 0; i < type->n_fields; i++) {
        const struct yl_field *field = &set->fields[type->fields + i];
        const char *json = yl_type_set_text(set, field->name);
        const struct row *row = find(name, yl_str_c(json), 4);
        const char *own = yl_go_field_type(set, field);
        struct yl_buf ours, theirs;

        yl_buf_init(&ours, SIZE_MAX);
        yl_buf_init(&theirs, SIZE_MAX);
        if (own) {
            yl_buf_append_c(&ours, own);
        } else {
            yl_go_name_value(&ours, set, &set->values[field->value]);
        }
        write_printed(&theirs, row->columns[VALUE]);
        if (!yl_str_equal(yl_buf_str(&ours), yl_buf_str(&theirs))) {
            differ(name, json, "Go's type", yl_buf_str(&theirs));
        }
        yl_buf_release(&ours);
        yl_buf_release(&theirs);
    }
}

TEST(types_have_the_names_that_go_prints)
{
    for_each_type(compare_names);
}

/* Each struct that a type embeds, and the fields in it. */
static void
compare_embedded(const struct yl_type_set *set, const struct yl_type *type,
                 struct yl_str name)
{
    struct yl_type_ref ref = { set, type };
    const struct row *rows[256];
    struct yl_str around = name;
    unsigned depth = 1;
    size_t i, j, n;

    for (i = 0; i < table.n; i++) {
        const struct row *row = &table.rows[i];
        struct yl_str package, embedded;

        if (!yl_str_equal(row->columns[TYPE], around)
            || !yl_str_equal_c(row->columns[JSON_NAME], "(inline)")
            || yl_str_equal_c(row->columns[VALUE], "meta/v1.TypeMeta")) {
            continue;
        }
        around = row->columns[VALUE];
        assert_true(yl_str_cut(around, '.', &package, &embedded));
        if (!yl_str_equal_c(embedded, yl_go_embedding_name(ref, depth))) {
            differ(name, yl_go_embedding_name(ref, depth), "what is embedded",
                   embedded);
        }
        n = rows_in_order(around, rows, 0);
        for (j = 0; j < n; j++) {
            const struct yl_field *field = yl_type_field(
                ref, rows[j]->columns[JSON_NAME]);

            if (yl_go_field_of(set, field)->depth < depth) {
                differ(name, yl_type_set_text(set, field->name), "it",
                       YL_STR("embedded"));
            }
        }
        depth++;
        i = 0;                  /* What is embedded may embed. */
    }
    if (yl_go_embedding(ref, depth)) {
        differ(name, yl_go_embedding_name(ref, depth), "it",
               YL_STR("embedded"));
    }
}

TEST(what_go_embeds_is_known)
{
    for_each_type(compare_embedded);
}

/* Internal types have the same order, but for these. */
static void
compare_internal(const struct yl_type_set *set, const struct yl_type *type,
                 struct yl_str name)
{
    static const char *const others[] = {
        "apiextensions/v1.JSONSchemaProps",
        "apiextensions/v1beta1.JSONSchemaProps",
        "core/v1.PersistentVolumeSpec", "core/v1.PodSecurityContext",
        "core/v1.PodSpec", "core/v1.Volume",
    };
    const struct yl_go_set *go = yl_go_set_of(set);
    const struct yl_go_place *place = &go->types[type - set->types];
    const struct yl_field *fields[256];
    size_t n = fields_in_order(set, type, fields), i;
    bool other = false, same;

    /* Those that are kept out above are in the table: both come first. */
    i = type->n_fields - n;
    same = (size_t) (place[1].order - place[0].order) == type->n_fields;
    for (; same && i < type->n_fields; i++) {
        same = &set->fields[go->order[place->order + i]]
               == fields[i - (type->n_fields - n)];
    }
    for (i = 0; i < sizeof others / sizeof others[0]; i++) {
        other = other || yl_str_equal_c(name, others[i]);
    }
    if (same == other) {
        differ(name, "", "the internal order",
               other ? YL_STR("another") : YL_STR("the same"));
    }
}

TEST(internal_types_have_the_same_order_but_for_a_few)
{
    for_each_type(compare_internal);
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
