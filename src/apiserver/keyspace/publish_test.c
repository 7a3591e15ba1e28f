/* Tests of publishing: what others write to the same storage. */

#include "apiserver/keyspace/publish.h"

#include <sched.h>
#include <stdatomic.h>

#include "keyspace_unit.h"
#include "yuloh/log.h"

/* A storage in memory that others may write to; the second writer of KS_TEST
 * is off. */
static void
shared_init(struct fixture *f, const struct yl_keyspace_opts *opts)
{
    fixture_kind = IN_MEMORY;
    fixture_init_with(f, opts, (struct yl_memory_opts) { .shared = true }, 0);
}

/* Another server writes the pod a/NAME with the label v, or deletes it. */
static uint64_t
other_puts(struct fixture *f, const char *name, const char *v)
{
    char key[64], value[128];

    snprintf(key, sizeof key, "/registry/pods/a/%s", name);
    snprintf(value, sizeof value, "{\"apiVersion\":\"v1\",\"kind\":\"Pod\","
             "\"metadata\":{\"labels\":{\"v\":\"%s\"},\"name\":\"%s\","
             "\"namespace\":\"a\"}}", v ? v : "", name);
    return scribble(f->gate.inner, key, v ? value : NULL);
}

static uint64_t
other_puts_garbage(struct fixture *f, const char *name)
{
    char key[64];

    snprintf(key, sizeof key, "/registry/pods/a/%s", name);
    return scribble(f->gate.inner, key, "{\"metadata\":");
}

/* Waits until the keyspace has published 'revision'. */
static void
await(struct fixture *f, uint64_t revision)
{
    while (yl_keyspace_revision(f->ks) < revision) {
        sched_yield();
    }
}

/* What a cursor sees, as "TYPE NAME=v@revision ", or the code. */
static const char *
seen(struct yl_ks_cursor *cursor)
{
    static const char types[] = "AMD";
    static char text[1024];
    struct yl_ks_event event;
    size_t size = 0;
    int r;

    text[0] = '\0';
    while ((r = yl_ks_cursor_next(cursor, &event, 1)) > 0) {
        size += (size_t) snprintf(
            text + size, sizeof text - size, "%c %.*s=%.*s@%d ",
            types[event.type], YL_STR_ARG(yl_object_name(event.object)),
            YL_STR_ARG(yl_object_label(event.object, YL_STR("v"), NULL)),
            (int) event.revision);
        yl_object_unref(event.object);
        yl_object_unref(event.previous);
    }
    return r < 0 ? yl_error_name(r) : text;
}

static struct yl_ks_cursor *
watch(struct fixture *f)
{
    struct yl_ks_cursor *cursor;

    assert_int_equal(yl_ks_cursor_open(f->pods, NULL, 1, &cursor, NULL), 0);
    return cursor;
}

struct counter {
    struct yl_ks_listener listener;
    atomic_int n;
};

static void
count(struct yl_ks_listener *listener)
{
    atomic_fetch_add(&YL_CONTAINER_OF(listener, struct counter, listener)->n,
                     1);
}

TEST(what_others_write_is_published_like_our_own)
{
    struct counter counter = { .listener.wake = count };
    struct yl_ks_cursor *cursor;
    struct yl_object *object;
    struct fixture f;
    uint64_t revision;

    shared_init(&f, NULL);
    cursor = watch(&f);
    yl_ks_listen(f.pods, &counter.listener);
    assert_int_equal(other_puts(&f, "x", "1"), 2);
    await(&f, 2);
    while (!atomic_load(&counter.n)) {
        sched_yield();
    }
    assert_int_equal(yl_ks_get(f.pods, key_of("a", "x"), &object, &revision),
                     0);
    assert_int_equal(revision, 2);

    /* Whether its text is in our order of members is not known. */
    assert_false(yl_object_is_canonical(object));
    yl_object_unref(object);
    assert_int_equal(put(&f, "a", "x", "2", 2, &revision), 0);
    assert_int_equal(other_puts(&f, "x", NULL), 4);
    assert_int_equal(put(&f, "a", "y", "1", 0, &revision), 0);
    assert_string_equal(seen(cursor), "A x=1@2 M x=2@3 D x=2@4 A y=1@5 ");
    assert_int_equal(yl_ks_count(f.pods), 1);
    yl_ks_unlisten(f.pods, &counter.listener);
    yl_ks_cursor_close(cursor);
    fixture_release(&f);
}

/* Adds a resource, and listens to it, when something is logged: in the midst
 * of publishing. */
struct adder {
    struct yl_log_sink sink;
    struct fixture *f;
    struct counter counter;
    struct yl_ks_resource *added;
};

static void
add_late(const struct yl_log_sink *sink, const char *line, size_t size)
{
    struct adder *self = (struct adder *) (uintptr_t)
                         YL_CONTAINER_OF(sink, const struct adder, sink);

    (void) line, (void) size;
    self->added = fixture_add(self->f, YL_STR("/registry/late/"), false,
                              type_of("Late"));
    yl_ks_listen(self->added, &self->counter.listener);
}

TEST(a_resource_that_is_added_meanwhile_wakes_too)
{
    static struct adder adder = {
        .sink.write = add_late, .counter.listener.wake = count,
    };
    struct yl_str values[] = {
        YL_STR("{\"metadata\":{\"name\":\"x\"}}"), YL_STR("no object"),
    };
    struct yl_storage_write writes[] = {
        { .key = YL_STR("/registry/late/x"), .value = &values[0],
          .n_value = 1 },
        { .key = YL_STR("/registry/pods/a/x"), .value = &values[1],
          .n_value = 1 },
    };
    struct yl_storage_group group = { .writes = writes, .n_writes = 2 };
    struct fixture f;

    /* The first row is aside when the second one is logged; what is added
     * then has the first, which nobody can read before both are there. */
    shared_init(&f, NULL);
    adder.f = &f;
    yl_log_set_sink(&adder.sink);
    assert_int_equal(yl_memory_write(f.gate.inner, &group), 0);
    while (!atomic_load(&adder.counter.n)) {
        sched_yield();
    }
    yl_log_set_sink(NULL);
    assert_int_equal(yl_ks_get(adder.added, key_of(NULL, "x"), NULL, NULL),
                     0);
    yl_ks_unlisten(adder.added, &adder.counter.listener);
    fixture_release(&f);
}

TEST(revisions_go_on_where_nothing_of_ours_was_written)
{
    struct yl_ks_cursor *cursor;
    struct fixture f;

    shared_init(&f, NULL);
    cursor = watch(&f);
    yl_memory_skip(f.gate.inner, 7);
    await(&f, 8);
    assert_string_equal(seen(cursor), "");
    assert_int_equal(yl_ks_cursor_revision(cursor), 8);
    yl_ks_cursor_close(cursor);
    fixture_release(&f);
}

TEST(rows_of_others_wait_for_their_resource)
{
    struct yl_keyspace_opts opts = { .history_age = 1000 };
    struct yl_ks_resource *things;
    struct fixture f;
    uint64_t last;
    int i;

    shared_init(&f, &opts);
    for (i = 0; i < 10; i++) {
        scribble(f.gate.inner, "/registry/things/t",
                 "{\"metadata\":{\"name\":\"t\"}}");
    }
    scribble(f.gate.inner, "/registry/things/gone",
             "{\"metadata\":{\"name\":\"gone\"}}");
    last = scribble(f.gate.inner, "/registry/things/gone", NULL);
    await(&f, last);

    /* Rows that no reader can see any more are dropped, as if the resource
     * were there: of ten the last one stays. */
    yl_clock_fake_advance(f.clock, 2000);
    put(&f, "a", "x", "1", 0, NULL);
    assert_int_equal(yl_ks_oldest(f.pods), last);
    things = fixture_add(&f, YL_STR("/registry/things/"), false,
                         type_of("Thing"));
    assert_int_equal(yl_ks_count(things), 1);
    last = scribble(f.gate.inner, "/registry/things/u",
                    "{\"metadata\":{\"name\":\"u\"}}");
    await(&f, last);
    assert_int_equal(yl_ks_count(things), 2);
    fixture_release(&f);
}

/* Unreadable
 * ========== */

TEST(what_cannot_be_read_is_gone_for_readers)
{
    struct yl_ks_cursor *cursor;
    struct fixture f;

    shared_init(&f, NULL);
    cursor = watch(&f);
    other_puts(&f, "x", "1");
    await(&f, other_puts_garbage(&f, "x"));
    assert_int_equal(yl_ks_get(f.pods, key_of("a", "x"), NULL, NULL),
                     YL_ENOTFOUND);
    assert_int_equal(yl_ks_count(f.pods), 0);
    assert_string_equal(seen(cursor), "A x=1@2 D x=1@3 ");

    /* More of it is no news; an object is. */
    await(&f, other_puts_garbage(&f, "x"));
    await(&f, other_puts_garbage(&f, "x"));
    assert_string_equal(seen(cursor), "");
    await(&f, other_puts(&f, "x", "2"));
    assert_string_equal(seen(cursor), "A x=2@6 ");

    /* Nor is its end. */
    await(&f, other_puts_garbage(&f, "x"));
    await(&f, other_puts(&f, "x", NULL));
    await(&f, other_puts_garbage(&f, "y"));
    await(&f, other_puts(&f, "y", NULL));
    assert_string_equal(seen(cursor), "D x=2@7 ");
    await(&f, other_puts(&f, "x", "3"));
    assert_string_equal(seen(cursor), "A x=3@11 ");
    yl_ks_cursor_close(cursor);
    fixture_release(&f);
}

TEST(whoever_creates_the_object_replaces_what_cannot_be_read)
{
    struct fixture f;
    uint64_t revision;

    shared_init(&f, NULL);
    await(&f, other_puts_garbage(&f, "x"));
    assert_int_equal(delete(&f, "a", "x", 0, NULL), YL_ENOTFOUND);
    assert_int_equal(put(&f, "a", "x", "1", 2, NULL), YL_ENOTFOUND);
    assert_int_equal(put(&f, "a", "x", "1", 0, &revision), 0);
    assert_int_equal(revision, 3);
    assert_int_equal(yl_memory_newest(f.gate.inner, "/registry/pods/a/x"),
                     3);
    fixture_release(&f);
}

TEST(a_key_no_object_can_have_is_passed_over)
{
    struct fixture f;

    shared_init(&f, NULL);
    await(&f, scribble(f.gate.inner, "/registry/pods/x", "{}"));
    await(&f, scribble(f.gate.inner, "/registry/pods/a/b/c", NULL));
    assert_int_equal(yl_ks_count(f.pods), 0);
    assert_int_equal(put(&f, "a", "x", "1", 0, NULL), 0);
    fixture_release(&f);
}

TEST(loading_does_not_fail_for_what_others_have_stored)
{
    struct fixture f;

    shared_init(&f, NULL);
    other_puts(&f, "x", "1");
    other_puts_garbage(&f, "y");
    scribble(f.gate.inner, "/registry/pods/z", "{}");
    fixture_reopen(&f);
    assert_int_equal(yl_ks_count(f.pods), 1);
    assert_int_equal(put(&f, "a", "y", "1", 0, NULL), 0);
    fixture_release(&f);
}

/* Objects, deletions and values that cannot be read, of few keys, by us and by
 * another server, while history is dropped: what is visible must be what is
 * stored. */
TEST(in_any_order_all_agree_with_what_is_stored)
{
    struct yl_keyspace_opts opts = { .history_age = 1000 };
    static const char *const names[] = { "a", "b", "c" };
    bool readable[YL_ARRAY_SIZE(names)] = { false };
    uint64_t random = RANDOM_SEED, last = 0;
    struct fixture f;
    unsigned i, k;

    shared_init(&f, &opts);
    for (i = 0; i < 3000; i++) {
        uint64_t revision = 0;

        k = random_below(&random, YL_ARRAY_SIZE(names));
        switch (random_below(&random, 6)) {
        case 0:
            last = other_puts(&f, names[k], "1");
            readable[k] = true;
            break;
        case 1:
            last = other_puts_garbage(&f, names[k]);
            readable[k] = false;
            break;
        case 2:
            last = other_puts(&f, names[k], NULL);
            readable[k] = false;
            break;
        case 3:
            if (put(&f, "a", names[k], "2", 0, &revision) == 0) {
                last = revision;
                readable[k] = true;
            }
            break;
        case 4:
            await(&f, last);
            if (yl_ks_get(f.pods, key_of("a", names[k]), NULL, &revision)
                == 0) {
                assert_int_equal(delete(&f, "a", names[k], revision, &last),
                                 0);
                readable[k] = false;
            }
            break;
        default:
            yl_clock_fake_advance(f.clock, 400);
        }
        await(&f, last);
        for (k = 0; k < YL_ARRAY_SIZE(names); k++) {
            char key[64];

            assert_int_equal(yl_ks_get(f.pods, key_of("a", names[k]), NULL,
                                       &revision) == 0, readable[k]);
            snprintf(key, sizeof key, "/registry/pods/a/%s", names[k]);
            if (readable[k]) {
                assert_int_equal(yl_memory_newest(f.gate.inner, key),
                                 revision);
            }
        }
    }
    fixture_release(&f);
}
