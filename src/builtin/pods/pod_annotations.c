/* Validation of annotations that have a meaning for Pods. */

#include "builtin/go/go_value.h"
#include "builtin/pods/pod.h"
#include "builtin/pods/pod_check.h"
#include "gen/core_v1_go.h"

#define MIRROR "kubernetes.io/config.mirror"
#define DELETION_COST "controller.kubernetes.io/pod-deletion-cost"
#define SECCOMP_POD "seccomp.security.alpha.kubernetes.io/pod"
#define SECCOMP_CONTAINER "container.seccomp.security.alpha.kubernetes.io/"
#define TOLERATIONS "scheduler.alpha.kubernetes.io/tolerations"
#define APP_ARMOR "container.apparmor.security.beta.kubernetes.io/"

/* The words that an old annotation uses for the values of the field that
 * replaced it. */
struct profile_words {
    const char *what;           /* In a message. */
    const char *runtime_default;
    const char *docker_default; /* May be NULL. */
};

static const struct profile_words seccomp =
    { "seccomp", "runtime/default", "docker/default" };
static const struct profile_words app_armor =
    { "apparmor", "runtime/default", NULL };

static bool find(const struct yl_at *annotations, const char *key,
                 struct yl_at *ret_annotation);
static void check_old_tolerations(struct yl_check *,
                                  const struct yl_at *annotations,
                                  const struct yl_at *annotation);
static void check_deletion_cost(struct yl_check *, const struct yl_at *);
static void check_seccomp(struct yl_check *, const struct yl_at *annotations,
                          const struct yl_at *annotation);
static void check_app_armor(struct yl_check *, const struct yl_at *annotation,
                            const struct yl_node *names);
static void check_match(struct yl_check *, struct yl_str annotation,
                        const struct yl_at *profile,
                        const struct profile_words *);

void
yl_check_pod_annotations(struct yl_check *c, const struct yl_at *annotations,
                         const struct yl_at *spec)
{
    struct yl_node *names = yl_node_new_object(c->arena);
    struct yl_at list, at;
    size_t i;

    for (i = 0; yl_pod_container_list(spec, i, &list); i++) {
        YL_CHECK_FOR_EACH (c, container, &list) {
            yl_set_add(c->arena, names, yl_at_get_str(c, &container, "name"));
        }
    }
    if (find(annotations, MIRROR, &at) && yl_at_get_is(spec, "nodeName", "")) {
        yl_field_invalid(c->err, yl_at_path(&at), yl_bad_str(c, &at),
                         "must set spec.nodeName if mirror pod annotation is "
                         "set");
    }
    if (find(annotations, TOLERATIONS, &at)) {
        check_old_tolerations(c, annotations, &at);
    }
    if (find(annotations, DELETION_COST, &at)) {
        check_deletion_cost(c, &at);
    }
    if (find(annotations, SECCOMP_POD, &at)) {
        check_seccomp(c, annotations, &at);
    }
    YL_CHECK_FOR_EACH (c, annotation, annotations) {
        if (yl_str_starts_with(yl_at_key(&annotation),
                               YL_STR(SECCOMP_CONTAINER))) {
            check_seccomp(c, annotations, &annotation);
        }
    }
    YL_CHECK_FOR_EACH (c, annotation, annotations) {
        if (yl_str_starts_with(yl_at_key(&annotation), YL_STR(APP_ARMOR))) {
            check_app_armor(c, &annotation, names);
        }
    }
}

void
yl_check_profiles_match(struct yl_check *c, const struct yl_at *annotations,
                        const struct yl_at *spec)
{
    struct yl_at context = yl_at(spec, "securityContext");
    struct yl_at of_pod = yl_at(&context, "seccompProfile");
    struct yl_at armor_of_pod = yl_at(&context, "appArmorProfile");
    struct yl_at os = yl_at(spec, "os");
    struct yl_at list;
    size_t i;

    if (!yl_at_has(annotations)) {
        return;
    }
    if (yl_at_get_has(annotations, SECCOMP_POD)) {
        check_match(c, yl_at_get_str(c, annotations, SECCOMP_POD), &of_pod,
                    &seccomp);
    }
    for (i = 0; yl_pod_container_list(spec, i, &list); i++) {
        YL_CHECK_FOR_EACH (c, container, &list) {
            struct yl_str name = yl_at_get_str(c, &container, "name");
            struct yl_at own = yl_at(&container, "securityContext");
            struct yl_at profile = yl_at(&own, "seccompProfile");
            struct yl_at armor = yl_at(&own, "appArmorProfile");
            const char *key = yl_arena_printf(
                c->arena, SECCOMP_CONTAINER "%.*s", YL_STR_ARG(name));

            if (yl_at_get_has(annotations, key)) {
                check_match(c, yl_at_get_str(c, annotations, key), &profile,
                            &seccomp);
            }
            key = yl_arena_printf(c->arena, APP_ARMOR "%.*s",
                                  YL_STR_ARG(name));
            if (!yl_at_has(&armor)) {
                armor.node = armor_of_pod.node;
            }
            if (yl_at_get_has(annotations, key)
                && !yl_at_get_is(&os, "name", "windows")) {
                check_match(c, yl_at_get_str(c, annotations, key), &armor,
                            &app_armor);
            }
        }
    }
}

struct yl_bad_value
yl_bad_claim(const struct yl_check *c, const struct yl_at *claim)
{
    return yl_bad_struct(c, claim->node, YL_GO(core_v1, pod_resource_claim));
}

static bool
find(const struct yl_at *annotations, const char *key,
     struct yl_at *ret_annotation)
{
    YL_AT_FOR_EACH (annotation, annotations) {
        if (yl_str_equal_c(yl_at_key(&annotation), key)) {
            *ret_annotation = annotation;
            return true;
        }
    }
    return false;
}

/* Checks the old annotation for tolerations, from before the field existed. */
static void
check_old_tolerations(struct yl_check *c, const struct yl_at *annotations,
                      const struct yl_at *annotation)
{
    struct yl_at list = yl_at_node(annotations, TOLERATIONS, NULL);
    struct yl_str text = yl_at_str(c, annotation);
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *root;

    if (!text.size) {
        return;
    }
    if (yl_tree_parse(c->arena, text, NULL, &root, &err) < 0) {
        yl_field_invalid(c->err, yl_at_path(annotations),
                         yl_bad_string(YL_STR(TOLERATIONS)), "%s",
                         yl_error_message(&err));
        yl_error_clear(&err);
        return;
    }
    list.node = root;
    yl_check_tolerations(c, &list);
}

static void
check_deletion_cost(struct yl_check *c, const struct yl_at *annotation)
{
    struct yl_str s = yl_at_str(c, annotation);
    long long cost;

    /* A leading zero is refused, so that there is one text for one cost. */
    if (yl_str_to_i64(s, &cost) < 0 || cost < INT32_MIN || cost > INT32_MAX
        || (s.size > 1 && s.data[0] == '0')) {
        yl_field_invalid(c->err, yl_at_path(annotation), yl_bad_string(s),
                         "must be a 32bit integer");
    }
}

static void
check_seccomp(struct yl_check *c, const struct yl_at *annotations,
              const struct yl_at *annotation)
{
    struct yl_str s = yl_at_str(c, annotation);
    struct yl_at shown = yl_at_node(annotations, "", annotation->node);

    shown.path.name = yl_at_key(annotation);
    if (yl_str_equal_c(s, "runtime/default")
        || yl_str_equal_c(s, "docker/default")
        || yl_str_equal_c(s, "unconfined")) {
        return;
    }
    if (yl_str_starts_with(s, YL_STR("localhost/"))) {
        shown.node = yl_node_new_string(c->arena,
                                        yl_str_skip(s, strlen("localhost/")));
        yl_check_local_path(c, &shown);
        return;
    }
    yl_field_invalid(c->err, yl_at_path(&shown), yl_bad_string(s),
                     "must be a valid seccomp profile");
}

static void
check_app_armor(struct yl_check *c, const struct yl_at *annotation,
                const struct yl_node *names)
{
    struct yl_str name = yl_str_skip(yl_at_key(annotation),
                                     strlen(APP_ARMOR));
    struct yl_str s = yl_at_str(c, annotation);

    if (!yl_node_get(names, name)) {
        yl_field_invalid(c->err, yl_at_path(annotation), yl_bad_string(name),
                         "container not found");
    }
    if (s.size && !yl_str_equal_c(s, "runtime/default")
        && !yl_str_equal_c(s, "unconfined")
        && !yl_str_starts_with(s, YL_STR("localhost/"))) {
        yl_field_invalid(c->err, yl_at_path(annotation), yl_bad_string(s),
                         "invalid AppArmor profile name: \"%.*s\"",
                         YL_STR_ARG(s));
    }
}

/* If an annotation and a field say the same thing, they must agree. */
static void
check_match(struct yl_check *c, struct yl_str annotation,
            const struct yl_at *profile, const struct profile_words *words)
{
    struct yl_at type = yl_at(profile, "type");
    struct yl_at path = yl_at(profile, "localhostProfile");
    bool good = true;

    if (!yl_at_has(profile)) {
        return;
    }
    if (yl_at_is(&type, "Unconfined")) {
        good = yl_str_equal_c(annotation, "unconfined");
    } else if (yl_at_is(&type, "RuntimeDefault")) {
        good = yl_str_equal_c(annotation, words->runtime_default)
               || (words->docker_default
                   && yl_str_equal_c(annotation, words->docker_default));
    } else if (yl_at_is(&type, "Localhost")) {
        good = yl_str_starts_with(annotation, YL_STR("localhost/"));
        if (good && !yl_str_equal(yl_str_skip(annotation, 10),
                                  yl_at_str(c, &path))) {
            yl_field_forbidden(c->err, yl_at_path(&path),
                               "%s profile in annotation and field must "
                               "match", words->what);
        }
    }
    if (!good) {
        yl_field_forbidden(c->err, yl_at_path(&type),
                           "%s type in annotation and field must match",
                           words->what);
    }
}
