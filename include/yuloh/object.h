#ifndef YL_OBJECT_H
#define YL_OBJECT_H 1

/* Object: one immutable block of bytes and the facts found in it.
 *
 *     bytes -> [ingest] -> block -> stores, watchers -> [emit] -> bytes
 *
 * An object is not a tree.  It is its JSON and a short header of what
 * everybody asks for: name, namespace, uid, labels, owners, generation and so
 * on.  The facts are found once, in one pass, when the block is made.  Any
 * other field is read by walking the bytes (yuloh/json.h).
 *
 * A block contains neither its kind nor its resourceVersion: both are kept
 * beside it by the store that holds it.  They go into the head that is written
 * before the shared body each time the object is sent.
 *
 * Guarantees
 * ==========
 *
 *   - Immutable.  A block never changes, so it can be shared without a lock
 *     and without a copy.  To change an object, build a new one.
 *
 *   - Compact.  One allocation for each object: its JSON and about fifty
 *     bytes.
 *
 *   - Safe on any bytes.  Ingesting what is not an object is an error, and
 *     nothing is read outside of the text.  Values nested below metadata's
 *     members and below the object's own are skipped, not validated: an API
 *     server is trusted to send JSON, and cursors can walk anything.
 *
 *   - Facts are plain.  Names and uids have no escapes, whatever the text
 *     had.
 *
 *   - Nothing is lost.  What was ingested is emitted again, as JSON values,
 *     unless the head says otherwise; only a missing metadata becomes an
 *     empty one.  Members may stand in another order.
 *
 *   - Unambiguous.  apiVersion, kind, metadata and those of its members that
 *     are facts may stand only once: a second one is YL_EDUPLICATE.  Other
 *     repeated members are kept as they are; the cursors find the first.
 *
 * Ownership
 * =========
 *
 * Blocks are counted.  What accessors return is lent for as long as the
 * caller holds the object; those that take an arena keep the object alive
 * until the arena is cleared.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread that holds a reference.
 *
 * Usage
 * =====
 *
 *     struct yl_object *pod;
 *     int64_t replicas;
 *
 *     if (yl_object_ingest(json, NULL, &pod, err) < 0) { ... }
 *     printf("%.*s\n", YL_STR_ARG(yl_object_name(pod)));
 *     yl_json_int64(yl_json_get(yl_object_field(pod, arena, "spec"),
 *                               YL_STR("replicas")), &replicas);
 *     pod = yl_object_unref(pod); */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/compiler.h"
#include "yuloh/json.h"
#include "yuloh/key.h"
#include "yuloh/str.h"

YL_C_BEGIN

struct yl_arena;
struct yl_error;
struct yl_object;

/* Says of which kind an object is. */
struct yl_type_meta {
    struct yl_str api_version;  /* "apps/v1"; empty if absent. */
    struct yl_str kind;         /* "Deployment"; empty if absent. */
};

/* An object and the revision that it has where it comes from.  This is what is
 * handed from station to station (lister-watchers, deltas, stores, handlers),
 * never the object alone: a block that a server has made has no revision of
 * its own, and one block may appear under several. */
struct yl_versioned {
    struct yl_object *object;
    uint64_t revision;
};

/* Options for ingestion.  Zero means the default. */
struct yl_object_opts {
    size_t max_size;            /* Bytes of text [64 MB]; up to 1 GB. */

    /* The apiVersion and kind that the text must have if it has any: items of
     * Lists come without them.  Empty means anything. */
    struct yl_type_meta expect;

    /* If set, receives the apiVersion and kind of the text, as slices of it
     * (they must be written without escapes then). */
    struct yl_type_meta *ret_type;

    bool canonical;             /* Is the text known to be canonical? */
    uint32_t schema_generation; /* Kept in the block for its owner. */
};

#define YL_OBJECT_MAX_SIZE ((size_t) 64 << 20)

/* Makes a block from the JSON of one object.  Members may stand in any order
 * and white space anywhere.
 *
 * YL_ESYNTAX or YL_ETRUNCATED if it is no JSON; YL_ETYPE if it is not an
 * object or a fact has another type than it should; YL_EDUPLICATE;
 * YL_EINVALID for a resourceVersion that is not a plain decimal number;
 * YL_EBADREQUEST if it is not what 'opts->expect' says; YL_ETOOBIG.  'opts'
 * may be NULL. */
int yl_object_ingest(struct yl_str json, const struct yl_object_opts *opts,
                     struct yl_object **ret_object, struct yl_error *err);

/* One more reference, or one less; the latter returns NULL.  Both take NULL
 * too. */
struct yl_object *yl_object_ref(const struct yl_object *);
struct yl_object *yl_object_unref(const struct yl_object *);

/* Facts
 * =====
 *
 * Absent ones are the null slice, 0 or yl_json_none(). */

struct yl_key yl_object_key(const struct yl_object *);
struct yl_str yl_object_name(const struct yl_object *);
struct yl_str yl_object_namespace(const struct yl_object *);
struct yl_str yl_object_uid(const struct yl_object *);
int64_t yl_object_generation(const struct yl_object *);

/* The text of creationTimestamp, to be read with yl_time_parse(). */
struct yl_str yl_object_created(const struct yl_object *);

/* Is there a deletionTimestamp? */
bool yl_object_is_deleting(const struct yl_object *);

/* The resourceVersion that it was received with; 0 if there was none. */
uint64_t yl_object_revision(const struct yl_object *);

uint32_t yl_object_schema_generation(const struct yl_object *);
bool yl_object_is_canonical(const struct yl_object *);

struct yl_json yl_object_labels(const struct yl_object *);
struct yl_json yl_object_owners(const struct yl_object *);
struct yl_json yl_object_finalizers(const struct yl_object *);

/* Annotations may be as large as the object, so a cache packs them: they are
 * lent until 'arena' is cleared. */
struct yl_json yl_object_annotations(const struct yl_object *,
                                     struct yl_arena *arena);

/* One label or annotation; the null slice if there is none.  A value with
 * escapes is resolved into 'arena'. */
struct yl_str yl_object_label(const struct yl_object *, struct yl_str key,
                              struct yl_arena *arena);
struct yl_str yl_object_annotation(const struct yl_object *, struct yl_str key,
                                   struct yl_arena *arena);

/* Does the object have the label, with this value?  Allocates nothing. */
bool yl_object_label_is(const struct yl_object *, struct yl_str key,
                        struct yl_str value);

/* Whether two objects are equal in everything but kind and revision.  Compares
 * the bytes if both are canonical, else the values.  An object whose text
 * turns out not to be JSON equals only one with the same bytes. */
bool yl_object_equal(const struct yl_object *, const struct yl_object *);

/* JSON
 * ==== */

/* What to write around the shared body.  Zero means the default. */
struct yl_object_head {
    struct yl_type_meta type;   /* Empty parts are left out. */
    uint64_t revision;          /* [The received one; none without one.] */
    bool without_managed_fields;
    bool metadata_only;         /* As in a PartialObjectMetadata. */
};

/* The complete JSON, in 'arena'.  'head' may be NULL. */
struct yl_str yl_object_json(const struct yl_object *, struct yl_arena *arena,
                             const struct yl_object_head *head);

/* A member of the object, such as "spec", lent until 'arena' is cleared;
 * absent if there is none.  "metadata" has no resourceVersion; apiVersion and
 * kind are never there. */
struct yl_json yl_object_field(const struct yl_object *,
                               struct yl_arena *arena, const char *name);

/* Bytes of memory that the block takes. */
size_t yl_object_footprint(const struct yl_object *);

YL_C_END

#endif /* yuloh/object.h */
