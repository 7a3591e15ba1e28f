#ifndef YL_CLOCK_H
#define YL_CLOCK_H 1

/* Clocks: the monotonic one, and fake ones that a test moves by hand.
 *
 * Durations and loop times are milliseconds in a signed 64-bit integer.  They
 * say nothing about the calendar; API times are in yuloh/time.h.
 *
 * Objects that keep time have a clock among their options and borrow it, so
 * that a test can pass a fake one and move it by hand.  NULL means the
 * monotonic clock everywhere.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread, except that yl_clock_free()
 * must come last: a clock must outlive every thread that waits on it.  A
 * thread that moves a clock must hold no lock that a waiter needs to wake up.
 *
 * Usage
 * =====
 *
 *     struct yl_clock *clock = yl_clock_fake_new(0);
 *     ... give it to what is tested ...
 *     yl_clock_fake_advance(clock, 5000);
 *     ... see what five seconds later is different ...
 *     yl_clock_free(clock); */

#include <stdint.h>

#include "yuloh/compiler.h"

YL_C_BEGIN

typedef int64_t yl_msec;

#define YL_NEVER INT64_MAX

struct yl_clock;

/* Milliseconds since an arbitrary start.  Never goes back. */
yl_msec yl_now(struct yl_clock *);

/* A clock that stands still at 'start' until it is moved (it never goes back).
 * Moving it wakes every waiter, which then reads the time again. */
struct yl_clock *yl_clock_fake_new(yl_msec start);
void yl_clock_fake_advance(struct yl_clock *, yl_msec by);
void yl_clock_free(struct yl_clock *);

YL_C_END

#endif /* yuloh/clock.h */
