/* JSON for people.  See json/pretty.h. */

#include "json/pretty.h"

#include "base/arena.h"
#include "json/text.h"
#include "json/tree.h"
#include "yuloh/error.h"

#define INDENT 4

static int write_value(struct yl_buf *, struct yl_arena *,
                       const struct yl_node *, size_t level);
static void write_string(struct yl_buf *, struct yl_str);
static void new_line(struct yl_buf *, size_t level);
static const struct yl_node **sorted(struct yl_arena *,
                                     const struct yl_node *);

int
yl_node_write_pretty(struct yl_buf *buf, const struct yl_node *node)
{
    struct yl_arena arena;
    int r;

    yl_arena_init(&arena);
    r = write_value(buf, &arena, node, 0);
    yl_buf_append_char(buf, '\n');
    yl_arena_release(&arena);
    return r;
}

/* Recurses; a tree's depth is bounded. */
static int
write_value(struct yl_buf *buf, struct yl_arena *arena,
            const struct yl_node *node, size_t level)
{
    bool object = yl_node_type(node) == YL_JSON_OBJECT;
    const struct yl_node **children;
    struct yl_str text;
    size_t i;
    int r;

    switch (yl_node_type(node)) {
    case YL_JSON_STRING:
        r = yl_node_string(node, arena, &text);
        if (r == 0) {
            write_string(buf, text);
        }
        return r;

    case YL_JSON_OBJECT:
    case YL_JSON_ARRAY:
        break;

    case YL_JSON_NONE:
    case YL_JSON_NULL:
    case YL_JSON_BOOL:
    case YL_JSON_NUMBER:
    default:
        return yl_node_write_canonical(buf, node);
    }

    children = sorted(arena, node);
    yl_buf_append_char(buf, object ? '{' : '[');
    for (i = 0; i < node->n; i++) {
        if (i) {
            yl_buf_append_char(buf, ',');
        }
        new_line(buf, level + 1);
        if (object) {
            write_string(buf, yl_node_key(children[i]));
            yl_buf_append_c(buf, ": ");
        }
        r = write_value(buf, arena, children[i], level + 1);
        if (r < 0) {
            return r;
        }
    }
    if (node->n) {
        new_line(buf, level);
    }
    yl_buf_append_char(buf, object ? '}' : ']');
    return 0;
}

/* Writes 's' as yl_json_write_string() does, then what Go escapes besides. */
static void
write_string(struct yl_buf *buf, struct yl_str s)
{
    struct yl_buf plain;
    size_t i, done = 0;

    yl_buf_init(&plain, s.size * 6 + 2);
    yl_json_write_string(&plain, s);
    for (i = 0; i < plain.size; i++) {
        const char *p = plain.data + i;
        const char *escape = NULL;
        size_t size = 1;

        if (*p == '<' || *p == '>' || *p == '&') {
            escape = *p == '<' ? "\\u003c" : *p == '>' ? "\\u003e" : "\\u0026";
        } else if (plain.size - i > 3 && !memcmp(p, "\xe2\x80", 2)
                   && (p[2] == '\xa8' || p[2] == '\xa9')) {
            escape = p[2] == '\xa8' ? "\\u2028" : "\\u2029";
            size = 3;
        }
        if (escape) {
            yl_buf_append(buf, plain.data + done, i - done);
            yl_buf_append_c(buf, escape);
            done = i + size;
        }
    }
    yl_buf_append(buf, plain.data + done, plain.size - done);
    yl_buf_release(&plain);
}

static void
new_line(struct yl_buf *buf, size_t level)
{
    char *p = yl_buf_reserve(buf, 1 + level * INDENT);

    if (p) {
        p[0] = '\n';
        memset(p + 1, ' ', level * INDENT);
        yl_buf_commit(buf, 1 + level * INDENT);
    }
}

/* The children in the order they are printed in. */
static const struct yl_node **
sorted(struct yl_arena *arena, const struct yl_node *node)
{
    const struct yl_node **children =
        yl_arena_array(arena, node->n, sizeof *children);
    const struct yl_node *child;
    size_t n = 0;

    YL_NODE_FOR_EACH (child, node) {
        children[n++] = child;
    }
    if (node->type == YL_JSON_OBJECT) {
        yl_node_sort_members(children, n);
    }
    return children;
}
