/* Fuzzes cursors: on any bytes they must not read outside of them; on JSON
 * they must find the same as the tree. */

#include "fuzz.h"

#include "json/bits.h"
#include "json/tree.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/json.h"

/* On bytes that are not JSON only this keeps the walk short. */
#define MAX_DEPTH 40

static void walk_anything(struct yl_arena *, struct yl_json, int depth);
static void ask_everything(struct yl_arena *, struct yl_json);
static void check_same(struct yl_arena *, struct yl_json,
                       const struct yl_node *);
static void check_array(struct yl_arena *, struct yl_json,
                        const struct yl_node *);
static void check_object(struct yl_arena *, struct yl_json,
                         const struct yl_node *);
static void check_number(struct yl_json, const struct yl_node *);
static void check_string(struct yl_arena *, struct yl_json,
                         const struct yl_node *);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yl_str text = yl_str_n((const char *) data, size);
    const struct yl_bits *const *variant;

    for (variant = yl_bits_variants(); *variant; variant++) {
        struct yl_arena *arena = yl_arena_new();
        struct yl_node *root;

        yl_bits_use(*variant);
        walk_anything(arena, yl_json(text), 0);
        if (yl_tree_parse(arena, text, NULL, &root, NULL) == 0) {
            check_same(arena, yl_json(text), root);
        }
        yl_arena_free(arena);
    }
    yl_bits_use(NULL);
    return 0;
}

static void
walk_anything(struct yl_arena *arena, struct yl_json value, int depth)
{
    struct yl_json_iter it = yl_json_iter(value);
    size_t n = 0;

    ask_everything(arena, value);
    while (yl_json_next(&it)) {
        CHECK(it.value.start >= value.start);
        CHECK(it.value.limit <= value.limit);
        if (depth < MAX_DEPTH) {
            walk_anything(arena, it.value, depth + 1);
        }
        n++;
    }
    CHECK(!yl_json_next(&it));
    CHECK(yl_json_count(value) == n);
}

static void
ask_everything(struct yl_arena *arena, struct yl_json value)
{
    struct yl_str raw = yl_json_raw(value);
    struct yl_json found;
    struct yl_str s;
    uint64_t u;
    int64_t i;
    double d;
    bool b;

    CHECK(!raw.data || (raw.size && raw.data == value.start
                        && raw.data + raw.size <= value.limit));
    CHECK((yl_json_type(value) == YL_JSON_NONE) || yl_json_exists(value));
    CHECK(yl_json_bool(value, &b) <= 0);
    CHECK(yl_json_int64(value, &i) <= 0);
    if (yl_json_uint64(value, &u) == 0 && u <= INT64_MAX) {
        CHECK(yl_json_int64(value, &i) == 0 && (uint64_t) i == u);
    }
    CHECK(yl_json_double(value, &d) <= 0);
    if (yl_json_string(value, arena, &s) == 0) {
        CHECK(yl_json_string_is(value, s));
    }
    found = yl_json_get(value, YL_STR("a"));
    CHECK(found.start == yl_json_path(value, "a", (char *) NULL).start);
    yl_json_raw(found);
    yl_json_raw(yl_json_at(value, 1));
    yl_json_raw(yl_json_path(value, "a", "b", (char *) NULL));
}

static void
check_same(struct yl_arena *arena, struct yl_json value,
           const struct yl_node *node)
{
    bool a, b;

    CHECK(yl_json_type(value) == yl_node_type(node));
    if (node->raw_data) {
        struct yl_str raw = yl_json_raw(value);

        CHECK(raw.data == node->raw_data && raw.size == node->raw_size);
    }
    switch ((enum yl_json_type) node->type) {
    case YL_JSON_NULL:
        break;

    case YL_JSON_BOOL:
        CHECK(yl_json_bool(value, &a) == 0 && yl_node_bool(node, &b) == 0);
        CHECK(a == b);
        break;

    case YL_JSON_NUMBER:
        check_number(value, node);
        break;

    case YL_JSON_STRING:
        check_string(arena, value, node);
        break;

    case YL_JSON_ARRAY:
        check_array(arena, value, node);
        break;

    case YL_JSON_OBJECT:
        check_object(arena, value, node);
        break;

    case YL_JSON_NONE:
    default:
        CHECK(!"a node has no type");
    }
}

static void
check_array(struct yl_arena *arena, struct yl_json value,
            const struct yl_node *node)
{
    struct yl_json_iter it = yl_json_iter(value);
    const struct yl_node *child;
    size_t i = 0;

    CHECK(yl_json_count(value) == node->n);
    YL_NODE_FOR_EACH (child, node) {
        CHECK(yl_json_next(&it) && yl_str_is_null(it.key));
        CHECK(yl_node_at(node, i) == child);
        if (i < 8 || i + 8 > node->n) {
            CHECK(yl_json_at(value, i).start == it.value.start);
        }
        check_same(arena, it.value, child);
        i++;
    }
    CHECK(!yl_json_exists(yl_json_at(value, i)) && !yl_node_at(node, i));
}

/* A cursor finds the first of repeated members, the tree the last. */
static void
check_object(struct yl_arena *arena, struct yl_json value,
             const struct yl_node *node)
{
    struct yl_json_iter it = yl_json_iter(value);
    size_t n = yl_json_count(value);

    CHECK(n >= node->n);
    while (yl_json_next(&it)) {
        const struct yl_node *child;
        struct yl_json key;
        struct yl_str plain;

        key.start = it.key.data - 1;
        key.limit = it.key.data + it.key.size + 1;
        CHECK(yl_json_string(key, arena, &plain) == 0);
        CHECK(it.escaped || yl_str_equal(plain, it.key));
        child = yl_node_get(node, plain);
        CHECK(child);
        if (n == node->n) {
            struct yl_json found = yl_json_get(value, plain);

            CHECK(found.start == it.value.start);
            check_same(arena, it.value, child);
            check_same(arena, found, child);
        }
    }
}

static void
check_number(struct yl_json value, const struct yl_node *node)
{
    int64_t i = 0, j = 0;
    double d = 0, e = 0;

    CHECK(yl_json_int64(value, &i) == yl_node_int64(node, &j) && i == j);
    CHECK(yl_json_double(value, &d) == yl_node_double(node, &e) && d == e);
}

static void
check_string(struct yl_arena *arena, struct yl_json value,
             const struct yl_node *node)
{
    struct yl_str a, b;

    CHECK(yl_json_string(value, arena, &a) == 0);
    CHECK(yl_node_string(node, arena, &b) == 0);
    CHECK(yl_str_equal(a, b));
    CHECK(yl_json_string_is(value, a) && yl_node_string_is(node, a));
}
