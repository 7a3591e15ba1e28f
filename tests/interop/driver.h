#ifndef TESTS_INTEROP_DRIVER_H
#define TESTS_INTEROP_DRIVER_H 1

/* The side of `make interop` that is Yuloh: operations by name.
 *
 * The driver reads one request in JSON on each line and answers each with a
 * line:
 *
 *     {"op":"quantity","args":["1.5"]}
 *     {"out":["1500m","2"]}
 *     {"error":"EINVALID","message":"..."}
 *
 * Strings are bytes: each character of a JSON string, U+0000 to U+00FF, stands
 * for one.  An operation is one OP(name) { ... } in some file of this folder.
 * It reads call->args, answers with answer() and its like as often as it
 * wants, and returns 0; or returns a negative code, with call->err set.
 *
 *     OP(key)
 *     {
 *         struct yl_key key;
 *         int r = yl_key_parse(arg(call, 0), &key, &call->err);
 *
 *         if (r == 0) {
 *             answer(call, key.name);
 *         }
 *         return r;
 *     } */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/str.h"

struct yl_node;

#define CALL_MAX_ARGS 8

struct call {
    struct yl_arena *arena;     /* Cleared before the next call. */
    struct yl_str args[CALL_MAX_ARGS];
    size_t n_args;
    struct yl_buf out;          /* Answers so far, as JSON strings. */
    struct yl_error err;
};

typedef int op_fn(struct call *);

void op_register(const char *name, op_fn *function);

#define OP(NAME)                                                              \
    static int op_##NAME(struct call *call);                                  \
    __attribute__((constructor)) static void register_##NAME(void)            \
    {                                                                         \
        op_register(#NAME, op_##NAME);                                        \
    }                                                                         \
    static int op_##NAME(struct call *call)

/* The 'i'-th argument; empty if there are not as many. */
struct yl_str arg(const struct call *, size_t i);
int64_t arg_int(const struct call *, size_t i);

void answer(struct call *, struct yl_str);
void answer_c(struct call *, const char *);
void answer_int(struct call *, int64_t);
void answer_bool(struct call *, bool);

/* JSON, in canonical form.  0 or the error. */
int answer_tree(struct call *, const struct yl_node *);
int answer_json(struct call *, struct yl_str json);

#endif /* tests/interop/driver.h */
