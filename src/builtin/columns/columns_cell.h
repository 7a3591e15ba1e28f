#ifndef BUILTIN_COLUMNS_COLUMNS_CELL_H
#define BUILTIN_COLUMNS_COLUMNS_CELL_H 1

/* The building blocks of columns, for the files that list the columns of
 * kinds.
 *
 * A column names the function that writes its cell, and that function's
 * arguments: a path into the object, and the text to show if there is nothing.
 * Cells that are computed together are all written by the function of the
 * first one; the columns after it have no function. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "yuloh/compiler.h"
#include "yuloh/json.h"
#include "yuloh/str.h"
#include "yuloh/time.h"

struct yl_arena;
struct yl_jsonpath;
struct yl_row;
struct yl_table_column;

typedef void yl_cell_fn(struct yl_row *, const struct yl_table_column *);

struct yl_table_column {
    const char *name;
    const char *type;           /* "string", "integer", "boolean", "date". */
    const char *format;         /* "" or "name". */
    int priority;
    yl_cell_fn *write;          /* NULL: an earlier column writes it. */
    const char *path;           /* "spec.replicas", or NULL. */
    const char *absent;         /* What to show when it is not there. */

    /* Of a custom resource. */
    const char *description;    /* NULL: "". */
    const struct yl_jsonpath *json_path;
};

struct yl_columns {
    const char *group;
    const char *kind;
    const struct yl_table_column *columns;
    size_t n_columns;
    bool (*conditions)(struct yl_json object, struct yl_buf *);
};

/* The lists, each ended by a kind of NULL. */
extern const struct yl_columns yl_columns_cluster[];
extern const struct yl_columns yl_columns_network[];
extern const struct yl_columns yl_columns_policy[];
extern const struct yl_columns yl_columns_storage[];
extern const struct yl_columns yl_columns_workload[];

/* A row that is being written. */
struct yl_row {
    const struct yl_columns *columns;
    struct yl_json object;
    struct yl_time now;
    struct yl_arena *arena;
    struct yl_buf *out;
    struct yl_buf text;         /* The string cell that is being put
                                 * together. */
    size_t n_cells;             /* Written so far. */
};

/* Columns
 * ======= */

#define YL_COLUMN(NAME, TYPE, PRIORITY, WRITE, PATH, ABSENT) \
    { NAME, TYPE, "", PRIORITY, WRITE, PATH, ABSENT, NULL, NULL }
#define YL_COLUMN_NAMED(NAME, PRIORITY, WRITE, PATH, ABSENT) \
    { NAME, "string", "name", PRIORITY, WRITE, PATH, ABSENT, NULL, NULL }
#define YL_COLUMN_NAME \
    YL_COLUMN_NAMED("Name", 0, yl_cell_text, "metadata.name", "")
#define YL_COLUMN_AGE                                                         \
    YL_COLUMN("Age", "string", 0, yl_cell_age, "metadata.creationTimestamp",  \
              "<unknown>")

/* A string column, of priority 0 and of priority 1. */
#define YL_TEXT(NAME, WRITE, PATH, ABSENT) \
    YL_COLUMN(NAME, "string", 0, WRITE, PATH, ABSENT)
#define YL_WIDE(NAME, WRITE, PATH, ABSENT) \
    YL_COLUMN(NAME, "string", 1, WRITE, PATH, ABSENT)
#define YL_INT(NAME, WRITE, PATH) \
    YL_COLUMN(NAME, "integer", 0, WRITE, PATH, NULL)

#define YL_COLUMNS(GROUP, KIND, COLUMNS) \
    { GROUP, KIND, COLUMNS, YL_ARRAY_SIZE(COLUMNS), NULL }

/* Cells of one field
 * ================== */

yl_cell_fn yl_cell_text;       /* A string; 'absent' if there is none. */
yl_cell_fn yl_cell_filled;     /* A string; 'absent' also if it is "". */
yl_cell_fn yl_cell_int;        /* A number; 0 if there is none. */
yl_cell_fn yl_cell_int_text;   /* A number as text. */
yl_cell_fn yl_cell_bool;       /* A bool; true if 'absent' is "true". */
yl_cell_fn yl_cell_count;      /* How many elements or members. */
yl_cell_fn yl_cell_present;    /* A number as it is; 'absent' if none. */
yl_cell_fn yl_cell_age;        /* How long ago a time was. */
yl_cell_fn yl_cell_join;       /* Strings, joined by commas. */
yl_cell_fn yl_cell_quantity;   /* A quantity's text. */
yl_cell_fn yl_cell_labels;     /* A map as "a=b,c=d"; "<none>" if empty. */
yl_cell_fn yl_cell_selector;   /* A LabelSelector; "<none>" if empty. */
yl_cell_fn yl_cell_containers; /* Two cells, names and images. */
yl_cell_fn yl_cell_json_path;  /* What 'json_path' finds, by 'type'. */

/* Reading
 * ======= */

/* The value at "a.b.c" below 'value'; absent if there is none or it is
 * null. */
struct yl_json yl_row_at(struct yl_json value, const char *path);

/* A string without escapes, in the row's arena; "" if it is none. */
struct yl_str yl_row_str(struct yl_row *, struct yl_json);
struct yl_str yl_row_str_at(struct yl_row *, struct yl_json value,
                            const char *path);

/* A number or a bool; 0 or false if it is none. */
int64_t yl_row_int(struct yl_json value, const char *path);
bool yl_row_bool(struct yl_json value, const char *path);

/* A time; the zero time if it is none. */
struct yl_time yl_row_time(struct yl_row *, struct yl_json);

/* The annotation 'key'; the null slice if there is none. */
struct yl_str yl_row_annotation(struct yl_row *, const char *key);

/* The first element of the array 'conditions' whose 'type' is that. */
struct yl_json yl_row_condition(struct yl_json conditions, const char *type);
bool yl_row_condition_is_true(struct yl_json conditions, const char *type);

/* A sorted set of strings.  It is filled like an array and then sorted. */
struct yl_row_set {
    struct yl_str *items;       /* In the row's arena. */
    size_t n, capacity;
};
void yl_row_set_add(struct yl_row *, struct yl_row_set *, struct yl_str);
void yl_row_set_sort(struct yl_row_set *); /* And drops repetitions. */
bool yl_row_set_has(const struct yl_row_set *, struct yl_str);

/* The members of a map of strings, sorted by key: each is the key, a NUL and
 * the value. */
struct yl_row_set yl_row_pairs(struct yl_row *, struct yl_json map);

/* Writing
 * ======= */

/* One whole cell. */
void yl_row_put_str(struct yl_row *, struct yl_str);
void yl_row_put_c(struct yl_row *, const char *);
void yl_row_put_int(struct yl_row *, int64_t);
void yl_row_put_since(struct yl_row *, struct yl_time);
void yl_row_put_sorted(struct yl_row *, const struct yl_row_set *);

/* Writes the cell that was put together in 'text', or 'absent' if 'text' is
 * empty.  'text' is empty afterwards. */
void yl_row_put_text(struct yl_row *, const char *absent);

/* Append to 'text': a string; one behind a separator, if it is not the first;
 * one in lower case; how long ago a time was; a quantity. */
void yl_row_add(struct yl_row *, struct yl_str);
void yl_row_add_to_list(struct yl_row *, struct yl_str, const char *separator);
void yl_row_add_lower(struct yl_row *, struct yl_str);
void yl_row_add_since(struct yl_row *, struct yl_time);
void yl_row_add_quantity(struct yl_row *, struct yl_json);

#endif /* builtin/columns/columns_cell.h */
