/* A controller that is put together by hand from the stations of the library:
 * informers, a work queue, a client.
 *
 *     informers of Deployments and ConfigMaps -> keys -> queue -> workers
 *
 * See torture/converge_world.h for what it has to do. */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "torture/converge.h"
#include "yuloh/api/apps_v1.h"
#include "yuloh/api/core_v1.h"
#include "yuloh/arena.h"
#include "yuloh/client.h"
#include "yuloh/error.h"
#include "yuloh/informer.h"
#include "yuloh/json.h"
#include "yuloh/rate_limiter.h"
#include "yuloh/testenv.h"
#include "yuloh/workqueue.h"

#define N_WORKERS 4

struct stations {
    struct yl_client *client;
    struct yl_informer_factory *factory;
    struct yl_resource deployment, config_map;
    struct yl_informer *deployments, *config_maps;
    struct yl_rate_limiter *limiter;
    struct yl_workqueue *queue;
    pthread_t workers[N_WORKERS];
};

static void check(int r, struct yl_error *err);
static void *work(void *stations);
static int reconcile(struct stations *, const struct yl_key *,
                     struct yl_arena *, struct yl_error *err);

static void
enqueue(struct stations *s, const struct yl_versioned *item)
{
    struct yl_key key = yl_object_key(item->object);

    yl_workqueue_add(s->queue, &key);
}

static void
on_added(void *aux, const struct yl_versioned *item, bool initial)
{
    (void) initial;
    enqueue(aux, item);
}

static void
on_updated(void *aux, const struct yl_versioned *old,
           const struct yl_versioned *item)
{
    (void) old;
    enqueue(aux, item);
}

static void
on_deleted(void *aux, const struct yl_versioned *item, bool tombstone)
{
    (void) tombstone;
    enqueue(aux, item);
}

static const struct yl_handler handler = {
    .added = on_added, .updated = on_updated, .deleted = on_deleted,
};

static void *
start(struct yl_testenv *env, uint64_t seed)
{
    const struct yl_informer_factory_opts opts = {
        .reflector = converge_reflector(seed),
    };
    const struct yl_informer_scope scope = {
        .namespace_ = YL_STR("default"),
    };
    struct yl_client_config config = yl_testenv_client_config(env);
    struct stations *s = calloc(1, sizeof *s);
    struct yl_error err = YL_ERROR_INIT;

    check(yl_client_new(&config, NULL, &s->client, &err), &err);
    s->deployment = yl_resource_of(&apps_v1_deployment_kind);
    s->config_map = yl_resource_of(&core_v1_config_map_kind);

    /* Not the default, which lets 10 keys in a second fail. */
    s->limiter = yl_rate_limiter_exponential_new(2, 500);
    s->queue = yl_workqueue_new(&(struct yl_workqueue_opts) {
        .limiter = s->limiter,
    });
    check(yl_informer_factory_new(s->client, &opts, &s->factory, &err), &err);
    s->deployments = yl_informer_factory_get(s->factory, &s->deployment,
                                             &scope);
    s->config_maps = yl_informer_factory_get(s->factory, &s->config_map,
                                             &scope);
    check(yl_informer_add_handler(s->deployments, &handler, s, NULL, NULL,
                                  &err), &err);
    check(yl_informer_add_handler(s->config_maps, &handler, s, NULL, NULL,
                                  &err), &err);
    yl_informer_factory_start(s->factory);
    for (int i = 0; i < N_WORKERS; i++) {
        check(-pthread_create(&s->workers[i], NULL, work, s), &err);
    }
    return s;
}

static void
stop(void *stations)
{
    struct stations *s = stations;

    yl_workqueue_shut_down(s->queue);
    for (int i = 0; i < N_WORKERS; i++) {
        pthread_join(s->workers[i], NULL);
    }
    yl_informer_factory_free(s->factory);
    yl_workqueue_free(s->queue);
    yl_rate_limiter_free(s->limiter);
    yl_client_unref(s->client);
    free(s);
}

static void
explain(void *stations)
{
    struct stations *s = stations;
    struct yl_workqueue_stats stats;

    yl_informer_factory_each(s->factory, converge_explain, NULL);
    yl_workqueue_get_stats(s->queue, &stats);
    fprintf(stderr, "queue: %zu ready, %zu waiting, %zu out\n", stats.n_ready,
            stats.n_waiting, stats.n_out);
}

static void
check(int r, struct yl_error *err)
{
    if (r < 0) {
        fprintf(stderr, "converge: %s\n", yl_error_message(err));
        exit(1);
    }
}

static void *
work(void *stations)
{
    struct stations *s = stations;
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    const struct yl_key *key;

    /* Before both caches are complete, what is missing may only be unknown. */
    while (!(yl_informer_has_synced(s->deployments)
             && yl_informer_has_synced(s->config_maps))
           && !yl_workqueue_shutting_down(s->queue)) {
        struct yl_informer *both[] = { s->deployments, s->config_maps };

        yl_wait_for_cache_sync(both, 2, 100, NULL, NULL);
    }
    for (; (key = yl_workqueue_get(s->queue)) != NULL;
         yl_workqueue_done(s->queue, key)) {
        if (reconcile(s, key, arena, &err) < 0) {
            yl_workqueue_add_rate_limited(s->queue, key);
        } else {
            yl_workqueue_forget(s->queue, key);
        }
        yl_error_clear(&err);
        yl_arena_clear(arena);
    }
    yl_arena_free(arena);
    return NULL;
}

/* The number that a member of an object has, as such or in a string; 0 if it
 * has none. */
static unsigned long long
number_in(const struct yl_object *object, const char *field,
          struct yl_str member, struct yl_arena *arena)
{
    struct yl_json value = yl_json_get(yl_object_field(object, arena, field),
                                       member);
    unsigned long long number = 0;
    struct yl_str text = YL_STR("");
    int64_t direct;

    if (yl_json_int64(value, &direct) == 0) {
        return (unsigned long long) direct;
    }
    yl_json_string(value, arena, &text);
    return yl_str_to_u64(text, &number) == 0 ? number : 0;
}

static int
write_output(struct stations *s, const struct yl_key *key,
             const struct yl_object *input, unsigned long long version,
             const struct yl_versioned *output, struct yl_arena *arena,
             struct yl_error *err)
{
    const char *revision = output ? yl_arena_printf(
        arena, ",\"resourceVersion\":\"%llu\"",
        (unsigned long long) output->revision) : "";
    struct yl_str json = yl_str_c(yl_arena_printf(
        arena, "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":"
        "{\"name\":\"%.*s\",\"namespace\":\"default\"%s,\"ownerReferences\":"
        "[{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"name\":"
        "\"%.*s\",\"uid\":\"%.*s\",\"controller\":true}]},"
        "\"data\":{\"version\":\"%llu\"}}", YL_STR_ARG(key->name), revision,
        YL_STR_ARG(key->name), YL_STR_ARG(yl_object_uid(input)), version));

    return output ? yl_client_update(s->client, &s->config_map, key, json,
                                     NULL, NULL, err)
           : yl_client_create(s->client, &s->config_map, key->namespace_,
                              json, NULL, NULL, err);
}

static int
write_status(struct stations *s, const struct yl_key *key,
             const struct yl_versioned *input, unsigned long long version,
             struct yl_arena *arena, struct yl_error *err)
{
    const struct yl_call_opts opts = { .subresource = "status" };

    return yl_client_patch(
        s->client, &s->deployment, key, YL_PATCH_MERGE,
        yl_str_c(yl_arena_printf(
            arena, "{\"metadata\":{\"resourceVersion\":\"%llu\"},"
            "\"status\":{\"replicas\":%llu,\"observedGeneration\":%lld}}",
            (unsigned long long) input->revision, version,
            (long long) yl_object_generation(input->object))),
        &opts, NULL, err);
}

static int
reconcile(struct stations *s, const struct yl_key *key,
          struct yl_arena *arena, struct yl_error *err)
{
    struct yl_versioned input, output;
    bool has_input = yl_store_get(yl_informer_store(s->deployments), key,
                                  arena, &input);
    bool has_output = yl_store_get(yl_informer_store(s->config_maps), key,
                                   arena, &output);
    unsigned long long version;
    int r = 0;

    if (!has_input) {
        struct yl_delete_opts which = {
            .uid = has_output ? yl_object_uid(output.object) : yl_str_null(),
        };

        r = has_output ? yl_client_delete(s->client, &s->config_map, key,
                                          &which, NULL, NULL, err) : 0;
        return r == YL_ENOTFOUND ? 0 : r;
    }
    version = number_in(input.object, "spec", YL_STR("replicas"), arena);
    if (!has_output || number_in(output.object, "data", YL_STR("version"),
                                 arena) != version) {
        r = write_output(s, key, input.object, version,
                         has_output ? &output : NULL, arena, err);
    }
    if (r == 0 && number_in(input.object, "status", YL_STR("replicas"),
                            arena) != version) {
        r = write_status(s, key, &input, version, arena, err);
    }
    return r;
}

const struct converge_controller converge_stations = {
    .name = "stations", .start = start, .stop = stop, .explain = explain,
};
