#ifndef YL_STATUS_H
#define YL_STATUS_H 1

/* Status: how an API server says that something went wrong, or well.
 *
 *     {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",
 *      "message":"pods \"web-0\" not found","reason":"NotFound",
 *      "details":{"name":"web-0","kind":"pods"},"code":404}
 *
 * The error table (yuloh/error.h) gives each code its reason and HTTP status.
 * A server makes a status with one of the functions below, in the words that
 * clients of Kubernetes know, and writes it; a client parses it and acts on
 * the code.
 *
 * Guarantees
 * ==========
 *
 *   - What was parsed and is written again is the same, reasons and HTTP
 *     statuses that the table does not know included; only what was absent (a
 *     message, a code) is filled in from the table, a success has no reason,
 *     and messages end at a NUL.
 *
 *   - What is written is JSON, whatever bytes a message holds: those that are
 *     not UTF-8 become U+FFFD.
 *
 * Ownership
 * =========
 *
 * A struct yl_status starts as zeros (YL_STATUS_INIT) and owns its strings.
 * yl_status_clear() frees them.  Making or parsing into one that is set
 * replaces it.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread; a status belongs to one at a
 * time.
 *
 * Usage
 * =====
 *
 *     struct yl_status status = YL_STATUS_INIT;
 *     yl_status_not_found(&status, pods, YL_STR("web-0"));
 *     send(yl_status_json(&status, arena));
 *     yl_status_clear(&status); */

#include <stdbool.h>

#include "yuloh/compiler.h"
#include "yuloh/error.h"
#include "yuloh/gvk.h"
#include "yuloh/str.h"

YL_C_BEGIN

struct yl_arena;

struct yl_status {
    struct yl_error error;      /* Its code is 0 for "Success". */

    /* NULL, 0 and false mean "nothing to say". */
    int http_status;            /* Else the table's, if it failed. */
    char *reason;               /* Else the table's. */
    char *name;                 /* What the details name. */
    char *group;
    char *kind;                 /* Often really the resource. */
    char *uid;
    char *continue_;            /* metadata.continue: how to go on with a list
                                 * whose pages have expired. */
    bool has_details;           /* Write details even if they are empty. */
};

#define YL_STATUS_INIT \
    { YL_ERROR_INIT, 0, NULL, NULL, NULL, NULL, NULL, NULL, false }

/* Frees what the status owns and makes it zeros.  NULL is fine. */
void yl_status_clear(struct yl_status *);

/* The HTTP status of the answer that carries it: 200 for a success that names
 * none. */
int yl_status_http(const struct yl_status *);

/* JSON
 * ==== */

/* Reads a Status, successful or not.  YL_ETYPE if 'json' is some other
 * object, or the errors of yl_json_validate().  A failure gets its code by
 * its reason, else by its HTTP status; of the causes the first
 * YL_MAX_CAUSES are kept. */
int yl_status_parse(struct yl_str json, struct yl_status *ret_status,
                    struct yl_error *err);

/* The Status' text, in 'arena', its members in kube-apiserver's order. */
struct yl_str yl_status_json(const struct yl_status *, struct yl_arena *arena);

/* Moves '*err' into the status, which says no more than that then. */
void yl_status_take_error(struct yl_status *, struct yl_error *err);

/* In upstream's words
 * ===================
 *
 * Each makes a failed status and returns its code.  Versions are not looked
 * at.  Arguments called 'why' end the sentence. */

int yl_status_not_found(struct yl_status *, struct yl_gvr, struct yl_str name);
int yl_status_exists(struct yl_status *, struct yl_gvr, struct yl_str name);

/* A null 'why' is the usual one: the object has been modified. */
int yl_status_conflict(struct yl_status *, struct yl_gvr, struct yl_str name,
                       struct yl_str why);
int yl_status_forbidden(struct yl_status *, struct yl_gvr, struct yl_str name,
                        struct yl_str why);
int yl_status_method_not_supported(struct yl_status *, struct yl_gvr,
                                   struct yl_str action);
int yl_status_server_timeout(struct yl_status *, struct yl_gvr,
                             struct yl_str operation, int retry_seconds);

/* What is wrong stands in the causes of 'faults', one for each field. */
int yl_status_invalid(struct yl_status *, struct yl_gvk, struct yl_str name,
                      const struct yl_error *faults);

/* These name no object. */
int yl_status_unauthorized(struct yl_status *, struct yl_str why);
int yl_status_bad_request(struct yl_status *, struct yl_str why);
int yl_status_expired(struct yl_status *, struct yl_str why);
int yl_status_unavailable(struct yl_status *, struct yl_str why);
int yl_status_internal(struct yl_status *, struct yl_str why);
int yl_status_timeout(struct yl_status *, struct yl_str why,
                      int retry_seconds);
int yl_status_too_many_requests(struct yl_status *, struct yl_str why,
                                int retry_seconds);
int yl_status_too_large(struct yl_status *, struct yl_str why);

/* A success: what was done to 'name', as after a delete.  Returns 0. */
int yl_status_success(struct yl_status *, struct yl_gvr, struct yl_str name,
                      struct yl_str uid);

YL_C_END

#endif /* yuloh/status.h */
