/* Warnings of the volumes of a Pod: deprecated types, and files of one volume
 * with conflicting paths. */

#include "builtin/common/checks.h"
#include "builtin/warnings/warnings.h"

/* Only this many files of a volume are compared with each other, so that the
 * cost does not grow with the square of their number. */
#define MAX_COMPARED 256

static const char *const old_volumes[][3] = {
    { "photonPersistentDisk", "photonPersistentDisk",
      "deprecated in v1.11, non-functional in v1.16+" },
    { "gitRepo", "gitRepo",
      "deprecated in v1.11, and disabled by default in v1.33+" },
    { "scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+" },
    { "flocker", "flocker", "deprecated in v1.22, non-functional in v1.25+" },
    { "storageos", "storageOS",
      "deprecated in v1.22, non-functional in v1.25+" },
    { "quobyte", "quobyte", "deprecated in v1.22, non-functional in v1.25+" },
    { "glusterfs", "glusterfs",
      "deprecated in v1.25, non-functional in v1.26+" },
    { "cephfs", "cephfs", "deprecated in v1.28, non-functional in v1.31+" },
    { "rbd", "rbd", "deprecated in v1.28, non-functional in v1.31+" },
};

/* The files that a volume has so far. */
struct files {
    struct yl_warnings *w;
    struct yl_str volume;       /* Its name. */
    const char *what;           /* "Projected" */
    struct {
        struct yl_str path, source;
    } seen[MAX_COMPARED];
    size_t n;
};

static void warn_overlaps(struct yl_warnings *, const struct yl_at *volume);
static void warn_projected(struct files *, const struct yl_at *sources);
static void add_items(struct files *, const struct yl_at *source,
                      struct yl_str shown);
static void add_file(struct files *, struct yl_str path, struct yl_str source);
static bool is_inside(struct yl_str path, struct yl_str folder);
static struct yl_str label(struct yl_arena *, const char *kind,
                           const struct yl_at *source, const char *name);
static const char *shown(struct yl_arena *, struct yl_str path,
                         struct yl_str source);

void
yl_warn_volumes(struct yl_warnings *w, const struct yl_at *volumes)
{
    size_t i;

    YL_AT_FOR_EACH (volume, volumes) {
        struct yl_at ephemeral = yl_at(&volume, "ephemeral");
        struct yl_at claim = yl_at(&ephemeral, "volumeClaimTemplate");
        struct yl_at spec = yl_at(&claim, "spec");

        for (i = 0; i < YL_ARRAY_SIZE(old_volumes); i++) {
            if (yl_at_get_has(&volume, old_volumes[i][0])) {
                struct yl_at at = yl_at_node(&volume, old_volumes[i][1],
                                             NULL);

                yl_warn_at(w, &at, "%s", old_volumes[i][2]);
            }
        }
        yl_warn_claim_spec(w, &spec);
    }
    YL_AT_FOR_EACH (volume, volumes) {
        warn_overlaps(w, &volume);
    }
}

static void
warn_overlaps(struct yl_warnings *w, const struct yl_at *volume)
{
    struct yl_check c = { w->arena, NULL };
    struct yl_at map = yl_at(volume, "configMap");
    struct yl_at secret = yl_at(volume, "secret");
    struct yl_at downward = yl_at(volume, "downwardAPI");
    struct yl_at projected = yl_at(volume, "projected");
    struct yl_at sources = yl_at(&projected, "sources");
    struct files *files;

    if (!yl_at_has(&map) && !yl_at_has(&secret) && !yl_at_has(&downward)
        && !yl_at_has(&projected)) {
        return;
    }
    files = yl_arena_zalloc(w->arena, sizeof *files);
    files->w = w;
    files->volume = yl_at_get_str(&c, volume, "name");
    if (yl_at_has(&map)) {
        files->what = yl_arena_strdup(w->arena, label(w->arena, "ConfigMap",
                                                      &map, "name"));
        add_items(files, &map, YL_STR(""));
    }
    files->n = 0;
    if (yl_at_has(&secret)) {
        files->what = yl_arena_strdup(w->arena, label(w->arena, "Secret",
                                                      &secret, "secretName"));
        add_items(files, &secret, YL_STR(""));
    }
    files->n = 0;
    files->what = "DownwardAPI";
    add_items(files, &downward, YL_STR(""));
    files->n = 0;
    files->what = "Projected";
    warn_projected(files, &sources);
}

static void
warn_projected(struct files *files, const struct yl_at *sources)
{
    struct yl_arena *arena = files->w->arena;
    struct yl_check c = { arena, NULL };

    YL_AT_FOR_EACH (source, sources) {
        struct yl_at map = yl_at(&source, "configMap");
        struct yl_at secret = yl_at(&source, "secret");
        struct yl_at downward = yl_at(&source, "downwardAPI");
        struct yl_at token = yl_at(&source, "serviceAccountToken");

        if (!yl_at_count(&source)) {
            yl_warn(files->w, "volume \"%.*s\" (Projected) has no sources "
                              "provided", YL_STR_ARG(files->volume));
        } else if (yl_at_get_has(&map, "items")) {
            add_items(files, &map, label(arena, "ConfigMap", &map, "name"));
        } else if (yl_at_get_has(&secret, "items")) {
            add_items(files, &secret, label(arena, "Secret", &secret,
                                            "name"));
        } else if (yl_at_get_has(&downward, "items")) {
            add_items(files, &downward, YL_STR("DownwardAPI"));
        } else if (yl_at_has(&token)) {
            add_file(files, yl_at_get_str(&c, &token, "path"),
                     YL_STR("ServiceAccountToken"));
        }
    }
}

static void
add_items(struct files *files, const struct yl_at *source,
          struct yl_str name)
{
    struct yl_check c = { files->w->arena, NULL };
    struct yl_at items = yl_at(source, "items");

    YL_AT_FOR_EACH (item, &items) {
        add_file(files, yl_at_get_str(&c, &item, "path"), name);
    }
}

static void
add_file(struct files *files, struct yl_str path, struct yl_str source)
{
    struct yl_arena *arena = files->w->arena;
    size_t i;

    while (yl_str_ends_with(path, YL_STR("/"))) {
        path.size--;
    }
    for (i = 0; path.size && i < files->n; i++) {
        struct yl_str other = files->seen[i].path;

        if (other.size
            && (is_inside(other, path) || is_inside(path, other))) {
            yl_warn(files->w, "volume \"%.*s\" (%s): overlapping paths: %s "
                              "with %s", YL_STR_ARG(files->volume),
                    files->what, shown(arena, path, source),
                    shown(arena, other, files->seen[i].source));
        }
    }
    if (files->n < MAX_COMPARED) {
        files->seen[files->n].path = path;
        files->seen[files->n++].source = source;
    }
}

static bool
is_inside(struct yl_str path, struct yl_str folder)
{
    return yl_str_starts_with(path, folder)
           && (path.size == folder.size || path.data[folder.size] == '/');
}

/* 'Secret "a"' */
static struct yl_str
label(struct yl_arena *arena, const char *kind, const struct yl_at *source,
      const char *name)
{
    struct yl_check c = { arena, NULL };
    struct yl_str s = yl_at_get_str(&c, source, name);

    return yl_str_c(yl_arena_printf(arena, "%s \"%.*s\"", kind,
                                    YL_STR_ARG(s)));
}

static const char *
shown(struct yl_arena *arena, struct yl_str path, struct yl_str source)
{
    return source.size
           ? yl_arena_printf(arena, "\"%.*s\" (%.*s)", YL_STR_ARG(path),
                             YL_STR_ARG(source))
           : yl_arena_printf(arena, "\"%.*s\"", YL_STR_ARG(path));
}
