/* Lines of the log.  See base/log_format.h.
 *
 * A line grows up to a limit that leaves room for what closes it: a quote, the
 * word "truncated", a brace, the line end.  put() appends a piece as a whole
 * or, if it does not fit below the limit, not at all, and then marks the line
 * as cut; after that nothing more is put.  close_with() may pass the limit and
 * never refuses. */

#include "base/log_format.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/quote.h"
#include "yuloh/error.h"

#define RESERVE 64              /* For what closes a line. */
#define NUMBER_SIZE 48

struct line {
    char *data;
    size_t size;
    bool cut;
};

static bool put(struct line *, const char *bytes, size_t n);
static bool put_c(struct line *, const char *);
static void close_with(struct line *, const char *);
static void put_quoted(struct line *, struct yl_str);
static void put_lines(struct line *, struct yl_str);
static void put_json_string(struct line *, struct yl_str);
static size_t format_number(char out[NUMBER_SIZE], const struct yl_log_field *,
                            bool *ret_is_text);
static const char *base_name(const char *path);
static bool needs_error(const struct yl_log_record *);
static void text_field(struct line *, const struct yl_log_field *);
static void json_field(struct line *, const struct yl_log_field *);

size_t
yl_log_format_text(char out[YL_LOG_LINE_MAX],
                   const struct yl_log_record *record)
{
    struct line line = { out, 0, false };
    const struct yl_log_field *field;
    char header[160];
    struct tm tm;

    memset(&tm, 0, sizeof tm);
    localtime_r(&record->time.tv_sec, &tm);
    snprintf(header, sizeof header,
             "%c%02d%02d %02d:%02d:%02d.%06ld %7d %.80s:%d] ",
             "IWEF"[record->severity], tm.tm_mon + 1, tm.tm_mday, tm.tm_hour,
             tm.tm_min, tm.tm_sec, record->time.tv_nsec / 1000,
             record->thread, base_name(record->file), record->line);
    put_c(&line, header);
    put_quoted(&line, yl_str_c(record->message));
    if (needs_error(record)) {
        struct yl_log_field err
            = yl_log_field_str("err", yl_str_c(yl_error_text(record->code)));

        text_field(&line, &err);
    }
    for (field = record->fields; field->type != YL_LOG_TYPE_END; field++) {
        text_field(&line, field);
    }
    if (line.cut) {
        close_with(&line, " truncated=true");
    }
    close_with(&line, "\n");
    return line.size;
}

size_t
yl_log_format_json(char out[YL_LOG_LINE_MAX],
                   const struct yl_log_record *record)
{
    struct line line = { out, 0, false };
    const struct yl_log_field *field;
    char header[160];
    int n;

    n = snprintf(header, sizeof header,
                 "{\"ts\":%" PRId64 "%03ld.%03ld,\"caller\":",
                 (int64_t) record->time.tv_sec,
                 record->time.tv_nsec / 1000000,
                 record->time.tv_nsec / 1000 % 1000);
    put(&line, header, (size_t) n);
    snprintf(header, sizeof header, "%.80s:%d", base_name(record->file),
             record->line);
    put_json_string(&line, yl_str_c(header));
    put_c(&line, ",\"msg\":");
    put_json_string(&line, yl_str_c(record->message));
    if (record->severity < YL_LOG_SEVERITY_ERROR) {
        struct yl_log_field level = yl_log_field_int("v", record->level);

        json_field(&line, &level);
    }
    for (field = record->fields; field->type != YL_LOG_TYPE_END; field++) {
        json_field(&line, field);
    }
    if (needs_error(record)) {
        struct yl_log_field err
            = yl_log_field_str("err", yl_str_c(yl_error_text(record->code)));

        json_field(&line, &err);
    }
    if (line.cut) {
        close_with(&line, ",\"truncated\":true");
    }
    close_with(&line, "}\n");
    return line.size;
}

/* Appends all of 'bytes', or nothing and marks the line as cut. */
static bool
put(struct line *line, const char *bytes, size_t n)
{
    const size_t limit = YL_LOG_LINE_MAX - RESERVE;

    /* Pieces that close a value may already stand beyond the limit. */
    if (line->cut || line->size > limit || n > limit - line->size) {
        line->cut = true;
        return false;
    }
    memcpy(line->data + line->size, bytes, n);
    line->size += n;
    return true;
}

static bool
put_c(struct line *line, const char *s)
{
    return put(line, s, strlen(s));
}

static void
close_with(struct line *line, const char *s)
{
    size_t n = strlen(s);

    memcpy(line->data + line->size, s, n);
    line->size += n;
}

static void
put_quoted(struct line *line, struct yl_str s)
{
    if (!put_c(line, "\"")) {
        return;
    }
    while (s.size) {
        char out[YL_QUOTE_MAX];
        size_t taken;

        if (!put(line, out, yl_quote_char(s, out, &taken))) {
            break;
        }
        s = yl_str_skip(s, taken);
    }
    close_with(line, "\"");
}

/* A value with line breaks: each line starts with a tab, and every control
 * character except the tab is escaped. */
static void
put_lines(struct line *line, struct yl_str s)
{
    bool at_start = true;

    if (!put_c(line, "<\n")) {
        return;
    }
    while (s.size) {
        char out[YL_QUOTE_MAX];
        size_t taken = 1;
        size_t n;

        if (strchr("\n\t\"\\", s.data[0]) && s.data[0]) {
            out[0] = s.data[0];
            n = 1;
        } else {
            n = yl_quote_char(s, out, &taken);
        }
        if ((at_start && !put_c(line, "\t")) || !put(line, out, n)) {
            break;
        }
        at_start = out[0] == '\n';
        s = yl_str_skip(s, taken);
    }
    close_with(line, line->data[line->size - 1] == '\n' ? " >" : "\n >");
}

static void
put_json_string(struct line *line, struct yl_str s)
{
    if (!put_c(line, "\"")) {
        return;
    }
    while (s.size) {
        char out[16];
        uint32_t rune;
        size_t taken = yl_rune_decode(s, &rune);
        size_t n;

        if (taken == 0) {
            n = (size_t) snprintf(out, sizeof out, "\\ufffd");
            taken = 1;
        } else if (rune == '"' || rune == '\\') {
            n = (size_t) snprintf(out, sizeof out, "\\%c", (char) rune);
        } else if (rune == '\n' || rune == '\r' || rune == '\t') {
            n = (size_t) snprintf(out, sizeof out, "\\%c",
                                  rune == '\n' ? 'n' : rune == '\r' ? 'r'
                                  : 't');
        } else if (yl_rune_is_printable(rune)) {
            memcpy(out, s.data, taken);
            n = taken;
        } else if (rune < 0x10000) {
            n = (size_t) snprintf(out, sizeof out, "\\u%04x",
                                  (unsigned) rune);
        } else {
            rune -= 0x10000;
            n = (size_t) snprintf(out, sizeof out, "\\u%04x\\u%04x",
                                  (unsigned) (0xd800 | rune >> 10),
                                  (unsigned) (0xdc00 | (rune & 0x3ff)));
        }
        if (!put(line, out, n)) {
            break;
        }
        s = yl_str_skip(s, taken);
    }
    close_with(line, "\"");
}

/* A duration in seconds, such as "1.5s". */
static size_t
format_msec(char out[NUMBER_SIZE], yl_msec msec)
{
    uint64_t n = msec < 0 ? 0 - (uint64_t) msec : (uint64_t) msec;
    size_t size = (size_t) snprintf(out, NUMBER_SIZE, "%s%" PRIu64 ".%03u",
                                    msec < 0 ? "-" : "", n / 1000,
                                    (unsigned) (n % 1000));

    while (out[size - 1] == '0') {
        size--;
    }
    size -= out[size - 1] == '.';
    out[size++] = 's';
    return size;
}

/* A value that is not a string.  '*ret_is_text' says whether JSON must quote
 * it. */
static size_t
format_number(char out[NUMBER_SIZE], const struct yl_log_field *field,
              bool *ret_is_text)
{
    *ret_is_text = false;
    switch (field->type) {
    case YL_LOG_TYPE_INT:
        return (size_t) snprintf(out, NUMBER_SIZE, "%" PRId64,
                                 field->value.i);
    case YL_LOG_TYPE_UINT:
        return (size_t) snprintf(out, NUMBER_SIZE, "%" PRIu64,
                                 field->value.u);
    case YL_LOG_TYPE_BOOL:
        return (size_t) snprintf(out, NUMBER_SIZE, "%s",
                                 field->value.u ? "true" : "false");
    case YL_LOG_TYPE_DOUBLE:
        *ret_is_text = !isfinite(field->value.d);
        return yl_double_format(out, field->value.d);
    case YL_LOG_TYPE_MSEC:
        *ret_is_text = true;
        return format_msec(out, field->value.i);
    case YL_LOG_TYPE_END:
    case YL_LOG_TYPE_STR:
        break;
    }
    return (size_t) snprintf(out, NUMBER_SIZE, "null");
}

static const char *
base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Whether the code's text must be added, because no field says more. */
static bool
needs_error(const struct yl_log_record *record)
{
    const struct yl_log_field *field;

    for (field = record->fields; field->type != YL_LOG_TYPE_END; field++) {
        if (strcmp(field->key, "err") == 0) {
            return false;
        }
    }
    return record->code != 0;
}

/* Puts 'before', 'key' and 'after' if all three fit. */
static bool
put_key(struct line *line, const char *before, const char *key,
        const char *after)
{
    char text[160];

    snprintf(text, sizeof text, "%s%.120s%s", before, key, after);
    return put_c(line, text);
}

static void
text_field(struct line *line, const struct yl_log_field *field)
{
    size_t start = line->size;
    char number[NUMBER_SIZE];
    bool is_text;

    if (!put_key(line, " ", field->key, "=")) {
        return;
    }
    if (field->type != YL_LOG_TYPE_STR || yl_str_is_null(field->value.str)) {
        size_t n = format_number(number, field, &is_text);

        if (is_text) {
            put_quoted(line, yl_str_n(number, n));
        } else {
            put(line, number, n);
        }
    } else if (yl_str_find_char(field->value.str, '\n')) {
        put_lines(line, field->value.str);
    } else {
        put_quoted(line, field->value.str);
    }

    /* The line was cut just after a key: do not leave it without a value. */
    if (line->data[line->size - 1] == '=') {
        line->size = start;
    }
}

static void
json_field(struct line *line, const struct yl_log_field *field)
{
    size_t start = line->size;
    char number[NUMBER_SIZE];
    bool is_text;

    if (!put_key(line, ",\"", field->key, "\":")) {
        return;
    }
    if (field->type != YL_LOG_TYPE_STR || yl_str_is_null(field->value.str)) {
        size_t n = format_number(number, field, &is_text);

        if (is_text) {
            put_json_string(line, yl_str_n(number, n));
        } else {
            put(line, number, n);
        }
    } else {
        put_json_string(line, field->value.str);
    }
    if (line->data[line->size - 1] == ':') {
        line->size = start;
    }
}
