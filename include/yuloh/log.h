#ifndef YL_LOG_H
#define YL_LOG_H 1

/* Log: levelled, structured lines.
 *
 * A line is a constant message and typed fields, never a format string, so
 * that people can read it and machines can search it.  Two forms:
 *
 *     I1115 10:41:00.123456   12345 queue.c:42] "Synced" key="a/b" n=3
 *
 *     {"ts":1668508860123.456,"caller":"queue.c:42","msg":"Synced","v":0,
 *      "key":"a/b","n":3}                                      (on one line)
 *
 * The first is klog's: severity (I, W, E or F), month and day, local time,
 * thread, place, message.  A value with line breaks takes several lines, each
 * after a tab, between "key=<" and " >".  The second is one JSON object, with
 * the time in milliseconds since 1970; errors have "err" instead of "v".
 *
 * Guarantees
 * ==========
 *
 *   - One line is one write(2) of at most YL_LOG_LINE_MAX bytes, what a pipe
 *     takes in one piece: lines of several threads never mix, and no lock is
 *     held.  A longer line is cut, inside a value or before a field, stays
 *     well-formed and says "truncated".
 *
 *   - Text from outside cannot forge a line or command a terminal: control
 *     and other unprintable characters in values are escaped.
 *
 *   - yl_log_v() costs one relaxed load when its level is off; its fields are
 *     not evaluated.
 *
 *   - Logging does not change errno, allocates nothing and cannot fail; a
 *     line that cannot be written is lost.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread.
 *
 * Usage
 * =====
 *
 *     yl_log_info("Synced", YL_LOG_STR("key", key), YL_LOG_INT("n", 3));
 *     yl_log_v(4, "Waiting", YL_LOG_MSEC("delay", delay));
 *     yl_log_error(r, "Sync failed", YL_LOG_STR("key", key)); */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/clock.h"
#include "yuloh/compiler.h"
#include "yuloh/str.h"

YL_C_BEGIN

struct yl_error;

#define YL_LOG_LINE_MAX 4096

/* Levels.  Info, warning and error are always on; yl_log_v(N, ...) is on when
 * the verbosity is N or more.  As in klog: 0 what an operator always wants, 2
 * changes of state, 4 debugging, 6 requests, 8 their bodies.
 *
 * yl_log_error() and yl_log_fatal() take a YL_E... code first and add its text
 * as "err", unless it is 0 or a field has that key (see YL_LOG_ERROR).
 * yl_log_fatal() then ends the process with exit status 1; it is for programs,
 * never for a library. */
#define yl_log_info(...) \
    yl_log_emit_(YL_LOG_SEVERITY_INFO, 0, 0, __VA_ARGS__, yl_log_field_end())
#define yl_log_warning(...) \
    yl_log_emit_(YL_LOG_SEVERITY_WARNING, 0, 0, __VA_ARGS__, \
                 yl_log_field_end())
#define yl_log_error(CODE, ...) \
    yl_log_emit_(YL_LOG_SEVERITY_ERROR, 0, CODE, __VA_ARGS__, \
                 yl_log_field_end())
#define yl_log_fatal(CODE, ...) \
    yl_log_emit_(YL_LOG_SEVERITY_FATAL, 0, CODE, __VA_ARGS__, \
                 yl_log_field_end())
#define yl_log_v(LEVEL, ...)                                                  \
    do {                                                                      \
        if (YL_UNLIKELY(yl_log_is_on(LEVEL))) {                               \
            yl_log_emit_(YL_LOG_SEVERITY_INFO, LEVEL, 0, __VA_ARGS__,         \
                         yl_log_field_end());                                 \
        }                                                                     \
    } while (0)

#define yl_log_emit_(SEVERITY, LEVEL, CODE, MESSAGE, ...)                     \
    yl_log_emit(SEVERITY, LEVEL, __FILE__, __LINE__, CODE, MESSAGE,           \
                (const struct yl_log_field[]) { __VA_ARGS__ })

/* Fields.  KEY is a C string, best a literal in lowerCamelCase.  Values are
 * borrowed for the call. */
#define YL_LOG_STR(KEY, STR) yl_log_field_str(KEY, STR)
#define YL_LOG_C(KEY, C_STRING) yl_log_field_str(KEY, yl_str_c(C_STRING))
#define YL_LOG_INT(KEY, N) yl_log_field_int(KEY, N)
#define YL_LOG_UINT(KEY, N) yl_log_field_uint(KEY, N)
#define YL_LOG_BOOL(KEY, B) yl_log_field_bool(KEY, B)
#define YL_LOG_DOUBLE(KEY, X) yl_log_field_double(KEY, X)
#define YL_LOG_MSEC(KEY, MSEC) yl_log_field_msec(KEY, MSEC)    /* "1.5s" */
#define YL_LOG_ERROR(ERR) yl_log_field_error(ERR)   /* "err": its message. */

/* Verbosity: 0 at first. */
void yl_log_set_verbosity(int);

static inline bool yl_log_is_on(int level);

/* Form: text at first. */
enum yl_log_format {
    YL_LOG_TEXT,
    YL_LOG_JSON,
};

void yl_log_set_format(enum yl_log_format);

/* Where lines go: to standard error at first, and for NULL.  'write' gets a
 * whole line with its line end; several threads may be in it at once.  The
 * sink is lent for good: a thread may be using it even after another is
 * set. */
struct yl_log_sink {
    void (*write)(const struct yl_log_sink *, const char *line, size_t size);
};

void yl_log_set_sink(const struct yl_log_sink *);

/* Reads a command-line argument: "-v N", "-vN", "-v=N", "--v=N", "--v N",
 * "--logging-format=text|json" or the same in two arguments.  'next' is the
 * argument after it or NULL.  Returns how many of the two it took (0: 'arg' is
 * not about the log), or YL_EINVALID and a sentence in 'err'. */
int yl_log_parse_flag(const char *arg, const char *next, struct yl_error *err);

/* What the macros above are made of. */
enum yl_log_severity {
    YL_LOG_SEVERITY_INFO,
    YL_LOG_SEVERITY_WARNING,
    YL_LOG_SEVERITY_ERROR,
    YL_LOG_SEVERITY_FATAL,
};

enum yl_log_type {
    YL_LOG_TYPE_END,
    YL_LOG_TYPE_STR,
    YL_LOG_TYPE_INT,
    YL_LOG_TYPE_UINT,
    YL_LOG_TYPE_BOOL,
    YL_LOG_TYPE_DOUBLE,
    YL_LOG_TYPE_MSEC,
};

struct yl_log_field {
    const char *key;
    enum yl_log_type type;
    union {
        struct yl_str str;
        int64_t i;              /* Also the duration. */
        uint64_t u;             /* Also the boolean. */
        double d;
    } value;
};

void yl_log_emit(enum yl_log_severity, int level, const char *file, int line,
                 int code, const char *message,
                 const struct yl_log_field *fields);

extern int yl_log_verbosity;    /* Read it with yl_log_is_on(). */

static inline bool
yl_log_is_on(int level)
{
    return level <= YL_LOAD_RELAXED(&yl_log_verbosity);
}

static inline struct yl_log_field
yl_log_field_str(const char *key, struct yl_str str)
{
    struct yl_log_field field;

    field.key = key;
    field.type = YL_LOG_TYPE_STR;
    field.value.str = str;
    return field;
}

static inline struct yl_log_field
yl_log_field_int(const char *key, int64_t i)
{
    struct yl_log_field field;

    field.key = key;
    field.type = YL_LOG_TYPE_INT;
    field.value.i = i;
    return field;
}

static inline struct yl_log_field
yl_log_field_uint(const char *key, uint64_t u)
{
    struct yl_log_field field;

    field.key = key;
    field.type = YL_LOG_TYPE_UINT;
    field.value.u = u;
    return field;
}

static inline struct yl_log_field
yl_log_field_bool(const char *key, bool b)
{
    struct yl_log_field field;

    field.key = key;
    field.type = YL_LOG_TYPE_BOOL;
    field.value.u = b;
    return field;
}

static inline struct yl_log_field
yl_log_field_double(const char *key, double d)
{
    struct yl_log_field field;

    field.key = key;
    field.type = YL_LOG_TYPE_DOUBLE;
    field.value.d = d;
    return field;
}

static inline struct yl_log_field
yl_log_field_msec(const char *key, yl_msec msec)
{
    struct yl_log_field field;

    field.key = key;
    field.type = YL_LOG_TYPE_MSEC;
    field.value.i = msec;
    return field;
}

static inline struct yl_log_field
yl_log_field_end(void)
{
    struct yl_log_field field;

    field.key = NULL;
    field.type = YL_LOG_TYPE_END;
    field.value.u = 0;
    return field;
}

struct yl_log_field yl_log_field_error(const struct yl_error *);

YL_C_END

#endif /* yuloh/log.h */
