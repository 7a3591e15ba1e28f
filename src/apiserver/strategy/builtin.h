#ifndef APISERVER_STRATEGY_BUILTIN_H
#define APISERVER_STRATEGY_BUILTIN_H 1

/* The strategy of built-in kinds: applies the rules of src/builtin to the
 * trees of a write.
 *
 *     row of builtin/builtin.h -> [strategy] <- verbs
 *
 * There is one for all of them.  What a few resources do in addition (Services
 * claim addresses, namespaces are deleted in two stages, Pods can be bound and
 * evicted) is in one table, and in files of this folder named after it. */

#include "apiserver/strategy/strategy.h"

struct yl_kind;

struct yl_builtin_strategy {
    struct yl_strategy strategy;
    const struct yl_builtin *rules;     /* Of the hub; NULL if there are none,
                                         * as for resources that are not
                                         * stored. */
};

/* Makes the strategy of the resource whose hub this is; returns it. */
const struct yl_strategy *
yl_builtin_strategy_init(struct yl_builtin_strategy *, const struct yl_kind *);

/* The row of a built-in resource, or NULL. */
const struct yl_builtin *
yl_builtin_strategy_rules(const struct yl_api_resource *);

/* Parts
 * =====
 *
 * The functions in that table, by file. */

/* services.c: addresses and ports, and their IPAddresses. */
int yl_services_claim(const struct yl_change *, struct yl_status *);
void yl_services_settle(struct yl_apiserver *, const void *write);
int yl_services_with(struct yl_apiserver *, struct yl_arena *,
                     const struct yl_object *before,
                     const struct yl_object *after,
                     struct yl_ks_write *writes, struct yl_error *err);

/* namespaces.c: a DELETE makes them Terminating; they are removed with their
 * last finalizer. */
bool yl_namespaces_is_held(const struct yl_node *object);
int yl_namespaces_check_deletion(struct yl_deletion *, struct yl_status *);
int yl_namespaces_mark(struct yl_deletion *, struct yl_node *object,
                       bool *ret_done, struct yl_status *);

/* pods.c: grace periods, bindings and evictions; a Warning for the deletion of
 * Jobs, whose Pods stay. */
int64_t yl_pods_grace(const struct yl_node *object,
                      const struct yl_deletion_options *);
enum yl_step yl_pods_serve(struct yl_api_request *);
void yl_jobs_warn_deletion(struct yl_api_request *,
                           const struct yl_deletion_options *);

/* bind.c: POST of pods/binding, and of bindings. */
enum yl_step yl_pods_bind(struct yl_api_request *);

/* evict.c: POST of pods/eviction. */
enum yl_step yl_pods_evict(struct yl_api_request *);

/* connect.c: subresources of Pods, Services and Nodes that lead to a node;
 * YL_STEP_NEXT for others. */
enum yl_step yl_connect_serve(struct yl_api_request *);

/* reset_fields.c: what writes of built-in kinds cannot set. */
const char *yl_builtin_reset_fields(const struct yl_api_resource *,
                                    const struct yl_api_version *written,
                                    const struct yl_api_version *of,
                                    enum yl_subresource part);

/* components.c: ComponentStatuses, which are not stored. */
enum yl_step yl_components_serve(struct yl_api_request *);

#endif /* apiserver/strategy/builtin.h */
