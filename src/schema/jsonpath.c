/* The parser of JSONPath.  See schema/jsonpath.h for the contract.
 *
 * A path becomes a list of steps.  The text in brackets is cut out first, as
 * client-go does it: up to the next ']', so a name in brackets cannot contain
 * one. */

#include "schema/jsonpath.h"

#include <ctype.h>
#include <string.h>

#include "json/text.h"
#include "schema/jsonpath_path.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

struct parser {
    struct yl_arena *arena;
    struct yl_str rest;
    struct yl_jsonpath_step *steps;     /* Grown by doubling. */
    size_t n_steps, capacity;
    unsigned depth;             /* Filters and unions around this one. */
    struct yl_error *err;
};

static int parse(struct yl_arena *, struct yl_str text, unsigned depth,
                 struct yl_jsonpath *ret_path, struct yl_error *err);
static int parse_step(struct parser *);
static void parse_field(struct parser *);
static int parse_recursive(struct parser *);
static int parse_brackets(struct parser *);
static int parse_union(struct parser *, struct yl_str text);
static int parse_key(struct parser *, struct yl_str text);
static int parse_slice(struct parser *, struct yl_str text);
static int parse_filter(struct parser *);
static int split_filter(struct parser *, struct yl_str *ret_text);
static int parse_literal(struct parser *);
static struct yl_jsonpath_step *add_step(struct parser *,
                                         enum yl_jsonpath_op);
static enum yl_jsonpath_comparison comparison(struct yl_str);

int
yl_jsonpath_parse(struct yl_str text, struct yl_arena *arena,
                  const struct yl_jsonpath **ret_path, struct yl_error *err)
{
    struct yl_jsonpath *path = yl_arena_zalloc(arena, sizeof *path);
    int r;

    if (text.size > YL_JSONPATH_MAX_SIZE) {
        return yl_error_set(err, YL_ETOOBIG,
                            "a JSONPath has %d bytes at most",
                            YL_JSONPATH_MAX_SIZE);
    }
    r = parse(arena, text, 0, path, err);
    if (r == 0) {
        *ret_path = path;
    }
    return r;
}

static int
parse(struct yl_arena *arena, struct yl_str text, unsigned depth,
      struct yl_jsonpath *ret_path, struct yl_error *err)
{
    struct parser p = {
        .arena = arena, .rest = text, .depth = depth, .err = err,
    };

    if (depth > YL_JSONPATH_MAX_DEPTH) {
        return yl_error_set(err, YL_ETOODEEP,
                            "a JSONPath has %d filters in each other at most",
                            YL_JSONPATH_MAX_DEPTH);
    }
    while (p.rest.size) {
        int r = parse_step(&p);

        if (r < 0) {
            return r;
        }
    }
    ret_path->steps = p.steps;
    ret_path->n_steps = p.n_steps;
    return 0;
}

static int
parse_step(struct parser *p)
{
    char c = *p->rest.data;

    if (yl_str_starts_with(p->rest, YL_STR("[?("))) {
        return parse_filter(p);
    } else if (yl_str_starts_with(p->rest, YL_STR(".."))) {
        return parse_recursive(p);
    } else if (c == ' ' || c == '@' || c == '$') {
        p->rest = yl_str_skip(p->rest, 1);
        return 0;
    } else if (c == '[') {
        return parse_brackets(p);
    } else if (c == '.') {
        p->rest = yl_str_skip(p->rest, 1);
        parse_field(p);
        return 0;
    } else if (p->depth) {
        return parse_literal(p);
    } else if (c > ' ' && c < 0x7f) {
        return yl_error_set(p->err, YL_EINVALID,
                            "unrecognized character in action: U+%04X '%c'",
                            c, c);
    }
    return yl_error_set(p->err, YL_EINVALID,
                        "unrecognized character in action");
}

/* A name up to a character that ends it; after a backslash it does not. */
static void
parse_field(struct parser *p)
{
    struct yl_jsonpath_step *step;
    char *name = yl_arena_alloc(p->arena, p->rest.size + 1);
    size_t i, n = 0;

    for (i = 0; i < p->rest.size; i++) {
        char c = p->rest.data[i];

        if (c == '\\') {
            if (i + 1 < p->rest.size && p->rest.data[i + 1] != '\\') {
                name[n++] = p->rest.data[i + 1];
            }
            i++;
        } else if (strchr(" \t\r\n.,[]$@{}", c)) {
            break;
        } else {
            name[n++] = c;
        }
    }
    p->rest = yl_str_skip(p->rest, i < p->rest.size ? i : p->rest.size);
    step = add_step(p, n == 1 && *name == '*' ? YL_JSONPATH_WILDCARD
                                              : YL_JSONPATH_FIELD);
    step->name = yl_str_n(name, n);
}

static int
parse_recursive(struct parser *p)
{
    if (p->n_steps && p->steps[p->n_steps - 1].op == YL_JSONPATH_RECURSIVE) {
        return yl_error_set(p->err, YL_EINVALID,
                            "invalid multiple recursive descent");
    }
    p->rest = yl_str_skip(p->rest, 2);
    add_step(p, YL_JSONPATH_RECURSIVE);
    if (p->rest.size && (*p->rest.data == '_' || *p->rest.data & 0x80
                         || isalnum((unsigned char) *p->rest.data))) {
        parse_field(p);
    }
    return 0;
}

static int
parse_brackets(struct parser *p)
{
    const char *end = yl_str_find_char(p->rest, ']');
    struct yl_str text;

    if (!end) {
        return yl_error_set(p->err, YL_EINVALID, "unterminated array");
    }
    text = yl_str_range(p->rest.data + 1, end);
    p->rest = yl_str_range(end + 1, p->rest.data + p->rest.size);
    if (yl_str_equal_c(text, "*")) {
        text = YL_STR(":");
    }
    if (yl_str_find_char(text, ',')) {
        return parse_union(p, text);
    } else if (text.size >= 2 && text.data[0] == '\''
               && yl_str_find_char(yl_str_skip(text, 1), '\'')
                  == text.data + text.size - 1) {
        return parse_key(p, yl_str_n(text.data + 1, text.size - 2));
    }
    return parse_slice(p, text);
}

static int
parse_union(struct parser *p, struct yl_str text)
{
    struct yl_jsonpath_step *step = add_step(p, YL_JSONPATH_UNION);
    struct yl_jsonpath *paths;
    struct yl_str part, rest = text;
    size_t n = 1;

    while (yl_str_cut(rest, ',', &part, &rest)) {
        n++;
    }
    paths = yl_arena_array(p->arena, n, sizeof *paths);
    rest = text;
    for (size_t i = 0; i < n; i++) {
        int r;

        if (!yl_str_cut(rest, ',', &part, &rest)) {
            part = rest;
        }
        part = yl_str_trim(part);
        r = parse(p->arena,
                  yl_str_c(yl_arena_printf(p->arena, "[%.*s]",
                                           YL_STR_ARG(part))),
                  p->depth + 1, &paths[i], p->err);
        if (r < 0) {
            return r;
        }
    }
    step->paths = paths;
    step->n_paths = n;
    return 0;
}

/* ['a.b'] is .a.b, dots and all. */
static int
parse_key(struct parser *p, struct yl_str text)
{
    struct yl_str rest = p->rest;

    p->rest = yl_str_c(yl_arena_printf(p->arena, ".%.*s", YL_STR_ARG(text)));
    while (p->rest.size) {
        int r = parse_step(p);

        if (r < 0) {
            return r;
        }
    }
    p->rest = rest;
    return 0;
}

/* "1", "-1", "1:", ":2", "0:4:2" or nothing, which is the first element. */
static int
parse_slice(struct parser *p, struct yl_str text)
{
    struct yl_jsonpath_step *step = add_step(p, YL_JSONPATH_ARRAY);
    struct yl_str rest = text;

    for (int i = 0; i < 3; i++) {
        struct yl_jsonpath_bound *bound = &step->bounds[i];
        struct yl_str part = rest;
        bool last = !yl_str_cut(rest, ':', &part, &rest);
        long long value;

        if (part.size) {
            if (yl_str_to_i64(part, &value) < 0 || value < INT32_MIN
                || value > INT32_MAX || (last ? 0 : i == 2)) {
                return yl_error_set(p->err, YL_EINVALID,
                                    "invalid array index %.*s",
                                    YL_STR_ARG(text));
            }
            bound->known = true;
            bound->value = value;
        } else if (i == 2 && !last) {
            return yl_error_set(p->err, YL_EINVALID,
                                "invalid array index %.*s", YL_STR_ARG(text));
        }
        if (last) {
            if (i == 0) {
                step->bounds[1] = (struct yl_jsonpath_bound) {
                    .value = bound->value + 1, .known = true,
                    .derived = true,
                };
            }
            break;
        }
    }
    return 0;
}

static int
parse_filter(struct parser *p)
{
    struct yl_jsonpath_step *step;
    struct yl_jsonpath *paths;
    struct yl_str text, left, right;
    size_t n, m;
    int r = split_filter(p, &text);

    if (r < 0) {
        return r;
    }
    paths = yl_arena_array(p->arena, 2, sizeof *paths);
    for (n = 0; n < text.size && !strchr("!<>=", text.data[n]); n++) {
        continue;
    }
    for (m = n; m < text.size && strchr("!<>=", text.data[m]); m++) {
        continue;
    }
    step = add_step(p, YL_JSONPATH_FILTER);
    step->paths = paths;
    step->n_paths = 2;
    if (n == 0 || m == n || m == text.size) {
        step->comparison = YL_JSONPATH_EXISTS;
        return parse(p->arena, text, p->depth + 1, &paths[0], p->err);
    }
    left = yl_str_n(text.data, n);
    right = yl_str_skip(text, m);
    step->comparison = comparison(yl_str_n(text.data + n, m - n));
    r = parse(p->arena, left, p->depth + 1, &paths[0], p->err);
    return r < 0 ? r : parse(p->arena, right, p->depth + 1, &paths[1],
                             p->err);
}

/* Finds the text between "[?(" and ")]".  A ')' in quotes does not end it. */
static int
split_filter(struct parser *p, struct yl_str *ret_text)
{
    struct yl_str rest = yl_str_skip(p->rest, 3);
    bool began = false, ended = false;
    char quote = 0;

    for (size_t i = 0; i < rest.size && rest.data[i] != '\n'; i++) {
        char c = rest.data[i];

        if ((c == '"' || c == '\'') && !began) {
            began = true;
            quote = c;
        } else if (began && c == quote && rest.data[i - 1] != '\\') {
            ended = true;
        } else if (c == ')' && began == ended) {
            if (i + 1 == rest.size || rest.data[i + 1] != ']') {
                return yl_error_set(p->err, YL_EINVALID,
                                    "unclosed array expect ]");
            }
            *ret_text = yl_str_n(rest.data, i);
            p->rest = yl_str_skip(rest, i + 2);
            return 0;
        }
    }
    return yl_error_set(p->err, YL_EINVALID, "unterminated filter");
}

/* "text", 'text', 1, -1.5, true: kept as JSON.  Any other word is an error,
 * but only when it is evaluated. */
static int
parse_literal(struct parser *p)
{
    char quote = *p->rest.data;
    struct yl_buf buf;
    struct yl_str text = p->rest;
    size_t n = 0;

    yl_buf_init(&buf, 8 * YL_JSONPATH_MAX_SIZE);
    if (quote == '"' || quote == '\'') {
        struct yl_buf bare;

        yl_buf_init(&bare, YL_JSONPATH_MAX_SIZE);
        for (n = 1; n < text.size && text.data[n] != quote; n++) {
            n += text.data[n] == '\\' && n + 1 < text.size;
            yl_buf_append_char(&bare, text.data[n]);
        }
        if (n < text.size) {
            yl_json_write_string(&buf, yl_buf_str(&bare));
            n++;
        }
        yl_buf_release(&bare);
    } else {
        while (n < text.size && !strchr(" \t\r\n,[]$@{}", text.data[n])) {
            n++;
        }
        yl_buf_append(&buf, text.data + (*text.data == '+'),
                      n - (*text.data == '+'));
    }
    text = yl_arena_copy(p->arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    if (isalpha((unsigned char) quote) && !yl_str_equal_c(text, "true")
        && !yl_str_equal_c(text, "false")) {
        text = yl_str_null();
    } else if (yl_json_validate(text, NULL, NULL) < 0) {
        return yl_error_set(p->err, YL_EINVALID,
                            "cannot read a value in a JSONPath: %.*s",
                            YL_STR_ARG(p->rest));
    }
    add_step(p, YL_JSONPATH_LITERAL)->literal = yl_json(text);
    p->rest = yl_str_skip(p->rest, n);
    return 0;
}

static struct yl_jsonpath_step *
add_step(struct parser *p, enum yl_jsonpath_op op)
{
    if (p->n_steps == p->capacity) {
        size_t capacity = p->capacity ? p->capacity * 2 : 4;
        struct yl_jsonpath_step *steps = yl_arena_array(p->arena, capacity,
                                                        sizeof *steps);

        if (p->n_steps) {
            memcpy(steps, p->steps, p->n_steps * sizeof *steps);
        }
        p->steps = steps;
        p->capacity = capacity;
    }
    p->steps[p->n_steps].op = op;
    return &p->steps[p->n_steps++];
}

static enum yl_jsonpath_comparison
comparison(struct yl_str s)
{
    static const char *const names[] = {
        [YL_JSONPATH_EQUAL] = "==",
        [YL_JSONPATH_NOT_EQUAL] = "!=",
        [YL_JSONPATH_LESS] = "<",
        [YL_JSONPATH_LESS_EQUAL] = "<=",
        [YL_JSONPATH_GREATER] = ">",
        [YL_JSONPATH_GREATER_EQUAL] = ">=",
    };

    for (int i = YL_JSONPATH_EQUAL; i <= YL_JSONPATH_GREATER_EQUAL; i++) {
        if (yl_str_equal_c(s, names[i])) {
            return (enum yl_jsonpath_comparison) i;
        }
    }
    return YL_JSONPATH_UNKNOWN;
}
