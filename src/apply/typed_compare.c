/* How two objects differ, field by field.  See apply/typed.h for the contract.
 *
 * The sets are built from the leaves up: each value returns, for each of the
 * three sets, whether its own path is in it and what is below.  Values with
 * equal bytes are equal and not looked at, which is nearly all of an object
 * that is written again. */

#include "apply/typed.h"

#include "apply/field_set_build.h"
#include "apply/items.h"
#include "apply/shape.h"
#include "base/arena.h"
#include "json/tree.h"
#include "yuloh/error.h"

enum { REMOVED, MODIFIED, ADDED, N_SETS };

struct walk {
    struct yl_arena *arena;
    bool keyless;               /* Was there an item without keys? */
};

/* What one value adds to the sets. */
struct difference {
    bool self[N_SETS];
    const struct yl_field_set *below[N_SETS];
};

/* The levels of the three sets that are being built. */
struct levels {
    struct yl_field_level set[N_SETS];
};

static void compare_value(struct walk *, const struct yl_shape *,
                          const struct yl_node *old,
                          const struct yl_node *now, struct difference *);
static bool compare_as(struct walk *, const struct yl_shape *,
                       enum yl_shape_case, const struct yl_node *old,
                       const struct yl_node *now, struct difference *);
static void compare_maps(struct walk *, const struct yl_shape *,
                         const struct yl_node *old, const struct yl_node *now,
                         struct difference *);
static void compare_lists(struct walk *, const struct yl_shape *,
                          const struct yl_node *old,
                          const struct yl_node *now, struct difference *);
static void compare_items(struct walk *, const struct yl_shape *,
                          const struct yl_item *old, size_t n_old,
                          const struct yl_item *now, size_t n_now,
                          struct levels *);
static void init(struct levels *, struct yl_arena *);
static void add(struct levels *, struct yl_path_element,
                const struct difference *);
static void end(struct levels *, struct difference *);
static bool sent_same(const struct yl_node *, const struct yl_node *);
static const struct yl_node *only(const struct yl_node *, enum yl_json_type);

int
yl_typed_compare(struct yl_arena *arena, struct yl_typed_as as,
                 const struct yl_node *old, const struct yl_node *now,
                 struct yl_comparison *ret_comparison)
{
    struct yl_shape shape = yl_shape_root(as);
    struct difference d = { { false }, { NULL } };
    struct walk walk = { arena, false };

    if (old || now) {
        compare_value(&walk, &shape, old, now, &d);
    }
    ret_comparison->removed = d.below[REMOVED];
    ret_comparison->modified = d.below[MODIFIED];
    ret_comparison->added = d.below[ADDED];
    return walk.keyless ? YL_EINVALID
           : d.below[REMOVED] || d.below[MODIFIED] || d.below[ADDED];
}

/* At least one of 'old' and 'now' is not NULL. */
static void
compare_value(struct walk *walk, const struct yl_shape *shape,
              const struct yl_node *old, const struct yl_node *now,
              struct difference *d)
{
    bool narrow_old, narrow_now, leaf;
    enum yl_shape_case case_old, case_now;

    if ((old && now && yl_shape_same(old, now))
        || yl_arena_is_over(walk->arena)) {
        return;
    }
    case_old = yl_shape_case(shape, old, &narrow_old);
    case_now = yl_shape_case(shape, now, &narrow_now);
    if (old && now
        && (narrow_old != narrow_now
            || (narrow_old && case_old != case_now))) {
        struct difference first = { { false }, { NULL } };
        size_t i;

        /* It was of one type and is of another: upstream looks at it as
         * both. */
        (void) compare_as(walk, shape, case_old, old, now, &first);
        leaf = compare_as(walk, shape, case_now, old, now, d);
        for (i = 0; i < N_SETS; i++) {
            d->self[i] |= first.self[i];
            d->below[i] = yl_field_set_union(walk->arena, d->below[i],
                                             first.below[i]);
        }
    } else {
        leaf = compare_as(walk, shape, now ? case_now : case_old, old, now,
                          d);
    }
    if (!leaf) {
        d->self[ADDED] |= !old;
        d->self[REMOVED] |= !now;
    }
}

/* Compares what a value is taken for; true if that is one field. */
static bool
compare_as(struct walk *walk, const struct yl_shape *shape,
           enum yl_shape_case is, const struct yl_node *old,
           const struct yl_node *now, struct difference *d)
{
    const struct yl_node *a = NULL, *b = NULL;
    bool atomic = true;

    if (is == YL_CASE_MAP) {
        a = only(old, YL_JSON_OBJECT);
        b = only(now, YL_JSON_OBJECT);
        atomic = shape->map == YL_MAP_ATOMIC;
    } else if (is == YL_CASE_LIST) {
        a = only(old, YL_JSON_ARRAY);
        b = only(now, YL_JSON_ARRAY);
        atomic = shape->list == YL_LIST_ATOMIC;
    }
    if (atomic || ((!a || !a->n) && (!b || !b->n))) {
        if (!old || !now) {
            d->self[old ? REMOVED : ADDED] = true;
        } else if (!yl_node_equal(old, now) || !sent_same(old, now)) {
            d->self[MODIFIED] = true;
        }
        return true;
    }
    if (is == YL_CASE_MAP) {
        compare_maps(walk, shape, a, b, d);
    } else {
        compare_lists(walk, shape, a, b, d);
    }
    return false;
}

static void
compare_maps(struct walk *walk, const struct yl_shape *shape,
             const struct yl_node *old, const struct yl_node *now,
             struct difference *d)
{
    const struct yl_node *next = now ? now->first : NULL;
    size_t hint = 0, found = 0;
    const struct yl_node *member;
    struct levels levels;
    bool declared;

    init(&levels, walk->arena);
    for (member = old ? old->first : NULL; member; member = member->next) {
        struct difference below = { { false }, { NULL } };
        struct yl_str key = yl_node_key(member);
        const struct yl_node *twin;
        struct yl_shape inner;

        /* Members nearly always have the same order. */
        twin = next && yl_str_equal(yl_node_key(next), key)
                   ? next : now ? yl_node_get(now, key) : NULL;
        if (twin) {
            next = twin->next;
            found++;
            twin = yl_shape_sent(twin);
        }
        if (twin && yl_shape_same(yl_shape_sent(member), twin)) {
            continue;
        }
        inner = yl_shape_member(shape, key, &hint, &declared);
        compare_value(walk, &inner, yl_shape_sent(member), twin, &below);
        add(&levels, yl_path_field(key), &below);
    }
    if (now && found < now->n) {
        hint = 0;
        YL_NODE_FOR_EACH (member, now) {
            struct difference below = { { false }, { NULL } };
            struct yl_str key = yl_node_key(member);
            struct yl_shape inner;

            if (old && yl_node_get(old, key)) {
                continue;
            }
            inner = yl_shape_member(shape, key, &hint, &declared);
            compare_value(walk, &inner, NULL, yl_shape_sent(member), &below);
            add(&levels, yl_path_field(key), &below);
        }
    }
    end(&levels, d);
}

static void
compare_lists(struct walk *walk, const struct yl_shape *shape,
              const struct yl_node *old, const struct yl_node *now,
              struct difference *d)
{
    size_t room = (old ? old->n : 0) + (now ? now->n : 0);
    struct yl_item *items = yl_arena_alloc(walk->arena, room * sizeof *items);
    struct yl_shape inner = yl_shape_item(shape);
    struct levels levels;
    size_t n, i;

    n = yl_items_add(walk->arena, shape, old, 0, items, &walk->keyless);
    n += yl_items_add(walk->arena, shape, now, 1, items + n, &walk->keyless);
    yl_items_sort(items, n);
    init(&levels, walk->arena);
    for (i = 0; i < n;) {
        size_t equals = yl_items_equal(items, n, i), n_old = 0;

        while (n_old < equals && items[i + n_old].side == 0) {
            n_old++;
        }
        compare_items(walk, &inner, items + i, n_old, items + i + n_old,
                      equals - n_old, &levels);
        i += equals;
    }
    end(&levels, d);
}

/* Compares the items that have one element.  More than one of a list count as
 * one field. */
static void
compare_items(struct walk *walk, const struct yl_shape *shape,
              const struct yl_item *old, size_t n_old,
              const struct yl_item *now, size_t n_now, struct levels *levels)
{
    struct difference d = { { false }, { NULL } };
    bool same = n_old == n_now;
    size_t i;

    if (n_old <= 1 && n_now <= 1) {
        compare_value(walk, shape, n_old ? old->node : NULL,
                      n_now ? now->node : NULL, &d);
    } else if (n_old > 1 && n_now > 1) {
        for (i = 0; same && i < n_old; i++) {
            same = yl_node_equal(old[i].node, now[i].node);
        }
        d.self[MODIFIED] = !same;
    } else if (n_old > 1) {
        if (n_now) {
            compare_value(walk, shape, NULL, now->node, &d);
        }
        d.self[REMOVED] = true;
    } else {
        if (n_old) {
            compare_value(walk, shape, old->node, NULL, &d);
        }
        d.self[ADDED] = true;
    }
    add(levels, n_old ? old->element : now->element, &d);
}

static void
init(struct levels *levels, struct yl_arena *arena)
{
    static const struct yl_field_level none;
    size_t i;

    for (i = 0; i < N_SETS; i++) {
        levels->set[i] = none;
        levels->set[i].arena = arena;
    }
}

static void
add(struct levels *levels, struct yl_path_element element,
    const struct difference *d)
{
    size_t i;

    for (i = 0; i < N_SETS; i++) {
        if (d->self[i] || d->below[i]) {
            yl_field_level_add(&levels->set[i], element, d->self[i],
                               d->below[i]);
        }
    }
}

static void
end(struct levels *levels, struct difference *d)
{
    size_t i;

    for (i = 0; i < N_SETS; i++) {
        d->below[i] = yl_field_level_end(&levels->set[i]);
    }
}

/* Were two equal values also sent with the same empty lists and maps? */
static bool
sent_same(const struct yl_node *a, const struct yl_node *b)
{
    const struct yl_node *x, *y;

    if (yl_shape_same(a, b) || (a->type != YL_JSON_OBJECT
                                && a->type != YL_JSON_ARRAY)) {
        return true;
    }
    y = b->first;
    YL_NODE_FOR_EACH (x, a) {
        if (a->type == YL_JSON_OBJECT) {
            y = yl_node_get(b, yl_node_key(x));
        }
        if (!y || yl_shape_sent(x)->type != yl_shape_sent(y)->type
            || !sent_same(x, y)) {
            return false;
        }
        y = y->next;
    }
    return true;
}

/* 'node' if it is of that type. */
static const struct yl_node *
only(const struct yl_node *node, enum yl_json_type type)
{
    return yl_node_type(node) == type ? node : NULL;
}
