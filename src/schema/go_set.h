#ifndef SCHEMA_GO_SET_H
#define SCHEMA_GO_SET_H 1

/* Facts about upstream's Go types of the built-in kinds that JSON does not
 * show.
 *
 *     api/X_types.h --yuloh-gen --go--> X_go.c --> messages, protobuf
 *
 * Some messages that clients see name Go's types ("of type v1.PullPolicy") or
 * show a value as one of upstream's internal types, which have no JSON names
 * and an order of their own.  Protobuf has a message for each struct that Go
 * embeds in another and that JSON and descriptors flatten.
 *
 * A set belongs to the descriptors of one group-version and has a row for each
 * of their types and fields.  Only servers link these tables.
 *
 * Threads
 * =======
 *
 * Constants: any number of threads may read them. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/schema.h"

enum yl_go_flags {
    YL_GO_VALUE = 1 << 0,       /* Not a pointer in the internal type. */
};

/* A field, at the same index as in the descriptors. */
struct yl_go_field {
    uint16_t name;              /* Name in the internal type; 0 if it is the
                                 * JSON name with a capital letter. */
    uint16_t type;              /* "[]v1.Capability"; 0 if it follows from
                                 * the descriptor. */
    uint8_t flags;              /* enum yl_go_flags. */
    uint8_t depth;              /* Number of embedded structs around it. */
};

/* A struct that Go embeds. */
struct yl_go_embedding {
    uint16_t name;              /* "ProbeHandler". */
    uint16_t number;            /* Field number of its message in protobuf. */
};

/* A type, at the same index as in the descriptors.  Its rows end where those
 * of the next one begin. */
struct yl_go_place {
    uint16_t order;             /* First field, in 'order'. */
    uint16_t embeddings;        /* First one, in 'embeddings': the outermost.
                                 * Each next one is inside of it. */
};

struct yl_go_set {
    const struct yl_type_set *set;
    const char *strings;        /* All text, each ended by a NUL. */
    const struct yl_go_place *types;    /* With one more row at the end. */
    const struct yl_go_field *fields;
    const uint16_t *order;      /* Indices of fields, in the order of the
                                 * internal types.  A field that belongs to
                                 * another type is in the struct around this
                                 * one. */
    const struct yl_go_embedding *embeddings;
    bool tagged;                /* There are no internal types: messages show
                                 * these as JSON, in Go's order. */
};

/* All of them, beside their descriptors; generated. */
struct yl_go_pair {
    const struct yl_type_set *set;
    const struct yl_go_set *go;
};
extern const struct yl_go_pair yl_go_sets[];
extern const size_t yl_n_go_sets;

/* One type, for messages that show it: YL_GO(core_v1, pod_spec) of
 * "gen/core_v1_go.h"; or only the part that it embeds. */
struct yl_go_type {
    const struct yl_go_set *set;
    uint16_t type;
    uint16_t depth;             /* Only fields at this depth. */
};

#define YL_GO_INIT(SET, TYPE) { &SET##_go, SET##_##TYPE##_go, 0 }
#define YL_GO(SET, TYPE) ((struct yl_go_type) YL_GO_INIT(SET, TYPE))
#define YL_GO_EMBEDDED(SET, TYPE)                                             \
    ((struct yl_go_type) { &SET##_go, SET##_##TYPE##_go, 1 })

/* The set of these descriptors; NULL if they are no built-in kinds'. */
const struct yl_go_set *yl_go_set_of(const struct yl_type_set *);

/* The row of a field; one of zeros if there is none. */
const struct yl_go_field *yl_go_field_of(const struct yl_type_set *,
                                         const struct yl_field *);

/* Go's name for the type of a field, if it has a name of its own: "v1.Verbs",
 * "[]v1.Capability", "map[v1.ResourceName]v1.ClaimResourceStatus"; else
 * NULL. */
const char *yl_go_field_type(const struct yl_type_set *,
                             const struct yl_field *);

/* The name of the elements of such a type: "v1.Capability"; NULL if it does
 * not follow from the name. */
const char *yl_go_element_type(const char *type);

/* The struct that a type embeds, the 'depth'th one (from 1); NULL if it does
 * not. */
const struct yl_go_embedding *yl_go_embedding(struct yl_type_ref,
                                              unsigned depth);

/* Its name; "" if there is none. */
const char *yl_go_embedding_name(struct yl_type_ref, unsigned depth);

#endif /* schema/go_set.h */
