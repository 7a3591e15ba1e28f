#ifndef APISERVER_KEYSPACE_RESOURCE_H
#define APISERVER_KEYSPACE_RESOURCE_H 1

/* Inside of a resource: its tree, its log, and its listeners.  See
 * apiserver/keyspace/keyspace.h for the contract.
 *
 * What is in the tree and in the log may be ahead of what is published: the
 * writer puts a whole batch there, resource by resource, and then raises the
 * keyspace's revision, which makes all of it visible at once.  Readers
 * therefore read that revision first, then lock, and ignore everything
 * newer. */

#include <stdatomic.h>

#include "apiserver/keyspace/btree.h"
#include "apiserver/keyspace/history.h"
#include "apiserver/keyspace/keyspace.h"
#include "apiserver/keyspace/event_log.h"
#include "apiserver/keyspace/version.h"
#include "base/list.h"
#include "base/map.h"
#include "base/thread.h"

struct yl_ks_head;

struct yl_ks_resource {
    struct yl_list node;        /* In yl_keyspace's 'resources'. */
    struct yl_map_node by_prefix;   /* In yl_keyspace's 'by_prefix'. */
    struct yl_ks_history *history;      /* The keyspace's. */
    const _Atomic uint64_t *published;  /* The keyspace's revision. */
    struct yl_clock *clock;
    char *prefix;
    size_t prefix_size;
    bool namespaced;
    bool shared;                /* Whether others write to storage, too. */

    bool numbered;              /* Do blocks have the number of their type?
                                 * Set before anything is read. */
    _Atomic(struct yl_ks_head *) heads; /* All types, the last one first. */
    _Atomic(struct yl_ks_head *) head;  /* The type that is stored now. */

    struct yl_mutex lock;       /* Held for microseconds; innermost. */
    struct yl_btree tree YL_GUARDED;    /* From key to newest version. */
    struct yl_ks_log log YL_GUARDED;
    uint64_t dropped YL_GUARDED;    /* The newest event that was dropped. */
    _Atomic uint64_t log_end;   /* A copy of the log's end, read without the
                                 * lock. */
    struct yl_ks_pool pool;     /* Used by the writer only. */

    struct yl_mutex listen_lock;    /* Taken neither under 'lock' nor before
                                     * it. */
    struct yl_cond woken;       /* Signalled when a call of 'wake' has
                                 * returned. */
    struct yl_list listeners YL_GUARDED;
    struct yl_ks_listener *waking YL_GUARDED;   /* The listener whose 'wake' is
                                                 * running. */
};

/* The bytes of a document up to metadata's members, for a type.  They are
 * never freed before the resource, as the writer may be reading them. */
struct yl_ks_head {
    struct yl_ks_head *older;   /* Of another type, added before. */
    uint8_t number;             /* 1 to 255; 0: there are too many. */
    size_t size;
    struct yl_str api_version;  /* Behind the text. */
    char text[];
};

struct yl_ks_resource *yl_ks_resource_new(struct yl_ks_history *,
                                          const _Atomic uint64_t *published,
                                          struct yl_clock *,
                                          struct yl_str prefix,
                                          bool namespaced);
void yl_ks_resource_free(struct yl_ks_resource *);

/* Sets the type that values are stored as from now on, and returns its
 * number.  Under the lock of all resources. */
uint8_t yl_ks_resource_store_as(struct yl_ks_resource *, struct yl_type_meta);

/* The number of the type with this apiVersion; 0 if there is none. */
uint8_t yl_ks_resource_number(const struct yl_ks_resource *,
                              struct yl_str api_version);

/* The head for a block: that of its number, or else of the type that is stored
 * now. */
const struct yl_ks_head *yl_ks_resource_head(const struct yl_ks_resource *,
                                             const struct yl_object *);

/* The text of 'key', written to 'space', where there must be room for
 * YL_KS_MAX_KEY bytes or for those of the key and one more; the null slice if
 * the key is not possible in the resource. */
struct yl_str yl_ks_resource_text(const struct yl_ks_resource *,
                                  const struct yl_key *key, char *space);

/* The other way; the key points into 'text'.  YL_EINVALID. */
int yl_ks_resource_parse(const struct yl_ks_resource *, struct yl_str text,
                         struct yl_key *ret_key);

/* For the writer
 * ============
 *
 * It alone changes the tree and the log, so it reads them without the lock. */

/* The last version of a key, published or not, which may be a deletion or
 * unreadable; NULL if there is none. */
const struct yl_ks_version *
yl_ks_resource_last(struct yl_ks_resource *, struct yl_str text);

/* Puts a version of 'text' into the tree and into the log: an object, or a
 * deletion of one that is there.  Takes 'version'.  Returns the bytes of
 * history that this made. */
size_t yl_ks_resource_put(struct yl_ks_resource *resource, struct yl_str text,
                          struct yl_ks_version *version)
    YL_REQUIRES(resource->lock);

/* The same for what another server has written: it may delete a key that is
 * not there, or make a key unreadable. */
size_t yl_ks_resource_put_foreign(struct yl_ks_resource *resource,
                                  struct yl_str text,
                                  struct yl_ks_version *version,
                                  bool unreadable)
    YL_REQUIRES(resource->lock);

/* Drops history up to 'compacted', at most 'max' events.  Returns how many
 * were dropped. */
size_t yl_ks_resource_trim(struct yl_ks_resource *, uint64_t compacted,
                           size_t max);

/* Calls the listeners that wait. */
void yl_ks_resource_wake(struct yl_ks_resource *);

#endif /* apiserver/keyspace/resource.h */
