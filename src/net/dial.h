#ifndef NET_DIAL_H
#define NET_DIAL_H 1

/* Dial: a TCP connection to a name or an address, by a thread that may block.
 *
 * All addresses of a name are tried, the families by turns ("happy eyeballs",
 * RFC 8305): the next attempt begins when the one before has failed, or has
 * not succeeded in 250 ms; the first that succeeds wins, and the others are
 * dropped.
 *
 * A socket notices in 90 s that its server is gone, whether it waits for
 * something or has sent something. */

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "yuloh/clock.h"

struct yl_cancel;
struct yl_error;

/* Addresses that are tried at most; a name may have more. */
#define YL_DIAL_MAX 16

/* An address of either family. */
struct yl_address {
    struct sockaddr_storage storage;
    socklen_t size;
};

/* 0 and a connected, non-blocking socket, or YL_EUNAVAILABLE, YL_ETIMEOUT (at
 * 'deadline' of the monotonic clock) or YL_ECANCELED.  'host' is a name, or an
 * address without brackets; the resolver of the system is asked only for
 * names. */
int yl_dial(const char *host, uint16_t port, yl_msec deadline,
            struct yl_cancel *cancel, int *ret_fd, struct yl_error *err);

/* The two halves of it: addresses in the order in which they are tried, at
 * most YL_DIAL_MAX, and the attempts.  The first one has neither a deadline
 * nor a cancel; see net/resolve.h for that. */
int yl_dial_resolve(const char *host, uint16_t port,
                    struct yl_address addresses[YL_DIAL_MAX],
                    size_t *ret_n, struct yl_error *err);
int yl_dial_addresses(const struct yl_address *addresses, size_t n,
                      yl_msec deadline, struct yl_cancel *cancel, int *ret_fd,
                      struct yl_error *err);

#endif /* net/dial.h */
