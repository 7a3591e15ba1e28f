/* Tests of json/yaml.c. */

#include "yuloh/yaml.h"

#include "base/buf.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/json.h"

static struct yl_arena *arena;

/* The documents of 'text' as JSON, one a line, and the error, if any. */
static void
check_stream(const char *text, const struct yl_yaml_opts *opts,
             const char *want)
{
    struct yl_yaml_stream stream = yl_yaml_stream(yl_str_c(text));
    struct yl_error err = YL_ERROR_INIT;
    struct yl_str json;
    struct yl_buf buf;
    int r;

    yl_buf_init(&buf, 4096);
    arena = yl_arena_new();
    while ((r = yl_yaml_next_json(&stream, arena, opts, &json, &err)) != 0) {
        if (r < 0) {
            assert_int_equal(err.code, r);
            yl_buf_append_c(&buf, yl_error_message(&err));
            yl_error_clear(&err);
        } else {
            assert_int_equal(r, 1);
            yl_buf_append_str(&buf, json);
        }
        yl_buf_append_char(&buf, '\n');
    }
    assert_str_equal(yl_buf_str(&buf), want);
    yl_arena_free(arena);
    yl_buf_release(&buf);
}

TEST(converts_both_ways)
{
    struct yl_str text;

    arena = yl_arena_new();
    assert_int_equal(yl_yaml_to_json(arena, YL_STR("b: yes\na: [1]\n"), NULL,
                                     &text, NULL), 0);
    assert_str_equal(text, "{\"b\":true,\"a\":[1]}");
    assert_int_equal(yl_yaml_from_json(arena, text, &text, NULL), 0);
    assert_str_equal(text, "a:\n- 1\nb: true\n");
    assert_int_equal(yl_yaml_to_json(arena, YL_STR(""), NULL, &text, NULL),
                     0);
    assert_str_equal(text, "null");
    yl_arena_free(arena);
}

TEST(refuses_what_is_broken)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_str text = YL_STR("untouched");

    arena = yl_arena_new();
    assert_int_equal(yl_yaml_to_json(arena, YL_STR("a: ["), NULL, &text,
                                     &err), YL_ESYNTAX);
    assert_int_equal(err.code, YL_ESYNTAX);
    assert_int_equal(yl_yaml_from_json(arena, YL_STR("{a: 1}"), &text, &err),
                     YL_ESYNTAX);
    assert_str_equal(text, "untouched");
    yl_error_clear(&err);
    yl_arena_free(arena);
}

TEST(indentation_cannot_grow_without_bound)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_str text;
    struct yl_buf buf;
    int i;

    yl_buf_init(&buf, 1 << 20);
    for (i = 0; i < 900; i++) {
        yl_buf_append_c(&buf, "{\"a\":");
    }
    yl_buf_append_char(&buf, '[');
    for (i = 0; i < 40000; i++) {
        yl_buf_append_c(&buf, "1,");
    }
    yl_buf_append_c(&buf, "1]");
    for (i = 0; i < 900; i++) {
        yl_buf_append_char(&buf, '}');
    }
    arena = yl_arena_new();
    assert_int_equal(yl_yaml_from_json(arena, yl_buf_str(&buf), &text, &err),
                     YL_ETOOBIG);
    assert_string_equal(yl_error_message(&err), "yaml: the YAML would be "
                        "larger than 67108864 bytes");
    yl_error_clear(&err);
    yl_arena_free(arena);
    yl_buf_release(&buf);
}

TEST(a_stream_has_many_documents)
{
    check_stream("", NULL, "");
    check_stream("a: 1", NULL, "{\"a\":1}\n");
    check_stream("---\na: 1\n---\nb: 2\n", NULL, "{\"a\":1}\n{\"b\":2}\n");
    check_stream("a: 1\r\n---\r\nb: 2\r\n", NULL, "{\"a\":1}\n{\"b\":2}\n");
    check_stream("--- # first\na: 1\n---  \n- b\n", NULL,
                 "{\"a\":1}\n[\"b\"]\n");
    check_stream("a: |\n  ---\n  x\n", NULL, "{\"a\":\"---\\nx\\n\"}\n");
    check_stream("a: 1\n...\nb: 2\n---\nc: 3", NULL,
                 "{\"a\":1}\n{\"c\":3}\n");
    check_stream("a: &x 1\n---\nb: *x", NULL, "{\"a\":1}\n"
                 "document 2: yaml: line 3: unknown anchor 'x' referenced\n");
}

TEST(empty_documents_are_skipped)
{
    check_stream("---\n---\n\n---\n# nothing\n---\nnull\n---\n~\n---\na: 1\n"
                 "---\n", NULL, "{\"a\":1}\n");
    check_stream("\n\n", NULL, "");
    check_stream("---", NULL, "");
}

TEST(an_error_names_the_document_and_the_line)
{
    check_stream("a: 1\n---\nb: [\n---\nc: 3\n", NULL,
                 "{\"a\":1}\n"
                 "document 2: yaml: line 4: did not find expected node "
                 "content\n"
                 "{\"c\":3}\n");
}

TEST(a_separator_bears_only_a_comment)
{
    check_stream("a: 1\n---x\nb: 2\n", NULL,
                 "line 2: invalid Yaml document separator: x\n");
    check_stream("--- {a: 1}\n", NULL,
                 "line 1: invalid Yaml document separator: {a: 1}\n");
}

TEST(json_in_a_stream_stays_as_it_is)
{
    struct yl_yaml_opts strict = { .refuse_duplicates = true };

    check_stream(" {\"a\" : \"\\ud83d\\ude00\"}\n", NULL,
                 "{\"a\" : \"\\ud83d\\ude00\"}\n");
    check_stream("--- # x\n{\"a\" : \"\\ud83d\\ude00\"}\n---\n{\"a\":1e400}",
                 NULL, "{\"a\" : \"\\ud83d\\ude00\"}\n{\"a\":1e400}\n");
    check_stream("---{\"a\":1}", NULL,
                 "line 1: invalid Yaml document separator: {\"a\":1}\n");
    check_stream("{a: 1}\n---\n{\"b\":1}", NULL, "{\"a\":1}\n{\"b\":1}\n");
    check_stream("{\"a\":1,\"a\":2}", NULL, "{\"a\":1,\"a\":2}\n");
    check_stream("{\"a\":1,\"a\":2}", &strict,
                 "document 1: yaml: unmarshal errors:\n"
                 "  line 1: key \"a\" already set in map\n");
}

TEST(json_in_a_stream_beyond_a_ceiling_is_an_error)
{
    struct yl_yaml_opts opts = { .max_depth = 3 };
    struct yl_buf text;
    int i;

    /* As YAML such a number would be a string. */
    yl_buf_init(&text, 1 << 20);
    yl_buf_append_c(&text, "{\"a\":");
    for (i = 0; i < 2000; i++) {
        yl_buf_append_char(&text, '1');
    }
    yl_buf_append_c(&text, "}\n---\n{\"b\":1}\n");
    check_stream(yl_buf_c_str(&text), NULL,
                 "document 1: number has 2000 bytes, the limit is 1024\n"
                 "{\"b\":1}\n");
    yl_buf_release(&text);
    check_stream("{\"a\":[[[1]]]}", &opts,
                 "document 1: exceeded max depth of 3\n");
}

TEST(a_stream_lends_slices_of_its_text)
{
    static const char text[] = "a: 1\n--- # c\nb: 2\n";
    struct yl_yaml_stream stream = yl_yaml_stream(yl_str_c(text));
    struct yl_str document;

    assert_int_equal(yl_yaml_next(&stream, &document, NULL), 1);
    assert_str_equal(document, "a: 1\n");
    assert_ptr_equal(document.data, text);
    assert_int_equal(stream.number, 1);
    assert_int_equal(stream.line, 1);
    assert_int_equal(yl_yaml_next(&stream, &document, NULL), 1);
    assert_str_equal(document, "--- # c\nb: 2\n");
    assert_int_equal(stream.number, 2);
    assert_int_equal(stream.line, 2);
    assert_int_equal(yl_yaml_next(&stream, &document, NULL), 0);
    assert_int_equal(yl_yaml_next(&stream, &document, NULL), 0);
}
