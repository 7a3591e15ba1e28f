#ifndef SCHEMA_PATTERN_H
#define SCHEMA_PATTERN_H 1

/* Regular expressions of schemas, matched by RE2.
 *
 * Schemas use Go's syntax, which is RE2's, and matching costs what RE2
 * promises: time that grows with the text, whatever the pattern is, and memory
 * below a ceiling.  This is the only part that needs C++ and RE2, so it is in
 * the library libyuloh-server, and is passed to validation as a function.
 *
 * Guarantees
 * ==========
 *
 *   - A pattern is compiled once and kept.  When YL_PATTERN_CACHE of them are
 *     kept, or their programs have YL_PATTERN_PROGRAMS instructions, all are
 *     dropped, and those in use come back one by one.
 *
 *   - Matching takes no lock that a matching thread would wait for.
 *
 *   - An invalid pattern is refused in Go's words: "error parsing regexp:
 *     missing closing ): `(`".
 *
 * Threads
 * =======
 *
 * yl_patterns_match() may be called from any thread.
 *
 * Usage
 * =====
 *
 *     struct yl_patterns *patterns = yl_patterns_new();
 *     struct yl_validate_opts opts = { .match = yl_patterns_match,
 *                                      .aux = patterns }; */

#include <stddef.h>

#include "yuloh/compiler.h"
#include "yuloh/str.h"

YL_C_BEGIN

struct yl_error;
struct yl_patterns;

#define YL_PATTERN_CACHE 4096

/* Bytes that one compiled pattern may take. */
#define YL_PATTERN_MEMORY (1 << 20)

/* Instructions of all programs that are kept, of 16 bytes each.  A small
 * pattern has ten of them, and one with Unicode classes has thousands. */
#define YL_PATTERN_PROGRAMS ((size_t) 16 << 20)

/* Instructions that a client may have compiled at a time, which takes seconds:
 * Unicode classes cost 12 ms for 30 bytes. */
#define YL_PATTERN_WORK ((size_t) 4 << 20)

struct yl_patterns *yl_patterns_new(void);

/* The same for patterns of a client: when the programs that were compiled have
 * 'max' instructions, further patterns are refused as too large. */
struct yl_patterns *yl_patterns_new_limited(size_t max);
void yl_patterns_free(struct yl_patterns *);

/* A yl_pattern_fn: 1 if 'pattern' matches somewhere in 'text', 0 if not, or
 * YL_EINVALID.  'patterns' is the struct yl_patterns. */
int yl_patterns_match(void *patterns, struct yl_str pattern,
                      struct yl_str text, struct yl_error *err);

YL_C_END

#endif /* schema/pattern.h */
