/* malloc that does not return NULL.  See base/alloc.h. */

#include "base/alloc.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "yuloh/arena.h"

static _Atomic(yl_oom_fn *) oom_hook;

void *
yl_malloc(size_t size)
{
    void *p = malloc(size ? size : 1);

    if (YL_UNLIKELY(!p)) {
        yl_out_of_memory(size);
    }
    return p;
}

void *
yl_zalloc(size_t size)
{
    void *p = calloc(1, size ? size : 1);

    if (YL_UNLIKELY(!p)) {
        yl_out_of_memory(size);
    }
    return p;
}

void *
yl_realloc(void *old, size_t size)
{
    void *p = realloc(old, size ? size : 1);

    if (YL_UNLIKELY(!p)) {
        yl_out_of_memory(size);
    }
    return p;
}

void *
yl_malloc_array(size_t n, size_t size)
{
    return yl_realloc_array(NULL, n, size);
}

void *
yl_realloc_array(void *old, size_t n, size_t size)
{
    if (YL_UNLIKELY(size && n > SIZE_MAX / size)) {
        yl_out_of_memory(SIZE_MAX);
    }
    return yl_realloc(old, n * size);
}

char *
yl_strdup(struct yl_str s)
{
    char *copy = yl_malloc(s.size + 1);

    if (s.size) {
        memcpy(copy, s.data, s.size);
    }
    copy[s.size] = '\0';
    return copy;
}

void
yl_set_oom_hook(yl_oom_fn *hook)
{
    oom_hook = hook;
}

void
yl_give_back_memory(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

void
yl_out_of_memory(size_t size)
{
    yl_oom_fn *hook = oom_hook;

    if (hook) {
        hook(size);
    }
    fprintf(stderr, "yuloh: out of memory (%zu bytes asked for)\n", size);
    abort();
}
