/* What a kind's steps take when there is no more memory for a request: next to
 * nothing, however many elements it has.
 *
 * For every list and map of every kind, an object that has many elements
 * there and nothing else. */

#include "builtin/builtin.h"

#include "all_kinds.h"
#include "base/arena.h"
#include "base/buf.h"
#include "json/tree.h"
#include "schema/at.h"
#include "schema/normalize.h"
#include "unit.h"
#include "yuloh/schema.h"

#define N_ELEMENTS 1000

/* What a step may take at most, of an arena whose account has no room: a few
 * values that a message shows, or a node for each element. */
#define MAX_GROWTH ((size_t) 128 << 10)

#define MAX_DEPTH 6

struct walk {
    const struct yl_builtin *builtin;
    const struct yl_kind *kind;
    struct yl_buf before, after;        /* Around the elements. */
    unsigned depth;
    size_t n_objects;
};

static void walk_struct(struct walk *, struct yl_type_ref);

static const char *
element_text(const struct yl_value *value)
{
    switch ((enum yl_value_kind) value->kind) {
    case YL_VALUE_BOOL:
        return "false";
    case YL_VALUE_INT32:
    case YL_VALUE_INT64:
    case YL_VALUE_DOUBLE:
        return "0";
    case YL_VALUE_STRUCT:
    case YL_VALUE_MAP:
    case YL_VALUE_RAW:
    case YL_VALUE_EMBEDDED:
        return "{}";
    case YL_VALUE_LIST:
        return "[]";
    case YL_VALUE_BYTES:
        return "\"\"";
    case YL_VALUE_TIME:
    case YL_VALUE_MICRO_TIME:
    case YL_VALUE_DURATION:
        return "null";
    default:
        return "\"1\"";
    }
}

/* Bytes that were allocated; about, for the end of a chunk may be unused. */
static size_t
used(const struct yl_arena *arena)
{
    return yl_arena_footprint(arena) - (size_t) (arena->end - arena->next);
}

/* The growth of one step. */
static void
measure(const struct walk *walk, struct yl_arena *arena, size_t *before,
        const char *step)
{
    size_t now = used(arena);

    if (now > *before + MAX_GROWTH) {
        print_error("%s takes %zu bytes in %s with %.*s...\n", step,
                    now - *before, walk->kind->name,
                    (int) walk->before.size, walk->before.data);
        fail();
    }
    *before = now;
}

static struct yl_node *
parse(const struct walk *walk, struct yl_arena *arena, const char *text)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *object;

    if (yl_tree_parse(arena, yl_str_c(text), NULL, &object, &err) < 0
        || yl_normalize_decoded(arena, yl_kind_type(walk->kind), object, NULL,
                                &err) < 0) {
        fail_msg("%s: %s", text, yl_error_message(&err));
    }
    return object;
}

static void
try_object(struct walk *walk, const char *text)
{
    const struct yl_builtin *builtin = walk->builtin;
    struct yl_account account = { .refused = YL_ETOOBIG };
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *raw = parse(walk, arena, text);
    struct yl_node *object = parse(walk, arena, text);
    struct yl_node *old = parse(walk, arena, text);
    size_t before;

    yl_builtin_default(builtin, arena, object);
    yl_builtin_default(builtin, arena, old);
    yl_arena_set_account(arena, &account);
    before = used(arena);
    yl_builtin_default(builtin, arena, raw);
    measure(walk, arena, &before, "default");
    yl_builtin_prepare(builtin, arena, object);
    measure(walk, arena, &before, "prepare");
    yl_builtin_validate(builtin, arena, object, NULL);
    measure(walk, arena, &before, "validate");
    yl_builtin_prepare_update(builtin, arena, object, old);
    measure(walk, arena, &before, "prepare_update");
    yl_builtin_validate_update(builtin, arena, object, old, NULL);
    measure(walk, arena, &before, "validate_update");
    yl_builtin_prepare_status(builtin, arena, object, old);
    measure(walk, arena, &before, "prepare_status");
    yl_builtin_validate_status(builtin, arena, object, old, NULL);
    measure(walk, arena, &before, "validate_status");
    walk->n_objects++;
    yl_arena_free(arena);
}

/* Elements of the list or map whose start stands in 'before'. */
static void
try_elements(struct walk *walk, const struct yl_value *element, bool map)
{
    struct yl_buf text;

    yl_buf_init(&text, SIZE_MAX);
    yl_buf_append_str(&text, yl_buf_str(&walk->before));
    for (unsigned i = 0; i < N_ELEMENTS; i++) {
        yl_buf_append_c(&text, i ? "," : "");
        if (map) {
            yl_buf_printf(&text, "\"k%u\":", i);
        }
        yl_buf_append_c(&text, element_text(element));
    }
    for (size_t i = walk->after.size; i > 0; i--) {
        yl_buf_append_char(&text, walk->after.data[i - 1]);
    }
    try_object(walk, yl_buf_c_str(&text));
    yl_buf_release(&text);
}

static void
walk_value(struct walk *walk, const struct yl_type_set *set,
           const struct yl_value *value)
{
    bool map = value->kind == YL_VALUE_MAP;

    if (value->kind == YL_VALUE_STRUCT) {
        walk_struct(walk, yl_value_type(set, value));
    } else if (map || value->kind == YL_VALUE_LIST) {
        const struct yl_value *element = &set->values[value->element];
        size_t size = walk->before.size;

        yl_buf_append_char(&walk->before, map ? '{' : '[');
        yl_buf_append_char(&walk->after, map ? '}' : ']');
        try_elements(walk, element, map);
        yl_buf_append_c(&walk->before, map ? "\"k\":" : "");
        walk_value(walk, set, element);
        walk->before.size = size;
        walk->after.size--;
    }
}

static void
walk_struct(struct walk *walk, struct yl_type_ref type)
{
    size_t size = walk->before.size;

    if (walk->depth == MAX_DEPTH) {
        return;
    }
    walk->depth++;
    yl_buf_append_char(&walk->after, '}');
    for (size_t i = 0; i < type.type->n_fields; i++) {
        const struct yl_field *field
            = &type.set->fields[type.type->fields + i];

        yl_buf_printf(&walk->before, "{\"%.*s\":", (int) field->name_size,
                      type.set->strings + field->name);
        walk_value(walk, type.set, &type.set->values[field->value]);
        walk->before.size = size;
    }
    walk->after.size--;
    walk->depth--;
}

TEST(without_memory_no_step_grows_with_the_object)
{
    struct walk walk = { .depth = 0 };

    yl_buf_init(&walk.before, SIZE_MAX);
    yl_buf_init(&walk.after, SIZE_MAX);
    for (size_t i = 0; i < YL_ARRAY_SIZE(all_kinds); i++) {
        for (size_t k = 0; k < all_kinds[i]->n_kinds; k++) {
            walk.kind = all_kinds[i]->kinds[k];
            walk.builtin = yl_builtin_find(yl_str_c(all_kinds[i]->group),
                                           yl_str_c(all_kinds[i]->version),
                                           yl_str_c(walk.kind->name));
            if (walk.builtin) {
                walk_struct(&walk, yl_kind_type(walk.kind));
            }
        }
    }
    assert_true(walk.n_objects > 1000);
    yl_buf_release(&walk.before);
    yl_buf_release(&walk.after);
}
