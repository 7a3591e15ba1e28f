#ifndef CLIENT_CONFIG_CHOOSE_H
#define CLIENT_CONFIG_CHOOSE_H 1

/* From a kubeconfig to the configuration of a client: the context that is
 * asked for, its cluster and its user, checked as client-go does. */

#include <stdbool.h>

struct yl_client_config;
struct yl_client_config_opts;
struct yl_error;
struct yl_kubeconfig_set;

/* Fills in 'config' (zeros otherwise), which borrows from the set's arena.  0,
 * or YL_ENOTFOUND for a context, cluster or user that is not there, or
 * YL_EINVALID. */
int yl_config_choose(const struct yl_kubeconfig_set *,
                     const struct yl_client_config_opts *,
                     struct yl_client_config *config, struct yl_error *err);

/* Whether the URL has no TLS: everybody on the way could read a secret. */
bool yl_config_is_clear(const char *server);

#endif /* client/config_choose.h */
