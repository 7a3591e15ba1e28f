/* JSON paths of members and keys that lead through a schema:
 *
 *     .spec.replicas    .metadata['name']    .spec.labels.x
 *
 * They name selectable fields, and the field that a rule is about.  Messages
 * are upstream's. */

#include <string.h>

#include "builtin/apiextensions/crd_check.h"
#include "schema/props.h"
#include "schema/structural.h"

/* What is being read. */
struct reader {
    struct yl_arena *arena;
    struct yl_str rest;
    const struct yl_schema_props *schema;   /* So far; NULL: unknown. */
    struct yl_buf *text;
    const char *why;            /* What is wrong; or NULL. */
};

static bool next_token(struct reader *, struct yl_str *ret_token);
static void follow(struct reader *, struct yl_str name,
                   struct yl_str *first);
static bool read_quoted(struct reader *, struct yl_str token,
                        struct yl_str *ret_name);

#define UNEXPECTED_END "unexpected end of JSON path"

bool
yl_crd_path_read(struct yl_arena *arena, struct yl_str text,
                 const struct yl_schema_props *schema, bool brackets,
                 struct yl_crd_path *ret_path, const char **ret_why)
{
    struct yl_str first = YL_STR(""), token, name;
    struct yl_buf buf;
    struct reader r = { arena, text, schema, &buf, NULL };

    yl_buf_init(&buf, SIZE_MAX);
    while (!r.why && next_token(&r, &token)) {
        if (yl_str_equal_c(token, "[") && !brackets) {
            r.why = "array notation is not allowed";
        } else if (yl_str_equal_c(token, "[")) {
            if (!next_token(&r, &token)) {
                r.why = UNEXPECTED_END;
            } else if (read_quoted(&r, token, &name)) {
                follow(&r, name, &first);
                if (!r.why && !next_token(&r, &token)) {
                    r.why = UNEXPECTED_END;
                } else if (!r.why && !yl_str_equal_c(token, "]")) {
                    r.why = yl_arena_printf(arena, "expected ] but got %.*s",
                                            YL_STR_ARG(token));
                }
            }
        } else if (yl_str_equal_c(token, ".")) {
            if (!next_token(&r, &token)) {
                r.why = UNEXPECTED_END;
            } else {
                follow(&r, token, &first);
            }
        } else {
            r.why = yl_arena_printf(arena, "expected [ or . but got: %.*s",
                                    YL_STR_ARG(token));
        }
    }
    if (r.why) {
        *ret_why = r.why;
    } else {
        ret_path->schema = r.schema;
        ret_path->first = first;
        ret_path->text = yl_arena_copy(arena, yl_buf_str(&buf));
    }
    yl_buf_release(&buf);
    return !r.why;
}

/* A token is one of . [ ], a text in single quotes, or all up to the next of
 * . [ ]. */
static bool
next_token(struct reader *r, struct yl_str *ret_token)
{
    struct yl_str s = r->rest;
    size_t n = 0;

    if (!s.size) {
        return false;
    }
    if (s.data[0] == '\'') {
        for (n = 1; n < s.size
                    && (s.data[n] != '\'' || s.data[n - 1] == '\\'); n++) {
            continue;
        }
        n = n < s.size ? n + 1 : n;
    } else {
        while (n < s.size && !memchr(".[]", s.data[n], 3)) {
            n++;
        }
        n = n ? n : 1;
    }
    *ret_token = yl_str_n(s.data, n);
    r->rest = yl_str_skip(s, n);
    return true;
}

/* Goes on to the property or the value of the map. */
static void
follow(struct reader *r, struct yl_str name, struct yl_str *first)
{
    const struct yl_schema_props *s = r->schema;
    bool is_named = s && s->properties.n;

    if (!is_named && (!s || !yl_schema_has_additional(s))) {
        r->why = "does not refer to a valid field";
        return;
    }
    if (!first->size) {
        *first = name;
    }
    if (is_named) {
        yl_buf_printf(r->text, "%s%.*s", r->text->size ? "." : "",
                      YL_STR_ARG(name));
        r->schema = yl_schema_property(s, name);
        if (!r->schema) {
            r->why = "does not refer to a valid field";
        }
    } else {
        yl_buf_printf(r->text, "[%.*s]", YL_STR_ARG(name));
        r->schema = s->additional;
    }
}

/* Removes quotes and escapes. */
static bool
read_quoted(struct reader *r, struct yl_str token, struct yl_str *ret_name)
{
    static const char escapes[] = "abfnrtv'\\";
    static const char meanings[] = "\a\b\f\n\r\t\v'\\";
    char *name, *end;
    size_t i;

    if (token.size < 2 || token.data[0] != '\''
        || token.data[token.size - 1] != '\'') {
        r->why = yl_arena_printf(r->arena,
                                 "expected single quoted string but got %.*s",
                                 YL_STR_ARG(token));
        return false;
    }
    name = end = yl_arena_strdup(r->arena,
                                 yl_str_n(token.data + 1, token.size - 2));
    for (i = 1; i + 1 < token.size; i++) {
        const char *escape;

        if (token.data[i] != '\\' || i + 2 >= token.size) {
            *end++ = token.data[i];
            continue;
        }
        i++;
        escape = memchr(escapes, token.data[i], sizeof escapes - 1);
        if (!escape) {
            r->why = yl_arena_printf(r->arena, "invalid string literal: "
                                     "invalid escape char \\%c",
                                     token.data[i]);
            return false;
        }
        *end++ = meanings[escape - escapes];
    }
    *ret_name = yl_str_n(name, (size_t) (end - name));
    return true;
}
