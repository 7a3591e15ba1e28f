#ifndef APISERVER_KEYSPACE_KEYSPACE_H
#define APISERVER_KEYSPACE_KEYSPACE_H 1

/* Keyspace: every object in memory, with its history, under one revision.
 *
 *     verbs   -> write -> [writer thread] -> storage -> feed -> published
 *     get     <- newest version            \
 *     list    <- scan of a snapshot         > one B+tree and one event log
 *     watch   <- cursor into the log       /   for each resource
 *
 * A resource (pods, configmaps, ...) has a B+tree from key to newest version;
 * each version points to the older one, as far as history is kept.  A
 * snapshot is a revision number.  Watchers are cursors into the resource's
 * log of events.
 *
 * Guarantees
 * ==========
 *
 *   - A write is reported done only when it is durable and published: reads
 *     that start afterwards, on any thread, see it.
 *
 *   - A write whose 'expected' revision is not the key's changes nothing and
 *     ends in YL_ECONFLICT (YL_EEXISTS where it expected none, YL_ENOTFOUND
 *     where there is none).  By then the revision that it conflicts with can
 *     be read, also if another server wrote it to the same storage: a retry
 *     from there does not meet the same conflict.  A write that failed
 *     publishes nothing.
 *
 *   - What others write to the same storage is published in the same order,
 *     and reaches watchers and listeners like our own.  A row of theirs that
 *     is no object affects its own key only (apiserver/keyspace/resources.h).
 *
 *   - Writes that go together ('with') take place together or not at all, in
 *     memory, in storage and after a crash.
 *
 *   - All resources share one counter of revisions; readers see them in order.
 *     A batch of writes appears at once: a reader that has seen one of its
 *     revisions, in an object, a list or an event, can read everything up to
 *     it.  Every watcher of a resource sees the same events in the same order,
 *     each once.
 *
 *   - A scan sees the resource as it was at its revision, whatever is written
 *     meanwhile.  History is kept for 'history_age' and below 'history_bytes';
 *     what a running scan has pinned is kept until its deadline.
 *
 *   - No lock is held across I/O, rendering, or calls of the user's code.
 *     Getting and writing cost the logarithm of the number of objects; a
 *     batch of a scan its size.
 *
 * Ownership
 * =========
 *
 * Objects that are returned are references for the caller to drop, unless the
 * comment says "lent".
 *
 * A keyspace may be freed when it is no longer used: scans and cursors are
 * closed, listeners removed, and no write is submitted.
 *
 * Threads
 * =======
 *
 * Everything may be called from any thread, except that a scan and a cursor
 * each belong to one thread at a time.
 *
 * Usage
 * =====
 *
 *     ks = yl_keyspace_new(storage, NULL);
 *     if (yl_keyspace_add(ks, YL_STR("/registry/pods/"), true, pod_type,
 *                         &pods, err) < 0
 *         || yl_keyspace_load(ks, err) < 0
 *         || yl_keyspace_start(ks, err) < 0) {
 *         ...
 *     }
 *     write = (struct yl_ks_write) {
 *         .resource = pods, .key = key, .object = pod, .expected = revision,
 *         .done = answer_the_client,
 *     };
 *     yl_keyspace_write(ks, &write); */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "base/map.h"
#include "yuloh/clock.h"
#include "yuloh/error.h"
#include "yuloh/key.h"
#include "yuloh/object.h"

struct yl_arena;
struct yl_keyspace;
struct yl_ks_resource;
struct yl_storage;

/* The longest key, "namespace/name", in bytes.  Most kinds allow up to 317;
 * roles and the like have no other limit. */
#define YL_KS_MAX_KEY 1024

/* Writes that can go with another one. */
#define YL_KS_MAX_WITH 4

struct yl_keyspace_opts {
    struct yl_clock *clock;         /* [The monotonic one.] */
    yl_msec history_age;            /* [5 minutes, as etcd's compaction.] */
    size_t history_bytes;           /* [256 MB.]  Of versions that are not
                                     * the newest, and of events. */
    size_t max_batch;               /* Most writes in one commit. [256] */
    size_t max_waiting;             /* Most writes that may wait. [65536] */
};

/* A keyspace over 'storage', which it borrows.  Register resources, then load,
 * then start the writer. */
struct yl_keyspace *yl_keyspace_new(struct yl_storage *,
                                    const struct yl_keyspace_opts *);

/* Stops the writer after the writes that wait, and frees everything. */
void yl_keyspace_free(struct yl_keyspace *);

/* A resource whose keys start with 'prefix' ("/registry/pods/"); the rest is
 * NAME or NAMESPACE/NAME.  Its values are stored as complete JSON documents of
 * the type 'stored_as'; values that were stored as another type are read as
 * this one.  May also be called later, for custom resources: then a row that
 * cannot be read makes its key unreadable (apiserver/keyspace/resources.h).
 * If the prefix is there already, the same resource is returned, and stored as
 * the new type from now on; YL_EINVALID if the scope differs and there are
 * objects.  If there are none, another resource takes the prefix. */
int yl_keyspace_add(struct yl_keyspace *, struct yl_str prefix,
                    bool namespaced, struct yl_type_meta stored_as,
                    struct yl_ks_resource **ret_resource,
                    struct yl_error *err);

/* The same for a resource whose type changes, as custom resources' does:
 * 'types' are all that stored values may have, the first is the one that is
 * stored from now on.  Each has a number, which never changes: 1 to 255, or 0
 * if there are too many; they are written to 'ret_numbers'.  The schema
 * generation (yuloh/object.h) of a block that is read from storage is the
 * number of its type, 0 if it is none of them.  A block whose schema
 * generation has a number in its low 8 bits is stored as that type. */
int yl_keyspace_add_types(struct yl_keyspace *, struct yl_str prefix,
                          bool namespaced, const struct yl_type_meta *types,
                          size_t n_types, uint8_t *ret_numbers,
                          struct yl_ks_resource **ret_resource,
                          struct yl_error *err);

/* The prefix it was added with.  Lives as long as the resource. */
struct yl_str yl_ks_resource_prefix(const struct yl_ks_resource *);

/* Reads everything from storage, once, before the writer starts.  Rows whose
 * resource is not added yet are kept aside until yl_keyspace_add() adds it.
 * Fails with storage's error, or with an error that names the row that is no
 * object of its resource (where others write to storage too, that row's key is
 * unreadable instead). */
int yl_keyspace_load(struct yl_keyspace *, struct yl_error *err);

/* Starts the writer.  Writes may be submitted before, and wait.
 * YL_EUNAVAILABLE. */
int yl_keyspace_start(struct yl_keyspace *, struct yl_error *err);

/* Stops the writer after the writes that wait.  When this returns, no 'done'
 * or 'wake' is running or will be called by it; later writes end in
 * YL_EUNAVAILABLE, and their 'done' is called before yl_keyspace_write()
 * returns. */
void yl_keyspace_stop(struct yl_keyspace *);

/* Reading
 * ======= */

/* The newest published revision; 1 before the first write. */
uint64_t yl_keyspace_revision(struct yl_keyspace *);

/* The time at which storage refused the last batch; YL_NEVER if it accepted
 * it.  If storage has lost its place in the feed, the time is always now:
 * nothing is written any more, and what others write is not seen, so the
 * server must be restarted. */
yl_msec yl_keyspace_failed(struct yl_keyspace *);

/* The oldest revision at which a scan can start.  A cursor may start earlier,
 * if no later event of its resource was dropped. */
uint64_t yl_ks_oldest(struct yl_ks_resource *);

/* Finds an object and the revision that wrote it; either may be NULL, and if
 * only the revision is asked for, no object is touched.  YL_ENOTFOUND. */
int yl_ks_get(struct yl_ks_resource *, struct yl_key,
              struct yl_object **ret_object, uint64_t *ret_revision);

/* The number of objects at this moment. */
uint64_t yl_ks_count(struct yl_ks_resource *);

/* A walk over a snapshot in the order of keys, which is that of the bytes of
 * "NAMESPACE/NAME", as in etcd: "a-b" comes before "a". */
struct yl_ks_scan;
struct yl_ks_scan_opts {
    struct yl_str namespace_;   /* Empty: all. */
    struct yl_str name;         /* Only names that start like this, if the
                                 * namespace is named too. */
    uint64_t revision;          /* 0: the newest. */
    struct yl_str start;        /* No key before this text, which need not
                                 * be a key: "NAMESPACE/NAME", or "NAME" if
                                 * there are no namespaces. */
    yl_msec deadline;           /* How long history is kept for it; 0: a minute
                                 * from now. */
};

/* YL_EEXPIRED if the revision is no longer kept; YL_ETIMEOUT if it is in the
 * future; YL_EINVALID for names that are not possible.  'opts' may be NULL. */
int yl_ks_scan_open(struct yl_ks_resource *, const struct yl_ks_scan_opts *,
                    struct yl_ks_scan **ret_scan, struct yl_error *err);
uint64_t yl_ks_scan_revision(const struct yl_ks_scan *);

/* The next items, at most 'max'; 0 at the end; YL_EEXPIRED if the deadline
 * has passed and history is gone.  The caller drops the references. */
int yl_ks_scan_next(struct yl_ks_scan *, struct yl_versioned *items,
                    size_t max);

/* The number of items behind the last one (without selectors).  Costs a
 * logarithm, plus the number of writes since the snapshot. */
uint64_t yl_ks_scan_remaining(struct yl_ks_scan *);
void yl_ks_scan_close(struct yl_ks_scan *);

/* Writing
 * ======= */

/* A write to be submitted.  Embedded in the verb's own struct, which must stay
 * until 'done'; members that are not filled in are zero. */
struct yl_ks_write {
    /* Private to the keyspace. */
    struct yl_list node;        /* In one of the writer's lists. */
    struct yl_map_node by_key;  /* If it is the first of its key. */
    struct yl_list followers;   /* Those behind it. */
    void *waiter;               /* The function that waits for it. */

    struct yl_ks_resource *resource;
    struct yl_key key;          /* Borrowed until 'done'. */
    struct yl_object *object;   /* The object to store; NULL deletes.  The
                                 * keyspace takes a reference of its own. */
    uint64_t expected;          /* The key's revision; 0: must not exist. */

    /* Writes of other keys that take place with this one or not at all: those
     * that store right before it, those that delete right after it.  Of these
     * only the members above this one are read; if one of them may not take
     * place, its code is the result of this one.  They do not wait for other
     * writes of their keys. */
    struct yl_ks_write *with;   /* Borrowed until 'done'. */
    size_t n_with;              /* YL_KS_MAX_WITH at most. */

    /* Called on the writer's thread when the write is over: do little there.
     * It may submit another write and may free this one. */
    void (*done)(struct yl_ks_write *);

    /* Results. */
    int result;                 /* 0 or a code, */
    struct yl_error error;      /* with a message; the caller clears it. */
    uint64_t revision;          /* The revision of the write. */
};

/* Submits a write.  'done' is called in every case.  Besides the results that
 * the guarantees name there are YL_EINVALID (the name is not possible in this
 * resource, or is not the object's), YL_ETHROTTLED (more than 'max_waiting'
 * wait) and storage's errors.  Writes of one key take place in the order in
 * which they were submitted. */
void yl_keyspace_write(struct yl_keyspace *, struct yl_ks_write *);

/* The same, and waits for the result.  Not on a loop's thread. */
int yl_keyspace_write_wait(struct yl_keyspace *, struct yl_ks_write *);

/* Watching
 * ======== */

enum yl_ks_event_type {
    YL_KS_ADDED,
    YL_KS_MODIFIED,
    YL_KS_DELETED,
};

struct yl_ks_event {
    enum yl_ks_event_type type;
    uint64_t revision;
    struct yl_object *object;   /* The object now; for a deletion its last
                                 * state.  The caller's reference. */
    struct yl_object *previous; /* The state before; NULL for an addition. */
};

/* The events that a cursor returns.  Empty means all. */
struct yl_ks_scope {
    struct yl_str namespace_;
    struct yl_str name;
};

struct yl_ks_cursor;

/* Opens a cursor behind 'revision': the first event that it returns is newer.
 * 'revision' may be in the future.  'scope' may be NULL, and is copied.
 * YL_EEXPIRED if the log no longer reaches back to it. */
int yl_ks_cursor_open(struct yl_ks_resource *, const struct yl_ks_scope *,
                      uint64_t revision, struct yl_ks_cursor **ret_cursor,
                      struct yl_error *err);

/* The next events in scope, at most 'max'; 0 if there are none now;
 * YL_EEXPIRED if events were dropped from the log before they were read.  A
 * cursor that has seen all of its scope never expires (one of a name in all
 * namespaces must have seen all of the resource).  Costs nanoseconds, and no
 * lock, while nothing was written. */
int yl_ks_cursor_next(struct yl_ks_cursor *, struct yl_ks_event *events,
                      size_t max);

/* The revision up to which this cursor has seen everything: the one for a
 * bookmark. */
uint64_t yl_ks_cursor_revision(const struct yl_ks_cursor *);
void yl_ks_cursor_close(struct yl_ks_cursor *);

/* A listener is told that a resource's log has grown; each loop may have one.
 * 'wake' is called from the writer's thread after a batch was published, at
 * most once until the listener has called yl_ks_listener_ready() again.  Call
 * that before reading the cursors: whatever is published after their reads
 * wakes again.
 *
 * When yl_ks_unlisten() returns, no call of 'wake' is running or will come; so
 * 'wake' must not call it, nor wait for a thread that does. */
struct yl_ks_listener {
    struct yl_list node;        /* Private to the keyspace. */
    void (*wake)(struct yl_ks_listener *);
    bool waiting;               /* Private to the keyspace. */
};
void yl_ks_listen(struct yl_ks_resource *, struct yl_ks_listener *);
void yl_ks_listener_ready(struct yl_ks_resource *, struct yl_ks_listener *);
void yl_ks_unlisten(struct yl_ks_resource *, struct yl_ks_listener *);

#endif /* apiserver/keyspace/keyspace.h */
