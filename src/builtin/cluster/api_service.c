/* APIService: defaults, validation, updates. */

#include "builtin/common/meta.h"
#include "builtin/rows.h"
#include "yuloh/time.h"

#define MAX_GROUP_PRIORITY 20000
#define MAX_VERSION_PRIORITY 1000

static const struct yl_meta_rule rule =
    { YL_NAME_PATH_SEGMENT, false, true };

static void check_name(struct yl_check *, const struct yl_at *root);
static void check_local(struct yl_check *, const struct yl_at *spec);
static void check_remote(struct yl_check *, const struct yl_at *spec);

void
yl_api_service_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *service =
        yl_member_object(yl_member_object(object, "spec"), "service");

    yl_member_default_int_ptr(arena, service, "port", 443);
}

/* An APIService without a service is served by this server, so it is available
 * at once. */
void
yl_api_service_prepare(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *condition, *list;
    char now[YL_TIME_TEXT_SIZE];

    yl_member_set(arena, object, "status", yl_node_new_object(arena));
    if (yl_member_object(yl_member_object(object, "spec"), "service")) {
        return;
    }
    condition = yl_node_new_object(arena);
    list = yl_node_new_array(arena);
    yl_time_write(yl_time_now(), now);
    yl_member_set_str(arena, condition, "type", "Available");
    yl_member_set_str(arena, condition, "status", "True");
    yl_member_set_str(arena, condition, "lastTransitionTime", now);
    yl_member_set_str(arena, condition, "reason", "Local");
    yl_member_set_str(arena, condition, "message",
                      "Local APIServices are always available");
    yl_node_append(list, condition);
    yl_member_set(arena, yl_member_make(arena, object, "status"), "conditions",
                  list);
}

void
yl_api_service_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at group = yl_at(&spec, "group");
    struct yl_at version = yl_at(&spec, "version");
    struct yl_at minimum = yl_at(&spec, "groupPriorityMinimum");
    struct yl_at priority = yl_at(&spec, "versionPriority");
    int64_t n = yl_at_int(&minimum), m = yl_at_int(&priority);

    yl_check_object_meta(c, object, &rule);
    check_name(c, &root);
    if (yl_at_is(&group, "") && !yl_at_is(&version, "v1")) {
        yl_field_required(c->err, yl_at_path(&group),
                          "only v1 may have an empty group and it better be "
                          "legacy kube");
    }
    if (!yl_at_is(&group, "")) {
        yl_check_name(c, &group, YL_NAME_DNS1123_SUBDOMAIN);
    }
    yl_check_name(c, &version, YL_NAME_DNS1035_LABEL);
    if (n <= 0 || n > MAX_GROUP_PRIORITY) {
        yl_field_invalid(c->err, yl_at_path(&minimum), yl_bad_int(n),
                         "must be positive and less than 20000");
    }
    if (m <= 0 || m > MAX_VERSION_PRIORITY) {
        yl_field_invalid(c->err, yl_at_path(&priority), yl_bad_int(m),
                         "must be positive and less than 1000");
    }
    if (yl_at_get_has(&spec, "service")) {
        check_remote(c, &spec);
    } else {
        check_local(c, &spec);
    }
}

void
yl_api_service_validate_update(struct yl_check *c,
                               const struct yl_node *object,
                               const struct yl_node *old)
{
    yl_check_object_meta_update(c, object, old, &rule);
    yl_api_service_validate(c, object);
}

void
yl_api_service_validate_status(struct yl_check *c,
                               const struct yl_node *object,
                               const struct yl_node *old)
{
    static const char *const statuses[] = { "True", "False", "Unknown",
                                            NULL };
    struct yl_at root = yl_at_root(object);
    struct yl_at status = yl_at(&root, "status");
    struct yl_at conditions = yl_at(&status, "conditions");

    yl_check_object_meta_update(c, object, old, &rule);
    YL_CHECK_FOR_EACH (c, condition, &conditions) {
        struct yl_at one = yl_at(&condition, "status");

        yl_check_one_of(c, &one, statuses);
    }
}

/* VERSION.GROUP */
static void
check_name(struct yl_check *c, const struct yl_at *root)
{
    struct yl_at metadata = yl_at(root, "metadata");
    struct yl_at name = yl_at(&metadata, "name");
    struct yl_at spec = yl_at(root, "spec");
    struct yl_str group = yl_at_get_str(c, &spec, "group");
    struct yl_str version = yl_at_get_str(c, &spec, "version");
    const char *want = yl_arena_printf(c->arena, "%.*s.%.*s",
                                       YL_STR_ARG(version),
                                       YL_STR_ARG(group));
    struct yl_str s = yl_at_str(c, &name);

    if (s.size && yl_name_check(YL_NAME_PATH_SEGMENT, s, NULL) == 0
        && !yl_str_equal_c(s, want)) {
        yl_field_invalid(c->err, yl_at_path(&name), yl_bad_string(s),
                         "must be `spec.version+\".\"+spec.group`: \"%s\"",
                         want);
    }
}

static void
check_local(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at bundle = yl_at(spec, "caBundle");
    struct yl_at insecure = yl_at(spec, "insecureSkipTLSVerify");
    struct yl_str s = yl_at_str(c, &bundle);

    if (s.size) {
        yl_field_invalid(c->err, yl_at_path(&bundle),
                         yl_bad_string(yl_str_c(yl_arena_printf(
                             c->arena, "%zu bytes", s.size / 4 * 3))),
                         "local APIServices may not have a caBundle");
    }
    if (yl_at_bool(&insecure)) {
        yl_field_invalid(c->err, yl_at_path(&insecure), yl_bad_bool(true),
                         "local APIServices may not have "
                         "insecureSkipTLSVerify");
    }
}

static void
check_remote(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at service = yl_at(spec, "service");
    struct yl_at namespace = yl_at(&service, "namespace");
    struct yl_at name = yl_at(&service, "name");
    struct yl_at port = yl_at(&service, "port");
    struct yl_at bundle = yl_at(spec, "caBundle");
    struct yl_at insecure = yl_at(spec, "insecureSkipTLSVerify");
    int64_t n = yl_at_int(&port);

    yl_check_required(c, &namespace);
    yl_check_required(c, &name);
    if (n < 1 || n > 65535) {
        yl_field_invalid(c->err, yl_at_path(&port), yl_bad_int(n),
                         "port is not valid: must be between 1 and 65535, "
                         "inclusive");
    }
    if (yl_at_bool(&insecure) && !yl_at_is(&bundle, "")) {
        yl_field_invalid(c->err, yl_at_path(&insecure), yl_bad_bool(true),
                         "may not be true if caBundle is present");
    }
}
