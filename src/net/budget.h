#ifndef NET_BUDGET_H
#define NET_BUDGET_H 1

/* Budget: how many bytes clients may make a server hold, and who holds them.
 *
 *     request, connection -> charge -> connection's account
 *                                   -> share of a peer or of a user
 *                                   -> pool
 *
 * There is one pool of bytes.  Whatever grows with what a client sends or does
 * not read is charged to it, and to somebody:
 *
 *   - to the connection that carries it;
 *   - to the user who asked, when that is known; before, and if it never
 *     is, to the peer: the address, of IPv6 the /64 that it is in.
 *
 * A request begins without an owner, charged to its connection and the pool
 * alone, because one can only know who sends it when its head is there.  That
 * lasts for the moment in which a handler looks at the head; then it gets its
 * owner (yl_charge_move()).  So a stranger who holds all that strangers can
 * does not keep a user out who comes from the same address.
 *
 * Guarantees
 * ==========
 *
 *   - A connection holds an eighth of the pool at most.
 *
 *   - All peers together hold a quarter of it at most.
 *
 *   - A user may hold as much as the pool has left, and a peer as much as the
 *     peers' quarter has left: one alone gets half and leaves half, two get a
 *     third each and leave a third, and so on.  There is always something
 *     left for one who comes later.
 *
 *   - The body of a request may take seven eighths of each of these, so that
 *     who sends much can still ask for little.
 *
 *   - What is forced (the answer to what has happened already) is counted as
 *     well, even beyond a ceiling; then nothing more fits until it has gone.
 *
 *   - A share exists while somebody has a reference: there are not more than
 *     there are connections and requests.
 *
 *   - Charging costs a few atomic additions and takes no lock.
 *
 * Ownership
 * =========
 *
 * A charge owns a reference to its share.  Shares must go before the budget.
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

/* Bytes that are charged now; of these, to peers. */
size_t yl_budget_used(const struct yl_budget *);
size_t yl_budget_strangers(const struct yl_budget *);

/* The share of a peer, of a user: a reference.  A NULL 'address', or one of
 * another family than IPv4 and IPv6, is that of 127.0.0.1.  Takes a lock. */
struct yl_share *yl_budget_peer(struct yl_budget *,
                                const struct sockaddr *address);
struct yl_share *yl_budget_user(struct yl_budget *, struct yl_str name);

struct yl_share *yl_share_ref(struct yl_share *);
struct yl_share *yl_share_unref(struct yl_share *);

/* Whether it is the share of that user. */
bool yl_share_is_of(const struct yl_share *, struct yl_str user);

/* Bytes that are charged to it. */
size_t yl_share_used(const struct yl_share *);

/* What one thing costs, a request or the buffers of a connection. */
struct yl_charge {
    struct yl_budget *budget;
    size_t *account;            /* Bytes that its connection holds; NULL when
                                 * it has gone. */
    struct yl_share *owner;     /* NULL: nobody yet. */
    size_t size;
};

/* An empty one; 'account' is lent until yl_charge_leave() or
 * yl_charge_clear(). */
void yl_charge_init(struct yl_charge *, struct yl_budget *, size_t *account);

/* Charges 'n' bytes more: NULL, or why they are too many (a constant sentence)
 * and nothing charged.  The second is for bodies. */
const char *yl_charge_add(struct yl_charge *, size_t n);
const char *yl_charge_add_body(struct yl_charge *, size_t n);

/* Charges 'n' bytes more whatever there is left. */
void yl_charge_force(struct yl_charge *, size_t n);

/* Charges 'n' bytes less. */
void yl_charge_drop(struct yl_charge *, size_t n);

/* Charges the same to another owner, whose reference it takes: NULL, or why
 * it is too much for that one.  It is charged even then. */
const char *yl_charge_move(struct yl_charge *, struct yl_share *owner);

/* Why nothing more fits, or NULL if something does. */
const char *yl_charge_excess(const struct yl_charge *);

/* The connection goes, and the rest stays. */
void yl_charge_leave(struct yl_charge *);

/* Charges nothing more, to nobody. */
void yl_charge_clear(struct yl_charge *);

#endif /* net/budget.h */
