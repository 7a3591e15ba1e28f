/* Blocks without what a cache does not keep.  See object/object.h.
 *
 * All facts stand before managedFields, which are last in metadata, so cutting
 * from there on moves none of them. */

#include "object/object.h"

#include "base/alloc.h"
#include "base/arena.h"

static bool is_bare(const struct yl_object *);
static struct yl_object *cut(const struct yl_object *, bool metadata_only);
static struct yl_object *rewrite(const struct yl_object *,
                                 const struct yl_object_head *);

struct yl_object *
yl_object_reduce(const struct yl_object *object, bool without_managed_fields,
                 bool metadata_only)
{
    struct yl_object_head head = {
        .without_managed_fields = without_managed_fields,
        .metadata_only = metadata_only,
    };
    bool drops = without_managed_fields && object->managed_fields;

    if (!drops && (!metadata_only || is_bare(object))) {
        return yl_object_ref(object);
    }
    if (object->flags & YL_OBJECT_PACKED) {
        return rewrite(object, &head);
    }

    /* Facts behind the text would have to move, and managedFields that stay
     * may be elsewhere; both are rare. */
    if (object->facts != object->size
        || (object->managed_fields && !without_managed_fields)) {
        return rewrite(object, &head);
    }
    return cut(object, metadata_only);
}

/* Is there nothing but metadata? */
static bool
is_bare(const struct yl_object *object)
{
    return object->size == object->metadata_end + 2;
}

/* A copy of the text up to managedFields, of what follows metadata unless that
 * is left out, and of the facts. */
static struct yl_object *
cut(const struct yl_object *object, bool metadata_only)
{
    struct yl_str before = yl_str_n(object->text, object->managed_fields
                                                  ? object->managed_fields
                                                  : object->metadata_end);
    struct yl_str after = metadata_only ? YL_STR("}}")
                                        : yl_object_after_managed(object);
    size_t size = before.size + after.size;
    size_t facts_size = yl_object_facts_size(object->flags);
    struct yl_object *kept = yl_malloc(sizeof *kept + size + facts_size);

    memset(kept, 0, sizeof *kept);
    yl_ref_init(&kept->ref);
    atomic_init(&kept->schema_generation,
                yl_object_schema_generation(object));
    kept->flags = object->flags & ~(uint32_t) YL_OBJECT_SHARED;
    kept->size = kept->facts = (uint32_t) size;
    kept->metadata_end = (uint32_t) before.size;
    memcpy(kept->text, before.data, before.size);
    memcpy(kept->text + before.size, after.data, after.size);
    memcpy(kept->text + size, object->text + object->facts, facts_size);
    return kept;
}

/* The same by way of its JSON. */
static struct yl_object *
rewrite(const struct yl_object *object, const struct yl_object_head *head)
{
    struct yl_object_opts opts = {
        .max_size = (size_t) 1 << 30,
        .canonical = yl_object_is_canonical(object),
        .schema_generation = yl_object_schema_generation(object),
    };
    struct yl_object *kept = NULL;
    struct yl_arena arena;

    yl_arena_init(&arena);
    if (yl_object_ingest(yl_object_json(object, &arena, head), &opts, &kept,
                         NULL) < 0) {
        kept = yl_object_ref(object);
    }
    yl_arena_release(&arena);
    return kept;
}
