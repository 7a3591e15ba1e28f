/* JSON compared with other libraries: validating, splitting and finding facts,
 * building blocks, canonical copies.
 *
 * Every figure is CPU time for the same 50 MB of List, best of five rounds in
 * which the sides take turns, so that a noisy moment hits all of them.  Where
 * two sides find facts, the facts are compared.  What each side does is in the
 * function of its name. */

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cjson/cJSON.h>
#include <jansson.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "corpus.h"
#include "json/bits.h"
#include "json/split.h"
#include "json/tree.h"
#include "peers.h"
#include "yuloh/error.h"
#include "yuloh/json.h"
#include "yuloh/object.h"

#define CORPUS_SIZE ((size_t) 50 << 20)
#define N_ROUNDS 5

struct input {
    struct yl_str text;
    size_t capacity;            /* simdjson reads a little behind the text. */
    struct simdjson_peer *simdjson;
};

/* One side of a comparison.  It returns what it found, so that the compiler
 * cannot leave the work out. */
typedef struct facts side_fn(const struct input *);

struct row {
    const char *name;
    side_fn *yuloh, *cjson, *jansson, *simdjson;
    bool compare;               /* Must all sides find the same facts? */
    double goal_cjson, goal_simdjson;   /* Least ratio; 0 if there is none. */
};

static int n_wrong, n_missed;

/* Validation
 * ========== */

static struct facts
validate_yuloh(const struct input *input)
{
    struct facts facts = { 0 };

    facts.n_items = yl_json_validate(input->text, NULL, NULL) == 0;
    return facts;
}

static struct facts
validate_cjson(const struct input *input)
{
    struct facts facts = { 0 };
    cJSON *root = cJSON_ParseWithLength(input->text.data, input->text.size);

    facts.n_items = root != NULL;
    cJSON_Delete(root);
    return facts;
}

static struct facts
validate_jansson(const struct input *input)
{
    struct facts facts = { 0 };
    json_t *root = json_loadb(input->text.data, input->text.size, 0, NULL);

    facts.n_items = root != NULL;
    json_decref(root);
    return facts;
}

static struct facts
validate_simdjson(const struct input *input)
{
    struct facts facts = { 0 };

    facts.n_items = simdjson_peer_validate(input->simdjson, input->text.data,
                                           input->text.size) == 0;
    return facts;
}

/* Split and find facts
 * ==================== */

static void
add_metadata(struct facts *facts, struct yl_json metadata)
{
    struct yl_json_iter it = yl_json_iter(metadata);

    while (yl_json_next(&it)) {
        struct yl_str raw = yl_str_range(it.value.start, it.value.limit);
        int64_t number = 0;

        switch (fact_of(it.key.data, it.key.size)) {
        case FACT_STRING:
            facts->strings += fact_sum(raw.data + 1, raw.size - 2);
            break;
        case FACT_NUMBER:
            yl_json_int64(it.value, &number);
            facts->numbers += (unsigned long long) number;
            break;
        case FACT_SPAN:
            facts->spans += fact_sum(raw.data, raw.size);
            break;
        case FACT_PRESENT:
            facts->numbers++;
            break;
        case FACT_NONE:
        default:
            break;
        }
    }
}

static struct facts
facts_yuloh(const struct input *input)
{
    struct facts facts = { 0 };
    struct yl_splitter s;
    struct yl_str item;

    yl_splitter_init_over(&s, YL_SPLIT_LIST, 0, input->text);
    while (yl_splitter_next(&s, &item, NULL) == YL_SPLIT_VALUE) {
        add_metadata(&facts, yl_json_get(yl_json(item), YL_STR("metadata")));
        facts.n_items++;
    }
    yl_splitter_release(&s);
    return facts;
}

/* A DOM has no spans, and looks its members up. */
static struct facts
facts_cjson(const struct input *input)
{
    struct facts facts = { 0 };
    cJSON *root = cJSON_ParseWithLength(input->text.data, input->text.size);
    cJSON *item, *member;

    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(root, "items")) {
        cJSON_ArrayForEach(member, cJSON_GetObjectItemCaseSensitive(
                                       item, "metadata")) {
            enum fact fact = fact_of(member->string, strlen(member->string));

            if (fact == FACT_STRING) {
                facts.strings += fact_sum(member->valuestring,
                                          strlen(member->valuestring));
            } else if (fact == FACT_NUMBER) {
                facts.numbers += (unsigned long long) member->valueint;
            } else if (fact == FACT_PRESENT) {
                facts.numbers++;
            }
        }
        facts.n_items++;
    }
    cJSON_Delete(root);
    return facts;
}

static struct facts
facts_jansson(const struct input *input)
{
    struct facts facts = { 0 };
    json_t *root = json_loadb(input->text.data, input->text.size, 0, NULL);
    json_t *item, *member;
    const char *key;
    size_t i;

    json_array_foreach(json_object_get(root, "items"), i, item) {
        json_object_foreach(json_object_get(item, "metadata"), key, member) {
            enum fact fact = fact_of(key, strlen(key));

            if (fact == FACT_STRING) {
                facts.strings += fact_sum(json_string_value(member),
                                          json_string_length(member));
            } else if (fact == FACT_NUMBER) {
                facts.numbers += (unsigned long long)
                    json_integer_value(member);
            } else if (fact == FACT_PRESENT) {
                facts.numbers++;
            }
        }
        facts.n_items++;
    }
    json_decref(root);
    return facts;
}

static struct facts
facts_simdjson(const struct input *input)
{
    struct facts facts = { 0 };

    if (simdjson_peer_facts(input->simdjson, input->text.data,
                            input->text.size, input->capacity, &facts) < 0) {
        facts.n_items = 0;
    }
    return facts;
}

/* Split and build blocks, all of them alive at the end
 * ==================================================== */

static struct facts
blocks_yuloh(const struct input *input)
{
    struct facts facts = { 0 };
    size_t n_objects = 0, max_objects = 0;
    struct yl_object **objects = NULL;
    struct yl_splitter s;
    struct yl_str item;

    yl_splitter_init_over(&s, YL_SPLIT_LIST, 0, input->text);
    while (yl_splitter_next(&s, &item, NULL) == YL_SPLIT_VALUE) {
        if (n_objects == max_objects) {
            max_objects = max_objects * 2 + 64;
            objects = yl_realloc_array(objects, max_objects,
                                       sizeof *objects);
        }
        if (yl_object_ingest(item, NULL, &objects[n_objects], NULL) == 0) {
            n_objects++;
        }
    }
    yl_splitter_release(&s);
    facts.n_items = n_objects;
    while (n_objects > 0) {
        yl_object_unref(objects[--n_objects]);
    }
    free(objects);
    return facts;
}

/* Canonical copy of each item
 * =========================== */

static struct facts
canonical_yuloh(const struct input *input)
{
    struct yl_arena *arena = yl_arena_new();
    struct facts facts = { 0 };
    struct yl_splitter s;
    struct yl_str item;
    struct yl_buf buf;

    yl_buf_init(&buf, 1 << 20);
    yl_splitter_init_over(&s, YL_SPLIT_LIST, 0, input->text);
    while (yl_splitter_next(&s, &item, NULL) == YL_SPLIT_VALUE) {
        struct yl_node *root;

        yl_buf_clear(&buf);
        if (yl_tree_parse(arena, item, NULL, &root, NULL) == 0
            && yl_node_write_canonical(&buf, root) == 0) {
            facts.numbers += buf.size;
            facts.n_items++;
        }
        yl_arena_clear(arena);
    }
    yl_splitter_release(&s);
    yl_buf_release(&buf);
    yl_arena_free(arena);
    return facts;
}

/* cJSON does not sort; this is a copy, less work than the others do. */
static struct facts
canonical_cjson(const struct input *input)
{
    struct facts facts = { 0 };
    cJSON *root = cJSON_ParseWithLength(input->text.data, input->text.size);
    cJSON *item;

    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(root, "items")) {
        char *text = cJSON_PrintUnformatted(item);

        facts.numbers += strlen(text);
        facts.n_items++;
        free(text);
    }
    cJSON_Delete(root);
    return facts;
}

static struct facts
canonical_jansson(const struct input *input)
{
    struct facts facts = { 0 };
    json_t *root = json_loadb(input->text.data, input->text.size, 0, NULL);
    json_t *item;
    size_t i;

    json_array_foreach(json_object_get(root, "items"), i, item) {
        char *text = json_dumps(item, JSON_COMPACT | JSON_SORT_KEYS);

        facts.numbers += strlen(text);
        facts.n_items++;
        free(text);
    }
    json_decref(root);
    return facts;
}

/* The table
 * ========= */

static const struct row rows[] = {
    { "validate", validate_yuloh, validate_cjson, validate_jansson,
      validate_simdjson, false, 5, 0 },
    { "split + facts", facts_yuloh, facts_cjson, facts_jansson,
      facts_simdjson, true, 12, 0.9 },
    { "split + blocks", blocks_yuloh, NULL, NULL, NULL, false, 0, 0 },
    { "canonical copy", canonical_yuloh, canonical_cjson, canonical_jansson,
      NULL, false, 0, 0 },
};

static double
cpu_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double) t.tv_sec + (double) t.tv_nsec * 1e-9;
}

/* Runs 'side' once; keeps its best time. */
static void
run_side(side_fn *side, const struct input *input, double *best,
         struct facts *facts)
{
    double start, seconds;

    if (!side) {
        return;
    }
    start = cpu_seconds();
    *facts = side(input);
    seconds = cpu_seconds() - start;
    if (*best == 0 || seconds < *best) {
        *best = seconds;
    }
    if (facts->n_items == 0) {
        n_wrong++;
    }
}

static void
print_speed(const struct input *input, double seconds)
{
    if (seconds > 0) {
        printf(" %9.0f", (double) input->text.size / seconds / 1e6);
    } else {
        printf(" %9s", "-");
    }
}

/* Prints how many times as fast as a peer Yuloh was, and whether the goal is
 * met. */
static void
print_ratio(const char *peer, double ratio, double goal)
{
    if (ratio <= 0) {
        return;
    }
    printf("  %.2fx %s", ratio, peer);
    if (goal > 0) {
        printf(" (goal %g: %s)", goal, ratio >= goal ? "met" : "MISSED");
        n_missed += ratio < goal;
    }
}

static void
compare_facts(const struct facts *ours, const struct facts *theirs,
              const char *peer)
{
    if (memcmp(ours, theirs, sizeof *ours)) {
        printf("the facts differ from those of %s\n", peer);
        n_wrong++;
    }
}

static void
run_row(const struct row *row, const char *corpus, const struct input *input)
{
    double yuloh = 0, cjson = 0, jansson = 0, simdjson = 0;
    struct facts facts[4] = { 0 };
    int round;

    for (round = 0; round < N_ROUNDS; round++) {
        run_side(row->yuloh, input, &yuloh, &facts[0]);
        run_side(row->simdjson, input, &simdjson, &facts[1]);
        if (round < 2) {        /* Slow sides run only twice. */
            run_side(row->cjson, input, &cjson, &facts[2]);
            run_side(row->jansson, input, &jansson, &facts[3]);
        }
    }
    if (row->compare) {
        compare_facts(&facts[0], &facts[1], "simdjson");
        facts[0].spans = 0;     /* A DOM has none. */
        compare_facts(&facts[0], &facts[2], "cJSON");
        compare_facts(&facts[0], &facts[3], "jansson");
    }
    printf("%-20s %-15s", corpus, row->name);
    print_speed(input, yuloh);
    print_speed(input, simdjson);
    print_speed(input, cjson);
    print_speed(input, jansson);
    print_ratio("simdjson", simdjson / yuloh, row->goal_simdjson);
    print_ratio("cJSON", cjson / yuloh, row->goal_cjson);
    printf("\n");
    fflush(stdout);
}

/* The variants of the scanner, without peers. */
static void
run_variants(const char *corpus, const struct input *input)
{
    const struct yl_bits *const *variant;

    for (variant = yl_bits_variants(); *variant; variant++) {
        double validate = 0, facts = 0;
        struct facts found;
        int round;

        yl_bits_use(*variant);
        for (round = 0; round < 3; round++) {
            run_side(validate_yuloh, input, &validate, &found);
            run_side(facts_yuloh, input, &facts, &found);
        }
        printf("%-20s %-6s %18.0f %15.0f\n", corpus, (*variant)->name,
               (double) input->text.size / validate / 1e6,
               (double) input->text.size / facts / 1e6);
    }
    yl_bits_use(NULL);
}

/* malloc() of the library, counted; see bench/meson.build. */
static size_t n_mallocs;
void *__real_malloc(size_t);
void *__wrap_malloc(size_t);

void *
__wrap_malloc(size_t size)
{
    n_mallocs++;
    return __real_malloc(size);
}

static void
run_sizes(void)
{
    static const struct {
        size_t size;
        double goal;
    } sizes[] = { { 300, 1.4 }, { 1600, 1.12 }, { 8000, 1.03 } };
    size_t i;

    printf("\n%-12s %10s %10s %12s\n", "object", "block", "ratio", "mallocs");
    for (i = 0; i < YL_ARRAY_SIZE(sizes); i++) {
        struct yl_object *object;
        struct yl_buf json;
        size_t before, size;
        double ratio;

        yl_buf_init(&json, 1 << 20);
        corpus_object(&json, sizes[i].size, 7);
        before = n_mallocs;
        if (yl_object_ingest(yl_buf_str(&json), NULL, &object, NULL) < 0) {
            n_wrong++;
            yl_buf_release(&json);
            continue;
        }
        before = n_mallocs - before;
        size = malloc_usable_size(object) + sizeof(size_t);
        ratio = (double) size / (double) json.size;
        printf("%7zu B %10zu B %9.3fx %12zu  (goals %gx, 1: %s)\n",
               json.size, size, ratio, before, sizes[i].goal,
               ratio <= sizes[i].goal && before == 1 ? "met" : "MISSED");
        n_missed += ratio > sizes[i].goal || before != 1;
        yl_object_unref(object);
        yl_buf_release(&json);
    }
}

int
main(void)
{
    static const struct {
        const char *name;
        enum corpus_kind kind;
        bool irregular;
    } corpora[] = {
        { "Pods, uniform", CORPUS_PODS, false },
        { "Pods, irregular", CORPUS_PODS, true },
        { "Networks, uniform", CORPUS_NETWORKS, false },
        { "Networks, irregular", CORPUS_NETWORKS, true },
    };
    struct simdjson_peer *simdjson = simdjson_peer_new();
    struct yl_buf bufs[YL_ARRAY_SIZE(corpora)];
    struct input inputs[YL_ARRAY_SIZE(corpora)];
    size_t i, k;

    printf("MB/s of CPU; Yuloh's scanner: %s; simdjson's: %s\n\n",
           yl_bits()->name, simdjson_peer_implementation());
    printf("%-20s %-15s %9s %9s %9s %9s\n", "corpus", "", "Yuloh", "simdjson",
           "cJSON", "jansson");
    for (i = 0; i < YL_ARRAY_SIZE(corpora); i++) {
        yl_buf_init(&bufs[i], CORPUS_SIZE * 2);
        corpus_list(&bufs[i], corpora[i].kind, corpora[i].irregular,
                    CORPUS_SIZE);
        yl_buf_reserve(&bufs[i], simdjson_peer_padding());
        inputs[i].text = yl_buf_str(&bufs[i]);
        inputs[i].capacity = bufs[i].capacity;
        inputs[i].simdjson = simdjson;
        for (k = 0; k < YL_ARRAY_SIZE(rows); k++) {
            run_row(&rows[k], corpora[i].name, &inputs[i]);
        }
    }
    printf("\n%-20s %-6s %18s %15s\n", "scanner", "", "validate",
           "split + facts");
    for (i = 0; i < YL_ARRAY_SIZE(corpora); i++) {
        run_variants(corpora[i].name, &inputs[i]);
        yl_buf_release(&bufs[i]);
    }
    run_sizes();
    simdjson_peer_free(simdjson);

    printf("\njson: %d goals missed, %d wrong results\n", n_missed, n_wrong);
    return n_wrong ? 1 : 0;
}
