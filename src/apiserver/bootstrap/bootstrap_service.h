#ifndef APISERVER_BOOTSTRAP_BOOTSTRAP_SERVICE_H
#define APISERVER_BOOTSTRAP_BOOTSTRAP_SERVICE_H 1

/* The Service "kubernetes", by which clients inside of a cluster find the API
 * server, and its endpoints. */

struct yl_apiserver;
struct yl_bootstrap_batch;
struct yl_error;

/* Creates what is missing, and corrects address and port. */
int yl_bootstrap_service(struct yl_bootstrap_batch *, struct yl_apiserver *,
                         struct yl_error *err);

#endif /* apiserver/bootstrap/bootstrap_service.h */
