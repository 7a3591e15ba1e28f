#ifndef BENCH_CORPUS_H
#define BENCH_CORPUS_H 1

/* Lists as a kube-apiserver would send them, made from a seed: the same bytes
 * in every run.
 *
 * Uniform objects differ only in their names and numbers.  Irregular ones vary
 * in everything that objects vary in: which members they have, how many
 * containers, labels and conditions, how long their strings are, whether those
 * have escapes or characters beyond ASCII. */

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum corpus_kind {
    CORPUS_PODS,                /* About 7 KB, managedFields included. */
    CORPUS_PLAIN_PODS,          /* About 3 KB: one container and no
                                 * managedFields. */
    CORPUS_NETWORKS,            /* About 1.6 KB. */
};

/* Appends a List of at least 'size' bytes.  Returns the number of items. */
size_t corpus_list(struct yl_buf *, enum corpus_kind, bool irregular,
                   size_t size);

/* Appends one object of about 'size' bytes: a Network whose data grows. */
void corpus_object(struct yl_buf *, size_t size, unsigned i);

#endif /* bench/corpus.h */
