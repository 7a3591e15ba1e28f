#ifndef APISERVER_VERBS_OPTIONS_H
#define APISERVER_VERBS_OPTIONS_H 1

/* Options of writes: what a query, or the body of a DELETE, asks for beside
 * the object.
 *
 *     ?dryRun=All&fieldManager=me&fieldValidation=Strict -> [options] -> verb
 *     {"kind":"DeleteOptions","propagationPolicy":...}   /
 *
 * These are upstream's CreateOptions, UpdateOptions, PatchOptions and
 * DeleteOptions, checked in its words.  Unknown parameters are ignored.
 *
 * Ownership
 * =========
 *
 * Strings are borrowed from the request; those of deletions, which may go on
 * when their client is gone, are copies in its arena. */

#include <stdbool.h>
#include <stdint.h>

#include "yuloh/str.h"

struct yl_api_request;
struct yl_arena;
struct yl_node;
struct yl_status;

/* What happens to members that the type does not have. */
enum yl_field_validation {
    YL_FIELDS_WARN,             /* A Warning for each. */
    YL_FIELDS_IGNORE,
    YL_FIELDS_STRICT,           /* The request is refused. */
};

enum yl_write_verb {
    YL_WRITE_CREATE,
    YL_WRITE_UPDATE,
    YL_WRITE_PATCH,
    YL_WRITE_APPLY,
};

struct yl_write_options {
    bool dry_run;
    bool force;                 /* Of an apply patch. */
    struct yl_str field_manager;    /* Empty: from the user agent. */
    enum yl_field_validation field_validation;
};

#define YL_FIELD_MANAGER_MAX 128

/* Reads and checks the options of a write.  0, or a code with the Status to
 * answer. */
int yl_write_options_read(const struct yl_api_request *, enum yl_write_verb,
                          struct yl_write_options *ret_options,
                          struct yl_status *);

struct yl_deletion_options {
    bool dry_run;
    bool has_grace_period;
    int64_t grace_period;       /* Seconds. */
    bool has_orphan;
    bool orphan;                /* orphanDependents, which is deprecated. */
    struct yl_str propagation;  /* "Orphan", "Background", "Foreground"; the
                                 * null slice if nothing is said. */
    struct yl_str uid;          /* Preconditions; the null slice for none. */
    struct yl_str resource_version;
};

/* Reads and checks the options of a DELETE: those of the body, or of the query
 * if it has none.  0, or a code with the Status to answer. */
int yl_delete_options_read(struct yl_api_request *,
                           struct yl_deletion_options *ret_options,
                           struct yl_status *);

/* The same for a tree that was decoded as DeleteOptions (an Eviction carries
 * some); the strings are copied to the arena. */
int yl_delete_options_from(struct yl_arena *, const struct yl_node *,
                           struct yl_deletion_options *ret_options,
                           struct yl_status *);

#endif /* apiserver/verbs/options.h */
