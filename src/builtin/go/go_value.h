#ifndef BUILTIN_GO_GO_VALUE_H
#define BUILTIN_GO_GO_VALUE_H 1

/* Values as upstream's messages show them.
 *
 * Validation upstream works on internal types whose fields have no JSON names.
 * So a struct at fault is shown with Go's names and with every field, be it
 * set or not: {"Type":"X","RollingUpdate":null}.  Types of metav1 stand among
 * them with their JSON names and leave out what is empty.
 *
 * What a type is called and the order of its fields are generated: see
 * schema/go_set.h.
 *
 * Usage
 * =====
 *
 *     #include "gen/apps_v1_go.h"
 *
 *     yl_bad_struct(c, node, YL_GO(apps_v1, deployment_strategy)) */

#include "json/member.h"
#include "schema/at.h"
#include "schema/go_set.h"

/* The struct, for an error; the text lives in the check's arena.  A NULL node
 * is the struct of zeros. */
struct yl_bad_value yl_bad_struct(const struct yl_check *,
                                  const struct yl_node *, struct yl_go_type);

/* The same of a list of structs.  What is absent is null. */
struct yl_bad_value yl_bad_slice(const struct yl_check *,
                                 const struct yl_node *list,
                                 struct yl_go_type);

/* The struct's text, in the arena; and the way back: a tree with JSON's names
 * of one that has Go's, without what is null or the type does not have. */
struct yl_str yl_go_text(struct yl_arena *, const struct yl_node *,
                         struct yl_go_type);
struct yl_node *yl_go_to_json(struct yl_arena *, const struct yl_node *,
                              struct yl_go_type);

/* Adds FieldValueForbidden for a struct that may not become 'now', with what
 * would change: a unified difference of their indented JSON behind 'text'. */
void yl_field_changed(struct yl_check *, const struct yl_at *,
                      const struct yl_node *old, const struct yl_node *now,
                      struct yl_go_type, const char *text);

/* Adds a cause with a detail to the two faults that have none upstream but
 * where it is set by hand: FieldValueDuplicate and FieldValueNotFound. */
void yl_field_duplicate_because(struct yl_check *, const struct yl_at *,
                                struct yl_bad_value, const char *detail);
void yl_field_not_found_because(struct yl_check *, const struct yl_at *,
                                struct yl_bad_value, const char *detail);

#endif /* builtin/go/go_value.h */
