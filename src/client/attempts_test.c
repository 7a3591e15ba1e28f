/* Which requests are sent again. */

#include "client/attempts.h"

#include "unit.h"
#include "yuloh/compiler.h"

TEST(what_client_go_retries_is_retried)
{
    static const struct {
        struct yl_attempt attempt;
        yl_msec wait;           /* -1: final. */
    } cases[] = {
        { { .http_status = 429, .retry_after = YL_STR_INIT("2") }, 2000 },
        { { .http_status = 500, .retry_after = YL_STR_INIT("0") }, 0 },
        { { .http_status = 503, .retry_after = YL_STR_INIT("60") }, 60000 },

        /* More than a minute is for the caller's queue. */
        { { .http_status = 503, .retry_after = YL_STR_INIT("61") }, -1 },
        { { .http_status = 429 }, -1 },
        { { .http_status = 503 }, -1 },
        { { .http_status = 503, .retry_after = YL_STR_INIT("soon") }, -1 },
        { { .http_status = 404, .retry_after = YL_STR_INIT("1") }, -1 },
        { { .http_status = 200, .retry_after = YL_STR_INIT("1") }, -1 },
        { { .http_status = 409, .retry_after = YL_STR_INIT("1") }, -1 },
        { { .broken = true, .idempotent = true }, 1000 },
        { { .broken = true }, -1 },
        { { .idempotent = true }, -1 },

        /* It broke, but after the answer had come. */
        { { .http_status = 200, .broken = true, .idempotent = true }, -1 },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_attempts attempts;
        yl_msec wait = -1;

        yl_attempts_init(&attempts, 0);
        assert_int_equal(yl_attempts_next(&attempts, &cases[i].attempt,
                                          &wait), cases[i].wait >= 0);
        assert_int_equal(wait, cases[i].wait);
    }
}

static int
count(int max_retries)
{
    struct yl_attempt attempt = {
        .http_status = 429, .retry_after = YL_STR("1"),
    };
    struct yl_attempts attempts;
    yl_msec wait;
    int n = 0;

    yl_attempts_init(&attempts, max_retries);
    while (n < 100 && yl_attempts_next(&attempts, &attempt, &wait)) {
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
