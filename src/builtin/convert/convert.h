#ifndef BUILTIN_CONVERT_CONVERT_H
#define BUILTIN_CONVERT_CONVERT_H 1

/* Versions of the built-in kinds, and the conversion between them.
 *
 *     request in an old version -> [hub] -> defaults, validation, storage
 *     storage -> [old version] -> answer
 *
 * A kind that has several versions has one that is stored, the hub.  Every
 * other version has two functions, to the hub and from it, so any version
 * becomes any other in two steps.  They work on the arena tree.
 *
 *     kind                       hub   others
 *     CronJob                    v1    v1beta1, v2alpha1
 *     CustomResourceDefinition   v1    v1beta1
 *     HorizontalPodAutoscaler    v2    v1
 *     Event                      v1    events.k8s.io/v1
 *
 * Guarantees
 * ==========
 *
 *   - Old -> hub -> old loses nothing: a valid object comes back with the same
 *     meaning.  What an older version's defaults would set is set (a CRD of
 *     v1beta1 has 'version' and 'versions', and 'preserveUnknownFields' is
 *     true unless it says otherwise).
 *
 *   - Hub -> old drops only fields that the old version does not have:
 *     batch/v2alpha1 has neither 'timeZone' nor 'lastSuccessfulTime'.
 *
 *   - Any tree can be passed.  Objects should have the types of their kind's
 *     schema; values of other types do no harm.
 *
 * Ownership
 * =========
 *
 * New nodes live in the arena, which must be the tree's.
 *
 * Threads
 * =======
 *
 * A tree belongs to one thread at a time.
 *
 * Usage
 * =====
 *
 *     const char *hub = yl_builtin_hub(YL_STR("batch"), YL_STR("CronJob"));
 *     if (hub) {
 *         int r = yl_builtin_convert(arena, object, yl_str_c(hub), err);
 *     } */

#include <stddef.h>

#include "yuloh/gvk.h"
#include "yuloh/str.h"

struct yl_arena;
struct yl_error;
struct yl_node;

/* The ceiling for a CRD whose top-level fields are copied into each of its
 * versions, in bytes. */
#define YL_CONVERT_MAX_COPIES ((size_t) 4 << 20)

/* The stored version of a kind, or NULL if the kind has only one version. */
const char *yl_builtin_hub(struct yl_str group, struct yl_str kind);

/* Converts 'object', which has an apiVersion and a kind, to another version,
 * or to the other group that serves the kind (Events). */
int yl_builtin_convert_gv(struct yl_arena *, struct yl_node *object,
                          struct yl_gv, struct yl_error *err);

/* Converts 'object', which has an apiVersion and a kind, to 'version' in the
 * same group.  0, also if it has that version already; YL_EINVALID if there is
 * no conversion to that version, or if the object contradicts itself;
 * YL_ETOOBIG if it would grow beyond the
 * ceiling above.  After an error the object is unchanged. */
int yl_builtin_convert(struct yl_arena *, struct yl_node *object,
                       struct yl_str version, struct yl_error *err);

#endif /* builtin/convert/convert.h */
