#ifndef OBJECT_SELECTOR_H
#define OBJECT_SELECTOR_H 1

/* Building label selectors, for the parsers of their two forms. */

#include "yuloh/selector.h"

struct yl_selector {
    bool nothing;               /* Matches no object. */
    const struct yl_requirement *requirements;  /* Sorted by key. */
    size_t n_requirements;
};

/* A selector under construction: add requirements in the order in which they
 * were written, then finish it.  Release the builder in any case. */
struct yl_selector_builder {
    struct yl_arena *arena;     /* Gets the selector. */
    struct yl_requirement *requirements;    /* From malloc. */
    size_t n_requirements, capacity;
};

void yl_selector_builder_init(struct yl_selector_builder *, struct yl_arena *);
void yl_selector_builder_release(struct yl_selector_builder *);

/* Checks and adds one requirement; the strings are borrowed until the selector
 * is finished, the array only for the call.  YL_EINVALID with upstream's
 * message, which names the part at fault, or YL_ETOOBIG. */
int yl_selector_builder_add(struct yl_selector_builder *, struct yl_str key,
                            enum yl_selector_op, const struct yl_str *values,
                            size_t n_values, struct yl_error *err);

const struct yl_selector *
yl_selector_builder_finish(struct yl_selector_builder *);

/* Reads an integer as Go's ParseInt does: a '+' is fine. */
int yl_selector_number(struct yl_str, int64_t *ret_number);

/* Orders two 'struct yl_str' by their bytes, for qsort(). */
int yl_selector_compare(const void *, const void *);

#endif /* object/selector.h */
