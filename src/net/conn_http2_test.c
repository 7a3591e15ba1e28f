/* Tests of HTTP/2 on connections, against a client of nghttp2's own. */

#include "net/conn_http2.h"

#include "http2_rig.h"
#include "net/conn.h"

TEST(requests_are_answered)
{
    struct upload upload = { YL_STR_INIT("body"), false };
    const struct answer *answer;
    struct client *c;

    rig_serve((struct yl_http_server_opts) { 0 });
    c = dial(65535);
    answer = ask(c, "GET", "/a/b?c=d", NULL);
    assert_int_equal(answer->status, 200);
    assert_str_equal(yl_buf_str(&answer->body), "GET /a/b?c=d [] 20 h");
    assert_string_equal(answer->length, "20");
    assert_true(answer->ended);
    answer = ask(c, "POST", "/p", &upload);
    assert_str_equal(yl_buf_str(&answer->body), "POST /p? [body] 20 h");
    answer = ask(c, "HEAD", "/p", NULL);
    assert_int_equal(answer->body.size, 0);
    assert_string_equal(answer->length, "16");
    assert_int_equal(rig.n_finished, 3);
    assert_int_equal(rig_stats().n_requests, 0);
    assert_int_equal(rig_stats().budget_used, 0);
    hang_up(c);
    rig_stop();
}

TEST(a_preface_in_pieces_is_still_http2)
{
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    fd = rig_dial(false);
    rig_say(fd, YL_STR("P"));
    rig_turn(2);
    rig_say(fd, YL_STR("R"));
    rig_turn(2);
    rig_ask(fd, "I * HTTP/2.0\r\n\r\nSM\r\n\r\n", "");
    assert_int_equal(rig_stats().n_connections, 1);
    close(fd);

    fd = rig_dial(false);
    rig_say(fd, YL_STR("P"));
    rig_turn(2);
    rig_ask(fd, "OST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
            "POST /? [] 11");
    close(fd);

    fd = rig_dial(false);
    assert_true(rig_ask(fd, "PRI * HTTP/2.0 and then nonsense", ""));
    close(fd);
    rig_stop();
}

TEST(requests_run_side_by_side)
{
    const struct answer *answer;
    struct client *c;
    int32_t slow;

    rig_serve((struct yl_http_server_opts) { 0 });
    c = dial(65535);
    slow = start(c, "GET", "/later", NULL);
    answer = ask(c, "GET", "/quick", NULL);
    assert_true(answer->ended);
    assert_false(c->answers[slow].ended);
    yl_http_respond(rig.kept, 201, NULL, 0, YL_STR("done"));
    talk(c);
    assert_int_equal(c->answers[slow].status, 201);
    assert_str_equal(yl_buf_str(&c->answers[slow].body), "done");
    hang_up(c);
    rig_stop();
}

TEST(large_answers_follow_the_window)
{
    static const char *const paths[] = { "/big", "/copied", "/source" };
    char *bytes = malloc(3 << 20);
    struct client *c;

    memset(bytes, 's', 3 << 20);
    for (size_t i = 0; i < YL_ARRAY_SIZE(paths); i++) {
        const struct answer *answer;

        rig_serve((struct yl_http_server_opts) { 0 });
        rig.big = yl_str_n(bytes, 3 << 20);
        rig.source_left = 3 << 20;
        c = dial(65535);
        answer = ask(c, "GET", paths[i], NULL);
        assert_true(answer->ended);
        assert_true(yl_str_equal(yl_buf_str(&answer->body), rig.big));
        assert_int_equal(rig.n_finished, 1);
        hang_up(c);
        rig_stop();
    }
    free(bytes);
}

TEST(a_source_waits_and_goes_on)
{
    const struct answer *answer;
    struct client *c;

    rig_serve((struct yl_http_server_opts) { 0 });
    c = dial(65535);
    rig.source_left = 7;
    rig.source_waits = true;
    answer = ask(c, "GET", "/source", NULL);
    assert_str_equal(yl_buf_str(&answer->body), "sssssss");
    assert_false(answer->ended);
    assert_string_equal(answer->length, "");
    rig.source_left = 2;
    yl_http_resume(rig.kept);
    talk(c);
    assert_str_equal(yl_buf_str(&answer->body), "sssssssss");
    rig.source_waits = false;
    yl_http_resume(rig.kept);
    talk(c);
    assert_true(answer->ended);
    assert_int_equal(rig.n_finished, 1);
    hang_up(c);
    rig_stop();
}

/* A source that gives way to other work of the loop: it resumes itself, and
 * then returns that it waits. */
static enum yl_http_pull
resume_then_wait(void *request, struct yl_buf *out)
{
    if (rig.n_pulled++ < 3) {
        yl_http_resume(request);
        return YL_HTTP_WAIT;
    }
    yl_buf_append_c(out, "woken");
    return YL_HTTP_END;
}

TEST(a_source_that_resumes_itself_is_pulled_again)
{
    static const struct yl_http_source source = { resume_then_wait };
    const struct answer *answer;
    struct client *c;

    rig_serve((struct yl_http_server_opts) { 0 });
    c = dial(65535);
    answer = ask(c, "GET", "/later", NULL);
    yl_http_respond_source(rig.kept, 200, NULL, 0, &source, rig.kept);
    talk(c);
    assert_str_equal(yl_buf_str(&answer->body), "woken");
    assert_true(answer->ended);
    hang_up(c);
    rig_stop();
}

TEST(an_aborted_source_resets_its_stream_alone)
{
    const struct answer *answer;
    struct client *c;

    rig_serve((struct yl_http_server_opts) { 0 });
    c = dial(65535);
    rig.source_left = 7;
    rig.source_aborts = true;
    answer = ask(c, "GET", "/source", NULL);
    assert_str_equal(yl_buf_str(&answer->body), "sssssss");
    assert_false(answer->ended);
    assert_true(answer->closed);
    assert_int_equal(answer->error, NGHTTP2_INTERNAL_ERROR);
    assert_int_equal(rig.n_finished, 0);
    assert_int_equal(ask(c, "GET", "/", NULL)->status, 200);
    hang_up(c);
    rig_stop();
}

TEST(a_small_window_takes_a_piece_bit_by_bit)
{
    const struct answer *answer;
    struct client *c;

    rig_serve((struct yl_http_server_opts) { 0 });
    c = dial(100);
    rig.source_left = 5000;
    rig.piece = 1000;
    answer = ask(c, "GET", "/source", NULL);
    assert_int_equal(answer->body.size, 5000);
    assert_true(answer->ended);
    assert_int_equal(rig_stats().budget_used, 0);
    hang_up(c);
    rig_stop();
}

/* A window of one byte, so that much is pulled and little is sent. */
TEST(over_budget_a_small_window_resets_its_stream)
{
    const struct answer *answer;
    struct client *c;

    rig_serve((struct yl_http_server_opts) { .budget = 100000 });
    c = dial(0);
    nghttp2_session_set_local_window_size(c->h2, NGHTTP2_FLAG_NONE, 0, 0);
    rig.source_left = 1 << 20;
    rig.piece = 200000;
    answer = ask(c, "GET", "/source", NULL);
    nghttp2_submit_window_update(c->h2, NGHTTP2_FLAG_NONE, 1, 1);
    talk(c);
    assert_int_equal(rig.n_pulled, 1);
    assert_true(answer->closed);
    assert_int_equal(answer->error, NGHTTP2_ENHANCE_YOUR_CALM);
    assert_int_equal(rig_stats().budget_used, 0);
    hang_up(c);
    rig_stop();
}

TEST(a_client_that_goes_away_ends_its_streams)
{
    struct client *c;

    rig_serve((struct yl_http_server_opts) { 0 });
    rig.source_waits = true;
    c = dial(65535);
    for (int i = 0; i < 10; i++) {
        ask(c, "GET", "/source", NULL);
    }
    assert_int_equal(rig_stats().n_requests, 10);
    hang_up(c);
    rig_turn(3);
    assert_int_equal(rig.n_ended, 10);
    assert_int_equal(rig.n_finished, 0);
    assert_int_equal(rig_stats().n_connections, 0);
    rig_stop();
}

TEST(a_stream_that_is_reset_ends_alone)
{
    struct client *c;
    int32_t id;

    rig_serve((struct yl_http_server_opts) { 0 });
    rig.source_waits = true;
    c = dial(65535);
    id = start(c, "GET", "/source", NULL);
    talk(c);
    nghttp2_submit_rst_stream(c->h2, NGHTTP2_FLAG_NONE, id, NGHTTP2_CANCEL);
    talk(c);
    assert_int_equal(rig.n_ended, 1);
    assert_int_equal(rig.n_finished, 0);
    assert_int_equal(ask(c, "GET", "/", NULL)->status, 200);
    hang_up(c);
    rig_stop();
}

TEST(a_client_that_expects_it_is_told_to_go_on)
{
    struct upload upload = { YL_STR_INIT("x"), true };
    nghttp2_nv nva[] = {
        NV(":method", "POST"), NV(":scheme", "http"), NV(":path", "/"),
        NV(":authority", "h"), NV("expect", "100-continue"),
    };
    nghttp2_data_provider provider = { { .ptr = &upload }, read_upload };
    struct client *c;
    int32_t id;

    rig_serve((struct yl_http_server_opts) { 0 });
    c = dial(65535);
    id = nghttp2_submit_request(c->h2, NULL, nva, 5, &provider, NULL);
    talk(c);
    assert_true(c->continued);
    upload.stuck = false;
    nghttp2_session_resume_data(c->h2, id);
    talk(c);
    assert_str_equal(yl_buf_str(&c->answers[id].body), "POST /? [x] 20 h");
    hang_up(c);
    rig_stop();
}

TEST(a_body_that_nobody_has_asked_for_stops_at_the_window)
{
    enum { SIZE = 3 << 20 };
    char *bytes = calloc(1, SIZE);
    struct upload upload = { yl_str_n(bytes, SIZE), false };
    const struct answer *answer;
    struct client *c;

    memset(bytes, 'b', SIZE);
    rig_serve((struct yl_http_server_opts) { 0 });
    c = dial(65535);
    answer = ask(c, "POST", "/held", &upload);
    assert_non_null(rig.kept);
    assert_int_equal(SIZE - upload.bytes.size, 256 << 10);
    assert_in_range(rig_stats().budget_used, 256 << 10, 600 << 10);
    assert_int_equal(ask(c, "GET", "/quick", NULL)->status, 200);
    yl_http_read_body(rig.kept);
    talk(c);
    assert_int_equal(answer->status, 200);
    assert_true(answer->body.size > SIZE);

    /* Bytes that were held back do not use up the connection's window for
     * ever. */
    for (int i = 0; i < 40; i++) {
        upload.bytes = yl_str_n(bytes, 200000);
        ask(c, "POST", "/held", &upload);
        assert_int_equal(upload.bytes.size, 0);
        if (i % 2) {
            yl_http_respond(rig.kept, 403, NULL, 0, YL_STR("no"));
        } else {
            yl_http_read_body(rig.kept);
        }
        talk(c);
    }
    assert_int_equal(rig_stats().n_requests, 0);
    hang_up(c);
    rig_stop();
    free(bytes);
}

TEST(a_body_that_nobody_wants_is_reset_behind_the_answer)
{
    struct upload upload = { YL_STR_INIT("some"), true };
    const struct answer *answer;
    struct client *c;

    rig_serve((struct yl_http_server_opts) { 0 });
    c = dial(65535);
    answer = ask(c, "POST", "/head", &upload);
    assert_str_equal(yl_buf_str(&answer->body), "head");
    assert_true(answer->closed);
    assert_int_equal(answer->error, NGHTTP2_NO_ERROR);
    assert_int_equal(rig.n_finished, 1);
    hang_up(c);
    rig_stop();
}

/* The client reads nothing, so the refusal waits for it while the handler
 * still believes that it may answer. */
TEST(an_answer_to_a_request_that_was_refused_is_dropped)
{
    struct upload upload = { YL_STR_INIT("some"), true };
    const struct answer *answer;
    struct client *c;

    rig_serve((struct yl_http_server_opts) { .body_timeout = 5000 });
    c = dial(0);
    answer = ask(c, "POST", "/held", &upload);
    yl_http_read_body(rig.kept);
    talk(c);
    yl_clock_fake_advance(rig.clock, 6000);
    talk(c);
    assert_int_equal(answer->status, 408);
    assert_non_null(rig.kept);
    yl_http_respond(rig.kept, 200, NULL, 0, YL_STR("fine"));
    yl_http_respond_source(rig.kept, 200, NULL, 0, &rig_source, rig.kept);
    nghttp2_submit_window_update(c->h2, NGHTTP2_FLAG_NONE, 1, 65535);
    talk(c);
    assert_int_equal(answer->status, 408);
    assert_non_null(strstr(yl_buf_c_str((struct yl_buf *) &answer->body),
                           "did not come in time"));
    hang_up(c);
    rig_stop();
}

/* Limits. */

TEST(bad_paths_are_refused)
{
    static const char *const paths[] = {
        "*", "a", "/a b", "/\x01", "/a#b", "/\xc3\xa4",
    };
    struct client *c;

    rig_serve((struct yl_http_server_opts) { 0 });
    c = dial(65535);
    for (size_t i = 0; i < YL_ARRAY_SIZE(paths); i++) {
        const struct answer *answer = ask(c, "GET", paths[i], NULL);

        /* nghttp2 resets some of them itself. */
        assert_true(answer->status == 400
                    || answer->error == NGHTTP2_PROTOCOL_ERROR);
    }
    assert_int_equal(rig.n_requests, 0);
    assert_int_equal(ask(c, "GET", "/%2f..", NULL)->status, 200);
    hang_up(c);
    rig_stop();
}

TEST(heads_beyond_the_limits_are_refused)
{
    char *path = malloc(2002);
    char *value = malloc(9001);
    nghttp2_nv nva[40] = {
        NV(":method", "GET"), NV(":scheme", "http"), NV(":path", "/"),
        NV(":authority", "h"),
    };
    struct client *c;
    int32_t id;

    rig_serve((struct yl_http_server_opts) {
        .max_target = 2000, .max_head = 10000, .max_headers = 20
    });
    c = dial(65535);
    memset(path, '/', 2001);
    path[2001] = '\0';
    assert_int_equal(ask(c, "GET", path, NULL)->status, 414);
    path[2000] = '\0';
    assert_int_equal(ask(c, "GET", path, NULL)->status, 200);

    for (int i = 4; i < 40; i++) {
        nva[i] = (nghttp2_nv) NV("x", "y");
    }
    id = nghttp2_submit_request(c->h2, NULL, nva, 40, NULL, NULL);
    talk(c);
    assert_int_equal(c->answers[id].status, 431);
    id = nghttp2_submit_request(c->h2, NULL, nva, 23, NULL, NULL);
    talk(c);
    assert_int_equal(c->answers[id].status, 200);

    memset(value, 'v', 9000);
    value[9000] = '\0';
    nva[4] = nva[5] = (nghttp2_nv) NV("x", value);
    id = nghttp2_submit_request(c->h2, NULL, nva, 6, NULL, NULL);
    talk(c);
    assert_int_equal(c->answers[id].status, 431);
    assert_int_equal(rig.n_requests, 2);
    assert_int_equal(rig_stats().requests_refused, 3);
    hang_up(c);
    rig_stop();
    free(path);
    free(value);
}

/* A header that is in the table of both ends costs a byte: 4 KB of it, again
 * and again. */
TEST(a_header_bomb_ends_the_connection)
{
    enum { N = 2000 };
    nghttp2_nv *nva = calloc(N, sizeof *nva);
    char *value = malloc(3001);
    struct client *c;

    rig_serve((struct yl_http_server_opts) { .max_head = 10000 });
    c = dial(65535);
    memset(value, 'v', 3000);
    value[3000] = '\0';
    nva[0] = (nghttp2_nv) NV(":method", "GET");
    nva[1] = (nghttp2_nv) NV(":scheme", "http");
    nva[2] = (nghttp2_nv) NV(":path", "/");
    nva[3] = (nghttp2_nv) NV(":authority", "h");
    for (int i = 4; i < N; i++) {
        nva[i] = (nghttp2_nv) NV("x", value);
    }
    nghttp2_submit_request(c->h2, NULL, nva, 20, NULL, NULL);
    talk(c);
    assert_int_equal(c->answers[1].status, 431);
    nghttp2_submit_request(c->h2, NULL, nva, N, NULL, NULL);
    talk(c);
    assert_true(c->closed);
    assert_int_equal(rig.n_requests, 0);
    assert_true(rig_stats().budget_used < 1 << 20);
    hang_up(c);
    rig_stop();
    free(nva);
    free(value);
}

TEST(bodies_beyond_the_limits_are_refused)
{
    struct upload upload = { YL_STR_INIT("0123456789"), true };
    nghttp2_nv nva[] = {
        NV(":method", "POST"), NV(":scheme", "http"), NV(":path", "/"),
        NV(":authority", "h"), NV("content-length", "11"),
    };
    nghttp2_data_provider provider = { { .ptr = &upload }, read_upload };
    const struct answer *answer;
    struct client *c;
    int32_t id;

    rig_serve((struct yl_http_server_opts) { .max_body = 9 });
    c = dial(65535);
    answer = ask(c, "POST", "/", &upload);
    assert_int_equal(answer->status, 413);
    assert_true(answer->ended);
    assert_true(answer->closed);
    assert_int_equal(answer->error, NGHTTP2_NO_ERROR);

    /* An announced body that does not come is not waited for. */
    upload.bytes = YL_STR("");
    id = nghttp2_submit_request(c->h2, NULL, nva, 5, &provider, NULL);
    talk(c);
    assert_int_equal(c->answers[id].status, 413);
    assert_int_equal(rig.n_requests, 0);
    hang_up(c);
    rig_stop();
}

TEST(the_budget_counts_bodies_and_heads)
{
    char *bytes = calloc(1, 60000);
    struct upload uploads[40];
    struct client *c;
    int n_refused = 0;

    rig_serve((struct yl_http_server_opts) { .budget = 8 << 20 });
    c = dial(65535);
    for (int i = 0; i < 40; i++) {
        uploads[i] = (struct upload) { yl_str_n(bytes, 60000), true };
        n_refused += ask(c, "POST", "/", &uploads[i])->status == 429;
    }
    assert_in_range(n_refused, 20, 35);
    assert_true(rig_stats().budget_used <= 1 << 20);
    assert_int_equal(rig_stats().requests_throttled, n_refused);
    hang_up(c);
    rig_turn(3);
    assert_int_equal(rig_stats().budget_used, 0);
    rig_stop();
    free(bytes);
}

/* A long header that comes last has no other behind it that would make up for
 * what was not charged. */
TEST(the_budget_counts_a_head_to_its_last_byte)
{
    enum { SIZE = 60000 };
    char *value = calloc(1, SIZE + 1);
    nghttp2_nv nva[] = {
        NV(":method", "GET"), NV(":scheme", "http"), NV(":path", "/later"),
        NV(":authority", "h"), NV("x", ""),
    };
    struct client *c;

    memset(value, 'v', SIZE);
    nva[4].value = (uint8_t *) value;
    nva[4].valuelen = SIZE;
    rig_serve((struct yl_http_server_opts) { 0 });
    c = dial(65535);
    nghttp2_submit_request(c->h2, NULL, nva, YL_ARRAY_SIZE(nva), NULL, NULL);
    talk(c);
    assert_int_equal(rig.n_requests, 1);
    assert_in_range(rig_stats().budget_used, SIZE, 2 * SIZE);
    hang_up(c);
    rig_stop();
    free(value);
}

TEST(streams_beyond_the_limit_are_refused)
{
    struct client *c;
    int n_refused = 0;

    rig_serve((struct yl_http_server_opts) { .max_streams = 5 });
    rig.source_waits = true;
    c = dial(65535);
    assert_int_equal(nghttp2_session_get_remote_settings(
        c->h2, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS), 5);
    for (int i = 0; i < 8; i++) {
        int32_t id = start(c, "GET", "/source", NULL);

        talk(c);
        n_refused += c->answers[id].error == NGHTTP2_REFUSED_STREAM;
    }

    /* A client that heeds the limit sends no more. */
    assert_int_equal(n_refused, 0);
    assert_int_equal(rig.n_requests, 5);
    hang_up(c);
    rig_stop();
}

/* Limits that are larger than HTTP/2's numbers are cut to the largest. */
TEST(limits_that_are_too_large_to_say_are_cut)
{
    struct client *c;

    rig_serve((struct yl_http_server_opts) {
        .max_streams = SIZE_MAX, .max_head = SIZE_MAX
    });
    c = dial(65535);
    assert_int_equal(nghttp2_session_get_remote_settings(
        c->h2, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS), INT32_MAX);
    assert_int_equal(nghttp2_session_get_remote_settings(
        c->h2, NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE), INT32_MAX);
    assert_int_equal(ask(c, "GET", "/", NULL)->status, 200);
    hang_up(c);
    rig_stop();
}

TEST(a_thousand_streams_are_fine_by_default)
{
    struct client *c;

    rig_serve((struct yl_http_server_opts) { 0 });
    rig.source_waits = true;
    c = dial(65535);
    for (int i = 0; i < 1024; i++) {
        start(c, "GET", "/source", NULL);
    }
    talk(c);
    assert_int_equal(rig_stats().n_requests, 1024);

    /* To cancel all of them at once is fine as well. */
    for (int i = 0; i < 1024; i++) {
        nghttp2_submit_rst_stream(c->h2, NGHTTP2_FLAG_NONE, 1 + 2 * i,
                                  NGHTTP2_CANCEL);
    }
    talk(c);
    assert_int_equal(rig_stats().n_requests, 0);
    assert_false(c->goaway);
    assert_int_equal(ask(c, "GET", "/", NULL)->status, 200);
    hang_up(c);
    rig_stop();
}

/* Resets 'n' new streams; true if the server has had enough. */
static bool
reset_some(struct client *c, int n)
{
    while (n-- && !c->goaway && !c->closed) {
        int32_t id = start(c, "GET", "/later", NULL);

        talk(c);
        nghttp2_submit_rst_stream(c->h2, NGHTTP2_FLAG_NONE, id,
                                  NGHTTP2_CANCEL);
        talk(c);
    }
    return c->goaway;
}

TEST(rapid_resets_end_the_connection)
{
    struct client *c, *other;

    rig_serve((struct yl_http_server_opts) {
        .max_streams = 10, .max_resets = 5
    });
    c = dial(65535);
    other = dial(65535);
    assert_false(reset_some(c, 20));
    yl_clock_fake_advance(rig.clock, 1000);
    assert_false(reset_some(c, 5));
    assert_true(reset_some(c, 2));
    assert_int_equal(c->goaway_error, NGHTTP2_ENHANCE_YOUR_CALM);
    assert_true(c->closed);
    assert_int_equal(ask(other, "GET", "/", NULL)->status, 200);
    hang_up(c);
    hang_up(other);
    rig_stop();
}

/* A client that never acknowledges our settings, opens streams far beyond the
 * limit and reads none of the refusals: they must not pile up. */
TEST(refusals_that_nobody_reads_end_the_connection)
{
    static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
                                  "\0\0\0\4\0\0\0\0";
    char frames[600][15];
    uint32_t id = 1, sent = 0;
    int fd;

    rig_serve((struct yl_http_server_opts) { .max_streams = 5 });
    fd = rig_dial(false);
    rig_say(fd, yl_str_n(preface, sizeof preface));
    while (rig_stats().n_connections && sent < 1000) {
        for (size_t i = 0; i < YL_ARRAY_SIZE(frames); i++, id += 2) {
            const char frame[] = { 0, 0, 6, NGHTTP2_HEADERS, 5,
                                   (char) (id >> 24), (char) (id >> 16),
                                   (char) (id >> 8), (char) id,
                                   '\x82', '\x86', '\x84',
                                   '\x01', '\x01', 'h' };

            memcpy(frames[i], frame, sizeof frame);
        }
        send(fd, frames, sizeof frames, MSG_NOSIGNAL | MSG_DONTWAIT);
        rig_turn(1);
        sent++;
    }
    assert_int_equal(rig_stats().n_connections, 0);
    close(fd);
    rig_stop();
}

TEST(a_slow_body_gets_a_408)
{
    struct upload upload = { YL_STR_INIT("x"), true };
    const struct answer *answer;
    struct client *c;

    rig_serve((struct yl_http_server_opts) { .body_timeout = 5000 });
    c = dial(65535);
    answer = ask(c, "POST", "/", &upload);
    yl_clock_fake_advance(rig.clock, 4999);
    talk(c);
    assert_int_equal(answer->status, 0);
    yl_clock_fake_advance(rig.clock, 1001);
    talk(c);
    assert_int_equal(answer->status, 408);
    assert_int_equal(ask(c, "GET", "/", NULL)->status, 200);
    hang_up(c);
    rig_stop();
}

TEST(a_head_that_does_not_end_ends_the_connection)
{
    static const char head[] =
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        "\0\0\0\x04\0\0\0\0\0"          /* SETTINGS */
        "\0\0\x01\x01\0\0\0\0\x01\x82"; /* HEADERS without END_HEADERS */
    struct yl_buf in;
    int fd;

    rig_serve((struct yl_http_server_opts) { .head_timeout = 5000 });
    fd = rig_dial(false);
    yl_buf_init(&in, 1 << 20);
    rig_turn(2);
    rig_say(fd, yl_str_n(head, sizeof head - 1));
    assert_false(rig_hear(fd, &in));
    assert_int_equal(rig_stats().n_requests, 1);
    yl_clock_fake_advance(rig.clock, 5000);
    assert_true(rig_hear(fd, &in));
    assert_int_equal(rig.n_requests, 0);
    yl_buf_release(&in);
    close(fd);
    rig_stop();
}

TEST(a_slow_reader_of_a_stream_is_reset)
{
    const struct answer *answer;
    struct client *c;

    rig_serve((struct yl_http_server_opts) { .write_timeout = 10000 });
    c = dial(0);
    rig.source_left = 1 << 20;
    answer = ask(c, "GET", "/source", NULL);
    assert_int_equal(answer->status, 200);
    assert_int_equal(answer->body.size, 0);
    assert_int_equal(rig.n_pulled, 0);
    yl_clock_fake_advance(rig.clock, 9999);
    talk(c);
    assert_false(answer->closed);
    yl_clock_fake_advance(rig.clock, 1001);
    talk(c);
    assert_true(answer->closed);
    assert_int_equal(answer->error, NGHTTP2_CANCEL);
    assert_int_equal(rig.n_ended, 1);
    assert_int_equal(rig.n_finished, 0);
    hang_up(c);
    rig_stop();
}

TEST(an_idle_connection_is_told_to_go)
{
    struct client *c;

    rig_serve((struct yl_http_server_opts) { .idle_timeout = 60000 });
    c = dial(65535);
    yl_clock_fake_advance(rig.clock, 50000);
    assert_int_equal(ask(c, "GET", "/", NULL)->status, 200);
    yl_clock_fake_advance(rig.clock, 59999);
    talk(c);
    assert_false(c->goaway);
    yl_clock_fake_advance(rig.clock, 1);
    talk(c);
    assert_true(c->goaway);
    assert_int_equal(c->goaway_error, NGHTTP2_NO_ERROR);
    assert_true(c->closed);
    hang_up(c);
    rig_stop();
}

TEST(a_drain_says_goaway_and_ends_what_runs)
{
    const struct answer *answer;
    struct client *c;
    int32_t id;

    rig_serve((struct yl_http_server_opts) { 0 });
    rig.source_waits = true;
    c = dial(65535);
    answer = ask(c, "GET", "/source", NULL);
    id = start(c, "GET", "/later", NULL);
    talk(c);
    yl_http_server_begin_drain(rig.server);
    talk(c);
    assert_true(c->goaway);
    assert_true(answer->ended);
    assert_false(c->closed);
    yl_http_respond(rig.kept, 200, NULL, 0, YL_STR("late"));
    talk(c);
    assert_str_equal(yl_buf_str(&c->answers[id].body), "late");
    assert_true(c->closed);
    assert_int_equal(rig.n_finished, 2);
    hang_up(c);
    rig_stop();
}

TEST(text_in_headers_cannot_break_the_framing)
{
    struct yl_http_header headers[] = {
        { YL_STR_INIT("x-bad"), YL_STR_INIT("a\r\nb") },
        { YL_STR_INIT("not a name"), YL_STR_INIT("c") },
    };
    struct client *c;
    int32_t id;

    rig_serve((struct yl_http_server_opts) { 0 });
    c = dial(65535);
    id = start(c, "GET", "/later", NULL);
    talk(c);
    yl_http_respond(rig.kept, 200, headers, 2, YL_STR("ok"));
    talk(c);
    assert_int_equal(c->answers[id].status, 200);
    assert_str_equal(yl_buf_str(&c->answers[id].body), "ok");
    hang_up(c);
    rig_stop();
}
