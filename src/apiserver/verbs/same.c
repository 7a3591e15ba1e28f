/* Does a write change anything?  See same.h for the contract.
 *
 * managedFields are the last member of metadata (object/object.h), so an
 * object without them is two spans of its text. */

#include "apiserver/verbs/same.h"

#include "base/arena.h"
#include "object/object.h"
#include "yuloh/json.h"

static bool same_but_times(const struct yl_object *, const struct yl_object *,
                           struct yl_arena *);
static struct yl_json_iter managed_of(const struct yl_object *,
                                      struct yl_arena *);
static bool same_entry(struct yl_json, struct yl_json);
static bool next_but_time(struct yl_json_iter *);

bool
yl_write_is_same(const struct yl_object *a, const struct yl_object *b)
{
    struct yl_arena arena;
    bool same;

    if (yl_object_equal(a, b)) {
        return true;
    }
    if (!a->managed_fields || !b->managed_fields
        || !yl_object_is_canonical(a) || !yl_object_is_canonical(b)
        || !yl_str_equal(yl_object_before_managed(a),
                         yl_object_before_managed(b))
        || !yl_str_equal(yl_object_after_managed(a),
                         yl_object_after_managed(b))) {
        return false;
    }
    yl_arena_init(&arena);
    same = same_but_times(a, b, &arena);
    yl_arena_release(&arena);
    return same;
}

static bool
same_but_times(const struct yl_object *a, const struct yl_object *b,
               struct yl_arena *arena)
{
    struct yl_json_iter x = managed_of(a, arena), y = managed_of(b, arena);

    while (yl_json_next(&x)) {
        if (!yl_json_next(&y) || !same_entry(x.value, y.value)) {
            return false;
        }
    }
    return !yl_json_next(&y);
}

/* The entries of managedFields. */
static struct yl_json_iter
managed_of(const struct yl_object *object, struct yl_arena *arena)
{
    struct yl_str text = yl_object_managed(object, arena);
    const char *array = memchr(text.data, '[', text.size);

    return yl_json_iter(array ? yl_json(yl_str_range(array, text.data
                                                            + text.size))
                              : yl_json_none());
}

/* Compares two entries; their members are in the order of their names. */
static bool
same_entry(struct yl_json a, struct yl_json b)
{
    struct yl_json_iter x = yl_json_iter(a), y = yl_json_iter(b);

    while (next_but_time(&x)) {
        if (!next_but_time(&y) || !yl_str_equal(x.key, y.key)
            || !yl_str_equal(yl_json_raw(x.value), yl_json_raw(y.value))) {
            return false;
        }
    }
    return !next_but_time(&y);
}

static bool
next_but_time(struct yl_json_iter *it)
{
    while (yl_json_next(it)) {
        if (!yl_str_equal(it->key, YL_STR("time"))) {
            return true;
        }
    }
    return false;
}
