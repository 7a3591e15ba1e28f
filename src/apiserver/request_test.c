/* Tests of a request's way through the server. */

#include "apiserver/request.h"

#include "api_rig.h"

#include "apiserver/discovery/documents.h"
#include "base/thread.h"
#include "net/loop.h"

#define MAPS "/api/v1/namespaces/default/configmaps"

static struct yl_api_request *
new_request(void)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_api_request *req = yl_arena_zalloc(arena, sizeof *req);

    req->arena = arena;
    return req;
}

TEST(a_warning_is_given_once)
{
    struct yl_api_request *req = new_request();
    int i;

    yl_api_warn(req, "a %d", 1);
    yl_api_warn(req, "a %d", 1);
    yl_api_warn(req, "b");
    assert_int_equal(req->n_warnings, 2);
    assert_str_equal(req->warnings[0], "a 1");
    for (i = 0; i < 2 * YL_MAX_WARNINGS; i++) {
        yl_api_warn(req, "w %d", i);
    }
    assert_int_equal(req->n_warnings, YL_MAX_WARNINGS);
    for (i = 0; i < 20; i++) {
        yl_api_add_header(req, YL_STR("a"), YL_STR("b"));
    }
    assert_int_equal(req->n_headers, YL_ARRAY_SIZE(req->headers));
    yl_arena_free(req->arena);
}

static void
count(void *counter)
{
    ++*(int *) counter;
}

TEST(a_held_request_outlives_its_connection)
{
    struct yl_api_request *req = new_request();
    int n_freed = 0;

    yl_arena_attach(req->arena, count, &n_freed);
    yl_api_hold(req);
    yl_api_hold(req);
    req->ended = true;
    yl_api_release(req);
    assert_int_equal(n_freed, 0);
    yl_api_release(req);
    assert_int_equal(n_freed, 1);
}

TEST(names_of_what_is_asked_for)
{
    struct yl_api_request req;

    rig_open();
    rig_request_init(&req, "/apis/apps/v1/namespaces/n/deployments/d");
    assert_str_equal(yl_api_gvr(&req).resource, "deployments");
    assert_str_equal(yl_api_gvr(&req).group, "apps");
    rig_request_release(&req);
    rig_close();
}

TEST(refusals_of_http_look_like_the_apis)
{
    rig_open();
    rig.headers = "host: y\r\n";
    assert_int_equal(api("GET", MAPS, NULL), 400);
    assert_string_equal(text_at("/kind"), "Status");
    assert_string_equal(text_at("/code"), "400");
    assert_string_equal(text_at("/status"), "Failure");
    rig_close();
}

TEST(a_client_may_go_while_its_write_is_on_its_way)
{
    int i;

    rig_open();
    for (i = 0; i < 50; i++) {
        char body[128];
        int fd;

        snprintf(body, sizeof body, "{\"metadata\":{\"name\":\"m%d\"}}", i);
        fd = rig_send("POST", MAPS, body);
        if (i % 2) {
            yl_http_server_turn(rig.http, false);
        }
        close(fd);
        yl_http_server_turn(rig.http, false);
    }
    assert_int_equal(api("GET", MAPS "?limit=1", NULL), 200);
    rig_close();
}

TEST(requests_of_a_connection_are_answered_in_order)
{
    static const char two[] =
        "GET /version HTTP/1.1\r\nhost: x\r\n\r\n"
        "GET " MAPS "/none HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    const char *first, *second;
    int fd;

    rig_open();
    assert_int_equal(yl_http_server_connect(rig.http, false, NULL, &fd,
                                            NULL), 0);
    assert_int_equal(send(fd, two, sizeof two - 1, 0), sizeof two - 1);
    while (rig_receive(fd)) {
        yl_http_server_turn(rig.http, false);
    }
    first = strstr(yl_buf_c_str(&rig.answer), "HTTP/1.1 200 ");
    second = strstr(yl_buf_c_str(&rig.answer), "HTTP/1.1 404 ");
    assert_true(first && second && first < second);
    close(fd);
    rig_close();
}

TEST(an_idle_server_keeps_no_documents)
{
    size_t bytes;
    int i;

    rig_open_fake();
    assert_int_equal(api("GET", "/openapi/v2", NULL), 200);
    assert_true(yl_documents_count(rig.server->documents, &bytes) > 0);
    for (i = 0; i < 100000
         && yl_documents_count(rig.server->documents, &bytes); i++) {
        yl_clock_fake_advance(rig.clock, 60 * 1000);
        usleep(500);
    }
    assert_int_equal(bytes, 0);
    rig_close();
}

#define PODS "/api/v1/namespaces/default/pods"

TEST(a_request_that_grows_too_large_ends_early)
{
    struct yl_buf body;

    rig_open();
    yl_buf_init(&body, SIZE_MAX);
    yl_buf_append_c(&body, "{'metadata':{'name':'p'},'spec':{'containers':[");
    for (int i = 0; i < 10000; i++) {
        yl_buf_append_c(&body, i ? ",{}" : "{}");
    }
    yl_buf_append_c(&body, "]}}");
    for (size_t i = 0; i < body.size; i++) {
        body.data[i] = body.data[i] == '\'' ? '"' : body.data[i];
    }

    /* The tree fits, what defaults make of it does not. */
    rig.server->opts.max_request_memory = 2 << 20;
    assert_int_equal(api("POST", PODS, yl_buf_c_str(&body)), 413);
    assert_string_equal(text_at("/reason"), "RequestEntityTooLarge");
    assert_string_equal(text_at("/message"),
                        "Request entity too large: it needs more memory than "
                        "a request may have: limit is 2097152 bytes");
    rig.headers = "accept: application/yaml\r\n";
    assert_int_equal(api("POST", PODS, yl_buf_c_str(&body)), 413);
    rig.headers = NULL;

    /* Not even the tree. */
    rig.server->opts.max_request_memory = 256 << 10;
    assert_int_equal(api("POST", PODS, yl_buf_c_str(&body)), 413);
    rig.server->opts.max_request_memory = 64 << 20;
    assert_int_equal(api("POST", PODS, yl_buf_c_str(&body)), 422);
    yl_buf_release(&body);
    rig_close();
}

struct attempt {
    const char *method, *path, *content_type, *body;
    int status;                 /* If there is enough memory. */
};

/* Tries with all ceilings from next to nothing on. */
static void
torture(const struct attempt *attempt)
{
    size_t memory = 8192;
    int status;

    do {
        rig.server->opts.max_request_memory = memory;
        rig.content_type = attempt->content_type;
        status = api(attempt->method, attempt->path, attempt->body);
        if (status == 413) {
            assert_non_null(strstr(text_at("/message"), "limit is"));
        } else if (status != attempt->status) {
            print_error("%s %s: %.*s\n", attempt->method, attempt->path,
                        YL_STR_ARG(rig.body));
            assert_int_equal(status, attempt->status);
        }
        memory += 1024;
    } while (status == 413);
    assert_true(memory < (1 << 20));
}

TEST(wherever_memory_ends_a_request_ends_well)
{
    static const struct attempt attempts[] = {
        { "POST", PODS, NULL,
          "{'metadata':{'name':'p','labels':{'a':'b'}},'spec':{"
          "'containers':[{'name':'c','image':'i','ports':[{"
          "'containerPort':80}],'env':[{'name':'A','valueFrom':{'fieldRef':{"
          "'fieldPath':'metadata.name'}}}],'resources':{'limits':{'cpu':'1'}},"
          "'livenessProbe':{'httpGet':{'port':80}}}],'volumes':[{'name':'v',"
          "'emptyDir':{}},{'name':'w','projected':{'sources':[{"
          "'secret':{'name':'t'}}]}}],'tolerations':[{'key':'k',"
          "'operator':'Exists'}]}}", 201 },
        { "PATCH", PODS "/p", "application/strategic-merge-patch+json",
          "{'metadata':{'labels':{'c':'d'}},'spec':{'tolerations':[{'key':'k',"
          "'operator':'Exists'},{'key':'l','operator':'Exists'}]}}", 200 },
        { "PATCH", PODS "/p", "application/json-patch+json",
          "[{'op':'copy','from':'/spec','path':'/metadata/labels/x'}]", 422 },
        { "PATCH", PODS "/p", "application/merge-patch+json",
          "{'metadata':{'annotations':{'a':'b'}}}", 200 },
        { "POST", MAPS, "application/yaml",
          "metadata: {name: m}\ndata: &d {a: b, c: d}\n", 201 },
        { "POST", "/apis/apps/v1/namespaces/default/deployments", NULL,
          "{'metadata':{'name':'d'},'spec':{'selector':{'matchLabels':{'a':"
          "'b'}},'template':{'metadata':{'labels':{'a':'b'}},'spec':{"
          "'containers':[{'name':'c','image':'i'}]}}}}", 201 },
        { "POST", "/apis/autoscaling/v1/namespaces/default/"
          "horizontalpodautoscalers", NULL,
          "{'metadata':{'name':'h'},'spec':{'maxReplicas':2,"
          "'scaleTargetRef':{'kind':'D','name':'d','apiVersion':'a/v1'}}}",
          201 },
        { "POST", "/api/v1/namespaces/default/services", NULL,
          "{'metadata':{'name':'s'},'spec':{'ports':[{'port':80}]}}", 201 },
        { "GET", PODS, NULL, NULL, 200 },
        { "DELETE", "/api/v1/namespaces/default/services/s", NULL,
          "{'kind':'DeleteOptions','apiVersion':'v1',"
          "'gracePeriodSeconds':0}", 200 },
    };

    rig_open();
    for (size_t i = 0; i < YL_ARRAY_SIZE(attempts); i++) {
        struct attempt attempt = attempts[i];
        struct yl_buf body;

        yl_buf_init(&body, SIZE_MAX);
        yl_buf_append_c(&body, attempt.body ? attempt.body : "");
        for (size_t j = 0; j < body.size; j++) {
            body.data[j] = body.data[j] == '\'' ? '"' : body.data[j];
        }
        attempt.body = attempt.body ? yl_buf_c_str(&body) : NULL;
        torture(&attempt);
        yl_buf_release(&body);
    }
    rig_close();
}

/* A filter that waits for a timer, or for another thread. */
static struct question {
    struct yl_api_request *request;
    struct yl_loop_timer timer;
    struct yl_loop_task task;
    struct yl_loop *loop;
    bool at_once;               /* It has its answer before it waits. */
    bool denied;                /* The answer is no. */
    bool elsewhere;             /* Another thread has the question. */
    struct yl_thread thread;
    int n_asked, n_answered, n_cancelled;
} question;

static void
answer_question(void)
{
    question.n_answered++;
    if (question.denied) {
        struct yl_error err = YL_ERROR_INIT;

        yl_error_set(&err, YL_EFORBIDDEN, "no");
        yl_api_respond_error(question.request, &err);
    } else {
        yl_api_continue(question.request);
    }
}

static void
on_timer(struct yl_loop_timer *timer YL_UNUSED)
{
    answer_question();
}

/* The request may have ended; it was held. */
static void
on_task(struct yl_loop_task *task YL_UNUSED)
{
    struct yl_api_request *req = question.request;

    answer_question();
    yl_api_release(req);
}

static void
think(void *aux YL_UNUSED)
{
    yl_loop_post(question.loop, &question.task);
}

static void
stop_asking(struct yl_api_request *req)
{
    assert_ptr_equal(req, question.request);
    question.n_cancelled++;
    yl_loop_timer_cancel(question.loop, &question.timer);
}

static enum yl_step
ask(struct yl_api_request *req)
{
    question.request = req;
    question.loop = req->http->loop;
    question.n_asked++;
    req->cancel = stop_asking;
    if (question.at_once) {
        answer_question();
    } else if (question.elsewhere) {
        question.task.run = on_task;
        yl_api_hold(req);
    } else {
        question.timer.fire = on_timer;
        yl_loop_timer_arm(question.loop, &question.timer,
                          yl_loop_now(question.loop) + 1000);
    }
    return YL_STEP_WAIT;
}

/* A server whose requests pass ask() behind the deadline's filter, and once
 * more before they are served. */
static void
open_with_question(void)
{
    static yl_step_fn *steps[16];
    size_t n = 0;

    rig_open_fake();
    memset(&question, 0, sizeof question);
    for (size_t i = 0; yl_api_steps[i]; i++) {
        if (i == 2) {
            steps[n++] = ask;
        }
        if (!yl_api_steps[i + 1]) {
            steps[n++] = ask;
        }
        steps[n++] = yl_api_steps[i];
    }
    steps[n] = NULL;
    assert_true(n < YL_ARRAY_SIZE(steps));
    rig.server->steps = steps;
}

/* Waits for the answer; the clock goes on while the filter waits for it, and
 * stands while others work. */
static int
receive_answer(int fd)
{
    yl_buf_clear(&rig.answer);
    while (rig_receive(fd) && !rig_split()) {
        if (yl_loop_timer_is_armed(&question.timer)) {
            rig_advance(100);
        } else {
            yl_http_server_turn(rig.http, false);
            usleep(50);
        }
    }
    close(fd);
    rig_advance(0);
    return rig.status;
}

static void
turn_until(const int *counter, int n)
{
    for (int i = 0; i < 1000 && *counter < n; i++) {
        yl_http_server_turn(rig.http, false);
    }
    assert_int_equal(*counter, n);
}

TEST(a_filter_waits_and_goes_on)
{
    open_with_question();
    assert_int_equal(receive_answer(rig_send("GET", MAPS, NULL)), 200);
    assert_int_equal(question.n_asked, 2);
    assert_int_equal(question.n_answered, 2);
    assert_int_equal(receive_answer(rig_send(
        "POST", MAPS, "{\"metadata\":{\"name\":\"a\"}}")), 201);
    question.at_once = true;
    assert_int_equal(receive_answer(rig_send("GET", MAPS "/a", NULL)), 200);
    question.at_once = false;
    question.denied = true;
    assert_int_equal(receive_answer(rig_send("GET", MAPS "/a", NULL)), 403);
    assert_int_equal(question.n_cancelled, 1);  /* At its end. */
    rig_close();
}

TEST(a_filter_that_waits_is_told_when_its_client_leaves)
{
    int fd;

    open_with_question();
    fd = rig_send("GET", MAPS, NULL);
    turn_until(&question.n_asked, 1);
    close(fd);
    turn_until(&question.n_cancelled, 1);
    rig_advance(5000);
    assert_int_equal(question.n_answered, 0);
    question.at_once = true;
    assert_int_equal(api("GET", "/version", NULL), 200);
    rig_close();
}

TEST(a_filter_that_waits_is_told_when_its_time_is_up)
{
    open_with_question();
    rig.server->opts.request_timeout = 500;
    assert_int_equal(receive_answer(rig_send("GET", MAPS, NULL)), 504);
    assert_int_equal(question.n_cancelled, 1);
    rig_advance(5000);
    assert_int_equal(question.n_answered, 0);
    assert_int_equal(question.n_asked, 1);
    rig_close();
}

TEST(a_filter_that_waits_is_told_when_the_server_stops)
{
    int fd;

    open_with_question();
    fd = rig_send("GET", MAPS, NULL);
    turn_until(&question.n_asked, 1);
    rig_close();
    assert_int_equal(question.n_cancelled, 1);
    assert_int_equal(question.n_answered, 0);
    close(fd);
}

/* Asks, has 'end' end the waiting, and then lets the other thread answer. */
static void
answer_too_late(void (*end)(int fd))
{
    int fd;

    open_with_question();
    question.elsewhere = true;
    rig.server->opts.request_timeout = 500;
    fd = rig_send("GET", MAPS, NULL);
    turn_until(&question.n_asked, 1);
    end(fd);
    turn_until(&question.n_cancelled, 1);
    assert_int_equal(yl_thread_start(&question.thread, "think", think, NULL),
                     0);
    yl_thread_join(&question.thread);
    turn_until(&question.n_answered, 1);
    assert_int_equal(question.n_asked, 1);
    question.elsewhere = false;
    close(fd);
    rig_close();
}

static void
leave(int fd)
{
    shutdown(fd, SHUT_RDWR);
}

static void
be_late(int fd YL_UNUSED)
{
    rig_advance(1000);
}

TEST(an_answer_from_another_thread_may_be_too_late)
{
    answer_too_late(leave);
    answer_too_late(be_late);
}

TEST(an_answer_from_another_thread_counts)
{
    int fd;

    open_with_question();
    question.elsewhere = true;
    fd = rig_send("GET", MAPS, NULL);
    for (int i = 1; i <= 2; i++) {
        turn_until(&question.n_asked, i);
        assert_int_equal(yl_thread_start(&question.thread, "think", think,
                                         NULL), 0);
        yl_thread_join(&question.thread);
        turn_until(&question.n_answered, i);
    }
    assert_int_equal(receive_answer(fd), 200);
    rig_close();
}
