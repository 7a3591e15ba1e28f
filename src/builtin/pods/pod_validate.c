/* Validation of Pods and of templates of Pods. */

#include <inttypes.h>

#include "builtin/pods/pod.h"
#include "builtin/pods/pod_check.h"
#include "builtin/rows.h"

#define MAX_HOSTNAME 64
#define MAX_NAMESERVERS 3
#define MAX_SEARCHES 32
#define MAX_SEARCH_LIST 2048    /* Characters, with spaces between. */

static void check_spec(struct yl_check *, const struct yl_at *spec,
                       const struct yl_at *metadata);
static void check_names(struct yl_pod_check *);
static void check_claims(struct yl_pod_check *, const struct yl_at *claims);
static void check_host_network(struct yl_pod_check *);
static void check_dns(struct yl_check *, const struct yl_at *spec);
static void check_gates(struct yl_check *, const struct yl_at *spec);
static void check_host_users(struct yl_pod_check *);
static void check_hostname(struct yl_check *, const struct yl_at *spec);
static void check_aliases(struct yl_check *, const struct yl_at *aliases);
static void check_file_refs(struct yl_pod_check *);
static void check_tokens(struct yl_check *, const struct yl_at *spec);

void
yl_pod_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at annotations = yl_at(&metadata, "annotations");
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at ephemeral = yl_at(&spec, "ephemeralContainers");
    struct yl_at node = yl_at(&spec, "nodeName");
    struct yl_at gates = yl_at(&spec, "schedulingGates");

    yl_check_pod(c, object);
    if (yl_at_count(&ephemeral)) {
        yl_field_forbidden(c->err, yl_at_path(&ephemeral),
                           "cannot be set on create");
    }
    if (!yl_at_is(&node, "") && yl_at_count(&gates)) {
        yl_field_forbidden(c->err, yl_at_path(&node),
                           "cannot be set until all schedulingGates have "
                           "been cleared");
    }
    yl_check_profiles_match(c, &annotations, &spec);
}

void
yl_check_pod(struct yl_check *c, const struct yl_node *object)
{
    static const struct yl_meta_rule rule =
        { YL_NAME_DNS1123_SUBDOMAIN, true, false };
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at annotations = yl_at(&metadata, "annotations");
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at containers = yl_at(&spec, "containers");
    struct yl_at inits = yl_at(&spec, "initContainers");

    yl_check_meta(c, &metadata, &rule);
    yl_check_pod_annotations(c, &annotations, &spec);
    check_spec(c, &spec, &metadata);
    check_tokens(c, &spec);
    yl_check_container_images(c, &containers);
    yl_check_container_images(c, &inits);
}

void
yl_check_pod_template(struct yl_check *c, const struct yl_at *template)
{
    struct yl_at metadata = yl_at(template, "metadata");
    struct yl_at labels_node = yl_at(&metadata, "labels");
    struct yl_at annotations_node = yl_at(&metadata, "annotations");
    struct yl_at labels = yl_at_node(template, "labels", labels_node.node);
    struct yl_at annotations =
        yl_at_node(template, "annotations", annotations_node.node);
    struct yl_at spec = yl_at(template, "spec");
    struct yl_at ephemeral = yl_at(&spec, "ephemeralContainers");

    yl_check_labels(c, &labels);
    yl_check_annotations(c, &annotations);
    yl_check_pod_annotations(c, &annotations, &spec);
    check_spec(c, &spec, NULL);
    yl_check_profiles_match(c, &annotations, &spec);
    if (yl_at_count(&ephemeral)) {
        yl_field_forbidden(c->err, yl_at_path(&ephemeral),
                           "ephemeral containers not allowed in pod "
                           "template");
    }
}

static void
check_spec(struct yl_check *c, const struct yl_at *spec,
           const struct yl_at *metadata)
{
    static const char *const restarts[] = { "Always", "OnFailure", "Never",
                                            NULL };
    static const char *const dns[] = { "ClusterFirstWithHostNet",
                                       "ClusterFirst", "Default", "None",
                                       NULL };
    struct yl_pod_check p = {
        c, spec, metadata, yl_node_new_object(c->arena),
        yl_node_new_object(c->arena), true
    };
    struct yl_at grace = yl_at(spec, "terminationGracePeriodSeconds");
    struct yl_at users = yl_at(spec, "hostUsers");
    struct yl_at volumes = yl_at(spec, "volumes");
    struct yl_at claims = yl_at(spec, "resourceClaims");
    struct yl_at restart = yl_at(spec, "restartPolicy");
    struct yl_at dns_policy = yl_at(spec, "dnsPolicy");
    struct yl_at selector = yl_at(spec, "nodeSelector");
    struct yl_at affinity = yl_at(spec, "affinity");
    struct yl_at spread = yl_at(spec, "topologySpreadConstraints");

    yl_check_required(c, &grace);
    p.host_users = !yl_at_has(&users) || yl_at_bool(&users);
    yl_check_volumes(&p, &volumes);
    check_claims(&p, &claims);
    yl_check_containers(&p);
    yl_check_pod_resources(&p);
    check_host_network(&p);
    if (yl_check_required(c, &restart)) {
        yl_check_one_of(c, &restart, restarts);
    }
    if (yl_check_required(c, &dns_policy)) {
        yl_check_one_of(c, &dns_policy, dns);
    }
    yl_check_labels(c, &selector);
    yl_check_pod_security(&p);
    yl_check_affinity(c, &affinity);
    check_dns(c, spec);
    check_gates(c, spec);
    yl_check_topology_spread(c, &spread);
    yl_check_host_process(&p);
    check_host_users(&p);
    check_hostname(c, spec);
    check_names(&p);
    yl_check_os(&p);
    check_file_refs(&p);
}

/* Checks the remaining simple fields, in upstream's order. */
static void
check_names(struct yl_pod_check *p)
{
    static const char *const preemption[] = { "PreemptLowerPriority",
                                              "Never", NULL };
    struct yl_check *c = p->c;
    struct yl_at account = yl_at(p->spec, "serviceAccountName");
    struct yl_at node = yl_at(p->spec, "nodeName");
    struct yl_at deadline = yl_at(p->spec, "activeDeadlineSeconds");
    struct yl_at hostname = yl_at(p->spec, "hostname");
    struct yl_at subdomain = yl_at(p->spec, "subdomain");
    struct yl_at tolerations = yl_at(p->spec, "tolerations");
    struct yl_at aliases = yl_at(p->spec, "hostAliases");
    struct yl_at priority = yl_at(p->spec, "priorityClassName");
    struct yl_at runtime = yl_at(p->spec, "runtimeClassName");
    struct yl_at policy = yl_at(p->spec, "preemptionPolicy");
    struct yl_at overhead = yl_at(p->spec, "overhead");

    if (!yl_at_is(&account, "")) {
        yl_check_name(c, &account, YL_NAME_DNS1123_SUBDOMAIN);
    }
    if (!yl_at_is(&node, "")) {
        yl_check_name(c, &node, YL_NAME_DNS1123_SUBDOMAIN);
    }
    if (yl_at_has(&deadline)) {
        yl_check_range(c, &deadline, 1, INT32_MAX);
    }
    if (!yl_at_is(&hostname, "")) {
        yl_check_name(c, &hostname, YL_NAME_DNS1123_LABEL);
    }
    if (!yl_at_is(&subdomain, "")) {
        yl_check_name(c, &subdomain, YL_NAME_DNS1123_LABEL);
    }
    yl_check_tolerations(c, &tolerations);
    check_aliases(c, &aliases);
    if (!yl_at_is(&priority, "")) {
        yl_check_name(c, &priority, YL_NAME_DNS1123_SUBDOMAIN);
    }
    if (yl_at_has(&runtime)) {
        yl_check_name(c, &runtime, YL_NAME_DNS1123_SUBDOMAIN);
    }
    if (yl_at_has(&policy) && yl_check_required(c, &policy)) {
        yl_check_one_of(c, &policy, preemption);
    }
    if (yl_at_has(&overhead)) {
        struct yl_node *resources = yl_node_new_object(c->arena);
        struct yl_at shown = overhead;

        yl_member_set(c->arena, resources, "limits",
                      yl_node_copy(c->arena, overhead.node));
        shown.node = resources;
        yl_check_resources(c, &shown, NULL, false);
    }
}

static void
check_claims(struct yl_pod_check *p, const struct yl_at *claims)
{
    struct yl_check *c = p->c;

    YL_CHECK_FOR_EACH (c, claim, claims) {
        struct yl_at name = yl_at(&claim, "name");
        struct yl_at own = yl_at(&claim, "resourceClaimName");
        struct yl_at template = yl_at(&claim, "resourceClaimTemplateName");
        struct yl_str s = yl_at_str(c, &name);

        if (yl_check_required(c, &name)) {
            if (!yl_set_add(c->arena, p->claims, s)) {
                yl_field_duplicate(c->err, yl_at_path(&name),
                                   yl_bad_string(s));
            } else {
                yl_check_name(c, &name, YL_NAME_DNS1123_LABEL);
            }
        }
        if (yl_at_has(&own) && yl_at_has(&template)) {
            yl_field_invalid(c->err, yl_at_path(&claim),
                             yl_bad_claim(c, &claim),
                             "at most one of `resourceClaimName` or "
                             "`resourceClaimTemplateName` may be specified");
        } else if (!yl_at_has(&own) && !yl_at_has(&template)) {
            yl_field_invalid(c->err, yl_at_path(&claim),
                             yl_bad_claim(c, &claim),
                             "must specify one of: `resourceClaimName`, "
                             "`resourceClaimTemplateName`");
        }
        if (yl_at_has(&own)) {
            yl_check_name(c, &own, YL_NAME_DNS1123_SUBDOMAIN);
        }
        if (yl_at_has(&template)) {
            yl_check_name(c, &template, YL_NAME_DNS1123_SUBDOMAIN);
        }
    }
}

static void
check_host_network(struct yl_pod_check *p)
{
    struct yl_at containers = yl_at(p->spec, "containers");

    if (!yl_at_get_bool(p->spec, "hostNetwork")) {
        return;
    }
    YL_CHECK_FOR_EACH (p->c, container, &containers) {
        struct yl_at ports = yl_at(&container, "ports");

        YL_CHECK_FOR_EACH (p->c, port, &ports) {
            struct yl_at host = yl_at(&port, "hostPort");
            int64_t number = yl_at_int(&host);

            if ((p->metadata || number)
                && number != yl_at_get_int(&port, "containerPort")) {
                yl_field_invalid(p->c->err, yl_at_path(&host),
                                 yl_bad_int(number),
                                 "must match `containerPort` when "
                                 "`hostNetwork` is true");
            }
        }
    }
}

static void
check_dns(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at config = yl_at(spec, "dnsConfig");
    struct yl_at servers = yl_at(&config, "nameservers");
    struct yl_at searches = yl_at(&config, "searches");
    struct yl_at options = yl_at(&config, "options");
    size_t size = 0;

    if (yl_at_get_is(spec, "dnsPolicy", "None") && !yl_at_count(&servers)) {
        if (!yl_at_has(&config)) {
            yl_field_required(c->err, yl_at_path(&config),
                              "must provide `dnsConfig` when `dnsPolicy` is "
                              "None");
        } else {
            yl_field_required(c->err, yl_at_path(&servers),
                              "must provide at least one DNS nameserver when "
                              "`dnsPolicy` is None");
        }
        return;
    }
    if (yl_at_count(&servers) > MAX_NAMESERVERS) {
        yl_field_invalid(c->err, yl_at_path(&servers), yl_bad_at(&servers),
                         "must not have more than %d nameservers",
                         MAX_NAMESERVERS);
    }
    YL_CHECK_FOR_EACH (c, server, &servers) {
        yl_check_ip(c, &server);
    }
    YL_CHECK_FOR_EACH (c, search, &searches) {
        size += yl_at_str(c, &search).size + 1;
    }
    if (yl_at_count(&searches) > MAX_SEARCHES) {
        yl_field_invalid(c->err, yl_at_path(&searches),
                         yl_bad_at(&searches),
                         "must not have more than %d search paths",
                         MAX_SEARCHES);
    }
    if (size > MAX_SEARCH_LIST + 1) {
        yl_field_invalid(c->err, yl_at_path(&searches),
                         yl_bad_at(&searches),
                         "must not have more than %d characters (including "
                         "spaces) in the search list", MAX_SEARCH_LIST);
    }
    YL_CHECK_FOR_EACH (c, search, &searches) {
        struct yl_str s = yl_at_str(c, &search);
        struct yl_at shown = search;

        if (yl_str_equal_c(s, ".")) {
            continue;
        }
        if (yl_str_ends_with(s, YL_STR("."))) {
            s.size--;
        }
        shown.node = yl_node_new_string(c->arena, s);
        yl_check_subdomain_underscore(c, &shown);
    }
    YL_CHECK_FOR_EACH (c, option, &options) {
        if (yl_at_get_is(&option, "name", "")) {
            yl_field_required(c->err, yl_at_path(&option),
                              "must not be empty");
        }
    }
}

static void
check_gates(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at readiness = yl_at(spec, "readinessGates");
    struct yl_at scheduling = yl_at(spec, "schedulingGates");
    struct yl_node *seen = yl_node_new_object(c->arena);

    YL_CHECK_FOR_EACH (c, gate, &readiness) {
        struct yl_at type = yl_at(&gate, "conditionType");

        yl_check_name(c, &type, YL_NAME_QUALIFIED);
    }
    YL_CHECK_FOR_EACH (c, gate, &scheduling) {
        struct yl_str name = yl_at_get_str(c, &gate, "name");

        yl_check_name_of(c, yl_at_path(&gate), YL_NAME_QUALIFIED, name);
        if (!yl_set_add(c->arena, seen, name)) {
            yl_field_duplicate(c->err, yl_at_path(&gate),
                               yl_bad_string(name));
        }
    }
}

static void
check_host_users(struct yl_pod_check *p)
{
    static const char *const fields[] = { "hostNetwork", "hostPID",
                                          "hostIPC" };
    static const char *const shown[] = { "hostNetwork", "HostPID",
                                         "HostIPC" };
    struct yl_at list;
    size_t i;

    if (p->host_users) {
        return;
    }
    for (i = 0; i < 3; i++) {
        struct yl_at at = yl_at_node(p->spec, shown[i], NULL);

        if (yl_at_get_bool(p->spec, fields[i])) {
            yl_field_forbidden(p->c->err, yl_at_path(&at),
                               "when `hostUsers` is false");
        }
    }
    for (i = 0; yl_pod_container_list(p->spec, i, &list); i++) {
        YL_CHECK_FOR_EACH (p->c, container, &list) {
            struct yl_at devices = yl_at(&container, "volumeDevices");

            if (yl_at_count(&devices)) {
                yl_field_forbidden(p->c->err, yl_at_path(&devices),
                                   "when `hostUsers` is false");
            }
        }
    }
}

static void
check_hostname(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at name = yl_at(spec, "hostnameOverride");

    if (!yl_at_has(&name)) {
        return;
    }
    if (yl_at_get_bool(spec, "setHostnameAsFQDN")) {
        yl_field_forbidden(c->err, yl_at_path(&name),
                           "may not be specified when setHostnameAsFQDN is "
                           "true");
    }
    if (yl_at_get_bool(spec, "hostNetwork")) {
        yl_field_forbidden(c->err, yl_at_path(&name),
                           "may not be specified when hostNetwork is true");
    }
    if (yl_at_str(c, &name).size > MAX_HOSTNAME) {
        yl_field_too_long(c->err, yl_at_path(&name), MAX_HOSTNAME);
    }
    yl_check_name(c, &name, YL_NAME_DNS1123_SUBDOMAIN);
}

static void
check_aliases(struct yl_check *c, const struct yl_at *aliases)
{
    YL_CHECK_FOR_EACH (c, alias, aliases) {
        struct yl_at ip = yl_at(&alias, "ip");
        struct yl_at names = yl_at(&alias, "hostnames");

        yl_check_ip(c, &ip);
        YL_CHECK_FOR_EACH (c, name, &names) {
            yl_check_name(c, &name, YL_NAME_DNS1123_SUBDOMAIN);
        }
    }
}

/* A variable that is read from a file needs an emptyDir volume. */
static void
check_file_refs(struct yl_pod_check *p)
{
    struct yl_at volumes = yl_at(p->spec, "volumes");
    struct yl_node *empty_dirs = yl_node_new_object(p->c->arena);
    struct yl_node *all = yl_node_new_object(p->c->arena);
    struct yl_at list;
    size_t i;

    YL_CHECK_FOR_EACH (p->c, volume, &volumes) {
        struct yl_str name = yl_at_get_str(p->c, &volume, "name");

        yl_set_add(p->c->arena, all, name);
        if (yl_at_get_has(&volume, "emptyDir")) {
            yl_set_add(p->c->arena, empty_dirs, name);
        }
    }
    for (i = 0; yl_pod_container_list(p->spec, i, &list); i++) {
        YL_CHECK_FOR_EACH (p->c, container, &list) {
            struct yl_at env = yl_at(&container, "env");

            YL_CHECK_FOR_EACH (p->c, var, &env) {
                struct yl_at from = yl_at(&var, "valueFrom");
                struct yl_at ref = yl_at(&from, "fileKeyRef");
                struct yl_at name = yl_at(&ref, "volumeName");
                struct yl_str s = yl_at_str(p->c, &name);

                if (!yl_at_has(&ref)) {
                    continue;
                }
                if (!yl_node_get(all, s)) {
                    yl_field_not_found(p->c->err, yl_at_path(&name),
                                       yl_bad_string(s));
                } else if (!yl_node_get(empty_dirs, s)) {
                    yl_field_invalid(p->c->err, yl_at_path(&name),
                                     yl_bad_string(s),
                                     "referenced volume must be of type "
                                     "emptyDir");
                }
            }
        }
    }
}

/* A projected token needs a service account. */
static void
check_tokens(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at volumes = yl_at(spec, "volumes");

    if (!yl_at_get_is(spec, "serviceAccountName", "")
        || !yl_at_get_is(spec, "serviceAccount", "")) {
        return;
    }
    YL_CHECK_FOR_EACH (c, volume, &volumes) {
        struct yl_at projected = yl_at(&volume, "projected");
        struct yl_at sources = yl_at(&projected, "sources");

        YL_CHECK_FOR_EACH (c, source, &sources) {
            struct yl_at token = yl_at(&source, "serviceAccountToken");

            if (yl_at_has(&token)) {
                yl_field_forbidden(c->err, yl_at_path(&token),
                                   "must not be specified when "
                                   "serviceAccountName is not set");
            }
        }
    }
}
