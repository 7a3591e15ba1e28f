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

struct yl_dictionary;

struct yl_store {
    struct yl_store_opts opts;  /* 'pack_above' with its default. */

    struct yl_mutex lock;       /* Before an informer's and a dictionary's, the
                                 * only ones that are taken while it is held.
                                 * No function of a user is called then. */
    struct yl_map spaces YL_GUARDED;
    struct yl_store_index *newest YL_GUARDED;
    size_t n_building YL_GUARDED;   /* Indexes that are not complete yet. */
    struct yl_store_stats stats YL_GUARDED;

    /* Packing; see packing.c. */
    struct yl_dictionary *dictionary YL_GUARDED;    /* NULL: not yet. */
    bool has_plain YL_GUARDED;  /* Were objects admitted before there was a
                                 * dictionary that are not written yet? */
    bool must_pack YL_GUARDED;  /* Is there what could not be packed while an
                                 * index was built? */
    size_t arriving YL_GUARDED; /* Bytes admitted since the last write. */
    struct yl_object **samples YL_GUARDED;  /* References to some of these
                                             * objects. */
    size_t n_samples YL_GUARDED;
    size_t sample_bytes YL_GUARDED;
};

/* The values that an index function gives for an object. */
struct yl_index_values {
    struct yl_arena *arena;     /* Of the values. */
    struct yl_candidate *candidate;
    struct yl_store_index *index;   /* That is being asked. */
};

/* A write: an object that is to be added, or deleted. */
struct yl_candidate {
    struct yl_versioned item;   /* Lent.  Of a deletion only its key is
                                 * used. */
    bool is_deletion;
    struct yl_versioned old;    /* Out: a reference to what was there under
                                 * its key; no object if there was nothing. */
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

/* Does all writes at once: a reader sees all of them or none.  Objects to add
 * are admitted and have names.  'then' (NULL: nothing) is called before the
 * lock is let go, so what it does belongs to the same moment; it must not use
 * the store.  'arena' is for scratch.  The caller unrefs the 'old' objects. */
void yl_store_apply(struct yl_store *, struct yl_candidate *, size_t n,
                    struct yl_arena *arena, void (*then)(void *aux),
                    void *aux);

/* Every object, held by 'arena', as of the moment at which 'then' is called
 * with them; as above. */
void yl_store_snapshot(struct yl_store *, struct yl_arena *arena,
                       void (*then)(void *aux, struct yl_store_items),
                       void *aux);

/* For the only thread that writes: the object of 'key', lent until the next
 * write, and a walk over all of them, lent, with the lock held. */
bool yl_store_lend(struct yl_store *, const struct yl_key *,
                   struct yl_versioned *ret_item);
void yl_store_walk(struct yl_store *, void (*fn)(void *aux,
                                                 struct yl_versioned),
                   void *aux);

/* The entry of 'key', or NULL. */
struct yl_store_entry *yl_store_find(struct yl_store *store,
                                     const struct yl_key *)
    YL_REQUIRES(store->lock);

/* packing.c: the object, packed if it is time for that, in exchange for the
 * reference to 'object'. */
struct yl_object *yl_store_pack_take(struct yl_store *, struct yl_object *);

/* The same for an object that is written now, which may have arrived before
 * there was a dictionary.  A reference of its own. */
struct yl_object *yl_store_pack_late(struct yl_store *store,
                                     struct yl_object *)
    YL_REQUIRES(store->lock);

/* Packs what is there.  Only a writer may do that, as it takes objects away
 * that are lent until the next write; and not while an index is being built,
 * which recognises objects by their blocks: then the next write does it. */
void yl_store_pack_all(struct yl_store *store) YL_REQUIRES(store->lock);

/* What was admitted so far is written, or never will be. */
void yl_store_pack_arrived(struct yl_store *store) YL_REQUIRES(store->lock);

/* store.c: counts an object in or out. */
void yl_store_count(struct yl_store *store, const struct yl_object *, bool in)
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
