/* Tests of strategic merge patches, with upstream's results and words. */

#include "schema/strategic.h"

#include "json/tree.h"
#include "schema_set.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static const char types_text[] =
    "type Root\n"
    "name omit : string\n"
    "n omit : int64\n"
    "labels omit : {} string\n"
    "items omit merge=name : [] Item\n"
    "nokey omit merge : [] Item\n"
    "atoms omit : [] Item\n"
    "set omit merge : [] string\n"
    "plain omit : [] string\n"
    "lists omit merge=name : [] [] string\n"
    "spec omit : Spec\n"
    "strategy omit retainKeys : Spec\n"
    "swap omit replace : Spec\n"
    "raw omit : raw\n"
    "scalar omit : string\n"
    "pointer pointer : Spec\n"
    "type Item\n"
    "name : string\n"
    "value omit : string\n"
    "ports omit merge=port : [] Port\n"
    "tags omit merge : [] string\n"
    "type Port\n"
    "port : int32\n"
    "host omit : string\n"
    "type Spec\n"
    "a omit : int64\n"
    "b omit : int64\n"
    "deep omit : Spec\n"
    "names omit merge : [] string\n";

static struct schema_set *types;
static struct yl_arena *arena;

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

static int
apply(const char *original, const char *patch, struct yl_node **root,
      struct yl_error *err)
{
    struct yl_node *tree;
    struct yl_buf before, after;
    int r;

    assert_int_equal(yl_tree_parse(arena, yl_str_c(original), NULL, root,
                                   NULL), 0);
    assert_int_equal(yl_tree_parse(arena, yl_str_c(patch), NULL, &tree, NULL),
                     0);
    yl_buf_init(&before, SIZE_MAX);
    yl_buf_init(&after, SIZE_MAX);
    yl_node_write(&before, tree);
    r = yl_strategic_apply(arena, schema_set_type(types, 1), root, tree, err);
    yl_node_write(&after, tree);

    /* The patch is never changed. */
    assert_true(yl_str_equal(yl_buf_str(&before), yl_buf_str(&after)));
    yl_buf_release(&before);
    yl_buf_release(&after);
    return r;
}

static void
assert_merged(const char *original, const char *patch, const char *want)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *root;
    struct yl_buf buf;

    if (apply(original, patch, &root, &err) < 0) {
        fail_msg("%s", err.message);
    }
    yl_buf_init(&buf, SIZE_MAX);
    yl_node_write(&buf, root);
    assert_str_equal(yl_buf_str(&buf), want);
    yl_buf_release(&buf);
}

static void
assert_error(const char *original, const char *patch, int code,
             const char *message)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *root;

    assert_int_equal(apply(original, patch, &root, &err), code);
    assert_string_equal(err.message, message);
    yl_error_clear(&err);
}

TEST(objects_are_merged)
{
    setup();
    assert_merged("{\"name\":\"a\",\"labels\":{\"x\":\"1\",\"y\":\"2\"}}",
                  "{\"labels\":{\"x\":null,\"z\":\"3\"},\"n\":1}",
                  "{\"name\":\"a\",\"labels\":{\"y\":\"2\",\"z\":\"3\"},"
                  "\"n\":1}");
    assert_merged("{\"spec\":{\"a\":1,\"deep\":{\"a\":2,\"b\":3}}}",
                  "{\"spec\":{\"deep\":{\"a\":null},\"b\":null}}",
                  "{\"spec\":{\"a\":1,\"deep\":{\"b\":3}}}");
    assert_merged("{\"plain\":[\"a\"],\"atoms\":[{\"name\":\"a\"}]}",
                  "{\"plain\":[\"b\"],\"atoms\":[{\"value\":\"b\"}]}",
                  "{\"plain\":[\"b\"],\"atoms\":[{\"value\":\"b\"}]}");
    assert_merged("{\"swap\":{\"a\":1}}", "{\"swap\":{\"b\":2}}",
                  "{\"swap\":{\"b\":2}}");
    assert_merged("{\"scalar\":\"a\"}", "{\"scalar\":{\"x\":null,\"y\":1}}",
                  "{\"scalar\":{\"y\":1}}");
    teardown();
}

TEST(what_is_not_named_keeps_its_bytes)
{
    setup();
    assert_merged("{ \"name\" : \"a\", \"spec\": { \"a\": 1.0 },\"n\":1}",
                  "{\"n\":2}",
                  "{\"name\":\"a\",\"spec\":{ \"a\": 1.0 },\"n\":2}");
    teardown();
}

TEST(new_objects_lose_nulls_and_directives)
{
    setup();
    assert_merged("{}", "{\"spec\":{\"a\":null,\"b\":1,"
                        "\"deep\":{\"$patch\":\"replace\",\"a\":1}}}",
                  "{\"spec\":{\"b\":1}}");
    assert_merged("{}", "{\"spec\":{\"$patch\":\"delete\"}}", "{}");
    assert_merged("{}", "{\"items\":[{\"name\":\"a\",\"$patch\":\"delete\"},"
                        "{\"name\":\"b\",\"value\":null}]}",
                  "{\"items\":[{\"name\":\"b\"}]}");
    /* Elements that are new to a list do not. */
    assert_merged("{\"items\":[{\"name\":\"a\"}]}",
                  "{\"items\":[{\"name\":\"b\",\"value\":null}]}",
                  "{\"items\":[{\"name\":\"b\",\"value\":null},"
                  "{\"name\":\"a\"}]}");
    teardown();
}

TEST(directives_replace_and_delete_objects)
{
    setup();
    assert_merged("{\"spec\":{\"a\":1}}",
                  "{\"spec\":{\"$patch\":\"replace\",\"b\":2}}",
                  "{\"spec\":{\"b\":2}}");
    assert_merged("{\"spec\":{\"a\":1}}", "{\"spec\":{\"$patch\":\"delete\"}}",
                  "{\"spec\":{}}");
    assert_merged("{\"n\":1}", "{\"$patch\":\"replace\",\"name\":\"b\"}",
                  "{\"name\":\"b\"}");
    assert_merged("{\"n\":1}", "{\"$patch\":\"delete\"}", "{}");
    assert_error("{}", "{\"$patch\":\"x\",\"n\":1}", YL_EINTERNAL,
                 "unknown patch type: x in map: map[$patch:x n:1]");
    assert_error("{\"spec\":{}}", "{\"spec\":{\"$patch\":5}}", YL_EINTERNAL,
                 "unknown patch type: %!s(int64=5) in map: map[$patch:5]");
    teardown();
}

TEST(lists_are_merged_by_key)
{
    setup();
    assert_merged("{\"items\":[{\"name\":\"a\",\"value\":\"1\"},"
                  "{\"name\":\"b\"}]}",
                  "{\"items\":[{\"name\":\"c\"},{\"name\":\"a\","
                  "\"value\":\"2\"}]}",
                  "{\"items\":[{\"name\":\"c\"},{\"name\":\"a\","
                  "\"value\":\"2\"},{\"name\":\"b\"}]}");
    assert_merged("{\"items\":[{\"name\":\"a\",\"ports\":[{\"port\":1},"
                  "{\"port\":2}]}]}",
                  "{\"items\":[{\"name\":\"a\",\"ports\":[{\"port\":2,"
                  "\"host\":\"h\"}]}]}",
                  "{\"items\":[{\"name\":\"a\",\"ports\":[{\"port\":1},"
                  "{\"port\":2,\"host\":\"h\"}]}]}");
    /* The second of the patch meets the first of the patch. */
    assert_merged("{\"items\":[]}",
                  "{\"items\":[{\"name\":\"a\"},{\"name\":\"a\","
                  "\"value\":\"x\"}]}",
                  "{\"items\":[{\"name\":\"a\",\"value\":\"x\"}]}");
    teardown();
}

TEST(elements_are_deleted_and_lists_replaced)
{
    setup();
    assert_merged("{\"items\":[{\"name\":\"a\"},{\"name\":\"b\"},"
                  "{\"name\":\"a\"}]}",
                  "{\"items\":[{\"$patch\":\"delete\",\"name\":\"a\"},"
                  "{\"$patch\":\"delete\",\"name\":\"z\"}]}",
                  "{\"items\":[{\"name\":\"b\"}]}");
    assert_merged("{\"items\":[{\"name\":\"a\"}]}",
                  "{\"items\":[{\"$patch\":\"replace\"},{\"name\":\"b\"}]}",
                  "{\"items\":[{\"name\":\"b\"}]}");
    assert_merged("{\"items\":[{\"name\":\"a\"}]}",
                  "{\"items\":[{\"$patch\":\"replace\"}]}", "{\"items\":[]}");
    assert_error("{\"items\":[{\"name\":\"a\"}]}",
                 "{\"items\":[{\"$patch\":\"delete\"}]}", YL_EINTERNAL,
                 "map: map[$patch:delete] does not contain declared merge "
                 "key: name");
    assert_error("{\"items\":[{\"name\":\"a\"}]}",
                 "{\"items\":[{\"$patch\":\"merge\"}]}", YL_EINTERNAL,
                 "merging lists cannot yet be specified in the patch");
    assert_error("{\"items\":[{\"name\":\"a\"}]}",
                 "{\"items\":[{\"$patch\":\"x\"}]}", YL_EINTERNAL,
                 "unknown patch type: x in map: map[$patch:x]");
    teardown();
}

TEST(lists_of_scalars_are_sets)
{
    setup();
    assert_merged("{\"set\":[\"a\",\"b\",\"a\"]}",
                  "{\"set\":[\"c\",\"b\",\"c\"]}",
                  "{\"set\":[\"c\",\"a\",\"b\"]}");
    assert_merged("{\"set\":[\"a\",\"b\",\"c\"]}",
                  "{\"$deleteFromPrimitiveList/set\":[\"b\",\"x\"]}",
                  "{\"set\":[\"a\",\"c\"]}");
    assert_merged("{\"n\":1}", "{\"$deleteFromPrimitiveList/set\":[\"b\"]}",
                  "{\"n\":1}");
    assert_merged("{\"set\":[\"a\"]}",
                  "{\"$deleteFromPrimitiveList/set\":null}", "{}");
    assert_merged("{\"set\":[]}", "{\"set\":[]}", "{\"set\":[]}");
    assert_error("{}", "{\"$deleteFromPrimitiveListset\":[]}", YL_EBADREQUEST,
                 "invalid patch format of primitive list");
    teardown();
}

TEST(retain_keys_drops_the_others)
{
    setup();
    assert_merged("{\"strategy\":{\"a\":1,\"deep\":{}}}",
                  "{\"strategy\":{\"$retainKeys\":[\"a\",\"b\"],\"b\":2}}",
                  "{\"strategy\":{\"a\":1,\"b\":2}}");
    assert_error("{\"strategy\":{}}",
                 "{\"strategy\":{\"$retainKeys\":[\"a\"],\"b\":2}}",
                 YL_EBADREQUEST, "invalid patch format of retainKeys");
    assert_error("{\"strategy\":{}}", "{\"strategy\":{\"$retainKeys\":1}}",
                 YL_EBADREQUEST, "invalid patch format of retainKeys");
    teardown();
}

TEST(element_order_is_obeyed)
{
    setup();
    assert_merged("{\"items\":[{\"name\":\"a\"},{\"name\":\"b\"},"
                  "{\"name\":\"c\"}]}",
                  "{\"$setElementOrder/items\":[{\"name\":\"c\"},"
                  "{\"name\":\"a\"}]}",
                  "{\"items\":[{\"name\":\"b\"},{\"name\":\"c\"},"
                  "{\"name\":\"a\"}]}");
    assert_merged("{\"items\":[{\"name\":\"a\"},{\"name\":\"s\"}]}",
                  "{\"$setElementOrder/items\":[{\"name\":\"n\"},"
                  "{\"name\":\"a\"}],\"items\":[{\"name\":\"n\"}]}",
                  "{\"items\":[{\"name\":\"n\"},{\"name\":\"a\"},"
                  "{\"name\":\"s\"}]}");
    assert_merged("{\"set\":[\"a\",\"b\"]}",
                  "{\"$setElementOrder/set\":[\"c\",\"b\",\"a\"],"
                  "\"set\":[\"c\"]}",
                  "{\"set\":[\"c\",\"b\",\"a\"]}");
    assert_merged("{}", "{\"$setElementOrder/items\":[{\"name\":\"b\"},"
                        "{\"name\":\"a\"}],\"items\":[{\"name\":\"b\"},"
                        "{\"name\":\"a\"}]}",
                  "{\"items\":[{\"name\":\"b\"},{\"name\":\"a\"}]}");
    assert_merged("{\"items\":[{\"name\":\"a\"},{\"name\":\"b\"}]}",
                  "{\"$setElementOrder/items\":[{\"name\":\"a\"}],"
                  "\"items\":[{\"$patch\":\"delete\",\"name\":\"b\"}]}",
                  "{\"items\":[{\"name\":\"a\"}]}");
    assert_merged("{\"plain\":[\"a\"]}",
                  "{\"$setElementOrder/plain\":[\"c\",\"b\"],"
                  "\"plain\":[\"c\",\"b\"]}", "{\"plain\":[\"c\",\"b\"]}");
    assert_merged("{\"n\":1}", "{\"$setElementOrder/items\":[]}", "{\"n\":1}");
    /* What no order knows comes first, backwards. */
    assert_merged("{}", "{\"$setElementOrder/set\":[],"
                        "\"set\":[\"a\",\"b\",\"c\"]}",
                  "{\"set\":[\"c\",\"b\",\"a\"]}");
    teardown();
}

TEST(wrong_element_orders_are_refused)
{
    static const char a[] = "{\"items\":[{\"name\":\"a\"}]}";

    setup();
    assert_error(a, "{\"$setElementOrder\":[]}", YL_EBADREQUEST,
                 "invalid patch format of setElementOrder list");
    assert_error(a, "{\"$setElementOrder/items\":1}", YL_EINTERNAL,
                 "expected a []interface {}, but received a int64");
    assert_error(a, "{\"$setElementOrder/items\":[{\"name\":\"a\"}],"
                    "\"items\":[{\"name\":\"b\"}]}", YL_EINTERNAL,
                 "The order in patch list:\n[map[name:b]]\n doesn't match "
                 "$setElementOrder list:\n[map[name:a]]\n");
    assert_error(a, "{\"$setElementOrder/items\":[\"a\"],"
                    "\"items\":[{\"name\":\"b\"}]}", YL_EINTERNAL,
                 "expected a map[string]interface {}, but received a string");
    assert_error(a, "{\"$setElementOrder/items\":[{\"name\":\"a\"}],"
                    "\"items\":[\"b\"]}", YL_EINTERNAL,
                 "expected a map[string]interface {}, but received a string");
    assert_error(a, "{\"$setElementOrder/items\":[{\"name\":\"a\"}],"
                    "\"items\":[{}]}", YL_EINTERNAL,
                 "map: map[] does not contain declared merge key: name");
    assert_error(a, "{\"$setElementOrder/items\":[{}]}", YL_EINTERNAL,
                 "map: map[] does not contain declared merge key: name");
    assert_error(a, "{\"$setElementOrder/items\":[],\"items\":{}}",
                 YL_EINTERNAL, "expected a []interface {}, but received a "
                               "map[string]interface {}");
    assert_error("{\"items\":null}", "{\"$setElementOrder/items\":[]}",
                 YL_EINTERNAL,
                 "expected a []interface {}, but received a %!s(<nil>)");
    assert_error("{\"items\":[]}", "{\"$setElementOrder/items\":[]}",
                 YL_EINTERNAL, "no elements in any of the given slices");
    assert_error(a, "{\"$setElementOrder/foo\":[]}", YL_EINTERNAL,
                 "unable to find api field in struct Root for the json field "
                 "\"foo\"");
    teardown();
}

TEST(wrong_lists_are_refused_in_upstreams_words)
{
    setup();
    assert_error("{\"items\":[{\"value\":\"a\"}]}",
                 "{\"items\":[{\"name\":\"a\"}]}", YL_EINTERNAL,
                 "map: map[value:a] does not contain declared merge key: "
                 "name");
    assert_error("{\"items\":[{\"name\":\"a\"}]}", "{\"items\":[{}]}",
                 YL_EINTERNAL,
                 "map: map[] does not contain declared merge key: name");
    assert_error("{\"items\":[{\"name\":\"a\"}]}",
                 "{\"items\":[{\"$patch\":\"replace\"},{}]}", YL_EINTERNAL,
                 "map: map[] does not contain declared merge key: name");
    assert_error("{\"items\":[{\"name\":\"a\"}]}", "{\"items\":[\"a\"]}",
                 YL_EINTERNAL, "list element types are not identical: "
                               "[[map[name:a]] [a]]");
    assert_error("{\"items\":[[\"a\"]]}", "{\"items\":[[\"a\"]]}",
                 YL_EINVALID, "lists of lists are not supported");
    assert_error("{\"nokey\":[{\"name\":\"a\"}]}",
                 "{\"nokey\":[{\"name\":\"a\"}]}", YL_EINTERNAL,
                 "cannot merge lists without merge key for struct");
    assert_error("{\"lists\":[]}", "{\"lists\":[]}", YL_EINTERNAL,
                 "unexpected slice of slice");
    assert_error("{\"scalar\":[]}", "{\"scalar\":[]}", YL_EINTERNAL,
                 "expected slice or array type, but got: struct");
    assert_merged("{\"pointer\":[]}", "{\"pointer\":[1]}",
                  "{\"pointer\":[1]}");
    teardown();
}

TEST(wrong_objects_are_refused_in_upstreams_words)
{
    setup();
    assert_error("{\"foo\":{}}", "{\"foo\":{}}", YL_EINTERNAL,
                 "unable to find api field in struct Root for the json field "
                 "\"foo\"");
    assert_error("{\"labels\":{\"a\":{}}}", "{\"labels\":{\"a\":{}}}",
                 YL_EINTERNAL, "merging an object in json but data type is "
                               "not struct, instead is: map");
    assert_error("{\"raw\":{\"a\":{}}}", "{\"raw\":{\"a\":{}}}",
                 YL_EINTERNAL, "unable to find api field in struct "
                               "RawExtension for the json field \"a\"");
    assert_error("{}", "[]", YL_EBADREQUEST,
                 "json: cannot unmarshal array into Go value of type "
                 "map[string]interface {}");
    teardown();
}

TEST(numbers_are_keys_too)
{
    setup();
    assert_merged("{\"items\":[{\"name\":\"a\",\"ports\":[{\"port\":80}]}]}",
                  "{\"items\":[{\"name\":\"a\",\"ports\":[{\"port\":80.0},"
                  "{\"port\":8e1,\"host\":\"h\"}]}]}",
                  "{\"items\":[{\"name\":\"a\",\"ports\":[{\"port\":8e1,"
                  "\"host\":\"h\"},{\"port\":80}]}]}");
    teardown();
}

TEST(work_has_a_ceiling)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *root, *patch, *items, *ports, *list;
    int64_t i;

    setup();
    yl_tree_parse(arena, YL_STR("{\"items\":[{\"name\":\"a\",\"ports\":[]}]}"),
                  NULL, &root, NULL);
    ports = yl_node_get(yl_node_at(yl_node_get(root, YL_STR("items")), 0),
                        YL_STR("ports"));
    for (i = 0; i < 5000; i++) {
        struct yl_node *port = yl_node_new_object(arena);

        yl_node_set(arena, port, YL_STR("port"), yl_node_new_int64(arena, i));
        yl_node_append(ports, port);
    }
    yl_tree_parse(arena, YL_STR("{\"items\":[]}"), NULL, &patch, NULL);
    list = yl_node_get(patch, YL_STR("items"));
    yl_tree_parse(arena, YL_STR("{\"name\":\"a\",\"ports\":[{\"port\":1}]}"),
                  NULL, &items, NULL);
    for (i = 0; i < 1000; i++) {
        yl_node_append(list, yl_node_copy(arena, items));
    }
    assert_int_equal(yl_strategic_apply(arena, schema_set_type(types, 1),
                                        &root, patch, &err), YL_ETOOBIG);
    yl_error_clear(&err);
    teardown();
}
