/* Warnings of Pods and of the kinds that make them. */

#include <string.h>

#include "builtin/common/meta.h"
#include "builtin/pods/pod.h"
#include "builtin/pods/pod_check.h"
#include "builtin/rows.h"
#include "builtin/warnings/warnings.h"

#define MAX_INDEXED_COMPLETIONS 100000
#define MAX_INDEXED_PARALLELISM 10000
#define SECCOMP_POD "seccomp.security.alpha.kubernetes.io/pod"
#define SECCOMP_CONTAINER "container.seccomp.security.alpha.kubernetes.io/"
#define SECCOMP_IS_OLD                                                        \
    "non-functional in v1.27+; use the \"seccompProfile\" field instead"
#define APP_ARMOR "container.apparmor.security.beta.kubernetes.io/"
#define APP_ARMOR_IS_OLD                                                      \
    "deprecated since v1.30; use the \"appArmorProfile\" field instead"

/* Deprecated annotations, and what replaces them. */
static const char *const old_annotations[][2] = {
    { "scheduler.alpha.kubernetes.io/critical-pod",
      "non-functional in v1.16+; use the \"priorityClassName\" field "
      "instead" },
    { "security.alpha.kubernetes.io/sysctls",
      "non-functional in v1.11+; use the \"sysctls\" field instead" },
    { "security.alpha.kubernetes.io/unsafe-sysctls",
      "non-functional in v1.11+; use the \"sysctls\" field instead" },
};

static void warn_name(struct yl_warnings *, const struct yl_node *object,
                      const char *what);
static void warn_changed_template(struct yl_warnings *,
                                  const struct yl_node *object,
                                  const struct yl_node *old);
static void warn_template(struct yl_warnings *, const struct yl_at *template);
static bool changed(const struct yl_node *object, const struct yl_node *old);
static void warn_indexed(struct yl_warnings *, const struct yl_at *spec);
static void warn_scheduling(struct yl_warnings *, const struct yl_at *spec);
static void warn_terms(struct yl_warnings *, const struct yl_at *terms,
                       const char *inner);
static void warn_values(struct yl_warnings *, const struct yl_at *expression);
static void warn_affinity(struct yl_warnings *, const struct yl_at *spec,
                          const char *name);
static void warn_repeated(struct yl_warnings *, const struct yl_at *list,
                          const char *name, const char *what);
static void warn_containers(struct yl_warnings *, const struct yl_at *spec,
                            const struct yl_at *annotations);
static void warn_env(struct yl_warnings *, const struct yl_at *env);
static void warn_profiles(struct yl_warnings *, const struct yl_at *spec,
                          const struct yl_at *annotations);
static void warn_container_profiles(struct yl_warnings *,
                                    const struct yl_at *container,
                                    const struct yl_at *annotations,
                                    const struct yl_at *pod_armor);
static void warn_ips(struct yl_warnings *, const struct yl_at *list,
                     const char *member);
static void warn_pod_spec(struct yl_warnings *, const struct yl_at *spec,
                          const struct yl_at *metadata);

void
yl_pod_warn(struct yl_warnings *w, const struct yl_node *object,
            const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at spec = yl_at(&root, "spec");

    if (!old) {
        warn_name(w, object, "the Pod's hostname");
        warn_pod_spec(w, &spec, &metadata);
    }
}

void
yl_pod_warn_status(struct yl_warnings *w, const struct yl_node *object,
                   const struct yl_node *old YL_UNUSED)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at status = yl_at(&root, "status");
    struct yl_at ips = yl_at(&status, "podIPs");
    struct yl_at hosts = yl_at(&status, "hostIPs");

    warn_ips(w, &ips, "ip");
    warn_ips(w, &hosts, "ip");
}

/* For kinds whose name becomes a part of their Pods' names. */
void
yl_named_template_warn(struct yl_warnings *w, const struct yl_node *object,
                       const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");

    if (!old) {
        warn_name(w, object, "Pod names and hostnames");
    }
    if (changed(object, old)) {
        warn_indexed(w, &spec);
    }
    warn_changed_template(w, object, old);
}

/* Upstream checks the old template here, and so does this. */
void
yl_replication_controller_warn(struct yl_warnings *w,
                               const struct yl_node *object,
                               const struct yl_node *old)
{
    struct yl_at root = yl_at_root(old ? old : object);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at template = yl_at(&spec, "template");

    if (!old) {
        warn_name(w, object, "Pod names and hostnames");
    }
    if (changed(object, old)) {
        warn_template(w, &template);
    }
}

void
yl_daemon_set_warn(struct yl_warnings *w, const struct yl_node *object,
                   const struct yl_node *old)
{
    static const char key[] = "deprecated.daemonset.template.generation";
    struct yl_at now = yl_at_root(
        yl_member_object(yl_member_object(object, "metadata"), "annotations"));
    struct yl_at then = yl_at_root(
        yl_member_object(yl_member_object(old, "metadata"), "annotations"));
    struct yl_at count = yl_at(&now, key), old_count = yl_at(&then, key);

    if (!old || !yl_node_same(count.node, old_count.node)) {
        warn_changed_template(w, object, NULL);
    }
}

static void
warn_changed_template(struct yl_warnings *w, const struct yl_node *object,
                      const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at template = yl_at(&spec, "template");

    if (changed(object, old)) {
        warn_template(w, &template);
    }
}

void
yl_stateful_set_warn(struct yl_warnings *w, const struct yl_node *object,
                     const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at claims = yl_at(&spec, "volumeClaimTemplates");

    warn_changed_template(w, object, old);
    YL_AT_FOR_EACH (claim, &claims) {
        struct yl_at claim_spec = yl_at(&claim, "spec");
        struct yl_at shown = claim;

        if (old) {
            shown = yl_at_node(&claim, "Spec", NULL);
        }
        shown.node = claim_spec.node;
        yl_warn_claim_spec(w, &shown);
    }
    if (yl_at_get_int(&spec, "revisionHistoryLimit") < 0) {
        yl_warn(w, "spec.revisionHistoryLimit: a negative value retains all "
                   "historical revisions; a value >= 0 is recommended");
    }
}

void
yl_cron_job_warn(struct yl_warnings *w, const struct yl_node *object,
                 const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at job = yl_at(&spec, "jobTemplate");
    struct yl_at job_spec = yl_at(&job, "spec");
    struct yl_at template = yl_at(&job_spec, "template");

    if (!old) {
        warn_name(w, object, "Pod names and hostnames");
    }
    if (changed(object, old)) {
        warn_indexed(w, &job_spec);
        warn_template(w, &template);
    }
}

void
yl_pod_template_object_warn(struct yl_warnings *w,
                            const struct yl_node *object,
                            const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at template = yl_at(&root, "template");

    if (changed(object, old)) {
        warn_template(w, &template);
    }
}

/* A Pod, or a template of Pods: 'spec' and 'metadata' with their paths. */
static void
warn_pod_spec(struct yl_warnings *w, const struct yl_at *spec,
              const struct yl_at *metadata)
{
    struct yl_at annotations = yl_at(metadata, "annotations");
    struct yl_at volumes = yl_at(spec, "volumes");
    struct yl_at aliases = yl_at(spec, "hostAliases");
    struct yl_at secrets = yl_at(spec, "imagePullSecrets");
    struct yl_at overhead = yl_at(spec, "overhead");
    struct yl_at grace = yl_at(spec, "terminationGracePeriodSeconds");
    struct yl_at dns = yl_at(spec, "dnsConfig");
    struct yl_at servers = yl_at(&dns, "nameservers");
    size_t i;

    warn_scheduling(w, spec);
    for (i = 0; i < YL_ARRAY_SIZE(old_annotations); i++) {
        struct yl_at at = yl_at(&annotations, old_annotations[i][0]);

        if (yl_at_has(&at)) {
            at.path = yl_field_key(yl_at_path(&annotations),
                                   yl_str_c(old_annotations[i][0]));
            yl_warn_at(w, &at, "%s", old_annotations[i][1]);
        }
    }
    yl_warn_volumes(w, &volumes);
    warn_repeated(w, &aliases, "ip", "ip");
    warn_repeated(w, &secrets, "name", "name");
    YL_AT_FOR_EACH (secret, &secrets) {
        struct yl_at name = yl_at(&secret, "name");

        if (yl_at_is(&name, "")) {
            yl_warn_at(w, &name, "invalid empty name \"\"");
        }
    }
    YL_AT_FOR_EACH (amount, &overhead) {
        if (yl_str_equal_c(yl_at_key(&amount), "memory")
            || yl_str_equal_c(yl_at_key(&amount), "ephemeral-storage")) {
            yl_warn_fraction(w, &amount);
        }
    }
    warn_profiles(w, spec, &annotations);
    warn_containers(w, spec, &annotations);
    yl_warn_ports(w, spec);
    if (yl_at_int(&grace) < 0) {
        yl_warn_at(w, &grace, "must be >= 0; negative values are invalid and "
                              "will be treated as 1");
    }
    warn_affinity(w, spec, "podAffinity");
    warn_affinity(w, spec, "podAntiAffinity");
    warn_ips(w, &servers, NULL);
    warn_ips(w, &aliases, "ip");
}

static void
warn_name(struct yl_warnings *w, const struct yl_node *object,
          const char *what)
{
    struct yl_check c = { w->arena, NULL };
    struct yl_at metadata = yl_at_root(yl_member_object(object, "metadata"));
    struct yl_name_faults faults;
    struct yl_buf text;
    size_t i;

    if (yl_name_check(YL_NAME_DNS1123_LABEL,
                      yl_at_get_str(&c, &metadata, "name"), &faults)
        == 0) {
        return;
    }
    yl_buf_init(&text, SIZE_MAX);
    for (i = 0; i < faults.n_faults; i++) {
        yl_buf_printf(&text, "%s%s", i ? " " : "", faults.faults[i]);
    }
    yl_warn(w, "metadata.name: this is used in %s, which can result in "
               "surprising behavior; a DNS label is recommended: [%s]", what,
            yl_buf_c_str(&text));
    yl_buf_release(&text);
}

static void
warn_template(struct yl_warnings *w, const struct yl_at *template)
{
    struct yl_at metadata = yl_at(template, "metadata");
    struct yl_at spec = yl_at(template, "spec");

    if (yl_at_has(template)) {
        warn_pod_spec(w, &spec, &metadata);
    }
}

/* Whether the object is new or has a new generation. */
static bool
changed(const struct yl_node *object, const struct yl_node *old)
{
    struct yl_at now = yl_at_root(yl_member_object(object, "metadata"));
    struct yl_at then = yl_at_root(yl_member_object(old, "metadata"));

    return !old
           || yl_at_get_int(&now, "generation")
                  != yl_at_get_int(&then, "generation");
}

static void
warn_indexed(struct yl_warnings *w, const struct yl_at *spec)
{
    if (yl_at_get_is(spec, "completionMode", "Indexed")
        && yl_at_get_int(spec, "completions") > MAX_INDEXED_COMPLETIONS
        && yl_at_get_int(spec, "parallelism") > MAX_INDEXED_PARALLELISM) {
        yl_warn_at(w, spec, "In Indexed Jobs with a number of completions "
                            "higher than 10^5 and a parallelism higher than "
                            "10^4, Kubernetes might not be able to track "
                            "completedIndexes when a big number of indexes "
                            "fail");
    }
}

static void
warn_scheduling(struct yl_warnings *w, const struct yl_at *spec)
{
    struct yl_check c = { w->arena, NULL };
    struct yl_at selector = yl_at(spec, "nodeSelector");
    struct yl_at affinity = yl_at(spec, "affinity");
    struct yl_at nodes = yl_at(&affinity, "nodeAffinity");
    struct yl_at required =
        yl_at(&nodes, "requiredDuringSchedulingIgnoredDuringExecution");
    struct yl_at terms = yl_at(&required, "nodeSelectorTerms");
    struct yl_at preferred =
        yl_at(&nodes, "preferredDuringSchedulingIgnoredDuringExecution");
    struct yl_at spread = yl_at(spec, "topologySpreadConstraints");

    YL_AT_FOR_EACH (value, &selector) {
        const char *why = yl_deprecated_node_label(yl_at_key(&value));

        if (why) {
            yl_warn_at(w, &value, "%s", why);
        }
    }
    warn_terms(w, &terms, NULL);
    warn_terms(w, &preferred, "preference");
    YL_AT_FOR_EACH (constraint, &spread) {
        struct yl_at key = yl_at(&constraint, "topologyKey");
        struct yl_at labels = yl_at(&constraint, "labelSelector");
        struct yl_str s = yl_at_str(&c, &key);
        const char *why = yl_deprecated_node_label(s);

        if (why) {
            yl_warn_at(w, &key, "%.*s is %s", YL_STR_ARG(s), why);
        }
        if (!yl_at_has(&labels)) {
            yl_warn_at(w, &labels, "a null labelSelector results in matching "
                                   "no pod");
        }
    }
}

static void
warn_terms(struct yl_warnings *w, const struct yl_at *terms,
           const char *inner)
{
    struct yl_check c = { w->arena, NULL };

    YL_AT_FOR_EACH (item, terms) {
        struct yl_at term = inner ? yl_at(&item, inner) : item;
        struct yl_at expressions = yl_at(&term, "matchExpressions");

        YL_AT_FOR_EACH (expression, &expressions) {
            struct yl_at key = yl_at(&expression, "key");
            struct yl_str s = yl_at_str(&c, &key);
            const char *why = yl_deprecated_node_label(s);

            if (why) {
                yl_warn_at(w, &key, "%.*s is %s", YL_STR_ARG(s), why);
            }
            if (inner) {
                warn_values(w, &expression);
            }
        }
    }
}

/* In preferred terms validation allows values that cannot be label values;
 * warn of them. */
static void
warn_values(struct yl_warnings *w, const struct yl_at *expression)
{
    struct yl_check c = { w->arena, NULL };
    struct yl_at values = yl_at(expression, "values");

    YL_AT_FOR_EACH (value, &values) {
        struct yl_str s = yl_at_str(&c, &value);
        struct yl_name_faults faults;
        size_t i;

        if (yl_name_check(YL_NAME_LABEL_VALUE, s, &faults) == 0) {
            continue;
        }
        for (i = 0; i < faults.n_faults; i++) {
            yl_warn_at(w, &value, "%.*s is invalid, %s", YL_STR_ARG(s),
                       faults.faults[i]);
        }
    }
}

static void
warn_affinity(struct yl_warnings *w, const struct yl_at *spec,
              const char *name)
{
    static const char why[] = "a null labelSelector results in matching no "
                              "pod";
    struct yl_at affinity = yl_at(spec, "affinity");
    struct yl_at of_pods = yl_at(&affinity, name);
    struct yl_at required =
        yl_at(&of_pods, "requiredDuringSchedulingIgnoredDuringExecution");
    struct yl_at preferred =
        yl_at(&of_pods, "preferredDuringSchedulingIgnoredDuringExecution");

    YL_AT_FOR_EACH (term, &required) {
        struct yl_at labels = yl_at(&term, "labelSelector");

        if (!yl_at_has(&labels)) {
            yl_warn_at(w, &labels, "%s", why);
        }
    }
    YL_AT_FOR_EACH (item, &preferred) {
        struct yl_at term = yl_at(&item, "podAffinityTerm");
        struct yl_at labels = yl_at(&term, "labelSelector");

        if (!yl_at_has(&labels)) {
            yl_warn_at(w, &labels, "%s", why);
        }
    }
}

static void
warn_repeated(struct yl_warnings *w, const struct yl_at *list,
              const char *name, const char *what)
{
    struct yl_node *seen = yl_node_new_object(w->arena);
    struct yl_check c = { w->arena, NULL };

    YL_AT_FOR_EACH (item, list) {
        struct yl_at at = yl_at(&item, name);
        struct yl_str s = yl_at_str(&c, &at);

        if (!yl_set_add(w->arena, seen, s)) {
            yl_warn_at(w, &at, "duplicate %s \"%.*s\"", what, YL_STR_ARG(s));
        }
    }
}

static void
warn_containers(struct yl_warnings *w, const struct yl_at *spec,
                const struct yl_at *annotations)
{
    static const char *const names[] = { "memory", "ephemeral-storage" };
    static const char *const lists[] = { "limits", "requests" };
    struct yl_at context = yl_at(spec, "securityContext");
    struct yl_at armor = yl_at(&context, "appArmorProfile");
    struct yl_at list;
    size_t i, k, m;

    for (i = 0; yl_pod_container_list(spec, i, &list); i++) {
        YL_AT_FOR_EACH (container, &list) {
            struct yl_at resources = yl_at(&container, "resources");
            struct yl_at env = yl_at(&container, "env");

            warn_container_profiles(w, &container, annotations, &armor);
            for (k = 0; k < YL_ARRAY_SIZE(names); k++) {
                for (m = 0; m < YL_ARRAY_SIZE(lists); m++) {
                    struct yl_at amounts = yl_at(&resources, lists[m]);
                    struct yl_at amount = yl_at(&amounts, names[k]);

                    amount.path = yl_field_key(yl_at_path(&amounts),
                                               yl_str_c(names[k]));
                    yl_warn_fraction(w, &amount);
                }
            }
            warn_env(w, &env);
        }
    }
}

/* If a variable is defined twice, the earlier one is hidden, unless the later
 * value refers to it. */
static void
warn_env(struct yl_warnings *w, const struct yl_at *env)
{
    struct yl_node *seen = yl_node_new_object(w->arena);
    struct yl_check c = { w->arena, NULL };

    YL_AT_FOR_EACH (item, env) {
        struct yl_str name = yl_at_get_str(&c, &item, "name");
        struct yl_str value = yl_at_get_str(&c, &item, "value");
        const char *ref;

        if (yl_set_add(w->arena, seen, name)) {
            continue;
        }
        ref = yl_arena_printf(w->arena, "$(%.*s)", YL_STR_ARG(name));
        if (yl_at_get_has(&item, "valueFrom") || yl_str_equal_c(value, ref)
            || !value.size
            || !memmem(value.data, value.size, ref, strlen(ref))) {
            yl_warn_at(w, &item, "hides previous definition of \"%.*s\", "
                                 "which may be dropped when using apply",
                       YL_STR_ARG(name));
        }
    }
}

/* Annotations that were replaced by fields. */
static void
warn_profiles(struct yl_warnings *w, const struct yl_at *spec,
              const struct yl_at *annotations)
{
    struct yl_at context = yl_at(spec, "securityContext");
    struct yl_at old = yl_at(annotations, SECCOMP_POD);

    if (yl_at_has(&old) && !yl_at_get_has(&context, "seccompProfile")) {
        old.path = yl_field_key(yl_at_path(annotations), YL_STR(SECCOMP_POD));
        yl_warn_at(w, &old, SECCOMP_IS_OLD);
    }
}

/* For a Pod itself, AppArmor's annotations are handled when it is created. */
static void
warn_container_profiles(struct yl_warnings *w, const struct yl_at *container,
                        const struct yl_at *annotations,
                        const struct yl_at *pod_armor)
{
    struct yl_check c = { w->arena, NULL };
    struct yl_at context = yl_at(container, "securityContext");
    struct yl_str name = yl_at_get_str(&c, container, "name");
    const char *keys[] = {
        yl_arena_printf(w->arena, SECCOMP_CONTAINER "%.*s", YL_STR_ARG(name)),
        yl_arena_printf(w->arena, APP_ARMOR "%.*s", YL_STR_ARG(name)),
    };
    struct yl_at seccomp = yl_at(annotations, keys[0]);
    struct yl_at armor = yl_at(annotations, keys[1]);
    bool in_template = annotations->path.parent
                       && annotations->path.parent->parent;

    if (yl_at_has(&seccomp) && !yl_at_get_has(&context, "seccompProfile")) {
        seccomp.path = yl_field_key(yl_at_path(annotations),
                                    yl_str_c(keys[0]));
        yl_warn_at(w, &seccomp, SECCOMP_IS_OLD);
    }
    if (in_template && yl_at_has(&armor)
        && !yl_at_get_has(&context, "appArmorProfile")
        && (!yl_at_has(pod_armor)
            || !yl_node_same(
                pod_armor->node,
                yl_app_armor_profile(w->arena, yl_at_str(&c, &armor))))) {
        armor.path = yl_field_key(yl_at_path(annotations),
                                  yl_str_c(keys[1]));
        yl_warn_at(w, &armor, APP_ARMOR_IS_OLD);
    }
}

static void
warn_ips(struct yl_warnings *w, const struct yl_at *list, const char *member)
{
    YL_AT_FOR_EACH (item, list) {
        struct yl_at ip = member ? yl_at(&item, member) : item;

        yl_warn_ip(w, &ip);
    }
}
