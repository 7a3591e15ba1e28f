#ifndef APISERVER_AUTH_AUDIT_H
#define APISERVER_AUTH_AUDIT_H 1

/* Audit: who did what, in Kubernetes' form, one line of JSON for each event.
 *
 *     request -> policy -> event -> RequestReceived, ... -> log
 *
 * A request that the policy wants recorded has an event in its arena, which
 * grows as the request goes on and is written out at each stage.
 *
 * Guarantees
 * ==========
 *
 *   - A large request or answer cannot keep a request out of the log: an event
 *     that is too large for a line is written without its objects and marked
 *     with the annotation audit.k8s.io/truncated.
 *
 * Threads
 * =======
 *
 * An event belongs to its request; the rest may be used by any loop. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "apiserver/auth/audit_policy.h"
#include "apiserver/auth/authorize.h"
#include "yuloh/str.h"
#include "yuloh/time.h"

struct yl_arena;
struct yl_audit;
struct yl_error;
struct yl_user;

struct yl_audit_opts {
    const char *policy_file;    /* Without this and the log, nothing is
                                 * audited. */
    const char *log_path;
    size_t max_size;            /* As struct yl_audit_log_opts has them. */
    int max_backups;
    int max_age_days;
};

/* '*ret_audit' is NULL if the options ask for no audit. */
int yl_audit_new(const struct yl_audit_opts *, struct yl_audit **ret_audit,
                 struct yl_error *err);
void yl_audit_free(struct yl_audit *);

/* How many events were written so far, and how many the log dropped. */
void yl_audit_counts(struct yl_audit *, uint64_t *ret_written,
                     uint64_t *ret_dropped);

/* The event of one request.  Its strings are borrowed from the request or its
 * arena; empty parts are left out. */
struct yl_audit_event {
    struct yl_audit *audit;
    struct yl_arena *arena;
    struct yl_audit_decision decision;
    struct yl_str id;
    struct yl_attributes attributes;    /* Of the authenticated user. */
    struct yl_str uri;
    struct yl_str user_agent;
    const struct yl_str *sources;
    size_t n_sources;
    struct yl_time received;

    const struct yl_user *impersonated;
    struct yl_str constraint;   /* The verb that allowed impersonation. */
    struct yl_str decided;      /* "allow", "forbid". */
    struct yl_str reason;
    struct yl_str issued;       /* The id of the token that was made. */

    struct yl_str request;      /* The JSON that was sent. */
    struct yl_str api_version;  /* Its type, if the JSON does not say. */
    struct yl_str kind;
    int code;                   /* 0: not answered yet. */
    struct yl_str response;     /* JSON; a Status or an object. */
    bool long_running;
};

/* Makes the event of a request, or returns NULL if the policy does not record
 * it.  'attributes' is copied; its user may be NULL.  The caller fills in the
 * rest. */
struct yl_audit_event *yl_audit_event_new(struct yl_audit *,
                                          struct yl_arena *,
                                          const struct yl_attributes *);

/* Writes the event as it is now, unless the policy omits the stage. */
void yl_audit_event_write(const struct yl_audit_event *, enum yl_audit_stage);

#endif /* apiserver/auth/audit.h */
