/* Warnings of servers.  See the header. */

#include "client/warning.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/quote.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/log.h"

/* What the log gets, and remembers, of a text.  The API server sends no more
 * than 256 characters; others may send as much as fits in the head of an
 * answer. */
#define TEXT_MAX 1024

struct seen {
    struct yl_map_node by_text;
    struct yl_str text;         /* Its bytes stand behind the struct. */
};

static int read_text(struct yl_str *rest, struct yl_arena *, struct yl_str *,
                     struct yl_error *);
static int skip_date(struct yl_str *rest, struct yl_error *);
static bool is_clean(struct yl_str);
static void forget(struct yl_map *);

int
yl_warning_next(struct yl_str *header, struct yl_arena *arena,
                struct yl_warning *ret_warning, struct yl_error *err)
{
    struct yl_str code, agent, text, rest = yl_str_trim(*header);
    int r;

    if (!rest.size) {
        return 0;
    }
    if (!yl_str_cut(rest, ' ', &code, &rest)
        || !yl_str_cut(rest, ' ', &agent, &rest)) {
        return yl_error_set(err, YL_EINVALID,
                            "invalid warning header: fewer than 3 segments");
    }
    if (code.size != 3 || !isdigit((unsigned char) code.data[0])
        || !isdigit((unsigned char) code.data[1])
        || !isdigit((unsigned char) code.data[2])) {
        return yl_error_set(err, YL_EINVALID,
                            "invalid warning header: code segment is not 3 "
                            "digits between 100-299");
    } else if (!agent.size) {
        return yl_error_set(err, YL_EINVALID,
                            "invalid warning header: empty agent segment");
    } else if (!is_clean(agent)) {
        return yl_error_set(err, YL_EINVALID,
                            "invalid warning header: invalid agent");
    }
    r = read_text(&rest, arena, &text, err);
    if (r == 0 && !is_clean(text)) {
        r = yl_error_set(err, YL_EINVALID,
                         "invalid warning header: invalid text");
    }
    if (r == 0) {
        r = skip_date(&rest, err);
    }
    if (r < 0) {
        return r;
    }
    ret_warning->code = (code.data[0] - '0') * 100
                        + (code.data[1] - '0') * 10 + (code.data[2] - '0');
    ret_warning->agent = agent;
    ret_warning->text = text;
    *header = rest;
    return 1;
}

void
yl_warning_log_init(struct yl_warning_log *log)
{
    yl_mutex_init(&log->lock);
    yl_mutex_lock(&log->lock);
    yl_map_init(&log->seen);
    yl_mutex_unlock(&log->lock);
}

void
yl_warning_log_release(struct yl_warning_log *log)
{
    yl_mutex_lock(&log->lock);
    forget(&log->seen);
    yl_map_release(&log->seen);
    yl_mutex_unlock(&log->lock);
    yl_mutex_destroy(&log->lock);
}

bool
yl_warning_log_once(struct yl_warning_log *log,
                    const struct yl_warning *warning)
{
    struct yl_str text = yl_excerpt(warning->text, TEXT_MAX);
    size_t hash = yl_hash_str(text);
    struct seen *seen;

    if (warning->code != 299 || !warning->text.size) {
        return false;
    }
    yl_mutex_lock(&log->lock);
    YL_MAP_FOR_EACH_WITH_HASH (seen, by_text, hash, &log->seen) {
        if (yl_str_equal(seen->text, text)) {
            yl_mutex_unlock(&log->lock);
            return false;
        }
    }
    if (yl_map_count(&log->seen) >= YL_WARNINGS_MAX) {
        forget(&log->seen);
    }
    seen = yl_malloc(sizeof *seen + text.size);
    memcpy(seen + 1, text.data, text.size);
    seen->text = yl_str_n((char *) (seen + 1), text.size);
    yl_map_insert(&log->seen, &seen->by_text, hash);
    yl_mutex_unlock(&log->lock);
    yl_log_warning("The server warns", YL_LOG_STR("text", text));
    return true;
}

/* Takes a quoted string off the front of '*rest', and the blanks behind it. */
static int
read_text(struct yl_str *rest, struct yl_arena *arena, struct yl_str *ret_text,
          struct yl_error *err)
{
    const char *p = rest->data, *end = p + rest->size;
    char *out;
    size_t n = 0;

    if (p == end) {
        return yl_error_set(err, YL_EINVALID,
                            "invalid warning header: empty text segment");
    } else if (*p != '"') {
        return yl_error_set(err, YL_EINVALID,
                            "invalid warning header: invalid quoted string: "
                            "missing initial quote");
    }
    out = yl_arena_alloc(arena, rest->size);
    for (p++; p < end && *p != '"'; p++) {
        if (*p == '\\' && ++p == end) {
            break;
        }
        out[n++] = *p;
    }
    if (p == end) {
        return yl_error_set(err, YL_EINVALID,
                            "invalid warning header: invalid quoted string: "
                            "missing closing quote");
    }
    *ret_text = yl_str_n(out, n);
    *rest = yl_str_trim(yl_str_range(p + 1, end));
    return 0;
}

/* Takes a date in quotes, if there is one, and the comma before the next
 * warning off the front of '*rest'. */
static int
skip_date(struct yl_str *rest, struct yl_error *err)
{
    if (rest->size && rest->data[0] == '"') {
        struct yl_str after = yl_str_skip(*rest, 1);
        const char *quote = yl_str_find_char(after, '"');

        if (!quote) {
            return yl_error_set(err, YL_EINVALID,
                                "invalid warning header: unterminated date "
                                "segment");
        }
        *rest = yl_str_trim(yl_str_range(quote + 1,
                                         after.data + after.size));
    }
    if (rest->size && rest->data[0] != ',') {
        return yl_error_set(err, YL_EINVALID,
                            "invalid warning header: unexpected token after "
                            "warn-date");
    }
    *rest = rest->size ? yl_str_trim(yl_str_skip(*rest, 1)) : *rest;
    return 0;
}

/* Whether 's' is UTF-8 without control characters. */
static bool
is_clean(struct yl_str s)
{
    while (s.size) {
        uint32_t rune;
        size_t n = yl_rune_decode(s, &rune);

        if (!n || rune < 0x20 || (rune >= 0x7f && rune < 0xa0)) {
            return false;
        }
        s = yl_str_skip(s, n);
    }
    return true;
}

static void
forget(struct yl_map *map)
{
    struct seen *seen;

    YL_MAP_FOR_EACH_SAFE (seen, by_text, map) {
        yl_map_remove(map, &seen->by_text);
        free(seen);
    }
}
