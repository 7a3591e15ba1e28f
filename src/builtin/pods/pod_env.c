/* Validation of environment variables, and of references to fields of the Pod
 * in variables and volumes. */

#include "builtin/pods/pod_check.h"

static void check_value_from(struct yl_check *, const struct yl_at *var);
static void check_key_ref(struct yl_check *, const struct yl_at *ref);
static void check_file_key_ref(struct yl_check *, const struct yl_at *ref);
static void check_source_name(struct yl_check *, const struct yl_at *source);
static void check_divisor(struct yl_check *, const struct yl_at *ref,
                          struct yl_str resource);
static bool is_hugepages(struct yl_str resource);
static bool split_subscript(struct yl_str path, struct yl_str *ret_path,
                            struct yl_str *ret_subscript);

void
yl_check_env(struct yl_check *c, const struct yl_at *env)
{
    YL_CHECK_FOR_EACH (c, var, env) {
        struct yl_at name = yl_at(&var, "name");

        if (yl_check_required(c, &name)) {
            yl_check_env_name(c, &name);
        }
        if (yl_at_get_has(&var, "valueFrom")) {
            check_value_from(c, &var);
        }
    }
}

void
yl_check_env_from(struct yl_check *c, const struct yl_at *env_from)
{
    YL_CHECK_FOR_EACH (c, source, env_from) {
        struct yl_at prefix = yl_at(&source, "prefix");
        struct yl_at config = yl_at(&source, "configMapRef");
        struct yl_at secret = yl_at(&source, "secretRef");

        if (yl_at_str(c, &prefix).size) {
            yl_check_env_name(c, &prefix);
        }
        if (yl_at_has(&config)) {
            check_source_name(c, &config);
        }
        if (yl_at_has(&secret)) {
            check_source_name(c, &secret);
        }
        if (!yl_at_has(&config) && !yl_at_has(&secret)) {
            yl_field_invalid(c->err, yl_at_path(env_from),
                             yl_bad_string(YL_STR("")),
                             "must specify one of: `configMapRef` or "
                             "`secretRef`");
        } else if (yl_at_has(&config) && yl_at_has(&secret)) {
            yl_field_invalid(c->err, yl_at_path(env_from),
                             yl_bad_string(YL_STR("")),
                             "may not have more than one field specified at a "
                             "time");
        }
    }
}

void
yl_check_field_ref(struct yl_check *c, const struct yl_at *ref, bool volume)
{
    static const char *const for_env[] = {
        "metadata.name", "metadata.namespace", "metadata.uid",
        "spec.nodeName", "spec.serviceAccountName", "status.hostIP",
        "status.hostIPs", "status.podIP", "status.podIPs", NULL
    };
    static const char *const for_volumes[] = {
        "metadata.annotations", "metadata.labels", "metadata.name",
        "metadata.namespace", "metadata.uid", NULL
    };
    static const char *const labels[] = {
        "metadata.annotations", "metadata.labels", "metadata.name",
        "metadata.namespace", "metadata.uid", "spec.nodeName",
        "spec.restartPolicy", "spec.schedulerName",
        "spec.serviceAccountName", "status.hostIP", "status.hostIPs",
        "status.phase", "status.podIP", "status.podIPs", "spec.host", NULL
    };
    struct yl_at version = yl_at(ref, "apiVersion");
    struct yl_at field = yl_at(ref, "fieldPath");
    struct yl_str text = yl_at_str(c, &field), path, subscript;
    bool annotation, known = false;
    size_t i;

    if (!yl_check_required(c, &version) || !yl_check_required(c, &field)) {
        return;
    }
    if (split_subscript(text, &path, &subscript)) {
        annotation = yl_str_equal_c(path, "metadata.annotations");
        if (annotation || yl_str_equal_c(path, "metadata.labels")) {
            char *copy = yl_arena_strdup(c->arena, subscript);

            for (i = 0; annotation && i < subscript.size; i++) {
                if (copy[i] >= 'A' && copy[i] <= 'Z') {
                    copy[i] = (char) (copy[i] + 'a' - 'A');
                }
            }
            yl_check_name_of(c, yl_at_path(ref), YL_NAME_QUALIFIED,
                             yl_str_n(copy, subscript.size));
            return;
        }
        yl_field_invalid(c->err, yl_at_path(&field), yl_bad_string(text),
                         "error converting fieldPath: field label does not "
                         "support subscript: %.*s", YL_STR_ARG(text));
        return;
    }
    for (i = 0; labels[i]; i++) {
        known |= yl_str_equal_c(text, labels[i]);
    }
    if (!yl_at_is(&version, "v1")) {
        yl_field_invalid(c->err, yl_at_path(&field), yl_bad_string(text),
                         "error converting fieldPath: unsupported pod "
                         "version: %.*s", YL_STR_ARG(yl_at_str(c, &version)));
    } else if (!known) {
        yl_field_invalid(c->err, yl_at_path(&field), yl_bad_string(text),
                         "error converting fieldPath: field label not "
                         "supported: %.*s", YL_STR_ARG(text));
    } else if (yl_str_equal_c(text, "spec.host")) {
        struct yl_at converted = field;

        converted.node = yl_node_new_string(c->arena,
                                            YL_STR("spec.nodeName"));
        yl_check_one_of(c, &converted, volume ? for_volumes : for_env);
    } else {
        yl_check_one_of(c, &field, volume ? for_volumes : for_env);
    }
}

void
yl_check_resource_ref(struct yl_check *c, const struct yl_at *ref,
                      bool volume)
{
    static const char *const supported[] = {
        "limits.cpu", "limits.ephemeral-storage", "limits.memory",
        "requests.cpu", "requests.ephemeral-storage", "requests.memory", NULL
    };
    struct yl_at container = yl_at(ref, "containerName");
    struct yl_at resource = yl_at(ref, "resource");
    struct yl_str name = yl_at_str(c, &resource);

    if (volume && !yl_at_str(c, &container).size) {
        yl_field_required(c->err, yl_at_path(&container), NULL);
    } else if (yl_check_required(c, &resource) && !is_hugepages(name)) {
        yl_check_one_of(c, &resource, supported);
    }
    check_divisor(c, ref, name);
}

static void
check_value_from(struct yl_check *c, const struct yl_at *var)
{
    struct yl_at from = yl_at(var, "valueFrom");
    struct yl_at field = yl_at(&from, "fieldRef");
    struct yl_at resource = yl_at(&from, "resourceFieldRef");
    struct yl_at config = yl_at(&from, "configMapKeyRef");
    struct yl_at secret = yl_at(&from, "secretKeyRef");
    struct yl_at file = yl_at(&from, "fileKeyRef");
    int n = 0;

    if (yl_at_has(&field)) {
        n++;
        yl_check_field_ref(c, &field, false);
    }
    if (yl_at_has(&resource)) {
        n++;
        yl_check_resource_ref(c, &resource, false);
    }
    if (yl_at_has(&config)) {
        n++;
        check_key_ref(c, &config);
    }
    if (yl_at_has(&secret)) {
        n++;
        check_key_ref(c, &secret);
    }
    if (yl_at_has(&file)) {
        n++;
        check_file_key_ref(c, &file);
    }
    if (!n) {
        yl_field_invalid(c->err, yl_at_path(&from), yl_bad_string(YL_STR("")),
                         "must specify one of: `fieldRef`, "
                         "`resourceFieldRef`, `configMapKeyRef`, "
                         "`secretKeyRef` or `fileKeyRef`");
    } else if (yl_at_get_str(c, var, "value").size) {
        yl_field_invalid(c->err, yl_at_path(&from), yl_bad_string(YL_STR("")),
                         "may not be specified when `value` is not empty");
    } else if (n > 1) {
        yl_field_invalid(c->err, yl_at_path(&from), yl_bad_string(YL_STR("")),
                         "may not have more than one field specified at a "
                         "time");
    }
}

static void
check_key_ref(struct yl_check *c, const struct yl_at *ref)
{
    struct yl_at name = yl_at(ref, "name");
    struct yl_at key = yl_at(ref, "key");

    yl_check_name(c, &name, YL_NAME_DNS1123_SUBDOMAIN);
    if (yl_check_required(c, &key)) {
        yl_check_config_key(c, &key, yl_at_str(c, &key));
    }
}

static void
check_file_key_ref(struct yl_check *c, const struct yl_at *ref)
{
    struct yl_at key = yl_at(ref, "key");
    struct yl_at volume = yl_at(ref, "volumeName");
    struct yl_at path = yl_at(ref, "path");

    if (yl_check_required(c, &key)) {
        yl_check_env_name(c, &key);
    }
    if (yl_check_required(c, &volume)) {
        yl_check_name(c, &volume, YL_NAME_DNS1123_LABEL);
    }
    if (yl_check_required(c, &path)) {
        yl_check_no_backsteps(c, &path);
    }
}

/* Upstream checks the name like a generateName, so a trailing '-' is
 * allowed. */
static void
check_source_name(struct yl_check *c, const struct yl_at *source)
{
    struct yl_at name = yl_at(source, "name");
    struct yl_str s = yl_at_str(c, &name);
    struct yl_name_faults faults;
    size_t i;

    if (!yl_check_required(c, &name)
        || yl_name_check_prefix(YL_NAME_DNS1123_SUBDOMAIN, s, &faults) == 0) {
        return;
    }
    for (i = 0; i < faults.n_faults; i++) {
        yl_field_invalid(c->err, yl_at_path(&name), yl_bad_string(s), "%s",
                         faults.faults[i]);
    }
}

static void
check_divisor(struct yl_check *c, const struct yl_at *ref,
              struct yl_str resource)
{
    static const char *const divisors[] = {
        "1m", "1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi",
        "1Ti", "1Pi", "1Ei"
    };
    struct yl_at divisor = yl_at(ref, "divisor");
    char room[YL_QUANTITY_TEXT_SIZE];
    const char *what = NULL;
    bool cpu = yl_str_ends_with(resource, YL_STR("s.cpu"));
    struct yl_quantity q;
    struct yl_str text;
    size_t i;

    if (!yl_at_has(&divisor)
        || !yl_node_quantity(c->arena, divisor.node, &q)
        || !yl_quantity_sign(&q)) {
        return;
    }
    if (yl_str_ends_with(resource, YL_STR("s.memory"))) {
        what = "memory";
    } else if (yl_str_ends_with(resource, YL_STR("s.ephemeral-storage"))) {
        what = "local ephemeral storage";
    } else if (is_hugepages(resource)) {
        what = "hugepages";
    }
    text = yl_quantity_text(&q, room);
    for (i = cpu ? 0 : 1; i < (cpu ? 2 : sizeof divisors / sizeof *divisors);
         i++) {
        if (yl_str_equal_c(text, divisors[i])) {
            return;
        }
    }
    if (cpu) {
        yl_field_invalid(c->err, yl_at_path(&divisor),
                         yl_bad_string(resource),
                         "only divisor's values 1m and 1 are supported with "
                         "the cpu resource");
    } else if (what) {
        yl_field_invalid(c->err, yl_at_path(&divisor),
                         yl_bad_string(resource),
                         "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, "
                         "1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the "
                         "%s resource", what);
    }
}

static bool
is_hugepages(struct yl_str resource)
{
    return yl_str_starts_with(resource, YL_STR("requests.hugepages-"))
           || yl_str_starts_with(resource, YL_STR("limits.hugepages-"));
}

/* PATH['SUBSCRIPT'] */
static bool
split_subscript(struct yl_str path, struct yl_str *ret_path,
                struct yl_str *ret_subscript)
{
    size_t i;

    if (!yl_str_ends_with(path, YL_STR("']"))) {
        return false;
    }
    for (i = 0; i + 3 < path.size; i++) {
        if (path.data[i] == '[' && path.data[i + 1] == '\'') {
            *ret_path = yl_str_n(path.data, i);
            *ret_subscript = yl_str_n(path.data + i + 2, path.size - i - 4);
            return i > 0;
        }
    }
    return false;
}
