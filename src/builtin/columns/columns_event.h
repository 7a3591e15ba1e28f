#ifndef BUILTIN_COLUMNS_COLUMNS_EVENT_H
#define BUILTIN_COLUMNS_COLUMNS_EVENT_H 1

/* The cells of an Event. */

#include "builtin/columns/columns_cell.h"

/* All ten cells.  Fields have other names in the group events.k8s.io. */
yl_cell_fn yl_cell_event;

#endif /* builtin/columns/columns_event.h */
