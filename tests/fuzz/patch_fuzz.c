/* Fuzzes patches.  Input: a document, a zero byte, and a second text, which is
 * used as a JSON Patch, as a merge patch, and as a document to compare
 * with. */

#include "fuzz.h"

#include "base/buf.h"
#include "json/merge.h"
#include "json/patch.h"
#include "json/pointer.h"
#include "json/tree.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static void check_patch(struct yl_arena *, const struct yl_node *doc,
                        const struct yl_node *patch, bool kubernetes);
static void check_merge(struct yl_arena *, const struct yl_node *doc,
                        const struct yl_node *patch, bool kubernetes);
static void check_diff(struct yl_arena *, const struct yl_node *from,
                       const struct yl_node *to);
static void drop_nulls(struct yl_node *to, const struct yl_node *from);
static void check_pointers(struct yl_arena *, const struct yl_node *root,
                           struct yl_node *node, struct yl_buf *pointer);
static void check_valid(struct yl_arena *, const struct yl_node *root);
static struct yl_str written(struct yl_arena *, const struct yl_node *);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = fuzz_input(data, size);
    struct yl_arena *arena = yl_arena_new();
    struct yl_str text = fuzz_text(&in);
    struct yl_node *doc, *patch;
    struct yl_node *found;

    yl_pointer_check(in.rest, NULL);
    if (yl_tree_parse(arena, text, NULL, &doc, NULL) == 0) {
        struct yl_buf pointer;

        yl_buf_init(&pointer, YL_JSON_MAX_SIZE);
        check_pointers(arena, doc, doc, &pointer);
        yl_buf_release(&pointer);
        yl_pointer_find(arena, doc, in.rest, &found, NULL);
        if (yl_tree_parse(arena, in.rest, NULL, &patch, NULL) == 0) {
            check_patch(arena, doc, patch, false);
            check_patch(arena, doc, patch, true);
            check_merge(arena, doc, patch, false);
            check_merge(arena, doc, patch, true);
            check_diff(arena, doc, patch);
            check_diff(arena, patch, doc);
            check_diff(arena, doc, doc);
        }
    }
    yl_arena_free(arena);
    return 0;
}

/* The patched document must be JSON, and the patch unchanged. */
static void
check_patch(struct yl_arena *arena, const struct yl_node *doc,
            const struct yl_node *patch, bool kubernetes)
{
    struct yl_patch_opts opts = {
        .kubernetes = kubernetes,
        .max_operations = 100,
        .max_copy_size = 2000,
    };
    struct yl_node *root = yl_node_copy(arena, doc);
    struct yl_str before = written(arena, patch);
    struct yl_error err = YL_ERROR_INIT;
    int r = yl_patch_apply(arena, &root, patch, &opts, &err);

    CHECK(r <= 0 && err.code == r);
    CHECK(r == 0 || *yl_error_message(&err));
    yl_error_clear(&err);
    CHECK(yl_patch_check(patch, NULL) <= 0);
    CHECK(yl_str_equal(before, written(arena, patch)));
    check_valid(arena, root);
    if (r == 0) {
        struct yl_node *second = yl_node_copy(arena, doc);

        CHECK(yl_patch_apply(arena, &second, patch, &opts, NULL) == 0);
        CHECK(yl_node_equal(root, second));
    }
}

/* Applying a merge patch again must change nothing. */
static void
check_merge(struct yl_arena *arena, const struct yl_node *doc,
            const struct yl_node *patch, bool kubernetes)
{
    struct yl_merge_opts opts = { .kubernetes = kubernetes };
    struct yl_node *root = yl_node_copy(arena, doc);
    struct yl_str before = written(arena, patch);
    int r = yl_merge_apply(arena, &root, patch, &opts, NULL);

    CHECK(r <= 0);
    CHECK(r == 0 || (kubernetes && patch->type != YL_JSON_OBJECT));
    CHECK(yl_str_equal(before, written(arena, patch)));
    check_valid(arena, root);
    if (r == 0) {
        struct yl_node *once = yl_node_copy(arena, root);

        CHECK(yl_merge_apply(arena, &root, patch, &opts, NULL) == 0);
        CHECK(yl_node_equal(root, once));
    }
}

/* Applying the diff to 'from' must give 'to', except for nulls, which no merge
 * patch can set. */
static void
check_diff(struct yl_arena *arena, const struct yl_node *from,
           const struct yl_node *to)
{
    struct yl_node *root = yl_node_copy(arena, from);
    struct yl_node *expected = yl_node_copy(arena, to);
    struct yl_node *patch;

    CHECK(yl_merge_diff(arena, from, to, &patch, NULL) == 0);
    check_valid(arena, patch);
    CHECK(yl_merge_apply(arena, &root, patch, NULL, NULL) == 0);
    drop_nulls(expected, from);
    CHECK(yl_node_equal(root, expected));
    if (from == to && from->type == YL_JSON_OBJECT) {
        CHECK(patch->type == YL_JSON_OBJECT && patch->n == 0);
    }
}

static void
drop_nulls(struct yl_node *to, const struct yl_node *from)
{
    struct yl_node *child, *next;

    if (to->type != YL_JSON_OBJECT) {
        return;
    }
    YL_NODE_FOR_EACH_SAFE (child, next, to) {
        const struct yl_node *old = yl_node_get(from, yl_node_key(child));

        if (child->type == YL_JSON_NULL
            && yl_node_type(old) != YL_JSON_NULL) {
            yl_node_detach(child);
        } else {
            drop_nulls(child, old);
        }
    }
}

/* The pointer to each node must lead to it. */
static void
check_pointers(struct yl_arena *arena, const struct yl_node *root,
               struct yl_node *node, struct yl_buf *pointer)
{
    size_t size = pointer->size;
    struct yl_node *found, *child;
    unsigned i = 0;

    CHECK(yl_pointer_check(yl_buf_str(pointer), NULL) == 0);
    CHECK(yl_pointer_find(arena, root, yl_buf_str(pointer), &found, NULL)
          == 0);
    CHECK(found == node);
    YL_NODE_FOR_EACH (child, node) {
        if (node->type == YL_JSON_OBJECT) {
            yl_pointer_append(pointer, yl_node_key(child));
        } else {
            yl_buf_printf(pointer, "/%u", i++);
        }
        if (i < 50) {
            check_pointers(arena, root, child, pointer);
        }
        pointer->size = size;
    }
}

static void
check_valid(struct yl_arena *arena, const struct yl_node *root)
{
    struct yl_node *again;

    CHECK(yl_tree_parse(arena, written(arena, root), NULL, &again, NULL)
          == 0);
    CHECK(yl_node_equal(root, again));
}

static struct yl_str
written(struct yl_arena *arena, const struct yl_node *node)
{
    struct yl_str s;
    struct yl_buf buf;

    yl_buf_init(&buf, YL_JSON_MAX_SIZE);
    yl_node_write(&buf, node);
    s = yl_arena_copy(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return s;
}
