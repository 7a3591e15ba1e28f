#ifndef NET_PROXY_PARTS_H
#define NET_PROXY_PARTS_H 1

/* What proxy.c, proxy_connect.c and proxy_socks.c share. */

#include "net/proxy.h"

int yl_proxy_connect_begin(struct yl_proxy_talk *, struct yl_buf *out,
                           struct yl_error *err);
int yl_proxy_connect_receive(struct yl_proxy_talk *, struct yl_str *in,
                             struct yl_error *err);

int yl_proxy_socks_begin(struct yl_proxy_talk *, struct yl_buf *out,
                         struct yl_error *err);
int yl_proxy_socks_receive(struct yl_proxy_talk *, struct yl_str *in,
                           struct yl_buf *out, struct yl_error *err);

#endif /* net/proxy_parts.h */
