#ifndef BUILTIN_APIEXTENSIONS_CRD_H
#define BUILTIN_APIEXTENSIONS_CRD_H 1

/* A CustomResourceDefinition as upstream's validation sees it.
 *
 * Objects are stored as v1, where each version has a schema, subresources and
 * columns of its own.  Upstream validates another form, in which what is equal
 * in all versions stands above them; so its messages name
 * "spec.validation.openAPIV3Schema" if all versions have one schema, and
 * "spec.versions[1].schema.openAPIV3Schema" otherwise.  A 'struct yl_crd'
 * shows the stored object in that form; nothing is copied.
 *
 *     stored as v1                        shown as
 *     spec.versions[*].schema             spec.validation
 *     spec.versions[*].subresources       spec.subresources
 *     spec.versions[*].additionalPrinterColumns
 *                                         spec.additionalPrinterColumns
 *     spec.versions[*].selectableFields   spec.selectableFields
 *
 * Ownership
 * =========
 *
 * It points into the tree, and into itself: it must not be copied. */

#include <stdbool.h>

#include "builtin/common/checks.h"

struct yl_schema_props;

/* Fields that a version has, or all versions together. */
struct yl_crd_fields {
    struct yl_at schema;        /* Its path is "validation" or "schema". */
    struct yl_at open_api;      /* openAPIV3Schema in it. */
    struct yl_at subresources;
    struct yl_at columns;
    struct yl_at selectable;
};

struct yl_crd {
    struct yl_at root, metadata, spec, names, versions, status;
    struct yl_crd_fields shared;    /* Absent where versions differ. */
    bool shares_schema, shares_subresources, shares_columns,
         shares_selectable;
};

void yl_crd_init(struct yl_crd *, const struct yl_node *object);

/* The fields in which 'version', an element of 'versions', differs from the
 * others; those that all share are absent. */
void yl_crd_own_fields(const struct yl_crd *, const struct yl_at *version,
                       struct yl_crd_fields *);

/* Is there a status subresource: in 'version', and in any version? */
bool yl_crd_has_status(const struct yl_crd *, const struct yl_at *version);
bool yl_crd_has_any_status(const struct yl_crd *);

/* Is the condition 'type' True? */
bool yl_crd_condition_is_true(const struct yl_crd *, const char *type);

#endif /* builtin/apiextensions/crd.h */
