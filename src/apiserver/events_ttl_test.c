/* Tests of Events that expire. */

#include "apiserver/events_ttl.h"

#include <sched.h>

#include "apiserver/keyspace/keyspace.h"
#include "storage/memory.h"
#include "unit.h"
#include "yuloh/object.h"

/* A sixtieth, at which the thread looks. */
#define TTL 60000
#define STEP 1000

static _Atomic int n_ticks;

static void
tick(void *n)
{
    ++*(_Atomic int *) n;
}

struct fixture {
    struct yl_clock *clock;
    struct yl_storage *storage;
    struct yl_keyspace *keyspace;
    struct yl_ks_resource *events;
    struct yl_events_ttl *ttl;
};

static void
start(struct fixture *f, struct yl_storage *storage)
{
    struct yl_keyspace_opts opts = { .clock = NULL };
    struct yl_type_meta type = { YL_STR("v1"), YL_STR("Event") };

    f->clock = yl_clock_fake_new(0);
    f->storage = storage;
    f->keyspace = yl_keyspace_new(f->storage, &opts);
    assert_int_equal(yl_keyspace_add(f->keyspace,
                                     YL_STR("/registry/events/"), true, type,
                                     &f->events, NULL), 0);
    assert_int_equal(yl_keyspace_load(f->keyspace, NULL), 0);
    assert_int_equal(yl_keyspace_start(f->keyspace, NULL), 0);
    f->ttl = NULL;
}

static void
start_ttl(struct fixture *f)
{
    struct yl_events_ttl_opts opts = {
        .clock = f->clock,
        .keyspace = f->keyspace,
        .events = f->events,
        .ttl = TTL,
        .tick = tick,
        .aux = &n_ticks,
    };

    assert_int_equal(yl_events_ttl_start(&opts, &f->ttl, NULL), 0);
}

static void
stop(struct fixture *f)
{
    yl_events_ttl_stop(f->ttl);
    yl_keyspace_free(f->keyspace);
    yl_clock_free(f->clock);
}

/* Writes an Event that was made at 'created'. */
static void
put(struct fixture *f, const char *name, const char *created,
    uint64_t expected)
{
    char json[256];
    struct yl_object *object;
    struct yl_ks_write write = {
        .resource = f->events,
        .key = yl_key_make(YL_STR("ns"), yl_str_c(name)),
        .expected = expected,
    };

    snprintf(json, sizeof json,
             "{\"metadata\":{\"creationTimestamp\":\"%s\",\"name\":\"%s\","
             "\"namespace\":\"ns\"},\"reason\":\"%llu\"}", created, name,
             (unsigned long long) expected);
    assert_int_equal(yl_object_ingest(yl_str_c(json), NULL, &object, NULL),
                     0);
    write.object = object;
    assert_int_equal(yl_keyspace_write_wait(f->keyspace, &write), 0);
    yl_object_unref(object);
}

/* Moves the clock by a step, and waits for the thread to have looked. */
static void
look(struct fixture *f)
{
    int n = n_ticks;

    yl_clock_fake_advance(f->clock, STEP);
    while (n_ticks == n) {
        sched_yield();
    }
}

#define NOW "2999-01-01T00:00:00Z"

TEST(marks_remember_which_revision_was_newest_when)
{
    struct yl_ttl_marks marks = { .n = 0 };
    yl_msec i;

    assert_int_equal(yl_ttl_revision(&marks, 100, 10), 0);
    for (i = 1; i <= 2 * YL_TTL_MARKS; i++) {
        yl_ttl_mark(&marks, i * 10, (uint64_t) i);
    }
    assert_int_equal(yl_ttl_revision(&marks, 1280, 0), 128);
    assert_int_equal(yl_ttl_revision(&marks, 1280, 5), 127);
    assert_int_equal(yl_ttl_revision(&marks, 1280, 10), 127);
    assert_int_equal(yl_ttl_revision(&marks, 1280, 630), 65);
    assert_int_equal(yl_ttl_revision(&marks, 1280, 640), 0);
}

TEST(an_event_goes_when_its_time_to_live_is_over)
{
    struct fixture f;
    yl_msec passed;

    start(&f, yl_memory_new(NULL));
    start_ttl(&f);
    put(&f, "a", NOW, 0);
    put(&f, "b", NOW, 0);
    for (passed = 0; passed < TTL; passed += STEP) {
        look(&f);
        assert_int_equal(yl_ks_count(f.events), 2);
    }
    look(&f);
    assert_int_equal(yl_ks_count(f.events), 0);
    stop(&f);
    yl_storage_close(f.storage);
}

TEST(an_event_that_was_written_again_lives_on)
{
    struct yl_key key = yl_key_make(YL_STR("ns"), YL_STR("b"));
    struct yl_object *object;
    struct fixture f;
    uint64_t revision;
    yl_msec passed;

    start(&f, yl_memory_new(NULL));
    start_ttl(&f);
    put(&f, "a", NOW, 0);
    put(&f, "b", NOW, 0);
    for (passed = 0; passed < 2 * TTL; passed += STEP) {
        look(&f);
        assert_int_equal(yl_ks_get(f.events, key, &object, &revision), 0);
        yl_object_unref(object);
        if (passed % (TTL / 2) == 0) {
            put(&f, "b", NOW, revision);
        }
    }
    assert_int_equal(yl_ks_count(f.events), 1);
    stop(&f);
    yl_storage_close(f.storage);
}

TEST(events_from_before_the_start_go_by_their_own_times)
{
    struct fixture f;

    start(&f, yl_memory_new(NULL));
    put(&f, "old", "2001-01-01T00:00:00Z", 0);
    put(&f, "new", NOW, 0);
    start_ttl(&f);
    look(&f);
    assert_int_equal(yl_ks_count(f.events), 1);
    stop(&f);
    yl_storage_close(f.storage);
}
