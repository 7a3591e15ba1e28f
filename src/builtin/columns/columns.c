/* Tables of the built-in kinds.  See builtin/columns/columns.h for the
 * contract.
 *
 * The columns stand in one list per area, in the columns_*.c files.  A list is
 * searched once per request, so there is no index. */

#include "builtin/columns/columns.h"

#include "builtin/columns/columns_cell.h"
#include "json/text.h"

static yl_cell_fn cell_created_at;
static void write_member(struct yl_buf *, const char *name,
                         const char *value);
static const struct yl_columns *find(const struct yl_columns *list,
                                     struct yl_str group, struct yl_str kind);

static const struct yl_table_column fallback_columns[] = {
    YL_COLUMN_NAME,
    YL_COLUMN("Created At", "date", 0, cell_created_at, NULL, NULL),
};
static const struct yl_columns fallback
    = YL_COLUMNS("", NULL, fallback_columns);

const struct yl_columns *
yl_builtin_columns(struct yl_str group, struct yl_str kind)
{
    static const struct yl_columns *const lists[] = {
        yl_columns_workload, yl_columns_cluster, yl_columns_network,
        yl_columns_storage,  yl_columns_policy,
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(lists); i++) {
        const struct yl_columns *columns = find(lists[i], group, kind);

        if (columns) {
            return columns;
        }
    }
    return &fallback;
}

bool
yl_columns_are_plain(const struct yl_columns *columns)
{
    return columns == &fallback;
}

void
yl_columns_write_definitions(const struct yl_columns *columns,
                             struct yl_buf *out)
{
    size_t i;

    yl_buf_append_char(out, '[');
    for (i = 0; i < columns->n_columns; i++) {
        const struct yl_table_column *column = &columns->columns[i];

        yl_buf_append_c(out, i ? "," : "");
        write_member(out, "{\"name\":", column->name);
        write_member(out, ",\"type\":", column->type);
        write_member(out, ",\"format\":", column->format);
        write_member(out, ",\"description\":",
                     column->description ? column->description : "");
        yl_buf_printf(out, ",\"priority\":%d}", column->priority);
    }
    yl_buf_append_char(out, ']');
}

void
yl_columns_write_cells(const struct yl_columns *columns,
                       struct yl_json object, struct yl_time now,
                       struct yl_arena *arena, struct yl_buf *out)
{
    struct yl_row row = {
        .columns = columns, .object = object, .now = now, .arena = arena,
        .out = out,
    };
    size_t i;

    yl_buf_init(&row.text, YL_JSON_MAX_SIZE);
    yl_buf_append_char(out, '[');
    for (i = 0; i < columns->n_columns; i++) {
        if (columns->columns[i].write) {
            columns->columns[i].write(&row, &columns->columns[i]);
        }
    }
    yl_buf_append_char(out, ']');
    yl_buf_release(&row.text);
}

bool
yl_columns_write_conditions(const struct yl_columns *columns,
                            struct yl_json object, struct yl_buf *out)
{
    return columns->conditions && columns->conditions(object, out);
}

static void
cell_created_at(struct yl_row *row,
                const struct yl_table_column *column YL_UNUSED)
{
    char text[YL_TIME_TEXT_SIZE];
    size_t size = yl_time_write(
        yl_row_time(row, yl_row_at(row->object, "metadata.creationTimestamp")),
        text);

    yl_row_put_str(row, yl_str_n(text, size));
}

static void
write_member(struct yl_buf *out, const char *name, const char *value)
{
    yl_buf_append_c(out, name);
    yl_json_write_string(out, yl_str_c(value));
}

static const struct yl_columns *
find(const struct yl_columns *list, struct yl_str group, struct yl_str kind)
{
    for (; list->kind; list++) {
        if (yl_str_equal_c(kind, list->kind)
            && yl_str_equal_c(group, list->group)) {
            return list;
        }
    }
    return NULL;
}
