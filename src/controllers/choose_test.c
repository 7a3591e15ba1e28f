/* Tests of choose.c. */

#include "controllers/choose.h"

#include "unit.h"
#include "yuloh/error.h"

#define A "serviceaccount-controller"
#define B "serviceaccount-token-controller"

TEST(the_first_word_that_names_a_controller_counts)
{
    static const struct {
        const char *words[3];
        size_t n;
        bool a, b;
    } cases[] = {
        { { NULL }, 0, true, true },
        { { "*" }, 1, true, true },
        { { "-*" }, 1, false, false },
        { { A }, 1, true, false },
        { { "serviceaccount" }, 1, true, false },
        { { "*", "-" A }, 2, false, true },
        { { "-serviceaccount", "*" }, 2, false, true },
        { { "-" A, A, "*" }, 3, false, true },
        { { A, "-" A }, 2, true, false },
        { { "-*", B }, 2, false, true },
        { { "ttl" }, 1, false, false },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        assert_int_equal(yl_controllers_is_chosen(cases[i].words, cases[i].n,
                                                  A), cases[i].a);
        assert_int_equal(yl_controllers_is_chosen(cases[i].words, cases[i].n,
                                                  B), cases[i].b);
        assert_int_equal(yl_controllers_check_names(cases[i].words,
                                                    cases[i].n, NULL), 0);
    }
}

TEST(unknown_names_are_refused)
{
    static const char *const words[] = { "*", "-odd" };
    static const char *const empty[] = { "" };
    struct yl_error err = YL_ERROR_INIT;

    assert_int_equal(yl_controllers_check_names(words, 2, &err), YL_EINVALID);
    assert_string_equal(yl_error_message(&err),
                        "\"odd\" is not in the list of known controllers");
    assert_int_equal(yl_controllers_check_names(empty, 1, NULL), YL_EINVALID);
    yl_error_clear(&err);
}
