/* The updater.  See apply/updater.h for the contract. */

#include "apply/updater.h"

#include <stdlib.h>
#include <string.h>

#include "apply/updater_prune.h"
#include "base/arena.h"
#include "base/buf.h"
#include "json/tree.h"
#include "yuloh/error.h"

/* How an object was changed, in one version. */
struct change {
    struct yl_str version;
    struct yl_comparison comparison;
    const struct yl_field_set *set; /* What it has modified and added. */
    bool missing;               /* Does the version not exist? */
    struct change *next;
};

/* A version that exists. */
struct seen {
    struct yl_str version;
    struct yl_typed_as as;
    struct seen *next;
};

/* What a manager loses. */
struct lost {
    const struct yl_field_set *taken, *removed;
};

/* One write: what the steps below share. */
struct work {
    const struct yl_updater *updater;
    struct yl_arena *arena;
    const struct yl_typed_object *live;
    struct yl_managers managers;    /* A copy, with room for one more. */
    struct yl_str manager;      /* Who writes. */
    struct change *changes;     /* In each version that was asked for. */
};

/* For collecting the paths of a manager's conflicts. */
struct collect {
    struct yl_arena *arena;
    const struct yl_manager *manager;
    struct yl_conflicts *conflicts;
    size_t allocated;
};

static int start(struct work *, const struct yl_updater *, struct yl_arena *,
                 const struct yl_typed_object *live,
                 const struct yl_managers *managers, struct yl_str manager,
                 struct yl_error *);
static int see_version(struct work *, struct yl_str version, struct seen **,
                       struct yl_error *);
static int transfer(struct work *, const struct yl_typed_object *now,
                    bool force, struct yl_conflicts *ret_conflicts,
                    struct yl_comparison *ret_comparison, struct yl_error *);
static int change_in(struct work *, const struct yl_typed_object *now,
                     struct yl_str version, struct change **ret_change,
                     struct yl_error *);
static struct yl_manager *find(struct work *, struct yl_str key);
static struct yl_manager *find_or_add(struct work *);
static void forget_empty(struct yl_managers *);
static const struct yl_field_set *count(struct work *, struct yl_str version,
                                        const struct yl_field_set *);
static bool collect_path(void *collect, const struct yl_path_element *path,
                         size_t n);
static int compare_conflicts(const void *, const void *);

int
yl_updater_update(const struct yl_updater *updater, struct yl_arena *arena,
                  const struct yl_typed_object *live,
                  const struct yl_typed_object *now,
                  struct yl_managers *managers, struct yl_str manager,
                  struct yl_error *err)
{
    struct yl_conflicts conflicts;
    struct yl_comparison changed;
    struct yl_manager *writer;
    struct work work;
    int r;

    r = start(&work, updater, arena, live, managers, manager, err);
    if (r == 0) {
        r = transfer(&work, now, true, &conflicts, &changed, err);
    }
    if (r < 0) {
        return r;
    }
    writer = find_or_add(&work);
    writer->set = yl_field_set_difference(arena, writer->set,
                                          changed.removed);
    writer->set = yl_field_set_union(arena, writer->set, changed.modified);
    writer->set = yl_field_set_union(arena, writer->set, changed.added);
    writer->set = count(&work, now->version, writer->set);
    writer->version = now->version;
    writer->applied = false;
    forget_empty(&work.managers);
    r = yl_arena_check(arena, err);
    if (r == 0) {
        *managers = work.managers;
    }
    return r;
}

int
yl_updater_apply(const struct yl_updater *updater, struct yl_arena *arena,
                 const struct yl_typed_object *live,
                 const struct yl_typed_object *config,
                 struct yl_managers *managers, struct yl_str manager,
                 bool force, const struct yl_node **ret_object,
                 struct yl_conflicts *ret_conflicts, struct yl_error *err)
{
    struct yl_typed_object now = *config;
    struct yl_manager last = { .set = NULL };
    struct yl_comparison changed;
    struct yl_manager *applier;
    struct work work;
    int r;

    r = start(&work, updater, arena, live, managers, manager, err);
    if (r < 0) {
        return r;
    }
    now.object = yl_typed_merge(arena, config->as, live->object,
                                config->object);
    applier = find_or_add(&work);
    last = *applier;
    applier->set = count(&work, config->version,
                         yl_typed_fields(arena, config->as, config->object));
    applier->version = config->version;
    applier->applied = true;

    /* As long as a manager only repeats and adds, nothing is removed. */
    if (!yl_field_set_is_empty(last.set)
        && !(yl_str_equal(last.version, config->version)
             && yl_field_set_contains(applier->set, last.set))) {
        r = yl_prune_applied(updater, arena, &now, &work.managers, &last,
                             config->version, err);
    }
    if (!now.object) {
        now.object = yl_node_new_object(arena);
    }
    if (r == 0 && now.object != live->object) {
        r = transfer(&work, &now, force, ret_conflicts, &changed, err);
    }
    if (r == 0) {
        forget_empty(&work.managers);
        r = yl_arena_check(arena, err);
    }
    if (r == 0) {
        *managers = work.managers;
        *ret_object = now.object;
    }
    return r;
}

/* Copies the managers, without those whose version does not exist any more,
 * and brings their sets in line with the schema. */
static int
start(struct work *work, const struct yl_updater *updater,
      struct yl_arena *arena, const struct yl_typed_object *live,
      const struct yl_managers *managers, struct yl_str manager,
      struct yl_error *err)
{
    struct seen first = { live->version, live->as, NULL }, *seen = &first;
    size_t i;

    memset(work, 0, sizeof *work);
    work->updater = updater;
    work->arena = arena;
    work->live = live;
    work->manager = manager;
    work->managers.items = yl_arena_array(arena, managers->n + 1,
                                          sizeof *work->managers.items);
    for (i = 0; i < managers->n; i++) {
        const struct yl_manager *from = &managers->items[i];
        struct yl_manager *to = &work->managers.items[work->managers.n];
        struct seen *in = seen;
        int r = 0;

        while (in && !yl_str_equal(in->version, from->version)) {
            in = in->next;
        }
        if (!in) {
            r = see_version(work, from->version, &seen, err);
            in = seen;
        }
        if (r < 0 && r != YL_ENOTFOUND) {
            return r;
        }
        if (r == 0) {
            *to = *from;
            to->set = yl_typed_reconcile(arena, in->as, from->set);
            work->managers.n++;
        }
    }
    return yl_arena_check(arena, err);
}

/* Adds a version in which there are managers to '*seen', so that the object is
 * converted to it once. */
static int
see_version(struct work *work, struct yl_str version, struct seen **seen,
            struct yl_error *err)
{
    struct yl_typed_object in;
    struct seen *one;
    int r = yl_updater_convert(work->updater, work->live, version, &in, err);

    if (r == 0) {
        one = yl_arena_alloc(work->arena, sizeof *one);
        *one = (struct seen) { version, in.as, *seen };
        *seen = one;
    }
    return r;
}

/* Takes what has changed from everyone but the one who writes. */
static int
transfer(struct work *work, const struct yl_typed_object *now, bool force,
         struct yl_conflicts *ret_conflicts,
         struct yl_comparison *ret_comparison, struct yl_error *err)
{
    struct yl_arena *arena = work->arena;
    struct yl_conflicts conflicts = { NULL, 0 };
    struct collect collect = { arena, NULL, &conflicts, 0 };
    struct lost *lost = yl_arena_array(arena, work->managers.n + 1,
                                       sizeof *lost);
    struct change *change;
    size_t i, n = 0;
    int r = change_in(work, now, now->version, &change, err);

    if (r < 0) {
        return r;
    }
    *ret_comparison = change->comparison;
    for (i = 0; i < work->managers.n; i++) {
        struct yl_manager *manager = &work->managers.items[i];
        const struct yl_field_set *taken;

        if (!yl_str_equal(manager->key, work->manager)) {
            r = change_in(work, now, manager->version, &change, err);
            if (r < 0) {
                return r;
            }
            if (change->missing) {
                continue;       /* The manager is forgotten. */
            }
            taken = yl_field_set_intersection(arena, manager->set,
                                              change->set);
            if (!force) {
                collect.manager = manager;
                yl_field_set_for_each(taken, collect_path, &collect);
            }
            lost[n].taken = taken;
            lost[n].removed = change->comparison.removed;
        }
        work->managers.items[n++] = *manager;
    }
    work->managers.n = n;
    if (conflicts.n) {
        qsort(conflicts.items, conflicts.n, sizeof *conflicts.items,
              compare_conflicts);
        *ret_conflicts = conflicts;
        return yl_error_set(err, YL_ECONFLICT, "%zu conflicts", conflicts.n);
    }
    for (i = 0; i < n; i++) {
        const struct yl_field_set **set = &work->managers.items[i].set;

        *set = yl_field_set_difference(arena, *set, lost[i].taken);
        *set = yl_field_set_difference(arena, *set, lost[i].removed);
    }
    return 0;
}

/* How the object changes in 'version', without what does not count there. */
static int
change_in(struct work *work, const struct yl_typed_object *now,
          struct yl_str version, struct change **ret_change,
          struct yl_error *err)
{
    struct yl_typed_object old, new;
    struct yl_comparison *c;
    struct change *change;
    int r;

    for (change = work->changes; change; change = change->next) {
        if (yl_str_equal(change->version, version)) {
            *ret_change = change;
            return 0;
        }
    }
    change = yl_arena_zalloc(work->arena, sizeof *change);
    change->version = version;
    r = yl_updater_convert(work->updater, work->live, version, &old, err);
    if (r == 0) {
        r = yl_updater_convert(work->updater, now, version, &new, err);
    }
    if (r < 0 && r != YL_ENOTFOUND) {
        return r;
    }
    change->missing = r < 0;
    if (r == 0) {
        c = &change->comparison;
        if (yl_typed_compare(work->arena, new.as, old.object, new.object, c)
            < 0) {
            return yl_error_set(err, YL_EINVALID,
                                "an item of a list has no key");
        }
        c->removed = count(work, version, c->removed);
        c->modified = count(work, version, c->modified);
        c->added = count(work, version, c->added);
        change->set = yl_field_set_union(work->arena, c->modified, c->added);
    }
    change->next = work->changes;
    work->changes = change;
    *ret_change = change;
    return 0;
}

int
yl_updater_convert(const struct yl_updater *updater,
                   const struct yl_typed_object *from, struct yl_str version,
                   struct yl_typed_object *ret_to, struct yl_error *err)
{
    if (yl_str_equal(from->version, version)) {
        *ret_to = *from;
        return 0;
    }
    return updater->convert
               ? updater->convert(updater->aux, from, version, ret_to, err)
               : YL_ENOTFOUND;
}

static struct yl_manager *
find(struct work *work, struct yl_str key)
{
    size_t i;

    for (i = 0; i < work->managers.n; i++) {
        if (yl_str_equal(work->managers.items[i].key, key)) {
            return &work->managers.items[i];
        }
    }
    return NULL;
}

/* The one who writes, with nothing if it is new. */
static struct yl_manager *
find_or_add(struct work *work)
{
    struct yl_manager *manager = find(work, work->manager);

    if (!manager) {
        manager = &work->managers.items[work->managers.n++];
        memset(manager, 0, sizeof *manager);
        manager->key = work->manager;
    }
    return manager;
}

static void
forget_empty(struct yl_managers *managers)
{
    size_t i, n = 0;

    for (i = 0; i < managers->n; i++) {
        if (!yl_field_set_is_empty(managers->items[i].set)) {
            managers->items[n++] = managers->items[i];
        }
    }
    managers->n = n;
}

/* What counts of 'set' in 'version'. */
static const struct yl_field_set *
count(struct work *work, struct yl_str version, const struct yl_field_set *set)
{
    const struct yl_updater *updater = work->updater;

    return set && updater->ignored
               ? yl_field_filter(work->arena,
                                 updater->ignored(updater->aux, version), set)
               : set;
}

static bool
collect_path(void *aux, const struct yl_path_element *path, size_t n)
{
    struct collect *collect = aux;
    struct yl_conflicts *conflicts = collect->conflicts;
    struct yl_conflict *conflict;
    struct yl_buf text;

    if (conflicts->n == collect->allocated) {
        size_t allocated = collect->allocated ? 2 * collect->allocated : 8;
        struct yl_conflict *items =
            yl_arena_array(collect->arena, allocated, sizeof *items);

        if (conflicts->n) {
            memcpy(items, conflicts->items, conflicts->n * sizeof *items);
        }
        conflicts->items = items;
        collect->allocated = allocated;
    }
    yl_buf_init(&text, 1 << 20);
    yl_path_print(&text, path, n);
    conflict = &conflicts->items[conflicts->n];
    conflict->manager = collect->manager->key;
    conflict->aux = collect->manager->aux;
    conflict->path = yl_arena_copy(collect->arena, yl_buf_str(&text));
    conflict->order = conflicts->n++;
    yl_buf_release(&text);
    return !yl_arena_is_over(collect->arena);
}

static int
compare_conflicts(const void *x, const void *y)
{
    const struct yl_conflict *a = x, *b = y;
    int c = yl_str_compare(a->manager, b->manager);

    return c ? c : (a->order > b->order) - (a->order < b->order);
}
