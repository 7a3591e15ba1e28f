#ifndef APISERVER_STRATEGY_POD_CONDITION_H
#define APISERVER_STRATEGY_POD_CONDITION_H 1

/* A condition of a Pod that the server itself sets. */

struct yl_arena;
struct yl_node;

/* Sets the condition 'type' of a Pod to True, as of now unless it was that
 * already.  'reason' and 'message' may be NULL. */
void yl_pod_set_condition(struct yl_arena *, struct yl_node *pod,
                          const char *type, const char *reason,
                          const char *message);

#endif /* apiserver/strategy/pod_condition.h */
