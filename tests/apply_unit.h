#ifndef TESTS_APPLY_UNIT_H
#define TESTS_APPLY_UNIT_H 1

/* What tests of src/apply share: objects, sets and schemas from text.
 *
 * Text is written with ' for " (and ^ for '), and ~ for the quotes inside of
 * an element of FieldsV1:
 *
 *     {'f:ports':{'k:{~port~:80}':{}}} */

#include "apply/typed.h"
#include "base/arena.h"
#include "base/buf.h"
#include "json/tree.h"
#include "schema/compile.h"
#include "schema/props.h"
#include "unit.h"
#include "yuloh/error.h"

struct apply_unit {
    struct yl_arena *arena;
    struct yl_schema *schema;
    struct yl_typed_as as;
};

static inline struct yl_str
apply_text(struct yl_arena *arena, const char *text)
{
    char *out = yl_arena_alloc(arena, 2 * strlen(text) + 1), *at = out;

    for (; *text; text++) {
        if (*text == '~') {
            *at++ = '\\';
        }
        *at++ = *text == '\'' || *text == '~' ? '"'
                : *text == '^' ? '\'' : *text;
    }
    *at = '\0';
    return yl_str_range(out, at);
}

/* NULL for NULL. */
static inline struct yl_node *
apply_node(struct yl_arena *arena, const char *text)
{
    struct yl_node *node = NULL;

    if (text && yl_tree_parse(arena, apply_text(arena, text), NULL, &node,
                              NULL) < 0) {
        fail_msg("not JSON: %s", text);
    }
    return node;
}

static inline const struct yl_field_set *
apply_set(struct yl_arena *arena, const char *text)
{
    struct yl_error err = YL_ERROR_INIT;
    const struct yl_field_set *set;

    if (yl_field_set_parse(arena, apply_text(arena, text), &set, &err) < 0) {
        fail_msg("%s: %s", text, yl_error_message(&err));
    }
    return set;
}

/* A custom resource with that schema; deduced for NULL. */
static inline void
apply_init(struct apply_unit *unit, const char *schema)
{
    const struct yl_schema_props *props;
    struct yl_error err = YL_ERROR_INIT;

    memset(unit, 0, sizeof *unit);
    unit->arena = yl_arena_new();
    unit->as.custom = true;
    if (schema) {
        if (yl_schema_props_read(unit->arena, apply_node(unit->arena, schema),
                                 NULL, &props, &err) < 0
            || yl_schema_compile(props, NULL, &unit->schema, &err) < 0) {
            fail_msg("%s", yl_error_message(&err));
        }
        unit->as.type = yl_schema_type(unit->schema);
    }
}

/* A built-in kind. */
static inline void
apply_init_kind(struct apply_unit *unit, const struct yl_kind *kind)
{
    memset(unit, 0, sizeof *unit);
    unit->arena = yl_arena_new();
    unit->as.type = yl_kind_type(kind);
}

static inline void
apply_release(struct apply_unit *unit)
{
    yl_schema_unref(unit->schema);
    yl_arena_free(unit->arena);
}

static inline void
apply_check_set(struct apply_unit *unit, const struct yl_field_set *set,
                const char *expected)
{
    struct yl_buf buf;

    yl_buf_init(&buf, 1 << 20);
    yl_field_set_write(&buf, set);
    assert_string_equal(yl_buf_c_str(&buf),
                        apply_text(unit->arena, expected).data);
    yl_buf_release(&buf);
}

/* As it is written, members in their order; "-" for NULL. */
static inline void
apply_check_node(struct apply_unit *unit, const struct yl_node *node,
                 const char *expected)
{
    struct yl_buf buf;

    yl_buf_init(&buf, 1 << 20);
    if (node) {
        yl_node_write(&buf, node);
    } else {
        yl_buf_append_char(&buf, '-');
    }
    assert_string_equal(yl_buf_c_str(&buf),
                        apply_text(unit->arena, expected).data);
    yl_buf_release(&buf);
}

#endif /* tests/apply_unit.h */
