/* Names.  See yuloh/names.h for the contract.
 *
 * Upstream uses regular expressions; they are simple enough to be checked by
 * hand in one pass.  Two packages there word the length limit differently
 * ("characters" for names, "bytes" for labels), and so do we. */

#include "yuloh/names.h"

#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"

#define LABEL_RE "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
#define SUBDOMAIN_RE LABEL_RE "(\\." LABEL_RE ")*"
#define QUALIFIED_RE "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"

#define SUBDOMAIN_FAULT                                                       \
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric " \
    "characters, '-' or '.', and must start and end with an alphanumeric "    \
    "character (e.g. 'example.com', regex used for validation is '"           \
    SUBDOMAIN_RE "')"
#define QUALIFIED_FAULT                                                       \
    "must consist of alphanumeric characters, '-', '_' or '.', and must "     \
    "start and end with an alphanumeric character (e.g. 'MyName',  or "       \
    "'my.name',  or '123-abc', regex used for validation is '" QUALIFIED_RE   \
    "')"

/* The buffer's ceiling: all sentences about one value together are far
 * shorter. */
#define TEXT_CEILING 4096

static void check_label(struct yl_str, struct yl_name_faults *);
static void check_subdomain(struct yl_str, struct yl_name_faults *);
static void check_1035_label(struct yl_str, struct yl_name_faults *);
static void check_qualified(struct yl_str, struct yl_name_faults *);
static void check_label_value(struct yl_str, struct yl_name_faults *);
static void check_port(struct yl_str, struct yl_name_faults *);
static void check_path_segment(struct yl_str, struct yl_name_faults *);
static void check_path_prefix(struct yl_str, struct yl_name_faults *);

typedef void check_fn(struct yl_str, struct yl_name_faults *);

static check_fn *const checks[] = {
    [YL_NAME_DNS1123_LABEL] = check_label,
    [YL_NAME_DNS1123_SUBDOMAIN] = check_subdomain,
    [YL_NAME_DNS1035_LABEL] = check_1035_label,
    [YL_NAME_QUALIFIED] = check_qualified,
    [YL_NAME_LABEL_VALUE] = check_label_value,
    [YL_NAME_PORT] = check_port,
    [YL_NAME_PATH_SEGMENT] = check_path_segment,
    [YL_NAME_PATH_SEGMENT_PREFIX] = check_path_prefix,
};

int
yl_name_check(enum yl_name_rule rule, struct yl_str value,
              struct yl_name_faults *ret_faults)
{
    struct yl_name_faults faults = { 0, { NULL } };

    assert((size_t) rule < YL_ARRAY_SIZE(checks));
    checks[rule](value, &faults);
    if (!faults.n_faults) {
        return 0;
    }
    if (ret_faults) {
        *ret_faults = faults;
    }
    return YL_EINVALID;
}

int
yl_name_check_prefix(enum yl_name_rule rule, struct yl_str value,
                     struct yl_name_faults *ret_faults)
{
    char *masked;
    int r;

    if (rule == YL_NAME_PATH_SEGMENT) {
        rule = YL_NAME_PATH_SEGMENT_PREFIX;
    }
    if (rule > YL_NAME_DNS1035_LABEL || value.size < 2
        || value.data[value.size - 1] != '-') {
        return yl_name_check(rule, value, ret_faults);
    }

    /* Upstream makes the dash at the end valid by replacing the last two
     * characters with one 'a', whatever the first of the two is. */
    masked = yl_strdup(value);
    masked[value.size - 2] = 'a';
    r = yl_name_check(rule, yl_str_n(masked, value.size - 1), ret_faults);
    free(masked);
    return r;
}

int
yl_name_faults_error(const struct yl_name_faults *faults, struct yl_error *err)
{
    struct yl_buf text;
    size_t i;

    if (!err) {
        return YL_EINVALID;
    }
    yl_buf_init(&text, TEXT_CEILING);
    for (i = 0; i < faults->n_faults; i++) {
        yl_buf_append_c(&text, i ? "; " : "");
        yl_buf_append_c(&text, faults->faults[i]);
    }
    yl_error_set(err, YL_EINVALID, "%s", yl_buf_c_str(&text));
    yl_buf_release(&text);
    return YL_EINVALID;
}

static void
add(struct yl_name_faults *faults, const char *sentence)
{
    assert(faults->n_faults < YL_NAME_MAX_FAULTS);
    faults->faults[faults->n_faults++] = sentence;
}

static bool
is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool
is_lower_or_digit(char c)
{
    return is_lower(c) || (c >= '0' && c <= '9');
}

static bool
is_alphanumeric(char c)
{
    return is_lower_or_digit(c) || (c >= 'A' && c <= 'Z');
}

/* One or more labels with dots between them; '*ret_n_labels' says how many. */
static bool
is_subdomain(struct yl_str s, size_t *ret_n_labels)
{
    size_t n_labels = 1;
    size_t i;

    for (i = 0; i < s.size; i++) {
        bool starts = i == 0 || s.data[i - 1] == '.';
        bool ends = i + 1 == s.size || s.data[i + 1] == '.';

        if (s.data[i] == '.' && !starts) {
            n_labels++;
        } else if (!is_lower_or_digit(s.data[i])
                   && (s.data[i] != '-' || starts || ends)) {
            return false;
        }
    }
    *ret_n_labels = n_labels;
    return s.size && s.data[s.size - 1] != '.';
}

static bool
is_qualified_part(struct yl_str s)
{
    size_t i;

    for (i = 0; i < s.size; i++) {
        if (!is_alphanumeric(s.data[i]) && s.data[i] != '-'
            && s.data[i] != '_' && s.data[i] != '.') {
            return false;
        }
    }
    return s.size && is_alphanumeric(s.data[0])
           && is_alphanumeric(s.data[s.size - 1]);
}

static void
check_label(struct yl_str value, struct yl_name_faults *faults)
{
    size_t n_labels;

    if (value.size > YL_NAME_LABEL_MAX) {
        add(faults, "must be no more than 63 characters");
    }
    if (!is_subdomain(value, &n_labels)) {
        add(faults,
            "a lowercase RFC 1123 label must consist of lower case "
            "alphanumeric characters or '-', and must start and end with an "
            "alphanumeric character (e.g. 'my-name',  or '123-abc', regex "
            "used for validation is '" LABEL_RE "')");
    } else if (n_labels > 1) {
        add(faults, "must not contain dots");
    }
}

static void
check_subdomain(struct yl_str value, struct yl_name_faults *faults)
{
    size_t n_labels;

    if (value.size > YL_NAME_SUBDOMAIN_MAX) {
        add(faults, "must be no more than 253 characters");
    }
    if (!is_subdomain(value, &n_labels)) {
        add(faults, SUBDOMAIN_FAULT);
    }
}

static void
check_1035_label(struct yl_str value, struct yl_name_faults *faults)
{
    size_t n_labels;

    if (value.size > YL_NAME_LABEL_MAX) {
        add(faults, "must be no more than 63 characters");
    }
    if (!is_subdomain(value, &n_labels) || n_labels > 1
        || !is_lower(value.data[0])) {
        add(faults,
            "a DNS-1035 label must consist of lower case alphanumeric "
            "characters or '-', start with an alphabetic character, and end "
            "with an alphanumeric character (e.g. 'my-name',  or 'abc-123', "
            "regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')");
    }
}

static void
check_qualified(struct yl_str value, struct yl_name_faults *faults)
{
    struct yl_str prefix, name = value;
    size_t n_labels;

    if (yl_str_cut(value, '/', &prefix, &name)) {
        if (yl_str_find_char(name, '/')) {
            add(faults, "a valid label key " QUALIFIED_FAULT " with an "
                "optional DNS subdomain prefix and '/' (e.g. "
                "'example.com/MyName')");
            return;
        } else if (!prefix.size) {
            add(faults, "prefix part must be non-empty");
        } else {
            if (prefix.size > YL_NAME_SUBDOMAIN_MAX) {
                add(faults, "prefix part must be no more than 253 bytes");
            }
            if (!is_subdomain(prefix, &n_labels)) {
                add(faults, "prefix part " SUBDOMAIN_FAULT);
            }
        }
    }
    if (!name.size) {
        add(faults, "name part must be non-empty");
    } else if (name.size > YL_NAME_LABEL_MAX) {
        add(faults, "name part must be no more than 63 bytes");
    }
    if (!is_qualified_part(name)) {
        add(faults, "name part " QUALIFIED_FAULT);
    }
}

static void
check_label_value(struct yl_str value, struct yl_name_faults *faults)
{
    if (value.size > YL_NAME_LABEL_MAX) {
        add(faults, "must be no more than 63 bytes");
    }
    if (value.size && !is_qualified_part(value)) {
        add(faults,
            "a valid label must be an empty string or consist of "
            "alphanumeric characters, '-', '_' or '.', and must start and "
            "end with an alphanumeric character (e.g. 'MyValue',  or "
            "'my_value',  or '12345', regex used for validation is '("
            QUALIFIED_RE ")?')");
    }
}

static void
check_port(struct yl_str value, struct yl_name_faults *faults)
{
    bool charset = value.size > 0, letter = false, doubled = false;
    size_t i;

    for (i = 0; i < value.size; i++) {
        charset = charset && (is_lower_or_digit(value.data[i])
                              || value.data[i] == '-');
        letter = letter || is_lower(value.data[i]);
        doubled = doubled || (i && value.data[i] == '-'
                              && value.data[i - 1] == '-');
    }
    if (value.size > 15) {
        add(faults, "must be no more than 15 characters");
    }
    if (!charset) {
        add(faults, "must contain only alpha-numeric characters (a-z, 0-9), "
            "and hyphens (-)");
    }
    if (!letter) {
        add(faults, "must contain at least one letter (a-z)");
    }
    if (doubled) {
        add(faults, "must not contain consecutive hyphens");
    }
    if (value.size && (value.data[0] == '-'
                       || value.data[value.size - 1] == '-')) {
        add(faults, "must not begin or end with a hyphen");
    }
}

static void
check_path_segment(struct yl_str value, struct yl_name_faults *faults)
{
    if (yl_str_equal_c(value, ".")) {
        add(faults, "may not be '.'");
    } else if (yl_str_equal_c(value, "..")) {
        add(faults, "may not be '..'");
    } else {
        check_path_prefix(value, faults);
    }
}

static void
check_path_prefix(struct yl_str value, struct yl_name_faults *faults)
{
    if (yl_str_find_char(value, '/')) {
        add(faults, "may not contain '/'");
    }
    if (yl_str_find_char(value, '%')) {
        add(faults, "may not contain '%'");
    }
}
