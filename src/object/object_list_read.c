/* Splitting a list into blocks.  See yuloh/object_list.h for the contract.
 *
 * The splitter (json/split.h) finds where items end; this file makes blocks of
 * the items and reads the rest of the list, without the items. */

#include "yuloh/object_list.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "json/split.h"
#include "object/object.h"
#include "yuloh/error.h"
#include "yuloh/status.h"

struct yl_object_list_reader {
    struct yl_splitter splitter;
    struct yl_object_opts opts; /* For each item. */
    yl_object_list_item_fn *item;
    void *aux;
    int error;                  /* The error to repeat, or 0. */
    struct yl_arena arena;      /* For a continue token with escapes. */
};

static int take_items(struct yl_object_list_reader *, struct yl_error *);
static int take_item(struct yl_object_list_reader *, struct yl_str json,
                     struct yl_error *);
static int read_envelope(struct yl_object_list_reader *,
                         struct yl_list_page *ret_meta, struct yl_error *);
static int take_status(struct yl_str json, struct yl_error *);

struct yl_object_list_reader *
yl_object_list_reader_new(const struct yl_object_opts *opts,
                          yl_object_list_item_fn *item, void *aux)
{
    struct yl_object_list_reader *reader = yl_zalloc(sizeof *reader);

    if (opts) {
        reader->opts = *opts;
        reader->opts.ret_type = NULL;
    }
    reader->item = item;
    reader->aux = aux;
    yl_splitter_init(&reader->splitter, YL_SPLIT_LIST, reader->opts.max_size);
    yl_arena_init(&reader->arena);
    return reader;
}

void
yl_object_list_reader_free(struct yl_object_list_reader *reader)
{
    if (reader) {
        yl_splitter_release(&reader->splitter);
        yl_arena_release(&reader->arena);
        free(reader);
    }
}

char *
yl_object_list_reader_reserve(struct yl_object_list_reader *reader, size_t n)
{
    return yl_splitter_reserve(&reader->splitter, n);
}

int
yl_object_list_reader_commit(struct yl_object_list_reader *reader, size_t n,
                             struct yl_error *err)
{
    /* After an error no values are taken out any more, so no bytes may be
     * added. */
    if (!reader->error) {
        yl_splitter_commit(&reader->splitter, n);
    }
    return take_items(reader, err);
}

int
yl_object_list_reader_feed(struct yl_object_list_reader *reader,
                           struct yl_str bytes, struct yl_error *err)
{
    int r = take_items(reader, err);

    while (r == 0 && bytes.size) {
        size_t n = bytes.size < YL_SPLIT_MAX_PIECE ? bytes.size
                                                   : YL_SPLIT_MAX_PIECE;

        yl_splitter_feed(&reader->splitter, yl_str_n(bytes.data, n));
        bytes = yl_str_skip(bytes, n);
        r = take_items(reader, err);
    }
    return r;
}

int
yl_object_list_reader_finish(struct yl_object_list_reader *reader,
                             struct yl_list_page *ret_meta,
                             struct yl_error *err)
{
    int r;

    if (!reader->error) {
        yl_splitter_finish(&reader->splitter);
    }
    r = take_items(reader, err);
    return r < 0 ? r : read_envelope(reader, ret_meta, err);
}

/* Hands out every item that is complete. */
static int
take_items(struct yl_object_list_reader *reader, struct yl_error *err)
{
    struct yl_str json;
    int r = reader->error;

    if (r < 0) {
        return yl_error_set(err, r, "the list could not be read");
    }
    while ((r = yl_splitter_next(&reader->splitter, &json, err))
           == YL_SPLIT_VALUE) {
        r = take_item(reader, json, err);
        if (r < 0) {
            break;
        }
    }
    reader->error = r < 0 ? r : 0;
    return reader->error;
}

static int
take_item(struct yl_object_list_reader *reader, struct yl_str json,
          struct yl_error *err)
{
    struct yl_object *object;
    int r = yl_object_ingest(json, &reader->opts, &object, err);

    if (r == 0) {
        r = reader->item(reader->aux, object);
        if (r < 0) {
            yl_error_set(err, r, "%s", yl_error_text(r));
        }
    } else {
        yl_error_prefix(err, "item of a list");
    }
    return r;
}

static int
read_envelope(struct yl_object_list_reader *reader,
              struct yl_list_page *ret_meta, struct yl_error *err)
{
    struct yl_str json = yl_splitter_envelope(&reader->splitter);
    struct yl_json root = yl_json(json);
    struct yl_json kind = yl_json_get(root, YL_STR("kind"));
    struct yl_json meta = yl_json_get(root, YL_STR("metadata"));
    struct yl_list_page found = { .revision = 0 };
    struct yl_str revision = YL_STR("");
    int r;

    if (yl_json_string_is(kind, YL_STR("Status"))) {
        return take_status(json, err);
    }
    if (!yl_json_exists(yl_json_get(root, YL_STR("items")))
        && !yl_str_ends_with(yl_json_raw(kind), YL_STR("List\""))) {
        return yl_error_set(err, YL_ETYPE, "the answer is not a list");
    }
    yl_json_string(yl_json_get(meta, YL_STR("resourceVersion")),
                   &reader->arena, &revision);
    r = yl_revision_parse(revision, &found.revision, err);
    if (r < 0) {
        return r;
    }
    yl_json_string(yl_json_get(meta, YL_STR("continue")), &reader->arena,
                   &found.continue_);
    yl_json_int64(yl_json_get(meta, YL_STR("remainingItemCount")),
                  &found.remaining);
    *ret_meta = found;
    return 0;
}

/* The error that a Status carries. */
static int
take_status(struct yl_str json, struct yl_error *err)
{
    struct yl_status status = YL_STATUS_INIT;
    int r = yl_status_parse(json, &status, err);

    if (r < 0) {
        return r;
    }
    r = status.error.code;
    if (r == 0) {
        r = yl_error_set(err, YL_ETYPE, "the answer is not a list");
    } else if (err) {
        yl_error_clear(err);
        *err = status.error;
        status.error = (struct yl_error) YL_ERROR_INIT;
    }
    yl_status_clear(&status);
    return r;
}
