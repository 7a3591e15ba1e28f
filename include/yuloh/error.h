#ifndef YL_ERROR_H
#define YL_ERROR_H 1

/* Errors: one table that server, client and controller all read.
 *
 * Functions that can fail return an int: 0 or positive is success, negative is
 * one of the codes below.  Each code carries the HTTP status and the reason
 * that Kubernetes gives it on the wire, what a controller should do about it,
 * and a plain text.  So the server encodes with this table, the client decodes
 * with it and the worker decides with it.
 *
 * Details
 * =======
 *
 * Where a code is not enough, a function takes a last argument
 * 'struct yl_error *err', which may be NULL.  It is untouched on success.  On
 * failure it receives the code, one sentence that says what is wrong (and
 * where, and what to do, when that is known), and perhaps causes: one for each
 * field at fault.
 *
 * Ownership
 * =========
 *
 * A struct yl_error starts as zeros (YL_ERROR_INIT) and owns its strings.
 * yl_error_clear() frees them and makes it zeros again.  Setting an error that
 * is set already replaces it.
 *
 * Threads
 * =======
 *
 * The table is constant.  A struct yl_error belongs to one thread at a time.
 *
 * Usage
 * =====
 *
 *     struct yl_error err = YL_ERROR_INIT;
 *     if (yl_selector_parse(text, arena, &selector, &err) < 0) {
 *         fprintf(stderr, "%s\n", yl_error_message(&err));
 *         yl_error_clear(&err);
 *     } */

#include <stdarg.h>
#include <stddef.h>

#include "yuloh/clock.h"
#include "yuloh/compiler.h"
#include "yuloh/str.h"

YL_C_BEGIN

/* What a controller does with a key whose work ended in this error. */
enum yl_retry {
    YL_RETRY_NEVER,             /* The same again would fail the same way. */
    YL_RETRY_NOW,               /* Read again, then try at once. */
    YL_RETRY_BACKOFF,           /* After the key's own growing delay. */
    YL_RETRY_AS_TOLD,           /* After the delay the server named. */
    YL_RETRY_RELIST,            /* Start over from a fresh list. */
};

/* X(name, HTTP status, reason, retry policy, text)
 *
 * Order matters: a Status from the wire is read as the first row with its
 * reason or, if there is none, with its HTTP status.  Rows are only ever added
 * at the end, because the code is the row's number. */
#define YL_ERRORS(X)                                                          \
    X(NOTFOUND, 404, "NotFound", BACKOFF, "object not found")                 \
    X(CONFLICT, 409, "Conflict", NOW, "object has changed")                   \
    X(EXISTS, 409, "AlreadyExists", BACKOFF, "object already exists")         \
    X(GONE, 410, "Gone", RELIST, "resource is gone")                          \
    X(EXPIRED, 410, "Expired", RELIST, "revision is too old")                 \
    X(INVALID, 422, "Invalid", NEVER, "object is invalid")                    \
    X(BADREQUEST, 400, "BadRequest", NEVER, "request is malformed")           \
    X(UNAUTHORIZED, 401, "Unauthorized", BACKOFF, "not authenticated")        \
    X(FORBIDDEN, 403, "Forbidden", BACKOFF, "not allowed")                    \
    X(METHOD, 405, "MethodNotAllowed", NEVER, "method not allowed here")      \
    X(NOTACCEPTABLE, 406, "NotAcceptable", NEVER,                             \
      "no representation that the client accepts")                            \
    X(MEDIATYPE, 415, "UnsupportedMediaType", NEVER,                          \
      "media type is not supported")                                          \
    X(TOOBIG, 413, "RequestEntityTooLarge", NEVER, "too large")               \
    X(THROTTLED, 429, "TooManyRequests", AS_TOLD, "server is throttling")     \
    X(INTERNAL, 500, "InternalError", BACKOFF, "internal error")              \
    X(UNAVAILABLE, 503, "ServiceUnavailable", BACKOFF, "server unavailable")  \
    X(SERVERTIMEOUT, 500, "ServerTimeout", AS_TOLD,                           \
      "server could not finish in time")                                      \
    X(TIMEOUT, 504, "Timeout", BACKOFF, "timed out")                          \
    X(STOREREAD, 500, "StorageReadError", BACKOFF, "storage is unreadable")   \
    X(SYNTAX, 400, "BadRequest", NEVER, "text is malformed")                  \
    X(TRUNCATED, 400, "BadRequest", NEVER, "text ends too early")             \
    X(TOODEEP, 400, "BadRequest", NEVER, "nested too deeply")                 \
    X(DUPLICATE, 400, "BadRequest", NEVER, "member is repeated")              \
    X(RANGE, 400, "BadRequest", NEVER, "number is out of range")              \
    X(TYPE, 400, "BadRequest", NEVER, "value has another type")               \
    X(TESTFAILED, 422, "Invalid", NEVER, "test operation failed")             \
    X(CANCELED, 499, "", NEVER, "canceled")                                   \
    X(IO, 500, "InternalError", BACKOFF, "input or output failed")            \
    X(NOSYS, 501, "NotImplemented", NEVER, "not supported here")

enum yl_error_row {
#define YL_ERROR_ROW(NAME, STATUS, REASON, RETRY, TEXT) YL_ERROR_ROW_##NAME,
    YL_ERRORS(YL_ERROR_ROW)
#undef YL_ERROR_ROW
    YL_N_ERRORS
};

/* The codes, YL_ENOTFOUND and so on.  Their numbers are far from those of
 * errno. */
enum yl_error_code {
#define YL_ERROR_CODE(NAME, STATUS, REASON, RETRY, TEXT) \
    YL_E##NAME = -10001 - YL_ERROR_ROW_##NAME,
    YL_ERRORS(YL_ERROR_CODE)
#undef YL_ERROR_CODE
};

/* One field at fault, as in a Status' details.causes. */
struct yl_cause {
    char *reason;               /* "FieldValueInvalid", ... */
    char *message;
    char *field;                /* "spec.replicas". */
};

struct yl_error {
    int code;                   /* 0 or YL_E... */
    char *message;              /* NULL: use the table's text. */
    struct yl_cause *causes;
    size_t n_causes;
    yl_msec retry_after;        /* For YL_RETRY_AS_TOLD; 0 if not told. */
};

#define YL_ERROR_INIT { 0, NULL, NULL, 0, 0 }

/* What the table says of 'code'.  A code that is not in the table (0 and
 * positive ones included) reads as YL_EINTERNAL. */
const char *yl_error_name(int code);            /* "ENOTFOUND" */
const char *yl_error_text(int code);
const char *yl_error_reason(int code);
int yl_error_http_status(int code);
enum yl_retry yl_error_retry(int code);

/* The code for an HTTP status and a Kubernetes reason.  'reason' may be empty
 * or unknown: then the status alone decides, and one without a row of its own
 * reads as YL_EBADREQUEST (4xx) or YL_EINTERNAL (everything else). */
int yl_error_from_wire(int http_status, struct yl_str reason);

/* Fills in '*err', if 'err' is not NULL, and returns 'code', so that a
 * function can end in "return yl_error_set(err, YL_EINVALID, ...)". */
int yl_error_set(struct yl_error *err, int code, const char *format, ...)
    YL_PRINTF(3, 4);
int yl_error_vset(struct yl_error *err, int code, const char *format,
                  va_list args) YL_PRINTF(3, 0);

/* Puts "PREFIX: " before the message of an error that is set. */
void yl_error_prefix(struct yl_error *err, const char *format, ...)
    YL_PRINTF(2, 3);

/* Adds a cause.  At most YL_MAX_CAUSES are kept; more are dropped. */
#define YL_MAX_CAUSES 1024
void yl_error_add_cause(struct yl_error *err, struct yl_str reason,
                        struct yl_str message, struct yl_str field);

/* The message, or the table's text when there is none.  Never NULL; lent
 * until 'err' changes. */
const char *yl_error_message(const struct yl_error *err);

/* Frees what 'err' owns and makes it zeros.  NULL is fine. */
void yl_error_clear(struct yl_error *err);

YL_C_END

#endif /* yuloh/error.h */
