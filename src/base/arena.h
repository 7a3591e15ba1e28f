#ifndef BASE_ARENA_H
#define BASE_ARENA_H 1

/* Arena internals, for those who embed one or allocate in a tight loop.  See
 * yuloh/arena.h for the contract. */

#include <stddef.h>
#include <stdint.h>

#include "yuloh/arena.h"

struct yl_arena_chunk;
struct yl_arena_ref;

struct yl_arena {
    char *next;                 /* First free byte of the newest chunk. */
    char *end;                  /* One past its last byte. */
    struct yl_arena_chunk *chunks;  /* Newest first. */
    struct yl_arena_ref *refs;  /* Attached references, newest first. */
    size_t footprint;           /* Bytes in 'chunks'. */
};

/* Every allocation is a multiple of this many bytes. */
#define YL_ARENA_ALIGN 16

void yl_arena_init(struct yl_arena *);
void yl_arena_release(struct yl_arena *);

/* The slow path of yl_arena_alloc_fast(): starts a new chunk. */
void *yl_arena_grow(struct yl_arena *, size_t size);

/* yl_arena_alloc(), inline. */
static inline void *
yl_arena_alloc_fast(struct yl_arena *arena, size_t size)
{
    size_t rounded = (size + YL_ARENA_ALIGN - 1)
                     & ~(size_t) (YL_ARENA_ALIGN - 1);

    /* A size of 0 and one that overflows both round to 0, and 0 less 1 is
     * more than any space: the slow path sorts them out. */
    if (YL_LIKELY(rounded - 1 < (size_t) (arena->end - arena->next))) {
        void *p = arena->next;

        arena->next += rounded;
        return p;
    }
    return yl_arena_grow(arena, size);
}

#endif /* base/arena.h */
