/* The fetcher of a loop, shared by the lister-watchers there. */

#include "client/client.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "net/http_fetcher.h"

int
yl_client_fetcher_get(struct yl_client *client, struct yl_loop *loop,
                      struct yl_client_fetcher **ret_fetcher,
                      struct yl_error *err)
{
    struct yl_client_fetcher *f;
    int r = 0;

    yl_mutex_lock(&client->lock);
    YL_LIST_FOR_EACH (f, node, &client->fetchers) {
        if (f->loop == loop) {
            break;
        }
    }
    if (!f) {
        f = yl_zalloc(sizeof *f);
        f->loop = loop;
        r = yl_http_fetcher_new(loop, client->dialer, NULL, &f->fetcher, err);
        if (r < 0) {
            free(f);
        } else {
            yl_list_push_back(&client->fetchers, &f->node);
        }
    }
    if (r == 0) {
        f->n_users++;
        *ret_fetcher = f;
    }
    yl_mutex_unlock(&client->lock);
    return r;
}

void
yl_client_fetcher_put(struct yl_client *client, struct yl_client_fetcher *f)
{
    bool last;

    yl_mutex_lock(&client->lock);
    last = --f->n_users == 0;
    if (last) {
        yl_list_remove(&f->node);
    }
    yl_mutex_unlock(&client->lock);
    if (last) {
        yl_http_fetcher_free(f->fetcher);
        free(f);
    }
}
