#ifndef BUILTIN_CONVERT_CONVERT_CRD_H
#define BUILTIN_CONVERT_CONVERT_CRD_H 1

/* CustomResourceDefinition: apiextensions.k8s.io/v1beta1 to v1 and back. */

struct yl_arena;
struct yl_error;
struct yl_node;

int yl_convert_crd_to_v1(struct yl_arena *, struct yl_node *object,
                         struct yl_error *err);
int yl_convert_crd_to_v1beta1(struct yl_arena *, struct yl_node *object,
                              struct yl_error *err);

#endif /* builtin/convert/convert_crd.h */
