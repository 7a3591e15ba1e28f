/* Tests of reading definitions. */

#include "apiserver/crd/definition.h"

#include "base/buf.h"
#include "json/tree.h"
#include "schema/cache.h"
#include "schema/pattern.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

#define NAMES                                                                 \
    "\"status\":{\"acceptedNames\":{\"plural\":\"ws\",\"singular\":\"w\","    \
    "\"kind\":\"W\",\"listKind\":\"WList\",\"shortNames\":[\"a\",\"b\"]}}"

static struct yl_definition_opts opts;

static void
open_opts(void)
{
    opts.patterns = yl_patterns_new();
    opts.schemas = yl_schema_cache_new();
}

static void
close_opts(void)
{
    assert_int_equal(yl_schema_cache_count(opts.schemas, NULL), 0);
    yl_schema_cache_free(opts.schemas);
    yl_patterns_free(opts.patterns);
}

static int
read_definition(const char *text, struct yl_definition **ret)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *tree;
    int r;

    assert_int_equal(yl_tree_parse(arena, yl_str_c(text), NULL, &tree, NULL),
                     0);
    r = yl_definition_new(tree, &opts, ret, NULL);
    yl_arena_free(arena);
    return r;
}

TEST(a_definition_has_what_its_versions_say)
{
    struct yl_definition *d;
    const struct yl_definition_version *v;

    open_opts();
    assert_int_equal(read_definition(
        "{\"spec\":{\"group\":\"g.io\",\"scope\":\"Namespaced\",\"names\":"
        "{\"kind\":\"W\"},\"versions\":["
        "{\"name\":\"v1beta1\",\"served\":true,\"deprecated\":true},"
        "{\"name\":\"v1\",\"served\":true,\"storage\":true,\"schema\":"
        "{\"openAPIV3Schema\":{\"type\":\"object\"}},\"subresources\":"
        "{\"scale\":{\"specReplicasPath\":\".spec.n\",\"statusReplicasPath\":"
        "\".status.n\"}},\"selectableFields\":[{\"jsonPath\":\".spec.x\"}]}"
        "]}," NAMES "}", &d), 0);
    assert_str_equal(d->plural, "ws");
    assert_string_equal(d->short_names, "a,b");
    assert_true(d->namespaced);
    assert_int_equal(d->n_versions, 2);
    v = yl_definition_version(d, YL_STR("v1beta1"));
    assert_str_equal(v->deprecation,
                     "g.io/v1beta1 W is deprecated; use g.io/v1 W");
    assert_false(v->has_schema);
    assert_false(v->published);
    assert_int_equal(v->n_columns, 1);
    v = d->storage;
    assert_str_equal(v->name, "v1");
    assert_true(v->has_schema);
    assert_true(v->published);
    assert_false(v->status);
    assert_string_equal(v->scale->spec_replicas, ".spec.n");
    assert_null(v->scale->selector);
    assert_int_equal(v->n_fields, 1);
    assert_str_equal(v->fields[0].name, "spec.x");
    yl_definition_free(d);
    close_opts();
}

/* A CRD may have thousands of versions: the newest is looked for once. */
TEST(warnings_name_the_newest_version_that_can_be_used)
{
    struct yl_definition *d;

    open_opts();
    assert_int_equal(read_definition(
        "{\"spec\":{\"group\":\"g.io\",\"names\":{\"kind\":\"W\"},"
        "\"versions\":["
        "{\"name\":\"v1\",\"storage\":true,\"deprecated\":true},"
        "{\"name\":\"v3\",\"served\":true},"
        "{\"name\":\"v2\",\"served\":true},"
        "{\"name\":\"v4\",\"served\":true,\"deprecated\":true},"
        "{\"name\":\"v5\",\"served\":false},"
        "{\"name\":\"v0\",\"served\":true,\"deprecated\":true,"
        "\"deprecationWarning\":\"old\"}]}," NAMES "}", &d), 0);
    assert_str_equal(d->versions[0].deprecation,
                     "g.io/v1 W is deprecated; use g.io/v3 W");
    assert_str_equal(d->versions[1].deprecation, "");
    assert_str_equal(d->versions[3].deprecation, "g.io/v4 W is deprecated");
    assert_str_equal(d->versions[5].deprecation, "old");
    yl_definition_free(d);
    close_opts();
}

TEST(a_definition_with_thousands_of_versions_is_small)
{
    struct yl_definition *d;
    struct yl_buf text;
    int i;

    open_opts();
    yl_buf_init(&text, SIZE_MAX);
    yl_buf_append_c(&text, "{\"spec\":{\"versions\":[");
    for (i = 0; i < 2000; i++) {
        yl_buf_printf(&text, "%s{\"name\":\"v%d\",\"served\":true,"
                      "\"storage\":%s,\"deprecated\":true}",
                      i ? "," : "", i + 1, i ? "false" : "true");
    }
    yl_buf_append_c(&text, "]}," NAMES "}");
    yl_buf_append(&text, "", 1);
    assert_int_equal(read_definition(text.data, &d), 0);
    assert_int_equal(d->n_versions, 2000);
    assert_true(yl_arena_footprint(d->arena) < (size_t) 8 << 20);
    yl_definition_free(d);
    yl_buf_release(&text);
    close_opts();
}

/* A schema of 2018 may leave types out. */
TEST(a_schema_that_is_not_structural_is_not_published)
{
    struct yl_definition *d;

    open_opts();
    assert_int_equal(read_definition(
        "{\"spec\":{\"preserveUnknownFields\":true,\"versions\":["
        "{\"name\":\"v1\",\"served\":true,\"storage\":true,\"schema\":"
        "{\"openAPIV3Schema\":{\"properties\":{\"a\":{\"minimum\":1}}}}},"
        "{\"name\":\"v2\",\"served\":true,\"schema\":"
        "{\"openAPIV3Schema\":{\"type\":\"object\"}}}]}," NAMES "}", &d),
        0);
    assert_true(d->storage->has_schema);
    assert_false(d->storage->published);
    assert_true(yl_definition_version(d, YL_STR("v2"))->published);
    yl_definition_free(d);
    close_opts();
}

TEST(what_cannot_be_served_is_refused)
{
    struct yl_definition *d;

    open_opts();
    assert_int_equal(read_definition("{\"spec\":{\"versions\":[{\"name\":"
                                     "\"v1\",\"storage\":true}]}}", &d),
                     YL_EINVALID);
    assert_int_equal(read_definition("{\"spec\":{\"versions\":[{\"name\":"
                                     "\"v1\"}]}," NAMES "}", &d),
                     YL_EINVALID);
    assert_int_equal(read_definition(
        "{\"spec\":{\"versions\":[{\"name\":\"v1\",\"storage\":true,"
        "\"schema\":{\"openAPIV3Schema\":{\"type\":\"object\",\"properties\":"
        "{\"a\":{\"type\":\"string\",\"pattern\":\"(\"}}}}}]}," NAMES "}",
        &d), YL_EINVALID);
    close_opts();
}
