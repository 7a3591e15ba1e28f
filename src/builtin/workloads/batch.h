#ifndef BUILTIN_WORKLOADS_BATCH_H
#define BUILTIN_WORKLOADS_BATCH_H 1

/* The parts of a Job's validation. */

#include "builtin/common/checks.h"
#include "builtin/go/go_value.h"

/* batch_validate.c: objects and specs, for creation and for updates.  Jobs
 * from old versions may lack the labels with a prefix in their names
 * ('prefixed' is false). */
void yl_check_job(struct yl_check *, const struct yl_node *object,
                  bool prefixed);
void yl_check_job_spec(struct yl_check *, const struct yl_at *spec);
void yl_check_cron_job_spec(struct yl_check *, const struct yl_at *spec);

/* batch_policies.c: the policies for failure, for success, and for replacing
 * Pods. */
void yl_check_job_policies(struct yl_check *, const struct yl_at *spec);


/* Reads "1,3-5,7", all below 'completions'.  Returns NULL and stores their
 * number, or returns what is wrong. */
const char *yl_job_indexes(struct yl_check *, struct yl_str,
                           int64_t completions, int64_t *ret_total);

/* Whether two such texts have an index in common.  Malformed parts have
 * none. */
bool yl_job_indexes_overlap(struct yl_check *, struct yl_str, struct yl_str,
                            int64_t completions, int64_t *ret_index);

#endif /* builtin/workloads/batch.h */
