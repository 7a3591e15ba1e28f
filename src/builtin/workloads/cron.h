#ifndef BUILTIN_WORKLOADS_CRON_H
#define BUILTIN_WORKLOADS_CRON_H 1

/* Schedules of CronJobs.
 *
 *     minute hour day-of-month month day-of-week
 *
 * Fields are "*", "?", numbers, names (jan, mon), ranges and steps, with
 * commas between; or one of @yearly, @annually, @monthly, @weekly, @daily,
 * @midnight, @hourly, "@every 1h30m".  A schedule may begin with a time zone
 * (TZ=Zone, CRON_TZ=Zone). */

#include <stdbool.h>

#include "yuloh/error.h"
#include "yuloh/str.h"

/* 0, or YL_EINVALID with the message that upstream's parser has. */
int yl_cron_check(struct yl_str schedule, struct yl_error *err);

/* Whether the system has the time zone 'name'.  If it has no time zones at
 * all, any name is accepted. */
bool yl_time_zone_exists(struct yl_str name);

#endif /* builtin/workloads/cron.h */
