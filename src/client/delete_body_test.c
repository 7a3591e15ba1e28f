/* DeleteOptions. */

#include "client/delete_body.h"

#include "unit.h"

#define HEAD "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\","

TEST(what_is_asked_for_is_written)
{
    static const int64_t zero;
    static const struct {
        struct yl_delete_opts options;
        bool dry_run;
        const char *want;
    } cases[] = {
        { { .propagation = YL_PROPAGATION_DEFAULT }, false, "" },
        { { .propagation = YL_PROPAGATION_DEFAULT }, true,
          HEAD "\"dryRun\":[\"All\"]}" },
        { { .grace_period_seconds = &zero }, false,
          HEAD "\"gracePeriodSeconds\":0}" },
        { { .uid = YL_STR_INIT("u\"") }, false,
          HEAD "\"preconditions\":{\"uid\":\"u\\\"\"}}" },
        { { .resource_version = YL_STR_INIT("7") }, false,
          HEAD "\"preconditions\":{\"resourceVersion\":\"7\"}}" },
        { { .uid = YL_STR_INIT("u"), .resource_version = YL_STR_INIT("7"),
            .grace_period_seconds = &zero,
            .propagation = YL_PROPAGATION_FOREGROUND }, true,
          HEAD "\"gracePeriodSeconds\":0,\"preconditions\":{\"uid\":\"u\","
          "\"resourceVersion\":\"7\"},\"propagationPolicy\":\"Foreground\","
          "\"dryRun\":[\"All\"]}" },
        { { .propagation = YL_PROPAGATION_ORPHAN }, false,
          HEAD "\"propagationPolicy\":\"Orphan\"}" },
        { { .propagation = YL_PROPAGATION_BACKGROUND }, false,
          HEAD "\"propagationPolicy\":\"Background\"}" },
    };
    struct yl_buf out;
    size_t i;

    yl_buf_init(&out, 1 << 16);
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_call_opts opts = { .dry_run = cases[i].dry_run };

        yl_buf_clear(&out);
        yl_delete_body_write(&out, &cases[i].options, &opts);
        assert_str_equal(yl_buf_str(&out), cases[i].want);
    }
    yl_buf_clear(&out);
    yl_delete_body_write(&out, NULL, NULL);
    assert_str_equal(yl_buf_str(&out), "");
    yl_buf_release(&out);
}
