/* The operations that descriptors drive, on any document as a Pod or a
 * Deployment, and any strategic merge patch to it.
 *
 * The input is two texts, separated by a zero byte.  Normalising is a fixed
 * point and what it gives decodes into a record with nothing unknown; nothing
 * else may crash, hang or leave a tree that cannot be written and read
 * again. */

#include "fuzz.h"

#include "base/arena.h"
#include "json/tree.h"
#include "schema/default.h"
#include "schema/normalize.h"
#include "schema/prune.h"
#include "schema/strategic.h"
#include "schema/validate.h"
#include "yuloh/api/apps_v1.h"
#include "yuloh/api/core_v1.h"
#include "yuloh/error.h"
#include "yuloh/record.h"

/* Enough that a result never meets it. */
#define MAX_OUTPUT ((size_t) 64 << 20)

/* What 'node' is written as, read again: must be the same. */
static void
check_tree(struct yl_arena *arena, const struct yl_node *node)
{
    struct yl_node *again;
    struct yl_buf buf;

    yl_buf_init(&buf, MAX_OUTPUT);
    yl_node_write(&buf, node);
    CHECK(yl_buf_error(&buf) == 0);
    CHECK(yl_tree_parse(arena, yl_arena_copy(arena, yl_buf_str(&buf)), NULL,
                        &again, NULL) == 0);
    CHECK(yl_node_equal(node, again));
    yl_buf_release(&buf);
}

static struct yl_str
canonical(struct yl_arena *arena, const struct yl_node *node)
{
    struct yl_str text;
    struct yl_buf buf;

    yl_buf_init(&buf, MAX_OUTPUT);
    if (yl_node_write_canonical(&buf, node) < 0) {
        yl_buf_clear(&buf);     /* A number beyond a double. */
    }
    text = yl_arena_copy(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return text;
}

static void
fuzz_normalize(const struct yl_kind *kind, struct yl_node *root,
               struct yl_arena *arena)
{
    struct yl_type_ref ref = yl_kind_type(kind);
    struct yl_str once;

    if (yl_normalize(arena, ref, root, NULL, NULL) < 0) {
        return;
    }
    check_tree(arena, root);
    once = canonical(arena, root);
    CHECK(yl_normalize(arena, ref, root, NULL, NULL) == 0);
    CHECK(yl_str_equal(once, canonical(arena, root)));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = fuzz_input(data, size);
    const struct yl_kind *kind = fuzz_below(&in, 2)
                                     ? &apps_v1_deployment_kind
                                     : &core_v1_pod_kind;
    struct yl_type_ref ref = yl_kind_type(kind);
    struct yl_arena *arena = yl_arena_new();
    struct yl_str text = fuzz_text(&in);
    struct yl_node *root, *patch, *copy;

    if (yl_tree_parse(arena, text, NULL, &root, NULL) == 0
        && root->type == YL_JSON_OBJECT) {
        copy = yl_node_copy(arena, root);
        yl_validate(ref, copy, NULL, NULL);
        yl_prune(ref, copy, NULL);
        yl_prune_nulls(ref, copy);
        CHECK(yl_default_apply(arena, ref, copy, NULL) == 0);
        check_tree(arena, copy);

        fuzz_normalize(kind, yl_node_copy(arena, root), arena);

        if (yl_tree_parse(arena, in.rest, NULL, &patch, NULL) == 0
            && yl_strategic_apply(arena, ref, &root, patch, NULL) == 0) {
            check_tree(arena, root);
        }
    }
    yl_arena_free(arena);
    return 0;
}
