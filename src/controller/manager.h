#ifndef CONTROLLER_MANAGER_H
#define CONTROLLER_MANAGER_H 1

/* A manager from the inside.  yuloh/manager.h is the outside. */

#include "base/thread.h"
#include "yuloh/client.h"
#include "yuloh/manager.h"
#include "yuloh/metrics.h"

struct yl_cancel;
struct yl_leader_election;
struct yl_pages;
struct yl_runner;

struct yl_manager {
    struct yl_manager_opts opts;    /* Defaults filled in. */
    struct yl_client *client;
    struct yl_metrics *own_metrics; /* NULL if they are lent. */
    struct yl_informer_factory *factory;
    struct yl_runner **runners;
    size_t n_runners;
    struct yl_cancel *cancel;   /* Ends what workers wait for. */
    struct yl_cancel *stop;     /* Its child: ends the wait for caches, which
                                 * no graceful stop has to let finish. */
    struct yl_pages *metrics_pages;     /* NULL: none. */
    struct yl_pages *health_pages;      /* NULL: none, or the same. */
    bool started;
    bool joined;

    struct yl_mutex lock;
    struct yl_cond changed;     /* One of those below has. */
    unsigned n_started, n_ended YL_GUARDED;     /* Workers. */
    struct yl_leader_election *election YL_GUARDED;     /* NULL: none. */
    bool leading YL_GUARDED;
    bool stopping YL_GUARDED;
    struct yl_error error YL_GUARDED;   /* Why it stops, if it failed. */
};

/* The election; NULL if there is none.  It lives as long as the manager. */
struct yl_leader_election *yl_manager_election(struct yl_manager *);

#endif /* controller/manager.h */
