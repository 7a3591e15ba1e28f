/* Checks of single values.  See builtin/common/checks.h for the contract. */

#include "builtin/common/checks.h"

#include <inttypes.h>

#include "builtin/network/ip.h"

#define MODE_MESSAGE                                                          \
    "must be a number between 0 and 0777 (octal), both inclusive"
#define PERCENT_MESSAGE                                                       \
    "a valid percent string must be a numeric string followed by an ending "  \
    "'%%' (e.g. '1%%',  or '93%%', regex used for validation is "             \
    "'[0-9]+%%')"

static bool is_subdomain_underscore(struct yl_str);
static bool check_canonical(struct yl_check *, const struct yl_at *,
                            struct yl_str s, const char *canonical);
static bool is_percent(struct yl_str);

struct yl_bad_value
yl_bad_str(const struct yl_check *c, const struct yl_at *at)
{
    return yl_bad_string(yl_at_str(c, at));
}

bool
yl_check_required(struct yl_check *c, const struct yl_at *at)
{
    bool empty = !yl_at_has(at);

    if (!empty && at->node->type == YL_JSON_STRING) {
        empty = yl_node_string_is(at->node, YL_STR(""));
    } else if (!empty && at->node->type == YL_JSON_ARRAY) {
        empty = !at->node->n;
    }
    if (empty) {
        yl_field_required(c->err, yl_at_path(at), NULL);
    }
    return !empty;
}

bool
yl_check_name(struct yl_check *c, const struct yl_at *at,
              enum yl_name_rule rule)
{
    return yl_check_name_of(c, yl_at_path(at), rule, yl_at_str(c, at));
}

bool
yl_check_name_of(struct yl_check *c, const struct yl_field_path *path,
                 enum yl_name_rule rule, struct yl_str value)
{
    struct yl_name_faults faults;
    size_t i;

    if (yl_name_check(rule, value, &faults) == 0) {
        return true;
    }
    for (i = 0; i < faults.n_faults; i++) {
        yl_field_invalid(c->err, path, yl_bad_string(value), "%s",
                         faults.faults[i]);
    }
    return false;
}

bool
yl_check_label_value_joined(struct yl_check *c,
                            const struct yl_field_path *path,
                            struct yl_str value)
{
    struct yl_name_faults faults;
    struct yl_buf detail;
    size_t i;

    if (yl_name_check(YL_NAME_LABEL_VALUE, value, &faults) == 0) {
        return true;
    }
    yl_buf_init(&detail, SIZE_MAX);
    for (i = 0; i < faults.n_faults; i++) {
        yl_buf_printf(&detail, "%s%s", i ? ";" : "", faults.faults[i]);
    }
    yl_field_invalid(c->err, path, yl_bad_string(value), "%s",
                     yl_buf_c_str(&detail));
    yl_buf_release(&detail);
    return false;
}

bool
yl_check_subdomain_underscore(struct yl_check *c, const struct yl_at *at)
{
    struct yl_str s = yl_at_str(c, at);
    size_t n = yl_check_faults(c);

    if (s.size > YL_NAME_SUBDOMAIN_MAX) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s),
                         "must be no more than %d characters",
                         YL_NAME_SUBDOMAIN_MAX);
    }
    if (!is_subdomain_underscore(s)) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s),
                         "a lowercase RFC 1123 subdomain must consist of "
                         "lower case alphanumeric characters, '_', '-' or "
                         "'.', and must start and end with an alphanumeric "
                         "character (e.g. 'example.com', regex used for "
                         "validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
                         "(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')");
    }
    return yl_check_faults(c) == n;
}

bool
yl_check_csi_driver_name(struct yl_check *c, const struct yl_at *at)
{
    struct yl_str s = yl_at_str(c, at);
    struct yl_name_faults faults;
    size_t i, n = yl_check_faults(c);

    if (!yl_check_required(c, at)) {
        return false;
    }
    if (s.size > YL_NAME_LABEL_MAX) {
        yl_field_too_long(c->err, yl_at_path(at), YL_NAME_LABEL_MAX);
    }
    if (yl_name_check(YL_NAME_DNS1123_SUBDOMAIN, yl_lower_case(c->arena, s),
                      &faults) < 0) {
        for (i = 0; i < faults.n_faults; i++) {
            yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s), "%s",
                             faults.faults[i]);
        }
    }
    return yl_check_faults(c) == n;
}

struct yl_str
yl_lower_case(struct yl_arena *arena, struct yl_str s)
{
    char *copy = yl_arena_strdup(arena, s);
    size_t i;

    for (i = 0; i < s.size; i++) {
        if (copy[i] >= 'A' && copy[i] <= 'Z') {
            copy[i] = (char) (copy[i] - 'A' + 'a');
        }
    }
    return yl_str_n(copy, s.size);
}

bool
yl_check_env_name(struct yl_check *c, const struct yl_at *at)
{
    struct yl_str s = yl_at_str(c, at);
    size_t i;

    if (!s.size) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s),
                         "environment variable name must be non-empty");
        return false;
    }
    for (i = 0; i < s.size; i++) {
        unsigned char ch = (unsigned char) s.data[i];

        if (ch < ' ' || ch > '~' || ch == '=') {
            yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s),
                             "a valid environment variable name must consist "
                             "only of printable ASCII characters other than "
                             "'='");
            return false;
        }
    }
    return true;
}

bool
yl_check_config_key(struct yl_check *c, const struct yl_at *key_path,
                    struct yl_str key)
{
    const struct yl_field_path *path = yl_at_path(key_path);
    bool plain = key.size != 0;
    size_t n = yl_check_faults(c), i;

    for (i = 0; i < key.size; i++) {
        char ch = key.data[i];

        plain &= (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z')
                 || (ch >= '0' && ch <= '9') || ch == '-' || ch == '_'
                 || ch == '.';
    }
    if (key.size > YL_NAME_SUBDOMAIN_MAX) {
        yl_field_invalid(c->err, path, yl_bad_string(key),
                         "must be no more than %d characters",
                         YL_NAME_SUBDOMAIN_MAX);
    }
    if (!plain) {
        yl_field_invalid(c->err, path, yl_bad_string(key),
                         "a valid config key must consist of alphanumeric "
                         "characters, '-', '_' or '.' (e.g. 'key.name',  or "
                         "'KEY_NAME',  or 'key-name', regex used for "
                         "validation is '[-._a-zA-Z0-9]+')");
    }
    if (yl_str_equal_c(key, ".") || yl_str_equal_c(key, "..")) {
        yl_field_invalid(c->err, path, yl_bad_string(key),
                         "must not be '%.*s'", YL_STR_ARG(key));
    } else if (yl_str_starts_with(key, YL_STR(".."))) {
        yl_field_invalid(c->err, path, yl_bad_string(key),
                         "must not start with '..'");
    }
    return yl_check_faults(c) == n;
}

bool
yl_check_ip(struct yl_check *c, const struct yl_at *at)
{
    struct yl_str s = yl_at_str(c, at);
    struct yl_ip ip;

    if (!yl_ip_parse(s, &ip)) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s),
                         "must be a valid IP address, (e.g. 10.9.8.7 or "
                         "2001:db8::ffff)");
        return false;
    }
    if (ip.leading_zeros) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s),
                         "must not have leading 0s");
    }
    if (ip.mapped) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s),
                         "must not be an IPv4-mapped IPv6 address");
    }
    return !ip.leading_zeros && !ip.mapped;
}

bool
yl_check_cidr(struct yl_check *c, const struct yl_at *at)
{
    struct yl_str s = yl_at_str(c, at), address, bits_text;
    const char *fault = NULL;
    struct yl_ip ip;
    unsigned bits, i;

    if (!yl_cidr_parse(s, &ip, &bits)) {
        fault = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or "
                "2001:db8::/64)";
    } else {
        yl_str_cut(s, '/', &address, &bits_text);
        if (ip.leading_zeros
            || (bits_text.size > 1 && bits_text.data[0] == '0')) {
            fault = "must not have leading 0s in IP or prefix length";
        } else if (ip.mapped) {
            fault = "must not have an IPv4-mapped IPv6 address";
        }
        for (i = bits; !fault && i < (ip.family == 4 ? 32u : 128u); i++) {
            if (ip.bytes[i / 8] & (0x80 >> i % 8)) {
                fault = "must not have bits set beyond the prefix length";
            }
        }
    }
    if (fault) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s), "%s",
                         fault);
    }
    return !fault;
}

bool
yl_check_ip_strict(struct yl_check *c, const struct yl_at *at)
{
    struct yl_str s = yl_at_str(c, at);
    char text[YL_IP_TEXT_SIZE];
    struct yl_ip ip;

    if (!yl_check_ip(c, at) || !yl_ip_parse(s, &ip)) {
        return false;
    }
    yl_ip_text(&ip, text);
    return check_canonical(c, at, s, text);
}

bool
yl_check_cidr_strict(struct yl_check *c, const struct yl_at *at)
{
    struct yl_str s = yl_at_str(c, at);
    char text[YL_IP_TEXT_SIZE];
    struct yl_ip ip;
    unsigned bits;

    if (!yl_check_cidr(c, at) || !yl_cidr_parse(s, &ip, &bits)) {
        return false;
    }
    yl_cidr_text(&ip, bits, text);
    return check_canonical(c, at, s, text);
}

bool
yl_check_wildcard_domain(struct yl_check *c, const struct yl_at *at)
{
    struct yl_str s = yl_at_str(c, at), rest = s;
    size_t n = yl_check_faults(c);

    if (s.size > YL_NAME_SUBDOMAIN_MAX) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s),
                         "must be no more than %d characters",
                         YL_NAME_SUBDOMAIN_MAX);
    }
    if (yl_str_starts_with(s, YL_STR("*."))) {
        /* The part after "*."  is checked only for its form, not for its
         * length. */
        rest = yl_str_n(s.data + 2, s.size - 2);
        if (rest.size > YL_NAME_SUBDOMAIN_MAX) {
            return false;
        }
    }
    if (rest.size == s.size
        || yl_name_check(YL_NAME_DNS1123_SUBDOMAIN, rest, NULL) < 0) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s),
                         "a wildcard DNS-1123 subdomain must start with "
                         "'*.', followed by a valid DNS subdomain, which must "
                         "consist of lower case alphanumeric characters, '-' "
                         "or '.' and end with an alphanumeric character (e.g. "
                         "'*.example.com', regex used for validation is "
                         "'\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]"
                         "([-a-z0-9]*[a-z0-9])?)*')");
    }
    return yl_check_faults(c) == n;
}

bool
yl_check_one_of(struct yl_check *c, const struct yl_at *at,
                const char *const *supported)
{
    size_t i;

    for (i = 0; supported[i]; i++) {
        if (yl_at_is(at, supported[i])) {
            return true;
        }
    }
    yl_field_not_supported(c->err, yl_at_path(at), yl_bad_str(c, at),
                           supported);
    return false;
}

bool
yl_check_local_path(struct yl_check *c, const struct yl_at *at)
{
    struct yl_str s = yl_at_str(c, at);
    bool absolute = yl_str_starts_with(s, YL_STR("/"));

    if (absolute) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s),
                         "must be a relative path");
    }
    return yl_check_no_backsteps(c, at) && !absolute;
}

bool
yl_check_local_path_not_reserved(struct yl_check *c, const struct yl_at *at)
{
    struct yl_str s = yl_at_str(c, at);
    bool ok = yl_check_local_path(c, at);

    if (yl_str_starts_with(s, YL_STR(".."))
        && !yl_str_starts_with(s, YL_STR("../"))) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s),
                         "must not start with '..'");
        return false;
    }
    return ok;
}

bool
yl_check_no_backsteps(struct yl_check *c, const struct yl_at *at)
{
    struct yl_str s = yl_at_str(c, at), rest = s, part;
    bool more = true;

    while (more) {
        part = rest;
        more = yl_str_cut(rest, '/', &part, &rest);
        if (yl_str_equal_c(part, "..")) {
            yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s),
                             "must not contain '..'");
            return false;
        }
    }
    return true;
}

bool
yl_check_not_negative(struct yl_check *c, const struct yl_at *at)
{
    int64_t value = yl_at_int(at);

    if (value < 0) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_int(value),
                         YL_NOT_NEGATIVE);
    }
    return value >= 0;
}

bool
yl_check_positive(struct yl_check *c, const struct yl_at *at)
{
    int64_t value = yl_at_int(at);

    if (value <= 0) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_int(value),
                         "must be greater than zero");
    }
    return value > 0;
}

bool
yl_check_range(struct yl_check *c, const struct yl_at *at, int64_t low,
               int64_t high)
{
    int64_t value = yl_at_int(at);

    if (value < low || value > high) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_int(value),
                         "must be between %" PRId64 " and %" PRId64
                         ", inclusive", low, high);
        return false;
    }
    return true;
}

bool
yl_check_quantity_not_negative(struct yl_check *c, const struct yl_at *at)
{
    char room[YL_QUANTITY_TEXT_SIZE];
    struct yl_quantity q;

    if (!yl_node_quantity(c->arena, at->node, &q)
        || yl_quantity_sign(&q) >= 0) {
        return true;
    }
    yl_field_invalid(c->err, yl_at_path(at),
                     yl_bad_string(yl_quantity_text(&q, room)),
                     YL_NOT_NEGATIVE);
    return false;
}

bool
yl_check_mode(struct yl_check *c, const struct yl_at *at)
{
    int64_t mode = yl_at_int(at);

    if (mode < 0 || mode > 0777) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_int(mode),
                         MODE_MESSAGE);
        return false;
    }
    return true;
}

bool
yl_check_int_or_percent(struct yl_check *c, const struct yl_at *at)
{
    if (yl_node_type(at->node) != YL_JSON_STRING) {
        return yl_check_not_negative(c, at);
    }
    if (!is_percent(yl_at_str(c, at))) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_str(c, at),
                         PERCENT_MESSAGE);
        return false;
    }
    return true;
}

bool
yl_check_percent_at_most_100(struct yl_check *c, const struct yl_at *at)
{
    bool percent;
    int64_t value = yl_at_int_or_percent(c, at, &percent);

    if (percent && value > 100) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_str(c, at),
                         "must not be greater than 100%%");
        return false;
    }
    return true;
}

int64_t
yl_at_int_or_percent(const struct yl_check *c, const struct yl_at *at,
                     bool *ret_percent)
{
    struct yl_str s = yl_at_str(c, at);
    unsigned long long value = 0;
    long long number = 0;

    *ret_percent = yl_node_type(at->node) == YL_JSON_STRING && is_percent(s);
    if (yl_node_type(at->node) != YL_JSON_STRING) {
        return yl_at_int(at);
    }
    if (!*ret_percent) {
        return yl_str_to_i64(s, &number) < 0 ? 0 : number;
    }
    if (yl_str_to_u64(yl_str_n(s.data, s.size - 1), &value) < 0) {
        return 0;
    }
    return value > INT64_MAX ? INT64_MAX : (int64_t) value;
}

bool
yl_check_port(struct yl_check *c, const struct yl_at *at)
{
    if (yl_node_type(at->node) == YL_JSON_STRING) {
        return yl_check_name(c, at, YL_NAME_PORT);
    }
    return yl_check_range(c, at, 1, 65535);
}

static bool
check_canonical(struct yl_check *c, const struct yl_at *at, struct yl_str s,
                const char *canonical)
{
    if (yl_str_equal_c(s, canonical)) {
        return true;
    }
    yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s),
                     "must be in canonical form (\"%s\")", canonical);
    return false;
}

/* Whether 's' is a DNS subdomain in which '_' may stand wherever '-' may, and
 * also once at the start of a label. */
static bool
is_subdomain_underscore(struct yl_str s)
{
    char before = '.';
    size_t i;

    for (i = 0; i < s.size; i++) {
        char ch = s.data[i];
        bool inner = ch == '-' || ch == '_';
        bool after_inner = before == '-' || before == '_';

        if (ch == '_' && before == '.') {
            before = '<';
            continue;
        }
        if (before == '<' && (inner || ch == '.')) {
            return false;
        }
        if (!((ch >= 'a' && ch <= 'z') || (ch >= '0' && ch <= '9'))
            && !(inner && before != '.')
            && !(ch == '.' && before != '.' && !after_inner)) {
            return false;
        }
        before = ch;
    }
    return s.size && !strchr(".-_<", before);
}

static bool
is_percent(struct yl_str s)
{
    size_t i;

    for (i = 0; i + 1 < s.size; i++) {
        if (s.data[i] < '0' || s.data[i] > '9') {
            return false;
        }
    }
    return s.size > 1 && s.data[s.size - 1] == '%';
}
