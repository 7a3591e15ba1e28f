#ifndef BUILTIN_CLUSTER_FLOWCONTROL_FIXED_H
#define BUILTIN_CLUSTER_FLOWCONTROL_FIXED_H 1

/* The FlowSchemas and PriorityLevelConfigurations whose spec nobody may
 * change.  'root' is an object with its defaults; one of another name is not
 * looked at. */

#include "schema/at.h"

void yl_check_fixed_schema(struct yl_check *, const struct yl_at *root);
void yl_check_fixed_level(struct yl_check *, const struct yl_at *root);

#endif /* builtin/cluster/flowcontrol_fixed.h */
