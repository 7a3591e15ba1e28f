#ifndef BUILTIN_WORKLOADS_WORKLOADS_H
#define BUILTIN_WORKLOADS_WORKLOADS_H 1

/* Validation of the specs of kinds that keep Pods running, for creation and
 * for updates.  The fields that a StatefulSet cannot change are checked only
 * when it is created. */

#include <stdbool.h>

#include "builtin/common/checks.h"

void yl_check_replication_controller_spec(struct yl_check *,
                                          const struct yl_at *spec);
void yl_check_replica_set_spec(struct yl_check *, const struct yl_at *spec);
void yl_check_deployment_spec(struct yl_check *, const struct yl_at *spec);
void yl_check_stateful_set_spec(struct yl_check *, const struct yl_at *spec,
                                bool is_new);
void yl_check_daemon_set_spec(struct yl_check *, const struct yl_at *spec);

#endif /* builtin/workloads/workloads.h */
