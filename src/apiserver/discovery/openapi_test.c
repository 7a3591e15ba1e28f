/* Tests of OpenAPI documents, which are compared with those of a real server:
 * operations one by one, and the schemas that are not of kinds (those of kinds
 * are compared in tests/conformance). */

#include "apiserver/discovery/openapi_write.h"

#include "json/tree.h"
#include "registry_unit.h"
#include "unit.h"
#include "yuloh/arena.h"

struct docs {
    struct yl_arena *arena;
    struct registry_unit unit;
    const struct yl_catalog *catalog;
};

static void
docs_init(struct docs *d)
{
    d->arena = yl_arena_new();
    registry_unit_init(&d->unit);
    d->catalog = yl_catalog_make(d->unit.registry, d->arena);
}

static void
docs_release(struct docs *d)
{
    yl_arena_free(d->arena);
    registry_unit_release(&d->unit);
}

static struct yl_node *
parse(struct docs *d, struct yl_str text)
{
    struct yl_node *root;

    assert_int_equal(yl_tree_parse(d->arena, yl_arena_copy(d->arena, text),
                                   NULL, &root, NULL), 0);
    return root;
}

static struct yl_node *
write_v3(struct docs *d, const char *name)
{
    struct yl_buf buf;
    struct yl_node *root = NULL;

    yl_buf_init(&buf, 1 << 26);
    if (yl_openapi_write_v3(&buf, d->catalog, yl_str_c(name))) {
        root = parse(d, yl_buf_str(&buf));
    }
    yl_buf_release(&buf);
    return root;
}

/* "apis/apps/v1" is "openapi/apis__apps__v1_openapi.json". */
static struct yl_node *
truth(struct docs *d, const char *name)
{
    struct yl_node *root;
    struct yl_buf path;
    size_t size;
    char *text;

    yl_buf_init(&path, 4096);
    yl_buf_append_c(&path, "openapi/");
    for (const char *p = name; *p; p++) {
        yl_buf_append_c(&path, *p == '/' ? "__" : (char[]) { *p, 0 });
    }
    yl_buf_append_c(&path, "_openapi.json");
    text = read_file(truth_path(yl_buf_c_str(&path)), &size);
    root = parse(d, yl_str_n(text, size));
    free(text);
    yl_buf_release(&path);
    return root;
}

static struct yl_node *
get(const struct yl_node *node, const char *name)
{
    return node ? yl_node_get(node, yl_str_c(name)) : NULL;
}

static struct yl_str
key_of(const struct yl_node *node)
{
    return yl_str_n(node->key_data, node->key_size);
}

static void
append(struct docs *d, struct yl_buf *buf, const char *what,
       const struct yl_node *node)
{
    struct yl_str text;

    yl_buf_printf(buf, " %s=", what);
    if (node && yl_node_string(node, d->arena, &text) == 0) {
        yl_buf_append_str(buf, text);
    } else if (node) {
        assert_int_equal(yl_node_write_canonical(buf, node), 0);
    }
}

/* Are these requests for a kubelet, which we have none of? */
static bool
is_connect(const struct yl_node *operation, struct yl_str path)
{
    struct yl_node *action = get(operation, "x-kubernetes-action");

    return (action && yl_node_string_is(action, YL_STR("connect")))
           || yl_str_ends_with(path, YL_STR("/log"));
}

static int
compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *) a, *(char *const *) b);
}

/* Parameters of the path and of the operation, in the order of names. */
static void
append_parameters(struct docs *d, struct yl_buf *buf,
                  const struct yl_node *item, const struct yl_node *operation)
{
    const struct yl_node *lists[2] = { get(item, "parameters"),
                                       get(operation, "parameters") };
    const char *texts[64];
    size_t n = 0;

    for (size_t i = 0; i < 2; i++) {
        for (struct yl_node *p = lists[i] ? lists[i]->first : NULL; p;
             p = p->next) {
            struct yl_buf one;

            /* Of a feature that is off by default. */
            if (yl_node_string_is(get(p, "name"), YL_STR("shardSelector"))) {
                continue;
            }
            yl_buf_init(&one, 4096);
            append(d, &one, "name", get(p, "name"));
            append(d, &one, "in", get(p, "in"));
            append(d, &one, "required", get(p, "required"));
            append(d, &one, "schema", get(p, "schema"));
            assert_true(n < 64);
            texts[n++] = yl_arena_strdup(d->arena, yl_buf_str(&one));
            yl_buf_release(&one);
        }
    }
    qsort(texts, n, sizeof *texts, compare_texts);
    for (size_t i = 0; i < n; i++) {
        yl_buf_append_c(buf, texts[i]);
    }
}

/* All that an operation says, but for descriptions, and but for media types
 * that one of the two does not have. */
static char *
summary(struct docs *d, const struct yl_node *item,
        const struct yl_node *operation)
{
    static const char *const types[] = {
        "*/*", "application/json", "application/json;stream=watch",
        "application/merge-patch+json", "application/json-patch+json",
        "application/strategic-merge-patch+json",
    };
    const struct yl_node *body = get(operation, "requestBody");
    struct yl_buf buf;
    char *text;

    yl_buf_init(&buf, 1 << 20);
    append(d, &buf, "id", get(operation, "operationId"));
    append(d, &buf, "tags", get(operation, "tags"));
    append(d, &buf, "action", get(operation, "x-kubernetes-action"));
    append(d, &buf, "gvk", get(operation, "x-kubernetes-group-version-kind"));
    append_parameters(d, &buf, item, operation);
    append(d, &buf, "required", get(body, "required"));
    for (size_t i = 0; i < YL_ARRAY_SIZE(types); i++) {
        append(d, &buf, "body", get(get(body, "content"), types[i]));
    }
    for (struct yl_node *r = get(operation, "responses")
                             ? get(operation, "responses")->first : NULL; r;
         r = r->next) {
        yl_buf_printf(&buf, " response=%.*s", YL_STR_ARG(key_of(r)));
        append(d, &buf, "description", get(r, "description"));
        for (size_t i = 0; i < YL_ARRAY_SIZE(types); i++) {
            append(d, &buf, "content", get(get(r, "content"), types[i]));
        }
    }
    text = yl_arena_strdup(d->arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return text;
}

/* Every operation of 'theirs' must be in 'ours', the same; returns how many
 * there are. */
static size_t
compare_paths(struct docs *d, const struct yl_node *ours,
              const struct yl_node *theirs)
{
    size_t n = 0;

    for (struct yl_node *path = theirs->first; path; path = path->next) {
        struct yl_node *mine = yl_node_get(ours, key_of(path));

        for (struct yl_node *op = path->first; op; op = op->next) {
            struct yl_node *my_op = mine ? yl_node_get(mine, key_of(op))
                                         : NULL;

            if (yl_str_equal(key_of(op), YL_STR("parameters"))
                || is_connect(op, key_of(path))) {
                continue;
            }
            n++;
            if (!my_op) {
                fail_msg("%.*s %.*s is not there", YL_STR_ARG(key_of(op)),
                         YL_STR_ARG(key_of(path)));
            }
            if (strcmp(summary(d, mine, my_op), summary(d, path, op))) {
                fail_msg("%.*s %.*s\nours:  %s\ntheirs:%s",
                         YL_STR_ARG(key_of(op)), YL_STR_ARG(key_of(path)),
                         summary(d, mine, my_op), summary(d, path, op));
            }
        }
    }
    return n;
}

static size_t
count_operations(const struct yl_node *paths)
{
    size_t n = 0;

    for (struct yl_node *path = paths->first; path; path = path->next) {
        for (struct yl_node *op = path->first; op; op = op->next) {
            n += !yl_str_equal(key_of(op), YL_STR("parameters"));
        }
    }
    return n;
}

/* Removes descriptions, which are not compared. */
static void
strip(struct yl_node *node)
{
    struct yl_node *child = node->first, *next;

    for (; child; child = next) {
        next = child->next;
        if (node->type == YL_JSON_OBJECT && child->type == YL_JSON_STRING
            && yl_str_equal(key_of(child), YL_STR("description"))) {
            yl_node_detach(child);
        } else {
            strip(child);
        }
    }
}

/* Is it a schema that no descriptor makes? */
static bool
is_meta(struct yl_str name)
{
    static const char *const starts[] = {
        "apis.meta.v1.API", "apis.meta.v1.GroupVersionForDiscovery",
        "apis.meta.v1.Patch", "apis.meta.v1.Server", "apis.meta.v1.Status",
        "apis.meta.v1.WatchEvent", "version.Info",
    };
    struct yl_str prefix = YL_STR("io.k8s.apimachinery.pkg.");

    for (size_t i = 0; i < YL_ARRAY_SIZE(starts); i++) {
        if (yl_str_starts_with(yl_str_skip(name, prefix.size),
                               yl_str_c(starts[i]))) {
            return true;
        }
    }
    return false;
}

/* Every schema of theirs that is no kind's must be in ours; those that are
 * made here must be the same. */
static void
compare_meta(struct docs *d, struct yl_node *ours, struct yl_node *theirs)
{
    for (struct yl_node *s = theirs->first; s; s = s->next) {
        struct yl_node *mine = yl_node_get(ours, key_of(s));
        struct yl_buf a, b;

        if (!yl_str_starts_with(key_of(s),
                                YL_STR("io.k8s.apimachinery"))) {
            continue;
        }
        if (!mine) {
            fail_msg("no schema %.*s", YL_STR_ARG(key_of(s)));
        }
        if (!is_meta(key_of(s))) {
            continue;
        }
        strip(s);
        if (yl_str_ends_with(key_of(s), YL_STR("WatchEvent"))) {
            yl_node_remove(s, YL_STR("x-kubernetes-group-version-kind"));
        }
        yl_buf_init(&a, 1 << 20);
        yl_buf_init(&b, 1 << 20);
        append(d, &a, "schema", mine);
        append(d, &b, "schema", s);
        if (!yl_str_equal(yl_buf_str(&a), yl_buf_str(&b))) {
            fail_msg("%.*s\nours:   %s\ntheirs: %s", YL_STR_ARG(key_of(s)),
                     yl_buf_c_str(&a), yl_buf_c_str(&b));
        }
        yl_buf_release(&a);
        yl_buf_release(&b);
    }
}

/* Every "$ref" below 'node' must be a key of 'schemas'. */
static size_t
check_refs(struct docs *d, const struct yl_node *node,
           const struct yl_node *schemas, struct yl_str prefix)
{
    size_t n = 0;

    for (struct yl_node *child = node->first; child; child = child->next) {
        struct yl_str ref;

        if (child->key_data && yl_str_equal(key_of(child), YL_STR("$ref"))
            && yl_node_string(child, d->arena, &ref) == 0) {
            assert_true(yl_str_starts_with(ref, prefix));
            if (!yl_node_get(schemas, yl_str_skip(ref, prefix.size))) {
                fail_msg("%.*s leads nowhere", YL_STR_ARG(ref));
            }
            n++;
        }
        n += check_refs(d, child, schemas, prefix);
    }
    return n;
}

TEST(operations_are_a_servers)
{
    struct docs d;
    size_t n_versions = 0, n_operations = 0;

    docs_init(&d);
    for (size_t i = 0; i < d.catalog->n_groups; i++) {
        for (size_t j = 0; j < d.catalog->groups[i].n_versions; j++) {
            const struct yl_catalog_version *version =
                &d.catalog->groups[i].versions[j];
            struct yl_node *ours, *theirs, *schemas;
            size_t n;
            char name[256];

            snprintf(name, sizeof name, "%s/%.*s",
                     version->group.size ? "apis" : "api",
                     YL_STR_ARG(version->api_version));
            ours = write_v3(&d, name);
            assert_non_null(ours);
            schemas = get(get(ours, "components"), "schemas");
            assert_true(check_refs(&d, ours, schemas,
                                   YL_STR("#/components/schemas/")) > 0);
            if (version->version.size != 2) {
                continue;       /* Upstream has dropped it. */
            }
            theirs = truth(&d, name);
            n = compare_paths(&d, get(ours, "paths"), get(theirs, "paths"));
            assert_int_equal(n, count_operations(get(ours, "paths")));
            compare_meta(&d, schemas,
                         get(get(theirs, "components"), "schemas"));
            n_versions++;
            n_operations += n;
        }
    }
    assert_int_equal(n_versions, 22);
    assert_true(n_operations > 600);
    docs_release(&d);
}

TEST(other_documents_are_a_servers)
{
    static const char *const names[] = { "api", "apis", "apis/apps",
                                         "apis/rbac.authorization.k8s.io",
                                         "version" };
    struct docs d;

    docs_init(&d);
    for (size_t i = 0; i < YL_ARRAY_SIZE(names); i++) {
        struct yl_node *ours = write_v3(&d, names[i]);
        struct yl_node *theirs = truth(&d, names[i]);

        assert_non_null(ours);
        assert_int_equal(compare_paths(&d, get(ours, "paths"),
                                       get(theirs, "paths")), 1);
        compare_meta(&d, get(get(ours, "components"), "schemas"),
                     get(get(theirs, "components"), "schemas"));
    }
    docs_release(&d);
}

TEST(there_are_no_other_documents)
{
    static const char *const names[] = {
        "", "/", "api/", "api/v2", "apis/", "apis/nope", "apis/apps/",
        "apis/apps/v9", "apis/apps/v1/", "version/", "versions", "apis//v1",
    };
    struct docs d;

    docs_init(&d);
    for (size_t i = 0; i < YL_ARRAY_SIZE(names); i++) {
        if (write_v3(&d, names[i])) {
            fail_msg("there is \"%s\"", names[i]);
        }
    }
    docs_release(&d);
}

/* Writes all of version 2. */
static void
write_v2(struct yl_buf *buf, const struct yl_catalog *catalog)
{
    yl_buf_append_char(buf, '{');
    yl_openapi_write_v2_head(buf);
    yl_buf_append_c(buf, ",\"paths\":{");
    yl_openapi_write_v2_paths(buf, catalog, NULL);
    yl_buf_append_c(buf, "},\"definitions\":{");
    yl_openapi_write_v2_definitions(buf, catalog, NULL);
    yl_buf_append_c(buf, "},");
    yl_openapi_write_v2_tail(buf);
    yl_buf_append_char(buf, '}');
}

TEST(version_2_is_whole)
{
    struct docs d;
    struct yl_node *root, *paths, *patch;
    struct yl_buf buf;

    docs_init(&d);
    yl_buf_init(&buf, 1 << 26);
    write_v2(&buf, d.catalog);
    root = parse(&d, yl_buf_str(&buf));
    paths = get(root, "paths");
    assert_true(yl_node_string_is(get(root, "swagger"), YL_STR("2.0")));
    assert_true(check_refs(&d, root, get(root, "definitions"),
                           YL_STR("#/definitions/")) > 2000);
    assert_true(count_operations(paths) > 600);

    /* What kubectl looks at before a dry run. */
    patch = get(get(paths, "/apis/apps/v1/namespaces/{namespace}/deployments/"
                           "{name}"), "patch");
    assert_true(yl_node_string_is(
        get(get(patch, "x-kubernetes-group-version-kind"), "kind"),
        YL_STR("Deployment")));
    assert_true(yl_node_string_is(
        get(get(patch, "parameters")->first->next, "name"),
        YL_STR("dryRun")));

    /* And what it explains and merges by. */
    assert_true(yl_node_string_is(
        get(get(get(get(get(root, "definitions"),
                        "io.k8s.api.core.v1.PodSpec"), "properties"),
                "containers"), "x-kubernetes-patch-merge-key"),
        YL_STR("name")));
    yl_buf_release(&buf);
    docs_release(&d);
}

struct names {
    size_t n;
    char last[256];
};

static void
take_name(void *names_, struct yl_str name, uint64_t stamp)
{
    struct names *names = names_;

    assert_true(stamp > 0);
    assert_true(yl_str_compare(yl_str_c(names->last), name) < 0);
    snprintf(names->last, sizeof names->last, "%.*s", YL_STR_ARG(name));
    names->n++;
}

TEST(all_documents_have_names)
{
    struct names names = { 0, "" };
    struct docs d;

    docs_init(&d);
    yl_openapi_for_each(d.catalog, d.arena, take_name, &names);
    assert_int_equal(names.n, 3 + 20 + 25);
    docs_release(&d);
}
