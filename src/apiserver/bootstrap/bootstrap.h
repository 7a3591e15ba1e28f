#ifndef APISERVER_BOOTSTRAP_BOOTSTRAP_H
#define APISERVER_BOOTSTRAP_BOOTSTRAP_H 1

/* Bootstrap: what a server has before anybody has written anything.
 *
 *     tables -> what is missing? -> one batch of writes
 *
 * Namespaces, priority classes, flow control, APIServices, and RBAC's roles
 * and bindings.
 * The kubernetes Service needs an address and comes from the allocators.
 *
 * Guarantees
 * ==========
 *
 *   - What is missing is made.  A role or binding that is there gets back
 *     what it lacks and keeps what people have added, unless its annotation
 *     rbac.authorization.kubernetes.io/autoupdate is "false": then it is left
 *     alone.  A binding to another role is made anew.
 *
 *   - A second start writes nothing.
 *
 *   - When it returns, aggregated ClusterRoles have their rules. */

struct yl_apiserver;
struct yl_error;

/* At start, when the keyspace is loaded and its writer runs, and the
 * authorizer is there.  Not on a loop's thread.  0, or what storage says. */
int yl_bootstrap(struct yl_apiserver *, struct yl_error *err);

#endif /* apiserver/bootstrap/bootstrap.h */
