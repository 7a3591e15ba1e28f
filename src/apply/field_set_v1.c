/* Field sets as FieldsV1.  See apply/field_set.h for the contract. */

#include "apply/field_set.h"

#include <stdlib.h>

#include "apply/field_set_build.h"
#include "base/arena.h"
#include "base/buf.h"
#include "json/tree.h"
#include "yuloh/error.h"

static int read_level(struct yl_arena *, const struct yl_node *object,
                      bool *ret_member, const struct yl_field_set **ret_set,
                      struct yl_error *);
static void write_level(struct yl_buf *, const struct yl_field_set *,
                        bool self);
static void write_item(struct yl_buf *, const struct yl_field_item *);
static bool is_sorted(const struct yl_field_set *);
static int compare_bytes(const void *, const void *);

int
yl_field_set_from_node(struct yl_arena *arena, const struct yl_node *fields_v1,
                       const struct yl_field_set **ret_set,
                       struct yl_error *err)
{
    bool member;

    return read_level(arena, fields_v1, &member, ret_set, err);
}

int
yl_field_set_parse(struct yl_arena *arena, struct yl_str text,
                   const struct yl_field_set **ret_set, struct yl_error *err)
{
    struct yl_node *root;
    int r = yl_tree_parse(arena, text, NULL, &root, err);

    return r < 0 ? r : yl_field_set_from_node(arena, root, ret_set, err);
}

void
yl_field_set_write(struct yl_buf *buf, const struct yl_field_set *set)
{
    write_level(buf, set, false);
}

/* Reads an object of elements.  '*ret_member' says whether the path to it is a
 * member: it has a "." or nothing else. */
static int
read_level(struct yl_arena *arena, const struct yl_node *object,
           bool *ret_member, const struct yl_field_set **ret_set,
           struct yl_error *err)
{
    struct yl_field_level level = YL_FIELD_LEVEL_INIT(arena);
    const struct yl_node *node;
    bool member = false;
    int r;

    if (yl_node_type(object) == YL_JSON_NULL) {
        *ret_member = true;
        *ret_set = NULL;
        return 0;
    }
    if (yl_node_type(object) != YL_JSON_OBJECT) {
        return yl_error_set(err, YL_ETYPE, "expect { or n");
    }
    YL_NODE_FOR_EACH (node, object) {
        const struct yl_field_set *below;
        struct yl_path_element element;
        bool below_member;

        if (yl_str_equal(yl_node_key(node), YL_STR("."))) {
            member = true;
            continue;
        }
        r = yl_path_element_parse(arena, yl_node_key(node), &element, err);
        if (r > 0) {
            continue;           /* Of a type that a later version knows. */
        } else if (r == 0) {
            r = read_level(arena, node, &below_member, &below, err);
        }
        if (r == 0) {
            r = yl_arena_check(arena, err);
        }
        if (r < 0) {
            return r;
        }
        yl_field_level_add(&level, element, below_member, below);
    }
    *ret_set = yl_field_level_end(&level);
    *ret_member = member || !*ret_set;
    return 0;
}

static void
write_level(struct yl_buf *buf, const struct yl_field_set *set, bool self)
{
    const struct yl_field_item *const *sorted = NULL;
    size_t n = set ? set->n : 0;
    const struct yl_field_item **items = NULL;
    struct yl_arena arena;
    size_t i;

    yl_buf_append_char(buf, '{');
    if (self) {
        yl_buf_append_c(buf, "\".\":{}");
    }
    if (n > 1 && !is_sorted(set)) {
        yl_arena_init(&arena);
        items = yl_arena_array(&arena, n, sizeof *items);
        for (i = 0; i < n; i++) {
            items[i] = &set->items[i];
        }
        qsort(items, n, sizeof *items, compare_bytes);
        sorted = items;
    }
    for (i = 0; i < n; i++) {
        if (i > 0 || self) {
            yl_buf_append_char(buf, ',');
        }
        write_item(buf, sorted ? sorted[i] : &set->items[i]);
    }
    yl_buf_append_char(buf, '}');
    if (sorted) {
        yl_arena_release(&arena);
    }
}

static void
write_item(struct yl_buf *buf, const struct yl_field_item *item)
{
    yl_path_element_write(buf, &item->element);
    yl_buf_append_char(buf, ':');
    if (item->below) {
        write_level(buf, item->below, item->member);
    } else {
        yl_buf_append(buf, "{}", 2);
    }
}

/* Are the items sorted by bytes already?  Names are, and nearly all keys. */
static bool
is_sorted(const struct yl_field_set *set)
{
    size_t i;

    if (set->items[set->n - 1].element.kind == YL_PATH_FIELD) {
        return true;
    }
    for (i = 1; i < set->n; i++) {
        const struct yl_field_item *a = &set->items[i - 1];
        const struct yl_field_item *b = &set->items[i];

        if (compare_bytes(&a, &b) > 0) {
            return false;
        }
    }
    return true;
}

static int
compare_bytes(const void *a, const void *b)
{
    const struct yl_field_item *const *x = a, *const *y = b;

    return yl_path_element_compare_bytes(&(*x)->element, &(*y)->element);
}
