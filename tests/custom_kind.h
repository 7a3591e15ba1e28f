#ifndef TESTS_CUSTOM_KIND_H
#define TESTS_CUSTOM_KIND_H 1

/* A custom kind for tests: Things of example.com, with a schema that is
 * written with single quotes. */

#include "json/tree.h"
#include "schema/compile.h"
#include "schema/props.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

/* The caller frees it with yl_schema_kind_free(). */
static inline struct yl_kind *
custom_kind_new(const char *version, const char *schema, unsigned flags)
{
    struct yl_schema_names names = {
        .group = YL_STR("example.com"), .version = yl_str_c(version),
        .kind = YL_STR("Thing"), .list_kind = YL_STR("ThingList"),
        .plural = YL_STR("things"), .singular = YL_STR("thing"),
        .flags = flags,
    };
    struct yl_arena *arena = yl_arena_new();
    char *text = yl_arena_strdup(arena, yl_str_c(schema)), *at;
    const struct yl_schema_props *props;
    struct yl_error err = YL_ERROR_INIT;
    struct yl_schema *compiled = NULL;
    struct yl_kind *kind;
    struct yl_node *node;

    for (at = text; *at; at++) {
        *at = *at == '\'' ? '"' : *at;
    }
    if (yl_tree_parse(arena, yl_str_c(text), NULL, &node, &err) < 0
        || yl_schema_props_read(arena, node, NULL, &props, &err) < 0
        || yl_schema_compile(props, NULL, &compiled, &err) < 0) {
        fail_msg("%s: %s", schema, yl_error_message(&err));
    }
    kind = yl_schema_kind_new(compiled, &names);
    yl_schema_unref(compiled);
    yl_arena_free(arena);
    return kind;
}

#endif /* tests/custom_kind.h */
