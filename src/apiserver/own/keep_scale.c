/* Owners of a Scale, and of the object it belongs to.  See keep.h.
 *
 *     object's managers    -> those that own its replicas    -> Scale's
 *     Scale's, after write -> object's: gained, kept or lost the replicas
 *
 * A Scale has no managedFields that are stored: they are made of the object's
 * for each write.  As upstream: managers in versions that are not served any
 * more are forgotten by such a write, entries that gain the replicas have no
 * time, and what an update of the object itself owns moves to an entry of its
 * own, as its key names another version. */

#include "apiserver/own/keep.h"
#include "apiserver/strategy/strategy.h"
#include "json/tree.h"
#include "yuloh/arena.h"

static bool is_known(struct yl_keeper *, struct yl_str version);
static const struct yl_field_set *replicas_in(struct yl_keeper *,
                                              struct yl_str version);
static const struct yl_field_set *replicas(struct yl_keeper *);
static void put(struct yl_keeper *, struct yl_node *index,
                struct yl_managers *, const struct yl_manager *);
static bool lose_replicas(struct yl_keeper *, const struct yl_field_set *path,
                          struct yl_manager *);

void
yl_keeper_to_scale(struct yl_keeper *k)
{
    struct yl_managers all = k->managers, scale = { NULL, 0 };
    struct yl_node *index = yl_node_new_object(k->arena);
    size_t i;

    scale.items = yl_arena_array(k->arena, all.n + 1, sizeof *scale.items);
    for (i = 0; i < all.n; i++) {
        struct yl_manager one = all.items[i];

        const struct yl_field_set *path = replicas_in(k, one.version);

        if (path && yl_field_set_contains(one.set, path)) {
            one.version = k->version;
            one.key = yl_entry_key(k->arena, yl_entry_of(&one), one.applied,
                                   one.version);
            one.set = replicas(k);
            put(k, index, &scale, &one);
        }
    }
    k->managers = scale;
}

void
yl_keeper_from_scale(struct yl_keeper *k, const struct yl_managers *parent)
{
    const struct yl_api_version *version = k->o->version;
    struct yl_gv gv = { version->group, version->version };
    struct yl_managers scale = k->managers, all = { NULL, 0 };
    const struct yl_node *in_scale = yl_managers_index(k->arena, &scale);
    const struct yl_node *in_parent = yl_managers_index(k->arena, parent);
    struct yl_node *index = yl_node_new_object(k->arena);
    size_t i;

    all.items = yl_arena_array(k->arena, parent->n + scale.n + 1,
                               sizeof *all.items);
    for (i = 0; i < parent->n; i++) {
        struct yl_manager one = parent->items[i];
        const struct yl_field_set *path = replicas_in(k, one.version);
        struct yl_manager *kept = yl_managers_indexed(&scale, in_scale,
                                                      one.key);

        if (!is_known(k, one.version)) {
            continue;
        }
        if (kept && path && yl_field_set_contains(one.set, path)) {
            kept->set = NULL;   /* It is done with. */
            put(k, index, &all, &one);
        } else if (lose_replicas(k, path, &one)) {
            put(k, index, &all, &one);
        }
    }
    for (i = 0; i < scale.n; i++) {
        struct yl_manager one = scale.items[i];
        const struct yl_manager *before = yl_managers_indexed(
            parent, in_parent, one.key);
        struct yl_entry *entry;

        if (!yl_field_set_contains(one.set, replicas(k))) {
            continue;
        }
        entry = yl_entry_new(k->arena, yl_entry_of(&one)->manager,
                             yl_entry_of(&one)->subresource);
        if (before) {
            *entry = *yl_entry_of(before);
        }
        one.aux = entry;
        one.version = yl_gv_api_version(gv, k->arena);
        one.set = replicas_in(k, one.version);
        put(k, index, &all, &one);
    }
    k->managers = all;
}

static bool
is_known(struct yl_keeper *k, struct yl_str version)
{
    return yl_keeper_find_version(k, version) != NULL;
}

/* The field that holds the replicas in an object of this version; NULL if that
 * has no Scale. */
static const struct yl_field_set *
replicas_in(struct yl_keeper *k, struct yl_str version)
{
    const struct yl_api_version *found = yl_keeper_find_version(k, version);
    const struct yl_api_subresource *scale =
        found ? yl_api_version_subresource(found, k->o->part) : NULL;
    const char *path = ".spec.replicas";

    if (!scale) {
        return NULL;
    }
    if (scale->scale) {
        path = scale->scale->spec_replicas;
    }
    path++;
    return yl_field_set_of(k->arena, &path, 1);
}

/* The field that holds them in the Scale. */
static const struct yl_field_set *
replicas(struct yl_keeper *k)
{
    static const char *const path[] = { "spec.replicas" };

    return yl_field_set_of(k->arena, path, 1);
}

/* Adds a manager, or puts it in the place of the one with its key. */
static void
put(struct yl_keeper *k, struct yl_node *index, struct yl_managers *managers,
    const struct yl_manager *one)
{
    struct yl_manager *same = yl_managers_indexed(managers, index, one->key);

    if (!same) {
        yl_node_set(k->arena, index, one->key,
                    yl_node_new_int64(k->arena, (int64_t) managers->n));
        same = &managers->items[managers->n++];
    }
    *same = *one;
}

/* Takes the replicas away from a manager.  Returns whether something is left
 * to it. */
static bool
lose_replicas(struct yl_keeper *k, const struct yl_field_set *path,
              struct yl_manager *manager)
{
    if (!path || !yl_field_set_contains(manager->set, path)) {
        return true;
    }
    manager->set = yl_field_set_difference(k->arena, manager->set, path);
    return !yl_field_set_is_empty(manager->set);
}
