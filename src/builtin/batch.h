#ifndef BUILTIN_BATCH_H
#define BUILTIN_BATCH_H 1

/* The parts of a Job's validation. */

#include "builtin/checks.h"

/* batch_validate.c: the specs, of new objects and of old ones. */
void yl_check_job_spec(struct yl_check *, const struct yl_at *spec);
void yl_check_cron_job_spec(struct yl_check *, const struct yl_at *spec);

/* batch_policies.c: when a Job has failed or succeeded, and when a Pod is
 * replaced. */
void yl_check_job_policies(struct yl_check *, const struct yl_at *spec);

#endif /* builtin/batch.h */
