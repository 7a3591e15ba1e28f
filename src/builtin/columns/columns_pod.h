#ifndef BUILTIN_COLUMNS_COLUMNS_POD_H
#define BUILTIN_COLUMNS_COLUMNS_POD_H 1

/* The computed cells of a Pod. */

#include "builtin/columns/columns_cell.h"

/* Three cells: how many containers are ready, the Pod's status, and how often
 * containers were restarted. */
yl_cell_fn yl_cell_pod_state;

/* How many readiness gates are true. */
yl_cell_fn yl_cell_pod_gates;

/* The condition of the row of a Pod that has ended. */
bool yl_pod_row_conditions(struct yl_json pod, struct yl_buf *);

#endif /* builtin/columns/columns_pod.h */
