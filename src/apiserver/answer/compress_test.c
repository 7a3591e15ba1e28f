/* Tests of compression: which answers, how they look, what it may cost. */

#include "apiserver/answer/compress.h"

#include <zlib.h>

#include "net/loop.h"
#include "request_unit.h"

static struct request_unit u;
static struct yl_loop *loop;

static void
start(const char *encodings)
{
    memset(&u, 0, sizeof u);
    request_unit_start(&u, "GET", "/api/v1/pods",
                       encodings ? "accept-encoding" : NULL, encodings,
                       NULL);
    assert_int_equal(yl_loop_new(NULL, &loop, NULL), 0);
    u.http.loop = loop;
}

static void
finish(void)
{
    request_unit_end(&u);
    yl_loop_free(loop);
}

/* How large the answer is when it is unzipped, all of it 'a'. */
static size_t
unzip(void)
{
    static char out[4 << 20];
    z_stream stream = { 0 };

    assert_int_equal(inflateInit2(&stream, 15 + 16), Z_OK);
    stream.next_in = (unsigned char *) u.body.data;
    stream.avail_in = (unsigned int) u.body.size;
    stream.next_out = (unsigned char *) out;
    stream.avail_out = sizeof out;
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_int_equal(stream.avail_in, 0);
    for (size_t i = 0; i < stream.total_out; i++) {
        assert_int_equal(out[i], 'a');
    }
    inflateEnd(&stream);
    return stream.total_out;
}

static bool
is_gzip(void)
{
    bool has_one = request_unit_has(&u, "content-encoding: gzip\n");

    assert_int_equal(has_one, request_unit_has(&u,
                                               "vary: Accept-Encoding\n"));
    return has_one;
}

/* 'n_pieces' pieces of 'size' bytes; each is waited for if 'waits'. */
struct pieces {
    size_t size;
    int n_pieces;
    bool waits, waited;
    enum yl_http_pull last;
};

static enum yl_http_pull
pull(void *aux, struct yl_buf *out)
{
    struct pieces *p = aux;

    if (p->waits && !p->waited) {
        p->waited = true;
        yl_http_resume(&u.http);
        return YL_HTTP_WAIT;
    }
    p->waited = false;
    memset(yl_buf_reserve(out, p->size), 'a', p->size);
    yl_buf_commit(out, p->size);
    return --p->n_pieces ? YL_HTTP_MORE : p->last;
}

static const struct yl_http_source source = { pull };

static void
respond(struct pieces p)
{
    const struct yl_http_header type = {
        YL_STR("content-type"), YL_STR("x/y")
    };

    yl_compress_respond_source(&u.request, 200, &type, 1, &source, &p);
    for (int i = 0; i < 1000 && !u.status; i++) {
        yl_loop_turn(loop, false);
    }
    assert_int_equal(u.status, 200);
    assert_true(request_unit_has(&u, "content-type: x/y\n"));
}

TEST(gzip_must_be_asked_for)
{
    static const struct {
        const char *header;
        bool asks;
    } cases[] = {
        { NULL, false }, { "", false }, { "gzip", true },
        { "deflate", false }, { "*", false }, { "deflate, gzip", true },
        { " gzip ,br", true }, { "gzip;q=1.0", false }, { "GZIP", false },
        { "x-gzip", false }, { ",,gzip", true },
    };

    for (size_t i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        start(cases[i].header);
        assert_int_equal(yl_compress_is_asked(&u.request), cases[i].asks);
        finish();
    }
}

TEST(a_body_is_compressed_if_it_is_large)
{
    static char large[YL_COMPRESS_MIN + 1];

    memset(large, 'a', sizeof large);
    for (int lent = 0; lent < 2; lent++) {
        start("gzip");
        yl_compress_respond(&u.request, 201, NULL, 0,
                            yl_str_n(large, sizeof large), lent);
        assert_int_equal(u.status, 201);
        assert_true(is_gzip());
        assert_int_equal(unzip(), sizeof large);
        finish();

        start("gzip");
        yl_compress_respond(&u.request, 200, NULL, 0,
                            yl_str_n(large, sizeof large - 1), lent);
        assert_false(is_gzip());
        assert_int_equal(u.body.size, sizeof large - 1);
        finish();

        start(NULL);
        yl_compress_respond(&u.request, 200, NULL, 0,
                            yl_str_n(large, sizeof large), lent);
        assert_false(is_gzip());
        assert_int_equal(u.body.size, sizeof large);
        finish();
    }
}

TEST(a_request_may_have_another_limit)
{
    start("gzip");
    u.request.compress_over = 1;
    yl_compress_respond(&u.request, 200, NULL, 0, YL_STR("aaaa"), true);
    assert_true(request_unit_has(&u, "content-encoding: gzip\n"));
    assert_false(request_unit_has(&u, "vary"));
    assert_int_equal(unzip(), 4);
    finish();

    start("gzip");
    u.request.compress_over = SIZE_MAX;
    yl_compress_respond(&u.request, 200, NULL, 0, YL_STR("aaaa"), true);
    assert_str_equal(yl_buf_str(&u.body), "aaaa");
    finish();
}

/* It does not matter in how many pieces it comes, nor whether they are waited
 * for. */
TEST(pieces_are_compressed_if_they_are_many)
{
    for (int waits = 0; waits < 2; waits++) {
        start("gzip");
        respond((struct pieces) { 1 << 10, 128, waits, false, YL_HTTP_END });
        assert_false(is_gzip());
        assert_int_equal(u.body.size, 128 << 10);
        finish();

        start("gzip");
        respond((struct pieces) { 1 << 10, 129, waits, false, YL_HTTP_END });
        assert_true(is_gzip());
        assert_int_equal(unzip(), 129 << 10);
        finish();

        start("gzip");
        respond((struct pieces) { 64 << 10, 40, waits, false, YL_HTTP_END });
        assert_true(is_gzip());
        assert_int_equal(unzip(), 40 * 64 << 10);
        finish();

        start(NULL);
        respond((struct pieces) { 64 << 10, 40, false, false, YL_HTTP_END });
        assert_false(is_gzip());
        assert_int_equal(u.body.size, 40 * 64 << 10);
        finish();
    }
}

TEST(an_answer_that_is_cut_off_is_cut_off)
{
    static const int n_pieces[] = { 1, 40 };

    for (size_t i = 0; i < YL_ARRAY_SIZE(n_pieces); i++) {
        start("gzip");
        respond((struct pieces) { 64 << 10, n_pieces[i], false, false,
                                  YL_HTTP_ABORT });
        assert_true(yl_str_ends_with(yl_buf_str(&u.body),
                                     YL_STR("(cut off)")));
        finish();
    }
}

/* Without memory for it the answer goes out as it is. */
TEST(the_budget_is_asked)
{
    static char large[YL_COMPRESS_MIN + 1];

    start("gzip");
    u.over_budget = true;
    respond((struct pieces) { 64 << 10, 40, true, false, YL_HTTP_END });
    assert_false(is_gzip());
    assert_int_equal(u.body.size, 40 * 64 << 10);
    finish();

    start("gzip");
    u.over_budget = true;
    yl_compress_respond(&u.request, 200, NULL, 0,
                        yl_str_n(large, sizeof large), false);
    assert_false(is_gzip());
    assert_int_equal(u.body.size, sizeof large);
    finish();
}

/* A client that goes while pieces are gathered is not answered. */
TEST(nobody_is_answered_who_has_gone)
{
    struct pieces p = { 1 << 10, 200, true, false, YL_HTTP_END };

    start("gzip");
    yl_compress_respond_source(&u.request, 200, NULL, 0, &source, &p);
    assert_int_equal(u.request.held, 1);
    u.request.ended = true;
    u.request.held++;           /* The test frees it. */
    yl_loop_turn(loop, false);
    assert_int_equal(u.status, 0);
    assert_int_equal(u.request.held, 1);
    finish();
}

/* A source that waits for somebody else, a webhook, has not resumed the
 * request: it is not asked again and again until that has come. */
struct slow {
    size_t size;                /* Of the piece before it waits. */
    int n_pulls;
};

static enum yl_http_pull
pull_slow(void *aux, struct yl_buf *out)
{
    struct slow *slow = aux;
    size_t size = slow->n_pulls++ ? 0 : slow->size;

    memset(yl_buf_reserve(out, size), 'a', size);
    yl_buf_commit(out, size);
    assert_true(slow->n_pulls < 100);
    return size ? YL_HTTP_MORE : YL_HTTP_WAIT;
}

static void
cancel(struct yl_api_request *req YL_UNUSED)
{
}

TEST(a_source_that_waits_for_others_is_left_alone)
{
    static const struct yl_http_source slow_source = { pull_slow };
    static const size_t sizes[] = { 0, 10, YL_COMPRESS_MIN + 1 };

    for (size_t i = 0; i < YL_ARRAY_SIZE(sizes); i++) {
        struct slow slow = { sizes[i], 0 };

        start("gzip");
        u.request.cancel = cancel;
        yl_compress_respond_source(&u.request, 200, NULL, 0, &slow_source,
                                   &slow);
        for (int turn = 0; turn < 200; turn++) {
            yl_loop_turn(loop, false);
        }
        assert_int_equal(u.status, 200);
        assert_int_equal(u.request.held, 0);
        assert_int_equal(is_gzip(), sizes[i] > YL_COMPRESS_MIN);
        finish();
    }
}
