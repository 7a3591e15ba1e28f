/* The log.  See yuloh/log.h for the contract; base/log_format.c writes the
 * lines. */

#include "yuloh/log.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/log_format.h"
#include "yuloh/error.h"

int yl_log_verbosity;           /* Atomic, through YL_LOAD_RELAXED. */

static _Atomic int log_format = YL_LOG_TEXT;

static void write_to_stderr(const struct yl_log_sink *, const char *, size_t);

static const struct yl_log_sink stderr_sink = { write_to_stderr };
static const struct yl_log_sink *_Atomic log_sink = &stderr_sink;

static int set_verbosity(struct yl_str value, struct yl_error *err);
static int set_format(struct yl_str value, struct yl_error *err);

void
yl_log_set_verbosity(int verbosity)
{
    YL_STORE_RELAXED(&yl_log_verbosity, verbosity);
}

void
yl_log_set_format(enum yl_log_format format)
{
    atomic_store_explicit(&log_format, (int) format, memory_order_relaxed);
}

void
yl_log_set_sink(const struct yl_log_sink *sink)
{
    atomic_store_explicit(&log_sink, sink ? sink : &stderr_sink,
                          memory_order_release);
}

int
yl_log_parse_flag(const char *arg, const char *next, struct yl_error *err)
{
    static const struct {
        const char *name;
        int (*set)(struct yl_str value, struct yl_error *err);
    } flags[] = {
        { "--logging-format", set_format },
        { "--v", set_verbosity },
        { "-v", set_verbosity },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(flags); i++) {
        size_t length = strlen(flags[i].name);
        const char *rest = arg + length;
        int r;

        if (strncmp(arg, flags[i].name, length) != 0) {
            continue;
        } else if (*rest == '=') {
            r = flags[i].set(yl_str_c(rest + 1), err);
            return r < 0 ? r : 1;
        } else if (*rest == '\0' && next) {
            r = flags[i].set(yl_str_c(next), err);
            return r < 0 ? r : 2;
        } else if (*rest == '\0') {
            return yl_error_set(err, YL_EINVALID, "flag needs an argument: %s",
                                arg);
        } else if (length == 2 && *rest >= '0' && *rest <= '9') {
            r = flags[i].set(yl_str_c(rest), err);
            return r < 0 ? r : 1;
        }
    }
    return 0;
}

void
yl_log_emit(enum yl_log_severity severity, int level, const char *file,
            int line, int code, const char *message,
            const struct yl_log_field *fields)
{
    int saved_errno = errno;
    struct yl_log_record record = {
        .severity = severity, .level = level, .file = file, .line = line,
        .code = code, .message = message, .fields = fields,
        .thread = (int) syscall(SYS_gettid),
    };
    const struct yl_log_sink *sink
        = atomic_load_explicit(&log_sink, memory_order_acquire);
    char out[YL_LOG_LINE_MAX];
    size_t size;

    clock_gettime(CLOCK_REALTIME, &record.time);
    if (atomic_load_explicit(&log_format, memory_order_relaxed)
        == YL_LOG_JSON) {
        size = yl_log_format_json(out, &record);
    } else {
        size = yl_log_format_text(out, &record);
    }
    sink->write(sink, out, size);
    if (severity == YL_LOG_SEVERITY_FATAL) {
        exit(1);
    }
    errno = saved_errno;
}

struct yl_log_field
yl_log_field_error(const struct yl_error *err)
{
    return yl_log_field_str("err", yl_str_c(yl_error_message(err)));
}

static void
write_to_stderr(const struct yl_log_sink *sink YL_UNUSED, const char *line,
                size_t size)
{
    ssize_t n;

    do {
        n = write(STDERR_FILENO, line, size);
    } while (n < 0 && errno == EINTR);
}

static int
set_verbosity(struct yl_str value, struct yl_error *err)
{
    unsigned long long n;

    if (yl_str_to_u64(value, &n) < 0 || n > INT_MAX) {
        return yl_error_set(err, YL_EINVALID,
                            "invalid log level \"%.*s\": not a number from 0 "
                            "to %d", YL_STR_ARG(value), INT_MAX);
    }
    yl_log_set_verbosity((int) n);
    return 0;
}

static int
set_format(struct yl_str value, struct yl_error *err)
{
    if (yl_str_equal_c(value, "text")) {
        yl_log_set_format(YL_LOG_TEXT);
    } else if (yl_str_equal_c(value, "json")) {
        yl_log_set_format(YL_LOG_JSON);
    } else {
        return yl_error_set(err, YL_EINVALID,
                            "invalid log format \"%.*s\": use text or json",
                            YL_STR_ARG(value));
    }
    return 0;
}
