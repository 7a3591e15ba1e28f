#ifndef BASE_ACCOUNT_H
#define BASE_ACCOUNT_H 1

/* Account: counts the memory of one unit of work, and limits it.
 *
 *     arena grows -> account -> [a pool that many share]
 *
 * A unit of work that reads data from outside (a request) has an account.
 * Arenas with that account (base/arena.h) add each chunk to it when they take
 * it from malloc, and subtract it when they free it.
 *
 * Guarantees
 * ==========
 *
 *   - Allocations do not fail.  One that exceeds the account is served all the
 *     same, and the account remembers that it was refused.  A loop over data
 *     from outside checks that now and then with yl_arena_is_over() and stops,
 *     and its caller ends the work with the error of yl_account_check().
 *
 *   - The first refusal stays, even if memory is given back, because what was
 *     made after it is not complete.
 *
 *   - Everything that the pool has granted is given back to it, once.
 *
 * Ownership
 * =========
 *
 * The struct is the owner's and must outlive all arenas that have it; it may
 * be in one of them.
 *
 * Threads
 * =======
 *
 * An account belongs to one thread at a time; 'take' and 'give' are called on
 * that thread. */

#include <stdbool.h>
#include <stddef.h>

struct yl_error;

struct yl_account {
    /* Set before it is used. */
    size_t ceiling;             /* Bytes at once; 0: no ceiling. */
    bool (*take)(void *aux, size_t n);  /* Asks the pool; false if it has no
                                         * room.  NULL: there is no pool. */
    void (*give)(void *aux, size_t n);
    void *aux;

    size_t used;                /* Bytes at this moment, */
    size_t taken;               /* and how many of them are taken from the
                                 * pool. */
    size_t peak;                /* The highest value of 'used' so far. */
    int refused;                /* 0, YL_ETOOBIG or YL_ETHROTTLED. */
};

/* Adds or subtracts 'n' bytes. */
void yl_account_add(struct yl_account *, size_t n);
void yl_account_remove(struct yl_account *, size_t n);

/* 0; YL_ETOOBIG if the work took more than its ceiling allows; YL_ETHROTTLED
 * if the pool had no room for it. */
int yl_account_check(const struct yl_account *, struct yl_error *err);

#endif /* base/account.h */
