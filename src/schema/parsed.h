#ifndef SCHEMA_PARSED_H
#define SCHEMA_PARSED_H 1

/* The JSON texts of descriptors as trees or as schemas, each parsed once.
 *
 * Some rules are texts: the values of an enum; in the tables that yuloh-gen
 * writes also the schemas of allOf and its like.  A walk over a list meets the
 * same rule at every element, so the results are kept until the walk ends. */

#include "base/map.h"

struct yl_arena;
struct yl_node;
struct yl_schema;

struct yl_parsed {
    struct yl_arena *arena;     /* Lent; for the trees. */
    struct yl_map by_text;
};

void yl_parsed_init(struct yl_parsed *, struct yl_arena *);
void yl_parsed_release(struct yl_parsed *);

/* The tree of 'text', which must stay at its address until then; NULL if it is
 * not JSON. */
const struct yl_node *yl_parsed_get(struct yl_parsed *, const char *text);

/* The same as a compiled schema, which may describe anything
 * (yl_schema_value()); NULL if it is not valid. */
const struct yl_schema *yl_parsed_schema(struct yl_parsed *, const char *text);

#endif /* schema/parsed.h */
