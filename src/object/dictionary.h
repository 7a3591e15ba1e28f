#ifndef OBJECT_DICTIONARY_H
#define OBJECT_DICTIONARY_H 1

/* Dictionary: what objects of a kind have in common, for zstd.
 *
 * Objects of one kind are alike, but each is too short for a compressor to
 * learn from.  So some of them are used to train a dictionary of 32 KB, once;
 * with it every single object shrinks to a tenth or less, and can be unpacked
 * alone in a microsecond.
 *
 * Guarantees
 * ==========
 *
 *   - Packing never fails: if training finds nothing in common, the samples
 *     themselves serve as the dictionary.
 *
 *   - Unpacking writes exactly as many bytes as were packed, and never more
 *     than there is room for.
 *
 * Threads
 * =======
 *
 * Any.  Packing with one dictionary takes turns.  Unpacking takes no lock but
 * for a moment, to borrow one of the process' contexts (95 KB each), of which
 * there are as many as threads have ever unpacked at once; they are freed with
 * the last dictionary. */

#include <stddef.h>

#include "yuloh/str.h"

struct yl_dictionary;

/* Makes a dictionary from the samples, which stand in 'samples' one behind the
 * other; 'sizes' has their sizes.  The caller's reference. */
struct yl_dictionary *yl_dictionary_train(struct yl_str samples,
                                          const size_t *sizes, size_t n);

/* How many bytes of samples are worth having. */
#define YL_DICTIONARY_SAMPLES ((size_t) 512 << 10)

struct yl_dictionary *yl_dictionary_ref(struct yl_dictionary *);
void yl_dictionary_unref(struct yl_dictionary *);

/* Bytes of memory that it takes. */
size_t yl_dictionary_footprint(const struct yl_dictionary *);

/* Packs 'text' into 'space', which has room for 'max' bytes.  Returns the
 * size, or 0 if there is not enough room. */
size_t yl_dictionary_pack(struct yl_dictionary *, struct yl_str text,
                          char *space, size_t max);

/* Unpacks what was packed with this dictionary, of which it is known that it
 * had 'size' bytes. */
void yl_dictionary_unpack(const struct yl_dictionary *, struct yl_str packed,
                          char *space, size_t size);

#endif /* object/dictionary.h */
