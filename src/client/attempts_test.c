/* Which requests are sent again. */

#include "client/attempts.h"

#include "unit.h"
#include "yuloh/compiler.h"

TEST(what_client_go_retries_is_retried)
{
    static const struct {
        int http_status;
        const char *retry_after;
        yl_msec wait;           /* -1: final. */
    } cases[] = {
        { 429, "2", 2000 },
        { 500, "0", 0 },
        { 503, "60", 60000 },

        /* More than a minute is for the caller's queue. */
        { 503, "61", -1 },
        { 429, NULL, -1 },
        { 503, NULL, -1 },
        { 503, "soon", -1 },
        { 404, "1", -1 },
        { 200, "1", -1 },
        { 409, "1", -1 },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_attempts attempts;
        yl_msec wait = -1;

        yl_attempts_init(&attempts, 0);
        assert_int_equal(yl_attempts_next(&attempts, cases[i].http_status,
                                          yl_str_c(cases[i].retry_after),
                                          &wait), cases[i].wait >= 0);
        assert_int_equal(wait, cases[i].wait);
    }
}

static int
count(int max_retries)
{
    struct yl_attempts attempts;
    yl_msec wait;
    int n = 0;

    yl_attempts_init(&attempts, max_retries);
    while (n < 100
           && yl_attempts_next(&attempts, 429, YL_STR("1"), &wait)) {
        n++;
    }
    return n;
}

TEST(a_request_is_retried_ten_times_at_most)
{
    assert_int_equal(count(0), 10);
    assert_int_equal(count(3), 3);
    assert_int_equal(count(-1), 0);
}
