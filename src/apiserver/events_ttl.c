/* Expiry of Events.  See events_ttl.h for the contract. */

#include "apiserver/events_ttl.h"

#include <stdlib.h>

#include "apiserver/keyspace/keyspace.h"
#include "base/alloc.h"
#include "base/thread.h"
#include "yuloh/arena.h"
#include "yuloh/log.h"
#include "yuloh/object.h"
#include "yuloh/time.h"

/* Deletions handed over together: most likely one commit. */
#define BATCH 64

/* The marks in one time to live. */
#define STEPS 60

struct yl_events_ttl {
    struct yl_events_ttl_opts opts;
    struct yl_thread thread;
    struct yl_ttl_marks marks;
    uint64_t start_revision;    /* The newest one when this process began. */
    yl_msec step, next;         /* Time between sweeps, and of the next one. */

    struct yl_mutex lock;       /* Never held while the keyspace is called. */
    struct yl_cond changed;
    bool stopping YL_GUARDED;
    size_t waiting YL_GUARDED;  /* Deletions under way. */
};

/* One deletion. */
struct removal {
    struct yl_ks_write write;
    struct yl_object *object;   /* Lends its key. */
    struct yl_events_ttl *ttl;
};

static void run(void *);
static bool wait_for(struct yl_events_ttl *, yl_msec when);
static void sweep(struct yl_events_ttl *);
static bool is_expired(struct yl_events_ttl *, struct yl_arena *,
                       const struct yl_versioned *, uint64_t old_revision);
static struct yl_time newest_time(struct yl_arena *,
                                  const struct yl_object *);
static void remove_all(struct yl_events_ttl *, struct removal *, size_t n);
static void on_removed(struct yl_ks_write *);

int
yl_events_ttl_start(const struct yl_events_ttl_opts *opts,
                    struct yl_events_ttl **ret_ttl, struct yl_error *err)
{
    struct yl_events_ttl *ttl = yl_zalloc(sizeof *ttl);
    int r;

    ttl->opts = *opts;
    ttl->start_revision = yl_keyspace_revision(opts->keyspace);
    yl_mutex_init(&ttl->lock);
    yl_cond_init(&ttl->changed);
    ttl->step = opts->ttl / STEPS > 1000 ? opts->ttl / STEPS : 1000;
    ttl->next = yl_now(opts->clock) + ttl->step;
    yl_ttl_mark(&ttl->marks, yl_now(opts->clock), ttl->start_revision);
    r = yl_thread_start(&ttl->thread, "events", run, ttl);
    if (r < 0) {
        yl_cond_destroy(&ttl->changed);
        yl_mutex_destroy(&ttl->lock);
        free(ttl);
        return yl_error_set(err, r, "no thread to let Events expire");
    }
    *ret_ttl = ttl;
    return 0;
}

void
yl_events_ttl_stop(struct yl_events_ttl *ttl)
{
    if (!ttl) {
        return;
    }
    yl_mutex_lock(&ttl->lock);
    ttl->stopping = true;
    yl_cond_broadcast(&ttl->changed);
    yl_mutex_unlock(&ttl->lock);
    yl_thread_join(&ttl->thread);
    yl_cond_destroy(&ttl->changed);
    yl_mutex_destroy(&ttl->lock);
    free(ttl);
}

void
yl_ttl_mark(struct yl_ttl_marks *marks, yl_msec now, uint64_t revision)
{
    size_t i = (marks->first + marks->n) % YL_TTL_MARKS;

    marks->marks[i].when = now;
    marks->marks[i].revision = revision;
    if (marks->n < YL_TTL_MARKS) {
        marks->n++;
    } else {
        marks->first = (marks->first + 1) % YL_TTL_MARKS;
    }
}

uint64_t
yl_ttl_revision(const struct yl_ttl_marks *marks, yl_msec now, yl_msec age)
{
    uint64_t revision = 0;
    size_t i;

    for (i = 0; i < marks->n; i++) {
        size_t at = (marks->first + i) % YL_TTL_MARKS;

        if (marks->marks[at].when > now - age) {
            break;
        }
        revision = marks->marks[at].revision;
    }
    return revision;
}

static void
run(void *ttl_)
{
    struct yl_events_ttl *ttl = ttl_;

    while (wait_for(ttl, ttl->next)) {
        sweep(ttl);
        yl_ttl_mark(&ttl->marks, yl_now(ttl->opts.clock),
                    yl_keyspace_revision(ttl->opts.keyspace));
        ttl->next = yl_now(ttl->opts.clock) + ttl->step;
        if (ttl->opts.tick) {
            ttl->opts.tick(ttl->opts.aux);
        }
    }
}

/* Returns false if the thread has to stop. */
static bool
wait_for(struct yl_events_ttl *ttl, yl_msec when)
{
    bool stopping;

    yl_mutex_lock(&ttl->lock);
    while (!ttl->stopping
           && !yl_cond_wait_until(&ttl->changed, &ttl->lock, ttl->opts.clock,
                                  when)) {
        continue;
    }
    stopping = ttl->stopping;
    yl_mutex_unlock(&ttl->lock);
    return !stopping;
}

/* Looks at every Event once. */
static void
sweep(struct yl_events_ttl *ttl)
{
    uint64_t old = yl_ttl_revision(&ttl->marks, yl_now(ttl->opts.clock),
                                   ttl->opts.ttl);
    struct yl_ks_scan_opts opts = { .revision = 0 };
    struct removal removals[BATCH];
    struct yl_versioned items[BATCH];
    struct yl_error err = YL_ERROR_INIT;
    struct yl_arena *arena;
    struct yl_ks_scan *scan;
    int i, n;

    if (yl_ks_scan_open(ttl->opts.events, &opts, &scan, &err) < 0) {
        yl_log_error(err.code, "Events cannot expire", YL_LOG_ERROR(&err));
        yl_error_clear(&err);
        return;
    }
    arena = yl_arena_new();
    while ((n = yl_ks_scan_next(scan, items, BATCH)) > 0) {
        size_t n_removals = 0;

        for (i = 0; i < n; i++) {
            if (is_expired(ttl, arena, &items[i], old)) {
                removals[n_removals++] = (struct removal) {
                    .write = { .resource = ttl->opts.events,
                               .key = yl_object_key(items[i].object),
                               .expected = items[i].revision,
                               .done = on_removed },
                    .object = items[i].object,
                    .ttl = ttl,
                };
            } else {
                yl_object_unref(items[i].object);
            }
            yl_arena_clear(arena);
        }
        remove_all(ttl, removals, n_removals);
    }
    yl_ks_scan_close(scan);
    yl_arena_free(arena);
}

static bool
is_expired(struct yl_events_ttl *ttl, struct yl_arena *arena,
           const struct yl_versioned *item, uint64_t old_revision)
{
    int64_t age;

    if (item->revision <= old_revision) {
        return true;
    }
    if (item->revision > ttl->start_revision) {
        return false;
    }
    age = yl_time_sub(yl_time_now(), newest_time(arena, item->object));
    return age / 1000000 >= ttl->opts.ttl;
}

/* The newest time in an Event, which tells when it was last written. */
static struct yl_time
newest_time(struct yl_arena *arena, const struct yl_object *event)
{
    static const char *const fields[] = { "lastTimestamp", "eventTime",
                                          "firstTimestamp" };
    struct yl_json series = yl_object_field(event, arena, "series");
    struct yl_time newest = yl_time_zero(), time;
    struct yl_str text;
    size_t i;

    (void) yl_time_parse(yl_object_created(event), &newest, NULL);
    for (i = 0; i <= YL_ARRAY_SIZE(fields); i++) {
        struct yl_json value = i < YL_ARRAY_SIZE(fields)
                               ? yl_object_field(event, arena, fields[i])
                               : yl_json_get(series,
                                             YL_STR("lastObservedTime"));

        if (yl_json_string(value, arena, &text) == 0
            && yl_time_parse(text, &time, NULL) == 0
            && yl_time_compare(time, newest) > 0) {
            newest = time;
        }
    }
    return newest;
}

/* Deletes these Events and waits.  One that has changed meanwhile stays. */
static void
remove_all(struct yl_events_ttl *ttl, struct removal *removals, size_t n)
{
    size_t i;

    yl_mutex_lock(&ttl->lock);
    ttl->waiting = n;
    yl_mutex_unlock(&ttl->lock);
    for (i = 0; i < n; i++) {
        yl_keyspace_write(ttl->opts.keyspace, &removals[i].write);
    }
    yl_mutex_lock(&ttl->lock);
    while (ttl->waiting) {
        yl_cond_wait(&ttl->changed, &ttl->lock);
    }
    yl_mutex_unlock(&ttl->lock);
    for (i = 0; i < n; i++) {
        yl_error_clear(&removals[i].write.error);
        yl_object_unref(removals[i].object);
    }
}

static void
on_removed(struct yl_ks_write *write)
{
    struct removal *removal = YL_CONTAINER_OF(write, struct removal, write);
    struct yl_events_ttl *ttl = removal->ttl;

    yl_mutex_lock(&ttl->lock);
    if (--ttl->waiting == 0) {
        yl_cond_broadcast(&ttl->changed);
    }
    yl_mutex_unlock(&ttl->lock);
}
