#ifndef BUILTIN_COMMON_META_H
#define BUILTIN_COMMON_META_H 1

/* Checks of an object's metadata. */

#include <stdbool.h>

#include "builtin/common/checks.h"

#define YL_IMMUTABLE "field is immutable"

/* The rules of one kind for its metadata. */
struct yl_meta_rule {
    enum yl_name_rule name;
    bool namespaced;
    bool any_finalizer;         /* Even one without a domain. */
};

/* ValidateObjectMeta upstream: the object's metadata. */
void yl_check_meta(struct yl_check *, const struct yl_at *metadata,
                   const struct yl_meta_rule *);

/* ValidateObjectMetaUpdate upstream: compares metadata with the old one.  The
 * name is not checked; yl_check_meta() does that.  Upstream often calls both,
 * so a fault may be reported twice. */
void yl_check_meta_update(struct yl_check *, const struct yl_at *metadata,
                          const struct yl_node *old,
                          const struct yl_meta_rule *);

/* The same for the metadata of an object. */
void yl_check_object_meta(struct yl_check *, const struct yl_node *object,
                          const struct yl_meta_rule *);
void yl_check_object_meta_update(struct yl_check *,
                                 const struct yl_node *object,
                                 const struct yl_node *old,
                                 const struct yl_meta_rule *);

/* A field that may not change: "field is immutable" otherwise. */
bool yl_check_immutable(struct yl_check *, const struct yl_at *field,
                        const struct yl_node *old_value);

/* The same for members of the root. */
void yl_check_fixed(struct yl_check *, const struct yl_node *object,
                    const struct yl_node *old, const char *const *names,
                    size_t n);

/* Equal, where an absent list and an empty one are the same at any depth, as
 * in upstream's Semantic.DeepEqual(); null is absent. */
bool yl_node_same(const struct yl_node *, const struct yl_node *);

/* Checks the name of a finalizer.  Without a domain, only a few names are
 * allowed. */
void yl_check_finalizer(struct yl_check *, const struct yl_at *,
                        struct yl_str name);

/* Parts of metadata: annotations, ownerReferences, managedFields. */
void yl_check_annotations(struct yl_check *, const struct yl_at *);
void yl_check_owners(struct yl_check *, const struct yl_at *owners);
void yl_check_managed_fields(struct yl_check *, const struct yl_at *);

/* Checks the name of a manager of fields: it must be printable, and not too
 * long. */
void yl_check_manager(struct yl_error *err, const struct yl_field_path *,
                      struct yl_str name);

/* The first generation, for kinds that count theirs. */
void yl_meta_set_generation(struct yl_arena *, struct yl_node *object);

/* Sets the generation of a changed object to one more than the old one. */
void yl_meta_count_generation(struct yl_arena *, struct yl_node *object,
                              const struct yl_node *old);

/* Puts back the parts of metadata that a write to /status may not change:
 * labels, annotations, finalizers, owners, deletionTimestamp. */
void yl_meta_keep(struct yl_arena *, struct yl_node *object,
                  const struct yl_node *old);

#endif /* builtin/common/meta.h */
