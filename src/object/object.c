/* Reading a block.  See yuloh/object.h for the contract. */

#include "object/object.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "object/dictionary.h"
#include "object/managed.h"
#include "object/member.h"
#include "yuloh/arena.h"

static struct yl_object *copy(const struct yl_object *);
static struct yl_object *keep_sharing(const struct yl_object *,
                                      struct yl_managed *, const char *cuts);
static size_t shared_offset(const struct yl_object *);
static size_t shared_size(const struct yl_managed *, const char *cuts);
static struct yl_json whole_metadata(const struct yl_object *,
                                     struct yl_arena *);
static size_t n_spans(uint32_t flags);
static size_t spans_size(uint32_t flags);
static uint64_t number(const struct yl_object *, uint32_t which);
static struct yl_json container(const struct yl_object *,
                                enum yl_object_span);
static struct yl_str map_value(struct yl_json map, struct yl_str key,
                               struct yl_arena *);
static void lend(const struct yl_object *, struct yl_arena *);
static void release(void *object);
static uint32_t span_bit(enum yl_object_span);

struct yl_object *
yl_object_ref(const struct yl_object *object_)
{
    struct yl_object *object = (struct yl_object *) object_;

    if (object) {
        yl_ref_get(&object->ref);
    }
    return object;
}

struct yl_object *
yl_object_unref(const struct yl_object *object_)
{
    struct yl_object *object = (struct yl_object *) object_;

    if (object && yl_ref_put(&object->ref)) {
        if (object->flags & YL_OBJECT_SHARED) {
            yl_managed_unref(yl_object_shared(object, NULL));
        } else if (object->flags & YL_OBJECT_PACKED) {
            yl_dictionary_unref(yl_object_dictionary(object));
        }
        free(object);
    }
    return NULL;
}

struct yl_key
yl_object_key(const struct yl_object *object)
{
    return yl_key_make(yl_object_namespace(object), yl_object_name(object));
}

struct yl_str
yl_object_name(const struct yl_object *object)
{
    return yl_object_fact(object, YL_SPAN_NAME);
}

struct yl_str
yl_object_namespace(const struct yl_object *object)
{
    return yl_object_fact(object, YL_SPAN_NAMESPACE);
}

struct yl_str
yl_object_uid(const struct yl_object *object)
{
    return yl_object_fact(object, YL_SPAN_UID);
}

int64_t
yl_object_generation(const struct yl_object *object)
{
    return (int64_t) number(object, YL_OBJECT_GENERATION);
}

struct yl_str
yl_object_created(const struct yl_object *object)
{
    return yl_object_fact(object, YL_SPAN_CREATED);
}

bool
yl_object_is_deleting(const struct yl_object *object)
{
    return object->flags & YL_OBJECT_DELETING;
}

uint64_t
yl_object_revision(const struct yl_object *object)
{
    return number(object, YL_OBJECT_REVISION);
}

uint32_t
yl_object_schema_generation(const struct yl_object *object)
{
    return atomic_load_explicit(&object->schema_generation,
                                memory_order_relaxed);
}

void
yl_object_mark_schema(const struct yl_object *object, uint32_t generation)
{
    atomic_store_explicit(
        &((struct yl_object *) (uintptr_t) object)->schema_generation,
        generation, memory_order_relaxed);
}

bool
yl_object_is_canonical(const struct yl_object *object)
{
    return object->flags & YL_OBJECT_CANONICAL;
}

struct yl_json
yl_object_labels(const struct yl_object *object)
{
    return container(object, YL_SPAN_LABELS);
}

struct yl_json
yl_object_annotations(const struct yl_object *object, struct yl_arena *arena)
{
    struct yl_json annotations;

    if (!(object->flags & span_bit(YL_SPAN_ANNOTATIONS))) {
        return yl_json_none();
    }
    object = yl_object_plain(object, arena);
    annotations = container(object, YL_SPAN_ANNOTATIONS);
    lend(object, arena);
    return annotations;
}

struct yl_json
yl_object_owners(const struct yl_object *object)
{
    return container(object, YL_SPAN_OWNERS);
}

struct yl_json
yl_object_finalizers(const struct yl_object *object)
{
    return container(object, YL_SPAN_FINALIZERS);
}

struct yl_str
yl_object_label(const struct yl_object *object, struct yl_str key,
                struct yl_arena *arena)
{
    return map_value(yl_object_labels(object), key, arena);
}

struct yl_str
yl_object_annotation(const struct yl_object *object, struct yl_str key,
                     struct yl_arena *arena)
{
    return map_value(yl_object_annotations(object, arena), key, arena);
}

bool
yl_object_label_is(const struct yl_object *object, struct yl_str key,
                   struct yl_str value)
{
    return yl_json_string_is(yl_json_get(yl_object_labels(object), key),
                             value);
}

struct yl_json
yl_object_field(const struct yl_object *object, struct yl_arena *arena,
                const char *name)
{
    struct yl_str key = yl_str_c(name);
    struct yl_json value = yl_json_none();
    struct yl_member member;
    const char *p, *limit;

    object = yl_object_plain(object, arena);
    limit = object->text + object->size;
    p = object->text + object->metadata_end + 1;
    if (yl_str_equal(key, YL_STR("metadata"))) {
        if (object->flags & YL_OBJECT_SHARED) {
            return whole_metadata(object, arena);
        }
        value.start = object->text;
        value.limit = p;
    }
    while (!value.start && yl_member_next(&p, limit, false, &member) > 0) {
        p = yl_json_skip_value(member.value, limit);
        if (yl_member_is(&member, key)) {
            value.start = member.value;
            value.limit = p;
        }
    }
    if (value.start) {
        lend(object, arena);
    }
    return value;
}

size_t
yl_object_footprint(const struct yl_object *object)
{
    size_t size = sizeof *object + shared_offset(object);
    const char *cuts;

    if (object->flags & YL_OBJECT_SHARED) {
        const struct yl_managed *managed = yl_object_shared(object, &cuts);

        size += shared_size(managed, cuts);
    } else if (object->flags & YL_OBJECT_PACKED) {
        size += yl_object_packed_size(object);
    }
    return size;
}

struct yl_object *
yl_object_keep(const struct yl_object *object)
{
    char cuts[YL_MANAGED_CUTS_SIZE];
    struct yl_managed *managed = NULL;

    /* Facts behind the text would have to move with it; they are rare. */
    if (object->managed_fields
        && !(object->flags & (YL_OBJECT_SHARED | YL_OBJECT_PACKED))
        && object->facts == object->size) {
        managed = yl_managed_share(
            yl_str_range(object->text + object->managed_fields,
                         object->text + object->metadata_end), cuts);
    }
    return managed ? keep_sharing(object, managed, cuts) : copy(object);
}

struct yl_str
yl_object_managed(const struct yl_object *object, struct yl_arena *arena)
{
    struct yl_managed *managed;
    const char *cuts;
    struct yl_str text;
    struct yl_buf buf;

    object = yl_object_plain(object, arena);
    if (!(object->flags & YL_OBJECT_SHARED)) {
        return yl_str_n(object->text + object->managed_fields,
                        object->managed_fields
                        ? object->metadata_end - object->managed_fields : 0);
    }
    managed = yl_object_shared(object, &cuts);
    yl_buf_init(&buf, SIZE_MAX);
    yl_managed_write(managed, cuts, &buf);
    text = yl_arena_copy(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return text;
}

struct yl_managed *
yl_object_shared(const struct yl_object *object, const char **ret_cuts)
{
    const char *p = object->text + shared_offset(object);
    struct yl_managed *managed;

    memcpy(&managed, p, sizeof managed);
    if (ret_cuts) {
        *ret_cuts = p + sizeof managed;
    }
    return managed;
}

/* A copy as it is. */
static struct yl_object *
copy(const struct yl_object *object)
{
    size_t size = yl_object_footprint(object);
    size_t start = offsetof(struct yl_object, flags);
    struct yl_object *kept = yl_malloc(size);

    /* What other threads may be changing is not copied with the rest. */
    yl_ref_init(&kept->ref);
    atomic_init(&kept->schema_generation,
                yl_object_schema_generation(object));
    memcpy((char *) kept + start, (const char *) object + start,
           size - start);
    if (kept->flags & YL_OBJECT_SHARED) {
        yl_managed_ref(yl_object_shared(kept, NULL));
    } else if (kept->flags & YL_OBJECT_PACKED) {
        yl_dictionary_ref(yl_object_dictionary(kept));
    }
    return kept;
}

/* A copy without managedFields, which has 'managed' instead, and takes over
 * the caller's reference to it. */
static struct yl_object *
keep_sharing(const struct yl_object *object, struct yl_managed *managed,
             const char *cuts)
{
    struct yl_str before = yl_object_before_managed(object);
    struct yl_str after = yl_object_after_managed(object);
    size_t facts_size = yl_object_facts_size(object->flags);
    size_t size = before.size + after.size;
    struct yl_object *kept = yl_malloc(sizeof *kept + size + facts_size
                                       + shared_size(managed, cuts));
    char *p = kept->text;

    memset(kept, 0, sizeof *kept);
    yl_ref_init(&kept->ref);
    kept->flags = object->flags | YL_OBJECT_SHARED;
    atomic_init(&kept->schema_generation,
                yl_object_schema_generation(object));
    kept->size = (uint32_t) size;
    kept->metadata_end = object->managed_fields;
    kept->managed_fields = object->managed_fields;
    kept->facts = (uint32_t) size;
    memcpy(p, before.data, before.size);
    p += before.size;
    memcpy(p, after.data, after.size);
    p += after.size;
    memcpy(p, object->text + object->facts, facts_size);
    p += facts_size;
    memcpy(p, &managed, sizeof managed);
    p += sizeof managed;
    memcpy(p, cuts, yl_managed_cuts_size(managed, cuts));
    return kept;
}

/* Where the shared part is described: behind the facts. */
static size_t
shared_offset(const struct yl_object *object)
{
    return object->facts + yl_object_facts_size(object->flags);
}

static size_t
shared_size(const struct yl_managed *managed, const char *cuts)
{
    return sizeof managed + yl_managed_cuts_size(managed, cuts);
}

/* Metadata of a block that shares managedFields, with them. */
static struct yl_json
whole_metadata(const struct yl_object *object, struct yl_arena *arena)
{
    struct yl_managed *managed;
    const char *cuts;
    struct yl_str text;
    struct yl_buf buf;

    managed = yl_object_shared(object, &cuts);
    yl_buf_init(&buf, SIZE_MAX);
    yl_buf_append_str(&buf, yl_object_before_managed(object));
    yl_managed_write(managed, cuts, &buf);
    yl_buf_append_char(&buf, '}');
    text = yl_arena_copy(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return yl_json(text);
}

/* The bit that says whether the fact is there. */
static uint32_t
span_bit(enum yl_object_span which)
{
    return (uint32_t) YL_OBJECT_FIRST_SPAN << which;
}

bool
yl_object_span(const struct yl_object *object, enum yl_object_span which,
               struct yl_span *ret_span)
{
    uint32_t bit = span_bit(which);
    const char *facts = object->text + object->facts;
    struct yl_small_span small;
    size_t i;

    if (!(object->flags & bit)) {
        return false;
    }
    i = n_spans(object->flags & (bit - 1));
    if (object->flags & YL_OBJECT_WIDE) {
        memcpy(ret_span, facts + i * sizeof *ret_span, sizeof *ret_span);
    } else {
        memcpy(&small, facts + i * sizeof small, sizeof small);
        ret_span->offset = small.offset;
        ret_span->size = small.size;
    }
    return true;
}

struct yl_str
yl_object_fact(const struct yl_object *object, enum yl_object_span which)
{
    struct yl_span span, before;
    int i;

    if (!yl_object_span(object, which, &span)) {
        return yl_str_null();
    }
    if (YL_UNLIKELY(object->flags & YL_OBJECT_PACKED)) {
        /* Facts stand one behind the other, without annotations. */
        span.offset = 0;
        for (i = 0; i < (int) which; i++) {
            if (i != YL_SPAN_ANNOTATIONS
                && yl_object_span(object, (enum yl_object_span) i, &before)) {
                span.offset += before.size;
            }
        }
    }
    return yl_str_n(object->text + span.offset, span.size);
}

size_t
yl_object_facts_size(uint32_t flags)
{
    return spans_size(flags)
           + (flags & YL_OBJECT_REVISION ? sizeof(uint64_t) : 0)
           + (flags & YL_OBJECT_GENERATION ? sizeof(uint64_t) : 0);
}

static size_t
n_spans(uint32_t flags)
{
    size_t n = 0;

    for (flags /= YL_OBJECT_FIRST_SPAN; flags; flags &= flags - 1) {
        n++;
    }
    return n;
}

static size_t
spans_size(uint32_t flags)
{
    return n_spans(flags) * (flags & YL_OBJECT_WIDE
                             ? sizeof(struct yl_span)
                             : sizeof(struct yl_small_span));
}

/* The revision stands before the generation. */
static uint64_t
number(const struct yl_object *object, uint32_t which)
{
    const char *p = object->text + object->facts + spans_size(object->flags);
    uint64_t value = 0;

    if (object->flags & which) {
        if (which == YL_OBJECT_GENERATION
            && object->flags & YL_OBJECT_REVISION) {
            p += sizeof value;
        }
        memcpy(&value, p, sizeof value);
    }
    return value;
}

static struct yl_json
container(const struct yl_object *object, enum yl_object_span which)
{
    return yl_json(yl_object_fact(object, which));
}

static struct yl_str
map_value(struct yl_json map, struct yl_str key, struct yl_arena *arena)
{
    struct yl_str value;

    return yl_json_string(yl_json_get(map, key), arena, &value) == 0
           ? value : yl_str_null();
}

/* Keeps 'object' alive until 'arena' is cleared. */
static void
lend(const struct yl_object *object, struct yl_arena *arena)
{
    yl_arena_attach(arena, release, yl_object_ref(object));
}

static void
release(void *object)
{
    yl_object_unref(object);
}
