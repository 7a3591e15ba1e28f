/* Subresources that are served by a node: logs, commands, ports, proxies.
 * This server opens no connection to nodes; errors that upstream finds before
 * it connects are answered as upstream does. */

#include "apiserver/keyspace/keyspace.h"
#include "apiserver/registry/registry.h"
#include "apiserver/server.h"
#include "apiserver/strategy/builtin.h"
#include "apiserver/verbs/write.h"
#include "apiserver/verbs/read_options.h"
#include "schema/field_error.h"
#include "yuloh/arena.h"
#include "yuloh/json.h"
#include "yuloh/object.h"
#include "yuloh/status.h"
#include "yuloh/time.h"

/* The target of a proxy request: "https:name:port". */
struct target {
    struct yl_str name;
    struct yl_str port;
};

static enum yl_step to_pod(struct yl_api_request *, const char *what);
static enum yl_step to_pod_proxy(struct yl_api_request *);
static enum yl_step to_service(struct yl_api_request *);
static int check_log(struct yl_api_request *, struct yl_status *);
static void check_number(struct yl_api_request *, const char *name,
                         int64_t least, struct yl_error *faults,
                         struct yl_error *err);
static int check_ports(struct yl_api_request *, struct yl_status *);
static int check_container(struct yl_api_request *, const struct yl_object *,
                           struct yl_status *);
static int check_service_port(struct yl_api_request *,
                              const struct yl_object *service,
                              const struct target *, struct yl_status *);
static enum yl_step to_node(struct yl_api_request *, struct yl_str name);
static bool parse_target(struct yl_str text, struct target *ret_target);
static enum yl_step bad_target(struct yl_api_request *, const char *kind);
static int find(struct yl_api_request *, const char *group,
                const char *plural, struct yl_str name,
                struct yl_object **ret_object);
static enum yl_step missing(struct yl_api_request *, struct yl_str name);
static enum yl_step bad_request(struct yl_api_request *, const char *why);
static enum yl_step unconnected(struct yl_api_request *);
static struct yl_str text_of(struct yl_api_request *, struct yl_json,
                             const char *name);

enum yl_step
yl_connect_serve(struct yl_api_request *req)
{
    struct yl_str what = req->info.subresource;
    struct yl_str plural = req->resource->plural;
    struct yl_error err = YL_ERROR_INIT;
    struct target target;

    if (!req->subresource || req->subresource->what != YL_SUB_CONNECT) {
        return YL_STEP_NEXT;
    }
    if (!yl_str_equal(what, YL_STR("log"))
        && yl_params_has(&req->params, YL_STR("dryRun"))) {
        return bad_request(req, "dryRun is not supported");
    }
    if (yl_read_name_check(req->info.name, &err) < 0) {
        return yl_api_respond_error(req, &err);
    }
    if (yl_str_equal(plural, YL_STR("nodes"))) {
        return parse_target(req->info.name, &target)
               ? to_node(req, target.name) : bad_target(req, "node");
    }
    if (yl_str_equal(plural, YL_STR("services"))) {
        return to_service(req);
    }
    return yl_str_equal(what, YL_STR("proxy"))
           ? to_pod_proxy(req)
           : to_pod(req, yl_arena_strdup(req->arena, what));
}

/* log, exec, attach, portforward. */
static enum yl_step
to_pod(struct yl_api_request *req, const char *what)
{
    struct yl_status status = YL_STATUS_INIT;
    struct yl_object *pod;
    struct yl_str node = yl_str_null();
    bool ports = strcmp(what, "portforward") == 0;
    bool log = strcmp(what, "log") == 0;
    int r;

    r = log ? check_log(req, &status) : ports ? check_ports(req, &status) : 0;
    if (r < 0) {
        return yl_api_respond_status(req, &status);
    }
    if (find(req, "", "pods", req->info.name, &pod) < 0) {
        return missing(req, req->info.name);
    }
    r = ports ? 0 : check_container(req, pod, &status);
    if (r == 0) {
        node = text_of(req, yl_object_field(pod, req->arena, "spec"),
                       "nodeName");
    }
    yl_object_unref(pod);
    if (r < 0) {
        return yl_api_respond_status(req, &status);
    }
    if (node.size) {
        return to_node(req, node);
    }
    return log ? yl_api_respond(req, 204, NULL, yl_str_null())
               : bad_request(req, yl_arena_printf(
                                 req->arena, "pod %.*s does not have a host "
                                 "assigned", YL_STR_ARG(req->info.name)));
}

static enum yl_step
to_pod_proxy(struct yl_api_request *req)
{
    struct target target;
    struct yl_object *pod;
    struct yl_str ip;

    if (!parse_target(req->info.name, &target)) {
        return bad_target(req, "pod");
    }
    if (find(req, "", "pods", target.name, &pod) < 0) {
        return missing(req, target.name);
    }
    ip = text_of(req, yl_object_field(pod, req->arena, "status"), "podIP");
    yl_object_unref(pod);
    return ip.size ? unconnected(req) : bad_request(req, "address not "
                                                         "allowed");
}

static enum yl_step
to_service(struct yl_api_request *req)
{
    struct yl_status status = YL_STATUS_INIT;
    struct yl_object *service, *endpoints;
    struct target target;
    int r;

    if (!parse_target(req->info.name, &target)) {
        return bad_target(req, "service");
    }
    if (find(req, "", "services", target.name, &service) < 0) {
        return missing(req, target.name);
    }
    r = check_service_port(req, service, &target, &status);
    yl_object_unref(service);
    if (r < 0) {
        return yl_api_respond_status(req, &status);
    }
    if (find(req, "", "endpoints", target.name, &endpoints) < 0) {
        return missing(req, target.name);
    }
    yl_object_unref(endpoints);
    return unconnected(req);
}

static int
check_log(struct yl_api_request *req, struct yl_status *status)
{
    struct yl_gvk gvk = { yl_str_null(), YL_STR("v1"),
                          YL_STR("PodLogOptions") };
    struct yl_str since = yl_params_get(&req->params, YL_STR("sinceTime"));
    struct yl_error faults = YL_ERROR_INIT, err = YL_ERROR_INIT;
    struct yl_time time;
    int r = 0;

    check_number(req, "tailLines", 0, &faults, &err);
    check_number(req, "limitBytes", 1, &faults, &err);
    if (!err.code && since.size) {
        (void) yl_time_parse(since, &time, &err);
    }
    if (since.size && yl_params_has(&req->params, YL_STR("sinceSeconds"))) {
        struct yl_field_path path = yl_field_member(NULL, YL_STR("[]"));

        yl_field_forbidden(&faults, &path, "at most one of `sinceTime` or "
                                           "`sinceSeconds` may be specified");
    } else {
        check_number(req, "sinceSeconds", 1, &faults, &err);
    }
    if (yl_params_has(&req->params, YL_STR("stream"))) {
        struct yl_field_path path = yl_field_member(NULL, YL_STR("stream"));

        yl_field_forbidden(&faults, &path, "may not be specified");
    }
    if (err.code) {
        r = yl_status_bad_request(status, yl_str_c(yl_error_message(&err)));
    } else if (faults.n_causes) {
        r = yl_status_invalid(status, gvk, req->info.name, &faults);
    }
    yl_error_clear(&faults);
    yl_error_clear(&err);
    return r;
}

/* Checks a number.  If it cannot be read, 'err' is set; if it is too small, a
 * cause is added to 'faults'. */
static void
check_number(struct yl_api_request *req, const char *name, int64_t least,
             struct yl_error *faults, struct yl_error *err)
{
    struct yl_field_path path = yl_field_member(NULL, yl_str_c(name));
    int64_t value = 0;
    bool set = false;

    if (!err->code
        && yl_params_int64(&req->params, yl_str_c(name), &value, &set,
                           err) == 0
        && set && value < least) {
        yl_field_invalid(faults, &path, yl_bad_int(value), "%s",
                         least ? "must be greater than 0"
                               : "must be greater than or equal to 0");
    }
}

static int
check_ports(struct yl_api_request *req, struct yl_status *status)
{
    size_t i;

    for (i = 0; i < req->params.n; i++) {
        const struct yl_param *param = &req->params.all[i];
        unsigned long long value;
        struct yl_error err = YL_ERROR_INIT;
        int r;

        if (!yl_str_equal(param->name, YL_STR("ports"))
            || yl_str_to_u64(param->value, &value) == 0) {
            continue;
        }
        yl_params_bad_number("ParseUint", param->value, &err);
        yl_error_prefix(&err, "cannot convert to []int32");
        r = yl_status_bad_request(status, yl_str_c(yl_error_message(&err)));
        yl_error_clear(&err);
        return r;
    }
    return 0;
}

/* Checks the name of the container, which is not needed for a Pod with one. */
static int
check_container(struct yl_api_request *req, const struct yl_object *pod,
                struct yl_status *status)
{
    static const char *const lists[] = { "initContainers", "containers",
                                         "ephemeralContainers" };
    struct yl_json spec = yl_object_field(pod, req->arena, "spec");
    struct yl_str asked = yl_params_get(&req->params, YL_STR("container"));
    size_t i, n_containers = 0;
    bool found = false;
    struct yl_buf names;
    const char *why = NULL;

    yl_buf_init(&names, SIZE_MAX);
    for (i = 0; i < YL_ARRAY_SIZE(lists); i++) {
        struct yl_json_iter it
            = yl_json_iter(yl_json_get(spec, yl_str_c(lists[i])));

        while (yl_json_next(&it)) {
            struct yl_str name = text_of(req, it.value, "name");

            yl_buf_printf(&names, "%s%.*s", names.size ? " " : "",
                          YL_STR_ARG(name));
            n_containers += i == 1;
            found |= yl_str_equal(name, asked);
        }
    }
    if (asked.size && !found) {
        why = yl_arena_printf(req->arena, "container %.*s is not valid for "
                              "pod %.*s", YL_STR_ARG(asked),
                              YL_STR_ARG(req->info.name));
    } else if (!asked.size && n_containers > 1) {
        why = yl_arena_printf(req->arena, "a container name must be "
                              "specified for pod %.*s, choose one of: [%s]",
                              YL_STR_ARG(req->info.name),
                              yl_buf_c_str(&names));
    }
    yl_buf_release(&names);
    return why ? yl_status_bad_request(status, yl_str_c(why)) : 0;
}

/* A port that is a number must be one of the service's ports. */
static int
check_service_port(struct yl_api_request *req,
                   const struct yl_object *service,
                   const struct target *target, struct yl_status *status)
{
    struct yl_json_iter it = yl_json_iter(
        yl_json_get(yl_object_field(service, req->arena, "spec"),
                    YL_STR("ports")));
    unsigned long long port;

    if (!target->port.size || yl_str_to_u64(target->port, &port) < 0) {
        return 0;
    }
    while (yl_json_next(&it)) {
        int64_t have;

        if (yl_json_int64(yl_json_get(it.value, YL_STR("port")), &have) == 0
            && have == (int64_t) port) {
            return 0;
        }
    }
    return yl_status_unavailable(
        status, yl_str_c(yl_arena_printf(
                    req->arena, "no service port %llu found for service "
                    "\"%.*s\"", port, YL_STR_ARG(target->name))));
}

/* Answers for a node.  If it does not exist, the error names the resource
 * "pods" where the path did, as upstream's. */
static enum yl_step
to_node(struct yl_api_request *req, struct yl_str name)
{
    struct yl_status status = YL_STATUS_INIT;
    struct yl_object *node;
    struct yl_json_iter it;
    bool known;

    if (find(req, "", "nodes", name, &node) < 0) {
        return missing(req, name);
    }
    it = yl_json_iter(yl_json_get(yl_object_field(node, req->arena, "status"),
                                  YL_STR("addresses")));
    known = yl_json_next(&it);
    yl_object_unref(node);
    if (known) {
        return unconnected(req);
    }
    yl_write_odd_error(&status, "no preferred addresses found; known "
                                  "addresses: []");
    return yl_api_respond_status(req, &status);
}

static bool
parse_target(struct yl_str text, struct target *ret_target)
{
    struct yl_str parts[3] = { text };
    size_t n = 1;

    while (n < YL_ARRAY_SIZE(parts)
           && yl_str_cut(parts[n - 1], ':', &parts[n - 1], &parts[n])) {
        n++;
    }
    if (n == 3 && memchr(parts[2].data, ':', parts[2].size)) {
        return false;
    }
    if (n == 3 && parts[0].size && !yl_str_equal_c(parts[0], "http")
        && !yl_str_equal_c(parts[0], "https")) {
        return false;
    }
    ret_target->name = parts[n == 3];
    ret_target->port = n == 1 ? yl_str_null() : parts[n - 1];
    return ret_target->name.size > 0;
}

static enum yl_step
bad_target(struct yl_api_request *req, const char *kind)
{
    return bad_request(req, yl_arena_printf(req->arena,
                                            "invalid %s request \"%.*s\"",
                                            kind,
                                            YL_STR_ARG(req->info.name)));
}

static int
find(struct yl_api_request *req, const char *group, const char *plural,
     struct yl_str name, struct yl_object **ret_object)
{
    const struct yl_api_resource *resource
        = yl_registry_builtin(req->server->registry, group, plural);
    struct yl_str space = resource->namespaced ? req->info.namespace_
                                               : yl_str_null();
    uint64_t revision;

    return yl_ks_get(resource->objects, yl_key_make(space, name), ret_object,
                     &revision);
}

static enum yl_step
missing(struct yl_api_request *req, struct yl_str name)
{
    struct yl_status status = YL_STATUS_INIT;

    yl_status_not_found(&status, yl_api_gvr(req), name);
    return yl_api_respond_status(req, &status);
}

static enum yl_step
bad_request(struct yl_api_request *req, const char *why)
{
    struct yl_status status = YL_STATUS_INIT;

    yl_status_bad_request(&status, yl_str_c(why));
    return yl_api_respond_status(req, &status);
}

static enum yl_step
unconnected(struct yl_api_request *req)
{
    struct yl_error err = YL_ERROR_INIT;

    yl_error_set(&err, YL_ENOSYS, "this server has no nodes to connect to");
    return yl_api_respond_error(req, &err);
}

static struct yl_str
text_of(struct yl_api_request *req, struct yl_json object, const char *name)
{
    struct yl_str text = YL_STR_INIT("");

    (void) yl_json_string(yl_json_get(object, yl_str_c(name)), req->arena,
                          &text);
    return yl_arena_copy(req->arena, text);
}
