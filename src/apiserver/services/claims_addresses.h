#ifndef APISERVER_SERVICES_CLAIMS_ADDRESSES_H
#define APISERVER_SERVICES_CLAIMS_ADDRESSES_H 1

/* IPAddresses: an object for each cluster address that a Service has.
 *
 * They are written with the Service, in one batch: a client that sees one of
 * them can see the other, and a crash leaves neither without the other. */

#include <stddef.h>

#include "builtin/network/ip.h"

struct yl_arena;
struct yl_error;
struct yl_key;
struct yl_ks_resource;
struct yl_ks_write;
struct yl_node;
struct yl_object;

/* The addresses of 'service' (none for NULL), at most 'max'.  Returns how
 * many. */
size_t yl_service_addresses(const struct yl_object *service,
                            struct yl_ip *ips, size_t max);

/* The IPAddress of a Service, without what the server sets. */
struct yl_node *yl_service_address_object(struct yl_arena *,
                                          const struct yl_ip *,
                                          const struct yl_key *service);

/* Fills in what has to be written with a Service that was 'before' (NULL: it
 * is new) and becomes 'after' (NULL: it is deleted), at most YL_KS_MAX_WITH.
 * The caller owns a reference to each of their objects, their keys live in the
 * arena.  Returns how many, or a code. */
int yl_service_address_writes(struct yl_ks_resource *addresses,
                              struct yl_arena *,
                              const struct yl_object *before,
                              const struct yl_object *after,
                              struct yl_ks_write *writes,
                              struct yl_error *err);

#endif /* apiserver/services/claims_addresses.h */
