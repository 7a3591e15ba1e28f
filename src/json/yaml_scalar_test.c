/* Tests of json/yaml_scalar.c.  What scalars mean is tested in full with the
 * reader and the writer. */

#include "json/yaml_scalar.h"

#include <math.h>

#include "base/buf.h"
#include "unit.h"

TEST(resolves_each_type)
{
    struct yl_yaml_scalar s = yl_yaml_resolve(YL_STR("~"));

    assert_int_equal(s.type, YL_YAML_NULL);
    s = yl_yaml_resolve(YL_STR("on"));
    assert_int_equal(s.type, YL_YAML_BOOL);
    assert_true(s.as.truth);
    s = yl_yaml_resolve(YL_STR("-0x8000000000000000"));
    assert_int_equal(s.type, YL_YAML_INT);
    assert_true(s.as.integer == INT64_MIN);
    s = yl_yaml_resolve(YL_STR("0x8000_0000_0000_0000"));
    assert_int_equal(s.type, YL_YAML_UINT);
    assert_true(s.as.natural == (uint64_t) 1 << 63);
    s = yl_yaml_resolve(YL_STR("-.inf"));
    assert_int_equal(s.type, YL_YAML_FLOAT);
    assert_true(isinf(s.as.real) && s.as.real < 0);
    s = yl_yaml_resolve(YL_STR("08.5"));
    assert_int_equal(s.type, YL_YAML_FLOAT);
    assert_true(s.as.real == 8.5);
    s = yl_yaml_resolve(YL_STR("2001-12-14"));
    assert_int_equal(s.type, YL_YAML_TIME);
    s = yl_yaml_resolve(YL_STR("nil"));
    assert_int_equal(s.type, YL_YAML_STRING);
    assert_str_equal(s.text, "nil");
}

TEST(tells_times)
{
    static const char *const yes[] = {
        "2001-1-2", "2000-02-29", "2001-01-02T3:4:5Z",
        "2001-01-02t3:4:5+01:30",
        "2001-01-02T03:04:05.123456789012Z", "2001-01-02 03:04:05",
        "2001-01-02   3:4:5,5", "0000-01-01", "2001-01-02T03:04:05-24:60",
    };
    static const char *const no[] = {
        "2001", "2001-", "2001-1", "2001-1-", "2001-0-1", "2001-13-1",
        "2001-1-0", "2001-1-32", "2001-4-31", "2001-02-29", "1900-02-29",
        "20011-1-1", "201-1-1", "2001-1-1T", "2001-1-1T1:2:3",
        "2001-1-1T24:0:0Z", "2001-1-1T1:60:0Z", "2001-1-1T1:2:60Z",
        "2001-1-1T1:2:3z", "2001-1-1T1:2:3+1:00", "2001-1-1T1:2:3+25:00",
        "2001-1-1T1:2:3+01:61", "2001-1-1T1:2:3.Z", "2001-1-1 1:2:3Z",
        "2001-1-1 1:2", "2001-1-1x", "2001-1-1 ", "2001-01-011",
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(yes); i++) {
        assert_int_equal(yl_yaml_resolve(yl_str_c(yes[i])).type,
                         YL_YAML_TIME);
    }
    for (i = 0; i < YL_ARRAY_SIZE(no); i++) {
        assert_int_not_equal(yl_yaml_resolve(yl_str_c(no[i])).type,
                             YL_YAML_TIME);
    }
}

TEST(tells_numbers_to_the_base_60)
{
    static const char *const yes[] = { "1:30", "-1:59", "+1_0:5:09",
                                       "190:20:30.15", "1:3." };
    static const char *const no[] = { "", "-", "1", "1:", ":30", "1:60",
                                      "1:30:", "_1:30", "a:30", "1:30.x",
                                      "1:300", "1.5:30" };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(yes); i++) {
        assert_true(yl_yaml_is_base60(yl_str_c(yes[i])));
    }
    for (i = 0; i < YL_ARRAY_SIZE(no); i++) {
        assert_false(yl_yaml_is_base60(yl_str_c(no[i])));
    }
}

TEST(writes_floats_as_go_does)
{
    static const struct {
        double value;
        bool single;
        const char *text;
    } rows[] = {
        { 0, false, "0" }, { -0.0, false, "-0" }, { 1, false, "1" },
        { 0.1, false, "0.1" }, { 0.1, true, "0.1" },
        { 1.0 / 3, false, "0.3333333333333333" },
        { 1.0 / 3, true, "0.33333334" }, { 999999, false, "999999" },
        { 1e6, false, "1e+06" }, { 123456.5, false, "123456.5" },
        { 0.0001, false, "0.0001" }, { 0.00001, false, "1e-05" },
        { 5e-324, false, "5e-324" },
        { 1.7976931348623157e308, false, "1.7976931348623157e+308" },
        { 1e39, true, ".inf" }, { -1e39, true, "-.inf" },
        { 16777217.5, true, "1.6777218e+07" },
        { INFINITY, false, ".inf" }, { NAN, false, ".nan" },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(rows); i++) {
        struct yl_buf buf;

        yl_buf_init(&buf, 64);
        yl_yaml_write_float(&buf, rows[i].value, rows[i].single);
        assert_str_equal(yl_buf_str(&buf), rows[i].text);
        yl_buf_release(&buf);
    }
}
