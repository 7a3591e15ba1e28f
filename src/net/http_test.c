/* Tests of what a handler may do with a request. */

#include "net/http.h"

#include "http_rig.h"

TEST(headers_are_found_by_their_lower_case_name)
{
    struct yl_http_header headers[] = {
        { YL_STR_INIT("accept"), YL_STR_INIT("a") },
        { YL_STR_INIT("accept"), YL_STR_INIT("b") },
        { YL_STR_INIT("empty"), YL_STR_INIT("") },
    };
    struct yl_http_request request = { .headers = headers, .n_headers = 3 };

    assert_str_equal(yl_http_header(&request, YL_STR("accept")), "a");
    assert_false(yl_str_is_null(yl_http_header(&request, YL_STR("empty"))));
    assert_true(yl_str_is_null(yl_http_header(&request, YL_STR("x"))));
}

TEST(a_handler_may_answer_later_and_add_headers)
{
    struct yl_http_header headers[] = {
        { YL_STR_INIT("x-one"), YL_STR_INIT("1") },
        { YL_STR_INIT("x-two"), YL_STR_INIT("2") },
    };
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    fd = rig_dial(false);
    rig_ask(fd, GET("/later"), "");
    assert_ptr_equal(rig.kept->loop, rig.kept->loop);
    assert_int_equal(rig.kept->started, 1000000);
    yl_http_respond(rig.kept, 202, headers, 2, YL_STR("later"));
    rig_ask(fd, "", "HTTP/1.1 202 Accepted\r\nx-one: 1\r\nx-two: 2\r\n");
    close(fd);
    rig_stop();
}

TEST(a_204_has_neither_body_nor_length)
{
    struct yl_buf in;
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    fd = rig_dial(false);
    yl_buf_init(&in, 1 << 20);
    rig_say(fd, YL_STR(GET("/later")));
    rig_turn(3);
    yl_http_respond(rig.kept, 204, NULL, 0, YL_STR(""));
    rig_hear(fd, &in);
    assert_non_null(strstr(yl_buf_c_str(&in), "204 No Content"));
    assert_null(strstr(yl_buf_c_str(&in), "content-length"));
    yl_buf_release(&in);
    close(fd);
    rig_stop();
}

TEST(a_handler_can_charge_what_it_holds)
{
    int fd;

    rig_serve((struct yl_http_server_opts) { .budget = 800000 });
    fd = rig_dial(false);
    rig_ask(fd, GET("/later"), "");
    assert_int_equal(yl_http_charge(rig.kept, 50000), 0);
    assert_int_equal(yl_http_charge(rig.kept, 50000), YL_ETHROTTLED);
    assert_int_equal(yl_http_charge(rig.kept, SIZE_MAX), YL_ETHROTTLED);
    assert_true(rig_stats().budget_used >= 50000);
    yl_http_uncharge(rig.kept, 20000);
    assert_true(rig_stats().budget_used < 50000);
    assert_int_equal(yl_http_charge(rig.kept, 20000), 0);
    yl_http_respond(rig.kept, 200, NULL, 0, YL_STR("ok"));
    rig_ask(fd, "", "200 OK");
    assert_int_equal(rig_stats().budget_used, 0);
    close(fd);
    rig_stop();
}

TEST(without_budget_even_a_small_request_gets_a_429)
{
    int fd, other;

    rig_serve((struct yl_http_server_opts) { .budget = 80000 });
    fd = rig_dial(false);
    other = rig_dial(false);
    rig_ask(fd, GET("/later"), "");
    assert_int_equal(yl_http_charge(rig.kept, 5000), 0);
    rig_ask(other, GET("/"), "429 Too Many Requests");
    assert_int_equal(rig_stats().requests_throttled, 1);
    close(fd);
    close(other);
    yl_clock_fake_advance(rig.clock, 5000);
    rig_stop();
}

/* A request whose client is gone while another thread works for it. */
TEST(a_held_request_outlives_its_connection)
{
    struct yl_http_request *request;
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    fd = rig_dial(false);
    rig_ask(fd, "POST /later?q HTTP/1.1\r\nHost: me\r\nContent-Length: 4"
            "\r\n\r\nbody", "");
    request = rig.kept;
    yl_http_hold(request);
    close(fd);
    rig_turn(3);
    assert_int_equal(rig.n_ended, 1);
    assert_int_equal(rig_stats().n_connections, 0);
    assert_str_equal(request->method, "POST");
    assert_str_equal(request->query, "q");
    assert_str_equal(request->body, "body");
    assert_str_equal(yl_http_header(request, YL_STR("host")), "me");
    assert_str_equal(request->peer->address, "127.0.0.1");
    yl_http_release(request);
    rig_stop();
}

TEST(a_held_request_that_was_answered_outlives_the_next)
{
    struct yl_http_request *request;
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    fd = rig_dial(false);
    rig_ask(fd, "POST /later HTTP/1.1\r\nHost: me\r\nContent-Length: 4"
            "\r\n\r\nbody", "");
    request = rig.kept;
    yl_http_hold(request);
    yl_http_respond(request, 504, NULL, 0, YL_STR("too late"));
    rig_ask(fd, "", "504 Gateway Timeout");
    assert_int_equal(rig.n_ended, 1);
    rig_ask(fd, GET("/other"), "GET /other?");
    assert_str_equal(request->path, "/later");
    assert_str_equal(request->body, "body");
    assert_str_equal(yl_http_header(request, YL_STR("host")), "me");
    yl_http_release(request);
    close(fd);
    rig_stop();
}

/* A source that says it waits, but has resumed itself before. */
static int n_calls;

static enum yl_http_pull
resume_then_wait(void *aux, struct yl_buf *out)
{
    if (n_calls++ == 0) {
        yl_http_resume(aux);
        return YL_HTTP_WAIT;
    }
    yl_buf_append_c(out, "woken");
    return YL_HTTP_END;
}

TEST(a_source_that_resumes_itself_is_pulled_again)
{
    static const struct yl_http_source source = { resume_then_wait };
    int fd;

    n_calls = 0;
    rig_serve((struct yl_http_server_opts) { 0 });
    fd = rig_dial(false);
    rig_ask(fd, GET("/later"), "");
    yl_http_respond_source(rig.kept, 200, NULL, 0, &source, rig.kept);
    rig_ask(fd, "", "woken");
    close(fd);
    rig_stop();
}

TEST(an_answer_does_not_wait_for_sources_that_resume)
{
    struct yl_http_request *requests[3 * YL_LOOP_CHORES];
    int fds[YL_ARRAY_SIZE(requests)], fd;
    char answer[512] = "";
    size_t i;

    rig_serve((struct yl_http_server_opts) { 0 });
    rig.source_waits = true;
    for (i = 0; i < YL_ARRAY_SIZE(requests); i++) {
        fds[i] = rig_dial(false);
        rig_ask(fds[i], GET("/source"), "200 OK");
        requests[i] = rig.kept;
    }
    fd = rig_dial(false);
    rig_turn(2);
    rig.n_pulled = 0;
    for (i = 0; i < YL_ARRAY_SIZE(requests); i++) {
        yl_http_resume(requests[i]);
    }
    assert_true(send(fd, GET("/"), strlen(GET("/")), 0) > 0);
    rig_turn(1);
    assert_true(recv(fd, answer, sizeof answer - 1, MSG_DONTWAIT) > 0);
    assert_non_null(strstr(answer, "200 OK"));
    assert_int_equal(rig.n_pulled, YL_LOOP_CHORES + YL_LOOP_CHORES_EACH);
    rig_turn(2);
    assert_int_equal(rig.n_pulled, YL_ARRAY_SIZE(requests));
    close(fd);
    for (i = 0; i < YL_ARRAY_SIZE(requests); i++) {
        close(fds[i]);
    }
    rig_stop();
}

TEST(a_source_whose_client_goes_before_its_turn_ends)
{
    struct yl_http_request *requests[2];
    int fds[2];

    rig_serve((struct yl_http_server_opts) { 0 });
    rig.source_waits = true;
    for (size_t i = 0; i < 2; i++) {
        fds[i] = rig_dial(false);
        rig_ask(fds[i], GET("/source"), "200 OK");
        requests[i] = rig.kept;
    }
    yl_http_resume(requests[0]);
    yl_http_resume(requests[1]);
    close(fds[0]);
    rig_turn(3);
    assert_int_equal(rig.n_ended, 1);
    close(fds[1]);
    rig_stop();
}

TEST(a_drain_pulls_sources_that_wait)
{
    struct yl_buf in;
    int fd, idle;

    rig_serve((struct yl_http_server_opts) { 0 });
    fd = rig_dial(false);
    idle = rig_dial(false);
    yl_buf_init(&in, 1 << 20);
    rig.source_waits = true;
    rig_ask(idle, GET("/"), "200 OK");
    rig_ask(fd, GET("/source"), "200 OK");
    assert_false(yl_http_is_draining(rig.kept));
    yl_http_server_begin_drain(rig.server);
    assert_true(rig_hear(fd, &in));
    assert_string_equal(yl_buf_c_str(&in), "0\r\n\r\n");
    assert_true(rig_hear(idle, &in));
    assert_int_equal(rig.n_finished, 2);
    yl_buf_release(&in);
    close(fd);
    close(idle);
    rig_stop();
}

/* The head before the body. */

#define EXPECT(PATH, LENGTH) \
    "POST " PATH " HTTP/1.1\r\nHost: x\r\nContent-Length: " LENGTH "\r\n" \
    "Expect: 100-continue\r\n\r\n"

TEST(a_handler_has_the_head_before_the_client_sends_the_body)
{
    struct yl_buf in;
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    fd = rig_dial(false);
    yl_buf_init(&in, 1 << 20);
    rig_say(fd, YL_STR(EXPECT("/held", "4")));
    rig_hear(fd, &in);
    assert_int_equal(in.size, 0);
    assert_non_null(rig.kept);
    assert_str_equal(rig.kept->method, "POST");
    assert_int_equal(rig.kept->body.size, 0);
    yl_http_read_body(rig.kept);
    assert_int_equal(rig.n_requests, 0);
    rig_ask(fd, "", "HTTP/1.1 100 Continue\r\n\r\n");
    rig_ask(fd, "body", "POST /held? [body]");
    yl_buf_release(&in);
    close(fd);
    rig_stop();
}

TEST(a_body_that_came_with_the_head_waits_until_it_is_asked_for)
{
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    fd = rig_dial(false);
    rig_ask(fd, POST("/held", "4") "body" GET("/next"), "");
    assert_non_null(rig.kept);
    assert_int_equal(rig.n_requests, 0);

    /* 'body' never comes from inside the call, and not twice. */
    yl_http_read_body(rig.kept);
    yl_http_read_body(rig.kept);
    assert_int_equal(rig.n_requests, 0);
    rig_turn(1);
    assert_int_equal(rig.n_requests, 2);
    rig_ask(fd, GET("/third"), "GET /third?");
    assert_int_equal(rig.n_requests, 3);

    /* A request without a body is asked in the same way. */
    rig_ask(fd, GET("/held"), "");
    yl_http_read_body(rig.kept);
    rig_ask(fd, "", "GET /held? []");
    close(fd);
    rig_stop();
}

TEST(the_time_for_a_body_begins_when_it_is_asked_for)
{
    int fd;

    rig_serve((struct yl_http_server_opts) { .body_timeout = 5000 });
    fd = rig_dial(false);
    rig_ask(fd, POST("/held", "4"), "");
    yl_clock_fake_advance(rig.clock, 100000);
    rig_ask(fd, "", "");
    yl_http_read_body(rig.kept);
    rig_turn(1);
    yl_clock_fake_advance(rig.clock, 4999);
    rig_ask(fd, "b", "");
    assert_non_null(rig.kept);
    yl_clock_fake_advance(rig.clock, 1);
    rig_ask(fd, "", "HTTP/1.1 408 ");
    close(fd);
    rig_stop();
}

TEST(a_small_body_that_nobody_wants_is_dropped)
{
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    fd = rig_dial(false);
    assert_false(rig_ask(fd, POST("/head", "4") "bo", "200 OK"));
    assert_int_equal(rig_stats().n_requests, 0);
    assert_false(rig_ask(fd, "dy" GET("/next"), "GET /next?"));
    assert_false(rig_ask(fd, POST("/head", "4") "body" GET("/all"),
                         "GET /all?"));
    assert_false(rig_ask(fd, "POST /head HTTP/1.1\r\nHost: x\r\n"
                         "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n",
                         "200 OK"));
    assert_false(rig_ask(fd, "0\r\n\r\n" GET("/chunks"), "GET /chunks?"));

    /* An answer that comes while the body does. */
    rig_ask(fd, POST("/held", "4") "b", "");
    yl_http_read_body(rig.kept);
    rig_ask(fd, "o", "");
    yl_http_respond(rig.kept, 200, NULL, 0, YL_STR("early"));
    assert_false(rig_ask(fd, "dy" GET("/late"), "GET /late?"));
    assert_int_equal(rig.n_requests, 4);
    close(fd);
    rig_stop();
}

TEST(a_body_that_nobody_wants_is_not_waited_for)
{
    static const char *const requests[] = {
        POST("/head", "300000") "some",
        EXPECT("/head", "4"),
    };
    int fd;

    rig_serve((struct yl_http_server_opts) { .body_timeout = 60000 });
    for (size_t i = 0; i < YL_ARRAY_SIZE(requests); i++) {
        fd = rig_dial(false);
        rig_ask(fd, requests[i], "connection: close");
        close(fd);
    }

    /* One without a length is read for a while. */
    fd = rig_dial(false);
    rig_ask(fd, "POST /head HTTP/1.1\r\nHost: x\r\n"
            "Transfer-Encoding: chunked\r\n\r\n", "200 OK");
    for (int i = 0; i < 4; i++) {
        static char bytes[65536];

        rig_say(fd, YL_STR("10000\r\n"));
        rig_say(fd, yl_str_n(bytes, sizeof bytes));
        rig_say(fd, YL_STR("\r\n"));
    }
    assert_int_equal(rig_stats().n_connections, 1);
    assert_true(rig_ask(fd, "1\r\nx\r\n", ""));
    close(fd);

    /* And one that does not come is not waited for. */
    fd = rig_dial(false);
    assert_false(rig_ask(fd, POST("/head", "4") "bod", "200 OK"));
    yl_clock_fake_advance(rig.clock, 60000);
    assert_true(rig_ask(fd, "", ""));
    close(fd);

    /* Nor is one that makes no sense read to its end. */
    fd = rig_dial(false);
    assert_false(rig_ask(fd, "POST /head HTTP/1.1\r\nHost: x\r\n"
                         "Transfer-Encoding: chunked\r\n\r\n", "200 OK"));
    assert_true(rig_ask(fd, "nonsense", ""));
    close(fd);
    yl_clock_fake_advance(rig.clock, 5000);
    rig_stop();
}

TEST(a_client_that_leaves_ends_a_request_whose_body_nobody_has_asked_for)
{
    struct yl_http_request *request;
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    fd = rig_dial(false);
    rig_ask(fd, POST("/held", "4"), "");
    close(fd);
    rig_turn(2);
    assert_int_equal(rig.n_ended, 1);

    /* Also in the turn in which it is asked for, */
    fd = rig_dial(false);
    rig_ask(fd, POST("/held", "4") "body", "");
    request = rig.kept;
    yl_http_hold(request);
    yl_http_read_body(request);
    yl_http_server_begin_drain(rig.server);
    close(fd);
    rig_turn(3);
    assert_int_equal(rig.n_ended, 2);
    yl_http_release(request);
    rig_stop();
}

TEST(a_connection_from_within_has_its_identity)
{
    static const char me[] = "me";
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    assert_int_equal(yl_http_server_connect(rig.server, false, me, &fd, NULL),
                     0);
    rig_ask(fd, GET("/"), "200 OK");
    assert_ptr_equal(rig.peer.identity, me);
    close(fd);
    fd = rig_dial(false);
    rig_ask(fd, GET("/"), "200 OK");
    assert_null(rig.peer.identity);
    close(fd);
    rig_stop();
}

/* A tap that lets the first four bytes pass and cuts the rest off. */
static enum yl_http_pull
cut_after_four(void *aux, const struct yl_http_source *source,
               void *source_aux, struct yl_buf *out)
{
    size_t start = out->size;

    assert_ptr_equal(aux, &rig);
    source->pull(source_aux, out);
    out->size = start + 4;
    return YL_HTTP_ABORT;
}

TEST(a_tap_cuts_a_whole_answer_off)
{
    static const struct yl_http_tap tap = { cut_after_four };
    struct yl_buf in;
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    fd = rig_dial(false);
    yl_buf_init(&in, 1 << 20);
    rig_say(fd, YL_STR(GET("/later")));
    rig_await(rig.kept);
    yl_http_set_tap(rig.kept, &tap, &rig);
    yl_http_respond(rig.kept, 200, NULL, 0, YL_STR("complete"));
    while (!rig_hear(fd, &in)) {
        rig_turn(1);
    }
    assert_non_null(strstr(yl_buf_c_str(&in), "200 OK"));
    assert_non_null(strstr(yl_buf_c_str(&in), "4\r\ncomp\r\n"));
    assert_null(strstr(yl_buf_c_str(&in), "\r\n0\r\n"));
    yl_buf_release(&in);
    close(fd);
    rig_stop();
    assert_int_equal(rig.n_finished, 0);
}
