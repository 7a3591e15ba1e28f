/* Unknown and repeated members.  See schema/strict.h for the contract. */

#include "schema/strict.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/quote.h"
#include "json/tree.h"
#include "schema/field_error.h"

/* An object that had repeated members. */
struct object {
    const struct yl_node *node;
    struct yl_strict_repeat *first, **tail;
    size_t n;
    struct yl_map_node by_node; /* In yl_strict's 'repeated'. */
};

static struct object *find_object(const struct yl_strict *,
                                  const struct yl_node *);
static void report(struct yl_strict *, const char *what,
                   const struct yl_field_path *object, struct yl_str name);

void
yl_strict_init(struct yl_strict *strict, struct yl_arena *arena)
{
    memset(strict, 0, sizeof *strict);
    strict->arena = arena;
}

void
yl_strict_release(struct yl_strict *strict)
{
    yl_map_release(&strict->repeated);
}

void
yl_strict_on_duplicate(void *strict_, const struct yl_node *node,
                       struct yl_str key)
{
    struct yl_strict *strict = strict_;
    struct object *object = find_object(strict, node);
    struct yl_strict_repeat *repeat;

    if (!object) {
        object = yl_arena_zalloc(strict->arena, sizeof *object);
        object->node = node;
        object->tail = &object->first;
        yl_map_insert(&strict->repeated, &object->by_node,
                      yl_hash_u64((uintptr_t) node));
    }
    if (object->n >= YL_STRICT_MAX) {
        return;
    }
    for (repeat = object->first; repeat; repeat = repeat->next) {
        if (yl_str_equal(repeat->key, key)) {
            return;
        }
    }
    repeat = yl_arena_zalloc(strict->arena, sizeof *repeat);
    repeat->key = yl_arena_copy(strict->arena, key);
    repeat->position = node->n;
    *object->tail = repeat;
    object->tail = &repeat->next;
    object->n++;
}

const struct yl_strict_repeat *
yl_strict_repeats(const struct yl_strict *strict, const struct yl_node *node)
{
    const struct object *object = find_object(strict, node);

    return object ? object->first : NULL;
}

void
yl_strict_unknown(struct yl_strict *strict, const struct yl_field_path *object,
                  struct yl_str name)
{
    report(strict, "unknown field ", object, name);
}

void
yl_strict_duplicate(struct yl_strict *strict,
                    const struct yl_field_path *object, struct yl_str name)
{
    report(strict, "duplicate field ", object, name);
}

size_t
yl_strict_put_repeats_first(struct yl_strict *strict, size_t from)
{
    size_t n = from, i;

    for (i = from; i < strict->n_errors; i++) {
        struct yl_str report = strict->errors[i];

        if (yl_str_starts_with(report, YL_STR("duplicate"))) {
            memmove(&strict->errors[n + 1], &strict->errors[n],
                    (i - n) * sizeof report);
            strict->errors[n++] = report;
        }
    }
    return n;
}

void
yl_strict_write(struct yl_buf *buf, const struct yl_strict *strict)
{
    size_t i;

    for (i = 0; i < strict->n_errors; i++) {
        yl_buf_append_c(buf, i ? ", " : "");
        yl_buf_append_str(buf, strict->errors[i]);
    }
}

static struct object *
find_object(const struct yl_strict *strict, const struct yl_node *node)
{
    struct object *object;

    YL_MAP_FOR_EACH_WITH_HASH (object, by_node, yl_hash_u64((uintptr_t) node),
                               &strict->repeated) {
        if (object->node == node) {
            return object;
        }
    }
    return NULL;
}

static void
report(struct yl_strict *strict, const char *what,
       const struct yl_field_path *object, struct yl_str name)
{
    struct yl_field_path path = yl_field_member(object, name);
    struct yl_buf text, quoted;
    size_t i;

    if (!strict || strict->n_errors >= YL_STRICT_MAX) {
        return;
    }
    yl_buf_init(&text, SIZE_MAX);
    if (strict->place) {
        yl_field_path_write(&text, strict->place);
        yl_buf_append_char(&text, '.');
    }
    yl_field_path_write(&text, &path);
    yl_buf_init(&quoted, SIZE_MAX);
    yl_buf_append_c(&quoted, what);
    yl_quote_excerpt(&quoted, yl_buf_str(&text));
    for (i = 0; i < strict->n_errors; i++) {
        if (yl_str_equal(strict->errors[i], yl_buf_str(&quoted))) {
            break;
        }
    }
    if (i == strict->n_errors) {
        strict->errors[strict->n_errors++] =
            yl_arena_copy(strict->arena, yl_buf_str(&quoted));
    }
    yl_buf_release(&text);
    yl_buf_release(&quoted);
}
