/* HTTP pool: connections that are idle.  See net/http_pool.h for the contract.
 *
 * The connection that was used last is used first, so that those that are not
 * needed any more grow old and are closed. */

#include "net/http_pool.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "net/pool_parts.h"
#include "yuloh/error.h"

static void collect_old(struct yl_http_pool *pool, yl_msec now,
                        struct yl_list *ret_old)
    YL_REQUIRES(&pool->lock);
static void close_all(struct yl_http_pool *, struct yl_list *);
static struct yl_buffers *take_buffers(struct yl_http_pool *);
static void keep_buffers(struct yl_http_pool *, struct yl_buffers *);
static size_t or_default(size_t option, size_t value);

struct yl_http_pool *
yl_http_pool_new(struct yl_http_dialer *dialer,
                 const struct yl_http_pool_opts *given)
{
    struct yl_http_pool *pool = yl_zalloc(sizeof *pool);
    struct yl_http_pool_opts opts = { 0 };

    if (given) {
        opts = *given;
    }
    pool->dialer = yl_http_dialer_ref(dialer);
    pool->max_idle = or_default(opts.max_idle, 64);
    pool->idle_timeout = opts.idle_timeout ? opts.idle_timeout : 90000;
    pool->conn_opts = (struct yl_client_conn_opts) {
        .scheme = yl_http_dialer_has_tls(dialer) ? YL_STR("https")
                  : YL_STR("http"),
        .authority = yl_http_dialer_authority(dialer),
        .http2 = yl_http_dialer_is_http2(dialer),
        .stream_window = (size_t) 4 << 20,
        .connection_window = (size_t) 16 << 20,
        .tls_timeout = yl_http_dialer_tls_timeout(dialer),
        .ping_after = opts.ping_after ? opts.ping_after : 30000,
        .ping_timeout = opts.ping_timeout ? opts.ping_timeout : 15000,
    };
    yl_mutex_init(&pool->lock);
    yl_mutex_lock(&pool->lock);
    yl_list_init(&pool->idle);
    yl_mutex_unlock(&pool->lock);
    return pool;
}

void
yl_http_pool_free(struct yl_http_pool *pool)
{
    if (pool) {
        yl_http_pool_close_idle(pool);
        for (struct yl_buffers *spare; ; ) {
            yl_mutex_lock(&pool->lock);
            spare = pool->n_spares ? pool->spares[--pool->n_spares] : NULL;
            yl_mutex_unlock(&pool->lock);
            if (!spare) {
                break;
            }
            yl_buffers_release(spare);
            free(spare);
        }
        yl_http_dialer_unref(pool->dialer);
        yl_mutex_destroy(&pool->lock);
        free(pool);
    }
}

void
yl_http_pool_close_idle(struct yl_http_pool *pool)
{
    struct yl_list old = YL_LIST_INIT(&old);

    yl_mutex_lock(&pool->lock);
    yl_list_splice(&old, &pool->idle);
    pool->stats.n_idle = 0;
    yl_mutex_unlock(&pool->lock);
    close_all(pool, &old);
}

void
yl_http_pool_stats(struct yl_http_pool *pool, struct yl_http_pool_stats *stats)
{
    yl_mutex_lock(&pool->lock);
    *stats = pool->stats;
    yl_mutex_unlock(&pool->lock);
}

struct yl_pool_conn *
yl_pool_take_idle(struct yl_http_pool *pool)
{
    uint64_t generation = yl_http_dialer_generation(pool->dialer);
    struct yl_list old = YL_LIST_INIT(&old);
    struct yl_pool_conn *c = NULL;
    yl_msec now = yl_now(NULL);
    struct yl_list *node;

    yl_mutex_lock(&pool->lock);
    collect_old(pool, now, &old);
    while (!c && (node = yl_list_pop_front(&pool->idle)) != NULL) {
        c = YL_CONTAINER_OF(node, struct yl_pool_conn, node);
        pool->stats.n_idle--;
        if (c->generation != generation) {
            yl_list_push_back(&old, &c->node);
            c = NULL;
        }
    }
    yl_mutex_unlock(&pool->lock);
    close_all(pool, &old);
    if (c) {
        c->buffers = c->conn.transport.buffers = take_buffers(pool);
        c->used = true;
    }
    return c;
}

struct yl_pool_conn *
yl_pool_add(struct yl_http_pool *pool, const struct yl_dialed *dialed)
{
    struct yl_pool_conn *c = yl_zalloc(sizeof *c);

    yl_list_init(&c->node);
    c->generation = dialed->generation;
    c->buffers = take_buffers(pool);
    yl_client_conn_init(&c->conn, c->buffers, dialed, &pool->conn_opts,
                        yl_now(NULL));
    return c;
}

void
yl_pool_give_back(struct yl_http_pool *pool, struct yl_pool_conn *c)
{
    struct yl_list old = YL_LIST_INIT(&old);

    if (!yl_client_conn_room(&c->conn) || c->conn.n_exchanges) {
        yl_pool_close(pool, c);
        return;
    }
    keep_buffers(pool, c->buffers);
    c->buffers = c->conn.transport.buffers = NULL;
    c->since = yl_now(NULL);
    yl_mutex_lock(&pool->lock);
    yl_list_push_front(&pool->idle, &c->node);
    pool->stats.n_idle++;
    collect_old(pool, c->since, &old);
    yl_mutex_unlock(&pool->lock);
    close_all(pool, &old);
}

void
yl_pool_close(struct yl_http_pool *pool, struct yl_pool_conn *c)
{
    if (!c->buffers) {
        c->buffers = c->conn.transport.buffers = take_buffers(pool);
    }
    yl_client_conn_release(&c->conn);
    keep_buffers(pool, c->buffers);
    free(c);
}

/* Takes out those that are idle for too long, and those that are too many:
 * they are at the end. */
static void
collect_old(struct yl_http_pool *pool, yl_msec now, struct yl_list *old)
{
    struct yl_list *node;

    while ((node = yl_list_back(&pool->idle)) != NULL) {
        struct yl_pool_conn *c = YL_CONTAINER_OF(node, struct yl_pool_conn,
                                                 node);

        if (pool->stats.n_idle <= pool->max_idle
            && now - c->since < pool->idle_timeout) {
            break;
        }
        yl_list_remove(node);
        yl_list_push_back(old, node);
        pool->stats.n_idle--;
    }
}

static void
close_all(struct yl_http_pool *pool, struct yl_list *list)
{
    struct yl_list *node;

    while ((node = yl_list_pop_front(list)) != NULL) {
        yl_pool_close(pool,
                      YL_CONTAINER_OF(node, struct yl_pool_conn, node));
    }
}

static struct yl_buffers *
take_buffers(struct yl_http_pool *pool)
{
    struct yl_buffers *buffers = NULL;

    yl_mutex_lock(&pool->lock);
    if (pool->n_spares) {
        buffers = pool->spares[--pool->n_spares];
    }
    yl_mutex_unlock(&pool->lock);
    if (!buffers) {
        buffers = yl_zalloc(sizeof *buffers);
        yl_buffers_init(buffers);
    }
    return buffers;
}

static void
keep_buffers(struct yl_http_pool *pool, struct yl_buffers *buffers)
{
    bool kept;

    yl_mutex_lock(&pool->lock);
    kept = pool->n_spares < YL_POOL_SPARES;
    if (kept) {
        pool->spares[pool->n_spares++] = buffers;
    }
    yl_mutex_unlock(&pool->lock);
    if (!kept) {
        yl_buffers_release(buffers);
        free(buffers);
    }
}

static size_t
or_default(size_t option, size_t value)
{
    return option ? option : value;
}
