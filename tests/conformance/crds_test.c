/* Schemas of CRDs, compiled at run time: those of real CRDs, and what becomes
 * of the custom resources that were recorded. */

#include <glob.h>

#include "base/buf.h"
#include "json/tree.h"
#include "schema/compile.h"
#include "schema/default.h"
#include "schema/embedded.h"
#include "schema/field_error.h"
#include "schema/openapi.h"
#include "schema/pattern.h"
#include "schema/props.h"
#include "schema/prune.h"
#include "schema/sets.h"
#include "schema/strict.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/yaml.h"

static unsigned n_failures;

static void
complain(const char *where, const char *what)
{
    printf("# %s: %s\n", where, what);
    n_failures++;
}

static struct yl_node *
get(const struct yl_node *node, const char *name)
{
    return yl_node_get(node, yl_str_c(name));
}

/* The text of a node. */
static const char *
text_of(struct yl_arena *arena, const struct yl_node *node)
{
    const char *text;
    struct yl_buf buf;

    if (!node) {
        return "nothing";
    }
    yl_buf_init(&buf, SIZE_MAX);
    yl_node_write_canonical(&buf, node);
    text = yl_arena_strdup(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return text;
}

/* Compiles the schema of a CRD's version; NULL and a complaint if it is none.
 */
static struct yl_schema *
compile(struct yl_arena *arena, const char *where,
        const struct yl_node *version, struct yl_patterns *patterns)
{
    struct yl_schema_opts opts = { .match = yl_patterns_match,
                                   .aux = patterns };
    const struct yl_schema_props *props;
    struct yl_error err = YL_ERROR_INIT;
    struct yl_schema *schema = NULL;

    if (yl_schema_props_read(arena, get(get(version, "schema"),
                                        "openAPIV3Schema"), NULL, &props,
                             &err) < 0
        || yl_schema_compile(props, &opts, &schema, &err) < 0) {
        complain(where, yl_error_message(&err));
    }
    yl_error_clear(&err);
    return schema;
}

/* The first place where what is 'written' lacks something of 'wanted', or has
 * something else there; NULL if there is none. */
static const char *
difference(struct yl_arena *arena, const char *path,
           const struct yl_node *wanted, const struct yl_node *written)
{
    const struct yl_node *child, *other;
    size_t i = 0;

    if (wanted->type != yl_node_type(written)
        || (wanted->type != YL_JSON_OBJECT
            && wanted->n != written->n)) {
        return path;
    }
    YL_NODE_FOR_EACH (child, wanted) {
        const char *at, *found;
        bool nothing = false;

        if (wanted->type == YL_JSON_OBJECT) {
            at = yl_arena_printf(arena, "%s.%.*s", path,
                                 YL_STR_ARG(yl_node_key(child)));
            other = yl_node_get(written, yl_node_key(child));
            nothing = child->type == YL_JSON_NULL
                      || (child->type == YL_JSON_BOOL
                          && !(child->flags & YL_NODE_TRUE))
                      || yl_node_string_is(child, YL_STR(""))
                      || (child->type == YL_JSON_OBJECT && !child->n);
        } else {
            at = yl_arena_printf(arena, "%s[%zu]", path, i);
            other = yl_node_at(written, i++);
        }
        if (!other && nothing) {
            continue;           /* false, "" and {} say nothing. */
        }
        found = other ? difference(arena, at, child, other) : at;
        if (found) {
            return found;
        }
    }
    return wanted->n || yl_node_equal(wanted, written) ? NULL : path;
}

/* Compiles a version; its OpenAPI must say what the schema does, and lead back
 * to the same tables. */
static void
check_version(struct yl_arena *arena, const char *where,
              const struct yl_node *version, struct yl_patterns *patterns)
{
    const struct yl_node *wanted = get(get(version, "schema"),
                                       "openAPIV3Schema");
    struct yl_schema *schema = compile(arena, where, version, patterns);
    const struct yl_schema_props *props;
    struct yl_schema *again = NULL;
    struct yl_node *written;
    const char *different;
    struct yl_str text;
    struct yl_buf buf;

    if (!schema) {
        return;
    }
    yl_buf_init(&buf, SIZE_MAX);
    yl_openapi_write_type(&buf, YL_OPENAPI_V3, yl_schema_type(schema));
    text = yl_arena_copy(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    assert_int_equal(yl_tree_parse(arena, text, NULL, &written, NULL), 0);
    different = difference(arena, "", wanted, written);
    if (different) {
        complain(where, different);
    }
    assert_int_equal(yl_schema_props_read(arena, written, NULL, &props, NULL),
                     0);
    assert_int_equal(yl_schema_compile(props, NULL, &again, NULL), 0);
    if (!yl_schema_equal(schema, again)) {
        complain(where, "its OpenAPI has other tables");
    }
    yl_schema_unref(again);
    yl_schema_unref(schema);
}

TEST(schemas_of_real_crds_compile_and_lose_nothing)
{
    struct yl_patterns *patterns = yl_patterns_new();
    unsigned n = 0;
    glob_t files;
    size_t i;

    assert_int_equal(glob(truth_path("crds/*/*.yaml"), 0, NULL, &files), 0);
    for (i = 0; i < files.gl_pathc; i++) {
        size_t size;
        char *text = read_file(files.gl_pathv[i], &size);
        struct yl_yaml_stream stream = yl_yaml_stream(yl_str_n(text, size));
        struct yl_arena *arena = yl_arena_new();
        struct yl_str json;

        while (yl_yaml_next_json(&stream, arena, NULL, &json, NULL) > 0) {
            const struct yl_node *versions, *version;
            struct yl_node *root;

            assert_int_equal(yl_tree_parse(arena, json, NULL, &root, NULL),
                             0);
            versions = get(get(root, "spec"), "versions");
            if (!yl_node_string_is(get(root, "kind"),
                                   YL_STR("CustomResourceDefinition"))) {
                continue;
            }
            YL_NODE_FOR_EACH (version, versions) {
                check_version(arena,
                              yl_arena_printf(
                                  arena, "%s %s",
                                  text_of(arena, get(get(root, "metadata"),
                                                     "name")),
                                  text_of(arena, get(version, "name"))),
                              version, patterns);
                n++;
            }
        }
        yl_arena_free(arena);
        free(text);
    }
    globfree(&files);
    yl_patterns_free(patterns);
    print_message("%u schemas\n", n);
    assert_int_equal(n_failures, 0);
    assert_true(n >= 40);
}

/* Answers that need more than a schema: of an object, or of all of a
 * scenario. */
static const struct {
    const char *scenario, *object, *why;
} others[] = {
    { "crds-cel-messages", NULL, "expressions are not evaluated" },
    { "crds-cel-library", NULL, "expressions are not evaluated" },
    { "crds-cel-transition", NULL, "expressions are not evaluated" },
    { "crds-ratcheting", "s", "expressions are not evaluated" },
    { "crds-status-subresource", "a", "creating leaves the status out" },
    { "crds-table", "made", "the answer is a Table" },
    { "crds-text-and-size", NULL, "metadata has rules of its own" },
    { "crds-metadata", NULL, "metadata has rules of its own" },
    { "crds-pruning", "o7", "metadata has rules of its own" },
    { "crds-pruning", "o11", "apiVersion has rules of its own" },
    { "crds-pruning", "o12", "kind has rules of its own" },
    { "crds-pruning", "o13", "metadata has rules of its own" },
    { "crds-update-versions", "two", "it was stored in another version" },
    { "crds-list-types", "o3", "1 and 1.0 are two numbers to Go only" },
};

/* Causes as lines. */
static const char *
causes_of(struct yl_arena *arena, const struct yl_node *causes)
{
    const struct yl_node *cause;
    const char *lines = "";

    YL_NODE_FOR_EACH (cause, causes) {
        struct yl_str reason = YL_STR(""), field = YL_STR("");
        struct yl_str message = YL_STR("");

        yl_node_string(get(cause, "reason"), arena, &reason);
        yl_node_string(get(cause, "field"), arena, &field);
        yl_node_string(get(cause, "message"), arena, &message);
        lines = yl_arena_printf(arena, "%s%.*s %.*s %.*s\n", lines,
                                YL_STR_ARG(reason), YL_STR_ARG(field),
                                YL_STR_ARG(message));
    }
    return lines;
}

static const char *
faults_of(struct yl_arena *arena, const struct yl_error *err)
{
    const char *lines = "";
    size_t i;

    for (i = 0; i < err->n_causes; i++) {
        lines = yl_arena_printf(arena, "%s%s %s %s\n", lines,
                                err->causes[i].reason, err->causes[i].field,
                                err->causes[i].message);
    }
    return lines;
}

/* Does to a custom resource what a server does by its schema, and compares
 * with the answer. */
static bool
check_step(struct yl_arena *arena, const char *where,
           const struct yl_schema *schema, struct yl_patterns *patterns,
           const struct yl_node *step)
{
    struct yl_validate_opts opts = { .match = yl_patterns_match,
                                     .aux = patterns };
    const struct yl_node *expect = get(step, "expect");
    struct yl_node *root = yl_node_copy(arena, get(step, "body"));
    struct yl_node *body = get(expect, "body");
    struct yl_type_ref type = yl_schema_type(schema);
    struct yl_error err = YL_ERROR_INIT;
    const char *ours, *theirs;
    int64_t status = 0;

    yl_node_int64(get(expect, "status"), &status);
    if ((status != 201 && status != 422) || !get(root, "metadata")
        || get(step, "keep") || get(step, "drop")) {
        return false;
    }
    yl_prune(type, root, NULL);
    yl_prune_nulls(type, root);
    assert_int_equal(yl_default_apply(arena, type, root, NULL), 0);
    yl_validate(type, root, &opts, &err);
    yl_embedded_check(arena, type, root, NULL, &err);
    yl_validate_sets(type, root, NULL, NULL, &err);
    if (status == 201) {
        root = yl_node_copy(arena, root);
        body = yl_node_copy(arena, body);
        yl_node_remove(root, YL_STR("metadata"));
        yl_node_remove(body, YL_STR("metadata"));
        ours = yl_arena_printf(arena, "%s%s", text_of(arena, root),
                               faults_of(arena, &err));
        theirs = text_of(arena, body);
    } else {
        ours = faults_of(arena, &err);
        theirs = causes_of(arena, get(get(body, "details"), "causes"));
    }
    if (strcmp(ours, theirs)) {
        complain(where, yl_arena_printf(
            arena, "%s\n#   ours   %s\n#   theirs %s",
            text_of(arena, get(step, "body")), ours, theirs));
    }
    yl_error_clear(&err);
    return true;
}

static bool
is_other(const struct yl_node *scenario, const struct yl_node *object)
{
    const struct yl_node *name = get(get(object, "metadata"), "name");
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(others); i++) {
        if (yl_node_string_is(scenario, yl_str_c(others[i].scenario))
            && (!others[i].object
                || yl_node_string_is(name, yl_str_c(others[i].object)))) {
            return true;
        }
    }
    return false;
}

/* The version of a CRD that a custom resource is of; NULL if there is none. */
static const struct yl_node *
version_of(struct yl_arena *arena, const struct yl_node *crd,
           const struct yl_node *object)
{
    const struct yl_node *versions = get(get(crd, "spec"), "versions");
    const struct yl_node *version;
    struct yl_str group, name;

    if (yl_node_string(get(object, "apiVersion"), arena, &name) == 0
        && yl_str_cut(name, '/', &group, &name)
        && yl_node_string_is(get(get(crd, "spec"), "group"), group)) {
        YL_NODE_FOR_EACH (version, versions) {
            if (yl_node_string_is(get(version, "name"), name)) {
                return version;
            }
        }
    }
    return NULL;
}

static unsigned
check_scenario(const struct yl_node *scenario, struct yl_patterns *patterns)
{
    struct yl_arena *arena = yl_arena_new();
    const char *name = text_of(arena, get(scenario, "name"));
    const struct yl_node *step, *crd = NULL;
    unsigned n = 0;

    YL_NODE_FOR_EACH (step, get(scenario, "steps")) {
        const struct yl_node *body = get(step, "body"), *version;
        bool post = yl_node_string_is(get(step, "do"), YL_STR("POST"));
        struct yl_schema *schema = NULL;
        int64_t status = 0;

        yl_node_int64(get(get(step, "expect"), "status"), &status);
        version = post && crd && !is_other(get(scenario, "name"), body)
                      ? version_of(arena, crd, body) : NULL;
        if (get(get(body, "spec"), "versions") && status / 100 == 2) {
            crd = body;         /* Created, replaced or patched. */
        } else if (version) {
            schema = compile(arena, name, version, patterns);
            n += schema && check_step(arena, name, schema, patterns, step);
        }
        yl_schema_unref(schema);
    }
    yl_arena_free(arena);
    return n;
}

TEST(custom_resources_become_what_was_recorded)
{
    size_t size;
    char *text = read_file(truth_path("recorded/crds.json"), &size);
    struct yl_patterns *patterns = yl_patterns_new();
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *scenarios, *scenario;
    unsigned n = 0;

    n_failures = 0;
    assert_int_equal(yl_tree_parse(arena, yl_str_n(text, size), NULL,
                                   &scenarios, NULL), 0);
    YL_NODE_FOR_EACH (scenario, scenarios) {
        n += check_scenario(scenario, patterns);
    }
    print_message("%u custom resources\n", n);
    assert_int_equal(n_failures, 0);
    assert_true(n >= 100);
    yl_arena_free(arena);
    yl_patterns_free(patterns);
    free(text);
}
