#ifndef APISERVER_ADMISSION_ADMISSION_H
#define APISERVER_ADMISSION_ADMISSION_H 1

/* Admission: what Kubernetes' default plugins do to objects on their way in.
 *
 *     decoded, defaulted -> [mutate] -> prepare, validate -> [validate]
 *                        -> commit
 *
 * A plugin is one file with up to two functions; a constant table has them in
 * upstream's order.  Plugins read other objects from the keyspace (the
 * namespace, priority classes, storage classes), and never wait.
 *
 * Guarantees
 * ==========
 *
 *   - Mutation is a function of the object and of what is stored: preparing a
 *     write again (after a conflict) runs it again.
 *
 *   - Validation changes nothing.
 *
 * Threads
 * =======
 *
 * Any loop. */

#include <stdbool.h>

#include "apiserver/registry/registry.h"
#include "yuloh/status.h"
#include "yuloh/str.h"

struct yl_api_request;
struct yl_apiserver;
struct yl_arena;
struct yl_node;
struct yl_user;

enum yl_operation {
    YL_OPERATION_CREATE,
    YL_OPERATION_UPDATE,
    YL_OPERATION_DELETE,
    YL_OPERATION_CONNECT,
};

/* What is about to happen. */
struct yl_admission {
    struct yl_apiserver *server;
    struct yl_arena *arena;
    struct yl_api_request *request;     /* For Warnings; may be NULL. */
    const struct yl_user *user;
    const struct yl_api_resource *resource;
    enum yl_subresource subresource;
    enum yl_operation operation;
    struct yl_str namespace_;
    struct yl_str name;         /* Empty for a creation that generates it. */
    struct yl_node *object;     /* In the hub version; NULL for DELETE. */
    const struct yl_node *old;  /* NULL for CREATE. */
    bool dry_run;
};

/* 0, or a code with the Status to answer. */
int yl_admit_mutate(struct yl_admission *, struct yl_status *);
int yl_admit_validate(const struct yl_admission *, struct yl_status *);

#endif /* apiserver/admission/admission.h */
