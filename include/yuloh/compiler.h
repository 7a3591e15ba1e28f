#ifndef YL_COMPILER_H
#define YL_COMPILER_H 1

/* Compiler extensions, each with a fallback that means "nothing special".
 *
 * This is the only file that asks which compiler is at work.  Everything else
 * uses these names, so the tree stays C11 and its headers parse as C++. */

#include <stddef.h>

#ifdef __cplusplus
#define YL_C_BEGIN extern "C" {
#define YL_C_END }
#else
#define YL_C_BEGIN
#define YL_C_END
#endif

#if defined(__GNUC__) || defined(__clang__)
#define YL_PRINTF(FORMAT, ARGS) __attribute__((format(printf, FORMAT, ARGS)))
#define YL_MUST_CHECK __attribute__((warn_unused_result))
#define YL_NORETURN __attribute__((noreturn))
#define YL_PURE __attribute__((pure))
#define YL_ALWAYS_INLINE inline __attribute__((always_inline))
#define YL_NOINLINE __attribute__((noinline))
#define YL_UNUSED __attribute__((unused))
#define YL_LIKELY(X) __builtin_expect(!!(X), 1)
#define YL_UNLIKELY(X) __builtin_expect(!!(X), 0)
#define YL_MALLOC __attribute__((malloc))
#define YL_LOAD_RELAXED(POINTER) __atomic_load_n(POINTER, __ATOMIC_RELAXED)
#define YL_STORE_RELAXED(POINTER, VALUE) \
    __atomic_store_n(POINTER, VALUE, __ATOMIC_RELAXED)
#define YL_OFFSET_IN(OBJECT, MEMBER) offsetof(__typeof__(*(OBJECT)), MEMBER)
#define YL_PREFETCH(POINTER) __builtin_prefetch(POINTER)
#else
#define YL_PRINTF(FORMAT, ARGS)
#define YL_MUST_CHECK
#define YL_NORETURN
#define YL_PURE
#define YL_ALWAYS_INLINE inline
#define YL_NOINLINE
#define YL_UNUSED
#define YL_LIKELY(X) (X)
#define YL_UNLIKELY(X) (X)
#define YL_MALLOC
#define YL_LOAD_RELAXED(POINTER) (*(POINTER))
#define YL_STORE_RELAXED(POINTER, VALUE) ((void) (*(POINTER) = (VALUE)))
#define YL_OFFSET_IN(OBJECT, MEMBER) \
    ((size_t) ((char *) &(OBJECT)->MEMBER - (char *) (OBJECT)))
#define YL_PREFETCH(POINTER) ((void) (POINTER))
#endif

/* Lock discipline, checked by clang's -Wthread-safety.
 *
 * Inside a struct write YL_GUARDED, which names no lock, because C cannot
 * name a sibling member there; on globals write YL_GUARDED_BY(lock). */
#if defined(__clang__)
#define YL_LOCKABLE __attribute__((lockable))
#define YL_GUARDED __attribute__((guarded_var))
#define YL_GUARDED_BY(LOCK) __attribute__((guarded_by(LOCK)))
#define YL_REQUIRES(...) __attribute__((exclusive_locks_required(__VA_ARGS__)))
#define YL_EXCLUDES(...) __attribute__((locks_excluded(__VA_ARGS__)))
#define YL_ACQUIRES(...) __attribute__((exclusive_lock_function(__VA_ARGS__)))
#define YL_TRY_ACQUIRES(...) \
    __attribute__((exclusive_trylock_function(__VA_ARGS__)))
#define YL_RELEASES(...) __attribute__((unlock_function(__VA_ARGS__)))
#define YL_NO_THREAD_SAFETY __attribute__((no_thread_safety_analysis))
#else
#define YL_LOCKABLE
#define YL_GUARDED
#define YL_GUARDED_BY(LOCK)
#define YL_REQUIRES(...)
#define YL_EXCLUDES(...)
#define YL_ACQUIRES(...)
#define YL_TRY_ACQUIRES(...)
#define YL_RELEASES(...)
#define YL_NO_THREAD_SAFETY
#endif

/* "file.c:42", as a literal. */
#define YL_WHERE __FILE__ ":" YL_STRINGIFY(__LINE__)
#define YL_STRINGIFY(X) YL_STRINGIFY_(X)
#define YL_STRINGIFY_(X) #X

#define YL_ARRAY_SIZE(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))

/* The struct of type TYPE whose MEMBER is at POINTER. */
#define YL_CONTAINER_OF(POINTER, TYPE, MEMBER) \
    ((TYPE *) (void *) ((char *) (POINTER) - offsetof(TYPE, MEMBER)))

/* Like YL_CONTAINER_OF, but POINTER may be NULL, and the result is NULL then.
 * The type is that of the variable OBJECT, which is not read.  The result is a
 * void pointer, so only C can assign it without a cast. */
#define YL_CONTAINER_OR_NULL(POINTER, OBJECT, MEMBER) \
    yl_container_or_null((POINTER), YL_OFFSET_IN(OBJECT, MEMBER))

static inline void *
yl_container_or_null(void *member, size_t offset)
{
    return member ? (char *) member - offset : NULL;
}

#endif /* yuloh/compiler.h */
