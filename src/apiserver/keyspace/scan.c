/* Scans: a snapshot in the order of keys.  See apiserver/keyspace/keyspace.h
 * for the contract.
 *
 * A snapshot is a revision and a pin that keeps its history.  Between two
 * batches a scan holds no lock; it remembers its last key, and finding that
 * place again costs less than a batch. */

#include "apiserver/keyspace/resource.h"

#include <stdlib.h>

#include "base/alloc.h"

#define DEADLINE (60 * 1000)

/* Keys checked, or events skipped, under one hold of the lock. */
#define STEP 1024
#define EVENT_STEP 8192

struct yl_ks_scan {
    struct yl_ks_resource *resource;
    struct yl_ks_pin pin;
    bool at_end;

    /* Every key in range starts with these bytes: "namespace/", the start of a
     * name, both or nothing. */
    size_t range_size;

    /* The last key that was seen; before the first one, the key to start
     * from. */
    size_t key_size;
    char key[YL_KS_MAX_KEY + 2];    /* See start(); and a NUL for the key
                                     * behind it. */
    char range[];
};

static bool is_plain(struct yl_str name);
static int start(struct yl_ks_scan *, const struct yl_ks_scan_opts *,
                 struct yl_error *);
static void set_key(struct yl_ks_scan *, struct yl_str);
static void skip_to(struct yl_ks_scan *, struct yl_str start);
static void step_back(struct yl_ks_scan *);
static size_t collect(struct yl_ks_scan *scan, struct yl_versioned *,
                      size_t max)
    YL_REQUIRES(scan->resource->lock);
static size_t take_run(const struct yl_ks_scan *scan, void **run, size_t n_run,
                       struct yl_versioned *)
    YL_REQUIRES(scan->resource->lock);
static struct yl_btree_at range_end(const struct yl_ks_scan *scan)
    YL_REQUIRES(scan->resource->lock);
static struct yl_str end_text(const struct yl_ks_scan *,
                              char space[YL_KS_MAX_KEY]);
static bool is_behind(const struct yl_ks_scan *, struct yl_str text);
static bool in_range(const struct yl_ks_scan *, struct yl_str key);
static uint64_t count_now(const struct yl_ks_scan *scan)
    YL_REQUIRES(scan->resource->lock);
static int64_t difference(const struct yl_ks_scan *scan, uint64_t seq,
                          uint64_t end)
    YL_REQUIRES(scan->resource->lock);

int
yl_ks_scan_open(struct yl_ks_resource *resource,
                const struct yl_ks_scan_opts *opts,
                struct yl_ks_scan **ret_scan, struct yl_error *err)
{
    static const struct yl_ks_scan_opts no_opts;
    struct yl_ks_scan *scan;
    struct yl_str name;
    size_t size;
    int r;

    opts = opts ? opts : &no_opts;
    size = resource->namespaced ? opts->namespace_.size : 0;
    name = (resource->namespaced && !size) || !is_plain(opts->name)
               ? yl_str_null()
               : opts->name;
    if (size + name.size >= YL_KS_MAX_KEY) {
        return yl_error_set(err, YL_EINVALID, "name is too long");
    }
    scan = yl_zalloc(sizeof *scan + size + 1 + name.size);
    scan->resource = resource;
    if (size) {
        memcpy(scan->range, opts->namespace_.data, size);
        scan->range[size] = '/';
        scan->range_size = size + 1;
    }
    if (name.size) {
        memcpy(scan->range + scan->range_size, name.data, name.size);
        scan->range_size += name.size;
    }
    r = start(scan, opts, err);
    if (r < 0) {
        free(scan);
        return r;
    }
    *ret_scan = scan;
    return 0;
}

uint64_t
yl_ks_scan_revision(const struct yl_ks_scan *scan)
{
    return scan->pin.revision;
}

int
yl_ks_scan_next(struct yl_ks_scan *scan, struct yl_versioned *items,
                size_t max)
{
    const struct yl_ks_resource *resource = scan->resource;
    size_t n = 0;

    max = max < INT32_MAX ? max : INT32_MAX;
    while (n < max && !scan->at_end) {
        yl_mutex_lock(&scan->resource->lock);

        /* History below 'compacted' is dropped under this lock, after
         * 'compacted' was raised. */
        if (scan->pin.revision < yl_ks_history_compacted(resource->history)) {
            yl_mutex_unlock(&scan->resource->lock);
            while (n > 0) {
                yl_object_unref(items[--n].object);
            }
            return YL_EEXPIRED;
        }
        n += collect(scan, items + n, max - n);
        yl_mutex_unlock(&scan->resource->lock);
    }
    return (int) n;
}

uint64_t
yl_ks_scan_remaining(struct yl_ks_scan *scan)
{
    const struct yl_ks_resource *resource = scan->resource;
    int64_t n = 0;
    uint64_t seq;

    if (scan->at_end) {
        return 0;
    }

    /* The number now, less the keys that were added and plus those that were
     * removed since the snapshot. */
    yl_mutex_lock(&scan->resource->lock);
    seq = yl_ks_log_find(&resource->log, scan->pin.revision);
    while (resource->log.end - seq > EVENT_STEP) {
        n += difference(scan, seq, seq + EVENT_STEP);
        seq += EVENT_STEP;
        yl_mutex_unlock(&scan->resource->lock);
        yl_mutex_lock(&scan->resource->lock);
        seq = seq < resource->log.first ? resource->log.first : seq;
    }
    n += difference(scan, seq, resource->log.end);
    n += (int64_t) count_now(scan);
    yl_mutex_unlock(&scan->resource->lock);
    return n > 0 ? (uint64_t) n : 0;
}

void
yl_ks_scan_close(struct yl_ks_scan *scan)
{
    if (scan) {
        yl_ks_history_unpin(scan->resource->history, &scan->pin);
        free(scan);
    }
}

/* Do the characters before and after its last one occur in keys? */
static bool
is_plain(struct yl_str name)
{
    return name.size && name.data[name.size - 1] > ' '
           && name.data[name.size - 1] < 0x7e
           && name.data[name.size - 1] != '/';
}

static int
start(struct yl_ks_scan *scan, const struct yl_ks_scan_opts *opts,
      struct yl_error *err)
{
    struct yl_ks_resource *resource = scan->resource;
    uint64_t published = atomic_load_explicit(resource->published,
                                              memory_order_acquire);
    yl_msec deadline = opts->deadline ? opts->deadline
                                      : yl_now(resource->clock) + DEADLINE;
    struct yl_str range = yl_str_n(scan->range, scan->range_size);

    if (opts->revision > published) {
        return yl_error_set(err, YL_ETIMEOUT,
                            "Too large resource version: %llu, current: %llu",
                            (unsigned long long) opts->revision,
                            (unsigned long long) published);
    }
    set_key(scan, range);
    if (range.size && range.data[range.size - 1] != '/') {
        step_back(scan);        /* Includes all names that start like this. */
    }
    if (opts->start.size) {
        skip_to(scan, opts->start);
    }
    if (yl_ks_history_pin(resource->history, &scan->pin, opts->revision,
                          resource->published, deadline) < 0) {
        return yl_error_set(err, YL_EEXPIRED,
                            "The resourceVersion for the provided list is "
                            "too old.");
    }
    return 0;
}

static void
set_key(struct yl_ks_scan *scan, struct yl_str key)
{
    if (key.size) {
        memcpy(scan->key, key.data, key.size);
    }
    scan->key[key.size] = '\0';
    scan->key_size = key.size;
}

/* Goes on from 'start', if that is not before the range.  A NUL at its end
 * makes it the text right behind the one without.  Of a text that is too long,
 * the rest makes no difference to keys. */
static void
skip_to(struct yl_ks_scan *scan, struct yl_str start)
{
    bool behind = start.data[start.size - 1] == '\0';

    if (yl_str_compare(start, yl_str_n(scan->range, scan->range_size)) <= 0) {
        return;
    }
    start.size -= behind;
    if (start.size > YL_KS_MAX_KEY) {
        start.size = YL_KS_MAX_KEY;
        behind = true;
    }
    set_key(scan, start);
    if (!behind) {
        step_back(scan);
    }
    scan->at_end = is_behind(scan, start);
}

/* Moves from a text to right before it: no key contains 0xff, which is not
 * UTF-8. */
static void
step_back(struct yl_ks_scan *scan)
{
    scan->key[scan->key_size - 1]--;
    scan->key[scan->key_size++] = '\xff';
    scan->key[scan->key_size] = '\0';
}

/* Collects items behind the last key, at most 'max', out of about STEP
 * keys. */
static size_t
collect(struct yl_ks_scan *scan, struct yl_versioned *items, size_t max)
{
    const struct yl_btree *tree = &scan->resource->tree;
    struct yl_btree_at end = range_end(scan);
    struct yl_btree_at at
        = yl_btree_seek_behind(tree, yl_str_n(scan->key, scan->key_size));
    struct yl_btree_at last = { NULL, 0 };
    size_t n = 0, n_seen = 0;

    while (!yl_btree_at_equal(at, end) && n < max && n_seen < STEP) {
        size_t n_run;
        void **run;

        last = at;
        run = yl_btree_run(&at, end, max - n, &n_run);
        last.index += (unsigned) n_run - 1;
        n += take_run(scan, run, n_run, items + n);
        n_seen += n_run;
    }
    scan->at_end = yl_btree_at_equal(at, end);
    if (last.leaf) {
        set_key(scan, yl_btree_key(last));
    }
    return n;
}

/* Versions and their objects lie anywhere in memory: all are prefetched before
 * the first is used. */
static size_t
take_run(const struct yl_ks_scan *scan, void **run, size_t n_run,
         struct yl_versioned *items)
{
    size_t i, n = 0;

    for (i = 0; i < n_run; i++) {
        YL_PREFETCH(run[i]);
    }
    for (i = 0; i < n_run; i++) {
        const struct yl_ks_version *version
            = yl_ks_version_at(run[i], scan->pin.revision);

        if (version) {
            YL_PREFETCH(version->object);
            items[n].object = version->object;
            items[n++].revision = version->revision;
        }
    }
    for (i = 0; i < n; i++) {
        yl_object_ref(items[i].object);
    }
    return n;
}

/* The first place behind the range. */
static struct yl_btree_at
range_end(const struct yl_ks_scan *scan)
{
    char space[YL_KS_MAX_KEY];

    return scan->range_size
           ? yl_btree_seek(&scan->resource->tree, end_text(scan, space))
           : (struct yl_btree_at) { NULL, 0 };
}

/* The text that comes right after all texts in the range. */
static struct yl_str
end_text(const struct yl_ks_scan *scan, char space[YL_KS_MAX_KEY])
{
    memcpy(space, scan->range, scan->range_size);
    space[scan->range_size - 1]++;
    return yl_str_n(space, scan->range_size);
}

/* Is 'text' after all texts in the range? */
static bool
is_behind(const struct yl_ks_scan *scan, struct yl_str text)
{
    char space[YL_KS_MAX_KEY];

    return scan->range_size
           && yl_str_compare(text, end_text(scan, space)) >= 0;
}

static bool
in_range(const struct yl_ks_scan *scan, struct yl_str key)
{
    return yl_str_starts_with(key, yl_str_n(scan->range, scan->range_size));
}

/* The number of live keys behind the last one, now. */
static uint64_t
count_now(const struct yl_ks_scan *scan)
{
    const struct yl_btree *tree = &scan->resource->tree;
    uint64_t end = tree->n_live;

    if (scan->range_size) {
        char space[YL_KS_MAX_KEY];

        end = yl_btree_rank(tree, end_text(scan, space));
    }

    /* With its NUL it is the next possible key. */
    return end - yl_btree_rank(tree, yl_str_n(scan->key,
                                              scan->key_size + 1));
}

/* The number of keys behind the last one that were removed, less those that
 * were added, in the events from 'seq' up to 'end'. */
static int64_t
difference(const struct yl_ks_scan *scan, uint64_t seq, uint64_t end)
{
    const struct yl_ks_log *log = &scan->resource->log;
    struct yl_str last = yl_str_n(scan->key, scan->key_size);
    char space[YL_KS_MAX_KEY];
    int64_t n = 0;

    while ((seq = yl_ks_log_skip_changes(log, seq, end)) < end) {
        const struct yl_ks_version *version = yl_ks_log_get(log, seq++);
        bool was = yl_ks_version_is_change(version);
        struct yl_key key;
        struct yl_str text;

        key = yl_object_key(was ? version->older->object : version->object);
        text = yl_ks_resource_text(scan->resource, &key, space);
        if (in_range(scan, text) && yl_str_compare(text, last) > 0) {
            n += was ? 1 : -1;
        }
    }
    return n;
}
