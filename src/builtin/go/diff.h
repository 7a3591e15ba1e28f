#ifndef BUILTIN_GO_DIFF_H
#define BUILTIN_GO_DIFF_H 1

/* Unified differences, as upstream's messages show them: of two JSON texts,
 * indented by one blank for each level.
 *
 * Which lines are taken for the same is not a matter of taste here, because
 * clients see it: the longest run that both texts have comes first, then those
 * to its left and to its right.  Of a text with 200 lines or more, lines that
 * make up more than a hundredth do not start a run.
 *
 * Guarantees
 * ==========
 *
 *   - The work is bounded.  Texts that would take more than that have no
 *     difference to show. */

#include "base/buf.h"
#include "yuloh/str.h"

/* Appends the difference of two compact JSON texts, with three lines of
 * context; nothing if they are the same. */
void yl_diff_json(struct yl_buf *, struct yl_str old, struct yl_str now);

#endif /* builtin/go/diff.h */
