#ifndef CODEGEN_FROM_SCHEMA_H
#define CODEGEN_FROM_SCHEMA_H 1

/* Schemas into the model: what from_crd.c and from_openapi.c share.
 *
 *     tree --> schema/props.h --> [model]
 *
 * What schemas say is read by schema/props.h; here it becomes what C can say.
 * A schema with properties becomes a struct; what C has no type for (lists of
 * lists, say) becomes raw JSON that keeps its schema as text, so that nothing
 * a schema says is lost on the way to a header and back. */

#include <stdbool.h>

#include "codegen/model.h"

struct yl_arena;
struct yl_error;
struct yl_node;
struct yl_gen_reader;

/* What "$ref" 'name' stands for: a value, or NULL with 'err'. */
typedef struct yl_gen_value *yl_gen_resolve_fn(struct yl_gen_reader *,
                                               struct yl_str name,
                                               struct yl_error *err);

struct yl_gen_reader {
    struct yl_gen_unit *unit;   /* That types are added to. */
    bool docs;                  /* Are descriptions kept? */
    yl_gen_resolve_fn *resolve; /* NULL if there are no references. */
    void *aux;                  /* For 'resolve'. */
    struct yl_gen_type *object_meta;    /* A kind's metadata. */
};

/* Bytes of one struct's name. */
#define YL_GEN_MAX_NAME 900

/* Reads 'schema' into 'type', which has no fields yet: its properties, and
 * what it says of the whole.  Of a kind, apiVersion and kind are passed
 * over.  0, or the errors of yl_schema_props_read(), or YL_ETOOBIG. */
int yl_gen_read_type(struct yl_gen_reader *, const struct yl_node *schema,
                     struct yl_gen_type *, struct yl_error *err);

/* A unit that stands for the structs that yuloh has of its own, and the type
 * that the API calls 'name' in it ("ObjectMeta"). */
struct yl_gen_unit *yl_gen_meta_unit(struct yl_arena *);
struct yl_gen_type *yl_gen_meta_type(struct yl_gen_unit *, const char *name);

/* Adds the strings of 'array', if it is one. */
void yl_gen_read_texts(struct yl_gen_unit *, struct yl_gen_text **,
                       const struct yl_node *array);

/* The text of member 'name' of 'node' in the unit's arena; "" if it is no
 * string. */
const char *yl_gen_text_of(struct yl_gen_reader *, const struct yl_node *node,
                           const char *name);

#endif /* codegen/from_schema.h */
