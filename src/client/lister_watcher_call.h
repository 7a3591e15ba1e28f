#ifndef CLIENT_LISTER_WATCHER_CALL_H
#define CLIENT_LISTER_WATCHER_CALL_H 1

/* A list or watch of the lister-watcher over HTTP: what becomes of the answer.
 *
 *     fetch -> head -> 200: list reader or watch reader -> sink
 *                   -> else: the error is collected     -> 'done'
 *
 * All on the loop's thread. */

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/list.h"
#include "client/watch_reader.h"
#include "net/http_fetcher.h"
#include "yuloh/client.h"

/* The lister-watcher. */
struct yl_client_source {
    struct yl_lister_watcher lw;
    struct yl_client *client;
    struct yl_loop *loop;
    struct yl_client_fetcher *fetcher;  /* NULL before the first call. */
    struct yl_resource resource;        /* Its texts are in 'arena'. */
    struct yl_client_lister_watcher_opts opts;
    struct yl_arena *arena;
    struct yl_list calls;       /* Of struct yl_lister_watcher_call. */
};

struct yl_lister_watcher_call {
    struct yl_list node;        /* In the source's 'calls'. */
    struct yl_client_source *source;
    struct yl_http_fetch *fetch;        /* NULL when it has ended. */
    const struct yl_list_sink *list_sink;       /* One of these two. */
    const struct yl_watch_sink *watch_sink;
    void *aux;

    int http_status;            /* 0 before the head. */
    uint64_t generation;        /* Of the credentials that were sent. */
    char content_type[64];
    char retry_after[16];
    struct yl_object_list_reader *list;
    struct yl_watch_reader watch;
    struct yl_buf failure;      /* Body of an answer that failed. */

    int depth;                  /* Functions that use it right now. */
    bool stopped;
};

/* Makes a call with one of the sinks, and adds it to the source's; 'fetch' is
 * up to the caller, with the events below and the call for 'aux'. */
struct yl_lister_watcher_call *yl_lister_watcher_call_new(
    struct yl_client_source *, const struct yl_list_sink *,
    const struct yl_watch_sink *, void *aux);

/* Frees a call that has not begun. */
void yl_lister_watcher_call_free(struct yl_lister_watcher_call *);

/* Ends a call without calling its sink; also from inside of it. */
void yl_lister_watcher_call_stop(struct yl_lister_watcher_call *);

extern const struct yl_http_fetch_events yl_lister_watcher_call_events;

#endif /* client/lister_watcher_call.h */
