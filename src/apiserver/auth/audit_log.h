#ifndef APISERVER_AUTH_AUDIT_LOG_H
#define APISERVER_AUTH_AUDIT_LOG_H 1

/* Audit log: writes lines to a file from a thread of its own.
 *
 *     loops -> queue, bounded -> [thread "audit"] -> file -> older files
 *
 * A file that would grow beyond its size is renamed, "audit.log" to
 * "audit-2026-01-02T15-04-05.000.log", and a new one is begun.  Older files
 * are removed when they are too many or too old, as kube-apiserver does.
 *
 * Guarantees
 * ==========
 *
 *   - A line is whole and in one file.  Lines stand in the order in which
 *     they were added.
 *
 *   - Adding never waits for the disk.  When more than 'max_queue' bytes
 *     wait, lines are dropped, counted, and the count is logged.
 *
 *   - What was added before yl_audit_log_free() is written.
 *
 * Threads
 * =======
 *
 * Any thread may add. */

#include <stddef.h>
#include <stdint.h>

#include "yuloh/str.h"

struct yl_audit_log;
struct yl_error;

struct yl_audit_log_opts {
    const char *path;           /* "-": standard output. */
    size_t max_size;            /* Bytes of one file. [100 MB] */
    int max_backups;            /* Older files that are kept; 0: all. */
    int max_age_days;           /* 0: of any age. */
    size_t max_queue;           /* Bytes that wait. [64 MB] */
};

/* 0, YL_EIO if the file cannot be opened, or YL_EUNAVAILABLE. */
int yl_audit_log_new(const struct yl_audit_log_opts *,
                     struct yl_audit_log **ret_log, struct yl_error *err);
void yl_audit_log_free(struct yl_audit_log *);

/* Adds a line, which is copied and gets its line end. */
void yl_audit_log_add(struct yl_audit_log *, struct yl_str line);

/* How many lines did not fit. */
uint64_t yl_audit_log_dropped(struct yl_audit_log *);

#endif /* apiserver/auth/audit_log.h */
