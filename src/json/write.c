/* Writing a tree: as its source bytes where it can be, and in canonical form.
 * See json/tree.h.
 *
 * Both recurse; the code that builds a tree bounds its depth. */

#include "json/tree.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "json/text.h"
#include "yuloh/error.h"

/* Members up to this number are sorted on the stack. */
#define SMALL 32

static int write_object(struct yl_buf *, const struct yl_node *);
static int write_string(struct yl_buf *, const struct yl_node *);
static bool is_sorted(const struct yl_node *object);
static int compare_keys(const void *, const void *);

void
yl_node_write(struct yl_buf *buf, const struct yl_node *node)
{
    bool object = node->type == YL_JSON_OBJECT;
    const struct yl_node *child;

    if (node->raw_data) {
        yl_buf_append(buf, node->raw_data, node->raw_size);
        return;
    }
    yl_buf_append_char(buf, object ? '{' : '[');
    YL_NODE_FOR_EACH (child, node) {
        if (child != node->first) {
            yl_buf_append_char(buf, ',');
        }
        if (object) {
            yl_json_write_string(buf, yl_node_key(child));
            yl_buf_append_char(buf, ':');
        }
        yl_node_write(buf, child);
    }
    yl_buf_append_char(buf, object ? '}' : ']');
}

int
yl_node_write_canonical(struct yl_buf *buf, const struct yl_node *node)
{
    const struct yl_node *child;
    int r;

    if (node->flags & YL_NODE_CANONICAL) {
        yl_buf_append(buf, node->raw_data, node->raw_size);
        return 0;
    }
    switch ((enum yl_json_type) node->type) {
    case YL_JSON_OBJECT:
        return write_object(buf, node);

    case YL_JSON_ARRAY:
        yl_buf_append_char(buf, '[');
        YL_NODE_FOR_EACH (child, node) {
            if (child != node->first) {
                yl_buf_append_char(buf, ',');
            }
            r = yl_node_write_canonical(buf, child);
            if (r < 0) {
                return r;
            }
        }
        yl_buf_append_char(buf, ']');
        return 0;

    case YL_JSON_STRING:
        return write_string(buf, node);

    case YL_JSON_NUMBER:
        return yl_json_write_number(buf, yl_str_n(node->raw_data,
                                                  node->raw_size));

    case YL_JSON_BOOL:
    case YL_JSON_NULL:
    case YL_JSON_NONE:
    default:
        yl_buf_append(buf, node->raw_data, node->raw_size);
        return 0;
    }
}

/* Few members are sorted by insertion, which calls nothing. */
void
yl_node_sort_members(const struct yl_node **members, size_t n)
{
    size_t i, k;

    if (n > SMALL) {
        qsort(members, n, sizeof *members, compare_keys);
        return;
    }
    for (i = 1; i < n; i++) {
        const struct yl_node *member = members[i];

        for (k = i; k > 0 && compare_keys(&member, &members[k - 1]) < 0;
             k--) {
            members[k] = members[k - 1];
        }
        members[k] = member;
    }
}

static int
write_object(struct yl_buf *buf, const struct yl_node *object)
{
    const struct yl_node *small[SMALL];
    const struct yl_node **members = small;
    const struct yl_node *child = object->first;
    bool sorted = is_sorted(object);
    size_t i;
    int r = 0;

    if (!sorted) {
        if (object->n > SMALL) {
            members = yl_malloc_array(object->n, sizeof *members);
        }
        for (i = 0; i < object->n; i++, child = child->next) {
            members[i] = child;
        }
        yl_node_sort_members(members, object->n);
    }
    yl_buf_append_char(buf, '{');
    for (i = 0; i < object->n && r == 0; i++) {
        if (!sorted) {
            child = members[i];
        }
        if (i) {
            yl_buf_append_char(buf, ',');
        }
        yl_json_write_string(buf, yl_node_key(child));
        yl_buf_append_char(buf, ':');
        r = yl_node_write_canonical(buf, child);
        child = child->next;
    }
    yl_buf_append_char(buf, '}');
    if (members != small) {
        free(members);
    }
    return r;
}

static int
write_string(struct yl_buf *buf, const struct yl_node *node)
{
    struct yl_str raw = yl_str_n(node->raw_data + 1, node->raw_size - 2);
    char *plain;
    size_t size;
    int r;

    if (!(node->flags & YL_NODE_ESCAPED) || yl_json_raw_is_canonical(raw)) {
        yl_buf_append(buf, node->raw_data, node->raw_size);
        return 0;
    }
    plain = yl_malloc(raw.size);
    r = yl_json_unescape(raw, plain, &size);
    if (r == 0) {
        yl_json_write_string(buf, yl_str_n(plain, size));
    }
    free(plain);
    return r;
}

static bool
is_sorted(const struct yl_node *object)
{
    const struct yl_node *child;

    YL_NODE_FOR_EACH (child, object) {
        if (child->next
            && yl_str_compare(yl_node_key(child), yl_node_key(child->next))
                   > 0) {
            return false;
        }
    }
    return true;
}

static int
compare_keys(const void *a, const void *b)
{
    const struct yl_node *const *x = a;
    const struct yl_node *const *y = b;

    return yl_str_compare(yl_node_key(*x), yl_node_key(*y));
}
