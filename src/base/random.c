/* Randomness.  See base/random.h for the contract.
 *
 * Each thread keeps a store of random bytes, because a system call takes 0.7
 * us and a request to the server needs two uids.  Bytes are wiped from the
 * store when they are handed out, and a child process never uses its
 * parent's. */

#include "base/random.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/random.h>

#include "base/bug.h"

#define STORE 512

/* A request for more than this goes to the kernel directly. */
#define SMALL 32

struct store {
    size_t left;                /* The bytes are at the end of 'bytes'. */
    unsigned n_forks;           /* When it was filled. */
    unsigned char bytes[STORE];
};

static _Thread_local struct store store;
static atomic_uint n_forks;

static void ask_kernel(void *bytes, size_t size);
static void watch_forks(void);

void
yl_random_bytes(void *bytes, size_t size)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    unsigned char *from;

    if (size > SMALL || !size) {
        ask_kernel(bytes, size);
        return;
    }
    pthread_once(&once, watch_forks);
    if (store.left < size || store.n_forks != atomic_load(&n_forks)) {
        store.n_forks = atomic_load(&n_forks);
        ask_kernel(store.bytes, sizeof store.bytes);
        store.left = sizeof store.bytes;
    }
    from = store.bytes + sizeof store.bytes - store.left;
    memcpy(bytes, from, size);
    memset(from, 0, size);
    store.left -= size;
}

uint64_t
yl_random_u64(void)
{
    uint64_t value;

    yl_random_bytes(&value, sizeof value);
    return value;
}

void
yl_random_uuid(char out[YL_UUID_LENGTH + 1])
{
    static const char digits[] = "0123456789abcdef";
    unsigned char bytes[16];
    size_t i;

    yl_random_bytes(bytes, sizeof bytes);
    bytes[6] = (unsigned char) ((bytes[6] & 0x0f) | 0x40);  /* Version 4. */
    bytes[8] = (unsigned char) ((bytes[8] & 0x3f) | 0x80);  /* RFC 4122. */
    for (i = 0; i < sizeof bytes; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10) {
            *out++ = '-';
        }
        *out++ = digits[bytes[i] >> 4];
        *out++ = digits[bytes[i] & 15];
    }
    *out = '\0';
}

void
yl_random_name(char *out, size_t n)
{
    static const char alphabet[] = "bcdfghjklmnpqrstvwxz2456789";
    const unsigned n_letters = sizeof alphabet - 1;
    const unsigned fair = 256 - 256 % n_letters;    /* 243 */
    unsigned char bytes[64];
    size_t left = 0;

    /* 256 is not a multiple of the number of letters, so taking every byte
     * would make the first letters more likely: bytes from 'fair' on, 5 % of
     * them, are thrown away. */
    while (n > 0) {
        if (left == 0) {
            left = n < sizeof bytes ? n : sizeof bytes;
            yl_random_bytes(bytes, left);
        }
        if (bytes[--left] < fair) {
            *out++ = alphabet[bytes[left] % n_letters];
            n--;
        }
    }
    *out = '\0';
}

static void
ask_kernel(void *bytes, size_t size)
{
    char *p = bytes;

    while (size > 0) {
        ssize_t n = getrandom(p, size, 0);

        if (n > 0) {
            p += n;
            size -= (size_t) n;
        } else if (errno != EINTR) {
            yl_bug("getrandom: %s", strerror(errno));
        }
    }
}

static void
forked(void)
{
    atomic_fetch_add(&n_forks, 1);
}

static void
watch_forks(void)
{
    pthread_atfork(NULL, NULL, forked);
}
