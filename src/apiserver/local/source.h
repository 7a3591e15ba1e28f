#ifndef APISERVER_LOCAL_SOURCE_H
#define APISERVER_LOCAL_SOURCE_H 1

/* A lister-watcher over a resource of the keyspace, for controllers in the
 * server's own process.
 *
 *     keyspace -> [local source] -> reflector
 *
 * Guarantees
 * ==========
 *
 * Those of yuloh/listwatch.h, and:
 *
 *   - Objects are the keyspace's own blocks, in the hub version; nothing is
 *     copied.
 *
 *   - resourceVersion, resourceVersionMatch, limit, continue, selectors,
 *     bookmarks and initial events mean what they mean over HTTP; a continue
 *     token from here can be used over HTTP and the other way round.
 *
 *   - A watch lasts until it is stopped, unless it has a timeout.
 *
 * Threads
 * =======
 *
 * All of it belongs to the loop's thread, or to the one that sets things up
 * before the loop runs.
 *
 * Usage
 * =====
 *
 *     source = yl_local_source_new(&(struct yl_local_source_opts) {
 *         .keyspace = ks, .loop = loop, .resource = pods,
 *     });
 *     yl_lister_watcher_list(yl_local_source_lister_watcher(source), ...); */

#include "yuloh/clock.h"
#include "yuloh/listwatch.h"
#include "yuloh/str.h"

struct yl_api_resource;
struct yl_keyspace;
struct yl_local_source;
struct yl_loop;

struct yl_local_source_opts {
    struct yl_keyspace *keyspace;       /* Borrowed, */
    struct yl_loop *loop;               /* as is this. */
    const struct yl_api_resource *resource;     /* It takes a reference. */
    struct yl_str namespace_;   /* Copied; empty: all. */
    struct yl_str label_selector, field_selector;   /* Copied; of calls that
                                                     * have none. */
    yl_msec bookmark_period;    /* Time between bookmarks [a minute]. */
};

/* 'resource' must be one whose objects are stored. */
struct yl_local_source *yl_local_source_new(
    const struct yl_local_source_opts *);

/* Ends all calls without calling their sinks.  Not from inside a sink.  The
 * loop may have to run once more to free it. */
void yl_local_source_free(struct yl_local_source *);

struct yl_lister_watcher *yl_local_source_lister_watcher(
    struct yl_local_source *);

/* The source of such a lister-watcher. */
struct yl_local_source *yl_local_source_of(struct yl_lister_watcher *);

#endif /* apiserver/local/source.h */
