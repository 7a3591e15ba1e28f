#ifndef APISERVER_AUTH_TOKEN_ALIVE_H
#define APISERVER_AUTH_TOKEN_ALIVE_H 1

/* Whether the objects that a token names are still there.
 *
 * They are looked up in the keyspace at each use, which costs less than a
 * microsecond: there is no time in which a token outlives its object.
 *
 * Threads
 * =======
 *
 * Any thread. */

#include <stdbool.h>
#include <stdint.h>

#include "yuloh/str.h"

struct yl_arena;
struct yl_error;
struct yl_ks_resource;
struct yl_registry;
struct yl_token_claims;

struct yl_token_objects {
    struct yl_ks_resource *accounts, *pods, *secrets, *nodes;
    bool skip_secrets;          /* Believe tokens of Secrets as they are. */
};

void yl_token_objects_init(struct yl_token_objects *, struct yl_registry *,
                           bool skip_secrets);

/* A bound token: its ServiceAccount and what it is bound to.  0, or
 * YL_EUNAUTHORIZED with the reason in kube-apiserver's words. */
int yl_token_check_bound(const struct yl_token_objects *, struct yl_arena *,
                         const struct yl_token_claims *, int64_t now,
                         struct yl_error *err);

/* A token of a Secret, which must still contain it. */
int yl_token_check_secret(const struct yl_token_objects *, struct yl_arena *,
                          const struct yl_token_claims *, struct yl_str token,
                          struct yl_error *err);

#endif /* apiserver/auth/token_alive.h */
