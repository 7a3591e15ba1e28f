/* Building a list, as many bytes at a time as the caller asks for.  See
 * yuloh/object_list.h for the contract.
 *
 * The writer always holds a few slices that are still to be copied: the head
 * of the list, an item (its body straight from the block), or the end. */

#include "yuloh/object_list.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "json/text.h"
#include "object/object.h"

/* An escaped byte takes six. */
#define MAX_ESCAPE 6

enum state {
    HEAD,                       /* Before the first item. */
    ITEMS,                      /* Behind at least one. */
    END,                        /* Behind the last one. */
};

struct yl_object_list_writer {
    yl_object_list_next_fn *next;
    void *aux;
    enum state state;
    struct yl_object_head item; /* Its slices point into 'texts'. */
    struct yl_buf texts;        /* apiVersion and kind of items. */
    struct yl_buf head;         /* Of the list. */

    struct yl_str parts[1 + YL_OBJECT_MAX_PARTS];   /* Still to be copied. */
    size_t n_parts;
    size_t at;                  /* The first that is not. */

    size_t space_size;
    char space[];               /* For the head of an item. */
};

static void write_head(struct yl_buf *, const struct yl_object_list_opts *);
static void copy_type(struct yl_object_list_writer *,
                      const struct yl_type_meta *);
static void advance(struct yl_object_list_writer *);

struct yl_object_list_writer *
yl_object_list_writer_new(const struct yl_object_list_opts *opts,
                          yl_object_list_next_fn *next, void *aux)
{
    const struct yl_type_meta *type = &opts->item.type;
    size_t space_size = YL_OBJECT_HEAD_SIZE
                        + MAX_ESCAPE * (type->api_version.size
                                        + type->kind.size);
    struct yl_object_list_writer *writer = yl_zalloc(sizeof *writer
                                                     + space_size);

    writer->next = next;
    writer->aux = aux;
    writer->space_size = space_size;
    writer->item = opts->item;
    yl_buf_init(&writer->texts, SIZE_MAX);
    copy_type(writer, type);
    yl_buf_init(&writer->head, SIZE_MAX);
    write_head(&writer->head, opts);
    writer->parts[writer->n_parts++] = yl_buf_str(&writer->head);
    return writer;
}

void
yl_object_list_writer_free(struct yl_object_list_writer *writer)
{
    if (writer) {
        yl_buf_release(&writer->texts);
        yl_buf_release(&writer->head);
        free(writer);
    }
}

size_t
yl_object_list_writer_read(struct yl_object_list_writer *writer, char *space,
                           size_t size)
{
    size_t done = 0;

    while (done < size) {
        struct yl_str *part;
        size_t n;

        if (writer->at == writer->n_parts) {
            advance(writer);
            if (writer->at == writer->n_parts) {
                break;
            }
        }
        part = &writer->parts[writer->at];
        n = part->size < size - done ? part->size : size - done;
        if (n) {
            memcpy(space + done, part->data, n);
        }
        done += n;
        *part = yl_str_skip(*part, n);
        writer->at += part->size == 0;
    }
    return done;
}

static void
write_head(struct yl_buf *buf, const struct yl_object_list_opts *opts)
{
    const char *comma = "";

    yl_buf_append_c(buf, "{\"kind\":");
    yl_json_write_string(buf, opts->type.kind);
    yl_buf_append_c(buf, ",\"apiVersion\":");
    yl_json_write_string(buf, opts->type.api_version);
    yl_buf_append_c(buf, ",\"metadata\":{");
    if (opts->meta.revision) {
        yl_buf_append_c(buf, "\"resourceVersion\":\"");
        yl_json_write_uint64(buf, opts->meta.revision);
        yl_buf_append_char(buf, '"');
        comma = ",";
    }
    if (opts->meta.continue_.size) {
        yl_buf_printf(buf, "%s\"continue\":", comma);
        yl_json_write_string(buf, opts->meta.continue_);
        comma = ",";
    }
    if (opts->meta.remaining) {
        yl_buf_printf(buf, "%s\"remainingItemCount\":", comma);
        yl_json_write_int64(buf, opts->meta.remaining);
    }
    yl_buf_append_c(buf, "},\"items\":[");
}

static void
copy_type(struct yl_object_list_writer *writer,
          const struct yl_type_meta *type)
{
    struct yl_type_meta *copy = &writer->item.type;

    yl_buf_append_str(&writer->texts, type->api_version);
    yl_buf_append_str(&writer->texts, type->kind);
    copy->api_version.data = writer->texts.data;
    copy->kind.data = writer->texts.data ? writer->texts.data
                                           + type->api_version.size : NULL;
}

/* Puts the next slices into 'parts'; none when the list is complete. */
static void
advance(struct yl_object_list_writer *writer)
{
    const struct yl_object *object;

    writer->n_parts = writer->at = 0;
    if (writer->state == END) {
        return;
    }
    writer->item.revision = 0;
    object = writer->next(writer->aux, &writer->item.revision);
    if (object) {
        if (writer->state == ITEMS) {
            writer->parts[writer->n_parts++] = YL_STR(",");
        }
        writer->n_parts += (size_t) yl_object_parts(
            object, &writer->item, writer->space, writer->space_size,
            writer->parts + writer->n_parts);
        writer->state = ITEMS;
    } else {
        writer->parts[writer->n_parts++] = YL_STR("]}");
        writer->state = END;
    }
}
