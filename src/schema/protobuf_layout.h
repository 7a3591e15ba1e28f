#ifndef SCHEMA_PROTOBUF_LAYOUT_H
#define SCHEMA_PROTOBUF_LAYOUT_H 1

/* Where messages differ from objects.  Part of schema/protobuf.h.
 *
 * Descriptors flatten what Go embeds, so one type may be several messages
 * inside each other: a Volume is { 1: name, 2: VolumeSource { 1: hostPath,
 * ... } }.  A layout is one of them. */

#include <stdbool.h>

#include "yuloh/schema.h"
#include "yuloh/str.h"

struct yl_go_embedding;

struct yl_layout {
    struct yl_type_ref type;
    const char *name;           /* What Go calls it: "VolumeSource". */
    unsigned depth;             /* Number of messages of its type around it. */
    const struct yl_go_embedding *embedding;    /* The message inside of it. */
    bool shared;                /* Is it one of several of its type? */
};

/* The message of a type, and the one that is embedded in it. */
struct yl_layout yl_layout_of(struct yl_type_ref);
struct yl_layout yl_layout_embedded(const struct yl_layout *);

/* The field with that number, or NULL. */
const struct yl_field *yl_layout_field(const struct yl_layout *,
                                       unsigned number);

/* Is that field of the type in this message? */
bool yl_layout_has(const struct yl_layout *, const struct yl_field *);

/* The form of a raw value in protobuf. */
enum yl_raw_form {
    YL_RAW_JSON,                /* { 1: JSON } */
    YL_RAW_EMPTY,               /* { }, the object {} in JSON */
    YL_RAW_SCHEMA_OR_LIST,      /* { 1: schema, 2: schemas } */
    YL_RAW_SCHEMA_OR_BOOL,      /* { 1: bool, 2: schema } */
    YL_RAW_SCHEMA_OR_STRINGS,   /* { 1: schema, 2: strings } */
};

/* The form of a field, or of its elements.  "Schema" is the field's owner. */
enum yl_raw_form yl_layout_raw_form(struct yl_type_ref owner,
                                    const struct yl_field *);

/* Is a field that is a list in a message of its own, { 1: element, repeated
 * }? */
bool yl_layout_wraps(struct yl_type_ref owner, const struct yl_field *);

#endif /* schema/protobuf_layout.h */
