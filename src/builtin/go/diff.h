#ifndef BUILTIN_GO_DIFF_H
#define BUILTIN_GO_DIFF_H 1

/* Unified differences, as upstream's messages show them: of two JSON texts,
 * indented by one blank for each level.
 *
 * Which lines are matched must be the same as upstream, because clients see
 * it: the longest run that both texts have is matched first, then those to its
 * left and to its right.  Of a text with 200 lines or more, lines that make up
 * more than a hundredth do not start a run.
 *
 * Guarantees
 * ==========
 *
 *   - The work is bounded.  For texts that would take more, no difference is
 *     shown. */

#include "base/buf.h"
#include "yuloh/str.h"

/* Appends the difference of two compact JSON texts, with three lines of
 * context; nothing if they are the same. */
void yl_diff_json(struct yl_buf *, struct yl_str old, struct yl_str now);

#endif /* builtin/go/diff.h */
