/* Following a JSONPath, and the cells of custom resources.  See
 * schema/jsonpath.h for the contract.
 *
 * As in client-go every step turns a list of values into another one, and all
 * of them are computed although only the first value is shown: an error in a
 * later one makes the cell empty. */

#include <math.h>
#include <string.h>

#include "json/text.h"
#include "json/tree.h"
#include "schema/go_value.h"
#include "schema/jsonpath_path.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

struct values {
    struct yl_json *items;
    size_t n, capacity;
};

/* One evaluation. */
struct run {
    struct yl_arena *arena;
    size_t n_values;            /* Values visited so far, of
                                 * YL_JSONPATH_MAX_VALUES. */
};

static int follow(struct run *, const struct yl_jsonpath *,
                  const struct values *in, struct values *out);
static int take_step(struct run *, const struct yl_jsonpath_step *,
                     const struct values *in, struct values *out);
static int take_all(struct run *, struct yl_json container, struct values *);
static int descend(struct run *, struct yl_json value, struct values *out);
static int slice(struct run *, const struct yl_jsonpath_bound bounds[3],
                 struct yl_json array, struct values *out);
static int filter(struct run *, const struct yl_jsonpath_step *,
                  struct yl_json array, struct values *out);
static int compare(struct run *, enum yl_jsonpath_comparison,
                   struct yl_json left, struct yl_json right);
static int add(struct run *, struct values *, struct yl_json);
static bool is_null(struct yl_json);
static void write_text(struct yl_json, struct yl_arena *, struct yl_buf *);
static void write_compound(struct yl_json, struct yl_arena *,
                           struct yl_buf *);
static void write_date(struct yl_json, struct yl_time now, struct yl_arena *,
                       struct yl_buf *);

struct yl_json
yl_jsonpath_first(const struct yl_jsonpath *path, struct yl_json object,
                  struct yl_arena *arena)
{
    struct run run = { .arena = arena };
    struct values in = { &object, 1, 1 }, out;

    if (follow(&run, path, &in, &out) < 0 || !out.n) {
        return yl_json_none();
    }
    return out.items[0];
}

void
yl_jsonpath_write_cell(const struct yl_jsonpath *path, struct yl_str type,
                       struct yl_json object, struct yl_time now,
                       struct yl_arena *arena, struct yl_buf *out)
{
    struct yl_json value = yl_jsonpath_first(path, object, arena);
    enum yl_json_type is = yl_json_type(value);
    double number;
    int64_t integer;

    if (yl_str_equal_c(type, "string") && yl_json_exists(value)) {
        write_text(value, arena, out);
    } else if (yl_str_equal_c(type, "integer") && is == YL_JSON_NUMBER
               && yl_json_int64(value, &integer) == 0) {
        yl_json_write_int64(out, integer);
    } else if (yl_str_equal_c(type, "integer") && is == YL_JSON_NUMBER
               && yl_json_double(value, &number) == 0) {
        /* A number that is too large becomes what it becomes in Go on
         * amd64. */
        yl_json_write_int64(out, fabs(number) < 9223372036854775808.0
                                 ? (int64_t) number : INT64_MIN);
    } else if (yl_str_equal_c(type, "number") && is == YL_JSON_NUMBER
               && yl_json_double(value, &number) == 0) {
        yl_json_write_double(out, number);
    } else if (yl_str_equal_c(type, "boolean") && is == YL_JSON_BOOL) {
        yl_buf_append_str(out, yl_json_raw(value));
    } else if (yl_str_equal_c(type, "date") && is == YL_JSON_STRING) {
        write_date(value, now, arena, out);
    } else {
        yl_buf_append_c(out, "null");
    }
}

static int
follow(struct run *run, const struct yl_jsonpath *path,
       const struct values *in, struct values *out)
{
    struct values now = *in;

    for (size_t i = 0; i < path->n_steps; i++) {
        struct values next = { NULL, 0, 0 };
        int r = take_step(run, &path->steps[i], &now, &next);

        if (r < 0) {
            return r;
        }
        now = next;
    }
    *out = now;
    return 0;
}

static int
take_step(struct run *run, const struct yl_jsonpath_step *step,
          const struct values *in, struct values *out)
{
    int r = 0;

    if (step->op == YL_JSONPATH_UNION) {
        for (size_t i = 0; r == 0 && i < step->n_paths; i++) {
            struct values some;

            r = follow(run, &step->paths[i], in, &some);
            for (size_t j = 0; r == 0 && j < some.n; j++) {
                r = add(run, out, some.items[j]);
            }
        }
        return r;
    }
    for (size_t i = 0; r == 0 && i < in->n; i++) {
        struct yl_json value = in->items[i];
        struct yl_json member;

        switch (step->op) {
        case YL_JSONPATH_FIELD:
            member = yl_json_get(value, step->name);
            r = yl_json_exists(member) ? add(run, out, member) : 0;
            break;
        case YL_JSONPATH_WILDCARD:
            r = take_all(run, value, out);
            break;
        case YL_JSONPATH_RECURSIVE:
            r = descend(run, value, out);
            break;
        case YL_JSONPATH_ARRAY:
            r = is_null(value) ? 0 : slice(run, step->bounds, value, out);
            break;
        case YL_JSONPATH_FILTER:
            r = filter(run, step, value, out);
            break;
        case YL_JSONPATH_LITERAL:
            r = yl_json_exists(step->literal) ? add(run, out, step->literal)
                                              : YL_EINVALID;
            break;
        case YL_JSONPATH_UNION:
            break;
        }
    }
    return r;
}

static int
take_all(struct run *run, struct yl_json container, struct values *out)
{
    struct yl_json_iter it = yl_json_iter(container);
    int r = 0;

    while (r == 0 && yl_json_next(&it)) {
        r = add(run, out, it.value);
    }
    return r;
}

/* Collects 'value' and every container below it that is not empty, in the
 * order of the text.  A list of containers still to be opened takes the place
 * of recursion. */
static int
descend(struct run *run, struct yl_json value, struct values *out)
{
    struct values open = { NULL, 0, 0 };
    int r = add(run, &open, value);

    while (r == 0 && open.n) {
        struct yl_json top = open.items[--open.n];
        struct yl_json_iter it = yl_json_iter(top);
        size_t first = open.n;

        while (r == 0 && yl_json_next(&it)) {
            r = add(run, &open, it.value);
        }
        if (r == 0 && open.n > first) {
            r = add(run, out, top);
        }
        for (size_t i = first, j = open.n; i + 1 < j; i++) {
            struct yl_json swapped = open.items[i];

            open.items[i] = open.items[--j];
            open.items[j] = swapped;
        }
    }
    return r;
}

static int
slice(struct run *run, const struct yl_jsonpath_bound bounds[3],
      struct yl_json array, struct values *out)
{
    int64_t n = (int64_t) yl_json_count(array);
    int64_t from = bounds[0].known ? bounds[0].value : 0;
    int64_t to = bounds[1].known ? bounds[1].value : n;
    int64_t step = bounds[2].known ? bounds[2].value : 1;
    struct yl_json_iter it = yl_json_iter(array);
    int r = 0;

    if (yl_json_type(array) != YL_JSON_ARRAY) {
        return YL_ETYPE;
    }
    from += from < 0 ? n : 0;
    to += to < 0 || (to == 0 && bounds[1].derived) ? n : 0;
    if (from == to) {
        return 0;
    }
    if (from < 0 || from >= n || to < 0 || to > n || from > to || step <= 0) {
        return YL_ERANGE;
    }
    for (int64_t i = 0; r == 0 && i < to && yl_json_next(&it); i++) {
        if (i >= from && (i - from) % step == 0) {
            r = add(run, out, it.value);
        }
    }
    return r;
}

static int
filter(struct run *run, const struct yl_jsonpath_step *step,
       struct yl_json array, struct values *out)
{
    struct yl_json_iter it = yl_json_iter(array);

    if (yl_json_type(array) != YL_JSON_ARRAY) {
        return YL_ETYPE;
    }
    while (yl_json_next(&it)) {
        struct values in = { &it.value, 1, 1 };
        struct values left = { 0 }, right = { 0 };
        int r = follow(run, &step->paths[0], &in, &left);
        int pass;

        if (step->comparison == YL_JSONPATH_EXISTS) {
            pass = r == 0 && left.n;
        } else {
            if (r == 0) {
                r = follow(run, &step->paths[1], &in, &right);
            }
            if (r < 0) {
                return r;
            }
            if (!left.n || (left.n == 1 && !right.n)) {
                continue;
            }
            pass = left.n > 1 || right.n > 1
                   ? YL_EINVALID
                   : compare(run, step->comparison, left.items[0],
                             right.items[0]);
        }
        if (pass < 0) {
            return pass;
        }
        if (pass && add(run, out, it.value) < 0) {
            return YL_ETOOBIG;
        }
    }
    return 0;
}

/* 1 or 0, or negative if the two cannot be compared: values of two types, an
 * integer with a fraction, lists, an order of bools. */
static int
compare(struct run *run, enum yl_jsonpath_comparison how,
        struct yl_json left, struct yl_json right)
{
    enum yl_json_type type = yl_json_type(left);
    struct yl_str a, b;
    double x, y;
    bool p, q;
    int order;

    if (type != yl_json_type(right) || how == YL_JSONPATH_UNKNOWN) {
        return YL_ETYPE;
    }
    if (yl_json_string(left, run->arena, &a) == 0
        && yl_json_string(right, run->arena, &b) == 0) {
        order = yl_str_compare(a, b);
    } else if (yl_json_double(left, &x) == 0
               && yl_json_double(right, &y) == 0) {
        int64_t i, j;

        if (yl_json_number_is_integer(yl_json_raw(left))
            != yl_json_number_is_integer(yl_json_raw(right))) {
            return YL_ETYPE;
        }
        order = (x > y) - (x < y);
        if (yl_json_int64(left, &i) == 0 && yl_json_int64(right, &j) == 0) {
            order = (i > j) - (i < j);
        }
    } else if (yl_json_bool(left, &p) == 0 && yl_json_bool(right, &q) == 0
               && (how == YL_JSONPATH_EQUAL
                   || how == YL_JSONPATH_NOT_EQUAL)) {
        order = p - q;
    } else {
        return YL_ETYPE;
    }
    switch (how) {
    case YL_JSONPATH_EQUAL:
        return order == 0;
    case YL_JSONPATH_NOT_EQUAL:
        return order != 0;
    case YL_JSONPATH_LESS:
        return order < 0;
    case YL_JSONPATH_LESS_EQUAL:
        return order <= 0;
    case YL_JSONPATH_GREATER:
        return order > 0;
    case YL_JSONPATH_GREATER_EQUAL:
    case YL_JSONPATH_EXISTS:
    case YL_JSONPATH_UNKNOWN:
        break;
    }
    return order >= 0;
}

static int
add(struct run *run, struct values *values, struct yl_json value)
{
    if (run->n_values++ == YL_JSONPATH_MAX_VALUES) {
        return YL_ETOOBIG;
    }
    if (values->n == values->capacity) {
        size_t capacity = values->capacity ? values->capacity * 2 : 4;
        struct yl_json *items = yl_arena_array(run->arena, capacity,
                                               sizeof *items);

        if (values->n) {
            memcpy(items, values->items, values->n * sizeof *items);
        }
        values->items = items;
        values->capacity = capacity;
    }
    values->items[values->n++] = value;
    return 0;
}

static bool
is_null(struct yl_json value)
{
    return yl_json_type(value) == YL_JSON_NULL;
}

/* Any value as text, as Go prints it. */
static void
write_text(struct yl_json value, struct yl_arena *arena, struct yl_buf *out)
{
    char text[YL_DOUBLE_SIZE];
    int64_t integer;
    double number;

    switch (yl_json_type(value)) {
    case YL_JSON_STRING:
        yl_buf_append_str(out, yl_json_raw(value));
        return;

    case YL_JSON_NUMBER:
        if (yl_json_int64(value, &integer) == 0
            || yl_json_double(value, &number) < 0) {
            yl_json_write_string(out, yl_json_raw(value));
        } else {
            yl_go_double(text, number);
            yl_json_write_string(out, yl_str_c(text));
        }
        return;

    case YL_JSON_BOOL:
        yl_json_write_string(out, yl_json_raw(value));
        return;

    case YL_JSON_NONE:
    case YL_JSON_NULL:
        yl_buf_append_c(out, "\"<no value>\"");
        return;

    case YL_JSON_ARRAY:
    case YL_JSON_OBJECT:
        break;
    }
    write_compound(value, arena, out);
}

/* JSON in a string, as Go encodes it: keys sorted, and '<', '>' and '&'
 * escaped. */
static void
write_compound(struct yl_json value, struct yl_arena *arena,
               struct yl_buf *out)
{
    struct yl_node *root;
    struct yl_buf plain, safe;

    yl_buf_init(&plain, YL_JSON_MAX_SIZE);
    yl_buf_init(&safe, 6 * YL_JSON_MAX_SIZE);
    if (yl_tree_parse(arena, yl_json_raw(value), NULL, &root, NULL) == 0
        && yl_node_write_canonical(&plain, root) == 0) {
        for (size_t i = 0; i < plain.size; i++) {
            char c = plain.data[i];

            if (c == '<' || c == '>' || c == '&') {
                yl_buf_printf(&safe, "\\u00%02x", (unsigned) c);
            } else {
                yl_buf_append_char(&safe, c);
            }
        }
    }
    yl_json_write_string(out, yl_buf_str(&safe));
    yl_buf_release(&plain);
    yl_buf_release(&safe);
}

static void
write_date(struct yl_json value, struct yl_time now, struct yl_arena *arena,
           struct yl_buf *out)
{
    char age[YL_DURATION_TEXT_SIZE];
    struct yl_str text;
    struct yl_time t;

    if (yl_json_string(value, arena, &text) < 0) {
        text = YL_STR("-");
    }
    if (!text.size || yl_str_equal_c(text, "null")) {
        yl_buf_append_c(out, "\"<unknown>\"");
    } else if (yl_time_parse(text, &t, NULL) < 0) {
        yl_buf_append_c(out, "\"<invalid>\"");
    } else if (yl_time_is_zero(t)) {
        yl_buf_append_c(out, "\"<unknown>\"");
    } else {
        yl_duration_write_human(yl_time_sub(now, t), age);
        yl_json_write_string(out, yl_str_c(age));
    }
}
