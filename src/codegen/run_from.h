#ifndef CODEGEN_RUN_FROM_H
#define CODEGEN_RUN_FROM_H 1

/* "yuloh gen types --from": CRDs or OpenAPI documents into annotated headers.
 *
 *     crd.yaml, openapi.json --> X_types.h, one for each group-version */

#include <stddef.h>

struct yl_error;

/* Options.  Zero means the default. */
struct yl_gen_from_opts {
    const char *folder;         /* Where X_types.h go ["."]. */
    const char *facts;          /* Folder with fields.tsv (codegen/facts.h) and
                                 * discovery documents (*.json), for OpenAPI
                                 * [none]. */
};

/* Reads the files, all CRDs or all OpenAPI documents, and writes the headers.
 * Prints the name of each to standard output.  0, YL_EINVALID for a fault in a
 * file, or YL_EIO. */
int yl_gen_from(const char *const *files, size_t n,
                const struct yl_gen_from_opts *, struct yl_error *err);

#endif /* codegen/run_from.h */
