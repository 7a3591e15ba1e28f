/* The Network controller a la carte: every station by hand, as with client-go.
 *
 *     build/examples/network_informer [--kubeconfig=FILE] [--master=URL]
 *
 * An informer lists and watches Networks, keeps them in its store and tells a
 * handler what has changed.  The handler puts keys into a rate-limited work
 * queue, from which two workers take them.  A key that fails is tried five
 * times more.
 *
 * The cache is warmed with a Network that we knew "on our last run": if it is
 * not there any more, we are told so as soon as the cache has synced. */

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <yuloh/arena.h>
#include <yuloh/client.h>
#include <yuloh/client_config.h>
#include <yuloh/informer.h>
#include <yuloh/object.h>
#include <yuloh/store.h>
#include <yuloh/workqueue.h>

#include "network_client.h"

#define WORKERS 2
#define MAX_RETRIES 5

struct controller {
    struct yl_store *store;
    struct yl_workqueue *queue;
};

/* Handlers: each puts the key into the queue, not the object. */

static void
on_added(void *controller, const struct yl_versioned *item,
         bool initial YL_UNUSED)
{
    struct yl_key key = yl_object_key(item->object);

    yl_workqueue_add(((struct controller *) controller)->queue, &key);
}

static void
on_updated(void *controller, const struct yl_versioned *old,
           const struct yl_versioned *item)
{
    struct yl_key key = yl_object_key(item->object);

    /* A resync: the same object again. */
    if (old->revision == item->revision) {
        return;
    }
    yl_workqueue_add(((struct controller *) controller)->queue, &key);
}

static void
on_deleted(void *controller, const struct yl_versioned *item,
           bool tombstone YL_UNUSED)
{
    struct yl_key key = yl_object_key(item->object);

    yl_workqueue_add(((struct controller *) controller)->queue, &key);
}

static const struct yl_handler handler = {
    .added = on_added,
    .updated = on_updated,
    .deleted = on_deleted,
};

/* The business logic: the desired state comes from the cache. */
static int
synchronise(struct controller *c, const struct yl_key *key,
            struct yl_arena *arena, struct yl_error *err)
{
    struct network network;
    int r = network_lister_get(c->store, key, arena, &network, err);

    if (r == YL_ENOTFOUND) {
        printf("Network %.*s does not exist anymore\n",
               YL_STR_ARG(yl_key_text(key, arena)));
        r = 0;
    } else if (r == 0) {
        printf("Sync/Add/Update for Network %s: %s via %s\n",
               network.metadata.name, network.spec.cidr,
               network.spec.gateway);
    }
    fflush(stdout);
    return r;
}

static void *
work(void *controller)
{
    struct controller *c = controller;
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    const struct yl_key *key;

    for (; (key = yl_workqueue_get(c->queue)) != NULL;
         yl_workqueue_done(c->queue, key)) {
        if (synchronise(c, key, arena, &err) >= 0) {
            yl_workqueue_forget(c->queue, key);
        } else if (yl_workqueue_num_requeues(c->queue, key) < MAX_RETRIES) {
            printf("Error syncing Network %.*s: %s\n",
                   YL_STR_ARG(yl_key_text(key, arena)),
                   yl_error_message(&err));
            yl_workqueue_add_rate_limited(c->queue, key);
        } else {
            printf("Dropping Network %.*s out of the queue: %s\n",
                   YL_STR_ARG(yl_key_text(key, arena)),
                   yl_error_message(&err));
            yl_workqueue_forget(c->queue, key);
        }
        yl_error_clear(&err);
        yl_arena_clear(arena);
    }
    yl_arena_free(arena);
    return NULL;
}

/* Puts a Network into the cache that we knew on our last run. */
static int
warm_up(struct controller *c, struct yl_error *err)
{
    struct yl_versioned known = { NULL, 1 };
    int r = yl_object_ingest(
        YL_STR("{\"metadata\":{\"name\":\"mynetwork\","
               "\"namespace\":\"default\",\"uid\":\"known\"},"
               "\"spec\":{\"cidr\":\"10.0.0.0/8\",\"gateway\":\"10.0.0.1\"}}"),
        NULL, &known.object, err);

    if (r == 0) {
        r = yl_store_add(c->store, known, err);
        yl_object_unref(known.object);
    }
    return r;
}

/* Runs until SIGINT or SIGTERM, which 'signals' has and no thread gets. */
static int
run(struct yl_client *client, const sigset_t *signals, struct yl_error *err)
{
    struct controller c = { .store = NULL };
    struct yl_informer_factory *factory = NULL;
    struct yl_informer *informer;
    pthread_t workers[WORKERS];
    int n_workers = 0, signal;
    int r;

    r = yl_informer_factory_new(client, NULL, &factory, err);
    if (r < 0) {
        return r;
    }
    c.queue = yl_workqueue_new(&(struct yl_workqueue_opts) {
        .name = "networks" });
    informer = network_informer(factory, NULL);
    c.store = yl_informer_store(informer);
    r = yl_informer_add_handler(informer, &handler, &c, NULL, NULL, err);
    if (r == 0) {
        r = warm_up(&c, err);
    }
    if (r == 0) {
        yl_informer_factory_start(factory);
        r = yl_informer_factory_wait(factory, 60000, NULL, err);
    }
    if (r == 0) {
        printf("Cache is synced\n");
        fflush(stdout);
        while (n_workers < WORKERS
               && pthread_create(&workers[n_workers], NULL, work, &c) == 0) {
            n_workers++;
        }
        sigwait(signals, &signal);
    }
    yl_workqueue_shut_down(c.queue);
    while (n_workers) {
        pthread_join(workers[--n_workers], NULL);
    }
    yl_informer_factory_free(factory);
    yl_workqueue_free(c.queue);
    return r;
}

int
main(int argc, char *argv[])
{
    struct yl_client_config_opts opts = { .kubeconfig = NULL };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_client_config *config;
    struct yl_client *client;
    sigset_t signals;
    int i, r;

    for (i = 1; i < argc; i++) {
        if (!strncmp(argv[i], "--kubeconfig=", 13)) {
            opts.kubeconfig = argv[i] + 13;
        } else if (!strncmp(argv[i], "--master=", 9)) {
            opts.master = argv[i] + 9;
        } else {
            fprintf(stderr, "usage: %s [--kubeconfig=FILE] [--master=URL]\n",
                    argv[0]);
            return 2;
        }
    }
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    r = yl_client_config_load(&opts, &config, &err);
    if (r == 0) {
        r = yl_client_new(config, NULL, &client, &err);
        yl_client_config_free(config);
    }
    if (r == 0) {
        r = run(client, &signals, &err);
        yl_client_unref(client);
    }
    if (r < 0) {
        fprintf(stderr, "%s: %s\n", argv[0], yl_error_message(&err));
        yl_error_clear(&err);
    }
    return r < 0;
}
