#ifndef YL_ARENA_H
#define YL_ARENA_H 1

/* Arena: memory for one unit of work, given back all at once.
 *
 * An arena serves one request, one reconcile, one document.  What is allocated
 * from it is never freed alone; it dies when the arena is cleared or freed.
 * An arena can also hold references to counted things (objects from a cache,
 * say), which it lets go at the same moment, so user code frees nothing.
 *
 * Guarantees
 * ==========
 *
 *   - Allocations are aligned for any type and never fail: out of memory ends
 *     the process through one hook (see yl_set_oom_hook()).
 *
 *   - Attached references are released in the reverse order of attachment,
 *     before any memory goes.
 *
 *   - A cleared arena keeps one chunk, as large as all that it held (up to
 *     256 KB), so that work in a loop settles at no malloc at all.
 *
 * Ownership
 * =========
 *
 * Whatever a function returns "from the arena" or "in 'arena'" is lent until
 * the arena is cleared or freed.
 *
 * Threads
 * =======
 *
 * An arena belongs to one thread at a time.
 *
 * Usage
 * =====
 *
 *     struct yl_arena *arena = yl_arena_new();
 *     for (...) {
 *         char *s = yl_arena_printf(arena, "%d", i);
 *         ...
 *         yl_arena_clear(arena);
 *     }
 *     yl_arena_free(arena); */

#include <stdarg.h>
#include <stddef.h>

#include "yuloh/compiler.h"
#include "yuloh/str.h"

YL_C_BEGIN

struct yl_arena;

struct yl_arena *yl_arena_new(void);
void yl_arena_free(struct yl_arena *);
void yl_arena_clear(struct yl_arena *);

/* Memory of 'size' bytes, uninitialised or zeroed.  A size of 0 gives a
 * pointer that is not NULL and must not be read. */
void *yl_arena_alloc(struct yl_arena *, size_t size) YL_MALLOC;
void *yl_arena_zalloc(struct yl_arena *, size_t size) YL_MALLOC;

/* A zeroed array of 'n' elements.  A product that overflows is out of
 * memory. */
void *yl_arena_array(struct yl_arena *, size_t n, size_t size) YL_MALLOC;

/* Copies.  Each ends with a NUL that is not counted in a slice's size. */
struct yl_str yl_arena_copy(struct yl_arena *, struct yl_str);
char *yl_arena_strdup(struct yl_arena *, struct yl_str);
char *yl_arena_printf(struct yl_arena *, const char *format, ...)
    YL_PRINTF(2, 3);
char *yl_arena_vprintf(struct yl_arena *, const char *format, va_list)
    YL_PRINTF(2, 0);

/* Calls 'release(thing)' when the arena is cleared or freed. */
typedef void yl_release_fn(void *thing);
void yl_arena_attach(struct yl_arena *, yl_release_fn *release, void *thing);

/* Bytes that the arena holds from malloc. */
size_t yl_arena_footprint(const struct yl_arena *);

/* Replaces what happens when malloc fails; 'hook' must not return (if it does,
 * the process aborts).  The default, also for NULL, prints a line to standard
 * error and aborts.  May be called from any thread. */
typedef void yl_oom_fn(size_t size);
void yl_set_oom_hook(yl_oom_fn *hook);

YL_C_END

#endif /* yuloh/arena.h */
