/* torture-elected: a replica that works while it is the leader.
 *
 *     build/tests/torture-elected KUBECONFIG IDENTITY
 *
 * Its work is to write its identity into the ConfigMap default/work, again and
 * again.  Before each write it asks whether it leads; and each write names the
 * revision before it, so that one that was delayed on its way is refused, as
 * yuloh/leader_election.h advises.  Ends when it has lost its leadership, or
 * with SIGTERM, which releases the Lease.  For election.py. */

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "yuloh/api/core_v1.h"
#include "yuloh/arena.h"
#include "yuloh/cancel.h"
#include "yuloh/client.h"
#include "yuloh/client_config.h"
#include "yuloh/error.h"
#include "yuloh/leader_election.h"

static struct yl_client *client;
static _Atomic(struct yl_leader_election *) election;   /* NULL at first. */
static const char *identity;
static pthread_t worker;
static struct yl_cancel *cancel;

static const struct yl_key work_key = {
    YL_STR_INIT("default"), YL_STR_INIT("work"),
};

static void
check(int r, struct yl_error *err)
{
    if (r < 0) {
        fprintf(stderr, "torture-elected: %s\n", yl_error_message(err));
        exit(1);
    }
}

static void *
work(void *unused)
{
    struct yl_resource maps = yl_resource_of(&core_v1_config_map_kind);
    const struct yl_call_opts opts = {
        .cancel = cancel, .timeout = 1000, .max_retries = -1,
    };
    struct yl_arena *arena = yl_arena_new();
    uint64_t revision = 0;

    (void) unused;
    while (!election) {
        usleep(1000);
    }
    for (unsigned n = 0; !yl_cancel_is_set(cancel); n++, usleep(500)) {
        struct yl_versioned have = { NULL, 0 };
        struct yl_str patch;
        int r;

        if (!revision) {
            r = yl_client_get(client, &maps, &work_key, &opts, &have, NULL);
        } else {
            patch = yl_str_c(yl_arena_printf(
                arena, "{\"metadata\":{\"resourceVersion\":\"%" PRIu64 "\"},"
                "\"data\":{\"by\":\"%s\",\"n\":\"%u\"}}", revision, identity,
                n));
            if (!yl_leader_election_is_leader(election)) {
                continue;
            }
            r = yl_client_patch(client, &maps, &work_key, YL_PATCH_MERGE,
                                patch, &opts, &have, NULL);
        }
        revision = r < 0 ? 0 : have.revision;
        yl_object_unref(have.object);
        yl_arena_clear(arena);
    }
    yl_arena_free(arena);
    return NULL;
}

static atomic_bool started;

static void
on_started(void *unused)
{
    (void) unused;
    cancel = yl_cancel_new();
    if (pthread_create(&worker, NULL, work, NULL) == 0) {
        started = true;
    }
}

static void
on_stopped(void *unused)
{
    (void) unused;
    yl_cancel_now(cancel);
    if (started) {
        pthread_join(worker, NULL);
    }
    yl_cancel_unref(cancel);
}

int
main(int argc, char *argv[])
{
    const struct timespec moment = { 0, 20 * 1000 * 1000 };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_client_config *loaded, config;
    struct yl_leader_election *mine;
    sigset_t signals;

    if (argc != 3) {
        fprintf(stderr, "usage: torture-elected KUBECONFIG IDENTITY\n");
        return 2;
    }
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    identity = argv[2];
    check(yl_client_config_load(&(struct yl_client_config_opts) {
        .kubeconfig = argv[1],
    }, &loaded, &err), &err);
    config = *loaded;
    config.user_agent = identity;
    check(yl_client_new(&config, NULL, &client, &err), &err);
    yl_client_config_free(loaded);
    check(yl_leader_election_start(&(struct yl_leader_election_opts) {
        .client = client,
        .lease = yl_key_make(YL_STR("default"), YL_STR("torture")),
        .identity = identity,
        .lease_duration = 2000, .renew_deadline = 1200, .retry_period = 200,
        .started = on_started, .stopped = on_stopped,
    }, &mine, &err), &err);
    election = mine;
    while (!yl_leader_election_has_ended(mine)
           && sigtimedwait(&signals, NULL, &moment) < 0) {
        continue;
    }
    yl_leader_election_free(mine);
    yl_client_unref(client);
    return 0;
}
