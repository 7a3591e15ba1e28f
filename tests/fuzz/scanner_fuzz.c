/* Fuzzes the JSON scanner.  Its variants, the plain scanner, the parser,
 * jansson and cJSON must all agree on which texts are JSON, and jansson also
 * on their contents. */

#include "fuzz.h"

#include <cjson/cJSON.h>
#include <jansson.h>

#include "base/alloc.h"
#include "json/bits.h"
#include "json/explain.h"
#include "json/tree.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

/* cJSON reads this many bytes of a number at most. */
#define CJSON_MAX_NUMBER 62

static int check_variants(struct yl_str text,
                          const struct yl_json_limits *limits);
static void check_blanks_in_front(struct yl_str text, int expected);
static void check_tree(struct yl_str text, int expected);
static void count_duplicate(void *aux, const struct yl_node *object,
                            struct yl_str key);
static void check_jansson(struct yl_str text, int r,
                          const struct yl_node *root);
static bool may_differ(const json_error_t *error);
static void check_same(struct yl_arena *, const struct yl_node *,
                       const json_t *);
static void check_cjson(struct yl_str text, const struct yl_node *root);
static bool has_long_number(const struct yl_node *node);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yl_str text = yl_str_n((const char *) data, size);
    struct yl_json_limits shallow = { .max_depth = 1 + (unsigned) size % 4 };
    struct yl_json_limits small = { .max_size = 1 + size / 2 };
    int r = check_variants(text, NULL);

    CHECK(check_variants(text, &shallow) < 0 || r == 0);
    CHECK(size <= small.max_size
          || check_variants(text, &small) == YL_ETOOBIG);
    check_blanks_in_front(text, r);
    check_tree(text, r);
    return 0;
}

/* All variants must accept and refuse the same, with the same code as the
 * plain scanner. */
static int
check_variants(struct yl_str text, const struct yl_json_limits *limits)
{
    const struct yl_bits *const *variant;
    struct yl_error err = YL_ERROR_INIT;
    size_t offset = 0;
    int expected = yl_json_explain(text, limits, &offset, &err);

    CHECK(expected <= 0 && err.code == expected);
    CHECK(expected == 0 || offset <= text.size);
    yl_error_clear(&err);
    for (variant = yl_bits_variants(); *variant; variant++) {
        yl_bits_use(*variant);
        CHECK(yl_json_validate(text, limits, NULL) == expected);
    }
    yl_bits_use(NULL);
    return expected;
}

/* Blanks in front must change nothing; they move the text across the 4 KB
 * chunks in which it is indexed. */
static void
check_blanks_in_front(struct yl_str text, int expected)
{
    size_t n_blanks = YL_BITS_CHUNK - text.size * 37 % 160;
    char *moved = yl_malloc(n_blanks + text.size);

    memset(moved, ' ', n_blanks);
    if (text.size) {
        memcpy(moved + n_blanks, text.data, text.size);
    }
    CHECK(check_variants(yl_str_n(moved, n_blanks + text.size), NULL)
          == expected);
    free(moved);
}

static void
check_tree(struct yl_str text, int expected)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_json_limits strict = { .refuse_duplicates = true };
    size_t n_duplicates = 0;
    struct yl_tree_opts opts = {
        .on_duplicate = count_duplicate,
        .aux = &n_duplicates,
    };
    struct yl_node *root = NULL;
    int r;

    CHECK(yl_tree_parse(arena, text, &opts, &root, NULL) == expected);
    CHECK((root != NULL) == (expected == 0));
    r = yl_json_validate(text, &strict, NULL);
    CHECK(expected == 0 ? r == (n_duplicates ? YL_EDUPLICATE : 0) : r < 0);
    check_jansson(text, expected, root);
    if (root) {
        check_cjson(text, root);
    }
    yl_arena_free(arena);
}

static void
count_duplicate(void *aux, const struct yl_node *object, struct yl_str key)
{
    size_t *n = aux;

    CHECK(yl_node_get(object, key));
    ++*n;
}

/* jansson and our scanner must accept the same texts, except for our ceilings
 * and for values that jansson cannot hold. */
static void
check_jansson(struct yl_str text, int r, const struct yl_node *root)
{
    json_error_t error;
    json_t *theirs = json_loadb(text.size ? text.data : "", text.size,
                                JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL
                                | JSON_ALLOW_NUL, &error);

    if (theirs) {
        /* jansson ignores a zero byte after a number or a word. */
        CHECK(r == 0 || r == YL_ETOOBIG || r == YL_ETOODEEP
              || yl_str_find_char(text, 0));
    } else {
        CHECK(r < 0 || may_differ(&error));
    }
    if (theirs && root) {
        struct yl_arena *arena = yl_arena_new();

        check_same(arena, root, theirs);
        yl_arena_free(arena);
    }
    json_decref(theirs);
}

/* Did jansson refuse a value that it cannot hold, rather than a wrong text? */
static bool
may_differ(const json_error_t *error)
{
    switch (json_error_code(error)) {
    case json_error_numeric_overflow:
    case json_error_null_byte_in_key:
    case json_error_stack_overflow:
        return true;
    default:
        return false;
    }
}

static void
check_same(struct yl_arena *arena, const struct yl_node *ours,
           const json_t *theirs)
{
    const struct yl_node *child;
    struct yl_str s;
    size_t i = 0;
    double d;
    bool b;

    switch ((enum yl_json_type) ours->type) {
    case YL_JSON_NULL:
        CHECK(json_is_null(theirs));
        break;

    case YL_JSON_BOOL:
        CHECK(yl_node_bool(ours, &b) == 0 && json_is_boolean(theirs));
        CHECK(b == json_is_true(theirs));
        break;

    case YL_JSON_NUMBER:
        CHECK(yl_node_double(ours, &d) == 0 && json_is_real(theirs));
        CHECK(d == json_real_value(theirs));
        break;

    case YL_JSON_STRING:
        CHECK(yl_node_string(ours, arena, &s) == 0 && json_is_string(theirs));
        CHECK(yl_str_equal(s, yl_str_n(json_string_value(theirs),
                                       json_string_length(theirs))));
        break;

    case YL_JSON_ARRAY:
        CHECK(json_is_array(theirs) && json_array_size(theirs) == ours->n);
        YL_NODE_FOR_EACH (child, ours) {
            check_same(arena, child, json_array_get(theirs, i++));
        }
        break;

    case YL_JSON_OBJECT:
        CHECK(json_is_object(theirs) && json_object_size(theirs) == ours->n);
        YL_NODE_FOR_EACH (child, ours) {
            const char *key = yl_arena_strdup(arena, yl_node_key(child));

            CHECK(json_object_get(theirs, key));
            check_same(arena, child, json_object_get(theirs, key));
        }
        break;

    case YL_JSON_NONE:
    default:
        CHECK(!"a node has no type");
    }
}

/* cJSON accepts more than JSON, but must accept all JSON. */
static void
check_cjson(struct yl_str text, const struct yl_node *root)
{
    cJSON *theirs;

    if (has_long_number(root)) {
        return;
    }
    theirs = cJSON_ParseWithLengthOpts(text.data, text.size, NULL, 0);
    CHECK(theirs);
    CHECK(cJSON_IsObject(theirs) == (root->type == YL_JSON_OBJECT));
    CHECK(root->type != YL_JSON_ARRAY
          || cJSON_GetArraySize(theirs) == (int) root->n);
    cJSON_Delete(theirs);
}

static bool
has_long_number(const struct yl_node *node)
{
    const struct yl_node *child;

    if (node->type == YL_JSON_NUMBER) {
        return node->raw_size > CJSON_MAX_NUMBER;
    }
    YL_NODE_FOR_EACH (child, node) {
        if (has_long_number(child)) {
            return true;
        }
    }
    return false;
}
