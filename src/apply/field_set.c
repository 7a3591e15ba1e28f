/* Sets of fields.  See apply/field_set.h for the contract.
 *
 * Every operation on two sets walks both of their sorted levels side by side.
 * A level of the result is a new array; whatever is only in one operand is
 * shared with it. */

#include "apply/field_set.h"

#include <stdlib.h>
#include <string.h>

#include "apply/field_set_build.h"
#include "base/arena.h"
#include "yuloh/json.h"

/* One step of walking two levels side by side. */
struct pair {
    const struct yl_field_item *a, *b;  /* At least one is not NULL; both have
                                         * the same element. */
};

struct zip {
    const struct yl_field_set *a, *b;
    size_t i, j;
    bool skip_a, skip_b;        /* Does nobody ask for what only that one has?
                                 * Then a small level beside a large one costs
                                 * a search for each of its items. */
};

/* A pattern of yl_field_set_matching(): what is left of it. */
struct pattern {
    struct yl_str rest;         /* Without data: it has ended. */
};

static bool next_pair(struct zip *, struct pair *);
static size_t find_from(const struct yl_field_set *, size_t i,
                        const struct yl_path_element *);
static int compare_items(const void *, const void *);
static size_t join_equal(struct yl_arena *, struct yl_field_item *, size_t n);
static const struct yl_field_set *match(struct yl_arena *,
                                        const struct yl_field_set *,
                                        const struct pattern *, size_t n);
static struct yl_str first_name(struct yl_str path, struct yl_str *ret_rest);
static bool visit_level(const struct yl_field_set *, yl_field_visit_fn *,
                        void *aux, struct yl_path_element *path, size_t depth);

/* Making sets
 * =========== */

const struct yl_field_set *
yl_field_set_of(struct yl_arena *arena, const char *const *paths, size_t n)
{
    const struct yl_field_set *set = NULL;
    size_t i;

    for (i = 0; i < n; i++) {
        struct yl_str rest = yl_str_c(paths[i]);
        struct yl_path_element *path;
        size_t depth = 1, j;

        for (j = 0; j < rest.size; j++) {
            depth += rest.data[j] == '.';
        }
        path = yl_arena_array(arena, depth, sizeof *path);
        for (j = 0; j < depth; j++) {
            path[j] = yl_path_field(first_name(rest, &rest));
        }
        set = yl_field_set_union(arena, set,
                                 yl_field_set_of_path(arena, path, depth));
    }
    return set;
}

const struct yl_field_set *
yl_field_set_of_path(struct yl_arena *arena,
                     const struct yl_path_element *path, size_t n)
{
    const struct yl_field_set *set = NULL;
    size_t i;

    for (i = n; i-- > 0;) {
        struct yl_field_level level = YL_FIELD_LEVEL_INIT(arena);

        yl_field_level_add(&level, path[i], i == n - 1, set);
        set = yl_field_level_end(&level);
    }
    return set;
}

void
yl_field_level_add(struct yl_field_level *level,
                   struct yl_path_element element, bool member,
                   const struct yl_field_set *below)
{
    struct yl_field_item *item;

    if (!member && !below) {
        return;
    }
    if (level->n == level->allocated) {
        size_t allocated = level->allocated ? 2 * level->allocated : 4;
        struct yl_field_item *items =
            yl_arena_alloc(level->arena, allocated * sizeof *items);

        if (level->n) {
            memcpy(items, level->items, level->n * sizeof *items);
        }
        level->items = items;
        level->allocated = allocated;
    }
    item = &level->items[level->n++];
    item->element = element;
    item->member = member;
    item->below = below;
    if (level->n > 1 && !level->unsorted
        && yl_path_element_compare(&item[-1].element, &element) >= 0) {
        level->unsorted = true;
    }
}

const struct yl_field_set *
yl_field_level_end(struct yl_field_level *level)
{
    struct yl_field_set *set;

    if (!level->n) {
        return NULL;
    }
    if (level->unsorted) {
        qsort(level->items, level->n, sizeof *level->items, compare_items);
        level->n = join_equal(level->arena, level->items, level->n);
    }
    set = yl_arena_alloc(level->arena, sizeof *set);
    set->items = level->items;
    set->n = level->n;
    return set;
}

/* Operations
 * ========== */

const struct yl_field_set *
yl_field_set_union(struct yl_arena *arena, const struct yl_field_set *a,
                   const struct yl_field_set *b)
{
    struct yl_field_level level = YL_FIELD_LEVEL_INIT(arena);
    struct zip zip = { .a = a, .b = b };
    struct pair pair;

    if (!a || !b || a == b) {
        return a ? a : b;
    }
    while (next_pair(&zip, &pair) && !yl_arena_is_over(arena)) {
        if (pair.a && pair.b) {
            yl_field_level_add(&level, pair.a->element,
                               pair.a->member || pair.b->member,
                               yl_field_set_union(arena, pair.a->below,
                                                  pair.b->below));
        } else {
            const struct yl_field_item *item = pair.a ? pair.a : pair.b;

            yl_field_level_add(&level, item->element, item->member,
                               item->below);
        }
    }
    return yl_field_level_end(&level);
}

const struct yl_field_set *
yl_field_set_union_all(struct yl_arena *arena,
                       const struct yl_field_set **sets, size_t n)
{
    size_t i;

    /* Two by two: one by one, the first would be copied n times. */
    for (; n > 1; n = n / 2 + n % 2) {
        for (i = 0; i < n / 2; i++) {
            sets[i] = yl_field_set_union(arena, sets[2 * i],
                                         sets[2 * i + 1]);
        }
        if (n % 2) {
            sets[i] = sets[n - 1];
        }
    }
    return n ? sets[0] : NULL;
}

const struct yl_field_set *
yl_field_set_intersection(struct yl_arena *arena, const struct yl_field_set *a,
                          const struct yl_field_set *b)
{
    struct yl_field_level level = YL_FIELD_LEVEL_INIT(arena);
    struct zip zip = { .a = a, .b = b, .skip_a = true, .skip_b = true };
    struct pair pair;

    if (!a || !b || a == b) {
        return a && b ? a : NULL;
    }
    while (next_pair(&zip, &pair) && !yl_arena_is_over(arena)) {
        if (pair.a && pair.b) {
            yl_field_level_add(&level, pair.a->element,
                               pair.a->member && pair.b->member,
                               yl_field_set_intersection(arena, pair.a->below,
                                                         pair.b->below));
        }
    }
    return yl_field_level_end(&level);
}

const struct yl_field_set *
yl_field_set_difference(struct yl_arena *arena, const struct yl_field_set *a,
                        const struct yl_field_set *b)
{
    struct yl_field_level level = YL_FIELD_LEVEL_INIT(arena);
    struct zip zip = { .a = a, .b = b, .skip_b = true };
    struct pair pair;

    if (!a || !b || a == b) {
        return a == b ? NULL : a;
    }
    while (next_pair(&zip, &pair) && !yl_arena_is_over(arena)) {
        if (pair.a && pair.b) {
            yl_field_level_add(&level, pair.a->element,
                               pair.a->member && !pair.b->member,
                               yl_field_set_difference(arena, pair.a->below,
                                                       pair.b->below));
        } else if (pair.a) {
            yl_field_level_add(&level, pair.a->element, pair.a->member,
                               pair.a->below);
        }
    }
    return yl_field_level_end(&level);
}

const struct yl_field_set *
yl_field_set_recursive_difference(struct yl_arena *arena,
                                  const struct yl_field_set *a,
                                  const struct yl_field_set *b)
{
    struct yl_field_level level = YL_FIELD_LEVEL_INIT(arena);
    struct zip zip = { .a = a, .b = b, .skip_b = true };
    struct pair pair;

    if (!a || !b || a == b) {
        return a == b ? NULL : a;
    }
    while (next_pair(&zip, &pair) && !yl_arena_is_over(arena)) {
        if (pair.a && !pair.b) {
            yl_field_level_add(&level, pair.a->element, pair.a->member,
                               pair.a->below);
        } else if (pair.a && !pair.b->member) {
            yl_field_level_add(
                &level, pair.a->element, pair.a->member,
                yl_field_set_recursive_difference(arena, pair.a->below,
                                                  pair.b->below));
        }
    }
    return yl_field_level_end(&level);
}

const struct yl_field_set *
yl_field_set_leaves(struct yl_arena *arena, const struct yl_field_set *set)
{
    struct yl_field_level level = YL_FIELD_LEVEL_INIT(arena);
    size_t i;

    for (i = 0; set && i < set->n && !yl_arena_is_over(arena); i++) {
        const struct yl_field_item *item = &set->items[i];

        yl_field_level_add(&level, item->element, !item->below,
                           yl_field_set_leaves(arena, item->below));
    }
    return yl_field_level_end(&level);
}

const struct yl_field_set *
yl_field_set_matching(struct yl_arena *arena, const struct yl_field_set *set,
                      const char *const *patterns, size_t n)
{
    struct pattern *all = yl_arena_array(arena, n, sizeof *all);
    size_t i;

    for (i = 0; i < n; i++) {
        all[i].rest = yl_str_c(patterns[i]);
    }
    return match(arena, set, all, n);
}

const struct yl_field_set *
yl_field_filter(struct yl_arena *arena, const struct yl_field_filter *filter,
                const struct yl_field_set *set)
{
    if (!filter) {
        return set;
    }
    return filter->n_include
               ? yl_field_set_matching(arena, set, filter->include,
                                       filter->n_include)
               : yl_field_set_recursive_difference(arena, set,
                                                   filter->exclude);
}

/* Questions
 * ========= */

bool
yl_field_set_is_empty(const struct yl_field_set *set)
{
    return !set || !set->n;
}

bool
yl_field_set_equal(const struct yl_field_set *a, const struct yl_field_set *b)
{
    size_t i;

    if (yl_field_set_is_empty(a) || yl_field_set_is_empty(b) || a == b) {
        return yl_field_set_is_empty(a) == yl_field_set_is_empty(b);
    }
    if (a->n != b->n) {
        return false;
    }
    for (i = 0; i < a->n; i++) {
        if (a->items[i].member != b->items[i].member
            || !yl_path_element_equal(&a->items[i].element,
                                      &b->items[i].element)
            || !yl_field_set_equal(a->items[i].below, b->items[i].below)) {
            return false;
        }
    }
    return true;
}

bool
yl_field_set_contains(const struct yl_field_set *whole,
                      const struct yl_field_set *part)
{
    struct zip zip = { .a = whole, .b = part, .skip_a = true };
    struct pair pair;

    if (yl_field_set_is_empty(part) || whole == part) {
        return true;
    }
    if (!whole || whole->n < part->n) {
        return false;
    }
    while (next_pair(&zip, &pair)) {
        if (pair.b
            && (!pair.a || (pair.b->member && !pair.a->member)
                || !yl_field_set_contains(pair.a->below, pair.b->below))) {
            return false;
        }
    }
    return true;
}

size_t
yl_field_set_count(const struct yl_field_set *set)
{
    size_t count = 0;
    size_t i;

    for (i = 0; set && i < set->n; i++) {
        count += set->items[i].member
                 + yl_field_set_count(set->items[i].below);
    }
    return count;
}

const struct yl_field_item *
yl_field_set_find(const struct yl_field_set *set,
                  const struct yl_path_element *element)
{
    size_t low = 0, high = set ? set->n : 0;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct yl_field_item *item = &set->items[middle];
        int c = yl_path_element_compare(element, &item->element);

        if (c == 0) {
            return item;
        } else if (c < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}

bool
yl_field_set_has(const struct yl_field_set *set,
                 const struct yl_path_element *path, size_t n)
{
    const struct yl_field_item *item = NULL;
    size_t i;

    for (i = 0; i < n; i++) {
        item = yl_field_set_find(set, &path[i]);
        if (!item) {
            return false;
        }
        set = item->below;
    }
    return item && item->member;
}

void
yl_field_set_for_each(const struct yl_field_set *set,
                      yl_field_visit_fn *visit, void *aux)
{
    struct yl_path_element path[YL_JSON_MAX_DEPTH + 1];

    (void) visit_level(set, visit, aux, path, 0);
}

/* Helpers
 * ======= */

/* The next element that somebody asks for, in order; false at the end. */
static bool
next_pair(struct zip *zip, struct pair *pair)
{
    for (;;) {
        const struct yl_field_item *a =
            zip->a && zip->i < zip->a->n ? &zip->a->items[zip->i] : NULL;
        const struct yl_field_item *b =
            zip->b && zip->j < zip->b->n ? &zip->b->items[zip->j] : NULL;
        int c = !a || !b ? (a ? -1 : 1)
                : yl_path_element_compare(&a->element, &b->element);

        if (c < 0 && zip->skip_a) {
            if (!b) {
                return false;
            }
            zip->i = find_from(zip->a, zip->i + 1, &b->element);
        } else if (c > 0 && zip->skip_b) {
            if (!a) {
                return false;
            }
            zip->j = find_from(zip->b, zip->j + 1, &a->element);
        } else {
            pair->a = c <= 0 ? a : NULL;
            pair->b = c >= 0 ? b : NULL;
            zip->i += pair->a != NULL;
            zip->j += pair->b != NULL;
            return a || b;
        }
    }
}

/* The place of the first item from 'i' on that is not before 'element', found
 * in steps that double: neighbours are found at once. */
static size_t
find_from(const struct yl_field_set *set, size_t i,
          const struct yl_path_element *element)
{
    size_t step = 1, low = i, high = i;

    while (high < set->n
           && yl_path_element_compare(&set->items[high].element, element)
              < 0) {
        low = high + 1;
        high += step;
        step *= 2;
    }
    high = high < set->n ? high : set->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (yl_path_element_compare(&set->items[middle].element, element)
            < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static int
compare_items(const void *x, const void *y)
{
    const struct yl_field_item *a = x, *b = y;

    return yl_path_element_compare(&a->element, &b->element);
}

/* Joins items with equal elements, which are neighbours.  Returns how many are
 * left. */
static size_t
join_equal(struct yl_arena *arena, struct yl_field_item *items, size_t n)
{
    size_t i, k = 0;

    for (i = 1; i < n; i++) {
        if (compare_items(&items[k], &items[i]) == 0) {
            items[k].member |= items[i].member;
            items[k].below = yl_field_set_union(arena, items[k].below,
                                                items[i].below);
        } else {
            items[++k] = items[i];
        }
    }
    return k + 1;
}

static const struct yl_field_set *
match(struct yl_arena *arena, const struct yl_field_set *set,
      const struct pattern *patterns, size_t n)
{
    struct yl_field_level level = YL_FIELD_LEVEL_INIT(arena);
    struct pattern *below;
    size_t i, j;

    for (j = 0; j < n; j++) {
        if (!patterns[j].rest.data) {
            return set;         /* All of what is below is included. */
        }
    }
    below = yl_arena_array(arena, n, sizeof *below);
    for (i = 0; set && i < set->n && !yl_arena_is_over(arena); i++) {
        const struct yl_field_item *item = &set->items[i];
        size_t n_below = 0;

        for (j = 0; j < n; j++) {
            struct yl_str rest;
            struct yl_str name = first_name(patterns[j].rest, &rest);

            if (yl_str_equal_c(name, "*")
                || (item->element.kind == YL_PATH_FIELD
                    && yl_str_equal(name,
                                    yl_path_element_text(&item->element)))) {
                below[n_below++].rest = rest;
            }
        }
        if (n_below) {
            yl_field_level_add(&level, item->element, item->member,
                               match(arena, item->below, below, n_below));
        }
    }
    return yl_field_level_end(&level);
}

/* Cuts the first name off a path of names.  The rest has no data if there is
 * none. */
static struct yl_str
first_name(struct yl_str path, struct yl_str *ret_rest)
{
    struct yl_str name, rest;

    if (yl_str_cut(path, '.', &name, &rest)) {
        *ret_rest = rest;
        return name;
    }
    *ret_rest = yl_str_null();
    return path;
}

static bool
visit_level(const struct yl_field_set *set, yl_field_visit_fn *visit,
            void *aux, struct yl_path_element *path, size_t depth)
{
    size_t i;

    if (depth > YL_JSON_MAX_DEPTH) {
        return true;
    }
    for (i = 0; set && i < set->n; i++) {
        if (set->items[i].member) {
            path[depth] = set->items[i].element;
            if (!visit(aux, path, depth + 1)) {
                return false;
            }
        }
    }
    for (i = 0; set && i < set->n; i++) {
        if (set->items[i].below) {
            path[depth] = set->items[i].element;
            if (!visit_level(set->items[i].below, visit, aux, path,
                             depth + 1)) {
                return false;
            }
        }
    }
    return true;
}
