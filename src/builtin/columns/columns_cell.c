/* Reading fields and writing cells.  See builtin/columns/columns_cell.h.
 *
 * A cell that is one string or number of the object is copied as the bytes it
 * is; others are put together in the row's text buffer. */

#include "builtin/columns/columns_cell.h"

#include <stdlib.h>
#include <string.h>

#include "json/text.h"
#include "schema/jsonpath.h"
#include "yuloh/arena.h"
#include "yuloh/quantity.h"
#include "yuloh/selector.h"

static void begin(struct yl_row *);
static void copy(struct yl_row *, struct yl_json);
static int compare(const void *a, const void *b);
static void put_bool(struct yl_row *, bool);

/* Cells of one field
 * ================== */

void
yl_cell_text(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json value = yl_row_at(row->object, column->path);

    if (yl_json_type(value) == YL_JSON_STRING) {
        copy(row, value);
    } else {
        yl_row_put_c(row, column->absent);
    }
}

void
yl_cell_filled(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json value = yl_row_at(row->object, column->path);

    if (yl_json_type(value) == YL_JSON_STRING
        && yl_json_raw(value).size > 2) {
        copy(row, value);
    } else {
        yl_row_put_c(row, column->absent);
    }
}

void
yl_cell_int(struct yl_row *row, const struct yl_table_column *column)
{
    yl_row_put_int(row, yl_row_int(row->object, column->path));
}

void
yl_cell_int_text(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json value = yl_row_at(row->object, column->path);

    if (yl_json_exists(value)) {
        yl_buf_printf(&row->text, "%lld", (long long) yl_row_int(value, ""));
    }
    yl_row_put_text(row, column->absent);
}

void
yl_cell_bool(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json value = yl_row_at(row->object, column->path);

    put_bool(row, yl_json_exists(value) ? yl_row_bool(value, "")
                                        : !strcmp(column->absent, "true"));
}

void
yl_cell_count(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json value = yl_row_at(row->object, column->path);

    yl_row_put_int(row, (int64_t) yl_json_count(value));
}

void
yl_cell_present(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json value = yl_row_at(row->object, column->path);

    if (yl_json_exists(value)) {
        copy(row, value);
    } else {
        yl_row_put_c(row, column->absent);
    }
}

void
yl_cell_age(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json value = yl_row_at(row->object, column->path);

    if (yl_json_exists(value)) {
        yl_row_put_since(row, yl_row_time(row, value));
    } else {
        yl_row_put_c(row, column->absent);
    }
}

void
yl_cell_join(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json_iter it =
        yl_json_iter(yl_row_at(row->object, column->path));
    bool first = true;

    for (; yl_json_next(&it); first = false) {
        if (!first) {
            yl_buf_append_char(&row->text, ',');
        }
        yl_row_add(row, yl_row_str(row, it.value));
    }
    yl_row_put_text(row, column->absent);
}

void
yl_cell_quantity(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json value = yl_row_at(row->object, column->path);

    if (yl_json_exists(value)) {
        yl_row_add_quantity(row, value);
    }
    yl_row_put_text(row, column->absent);
}

void
yl_cell_labels(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_row_set pairs =
        yl_row_pairs(row, yl_row_at(row->object, column->path));

    for (size_t i = 0; i < pairs.n; i++) {
        struct yl_str key, value;

        yl_str_cut(pairs.items[i], '\0', &key, &value);
        yl_row_add_to_list(row, key, ",");
        yl_buf_append_char(&row->text, '=');
        yl_row_add(row, value);
    }
    yl_row_put_text(row, "<none>");
}

void
yl_cell_selector(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json value = yl_row_at(row->object, column->path);
    const struct yl_selector *selector;

    if (!yl_json_exists(value)) {
        yl_row_put_c(row, column->absent);
        return;
    }
    if (yl_selector_from_json(value, row->arena, &selector, NULL) < 0) {
        yl_row_put_c(row, *column->absent ? "<error>" : "<invalid>");
        return;
    }
    yl_row_add(row, yl_selector_text(selector, row->arena));
    yl_row_put_text(row, column->absent);
}

void
yl_cell_containers(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json containers = yl_row_at(row->object, column->path);
    static const char *const fields[] = { "name", "image" };

    for (size_t i = 0; i < YL_ARRAY_SIZE(fields); i++) {
        struct yl_json_iter it = yl_json_iter(containers);
        bool first = true;

        while (yl_json_next(&it)) {
            if (!first) {
                yl_buf_append_char(&row->text, ',');
            }
            first = false;
            yl_row_add(row, yl_row_str_at(row, it.value, fields[i]));
        }
        yl_row_put_text(row, "");
    }
}

void
yl_cell_json_path(struct yl_row *row, const struct yl_table_column *column)
{
    begin(row);
    yl_jsonpath_write_cell(column->json_path, yl_str_c(column->type),
                           row->object, row->now, row->arena, row->out);
}

/* Reading
 * ======= */

struct yl_json
yl_row_at(struct yl_json value, const char *path)
{
    while (*path) {
        size_t n = strcspn(path, ".");

        value = yl_json_get(value, yl_str_n(path, n));
        path += n + (path[n] == '.');
    }
    return yl_json_type(value) == YL_JSON_NULL ? yl_json_none() : value;
}

struct yl_str
yl_row_str(struct yl_row *row, struct yl_json value)
{
    struct yl_str s;

    return yl_json_string(value, row->arena, &s) < 0 ? YL_STR("") : s;
}

struct yl_str
yl_row_str_at(struct yl_row *row, struct yl_json value, const char *path)
{
    return yl_row_str(row, yl_row_at(value, path));
}

int64_t
yl_row_int(struct yl_json value, const char *path)
{
    int64_t n;

    return yl_json_int64(yl_row_at(value, path), &n) < 0 ? 0 : n;
}

bool
yl_row_bool(struct yl_json value, const char *path)
{
    bool b;

    return yl_json_bool(yl_row_at(value, path), &b) == 0 && b;
}

struct yl_time
yl_row_time(struct yl_row *row, struct yl_json value)
{
    struct yl_time t;

    return yl_time_parse(yl_row_str(row, value), &t, NULL) < 0 ? yl_time_zero()
                                                               : t;
}

struct yl_str
yl_row_annotation(struct yl_row *row, const char *key)
{
    struct yl_json annotations =
        yl_row_at(row->object, "metadata.annotations");
    struct yl_json value = yl_json_get(annotations, yl_str_c(key));

    return yl_json_type(value) == YL_JSON_STRING ? yl_row_str(row, value)
                                                 : yl_str_null();
}

struct yl_json
yl_row_condition(struct yl_json conditions, const char *type)
{
    struct yl_json_iter it = yl_json_iter(conditions);

    while (yl_json_next(&it)) {
        if (yl_json_string_is(yl_json_get(it.value, YL_STR("type")),
                              yl_str_c(type))) {
            return it.value;
        }
    }
    return yl_json_none();
}

bool
yl_row_condition_is_true(struct yl_json conditions, const char *type)
{
    struct yl_json condition = yl_row_condition(conditions, type);

    return yl_json_string_is(yl_json_get(condition, YL_STR("status")),
                             YL_STR("True"));
}

void
yl_row_set_add(struct yl_row *row, struct yl_row_set *set, struct yl_str s)
{
    if (set->n == set->capacity) {
        size_t capacity = set->capacity ? set->capacity * 2 : 8;
        struct yl_str *items = yl_arena_array(row->arena, capacity,
                                              sizeof *items);

        if (set->n) {
            memcpy(items, set->items, set->n * sizeof *items);
        }
        set->items = items;
        set->capacity = capacity;
    }
    set->items[set->n++] = s;
}

void
yl_row_set_sort(struct yl_row_set *set)
{
    size_t n = 0;

    if (!set->n) {
        return;
    }
    qsort(set->items, set->n, sizeof *set->items, compare);
    for (size_t i = 1; i < set->n; i++) {
        if (!yl_str_equal(set->items[i], set->items[n])) {
            set->items[++n] = set->items[i];
        }
    }
    set->n = n + 1;
}

bool
yl_row_set_has(const struct yl_row_set *set, struct yl_str s)
{
    return set->n && bsearch(&s, set->items, set->n, sizeof *set->items,
                             compare);
}

struct yl_row_set
yl_row_pairs(struct yl_row *row, struct yl_json map)
{
    struct yl_json_iter it = yl_json_iter(map);
    struct yl_row_set pairs = { NULL, 0, 0 };

    while (yl_json_next(&it)) {
        struct yl_str value = yl_row_str(row, it.value);
        char *pair = yl_arena_alloc(row->arena,
                                    it.key.size + 1 + value.size);
        size_t n = it.key.size;

        if (it.escaped && yl_json_unescape(it.key, pair, &n) < 0) {
            n = 0;
        } else if (!it.escaped && n) {
            memcpy(pair, it.key.data, n);
        }
        pair[n] = '\0';
        memcpy(pair + n + 1, value.data, value.size);
        yl_row_set_add(row, &pairs, yl_str_n(pair, n + 1 + value.size));
    }
    yl_row_set_sort(&pairs);
    return pairs;
}

/* Writing
 * ======= */

void
yl_row_put_str(struct yl_row *row, struct yl_str s)
{
    begin(row);
    yl_json_write_string(row->out, s);
}

void
yl_row_put_c(struct yl_row *row, const char *s)
{
    yl_row_put_str(row, yl_str_c(s));
}

void
yl_row_put_int(struct yl_row *row, int64_t n)
{
    begin(row);
    yl_json_write_int64(row->out, n);
}

static void
put_bool(struct yl_row *row, bool b)
{
    begin(row);
    yl_buf_append_c(row->out, b ? "true" : "false");
}

void
yl_row_put_since(struct yl_row *row, struct yl_time t)
{
    yl_row_add_since(row, t);
    yl_row_put_text(row, "");
}

void
yl_row_put_sorted(struct yl_row *row, const struct yl_row_set *set)
{
    for (size_t i = 0; i < set->n; i++) {
        yl_row_add_to_list(row, set->items[i], ",");
    }
    yl_row_put_text(row, "");
}

void
yl_row_put_text(struct yl_row *row, const char *absent)
{
    if (row->text.size) {
        yl_row_put_str(row, yl_buf_str(&row->text));
    } else {
        yl_row_put_c(row, absent);
    }
    yl_buf_clear(&row->text);
}

void
yl_row_add(struct yl_row *row, struct yl_str s)
{
    yl_buf_append_str(&row->text, s);
}

void
yl_row_add_to_list(struct yl_row *row, struct yl_str s, const char *separator)
{
    if (row->text.size) {
        yl_buf_append_c(&row->text, separator);
    }
    yl_row_add(row, s);
}

void
yl_row_add_lower(struct yl_row *row, struct yl_str s)
{
    for (size_t i = 0; i < s.size; i++) {
        char c = s.data[i];

        yl_buf_append_char(&row->text,
                           c >= 'A' && c <= 'Z' ? (char) (c | 0x20) : c);
    }
}

void
yl_row_add_since(struct yl_row *row, struct yl_time t)
{
    char text[YL_DURATION_TEXT_SIZE];

    if (yl_time_is_zero(t)) {
        yl_buf_append_c(&row->text, "<unknown>");
        return;
    }
    yl_row_add(row, yl_str_n(text, yl_duration_write_human(
                                       yl_time_sub(row->now, t), text)));
}

void
yl_row_add_quantity(struct yl_row *row, struct yl_json value)
{
    char room[YL_QUANTITY_TEXT_SIZE];
    struct yl_str text = yl_row_str(row, value);
    struct yl_quantity quantity;

    if (yl_json_type(value) == YL_JSON_NUMBER) {
        text = yl_json_raw(value);
    }
    if (yl_quantity_parse(text, &quantity, NULL) < 0) {
        yl_buf_append_char(&row->text, '0');
        return;
    }
    yl_row_add(row, yl_quantity_text(&quantity, room));
}

/* Starts a cell. */
static void
begin(struct yl_row *row)
{
    if (row->n_cells++) {
        yl_buf_append_char(row->out, ',');
    }
}

static void
copy(struct yl_row *row, struct yl_json value)
{
    begin(row);
    yl_buf_append_str(row->out, yl_json_raw(value));
}

static int
compare(const void *a, const void *b)
{
    return yl_str_compare(*(const struct yl_str *) a,
                          *(const struct yl_str *) b);
}
