/* The parts of a Pod's status that a node reports: claims, users, health. */

#include "builtin/pods/pod_check.h"

#define MAX_MESSAGE 1024        /* Of a resource's health. */

static const char *const lists[][2] = {
    { "containerStatuses", "containers" },
    { "initContainerStatuses", "initContainers" },
    { "ephemeralContainerStatuses", NULL },
};

static struct yl_node *requests_by_name(struct yl_check *,
                                        const struct yl_at *spec);
static void check_user(struct yl_check *, const struct yl_at *container,
                       bool windows);
static void check_id(struct yl_check *, const struct yl_at *id);
static void check_allocated(struct yl_check *, const struct yl_at *statuses,
                            const struct yl_node *containers);
static bool is_asked_for(struct yl_check *, struct yl_str name,
                         const struct yl_node *container);
static void check_health(struct yl_check *, const struct yl_at *resources);

void
yl_pod_status_drop(struct yl_node *status)
{
    struct yl_node *container, *mount;
    size_t i;

    yl_member_drop(status, "nodeAllocatableResourceClaimStatuses");
    for (i = 0; i < YL_ARRAY_SIZE(lists); i++) {
        YL_MEMBER_EACH (container, status, lists[i][0]) {
            YL_MEMBER_EACH (mount, container, "volumeMounts") {
                yl_member_drop(mount, "volumeStatus");
            }
        }
    }
}

void
yl_check_extended_claim(struct yl_check *c, const struct yl_at *status,
                        const struct yl_at *spec)
{
    struct yl_at claim = yl_at(status, "extendedResourceClaimStatus");
    struct yl_at mappings = yl_at(&claim, "requestMappings");
    struct yl_at name = yl_at(&claim, "resourceClaimName");
    struct yl_node *known, *seen = yl_node_new_object(c->arena);

    if (!yl_at_has(&claim)) {
        return;
    }
    known = requests_by_name(c, spec);
    if (!yl_at_count(&mappings)) {
        yl_field_required(c->err, yl_at_path(&mappings),
                          "at least one request mapping is required");
    }
    YL_CHECK_FOR_EACH (c, mapping, &mappings) {
        struct yl_at container = yl_at(&mapping, "containerName");
        struct yl_at resource = yl_at(&mapping, "resourceName");
        struct yl_at request = yl_at(&mapping, "requestName");
        struct yl_at shown = yl_at_node(&claim, "requestName", request.node);
        struct yl_node *requests = yl_node_get(known,
                                               yl_at_str(c, &container));
        struct yl_str s = yl_at_str(c, &container);
        struct yl_str t = yl_at_str(c, &resource);
        struct yl_str u = yl_at_str(c, &request);

        if (!requests) {
            yl_field_invalid(c->err, yl_at_path(&container), yl_bad_string(s),
                             "must match the name of an entry in "
                             "spec.initContainers.name or "
                             "spec.containers.name");
        } else if (!yl_node_get(requests, t)) {
            yl_field_invalid(c->err, yl_at_path(&resource), yl_bad_string(t),
                             "must match the extended resource name of an "
                             "entry in spec.initContainers.resources.requests "
                             "or spec.containers.resources.requests");
        }
        yl_check_name(c, &shown, YL_NAME_DNS1123_LABEL);
        if (!yl_set_add(c->arena, seen,
                        yl_str_c(yl_arena_printf(
                            c->arena, "%zu %zu %.*s %.*s %.*s", s.size, t.size,
                            YL_STR_ARG(s), YL_STR_ARG(t), YL_STR_ARG(u))))) {
            yl_field_duplicate(c->err, yl_at_path(&container),
                               yl_bad_string(s));
            yl_field_duplicate(c->err, yl_at_path(&resource),
                               yl_bad_string(t));
            yl_field_duplicate(c->err, yl_at_path(&request),
                               yl_bad_string(u));
        }
    }
    if (yl_check_required(c, &name)) {
        yl_check_name(c, &name, YL_NAME_DNS1123_SUBDOMAIN);
    }
}

void
yl_check_container_statuses(struct yl_check *c, const struct yl_at *status,
                            const struct yl_at *spec)
{
    struct yl_at os = yl_at(spec, "os");
    bool windows = yl_at_get_is(&os, "name", "windows");
    struct yl_at ephemeral;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(lists); i++) {
        struct yl_at list = yl_at(status, lists[i][0]);

        YL_CHECK_FOR_EACH (c, container, &list) {
            check_user(c, &container, windows);
        }
    }
    for (i = 0; lists[i][1]; i++) {
        struct yl_at list = yl_at(status, lists[i][0]);

        check_allocated(c, &list, yl_member_array(spec->node, lists[i][1]));
    }
    ephemeral = yl_at(status, lists[i][0]);
    YL_CHECK_FOR_EACH (c, container, &ephemeral) {
        struct yl_at health = yl_at(&container, "allocatedResourcesStatus");

        if (yl_at_count(&health)) {
            yl_field_forbidden(c->err, yl_at_path(&health),
                               "must not be specified in container status");
        }
    }
}

/* The requests of the containers that can have resources, by container
 * name. */
static struct yl_node *
requests_by_name(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_node *all = yl_node_new_object(c->arena);
    size_t i;

    for (i = 2; i-- > 0; ) {
        struct yl_at list = yl_at(spec, lists[i][1]);

        YL_CHECK_FOR_EACH (c, container, &list) {
            struct yl_at resources = yl_at(&container, "resources");
            struct yl_at requests = yl_at(&resources, "requests");

            yl_node_set(c->arena, all, yl_at_get_str(c, &container, "name"),
                        yl_at_has(&requests)
                            ? yl_node_copy(c->arena, requests.node)
                            : yl_node_new_object(c->arena));
        }
    }
    return all;
}

static void
check_user(struct yl_check *c, const struct yl_at *container, bool windows)
{
    struct yl_at user = yl_at(container, "user");
    struct yl_at linux_user = yl_at(&user, "linux");
    struct yl_at uid = yl_at(&linux_user, "uid");
    struct yl_at gid = yl_at(&linux_user, "gid");
    struct yl_at groups = yl_at(&linux_user, "supplementalGroups");

    if (!yl_at_has(&linux_user)) {
        return;
    }
    if (windows) {
        yl_field_forbidden(c->err, yl_at_path(&linux_user),
                           "cannot be set for a windows pod");
        return;
    }
    check_id(c, &uid);
    check_id(c, &gid);
    YL_CHECK_FOR_EACH (c, group, &groups) {
        check_id(c, &group);
    }
}

static void
check_id(struct yl_check *c, const struct yl_at *id)
{
    yl_check_range(c, id, 0, INT32_MAX);
}

static void
check_allocated(struct yl_check *c, const struct yl_at *statuses,
                const struct yl_node *containers)
{
    struct yl_node *by_name = yl_node_new_object(c->arena);
    struct yl_at all = yl_at_root(containers);

    YL_CHECK_FOR_EACH (c, container, &all) {
        struct yl_str name = yl_at_get_str(c, &container, "name");
        struct yl_at resources = yl_at(&container, "resources");

        if (!yl_node_get(by_name, name)) {
            yl_node_set(c->arena, by_name, name,
                        yl_at_has(&resources)
                        ? yl_node_copy(c->arena, resources.node)
                        : yl_node_new_object(c->arena));
        }
    }
    YL_CHECK_FOR_EACH (c, status, statuses) {
        struct yl_at allocated = yl_at(&status, "allocatedResourcesStatus");
        const struct yl_node *container =
            yl_node_get(by_name, yl_at_get_str(c, &status, "name"));

        YL_CHECK_FOR_EACH (c, one, &allocated) {
            struct yl_at name = yl_at(&one, "name");
            struct yl_at resources = yl_at(&one, "resources");
            struct yl_str s = yl_at_str(c, &name);

            if (container && !is_asked_for(c, s, container)) {
                yl_field_invalid(
                    c->err, yl_at_path(&name), yl_bad_string(s), "%s",
                    yl_str_starts_with(s, YL_STR("claim:"))
                    ? "must match one of the container's resource claims in "
                      "a format 'claim:<claimName>/<request>' or "
                      "'claim:<claimName>' if request is empty"
                    : "must match one of the container's resource requests");
            }
            check_health(c, &resources);
        }
    }
}

/* Whether 'name' is in the resources: "claim:NAME/REQUEST", or the name of a
 * resource. */
static bool
is_asked_for(struct yl_check *c, struct yl_str name,
             const struct yl_node *resources)
{
    struct yl_at at = yl_at_root(resources);
    struct yl_at claims = yl_at(&at, "claims");
    struct yl_node *requests = yl_member_object(resources, "requests");

    if (!yl_str_starts_with(name, YL_STR("claim:"))) {
        return requests && yl_node_get(requests, name);
    }
    YL_CHECK_FOR_EACH (c, claim, &claims) {
        struct yl_str s = yl_at_get_str(c, &claim, "name");
        struct yl_str request = yl_at_get_str(c, &claim, "request");

        if (yl_str_equal_c(name, yl_arena_printf(
                c->arena, "claim:%.*s%s%.*s", YL_STR_ARG(s),
                request.size ? "/" : "", YL_STR_ARG(request)))) {
            return true;
        }
    }
    return false;
}

static void
check_health(struct yl_check *c, const struct yl_at *resources)
{
    static const char *const states[] = { "Healthy", "Unhealthy", "Unknown",
                                          NULL };
    struct yl_node *seen = yl_node_new_object(c->arena);

    YL_CHECK_FOR_EACH (c, resource, resources) {
        struct yl_at health = yl_at(&resource, "health");
        struct yl_at message = yl_at(&resource, "message");
        struct yl_at id = yl_at(&resource, "resourceID");

        yl_check_one_of(c, &health, states);
        if (yl_at_has(&message)) {
            if (yl_at_is(&message, "")) {
                yl_field_required(c->err, yl_at_path(&message),
                                  "must be non-empty if specified");
            } else if (yl_at_str(c, &message).size > MAX_MESSAGE) {
                yl_field_too_long(c->err, yl_at_path(&message), MAX_MESSAGE);
            }
        }
        if (!yl_set_add(c->arena, seen, yl_at_str(c, &id))) {
            yl_field_duplicate(c->err, yl_at_path(&id), yl_bad_str(c, &id));
        }
    }
}
