#ifndef BASE_HASH_H
#define BASE_HASH_H 1

/* Keyed hash: for tables whose keys come from outside.
 *
 * Whoever chooses names for objects can choose them to collide, if he can
 * predict the hash, and turn a table into a list.  So the hash is keyed with
 * random bytes drawn once per process.  It is SipHash-1-3, which the tables of
 * Rust, Ruby and Python use for the same reason: its reduced rounds are below
 * what a signature needs and far above what an attacker has who never sees
 * the hash itself.  Keep it so: never print a hash or order output by it.
 *
 * Short keys cost some ten nanoseconds.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread, except yl_hash_set_seed(). */

#include <stddef.h>
#include <stdint.h>

#include "yuloh/str.h"

/* The hash of some bytes, under the process' key. */
size_t yl_hash_bytes(const void *bytes, size_t size);

static inline size_t
yl_hash_str(struct yl_str s)
{
    return yl_hash_bytes(s.data, s.size);
}

/* The hash of a number, under the process' key.  Also continues a hash: the
 * hash of a pair is yl_hash_u64(yl_hash_str(a) + 31 * yl_hash_str(b)). */
size_t yl_hash_u64(uint64_t);

/* Fixes the process' key, so that a test sees the same order each time.  Call
 * it before any table holds a hash. */
void yl_hash_set_seed(uint64_t k0, uint64_t k1);

/* SipHash-1-3 under a key of one's own. */
uint64_t yl_siphash13(uint64_t k0, uint64_t k1, const void *bytes,
                      size_t size);

#endif /* base/hash.h */
