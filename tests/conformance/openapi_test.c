/* The schemas of the built-in kinds against those of an API server: names,
 * types, required fields, defaults, list types, patch strategies. */

#include <dirent.h>

#include "base/buf.h"
#include "all_kinds.h"
#include "json/tree.h"
#include "schema/openapi.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

#define MAX_DOCUMENTS 64

/* What an API server has, and we have. */
struct schemas {
    struct yl_arena *arena;
    struct yl_node *theirs[MAX_DOCUMENTS];  /* components.schemas of each. */
    size_t n_theirs;
    struct yl_node *ours;
    unsigned n_compared, n_differences;
};

static bool
is_stable_document(const char *name)
{
    const char *end = strstr(name, "_openapi.json");
    const char *version = end ? end : name;

    while (version > name && version[-1] != '_') {
        version--;
    }
    return end && version[0] == 'v' && end - version == 2;
}

static void
load_theirs(struct schemas *s)
{
    char folder[1024], path[2048];
    struct dirent **entries;
    int n, i;

    snprintf(folder, sizeof folder, "%s", truth_path("openapi"));
    n = scandir(folder, &entries, NULL, alphasort);
    assert_true(n > 0);
    for (i = 0; i < n; i++) {
        if (is_stable_document(entries[i]->d_name)) {
            struct yl_node *root;
            char *text;
            size_t size;

            snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
            text = read_file(path, &size);
            assert_int_equal(
                yl_tree_parse(s->arena,
                              yl_arena_copy(s->arena, yl_str_n(text, size)),
                              NULL, &root, NULL), 0);
            free(text);
            assert_true(s->n_theirs < MAX_DOCUMENTS);
            s->theirs[s->n_theirs++] = yl_node_get(
                yl_node_get(root, YL_STR("components")), YL_STR("schemas"));
        }
        free(entries[i]);
    }
    free(entries);
    assert_true(s->n_theirs > 20);
}

static void
load_ours(struct schemas *s)
{
    const struct yl_kind *kinds[512];
    size_t n = 0, i, j;
    struct yl_buf buf;

    for (i = 0; i < N_ALL_KINDS; i++) {
        for (j = 0; j < all_kinds[i]->n_kinds; j++) {
            assert_true(n < 512);
            kinds[n++] = all_kinds[i]->kinds[j];
        }
    }
    yl_buf_init(&buf, (size_t) 64 << 20);
    yl_buf_append_char(&buf, '{');
    yl_openapi_write_schemas(&buf, YL_OPENAPI_V3, kinds, n);
    yl_buf_append_char(&buf, '}');
    assert_int_equal(yl_buf_error(&buf), 0);
    assert_int_equal(yl_tree_parse(s->arena,
                                   yl_arena_copy(s->arena, yl_buf_str(&buf)),
                                   NULL, &s->ours, NULL), 0);
    yl_buf_release(&buf);
}

static const struct yl_node *
find_theirs(const struct schemas *s, struct yl_str name)
{
    size_t i;

    for (i = 0; i < s->n_theirs; i++) {
        const struct yl_node *schema = yl_node_get(s->theirs[i], name);

        if (schema) {
            return schema;
        }
    }
    return NULL;
}

/* {"allOf":[REF]} with nothing beside it but a description is REF. */
static const struct yl_node *
without_wrapper(const struct yl_node *node)
{
    const struct yl_node *all = yl_node_get(node, YL_STR("allOf"));
    unsigned n = node->n;

    if (yl_node_get(node, YL_STR("description"))) {
        n--;
    }
    return all && n == 1 && all->n == 1 ? all->first : node;
}

static void
differ(struct schemas *s, const char *path, const char *what)
{
    printf("# %s: %s\n", path, what);
    s->n_differences++;
}

static const char *
text_of(struct schemas *s, const struct yl_node *node)
{
    struct yl_buf buf;
    const char *text;

    yl_buf_init(&buf, (size_t) 1 << 20);
    yl_node_write(&buf, node);
    text = yl_arena_strdup(s->arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return text;
}

/* Names each difference between two schemas. */
static void
compare(struct schemas *s, const char *path, const struct yl_node *theirs,
        const struct yl_node *ours)
{
    const struct yl_node *child;
    bool properties = strstr(path, ".properties")
                      && !strcmp(strrchr(path, '.'), ".properties");

    if (yl_node_type(theirs) != YL_JSON_OBJECT
        || yl_node_type(ours) != YL_JSON_OBJECT) {
        if (!yl_node_equal(theirs, ours)) {
            differ(s, path, yl_arena_printf(s->arena, "is %s, not %s",
                                            text_of(s, ours),
                                            text_of(s, theirs)));
        }
        return;
    }
    if (!properties) {
        theirs = without_wrapper(theirs);
        ours = without_wrapper(ours);
    }
    YL_NODE_FOR_EACH (child, theirs) {
        struct yl_str key = yl_node_key(child);
        const struct yl_node *other = yl_node_get(ours, key);
        char *below = yl_arena_printf(s->arena, "%s.%.*s", path,
                                      YL_STR_ARG(key));

        if (!properties && yl_str_equal_c(key, "description")) {
            continue;
        } else if (strstr(below, ".meta.v1.DeleteOptions.x-")) {
            continue;           /* Depends on which groups a server has. */
        } else if (!other) {
            differ(s, below, "is missing");
        } else if (yl_str_equal_c(key, "required") && !properties) {
            /* In any order. */
            const struct yl_node *a, *b;

            YL_NODE_FOR_EACH (a, child) {
                bool found = false;

                YL_NODE_FOR_EACH (b, other) {
                    found = found || yl_node_equal(a, b);
                }
                if (!found) {
                    differ(s, below, yl_arena_printf(s->arena, "lacks %s",
                                                     text_of(s, a)));
                }
            }
            if (other->n != child->n) {
                differ(s, below, "has other fields too");
            }
        } else {
            compare(s, below, child, other);
        }
    }
    YL_NODE_FOR_EACH (child, ours) {
        struct yl_str key = yl_node_key(child);

        if (!yl_node_get(theirs, key)) {
            differ(s, yl_arena_printf(s->arena, "%s.%.*s", path,
                                      YL_STR_ARG(key)), "is not there");
        }
    }
}

TEST(schemas_of_built_in_kinds_are_an_api_servers)
{
    struct schemas s = { .arena = yl_arena_new() };
    const struct yl_node *ours, *theirs;

    load_theirs(&s);
    load_ours(&s);
    YL_NODE_FOR_EACH (ours, s.ours) {
        struct yl_str name = yl_node_key(ours);

        theirs = find_theirs(&s, name);
        if (theirs) {
            compare(&s, yl_arena_strdup(s.arena, name), theirs, ours);
            s.n_compared++;
        } else if (!memmem(name.data, name.size, "v1beta1", 7)
                   && !memmem(name.data, name.size, "v2alpha1", 8)) {
            differ(&s, yl_arena_strdup(s.arena, name), "no server has it");
        }
    }
    printf("# %u schemas compared\n", s.n_compared);
    assert_true(s.n_compared > 500);
    assert_int_equal(s.n_differences, 0);
    yl_arena_free(s.arena);
}

TEST(every_kind_of_every_stable_group_version_is_there)
{
    struct schemas s = { .arena = yl_arena_new() };
    const struct yl_node *theirs;
    size_t i;

    load_theirs(&s);
    load_ours(&s);
    for (i = 0; i < s.n_theirs; i++) {
        YL_NODE_FOR_EACH (theirs, s.theirs[i]) {
            struct yl_str name = yl_node_key(theirs);

            if (yl_node_get(theirs,
                            YL_STR("x-kubernetes-group-version-kind"))
                && !memmem(name.data, name.size, ".meta.v1.", 9)
                && !yl_node_get(s.ours, name)) {
                differ(&s, yl_arena_strdup(s.arena, name), "is missing");
            }
        }
    }
    assert_int_equal(s.n_differences, 0);
    yl_arena_free(s.arena);
}
