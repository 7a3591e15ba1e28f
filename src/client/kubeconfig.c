/* kubeconfig: reading and merging.  See client/kubeconfig.h. */

#include "client/kubeconfig.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/hash.h"
#include "client/kubeconfig_read.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/json.h"
#include "yuloh/yaml.h"

/* One of the three lists. */
struct list {
    const char *name;           /* Of the list. */
    const char *member;         /* In each element, beside its name. */
    size_t map;                 /* Offset in struct yl_kubeconfig_set. */
    size_t size;                /* Of an entry's struct, */
    yl_config_read_fn *read;    /* which this fills in. */
};

static const struct list lists[] = {
    { "clusters", "cluster", offsetof(struct yl_kubeconfig_set, clusters),
      sizeof(struct yl_kubeconfig_cluster), yl_config_read_cluster },
    { "users", "user", offsetof(struct yl_kubeconfig_set, users),
      sizeof(struct yl_kubeconfig_user), yl_config_read_user },
    { "contexts", "context", offsetof(struct yl_kubeconfig_set, contexts),
      sizeof(struct yl_kubeconfig_context), yl_config_read_context },
};

static int check_type(const struct yl_config_reader *, struct yl_json root);
static int add_list(struct yl_kubeconfig_set *,
                    const struct yl_config_reader *, const struct list *,
                    struct yl_json value);
static struct yl_kubeconfig_entry *find(const struct yl_map *,
                                        const char *name);
static const char *directory_of(struct yl_arena *, const char *path);

void
yl_kubeconfig_set_init(struct yl_kubeconfig_set *set, struct yl_arena *arena)
{
    memset(set, 0, sizeof *set);
    set->arena = arena;
}

void
yl_kubeconfig_set_release(struct yl_kubeconfig_set *set)
{
    yl_map_release(&set->clusters);
    yl_map_release(&set->users);
    yl_map_release(&set->contexts);
}

int
yl_kubeconfig_add(struct yl_kubeconfig_set *set, struct yl_str text,
                  const char *directory, struct yl_error *err)
{
    struct yl_config_reader reader = { set->arena, directory, err };
    const char *current = NULL;
    struct yl_str json;
    struct yl_json root;
    size_t i;
    int r;

    r = yl_yaml_to_json(set->arena, text, NULL, &json, err);
    if (r < 0) {
        return r;
    }
    root = yl_json(json);
    if (yl_json_type(root) == YL_JSON_NULL) {
        return 0;               /* An empty file says nothing. */
    }
    if (yl_json_type(root) != YL_JSON_OBJECT) {
        return yl_error_set(err, YL_ETYPE, "not a kubeconfig: it must be an "
                            "object with clusters, users and contexts");
    }
    r = check_type(&reader, root);
    if (r == 0) {
        r = yl_config_read_text(&reader, root, "current-context", &current);
    }
    set->n_files++;
    for (i = 0; i < YL_ARRAY_SIZE(lists) && r == 0; i++) {
        r = add_list(set, &reader, &lists[i],
                     yl_json_get(root, yl_str_c(lists[i].name)));
    }
    if (r == 0 && !set->current_context) {
        set->current_context = current;
    }
    return r;
}

int
yl_kubeconfig_add_file(struct yl_kubeconfig_set *set, const char *path,
                       struct yl_error *err)
{
    struct yl_error why = YL_ERROR_INIT;
    struct yl_buf text;
    int r;

    yl_buf_init(&text, YL_KUBECONFIG_MAX_SIZE);
    r = yl_file_read(path, &text, err);
    if (r == 0) {
        r = yl_kubeconfig_add(set, yl_buf_str(&text),
                              directory_of(set->arena, path), &why);
        if (r < 0) {
            yl_error_set(err, r, "kubeconfig %s: %s", path,
                         yl_error_message(&why));
        }
        yl_error_clear(&why);
    }
    if (text.data) {
        explicit_bzero(text.data, text.size);
    }
    yl_buf_release(&text);
    return r;
}

const struct yl_kubeconfig_cluster *
yl_kubeconfig_cluster(const struct yl_kubeconfig_set *set, const char *name)
{
    return (void *) find(&set->clusters, name);
}

const struct yl_kubeconfig_user *
yl_kubeconfig_user(const struct yl_kubeconfig_set *set, const char *name)
{
    return (void *) find(&set->users, name);
}

const struct yl_kubeconfig_context *
yl_kubeconfig_context(const struct yl_kubeconfig_set *set, const char *name)
{
    return (void *) find(&set->contexts, name);
}

/* A kubeconfig without a kind is one, as in client-go. */
static int
check_type(const struct yl_config_reader *reader, struct yl_json root)
{
    const char *version = NULL, *kind = NULL;
    int r = yl_config_read_text(reader, root, "apiVersion", &version);

    if (r == 0) {
        r = yl_config_read_text(reader, root, "kind", &kind);
    }
    if (r == 0 && ((version && strcmp(version, "v1") != 0)
                   || (kind && strcmp(kind, "Config") != 0))) {
        r = yl_error_set(reader->err, YL_EINVALID,
                         "not a kubeconfig: it is of kind %s in version %s, "
                         "not of kind Config in v1", kind ? kind : "\"\"",
                         version ? version : "\"\"");
    }
    return r;
}

/* Adds the elements { name: NAME, MEMBER: { ... } } of a list, unless an
 * earlier file has that name. */
static int
add_list(struct yl_kubeconfig_set *set, const struct yl_config_reader *reader,
         const struct list *list, struct yl_json value)
{
    struct yl_map *map = (void *) ((char *) set + list->map);
    struct yl_json_iter it = yl_json_iter(value);
    enum yl_json_type type = yl_json_type(value);

    if (type != YL_JSON_ARRAY && type != YL_JSON_NULL
        && type != YL_JSON_NONE) {
        return yl_error_set(reader->err, YL_ETYPE, "%s must be a list",
                            list->name);
    }
    while (yl_json_next(&it)) {
        struct yl_kubeconfig_entry *entry, *old;
        const char *name = NULL;
        struct yl_error why = YL_ERROR_INIT;
        struct yl_config_reader inner = { reader->arena, reader->directory,
                                          &why };
        int r = yl_config_check_object(reader, it.value, list->name);

        if (r == 0) {
            r = yl_config_read_text(reader, it.value, "name", &name);
        }
        if (r < 0) {
            return r;
        }
        name = name ? name : "";
        old = find(map, name);
        if (old && old->file == set->n_files) {
            return yl_error_set(reader->err, YL_EDUPLICATE,
                                "duplicate name \"%s\" in %s", name,
                                list->name);
        }
        entry = yl_arena_zalloc(set->arena, list->size);
        entry->name = name;
        entry->file = set->n_files;
        r = list->read(&inner, yl_json_get(it.value, yl_str_c(list->member)),
                       entry);
        if (r < 0) {
            yl_error_set(reader->err, r, "%s \"%s\": %s", list->member, name,
                         yl_error_message(&why));
            yl_error_clear(&why);
            return r;
        }
        if (!old) {
            yl_map_insert(map, &entry->by_name, yl_hash_str(yl_str_c(name)));
        }
    }
    return 0;
}

static struct yl_kubeconfig_entry *
find(const struct yl_map *map, const char *name)
{
    struct yl_str text = yl_str_c(name);
    struct yl_kubeconfig_entry *entry;

    YL_MAP_FOR_EACH_WITH_HASH (entry, by_name, yl_hash_str(text), map) {
        if (yl_str_equal_c(text, entry->name)) {
            break;
        }
    }
    return entry;
}

/* The absolute path of the directory that 'path' is in. */
static const char *
directory_of(struct yl_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    struct yl_str directory = slash ? yl_str_range(path, slash) : YL_STR("");
    char here[PATH_MAX];

    if (*path == '/' || !getcwd(here, sizeof here)) {
        return yl_arena_strdup(arena, directory);
    }
    return yl_arena_printf(arena, "%s%s%.*s", here,
                           directory.size ? "/" : "", YL_STR_ARG(directory));
}
