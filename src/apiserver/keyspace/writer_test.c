/* Tests of the writer: batches, order, failures.  The gate in front of storage
 * is closed: a batch waits there until the test lets it pass. */

#include "apiserver/keyspace/writer.h"

#include <sched.h>
#include <stdatomic.h>

#include "keyspace_unit.h"
#include "base/alloc.h"

struct writer_fixture {
    struct fixture f;
    struct yl_mutex lock;
    struct yl_cond changed;
    size_t n_done;
    char log[4096];             /* Of what was done: "name:result " */
};

/* A write of a test. */
struct request {
    struct yl_ks_write write;
    struct writer_fixture *w;
    struct request *then;       /* Is sent when this one is done. */
};

static void
setup_with(struct writer_fixture *w, const struct yl_keyspace_opts *opts,
           struct yl_memory_opts memory, size_t max_batches)
{
    memset(w, 0, sizeof *w);
    fixture_init_with(&w->f, opts, memory, max_batches);
    gate_close(&w->f.gate);
    yl_mutex_init(&w->lock);
    yl_cond_init(&w->changed);
}

static void
setup(struct writer_fixture *w, const struct yl_keyspace_opts *opts)
{
    setup_with(w, opts, (struct yl_memory_opts) { .forget = false }, 0);
}

static void
teardown(struct writer_fixture *w)
{
    fixture_release(&w->f);
    yl_mutex_destroy(&w->lock);
    yl_cond_destroy(&w->changed);
}

static void
request_done(struct yl_ks_write *write)
{
    struct request *request = YL_CONTAINER_OF(write, struct request, write);
    struct writer_fixture *w = request->w;
    size_t size = strlen(w->log);

    if (request->then) {
        yl_keyspace_write(w->f.ks, &request->then->write);
    }
    yl_mutex_lock(&w->lock);
    snprintf(w->log + size, sizeof w->log - size, "%.*s:%s ",
             YL_STR_ARG(write->key.name),
             write->result ? yl_error_name(write->result) : "ok");
    yl_error_clear(&write->error);
    yl_object_unref(write->object);
    w->n_done++;
    yl_cond_broadcast(&w->changed);
    yl_mutex_unlock(&w->lock);
}

static void
request_init(struct writer_fixture *w, struct request *request,
             const char *name, const char *v, uint64_t expected)
{
    *request = (struct request) {
        .write = {
            .resource = w->f.pods,
            .key = key_of("a", name),
            .object = v ? object_of("a", name, v) : NULL,
            .expected = expected,
            .done = request_done,
        },
        .w = w,
    };
}

static void
send(struct writer_fixture *w, struct request *request, const char *name,
     const char *v, uint64_t expected)
{
    request_init(w, request, name, v, expected);
    yl_keyspace_write(w->f.ks, &request->write);
}

/* Waits until so many requests are done, and says which. */
static const char *
await_done(struct writer_fixture *w, size_t n)
{
    yl_mutex_lock(&w->lock);
    while (w->n_done < n) {
        yl_cond_wait(&w->changed, &w->lock);
    }
    yl_mutex_unlock(&w->lock);
    return w->log;
}

KS_TEST(what_waits_during_a_commit_goes_together)
{
    struct writer_fixture w;
    struct request r[4];

    setup(&w, NULL);
    send(&w, &r[0], "a", "1", 0);
    assert_int_equal(gate_await(&w.f.gate, 1), 1);
    send(&w, &r[1], "b", "1", 0);
    send(&w, &r[2], "c", "1", 0);
    send(&w, &r[3], "d", "1", 0);
    assert_int_equal(gate_pass(&w.f.gate), 1);
    assert_int_equal(gate_pass(&w.f.gate), 3);
    assert_string_equal(await_done(&w, 4), "a:ok b:ok c:ok d:ok ");
    assert_int_equal(r[3].write.revision, nth_in(4, 2));
    teardown(&w);
}

KS_TEST(a_batch_has_a_largest_size)
{
    struct yl_keyspace_opts opts = { .max_batch = 2 };
    struct writer_fixture w;
    struct request r[4];

    setup(&w, &opts);
    send(&w, &r[0], "a", "1", 0);
    gate_await(&w.f.gate, 1);
    send(&w, &r[1], "b", "1", 0);
    send(&w, &r[2], "c", "1", 0);
    send(&w, &r[3], "d", "1", 0);
    assert_int_equal(gate_pass(&w.f.gate), 1);
    assert_int_equal(gate_pass(&w.f.gate), 2);
    assert_int_equal(gate_pass(&w.f.gate), 1);
    await_done(&w, 4);
    teardown(&w);
}

static struct yl_object *
large_object(const char *name, size_t size)
{
    struct yl_object *object;
    char *text = yl_malloc(size + 100);
    size_t n = (size_t) snprintf(text, size + 100,
                                 "{\"metadata\":{\"name\":\"%s\","
                                 "\"namespace\":\"a\"},\"data\":\"", name);

    memset(text + n, 'x', size);
    memcpy(text + n + size, "\"}", 2);
    assert_int_equal(yl_object_ingest(yl_str_n(text, n + size + 2), NULL,
                                      &object, NULL), 0);
    free(text);
    return object;
}

KS_TEST(a_batch_has_a_largest_number_of_bytes)
{
    struct writer_fixture w;
    struct request r[4];
    static const char *const names[] = { "a", "b", "c", "d" };
    size_t i;

    setup(&w, NULL);
    send(&w, &r[0], "a", "1", 0);
    gate_await(&w.f.gate, 1);
    for (i = 1; i < 4; i++) {
        request_init(&w, &r[i], names[i], NULL, 0);
        r[i].write.object = large_object(names[i], (size_t) 7 << 20);
        yl_keyspace_write(w.f.ks, &r[i].write);
    }
    assert_int_equal(gate_pass(&w.f.gate), 1);
    assert_int_equal(gate_pass(&w.f.gate), 2);
    assert_int_equal(gate_pass(&w.f.gate), 1);
    assert_string_equal(await_done(&w, 4), "a:ok b:ok c:ok d:ok ");
    teardown(&w);
}

KS_TEST(writes_of_a_key_take_turns_in_order)
{
    struct writer_fixture w;
    struct request r[6];
    uint64_t revision;

    setup(&w, NULL);
    send(&w, &r[0], "x", "1", 0);
    gate_await(&w.f.gate, 1);
    send(&w, &r[1], "x", "2", nth(1));
    send(&w, &r[2], "y", "1", 0);
    send(&w, &r[3], "x", "3", nth_in(3, 2));
    send(&w, &r[4], "x", "4", nth_in(3, 2));
    send(&w, &r[5], "x", NULL, nth_in(4, 3));
    assert_int_equal(gate_pass(&w.f.gate), 1);

    /* y waited longer than the second x. */
    assert_int_equal(gate_pass(&w.f.gate), 2);
    assert_int_equal(gate_pass(&w.f.gate), 1);

    /* The third x expected another revision and was not sent to storage. */
    assert_int_equal(gate_pass(&w.f.gate), 1);
    assert_string_equal(await_done(&w, 6), "x:ok y:ok x:ok x:ok "
                        "x:ECONFLICT x:ok ");
    assert_int_equal(yl_ks_get(w.f.pods, key_of("a", "x"), NULL, &revision),
                     YL_ENOTFOUND);
    teardown(&w);
}

/* A node that goes with a request. */
static void
with_node(struct writer_fixture *w, struct request *request,
          struct yl_ks_write *node, const char *v, uint64_t expected)
{
    *node = (struct yl_ks_write) {
        .resource = w->f.nodes,
        .key = key_of(NULL, "n"),
        .object = v ? object_of(NULL, "n", v) : NULL,
        .expected = expected,
    };
    request->write.with = node;
    request->write.n_with = 1;
}

KS_TEST(what_goes_together_is_written_together)
{
    struct writer_fixture w;
    struct request r[4];
    struct yl_ks_write node[4];
    size_t i;

    setup(&w, NULL);
    request_init(&w, &r[0], "a", "1", 0);
    with_node(&w, &r[0], &node[0], "1", 0);
    yl_keyspace_write(w.f.ks, &r[0].write);
    assert_int_equal(gate_pass(&w.f.gate), 2);
    await_done(&w, 1);
    assert_int_equal(node[0].revision, nth_in(1, 1));
    assert_int_equal(r[0].write.revision, nth_in(2, 1));

    /* The node is there, or is not as expected: neither takes place. */
    request_init(&w, &r[1], "b", "1", 0);
    with_node(&w, &r[1], &node[1], "1", 0);
    request_init(&w, &r[2], "c", "1", 0);
    with_node(&w, &r[2], &node[2], NULL, 7);
    yl_keyspace_write(w.f.ks, &r[1].write);
    yl_keyspace_write(w.f.ks, &r[2].write);
    await_done(&w, 3);
    assert_int_equal(yl_ks_count(w.f.pods), 1);

    request_init(&w, &r[3], "a", NULL, r[0].write.revision);
    with_node(&w, &r[3], &node[3], NULL, node[0].revision);
    yl_keyspace_write(w.f.ks, &r[3].write);
    assert_int_equal(gate_pass(&w.f.gate), 2);
    assert_string_equal(await_done(&w, 4),
                        "a:ok b:EEXISTS c:ECONFLICT a:ok ");
    assert_int_equal(r[3].write.revision, nth_in(3, 2));
    assert_int_equal(node[3].revision, nth_in(4, 2));
    assert_int_equal(yl_ks_count(w.f.nodes), 0);
    for (i = 0; i < 4; i++) {
        yl_object_unref(node[i].object);
    }
    teardown(&w);
}

KS_TEST(a_key_that_goes_with_another_stands_in_a_batch_once)
{
    struct writer_fixture w;
    struct request r[4];
    struct yl_ks_write node[2];

    setup(&w, NULL);
    send(&w, &r[0], "first", "1", 0);
    gate_await(&w.f.gate, 1);
    request_init(&w, &r[1], "a", "1", 0);
    with_node(&w, &r[1], &node[0], "1", 0);
    yl_keyspace_write(w.f.ks, &r[1].write);
    request_init(&w, &r[2], "b", "1", 0);
    with_node(&w, &r[2], &node[1], "2", 0);
    yl_keyspace_write(w.f.ks, &r[2].write);
    request_init(&w, &r[3], "n", NULL, nth_in(2, 2));
    r[3].write.resource = w.f.nodes;
    r[3].write.key = key_of(NULL, "n");
    yl_keyspace_write(w.f.ks, &r[3].write);
    assert_int_equal(gate_pass(&w.f.gate), 1);
    assert_int_equal(gate_pass(&w.f.gate), 2);
    assert_int_equal(gate_pass(&w.f.gate), 1);
    assert_string_equal(await_done(&w, 4),
                        "first:ok a:ok b:EEXISTS n:ok ");
    yl_object_unref(node[0].object);
    yl_object_unref(node[1].object);
    teardown(&w);
}

KS_TEST(what_goes_together_fails_together)
{
    struct yl_ks_write nodes[YL_KS_MAX_WITH + 1] = { 0 }, node;
    struct writer_fixture w;
    struct request r[2];

    setup(&w, NULL);
    request_init(&w, &r[0], "a", "1", 0);
    r[0].write.with = nodes;
    r[0].write.n_with = YL_ARRAY_SIZE(nodes);
    yl_keyspace_write(w.f.ks, &r[0].write);
    request_init(&w, &r[1], "b", "1", 0);
    with_node(&w, &r[1], &node, "1", 0);
    node.key = key_of(NULL, "other");
    yl_keyspace_write(w.f.ks, &r[1].write);
    assert_string_equal(await_done(&w, 2), "a:EINVALID b:EINVALID ");
    yl_object_unref(node.object);
    teardown(&w);
}

KS_TEST(nothing_is_seen_before_it_is_durable)
{
    struct writer_fixture w;
    struct request r;

    setup(&w, NULL);
    send(&w, &r, "x", "1", 0);
    gate_await(&w.f.gate, 1);
    assert_int_equal(yl_ks_get(w.f.pods, key_of("a", "x"), NULL, NULL),
                     YL_ENOTFOUND);
    assert_int_equal(yl_keyspace_revision(w.f.ks), 1);
    assert_int_equal(w.n_done, 0);
    gate_pass(&w.f.gate);
    await_done(&w, 1);
    assert_int_equal(yl_ks_get(w.f.pods, key_of("a", "x"), NULL, NULL), 0);
    teardown(&w);
}

KS_TEST(a_failed_commit_publishes_nothing)
{
    struct writer_fixture w;
    struct yl_ks_cursor *cursor;
    struct yl_ks_event event;
    struct request r[3];

    setup(&w, NULL);
    assert_int_equal(yl_ks_cursor_open(w.f.pods, NULL, 1, &cursor, NULL), 0);
    gate_fail(&w.f.gate, 1, YL_EIO);
    send(&w, &r[0], "x", "1", 0);
    gate_await(&w.f.gate, 1);
    send(&w, &r[1], "x", "2", 0);
    send(&w, &r[2], "y", "2", 0);
    assert_int_equal(gate_pass(&w.f.gate), 1);
    assert_string_equal(await_done(&w, 1), "x:EIO ");
    assert_int_equal(yl_keyspace_revision(w.f.ks), 1);
    assert_int_equal(yl_ks_cursor_next(cursor, &event, 1), 0);
    assert_int_equal(yl_ks_count(w.f.pods), 0);

    /* Those behind it find what was there before. */
    assert_int_equal(gate_pass(&w.f.gate), 2);
    await_done(&w, 3);
    assert_int_equal(yl_ks_count(w.f.pods), 2);
    yl_ks_cursor_close(cursor);
    teardown(&w);
}

KS_TEST(an_error_of_storage_has_its_sentence)
{
    struct fixture f;
    struct yl_ks_write write;

    fixture_init(&f, NULL);
    gate_fail(&f.gate, 1, YL_EUNAVAILABLE);
    write = (struct yl_ks_write) {
        .resource = f.pods,
        .key = key_of("a", "x"),
        .object = object_of("a", "x", "1"),
    };
    assert_int_equal(yl_keyspace_write_wait(f.ks, &write), YL_EUNAVAILABLE);
    assert_string_equal(yl_error_message(&write.error),
                        "the storage was told to fail");
    assert_int_equal(write.revision, 0);
    yl_error_clear(&write.error);

    /* And the health check can see that writes are not accepted. */
    assert_true(yl_keyspace_failed(f.ks) != YL_NEVER);
    assert_int_equal(yl_keyspace_write_wait(f.ks, &write), 0);
    assert_true(yl_keyspace_failed(f.ks) == YL_NEVER);
    yl_object_unref(write.object);
    fixture_release(&f);
}

KS_TEST(too_many_are_turned_away)
{
    struct yl_keyspace_opts opts = { .max_waiting = 2 };
    struct writer_fixture w;
    struct request r[4];

    setup(&w, &opts);
    send(&w, &r[0], "a", "1", 0);
    gate_await(&w.f.gate, 1);
    send(&w, &r[1], "b", "1", 0);
    send(&w, &r[2], "c", "1", 0);

    /* They do not wait for those that are in flight and in line. */
    assert_string_equal(await_done(&w, 1), "c:ETHROTTLED ");
    gate_pass(&w.f.gate);
    gate_pass(&w.f.gate);
    await_done(&w, 3);
    assert_int_equal(yl_ks_count(w.f.pods), 2);
    send(&w, &r[3], "d", "1", 0);
    gate_pass(&w.f.gate);
    await_done(&w, 4);
    assert_int_equal(yl_ks_count(w.f.pods), 3);
    teardown(&w);
}

KS_TEST(done_may_write_again)
{
    struct writer_fixture w;
    struct request r[2];

    setup(&w, NULL);
    request_init(&w, &r[1], "x", "2", nth(1));
    request_init(&w, &r[0], "x", "1", 0);
    r[0].then = &r[1];
    yl_keyspace_write(w.f.ks, &r[0].write);
    gate_pass(&w.f.gate);
    gate_pass(&w.f.gate);
    assert_string_equal(await_done(&w, 2), "x:ok x:ok ");
    teardown(&w);
}

KS_TEST(freeing_answers_what_waits)
{
    struct writer_fixture w;
    struct request r[3];

    setup(&w, NULL);
    send(&w, &r[0], "x", "1", 0);
    gate_await(&w.f.gate, 1);
    send(&w, &r[1], "x", "2", nth(1));
    send(&w, &r[2], "y", "2", 0);
    teardown(&w);
    assert_int_equal(w.n_done, 3);
    assert_string_equal(w.log, "x:ok y:ok x:ok ");
}

KS_TEST(a_stopped_writer_refuses_at_once)
{
    struct writer_fixture w;
    struct request r[4];

    setup(&w, NULL);
    send(&w, &r[0], "x", "1", 0);
    gate_await(&w.f.gate, 1);
    send(&w, &r[1], "y", "1", 0);
    gate_open(&w.f.gate);
    yl_keyspace_stop(w.f.ks);
    assert_string_equal(w.log, "x:ok y:ok ");
    send(&w, &r[2], "z", "1", 0);
    assert_int_equal(w.n_done, 3);
    assert_int_equal(r[2].write.result, YL_EUNAVAILABLE);
    send(&w, &r[3], "", "1", 0);
    assert_int_equal(r[3].write.result, YL_EINVALID);
    yl_keyspace_stop(w.f.ks);
    teardown(&w);
    assert_int_equal(w.n_done, 4);
}

KS_TEST(impossible_writes_are_refused)
{
    static const struct {
        const char *namespace_, *name;
    } bad[] = {
        { "a", "" }, { "", "x" }, { "a/b", "x" }, { "a", "x/y" },
    };
    struct fixture f;
    char name[2000];
    size_t i;

    fixture_init(&f, NULL);
    for (i = 0; i < YL_ARRAY_SIZE(bad); i++) {
        struct yl_ks_write write = {
            .resource = f.pods,
            .key = key_of(bad[i].namespace_, bad[i].name),
        };

        assert_int_equal(yl_keyspace_write_wait(f.ks, &write), YL_EINVALID);
        yl_error_clear(&write.error);
    }
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_int_equal(delete(&f, "a", name, 0, NULL), YL_EINVALID);
    assert_int_equal(write_object(&f, key_of("a", "x"),
                                  object_of("a", "y", "1"), 0, NULL),
                     YL_EINVALID);
    assert_int_equal(yl_keyspace_revision(f.ks), 1);
    fixture_release(&f);
}

KS_TEST(the_keyspace_keeps_blocks_of_its_own)
{
    struct yl_object *object = object_of("a", "x", "1"), *kept;
    struct fixture f;

    fixture_init(&f, NULL);
    assert_int_equal(write_object(&f, key_of("a", "x"), yl_object_ref(object),
                                  0, NULL), 0);
    assert_int_equal(yl_ks_get(f.pods, key_of("a", "x"), &kept, NULL), 0);
    assert_ptr_not_equal(kept, object);
    yl_object_unref(object);
    assert_true(yl_object_label_is(kept, YL_STR("v"), YL_STR("1")));
    yl_object_unref(kept);
    fixture_release(&f);
}

static int
count_pod(void *aux, const struct yl_storage_row *row, struct yl_error *err)
{
    (void) err;
    *(int *) aux += yl_str_starts_with(row->key, PODS);
    return 0;
}

KS_TEST(storage_hears_what_may_go)
{
    struct yl_keyspace_opts opts = { .history_age = 1000 };
    uint64_t x = 0, revision, compacted;
    struct fixture f;
    int n_pods = 0;

    fixture_init(&f, &opts);
    put(&f, "a", "x", "1", 0, &x);
    put(&f, "a", "x", "2", x, &x);
    assert_int_equal(yl_ks_oldest(f.pods), 0);
    yl_clock_fake_advance(f.clock, 2000);
    put(&f, "a", "y", "1", 0, NULL);
    assert_int_equal(yl_ks_oldest(f.pods), x);
    assert_int_equal(gate_compact(&f.gate), x);
    yl_keyspace_stop(f.ks);
    assert_int_equal(yl_storage_load(f.storage, count_pod, &n_pods, &revision,
                                     &compacted, NULL), 0);
    assert_int_equal(compacted, x);
    assert_int_equal(n_pods, 2);
    fixture_release(&f);
}

/* Waits for the writer's thread to have storage compacted up to 'revision'. */
static void
wait_compacted(struct fixture *f, uint64_t revision)
{
    while (gate_compact(&f->gate) < revision) {
        sched_yield();
    }
}

KS_TEST(storage_hears_it_also_while_nobody_writes)
{
    struct yl_keyspace_opts opts = { .history_age = 1000 };
    struct fixture f;
    uint64_t x = 0;

    fixture_init(&f, &opts);
    put(&f, "a", "x", "1", 0, &x);
    put(&f, "a", "x", "2", x, &x);
    yl_clock_fake_advance(f.clock, 2000);
    wait_compacted(&f, x);

    /* A storage that fails is asked again after a while. */
    put(&f, "a", "x", "3", x, &x);
    gate_fail(&f.gate, 1, YL_EIO);
    yl_clock_fake_advance(f.clock, 2000);
    while (yl_keyspace_failed(f.ks) == YL_NEVER) {
        sched_yield();
    }
    yl_clock_fake_advance(f.clock, 2000);
    wait_compacted(&f, x);
    while (yl_keyspace_failed(f.ks) != YL_NEVER) {
        sched_yield();
    }
    fixture_release(&f);
}

/* Several batches in flight
 * ========================= */

#define N_FLIGHT 4

KS_TEST(as_many_batches_are_in_flight_as_storage_can_have)
{
    struct yl_keyspace_opts opts = { .max_batch = 1 };
    static const char *const names[] = { "a", "b", "c", "d", "e", "f" };
    struct writer_fixture w;
    struct request r[6];
    size_t i;

    setup_with(&w, &opts, (struct yl_memory_opts) { .forget = false },
               N_FLIGHT);
    for (i = 0; i < 6; i++) {
        send(&w, &r[i], names[i], "1", 0);
    }

    /* Four wait at the gate; whichever passes makes room for the next. */
    assert_int_equal(gate_await(&w.f.gate, N_FLIGHT), 1);
    gate_pass_nth(&w.f.gate, 3);
    assert_string_equal(await_done(&w, 1), "c:ok ");
    assert_int_equal(yl_ks_count(w.f.pods), 1);
    gate_await(&w.f.gate, N_FLIGHT);
    gate_pass_nth(&w.f.gate, 1);
    assert_string_equal(await_done(&w, 2), "c:ok a:ok ");
    gate_open(&w.f.gate);
    await_done(&w, 6);
    assert_int_equal(yl_ks_count(w.f.pods), 6);
    assert_true(r[2].write.revision < r[0].write.revision);
    teardown(&w);
}

KS_TEST(a_key_is_in_flight_once)
{
    struct yl_keyspace_opts opts = { .max_batch = 1 };
    struct writer_fixture w;
    struct request r[5];
    struct yl_ks_write node[2];

    setup_with(&w, &opts, (struct yl_memory_opts) { .forget = false },
               N_FLIGHT);
    send(&w, &r[0], "x", "1", 0);
    send(&w, &r[1], "x", "2", nth(1));
    request_init(&w, &r[2], "a", "1", 0);
    with_node(&w, &r[2], &node[0], "1", 0);
    yl_keyspace_write(w.f.ks, &r[2].write);
    request_init(&w, &r[3], "b", "1", 0);
    with_node(&w, &r[3], &node[1], "2", 0);
    yl_keyspace_write(w.f.ks, &r[3].write);
    assert_int_equal(gate_await(&w.f.gate, 2), 2);
    send(&w, &r[4], "y", "1", 0);

    /* The node is in flight: whatever needs it waits, and those behind. */
    gate_pass_nth(&w.f.gate, 1);
    gate_await(&w.f.gate, 1);
    assert_string_equal(await_done(&w, 1), "x:ok ");
    gate_open(&w.f.gate);
    await_done(&w, 5);
    assert_int_equal(r[1].write.result, 0);
    assert_int_equal(r[3].write.result, YL_EEXISTS);
    assert_int_equal(r[4].write.result, 0);
    yl_object_unref(node[0].object);
    yl_object_unref(node[1].object);
    teardown(&w);
}

KS_TEST(stopping_waits_for_all_that_is_in_flight)
{
    struct yl_keyspace_opts opts = { .max_batch = 1 };
    struct writer_fixture w;
    struct request r[3];

    setup_with(&w, &opts, (struct yl_memory_opts) { .forget = false },
               N_FLIGHT);
    send(&w, &r[0], "a", "1", 0);
    send(&w, &r[1], "b", "1", 0);
    send(&w, &r[2], "c", "1", 0);
    gate_await(&w.f.gate, 3);
    gate_open(&w.f.gate);
    yl_keyspace_stop(w.f.ks);
    assert_int_equal(w.n_done, 3);
    assert_int_equal(yl_ks_count(w.f.pods), 3);
    teardown(&w);
}

/* A second writer
 * =============== */

/* A storage in memory that others may write to. */
static void
setup_shared(struct writer_fixture *w, size_t max_batches)
{
    fixture_kind = IN_MEMORY;
    setup_with(w, NULL, (struct yl_memory_opts) { .shared = true },
               max_batches);
}

/* Another server writes the pod a/NAME. */
static uint64_t
other_puts(struct writer_fixture *w, const char *name)
{
    char key[64], value[128];

    snprintf(key, sizeof key, "/registry/pods/a/%s", name);
    snprintf(value, sizeof value, "{\"metadata\":{\"name\":\"%s\","
             "\"namespace\":\"a\"}}", name);
    return scribble(w->f.gate.inner, key, value);
}

TEST(a_conflict_is_answered_when_its_reason_can_be_read)
{
    struct writer_fixture w;
    struct request r[3];
    uint64_t revision, theirs;

    setup_shared(&w, 1);
    send(&w, &r[0], "first", "1", 0);
    gate_await(&w.f.gate, 1);
    send(&w, &r[1], "x", "1", 0);
    send(&w, &r[2], "y", "1", 0);
    gate_pass(&w.f.gate);
    await_done(&w, 1);
    assert_int_equal(gate_await(&w.f.gate, 1), 2);
    theirs = other_puts(&w, "x");
    gate_pass(&w.f.gate);
    assert_string_equal(await_done(&w, 3), "first:ok x:EEXISTS y:ok ");
    assert_int_equal(r[1].write.revision, 0);
    assert_int_equal(yl_ks_get(w.f.pods, key_of("a", "x"), NULL, &revision),
                     0);
    assert_int_equal(revision, theirs);
    assert_int_equal(yl_ks_count(w.f.pods), 3);
    teardown(&w);
}

/* A back end whose answers overtake its feed: it says at once that there is a
 * conflict, and the row that made it comes later. */
struct late {
    struct yl_storage storage;
    struct yl_mutex lock;
    struct yl_cond changed;
    struct yl_storage_feed *feed;
    struct yl_storage_batch *batch;
    size_t n_batches;
    bool fed, may_feed;
};

static int
late_load(struct yl_storage *storage, yl_storage_row_fn *each, void *aux,
          uint64_t *ret_revision, uint64_t *ret_compacted,
          struct yl_error *err)
{
    (void) storage, (void) each, (void) aux, (void) err;
    *ret_revision = 1;
    *ret_compacted = 0;
    return 0;
}

static void
late_subscribe(struct yl_storage *storage, struct yl_storage_feed *feed)
{
    struct late *late = YL_CONTAINER_OF(storage, struct late, storage);

    yl_mutex_lock(&late->lock);
    late->feed = feed;
    yl_mutex_unlock(&late->lock);
}

static void
late_commit(struct yl_storage *storage, struct yl_storage_batch *batch)
{
    struct late *late = YL_CONTAINER_OF(storage, struct late, storage);

    batch->result = 0;
    batch->groups[0].result = YL_ECONFLICT;
    batch->groups[0].after = 2;
    late->batch = batch;
    yl_mutex_lock(&late->lock);
    late->n_batches++;
    yl_cond_broadcast(&late->changed);
    yl_mutex_unlock(&late->lock);
}

static void
late_collect(struct yl_storage *storage)
{
    struct late *late = YL_CONTAINER_OF(storage, struct late, storage);
    struct yl_storage_batch *batch = late->batch;
    const struct yl_storage_row row = {
        .revision = 2,
        .key = YL_STR("/registry/pods/a/x"),
        .value = YL_STR("{\"metadata\":{\"name\":\"x\","
                        "\"namespace\":\"a\"}}"),
    };
    bool feed;

    late->batch = NULL;
    if (batch) {
        batch->done(batch);
    }
    yl_mutex_lock(&late->lock);
    feed = late->may_feed && !late->fed;
    late->fed |= feed;
    yl_mutex_unlock(&late->lock);
    if (feed) {
        late->feed->rows(late->feed, &row, 1);
    }
}

static void
late_setup(struct late *late, struct writer_fixture *w)
{
    static const struct yl_storage_ops ops = {
        .name = "late", .load = late_load, .subscribe = late_subscribe,
        .commit = late_commit, .collect = late_collect,
    };

    *late = (struct late) { .storage = { &ops, 2, true } };
    *w = (struct writer_fixture) { .n_done = 0 };
    fixture_kind = IN_MEMORY;
    yl_mutex_init(&late->lock);
    yl_cond_init(&late->changed);
    yl_mutex_init(&w->lock);
    yl_cond_init(&w->changed);
    w->f.storage = &late->storage;
    fixture_open(&w->f);
}

static void
late_teardown(struct late *late, struct writer_fixture *w)
{
    yl_keyspace_free(w->f.ks);
    yl_mutex_destroy(&late->lock);
    yl_cond_destroy(&late->changed);
    yl_mutex_destroy(&w->lock);
    yl_cond_destroy(&w->changed);
}

TEST(a_conflict_waits_for_the_feed)
{
    struct late late;
    struct writer_fixture w;
    struct request r[2];
    uint64_t revision;

    late_setup(&late, &w);

    /* The next write of the key stays in line: it must not be checked against
     * what has just been refused. */
    send(&w, &r[0], "x", "1", 0);
    send(&w, &r[1], "x", "2", 0);
    yl_mutex_lock(&late.lock);
    while (late.n_batches < 1) {
        yl_cond_wait(&late.changed, &late.lock);
    }
    late.may_feed = true;
    assert_int_equal(yl_keyspace_revision(w.f.ks), 1);
    late.feed->wake(late.feed);
    yl_mutex_unlock(&late.lock);
    assert_string_equal(await_done(&w, 2), "x:EEXISTS x:EEXISTS ");
    assert_int_equal(late.n_batches, 1);
    assert_int_equal(yl_ks_get(w.f.pods, key_of("a", "x"), NULL, &revision),
                     0);
    assert_int_equal(revision, 2);
    late_teardown(&late, &w);
}

TEST(stopping_does_not_wait_for_the_feed)
{
    struct late late;
    struct writer_fixture w;
    struct request r[2];

    late_setup(&late, &w);
    send(&w, &r[0], "x", "1", 0);
    send(&w, &r[1], "x", "2", 0);
    yl_mutex_lock(&late.lock);
    while (late.n_batches < 1) {
        yl_cond_wait(&late.changed, &late.lock);
    }
    yl_mutex_unlock(&late.lock);

    /* The feed says nothing, nor that it is lost: the store is out of
     * reach. */
    yl_keyspace_stop(w.f.ks);
    assert_string_equal(w.log, "x:ECONFLICT x:ECONFLICT ");
    late_teardown(&late, &w);
}

TEST(nothing_is_answered_before_the_feed_has_told_it)
{
    struct writer_fixture w;
    struct request r[2];

    setup_shared(&w, 2);
    gate_set_deaf(&w.f.gate, true);
    send(&w, &r[0], "x", "1", 0);
    gate_pass(&w.f.gate);

    /* It is stored when the next one is on its way. */
    send(&w, &r[1], "y", "1", 0);
    gate_await(&w.f.gate, 1);
    while (gate_n_batches(&w.f.gate) < 1) {
        sched_yield();
    }
    assert_int_equal(w.n_done, 0);
    assert_int_equal(yl_ks_count(w.f.pods), 0);
    gate_set_deaf(&w.f.gate, false);
    assert_string_equal(await_done(&w, 1), "x:ok ");
    assert_int_equal(yl_ks_count(w.f.pods), 1);
    teardown(&w);
}

TEST(what_goes_together_may_have_one_revision)
{
    struct yl_ks_cursor *cursor;
    struct yl_ks_event events[4];
    struct yl_ks_write with[2];
    struct writer_fixture w;
    struct request r;
    int i;

    fixture_kind = IN_MEMORY;
    setup_with(&w, NULL, (struct yl_memory_opts) { .one_revision = true }, 1);
    gate_open(&w.f.gate);
    assert_int_equal(yl_ks_cursor_open(w.f.pods, NULL, 1, &cursor, NULL), 0);
    request_init(&w, &r, "a", "1", 0);
    for (i = 0; i < 2; i++) {
        const char *name = i ? "c" : "b";

        with[i] = (struct yl_ks_write) {
            .resource = w.f.pods,
            .key = key_of("a", name),
            .object = object_of("a", name, "1"),
        };
    }
    r.write.with = with;
    r.write.n_with = 2;
    yl_keyspace_write(w.f.ks, &r.write);
    await_done(&w, 1);
    assert_int_equal(r.write.revision, 2);
    assert_int_equal(with[0].revision, 2);

    /* Until all were seen, the revision was not. */
    for (i = 0; i < 3; i++) {
        assert_int_equal(yl_ks_cursor_revision(cursor), 1);
        assert_int_equal(yl_ks_cursor_next(cursor, events, 1), 1);
        assert_int_equal(events[0].revision, 2);
        yl_object_unref(events[0].object);
    }
    assert_int_equal(yl_ks_cursor_revision(cursor), 2);
    assert_int_equal(yl_ks_cursor_next(cursor, events, 4), 0);
    yl_ks_cursor_close(cursor);
    yl_object_unref(with[0].object);
    yl_object_unref(with[1].object);
    teardown(&w);
}

TEST(a_storage_that_lost_its_place_takes_no_more)
{
    struct fixture f;

    fixture_kind = IN_MEMORY;
    fixture_init(&f, NULL);
    assert_int_equal(put(&f, "a", "x", "1", 0, NULL), 0);
    yl_memory_lose(f.gate.inner, YL_EEXPIRED);
    while (yl_keyspace_failed(f.ks) == YL_NEVER) {
        sched_yield();
    }
    assert_int_equal(put(&f, "a", "y", "1", 0, NULL), YL_EUNAVAILABLE);
    yl_clock_fake_advance(f.clock, 1000000);
    assert_int_equal(yl_keyspace_failed(f.ks), yl_now(f.clock));
    assert_int_equal(yl_ks_count(f.pods), 1);
    fixture_release(&f);
}
