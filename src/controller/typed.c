/* Typed layer.  See yuloh/typed.h. */

#include "yuloh/typed.h"

#include "yuloh/arena.h"
#include "yuloh/meta_types.h"
#include "yuloh/schema.h"

struct listing {
    const struct yl_kind *kind;
    struct yl_arena *arena;
    yl_typed_each_fn *each;
    void *aux;
    struct yl_error *err;
    int r;
};

static struct yl_key key_of(const struct yl_kind *, const void *record);
static int answer(const struct yl_kind *, int r, struct yl_versioned,
                  struct yl_arena *, void *ret_record, struct yl_error *);
static int visit(struct listing *, const struct yl_versioned *);
static int on_item(void *aux, const struct yl_versioned *);
static bool on_cached(void *aux, const struct yl_versioned *);
static struct yl_str api_version(const struct yl_kind *, struct yl_arena *);

int
yl_typed_decode(const struct yl_kind *kind, const struct yl_object *object,
                uint64_t revision, struct yl_arena *arena, void *record,
                struct yl_error *err)
{
    const struct yl_object_head head = {
        .type = { api_version(kind, arena), yl_str_c(kind->name) },
        .revision = revision,
    };

    return yl_record_decode(kind,
                            yl_json(yl_object_json(object, arena, &head)),
                            arena, NULL, record, err);
}

int
yl_typed_get(struct yl_client *client, const struct yl_kind *kind,
             const struct yl_key *key, const struct yl_call_opts *opts,
             struct yl_arena *arena, void *record, struct yl_error *err)
{
    struct yl_resource resource = yl_resource_of(kind);
    struct yl_versioned item = { NULL, 0 };
    int r = yl_client_get(client, &resource, key, opts, &item, err);

    return answer(kind, r, item, arena, record, err);
}

int
yl_typed_list(struct yl_client *client, const struct yl_kind *kind,
              struct yl_str namespace_, const struct yl_list_options *options,
              const struct yl_call_opts *opts, yl_typed_each_fn *each,
              void *aux, struct yl_error *err)
{
    struct yl_resource resource = yl_resource_of(kind);
    struct yl_arena *arena = yl_arena_new();
    struct listing listing = { .kind = kind, .arena = arena, .each = each,
                               .aux = aux, .err = err };
    int r = yl_client_list(client, &resource, namespace_, options, on_item,
                           &listing, opts, NULL, err);

    yl_arena_free(arena);
    return r;
}

int
yl_typed_watch(struct yl_client *client, const struct yl_kind *kind,
               struct yl_str namespace_,
               const struct yl_list_options *options,
               const struct yl_call_opts *opts, yl_client_event_fn *event,
               void *aux, struct yl_error *err)
{
    struct yl_resource resource = yl_resource_of(kind);

    return yl_client_watch(client, &resource, namespace_, options, event, aux,
                           opts, err);
}

int
yl_typed_create(struct yl_client *client, const struct yl_kind *kind,
                const void *record, const struct yl_call_opts *opts,
                struct yl_arena *arena, void *ret_record,
                struct yl_error *err)
{
    struct yl_resource resource = yl_resource_of(kind);
    struct yl_versioned item = { NULL, 0 };
    int r = yl_client_create(client, &resource,
                             key_of(kind, record).namespace_,
                             yl_record_encode(kind, record, arena), opts,
                             &item, err);

    return answer(kind, r, item, arena, ret_record, err);
}

int
yl_typed_update(struct yl_client *client, const struct yl_kind *kind,
                const void *record, const struct yl_call_opts *opts,
                struct yl_arena *arena, void *ret_record,
                struct yl_error *err)
{
    struct yl_resource resource = yl_resource_of(kind);
    struct yl_key key = key_of(kind, record);
    struct yl_versioned item = { NULL, 0 };
    int r = yl_client_update(client, &resource, &key,
                             yl_record_encode(kind, record, arena), opts,
                             &item, err);

    return answer(kind, r, item, arena, ret_record, err);
}

int
yl_typed_update_status(struct yl_client *client, const struct yl_kind *kind,
                       const void *record, const struct yl_call_opts *opts,
                       struct yl_arena *arena, void *ret_record,
                       struct yl_error *err)
{
    struct yl_resource resource = yl_resource_of(kind);
    struct yl_key key = key_of(kind, record);
    struct yl_versioned item = { NULL, 0 };
    int r = yl_client_update_status(client, &resource, &key,
                                    yl_record_encode(kind, record, arena),
                                    opts, &item, err);

    return answer(kind, r, item, arena, ret_record, err);
}

int
yl_typed_apply(struct yl_client *client, const struct yl_kind *kind,
               const void *record, const struct yl_call_opts *opts,
               struct yl_arena *arena, void *ret_record,
               struct yl_error *err)
{
    struct yl_resource resource = yl_resource_of(kind);
    struct yl_key key = key_of(kind, record);
    struct yl_versioned item = { NULL, 0 };
    int r = yl_client_apply(client, &resource, &key,
                            yl_record_encode(kind, record, arena), opts,
                            &item, err);

    return answer(kind, r, item, arena, ret_record, err);
}

int
yl_typed_patch(struct yl_client *client, const struct yl_kind *kind,
               const struct yl_key *key, enum yl_patch_type type,
               struct yl_str patch, const struct yl_call_opts *opts,
               struct yl_arena *arena, void *ret_record,
               struct yl_error *err)
{
    struct yl_resource resource = yl_resource_of(kind);
    struct yl_versioned item = { NULL, 0 };
    int r = yl_client_patch(client, &resource, key, type, patch, opts, &item,
                            err);

    return answer(kind, r, item, arena, ret_record, err);
}

int
yl_typed_delete(struct yl_client *client, const struct yl_kind *kind,
                const struct yl_key *key,
                const struct yl_delete_opts *options,
                const struct yl_call_opts *opts, struct yl_error *err)
{
    struct yl_resource resource = yl_resource_of(kind);

    return yl_client_delete(client, &resource, key, options, opts, NULL, err);
}

int
yl_typed_delete_collection(struct yl_client *client,
                           const struct yl_kind *kind,
                           struct yl_str namespace_,
                           const struct yl_delete_opts *options,
                           const struct yl_list_options *which,
                           const struct yl_call_opts *opts,
                           struct yl_error *err)
{
    struct yl_resource resource = yl_resource_of(kind);

    return yl_client_delete_collection(client, &resource, namespace_, options,
                                       which, opts, err);
}

int
yl_typed_get_scale(struct yl_client *client, const struct yl_kind *kind,
                   const struct yl_key *key, const struct yl_call_opts *opts,
                   struct yl_scale *ret_scale, struct yl_error *err)
{
    struct yl_resource resource = yl_resource_of(kind);

    return yl_client_get_scale(client, &resource, key, opts, ret_scale, err);
}

int
yl_typed_update_scale(struct yl_client *client, const struct yl_kind *kind,
                      const struct yl_key *key, int64_t replicas,
                      uint64_t revision, const struct yl_call_opts *opts,
                      struct yl_scale *ret_scale, struct yl_error *err)
{
    struct yl_resource resource = yl_resource_of(kind);

    return yl_client_update_scale(client, &resource, key, replicas, revision,
                                  opts, ret_scale, err);
}

int
yl_typed_lister_get(struct yl_store *store, const struct yl_kind *kind,
                    const struct yl_key *key, struct yl_arena *arena,
                    void *record, struct yl_error *err)
{
    const struct yl_lister lister = {
        .store = store, .resource = yl_resource_of(kind).gvr };
    struct yl_versioned item;
    int r = yl_lister_get(&lister, key, arena, &item, err);

    return r < 0 ? r : yl_typed_decode(kind, item.object, item.revision,
                                       arena, record, err);
}

int
yl_typed_lister_list(struct yl_store *store, const struct yl_kind *kind,
                     struct yl_str namespace_,
                     const struct yl_selector *selector,
                     yl_typed_each_fn *each, void *aux, struct yl_error *err)
{
    struct yl_arena *arena = yl_arena_new();
    struct listing listing = { .kind = kind, .arena = arena, .each = each,
                               .aux = aux, .err = err };
    int r = yl_store_each(store, &(struct yl_store_filter) {
                              .namespace_ = namespace_, .labels = selector },
                          on_cached, &listing, err);

    yl_arena_free(arena);
    return r < 0 ? r : listing.r;
}

struct yl_informer *
yl_typed_informer(struct yl_informer_factory *factory,
                  const struct yl_kind *kind,
                  const struct yl_informer_scope *scope)
{
    struct yl_resource resource = yl_resource_of(kind);

    return yl_informer_factory_get(factory, &resource, scope);
}

static struct yl_key
key_of(const struct yl_kind *kind, const void *record)
{
    const struct yl_field *field = yl_type_field(yl_kind_type(kind),
                                                 YL_STR("metadata"));
    const struct yl_object_meta *meta
        = (const void *) ((const char *) record + field->offset);

    return yl_key_make(yl_str_c(meta->namespace_), yl_str_c(meta->name));
}

/* What a call has ended with: lets go of the object and decodes it if somebody
 * wants it. */
static int
answer(const struct yl_kind *kind, int r, struct yl_versioned item,
       struct yl_arena *arena, void *ret_record, struct yl_error *err)
{
    if (r == 0 && ret_record && item.object) {
        r = yl_typed_decode(kind, item.object, item.revision, arena,
                            ret_record, err);
    }
    yl_object_unref(item.object);
    return r;
}

static int
visit(struct listing *listing, const struct yl_versioned *item)
{
    void *record = yl_arena_zalloc(
        listing->arena, yl_kind_type(listing->kind).type->record_size);
    int r = yl_typed_decode(listing->kind, item->object, item->revision,
                            listing->arena, record, listing->err);

    if (r == 0) {
        r = listing->each(listing->aux, record);
    }
    yl_arena_clear(listing->arena);
    return r;
}

static int
on_item(void *listing, const struct yl_versioned *item)
{
    return visit(listing, item);
}

static bool
on_cached(void *aux, const struct yl_versioned *item)
{
    struct listing *listing = aux;

    listing->r = visit(listing, item);
    return listing->r >= 0;
}

static struct yl_str
api_version(const struct yl_kind *kind, struct yl_arena *arena)
{
    return yl_gv_api_version((struct yl_gv) { yl_str_c(kind->set->group),
                                              yl_str_c(kind->set->version) },
                             arena);
}
