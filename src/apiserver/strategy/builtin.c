/* The strategy of built-in kinds.  See apiserver/strategy/builtin.h for the
 * contract. */

#include "apiserver/strategy/builtin.h"

#include "apiserver/auth/escalation.h"
#include "apiserver/auth/reviews.h"
#include "apiserver/auth/token_request.h"
#include "apiserver/crd/lifecycle_mark.h"
#include "builtin/common/subresources.h"
#include "builtin/convert/convert.h"
#include "yuloh/schema.h"

static void add_extra(struct yl_strategy *, const struct yl_strategy *extra);
static const struct yl_builtin *rules_of(const struct yl_change *);
static const struct yl_builtin *rules_in(const struct yl_api_resource *,
                                         const struct yl_api_version *);
static const struct yl_builtin_subresource *part_of(const struct yl_change *);
static void default_(const struct yl_api_resource *,
                     const struct yl_api_version *, struct yl_arena *,
                     struct yl_node *object);
static int convert(struct yl_conversion *);
static void prepare(const struct yl_change *);
static void validate(const struct yl_change *, struct yl_error *err);
static void warn(const struct yl_change *, enum yl_warn_time,
                 struct yl_warnings *);

#define RBAC "rbac.authorization.k8s.io"
#define AUTHENTICATION "authentication.k8s.io"
#define AUTHORIZATION "authorization.k8s.io"

/* What some resources do in addition to what all do. */
static const struct {
    const char *group, *plural;
    struct yl_strategy extra;
} extras[] = {
    { "", "bindings", { .serve = yl_pods_bind } },
    { "", "componentstatuses",
      { .flags = YL_STRATEGY_HEARS_WATCHES, .serve = yl_components_serve } },
    { "", "events",
      { .flags = YL_STRATEGY_UNCACHED | YL_STRATEGY_NO_DEPENDENTS } },
    { "", "namespaces",
      { .is_held = yl_namespaces_is_held,
        .check_deletion = yl_namespaces_check_deletion,
        .mark = yl_namespaces_mark } },
    { "", "nodes", { .serve = yl_connect_serve } },
    { "", "pods", { .grace = yl_pods_grace, .serve = yl_pods_serve } },
    { "", "serviceaccounts", { .serve = yl_service_accounts_serve } },
    { "", "services",
      { .claim = yl_services_claim, .settle = yl_services_settle,
        .with = yl_services_with, .serve = yl_connect_serve } },
    { "apiextensions.k8s.io", "customresourcedefinitions",
      { .check_deletion = yl_namespaces_check_deletion,
        .mark = yl_crds_mark } },
    { "batch", "jobs", { .warn_deletion = yl_jobs_warn_deletion } },
    { RBAC, "clusterroles", { .permit = yl_rbac_check_escalation } },
    { RBAC, "clusterrolebindings", { .permit = yl_rbac_check_escalation } },
    { RBAC, "roles", { .permit = yl_rbac_check_escalation } },
    { RBAC, "rolebindings", { .permit = yl_rbac_check_escalation } },
    { AUTHENTICATION, "selfsubjectreviews", { .serve = yl_review_create } },
    { AUTHENTICATION, "tokenreviews", { .serve = yl_review_create } },
    { AUTHORIZATION, "localsubjectaccessreviews",
      { .serve = yl_review_create } },
    { AUTHORIZATION, "selfsubjectaccessreviews",
      { .serve = yl_review_create } },
    { AUTHORIZATION, "selfsubjectrulesreviews",
      { .serve = yl_review_create } },
    { AUTHORIZATION, "subjectaccessreviews", { .serve = yl_review_create } },
};

const struct yl_strategy *
yl_builtin_strategy_init(struct yl_builtin_strategy *b,
                         const struct yl_kind *hub)
{
    const struct yl_builtin *rules = yl_builtin_find(
        yl_str_c(hub->set->group), yl_str_c(hub->set->version),
        yl_str_c(hub->name));
    size_t i;

    b->rules = rules;
    b->strategy = (struct yl_strategy) {
        .flags = rules ? rules->flags : 0,
        .default_ = default_,
        .convert = convert,
        .hide = rules ? rules->hide : NULL,
        .prepare = prepare,
        .validate = validate,
        .reset_fields = yl_builtin_reset_fields,
        .warn = warn,
    };
    for (i = 0; i < YL_ARRAY_SIZE(extras); i++) {
        if (strcmp(extras[i].plural, hub->plural) == 0
            && strcmp(extras[i].group, hub->set->group) == 0) {
            add_extra(&b->strategy, &extras[i].extra);
        }
    }
    return &b->strategy;
}

const struct yl_builtin *
yl_builtin_strategy_rules(const struct yl_api_resource *resource)
{
    const struct yl_strategy *strategy = resource->strategy;

    return strategy->prepare == prepare
           ? YL_CONTAINER_OF((struct yl_strategy *) (uintptr_t) strategy,
                             struct yl_builtin_strategy, strategy)->rules
           : NULL;
}

static void
add_extra(struct yl_strategy *s, const struct yl_strategy *extra)
{
    s->flags |= extra->flags;
    s->permit = extra->permit;
    s->claim = extra->claim;
    s->settle = extra->settle;
    s->with = extra->with;
    s->grace = extra->grace;
    s->is_held = extra->is_held;
    s->check_deletion = extra->check_deletion;
    s->mark = extra->mark;
    s->warn_deletion = extra->warn_deletion;
    s->serve = extra->serve;
}

/* The rules of the requested version, if it has its own: Events of
 * events.k8s.io are validated more strictly. */
static const struct yl_builtin *
rules_of(const struct yl_change *change)
{
    const struct yl_builtin *own = NULL;

    if (change->version && !change->version->hub) {
        own = rules_in(change->resource, change->version);
    }
    return own ? own : yl_builtin_strategy_rules(change->resource);
}

static const struct yl_builtin *
rules_in(const struct yl_api_resource *resource,
         const struct yl_api_version *version)
{
    return version->hub ? yl_builtin_strategy_rules(resource)
                        : yl_builtin_find(version->group, version->version,
                                          resource->kind);
}

/* The part that a subresource may change; NULL for the object itself, /status
 * and /scale. */
static const struct yl_builtin_subresource *
part_of(const struct yl_change *change)
{
    switch (change->subresource) {
    case YL_SUB_FINALIZE:
        return &yl_namespace_finalize;
    case YL_SUB_EPHEMERAL_CONTAINERS:
        return &yl_pod_ephemeral_containers;
    case YL_SUB_RESIZE:
        return &yl_pod_resize;
    case YL_SUB_APPROVAL:
        return &yl_csr_approval;
    default:
        return NULL;
    }
}

static void
default_(const struct yl_api_resource *resource,
         const struct yl_api_version *version, struct yl_arena *arena,
         struct yl_node *object)
{
    const struct yl_builtin *rules = rules_in(resource, version);

    if (rules) {
        yl_builtin_default(rules, arena, object);
    }
}

static int
convert(struct yl_conversion *c)
{
    struct yl_gv to = { c->to->group, c->to->version };
    size_t i;
    int r = 0;

    for (i = 0; i < c->n_objects && r == 0; i++) {
        r = yl_builtin_convert_gv(c->arena, c->objects[i], to, c->err);
    }
    return r;
}

static void
prepare(const struct yl_change *change)
{
    const struct yl_builtin *rules = rules_of(change);
    const struct yl_builtin_subresource *part = part_of(change);
    struct yl_node *object = change->object;

    if (!change->old) {
        yl_builtin_prepare(rules, change->arena, object);
    } else if (part) {
        yl_subresource_prepare(part, change->arena, object, change->old);
    } else if (change->subresource == YL_SUB_STATUS) {
        yl_builtin_prepare_status(rules, change->arena, object, change->old);
    } else {
        yl_builtin_prepare_update(rules, change->arena, object, change->old);
    }
}

static void
validate(const struct yl_change *change, struct yl_error *err)
{
    const struct yl_builtin *rules = rules_of(change);
    const struct yl_builtin_subresource *part = part_of(change);
    const struct yl_node *object = change->object;

    if (!change->old) {
        yl_builtin_validate(rules, change->arena, object, err);
    } else if (part) {
        yl_subresource_validate(part,
                                yl_builtin_strategy_rules(change->resource),
                                change->arena, object, change->old, err);
    } else if (change->subresource == YL_SUB_STATUS) {
        yl_builtin_validate_status(rules, change->arena, object, change->old,
                                   err);
    } else {
        yl_builtin_validate_update(rules, change->arena, object, change->old,
                                   err);
    }
}

static void
warn(const struct yl_change *change, enum yl_warn_time when,
     struct yl_warnings *warnings)
{
    const struct yl_builtin *rules = rules_of(change);
    yl_warn_fn *find = NULL;

    if (when == YL_WARN_FIRST) {
        find = change->old ? NULL : rules->warn_first;
    } else if (change->subresource == YL_SUB_NONE
               || change->subresource == YL_SUB_SCALE) {
        find = rules->warn;
    } else if (change->subresource == YL_SUB_STATUS) {
        find = rules->warn_status;
    }
    if (find) {
        find(warnings, change->object, change->old);
    }
}
