#ifndef JSON_SPLIT_H
#define JSON_SPLIT_H 1

/* Splitter: cuts a stream of JSON into values while its bytes arrive.
 *
 *     socket -> [splitter] -> one object's bytes -> block
 *
 * There are two kinds of stream:
 *
 *   - frames: values one after the other, with or without blanks between, as
 *     in the answer to a watch;
 *   - a list: one object whose member "items" is an array of objects.  Each of
 *     those is a value.  Everything else of the list is its envelope, which
 *     can be read at the end.
 *
 * Guarantees
 * ==========
 *
 *   - Pieces may be of any size; the values do not depend on it.
 *
 *   - No byte is scanned twice, and whole values are neither moved nor copied:
 *     the caller reads from its socket into the splitter's buffer, and the
 *     values point into it.  Or the caller lends a text that it has already.
 *
 *   - A value ends where its brackets close.  It is not validated: if the
 *     sender is not trusted, call yl_json_validate() on it.  The envelope is
 *     validated.
 *
 *   - Memory is bounded by the largest value that is allowed.
 *
 * Ownership
 * =========
 *
 * A value is lent until the next yl_splitter_reserve() or
 * yl_splitter_feed().
 *
 * Usage
 * =====
 *
 *     yl_splitter_init(&s, YL_SPLIT_LIST, 0);
 *     do {
 *         ssize_t n = read(fd, yl_splitter_reserve(&s, 65536), 65536);
 *         ...
 *         if (n > 0) {
 *             yl_splitter_commit(&s, n);
 *         } else {
 *             yl_splitter_finish(&s);
 *         }
 *         while ((r = yl_splitter_next(&s, &value, &err)) == YL_SPLIT_VALUE) {
 *             ...
 *         }
 *     } while (r == YL_SPLIT_MORE); */

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "json/bits.h"
#include "yuloh/str.h"

struct yl_error;

enum yl_split_mode {
    YL_SPLIT_FRAMES,
    YL_SPLIT_LIST,
};

enum yl_split_result {
    YL_SPLIT_MORE,              /* Needs more bytes. */
    YL_SPLIT_VALUE,             /* Here is a value. */
    YL_SPLIT_END,               /* The stream is finished and complete. */
};

/* The most that yl_splitter_reserve() can be asked for. */
#define YL_SPLIT_MAX_PIECE ((size_t) 1 << 20)

/* The members are private. */
struct yl_splitter {
    struct yl_buf buf;          /* Own bytes; unused over a lent text. */
    const char *data;           /* The bytes: 'buf' or the lent text. */
    size_t size;
    size_t start;               /* Of the value that is being scanned. */
    size_t at;                  /* Next byte to scan. */
    size_t max_value;
    size_t depth;               /* Open brackets of the value or envelope. */
    struct yl_bits_state bits;
    struct yl_buf envelope;     /* Of a list: all bytes but the items. */
    size_t key_start, key_end;  /* Last string at depth 1, in 'envelope'. */
    int error;                  /* The error to repeat, or 0. */
    unsigned char mode;
    unsigned char state;
    bool lent;
    bool finished;
    bool in_string, escaped;    /* In the envelope. */
    bool comma;                 /* A comma stands before the next item. */
    bool any_items;             /* The items array had one already. */
};

/* 'max_value' is the ceiling on one value's size; 0 is 64 MB. */
void yl_splitter_init(struct yl_splitter *, enum yl_split_mode,
                      size_t max_value);

/* The same over a whole text that is lent until the release; there is nothing
 * to reserve, feed or finish. */
void yl_splitter_init_over(struct yl_splitter *, enum yl_split_mode,
                           size_t max_value, struct yl_str text);
void yl_splitter_release(struct yl_splitter *);

/* Room for 'n' bytes (1 to YL_SPLIT_MAX_PIECE); then the number that came.
 * Take all values out with yl_splitter_next() before the next call. */
char *yl_splitter_reserve(struct yl_splitter *, size_t n);
void yl_splitter_commit(struct yl_splitter *, size_t n);

/* Both at once, for up to YL_SPLIT_MAX_PIECE bytes that are elsewhere. */
void yl_splitter_feed(struct yl_splitter *, struct yl_str bytes);

/* No more bytes will come. */
void yl_splitter_finish(struct yl_splitter *);

/* The next value: YL_SPLIT_VALUE and '*ret_value', or another
 * yl_split_result, or YL_ESYNTAX, YL_ETRUNCATED (the stream ended inside a
 * value or a list) or YL_ETOOBIG, after which the splitter only repeats
 * the error. */
int yl_splitter_next(struct yl_splitter *, struct yl_str *ret_value,
                     struct yl_error *err);

/* After YL_SPLIT_END of a list: the list without its items, valid JSON in
 * which "items" is an empty array.  Lent until the release. */
struct yl_str yl_splitter_envelope(const struct yl_splitter *);

/* Bytes that were committed but belong to no value yet. */
size_t yl_splitter_pending(const struct yl_splitter *);

#endif /* json/split.h */
