#ifndef BUILTIN_PODS_POD_RESOURCES_H
#define BUILTIN_PODS_POD_RESOURCES_H 1

/* Resources of a whole Pod: its own 'resources', and the sum over its
 * containers. */

#include <stdbool.h>

#include "json/member.h"
#include "schema/at.h"

/* The requests or limits ('what') of all containers of 'spec' together, as a
 * new list: the sum over containers and sidecars, or the need of the largest
 * init container if that is more. */
struct yl_node *yl_pod_aggregate(struct yl_arena *,
                                 const struct yl_node *spec,
                                 const char *what);

/* Whether a Pod as a whole can request the resource; whether it is huge
 * pages. */
bool yl_resource_is_pod_level(struct yl_str name);
bool yl_resource_is_hugepages(struct yl_str name);

/* Fills in spec.resources, once its containers have their requests. */
void yl_pod_resources_default(struct yl_arena *, struct yl_node *spec);

#endif /* builtin/pods/pod_resources.h */
