#ifndef YL_STORE_H
#define YL_STORE_H 1

/* Store: the local cache of a kind's objects, with indexes.
 *
 *     deltas -> informer -> [store] -> listers, reconcile
 *
 * This is client-go's Indexer and ThreadSafeStore.  It holds the newest known
 * {object, revision} of each key.
 *
 * Guarantees
 * ==========
 *
 *   - Whole.  A reader sees each write completely or not at all: an object,
 *     its revision and its place in every index change together, and a list
 *     shows the store as it was at one moment.
 *
 *   - Immutable.  Objects in the store are const.  A reader keeps what it has
 *     got for as long as its arena, whatever happens to the store.
 *
 *   - Indexed.  Objects are found by namespace and by every named index in
 *     time proportional to what is found.  An index that is added later
 *     covers the objects that are there already.
 *
 *   - Small.  Objects are transformed before they are kept: managedFields are
 *     left out unless asked for, and once a store passes 4 MB its objects are
 *     packed with zstd and a dictionary that is made from them.  Accessors
 *     that take an arena unpack into it; names, uids, labels, owners and
 *     finalizers stay plain.
 *
 *   - No function of the user is called with a lock held.
 *
 * The order of lists is unspecified.
 *
 * Ownership
 * =========
 *
 * What a reader gets is lent until its arena is cleared; the arena holds the
 * references.  Objects that are written are borrowed: the store takes its own
 * reference.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread, except that yl_store_free()
 * must come last.  In an informer the loop's thread is the only writer.
 *
 * Usage
 * =====
 *
 *     struct yl_versioned pod;
 *     struct yl_store_items items;
 *
 *     if (yl_store_get(store, &key, arena, &pod)) {
 *         ... pod.object, pod.revision ...
 *     }
 *     yl_store_add_index(store, "node", index_by_node, NULL);
 *     yl_store_list(store, &(struct yl_store_filter) {
 *         .index = "node", .value = YL_STR("n1"), .labels = selector,
 *     }, arena, &items, NULL); */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/compiler.h"
#include "yuloh/error.h"
#include "yuloh/gvk.h"
#include "yuloh/key.h"
#include "yuloh/object.h"
#include "yuloh/selector.h"
#include "yuloh/str.h"

YL_C_BEGIN

struct yl_arena;
struct yl_store;

/* Replaces an object before it is kept, to drop what nobody reads: returns a
 * reference to the object to keep, or NULL to keep 'object' as it is.  Name,
 * namespace and uid must stay the same.  It may be called more than once for
 * an object, and runs on the thread that writes: in an informer that is the
 * loop's, so it must not block. */
typedef struct yl_object *yl_transform_fn(void *aux,
                                          const struct yl_object *object);

/* Options.  Zero means the default. */
struct yl_store_opts {
    yl_transform_fn *transform; /* After what is below [none]. */
    void *transform_aux;
    bool keep_managed_fields;   /* [They are left out.] */
    bool metadata_only;         /* Keep nothing but metadata. */
    bool never_pack;            /* Keep objects plain, however many. */
    bool as_is;                 /* Keep exactly the blocks that come: they
                                 * are shared with another owner, such as a
                                 * server in the same process.  Overrides all
                                 * of the above. */
    size_t pack_above;          /* Bytes from which on it packs [4 MB]. */
};

struct yl_store *yl_store_new(const struct yl_store_opts *opts);
void yl_store_free(struct yl_store *);

/* Reading
 * ======= */

/* The object with this key; false if there is none. */
bool yl_store_get(struct yl_store *, const struct yl_key *,
                  struct yl_arena *arena, struct yl_versioned *ret_item);

/* Which objects to list.  Zeros mean all. */
struct yl_store_filter {
    struct yl_str namespace_;   /* Empty: all of them. */
    const char *index;          /* Of this index ... */
    struct yl_str value;        /* ... those under this value. */
    const struct yl_selector *labels;       /* NULL: any. */

    /* Any field can be named by its path, "status.phase"; one inside of a
     * list cannot.  Numbers and booleans compare as they are written, absent
     * fields as "". */
    const struct yl_field_selector *fields; /* NULL: any. */
};

struct yl_store_items {
    const struct yl_versioned *items;
    size_t n_items;
};

/* The objects that 'filter' (NULL: all) lets through.  YL_ENOTFOUND if there
 * is no such index. */
int yl_store_list(struct yl_store *, const struct yl_store_filter *filter,
                  struct yl_arena *arena, struct yl_store_items *ret_items,
                  struct yl_error *err);

/* Calls 'fn' for each of them, as of one moment, until it returns false. */
typedef bool yl_store_item_fn(void *aux, const struct yl_versioned *item);
int yl_store_each(struct yl_store *, const struct yl_store_filter *filter,
                  yl_store_item_fn *, void *aux, struct yl_error *err);

/* Lister
 * ======
 *
 * A store with the name of its resource, so that "not found" says what: what
 * a generated lister is made of. */

struct yl_lister {
    struct yl_store *store;
    struct yl_gvr resource;
};

/* YL_ENOTFOUND with the API server's message. */
int yl_lister_get(const struct yl_lister *, const struct yl_key *,
                  struct yl_arena *arena, struct yl_versioned *ret_item,
                  struct yl_error *err);

/* Objects in 'namespace_' (empty: all) that 'labels' (NULL: all) selects. */
int yl_lister_list(const struct yl_lister *, struct yl_str namespace_,
                   const struct yl_selector *labels, struct yl_arena *arena,
                   struct yl_store_items *ret_items, struct yl_error *err);

/* Indexes
 * ======= */

/* Says under which values an object is found: calls yl_index_values_add() for
 * each of them, any number.  Equal values count once.  Scratch memory comes
 * from 'arena'.  It runs on the thread that writes, and must give the same
 * values for the same object. */
struct yl_index_values;
typedef void yl_index_fn(void *aux, const struct yl_object *object,
                         struct yl_arena *arena, struct yl_index_values *);
void yl_index_values_add(struct yl_index_values *, struct yl_str value);

/* Built-in functions: the uid of each owner, the uid of the owner that
 * controls the object, and its namespace.  (Lists by namespace need no
 * index.) */
yl_index_fn yl_index_by_owner;
yl_index_fn yl_index_by_controller;
yl_index_fn yl_index_by_namespace;

/* Adds an index, also when there are objects already; it is complete when the
 * call returns.  YL_EEXISTS if there is one of that name.  Indexes cannot be
 * removed. */
int yl_store_add_index(struct yl_store *, const char *name, yl_index_fn *,
                       void *aux, struct yl_error *err);
bool yl_store_has_index(struct yl_store *, const char *name);

/* The values that have objects, in no order.  YL_ENOTFOUND as above. */
struct yl_store_values {
    const struct yl_str *values;
    size_t n_values;
};
int yl_store_index_values(struct yl_store *, const char *name,
                          struct yl_arena *arena,
                          struct yl_store_values *ret_values,
                          struct yl_error *err);

/* Writing
 * =======
 *
 * An informer writes to its store by itself.  Others may do so before it
 * starts: objects that are put in then (a warm start) are reported as deleted
 * if the first list does not have them. */

/* Adds an object, or replaces the one of the same key.  YL_EINVALID if it has
 * no name. */
int yl_store_add(struct yl_store *, struct yl_versioned item,
                 struct yl_error *err);

/* False if there was none. */
bool yl_store_delete(struct yl_store *, const struct yl_key *);

/* Makes these the only objects.  YL_EINVALID as above, and nothing changes
 * then. */
int yl_store_replace(struct yl_store *, const struct yl_versioned *items,
                     size_t n_items, struct yl_error *err);

/* For status pages. */
struct yl_store_stats {
    size_t n_objects;
    size_t n_packed;            /* Of them. */
    size_t n_indexes;
    size_t bytes;               /* That the objects take. */
    size_t plain_bytes;         /* That they would take if none was packed. */
    size_t dictionary_bytes;    /* 0: not packing. */
};

struct yl_store_stats yl_store_stats(struct yl_store *);

YL_C_END

#endif /* yuloh/store.h */
