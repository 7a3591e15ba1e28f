/* From a block to bytes: a head and spans of the body.  See yuloh/object.h
 * and object/object.h for the contract and the layout. */

#include "object/object.h"

#include <assert.h>

#include "base/arena.h"
#include "json/text.h"
#include "object/managed.h"

/* What a head has besides names, at most. */
#define HEAD_SIZE 96

static void write_packed(const struct yl_object *,
                         const struct yl_object_head *, struct yl_buf *);
static void write_head(const struct yl_object *, const struct yl_object_head *,
                       struct yl_buf *);
static bool has_metadata(const struct yl_object *,
                         const struct yl_object_head *);

static const struct yl_object_head no_head;

struct yl_str
yl_object_json(const struct yl_object *object, struct yl_arena *arena,
               const struct yl_object_head *head)
{
    const struct yl_type_meta *type = &(head ? head : &no_head)->type;
    size_t size = object->size + HEAD_SIZE
                  + 6 * (type->api_version.size + type->kind.size);
    struct yl_buf buf = { 0 };
    const char *cuts;

    object = yl_object_plain(object, arena);

    /* The buffer wraps bytes of the arena, and is never too small: a byte of a
     * name is written as six at most. */
    if (object->flags & YL_OBJECT_SHARED) {
        const struct yl_managed *managed = yl_object_shared(object, &cuts);

        size += yl_managed_size(managed, cuts);
    }
    buf.data = yl_arena_alloc(arena, size);
    buf.capacity = buf.ceiling = size;
    yl_object_write(object, head, &buf);
    assert(!yl_buf_error(&buf));
    return yl_buf_str(&buf);
}

void
yl_object_write(const struct yl_object *object,
                const struct yl_object_head *head, struct yl_buf *buf)
{
    const char *text = object->text, *cuts;
    size_t stop;

    if (YL_UNLIKELY(object->flags & YL_OBJECT_PACKED)) {
        write_packed(object, head, buf);
        return;
    }
    head = head ? head : &no_head;
    stop = head->without_managed_fields && object->managed_fields
           ? object->managed_fields : object->metadata_end;
    write_head(object, head, buf);
    if (stop == object->metadata_end && !head->metadata_only
        && !(object->flags & YL_OBJECT_SHARED)) {
        yl_buf_append(buf, text + 1, object->size - 1);
        return;
    }
    yl_buf_append(buf, text + 1, stop - 1);
    if (object->flags & YL_OBJECT_SHARED && !head->without_managed_fields) {
        struct yl_managed *managed = yl_object_shared(object, &cuts);

        yl_managed_write(managed, cuts, buf);
    }
    if (head->metadata_only) {
        yl_buf_append_c(buf, "}}");
    } else {
        yl_buf_append_str(buf, yl_object_after_managed(object));
    }
}

size_t
yl_object_body(const struct yl_object *object, struct yl_arena *arena,
               struct yl_str pieces[YL_OBJECT_MAX_PIECES])
{
    object = yl_object_plain(object, arena);
    if (!(object->flags & YL_OBJECT_SHARED)) {
        pieces[0] = yl_str_n(object->text + 1, object->size - 1);
        return 1;
    }
    pieces[0] = yl_str_skip(yl_object_before_managed(object), 1);
    pieces[1] = yl_object_managed(object, arena);
    pieces[2] = yl_object_after_managed(object);
    return 3;
}

static void
write_packed(const struct yl_object *object, const struct yl_object_head *head,
             struct yl_buf *buf)
{
    struct yl_arena arena;

    yl_arena_init(&arena);
    yl_object_write(yl_object_plain(object, &arena), head, buf);
    yl_arena_release(&arena);
}

static void
write_head(const struct yl_object *object, const struct yl_object_head *head,
           struct yl_buf *buf)
{
    uint64_t revision = head->revision ? head->revision
                                       : yl_object_revision(object);

    yl_buf_append_char(buf, '{');
    if (head->type.api_version.size) {
        yl_buf_append_c(buf, "\"apiVersion\":");
        yl_json_write_string(buf, head->type.api_version);
        yl_buf_append_char(buf, ',');
    }
    if (head->type.kind.size) {
        yl_buf_append_c(buf, "\"kind\":");
        yl_json_write_string(buf, head->type.kind);
        yl_buf_append_char(buf, ',');
    }
    yl_buf_append_c(buf, "\"metadata\":{");
    if (revision) {
        yl_buf_append_c(buf, "\"resourceVersion\":\"");
        yl_json_write_uint64(buf, revision);
        yl_buf_append_c(buf, has_metadata(object, head) ? "\"," : "\"");
    }
}

/* Does anything of metadata follow the head? */
static bool
has_metadata(const struct yl_object *object, const struct yl_object_head *head)
{
    if (head->without_managed_fields && object->managed_fields) {
        return object->managed_fields > 1;
    }
    return object->metadata_end > 1 || object->flags & YL_OBJECT_SHARED;
}
