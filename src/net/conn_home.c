/* What the connections of one loop share.  See net/conn.h for how they
 * work. */

#include "net/conn.h"

#include <time.h>

static void flush_home(void *home);

int
yl_home_init(struct yl_home *home, struct yl_conn_shared *shared,
             struct yl_error *err)
{
    int r;

    memset(home, 0, sizeof *home);
    r = yl_loop_new(shared->opts.clock, &home->loop, err);
    if (r < 0) {
        return r;
    }
    home->shared = shared;
    yl_list_init(&home->conns);
    yl_list_init(&home->dirty);
    yl_list_init(&home->bodies);
    yl_list_init(&home->exchanges);
    yl_buffers_init(&home->buffers);
    yl_loop_on_turn(home->loop, flush_home, home);
    return 0;
}

void
yl_home_release(struct yl_home *home)
{
    struct yl_exchange *x;

    if (!home->loop) {
        return;
    }
    yl_home_close_all(home);
    flush_home(home);
    YL_LIST_FOR_EACH_SAFE (x, node, &home->exchanges) {
        yl_exchange_free(x);
    }
    yl_buffers_release(&home->buffers);
    yl_loop_free(home->loop);
    home->loop = NULL;
}

void
yl_home_drain(struct yl_home *home)
{
    struct yl_conn *conn;

    YL_LIST_FOR_EACH (conn, node, &home->conns) {
        if (conn->protocol) {
            conn->protocol->drain(conn);
        } else {
            yl_conn_kill(conn);
        }
    }
}

void
yl_home_close_all(struct yl_home *home)
{
    struct yl_conn *conn;

    YL_LIST_FOR_EACH (conn, node, &home->conns) {
        yl_conn_kill(conn);
    }
}

struct yl_str
yl_home_date(struct yl_home *home)
{
    int64_t now = (int64_t) time(NULL);

    if (now != home->date_second) {
        home->date_second = now;
        return yl_http1_date(home->date, now);
    }
    return yl_str_n(home->date, YL_HTTP1_DATE_SIZE - 1);
}

/* Called at the end of each turn of the loop. */
static void
flush_home(void *home_)
{
    struct yl_home *home = home_;
    struct yl_list *node;

    do {
        while ((node = yl_list_pop_front(&home->bodies)) != NULL) {
            struct yl_exchange *x = YL_CONTAINER_OF(node, struct yl_exchange,
                                                    due);

            if (x->conn->state == YL_CONN_OPEN) {
                x->conn->protocol->read_body(x);
            }
        }
        while ((node = yl_list_pop_front(&home->dirty)) != NULL) {
            yl_conn_flush(YL_CONTAINER_OF(node, struct yl_conn, dirty));
        }
    } while (!yl_list_is_empty(&home->bodies));
}
