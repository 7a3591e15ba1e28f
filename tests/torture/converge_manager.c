/* The controller of the convergence test as people write it: a table and a
 * function.  See torture/converge_world.h for what it has to do.
 *
 * With an odd seed it has a finalizer and cleans up; with an even one it is
 * told that the Deployment is gone. */

#include <stdio.h>
#include <stdlib.h>

#include "torture/converge.h"
#include "yuloh/api/apps_v1_client.h"
#include "yuloh/api/core_v1_client.h"
#include "yuloh/arena.h"
#include "yuloh/client.h"
#include "yuloh/controller.h"
#include "yuloh/informer.h"
#include "yuloh/log.h"
#include "yuloh/manager.h"
#include "yuloh/rate_limiter.h"
#include "yuloh/testenv.h"

struct managed {
    struct yl_client *client;
    struct yl_rate_limiter *limiter;
    struct yl_controller controller;
    struct yl_manager *manager;
};

static void check(int r, struct yl_error *err);

static int
clean_up(struct yl_request *req)
{
    return yl_request_delete(req, &core_v1_config_map_kind,
                             yl_request_key(req), yl_str_null());
}

static int
reconcile(struct yl_request *req)
{
    const struct apps_v1_deployment *deployment = apps_v1_deployment_of(req);
    struct yl_arena *arena = yl_request_arena(req);
    struct yl_string_pair data = { .key = "version" };
    struct core_v1_config_map want = { .data = &data, .n_data = 1 };
    int r;

    if (!deployment) {
        return clean_up(req);
    }
    data.value = yl_arena_printf(arena, "%d", *deployment->spec.replicas);
    want.metadata.name = deployment->metadata.name;
    r = core_v1_config_map_apply_owned(req, &want, NULL);
    return r < 0 ? r : apps_v1_deployment_update_status(
        req, &(struct apps_v1_deployment_status) {
            .replicas = *deployment->spec.replicas,
            .observed_generation = deployment->metadata.generation,
        });
}

/* Failed reconciles are no news here. */
static void
drop_line(const struct yl_log_sink *sink YL_UNUSED,
          const char *line YL_UNUSED, size_t size YL_UNUSED)
{
}

static void *
start(struct yl_testenv *env, uint64_t seed)
{
    static const struct yl_log_sink quiet = { drop_line };
    static const struct yl_watch watches[] = {
        { .for_ = &apps_v1_deployment_kind, .namespace_ = "default" },
        { .owns = &core_v1_config_map_kind, .namespace_ = "default" },
        { .for_ = NULL },
    };
    const struct yl_informer_factory_opts informers = {
        .reflector = converge_reflector(seed),
    };
    struct yl_client_config config = yl_testenv_client_config(env);
    struct managed *m = calloc(1, sizeof *m);
    struct yl_error err = YL_ERROR_INIT;

    yl_log_set_sink(&quiet);
    check(yl_client_new(&config, NULL, &m->client, &err), &err);
    m->limiter = yl_rate_limiter_exponential_new(2, 500);
    m->controller = (struct yl_controller) {
        .name = "converge", .reconcile = reconcile, .watches = watches,
        .cleanup = seed % 2 ? clean_up : NULL,
        .finalizer = seed % 2 ? "example.com/converge" : NULL,
        .workers = 4, .limiter = m->limiter, .own_write_timeout = 2000,
    };
    check(yl_manager_new(&(struct yl_manager_opts) {
        .client = m->client, .informers = &informers,
    }, &m->manager, &err), &err);
    check(yl_manager_add(m->manager, &m->controller, &err), &err);
    check(yl_manager_start(m->manager, &err), &err);
    return m;
}

static void
stop(void *managed)
{
    struct managed *m = managed;
    struct yl_error err = YL_ERROR_INIT;

    yl_manager_stop(m->manager);
    check(yl_manager_join(m->manager, &err), &err);
    yl_manager_free(m->manager);
    yl_rate_limiter_free(m->limiter);
    yl_client_unref(m->client);
    free(m);
    yl_log_set_sink(NULL);
}

static void
explain(void *managed)
{
    struct managed *m = managed;

    yl_informer_factory_each(yl_manager_factory(m->manager),
                             converge_explain, NULL);
    fprintf(stderr, "the manager is %s\n",
            yl_manager_is_idle(m->manager) ? "idle" : "at work");
}

static void
check(int r, struct yl_error *err)
{
    if (r < 0) {
        fprintf(stderr, "converge: %s\n", yl_error_message(err));
        exit(1);
    }
}

const struct converge_controller converge_manager = {
    .name = "manager", .start = start, .stop = stop, .explain = explain,
};
