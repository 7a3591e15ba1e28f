/* The schema compiler: what the schema of each version of a CRD costs.
 *
 *     schema_bench [FILE...]
 *
 * Files are YAML streams, by default the CRDs of ../shared/truth; what is no
 * CustomResourceDefinition in them is passed over.  For each version: the
 * bytes of its schema as JSON, the fields in its tables, the CPU time to read
 * it from a tree and to compile it (the best of five rounds), and the bytes
 * that stay.  It has no peer. */

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/arena.h"
#include "base/buf.h"
#include "json/tree.h"
#include "schema/compile.h"
#include "schema/props.h"
#include "yuloh/error.h"
#include "yuloh/yaml.h"

#define N_ROUNDS 5
#define MAX_FILE ((size_t) 64 << 20)

struct sum {
    unsigned n;
    double seconds;
    size_t bytes;               /* Of compiled schemas. */
    double slowest;
    size_t largest;
};

static double
cpu_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double) t.tv_sec + (double) t.tv_nsec * 1e-9;
}

static struct yl_node *
get(const struct yl_node *node, const char *name)
{
    return yl_node_get(node, yl_str_c(name));
}

/* Reads and compiles a schema; the seconds it took. */
static double
compile(const struct yl_node *node, struct yl_schema **ret_schema)
{
    const struct yl_schema_props *props;
    struct yl_error err = YL_ERROR_INIT;
    double start = cpu_seconds(), end;
    struct yl_arena arena;

    yl_arena_init(&arena);
    if (yl_schema_props_read(&arena, node, NULL, &props, &err) < 0
        || yl_schema_compile(props, NULL, ret_schema, &err) < 0) {
        fprintf(stderr, "schema_bench: %s\n", yl_error_message(&err));
        exit(1);
    }
    end = cpu_seconds();
    yl_arena_release(&arena);
    return end - start;
}

static void
measure(const struct yl_node *crd, const struct yl_node *version,
        struct sum *sum)
{
    const struct yl_node *schema = get(get(version, "schema"),
                                       "openAPIV3Schema");
    struct yl_str kind = YL_STR(""), name = YL_STR("");
    struct yl_schema *compiled = NULL;
    struct yl_arena arena;
    double best = 1e9;
    struct yl_buf buf;
    size_t size;
    int i;

    yl_arena_init(&arena);
    for (i = 0; i < N_ROUNDS; i++) {
        double seconds;

        yl_schema_unref(compiled);
        seconds = compile(schema, &compiled);
        best = seconds < best ? seconds : best;
    }
    yl_buf_init(&buf, MAX_FILE);
    yl_node_write(&buf, schema);
    yl_node_string(get(get(get(crd, "spec"), "names"), "kind"), &arena, &kind);
    yl_node_string(get(version, "name"), &arena, &name);
    size = yl_schema_size(compiled);
    printf("%-32.*s %-10.*s %8.1f KB %7u %8.3f ms %8.1f KB\n",
           YL_STR_ARG(kind), YL_STR_ARG(name), (double) buf.size / 1e3,
           (unsigned) yl_schema_type(compiled).set->n_fields, best * 1e3,
           (double) size / 1e3);
    sum->n++;
    sum->seconds += best;
    sum->bytes += size;
    sum->slowest = best > sum->slowest ? best : sum->slowest;
    sum->largest = size > sum->largest ? size : sum->largest;
    yl_buf_release(&buf);
    yl_schema_unref(compiled);
    yl_arena_release(&arena);
}

static int
measure_file(const char *path, struct sum *sum)
{
    FILE *file = fopen(path, "r");
    struct yl_yaml_stream stream;
    struct yl_arena arena;
    struct yl_str json;
    struct yl_buf text;
    char *room;
    size_t n;

    if (!file) {
        perror(path);
        return 1;
    }
    yl_buf_init(&text, MAX_FILE);
    while ((room = yl_buf_reserve(&text, 65536)) != NULL
           && (n = fread(room, 1, 65536, file)) > 0) {
        yl_buf_commit(&text, n);
    }
    fclose(file);
    yl_arena_init(&arena);
    stream = yl_yaml_stream(yl_buf_str(&text));
    while (yl_yaml_next_json(&stream, &arena, NULL, &json, NULL) > 0) {
        const struct yl_node *version;
        struct yl_node *root;

        if (yl_tree_parse(&arena, json, NULL, &root, NULL) == 0
            && yl_node_string_is(get(root, "kind"),
                                 YL_STR("CustomResourceDefinition"))) {
            YL_NODE_FOR_EACH (version, get(get(root, "spec"), "versions")) {
                measure(root, version, sum);
            }
        }
    }
    yl_arena_release(&arena);
    yl_buf_release(&text);
    return 0;
}

int
main(int argc, char *argv[])
{
    struct sum sum = { 0, 0, 0, 0, 0 };
    glob_t files = { 0 };
    int i, r = 0;

    if (argc == 1 && glob("../shared/truth/crds/*/*.yaml", 0, NULL, &files)) {
        printf("no CRDs were given, and there is no ../shared/truth\n");
        return 0;
    }
    printf("%-32s %-10s %11s %7s %11s %11s\n", "kind", "version", "schema",
           "fields", "compile", "compiled");
    for (i = 1; i < argc; i++) {
        r |= measure_file(argv[i], &sum);
    }
    for (i = 0; i < (int) files.gl_pathc; i++) {
        r |= measure_file(files.gl_pathv[i], &sum);
    }
    globfree(&files);
    if (sum.n) {
        printf("\n%u schemas: %.3f ms and %.1f KB on average, %.3f ms and "
               "%.1f KB at most\n", sum.n, sum.seconds * 1e3 / sum.n,
               (double) sum.bytes / 1e3 / sum.n, sum.slowest * 1e3,
               (double) sum.largest / 1e3);
    }
    return r;
}
