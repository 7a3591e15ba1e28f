/* Waiting until nothing is left to do.  See yuloh/testenv.h for the contract.
 *
 * The order makes it right.  Data flows from the server through informers into
 * queues and, by workers, back into the server.  If, looking in this order,
 * every station is found empty, and the server is found unchanged at last,
 * then nothing can have passed behind our back: whatever left a station after
 * we had looked at it either is found in the next one, or was written.
 *
 *     revision R -> informers at R, settled -> queues idle -> still R?
 *
 * An informer learns its revision from events.  The last ones may be about
 * objects that it does not select, so the server is asked for bookmarks. */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "apiserver/server.h"
#include "apiserver/watch/hub.h"
#include "testenv/testenv.h"
#include "yuloh/error.h"
#include "yuloh/informer.h"
#include "yuloh/manager.h"

#define DEFAULT_TIMEOUT 30000

/* What a look at all informers of a factory found. */
struct look {
    uint64_t revision;
    bool quiet;
    char *why;
    size_t why_size;
};

static void ask_bookmarks(struct yl_testenv *);
static bool is_manager_quiet(void *manager, uint64_t revision, char *why,
                             size_t why_size);
static void look_at(void *look, struct yl_informer *);

int
yl_testenv_settle(struct yl_testenv *env, struct yl_manager *manager,
                  yl_msec timeout, struct yl_error *err)
{
    return yl_testenv_await(env, is_manager_quiet, manager, timeout, err);
}

int
yl_testenv_await(struct yl_testenv *env, yl_testenv_quiet_fn *is_quiet,
                 void *aux, yl_msec timeout, struct yl_error *err)
{
    yl_msec end = yl_now(NULL) + (timeout ? timeout : DEFAULT_TIMEOUT);
    char why[256] = "";

    /* The pauses grow from 50 microseconds to 5 milliseconds: most of the time
     * it takes less than one. */
    for (useconds_t pause = 50;; pause = pause < 5000 ? pause * 2 : pause) {
        uint64_t revision = yl_testenv_revision(env);

        if (is_quiet(aux, revision, why, sizeof why)
            && yl_testenv_revision(env) == revision) {
            return 0;
        }
        if (yl_now(NULL) >= end) {
            return yl_error_set(err, YL_ETIMEOUT, "it does not settle%s%s",
                                *why ? ": " : "", why);
        }
        ask_bookmarks(env);
        usleep(pause);
    }
}

static void
ask_bookmarks(struct yl_testenv *env)
{
    yl_mutex_lock(&env->lock);
    if (env->http) {
        yl_watch_hub_ask_bookmarks(env->server->watches);
    }
    yl_mutex_unlock(&env->lock);
}

static bool
is_manager_quiet(void *manager_, uint64_t revision, char *why,
                 size_t why_size)
{
    struct yl_manager *manager = manager_;
    struct look look = {
        .revision = revision, .quiet = true, .why = why, .why_size = why_size,
    };

    if (!yl_manager_is_ready(manager)) {
        snprintf(why, why_size, "the manager is not ready");
        return false;
    }
    yl_informer_factory_each(yl_manager_factory(manager), look_at, &look);
    if (look.quiet && !yl_manager_is_idle(manager)) {
        snprintf(why, why_size, "keys are ready, out or wait for writes");
        return false;
    }
    return look.quiet;
}

static void
look_at(void *look_, struct yl_informer *informer)
{
    struct look *look = look_;
    uint64_t seen = yl_informer_revision(informer);

    if (look->quiet && seen < look->revision) {
        snprintf(look->why, look->why_size,
                 "%s: has seen revision %llu, not %llu",
                 yl_informer_name(informer), (unsigned long long) seen,
                 (unsigned long long) look->revision);
        look->quiet = false;
    } else if (look->quiet && !yl_informer_is_settled(informer)) {
        snprintf(look->why, look->why_size,
                 "%s: a handler has not heard of everything",
                 yl_informer_name(informer));
        look->quiet = false;
    }
}
