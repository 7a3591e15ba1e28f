/* The factory, and waiting for caches. */

#include "yuloh/informer.h"

#include "informer_unit.h"
#include "yuloh/cancel.h"
#include "yuloh/client.h"

static const struct yl_resource pods = {
    .gvr = { YL_STR_INIT(""), YL_STR_INIT("v1"), YL_STR_INIT("pods") },
    .kind = YL_STR_INIT("Pod"), .namespaced = true,
};
static const struct yl_resource nodes = {
    .gvr = { YL_STR_INIT(""), YL_STR_INIT("v1"), YL_STR_INIT("nodes") },
    .kind = YL_STR_INIT("Node"),
};

/* A source whose objects come by themselves: a timer lets it run. */
struct pump {
    struct yl_loop_timer timer;
    struct yl_loop *loop;
    struct yl_fake_source *source;
};

struct sources {
    _Atomic int n;              /* That are there. */
    bool fails;
};

static void
on_pump(struct yl_loop_timer *timer)
{
    struct pump *pump = YL_CONTAINER_OF(timer, struct pump, timer);

    yl_fake_source_run(pump->source);
    yl_loop_timer_arm(pump->loop, &pump->timer, yl_loop_now(pump->loop) + 1);
}

/* One pump for a test is enough. */
static struct pump the_pumps[4];

static struct yl_lister_watcher *
new_source(void *sources_, struct yl_loop *loop,
           const struct yl_resource *resource,
           const struct yl_informer_scope *scope)
{
    struct sources *sources = sources_;
    struct pump *pump = &the_pumps[sources->n++];

    assert_true(resource->gvr.resource.size > 0);
    assert_non_null(scope);
    memset(pump, 0, sizeof *pump);
    pump->loop = loop;
    pump->timer.fire = on_pump;
    pump->source = yl_fake_source_new();
    assert_true(yl_fake_source_set(pump->source,
                                   YL_STR("{\"metadata\":{\"name\":\"x\"}}"),
                                   NULL) > 0);
    if (sources->fails) {
        yl_fake_source_fail(pump->source, 1000, YL_EFORBIDDEN, true);
    }
    yl_loop_timer_arm(loop, &pump->timer, 0);
    return yl_fake_source_lister_watcher(pump->source);
}

static void
free_source(void *sources, struct yl_lister_watcher *source)
{
    int i;

    for (i = 0; i < 4; i++) {
        struct pump *pump = &the_pumps[i];

        if (pump->source
            && yl_fake_source_lister_watcher(pump->source) == source) {
            yl_loop_timer_cancel(pump->loop, &pump->timer);
            yl_fake_source_free(pump->source);
            pump->source = NULL;
            ((struct sources *) sources)->n--;
        }
    }
}

static struct yl_informer_factory *
make_factory(struct sources *sources, struct yl_loop *loop)
{
    struct yl_informer_factory_opts opts = {
        .loop = loop,
        .new_source = new_source,
        .free_source = free_source,
        .source_aux = sources,
    };
    struct yl_informer_factory *factory;

    assert_int_equal(yl_informer_factory_new(NULL, &opts, &factory, NULL), 0);
    return factory;
}

static struct yl_object *
keep(void *aux YL_UNUSED, const struct yl_object *object YL_UNUSED)
{
    return NULL;
}

TEST(equal_requests_share_an_informer)
{
    struct sources sources = { 0 };
    struct yl_informer_factory *factory = make_factory(&sources, NULL);
    struct yl_informer *a = yl_informer_factory_get(factory, &pods, NULL);

    assert_ptr_equal(yl_informer_factory_get(factory, &pods, NULL), a);
    assert_ptr_equal(yl_informer_factory_get(factory, &pods,
                         &(struct yl_informer_scope) { 0 }), a);
    assert_ptr_not_equal(yl_informer_factory_get(factory, &nodes, NULL), a);
    assert_ptr_not_equal(yl_informer_factory_get(factory, &pods,
        &(struct yl_informer_scope) { .namespace_ = YL_STR("x") }), a);
    assert_ptr_not_equal(yl_informer_factory_get(factory, &pods,
        &(struct yl_informer_scope) { .label_selector = YL_STR("x") }), a);
    assert_ptr_not_equal(yl_informer_factory_get(factory, &pods,
        &(struct yl_informer_scope) { .field_selector = YL_STR("x=y") }), a);
    assert_ptr_not_equal(yl_informer_factory_get(factory, &pods,
        &(struct yl_informer_scope) { .metadata_only = true }), a);
    assert_ptr_not_equal(yl_informer_factory_get(factory, &pods,
        &(struct yl_informer_scope) { .transform = keep }), a);
    yl_informer_factory_free(factory);
    assert_int_equal(sources.n, 0);
}

TEST(the_namespace_of_a_factory_is_for_kinds_that_have_one)
{
    const struct yl_informer_factory_opts opts = {
        .namespace_ = YL_STR("x") };
    struct yl_informer_factory *factory;

    assert_int_equal(yl_informer_factory_new(NULL, &opts, &factory, NULL), 0);
    assert_string_equal(
        yl_informer_name(yl_informer_factory_get(factory, &pods, NULL)),
        "pods in namespace x");
    assert_string_equal(
        yl_informer_name(yl_informer_factory_get(factory, &nodes, NULL)),
        "nodes");
    yl_informer_factory_free(factory);
}

TEST(a_factory_has_a_loop_of_its_own)
{
    struct sources sources = { 0 };
    struct yl_informer_factory *factory = make_factory(&sources, NULL);
    struct yl_informer *a = yl_informer_factory_get(factory, &pods, NULL);
    struct yl_informer *b;

    yl_informer_factory_start(factory);
    assert_int_equal(yl_informer_factory_wait(factory, YL_NEVER, NULL, NULL),
                     0);
    assert_true(yl_informer_has_synced(a));
    assert_true(yl_gvr_equal(yl_informer_resource(a), pods.gvr));
    assert_int_equal(yl_store_stats(yl_informer_store(a)).n_objects, 1);

    /* One that is asked for later is started later. */
    b = yl_informer_factory_get(factory, &nodes, NULL);
    assert_false(yl_informer_has_synced(b));
    yl_informer_factory_start(factory);
    assert_int_equal(yl_wait_for_cache_sync(&b, 1, YL_NEVER, NULL, NULL), 0);
    assert_int_equal(sources.n, 2);
    yl_informer_factory_stop(factory);
    yl_informer_factory_stop(factory);
    yl_informer_factory_free(factory);
    assert_int_equal(sources.n, 0);
}

TEST(a_factory_lives_on_a_lent_loop)
{
    struct sources sources = { 0 };
    struct yl_informer_factory *factory;
    struct yl_informer *a;
    struct yl_loop *loop;

    assert_int_equal(yl_loop_new(NULL, &loop, NULL), 0);
    factory = make_factory(&sources, loop);
    assert_ptr_equal(yl_informer_factory_loop(factory), loop);
    a = yl_informer_factory_get(factory, &pods, NULL);
    yl_informer_factory_start(factory);
    while (!yl_informer_has_synced(a)) {
        yl_loop_turn(loop, true);
    }
    assert_int_equal(yl_informer_factory_wait(factory, 0, NULL, NULL), 0);
    yl_informer_factory_free(factory);
    yl_loop_free(loop);
}

TEST(a_wait_that_fails_says_which_cache_and_why)
{
    struct sources sources = { .fails = true };
    struct yl_informer_factory *factory = make_factory(&sources, NULL);
    struct yl_informer *a = yl_informer_factory_get(factory, &pods,
        &(struct yl_informer_scope) { .namespace_ = YL_STR("x") });
    struct yl_cancel *cancel = yl_cancel_new();
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_informer_status status = { 0 };

    assert_int_equal(yl_wait_for_cache_sync(&a, 1, 0, cancel, &err),
                     YL_ETIMEOUT);
    assert_string_equal(yl_error_message(&err), "cache of pods in namespace x "
                        "has not synced in time");
    yl_error_clear(&err);
    yl_informer_factory_start(factory);
    while (status.n_errors == 0) {
        yl_informer_status(a, arena, &status);
        sched_yield();
    }
    yl_cancel_now(cancel);
    assert_int_equal(yl_informer_factory_wait(factory, YL_NEVER, cancel, &err),
                     YL_ECANCELED);
    assert_non_null(strstr(yl_error_message(&err), "cache of pods in "
                           "namespace x had not synced when the wait was "
                           "canceled; its last error: "));
    yl_error_clear(&err);
    yl_informer_factory_stop(factory);
    assert_int_equal(yl_informer_factory_wait(factory, YL_NEVER, NULL, &err),
                     YL_EUNAVAILABLE);
    yl_error_clear(&err);
    yl_cancel_unref(cancel);
    yl_arena_free(arena);
    yl_informer_factory_free(factory);
}

static void
count_informer(void *n, struct yl_informer *informer)
{
    assert_string_equal(yl_informer_name(informer), "pods");
    ++*(int *) n;
}

TEST(informers_can_be_walked)
{
    struct sources sources = { 0 };
    struct yl_informer_factory *factory = make_factory(&sources, NULL);
    int n = 0;

    yl_informer_factory_get(factory, &pods, NULL);
    yl_informer_factory_each(factory, count_informer, &n);
    assert_int_equal(n, 1);
    yl_informer_factory_free(factory);
}
