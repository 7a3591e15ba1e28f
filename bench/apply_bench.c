/* Ownership of fields: what src/apply costs for one write of a Deployment.
 *
 *     apply_bench
 *
 * CPU time of each part in microseconds, the best of five rounds: the FieldsV1
 * of a creation; reading FieldsV1; an update of one field; an apply that
 * changes nothing and one that changes a field, each with what a server does
 * around it (two trees parsed, two sets read, the configuration validated).
 * It has no peer. */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "apply/updater.h"
#include "base/arena.h"
#include "base/buf.h"
#include "json/tree.h"
#include "yuloh/api/apps_v1.h"
#include "yuloh/error.h"

#define N_ROUNDS 5
#define N_TIMES 5000

/* A Deployment as kubectl applies it, and as it is stored. */
static const char config_text[] =
    "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{"
    "\"labels\":{\"app\":\"web\",\"tier\":\"front\"},\"name\":\"web\"},"
    "\"spec\":{\"replicas\":3,\"selector\":{\"matchLabels\":{\"app\":\"web\"}}"
    ",\"template\":{\"metadata\":{\"labels\":{\"app\":\"web\"}},\"spec\":{"
    "\"containers\":[{\"env\":[{\"name\":\"A\",\"value\":\"1\"},{\"name\":"
    "\"B\",\"value\":\"2\"}],\"image\":\"nginx:1.25\",\"name\":\"web\","
    "\"ports\":[{\"containerPort\":80}],\"resources\":{\"limits\":{\"cpu\":"
    "\"1\",\"memory\":\"1Gi\"}}}]}}}}";

static const char live_text[] =
    "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{"
    "\"creationTimestamp\":\"2026-01-01T00:00:00Z\",\"generation\":1,"
    "\"labels\":{\"app\":\"web\",\"tier\":\"front\"},\"name\":\"web\","
    "\"namespace\":\"default\",\"uid\":\"2f3a1f5c-0000-0000-0000-"
    "000000000000\"},\"spec\":{\"progressDeadlineSeconds\":600,\"replicas\":3"
    ",\"revisionHistoryLimit\":10,\"selector\":{\"matchLabels\":{\"app\":"
    "\"web\"}},\"strategy\":{\"rollingUpdate\":{\"maxSurge\":\"25%\","
    "\"maxUnavailable\":\"25%\"},\"type\":\"RollingUpdate\"},\"template\":{"
    "\"metadata\":{\"labels\":{\"app\":\"web\"}},\"spec\":{\"containers\":[{"
    "\"env\":[{\"name\":\"A\",\"value\":\"1\"},{\"name\":\"B\",\"value\":"
    "\"2\"}],\"image\":\"nginx:1.25\",\"imagePullPolicy\":\"IfNotPresent\","
    "\"name\":\"web\",\"ports\":[{\"containerPort\":80,\"protocol\":\"TCP\"}]"
    ",\"resources\":{\"limits\":{\"cpu\":\"1\",\"memory\":\"1Gi\"}},"
    "\"terminationMessagePath\":\"/dev/termination-log\","
    "\"terminationMessagePolicy\":\"File\"}],\"dnsPolicy\":\"ClusterFirst\","
    "\"restartPolicy\":\"Always\",\"schedulerName\":\"default-scheduler\","
    "\"securityContext\":{},\"terminationGracePeriodSeconds\":30}}},"
    "\"status\":{\"availableReplicas\":3,\"conditions\":[{"
    "\"lastTransitionTime\":\"2026-01-01T00:00:10Z\",\"lastUpdateTime\":"
    "\"2026-01-01T00:00:10Z\",\"message\":\"Deployment has minimum "
    "availability.\",\"reason\":\"MinimumReplicasAvailable\",\"status\":"
    "\"True\",\"type\":\"Available\"}],\"observedGeneration\":1,"
    "\"readyReplicas\":3,\"replicas\":3,\"updatedReplicas\":3}}";

/* What the parts share. */
struct bench {
    struct yl_arena *arena;     /* Cleared after each time. */
    struct yl_typed_as as;
    struct yl_str owned;        /* What the applier owns, as FieldsV1. */
    struct yl_str others;       /* What a controller owns. */
    const char *changed;        /* The configuration with a change. */
};

typedef void part_fn(struct bench *);

static double
cpu_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double) t.tv_sec + (double) t.tv_nsec * 1e-9;
}

static struct yl_node *
parse(struct bench *b, const char *text)
{
    struct yl_node *node;

    if (yl_tree_parse(b->arena, yl_str_c(text), NULL, &node, NULL) < 0) {
        fprintf(stderr, "apply_bench: not JSON\n");
        exit(1);
    }
    return node;
}

static const struct yl_field_set *
read_set(struct bench *b, struct yl_str text)
{
    const struct yl_field_set *set;

    if (yl_field_set_parse(b->arena, text, &set, NULL) < 0) {
        fprintf(stderr, "apply_bench: not FieldsV1\n");
        exit(1);
    }
    return set;
}

static void
part_parse(struct bench *b)
{
    (void) parse(b, live_text);
}

static void
part_create(struct bench *b)
{
    struct yl_node *node = parse(b, live_text);
    struct yl_buf buf;

    yl_buf_init(&buf, 1 << 20);
    yl_typed_write_created(b->arena, b->as, node, NULL, NULL, &buf);
    yl_buf_release(&buf);
}

static void
part_read(struct bench *b)
{
    (void) read_set(b, b->owned);
}

static void
apply(struct bench *b, const char *text, bool update)
{
    struct yl_manager items[2] = {
        { YL_STR("kubectl"), YL_STR("apps/v1"), read_set(b, b->owned), true,
          NULL },
        { YL_STR("controller"), YL_STR("apps/v1"), read_set(b, b->others),
          false, NULL },
    };
    struct yl_managers managers = { items, 2 };
    struct yl_updater updater = { NULL, NULL, NULL };
    struct yl_typed_object live = { parse(b, live_text), b->as,
                                    YL_STR("apps/v1") };
    struct yl_typed_object config = { parse(b, text), b->as,
                                      YL_STR("apps/v1") };
    struct yl_conflicts conflicts;
    const struct yl_node *object;
    struct yl_buf buf;
    int r;

    if (update) {
        r = yl_updater_update(&updater, b->arena, &live, &config, &managers,
                              YL_STR("other"), NULL);
    } else {
        r = yl_typed_validate(b->arena, b->as, config.object, false, NULL);
        if (r == 0) {
            r = yl_updater_apply(&updater, b->arena, &live, &config,
                                 &managers, YL_STR("kubectl"), false, &object,
                                 &conflicts, NULL);
        }
    }
    if (r < 0) {
        fprintf(stderr, "apply_bench: %s\n", yl_error_text(r));
        exit(1);
    }
    yl_buf_init(&buf, 1 << 20);
    yl_field_set_write(&buf, managers.items[0].set);
    yl_buf_release(&buf);
}

static void
part_apply_same(struct bench *b)
{
    apply(b, config_text, false);
}

static void
part_apply_changed(struct bench *b)
{
    apply(b, b->changed, false);
}

static void
part_update(struct bench *b)
{
    apply(b, b->changed, true);
}

static void
measure(struct bench *b, const char *name, part_fn *part)
{
    double best = 1e9;
    int round, i;

    for (round = 0; round < N_ROUNDS; round++) {
        double start = cpu_seconds(), seconds;

        for (i = 0; i < N_TIMES; i++) {
            part(b);
            yl_arena_clear(b->arena);
        }
        seconds = (cpu_seconds() - start) / N_TIMES;
        best = seconds < best ? seconds : best;
    }
    printf("%-48s %8.2f us\n", name, best * 1e6);
}

int
main(void)
{
    struct bench b = { .arena = yl_arena_new() };
    struct yl_buf owned, others;
    char *changed = strdup(config_text);

    *strstr(changed, "1.25") = '2';
    b.changed = changed;
    b.as.type = yl_kind_type(&apps_v1_deployment_kind);
    yl_buf_init(&owned, 1 << 20);
    yl_buf_init(&others, 1 << 20);
    yl_field_set_write(&owned, yl_typed_fields(b.arena, b.as,
                                               parse(&b, config_text)));
    b.owned = yl_buf_str(&owned);
    yl_buf_append_c(&others, "{\"f:status\":{\"f:availableReplicas\":{},"
                             "\"f:conditions\":{\".\":{},\"k:{\\\"type\\\":"
                             "\\\"Available\\\"}\":{\".\":{},\"f:status\":{},"
                             "\"f:type\":{}}},\"f:readyReplicas\":{},"
                             "\"f:replicas\":{},\"f:updatedReplicas\":{}}}");
    b.others = yl_buf_str(&others);
    printf("an object of %zu bytes, a configuration of %zu, FieldsV1 of %zu\n",
           sizeof live_text - 1, sizeof config_text - 1, owned.size);
    measure(&b, "parse the object (in each of the others)", part_parse);
    measure(&b, "create: parse, write FieldsV1", part_create);
    measure(&b, "read FieldsV1", part_read);
    measure(&b, "update: parse, compare, pass on", part_update);
    measure(&b, "apply that changes nothing", part_apply_same);
    measure(&b, "apply that changes a field", part_apply_changed);
    yl_buf_release(&owned);
    yl_buf_release(&others);
    yl_arena_free(b.arena);
    free(changed);
    return 0;
}
