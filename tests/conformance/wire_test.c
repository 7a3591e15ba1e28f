/* One object of every built-in type, all fields set: it decodes into a record
 * with unknown fields refused, the input is overwritten, and the record
 * encodes to the same document. */

#include <dirent.h>

#include "all_kinds.h"
#include "json/tree.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/record.h"
#include "yuloh/yaml.h"

static unsigned n_failures;

static const struct yl_kind *
kind_of(struct yl_json json, struct yl_arena *arena)
{
    struct yl_str version, kind;
    size_t i, j;

    if (yl_json_string(yl_json_get(json, YL_STR("apiVersion")), arena,
                       &version)
        || yl_json_string(yl_json_get(json, YL_STR("kind")), arena, &kind)) {
        return NULL;
    }
    for (i = 0; i < N_ALL_KINDS; i++) {
        const char *own = yl_arena_printf(arena, "%s%s%s", all_kinds[i]->group,
                                          all_kinds[i]->group[0] ? "/" : "",
                                          all_kinds[i]->version);

        for (j = 0; yl_str_equal_c(version, own) && j < all_kinds[i]->n_kinds;
             j++) {
            if (yl_str_equal_c(kind, all_kinds[i]->kinds[j]->name)) {
                return all_kinds[i]->kinds[j];
            }
        }
    }
    return NULL;
}

static void
fail_file(const char *path, const char *why)
{
    printf("# %s: %s\n", strrchr(path, '/') + 1, why);
    n_failures++;
}

/* Names the first place where two documents differ. */
static const char *
difference(struct yl_arena *arena, const char *path, const struct yl_node *a,
           const struct yl_node *b)
{
    const struct yl_node *child, *other;

    if (yl_node_equal(a, b)) {
        return NULL;
    } else if (yl_node_type(a) == YL_JSON_OBJECT
               && yl_node_type(b) == YL_JSON_OBJECT) {
        YL_NODE_FOR_EACH (child, a) {
            const char *below = yl_arena_printf(
                arena, "%s.%.*s", path, YL_STR_ARG(yl_node_key(child)));
            const char *found = difference(
                arena, below, child, yl_node_get(b, yl_node_key(child)));

            if (found) {
                return found;
            }
        }
        YL_NODE_FOR_EACH (child, b) {
            if (!yl_node_get(a, yl_node_key(child))) {
                return yl_arena_printf(arena, "%s.%.*s is new", path,
                                       YL_STR_ARG(yl_node_key(child)));
            }
        }
    } else if (yl_node_type(a) == YL_JSON_ARRAY
               && yl_node_type(b) == YL_JSON_ARRAY && a->n == b->n) {
        for (child = a->first, other = b->first; child;
             child = child->next, other = other->next) {
            const char *found = difference(
                arena, yl_arena_printf(arena, "%s[]", path), child, other);

            if (found) {
                return found;
            }
        }
    }
    return yl_arena_printf(arena, "%s differs", path);
}

/* 0 if the file is of no type that we have. */
static int
check_file(struct yl_arena *arena, const char *path)
{
    size_t size;
    char *text = read_file(path, &size), *copy;
    struct yl_str json = yl_str_n(text, size), encoded;
    const struct yl_decode_opts opts = { .refuse_unknown = true };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *before, *after;
    const struct yl_kind *kind;
    const char *found;
    void *record;

    if (yl_str_ends_with(yl_str_c(path), YL_STR(".yaml"))) {
        assert_int_equal(yl_yaml_to_json(arena, json, NULL, &json, NULL), 0);
    }
    kind = kind_of(yl_json(json), arena);
    if (!kind) {
        free(text);
        return 0;
    }
    assert_int_equal(yl_tree_parse(arena, yl_arena_copy(arena, json), NULL,
                                   &before, NULL), 0);
    copy = yl_arena_strdup(arena, json);
    record = yl_arena_zalloc(arena, yl_kind_type(kind).type->record_size);
    if (yl_record_decode(kind, yl_json(yl_str_n(copy, json.size)), arena,
                         &opts, record, &err) < 0) {
        fail_file(path, yl_error_message(&err));
        yl_error_clear(&err);
        free(text);
        return 1;
    }
    memset(copy, 'x', json.size);
    encoded = yl_record_encode(kind, record, arena);
    assert_int_equal(yl_tree_parse(arena, encoded, NULL, &after, NULL), 0);
    found = difference(arena, "", before, after);
    if (found) {
        fail_file(path, found);
    }
    free(text);
    return 1;
}

TEST(every_built_in_object_survives_decoding_and_encoding)
{
    struct yl_arena *arena = yl_arena_new();
    struct dirent **entries;
    char folder[1024];
    unsigned n_checked = 0;
    int n, i;

    snprintf(folder, sizeof folder, "%s", truth_path("wire"));
    n = scandir(folder, &entries, NULL, alphasort);
    assert_true(n > 0);
    n_failures = 0;
    for (i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;

        if (yl_str_ends_with(yl_str_c(name), YL_STR(".json"))
            || yl_str_ends_with(yl_str_c(name), YL_STR(".yaml"))) {
            n_checked += (unsigned) check_file(
                arena, yl_arena_printf(arena, "%s/%s", folder, name));
            yl_arena_clear(arena);
        }
        free(entries[i]);
    }
    free(entries);
    printf("# %u documents checked\n", n_checked);
    assert_true(n_checked > 100);
    assert_int_equal(n_failures, 0);
    yl_arena_free(arena);
}
