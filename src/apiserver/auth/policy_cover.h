#ifndef APISERVER_AUTH_POLICY_COVER_H
#define APISERVER_AUTH_POLICY_COVER_H 1

/* Compares policies: whether one allows everything that another does.
 *
 * The other's rules are split into atoms, each of them one verb on one
 * resource (of one name), so that an atom is allowed by a single rule or not
 * at all.  A client's rule makes as many atoms as the product of the lengths
 * of its lists, so their number has a ceiling. */

#include "apiserver/auth/policy.h"

struct yl_arena;

/* The most atoms, and the most comparisons of strings, before the comparison
 * is given up. */
#define YL_POLICY_MAX_ATOMS 32768
#define YL_POLICY_MAX_WORK 20000000

/* The atoms of 'wanted' that no rule of 'owned' allows.  0, or YL_ETOOBIG. */
int yl_policy_missing(struct yl_arena *, struct yl_policy owned,
                      struct yl_policy wanted, struct yl_policy *ret_missing);

/* What atoms say, for people: those that differ only by verb on one line,
 * lines sorted, as upstream has them. */
struct yl_str yl_policy_describe(struct yl_arena *, struct yl_policy atoms);

#endif /* apiserver/auth/policy_cover.h */
