#ifndef CODEGEN_DIAG_H
#define CODEGEN_DIAG_H 1

/* Errors in a header, each with its file, its line and what to write instead.
 * They are collected, so that one run shows them all. */

#include <stddef.h>

#include "base/buf.h"
#include "yuloh/compiler.h"

struct yl_error;

struct yl_diag {
    struct yl_buf text;         /* "FILE:LINE: WORDS\n", ... */
    size_t n;                   /* Faults, those not kept included. */
};

void yl_diag_init(struct yl_diag *);
void yl_diag_release(struct yl_diag *);

/* Adds an error.  If 'line' is 0 it is left out. */
void yl_diag_add(struct yl_diag *, const char *file, unsigned line,
                 const char *format, ...) YL_PRINTF(4, 5);

/* 0 if there was none, else YL_EINVALID with all of them in 'err'. */
int yl_diag_result(const struct yl_diag *, struct yl_error *err);

#endif /* codegen/diag.h */
