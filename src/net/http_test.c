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

    rig_serve((struct yl_http_server_opts) { .budget = 100000 });
    fd = rig_dial(false);
    rig_ask(fd, GET("/later"), "");
    assert_int_equal(yl_http_charge(rig.kept, 50000), 0);
    assert_int_equal(yl_http_charge(rig.kept, 50000), YL_ETHROTTLED);
    assert_int_equal(yl_http_charge(rig.kept, SIZE_MAX), YL_ETHROTTLED);
    assert_true(rig_stats().budget_used >= 50000);
    yl_http_respond(rig.kept, 200, NULL, 0, YL_STR("ok"));
    rig_ask(fd, "", "200 OK");
    assert_int_equal(rig_stats().budget_used, 0);
    close(fd);
    rig_stop();
}

TEST(without_budget_even_a_small_request_gets_a_429)
{
    int fd, other;

    rig_serve((struct yl_http_server_opts) { .budget = 10000 });
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
