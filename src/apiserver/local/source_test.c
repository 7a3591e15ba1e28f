/* The lister-watcher over the keyspace: the contract of every one, and what is
 * this one's own. */

#include "apiserver/local/source.h"

#include <sched.h>

#include "apiserver/registry/registry.h"
#include "base/thread.h"
#include "keyspace_unit.h"
#include "listwatch_contract.h"
#include "net/loop.h"

/* Pods, in the keyspace of a registry. */
static struct {
    struct fixture f;           /* Of which not all is used. */
    struct yl_registry *registry;
    struct yl_loop *loop;
    const struct yl_api_resource *resource;
    struct yl_local_source *source;
} t;

static uint64_t
put_pod(struct lw_rig *rig, const char *name, const char *v)
{
    uint64_t revision = 0;

    (void) rig;
    (void) yl_ks_get(t.f.pods, key_of("d", name), NULL, &revision);
    assert_int_equal(put(&t.f, "d", name, v, revision, &revision), 0);
    return revision;
}

static uint64_t
remove_pod(struct lw_rig *rig, const char *name)
{
    uint64_t revision = 0;

    (void) rig;
    assert_int_equal(yl_ks_get(t.f.pods, key_of("d", name), NULL, &revision),
                     0);
    assert_int_equal(delete(&t.f, "d", name, revision, &revision), 0);
    return revision;
}

static void
run(struct lw_rig *rig)
{
    int i;

    /* Each turn does some; nothing needs more than these. */
    (void) rig;
    for (i = 0; i < 20; i++) {
        yl_loop_turn(t.loop, false);
    }
}

static void
pass(struct lw_rig *rig, int seconds)
{
    run(rig);
    yl_clock_fake_advance(t.f.clock, seconds * 1000);
}

static void
forget(struct lw_rig *rig)
{
    uint64_t newest = yl_keyspace_revision(t.f.ks);

    /* A watch that keeps up sees what there is before it goes. */
    pass(rig, 3600);
    put(&t.f, NULL, "other", "1", 0, NULL);
    while (yl_ks_oldest(t.f.pods) < newest) {
        sched_yield();
    }
    yl_ks_get(t.f.nodes, key_of(NULL, "other"), NULL, &newest);
    delete(&t.f, NULL, "other", newest, NULL);
}

static void
bookmark(struct lw_rig *rig)
{
    pass(rig, 60);
}

static void
source_open(struct yl_str namespace_)
{
    t.source = yl_local_source_new(&(struct yl_local_source_opts) {
        .keyspace = t.f.ks,
        .loop = t.loop,
        .resource = t.resource,
        .namespace_ = namespace_,
    });
}

static void
rig_init(struct lw_rig *rig)
{
    const struct yl_api_version *version;
    struct yl_keyspace_opts opts = { .clock = NULL };

    memset(&t, 0, sizeof t);
    t.f.clock = opts.clock = yl_clock_fake_new(1000);
    t.f.storage = yl_memory_new(NULL);
    t.f.ks = yl_keyspace_new(t.f.storage, &opts);
    t.registry = yl_registry_new();
    yl_registry_add_builtins(t.registry, t.f.ks);
    t.f.nodes = fixture_add(&t.f, NODES, false, type_of("Node"));
    assert_int_equal(yl_registry_find(t.registry, (struct yl_gvr) {
        .version = YL_STR("v1"), .resource = YL_STR("pods"),
    }, &t.resource, &version), 0);
    t.f.pods = t.resource->objects;
    assert_int_equal(yl_keyspace_load(t.f.ks, NULL), 0);
    assert_int_equal(yl_keyspace_start(t.f.ks, NULL), 0);
    assert_int_equal(yl_loop_new(t.f.clock, &t.loop, NULL), 0);
    yl_loop_turn(t.loop, false);
    source_open(yl_str_null());
    rig->lw = yl_local_source_lister_watcher(t.source);
    rig->put = put_pod;
    rig->remove = remove_pod;
    rig->forget = forget;
    rig->bookmark = bookmark;
    rig->pass = pass;
    rig->run = run;
    rig->selects = rig->shares = true;
}

static void
rig_release(struct lw_rig *rig)
{
    yl_local_source_free(t.source);
    run(rig);
    yl_api_resource_unref(t.resource);
    yl_registry_free(t.registry);
    yl_keyspace_free(t.f.ks);
    yl_storage_close(t.f.storage);
    yl_loop_free(t.loop);
    yl_clock_free(t.f.clock);
}

LISTWATCH_CASES(LISTWATCH_TEST)

/* What is this source's own
 * ========================= */

static void
keyspace_blocks(struct lw_rig *rig)
{
    struct yl_object *object;

    lw_put(rig, "a", "1");
    lw_list(rig, LW_ALL, "a=1@1 =1+0;");
    assert_int_equal(yl_ks_get(t.f.pods, key_of("d", "a"), &object, NULL), 0);
    assert_ptr_equal(object, rig->last);
    yl_object_unref(object);
}

TEST(its_blocks_are_those_of_the_keyspace)
{
    lw_run_case(keyspace_blocks, rig_init, rig_release);
}

static void
one_namespace(struct lw_rig *rig)
{
    struct yl_list_options options = { .limit = 1 };
    struct yl_lister_watcher_call *call;

    yl_local_source_free(t.source);
    run(rig);
    source_open(YL_STR("d"));
    rig->lw = yl_local_source_lister_watcher(t.source);
    lw_put(rig, "a", "1");
    lw_put(rig, "b", "1");
    assert_int_equal(put(&t.f, "c", "x", "1", 0, NULL), 0);
    assert_int_equal(put(&t.f, "e", "x", "1", 0, NULL), 0);
    lw_list(rig, options, "a=1@1 =2+1;");
    options.continue_ = yl_str_c(rig->continue_);
    lw_list(rig, options, "b=1@2 =2+0;");
    assert_string_equal(rig->continue_, "");
    call = lw_watch(rig, LW_ALL);
    lw_expect(rig, "A:a=1@1 A:b=1@2 ");
    assert_int_equal(put(&t.f, "c", "y", "1", 0, NULL), 0);
    lw_put(rig, "c", "1");
    lw_expect(rig, "A:c=1@3 ");
    yl_lister_watcher_stop(rig->lw, call);
}

TEST(it_can_be_of_one_namespace)
{
    lw_run_case(one_namespace, rig_init, rig_release);
}

static void
many_objects(struct lw_rig *rig)
{
    struct yl_lister_watcher_call *call;
    size_t n = 0;
    char name[16], *p;
    int i;

    for (i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "p%04d", i);
        lw_put(rig, name, "1");
    }
    lw_start_list(rig, LW_ALL);
    call = lw_watch(rig, LW_ALL);
    run(rig);
    for (p = (char *) yl_buf_c_str(&rig->heard); (p = strchr(p, '@')) != NULL;
         p++) {
        n++;
    }
    assert_int_equal(n, 2000);
    yl_buf_clear(&rig->heard);
    for (i = 0; i < 300; i++) {
        snprintf(name, sizeof name, "q%04d", i);
        lw_put(rig, name, "1");
    }
    run(rig);
    n = 0;
    for (p = (char *) yl_buf_c_str(&rig->heard); (p = strchr(p, '@')) != NULL;
         p++) {
        n++;
    }
    assert_int_equal(n, 300);
    yl_buf_clear(&rig->heard);
    yl_lister_watcher_stop(rig->lw, call);
}

TEST(many_objects_take_many_turns)
{
    lw_run_case(many_objects, rig_init, rig_release);
}

static void
slow_watch(struct lw_rig *rig)
{
    int i;

    lw_put(rig, "a", "1");
    lw_watch(rig, (struct yl_list_options) {
        .resource_version = lw_version(rig, 1),
    });
    for (i = 0; i < 3; i++) {
        lw_put(rig, "a", "2");
    }

    /* The loop has not run since, and history is gone. */
    yl_clock_fake_advance(t.f.clock, 3600 * 1000);
    put(&t.f, NULL, "other", "1", 0, NULL);
    while (yl_ks_oldest(t.f.pods) < rig->changes[3]) {
        sched_yield();
    }
    lw_expect(rig, "E:EEXPIRED end;");
}

TEST(a_watch_that_is_too_slow_is_told)
{
    lw_run_case(slow_watch, rig_init, rig_release);
}

/* Freeing while news are on their way, and while calls are under way. */
static void
free_early(struct lw_rig *rig)
{
    lw_put(rig, "a", "1");
    lw_watch(rig, LW_ALL);
    lw_start_list(rig, LW_ALL);
    yl_local_source_free(t.source);
    lw_expect(rig, "");
    source_open(yl_str_null());
    yl_local_source_free(t.source);
    lw_put(rig, "b", "1");
    lw_expect(rig, "");
    t.source = NULL;
}

TEST(a_source_can_go_at_any_moment)
{
    lw_run_case(free_early, rig_init, rig_release);
}

/* A loop on a thread of its own
 * ============================= */

struct follower {
    struct yl_loop *loop;
    struct yl_loop_task start, stop;
    struct yl_lister_watcher_call *call;
    uint64_t n_events;
    uint64_t last, until;
};

static void
follow_event(void *follower_, struct yl_watch_event *event)
{
    struct follower *follower = follower_;

    assert_true(event->revision > follower->last);
    follower->last = event->revision;
    follower->n_events++;
    if (follower->n_events == follower->until) {
        yl_loop_stop(follower->loop);
    }
}

static void
follow_done(void *follower_, const struct yl_error *err)
{
    (void) follower_;
    (void) err;
    fail();
}

static void
follow(struct yl_loop_task *task)
{
    static const struct yl_watch_sink sink = { follow_event, follow_done };
    struct follower *follower = YL_CONTAINER_OF(task, struct follower, start);

    assert_int_equal(yl_lister_watcher_watch(
                         yl_local_source_lister_watcher(t.source), NULL,
                         &sink, follower, &follower->call, NULL), 0);
}

static void
run_loop(void *loop)
{
    yl_loop_run(loop);
}

static void
other_thread(struct lw_rig *rig)
{
    struct follower follower = {
        .loop = t.loop, .start = { .run = follow }, .until = 500,
    };
    struct yl_thread thread;
    char name[16];
    int i;

    (void) rig;
    yl_loop_post(t.loop, &follower.start);
    assert_int_equal(yl_thread_start(&thread, "loop", run_loop, t.loop), 0);
    for (i = 0; i < 500; i++) {
        snprintf(name, sizeof name, "p%04d", i);
        assert_int_equal(put(&t.f, "d", name, "1", 0, NULL), 0);
    }
    yl_thread_join(&thread);
    assert_int_equal(follower.n_events, 500);
    yl_lister_watcher_stop(yl_local_source_lister_watcher(t.source),
                           follower.call);
}

TEST(a_watch_follows_writers_on_other_threads)
{
    lw_run_case(other_thread, rig_init, rig_release);
}
