/* The calls about one object. */

#include "yuloh/client.h"

#include "client/answer.h"
#include "client/call.h"
#include "client/delete_body.h"
#include "client/target.h"
#include "json/text.h"
#include "yuloh/arena.h"

/* How long a call about one object takes at most if nobody says more. */
#define TIMEOUT 60000

/* What a call about one object sends. */
struct verb {
    const char *method;
    struct yl_str namespace_;
    struct yl_str name;         /* Null if the object has none yet. */
    const char *subresource;
    struct yl_str body;
    const char *content_type;
    bool write, apply;          /* Which options become parameters. */
};

static int run(struct yl_client *, const struct yl_resource *,
               const struct verb *, const struct yl_call_opts *,
               struct yl_versioned *ret, struct yl_error *);
static int read_object(struct yl_str body, struct yl_versioned *ret,
                       struct yl_error *);
static int write_object(struct yl_client *, const struct yl_resource *,
                        struct verb *, const struct yl_key *key,
                        const struct yl_call_opts *, struct yl_versioned *ret,
                        struct yl_error *);
static int read_scale(struct yl_versioned, struct yl_scale *ret,
                      struct yl_error *);
static const char *subresource_of(const struct yl_call_opts *);

int
yl_client_get(struct yl_client *client, const struct yl_resource *resource,
              const struct yl_key *key, const struct yl_call_opts *opts,
              struct yl_versioned *ret, struct yl_error *err)
{
    return run(client, resource, &(struct verb) {
        .method = "GET",
        .namespace_ = key->namespace_,
        .name = yl_str_n(key->name.data ? key->name.data : "",
                         key->name.size),
        .subresource = subresource_of(opts),
    }, opts, ret, err);
}

int
yl_client_create(struct yl_client *client, const struct yl_resource *resource,
                 struct yl_str namespace_, struct yl_str json,
                 const struct yl_call_opts *opts, struct yl_versioned *ret,
                 struct yl_error *err)
{
    struct verb verb = {
        .method = "POST", .namespace_ = namespace_, .body = json,
        .content_type = "application/json", .write = true,
        .subresource = subresource_of(opts),
    };
    struct yl_arena *arena = yl_arena_new();
    struct yl_json meta = yl_json_get(yl_json(json), YL_STR("metadata"));
    int r = 0;

    if (!namespace_.size && resource->namespaced
        && yl_json_string(yl_json_get(meta, YL_STR("namespace")), arena,
                          &verb.namespace_) < 0) {
        r = yl_error_set(err, YL_EINVALID,
                         "an empty namespace may not be set during creation");
    }

    /* A subresource such as pods/eviction belongs to an object that is there
     * already. */
    if (r == 0 && verb.subresource
        && yl_json_string(yl_json_get(meta, YL_STR("name")), arena,
                          &verb.name) < 0) {
        verb.name = YL_STR("");
    }
    if (r == 0) {
        r = run(client, resource, &verb, opts, ret, err);
    }
    yl_arena_free(arena);
    return r;
}

int
yl_client_update(struct yl_client *client, const struct yl_resource *resource,
                 const struct yl_key *key, struct yl_str json,
                 const struct yl_call_opts *opts, struct yl_versioned *ret,
                 struct yl_error *err)
{
    return write_object(client, resource, &(struct verb) {
        .method = "PUT", .body = json, .content_type = "application/json",
        .write = true, .subresource = subresource_of(opts),
    }, key, opts, ret, err);
}

int
yl_client_update_status(struct yl_client *client,
                        const struct yl_resource *resource,
                        const struct yl_key *key, struct yl_str json,
                        const struct yl_call_opts *opts,
                        struct yl_versioned *ret, struct yl_error *err)
{
    return write_object(client, resource, &(struct verb) {
        .method = "PUT", .body = json, .content_type = "application/json",
        .write = true, .subresource = "status",
    }, key, opts, ret, err);
}

int
yl_client_patch(struct yl_client *client, const struct yl_resource *resource,
                const struct yl_key *key, enum yl_patch_type type,
                struct yl_str patch, const struct yl_call_opts *opts,
                struct yl_versioned *ret, struct yl_error *err)
{
    static const char *const types[] = {
        [YL_PATCH_JSON] = "application/json-patch+json",
        [YL_PATCH_MERGE] = "application/merge-patch+json",
        [YL_PATCH_STRATEGIC] = "application/strategic-merge-patch+json",
        [YL_PATCH_APPLY] = "application/apply-patch+yaml",
    };

    return write_object(client, resource, &(struct verb) {
        .method = "PATCH", .body = patch, .content_type = types[type],
        .write = true, .apply = type == YL_PATCH_APPLY,
        .subresource = subresource_of(opts),
    }, key, opts, ret, err);
}

int
yl_client_apply(struct yl_client *client, const struct yl_resource *resource,
                const struct yl_key *key, struct yl_str json,
                const struct yl_call_opts *opts, struct yl_versioned *ret,
                struct yl_error *err)
{
    if (!opts || !opts->field_manager || !*opts->field_manager) {
        return yl_error_set(err, YL_EINVALID,
                            "fieldManager is required for apply patch");
    }
    return yl_client_patch(client, resource, key, YL_PATCH_APPLY, json, opts,
                           ret, err);
}

int
yl_client_delete(struct yl_client *client, const struct yl_resource *resource,
                 const struct yl_key *key,
                 const struct yl_delete_opts *options,
                 const struct yl_call_opts *opts, struct yl_versioned *ret,
                 struct yl_error *err)
{
    struct yl_buf body;
    int r;

    yl_buf_init(&body, (size_t) 1 << 20);
    yl_delete_body_write(&body, options, opts);
    r = run(client, resource, &(struct verb) {
        .method = "DELETE",
        .namespace_ = key->namespace_,
        .name = yl_str_n(key->name.data ? key->name.data : "",
                         key->name.size),
        .subresource = subresource_of(opts),
        .body = body.size ? yl_buf_str(&body) : yl_str_null(),
        .content_type = "application/json",
    }, opts, ret, err);
    yl_buf_release(&body);
    return r;
}

int
yl_client_get_scale(struct yl_client *client,
                    const struct yl_resource *resource,
                    const struct yl_key *key, const struct yl_call_opts *opts,
                    struct yl_scale *ret, struct yl_error *err)
{
    struct yl_call_opts own = opts ? *opts
                                   : (struct yl_call_opts) { .timeout = 0 };
    struct yl_versioned scale = { NULL, 0 };
    int r;

    own.subresource = "scale";
    r = yl_client_get(client, resource, key, &own, &scale, err);
    return r < 0 ? r : read_scale(scale, ret, err);
}

int
yl_client_update_scale(struct yl_client *client,
                       const struct yl_resource *resource,
                       const struct yl_key *key, int64_t replicas,
                       uint64_t revision, const struct yl_call_opts *opts,
                       struct yl_scale *ret, struct yl_error *err)
{
    struct yl_versioned scale = { NULL, 0 };
    struct yl_buf json;
    int r;

    yl_buf_init(&json, (size_t) 1 << 20);
    yl_buf_append_c(&json, "{\"apiVersion\":\"autoscaling/v1\","
                           "\"kind\":\"Scale\",\"metadata\":{\"name\":");
    yl_json_write_text(&json, key->name);
    if (key->namespace_.size) {
        yl_buf_append_c(&json, ",\"namespace\":");
        yl_json_write_text(&json, key->namespace_);
    }
    if (revision) {
        yl_buf_printf(&json, ",\"resourceVersion\":\"%llu\"",
                      (unsigned long long) revision);
    }
    yl_buf_printf(&json, "},\"spec\":{\"replicas\":%lld}}",
                  (long long) replicas);
    r = write_object(client, resource, &(struct verb) {
        .method = "PUT", .body = yl_buf_str(&json),
        .content_type = "application/json", .write = true,
        .subresource = "scale",
    }, key, opts, &scale, err);
    yl_buf_release(&json);
    return r < 0 ? r : read_scale(scale, ret, err);
}

/* Fills in the name that 'key' or the body says, and runs. */
static int
write_object(struct yl_client *client, const struct yl_resource *resource,
             struct verb *verb, const struct yl_key *key,
             const struct yl_call_opts *opts, struct yl_versioned *ret,
             struct yl_error *err)
{
    struct yl_arena *arena = NULL;
    int r;

    if (key) {
        verb->namespace_ = key->namespace_;
        verb->name = key->name;
    } else {
        struct yl_json meta = yl_json_get(yl_json(verb->body),
                                          YL_STR("metadata"));

        arena = yl_arena_new();
        yl_json_string(yl_json_get(meta, YL_STR("namespace")), arena,
                       &verb->namespace_);
        yl_json_string(yl_json_get(meta, YL_STR("name")), arena, &verb->name);
    }
    if (!verb->name.size) {
        verb->name = YL_STR("");    /* Not absent: it is needed. */
    }
    r = run(client, resource, verb, opts, ret, err);
    yl_arena_free(arena);
    return r;
}

static int
run(struct yl_client *client, const struct yl_resource *resource,
    const struct verb *verb, const struct yl_call_opts *opts,
    struct yl_versioned *ret, struct yl_error *err)
{
    struct yl_call_answer answer = { .http_status = 0 };
    struct yl_call call = {
        .client = client,
        .method = verb->method,
        .body = verb->body,
        .content_type = verb->content_type,
        .opts = opts,
        .timeout = TIMEOUT,
        .resource = resource,
        .name = verb->name,
    };
    struct yl_target target;
    int r;

    yl_target_init(&target);
    yl_buf_init(&answer.body, YL_CLIENT_MAX_BODY);
    r = yl_target_path(&target, &(struct yl_target_parts) {
        .prefix = yl_str_c(client->prefix), .resource = resource,
        .namespace_ = verb->namespace_, .name = verb->name,
        .subresource = verb->subresource,
    }, err);
    if (opts && verb->write) {
        yl_target_add_write(&target, opts, verb->apply);
    } else if (opts && opts->resource_version.size && !verb->body.data) {
        yl_target_add(&target, "resourceVersion", opts->resource_version);
    }
    if (r == 0) {
        r = yl_target_text(&target, &call.target, err);
    }
    if (r == 0) {
        r = yl_call_succeed(&call, NULL, NULL, &answer, err);
    }
    if (r == 0 && ret) {
        r = read_object(yl_buf_str(&answer.body), ret, err);
    }
    yl_target_release(&target);
    yl_buf_release(&answer.body);
    return r;
}

/* The object of an answer; none if it is a Status, as after a deletion. */
static int
read_object(struct yl_str body, struct yl_versioned *ret,
            struct yl_error *err)
{
    struct yl_type_meta type = { .kind = YL_STR("") };
    struct yl_object *object;
    int r = yl_object_ingest(body, &(struct yl_object_opts) {
        .ret_type = &type,
    }, &object, err);

    if (r < 0) {
        yl_error_prefix(err, "the server's answer");
        return r;
    }
    if (yl_str_equal_c(type.kind, "Status")
        && yl_str_equal_c(type.api_version, "v1")) {
        object = yl_object_unref(object);
    }
    ret->object = object;
    ret->revision = object ? yl_object_revision(object) : 0;
    return 0;
}

/* Takes 'scale'. */
static int
read_scale(struct yl_versioned scale, struct yl_scale *ret,
           struct yl_error *err)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_str name = YL_STR("replicas");
    struct yl_scale out = { .revision = scale.revision };
    int r = 0;

    if (!scale.object) {
        r = yl_error_set(err, YL_ETYPE, "the server's answer is no Scale");
    } else {
        /* A replica count of 0 may be left out. */
        yl_json_int64(yl_json_get(yl_object_field(scale.object, arena,
                                                  "spec"), name),
                      &out.spec_replicas);
        yl_json_int64(yl_json_get(yl_object_field(scale.object, arena,
                                                  "status"), name),
                      &out.status_replicas);
        if (ret) {
            *ret = out;
        }
    }
    yl_arena_free(arena);
    yl_object_unref(scale.object);
    return r;
}

static const char *
subresource_of(const struct yl_call_opts *opts)
{
    return opts ? opts->subresource : NULL;
}
