/* Paths of fields.  See apply/path.h for the contract. */

#include "apply/path.h"

#include <math.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/number.h"
#include "base/quote.h"
#include "json/text.h"
#include "json/tree.h"
#include "yuloh/error.h"

/* What stands before the colon, by enum yl_path_kind. */
static const char marks[] = "fkvi";

#define MAX_PRINTED_DEPTH 8

static bool is_plain(const struct yl_node *);
static bool is_plain_text(struct yl_str);
static void write_value(struct yl_buf *, const struct yl_node *);
static void write_string(struct yl_buf *, struct yl_str, bool html);
static void write_code(struct yl_buf *, unsigned code);
static struct yl_path_element take(struct yl_arena *, struct yl_buf *,
                                   enum yl_path_kind);
static int parse_keys(struct yl_arena *, struct yl_str,
                      struct yl_path_element *, struct yl_error *);
static bool are_plain_keys(struct yl_str);
static size_t plain_size(struct yl_str);
static int not_json(int r, struct yl_error *);
static int parse_value(struct yl_arena *, struct yl_str,
                       struct yl_path_element *, struct yl_error *);
static int parse_index(struct yl_arena *, struct yl_str,
                       struct yl_path_element *, struct yl_error *);
static int compare_worth(struct yl_str, struct yl_str);
static int compare_keys(struct yl_json, struct yl_json);
static int compare_values(struct yl_json, struct yl_json);
static int compare_strings(struct yl_json, struct yl_json);
static int compare_indexes(struct yl_str, struct yl_str);
static void print_element(struct yl_buf *, const struct yl_path_element *);
static void print_value(struct yl_buf *, struct yl_json, unsigned depth);
static void print_elements(struct yl_buf *, struct yl_json, unsigned depth);
static void print_number(struct yl_buf *, struct yl_json);

struct yl_path_element
yl_path_value(struct yl_arena *arena, const struct yl_node *value)
{
    struct yl_path_element e = { value->raw_data, value->raw_size,
                                 YL_PATH_VALUE };
    struct yl_buf buf;

    if (is_plain(value)) {
        return e;
    }
    yl_buf_init(&buf, YL_JSON_MAX_SIZE);
    write_value(&buf, value);
    return take(arena, &buf, YL_PATH_VALUE);
}

struct yl_path_element
yl_path_keys(struct yl_arena *arena, struct yl_path_key *keys, size_t n)
{
    struct yl_path_element e = { NULL, 0, YL_PATH_KEY };
    bool plain = true;
    size_t size = 2;            /* {} */
    struct yl_buf buf;
    size_t i, j;
    char *out;

    for (i = 0; i < n; i++) {
        struct yl_path_key key = keys[i];

        for (j = i; j > 0 && yl_str_compare(key.name, keys[j - 1].name) < 0;
             j--) {
            keys[j] = keys[j - 1];
        }
        keys[j] = key;
        plain = plain && is_plain(key.value) && is_plain_text(key.name);
        size += 4 + key.name.size + key.value->raw_size;    /* "":, */
    }
    if (plain) {
        e.text = out = yl_arena_alloc(arena, size);
        *out++ = '{';
        for (i = 0; i < n; i++) {
            if (i > 0) {
                *out++ = ',';
            }
            *out++ = '"';
            memcpy(out, keys[i].name.data, keys[i].name.size);
            out += keys[i].name.size;
            *out++ = '"';
            *out++ = ':';
            memcpy(out, keys[i].value->raw_data, keys[i].value->raw_size);
            out += keys[i].value->raw_size;
        }
        *out++ = '}';
        e.size = (uint32_t) (out - e.text);
        return e;
    }
    yl_buf_init(&buf, YL_JSON_MAX_SIZE);
    yl_buf_append_char(&buf, '{');
    for (i = 0; i < n; i++) {
        if (i > 0) {
            yl_buf_append_char(&buf, ',');
        }
        write_string(&buf, keys[i].name, false);
        yl_buf_append_char(&buf, ':');
        write_value(&buf, keys[i].value);
    }
    yl_buf_append_char(&buf, '}');
    return take(arena, &buf, YL_PATH_KEY);
}

int
yl_path_element_compare(const struct yl_path_element *a,
                        const struct yl_path_element *b)
{
    struct yl_str x = yl_path_element_text(a), y = yl_path_element_text(b);

    if (a->kind != b->kind) {
        return a->kind < b->kind ? -1 : 1;
    }
    switch ((enum yl_path_kind) a->kind) {
    case YL_PATH_FIELD:
        return x.data == y.data && x.size == y.size ? 0 : yl_str_compare(x, y);

    case YL_PATH_INDEX:
        return compare_indexes(x, y);

    case YL_PATH_KEY:
    case YL_PATH_VALUE:
    default:
        return yl_str_equal(x, y) ? 0 : compare_worth(x, y);
    }
}

int
yl_path_element_compare_bytes(const struct yl_path_element *a,
                              const struct yl_path_element *b)
{
    return a->kind != b->kind ? marks[a->kind] - marks[b->kind]
           : yl_str_compare(yl_path_element_text(a), yl_path_element_text(b));
}

int
yl_path_element_parse(struct yl_arena *arena, struct yl_str text,
                      struct yl_path_element *ret_element,
                      struct yl_error *err)
{
    struct yl_str rest;

    if (text.size < 2) {
        return yl_error_set(err, YL_EINVALID,
                            "key must be 2 characters long:");
    }
    if (text.data[1] != ':') {
        struct yl_str start = yl_excerpt(text, YL_EXCERPT_MAX);

        return yl_error_set(err, YL_EINVALID, "missing colon: %.*s",
                            YL_STR_ARG(start));
    }
    rest = yl_str_skip(text, 2);
    switch (text.data[0]) {
    case 'f':
        *ret_element = yl_path_field(rest);
        return 0;

    case 'k':
        return parse_keys(arena, rest, ret_element, err);

    case 'v':
        return parse_value(arena, rest, ret_element, err);

    case 'i':
        return parse_index(arena, rest, ret_element, err);

    default:
        return 1;
    }
}

void
yl_path_element_write(struct yl_buf *buf, const struct yl_path_element *e)
{
    struct yl_str text = yl_path_element_text(e);
    size_t i, done = 0;

    yl_buf_append_char(buf, '"');
    yl_buf_append_char(buf, marks[e->kind]);
    yl_buf_append_char(buf, ':');
    for (i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char) text.data[i];

        if (c == '"' || c == '\\') {
            yl_buf_append(buf, text.data + done, i - done);
            yl_buf_append_char(buf, '\\');
            done = i;
        } else if (c < 0x20) {
            struct yl_buf one;

            /* As rare as a line end in the name of a field. */
            yl_buf_append(buf, text.data + done, i - done);
            yl_buf_init(&one, 16);
            yl_json_write_string(&one, yl_str_n(text.data + i, 1));
            yl_buf_append(buf, one.data + 1, one.size - 2);
            yl_buf_release(&one);
            done = i + 1;
        }
    }
    yl_buf_append(buf, text.data + done, text.size - done);
    yl_buf_append_char(buf, '"');
}

void
yl_path_print(struct yl_buf *buf, const struct yl_path_element *path, size_t n)
{
    size_t i;

    for (i = 0; i < n; i++) {
        print_element(buf, &path[i]);
    }
}

/* Making
 * ====== */

/* Are the bytes of the scalar 'node' what upstream would write? */
static bool
is_plain(const struct yl_node *node)
{
    struct yl_str raw = yl_str_n(node->raw_data, node->raw_size);
    size_t i;

    switch (yl_node_type(node)) {
    case YL_JSON_NULL:
    case YL_JSON_BOOL:
        return true;

    case YL_JSON_STRING:
        return !(node->flags & YL_NODE_ESCAPED)
               && is_plain_text(yl_str_n(raw.data + 1, raw.size - 2));

    case YL_JSON_NUMBER:
        for (i = raw.data[0] == '-'; i < raw.size; i++) {
            if (raw.data[i] < '0' || raw.data[i] > '9') {
                return false;
            }
        }
        return raw.size < 16 && !yl_str_equal(raw, YL_STR("-0"));

    case YL_JSON_ARRAY:
    case YL_JSON_OBJECT:
    case YL_JSON_NONE:
    default:
        return false;
    }
}

/* Has 's' no character that Go's encoders escape? */
static bool
is_plain_text(struct yl_str s)
{
    size_t i;

    for (i = 0; i < s.size; i++) {
        unsigned char c = (unsigned char) s.data[i];

        if (c < 0x20 || c == '"' || c == '\\' || c == '<' || c == '>'
            || c == '&' || c == 0xe2) {
            return false;
        }
    }
    return true;
}

static void
write_value(struct yl_buf *buf, const struct yl_node *node)
{
    struct yl_arena arena;
    struct yl_str s;

    switch (yl_node_type(node)) {
    case YL_JSON_STRING:
        yl_arena_init(&arena);
        if (yl_node_string(node, &arena, &s) == 0) {
            write_string(buf, s, true);
        }
        yl_arena_release(&arena);
        break;

    case YL_JSON_NULL:
    case YL_JSON_BOOL:
    case YL_JSON_NUMBER:
    case YL_JSON_ARRAY:
    case YL_JSON_OBJECT:
        /* A number that is too large for a double stays as it is: nothing
         * that upstream accepts has one. */
        if (yl_node_write_canonical(buf, node) < 0) {
            yl_node_write(buf, node);
        }
        break;

    case YL_JSON_NONE:
    default:
        break;
    }
}

/* Appends a string with the escapes of json-iterator: those of HTML too, but
 * not in names. */
static void
write_string(struct yl_buf *buf, struct yl_str s, bool html)
{
    size_t i;

    yl_buf_append_char(buf, '"');
    for (i = 0; i < s.size; i++) {
        unsigned char c = (unsigned char) s.data[i];

        if (c == '"' || c == '\\') {
            yl_buf_append_char(buf, '\\');
            yl_buf_append_char(buf, (char) c);
        } else if (c == '\n' || c == '\r' || c == '\t') {
            yl_buf_append_char(buf, '\\');
            yl_buf_append_char(buf, c == '\n' ? 'n' : c == '\r' ? 'r' : 't');
        } else if (c < 0x20
                   || (html && (c == '<' || c == '>' || c == '&'))) {
            write_code(buf, c);
        } else if (html && c == 0xe2 && i + 2 < s.size
                   && (unsigned char) s.data[i + 1] == 0x80
                   && ((unsigned char) s.data[i + 2] & 0xfe) == 0xa8) {
            /* U+2028 and U+2029 end a line in JavaScript. */
            write_code(buf, 0x2020 + (s.data[i + 2] & 0xf));
            i += 2;
        } else {
            yl_buf_append_char(buf, (char) c);
        }
    }
    yl_buf_append_char(buf, '"');
}

/* Clients can send millions of them: too many for printf(). */
static void
write_code(struct yl_buf *buf, unsigned code)
{
    static const char digits[] = "0123456789abcdef";
    char text[6] = { '\\', 'u', digits[code >> 12 & 15],
                     digits[code >> 8 & 15], digits[code >> 4 & 15],
                     digits[code & 15] };

    yl_buf_append(buf, text, sizeof text);
}

/* An element with the text of 'buf', which is released. */
static struct yl_path_element
take(struct yl_arena *arena, struct yl_buf *buf, enum yl_path_kind kind)
{
    struct yl_str text = yl_arena_copy(arena, yl_buf_str(buf));
    struct yl_path_element e = { text.data, (uint32_t) text.size,
                                 (uint8_t) kind };

    yl_buf_release(buf);
    return e;
}

/* Reading
 * ======= */

static int
parse_keys(struct yl_arena *arena, struct yl_str text,
           struct yl_path_element *ret_element, struct yl_error *err)
{
    struct yl_path_element plain = { text.data, (uint32_t) text.size,
                                     YL_PATH_KEY };
    struct yl_path_key keys[YL_PATH_MAX_KEYS];
    struct yl_node *root, *member;
    struct yl_arena nodes;      /* Far more than their text. */
    size_t n = 0;
    int r;

    if (are_plain_keys(text)) {
        *ret_element = plain;
        return 0;
    }
    yl_arena_init(&nodes);
    r = yl_tree_parse(&nodes, text, NULL, &root, err);
    if (r < 0) {
        r = not_json(r, err);
    } else if (yl_node_type(root) != YL_JSON_OBJECT) {
        r = yl_error_set(err, YL_EINVALID, "expect { or n");
    } else if (root->n > YL_PATH_MAX_KEYS) {
        r = yl_error_set(err, YL_EINVALID, "more than %d keys",
                         YL_PATH_MAX_KEYS);
    } else {
        YL_NODE_FOR_EACH (member, root) {
            keys[n].name = yl_node_key(member);
            keys[n++].value = member;
        }
        *ret_element = yl_path_keys(arena, keys, n);
    }
    yl_arena_release(&nodes);
    return r;
}

/* Are these keys written as upstream writes them?  Nearly all are; of others
 * it may say no. */
static bool
are_plain_keys(struct yl_str s)
{
    struct yl_str last = yl_str_null(), name;
    size_t i = 0, n, size;

    for (n = 0; n < YL_PATH_MAX_KEYS && i < s.size
                && s.data[i] == (n ? ',' : '{'); n++) {
        i++;
        size = plain_size(yl_str_skip(s, i));
        if (!size || s.data[i] != '"') {
            return false;
        }
        name = yl_str_n(s.data + i + 1, size - 2);
        if (last.data && yl_str_compare(last, name) >= 0) {
            return false;
        }
        last = name;
        i += size;
        if (i == s.size || s.data[i++] != ':') {
            return false;
        }
        size = plain_size(yl_str_skip(s, i));
        if (!size) {
            return false;
        }
        i += size;
    }
    return n && i + 1 == s.size && s.data[i] == '}';
}

/* The size of the string or number that 's' starts with, if upstream would
 * write it so and it is not long; or 0. */
static size_t
plain_size(struct yl_str s)
{
    size_t i = 0;

    if (s.size && s.data[0] == '"') {
        const char *end = memchr(s.data + 1, '"', s.size - 1);

        return end && is_plain_text(yl_str_range(s.data + 1, end))
                   ? (size_t) (end - s.data) + 1 : 0;
    }
    while (i < s.size && i < 16 && s.data[i] >= '0' && s.data[i] <= '9') {
        i++;
    }
    return i < 16 && (i < 2 || s.data[0] != '0') ? i : 0;
}

/* The error of a text that could not be parsed. */
static int
not_json(int r, struct yl_error *err)
{
    if (r != YL_ETOOBIG && r != YL_ETHROTTLED) {
        r = YL_EINVALID;
    }
    if (err) {
        err->code = r;
    }
    return r;
}

static int
parse_value(struct yl_arena *arena, struct yl_str text,
            struct yl_path_element *ret_element, struct yl_error *err)
{
    struct yl_path_element plain = { text.data, (uint32_t) text.size,
                                     YL_PATH_VALUE };
    struct yl_arena nodes;
    struct yl_node *root;
    int r;

    if (text.size && plain_size(text) == text.size) {
        *ret_element = plain;
        return 0;
    }
    yl_arena_init(&nodes);
    r = yl_tree_parse(&nodes, text, NULL, &root, err);
    if (r < 0) {
        r = not_json(r, err);
    } else {
        *ret_element = yl_path_value(arena, root);
    }
    yl_arena_release(&nodes);
    return r;
}

static int
parse_index(struct yl_arena *arena, struct yl_str text,
            struct yl_path_element *ret_element, struct yl_error *err)
{
    struct yl_str digits = text;
    long long value;
    struct yl_buf buf;

    /* Go's Atoi() takes a plus sign. */
    if (digits.size > 1 && digits.data[0] == '+' && digits.data[1] != '-') {
        digits = yl_str_skip(digits, 1);
    }
    if (yl_str_to_i64(digits, &value) < 0) {
        struct yl_str start = yl_excerpt(text, YL_EXCERPT_MAX);

        return yl_error_set(err, YL_EINVALID,
                            "strconv.Atoi: parsing \"%.*s\": invalid syntax",
                            YL_STR_ARG(start));
    }
    yl_buf_init(&buf, 64);
    yl_json_write_int64(&buf, value);
    *ret_element = take(arena, &buf, YL_PATH_INDEX);
    return 0;
}

/* Order
 * ===== */

/* Compares two different texts of keys or values.  Nearly always they differ
 * inside of a string, and then by the bytes there. */
static int
compare_worth(struct yl_str x, struct yl_str y)
{
    struct yl_json a, b;
    bool quoted = false, escaped = false;
    size_t i;

    for (i = 0; i < x.size && i < y.size && x.data[i] == y.data[i]; i++) {
        if (escaped) {
            escaped = false;
        } else if (x.data[i] == '\\') {
            escaped = true;
        } else if (x.data[i] == '"') {
            quoted = !quoted;
        }
    }
    if (quoted && !escaped && i < x.size && i < y.size && x.data[i] != '\\'
        && y.data[i] != '\\') {
        return x.data[i] == '"' ? -1
               : y.data[i] == '"' ? 1
               : (unsigned char) x.data[i] < (unsigned char) y.data[i] ? -1
               : 1;
    }
    a = yl_json(x);
    b = yl_json(y);
    if (yl_json_type(a) == YL_JSON_OBJECT
        && yl_json_type(b) == YL_JSON_OBJECT) {
        int c = compare_keys(a, b);

        return c ? c : yl_str_compare(x, y);
    } else {
        int c = compare_values(a, b);

        /* Equal worth with different texts: large numbers only. */
        return c ? c : yl_str_compare(x, y);
    }
}

static int
compare_keys(struct yl_json a, struct yl_json b)
{
    struct yl_json_iter x = yl_json_iter(a), y = yl_json_iter(b);

    for (;;) {
        bool more_x = yl_json_next(&x), more_y = yl_json_next(&y);
        int c;

        if (!more_x || !more_y) {
            return more_y ? -1 : more_x;
        }
        c = yl_str_compare(x.key, y.key);
        if (c == 0) {
            c = compare_values(x.value, y.value);
        }
        if (c) {
            return c;
        }
    }
}

/* Numbers, strings, booleans, lists, maps, null. */
static int
compare_values(struct yl_json a, struct yl_json b)
{
    static const int rank[] = {
        [YL_JSON_NUMBER] = 0, [YL_JSON_STRING] = 1, [YL_JSON_BOOL] = 2,
        [YL_JSON_ARRAY] = 3, [YL_JSON_OBJECT] = 4, [YL_JSON_NULL] = 5,
        [YL_JSON_NONE] = 6,
    };
    enum yl_json_type type = yl_json_type(a);
    int64_t i = 0, j = 0;
    double d = 0, e = 0;
    bool p = false, q = false;

    if (type != yl_json_type(b)) {
        return rank[type] < rank[yl_json_type(b)] ? -1 : 1;
    }
    switch (type) {
    case YL_JSON_NUMBER:
        if (yl_json_int64(a, &i) == 0 && yl_json_int64(b, &j) == 0) {
            return (i > j) - (i < j);
        }
        (void) yl_json_double(a, &d);
        (void) yl_json_double(b, &e);
        return (d > e) - (d < e);

    case YL_JSON_STRING:
        return compare_strings(a, b);

    case YL_JSON_BOOL:
        (void) yl_json_bool(a, &p);
        (void) yl_json_bool(b, &q);
        return p - q;

    case YL_JSON_NULL:
        return 0;

    case YL_JSON_ARRAY:
    case YL_JSON_OBJECT:
    case YL_JSON_NONE:
    default:
        /* Only a client that edits managedFields makes these. */
        return yl_str_compare(yl_json_raw(a), yl_json_raw(b));
    }
}

static int
compare_strings(struct yl_json a, struct yl_json b)
{
    struct yl_arena arena;
    struct yl_str x = yl_str_null(), y = yl_str_null();
    int c;

    yl_arena_init(&arena);
    (void) yl_json_string(a, &arena, &x);
    (void) yl_json_string(b, &arena, &y);
    c = yl_str_compare(x, y);
    yl_arena_release(&arena);
    return c;
}

static int
compare_indexes(struct yl_str x, struct yl_str y)
{
    long long i = 0, j = 0;

    (void) yl_str_to_i64(x, &i);
    (void) yl_str_to_i64(y, &j);
    return (i > j) - (i < j);
}

/* Messages
 * ======== */

static void
print_element(struct yl_buf *buf, const struct yl_path_element *e)
{
    struct yl_str text = yl_path_element_text(e);
    struct yl_json_iter it;
    bool first = true;

    switch ((enum yl_path_kind) e->kind) {
    case YL_PATH_FIELD:
        yl_buf_append_char(buf, '.');
        yl_buf_append_str(buf, text);
        break;

    case YL_PATH_KEY:
        yl_buf_append_char(buf, '[');
        for (it = yl_json_iter(yl_json(text)); yl_json_next(&it);
             first = false) {
            if (!first) {
                yl_buf_append_char(buf, ',');
            }
            yl_buf_append_str(buf, it.key);
            yl_buf_append_char(buf, '=');
            print_value(buf, it.value, MAX_PRINTED_DEPTH);
        }
        yl_buf_append_char(buf, ']');
        break;

    case YL_PATH_VALUE:
        yl_buf_append_c(buf, "[=");
        print_value(buf, yl_json(text), MAX_PRINTED_DEPTH);
        yl_buf_append_char(buf, ']');
        break;

    case YL_PATH_INDEX:
    default:
        yl_buf_append_char(buf, '[');
        yl_buf_append_str(buf, text);
        yl_buf_append_char(buf, ']');
        break;
    }
}

/* Lists and maps are no keys, but a client may say they are.  Below a certain
 * depth they stand as JSON. */
static void
print_value(struct yl_buf *buf, struct yl_json value, unsigned depth)
{
    struct yl_arena arena;
    struct yl_str s;

    switch (yl_json_type(value)) {
    case YL_JSON_STRING:
        yl_arena_init(&arena);
        if (yl_json_string(value, &arena, &s) == 0) {
            yl_quote(buf, s);
        }
        yl_arena_release(&arena);
        break;

    case YL_JSON_NUMBER:
        print_number(buf, value);
        break;

    case YL_JSON_ARRAY:
    case YL_JSON_OBJECT:
        if (depth) {
            print_elements(buf, value, depth - 1);
            break;
        }
        yl_buf_append_str(buf, yl_json_raw(value));
        break;

    case YL_JSON_NULL:
    case YL_JSON_BOOL:
    case YL_JSON_NONE:
    default:
        yl_buf_append_str(buf, yl_json_raw(value));
        break;
    }
}

/* [1,2] for a list; a map's members have nothing between them. */
static void
print_elements(struct yl_buf *buf, struct yl_json value, unsigned depth)
{
    bool list = yl_json_type(value) == YL_JSON_ARRAY, first = true;
    struct yl_json_iter it;

    if (list) {
        yl_buf_append_char(buf, '[');
    }
    for (it = yl_json_iter(value); yl_json_next(&it); first = false) {
        if (list && !first) {
            yl_buf_append_char(buf, ',');
        } else if (!list) {
            yl_buf_append_str(buf, it.key);
            yl_buf_append_char(buf, '=');
        }
        print_value(buf, it.value, depth);
    }
    if (list) {
        yl_buf_append_char(buf, ']');
    }
}

/* Upstream has read a set from JSON, where all numbers are float64, and Go's
 * %v prints those of a million and more with an exponent. */
static void
print_number(struct yl_buf *buf, struct yl_json value)
{
    char text[YL_DOUBLE_SIZE];
    double number = 0;
    int precision;

    if (yl_json_double(value, &number) < 0
        || (fabs(number) < 1e6 && number == floor(number))) {
        yl_buf_append_str(buf, yl_json_raw(value));
        return;
    }
    for (precision = 1; precision < 17; precision++) {
        yl_double_printf(text, sizeof text, "%.*e", precision - 1, number);
        if (yl_double_parse(text) == number) {
            break;
        }
    }
    if (fabs(number) >= 1e-4 && fabs(number) < 1e6) {
        yl_double_printf(text, sizeof text, "%.*g", precision, number);
    } else {
        yl_double_printf(text, sizeof text, "%.*e", precision - 1, number);
    }
    yl_buf_append_c(buf, text);
}
