/* Proxies: CONNECT of HTTP.  See net/proxy.h for the contract. */

#include "net/proxy_parts.h"

#include <string.h>

#include "json/base64.h"
#include "yuloh/error.h"

/* Room for "[host]:port", and for "Basic " and the base64 of a user and a
 * password of 255 bytes each. */
#define MAX_TARGET 512
#define MAX_CREDENTIALS 1024

int
yl_proxy_connect_begin(struct yl_proxy_talk *talk, struct yl_buf *out,
                       struct yl_error *err)
{
    const struct yl_proxy *proxy = talk->proxy;
    struct yl_buf target, plain, credentials;
    struct yl_http_header headers[2];
    struct yl_http1_out head = { .headers = headers, .n_headers = 1 };
    int r;

    yl_buf_init(&target, MAX_TARGET);
    yl_buf_init(&plain, MAX_CREDENTIALS);
    yl_buf_init(&credentials, MAX_CREDENTIALS);
    yl_buf_printf(&target, strchr(talk->host, ':') ? "[%s]:%u" : "%s:%u",
                  talk->host, (unsigned) talk->port);
    headers[0] = (struct yl_http_header) {
        YL_STR("host"), yl_buf_str(&target)
    };
    if (proxy->user) {
        yl_buf_printf(&plain, "%s:%s", proxy->user, proxy->password);
        yl_buf_append_c(&credentials, "Basic ");
        yl_base64_write(&credentials, yl_buf_str(&plain));
        headers[1] = (struct yl_http_header) {
            YL_STR("proxy-authorization"), yl_buf_str(&credentials)
        };
        head.n_headers = 2;
    }
    r = yl_http1_write_request(out, YL_STR("CONNECT"), yl_buf_str(&target),
                               &head);
    if (r == 0) {
        r = yl_buf_error(&target) | yl_buf_error(&credentials);
    }
    yl_buf_release(&target);
    yl_buf_release(&plain);
    yl_buf_release(&credentials);
    yl_http1_reader_bodiless(&talk->reader);
    return r ? yl_error_set(err, YL_EINVALID, "a proxy cannot be asked for "
                            "\"%s\"", talk->host) : 0;
}

int
yl_proxy_connect_receive(struct yl_proxy_talk *talk, struct yl_str *in,
                         struct yl_error *err)
{
    struct yl_http1_reader *reader = &talk->reader;
    struct yl_str piece;

    for (;;) {
        switch (yl_http1_read(reader, in, &piece)) {
        case YL_HTTP1_MORE:
            return 0;

        case YL_HTTP1_HEAD:
            if (reader->head.status >= 300) {
                return yl_error_set(err, YL_EUNAVAILABLE,
                                    "the proxy has answered %d %.*s",
                                    reader->head.status,
                                    YL_STR_ARG(reader->head.reason));
            }
            break;

        case YL_HTTP1_END:
            if (reader->head.status >= 200) {
                return 1;
            }

            /* An interim answer. */
            yl_http1_reader_next(reader);
            yl_http1_reader_bodiless(reader);
            if (!in->size) {
                return 0;
            }
            break;

        case YL_HTTP1_BODY:
        case YL_HTTP1_ERROR:
            return yl_error_set(err, YL_EUNAVAILABLE,
                                "the proxy's answer is malformed: %s",
                                reader->why ? reader->why : "a body");
        }
    }
}
