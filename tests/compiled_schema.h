#ifndef TESTS_COMPILED_SCHEMA_H
#define TESTS_COMPILED_SCHEMA_H 1

/* Schemas, objects and causes as texts, for tests of what compiled schemas do
 * to custom resources. */

#include "json/tree.h"
#include "schema/compile.h"
#include "schema/props.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

/* A copy of 'text' with " for each '. */
static inline char *
with_quotes(struct yl_arena *arena, const char *text)
{
    char *json = yl_arena_strdup(arena, yl_str_c(text)), *c;

    for (c = json; *c; c++) {
        *c = *c == '\'' ? '"' : *c;
    }
    return json;
}

/* The tree of such a text. */
static inline struct yl_node *
tree_of(struct yl_arena *arena, const char *text)
{
    char *json = with_quotes(arena, text);
    struct yl_node *root = NULL;

    if (yl_tree_parse(arena, yl_str_c(json), NULL, &root, NULL) < 0) {
        fail_msg("not JSON: %s", json);
    }
    return root;
}

/* The schema of a JSON text; and of one with ' for ". */
static inline struct yl_schema *
schema_of_json(struct yl_arena *arena, const char *text)
{
    const struct yl_schema_props *props;
    struct yl_error err = YL_ERROR_INIT;
    struct yl_schema *schema = NULL;
    struct yl_node *root;

    if (yl_tree_parse(arena, yl_str_c(text), NULL, &root, &err) < 0
        || yl_schema_props_read(arena, root, NULL, &props, &err) < 0
        || yl_schema_compile(props, NULL, &schema, &err) < 0) {
        fail_msg("%s: %s", text, yl_error_message(&err));
    }
    return schema;
}

static inline struct yl_schema *
schema_of(struct yl_arena *arena, const char *text)
{
    return schema_of_json(arena, with_quotes(arena, text));
}

/* The causes, each a line "REASON FIELD MESSAGE".  Clears the error. */
static inline const char *
causes_of(struct yl_arena *arena, struct yl_error *err)
{
    const char *text = "";
    size_t i;

    for (i = 0; i < err->n_causes; i++) {
        text = yl_arena_printf(arena, "%s%s%s %s %s", text, i ? "\n" : "",
                               err->causes[i].reason, err->causes[i].field,
                               err->causes[i].message);
    }
    yl_error_clear(err);
    return text;
}

#endif /* tests/compiled_schema.h */
