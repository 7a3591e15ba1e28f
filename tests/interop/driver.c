/* The main program of the interop driver.  See tests/interop/driver.h. */

#include "driver.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "yuloh/json.h"

#define MAX_OPS 256

static int read_request(struct call *, struct yl_str line,
                        struct yl_str *ret_op);
static struct yl_str to_bytes(struct yl_arena *, struct yl_str utf8);
static void write_bytes(struct yl_buf *, struct yl_str bytes);
static op_fn *find_op(struct yl_str name);

static struct {
    const char *name;
    op_fn *function;
} ops[MAX_OPS];
static size_t n_ops;

int
main(void)
{
    struct call call = { .arena = yl_arena_new() };
    struct yl_buf line_out;
    char *line = NULL;
    size_t capacity = 0;
    ssize_t n;

    yl_buf_init(&call.out, (size_t) 1 << 30);
    yl_buf_init(&line_out, (size_t) 1 << 30);
    while ((n = getline(&line, &capacity, stdin)) > 0) {
        struct yl_str op;
        op_fn *function;
        int r = read_request(&call, yl_str_n(line, (size_t) n), &op);

        if (r < 0) {
            fprintf(stderr, "interop-driver: bad request: %s", line);
            return 1;
        }
        function = find_op(op);
        yl_buf_clear(&line_out);
        if (!function) {
            yl_buf_append_c(&line_out, "{\"error\":\"unknown\"}\n");
        } else if ((r = function(&call)) < 0) {
            yl_buf_printf(&line_out, "{\"error\":\"%s\",\"message\":",
                          yl_error_name(r));
            write_bytes(&line_out, yl_str_c(yl_error_message(&call.err)));
            yl_buf_append_c(&line_out, "}\n");
        } else {
            yl_buf_append_c(&line_out, "{\"out\":[");
            yl_buf_append_str(&line_out, yl_buf_str(&call.out));
            yl_buf_append_c(&line_out, "]}\n");
        }
        fwrite(line_out.data, 1, line_out.size, stdout);

        yl_buf_clear(&call.out);
        yl_error_clear(&call.err);
        yl_arena_clear(call.arena);
    }
    free(line);
    yl_buf_release(&call.out);
    yl_buf_release(&line_out);
    yl_arena_free(call.arena);
    return fflush(stdout) == 0 ? 0 : 1;
}

void
op_register(const char *name, op_fn *function)
{
    if (n_ops == MAX_OPS) {
        abort();
    }
    ops[n_ops].name = name;
    ops[n_ops++].function = function;
}

struct yl_str
arg(const struct call *call, size_t i)
{
    return i < call->n_args ? call->args[i] : YL_STR("");
}

int64_t
arg_int(const struct call *call, size_t i)
{
    long long value = 0;

    if (yl_str_to_i64(arg(call, i), &value) < 0) {
        fprintf(stderr, "interop-driver: argument %zu is no number\n", i);
        exit(1);
    }
    return value;
}

void
answer(struct call *call, struct yl_str s)
{
    if (call->out.size) {
        yl_buf_append_char(&call->out, ',');
    }
    write_bytes(&call->out, s);
}

void
answer_c(struct call *call, const char *s)
{
    answer(call, yl_str_c(s));
}

void
answer_int(struct call *call, int64_t value)
{
    answer_c(call, yl_arena_printf(call->arena, "%" PRId64, value));
}

void
answer_bool(struct call *call, bool value)
{
    answer_c(call, value ? "true" : "false");
}

static int
read_request(struct call *call, struct yl_str line, struct yl_str *ret_op)
{
    struct yl_json request = yl_json(line);
    struct yl_json_iter it = yl_json_iter(yl_json_get(request,
                                                      YL_STR("args")));
    struct yl_str s;
    int r = yl_json_string(yl_json_get(request, YL_STR("op")), call->arena,
                           ret_op);

    call->n_args = 0;
    while (r == 0 && yl_json_next(&it)) {
        r = yl_json_string(it.value, call->arena, &s);
        if (r == 0 && call->n_args == CALL_MAX_ARGS) {
            r = YL_ETOOBIG;
        }
        if (r == 0) {
            call->args[call->n_args++] = to_bytes(call->arena, s);
        }
    }
    return r;
}

/* From characters up to U+00FF to bytes. */
static struct yl_str
to_bytes(struct yl_arena *arena, struct yl_str utf8)
{
    char *bytes = yl_arena_alloc(arena, utf8.size + 1);
    size_t n = 0;
    size_t i;

    for (i = 0; i < utf8.size; i++) {
        unsigned c = (unsigned char) utf8.data[i];

        if (c >= 0x80 && i + 1 < utf8.size) {
            c = (c & 3) << 6 | ((unsigned char) utf8.data[++i] & 0x3f);
        }
        bytes[n++] = (char) c;
    }
    return yl_str_n(bytes, n);
}

static void
write_bytes(struct yl_buf *buf, struct yl_str bytes)
{
    size_t i;

    yl_buf_append_char(buf, '"');
    for (i = 0; i < bytes.size; i++) {
        unsigned char c = (unsigned char) bytes.data[i];

        if (c < 0x20 || c >= 0x7f || c == '"' || c == '\\') {
            yl_buf_printf(buf, "\\u%04x", c);
        } else {
            yl_buf_append_char(buf, (char) c);
        }
    }
    yl_buf_append_char(buf, '"');
}

static op_fn *
find_op(struct yl_str name)
{
    size_t i;

    for (i = 0; i < n_ops; i++) {
        if (yl_str_equal_c(name, ops[i].name)) {
            return ops[i].function;
        }
    }
    return NULL;
}
