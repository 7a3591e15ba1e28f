/* Building label selectors.  See object/selector.h. */

#include "object/selector.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/quote.h"
#include "json/text.h"
#include "yuloh/arena.h"
#include "yuloh/names.h"

/* The longest message about one requirement with many faults. */
#define MESSAGE_CEILING 16384

/* The faults of one requirement, in upstream's form: one stands as it is,
 * several in brackets. */
struct faults {
    struct yl_buf text;
    size_t n_faults;
};

static void check(struct faults *, struct yl_str key, enum yl_selector_op,
                  const struct yl_str *values, size_t n_values);
static void check_count(struct faults *, enum yl_selector_op,
                        const struct yl_str *values, size_t n_values);
static void check_numbers(struct faults *, const struct yl_str *values,
                          size_t n_values);
static int report(struct faults *, struct yl_error *);
static const struct yl_str *copy_values(struct yl_arena *,
                                        const struct yl_str *, size_t n);
static int compare_requirements(const void *, const void *);

void
yl_selector_builder_init(struct yl_selector_builder *b, struct yl_arena *arena)
{
    memset(b, 0, sizeof *b);
    b->arena = arena;
}

void
yl_selector_builder_release(struct yl_selector_builder *b)
{
    free(b->requirements);
}

int
yl_selector_builder_add(struct yl_selector_builder *b, struct yl_str key,
                        enum yl_selector_op op, const struct yl_str *values,
                        size_t n_values, struct yl_error *err)
{
    struct yl_requirement *r;
    struct faults faults;
    int code;

    if (b->n_requirements == YL_SELECTOR_MAX_REQUIREMENTS) {
        return yl_error_set(err, YL_ETOOBIG,
                            "selector has more than %d requirements",
                            YL_SELECTOR_MAX_REQUIREMENTS);
    }
    yl_buf_init(&faults.text, MESSAGE_CEILING);
    faults.n_faults = 0;
    check(&faults, key, op, values, n_values);
    code = report(&faults, err);
    yl_buf_release(&faults.text);
    if (code < 0) {
        return code;
    }

    if (b->n_requirements == b->capacity) {
        b->capacity = b->capacity ? b->capacity * 2 : 8;
        b->requirements = yl_realloc_array(b->requirements, b->capacity,
                                           sizeof *b->requirements);
    }
    r = &b->requirements[b->n_requirements];
    memset(r, 0, sizeof *r);
    r->key = yl_arena_copy(b->arena, key);
    r->op = op;
    r->values = copy_values(b->arena, values, n_values);
    r->n_values = n_values;

    /* The sort needs the original order; 'number' holds it until the real
     * number is set below. */
    r->number = (int64_t) b->n_requirements++;
    return 0;
}

const struct yl_selector *
yl_selector_builder_finish(struct yl_selector_builder *b)
{
    struct yl_selector *selector = yl_arena_zalloc(b->arena, sizeof *selector);
    struct yl_requirement *requirements;
    size_t i;

    if (!b->n_requirements) {
        return yl_selector_everything();
    }
    requirements = yl_arena_array(b->arena, b->n_requirements,
                                  sizeof *requirements);
    qsort(b->requirements, b->n_requirements, sizeof *b->requirements,
          compare_requirements);
    for (i = 0; i < b->n_requirements; i++) {
        struct yl_requirement *r = &requirements[i];

        *r = b->requirements[i];
        r->number = 0;
        if (r->op == YL_SELECTOR_GREATER_THAN
            || r->op == YL_SELECTOR_LESS_THAN) {
            yl_selector_number(r->values[0], &r->number);
        }
    }
    selector->requirements = requirements;
    selector->n_requirements = b->n_requirements;
    return selector;
}

int
yl_selector_number(struct yl_str s, int64_t *ret_number)
{
    long long number;
    int r;

    if (s.size > 1 && s.data[0] == '+' && s.data[1] != '-') {
        s = yl_str_skip(s, 1);
    }
    r = yl_str_to_i64(s, &number);
    if (r == 0) {
        *ret_number = number;
    }
    return r;
}

int
yl_selector_compare(const void *a, const void *b)
{
    return yl_str_compare(*(const struct yl_str *) a,
                          *(const struct yl_str *) b);
}

/* Starts the next fault.  False if there is no room for it. */
static bool
next_fault(struct faults *faults)
{
    if (faults->n_faults++) {
        yl_buf_append_c(&faults->text, ", ");
    }
    return yl_buf_error(&faults->text) == 0;
}

static void
add_name_fault(struct faults *faults, struct yl_str value,
               const struct yl_name_faults *names)
{
    size_t i;

    yl_buf_append_c(&faults->text, ": Invalid value: ");
    yl_quote(&faults->text, value);
    for (i = 0; i < names->n_faults; i++) {
        yl_buf_append_c(&faults->text, i ? "; " : ": ");
        yl_buf_append_c(&faults->text, names->faults[i]);
    }
}

static void
check(struct faults *faults, struct yl_str key, enum yl_selector_op op,
      const struct yl_str *values, size_t n_values)
{
    struct yl_name_faults names;
    size_t i;

    if (yl_name_check(YL_NAME_QUALIFIED, key, &names) < 0) {
        next_fault(faults);
        yl_buf_append_c(&faults->text, "key");
        add_name_fault(faults, key, &names);
    }
    check_count(faults, op, values, n_values);
    for (i = 0; i < n_values; i++) {
        if (yl_name_check(YL_NAME_LABEL_VALUE, values[i], &names) < 0) {
            if (!next_fault(faults)) {
                return;
            }
            yl_buf_printf(&faults->text, "values[%zu][", i);
            yl_buf_append_str(&faults->text, key);
            yl_buf_append_c(&faults->text, "]");
            add_name_fault(faults, values[i], &names);
        }
    }
}

/* Whether the operator takes that many values.  In the string form the number
 * is always right. */
static void
check_count(struct faults *faults, enum yl_selector_op op,
            const struct yl_str *values, size_t n_values)
{
    const char *sentence = NULL;
    size_t i;

    if (op == YL_SELECTOR_IN || op == YL_SELECTOR_NOT_IN) {
        if (!n_values) {
            sentence = "for 'in', 'notin' operators, values set can't be "
                       "empty";
        }
    } else if (op == YL_SELECTOR_EXISTS || op == YL_SELECTOR_DOES_NOT_EXIST) {
        if (n_values) {
            sentence = "values set must be empty for exists and does not "
                       "exist";
        }
    } else if (op == YL_SELECTOR_GREATER_THAN || op == YL_SELECTOR_LESS_THAN) {
        check_numbers(faults, values, n_values);
    }
    if (!sentence || !next_fault(faults)) {
        return;
    }
    yl_buf_append_c(&faults->text, "values: Invalid value: ");
    if (n_values) {
        for (i = 0; i < n_values && !yl_buf_error(&faults->text); i++) {
            yl_buf_append_c(&faults->text, i ? "," : "[");
            yl_json_write_string(&faults->text, values[i]);
        }
        yl_buf_append_c(&faults->text, "]");
    } else {
        yl_buf_append_c(&faults->text, "null");
    }
    yl_buf_printf(&faults->text, ": %s", sentence);
}

static void
check_numbers(struct faults *faults, const struct yl_str *values,
              size_t n_values)
{
    int64_t number;
    size_t i;

    for (i = 0; i < n_values; i++) {
        if (yl_selector_number(values[i], &number) < 0 && next_fault(faults)) {
            yl_buf_printf(&faults->text, "values[%zu]: Invalid value: ", i);
            yl_quote(&faults->text, values[i]);
            yl_buf_append_c(&faults->text, ": for 'Gt', 'Lt' operators, the "
                            "value must be an integer");
        }
    }
}

static int
report(struct faults *faults, struct yl_error *err)
{
    const char *text = yl_buf_c_str(&faults->text);

    if (faults->n_faults == 0) {
        return 0;
    }
    return yl_error_set(err, YL_EINVALID,
                        faults->n_faults > 1 ? "[%s]" : "%s", text);
}

static const struct yl_str *
copy_values(struct yl_arena *arena, const struct yl_str *values, size_t n)
{
    struct yl_str *copy = yl_arena_array(arena, n, sizeof *copy);
    size_t i;

    for (i = 0; i < n; i++) {
        copy[i] = yl_arena_copy(arena, values[i]);
    }
    qsort(copy, n, sizeof *copy, yl_selector_compare);
    return copy;
}

static int
compare_requirements(const void *a_, const void *b_)
{
    const struct yl_requirement *a = a_, *b = b_;
    int c = yl_str_compare(a->key, b->key);

    return c ? c : (a->number > b->number) - (a->number < b->number);
}
