#ifndef BASE_ARENA_H
#define BASE_ARENA_H 1

/* Arena internals, for code that embeds an arena or allocates in a tight loop.
 * See yuloh/arena.h for the contract. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/account.h"
#include "yuloh/arena.h"

struct yl_arena_chunk;
struct yl_arena_ref;

struct yl_arena {
    char *next;                 /* First free byte of the newest chunk. */
    char *end;                  /* One past its last byte. */
    struct yl_arena_chunk *chunks;  /* Newest first. */
    struct yl_arena_ref *refs;  /* Attached references, newest first. */
    size_t footprint;           /* Bytes in 'chunks'. */
    struct yl_account *account; /* To which they are charged, or NULL. */
};

/* Every allocation is a multiple of this many bytes. */
#define YL_ARENA_ALIGN 16

void yl_arena_init(struct yl_arena *);
void yl_arena_release(struct yl_arena *);

/* Charges all memory of the arena, now and in the future, to 'account', which
 * is lent until the arena is freed or released or gets another account.  NULL
 * charges it to no account. */
void yl_arena_set_account(struct yl_arena *, struct yl_account *account);

/* Whether the account has refused something.  A loop over data from outside
 * checks it: it stops then and leaves its result incomplete. */
static inline bool
yl_arena_is_over(const struct yl_arena *arena)
{
    return YL_UNLIKELY(arena->account && arena->account->refused);
}

/* The same for the caller of such a loop: 0, or yl_account_check()'s error. */
int yl_arena_check(const struct yl_arena *, struct yl_error *err);

/* Of the last YL_ARENA_RECENT things that were attached, the newest with this
 * 'release' for which 'match' is true; NULL if there is none. */
#define YL_ARENA_RECENT 16
void *yl_arena_find_attached(const struct yl_arena *, yl_release_fn *release,
                             bool (*match)(const void *thing, const void *aux),
                             const void *aux);

/* The slow path of yl_arena_alloc_fast(): starts a new chunk. */
void *yl_arena_grow(struct yl_arena *, size_t size);

/* yl_arena_alloc(), inline. */
static inline void *
yl_arena_alloc_fast(struct yl_arena *arena, size_t size)
{
    size_t rounded = (size + YL_ARENA_ALIGN - 1)
                     & ~(size_t) (YL_ARENA_ALIGN - 1);

    /* A size of 0 and one that overflows both round to 0, and 0 - 1 wraps to
     * more than any free space: the slow path handles both. */
    if (YL_LIKELY(rounded - 1 < (size_t) (arena->end - arena->next))) {
        void *p = arena->next;

        arena->next += rounded;
        return p;
    }
    return yl_arena_grow(arena, size);
}

#endif /* base/arena.h */
