/* Proxies: SOCKS 5 (RFC 1928), with a user and password (RFC 1929).  See
 * net/proxy.h for the contract.
 *
 *     client                        proxy
 *     05 N methods               ->
 *                                <- 05 method
 *     01 length user length pass -> (if the method is 02)
 *                                <- 01 00
 *     05 01 00 type address port ->
 *                                <- 05 00 00 type address port */

#include "net/proxy_parts.h"

#include <arpa/inet.h>
#include <string.h>

#include "yuloh/error.h"

enum state {
    METHOD,                     /* Waits for the choice of a method, */
    STATUS,                     /* for the status of the user, */
    REPLY,                      /* for the reply to the request. */
    CONNECTED,
};

enum {
    VERSION = 5,
    NO_AUTHENTICATION = 0,
    BY_PASSWORD = 2,
    CONNECT = 1,
    IPV4 = 1,
    NAME = 3,
    IPV6 = 4,
};

static size_t wanted(const struct yl_proxy_talk *);
static int advance(struct yl_proxy_talk *, struct yl_buf *out,
                   struct yl_error *err);
static int on_method(struct yl_proxy_talk *, struct yl_buf *out,
                     struct yl_error *err);
static int on_reply(struct yl_proxy_talk *, struct yl_error *err);
static void send_user(const struct yl_proxy *, struct yl_buf *out);
static void send_request(const struct yl_proxy_talk *, struct yl_buf *out);
static int malformed(struct yl_error *err);

int
yl_proxy_socks_begin(struct yl_proxy_talk *talk, struct yl_buf *out,
                     struct yl_error *err)
{
    static const char anonymous[] = { VERSION, 1, NO_AUTHENTICATION };
    static const char either[] = {
        VERSION, 2, NO_AUTHENTICATION, BY_PASSWORD
    };

    if (strlen(talk->host) > 255) {
        return yl_error_set(err, YL_EINVALID,
                            "a name is too long for a SOCKS proxy");
    }
    if (talk->proxy->user) {
        yl_buf_append(out, either, sizeof either);
    } else {
        yl_buf_append(out, anonymous, sizeof anonymous);
    }
    talk->state = METHOD;
    return 0;
}

int
yl_proxy_socks_receive(struct yl_proxy_talk *talk, struct yl_str *in,
                       struct yl_buf *out, struct yl_error *err)
{
    while (in->size && talk->state != CONNECTED) {
        int r;

        talk->answer[talk->answer_size++] = (unsigned char) in->data[0];
        *in = yl_str_skip(*in, 1);
        if (talk->answer[0] != (talk->state == STATUS ? 1 : VERSION)) {
            return malformed(err);
        }
        if (talk->answer_size < wanted(talk)) {
            continue;
        }
        r = advance(talk, out, err);
        if (r < 0) {
            return r;
        }
        talk->answer_size = 0;
    }
    return talk->state == CONNECTED;
}

/* Bytes of the answer, as far as its size is known from what has come. */
static size_t
wanted(const struct yl_proxy_talk *talk)
{
    if (talk->state != REPLY) {
        return 2;
    } else if (talk->answer_size < 5) {
        return 5;
    }
    switch (talk->answer[3]) {
    case IPV4:
        return 4 + 4 + 2;
    case IPV6:
        return 4 + 16 + 2;
    case NAME:
        return 4 + 1 + (size_t) talk->answer[4] + 2;
    default:
        return 5;
    }
}

/* An answer is complete. */
static int
advance(struct yl_proxy_talk *talk, struct yl_buf *out, struct yl_error *err)
{
    switch ((enum state) talk->state) {
    case METHOD:
        return on_method(talk, out, err);

    case STATUS:
        if (talk->answer[1] != 0) {
            return yl_error_set(err, YL_EUNAVAILABLE,
                                "the proxy refuses the user or password");
        }
        send_request(talk, out);
        talk->state = REPLY;
        return 0;

    case REPLY:
    default:
        return on_reply(talk, err);
    }
}

static int
on_method(struct yl_proxy_talk *talk, struct yl_buf *out,
          struct yl_error *err)
{
    unsigned char method = talk->answer[1];

    if (method == BY_PASSWORD && talk->proxy->user) {
        send_user(talk->proxy, out);
        talk->state = STATUS;
        return 0;
    } else if (method == NO_AUTHENTICATION) {
        send_request(talk, out);
        talk->state = REPLY;
        return 0;
    }
    return yl_error_set(err, YL_EUNAVAILABLE, "the proxy accepts none of the "
                        "ways to authenticate%s",
                        talk->proxy->user ? "" : "; it may want a user");
}

static int
on_reply(struct yl_proxy_talk *talk, struct yl_error *err)
{
    static const char *const reasons[] = {
        [1] = "general failure",
        [2] = "not allowed",
        [3] = "network unreachable",
        [4] = "host unreachable",
        [5] = "connection refused",
        [6] = "time to live expired",
        [7] = "command not supported",
        [8] = "address type not supported",
    };
    unsigned char code = talk->answer[1];
    unsigned char type = talk->answer[3];

    if (code) {
        return yl_error_set(err, YL_EUNAVAILABLE, "the proxy has not reached "
                            "%s: %s", talk->host,
                            code < YL_ARRAY_SIZE(reasons) ? reasons[code]
                            : "unknown failure");
    } else if (type != IPV4 && type != IPV6 && type != NAME) {
        return malformed(err);
    }
    talk->state = CONNECTED;
    return 0;
}

/* Both are 255 bytes at most (yl_proxy_parse()). */
static void
send_user(const struct yl_proxy *proxy, struct yl_buf *out)
{
    size_t user = strlen(proxy->user);
    size_t password = strlen(proxy->password);

    yl_buf_append_char(out, 1);
    yl_buf_append_char(out, (char) user);
    yl_buf_append(out, proxy->user, user);
    yl_buf_append_char(out, (char) password);
    yl_buf_append(out, proxy->password, password);
}

static void
send_request(const struct yl_proxy_talk *talk, struct yl_buf *out)
{
    static const char head[] = { VERSION, CONNECT, 0 };
    const char port[] = {
        (char) (talk->port >> 8), (char) (talk->port & 0xff)
    };
    unsigned char address[16];

    yl_buf_append(out, head, sizeof head);
    if (inet_pton(AF_INET, talk->host, address) == 1) {
        yl_buf_append_char(out, IPV4);
        yl_buf_append(out, address, 4);
    } else if (inet_pton(AF_INET6, talk->host, address) == 1) {
        yl_buf_append_char(out, IPV6);
        yl_buf_append(out, address, 16);
    } else {
        yl_buf_append_char(out, NAME);
        yl_buf_append_char(out, (char) strlen(talk->host));
        yl_buf_append_c(out, talk->host);
    }
    yl_buf_append(out, port, sizeof port);
}

static int
malformed(struct yl_error *err)
{
    return yl_error_set(err, YL_EUNAVAILABLE,
                        "the proxy's answer is not SOCKS 5");
}
