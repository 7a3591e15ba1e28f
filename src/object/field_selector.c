/* Field selectors.  See yuloh/selector.h for the contract.
 *
 * The text is cut at commas that have no backslash before them, and the terms
 * are sorted, as text, before they are read.  Upstream does the same, so
 * requirements and errors come in the same order. */

#include "yuloh/selector.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/quote.h"
#include "json/utf8.h"
#include "object/selector.h"
#include "yuloh/arena.h"

#define REPLACEMENT "\xef\xbf\xbd"      /* U+FFFD */

struct yl_field_selector {
    struct yl_field_requirement *requirements;
    size_t n_requirements;
};

static int split(struct yl_str text, struct yl_str **ret_terms,
                 size_t *ret_n_terms, struct yl_error *);
static int parse_term(struct yl_str text, struct yl_str term,
                      struct yl_arena *, struct yl_field_requirement *,
                      struct yl_error *);
static int unescape(struct yl_str raw, struct yl_arena *,
                    struct yl_str *ret_value, struct yl_error *);

int
yl_field_selector_parse(struct yl_str text, struct yl_arena *arena,
                        const struct yl_field_selector **ret_selector,
                        struct yl_error *err)
{
    struct yl_field_selector *selector;
    struct yl_str *terms = NULL;
    size_t n_terms = 0, i;
    int r;

    if (text.size > YL_SELECTOR_MAX_TEXT) {
        return yl_error_set(err, YL_ETOOBIG,
                            "selector is longer than %zu bytes",
                            YL_SELECTOR_MAX_TEXT);
    }
    r = split(text, &terms, &n_terms, err);
    if (r < 0) {
        return r;
    }
    selector = yl_arena_zalloc(arena, sizeof *selector);
    selector->requirements = yl_arena_array(arena, n_terms,
                                            sizeof *selector->requirements);
    for (i = 0; i < n_terms && r == 0; i++) {
        struct yl_field_requirement *req
            = &selector->requirements[selector->n_requirements];

        r = parse_term(text, terms[i], arena, req, err);
        if (r == 0 && (req->field.size || req->value.size)) {
            selector->n_requirements++;
        }
    }
    free(terms);
    if (r == 0) {
        *ret_selector = selector;
    }
    return r;
}

struct yl_str
yl_field_selector_text(const struct yl_field_selector *selector,
                       struct yl_arena *arena)
{
    struct yl_str text;
    struct yl_buf buf;
    size_t i, j;

    yl_buf_init(&buf, SIZE_MAX / 2);
    for (i = 0; i < selector->n_requirements; i++) {
        const struct yl_field_requirement *r = &selector->requirements[i];

        yl_buf_append_c(&buf, i ? "," : "");
        yl_buf_append_str(&buf, r->field);
        yl_buf_append_c(&buf, r->negated ? "!=" : "=");
        for (j = 0; j < r->value.size; j++) {
            char c = r->value.data[j];

            if (c == '\\' || c == ',' || c == '=') {
                yl_buf_append_char(&buf, '\\');
            }
            yl_buf_append_char(&buf, c);
        }
    }
    text = yl_arena_copy(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return text;
}

const struct yl_field_requirement *
yl_field_selector_requirements(const struct yl_field_selector *selector,
                               size_t *ret_n)
{
    *ret_n = selector->n_requirements;
    return selector->requirements;
}

bool
yl_field_selector_exact_value(const struct yl_field_selector *selector,
                              struct yl_str field, struct yl_str *ret_value)
{
    size_t i;

    for (i = 0; i < selector->n_requirements; i++) {
        const struct yl_field_requirement *r = &selector->requirements[i];

        if (!r->negated && yl_str_equal(r->field, field)) {
            *ret_value = r->value;
            return true;
        }
    }
    return false;
}

bool
yl_field_selector_matches(const struct yl_field_selector *selector,
                          yl_field_fn *get, void *aux)
{
    size_t i;

    for (i = 0; i < selector->n_requirements; i++) {
        const struct yl_field_requirement *r = &selector->requirements[i];

        if (yl_str_equal(get(aux, r->field), r->value) == r->negated) {
            return false;
        }
    }
    return true;
}

/* Cuts 'text' into its terms, sorted, without the empty ones.  The caller
 * frees the array. */
static int
split(struct yl_str text, struct yl_str **ret_terms, size_t *ret_n_terms,
      struct yl_error *err)
{
    struct yl_str *terms = yl_malloc_array(YL_SELECTOR_MAX_REQUIREMENTS,
                                           sizeof *terms);
    size_t n_terms = 0, start = 0, i = 0;
    bool escaped = false;

    for (i = 0; i <= text.size; i++) {
        if (i < text.size && (escaped || text.data[i] != ',')) {
            escaped = !escaped && text.data[i] == '\\';
        } else {
            if (i > start) {
                if (n_terms == YL_SELECTOR_MAX_REQUIREMENTS) {
                    free(terms);
                    return yl_error_set(err, YL_ETOOBIG,
                                        "selector has more than %d "
                                        "requirements",
                                        YL_SELECTOR_MAX_REQUIREMENTS);
                }
                terms[n_terms++] = yl_str_n(text.data + start, i - start);
            }
            start = i + 1;
        }
    }
    qsort(terms, n_terms, sizeof *terms, yl_selector_compare);
    *ret_terms = terms;
    *ret_n_terms = n_terms;
    return 0;
}

static int
parse_term(struct yl_str text, struct yl_str term, struct yl_arena *arena,
           struct yl_field_requirement *ret_requirement, struct yl_error *err)
{
    const char *equals = yl_str_find_char(term, '=');
    const char *end = term.data + term.size;
    struct yl_field_requirement r;
    const char *field_end;
    int code;

    if (!equals) {
        text = yl_excerpt(text, YL_EXCERPT_MAX);
        term = yl_excerpt(term, YL_EXCERPT_MAX);
        return yl_error_set(err, YL_EINVALID, "invalid selector: '%.*s'; "
                            "can't understand '%.*s'", YL_STR_ARG(text),
                            YL_STR_ARG(term));
    }
    r.negated = equals > term.data && equals[-1] == '!';
    field_end = r.negated ? equals - 1 : equals;
    r.field = yl_arena_copy(arena, yl_str_range(term.data, field_end));
    equals++;
    if (!r.negated && equals < end && *equals == '=') {
        equals++;
    }
    code = unescape(yl_str_range(equals, end), arena, &r.value, err);
    if (code == 0) {
        *ret_requirement = r;
    }
    return code;
}

/* Resolves the escapes of a value.  As in Go, a value that has escapes also
 * has its bytes that are not UTF-8 replaced. */
static int
unescape(struct yl_str raw, struct yl_arena *arena, struct yl_str *ret_value,
         struct yl_error *err)
{
    struct yl_buf value;
    bool escaped = false;

    if (!yl_str_find_char(raw, '\\') && !yl_str_find_char(raw, '=')
        && !yl_str_find_char(raw, ',')) {
        *ret_value = yl_arena_copy(arena, raw);
        return 0;
    }
    yl_buf_init(&value, raw.size * 3);
    while (raw.size) {
        size_t n = yl_utf8_char_size(raw);
        struct yl_str c = n ? yl_str_n(raw.data, n) : YL_STR(REPLACEMENT);
        char first = c.data[0];
        bool special = first == '\\' || first == ',' || first == '=';

        if (escaped && !special) {
            yl_buf_release(&value);
            return yl_error_set(err, YL_EINVALID, "invalid field selector: "
                                "invalid escape sequence: \\%.*s",
                                YL_STR_ARG(c));
        } else if (!escaped && special && first != '\\') {
            yl_buf_release(&value);
            return yl_error_set(err, YL_EINVALID, "invalid field selector: "
                                "unescaped character in value: %d", first);
        }
        escaped = !escaped && first == '\\';
        if (!escaped) {
            yl_buf_append_str(&value, c);
        }
        raw = yl_str_skip(raw, n ? n : 1);
    }
    if (!escaped) {
        *ret_value = yl_arena_copy(arena, yl_buf_str(&value));
    }
    yl_buf_release(&value);
    return !escaped ? 0
           : yl_error_set(err, YL_EINVALID, "invalid field selector: invalid "
                          "escape sequence: \\");
}
