/* Lists: which objects a filter lets through.  See yuloh/store.h for the
 * contract.
 *
 * Under the lock references are taken to all objects of a namespace, of an
 * index's value, or of the store; what the rest of the filter asks is
 * answered after that, so that a writer waits for a walk and nothing else. */

#include "store/store_parts.h"

#include "base/arena.h"
#include "base/hash.h"

/* References that an arena holds for a list. */
struct held {
    size_t n;
    struct yl_versioned *items;
};

/* Reads fields of an object for a field selector. */
struct fields {
    const struct yl_object *object;
    struct yl_arena *arena;
};

static struct held *collect_space(struct yl_store *store, struct yl_str name,
                                  struct yl_arena *)
    YL_REQUIRES(store->lock);
static struct held *collect_value(const struct yl_store_index *,
                                  struct yl_str text, struct yl_arena *);
static struct held *collect_all(struct yl_store *store, struct yl_arena *)
    YL_REQUIRES(store->lock);
static struct held *held_new(size_t n, struct yl_arena *);
static void hold(struct held *, const struct yl_store_entry *);
static void release_held(void *);
static void narrow(struct held *, const struct yl_store_filter *);
static bool passes(const struct yl_object *, const struct yl_store_filter *,
                   struct yl_arena *);
static struct yl_str field_of(void *fields, struct yl_str path);
static struct yl_json walk(const struct fields *, struct yl_str path);

int
yl_store_list(struct yl_store *store, const struct yl_store_filter *filter,
              struct yl_arena *arena, struct yl_store_items *ret_items,
              struct yl_error *err)
{
    static const struct yl_store_filter everything;
    const struct yl_store_index *index;
    struct held *held = NULL;

    filter = filter ? filter : &everything;
    yl_mutex_lock(&store->lock);
    if (filter->index) {
        index = yl_store_index_find(store, filter->index);
        if (index) {
            held = collect_value(index, filter->value, arena);
        }
    } else if (!yl_str_is_empty(filter->namespace_)) {
        held = collect_space(store, filter->namespace_, arena);
    } else {
        held = collect_all(store, arena);
    }
    yl_mutex_unlock(&store->lock);
    if (!held) {
        return yl_store_index_missing(filter->index, err);
    }
    yl_arena_attach(arena, release_held, held);
    narrow(held, filter);
    ret_items->items = held->items;
    ret_items->n_items = held->n;
    return 0;
}

int
yl_store_each(struct yl_store *store, const struct yl_store_filter *filter,
              yl_store_item_fn *fn, void *aux, struct yl_error *err)
{
    struct yl_store_items items = { NULL, 0 };
    struct yl_arena arena;
    size_t i;
    int r;

    yl_arena_init(&arena);
    r = yl_store_list(store, filter, &arena, &items, err);
    for (i = 0; r == 0 && i < items.n_items; i++) {
        if (!fn(aux, &items.items[i])) {
            break;
        }
    }
    yl_arena_release(&arena);
    return r;
}

int
yl_lister_get(const struct yl_lister *lister, const struct yl_key *key,
              struct yl_arena *arena, struct yl_versioned *ret_item,
              struct yl_error *err)
{
    struct yl_arena scratch;
    struct yl_str what;
    int r;

    if (yl_store_get(lister->store, key, arena, ret_item)) {
        return 0;
    }
    yl_arena_init(&scratch);
    what = yl_gvr_short_text(lister->resource, &scratch);
    r = yl_error_set(err, YL_ENOTFOUND, "%.*s \"%.*s\" not found",
                     YL_STR_ARG(what), YL_STR_ARG(key->name));
    yl_arena_release(&scratch);
    return r;
}

int
yl_lister_list(const struct yl_lister *lister, struct yl_str namespace_,
               const struct yl_selector *labels, struct yl_arena *arena,
               struct yl_store_items *ret_items, struct yl_error *err)
{
    struct yl_store_filter filter = {
        .namespace_ = namespace_,
        .labels = labels,
    };

    return yl_store_list(lister->store, &filter, arena, ret_items, err);
}

void
yl_store_snapshot(struct yl_store *store, struct yl_arena *arena,
                  void (*then)(void *aux, struct yl_store_items), void *aux)
{
    struct yl_store_items items;
    struct held *held;

    yl_mutex_lock(&store->lock);
    held = collect_all(store, arena);
    yl_arena_attach(arena, release_held, held);
    items.items = held->items;
    items.n_items = held->n;
    then(aux, items);
    yl_mutex_unlock(&store->lock);
}

static struct held *
collect_space(struct yl_store *store, struct yl_str name,
              struct yl_arena *arena)
{
    const struct yl_store_space *space;
    const struct yl_store_entry *entry;
    struct held *held;

    YL_MAP_FOR_EACH_WITH_HASH (space, node, yl_hash_str(name),
                               &store->spaces) {
        if (yl_str_equal(space->name, name)) {
            break;
        }
    }
    held = held_new(space ? yl_map_count(&space->entries) : 0, arena);
    if (space) {
        YL_MAP_FOR_EACH (entry, node, &space->entries) {
            hold(held, entry);
        }
    }
    return held;
}

static struct held *
collect_value(const struct yl_store_index *index, struct yl_str text,
              struct yl_arena *arena)
{
    const struct yl_index_value *value
        = yl_store_index_find_value(index, text);
    const struct yl_posting *posting;
    struct held *held = held_new(value ? value->n_postings : 0, arena);

    if (value) {
        YL_LIST_FOR_EACH (posting, node, &value->postings) {
            hold(held, posting->entry);
        }
    }
    return held;
}

static struct held *
collect_all(struct yl_store *store, struct yl_arena *arena)
{
    struct held *held = held_new(store->stats.n_objects, arena);
    const struct yl_store_space *space;
    const struct yl_store_entry *entry;

    YL_MAP_FOR_EACH (space, node, &store->spaces) {
        YL_MAP_FOR_EACH (entry, node, &space->entries) {
            hold(held, entry);
        }
    }
    return held;
}

static struct held *
held_new(size_t n, struct yl_arena *arena)
{
    struct held *held = yl_arena_zalloc(arena, sizeof *held);

    held->items = yl_arena_array(arena, n, sizeof *held->items);
    return held;
}

static void
hold(struct held *held, const struct yl_store_entry *entry)
{
    held->items[held->n] = entry->item;
    yl_object_ref(held->items[held->n].object);
    held->n++;
}

static void
release_held(void *held_)
{
    struct held *held = held_;
    size_t i;

    for (i = 0; i < held->n; i++) {
        yl_object_unref(held->items[i].object);
    }
}

/* Lets go what the filter does not let through. */
static void
narrow(struct held *held, const struct yl_store_filter *filter)
{
    struct yl_arena arena;
    size_t i, n = 0;

    if (!filter->labels && !filter->fields && !filter->index) {
        return;
    }
    yl_arena_init(&arena);
    for (i = 0; i < held->n; i++) {
        if (passes(held->items[i].object, filter, &arena)) {
            held->items[n++] = held->items[i];
        } else {
            yl_object_unref(held->items[i].object);
        }
        yl_arena_clear(&arena);
    }
    held->n = n;
    yl_arena_release(&arena);
}

static bool
passes(const struct yl_object *object, const struct yl_store_filter *filter,
       struct yl_arena *arena)
{
    struct fields fields = { .object = object, .arena = arena };

    return (yl_str_is_empty(filter->namespace_)
            || yl_str_equal(yl_object_namespace(object), filter->namespace_))
           && (!filter->labels
               || yl_selector_matches(filter->labels,
                                      yl_object_labels(object)))
           && (!filter->fields
               || yl_field_selector_matches(filter->fields, field_of,
                                            &fields));
}

/* The text of the field at 'path'. */
static struct yl_str
field_of(void *fields_, struct yl_str path)
{
    const struct fields *fields = fields_;
    struct yl_str text = yl_str_null();
    struct yl_json value;

    if (yl_str_equal_c(path, "metadata.name")) {
        return yl_object_name(fields->object);
    }
    if (yl_str_equal_c(path, "metadata.namespace")) {
        return yl_object_namespace(fields->object);
    }
    value = walk(fields, path);
    switch (yl_json_type(value)) {
    case YL_JSON_STRING:
        return yl_json_string(value, fields->arena, &text) == 0
               ? text : yl_str_null();
    case YL_JSON_NUMBER:
    case YL_JSON_BOOL:
        return yl_json_raw(value);
    case YL_JSON_NONE:
    case YL_JSON_NULL:
    case YL_JSON_ARRAY:
    case YL_JSON_OBJECT:
        break;
    }
    return yl_str_null();
}

/* Steps down 'path', from member to member. */
static struct yl_json
walk(const struct fields *fields, struct yl_str path)
{
    struct yl_json value = yl_json_none();
    bool first = true;

    while (path.size) {
        const char *dot = yl_str_find_char(path, '.');
        const char *end = path.data + path.size;
        struct yl_str name = yl_str_range(path.data, dot ? dot : end);

        value = first ? yl_object_field(fields->object, fields->arena,
                                        yl_arena_strdup(fields->arena, name))
                      : yl_json_get(value, name);
        first = false;
        path = yl_str_range(dot ? dot + 1 : end, end);
    }
    return value;
}
