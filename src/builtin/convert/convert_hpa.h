#ifndef BUILTIN_CONVERT_CONVERT_HPA_H
#define BUILTIN_CONVERT_CONVERT_HPA_H 1

/* HorizontalPodAutoscaler: autoscaling/v1 to v2 and back.  What v1 has no
 * field for is kept in annotations. */

struct yl_arena;
struct yl_error;
struct yl_node;

int yl_convert_hpa_to_v2(struct yl_arena *, struct yl_node *object,
                         struct yl_error *err);
int yl_convert_hpa_to_v1(struct yl_arena *, struct yl_node *object,
                         struct yl_error *err);

#endif /* builtin/convert/convert_hpa.h */
