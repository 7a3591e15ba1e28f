/* CustomResourceDefinitions as upstream's validation sees them.  See
 * builtin/apiextensions/crd.h for the contract. */

#include "builtin/apiextensions/crd.h"

#include "builtin/common/meta.h"

static bool is_shared(const struct yl_at *versions, const char *field);
static struct yl_at shown(const struct yl_at *parent, const char *name,
                          const struct yl_at *version, const char *field,
                          bool is_here);

void
yl_crd_init(struct yl_crd *crd, const struct yl_node *object)
{
    struct yl_at first;

    crd->root = yl_at_root(object);
    crd->metadata = yl_at(&crd->root, "metadata");
    crd->spec = yl_at(&crd->root, "spec");
    crd->names = yl_at(&crd->spec, "names");
    crd->versions = yl_at(&crd->spec, "versions");
    crd->status = yl_at(&crd->root, "status");
    crd->shares_schema = is_shared(&crd->versions, "schema");
    crd->shares_subresources = is_shared(&crd->versions, "subresources");
    crd->shares_columns = is_shared(&crd->versions,
                                    "additionalPrinterColumns");
    crd->shares_selectable = is_shared(&crd->versions, "selectableFields");
    first = yl_at_first(&crd->versions);
    crd->shared.schema = shown(&crd->spec, "validation", &first, "schema",
                               crd->shares_schema);
    crd->shared.open_api = yl_at(&crd->shared.schema, "openAPIV3Schema");
    crd->shared.subresources = shown(&crd->spec, "subresources", &first,
                                     "subresources",
                                     crd->shares_subresources);
    crd->shared.columns = shown(&crd->spec, "additionalPrinterColumns",
                                &first, "additionalPrinterColumns",
                                crd->shares_columns);
    crd->shared.selectable = shown(&crd->spec, "selectableFields", &first,
                                   "selectableFields",
                                   crd->shares_selectable);
}

void
yl_crd_own_fields(const struct yl_crd *crd, const struct yl_at *version,
                  struct yl_crd_fields *own)
{
    own->schema = shown(version, "schema", version, "schema",
                        !crd->shares_schema);
    own->open_api = yl_at(&own->schema, "openAPIV3Schema");
    own->subresources = shown(version, "subresources", version,
                              "subresources", !crd->shares_subresources);
    own->columns = shown(version, "additionalPrinterColumns", version,
                         "additionalPrinterColumns", !crd->shares_columns);
    own->selectable = shown(version, "selectableFields", version,
                            "selectableFields", !crd->shares_selectable);
}

bool
yl_crd_has_status(const struct yl_crd *crd, const struct yl_at *version)
{
    struct yl_at own = yl_at(version, "subresources");

    return yl_at_get_has(crd->shares_subresources ? &crd->shared.subresources
                                                  : &own, "status");
}

bool
yl_crd_has_any_status(const struct yl_crd *crd)
{
    YL_AT_FOR_EACH (version, &crd->versions) {
        if (yl_crd_has_status(crd, &version)) {
            return true;
        }
    }
    return false;
}

bool
yl_crd_condition_is_true(const struct yl_crd *crd, const char *type)
{
    struct yl_at conditions = yl_at(&crd->status, "conditions");

    YL_AT_FOR_EACH (condition, &conditions) {
        if (yl_at_get_is(&condition, "type", type)) {
            return yl_at_get_is(&condition, "status", "True");
        }
    }
    return false;
}

/* Is the field the same in all versions? */
static bool
is_shared(const struct yl_at *versions, const char *field)
{
    struct yl_at first = yl_at_first(versions);
    struct yl_at one = yl_at(&first, field);

    YL_AT_FOR_EACH (version, versions) {
        struct yl_at other = yl_at(&version, field);

        if (version.node != first.node
            && !yl_node_same(one.node, other.node)) {
            return false;
        }
    }
    return true;
}

/* A field of 'version' under the name that upstream gives it; absent unless it
 * is shown here. */
static struct yl_at
shown(const struct yl_at *parent, const char *name,
      const struct yl_at *version, const char *field, bool is_here)
{
    struct yl_at at = yl_at(version, field);

    return yl_at_node(parent, name, is_here ? at.node : NULL);
}
