#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H 1

/* Randomness from the kernel: seeds, uids and suffixes of names.
 *
 * Guarantees
 * ==========
 *
 *   - Bytes come from getrandom(2) and are fit for secrets.  Before the
 *     kernel has gathered enough of them, early at boot, the call waits.
 *
 *   - A process and its fork()ed child never get the same bytes.
 *
 *   - A random name is uniform over its alphabet, which has no vowels, no
 *     digits that look like letters, and so spells no words.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread. */

#include <stddef.h>
#include <stdint.h>

/* Fills 'bytes' with 'size' random bytes. */
void yl_random_bytes(void *bytes, size_t size);

uint64_t yl_random_u64(void);

/* Writes a random UUID (RFC 4122, version 4) in lower case and a NUL. */
#define YL_UUID_LENGTH 36
void yl_random_uuid(char out[YL_UUID_LENGTH + 1]);

/* Writes 'n' random characters of "bcdfghjklmnpqrstvwxz2456789" and a NUL, so
 * 'out' has room for 'n' + 1. */
void yl_random_name(char *out, size_t n);

#endif /* base/random.h */
