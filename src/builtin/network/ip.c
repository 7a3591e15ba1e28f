/* IP addresses.  See builtin/network/ip.h for the contract. */

#include "builtin/network/ip.h"

#include <arpa/inet.h>
#include <stdio.h>

static bool parse_v4(struct yl_str, struct yl_ip *);
static bool parse_v6(struct yl_str, struct yl_ip *);

bool
yl_ip_parse(struct yl_str s, struct yl_ip *ret_ip)
{
    struct yl_ip ip = { { 0 }, 0, false, false };

    if (yl_str_find_char(s, ':') ? !parse_v6(s, &ip) : !parse_v4(s, &ip)) {
        return false;
    }
    *ret_ip = ip;
    return true;
}

bool
yl_cidr_parse(struct yl_str s, struct yl_ip *ret_ip, unsigned *ret_bits)
{
    struct yl_str address, bits;
    unsigned long long n;
    struct yl_ip ip;

    if (!yl_str_cut(s, '/', &address, &bits) || !yl_ip_parse(address, &ip)
        || bits.size > 3 || yl_str_to_u64(bits, &n) < 0
        || n > (ip.family == 6 || ip.mapped ? 128 : 32)) {
        return false;
    }
    *ret_ip = ip;
    *ret_bits = (unsigned) n;
    return true;
}

void
yl_ip_text(const struct yl_ip *ip, char room[YL_IP_TEXT_SIZE])
{
    const uint8_t *b = ip->bytes;
    size_t at = 0, n = 0;
    int i, start = 8, length = 1;

    if (ip->family == 4) {
        snprintf(room, YL_IP_TEXT_SIZE, "%u.%u.%u.%u", b[0], b[1], b[2],
                 b[3]);
        return;
    }

    /* The longest run of zeros, if it is longer than one, becomes "::". */
    for (i = 0; i <= 8; i++) {
        if (i < 8 && !b[2 * i] && !b[2 * i + 1]) {
            n++;
            continue;
        }
        if ((int) n > length) {
            length = (int) n;
            start = i - length;
        }
        n = 0;
    }
    for (i = 0; i < 8; i++) {
        if (i == start) {
            at += (size_t) snprintf(room + at, YL_IP_TEXT_SIZE - at, "::");
            i += length - 1;
            continue;
        }
        at += (size_t) snprintf(room + at, YL_IP_TEXT_SIZE - at, "%s%x",
                                i && room[at - 1] != ':' ? ":" : "",
                                (unsigned) (b[2 * i] << 8 | b[2 * i + 1]));
    }
}

void
yl_cidr_text(const struct yl_ip *ip, unsigned bits,
             char room[YL_IP_TEXT_SIZE])
{
    char address[YL_IP_TEXT_SIZE];

    yl_ip_text(ip, address);
    snprintf(room, YL_IP_TEXT_SIZE, "%.45s/%u", address, bits);
}

static bool
parse_v4(struct yl_str s, struct yl_ip *ip)
{
    int i;

    for (i = 0; i < 4; i++) {
        struct yl_str part = s, rest = YL_STR("");
        unsigned long long n;

        if (yl_str_cut(s, '.', &part, &rest) != (i < 3)
            || !part.size || part.data[0] == '-'
            || yl_str_to_u64(part, &n) < 0 || n > 255) {
            return false;
        }
        ip->leading_zeros |= part.size > 1 && part.data[0] == '0';
        ip->bytes[i] = (uint8_t) n;
        s = rest;
    }
    ip->family = 4;
    return true;
}

static bool
parse_v6(struct yl_str s, struct yl_ip *ip)
{
    static const uint8_t mapped[12] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255,
                                        255 };
    char text[INET6_ADDRSTRLEN];

    if (s.size >= sizeof text || memchr(s.data, 0, s.size)) {
        return false;
    }
    memcpy(text, s.data, s.size);
    text[s.size] = 0;
    if (inet_pton(AF_INET6, text, ip->bytes) != 1) {
        return false;
    }
    ip->family = 6;
    if (!memcmp(ip->bytes, mapped, sizeof mapped)) {
        memmove(ip->bytes, ip->bytes + 12, 4);
        ip->family = 4;
        ip->mapped = true;
    }
    return true;
}
