/* AppArmor's annotations of a new Pod: they are copied into the fields that
 * replaced them, in the containers that they name. */

#include <string.h>

#include "builtin/pods/pod.h"
#include "builtin/pods/pod_check.h"
#include "builtin/rows.h"
#include "builtin/warnings/warnings.h"

#define PREFIX "container.apparmor.security.beta.kubernetes.io/"
#define MAX_PROFILE 4095

static bool is_good(struct yl_arena *, const struct yl_node *profile);
static struct yl_node *to_copy(struct yl_arena *, const struct yl_node *pod,
                               const struct yl_at *container,
                               struct yl_at *ret_annotation, bool *ret_warn);

struct yl_node *
yl_app_armor_profile(struct yl_arena *arena, struct yl_str annotation)
{
    struct yl_node *profile = yl_node_new_object(arena);
    struct yl_str path = yl_str_skip(annotation, strlen("localhost/"));

    if (yl_str_equal_c(annotation, "unconfined")) {
        yl_member_set_str(arena, profile, "type", "Unconfined");
    } else if (yl_str_equal_c(annotation, "runtime/default")) {
        yl_member_set_str(arena, profile, "type", "RuntimeDefault");
    } else if (yl_str_starts_with(annotation, YL_STR("localhost/"))
               && path.size) {
        yl_member_set_str(arena, profile, "type", "Localhost");
        yl_member_set(arena, profile, "localhostProfile",
                      yl_node_new_string(arena, path));
    } else {
        return NULL;
    }
    return profile;
}

void
yl_pod_copy_app_armor(struct yl_arena *arena, struct yl_node *pod)
{
    static const char *const lists[] = { "initContainers", "containers",
                                         "ephemeralContainers" };
    struct yl_node *spec = yl_member_object(pod, "spec"), *container, *profile;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(lists); i++) {
        YL_MEMBER_EACH (container, spec, lists[i]) {
            struct yl_at at = yl_at_root(container), annotation;
            bool warned;

            profile = to_copy(arena, pod, &at, &annotation, &warned);
            if (profile) {
                yl_member_set(
                    arena, yl_member_make(arena, container, "securityContext"),
                    "appArmorProfile", profile);
            }
        }
    }
}

void
yl_pod_warn_first(struct yl_warnings *w, const struct yl_node *object,
                  const struct yl_node *old YL_UNUSED)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec"), list;
    size_t i;

    for (i = 0; yl_pod_container_list(&spec, i, &list); i++) {
        YL_AT_FOR_EACH (container, &list) {
            struct yl_at annotation;
            bool warned = false;

            (void) to_copy(w->arena, object, &container, &annotation,
                           &warned);
            if (warned) {
                yl_warn(w, "metadata.annotations[%.*s]: deprecated since "
                           "v1.30; use the \"appArmorProfile\" field instead",
                        YL_STR_ARG(yl_node_key(annotation.node)));
            }
        }
    }
}

static bool
is_good(struct yl_arena *arena, const struct yl_node *profile)
{
    struct yl_check c = { arena, NULL };
    struct yl_at at = yl_at_root(profile);
    struct yl_str path = yl_at_get_str(&c, &at, "localhostProfile");

    return path.size <= MAX_PROFILE && yl_str_trim(path).size == path.size;
}

/* The profile in the annotation of a container, if the container's field does
 * not say it already; else NULL. */
static struct yl_node *
to_copy(struct yl_arena *arena, const struct yl_node *pod,
        const struct yl_at *container, struct yl_at *ret_annotation,
        bool *ret_warn)
{
    struct yl_check c = { arena, NULL };
    struct yl_node *spec = yl_member_object(pod, "spec"), *profile;
    struct yl_at os = yl_at_root(yl_member_object(spec, "os"));
    struct yl_at annotations = yl_at_root(
        yl_member_object(yl_member_object(pod, "metadata"), "annotations"));
    struct yl_at context = yl_at(container, "securityContext");
    struct yl_str name = yl_at_get_str(&c, container, "name");
    struct yl_node *of_pod = yl_member_object(
        yl_member_object(spec, "securityContext"), "appArmorProfile");

    *ret_warn = false;
    *ret_annotation = yl_at(&annotations,
                            yl_arena_printf(arena, PREFIX "%.*s",
                                            YL_STR_ARG(name)));
    if (!yl_at_has(ret_annotation)
        || yl_at_get_has(&context, "appArmorProfile")
        || yl_at_get_is(&os, "name", "windows")) {
        return NULL;
    }
    profile = yl_app_armor_profile(arena, yl_at_str(&c, ret_annotation));
    if (profile && !is_good(arena, profile)) {
        profile = NULL;
    }
    *ret_warn = !profile || !yl_node_same(profile, of_pod);
    return *ret_warn ? profile : NULL;
}
