#ifndef APISERVER_STRATEGY_DISRUPTION_H
#define APISERVER_STRATEGY_DISRUPTION_H 1

/* Disruption budgets, as evictions use them. */

#include <stdbool.h>

#include "yuloh/str.h"

struct yl_apiserver;
struct yl_arena;
struct yl_object;
struct yl_status;
struct yl_write;

/* Finds the budget that covers a Pod: its name, in 'arena', or an empty one.
 * Also says whether the Pod may be evicted without counting, because it is not
 * ready and the budget's policy allows that.  0, or YL_EINTERNAL with a Status
 * if there are several budgets. */
int yl_disruption_find(struct yl_apiserver *, struct yl_arena *,
                       const struct yl_object *pod, struct yl_str *ret_name,
                       bool *ret_spared, struct yl_status *);

/* Proposes the write of the budget ('old') that counts one disruption for the
 * Pod.  0, or YL_ETHROTTLED with a Status if the budget allows none now. */
int yl_disruption_take(struct yl_write *, struct yl_str pod,
                       struct yl_status *);

#endif /* apiserver/strategy/disruption.h */
