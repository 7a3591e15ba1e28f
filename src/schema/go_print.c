/* JSON values as Go prints them.  See schema/go_print.h for the contract. */

#include "schema/go_print.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "json/tree.h"
#include "schema/field_error.h"

static void print(struct yl_buf *, const struct yl_node *, size_t limit);
static void print_members(struct yl_buf *, const struct yl_node *,
                          size_t limit);
static int compare_keys(const void *, const void *);

void
yl_go_print(struct yl_buf *buf, const struct yl_node *node)
{
    size_t limit = buf->size + YL_FIELD_TEXT_MAX;

    print(buf, node, limit);
    if (buf->size > limit) {
        while (((unsigned char) buf->data[limit] & 0xc0) == 0x80) {
            limit--;
        }
        buf->size = limit;
        yl_buf_append_c(buf, "...");
    }
}

const char *
yl_go_type(const struct yl_node *node)
{
    struct yl_str text;
    long long integer;

    switch (yl_node_type(node)) {
    case YL_JSON_BOOL:
        return "bool";

    case YL_JSON_NUMBER:
        yl_node_number(node, &text);
        return yl_str_to_i64(text, &integer) == 0 ? "int64" : "float64";

    case YL_JSON_STRING:
        return "string";

    case YL_JSON_ARRAY:
        return "[]interface {}";

    case YL_JSON_OBJECT:
        return "map[string]interface {}";

    case YL_JSON_NONE:
    case YL_JSON_NULL:
        break;
    }
    return "%!s(<nil>)";
}

/* Stops soon after the buffer holds more than 'limit' bytes. */
static void
print(struct yl_buf *buf, const struct yl_node *node, size_t limit)
{
    struct yl_arena *arena;
    struct yl_str text = YL_STR("");
    const struct yl_node *child;

    switch (yl_node_type(node)) {
    case YL_JSON_STRING:
        arena = yl_arena_new();
        yl_node_string(node, arena, &text);
        yl_buf_append_str(buf, text);
        yl_arena_free(arena);
        break;

    case YL_JSON_BOOL:
    case YL_JSON_NUMBER:
        yl_bad_value_write(buf, yl_bad_node(node));
        break;

    case YL_JSON_ARRAY:
        yl_buf_append_char(buf, '[');
        YL_NODE_FOR_EACH (child, node) {
            yl_buf_append_c(buf, child->prev->next ? " " : "");
            print(buf, child, limit);
            if (buf->size > limit) {
                return;
            }
        }
        yl_buf_append_char(buf, ']');
        break;

    case YL_JSON_OBJECT:
        yl_buf_append_c(buf, "map[");
        print_members(buf, node, limit);
        yl_buf_append_char(buf, ']');
        break;

    case YL_JSON_NONE:
    case YL_JSON_NULL:
        yl_buf_append_c(buf, "<nil>");
        break;
    }
}

static void
print_members(struct yl_buf *buf, const struct yl_node *node, size_t limit)
{
    const struct yl_node **members = yl_malloc_array(node->n, sizeof *members);
    const struct yl_node *child;
    size_t n = 0, i;

    YL_NODE_FOR_EACH (child, node) {
        members[n++] = child;
    }
    qsort(members, n, sizeof *members, compare_keys);
    for (i = 0; i < n && buf->size <= limit; i++) {
        yl_buf_append_c(buf, i ? " " : "");
        yl_buf_append_str(buf, yl_node_key(members[i]));
        yl_buf_append_char(buf, ':');
        print(buf, members[i], limit);
    }
    free(members);
}

static int
compare_keys(const void *a_, const void *b_)
{
    const struct yl_node *const *a = a_, *const *b = b_;

    return yl_str_compare(yl_node_key(*a), yl_node_key(*b));
}
