/* The values of markers.  See codegen/marker_text.h. */

#include "codegen/marker_text.h"

#include <string.h>

#include "base/buf.h"
#include "json/text.h"
#include "yuloh/arena.h"
#include "yuloh/json.h"

/* Ceiling for a marker's value: markers are lines that people write. */
#define MAX_VALUE ((size_t) 256 << 10)
#define MAX_DEPTH 32

static bool write_value(struct yl_arena *, struct yl_buf *, struct yl_str,
                        unsigned depth);
static bool write_braces(struct yl_arena *, struct yl_buf *, struct yl_str,
                         unsigned depth);

bool
yl_marker_string(struct yl_arena *arena, struct yl_str text,
                 const char **ret)
{
    struct yl_str s;

    text = yl_str_trim(text);
    if (text.size && (text.data[0] == '"' || text.data[0] == '`')) {
        char quote = text.data[0];

        if (text.size < 2 || text.data[text.size - 1] != quote) {
            return false;
        } else if (quote == '"') {
            if (yl_json_validate(text, NULL, NULL) < 0
                || yl_json_string(yl_json(text), arena, &s) < 0) {
                return false;
            }
            *ret = yl_arena_strdup(arena, s);
            return true;
        }
        text = yl_str_n(text.data + 1, text.size - 2);
        if (yl_str_find_char(text, '`')) {
            return false;
        }
    }
    *ret = yl_arena_strdup(arena, text);
    return true;
}

bool
yl_marker_json(struct yl_arena *arena, struct yl_str text, const char **ret)
{
    struct yl_buf buf;
    bool ok;

    yl_buf_init(&buf, MAX_VALUE);
    ok = write_value(arena, &buf, yl_str_trim(text), 0)
         && !yl_buf_error(&buf);
    if (ok) {
        *ret = yl_arena_strdup(arena, yl_buf_str(&buf));
    }
    yl_buf_release(&buf);
    return ok;
}

bool
yl_marker_next(struct yl_str *rest, char separator, struct yl_str *ret_item)
{
    unsigned depth = 0;
    char quote = '\0';
    size_t i;

    if (yl_str_is_null(*rest)) {
        return false;
    }
    for (i = 0; i < rest->size; i++) {
        char c = rest->data[i];

        if (quote) {
            if (c == '\\' && quote == '"') {
                i++;
            } else if (c == quote) {
                quote = '\0';
            }
        } else if (c == '"' || c == '`') {
            quote = c;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if (depth && (c == '}' || c == ']')) {
            depth--;
        } else if (!depth && c == separator) {
            break;
        }
    }
    if (i < rest->size) {
        *ret_item = yl_str_trim(yl_str_n(rest->data, i));
        *rest = yl_str_skip(*rest, i + 1);
    } else {
        *ret_item = yl_str_trim(*rest);
        *rest = yl_str_null();
    }
    return true;
}

static bool
write_value(struct yl_arena *arena, struct yl_buf *buf, struct yl_str text,
            unsigned depth)
{
    const char *s;

    if (depth > MAX_DEPTH) {
        return false;
    } else if (text.size && yl_json_validate(text, NULL, NULL) == 0) {
        yl_buf_append_str(buf, text);
        return true;
    } else if (yl_str_starts_with(text, YL_STR("{"))
               || yl_str_starts_with(text, YL_STR("["))) {
        return write_braces(arena, buf, text, depth);
    } else if (!yl_marker_string(arena, text, &s)) {
        return false;
    }
    yl_json_write_string(buf, yl_str_c(s));
    return true;
}

/* A list or map that is not JSON as it stands: {a, b}, {k: v}. */
static bool
write_braces(struct yl_arena *arena, struct yl_buf *buf, struct yl_str text,
             unsigned depth)
{
    char close = text.data[0] == '{' ? '}' : ']';
    struct yl_str item = yl_str_null(), key = item, rest;
    bool map, first = true;

    if (text.size < 2 || text.data[text.size - 1] != close) {
        return false;
    }
    text = yl_str_trim(yl_str_n(text.data + 1, text.size - 2));

    /* It is a map if its first item has a colon. */
    rest = text;
    yl_marker_next(&rest, ',', &item);
    yl_marker_next(&item, ':', &key);
    map = close == '}' && !yl_str_is_null(item);

    yl_buf_append_char(buf, map ? '{' : '[');
    rest = text;
    while (yl_marker_next(&rest, ',', &item)) {
        if (!first) {
            yl_buf_append_char(buf, ',');
        }
        first = false;
        if (map) {
            const char *name;

            yl_marker_next(&item, ':', &key);
            if (yl_str_is_null(item)
                || !yl_marker_string(arena, key, &name)) {
                return false;
            }
            yl_json_write_string(buf, yl_str_c(name));
            yl_buf_append_char(buf, ':');
            item = yl_str_trim(item);
        }
        if (!write_value(arena, buf, item, depth + 1)) {
            return false;
        }
    }
    yl_buf_append_char(buf, map ? '}' : ']');
    return true;
}
