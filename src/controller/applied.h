#ifndef CONTROLLER_APPLIED_H
#define CONTROLLER_APPLIED_H 1

/* Applied: what a controller has applied last, as hashes.
 *
 * If a controller wants the same as last time and the cache shows all of it,
 * nothing has to be sent.  The cache alone does not tell: a field that is no
 * longer wanted is still there, and only an apply without it removes it.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/str.h"

struct yl_applied;
struct yl_key;
struct yl_kind;

struct yl_applied *yl_applied_new(void);
void yl_applied_free(struct yl_applied *);

/* Was 'json' the last that was put for this object? */
bool yl_applied_is(struct yl_applied *, const struct yl_kind *,
                   const struct yl_key *, struct yl_str json);

void yl_applied_put(struct yl_applied *, const struct yl_kind *,
                    const struct yl_key *, struct yl_str json);

/* How many objects are remembered. */
size_t yl_applied_count(struct yl_applied *);

/* The object is gone. */
void yl_applied_forget(struct yl_applied *, const struct yl_kind *,
                       const struct yl_key *);

#endif /* controller/applied.h */
