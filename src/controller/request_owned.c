/* Objects that a reconcile makes for its own: apply, create or update.  See
 * yuloh/controller.h. */

#include <string.h>

#include "controller/applied.h"
#include "controller/request.h"
#include "controller/runner.h"
#include "json/merge.h"
#include "json/tree.h"
#include "yuloh/arena.h"
#include "yuloh/meta_types.h"
#include "yuloh/record.h"
#include "yuloh/schema.h"
#include "yuloh/store.h"

static struct yl_object_meta *meta_of(const struct yl_kind *, void *record);
static int find(struct yl_request *, const struct yl_kind *,
                const struct yl_key *, struct yl_versioned *ret);
static int own(struct yl_request *, const struct yl_kind *, const void *want,
               void **ret_record);
static int to_tree(struct yl_request *, const struct yl_kind *,
                   const void *record, struct yl_node **ret_node);
static struct yl_str text_of(struct yl_request *, const struct yl_node *);
static void remember(struct yl_request *, const struct yl_kind *,
                     const struct yl_key *, struct yl_str json,
                     const struct yl_object *written);
static bool is_shown(struct yl_request *, const struct yl_kind *,
                     const struct yl_key *, const struct yl_node *want,
                     struct yl_versioned *ret);

int
yl_request_apply_owned(struct yl_request *req, const struct yl_kind *kind,
                       const void *want, const void **ret_have)
{
    struct yl_versioned have = { NULL, 0 };
    const struct yl_object_meta *meta;
    struct yl_node *node;
    struct yl_str json;
    struct yl_key key;
    void *record = NULL;
    int r;

    r = own(req, kind, want, &record);
    if (r == 0) {
        r = to_tree(req, kind, record, &node);
    }
    if (r < 0) {
        return r;
    }
    meta = meta_of(kind, record);
    key = yl_key_make(yl_str_c(meta->namespace_), yl_str_c(meta->name));
    json = text_of(req, node);
    if (!yl_applied_is(req->runner->applied, kind, &key, json)
        || !is_shown(req, kind, &key, node, &have)) {
        r = yl_request_apply(req, kind, &key, NULL, json, &have);
        if (r < 0) {
            return r;
        }
        remember(req, kind, &key, json, have.object);
    }
    return ret_have ? yl_request_decode(req, kind, &have, ret_have) : 0;
}

int
yl_request_create_or_update(struct yl_request *req,
                            const struct yl_kind *kind,
                            const struct yl_key *key, yl_mutate_fn *mutate,
                            void *aux, const void **ret_have)
{
    struct yl_node *before, *after, *diff;
    struct yl_versioned old = { NULL, 0 }, written;
    const void *decoded;
    struct yl_object_meta *meta;
    void *record;
    int r;

    r = find(req, kind, key, &old);
    if (r < 0 && r != YL_ENOTFOUND) {
        return r;
    } else if (r == 0) {
        r = yl_request_decode(req, kind, &old, &decoded);
        if (r < 0) {
            return r;
        }
        record = yl_arena_zalloc(req->arena,
                                 yl_kind_type(kind).type->record_size);
        memcpy(record, decoded, yl_kind_type(kind).type->record_size);
    } else {
        yl_error_clear(&req->error);
        record = yl_arena_zalloc(req->arena,
                                 yl_kind_type(kind).type->record_size);
        meta = meta_of(kind, record);
        meta->name = yl_arena_strdup(req->arena, key->name);
        if (key->namespace_.size) {
            meta->namespace_ = yl_arena_strdup(req->arena, key->namespace_);
        }
    }
    r = to_tree(req, kind, record, &before);
    if (r == 0) {
        r = mutate(req, record, aux);
    }
    if (r >= 0) {
        r = to_tree(req, kind, record, &after);
    }
    if (r < 0) {
        return r;
    } else if (!old.object) {
        r = yl_request_create(req, kind, text_of(req, after), &written);
    } else {
        r = yl_merge_diff(req->arena, before, after, &diff, &req->error);
        if (r < 0) {
            return r;
        } else if (!diff->n) {
            if (ret_have) {
                *ret_have = record;
            }
            return 0;
        }

        /* Only what has changed is sent, so that what the record does not
         * know stays; with the revision, so that nothing newer is
         * overwritten. */
        r = yl_request_send_diff(req, kind, key, NULL, &old, diff,
                                 &written);
    }
    if (r == 0 && ret_have) {
        r = yl_request_decode(req, kind, &written, ret_have);
    }
    return r < 0 ? r : 1;
}

/* The metadata of a record; every kind has one. */
static struct yl_object_meta *
meta_of(const struct yl_kind *kind, void *record)
{
    const struct yl_field *field = yl_type_field(yl_kind_type(kind),
                                                 YL_STR("metadata"));

    return (struct yl_object_meta *) (void *) ((char *) record
                                               + field->offset);
}

/* The object from a cache, or from the server if none can tell.  YL_ENOTFOUND
 * if there is none. */
static int
find(struct yl_request *req, const struct yl_kind *kind,
     const struct yl_key *key, struct yl_versioned *ret)
{
    struct yl_source *source = yl_runner_source(req->runner, kind);
    struct yl_resource resource = yl_resource_of(kind);
    struct yl_versioned item;
    bool is_watched = false;
    int r;

    for (; source; source = yl_source_next(source)) {
        if (source->watch->metadata_only) {
            continue;
        } else if (yl_store_get(source->store, key, req->arena, ret)) {
            return 0;
        }
        is_watched = is_watched || yl_source_knows_all(source, key);
    }
    if (is_watched) {
        return YL_ENOTFOUND;
    }
    r = yl_client_get(yl_request_client(req), &resource, key,
                      yl_request_call_opts(req), &item, &req->error);
    if (r == 0) {
        yl_request_keep(req, item, ret);
    }
    return r;
}

/* A copy of 'want' with the owner reference and a namespace. */
static int
own(struct yl_request *req, const struct yl_kind *kind, const void *want,
    void **ret_record)
{
    static const bool yes = true;
    const struct yl_kind *owner_kind = req->runner->kind;
    const struct yl_object *owner = req->object.object;
    size_t size = yl_kind_type(kind).type->record_size, n;
    struct yl_owner_reference *references;
    struct yl_object_meta *meta;
    void *record;

    if (!owner) {
        return yl_request_fail(req, YL_ENOTFOUND,
                               "the %s is gone and can own nothing",
                               owner_kind->name);
    }
    record = yl_arena_zalloc(req->arena, size);
    memcpy(record, want, size);
    meta = meta_of(kind, record);
    if (!meta->name || !meta->name[0]) {
        return yl_request_fail(req, YL_EINVALID,
                               "a %s without a name cannot be applied",
                               kind->name);
    } else if ((owner_kind->flags & YL_KIND_NAMESPACED)
               && !(kind->flags & YL_KIND_NAMESPACED)) {
        return yl_request_fail(req, YL_EINVALID,
                               "a %s, which is in a namespace, cannot own a "
                               "%s, which is in none", owner_kind->name,
                               kind->name);
    }
    if ((kind->flags & YL_KIND_NAMESPACED) && !meta->namespace_
        && req->key->namespace_.size) {
        meta->namespace_ = yl_arena_strdup(req->arena, req->key->namespace_);
    }
    if ((owner_kind->flags & YL_KIND_NAMESPACED)
        && !yl_str_equal(req->key->namespace_, yl_str_c(meta->namespace_))) {
        return yl_request_fail(req, YL_EINVALID,
                               "a %s cannot own a %s in another namespace: "
                               "it would be taken for garbage",
                               owner_kind->name, kind->name);
    }
    n = meta->n_owner_references;
    references = yl_arena_array(req->arena, n + 1, sizeof *references);
    if (n) {
        memcpy(references, meta->owner_references, n * sizeof *references);
    }
    references[n] = (struct yl_owner_reference) {
        .api_version = yl_arena_printf(
            req->arena, "%s%s%s", owner_kind->set->group,
            owner_kind->set->group[0] ? "/" : "", owner_kind->set->version),
        .kind = owner_kind->name,
        .name = yl_arena_strdup(req->arena, yl_object_name(owner)),
        .uid = yl_arena_strdup(req->arena, yl_object_uid(owner)),
        .controller = &yes,
        .block_owner_deletion = &yes,
    };
    meta->owner_references = references;
    meta->n_owner_references = n + 1;
    *ret_record = record;
    return 0;
}

/* The record as a tree without its status: that belongs to whoever makes it
 * true, and a record cannot say that it has none. */
static int
to_tree(struct yl_request *req, const struct yl_kind *kind,
        const void *record, struct yl_node **ret_node)
{
    int r = yl_tree_parse(req->arena,
                          yl_record_encode(kind, record, req->arena), NULL,
                          ret_node, &req->error);

    if (r == 0) {
        yl_node_remove(*ret_node, YL_STR("status"));
    }
    return r;
}

static struct yl_str
text_of(struct yl_request *req, const struct yl_node *node)
{
    struct yl_str text;
    struct yl_buf buf;

    yl_buf_init(&buf, YL_OBJECT_MAX_SIZE);
    yl_node_write(&buf, node);
    text = yl_arena_copy(req->arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return text;
}

/* Remembers what was applied, if a cache will show it: else it would be sent
 * again anyway, and nobody would say when to forget it. */
static void
remember(struct yl_request *req, const struct yl_kind *kind,
         const struct yl_key *key, struct yl_str json,
         const struct yl_object *written)
{
    struct yl_source *source = yl_runner_source(req->runner, kind);

    for (; source && written; source = yl_source_next(source)) {
        if (!source->watch->metadata_only
            && yl_source_covers(source, written, req->arena)) {
            yl_applied_put(req->runner->applied, kind, key, json);
            return;
        }
    }
}

/* Does the cache show an object with everything that is wanted? */
static bool
is_shown(struct yl_request *req, const struct yl_kind *kind,
         const struct yl_key *key, const struct yl_node *want,
         struct yl_versioned *ret)
{
    struct yl_source *source = yl_runner_source(req->runner, kind);
    const struct yl_object_head head = {
        .type = { yl_str_c(yl_arena_printf(
                      req->arena, "%s%s%s", kind->set->group,
                      kind->set->group[0] ? "/" : "", kind->set->version)),
                  yl_str_c(kind->name) },
    };
    struct yl_versioned item;
    struct yl_node *have;

    while (source
           && (source->watch->metadata_only
               || !yl_store_get(source->store, key, req->arena, &item))) {
        source = yl_source_next(source);
    }
    if (!source || yl_object_is_deleting(item.object)
        || yl_tree_parse(req->arena,
                         yl_object_json(item.object, req->arena, &head),
                         NULL, &have, NULL) < 0
        || !yl_contains(have, want)) {
        return false;
    }
    *ret = item;
    return true;
}

bool
yl_contains(const struct yl_node *have, const struct yl_node *want)
{
    const struct yl_node *child, *other;

    switch (yl_node_type(want)) {
    case YL_JSON_NULL:
        return !have || yl_node_type(have) == YL_JSON_NULL;

    case YL_JSON_OBJECT:
        if (yl_node_type(have) != YL_JSON_OBJECT) {
            return false;
        }
        YL_NODE_FOR_EACH (child, want) {
            if (!yl_contains(yl_node_get(have, yl_node_key(child)), child)) {
                return false;
            }
        }
        return true;

    case YL_JSON_ARRAY:
        if (!want->n && !have) {
            return true;
        } else if (yl_node_type(have) != YL_JSON_ARRAY || have->n != want->n) {
            return false;
        }
        other = have->first;
        YL_NODE_FOR_EACH (child, want) {
            if (!yl_contains(other, child)) {
                return false;
            }
            other = other->next;
        }
        return true;

    default:
        return have && yl_node_equal(have, want);
    }
}
