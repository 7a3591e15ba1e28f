#ifndef OBJECT_MANAGED_H
#define OBJECT_MANAGED_H 1

/* managedFields that many objects have, kept once.
 *
 *     block: {METADATA [here] }REST}  --.
 *     block: {METADATA [here] }REST}  --+--> ,"managedFields":[...]
 *     block: {METADATA [here] }REST}  --'    with cuts
 *
 * managedFields are a third of a small object, and objects of one kind that
 * one program writes have the same ones, except for the times and, in lists
 * that are sets or have keys, for the items' names:
 *
 *     {"f:dns":{"v:\"10.0.0.2\"":{}}},"manager":"m","time":"2026-11-16T..."
 *                  ^^^^^^^^^^^^                              ^^^^^^^^^^^^^
 *
 * So blocks that are kept for long refer to one counted text from which these
 * are cut, and hold only what was cut: the times or, if no other object has
 * the same names, the times and the names.
 *
 * Guarantees
 * ==========
 *
 *   - Bytes in, the same bytes out: nothing is reordered or written anew.
 *     Cuts need no understanding of the text: a bad one only shares less.
 *
 *   - A text is shared from its second object on.  One that no other object
 *     has stays in its block, where it costs nothing extra.  (Texts are
 *     remembered by hash for a while; one that was forgotten meanwhile is
 *     shared an object later.)
 *
 *   - A text is freed with its last object.
 *
 * Threads
 * =======
 *
 * Any.  One lock guards the table of texts; it is held for a lookup, and not
 * taken at all by whoever drops a reference that is not the last. */

#include <stddef.h>

#include "base/buf.h"
#include "yuloh/str.h"

struct yl_managed;

/* The most cuts in a text, and the largest: more and larger stay in it. */
#define YL_MANAGED_MAX_CUTS 32
#define YL_MANAGED_MAX_CUT 255

/* A byte for its size precedes each. */
#define YL_MANAGED_CUTS_SIZE (YL_MANAGED_MAX_CUTS * (YL_MANAGED_MAX_CUT + 1))

/* Texts above this are not shared. */
#define YL_MANAGED_MAX_SIZE ((size_t) 64 << 10)

/* A reference to the shared form of 'text', which is the member managedFields
 * as it stands in a block, with the comma before it; and what was cut out of
 * it, in 'cuts'.  NULL if it is not shared. */
struct yl_managed *
yl_managed_share(struct yl_str text, char cuts[YL_MANAGED_CUTS_SIZE]);

struct yl_managed *yl_managed_ref(struct yl_managed *);
void yl_managed_unref(struct yl_managed *);

/* How many bytes of cuts a block has to hold, and how many bytes the whole
 * text has with them. */
size_t yl_managed_cuts_size(const struct yl_managed *, const char *cuts);
size_t yl_managed_size(const struct yl_managed *, const char *cuts);

/* Appends the whole text. */
void yl_managed_write(const struct yl_managed *, const char *cuts,
                      struct yl_buf *);

/* How many texts are shared now. */
size_t yl_managed_count(void);

#endif /* object/managed.h */
