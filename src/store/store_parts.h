#ifndef STORE_STORE_PARTS_H
#define STORE_STORE_PARTS_H 1

/* What the files of the store share.  See yuloh/store.h for the contract.
 *
 *     store --> space (a namespace) --> entry (a key) --> {object, revision}
 *       |                                 | ^
 *       v                                 v |
 *     index (a name) --> value --------> posting
 *
 * A write first computes, without the lock, under which values the object is
 * to be found (struct yl_candidate), and then changes everything under it. */

#include <stdbool.h>
#include <stddef.h>

#include "base/list.h"
#include "base/map.h"
#include "base/thread.h"
#include "yuloh/arena.h"
#include "yuloh/store.h"

/* One namespace.  It is there as long as it has entries. */
struct yl_store_space {
    struct yl_map_node node;    /* In yl_store's 'spaces', by name. */
    struct yl_map entries;      /* By the objects' names. */
    struct yl_str name;
    char bytes[];               /* Of the name. */
};

struct yl_store_entry {
    struct yl_map_node node;    /* In its space's 'entries'. */
    struct yl_versioned item;   /* Its object has the key. */
    struct yl_posting *postings;    /* One for each value of each index. */
};

/* An object under a value. */
struct yl_posting {
    struct yl_list node;        /* In yl_index_value's 'postings'. */
    struct yl_posting *next;    /* Of the same entry. */
    struct yl_store_entry *entry;
    struct yl_index_value *value;
};

/* A value of an index.  It is there as long as it has postings. */
struct yl_index_value {
    struct yl_map_node node;    /* In its index' 'values', by 'text'. */
    struct yl_store_index *index;
    struct yl_list postings;
    size_t n_postings;
    struct yl_str text;
    char bytes[];
};

struct yl_store_index {
    struct yl_store_index *older;   /* The one added before; never changes. */
    char *name;
    yl_index_fn *fn;
    void *aux;
    struct yl_map values;       /* Guarded by the store's lock. */
    bool is_complete;           /* As well: does it cover all? */
};

struct yl_store {
    struct yl_store_opts opts;

    struct yl_mutex lock;       /* Innermost: taken while informers hold
                                 * theirs.  No function of a user is called
                                 * with it held. */
    struct yl_map spaces YL_GUARDED_BY(lock);
    struct yl_store_index *newest YL_GUARDED_BY(lock);
    struct yl_store_stats stats YL_GUARDED_BY(lock);
};

/* The values that an index function gives for an object. */
struct yl_index_values {
    struct yl_arena *arena;     /* Of the values. */
    struct yl_candidate *candidate;
    struct yl_store_index *index;   /* That is being asked. */
};

/* An object that is to be written. */
struct yl_candidate {
    struct yl_versioned item;   /* A reference of its own. */
    struct yl_candidate_value {
        struct yl_candidate_value *next;
        struct yl_store_index *index;
        struct yl_str text;
    } *values;
};

/* store.c: the object as the store keeps it, in exchange for the reference to
 * 'object'.  An informer calls it when an object arrives, before it waits in
 * the delta queue. */
struct yl_object *yl_store_admit_take(struct yl_store *,
                                      struct yl_object *object);

/* Like yl_store_add() for an object that was admitted and has a name.  'arena'
 * is for scratch. */
void yl_store_put(struct yl_store *, struct yl_versioned item,
                  struct yl_arena *arena);

/* The entry of 'key', or NULL. */
struct yl_store_entry *yl_store_find(struct yl_store *store,
                                     const struct yl_key *)
    YL_REQUIRES(store->lock);

/* index.c: computes the values of the candidates for every index, and returns
 * with the lock held and no index left out. */
void yl_store_index_compute(struct yl_store *store, struct yl_candidate *,
                            size_t n, struct yl_arena *)
    YL_ACQUIRES(store->lock);

/* Puts an entry under the values of a candidate, or under none. */
void yl_store_index_insert(struct yl_store_entry *,
                           const struct yl_candidate *);
void yl_store_index_remove(struct yl_store_entry *);

/* The index of that name if it is complete, else NULL. */
struct yl_store_index *yl_store_index_find(struct yl_store *store,
                                           const char *name)
    YL_REQUIRES(store->lock);
struct yl_index_value *yl_store_index_find_value(const struct yl_store_index *,
                                                 struct yl_str text);
void yl_store_index_free(struct yl_store_index *);

/* YL_ENOTFOUND, with the message that says which index is missing. */
int yl_store_index_missing(const char *name, struct yl_error *err);

#endif /* store/store_parts.h */
