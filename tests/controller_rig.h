#ifndef TESTS_CONTROLLER_RIG_H
#define TESTS_CONTROLLER_RIG_H 1

/* A manager beside an API server in the process, for tests of controllers. */

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/thread.h"
#include "controller/manager.h"
#include "controller/runner.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/client.h"
#include "yuloh/controller.h"
#include "yuloh/error.h"
#include "yuloh/log.h"
#include "yuloh/testenv.h"

static struct yl_testenv *env;
static struct yl_client *the_client;
static struct yl_manager *manager;
static struct yl_arena *scratch;
static struct yl_error fault;

/* What reconciles have told with note_call(). */
static struct yl_mutex calls_lock = YL_MUTEX_INIT;
static struct yl_cond calls_changed;
static atomic_uint n_calls;
static char last_name[64], last_reason[256];
static bool last_existed;

/* Log lines of failing reconciles are no news here. */
static void
drop_line(const struct yl_log_sink *sink YL_UNUSED,
          const char *line YL_UNUSED, size_t size YL_UNUSED)
{
}

static const struct yl_log_sink quiet = { drop_line };

static void
begin_in(const struct yl_testenv_opts *env_opts,
         const struct yl_manager_opts *opts)
{
    struct yl_manager_opts filled = *opts;
    struct yl_client_config config;

    scratch = yl_arena_new();
    yl_log_set_sink(&quiet);
    n_calls = 0;
    yl_cond_init(&calls_changed);
    if (yl_testenv_new(env_opts, &env, &fault) < 0) {
        fail_msg("%s", yl_error_message(&fault));
    }
    config = yl_testenv_client_config(env);
    assert_int_equal(yl_client_new(&config, NULL, &the_client, &fault), 0);
    filled.client = the_client;
    filled.clock = yl_testenv_clock(env);
    assert_int_equal(yl_manager_new(&filled, &manager, &fault), 0);
}

__attribute__((unused)) static void
begin_with(const struct yl_manager_opts *opts)
{
    begin_in(NULL, opts);
}

__attribute__((unused)) static void
begin(void)
{
    begin_with(&(struct yl_manager_opts) { .client = NULL });
}

/* No time passes but what yl_testenv_advance() lets pass. */
__attribute__((unused)) static void
begin_held(void)
{
    begin_in(&(struct yl_testenv_opts) { .held_clock = true },
             &(struct yl_manager_opts) { .client = NULL });
}

__attribute__((unused)) static void
start(const struct yl_controller *controller)
{
    if (yl_manager_add(manager, controller, &fault) < 0
        || yl_manager_start(manager, &fault) < 0) {
        fail_msg("%s", yl_error_message(&fault));
    }
    while (!yl_manager_is_ready(manager)) {
        sched_yield();
    }
}

__attribute__((unused)) static void
end(void)
{
    yl_manager_free(manager);
    yl_client_unref(the_client);
    yl_testenv_free(env);
    yl_arena_free(scratch);
    yl_cond_destroy(&calls_changed);
    yl_error_clear(&fault);
}

__attribute__((unused)) static void
note_call(struct yl_request *req)
{
    yl_mutex_lock(&calls_lock);
    n_calls++;
    snprintf(last_name, sizeof last_name, "%.*s",
             YL_STR_ARG(yl_request_key(req)->name));
    snprintf(last_reason, sizeof last_reason, "%s", yl_request_reason(req));
    last_existed = yl_request_object(req) != NULL;
    yl_cond_broadcast(&calls_changed);
    yl_mutex_unlock(&calls_lock);
}

/* Waits until note_call() was called 'n' times in all. */
__attribute__((unused)) static void
wait_for_calls(unsigned n)
{
    yl_mutex_lock(&calls_lock);
    while (n_calls < n) {
        yl_cond_wait(&calls_changed, &calls_lock);
    }
    yl_mutex_unlock(&calls_lock);
}

__attribute__((unused)) static void
apply(const char *yaml)
{
    if (yl_testenv_apply(env, yaml, &fault) < 0) {
        fail_msg("%s", yl_error_message(&fault));
    }
}

/* Waits until the worker has given the key back, so that everything that
 * follows a reconcile has happened. */
__attribute__((unused)) static void
wait_until_idle(void)
{
    while (!yl_manager_is_idle(manager)) {
        sched_yield();
    }
}

/* The same of one controller. */
__attribute__((unused)) static void
wait_until_idle_of(struct yl_runner *runner)
{
    while (!yl_runner_is_idle(runner)) {
        sched_yield();
    }
}

#define CONFIG_MAP(NAME, MORE)                                                \
    "apiVersion: v1\nkind: ConfigMap\n"                                       \
    "metadata: {name: " NAME ", namespace: default}\n" MORE "\n"

#endif /* tests/controller_rig.h */
