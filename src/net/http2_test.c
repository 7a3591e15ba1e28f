/* Tests of the HTTP/2 machine: a client's and a server's, and bytes between
 * them.  What a server does for its connections is in conn_http2_test.c. */

#include "net/http2.h"

#include <stdlib.h>

#include "unit.h"
#include "yuloh/error.h"

/* What one end knows of a stream. */
struct talk {
    struct yl_http2_stream stream;
    struct end *end;
    struct yl_buf log;          /* What has happened, in words. */
    struct yl_buf heard;        /* The other side's body. */
    struct yl_str body;         /* Ours, and how much of it there is now. */
    size_t available;
    bool aborts;
    bool closed;
    uint32_t error;
};

struct end {
    struct yl_http2 *h2;
    struct yl_buf out;
    struct talk talks[16];
    size_t n_talks;
    bool lazy;                  /* Does not consume. */
    int n_goaways, n_pongs;
    int32_t last_id;
};

static struct talk *
talk_of(struct yl_http2_stream *stream)
{
    return YL_CONTAINER_OF(stream, struct talk, stream);
}

static struct talk *
new_talk(struct end *end)
{
    struct talk *talk = &end->talks[end->n_talks++];

    assert_true(end->n_talks <= YL_ARRAY_SIZE(end->talks));
    memset(talk, 0, sizeof *talk);
    talk->end = end;
    talk->body = YL_STR("");
    yl_buf_init(&talk->log, 1 << 20);
    yl_buf_init(&talk->heard, 64 << 20);
    return talk;
}

static struct yl_http2_stream *
on_open(void *aux)
{
    return &new_talk(aux)->stream;
}

static void
on_header(void *aux, struct yl_http2_stream *stream, struct yl_str name,
          struct yl_str value)
{
    assert_ptr_equal(talk_of(stream)->end, aux);
    yl_buf_printf(&talk_of(stream)->log, "%.*s=%.*s ", YL_STR_ARG(name),
                  YL_STR_ARG(value));
}

static void
on_head(void *aux YL_UNUSED, struct yl_http2_stream *stream, bool last)
{
    yl_buf_append_c(&talk_of(stream)->log, last ? "HEAD. " : "HEAD ");
}

static void
on_data(void *aux, struct yl_http2_stream *stream, struct yl_str piece,
        bool last YL_UNUSED)
{
    struct end *end = aux;

    yl_buf_append_str(&talk_of(stream)->heard, piece);
    if (!end->lazy) {
        yl_http2_consume(end->h2, stream, piece.size);
    }
}

static void
on_end(void *aux YL_UNUSED, struct yl_http2_stream *stream)
{
    yl_buf_append_c(&talk_of(stream)->log, "END ");
}

static ptrdiff_t
on_ready(void *aux YL_UNUSED, struct yl_http2_stream *stream, size_t max,
         bool *ret_last)
{
    struct talk *talk = talk_of(stream);
    size_t n = talk->available < max ? talk->available : max;

    if (talk->aborts) {
        return YL_HTTP2_ABORT;
    }
    *ret_last = n == talk->body.size;
    return n || *ret_last ? (ptrdiff_t) n : YL_HTTP2_WAIT;
}

static void
on_append(void *aux YL_UNUSED, struct yl_http2_stream *stream,
          struct yl_buf *out, size_t n)
{
    struct talk *talk = talk_of(stream);

    assert_true(n <= talk->available);
    yl_buf_append(out, talk->body.data, n);
    talk->body = yl_str_skip(talk->body, n);
    talk->available -= n;
}

static void
on_close(void *aux YL_UNUSED, struct yl_http2_stream *stream, uint32_t error)
{
    struct talk *talk = talk_of(stream);

    assert_false(talk->closed);
    talk->closed = true;
    talk->error = error;
}

static void
on_goaway(void *aux, int32_t last_id, uint32_t error YL_UNUSED)
{
    ((struct end *) aux)->n_goaways++;
    ((struct end *) aux)->last_id = last_id;
}

static void
on_pong(void *aux)
{
    ((struct end *) aux)->n_pongs++;
}

static const struct yl_http2_events events = {
    on_open, on_header, on_head, on_data, on_end, on_ready, on_append,
    on_close, on_goaway, on_pong,
};

struct pair {
    struct end client, server;
    yl_msec now;
    int client_result, server_result;   /* Of the last receives. */
    size_t piece;               /* Bytes that a receive gets; 0: all. */
};

static struct pair *
pair_new(struct yl_http2_opts client, struct yl_http2_opts server)
{
    struct pair *p = calloc(1, sizeof *p);

    p->now = 1000;
    yl_buf_init(&p->client.out, 64 << 20);
    yl_buf_init(&p->server.out, 64 << 20);
    p->client.h2 = yl_http2_new(YL_HTTP2_CLIENT, &client, &events,
                                &p->client, p->now);
    p->server.h2 = yl_http2_new(YL_HTTP2_SERVER, &server, &events,
                                &p->server, p->now);
    return p;
}

/* Every stream must have been closed once. */
static void
pair_free(struct pair *p)
{
    struct end *ends[] = { &p->client, &p->server };

    for (size_t i = 0; i < 2; i++) {
        yl_http2_free(ends[i]->h2);
        for (size_t j = 0; j < ends[i]->n_talks; j++) {
            assert_true(ends[i]->talks[j].closed
                        || !ends[i]->talks[j].stream.id);
            yl_buf_release(&ends[i]->talks[j].log);
            yl_buf_release(&ends[i]->talks[j].heard);
        }
        yl_buf_release(&ends[i]->out);
    }
    free(p);
}

/* Hands over bytes in pieces.  What the last receive returned. */
static int
receive(struct pair *p, struct end *to, struct yl_str bytes)
{
    int r = 0;

    do {
        size_t n = p->piece && p->piece < bytes.size ? p->piece : bytes.size;

        r = yl_http2_receive(to->h2, yl_str_n(bytes.data, n), p->now);
        bytes = yl_str_skip(bytes, n);
    } while (r == 0 && bytes.size);
    return r;
}

/* Carries bytes between both ends until neither has more to send. */
static void
carry(struct pair *p)
{
    size_t n;

    do {
        while (yl_http2_produce(p->client.h2, &p->client.out, 1000, p->now)
               > 0) {
        }
        n = p->client.out.size;
        p->server_result = receive(p, &p->server, yl_buf_str(&p->client.out));
        yl_buf_clear(&p->client.out);
        while (yl_http2_produce(p->server.h2, &p->server.out, 1000, p->now)
               > 0) {
        }
        n += p->server.out.size;
        p->client_result = receive(p, &p->client, yl_buf_str(&p->server.out));
        yl_buf_clear(&p->server.out);
    } while (n && !p->client_result && !p->server_result);
}

/* Asks; what is in 'body' is sent as far as it is available. */
static struct talk *
ask(struct pair *p, const char *method, const char *target)
{
    struct yl_http_header header = {
        YL_STR_INIT("accept"), YL_STR_INIT("any\nthing")
    };
    struct yl_http2_request request = {
        .method = yl_str_c(method), .scheme = YL_STR("https"),
        .authority = YL_STR("h"), .target = yl_str_c(target),
        .headers = &header, .n_headers = 1,
    };
    struct talk *talk = new_talk(&p->client);

    assert_int_equal(yl_http2_request(p->client.h2, &talk->stream, &request),
                     0);
    return talk;
}

static const char *
log_of(struct talk *talk)
{
    return yl_buf_c_str(&talk->log);
}

TEST(a_request_is_answered)
{
    struct yl_http_header headers[] = {
        { YL_STR_INIT("x-bad"), YL_STR_INIT("a\r\nb") },
        { YL_STR_INIT("not a name"), YL_STR_INIT("c") },
        { YL_STR_INIT(":status"), YL_STR_INIT("500") },
    };
    struct pair *p = pair_new((struct yl_http2_opts) { 0 },
                              (struct yl_http2_opts) { 0 });
    struct talk *asked = ask(p, "GET", "/a?b");
    struct talk *served;

    carry(p);
    assert_int_equal(p->server.n_talks, 1);
    served = &p->server.talks[0];
    assert_int_equal(served->stream.id, asked->stream.id);
    assert_string_equal(log_of(served), ":method=GET :scheme=https "
                        ":authority=h :path=/a?b accept=any thing HEAD. ");
    assert_int_equal(yl_http2_n_streams(p->client.h2), 1);
    served->body = YL_STR("the answer");
    served->available = 4;
    assert_int_equal(yl_http2_respond(p->server.h2, &served->stream, 200,
                                      headers, 3, true), 0);
    carry(p);
    assert_string_equal(log_of(asked), ":status=200 x-bad=a  b HEAD ");
    assert_str_equal(yl_buf_str(&asked->heard), "the ");
    assert_false(asked->closed);

    /* A body that waits goes on. */
    served->available = 6;
    yl_http2_resume(p->server.h2, &served->stream);
    carry(p);
    assert_str_equal(yl_buf_str(&asked->heard), "the answer");
    assert_string_equal(log_of(asked), ":status=200 x-bad=a  b HEAD END ");
    assert_true(asked->closed);
    assert_true(served->closed);
    assert_int_equal(asked->error, YL_HTTP2_NO_ERROR);
    assert_int_equal(yl_http2_n_streams(p->client.h2), 0);
    assert_int_equal(yl_http2_n_streams(p->server.h2), 0);
    pair_free(p);
}

TEST(events_do_not_depend_on_how_bytes_are_divided)
{
    for (size_t piece = 1; piece < 40; piece++) {
        struct pair *p = pair_new((struct yl_http2_opts) { 0 },
                                  (struct yl_http2_opts) { 0 });
        struct talk *asked, *served;

        p->piece = piece;
        asked = ask(p, "GET", "/a?b");
        carry(p);
        assert_int_equal(p->server.n_talks, 1);
        served = &p->server.talks[0];
        assert_string_equal(log_of(served), ":method=GET :scheme=https "
                            ":authority=h :path=/a?b accept=any thing "
                            "HEAD. ");
        served->body = YL_STR("the answer");
        served->available = 10;
        assert_int_equal(yl_http2_respond(p->server.h2, &served->stream, 200,
                                          NULL, 0, true), 0);
        carry(p);
        assert_str_equal(yl_buf_str(&asked->heard), "the answer");
        assert_string_equal(log_of(asked), ":status=200 HEAD END ");
        assert_true(asked->closed);
        assert_true(served->closed);
        pair_free(p);
    }
}

TEST(a_body_goes_up_and_a_100_comes_down)
{
    struct pair *p = pair_new((struct yl_http2_opts) { 0 },
                              (struct yl_http2_opts) { 0 });
    struct talk *asked = new_talk(&p->client);
    struct yl_http2_request request = {
        YL_STR("POST"), YL_STR("http"), YL_STR("h"), YL_STR("/"), NULL, 0,
        true
    };
    struct talk *served;

    asked->body = YL_STR("body");
    assert_int_equal(yl_http2_request(p->client.h2, &asked->stream, &request),
                     0);
    carry(p);
    served = &p->server.talks[0];
    yl_http2_continue(p->server.h2, &served->stream);
    carry(p);
    assert_string_equal(log_of(asked), ":status=100 HEAD ");
    asked->available = 4;
    yl_http2_resume(p->client.h2, &asked->stream);
    carry(p);
    assert_str_equal(yl_buf_str(&served->heard), "body");
    assert_non_null(strstr(log_of(served), "HEAD END "));
    yl_http2_respond(p->server.h2, &served->stream, 201, NULL, 0, false);
    carry(p);
    assert_string_equal(log_of(asked),
                        ":status=100 HEAD :status=201 HEAD. ");
    assert_true(asked->closed);
    pair_free(p);
}

TEST(an_answer_before_the_body_resets_without_an_error)
{
    struct pair *p = pair_new((struct yl_http2_opts) { 0 },
                              (struct yl_http2_opts) { 0 });
    struct talk *asked = new_talk(&p->client);
    struct yl_http2_request request = {
        YL_STR("POST"), YL_STR("http"), YL_STR("h"), YL_STR("/"), NULL, 0,
        true
    };

    asked->body = YL_STR("body");
    yl_http2_request(p->client.h2, &asked->stream, &request);
    carry(p);
    yl_http2_respond(p->server.h2, &p->server.talks[0].stream, 403, NULL, 0,
                     false);
    carry(p);
    assert_string_equal(log_of(asked), ":status=403 HEAD. ");
    assert_true(asked->closed);
    assert_int_equal(asked->error, YL_HTTP2_NO_ERROR);
    pair_free(p);
}

/* A body is read bit by bit, as that of a watch, by a client that says when to
 * go on. */
TEST(windows_grow_by_what_is_consumed)
{
    enum { SIZE = 100000 };
    char *bytes = calloc(1, SIZE);
    struct pair *p = pair_new(
        (struct yl_http2_opts) { .stream_window = 1000,
                                 .connection_window = 70000 },
        (struct yl_http2_opts) { 0 });
    struct talk *asked = ask(p, "GET", "/");
    struct talk *served;

    p->client.lazy = true;
    carry(p);
    served = &p->server.talks[0];
    assert_int_equal(yl_http2_window(p->server.h2, &served->stream), 1000);
    served->body = yl_str_n(bytes, SIZE);
    served->available = SIZE;
    yl_http2_respond(p->server.h2, &served->stream, 200, NULL, 0, true);
    carry(p);
    assert_int_equal(asked->heard.size, 1000);
    assert_int_equal(yl_http2_window(p->server.h2, &served->stream), 0);
    yl_http2_consume(p->client.h2, &asked->stream, 800);
    carry(p);
    assert_int_equal(asked->heard.size, 1800);
    yl_http2_consume(p->client.h2, &asked->stream, 1000);
    p->client.lazy = false;
    carry(p);
    assert_int_equal(asked->heard.size, SIZE);
    assert_true(asked->closed);
    pair_free(p);
    free(bytes);
}

TEST(a_body_that_is_aborted_does_not_look_complete)
{
    struct pair *p = pair_new((struct yl_http2_opts) { 0 },
                              (struct yl_http2_opts) { 0 });
    struct talk *asked = ask(p, "GET", "/");

    carry(p);
    p->server.talks[0].aborts = true;
    yl_http2_respond(p->server.h2, &p->server.talks[0].stream, 200, NULL, 0,
                     true);
    carry(p);
    assert_string_equal(log_of(asked), ":status=200 HEAD ");
    assert_true(asked->closed);
    assert_int_equal(asked->error, YL_HTTP2_INTERNAL_ERROR);
    pair_free(p);
}

TEST(either_side_can_reset_a_stream)
{
    struct pair *p = pair_new((struct yl_http2_opts) { 0 },
                              (struct yl_http2_opts) { 0 });
    struct talk *one = ask(p, "GET", "/1");
    struct talk *two = ask(p, "GET", "/2");

    carry(p);
    yl_http2_reset(p->client.h2, &one->stream, YL_HTTP2_CANCEL);
    yl_http2_reset(p->server.h2, &p->server.talks[1].stream,
                   YL_HTTP2_REFUSED_STREAM);
    carry(p);
    assert_true(one->closed);
    assert_int_equal(p->server.talks[0].error, YL_HTTP2_CANCEL);
    assert_true(two->closed);
    assert_int_equal(two->error, YL_HTTP2_REFUSED_STREAM);
    pair_free(p);
}

TEST(streams_beyond_what_the_server_allows_wait)
{
    struct pair *p = pair_new((struct yl_http2_opts) { 0 },
                              (struct yl_http2_opts) { .max_streams = 2 });
    struct talk *asked[4];

    carry(p);
    for (int i = 0; i < 4; i++) {
        asked[i] = ask(p, "GET", "/");
    }
    carry(p);
    assert_int_equal(p->server.n_talks, 2);
    assert_int_equal(yl_http2_n_streams(p->client.h2), 4);
    for (int i = 0; i < 4; i++) {
        yl_http2_respond(p->server.h2, &p->server.talks[i].stream, 204, NULL,
                         0, false);
        carry(p);
        assert_true(asked[i]->closed);
    }
    assert_int_equal(p->server.n_talks, 4);
    pair_free(p);
}

TEST(a_server_that_goes_away_ends_what_it_has_begun)
{
    struct pair *p = pair_new((struct yl_http2_opts) { 0 },
                              (struct yl_http2_opts) { .max_streams = 1 });
    struct yl_http2_request request = {
        YL_STR("GET"), YL_STR("http"), YL_STR("h"), YL_STR("/"), NULL, 0,
        false
    };
    struct talk *begun, *waiting, *late;

    carry(p);
    begun = ask(p, "GET", "/1");
    waiting = ask(p, "GET", "/2");
    carry(p);
    yl_http2_go_away(p->server.h2);
    carry(p);
    assert_int_equal(p->client.n_goaways, 1);
    assert_int_equal(p->client.last_id, begun->stream.id);
    assert_false(begun->closed);

    /* A request that was never sent can be sent elsewhere. */
    late = new_talk(&p->client);
    assert_int_equal(yl_http2_request(p->client.h2, &late->stream, &request),
                     YL_EUNAVAILABLE);
    yl_http2_respond(p->server.h2, &p->server.talks[0].stream, 204, NULL, 0,
                     false);
    carry(p);
    assert_true(begun->closed);
    assert_int_equal(begun->error, YL_HTTP2_NO_ERROR);
    assert_true(waiting->closed);
    assert_int_equal(waiting->error, YL_HTTP2_REFUSED_STREAM);
    assert_true(yl_http2_is_over(p->server.h2));
    assert_true(yl_http2_is_over(p->client.h2));
    pair_free(p);
}

TEST(a_connection_is_terminated)
{
    struct pair *p = pair_new((struct yl_http2_opts) { 0 },
                              (struct yl_http2_opts) { 0 });
    struct talk *asked = ask(p, "GET", "/");

    carry(p);
    assert_false(yl_http2_is_over(p->server.h2));
    yl_http2_terminate(p->server.h2, YL_HTTP2_ENHANCE_YOUR_CALM);
    carry(p);
    assert_true(yl_http2_is_over(p->server.h2));
    assert_int_equal(p->client.n_goaways, 1);
    assert_false(asked->closed && asked->error == YL_HTTP2_NO_ERROR);
    pair_free(p);
}

TEST(pings_are_answered)
{
    struct pair *p = pair_new((struct yl_http2_opts) { 0 },
                              (struct yl_http2_opts) { 0 });

    yl_http2_ping(p->client.h2);
    carry(p);
    assert_int_equal(p->client.n_pongs, 1);
    assert_int_equal(p->server.n_pongs, 0);
    pair_free(p);
}

TEST(produce_stops_where_there_is_no_room)
{
    enum { SIZE = 60000 };
    char *bytes = calloc(1, SIZE);
    struct pair *p = pair_new((struct yl_http2_opts) { 0 },
                              (struct yl_http2_opts) { 0 });
    struct talk *served;
    int n = 0;

    ask(p, "GET", "/");
    carry(p);
    served = &p->server.talks[0];
    served->body = yl_str_n(bytes, SIZE);
    served->available = SIZE;
    yl_http2_respond(p->server.h2, &served->stream, 200, NULL, 0, true);
    assert_int_equal(yl_http2_produce(p->server.h2, &p->server.out, 0,
                                      p->now), 1);
    assert_int_equal(p->server.out.size, 0);
    while (yl_http2_produce(p->server.h2, &p->server.out, 20000, p->now)
           > 0) {
        assert_in_range(p->server.out.size, 20000, 20000 + 16384 + 9);
        yl_buf_clear(&p->server.out);
        n++;
    }
    assert_int_equal(n, 1);
    pair_free(p);
    free(bytes);
}

TEST(garbage_ends_the_connection)
{
    struct pair *p = pair_new((struct yl_http2_opts) { 0 },
                              (struct yl_http2_opts) { 0 });

    assert_int_equal(yl_http2_receive(p->server.h2,
                                      YL_STR("GET / HTTP/1.1\r\n\r\n......"),
                                      p->now), YL_EINVALID);
    pair_free(p);
    yl_http2_free(NULL);
}

TEST(resets_are_counted_by_the_clock_that_is_given)
{
    struct pair *p = pair_new(
        (struct yl_http2_opts) { 0 },
        (struct yl_http2_opts) { .max_streams = 1, .max_resets = 1 });

    for (int i = 0; i < 4; i++) {
        struct talk *asked = ask(p, "GET", "/");

        carry(p);
        yl_http2_reset(p->client.h2, &asked->stream, YL_HTTP2_NO_ERROR);
        p->now += i == 1 ? 1000 : 0;
        carry(p);
        assert_int_equal(p->client.n_goaways, i == 3);
    }
    pair_free(p);
}

/* A machine that is freed in the middle of everything. */
TEST(streams_that_are_open_are_closed_by_the_end)
{
    struct pair *p = pair_new((struct yl_http2_opts) { 0 },
                              (struct yl_http2_opts) { 0 });

    ask(p, "GET", "/1");
    carry(p);
    ask(p, "GET", "/2");
    assert_int_equal(yl_http2_n_streams(p->client.h2), 2);
    assert_false(yl_list_is_empty(yl_http2_streams(p->client.h2)));
    pair_free(p);
}
