/* Records compared with DOMs: a Pod's bytes into a struct, and back.
 *
 * The same Pods, without managedFields, are decoded into records by their
 * descriptors and parsed by the DOMs; then written again by both.  Every
 * figure is CPU time, best of five rounds in which the sides take turns. */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cjson/cJSON.h>
#include <jansson.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "corpus.h"
#include "json/split.h"
#include "yuloh/api/core_v1.h"
#include "yuloh/json.h"

#define N_ROUNDS 5
#define CORPUS_SIZE ((size_t) 8 << 20)

struct pods {
    struct yl_str *texts;
    size_t n;
    size_t size;                /* Of all texts. */
};

static int n_wrong, n_missed;
static size_t n_mallocs;
void *__real_malloc(size_t);
void *__wrap_malloc(size_t);
void *__real_realloc(void *, size_t);
void *__wrap_realloc(void *, size_t);

void *
__wrap_malloc(size_t size)
{
    n_mallocs++;
    return __real_malloc(size);
}

void *
__wrap_realloc(void *old, size_t size)
{
    n_mallocs++;
    return __real_realloc(old, size);
}

static double
cpu_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double) t.tv_sec + (double) t.tv_nsec * 1e-9;
}

/* Each side returns a number that it can know only by doing the work: how many
 * containers the Pods have. */

static size_t
decode_yuloh(const struct pods *pods, struct yl_arena *arena, bool write)
{
    size_t i, n = 0;

    for (i = 0; i < pods->n; i++) {
        struct core_v1_pod pod;

        if (core_v1_pod_decode(yl_json(pods->texts[i]), arena, NULL, &pod,
                               NULL) == 0) {
            n += pod.spec.n_containers;
            if (write) {
                n_wrong += core_v1_pod_encode(&pod, arena).size == 0;
            }
        }
        yl_arena_clear(arena);
    }
    return n;
}

static size_t
decode_jansson(const struct pods *pods, bool write)
{
    size_t i, n = 0;

    for (i = 0; i < pods->n; i++) {
        json_t *root = json_loadb(pods->texts[i].data, pods->texts[i].size,
                                  0, NULL);

        n += json_array_size(json_object_get(json_object_get(root, "spec"),
                                             "containers"));
        if (write) {
            free(json_dumps(root, JSON_COMPACT));
        }
        json_decref(root);
    }
    return n;
}

static size_t
decode_cjson(const struct pods *pods, bool write)
{
    size_t i, n = 0;

    for (i = 0; i < pods->n; i++) {
        cJSON *root = cJSON_ParseWithLength(pods->texts[i].data,
                                            pods->texts[i].size);
        cJSON *spec = cJSON_GetObjectItemCaseSensitive(root, "spec");

        n += (size_t) cJSON_GetArraySize(
            cJSON_GetObjectItemCaseSensitive(spec, "containers"));
        if (write) {
            cJSON_free(cJSON_PrintUnformatted(root));
        }
        cJSON_Delete(root);
    }
    return n;
}

static void
keep_best(double *best, double since)
{
    double seconds = cpu_seconds() - since;

    if (*best == 0 || seconds < *best) {
        *best = seconds;
    }
}

static void
run(const char *name, const struct pods *pods, bool write, double goal)
{
    struct yl_arena *arena = yl_arena_new();
    double yuloh = 0, jansson = 0, cjson = 0;
    size_t ours = 0, mallocs = 0;
    int round;

    for (round = 0; round < N_ROUNDS; round++) {
        double start = cpu_seconds();

        mallocs = n_mallocs;
        ours = decode_yuloh(pods, arena, write);
        mallocs = n_mallocs - mallocs;
        keep_best(&yuloh, start);
        start = cpu_seconds();
        n_wrong += decode_jansson(pods, write) != ours;
        keep_best(&jansson, start);
        start = cpu_seconds();
        n_wrong += decode_cjson(pods, write) != ours;
        keep_best(&cjson, start);
    }
    yl_arena_free(arena);
    printf("%-18s %8.0f %8.0f %8.0f   %.1fx jansson", name,
           (double) pods->size / yuloh / 1e6,
           (double) pods->size / jansson / 1e6,
           (double) pods->size / cjson / 1e6, jansson / yuloh);
    if (goal > 0) {
        printf(" (goal %g: %s)", goal,
               jansson / yuloh >= goal ? "met" : "MISSED");
        n_missed += jansson / yuloh < goal;
    }
    printf(", %.1fx cJSON; %.3f mallocs a Pod\n", cjson / yuloh,
           (double) mallocs / (double) pods->n);
}

int
main(void)
{
    struct pods pods = { 0 };
    struct yl_splitter s;
    struct yl_buf list;
    struct yl_str text;
    size_t max = 0;

    yl_buf_init(&list, CORPUS_SIZE * 2);
    corpus_list(&list, CORPUS_PLAIN_PODS, true, CORPUS_SIZE);
    yl_splitter_init_over(&s, YL_SPLIT_LIST, 0, yl_buf_str(&list));
    while (yl_splitter_next(&s, &text, NULL) == YL_SPLIT_VALUE) {
        if (pods.n == max) {
            max = max * 2 + 64;
            pods.texts = yl_realloc_array(pods.texts, max,
                                          sizeof *pods.texts);
        }
        pods.texts[pods.n++] = text;
        pods.size += text.size;
    }
    yl_splitter_release(&s);

    printf("%zu Pods of %zu B on average; MB/s of CPU\n\n", pods.n,
           pods.size / pods.n);
    printf("%-18s %8s %8s %8s\n", "", "Yuloh", "jansson", "cJSON");
    run("decode", &pods, false, 4);
    run("decode + encode", &pods, true, 0);

    free(pods.texts);
    yl_buf_release(&list);
    printf("\nrecord: %d goals missed, %d wrong results\n", n_missed, n_wrong);
    return n_wrong ? 1 : 0;
}
