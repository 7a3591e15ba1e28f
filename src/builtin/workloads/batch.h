#ifndef BUILTIN_WORKLOADS_BATCH_H
#define BUILTIN_WORKLOADS_BATCH_H 1

/* The parts of a Job's validation. */

#include "builtin/common/checks.h"
#include "builtin/go/go_value.h"

/* batch_validate.c: the objects and specs, of new ones and of old ones.  Jobs
 * of old may do without the labels whose names have a prefix. */
void yl_check_job(struct yl_check *, const struct yl_node *object,
                  bool prefixed);
void yl_check_job_spec(struct yl_check *, const struct yl_at *spec);
void yl_check_cron_job_spec(struct yl_check *, const struct yl_at *spec);

/* batch_policies.c: when a Job has failed or succeeded, and when a Pod is
 * replaced. */
void yl_check_job_policies(struct yl_check *, const struct yl_at *spec);


/* "1,3-5,7", all below 'completions': NULL and how many, or what is wrong. */
const char *yl_job_indexes(struct yl_check *, struct yl_str,
                           int64_t completions, int64_t *ret_total);

/* Do two such texts have an index in common?  What cannot be read has none. */
bool yl_job_indexes_overlap(struct yl_check *, struct yl_str, struct yl_str,
                            int64_t completions, int64_t *ret_index);

#endif /* builtin/workloads/batch.h */
