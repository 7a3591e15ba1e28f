#ifndef CONTROLLERS_CONTROLLERS_H
#define CONTROLLERS_CONTROLLERS_H 1

/* The built-in controllers: what kube-controller-manager has.
 *
 * Each is a table (yuloh/controller.h) for a manager.  Some need to know
 * something; copy the table then and set 'aux':
 *
 *     struct yl_controller publisher = yl_root_ca_controller;
 *
 *     publisher.aux = &(struct yl_root_ca) { .pem = pem };
 *     yl_manager_add(manager, &publisher, err); */

#include "base/buf.h"
#include "yuloh/controller.h"
#include "yuloh/str.h"

struct yl_error;
struct yl_store;

/* Makes the ServiceAccount "default" in every namespace. */
extern const struct yl_controller yl_service_account_controller;

/* Keeps the ConfigMap "kube-root-ca.crt" in every namespace, with the
 * authority that clients of the API server trust. */
struct yl_root_ca {
    struct yl_str pem;
};
extern const struct yl_controller yl_root_ca_controller;

/* Puts a token into each Secret of type kubernetes.io/service-account-token,
 * and deletes those whose account is gone. */
struct yl_secret_token {
    struct yl_str namespace_, account, account_uid, secret;
};

struct yl_secret_tokens {
    struct yl_str root_ca;      /* PEM; empty: none. */
    struct yl_store *secrets;   /* The store of the Secrets that are watched:
                                 * see yl_secret_tokens_selector. */

    /* Appends a token. */
    int (*sign)(void *aux, const struct yl_secret_token *,
                struct yl_buf *token, struct yl_error *err);
    void *sign_aux;
};
extern const struct yl_controller yl_secret_token_controller;
extern const char yl_secret_tokens_selector[];

#endif /* controllers/controllers.h */
