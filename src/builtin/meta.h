#ifndef BUILTIN_META_H
#define BUILTIN_META_H 1

/* metadata: what every object may be called and carry. */

#include <stdbool.h>

#include "builtin/checks.h"

/* How one kind wants to be called. */
struct yl_meta_rule {
    enum yl_name_rule name;
    bool namespaced;
    bool any_finalizer;         /* Even one without a domain. */
};

/* ValidateObjectMeta upstream: the object's metadata. */
void yl_check_meta(struct yl_check *, const struct yl_at *metadata,
                   const struct yl_meta_rule *);

/* The names of finalizers without a domain are few. */
void yl_check_finalizer(struct yl_check *, const struct yl_at *,
                        struct yl_str name);

void yl_check_annotations(struct yl_check *, const struct yl_at *);

#endif /* builtin/meta.h */
