#ifndef APISERVER_CRD_CUSTOM_H
#define APISERVER_CRD_CUSTOM_H 1

/* The strategy of custom kinds: what their definitions say about objects.
 *
 *     definition.h --> [custom] <-- verbs, answers, watches
 *     src/schema   ---/
 *
 * One strategy serves all custom kinds.  The definition's version that is
 * meant is the 'aux' of the struct yl_api_version that it is called with.
 *
 * As upstream, an object is handled in the version in which it was sent, and
 * converted to the stored one at the end:
 *
 *     sent --> prune --> default --> prepare, validate --> convert --> store
 *     stored --> (if its schema has changed: prune, default) --> convert
 *
 * Guarantees
 * ==========
 *
 *   - metadata is read as Go reads ObjectMeta: fields that it does not have
 *     are dropped, and one of a wrong type is refused.
 *
 *   - Members that a version's schema does not have are dropped when an object
 *     is sent, stored or shown in that version, unless the schema or the
 *     definition preserves them.
 *
 *   - Validation is that of schema/validate.h, and reports what has changed
 *     only (ratcheting) in an update.
 *
 * Threads
 * =======
 *
 * Any loop's thread. */

#include <stdbool.h>

#include "apiserver/strategy/strategy.h"

struct yl_definition_version;

extern const struct yl_strategy yl_custom_strategy;

/* The definition's version behind one of the registry's. */
static inline const struct yl_definition_version *
yl_custom_version(const struct yl_api_version *version)
{
    return version->aux;
}

/* Parts
 * =====
 *
 * The functions of the strategy, by file. */

/* custom_write.c */
void yl_custom_prepare(const struct yl_change *);
void yl_custom_warn(const struct yl_change *, enum yl_warn_time,
                    struct yl_warnings *);
int yl_custom_permit(const struct yl_admission *, struct yl_status *);

/* custom_validate.c */
void yl_custom_validate(const struct yl_change *, struct yl_error *err);

#endif /* apiserver/crd/custom.h */
