/* Tests of name validation. */

#include "yuloh/names.h"

#include "unit.h"

#define LABEL_RE "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
#define LABEL                                                                 \
    "a lowercase RFC 1123 label must consist of lower case alphanumeric "     \
    "characters or '-', and must start and end with an alphanumeric "         \
    "character (e.g. 'my-name',  or '123-abc', regex used for validation is " \
    "'" LABEL_RE "')"
#define SUBDOMAIN                                                             \
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric " \
    "characters, '-' or '.', and must start and end with an alphanumeric "    \
    "character (e.g. 'example.com', regex used for validation is '" LABEL_RE  \
    "(\\." LABEL_RE ")*')"
#define LABEL_1035                                                            \
    "a DNS-1035 label must consist of lower case alphanumeric characters or " \
    "'-', start with an alphabetic character, and end with an alphanumeric "  \
    "character (e.g. 'my-name',  or 'abc-123', regex used for validation is " \
    "'[a-z]([-a-z0-9]*[a-z0-9])?')"
#define QUALIFIED                                                             \
    "must consist of alphanumeric characters, '-', '_' or '.', and must "     \
    "start and end with an alphanumeric character (e.g. 'MyName',  or "       \
    "'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9]"    \
    "[-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
#define VALUE                                                                 \
    "a valid label must be an empty string or consist of alphanumeric "       \
    "characters, '-', '_' or '.', and must start and end with an "            \
    "alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', "   \
    "regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?"            \
    "[A-Za-z0-9])?')"
#define CHARSET                                                               \
    "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"

#define A16 "aaaaaaaaaaaaaaaa"
#define A64 A16 A16 A16 A16
#define A256 A64 A64 A64 A64

static const struct {
    enum yl_name_rule rule;
    const char *value;
    const char *faults;         /* Joined by "; "; NULL when there are none. */
} cases[] = {
    { YL_NAME_DNS1123_LABEL, "a", NULL },
    { YL_NAME_DNS1123_LABEL, "0-a-9", NULL },
    { YL_NAME_DNS1123_LABEL, "", LABEL },
    { YL_NAME_DNS1123_LABEL, "-a", LABEL },
    { YL_NAME_DNS1123_LABEL, "a-", LABEL },
    { YL_NAME_DNS1123_LABEL, "A", LABEL },
    { YL_NAME_DNS1123_LABEL, "a_b", LABEL },
    { YL_NAME_DNS1123_LABEL, "a.b", "must not contain dots" },
    { YL_NAME_DNS1123_LABEL, "a..b", LABEL },
    { YL_NAME_DNS1123_LABEL, A64, "must be no more than 63 characters" },
    { YL_NAME_DNS1123_LABEL, A64 ".b",
      "must be no more than 63 characters; must not contain dots" },
    { YL_NAME_DNS1123_LABEL, A64 "-",
      "must be no more than 63 characters; " LABEL },
    { YL_NAME_DNS1123_SUBDOMAIN, "a.b-c.0", NULL },
    { YL_NAME_DNS1123_SUBDOMAIN, A64 "." A64, NULL },
    { YL_NAME_DNS1123_SUBDOMAIN, "", SUBDOMAIN },
    { YL_NAME_DNS1123_SUBDOMAIN, "a.", SUBDOMAIN },
    { YL_NAME_DNS1123_SUBDOMAIN, ".a", SUBDOMAIN },
    { YL_NAME_DNS1123_SUBDOMAIN, "a.-b", SUBDOMAIN },
    { YL_NAME_DNS1123_SUBDOMAIN, "a-.b", SUBDOMAIN },
    { YL_NAME_DNS1123_SUBDOMAIN, "a..b", SUBDOMAIN },
    { YL_NAME_DNS1123_SUBDOMAIN, A256, "must be no more than 253 characters" },
    { YL_NAME_DNS1123_SUBDOMAIN, A256 "\xc3\xa9",
      "must be no more than 253 characters; " SUBDOMAIN },
    { YL_NAME_DNS1035_LABEL, "a-1", NULL },
    { YL_NAME_DNS1035_LABEL, "1-a", LABEL_1035 },
    { YL_NAME_DNS1035_LABEL, "", LABEL_1035 },
    { YL_NAME_DNS1035_LABEL, "a.b", LABEL_1035 },
    { YL_NAME_DNS1035_LABEL, A64, "must be no more than 63 characters" },
    { YL_NAME_QUALIFIED, "Name", NULL },
    { YL_NAME_QUALIFIED, "example.com/My_Na.me-1", NULL },
    { YL_NAME_QUALIFIED, "1", NULL },
    { YL_NAME_QUALIFIED, "",
      "name part must be non-empty; name part " QUALIFIED },
    { YL_NAME_QUALIFIED, "/",
      "prefix part must be non-empty; name part must be non-empty; "
      "name part " QUALIFIED },
    { YL_NAME_QUALIFIED, "/a", "prefix part must be non-empty" },
    { YL_NAME_QUALIFIED, "A.b/_c",
      "prefix part " SUBDOMAIN "; name part " QUALIFIED },
    { YL_NAME_QUALIFIED, A256 "/a",
      "prefix part must be no more than 253 bytes" },
    { YL_NAME_QUALIFIED, "A" A256 "/" A64 "_",
      "prefix part must be no more than 253 bytes; prefix part " SUBDOMAIN
      "; name part must be no more than 63 bytes; name part " QUALIFIED },
    { YL_NAME_QUALIFIED, "a/b/c",
      "a valid label key " QUALIFIED " with an optional DNS subdomain prefix "
      "and '/' (e.g. 'example.com/MyName')" },
    { YL_NAME_LABEL_VALUE, "", NULL },
    { YL_NAME_LABEL_VALUE, "v1.2_X-3", NULL },
    { YL_NAME_LABEL_VALUE, "-a", VALUE },
    { YL_NAME_LABEL_VALUE, "a b", VALUE },
    { YL_NAME_LABEL_VALUE, A64, "must be no more than 63 bytes" },
    { YL_NAME_LABEL_VALUE, A64 ".", "must be no more than 63 bytes; " VALUE },
    { YL_NAME_PORT, "https", NULL },
    { YL_NAME_PORT, "a-1", NULL },
    { YL_NAME_PORT, "", CHARSET "; must contain at least one letter (a-z)" },
    { YL_NAME_PORT, "80", "must contain at least one letter (a-z)" },
    { YL_NAME_PORT, "a--b", "must not contain consecutive hyphens" },
    { YL_NAME_PORT, "a-", "must not begin or end with a hyphen" },
    { YL_NAME_PORT, "A-----------------",
      "must be no more than 15 characters; " CHARSET "; must contain at least "
      "one letter (a-z); must not contain consecutive hyphens; must not begin "
      "or end with a hyphen" },
    { YL_NAME_PATH_SEGMENT, "", NULL },
    { YL_NAME_PATH_SEGMENT, "system:node", NULL },
    { YL_NAME_PATH_SEGMENT, "...", NULL },
    { YL_NAME_PATH_SEGMENT, ".", "may not be '.'" },
    { YL_NAME_PATH_SEGMENT, "..", "may not be '..'" },
    { YL_NAME_PATH_SEGMENT, "a/b%c",
      "may not contain '/'; may not contain '%'" },
    { YL_NAME_PATH_SEGMENT_PREFIX, "..", NULL },
    { YL_NAME_PATH_SEGMENT_PREFIX, "a%", "may not contain '%'" },
};

TEST(every_fault_is_reported_in_upstream_s_words)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_name_faults faults;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_str value = yl_str_c(cases[i].value);

        if (!cases[i].faults) {
            assert_int_equal(yl_name_check(cases[i].rule, value, NULL), 0);
            continue;
        }
        assert_int_equal(yl_name_check(cases[i].rule, value, &faults),
                         YL_EINVALID);
        assert_int_equal(yl_name_faults_error(&faults, &err), YL_EINVALID);
        assert_string_equal(yl_error_message(&err), cases[i].faults);
    }
    assert_int_equal(yl_name_faults_error(&faults, NULL), YL_EINVALID);
    yl_error_clear(&err);
}

TEST(faults_are_written_only_on_failure)
{
    struct yl_name_faults faults = { 42, { NULL } };

    assert_int_equal(yl_name_check(YL_NAME_DNS1123_LABEL, YL_STR("a"),
                                   &faults), 0);
    assert_int_equal(faults.n_faults, 42);
}

TEST(prefix_may_end_in_a_dash)
{
    struct yl_name_faults faults;

    assert_int_equal(yl_name_check_prefix(YL_NAME_DNS1123_SUBDOMAIN,
                                          YL_STR("web-"), NULL), 0);
    assert_int_equal(yl_name_check_prefix(YL_NAME_DNS1123_LABEL,
                                          YL_STR("web"), NULL), 0);
    assert_int_equal(yl_name_check_prefix(YL_NAME_DNS1123_LABEL, YL_STR("-"),
                                          NULL), YL_EINVALID);
    assert_int_equal(yl_name_check_prefix(YL_NAME_DNS1123_LABEL,
                                          YL_STR("w.eb-"), &faults),
                     YL_EINVALID);
    assert_string_equal(faults.faults[0], "must not contain dots");
    assert_int_equal(yl_name_check_prefix(YL_NAME_DNS1123_LABEL,
                                          YL_STR("web.-"), NULL), 0);
    assert_int_equal(yl_name_check_prefix(YL_NAME_PATH_SEGMENT, YL_STR(".."),
                                          NULL), 0);
    assert_int_equal(yl_name_check_prefix(YL_NAME_PATH_SEGMENT,
                                          YL_STR("a/-"), NULL), YL_EINVALID);
}

TEST(nul_is_a_byte_like_any_other)
{
    assert_int_equal(yl_name_check(YL_NAME_DNS1123_LABEL, YL_STR("a\0b"),
                                   NULL), YL_EINVALID);
    assert_int_equal(yl_name_check(YL_NAME_PATH_SEGMENT, YL_STR("a\0/"),
                                   NULL), YL_EINVALID);
}
