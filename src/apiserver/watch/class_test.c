/* Tests of watch classes. */

#include "apiserver/watch/class.h"

#include <semaphore.h>

#include "api_rig.h"
#include "apiserver/watch/hub.h"
#include "base/thread.h"

#define MAPS "/api/v1/namespaces/default/configmaps"

static struct yl_watch_classes *classes;

/* A member that looks at what 'target' asks for, from 'revision' on. */
static struct yl_watch_class *
join_as(const char *target, enum yl_output_form form, uint64_t revision)
{
    struct yl_watch_class *class = NULL;
    struct yl_selection selection;
    struct yl_api_request req;
    struct yl_view view;

    rig_request_init(&req, target);
    req.accept.form = form;
    assert_int_equal(yl_selection_init(&selection, &req, NULL), 0);
    assert_int_equal(yl_view_init(&view, &req, false, NULL), 0);
    yl_watch_class_join(classes, &req, &view, &selection, revision, &class,
                        NULL);
    rig_request_release(&req);
    return class;
}

#define join(TARGET, REVISION) join_as(TARGET, YL_FORM_OBJECT, REVISION)

static void
start(void)
{
    rig_open_fake();
    classes = yl_watch_hub_classes(rig.server->watches);
}

static uint64_t
make(const char *name, const char *labels)
{
    char body[256];

    snprintf(body, sizeof body,
             "{\"metadata\":{\"name\":\"%s\",\"labels\":{%s}}}", name, labels);
    assert_int_equal(api("POST", MAPS, body), 201);
    return strtoull(text_at("/metadata/resourceVersion"), NULL, 10);
}

static void
never_woken(struct yl_watch_waiter *waiter YL_UNUSED)
{
    fail();
}

static struct yl_watch_waiter nobody = { never_woken };

/* Reads at a position: as yl_watch_class_read(), which must not need to
 * wait. */
static int
read_at(struct yl_watch_class *class, uint64_t position, uint64_t *revision)
{
    struct yl_watch_batch *batch = NULL;
    int r = yl_watch_class_read(class, position, &nobody, &batch, revision);

    yl_watch_batch_unref(batch);
    return r;
}

/* The revision of the frame at a position, which must have come. */
static uint64_t
frame_at(struct yl_watch_class *class, uint64_t position)
{
    struct yl_watch_batch *batch;
    uint64_t revision;
    struct yl_str text;
    size_t i;

    assert_int_equal(yl_watch_class_read(class, position, &nobody, &batch,
                                         &revision), 1);
    assert_in_range(position, batch->first,
                    batch->first + batch->n_frames - 1);
    assert_int_equal(revision, batch->frames[batch->n_frames - 1].revision);
    i = (size_t) (position - batch->first);
    text = yl_watch_batch_text(batch, i, i + 1);
    assert_int_equal(text.data[0], '{');
    assert_ptr_equal(memchr(text.data, '\n', text.size),
                     text.data + text.size - 1);
    revision = batch->frames[i].revision;
    yl_watch_batch_unref(batch);
    return revision;
}

TEST(equal_watches_are_one_class)
{
    static const char *const others[] = {
        MAPS "?labelSelector=x%3D1", MAPS "?fieldSelector=metadata.name%3Da",
        "/api/v1/namespaces/other/configmaps", "/api/v1/configmaps",
        "/api/v1/namespaces/default/secrets",
        "/api/v1/namespaces/default%00/configmaps",
        "/api/v1/namespaces/default%0a/configmaps",
    };
    struct yl_watch_class *one, *two, *table, *other;
    size_t i;

    start();
    one = join(MAPS, 2);
    two = join(MAPS "?labelSelector=", 1);
    assert_ptr_equal(one, two);
    table = join_as(MAPS, YL_FORM_TABLE, 2);
    assert_ptr_not_equal(one, table);
    for (i = 0; i < YL_ARRAY_SIZE(others); i++) {
        other = join(others[i], 2);
        assert_ptr_not_equal(one, other);
        yl_watch_class_leave(classes, other);
    }
    yl_watch_class_leave(classes, table);
    yl_watch_class_leave(classes, one);
    yl_watch_class_leave(classes, two);
    rig_close();
}

TEST(members_share_frames_of_what_they_selected)
{
    struct yl_watch_batch *batch, *again;
    struct yl_watch_class *class;
    uint64_t a, c, position, revision;

    start();
    a = make("a", "\"x\":\"1\"");
    class = join(MAPS "?labelSelector=x%3D1", a - 1);
    make("b", "");
    c = make("c", "\"x\":\"1\"");
    make("d", "");
    assert_true(yl_watch_class_find(class, a - 1, &position));
    assert_int_equal(yl_watch_class_read(class, position, &nobody, &batch,
                                         &revision), 1);
    assert_int_equal(revision, c);
    assert_int_equal(batch->first, position);
    assert_int_equal(batch->n_frames, 2);
    assert_int_equal(batch->frames[0].revision, a);
    assert_int_equal(batch->frames[1].revision, c);
    assert_int_equal(yl_watch_class_read(class, position + 1, &nobody, &again,
                                         &revision), 1);
    assert_ptr_equal(again, batch);
    yl_watch_batch_unref(again);
    yl_watch_batch_unref(batch);
    yl_watch_batch_unref(NULL);

    assert_true(yl_watch_class_find(class, a, &position));
    assert_int_equal(frame_at(class, position), c);
    assert_true(yl_watch_class_find(class, c, &position));
    assert_int_equal(read_at(class, position, &revision), 0);
    assert_int_equal(revision, yl_keyspace_revision(rig.server->keyspace));
    assert_false(yl_watch_class_find(class, a - 2, &position));
    yl_watch_class_leave(classes, class);
    rig_close();
}

TEST(every_position_is_found_in_batches_of_all_sizes)
{
    static const int sizes[] = { 3, 1, 70, 2, 1, 1, 5, 130, 4 };
    struct yl_watch_class *class;
    uint64_t first, revisions[256], position, n = 0, end = 0;
    char name[16];
    size_t i;
    int j;

    start();
    first = make("a", "");
    class = join(MAPS, first);
    for (i = 0; i < YL_ARRAY_SIZE(sizes); i++) {
        for (j = 0; j < sizes[i]; j++) {
            snprintf(name, sizeof name, "n%d", (int) n);
            revisions[n++] = make(name, "");
        }
        while (yl_watch_class_has_news(class, end, &nobody)) {
            frame_at(class, end++);
        }
        assert_int_equal(end, n);
    }
    for (i = 0; i < n; i++) {
        assert_int_equal(frame_at(class, i), revisions[i]);
        assert_true(yl_watch_class_find(class, revisions[i], &position));
        assert_int_equal(position, i + 1);
    }
    assert_true(yl_watch_class_find(class, first, &position));
    assert_int_equal(position, 0);
    yl_watch_class_leave(classes, class);
    rig_close();
}

TEST(news_are_what_is_selected)
{
    struct yl_watch_class *class;
    uint64_t position, now;
    char name[16];
    int i;

    start();
    now = make("a", "");
    class = join(MAPS "?labelSelector=x", now);
    assert_true(yl_watch_class_find(class, now, &position));
    assert_false(yl_watch_class_has_news(class, position, &nobody));
    for (i = 0; i < 150; i++) {
        snprintf(name, sizeof name, "n%d", i);
        make(name, "");
    }
    assert_false(yl_watch_class_has_news(class, position, &nobody));
    for (i = 0; i < 150; i++) {
        snprintf(name, sizeof name, "m%d", i);
        make(name, "");
    }
    now = make("b", "\"x\":\"\"");
    assert_true(yl_watch_class_has_news(class, position, &nobody));
    assert_int_equal(frame_at(class, position), now);
    yl_watch_class_leave(classes, class);
    rig_close();
}

TEST(only_the_newest_frames_are_kept)
{
    struct yl_watch_class *class;
    uint64_t first, last = 0, position, revision;
    char name[16];
    int i;

    start();
    first = make("a", "");
    class = join(MAPS, first);
    for (i = 0; i < YL_WATCH_FRAMES + 10; i++) {
        snprintf(name, sizeof name, "n%d", i);
        last = make(name, "");
        assert_int_equal(frame_at(class, (uint64_t) i), last);
    }
    assert_int_equal(read_at(class, 0, &revision),
                     YL_EEXPIRED);
    assert_int_equal(read_at(class, 9, &revision),
                     YL_EEXPIRED);
    assert_int_equal(frame_at(class, 10), first + 11);
    assert_false(yl_watch_class_find(class, first + 9, &position));
    assert_true(yl_watch_class_find(class, first + 10, &position));
    assert_int_equal(position, 10);
    yl_watch_class_leave(classes, class);
    rig_close();
}

TEST(frames_have_a_ceiling_but_the_newest_is_there)
{
    size_t size = YL_WATCH_BYTES * 7 / 10;
    struct yl_watch_class *class;
    struct yl_buf body;
    uint64_t revision, now;

    start();
    now = make("a", "");
    class = join(MAPS, now);
    yl_buf_init(&body, 4 << 20);
    yl_buf_printf(&body, "{\"metadata\":{\"name\":\"b\"},\"data\":{\"x\":\"");
    memset(yl_buf_reserve(&body, size), 'x', size);
    yl_buf_commit(&body, size);
    yl_buf_append_c(&body, "\"}}");
    assert_int_equal(api("POST", MAPS, yl_buf_c_str(&body)), 201);
    yl_buf_release(&body);
    frame_at(class, 0);
    rig.content_type = "application/merge-patch+json";
    assert_int_equal(api("PATCH", MAPS "/b", "{\"data\":{\"y\":\"\"}}"), 200);
    frame_at(class, 1);
    assert_int_equal(read_at(class, 0, &revision),
                     YL_EEXPIRED);
    yl_watch_class_leave(classes, class);
    rig_close();
}

TEST(a_class_that_lost_the_log_says_so)
{
    const struct yl_api_resource *maps;
    struct yl_watch_class *class;
    uint64_t now, position, revision;

    start();
    maps = yl_registry_builtin(rig.server->registry, "", "configmaps");
    now = make("a", "");
    class = join(MAPS, now);
    assert_true(yl_watch_class_find(class, now, &position));
    make("b", "");
    make("c", "");
    yl_clock_fake_advance(rig.clock, 10 * 60 * 1000);
    make("d", "");
    while (yl_ks_oldest(maps->objects) <= now + 1) {
        usleep(50);
    }
    assert_true(yl_watch_class_has_news(class, position, &nobody));
    assert_int_equal(read_at(class, position, &revision), YL_EEXPIRED);
    assert_false(yl_watch_class_find(class, now, &position));
    assert_null(join(MAPS "?labelSelector=x", now));
    yl_watch_class_leave(classes, class);
    rig_close();
}

/* Readers on threads of their own, who sleep when there is nothing to read.
 * They all wake at once for an event that takes a while to render, and the
 * next one comes when all of them have it: who is not told that another has
 * rendered it sleeps for ever. */
#define N_READERS 4
#define N_WRITES 100
#define EVENT_SIZE ((size_t) 200 << 10)

static sem_t n_seen;

struct reader {
    struct yl_thread thread;
    struct yl_ks_listener listener;
    struct yl_watch_waiter waiter;
    sem_t woken;
    struct yl_ks_resource *objects;
    struct yl_watch_class *class;
    uint64_t position, revision;
};

static void
on_publish(struct yl_ks_listener *listener)
{
    sem_post(&YL_CONTAINER_OF(listener, struct reader, listener)->woken);
}

static void
on_rendered(struct yl_watch_waiter *waiter)
{
    sem_post(&YL_CONTAINER_OF(waiter, struct reader, waiter)->woken);
}

static void
read_all(void *aux)
{
    struct reader *reader = aux;

    while (reader->position < N_WRITES) {
        struct yl_watch_batch *batch;
        uint64_t revision;
        size_t i;

        if (!yl_watch_class_has_news(reader->class, reader->position,
                                     &reader->waiter)) {
            sem_wait(&reader->woken);
            yl_ks_listener_ready(reader->objects, &reader->listener);
            continue;
        }
        assert_int_equal(yl_watch_class_read(reader->class, reader->position,
                                             &reader->waiter, &batch,
                                             &revision), 1);
        assert_int_equal(batch->first, reader->position);
        for (i = 0; i < batch->n_frames; i++) {
            assert_int_equal(batch->frames[i].revision, ++reader->revision);
        }
        reader->position += batch->n_frames;
        yl_watch_batch_unref(batch);
        sem_post(&n_seen);
    }
}

TEST(readers_on_many_threads_see_each_event_once_and_miss_none)
{
    struct reader readers[N_READERS];
    const struct yl_api_resource *maps;
    struct yl_buf body;
    uint64_t first;
    int i, j;

    start();
    sem_init(&n_seen, 0, 0);
    yl_buf_init(&body, 1 << 20);
    maps = yl_registry_builtin(rig.server->registry, "", "configmaps");
    first = make("a", "");
    for (i = 0; i < N_READERS; i++) {
        readers[i] = (struct reader) {
            .listener.wake = on_publish,
            .waiter.wake = on_rendered,
            .objects = maps->objects,
            .class = join(MAPS, first),
            .revision = first,
        };
        sem_init(&readers[i].woken, 0, 0);
        yl_ks_listen(maps->objects, &readers[i].listener);
        assert_int_equal(yl_thread_start(&readers[i].thread, "reader",
                                         read_all, &readers[i]), 0);
    }
    for (i = 0; i < N_WRITES; i++) {
        yl_buf_clear(&body);
        yl_buf_printf(&body, "{\"metadata\":{\"name\":\"n%d\"},"
                      "\"data\":{\"x\":\"", i);
        memset(yl_buf_reserve(&body, EVENT_SIZE), 'x', EVENT_SIZE);
        yl_buf_commit(&body, EVENT_SIZE);
        yl_buf_append_c(&body, "\"}}");
        assert_int_equal(api("POST", MAPS, yl_buf_c_str(&body)), 201);
        for (j = 0; j < N_READERS; j++) {
            sem_wait(&n_seen);
        }
    }
    yl_buf_release(&body);
    for (i = 0; i < N_READERS; i++) {
        yl_thread_join(&readers[i].thread);
        yl_ks_unlisten(maps->objects, &readers[i].listener);
        assert_int_equal(readers[i].position, N_WRITES);
        yl_watch_class_leave(classes, readers[i].class);
        sem_destroy(&readers[i].woken);
    }
    sem_destroy(&n_seen);
    rig_close();
}
