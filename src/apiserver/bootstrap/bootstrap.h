#ifndef APISERVER_BOOTSTRAP_BOOTSTRAP_H
#define APISERVER_BOOTSTRAP_BOOTSTRAP_H 1

/* Bootstrap: the objects that a new server has.
 *
 *     tables -> what is missing? -> one batch of writes
 *
 * Namespaces, priority classes, flow control, APIServices, and RBAC's roles
 * and bindings.
 * The kubernetes Service needs an address; bootstrap_service.h makes it.
 *
 * Guarantees
 * ==========
 *
 *   - Missing objects are created.  A role or binding that exists gets back
 *     what it lacks and keeps what users have added, unless its annotation
 *     rbac.authorization.kubernetes.io/autoupdate is "false": then it is not
 *     changed.  A binding to another role is deleted and created again.
 *
 *   - A second start writes nothing.
 *
 *   - When it returns, aggregated ClusterRoles have their rules. */

struct yl_apiserver;
struct yl_error;

/* Call it at start, when the keyspace is loaded, its writer runs, and the
 * authorizer exists; not on a loop's thread.  0, or the error of storage. */
int yl_bootstrap(struct yl_apiserver *, struct yl_error *err);

#endif /* apiserver/bootstrap/bootstrap.h */
