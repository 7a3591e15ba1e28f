/* A JSON tree to YAML.  See json/yaml_out.h.
 *
 * kubectl prints with a Go descendant of an old libyaml.  Its choices of
 * quotes and line breaks must be matched byte for byte, so this follows it
 * rather than today's emitter of libyaml.  Only a small part of an emitter is
 * needed: block style, and four ways to write a scalar.
 *
 * The state describes the line written so far: 'whitespace' says whether it
 * ends in a blank; 'indention' whether it contains nothing but indentation and
 * the marks -, ?  and :, after which a container may go on in the same
 * line. */

#include "json/yaml_out.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/buf.h"
#include "json/tree.h"
#include "json/unicode.h"
#include "json/yaml_scalar.h"
#include "json/yaml_sort.h"

#define INDENT 2
#define WIDTH 80                /* Long lines break at the next blank. */
#define MAX_SIMPLE_KEY 128      /* Bytes; a longer key is set off by "?". */

enum style {
    PLAIN,
    SINGLE_QUOTED,
    DOUBLE_QUOTED,
    LITERAL,
};

/* What is in a string that decides how it can be written. */
struct traits {
    bool is_multiline;          /* Has a line break, of whatever kind. */
    bool may_be_plain;
    bool may_be_single_quoted;
    bool may_be_literal;
};

struct writer {
    struct yl_buf *buf;
    struct yl_arena scratch;    /* Unescaped strings and sorted members. */
    int indent;                 /* -1 outside of the root. */
    int column;                 /* In characters. */
    bool whitespace;
    bool indention;
};

static void write_node(struct writer *, const struct yl_node *,
                       bool is_member);
static void write_array(struct writer *, const struct yl_node *,
                        bool is_member);
static void write_object(struct writer *, const struct yl_node *);
static void write_number(struct writer *, struct yl_str);
static void write_string(struct writer *, struct yl_str, bool is_key);
static void write_plain(struct writer *, struct yl_str, bool may_break);
static void write_single_quoted(struct writer *, struct yl_str,
                                bool may_break);
static void write_double_quoted(struct writer *, struct yl_str,
                                bool may_break);
static void write_escape(struct writer *, uint32_t code);
static void write_literal(struct writer *, struct yl_str);
static void write_literal_hints(struct writer *, struct yl_str);
static void write_indent(struct writer *);
static void write_mark(struct writer *, const char *mark, bool needs_blank,
                       bool keeps_indention);
static void put(struct writer *, const char *, size_t size);
static void put_break(struct writer *, const char *, size_t size);
static struct traits look_at(struct yl_str);

void
yl_yaml_write(struct yl_buf *buf, const struct yl_node *root)
{
    struct writer w = { .buf = buf, .indent = -1, .whitespace = true,
                        .indention = true };

    yl_arena_init(&w.scratch);
    write_node(&w, root, false);
    write_indent(&w);
    yl_arena_release(&w.scratch);
}

static void
write_node(struct writer *w, const struct yl_node *node, bool is_member)
{
    struct yl_str text = YL_STR("null");
    bool truth;

    if (yl_buf_error(w->buf)) {
        return;
    }
    switch ((enum yl_json_type) node->type) {
    case YL_JSON_ARRAY:
        write_array(w, node, is_member);
        return;

    case YL_JSON_OBJECT:
        write_object(w, node);
        return;

    case YL_JSON_STRING:
        yl_node_string(node, &w->scratch, &text);
        write_string(w, text, false);
        return;

    case YL_JSON_NUMBER:
        yl_node_number(node, &text);
        write_number(w, text);
        return;

    case YL_JSON_BOOL:
        yl_node_bool(node, &truth);
        text = truth ? YL_STR("true") : YL_STR("false");
        break;

    case YL_JSON_NULL:
    case YL_JSON_NONE:
        break;
    }
    write_plain(w, text, false);
}

static void
write_array(struct writer *w, const struct yl_node *array, bool is_member)
{
    int outer = w->indent;
    const struct yl_node *child;

    if (!array->first) {
        write_mark(w, "[]", true, false);
        return;
    }
    if (outer < 0) {
        w->indent = 0;
    } else if (!is_member || w->indention) {
        w->indent += INDENT;
    }
    YL_NODE_FOR_EACH (child, array) {
        write_indent(w);
        write_mark(w, "-", true, true);
        write_node(w, child, false);
    }
    w->indent = outer;
}

static void
write_object(struct writer *w, const struct yl_node *object)
{
    int outer = w->indent;
    const struct yl_node **members;
    size_t i;

    if (!object->first) {
        write_mark(w, "{}", true, false);
        return;
    }
    members = yl_yaml_sort(&w->scratch, object);
    w->indent = outer < 0 ? 0 : outer + INDENT;
    for (i = 0; i < object->n; i++) {
        struct yl_str key = yl_node_key(members[i]);

        write_indent(w);
        if (key.size <= MAX_SIMPLE_KEY && !look_at(key).is_multiline) {
            write_string(w, key, true);
            write_mark(w, ":", false, false);
        } else {
            write_mark(w, "?", true, true);
            write_string(w, key, false);
            write_indent(w);
            write_mark(w, ":", true, true);
        }
        write_node(w, members[i], true);
    }
    w->indent = outer;
}

static void
write_number(struct writer *w, struct yl_str text)
{
    struct yl_yaml_scalar scalar = yl_yaml_resolve(text);
    struct yl_buf buf;

    if (scalar.type == YL_YAML_STRING) {
        /* Too large even for a double.  Go makes it a string. */
        write_plain(w, text, true);
        return;
    }
    yl_buf_init(&buf, 64);
    if (scalar.type == YL_YAML_FLOAT) {
        yl_yaml_write_float(&buf, scalar.as.real, false);
    } else if (scalar.type == YL_YAML_INT && scalar.as.integer == 0) {
        yl_buf_append_char(&buf, '0');
    } else {
        yl_buf_append_str(&buf, text);
    }
    write_plain(w, yl_buf_str(&buf), false);
    yl_buf_release(&buf);
}

static void
write_string(struct writer *w, struct yl_str s, bool is_key)
{
    struct traits traits = look_at(s);
    enum style style = DOUBLE_QUOTED;
    int outer = w->indent;

    if (yl_str_find_char(s, '\n')) {
        style = traits.may_be_literal && !is_key ? LITERAL : DOUBLE_QUOTED;
    } else if (yl_yaml_resolve(s).type == YL_YAML_STRING
               && !yl_yaml_is_base60(s)) {
        style = traits.may_be_plain ? PLAIN
                : traits.may_be_single_quoted ? SINGLE_QUOTED
                : DOUBLE_QUOTED;
    }
    w->indent = outer < 0 ? INDENT : outer + INDENT;
    switch (style) {
    case PLAIN:
        write_plain(w, s, !is_key);
        break;

    case SINGLE_QUOTED:
        write_single_quoted(w, s, !is_key);
        break;

    case DOUBLE_QUOTED:
        write_double_quoted(w, s, !is_key);
        break;

    case LITERAL:
        write_literal(w, s);
        break;
    }
    w->indent = outer;
}

static inline const char *
end_of(struct yl_str s)
{
    return s.data + s.size;
}

/* The size of the character at 'p'. */
static inline size_t
size_at(const char *p, const char *end)
{
    unsigned char c = (unsigned char) *p;
    size_t n = c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;

    return n <= (size_t) (end - p) ? n : (size_t) (end - p);
}

/* The size of the line break at 'p'; 0 if there is none. */
static size_t
break_at(const char *p, const char *end)
{
    if (*p == '\n' || *p == '\r') {
        return 1;
    } else if (end - p >= 2 && !memcmp(p, "\xc2\x85", 2)) {
        return 2;
    } else if (end - p >= 3 && (!memcmp(p, "\xe2\x80\xa8", 3)
                                || !memcmp(p, "\xe2\x80\xa9", 3))) {
        return 3;
    }
    return 0;
}

/* Whether the character at 'p' can be printed as it is.  Characters beyond
 * U+FFFF, emoji among them, count as not printable. */
static bool
is_printable(const char *p, const char *end)
{
    uint32_t c;

    yl_unicode_read(yl_str_range(p, end), &c);
    return c == '\n' || (c >= 0x20 && c <= 0x7e)
           || (c >= 0xa0 && c <= 0xfffd && c != 0xfeff);
}

/* Whether a long line may be broken at the blank at 'p'. */
static bool
breaks_here(const struct writer *w, const char *p, const char *end,
            bool after_blank)
{
    return w->column > WIDTH && !after_blank && end - p > 1 && p[1] != ' ';
}

static void
write_plain(struct writer *w, struct yl_str s, bool may_break)
{
    const char *p = s.data;
    const char *end = end_of(s);
    bool after_blank = false;

    if (!w->whitespace) {
        put(w, " ", 1);
    }
    while (p < end) {
        size_t n = size_at(p, end);
        bool is_blank = *p == ' ';

        if (is_blank && may_break && breaks_here(w, p, end, after_blank)) {
            write_indent(w);
        } else {
            put(w, p, n);
        }
        w->indention = w->indention && is_blank;
        after_blank = is_blank;
        p += n;
    }
    w->whitespace = false;
    w->indention = false;
}

static void
write_single_quoted(struct writer *w, struct yl_str s, bool may_break)
{
    const char *p = s.data;
    const char *end = end_of(s);
    bool after_blank = false;
    bool after_break = false;

    write_mark(w, "'", true, false);
    while (p < end) {
        size_t n = size_at(p, end);

        if (*p == ' ') {
            if (may_break && p > s.data
                && breaks_here(w, p, end, after_blank)) {
                write_indent(w);
            } else {
                put(w, p, n);
            }
            after_blank = true;
        } else if (break_at(p, end)) {
            put_break(w, p, n);
            w->indention = true;
            after_break = true;
        } else {
            if (after_break) {
                write_indent(w);
            }
            if (*p == '\'') {
                put(w, p, n);
            }
            put(w, p, n);
            w->indention = false;
            after_blank = after_break = false;
        }
        p += n;
    }
    write_mark(w, "'", false, false);
}

static void
write_double_quoted(struct writer *w, struct yl_str s, bool may_break)
{
    const char *p = s.data;
    const char *end = end_of(s);
    bool after_blank = false;

    /* Go means to escape byte order marks, but compares at the wrong offset: a
     * string that starts with one has all of its characters escaped. */
    bool escape_all = yl_str_starts_with(s, YL_STR("\xef\xbb\xbf"));

    write_mark(w, "\"", true, false);
    while (p < end) {
        size_t n = size_at(p, end);
        bool is_blank = *p == ' ' && !escape_all;

        if (escape_all || !is_printable(p, end) || break_at(p, end)
            || *p == '"' || *p == '\\') {
            uint32_t code;

            yl_unicode_read(yl_str_range(p, end), &code);
            write_escape(w, code);
        } else if (is_blank && may_break && !after_blank && p > s.data
                   && end - p > 1 && w->column > WIDTH) {
            write_indent(w);
            if (p[1] == ' ') {
                put(w, "\\", 1);
            }
        } else {
            put(w, p, n);
        }
        after_blank = is_blank;
        p += n;
    }
    write_mark(w, "\"", false, false);
}

static void
write_escape(struct writer *w, uint32_t code)
{
    static const struct {
        uint32_t code;
        char letter;
    } letters[] = {
        { 0x00, '0' }, { 0x07, 'a' }, { 0x08, 'b' }, { 0x09, 't' },
        { 0x0a, 'n' }, { 0x0b, 'v' }, { 0x0c, 'f' }, { 0x0d, 'r' },
        { 0x1b, 'e' }, { 0x22, '"' }, { 0x5c, '\\' }, { 0x85, 'N' },
        { 0xa0, '_' }, { 0x2028, 'L' }, { 0x2029, 'P' },
    };
    char text[16];
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(letters); i++) {
        if (letters[i].code == code) {
            snprintf(text, sizeof text, "\\%c", letters[i].letter);
            break;
        }
    }
    if (i == YL_ARRAY_SIZE(letters)) {
        snprintf(text, sizeof text, code <= 0xff ? "\\x%02X"
                 : code <= 0xffff ? "\\u%04X" : "\\U%08X", code);
    }
    for (i = 0; text[i]; i++) {
        put(w, &text[i], 1);
    }
}

static void
write_literal(struct writer *w, struct yl_str s)
{
    const char *p = s.data;
    const char *end = end_of(s);
    bool after_break = true;

    write_mark(w, "|", true, false);
    write_literal_hints(w, s);
    put_break(w, "\n", 1);
    w->indention = true;
    w->whitespace = true;
    while (p < end) {
        size_t n = size_at(p, end);

        if (break_at(p, end)) {
            put_break(w, p, n);
            w->indention = true;
            after_break = true;
        } else {
            if (after_break) {
                write_indent(w);
            }
            put(w, p, n);
            w->indention = false;
            after_break = false;
        }
        p += n;
    }
}

/* Writes the hints of a literal block: a digit if the indentation cannot be
 * seen from the first line; "-" if the text does not end in a line break, "+"
 * if it ends in several. */
static void
write_literal_hints(struct writer *w, struct yl_str s)
{
    const char *end = end_of(s);
    const char *p = end;
    const char *first_break = end;
    int n_breaks = 0;

    if (s.data[0] == ' ' || break_at(s.data, end)) {
        write_mark(w, "2", false, false);
    }
    while (n_breaks < 2 && p > s.data) {
        do {
            p--;
        } while (p > s.data && ((unsigned char) *p & 0xc0) == 0x80);
        if (!break_at(p, end)) {
            break;
        }
        first_break = p;
        n_breaks++;
    }
    if (n_breaks == 0) {
        write_mark(w, "-", false, false);
    } else if (n_breaks == 2 || first_break == s.data) {
        write_mark(w, "+", false, false);
    }
}

/* Starts a new line unless this one holds nothing but indentation, and
 * indents it. */
static void
write_indent(struct writer *w)
{
    int indent = w->indent < 0 ? 0 : w->indent;

    if (!w->indention || w->column > indent
        || (w->column == indent && !w->whitespace)) {
        put_break(w, "\n", 1);
    }
    while (w->column < indent) {
        put(w, " ", 1);
    }
    w->whitespace = true;
    w->indention = true;
}

static void
write_mark(struct writer *w, const char *mark, bool needs_blank,
           bool keeps_indention)
{
    if (needs_blank && !w->whitespace) {
        put(w, " ", 1);
    }
    for (; *mark; mark++) {
        put(w, mark, 1);
    }
    w->whitespace = false;
    w->indention = w->indention && keeps_indention;
}

/* Appends one character. */
static void
put(struct writer *w, const char *c, size_t size)
{
    yl_buf_append(w->buf, c, size);
    w->column++;
}

static void
put_break(struct writer *w, const char *c, size_t size)
{
    yl_buf_append(w->buf, c, size);
    w->column = 0;
}

/* Whether 'c' has a meaning in YAML at the start of a plain scalar or, if
 * 'is_first' is false, inside of one. */
static bool
is_mark(char c, bool is_first, bool after_blank, bool before_blank)
{
    switch (c) {
    case ':':
        return before_blank;

    case '#':
        return is_first || after_blank;

    case '-':
    case '?':
        return is_first && before_blank;

    case '\0':
        return false;

    default:
        return is_first && strchr(",[]{}&*!|>'\"%@`", c);
    }
}

static struct traits
look_at(struct yl_str s)
{
    const char *end = end_of(s);
    const char *p;
    size_t n;
    bool is_odd = false;        /* Needs escapes. */
    bool has_mark = yl_str_starts_with(s, YL_STR("---"))
                    || yl_str_starts_with(s, YL_STR("..."));
    bool break_then_blank = false;
    bool after_blank = false;
    bool after_break = false;
    bool after_white = true;    /* A blank, a tab, a break or a NUL. */
    bool ends_in_blank = s.size && end[-1] == ' ';
    bool has_break = false;

    for (p = s.data; p < end; p += n) {
        bool is_blank = *p == ' ';
        bool is_break, before_blank;

        if (*p > ' ' && *p < 0x7f && *p != ':' && *p != '#' && p > s.data) {
            /* Nothing special about it, as with most characters. */
            after_white = after_blank = after_break = false;
            n = 1;
            continue;
        }
        n = size_at(p, end);
        is_break = break_at(p, end) != 0;
        before_blank = p + n == end || p[n] == ' ' || p[n] == '\t';
        has_mark = has_mark || is_mark(*p, p == s.data, after_white,
                                       before_blank);
        is_odd = is_odd || !is_printable(p, end)
                 || (is_break && after_blank);
        break_then_blank = break_then_blank || (is_blank && after_break);
        has_break = has_break || is_break;
        after_white = is_blank || is_break || *p == '\t' || *p == '\0';
        after_blank = is_blank;
        after_break = is_break;
    }
    return (struct traits) {
        .is_multiline = has_break,
        .may_be_plain = !is_odd && !has_mark && !has_break && !ends_in_blank
                        && (s.size == 0 || s.data[0] != ' '),
        .may_be_single_quoted = !is_odd && !break_then_blank,
        .may_be_literal = !is_odd && !ends_in_blank,
    };
}
