/* OpenID discovery.  See apiserver/discovery/openid.h. */

#include "apiserver/discovery/openid.h"

#include <string.h>

#include "apiserver/answer/accept.h"
#include "apiserver/auth/service_accounts.h"
#include "apiserver/discovery/discovery.h"
#include "apiserver/server.h"
#include "yuloh/arena.h"

/* 256 keys of 16,384 bits fit. */
#define MAX_DOCUMENT ((size_t) 4 << 20)

static bool refuses(struct yl_api_request *, const char *media_type,
                    enum yl_step *ret_step);
static enum yl_step respond(struct yl_api_request *, const char *media_type,
                            struct yl_buf *);
static const char *address_of(struct yl_api_request *);

enum yl_step
yl_serve_openid_configuration(struct yl_api_request *req)
{
    static const char type[] = "application/json";
    enum yl_step step;
    struct yl_buf body;

    if (refuses(req, type, &step)) {
        return step;
    }
    yl_buf_init(&body, MAX_DOCUMENT);
    yl_service_accounts_write_configuration(req->server->service_accounts,
                                            address_of(req), &body);
    return respond(req, type, &body);
}

enum yl_step
yl_serve_openid_keys(struct yl_api_request *req)
{
    static const char type[] = "application/jwk-set+json";
    enum yl_step step;
    struct yl_buf body;

    if (refuses(req, type, &step)) {
        return step;
    }
    yl_buf_init(&body, MAX_DOCUMENT);
    yl_service_accounts_write_keys(req->server->service_accounts, &body);
    return respond(req, type, &body);
}

/* Refuses other methods than GET, and clients that do not accept the media
 * type. */
static bool
refuses(struct yl_api_request *req, const char *media_type,
        enum yl_step *ret_step)
{
    if (!yl_discovery_is_get(req)) {
        *ret_step = yl_discovery_refuse_method(req);
        return true;
    }
    if (yl_accept_choose(yl_http_header(req->http, YL_STR("accept")),
                         &media_type, 1) < 0) {
        *ret_step = yl_discovery_refuse_form(req, true, media_type);
        return true;
    }
    return false;
}

/* The documents change when keys are rotated; the old keys stay for longer
 * than an hour. */
static enum yl_step
respond(struct yl_api_request *req, const char *media_type,
        struct yl_buf *body)
{
    enum yl_step step;

    yl_api_add_header(req, YL_STR("cache-control"),
                      YL_STR("public, max-age=3600"));
    step = yl_api_respond(req, 200, media_type, yl_buf_str(body));
    yl_buf_release(body);
    return step;
}

/* Where the server can be reached: "192.0.2.1:6443". */
static const char *
address_of(struct yl_api_request *req)
{
    const struct yl_apiserver_opts *opts = &req->server->opts;
    const char *host = opts->advertise_address ? opts->advertise_address
                                               : "127.0.0.1";
    unsigned port = opts->advertise_port ? opts->advertise_port
                                         : req->server->port;

    return yl_arena_printf(req->arena, strchr(host, ':') ? "[%s]:%u"
                                                         : "%s:%u", host,
                           port);
}
