#ifndef APISERVER_VERBS_OWNERS_H
#define APISERVER_VERBS_OWNERS_H 1

/* Repeated owner references. */

#include <stdbool.h>

struct yl_node;
struct yl_write;

/* Removes repeated owner references, with a Warning that names them. */
void yl_owners_unique(struct yl_write *, struct yl_node *metadata,
                      bool after_admission);

#endif /* apiserver/verbs/owners.h */
