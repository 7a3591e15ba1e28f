/* Tests of field selectors.  The tables were compared with apimachinery's own
 * answers. */

#include "yuloh/selector.h"

#include "unit.h"
#include "yuloh/arena.h"

static const struct {
    const char *text, *again;
} good[] = {
    { "", "" },
    { ",,", "" },
    { "metadata.name=x", "metadata.name=x" },
    { "a==b", "a=b" },
    { "a!=b", "a!=b" },
    { "b=1,a=2", "a=2,b=1" },
    { "a=", "a=" },
    { "=x", "=x" },
    { "=", "" },
    { "a=1,=,!=", "a=1" },
    { "a=b\\,c", "a=b\\,c" },
    { "a=b\\=c\\\\d", "a=b\\=c\\\\d" },
    { "a\\,b=c", "a\\,b=c" },
    { "a!b=c", "a!b=c" },
    { "a= x ", "a= x " },
    { "a=\xff", "a=\xff" },
    { "a=\xff\\,", "a=\xef\xbf\xbd\\," },
    { "a=\xc3\xa9\\,", "a=\xc3\xa9\\," },
};

TEST(texts_are_read_and_written_in_order)
{
    struct yl_arena *arena = yl_arena_new();
    const struct yl_field_selector *selector;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(good); i++) {
        assert_int_equal(yl_field_selector_parse(yl_str_c(good[i].text),
                                                 arena, &selector, NULL), 0);
        assert_str_equal(yl_field_selector_text(selector, arena),
                         good[i].again);
    }
    yl_arena_free(arena);
}

TEST(malformed_texts_get_upstream_s_messages)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        { "a", "invalid selector: 'a'; can't understand 'a'" },
        { "b=1,a", "invalid selector: 'b=1,a'; can't understand 'a'" },
        { "a=b=c",
          "invalid field selector: unescaped character in value: 61" },
        { "a===", "invalid field selector: unescaped character in value: 61" },
        { "a=\\x", "invalid field selector: invalid escape sequence: \\x" },
        { "a=\\\xc3\xa9",
          "invalid field selector: invalid escape sequence: \\\xc3\xa9" },
        { "a=b\\", "invalid field selector: invalid escape sequence: \\" },
    };
    const struct yl_field_selector *selector = NULL;
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(bad); i++) {
        assert_int_equal(yl_field_selector_parse(yl_str_c(bad[i].text), arena,
                                                 &selector, &err),
                         YL_EINVALID);
        assert_string_equal(yl_error_message(&err), bad[i].message);
    }
    assert_null(selector);
    yl_error_clear(&err);
    yl_arena_free(arena);
}

static struct yl_str
get(void *aux, struct yl_str field)
{
    const struct yl_label *labels = aux;

    for (; labels->key.size; labels++) {
        if (yl_str_equal(labels->key, field)) {
            return labels->value;
        }
    }
    return yl_str_null();
}

TEST(fields_match_as_upstream_says)
{
    static struct yl_label pod[] = {
        { YL_STR_INIT("metadata.name"), YL_STR_INIT("web-0") },
        { YL_STR_INIT("status.phase"), YL_STR_INIT("Running") },
        { YL_STR_INIT(""), YL_STR_INIT("") },
    };
    static const struct {
        const char *text;
        bool matches;
    } cases[] = {
        { "", true },
        { "metadata.name=web-0", true },
        { "metadata.name=web-1", false },
        { "metadata.name!=web-1,status.phase==Running", true },
        { "metadata.name=web-0,status.phase!=Running", false },
        { "spec.nodeName=", true },
        { "spec.nodeName!=", false },
    };
    struct yl_arena *arena = yl_arena_new();
    const struct yl_field_selector *selector;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        assert_int_equal(yl_field_selector_parse(yl_str_c(cases[i].text),
                                                 arena, &selector, NULL), 0);
        assert_int_equal(yl_field_selector_matches(selector, get, pod),
                         cases[i].matches);
    }
    yl_arena_free(arena);
}

TEST(requirements_and_exact_values_can_be_seen)
{
    struct yl_arena *arena = yl_arena_new();
    const struct yl_field_requirement *requirements;
    const struct yl_field_selector *selector;
    struct yl_str value;
    size_t n;

    assert_int_equal(yl_field_selector_parse(YL_STR("b!=1,a=x\\,y,b=2"),
                                             arena, &selector, NULL), 0);
    requirements = yl_field_selector_requirements(selector, &n);
    assert_int_equal(n, 3);
    assert_str_equal(requirements[0].field, "a");
    assert_str_equal(requirements[0].value, "x,y");
    assert_false(requirements[0].negated);
    assert_true(requirements[1].negated);
    assert_true(yl_field_selector_exact_value(selector, YL_STR("b"), &value));
    assert_str_equal(value, "2");
    assert_false(yl_field_selector_exact_value(selector, YL_STR("c"),
                                               &value));
    yl_arena_free(arena);
}

TEST(ceilings_are_ordinary_errors)
{
    size_t size = YL_SELECTOR_MAX_TEXT + 1, i;
    char *text = malloc(size);
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    const struct yl_field_selector *selector;

    assert_non_null(text);
    memset(text, 'a', size);
    assert_int_equal(yl_field_selector_parse(yl_str_n(text, size), arena,
                                             &selector, &err), YL_ETOOBIG);
    assert_int_equal(yl_field_selector_parse(yl_str_n(text, size - 1), arena,
                                             &selector, &err), YL_EINVALID);
    for (i = 0; i < size; i++) {
        text[i] = "a=,"[i % 3];
    }
    assert_int_equal(yl_field_selector_parse(
                         yl_str_n(text, YL_SELECTOR_MAX_REQUIREMENTS * 3 + 1),
                         arena, &selector, &err), YL_ETOOBIG);
    assert_string_equal(yl_error_message(&err),
                        "selector has more than 1024 requirements");
    assert_int_equal(yl_field_selector_parse(
                         yl_str_n(text, YL_SELECTOR_MAX_REQUIREMENTS * 3),
                         arena, &selector, &err), 0);
    yl_error_clear(&err);
    yl_arena_free(arena);
    free(text);
}
