/* Schedules of CronJobs.  See builtin/workloads/cron.h for the contract. */

#include "builtin/workloads/cron.h"

#include <limits.h>
#include <strings.h>
#include <unistd.h>

#include "base/buf.h"
#include "yuloh/time.h"

#define N_FIELDS 5
#define ZONES "/usr/share/zoneinfo"

/* The values that a field may have. */
struct bounds {
    unsigned min, max;
    const char *const *names;   /* From 'min' on; NULL if it has none. */
};

static const char *const months[] = { "jan", "feb", "mar", "apr", "may",
                                      "jun", "jul", "aug", "sep", "oct",
                                      "nov", "dec", NULL };
static const char *const days[] = { "sun", "mon", "tue", "wed", "thu", "fri",
                                    "sat", NULL };
static const struct bounds bounds[N_FIELDS] = {
    { 0, 59, NULL }, { 0, 23, NULL }, { 1, 31, NULL }, { 1, 12, months },
    { 0, 6, days },
};

static int check_zone(struct yl_str *schedule, struct yl_error *err);
static int check_descriptor(struct yl_str, struct yl_error *err);
static int check_field(struct yl_str, const struct bounds *,
                       struct yl_error *err);
static int check_range(struct yl_str, const struct bounds *,
                       struct yl_error *err);
static int parse_int(struct yl_str, unsigned *ret, struct yl_error *err);
static int parse_int_or_name(struct yl_str, const struct bounds *,
                             unsigned *ret, struct yl_error *err);
static size_t count(struct yl_str, char);

static bool
blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

int
yl_cron_check(struct yl_str schedule, struct yl_error *err)
{
    struct yl_str fields[N_FIELDS], rest;
    struct yl_buf list;
    size_t n = 0, i = 0;
    int r;

    if (!schedule.size) {
        return yl_error_set(err, YL_EINVALID, "empty spec string");
    }
    r = check_zone(&schedule, err);
    if (r < 0) {
        return r;
    }
    if (yl_str_starts_with(schedule, YL_STR("@"))) {
        return check_descriptor(schedule, err);
    }
    rest = schedule;
    yl_buf_init(&list, SIZE_MAX);
    while (rest.size) {
        for (i = 0; i < rest.size && blank(rest.data[i]); i++) {
            continue;
        }
        rest = yl_str_skip(rest, i);
        for (i = 0; i < rest.size && !blank(rest.data[i]); i++) {
            continue;
        }
        if (i && n < N_FIELDS) {
            fields[n] = yl_str_n(rest.data, i);
        }
        if (i) {
            yl_buf_append_c(&list, n ? " " : "");
            yl_buf_append_str(&list, yl_str_n(rest.data, i));
        }
        n += i > 0;
        rest = yl_str_skip(rest, i);
    }
    if (n != N_FIELDS) {
        r = yl_error_set(err, YL_EINVALID,
                         "expected exactly 5 fields, found %zu: [%.*s]", n,
                         YL_STR_ARG(yl_buf_str(&list)));
    }
    yl_buf_release(&list);
    if (r < 0) {
        return r;
    }
    for (i = 0; i < N_FIELDS; i++) {
        r = check_field(fields[i], &bounds[i], err);
        if (r < 0) {
            return r;
        }
    }
    return 0;
}

bool
yl_time_zone_exists(struct yl_str name)
{
    char path[sizeof ZONES + 256];

    if (access(ZONES, F_OK) < 0 || yl_str_equal_c(name, "UTC")) {
        return true;
    }
    if (name.size > 255) {
        return false;
    }
    memcpy(path, ZONES "/", sizeof ZONES);
    memcpy(path + sizeof ZONES, name.data, name.size);
    path[sizeof ZONES + name.size] = 0;
    return access(path, R_OK) == 0;
}

/* Checks and removes a leading time zone. */
static int
check_zone(struct yl_str *schedule, struct yl_error *err)
{
    struct yl_str before, zone, after;

    if (!yl_str_starts_with(*schedule, YL_STR("TZ="))
        && !yl_str_starts_with(*schedule, YL_STR("CRON_TZ="))) {
        return 0;
    }
    if (!yl_str_cut(*schedule, ' ', &before, &after)) {
        return yl_error_set(err, YL_EINVALID,
                            "invalid schedule format: runtime error: slice "
                            "bounds out of range [:-1]");
    }
    yl_str_cut(before, '=', &before, &zone);
    if (!yl_time_zone_exists(zone)) {
        return yl_error_set(err, YL_EINVALID,
                            "provided bad location %.*s: unknown time zone "
                            "%.*s", YL_STR_ARG(zone), YL_STR_ARG(zone));
    }
    *schedule = yl_str_trim(after);
    return 0;
}

static int
check_descriptor(struct yl_str s, struct yl_error *err)
{
    static const char *const known[] = { "@yearly", "@annually", "@monthly",
                                         "@weekly", "@daily", "@midnight",
                                         "@hourly" };
    struct yl_error cause = YL_ERROR_INIT;
    int64_t nanos;
    size_t i;

    for (i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (yl_str_equal_c(s, known[i])) {
            return 0;
        }
    }
    if (!yl_str_starts_with(s, YL_STR("@every "))) {
        return yl_error_set(err, YL_EINVALID, "unrecognized descriptor: %.*s",
                            YL_STR_ARG(s));
    }
    if (yl_duration_parse(yl_str_skip(s, strlen("@every ")), &nanos, &cause)
        < 0) {
        yl_error_set(err, YL_EINVALID, "failed to parse duration %.*s: %s",
                     YL_STR_ARG(s), yl_error_message(&cause));
        yl_error_clear(&cause);
        return YL_EINVALID;
    }
    return 0;
}

static int
check_field(struct yl_str s, const struct bounds *b, struct yl_error *err)
{
    struct yl_str part, rest = s;
    bool more = true;
    int r;

    while (more) {
        part = rest;
        more = yl_str_cut(rest, ',', &part, &rest);
        r = part.size ? check_range(part, b, err) : 0;
        if (r < 0) {
            return r;
        }
    }
    return 0;
}

/* LOW[-HIGH][/STEP] */
static int
check_range(struct yl_str s, const struct bounds *b, struct yl_error *err)
{
    struct yl_str range = s, step_text = YL_STR(""), low, high;
    unsigned start = b->min, end = b->max, step = 1;
    bool single;
    int r = 0;

    yl_str_cut(s, '/', &range, &step_text);
    low = range;
    single = !yl_str_cut(range, '-', &low, &high);
    if (!yl_str_equal_c(low, "*") && !yl_str_equal_c(low, "?")) {
        r = parse_int_or_name(low, b, &start, err);
        if (r == 0 && count(range, '-') > 1) {
            return yl_error_set(err, YL_EINVALID, "too many hyphens: %.*s",
                                YL_STR_ARG(s));
        }
        end = start;
        if (r == 0 && !single) {
            r = parse_int_or_name(high, b, &end, err);
        }
    }
    if (r == 0 && count(s, '/') > 1) {
        return yl_error_set(err, YL_EINVALID, "too many slashes: %.*s",
                            YL_STR_ARG(s));
    }
    if (r == 0 && count(s, '/') == 1) {
        r = parse_int(step_text, &step, err);
        end = single ? b->max : end;
    }
    if (r < 0) {
        return r;
    }
    if (start < b->min) {
        return yl_error_set(err, YL_EINVALID,
                            "beginning of range (%u) below minimum (%u): "
                            "%.*s", start, b->min, YL_STR_ARG(s));
    }
    if (end > b->max) {
        return yl_error_set(err, YL_EINVALID,
                            "end of range (%u) above maximum (%u): %.*s", end,
                            b->max, YL_STR_ARG(s));
    }
    if (start > end) {
        return yl_error_set(err, YL_EINVALID,
                            "beginning of range (%u) beyond end of range "
                            "(%u): %.*s", start, end, YL_STR_ARG(s));
    }
    if (!step) {
        return yl_error_set(err, YL_EINVALID,
                            "step of range should be a positive number: "
                            "%.*s", YL_STR_ARG(s));
    }
    return 0;
}

static int
parse_int_or_name(struct yl_str s, const struct bounds *b, unsigned *ret,
                  struct yl_error *err)
{
    unsigned i;

    for (i = 0; b->names && b->names[i]; i++) {
        if (s.size == 3 && !strncasecmp(s.data, b->names[i], 3)) {
            *ret = b->min + i;
            return 0;
        }
    }
    return parse_int(s, ret, err);
}

static int
parse_int(struct yl_str s, unsigned *ret, struct yl_error *err)
{
    struct yl_str digits = s;
    long long n = 0;
    size_t i;

    if (digits.size && (digits.data[0] == '+' || digits.data[0] == '-')) {
        digits = yl_str_skip(digits, 1);
    }
    for (i = 0; i < digits.size; i++) {
        if (digits.data[i] < '0' || digits.data[i] > '9') {
            break;
        }
    }
    if (!digits.size || i < digits.size) {
        return yl_error_set(err, YL_EINVALID,
                            "failed to parse int from %.*s: strconv.Atoi: "
                            "parsing \"%.*s\": invalid syntax",
                            YL_STR_ARG(s), YL_STR_ARG(s));
    }
    if (yl_str_to_i64(digits, &n) < 0) {
        return yl_error_set(err, YL_EINVALID,
                            "failed to parse int from %.*s: strconv.Atoi: "
                            "parsing \"%.*s\": value out of range",
                            YL_STR_ARG(s), YL_STR_ARG(s));
    }
    if (s.data[0] == '-' && n) {
        return yl_error_set(err, YL_EINVALID,
                            "negative number (-%lld) not allowed: %.*s", n,
                            YL_STR_ARG(s));
    }
    *ret = n > UINT_MAX ? UINT_MAX : (unsigned) n;
    return 0;
}

static size_t
count(struct yl_str s, char c)
{
    size_t i, n = 0;

    for (i = 0; i < s.size; i++) {
        n += s.data[i] == c;
    }
    return n;
}
