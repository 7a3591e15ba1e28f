/* Tests of patterns. */

#include "schema/pattern.h"

#include "unit.h"
#include "yuloh/error.h"

TEST(patterns_match_anywhere)
{
    static const struct {
        const char *pattern, *text;
        int match;
    } cases[] = {
        { "^[a-z]+$", "abc", 1 }, { "^[a-z]+$", "a\n", 0 },
        { "^[a-z]+$", "", 0 },    { "b", "abc", 1 },
        { "b", "ac", 0 },         { "^\\p{L}+$", "\xc3\xa4", 1 },
        { "(?i)^A$", "a", 1 },    { "^\\d{3}$", "123", 1 },
        { "", "x", 1 },
    };
    struct yl_patterns *patterns = yl_patterns_new();
    size_t i, round;

    for (round = 0; round < 2; round++) {
        for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            assert_int_equal(yl_patterns_match(patterns,
                                               yl_str_c(cases[i].pattern),
                                               yl_str_c(cases[i].text), NULL),
                             cases[i].match);
        }
    }
    assert_int_equal(yl_patterns_match(patterns, YL_STR("^$"), yl_str_null(),
                                       NULL), 1);
    yl_patterns_free(patterns);
}

/* A class of all letters has a thousand instructions. */
TEST(patterns_of_a_client_may_not_take_for_ever)
{
    struct yl_patterns *patterns = yl_patterns_new_limited(50000);
    struct yl_error err = YL_ERROR_INIT;
    int i, r = 0;

    for (i = 0; i < 100 && r == 0; i++) {
        char text[32];

        snprintf(text, sizeof text, "^\\pL{20}%d$", i);
        r = yl_patterns_match(patterns, yl_str_c(text), YL_STR(""), &err);
    }
    assert_in_range(i, 2, 10);
    assert_int_equal(r, YL_EINVALID);
    assert_non_null(strstr(yl_error_message(&err), "expression too large"));
    yl_error_clear(&err);

    /* Those that were compiled are still there. */
    assert_int_equal(yl_patterns_match(patterns, YL_STR("^\\pL{20}0$"),
                                       YL_STR(""), NULL), 0);
    yl_patterns_free(patterns);
}

TEST(what_is_no_pattern_is_refused_in_gos_words)
{
    static const struct {
        const char *pattern, *message;
    } cases[] = {
        { "(", "error parsing regexp: missing closing ): `(`" },
        { "(?=x)",
          "error parsing regexp: invalid or unsupported Perl syntax: `(?=`" },
        { "[a", "error parsing regexp: missing closing ]: `[a`" },
        { "[z-a]",
          "error parsing regexp: invalid character class range: `z-a`" },
        { "*", "error parsing regexp: missing argument to repetition "
               "operator: `*`" },
        { "a**", "error parsing regexp: invalid nested repetition operator: "
                 "`**`" },
        { "\\8", "error parsing regexp: invalid escape sequence: `\\8`" },
        { "a{1001}", "error parsing regexp: invalid repeat count: "
                     "`{1001}`" },
        { "(?P<n", "error parsing regexp: invalid named capture: `(?P<n`" },
        { "\xff", "error parsing regexp: invalid UTF-8: ``" },
    };
    struct yl_patterns *patterns = yl_patterns_new();
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct yl_error err = YL_ERROR_INIT;

        assert_int_equal(yl_patterns_match(patterns,
                                           yl_str_c(cases[i].pattern),
                                           YL_STR("x"), &err), YL_EINVALID);
        assert_string_equal(err.message, cases[i].message);
        yl_error_clear(&err);
    }
    yl_patterns_free(patterns);
}

TEST(patterns_that_would_take_too_much_are_refused)
{
    struct yl_patterns *patterns = yl_patterns_new();

    assert_int_equal(yl_patterns_match(
        patterns, YL_STR("((((a{100}){100}){100}){100})"), YL_STR("a"), NULL),
        YL_EINVALID);
    yl_patterns_free(patterns);
}

TEST(patterns_come_back_when_there_were_too_many)
{
    struct yl_patterns *patterns = yl_patterns_new();
    unsigned round, i;

    for (round = 0; round < 2; round++) {
        for (i = 0; i < YL_PATTERN_CACHE + 2; i++) {
            char text[16];
            int n = snprintf(text, sizeof text, "x%u", i);

            assert_int_equal(yl_patterns_match(patterns,
                                               yl_str_n(text, (size_t) n),
                                               yl_str_n(text, (size_t) n),
                                               NULL), 1);
        }
    }
    yl_patterns_free(patterns);
}
