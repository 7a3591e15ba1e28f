#ifndef APISERVER_ANSWER_COMPRESS_H
#define APISERVER_ANSWER_COMPRESS_H 1

/* Compression: large answers are sent as gzip to clients that ask for it.
 *
 *     verb -> source -> [compress] -> net
 *
 * A client asks with "Accept-Encoding: gzip".  Answers larger than
 * YL_COMPRESS_MIN, or than the limit in the request, are compressed.  The
 * headers of an answer must be sent before its size is known, so the first
 * bytes of an answer in pieces are gathered until it is clear.
 *
 * Guarantees
 * ==========
 *
 *   - Answers that are not compressed are sent as if this code did not exist.
 *     For a client that does not ask for compression the cost is one look at
 *     the headers.
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
 * The same rules as for requests. */

#include <stdbool.h>
#include <stddef.h>

#include "net/http.h"

struct yl_api_request;

/* Answers up to this many bytes are not compressed, as in upstream. */
#define YL_COMPRESS_MIN ((size_t) 128 << 10)

/* Compressing this much takes about two milliseconds. */
#define YL_COMPRESS_TURN ((size_t) 256 << 10)

/* Whether the client asks for compression.  As in upstream, only the first
 * header counts, and q values are ignored. */
bool yl_compress_is_asked(const struct yl_api_request *);

/* Sends 'body', which is copied or, if 'lent', stays as long as the request's
 * arena; compressed if it is large enough and was asked for. */
void yl_compress_respond(struct yl_api_request *, int http_status,
                         const struct yl_http_header *headers,
                         size_t n_headers, struct yl_str body, bool lent);

/* Sends what a source has; compressed if it is large enough and was asked for.
 * If 'source' returns that it waits, it either has resumed the request, to let
 * other requests have their turn; or it waits for somebody else, has set the
 * request's 'cancel' and resumes the request later. */
void yl_compress_respond_source(struct yl_api_request *, int http_status,
                                const struct yl_http_header *headers,
                                size_t n_headers,
                                const struct yl_http_source *source,
                                void *aux);

#endif /* apiserver/answer/compress.h */
