#ifndef CLIENT_CLIENT_H
#define CLIENT_CLIENT_H 1

/* What the files of this folder know of a client.  See yuloh/client.h. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "base/ref.h"
#include "base/thread.h"
#include "client/call_metrics.h"
#include "client/credentials.h"
#include "client/throttle.h"
#include "client/warning.h"
#include "net/http_client.h"
#include "yuloh/client.h"

struct yl_arena;
struct yl_buf;
struct yl_cancel;
struct yl_http_fetcher;
struct yl_http_pool;

/* Ceiling of one object, event or raw body. */
#define YL_CLIENT_MAX_BODY ((size_t) 64 << 20)

struct yl_client {
    struct yl_ref ref;
    struct yl_client_opts opts;

    /* Constant after yl_client_new(). */
    char *prefix;               /* Path of the server's URL. */
    bool has_tls;
    struct yl_credentials *credentials;
    struct yl_arena *arena;     /* Of 'impersonation'. */
    struct yl_http_header *impersonation;   /* Headers of each request. */
    size_t n_impersonation;
    char *user_agent;
    yl_msec timeout;            /* Of calls that name none; 0 for none. */

    struct yl_http_dialer *dialer;
    struct yl_http_pool *pool;
    struct yl_throttle throttle;
    struct yl_warning_log warnings;
    struct yl_call_metrics metrics;

    struct yl_mutex lock;
    struct yl_list fetchers YL_GUARDED;     /* Of struct yl_client_fetcher. */
    uint64_t tls_generation YL_GUARDED;     /* Of what the dialer has. */
};

/* The fetcher of a loop, shared by the lister-watchers there. */
struct yl_client_fetcher {
    struct yl_list node;        /* In yl_client's 'fetchers'. */
    struct yl_loop *loop;
    struct yl_http_fetcher *fetcher;
    size_t n_users;             /* Guarded by the client's lock. */
};

/* Finds or makes the fetcher of 'loop'; 0 or YL_EUNAVAILABLE.  On the loop's
 * thread, as is letting it go. */
int yl_client_fetcher_get(struct yl_client *, struct yl_loop *loop,
                          struct yl_client_fetcher **ret_fetcher,
                          struct yl_error *err);
void yl_client_fetcher_put(struct yl_client *, struct yl_client_fetcher *);

/* Who we are now, and the certificates that go with it, which the dialer gets
 * if they are new.  'use' lives in 'arena'.  The first may wait for a plug-in,
 * the second is for loops; they fail as yl_credentials_now() and
 * yl_credentials_try() do. */
int yl_client_identify(struct yl_client *, struct yl_cancel *,
                       struct yl_arena *arena, struct yl_credentials_use *use,
                       struct yl_error *err);
int yl_client_try_identify(struct yl_client *, struct yl_arena *arena,
                           struct yl_credentials_use *use,
                           struct yl_error *err);

/* Headers of a request, made in 'arena'. */
struct yl_client_headers {
    struct yl_http_header *headers;
    size_t n;
};

/* 'content_type' and 'accept' may be NULL. */
struct yl_client_headers
yl_client_headers(struct yl_client *, struct yl_arena *arena,
                  const struct yl_credentials_use *, const char *content_type,
                  const char *accept);

/* Hands the warnings of an answer to the handler. */
void yl_client_warn(struct yl_client *, const struct yl_http_answer *);

#endif /* client/client.h */
