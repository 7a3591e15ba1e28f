/* The fields of a new object.  See apply/typed.h for the contract.
 *
 * Nearly all objects are created once and never written by a second manager,
 * so that this is the walk that counts.  FieldsV1 is written as the walk goes:
 * what turns out to have no field is taken back by shortening the buffer. */

#include "apply/typed.h"

#include <stdlib.h>

#include "apply/items.h"
#include "apply/shape.h"
#include "base/arena.h"
#include "base/buf.h"
#include "json/tree.h"
#include "schema/normalize.h"
#include "yuloh/error.h"

struct walk {
    struct yl_arena *arena;
    struct yl_buf *buf;
    bool keyless;               /* Was there an item without keys? */
};

/* What is left out, of one level. */
struct left_out {
    const struct yl_field_set *reset;   /* Fields, and all below them. */
    const struct yl_field_set *except;  /* Fields, but not what is below. */
};

static bool write_value(struct walk *, const struct yl_shape *,
                        const struct yl_node *zero, const struct yl_node *now,
                        const struct left_out *, bool self);
static bool write_leaf(struct walk *, const struct yl_node *zero,
                       const struct yl_node *now, bool self);
static size_t write_map(struct walk *, const struct yl_shape *,
                        const struct yl_node *zero, const struct yl_node *now,
                        const struct left_out *);
static size_t write_list(struct walk *, const struct yl_shape *,
                         const struct yl_node *now);
static bool write_member(struct walk *, const struct yl_shape *,
                         const struct yl_node *zero,
                         const struct yl_node *member,
                         const struct left_out *, size_t *hint);
static bool is_sorted(const struct yl_node *object);
static int compare_bytes(const void *, const void *);
static const struct yl_node *only(const struct yl_node *, enum yl_json_type);

struct yl_node *
yl_typed_zero(struct yl_arena *arena, struct yl_typed_as as)
{
    struct yl_node *zero = yl_node_new_object(arena);

    if (as.type.type && !as.custom) {
        (void) yl_normalize(arena, as.type, zero, NULL, NULL);
    }
    return zero;
}

int
yl_typed_write_created(struct yl_arena *arena, struct yl_typed_as as,
                       const struct yl_node *object,
                       const struct yl_field_filter *filter,
                       const struct yl_field_set *except, struct yl_buf *buf)
{
    const struct yl_node *zero = yl_typed_zero(arena, as);
    struct left_out out = { filter ? filter->exclude : NULL, except };
    struct yl_shape shape = yl_shape_root(as);
    struct walk walk = { arena, buf, false };

    if (filter && filter->n_include) {
        const struct yl_field_set *set = NULL;
        struct yl_comparison c;

        if (yl_typed_compare(arena, as, zero, object, &c) < 0) {
            return YL_EINVALID;
        }
        set = yl_field_set_union(arena, c.added, c.modified);
        set = yl_field_filter(arena, filter, set);
        set = yl_field_set_difference(arena, set, except);
        yl_field_set_write(buf, set);
        return set != NULL;
    }
    if (!write_value(&walk, &shape, zero, object, &out, false)) {
        yl_buf_append(buf, "{}", 2);
        return walk.keyless ? YL_EINVALID : 0;
    }
    return walk.keyless ? YL_EINVALID : 1;
}

/* Writes what is below a field and, as a ".", the field itself if 'self' and
 * it is one.  Writes nothing and returns false if there is no field. */
static bool
write_value(struct walk *walk, const struct yl_shape *shape,
            const struct yl_node *zero, const struct yl_node *now,
            const struct left_out *out, bool self)
{
    enum yl_shape_case is = yl_shape_case(shape, now, NULL);
    const struct yl_node *a = NULL, *b = NULL;
    struct yl_buf *buf = walk->buf;
    size_t start = buf->size, n;

    if (is == YL_CASE_MAP && shape->map != YL_MAP_ATOMIC) {
        a = only(zero, YL_JSON_OBJECT);
        b = only(now, YL_JSON_OBJECT);
    } else if (is == YL_CASE_LIST && shape->list != YL_LIST_ATOMIC) {
        b = only(now, YL_JSON_ARRAY);
    }
    if ((!a || !a->n) && (!b || !b->n)) {
        return write_leaf(walk, zero, now, self);
    }
    if (!b) {
        return false;           /* It is less than zero: a null. */
    }
    self = self && !zero;
    yl_buf_append_char(buf, '{');
    if (self) {
        yl_buf_append(buf, "\".\":{},", 7);
    }
    n = is == YL_CASE_MAP ? write_map(walk, shape, a, b, out)
                          : write_list(walk, shape, b);
    if (n && buf->size > start) {
        buf->size--;            /* The comma behind the last one. */
    } else if (self && buf->size > start) {
        buf->size = start + 1;
    }
    if (n || self) {
        yl_buf_append_char(buf, '}');
        return true;
    }
    buf->size = start;
    return false;
}

/* One field, unless it is what it is anyway. */
static bool
write_leaf(struct walk *walk, const struct yl_node *zero,
           const struct yl_node *now, bool self)
{
    if (!self || (zero && yl_node_equal(zero, now))) {
        return false;
    }
    yl_buf_append(walk->buf, "{}", 2);
    return true;
}

/* Writes members, each with a comma behind it, and returns how many. */
static size_t
write_map(struct walk *walk, const struct yl_shape *shape,
          const struct yl_node *zero, const struct yl_node *now,
          const struct left_out *out)
{
    const struct yl_node *member;
    size_t hint = 0, written = 0;

    if (is_sorted(now)) {
        YL_NODE_FOR_EACH (member, now) {
            written += write_member(walk, shape, zero, member, out, &hint);
        }
    } else {
        const struct yl_node **members =
            yl_arena_array(walk->arena, now->n, sizeof *members);
        size_t n = 0, i;

        YL_NODE_FOR_EACH (member, now) {
            members[n++] = member;
        }
        yl_node_sort_members(members, n);
        for (i = 0; i < n; i++) {
            written += write_member(walk, shape, zero, members[i], out,
                                    &hint);
        }
    }
    return written;
}

static bool
write_member(struct walk *walk, const struct yl_shape *shape,
             const struct yl_node *zero, const struct yl_node *member,
             const struct left_out *out, size_t *hint)
{
    struct yl_path_element element = yl_path_field(yl_node_key(member));
    const struct yl_field_item *reset = NULL, *except = NULL;
    size_t start = walk->buf->size;
    struct left_out below = { NULL, NULL };
    struct yl_shape inner;
    bool declared;

    if (out->reset) {
        reset = yl_field_set_find(out->reset, &element);
        if (reset && reset->member) {
            return false;
        }
        below.reset = reset ? reset->below : NULL;
    }
    if (out->except) {
        except = yl_field_set_find(out->except, &element);
        below.except = except ? except->below : NULL;
    }
    inner = yl_shape_member(shape, yl_node_key(member), hint, &declared);
    yl_path_element_write(walk->buf, &element);
    yl_buf_append_char(walk->buf, ':');
    if (write_value(walk, &inner,
                    zero ? yl_node_get(zero, yl_node_key(member)) : NULL,
                    yl_shape_sent(member), &below,
                    !except || !except->member)) {
        yl_buf_append_char(walk->buf, ',');
        return true;
    }
    walk->buf->size = start;
    return false;
}

/* Writes the items of a list that were not there before, likewise. */
static size_t
write_list(struct walk *walk, const struct yl_shape *shape,
           const struct yl_node *now)
{
    static const struct left_out nothing;
    struct yl_item *items = yl_arena_alloc(walk->arena,
                                           now->n * sizeof *items);
    struct yl_shape inner = yl_shape_item(shape);
    size_t n = yl_items_add(walk->arena, shape, now, 0, items,
                            &walk->keyless);
    size_t i, equals, written = 0;

    if (n > 1) {
        qsort(items, n, sizeof *items, compare_bytes);
    }
    for (i = 0; i < n; i += equals) {
        equals = yl_items_equal(items, n, i);
        yl_path_element_write(walk->buf, &items[i].element);
        yl_buf_append_char(walk->buf, ':');
        if (equals > 1) {
            yl_buf_append(walk->buf, "{}", 2);
        } else {
            (void) write_value(walk, &inner, NULL, items[i].node, &nothing,
                               true);
        }
        yl_buf_append_char(walk->buf, ',');
        written++;
    }
    return written;
}

static bool
is_sorted(const struct yl_node *object)
{
    const struct yl_node *member;

    YL_NODE_FOR_EACH (member, object) {
        if (member->next && yl_str_compare(yl_node_key(member),
                                           yl_node_key(member->next)) > 0) {
            return false;
        }
    }
    return true;
}

static int
compare_bytes(const void *x, const void *y)
{
    const struct yl_item *a = x, *b = y;

    return yl_path_element_compare_bytes(&a->element, &b->element);
}

/* 'node' if it is of that type. */
static const struct yl_node *
only(const struct yl_node *node, enum yl_json_type type)
{
    return yl_node_type(node) == type ? node : NULL;
}
