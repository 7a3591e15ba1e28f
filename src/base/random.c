/* Randomness.  See base/random.h for the contract. */

#include "base/random.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "base/bug.h"

void
yl_random_bytes(void *bytes, size_t size)
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

    /* Bytes from 'fair' on would favour the first letters: 5 % are thrown
     * away. */
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
