/* JSON read in place.  See yuloh/json.h for the contract.
 *
 * Strings are short and are skipped 16 bytes at a time by hand; containers may
 * be long and are skipped by the depth scanner of json/bits.h. */

#include "json/cursor.h"

#include <stdarg.h>

#include "json/bits.h"
#include "json/text.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static const char *skip_container(const char *p, const char *limit);
static const char *skip_scalar(const char *p, const char *limit);
static struct yl_str raw_number(struct yl_json);
static struct yl_str raw_string(struct yl_json, bool *escaped);

struct yl_json
yl_json(struct yl_str text)
{
    struct yl_json value = yl_json_none();

    if (text.data) {
        value.limit = text.data + text.size;
        value.start = yl_json_skip_blanks(text.data, value.limit);
        if (value.start == value.limit) {
            value.start = NULL;
        }
    }
    return value;
}

enum yl_json_type
yl_json_type(struct yl_json value)
{
    if (!value.start) {
        return YL_JSON_NONE;
    }
    switch (*value.start) {
    case '{':
        return YL_JSON_OBJECT;
    case '[':
        return YL_JSON_ARRAY;
    case '"':
        return YL_JSON_STRING;
    case 't':
    case 'f':
        return YL_JSON_BOOL;
    case 'n':
        return YL_JSON_NULL;
    case '-':
    case '0': case '1': case '2': case '3': case '4':
    case '5': case '6': case '7': case '8': case '9':
        return YL_JSON_NUMBER;
    default:
        return YL_JSON_NONE;
    }
}

struct yl_str
yl_json_raw(struct yl_json value)
{
    const char *end;

    if (!value.start) {
        return yl_str_null();
    }
    end = yl_json_skip_value(value.start, value.limit);
    return end ? yl_str_range(value.start, end) : yl_str_null();
}

struct yl_json
yl_json_get(struct yl_json object, struct yl_str key)
{
    const char *p = object.start;
    const char *limit = object.limit;

    if (!p || *p != '{') {
        return yl_json_none();
    }

    /* This does not use yl_json_next(), which would also look for the end of
     * the value that is asked for. */
    for (p = yl_json_skip_blanks(p + 1, limit); p < limit && *p == '"';
         p = yl_json_skip_blanks(p + 1, limit)) {
        struct yl_str name;
        bool escaped;
        const char *end = yl_json_skip_string(p, limit, &escaped);

        if (!end) {
            break;
        }
        name = yl_str_range(p + 1, end - 1);
        p = yl_json_skip_blanks(end, limit);
        if (p == limit || *p != ':') {
            break;
        }
        p = yl_json_skip_blanks(p + 1, limit);
        if (escaped ? yl_json_raw_equal(name, key) : yl_str_equal(name, key)) {
            struct yl_json value = { p < limit ? p : NULL, limit };

            return value;
        }
        p = yl_json_skip_value(p, limit);
        if (!p) {
            break;
        }
        p = yl_json_skip_blanks(p, limit);
        if (p == limit || *p != ',') {
            break;
        }
    }
    return yl_json_none();
}

struct yl_json
yl_json_at(struct yl_json array, size_t i)
{
    struct yl_json_iter it = yl_json_iter(array);

    if (it.close != ']') {
        return yl_json_none();
    }
    while (yl_json_next(&it)) {
        if (i-- == 0) {
            return it.value;
        }
    }
    return yl_json_none();
}

struct yl_json
yl_json_path(struct yl_json value, ...)
{
    const char *name;
    va_list names;

    va_start(names, value);
    while ((name = va_arg(names, const char *)) != NULL) {
        value = yl_json_get(value, yl_str_c(name));
    }
    va_end(names);
    return value;
}

struct yl_json_iter
yl_json_iter(struct yl_json container)
{
    struct yl_json_iter it = {
        .next = container.start,
        .limit = container.limit,
    };

    if (container.start
        && (*container.start == '{' || *container.start == '[')) {
        it.close = *container.start == '{' ? '}' : ']';
    }
    return it;
}

bool
yl_json_next(struct yl_json_iter *it)
{
    const char *p = it->next;
    const char *limit = it->limit;
    char close = it->close;

    if (!close) {
        return false;
    }
    it->close = 0;              /* Unless everything below goes well. */
    p = yl_json_skip_blanks(p, limit);
    if (p == limit || (*p != ',' && *p != '{' && *p != '[')) {
        return false;
    }
    p = yl_json_skip_blanks(p + 1, limit);
    if (p == limit) {
        return false;
    }
    it->key = yl_str_null();
    if (close == '}') {
        const char *end;

        if (*p != '"') {
            return false;
        }
        end = yl_json_skip_string(p, limit, &it->escaped);
        if (!end) {
            return false;
        }
        it->key = yl_str_range(p + 1, end - 1);
        p = yl_json_skip_blanks(end, limit);
        if (p == limit || *p != ':') {
            return false;
        }
        p = yl_json_skip_blanks(p + 1, limit);
    } else if (*p == ']') {
        return false;
    }
    it->next = p < limit ? yl_json_skip_value(p, limit) : NULL;
    if (!it->next) {
        return false;
    }
    it->value.start = p;
    it->value.limit = it->next;
    it->close = close;
    return true;
}

size_t
yl_json_count(struct yl_json container)
{
    struct yl_json_iter it = yl_json_iter(container);
    size_t n = 0;

    while (yl_json_next(&it)) {
        n++;
    }
    return n;
}

int
yl_json_bool(struct yl_json value, bool *ret_value)
{
    struct yl_str raw = yl_json_type(value) == YL_JSON_BOOL
                            ? yl_json_raw(value) : yl_str_null();

    if (yl_str_equal(raw, YL_STR("true"))) {
        *ret_value = true;
    } else if (yl_str_equal(raw, YL_STR("false"))) {
        *ret_value = false;
    } else {
        return YL_ETYPE;
    }
    return 0;
}

int
yl_json_int64(struct yl_json value, int64_t *ret_value)
{
    struct yl_str raw = raw_number(value);

    return raw.data ? yl_json_number_int64(raw, ret_value) : YL_ETYPE;
}

int
yl_json_uint64(struct yl_json value, uint64_t *ret_value)
{
    struct yl_str raw = raw_number(value);

    return raw.data ? yl_json_number_uint64(raw, ret_value) : YL_ETYPE;
}

int
yl_json_double(struct yl_json value, double *ret_value)
{
    struct yl_str raw = raw_number(value);

    return raw.data ? yl_json_number_double(raw, ret_value) : YL_ETYPE;
}

int
yl_json_string(struct yl_json value, struct yl_arena *arena,
               struct yl_str *ret_value)
{
    bool escaped;
    struct yl_str raw = raw_string(value, &escaped);
    size_t size;
    char *out;
    int r;

    if (!raw.data) {
        return YL_ETYPE;
    }
    if (!escaped) {
        *ret_value = raw;
        return 0;
    }
    out = yl_arena_alloc(arena, raw.size);
    r = yl_json_unescape(raw, out, &size);
    if (r == 0) {
        *ret_value = yl_str_n(out, size);
    }
    return r;
}

bool
yl_json_string_is(struct yl_json value, struct yl_str s)
{
    bool escaped;
    struct yl_str raw = raw_string(value, &escaped);

    return raw.data
           && (escaped ? yl_json_raw_equal(raw, s) : yl_str_equal(raw, s));
}

const char *
yl_json_skip_string_rest(const char *p, const char *limit, bool *escaped)
{
    for (;;) {
#if defined(__x86_64__)
        while (limit - p >= 16) {
            __m128i v = _mm_loadu_si128((const __m128i *) (const void *) p);
            int stop = _mm_movemask_epi8(
                _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')),
                             _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'))));

            if (stop) {
                p += __builtin_ctz((unsigned) stop);
                break;
            }
            p += 16;
        }
#endif
        while (p < limit && *p != '"' && *p != '\\') {
            p++;
        }
        if (p == limit) {
            return NULL;
        }
        if (*p == '"') {
            return p + 1;
        }
        *escaped = true;
        if (limit - p < 2) {
            return NULL;
        }
        p += 2;
    }
}

const char *
yl_json_skip_value(const char *p, const char *limit)
{
    bool escaped;

    if (p == limit) {
        return NULL;
    }
    switch (*p) {
    case '{':
    case '[':
        return skip_container(p, limit);
    case '"':
        return yl_json_skip_string(p, limit, &escaped);
    default:
        return skip_scalar(p, limit);
    }
}

static const char *
skip_container(const char *p, const char *limit)
{
    struct yl_bits_state state = { 0 };
    size_t depth = 1;

    /* Empty ones are common. */
    if (limit - p >= 2 && (p[1] == '}' || p[1] == ']')) {
        return p + 2;
    }
    return yl_bits()->to_depth_zero(&state, p + 1, (size_t) (limit - p - 1),
                                    &depth);
}

/* A number or a word: everything up to the first byte that cannot be part of
 * one. */
static const char *
skip_scalar(const char *p, const char *limit)
{
    const char *start = p;

    while (p < limit
           && ((unsigned char) (*p - '0') <= 9
               || (unsigned char) ((*p | 0x20) - 'a') < 26 || *p == '-'
               || *p == '+' || *p == '.')) {
        p++;
    }
    return p > start ? p : NULL;
}

static struct yl_str
raw_number(struct yl_json value)
{
    struct yl_str raw;
    const char *end;

    if (yl_json_type(value) != YL_JSON_NUMBER) {
        return yl_str_null();
    }
    raw = yl_json_raw(value);
    end = yl_json_number_end(value.start, value.limit);
    return raw.data && end == raw.data + raw.size ? raw : yl_str_null();
}

/* What is between the quotes; the null slice if the value is no string. */
static struct yl_str
raw_string(struct yl_json value, bool *escaped)
{
    const char *end;

    *escaped = false;
    if (!value.start || *value.start != '"') {
        return yl_str_null();
    }
    end = yl_json_skip_string(value.start, value.limit, escaped);
    return end ? yl_str_range(value.start + 1, end - 1) : yl_str_null();
}
