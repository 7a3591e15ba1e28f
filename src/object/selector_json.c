/* The object form of label selectors.  See yuloh/selector.h.
 *
 *     matchLabels: { app: web }
 *     matchExpressions:
 *     - { key: env, operator: In, values: [ a, b ] } */

#include "object/selector.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/quote.h"
#include "yuloh/arena.h"

/* How much of an unknown operator a message repeats. */
#define MAX_QUOTED 4096

static int add_labels(struct yl_selector_builder *, struct yl_json,
                      struct yl_error *);
static int add_expressions(struct yl_selector_builder *, struct yl_json,
                           struct yl_error *);
static int add_expression(struct yl_selector_builder *, struct yl_json,
                          struct yl_error *);
static int read_operator(struct yl_json, struct yl_arena *,
                         enum yl_selector_op *, struct yl_error *);
static int read_values(struct yl_json, struct yl_arena *,
                       struct yl_str **ret_values, size_t *ret_n,
                       struct yl_error *);
static int read_string(struct yl_json, struct yl_arena *, const char *what,
                       struct yl_str *ret_value, struct yl_error *);
static bool is_absent(struct yl_json);
static int wrong_type(const char *what, struct yl_error *);

int
yl_selector_from_json(struct yl_json json, struct yl_arena *arena,
                      const struct yl_selector **ret_selector,
                      struct yl_error *err)
{
    struct yl_selector_builder builder;
    int r;

    if (is_absent(json)) {
        *ret_selector = yl_selector_nothing();
        return 0;
    } else if (yl_json_type(json) != YL_JSON_OBJECT) {
        return wrong_type("label selector", err);
    }
    yl_selector_builder_init(&builder, arena);
    r = add_labels(&builder, yl_json_get(json, YL_STR("matchLabels")), err);
    if (r == 0) {
        r = add_expressions(&builder,
                            yl_json_get(json, YL_STR("matchExpressions")),
                            err);
    }
    if (r == 0) {
        *ret_selector = yl_selector_builder_finish(&builder);
    }
    yl_selector_builder_release(&builder);
    return r;
}

int
yl_selector_from_labels(struct yl_json labels, struct yl_arena *arena,
                        const struct yl_selector **ret_selector,
                        struct yl_error *err)
{
    struct yl_selector_builder builder;
    int r;

    yl_selector_builder_init(&builder, arena);
    r = add_labels(&builder, labels, err);
    if (r == 0) {
        *ret_selector = yl_selector_builder_finish(&builder);
    }
    yl_selector_builder_release(&builder);
    return r;
}

static int
add_labels(struct yl_selector_builder *builder, struct yl_json labels,
           struct yl_error *err)
{
    struct yl_json_iter it = yl_json_iter(labels);

    if (is_absent(labels)) {
        return 0;
    } else if (yl_json_type(labels) != YL_JSON_OBJECT) {
        return wrong_type("matchLabels", err);
    }
    while (yl_json_next(&it)) {
        struct yl_str key = it.key, value;
        int r = 0;

        if (it.escaped) {
            /* The slice is extended to include the quotes, which makes it a
             * JSON string. */
            struct yl_str quoted = yl_str_n(key.data - 1, key.size + 2);

            r = yl_json_string(yl_json(quoted), builder->arena, &key);
        }
        if (r == 0) {
            r = read_string(it.value, builder->arena, "matchLabels", &value,
                            err);
        }
        if (r == 0) {
            r = yl_selector_builder_add(builder, key, YL_SELECTOR_EQUALS,
                                        &value, 1, err);
        }
        if (r < 0) {
            return r;
        }
    }
    return 0;
}

static int
add_expressions(struct yl_selector_builder *builder,
                struct yl_json expressions, struct yl_error *err)
{
    struct yl_json_iter it = yl_json_iter(expressions);
    int r = 0;

    if (is_absent(expressions)) {
        return 0;
    } else if (yl_json_type(expressions) != YL_JSON_ARRAY) {
        return wrong_type("matchExpressions", err);
    }
    while (r == 0 && yl_json_next(&it)) {
        r = add_expression(builder, it.value, err);
    }
    return r;
}

static int
add_expression(struct yl_selector_builder *builder, struct yl_json expression,
               struct yl_error *err)
{
    struct yl_json key_json = yl_json_get(expression, YL_STR("key"));
    struct yl_json op_json = yl_json_get(expression, YL_STR("operator"));
    struct yl_json values_json = yl_json_get(expression, YL_STR("values"));
    struct yl_str key, *values = NULL;
    enum yl_selector_op op = YL_SELECTOR_EXISTS;
    size_t n_values = 0;
    int r;

    if (yl_json_type(expression) != YL_JSON_OBJECT && !is_absent(expression)) {
        return wrong_type("matchExpressions", err);
    }
    r = read_string(key_json, builder->arena, "key", &key, err);
    if (r == 0) {
        r = read_operator(op_json, builder->arena, &op, err);
    }
    if (r == 0) {
        r = read_values(values_json, builder->arena, &values, &n_values, err);
    }
    if (r == 0) {
        r = yl_selector_builder_add(builder, key, op, values, n_values, err);
    }
    free(values);
    return r;
}

static int
read_operator(struct yl_json json, struct yl_arena *arena,
              enum yl_selector_op *ret_op, struct yl_error *err)
{
    static const struct {
        const char *name;
        enum yl_selector_op op;
    } operators[] = {
        { "In", YL_SELECTOR_IN },
        { "NotIn", YL_SELECTOR_NOT_IN },
        { "Exists", YL_SELECTOR_EXISTS },
        { "DoesNotExist", YL_SELECTOR_DOES_NOT_EXIST },
    };
    struct yl_buf quoted;
    struct yl_str name;
    size_t i;
    int r = read_string(json, arena, "operator", &name, err);

    if (r < 0) {
        return r;
    }
    for (i = 0; i < YL_ARRAY_SIZE(operators); i++) {
        if (yl_str_equal_c(name, operators[i].name)) {
            *ret_op = operators[i].op;
            return 0;
        }
    }
    yl_buf_init(&quoted, MAX_QUOTED);
    yl_quote(&quoted, name);
    r = yl_error_set(err, YL_EINVALID,
                     "%s is not a valid label selector operator",
                     yl_buf_c_str(&quoted));
    yl_buf_release(&quoted);
    return r;
}

/* Reads the values into an array that the caller frees. */
static int
read_values(struct yl_json json, struct yl_arena *arena,
            struct yl_str **ret_values, size_t *ret_n, struct yl_error *err)
{
    struct yl_json_iter it = yl_json_iter(json);
    struct yl_str *values;
    size_t n = 0;
    int r = 0;

    if (is_absent(json)) {
        return 0;
    } else if (yl_json_type(json) != YL_JSON_ARRAY) {
        return wrong_type("values", err);
    }
    values = yl_malloc_array(yl_json_count(json) + 1, sizeof *values);
    while (r == 0 && yl_json_next(&it)) {
        r = read_string(it.value, arena, "values", &values[n++], err);
    }
    if (r < 0) {
        free(values);
        return r;
    }
    *ret_values = values;
    *ret_n = n;
    return 0;
}

/* A string; "" if it is absent, as for Go. */
static int
read_string(struct yl_json json, struct yl_arena *arena, const char *what,
            struct yl_str *ret_value, struct yl_error *err)
{
    if (is_absent(json)) {
        *ret_value = YL_STR("");
        return 0;
    }
    return yl_json_string(json, arena, ret_value) < 0 ? wrong_type(what, err)
                                                      : 0;
}

static bool
is_absent(struct yl_json json)
{
    return !yl_json_exists(json) || yl_json_type(json) == YL_JSON_NULL;
}

static int
wrong_type(const char *what, struct yl_error *err)
{
    return yl_error_set(err, YL_ETYPE, "%s has another type", what);
}
