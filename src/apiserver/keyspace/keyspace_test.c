/* Tests of the keyspace as a whole: writing, reading, loading, and a storm of
 * all of them at once. */

#include "apiserver/keyspace/keyspace.h"

#include <sched.h>
#include <stdatomic.h>

#include "keyspace_unit.h"
#include "base/alloc.h"
#include "base/thread.h"

KS_TEST(what_is_written_is_read)
{
    struct fixture f;
    struct yl_object *object;
    uint64_t revision, created;

    fixture_init(&f, NULL);
    assert_int_equal(yl_keyspace_revision(f.ks), 1);
    assert_int_equal(put(&f, "a", "x", "1", 0, &created), 0);
    assert_int_equal(created, nth(1));
    assert_int_equal(yl_ks_get(f.pods, key_of("a", "x"), &object, &revision),
                     0);
    assert_int_equal(revision, created);
    assert_int_equal(yl_keyspace_revision(f.ks), created);
    assert_str_equal(yl_object_name(object), "x");
    yl_object_unref(object);
    assert_int_equal(yl_ks_count(f.pods), 1);
    fixture_release(&f);
}

KS_TEST(a_write_that_expected_something_else_changes_nothing)
{
    struct fixture f;
    uint64_t first, second;

    fixture_init(&f, NULL);
    assert_int_equal(put(&f, "a", "x", "1", 7, NULL), YL_ENOTFOUND);
    assert_int_equal(put(&f, "a", "x", "1", 0, &first), 0);
    assert_int_equal(put(&f, "a", "x", "2", 0, NULL), YL_EEXISTS);
    assert_int_equal(put(&f, "a", "x", "2", first + 1, NULL), YL_ECONFLICT);
    assert_int_equal(put(&f, "a", "x", "2", first, &second), 0);
    assert_int_equal(second, nth(2));
    assert_int_equal(delete(&f, "a", "x", first, NULL), YL_ECONFLICT);
    assert_int_equal(delete(&f, "a", "x", 0, NULL), YL_ECONFLICT);
    assert_int_equal(delete(&f, "a", "x", second, NULL), 0);
    assert_int_equal(delete(&f, "a", "x", second, NULL), YL_ENOTFOUND);
    assert_int_equal(delete(&f, "a", "x", 0, NULL), YL_ENOTFOUND);
    assert_int_equal(yl_ks_get(f.pods, key_of("a", "x"), NULL, NULL),
                     YL_ENOTFOUND);
    assert_int_equal(yl_ks_count(f.pods), 0);
    assert_int_equal(put(&f, "a", "x", "3", 0, NULL), 0);
    fixture_release(&f);
}

KS_TEST(everything_comes_back_from_storage)
{
    struct fixture f;
    uint64_t x, y;
    struct yl_object *object;
    uint64_t revision;

    fixture_init(&f, NULL);
    put(&f, "a", "x", "1", 0, &x);
    put(&f, "a", "x", "2", x, &x);
    put(&f, "b", "y", "1", 0, &y);
    put(&f, NULL, "n", "1", 0, NULL);
    delete(&f, "b", "y", y, NULL);
    fixture_reopen(&f);
    assert_int_equal(yl_keyspace_revision(f.ks), nth(5));
    assert_int_equal(yl_ks_count(f.pods), 1);
    assert_int_equal(yl_ks_count(f.nodes), 1);
    assert_int_equal(yl_ks_get(f.pods, key_of("a", "x"), &object, &revision),
                     0);
    assert_int_equal(revision, x);
    assert_true(yl_object_label_is(object, YL_STR("v"), YL_STR("2")));
    yl_object_unref(object);
    assert_int_equal(put(&f, "b", "y", "2", 0, &y), 0);
    assert_int_equal(y, nth(6));
    fixture_release(&f);
}

static void
drop_events(struct yl_ks_event *events, int n)
{
    int i;

    for (i = 0; i < n; i++) {
        yl_object_unref(events[i].object);
        yl_object_unref(events[i].previous);
    }
}

KS_TEST(watchers_go_on_after_a_restart)
{
    struct yl_ks_cursor *cursor;
    struct yl_ks_event events[8];
    struct yl_ks_scan *scan;
    struct fixture f;
    uint64_t x = 0, seen = 0;

    fixture_init(&f, NULL);
    put(&f, "a", "x", "1", 0, &seen);
    put(&f, "a", "x", "2", seen, &x);
    delete(&f, "a", "x", x, NULL);
    fixture_reopen(&f);
    assert_int_equal(yl_ks_cursor_open(f.pods, NULL, seen, &cursor, NULL), 0);
    assert_int_equal(yl_ks_cursor_next(cursor, events, 8), 2);
    assert_int_equal(events[0].type, YL_KS_MODIFIED);
    assert_int_equal(events[0].revision, x);
    assert_int_equal(events[1].type, YL_KS_DELETED);
    drop_events(events, 2);
    yl_ks_cursor_close(cursor);
    assert_int_equal(yl_ks_scan_open(f.pods, &(struct yl_ks_scan_opts) {
        .revision = x,
    }, &scan, NULL), 0);
    assert_int_equal(yl_ks_scan_remaining(scan), 1);
    yl_ks_scan_close(scan);
    fixture_release(&f);
}

KS_TEST(what_storage_compacted_is_expired_after_a_restart)
{
    struct yl_keyspace_opts opts = { .history_age = 1000 };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_ks_cursor *cursor;
    struct yl_ks_scan *scan;
    struct fixture f;
    uint64_t x = 0, y = 0;

    fixture_init(&f, &opts);
    put(&f, "a", "x", "1", 0, &x);
    put(&f, "a", "x", "2", x, &x);
    yl_clock_fake_advance(f.clock, 5000);
    put(&f, "a", "y", "1", 0, &y);
    fixture_reopen(&f);
    assert_int_equal(yl_ks_oldest(f.pods), x);
    assert_int_equal(yl_ks_oldest(f.nodes), x);
    assert_int_equal(yl_ks_cursor_open(f.pods, NULL, x - 1, &cursor, &err),
                     YL_EEXPIRED);
    yl_error_clear(&err);

    /* Also where nothing is left that could tell. */
    assert_int_equal(yl_ks_cursor_open(f.nodes, NULL, x - 1, &cursor, NULL),
                     YL_EEXPIRED);
    assert_int_equal(yl_ks_scan_open(f.pods, &(struct yl_ks_scan_opts) {
        .revision = x - 1,
    }, &scan, &err), YL_EEXPIRED);
    yl_error_clear(&err);
    assert_int_equal(yl_ks_cursor_open(f.pods, NULL, x, &cursor, NULL), 0);
    yl_ks_cursor_close(cursor);
    assert_int_equal(yl_ks_count(f.pods), 2);
    fixture_release(&f);
}

KS_TEST(rows_wait_for_their_resource)
{
    struct yl_type_meta type = { YL_STR("example.com/v1"), YL_STR("Network") };
    struct yl_str prefix = YL_STR("/registry/example.com/networks/");
    struct yl_ks_resource *networks;
    struct yl_ks_cursor *cursor;
    struct yl_ks_event events[8];
    struct fixture f;
    uint64_t x = 0;

    fixture_init(&f, NULL);
    networks = fixture_add(&f, prefix, true, type);
    f.pods = networks;
    put(&f, "a", "x", "1", 0, &x);
    put(&f, "b", "y", "1", 0, NULL);
    put(&f, "a", "x", "2", x, &x);
    fixture_reopen(&f);
    put(&f, "a", "pod", "1", 0, NULL);
    networks = fixture_add(&f, prefix, true, type);
    assert_int_equal(yl_ks_count(networks), 2);
    assert_ptr_equal(fixture_add(&f, prefix, true, type), networks);
    assert_int_equal(yl_ks_cursor_open(networks, NULL, 1, &cursor, NULL), 0);
    assert_int_equal(yl_ks_cursor_next(cursor, events, 8), 3);
    assert_int_equal(events[2].revision, x);
    drop_events(events, 3);
    f.pods = networks;
    assert_int_equal(put(&f, "a", "x", "3", x, NULL), 0);
    assert_int_equal(yl_ks_cursor_next(cursor, events, 8), 1);
    drop_events(events, 1);
    yl_ks_cursor_close(cursor);
    fixture_release(&f);
}

KS_TEST(a_resource_with_objects_keeps_its_scope)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_ks_resource *again = NULL;
    struct fixture f;
    uint64_t revision;

    fixture_init(&f, NULL);
    assert_int_equal(put(&f, "a", "x", "1", 0, &revision), 0);
    assert_int_equal(yl_keyspace_add(f.ks, PODS, false, type_of("Pod"),
                                     &again, &err), YL_EINVALID);
    assert_string_equal(yl_error_message(&err), "/registry/pods/ is there "
                        "with another scope: its objects are in namespaces");
    yl_error_clear(&err);
    assert_null(again);
    assert_int_equal(yl_keyspace_add(f.ks, PODS, true, type_of("Pod"), &again,
                                     NULL), 0);
    assert_ptr_equal(again, f.pods);

    assert_int_equal(delete(&f, "a", "x", revision, NULL), 0);
    assert_int_equal(yl_keyspace_add(f.ks, PODS, false, type_of("Pod"),
                                     &again, NULL), 0);
    assert_ptr_not_equal(again, f.pods);
    assert_int_equal(yl_ks_count(again), 0);
    fixture_release(&f);
}

KS_TEST(blocks_have_the_number_of_their_type)
{
    struct yl_type_meta types[] = {
        { YL_STR("g/v2"), YL_STR("W") }, { YL_STR("g/v1"), YL_STR("W") },
    };
    struct yl_ks_resource *objects;
    struct fixture f;
    uint8_t numbers[2], again[1];

    fixture_init(&f, NULL);
    assert_int_equal(yl_keyspace_add_types(f.ks, YL_STR("/registry/g/ws/"),
                                           true, types, 2, numbers, &objects,
                                           NULL), 0);
    assert_true(numbers[0] && numbers[1] && numbers[0] != numbers[1]);
    assert_int_equal(yl_keyspace_add_types(f.ks, YL_STR("/registry/g/ws/"),
                                           true, &types[1], 1, again,
                                           &objects, NULL), 0);
    assert_int_equal(again[0], numbers[1]);
    fixture_release(&f);
}

static void
ignore_done(struct yl_storage_batch *batch)
{
    assert_int_equal(batch->result, 0);
}

/* Writes one row past the keyspace, and says what loading makes of it. */
static int
load_with(const char *key, const char *value, const char *message)
{
    struct yl_str piece = yl_str_c(value);
    struct yl_storage_write write = {
        .key = yl_str_c(key),
        .value = &piece,
        .n_value = 1,
    };
    struct yl_storage_group group = { .writes = &write, .n_writes = 1 };
    struct yl_storage_batch batch = {
        .groups = &group,
        .n_groups = 1,
        .done = ignore_done,
    };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_ks_resource *resource;
    struct fixture f;
    int r;

    fixture_init(&f, NULL);
    yl_keyspace_free(f.ks);
    yl_storage_commit(f.gate.inner, &batch);
    yl_storage_collect(f.gate.inner);
    f.ks = yl_keyspace_new(f.gate.inner, NULL);
    fixture_add(&f, PODS, true, type_of("Pod"));
    r = yl_keyspace_load(f.ks, &err);
    if (r < 0) {
        assert_non_null(strstr(yl_error_message(&err), message));
        assert_non_null(strstr(yl_error_message(&err), key));
    }
    yl_error_clear(&err);

    /* A resource that comes late leaves it out. */
    resource = fixture_add(&f, NODES, false, type_of("Node"));
    assert_int_equal(yl_ks_count(resource), 0);
    fixture_release(&f);
    return r;
}

/* Where others write too, such a row is no damage: loading goes on. */
KS_TEST(rows_that_are_no_objects_are_named)
{
    bool shared = fixture_kind == BESIDE_ANOTHER;

    assert_int_equal(load_with("/registry/pods/a/x",
                               "{\"metadata\":", "row 2"),
                     shared ? 0 : YL_ETRUNCATED);
    assert_int_equal(load_with("/registry/pods/a/x",
                               "{\"metadata\":{\"name\":\"y\","
                               "\"namespace\":\"a\"}}", "another object"),
                     shared ? 0 : YL_ESTOREREAD);
    assert_int_equal(load_with("/registry/pods/x",
                               "{\"metadata\":{\"name\":\"x\"}}", "row 2"),
                     shared ? 0 : YL_ESTOREREAD);
    assert_int_equal(load_with("/registry/minions/x", "damaged", ""), 0);
    assert_int_equal(load_with("noslash", "{}", ""), 0);
}

/* The storm
 * =========
 *
 * Threads write a few keys, delete them and write them again.  Others scan,
 * and watch in different scopes; a watcher that expires lists again.  All
 * that they saw must fit together. */

#define N_WRITERS 3
#define N_SCANNERS 2
#define N_WATCHERS 5
#define N_NAMES 8
#define N_STORM_KEYS (3 * N_NAMES)

static const char *const storm_namespaces[] = { "a", "a-b", "b" };

struct storm {
    struct fixture f;
    unsigned n_writes;          /* Of each writer. */
    atomic_uint n_running;      /* Writers that are not done. */
};

/* What is where: the revision of each key, 0 if it is not there. */
struct view {
    uint64_t revisions[N_STORM_KEYS];
};

static void
storm_key(unsigned i, char name[16], struct yl_key *key)
{
    snprintf(name, 16, "name-%u", i % N_NAMES);
    *key = key_of(storm_namespaces[i / N_NAMES], name);
}

static unsigned
storm_index(const struct yl_object *object)
{
    struct yl_str name = yl_object_name(object);
    unsigned i;

    for (i = 0; !yl_str_equal_c(yl_object_namespace(object),
                                storm_namespaces[i]); i++) {
        assert_in_range(i, 0, 2);
    }
    return i * N_NAMES + (unsigned) (name.data[name.size - 1] - '0');
}

struct storm_writer {
    struct storm *storm;
    struct yl_thread thread;
    uint64_t random;
};

static void
storm_write(void *arg)
{
    struct storm_writer *self = arg;
    struct fixture *f = &self->storm->f;
    unsigned n;

    for (n = 0; n < self->storm->n_writes; n++) {
        unsigned i = random_below(&self->random, N_STORM_KEYS);
        struct yl_object *object = NULL;
        uint64_t revision = 0, read;
        struct yl_key key;
        char name[16];
        int r;

        storm_key(i, name, &key);
        (void) yl_ks_get(f->pods, key, NULL, &revision);
        if (!revision || random_below(&self->random, 4)) {
            object = object_of(storm_namespaces[i / N_NAMES], name, "v");
        }
        r = write_object(f, key, object, revision, &revision);
        assert_true(r == 0 || r == YL_ECONFLICT || r == YL_EEXISTS
                    || r == YL_ENOTFOUND);

        /* The object that was written is there, unless another write came
         * first. */
        if (r == 0 && object
            && yl_ks_get(f->pods, key, NULL, &read) == 0) {
            assert_true(read >= revision);
        }
        assert_true(yl_keyspace_revision(f->ks) >= revision);
    }
    atomic_fetch_sub(&self->storm->n_running, 1);
}

/* Another server writes the same keys, past the keyspace: objects, deletions,
 * and values that are no objects. */
static void
storm_write_behind(void *arg)
{
    struct storm_writer *self = arg;
    struct fixture *f = &self->storm->f;
    uint64_t last = 0;
    unsigned n;

    for (n = 0; n < self->storm->n_writes; n++) {
        unsigned i = random_below(&self->random, N_STORM_KEYS);
        unsigned what = random_below(&self->random, 8);
        char name[16], path[64], value[128];
        struct yl_key key;

        storm_key(i, name, &key);
        snprintf(path, sizeof path, "/registry/pods/%s/%s",
                 storm_namespaces[i / N_NAMES], name);
        snprintf(value, sizeof value, "{\"metadata\":{\"name\":\"%s\","
                 "\"namespace\":\"%s\"}}", name,
                 storm_namespaces[i / N_NAMES]);
        last = scribble(f->gate.inner, path, what == 0   ? NULL
                                             : what == 1 ? "{"
                                                         : value);
        if (what == 2) {
            yl_memory_skip(f->gate.inner, 3);
        }
    }
    while (yl_keyspace_revision(f->ks) < last) {
        sched_yield();
    }
    atomic_fetch_sub(&self->storm->n_running, 1);
}

/* What a scan or a watcher remembers. */
struct storm_reader {
    struct storm *storm;
    struct yl_thread thread;
    struct yl_ks_scope scope;
    struct yl_ks_cursor *cursor;    /* Of a watcher. */
    struct view view;
    struct seen {
        enum yl_ks_event_type type;
        uint64_t revision;
        unsigned key;
    } *events;
    size_t n_events, max_events;
    struct {
        uint64_t revision;
        struct view view;
    } *scans;
    size_t n_scans;
    unsigned n_lists;
};

static void
read_scan(struct fixture *f, struct yl_str namespace_, struct view *view,
          uint64_t *ret_revision)
{
    struct yl_ks_scan_opts opts = { .namespace_ = namespace_ };
    struct yl_versioned items[5];
    struct yl_ks_scan *scan;
    uint64_t n_left, n_seen = 0;
    int i, n;

    memset(view, 0, sizeof *view);
    assert_int_equal(yl_ks_scan_open(f->pods, &opts, &scan, NULL), 0);
    n_left = yl_ks_scan_remaining(scan);
    while ((n = yl_ks_scan_next(scan, items, 5)) > 0) {
        for (i = 0; i < n; i++) {
            unsigned k = storm_index(items[i].object);

            assert_int_equal(view->revisions[k], 0);
            assert_true(items[i].revision <= yl_ks_scan_revision(scan));
            view->revisions[k] = items[i].revision;
            yl_object_unref(items[i].object);
        }
        n_seen += (uint64_t) n;
        assert_int_equal(yl_ks_scan_remaining(scan), n_left - n_seen);
    }
    assert_int_equal(n, 0);
    assert_int_equal(n_seen, n_left);
    *ret_revision = yl_ks_scan_revision(scan);
    yl_ks_scan_close(scan);
}

static void
storm_scan(void *arg)
{
    struct storm_reader *self = arg;
    size_t max = 2000;

    self->scans = yl_malloc_array(max, sizeof *self->scans);
    while (atomic_load(&self->storm->n_running) && self->n_scans < max) {
        read_scan(&self->storm->f, yl_str_null(),
                  &self->scans[self->n_scans].view,
                  &self->scans[self->n_scans].revision);
        self->n_scans++;
    }
}

/* Opens the cursor behind what a list showed. */
static void
list_and_watch(struct storm_reader *self)
{
    struct fixture *f = &self->storm->f;
    uint64_t revision;

    do {
        unsigned i;

        read_scan(f, self->scope.namespace_, &self->view, &revision);
        for (i = 0; i < N_STORM_KEYS; i++) {
            char name[16];
            struct yl_key key;

            storm_key(i, name, &key);
            if (self->scope.name.size
                && !yl_str_equal(key.name, self->scope.name)) {
                self->view.revisions[i] = 0;
            }
        }
        self->n_lists++;
    } while (yl_ks_cursor_open(f->pods, &self->scope, revision, &self->cursor,
                               NULL) < 0);
}

static void
see_event(struct storm_reader *self, const struct yl_ks_event *event)
{
    unsigned k = storm_index(event->object);
    uint64_t *revision = &self->view.revisions[k];

    assert_true(event->revision > *revision);
    assert_int_equal(event->type == YL_KS_ADDED, *revision == 0);
    assert_int_equal(event->previous != NULL, *revision != 0);
    *revision = event->type == YL_KS_DELETED ? 0 : event->revision;
    if (self->n_events == self->max_events) {
        self->max_events = self->max_events * 2 + 64;
        self->events = yl_realloc_array(self->events, self->max_events,
                                        sizeof *self->events);
    }
    self->events[self->n_events++] = (struct seen) {
        event->type, event->revision, k,
    };
}

static void
storm_watch(void *arg)
{
    struct storm_reader *self = arg;
    struct yl_ks_event events[7];
    bool last = false;

    for (;;) {
        int i, n = yl_ks_cursor_next(self->cursor, events, 7);

        if (n == YL_EEXPIRED) {
            yl_ks_cursor_close(self->cursor);
            list_and_watch(self);
        } else if (n == 0 && last) {
            break;
        } else if (n == 0) {
            last = !atomic_load(&self->storm->n_running);
        }
        for (i = 0; i < n; i++) {
            see_event(self, &events[i]);
            yl_object_unref(events[i].object);
            yl_object_unref(events[i].previous);
        }
    }
    assert_int_equal(yl_ks_cursor_revision(self->cursor),
                     yl_keyspace_revision(self->storm->f.ks));
    yl_ks_cursor_close(self->cursor);
}

/* The events of 'reader' are those of 'all' that are in its scope. */
static void
check_order(const struct storm_reader *reader, const struct storm_reader *all)
{
    size_t i = 0, j;

    for (j = 0; j < reader->n_events; j++) {
        while (i < all->n_events
               && all->events[i].revision < reader->events[j].revision) {
            i++;
        }
        assert_true(i < all->n_events);
        assert_int_equal(all->events[i].revision,
                         reader->events[j].revision);
        assert_int_equal(all->events[i].type, reader->events[j].type);
    }
}

/* A scan shows what a watcher who saw everything knew at its revision. */
static void
check_scans(const struct storm_reader *scanner, const struct storm_reader *all)
{
    struct view view = { { 0 } };
    size_t i, j = 0;

    for (i = 0; i < scanner->n_scans; i++) {
        while (j < all->n_events
               && all->events[j].revision <= scanner->scans[i].revision) {
            const struct seen *seen = &all->events[j++];

            view.revisions[seen->key] = seen->type == YL_KS_DELETED
                                        ? 0 : seen->revision;
        }
        assert_memory_equal(&view, &scanner->scans[i].view, sizeof view);
    }
}

static void
run_storm(struct yl_keyspace_opts opts, unsigned n_writes, bool whole,
          bool another)
{
    struct storm storm = { .n_writes = n_writes, .n_running = N_WRITERS };
    struct storm_writer writers[N_WRITERS];
    struct storm_reader readers[N_WATCHERS + N_SCANNERS]
        = { { .scope = { { NULL, 0 }, { NULL, 0 } } } };
    struct view final, loaded;
    uint64_t revision;
    size_t i, k;

    if (another) {
        fixture_init_with(&storm.f, &opts,
                          (struct yl_memory_opts) { .shared = true }, 4);
    } else {
        fixture_init(&storm.f, &opts);
    }
    readers[1].scope.namespace_ = YL_STR("a");
    readers[2].scope.namespace_ = YL_STR("a-b");
    readers[3].scope = (struct yl_ks_scope) { YL_STR("b"), YL_STR("name-3") };
    readers[4].scope.name = YL_STR("name-1");

    /* All watch before the first write: what one saw, the first saw too. */
    for (i = 0; i < N_WATCHERS; i++) {
        readers[i].storm = &storm;
        list_and_watch(&readers[i]);
    }
    for (i = 0; i < N_WATCHERS + N_SCANNERS; i++) {
        readers[i].storm = &storm;
        assert_int_equal(yl_thread_start(&readers[i].thread, "reader",
                                         i < N_WATCHERS ? storm_watch
                                                        : storm_scan,
                                         &readers[i]), 0);
    }
    for (i = 0; i < N_WRITERS; i++) {
        writers[i] = (struct storm_writer) {
            .storm = &storm, .random = RANDOM_SEED + i * 77,
        };
        assert_int_equal(yl_thread_start(&writers[i].thread, "writer",
                                         another && i == 0
                                             ? storm_write_behind
                                             : storm_write,
                                         &writers[i]), 0);
    }
    for (i = 0; i < N_WRITERS; i++) {
        yl_thread_join(&writers[i].thread);
    }
    for (i = 0; i < N_WATCHERS + N_SCANNERS; i++) {
        yl_thread_join(&readers[i].thread);
    }

    for (i = 0; i < N_WATCHERS; i++) {
        read_scan(&storm.f, readers[i].scope.namespace_, &final, &revision);
        for (k = 0; k < N_STORM_KEYS; k++) {
            if (readers[i].scope.name.size
                && k % N_NAMES
                   != (unsigned) (readers[i].scope.name.data[5] - '0')) {
                final.revisions[k] = 0;
            }
        }
        assert_memory_equal(&final, &readers[i].view, sizeof final);
        if (whole) {
            assert_int_equal(readers[i].n_lists, 1);
            check_order(&readers[i], &readers[0]);
        }
    }
    for (i = N_WATCHERS; whole && i < N_WATCHERS + N_SCANNERS; i++) {
        check_scans(&readers[i], &readers[0]);
    }
    for (i = 0; i < N_WATCHERS + N_SCANNERS; i++) {
        free(readers[i].events);
        free(readers[i].scans);
    }

    /* What was published is what is stored. */
    read_scan(&storm.f, yl_str_null(), &final, &revision);
    fixture_reopen(&storm.f);
    read_scan(&storm.f, yl_str_null(), &loaded, &revision);
    assert_memory_equal(&final, &loaded, sizeof final);
    fixture_release(&storm.f);
}

KS_TEST(in_a_storm_all_see_the_same)
{
    run_storm((struct yl_keyspace_opts) { .max_batch = 8 }, 500, true,
              false);
}

KS_TEST(in_a_storm_with_a_short_memory_all_end_the_same)
{
    run_storm((struct yl_keyspace_opts) {
        .max_batch = 4, .history_bytes = 8192,
    }, 500, false, false);
}

TEST(in_a_storm_with_another_writer_all_see_the_same)
{
    fixture_kind = IN_MEMORY;
    run_storm((struct yl_keyspace_opts) { .max_batch = 4 }, 500, true, true);
}

TEST(in_a_storm_with_another_writer_and_a_short_memory_all_end_the_same)
{
    fixture_kind = IN_MEMORY;
    run_storm((struct yl_keyspace_opts) {
        .max_batch = 4, .history_bytes = 8192,
    }, 500, false, true);
}
