#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H 1

/* What the fuzzers share.  A fuzzer includes it once and defines
 * LLVMFuzzerTestOneInput(). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "yuloh/str.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A condition that must hold.  If it does not, the process ends. */
#define CHECK(TRUTH)                                                          \
    do {                                                                      \
        if (!(TRUTH)) {                                                       \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, \
                    #TRUTH);                                                  \
            abort();                                                          \
        }                                                                     \
    } while (0)

/* The input as a sequence of decisions, taken from its front.  When it is used
 * up, all further ones are 0. */
struct fuzz_input {
    struct yl_str rest;
};

static inline struct fuzz_input
fuzz_input(const uint8_t *data, size_t size)
{
    struct fuzz_input in;

    in.rest = yl_str_n((const char *) data, size);
    return in;
}

/* A number below 'n', which is not 0 and at most 256. */
static inline unsigned
fuzz_below(struct fuzz_input *in, unsigned n)
{
    unsigned byte;

    if (!in->rest.size) {
        return 0;
    }
    byte = (unsigned char) in->rest.data[0];
    in->rest = yl_str_skip(in->rest, 1);
    return byte % n;
}

/* The text up to the next zero byte, or to the end. */
static inline struct yl_str
fuzz_text(struct fuzz_input *in)
{
    struct yl_str before, after;

    if (!yl_str_cut(in->rest, 0, &before, &after)) {
        before = in->rest;
        after = yl_str_skip(in->rest, in->rest.size);
    }
    in->rest = after;
    return before;
}

#endif /* tests/fuzz/fuzz.h */
