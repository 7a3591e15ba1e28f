/* Tests of the writer: batches, order, failures.
 *
 * The storage is one in memory behind a gate: a batch waits there until the
 * test lets it pass, which it does from its own thread. */

#include "apiserver/keyspace/writer.h"

#include <sched.h>
#include <stdatomic.h>

#include "apiserver/keyspace/testing.h"
#include "base/alloc.h"
#include "unit.h"

struct gate {
    struct yl_storage storage;
    struct yl_storage *inner;
    struct yl_mutex lock;
    struct yl_cond changed;
    struct yl_storage_batch *batch;     /* That waits. */
    bool open;                  /* Nothing waits. */
};

static int
gate_load(struct yl_storage *storage, yl_storage_row_fn *each, void *aux,
          uint64_t *ret_revision, uint64_t *ret_compacted,
          struct yl_error *err)
{
    struct gate *gate = YL_CONTAINER_OF(storage, struct gate, storage);

    return yl_storage_load(gate->inner, each, aux, ret_revision,
                           ret_compacted, err);
}

static void
gate_commit(struct yl_storage *storage, struct yl_storage_batch *batch)
{
    struct gate *gate = YL_CONTAINER_OF(storage, struct gate, storage);
    bool open;

    yl_mutex_lock(&gate->lock);
    open = gate->open;
    if (!open) {
        gate->batch = batch;
        yl_cond_broadcast(&gate->changed);
    }
    yl_mutex_unlock(&gate->lock);
    if (open) {
        yl_storage_commit(gate->inner, batch);
    }
}

static const struct yl_storage_ops gate_ops = {
    .name = "gate",
    .load = gate_load,
    .commit = gate_commit,
};

/* Waits for a batch, and says how many writes it has. */
static size_t
gate_await(struct gate *gate)
{
    size_t n;

    yl_mutex_lock(&gate->lock);
    while (!gate->batch) {
        yl_cond_wait(&gate->changed, &gate->lock);
    }
    n = gate->batch->n_writes;
    yl_mutex_unlock(&gate->lock);
    return n;
}

/* Waits for a batch and lets it pass.  Returns how many writes it had. */
static size_t
gate_pass(struct gate *gate)
{
    size_t n = gate_await(gate);
    struct yl_storage_batch *batch;

    yl_mutex_lock(&gate->lock);
    batch = gate->batch;
    gate->batch = NULL;
    yl_mutex_unlock(&gate->lock);
    yl_storage_commit(gate->inner, batch);
    return n;
}

/* From now on nothing waits; a batch that does passes. */
static void
gate_open(struct gate *gate)
{
    struct yl_storage_batch *batch;

    yl_mutex_lock(&gate->lock);
    gate->open = true;
    batch = gate->batch;
    gate->batch = NULL;
    yl_mutex_unlock(&gate->lock);
    if (batch) {
        yl_storage_commit(gate->inner, batch);
    }
}

struct writer_fixture {
    struct fixture f;
    struct gate gate;
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
setup(struct writer_fixture *w, const struct yl_keyspace_opts *opts)
{
    memset(w, 0, sizeof *w);
    if (opts) {
        w->f.opts = *opts;
    }
    w->f.clock = w->f.opts.clock = yl_clock_fake_new(0);
    w->gate.inner = yl_memory_new(NULL);
    w->gate.storage.ops = &gate_ops;
    yl_mutex_init(&w->gate.lock);
    yl_cond_init(&w->gate.changed);
    w->f.storage = &w->gate.storage;
    fixture_open(&w->f);
    yl_mutex_init(&w->lock);
    yl_cond_init(&w->changed);
}

static void
teardown(struct writer_fixture *w)
{
    gate_open(&w->gate);
    yl_keyspace_free(w->f.ks);
    yl_storage_close(w->gate.inner);
    yl_clock_free(w->f.clock);
    yl_mutex_destroy(&w->gate.lock);
    yl_cond_destroy(&w->gate.changed);
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

TEST(what_waits_during_a_commit_goes_together)
{
    struct writer_fixture w;
    struct request r[4];

    setup(&w, NULL);
    send(&w, &r[0], "a", "1", 0);
    assert_int_equal(gate_await(&w.gate), 1);
    send(&w, &r[1], "b", "1", 0);
    send(&w, &r[2], "c", "1", 0);
    send(&w, &r[3], "d", "1", 0);
    assert_int_equal(gate_pass(&w.gate), 1);
    assert_int_equal(gate_pass(&w.gate), 3);
    assert_string_equal(await_done(&w, 4), "a:ok b:ok c:ok d:ok ");
    assert_int_equal(r[3].write.revision, 5);
    teardown(&w);
}

TEST(a_batch_has_a_largest_size)
{
    struct yl_keyspace_opts opts = { .max_batch = 2 };
    struct writer_fixture w;
    struct request r[4];

    setup(&w, &opts);
    send(&w, &r[0], "a", "1", 0);
    gate_await(&w.gate);
    send(&w, &r[1], "b", "1", 0);
    send(&w, &r[2], "c", "1", 0);
    send(&w, &r[3], "d", "1", 0);
    assert_int_equal(gate_pass(&w.gate), 1);
    assert_int_equal(gate_pass(&w.gate), 2);
    assert_int_equal(gate_pass(&w.gate), 1);
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

TEST(a_batch_has_a_largest_number_of_bytes)
{
    struct writer_fixture w;
    struct request r[4];
    static const char *const names[] = { "a", "b", "c", "d" };
    size_t i;

    setup(&w, NULL);
    send(&w, &r[0], "a", "1", 0);
    gate_await(&w.gate);
    for (i = 1; i < 4; i++) {
        request_init(&w, &r[i], names[i], NULL, 0);
        r[i].write.object = large_object(names[i], (size_t) 7 << 20);
        yl_keyspace_write(w.f.ks, &r[i].write);
    }
    assert_int_equal(gate_pass(&w.gate), 1);
    assert_int_equal(gate_pass(&w.gate), 2);
    assert_int_equal(gate_pass(&w.gate), 1);
    assert_string_equal(await_done(&w, 4), "a:ok b:ok c:ok d:ok ");
    teardown(&w);
}

TEST(writes_of_a_key_take_turns_in_order)
{
    struct writer_fixture w;
    struct request r[6];
    uint64_t revision;

    setup(&w, NULL);
    send(&w, &r[0], "x", "1", 0);
    gate_await(&w.gate);
    send(&w, &r[1], "x", "2", 2);
    send(&w, &r[2], "y", "1", 0);
    send(&w, &r[3], "x", "3", 4);
    send(&w, &r[4], "x", "4", 4);
    send(&w, &r[5], "x", NULL, 5);
    assert_int_equal(gate_pass(&w.gate), 1);

    /* y waited longer than the second x. */
    assert_int_equal(gate_pass(&w.gate), 2);
    assert_int_equal(gate_pass(&w.gate), 1);

    /* The third x found another revision and troubled nobody. */
    assert_int_equal(gate_pass(&w.gate), 1);
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

TEST(what_goes_together_is_written_together)
{
    struct writer_fixture w;
    struct request r[4];
    struct yl_ks_write node[4];
    size_t i;

    setup(&w, NULL);
    request_init(&w, &r[0], "a", "1", 0);
    with_node(&w, &r[0], &node[0], "1", 0);
    yl_keyspace_write(w.f.ks, &r[0].write);
    assert_int_equal(gate_pass(&w.gate), 2);
    await_done(&w, 1);
    assert_int_equal(node[0].revision, 2);
    assert_int_equal(r[0].write.revision, 3);

    /* The node is there, or is not as expected: neither takes place. */
    request_init(&w, &r[1], "b", "1", 0);
    with_node(&w, &r[1], &node[1], "1", 0);
    request_init(&w, &r[2], "c", "1", 0);
    with_node(&w, &r[2], &node[2], NULL, 7);
    yl_keyspace_write(w.f.ks, &r[1].write);
    yl_keyspace_write(w.f.ks, &r[2].write);
    await_done(&w, 3);
    assert_int_equal(yl_ks_count(w.f.pods), 1);

    request_init(&w, &r[3], "a", NULL, 3);
    with_node(&w, &r[3], &node[3], NULL, 2);
    yl_keyspace_write(w.f.ks, &r[3].write);
    assert_int_equal(gate_pass(&w.gate), 2);
    assert_string_equal(await_done(&w, 4),
                        "a:ok b:EEXISTS c:ECONFLICT a:ok ");
    assert_int_equal(r[3].write.revision, 4);
    assert_int_equal(node[3].revision, 5);
    assert_int_equal(yl_ks_count(w.f.nodes), 0);
    for (i = 0; i < 4; i++) {
        yl_object_unref(node[i].object);
    }
    teardown(&w);
}

TEST(a_key_that_goes_with_another_stands_in_a_batch_once)
{
    struct writer_fixture w;
    struct request r[4];
    struct yl_ks_write node[2];

    setup(&w, NULL);
    send(&w, &r[0], "first", "1", 0);
    gate_await(&w.gate);
    request_init(&w, &r[1], "a", "1", 0);
    with_node(&w, &r[1], &node[0], "1", 0);
    yl_keyspace_write(w.f.ks, &r[1].write);
    request_init(&w, &r[2], "b", "1", 0);
    with_node(&w, &r[2], &node[1], "2", 0);
    yl_keyspace_write(w.f.ks, &r[2].write);
    request_init(&w, &r[3], "n", NULL, 3);
    r[3].write.resource = w.f.nodes;
    r[3].write.key = key_of(NULL, "n");
    yl_keyspace_write(w.f.ks, &r[3].write);
    assert_int_equal(gate_pass(&w.gate), 1);
    assert_int_equal(gate_pass(&w.gate), 2);
    assert_int_equal(gate_pass(&w.gate), 1);
    assert_string_equal(await_done(&w, 4),
                        "first:ok a:ok b:EEXISTS n:ok ");
    yl_object_unref(node[0].object);
    yl_object_unref(node[1].object);
    teardown(&w);
}

TEST(what_goes_together_fails_together)
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

TEST(nothing_is_seen_before_it_is_durable)
{
    struct writer_fixture w;
    struct request r;

    setup(&w, NULL);
    send(&w, &r, "x", "1", 0);
    gate_await(&w.gate);
    assert_int_equal(yl_ks_get(w.f.pods, key_of("a", "x"), NULL, NULL),
                     YL_ENOTFOUND);
    assert_int_equal(yl_keyspace_revision(w.f.ks), 1);
    assert_int_equal(w.n_done, 0);
    gate_pass(&w.gate);
    await_done(&w, 1);
    assert_int_equal(yl_ks_get(w.f.pods, key_of("a", "x"), NULL, NULL), 0);
    teardown(&w);
}

TEST(a_failed_commit_publishes_nothing)
{
    struct writer_fixture w;
    struct yl_ks_cursor *cursor;
    struct yl_ks_event event;
    struct request r[3];

    setup(&w, NULL);
    assert_int_equal(yl_ks_cursor_open(w.f.pods, NULL, 1, &cursor, NULL), 0);
    yl_memory_fail(w.gate.inner, 1, YL_EIO);
    send(&w, &r[0], "x", "1", 0);
    gate_await(&w.gate);
    send(&w, &r[1], "x", "2", 0);
    send(&w, &r[2], "y", "2", 0);
    assert_int_equal(gate_pass(&w.gate), 1);
    assert_string_equal(await_done(&w, 1), "x:EIO ");
    assert_int_equal(yl_keyspace_revision(w.f.ks), 1);
    assert_int_equal(yl_ks_cursor_next(cursor, &event, 1), 0);
    assert_int_equal(yl_ks_count(w.f.pods), 0);

    /* Those behind it find what was there before. */
    assert_int_equal(gate_pass(&w.gate), 2);
    await_done(&w, 3);
    assert_int_equal(yl_ks_count(w.f.pods), 2);
    yl_ks_cursor_close(cursor);
    teardown(&w);
}

TEST(an_error_of_storage_has_its_sentence)
{
    struct fixture f;
    struct yl_ks_write write;

    fixture_init(&f, NULL);
    yl_memory_fail(f.storage, 1, YL_EUNAVAILABLE);
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

    /* And whoever asks can see that it does not take writes. */
    assert_true(yl_keyspace_failed(f.ks) != YL_NEVER);
    assert_int_equal(yl_keyspace_write_wait(f.ks, &write), 0);
    assert_true(yl_keyspace_failed(f.ks) == YL_NEVER);
    yl_object_unref(write.object);
    fixture_release(&f);
}

static void
ignore_done(struct yl_storage_batch *batch)
{
    assert_int_equal(batch->result, 0);
}

TEST(storage_may_know_of_a_conflict_that_we_do_not)
{
    struct yl_str value = YL_STR("{}");
    struct yl_storage_write other = {
        .key = YL_STR("/registry/pods/a/x"),
        .value = &value,
        .n_value = 1,
    };
    struct yl_storage_batch batch = {
        .writes = &other,
        .n_writes = 1,
        .done = ignore_done,
    };
    struct writer_fixture w;
    struct request r[3];

    setup(&w, NULL);
    send(&w, &r[0], "first", "1", 0);
    gate_await(&w.gate);
    send(&w, &r[1], "x", "1", 0);
    send(&w, &r[2], "y", "1", 0);
    gate_pass(&w.gate);
    assert_int_equal(gate_await(&w.gate), 2);
    yl_storage_commit(w.gate.inner, &batch);
    gate_pass(&w.gate);
    assert_string_equal(await_done(&w, 3), "first:ok x:ECONFLICT y:ok ");
    assert_int_equal(yl_ks_count(w.f.pods), 2);
    assert_int_equal(yl_ks_get(w.f.pods, key_of("a", "x"), NULL, NULL),
                     YL_ENOTFOUND);
    assert_int_equal(yl_keyspace_revision(w.f.ks), r[2].write.revision);
    teardown(&w);
}

TEST(too_many_are_turned_away)
{
    struct yl_keyspace_opts opts = { .max_waiting = 2 };
    struct writer_fixture w;
    struct request r[4];

    setup(&w, &opts);
    send(&w, &r[0], "a", "1", 0);
    gate_await(&w.gate);
    send(&w, &r[1], "a", "2", 2);
    send(&w, &r[2], "c", "1", 0);
    gate_pass(&w.gate);
    gate_pass(&w.gate);
    await_done(&w, 3);
    assert_non_null(strstr(w.log, "c:ETHROTTLED"));
    assert_int_equal(yl_ks_count(w.f.pods), 1);
    send(&w, &r[3], "d", "1", 0);
    gate_pass(&w.gate);
    await_done(&w, 4);
    assert_int_equal(yl_ks_count(w.f.pods), 2);
    teardown(&w);
}

TEST(done_may_write_again)
{
    struct writer_fixture w;
    struct request r[2];

    setup(&w, NULL);
    request_init(&w, &r[1], "x", "2", 2);
    request_init(&w, &r[0], "x", "1", 0);
    r[0].then = &r[1];
    yl_keyspace_write(w.f.ks, &r[0].write);
    gate_pass(&w.gate);
    gate_pass(&w.gate);
    assert_string_equal(await_done(&w, 2), "x:ok x:ok ");
    teardown(&w);
}

TEST(freeing_answers_what_waits)
{
    struct writer_fixture w;
    struct request r[3];

    setup(&w, NULL);
    send(&w, &r[0], "x", "1", 0);
    gate_await(&w.gate);
    send(&w, &r[1], "x", "2", 2);
    send(&w, &r[2], "y", "2", 0);
    teardown(&w);
    assert_int_equal(w.n_done, 3);
    assert_string_equal(w.log, "x:ok y:ok x:ok ");
}

TEST(a_stopped_writer_refuses_at_once)
{
    struct writer_fixture w;
    struct request r[4];

    setup(&w, NULL);
    send(&w, &r[0], "x", "1", 0);
    gate_await(&w.gate);
    send(&w, &r[1], "y", "1", 0);
    gate_open(&w.gate);
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

TEST(impossible_writes_are_refused)
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

static int
keep_value(void *aux, const struct yl_storage_row *row, struct yl_error *err)
{
    (void) err;
    snprintf(aux, 256, "%.*s", YL_STR_ARG(row->value));
    return 0;
}

TEST(values_are_documents_without_a_revision)
{
    struct fixture f;
    struct yl_object *object;
    uint64_t revision, compacted;
    char value[256];

    fixture_init(&f, NULL);
    assert_int_equal(yl_object_ingest(YL_STR("{\"metadata\":{\"name\":\"n\","
                                             "\"resourceVersion\":\"77\"},"
                                             "\"spec\":{\"a\":1}}"),
                                      NULL, &object, NULL), 0);
    assert_int_equal(write_object(&f, key_of(NULL, "n"), object, 0, NULL), 0);
    yl_storage_load(f.storage, keep_value, value, &revision, &compacted,
                    NULL);
    assert_string_equal(value, "{\"apiVersion\":\"v1\",\"kind\":\"Node\","
                        "\"metadata\":{\"name\":\"n\"},\"spec\":{\"a\":1}}");

    /* A resource may be stored as another version later. */
    assert_ptr_equal(yl_keyspace_add(f.ks, NODES, false,
                                     (struct yl_type_meta) {
                                         YL_STR("v2"), YL_STR("Node"),
                                     }), f.nodes);
    put(&f, NULL, "m", "1", 0, NULL);
    yl_storage_load(f.storage, keep_value, value, &revision, &compacted,
                    NULL);
    assert_true(yl_str_starts_with(yl_str_c(value),
                                   YL_STR("{\"apiVersion\":\"v2\",")));
    fixture_release(&f);
}

TEST(the_keyspace_keeps_blocks_of_its_own)
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

TEST(storage_hears_what_may_go)
{
    struct yl_keyspace_opts opts = { .history_age = 1000 };
    struct yl_memory_stats stats;
    struct fixture f;
    uint64_t x = 0;

    fixture_init(&f, &opts);
    put(&f, "a", "x", "1", 0, &x);
    put(&f, "a", "x", "2", x, &x);
    assert_int_equal(yl_ks_oldest(f.pods), 0);
    yl_clock_fake_advance(f.clock, 2000);
    put(&f, "a", "y", "1", 0, NULL);
    assert_int_equal(yl_ks_oldest(f.pods), x);
    yl_memory_stats(f.storage, &stats);
    assert_int_equal(stats.compacted, x);
    assert_int_equal(stats.n_rows, 2);
    fixture_release(&f);
}

/* Waits for the writer's thread to have storage compacted up to 'revision'. */
static void
wait_compacted(struct fixture *f, uint64_t revision)
{
    struct yl_memory_stats stats;

    do {
        sched_yield();
        yl_memory_stats(f->storage, &stats);
    } while (stats.compacted < revision);
}

TEST(storage_hears_it_also_while_nobody_writes)
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
    yl_memory_fail(f.storage, 1, YL_EIO);
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
