/* Arena.  See yuloh/arena.h for the contract.
 *
 * A list of chunks, each twice as large as the one before (4 KB to 256 KB).
 * An allocation larger than a quarter of the next chunk gets a chunk of its
 * own, which goes behind the newest chunk in the list, so that the rest of the
 * newest chunk is not wasted.
 *
 * Clearing replaces several chunks by one that is as large as all of them.
 * Keeping only the largest chunk was tried: a loop that needs one big
 * allocation and some small ones then calls malloc in every round. */

#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"

#define MIN_CHUNK 4096
#define MAX_CHUNK (256 * 1024)

struct yl_arena_chunk {
    struct yl_arena_chunk *older;
    size_t size;                /* Bytes from malloc, this header included. */
};

/* Where a chunk's memory starts: its header, rounded up. */
#define HEADER                                                                \
    ((sizeof(struct yl_arena_chunk) + YL_ARENA_ALIGN - 1)                     \
     & ~(size_t) (YL_ARENA_ALIGN - 1))

struct yl_arena_ref {
    struct yl_arena_ref *older;
    yl_release_fn *release;
    void *thing;
};

static void add_chunk(struct yl_arena *, size_t size);
static void count_chunk(struct yl_arena *, const struct yl_arena_chunk *);
static void release_refs(struct yl_arena *);

struct yl_arena *
yl_arena_new(void)
{
    struct yl_arena *arena = yl_malloc(sizeof *arena);

    yl_arena_init(arena);
    return arena;
}

void
yl_arena_free(struct yl_arena *arena)
{
    if (arena) {
        yl_arena_release(arena);
        free(arena);
    }
}

void
yl_arena_init(struct yl_arena *arena)
{
    memset(arena, 0, sizeof *arena);
}

void
yl_arena_release(struct yl_arena *arena)
{
    struct yl_arena_chunk *chunk, *older;

    release_refs(arena);

    /* The account may be in one of the chunks. */
    yl_arena_set_account(arena, NULL);
    for (chunk = arena->chunks; chunk; chunk = older) {
        older = chunk->older;
        free(chunk);
    }
    yl_arena_init(arena);
}

void
yl_arena_clear(struct yl_arena *arena)
{
    struct yl_arena_chunk *newest;
    size_t footprint;

    release_refs(arena);
    newest = arena->chunks;
    footprint = arena->footprint;
    if (newest && !newest->older && newest->size <= MAX_CHUNK) {
        arena->next = (char *) newest + HEADER;
    } else if (newest) {
        struct yl_account *account = arena->account;

        yl_arena_release(arena);
        arena->account = account;
        add_chunk(arena, footprint < MAX_CHUNK ? footprint : MAX_CHUNK);
    }
}

void
yl_arena_set_account(struct yl_arena *arena, struct yl_account *account)
{
    if (arena->account && arena->footprint) {
        yl_account_remove(arena->account, arena->footprint);
    }
    arena->account = account;
    if (account && arena->footprint) {
        yl_account_add(account, arena->footprint);
    }
}

int
yl_arena_check(const struct yl_arena *arena, struct yl_error *err)
{
    return arena->account ? yl_account_check(arena->account, err) : 0;
}

void *
yl_arena_alloc(struct yl_arena *arena, size_t size)
{
    return yl_arena_alloc_fast(arena, size);
}

void *
yl_arena_zalloc(struct yl_arena *arena, size_t size)
{
    return memset(yl_arena_alloc_fast(arena, size), 0, size);
}

void *
yl_arena_array(struct yl_arena *arena, size_t n, size_t size)
{
    if (size && n > SIZE_MAX / size) {
        yl_out_of_memory(SIZE_MAX);
    }
    return yl_arena_zalloc(arena, n * size);
}

void *
yl_arena_grow(struct yl_arena *arena, size_t size)
{
    size_t next = arena->chunks ? arena->chunks->size * 2 : MIN_CHUNK;
    size_t rounded;
    struct yl_arena_chunk *chunk;

    if (size == 0) {
        return yl_arena_alloc_fast(arena, 1);
    }
    if (size > SIZE_MAX / 4) {
        yl_out_of_memory(size);
    }
    rounded = (size + YL_ARENA_ALIGN - 1) & ~(size_t) (YL_ARENA_ALIGN - 1);
    next = next > MAX_CHUNK ? MAX_CHUNK : next;

    if (rounded > next / 4 && arena->chunks) {
        chunk = yl_malloc(HEADER + rounded);
        chunk->size = HEADER + rounded;
        chunk->older = arena->chunks->older;
        arena->chunks->older = chunk;
        count_chunk(arena, chunk);
        return (char *) chunk + HEADER;
    }
    add_chunk(arena, next < HEADER + rounded ? HEADER + rounded : next);
    arena->next += rounded;
    return arena->next - rounded;
}

struct yl_str
yl_arena_copy(struct yl_arena *arena, struct yl_str s)
{
    return yl_str_n(yl_arena_strdup(arena, s), s.size);
}

char *
yl_arena_strdup(struct yl_arena *arena, struct yl_str s)
{
    char *copy = yl_arena_alloc_fast(arena, s.size + 1);

    if (s.size) {
        memcpy(copy, s.data, s.size);
    }
    copy[s.size] = '\0';
    return copy;
}

char *
yl_arena_printf(struct yl_arena *arena, const char *format, ...)
{
    va_list args;
    char *s;

    va_start(args, format);
    s = yl_arena_vprintf(arena, format, args);
    va_end(args);
    return s;
}

char *
yl_arena_vprintf(struct yl_arena *arena, const char *format, va_list args)
{
    va_list again;
    char *s;
    int n;

    va_copy(again, args);
    n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (n < 0) {
        n = 0;
    }
    s = yl_arena_alloc_fast(arena, (size_t) n + 1);
    s[0] = '\0';
    vsnprintf(s, (size_t) n + 1, format, args);
    return s;
}

void
yl_arena_attach(struct yl_arena *arena, yl_release_fn *release, void *thing)
{
    struct yl_arena_ref *ref = yl_arena_alloc_fast(arena, sizeof *ref);

    ref->release = release;
    ref->thing = thing;
    ref->older = arena->refs;
    arena->refs = ref;
}

void *
yl_arena_find_attached(const struct yl_arena *arena, yl_release_fn *release,
                       bool (*match)(const void *thing, const void *aux),
                       const void *aux)
{
    const struct yl_arena_ref *ref = arena->refs;
    int i;

    for (i = 0; ref && i < YL_ARENA_RECENT; i++, ref = ref->older) {
        if (ref->release == release && match(ref->thing, aux)) {
            return ref->thing;
        }
    }
    return NULL;
}

size_t
yl_arena_footprint(const struct yl_arena *arena)
{
    return arena->footprint;
}

/* Makes a chunk of 'size' bytes the newest one. */
static void
add_chunk(struct yl_arena *arena, size_t size)
{
    struct yl_arena_chunk *chunk = yl_malloc(size);

    chunk->size = size;
    chunk->older = arena->chunks;
    arena->chunks = chunk;
    arena->next = (char *) chunk + HEADER;
    arena->end = (char *) chunk + size;
    count_chunk(arena, chunk);
}

static void
count_chunk(struct yl_arena *arena, const struct yl_arena_chunk *chunk)
{
    arena->footprint += chunk->size;
    if (arena->account) {
        yl_account_add(arena->account, chunk->size);
    }
}

static void
release_refs(struct yl_arena *arena)
{
    struct yl_arena_ref *ref;

    while ((ref = arena->refs) != NULL) {
        arena->refs = ref->older;
        ref->release(ref->thing);
    }
}
