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
    bool has_revision;          /* "0" and "" are told apart by this, */
    uint64_t revision;          /* and this: 0 means any. */
    bool exact;                 /* The very state of 'revision'. */

    int64_t limit;              /* 0: everything. */
    bool continued;             /* From 'start' on, at 'revision' (0: now), */
    struct yl_continue_token token;     /* as it says. */
    struct yl_str start;        /* "NAMESPACE/NAME" or "NAME", by scope. */

    bool bookmarks;
    bool initial_events;        /* Watch: the state first, */
    bool no_initial_events;     /* or, if it says so, not. */
    bool has_timeout;
    int64_t timeout_seconds;
};

/* Reads the options of a list or a watch, but for the two that say where it
 * starts; then those, resourceVersion and continue.  Upstream looks at
 * selectors in between.  0, or a code with the Status. */
int yl_read_options_parse(struct yl_api_request *, bool watch,
                          struct yl_read_options *, struct yl_status *);
int yl_read_options_place(struct yl_api_request *, struct yl_read_options *,
                          struct yl_status *);

/* Checks those of a get. */
int yl_read_options_get(struct yl_api_request *, struct yl_status *);

/* Is it a name that can stand in a path?  0 or YL_EBADREQUEST. */
int yl_read_name_check(struct yl_str name, struct yl_error *err);

/* The answer to a revision that does not exist yet. */
int yl_read_too_new(const struct yl_api_request *, struct yl_status *,
                    uint64_t asked, uint64_t current);

#endif /* apiserver/verbs/read_options.h */
