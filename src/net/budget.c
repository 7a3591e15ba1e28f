/* Budget.  See net/budget.h for the contract.
 *
 * Each counter is raised before its ceiling is checked, and lowered again if
 * the ceiling was exceeded: two threads that meet at a ceiling may both be
 * refused, but never both get what only one could have. */

#include "net/budget.h"

#include <netinet/in.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/thread.h"
#include "yuloh/compiler.h"

/* Parts of the pool. */
#define CONNECTION 8
#define STRANGERS 4

/* A body must leave one part in so many free. */
#define BODY 8

struct yl_share {
    struct yl_map_node node;    /* In the budget's 'shares'. */
    struct yl_budget *budget;
    _Atomic size_t used;
    _Atomic unsigned n_refs;    /* Falls from 1 to 0 only under the lock. */
    bool is_user;
    size_t size;                /* Of 'key'. */
    char key[];                 /* The user's name, or the address. */
};

struct yl_budget {
    size_t total;
    _Atomic size_t used;
    _Atomic size_t strangers;   /* The part of 'used' that is charged to
                                 * peers. */
    struct yl_mutex lock;       /* Innermost. */
    struct yl_map shares YL_GUARDED;
};

static struct yl_share *find_share(struct yl_budget *, bool is_user,
                                   const void *key, size_t size);
static const char *add(struct yl_charge *, size_t n, bool is_body);
static const char *excess(const struct yl_charge *, bool is_body);
static bool is_above(size_t used, size_t ceiling, bool is_body);
static void add_to_owner(struct yl_share *, size_t n);
static void take_from_owner(struct yl_share *, size_t n);

struct yl_budget *
yl_budget_new(size_t total)
{
    struct yl_budget *budget = yl_zalloc(sizeof *budget);

    budget->total = total;
    yl_mutex_init(&budget->lock);
    return budget;
}

void
yl_budget_free(struct yl_budget *budget)
{
    if (budget) {
        yl_map_release(&budget->shares);
        yl_mutex_destroy(&budget->lock);
        free(budget);
    }
}

size_t
yl_budget_used(const struct yl_budget *budget)
{
    return atomic_load_explicit(&budget->used, memory_order_relaxed);
}

size_t
yl_budget_strangers(const struct yl_budget *budget)
{
    return atomic_load_explicit(&budget->strangers, memory_order_relaxed);
}

struct yl_share *
yl_budget_peer(struct yl_budget *budget, const struct sockaddr *address)
{
    static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
    uint8_t key[8] = { 127, 0, 0, 1 };
    size_t size = 4;

    if (address && address->sa_family == AF_INET) {
        memcpy(key, &((const struct sockaddr_in *) (const void *) address)
               ->sin_addr, 4);
    } else if (address && address->sa_family == AF_INET6) {
        const uint8_t *in6 = ((const struct sockaddr_in6 *) (const void *)
                              address)->sin6_addr.s6_addr;
        bool is_mapped = memcmp(in6, mapped, sizeof mapped) == 0;

        size = is_mapped ? 4 : 8;
        memcpy(key, is_mapped ? in6 + sizeof mapped : in6, size);
    }
    return find_share(budget, false, key, size);
}

struct yl_share *
yl_budget_user(struct yl_budget *budget, struct yl_str name)
{
    return find_share(budget, true, name.data, name.size);
}

struct yl_share *
yl_share_ref(struct yl_share *share)
{
    atomic_fetch_add_explicit(&share->n_refs, 1, memory_order_relaxed);
    return share;
}

struct yl_share *
yl_share_unref(struct yl_share *share)
{
    struct yl_budget *budget;
    unsigned n;

    if (!share) {
        return NULL;
    }
    n = atomic_load_explicit(&share->n_refs, memory_order_relaxed);
    while (n > 1) {
        if (atomic_compare_exchange_weak_explicit(&share->n_refs, &n, n - 1,
                                                  memory_order_release,
                                                  memory_order_relaxed)) {
            return NULL;
        }
    }

    /* The last reference, unless find_share() takes one first. */
    budget = share->budget;
    yl_mutex_lock(&budget->lock);
    if (atomic_fetch_sub(&share->n_refs, 1) == 1) {
        yl_map_remove(&budget->shares, &share->node);
        yl_map_shrink(&budget->shares);
        free(share);
    }
    yl_mutex_unlock(&budget->lock);
    return NULL;
}

bool
yl_share_is_of(const struct yl_share *share, struct yl_str user)
{
    return share->is_user
           && yl_str_equal(yl_str_n(share->key, share->size), user);
}

size_t
yl_share_used(const struct yl_share *share)
{
    return atomic_load_explicit(&share->used, memory_order_relaxed);
}

void
yl_charge_init(struct yl_charge *charge, struct yl_budget *budget,
               size_t *account)
{
    *charge = (struct yl_charge) { .budget = budget, .account = account };
}

const char *
yl_charge_add(struct yl_charge *charge, size_t n)
{
    return add(charge, n, false);
}

const char *
yl_charge_add_body(struct yl_charge *charge, size_t n)
{
    return add(charge, n, true);
}

void
yl_charge_force(struct yl_charge *charge, size_t n)
{
    if (!n) {
        return;
    }
    charge->size += n;
    atomic_fetch_add_explicit(&charge->budget->used, n, memory_order_relaxed);
    if (charge->account) {
        *charge->account += n;
    }
    if (charge->owner) {
        add_to_owner(charge->owner, n);
    }
}

void
yl_charge_drop(struct yl_charge *charge, size_t n)
{
    if (!n) {
        return;
    }
    charge->size -= n;
    atomic_fetch_sub_explicit(&charge->budget->used, n, memory_order_relaxed);
    if (charge->account) {
        *charge->account -= n;
    }
    if (charge->owner) {
        take_from_owner(charge->owner, n);
    }
}

const char *
yl_charge_move(struct yl_charge *charge, struct yl_share *owner)
{
    struct yl_share *old = charge->owner;

    add_to_owner(owner, charge->size);
    charge->owner = owner;
    if (old) {
        take_from_owner(old, charge->size);
        yl_share_unref(old);
    }
    return excess(charge, false);
}

const char *
yl_charge_excess(const struct yl_charge *charge)
{
    return excess(charge, false);
}

void
yl_charge_leave(struct yl_charge *charge)
{
    if (charge->account) {
        *charge->account -= charge->size;
        charge->account = NULL;
    }
}

void
yl_charge_clear(struct yl_charge *charge)
{
    yl_charge_drop(charge, charge->size);
    charge->account = NULL;
    charge->owner = yl_share_unref(charge->owner);
}

/* The share with that key, or a new one. */
static struct yl_share *
find_share(struct yl_budget *budget, bool is_user, const void *key,
           size_t size)
{
    size_t hash = yl_hash_bytes(key, size) + is_user;
    struct yl_share *share;

    yl_mutex_lock(&budget->lock);
    YL_MAP_FOR_EACH_WITH_HASH (share, node, hash, &budget->shares) {
        if (share->is_user == is_user && share->size == size
            && memcmp(share->key, key, size) == 0) {
            break;
        }
    }
    if (share) {
        yl_share_ref(share);
    } else {
        share = yl_zalloc(sizeof *share + size);
        share->budget = budget;
        share->is_user = is_user;
        share->size = size;
        memcpy(share->key, key, size);
        atomic_init(&share->n_refs, 1);
        yl_map_insert(&budget->shares, &share->node, hash);
    }
    yl_mutex_unlock(&budget->lock);
    return share;
}

static const char *
add(struct yl_charge *charge, size_t n, bool is_body)
{
    const char *why;

    if (n > charge->budget->total) {
        return "this is more than the server may hold";
    }
    yl_charge_force(charge, n);
    why = excess(charge, is_body);
    if (why) {
        yl_charge_drop(charge, n);
    }
    return why;
}

/* Which ceiling the counters exceed now, as a message; or NULL. */
static const char *
excess(const struct yl_charge *charge, bool is_body)
{
    const struct yl_budget *budget = charge->budget;
    size_t used = yl_budget_used(budget);
    size_t ceiling = budget->total;

    if (is_above(used, ceiling, is_body)) {
        return "the server holds too many bytes of other requests";
    }
    if (charge->account
        && is_above(*charge->account, ceiling / CONNECTION, is_body)) {
        return "the requests of this connection, and answers that it has not "
               "read, take too many bytes";
    }
    if (!charge->owner) {
        return NULL;
    }
    if (!charge->owner->is_user) {
        used = yl_budget_strangers(budget);
        ceiling /= STRANGERS;
    }
    if (is_above(yl_share_used(charge->owner),
                 used < ceiling ? ceiling - used : 0, is_body)) {
        return charge->owner->is_user
               ? "the requests of this user take too many bytes"
               : "requests of unknown users take too many bytes";
    }
    return NULL;
}

static bool
is_above(size_t used, size_t ceiling, bool is_body)
{
    return used > (is_body ? ceiling - ceiling / BODY : ceiling);
}

static void
add_to_owner(struct yl_share *share, size_t n)
{
    atomic_fetch_add_explicit(&share->used, n, memory_order_relaxed);
    if (!share->is_user) {
        atomic_fetch_add_explicit(&share->budget->strangers, n,
                                  memory_order_relaxed);
    }
}

static void
take_from_owner(struct yl_share *share, size_t n)
{
    atomic_fetch_sub_explicit(&share->used, n, memory_order_relaxed);
    if (!share->is_user) {
        atomic_fetch_sub_explicit(&share->budget->strangers, n,
                                  memory_order_relaxed);
    }
}
