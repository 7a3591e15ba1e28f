/* Allocation for a Service.  See apiserver/services/claims_allocate.h. */

#include "apiserver/services/claims_allocate.h"

#include <string.h>

#include "apiserver/services/claims.h"
#include "builtin/common/checks.h"
#include "builtin/network/service.h"
#include "json/member.h"
#include "json/tree.h"
#include "schema/at.h"
#include "schema/field_error.h"
#include "yuloh/arena.h"
#include "yuloh/status.h"

/* The allocation for one write of a Service. */
struct job {
    struct yl_allocators *all;
    struct yl_arena *arena;
    const struct yl_claimant *who;
    bool dry_run;
    struct yl_node *service, *spec;
    const struct yl_node *before;   /* Or NULL. */
    const struct yl_node *old;      /* Its spec; NULL if there is none. */
    struct yl_error err;            /* Collects what is wrong with it. */
    struct yl_status *status;
    int result;                     /* A code other than YL_EINVALID. */
};

static void keep_allocated(struct job *);
static void choose_families(struct job *);
static void claim_addresses(struct job *);
static void claim_ports(struct job *);
static void claim_health_port(struct job *);

int
yl_service_allocate(struct yl_allocators *all, struct yl_arena *arena,
                    const struct yl_claimant *who, struct yl_node *service,
                    const struct yl_node *old, bool dry_run,
                    struct yl_status *status)
{
    struct job job = {
        .all = all,
        .arena = arena,
        .who = who,
        .dry_run = dry_run,
        .service = service,
        .before = old,
        .spec = yl_member_make(arena, service, "spec"),
        .old = old ? yl_member_object(old, "spec") : NULL,
        .err = YL_ERROR_INIT,
        .status = status,
    };
    void (*const steps[])(struct job *) = {
        keep_allocated, choose_families, claim_addresses, claim_ports,
        claim_health_port,
    };
    struct yl_gvk gvk = { yl_str_null(), YL_STR("v1"), YL_STR("Service") };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(steps) && !job.result && !job.err.n_causes;
         i++) {
        steps[i](&job);
    }
    if (job.err.n_causes) {
        job.result = yl_status_invalid(status, gvk, who->key.name, &job.err);
    }
    yl_error_clear(&job.err);
    return job.result;
}

static bool
is(const struct yl_node *spec, const char *field, const char *text)
{
    return spec
           && yl_node_string_is(yl_node_get(spec, yl_str_c(field)),
                                yl_str_c(text));
}

static bool
needs_address(const struct yl_node *spec)
{
    return spec && !is(spec, "type", "ExternalName");
}

static bool
needs_ports(const struct yl_node *spec)
{
    return is(spec, "type", "NodePort") || is(spec, "type", "LoadBalancer");
}

static bool
needs_health_port(const struct yl_node *spec)
{
    return is(spec, "type", "LoadBalancer")
           && is(spec, "externalTrafficPolicy", "Local");
}

static bool
is_headless(const struct yl_node *spec)
{
    return is(spec, "clusterIP", "None");
}

static int64_t
int_of(const struct yl_node *object, const char *field)
{
    int64_t value = 0;

    return yl_node_int64(yl_node_get(object, yl_str_c(field)), &value) < 0
               ? 0
               : value;
}

static void
copy_field(struct job *job, const char *field)
{
    const struct yl_node *value = yl_node_get(job->old, yl_str_c(field));

    if (value) {
        yl_member_set(job->arena, job->spec, field,
                      yl_node_copy(job->arena, value));
    }
}

static bool
same(const struct job *job, const char *field)
{
    const struct yl_node *a = yl_node_get(job->spec, yl_str_c(field));
    const struct yl_node *b = yl_node_get(job->old, yl_str_c(field));

    return (!a && !b) || (a && b && yl_node_equal(a, b));
}

static void
set_single(struct job *job)
{
    struct yl_node *list = yl_node_new_array(job->arena);

    yl_node_append(list, yl_node_copy(job->arena, yl_node_get(
        job->spec, YL_STR("clusterIP"))));
    yl_member_set(job->arena, job->spec, "clusterIPs", list);
}

/* Keeps addresses that were allocated and that an update leaves out; clusterIP
 * and clusterIPs are made equal, whichever of them was written. */
static void
keep_allocated(struct job *job)
{
    if (job->before) {
        yl_service_keep_allocated(job->arena, job->service, job->before);
    } else if (!yl_member_is_zero(job->spec, "clusterIP")
               && yl_member_is_zero(job->spec, "clusterIPs")) {
        set_single(job);
    }
}

static bool
has_port(const struct yl_node *spec, int64_t node_port)
{
    const struct yl_node *port;

    YL_MEMBER_EACH (port, spec, "ports") {
        if (int_of(port, "nodePort") == node_port) {
            return true;
        }
    }
    return false;
}

static const char *
family_name(int family)
{
    return family == 6 ? "IPv6" : "IPv4";
}

static struct yl_node *
families_of(struct job *job)
{
    struct yl_node *list = yl_member_array(job->spec, "ipFamilies");

    if (!list) {
        list = yl_node_new_array(job->arena);
        yl_member_set(job->arena, job->spec, "ipFamilies", list);
    }
    return list;
}

static void
add_family(struct job *job, int family)
{
    yl_node_append(families_of(job),
                   yl_node_new_string(job->arena,
                                      yl_str_c(family_name(family))));
}

static void
choose_policy(struct job *job)
{
    if (!yl_member_is_absent(job->spec, "ipFamilyPolicy")) {
        return;
    }
    if (job->old && !yl_member_is_absent(job->old, "ipFamilyPolicy")) {
        copy_field(job, "ipFamilyPolicy");
    } else {
        yl_member_set_str(job->arena, job->spec, "ipFamilyPolicy",
                          is_headless(job->spec)
                                  && yl_member_is_zero(job->spec, "selector")
                              ? "RequireDualStack"
                              : "SingleStack");
    }
}

/* Adds the families of the addresses that were asked for. */
static void
add_families_of_addresses(struct job *job)
{
    struct yl_node *item;
    struct yl_field_path spec = yl_field_member(NULL, YL_STR("spec"));
    struct yl_field_path ips = yl_field_member(&spec, YL_STR("clusterIPs"));
    size_t i = 0;

    YL_MEMBER_EACH (item, job->spec, "clusterIPs") {
        struct yl_field_path at = yl_field_index(&ips, i);
        struct yl_str text;
        struct yl_ip ip;

        if (yl_node_string(item, job->arena, &text) < 0
            || yl_str_equal(text, YL_STR("None"))
            || !yl_ip_parse(text, &ip)) {
            return;
        }
        if (i++ < families_of(job)->n) {
            continue;
        }
        if (ip.family != yl_claims_family(job->all)) {
            yl_field_invalid(&job->err, &at,
                             yl_bad_node(yl_node_get(job->spec,
                                                     YL_STR("clusterIPs"))),
                             "%s is not configured on this cluster",
                             family_name(ip.family));
            return;
        }
        add_family(job, ip.family);
    }
}

static void
check_families(struct job *job)
{
    struct yl_field_path spec = yl_field_member(NULL, YL_STR("spec"));
    struct yl_field_path policy = yl_field_member(&spec,
                                                  YL_STR("ipFamilyPolicy"));
    struct yl_field_path families = yl_field_member(&spec,
                                                    YL_STR("ipFamilies"));
    const char *own = family_name(yl_claims_family(job->all));
    struct yl_node *item;
    size_t i = 0;

    if (is(job->spec, "ipFamilyPolicy", "RequireDualStack")) {
        yl_field_invalid(&job->err, &policy,
                         yl_bad_string(YL_STR("RequireDualStack")),
                         "this cluster is not configured for dual-stack "
                         "services");
    }
    YL_MEMBER_EACH (item, job->spec, "ipFamilies") {
        struct yl_field_path at = yl_field_index(&families, i++);
        struct yl_str text;

        if (yl_node_string(item, job->arena, &text) == 0
            && !yl_str_equal_c(text, own)) {
            yl_field_invalid(&job->err, &at, yl_bad_string(text),
                             "not configured on this cluster");
        }
    }
}

/* Does a Service that prefers two families stay as it was?  Then it keeps its
 * families, even if the cluster has others now. */
static bool
prefers_as_before(const struct job *job)
{
    return job->old && is(job->spec, "ipFamilyPolicy", "PreferDualStack")
           && (yl_member_is_absent(job->old, "ipFamilyPolicy")
               || is(job->old, "ipFamilyPolicy", "PreferDualStack"))
           && same(job, "type") && same(job, "clusterIP")
           && same(job, "clusterIPs") && same(job, "ipFamilies");
}

static size_t
count(const struct yl_node *spec, const char *field)
{
    const struct yl_node *list = yl_member_array(spec, field);

    return list ? list->n : 0;
}

static void
refuse_policy(struct job *job, const char *what)
{
    struct yl_field_path spec = yl_field_member(NULL, YL_STR("spec"));
    struct yl_field_path at = yl_field_member(&spec,
                                              YL_STR("ipFamilyPolicy"));

    yl_field_invalid(&job->err, &at,
                     yl_bad_node(yl_node_get(job->spec,
                                             YL_STR("ipFamilyPolicy"))),
                     "%s", what);
}

static void
keep_first(struct job *job, const char *field)
{
    const struct yl_node *list = yl_member_array(job->spec, field);
    struct yl_node *one = yl_node_new_array(job->arena);

    if (list && list->n > 1) {
        yl_node_append(one, yl_node_copy(job->arena, list->first));
        yl_member_set(job->arena, job->spec, field, one);
    }
}

/* Checks that a Service of a single family has one address; the second is
 * released only if the client asks for that. */
static void
check_count(struct job *job)
{
    static const char *const fields[] = { "clusterIPs", "ipFamilies" };
    static const char *const released[] = {
        "must be 'SingleStack' to release the secondary cluster IP",
        "must be 'SingleStack' to release the secondary IP family",
    };
    static const char *const many[] = {
        "must be 'RequireDualStack' or 'PreferDualStack' when multiple "
        "cluster IPs are specified",
        "must be 'RequireDualStack' or 'PreferDualStack' when multiple IP "
        "families are specified",
    };
    bool single = is(job->spec, "ipFamilyPolicy", "SingleStack");
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(fields); i++) {
        if (job->old && single && same(job, fields[i])) {
            keep_first(job, fields[i]);
        } else if (job->old && !single && count(job->old, fields[i]) == 2
                   && count(job->spec, fields[i]) == 1) {
            refuse_policy(job, released[i]);
        }
        if (single && count(job->spec, fields[i]) == 2) {
            refuse_policy(job, many[i]);
        }
    }
}

static void
choose_families(struct job *job)
{
    struct yl_check check = { job->arena, &job->err };
    struct yl_at root = yl_at_root(job->service);
    struct yl_at spec = yl_at(&root, "spec");

    if (!needs_address(job->spec) || prefers_as_before(job)) {
        return;
    }
    choose_policy(job);
    yl_service_check_addresses(&check, &spec);
    if (job->err.n_causes) {
        return;
    }
    check_count(job);
    add_families_of_addresses(job);
    if (job->err.n_causes) {
        return;
    }
    if (is_headless(job->spec) && yl_member_is_zero(job->spec, "selector")) {
        if (!families_of(job)->n) {
            add_family(job, yl_claims_family(job->all));
        }
        if (families_of(job)->n < 2
            && !is(job->spec, "ipFamilyPolicy", "SingleStack")) {
            add_family(job, yl_node_string_is(families_of(job)->first,
                                              YL_STR("IPv4")) ? 6 : 4);
        }
        return;
    }
    check_families(job);
    if (!job->err.n_causes && !families_of(job)->n) {
        add_family(job, yl_claims_family(job->all));
    }
}

static void
refuse_address(struct job *job, struct yl_str text, int why)
{
    struct yl_field_path spec = yl_field_member(NULL, YL_STR("spec"));
    struct yl_field_path ips = yl_field_member(&spec, YL_STR("clusterIPs"));
    struct yl_bad_value value = yl_bad_node(
        yl_node_get(job->spec, YL_STR("clusterIPs")));

    if (why == YL_EEXISTS) {
        yl_field_invalid(&job->err, &ips, value,
                         "failed to allocate IP %.*s: provided IP is already "
                         "allocated", YL_STR_ARG(text));
    } else {
        yl_field_invalid(&job->err, &ips, value,
                         "failed to allocate IP %.*s: the provided network "
                         "does not match the current range",
                         YL_STR_ARG(text));
    }
}

/* Claims the address.  This cluster has one family, so a Service has one
 * address, or none. */
static void
claim_addresses(struct job *job)
{
    struct yl_node *list = yl_member_array(job->spec, "clusterIPs");
    char room[YL_IP_TEXT_SIZE];
    struct yl_str text;
    struct yl_ip ip;
    int r;

    if (!needs_address(job->spec) || is_headless(job->spec)
        || (job->old && needs_address(job->old)
            && !yl_member_is_zero(job->old, "clusterIP"))) {
        return;
    }
    if (list && list->n) {
        if (yl_node_string(list->first, job->arena, &text) < 0
            || !yl_ip_parse(text, &ip)) {
            return;             /* Validation says what is wrong. */
        }
        r = yl_claims_address(job->all, job->who, &ip, job->dry_run);
        if (r < 0 && !(job->dry_run && r == YL_EEXISTS)) {
            refuse_address(job, text, r);
        }
        return;
    }
    r = yl_claims_any_address(job->all, job->who, job->dry_run, room);
    if (r < 0) {
        job->result = yl_status_internal(job->status, yl_str_c(yl_arena_printf(
            job->arena, "failed to allocate a serviceIP for Service \"%.*s\": "
            "range is full", YL_STR_ARG(job->who->key.name))));
        return;
    }
    yl_member_set_str(job->arena, job->spec, "clusterIP", room);
    set_single(job);
}

static const char *
why_no_port(const struct job *job, int why)
{
    uint16_t first, last;

    if (why == YL_EEXISTS) {
        return "provided port is already allocated";
    }
    yl_claims_ports(job->all, &first, &last);
    return yl_arena_printf(job->arena, "provided port is not in the valid "
                           "range. The range of valid ports is %u-%u", first,
                           last);
}

static void
refuse_port(struct job *job, size_t i, int64_t number, int why)
{
    struct yl_field_path spec = yl_field_member(NULL, YL_STR("spec"));
    struct yl_field_path ports = yl_field_member(&spec, YL_STR("ports"));
    struct yl_field_path port = yl_field_index(&ports, i);
    struct yl_field_path at = yl_field_member(&port, YL_STR("nodePort"));

    yl_field_invalid(&job->err, &at, yl_bad_int(number), "%s",
                     why_no_port(job, why));
}

/* The node port that another entry for the same port has or asks for. */
static int64_t
shared_port(const struct yl_node *spec, int64_t number)
{
    const struct yl_node *port;

    YL_MEMBER_EACH (port, spec, "ports") {
        if (int_of(port, "port") == number && int_of(port, "nodePort")) {
            return int_of(port, "nodePort");
        }
    }
    return 0;
}

/* Does an entry before 'self' have this node port, for another port? */
static bool
is_taken(const struct yl_node *spec, const struct yl_node *self,
         int64_t number)
{
    const struct yl_node *port;

    YL_MEMBER_EACH (port, spec, "ports") {
        if (port == self) {
            break;
        }
        if (int_of(port, "nodePort") == number
            && int_of(port, "port") != int_of(self, "port")) {
            return true;
        }
    }
    return false;
}

/* Claims a node port.  A dry run does not check the range, as upstream's does
 * not. */
static int
claim_port(struct job *job, int64_t number)
{
    int r = YL_ERANGE;

    if (number > 0 && number < 65536) {
        r = yl_claims_port(job->all, job->who, (uint16_t) number,
                           job->dry_run);
    }
    return job->dry_run && r == YL_ERANGE ? 0 : r;
}

static void
claim_ports(struct job *job)
{
    const struct yl_node *wanted = yl_node_get(
        job->spec, YL_STR("allocateLoadBalancerNodePorts"));
    bool allocates = true;
    struct yl_node *port;
    size_t i = 0;

    if (!needs_ports(job->spec)) {
        return;
    }
    if (is(job->spec, "type", "LoadBalancer") && wanted) {
        yl_node_bool(wanted, &allocates);
    }
    YL_MEMBER_EACH (port, job->spec, "ports") {
        int64_t number = int_of(port, "nodePort");
        uint16_t found;
        int r;

        if (!number && !allocates) {
            i++;
            continue;
        }
        if (!number && !job->old) {
            number = shared_port(job->spec, int_of(port, "port"));
        }
        if (number) {
            r = !job->old && is_taken(job->spec, port, number)
                ? YL_EEXISTS : claim_port(job, number);
            if (r < 0 && !(job->old && has_port(job->old, number))) {
                refuse_port(job, i, number, r);
                return;
            }
        } else {
            r = yl_claims_any_port(job->all, job->who, job->dry_run, &found);
            if (r < 0) {
                job->result = yl_status_internal(
                    job->status, YL_STR("failed to allocate a nodePort: range "
                                        "is full"));
                return;
            }
            number = found;
        }
        yl_member_set(job->arena, port, "nodePort",
                      yl_node_new_int64(job->arena, number));
        i++;
    }
}

static void
claim_health_port(struct job *job)
{
    int64_t number = int_of(job->spec, "healthCheckNodePort");
    uint16_t found;
    int r;

    if (!needs_health_port(job->spec) || needs_health_port(job->old)) {
        return;
    }
    if (number) {
        r = claim_port(job, number);
        if (r < 0) {
            job->result = yl_status_internal(
                job->status, yl_str_c(yl_arena_printf(
                    job->arena, "failed to allocate requested HealthCheck "
                    "NodePort %lld: %s", (long long) number,
                    why_no_port(job, r))));
        }
        return;
    }
    r = yl_claims_any_port(job->all, job->who, job->dry_run, &found);
    if (r < 0) {
        job->result = yl_status_internal(
            job->status, YL_STR("failed to allocate a HealthCheck NodePort 0: "
                                "range is full"));
        return;
    }
    yl_member_set(job->arena, job->spec, "healthCheckNodePort",
                  yl_node_new_int64(job->arena, found));
}
