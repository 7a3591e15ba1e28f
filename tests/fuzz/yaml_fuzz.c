/* Fuzzes YAML: any bytes must give JSON or an error, and JSON that was made
 * into YAML must be read as the same JSON. */

#include "fuzz.h"

#include "json/tree.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/yaml.h"

/* Small ceilings, so that no input takes long. */
static const struct yl_yaml_opts opts = {
    .max_depth = 100,
    .max_expansion = 20000,
};

static void check_document(struct yl_arena *, struct yl_str yaml);
static void check_stream(struct yl_arena *, struct yl_str text);
static void check_there_and_back(struct yl_arena *, struct yl_str json);
static bool may_differ(const struct yl_node *);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yl_str text = yl_str_n((const char *) data, size);
    struct yl_arena *arena = yl_arena_new();

    check_document(arena, text);
    check_stream(arena, text);
    if (yl_json_validate(text, NULL, NULL) == 0) {
        check_there_and_back(arena, text);
    }
    yl_arena_free(arena);
    return 0;
}

static void
check_document(struct yl_arena *arena, struct yl_str yaml)
{
    struct yl_yaml_opts strict = opts;
    struct yl_error err = YL_ERROR_INIT;
    struct yl_str json, again;
    int r = yl_yaml_to_json(arena, yaml, &opts, &json, &err);

    CHECK(r == err.code && (r == 0 || *yl_error_message(&err)));
    yl_error_clear(&err);
    strict.refuse_duplicates = true;
    if (yl_yaml_to_json(arena, yaml, &strict, &again, NULL) == 0) {
        CHECK(r == 0 && yl_str_equal(json, again));
    }
    if (r == 0) {
        check_there_and_back(arena, json);
    }
}

static void
check_stream(struct yl_arena *arena, struct yl_str text)
{
    struct yl_yaml_stream stream = yl_yaml_stream(text);
    struct yl_str document;
    size_t n = 0;

    while (yl_yaml_next(&stream, &document, NULL) > 0) {
        CHECK(document.data >= text.data
              && document.data + document.size <= text.data + text.size);
        CHECK(stream.number == ++n);
    }
    stream = yl_yaml_stream(text);
    for (;;) {
        size_t left = stream.rest.size;
        int r = yl_yaml_next_json(&stream, arena, &opts, &document, NULL);

        if (r == 0) {
            break;
        }
        CHECK(stream.rest.size < left);
        CHECK(r < 0 || yl_json_validate(document, NULL, NULL) == 0);
    }
}

static void
check_there_and_back(struct yl_arena *arena, struct yl_str json)
{
    struct yl_yaml_opts strict = { .refuse_duplicates = true };
    struct yl_node *before, *after;
    struct yl_str yaml;

    CHECK(yl_tree_parse(arena, json, NULL, &before, NULL) == 0);
    CHECK(yl_yaml_from_json(arena, json, &yaml, NULL) == 0);
    if (may_differ(before)) {
        return;
    }
    CHECK(yl_yaml_to_json(arena, yaml, &strict, &json, NULL) == 0);
    CHECK(yl_tree_parse(arena, json, NULL, &after, NULL) == 0);
    CHECK(yl_node_equal(before, after));
}

/* Is there a number too large for a double, which becomes a string, or a
 * member called "<<", which merges when it is printed as kubectl does? */
static bool
may_differ(const struct yl_node *node)
{
    const struct yl_node *child;
    double d;

    if (node->type == YL_JSON_NUMBER && yl_node_double(node, &d) < 0) {
        return true;
    }
    YL_NODE_FOR_EACH (child, node) {
        if (may_differ(child)) {
            return true;
        }
    }
    return yl_node_get(node, YL_STR("<<")) != NULL;
}
