/* Building a list, as many bytes at a time as the caller asks for.  See
 * yuloh/object_list.h for the contract.
 *
 * The writer always holds a text that is still to be copied: the head of the
 * list, an item, or the end. */

#include "yuloh/object_list.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "json/text.h"
#include "object/object.h"

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
    struct yl_buf text;         /* Still to be copied, */
    size_t at;                  /* from here on. */
};

static void write_head(struct yl_buf *, const struct yl_object_list_opts *);
static void copy_type(struct yl_object_list_writer *,
                      const struct yl_type_meta *);
static void advance(struct yl_object_list_writer *);

struct yl_object_list_writer *
yl_object_list_writer_new(const struct yl_object_list_opts *opts,
                          yl_object_list_next_fn *next, void *aux)
{
    struct yl_object_list_writer *writer = yl_zalloc(sizeof *writer);

    writer->next = next;
    writer->aux = aux;
    writer->item = opts->item;
    yl_buf_init(&writer->texts, SIZE_MAX);
    copy_type(writer, &opts->item.type);
    yl_buf_init(&writer->text, SIZE_MAX);
    write_head(&writer->text, opts);
    return writer;
}

void
yl_object_list_writer_free(struct yl_object_list_writer *writer)
{
    if (writer) {
        yl_buf_release(&writer->texts);
        yl_buf_release(&writer->text);
        free(writer);
    }
}

size_t
yl_object_list_writer_read(struct yl_object_list_writer *writer, char *space,
                           size_t size)
{
    size_t done = 0;

    while (done < size) {
        size_t n = writer->text.size - writer->at;

        if (n == 0) {
            advance(writer);
            n = writer->text.size;
            if (n == 0) {
                break;
            }
        }
        n = n < size - done ? n : size - done;
        memcpy(space + done, writer->text.data + writer->at, n);
        writer->at += n;
        done += n;
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

/* Writes the next text; an empty one when the list is complete. */
static void
advance(struct yl_object_list_writer *writer)
{
    const struct yl_object *object;

    yl_buf_clear(&writer->text);
    writer->at = 0;
    if (writer->state == END) {
        return;
    }
    writer->item.revision = 0;
    object = writer->next(writer->aux, &writer->item.revision);
    if (object) {
        if (writer->state == ITEMS) {
            yl_buf_append_char(&writer->text, ',');
        }
        yl_object_write(object, &writer->item, &writer->text);
        writer->state = ITEMS;
    } else {
        yl_buf_append_c(&writer->text, "]}");
        writer->state = END;
    }
}
