/* API times.  See yuloh/time.h for the contract.
 *
 * Reading follows a layout, element by element, as Go does, because Go accepts
 * more than RFC 3339 (one digit for the hour, a comma for the decimal point,
 * an offset of 24:60) and its messages name the element that failed. */

#include "yuloh/time.h"

#include <stdio.h>
#include <time.h>

#include "base/buf.h"
#include "base/quote.h"

#define NANOS_PER_SECOND 1000000000

/* How much of a malformed time a message repeats. */
#define MESSAGE_CEILING 4096

/* The parts of a time while it is read from text. */
struct parts {
    int64_t year;
    int month, day, hour, minute, second;
    int32_t nanos;
    int64_t offset;             /* East of Greenwich, in seconds. */
};

/* What is left to read, and what went wrong. */
struct reader {
    struct yl_str rest;
    const char *range;          /* Names the number out of range, or NULL. */
};

typedef bool read_fn(struct reader *, struct parts *);

static bool read_year(struct reader *, struct parts *);
static bool read_month(struct reader *, struct parts *);
static bool read_day(struct reader *, struct parts *);
static bool read_hour(struct reader *, struct parts *);
static bool read_minute(struct reader *, struct parts *);
static bool read_second(struct reader *, struct parts *);
static bool read_second_and_fraction(struct reader *, struct parts *);
static bool read_micros(struct reader *, struct parts *);
static bool read_zone(struct reader *, struct parts *);

struct element {
    char before;                /* Stands before it, unless 0. */
    const char *name;           /* In the layout, for messages. */
    read_fn *read;
};

static const struct element time_layout[] = {
    { 0, "2006", read_year },
    { '-', "01", read_month },
    { '-', "02", read_day },
    { 'T', "15", read_hour },
    { ':', "04", read_minute },
    { ':', "05", read_second_and_fraction },
    { 0, "Z07:00", read_zone },
    { 0, NULL, NULL },
};

static const struct element micro_time_layout[] = {
    { 0, "2006", read_year },
    { '-', "01", read_month },
    { '-', "02", read_day },
    { 'T', "15", read_hour },
    { ':', "04", read_minute },
    { ':', "05", read_second },
    { 0, ".000000", read_micros },
    { 0, "Z07:00", read_zone },
    { 0, NULL, NULL },
};

static int parse(struct yl_str, const struct element *, const char *layout,
                 struct yl_time *, struct yl_error *);
static int days_in(int month, int64_t year);
static int64_t days_from_civil(int64_t year, int month, int day);
static struct parts civil(struct yl_time);

struct yl_time
yl_time_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (struct yl_time) { now.tv_sec, (int32_t) now.tv_nsec };
}

int
yl_time_parse(struct yl_str text, struct yl_time *ret_time,
              struct yl_error *err)
{
    return parse(text, time_layout, "2006-01-02T15:04:05Z07:00", ret_time,
                 err);
}

int
yl_micro_time_parse(struct yl_str text, struct yl_time *ret_time,
                    struct yl_error *err)
{
    return parse(text, micro_time_layout, "2006-01-02T15:04:05.000000Z07:00",
                 ret_time, err);
}

static char *
write_two(char *to, int number)
{
    to[0] = (char) ('0' + number / 10);
    to[1] = (char) ('0' + number % 10);
    return to + 2;
}

size_t
yl_time_write(struct yl_time t, char text[YL_TIME_TEXT_SIZE])
{
    struct parts p = civil(t);

    /* Each write has times, and snprintf() takes 0.4 us. */
    if (p.year >= 0 && p.year <= 9999) {
        char *to = text;

        to = write_two(to, (int) p.year / 100);
        to = write_two(to, (int) p.year % 100);
        *to++ = '-';
        to = write_two(to, p.month);
        *to++ = '-';
        to = write_two(to, p.day);
        *to++ = 'T';
        to = write_two(to, p.hour);
        *to++ = ':';
        to = write_two(to, p.minute);
        *to++ = ':';
        to = write_two(to, p.second);
        *to++ = 'Z';
        *to = '\0';
        return (size_t) (to - text);
    }
    return (size_t) snprintf(text, YL_TIME_TEXT_SIZE,
                             "%s%04lld-%02d-%02dT%02d:%02d:%02dZ",
                             p.year < 0 ? "-" : "",
                             (long long) (p.year < 0 ? -p.year : p.year),
                             p.month, p.day, p.hour, p.minute, p.second);
}

size_t
yl_micro_time_write(struct yl_time t, char text[YL_TIME_TEXT_SIZE])
{
    size_t size = yl_time_write(t, text) - 1;

    return size + (size_t) snprintf(text + size, YL_TIME_TEXT_SIZE - size,
                                    ".%06dZ", (int) t.nanos / 1000);
}

int
yl_time_compare(struct yl_time a, struct yl_time b)
{
    if (a.seconds != b.seconds) {
        return a.seconds < b.seconds ? -1 : 1;
    }
    return (a.nanos > b.nanos) - (a.nanos < b.nanos);
}

struct yl_time
yl_time_add(struct yl_time t, int64_t nanos)
{
    int64_t seconds = nanos / NANOS_PER_SECOND;
    int64_t rest = t.nanos + nanos % NANOS_PER_SECOND;

    if (rest < 0) {
        rest += NANOS_PER_SECOND;
        seconds--;
    } else if (rest >= NANOS_PER_SECOND) {
        rest -= NANOS_PER_SECOND;
        seconds++;
    }
    if (seconds > 0 && t.seconds > INT64_MAX - seconds) {
        return (struct yl_time) { INT64_MAX, NANOS_PER_SECOND - 1 };
    } else if (seconds < 0 && t.seconds < INT64_MIN - seconds) {
        return (struct yl_time) { INT64_MIN, 0 };
    }
    return (struct yl_time) { t.seconds + seconds, (int32_t) rest };
}

int64_t
yl_time_sub(struct yl_time a, struct yl_time b)
{
    int64_t most = INT64_MAX / NANOS_PER_SECOND;
    int64_t seconds, nanos = a.nanos - b.nanos;

    if (yl_time_compare(a, b) < 0) {
        if (b.seconds > 0 && a.seconds < INT64_MIN + b.seconds) {
            return INT64_MIN;
        }
        seconds = a.seconds - b.seconds;
        if (seconds < -most - 1) {
            return INT64_MIN;
        }
    } else {
        if (b.seconds < 0 && a.seconds > INT64_MAX + b.seconds) {
            return INT64_MAX;
        }
        seconds = a.seconds - b.seconds;
        if (seconds > most + 1) {
            return INT64_MAX;
        }
    }

    /* Makes both parts have the same sign, so that adding one after the other
     * stops at the end of the range only if the sum itself is out of range. */
    if (seconds > 0 && nanos < 0) {
        seconds--;
        nanos += NANOS_PER_SECOND;
    } else if (seconds < 0 && nanos > 0) {
        seconds++;
        nanos -= NANOS_PER_SECOND;
    }
    if (seconds > most
        || (seconds == most && nanos > INT64_MAX % NANOS_PER_SECOND)) {
        return INT64_MAX;
    } else if (seconds < -most
               || (seconds == -most
                   && nanos < INT64_MIN % NANOS_PER_SECOND)) {
        return INT64_MIN;
    }
    return seconds * NANOS_PER_SECOND + nanos;
}

/* Reporting. */

/* Fails as Go does when "rest" cannot be read as 'element' of 'layout'. */
static int
fail_at(struct yl_str text, const char *layout, struct yl_str rest,
        struct yl_str element, struct yl_error *err)
{
    struct yl_buf m;

    yl_buf_init(&m, MESSAGE_CEILING);
    yl_quote_plain(&m, text);
    yl_buf_printf(&m, " as \"%s\": cannot parse ", layout);
    yl_quote_plain(&m, rest);
    yl_buf_append_c(&m, " as ");
    yl_quote_plain(&m, element);
    yl_error_set(err, YL_EINVALID, "parsing time %s", yl_buf_c_str(&m));
    yl_buf_release(&m);
    return YL_EINVALID;
}

/* Fails with "parsing time TEXT: WHAT", or "...: extra text: EXTRA" when
 * 'what' is NULL. */
static int
fail_with(struct yl_str text, const char *what, struct yl_str extra,
          struct yl_error *err)
{
    struct yl_buf m;

    yl_buf_init(&m, MESSAGE_CEILING);
    yl_quote_plain(&m, text);
    if (what) {
        yl_buf_printf(&m, ": %s out of range", what);
    } else {
        yl_buf_append_c(&m, ": extra text: ");
        yl_quote_plain(&m, extra);
    }
    yl_error_set(err, YL_EINVALID, "parsing time %s", yl_buf_c_str(&m));
    yl_buf_release(&m);
    return YL_EINVALID;
}

/* Reading. */

static int
parse(struct yl_str text, const struct element *element, const char *layout,
      struct yl_time *ret_time, struct yl_error *err)
{
    struct reader reader = { text, NULL };
    struct parts p = { 0, 0, 0, 0, 0, 0, 0, 0 };
    int64_t seconds;

    for (; element->name; element++) {
        struct yl_str held;

        if (element->before) {
            if (!reader.rest.size || reader.rest.data[0] != element->before) {
                return fail_at(text, layout, reader.rest,
                               yl_str_n(&element->before, 1), err);
            }
            reader.rest = yl_str_skip(reader.rest, 1);
        }
        held = reader.rest;
        if (!element->read(&reader, &p)) {
            return reader.range
                   ? fail_with(text, reader.range, yl_str_null(), err)
                   : fail_at(text, layout, held, yl_str_c(element->name), err);
        }
    }
    if (reader.rest.size) {
        return fail_with(text, NULL, reader.rest, err);
    } else if (p.day < 1 || p.day > days_in(p.month, p.year)) {
        return fail_with(text, "day", yl_str_null(), err);
    }
    seconds = days_from_civil(p.year, p.month, p.day) * 86400
              + (p.hour * 60 + p.minute) * 60 + p.second - p.offset;
    *ret_time = (struct yl_time) { seconds, p.nanos };
    return 0;
}

static bool
is_digit(struct yl_str s, size_t i)
{
    return i < s.size && s.data[i] >= '0' && s.data[i] <= '9';
}

/* Reads two digits, or one where 'one_will_do', into '*ret_number', which is
 * 0 when there are none.  A number above 'most' is out of range. */
static bool
read_number(struct reader *r, bool one_will_do, int least, int most,
            const char *name, int *ret_number)
{
    size_t n = is_digit(r->rest, 0) + (size_t) (is_digit(r->rest, 0)
                                                && is_digit(r->rest, 1));
    int number = 0;
    size_t i;

    *ret_number = 0;
    if (n == 0 || (n == 1 && !one_will_do)) {
        return false;
    }
    for (i = 0; i < n; i++) {
        number = number * 10 + (r->rest.data[i] - '0');
    }
    r->rest = yl_str_skip(r->rest, n);
    *ret_number = number;
    if (number < least || number > most) {
        r->range = name;
        return false;
    }
    return true;
}

static bool
read_year(struct reader *r, struct parts *p)
{
    size_t i;

    for (i = 0; i < 4; i++) {
        if (!is_digit(r->rest, i)) {
            return false;
        }
        p->year = p->year * 10 + (r->rest.data[i] - '0');
    }
    r->rest = yl_str_skip(r->rest, 4);
    return true;
}

static bool
read_month(struct reader *r, struct parts *p)
{
    return read_number(r, false, 1, 12, "month", &p->month);
}

static bool
read_day(struct reader *r, struct parts *p)
{
    /* Whether the month has this day is checked at the end. */
    return read_number(r, false, 0, 99, NULL, &p->day);
}

static bool
read_hour(struct reader *r, struct parts *p)
{
    return read_number(r, true, 0, 23, "hour", &p->hour);
}

static bool
read_minute(struct reader *r, struct parts *p)
{
    return read_number(r, false, 0, 59, "minute", &p->minute);
}

static bool
read_second(struct reader *r, struct parts *p)
{
    return read_number(r, false, 0, 59, "second", &p->second);
}

/* Digits behind the ninth are cut off. */
static bool
read_second_and_fraction(struct reader *r, struct parts *p)
{
    int32_t unit = NANOS_PER_SECOND / 10;
    size_t n = 1;

    if (!read_second(r, p)) {
        return false;
    }
    if (r->rest.size && (r->rest.data[0] == '.' || r->rest.data[0] == ',')
        && is_digit(r->rest, 1)) {
        for (; is_digit(r->rest, n); n++) {
            p->nanos += (r->rest.data[n] - '0') * unit;
            unit /= 10;
        }
        r->rest = yl_str_skip(r->rest, n);
    }
    return true;
}

/* Go reads the six characters as an integer, so the first may be a sign. */
static bool
read_micros(struct reader *r, struct parts *p)
{
    int32_t micros = 0;
    bool negative;
    size_t i;

    if (r->rest.size < 7
        || (r->rest.data[0] != '.' && r->rest.data[0] != ',')) {
        return false;
    }
    negative = r->rest.data[1] == '-';
    for (i = negative || r->rest.data[1] == '+' ? 2 : 1; i < 7; i++) {
        if (!is_digit(r->rest, i)) {
            return false;
        }
        micros = micros * 10 + (r->rest.data[i] - '0');
    }
    if (negative && micros) {
        r->range = "fractional second";
        return false;
    }
    p->nanos = micros * 1000;
    r->rest = yl_str_skip(r->rest, 7);
    return true;
}

static bool
read_zone(struct reader *r, struct parts *p)
{
    struct yl_str s = r->rest;
    struct reader hours = { s, NULL }, minutes = { s, NULL };
    int hour = 0, minute = 0;
    bool ok;

    if (s.size && s.data[0] == 'Z') {
        r->rest = yl_str_skip(s, 1);
        return true;
    } else if (s.size < 6 || s.data[3] != ':') {
        return false;
    }
    hours.rest = yl_str_n(s.data + 1, 2);
    minutes.rest = yl_str_n(s.data + 4, 2);
    ok = read_number(&hours, false, 0, 24, "time zone offset hour", &hour);
    if (ok || hours.range) {
        ok &= read_number(&minutes, false, 0, 60, "time zone offset minute",
                          &minute);
    }
    r->range = minutes.range ? minutes.range : hours.range;
    r->rest = yl_str_skip(s, 6);
    p->offset = (hour * 60 + minute) * 60;
    if (s.data[0] == '-') {
        p->offset = -p->offset;
    }
    return ok && (s.data[0] == '-' || s.data[0] == '+');
}

/* The calendar. */

static bool
is_leap(int64_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int
days_in(int month, int64_t year)
{
    static const int days[] = { 31, 28, 31, 30, 31, 30,
                                31, 31, 30, 31, 30, 31 };

    return days[month - 1] + (month == 2 && is_leap(year));
}

/* Days since 1970-01-01.  Years are counted from March, so that the leap day
 * is the last day of a year.  400 years (146,097 days) are an era. */
static int64_t
days_from_civil(int64_t year, int month, int day)
{
    int64_t era, year_of_era, day_of_year;

    year -= month <= 2;
    era = (year >= 0 ? year : year - 399) / 400;
    year_of_era = year - era * 400;
    day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + year_of_era * 365 + year_of_era / 4
           - year_of_era / 100 + day_of_year - 719468;
}

static struct parts
civil(struct yl_time t)
{
    int64_t day = t.seconds / 86400 - (t.seconds % 86400 < 0);
    int second = (int) ((t.seconds % 86400 + 86400) % 86400);
    int64_t days = day + 719468;
    int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    int64_t doe = days - era * 146097;
    int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    int64_t mp = (5 * doy + 2) / 153;
    struct parts p = {
        .year = yoe + era * 400 + (mp >= 10),
        .month = (int) (mp < 10 ? mp + 3 : mp - 9),
        .day = (int) (doy - (153 * mp + 2) / 5 + 1),
        .hour = second / 3600,
        .minute = second / 60 % 60,
        .second = second % 60,
    };

    return p;
}
