/* Tests of known_tokens.c. */

#include "apiserver/auth/known_tokens.h"

#include <string.h>

#include "unit.h"

static void
add(struct yl_known_tokens *tokens, const char *text)
{
    struct yl_known_token *token = yl_known_token_new(yl_str_c(text));

    yl_known_tokens_add(tokens, token, yl_known_tokens_generation(tokens));
    yl_known_token_unref(token);
}

static bool
is_known(struct yl_known_tokens *tokens, const char *text)
{
    struct yl_known_token *token = yl_known_tokens_find(tokens,
                                                        yl_str_c(text));
    bool known = token != NULL;

    yl_known_token_unref(token);
    return known;
}

TEST(a_token_is_found_by_its_text)
{
    struct yl_known_tokens *tokens = yl_known_tokens_new(10);

    assert_false(is_known(tokens, "a"));
    add(tokens, "a");
    add(tokens, "a");
    assert_true(is_known(tokens, "a"));
    assert_false(is_known(tokens, "b"));
    assert_false(is_known(tokens, ""));
    yl_known_tokens_free(tokens);
}

TEST(the_one_that_was_not_used_for_longest_goes_first)
{
    struct yl_known_tokens *tokens = yl_known_tokens_new(3);

    add(tokens, "a");
    add(tokens, "b");
    add(tokens, "c");
    assert_true(is_known(tokens, "a"));
    add(tokens, "d");
    assert_true(is_known(tokens, "a"));
    assert_false(is_known(tokens, "b"));
    assert_true(is_known(tokens, "c"));
    assert_true(is_known(tokens, "d"));
    yl_known_tokens_free(tokens);
}

/* Else a thousand tokens with long lists of audiences take 300 MB. */
TEST(a_large_token_is_not_kept)
{
    struct yl_known_tokens *tokens = yl_known_tokens_new(3);
    char text[YL_KNOWN_TOKEN_MAX + 2] = { 0 };

    memset(text, 'a', YL_KNOWN_TOKEN_MAX);
    add(tokens, text);
    assert_true(is_known(tokens, text));
    text[YL_KNOWN_TOKEN_MAX] = 'a';
    add(tokens, text);
    assert_false(is_known(tokens, text));
    yl_known_tokens_free(tokens);
}

TEST(nothing_from_before_a_clear_is_found_after_it)
{
    struct yl_known_tokens *tokens = yl_known_tokens_new(3);
    uint64_t before = yl_known_tokens_generation(tokens);
    struct yl_known_token *token = yl_known_token_new(YL_STR("b"));

    add(tokens, "a");
    yl_known_tokens_clear(tokens);
    assert_false(is_known(tokens, "a"));
    yl_known_tokens_add(tokens, token, before);
    assert_false(is_known(tokens, "b"));
    yl_known_tokens_add(tokens, token, yl_known_tokens_generation(tokens));
    assert_true(is_known(tokens, "b"));
    yl_known_token_unref(token);
    yl_known_tokens_free(tokens);
}

TEST(a_token_that_is_forgotten_stays_for_those_who_hold_it)
{
    struct yl_known_tokens *tokens = yl_known_tokens_new(3);
    struct yl_known_token *token;

    add(tokens, "a");
    token = yl_known_tokens_find(tokens, YL_STR("a"));
    yl_known_tokens_free(tokens);
    assert_str_equal(token->text, "a");
    yl_known_token_unref(token);
}
