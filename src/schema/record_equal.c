/* Equality of records.  See yuloh/record.h for the contract. */

#include "yuloh/record.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "json/tree.h"
#include "schema/record.h"

static bool equal_fields(struct yl_type_ref, const void *, const void *);
static bool equal_values(const struct yl_type_set *, const struct yl_value *,
                         const void *a, const void *a_count, const void *b,
                         const void *b_count);
static bool equal_lists(const struct yl_type_set *, const struct yl_value *,
                        struct yl_elements, struct yl_elements);
static bool equal_maps(const struct yl_type_set *, const struct yl_value *,
                       struct yl_elements, struct yl_elements);
static bool equal_strings(const char *, const char *);
static bool equal_json(struct yl_str, struct yl_str);
static struct yl_elements elements_at(const void *at, const void *count);
static const char **sort_pairs(struct yl_elements, size_t size);
static int compare_pairs(const void *, const void *);

bool
yl_record_equal(const struct yl_kind *kind, const void *a, const void *b)
{
    return equal_fields(yl_kind_type(kind), a, b);
}

bool
yl_type_equal(struct yl_type_ref ref, const void *a, const void *b)
{
    return equal_fields(ref, a, b);
}

static bool
equal_fields(struct yl_type_ref ref, const void *a, const void *b)
{
    const struct yl_field *field = &ref.set->fields[ref.type->fields];
    const struct yl_field *end = field + ref.type->n_fields;

    for (; field < end; field++) {
        const struct yl_value *value = &ref.set->values[field->value];
        const void *x = (const char *) a + field->offset;
        const void *y = (const char *) b + field->offset;

        if (yl_field_is_pointer(field, value)) {
            x = *(const void *const *) x;
            y = *(const void *const *) y;
            if (!x || !y) {
                if (x != y) {
                    return false;
                }
                continue;
            }
        }
        if (!equal_values(ref.set, value, x,
                          (const char *) a + field->count_offset, y,
                          (const char *) b + field->count_offset)) {
            return false;
        }
    }
    return true;
}

static bool
equal_values(const struct yl_type_set *set, const struct yl_value *value,
             const void *a, const void *a_count, const void *b,
             const void *b_count)
{
    const struct yl_int_or_string *i = a, *j = b;
    const struct yl_bytes *x = a, *y = b;

    switch ((enum yl_value_kind) value->kind) {
    case YL_VALUE_BOOL:
        return *(const bool *) a == *(const bool *) b;
    case YL_VALUE_INT32:
        return *(const int32_t *) a == *(const int32_t *) b;
    case YL_VALUE_INT64:
    case YL_VALUE_DURATION:
        return *(const int64_t *) a == *(const int64_t *) b;
    case YL_VALUE_DOUBLE:
        return *(const double *) a == *(const double *) b;
    case YL_VALUE_STRING:
        return equal_strings(*(const char *const *) a,
                             *(const char *const *) b);
    case YL_VALUE_BYTES:
        return yl_str_equal(yl_str_n(x->data, x->size),
                            yl_str_n(y->data, y->size));
    case YL_VALUE_TIME:
    case YL_VALUE_MICRO_TIME:
        return yl_time_compare(*(const struct yl_time *) a,
                               *(const struct yl_time *) b) == 0;
    case YL_VALUE_QUANTITY:
        return yl_quantity_compare(a, b) == 0;
    case YL_VALUE_INT_OR_STRING:
        return !i->string == !j->string
               && (i->string ? equal_strings(i->string, j->string)
                             : i->number == j->number);
    case YL_VALUE_RAW:
    case YL_VALUE_EMBEDDED:
        return equal_json(((const struct yl_raw *) a)->json,
                          ((const struct yl_raw *) b)->json);
    case YL_VALUE_STRUCT:
        return equal_fields(yl_value_type(set, value), a, b);
    case YL_VALUE_LIST:
        return equal_lists(set, value, elements_at(a, a_count),
                           elements_at(b, b_count));
    case YL_VALUE_MAP:
        return equal_maps(set, value, elements_at(a, a_count),
                          elements_at(b, b_count));
    case YL_VALUE_NONE:
    default:
        return true;
    }
}

static bool
equal_lists(const struct yl_type_set *set, const struct yl_value *value,
            struct yl_elements a, struct yl_elements b)
{
    const struct yl_value *element = &set->values[value->element];
    size_t i;

    if (a.n != b.n) {
        return false;
    }
    for (i = 0; i < a.n; i++) {
        const char *x = a.first + i * value->element_size;
        const char *y = b.first + i * value->element_size;

        if (!equal_values(set, element, x, yl_element_count(element, x), y,
                          yl_element_count(element, y))) {
            return false;
        }
    }
    return true;
}

static bool
equal_maps(const struct yl_type_set *set, const struct yl_value *value,
           struct yl_elements a, struct yl_elements b)
{
    const struct yl_value *element = &set->values[value->element];
    const char **x, **y;
    bool equal = true;
    size_t i;

    if (a.n != b.n) {
        return false;
    }
    x = sort_pairs(a, value->element_size);
    y = sort_pairs(b, value->element_size);
    for (i = 0; i < a.n && equal; i++) {
        const char *u = x[i] + YL_PAIR_VALUE;
        const char *v = y[i] + YL_PAIR_VALUE;

        equal = compare_pairs(&x[i], &y[i]) == 0
                && equal_values(set, element, u, yl_element_count(element, u),
                                v, yl_element_count(element, v));
    }
    free(x);
    free(y);
    return equal;
}

/* NULL and "" are equal: absent and empty. */
static bool
equal_strings(const char *a, const char *b)
{
    return !strcmp(a ? a : "", b ? b : "");
}

static bool
equal_json(struct yl_str a, struct yl_str b)
{
    struct yl_node *x, *y;
    struct yl_arena arena;
    bool equal;

    if (yl_str_equal(a, b)) {
        return true;
    }
    yl_arena_init(&arena);
    equal = yl_tree_parse(&arena, a, NULL, &x, NULL) == 0
            && yl_tree_parse(&arena, b, NULL, &y, NULL) == 0
            && yl_node_equal(x, y);
    yl_arena_release(&arena);
    return equal;
}

static struct yl_elements
elements_at(const void *at, const void *count)
{
    struct yl_elements elements = {
        *(const char *const *) at,
        *(const size_t *) count,
    };

    return elements;
}

/* Pointers to the pairs, sorted by key; freed by the caller. */
static const char **
sort_pairs(struct yl_elements elements, size_t size)
{
    const char **pairs = yl_malloc_array(elements.n, sizeof *pairs);
    size_t i;

    for (i = 0; i < elements.n; i++) {
        pairs[i] = elements.first + i * size;
    }
    qsort(pairs, elements.n, sizeof *pairs, compare_pairs);
    return pairs;
}

static int
compare_pairs(const void *a, const void *b)
{
    const char *const *const *x = a;
    const char *const *const *y = b;

    return strcmp(**x, **y);
}
