#ifndef APISERVER_BOOTSTRAP_BOOTSTRAP_RBAC_H
#define APISERVER_BOOTSTRAP_BOOTSTRAP_RBAC_H 1

/* RBAC's part of the bootstrap: makes objects from the rows, and brings those
 * that exist up to date. */

struct yl_bootstrap_batch;
struct yl_error;

/* Ensures all roles and bindings of the table. */
int yl_bootstrap_rbac(struct yl_bootstrap_batch *, struct yl_error *err);

#endif /* apiserver/bootstrap/bootstrap_rbac.h */
