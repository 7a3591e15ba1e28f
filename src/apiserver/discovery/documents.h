#ifndef APISERVER_DISCOVERY_DOCUMENTS_H
#define APISERVER_DISCOVERY_DOCUMENTS_H 1

/* Documents: rendered once and served many times.
 *
 *     registry -> render -> [document] -> many answers, lent
 *
 * Discovery and OpenAPI change when the registry does, and are requested in
 * bursts: each client reads them all when it starts.  A document is rendered
 * on the first request, kept while it is used, and dropped when it was not
 * requested for a while: OpenAPI is megabytes that an idle server does not
 * need.  Its ETag is remembered longer, because indexes contain the ETags of
 * other documents.
 *
 * Guarantees
 * ==========
 *
 *   - A document never changes.  It lives until its last user drops it, even
 *     if the registry has changed.
 *
 *   - Its ETag is a hash of its bytes: equal documents have equal ones, also
 *     across restarts.
 *
 *   - The lock is not held while rendering; two threads that ask at the same
 *     time may both render.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread, except that
 * yl_documents_free() must come last. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "yuloh/clock.h"
#include "yuloh/str.h"

struct yl_documents;

/* How long an unused document is kept, and how long its ETag. */
#define YL_DOCUMENT_IDLE ((yl_msec) 60 * 1000)
#define YL_DOCUMENT_FORGET ((yl_msec) 60 * 60 * 1000)

/* Room for an ETag with its quotes: a hash of 128 digits. */
#define YL_ETAG_SIZE 131

/* The largest document. */
#define YL_DOCUMENT_MAX_SIZE ((size_t) 256 << 20)

struct yl_document {
    struct yl_str body;
    char etag[YL_ETAG_SIZE];    /* With its quotes. */
};

struct yl_documents *yl_documents_new(struct yl_clock *);
void yl_documents_free(struct yl_documents *);

/* Appends the document; false if there is none of that name. */
typedef bool yl_document_render_fn(struct yl_buf *, void *aux);

/* The document called 'name' as of 'stamp', which distinguishes it from older
 * ones; rendered if necessary.  NULL if there is none, or if it would be too
 * large.  The caller drops it with yl_document_unref(). */
const struct yl_document *yl_documents_get(struct yl_documents *,
                                           struct yl_str name, uint64_t stamp,
                                           yl_document_render_fn *render,
                                           void *aux);
void yl_document_unref(const struct yl_document *);

/* The ETag alone: the document is rendered if it is not known, but not kept.
 * False if there is none. */
bool yl_documents_etag(struct yl_documents *, struct yl_str name,
                       uint64_t stamp, yl_document_render_fn *render,
                       void *aux, char ret_etag[YL_ETAG_SIZE]);

/* Drops documents that were not requested for a while.  Call it regularly. */
void yl_documents_sweep(struct yl_documents *);

/* How many there are, and their bytes; for metrics and tests. */
size_t yl_documents_count(struct yl_documents *, size_t *ret_bytes);

#endif /* apiserver/discovery/documents.h */
