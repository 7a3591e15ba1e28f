/* Tests of builtin/workloads/cron.h. */

#include "builtin/workloads/cron.h"

#include "unit.h"

static void
check(const char *schedule, const char *message)
{
    struct yl_error err = YL_ERROR_INIT;
    int r = yl_cron_check(yl_str_c(schedule), &err);

    if (!message) {
        if (r < 0) {
            fail_msg("%s: %s", schedule, yl_error_message(&err));
        }
    } else {
        assert_int_equal(r, YL_EINVALID);
        assert_string_equal(yl_error_message(&err), message);
    }
    yl_error_clear(&err);
}

TEST(schedules_that_are_fine)
{
    check("* * * * *", NULL);
    check("*/5 0-23/2 1,15 jan-dec MON", NULL);
    check("  0 0 ? * 0,6 ", NULL);
    check("@every 1h30m", NULL);
    check("@midnight", NULL);
    check("@hourly", NULL);
    check("5/10 * * * *", NULL);
    check("TZ=UTC * * * * *", NULL);
}

TEST(what_is_wrong_is_said_as_upstream_says_it)
{
    check("", "empty spec string");
    check("* * * *", "expected exactly 5 fields, found 4: [* * * *]");
    check("* * * * * *", "expected exactly 5 fields, found 6: [* * * * * *]");
    check(" *\t *\n*", "expected exactly 5 fields, found 3: [* * *]");
    check("60 * * * *", "end of range (60) above maximum (59): 60");
    check("* * 0 * *", "beginning of range (0) below minimum (1): 0");
    check("9-5 * * * *", "beginning of range (9) beyond end of range (5): "
                         "9-5");
    check("1-2-3 * * * *", "too many hyphens: 1-2-3");
    check("1/2/3 * * * *", "too many slashes: 1/2/3");
    check("*/0 * * * *",
          "step of range should be a positive number: */0");
    check("x * * * *", "failed to parse int from x: strconv.Atoi: parsing "
                       "\"x\": invalid syntax");
    check("99999999999999999999 * * * *",
          "failed to parse int from 99999999999999999999: strconv.Atoi: "
          "parsing \"99999999999999999999\": value out of range");
    check("*/-1 * * * *", "negative number (-1) not allowed: -1");
    check("@never", "unrecognized descriptor: @never");
    check("@every x", "failed to parse duration @every x: time: invalid "
                      "duration \"x\"");
    check("TZ=UTC", "invalid schedule format: runtime error: slice bounds "
                    "out of range [:-1]");
}

TEST(time_zones_are_looked_up)
{
    char name[300];

    assert_true(yl_time_zone_exists(YL_STR("UTC")));
    memset(name, 'x', sizeof name);
    if (yl_time_zone_exists(YL_STR("No/Such/Zone"))) {
        skip();                 /* There are none on this system. */
    }
    assert_false(yl_time_zone_exists(yl_str_n(name, sizeof name)));
    check("CRON_TZ=No/Zone * * * * *",
          "provided bad location No/Zone: unknown time zone No/Zone");
}
