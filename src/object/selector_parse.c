/* The string form of label selectors.
 *
 *     selector     = [ requirement { "," requirement } ]
 *     requirement  = [ "!" ] KEY | KEY set | KEY operator [ VALUE ]
 *     set          = ( "in" | "notin" ) "(" [ VALUE ] { "," [ VALUE ] } ")"
 *     operator     = "=" | "==" | "!=" | ">" | "<"
 *
 * "in" and "notin" are ordinary words where a key or a value may stand.  As in
 * upstream, a NUL after a token is skipped, and one after a blank ends the
 * text. */

#include "object/selector.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/quote.h"
#include "yuloh/arena.h"
#include "yuloh/names.h"

/* How much a message repeats of a word that is out of place. */
#define MAX_WORD 4096

enum token {
    END,
    WORD,
    IN,
    NOT_IN,
    OPEN,
    CLOSE,
    COMMA,
    NOT,
    EQUALS,
    DOUBLE_EQUALS,
    NOT_EQUALS,
    GREATER,
    LESS,
};

struct parser {
    struct yl_str rest;         /* Behind 'token'. */
    enum token token;           /* The next one. */
    struct yl_str text;         /* Its text. */

    struct yl_str *values;      /* Of the requirement at hand. */
    size_t n_values, capacity;
    bool has_empty;             /* Is "" among them? */

    struct yl_selector_builder builder;
    struct yl_error *err;
};

static int parse(struct parser *);
static int parse_requirement(struct parser *);
static int parse_operator(struct parser *, enum yl_selector_op *);
static int parse_set(struct parser *);
static int parse_list(struct parser *);
static int parse_value(struct parser *);
static int add(struct parser *, struct yl_str key, enum yl_selector_op);
static void add_value(struct parser *, struct yl_str);
static void advance(struct parser *);
static bool is_word(enum token);
static int unexpected(struct parser *, const char *expected);

int
yl_selector_parse(struct yl_str text, struct yl_arena *arena,
                  const struct yl_selector **ret_selector,
                  struct yl_error *err)
{
    struct parser p;
    int r;

    if (text.size > YL_SELECTOR_MAX_TEXT) {
        return yl_error_set(err, YL_ETOOBIG,
                            "selector is longer than %zu bytes",
                            YL_SELECTOR_MAX_TEXT);
    }
    memset(&p, 0, sizeof p);
    p.rest = text;
    p.err = err;
    yl_selector_builder_init(&p.builder, arena);
    advance(&p);
    r = parse(&p);
    if (r == 0) {
        *ret_selector = yl_selector_builder_finish(&p.builder);
    }
    yl_selector_builder_release(&p.builder);
    free(p.values);
    return r;
}

static int
parse(struct parser *p)
{
    while (p->token != END) {
        int r;

        if (!is_word(p->token) && p->token != NOT) {
            return unexpected(p, ", expected: !, identifier, or 'end of "
                              "string'");
        }
        r = parse_requirement(p);
        if (r < 0) {
            if (r == YL_EINVALID) {
                yl_error_prefix(p->err, "unable to parse requirement");
            }
            return r;
        } else if (p->token == END) {
            return 0;
        } else if (p->token != COMMA) {
            return unexpected(p, ", expected: ',' or 'end of string'");
        }
        advance(p);
        if (!is_word(p->token) && p->token != NOT) {
            return unexpected(p, ", expected: identifier after ','");
        }
    }
    return 0;
}

static int
parse_requirement(struct parser *p)
{
    struct yl_name_faults faults;
    enum yl_selector_op op = YL_SELECTOR_EXISTS;
    bool negated = p->token == NOT;
    struct yl_str key;
    int r;

    if (negated) {
        advance(p);
    }
    if (!is_word(p->token)) {
        return unexpected(p, ", expected: identifier");
    }
    key = p->text;
    if (yl_name_check(YL_NAME_QUALIFIED, key, &faults) < 0) {
        struct yl_buf quoted;

        yl_buf_init(&quoted, MAX_WORD);
        yl_quote(&quoted, key);
        r = yl_name_faults_error(&faults, p->err);
        yl_error_prefix(p->err, "<nil>: Invalid value: %s",
                        yl_buf_c_str(&quoted));
        yl_buf_release(&quoted);
        return r;
    }
    advance(p);
    p->n_values = 0;
    p->has_empty = false;
    if (negated || p->token == END || p->token == COMMA) {
        return add(p, key, negated ? YL_SELECTOR_DOES_NOT_EXIST
                                   : YL_SELECTOR_EXISTS);
    }
    r = parse_operator(p, &op);
    if (r == 0) {
        r = op == YL_SELECTOR_IN || op == YL_SELECTOR_NOT_IN ? parse_set(p)
                                                              : parse_value(p);
    }
    return r < 0 ? r : add(p, key, op);
}

static int
parse_operator(struct parser *p, enum yl_selector_op *ret_op)
{
    switch (p->token) {
    case IN:
        *ret_op = YL_SELECTOR_IN;
        break;
    case NOT_IN:
        *ret_op = YL_SELECTOR_NOT_IN;
        break;
    case EQUALS:
        *ret_op = YL_SELECTOR_EQUALS;
        break;
    case DOUBLE_EQUALS:
        *ret_op = YL_SELECTOR_DOUBLE_EQUALS;
        break;
    case NOT_EQUALS:
        *ret_op = YL_SELECTOR_NOT_EQUALS;
        break;
    case GREATER:
        *ret_op = YL_SELECTOR_GREATER_THAN;
        break;
    case LESS:
        *ret_op = YL_SELECTOR_LESS_THAN;
        break;
    default:
        return unexpected(p, ", expected: in, notin, =, ==, !=, gt, lt");
    }
    advance(p);
    return 0;
}

static int
parse_set(struct parser *p)
{
    int r;

    if (p->token != OPEN) {
        return unexpected(p, " expected: '('");
    }
    advance(p);
    if (p->token == CLOSE) {
        add_value(p, YL_STR(""));
    } else if (is_word(p->token) || p->token == COMMA) {
        r = parse_list(p);
        if (r < 0) {
            return r;
        }
    } else {
        return unexpected(p, ", expected: ',', ')' or identifier");
    }
    advance(p);
    return 0;
}

/* Reads up to the ')'.  A place without a value counts as "". */
static int
parse_list(struct parser *p)
{
    for (;;) {
        if (is_word(p->token)) {
            add_value(p, p->text);
            advance(p);
            if (p->token == CLOSE) {
                return 0;
            } else if (p->token != COMMA) {
                return unexpected(p, ", expected: ',' or ')'");
            }
        } else if (p->token == COMMA) {
            bool first = !p->n_values;

            advance(p);
            if (first || p->token == CLOSE || p->token == COMMA) {
                add_value(p, YL_STR(""));
            }
            if (p->token == CLOSE) {
                return 0;
            }
        } else {
            return unexpected(p, ", expected: ',', or identifier");
        }
    }
}

static int
parse_value(struct parser *p)
{
    if (p->token == END || p->token == COMMA) {
        add_value(p, YL_STR(""));
        return 0;
    } else if (!is_word(p->token)) {
        return unexpected(p, ", expected: identifier");
    }
    add_value(p, p->text);
    advance(p);
    return 0;
}

/* Adds a requirement with the values at hand, each of them once. */
static int
add(struct parser *p, struct yl_str key, enum yl_selector_op op)
{
    size_t n = 0, i;

    if (p->n_values) {
        qsort(p->values, p->n_values, sizeof *p->values, yl_selector_compare);
    }
    for (i = 0; i < p->n_values; i++) {
        if (!n || !yl_str_equal(p->values[n - 1], p->values[i])) {
            p->values[n++] = p->values[i];
        }
    }
    return yl_selector_builder_add(&p->builder, key, op, p->values, n, p->err);
}

static void
add_value(struct parser *p, struct yl_str value)
{
    if (!value.size) {
        /* A client can send many commas at little cost; together they add ""
         * once. */
        if (p->has_empty) {
            return;
        }
        p->has_empty = true;
    }
    if (p->n_values == p->capacity) {
        p->capacity = p->capacity ? p->capacity * 2 : 8;
        p->values = yl_realloc_array(p->values, p->capacity,
                                     sizeof *p->values);
    }
    p->values[p->n_values++] = value;
}

/* The lexer. */

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool
is_special(char c)
{
    return c != '\0' && strchr("=!(),><", c);
}

/* The token that starts with special character 'c', followed by 'next'. */
static enum token
special_token(char c, char next, size_t *ret_size)
{
    *ret_size = (c == '=' || c == '!') && next == '=' ? 2 : 1;
    switch (c) {
    case '=':
        return *ret_size == 2 ? DOUBLE_EQUALS : EQUALS;
    case '!':
        return *ret_size == 2 ? NOT_EQUALS : NOT;
    case '(':
        return OPEN;
    case ')':
        return CLOSE;
    case ',':
        return COMMA;
    case '>':
        return GREATER;
    default:
        return LESS;
    }
}

/* Moves to the next token.  At the end it stays there. */
static void
advance(struct parser *p)
{
    struct yl_str s = p->rest;
    size_t n = 0;

    while (s.size && is_blank(s.data[0])) {
        s = yl_str_skip(s, 1);
    }
    if (!s.size || s.data[0] == '\0') {
        p->token = END;
        p->text = p->rest = yl_str_n("", 0);
        return;
    }
    if (is_special(s.data[0])) {
        p->token = special_token(s.data[0], s.size > 1 ? s.data[1] : '\0',
                                 &n);
    } else {
        while (n < s.size && s.data[n] != '\0' && !is_blank(s.data[n])
               && !is_special(s.data[n])) {
            n++;
        }
        p->token = WORD;
    }
    p->text = yl_str_n(s.data, n);
    if (p->token == WORD && yl_str_equal_c(p->text, "in")) {
        p->token = IN;
    } else if (p->token == WORD && yl_str_equal_c(p->text, "notin")) {
        p->token = NOT_IN;
    }
    p->rest = yl_str_skip(s, n + (n < s.size && s.data[n] == '\0'));
}

static bool
is_word(enum token token)
{
    return token == WORD || token == IN || token == NOT_IN;
}

static int
unexpected(struct parser *p, const char *expected)
{
    size_t size = p->text.size < MAX_WORD ? p->text.size : MAX_WORD;

    return yl_error_set(p->err, YL_EINVALID, "found '%.*s'%s", (int) size,
                        p->text.data, expected);
}
