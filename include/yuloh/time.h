#ifndef YL_TIME_H
#define YL_TIME_H 1

/* API times: moments on the calendar, as objects carry them, and durations.
 *
 *     creationTimestamp: "2026-01-31T12:00:00Z"           Time
 *     renewTime: "2026-01-31T12:00:00.000000Z"            MicroTime
 *     timeout: 1m30s                                      Duration
 *
 * Loop times, deadlines and delays are something else; see yuloh/clock.h.
 *
 * Guarantees
 * ==========
 *
 *   - What Go's time package reads as RFC 3339 is read, what it refuses is
 *     refused, in its words.  So is a duration.
 *
 *   - What was read and is written again means the same moment, cut to whole
 *     seconds (Time) or microseconds (MicroTime), in UTC.
 *
 *   - Every value of the types is handled: sums and differences that would
 *     overflow stop at the ends of the range.
 *
 * Threads
 * =======
 *
 * Times are values; every function may be called from any thread.
 *
 * Usage
 * =====
 *
 *     struct yl_time created;
 *     char age[YL_DURATION_TEXT_SIZE];
 *
 *     if (yl_time_parse(yl_object_created(pod), &created, err) == 0) {
 *         yl_duration_write_human(yl_time_sub(yl_time_now(), created), age);
 *         puts(age);
 *     } */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/compiler.h"
#include "yuloh/error.h"
#include "yuloh/str.h"

YL_C_BEGIN

struct yl_time {
    int64_t seconds;            /* Since 1970-01-01T00:00:00Z. */
    int32_t nanos;              /* 0 to 999,999,999. */
};

/* "No time": Go's zero time, 0001-01-01T00:00:00Z, which Kubernetes writes as
 * null. */
#define YL_TIME_ZERO_SECONDS INT64_C(-62135596800)

static inline struct yl_time
yl_time_zero(void)
{
    struct yl_time t;

    t.seconds = YL_TIME_ZERO_SECONDS;
    t.nanos = 0;
    return t;
}

static inline bool
yl_time_is_zero(struct yl_time t)
{
    return t.seconds == YL_TIME_ZERO_SECONDS && t.nanos == 0;
}

/* The time of day by the system's clock. */
struct yl_time yl_time_now(void);

/* Reads a Time, with or without a fraction of a second, or a MicroTime, which
 * must have six digits behind the point.  YL_EINVALID if it is malformed or
 * no moment of the calendar (there is no second 60). */
int yl_time_parse(struct yl_str, struct yl_time *ret_time,
                  struct yl_error *err);
int yl_micro_time_parse(struct yl_str, struct yl_time *ret_time,
                        struct yl_error *err);

/* Writes the text of a Time or a MicroTime and a NUL, and returns the size
 * without the NUL. */
#define YL_TIME_TEXT_SIZE 48
size_t yl_time_write(struct yl_time, char text[YL_TIME_TEXT_SIZE]);
size_t yl_micro_time_write(struct yl_time, char text[YL_TIME_TEXT_SIZE]);

/* Negative, 0 or positive, as 'a' is before, at or after 'b'. */
int yl_time_compare(struct yl_time a, struct yl_time b);

/* 't' later by 'nanos', and the nanoseconds from 'b' to 'a'. */
struct yl_time yl_time_add(struct yl_time t, int64_t nanos);
int64_t yl_time_sub(struct yl_time a, struct yl_time b);

/* Durations are nanoseconds.  Their text is "1h2m3.5s", "-1.5ms", "0s". */
int yl_duration_parse(struct yl_str, int64_t *ret_nanos,
                      struct yl_error *err);

/* Writes a duration's text and a NUL and returns the size without the NUL:
 * the exact one, or the short one that tables show as an age ("5m30s", "3d4h",
 * "2y"; "<invalid>" for one below -1 s). */
#define YL_DURATION_TEXT_SIZE 32
size_t yl_duration_write(int64_t nanos, char text[YL_DURATION_TEXT_SIZE]);
size_t yl_duration_write_human(int64_t nanos,
                               char text[YL_DURATION_TEXT_SIZE]);

YL_C_END

#endif /* yuloh/time.h */
