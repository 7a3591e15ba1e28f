/* Tests of discovery's documents, which are compared with those of a real
 * server. */

#include "apiserver/discovery/lists.h"

#include "json/tree.h"
#include "registry_unit.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

struct lists {
    struct yl_arena *arena;
    struct registry_unit unit;
    const struct yl_catalog *catalog;
    struct yl_buf buf;
};

static void
lists_init(struct lists *l)
{
    l->arena = yl_arena_new();
    registry_unit_init(&l->unit);
    l->catalog = yl_catalog_make(l->unit.registry, l->arena);
    yl_buf_init(&l->buf, 1 << 24);
}

static void
lists_release(struct lists *l)
{
    yl_buf_release(&l->buf);
    yl_arena_free(l->arena);
    registry_unit_release(&l->unit);
}

static struct yl_node *
parse(struct lists *l, struct yl_str text)
{
    struct yl_node *root;

    assert_int_equal(yl_tree_parse(l->arena, yl_arena_copy(l->arena, text),
                                   NULL, &root, NULL), 0);
    return root;
}

static struct yl_node *
truth(struct lists *l, const char *name)
{
    size_t size;
    char *text = read_file(truth_path(name), &size);
    struct yl_node *root = parse(l, yl_str_n(text, size));

    free(text);
    return root;
}

static struct yl_node *
first_of(const struct yl_node *array)
{
    return array ? array->first : NULL;
}

static struct yl_str
canonical(struct lists *l, const struct yl_node *node)
{
    struct yl_buf buf;
    struct yl_str text;

    yl_buf_init(&buf, 1 << 24);
    assert_int_equal(yl_node_write_canonical(&buf, node), 0);
    text = yl_arena_copy(l->arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return text;
}

/* The member of 'array' whose 'key' is 'value'. */
static struct yl_node *
find_in(struct lists *l, struct yl_node *array, const char *key,
        struct yl_str value)
{
    for (struct yl_node *item = first_of(array); item;
         item = item->next) {
        struct yl_node *member = yl_node_get(item, yl_str_c(key));
        struct yl_str text;

        if (member && yl_node_string(member, l->arena, &text) == 0
            && yl_str_equal(text, value)) {
            return item;
        }
    }
    return NULL;
}

static void
assert_same(struct lists *l, const struct yl_node *ours,
            const struct yl_node *theirs)
{
    struct yl_str a = canonical(l, ours), b = canonical(l, theirs);

    if (!yl_str_equal(a, b)) {
        fail_msg("ours:   %.*s\ntheirs: %.*s", YL_STR_ARG(a), YL_STR_ARG(b));
    }
}

static bool
is_stable(struct yl_str version)
{
    return version.size == 2;
}

TEST(resource_lists_are_a_servers)
{
    struct lists l;
    size_t n = 0;

    lists_init(&l);
    for (size_t i = 0; i < l.catalog->n_groups; i++) {
        const struct yl_catalog_group *group = &l.catalog->groups[i];

        for (size_t j = 0; j < group->n_versions; j++) {
            const struct yl_catalog_version *version = &group->versions[j];
            struct yl_node *ours, *theirs;
            char name[128];

            yl_buf_clear(&l.buf);
            yl_discovery_write_resources(&l.buf, version);
            ours = parse(&l, yl_buf_str(&l.buf));
            if (!is_stable(version->version)) {
                continue;
            }
            snprintf(name, sizeof name, "discovery/api%s%.*s__%.*s.json",
                     group->name.size ? "s__" : "", YL_STR_ARG(group->name),
                     YL_STR_ARG(version->version));
            theirs = truth(&l, name);
            assert_same(&l, ours, theirs);
            n++;
        }
    }
    assert_int_equal(n, 22);
    lists_release(&l);
}

TEST(groups_are_a_servers)
{
    struct lists l;
    struct yl_node *theirs, *ours, *item;
    const struct yl_catalog_group *group = NULL;
    size_t n = 0, at = 1;

    lists_init(&l);
    yl_discovery_write_apis(&l.buf, l.catalog, l.arena);
    ours = parse(&l, yl_buf_str(&l.buf));
    theirs = truth(&l, "discovery/apis.json");
    assert_same(&l, yl_node_get(ours, YL_STR("kind")),
                yl_node_get(theirs, YL_STR("kind")));
    assert_same(&l, yl_node_get(ours, YL_STR("apiVersion")),
                yl_node_get(theirs, YL_STR("apiVersion")));
    item = first_of(yl_node_get(theirs, YL_STR("groups")));
    for (; item; item = item->next) {
        struct yl_str name;
        struct yl_node *mine;

        yl_node_string(yl_node_get(item, YL_STR("name")), l.arena, &name);
        mine = find_in(&l, yl_node_get(ours, YL_STR("groups")), "name", name);
        if (!mine) {
            continue;           /* One of alpha and beta versions only. */
        }

        /* In the same order. */
        group = &l.catalog->groups[at++];
        assert_true(yl_str_equal(group->name, name));
        assert_same(&l, yl_node_get(mine, YL_STR("preferredVersion")),
                    yl_node_get(item, YL_STR("preferredVersion")));
        n++;

        yl_buf_clear(&l.buf);
        yl_discovery_write_group(&l.buf, group);
        mine = parse(&l, yl_buf_str(&l.buf));
        assert_same(&l, yl_node_get(mine, YL_STR("preferredVersion")),
                    yl_node_get(item, YL_STR("preferredVersion")));
    }
    assert_int_equal(n, 20);
    assert_int_equal(at, l.catalog->n_groups);
    lists_release(&l);
}

TEST(aggregated_discovery_is_a_servers)
{
    struct lists l;
    struct yl_node *theirs, *ours, *item;
    size_t n = 0;

    lists_init(&l);
    yl_discovery_write_aggregated(&l.buf, l.catalog, false);
    ours = parse(&l, yl_buf_str(&l.buf));
    theirs = truth(&l, "discovery/aggregated_v2.json");
    item = first_of(yl_node_get(theirs, YL_STR("items")));
    for (; item; item = item->next) {
        struct yl_str name, version;
        struct yl_node *mine, *v;

        yl_node_string(yl_node_get(yl_node_get(item, YL_STR("metadata")),
                                   YL_STR("name")), l.arena, &name);
        for (mine = first_of(yl_node_get(ours, YL_STR("items"))); mine;
             mine = mine->next) {
            struct yl_str my_name;

            yl_node_string(yl_node_get(yl_node_get(mine, YL_STR("metadata")),
                                       YL_STR("name")), l.arena, &my_name);
            if (yl_str_equal(name, my_name)) {
                break;
            }
        }
        v = mine ? first_of(yl_node_get(item, YL_STR("versions"))) : NULL;
        for (; v; v = v->next) {
            struct yl_node *my_v;

            yl_node_string(yl_node_get(v, YL_STR("version")), l.arena,
                           &version);
            my_v = find_in(&l, yl_node_get(mine, YL_STR("versions")),
                           "version", version);
            if (is_stable(version)) {
                assert_non_null(my_v);
                assert_same(&l, my_v, v);
                n++;
            }
        }
    }
    assert_int_equal(n, 21);
    lists_release(&l);
}

TEST(the_core_group_is_apart)
{
    struct lists l;
    struct yl_node *root;

    lists_init(&l);
    yl_discovery_write_aggregated(&l.buf, l.catalog, true);
    root = parse(&l, yl_buf_str(&l.buf));
    assert_int_equal(yl_node_get(root, YL_STR("items"))->n, 1);
    yl_buf_clear(&l.buf);
    yl_discovery_write_api(&l.buf, l.catalog, YL_STR("192.0.2.1:6443"));
    assert_str_equal(yl_buf_str(&l.buf),
                     "{\"kind\":\"APIVersions\",\"versions\":[\"v1\"],"
                     "\"serverAddressByClientCIDRs\":[{\"clientCIDR\":"
                     "\"0.0.0.0/0\",\"serverAddress\":\"192.0.2.1:6443\"}]}");
    lists_release(&l);
}

TEST(paths_are_sorted)
{
    struct lists l;
    struct yl_node *item;
    struct yl_str last = YL_STR(""), path;
    size_t n = 0;

    lists_init(&l);
    yl_discovery_write_paths(&l.buf, l.catalog, l.arena);
    item = first_of(yl_node_get(parse(&l, yl_buf_str(&l.buf)),
                                     YL_STR("paths")));
    for (; item; item = item->next) {
        yl_node_string(item, l.arena, &path);
        assert_true(yl_str_compare(last, path) < 0);
        last = path;
        n++;
    }
    assert_true(n > 60);
    lists_release(&l);
}

/* A custom resource has its own order of verbs, as upstream. */
TEST(custom_resources_are_listed)
{
    static const struct yl_api_version versions[] = {
        { .group = YL_STR_INIT("example.com"), .version = YL_STR_INIT("v1"),
          .hub = true },
    };
    const struct yl_api_resource foos = {
        .group = YL_STR("example.com"),
        .plural = YL_STR("foos"),
        .singular = YL_STR("foo"),
        .kind = YL_STR("Foo"),
        .namespaced = true,
        .verbs = YL_VERBS_ALL,
        .versions = versions,
        .n_versions = 1,
        .short_names = "fo,f",
        .custom = true,
    };
    struct lists l;

    lists_init(&l);
    yl_registry_put(l.unit.registry, &foos, NULL, NULL);
    l.catalog = yl_catalog_make(l.unit.registry, l.arena);
    assert_str_equal(l.catalog->groups[l.catalog->n_groups - 1].name,
                     "example.com");
    yl_discovery_write_resources(&l.buf,
                                 yl_catalog_version(l.catalog, foos.group,
                                                    YL_STR("v1")));
    assert_str_equal(yl_buf_str(&l.buf),
                     "{\"kind\":\"APIResourceList\",\"apiVersion\":\"v1\","
                     "\"groupVersion\":\"example.com/v1\",\"resources\":["
                     "{\"name\":\"foos\",\"singularName\":\"foo\","
                     "\"namespaced\":true,\"kind\":\"Foo\",\"verbs\":["
                     "\"delete\",\"deletecollection\",\"get\",\"list\","
                     "\"patch\",\"create\",\"update\",\"watch\"],"
                     "\"shortNames\":[\"fo\",\"f\"]}]}");
    yl_buf_clear(&l.buf);
    yl_discovery_write_aggregated(&l.buf, l.catalog, false);
    assert_non_null(strstr(yl_buf_c_str(&l.buf),
                           "{\"resource\":\"foos\",\"responseKind\":"
                           "{\"group\":\"example.com\",\"version\":\"v1\","
                           "\"kind\":\"Foo\"}"));
    yl_buf_clear(&l.buf);
    yl_registry_end(l.unit.registry, foos.group, foos.plural);
    yl_discovery_write_aggregated(&l.buf, l.catalog, false);
    assert_non_null(strstr(yl_buf_c_str(&l.buf),
                           "\"singularResource\":\"foo\",\"verbs\":["
                           "\"delete\",\"deletecollection\",\"get\","
                           "\"list\",\"watch\"]"));
    lists_release(&l);
}

/* Upstream lists them by the names of their APIServices: "v1.b.example",
 * "v1beta1.a.example". */
TEST(custom_groups_come_last_by_version)
{
    static const char *const names[][2] = {
        { "a.example", "v1beta1" }, { "b.example", "v1" },
        { "c.example", "v2" }, { "a.example", "v2" },
    };
    struct yl_api_version versions[YL_ARRAY_SIZE(names)];
    const char *at;
    struct lists l;
    size_t i;

    lists_init(&l);
    for (i = 0; i < YL_ARRAY_SIZE(names); i++) {
        struct yl_api_resource resource = {
            .group = yl_str_c(names[i][0]),
            .plural = yl_str_c(i == 3 ? "bars" : "foos"),
            .singular = YL_STR("foo"), .kind = YL_STR("Foo"),
            .versions = &versions[i], .n_versions = 1, .custom = true,
        };

        versions[i] = (struct yl_api_version) {
            .group = resource.group, .version = yl_str_c(names[i][1]),
            .hub = true,
        };
        assert_int_equal(yl_registry_put(l.unit.registry, &resource, NULL,
                                         NULL), 0);
    }
    l.catalog = yl_catalog_make(l.unit.registry, l.arena);
    yl_discovery_write_apis(&l.buf, l.catalog, l.arena);
    at = strstr(yl_buf_c_str(&l.buf), "flowcontrol.apiserver.k8s.io");
    assert_non_null(at);
    at = strstr(at, "{\"name\":\"b.example\"");
    assert_non_null(at);
    at = strstr(at, "{\"name\":\"a.example\"");
    assert_non_null(at);
    assert_non_null(strstr(at, "{\"name\":\"c.example\""));
    lists_release(&l);
}
