#ifndef APISERVER_CRD_NAMES_H
#define APISERVER_CRD_NAMES_H 1

/* Names: which CustomResourceDefinition of a group has which name.
 *
 *     spec.names --> [names] --> status.acceptedNames, NamesAccepted
 *
 * Plurals, singulars and short names of a group share one space, kinds and
 * kinds of lists another.  Whoever has a name keeps it; another CRD that asks
 * for it has a conflict until it is free again.
 *
 * Guarantees
 * ==========
 *
 *   - Names are settled as upstream's naming controller does it, in the same
 *     words.
 *
 *   - A look costs a hash, however many CRDs a group has.
 *
 * Threads
 * =======
 *
 * None of its own: the lifecycle's thread uses it. */

#include <stdbool.h>

#include "yuloh/str.h"

struct yl_arena;
struct yl_names;
struct yl_node;

struct yl_names *yl_names_new(void);
void yl_names_free(struct yl_names *);

/* Notes that the CRD has the names in its status, or has them no more.  Calls
 * must be paired, with equal status. */
void yl_names_take(struct yl_names *, const struct yl_node *crd);
void yl_names_give(struct yl_names *, const struct yl_node *crd);

/* Settles the names of 'crd', whose accepted ones are noted: sets
 * status.acceptedNames and the conditions NamesAccepted and, if the names are
 * accepted for the first time, Established.  Returns whether anything has
 * changed. */
bool yl_names_settle(struct yl_names *, struct yl_arena *,
                     struct yl_node *crd);

#endif /* apiserver/crd/names.h */
