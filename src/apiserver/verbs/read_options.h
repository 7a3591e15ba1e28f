#ifndef APISERVER_VERBS_READ_OPTIONS_H
#define APISERVER_VERBS_READ_OPTIONS_H 1

/* Options of get, list and watch, as Kubernetes reads them.
 *
 *     resourceVersion=N&resourceVersionMatch=Exact&limit=500&continue=... */

#include <stdbool.h>
#include <stdint.h>

#include "apiserver/request.h"
#include "apiserver/verbs/continue_token.h"
#include "yuloh/str.h"

struct yl_read_options {
    bool watch;

    struct yl_str match;        /* resourceVersionMatch. */
    bool has_revision;          /* "" has none; "0" has */
    uint64_t revision;          /* this one, which means any. */
    bool exact;                 /* Exactly the state of 'revision'. */

    int64_t limit;              /* 0: everything. */
    bool continued;             /* Go on at 'start' and 'revision' (0: now), */
    struct yl_continue_token token;     /* which this token has named. */
    struct yl_str start;        /* "NAMESPACE/NAME" or "NAME", by scope. */

    bool bookmarks;
    bool initial_events;        /* Watch: initial events first, */
    bool no_initial_events;     /* or explicitly none. */
    bool has_timeout;
    int64_t timeout_seconds;
};

/* Reads the options of a list or a watch, except the two that say where it
 * starts; the second function reads these, resourceVersion and continue.
 * Upstream checks selectors in between.  0, or a code with the Status. */
int yl_read_options_parse(struct yl_api_request *, bool watch,
                          struct yl_read_options *, struct yl_status *);
int yl_read_options_place(struct yl_api_request *, struct yl_read_options *,
                          struct yl_status *);

/* Checks the options of a get. */
int yl_read_options_get(struct yl_api_request *, struct yl_status *);

/* Checks that a name can be part of a path.  0 or YL_EBADREQUEST. */
int yl_read_name_check(struct yl_str name, struct yl_error *err);

/* The error for a revision that does not exist yet. */
int yl_read_too_new(const struct yl_api_request *, struct yl_status *,
                    uint64_t asked, uint64_t current);

#endif /* apiserver/verbs/read_options.h */
