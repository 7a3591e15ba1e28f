/* Tests of the tree: nodes, lookups and changes. */

#include "json/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "unit.h"
#include "yuloh/error.h"

static struct yl_arena arena;

/* Parses a text in which ' stands for ". */
static struct yl_node *
tree(const char *text)
{
    char *copy = yl_arena_strdup(&arena, yl_str_c(text));
    struct yl_node *root;
    char *p;

    for (p = copy; *p; p++) {
        if (*p == '\'') {
            *p = '"';
        }
    }
    assert_int_equal(yl_tree_parse(&arena, yl_str_c(copy), NULL, &root, NULL),
                     0);
    return root;
}

/* All links of the tree must agree with each other. */
static void
check_links(const struct yl_node *node)
{
    const struct yl_node *child;
    const struct yl_node *last = NULL;
    size_t n = 0;

    YL_NODE_FOR_EACH (child, node) {
        assert_ptr_equal(child->parent, node);
        if (last) {
            assert_ptr_equal(child->prev, last);
        }
        if (node->type == YL_JSON_OBJECT) {
            assert_ptr_equal(yl_node_get(node, yl_node_key(child)), child);
        } else {
            assert_ptr_equal(yl_node_at(node, n), child);
        }
        if (!child->raw_data) {
            assert_null(node->raw_data);
        }
        check_links(child);
        last = child;
        n++;
    }
    assert_int_equal(node->n, n);
    if (n) {
        assert_ptr_equal(node->first->prev, last);
    }
}

/* The tree must be written as 'expected', with ' for ". */
static void
assert_written(const struct yl_node *node, const char *expected)
{
    struct yl_buf buf;
    char *p;

    check_links(node);
    yl_buf_init(&buf, 1 << 20);
    yl_node_write(&buf, node);
    for (p = buf.data; p < buf.data + buf.size; p++) {
        if (*p == '"') {
            *p = '\'';
        }
    }
    assert_str_equal(yl_buf_str(&buf), expected);
    yl_buf_release(&buf);
}

TEST(parse_builds_what_is_written)
{
    struct yl_node *root, *node;
    bool flag = false;
    struct yl_str s;
    int64_t i = 0;
    double d = 0;

    yl_arena_init(&arena);
    root = tree(" { 'n' : null , 't' : true , 'f' : false , 'i' : -12 ,"
                " 'd' : 1.5e1 , 's' : 'text' , 'e' : 'a\\nb' ,"
                " 'a' : [ 1 , 2 ] , 'o' : { } } ");
    check_links(root);
    assert_int_equal(root->type, YL_JSON_OBJECT);
    assert_int_equal(root->n, 9);
    assert_null(root->parent);

    assert_int_equal(yl_node_type(yl_node_get(root, YL_STR("n"))),
                     YL_JSON_NULL);
    assert_int_equal(yl_node_bool(yl_node_get(root, YL_STR("t")), &flag), 0);
    assert_true(flag);
    assert_int_equal(yl_node_bool(yl_node_get(root, YL_STR("f")), &flag), 0);
    assert_false(flag);
    assert_int_equal(yl_node_int64(yl_node_get(root, YL_STR("i")), &i), 0);
    assert_int_equal(i, -12);
    node = yl_node_get(root, YL_STR("d"));
    assert_int_equal(yl_node_double(node, &d), 0);
    assert_true(d == 15);
    assert_int_equal(yl_node_int64(node, &i), YL_ERANGE);
    assert_int_equal(yl_node_number(node, &s), 0);
    assert_str_equal(s, "1.5e1");
    assert_int_equal(yl_node_string(yl_node_get(root, YL_STR("s")), &arena,
                                    &s), 0);
    assert_str_equal(s, "text");
    assert_int_equal(yl_node_string(yl_node_get(root, YL_STR("e")), &arena,
                                    &s), 0);
    assert_str_equal(s, "a\nb");
    assert_true(yl_node_string_is(yl_node_get(root, YL_STR("e")),
                                  YL_STR("a\nb")));
    assert_false(yl_node_string_is(yl_node_get(root, YL_STR("e")),
                                   YL_STR("a\\nb")));
    node = yl_node_get(root, YL_STR("a"));
    assert_int_equal(yl_node_int64(yl_node_at(node, 1), &i), 0);
    assert_int_equal(i, 2);
    assert_null(yl_node_at(node, 2));
    assert_int_equal(yl_node_get(root, YL_STR("o"))->n, 0);
    yl_arena_release(&arena);
}

TEST(strings_without_escapes_point_into_the_text)
{
    static const char text[] = "[\"plain\"]";
    struct yl_node *root;
    struct yl_str s;

    yl_arena_init(&arena);
    assert_int_equal(yl_tree_parse(&arena, yl_str_c(text), NULL, &root, NULL),
                     0);
    assert_int_equal(yl_node_string(root->first, NULL, &s), 0);
    assert_ptr_equal(s.data, text + 2);
    yl_arena_release(&arena);
}

TEST(reading_takes_null_and_other_types)
{
    struct yl_node *root, *string;
    bool flag = true;
    struct yl_str s = YL_STR("before");
    int64_t i = 7;
    double d = 7;

    yl_arena_init(&arena);
    root = tree("{'s':'x'}");
    string = root->first;
    assert_int_equal(yl_node_type(NULL), YL_JSON_NONE);
    assert_null(yl_node_get(NULL, YL_STR("a")));
    assert_null(yl_node_get(string, YL_STR("a")));
    assert_null(yl_node_get(root, YL_STR("none")));
    assert_null(yl_node_at(NULL, 0));
    assert_null(yl_node_at(root, 0));
    assert_int_equal(yl_node_bool(NULL, &flag), YL_ETYPE);
    assert_int_equal(yl_node_bool(string, &flag), YL_ETYPE);
    assert_int_equal(yl_node_int64(NULL, &i), YL_ETYPE);
    assert_int_equal(yl_node_int64(string, &i), YL_ETYPE);
    assert_int_equal(yl_node_double(string, &d), YL_ETYPE);
    assert_int_equal(yl_node_number(string, &s), YL_ETYPE);
    assert_int_equal(yl_node_string(NULL, &arena, &s), YL_ETYPE);
    assert_int_equal(yl_node_string(root, &arena, &s), YL_ETYPE);
    assert_false(yl_node_string_is(NULL, YL_STR("x")));
    assert_false(yl_node_string_is(root, YL_STR("x")));
    assert_true(flag && i == 7 && d == 7);
    assert_str_equal(s, "before");
    yl_arena_release(&arena);
}

TEST(an_untouched_tree_is_its_bytes)
{
    yl_arena_init(&arena);
    assert_written(tree(" {  'a' :1.50 , 'b' : [ ] } "),
                   "{  'a' :1.50 , 'b' : [ ] }");
    assert_written(tree(" 5 "), "5");
    yl_arena_release(&arena);
}

TEST(a_change_is_forgotten_by_nobody_above)
{
    struct yl_node *root, *inner;

    yl_arena_init(&arena);
    root = tree("{ 'keep' : { 'x' : 1 }, 'a' : [ { 'b' : { 'c' : 1 } }, "
                "{ 'd' : 2 } ] }");
    inner = yl_node_get(yl_node_get(root, YL_STR("a"))->first, YL_STR("b"));
    yl_node_set(&arena, inner, YL_STR("new"), yl_node_new_bool(&arena, true));
    assert_written(root, "{'keep':{ 'x' : 1 },'a':[{'b':{'c':1,'new':true}},"
                   "{ 'd' : 2 }]}");

    /* And again, in what is without bytes already. */
    yl_node_set(&arena, inner, YL_STR("c"), yl_node_new_null(&arena));
    assert_written(root, "{'keep':{ 'x' : 1 },'a':[{'b':{'c':null,'new':true}"
                   "},{ 'd' : 2 }]}");
    yl_arena_release(&arena);
}

TEST(members_keep_their_place)
{
    struct yl_node *root, *old;

    yl_arena_init(&arena);
    root = tree("{'a':1,'b':2,'c':3}");
    old = yl_node_set(&arena, root, YL_STR("b"), yl_node_new_int64(&arena, 9));
    assert_non_null(old);
    assert_null(old->parent);
    assert_null(old->next);
    assert_written(old, "2");
    assert_null(yl_node_set(&arena, root, YL_STR("d"),
                            yl_node_new_int64(&arena, 4)));
    assert_written(root, "{'a':1,'b':9,'c':3,'d':4}");
    yl_arena_release(&arena);
}

TEST(the_key_of_a_new_member_is_copied)
{
    struct yl_node *root;
    char key[] = "key";

    yl_arena_init(&arena);
    root = yl_node_new_object(&arena);
    yl_node_set(&arena, root, yl_str_c(key), yl_node_new_null(&arena));
    key[0] = 'x';
    assert_written(root, "{'key':null}");
    yl_arena_release(&arena);
}

TEST(the_last_of_repeated_members_wins_in_the_first_ones_place)
{
    yl_arena_init(&arena);
    assert_written(tree("{'a':1,'b':2,'a':3}"), "{'a':3,'b':2}");
    assert_written(tree("{'a':{'x':1,'y':2},'b':2,'a':'s'}"),
                   "{'a':'s','b':2}");
    assert_written(tree("{'a':'s\\n','b':2,'a':true}"), "{'a':true,'b':2}");
    assert_written(tree("{'a':true,'a':[1]}"), "{'a':[1]}");
    assert_written(tree("{'a':[1],'a':{'b':1}}"), "{'a':{'b':1}}");
    assert_written(tree("{'a':1,'\\u0061':2}"), "{'a':2}");
    assert_written(tree("[ {'a':1} , [ {'a':1,'a': 2} ] ]"),
                   "[{'a':1},[{'a':2}]]");
    assert_written(tree("{'o':{'a':1,'a':2},'o':{ 'b' : 1 }}"),
                   "{'o':{ 'b' : 1 }}");
    yl_arena_release(&arena);
}

struct duplicates {
    unsigned n;
    char keys[64];
    size_t n_before;            /* Members that the object had. */
};

static void
note_duplicate(void *aux, const struct yl_node *object, struct yl_str key)
{
    struct duplicates *seen = aux;
    size_t size = strlen(seen->keys);

    seen->n++;
    seen->n_before = object->n;
    snprintf(seen->keys + size, sizeof seen->keys - size, "%.*s;",
             YL_STR_ARG(key));
}

TEST(repeated_members_are_reported_or_refused)
{
    struct duplicates seen = { 0, "", 0 };
    struct yl_tree_opts opts = {
        .limits = { .refuse_duplicates = true },
    };
    struct yl_str text = YL_STR("{\"a\":1,\"b\":{\"c\":1,\"d\":2,\"c\":3},"
                                "\"a\":2}");
    struct yl_node *root = NULL;

    yl_arena_init(&arena);
    assert_int_equal(yl_tree_parse(&arena, text, &opts, &root, NULL),
                     YL_EDUPLICATE);
    assert_null(root);
    assert_int_equal(yl_json_validate(text, &opts.limits, NULL),
                     YL_EDUPLICATE);
    assert_int_equal(yl_json_validate(text, NULL, NULL), 0);
    opts.on_duplicate = note_duplicate;
    opts.aux = &seen;
    assert_int_equal(yl_tree_parse(&arena, text, &opts, &root, NULL), 0);
    assert_int_equal(seen.n, 2);
    assert_string_equal(seen.keys, "c;a;");
    assert_int_equal(seen.n_before, 2);
    assert_written(root, "{'a':2,'b':{'c':3,'d':2}}");
    yl_arena_release(&arena);
}

TEST(a_repeated_member_is_named)
{
    static const struct yl_json_limits strict = { .refuse_duplicates = true };
    struct yl_error err = YL_ERROR_INIT;
    char text[2000];

    assert_int_equal(yl_json_validate(YL_STR("{\"a\":{\"\\n\":1,\"\\n\":2}}"),
                                      &strict, &err), YL_EDUPLICATE);
    assert_string_equal(yl_error_message(&err), "member \"\\n\" is repeated");
    snprintf(text, sizeof text, "{\"%0500d\":1,\"%0500d\":2}", 0, 0);
    assert_int_equal(yl_json_validate(yl_str_c(text), &strict, &err),
                     YL_EDUPLICATE);
    assert_true(strlen(yl_error_message(&err)) < 200);
    yl_error_clear(&err);
}

TEST(keys_with_broken_escapes_are_malformed_not_repeated)
{
    static const struct yl_json_limits strict = { .refuse_duplicates = true };

    assert_int_equal(yl_json_validate(YL_STR("{\"\\x\":1,\"\\x\":2}"), &strict,
                                      NULL), YL_ESYNTAX);
    assert_int_equal(yl_json_validate(YL_STR("{\"a\\x\":1,\"a\\x\":2}"),
                                      &strict, NULL), YL_ESYNTAX);
}

TEST(new_nodes_are_written_canonically)
{
    struct yl_node *array;

    yl_arena_init(&arena);
    array = yl_node_new_array(&arena);
    assert_written(array, "[]");
    assert_written(yl_node_new_object(&arena), "{}");
    yl_node_append(array, yl_node_new_null(&arena));
    yl_node_append(array, yl_node_new_bool(&arena, true));
    yl_node_append(array, yl_node_new_bool(&arena, false));
    yl_node_append(array, yl_node_new_int64(&arena, INT64_MIN));
    yl_node_append(array, yl_node_new_double(&arena, 1e21));
    yl_node_append(array, yl_node_new_number(&arena, YL_STR("1.50")));
    yl_node_append(array, yl_node_new_string(&arena, YL_STR("")));
    yl_node_append(array, yl_node_new_string(&arena, yl_str_null()));
    yl_node_append(array, yl_node_new_string(&arena, YL_STR("a\nb")));
    assert_written(array, "[null,true,false,-9223372036854775808,1e+21,1.50,"
                   "'','','a\\nb']");
    assert_true(yl_node_string_is(array->first->prev, YL_STR("a\nb")));
    assert_true(yl_node_string_is(array->first->prev->prev, YL_STR("")));
    yl_arena_release(&arena);
}

TEST(elements_are_inserted_anywhere)
{
    struct yl_node *array;

    yl_arena_init(&arena);
    array = tree("[1]");
    yl_node_insert(array, 0, yl_node_new_int64(&arena, 0));
    yl_node_insert(array, 2, yl_node_new_int64(&arena, 3));
    yl_node_insert(array, 2, yl_node_new_int64(&arena, 2));
    yl_node_append(array, yl_node_new_int64(&arena, 4));
    assert_written(array, "[0,1,2,3,4]");
    yl_arena_release(&arena);
}

TEST(nodes_are_detached_from_every_place)
{
    static const char *const left[] = { "[1,2]", "[0,2]", "[0,1]" };
    size_t i;

    yl_arena_init(&arena);
    for (i = 0; i < 3; i++) {
        struct yl_node *array = tree("[ 0, 1, 2 ]");
        struct yl_node *node = yl_node_detach(yl_node_at(array, i));

        assert_null(node->parent);
        assert_null(node->next);
        assert_null(node->prev);
        assert_ptr_equal(yl_node_detach(node), node);
        assert_written(array, left[i]);
        yl_node_append(array, node);
        check_links(array);
        while (array->n) {
            yl_node_detach(array->first);
        }
        assert_written(array, "[]");
        assert_null(array->first);
    }
    yl_arena_release(&arena);
}

TEST(nodes_are_replaced_in_every_place)
{
    static const char *const then[] = {
        "{'a':9,'b':1,'c':2}", "{'a':0,'b':9,'c':2}", "{'a':0,'b':1,'c':9}",
    };
    static const char *const keys[] = { "a", "b", "c" };
    size_t i;

    yl_arena_init(&arena);
    for (i = 0; i < 3; i++) {
        struct yl_node *object = tree("{ 'a':0, 'b':1, 'c':2 }");
        struct yl_node *old = yl_node_get(object, yl_str_c(keys[i]));

        yl_node_replace(old, yl_node_new_int64(&arena, 9));
        assert_null(old->parent);
        assert_written(object, then[i]);
    }
    assert_written(tree("[5]"), "[5]");
    yl_arena_release(&arena);
}

TEST(members_are_removed)
{
    struct yl_node *object;

    yl_arena_init(&arena);
    object = tree("{ 'a' : 0, 'b' : 1 }");
    assert_false(yl_node_remove(object, YL_STR("none")));
    assert_written(object, "{ 'a' : 0, 'b' : 1 }");
    assert_true(yl_node_remove(object, YL_STR("a")));
    assert_false(yl_node_remove(object, YL_STR("a")));
    assert_written(object, "{'b':1}");
    yl_arena_release(&arena);
}

TEST(children_are_reordered)
{
    struct yl_node *object, *order[3];

    yl_arena_init(&arena);
    object = tree("{'a':0,'b':1,'c':2}");
    order[0] = yl_node_get(object, YL_STR("c"));
    order[1] = yl_node_get(object, YL_STR("a"));
    order[2] = yl_node_get(object, YL_STR("b"));
    yl_node_reorder(object, order, 3);
    assert_written(object, "{'c':2,'a':0,'b':1}");
    object = yl_node_new_object(&arena);
    yl_node_reorder(object, NULL, 0);
    assert_written(object, "{}");
    yl_arena_release(&arena);
}

TEST(a_loop_may_detach_its_child)
{
    struct yl_node *array, *child, *next;

    yl_arena_init(&arena);
    array = tree("[1,null,2,null,null,3]");
    YL_NODE_FOR_EACH_SAFE (child, next, array) {
        if (child->type == YL_JSON_NULL) {
            yl_node_detach(child);
        }
    }
    assert_written(array, "[1,2,3]");
    yl_arena_release(&arena);
}

TEST(a_copy_is_its_own)
{
    struct yl_node *root, *copy;

    yl_arena_init(&arena);
    root = tree("{ 'a' : [ 1 , { 'b\\n' : 'c\\t' } ] }");
    copy = yl_node_copy(&arena, yl_node_get(root, YL_STR("a")));
    assert_null(copy->parent);
    assert_written(copy, "[ 1 , { 'b\\n' : 'c\\t' } ]");
    yl_node_append(copy, yl_node_new_null(&arena));
    yl_node_remove(yl_node_at(copy, 1), YL_STR("b\n"));
    assert_written(copy, "[1,{},null]");
    assert_written(root, "{ 'a' : [ 1 , { 'b\\n' : 'c\\t' } ] }");
    yl_arena_release(&arena);
}

TEST(a_large_copy_finds_its_members)
{
    struct yl_node *root, *copy;
    int i;

    yl_arena_init(&arena);
    root = yl_node_new_object(&arena);
    for (i = 0; i < 1000; i++) {
        yl_node_set(&arena, root,
                    yl_str_c(yl_arena_printf(&arena, "%d", i)),
                    yl_node_new_int64(&arena, i));
    }
    copy = yl_node_copy(&arena, root);
    check_links(copy);
    assert_true(yl_node_equal(root, copy));
    yl_node_remove(copy, YL_STR("500"));
    assert_non_null(yl_node_get(root, YL_STR("500")));
    assert_false(yl_node_equal(root, copy));
    yl_arena_release(&arena);
}

TEST(equal_compares_values)
{
    static const struct {
        const char *a;
        const char *b;
        bool equal;
    } cases[] = {
        { "null", "null", true },
        { "null", "false", false },
        { "true", "true", true },
        { "true", "false", false },
        { "1", "1.0", true },
        { "1", "1e0", true },
        { "100", "1E+2", true },
        { "0", "-0.0", true },
        { "1", "2", false },
        { "1", "'1'", false },
        { "9007199254740993", "9007199254740992", false },
        { "1e400", "1e400", true },
        { "1e400", "2e400", false },
        { "'a'", "'a'", true },
        { "'a'", "'b'", false },
        { "'a'", "'\\u0061'", true },
        { "'\\u0061\\n'", "'a\\u000a'", true },
        { "'\\u0061\\n'", "'a\\u000b'", false },
        { "'a\\n'", "'an'", false },
        { "[]", "[]", true },
        { "[]", "{}", false },
        { "[1,2]", "[1,2.0]", true },
        { "[1,2]", "[2,1]", false },
        { "[1,2]", "[1]", false },
        { "[1]", "[1,2]", false },
        { "{'a':1,'b':[{}]}", "{ 'b':[{}], 'a':1e0 }", true },
        { "{'a':1}", "{'a':2}", false },
        { "{'a':1}", "{'b':1}", false },
        { "{'a':1}", "{'a':1,'b':2}", false },
        { "{'a':null}", "{'b':null}", false },
        { "{'\\u0061':1}", "{'a':1}", true },
    };
    size_t i;

    yl_arena_init(&arena);
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_node *a = tree(cases[i].a);
        struct yl_node *b = tree(cases[i].b);

        assert_int_equal(yl_node_equal(a, b), cases[i].equal);
        assert_int_equal(yl_node_equal(b, a), cases[i].equal);
        assert_true(yl_node_equal(a, a));
        assert_false(yl_node_equal(a, NULL));
        assert_false(yl_node_equal(NULL, b));
    }
    assert_true(yl_node_equal(NULL, NULL));
    yl_arena_release(&arena);
}

TEST(random_changes_keep_the_links)
{
    struct yl_node *root, *node;
    unsigned seed = 7;
    int i;

    yl_arena_init(&arena);
    root = tree("{'a':[1,2,3],'o':{'x':1}}");
    for (i = 0; i < 3000; i++) {
        struct yl_node *array = yl_node_get(root, YL_STR("a"));
        struct yl_node *object = yl_node_get(root, YL_STR("o"));
        unsigned what;
        char key[16];

        seed = seed * 1103515245u + 12345u;
        what = seed >> 16;
        snprintf(key, sizeof key, "k%u", what / 8 % 64);
        switch (what % 8) {
        case 0:
        case 1:
            yl_node_insert(array, what / 8 % (array->n + 1),
                           yl_node_new_int64(&arena, i));
            break;
        case 2:
            if (array->n) {
                yl_node_detach(yl_node_at(array, what / 8 % array->n));
            }
            break;
        case 3:
            if (array->n) {
                yl_node_replace(yl_node_at(array, what / 8 % array->n),
                                yl_node_new_null(&arena));
            }
            break;
        case 4:
        case 5:
            yl_node_set(&arena, object, yl_str_c(key),
                        yl_node_new_int64(&arena, i));
            assert_non_null(yl_node_get(object, yl_str_c(key)));
            break;
        case 6:
            yl_node_remove(object, yl_str_c(key));
            assert_null(yl_node_get(object, yl_str_c(key)));
            break;
        default:
            node = yl_node_get(object, yl_str_c(key));
            if (node) {
                yl_node_replace(node, yl_node_new_array(&arena));
            }
            break;
        }
        if (i % 16 == 0) {
            check_links(root);
        }
    }
    check_links(root);
    yl_arena_release(&arena);
}

TEST(what_was_empty_is_remembered)
{
    struct yl_node *root, *copy;

    yl_arena_init(&arena);
    assert_int_equal(yl_tree_parse(&arena, YL_STR("{\"a\":[],\"b\":{},"
                                                  "\"c\":1}"),
                                   NULL, &root, NULL), 0);
    assert_null(yl_node_emptied(root, YL_STR("a")));
    assert_null(yl_node_emptied(NULL, YL_STR("a")));
    yl_node_empty_out(yl_node_get(root, YL_STR("a")));
    yl_node_empty_out(yl_node_get(root, YL_STR("b")));
    assert_int_equal(root->n, 1);
    assert_null(yl_node_get(root, YL_STR("a")));
    copy = yl_node_copy(&arena, root);
    assert_int_equal(yl_node_type(yl_node_emptied(copy, YL_STR("a"))),
                     YL_JSON_ARRAY);
    assert_int_equal(yl_node_type(yl_node_emptied(copy, YL_STR("b"))),
                     YL_JSON_OBJECT);
    assert_null(yl_node_emptied(copy, YL_STR("c")));
    check_links(root);
    yl_arena_release(&arena);
}

static size_t
resident(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    char line[256] = "";
    char *second;

    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    second = strchr(line, ' ');
    assert_non_null(second);
    return strtoul(second, NULL, 10) * (size_t) sysconf(_SC_PAGESIZE);
}

/* What an account says of a tree is what the process grows by. */
TEST(a_tree_takes_what_it_is_charged_for)
{
    struct yl_account account = { .ceiling = SIZE_MAX };
    struct yl_arena *own = yl_arena_new();
    struct yl_node *root;
    struct yl_buf text;
    size_t before, grown;

    yl_buf_init(&text, SIZE_MAX);
    for (int i = 0; i < 200000; i++) {
        yl_buf_append_c(&text, i ? ",{}" : "[{}");
    }
    yl_buf_append_char(&text, ']');
    yl_arena_set_account(own, &account);
    before = resident();
    assert_int_equal(yl_tree_parse(own, yl_buf_str(&text), NULL, &root,
                                   NULL), 0);
    grown = resident() - before;
    assert_true(account.used >= 200000 * sizeof *root);
    assert_true(grown <= account.used + account.used / 2);
    assert_true(account.used <= grown + grown / 2);
    yl_arena_free(own);
    assert_int_equal(account.used, 0);

    /* With less it stops there. */
    account.ceiling = 1 << 20;
    account.peak = 0;
    own = yl_arena_new();
    yl_arena_set_account(own, &account);
    assert_int_equal(yl_tree_parse(own, yl_buf_str(&text), NULL, &root,
                                   NULL), YL_ETOOBIG);
    assert_true(account.peak <= account.ceiling + (256 << 10));
    yl_arena_free(own);
    yl_buf_release(&text);
}

TEST(an_opaque_object_is_written_as_its_text)
{
    struct yl_arena *memory = yl_arena_new();
    struct yl_node *root = yl_node_new_object(memory), *copy;
    struct yl_buf text;

    yl_node_set(memory, root, YL_STR("a"),
                yl_node_new_opaque(memory, YL_STR("{\"x\":{\"y\":1}}")));
    copy = yl_node_copy(memory, root);
    yl_buf_init(&text, SIZE_MAX);
    yl_node_write(&text, root);
    assert_int_equal(yl_node_write_canonical(&text, copy), 0);
    assert_string_equal(yl_buf_c_str(&text),
                        "{\"a\":{\"x\":{\"y\":1}}}{\"a\":{\"x\":{\"y\":1}}}");
    yl_buf_release(&text);
    yl_arena_free(memory);
}
