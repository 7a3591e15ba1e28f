/* The URL of an API server, taken apart. */

#include "client/server_url.h"

#include "yuloh/error.h"

static int parse_authority(struct yl_str text, struct yl_server_url *,
                           struct yl_error *);
static bool is_plain(struct yl_str);

int
yl_server_url_parse(struct yl_str text, bool tls,
                    struct yl_server_url *ret_url, struct yl_error *err)
{
    struct yl_server_url url = { .tls = tls, .prefix = YL_STR("") };
    struct yl_str rest = text;
    const char *slash;
    int r;

    if (!is_plain(text)) {
        return yl_error_set(err, YL_EINVALID,
                            "the server's URL has characters that a URL "
                            "cannot have");
    }
    if (yl_str_starts_with(text, YL_STR("https://"))) {
        url.tls = true;
        rest = yl_str_skip(text, 8);
    } else if (yl_str_starts_with(text, YL_STR("http://"))) {
        url.tls = false;
        rest = yl_str_skip(text, 7);
    } else if (text.size && memmem(text.data, text.size, "://", 3)) {
        return yl_error_set(err, YL_EINVALID,
                            "the server's URL \"%.*s\" is neither http nor "
                            "https", YL_STR_ARG(text));
    }
    slash = yl_str_find_char(rest, '/');
    url.authority = slash ? yl_str_range(rest.data, slash) : rest;
    if (slash) {
        url.prefix = yl_str_range(slash, rest.data + rest.size);
        while (url.prefix.size
               && url.prefix.data[url.prefix.size - 1] == '/') {
            url.prefix.size--;
        }
    }
    r = parse_authority(url.authority, &url, err);
    if (r < 0) {
        yl_error_prefix(err, "the server's URL \"%.*s\"", YL_STR_ARG(text));
        return r;
    }
    *ret_url = url;
    return 0;
}

static int
parse_authority(struct yl_str text, struct yl_server_url *url,
                struct yl_error *err)
{
    struct yl_str port = yl_str_null();
    const char *colon;

    if (yl_str_find_char(text, '@')) {
        return yl_error_set(err, YL_EINVALID, "has a user, which is not "
                            "supported");
    }
    if (text.size && text.data[0] == '[') {
        const char *close = yl_str_find_char(text, ']');

        if (!close) {
            return yl_error_set(err, YL_EINVALID, "has a bracket that is not "
                                "closed");
        }
        url->host = yl_str_range(text.data + 1, close);
        text = yl_str_range(close + 1, text.data + text.size);
        if (text.size && text.data[0] != ':') {
            return yl_error_set(err, YL_EINVALID, "has something behind its "
                                "address");
        }
        port = text.size ? yl_str_skip(text, 1) : port;
    } else {
        colon = yl_str_find_char(text, ':');
        url->host = colon ? yl_str_range(text.data, colon) : text;
        port = colon ? yl_str_range(colon + 1, text.data + text.size) : port;
    }
    if (!url->host.size) {
        return yl_error_set(err, YL_EINVALID, "has no host");
    }
    url->port = url->tls ? 443 : 80;
    if (port.size) {
        unsigned long long number;

        if (yl_str_to_u64(port, &number) < 0 || number == 0
            || number > UINT16_MAX) {
            return yl_error_set(err, YL_EINVALID, "has no valid port");
        }
        url->port = (uint16_t) number;
    }
    return 0;
}

/* Whether 's' has neither blanks, control characters nor a query. */
static bool
is_plain(struct yl_str s)
{
    size_t i;

    for (i = 0; i < s.size; i++) {
        unsigned char c = (unsigned char) s.data[i];

        if (c <= ' ' || c >= 0x7f || c == '?' || c == '#' || c == '"') {
            return false;
        }
    }
    return true;
}
