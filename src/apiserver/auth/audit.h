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
 *   - Nobody hides by the size of what he sends or asks for: an event that is
 *     too large for a line is written without its objects, and says so
 *     (audit.k8s.io/truncated).
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
    const char *policy_file;    /* Without both there is no audit. */
    const char *log_path;
    size_t max_size;            /* As struct yl_audit_log_opts has them. */
    int max_backups;
    int max_age_days;
};

/* NULL in '*ret_audit' if there is none. */
int yl_audit_new(const struct yl_audit_opts *, struct yl_audit **ret_audit,
                 struct yl_error *err);
void yl_audit_free(struct yl_audit *);

/* How many events were written so far, and how many the log dropped. */
void yl_audit_counts(struct yl_audit *, uint64_t *ret_written,
                     uint64_t *ret_dropped);

/* One request's.  Everything is lent by it or its arena; empty parts are left
 * out. */
struct yl_audit_event {
    struct yl_audit *audit;
    struct yl_arena *arena;
    struct yl_audit_decision decision;
    struct yl_str id;
    struct yl_attributes attributes;    /* Of who authenticated. */
    struct yl_str uri;
    struct yl_str user_agent;
    const struct yl_str *sources;
    size_t n_sources;
    struct yl_time received;

    const struct yl_user *impersonated;
    struct yl_str constraint;   /* Of impersonation. */
    struct yl_str decided;      /* "allow", "forbid". */
    struct yl_str reason;

    struct yl_str request;      /* What was sent: JSON. */
    struct yl_str api_version;  /* What it is, if it does not say so itself. */
    struct yl_str kind;
    int code;                   /* 0: not answered yet. */
    struct yl_str response;     /* JSON; a Status or an object. */
    bool long_running;
};

/* The event of a request: NULL if it is not to be recorded.  'attributes' is
 * copied; its user may be NULL.  The caller fills in the rest. */
struct yl_audit_event *yl_audit_event_new(struct yl_audit *,
                                          struct yl_arena *,
                                          const struct yl_attributes *);

/* Writes the event as it is now, unless the policy omits the stage. */
void yl_audit_event_write(const struct yl_audit_event *, enum yl_audit_stage);

#endif /* apiserver/auth/audit.h */
