#ifndef BUILTIN_NETWORK_IP_H
#define BUILTIN_NETWORK_IP_H 1

/* IP addresses and blocks of them, as Go's lenient readers take them. */

#include <stdbool.h>
#include <stdint.h>

#include "yuloh/str.h"

struct yl_ip {
    uint8_t bytes[16];          /* IPv4 stands in the first four. */
    int family;                 /* 4 or 6; mapped IPv4 addresses are 4. */
    bool mapped;                /* Was it written ::ffff:1.2.3.4? */
    bool leading_zeros;         /* Was it written 01.2.3.4? */
};

/* False if 's' is no address. */
bool yl_ip_parse(struct yl_str s, struct yl_ip *ret_ip);

/* ADDRESS/BITS.  '*ret_bits' counts from the family's own start. */
bool yl_cidr_parse(struct yl_str s, struct yl_ip *ret_ip, unsigned *ret_bits);

/* The address in its canonical form, and a block of them ('bits' at its
 * end). */
#define YL_IP_TEXT_SIZE 64
void yl_ip_text(const struct yl_ip *, char room[YL_IP_TEXT_SIZE]);
void yl_cidr_text(const struct yl_ip *, unsigned bits,
                  char room[YL_IP_TEXT_SIZE]);

#endif /* builtin/network/ip.h */
