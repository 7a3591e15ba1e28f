/* Validation of the resources of containers and Pods. */

#include <inttypes.h>

#include "builtin/go/go_value.h"
#include "builtin/pods/pod_check.h"
#include "builtin/pods/pod_resources.h"

/* What the requests or the limits contain. */
struct contents {
    bool compute;               /* CPU or memory. */
    bool hugepages;
};

static void check_list(struct yl_check *, const struct yl_at *list,
                       bool pod_level, struct contents *);
static void check_requests(struct yl_check *, const struct yl_at *requests,
                           const struct yl_at *limits);
static void check_resource_name(struct yl_check *, const struct yl_at *,
                                struct yl_str name, bool pod_level);
static void check_container_resource(struct yl_check *, const struct yl_at *,
                                     struct yl_str name);
static void check_claims(struct yl_check *, const struct yl_at *claims,
                         const struct yl_node *known);
static void check_claim_known(struct yl_check *, const struct yl_at *claim,
                              struct yl_str name,
                              const struct yl_node *known);
static void check_consistency(struct yl_check *, const struct yl_at *spec,
                              const struct yl_at *resources);
static void check_sum(struct yl_check *, const struct yl_at *list,
                      const struct yl_node *sum, const char *what);
static bool is_standard(struct yl_str name);
static bool is_native(struct yl_str name);
static bool is_divisible(struct yl_str name, const struct yl_quantity *);
static struct yl_str text_of(struct yl_check *, const struct yl_quantity *);

void
yl_check_resources(struct yl_check *c, const struct yl_at *resources,
                   const struct yl_node *claims, bool pod_level)
{
    struct yl_at limits = yl_at(resources, "limits");
    struct yl_at requests = yl_at(resources, "requests");
    struct yl_at list = yl_at(resources, "claims");
    struct contents in_limits = { false, false };
    struct contents in_requests = { false, false };

    check_list(c, &limits, pod_level, &in_limits);
    check_list(c, &requests, pod_level, &in_requests);
    check_requests(c, &requests, &limits);
    if (!in_limits.compute && !in_requests.compute
        && (in_limits.hugepages || in_requests.hugepages)) {
        yl_field_forbidden(c->err, yl_at_path(resources),
                           "HugePages require cpu or memory");
    }
    check_claims(c, &list, claims);
}

bool
yl_check_resource_name(struct yl_check *c, const struct yl_at *at,
                       struct yl_str name)
{
    if (!yl_check_name_of(c, yl_at_path(at), YL_NAME_QUALIFIED, name)) {
        return false;
    }
    if (!yl_str_find_char(name, '/') && !is_standard(name)) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(name),
                         "must be a standard resource type or fully "
                         "qualified");
        return false;
    }
    return true;
}

void
yl_check_container_resource_name(struct yl_check *c, const struct yl_at *at,
                                 struct yl_str name)
{
    check_resource_name(c, at, name, false);
}

bool
yl_resource_is_extended(struct yl_arena *arena, struct yl_str name)
{
    const char *quota;

    if (is_native(name) || yl_str_starts_with(name, YL_STR("requests."))) {
        return false;
    }
    quota = yl_arena_printf(arena, "requests.%.*s", YL_STR_ARG(name));
    return yl_name_check(YL_NAME_QUALIFIED, yl_str_c(quota), NULL) == 0;
}

bool
yl_resource_can_overcommit(struct yl_str name)
{
    return is_native(name) && !yl_resource_is_hugepages(name);
}

void
yl_check_amount(struct yl_check *c, const struct yl_at *at,
                struct yl_str name)
{
    static const char *const whole[] = {
        "pods", "resourcequotas", "services", "replicationcontrollers",
        "secrets", "configmaps", "persistentvolumeclaims",
        "services.nodeports", "services.loadbalancers"
    };
    struct yl_quantity q;
    bool integer = yl_resource_is_extended(c->arena, name);
    size_t i;

    if (!yl_node_quantity(c->arena, at->node, &q)) {
        return;
    }
    if (yl_quantity_sign(&q) < 0) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(text_of(c, &q)),
                         YL_NOT_NEGATIVE);
    }
    for (i = 0; i < sizeof whole / sizeof whole[0]; i++) {
        integer |= yl_str_equal_c(name, whole[i]);
    }
    if (integer && yl_quantity_milli_value(&q) % 1000) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(text_of(c, &q)),
                         "must be an integer");
    }
}

void
yl_check_pod_resources(struct yl_pod_check *p)
{
    struct yl_at resources = yl_at(p->spec, "resources");
    struct yl_at claims = yl_at(&resources, "claims");
    struct yl_at os = yl_at(p->spec, "os");

    if (!yl_at_has(&resources)) {
        return;
    }
    if (yl_at_get_is(&os, "name", "windows")) {
        yl_field_forbidden(p->c->err, yl_at_path(&resources),
                           "may not be set for a windows pod");
        return;
    }
    if (yl_at_has(&claims) || claims.emptied) {
        yl_field_forbidden(p->c->err, yl_at_path(&claims),
                           "claims may not be set for Resources at "
                           "pod-level");
    }
    yl_check_resources(p->c, &resources, p->claims, true);
    check_consistency(p->c, p->spec, &resources);
}

static void
check_list(struct yl_check *c, const struct yl_at *list, bool pod_level,
           struct contents *contents)
{
    YL_CHECK_FOR_EACH (c, amount, list) {
        struct yl_str name = yl_at_key(&amount);
        struct yl_quantity q;

        check_resource_name(c, &amount, name, pod_level);
        yl_check_amount(c, &amount, name);
        contents->compute |= yl_str_equal_c(name, "cpu")
                             || yl_str_equal_c(name, "memory");
        if (yl_resource_is_hugepages(name)) {
            contents->hugepages = true;
            if (yl_node_quantity(c->arena, amount.node, &q)
                && !is_divisible(name, &q)) {
                struct yl_str text = text_of(c, &q);

                yl_field_invalid(c->err, yl_at_path(&amount),
                                 yl_bad_string(text),
                                 "%.*s is not positive integer multiple of "
                                 "%.*s", YL_STR_ARG(text), YL_STR_ARG(name));
            }
        }
    }
}

/* Compares requests with limits. */
static void
check_requests(struct yl_check *c, const struct yl_at *requests,
               const struct yl_at *limits)
{
    YL_CHECK_FOR_EACH (c, amount, requests) {
        struct yl_str name = yl_at_key(&amount);
        bool overcommit = yl_resource_can_overcommit(name);
        const struct yl_node *limit =
            yl_at_has(limits) ? yl_node_get(limits->node, name) : NULL;
        struct yl_quantity q, max;
        int order;

        if (!limit) {
            if (!overcommit) {
                yl_field_required(c->err, yl_at_path(limits),
                                  "Limit must be set for non overcommitable "
                                  "resources");
            }
            continue;
        }
        if (!yl_node_quantity(c->arena, amount.node, &q)
            || !yl_node_quantity(c->arena, limit, &max)) {
            continue;
        }
        order = yl_quantity_compare(&q, &max);
        if (order && !overcommit) {
            yl_field_invalid(c->err, yl_at_path(requests),
                             yl_bad_string(text_of(c, &q)),
                             "must be equal to %.*s limit of %.*s",
                             YL_STR_ARG(name), YL_STR_ARG(text_of(c, &max)));
        } else if (order > 0) {
            yl_field_invalid(c->err, yl_at_path(requests),
                             yl_bad_string(text_of(c, &q)),
                             "must be less than or equal to %.*s limit of "
                             "%.*s", YL_STR_ARG(name),
                             YL_STR_ARG(text_of(c, &max)));
        }
    }
}

static void
check_resource_name(struct yl_check *c, const struct yl_at *at,
                    struct yl_str name, bool pod_level)
{
    static const char *const supported[] = { "cpu", "hugepages-", "memory",
                                             NULL };
    bool good = yl_check_resource_name(c, at, name);

    if (!pod_level) {
        check_container_resource(c, at, name);
    } else if (good && !yl_resource_is_pod_level(name)) {
        yl_field_not_supported(c->err, yl_at_path(at), yl_bad_string(name),
                               supported);
    }
}

static void
check_container_resource(struct yl_check *c, const struct yl_at *at,
                         struct yl_str name)
{
    if (!yl_str_find_char(name, '/')) {
        if (!yl_str_equal_c(name, "cpu") && !yl_str_equal_c(name, "memory")
            && !yl_str_equal_c(name, "ephemeral-storage")
            && !yl_resource_is_hugepages(name)) {
            yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(name),
                             "must be a standard resource for containers");
        }
    } else if (!is_native(name) && !yl_resource_is_extended(c->arena, name)) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(name),
                         "doesn't follow extended resource name standard");
    }
}

/* A claim may be listed once, either as a whole or by its requests. */
static void
check_claims(struct yl_check *c, const struct yl_at *claims,
             const struct yl_node *known)
{
    struct yl_node *keys = yl_node_new_object(c->arena);
    struct yl_node *parts = yl_node_new_object(c->arena);

    YL_CHECK_FOR_EACH (c, claim, claims) {
        struct yl_str name = yl_at_get_str(c, &claim, "name");
        struct yl_at request = yl_at(&claim, "request");
        struct yl_str part = yl_at_str(c, &request), key = name;

        if (!name.size) {
            yl_field_required(c->err, yl_at_path(&claim), NULL);
            continue;
        }
        if (yl_node_get(keys, name)) {
            yl_field_duplicate(c->err, yl_at_path(&claim),
                               yl_bad_string(name));
        } else {
            if (part.size) {
                yl_check_name(c, &request, YL_NAME_DNS1123_LABEL);
                key = yl_str_c(yl_arena_printf(c->arena, "%.*s/%.*s",
                                               YL_STR_ARG(name),
                                               YL_STR_ARG(part)));
            }
            if (!yl_set_add(c->arena, keys, key)
                || (!part.size && yl_node_get(parts, name))) {
                yl_field_duplicate(c->err, yl_at_path(&claim),
                                   yl_bad_string(key));
            }
            if (part.size) {
                yl_set_add(c->arena, parts, name);
            }
        }
        check_claim_known(c, &claim, name, known);
    }
}

static void
check_claim_known(struct yl_check *c, const struct yl_at *claim,
                  struct yl_str name, const struct yl_node *known)
{
    const struct yl_node *item;
    struct yl_buf detail;

    if (known && yl_node_get(known, name)) {
        return;
    }
    yl_buf_init(&detail, YL_FIELD_TEXT_MAX);
    yl_buf_append_c(&detail,
                    "must be one of the names in pod.spec.resourceClaims");
    if (!known || !known->n) {
        yl_buf_append_c(&detail, " which is empty");
    } else {
        YL_NODE_FOR_EACH (item, known) {
            yl_buf_append_c(&detail, item == known->first ? ": " : ", ");
            yl_buf_append_str(&detail, yl_node_key(item));
        }
    }
    yl_field_not_found_because(c, claim, yl_bad_string(name),
                               yl_buf_c_str(&detail));
    yl_buf_release(&detail);
}

/* The resources of the Pod must not be less than those of its containers. */
static void
check_consistency(struct yl_check *c, const struct yl_at *spec,
                  const struct yl_at *resources)
{
    struct yl_at requests = yl_at(resources, "requests");
    struct yl_at limits = yl_at(resources, "limits");
    struct yl_at list = yl_at(spec, "containers");
    struct yl_at shown = yl_at_node(resources, "containers", list.node);

    check_sum(c, &requests, yl_pod_aggregate(c->arena, spec->node,
                                             "requests"), "requests");
    check_sum(c, &limits, yl_pod_aggregate(c->arena, spec->node, "limits"),
              "limits");
    YL_CHECK_FOR_EACH (c, container, &shown) {
        struct yl_at own = yl_at(&container, "resources");
        struct yl_at own_limits = yl_at(&own, "limits");

        YL_CHECK_FOR_EACH (c, amount, &own_limits) {
            struct yl_field_path key = yl_field_key(yl_at_path(&container),
                                                    yl_at_key(&amount));
            struct yl_field_path path =
                yl_field_member(&key, YL_STR("limits"));
            struct yl_quantity q, max;

            if (yl_at_has(&limits)
                && yl_node_quantity(c->arena,
                                    yl_node_get(limits.node,
                                                yl_at_key(&amount)), &max)
                && yl_node_quantity(c->arena, amount.node, &q)
                && yl_quantity_compare(&q, &max) > 0) {
                yl_field_invalid(c->err, &path,
                                 yl_bad_string(text_of(c, &q)),
                                 "must be less than or equal to pod limits "
                                 "of %.*s", YL_STR_ARG(text_of(c, &max)));
            }
        }
    }
}

static void
check_sum(struct yl_check *c, const struct yl_at *list,
          const struct yl_node *sum, const char *what)
{
    const struct yl_node *amount;
    bool limits = !strcmp(what, "limits");

    if (!yl_at_has(list)) {
        return;
    }
    YL_NODE_FOR_EACH (amount, sum) {
        struct yl_str name = yl_node_key(amount);
        struct yl_field_path path = yl_field_key(yl_at_path(list), name);
        struct yl_quantity q, own;

        if ((limits && !yl_resource_is_hugepages(name))
            || !yl_node_quantity(c->arena, yl_node_get(list->node, name),
                                 &own)
            || !yl_node_quantity(c->arena, amount, &q)
            || yl_quantity_compare(&q, &own) <= 0) {
            continue;
        }
        yl_field_invalid(c->err, &path, yl_bad_string(text_of(c, &own)),
                         "must be greater than or equal to aggregate "
                         "container %s of %.*s", what,
                         YL_STR_ARG(text_of(c, &q)));
    }
}

static bool
is_standard(struct yl_str name)
{
    static const char *const standard[] = {
        "cpu", "memory", "ephemeral-storage", "requests.cpu",
        "requests.memory", "requests.ephemeral-storage", "limits.cpu",
        "limits.memory", "limits.ephemeral-storage", "pods",
        "resourcequotas", "services", "replicationcontrollers", "secrets",
        "configmaps", "persistentvolumeclaims", "storage",
        "requests.storage", "services.nodeports", "services.loadbalancers"
    };
    size_t i;

    for (i = 0; i < sizeof standard / sizeof standard[0]; i++) {
        if (yl_str_equal_c(name, standard[i])) {
            return true;
        }
    }
    return yl_resource_is_hugepages(name)
           || yl_str_starts_with(name, YL_STR("requests.hugepages-"));
}

/* Whether the name has no domain, or one of kubernetes.io. */
static bool
is_native(struct yl_str name)
{
    static const char ours[] = "kubernetes.io/";
    size_t i;

    if (!yl_str_find_char(name, '/')) {
        return true;
    }
    for (i = 0; i + sizeof ours - 1 <= name.size; i++) {
        if (!memcmp(name.data + i, ours, sizeof ours - 1)) {
            return true;
        }
    }
    return false;
}

static bool
is_divisible(struct yl_str name, const struct yl_quantity *q)
{
    struct yl_str size = yl_str_skip(name, strlen("hugepages-"));
    struct yl_quantity page;

    return yl_quantity_parse(size, &page, NULL) == 0
           && yl_quantity_sign(&page) > 0
           && yl_quantity_milli_value(&page) % 1000 == 0
           && yl_quantity_value(q) % yl_quantity_value(&page) == 0;
}

static struct yl_str
text_of(struct yl_check *c, const struct yl_quantity *q)
{
    char room[YL_QUANTITY_TEXT_SIZE];

    return yl_arena_copy(c->arena, yl_quantity_text(q, room));
}
