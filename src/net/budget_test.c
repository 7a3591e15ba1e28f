/* Tests of the budget: who may hold how much, and clients who try to hold
 * all of it. */

#include "net/budget.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include "base/thread.h"
#include "http2_rig.h"

#define TOTAL ((size_t) 240000)

static struct yl_share *
peer(struct yl_budget *budget, const char *text)
{
    struct sockaddr_in6 in6 = { .sin6_family = AF_INET6 };
    struct sockaddr_in in = { .sin_family = AF_INET };

    if (inet_pton(AF_INET, text, &in.sin_addr) == 1) {
        return yl_budget_peer(budget, (const struct sockaddr *) &in);
    }
    assert_int_equal(inet_pton(AF_INET6, text, &in6.sin6_addr), 1);
    return yl_budget_peer(budget, (const struct sockaddr *) &in6);
}

/* Charges as much as fits, in small pieces: how much that was. */
static size_t
fill(struct yl_charge *charge)
{
    size_t before = charge->size;

    while (!yl_charge_add(charge, 100)) {
    }
    return charge->size - before;
}

TEST(a_peer_is_an_ipv4_address_or_a_64th_of_ipv6)
{
    static const struct {
        const char *one, *other;
        bool same;
    } cases[] = {
        { "192.0.2.1", "192.0.2.1", true },
        { "192.0.2.1", "192.0.2.2", false },
        { "::ffff:192.0.2.1", "192.0.2.1", true },
        { "2001:db8:0:1::1", "2001:db8:0:1:ffff::2", true },
        { "2001:db8:0:1::1", "2001:db8:0:2::1", false },
        { "::1", "127.0.0.1", false },
    };
    struct yl_budget *budget = yl_budget_new(TOTAL);
    struct yl_share *nowhere, *loopback;

    for (size_t i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_share *one = peer(budget, cases[i].one);
        struct yl_share *other = peer(budget, cases[i].other);

        assert_int_equal(one == other, cases[i].same);
        yl_share_unref(one);
        yl_share_unref(other);
    }
    nowhere = yl_budget_peer(budget, NULL);
    loopback = peer(budget, "127.0.0.1");
    assert_ptr_equal(nowhere, loopback);
    assert_false(yl_share_is_of(nowhere, YL_STR("\177\0\0\1")));
    yl_share_unref(nowhere);
    yl_share_unref(loopback);
    assert_null(yl_share_unref(NULL));
    yl_budget_free(budget);
    yl_budget_free(NULL);
}

TEST(a_connection_holds_an_eighth)
{
    struct yl_budget *budget = yl_budget_new(TOTAL);
    struct yl_charge one, other;
    size_t account = 0;

    yl_charge_init(&one, budget, &account);
    yl_charge_init(&other, budget, &account);
    fill(&one);
    assert_int_equal(account, TOTAL / 8);
    assert_non_null(strstr(yl_charge_add(&other, 100), "this connection"));

    /* One that has left counts for the rest only. */
    yl_charge_leave(&one);
    assert_int_equal(account, 0);
    assert_int_equal(yl_budget_used(budget), TOTAL / 8);
    assert_null(yl_charge_add(&other, 100));
    yl_charge_clear(&one);
    yl_charge_clear(&other);
    assert_int_equal(account, 0);
    assert_int_equal(yl_budget_used(budget), 0);
    yl_budget_free(budget);
}

/* Charges without an account: their connections are many. */
TEST(users_hold_as_much_as_they_leave)
{
    struct yl_budget *budget = yl_budget_new(TOTAL);
    struct yl_charge a, b, c;

    yl_charge_init(&a, budget, NULL);
    yl_charge_init(&b, budget, NULL);
    yl_charge_init(&c, budget, NULL);
    assert_null(yl_charge_move(&a, yl_budget_user(budget, YL_STR("a"))));
    assert_null(yl_charge_move(&b, yl_budget_user(budget, YL_STR("b"))));
    assert_null(yl_charge_move(&c, yl_budget_user(budget, YL_STR("c"))));
    assert_int_equal(fill(&a), TOTAL / 2);
    assert_int_equal(fill(&b), TOTAL / 4);
    assert_int_equal(fill(&c), TOTAL / 8);
    assert_non_null(strstr(yl_charge_excess(&a), "this user"));

    /* Bytes that one user releases, the others may have. */
    yl_charge_drop(&a, a.size - 60000);
    fill(&b);
    fill(&c);
    assert_in_range(b.size, 70000, 80000);
    assert_in_range(c.size, 50000, 60000);
    yl_charge_clear(&a);
    yl_charge_clear(&b);
    yl_charge_clear(&c);
    yl_budget_free(budget);
}

TEST(strangers_hold_a_quarter_and_leave_room_for_each_other)
{
    struct yl_budget *budget = yl_budget_new(TOTAL);
    struct yl_charge a, b, c, user, nobody;

    yl_charge_init(&a, budget, NULL);
    yl_charge_init(&b, budget, NULL);
    yl_charge_init(&c, budget, NULL);
    yl_charge_init(&user, budget, NULL);
    yl_charge_init(&nobody, budget, NULL);
    yl_charge_move(&a, peer(budget, "192.0.2.1"));
    yl_charge_move(&b, peer(budget, "192.0.2.2"));
    yl_charge_move(&c, peer(budget, "192.0.2.1"));
    assert_int_equal(fill(&a), TOTAL / 8);
    assert_non_null(strstr(yl_charge_add(&c, 1), "unknown users"));
    assert_int_equal(fill(&b), TOTAL / 16);
    assert_int_equal(yl_budget_strangers(budget), TOTAL / 8 + TOTAL / 16);

    /* A head without an owner yet is admitted; and once it is a user's, the
     * address of that user does not matter. */
    assert_null(yl_charge_add(&nobody, 4096));
    assert_null(yl_charge_move(&nobody, yl_budget_user(budget,
                                                       YL_STR("admin"))));
    assert_int_equal(yl_share_used(nobody.owner), 4096);
    yl_charge_move(&user, yl_budget_user(budget, YL_STR("admin")));
    assert_ptr_equal(user.owner, nobody.owner);
    assert_true(fill(&user) > TOTAL / 3);

    /* A request that stays unauthenticated has no room. */
    yl_charge_clear(&nobody);
    yl_charge_init(&nobody, budget, NULL);
    assert_null(yl_charge_add(&nobody, 4096));
    assert_non_null(yl_charge_move(&nobody, peer(budget, "192.0.2.1")));
    yl_charge_clear(&nobody);
    yl_charge_clear(&a);
    yl_charge_clear(&b);
    yl_charge_clear(&c);
    yl_charge_clear(&user);
    assert_int_equal(yl_budget_strangers(budget), 0);
    assert_int_equal(yl_budget_used(budget), 0);
    yl_budget_free(budget);
}

TEST(bodies_leave_room_for_requests_without_one)
{
    struct yl_budget *budget = yl_budget_new(TOTAL);
    struct yl_charge body, get;

    yl_charge_init(&body, budget, NULL);
    yl_charge_init(&get, budget, NULL);
    yl_charge_move(&body, yl_budget_user(budget, YL_STR("u")));
    yl_charge_move(&get, yl_budget_user(budget, YL_STR("u")));
    while (!yl_charge_add_body(&body, 100)) {
    }
    assert_in_range(body.size, TOTAL * 7 / 15 - 100, TOTAL * 7 / 15);
    assert_in_range(fill(&get), 7500, 8100);
    yl_charge_clear(&body);
    yl_charge_clear(&get);
    yl_budget_free(budget);
}

TEST(what_is_forced_counts_beyond_every_ceiling)
{
    struct yl_budget *budget = yl_budget_new(TOTAL);
    struct yl_charge charge, other;
    size_t account = 0;

    yl_charge_init(&charge, budget, &account);
    yl_charge_init(&other, budget, NULL);
    yl_charge_move(&charge, yl_budget_user(budget, YL_STR("u")));
    yl_charge_force(&charge, TOTAL + 1);
    assert_non_null(yl_charge_excess(&charge));
    assert_non_null(yl_charge_add(&other, 1));
    yl_charge_drop(&charge, TOTAL);
    assert_null(yl_charge_excess(&charge));
    assert_null(yl_charge_add(&other, 1));
    assert_non_null(yl_charge_add(&other, SIZE_MAX));
    assert_non_null(yl_charge_add(&other, SIZE_MAX - 1));
    assert_int_equal(other.size, 1);
    yl_charge_clear(&charge);
    yl_charge_clear(&other);
    assert_int_equal(yl_budget_used(budget), 0);
    yl_budget_free(budget);
}

/* Threads that charge, and that find and lose the same few shares. */
enum { N_ROUNDS = 2000 };

static void
charge_often(void *budget)
{
    static const char *const names[] = { "a", "b", "c" };

    for (int i = 0; i < N_ROUNDS; i++) {
        struct yl_charge charge;

        yl_charge_init(&charge, budget, NULL);
        assert_null(yl_charge_add(&charge, 10));
        yl_charge_move(&charge, yl_budget_peer(budget, NULL));
        yl_charge_move(&charge,
                       yl_budget_user(budget, yl_str_c(names[i % 3])));
        yl_charge_clear(&charge);
    }
}

TEST(threads_charge_at_once_and_shares_come_and_go)
{
    struct yl_budget *budget = yl_budget_new(TOTAL);
    struct yl_thread threads[4];

    for (size_t i = 0; i < YL_ARRAY_SIZE(threads); i++) {
        assert_int_equal(yl_thread_start(&threads[i], "charge", charge_often,
                                         budget), 0);
    }
    for (size_t i = 0; i < YL_ARRAY_SIZE(threads); i++) {
        yl_thread_join(&threads[i]);
    }
    assert_int_equal(yl_budget_used(budget), 0);
    assert_int_equal(yl_budget_strangers(budget), 0);
    yl_budget_free(budget);
}

/* Attacks.  The budget is 8 MB: unauthenticated clients have 2, one peer 1, a
 * connection 1. */

#define BUDGET ((size_t) 8 << 20)

/* An authenticated user is served. */
static void
assert_admin_is_served(void)
{
    int fd = rig_dial(false);
    struct client *c = dial(65535);

    assert_false(rig_ask(fd, GET_AS("admin", "/"), "200 OK"));
    assert_false(rig_ask(fd, "POST / HTTP/1.1\r\nHost: x\r\nUser: admin\r\n"
                         "Content-Length: 2\r\n\r\nok", "[ok]"));
    c->user = "admin";
    assert_int_equal(ask(c, "GET", "/", NULL)->status, 200);
    hang_up(c);
    close(fd);
    rig_turn(2);
}

/* The first attack of three: answers that are not read, because the window is
 * closed.  Each is far larger than its request. */
TEST(answers_behind_a_closed_window_leave_room_for_others)
{
    enum { N = 600, ANSWER = 480 << 10 };
    static char bytes[ANSWER];
    struct client *c;
    int n_refused = 0;

    rig_serve((struct yl_http_server_opts) { .budget = BUDGET });
    rig.big = yl_str_n(bytes, sizeof bytes);
    c = dial(0);
    for (int i = 0; i < N; i++) {
        start(c, "GET", "/copied", NULL);
    }
    talk(c);
    assert_true(rig_stats().budget_used < BUDGET / 8 + 2 * ANSWER);

    /* The others got a 429 that needs no window, and are done with. */
    for (int i = 0; i < N; i++) {
        n_refused += c->answers[1 + 2 * i].status == 429;
        assert_int_equal(c->answers[1 + 2 * i].closed,
                         c->answers[1 + 2 * i].status == 429);
    }
    assert_in_range(n_refused, N - 4, N - 1);
    assert_int_equal(rig_stats().requests_throttled, n_refused);
    assert_admin_is_served();

    /* When the client reads, it is served again. */
    for (int i = 0; i < N; i++) {
        nghttp2_submit_window_update(c->h2, NGHTTP2_FLAG_NONE, 1 + 2 * i,
                                     1 << 20);
    }
    talk(c);
    assert_int_equal(rig_stats().n_requests, 0);
    nghttp2_session_terminate_session(c->h2, NGHTTP2_NO_ERROR);
    hang_up(c);
    rig_stop();
}

/* The second: requests whose bodies never end. */
TEST(stalled_bodies_leave_room_for_others)
{
    enum { N = 237 };
    static char body[200000];
    int fds[N];

    rig_serve((struct yl_http_server_opts) { .budget = BUDGET });
    for (int i = 0; i < N; i++) {
        fds[i] = rig_dial(false);
        rig_say(fds[i], YL_STR(POST("/", "300000")));
        send(fds[i], body, sizeof body, MSG_NOSIGNAL | MSG_DONTWAIT);
        rig_turn(3);
        if (i % 50 == 0) {
            assert_admin_is_served();
        }
    }
    assert_true(rig_stats().requests_throttled > N / 2);
    assert_true(rig_stats().budget_strangers < BUDGET / 4);
    assert_admin_is_served();

    /* Strangers are not: the address is all that is known of them. */
    close(fds[N - 1]);
    fds[N - 1] = rig_dial(false);
    rig_ask(fds[N - 1], POST("/", "300000"), "");
    send(fds[N - 1], body, sizeof body, MSG_NOSIGNAL | MSG_DONTWAIT);
    rig_ask(fds[N - 1], "", "429 Too Many Requests");
    for (int i = 0; i < N; i++) {
        close(fds[i]);
    }
    yl_clock_fake_advance(rig.clock, 5000);
    rig_stop();
}

/* The same by an authenticated user. */
TEST(a_user_who_holds_all_he_can_leaves_room_for_others)
{
    enum { N = 100 };
    static char body[200000];
    int fds[N];

    rig_serve((struct yl_http_server_opts) { .budget = BUDGET });
    for (int i = 0; i < N; i++) {
        fds[i] = rig_dial(false);
        rig_say(fds[i], YL_STR("POST / HTTP/1.1\r\nHost: x\r\nUser: mallory"
                               "\r\nContent-Length: 300000\r\n\r\n"));
        send(fds[i], body, sizeof body, MSG_NOSIGNAL | MSG_DONTWAIT);
        rig_turn(3);
    }
    assert_int_equal(rig_stats().budget_strangers, 0);
    assert_in_range(rig_stats().budget_used, BUDGET / 4, BUDGET / 2);
    assert_true(rig_stats().requests_throttled > N / 2);
    assert_admin_is_served();
    for (int i = 0; i < N; i++) {
        close(fds[i]);
    }
    yl_clock_fake_advance(rig.clock, 5000);
    rig_stop();
}

/* A user's requests that are too many are refused before a handler acts on
 * them, and whatever it answers. */
TEST(a_user_who_holds_too_much_gets_a_429)
{
    int fd, other;

    rig_serve((struct yl_http_server_opts) { .budget = BUDGET });
    fd = rig_dial(false);
    other = rig_dial(false);
    rig_ask(fd, GET_AS("mallory", "/later"), "");
    while (yl_http_charge(rig.kept, 4096) == 0) {
    }
    rig_ask(other, GET_AS("mallory", "/"), "200 OK");
    close(other);

    /* Now by other connections as well. */
    for (int i = 0; i < 3; i++) {
        other = rig_dial(false);
        rig_ask(other, GET_AS("mallory", "/later"), "");
        while (yl_http_charge(rig.kept, 4096) == 0) {
        }
    }
    other = rig_dial(false);
    assert_false(rig_ask(other, GET_AS("mallory", "/head"),
                         "429 Too Many Requests"));
    assert_false(rig_ask(other, GET_AS("mallory", "/"),
                         "the requests of this user take too many bytes"));
    assert_int_equal(rig.n_throttled, 2);
    assert_false(rig_ask(other, GET_AS("alice", "/"), "200 OK"));
    assert_admin_is_served();
    rig_turn(3);
    yl_http_server_free(rig.server);
    yl_clock_free(rig.clock);
    close(fd);
    close(other);
}

/* Heads that do not end. */
TEST(large_heads_that_do_not_end_leave_room_for_others)
{
    enum { N = 60 };
    static char head[60000];
    int fds[N];

    memset(head, 'h', sizeof head);
    rig_serve((struct yl_http_server_opts) { .budget = BUDGET });
    for (int i = 0; i < N; i++) {
        fds[i] = rig_dial(false);
        rig_say(fds[i], YL_STR("GET / HTTP/1.1\r\nHost: x\r\nX: "));
        send(fds[i], head, sizeof head, MSG_NOSIGNAL | MSG_DONTWAIT);
        rig_turn(3);
    }
    assert_true(rig_stats().budget_used < BUDGET / 4);
    assert_true(rig_stats().requests_throttled > N / 2);
    assert_admin_is_served();
    for (int i = 0; i < N; i++) {
        close(fds[i]);
    }
    yl_clock_fake_advance(rig.clock, 5000);
    rig_stop();
}

/* Sends 'bytes', or as much as the server takes, and reads nothing. */
static void
stuff(int fd, struct yl_str bytes)
{
    for (int quiet = 0; quiet < 3 && bytes.size; quiet++) {
        ssize_t n = send(fd, bytes.data, bytes.size,
                         MSG_NOSIGNAL | MSG_DONTWAIT);

        if (n > 0) {
            bytes = yl_str_skip(bytes, (size_t) n);
            quiet = 0;
        }
        rig_turn(2);
    }
}

/* Has many clients stuff the server with 'bytes'. */
static void
assert_stuffing_leaves_room(struct yl_str bytes)
{
    enum { N = 60 };
    int fds[N];

    rig_serve((struct yl_http_server_opts) { .budget = BUDGET });
    for (int i = 0; i < N; i++) {
        fds[i] = rig_dial(false);
        stuff(fds[i], bytes);
    }
    assert_true(rig_stats().budget_used < BUDGET / 2 + BUDGET / 8);
    assert_admin_is_served();
    for (int i = 0; i < N; i++) {
        close(fds[i]);
    }
    yl_clock_fake_advance(rig.clock, 5000);
    rig_stop();
}

/* Answers that nobody reads from the socket: of a pipeline, and of streams. */
TEST(answers_that_nobody_reads_leave_room_for_others)
{
    static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
                                  "\0\0\0\4\0\0\0\0";
    struct yl_buf bytes;

    yl_buf_init(&bytes, 1 << 20);
    while (bytes.size < 500000) {
        yl_buf_append_c(&bytes, GET("/"));
    }
    assert_stuffing_leaves_room(yl_buf_str(&bytes));

    /* Somebody who is known may hold half. */
    yl_buf_clear(&bytes);
    while (bytes.size < 500000) {
        yl_buf_append_c(&bytes, GET_AS("mallory", "/"));
    }
    assert_stuffing_leaves_room(yl_buf_str(&bytes));

    yl_buf_clear(&bytes);
    yl_buf_append(&bytes, preface, sizeof preface);
    for (unsigned id = 1; bytes.size < 90000; id += 2) {
        const char frame[] = { 0, 0, 6, NGHTTP2_HEADERS, 5, 0, 0,
                               (char) (id >> 8), (char) id,
                               '\x82', '\x86', '\x84', '\x01', '\x01', 'h' };

        yl_buf_append(&bytes, frame, sizeof frame);
    }
    assert_stuffing_leaves_room(yl_buf_str(&bytes));
    yl_buf_release(&bytes);
}

/* The third: watches whose windows take a byte.  Pulled bytes wait to be sent,
 * and the sources wait for more events. */
TEST(bytes_that_wait_behind_a_window_have_their_time)
{
    enum { N = 20 };
    struct yl_http_request *requests[N];
    struct client *c;

    rig_serve((struct yl_http_server_opts) { .write_timeout = 10000 });
    rig.source_waits = true;
    c = dial(0);
    for (int i = 0; i < N; i++) {
        int32_t id = start(c, "GET", "/source", NULL);

        rig.source_left = 300;
        talk(c);
        nghttp2_submit_window_update(c->h2, NGHTTP2_FLAG_NONE, id, 1);
        talk(c);
        assert_int_equal(c->answers[id].body.size, 1);
        requests[i] = rig.kept;
    }
    assert_int_equal(rig_stats().n_requests, N);

    /* A few bytes do not keep a buffer for many. */
    assert_true(rig_stats().budget_used < N * (4096 + 4096));

    /* News do not give them more time. */
    for (int i = 0; i < 5; i++) {
        yl_clock_fake_advance(rig.clock, 1900);
        for (int j = 0; j < N; j++) {
            yl_http_resume(requests[j]);
        }
        talk(c);
        assert_int_equal(rig_stats().n_requests, N);
    }
    yl_clock_fake_advance(rig.clock, 1500);
    talk(c);
    assert_int_equal(rig_stats().n_requests, 0);
    assert_int_equal(c->answers[1].error, NGHTTP2_CANCEL);
    hang_up(c);
    rig_stop();
}

/* The fourth: resets with NO_ERROR. */
TEST(rapid_resets_count_whatever_their_code)
{
    struct client *c;
    int n = 0;

    rig_serve((struct yl_http_server_opts) {
        .max_streams = 10, .max_resets = 5
    });
    c = dial(65535);
    while (!c->goaway && n < 100) {
        int32_t id = start(c, "GET", "/later", NULL);

        talk(c);
        nghttp2_submit_rst_stream(c->h2, NGHTTP2_FLAG_NONE, id,
                                  NGHTTP2_NO_ERROR);
        talk(c);
        n++;
    }
    assert_int_equal(n, 21);
    assert_int_equal(c->goaway_error, NGHTTP2_ENHANCE_YOUR_CALM);
    hang_up(c);
    rig_stop();
}

/* Sources of a user who holds too much wait, and go on later. */
TEST(sources_wait_for_their_owners_share)
{
    static char bytes[BUDGET];
    struct yl_http_request *watches[2];
    struct client *c;
    int hog, fd;

    rig_serve((struct yl_http_server_opts) { .budget = BUDGET });
    rig.source_waits = true;
    fd = rig_dial(false);
    rig_ask(fd, GET_AS("alice", "/source"), "200 OK");
    watches[0] = rig.kept;
    c = dial(65535);
    c->user = "alice";
    assert_int_equal(ask(c, "GET", "/source", NULL)->status, 200);
    watches[1] = rig.kept;

    /* An answer that is larger than her share, and that she does not read. */
    rig.big = yl_str_n(bytes, sizeof bytes);
    hog = rig_dial(false);
    rig_say(hog, YL_STR(GET_AS("alice", "/copied")));
    rig_turn(4);
    assert_true(rig_stats().budget_used > BUDGET / 2);
    assert_int_equal(ask(c, "GET", "/", NULL)->status, 429);
    rig.n_pulled = 0;
    yl_http_resume(watches[0]);
    yl_http_resume(watches[1]);
    rig_turn(4);
    yl_clock_fake_advance(rig.clock, 1000);
    rig_turn(4);
    assert_int_equal(rig.n_pulled, 0);
    close(hog);
    rig_turn(2);
    yl_clock_fake_advance(rig.clock, 1000);
    rig_turn(4);
    assert_int_equal(rig.n_pulled, 2);
    assert_int_equal(ask(c, "GET", "/", NULL)->status, 200);
    hang_up(c);
    close(fd);
    rig_stop();
}
