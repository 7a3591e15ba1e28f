#ifndef BUILTIN_PODS_POD_RESOURCES_H
#define BUILTIN_PODS_POD_RESOURCES_H 1

/* What a whole Pod asks for: its own 'resources', and the sum over its
 * containers. */

#include <stdbool.h>

#include "json/member.h"
#include "schema/at.h"

/* What the containers of 'spec' ask for together, as a new list: of 'what'
 * ("requests" or "limits") the sum over containers and sidecars, or what the
 * hungriest init container needs if that is more. */
struct yl_node *yl_pod_aggregate(struct yl_arena *,
                                 const struct yl_node *spec,
                                 const char *what);

/* Can a Pod as a whole ask for it?  Is it a size of huge pages? */
bool yl_resource_is_pod_level(struct yl_str name);
bool yl_resource_is_hugepages(struct yl_str name);

/* Fills in spec.resources, once its containers have their requests. */
void yl_pod_resources_default(struct yl_arena *, struct yl_node *spec);

#endif /* builtin/pods/pod_resources.h */
