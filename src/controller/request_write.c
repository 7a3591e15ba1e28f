/* What a reconcile writes.  See yuloh/controller.h.
 *
 * Each write is remembered as an await: the key does not come out again before
 * the cache of that kind shows it.  A conflict is remembered too: what the
 * reconcile was based on is stale, so the key waits for something newer. */

#include "controller/request.h"

#include <string.h>

#include "controller/runner.h"
#include "json/merge.h"
#include "json/tree.h"
#include "yuloh/arena.h"
#include "yuloh/record.h"
#include "yuloh/schema.h"
#include "yuloh/store.h"

/* A patch is smaller than the object, which has a ceiling. */
#define MAX_PATCH YL_OBJECT_MAX_SIZE

static int patch(struct yl_request *, const struct yl_kind *,
                 const struct yl_key *, const char *subresource,
                 struct yl_str merge_patch, uint64_t base,
                 struct yl_versioned *ret);
static int wrote(struct yl_request *, const struct yl_kind *,
                 const struct yl_key *, int r, struct yl_versioned written,
                 struct yl_versioned *ret);
static void await_newer(struct yl_request *, const struct yl_kind *,
                        const struct yl_key *, uint64_t base);
static void await(struct yl_request *, const struct yl_await *);
static int own_status(struct yl_request *, struct yl_type_ref *ret_type,
                      struct yl_str *ret_json);
static int patch_status(struct yl_request *, struct yl_node *old,
                        struct yl_node *status);

int
yl_request_create(struct yl_request *req, const struct yl_kind *kind,
                  struct yl_str json, struct yl_versioned *ret)
{
    struct yl_resource resource = yl_resource_of(kind);
    struct yl_versioned written = { NULL, 0 };
    bool says_where = yl_json_exists(
        yl_json_get(yl_json_get(yl_json(json), YL_STR("metadata")),
                    YL_STR("namespace")));
    int r = yl_client_create(yl_request_client(req), &resource,
                             resource.namespaced && !says_where
                                 ? req->key->namespace_ : yl_str_null(),
                             json, yl_request_call_opts(req), &written,
                             &req->error);

    return wrote(req, kind, NULL, r, written, ret);
}

int
yl_request_update(struct yl_request *req, const struct yl_kind *kind,
                  struct yl_str json, struct yl_versioned *ret)
{
    struct yl_resource resource = yl_resource_of(kind);
    struct yl_versioned written = { NULL, 0 };
    int r = yl_client_update(yl_request_client(req), &resource, NULL, json,
                             yl_request_call_opts(req), &written,
                             &req->error);

    return wrote(req, kind, NULL, r, written, ret);
}

int
yl_request_patch(struct yl_request *req, const struct yl_kind *kind,
                 const struct yl_key *key, const char *subresource,
                 struct yl_str merge_patch, struct yl_versioned *ret)
{
    return patch(req, kind, key, subresource, merge_patch, 0, ret);
}

int
yl_request_apply(struct yl_request *req, const struct yl_kind *kind,
                 const struct yl_key *key, const char *subresource,
                 struct yl_str json, struct yl_versioned *ret)
{
    struct yl_call_opts opts = *yl_request_call_opts(req);
    struct yl_resource resource = yl_resource_of(kind);
    struct yl_versioned written = { NULL, 0 };
    int r;

    opts.subresource = subresource;
    opts.force = true;
    r = yl_client_apply(yl_request_client(req), &resource, key, json, &opts,
                        &written, &req->error);
    return wrote(req, kind, key, r, written, ret);
}

int
yl_request_delete(struct yl_request *req, const struct yl_kind *kind,
                  const struct yl_key *key, struct yl_str uid)
{
    struct yl_resource resource = yl_resource_of(kind);
    struct yl_source *source = yl_runner_source(req->runner, kind), *first;
    struct yl_versioned written = { NULL, 0 }, cached;
    struct yl_str gone = uid;
    int r;

    /* Asked before it goes: later, a new one may have its name. */
    for (first = source; source && !gone.size;
         source = yl_source_next(source)) {
        if (yl_store_get(source->store, key, req->arena, &cached)) {
            gone = yl_object_uid(cached.object);
        }
    }
    r = yl_client_delete(yl_request_client(req), &resource, key,
                         &(struct yl_delete_opts) { .uid = uid },
                         yl_request_call_opts(req), &written, &req->error);
    if (r == YL_ENOTFOUND) {
        yl_error_clear(&req->error);
        return 0;
    } else if (r == 0 && !written.object) {
        /* It is gone at once, and nobody says at which revision. */
        for (source = first; source; source = yl_source_next(source)) {
            await(req, &(struct yl_await) { .source = source->index,
                                            .object = *key, .uid = gone });
        }
        return 0;
    }
    return wrote(req, kind, key, r, written, NULL);
}

int
yl_request_update_status(struct yl_request *req, const struct yl_kind *kind,
                         const void *status)
{
    struct yl_type_ref type;
    struct yl_node *old, *new_;
    struct yl_str json;
    void *record;
    int r;

    if (kind != req->runner->kind) {
        return yl_request_fail(req, YL_EINVALID,
                               "the status of a %s cannot be updated by a "
                               "request for a %s", kind->name,
                               req->runner->kind->name);
    }
    r = own_status(req, &type, &json);
    if (r < 0) {
        return r;
    }

    /* The old status goes through a record too, so that what the type does not
     * know is in neither and stays as it is. */
    record = yl_arena_zalloc(req->arena, type.type->record_size);
    if (json.size) {
        r = yl_type_decode(type, yl_json(json), req->arena, NULL, record,
                           &req->error);
        if (r < 0) {
            return r;
        }
        json = yl_type_encode(type, record, req->arena);
    } else {
        json = YL_STR("{}");
    }
    r = yl_tree_parse(req->arena, json, NULL, &old, &req->error);
    if (r == 0) {
        r = yl_tree_parse(req->arena,
                          yl_type_encode(type, status, req->arena), NULL,
                          &new_, &req->error);
    }
    return r < 0 ? r : patch_status(req, old, new_);
}

int
yl_request_update_status_json(struct yl_request *req, struct yl_str status)
{
    struct yl_node *old, *new_;
    struct yl_str json = yl_json_raw(
        req->object.object ? yl_object_field(req->object.object, req->arena,
                                             "status")
                           : yl_json_none());
    int r = yl_tree_parse(req->arena, json.size ? json : YL_STR("{}"), NULL,
                          &old, &req->error);

    if (r == 0) {
        r = yl_tree_parse(req->arena, status, NULL, &new_, &req->error);
    }
    return r < 0 ? r : patch_status(req, old, new_);
}

int
yl_request_send_diff(struct yl_request *req, const struct yl_kind *kind,
                     const struct yl_key *key, const char *subresource,
                     const struct yl_versioned *base, struct yl_node *diff,
                     struct yl_versioned *ret)
{
    struct yl_node *meta = yl_node_get(diff, YL_STR("metadata"));
    struct yl_buf buf;
    int r;

    if (!meta) {
        meta = yl_node_new_object(req->arena);
        yl_node_set(req->arena, diff, YL_STR("metadata"), meta);
    }
    yl_node_set(req->arena, meta, YL_STR("resourceVersion"),
                yl_node_new_string(
                    req->arena,
                    yl_str_c(yl_arena_printf(
                        req->arena, "%llu",
                        (unsigned long long) base->revision))));
    yl_node_set(req->arena, meta, YL_STR("uid"),
                yl_node_new_string(req->arena, yl_object_uid(base->object)));
    yl_buf_init(&buf, MAX_PATCH);
    yl_node_write(&buf, diff);
    r = yl_buf_error(&buf);
    if (r == 0) {
        r = patch(req, kind, key, subresource, yl_buf_str(&buf),
                  base->revision, ret);
    }
    yl_buf_release(&buf);
    return r;
}

/* Sends a patch that is based on the object at revision 'base'; 0 if nobody
 * knows. */
static int
patch(struct yl_request *req, const struct yl_kind *kind,
      const struct yl_key *key, const char *subresource,
      struct yl_str merge_patch, uint64_t base, struct yl_versioned *ret)
{
    struct yl_call_opts opts = *yl_request_call_opts(req);
    struct yl_resource resource = yl_resource_of(kind);
    struct yl_versioned written = { NULL, 0 };
    int r;

    opts.subresource = subresource;
    r = yl_client_patch(yl_request_client(req), &resource, key,
                        YL_PATCH_MERGE, merge_patch, &opts, &written,
                        &req->error);
    if (r == YL_ECONFLICT && base) {
        await_newer(req, kind, key, base);
        return r;
    }
    return wrote(req, kind, key, r, written, ret);
}

/* A write has ended with 'r': remembers it and passes its answer on.  'key' is
 * NULL if only the answer says which object it was. */
static int
wrote(struct yl_request *req, const struct yl_kind *kind,
      const struct yl_key *key, int r, struct yl_versioned written,
      struct yl_versioned *ret)
{
    struct yl_source *source = yl_runner_source(req->runner, kind);

    if (r == YL_ECONFLICT && key) {
        await_newer(req, kind, key, 0);
    }
    if (r < 0) {
        return r;
    }
    yl_request_keep(req, written, ret);
    for (; source && written.object; source = yl_source_next(source)) {
        if (yl_source_covers(source, written.object, req->arena)) {
            await(req, &(struct yl_await) {
                .source = source->index,
                .object = yl_object_key(written.object),
                .revision = written.revision });
        }
    }
    return r;
}

/* What the request knew of an object is stale: the key waits until the cache
 * has something newer.  Without a 'base', it was based on the object of the
 * request or on what the cache has. */
static void
await_newer(struct yl_request *req, const struct yl_kind *kind,
            const struct yl_key *key, uint64_t base)
{
    struct yl_source *source = yl_runner_source(req->runner, kind);
    struct yl_versioned cached;

    /* The cache may have moved on since the request has read it; to wait for
     * more would be to wait for what may never come. */
    if (!base && kind == req->runner->kind && yl_key_equal(key, req->key)
        && req->object.object) {
        base = req->object.revision;
    }
    for (; source; source = yl_source_next(source)) {
        if (!yl_store_get(source->store, key, req->arena, &cached)) {
            continue;
        }
        base = base ? base : cached.revision;
        await(req, &(struct yl_await) { .source = source->index,
                                        .object = *key,
                                        .revision = base + 1,
                                        .of_object = true });
    }
}

static void
await(struct yl_request *req, const struct yl_await *new_)
{
    size_t i;

    /* Of several writes to one kind the last is enough: caches show them in
     * order. */
    for (i = 0; i < req->n_awaits; i++) {
        struct yl_await *old = &req->awaits[i];

        if (old->source == new_->source && old->revision && new_->revision
            && !old->of_object && !new_->of_object) {
            if (old->revision < new_->revision) {
                old->revision = new_->revision;
                old->object = *yl_key_copy(&new_->object, req->arena);
            }
            return;
        }
    }
    if (req->n_awaits == YL_REQUEST_MAX_AWAITS) {
        return;
    }
    if (req->n_awaits == req->max_awaits) {
        size_t max = req->max_awaits ? 2 * req->max_awaits : 4;
        struct yl_await *more = yl_arena_array(req->arena, max, sizeof *more);

        if (req->n_awaits) {
            memcpy(more, req->awaits, req->n_awaits * sizeof *more);
        }
        req->awaits = more;
        req->max_awaits = max;
    }
    req->awaits[req->n_awaits] = *new_;
    req->awaits[req->n_awaits].object = *yl_key_copy(&new_->object,
                                                     req->arena);
    req->awaits[req->n_awaits].uid = yl_arena_copy(req->arena, new_->uid);
    req->n_awaits++;
}

/* The type of the status and its JSON in the object; empty if there is
 * none. */
static int
own_status(struct yl_request *req, struct yl_type_ref *ret_type,
           struct yl_str *ret_json)
{
    const struct yl_kind *kind = req->runner->kind;
    struct yl_type_ref type = yl_kind_type(kind);
    const struct yl_field *field = yl_type_field(type, YL_STR("status"));
    const struct yl_value *value = field ? &type.set->values[field->value]
                                         : NULL;

    if (!value || value->kind != YL_VALUE_STRUCT) {
        return yl_request_fail(req, YL_EINVALID, "a %s has no status",
                               kind->name);
    } else if (!req->object.object) {
        return yl_request_fail(req, YL_ENOTFOUND,
                               "the %s is gone, so its status cannot be "
                               "updated", kind->name);
    }
    *ret_type = yl_value_type(type.set, value);
    *ret_json = yl_json_raw(yl_object_field(req->object.object, req->arena,
                                            "status"));
    return 0;
}

static int
patch_status(struct yl_request *req, struct yl_node *old,
             struct yl_node *status)
{
    const struct yl_kind *kind = req->runner->kind;
    struct yl_node *diff, *patch = yl_node_new_object(req->arena);
    struct yl_versioned written;
    int r;

    if (!req->object.object) {
        return yl_request_fail(req, YL_ENOTFOUND,
                               "the %s is gone, so its status cannot be "
                               "updated", kind->name);
    }
    r = yl_merge_diff(req->arena, old, status, &diff, &req->error);
    if (r < 0) {
        return r;
    } else if (yl_node_type(diff) == YL_JSON_OBJECT && !diff->n) {
        return 0;
    }
    yl_node_set(req->arena, patch, YL_STR("status"), diff);
    r = yl_request_send_diff(req, kind, req->key,
                             kind->flags & YL_KIND_STATUS ? "status" : NULL,
                             &req->object, patch, &written);
    if (r == 0) {
        req->object = written;
    }
    return r;
}
