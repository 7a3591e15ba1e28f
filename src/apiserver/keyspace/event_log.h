#ifndef APISERVER_KEYSPACE_EVENT_LOG_H
#define APISERVER_KEYSPACE_EVENT_LOG_H 1

/* Event log of a resource: what happened, in order, as far as it is kept.
 *
 *     seq         first ........................ end
 *     entries       a    b    a'   c    b'   a''
 *     namespace     x -> y    x -------------> x     each knows the next and
 *     key           a ------> a' ----------> a''     the one before
 *
 * Entries are numbered from 1 and never renumbered.  New ones are added at the
 * end and old ones dropped at the front, so the numbers of both ends only
 * grow.  An entry is 32 bytes and points to the version that was written,
 * which points to the one it replaced.
 *
 * A cursor keeps its place in the log as a position.  A position that is
 * confined to a namespace or a key follows the links.  When it has seen the
 * last entry it waits at the head, and stays valid however far the log moves
 * on, until an entry of its scope is dropped that it has not seen.  For that a
 * scope remembers the last of its entries that was dropped.
 *
 * Guarantees
 * ==========
 *
 *   - Appending, stepping and dropping cost a constant; opening a position the
 *     logarithm of the log, or in a scope the number of its events that are
 *     yet to be seen.
 *
 *   - Scopes exist for namespaces that the log mentions, and for those that
 *     positions are open on.
 *
 * Threads
 * =======
 *
 * None of its own: the lock of the resource guards the log and all positions
 * in it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "apiserver/keyspace/version.h"
#include "base/map.h"
#include "yuloh/key.h"

struct yl_ks_log_chunk;
struct yl_ks_log_scope;

struct yl_ks_log {
    struct yl_ks_log_chunk **chunks;    /* A ring of pointers. */
    size_t n_chunks;            /* A power of two, or 0. */
    uint64_t first;             /* The oldest entry, */
    uint64_t end;               /* and one past the newest. */
    struct yl_map scopes;       /* By their text. */
    size_t n_key_scopes;        /* How many of them are of one key. */
    bool namespaced;
};

/* The members belong to the log. */
struct yl_ks_log_position {
    struct yl_ks_log_scope *scope;  /* NULL: everything. */
    uint64_t at;                /* The next entry; 0: at the head. */
    uint64_t last;              /* The one that was read last; or 0. */
    uint64_t head;              /* The log's end when 'at' became 0. */
};

void yl_ks_log_init(struct yl_ks_log *, bool namespaced);

/* Frees everything; no position may be open. */
void yl_ks_log_release(struct yl_ks_log *);

/* Appends the event of 'version': the newest of 'key' (whose text is
 * "namespace/name"), with the one before it as its older one.  Sets its
 * 'seq'. */
void yl_ks_log_append(struct yl_ks_log *, struct yl_str key,
                      struct yl_ks_version *version);

/* The oldest event; NULL if there is none. */
struct yl_ks_version *yl_ks_log_front(const struct yl_ks_log *);

/* Drops the oldest event, whose key is 'key'. */
void yl_ks_log_drop(struct yl_ks_log *, struct yl_str key);

/* The event of that number, which must be in the log. */
struct yl_ks_version *yl_ks_log_get(const struct yl_ks_log *, uint64_t seq);

/* The first event from 'seq' on, and before 'end', that is an addition or a
 * deletion; 'end' if there is none.  Reads nothing but the log. */
uint64_t yl_ks_log_skip_changes(const struct yl_ks_log *, uint64_t seq,
                                uint64_t end);

/* The number of the first event after 'revision'; the end if there is none. */
uint64_t yl_ks_log_find(const struct yl_ks_log *, uint64_t revision);

/* Opens a position before the first event after 'revision' that is in scope:
 * all of the log if 'namespace_' and 'name' are empty, else that of a
 * namespace ('name' is empty) or of a key.  'newest' is the newest version of
 * that key, NULL if it has none. */
void yl_ks_log_open(struct yl_ks_log *, const struct yl_key *scope,
                    const struct yl_ks_version *newest, uint64_t revision,
                    struct yl_ks_log_position *);
void yl_ks_log_close(struct yl_ks_log *, struct yl_ks_log_position *);

/* The event at a position: 1 and the event, 0 if there is none yet, or
 * YL_EEXPIRED if it was dropped.  yl_ks_log_step() moves behind it. */
int yl_ks_log_peek(const struct yl_ks_log *, struct yl_ks_log_position *,
                   struct yl_ks_version **ret_version);
void yl_ks_log_step(const struct yl_ks_log *, struct yl_ks_log_position *);

#endif /* apiserver/keyspace/event_log.h */
