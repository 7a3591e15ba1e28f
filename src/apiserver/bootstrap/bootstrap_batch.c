/* Writes of a start, made together.  See bootstrap_batch.h. */

#include "apiserver/bootstrap/bootstrap_batch.h"

#include <stdlib.h>

#include "apiserver/keyspace/keyspace.h"
#include "apiserver/registry/registry.h"
#include "apiserver/server.h"
#include "apiserver/strategy/strategy.h"
#include "apiserver/verbs/own.h"
#include "base/alloc.h"
#include "base/list.h"
#include "base/random.h"
#include "base/thread.h"
#include "json/member.h"
#include "json/tree.h"
#include "object/object.h"
#include "schema/normalize.h"
#include "yuloh/arena.h"
#include "yuloh/status.h"
#include "yuloh/time.h"

struct write {
    struct yl_ks_write write;
    struct yl_list node;        /* In yl_bootstrap_batch's 'writes'. */
    struct yl_bootstrap_batch *batch;
};

struct yl_bootstrap_batch {
    struct yl_apiserver *server;
    struct yl_arena *arena;     /* Writes, and objects on their way. */
    struct yl_list writes;

    struct yl_mutex lock;
    struct yl_cond changed;
    size_t n_left YL_GUARDED;
    struct yl_error failed YL_GUARDED;  /* The first one. */
};

/* Who upstream's server writes as. */
static const struct managers {
    const char *plural;
    const char *object;
    const char *status;         /* NULL: the status has no owner. */
} managers[] = {
    { "flowschemas", "api-priority-and-fairness-config-producer-v1",
      "api-priority-and-fairness-config-consumer-v1" },
    { "prioritylevelconfigurations",
      "api-priority-and-fairness-config-producer-v1", NULL },
    { "servicecidrs", "kube-apiserver",
      "kubernetes-service-cidr-controller" },
    { NULL, "kube-apiserver", NULL },
};

static int make(struct yl_bootstrap_batch *, const struct yl_api_resource *,
                struct yl_node *wanted, struct yl_node *status,
                struct yl_error *);
static void own(struct yl_bootstrap_batch *, const struct yl_api_resource *,
                struct yl_node *object);
static void own_status(struct yl_bootstrap_batch *,
                       const struct yl_api_resource *,
                       struct yl_node *object, const struct yl_node *status);
static struct yl_ownership ownership(struct yl_bootstrap_batch *,
                                     const struct yl_api_resource *);
static const struct managers *managers_of(const struct yl_api_resource *);
static int finish_object(struct yl_bootstrap_batch *,
                         const struct yl_api_resource *, struct yl_node *,
                         struct yl_object **ret_object, struct yl_error *);
static void add(struct yl_bootstrap_batch *, const struct yl_api_resource *,
                struct yl_key, struct yl_object *, uint64_t expected);
static void release_object(void *);
static void done(struct yl_ks_write *);
static struct yl_str text(struct yl_arena *, const struct yl_node *metadata,
                          const char *name);

struct yl_bootstrap_batch *
yl_bootstrap_batch_new(struct yl_apiserver *server)
{
    struct yl_bootstrap_batch *batch = yl_zalloc(sizeof *batch);

    batch->server = server;
    batch->arena = yl_arena_new();
    yl_list_init(&batch->writes);
    yl_mutex_init(&batch->lock);
    yl_cond_init(&batch->changed);
    return batch;
}

int
yl_bootstrap_batch_finish(struct yl_bootstrap_batch *batch,
                          struct yl_error *err)
{
    struct yl_list *node;
    int r;

    yl_mutex_lock(&batch->lock);
    batch->n_left = yl_list_count(&batch->writes);
    yl_mutex_unlock(&batch->lock);
    while ((node = yl_list_pop_front(&batch->writes)) != NULL) {
        yl_keyspace_write(batch->server->keyspace,
                          &YL_CONTAINER_OF(node, struct write, node)->write);
    }
    yl_mutex_lock(&batch->lock);
    while (batch->n_left > 0) {
        yl_cond_wait(&batch->changed, &batch->lock);
    }
    r = batch->failed.code;
    if (r < 0) {
        yl_error_set(err, r, "%s", yl_error_message(&batch->failed));
    }
    yl_error_clear(&batch->failed);
    yl_mutex_unlock(&batch->lock);
    yl_cond_destroy(&batch->changed);
    yl_mutex_destroy(&batch->lock);
    yl_arena_free(batch->arena);
    free(batch);
    return r;
}

struct yl_arena *
yl_bootstrap_batch_arena(struct yl_bootstrap_batch *batch)
{
    return batch->arena;
}

int
yl_bootstrap_ensure(struct yl_bootstrap_batch *batch, const char *group,
                    const char *plural, struct yl_node *wanted,
                    struct yl_node *status,
                    yl_bootstrap_reconcile_fn *reconcile,
                    struct yl_error *err)
{
    const struct yl_api_resource *resource
        = yl_registry_builtin(batch->server->registry, group, plural);
    const struct yl_node *metadata = yl_node_get(wanted, YL_STR("metadata"));
    const struct yl_key key = {
        text(batch->arena, metadata, "namespace"),
        text(batch->arena, metadata, "name"),
    };
    enum yl_bootstrap_change change = YL_BOOTSTRAP_KEEP;
    struct yl_object *stored;
    struct yl_node *tree;
    uint64_t revision;
    int r;

    if (yl_ks_get(resource->objects, key, &stored, &revision) < 0) {
        return make(batch, resource, wanted, status, err);
    }
    r = yl_tree_parse(batch->arena,
                      yl_object_json(stored, batch->arena, NULL), NULL, &tree,
                      err);
    yl_object_unref(stored);
    if (r == 0 && reconcile) {
        change = reconcile(batch->arena, tree, wanted);
    }
    if (r == 0 && change == YL_BOOTSTRAP_UPDATE) {
        struct yl_object *object;

        r = finish_object(batch, resource, tree, &object, err);
        if (r == 0) {
            add(batch, resource, key, object, revision);
        }
    } else if (r == 0 && change == YL_BOOTSTRAP_RECREATE) {
        add(batch, resource, key, NULL, revision);
        r = make(batch, resource, wanted, status, err);
    }
    return r;
}

static int
make(struct yl_bootstrap_batch *batch, const struct yl_api_resource *resource,
     struct yl_node *wanted, struct yl_node *status, struct yl_error *err)
{
    struct yl_node *metadata = yl_node_get(wanted, YL_STR("metadata"));
    char uid[YL_UUID_LENGTH + 1], now[YL_TIME_TEXT_SIZE];
    struct yl_time time = yl_time_now();
    struct yl_change change = { .arena = batch->arena, .resource = resource,
                                .object = wanted };
    struct yl_object *object;
    size_t size;
    int r;

    time.nanos = 0;
    size = yl_time_write(time, now);
    yl_random_uuid(uid);
    yl_node_set(batch->arena, metadata, YL_STR("uid"),
                yl_node_new_string(batch->arena, yl_str_c(uid)));
    yl_node_set(batch->arena, metadata, YL_STR("creationTimestamp"),
                yl_node_new_string(batch->arena, yl_str_n(now, size)));
    yl_strategy_default(resource, yl_api_resource_hub(resource), batch->arena,
                        wanted);
    r = yl_strategy_normalize(resource, batch->arena, wanted,
                              YL_NORMAL_COMPARED, err);
    if (r < 0) {
        return r;
    }
    own(batch, resource, wanted);
    yl_strategy_prepare(&change);
    if (status) {
        own_status(batch, resource, wanted, status);
        yl_node_set(batch->arena, wanted, YL_STR("status"), status);
    }
    r = finish_object(batch, resource, wanted, &object, err);
    if (r == 0) {
        add(batch, resource, yl_object_key(object), object, 0);
    }
    return r;
}

/* Notes that this server, or a part of it, owns the fields of a new object. */
static void
own(struct yl_bootstrap_batch *batch, const struct yl_api_resource *resource,
    struct yl_node *object)
{
    struct yl_ownership o = ownership(batch, resource);
    struct yl_status status = YL_STATUS_INIT;

    o.manager = yl_str_c(managers_of(resource)->object);
    o.object = object;
    if (batch->server->opts.own) {
        (void) batch->server->opts.own(&o, &status);
        yl_status_clear(&status);
    }
}

/* The same for its status, which a controller applies. */
static void
own_status(struct yl_bootstrap_batch *batch,
           const struct yl_api_resource *resource, struct yl_node *object,
           const struct yl_node *status)
{
    struct yl_ownership o = ownership(batch, resource);
    struct yl_status refusal = YL_STATUS_INIT;
    struct yl_node *metadata = yl_member_object(object, "metadata");
    struct yl_node *condition;

    if (!batch->server->opts.own || !managers_of(resource)->status) {
        return;
    }
    o.subresource = YL_SUB_STATUS;
    o.part = YL_STR("status");
    o.manager = yl_str_c(managers_of(resource)->status);
    o.live = object;
    o.applied = yl_node_new_object(batch->arena);
    yl_member_set(batch->arena, o.applied, "apiVersion", yl_node_new_string(
        batch->arena, yl_gv_api_version((struct yl_gv) { o.version->group,
                                                         o.version->version },
                                        batch->arena)));
    yl_member_set(batch->arena, o.applied, "kind",
                  yl_node_new_string(batch->arena, resource->kind));
    yl_member_keep(batch->arena, yl_member_make(batch->arena, o.applied,
                                                "metadata"), metadata, "name");
    yl_member_set(batch->arena, o.applied, "status",
                  yl_node_copy(batch->arena, status));
    YL_MEMBER_EACH (condition, yl_member_object(o.applied, "status"),
                    "conditions") {
        if (yl_member_is_zero(condition, "reason")) {
            yl_member_drop(condition, "reason");    /* It is not applied. */
        }
    }
    if (batch->server->opts.own(&o, &refusal) == 0) {
        yl_member_keep(batch->arena, metadata,
                       yl_member_object(o.object, "metadata"),
                       "managedFields");
    }
    yl_status_clear(&refusal);
}

static struct yl_ownership
ownership(struct yl_bootstrap_batch *batch,
          const struct yl_api_resource *resource)
{
    struct yl_ownership o = {
        .arena = batch->arena,
        .resource = resource,
        .version = yl_api_resource_hub(resource),
        .now = yl_time_now(),
    };

    return o;
}

/* The row of a resource, or the last one. */
static const struct managers *
managers_of(const struct yl_api_resource *resource)
{
    const struct managers *one = managers;

    while (one->plural && !yl_str_equal_c(resource->plural, one->plural)) {
        one++;
    }
    return one;
}

/* Makes the object in its stored form; the arena keeps it until the end. */
static int
finish_object(struct yl_bootstrap_batch *batch,
              const struct yl_api_resource *resource, struct yl_node *tree,
              struct yl_object **ret_object, struct yl_error *err)
{
    size_t i;
    int r = 0;

    for (i = 0; i < resource->n_versions; i++) {
        if (resource->versions[i].hub) {
            r = yl_normalize_stored(batch->arena,
                                    yl_kind_type(resource->versions[i].kind),
                                    tree, err);
        }
    }
    if (r == 0) {
        r = yl_object_from_tree(tree, NULL, ret_object, err);
    }
    if (r == 0) {
        yl_arena_attach(batch->arena, release_object, *ret_object);
    }
    return r;
}

static void
add(struct yl_bootstrap_batch *batch, const struct yl_api_resource *resource,
    struct yl_key key, struct yl_object *object, uint64_t expected)
{
    struct write *write = yl_arena_zalloc(batch->arena, sizeof *write);

    write->batch = batch;
    write->write.resource = resource->objects;
    write->write.key = key;
    write->write.object = object;
    write->write.expected = expected;
    write->write.done = done;
    yl_list_push_back(&batch->writes, &write->node);
}

static void
release_object(void *object)
{
    yl_object_unref(object);
}

/* Called on the writer's thread. */
static void
done(struct yl_ks_write *write)
{
    struct yl_bootstrap_batch *batch
        = YL_CONTAINER_OF(write, struct write, write)->batch;

    yl_mutex_lock(&batch->lock);
    if (write->result < 0 && !batch->failed.code) {
        batch->failed = write->error;
        batch->failed.code = write->result;
    } else {
        yl_error_clear(&write->error);
    }
    batch->n_left--;
    yl_cond_signal(&batch->changed);
    yl_mutex_unlock(&batch->lock);
}

static struct yl_str
text(struct yl_arena *arena, const struct yl_node *metadata, const char *name)
{
    struct yl_str value = YL_STR("");

    yl_node_string(yl_node_get(metadata, yl_str_c(name)), arena, &value);
    return value;
}
