#ifndef CONTROLLERS_NAMESPACES_H
#define CONTROLLERS_NAMESPACES_H 1

/* What controllers share that keep an object in every namespace. */

#include <stdbool.h>

#include "yuloh/controller.h"

/* A map function: the namespace that an object is in. */
yl_map_fn yl_namespace_of_object;

/* Is there a namespace in the request, and is it not being deleted? */
bool yl_namespace_is_active(struct yl_request *);

/* The result of a creation: 0 also if somebody else was faster, or if the
 * namespace is being deleted or is gone. */
int yl_namespace_created(struct yl_request *, int result);

#endif /* controllers/namespaces.h */
