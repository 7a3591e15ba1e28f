/* Scalars of a tree.  See schema/scalar.h for the contract. */

#include "schema/scalar.h"

#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "json/base64.h"
#include "json/tree.h"
#include "yuloh/error.h"
#include "yuloh/quantity.h"
#include "yuloh/time.h"

struct job {
    struct yl_arena *arena;
    struct yl_node **node;
    bool zero;
    struct yl_scalar_fault *fault;
};

static enum yl_scalar_result do_integer(struct job *, int64_t min, int64_t max,
                                        const char *type, bool ends);
static enum yl_scalar_result do_double(struct job *);
static enum yl_scalar_result do_string(struct job *);
static enum yl_scalar_result do_bytes(struct job *);
static bool pack_bytes(struct yl_arena *, const struct yl_node *list,
                       struct yl_str *ret_text);
static enum yl_scalar_result do_time(struct job *, bool micro);
static enum yl_scalar_result do_duration(struct job *);
static enum yl_scalar_result do_quantity(struct job *);
static enum yl_scalar_result wrong_type(struct job *, const char *type,
                                        bool ends);
static enum yl_scalar_result wrong_form(struct job *, struct yl_error *);
static bool check_base64(struct yl_str, size_t *ret_offset);
static struct yl_str clean_base64(struct yl_arena *, struct yl_str);
static int base64_digit(char);
static void put_string(struct job *, struct yl_str normal);
static struct yl_str string_of(struct job *);

bool
yl_scalar_is(enum yl_value_kind kind)
{
    return kind != YL_VALUE_STRUCT && kind != YL_VALUE_LIST
           && kind != YL_VALUE_MAP;
}

enum yl_scalar_result
yl_scalar_normalize(struct yl_arena *arena, enum yl_value_kind kind,
                    struct yl_node **node, bool *ret_zero,
                    struct yl_scalar_fault *ret_fault)
{
    struct job job = { arena, node, false, ret_fault };
    enum yl_scalar_result result = YL_SCALAR_OK;
    bool on = false;

    memset(ret_fault, 0, sizeof *ret_fault);
    switch (kind) {
    case YL_VALUE_BOOL:
        if (yl_node_bool(*node, &on) < 0) {
            result = wrong_type(&job, "bool", false);
        }
        job.zero = !on;
        break;

    case YL_VALUE_INT32:
        result = do_integer(&job, INT32_MIN, INT32_MAX, "int32", false);
        break;

    case YL_VALUE_INT64:
        result = do_integer(&job, INT64_MIN, INT64_MAX, "int64", false);
        break;

    case YL_VALUE_DOUBLE:
        result = do_double(&job);
        break;

    case YL_VALUE_STRING:
        result = do_string(&job);
        break;

    case YL_VALUE_BYTES:
        result = do_bytes(&job);
        break;

    case YL_VALUE_TIME:
    case YL_VALUE_MICRO_TIME:
        result = do_time(&job, kind == YL_VALUE_MICRO_TIME);
        break;

    case YL_VALUE_DURATION:
        result = do_duration(&job);
        break;

    case YL_VALUE_QUANTITY:
        result = do_quantity(&job);
        break;

    case YL_VALUE_INT_OR_STRING:
        if (yl_node_type(*node) != YL_JSON_STRING) {
            result = do_integer(&job, INT32_MIN, INT32_MAX, "int32", true);
        }
        break;

    case YL_VALUE_RAW:
    case YL_VALUE_EMBEDDED:
    case YL_VALUE_NONE:
    case YL_VALUE_STRUCT:
    case YL_VALUE_LIST:
    case YL_VALUE_MAP:
        break;
    }
    *ret_zero = job.zero;
    return result;
}

struct yl_node *
yl_scalar_zero(struct yl_arena *arena, enum yl_value_kind kind)
{
    switch (kind) {
    case YL_VALUE_BOOL:
        return yl_node_new_bool(arena, false);

    case YL_VALUE_INT32:
    case YL_VALUE_INT64:
    case YL_VALUE_DOUBLE:
    case YL_VALUE_INT_OR_STRING:
        return yl_node_new_int64(arena, 0);

    case YL_VALUE_STRING:
        return yl_node_new_string(arena, YL_STR(""));

    case YL_VALUE_DURATION:
        return yl_node_new_string(arena, YL_STR("0s"));

    case YL_VALUE_QUANTITY:
        return yl_node_new_string(arena, YL_STR("0"));

    default:
        return yl_node_new_null(arena);
    }
}

static enum yl_scalar_result
do_integer(struct job *job, int64_t min, int64_t max, const char *type,
           bool ends)
{
    struct yl_str text;
    long long n;

    if (yl_node_number(*job->node, &text) < 0) {
        return wrong_type(job, type, ends);
    }
    if (yl_str_to_i64(text, &n) < 0 || n < min || n > max) {
        job->fault->with_number = true;
        return wrong_type(job, type, ends);
    }
    job->zero = n == 0;
    if (n == 0 && text.size > 1) {
        struct yl_node *zero = yl_node_new_int64(job->arena, 0);

        yl_node_replace(*job->node, zero);
        *job->node = zero;
    }
    return YL_SCALAR_OK;
}

static enum yl_scalar_result
do_double(struct job *job)
{
    struct yl_str text;
    double n;

    if (yl_node_number(*job->node, &text) < 0) {
        return wrong_type(job, "float64", false);
    }
    if (yl_node_double(*job->node, &n) < 0) {
        job->fault->with_number = true;
        return wrong_type(job, "float64", false);
    }
    job->zero = n == 0;
    return YL_SCALAR_OK;
}

static enum yl_scalar_result
do_string(struct job *job)
{
    if (yl_node_type(*job->node) != YL_JSON_STRING) {
        return wrong_type(job, "string", false);
    }
    job->zero = yl_node_string_is(*job->node, YL_STR(""));
    return YL_SCALAR_OK;
}

static enum yl_scalar_result
do_bytes(struct job *job)
{
    struct yl_str text;
    size_t offset;

    if (yl_node_type(*job->node) == YL_JSON_ARRAY
        && pack_bytes(job->arena, *job->node, &text)) {
        put_string(job, text);
        return YL_SCALAR_OK;
    }
    if (yl_node_type(*job->node) != YL_JSON_STRING) {
        return wrong_type(job, "[]uint8", false);
    }
    text = string_of(job);
    if (!check_base64(text, &offset)) {
        job->fault->message = yl_str_c(yl_arena_printf(
            job->arena, "illegal base64 data at input byte %zu", offset));
        return YL_SCALAR_FORM;
    }
    put_string(job, clean_base64(job->arena, text));
    return YL_SCALAR_OK;
}

/* The base64 of a list of bytes, which Go accepts too. */
static bool
pack_bytes(struct yl_arena *arena, const struct yl_node *list,
           struct yl_str *ret_text)
{
    char *bytes = yl_arena_alloc(arena, list->n + 1);
    const struct yl_node *item;
    struct yl_buf buf;
    size_t n = 0;

    YL_NODE_FOR_EACH (item, list) {
        int64_t value = 0;

        if (yl_node_type(item) != YL_JSON_NULL
            && (yl_node_int64(item, &value) < 0 || value < 0
                || value > UINT8_MAX)) {
            return false;
        }
        bytes[n++] = (char) value;
    }
    yl_buf_init(&buf, SIZE_MAX);
    yl_base64_write(&buf, yl_str_n(bytes, n));
    *ret_text = yl_arena_copy(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return true;
}

static enum yl_scalar_result
do_time(struct job *job, bool micro)
{
    struct yl_error err = YL_ERROR_INIT;
    char text[YL_TIME_TEXT_SIZE];
    struct yl_time t;
    size_t size;

    if (yl_node_type(*job->node) != YL_JSON_STRING) {
        return wrong_type(job, "string", true);
    }
    if ((micro ? yl_micro_time_parse : yl_time_parse)(string_of(job), &t, &err)
        < 0) {
        return wrong_form(job, &err);
    }
    if (yl_time_is_zero(t)) {
        struct yl_node *null = yl_node_new_null(job->arena);

        yl_node_replace(*job->node, null);
        *job->node = null;
        job->zero = true;
        return YL_SCALAR_OK;
    }
    size = (micro ? yl_micro_time_write : yl_time_write)(t, text);
    put_string(job, yl_str_n(text, size));
    return YL_SCALAR_OK;
}

static enum yl_scalar_result
do_duration(struct job *job)
{
    struct yl_error err = YL_ERROR_INIT;
    char text[YL_DURATION_TEXT_SIZE];
    struct yl_str s = YL_STR("");
    int64_t nanos;

    if (yl_node_type(*job->node) == YL_JSON_STRING) {
        s = string_of(job);
    } else if (yl_node_type(*job->node) != YL_JSON_NULL) {
        return wrong_type(job, "string", true);
    }
    if (yl_duration_parse(s, &nanos, &err) < 0) {
        return wrong_form(job, &err);
    }
    job->zero = nanos == 0;
    put_string(job, yl_str_n(text, yl_duration_write(nanos, text)));
    return YL_SCALAR_OK;
}

/* Go reads a quantity from the text of any value. */
static enum yl_scalar_result
do_quantity(struct job *job)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_quantity quantity;
    char room[YL_QUANTITY_TEXT_SIZE];
    struct yl_str text = YL_STR("?");

    if (yl_node_type(*job->node) == YL_JSON_STRING) {
        text = string_of(job);
    } else {
        yl_node_number(*job->node, &text);
    }
    if (yl_quantity_parse(yl_str_trim(text), &quantity, &err) < 0) {
        return wrong_form(job, &err);
    }
    job->zero = yl_quantity_sign(&quantity) == 0;
    put_string(job, yl_quantity_text(&quantity, room));
    return YL_SCALAR_OK;
}

static enum yl_scalar_result
wrong_type(struct job *job, const char *type, bool ends)
{
    job->fault->type = type;
    job->fault->ends = ends;
    return YL_SCALAR_TYPE;
}

static enum yl_scalar_result
wrong_form(struct job *job, struct yl_error *err)
{
    job->fault->message = yl_arena_copy(job->arena,
                                        yl_str_c(yl_error_message(err)));
    job->fault->ends = true;
    yl_error_clear(err);
    return YL_SCALAR_FORM;
}

/* Is 's' base64 as Go reads it?  If not, '*ret_offset' is the place that Go's
 * error names. */
static bool
check_base64(struct yl_str s, size_t *ret_offset)
{
    size_t i = 0, n = 0;        /* 'n' digits of a group of four were read. */

    for (; i < s.size; i++) {
        char c = s.data[i];

        if (c == '\n' || c == '\r') {
            continue;
        }
        if (base64_digit(c) >= 0) {
            n = (n + 1) % 4;
            continue;
        }
        *ret_offset = i;
        if (c != '=' || n < 2) {
            return false;
        }
        i++;
        if (n == 2) {
            while (i < s.size && (s.data[i] == '\n' || s.data[i] == '\r')) {
                i++;
            }
            if (i == s.size || s.data[i] != '=') {
                *ret_offset = i == s.size ? i : i - 1;
                return false;
            }
            i++;
        }
        while (i < s.size && (s.data[i] == '\n' || s.data[i] == '\r')) {
            i++;
        }
        *ret_offset = i;
        return i == s.size;
    }
    *ret_offset = i - n;
    return n == 0;
}

/* Base64 without line ends, and with zeros in the unused bits of the last
 * digit: the result of encoding the bytes again. */
static struct yl_str
clean_base64(struct yl_arena *arena, struct yl_str s)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "abcdefghijklmnopqrstuvwxyz0123456789+/";
    char *out = yl_arena_alloc(arena, s.size + 1);
    size_t n = 0, pad = 0, i;

    for (i = 0; i < s.size; i++) {
        if (s.data[i] != '\n' && s.data[i] != '\r') {
            pad += s.data[i] == '=';
            out[n++] = s.data[i];
        }
    }
    if (pad) {
        int digit = base64_digit(out[n - pad - 1]);

        out[n - pad - 1] = digits[digit & (pad == 2 ? 0x30 : 0x3c)];
    }
    return yl_str_n(out, n);
}

static int
base64_digit(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+' ? 62
           : c == '/' ? 63
           : -1;
}

/* Makes the node the string 'normal', unless it is that already. */
static void
put_string(struct job *job, struct yl_str normal)
{
    if (!yl_node_string_is(*job->node, normal)) {
        struct yl_node *node = yl_node_new_string(job->arena, normal);

        yl_node_replace(*job->node, node);
        *job->node = node;
    }
}

static struct yl_str
string_of(struct job *job)
{
    struct yl_str s = YL_STR("");

    yl_node_string(*job->node, job->arena, &s);
    return s;
}
