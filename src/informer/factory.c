/* Factory: one informer for each resource and scope.  See yuloh/informer.h for
 * the contract.
 *
 * A factory with a thread of its own does what belongs to the loop's thread in
 * a task, and stops by stopping the loop; then nothing runs any more, and any
 * thread may free what lived there. */

#include "yuloh/informer.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "informer/informer_parts.h"
#include "yuloh/client.h"

/* An informer, and what it was asked for. */
struct member {
    struct yl_list node;        /* In yl_informer_factory's 'members'. */
    struct yl_arena arena;      /* Of the slices below. */
    struct yl_resource resource;
    struct yl_informer_scope scope;
    struct yl_informer *informer;
    struct yl_lister_watcher *source;   /* NULL until it starts. */
    bool started;               /* Or about to be. */
};

struct yl_informer_factory {
    struct yl_informer_factory_opts opts;
    struct yl_client *client;   /* A reference, or NULL. */
    char *namespace_;
    struct yl_loop *loop;
    bool has_thread;
    struct yl_thread thread;

    struct yl_mutex lock;       /* Outside of all other locks. */
    struct yl_list members YL_GUARDED;
    bool stopped YL_GUARDED;
};

/* Starts a member on the loop's thread. */
struct start {
    struct yl_loop_task task;
    struct yl_informer_factory *factory;
    struct member *member;
};

static struct member *take_unstarted(struct yl_informer_factory *);
static struct member *member_find(struct yl_informer_factory *factory,
                                  const struct yl_resource *,
                                  const struct yl_informer_scope *)
    YL_REQUIRES(factory->lock);
static struct member *member_new(struct yl_informer_factory *,
                                 const struct yl_resource *,
                                 const struct yl_informer_scope *);
static void member_start(struct yl_informer_factory *, struct member *);
static void member_free(struct yl_informer_factory *, struct member *);
static const char *describe(struct member *);
static void run_start(struct yl_loop_task *);
static void run_loop(void *loop);

int
yl_informer_factory_new(struct yl_client *client,
                        const struct yl_informer_factory_opts *opts,
                        struct yl_informer_factory **ret_factory,
                        struct yl_error *err)
{
    static const struct yl_informer_factory_opts defaults;
    struct yl_informer_factory *factory = yl_zalloc(sizeof *factory);
    int r = 0;

    factory->opts = opts ? *opts : defaults;
    factory->namespace_ = yl_strdup(factory->opts.namespace_);
    factory->opts.namespace_ = yl_str_c(factory->namespace_);
    factory->loop = factory->opts.loop;
    yl_mutex_init(&factory->lock);
    yl_mutex_lock(&factory->lock);
    yl_list_init(&factory->members);
    yl_mutex_unlock(&factory->lock);
    if (!factory->loop) {
        r = yl_loop_new(factory->opts.clock, &factory->loop, err);
        if (r == 0) {
            r = yl_thread_start(&factory->thread, "informers", run_loop,
                                factory->loop);
            if (r < 0) {
                yl_error_set(err, r, "no thread for informers");
                yl_loop_free(factory->loop);
            }
        }
        factory->has_thread = r == 0;
    }
    if (r < 0) {
        yl_mutex_destroy(&factory->lock);
        free(factory->namespace_);
        free(factory);
        return r;
    }
    factory->client = client ? yl_client_ref(client) : NULL;
    *ret_factory = factory;
    return 0;
}

void
yl_informer_factory_free(struct yl_informer_factory *factory)
{
    struct yl_list *node;

    if (!factory) {
        return;
    }
    yl_informer_factory_stop(factory);
    for (;;) {
        yl_mutex_lock(&factory->lock);
        node = yl_list_pop_front(&factory->members);
        yl_mutex_unlock(&factory->lock);
        if (!node) {
            break;
        }
        member_free(factory, YL_CONTAINER_OF(node, struct member, node));
    }
    if (!factory->opts.loop) {
        yl_loop_free(factory->loop);
    }
    yl_client_unref(factory->client);
    yl_mutex_destroy(&factory->lock);
    free(factory->namespace_);
    free(factory);
}

struct yl_informer *
yl_informer_factory_get(struct yl_informer_factory *factory,
                        const struct yl_resource *resource,
                        const struct yl_informer_scope *scope_)
{
    struct yl_informer_scope scope = { 0 };
    struct member *member;

    if (scope_) {
        scope = *scope_;
    }
    if (yl_str_is_empty(scope.namespace_) && resource->namespaced) {
        scope.namespace_ = factory->opts.namespace_;
    }
    yl_mutex_lock(&factory->lock);
    member = member_find(factory, resource, &scope);
    if (!member) {
        member = member_new(factory, resource, &scope);
        yl_list_push_back(&factory->members, &member->node);
    }
    yl_mutex_unlock(&factory->lock);
    return member->informer;
}

void
yl_informer_factory_start(struct yl_informer_factory *factory)
{
    struct member *member;

    while ((member = take_unstarted(factory)) != NULL) {
        if (factory->has_thread) {
            struct start *start = yl_zalloc(sizeof *start);

            start->task.run = run_start;
            start->factory = factory;
            start->member = member;
            yl_loop_post(factory->loop, &start->task);
        } else {
            member_start(factory, member);
        }
    }
}

void
yl_informer_factory_stop(struct yl_informer_factory *factory)
{
    struct member *member;
    bool stopped;

    yl_mutex_lock(&factory->lock);
    stopped = factory->stopped;
    factory->stopped = true;
    yl_mutex_unlock(&factory->lock);
    if (stopped) {
        return;
    }
    if (factory->has_thread) {
        yl_loop_stop(factory->loop);
        yl_thread_join(&factory->thread);
    }
    yl_mutex_lock(&factory->lock);
    YL_LIST_FOR_EACH (member, node, &factory->members) {
        yl_informer_stop(member->informer);
    }
    yl_mutex_unlock(&factory->lock);
}

int
yl_informer_factory_wait(struct yl_informer_factory *factory, yl_msec timeout,
                         struct yl_cancel *cancel, struct yl_error *err)
{
    struct yl_informer **informers;
    struct yl_arena arena;
    struct member *member;
    size_t n = 0;
    int r;

    yl_arena_init(&arena);
    yl_mutex_lock(&factory->lock);
    informers = yl_arena_array(&arena, yl_list_count(&factory->members),
                               sizeof *informers);
    YL_LIST_FOR_EACH (member, node, &factory->members) {
        if (member->started) {
            informers[n++] = member->informer;
        }
    }
    yl_mutex_unlock(&factory->lock);
    r = yl_wait_for_cache_sync(informers, n, timeout, cancel, err);
    yl_arena_release(&arena);
    return r;
}

struct yl_loop *
yl_informer_factory_loop(struct yl_informer_factory *factory)
{
    return factory->loop;
}

void
yl_informer_factory_each(struct yl_informer_factory *factory,
                         void (*fn)(void *aux, struct yl_informer *),
                         void *aux)
{
    struct yl_informer **informers;
    struct yl_arena arena;
    struct member *member;
    size_t i, n = 0;

    yl_arena_init(&arena);
    yl_mutex_lock(&factory->lock);
    informers = yl_arena_array(&arena, yl_list_count(&factory->members),
                               sizeof *informers);
    YL_LIST_FOR_EACH (member, node, &factory->members) {
        informers[n++] = member->informer;
    }
    yl_mutex_unlock(&factory->lock);
    for (i = 0; i < n; i++) {
        fn(aux, informers[i]);
    }
    yl_arena_release(&arena);
}

/* A member that is to be started, by the caller; NULL if there is none. */
static struct member *
take_unstarted(struct yl_informer_factory *factory)
{
    struct member *member, *found = NULL;

    yl_mutex_lock(&factory->lock);
    YL_LIST_FOR_EACH (member, node, &factory->members) {
        if (!member->started && !factory->stopped) {
            member->started = true;
            found = member;
            break;
        }
    }
    yl_mutex_unlock(&factory->lock);
    return found;
}

static struct member *
member_find(struct yl_informer_factory *factory,
            const struct yl_resource *resource,
            const struct yl_informer_scope *scope)
{
    struct member *member;

    YL_LIST_FOR_EACH (member, node, &factory->members) {
        const struct yl_informer_scope *has = &member->scope;

        if (yl_gvr_equal(member->resource.gvr, resource->gvr)
            && yl_str_equal(has->namespace_, scope->namespace_)
            && yl_str_equal(has->label_selector, scope->label_selector)
            && yl_str_equal(has->field_selector, scope->field_selector)
            && has->metadata_only == scope->metadata_only
            && has->keep_managed_fields == scope->keep_managed_fields
            && has->never_pack == scope->never_pack
            && has->transform == scope->transform
            && has->transform_aux == scope->transform_aux) {
            return member;
        }
    }
    return NULL;
}

static struct member *
member_new(struct yl_informer_factory *factory,
           const struct yl_resource *resource,
           const struct yl_informer_scope *scope)
{
    const struct yl_informer_factory_opts *opts = &factory->opts;
    struct member *member = yl_zalloc(sizeof *member);
    struct yl_arena *arena = &member->arena;

    yl_arena_init(arena);
    member->resource = *resource;
    member->resource.gvr.group = yl_arena_copy(arena, resource->gvr.group);
    member->resource.gvr.version = yl_arena_copy(arena, resource->gvr.version);
    member->resource.gvr.resource
        = yl_arena_copy(arena, resource->gvr.resource);
    member->resource.kind = yl_arena_copy(arena, resource->kind);
    member->scope = *scope;
    member->scope.namespace_ = yl_arena_copy(arena, scope->namespace_);
    member->scope.label_selector = yl_arena_copy(arena, scope->label_selector);
    member->scope.field_selector = yl_arena_copy(arena, scope->field_selector);
    member->informer = yl_informer_new(&(struct yl_informer_opts) {
        .loop = factory->loop,
        .name = describe(member),
        .resource = member->resource.gvr,
        .store = {
            .transform = scope->transform,
            .transform_aux = scope->transform_aux,
            .keep_managed_fields = scope->keep_managed_fields,
            .metadata_only = scope->metadata_only,
            .never_pack = scope->never_pack || opts->never_pack,
            .as_is = opts->as_is,
        },
        .resync = opts->resync,
        .reflector = opts->reflector,
        .error = opts->error, .error_aux = opts->error_aux,
        .trace = opts->trace, .trace_aux = opts->trace_aux,
        .metrics = opts->metrics,
    });
    return member;
}

/* On the loop's thread. */
static void
member_start(struct yl_informer_factory *factory, struct member *member)
{
    const struct yl_informer_factory_opts *opts = &factory->opts;
    const struct yl_informer_scope *scope = &member->scope;

    if (opts->new_source) {
        member->source = opts->new_source(opts->source_aux, factory->loop,
                                          &member->resource, scope);
    } else {
        member->source = yl_client_lister_watcher_new(
            factory->client, factory->loop, &member->resource,
            &(struct yl_client_lister_watcher_opts) {
                .namespace_ = scope->namespace_,
                .metadata_only = scope->metadata_only,
                .label_selector = scope->label_selector,
                .field_selector = scope->field_selector,
            });
    }
    member->informer->opts.source = member->source;
    yl_informer_start(member->informer);
}

static void
member_free(struct yl_informer_factory *factory, struct member *member)
{
    const struct yl_informer_factory_opts *opts = &factory->opts;

    yl_informer_free(member->informer);
    if (member->source && !opts->new_source) {
        yl_client_lister_watcher_free(member->source);
    } else if (member->source && opts->free_source) {
        opts->free_source(opts->source_aux, member->source);
    }
    yl_arena_release(&member->arena);
    free(member);
}

/* "pods in namespace x, app=web", for messages. */
static const char *
describe(struct member *member)
{
    const struct yl_informer_scope *scope = &member->scope;
    struct yl_str gvr = yl_gvr_short_text(member->resource.gvr,
                                          &member->arena);
    bool in_namespace = !yl_str_is_empty(scope->namespace_);
    bool has_labels = !yl_str_is_empty(scope->label_selector);
    bool has_fields = !yl_str_is_empty(scope->field_selector);

    return yl_arena_printf(&member->arena, "%.*s%s%.*s%s%.*s%s%.*s",
                           YL_STR_ARG(gvr),
                           in_namespace ? " in namespace " : "",
                           YL_STR_ARG(scope->namespace_),
                           has_labels ? ", " : "",
                           YL_STR_ARG(scope->label_selector),
                           has_fields ? ", " : "",
                           YL_STR_ARG(scope->field_selector));
}

static void
run_start(struct yl_loop_task *task)
{
    struct start *start = YL_CONTAINER_OF(task, struct start, task);

    member_start(start->factory, start->member);
    free(start);
}

static void
run_loop(void *loop)
{
    yl_loop_run(loop);
}
