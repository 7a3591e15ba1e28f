#ifndef BUILTIN_GO_GO_VALUE_H
#define BUILTIN_GO_GO_VALUE_H 1

/* Values as upstream's messages show them.
 *
 * Validation upstream works on internal types whose fields have no JSON names.
 * So a struct at fault is shown with Go's names and with every field, be it
 * set or not: {"Type":"X","RollingUpdate":null}.  Types of metav1 inside of
 * them have JSON names and leave out empty fields.
 *
 * The names of types and the order of their fields are generated: see
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

/* The same for a list of structs.  An absent list is null. */
struct yl_bad_value yl_bad_slice(const struct yl_check *,
                                 const struct yl_node *list,
                                 struct yl_go_type);

/* The struct's text, in the arena; and the opposite: makes a tree with JSON
 * names from one with Go's names, without nulls and fields that the type does
 * not have. */
struct yl_str yl_go_text(struct yl_arena *, const struct yl_node *,
                         struct yl_go_type);
struct yl_node *yl_go_to_json(struct yl_arena *, const struct yl_node *,
                              struct yl_go_type);

/* Adds FieldValueForbidden for a struct that may not become 'now', with the
 * change: 'text' and then a unified difference of their indented JSON. */
void yl_field_changed(struct yl_check *, const struct yl_at *,
                      const struct yl_node *old, const struct yl_node *now,
                      struct yl_go_type, const char *text);

/* Add a cause with a detail for the two reasons whose errors normally have
 * none, FieldValueDuplicate and FieldValueNotFound; upstream sets a detail by
 * hand in a few places. */
void yl_field_duplicate_because(struct yl_check *, const struct yl_at *,
                                struct yl_bad_value, const char *detail);
void yl_field_not_found_because(struct yl_check *, const struct yl_at *,
                                struct yl_bad_value, const char *detail);

#endif /* builtin/go/go_value.h */
