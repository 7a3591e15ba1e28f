/* Names of container images.  See builtin/pods/image.h for the contract.
 *
 * The grammar is that of the distribution project, but only as far as it
 * decides whether a name is valid: a name that cannot be parsed has no tag. */

#include "builtin/pods/image.h"

#include <string.h>

#define MAX_NAME 255
#define MAX_TAG 128

static bool is_digest(struct yl_str);
static bool is_tag(struct yl_str);
static bool is_host(struct yl_str);
static bool is_path(struct yl_str);
static bool is_component(struct yl_str);
static bool is_identifier(struct yl_str);

static bool
lower(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static bool
alnum(char c)
{
    return lower(c) || (c >= 'A' && c <= 'Z');
}

static bool
hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')
           || (c >= 'A' && c <= 'F');
}

bool
yl_image_is_latest(struct yl_str image)
{
    struct yl_str name = image, tag = YL_STR(""), digest = YL_STR("");
    struct yl_str host = YL_STR(""), first, rest;
    bool has_tag = false, has_digest;
    const char *colon = NULL;
    size_t implied = 0, i;

    if (is_identifier(image)) {
        return false;
    }
    has_digest = yl_str_cut(image, '@', &name, &digest);
    for (i = name.size; i && name.data[i - 1] != '/'; i--) {
        if (name.data[i - 1] == ':') {
            colon = name.data + i - 1;
        }
    }
    if (colon) {
        has_tag = true;
        tag = yl_str_range(colon + 1, name.data + name.size);
        name = yl_str_range(name.data, colon);
    }
    if (yl_str_cut(name, '/', &first, &rest)
        && (yl_str_find_char(first, '.') || yl_str_find_char(first, ':')
            || yl_str_equal_c(first, "localhost") || !is_path(first))) {
        host = first;
        name = rest;
    }
    if (!host.size && !yl_str_find_char(name, '/')) {
        implied = strlen("library/");
    }
    if ((has_digest && !is_digest(digest)) || (has_tag && !is_tag(tag))
        || (host.size && !is_host(host)) || !is_path(name)
        || name.size + implied > MAX_NAME) {
        return false;
    }
    return has_tag ? yl_str_equal_c(tag, "latest") : !has_digest;
}

/* ALGORITHM:HEX, with 32 digits or more. */
static bool
is_digest(struct yl_str s)
{
    struct yl_str algorithm, digits;
    size_t i;

    if (!yl_str_cut(s, ':', &algorithm, &digits) || !algorithm.size
        || digits.size < 32) {
        return false;
    }
    for (i = 0; i < algorithm.size; i++) {
        char c = algorithm.data[i];

        if (!alnum(c) && (i == 0 || !strchr("-_+.", c))) {
            return false;
        }
    }
    for (i = 0; i < digits.size; i++) {
        if (!hex(digits.data[i])) {
            return false;
        }
    }
    return true;
}

static bool
is_tag(struct yl_str s)
{
    size_t i;

    for (i = 0; i < s.size; i++) {
        char c = s.data[i];

        if (!alnum(c) && c != '_' && (i == 0 || (c != '.' && c != '-'))) {
            return false;
        }
    }
    return s.size && s.size <= MAX_TAG;
}

/* Labels with dots between them, or [IPV6], and perhaps a port. */
static bool
is_host(struct yl_str s)
{
    struct yl_str host = s, port = YL_STR("");
    size_t i;

    if (s.data[0] == '[') {
        const char *end = yl_str_find_char(s, ']');

        if (!end) {
            return false;
        }
        host = yl_str_range(s.data + 1, end);
        port = yl_str_range(end + 1, s.data + s.size);
        for (i = 0; i < host.size; i++) {
            if (!hex(host.data[i]) && host.data[i] != ':') {
                return false;
            }
        }
        if (port.size && port.data[0] != ':') {
            return false;
        }
        port = yl_str_skip(port, port.size != 0);
    } else {
        char before = '.';

        yl_str_cut(s, ':', &host, &port);
        for (i = 0; i < host.size; i++) {
            char c = host.data[i];
            bool edge = before == '.';

            if (!alnum(c) && (edge || (c != '-' && c != '.')
                              || (c == '.' && before == '-'))) {
                return false;
            }
            before = c;
        }
        if (!alnum(before)) {
            return false;
        }
    }
    for (i = 0; i < port.size; i++) {
        if (port.data[i] < '0' || port.data[i] > '9') {
            return false;
        }
    }
    return host.size != 0;
}

static bool
is_path(struct yl_str s)
{
    struct yl_str component, rest;

    while (yl_str_cut(s, '/', &component, &rest)) {
        if (!is_component(component)) {
            return false;
        }
        s = rest;
    }
    return is_component(s);
}

/* Lower case letters and digits, with '.', '_', '__' or dashes between
 * them. */
static bool
is_component(struct yl_str s)
{
    size_t i = 0;

    while (i < s.size) {
        size_t start = i;

        while (i < s.size && lower(s.data[i])) {
            i++;
        }
        if (i == start) {
            return false;
        }
        if (i == s.size) {
            return true;
        }
        start = i;
        while (i < s.size && s.data[i] == s.data[start]
               && !lower(s.data[i])) {
            i++;
        }
        if ((s.data[start] == '.' && i - start > 1)
            || (s.data[start] == '_' && i - start > 2)
            || !strchr("._-", s.data[start])) {
            return false;
        }
    }
    return false;
}

/* 64 hexadecimal digits are an image's identifier, not its name. */
static bool
is_identifier(struct yl_str s)
{
    size_t i;

    for (i = 0; i < s.size; i++) {
        if (!hex(s.data[i]) || (s.data[i] >= 'A' && s.data[i] <= 'F')) {
            return false;
        }
    }
    return s.size == 64;
}
