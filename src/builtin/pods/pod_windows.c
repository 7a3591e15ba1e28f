/* Validation of a security context's options for Windows. */

#include "builtin/pods/pod_check.h"

#define MAX_SPEC_KIB 64
#define MAX_DOMAIN 256
#define MAX_USER 104

static void check_user_name(struct yl_check *, const struct yl_at *);
static void check_user(struct yl_check *, const struct yl_at *,
                       struct yl_str user);
static bool is_domain(struct yl_str);
static bool has_any(struct yl_str, const char *chars);

void
yl_check_windows(struct yl_check *c, const struct yl_at *options)
{
    struct yl_at name = yl_at(options, "gmsaCredentialSpecName");
    struct yl_at spec = yl_at(options, "gmsaCredentialSpec");
    struct yl_at user = yl_at(options, "runAsUserName");
    size_t size = yl_at_str(c, &spec).size;

    if (yl_at_has(&name)) {
        yl_check_name(c, &name, YL_NAME_DNS1123_SUBDOMAIN);
    }
    if (yl_at_has(&spec) && !size) {
        yl_field_invalid(c->err, yl_at_path(&spec), yl_bad_str(c, &spec),
                         "gmsaCredentialSpec cannot be an empty string");
    } else if (size > MAX_SPEC_KIB * 1024) {
        yl_field_invalid(c->err, yl_at_path(&spec), yl_bad_str(c, &spec),
                         "gmsaCredentialSpec size must be under %d KiB",
                         MAX_SPEC_KIB);
    }
    if (yl_at_has(&user)) {
        check_user_name(c, &user);
    }
}

/* USER or DOMAIN\USER */
static void
check_user_name(struct yl_check *c, const struct yl_at *at)
{
    struct yl_str s = yl_at_str(c, at), domain = YL_STR(""), user = s;
    const char *fault = NULL;
    bool has_domain;
    size_t i;

    has_domain = yl_str_cut(s, '\\', &domain, &user);
    if (!s.size) {
        fault = "runAsUserName cannot be an empty string";
    } else if (has_domain && yl_str_find_char(user, '\\')) {
        fault = "runAsUserName cannot contain more than one backslash";
    }
    for (i = 0; i < s.size; i++) {
        if ((unsigned char) s.data[i] < ' ' || s.data[i] == 0x7f) {
            fault = "runAsUserName cannot contain control characters";
        }
    }
    if (fault) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s), "%s",
                         fault);
        return;
    }
    if (domain.size >= MAX_DOMAIN) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s),
                         "runAsUserName's Domain length must be under %d "
                         "characters", MAX_DOMAIN);
    }
    if (has_domain && !is_domain(domain)) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s),
                         "runAsUserName's Domain doesn't match the NetBios "
                         "nor the DNS format");
    }
    check_user(c, at, user);
}

static void
check_user(struct yl_check *c, const struct yl_at *at, struct yl_str user)
{
    struct yl_bad_value bad = yl_bad_str(c, at);
    bool dots = user.size != 0;
    size_t i;

    for (i = 0; i < user.size; i++) {
        dots &= user.data[i] == '.' || user.data[i] == ' ';
    }
    if (!user.size) {
        yl_field_invalid(c->err, yl_at_path(at), bad,
                         "runAsUserName's User cannot be empty");
    } else if (user.size > MAX_USER) {
        yl_field_invalid(c->err, yl_at_path(at), bad,
                         "runAsUserName's User length must not be longer "
                         "than %d characters", MAX_USER);
    }
    if (dots) {
        yl_field_invalid(c->err, yl_at_path(at), bad,
                         "runAsUserName's User cannot contain only periods "
                         "or spaces");
    }
    if (has_any(user, "\"/\\:;|=,+*?<>@[]")) {
        yl_field_invalid(c->err, yl_at_path(at), bad,
                         "runAsUserName's User cannot contain the following "
                         "characters: \"/\\:;|=,+*?<>@[]");
    }
}

/* A NetBIOS name, or labels of DNS in any case. */
static bool
is_domain(struct yl_str s)
{
    char before = '.';
    size_t i, label = 0;

    if (s.size && s.size <= 15 && s.data[0] != '.'
        && !has_any(s, "\\/:*?\"<>|")) {
        return true;
    }
    for (i = 0; i < s.size; i++) {
        char ch = s.data[i];
        bool letter = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z')
                      || (ch >= '0' && ch <= '9');

        if (!letter && (before == '.' || (ch != '-' && ch != '.')
                        || (ch == '.' && before == '-'))) {
            return false;
        }
        label = ch == '.' ? 0 : label + 1;
        if (label > YL_NAME_LABEL_MAX) {
            return false;
        }
        before = ch;
    }
    return s.size && before != '.' && before != '-';
}

static bool
has_any(struct yl_str s, const char *chars)
{
    size_t i;

    for (i = 0; i < s.size; i++) {
        if (s.data[i] && strchr(chars, s.data[i])) {
            return true;
        }
    }
    return false;
}
