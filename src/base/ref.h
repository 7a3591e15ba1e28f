#ifndef BASE_REF_H
#define BASE_REF_H 1

/* Reference count.
 *
 * A shared, immutable thing embeds a struct yl_ref, whose count starts at 1
 * for the creator.  The holder that drops the last reference frees the thing.
 *
 * Guarantees
 * ==========
 *
 *   - What any holder did to the thing before yl_ref_put() is visible to the
 *     one whose yl_ref_put() returns true.
 *
 *   - A count never wraps.  Taking a reference to a thing that is freed
 *     already, dropping one reference too many, or holding more than 2^31 ends
 *     the process with a line that says so, in release builds too.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread that holds a reference.
 *
 * Usage
 * =====
 *
 *     void
 *     thing_unref(struct thing *thing)
 *     {
 *         if (thing && yl_ref_put(&thing->ref)) {
 *             free(thing);
 *         }
 *     } */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/bug.h"
#include "yuloh/compiler.h"

struct yl_ref {
    _Atomic uint32_t count;
};

#define YL_REF_INIT { 1 }
#define YL_REF_MAX ((uint32_t) 1 << 31)

static inline void
yl_ref_init(struct yl_ref *ref)
{
    atomic_init(&ref->count, 1);
}

/* Takes one more reference. */
static inline void
yl_ref_get(struct yl_ref *ref)
{
    uint32_t old = atomic_fetch_add_explicit(&ref->count, 1,
                                             memory_order_relaxed);

    if (YL_UNLIKELY(old == 0 || old >= YL_REF_MAX)) {
        yl_bug("reference taken when there were %u", (unsigned) old);
    }
}

/* Drops a reference.  Returns true if it was the last one. */
static inline bool YL_MUST_CHECK
yl_ref_put(struct yl_ref *ref)
{
    uint32_t old = atomic_fetch_sub_explicit(&ref->count, 1,
                                             memory_order_acq_rel);

    if (YL_UNLIKELY(old == 0 || old > YL_REF_MAX)) {
        yl_bug("reference let go when there were %u", (unsigned) old);
    }
    return old == 1;
}

/* Whether the caller's reference is the only one, so that no other thread can
 * be reading the thing. */
static inline bool
yl_ref_is_last(const struct yl_ref *ref)
{
    return atomic_load_explicit(&ref->count, memory_order_acquire) == 1;
}

/* The count at some moment; for tests and debugging. */
static inline uint32_t
yl_ref_count(const struct yl_ref *ref)
{
    return atomic_load_explicit(&ref->count, memory_order_relaxed);
}

#endif /* base/ref.h */
