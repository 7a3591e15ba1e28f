/* The error table.  See yuloh/error.h for the contract. */

#include "yuloh/error.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"

struct row {
    const char *name;
    const char *reason;
    const char *text;
    int http_status;
    enum yl_retry retry;
};

static const struct row rows[] = {
#define ROW(NAME, STATUS, REASON, RETRY, TEXT) \
    { "E" #NAME, REASON, TEXT, STATUS, YL_RETRY_##RETRY },
    YL_ERRORS(ROW)
#undef ROW
};

static const struct row *row_of(int code);
static char *format_message(const char *format, va_list args)
    YL_PRINTF(1, 0);

const char *
yl_error_name(int code)
{
    return row_of(code)->name;
}

const char *
yl_error_text(int code)
{
    return row_of(code)->text;
}

const char *
yl_error_reason(int code)
{
    return row_of(code)->reason;
}

int
yl_error_http_status(int code)
{
    return row_of(code)->http_status;
}

enum yl_retry
yl_error_retry(int code)
{
    return row_of(code)->retry;
}

int
yl_error_from_wire(int http_status, struct yl_str reason)
{
    size_t i;

    for (i = 0; i < YL_N_ERRORS && reason.size; i++) {
        if (yl_str_equal_c(reason, rows[i].reason)) {
            return -10001 - (int) i;
        }
    }
    for (i = 0; i < YL_N_ERRORS; i++) {
        if (rows[i].http_status == http_status) {
            return -10001 - (int) i;
        }
    }
    return http_status >= 400 && http_status < 500 ? YL_EBADREQUEST
                                                   : YL_EINTERNAL;
}

int
yl_error_set(struct yl_error *err, int code, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    yl_error_vset(err, code, format, args);
    va_end(args);
    return code;
}

int
yl_error_vset(struct yl_error *err, int code, const char *format, va_list args)
{
    if (err) {
        char *message = format_message(format, args);

        yl_error_clear(err);
        err->code = code;
        err->message = message;
    }
    return code;
}

void
yl_error_prefix(struct yl_error *err, const char *format, ...)
{
    va_list args;
    char *prefix, *message;
    size_t size;

    if (!err || !err->code) {
        return;
    }
    va_start(args, format);
    prefix = format_message(format, args);
    va_end(args);

    size = strlen(prefix) + 2 + strlen(yl_error_message(err)) + 1;
    message = yl_malloc(size);
    snprintf(message, size, "%s: %s", prefix, yl_error_message(err));
    free(prefix);
    free(err->message);
    err->message = message;
}

void
yl_error_add_cause(struct yl_error *err, struct yl_str reason,
                   struct yl_str message, struct yl_str field)
{
    struct yl_cause *cause;

    if (!err || err->n_causes >= YL_MAX_CAUSES) {
        return;
    }
    err->causes = yl_realloc_array(err->causes, err->n_causes + 1,
                                   sizeof *err->causes);
    cause = &err->causes[err->n_causes++];
    cause->reason = yl_strdup(reason);
    cause->message = yl_strdup(message);
    cause->field = yl_strdup(field);
}

const char *
yl_error_message(const struct yl_error *err)
{
    return err->message ? err->message : yl_error_text(err->code);
}

void
yl_error_clear(struct yl_error *err)
{
    size_t i;

    if (!err) {
        return;
    }
    for (i = 0; i < err->n_causes; i++) {
        free(err->causes[i].reason);
        free(err->causes[i].message);
        free(err->causes[i].field);
    }
    free(err->causes);
    free(err->message);
    memset(err, 0, sizeof *err);
}

static const struct row *
row_of(int code)
{
    bool is_ours = code <= -10001 && code > -10001 - YL_N_ERRORS;

    return &rows[is_ours ? -10001 - code : YL_ERROR_ROW_INTERNAL];
}

static char *
format_message(const char *format, va_list args)
{
    va_list again;
    char *message;
    int n;

    va_copy(again, args);
    n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (n < 0) {
        n = 0;
    }
    message = yl_malloc((size_t) n + 1);
    message[0] = '\0';
    vsnprintf(message, (size_t) n + 1, format, args);
    return message;
}
