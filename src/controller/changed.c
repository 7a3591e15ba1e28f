/* Change masks.  See controller/changed.h. */

#include "controller/changed.h"

#include "yuloh/json.h"

static bool has_changed(unsigned mask, const struct yl_object *old,
                        const struct yl_object *object, struct yl_arena *);
static bool differ(struct yl_json, struct yl_json);

bool
yl_watch_update_matters(const struct yl_watch *watch,
                        const struct yl_object *old,
                        const struct yl_object *object, struct yl_arena *arena,
                        void *aux)
{
    /* An object that begins to be deleted must be cleaned up, and one that is
     * being deleted may have lost another's finalizer, which this controller
     * has waited for. */
    if (yl_object_is_deleting(object)
        && (!yl_object_is_deleting(old)
            || differ(yl_object_finalizers(old),
                      yl_object_finalizers(object)))) {
        return true;
    }
    if (watch->changed && !has_changed(watch->changed, old, object, arena)) {
        return false;
    }
    return !watch->filter || watch->filter(old, object, aux);
}

static bool
has_changed(unsigned mask, const struct yl_object *old,
            const struct yl_object *object, struct yl_arena *arena)
{
    if (mask & YL_GENERATION) {
        int64_t generation = yl_object_generation(object);

        if (generation == 0 || generation != yl_object_generation(old)) {
            return true;
        }
    }
    return ((mask & YL_LABELS)
            && differ(yl_object_labels(old), yl_object_labels(object)))
           || ((mask & YL_ANNOTATIONS)
               && differ(yl_object_annotations(old, arena),
                         yl_object_annotations(object, arena)))
           || ((mask & YL_OWNERS)
               && differ(yl_object_owners(old), yl_object_owners(object)))
           || ((mask & YL_FINALIZERS)
               && differ(yl_object_finalizers(old),
                         yl_object_finalizers(object)));
}

/* Compares bytes.  A server that wrote equal values differently would only
 * cause an event too many. */
static bool
differ(struct yl_json a, struct yl_json b)
{
    return !yl_str_equal(yl_json_raw(a), yl_json_raw(b));
}
