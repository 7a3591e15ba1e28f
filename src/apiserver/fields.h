#ifndef APISERVER_FIELDS_H
#define APISERVER_FIELDS_H 1

/* The fields that field selectors can name, kind by kind.
 *
 * Every kind has metadata.name and (in a namespace) metadata.namespace; some
 * have more, which kubectl and controllers use: spec.nodeName of Pods,
 * involvedObject.* of Events.  Those of custom kinds are in their
 * definitions. */

#include <stdbool.h>

#include "yuloh/selector.h"
#include "yuloh/str.h"

struct yl_api_resource;
struct yl_api_version;
struct yl_arena;
struct yl_error;
struct yl_object;

/* Checks that the kind has all fields of the selector.  0, or YL_EBADREQUEST
 * in upstream's words. */
int yl_fields_check(const struct yl_api_resource *,
                    const struct yl_api_version *,
                    const struct yl_field_selector *, struct yl_error *err);

/* Does a stored object match a selector whose fields are those of the
 * version? */
bool yl_fields_match(const struct yl_api_resource *,
                     const struct yl_api_version *,
                     const struct yl_field_selector *,
                     const struct yl_object *, struct yl_arena *scratch);

#endif /* apiserver/fields.h */
