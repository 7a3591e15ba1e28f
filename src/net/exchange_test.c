/* Tests of exchanges: what they cost, how they are refused, and that they are
 * used again. */

#include "net/exchange.h"

#include "http_rig.h"
#include "net/conn.h"

static void
say_no(void *aux YL_UNUSED, int status, const char *why,
       const char **ret_content_type, struct yl_buf *body)
{
    *ret_content_type = "application/json";
    yl_buf_printf(body, "{\"code\":%d,\"message\":\"%s\"}", status, why);
}

static const struct yl_http_handler with_words = {
    rig_request, rig_body, rig_end, say_no
};

TEST(the_handler_words_refusals)
{
    int fd;

    rig_serve((struct yl_http_server_opts) { .handler = &with_words });
    fd = rig_dial(false);
    rig_ask(fd, "GET nowhere HTTP/1.1\r\nHost: x\r\n\r\n",
            "content-type: application/json\r\n");
    close(fd);
    fd = rig_dial(false);
    rig_ask(fd, "GET / HTTP/1.1\r\n\r\n", "{\"code\":400,\"message\":\"");
    close(fd);
    yl_clock_fake_advance(rig.clock, 5000);
    rig_stop();
}

TEST(without_words_a_refusal_is_a_line_of_text)
{
    int fd;

    rig_serve((struct yl_http_server_opts) { .max_body = 10 });
    fd = rig_dial(false);
    rig_ask(fd, POST("/", "11"), "content-type: text/plain");
    close(fd);
    yl_clock_fake_advance(rig.clock, 5000);
    rig_stop();
}

TEST(a_request_counts_from_its_head_to_its_end)
{
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    fd = rig_dial(false);
    rig_ask(fd, GET("/later"), "");
    assert_int_equal(rig_stats().n_requests, 1);
    assert_true(rig_stats().budget_used > 0);
    yl_http_respond(rig.kept, 200, NULL, 0, YL_STR(""));
    rig_turn(2);
    assert_int_equal(rig_stats().n_requests, 0);
    assert_int_equal(rig_stats().budget_used, 0);
    close(fd);
    rig_stop();
}

TEST(a_body_in_pieces_is_put_together_and_charged)
{
    struct yl_buf text;
    int fd;

    rig_serve((struct yl_http_server_opts) { 0 });
    fd = rig_dial(false);
    rig_say(fd, YL_STR(POST("/later", "1000000")));
    yl_buf_init(&text, 1 << 20);
    for (int i = 0; i < 1000; i++) {
        char piece[1001];

        memset(piece, 'a' + i % 26, 1000);
        yl_buf_append(&text, piece, 1000);
        rig_say(fd, yl_str_n(piece, 1000));
    }
    rig_turn(3);
    assert_non_null(rig.kept);
    assert_true(yl_str_equal(rig.kept->body, yl_buf_str(&text)));
    assert_in_range(rig_stats().budget_used, 1000000, 2200000);
    close(fd);
    yl_buf_release(&text);
    rig_stop();
}

TEST(exchanges_are_used_again_and_come_back_empty)
{
    int fds[40];
    int n = 0;

    rig_serve((struct yl_http_server_opts) { 0 });
    for (int i = 0; i < 40; i++) {
        fds[i] = rig_dial(false);
        rig_ask(fds[i], GET("/later"), "");
        rig.kept->user = &n;
    }
    assert_int_equal(rig_stats().n_requests, 40);
    for (int i = 0; i < 40; i++) {
        close(fds[i]);
    }
    rig_turn(3);
    fds[0] = rig_dial(false);
    for (int i = 0; i < 40; i++) {
        rig_ask(fds[0], GET("/later"), "");
        assert_null(rig.kept->user);
        assert_int_equal(rig.kept->body.size, 0);
        yl_http_respond(rig.kept, 200, NULL, 0, YL_STR("x"));
        rig_ask(fds[0], "", "200 OK");
    }
    close(fds[0]);
    rig_stop();
}
