/* Merging an applied configuration into an object.  See apply/typed.h for the
 * contract.
 *
 * A merge returns the live value itself until something is different; only
 * then are the containers around it built anew, with copies of what is the
 * same.  So an apply that changes nothing allocates nothing but the keys of
 * list items, and a pointer for each value. */

#include "apply/typed.h"

#include "apply/items.h"
#include "apply/shape.h"
#include "base/arena.h"
#include "json/tree.h"

/* An item of the merged list: at least one of its two parts. */
struct merged {
    const struct yl_node *live;
    const struct yl_node *applied;
};

/* The state of merging two lists. */
struct lists {
    struct yl_item *live, *applied;
    size_t n_live, n_applied;
    size_t *live_twin;          /* Of each live item: its place among the
                                 * applied ones, or NONE. */
    size_t *applied_twin;       /* And the other way round: the first one. */
    bool *repeated;             /* Of each applied item: does the live list
                                 * have it more than once? */
    bool *taken;                /* Of each applied item: is it merged? */
    struct merged *out;
    size_t n_out;
};

#define NONE SIZE_MAX

static const struct yl_node *merge(struct yl_arena *, const struct yl_shape *,
                                   const struct yl_node *live,
                                   const struct yl_node *applied);
static const struct yl_node *merge_maps(struct yl_arena *,
                                        const struct yl_shape *,
                                        const struct yl_node *live,
                                        const struct yl_node *applied);
static struct yl_node *copy_others(struct yl_arena *,
                                   const struct yl_node *live,
                                   const struct yl_node *applied);
static const struct yl_node *merge_lists(struct yl_arena *,
                                         const struct yl_shape *,
                                         const struct yl_node *live,
                                         const struct yl_node *applied);
static void init_lists(struct yl_arena *, const struct yl_shape *,
                       struct lists *, const struct yl_node *live,
                       const struct yl_node *applied);
static void order(struct lists *);
static void take_applied(struct lists *, size_t i);
static size_t next_shared(const struct lists *, size_t from);
static const struct yl_node *keep(const struct yl_node *live,
                                  const struct yl_node *applied);
static struct yl_node *own(struct yl_arena *, const struct yl_node *);
static const struct yl_node *only(const struct yl_node *, enum yl_json_type);

const struct yl_node *
yl_typed_merge(struct yl_arena *arena, struct yl_typed_as as,
               const struct yl_node *live, const struct yl_node *applied)
{
    struct yl_shape shape = yl_shape_root(as);

    return live || applied ? merge(arena, &shape, live, applied) : NULL;
}

/* At least one of both is not NULL.  The result is 'live' or 'applied' itself
 * where it equals it as a whole, a new node, or NULL for nothing. */
static const struct yl_node *
merge(struct yl_arena *arena, const struct yl_shape *shape,
      const struct yl_node *live, const struct yl_node *applied)
{
    const struct yl_node *a, *b;

    if (!applied || !live || yl_arena_is_over(arena)) {
        return applied ? applied : live;
    } else if (yl_shape_same(live, applied)) {
        return live;
    }
    switch (yl_shape_case(shape, applied, NULL)) {
    case YL_CASE_MAP:
        a = only(live, YL_JSON_OBJECT);
        b = only(applied, YL_JSON_OBJECT);
        if (shape->map == YL_MAP_ATOMIC
            || ((!a || !a->n) && (!b || !b->n))) {
            return keep(live, applied);
        }
        return merge_maps(arena, shape, a, b);

    case YL_CASE_LIST:
        a = only(live, YL_JSON_ARRAY);
        b = only(applied, YL_JSON_ARRAY);
        if (shape->list == YL_LIST_ATOMIC
            || ((!a || !a->n) && (!b || !b->n))) {
            return keep(live, applied);
        }
        return merge_lists(arena, shape, a, b);

    case YL_CASE_SCALAR:
    case YL_CASE_NONE:
    default:
        return keep(live, applied);
    }
}

static const struct yl_node *
merge_maps(struct yl_arena *arena, const struct yl_shape *shape,
           const struct yl_node *live, const struct yl_node *applied)
{
    const struct yl_node **merged, *member;
    struct yl_node *out;
    size_t hint = 0, i = 0;
    bool same = true;

    if (!live || !applied) {
        return live ? live : applied;
    }
    merged = yl_arena_array(arena, applied->n, sizeof *merged);
    YL_NODE_FOR_EACH (member, applied) {
        struct yl_str key = yl_node_key(member);
        const struct yl_node *old = yl_node_get(live, key);

        merged[i] = member;
        if (old) {
            bool declared;
            struct yl_shape inner = yl_shape_member(shape, key, &hint,
                                                    &declared);

            merged[i] = merge(arena, &inner, old, member);
        }
        same = same && merged[i] == old;
        i++;
    }
    if (same) {
        return live;
    }
    out = copy_others(arena, live, applied);
    i = 0;
    YL_NODE_FOR_EACH (member, applied) {
        if (yl_arena_is_over(arena)) {
            break;
        }
        if (merged[i]) {
            yl_node_set(arena, out, yl_node_key(member),
                        own(arena, merged[i]));
        } else {
            yl_node_remove(out, yl_node_key(member));
        }
        i++;
    }
    return out->n ? out : NULL;
}

/* A copy of 'live' with nulls in the places of what 'applied' has too: copying
 * that at every level would take time by the depth. */
static struct yl_node *
copy_others(struct yl_arena *arena, const struct yl_node *live,
            const struct yl_node *applied)
{
    struct yl_node *out = yl_node_new_object(arena);
    const struct yl_node *member;

    out->emptied = live->emptied;
    YL_NODE_FOR_EACH (member, live) {
        if (yl_arena_is_over(arena)) {
            break;
        }
        yl_node_set(arena, out, yl_node_key(member),
                    yl_node_get(applied, yl_node_key(member))
                        ? yl_node_new_null(arena)
                        : yl_node_copy(arena, member));
    }
    return out;
}

static const struct yl_node *
merge_lists(struct yl_arena *arena, const struct yl_shape *shape,
            const struct yl_node *live, const struct yl_node *applied)
{
    struct yl_shape inner = yl_shape_item(shape);
    const struct yl_node **merged;
    struct lists lists;
    struct yl_node *out;
    bool same;
    size_t i;

    if (!live || !applied || !applied->n) {
        return live ? live : applied;
    }
    init_lists(arena, shape, &lists, live, applied);
    order(&lists);
    merged = yl_arena_array(arena, lists.n_out, sizeof *merged);
    same = lists.n_out == lists.n_live;
    for (i = 0; i < lists.n_out; i++) {
        merged[i] = merge(arena, &inner, lists.out[i].live,
                          lists.out[i].applied);
        same = same && merged[i] == lists.live[i].node;
    }
    if (same) {
        return live;
    }
    out = yl_node_new_array(arena);
    for (i = 0; i < lists.n_out && !yl_arena_is_over(arena); i++) {
        if (merged[i]) {
            yl_node_append(out, own(arena, merged[i]));
        }
    }
    return out->n ? out : NULL;
}

static void
init_lists(struct yl_arena *arena, const struct yl_shape *shape,
           struct lists *lists, const struct yl_node *live,
           const struct yl_node *applied)
{
    size_t room = (size_t) live->n + applied->n;
    struct yl_item *sorted = yl_arena_alloc(arena, room * sizeof *sorted);
    size_t i, j;

    lists->live = yl_arena_alloc(arena, live->n * sizeof *lists->live);
    lists->applied = yl_arena_alloc(arena,
                                    applied->n * sizeof *lists->applied);
    lists->n_live = yl_items_add(arena, shape, live, 0, lists->live,
                                 NULL);
    lists->n_applied = yl_items_add(arena, shape, applied, 1, lists->applied,
                                    NULL);
    lists->live_twin = yl_arena_array(arena, live->n, sizeof(size_t));
    lists->applied_twin = yl_arena_array(arena, applied->n, sizeof(size_t));
    lists->repeated = yl_arena_array(arena, applied->n, sizeof(bool));
    lists->taken = yl_arena_array(arena, applied->n, sizeof(bool));
    lists->out = yl_arena_alloc(arena, room * sizeof *lists->out);
    lists->n_out = 0;

    memcpy(sorted, lists->live, lists->n_live * sizeof *sorted);
    memcpy(sorted + lists->n_live, lists->applied,
           lists->n_applied * sizeof *sorted);
    yl_items_sort(sorted, room);
    for (i = 0; i < room;) {
        size_t equals = yl_items_equal(sorted, room, i), n_live = 0;
        size_t first_live = NONE, first_applied = NONE;

        for (j = i; j < i + equals; j++) {
            if (sorted[j].side == 0) {
                n_live++;
                first_live = first_live == NONE ? sorted[j].place
                                                : first_live;
            } else if (first_applied == NONE) {
                first_applied = sorted[j].place;
            }
        }
        for (j = i; j < i + equals; j++) {
            if (sorted[j].side == 0) {
                lists->live_twin[sorted[j].place] = first_applied;
            } else {
                lists->applied_twin[sorted[j].place] = first_live;
                lists->repeated[sorted[j].place] = n_live > 1;
            }
        }
        i += equals;
    }
}

/* Fills in 'out': live items stay where they are relative to each other, and
 * so do the applied ones; where both lists have the same items in different
 * orders, the applied order wins.  The steps are upstream's. */
static void
order(struct lists *lists)
{
    size_t shared = next_shared(lists, 0);
    size_t l = 0, r = 0;

    while (l < lists->n_live || r < lists->n_applied) {
        size_t twin = l < lists->n_live ? lists->live_twin[l] : NONE;

        if (l < lists->n_live && r < lists->n_applied) {
            if (twin == r) {
                take_applied(lists, r);
                l++;
                r++;
                shared = next_shared(lists, shared == NONE ? NONE
                                                           : shared + 1);
                continue;
            }
            if (twin != NONE && shared != NONE && shared != twin) {
                /* Shared, but not the one whose turn it is. */
                l++;
                continue;
            }
        }
        if (l < lists->n_live) {
            if (twin == NONE) {
                lists->out[lists->n_out].live = lists->live[l].node;
                lists->out[lists->n_out++].applied = NULL;
                l++;
                continue;
            } else if (lists->taken[twin]) {
                l++;
            }
        }
        if (r < lists->n_applied) {
            take_applied(lists, r);
            if (shared == r) {
                shared = next_shared(lists, shared + 1);
            }
            r++;
        }
    }
}

static void
take_applied(struct lists *lists, size_t i)
{
    size_t twin = lists->applied_twin[i];

    /* Items that are repeated in the live list are not merged with. */
    lists->out[lists->n_out].live = twin == NONE || lists->repeated[i]
                                        ? NULL : lists->live[twin].node;
    lists->out[lists->n_out++].applied = lists->applied[i].node;
    lists->taken[i] = true;
}

/* The first applied item from 'from' on that the live list has too. */
static size_t
next_shared(const struct lists *lists, size_t from)
{
    size_t i;

    for (i = from; i < lists->n_applied; i++) {
        if (lists->applied_twin[i] != NONE) {
            return i;
        }
    }
    return NONE;
}

/* One field: the applied value, or the live one if they are equal. */
static const struct yl_node *
keep(const struct yl_node *live, const struct yl_node *applied)
{
    return yl_node_equal(live, applied) ? live : applied;
}

/* A node without a parent: a merged one, or a copy of another's child. */
static struct yl_node *
own(struct yl_arena *arena, const struct yl_node *node)
{
    return node->parent ? yl_node_copy(arena, node)
                        : (struct yl_node *) (uintptr_t) node;
}

/* 'node' if it is of that type. */
static const struct yl_node *
only(const struct yl_node *node, enum yl_json_type type)
{
    return yl_node_type(node) == type ? node : NULL;
}
