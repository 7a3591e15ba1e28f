#ifndef OBJECT_MANAGED_H
#define OBJECT_MANAGED_H 1

/* managedFields that many objects have, kept once.
 *
 *     block: {METADATA [here] }REST}  --.
 *     block: {METADATA [here] }REST}  --+--> ,"managedFields":[...]
 *     block: {METADATA [here] }REST}  --'    without its times
 *
 * managedFields are a third of a small object, and objects of one kind that
 * one program writes have the same ones, except for the times.  So blocks that
 * are kept for long refer to one counted text, and hold only the times.
 *
 * Guarantees
 * ==========
 *
 *   - Bytes in, the same bytes out: nothing is reordered or written anew.
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

/* Times that are taken out of a text; more than these stay in it. */
#define YL_MANAGED_MAX_TIMES 4

/* "2006-01-02T15:04:05Z" */
#define YL_MANAGED_TIME_SIZE 20
#define YL_MANAGED_TIMES_SIZE (YL_MANAGED_MAX_TIMES * YL_MANAGED_TIME_SIZE)

/* Texts above this are not shared. */
#define YL_MANAGED_MAX_SIZE ((size_t) 64 << 10)

/* A reference to the shared form of 'text', which is the member managedFields
 * as it stands in a block, with the comma before it; and its times, one behind
 * the other, in 'times'.  NULL if it is not shared. */
struct yl_managed *
yl_managed_share(struct yl_str text, char times[YL_MANAGED_TIMES_SIZE]);

struct yl_managed *yl_managed_ref(struct yl_managed *);
void yl_managed_unref(struct yl_managed *);

/* How many bytes of times a block has to hold, and how many bytes the whole
 * text has with them. */
size_t yl_managed_times_size(const struct yl_managed *);
size_t yl_managed_size(const struct yl_managed *);

/* Appends the whole text, with these times. */
void yl_managed_write(const struct yl_managed *, const char *times,
                      struct yl_buf *);

/* How many texts are shared now. */
size_t yl_managed_count(void);

#endif /* object/managed.h */
