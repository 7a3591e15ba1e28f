#ifndef BUILTIN_NETWORK_IP_H
#define BUILTIN_NETWORK_IP_H 1

/* IP addresses and ranges, with the syntax of Go's lenient parsers. */

#include <stdbool.h>
#include <stdint.h>

#include "yuloh/str.h"

struct yl_ip {
    uint8_t bytes[16];          /* IPv4 stands in the first four. */
    int family;                 /* 4 or 6; mapped IPv4 addresses are 4. */
    bool mapped;                /* Was it written ::ffff:1.2.3.4? */
    bool leading_zeros;         /* Was it written 01.2.3.4? */
};

/* False if 's' is not an address. */
bool yl_ip_parse(struct yl_str s, struct yl_ip *ret_ip);

/* Parses ADDRESS/BITS.  '*ret_bits' is as written: at most 32 for IPv4, but up
 * to 128 for a mapped IPv4 address. */
bool yl_cidr_parse(struct yl_str s, struct yl_ip *ret_ip, unsigned *ret_bits);

/* Writes an address, or a range, in canonical form. */
#define YL_IP_TEXT_SIZE 64
void yl_ip_text(const struct yl_ip *, char room[YL_IP_TEXT_SIZE]);
void yl_cidr_text(const struct yl_ip *, unsigned bits,
                  char room[YL_IP_TEXT_SIZE]);

#endif /* builtin/network/ip.h */
