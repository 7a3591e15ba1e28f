/* Validation of containers: ordinary, init and ephemeral ones. */

#include "builtin/pods/pod_check.h"

#include <string.h>

#include <inttypes.h>

static void check_regular(struct yl_pod_check *, const struct yl_at *list);
static void check_inits(struct yl_pod_check *, const struct yl_at *list,
                        const struct yl_at *regular);
static void check_init(struct yl_pod_check *, const struct yl_at *container);
static void check_ephemeral(struct yl_pod_check *, const struct yl_at *list);
static void check_ephemeral_fields(struct yl_check *,
                                   const struct yl_at *container);
static void check_container(struct yl_pod_check *, const struct yl_at *);
static void check_ports(struct yl_check *, const struct yl_at *ports);
static void check_mounts(struct yl_pod_check *, const struct yl_at *container);
static void check_mount(struct yl_check *, const struct yl_at *container,
                        const struct yl_at *mounts,
                        const struct yl_at *mount);
static void check_propagation(struct yl_check *, const struct yl_at *container,
                              const struct yl_at *mounts,
                              const struct yl_at *mount);
static void check_devices(struct yl_pod_check *,
                          const struct yl_at *container);
static void check_resize_policy(struct yl_pod_check *,
                                const struct yl_at *list);
static void check_restart_policy(struct yl_check *,
                                 const struct yl_at *container, bool init);
static void check_host_ports(struct yl_check *, const struct yl_at *container,
                             struct yl_node *seen);
static struct yl_node *values_of(struct yl_check *, const struct yl_at *list,
                                 const char *field);

bool
yl_pod_container_list(const struct yl_at *spec, size_t i,
                      struct yl_at *ret_list)
{
    static const char *const lists[] = { "initContainers", "containers",
                                         "ephemeralContainers" };

    if (i >= sizeof lists / sizeof lists[0]) {
        return false;
    }
    *ret_list = yl_at(spec, lists[i]);
    return true;
}

void
yl_check_containers(struct yl_pod_check *p)
{
    struct yl_at containers = yl_at(p->spec, "containers");
    struct yl_at inits = yl_at(p->spec, "initContainers");
    struct yl_at ephemeral = yl_at(p->spec, "ephemeralContainers");

    check_regular(p, &containers);
    check_inits(p, &inits, &containers);
    check_ephemeral(p, &ephemeral);
}

void
yl_check_container_images(struct yl_check *c, const struct yl_at *list)
{
    YL_CHECK_FOR_EACH (c, container, list) {
        struct yl_at image = yl_at(&container, "image");
        struct yl_str s = yl_at_str(c, &image);

        if (yl_str_trim(s).size != s.size) {
            yl_field_invalid(c->err, yl_at_path(&image), yl_bad_string(s),
                             "must not have leading or trailing whitespace");
        }
    }
}

static void
check_regular(struct yl_pod_check *p, const struct yl_at *list)
{
    struct yl_node *names = yl_node_new_object(p->c->arena);
    struct yl_node *ports = yl_node_new_object(p->c->arena);

    if (!yl_check_required(p->c, list)) {
        return;
    }
    YL_CHECK_FOR_EACH (p->c, container, list) {
        struct yl_at name = yl_at(&container, "name");

        check_container(p, &container);
        if (!yl_set_add(p->c->arena, names, yl_at_str(p->c, &name))) {
            yl_field_duplicate(p->c->err, yl_at_path(&name),
                               yl_bad_str(p->c, &name));
        }
        yl_check_probes(p, &container);
        check_restart_policy(p->c, &container, false);
    }
    YL_CHECK_FOR_EACH (p->c, container, list) {
        check_host_ports(p->c, &container, ports);
    }
}

static void
check_inits(struct yl_pod_check *p, const struct yl_at *list,
            const struct yl_at *regular)
{
    struct yl_node *names = yl_node_new_object(p->c->arena);

    YL_CHECK_FOR_EACH (p->c, container, regular) {
        yl_set_add(p->c->arena, names,
                   yl_at_get_str(p->c, &container, "name"));
    }
    YL_CHECK_FOR_EACH (p->c, container, list) {
        struct yl_at name = yl_at(&container, "name");
        struct yl_str s = yl_at_str(p->c, &name);

        check_container(p, &container);
        check_restart_policy(p->c, &container, true);
        if (yl_node_get(names, s)) {
            yl_field_duplicate(p->c->err, yl_at_path(&name),
                               yl_bad_string(s));
        } else if (s.size) {
            yl_set_add(p->c->arena, names, s);
        }
        check_host_ports(p->c, &container, yl_node_new_object(p->c->arena));
        check_init(p, &container);
    }
}

/* An init container runs to completion and has no probes, unless it is a
 * sidecar. */
static void
check_init(struct yl_pod_check *p, const struct yl_at *container)
{
    static const char *const hooks[] = { "lifecycle", "livenessProbe",
                                         "readinessProbe", "startupProbe" };
    struct yl_at policies = yl_at(container, "resizePolicy");
    size_t i;

    if (yl_at_get_is(container, "restartPolicy", "Always")) {
        yl_check_probes(p, container);
        return;
    }
    for (i = 0; i < sizeof hooks / sizeof hooks[0]; i++) {
        struct yl_at hook = yl_at(container, hooks[i]);

        if (yl_at_has(&hook)) {
            yl_field_forbidden(p->c->err, yl_at_path(&hook),
                               "may not be set for init containers without "
                               "restartPolicy=Always");
        }
    }
    YL_CHECK_FOR_EACH (p->c, policy, &policies) {
        struct yl_at restart = yl_at(&policy, "restartPolicy");

        if (yl_at_is(&restart, "RestartContainer")) {
            yl_field_invalid(p->c->err, yl_at_path(&restart),
                             yl_bad_str(p->c, &restart),
                             "must not be set to 'RestartContainer' for "
                             "non-sidecar initContainers");
        }
    }
}

static void
check_ephemeral(struct yl_pod_check *p, const struct yl_at *list)
{
    struct yl_node *others = yl_node_new_object(p->c->arena);
    struct yl_node *names = yl_node_new_object(p->c->arena);
    size_t i;

    for (i = 0; i < 2; i++) {
        struct yl_at other;

        yl_pod_container_list(p->spec, i, &other);
        YL_CHECK_FOR_EACH (p->c, container, &other) {
            struct yl_str name = yl_at_get_str(p->c, &container, "name");

            yl_set_add(p->c->arena, others, name);
            yl_set_add(p->c->arena, names, name);
        }
    }
    YL_CHECK_FOR_EACH (p->c, container, list) {
        struct yl_at name = yl_at(&container, "name");
        struct yl_at target = yl_at(&container, "targetContainerName");
        struct yl_at image = yl_at(&container, "image");
        struct yl_str s = yl_at_str(p->c, &image);

        check_container(p, &container);
        if (yl_str_trim(s).size != s.size) {
            yl_field_invalid(p->c->err, yl_at_path(&image), yl_bad_string(s),
                             "must not have leading or trailing whitespace");
        }
        if (!yl_set_add(p->c->arena, names, yl_at_str(p->c, &name))) {
            yl_field_duplicate(p->c->err, yl_at_path(&name),
                               yl_bad_str(p->c, &name));
        }
        s = yl_at_str(p->c, &target);
        if (s.size && !yl_node_get(others, s)) {
            yl_field_not_found(p->c->err, yl_at_path(&target),
                               yl_bad_string(s));
        }
        check_ephemeral_fields(p->c, &container);
    }
}

static void
check_ephemeral_fields(struct yl_check *c, const struct yl_at *container)
{
    static const char *const fields[] = {
        "ports", "resources", "livenessProbe", "readinessProbe",
        "startupProbe", "lifecycle", "resizePolicy", "restartPolicy",
        "restartPolicyRules"
    };
    struct yl_at mounts = yl_at(container, "volumeMounts");
    size_t i;

    for (i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        struct yl_at at = yl_at(container, fields[i]);

        if (strcmp(fields[i], "resources")
            ? yl_at_has(&at) || at.emptied
            : yl_at_count(&at) || (at.node && at.node->emptied)) {
            yl_field_forbidden(c->err, yl_at_path(&at),
                               "cannot be set for an Ephemeral Container");
        }
    }
    YL_CHECK_FOR_EACH (c, mount, &mounts) {
        struct yl_at path = yl_at(&mount, "subPath");
        struct yl_at expr = yl_at(&mount, "subPathExpr");

        if (yl_at_str(c, &path).size) {
            yl_field_forbidden(c->err, yl_at_path(&path),
                               "cannot be set for an Ephemeral Container");
        }
        if (yl_at_str(c, &expr).size) {
            yl_field_forbidden(c->err, yl_at_path(&expr),
                               "cannot be set for an Ephemeral Container");
        }
    }
}

static void
check_container(struct yl_pod_check *p, const struct yl_at *container)
{
    static const char *const message_policies[] =
        { "File", "FallbackToLogsOnError", NULL };
    static const char *const pull_policies[] =
        { "Always", "IfNotPresent", "Never", NULL };
    struct yl_check *c = p->c;
    struct yl_at name = yl_at(container, "name");
    struct yl_at image = yl_at(container, "image");
    struct yl_at message = yl_at(container, "terminationMessagePolicy");
    struct yl_at ports = yl_at(container, "ports");
    struct yl_at env = yl_at(container, "env");
    struct yl_at env_from = yl_at(container, "envFrom");
    struct yl_at pull = yl_at(container, "imagePullPolicy");
    struct yl_at resources = yl_at(container, "resources");
    struct yl_at resize = yl_at(container, "resizePolicy");
    struct yl_at security = yl_at(container, "securityContext");

    if (yl_check_required(c, &name)) {
        yl_check_name(c, &name, YL_NAME_DNS1123_LABEL);
    }
    yl_check_required(c, &image);
    if (yl_check_required(c, &message)) {
        yl_check_one_of(c, &message, message_policies);
    }
    check_ports(c, &ports);
    yl_check_env(c, &env);
    yl_check_env_from(c, &env_from);
    check_mounts(p, container);
    check_devices(p, container);
    if (yl_check_required(c, &pull)) {
        yl_check_one_of(c, &pull, pull_policies);
    }
    yl_check_resources(c, &resources, p->claims, false);
    check_resize_policy(p, &resize);
    yl_check_security(p, &security);
}

static void
check_ports(struct yl_check *c, const struct yl_at *ports)
{
    static const char *const protocols[] = { "SCTP", "TCP", "UDP", NULL };
    struct yl_node *names = yl_node_new_object(c->arena);

    YL_CHECK_FOR_EACH (c, port, ports) {
        struct yl_at name = yl_at(&port, "name");
        struct yl_at number = yl_at(&port, "containerPort");
        struct yl_at host = yl_at(&port, "hostPort");
        struct yl_at protocol = yl_at(&port, "protocol");
        struct yl_str s = yl_at_str(c, &name);

        if (s.size && yl_check_name(c, &name, YL_NAME_PORT)
            && !yl_set_add(c->arena, names, s)) {
            yl_field_duplicate(c->err, yl_at_path(&name), yl_bad_string(s));
        }
        if (!yl_at_int(&number)) {
            yl_field_required(c->err, yl_at_path(&number), NULL);
        } else {
            yl_check_range(c, &number, 1, 65535);
        }
        if (yl_at_int(&host)) {
            yl_check_range(c, &host, 1, 65535);
        }
        if (yl_check_required(c, &protocol)) {
            yl_check_one_of(c, &protocol, protocols);
        }
    }
}

static void
check_mounts(struct yl_pod_check *p, const struct yl_at *container)
{
    struct yl_at mounts = yl_at(container, "volumeMounts");
    struct yl_at devices = yl_at(container, "volumeDevices");
    struct yl_node *paths = yl_node_new_object(p->c->arena);
    struct yl_node *device_names = values_of(p->c, &devices, "name");
    struct yl_node *device_paths = values_of(p->c, &devices, "devicePath");

    YL_CHECK_FOR_EACH (p->c, mount, &mounts) {
        struct yl_at name = yl_at(&mount, "name");
        struct yl_at path = yl_at(&mount, "mountPath");

        yl_check_required(p->c, &name);
        if (!yl_node_get(p->volumes, yl_at_str(p->c, &name))) {
            yl_field_not_found(p->c->err, yl_at_path(&name),
                               yl_bad_str(p->c, &name));
        }
        yl_check_required(p->c, &path);
        if (!yl_set_add(p->c->arena, paths, yl_at_str(p->c, &path))) {
            yl_field_invalid(p->c->err, yl_at_path(&path),
                             yl_bad_str(p->c, &path), "must be unique");
        }
        if (yl_node_get(device_names, yl_at_str(p->c, &name))) {
            yl_field_invalid(p->c->err, yl_at_path(&name),
                             yl_bad_str(p->c, &name),
                             "must not already exist in volumeDevices");
        }
        if (yl_node_get(device_paths, yl_at_str(p->c, &path))) {
            yl_field_invalid(p->c->err, yl_at_path(&path),
                             yl_bad_str(p->c, &path),
                             "must not already exist as a path in "
                             "volumeDevices");
        }
        check_mount(p->c, container, &mounts, &mount);
    }
}

/* In some causes upstream names the list instead of the element, and so do
 * we. */
static void
check_mount(struct yl_check *c, const struct yl_at *container,
            const struct yl_at *mounts, const struct yl_at *mount)
{
    struct yl_at sub = yl_at(mount, "subPath");
    struct yl_at expr = yl_at(mount, "subPathExpr");
    struct yl_at list_sub = yl_at_node(mounts, "subPath", sub.node);
    struct yl_at list_expr = yl_at_node(mounts, "subPathExpr", expr.node);

    if (yl_at_str(c, &sub).size) {
        yl_check_local_path(c, &list_sub);
    }
    if (yl_at_str(c, &expr).size) {
        if (yl_at_str(c, &sub).size) {
            yl_field_invalid(c->err, yl_at_path(&expr), yl_bad_str(c, &expr),
                             "subPathExpr and subPath are mutually "
                             "exclusive");
        }
        yl_check_local_path(c, &list_expr);
    }
    check_propagation(c, container, mounts, mount);
}

static void
check_propagation(struct yl_check *c, const struct yl_at *container,
                  const struct yl_at *mounts, const struct yl_at *mount)
{
    static const char *const modes[] = { "Bidirectional", "HostToContainer",
                                         "None", NULL };
    static const char *const recursions[] = { "Disabled", "Enabled",
                                              "IfPossible", NULL };
    struct yl_at security = yl_at(container, "securityContext");
    struct yl_at mode_node = yl_at(mount, "mountPropagation");
    struct yl_at mode =
        yl_at_node(mounts, "mountPropagation", mode_node.node);
    struct yl_at node = yl_at(mount, "recursiveReadOnly");
    struct yl_at recursive =
        yl_at_node(mounts, "recursiveReadOnly", node.node);

    if (yl_at_has(&mode)) {
        yl_check_one_of(c, &mode, modes);
        if (yl_at_is(&mode, "Bidirectional")
            && !yl_at_get_bool(&security, "privileged")) {
            yl_field_forbidden(c->err, yl_at_path(&mode),
                               "Bidirectional mount propagation is available "
                               "only to privileged containers");
        }
    }
    if (!yl_at_has(&recursive) || !yl_check_one_of(c, &recursive, recursions)
        || yl_at_is(&recursive, "Disabled")) {
        return;
    }
    if (!yl_at_get_bool(mount, "readOnly")) {
        yl_field_forbidden(c->err, yl_at_path(&recursive),
                           "may only be specified when readOnly is true");
    }
    if (yl_at_has(&mode) && !yl_at_is(&mode, "None")) {
        yl_field_forbidden(c->err, yl_at_path(&recursive),
                           "may only be specified when mountPropagation is "
                           "None or not specified");
    }
}

static void
check_devices(struct yl_pod_check *p, const struct yl_at *container)
{
    struct yl_check *c = p->c;
    struct yl_at devices = yl_at(container, "volumeDevices");
    struct yl_at mounts = yl_at(container, "volumeMounts");
    struct yl_node *names = yl_node_new_object(c->arena);
    struct yl_node *paths = yl_node_new_object(c->arena);
    struct yl_node *mount_names = values_of(c, &mounts, "name");
    struct yl_node *mount_paths = values_of(c, &mounts, "mountPath");

    YL_CHECK_FOR_EACH (c, device, &devices) {
        struct yl_at name = yl_at(&device, "name");
        struct yl_at path = yl_at(&device, "devicePath");
        struct yl_str s = yl_at_str(c, &name), t = yl_at_str(c, &path);
        const struct yl_node *volume = yl_node_get(p->volumes, s);
        bool block = false;
        struct yl_error none = YL_ERROR_INIT;
        struct yl_check quiet = { c->arena, &none };

        yl_check_required(c, &name);
        if (s.size && !yl_set_add(c->arena, names, s)) {
            yl_field_invalid(c->err, yl_at_path(&name), yl_bad_string(s),
                             "must be unique");
        }
        if (!volume) {
            yl_field_not_found(c->err, yl_at_path(&name), yl_bad_string(s));
        } else if (yl_node_bool(volume, &block) < 0 || !block) {
            yl_field_invalid(c->err, yl_at_path(&name), yl_bad_string(s),
                             "can only use volume source type of "
                             "PersistentVolumeClaim or Ephemeral for block "
                             "mode");
        }
        yl_check_required(c, &path);
        if (yl_node_get(paths, t)) {
            yl_field_invalid(c->err, yl_at_path(&path), yl_bad_string(t),
                             "must be unique");
        }
        if (t.size && !yl_check_no_backsteps(&quiet, &path)) {
            yl_field_invalid(c->err, yl_at_path(&path), yl_bad_string(t),
                             "can not contain backsteps ('..')");
        } else {
            yl_set_add(c->arena, paths, t);
        }
        yl_error_clear(&none);
        if (yl_node_get(mount_names, s)) {
            yl_field_invalid(c->err, yl_at_path(&name), yl_bad_string(s),
                             "must not already exist in volumeMounts");
        }
        if (yl_node_get(mount_paths, t)) {
            yl_field_invalid(c->err, yl_at_path(&path), yl_bad_string(t),
                             "must not already exist as a path in "
                             "volumeMounts");
        }
    }
}

static void
check_resize_policy(struct yl_pod_check *p, const struct yl_at *list)
{
    static const char *const resources[] = { "cpu", "memory", NULL };
    static const char *const policies[] = { "NotRequired",
                                            "RestartContainer", NULL };
    struct yl_node *names = yl_node_new_object(p->c->arena);
    struct yl_check *c = p->c;

    YL_CHECK_FOR_EACH (c, policy, list) {
        struct yl_at name = yl_at(&policy, "resourceName");
        struct yl_at restart = yl_at(&policy, "restartPolicy");
        struct yl_at list_name = *list, list_restart = *list;

        list_name.node = name.node;
        list_restart.node = restart.node;
        if (!yl_set_add(c->arena, names, yl_at_str(c, &name))) {
            yl_field_duplicate(c->err, yl_at_path(&policy),
                               yl_bad_str(c, &name));
        }
        if (yl_check_required(c, &list_name)) {
            yl_check_one_of(c, &list_name, resources);
        }
        if (yl_check_required(c, &list_restart)) {
            yl_check_one_of(c, &list_restart, policies);
        }
        if (yl_at_get_is(p->spec, "restartPolicy", "Never")
            && !yl_at_is(&restart, "NotRequired")) {
            yl_field_invalid(c->err, yl_at_path(list),
                             yl_bad_str(c, &restart),
                             "must be 'NotRequired' when pod `restartPolicy` "
                             "is 'Never'");
        }
    }
}

static void
check_restart_policy(struct yl_check *c, const struct yl_at *container,
                     bool init)
{
    static const char *const policies[] = { "Always", "Never", "OnFailure",
                                            NULL };
    static const char *const operators[] = { "In", "NotIn", NULL };
    static const char *const actions[] = { "Restart", "RestartAllContainers",
                                           NULL };
    struct yl_at policy = yl_at(container, "restartPolicy");
    struct yl_at rules = yl_at(container, "restartPolicyRules");

    if (yl_at_has(&policy)) {
        yl_check_one_of(c, &policy, policies);
    } else if (yl_at_count(&rules)) {
        yl_field_required(c->err, yl_at_path(&policy),
                          "must specify restartPolicy when restart rules are "
                          "used");
        if (init) {
            return;
        }
    }
    if (yl_at_count(&rules) > 20) {
        yl_field_too_many(c->err, yl_at_path(&rules),
                          (int64_t) yl_at_count(&rules), 20);
    }
    YL_CHECK_FOR_EACH (c, rule, &rules) {
        struct yl_at action = yl_at(&rule, "action");
        struct yl_at codes = yl_at(&rule, "exitCodes");
        struct yl_at op = yl_at(&codes, "operator");
        struct yl_at values = yl_at(&codes, "values");

        yl_check_one_of(c, &action, actions);
        if (!yl_at_has(&codes)) {
            yl_field_required(c->err, yl_at_path(&codes),
                              "must be specified");
            continue;
        }
        yl_check_one_of(c, &op, operators);
        if (yl_at_count(&values) > 255) {
            yl_field_too_many(c->err, yl_at_path(&values),
                              (int64_t) yl_at_count(&values), 255);
        }
    }
}

/* Two containers cannot use the same port of the host. */
static void
check_host_ports(struct yl_check *c, const struct yl_at *container,
                 struct yl_node *seen)
{
    struct yl_at ports = yl_at(container, "ports");

    YL_CHECK_FOR_EACH (c, port, &ports) {
        struct yl_at host = yl_at(&port, "hostPort");
        struct yl_str protocol = yl_at_get_str(c, &port, "protocol");
        struct yl_str ip = yl_at_get_str(c, &port, "hostIP");
        int64_t number = yl_at_int(&host);
        struct yl_str s;

        if (!number) {
            continue;
        }
        s = yl_str_c(yl_arena_printf(c->arena, "%.*s/%.*s/%" PRId64,
                                     YL_STR_ARG(protocol), YL_STR_ARG(ip),
                                     number));
        if (!yl_set_add(c->arena, seen, s)) {
            yl_field_duplicate(c->err, yl_at_path(&host), yl_bad_string(s));
        }
    }
}

/* The set of values that 'field' has in the elements of a list. */
static struct yl_node *
values_of(struct yl_check *c, const struct yl_at *list, const char *field)
{
    struct yl_node *set = yl_node_new_object(c->arena);

    YL_CHECK_FOR_EACH (c, item, list) {
        yl_set_add(c->arena, set, yl_at_get_str(c, &item, field));
    }
    return set;
}
