/* Strict decoding of a patch.  See patch_strict.h for the contract. */

#include "apiserver/verbs/patch_strict.h"

#include "json/tree.h"
#include "schema/field_error.h"
#include "schema/strict.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static int check_numbers(const struct yl_node *, const char *into,
                         struct yl_error *err);
static void find_repeats(struct yl_strict *, const struct yl_field_path *,
                         const struct yl_node *);
static void find_unknown(struct yl_strict *, const struct yl_node *patch);

void
yl_patch_find_strict(bool json_patch, const struct yl_node *patch,
                     struct yl_strict *strict)
{
    size_t i, n;

    if (json_patch) {
        find_unknown(strict, patch);
    }
    find_repeats(strict, NULL, patch);
    n = strict->n_errors;
    for (i = 0; json_patch && i < n; i++) {
        strict->errors[i] = yl_str_c(yl_arena_printf(
            strict->arena, "json patch %.*s", YL_STR_ARG(strict->errors[i])));
    }
}

int
yl_patch_check_numbers(bool json_patch, const struct yl_node *patch,
                       struct yl_error *err)
{
    const struct yl_node *operation;
    int r = 0;

    if (!json_patch) {
        return check_numbers(patch, "value", err);
    }
    if (yl_node_type(patch) != YL_JSON_ARRAY) {
        return 0;
    }
    YL_NODE_FOR_EACH (operation, patch) {
        const struct yl_node *value = yl_node_get(operation, YL_STR("value"));

        if (r == 0 && value) {
            r = check_numbers(value, "struct field jsonPatchOp.value", err);
        }
    }
    return r;
}

/* Recurses as deep as the parser allows. */
static int
check_numbers(const struct yl_node *node, const char *into,
              struct yl_error *err)
{
    const struct yl_node *child;
    struct yl_str text;
    double value;
    int r = 0;

    if (yl_node_number(node, &text) == 0) {
        return yl_node_double(node, &value) == 0
               ? 0 : yl_error_set(err, YL_EBADREQUEST,
                                  "json: cannot unmarshal number %.*s into "
                                  "Go %s of type float64", YL_STR_ARG(text),
                                  into);
    }
    YL_NODE_FOR_EACH (child, node) {
        if (r == 0) {
            r = check_numbers(child, into, err);
        }
    }
    return r;
}

/* Recurses as deep as the parser allows. */
static void
find_repeats(struct yl_strict *strict, const struct yl_field_path *path,
             const struct yl_node *node)
{
    const struct yl_strict_repeat *repeat;
    const struct yl_node *child;
    size_t i = 0;

    if (strict->repeated.count == 0
        || (node->type != YL_JSON_OBJECT && node->type != YL_JSON_ARRAY)) {
        return;
    }
    repeat = yl_strict_repeats(strict, node);
    for (; repeat; repeat = repeat->next) {
        yl_strict_duplicate(strict, path, repeat->key);
    }
    YL_NODE_FOR_EACH (child, node) {
        struct yl_field_path step = node->type == YL_JSON_OBJECT
                                    ? yl_field_member(path,
                                                      yl_node_key(child))
                                    : yl_field_index(path, i++);

        find_repeats(strict, &step, child);
    }
}

static void
find_unknown(struct yl_strict *strict, const struct yl_node *patch)
{
    static const char *const known[] = { "op", "path", "from", "value" };
    const struct yl_node *operation, *member;
    size_t i = 0, k;

    if (patch->type != YL_JSON_ARRAY) {
        return;
    }
    YL_NODE_FOR_EACH (operation, patch) {
        struct yl_field_path step = yl_field_index(NULL, i++);

        if (operation->type != YL_JSON_OBJECT) {
            continue;
        }
        YL_NODE_FOR_EACH (member, operation) {
            for (k = 0; k < YL_ARRAY_SIZE(known); k++) {
                if (yl_str_equal_c(yl_node_key(member), known[k])) {
                    break;
                }
            }
            if (k == YL_ARRAY_SIZE(known)) {
                yl_strict_unknown(strict, &step, yl_node_key(member));
            }
        }
    }
}
