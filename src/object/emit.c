/* From a block to bytes: a head and spans of the body.  See yuloh/object.h
 * and object/object.h for the contract and the layout. */

#include "object/object.h"

#include "base/arena.h"
#include "json/text.h"
#include "yuloh/error.h"

static size_t metadata_stop(const struct yl_object *,
                            const struct yl_object_head *);
static void write_head(const struct yl_object *, const struct yl_object_head *,
                       struct yl_buf *);
static size_t body_parts(const struct yl_object *,
                         const struct yl_object_head *, struct yl_str parts[]);

static const struct yl_object_head no_head;

struct yl_str
yl_object_json(const struct yl_object *object, struct yl_arena *arena,
               const struct yl_object_head *head)
{
    char space[YL_OBJECT_HEAD_SIZE];
    struct yl_str parts[YL_OBJECT_MAX_PARTS];
    struct yl_str json;
    struct yl_buf buf;
    size_t size = 0;
    int n = yl_object_parts(object, head, space, sizeof space, parts);
    char *p;
    int i;

    if (n < 0) {
        /* The head did not fit: it holds a name longer than Kubernetes
         * allows. */
        yl_buf_init(&buf, SIZE_MAX);
        yl_object_write(object, head, &buf);
        json = yl_arena_copy(arena, yl_buf_str(&buf));
        yl_buf_release(&buf);
        return json;
    }
    for (i = 0; i < n; i++) {
        size += parts[i].size;
    }
    json = yl_str_n(p = yl_arena_alloc(arena, size), size);
    for (i = 0; i < n; i++) {
        memcpy(p, parts[i].data, parts[i].size);
        p += parts[i].size;
    }
    return json;
}

void
yl_object_write(const struct yl_object *object,
                const struct yl_object_head *head, struct yl_buf *buf)
{
    struct yl_str parts[YL_OBJECT_MAX_PARTS];
    size_t i, n;

    head = head ? head : &no_head;
    n = body_parts(object, head, parts);
    write_head(object, head, buf);
    for (i = 0; i < n; i++) {
        yl_buf_append_str(buf, parts[i]);
    }
}

int
yl_object_parts(const struct yl_object *object,
                const struct yl_object_head *head, char *head_space,
                size_t size, struct yl_str parts[YL_OBJECT_MAX_PARTS])
{
    /* The buffer wraps the caller's bytes.  Its ceiling is its capacity, so it
     * never allocates. */
    struct yl_buf buf = {
        .data = head_space,
        .capacity = size,
        .ceiling = size,
    };

    head = head ? head : &no_head;
    write_head(object, head, &buf);
    if (yl_buf_error(&buf)) {
        return YL_ETOOBIG;
    }
    parts[0] = yl_buf_str(&buf);
    return 1 + (int) body_parts(object, head, parts + 1);
}

/* The offset where the written part of metadata ends. */
static size_t
metadata_stop(const struct yl_object *object,
              const struct yl_object_head *head)
{
    return head->without_managed_fields && object->managed_fields
           ? object->managed_fields : object->metadata_end;
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
        yl_buf_append_c(buf, metadata_stop(object, head) > 1 ? "\"," : "\"");
    }
}

/* What follows the head: one or two parts. */
static size_t
body_parts(const struct yl_object *object, const struct yl_object_head *head,
           struct yl_str parts[])
{
    size_t stop = metadata_stop(object, head);
    const char *text = object->text;

    if (head->metadata_only) {
        parts[0] = yl_str_range(text + 1, text + stop);
        parts[1] = YL_STR("}}");
        return 2;
    }
    if (stop == object->metadata_end) {
        parts[0] = yl_str_range(text + 1, text + object->size);
        return 1;
    }
    parts[0] = yl_str_range(text + 1, text + stop);
    parts[1] = yl_str_range(text + object->metadata_end, text + object->size);
    return 2;
}
