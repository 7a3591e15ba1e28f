#ifndef APISERVER_ANSWER_COMPRESS_H
#define APISERVER_ANSWER_COMPRESS_H 1

/* Compression: answers that are large go out as gzip to who asked for it.
 *
 *     verb -> source -> [compress] -> net
 *
 * "Accept-Encoding: gzip" asks, and what is larger than YL_COMPRESS_MIN, or
 * than the request says, is compressed.  The headers of an answer come before
 * its size is known, so the first bytes of an answer in pieces are gathered
 * until it is clear.
 *
 * Guarantees
 * ==========
 *
 *   - What is not compressed is sent as if this were not here; who does not
 *     ask for compression pays for a look at the headers.
 *
 *   - Memory: what was gathered (YL_COMPRESS_MIN and a piece), a piece, and
 *     YL_GZIP_MEMORY, which counts against the server's budget; if that is
 *     used up, the answer is not compressed.
 *
 *   - Other requests get their turn after YL_COMPRESS_TURN bytes.
 *
 * Threads
 * =======
 *
 * Like requests. */

#include <stdbool.h>
#include <stddef.h>

#include "net/http.h"

struct yl_api_request;

/* An answer of so many bytes is sent as it is; upstream has the same. */
#define YL_COMPRESS_MIN ((size_t) 128 << 10)

/* About two milliseconds of work. */
#define YL_COMPRESS_TURN ((size_t) 256 << 10)

/* Does the client want it?  The first header counts, and weights do not, as
 * upstream has it. */
bool yl_compress_is_asked(const struct yl_api_request *);

/* Sends 'body', which is copied or, if 'lent', stays as long as the request's
 * arena; compressed if it is large enough and was asked for. */
void yl_compress_respond(struct yl_api_request *, int http_status,
                         const struct yl_http_header *headers,
                         size_t n_headers, struct yl_str body, bool lent);

/* Sends what a source has; compressed if it is large enough and was asked for.
 * If 'source' waits, it must have resumed the request already: it only lets
 * others have their turn. */
void yl_compress_respond_source(struct yl_api_request *, int http_status,
                                const struct yl_http_header *headers,
                                size_t n_headers,
                                const struct yl_http_source *source,
                                void *aux);

#endif /* apiserver/answer/compress.h */
