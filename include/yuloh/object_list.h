#ifndef YL_OBJECT_LIST_H
#define YL_OBJECT_LIST_H 1

/* Lists: many objects in one answer, split and built piece by piece.
 *
 *     socket -> [reader] -> blocks           blocks -> [writer] -> socket
 *
 *     {"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"9",
 *      "continue":"...","remainingItemCount":2},"items":[{...},{...}]}
 *
 * Guarantees
 * ==========
 *
 *   - A list is never in memory as a whole: the reader hands out each item as
 *     soon as its last byte has come, the writer makes as many bytes as there
 *     is room for.
 *
 *   - Items do not depend on how the bytes were cut into pieces.
 *
 *   - An error that the server answers in place of a list comes back as that
 *     error.
 *
 * Ownership
 * =========
 *
 * Items that a reader hands out belong to the function that receives them,
 * which unrefs them.  Items that a writer is given are borrowed.
 *
 * Threads
 * =======
 *
 * A reader or writer belongs to one thread at a time.
 *
 * Usage
 * =====
 *
 *     struct yl_object_list_reader *reader
 *         = yl_object_list_reader_new(NULL, put_into_store, store);
 *     struct yl_list_page page;
 *     int r = 0;
 *
 *     while (r == 0 && (n = recv(fd, bytes, sizeof bytes, 0)) > 0) {
 *         r = yl_object_list_reader_feed(reader, yl_str_n(bytes, n), err);
 *     }
 *     if (r == 0) {
 *         r = yl_object_list_reader_finish(reader, &page, err);
 *     }
 *     ... while 'page' is used ...
 *     yl_object_list_reader_free(reader); */

#include <stddef.h>
#include <stdint.h>

#include "yuloh/compiler.h"
#include "yuloh/object.h"
#include "yuloh/str.h"

YL_C_BEGIN

struct yl_error;

/* What a list says about itself. */
struct yl_list_page {
    uint64_t revision;          /* 0 if there is none. */
    struct yl_str continue_;    /* Where the next page starts; empty if this
                                 * is the last. */
    int64_t remaining;          /* Items behind this page; 0 if not told. */
};

/* Reading
 * ======= */

struct yl_object_list_reader;

/* Receives an item and owns it from then on.  Returns 0, or an error that ends
 * the reading. */
typedef int yl_object_list_item_fn(void *aux, struct yl_object *item);

/* 'opts' are those for each item, and may be NULL; 'ret_type' is ignored. */
struct yl_object_list_reader *yl_object_list_reader_new(
    const struct yl_object_opts *opts, yl_object_list_item_fn *, void *aux);
void yl_object_list_reader_free(struct yl_object_list_reader *);

/* Takes bytes and hands out the items that they complete.  Use either
 * 'reserve', which gives room for 'n' bytes (1 to 1 MB), and then 'commit'
 * with the number of bytes that came; or 'feed' with bytes that are elsewhere.
 *
 * Errors are those of yl_object_ingest() and of the item function, or
 * YL_ESYNTAX, YL_ETRUNCATED and YL_ETOOBIG for the list around them.  After
 * one, the reader only repeats it. */
char *yl_object_list_reader_reserve(struct yl_object_list_reader *, size_t n);
int yl_object_list_reader_commit(struct yl_object_list_reader *, size_t n,
                                 struct yl_error *err);
int yl_object_list_reader_feed(struct yl_object_list_reader *, struct yl_str,
                               struct yl_error *err);

/* Call it when all bytes have come.  Stores the list's metadata, lent until
 * the reader is freed.  Also returns YL_ETYPE if the text was no list, or the
 * error of the Status that came in place of a list. */
int yl_object_list_reader_finish(struct yl_object_list_reader *,
                                 struct yl_list_page *ret_meta,
                                 struct yl_error *err);

/* Writing
 * ======= */

struct yl_object_list_writer;

struct yl_object_list_opts {
    struct yl_type_meta type;   /* Of the list: "v1", "PodList". */
    struct yl_list_page meta;
    struct yl_object_head item; /* Its revision is ignored. */
};

/* Returns the next item, lent until the next call, or NULL when there is no
 * more.  '*revision' is 0 at the call; set it to write another resourceVersion
 * than the one the item was received with. */
typedef const struct yl_object *yl_object_list_next_fn(void *aux,
                                                       uint64_t *revision);

/* The slices in 'opts' are copied. */
struct yl_object_list_writer *yl_object_list_writer_new(
    const struct yl_object_list_opts *opts, yl_object_list_next_fn *,
    void *aux);
void yl_object_list_writer_free(struct yl_object_list_writer *);

/* Writes the next bytes of the list, up to 'size', and returns their number:
 * less than 'size' only at the end, and 0 behind it. */
size_t yl_object_list_writer_read(struct yl_object_list_writer *, char *space,
                                  size_t size);

YL_C_END

#endif /* yuloh/object_list.h */
