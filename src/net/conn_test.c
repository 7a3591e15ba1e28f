/* Tests of connections, and of HTTP/1.1 on them: answers, back-pressure, and
 * clients that mean harm. */

#include "net/conn.h"

#include "http_rig.h"

static size_t
count(struct yl_str text, const char *part)
{
    size_t n = 0;
    const char *at = text.data;

    while ((at = strstr(at, part)) != NULL) {
        n++;
        at += strlen(part);
    }
    return n;
}

TEST(a_request_is_answered_and_the_connection_stays)
{
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    fd = rig_dial(false);
    assert_false(rig_ask(fd, GET("/a?b=c"),
                         "\r\n\r\nGET /a?b=c [] 11 x"));
    assert_false(rig_ask(fd, POST("/p", "3") "abc", "POST /p? [abc] 11 x"));
    assert_str_equal(rig.peer.address, "127.0.0.1");
    assert_false(rig.peer.tls);
    assert_int_equal(rig.n_finished, 2);
    assert_int_equal(rig_stats().requests_total, 2);
    close(fd);
    rig_stop();
}

TEST(pipelined_requests_are_answered_in_order)
{
    struct yl_buf in;
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    fd = rig_dial(false);
    yl_buf_init(&in, 1 << 20);
    rig_say(fd, YL_STR(GET("/1") POST("/2", "2") "xy" GET("/later")
                       GET("/4") GET("/5")));
    assert_false(rig_hear(fd, &in));
    assert_non_null(strstr(yl_buf_c_str(&in), "GET /1?"));
    assert_non_null(strstr(yl_buf_c_str(&in), "POST /2? [xy]"));
    assert_null(strstr(yl_buf_c_str(&in), "GET /4?"));
    assert_int_equal(rig.n_requests, 3);
    assert_true(rig_stats().budget_used > 0);

    yl_http_respond(rig.kept, 404, NULL, 0, YL_STR("three"));
    assert_false(rig_hear(fd, &in));
    assert_true(strstr(yl_buf_c_str(&in), "three")
                < strstr(yl_buf_c_str(&in), "GET /4?"));
    assert_true(strstr(yl_buf_c_str(&in), "GET /4?")
                < strstr(yl_buf_c_str(&in), "GET /5?"));
    assert_int_equal(count(yl_buf_str(&in), "HTTP/1.1 "), 5);

    /* The socket is read again. */
    assert_false(rig_ask(fd, GET("/6"), "GET /6?"));
    yl_buf_release(&in);
    close(fd);
    rig_stop();
}

TEST(many_pipelined_requests_leave_together)
{
    struct yl_buf text, in;
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    fd = rig_dial(false);
    yl_buf_init(&text, 1 << 20);
    yl_buf_init(&in, 1 << 20);
    for (int i = 0; i < 1000; i++) {
        yl_buf_append_c(&text, GET("/x"));
    }
    rig_say(fd, yl_buf_str(&text));
    assert_false(rig_hear(fd, &in));
    yl_buf_c_str(&in);
    assert_int_equal(count(yl_buf_str(&in), "GET /x?"), 1000);
    yl_buf_release(&text);
    yl_buf_release(&in);
    close(fd);
    rig_stop();
}

TEST(the_connection_closes_when_the_client_wants_it)
{
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    fd = rig_dial(false);
    assert_true(rig_ask(fd, "GET / HTTP/1.1\r\nHost: x\r\n"
                        "Connection: close\r\n\r\n", "connection: close"));
    close(fd);
    fd = rig_dial(false);
    assert_true(rig_ask(fd, "GET / HTTP/1.0\r\n\r\n", "GET /? [] 10 "));
    close(fd);
    fd = rig_dial(false);
    assert_false(rig_ask(fd, "GET / HTTP/1.0\r\nConnection: keep-alive\r\n"
                         "\r\n", "connection: keep-alive"));
    close(fd);
    rig_stop();
}

TEST(head_answers_have_no_body)
{
    struct yl_buf in;
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    fd = rig_dial(false);
    yl_buf_init(&in, 1 << 20);
    rig_say(fd, YL_STR("HEAD /abc HTTP/1.1\r\nHost: x\r\n\r\n"
                       "HEAD /source HTTP/1.1\r\nHost: x\r\n\r\n"));
    assert_false(rig_hear(fd, &in));
    assert_non_null(strstr(yl_buf_c_str(&in), "content-length: 18\r\n"));
    assert_null(strstr(yl_buf_c_str(&in), "HEAD /abc?"));
    assert_true(yl_str_ends_with(yl_buf_str(&in), YL_STR("\r\n\r\n")));
    assert_int_equal(rig.n_pulled, 0);
    assert_int_equal(rig.n_finished, 2);
    yl_buf_release(&in);
    close(fd);
    rig_stop();
}

TEST(a_client_that_expects_it_is_told_to_go_on)
{
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    fd = rig_dial(false);
    assert_false(rig_ask(fd, "POST / HTTP/1.1\r\nHost: x\r\n"
                         "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n",
                         "HTTP/1.1 100 Continue\r\n\r\n"));
    assert_false(rig_ask(fd, "ok", "POST /? [ok] 11"));
    close(fd);
    rig_stop();
}

TEST(a_source_is_pulled_and_its_chunks_end)
{
    struct yl_buf in;
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    fd = rig_dial(false);
    yl_buf_init(&in, 1 << 20);
    rig.source_left = 10;
    rig.source_waits = true;
    rig.piece = 4;
    rig_say(fd, YL_STR(GET("/source")));
    assert_false(rig_hear(fd, &in));

    /* Three pulls and one that waits, in one chunk. */
    assert_int_equal(rig.n_pulled, 4);
    assert_non_null(strstr(yl_buf_c_str(&in), "\nssssssssss\r\n"));
    yl_buf_clear(&in);
    rig_turn(3);
    assert_int_equal(rig.n_pulled, 4);

    rig.source_left = 3;
    yl_http_resume(rig.kept);
    assert_false(rig_hear(fd, &in));
    assert_non_null(strstr(yl_buf_c_str(&in), "\nsss\r\n"));
    yl_buf_clear(&in);

    rig.source_waits = false;
    yl_http_resume(rig.kept);
    assert_false(rig_hear(fd, &in));
    assert_string_equal(yl_buf_c_str(&in), "0\r\n\r\n");
    assert_int_equal(rig.n_finished, 1);
    assert_false(rig_ask(fd, GET("/"), "200 OK"));
    yl_buf_release(&in);
    close(fd);
    rig_stop();
}

TEST(a_source_for_an_old_client_ends_with_the_connection)
{
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    fd = rig_dial(false);
    rig.source_left = 5;
    assert_true(rig_ask(fd, "GET /source HTTP/1.0\r\n\r\n",
                        "\r\n\r\nsssss"));
    close(fd);
    rig_stop();
}

TEST(an_aborted_source_does_not_look_complete)
{
    struct yl_buf in;
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    fd = rig_dial(false);
    yl_buf_init(&in, 1 << 20);
    rig.source_left = 5;
    rig.source_aborts = true;
    rig_say(fd, YL_STR(GET("/source")));
    assert_true(rig_hear(fd, &in));
    assert_non_null(strstr(yl_buf_c_str(&in), "sssss"));
    assert_false(yl_str_ends_with(yl_buf_str(&in), YL_STR("0\r\n\r\n")));
    assert_int_equal(rig.n_ended, 1);
    assert_int_equal(rig.n_finished, 0);
    yl_buf_release(&in);
    close(fd);
    rig_stop();
}

TEST(nothing_is_pulled_that_nobody_reads)
{
    struct yl_buf in;
    size_t before;
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    fd = rig_dial(false);
    yl_buf_init(&in, 64 << 20);
    rig.source_left = 32 << 20;
    rig_say(fd, YL_STR(GET("/source")));
    rig_turn(50);
    before = rig.n_pulled;
    rig_turn(50);
    assert_int_equal(rig.n_pulled, before);
    assert_true(before < 32);
    assert_true(rig_stats().budget_used > YL_HTTP_PIECE / 2);
    assert_true(rig_stats().budget_used < 16 * YL_HTTP_PIECE);

    assert_false(rig_hear(fd, &in));
    assert_true(in.size > 32 << 20);
    assert_true(yl_str_ends_with(yl_buf_str(&in), YL_STR("0\r\n\r\n")));
    yl_buf_release(&in);
    close(fd);
    rig_stop();
}

TEST(a_body_larger_than_a_piece_is_sent_whole)
{
    static const char *const paths[] = { GET("/big"), GET("/copied") };
    char *bytes = malloc(5 << 20);
    struct yl_buf in;
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    for (size_t i = 0; i < 5 << 20; i++) {
        bytes[i] = (char) ('a' + i % 23);
    }
    rig.big = yl_str_n(bytes, 5 << 20);
    fd = rig_dial(false);
    for (int i = 0; i < 2; i++) {
        yl_buf_init(&in, 64 << 20);
        rig_say(fd, yl_str_c(paths[i]));
        assert_false(rig_hear(fd, &in));
        assert_true(yl_str_ends_with(yl_buf_str(&in), rig.big));
        yl_buf_release(&in);
    }
    close(fd);
    rig_stop();
    free(bytes);
}

/* Clients that go away. */

TEST(a_client_that_goes_away_ends_its_request)
{
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    rig.source_waits = true;
    fd = rig_dial(false);
    rig_say(fd, YL_STR(GET("/source")));
    rig_turn(3);
    assert_non_null(rig.kept);
    close(fd);
    rig_turn(3);
    assert_null(rig.kept);
    assert_int_equal(rig.n_ended, 1);
    assert_int_equal(rig.n_finished, 0);
    assert_int_equal(rig_stats().n_connections, 0);
    rig_stop();
}

TEST(a_client_that_only_shuts_down_its_half_gets_its_answer)
{
    struct yl_buf in;
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    fd = rig_dial(false);
    yl_buf_init(&in, 1 << 20);
    rig_say(fd, YL_STR(GET("/later") GET("/last")));
    shutdown(fd, SHUT_WR);
    rig_turn(3);
    assert_non_null(rig.kept);
    yl_http_respond(rig.kept, 200, NULL, 0, YL_STR("here"));
    assert_true(rig_hear(fd, &in));
    assert_non_null(strstr(yl_buf_c_str(&in), "here"));
    assert_non_null(strstr(yl_buf_c_str(&in), "GET /last?"));
    yl_buf_release(&in);
    close(fd);
    rig_stop();
}

/* The end of its half is seen before the answer is there, or before all of it
 * was read. */
TEST(a_client_that_shuts_down_its_half_early_loses_nothing)
{
    static char big[1 << 20];
    struct yl_buf in;
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    yl_buf_init(&in, 4 << 20);
    fd = rig_dial(false);
    rig_say(fd, YL_STR(GET("/later")));
    shutdown(fd, SHUT_WR);
    rig_turn(3);
    assert_non_null(rig.kept);
    yl_http_respond(rig.kept, 200, NULL, 0, YL_STR("here"));
    assert_true(rig_hear(fd, &in));
    assert_non_null(strstr(yl_buf_c_str(&in), "here"));
    close(fd);

    yl_buf_clear(&in);
    memset(big, 'b', sizeof big);
    rig.big = yl_str_n(big, sizeof big);
    fd = rig_dial(false);
    rig_say(fd, YL_STR(GET("/big")));
    while (in.size < sizeof big - YL_HTTP_PIECE) {
        yl_buf_commit(&in, (size_t) recv(fd, yl_buf_reserve(&in, 4096), 4096,
                                         MSG_DONTWAIT));
        rig_turn(1);
    }
    shutdown(fd, SHUT_WR);
    assert_true(rig_hear(fd, &in));
    assert_true(in.size > sizeof big);
    yl_buf_release(&in);
    close(fd);
    rig_stop();
}

TEST(a_request_that_is_cut_off_is_dropped)
{
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    fd = rig_dial(false);
    rig_say(fd, YL_STR("GET / HT"));
    close(fd);
    fd = rig_dial(false);
    rig_say(fd, YL_STR(POST("/", "10") "abc"));
    close(fd);
    fd = rig_dial(false);
    close(fd);
    rig_turn(5);
    assert_int_equal(rig_stats().n_connections, 0);
    assert_int_equal(rig.n_requests, 0);
    rig_stop();
}

/* Clients that mean harm. */

TEST(a_malformed_request_is_refused_and_the_connection_closes)
{
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    fd = rig_dial(false);
    rig_ask(fd, "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n"
            "Content-Length: 2\r\n\r\nxy" GET("/smuggled"),
            "HTTP/1.1 400 Bad Request\r\n");
    assert_int_equal(rig.n_requests, 0);
    assert_int_equal(rig_stats().requests_refused, 1);

    /* The client gets some time to read it, and no more. */
    assert_int_equal(rig_stats().n_connections, 1);
    rig_say(fd, YL_STR("more of it"));
    yl_clock_fake_advance(rig.clock, 2000);
    rig_turn(2);
    assert_int_equal(rig_stats().n_connections, 0);
    close(fd);
    rig_stop();
}

TEST(slowloris_gets_a_408)
{
    struct yl_buf in;
    int fd, other;

    rig_serve((struct yl_http_server_opts) { .head_timeout = 10000 });
    fd = rig_dial(false);
    other = rig_dial(false);
    yl_buf_init(&in, 1 << 20);
    rig_say(fd, YL_STR("GET / HTTP/1.1\r\n"));
    rig_turn(2);
    for (int i = 0; i < 9; i++) {
        yl_clock_fake_advance(rig.clock, 1000);
        rig_say(fd, YL_STR("X: y\r\n"));
        assert_false(rig_hear(fd, &in));
        assert_int_equal(in.size, 0);
    }
    yl_clock_fake_advance(rig.clock, 1000);
    assert_true(rig_hear(fd, &in));
    assert_non_null(strstr(yl_buf_c_str(&in), "408 Request Timeout"));
    assert_false(rig_ask(other, GET("/"), "200 OK"));
    yl_buf_release(&in);
    close(fd);
    close(other);
    rig_stop();
}

TEST(a_slow_body_gets_a_408)
{
    struct yl_buf in;
    int fd;

    rig_serve((struct yl_http_server_opts) { .body_timeout = 5000 });
    fd = rig_dial(false);
    yl_buf_init(&in, 1 << 20);
    rig_say(fd, YL_STR(POST("/", "100")));
    for (int i = 0; i < 5; i++) {
        assert_false(rig_hear(fd, &in));
        assert_int_equal(in.size, 0);
        yl_clock_fake_advance(rig.clock, 1000);
        rig_say(fd, YL_STR("x"));
    }
    assert_true(rig_hear(fd, &in));
    assert_non_null(strstr(yl_buf_c_str(&in), "408 Request Timeout"));
    yl_buf_release(&in);
    close(fd);
    rig_stop();
}

TEST(a_million_header_bytes_get_a_431)
{
    struct yl_buf text, in;
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    fd = rig_dial(false);
    yl_buf_init(&text, 2 << 20);
    yl_buf_init(&in, 1 << 20);
    yl_buf_append_c(&text, "GET / HTTP/1.1\r\nHost: x\r\nX: ");
    memset(yl_buf_reserve(&text, 1000000), 'x', 1000000);
    yl_buf_commit(&text, 1000000);
    rig_say(fd, yl_buf_str(&text));
    rig_hear(fd, &in);
    assert_non_null(strstr(yl_buf_c_str(&in),
                           "431 Request Header Fields Too Large"));
    assert_true(rig_stats().budget_used < 1 << 20);
    yl_buf_release(&text);
    yl_buf_release(&in);
    close(fd);
    rig_stop();
}

TEST(a_body_beyond_the_limit_gets_a_413)
{
    int fd;

    rig_serve((struct yl_http_server_opts) { .max_body = 1000 });
    fd = rig_dial(false);
    rig_ask(fd, POST("/", "1001"), "413 ");
    close(fd);
    fd = rig_dial(false);
    rig_ask(fd, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked"
            "\r\n\r\n3e9\r\n", "413 ");
    close(fd);
    rig_stop();
}

TEST(bodies_beyond_the_budget_get_a_429_and_others_none)
{
    enum { N = 40 };
    struct yl_buf in;
    int fds[N];
    int n_refused = 0;
    int small;

    rig_serve((struct yl_http_server_opts) {
        .budget = 32 << 20, .max_body = 1 << 20
    });
    small = rig_dial(false);
    for (int i = 0; i < N; i++) {
        char *body = malloc(500000);

        memset(body, 'b', 500000);
        fds[i] = rig_dial(false);
        rig_say(fds[i], YL_STR(POST("/", "1000000")));
        yl_buf_init(&in, 1 << 20);
        rig_say(fds[i], yl_str_n(body, 500000));
        rig_hear(fds[i], &in);
        if (strstr(yl_buf_c_str(&in), "429 Too Many Requests")) {
            assert_non_null(strstr(yl_buf_c_str(&in), "retry-after: 1"));
            n_refused++;
        }
        assert_true(rig_stats().budget_used < 5 << 20);
        yl_buf_release(&in);
        free(body);
    }
    assert_true(n_refused > N / 2);
    assert_true(n_refused < N - 3);
    assert_int_equal(rig_stats().requests_throttled, n_refused);
    assert_false(rig_ask(small, GET("/"), "200 OK"));
    for (int i = 0; i < N; i++) {
        close(fds[i]);
    }
    rig_turn(5);
    assert_false(rig_ask(small, POST("/", "3") "abc", "200 OK"));
    close(small);
    rig_stop();
}

TEST(bodies_leave_something_to_requests_without_one)
{
    static char body[60001];
    int fds[64];
    int n = 0;
    int small;

    rig_serve((struct yl_http_server_opts) { .budget = 8 << 20 });
    small = rig_dial(false);
    for (size_t size = sizeof body; size > 0; size /= 2) {
        size_t before;

        do {
            before = rig_stats().requests_throttled;
            fds[n] = rig_dial(false);
            rig_say(fds[n], YL_STR(POST("/", "100000")));
            rig_turn(2);
            rig_say(fds[n++], yl_str_n(body, size));
            rig_turn(2);
        } while (rig_stats().requests_throttled == before);
    }
    assert_true(rig_stats().budget_used > (1 << 20) * 3 / 4);
    assert_false(rig_ask(small, GET("/"), "200 OK"));
    while (n > 0) {
        close(fds[--n]);
    }
    close(small);
    rig_stop();
}

/* Neither a large head nor what is pipelined behind a request that runs is
 * free. */
TEST(what_a_running_request_keeps_is_counted)
{
    static char text[100000];
    struct yl_buf in;
    size_t idle;
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    yl_buf_init(&in, 1 << 20);
    fd = rig_dial(false);
    idle = rig_stats().budget_used;
    memset(text, 'h', sizeof text);
    rig_say(fd, YL_STR("GET /later HTTP/1.1\r\nHost: x\r\nX: "));
    rig_say(fd, yl_str_n(text, sizeof text));
    rig_say(fd, YL_STR("\r\n\r\n"));
    assert_false(rig_hear(fd, &in));
    assert_non_null(rig.kept);
    assert_true(rig_stats().budget_used > idle + sizeof text);
    yl_http_respond(rig.kept, 200, NULL, 0, YL_STR("here"));
    assert_false(rig_hear(fd, &in));
    assert_int_equal(rig_stats().budget_used, idle);

    memset(text, ' ', 50000);
    memcpy(text, GET("/") GET("/later"), strlen(GET("/") GET("/later")));
    rig_say(fd, yl_str_n(text, 50000));
    assert_false(rig_hear(fd, &in));
    assert_non_null(rig.kept);
    assert_true(rig_stats().budget_used > idle + 50000);
    yl_buf_release(&in);
    close(fd);
    rig_stop();
}

/* A head that the budget has no room for is not kept either. */
TEST(heads_beyond_the_budget_get_a_429)
{
    static char text[60000];
    int fd;

    rig_serve((struct yl_http_server_opts) { .budget = 40000 });
    fd = rig_dial(false);
    memset(text, 'h', sizeof text);
    rig_say(fd, YL_STR("GET / HTTP/1.1\r\nHost: x\r\nX: "));
    rig_say(fd, yl_str_n(text, sizeof text));
    rig_ask(fd, "\r\n\r\n", "HTTP/1.1 429");
    assert_int_equal(rig.n_requests, 0);
    close(fd);
    rig_stop();
}

TEST(a_slow_reader_is_dropped)
{
    int fd, good;

    rig_serve((struct yl_http_server_opts) { .write_timeout = 10000 });
    fd = rig_dial(false);
    good = rig_dial(false);
    rig.source_left = 32 << 20;
    rig_say(fd, YL_STR(GET("/source")));
    rig_turn(20);

    /* Some bytes now and then are not enough. */
    for (int i = 0; i < 9; i++) {
        char byte[100];

        yl_clock_fake_advance(rig.clock, 1000);
        assert_true(recv(fd, byte, sizeof byte, 0) > 0);
        rig_turn(2);
        assert_int_equal(rig_stats().n_connections, 2);
    }
    yl_clock_fake_advance(rig.clock, 1000);
    rig_turn(2);
    assert_int_equal(rig_stats().n_connections, 1);
    assert_int_equal(rig.n_ended, 1);
    assert_int_equal(rig.n_finished, 0);
    rig.source_left = 0;
    assert_false(rig_ask(good, GET("/"), "200 OK"));
    close(fd);
    close(good);
    rig_stop();
}

TEST(a_reader_that_is_slow_but_steady_is_not)
{
    struct yl_buf in;
    int fd;

    rig_serve((struct yl_http_server_opts) { .write_timeout = 10000 });
    fd = rig_dial(false);
    yl_buf_init(&in, 64 << 20);
    rig.source_left = 8 << 20;
    rig_say(fd, YL_STR(GET("/source")));
    for (int i = 0; i < 30; i++) {
        char bytes[65536];

        rig_turn(3);
        yl_clock_fake_advance(rig.clock, 5000);
        assert_true(recv(fd, bytes, sizeof bytes, 0) > 0);
        rig_turn(1);
    }
    assert_int_equal(rig_stats().n_connections, 1);
    assert_false(rig_hear(fd, &in));
    yl_buf_release(&in);
    close(fd);
    rig_stop();
}

TEST(an_idle_connection_ends)
{
    struct yl_buf in;
    int fd;

    rig_serve((struct yl_http_server_opts) { .idle_timeout = 60000 });
    fd = rig_dial(false);
    yl_buf_init(&in, 1 << 20);
    rig_ask(fd, GET("/"), "200 OK");
    yl_clock_fake_advance(rig.clock, 50000);
    rig_ask(fd, GET("/"), "200 OK");
    yl_clock_fake_advance(rig.clock, 59999);
    assert_false(rig_hear(fd, &in));
    yl_clock_fake_advance(rig.clock, 1);
    assert_true(rig_hear(fd, &in));
    assert_int_equal(in.size, 0);
    yl_buf_release(&in);
    close(fd);
    rig_stop();
}

TEST(a_request_that_runs_is_not_idle)
{
    int fd;

    rig_serve((struct yl_http_server_opts) { .idle_timeout = 60000 });
    rig.source_waits = true;
    fd = rig_dial(false);
    rig_ask(fd, GET("/source"), "200 OK");
    for (int i = 0; i < 10; i++) {
        yl_clock_fake_advance(rig.clock, 100000);
        rig_turn(1);
    }
    assert_non_null(rig.kept);
    close(fd);
    rig_stop();
}

TEST(idle_connections_hold_no_buffers)
{
    int fds[100];

    rig_serve((struct yl_http_server_opts) { 0 });
    for (int i = 0; i < 100; i++) {
        fds[i] = rig_dial(false);
        rig_ask(fds[i], GET("/"), "200 OK");
    }
    assert_int_equal(rig_stats().n_connections, 100);
    assert_int_equal(rig_stats().budget_used, 0);
    for (int i = 0; i < 100; i++) {
        close(fds[i]);
    }
    rig_stop();
}
