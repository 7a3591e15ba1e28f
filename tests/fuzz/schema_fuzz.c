/* Fuzzes the walks by descriptors over trees.  Input: a byte that selects a
 * kind, a document, a zero byte, and a text that is used as a strategic merge
 * patch. */

#include "fuzz.h"

#include "base/buf.h"
#include "json/tree.h"
#include "schema/default.h"
#include "schema/normalize.h"
#include "schema/prune.h"
#include "schema/strategic.h"
#include "schema/strict.h"
#include "schema/validate.h"
#include "yuloh/api/apiextensions_v1.h"
#include "yuloh/api/apps_v1.h"
#include "yuloh/api/core_v1.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static void check_normalize(struct yl_arena *, struct yl_type_ref,
                            const struct yl_node *doc);
static void check_prune(struct yl_arena *, struct yl_type_ref,
                        struct yl_node *, struct yl_strict *);
static void check_strategic(struct yl_arena *, struct yl_type_ref,
                            const struct yl_node *doc,
                            const struct yl_node *patch);
static struct yl_str written(struct yl_arena *, const struct yl_node *);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct yl_kind *const kinds[] = {
        &core_v1_pod_kind, &apps_v1_deployment_kind,
        &apiextensions_v1_custom_resource_definition_kind,
        &core_v1_event_kind, &core_v1_secret_kind,
    };
    struct fuzz_input in = fuzz_input(data, size);
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *doc, *patch;
    struct yl_strict strict;
    struct yl_tree_opts opts = { .on_duplicate = yl_strict_on_duplicate,
                                 .aux = &strict };
    struct yl_type_ref type;

    yl_strict_init(&strict, arena);
    if (size) {
        type = yl_kind_type(kinds[data[0] % (sizeof kinds / sizeof kinds[0])]);
        in = fuzz_input(data + 1, size - 1);
        if (yl_tree_parse(arena, fuzz_text(&in), &opts, &doc, NULL) == 0) {
            check_normalize(arena, type, doc);
            if (yl_tree_parse(arena, in.rest, NULL, &patch, NULL) == 0) {
                check_strategic(arena, type, doc, patch);
            }
            check_prune(arena, type, doc, &strict);
        }
    }
    yl_strict_release(&strict);
    yl_arena_free(arena);
    return 0;
}

/* The normalised tree must be JSON, and normalising it again must change
 * nothing, except for pointers to a zero time. */
static void
check_normalize(struct yl_arena *arena, struct yl_type_ref type,
                const struct yl_node *doc)
{
    struct yl_node *root = yl_node_copy(arena, doc), *again;
    struct yl_error err = YL_ERROR_INIT;
    struct yl_str text;

    if (yl_normalize(arena, type, root, NULL, &err) == 0) {
        CHECK(yl_normalize(arena, type, root, NULL, NULL) == 0);
        text = written(arena, root);
        CHECK(yl_tree_parse(arena, text, NULL, &again, NULL) == 0);
        CHECK(yl_normalize(arena, type, again, NULL, NULL) == 0);
        CHECK(yl_str_equal(text, written(arena, again)));
    } else {
        CHECK(err.code == YL_EBADREQUEST && err.message);
    }
    yl_error_clear(&err);
}

/* Pruning again and defaulting again must change nothing, and neither must
 * validation. */
static void
check_prune(struct yl_arena *arena, struct yl_type_ref type,
            struct yl_node *root, struct yl_strict *strict)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_strict none;
    struct yl_str text;

    yl_prune(type, root, strict);
    yl_strict_init(&none, arena);
    yl_prune(type, root, &none);
    CHECK(none.n_errors == 0);
    yl_strict_release(&none);
    yl_prune_nulls(type, root);
    if (yl_default_apply(arena, type, root, NULL) == 0) {
        text = written(arena, root);
        CHECK(yl_default_apply(arena, type, root, NULL) == 0);
        CHECK(yl_str_equal(text, written(arena, root)));
        yl_validate(type, root, NULL, &err);
        CHECK(yl_str_equal(text, written(arena, root)));
        yl_error_clear(&err);
    }
}

/* The patched document must be JSON, and the patch unchanged. */
static void
check_strategic(struct yl_arena *arena, struct yl_type_ref type,
                const struct yl_node *doc, const struct yl_node *patch)
{
    struct yl_node *root = yl_node_copy(arena, doc), *again;
    struct yl_str before = written(arena, patch);
    struct yl_error err = YL_ERROR_INIT;

    if (doc->type != YL_JSON_OBJECT) {
        return;
    }
    if (yl_strategic_apply(arena, type, &root, patch, &err) < 0) {
        CHECK(err.message);
    }
    CHECK(yl_tree_parse(arena, written(arena, root), NULL, &again, NULL) == 0);
    CHECK(yl_str_equal(before, written(arena, patch)));
    yl_error_clear(&err);
}

static struct yl_str
written(struct yl_arena *arena, const struct yl_node *node)
{
    struct yl_str text;
    struct yl_buf buf;

    yl_buf_init(&buf, SIZE_MAX);
    yl_node_write(&buf, node);
    text = yl_arena_copy(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return text;
}
