/* JSON tree: nodes, lookups and changes.  See json/tree.h for the contract.
 *
 * Children are a doubly linked list in which the first node's 'prev' is the
 * last node, so that both ends are found in constant time.  An object with
 * more than YL_INDEX_FROM members also has a hash table; smaller ones are
 * faster to walk. */

#include "json/tree.h"

#include <assert.h>

#include "base/arena.h"
#include "base/hash.h"
#include "json/index.h"
#include "json/text.h"
#include "yuloh/error.h"

static struct yl_node *new_node(struct yl_arena *, enum yl_json_type);
static struct yl_node *new_written(struct yl_arena *, enum yl_json_type,
                                   const struct yl_buf *);
static void touch(struct yl_node *);
static void link_before(struct yl_node *parent, struct yl_node *node,
                        struct yl_node *before);
static void unlink_node(struct yl_node *);
static bool equal_objects(const struct yl_node *, const struct yl_node *);
static bool equal_numbers(const struct yl_node *, const struct yl_node *);
static bool equal_strings(const struct yl_node *, const struct yl_node *);
static struct yl_str inside_quotes(const struct yl_node *);

struct yl_node *
yl_node_new_null(struct yl_arena *arena)
{
    struct yl_node *node = new_node(arena, YL_JSON_NULL);

    node->raw_data = "null";
    node->raw_size = 4;
    node->flags = YL_NODE_CANONICAL;
    return node;
}

struct yl_node *
yl_node_new_bool(struct yl_arena *arena, bool value)
{
    struct yl_node *node = new_node(arena, YL_JSON_BOOL);

    node->raw_data = value ? "true" : "false";
    node->raw_size = value ? 4 : 5;
    node->flags = YL_NODE_CANONICAL | (value ? YL_NODE_TRUE : 0);
    return node;
}

struct yl_node *
yl_node_new_int64(struct yl_arena *arena, int64_t value)
{
    struct yl_node *node;
    struct yl_buf buf;

    yl_buf_init(&buf, 32);
    yl_json_write_int64(&buf, value);
    node = new_written(arena, YL_JSON_NUMBER, &buf);
    yl_buf_release(&buf);
    return node;
}

struct yl_node *
yl_node_new_double(struct yl_arena *arena, double value)
{
    struct yl_node *node;
    struct yl_buf buf;

    yl_buf_init(&buf, 64);
    yl_json_write_double(&buf, value);
    node = new_written(arena, YL_JSON_NUMBER, &buf);
    yl_buf_release(&buf);
    return node;
}

struct yl_node *
yl_node_new_number(struct yl_arena *arena, struct yl_str text)
{
    struct yl_node *node = new_node(arena, YL_JSON_NUMBER);

    node->raw_data = yl_arena_copy(arena, text).data;
    node->raw_size = (uint32_t) text.size;
    return node;
}

struct yl_node *
yl_node_new_opaque(struct yl_arena *arena, struct yl_str text)
{
    struct yl_node *node = new_node(arena, YL_JSON_OBJECT);

    node->raw_data = yl_arena_copy(arena, text).data;
    node->raw_size = (uint32_t) text.size;
    node->flags = YL_NODE_CANONICAL;
    return node;
}

struct yl_node *
yl_node_new_string(struct yl_arena *arena, struct yl_str value)
{
    struct yl_node *node;
    struct yl_buf buf;

    /* At worst every byte takes six, and there are two quotes. */
    yl_buf_init(&buf, value.size * 6 + 2);
    yl_json_write_string(&buf, value);
    node = new_written(arena, YL_JSON_STRING, &buf);
    if (buf.size != value.size + 2) {
        node->flags |= YL_NODE_ESCAPED;
    }
    yl_buf_release(&buf);
    return node;
}

struct yl_node *
yl_node_new_array(struct yl_arena *arena)
{
    return new_node(arena, YL_JSON_ARRAY);
}

struct yl_node *
yl_node_new_object(struct yl_arena *arena)
{
    return new_node(arena, YL_JSON_OBJECT);
}

struct yl_node *
yl_node_copy(struct yl_arena *arena, const struct yl_node *node)
{
    const struct yl_node *child;
    struct yl_node *copy;

    if (!node) {
        return yl_node_new_null(arena);
    }
    copy = new_node(arena, (enum yl_json_type) node->type);
    copy->raw_data = node->raw_data;
    copy->raw_size = node->raw_size;
    copy->flags = node->flags;
    copy->emptied = node->emptied;
    YL_NODE_FOR_EACH (child, node) {
        struct yl_node *twin;

        if (yl_arena_is_over(arena)) {
            break;
        }
        twin = yl_node_copy(arena, child);

        twin->key_data = child->key_data;
        twin->key_size = child->key_size;
        link_before(copy, twin, NULL);
        if (copy->type == YL_JSON_OBJECT) {
            yl_index_add(arena, copy, twin);
        }
    }
    return copy;
}

struct yl_node *
yl_node_get(const struct yl_node *object, struct yl_str key)
{
    struct yl_node *child;

    if (yl_node_type(object) != YL_JSON_OBJECT) {
        return NULL;
    }
    if (object->index) {
        return yl_index_find(object, key);
    }
    YL_NODE_FOR_EACH (child, object) {
        /* Comparing the first byte avoids most calls of memcmp(). */
        if (child->key_size == key.size
            && (key.size == 0
                || (child->key_data[0] == key.data[0]
                    && memcmp(child->key_data, key.data, key.size) == 0))) {
            return child;
        }
    }
    return NULL;
}

struct yl_node *
yl_node_at(const struct yl_node *array, size_t i)
{
    struct yl_node *child;

    if (yl_node_type(array) != YL_JSON_ARRAY || i >= array->n) {
        return NULL;
    }
    if (i < array->n / 2) {
        for (child = array->first; i > 0; i--) {
            child = child->next;
        }
    } else {
        child = array->first->prev;
        for (i = array->n - 1 - i; i > 0; i--) {
            child = child->prev;
        }
    }
    return child;
}

int
yl_node_bool(const struct yl_node *node, bool *ret_value)
{
    if (yl_node_type(node) != YL_JSON_BOOL) {
        return YL_ETYPE;
    }
    *ret_value = node->flags & YL_NODE_TRUE;
    return 0;
}

int
yl_node_int64(const struct yl_node *node, int64_t *ret_value)
{
    struct yl_str text;
    int r = yl_node_number(node, &text);

    return r < 0 ? r : yl_json_number_int64(text, ret_value);
}

int
yl_node_double(const struct yl_node *node, double *ret_value)
{
    struct yl_str text;
    int r = yl_node_number(node, &text);

    return r < 0 ? r : yl_json_number_double(text, ret_value);
}

int
yl_node_number(const struct yl_node *node, struct yl_str *ret_text)
{
    if (yl_node_type(node) != YL_JSON_NUMBER) {
        return YL_ETYPE;
    }
    *ret_text = yl_str_n(node->raw_data, node->raw_size);
    return 0;
}

int
yl_node_string(const struct yl_node *node, struct yl_arena *arena,
               struct yl_str *ret_value)
{
    struct yl_str raw;
    char *out;
    size_t size;
    int r;

    if (yl_node_type(node) != YL_JSON_STRING) {
        return YL_ETYPE;
    }
    raw = inside_quotes(node);
    if (!(node->flags & YL_NODE_ESCAPED)) {
        *ret_value = raw;
        return 0;
    }
    out = yl_arena_alloc(arena, raw.size);
    r = yl_json_unescape(raw, out, &size);
    if (r == 0) {
        *ret_value = yl_str_n(out, size);
    }
    return r;
}

bool
yl_node_string_is(const struct yl_node *node, struct yl_str s)
{
    return yl_node_type(node) == YL_JSON_STRING
           && yl_json_raw_equal(inside_quotes(node), s);
}

bool
yl_node_equal(const struct yl_node *a, const struct yl_node *b)
{
    const struct yl_node *x, *y;

    if (yl_node_type(a) != yl_node_type(b) || !a) {
        return !a && !b;
    }
    switch ((enum yl_json_type) a->type) {
    case YL_JSON_NULL:
        return true;

    case YL_JSON_BOOL:
        return (a->flags & YL_NODE_TRUE) == (b->flags & YL_NODE_TRUE);

    case YL_JSON_NUMBER:
        return equal_numbers(a, b);

    case YL_JSON_STRING:
        return equal_strings(a, b);

    case YL_JSON_ARRAY:
        for (x = a->first, y = b->first; x && y; x = x->next, y = y->next) {
            if (!yl_node_equal(x, y)) {
                return false;
            }
        }
        return !x && !y;

    case YL_JSON_OBJECT:
        return equal_objects(a, b);

    case YL_JSON_NONE:
    default:
        return false;
    }
}

struct yl_node *
yl_node_set(struct yl_arena *arena, struct yl_node *object, struct yl_str key,
            struct yl_node *value)
{
    struct yl_node *old = yl_node_get(object, key);

    assert(object->type == YL_JSON_OBJECT && !value->parent);
    if (old) {
        yl_node_replace(old, value);
        return old;
    }
    touch(object);
    value->key_data = yl_arena_copy(arena, key).data;
    value->key_size = (uint32_t) key.size;
    link_before(object, value, NULL);
    yl_index_add(arena, object, value);
    return NULL;
}

void
yl_node_insert(struct yl_node *array, size_t i, struct yl_node *value)
{
    assert(array->type == YL_JSON_ARRAY && i <= array->n && !value->parent);
    touch(array);
    link_before(array, value, i < array->n ? yl_node_at(array, i) : NULL);
}

void
yl_node_append(struct yl_node *array, struct yl_node *value)
{
    yl_node_insert(array, array->n, value);
}

struct yl_node *
yl_node_detach(struct yl_node *node)
{
    if (node->parent) {
        touch(node->parent);
        if (node->parent->index) {
            yl_index_remove(node->parent, node);
        }
        unlink_node(node);
    }
    return node;
}

void
yl_node_replace(struct yl_node *old, struct yl_node *value)
{
    struct yl_node *parent = old->parent;
    struct yl_node *before = old->next;

    assert(parent && !value->parent);
    touch(parent);
    value->key_data = old->key_data;
    value->key_size = old->key_size;
    if (parent->index) {
        yl_index_replace(parent, old, value);
    }
    unlink_node(old);
    link_before(parent, value, before);
}

void
yl_node_empty_out(struct yl_node *member)
{
    struct yl_node *object = member->parent;

    assert(object->type == YL_JSON_OBJECT && !member->n);
    yl_node_detach(member);
    member->next = object->emptied;
    object->emptied = member;
}

const struct yl_node *
yl_node_emptied(const struct yl_node *object, struct yl_str key)
{
    const struct yl_node *member = object ? object->emptied : NULL;

    while (member && !yl_str_equal(yl_node_key(member), key)) {
        member = member->next;
    }
    return member;
}

bool
yl_node_remove(struct yl_node *object, struct yl_str key)
{
    struct yl_node *node = yl_node_get(object, key);

    if (!node) {
        return false;
    }
    yl_node_detach(node);
    return true;
}

void
yl_node_reorder(struct yl_node *parent, struct yl_node *const *children,
                size_t n)
{
    size_t i;

    assert(n == parent->n);
    touch(parent);
    for (i = 0; i < n; i++) {
        children[i]->prev = children[i ? i - 1 : n - 1];
        children[i]->next = i + 1 < n ? children[i + 1] : NULL;
    }
    parent->first = n ? children[0] : NULL;
}

static struct yl_node *
new_node(struct yl_arena *arena, enum yl_json_type type)
{
    struct yl_node *node = yl_arena_zalloc(arena, sizeof *node);

    node->type = (uint8_t) type;
    return node;
}

/* A scalar whose canonical text is in 'buf'. */
static struct yl_node *
new_written(struct yl_arena *arena, enum yl_json_type type,
            const struct yl_buf *buf)
{
    struct yl_node *node = new_node(arena, type);

    assert(!yl_buf_error(buf));
    node->raw_data = yl_arena_copy(arena, yl_buf_str(buf)).data;
    node->raw_size = (uint32_t) buf->size;
    node->flags = YL_NODE_CANONICAL;
    return node;
}

/* Makes 'node' and everything above it forget its bytes.  Stops at the first
 * that has none: those above it cannot have any either. */
static void
touch(struct yl_node *node)
{
    for (; node && node->raw_data; node = node->parent) {
        node->raw_data = NULL;
        node->raw_size = 0;
        node->flags &= (uint8_t) ~YL_NODE_CANONICAL;
    }
}

/* Links 'node' into 'parent' before 'before', or as the last if that is
 * NULL. */
static void
link_before(struct yl_node *parent, struct yl_node *node,
            struct yl_node *before)
{
    node->parent = parent;
    node->next = before;
    if (!parent->first) {
        node->prev = node;
        parent->first = node;
    } else {
        struct yl_node *at = before ? before : parent->first;

        assert(at->prev);       /* The first one's is the last. */
        node->prev = at->prev;
        if (before == parent->first) {
            parent->first = node;
        } else {
            node->prev->next = node;
        }
        at->prev = node;
    }
    parent->n++;
}

static void
unlink_node(struct yl_node *node)
{
    struct yl_node *parent = node->parent;

    if (node == parent->first) {
        parent->first = node->next;
    } else {
        node->prev->next = node->next;
    }
    if (node->next) {
        node->next->prev = node->prev;
    } else if (parent->first) {
        parent->first->prev = node->prev;
    }
    parent->n--;
    node->parent = node->next = node->prev = NULL;
}

static bool
equal_objects(const struct yl_node *a, const struct yl_node *b)
{
    const struct yl_node *child;

    if (a->n != b->n) {
        return false;
    }
    YL_NODE_FOR_EACH (child, a) {
        const struct yl_node *twin = yl_node_get(b, yl_node_key(child));

        if (!twin || !yl_node_equal(child, twin)) {
            return false;
        }
    }
    return true;
}

static bool
equal_numbers(const struct yl_node *a, const struct yl_node *b)
{
    struct yl_str x = yl_str_n(a->raw_data, a->raw_size);
    struct yl_str y = yl_str_n(b->raw_data, b->raw_size);
    int64_t i, j;
    double d, e;

    if (yl_str_equal(x, y)) {
        return true;
    }
    if (yl_json_number_int64(x, &i) == 0 && yl_json_number_int64(y, &j) == 0) {
        return i == j;
    }
    return yl_json_number_double(x, &d) == 0
           && yl_json_number_double(y, &e) == 0 && d == e;
}

static bool
equal_strings(const struct yl_node *a, const struct yl_node *b)
{
    struct yl_str x = inside_quotes(a);
    struct yl_str y = inside_quotes(b);
    struct yl_arena arena;
    bool equal;

    if (!(a->flags & YL_NODE_ESCAPED)) {
        return yl_json_raw_equal(y, x);
    }
    if (!(b->flags & YL_NODE_ESCAPED)) {
        return yl_json_raw_equal(x, y);
    }
    yl_arena_init(&arena);
    equal = yl_node_string(a, &arena, &x) == 0 && yl_json_raw_equal(y, x);
    yl_arena_release(&arena);
    return equal;
}

static struct yl_str
inside_quotes(const struct yl_node *node)
{
    return yl_str_n(node->raw_data + 1, node->raw_size - 2);
}
