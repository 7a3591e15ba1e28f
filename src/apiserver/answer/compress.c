/* Compression of answers.  See apiserver/answer/compress.h for the contract.
 *
 *     GATHER --large--> COMPRESS --the source ends--> END
 *        |
 *        +--small, and it has ended--> sent in one piece
 *        +--no memory, or it waits for others--> PLAIN */

#include "apiserver/answer/compress.h"

#include "apiserver/answer/gzip.h"
#include "apiserver/request.h"
#include "base/buf.h"
#include "yuloh/arena.h"

/* The largest piece that a source adds at once. */
#define MAX_PIECE ((size_t) 64 << 20)

struct compression {
    struct yl_api_request *req;
    int http_status;
    struct yl_http_header *headers;     /* With room for two more. */
    size_t n_headers;
    const struct yl_http_source *source;
    void *aux;
    struct yl_str rest;         /* Left of a body used as a source. */
    struct yl_gzip *gzip;
    struct yl_buf plain;        /* What was pulled and is not sent. */
    size_t turn;                /* Bytes since other requests had their
                                 * turn. */
    enum yl_http_pull pulled;   /* The result of the last pull. */
    struct yl_loop_task again;
};

static struct compression *start(struct yl_api_request *, int http_status,
                                 const struct yl_http_header *headers,
                                 size_t n_headers,
                                 const struct yl_http_source *source,
                                 void *aux);
static void gather(struct compression *);
static void answer(struct compression *);
static enum yl_http_pull pull_body(void *compression, struct yl_buf *out);
static enum yl_http_pull pull_plain(void *compression, struct yl_buf *out);
static enum yl_http_pull pull_gzip(void *compression, struct yl_buf *out);

bool
yl_compress_is_asked(const struct yl_api_request *req)
{
    struct yl_str rest = yl_http_header(req->http,
                                        YL_STR("accept-encoding"));
    struct yl_str one;

    while (rest.size) {
        if (!yl_str_cut(rest, ',', &one, &rest)) {
            one = rest;
            rest = yl_str_null();
        }
        if (yl_str_equal(yl_str_trim(one), YL_STR("gzip"))) {
            return true;
        }
    }
    return false;
}

void
yl_compress_respond(struct yl_api_request *req, int http_status,
                    const struct yl_http_header *headers, size_t n_headers,
                    struct yl_str body, bool lent)
{
    static const struct yl_http_source source = { pull_body };
    size_t min = req->compress_over ? req->compress_over : YL_COMPRESS_MIN;
    struct compression *c;

    if (body.size <= min || !yl_compress_is_asked(req)
        || yl_http_charge(req->http, YL_GZIP_MEMORY) < 0) {
        (lent ? yl_http_respond_lent : yl_http_respond)(
            req->http, http_status, headers, n_headers, body);
        return;
    }
    c = start(req, http_status, headers, n_headers, &source, NULL);
    c->aux = c;
    c->rest = lent ? body : yl_arena_copy(req->arena, body);
    c->gzip = yl_gzip_new();
    answer(c);
}

void
yl_compress_respond_source(struct yl_api_request *req, int http_status,
                           const struct yl_http_header *headers,
                           size_t n_headers,
                           const struct yl_http_source *source, void *aux)
{
    if (yl_compress_is_asked(req)) {
        gather(start(req, http_status, headers, n_headers, source, aux));
    } else {
        yl_http_respond_source(req->http, http_status, headers, n_headers,
                               source, aux);
    }
}

static void
release(void *aux)
{
    struct compression *c = aux;

    yl_gzip_free(c->gzip);
    yl_buf_release(&c->plain);
}

static struct compression *
start(struct yl_api_request *req, int http_status,
      const struct yl_http_header *headers, size_t n_headers,
      const struct yl_http_source *source, void *aux)
{
    struct compression *c = yl_arena_zalloc(req->arena, sizeof *c);
    size_t i;

    c->req = req;
    c->http_status = http_status;
    c->headers = yl_arena_array(req->arena, n_headers + 2,
                                sizeof *c->headers);
    c->n_headers = n_headers;
    for (i = 0; i < n_headers; i++) {
        c->headers[i] = headers[i];
    }
    c->source = source;
    c->aux = aux;
    c->pulled = YL_HTTP_MORE;
    yl_buf_init(&c->plain, MAX_PIECE);
    yl_arena_attach(req->arena, release, c);
    return c;
}

static void
gather_again(struct yl_loop_task *task)
{
    struct compression *c = YL_CONTAINER_OF(task, struct compression, again);
    struct yl_api_request *req = c->req;

    if (!req->ended) {
        gather(c);
    }
    yl_api_release(req);
}

/* Pulls until it is clear whether the answer is large enough.  One that waits
 * for somebody else ('cancel') begins at once, uncompressed. */
static void
gather(struct compression *c)
{
    do {
        c->pulled = c->source->pull(c->aux, &c->plain);
    } while (c->pulled == YL_HTTP_MORE && c->plain.size <= YL_COMPRESS_MIN);
    if (c->pulled == YL_HTTP_WAIT && c->plain.size <= YL_COMPRESS_MIN
        && !c->req->cancel) {
        c->again.run = gather_again;
        yl_api_hold(c->req);
        yl_loop_post(c->req->http->loop, &c->again);
        return;
    }
    if (c->plain.size > YL_COMPRESS_MIN
        && yl_http_charge(c->req->http, YL_GZIP_MEMORY) == 0) {
        c->gzip = yl_gzip_new();
    }
    answer(c);
}

static void
answer(struct compression *c)
{
    static const struct yl_http_source plain = { pull_plain };
    static const struct yl_http_source gzip = { pull_gzip };

    if (c->gzip) {
        c->headers[c->n_headers++] = (struct yl_http_header) {
            YL_STR("content-encoding"), YL_STR("gzip")
        };
        if (!c->req->compress_over) {
            c->headers[c->n_headers++] = (struct yl_http_header) {
                YL_STR("vary"), YL_STR("Accept-Encoding")
            };
        }
    } else if (c->pulled == YL_HTTP_END && yl_buf_error(&c->plain) == 0) {
        yl_http_respond_lent(c->req->http, c->http_status, c->headers,
                             c->n_headers, yl_buf_str(&c->plain));
        return;
    }
    yl_http_respond_source(c->req->http, c->http_status, c->headers,
                           c->n_headers, c->gzip ? &gzip : &plain, c);
}

/* A body as a source. */
static enum yl_http_pull
pull_body(void *aux, struct yl_buf *out)
{
    struct compression *c = aux;
    struct yl_str piece = c->rest;

    if (piece.size > YL_HTTP_PIECE) {
        piece.size = YL_HTTP_PIECE;
    }
    yl_buf_append_str(out, piece);
    c->rest = yl_str_skip(c->rest, piece.size);
    return c->rest.size ? YL_HTTP_MORE : YL_HTTP_END;
}

/* Sends what was gathered, and then what the source has, uncompressed. */
static enum yl_http_pull
pull_plain(void *aux, struct yl_buf *out)
{
    struct compression *c = aux;

    if (yl_buf_error(&c->plain)) {
        return YL_HTTP_ABORT;
    }
    if (!c->plain.data) {
        return c->source->pull(c->aux, out);
    }
    yl_buf_append_str(out, yl_buf_str(&c->plain));
    yl_buf_release(&c->plain);
    return c->pulled == YL_HTTP_WAIT ? YL_HTTP_MORE : c->pulled;
}

static enum yl_http_pull
pull_gzip(void *aux, struct yl_buf *out)
{
    struct compression *c = aux;
    size_t before = out->size;

    do {
        if (!c->plain.size && c->pulled != YL_HTTP_END) {
            c->pulled = c->source->pull(c->aux, &c->plain);
        }
        if (c->pulled == YL_HTTP_ABORT || yl_buf_error(&c->plain)) {
            return YL_HTTP_ABORT;
        }
        yl_gzip_add(c->gzip, yl_buf_str(&c->plain), out);
        c->turn += c->plain.size;
        yl_buf_clear(&c->plain);
        if (c->pulled == YL_HTTP_END) {
            yl_gzip_finish(c->gzip, out);
            return YL_HTTP_END;
        }
    } while (out->size == before && c->pulled == YL_HTTP_MORE
             && c->turn < YL_COMPRESS_TURN);
    if (c->turn < YL_COMPRESS_TURN && c->pulled == YL_HTTP_MORE) {
        return YL_HTTP_MORE;
    }
    c->turn = 0;
    if (c->pulled == YL_HTTP_MORE) {
        yl_http_resume(c->req->http);   /* Else the source does that. */
    }
    return YL_HTTP_WAIT;
}
