#ifndef BUILTIN_COLUMNS_COLUMNS_HPA_H
#define BUILTIN_COLUMNS_COLUMNS_HPA_H 1

/* The computed cells of a HorizontalPodAutoscaler (autoscaling/v2). */

#include "builtin/columns/columns_cell.h"

yl_cell_fn yl_cell_hpa_reference; /* "Deployment/web" */
yl_cell_fn yl_cell_hpa_targets;   /* "cpu: 40%/50%, memory: 1Gi/2Gi" */

#endif /* builtin/columns/columns_hpa.h */
