/* The world of the convergence test.  See torture/converge_world.h. */

#include "torture/converge_world.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apiserver/keyspace/keyspace.h"
#include "apiserver/registry/registry.h"
#include "apiserver/server.h"
#include "base/alloc.h"
#include "testenv/testenv.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/json.h"

#define DEPLOYMENTS "/apis/apps/v1/namespaces/default/deployments"
#define CONFIG_MAPS "/api/v1/namespaces/default/configmaps"

/* Watches whose fate is decided in advance. */
#define N_FATES 300

enum { INPUTS, OUTPUTS };       /* Of 'cursors' and 'seen'. */

static const int statuses[] = { 410, 429, 500, 503, 504 };

static uint64_t draw(struct converge_world *, uint64_t below);
static void write_one(struct converge_world *, size_t i);
static void spoil_watch(struct converge_world *);
static void spoil_writes(struct converge_world *);
static void give_way(struct converge_world *);
static void open_cursors(struct converge_world *);
static void close_cursors(struct converge_world *);
static void look_around(struct converge_world *, int which);
static void judge(struct converge_world *, int which,
                  const struct yl_object *, uint64_t revision);
static bool compare(struct converge_world *, int which, struct yl_json list);
static void fail(struct converge_world *, const char *format, ...)
    YL_PRINTF(2, 3);

void
converge_world_init(struct converge_world *world, struct yl_testenv *env,
                    uint64_t seed, size_t n_items)
{
    memset(world, 0, sizeof *world);
    world->env = env;
    world->random = seed * UINT64_C(0xd1342543de82ef95);
    world->items = yl_zalloc(n_items * sizeof *world->items);
    world->n_items = n_items;
    world->arena = yl_arena_new();
    open_cursors(world);
    for (int i = 0; i < N_FATES; i++) {
        spoil_watch(world);
    }
    converge_world_observe(world);      /* What others have written. */
}

void
converge_world_release(struct converge_world *world)
{
    close_cursors(world);
    yl_arena_free(world->arena);
    free(world->items);
}

void
converge_world_fill(struct converge_world *world, unsigned n_rounds)
{
    size_t pause = n_rounds ? world->n_items / n_rounds : 0;

    for (size_t i = 0; i < world->n_items; i++) {
        write_one(world, i);
        if (pause && i % pause == pause - 1) {
            converge_world_trouble(world);
        }
    }
}

void
converge_world_live(struct converge_world *world, unsigned n)
{
    while (n--) {
        write_one(world, draw(world, world->n_items));
    }
}

void
converge_world_trouble(struct converge_world *world)
{
    if (draw(world, 8) == 0) {
        converge_world_kill(world);
    } else {
        spoil_writes(world);
    }

    give_way(world);
}

void
converge_world_kill(struct converge_world *world)
{
    struct yl_error err = YL_ERROR_INIT;

    converge_world_observe(world);
    close_cursors(world);
    yl_testenv_kill(world->env);
    usleep((useconds_t) draw(world, 20000));
    if (yl_testenv_revive(world->env, &err) < 0) {
        fail(world, "the server does not start: %s", yl_error_message(&err));
        yl_error_clear(&err);
        return;
    }
    world->counts.n_kills++;
    open_cursors(world);
}

void
converge_world_calm(struct converge_world *world)
{
    for (unsigned i = 0; i < world->counts.n_faults; i++) {
        world->counts.n_hits += yl_testenv_hits(world->env, (int) i);
    }
    yl_testenv_remove_all(world->env);
}

bool
converge_world_observe(struct converge_world *world)
{
    struct yl_ks_event events[64];
    int n;

    for (int which = INPUTS; which <= OUTPUTS; which++) {
        while (world->cursors[which]
               && (n = yl_ks_cursor_next(world->cursors[which], events,
                                         YL_ARRAY_SIZE(events))) > 0) {
            for (int i = 0; i < n; i++) {
                if (events[i].type != YL_KS_DELETED) {
                    judge(world, which, events[i].object, events[i].revision);
                }
                world->seen[which] = events[i].revision;
                world->counts.n_observed++;
                yl_object_unref(events[i].object);
                yl_object_unref(events[i].previous);
            }
        }
    }
    return !*world->message;
}

bool
converge_world_is_right(struct converge_world *world)
{
    static const char *const paths[] = { DEPLOYMENTS, CONFIG_MAPS };
    struct yl_error err = YL_ERROR_INIT;
    bool right = true;

    for (int which = INPUTS; which <= OUTPUTS && right; which++) {
        struct yl_str body;
        int status = yl_testenv_request(world->env, "GET", paths[which], NULL,
                                        NULL, world->arena, &body, &err);

        if (status != 200) {
            fail(world, "list of %s: %d %s", paths[which], status,
                 yl_error_message(&err));
            yl_error_clear(&err);
            return false;
        }
        right = compare(world, which, yl_json_get(yl_json(body),
                                                  YL_STR("items")));
        yl_arena_clear(world->arena);
    }
    return right;
}

/* splitmix64: the same numbers everywhere. */
static uint64_t
draw(struct converge_world *world, uint64_t below)
{
    uint64_t z = world->random += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (z ^ (z >> 31)) % below;
}

/* Creates, changes or deletes a Deployment. */
static void
write_one(struct converge_world *world, size_t i)
{
    struct converge_item *item = &world->items[i];
    bool delete = draw(world, 4) == 0 && item->wanted;
    struct yl_error err = YL_ERROR_INIT;
    const char *path, *body = NULL;
    struct yl_str answer;
    int status;

    path = yl_arena_printf(world->arena, "%s/d-%zu", DEPLOYMENTS, i);
    if (!item->wanted) {
        path = DEPLOYMENTS;
        body = yl_arena_printf(
            world->arena, "{\"apiVersion\":\"apps/v1\","
            "\"kind\":\"Deployment\",\"metadata\":{\"name\":\"d-%zu\"},"
            "\"spec\":{\"replicas\":%u,\"selector\":{\"matchLabels\":"
            "{\"a\":\"b\"}},\"template\":{\"metadata\":{\"labels\":"
            "{\"a\":\"b\"}},\"spec\":{\"containers\":[{\"name\":\"c\","
            "\"image\":\"i\"}]}}}}", i, item->version + 1);
    } else if (!delete) {
        body = yl_arena_printf(world->arena, "{\"spec\":{\"replicas\":%u}}",
                               item->version + 1);
    }
    status = yl_testenv_request(world->env, delete ? "DELETE" : item->wanted
                                ? "PATCH" : "POST", path,
                                item->wanted ? "application/merge-patch+json"
                                : NULL, body, world->arena, &answer, &err);
    world->counts.n_writes++;
    if (status == 409 && !item->wanted) {
        /* The old one waits for its finalizer. */
    } else if (status != 200 && status != 201) {
        fail(world, "a write to d-%zu: %d %s %.*s", i, status,
             yl_error_message(&err),
             status > 0 ? (int) answer.size : 0, answer.data);
        yl_error_clear(&err);
    } else {
        item->wanted = !delete;
        item->version += !delete;
    }
    yl_arena_clear(world->arena);
}

static void
add_fault(struct converge_world *world, const struct yl_testenv_fault *fault)
{
    yl_testenv_inject(world->env, fault);
    world->counts.n_faults++;
}

/* Lets the controller meet the trouble: until it has written something, but
 * not long. */
static void
give_way(struct converge_world *world)
{
    unsigned enough;

    converge_world_observe(world);      /* What people have written. */
    enough = world->counts.n_observed + (unsigned) (world->n_items / 50);
    for (int i = 0; i < 50 && converge_world_observe(world)
                    && world->counts.n_observed < enough; i++) {
        usleep(2000);
    }
}

/* Decides what becomes of the next watch or list that has no fate yet: most
 * are cut after a few events, some live long enough for a first list. */
static void
spoil_watch(struct converge_world *world)
{
    uint64_t length = draw(world, 20);
    struct yl_testenv_fault fault = {
        .verb = "watch",
        .times = 1,
        .after_events = (unsigned) draw(world, length < 14 ? 20
                                        : length < 18 ? 500 : 10000),
        .inside = draw(world, 2) == 0,
    };

    switch (draw(world, 12)) {
    case 0:
        fault.what = YL_FAULT_END;
        fault.inside = false;
        break;

    case 1:
    case 2:
        fault.what = YL_FAULT_ERROR;
        fault.status = draw(world, 2) ? 410 : 500;
        fault.inside = false;
        break;

    case 3:
    case 4:
        fault.what = YL_FAULT_ANSWER;
        fault.status = statuses[draw(world, YL_ARRAY_SIZE(statuses))];
        break;

    case 5:
    case 6:
        fault.what = YL_FAULT_STALL;
        fault.delay = 10 + (yl_msec) draw(world, 200);
        break;

    case 7:
        fault.what = YL_FAULT_STALL;
        fault.delay = YL_NEVER;
        break;

    case 8:
        fault.verb = "list";
        fault.what = draw(world, 2) ? YL_FAULT_ANSWER : YL_FAULT_CUT;
        fault.status = statuses[draw(world, YL_ARRAY_SIZE(statuses))];
        break;

    default:
        fault.what = YL_FAULT_CUT;
        break;
    }
    add_fault(world, &fault);
}

/* Some of the next writes are refused, delayed, or done without an answer. */
static void
spoil_writes(struct converge_world *world)
{
    static const char *const verbs[] = { "update", "patch", "create",
                                         "delete" };
    struct yl_testenv_fault fault = {
        .verb = verbs[draw(world, YL_ARRAY_SIZE(verbs))],
        .times = 1 + (unsigned) draw(world, 30),
        .every = 1 + (unsigned) draw(world, 3),
        .status = statuses[draw(world, YL_ARRAY_SIZE(statuses))],
    };

    switch (draw(world, 3)) {
    case 0:
        fault.what = YL_FAULT_ANSWER;
        break;

    case 1:
        fault.what = YL_FAULT_CUT;
        fault.inside = true;
        break;

    default:
        fault.what = YL_FAULT_DELAY;
        fault.delay = (yl_msec) draw(world, 50);
        break;
    }
    add_fault(world, &fault);
}

static struct yl_ks_resource *
resource_of(struct converge_world *world, int which)
{
    struct yl_registry *registry = world->env->server->registry;

    return which == INPUTS
           ? yl_registry_builtin(registry, "apps", "deployments")->objects
           : yl_registry_builtin(registry, "", "configmaps")->objects;
}

/* Where the last ones ended; or, if that is history, from now on. */
static void
open_cursors(struct converge_world *world)
{
    const struct yl_ks_scope scope = { .namespace_ = YL_STR("default") };

    for (int which = INPUTS; which <= OUTPUTS; which++) {
        struct yl_ks_resource *resource = resource_of(world, which);

        if (yl_ks_cursor_open(resource, &scope, world->seen[which],
                              &world->cursors[which], NULL) == 0) {
            continue;
        }
        world->seen[which] = yl_testenv_revision(world->env);
        if (yl_ks_cursor_open(resource, &scope, world->seen[which],
                              &world->cursors[which], NULL) < 0) {
            fail(world, "the observer cannot watch");
        }
        look_around(world, which);
    }
}

static void
close_cursors(struct converge_world *world)
{
    for (int which = INPUTS; which <= OUTPUTS; which++) {
        if (world->cursors[which]) {
            yl_ks_cursor_close(world->cursors[which]);
            world->cursors[which] = NULL;
        }
    }
}

/* Judges everything that is there. */
static void
look_around(struct converge_world *world, int which)
{
    const struct yl_ks_scan_opts opts = { .namespace_ = YL_STR("default") };
    struct yl_versioned items[64];
    struct yl_ks_scan *scan;
    int n;

    if (yl_ks_scan_open(resource_of(world, which), &opts, &scan, NULL) < 0) {
        fail(world, "the observer cannot list");
        return;
    }
    while ((n = yl_ks_scan_next(scan, items, YL_ARRAY_SIZE(items))) > 0) {
        for (int i = 0; i < n; i++) {
            judge(world, which, items[i].object, items[i].revision);
            yl_object_unref(items[i].object);
        }
    }
    yl_ks_scan_close(scan);
}

/* The item that a name is about; NULL for objects of others. */
static struct converge_item *
item_of(struct converge_world *world, struct yl_str name)
{
    unsigned long long i;

    return yl_str_starts_with(name, YL_STR("d-"))
           && yl_str_to_u64(yl_str_skip(name, 2), &i) == 0
           && i < world->n_items ? &world->items[i] : NULL;
}

/* A number that is written as such, or in a string; 0 if there is none. */
static unsigned
number_of(struct yl_json value, struct yl_arena *arena)
{
    unsigned long long n;
    struct yl_str text;
    uint64_t direct;

    return yl_json_uint64(value, &direct) == 0 ? (unsigned) direct
           : yl_json_string(value, arena, &text) == 0
             && yl_str_to_u64(text, &n) == 0 ? (unsigned) n : 0;
}

/* No version may be lower than one that was there before. */
static void
judge(struct converge_world *world, int which,
      const struct yl_object *object, uint64_t revision)
{
    struct converge_item *item = item_of(world, yl_object_name(object));
    struct yl_json field;
    unsigned *seen, version;

    if (!item) {
        return;
    }
    field = yl_object_field(object, world->arena,
                            which == INPUTS ? "status" : "data");
    version = number_of(yl_json_get(field, which == INPUTS
                                    ? YL_STR("replicas")
                                    : YL_STR("version")), world->arena);
    seen = which == INPUTS ? &item->seen_status : &item->seen_output;
    if (version && version < *seen) {
        fail(world, "revision %" PRIu64 " writes version %u of %s %.*s over "
             "%u: stale data", revision, version,
             which == INPUTS ? "the status of" : "ConfigMap",
             YL_STR_ARG(yl_object_name(object)), *seen);
    }
    *seen = version > *seen ? version : *seen;
    yl_arena_clear(world->arena);
}

/* Whether the list has what people want, and nothing else. */
static bool
compare(struct converge_world *world, int which, struct yl_json list)
{
    struct yl_json_iter each = yl_json_iter(list);
    size_t n = 0, n_wanted = 0;

    while (yl_json_next(&each)) {
        struct yl_json name = yl_json_path(each.value, "metadata", "name",
                                           (char *) NULL);
        const struct converge_item *item;
        struct yl_str text = YL_STR("");
        unsigned version;

        yl_json_string(name, world->arena, &text);
        item = item_of(world, text);
        if (!item) {
            continue;
        }
        n++;
        version = number_of(which == INPUTS
                            ? yl_json_path(each.value, "status", "replicas",
                                           (char *) NULL)
                            : yl_json_path(each.value, "data", "version",
                                           (char *) NULL), world->arena);
        if (!item->wanted || version != item->version) {
            snprintf(world->difference, sizeof world->difference,
                     "%s %.*s: version %u, not %u",
                     which == INPUTS ? "status of" : "ConfigMap",
                     YL_STR_ARG(text), version,
                     item->wanted ? item->version : 0);
            return false;
        }
    }
    for (size_t i = 0; i < world->n_items; i++) {
        n_wanted += world->items[i].wanted;
    }
    if (n != n_wanted) {
        snprintf(world->difference, sizeof world->difference,
                 "%zu %s, not %zu", n,
                 which == INPUTS ? "Deployments" : "ConfigMaps", n_wanted);
    }
    return n == n_wanted;
}

/* The first thing that went wrong counts. */
static void
fail(struct converge_world *world, const char *format, ...)
{
    va_list args;

    if (!*world->message) {
        va_start(args, format);
        vsnprintf(world->message, sizeof world->message, format, args);
        va_end(args);
    }
}
