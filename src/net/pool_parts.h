#ifndef NET_POOL_PARTS_H
#define NET_POOL_PARTS_H 1

/* HTTP pool: what http_pool.c (idle connections) and http_call.c (a call)
 * share. */

#include "base/list.h"
#include "base/thread.h"
#include "net/client_conn.h"
#include "net/dialer.h"
#include "net/http_pool.h"

/* Buffers that are kept for the next calls.  A connection has some only while
 * a call uses it: they are as large as a hundred idle connections. */
#define YL_POOL_SPARES 4

struct yl_pool_conn {
    struct yl_list node;        /* In the pool's 'idle'. */
    struct yl_buffers *buffers; /* NULL while it is idle. */
    struct yl_client_conn conn;
    uint64_t generation;        /* Of its certificates. */
    yl_msec since;              /* When it became idle. */
    bool used;                  /* It has carried a request before. */
};

struct yl_http_pool {
    struct yl_http_dialer *dialer;
    struct yl_client_conn_opts conn_opts;
    size_t max_idle;
    yl_msec idle_timeout;

    struct yl_mutex lock;
    struct yl_list idle YL_GUARDED;     /* struct yl_pool_conn, the one that
                                         * was used last in front. */
    struct yl_buffers *spares[YL_POOL_SPARES] YL_GUARDED;
    size_t n_spares YL_GUARDED;
    struct yl_http_pool_stats stats YL_GUARDED;
};

/* A connection that was idle, for the caller alone, or NULL. */
struct yl_pool_conn *yl_pool_take_idle(struct yl_http_pool *);

/* A new connection, whose handshake has begun. */
struct yl_pool_conn *yl_pool_add(struct yl_http_pool *,
                                 const struct yl_dialed *);

/* Keeps a connection, or closes it if it cannot be used again. */
void yl_pool_give_back(struct yl_http_pool *, struct yl_pool_conn *);
void yl_pool_close(struct yl_http_pool *, struct yl_pool_conn *);

#endif /* net/pool_parts.h */
