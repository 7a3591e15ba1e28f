#ifndef BASE_ALLOC_H
#define BASE_ALLOC_H 1

/* malloc that does not return NULL.
 *
 * Out of memory ends the process through the hook of yuloh/arena.h.  That is
 * acceptable because a control loop is level-triggered: after a restart it
 * starts from the present state.  In exchange every size that comes from
 * outside must be checked against a ceiling before it gets here.  Callers free
 * this memory with free(). */

#include <stddef.h>

#include "yuloh/compiler.h"
#include "yuloh/str.h"

void *yl_malloc(size_t size) YL_MALLOC;
void *yl_zalloc(size_t size) YL_MALLOC;
void *yl_realloc(void *, size_t size);
void *yl_malloc_array(size_t n, size_t size) YL_MALLOC;
void *yl_realloc_array(void *, size_t n, size_t size);
char *yl_strdup(struct yl_str) YL_MALLOC;

/* Returns the free pages of every thread's heap to the system.  base/trim.h
 * says when to call it. */
void yl_give_back_memory(void);

/* Calls the out-of-memory hook; for allocators that are not malloc. */
YL_NORETURN void yl_out_of_memory(size_t size);

#endif /* base/alloc.h */
