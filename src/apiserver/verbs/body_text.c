/* The text of a body, as Go's decoder reads it.  See body.h. */

#include "apiserver/verbs/body.h"

#include "apiserver/request.h"
#include "base/buf.h"
#include "json/tree.h"
#include "json/utf8.h"
#include "schema/strict.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

/* The depth of nesting that Go's decoder allows. */
#define GO_MAX_DEPTH 10000

static int try(struct yl_arena *, struct yl_str, struct yl_strict *,
               struct yl_node **ret_root, struct yl_error *err);
static void explain_depth(struct yl_str text, struct yl_error *err);
static bool mend(struct yl_arena *, struct yl_str text, struct yl_str *ret);
static size_t mend_escape(struct yl_buf *, struct yl_str rest);
static int hex4(struct yl_str, unsigned *ret);

int
yl_body_parse_json(struct yl_arena *arena, struct yl_str text,
                   struct yl_strict *strict, struct yl_node **ret_root,
                   struct yl_error *err)
{
    struct yl_error first = YL_ERROR_INIT;
    struct yl_str mended;
    int r = try(arena, text, strict, ret_root, &first);

    if (r == 0) {
        return 0;
    }
    if (r == YL_ESYNTAX && mend(arena, text, &mended)
        && try(arena, mended, strict, ret_root, NULL) == 0) {
        yl_error_clear(&first);
        return 0;
    }
    if (r == YL_ETOODEEP) {
        explain_depth(text, &first);
    }
    if (err) {
        *err = first;
    } else {
        yl_error_clear(&first);
    }
    return r;
}

static int
try(struct yl_arena *arena, struct yl_str text, struct yl_strict *strict,
    struct yl_node **ret_root, struct yl_error *err)
{
    struct yl_tree_opts opts = {
        .on_duplicate = strict ? yl_strict_on_duplicate : NULL,
        .aux = strict,
    };

    return yl_tree_parse(arena, text, &opts, ret_root, err);
}

/* Makes the error for text that is nested too deeply.  Go's decoder allows
 * more levels than this one, and has a message of its own beyond them. */
static void
explain_depth(struct yl_str text, struct yl_error *err)
{
    size_t i, depth = 0;
    bool quoted = false;

    for (i = 0; i < text.size && depth <= GO_MAX_DEPTH; i++) {
        char c = text.data[i];

        if (quoted) {
            i += c == '\\';
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if (c == '}' || c == ']') {
            depth -= depth > 0;
        }
    }
    if (depth > GO_MAX_DEPTH) {
        yl_error_set(err, YL_ETOODEEP, "invalid character '%c' exceeded max "
                     "depth", text.data[i - 1]);
    }
}

/* Puts U+FFFD in the place of bytes that are no UTF-8 and of halves of
 * surrogate pairs.  Returns false if there are none. */
static bool
mend(struct yl_arena *arena, struct yl_str text, struct yl_str *ret)
{
    bool changed = false;
    struct yl_buf buf;
    size_t i = 0;

    yl_buf_init(&buf, SIZE_MAX);
    while (i < text.size) {
        struct yl_str rest = yl_str_skip(text, i);
        size_t n;

        if (rest.data[0] == '\\' && rest.size > 1) {
            size_t before = buf.size;

            n = mend_escape(&buf, rest);
            changed |= memcmp(buf.data + before, rest.data,
                              buf.size - before) != 0;
        } else {
            n = yl_utf8_char_size(rest);
            if (n) {
                yl_buf_append(&buf, rest.data, n);
            } else {
                yl_buf_append_c(&buf, "\xef\xbf\xbd");
                changed = true;
                n = 1;
            }
        }
        i += n;
    }
    if (changed) {
        *ret = yl_arena_copy(arena, yl_buf_str(&buf));
    }
    yl_buf_release(&buf);
    return changed;
}

/* Appends the escape at the start of 'rest', or U+FFFD in an escape of the
 * same length, and returns how many bytes were read. */
static size_t
mend_escape(struct yl_buf *buf, struct yl_str rest)
{
    unsigned high, low;

    if (rest.data[1] != 'u' || hex4(yl_str_skip(rest, 2), &high) < 0) {
        yl_buf_append(buf, rest.data, 2);
        return 2;
    }
    if (high < 0xd800 || high > 0xdfff) {
        yl_buf_append(buf, rest.data, 6);
        return 6;
    }
    if (high < 0xdc00 && rest.size >= 12 && rest.data[6] == '\\'
        && rest.data[7] == 'u' && hex4(yl_str_skip(rest, 8), &low) == 0
        && low >= 0xdc00 && low <= 0xdfff) {
        yl_buf_append(buf, rest.data, 12);
        return 12;
    }
    yl_buf_append_c(buf, "\\ufffd");
    return 6;
}

static int
hex4(struct yl_str s, unsigned *ret)
{
    unsigned value = 0;
    size_t i;

    if (s.size < 4) {
        return YL_ESYNTAX;
    }
    for (i = 0; i < 4; i++) {
        char c = s.data[i];

        if (c >= '0' && c <= '9') {
            value = value * 16 + (unsigned) (c - '0');
        } else if ((c | 32) >= 'a' && (c | 32) <= 'f') {
            value = value * 16 + (unsigned) ((c | 32) - 'a' + 10);
        } else {
            return YL_ESYNTAX;
        }
    }
    *ret = value;
    return 0;
}
