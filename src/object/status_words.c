/* Statuses in upstream's words, which clients and people know.  See
 * yuloh/status.h for the contract. */

#include "yuloh/status.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/quote.h"

static int fail(struct yl_status *, int code, struct yl_buf *message);
static int fail_plain(struct yl_status *, int code, const char *prefix,
                      struct yl_str why);
static void set_retry(struct yl_status *, int seconds);
static void set_details(struct yl_status *, struct yl_str group,
                        struct yl_str kind, struct yl_str name);
static void append_what(struct yl_buf *, struct yl_str group,
                        struct yl_str resource);
static void append_quoted(struct yl_buf *, struct yl_gvr, struct yl_str name);
static void append_faults(struct yl_buf *, const struct yl_error *faults);
static size_t *hash_faults(const struct yl_error *faults);
static bool is_repeated(const struct yl_error *faults, const size_t *hashes,
                        size_t i);
static char *dup_set(struct yl_str);

int
yl_status_not_found(struct yl_status *status, struct yl_gvr gvr,
                    struct yl_str name)
{
    struct yl_buf buf;

    yl_buf_init(&buf, SIZE_MAX);
    append_quoted(&buf, gvr, name);
    yl_buf_append_c(&buf, " not found");
    fail(status, YL_ENOTFOUND, &buf);
    set_details(status, gvr.group, gvr.resource, name);
    return YL_ENOTFOUND;
}

int
yl_status_exists(struct yl_status *status, struct yl_gvr gvr,
                 struct yl_str name)
{
    struct yl_buf buf;

    yl_buf_init(&buf, SIZE_MAX);
    append_quoted(&buf, gvr, name);
    yl_buf_append_c(&buf, " already exists");
    fail(status, YL_EEXISTS, &buf);
    set_details(status, gvr.group, gvr.resource, name);
    return YL_EEXISTS;
}

int
yl_status_conflict(struct yl_status *status, struct yl_gvr gvr,
                   struct yl_str name, struct yl_str why)
{
    struct yl_buf buf;

    if (yl_str_is_null(why)) {
        why = YL_STR("the object has been modified; please apply your changes "
                     "to the latest version and try again");
    }
    yl_buf_init(&buf, SIZE_MAX);
    yl_buf_append_c(&buf, "Operation cannot be fulfilled on ");
    append_quoted(&buf, gvr, name);
    yl_buf_append_c(&buf, ": ");
    yl_buf_append_str(&buf, why);
    fail(status, YL_ECONFLICT, &buf);
    set_details(status, gvr.group, gvr.resource, name);
    return YL_ECONFLICT;
}

int
yl_status_forbidden(struct yl_status *status, struct yl_gvr gvr,
                    struct yl_str name, struct yl_str why)
{
    struct yl_buf buf;

    yl_buf_init(&buf, SIZE_MAX);
    if (gvr.group.size || gvr.resource.size) {
        if (name.size) {
            append_quoted(&buf, gvr, name);
        } else {
            append_what(&buf, gvr.group, gvr.resource);
        }
        yl_buf_append_c(&buf, " is ");
    }
    yl_buf_append_c(&buf, "forbidden: ");
    yl_buf_append_str(&buf, why);
    fail(status, YL_EFORBIDDEN, &buf);
    set_details(status, gvr.group, gvr.resource, name);
    return YL_EFORBIDDEN;
}

int
yl_status_method_not_supported(struct yl_status *status, struct yl_gvr gvr,
                               struct yl_str action)
{
    struct yl_buf buf, what;

    yl_buf_init(&buf, SIZE_MAX);
    yl_buf_init(&what, SIZE_MAX);
    append_what(&what, gvr.group, gvr.resource);
    yl_buf_append_str(&buf, action);
    yl_buf_append_c(&buf, " is not supported on resources of kind ");
    yl_quote(&buf, yl_buf_str(&what));
    yl_buf_release(&what);
    fail(status, YL_EMETHOD, &buf);
    set_details(status, gvr.group, gvr.resource, yl_str_null());
    return YL_EMETHOD;
}

int
yl_status_server_timeout(struct yl_status *status, struct yl_gvr gvr,
                         struct yl_str operation, int retry_seconds)
{
    struct yl_buf buf;

    yl_buf_init(&buf, SIZE_MAX);
    yl_buf_append_c(&buf, "The ");
    yl_buf_append_str(&buf, operation);
    yl_buf_append_c(&buf, " operation against ");
    append_what(&buf, gvr.group, gvr.resource);
    yl_buf_append_c(&buf, " could not be completed at this time, please try "
                          "again.");
    fail(status, YL_ESERVERTIMEOUT, &buf);
    set_details(status, gvr.group, gvr.resource, operation);
    set_retry(status, retry_seconds);
    return YL_ESERVERTIMEOUT;
}

int
yl_status_invalid(struct yl_status *status, struct yl_gvk gvk,
                  struct yl_str name, const struct yl_error *faults)
{
    struct yl_buf buf;
    size_t i;

    yl_buf_init(&buf, SIZE_MAX);
    append_what(&buf, gvk.group, gvk.kind);
    yl_buf_append_char(&buf, ' ');
    yl_quote_excerpt(&buf, name);
    yl_buf_append_c(&buf, " is invalid");
    append_faults(&buf, faults);
    fail(status, YL_EINVALID, &buf);
    set_details(status, gvk.group, gvk.kind, name);
    for (i = 0; i < faults->n_causes; i++) {
        const struct yl_cause *cause = &faults->causes[i];

        yl_error_add_cause(&status->error, yl_str_c(cause->reason),
                           yl_str_c(cause->message), yl_str_c(cause->field));
    }
    return YL_EINVALID;
}

int
yl_status_unauthorized(struct yl_status *status, struct yl_str why)
{
    return fail_plain(status, YL_EUNAUTHORIZED, "",
                      why.size ? why : YL_STR("not authorized"));
}

int
yl_status_bad_request(struct yl_status *status, struct yl_str why)
{
    return fail_plain(status, YL_EBADREQUEST, "", why);
}

int
yl_status_expired(struct yl_status *status, struct yl_str why)
{
    return fail_plain(status, YL_EEXPIRED, "", why);
}

int
yl_status_unavailable(struct yl_status *status, struct yl_str why)
{
    return fail_plain(status, YL_EUNAVAILABLE, "", why);
}

int
yl_status_internal(struct yl_status *status, struct yl_str why)
{
    fail_plain(status, YL_EINTERNAL, "Internal error occurred: ", why);
    yl_error_add_cause(&status->error, YL_STR(""), why, YL_STR(""));
    return YL_EINTERNAL;
}

int
yl_status_timeout(struct yl_status *status, struct yl_str why,
                  int retry_seconds)
{
    fail_plain(status, YL_ETIMEOUT, "Timeout: ", why);
    set_retry(status, retry_seconds);
    return YL_ETIMEOUT;
}

int
yl_status_too_many_requests(struct yl_status *status, struct yl_str why,
                            int retry_seconds)
{
    fail_plain(status, YL_ETHROTTLED, "", why);
    set_retry(status, retry_seconds);
    return YL_ETHROTTLED;
}

int
yl_status_too_large(struct yl_status *status, struct yl_str why)
{
    return fail_plain(status, YL_ETOOBIG, "Request entity too large: ", why);
}

int
yl_status_success(struct yl_status *status, struct yl_gvr gvr,
                  struct yl_str name, struct yl_str uid)
{
    yl_status_clear(status);
    set_details(status, gvr.group, gvr.resource, name);
    status->uid = dup_set(uid);
    return 0;
}

/* Resets the status to 'code' and the message in 'message', which is
 * released. */
static int
fail(struct yl_status *status, int code, struct yl_buf *message)
{
    yl_status_clear(status);
    status->error.code = code;
    status->error.message = yl_buf_detach(message);
    return code;
}

static int
fail_plain(struct yl_status *status, int code, const char *prefix,
           struct yl_str why)
{
    struct yl_buf buf;

    yl_buf_init(&buf, SIZE_MAX);
    yl_buf_append_c(&buf, prefix);
    yl_buf_append_str(&buf, why);
    return fail(status, code, &buf);
}

static void
set_retry(struct yl_status *status, int seconds)
{
    status->error.retry_after = (yl_msec) seconds * 1000;
    status->has_details = true;
}

static void
set_details(struct yl_status *status, struct yl_str group, struct yl_str kind,
            struct yl_str name)
{
    status->has_details = true;
    status->group = dup_set(group);
    status->kind = dup_set(kind);
    status->name = dup_set(name);
}

/* "deployments.apps". */
static void
append_what(struct yl_buf *buf, struct yl_str group, struct yl_str resource)
{
    yl_append_excerpt(buf, resource);
    if (group.size) {
        yl_buf_append_char(buf, '.');
        yl_append_excerpt(buf, group);
    }
}

/* deployments.apps "web". */
static void
append_quoted(struct yl_buf *buf, struct yl_gvr gvr, struct yl_str name)
{
    append_what(buf, gvr.group, gvr.resource);
    yl_buf_append_char(buf, ' ');
    yl_quote_excerpt(buf, name);
}

/* Appends ": FAULT" or ": [FAULT, FAULT]", each fault once. */
static void
append_faults(struct yl_buf *buf, const struct yl_error *faults)
{
    size_t *hashes = hash_faults(faults);
    size_t start = buf->size, n = 0;
    size_t i;

    for (i = 0; i < faults->n_causes; i++) {
        if (!is_repeated(faults, hashes, i)) {
            yl_buf_append_c(buf, n++ ? ", " : ": [");
            yl_buf_append_c(buf, faults->causes[i].field);
            yl_buf_append_c(buf, ": ");
            yl_buf_append_c(buf, faults->causes[i].message);
        }
    }
    free(hashes);
    if (n == 1) {
        /* A single fault has no brackets. */
        start += 2;
        memmove(buf->data + start, buf->data + start + 1,
                buf->size - start - 1);
        buf->size--;
    } else if (n > 1) {
        yl_buf_append_char(buf, ']');
    }
}

/* One hash for each fault, so that repetitions are found by comparing
 * numbers. */
static size_t *
hash_faults(const struct yl_error *faults)
{
    size_t *hashes = yl_malloc_array(faults->n_causes, sizeof *hashes);
    size_t i;

    for (i = 0; i < faults->n_causes; i++) {
        hashes[i] = yl_hash_u64(yl_hash_str(yl_str_c(faults->causes[i].field))
                                + 31 * yl_hash_str(
                                    yl_str_c(faults->causes[i].message)));
    }
    return hashes;
}

static bool
is_repeated(const struct yl_error *faults, const size_t *hashes, size_t i)
{
    const struct yl_cause *b = &faults->causes[i];
    size_t j;

    for (j = 0; j < i; j++) {
        const struct yl_cause *a = &faults->causes[j];

        if (hashes[j] == hashes[i] && !strcmp(a->field, b->field)
            && !strcmp(a->message, b->message)) {
            return true;
        }
    }
    return false;
}

/* A copy, of its start if it is long, or NULL if it is empty. */
static char *
dup_set(struct yl_str s)
{
    struct yl_buf buf;

    if (!s.size) {
        return NULL;
    }
    yl_buf_init(&buf, SIZE_MAX);
    yl_append_excerpt(&buf, s);
    return yl_buf_detach(&buf);
}
