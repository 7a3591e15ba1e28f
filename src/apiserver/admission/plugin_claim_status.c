/* The status of a ResourceClaim needs more rights than to write it: a user
 * that allocates must be allowed to bind claims, and one that reports on
 * devices needs a right to resourceclaims/driver for each of their drivers.
 * Upstream checks this in validation, which can ask the authorizer there. */

#include "apiserver/admission/plugin.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/auth/user.h"
#include "apiserver/request.h"
#include "apiserver/server.h"
#include "builtin/common/meta.h"
#include "schema/field_error.h"
#include "yuloh/arena.h"
#include "yuloh/status.h"

#define GROUP "resource.k8s.io"
#define NODE_NAME "authentication.kubernetes.io/node-name"
#define ADMIN_LABEL "resource.kubernetes.io/admin-access"

/* The statuses of a claim that is written. */
struct job {
    const struct yl_admission *a;
    struct yl_check c;          /* Its 'err' collects the refusals. */
    struct yl_at now, then;
};

static void check_admin_access(struct job *);
static bool asks_for_admin(const struct yl_at *status, size_t *ret_index);
static void check_binding(struct job *);
static void check_drivers(struct job *);
static struct yl_node *changed_drivers(struct job *);
static struct yl_node *devices_by_key(struct job *, const struct yl_at *);
static void check_driver(struct job *, struct yl_str driver, bool near);
static bool may(struct job *, struct yl_attributes *, const char **ret_why);
static bool is_on_node(const struct job *);
static struct yl_str node_of(const struct job *);

int
yl_plugin_claim_status(const struct yl_admission *a, struct yl_status *status)
{
    struct yl_at root = yl_at_root(a->object), before = yl_at_root(a->old);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_error err = YL_ERROR_INIT;
    struct job job = { .a = a, .c = { a->arena, &err } };
    struct yl_gvk gvk = { a->resource->group, yl_str_null(),
                          a->resource->kind };
    int r = 0;

    if (a->subresource != YL_SUB_STATUS || !a->request
        || !yl_str_equal_c(a->resource->group, GROUP)
        || !yl_str_equal_c(a->resource->plural, "resourceclaims")) {
        return 0;
    }
    job.now = yl_at(&root, "status");
    job.then = yl_at(&before, "status");
    check_admin_access(&job);
    check_binding(&job);
    if (yl_member_object(job.now.node, "allocation")) {
        check_drivers(&job);
    }
    if (err.n_causes) {
        r = yl_status_invalid(status, gvk,
                              yl_at_get_str(&job.c, &metadata, "name"), &err);
    }
    yl_error_clear(&err);
    return r;
}

static void
check_admin_access(struct job *job)
{
    struct yl_at allocation = yl_at(&job->now, "allocation");
    struct yl_at devices = yl_at(&allocation, "devices");
    struct yl_at results = yl_at(&devices, "results");
    struct yl_at space, metadata, labels;
    size_t index;

    if (asks_for_admin(&job->then, &index)
        || !asks_for_admin(&job->now, &index)) {
        return;
    }
    space = yl_at_root(yl_plugin_read(job->a, "", "namespaces", YL_STR(""),
                                      job->a->namespace_));
    metadata = yl_at(&space, "metadata");
    labels = yl_at(&metadata, "labels");
    if (!yl_at_get_is(&labels, ADMIN_LABEL, "true")) {
        struct yl_field_path item = yl_field_index(yl_at_path(&results),
                                                   index);
        struct yl_field_path path = yl_field_member(&item,
                                                    YL_STR("adminAccess"));

        yl_field_forbidden(job->c.err, &path,
                           "admin access to devices requires the `"
                           ADMIN_LABEL ": true` label on the containing "
                           "namespace");
    }
}

static bool
asks_for_admin(const struct yl_at *status, size_t *ret_index)
{
    struct yl_at allocation = yl_at(status, "allocation");
    struct yl_at devices = yl_at(&allocation, "devices");
    struct yl_at results = yl_at(&devices, "results");

    *ret_index = 0;
    YL_AT_FOR_EACH (result, &results) {
        if (yl_at_get_bool(&result, "adminAccess")) {
            return true;
        }
        ++*ret_index;
    }
    return false;
}

static bool
is_same(const struct job *job, const char *field)
{
    return yl_node_same(yl_node_get(job->now.node, yl_str_c(field)),
                        yl_node_get(job->then.node, yl_str_c(field)));
}

static void
check_binding(struct job *job)
{
    struct yl_at at = yl_at(&job->now, "allocation");
    struct yl_attributes wanted = {
        .verb = job->a->request->info.verb,
        .subresource = YL_STR("binding"),
    };
    const char *why;

    if (!(is_same(job, "allocation") && is_same(job, "reservedFor"))
        && !may(job, &wanted, &why)) {
        yl_field_forbidden(job->c.err, yl_at_path(&at),
                           "changing status.allocation or status.reservedFor "
                           "requires resource=\"resourceclaims/binding\", "
                           "verb=\"%.*s\" permission: %s",
                           YL_STR_ARG(wanted.verb), why);
    }
}

static void
check_drivers(struct job *job)
{
    struct yl_node *drivers = changed_drivers(job), *driver;
    const struct yl_node **sorted = yl_arena_array(
        job->c.arena, drivers->n + 1, sizeof *sorted);
    bool near = is_on_node(job);
    size_t n = 0, i;

    YL_NODE_FOR_EACH (driver, drivers) {
        sorted[n++] = driver;
    }
    yl_node_sort_members(sorted, n);
    for (i = 0; i < n; i++) {
        check_driver(job, yl_node_key(sorted[i]), near);
    }
}

/* The set of drivers whose devices were added, removed or changed. */
static struct yl_node *
changed_drivers(struct job *job)
{
    struct yl_node *now = devices_by_key(job, &job->now);
    struct yl_node *then = devices_by_key(job, &job->then);
    struct yl_node *sides[] = { now, then }, *drivers, *device;
    size_t i;

    drivers = yl_node_new_object(job->c.arena);
    for (i = 0; i < YL_ARRAY_SIZE(sides); i++) {
        YL_NODE_FOR_EACH (device, sides[i]) {
            const struct yl_node *other = yl_node_get(sides[1 - i],
                                                      yl_node_key(device));
            struct yl_at at = yl_at_root(device);

            if (!other || !yl_node_equal(device, other)) {
                yl_set_add(job->c.arena, drivers,
                           yl_at_get_str(&job->c, &at, "driver"));
            }
        }
    }
    return drivers;
}

static struct yl_node *
devices_by_key(struct job *job, const struct yl_at *status)
{
    struct yl_node *map = yl_node_new_object(job->c.arena);
    struct yl_at devices = yl_at(status, "devices");

    YL_AT_FOR_EACH (device, &devices) {
        struct yl_str driver = yl_at_get_str(&job->c, &device, "driver");
        struct yl_str pool = yl_at_get_str(&job->c, &device, "pool");
        struct yl_str name = yl_at_get_str(&job->c, &device, "device");
        struct yl_str share = yl_at_get_str(&job->c, &device, "shareID");

        yl_node_set(job->c.arena, map, yl_str_c(yl_arena_printf(
                        job->c.arena, "%.*s\n%.*s\n%.*s\n%.*s",
                        YL_STR_ARG(driver), YL_STR_ARG(pool),
                        YL_STR_ARG(name), YL_STR_ARG(share))),
                    yl_node_copy(job->c.arena, device.node));
    }
    return map;
}

/* Checks the right for one driver.  It may be granted for the claim's node
 * only, to users on that node. */
static void
check_driver(struct job *job, struct yl_str driver, bool near)
{
    static const char *const prefixes[] = { "associated-node:",
                                            "arbitrary-node:" };
    struct yl_str verb = job->a->request->info.verb;
    struct yl_at at = yl_at(&job->now, "devices");
    const char *first = NULL, *why;
    size_t i;

    for (i = near ? 0 : 1; i < YL_ARRAY_SIZE(prefixes); i++) {
        struct yl_attributes wanted = {
            .verb = yl_str_c(yl_arena_printf(job->c.arena, "%s%.*s",
                                             prefixes[i], YL_STR_ARG(verb))),
            .subresource = YL_STR("driver"),
            .namespace_ = job->a->namespace_,
            .name = driver,
        };

        if (may(job, &wanted, &why)) {
            return;
        }
        first = first ? first : why;
    }
    yl_field_forbidden(job->c.err, yl_at_path(&at),
                       "changing status.devices requires "
                       "resource=\"resourceclaims/driver\", "
                       "verb=\"[%s%.*s%sarbitrary-node:%.*s]\" permission: %s",
                       near ? prefixes[0] : "", near ? (int) verb.size : 0,
                       verb.data, near ? " " : "", YL_STR_ARG(verb), first);
}

static bool
may(struct job *job, struct yl_attributes *wanted, const char **ret_why)
{
    const struct yl_api_request *req = job->a->request;
    struct yl_status status = YL_STATUS_INIT;
    struct yl_str reason = YL_STR("");

    wanted->user = job->a->user;
    wanted->is_resource = true;
    wanted->group = YL_STR(GROUP);
    wanted->version = req->info.version;
    wanted->resource = YL_STR("resourceclaims");
    if (!wanted->user || yl_authorize(job->a->server->authorizer, wanted,
                                      job->c.arena, &reason)) {
        return true;
    }
    yl_attributes_refuse(wanted, job->c.arena, reason, &status);
    *ret_why = yl_arena_strdup(job->c.arena,
                               yl_str_c(yl_error_message(&status.error)));
    yl_status_clear(&status);
    return false;
}

/* Is the user a service account of a Pod on the node of the allocation? */
static bool
is_on_node(const struct job *job)
{
    const struct yl_user *user = job->a->user;
    struct yl_str node = node_of(job);
    size_t i;

    if (!node.size || !user || !yl_str_starts_with(
            user->name, YL_STR("system:serviceaccount:"))) {
        return false;
    }
    for (i = 0; i < user->n_extra; i++) {
        if (yl_str_equal_c(user->extra[i].key, NODE_NAME)) {
            return user->extra[i].n_values == 1
                   && yl_str_equal(user->extra[i].values[0], node);
        }
    }
    return false;
}

/* The one node that an allocation is for; empty if it is for several. */
static struct yl_str
node_of(const struct job *job)
{
    struct yl_check c = job->c;
    struct yl_at allocation = yl_at(&job->now, "allocation");
    struct yl_at selector = yl_at(&allocation, "nodeSelector");
    struct yl_at terms = yl_at(&selector, "nodeSelectorTerms");
    struct yl_at term =
        yl_at_root(yl_member_first(selector.node, "nodeSelectorTerms"));
    struct yl_at fields = yl_at(&term, "matchFields");
    struct yl_at field = yl_at_root(yl_member_first(term.node, "matchFields"));
    struct yl_at values = yl_at(&field, "values");
    struct yl_at value;

    if (yl_at_count(&terms) != 1
        || !yl_member_is_zero(term.node, "matchExpressions")
        || yl_at_count(&fields) != 1
        || !yl_at_get_is(&field, "key", "metadata.name")
        || !yl_at_get_is(&field, "operator", "In")
        || yl_at_count(&values) != 1) {
        return YL_STR("");
    }
    value = yl_at_root(yl_member_first(field.node, "values"));
    return yl_at_str(&c, &value);
}
