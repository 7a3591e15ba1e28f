#ifndef APISERVER_ANSWER_GZIP_H
#define APISERVER_ANSWER_GZIP_H 1

/* Gzip: bytes in pieces in, fewer bytes out.
 *
 * The level is the fastest one: lists of objects shrink to about a tenth with
 * it, and higher ones cost several times as much for little more.  Upstream
 * chose the same.
 *
 * Guarantees
 * ==========
 *
 *   - The memory is YL_GZIP_MEMORY at most, whatever comes in.
 *
 *   - What was added up to yl_gzip_finish() is one gzip member.
 *
 * Threads
 * =======
 *
 * A compressor belongs to one thread at a time. */

#include <stddef.h>

#include "yuloh/str.h"

struct yl_buf;
struct yl_gzip;

/* The memory of one compressor: zlib's window, hash chains and symbols. */
#define YL_GZIP_MEMORY ((size_t) 272 << 10)

struct yl_gzip *yl_gzip_new(void);
void yl_gzip_free(struct yl_gzip *);

/* Adds 'piece', and appends to 'out' what is ready; that may be nothing. */
void yl_gzip_add(struct yl_gzip *, struct yl_str piece, struct yl_buf *out);

/* Appends the rest.  Nothing may be added after that. */
void yl_gzip_finish(struct yl_gzip *, struct yl_buf *out);

#endif /* apiserver/answer/gzip.h */
