/* Keyed hash.  See base/hash.h for the contract.
 *
 * SipHash (Aumasson and Bernstein, 2012) with one round per word and three at
 * the end.  State is four words; each word of input goes into v3 before the
 * rounds and into v0 after them.  The last word holds the remaining bytes and,
 * in its top byte, the length. */

#include "base/hash.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/random.h"

struct sip {
    uint64_t v0, v1, v2, v3;
};

static pthread_once_t seed_once = PTHREAD_ONCE_INIT;
static atomic_bool seeded;      /* Set after the two words below. */
static _Atomic uint64_t seed0, seed1;

static void ensure_seed(void);
static inline uint64_t read_word(const unsigned char *);
static struct sip sip_start(uint64_t k0, uint64_t k1);
static YL_ALWAYS_INLINE void sip_bytes(struct sip *, const void *bytes,
                                       size_t size);
static inline void sip_word(struct sip *, uint64_t word);
static uint64_t sip_end(struct sip *);

size_t
yl_hash_bytes(const void *bytes, size_t size)
{
    ensure_seed();
    return (size_t) yl_siphash13(
        atomic_load_explicit(&seed0, memory_order_relaxed),
        atomic_load_explicit(&seed1, memory_order_relaxed), bytes, size);
}

size_t
yl_hash_pair(struct yl_str a, struct yl_str b)
{
    struct sip sip;

    ensure_seed();
    sip = sip_start(atomic_load_explicit(&seed0, memory_order_relaxed),
                    atomic_load_explicit(&seed1, memory_order_relaxed));
    sip_bytes(&sip, a.data, a.size);
    sip_bytes(&sip, b.data, b.size);
    return (size_t) sip_end(&sip);
}

size_t
yl_hash_u64(uint64_t value)
{
    struct sip sip;

    /* The same as hashing the value's eight bytes, without the loop. */
    ensure_seed();
    sip = sip_start(atomic_load_explicit(&seed0, memory_order_relaxed),
                    atomic_load_explicit(&seed1, memory_order_relaxed));
    sip_word(&sip, value);
    sip_word(&sip, (uint64_t) sizeof value << 56);
    return (size_t) sip_end(&sip);
}

void
yl_hash_set_seed(uint64_t k0, uint64_t k1)
{
    atomic_store_explicit(&seed0, k0, memory_order_relaxed);
    atomic_store_explicit(&seed1, k1, memory_order_relaxed);
    atomic_store_explicit(&seeded, true, memory_order_release);
}

uint64_t
yl_siphash13(uint64_t k0, uint64_t k1, const void *bytes, size_t size)
{
    struct sip sip = sip_start(k0, k1);

    sip_bytes(&sip, bytes, size);
    return sip_end(&sip);
}

static void
draw_seed(void)
{
    uint64_t seed[2];

    if (!atomic_load_explicit(&seeded, memory_order_acquire)) {
        yl_random_bytes(seed, sizeof seed);
        yl_hash_set_seed(seed[0], seed[1]);
    }
}

static void
ensure_seed(void)
{
    if (!atomic_load_explicit(&seeded, memory_order_acquire)) {
        pthread_once(&seed_once, draw_seed);
    }
}

/* Little-endian everywhere.  Compilers make one load of it. */
static inline uint64_t
read_word(const unsigned char *p)
{
    return (uint64_t) p[0] | (uint64_t) p[1] << 8 | (uint64_t) p[2] << 16
           | (uint64_t) p[3] << 24 | (uint64_t) p[4] << 32
           | (uint64_t) p[5] << 40 | (uint64_t) p[6] << 48
           | (uint64_t) p[7] << 56;
}

static struct sip
sip_start(uint64_t k0, uint64_t k1)
{
    struct sip sip = {
        k0 ^ UINT64_C(0x736f6d6570736575),
        k1 ^ UINT64_C(0x646f72616e646f6d),
        k0 ^ UINT64_C(0x6c7967656e657261),
        k1 ^ UINT64_C(0x7465646279746573),
    };

    return sip;
}

static inline uint64_t
rotate(uint64_t x, unsigned bits)
{
    return x << bits | x >> (64 - bits);
}

static inline void
sip_round(struct sip *s)
{
    s->v0 += s->v1;
    s->v2 += s->v3;
    s->v1 = rotate(s->v1, 13) ^ s->v0;
    s->v3 = rotate(s->v3, 16) ^ s->v2;
    s->v0 = rotate(s->v0, 32);
    s->v2 += s->v1;
    s->v0 += s->v3;
    s->v1 = rotate(s->v1, 17) ^ s->v2;
    s->v3 = rotate(s->v3, 21) ^ s->v0;
    s->v2 = rotate(s->v2, 32);
}

/* The words of 'bytes', and the last one, with the length. */
static YL_ALWAYS_INLINE void
sip_bytes(struct sip *s, const void *bytes, size_t size)
{
    const unsigned char *p = bytes;
    uint64_t last = (uint64_t) size << 56;
    size_t left, i;

    for (left = size; left >= 8; left -= 8, p += 8) {
        sip_word(s, read_word(p));
    }
    if (left && size >= 8) {
        /* Read some bytes twice rather than one by one. */
        last |= read_word(p + left - 8) >> (8 * (8 - left));
    } else {
        for (i = 0; i < left; i++) {
            last |= (uint64_t) p[i] << (8 * i);
        }
    }
    sip_word(s, last);
}

static inline void
sip_word(struct sip *s, uint64_t word)
{
    s->v3 ^= word;
    sip_round(s);
    s->v0 ^= word;
}

static uint64_t
sip_end(struct sip *s)
{
    int i;

    s->v2 ^= 0xff;
    for (i = 0; i < 3; i++) {
        sip_round(s);
    }
    return s->v0 ^ s->v1 ^ s->v2 ^ s->v3;
}
