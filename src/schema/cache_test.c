/* Tests of the cache of schemas. */

#include "schema/cache.h"

#include "base/thread.h"
#include "json/tree.h"
#include "schema/props.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static struct yl_schema_cache *cache;

/* Compiles 'text' through the cache. */
static struct yl_schema *
compile(const char *text)
{
    struct yl_arena *arena = yl_arena_new();
    const struct yl_schema_props *props;
    struct yl_schema *schema;
    struct yl_node *root;

    assert_int_equal(yl_tree_parse(arena, yl_str_c(text), NULL, &root, NULL),
                     0);
    assert_int_equal(yl_schema_props_read(arena, root, NULL, &props, NULL), 0);
    assert_int_equal(yl_schema_cache_compile(cache, props, NULL, &schema,
                                             NULL), 0);
    yl_arena_free(arena);
    return schema;
}

#define ONE                                                                   \
    "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}}}"
#define SAME                                                                  \
    "{\"properties\":{\"a\":{\"type\":\"string\"}},\"type\":\"object\"}"
#define OTHER "{\"type\":\"object\",\"properties\":{\"b\":{}}}"

TEST(equal_schemas_are_one)
{
    struct yl_schema *a, *b, *c;
    size_t size;

    cache = yl_schema_cache_new();
    a = compile(ONE);
    b = compile(SAME);
    c = compile(OTHER);
    assert_ptr_equal(a, b);
    assert_ptr_not_equal(a, c);
    assert_int_equal(yl_schema_cache_count(cache, &size), 2);
    assert_int_equal(size, yl_schema_size(a) + yl_schema_size(c));
    yl_schema_unref(a);
    assert_int_equal(yl_schema_cache_count(cache, NULL), 2);
    yl_schema_unref(b);
    yl_schema_unref(c);
    yl_schema_cache_free(cache);
}

TEST(the_last_reference_removes_a_schema)
{
    struct yl_schema *a;
    size_t size;

    cache = yl_schema_cache_new();
    a = compile(ONE);
    yl_schema_unref(yl_schema_ref(a));
    assert_int_equal(yl_schema_cache_count(cache, NULL), 1);
    yl_schema_unref(a);
    assert_int_equal(yl_schema_cache_count(cache, &size), 0);
    assert_int_equal(size, 0);
    a = compile(ONE);
    assert_int_equal(yl_schema_cache_count(cache, NULL), 1);
    yl_schema_unref(a);
    yl_schema_cache_free(cache);
    yl_schema_cache_free(NULL);
}

TEST(a_schema_that_is_refused_leaves_no_trace)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    const struct yl_schema_props *props;
    struct yl_schema *schema = NULL;
    struct yl_node *root;

    cache = yl_schema_cache_new();
    assert_int_equal(yl_tree_parse(arena, YL_STR("{\"type\":\"string\"}"),
                                   NULL, &root, NULL), 0);
    assert_int_equal(yl_schema_props_read(arena, root, NULL, &props, NULL), 0);
    assert_int_equal(yl_schema_cache_compile(cache, props, NULL, &schema,
                                             &err), YL_EINVALID);
    assert_null(schema);
    assert_int_equal(err.n_causes, 1);
    assert_int_equal(yl_schema_cache_count(cache, NULL), 0);
    yl_error_clear(&err);
    yl_schema_cache_free(cache);
    yl_arena_free(arena);
}

static void
compile_and_drop(void *arg __attribute__((unused)))
{
    unsigned i;

    for (i = 0; i < 200; i++) {
        yl_schema_unref(compile(i % 3 ? ONE : OTHER));
    }
}

TEST(threads_may_share_a_cache)
{
    struct yl_thread threads[4];
    size_t i;

    cache = yl_schema_cache_new();
    for (i = 0; i < 4; i++) {
        assert_int_equal(yl_thread_start(&threads[i], "compile",
                                         compile_and_drop, NULL), 0);
    }
    for (i = 0; i < 4; i++) {
        yl_thread_join(&threads[i]);
    }
    assert_int_equal(yl_schema_cache_count(cache, NULL), 0);
    yl_schema_cache_free(cache);
}
