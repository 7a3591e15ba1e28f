#ifndef APISERVER_AUTH_PKI_NAMES_H
#define APISERVER_AUTH_PKI_NAMES_H 1

/* Names and addresses of a server: those that its certificate must contain, so
 * that clients on this machine, on other machines and in Pods can verify
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

/* The first usable address of a range, "10.0.0.1" of "10.0.0.0/24"; NULL if
 * 'cidr' is not a range. */
const char *yl_pki_first_address(struct yl_arena *, const char *cidr);

#endif /* apiserver/auth/pki_names.h */
