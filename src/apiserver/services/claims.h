#ifndef APISERVER_SERVICES_CLAIMS_H
#define APISERVER_SERVICES_CLAIMS_H 1

/* Claims: which Service has which cluster address and node port.
 *
 * Guarantees
 * ==========
 *
 *   - A value is claimed by at most one Service.  Claiming a value again for
 *     its own Service is fine, except for an address that has an IPAddress by
 *     then: it counts as taken, whether the server or a client made that
 *     object.
 *
 *   - The values of a published Service are claimed; those of a Service that
 *     was deleted or changed are free as soon as that is published.
 *
 *   - The values that a write has claimed are held for it until
 *     yl_claims_settle(), whatever other writes of the same Service do.
 *
 * Threads
 * =======
 *
 * Any thread; there is one lock, taken before the resources' locks. */

#include <stdbool.h>
#include <stdint.h>

#include "builtin/network/ip.h"
#include "yuloh/key.h"

struct yl_allocators;
struct yl_error;
struct yl_ks_resource;

/* A claimant: a Service, for a write that is not published yet. */
struct yl_claimant {
    struct yl_key key;
    const void *write;          /* Tells this write from others; not NULL. */
};

struct yl_claims_opts {
    struct yl_ks_resource *services;    /* Both are loaded. */
    struct yl_ks_resource *addresses;   /* IPAddresses. */
    const char *cidr;                   /* "10.0.0.0/24" */
    uint16_t first_port, last_port;
};

/* 0, or YL_EINVALID if 'cidr' is no range. */
int yl_allocators_new(const struct yl_claims_opts *,
                      struct yl_allocators **ret_allocators,
                      struct yl_error *err);
void yl_allocators_free(struct yl_allocators *);

/* The family of the range (4 or 6), its text, and its first address, which the
 * kubernetes Service has. */
int yl_claims_family(const struct yl_allocators *);
const char *yl_claims_range(const struct yl_allocators *);
void yl_claims_first(const struct yl_allocators *, char room[YL_IP_TEXT_SIZE]);

/* The range of ports. */
void yl_claims_ports(const struct yl_allocators *, uint16_t *ret_first,
                     uint16_t *ret_last);

/* The resource of IPAddresses. */
struct yl_ks_resource *yl_claims_objects(const struct yl_allocators *);

/* Claims an address, or a port, for a Service: 0, YL_EEXISTS if another one
 * has it, YL_ERANGE if it is not in the range.  A dry run checks and claims
 * nothing. */
int yl_claims_address(struct yl_allocators *, const struct yl_claimant *,
                      const struct yl_ip *, bool dry_run);
int yl_claims_port(struct yl_allocators *, const struct yl_claimant *,
                   uint16_t port, bool dry_run);

/* Finds one that is free: 0, or YL_EUNAVAILABLE if there is none. */
int yl_claims_any_address(struct yl_allocators *, const struct yl_claimant *,
                          bool dry_run, char room[YL_IP_TEXT_SIZE]);
int yl_claims_any_port(struct yl_allocators *, const struct yl_claimant *,
                       bool dry_run, uint16_t *ret_port);

/* Ends a write's claims: releases the values that were not published. */
void yl_claims_settle(struct yl_allocators *, const void *write);

#endif /* apiserver/services/claims.h */
