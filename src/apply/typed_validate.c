/* What must hold of an applied configuration.  See apply/typed.h for the
 * contract.
 *
 * Messages are upstream's, with Go's way to print values.  Members come in the
 * order of the text; upstream's order is that of a Go map. */

#include "apply/typed.h"

#include "apply/shape.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/quote.h"
#include "json/tree.h"
#include "schema/go_print.h"
#include "yuloh/error.h"

/* More faults than this are not reported. */
#define MAX_FAULTS 256

struct walk {
    struct yl_arena *arena;
    bool duplicates;            /* Are they allowed? */
    struct yl_buf text;         /* The faults, each with two blanks before it
                                 * and a line end behind. */
    size_t n_faults;
    struct yl_path_element path[YL_JSON_MAX_DEPTH + 1];
};

/* An item of a list that was seen. */
struct seen {
    struct yl_path_element element;
    struct yl_map_node by_text;
};

static void check_value(struct walk *, const struct yl_shape *,
                        const struct yl_node *, size_t depth);
static void check_scalar(struct walk *, const struct yl_shape *,
                         const struct yl_node *, size_t depth);
static void check_map(struct walk *, const struct yl_shape *,
                      const struct yl_node *, size_t depth);
static void check_list(struct walk *, const struct yl_shape *,
                       const struct yl_node *, size_t depth);
static bool is_repeated(struct yl_arena *, struct yl_map *,
                        const struct yl_path_element *);
static void fault(struct walk *, size_t depth, const char *format, ...)
    YL_PRINTF(3, 4);
static void fault_value(struct walk *, size_t depth, const char *expected,
                        const struct yl_node *, bool go_syntax);
static void print_go(struct yl_buf *, struct yl_arena *,
                     const struct yl_node *);

int
yl_typed_validate(struct yl_arena *arena, struct yl_typed_as as,
                  const struct yl_node *object, bool duplicates,
                  struct yl_error *err)
{
    struct yl_shape shape = yl_shape_root(as);
    struct walk walk;
    int r;

    walk.arena = arena;
    walk.duplicates = duplicates;
    walk.n_faults = 0;
    yl_buf_init(&walk.text, 1 << 20);
    check_value(&walk, &shape, object, 0);
    r = yl_arena_check(arena, err);
    if (r == 0 && yl_buf_error(&walk.text)) {
        r = yl_error_set(err, YL_EINVALID, "more faults than can be told");
    } else if (r == 0 && walk.n_faults == 1) {
        struct yl_str one = yl_buf_str(&walk.text);

        r = yl_error_set(err, YL_EINVALID, "%.*s",
                         (int) one.size - 3, one.data + 2);
    } else if (r == 0 && walk.n_faults > 1) {
        r = yl_error_set(err, YL_EINVALID, "errors:\n%.*s",
                         (int) walk.text.size - 1, walk.text.data);
    }
    yl_buf_release(&walk.text);
    return r;
}

static void
check_value(struct walk *walk, const struct yl_shape *shape,
            const struct yl_node *node, size_t depth)
{
    enum yl_json_type type = yl_node_type(node);

    if (walk->n_faults >= MAX_FAULTS || yl_arena_is_over(walk->arena)
        || depth >= YL_JSON_MAX_DEPTH) {
        return;
    }
    switch (yl_shape_case(shape, node, NULL)) {
    case YL_CASE_MAP:
        if (type == YL_JSON_OBJECT) {
            check_map(walk, shape, node, depth);
        } else if (type != YL_JSON_NULL) {
            fault_value(walk, depth, "expected map", node, false);
        }
        break;

    case YL_CASE_LIST:
        if (type == YL_JSON_ARRAY) {
            check_list(walk, shape, node, depth);
        } else if (type != YL_JSON_NULL) {
            fault_value(walk, depth, "expected list", node, false);
        }
        break;

    case YL_CASE_SCALAR:
        if (type != YL_JSON_NULL) {
            check_scalar(walk, shape, node, depth);
        }
        break;

    case YL_CASE_NONE:
    default:
        fault(walk, depth, "schema error: invalid atom: inlined");
        break;
    }
}

static void
check_scalar(struct walk *walk, const struct yl_shape *shape,
             const struct yl_node *node, size_t depth)
{
    enum yl_json_type type = yl_node_type(node);

    switch ((enum yl_shape_scalar) shape->scalar) {
    case YL_SHAPE_NUMBER:
        if (type != YL_JSON_NUMBER) {
            fault(walk, depth, "expected numeric (int or float), got %s",
                  yl_go_type(node));
        }
        break;

    case YL_SHAPE_STRING:
        if (type != YL_JSON_STRING) {
            fault_value(walk, depth, "expected string", node, true);
        }
        break;

    case YL_SHAPE_BOOL:
        if (type != YL_JSON_BOOL) {
            fault_value(walk, depth, "expected boolean", node, false);
        }
        break;

    case YL_SHAPE_SCALAR:
        if (type == YL_JSON_ARRAY || type == YL_JSON_OBJECT) {
            fault_value(walk, depth, "expected any scalar", node, false);
        }
        break;

    case YL_SHAPE_NO_SCALAR:
    default:
        break;
    }
}

static void
check_map(struct walk *walk, const struct yl_shape *shape,
          const struct yl_node *object, size_t depth)
{
    const struct yl_node *member;
    size_t hint = 0;

    YL_NODE_FOR_EACH (member, object) {
        struct yl_shape inner;
        bool declared;

        inner = yl_shape_member(shape, yl_node_key(member), &hint, &declared);
        walk->path[depth] = yl_path_field(yl_node_key(member));
        if (yl_shape_is_none(&inner)) {
            fault(walk, depth + 1, "field not declared in schema");
            break;              /* As upstream does. */
        }
        check_value(walk, &inner, member, depth + 1);
    }
}

static void
check_list(struct walk *walk, const struct yl_shape *shape,
           const struct yl_node *list, size_t depth)
{
    struct yl_shape inner = yl_shape_item(shape);
    struct yl_map seen = { 0 };
    const struct yl_node *node;
    size_t i = 0;

    YL_NODE_FOR_EACH (node, list) {
        struct yl_error err = YL_ERROR_INIT;
        struct yl_path_element *element = &walk->path[depth];

        if (shape->list == YL_LIST_ATOMIC) {
            if (yl_node_type(node) <= YL_JSON_STRING
                && yl_shape_case(&inner, node, NULL) == YL_CASE_SCALAR
                && inner.scalar == YL_SHAPE_SCALAR) {
                i++;
                continue;       /* Nothing can be wrong with it. */
            }
            element->text = yl_arena_printf(walk->arena, "%zu", i);
            element->size = (uint32_t) strlen(element->text);
            element->kind = YL_PATH_INDEX;
        } else if (yl_shape_element(walk->arena, shape, node, element, &err)
                   < 0) {
            fault(walk, depth, "element %zu: %s", i, yl_error_message(&err));
            yl_error_clear(&err);
            break;
        } else if (!walk->duplicates
                   && is_repeated(walk->arena, &seen, element)) {
            struct yl_buf text;

            yl_buf_init(&text, 1 << 20);
            yl_path_print(&text, element, 1);
            fault(walk, depth, "duplicate entries for key %s",
                  yl_buf_c_str(&text));
            yl_buf_release(&text);
        }
        check_value(walk, &inner, node, depth + 1);
        if (walk->n_faults >= MAX_FAULTS || yl_arena_is_over(walk->arena)) {
            break;
        }
        i++;
    }
    yl_map_release(&seen);
}

/* Was an equal element seen before?  If not, it is now. */
static bool
is_repeated(struct yl_arena *arena, struct yl_map *map,
            const struct yl_path_element *element)
{
    size_t hash = yl_hash_str(yl_path_element_text(element));
    struct seen *seen;

    YL_MAP_FOR_EACH_WITH_HASH (seen, by_text, hash, map) {
        if (yl_path_element_equal(&seen->element, element)) {
            return true;
        }
    }
    seen = yl_arena_zalloc(arena, sizeof *seen);
    seen->element = *element;
    yl_map_insert(map, &seen->by_text, hash);
    return false;
}

/* Adds "PATH: MESSAGE". */
static void
fault(struct walk *walk, size_t depth, const char *format, ...)
{
    va_list args;

    yl_buf_append(&walk->text, "  ", 2);
    if (depth) {
        yl_path_print(&walk->text, walk->path, depth);
        yl_buf_append(&walk->text, ": ", 2);
    }
    va_start(args, format);
    yl_buf_vprintf(&walk->text, format, args);
    va_end(args);
    yl_buf_append_char(&walk->text, '\n');
    walk->n_faults++;
}

/* Adds "EXPECTED, got VALUE": the value is printed as the Go struct around
 * it, with %#v if 'go_syntax' and else with %v. */
static void
fault_value(struct walk *walk, size_t depth, const char *expected,
            const struct yl_node *node, bool go_syntax)
{
    struct yl_buf text;

    yl_buf_init(&text, 1 << 20);
    if (go_syntax) {
        print_go(&text, walk->arena, node);
        fault(walk, depth, "%s, got &value.valueUnstructured{Value:%s}",
              expected, yl_buf_c_str(&text));
    } else {
        yl_go_print(&text, node);
        fault(walk, depth, "%s, got &{%s}", expected, yl_buf_c_str(&text));
    }
    yl_buf_release(&text);
}

/* Appends 'node' as Go's %#v prints it, of a long one only the start. */
static void
print_go(struct yl_buf *buf, struct yl_arena *arena,
         const struct yl_node *node)
{
    const struct yl_node *child;
    struct yl_str s;

    switch (yl_node_type(node)) {
    case YL_JSON_STRING:
        if (yl_node_string(node, arena, &s) == 0) {
            yl_quote_excerpt(buf, s);
        }
        break;

    case YL_JSON_NULL:
        yl_buf_append_c(buf, "interface {}(nil)");
        break;

    case YL_JSON_ARRAY:
    case YL_JSON_OBJECT:
        yl_buf_append_c(buf, node->type == YL_JSON_ARRAY
                                 ? "[]interface {}{"
                                 : "map[string]interface {}{");
        YL_NODE_FOR_EACH (child, node) {
            if (buf->size > YL_EXCERPT_MAX) {
                yl_buf_append_c(buf, "...");
                break;
            }
            if (child != node->first) {
                yl_buf_append(buf, ", ", 2);
            }
            if (node->type == YL_JSON_OBJECT) {
                yl_quote_excerpt(buf, yl_node_key(child));
                yl_buf_append_char(buf, ':');
            }
            print_go(buf, arena, child);
        }
        yl_buf_append_char(buf, '}');
        break;

    case YL_JSON_BOOL:
    case YL_JSON_NUMBER:
    case YL_JSON_NONE:
    default:
        yl_go_print(buf, node);
        break;
    }
}
