#ifndef SCHEMA_EMBEDDING_H
#define SCHEMA_EMBEDDING_H 1

/* Structs that Go embeds in others.
 *
 * JSON has their fields in the object around them, and so have descriptors,
 * which flatten them.  Protobuf has a message for each of them, and messages
 * of Go's decoder name them.  Upstream has few, so they are a table. */

#include <stdbool.h>

#include "yuloh/str.h"

struct yl_embedding {
    const char *type;           /* "Probe" has */
    const char *embedded;       /* a "ProbeHandler" */
    unsigned number;            /* as this field in protobuf, */
    const char *fields;         /* with these fields; behind '!' are those
                                 * that are not in it. */
    const char *deeper;         /* If it embeds one itself: both, as Go's
                                 * messages name them. */
};

/* What the struct called 'type' embeds, or NULL.  None embeds two; some are
 * embedded and embed another. */
const struct yl_embedding *yl_embedding_of(const char *type);

/* Is the field that JSON calls 'name' in the embedded struct?  (NULL has no
 * fields.) */
bool yl_embedding_has(const struct yl_embedding *, struct yl_str name);

#endif /* schema/embedding.h */
