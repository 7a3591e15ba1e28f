#ifndef APISERVER_AUTH_PKI_NAMES_H
#define APISERVER_AUTH_PKI_NAMES_H 1

/* What a server is called: the names and addresses that its certificate must
 * have, so that clients on this machine, on others and in Pods can check
 * it. */

#include <stddef.h>

struct yl_arena;

/* localhost and its addresses, the machine's name and the addresses of its
 * interfaces, the names of the kubernetes Service and its address (the first
 * of 'service_cidr', if that is one), and 'more', each once.  From 'arena'. */
const char *const *yl_pki_names(struct yl_arena *arena,
                                const char *service_cidr,
                                const char *const *more, size_t n_more,
                                size_t *ret_n);

/* The first address of a range behind its own, "10.0.0.1" of "10.0.0.0/24";
 * NULL if it is no range. */
const char *yl_pki_first_address(struct yl_arena *, const char *cidr);

#endif /* apiserver/auth/pki_names.h */
