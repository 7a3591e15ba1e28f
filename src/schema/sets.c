/* Lists that are sets or maps.  See schema/sets.h for the contract.
 *
 * The recursion is as deep as the tree, whose depth its parser bounds. */

#include "schema/sets.h"

#include <string.h>

#include "base/arena.h"
#include "json/tree.h"
#include "schema/field_error.h"
#include "schema/go_value.h"
#include "schema/seen.h"
#include "schema/shape.h"
#include "yuloh/error.h"

/* Lists of at most so many elements are compared pair by pair. */
#define SHORT_LIST 8

struct walk {
    struct yl_arena *arena;
    struct yl_error *err;
};

static int check(struct yl_type_ref, const struct yl_node *root,
                 struct yl_account *, struct yl_error *);
static void walk_object(struct walk *, const struct yl_field_path *,
                        const struct yl_shape *, const struct yl_node *);
static void walk_value(struct walk *, const struct yl_field_path *,
                       const struct yl_type_set *, const struct yl_value *,
                       const struct yl_node *);
static void check_list(struct walk *, const struct yl_field_path *,
                       const struct yl_shape *, const struct yl_node *);
static struct yl_node *keys_of(struct yl_arena *, const char *keys,
                               const struct yl_node *element);
static void find_repeats(struct walk *, const struct yl_field_path *,
                         const char *keys, const struct yl_node *list);
static bool is_second(const struct yl_node *first, const char *keys,
                      const struct yl_node *, yl_seen_equal_fn *);
static bool equal_keys(const char *keys, const struct yl_node *,
                       const struct yl_node *, yl_seen_equal_fn *);
static const struct yl_node *member(const struct yl_node *element,
                                    struct yl_str key);
static bool equal_values(const struct yl_node *, const struct yl_node *);

int
yl_validate_sets(struct yl_type_ref type, const struct yl_node *root,
                 const struct yl_node *old, struct yl_account *account,
                 struct yl_error *err)
{
    struct yl_error ours = YL_ERROR_INIT;
    int r = check(type, root, account, &ours);

    if (r == YL_EINVALID && old && check(type, old, account, NULL) < 0) {
        r = 0;
    }
    if (r < 0 && err) {
        size_t i;

        err->code = err->code ? err->code : r;
        for (i = 0; i < ours.n_causes; i++) {
            yl_error_add_cause(err, yl_str_c(ours.causes[i].reason),
                               yl_str_c(ours.causes[i].message),
                               yl_str_c(ours.causes[i].field));
        }
    }
    yl_error_clear(&ours);
    return r;
}

static int
check(struct yl_type_ref type, const struct yl_node *root,
      struct yl_account *account, struct yl_error *err)
{
    struct yl_error found = YL_ERROR_INIT;
    struct yl_shape shape = yl_shape_of_type(type);
    struct yl_arena arena;
    struct walk walk = { &arena, err ? err : &found };
    int r;

    yl_arena_init(&arena);
    yl_arena_set_account(&arena, account);
    if (yl_node_type(root) == YL_JSON_OBJECT) {
        walk_object(&walk, NULL, &shape, root);
    }
    r = yl_arena_check(&arena, err);
    if (r == 0 && walk.err->n_causes) {
        r = YL_EINVALID;
    }
    yl_arena_release(&arena);
    yl_error_clear(&found);
    return r;
}

static void
walk_object(struct walk *walk, const struct yl_field_path *parent,
            const struct yl_shape *shape, const struct yl_node *object)
{
    const struct yl_node *member;

    YL_NODE_FOR_EACH (member, object) {
        struct yl_str name = yl_node_key(member);
        const struct yl_value *value = yl_shape_member(shape, name);
        struct yl_field_path path = shape->kind == YL_VALUE_MAP
                                    ? yl_field_key(parent, name)
                                    : yl_field_member(parent, name);

        if (value) {
            walk_value(walk, &path, yl_shape_set(shape), value, member);
        }
    }
}

static void
walk_value(struct walk *walk, const struct yl_field_path *path,
           const struct yl_type_set *set, const struct yl_value *value,
           const struct yl_node *node)
{
    struct yl_shape shape;
    const struct yl_node *child;
    size_t i = 0;

    if (node->type != YL_JSON_ARRAY && node->type != YL_JSON_OBJECT) {
        return;
    }
    shape = yl_shape_of_value(set, value);
    if (node->type == YL_JSON_OBJECT) {
        walk_object(walk, path, &shape, node);
    } else if (shape.kind == YL_VALUE_LIST) {
        check_list(walk, path, &shape, node);
        YL_NODE_FOR_EACH (child, node) {
            struct yl_field_path below = yl_field_index(path, i++);

            walk_value(walk, &below, shape.set, shape.element, child);
        }
    }
}

static void
check_list(struct walk *walk, const struct yl_field_path *path,
           const struct yl_shape *shape, const struct yl_node *list)
{
    const struct yl_node *node;
    size_t i = 0;

    if (shape->topology == YL_TOPOLOGY_SET) {
        find_repeats(walk, path, NULL, list);
    } else if (shape->topology == YL_TOPOLOGY_MAP) {
        YL_NODE_FOR_EACH (node, list) {
            struct yl_field_path at = yl_field_index(path, i++);

            if (node->type != YL_JSON_OBJECT && node->type != YL_JSON_NULL) {
                yl_field_invalid(walk->err, &at, yl_bad_node(node), "must be "
                                 "an object for an array of list-type map");
                return;
            }
        }
        find_repeats(walk, path, shape->list_keys, list);
    }
}

/* An object with the members of 'element' that the comma-separated 'keys'
 * name. */
static struct yl_node *
keys_of(struct yl_arena *arena, const char *keys,
        const struct yl_node *element)
{
    struct yl_node *object = yl_node_new_object(arena);
    struct yl_str rest = yl_str_c(keys);

    while (rest.size) {
        struct yl_str key = rest, tail = yl_str_null();
        const struct yl_node *value;

        yl_str_cut(rest, ',', &key, &tail);
        value = member(element, key);
        if (value) {
            yl_node_set(arena, object, key, yl_node_copy(arena, value));
        }
        rest = tail;
    }
    return object;
}

/* Reports elements that stand in the list for the second time, or whose keys
 * do. */
static void
find_repeats(struct walk *walk, const struct yl_field_path *parent,
             const char *keys, const struct yl_node *list)
{
    yl_seen_equal_fn *equal = !keys ? equal_values
                              : strchr(keys, ',') ? yl_node_equal
                                                  : yl_go_equal;
    struct yl_seen seen, told;
    const struct yl_node *node;
    size_t i = 0;

    yl_seen_init(&seen, walk->arena, equal);
    yl_seen_init(&told, walk->arena, equal);
    YL_NODE_FOR_EACH (node, list) {
        struct yl_field_path path = yl_field_index(parent, i++);
        const struct yl_node *value = node;
        bool second;

        if (list->n <= SHORT_LIST) {
            second = is_second(list->first, keys, node, equal);
            if (second && keys) {
                value = keys_of(walk->arena, keys, node);
            }
        } else {
            if (keys) {
                value = keys_of(walk->arena, keys, node);
            }
            second = yl_seen_add(&seen, value) && !yl_seen_add(&told, value);
        }
        if (second) {
            yl_field_duplicate(walk->err, &path, yl_bad_node(value));
        }
        if (yl_arena_is_over(walk->arena)) {
            break;
        }
    }
    yl_seen_release(&seen);
    yl_seen_release(&told);
}

/* Is exactly one of the elements before 'node' equal to it? */
static bool
is_second(const struct yl_node *first, const char *keys,
          const struct yl_node *node, yl_seen_equal_fn *equal)
{
    size_t n = 0;

    for (; first != node; first = first->next) {
        n += keys ? equal_keys(keys, first, node, equal) : equal(first, node);
    }
    return n == 1;
}

static bool
equal_keys(const char *keys, const struct yl_node *a, const struct yl_node *b,
           yl_seen_equal_fn *equal)
{
    struct yl_str rest = yl_str_c(keys);

    while (rest.size) {
        struct yl_str key = rest, tail = yl_str_null();
        const struct yl_node *x, *y;

        yl_str_cut(rest, ',', &key, &tail);
        x = member(a, key);
        y = member(b, key);
        if (!x != !y || (x && !equal(x, y))) {
            return false;
        }
        rest = tail;
    }
    return true;
}

static const struct yl_node *
member(const struct yl_node *element, struct yl_str key)
{
    return element->type == YL_JSON_OBJECT ? yl_node_get(element, key) : NULL;
}

/* Scalars are compared as Go has them, others by their text, in which a
 * float64 can look like an int64. */
static bool
equal_values(const struct yl_node *a, const struct yl_node *b)
{
    return a->type == YL_JSON_NUMBER ? yl_go_equal(a, b) : yl_node_equal(a, b);
}
