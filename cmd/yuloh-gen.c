/* yuloh-gen: annotated headers to tables and CRDs.
 *
 * A program of its own, so that libclang links into nothing else.  "yuloh gen"
 * runs it. */

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "codegen/run.h"
#include "codegen/run_from.h"
#include "yuloh/arena.h"
#include "yuloh/compiler.h"
#include "yuloh/error.h"

#define MAX_INCLUDES 32

enum { OK, FAILED, USAGE };

static const char usage[] =
    "usage: yuloh-gen types [--check] [-o FOLDER] [-H FOLDER] [-I FOLDER]\n"
    "                       [--go FOLDER] HEADER...\n"
    "       yuloh-gen types --from [-o FOLDER] [--facts FOLDER] FILE...\n"
    "       yuloh-gen crd [-I FOLDER] HEADER...\n"
    "       yuloh-gen --version | --help\n"
    "\n"
    "types  reads annotated headers and writes, for each X_types.h, X.h\n"
    "       (kinds and records), X.c (tables) and X_client.h (clients,\n"
    "       listers and informers of kinds with +genclient)\n"
    "       with --from, reads CRDs (YAML or JSON) or OpenAPI v3 documents\n"
    "       and writes an annotated X_types.h for each group-version\n"
    "crd    prints CustomResourceDefinitions of the headers' kinds as YAML\n"
    "\n"
    "  -o FOLDER  where these files go (default: beside the header)\n"
    "  -H FOLDER  where X.h and X_client.h go (default: as -o)\n"
    "  -I FOLDER  where to look for headers that these include\n"
    "  --facts FOLDER  what OpenAPI cannot say: fields.tsv with presence,\n"
    "             merge keys and numbers, and discovery documents\n"
    "  --go FOLDER  also write X_go.h and X_go.c there: names and order in\n"
    "             Go's own types, which only messages of a server show\n"
    "  --check    write nothing; fail if a file is not what it should be\n"
    "\n"
    "docs/markers.md describes the markers in headers.\n";

static int
misused(const char *words, const char *arg)
{
    fprintf(stderr, "yuloh-gen: %s%s\n\n%s", words, arg, usage);
    return USAGE;
}

static int
failed(struct yl_error *err)
{
    fprintf(stderr, "yuloh-gen: %s\n", yl_error_message(err));
    yl_error_clear(err);
    return FAILED;
}

static int
run(const char *command, const char *const *headers, size_t n,
    const struct yl_gen_opts *opts)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_buf buf;
    int r;

    if (!strcmp(command, "types")) {
        return yl_gen_types(headers, n, opts, &err) < 0 ? failed(&err) : OK;
    }
    yl_buf_init(&buf, (size_t) 64 << 20);
    r = yl_gen_crd(headers, n, opts, &buf, &err);
    if (r == 0) {
        fwrite(buf.data, 1, buf.size, stdout);
        if (fflush(stdout) != 0) {
            r = yl_error_set(&err, YL_EIO, "cannot write the output");
        }
    }
    yl_buf_release(&buf);
    return r < 0 ? failed(&err) : OK;
}

int
main(int argc, char *argv[])
{
    static const struct option long_options[] = {
        { "check", no_argument, NULL, 'c' },
        { "facts", required_argument, NULL, 'f' },
        { "from", no_argument, NULL, 'F' },
        { "go", required_argument, NULL, 'g' },
        { NULL, 0, NULL, 0 },
    };
    const char *includes[MAX_INCLUDES + 2];
    struct yl_arena *arena = yl_arena_new();
    struct yl_gen_opts opts = { .check = false };
    struct yl_gen_from_opts from = { .facts = NULL };
    bool is_from = false;
    const char *const *own;
    size_t n_own, n = 0, i;
    int option, status;

    if (argc < 2) {
        fputs(usage, stderr);
        yl_arena_free(arena);
        return USAGE;
    } else if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")
               || !strcmp(argv[1], "--version")) {
        if (!strcmp(argv[1], "--version")) {
            printf("yuloh-gen %s\n", YULOH_VERSION);
        } else {
            fputs(usage, stdout);
        }
        yl_arena_free(arena);
        return OK;
    } else if (strcmp(argv[1], "types") && strcmp(argv[1], "crd")) {
        yl_arena_free(arena);
        return misused("no command ", argv[1]);
    }
    optind = 2;
    while ((option = getopt_long(argc, argv, "+:o:H:I:", long_options, NULL))
           != -1) {
        if (option == 'o') {
            opts.folder = optarg;
        } else if (option == 'H') {
            opts.header_folder = optarg;
        } else if (option == 'c') {
            opts.check = true;
        } else if (option == 'g') {
            opts.go_folder = optarg;
        } else if (option == 'f') {
            from.facts = optarg;
        } else if (option == 'F') {
            is_from = true;
        } else if (option == 'I' && n < MAX_INCLUDES) {
            includes[n++] = optarg;
        } else {
            yl_arena_free(arena);
            return option == 'I' ? misused("too many -I", "")
                   : misused("cannot use ", argv[optind - 1]);
        }
    }
    if (optind == argc) {
        yl_arena_free(arena);
        return misused("no header is named", "");
    }
    if (is_from) {
        struct yl_error err = YL_ERROR_INIT;

        yl_arena_free(arena);
        if (strcmp(argv[1], "types")) {
            return misused("--from belongs to types", "");
        }
        from.folder = opts.folder;
        return yl_gen_from((const char *const *) argv + optind,
                           (size_t) (argc - optind), &from, &err) < 0
               ? failed(&err) : OK;
    }
    own = yl_gen_own_includes(arena, &n_own);
    for (i = 0; i < n_own; i++) {
        includes[n++] = own[i];
    }
    opts.includes = includes;
    opts.n_includes = n;
    status = run(argv[1], (const char *const *) argv + optind,
                 (size_t) (argc - optind), &opts);
    yl_arena_free(arena);
    return status;
}
