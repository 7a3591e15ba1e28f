/* Tests of the built-in resources, against a real server's
 * discovery. */

#include "apiserver/registry/registry.h"

#include <stdlib.h>

#include "apiserver/keyspace/keyspace.h"
#include "apiserver/keyspace/resource.h"
#include "apiserver/strategy/builtin.h"
#include "base/buf.h"
#include "registry_unit.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/json.h"

static struct registry_unit unit;

static struct yl_registry *
make_registry(void)
{
    registry_unit_init(&unit);
    return unit.registry;
}

static void
free_registry(struct yl_registry *registry)
{
    assert_ptr_equal(registry, unit.registry);
    registry_unit_release(&unit);
}

/* Where each resource is stored, in which scope, and what values start
 * with. */
static void
write_stored(struct yl_registry *registry, struct yl_buf *out)
{
    const struct yl_api_resource **all;
    size_t i, n;

    all = yl_registry_all(registry, &n);
    for (i = 0; i < n; i++) {
        const struct yl_ks_resource *objects = all[i]->objects;

        if (objects) {
            yl_buf_printf(out, "%.*s %s %.*s\n",
                          YL_STR_ARG(yl_ks_resource_prefix(objects)),
                          objects->namespaced ? "namespaced" : "cluster",
                          (int) objects->head->size, objects->head->text);
        }
        yl_api_resource_unref(all[i]);
    }
    free(all);
}

static struct yl_str
string(struct yl_json object, const char *member, struct yl_arena *arena)
{
    struct yl_str s = YL_STR("");

    yl_json_string(yl_json_get(object, yl_str_c(member)), arena, &s);
    return s;
}

/* The texts of an array of strings, joined by commas. */
static struct yl_str
strings(struct yl_json object, const char *member, struct yl_arena *arena)
{
    struct yl_json_iter it = yl_json_iter(yl_json_get(object,
                                                      yl_str_c(member)));
    struct yl_buf buf;
    struct yl_str s;

    yl_buf_init(&buf, 4096);
    while (yl_json_next(&it)) {
        assert_int_equal(yl_json_string(it.value, arena, &s), 0);
        yl_buf_printf(&buf, "%s%.*s", buf.size ? "," : "", YL_STR_ARG(s));
    }
    s = yl_str_n(yl_arena_strdup(arena, yl_buf_str(&buf)), buf.size);
    yl_buf_release(&buf);
    return s;
}

static struct yl_str
verbs(uint32_t verbs, struct yl_arena *arena)
{
    static const char *const names[] = {
        "create", "delete", "deletecollection", "get", "list", "patch",
        "update", "watch",
    };
    struct yl_buf buf;
    struct yl_str s;

    yl_buf_init(&buf, 4096);
    for (size_t i = 0; i < YL_ARRAY_SIZE(names); i++) {
        if (verbs & (1u << i)) {
            yl_buf_printf(&buf, "%s%s", buf.size ? "," : "", names[i]);
        }
    }
    s = yl_str_n(yl_arena_strdup(arena, yl_buf_str(&buf)), buf.size);
    yl_buf_release(&buf);
    return s;
}

static void
check_equal(struct yl_str name, const char *what, struct yl_str have,
            struct yl_str want)
{
    if (!yl_str_equal(have, want)) {
        fail_msg("%.*s: %s is \"%.*s\", should be \"%.*s\"",
                 YL_STR_ARG(name), what, YL_STR_ARG(have), YL_STR_ARG(want));
    }
}

static void
check_subresource(const struct yl_api_resource *resource, struct yl_json want,
                  struct yl_str full, struct yl_str name,
                  struct yl_arena *arena)
{
    const struct yl_api_subresource *sub =
        yl_api_version_subresource(yl_api_resource_hub(resource), name);

    if (!sub) {
        fail_msg("%.*s is not there", YL_STR_ARG(full));
    }
    check_equal(full, "kind",
                sub->kind ? yl_str_c(sub->kind) : resource->kind,
                string(want, "kind", arena));
    check_equal(full, "group", yl_str_c(sub->group),
                string(want, "group", arena));
    check_equal(full, "version", yl_str_c(sub->version),
                string(want, "version", arena));
    check_equal(full, "verbs", verbs(sub->verbs, arena),
                strings(want, "verbs", arena));
    if (sub->schema) {
        assert_string_equal(sub->schema->name, sub->kind);
    }
}

/* Compares one entry of an APIResourceList; returns 1 if it is a resource and
 * not a subresource. */
static size_t
check_entry(struct yl_registry *registry, const struct yl_type_set *set,
            struct yl_json want, struct yl_arena *arena)
{
    struct yl_str full = string(want, "name", arena);
    struct yl_str plural = full, sub = YL_STR("");
    const struct yl_api_resource *resource;
    const struct yl_api_version *version;
    bool namespaced = false;

    yl_str_cut(full, '/', &plural, &sub);
    if (yl_registry_find(registry,
                         (struct yl_gvr) { yl_str_c(set->group),
                                           yl_str_c(set->version), plural },
                         &resource, &version) < 0) {
        fail_msg("%s/%s %.*s is not there", set->group, set->version,
                 YL_STR_ARG(full));
    }
    yl_json_bool(yl_json_get(want, YL_STR("namespaced")), &namespaced);
    assert_int_equal(resource->namespaced, namespaced);
    if (sub.size) {
        check_subresource(resource, want, full, sub, arena);
    } else {
        check_equal(full, "singular", resource->singular,
                    string(want, "singularName", arena));
        check_equal(full, "kind", resource->kind,
                    string(want, "kind", arena));
        check_equal(full, "kind of the version", yl_str_c(version->kind->name),
                    resource->kind);
        check_equal(full, "verbs", verbs(resource->verbs, arena),
                    strings(want, "verbs", arena));
        check_equal(full, "short names", yl_str_c(resource->short_names),
                    strings(want, "shortNames", arena));
        check_equal(full, "categories", yl_str_c(resource->categories),
                    strings(want, "categories", arena));
    }
    yl_api_resource_unref(resource);
    return sub.size == 0;
}

/* Compares a group-version with its APIResourceList; returns how many
 * resources it has. */
static size_t
check_version(struct yl_registry *registry, const struct yl_type_set *set)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_json_iter it;
    char name[128];
    size_t size, n = 0;
    char *text;

    snprintf(name, sizeof name, "discovery/api%s%s__%s.json",
             *set->group ? "s__" : "", set->group, set->version);
    text = read_file(truth_path(name), &size);
    it = yl_json_iter(yl_json_get(yl_json(yl_str_n(text, size)),
                                  YL_STR("resources")));
    while (yl_json_next(&it)) {
        n += check_entry(registry, set, it.value, arena);
    }
    assert_true(n > 0);
    free(text);
    yl_arena_free(arena);
    return n;
}

/* Was it dropped upstream, so that there is nothing to compare with? */
static bool
is_old(const struct yl_type_set *set)
{
    return strcmp(set->version, "v1") && strcmp(set->version, "v2");
}

TEST(every_resource_is_what_a_server_says)
{
    struct yl_registry *registry = make_registry();
    const struct yl_type_set *seen[64];
    size_t n_seen = 0, n_resources = 0, n_checked = 0, n;
    const struct yl_api_resource **all = yl_registry_all(registry, &n);

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < all[i]->n_versions; j++) {
            const struct yl_type_set *set = all[i]->versions[j].kind->set;
            size_t k = 0;

            assert_int_equal(all[i]->versions[j].hub, j == 0);
            n_resources += !is_old(set);
            while (k < n_seen && seen[k] != set) {
                k++;
            }
            if (k == n_seen && !is_old(set)) {
                assert_true(n_seen < YL_ARRAY_SIZE(seen));
                seen[n_seen++] = set;
                n_checked += check_version(registry, set);
            }
        }
        yl_api_resource_unref(all[i]);
    }
    assert_int_equal(n_seen, 22);
    assert_int_equal(n_checked, n_resources);
    free(all);
    free_registry(registry);
}

TEST(objects_have_etcds_keys)
{
    static const struct {
        const char *prefix, *scope, *api_version, *kind;
    } lines[] = {
        { "pods", "namespaced", "v1", "Pod" },
        { "services/specs", "namespaced", "v1", "Service" },
        { "services/endpoints", "namespaced", "v1", "Endpoints" },
        { "minions", "cluster", "v1", "Node" },
        { "controllers", "namespaced", "v1", "ReplicationController" },
        { "events", "namespaced", "v1", "Event" },
        { "ingress", "namespaced", "networking.k8s.io/v1", "Ingress" },
        { "deployments", "namespaced", "apps/v1", "Deployment" },
        { "cronjobs", "namespaced", "batch/v1", "CronJob" },
        { "horizontalpodautoscalers", "namespaced", "autoscaling/v2",
          "HorizontalPodAutoscaler" },
        { "apiextensions.k8s.io/customresourcedefinitions", "cluster",
          "apiextensions.k8s.io/v1", "CustomResourceDefinition" },
        { "apiregistration.k8s.io/apiservices", "cluster",
          "apiregistration.k8s.io/v1", "APIService" },
    };
    struct yl_registry *registry = make_registry();
    struct yl_buf stored;
    char line[256];

    yl_buf_init(&stored, 1 << 16);
    write_stored(registry, &stored);
    for (size_t i = 0; i < YL_ARRAY_SIZE(lines); i++) {
        snprintf(line, sizeof line, "/registry/%s/ %s {\"apiVersion\":\"%s\","
                 "\"kind\":\"%s\",", lines[i].prefix, lines[i].scope,
                 lines[i].api_version, lines[i].kind);
        if (!strstr(yl_buf_c_str(&stored), line)) {
            fail_msg("no %s", line);
        }
    }
    assert_null(strstr(stored.data, "Review"));
    assert_null(strstr(stored.data, "\"Binding\""));
    assert_null(strstr(stored.data, "ComponentStatus"));
    yl_buf_release(&stored);
    free_registry(registry);
}

TEST(versions_of_a_kind_share_their_objects)
{
    static const struct yl_gvr same[][3] = {
        { { YL_STR_INIT(""), YL_STR_INIT("v1"), YL_STR_INIT("events") },
          { YL_STR_INIT("events.k8s.io"), YL_STR_INIT("v1"),
            YL_STR_INIT("events") },
          { YL_STR_INIT(""), YL_STR_INIT("v1"), YL_STR_INIT("events") } },
        { { YL_STR_INIT("batch"), YL_STR_INIT("v1"),
            YL_STR_INIT("cronjobs") },
          { YL_STR_INIT("batch"), YL_STR_INIT("v1beta1"),
            YL_STR_INIT("cronjobs") },
          { YL_STR_INIT("batch"), YL_STR_INIT("v2alpha1"),
            YL_STR_INIT("cronjobs") } },
    };
    struct yl_registry *registry = make_registry();

    for (size_t i = 0; i < YL_ARRAY_SIZE(same); i++) {
        const struct yl_api_resource *hub =
            yl_registry_builtin(registry, same[i][0].group.data,
                                same[i][0].resource.data);

        for (size_t j = 0; j < 3; j++) {
            const struct yl_api_resource *resource;
            const struct yl_api_version *version;

            assert_int_equal(yl_registry_find(registry, same[i][j], &resource,
                                              &version), 0);
            assert_ptr_equal(resource, hub);
            assert_non_null(resource->objects);
            assert_true(yl_str_equal(version->group, same[i][j].group));
            assert_true(yl_str_equal(version->version, same[i][j].version));
            yl_api_resource_unref(resource);
        }
    }
    free_registry(registry);
}

TEST(whatever_is_stored_has_rules)
{
    struct yl_registry *registry = make_registry();
    const struct yl_api_resource **all;
    size_t i, n;

    all = yl_registry_all(registry, &n);
    assert_true(n > 60);
    for (i = 0; i < n; i++) {
        if (all[i]->objects && !yl_builtin_strategy_rules(all[i])) {
            fail_msg("%.*s has no row in src/builtin",
                     YL_STR_ARG(all[i]->plural));
        }
        yl_api_resource_unref(all[i]);
    }
    free(all);
    free_registry(registry);
}

TEST(reviews_are_not_stored)
{
    struct yl_registry *registry = make_registry();

    assert_null(yl_registry_builtin(registry, "authorization.k8s.io",
                                    "subjectaccessreviews")->objects);
    assert_null(yl_registry_builtin(registry, "", "bindings")->objects);
    assert_null(yl_registry_builtin(registry, "",
                                    "componentstatuses")->objects);
    free_registry(registry);
}

TEST(what_has_no_effect_is_told_once)
{
    struct yl_registry *registry = make_registry();
    const struct yl_api_resource *quotas
        = yl_registry_builtin(registry, "", "resourcequotas");

    assert_string_equal(yl_api_resource_tell(quotas),
                        "this server does not enforce quotas yet");
    assert_null(yl_api_resource_tell(quotas));
    assert_null(yl_api_resource_tell(yl_registry_builtin(registry, "",
                                                         "pods")));
    assert_str_equal(yl_registry_builtin(registry, "", "endpoints")
                         ->versions[0].deprecation,
                     "v1 Endpoints is deprecated in v1.33+; use "
                     "discovery.k8s.io/v1 EndpointSlice");
    assert_str_equal(yl_registry_builtin(registry, "batch", "cronjobs")
                         ->versions[0].deprecation, "");
    assert_true(yl_registry_builtin(registry, "batch", "cronjobs")
                    ->versions[2].deprecation.size > 0);
    free_registry(registry);
}
