#ifndef BASE_HASH_H
#define BASE_HASH_H 1

/* Keyed hash: for tables whose keys come from outside.
 *
 * Clients choose the names of objects.  If they could predict the hash, they
 * could choose names that collide and turn a table into a list.  So the hash
 * is keyed with random bytes drawn once per process.  It is SipHash-1-3, which
 * the tables of Rust, Ruby and Python use for the same reason: with so few
 * rounds it is too weak for a signature, but strong enough as long as
 * attackers never see a hash.  So never print a hash, and never let output
 * depend on its order.
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

/* The hash of two texts, in the time that one of both sizes takes.  What
 * belongs to which of them matters: ("ab", "c") is not ("a", "bc"). */
size_t yl_hash_pair(struct yl_str a, struct yl_str b);

/* The hash of a number, under the process' key.  Also continues a hash:
 * yl_hash_u64(yl_hash_str(a) + 31 * n). */
size_t yl_hash_u64(uint64_t);

/* Fixes the process' key, so that a test sees the same order each time.  Call
 * it before any table holds a hash. */
void yl_hash_set_seed(uint64_t k0, uint64_t k1);

/* SipHash-1-3 under a given key. */
uint64_t yl_siphash13(uint64_t k0, uint64_t k1, const void *bytes,
                      size_t size);

#endif /* base/hash.h */
