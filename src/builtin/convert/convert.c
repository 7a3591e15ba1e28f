/* Versions of the built-in kinds.  See builtin/convert/convert.h for the
 * contract. */

#include "builtin/convert/convert.h"

#include "builtin/convert/convert_crd.h"
#include "builtin/convert/convert_event.h"
#include "builtin/convert/convert_hpa.h"
#include "json/tree.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

typedef int convert_fn(struct yl_arena *, struct yl_node *object,
                       struct yl_error *err);

static convert_fn cron_job_to_v2alpha1;

/* One row for each version that is not the hub.  If a row has no functions,
 * only the apiVersion differs. */
static const struct conversion {
    const char *group, *kind;
    const char *hub;
    const char *other_group;    /* This version's group; NULL: the hub's. */
    const char *version;
    convert_fn *to_hub, *from_hub;
} conversions[] = {
    { "batch", "CronJob", "v1", NULL, "v1beta1", NULL, NULL },
    { "batch", "CronJob", "v1", NULL, "v2alpha1", NULL, cron_job_to_v2alpha1 },
    { "apiextensions.k8s.io", "CustomResourceDefinition", "v1", NULL,
      "v1beta1", yl_convert_crd_to_v1, yl_convert_crd_to_v1beta1 },
    { "autoscaling", "HorizontalPodAutoscaler", "v2", NULL, "v1",
      yl_convert_hpa_to_v2, yl_convert_hpa_to_v1 },
    { "", "Event", "v1", "events.k8s.io", "v1", yl_convert_event_to_core,
      yl_convert_event_to_events },
};

static int find(struct yl_str group, struct yl_str kind,
                struct yl_str version, const struct conversion **ret_row);
static struct yl_gv gv_of(struct yl_arena *, const struct yl_node *object);
static struct yl_str text(struct yl_arena *, const struct yl_node *object,
                          const char *key);

const char *
yl_builtin_hub(struct yl_str group, struct yl_str kind)
{
    for (size_t i = 0; i < YL_ARRAY_SIZE(conversions); i++) {
        if (yl_str_equal_c(group, conversions[i].group)
            && yl_str_equal_c(kind, conversions[i].kind)) {
            return conversions[i].hub;
        }
    }
    return NULL;
}

int
yl_builtin_convert(struct yl_arena *arena, struct yl_node *object,
                   struct yl_str version, struct yl_error *err)
{
    struct yl_gv to = gv_of(arena, object);

    to.version = version;
    return yl_builtin_convert_gv(arena, object, to, err);
}

int
yl_builtin_convert_gv(struct yl_arena *arena, struct yl_node *object,
                      struct yl_gv gv, struct yl_error *err)
{
    struct yl_gv old = gv_of(arena, object);
    struct yl_str kind = text(arena, object, "kind");
    const struct conversion *from, *to;
    int r;

    if (yl_str_equal(old.group, gv.group)
        && yl_str_equal(old.version, gv.version)) {
        return 0;
    }
    if (find(old.group, kind, old.version, &from) < 0
        || find(gv.group, kind, gv.version, &to) < 0) {
        struct yl_str api_version = text(arena, object, "apiVersion");

        yl_error_set(err, YL_EINVALID,
                     "%.*s of %.*s cannot be converted to version %.*s",
                     YL_STR_ARG(kind), YL_STR_ARG(api_version),
                     YL_STR_ARG(gv.version));
        return YL_EINVALID;
    }
    if (from && from->to_hub) {
        r = from->to_hub(arena, object, err);
        if (r < 0) {
            return r;
        }
    }
    if (to && to->from_hub) {
        r = to->from_hub(arena, object, err);
        if (r < 0) {
            return r;
        }
    }
    yl_node_set(arena, object, YL_STR("apiVersion"),
                yl_node_new_string(arena, yl_gv_api_version(gv, arena)));
    return 0;
}

static int
cron_job_to_v2alpha1(struct yl_arena *arena YL_UNUSED,
                     struct yl_node *object,
                     struct yl_error *err YL_UNUSED)
{
    yl_node_remove(yl_node_get(object, YL_STR("spec")), YL_STR("timeZone"));
    yl_node_remove(yl_node_get(object, YL_STR("status")),
                   YL_STR("lastSuccessfulTime"));
    return 0;
}

/* 0 with the row of a version, or with NULL for the hub; negative if the kind
 * has no such version. */
static int
find(struct yl_str group, struct yl_str kind, struct yl_str version,
     const struct conversion **ret_row)
{
    const char *hub = yl_builtin_hub(group, kind);

    if (hub && yl_str_equal_c(version, hub)) {
        *ret_row = NULL;
        return 0;
    }
    for (size_t i = 0; i < YL_ARRAY_SIZE(conversions); i++) {
        const struct conversion *row = &conversions[i];

        if (yl_str_equal_c(group, row->other_group ? row->other_group
                                                   : row->group)
            && yl_str_equal_c(kind, row->kind)
            && yl_str_equal_c(version, row->version)) {
            *ret_row = row;
            return 0;
        }
    }
    return YL_EINVALID;
}

static struct yl_gv
gv_of(struct yl_arena *arena, const struct yl_node *object)
{
    struct yl_str api_version = text(arena, object, "apiVersion");
    struct yl_gv gv;

    if (!yl_str_cut(api_version, '/', &gv.group, &gv.version)) {
        gv.group = YL_STR("");
        gv.version = api_version;
    }
    return gv;
}

static struct yl_str
text(struct yl_arena *arena, const struct yl_node *object, const char *key)
{
    struct yl_str s;

    return yl_node_string(yl_node_get(object, yl_str_c(key)), arena, &s) < 0
           ? YL_STR("") : s;
}
