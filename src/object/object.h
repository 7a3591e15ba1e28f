#ifndef OBJECT_OBJECT_H
#define OBJECT_OBJECT_H 1

/* Inside of a block.  See yuloh/object.h for the contract.
 *
 *     struct yl_object   sizes, and which facts there are
 *     text               {METADATA}REST}
 *     plain              facts whose JSON has escapes, resolved
 *     facts              a span for each fact that is there, then the numbers
 *                        that are not 0
 *     shared             of a block that shares its managedFields: a pointer
 *                        to them, and what is cut out of them
 *
 * METADATA are the members of metadata without resourceVersion, managedFields
 * last.  REST is empty or starts with a comma: all other members but
 * apiVersion and kind.  To send an object, write
 *
 *     {"apiVersion":A,"kind":K,"metadata":{"resourceVersion":"N",
 *
 * and then the text from its second byte on.  Leaving managedFields out takes
 * two spans of the text; so does sending the metadata alone.  The first byte
 * is there so that metadata is a JSON object of its own, which cursors can
 * read.
 *
 * In a controller's cache blocks may be packed: object/pack.h shows how they
 * look then.
 *
 * A block that a store keeps may share its managedFields with others
 * (object/managed.h).  Then they are missing in its text, and 'managed_fields'
 * and 'metadata_end' both say where they belong. */

#include "base/buf.h"
#include "base/ref.h"
#include "yuloh/object.h"

struct yl_dictionary;
struct yl_managed;
struct yl_node;

/* A part of the text or of the plain copies behind it.  Offsets count from
 * 'text'.  Spans are stored with 16-bit numbers if all of an object's spans
 * fit, which they do unless it has 64 KB of metadata. */
struct yl_span {
    uint32_t offset;
    uint32_t size;
};

struct yl_small_span {
    uint16_t offset;
    uint16_t size;
};

enum yl_object_span {
    YL_SPAN_NAME,               /* Strings: without quotes, plain. */
    YL_SPAN_NAMESPACE,
    YL_SPAN_UID,
    YL_SPAN_CREATED,
    YL_SPAN_LABELS,             /* Containers: with their brackets. */
    YL_SPAN_ANNOTATIONS,
    YL_SPAN_OWNERS,
    YL_SPAN_FINALIZERS,
    YL_N_SPANS
};

enum yl_object_flags {
    YL_OBJECT_CANONICAL = 1 << 0,   /* Equal objects have equal bytes. */
    YL_OBJECT_DELETING = 1 << 1,    /* There is a deletionTimestamp. */
    YL_OBJECT_WIDE = 1 << 2,        /* Facts have struct yl_span. */
    YL_OBJECT_REVISION = 1 << 3,    /* The numbers that are present. */
    YL_OBJECT_GENERATION = 1 << 4,
    YL_OBJECT_SHARED = 1 << 5,      /* managedFields are shared. */
    YL_OBJECT_PACKED = 1 << 6,      /* See object/pack.h. */
    YL_OBJECT_FIRST_SPAN = 1 << 8,  /* A bit for each span that is present, by
                                     * enum yl_object_span. */
};

struct yl_object {
    struct yl_ref ref;
    _Atomic uint32_t schema_generation;     /* See
                                             * yl_object_mark_schema(). */
    uint32_t flags;             /* enum yl_object_flags. */
    uint32_t size;              /* Of the text. */
    uint32_t metadata_end;      /* Offset of the brace that ends METADATA. */
    uint32_t managed_fields;    /* Offset of managedFields and the comma before
                                 * it, which end at 'metadata_end'; 0 if there
                                 * are none. */
    uint32_t facts;             /* Offset of the facts. */
    char text[];                /* And what is behind it. */
};

/* Changes the schema generation: the owner has found that the block has the
 * form that this generation stands for.  It is the one thing that changes in a
 * block; readers see the old number or the new one. */
void yl_object_mark_schema(const struct yl_object *, uint32_t generation);

/* Bytes that the facts of an object with these flags take. */
size_t yl_object_facts_size(uint32_t flags);

/* Where a fact is in the plain text (or behind it); false if it is absent.
 * And the fact itself, which is lent: the null slice if it is absent.
 * Annotations of a packed block have a place, but cannot be read. */
bool yl_object_span(const struct yl_object *, enum yl_object_span,
                    struct yl_span *ret_span);
struct yl_str yl_object_fact(const struct yl_object *, enum yl_object_span);

/* The plain block of a packed one, in 'arena', which keeps both; and how many
 * bytes stand behind its facts, and its dictionary, lent.  Use
 * yl_object_plain(), which takes any block. */
const struct yl_object *yl_object_unpacked(const struct yl_object *,
                                           struct yl_arena *arena);
size_t yl_object_packed_size(const struct yl_object *);
struct yl_dictionary *yl_object_dictionary(const struct yl_object *);

static inline const struct yl_object *
yl_object_plain(const struct yl_object *object, struct yl_arena *arena)
{
    return YL_UNLIKELY(object->flags & YL_OBJECT_PACKED)
           ? yl_object_unpacked(object, arena) : object;
}

/* Reads a resourceVersion: 0 if it is empty, else a decimal number without
 * leading zeros, or YL_EINVALID. */
int yl_revision_parse(struct yl_str, uint64_t *ret_revision,
                      struct yl_error *err);

/* Makes a block from a tree, in canonical form: metadata first, then members
 * sorted by bytes at every level, managedFields last in metadata.  Takes the
 * options of yl_object_ingest() ('ret_type' and 'canonical' are ignored) and
 * returns its errors, or YL_ERANGE for a number that no double can hold. */
int yl_object_from_tree(const struct yl_node *root,
                        const struct yl_object_opts *,
                        struct yl_object **ret_object, struct yl_error *err);

/* A copy of the block for a store, allocated from the heap of the calling
 * thread: objects that live long then lie next to each other, and not between
 * short-lived allocations.  It shares managedFields that others have, too. */
struct yl_object *yl_object_keep(const struct yl_object *);

/* The object as a cache keeps it: without managedFields, or with nothing but
 * its metadata.  A reference to a new block, or to 'object' if that has
 * nothing to leave out. */
struct yl_object *yl_object_reduce(const struct yl_object *object,
                                   bool without_managed_fields,
                                   bool metadata_only);

/* The object without managedFields is two spans of its text, if it is
 * plain. */
static inline struct yl_str
yl_object_before_managed(const struct yl_object *object)
{
    return yl_str_n(object->text, object->managed_fields);
}

static inline struct yl_str
yl_object_after_managed(const struct yl_object *object)
{
    return yl_str_n(object->text + object->metadata_end,
                    object->size - object->metadata_end);
}

/* What stands between them, in 'arena' if it is shared: the member, with the
 * comma before it; empty if there are none. */
struct yl_str yl_object_managed(const struct yl_object *,
                                struct yl_arena *arena);

/* Of a block that shares: what it shares, and what is cut out of it, which is
 * its own. */
struct yl_managed *yl_object_shared(const struct yl_object *,
                                    const char **ret_cuts);

/* Starts loading the text into the cache while the caller does something
 * else. */
static inline void
yl_object_prefetch(const struct yl_object *object)
{
    size_t i, size = object->size < 4096 ? object->size : 4096;

    for (i = 0; i < size; i += 64) {
        YL_PREFETCH(object->text + i);
    }
}

/* Emission
 * ======== */

/* Appends the complete JSON.  'head' may be NULL. */
void yl_object_write(const struct yl_object *, const struct yl_object_head *,
                     struct yl_buf *);

/* What follows a head, as slices of the block and, for what it shares, of the
 * arena.  They live as long as both.  Returns their number. */
#define YL_OBJECT_MAX_PIECES 3
size_t yl_object_body(const struct yl_object *, struct yl_arena *,
                      struct yl_str pieces[YL_OBJECT_MAX_PIECES]);

#endif /* object/object.h */
