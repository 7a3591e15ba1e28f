/* Tests of defaults. */

#include "schema/default.h"

#include "json/tree.h"
#include "schema_set.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static const char types_text[] =
    "type Root\n"
    "a omit default=1 : int32\n"
    "b omit nullable default=\"x\" : string\n"
    "c omit : Child\n"
    "d pointer default={} : Child\n"
    "list omit : [] Child\n"
    "map omit : {} Child\n"
    "lists omit : [] [] Child\n"
    "type Child\n"
    "e omit default=[1,2] : [] int32\n"
    "f omit default={\"g\":5} : Grandchild\n"
    "type Grandchild\n"
    "g omit default=3 : int32\n"
    "h omit default=true : bool\n"
    "type Loop\n"
    "again pointer default={} : Loop\n"
    "type Broken\n"
    "x omit default={ : int32\n";

static struct schema_set *types;
static struct yl_arena *arena;

static int
apply(const char *text, size_t type, struct yl_node **root,
      struct yl_error *err)
{
    assert_int_equal(yl_tree_parse(arena, yl_str_c(text), NULL, root, NULL),
                     0);
    return yl_default_apply(arena, schema_set_type(types, type), *root, err);
}

static void
assert_defaults(const char *text, const char *want)
{
    struct yl_node *root;
    struct yl_buf buf;
    int i;

    yl_buf_init(&buf, SIZE_MAX);
    for (i = 0; i < 2; i++) {
        assert_int_equal(apply(text, 1, &root, NULL), 0);
        yl_buf_clear(&buf);
        yl_node_write_canonical(&buf, root);
        assert_str_equal(yl_buf_str(&buf), want);
        text = want;
    }
    yl_buf_release(&buf);
}

static void
setup(void)
{
    types = schema_set_new("", types_text);
    arena = yl_arena_new();
}

static void
teardown(void)
{
    yl_arena_free(arena);
    free(types);
}

#define CHILD "{\"e\":[1,2],\"f\":{\"g\":5,\"h\":true}}"

TEST(absent_fields_get_defaults)
{
    setup();
    assert_defaults("{}", "{\"a\":1,\"b\":\"x\",\"d\":" CHILD "}");
    assert_defaults("{\"a\":0,\"b\":\"\",\"d\":{\"e\":[],\"f\":{\"g\":0,"
                    "\"h\":false}}}",
                    "{\"a\":0,\"b\":\"\",\"d\":{\"e\":[],\"f\":{\"g\":0,"
                    "\"h\":false}}}");
    teardown();
}

TEST(nulls_get_defaults_where_null_may_not_be)
{
    setup();
    assert_defaults("{\"a\":null,\"b\":null,\"d\":null}",
                    "{\"a\":1,\"b\":null,\"d\":" CHILD "}");
    teardown();
}

TEST(what_is_there_is_descended_into)
{
    setup();
    assert_defaults("{\"c\":{},\"d\":{\"f\":{}},\"list\":[{},null,1],"
                    "\"lists\":[[{}]],\"map\":{\"k\":{\"e\":[]}}}",
                    "{\"a\":1,\"b\":\"x\",\"c\":" CHILD ",\"d\":{\"e\":[1,2],"
                    "\"f\":{\"g\":3,\"h\":true}},\"list\":[" CHILD ",null,1],"
                    "\"lists\":[[" CHILD "]],\"map\":{\"k\":{\"e\":[],"
                    "\"f\":{\"g\":5,\"h\":true}}}}");
    assert_defaults("{\"c\":1,\"list\":{},\"map\":[]}",
                    "{\"a\":1,\"b\":\"x\",\"c\":1,\"d\":" CHILD
                    ",\"list\":{},\"map\":[]}");
    teardown();
}

TEST(defaults_that_never_end_are_refused)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *root;

    setup();
    assert_int_equal(apply("{}", 4, &root, &err), YL_ETOODEEP);
    yl_error_clear(&err);
    teardown();
}

TEST(defaults_that_are_not_json_are_our_fault)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *root;

    setup();
    assert_int_equal(apply("{}", 5, &root, &err), YL_EINTERNAL);
    assert_string_equal(err.message, "the default of Broken.x is not JSON");
    yl_error_clear(&err);
    teardown();
}
