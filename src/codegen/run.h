#ifndef CODEGEN_RUN_H
#define CODEGEN_RUN_H 1

/* The commands of yuloh-gen, without the parsing of its command line. */

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct yl_error;

/* Options.  Zero means the default. */
struct yl_gen_opts {
    const char *const *includes;    /* Folders to look for headers in, */
    size_t n_includes;              /* the first ones first. */
    const char *folder;             /* Where all of them go [each
                                     * header's own]. */
    const char *header_folder;      /* Where X.h and X_client.h go
                                     * ['folder']. */
    const char *go_folder;          /* Where X_go.h and X_go.c go, and one
                                     * go_sets.c: what Go's types say [they
                                     * are not made]. */
    bool check;                     /* Write nothing; fail if a file is not
                                     * what would be written. */
};

/* "yuloh gen types": writes X.h, X.c and, if a kind has a client, X_client.h
 * for each header.  Files that would not change are left alone, so that make
 * does not build what is up to date.  0, YL_EINVALID for a fault in a header,
 * YL_EIO, or YL_ETESTFAILED when 'check' finds a stale file. */
int yl_gen_types(const char *const *headers, size_t n,
                 const struct yl_gen_opts *, struct yl_error *err);

/* "yuloh gen crd": appends the CustomResourceDefinitions of the headers' kinds
 * as YAML, one for each kind, all versions of a kind together. */
int yl_gen_crd(const char *const *headers, size_t n,
               const struct yl_gen_opts *, struct yl_buf *,
               struct yl_error *err);

/* The folders in which the program finds Yuloh's own headers: beside it in a
 * build folder, or below the same prefix.  In the arena; their number in
 * '*ret_n'. */
struct yl_arena;
const char *const *yl_gen_own_includes(struct yl_arena *, size_t *ret_n);

#endif /* codegen/run.h */
