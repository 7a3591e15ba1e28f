/* What strict decoding finds in a patch.  See patch_strict.h for the
 * contract. */

#include "apiserver/verbs/patch_strict.h"

#include "json/tree.h"
#include "schema/field_error.h"
#include "schema/strict.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static void find_repeats(struct yl_strict *, const struct yl_field_path *,
                         const struct yl_node *);
static void find_unknown(struct yl_strict *, const struct yl_node *patch);
static const char *go_kind(struct yl_str json_type);
static bool is_digit(struct yl_str text);

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

const char *
yl_patch_decode_words(struct yl_arena *arena, enum yl_patch_type type,
                      const struct yl_error *err)
{
    static const char from[] = "json: cannot unmarshal ";
    static const char of_type[] = " of type ";
    const char *message = yl_error_message(err);
    struct yl_str rest, have;
    const char *want;

    if (type != YL_PATCH_STRATEGIC) {
        return message;
    }
    if (!strncmp(message, "illegal base64", strlen("illegal base64"))) {
        return yl_arena_printf(arena, "error decoding from json: %s", message);
    }
    want = strstr(message, of_type);
    if (strncmp(message, from, strlen(from)) != 0 || !want
        || !yl_str_cut(yl_str_c(message + strlen(from)), ' ', &have, &rest)) {
        return message;
    }
    want += strlen(of_type);
    if (!strncmp(want, "[]", 2)) {
        return yl_arena_printf(arena, "cannot restore slice from %s",
                               go_kind(have));
    }
    if (!strncmp(want, "map[", 4)) {
        return yl_arena_printf(arena, "cannot restore map from %s",
                               go_kind(have));
    }
    if (strchr(want, '.')) {
        return yl_arena_printf(arena, "cannot restore struct from: %s",
                               go_kind(have));
    }
    /* Go could make a text of an int64 and an int of a float64, but may not;
     * of others it could not. */
    if (yl_str_equal_c(have, "number")
        && (!strcmp(want, "string") || is_digit(rest))) {
        return yl_arena_printf(arena, "cannot convert %s to %s",
                               is_digit(rest) ? "float64" : "int64", want);
    }
    return yl_arena_printf(arena, "unrecognized type: %s", want);
}

/* As deep as the parser allows. */
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

/* Kinds and types of what Go makes of JSON. */
static const char *
go_kind(struct yl_str json_type)
{
    return yl_str_equal_c(json_type, "object")   ? "map"
           : yl_str_equal_c(json_type, "array")  ? "slice"
           : yl_str_equal_c(json_type, "number") ? "int64"
           : yl_str_equal_c(json_type, "bool")   ? "bool"
                                                 : "string";
}

/* Does it begin with a number, as the value of what Go calls "number 1.5"? */
static bool
is_digit(struct yl_str text)
{
    return text.size
           && (text.data[0] == '-'
               || (text.data[0] >= '0' && text.data[0] <= '9'));
}
