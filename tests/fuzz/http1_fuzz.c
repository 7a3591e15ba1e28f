/* Fuzzes the HTTP/1.1 reader.  Input: a byte of options, one that says how to
 * cut, and the bytes of a peer, perhaps several messages.
 *
 * However the bytes are cut, the result must be the same.  What http-parser
 * accepts as well must be read the same way: our reader may refuse more, but
 * must not find another end, another body or other headers.  A request that
 * was read must be read again after the writer has written it. */

#include "fuzz.h"

#include <http_parser.h>

#include "base/buf.h"
#include "net/http1.h"

/* Bits of the first byte. */
#define OPT_RESPONSES 1
#define OPT_BODILESS 2
#define OPT_SMALL 4

#define MAX_MESSAGES 16

/* A buffer's ceiling: more than any input. */
#define PLENTY ((size_t) 64 << 20)

/* The reader's result for one message. */
struct message {
    struct yl_buf headers;      /* "name: value" and a line feed, each. */
    struct yl_buf target;       /* Path and query. */
    struct yl_buf body;
    struct yl_str method;       /* Lent by the reader. */
    bool complete;
    bool keep_alive;
    bool misleading;            /* http-parser would misread a name. */
    int status;                 /* Of a response. */
    size_t used;
};

/* http-parser's result. */
struct opinion {
    struct yl_buf target;
    struct yl_buf headers;
    struct yl_buf body;
    bool in_value;
    bool has_head;
    bool bodiless;
    bool complete;
    bool keep_alive;
    bool has_trailers;          /* It treats them like headers. */
};

static void read_all(unsigned options, struct yl_str in, unsigned cut,
                     struct yl_buf *log);
static size_t next_part(unsigned *cut, size_t left);
static void init_reader(struct yl_http1_reader *, unsigned options);
static struct yl_str read_one(unsigned options, struct yl_str in);
static void note_head(struct message *, const struct yl_http1_head *);
static bool is_misleading(const struct yl_http1_head *);
static void note_headers(struct yl_buf *, const struct yl_http1_head *);
static void ask_other(unsigned options, struct yl_str in,
                      const struct message *m);
static void write_again(const struct yl_http1_head *,
                        const struct message *m);
static int on_url(http_parser *, const char *at, size_t size);
static int on_name(http_parser *, const char *at, size_t size);
static int on_value(http_parser *, const char *at, size_t size);
static int on_head(http_parser *);
static int on_body(http_parser *, const char *at, size_t size);
static int on_end(http_parser *);
static void end_value(struct opinion *);
static void release(struct message *);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = fuzz_input(data, size);
    unsigned options = fuzz_below(&in, 8);
    unsigned cut = fuzz_below(&in, 256);
    struct yl_buf whole, parts, bytes;
    struct yl_str rest = in.rest;
    int i;

    yl_buf_init(&whole, PLENTY);
    yl_buf_init(&parts, PLENTY);
    yl_buf_init(&bytes, PLENTY);
    read_all(options, in.rest, 0, &whole);
    read_all(options, in.rest, 1, &bytes);
    read_all(options, in.rest, cut + 2, &parts);
    CHECK(yl_str_equal(yl_buf_str(&whole), yl_buf_str(&bytes)));
    CHECK(yl_str_equal(yl_buf_str(&whole), yl_buf_str(&parts)));
    yl_buf_release(&bytes);
    yl_buf_release(&parts);
    yl_buf_release(&whole);

    for (i = 0; i < MAX_MESSAGES && rest.size; i++) {
        rest = read_one(options, rest);
    }
    return 0;
}

/* Reads messages until an error or the end, and writes the events to 'log'.
 * 'cut' is 0 for all at once, 1 for single bytes, else the seed of a sequence
 * of sizes. */
static void
read_all(unsigned options, struct yl_str in, unsigned cut, struct yl_buf *log)
{
    struct yl_http1_reader r;
    struct yl_buf body;
    bool failed = false;

    yl_buf_init(&body, PLENTY);
    init_reader(&r, options);
    while (in.size && !failed) {
        size_t size = next_part(&cut, in.size);
        uint8_t *part = malloc(size);
        struct yl_str left = yl_str_n((char *) part, size);
        enum yl_http1_event event = YL_HTTP1_HEAD;

        CHECK(part);
        memcpy(part, in.data, size);
        in = yl_str_skip(in, size);
        while (event != YL_HTTP1_MORE && !failed) {
            struct yl_str piece;

            event = yl_http1_read(&r, &left, &piece);
            CHECK((event == YL_HTTP1_BODY) == (piece.size > 0));
            yl_buf_append_str(&body, piece);
            if (event == YL_HTTP1_HEAD) {
                note_headers(log, &r.head);
            } else if (event == YL_HTTP1_END) {
                yl_buf_printf(log, "END %zu ", body.size);
                yl_buf_append_str(log, yl_buf_str(&body));
                yl_buf_clear(&body);
                CHECK(!yl_http1_reader_is_busy(&r));
                yl_http1_reader_next(&r);
            }
            failed = event == YL_HTTP1_ERROR;
        }
        CHECK(failed || left.size == 0);
        free(part);
    }
    yl_buf_append_str(log, yl_buf_str(&body));
    yl_buf_printf(log, "LAST %d ", (int) yl_http1_read_eof(&r));
    if (r.why) {
        yl_buf_printf(log, "%d %s", r.status, r.why);
    }
    yl_http1_reader_release(&r);
    yl_buf_release(&body);
}

static size_t
next_part(unsigned *cut, size_t left)
{
    size_t n;

    if (*cut < 2) {
        return *cut ? 1 : left;
    }
    *cut = *cut * 1103515245u + 12345u;
    n = (*cut >> 16) % 64 + 1;
    *cut |= 2;
    return n < left ? n : left;
}

static void
init_reader(struct yl_http1_reader *r, unsigned options)
{
    static const struct yl_http1_limits small = {
        .target = 32, .head = 128, .n_headers = 4, .body = 16, .extras = 16,
    };

    yl_http1_reader_init(
        r, options & OPT_RESPONSES ? YL_HTTP1_RESPONSES : YL_HTTP1_REQUESTS,
        options & OPT_SMALL ? &small : NULL);
    if (options & OPT_BODILESS) {
        yl_http1_reader_bodiless(r);
    }
}

/* Reads the first message and compares.  Returns the bytes behind it. */
static struct yl_str
read_one(unsigned options, struct yl_str in)
{
    struct message m = { 0 };
    struct yl_http1_reader r;
    struct yl_str left = in;
    bool failed = false;

    yl_buf_init(&m.headers, PLENTY);
    yl_buf_init(&m.target, PLENTY);
    yl_buf_init(&m.body, PLENTY);
    init_reader(&r, options);
    while (!m.complete && !failed) {
        struct yl_str piece;

        switch (yl_http1_read(&r, &left, &piece)) {
        case YL_HTTP1_HEAD:
            note_head(&m, &r.head);
            break;
        case YL_HTTP1_BODY:
            yl_buf_append_str(&m.body, piece);
            break;
        case YL_HTTP1_END:
            m.complete = true;
            break;
        case YL_HTTP1_MORE:
            if (yl_http1_read_eof(&r) == YL_HTTP1_MORE) {
                failed = true;
            }
            break;
        case YL_HTTP1_ERROR:
        default:
            failed = true;
            CHECK(r.why && r.status >= 400);
            break;
        }
    }
    if (m.complete) {
        m.used = in.size - left.size;
        if (!m.misleading) {
            ask_other(options, in, &m);
        }
        if (!(options & (OPT_RESPONSES | OPT_SMALL))
            && r.head.version == 11) {
            write_again(&r.head, &m);
        }
    }
    release(&m);
    yl_http1_reader_release(&r);
    return failed ? yl_str_null() : left;
}

static void
note_head(struct message *m, const struct yl_http1_head *head)
{
    note_headers(&m->headers, head);
    m->misleading = is_misleading(head);
    m->method = head->method;
    m->status = head->status;
    m->keep_alive = head->keep_alive;
    yl_buf_append_str(&m->target, head->path);
    if (!yl_str_is_null(head->query)) {
        yl_buf_append_char(&m->target, '?');
        yl_buf_append_str(&m->target, head->query);
    }
    if (!head->status) {
        size_t i;

        CHECK(head->path.size && head->path.data[0] == '/');
        for (i = 0; i < m->target.size; i++) {
            CHECK(m->target.data[i] > ' ' && m->target.data[i] < 0x7f);
        }
    }
}

/* http-parser takes "transfer-encoding%" for the name without its last
 * character. */
static bool
is_misleading(const struct yl_http1_head *head)
{
    struct yl_str coding = YL_STR("transfer-encoding");
    size_t i;

    for (i = 0; i < head->n_headers; i++) {
        if (head->headers[i].name.size > coding.size
            && yl_str_starts_with(head->headers[i].name, coding)) {
            return true;
        }
    }
    return false;
}

/* Names are lower case, values are trimmed. */
static void
note_headers(struct yl_buf *out, const struct yl_http1_head *head)
{
    size_t i, j;

    for (i = 0; i < head->n_headers; i++) {
        struct yl_str name = head->headers[i].name;
        struct yl_str value = head->headers[i].value;

        CHECK(name.size > 0);
        for (j = 0; j < name.size; j++) {
            CHECK(name.data[j] > ' ' && name.data[j] < 0x7f);
            CHECK(name.data[j] < 'A' || name.data[j] > 'Z');
        }
        CHECK(yl_str_equal(yl_str_trim(value), value));
        yl_buf_append_str(out, name);
        yl_buf_append_str(out, YL_STR(": "));
        yl_buf_append_str(out, value);
        yl_buf_append_char(out, '\n');
    }
}

/* Runs http-parser on the same bytes.  It stops after the first message. */
static void
ask_other(unsigned options, struct yl_str in, const struct message *m)
{
    struct http_parser_settings calls;
    struct opinion o = { .bodiless = options & OPT_BODILESS };
    struct http_parser p;
    size_t used;

    yl_buf_init(&o.target, PLENTY);
    yl_buf_init(&o.headers, PLENTY);
    yl_buf_init(&o.body, PLENTY);
    http_parser_settings_init(&calls);
    calls.on_url = on_url;
    calls.on_header_field = on_name;
    calls.on_header_value = on_value;
    calls.on_headers_complete = on_head;
    calls.on_body = on_body;
    calls.on_message_complete = on_end;
    http_parser_init(&p, options & OPT_RESPONSES ? HTTP_RESPONSE
                                                 : HTTP_REQUEST);
    p.data = &o;
    used = http_parser_execute(&p, &calls, in.data, in.size);
    if (!o.complete && HTTP_PARSER_ERRNO(&p) == HPE_OK && !p.upgrade) {
        http_parser_execute(&p, &calls, in.data, 0);
    }

    /* After an upgrade it stops parsing HTTP; here that is decided by the
     * server. */
    if (!p.upgrade && (o.complete || HTTP_PARSER_ERRNO(&p) == HPE_OK)) {
        CHECK(o.complete);
        CHECK(used == m->used);
        CHECK(yl_str_equal(yl_buf_str(&o.body), yl_buf_str(&m->body)));

        /* It may miss a "keep-alive" of HTTP/1.0 after an empty option. */
        CHECK(o.keep_alive || o.has_trailers || !m->keep_alive
              || p.http_minor == 0);
        if (options & OPT_RESPONSES) {
            CHECK((int) p.status_code == m->status);
        } else {
            enum http_method method = (enum http_method) p.method;

            CHECK(yl_str_equal_c(m->method, http_method_str(method)));
        }
        if (o.target.size == 0 || o.target.data[0] == '/') {
            CHECK(yl_str_equal(yl_buf_str(&o.target),
                               yl_buf_str(&m->target)));
            CHECK(yl_str_equal(yl_buf_str(&o.headers),
                               yl_buf_str(&m->headers)));
        }
    }
    yl_buf_release(&o.target);
    yl_buf_release(&o.headers);
    yl_buf_release(&o.body);
}

/* Writes a request with the same contents in chunks of its own. */
static void
write_again(const struct yl_http1_head *head, const struct message *m)
{
    static const struct yl_http1_limits roomy = { .head = PLENTY,
                                                  .n_headers = 1024 };
    struct yl_http_header *headers =
        calloc(head->n_headers + 1, sizeof *headers);
    struct yl_http1_out o = { .headers = headers,
                              .framing = YL_HTTP1_CHUNKED };
    struct yl_http1_reader r;
    struct yl_buf out;
    struct yl_str in, piece;
    size_t i;

    CHECK(headers);
    yl_buf_init(&out, PLENTY);
    for (i = 0; i < head->n_headers; i++) {
        if (!yl_str_equal(head->headers[i].name, YL_STR("content-length"))
            && !yl_str_equal(head->headers[i].name,
                             YL_STR("transfer-encoding"))) {
            headers[o.n_headers++] = head->headers[i];
        }
    }
    CHECK(yl_http1_write_request(&out, head->method, yl_buf_str(&m->target),
                                 &o) == 0);
    yl_http1_write_chunk(&out, yl_buf_str(&m->body));
    yl_http1_write_last_chunk(&out);

    /* The transfer coding may be one header more. */
    yl_http1_reader_init(&r, YL_HTTP1_REQUESTS, &roomy);
    in = yl_buf_str(&out);
    CHECK(yl_http1_read(&r, &in, &piece) == YL_HTTP1_HEAD);
    CHECK(r.head.n_headers == o.n_headers + 1);
    for (i = 0; i < o.n_headers; i++) {
        CHECK(yl_str_equal(r.head.headers[i].name, headers[i].name));
        CHECK(yl_str_equal(r.head.headers[i].value, headers[i].value));
    }
    CHECK(yl_str_equal(r.head.path, head->path));
    CHECK(yl_str_equal(r.head.query, head->query));
    if (m->body.size) {
        CHECK(yl_http1_read(&r, &in, &piece) == YL_HTTP1_BODY);
        CHECK(yl_str_equal(piece, yl_buf_str(&m->body)));
    }
    CHECK(yl_http1_read(&r, &in, &piece) == YL_HTTP1_END && in.size == 0);
    yl_http1_reader_release(&r);
    yl_buf_release(&out);
    free(headers);
}

static int
on_url(http_parser *p, const char *at, size_t size)
{
    struct opinion *o = p->data;

    yl_buf_append(&o->target, at, size);
    return 0;
}

static int
on_name(http_parser *p, const char *at, size_t size)
{
    struct opinion *o = p->data;
    size_t i;

    if (o->has_head) {
        o->has_trailers = true;
        return 0;
    }
    end_value(o);
    for (i = 0; i < size; i++) {
        bool upper = at[i] >= 'A' && at[i] <= 'Z';

        yl_buf_append_char(&o->headers, (char) (upper ? at[i] | 0x20 : at[i]));
    }
    return 0;
}

static int
on_value(http_parser *p, const char *at, size_t size)
{
    struct opinion *o = p->data;

    if (o->has_head) {
        return 0;
    }
    if (!o->in_value) {
        yl_buf_append_str(&o->headers, YL_STR(": "));
        o->in_value = true;
    }
    yl_buf_append_str(&o->headers,
                      yl_str_trim(yl_str_n(size ? at : "", size)));
    return 0;
}

static int
on_head(http_parser *p)
{
    struct opinion *o = p->data;

    end_value(o);
    o->has_head = true;

    /* http-parser leaves it to its user that a 304 has no body. */
    return p->type == HTTP_RESPONSE && (o->bodiless || p->status_code == 304);
}

static int
on_body(http_parser *p, const char *at, size_t size)
{
    struct opinion *o = p->data;

    yl_buf_append(&o->body, at, size);
    return 0;
}

static int
on_end(http_parser *p)
{
    struct opinion *o = p->data;

    o->complete = true;
    o->keep_alive = http_should_keep_alive(p);
    http_parser_pause(p, 1);
    return 0;
}

static void
end_value(struct opinion *o)
{
    if (o->in_value) {
        yl_buf_append_char(&o->headers, '\n');
        o->in_value = false;
    }
}

static void
release(struct message *m)
{
    yl_buf_release(&m->headers);
    yl_buf_release(&m->target);
    yl_buf_release(&m->body);
}
