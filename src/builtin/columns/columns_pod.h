#ifndef BUILTIN_COLUMNS_COLUMNS_POD_H
#define BUILTIN_COLUMNS_COLUMNS_POD_H 1

/* The cells of a Pod that are worked out. */

#include "builtin/columns/columns_cell.h"

/* Three cells: how many containers are ready, what the Pod is doing, and how
 * often containers were restarted. */
yl_cell_fn yl__cell_pod_state;

/* How many readiness gates are open. */
yl_cell_fn yl__cell_pod_gates;

/* The condition of the row of a Pod that has ended. */
bool yl__pod_row_conditions(struct yl_json pod, struct yl_buf *);

#endif /* builtin/columns/columns_pod.h */
