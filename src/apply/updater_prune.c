/* Pruning.  See apply/updater_prune.h for the contract.
 *
 * The way is upstream's: everything that the manager applied last time is
 * removed, with all that is below it.  Then what anybody owns comes back,
 * version by version; then what the manager had not applied itself, because it
 * was only removed along with something else. */

#include "apply/updater_prune.h"

#include "base/arena.h"
#include "yuloh/error.h"

/* The two objects of which the second loses fields. */
struct pair {
    struct yl_typed_object merged;
    struct yl_typed_object pruned;
};

static int restore_owned(const struct yl_updater *, struct yl_arena *,
                         const struct yl_managers *, struct yl_str version,
                         struct pair *, struct yl_error *);
static int restore_in_version(const struct yl_updater *, struct yl_arena *,
                              const struct yl_managers *,
                              struct yl_str version, struct pair *,
                              struct yl_error *);
static int restore_dangling(const struct yl_updater *, struct yl_arena *,
                            const struct yl_typed_object *merged,
                            const struct yl_manager *last,
                            struct yl_typed_object *pruned, struct yl_error *);
static const struct yl_field_set *all_fields(struct yl_arena *,
                                             const struct yl_typed_object *);

int
yl_prune_applied(const struct yl_updater *updater, struct yl_arena *arena,
                 struct yl_typed_object *object,
                 const struct yl_managers *managers,
                 const struct yl_manager *last, struct yl_str version,
                 struct yl_error *err)
{
    struct yl_typed_object merged, back;
    struct pair pair;
    int r;

    r = yl_updater_convert(updater, object, last->version, &merged, err);
    if (r < 0) {
        return r == YL_ENOTFOUND ? 0 : r;
    }
    pair.merged = pair.pruned = merged;
    pair.pruned.object = yl_typed_remove(
        arena, merged.as, merged.object,
        yl_typed_with_structs(arena, merged.as, last->set));
    r = restore_owned(updater, arena, managers, last->version, &pair, err);
    if (r == 0) {
        r = restore_dangling(updater, arena, &merged, last, &pair.pruned,
                             err);
    }
    if (r == 0) {
        r = yl_updater_convert(updater, &pair.pruned, version, &back, err);
    }
    if (r == 0) {
        *object = back;
    }
    return r;
}

/* Puts back what somebody owns, first in the version that was pruned: a
 * conversion may need fields that were removed. */
static int
restore_owned(const struct yl_updater *updater, struct yl_arena *arena,
              const struct yl_managers *managers, struct yl_str version,
              struct pair *pair, struct yl_error *err)
{
    int r = restore_in_version(updater, arena, managers, version, pair, err);
    size_t i, j;

    for (i = 0; r == 0 && i < managers->n; i++) {
        struct yl_str other = managers->items[i].version;
        bool done = yl_str_equal(other, version);

        for (j = 0; !done && j < i; j++) {
            done = yl_str_equal(other, managers->items[j].version);
        }
        if (!done) {
            r = restore_in_version(updater, arena, managers, other, pair,
                                   err);
        }
    }
    return r;
}

static int
restore_in_version(const struct yl_updater *updater, struct yl_arena *arena,
                   const struct yl_managers *managers, struct yl_str version,
                   struct pair *pair, struct yl_error *err)
{
    const struct yl_field_set **sets = yl_arena_array(
        arena, managers->n, sizeof *sets);
    const struct yl_field_set *owned, *kept;
    struct yl_typed_object merged, pruned;
    size_t i, n = 0;
    int r;

    for (i = 0; i < managers->n; i++) {
        if (yl_str_equal(managers->items[i].version, version)) {
            sets[n++] = managers->items[i].set;
        }
    }
    if (!n) {
        return 0;
    }
    owned = yl_field_set_union_all(arena, sets, n);
    r = yl_updater_convert(updater, &pair->merged, version, &merged, err);
    if (r == 0) {
        r = yl_updater_convert(updater, &pair->pruned, version, &pruned, err);
    }
    if (r < 0) {
        return r == YL_ENOTFOUND ? 0 : r;
    }
    kept = yl_field_set_union(arena, all_fields(arena, &pruned),
                              yl_typed_with_structs(arena, merged.as, owned));
    pruned.object = yl_typed_remove(
        arena, merged.as, merged.object,
        yl_field_set_difference(arena, all_fields(arena, &merged), kept));
    pair->merged = merged;
    pair->pruned = pruned;
    return yl_arena_check(arena, err);
}

/* Puts back what the manager had not applied itself.  'merged' is in the
 * version in which it last applied. */
static int
restore_dangling(const struct yl_updater *updater, struct yl_arena *arena,
                 const struct yl_typed_object *merged,
                 const struct yl_manager *last, struct yl_typed_object *pruned,
                 struct yl_error *err)
{
    const struct yl_field_set *gone;
    struct yl_typed_object back;
    int r = yl_updater_convert(updater, pruned, last->version, &back, err);

    if (r == YL_ENOTFOUND) {
        *pruned = *merged;
        return 0;
    } else if (r < 0) {
        return r;
    }
    gone = yl_field_set_difference(arena, all_fields(arena, merged),
                                   all_fields(arena, &back));
    gone = yl_field_set_intersection(
        arena, gone, yl_typed_with_structs(arena, merged->as, last->set));
    *pruned = *merged;
    pruned->object = yl_typed_remove(arena, merged->as, merged->object, gone);
    return yl_arena_check(arena, err);
}

/* The fields of an object, and its structs. */
static const struct yl_field_set *
all_fields(struct yl_arena *arena, const struct yl_typed_object *object)
{
    return yl_typed_with_structs(
        arena, object->as, yl_typed_fields(arena, object->as,
                                           object->object));
}
