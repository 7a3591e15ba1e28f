/* Fuzzes FieldsV1 and operations on sets.  Input: two texts, with a zero byte
 * between them. */

#include "fuzz.h"

#include "apply/field_set.h"
#include "base/buf.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

/* What a walk over all paths has seen. */
struct walk {
    const struct yl_field_set *set;
    size_t n;
};

static const struct yl_field_set *parse(struct yl_arena *, struct yl_str,
                                        bool *ret_ok);
static void check_one(struct yl_arena *, const struct yl_field_set *);
static void check_level(const struct yl_field_set *);
static bool check_path(void *walk, const struct yl_path_element *, size_t n);
static void check_two(struct yl_arena *, const struct yl_field_set *a,
                      const struct yl_field_set *b);
static struct yl_str written(struct yl_arena *, const struct yl_field_set *);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = fuzz_input(data, size);
    struct yl_arena *arena = yl_arena_new();
    const struct yl_field_set *a, *b;
    bool ok_a, ok_b;

    a = parse(arena, fuzz_text(&in), &ok_a);
    b = parse(arena, in.rest, &ok_b);
    if (ok_a) {
        check_one(arena, a);
    }
    if (ok_a && ok_b) {
        check_two(arena, a, b);
        check_two(arena, b, a);
    }
    yl_arena_free(arena);
    return 0;
}

static const struct yl_field_set *
parse(struct yl_arena *arena, struct yl_str text, bool *ret_ok)
{
    struct yl_error err = YL_ERROR_INIT;
    const struct yl_field_set *set = NULL;
    int r = yl_field_set_parse(arena, text, &set, &err);

    CHECK(r <= 0 && err.code == r);
    yl_error_clear(&err);
    *ret_ok = r == 0;
    return set;
}

/* What is written is read as the same set, and written as the same bytes. */
static void
check_one(struct yl_arena *arena, const struct yl_field_set *set)
{
    static const char *const patterns[] = { "a.*.b", "f" };
    struct yl_str text = written(arena, set);
    struct walk walk = { set, 0 };
    const struct yl_field_set *again;
    bool ok;

    again = parse(arena, text, &ok);
    CHECK(ok);
    CHECK(yl_field_set_equal(set, again));
    CHECK(yl_str_equal(written(arena, again), text));
    check_level(set);
    yl_field_set_for_each(set, check_path, &walk);
    CHECK(walk.n == yl_field_set_count(set));
    CHECK(yl_field_set_contains(set, yl_field_set_leaves(arena, set)));
    CHECK(yl_field_set_contains(
        set, yl_field_set_matching(arena, set, patterns, 2)));
}

/* Sorted, and not empty but at the root. */
static void
check_level(const struct yl_field_set *set)
{
    size_t i;

    for (i = 0; set && i < set->n; i++) {
        const struct yl_field_item *item = &set->items[i];

        CHECK(item->member || item->below);
        CHECK(!item->below || item->below->n);
        CHECK(i == 0
              || yl_path_element_compare(&item[-1].element, &item->element)
                 < 0);
        check_level(item->below);
    }
}

static bool
check_path(void *aux, const struct yl_path_element *path, size_t n)
{
    struct walk *walk = aux;
    struct yl_buf buf;

    CHECK(yl_field_set_has(walk->set, path, n));
    yl_buf_init(&buf, 64 << 20);
    yl_path_print(&buf, path, n);
    CHECK(buf.size > 0);
    yl_buf_release(&buf);
    walk->n++;
    return true;
}

/* The laws of sets. */
static void
check_two(struct yl_arena *arena, const struct yl_field_set *a,
          const struct yl_field_set *b)
{
    const struct yl_field_set *both = yl_field_set_union(arena, a, b);
    const struct yl_field_set *common = yl_field_set_intersection(arena, a, b);
    const struct yl_field_set *less = yl_field_set_difference(arena, a, b);
    const struct yl_field_set *least =
        yl_field_set_recursive_difference(arena, a, b);

    check_level(both);
    check_level(common);
    check_level(less);
    check_level(least);
    CHECK(yl_field_set_equal(both, yl_field_set_union(arena, b, a)));
    CHECK(yl_field_set_equal(common, yl_field_set_intersection(arena, b, a)));
    CHECK(yl_field_set_contains(both, a) && yl_field_set_contains(both, b));
    CHECK(yl_field_set_contains(a, common)
          && yl_field_set_contains(b, common));
    CHECK(yl_field_set_contains(less, least));
    CHECK(yl_field_set_is_empty(yl_field_set_intersection(arena, less, b)));
    CHECK(yl_field_set_equal(yl_field_set_union(arena, less, common), a));
    CHECK(yl_field_set_count(both) + yl_field_set_count(common)
          == yl_field_set_count(a) + yl_field_set_count(b));
    CHECK(yl_field_set_contains(a, b)
          == yl_field_set_is_empty(yl_field_set_difference(arena, b, a)));
}

static struct yl_str
written(struct yl_arena *arena, const struct yl_field_set *set)
{
    struct yl_str text;
    struct yl_buf buf;

    yl_buf_init(&buf, 64 << 20);
    yl_field_set_write(&buf, set);
    text = yl_arena_copy(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return text;
}
