#ifndef NET_BUDGET_H
#define NET_BUDGET_H 1

/* Budget: how many bytes clients may make a server hold, and which client
 * holds them.
 *
 *     request, connection -> charge -> connection's account
 *                                   -> share of a peer or of a user
 *                                   -> pool
 *
 * There is one pool of bytes.  Whatever grows with what a client sends or does
 * not read is charged to it, and also:
 *
 *   - to the connection that carries it;
 *   - to the user, once that is known; before that, and for unauthenticated
 *     requests, to the peer: the address, or the /64 of an IPv6 address.
 *
 * A request begins without an owner, charged to its connection and the pool
 * alone, because the user is known only when its head has come.  That lasts
 * until the handler has read the head; then it gets its owner
 * (yl_charge_move()).  So unauthenticated clients, even if they hold all that
 * they can, do not keep out a user who comes from the same address.
 *
 * Guarantees
 * ==========
 *
 *   - A connection holds an eighth of the pool at most.
 *
 *   - All peers together hold a quarter of it at most.
 *
 *   - A user may hold as much as the pool has left, and a peer as much as the
 *     peers' quarter has left: a single one gets half and leaves half, two get
 *     a third each and leave a third, and so on.  There is always something
 *     left for the next one.
 *
 *   - The body of a request may take seven eighths of each of these, so that a
 *     client that sends large bodies can still send small requests.
 *
 *   - Forced charges (for the answer to a request that has taken effect
 *     already) are counted as well, even beyond a ceiling; then nothing more
 *     fits until they are dropped.
 *
 *   - A share exists while there is a reference to it: there are no more
 *     shares than connections and requests.
 *
 *   - Charging costs a few atomic additions and takes no lock.
 *
 * Ownership
 * =========
 *
 * A charge owns a reference to its share.  Shares must be released before the
 * budget is freed.
 *
 * Threads
 * =======
 *
 * A budget and its shares: any thread.  A charge and its account: one loop.
 *
 * Usage
 * =====
 *
 *     yl_charge_init(&charge, budget, &conn->account);
 *     why = yl_charge_add(&charge, 4096);
 *     ... the handler knows the user ...
 *     why = yl_charge_move(&charge, yl_budget_user(budget, name));
 *     ...
 *     yl_charge_clear(&charge); */

#include <stdbool.h>
#include <stddef.h>

#include "yuloh/str.h"

struct sockaddr;
struct yl_budget;
struct yl_share;

struct yl_budget *yl_budget_new(size_t total);
void yl_budget_free(struct yl_budget *);

/* Bytes that are charged now, in total and to peers. */
size_t yl_budget_used(const struct yl_budget *);
size_t yl_budget_strangers(const struct yl_budget *);

/* Return a reference to the share of a peer, or of a user.  A NULL 'address',
 * or one that is neither IPv4 nor IPv6, counts as 127.0.0.1.  Takes a lock. */
struct yl_share *yl_budget_peer(struct yl_budget *,
                                const struct sockaddr *address);
struct yl_share *yl_budget_user(struct yl_budget *, struct yl_str name);

struct yl_share *yl_share_ref(struct yl_share *);
struct yl_share *yl_share_unref(struct yl_share *);

/* Whether it is the share of that user. */
bool yl_share_is_of(const struct yl_share *, struct yl_str user);

/* Bytes that are charged to it. */
size_t yl_share_used(const struct yl_share *);

/* The bytes charged for one thing, a request or the buffers of a
 * connection. */
struct yl_charge {
    struct yl_budget *budget;
    size_t *account;            /* Bytes that its connection holds; NULL when
                                 * that has closed. */
    struct yl_share *owner;     /* NULL: none yet. */
    size_t size;
};

/* An empty charge; 'account' is borrowed until yl_charge_leave() or
 * yl_charge_clear(). */
void yl_charge_init(struct yl_charge *, struct yl_budget *, size_t *account);

/* Charges 'n' bytes more: returns NULL, or the reason why they are too many (a
 * constant string) and charges nothing.  The second function is for bodies. */
const char *yl_charge_add(struct yl_charge *, size_t n);
const char *yl_charge_add_body(struct yl_charge *, size_t n);

/* Charges 'n' bytes more, beyond the ceilings if need be. */
void yl_charge_force(struct yl_charge *, size_t n);

/* Charges 'n' bytes less. */
void yl_charge_drop(struct yl_charge *, size_t n);

/* Moves the charge to another owner, whose reference it takes: returns NULL,
 * or why it is too much for that owner.  It is moved even then. */
const char *yl_charge_move(struct yl_charge *, struct yl_share *owner);

/* Why nothing more fits, or NULL if something does. */
const char *yl_charge_excess(const struct yl_charge *);

/* The connection closes; the charge to the owner and the pool stays. */
void yl_charge_leave(struct yl_charge *);

/* Drops the whole charge. */
void yl_charge_clear(struct yl_charge *);

#endif /* net/budget.h */
