#ifndef APISERVER_FLOW_STATUS_H
#define APISERVER_FLOW_STATUS_H 1

/* Flow status: a thread that sets the condition "Dangling" of each FlowSchema,
 * which says whether the priority level that it names is missing.
 *
 *     flow schemas, levels -> changed? -> look at all -> write conditions
 *
 * Guarantees
 * ==========
 *
 *   - Some time after the last write of a FlowSchema or a priority level,
 *     every FlowSchema has the condition, and its status is right.
 *
 *   - A condition that is right is not written again.
 *
 * Threads
 * =======
 *
 * Started and stopped by the server's owner; its own thread is called
 * "flows".  yl_flow_status_settle() may be called from any thread but a
 * loop's. */

#include "yuloh/error.h"

struct yl_flow_status;
struct yl_keyspace;
struct yl_ks_resource;

/* All are borrowed. */
struct yl_flow_status_opts {
    struct yl_keyspace *keyspace;
    struct yl_ks_resource *schemas;
    struct yl_ks_resource *levels;
};

int yl_flow_status_start(const struct yl_flow_status_opts *,
                         struct yl_flow_status **ret_status,
                         struct yl_error *err);

/* Waits for a write that is under way.  NULL is fine. */
void yl_flow_status_stop(struct yl_flow_status *);

/* Looks at all FlowSchemas once, and waits for what it writes. */
void yl_flow_status_settle(const struct yl_flow_status_opts *);

#endif /* apiserver/flow_status.h */
