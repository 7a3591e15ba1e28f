#ifndef TESTS_WIDGETS_H
#define TESTS_WIDGETS_H 1

/* A kind that Kubernetes does not have, for tests of the general code: Widgets
 * of example.com, in two versions.
 *
 *     v1        spec: { replicas, color, parts }, status: { replicas, phase,
 *               labels }    the hub
 *     v1beta1   the same, but spec.count in the place of spec.replicas
 *
 * They have /status and /scale.  How they behave is up to the strategy that a
 * test passes. */

#include "apiserver/strategy/strategy.h"
#include "json/member.h"
#include "schema/at.h"
#include "schema/field_error.h"
#include "schema_set.h"
#include "verb_rig.h"

#define WIDGETS "/apis/example.com/v1/namespaces/ns/widgets"
#define WIDGETS_BETA "/apis/example.com/v1beta1/namespaces/ns/widgets"

extern const struct yl_type_set meta_v1_types;

static const struct yl_scale_paths widgets_paths = {
    ".spec.replicas", ".status.replicas", ".status.labels",
};

static struct widgets {
    struct schema_set *sets[2];
    const struct yl_type_set *imports[1];
    struct yl_kind kinds[2];
    const struct yl_kind *kind_lists[2][1];
    struct yl_api_version versions[2];
    struct yl_api_subresource subresources[2];
} widgets;

/* Gives the first type of a set the field metadata. */
static inline void
widgets_set_metadata(struct schema_set *s)
{
    const struct yl_field *field = yl_type_field(schema_set_type(s, 1),
                                                 YL_STR("metadata"));
    struct yl_value *value = &s->values[field->value];
    uint16_t i = 1;

    while (strcmp(yl_type_set_text(&meta_v1_types,
                                   meta_v1_types.types[i].name),
                  "ObjectMeta") != 0) {
        i++;
    }
    value->kind = YL_VALUE_STRUCT;
    value->import = 1;
    value->type = i;
}

static inline void
widgets_add_version(size_t i, const char *version, const char *text)
{
    struct schema_set *s = schema_set_new("example.com", text);

    widgets.sets[i] = s;
    widgets_set_metadata(s);
    s->set.version = version;
    s->set.imports = widgets.imports;
    s->set.n_imports = 1;
    widgets.kinds[i] = (struct yl_kind) {
        .set = &s->set, .name = "Widget", .list_name = "WidgetList",
        .plural = "widgets", .singular = "widget", .type = 1,
        .flags = YL_KIND_NAMESPACED,
    };
    widgets.kind_lists[i][0] = &widgets.kinds[i];
    s->set.kinds = widgets.kind_lists[i];
    s->set.n_kinds = 1;
    widgets.versions[i] = (struct yl_api_version) {
        .group = YL_STR("example.com"), .version = yl_str_c(version),
        .kind = &widgets.kinds[i], .hub = i == 0,
        .subresources = widgets.subresources, .n_subresources = 2,
    };
}

#define WIDGET_TYPES(REPLICAS)                                                \
    "type Widget\n"                                                           \
    "metadata omitZero : string\n"                                            \
    "spec omitZero : Spec\n"                                                  \
    "status omitZero : State\n"                                               \
    "type Spec\n"                                                             \
    REPLICAS " omit : int32\n"                                                \
    "color omit : string\n"                                                   \
    "parts omit merge=name : [] Part\n"                                       \
    "type Part\n"                                                             \
    "name : string\n"                                                         \
    "weight omit : int32\n"                                                   \
    "type State\n"                                                            \
    "replicas omit : int32\n"                                                 \
    "phase omit : string\n"                                                   \
    "labels omit : string\n"

/* Serves them, on the rig's server. */
static inline void
widgets_add(const struct yl_strategy *strategy)
{
    struct yl_api_resource resource = {
        .group = YL_STR("example.com"), .plural = YL_STR("widgets"),
        .singular = YL_STR("widget"), .kind = YL_STR("Widget"),
        .namespaced = true, .verbs = YL_VERBS_ALL,
        .versions = widgets.versions, .n_versions = 2,
        .short_names = "", .categories = "", .custom = true,
        .strategy = strategy,
    };
    uint32_t change = YL_VERB_GET | YL_VERB_UPDATE | YL_VERB_PATCH;

    widgets.imports[0] = &meta_v1_types;
    widgets_add_version(0, "v1", WIDGET_TYPES("replicas"));
    widgets_add_version(1, "v1beta1", WIDGET_TYPES("count"));
    widgets.subresources[0] = (struct yl_api_subresource) {
        .what = YL_SUB_SCALE, .name = "scale", .group = "autoscaling",
        .version = "v1", .kind = "Scale", .verbs = change,
        .scale = strategy && strategy->prepare ? &widgets_paths : NULL,
    };
    widgets.subresources[1] = (struct yl_api_subresource) {
        .what = YL_SUB_STATUS, .name = "status", .verbs = change,
    };
    assert_int_equal(
        yl_keyspace_add(rig.server->keyspace,
                        YL_STR("/registry/example.com/widgets/"), true,
                        (struct yl_type_meta) { YL_STR("example.com/v1"),
                                                YL_STR("Widget") },
                        &resource.objects, NULL), 0);
    assert_int_equal(yl_registry_put(rig.server->registry, &resource, NULL,
                                     NULL), 0);
}

/* Call it after the rig is closed. */
static inline void
widgets_release(void)
{
    free(widgets.sets[0]);
    free(widgets.sets[1]);
}

/* A strategy
 * ==========
 *
 * A small one, which has some of each. */

static inline void
widgets_default(const struct yl_api_resource *resource YL_UNUSED,
                const struct yl_api_version *version YL_UNUSED,
                struct yl_arena *arena, struct yl_node *object)
{
    yl_member_default_str(arena, yl_member_make(arena, object, "spec"),
                          "color", "red");
}

/* spec.replicas of v1 is spec.count of v1beta1. */
static inline void
widgets_rename(const struct yl_conversion *c, struct yl_node *object)
{
    bool hub = c->to->hub;
    struct yl_node *spec = yl_member_object(object, "spec"), *number;

    number = spec ? yl_node_get(spec, yl_str_c(hub ? "count" : "replicas"))
                  : NULL;
    if (number) {
        number = yl_node_copy(c->arena, number);
        yl_member_drop(spec, hub ? "count" : "replicas");
        yl_member_set(c->arena, spec, hub ? "replicas" : "count", number);
    }
    yl_member_set_str(c->arena, object, "apiVersion",
                      hub ? "example.com/v1" : "example.com/v1beta1");
}

static inline int
widgets_convert(struct yl_conversion *c)
{
    size_t i;

    for (i = 0; i < c->n_objects; i++) {
        widgets_rename(c, c->objects[i]);
    }
    return 0;
}

static inline void
widgets_prepare(const struct yl_change *change)
{
    yl_strategy_prepare_common(change);
    if (!change->old) {
        yl_member_set_str(change->arena,
                          yl_member_make(change->arena, change->object,
                                         "status"), "phase", "New");
    }
}

static inline void
widgets_validate(const struct yl_change *change, struct yl_error *err)
{
    struct yl_at root = yl_at_root(change->object);
    struct yl_at spec = yl_at(&root, "spec"), color = yl_at(&spec, "color");

    yl_strategy_validate_common(change, err);
    if (yl_at_is(&color, "none")) {
        yl_field_required(err, yl_at_path(&color), "it must have one");
    }
}

static inline void
widgets_warn(const struct yl_change *change, enum yl_warn_time when,
             struct yl_warnings *warnings)
{
    struct yl_at root = yl_at_root(change->object);
    struct yl_at spec = yl_at(&root, "spec");

    if (when == YL_WARN_VALID && yl_at_get_is(&spec, "color", "pink")) {
        warnings->add(warnings->aux, "pink is out of fashion");
    }
}

#define WIDGETS_STRATEGY                                                      \
    .flags = YL_STRATEGY_GENERATION | YL_STRATEGY_STATUS,                     \
    .default_ = widgets_default,                                              \
    .convert = widgets_convert, .prepare = widgets_prepare,                   \
    .validate = widgets_validate, .warn = widgets_warn

#endif /* tests/widgets.h */
