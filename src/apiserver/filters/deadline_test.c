/* Tests of deadlines, through the whole server and by hand. */

#include "apiserver/filters/filters.h"

#include <semaphore.h>

#include "api_rig.h"
#include "net/loop.h"

#define MAPS "/api/v1/namespaces/default/configmaps"

TEST(a_timeout_must_be_a_duration)
{
    rig_open();
    assert_int_equal(api("GET", MAPS "?timeout=x", NULL), 400);
    tells("invalid timeout specified in the request URL - time: invalid "
          "duration \"x\"");
    assert_int_equal(api("GET", MAPS "?timeout=5s", NULL), 200);
    assert_int_equal(api("GET", MAPS "?timeout=0s", NULL), 200);
    assert_int_equal(api("GET", MAPS "?timeout=99999h", NULL), 200);
    assert_int_equal(api("GET", MAPS "?timeout=1ns", NULL), 504);
    assert_string_equal(text_at("/kind"), "");
    assert_string_equal(text_at("/message"), "Timeout: request did not "
                        "complete within the allotted timeout");
    assert_non_null(memmem(rig.head.data, rig.head.size, "text/plain", 10));
    rig_close();
}

static struct yl_loop *loop;
static int n_cancelled;

static void
note_cancel(struct yl_api_request *req YL_UNUSED)
{
    n_cancelled++;
}

/* Lets the filter set a deadline for 'target', then moves the clock. */
static bool
is_due(const char *target, yl_msec after)
{
    struct yl_http_request http = { .loop = loop };
    struct yl_api_request req;
    bool due;

    rig_request_init(&req, target);
    req.http = &http;
    assert_int_equal(yl_filter_deadline(&req), YL_STEP_NEXT);
    due = yl_loop_timer_is_armed(&req.timer);
    req.answered = true;        /* Then nothing else happens. */
    req.cancel = note_cancel;
    yl_clock_fake_advance(rig.clock, after - 1);
    yl_loop_turn(loop, false);
    assert_int_equal(yl_loop_timer_is_armed(&req.timer), due);
    yl_clock_fake_advance(rig.clock, 1);
    yl_loop_turn(loop, false);
    assert_false(yl_loop_timer_is_armed(&req.timer));
    rig_request_release(&req);
    return due;
}

TEST(a_request_has_the_time_it_asks_for_but_not_more_than_allowed)
{
    rig_open_fake();
    assert_int_equal(yl_loop_new(rig.clock, &loop, NULL), 0);
    assert_true(is_due("/api/v1/pods", 60000));
    assert_true(is_due("/api/v1/pods?timeout=5s", 5000));
    assert_true(is_due("/api/v1/pods?timeout=2h", 60000));
    assert_false(is_due("/api/v1/pods?watch=1", 60000));
    assert_int_equal(n_cancelled, 0);
    yl_loop_free(loop);
    rig_close();
}

/* On the writer's thread: keeps it until the test lets it go. */
static void
block(struct yl_ks_write *write)
{
    sem_t *gate = write->waiter;

    while (sem_wait(gate) < 0) {
        continue;
    }
    yl_error_clear(&write->error);
    sem_post(gate);
}

/* A write that waits for long. */
TEST(what_takes_too_long_is_answered_504)
{
    struct yl_type_meta type = { YL_STR("v1"), YL_STR("ConfigMap") };
    struct yl_ks_write nothing = {
        .key = yl_key_make(YL_STR("default"), YL_STR("none")),
        .done = block,
    };
    sem_t gate;
    int fd;

    rig_open_fake();
    rig.server->opts.request_timeout = 1;
    assert_int_equal(sem_init(&gate, 0, 0), 0);
    nothing.waiter = &gate;
    assert_int_equal(yl_keyspace_add(rig.server->keyspace,
                                     YL_STR("/registry/configmaps/"), true,
                                     type, &nothing.resource, NULL), 0);
    yl_keyspace_write(rig.server->keyspace, &nothing);
    fd = rig_send("POST", MAPS, "{\"metadata\":{\"name\":\"a\"}}");
    yl_clock_fake_advance(rig.clock, 1000);
    while (rig_receive(fd) && !rig_split()) {
        yl_clock_fake_advance(rig.clock, 1000);
        yl_http_server_turn(rig.http, false);
    }
    assert_int_equal(rig.status, 504);
    assert_string_equal(text_at("/reason"), "Timeout");
    close(fd);

    /* The write is done all the same. */
    sem_post(&gate);
    while (api("GET", MAPS "/a", NULL) != 200) {
        assert_int_equal(rig.status, 404);
    }
    rig_close();
    sem_wait(&gate);
    sem_destroy(&gate);
}

/* The time runs while the body is waited for, and what comes of it afterwards
 * is not taken for a request. */
TEST(a_body_that_comes_too_late_is_answered_504)
{
    static const char late[] = "DELETE " MAPS "/a HTTP/1.1\r\n"
                               "host: x\r\n\r\n";
    char headers[64];
    int fd;

    rig_open_fake();
    assert_int_equal(api("POST", MAPS, "{\"metadata\":{\"name\":\"a\"}}"),
                     201);
    snprintf(headers, sizeof headers, "content-length: %zu\r\n",
             sizeof late - 1);
    rig.headers = headers;
    fd = rig_send("POST", MAPS "?timeout=5s", NULL);
    rig.headers = NULL;
    yl_buf_clear(&rig.answer);
    rig_advance(0);
    rig_advance(4999);
    assert_true(rig_receive(fd));
    assert_int_equal(rig.answer.size, 0);
    rig_advance(1);
    assert_true(rig_receive(fd));
    assert_true(rig_split());
    assert_int_equal(rig.status, 504);
    yl_buf_clear(&rig.answer);
    assert_int_equal(send(fd, late, sizeof late - 1, 0), sizeof late - 1);
    rig_advance(1);
    assert_true(rig_receive(fd));
    assert_int_equal(rig.answer.size, 0);
    close(fd);
    assert_int_equal(api("GET", MAPS "/a", NULL), 200);
    rig_close();
}
