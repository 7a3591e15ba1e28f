/* HTTP/1.1 heads: the lines of a complete one, and what they mean for the
 * body and the connection.  See net/http1.h for the rules. */

#include "net/http1_parts.h"

#include <string.h>

#include "base/alloc.h"

/* Methods are short; a longer one is unknown to us. */
#define MAX_METHOD 32

/* More digits than any allowed length has. */
#define MAX_LENGTH_DIGITS 19

/* What the headers say about the message as a whole. */
struct facts {
    bool has_host;
    bool has_length;
    bool has_coding;
    bool close;
    bool keep_alive;
    bool expects;               /* "100-continue". */
    struct yl_str host;
    uint64_t length;
};

static int parse_request_line(struct yl_http1_reader *, struct yl_str line);
static int parse_status_line(struct yl_http1_reader *, struct yl_str line);
static int parse_version(struct yl_http1_reader *, struct yl_str text);
static int parse_target(struct yl_http1_reader *, struct yl_str target);
static int parse_absolute(struct yl_http1_reader *, struct yl_str *target);
static bool is_host(struct yl_str);
static int parse_headers(struct yl_http1_reader *, char *at,
                         struct facts *facts);
static int parse_header(struct yl_http1_reader *, char *line, char *end,
                        struct yl_http_header *header);
static int note_header(struct yl_http1_reader *,
                       const struct yl_http_header *header,
                       struct facts *facts);
static int note_host(struct yl_http1_reader *, struct yl_str value,
                     struct facts *facts);
static int note_length(struct yl_http1_reader *, struct yl_str value,
                       struct facts *facts);
static int note_coding(struct yl_http1_reader *, struct yl_str value,
                       struct facts *facts);
static int note_connection(struct yl_http1_reader *, struct yl_str value,
                           struct facts *facts);
static int finish_request(struct yl_http1_reader *, const struct facts *);
static int finish_response(struct yl_http1_reader *, const struct facts *);
static int set_framing(struct yl_http1_reader *, const struct facts *);
static int fail(struct yl_http1_reader *, int status, const char *why);

/* The rest, behind ASCII, is zero. */
const unsigned char yl_http1_token[256] = {
    0,   0,   0,   0,   0,   0,   0,   0,   0,   0,    0,   0,   0,   0,   0,
    0,   0,   0,   0,   0,   0,   0,   0,   0,   0,    0,   0,   0,   0,   0,
    0,   0,   0,   '!', 0,   '#', '$', '%', '&', '\'', 0,   0,   '*', '+', 0,
    '-', '.', 0,   '0', '1', '2', '3', '4', '5', '6',  '7', '8', '9', 0,   0,
    0,   0,   0,   0,   0,   'a', 'b', 'c', 'd', 'e',  'f', 'g', 'h', 'i', 'j',
    'k', 'l', 'm', 'n', 'o', 'p', 'q', 'r', 's', 't',  'u', 'v', 'w', 'x', 'y',
    'z', 0,   0,   0,   '^', '_', '`', 'a', 'b', 'c',  'd', 'e', 'f', 'g', 'h',
    'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p', 'q', 'r',  's', 't', 'u', 'v', 'w',
    'x', 'y', 'z', 0,   '|', 0,   '~', 0,
};

enum yl_http1_event
yl_http1_parse_head(struct yl_http1_reader *r)
{
    char *end = memchr(r->bytes.data, '\r', r->bytes.size);
    struct yl_str line = yl_str_range(r->bytes.data, end);
    bool is_request = r->role == YL_HTTP1_REQUESTS;
    struct facts facts = { 0 };
    int e;

    /* A CR that ends no line is found when the characters after it are
     * checked. */
    if (end[1] != '\n') {
        return yl_http1_fail(r, 400, "a CR stands alone");
    }
    e = is_request ? parse_request_line(r, line) : parse_status_line(r, line);
    if (e == 0) {
        e = parse_headers(r, end + 2, &facts);
    }
    if (e == 0) {
        e = is_request ? finish_request(r, &facts)
                       : finish_response(r, &facts);
    }
    return e == 0 ? YL_HTTP1_HEAD : YL_HTTP1_ERROR;
}

bool
yl_http1_is_token(struct yl_str s)
{
    size_t i;

    for (i = 0; i < s.size; i++) {
        if (!yl_http1_token[(unsigned char) s.data[i]]) {
            return false;
        }
    }
    return s.size > 0;
}

/* Is 's' the word 'lower', in upper or lower case? */
static bool
is_word(struct yl_str s, const char *lower)
{
    size_t i;

    if (s.size != strlen(lower)) {
        return false;
    }
    for (i = 0; i < s.size; i++) {
        if (yl_http1_token[(unsigned char) s.data[i]]
            != (unsigned char) lower[i]) {
            return false;
        }
    }
    return true;
}

static int
parse_request_line(struct yl_http1_reader *r, struct yl_str line)
{
    struct yl_str method, rest, target, version;
    int e;

    if (!yl_str_cut(line, ' ', &method, &rest)
        || !yl_str_cut(rest, ' ', &target, &version)
        || !yl_http1_is_token(method)) {
        return fail(r, 400, "the request line is malformed");
    }
    e = parse_version(r, version);
    if (e) {
        return e;
    } else if (method.size > MAX_METHOD || yl_str_equal_c(method, "CONNECT")) {
        return fail(r, 501, "the method is not supported");
    }
    r->head.method = method;
    return parse_target(r, target);
}

static int
parse_status_line(struct yl_http1_reader *r, struct yl_str line)
{
    struct yl_str version, rest, status, reason;
    unsigned long long value;
    size_t i;
    int e;

    if (!yl_str_cut(line, ' ', &version, &rest)) {
        return fail(r, 400, "the status line is malformed");
    }
    if (!yl_str_cut(rest, ' ', &status, &reason)) {
        status = rest;
        reason = yl_str_skip(rest, rest.size);
    }
    e = parse_version(r, version);
    if (e) {
        return e;
    } else if (status.size != 3 || yl_str_to_u64(status, &value) < 0
               || value < 100) {
        return fail(r, 400, "the status is malformed");
    }
    for (i = 0; i < reason.size; i++) {
        if (!yl_http1_is_value(reason.data[i])) {
            return fail(r, 400, "the reason has control characters");
        }
    }
    r->head.status = (int) value;
    r->head.reason = reason;
    return 0;
}

static int
parse_version(struct yl_http1_reader *r, struct yl_str text)
{
    if (yl_str_equal(text, YL_STR("HTTP/1.1"))) {
        r->head.version = 11;
    } else if (yl_str_equal(text, YL_STR("HTTP/1.0"))) {
        r->head.version = 10;
    } else if (text.size == 8 && yl_str_starts_with(text, YL_STR("HTTP/"))
               && text.data[5] >= '0' && text.data[5] <= '9'
               && text.data[6] == '.'
               && text.data[7] >= '0' && text.data[7] <= '9') {
        return fail(r, 505, "the version of HTTP is not supported");
    } else {
        return fail(r, 400, "the version of HTTP is malformed");
    }
    return 0;
}

static int
parse_target(struct yl_http1_reader *r, struct yl_str target)
{
    size_t i;

    if (target.size > r->limits.target) {
        return fail(r, 414, "the target is too long");
    }
    for (i = 0; i < target.size; i++) {
        if (!yl_http1_is_graph(target.data[i]) || target.data[i] == '#') {
            return fail(r, 400, "the target has characters that it may not");
        }
    }
    if (yl_str_equal(target, YL_STR("*"))) {
        return fail(r, 501, "a target that is no path is not supported");
    }
    if (!yl_str_starts_with(target, YL_STR("/"))) {
        int e = parse_absolute(r, &target);

        if (e) {
            return e;
        }
    }
    if (!yl_str_cut(target, '?', &r->head.path, &r->head.query)) {
        r->head.path = target;
    }
    if (!r->head.path.size) {
        r->head.path = YL_STR("/");
    }
    return 0;
}

/* Removes "http://HOST". */
static int
parse_absolute(struct yl_http1_reader *r, struct yl_str *target)
{
    struct yl_str scheme, rest;
    size_t n = 0;

    if (!yl_str_cut(*target, ':', &scheme, &rest)
        || !(is_word(scheme, "http") || is_word(scheme, "https"))
        || !yl_str_starts_with(rest, YL_STR("//"))) {
        return fail(r, 400, "the target is malformed");
    }
    rest = yl_str_skip(rest, 2);
    while (n < rest.size && rest.data[n] != '/' && rest.data[n] != '?') {
        n++;
    }
    r->head.host = yl_str_n(rest.data, n);
    if (n == 0 || !is_host(r->head.host)) {
        return fail(r, 400, "the target's host is malformed");
    }
    *target = yl_str_skip(rest, n);
    return 0;
}

/* The characters of a name or address, and of a port (RFC 3986, 3.2.2). */
static bool
is_host(struct yl_str s)
{
    size_t i;

    for (i = 0; i < s.size; i++) {
        char c = s.data[i];

        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c != '\0' && strchr("-._~!$&'()*+,;=:[]%", c)))) {
            return false;
        }
    }
    return true;
}

/* Parses the lines from 'at' to the empty one; there are 'n_lines' - 1. */
static int
parse_headers(struct yl_http1_reader *r, char *at, struct facts *facts)
{
    size_t n = r->n_lines - 1;
    char *end = r->bytes.data + r->bytes.size;
    size_t i;

    if (n > r->headers_capacity) {
        r->headers = yl_realloc_array(r->headers, n, sizeof *r->headers);
        r->headers_capacity = n;
    }
    for (i = 0; i < n; i++) {
        char *lf = memchr(at, '\n', (size_t) (end - at));
        int e = parse_header(r, at, lf - 1, &r->headers[i]);

        if (e == 0) {
            e = note_header(r, &r->headers[i], facts);
        }
        if (e) {
            return e;
        }
        at = lf + 1;
    }
    r->head.headers = r->headers;
    r->head.n_headers = n;
    return 0;
}

/* Parses a line up to its CR at 'end'.  Turns the name to lower case in
 * place. */
static int
parse_header(struct yl_http1_reader *r, char *line, char *end,
             struct yl_http_header *header)
{
    char *p = line;
    char *value;
    unsigned char c;

    if (*line == ' ' || *line == '\t') {
        return fail(r, 400, "a header is folded");
    }
    while ((c = yl_http1_token[(unsigned char) *p]) != 0) {
        *p++ = (char) c;
    }
    if (*p != ':' || p == line) {
        return fail(r, 400, "a header's name is malformed");
    }
    header->name = yl_str_range(line, p);
    value = ++p;
    for (; p < end; p++) {
        if (!yl_http1_is_value(*p)) {
            return fail(r, 400, "a header has control characters");
        }
    }
    header->value = yl_str_trim(yl_str_range(value, end));
    return 0;
}

static int
note_header(struct yl_http1_reader *r, const struct yl_http_header *header,
            struct facts *facts)
{
    bool is_request = r->role == YL_HTTP1_REQUESTS;
    struct yl_str name = header->name;
    struct yl_str value = header->value;

    switch (name.size) {
    case 4:
        if (is_request && yl_str_equal(name, YL_STR("host"))) {
            return note_host(r, value, facts);
        }
        break;
    case 6:
        if (is_request && r->head.version == 11
            && yl_str_equal(name, YL_STR("expect"))) {
            if (!is_word(value, "100-continue")) {
                return fail(r, 417, "the expectation is not known");
            }
            facts->expects = true;
        }
        break;
    case 10:
        if (yl_str_equal(name, YL_STR("connection"))) {
            return note_connection(r, value, facts);
        }
        break;
    case 14:
        if (yl_str_equal(name, YL_STR("content-length"))) {
            return note_length(r, value, facts);
        }
        break;
    case 17:
        if (yl_str_equal(name, YL_STR("transfer-encoding"))) {
            return note_coding(r, value, facts);
        }
        break;
    default:
        break;
    }
    return 0;
}

static int
note_host(struct yl_http1_reader *r, struct yl_str value, struct facts *facts)
{
    if (facts->has_host) {
        return fail(r, 400, "there is more than one Host");
    } else if (!is_host(value)) {
        return fail(r, 400, "the Host is malformed");
    }
    facts->has_host = true;
    facts->host = value;
    return 0;
}

static int
note_length(struct yl_http1_reader *r, struct yl_str value,
            struct facts *facts)
{
    size_t i;

    if (facts->has_length) {
        return fail(r, 400, "there is more than one Content-Length");
    }
    facts->has_length = true;
    for (i = 0; i < value.size; i++) {
        if (value.data[i] < '0' || value.data[i] > '9') {
            break;
        }
        if (i < MAX_LENGTH_DIGITS) {
            facts->length = facts->length * 10
                            + (uint64_t) (value.data[i] - '0');
        }
    }
    if (i == 0 || i < value.size) {
        return fail(r, 400, "the Content-Length is not a number");
    } else if (i > MAX_LENGTH_DIGITS) {
        return fail(r, 413, "the Content-Length is too large");
    }
    return 0;
}

static int
note_coding(struct yl_http1_reader *r, struct yl_str value,
            struct facts *facts)
{
    if (facts->has_coding) {
        return fail(r, 400, "there is more than one Transfer-Encoding");
    } else if (r->head.version == 10) {
        return fail(r, 400, "HTTP/1.0 has no Transfer-Encoding");
    } else if (!is_word(value, "chunked")) {
        return fail(r, 501, "the Transfer-Encoding is not \"chunked\"");
    }
    facts->has_coding = true;
    return 0;
}

static int
note_connection(struct yl_http1_reader *r, struct yl_str value,
                struct facts *facts)
{
    bool more = true;

    while (more) {
        struct yl_str option, rest = yl_str_null();

        more = yl_str_cut(value, ',', &option, &rest);
        option = yl_str_trim(more ? option : value);
        value = rest;
        if (option.size && !yl_http1_is_token(option)) {
            return fail(r, 400, "the Connection is malformed");
        }
        facts->close = facts->close || is_word(option, "close");
        facts->keep_alive = facts->keep_alive
                            || is_word(option, "keep-alive");
    }
    return 0;
}

static int
finish_request(struct yl_http1_reader *r, const struct facts *facts)
{
    struct yl_http1_head *head = &r->head;
    size_t i;
    int e;

    if (!facts->has_host && head->version == 11) {
        return fail(r, 400, "there is no Host");
    }
    if (yl_str_is_null(head->host)) {
        head->host = facts->host;
    }
    for (i = 0; facts->has_host && i < head->n_headers; i++) {
        if (yl_str_equal(head->headers[i].name, YL_STR("host"))) {
            r->headers[i].value = head->host;
        }
    }
    e = set_framing(r, facts);
    head->expect_continue = facts->expects
                            && (head->framing == YL_HTTP1_CHUNKED
                                || head->content_length > 0);
    return e;
}

static int
finish_response(struct yl_http1_reader *r, const struct facts *facts)
{
    struct yl_http1_head *head = &r->head;
    struct facts framing = *facts;
    bool never = head->status < 200 || head->status == 204;
    bool bodiless = r->bodiless || never || head->status == 304;
    int e;

    if (never && (facts->has_coding || facts->length > 0)) {
        return fail(r, 400, "a body follows a status that has none");
    }
    if (bodiless) {
        framing.has_length = framing.has_coding = false;
    }
    e = set_framing(r, &framing);
    if (e == 0 && !bodiless && head->framing == YL_HTTP1_NO_BODY) {
        head->framing = YL_HTTP1_UNTIL_CLOSE;
        head->keep_alive = false;
        r->left = r->limits.body;
        r->state = YL__HTTP1_TO_END;
    }
    return e;
}

static int
set_framing(struct yl_http1_reader *r, const struct facts *facts)
{
    struct yl_http1_head *head = &r->head;

    head->keep_alive = !facts->close
                       && (head->version == 11 || facts->keep_alive);
    if (facts->has_coding && facts->has_length) {
        return fail(r, 400, "there are both Content-Length and "
                    "Transfer-Encoding");
    } else if (facts->has_coding) {
        head->framing = YL_HTTP1_CHUNKED;
        r->state = YL__HTTP1_SIZE;
    } else if (facts->has_length) {
        if (facts->length > r->limits.body) {
            return fail(r, 413, "the body is too large");
        }
        head->framing = YL_HTTP1_LENGTH;
        head->content_length = r->left = facts->length;
        r->state = r->left ? YL__HTTP1_BY_LENGTH : YL__HTTP1_DONE;
    } else {
        head->framing = YL_HTTP1_NO_BODY;
        r->state = YL__HTTP1_DONE;
    }
    return 0;
}

static int
fail(struct yl_http1_reader *r, int status, const char *why)
{
    yl_http1_fail(r, status, why);
    return -1;
}
