/* Addresses of mail.  See schema/format_part.h for the contract.
 *
 *     address = mailbox | words ":" mailbox ";"
 *     mailbox = spec [comment] | [words] "<" spec ">"
 *     spec    = (atoms | quoted) "@" (atoms | "[" IP "]")
 *
 * Blanks may stand before each part, and comments behind most of them.  Each
 * function reads its part from the front of the text; if it returns false, the
 * rest of the text does not matter, unless the comment says otherwise. */

#include "schema/format_part.h"

#include <string.h>

static bool take_address(struct yl_str *, bool group);
static bool take_group(struct yl_str *);
static bool take_spec(struct yl_str *);
static bool take_words(struct yl_str *);
static bool take_quoted(struct yl_str *, bool *ret_empty);
static bool take_atoms(struct yl_str *, struct yl_str *ret_atoms);
static bool are_well_dotted(struct yl_str atoms);
static bool has_foreign_charset(struct yl_str atoms);
static bool take_literal(struct yl_str *);
static bool take_comments(struct yl_str *);
static bool take_comment(struct yl_str *);
static bool take(struct yl_str *, char);
static void skip_blanks(struct yl_str *);
static char first(struct yl_str);
static bool is_visible(char);

bool
yl_format_is_mail(struct yl_str s)
{
    return take_address(&s, true) && take_comments(&s) && !s.size;
}

/* An address; or, if 'group', a group of one. */
static bool
take_address(struct yl_str *s, bool group)
{
    skip_blanks(s);
    if (!s->size) {
        return false;
    }
    if (take_spec(s)) {
        skip_blanks(s);
        return first(*s) != '(' || take_comment(s);
    }
    if (first(*s) != '<' && !take_words(s)) {
        return false;
    }
    skip_blanks(s);
    if (group && take(s, ':')) {
        return take_group(s);
    }
    return take(s, '<') && take_spec(s) && take(s, '>');
}

/* The rest of a group that has exactly one member. */
static bool
take_group(struct yl_str *s)
{
    return take_address(s, false) && take_comments(s) && take(s, ';')
           && take_comments(s);
}

/* Leaves the text alone if it returns false. */
static bool
take_spec(struct yl_str *s)
{
    struct yl_str rest = *s, atoms;
    bool empty = false;

    skip_blanks(&rest);
    if (first(rest) == '"' ? !take_quoted(&rest, &empty) || empty
                           : !take_atoms(&rest, &atoms)
                                 || !are_well_dotted(atoms)) {
        return false;
    }
    if (!take(&rest, '@')) {
        return false;
    }
    skip_blanks(&rest);
    if (first(rest) == '[' ? !take_literal(&rest)
                           : !take_atoms(&rest, &atoms)
                                 || !are_well_dotted(atoms)) {
        return false;
    }
    *s = rest;
    return true;
}

/* The name before an address: words up to the first thing that is none. */
static bool
take_words(struct yl_str *s)
{
    size_t n = 0;

    for (;;) {
        struct yl_str rest, atoms;
        bool empty;

        if (n && !take_comments(s)) {
            return false;
        }
        skip_blanks(s);
        rest = *s;
        if (!s->size) {
            break;
        } else if (first(*s) == '"') {
            if (!take_quoted(&rest, &empty)) {
                break;
            }
        } else if (!take_atoms(&rest, &atoms)) {
            break;
        } else if (has_foreign_charset(atoms)) {
            *s = rest;
            break;
        }
        *s = rest;
        n++;
    }
    return n > 0 || !s->size;
}

static bool
take_quoted(struct yl_str *s, bool *ret_empty)
{
    struct yl_str rest = yl_str_skip(*s, 1);

    *ret_empty = true;
    while (rest.size && rest.data[0] != '"') {
        if (rest.data[0] == '\\') {
            rest = yl_str_skip(rest, 1);
        }
        if (!rest.size || (!is_visible(rest.data[0]) && rest.data[0] != ' '
                           && rest.data[0] != '\t')) {
            return false;
        }
        *ret_empty = false;
        rest = yl_str_skip(rest, 1);
    }
    if (!take(&rest, '"')) {
        return false;
    }
    *s = rest;
    return true;
}

static bool
take_atoms(struct yl_str *s, struct yl_str *ret_atoms)
{
    size_t n = 0;

    while (n < s->size && is_visible(s->data[n])
           && !strchr("()<>[]:;@\\,\"", s->data[n])) {
        n++;
    }
    *ret_atoms = yl_str_n(s->data, n);
    *s = yl_str_skip(*s, n);
    return n > 0;
}

static bool
are_well_dotted(struct yl_str atoms)
{
    size_t i;

    for (i = 1; i < atoms.size; i++) {
        if (atoms.data[i] == '.' && atoms.data[i - 1] == '.') {
            return false;
        }
    }
    return atoms.data[0] != '.' && atoms.data[atoms.size - 1] != '.';
}

/* Is it an encoded word (RFC 2047), "=?CHARSET?q?TEXT?=", of a charset that Go
 * does not decode? */
static bool
has_foreign_charset(struct yl_str atoms)
{
    static const char *const known[] = { "utf-8", "iso-8859-1", "us-ascii" };
    struct yl_str charset, encoding, rest;
    size_t i;

    if (atoms.size < 8 || !yl_str_starts_with(atoms, YL_STR("=?"))
        || !yl_str_ends_with(atoms, YL_STR("?="))
        || !yl_str_cut(yl_str_n(atoms.data + 2, atoms.size - 4), '?',
                       &charset, &rest)
        || !yl_str_cut(rest, '?', &encoding, &rest)
        || yl_str_find_char(rest, '?') || !charset.size
        || encoding.size != 1 || !strchr("qQbB", encoding.data[0])) {
        return false;
    }
    for (i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (charset.size == strlen(known[i])
            && !strncasecmp(charset.data, known[i], charset.size)) {
            return false;
        }
    }
    return true;
}

static bool
take_literal(struct yl_str *s)
{
    struct yl_str address, rest;

    if (!yl_str_cut(yl_str_skip(*s, 1), ']', &address, &rest)
        || (!yl_format_is_ipv4(address) && !yl_format_is_ipv6(address))) {
        return false;
    }
    *s = rest;
    return true;
}

static bool
take_comments(struct yl_str *s)
{
    skip_blanks(s);
    while (first(*s) == '(') {
        if (!take_comment(s)) {
            return false;
        }
        skip_blanks(s);
    }
    return true;
}

/* A comment can hold others. */
static bool
take_comment(struct yl_str *s)
{
    size_t depth = 0, i;

    for (i = 0; i < s->size; i++) {
        if (s->data[i] == '\\' && i + 1 < s->size) {
            i++;
        } else if (s->data[i] == '(') {
            depth++;
        } else if (s->data[i] == ')' && --depth == 0) {
            *s = yl_str_skip(*s, i + 1);
            return true;
        }
    }
    return false;
}

static bool
take(struct yl_str *s, char c)
{
    if (first(*s) != c) {
        return false;
    }
    *s = yl_str_skip(*s, 1);
    return true;
}

static void
skip_blanks(struct yl_str *s)
{
    while (first(*s) == ' ' || first(*s) == '\t') {
        *s = yl_str_skip(*s, 1);
    }
}

/* The first character; NUL at the end, which no part starts with. */
static char
first(struct yl_str s)
{
    return s.size ? s.data[0] : '\0';
}

/* Printed ASCII, or a byte of another character. */
static bool
is_visible(char c)
{
    return (c > ' ' && c <= '~') || (unsigned char) c >= 0x80;
}
