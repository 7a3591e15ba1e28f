/* Answers that break off: wherever that is, a call of the lister-watcher ends
 * once, has told nothing that was not complete, and leaks nothing. */

#include "client/lister_watcher_call.h"

#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "script_rig.h"
#include "yuloh/loop.h"

#define HEAD "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
#define CHUNKED HEAD "transfer-encoding: chunked\r\n\r\n"

/* Both have three objects, at revisions 1 to 3. */
static const char list_answer[] = CHUNKED
    "2e\r\n{\"kind\":\"NodeList\",\"apiVersion\":\"v1\",\"items\":[\r\n"
    "33\r\n{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"1\"}},"
    "{\"m\r\n"
    "5d\r\netadata\":{\"name\":\"b\",\"resourceVersion\":\"2\"}},"
    "{\"metadata\":{\"name\":\"c\",\"resourceVersion\":\"3\"}}\n\r\n"
    "25\r\n],\"metadata\":{\"resourceVersion\":\"9\"}}\r\n0\r\n\r\n";
static const char watch_answer[] = CHUNKED
    "4c\r\n{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"a\","
    "\"resourceVersion\":\"1\"}}}\n\n\n\r\n"
    "96\r\n{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"b\","
    "\"resourceVersion\":\"2\"}}}\n{\"type\":\"DELETED\",\"object\":{"
    "\"metadata\":{\"name\":\"c\",\"resourceVersion\":\"3\"}}}\n\r\n"
    "0\r\n\r\n";

static struct {
    struct yl_str answer;       /* What each connection gets. */
    int fds[8];                 /* The servers' ends. */
    size_t n_fds;
    struct yl_buf heard;
    int n_done;
} t;

static int
connect_pair(void *aux, struct yl_cancel *cancel, int *ret_fd,
             struct yl_error *err)
{
    int fds[2];

    (void) aux;
    (void) cancel;
    (void) err;
    assert_true(t.n_fds < YL_ARRAY_SIZE(t.fds));
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    t.fds[t.n_fds++] = fds[1];
    *ret_fd = fds[0];
    return 0;
}

static void
on_item(void *aux, struct yl_versioned item)
{
    (void) aux;
    assert_int_equal(t.n_done, 0);
    yl_buf_append_str(&t.heard, yl_object_name(item.object));
    yl_object_unref(item.object);
}

static void
on_event(void *aux, struct yl_watch_event *event)
{
    (void) aux;
    assert_int_equal(t.n_done, 0);
    yl_buf_append_str(&t.heard, yl_object_name(event->object));
}

static void
on_list_done(void *aux, const struct yl_list_page *page,
             const struct yl_error *err)
{
    (void) aux;
    t.n_done++;
    assert_true(!page != !err);
    if (page) {
        assert_int_equal(page->revision, 9);
    }
    yl_buf_printf(&t.heard, ";%s", err ? yl_error_name(err->code) : "");
}

static void
on_watch_done(void *aux, const struct yl_error *err)
{
    (void) aux;
    t.n_done++;
    yl_buf_printf(&t.heard, ";%s", err ? yl_error_name(err->code) : "");
}

/* Each connection that was made gets the answer to its request and is
 * closed. */
static void
answer_all(void)
{
    size_t i;

    for (i = 0; i < t.n_fds; i++) {
        char request[4096];

        if (t.fds[i] >= 0
            && recv(t.fds[i], request, sizeof request, MSG_DONTWAIT) > 0) {
            assert_int_equal(send(t.fds[i], t.answer.data, t.answer.size,
                                  MSG_NOSIGNAL), t.answer.size);
            close(t.fds[i]);
            t.fds[i] = -1;
        }
    }
}

/* Runs a list or watch whose answer ends after 'size' bytes, and returns what
 * was heard of it. */
static const char *
run(const char *answer, size_t size, bool watch)
{
    static const struct yl_list_sink list_sink = { on_item, on_list_done };
    static const struct yl_watch_sink watch_sink = {
        on_event, on_watch_done,
    };
    struct yl_lister_watcher_call *call;
    struct yl_lister_watcher *lw;
    struct yl_client *client;
    struct yl_loop *loop;
    size_t i;
    int turns;

    memset(t.fds, -1, sizeof t.fds);
    t.n_fds = 0;
    t.n_done = 0;
    t.answer = yl_str_n(answer, size);
    yl_buf_clear(&t.heard);
    assert_int_equal(yl_loop_new(NULL, &loop, NULL), 0);
    assert_int_equal(yl_client_new(&(struct yl_client_config) {
        .server = "http://pair", .user_agent = "test",
        .connect = connect_pair, .connect_is_quick = true,
    }, NULL, &client, NULL), 0);
    lw = yl_client_lister_watcher_new(client, loop, &rig_nodes, NULL);
    assert_int_equal(watch ? yl_lister_watcher_watch(lw, NULL, &watch_sink,
                                                     NULL, &call, NULL)
                           : yl_lister_watcher_list(lw, NULL, &list_sink,
                                                    NULL, &call, NULL), 0);
    for (turns = 0; !t.n_done && turns < 1000; turns++) {
        yl_loop_turn(loop, false);
        answer_all();
    }
    for (turns = 0; turns < 5; turns++) {
        yl_loop_turn(loop, false);      /* Nothing more comes. */
    }
    assert_int_equal(t.n_done, 1);
    yl_client_lister_watcher_free(lw);
    yl_client_unref(client);
    yl_loop_free(loop);
    for (i = 0; i < t.n_fds; i++) {
        if (t.fds[i] >= 0) {
            close(t.fds[i]);
        }
    }
    return yl_buf_c_str(&t.heard);
}

/* Whether 'heard' is a beginning of "abc" and then that the connection
 * broke. */
static bool
is_broken(const char *heard)
{
    return strcmp(heard, ";EUNAVAILABLE") == 0
           || strcmp(heard, "a;EUNAVAILABLE") == 0
           || strcmp(heard, "ab;EUNAVAILABLE") == 0
           || strcmp(heard, "abc;EUNAVAILABLE") == 0;
}

static void
check_all(const char *answer, size_t size, bool watch)
{
    size_t n_before = 0, n;

    yl_buf_init(&t.heard, 1 << 16);
    assert_string_equal(run(answer, size, watch), "abc;");
    for (n = 0; n < size; n++) {
        const char *heard = run(answer, n, watch);
        size_t n_heard = strcspn(heard, ";");

        if (!is_broken(heard)) {
            fail_msg("after %zu bytes: %s", n, heard);
        }
        assert_true(n_heard >= n_before);
        n_before = n_heard;
    }
    assert_int_equal(n_before, 3);
    yl_buf_release(&t.heard);
}

TEST(a_list_may_break_off_after_any_byte)
{
    check_all(list_answer, sizeof list_answer - 1, false);
}

TEST(a_watch_may_break_off_after_any_byte)
{
    check_all(watch_answer, sizeof watch_answer - 1, true);
}
