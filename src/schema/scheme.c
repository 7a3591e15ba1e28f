/* Scheme.  See yuloh/scheme.h for the contract. */

#include "yuloh/scheme.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/map.h"
#include "yuloh/error.h"

struct entry {
    const struct yl_kind *kind;
    struct yl_map_node by_kind;     /* In yl_scheme's 'kinds'. */
    struct yl_map_node by_resource; /* In yl_scheme's 'resources'. */
};

struct yl_scheme {
    struct yl_map kinds;        /* Entries by group, version and kind. */
    struct yl_map resources;    /* Entries by group, version and plural. */
    const struct yl_type_set **sets;
    size_t n_sets;
};

static size_t hash_names(struct yl_str group, struct yl_str version,
                         struct yl_str name);
static bool is_in(const struct yl_kind *, struct yl_str group,
                  struct yl_str version);

struct yl_scheme *
yl_scheme_new(void)
{
    struct yl_scheme *scheme = yl_zalloc(sizeof *scheme);

    yl_map_init(&scheme->kinds);
    yl_map_init(&scheme->resources);
    return scheme;
}

void
yl_scheme_free(struct yl_scheme *scheme)
{
    struct entry *entry;

    if (!scheme) {
        return;
    }
    YL_MAP_FOR_EACH_SAFE (entry, by_kind, &scheme->kinds) {
        free(entry);
    }
    yl_map_release(&scheme->kinds);
    yl_map_release(&scheme->resources);
    free(scheme->sets);
    free(scheme);
}

int
yl_scheme_add(struct yl_scheme *scheme, const struct yl_type_set *set)
{
    struct yl_str group = yl_str_c(set->group);
    struct yl_str version = yl_str_c(set->version);
    size_t i;

    for (i = 0; i < set->n_kinds; i++) {
        const struct yl_kind *kind = set->kinds[i];

        if (yl_scheme_find(scheme, group, version, yl_str_c(kind->name))
            || yl_scheme_find_resource(scheme, group, version,
                                       yl_str_c(kind->plural))) {
            return YL_EEXISTS;
        }
    }
    for (i = 0; i < set->n_kinds; i++) {
        const struct yl_kind *kind = set->kinds[i];
        struct entry *entry = yl_zalloc(sizeof *entry);

        entry->kind = kind;
        yl_map_insert(&scheme->kinds, &entry->by_kind,
                      hash_names(group, version, yl_str_c(kind->name)));
        if (kind->plural && *kind->plural) {
            yl_map_insert(&scheme->resources, &entry->by_resource,
                          hash_names(group, version,
                                     yl_str_c(kind->plural)));
        }
    }
    scheme->sets = yl_realloc_array(scheme->sets, scheme->n_sets + 1,
                                    sizeof *scheme->sets);
    scheme->sets[scheme->n_sets++] = set;
    return 0;
}

const struct yl_kind *
yl_scheme_find(const struct yl_scheme *scheme, struct yl_str group,
               struct yl_str version, struct yl_str kind)
{
    const struct entry *entry;

    YL_MAP_FOR_EACH_WITH_HASH (entry, by_kind,
                               hash_names(group, version, kind),
                               &scheme->kinds) {
        if (yl_str_equal_c(kind, entry->kind->name)
            && is_in(entry->kind, group, version)) {
            return entry->kind;
        }
    }
    return NULL;
}

const struct yl_kind *
yl_scheme_find_resource(const struct yl_scheme *scheme, struct yl_str group,
                        struct yl_str version, struct yl_str resource)
{
    const struct entry *entry;

    YL_MAP_FOR_EACH_WITH_HASH (entry, by_resource,
                               hash_names(group, version, resource),
                               &scheme->resources) {
        if (yl_str_equal_c(resource, entry->kind->plural)
            && is_in(entry->kind, group, version)) {
            return entry->kind;
        }
    }
    return NULL;
}

const struct yl_type_set *const *
yl_scheme_sets(const struct yl_scheme *scheme, size_t *ret_n)
{
    *ret_n = scheme->n_sets;
    return scheme->sets;
}

static size_t
hash_names(struct yl_str group, struct yl_str version, struct yl_str name)
{
    return yl_hash_u64(yl_hash_str(group) + 31 * yl_hash_str(version)
                       + 961 * yl_hash_str(name));
}

static bool
is_in(const struct yl_kind *kind, struct yl_str group, struct yl_str version)
{
    return yl_str_equal_c(group, kind->set->group)
           && yl_str_equal_c(version, kind->set->version);
}
