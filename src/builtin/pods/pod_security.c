/* Validation of security contexts, and of fields that cannot be used with the
 * Pod's operating system. */

#include "builtin/go/go_value.h"
#include "builtin/pods/pod_check.h"
#include "gen/core_v1_go.h"

#define MAX_ID 2147483647
#define MAX_SYSCTL 253
#define MAX_PROFILE 4095        /* Bytes of a path. */

static void check_id(struct yl_check *, const struct yl_at *context,
                     const char *name);
static void check_seccomp(struct yl_check *, const struct yl_at *profile);
static void check_app_armor(struct yl_check *, const struct yl_at *profile);
static void check_escalation(struct yl_check *, const struct yl_at *context);
static void check_sysctls(struct yl_pod_check *, const struct yl_at *list);
static struct yl_str dotted_sysctl(struct yl_arena *, struct yl_str);
static bool is_of_ipc(struct yl_str dotted);
static bool is_sysctl(struct yl_str);
static void forbid(struct yl_check *, const struct yl_at *object,
                   const char *const *fields, const char *why);

void
yl_check_security(struct yl_pod_check *p, const struct yl_at *context)
{
    static const char *const mounts[] = { "Default", "Unmasked", NULL };
    struct yl_at mount = yl_at(context, "procMount");
    struct yl_at seccomp = yl_at(context, "seccompProfile");
    struct yl_at windows = yl_at(context, "windowsOptions");
    struct yl_at armor = yl_at(context, "appArmorProfile");

    check_id(p->c, context, "runAsUser");
    check_id(p->c, context, "runAsGroup");
    if (yl_at_has(&mount)) {
        yl_check_one_of(p->c, &mount, mounts);
        if (p->host_users && yl_at_is(&mount, "Unmasked")) {
            yl_field_invalid(p->c->err, yl_at_path(&mount),
                             yl_bad_str(p->c, &mount),
                             "`hostUsers` must be false to use `Unmasked`");
        }
    }
    check_seccomp(p->c, &seccomp);
    check_escalation(p->c, context);
    yl_check_windows(p->c, &windows);
    check_app_armor(p->c, &armor);
}

void
yl_check_pod_security(struct yl_pod_check *p)
{
    static const char *const fs_policies[] = { "Always", "OnRootMismatch",
                                               NULL };
    static const char *const group_policies[] = { "Merge", "Strict", NULL };
    static const char *const selinux_policies[] = { "Recursive", NULL };
    struct yl_check *c = p->c;
    struct yl_at context = yl_at(p->spec, "securityContext");
    struct yl_at groups = yl_at(&context, "supplementalGroups");
    struct yl_at sysctls = yl_at(&context, "sysctls");
    struct yl_at share = yl_at(p->spec, "shareProcessNamespace");
    struct yl_at share_path =
        yl_at_node(&context, "shareProcessNamespace", share.node);
    struct yl_at fs = yl_at(&context, "fsGroupChangePolicy");
    struct yl_at seccomp = yl_at(&context, "seccompProfile");
    struct yl_at windows = yl_at(&context, "windowsOptions");
    struct yl_at armor = yl_at(&context, "appArmorProfile");
    struct yl_at group_policy = yl_at(&context, "supplementalGroupsPolicy");
    struct yl_at selinux = yl_at(&context, "seLinuxChangePolicy");

    check_id(c, &context, "fsGroup");
    check_id(c, &context, "runAsUser");
    check_id(c, &context, "runAsGroup");
    YL_CHECK_FOR_EACH (c, group, &groups) {
        yl_check_range(c, &group, 0, MAX_ID);
    }
    if (yl_at_bool(&share) && yl_at_get_bool(p->spec, "hostPID")) {
        yl_field_invalid(c->err, yl_at_path(&share_path), yl_bad_bool(true),
                         "ShareProcessNamespace and HostPID cannot both be "
                         "enabled");
    }
    check_sysctls(p, &sysctls);
    if (yl_at_has(&fs)) {
        yl_check_one_of(c, &fs, fs_policies);
    }
    check_seccomp(c, &seccomp);
    yl_check_windows(c, &windows);
    check_app_armor(c, &armor);
    if (yl_at_has(&group_policy)) {
        yl_check_one_of(c, &group_policy, group_policies);
    }
    if (yl_at_has(&selinux)) {
        yl_check_one_of(c, &selinux, selinux_policies);
    }
}

void
yl_check_os(struct yl_pod_check *p)
{
    static const char *const systems[] = { "linux", "windows", NULL };
    static const char *const windows_only[] = { "windowsOptions", NULL };
    /* Rows alternate between fields of the security context and of the spec,
     * in upstream's order. */
    static const char *const fields[][7] = {
        { "appArmorProfile", "seLinuxOptions", NULL },
        { "hostUsers", "hostPID", "hostIPC", NULL },
        { "seccompProfile", "fsGroup", "fsGroupChangePolicy", "sysctls",
          NULL },
        { "shareProcessNamespace", NULL },
        { "runAsUser", "runAsGroup", "supplementalGroups",
          "supplementalGroupsPolicy", "seLinuxChangePolicy", NULL },
    };
    static const char *const container_fields[] = {
        "appArmorProfile", "seLinuxOptions", "seccompProfile", "capabilities",
        "readOnlyRootFilesystem", "privileged", "allowPrivilegeEscalation",
        "procMount", "runAsUser", "runAsGroup", NULL
    };
    struct yl_at os = yl_at(p->spec, "os");
    struct yl_at name = yl_at(&os, "name");
    struct yl_at value = os;
    struct yl_at context = yl_at(p->spec, "securityContext");
    bool linux_pod = yl_at_is(&name, "linux");
    struct yl_at list;
    size_t i;

    value.node = name.node;
    if (!yl_at_has(&os) || !yl_check_required(p->c, &name)
        || !yl_check_one_of(p->c, &value, systems)) {
        return;
    }
    if (linux_pod) {
        forbid(p->c, &context, windows_only,
               "windows options cannot be set for a linux pod");
    } else {
        for (i = 0; i < YL_ARRAY_SIZE(fields); i++) {
            forbid(p->c, i % 2 ? p->spec : &context, fields[i],
                   "cannot be set for a windows pod");
        }
    }
    for (i = 0; yl_pod_container_list(p->spec, i, &list); i++) {
        YL_CHECK_FOR_EACH (p->c, container, &list) {
            struct yl_at own = yl_at(&container, "securityContext");

            forbid(p->c, &own, linux_pod ? windows_only : container_fields,
                   linux_pod ? "windows options cannot be set for a linux pod"
                             : "cannot be set for a windows pod");
        }
    }
}

void
yl_check_host_process(struct yl_pod_check *p)
{
    struct yl_at context = yl_at(p->spec, "securityContext");
    struct yl_at options = yl_at(&context, "windowsOptions");
    struct yl_at of_pod = yl_at(&options, "hostProcess");
    struct yl_at network = yl_at(p->spec, "hostNetwork");
    size_t i, n = 0, n_host = 0;
    struct yl_at list;

    for (i = 0; yl_pod_container_list(p->spec, i, &list); i++) {
        YL_CHECK_FOR_EACH (p->c, container, &list) {
            struct yl_at own = yl_at(&container, "securityContext");
            struct yl_at windows = yl_at(&own, "windowsOptions");
            struct yl_at host = yl_at(&windows, "hostProcess");

            n++;
            if (yl_at_has(&of_pod) && yl_at_has(&host)
                && yl_at_bool(&of_pod) != yl_at_bool(&host)) {
                yl_field_invalid(p->c->err, yl_at_path(&host),
                                 yl_bad_bool(yl_at_bool(&host)),
                                 "pod hostProcess value must be identical if "
                                 "both are specified, was %s",
                                 yl_at_bool(&of_pod) ? "true" : "false");
            }
            n_host += yl_at_has(&host) ? yl_at_bool(&host)
                                       : yl_at_bool(&of_pod);
        }
    }
    if (n_host && n_host != n) {
        yl_field_invalid(p->c->err, yl_at_path(p->spec),
                         yl_bad_string(YL_STR("")),
                         "If pod contains any hostProcess containers then "
                         "all containers must be HostProcess containers");
    }
    if (n_host && !yl_at_bool(&network)) {
        yl_field_invalid(p->c->err, yl_at_path(&network), yl_bad_bool(false),
                         "hostNetwork must be true if pod contains any "
                         "hostProcess containers");
    }
}

static void
check_id(struct yl_check *c, const struct yl_at *context, const char *name)
{
    struct yl_at id = yl_at(context, name);

    yl_check_range(c, &id, 0, MAX_ID);
}

static void
check_seccomp(struct yl_check *c, const struct yl_at *profile)
{
    static const char *const types[] = { "Localhost", "RuntimeDefault",
                                         "Unconfined", NULL };
    struct yl_at type = yl_at(profile, "type");
    struct yl_at path = yl_at(profile, "localhostProfile");

    if (!yl_at_has(profile)) {
        return;
    }
    if (yl_at_is(&type, "")) {
        yl_field_required(c->err, yl_at_path(&type),
                          "type is required when seccompProfile is set");
    } else {
        yl_check_one_of(c, &type, types);
    }
    if (!yl_at_is(&type, "Localhost")) {
        if (yl_at_has(&path)) {
            yl_field_invalid(c->err, yl_at_path(&path),
                             yl_bad_struct(c, profile->node,
                                           YL_GO(core_v1, seccomp_profile)),
                             "can only be set when seccomp type is "
                             "Localhost");
        }
    } else if (!yl_at_has(&path)) {
        yl_field_required(c->err, yl_at_path(&path),
                          "must be set when seccomp type is Localhost");
    } else {
        yl_check_local_path(c, &path);
    }
}

static void
check_app_armor(struct yl_check *c, const struct yl_at *profile)
{
    static const char *const types[] = { "Localhost", "RuntimeDefault",
                                         "Unconfined", NULL };
    struct yl_at type = yl_at(profile, "type");
    struct yl_at path = yl_at(profile, "localhostProfile");
    struct yl_str s = yl_at_str(c, &path);

    if (!yl_at_has(profile)) {
        return;
    }
    if (yl_at_is(&type, "")) {
        yl_field_required(c->err, yl_at_path(&type),
                          "type is required when appArmorProfile is set");
    } else if (!yl_check_one_of(c, &type, types)) {
        return;
    } else if (!yl_at_is(&type, "Localhost")) {
        if (yl_at_has(&path)) {
            yl_field_invalid(c->err, yl_at_path(&path), yl_bad_string(s),
                             "can only be set when AppArmor type is "
                             "Localhost");
        }
    } else if (yl_str_trim(s).size != s.size) {
        yl_field_invalid(c->err, yl_at_path(&path), yl_bad_string(s),
                         "must not be padded with whitespace");
    } else if (!s.size) {
        yl_field_required(c->err, yl_at_path(&path),
                          "must be set when AppArmor type is Localhost");
    }
    if (yl_at_is(&type, "Localhost") && s.size > MAX_PROFILE) {
        yl_field_too_long(c->err, yl_at_path(&path), MAX_PROFILE);
    }
}

static void
check_escalation(struct yl_check *c, const struct yl_at *context)
{
    struct yl_at escalation = yl_at(context, "allowPrivilegeEscalation");
    struct yl_at capabilities = yl_at(context, "capabilities");
    struct yl_at added = yl_at(&capabilities, "add");

    if (!yl_at_has(&escalation) || yl_at_bool(&escalation)) {
        return;
    }
    if (yl_at_get_bool(context, "privileged")) {
        yl_field_invalid(c->err, yl_at_path(context),
                         yl_bad_struct(c, context->node,
                                       YL_GO(core_v1, security_context)),
                         "cannot set `allowPrivilegeEscalation` to false and "
                         "`privileged` to true");
    }
    YL_CHECK_FOR_EACH (c, capability, &added) {
        if (yl_at_is(&capability, "CAP_SYS_ADMIN")) {
            yl_field_invalid(c->err, yl_at_path(context),
                             yl_bad_struct(c, context->node,
                                           YL_GO(core_v1, security_context)),
                             "cannot set `allowPrivilegeEscalation` to false "
                             "and `capabilities.Add` CAP_SYS_ADMIN");
        }
    }
}

static void
check_sysctls(struct yl_pod_check *p, const struct yl_at *list)
{
    struct yl_node *names = yl_node_new_object(p->c->arena);
    struct yl_check *c = p->c;

    YL_CHECK_FOR_EACH (c, sysctl, list) {
        struct yl_at name = yl_at(&sysctl, "name");
        struct yl_str s = yl_at_str(c, &name);
        struct yl_str dotted = dotted_sysctl(c->arena, s);

        if (yl_check_required(c, &name)) {
            if (!is_sysctl(s)) {
                yl_field_invalid(c->err, yl_at_path(&name), yl_bad_string(s),
                                 "must have at most %d characters and match "
                                 "regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?"
                                 "[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$",
                                 MAX_SYSCTL);
            } else if (!yl_set_add(c->arena, names, s)) {
                yl_field_duplicate(c->err, yl_at_path(&name),
                                   yl_bad_string(s));
            }
        }
        if (yl_at_get_bool(p->spec, "hostNetwork")
            && yl_str_starts_with(dotted, YL_STR("net."))) {
            yl_field_invalid(c->err, yl_at_path(&name), yl_bad_string(s),
                             "may not be specified when 'hostNetwork' is "
                             "true");
        } else if (yl_at_get_bool(p->spec, "hostIPC")
                   && is_of_ipc(dotted)) {
            yl_field_invalid(c->err, yl_at_path(&name), yl_bad_string(s),
                             "may not be specified when 'hostIPC' is true");
        }
    }
}

/* The kernel takes "net/ipv4/a.b" for "net.ipv4.a/b": whichever separator
 * comes first stands between the parts. */
static struct yl_str
dotted_sysctl(struct yl_arena *arena, struct yl_str s)
{
    char *name = yl_arena_strdup(arena, s);
    size_t first = strcspn(name, "./"), i;

    if (name[first] == '/') {
        for (i = first; i < s.size; i++) {
            name[i] = name[i] == '/' ? '.' : name[i] == '.' ? '/' : name[i];
        }
    }
    return yl_str_c(name);
}

/* Whether a sysctl belongs to the namespace of interprocess communication. */
static bool
is_of_ipc(struct yl_str dotted)
{
    static const char *const names[] = {
        "kernel.sem", "kernel.shm", "kernel.shmall", "kernel.shmmax",
        "kernel.shmmni", "kernel.shm_rmid_forced", "kernel.msg",
        "kernel.msgmax", "kernel.msgmnb", "kernel.msgmni", NULL };
    size_t i;

    for (i = 0; names[i]; i++) {
        if (yl_str_equal_c(dotted, names[i])) {
            return true;
        }
    }
    return yl_str_starts_with(dotted, YL_STR("fs.mqueue."));
}

/* Segments of lower case letters and digits, with '-' and '_' inside, between
 * dots or slashes. */
static bool
is_sysctl(struct yl_str s)
{
    char before = '.';
    size_t i;

    for (i = 0; i < s.size; i++) {
        char ch = s.data[i];
        bool letter = (ch >= 'a' && ch <= 'z') || (ch >= '0' && ch <= '9');
        bool edge = before == '.' || before == '/';
        bool inner = before == '-' || before == '_';

        if (!letter && (edge || !strchr("-_./", ch)
                        || (inner && (ch == '.' || ch == '/')))) {
            return false;
        }
        before = ch;
    }
    return s.size && s.size <= MAX_SYSCTL && !strchr("-_./", before);
}

static void
forbid(struct yl_check *c, const struct yl_at *object,
       const char *const *fields, const char *why)
{
    for (; *fields; fields++) {
        struct yl_at at = yl_at(object, *fields);

        /* 'hostPID' and 'hostIPC' count as absent if they are false, and one
         * list does if it is empty.  The others count if they were sent. */
        if ((yl_at_has(&at) || at.emptied)
            && !((!strcmp(*fields, "hostPID") || !strcmp(*fields, "hostIPC"))
                 && !yl_at_bool(&at))
            && (strcmp(*fields, "sysctls") || yl_at_count(&at))) {
            yl_field_forbidden(c->err, yl_at_path(&at), "%s", why);
        }
    }
}
