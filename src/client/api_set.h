#ifndef CLIENT_API_SET_H
#define CLIENT_API_SET_H 1

/* API set: the resources of a server, read from its discovery documents.
 *
 *     APIGroupDiscoveryList of /api and /apis           -\
 *                                                         > [set] -> lookups
 *     APIVersions, APIGroupList, an APIResourceList each -/
 *
 * Guarantees
 * ==========
 *
 *   - Safe on any bytes.  A text that is not JSON, or not the document that it
 *     should be, is an error; what is missing or malformed inside is passed
 *     over.
 *
 *   - Constant once it is read, and counted: lookups need no lock. */

#include <stdbool.h>
#include <stddef.h>

#include "base/ref.h"
#include "yuloh/mapper.h"

struct yl_api_set {
    struct yl_ref ref;
    struct yl_arena *arena;     /* All texts. */
    struct yl_mapping *mappings;
    size_t n_mappings, capacity;
};

struct yl_api_set *yl_api_set_new(void);
struct yl_api_set *yl_api_set_ref(struct yl_api_set *);
void yl_api_set_unref(struct yl_api_set *);

/* Adds what an aggregated document says: 0, YL_ETYPE if it is none, or the
 * errors of yl_json_validate().  Versions that are stale are passed over. */
int yl_api_set_add_aggregated(struct yl_api_set *, struct yl_str json,
                              struct yl_error *err);

/* Adds an APIResourceList of a group version. */
int yl_api_set_add_resources(struct yl_api_set *, struct yl_gv,
                             bool preferred, struct yl_str json,
                             struct yl_error *err);

/* Receives a group version.  Returns 0 or an error, which ends the reading. */
typedef int yl_api_group_fn(void *aux, struct yl_gv, bool preferred);

/* Reads an APIVersions (of the core group) or APIGroupList: the group
 * versions that there are, lent for the call. */
int yl_api_groups_read(struct yl_str json, yl_api_group_fn *, void *aux,
                       struct yl_error *err);

/* Lookups; NULL if there is none.  See yuloh/mapper.h. */
const struct yl_mapping *yl_api_set_find_kind(const struct yl_api_set *,
                                              struct yl_gvk);
const struct yl_mapping *yl_api_set_find_resource(const struct yl_api_set *,
                                                  struct yl_gvr);
const struct yl_mapping *yl_api_set_find(const struct yl_api_set *,
                                         struct yl_str text);

#endif /* client/api_set.h */
