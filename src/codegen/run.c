/* The commands of yuloh-gen.  See codegen/run.h. */

#include "codegen/run.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codegen/emit_client.h"
#include "codegen/emit_crd.h"
#include "codegen/emit_go.h"
#include "codegen/emit_types.h"
#include "codegen/model.h"
#include "codegen/read_header.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

/* The largest file that is written. */
#define MAX_OUTPUT ((size_t) 64 << 20)

static int read_all(struct yl_arena *, const char *const *headers, size_t n,
                    const struct yl_gen_opts *, struct yl_gen_unit ***ret,
                    struct yl_error *);
static void settle_storage(struct yl_gen_unit *const *, size_t n);
static int emit_unit(struct yl_gen_unit *, const char *path,
                     const struct yl_gen_opts *, struct yl_error *);
static int emit_go(const struct yl_gen_unit *, const struct yl_gen_opts *,
                   struct yl_error *);
static int put(const char *folder, const char *base, const char *suffix,
               struct yl_str, bool check, struct yl_error *);
static bool same(const char *path, struct yl_str);

int
yl_gen_types(const char *const *headers, size_t n,
             const struct yl_gen_opts *opts, struct yl_error *err)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_gen_unit **units;
    size_t i;
    int r;

    r = read_all(arena, headers, n, opts, &units, err);
    for (i = 0; r == 0 && i < n; i++) {
        r = emit_unit(units[i], headers[i], opts, err);
        if (r == 0 && opts->go_folder) {
            r = emit_go(units[i], opts, err);
        }
    }
    if (r == 0 && opts->go_folder) {
        struct yl_buf buf;

        yl_buf_init(&buf, MAX_OUTPUT);
        yl_gen_emit_go_sets(units, n, &buf);
        r = put(opts->go_folder, "go_sets", ".c", yl_buf_str(&buf),
                opts->check, err);
        yl_buf_release(&buf);
    }
    yl_arena_free(arena);
    return r;
}

int
yl_gen_crd(const char *const *headers, size_t n,
           const struct yl_gen_opts *opts, struct yl_buf *buf,
           struct yl_error *err)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_gen_unit **units;
    int r;

    r = read_all(arena, headers, n, opts, &units, err);
    if (r == 0) {
        r = yl_gen_emit_crds(units, n, buf, err);
    }
    yl_arena_free(arena);
    return r;
}

const char *const *
yl_gen_own_includes(struct yl_arena *arena, size_t *ret_n)
{
    const char **folders = yl_arena_array(arena, 2, sizeof *folders);
    char path[PATH_MAX];
    ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    char *slash;

    *ret_n = 0;
    if (size < 0) {
        return folders;
    }
    path[size] = '\0';
    slash = strrchr(path, '/');
    if (slash) {
        *slash = '\0';
        folders[(*ret_n)++] = yl_arena_printf(arena, "%s/include", path);
        slash = strrchr(path, '/');
        if (slash) {
            *slash = '\0';
            folders[(*ret_n)++] = yl_arena_printf(arena, "%s/include", path);
        }
    }
    return folders;
}

static int
read_all(struct yl_arena *arena, const char *const *headers, size_t n,
         const struct yl_gen_opts *opts, struct yl_gen_unit ***ret,
         struct yl_error *err)
{
    struct yl_gen_unit **units = yl_arena_array(arena, n, sizeof *units);
    size_t i;
    int r;

    for (i = 0; i < n; i++) {
        r = yl_gen_read_header(arena, headers[i], opts->includes,
                               opts->n_includes, &units[i], err);
        if (r < 0) {
            return r;
        }
    }
    settle_storage(units, n);
    *ret = units;
    return 0;
}

/* If a kind has only one version, that one is stored. */
static void
settle_storage(struct yl_gen_unit *const *units, size_t n)
{
    struct yl_gen_kind *kind, *other;
    size_t i, j;

    for (i = 0; i < n; i++) {
        for (kind = units[i]->kinds; kind; kind = kind->next) {
            bool alone = true;

            for (j = 0; j < n; j++) {
                for (other = units[j]->kinds; other; other = other->next) {
                    alone = alone && (other == kind
                                      || strcmp(other->name, kind->name)
                                      || strcmp(units[i]->group,
                                                units[j]->group));
                }
            }
            kind->storage = kind->storage_said || alone;
        }
    }
}

static int
emit_unit(struct yl_gen_unit *unit, const char *path,
          const struct yl_gen_opts *opts, struct yl_error *err)
{
    const char *slash = strrchr(path, '/');
    const char *types_header = slash ? slash + 1 : path;
    const char *folder = opts->folder;
    const char *header_folder;
    struct yl_buf buf;
    int r;

    if (!folder) {
        folder = slash ? yl_arena_strdup(unit->arena,
                                         yl_str_range(path, slash)) : ".";
    }
    if (unit->include_as[0]) {
        types_header = unit->include_as;
    }
    header_folder = opts->header_folder ? opts->header_folder : folder;
    yl_buf_init(&buf, MAX_OUTPUT);
    yl_gen_emit_header(unit, types_header, &buf);
    r = put(header_folder, unit->base, ".h", yl_buf_str(&buf), opts->check,
            err);
    if (r == 0 && yl_gen_has_client(unit)) {
        yl_buf_clear(&buf);
        yl_gen_emit_client(unit, &buf);
        r = put(header_folder, unit->base, "_client.h", yl_buf_str(&buf),
                opts->check, err);
    }
    if (r == 0) {
        yl_buf_clear(&buf);
        r = yl_gen_emit_source(unit, &buf, err);
    }
    if (r == 0) {
        r = yl_buf_error(&buf);
    }
    if (r == 0) {
        r = put(folder, unit->base, ".c", yl_buf_str(&buf), opts->check,
                err);
    }
    yl_buf_release(&buf);
    return r;
}

static int
emit_go(const struct yl_gen_unit *unit, const struct yl_gen_opts *opts,
        struct yl_error *err)
{
    struct yl_buf buf;
    int r;

    yl_buf_init(&buf, MAX_OUTPUT);
    yl_gen_emit_go_header(unit, &buf);
    r = put(opts->go_folder, unit->base, "_go.h", yl_buf_str(&buf),
            opts->check, err);
    if (r == 0) {
        yl_buf_clear(&buf);
        r = yl_gen_emit_go_source(unit, &buf, err);
    }
    if (r == 0) {
        r = put(opts->go_folder, unit->base, "_go.c", yl_buf_str(&buf),
                opts->check, err);
    }
    yl_buf_release(&buf);
    return r;
}

static int
put(const char *folder, const char *base, const char *suffix,
    struct yl_str text, bool check, struct yl_error *err)
{
    char path[PATH_MAX];
    FILE *file;
    int saved;

    if (snprintf(path, sizeof path, "%s/%s%s", folder, base, suffix)
        >= (int) sizeof path) {
        return yl_error_set(err, YL_ETOOBIG, "%s: the path is too long",
                            folder);
    }
    if (same(path, text)) {
        return 0;
    } else if (check) {
        return yl_error_set(err, YL_ETESTFAILED,
                            "%s is stale: run yuloh-gen again", path);
    }
    file = fopen(path, "w");
    if (file && fwrite(text.data, 1, text.size, file) == text.size
        && fclose(file) == 0) {
        return 0;
    }
    saved = errno;
    if (file) {
        unlink(path);
    }
    return yl_error_set(err, YL_EIO, "%s: %s", path, strerror(saved));
}

/* Whether the file holds exactly this text. */
static bool
same(const char *path, struct yl_str text)
{
    FILE *file = fopen(path, "r");
    char chunk[4096];
    size_t n, at = 0;
    bool equal = true;

    if (!file) {
        return false;
    }
    while (equal && (n = fread(chunk, 1, sizeof chunk, file)) > 0) {
        equal = n <= text.size - at && !memcmp(chunk, text.data + at, n);
        at += n;
    }
    fclose(file);
    return equal && at == text.size;
}
