/* Tests of strategic merge patches, with upstream's results and words. */

#include "schema/strategic.h"

#include "json/tree.h"
#include "schema/normalize.h"
#include "schema_set.h"
#include "unit.h"
#include "yuloh/api/apps_v1.h"
#include "yuloh/api/core_v1.h"
#include "yuloh/api/networking_v1.h"
#include "yuloh/api/policy_v1.h"
#include "yuloh/api/rbac_v1.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/gvk.h"
#include "yuloh/scheme.h"

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
    assert_error("{\"spec\":{}}", "{\"spec\":{\"$patch\":null}}",
                 YL_EINTERNAL,
                 "unknown patch type: %!s(<nil>) in map: map[$patch:<nil>]");
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
    assert_error(a, "{\"$setElementOrder/items\":[{\"name\":\"a\"},5]}",
                 YL_EINTERNAL, "value for key 1 is not a map");
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

/* Patches that kube-apiserver took or refused
 * =========================================== */

struct replay {
    struct yl_arena *arena;
    struct yl_scheme *scheme;
    struct yl_node *objects;    /* As last answered, by path. */
    size_t n_same, n_refused, n_other;
};

static struct yl_str
text_of(struct replay *replay, const struct yl_node *object, const char *key)
{
    struct yl_str s = YL_STR("");

    yl_node_string(yl_node_get(object, yl_str_c(key)), replay->arena, &s);
    return s;
}

/* Is all of 'a' in 'b', lists with as many elements in the same order?  What
 * 'b' has beyond that are defaults. */
static bool
is_within(const struct yl_node *a, const struct yl_node *b)
{
    const struct yl_node *x, *y;

    if (!a || !b || a->type != b->type) {
        return false;
    }
    if (a->type == YL_JSON_OBJECT) {
        YL_NODE_FOR_EACH (x, a) {
            if (!is_within(x, yl_node_get(b, yl_node_key(x)))) {
                return false;
            }
        }
        return true;
    }
    if (a->type == YL_JSON_ARRAY) {
        for (x = a->first, y = b->first; x && y; x = x->next, y = y->next) {
            if (!is_within(x, y)) {
                return false;
            }
        }
        return !x && !y;
    }
    return yl_node_equal(a, b);
}

/* Compares what a patch may change and a server leaves alone. */
static bool
is_same(const struct yl_node *ours, const struct yl_node *theirs)
{
    static const char *const members[] = {
        "spec", "data", "rules", "stringData", "type", "immutable",
    };
    static const char *const metas[] = { "labels", "annotations",
                                         "finalizers" };
    const struct yl_node *meta = yl_node_get(ours, YL_STR("metadata"));
    const struct yl_node *other = yl_node_get(theirs, YL_STR("metadata"));
    size_t i;

    for (i = 0; i < sizeof members / sizeof members[0]; i++) {
        struct yl_str name = yl_str_c(members[i]);

        if (yl_node_get(ours, name)
            && !is_within(yl_node_get(ours, name),
                          yl_node_get(theirs, name))) {
            return false;
        }
    }
    for (i = 0; i < sizeof metas / sizeof metas[0]; i++) {
        struct yl_str name = yl_str_c(metas[i]);

        if (yl_node_get(meta, name)
            && !is_within(yl_node_get(meta, name),
                          yl_node_get(other, name))) {
            return false;
        }
    }
    return true;
}

/* Puts a time where the recording says only that there was one. */
static void
put_times(struct yl_arena *a, struct yl_node *node)
{
    struct yl_node *child, *next;

    YL_NODE_FOR_EACH_SAFE (child, next, node) {
        if (yl_node_string_is(child, YL_STR("<time>"))) {
            yl_node_replace(child, yl_node_new_string(
                a, YL_STR("2026-01-02T03:04:05Z")));
        } else {
            put_times(a, child);
        }
    }
}

/* Patches whose outcome needs more than the patch. */
static bool
needs_server(const char *patch)
{
    static const char *const fragments[] = {
        "{\"name\":\"https\",\"port\":443}", /* Defaults of targetPort, */
        "{\"$patch\":\"replace\"},{\"port\":90}",   /* twice. */
        "\"ExternalName\"",       /* Gives its addresses back. */
        "\"podCIDRs\":[\"fd00",    /* Cannot be changed. */
        "\"stringData\"",         /* Moves into data. */
    };
    size_t i;

    for (i = 0; i < sizeof fragments / sizeof fragments[0]; i++) {
        if (strstr(patch, fragments[i])) {
            return true;
        }
    }
    return false;
}

static void
replay_patch(struct replay *replay, const struct yl_node *step,
             struct yl_node *old, int64_t status, struct yl_node *answer)
{
    const struct yl_node *patch = yl_node_get(step, YL_STR("body"));
    struct yl_node *root = yl_node_copy(replay->arena, old);
    struct yl_error err = YL_ERROR_INIT;
    const struct yl_kind *kind;
    struct yl_gvk gvk;
    int r;

    if (yl_gvk_parse(text_of(replay, old, "apiVersion"),
                     text_of(replay, old, "kind"), &gvk, NULL) < 0) {
        return;
    }
    kind = yl_scheme_find(replay->scheme, gvk.group, gvk.version, gvk.kind);
    if (!kind) {
        return;
    }
    r = yl_strategic_apply(replay->arena, yl_kind_type(kind), &root, patch,
                           &err);
    if (status == 200) {
        if (r == 0) {
            put_times(replay->arena, root);
            r = yl_normalize(replay->arena, yl_kind_type(kind), root, NULL,
                             &err);
        }
        if (r < 0 || !is_same(root, answer)) {
            struct yl_buf buf;

            yl_buf_init(&buf, SIZE_MAX);
            yl_node_write(&buf, patch);
            if (!needs_server(yl_buf_c_str(&buf))) {
                print_message("%s: %s\n", yl_buf_c_str(&buf),
                              r < 0 ? err.message : "another result");
                replay->n_other++;
            }
            yl_buf_release(&buf);
        } else {
            replay->n_same++;
        }
    } else if (status == 500 && r < 0) {
        assert_true(yl_str_equal_c(text_of(replay, answer, "message"),
                                   err.message)
                    || !yl_node_get(answer, YL_STR("message")));
        replay->n_refused++;
    }
    yl_error_clear(&err);
}

/* The object that an answer shows.  One that keeps only some members has them
 * by pointer, "/spec": they are put into the last one that was shown. */
static struct yl_node *
object_of(struct replay *replay, const struct yl_node *old,
          const struct yl_node *answer)
{
    struct yl_node *object, *target;
    const struct yl_node *member;

    if (!answer->first || yl_node_key(answer->first).data[0] != '/' || !old) {
        return yl_node_copy(replay->arena, answer);
    }
    object = yl_node_copy(replay->arena, old);
    YL_NODE_FOR_EACH (member, answer) {
        struct yl_str name = yl_str_skip(yl_node_key(member), 1);
        struct yl_str parent;

        target = object;
        if (yl_str_cut(name, '/', &parent, &name)) {
            target = yl_node_get(object, parent);
        }
        if (member->type != YL_JSON_NULL
            && yl_node_type(target) == YL_JSON_OBJECT
            && !yl_str_find_char(name, '/')) {
            yl_node_set(replay->arena, target, name,
                        yl_node_copy(replay->arena, member));
        }
    }
    return object;
}

static void
replay_step(struct replay *replay, const struct yl_node *step)
{
    const struct yl_node *expect = yl_node_get(step, YL_STR("expect"));
    const struct yl_node *answer = yl_node_get(expect, YL_STR("body"));
    struct yl_str type = text_of(replay, yl_node_get(step, YL_STR("headers")),
                                 "Content-Type");
    struct yl_str do_ = text_of(replay, step, "do");
    struct yl_str path = text_of(replay, step, "path");
    struct yl_node *old, *object;
    int64_t status = 0;

    yl_node_int64(yl_node_get(expect, YL_STR("status")), &status);
    if (strstr(yl_arena_strdup(replay->arena, text_of(replay, step, "query")),
               "dryRun")
        || yl_str_ends_with(path, YL_STR("/status")) || !answer
        || (status != 200 && status != 201 && status != 500)) {
        return;
    }
    if (yl_str_ends_with(path, YL_STR("/scale"))) {
        /* What became of the object itself is not shown. */
        path.size -= 6;
        yl_node_remove(replay->objects, path);
        return;
    }
    if (yl_str_equal_c(do_, "POST")) {
        path = yl_str_c(yl_arena_printf(
            replay->arena, "%.*s/%.*s", YL_STR_ARG(path),
            YL_STR_ARG(text_of(replay, yl_node_get(
                answer, YL_STR("metadata")), "name"))));
    }
    old = yl_node_get(replay->objects, path);
    object = object_of(replay, old, answer);
    if (old && yl_str_equal_c(do_, "PATCH")
        && yl_str_equal_c(type, "application/strategic-merge-patch+json")
        && yl_node_get(step, YL_STR("body"))) {
        replay_patch(replay, step, old, status, object);
    }
    if (status != 500) {
        yl_node_set(replay->arena, replay->objects, path, object);
    }
}

TEST(recorded_patches_give_the_recorded_objects)
{
    const char *path = truth_path("recorded/patches.json");
    struct replay replay = { yl_arena_new(), yl_scheme_new(), NULL, 0, 0, 0 };
    struct yl_node *root, *scenario, *step;
    size_t size;
    char *text = read_file(path, &size);

    assert_int_equal(core_v1_add_to_scheme(replay.scheme), 0);
    assert_int_equal(apps_v1_add_to_scheme(replay.scheme), 0);
    assert_int_equal(networking_v1_add_to_scheme(replay.scheme), 0);
    assert_int_equal(policy_v1_add_to_scheme(replay.scheme), 0);
    assert_int_equal(rbac_v1_add_to_scheme(replay.scheme), 0);
    assert_int_equal(yl_tree_parse(replay.arena, yl_str_n(text, size), NULL,
                                   &root, NULL), 0);
    YL_NODE_FOR_EACH (scenario, root) {
        replay.objects = yl_node_new_object(replay.arena);
        YL_NODE_FOR_EACH (step, yl_node_get(scenario, YL_STR("steps"))) {
            replay_step(&replay, step);
        }
    }
    print_message("%zu the same, %zu refused, %zu other\n", replay.n_same,
                  replay.n_refused, replay.n_other);
    assert_true(replay.n_same >= 60);
    assert_true(replay.n_refused >= 6);
    assert_int_equal(replay.n_other, 0);
    yl_scheme_free(replay.scheme);
    yl_arena_free(replay.arena);
    free(text);
}
