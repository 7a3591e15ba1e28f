/* Does a write change anything?  See same.h for the contract.
 *
 * managedFields are the last member of metadata (object/object.h), so an
 * object without them is two spans of its text. */

#include "apiserver/verbs/same.h"

#include "object/object.h"
#include "yuloh/json.h"

static struct yl_str before_managed(const struct yl_object *);
static struct yl_str after_managed(const struct yl_object *);
static struct yl_json_iter managed_of(const struct yl_object *);
static bool same_entry(struct yl_json, struct yl_json);
static bool next_but_time(struct yl_json_iter *);

bool
yl_write_is_same(const struct yl_object *a, const struct yl_object *b)
{
    struct yl_json_iter x, y;

    if (yl_object_equal(a, b)) {
        return true;
    }
    if (!a->managed_fields || !b->managed_fields
        || !yl_object_is_canonical(a) || !yl_object_is_canonical(b)
        || !yl_str_equal(before_managed(a), before_managed(b))
        || !yl_str_equal(after_managed(a), after_managed(b))) {
        return false;
    }
    x = managed_of(a);
    y = managed_of(b);
    while (yl_json_next(&x)) {
        if (!yl_json_next(&y) || !same_entry(x.value, y.value)) {
            return false;
        }
    }
    return !yl_json_next(&y);
}

static struct yl_str
before_managed(const struct yl_object *object)
{
    return yl_str_n(object->text, object->managed_fields);
}

static struct yl_str
after_managed(const struct yl_object *object)
{
    return yl_str_n(object->text + object->metadata_end,
                    object->size - object->metadata_end);
}

static struct yl_json_iter
managed_of(const struct yl_object *object)
{
    struct yl_str metadata = yl_str_n(object->text, object->metadata_end + 1);

    return yl_json_iter(yl_json_get(yl_json(metadata),
                                    YL_STR("managedFields")));
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
