/* "yuloh gen types --from".  See codegen/run_from.h. */

#include "codegen/run_from.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "codegen/emit_header.h"
#include "codegen/facts.h"
#include "codegen/from_crd.h"
#include "codegen/from_openapi.h"
#include "json/tree.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/yaml.h"

/* The largest file that is read. */
#define MAX_FILE ((size_t) 64 << 20)

struct input {
    struct yl_arena *arena;
    struct yl_gen_crds *crds;
    struct yl_gen_openapi *openapi;
    size_t n_crds, n_documents;     /* That were found. */
};

static int read_file(struct yl_arena *, const char *path, struct yl_str *,
                     struct yl_error *);
static int read_input(struct input *, const char *path, struct yl_error *);
static int read_documents(struct input *, struct yl_str text,
                          struct yl_error *);
static int read_facts(struct input *, const char *folder, struct yl_error *);
static int read_discovery(struct input *, const char *folder,
                          struct yl_error *);
static int write_header(const struct yl_gen_unit *, const char *folder,
                        struct yl_error *);

int
yl_gen_from(const char *const *files, size_t n,
            const struct yl_gen_from_opts *opts, struct yl_error *err)
{
    struct input input = { .arena = yl_arena_new() };
    struct yl_gen_unit **units = NULL;
    size_t i, n_units = 0;
    int r = 0;

    input.crds = yl_gen_crds_new(input.arena);
    input.openapi = yl_gen_openapi_new(input.arena);
    if (opts->facts) {
        r = read_facts(&input, opts->facts, err);
    }
    for (i = 0; r >= 0 && i < n; i++) {
        r = read_input(&input, files[i], err);
    }
    if (r >= 0 && input.n_crds && input.n_documents) {
        r = yl_error_set(err, YL_EINVALID, "name either CRDs or OpenAPI "
                         "documents, not both");
    } else if (r >= 0 && !input.n_crds && !input.n_documents) {
        r = yl_error_set(err, YL_EINVALID, "%s has neither a "
                         "CustomResourceDefinition nor an OpenAPI v3 document",
                         n == 1 ? files[0] : "none of the files");
    } else if (r >= 0 && input.n_crds) {
        units = yl_gen_crds_units(input.crds, &n_units);
    } else if (r >= 0) {
        r = yl_gen_openapi_units(input.openapi, &units, &n_units, err);
    }
    for (i = 0; r >= 0 && i < n_units; i++) {
        r = write_header(units[i], opts->folder ? opts->folder : ".", err);
    }
    yl_arena_free(input.arena);
    return r < 0 ? r : 0;
}

/* A whole file, in the arena. */
static int
read_file(struct yl_arena *arena, const char *path, struct yl_str *ret_text,
          struct yl_error *err)
{
    FILE *file = fopen(path, "r");
    struct yl_buf buf;
    char chunk[16384];
    size_t n;
    int r;

    if (!file) {
        return yl_error_set(err, YL_EIO, "%s: %s", path, strerror(errno));
    }
    yl_buf_init(&buf, MAX_FILE);
    while ((n = fread(chunk, 1, sizeof chunk, file)) > 0) {
        yl_buf_append(&buf, chunk, n);
    }
    r = ferror(file) ? yl_error_set(err, YL_EIO, "%s cannot be read", path)
        : yl_buf_error(&buf) ? yl_error_set(err, YL_ETOOBIG,
                                            "%s is larger than 64 MB", path)
                             : 0;
    if (r == 0) {
        *ret_text = yl_arena_copy(arena, yl_buf_str(&buf));
    }
    yl_buf_release(&buf);
    fclose(file);
    return r;
}

static int
read_input(struct input *input, const char *path, struct yl_error *err)
{
    struct yl_str text;
    int r = read_file(input->arena, path, &text, err);

    if (r < 0) {
        return r;
    }
    /* OpenAPI documents are JSON, and larger than the limit for YAML. */
    if (yl_json_exists(yl_json_get(yl_json(text), YL_STR("openapi")))
        || yl_json_exists(yl_json_get(yl_json(text), YL_STR("components")))) {
        r = yl_gen_openapi_add(input->openapi, text, err);
        input->n_documents++;
    } else {
        r = read_documents(input, text, err);
    }
    if (r < 0) {
        yl_error_prefix(err, "%s", path);
    }
    return r;
}

static int
read_documents(struct input *input, struct yl_str text, struct yl_error *err)
{
    struct yl_yaml_stream stream = yl_yaml_stream(text);
    struct yl_node *root;
    struct yl_str json;
    int r;

    while ((r = yl_yaml_next_json(&stream, input->arena, NULL, &json, err))
           > 0) {
        r = yl_tree_parse(input->arena, json, NULL, &root, err);
        if (r >= 0) {
            r = yl_gen_crds_add(input->crds, root, err);
        }
        if (r < 0) {
            break;
        }
        input->n_crds += (size_t) r;
    }
    return r;
}

static int
read_facts(struct input *input, const char *folder, struct yl_error *err)
{
    const char *path = yl_arena_printf(input->arena, "%s/fields.tsv", folder);
    struct yl_gen_facts *facts;
    struct yl_str text;
    int r = read_file(input->arena, path, &text, err);

    if (r < 0) {
        return r;
    }
    r = yl_gen_facts_parse(input->arena, text, &facts, err);
    if (r < 0) {
        yl_error_prefix(err, "%s", path);
        return r;
    }
    yl_gen_openapi_set_facts(input->openapi, facts);
    return read_discovery(input, folder, err);
}

static int
compare_names(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int
is_json(const struct dirent *entry)
{
    return yl_str_ends_with(yl_str_c(entry->d_name), YL_STR(".json"));
}

/* Files that are not APIResourceLists are skipped: the folder may contain
 * others. */
static int
read_discovery(struct input *input, const char *folder, struct yl_error *err)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, is_json, compare_names), i, r = 0;

    if (n < 0) {
        return yl_error_set(err, YL_EIO, "%s: %s", folder, strerror(errno));
    }
    for (i = 0; i < n; i++) {
        const char *path = yl_arena_printf(input->arena, "%s/%s", folder,
                                           entries[i]->d_name);
        struct yl_str text;

        if (r == 0) {
            r = read_file(input->arena, path, &text, err);
        }
        if (r == 0
            && yl_json_string_is(yl_json_get(yl_json(text), YL_STR("kind")),
                                 YL_STR("APIResourceList"))) {
            r = yl_gen_openapi_add_discovery(input->openapi, text, err);
            if (r < 0) {
                yl_error_prefix(err, "%s", path);
            }
        }
        free(entries[i]);
    }
    free(entries);
    return r;
}

static int
write_header(const struct yl_gen_unit *unit, const char *folder,
             struct yl_error *err)
{
    const char *path = yl_arena_printf(unit->arena, "%s/%s_types.h", folder,
                                       unit->base);
    FILE *file = fopen(path, "w");
    struct yl_buf buf;
    bool written;

    if (!file) {
        return yl_error_set(err, YL_EIO, "%s: %s", path, strerror(errno));
    }
    yl_buf_init(&buf, YL_GEN_MAX_HEADER);
    yl_gen_emit_annotated(&buf, unit);
    written = yl_buf_error(&buf) == 0
              && fwrite(buf.data, 1, buf.size, file) == buf.size;
    yl_buf_release(&buf);
    if (fclose(file) != 0 || !written) {
        return yl_error_set(err, YL_EIO, "%s cannot be written", path);
    }
    printf("%s\n", path);
    return 0;
}
