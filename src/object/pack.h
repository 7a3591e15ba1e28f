#ifndef OBJECT_PACK_H
#define OBJECT_PACK_H 1

/* Packed blocks: objects in a controller's cache, compressed.
 *
 *     struct yl_object   as in a plain block, with sizes and offsets of the
 *                        plain text; PACKED is set, 'facts' is where the facts
 *                        are here
 *     facts' text        name, namespace, uid, created, labels, owners,
 *                        finalizers: what is read most, plain
 *     facts              as in a plain block: spans of the plain text
 *     dictionary         a pointer, with a reference
 *     packed             its size (4 bytes), and the rest of the text
 *
 * The packed part is the text with the facts above cut out of it, as they
 * would only be stored twice.  Unpacking puts them back.
 *
 * Accessors of facts read a packed block as it is.  All others unpack it into
 * their arena first, once for an arena if they are called close together.  So
 * everything in yuloh/object.h works with packed blocks; a server never has
 * one.
 *
 * Threads
 * =======
 *
 * Any, as for all blocks. */

#include <stdbool.h>

#include "object/dictionary.h"
#include "object/object.h"

/* Texts above this are not packed, so that an arena never has to take more for
 * one object than a plain block has. */
#define YL_PACK_MAX ((size_t) 16 << 20)

/* A packed block, the caller's; NULL if it is not worth it: 'object' is packed
 * already, or tiny, or does not become smaller by an eighth, or has facts that
 * are escaped. */
struct yl_object *yl_object_pack(const struct yl_object *object,
                                 struct yl_dictionary *);

static inline bool
yl_object_is_packed(const struct yl_object *object)
{
    return object->flags & YL_OBJECT_PACKED;
}

/* A dictionary for objects like these, which are plain. */
struct yl_dictionary *yl_pack_train(struct yl_object *const *samples,
                                    size_t n);

/* Bytes that it takes, or would take, as a plain block. */
size_t yl_object_plain_footprint(const struct yl_object *object);

#endif /* object/pack.h */
