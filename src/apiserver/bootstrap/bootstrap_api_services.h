#ifndef APISERVER_BOOTSTRAP_BOOTSTRAP_API_SERVICES_H
#define APISERVER_BOOTSTRAP_BOOTSTRAP_API_SERVICES_H 1

/* One APIService for each version of a group that the server serves itself,
 * with upstream's priorities and its label; "kubectl get apiservices" lists
 * them. */

struct yl_bootstrap_batch;
struct yl_error;

/* Creates the missing ones, and restores the spec of those that still have the
 * label. */
int yl_bootstrap_api_services(struct yl_bootstrap_batch *,
                              struct yl_error *err);

#endif /* apiserver/bootstrap/bootstrap_api_services.h */
