/* Handlers with threads of their own. */

#include "informer/informer_parts.h"

#include "informer_unit.h"

/* Waits until all handlers have heard everything. */
static void
settle(struct rig *rig)
{
    while (!yl_informer_is_settled(rig->informer)) {
        sched_yield();
    }
}

TEST(handlers_hear_everything_on_threads_of_their_own)
{
    struct yl_handler_registration *h;
    struct ear a, b;
    struct rig rig;

    rig_init(&rig, NULL);
    ear_init(&a);
    ear_init(&b);
    h = ear_add(&a, &rig, false, 0);
    ear_add(&b, &rig, false, 0);
    rig_set(&rig, "x", "1", 1);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    settle(&rig);
    assert_true(yl_handler_has_synced(h));
    rig_set(&rig, "x", "1", 2);
    rig_set(&rig, "y", "2", 1);
    rig_delete(&rig, "x");
    rig_run(&rig);
    settle(&rig);
    ear_assert(&a, "*x ~x +y -x");
    ear_assert(&b, "*x ~x +y -x");
    rig_release(&rig);
    ear_release(&a);
    ear_release(&b);
}

TEST(a_slow_handler_delays_nobody)
{
    struct yl_handler_registration *h;
    struct ear slow, quick;
    struct rig rig;
    int i;

    rig_init(&rig, NULL);
    ear_init(&slow);
    ear_init(&quick);
    ear_block(&slow, true);
    h = ear_add(&slow, &rig, false, 0);
    ear_add(&quick, &rig, false, 0);
    rig_set(&rig, "x", "1", 0);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    for (i = 1; i < 100; i++) {
        rig_set(&rig, "x", "1", i);
    }
    rig_run(&rig);
    ear_wait(&quick, 100);
    assert_int_equal(slow.n, 0);
    assert_false(yl_handler_has_synced(h));
    assert_false(yl_informer_is_settled(rig.informer));
    ear_block(&slow, false);
    ear_wait(&slow, 100);
    settle(&rig);
    assert_true(yl_handler_has_synced(h));
    rig_release(&rig);
    ear_release(&slow);
    ear_release(&quick);
}

TEST(a_late_handler_hears_what_is_there)
{
    struct yl_handler_registration *h;
    struct ear ear;
    struct rig rig;

    rig_init(&rig, NULL);
    ear_init(&ear);
    rig_set(&rig, "x", "1", 1);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    h = ear_add(&ear, &rig, false, 0);
    rig_set(&rig, "x", "1", 2);
    rig_run(&rig);
    settle(&rig);
    ear_assert(&ear, "*x ~x");
    assert_true(yl_handler_has_synced(h));
    rig_release(&rig);
    ear_release(&ear);
}

TEST(a_removed_handler_hears_nothing_more)
{
    struct yl_handler_registration *h;
    struct ear gone, stays;
    struct rig rig;

    rig_init(&rig, NULL);
    ear_init(&gone);
    ear_init(&stays);
    h = ear_add(&gone, &rig, false, 0);
    ear_add(&stays, &rig, false, 0);
    rig_set(&rig, "x", "1", 1);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    settle(&rig);
    yl_informer_remove_handler(rig.informer, h);
    ear_assert(&gone, "*x");
    ear_release(&gone);         /* Nobody may touch it any more. */
    rig_set(&rig, "x", "1", 2);
    rig_run(&rig);
    settle(&rig);
    ear_assert(&stays, "*x ~x");
    rig_release(&rig);
    ear_release(&stays);
}

/* A handler that removes itself when it hears of a second object. */
struct quitter {
    struct yl_informer *informer;
    _Atomic(struct yl_handler_registration *) h;
    _Atomic int n;
};

static void
quit_at_second(void *quitter_, const struct yl_versioned *object YL_UNUSED,
               bool initial YL_UNUSED)
{
    struct quitter *quitter = quitter_;

    if (++quitter->n == 2) {
        yl_informer_remove_handler(quitter->informer, quitter->h);
    }
}

static void
quit(bool inline_)
{
    static const struct yl_handler handler = { .added = quit_at_second };
    struct yl_handler_opts opts = { .inline_ = inline_ };
    struct yl_handler_registration *h;
    struct quitter quitter = { 0 };
    struct ear ear;
    struct rig rig;

    rig_init(&rig, NULL);
    ear_init(&ear);
    quitter.informer = rig.informer;
    assert_int_equal(yl_informer_add_handler(rig.informer, &handler, &quitter,
                                             &opts, &h, NULL), 0);
    quitter.h = h;
    rig_set(&rig, "x", "1", 1);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    settle(&rig);
    rig_set(&rig, "y", "2", 1);
    rig_set(&rig, "z", "3", 1);
    rig_run(&rig);
    while (quitter.n < 2) {
        sched_yield();
    }
    ear_add(&ear, &rig, false, 0);
    settle(&rig);
    assert_int_equal(quitter.n, 2);
    rig_release(&rig);
    ear_release(&ear);
}

TEST(a_handler_may_remove_itself)
{
    quit(false);
    quit(true);
}

TEST(resyncs_of_a_slow_handler_do_not_pile_up)
{
    struct ear ear;
    struct rig rig;
    int i;

    rig_init(&rig, NULL);
    ear_init(&ear);
    ear_add(&ear, &rig, false, 2000);
    rig_set(&rig, "x", "1", 1);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    settle(&rig);
    ear_assert(&ear, "*x");
    ear_block(&ear, true);
    for (i = 0; i < 10; i++) {
        rig_pass(&rig, 2000);
    }
    ear_block(&ear, false);
    settle(&rig);
    ear_assert(&ear, "=x");
    rig_pass(&rig, 2000);
    settle(&rig);
    ear_assert(&ear, "=x");
    rig_release(&rig);
    ear_release(&ear);
}

TEST(unread_notes_are_freed_with_a_blocked_handler)
{
    struct yl_handler_registration *h;
    struct ear ear;
    struct rig rig;
    int i;

    rig_init(&rig, NULL);
    ear_init(&ear);
    ear_block(&ear, true);
    h = ear_add(&ear, &rig, false, 0);
    yl_informer_start(rig.informer);
    for (i = 0; i < 100; i++) {
        rig_set(&rig, "x", "1", i);
        rig_run(&rig);
    }
    ear_block(&ear, false);
    yl_informer_remove_handler(rig.informer, h);
    yl_mutex_lock(&rig.informer->lock);
    assert_int_equal(yl_ref_count(&rig.informer->tail->ref), 1);
    yl_mutex_unlock(&rig.informer->lock);
    rig_release(&rig);
    ear_release(&ear);
}

/* Adds and removes handlers while the loop's thread writes. */
static void
come_and_go(void *rig_)
{
    struct rig *rig = rig_;
    int i;

    for (i = 0; i < 50; i++) {
        struct yl_handler_registration *h;
        struct ear ear;

        ear_init(&ear);
        h = ear_add(&ear, rig, i % 2, 0);
        yl_handler_has_synced(h);
        yl_informer_remove_handler(rig->informer, h);
        ear_release(&ear);
    }
}

TEST(handlers_come_and_go_while_the_loop_runs)
{
    struct yl_thread threads[2];
    struct ear ear;
    struct rig rig;
    int i;

    rig_init(&rig, NULL);
    ear_init(&ear);
    ear_add(&ear, &rig, false, 0);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    for (i = 0; i < 2; i++) {
        assert_int_equal(yl_thread_start(&threads[i], "guest", come_and_go,
                                         &rig), 0);
    }
    for (i = 0; i < 200; i++) {
        rig_set(&rig, "x", "1", i);
        rig_run(&rig);
    }
    for (i = 0; i < 2; i++) {
        yl_thread_join(&threads[i]);
    }
    rig_run(&rig);
    ear_wait(&ear, 200);
    rig_release(&rig);
    ear_release(&ear);
}

TEST(a_handler_registered_twice_hears_twice)
{
    struct yl_handler_registration *a, *b;
    struct ear ear;
    struct rig rig;

    rig_init(&rig, NULL);
    ear_init(&ear);
    a = ear_add(&ear, &rig, false, 0);
    b = ear_add(&ear, &rig, true, 0);
    rig_set(&rig, "x", "1", 1);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    settle(&rig);
    ear_assert(&ear, "*x *x");
    yl_informer_remove_handler(rig.informer, a);
    rig_set(&rig, "x", "1", 2);
    rig_run(&rig);
    settle(&rig);
    ear_assert(&ear, "~x");
    yl_informer_remove_handler(rig.informer, b);
    rig_release(&rig);
    ear_release(&ear);
}

TEST(a_handler_of_another_informer_is_not_removed)
{
    struct yl_handler_registration *h;
    struct rig rig, other;
    struct ear ear;

    rig_init(&rig, NULL);
    rig_init(&other, NULL);
    ear_init(&ear);
    h = ear_add(&ear, &rig, false, 0);
    yl_informer_remove_handler(other.informer, h);
    rig_set(&rig, "x", "1", 1);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    settle(&rig);
    ear_assert(&ear, "*x");
    rig_release(&rig);
    rig_release(&other);
    ear_release(&ear);
}

TEST(handlers_can_be_removed_after_a_stop)
{
    struct yl_handler_registration *a, *b;
    struct ear ear;
    struct rig rig;

    rig_init(&rig, NULL);
    ear_init(&ear);
    a = ear_add(&ear, &rig, false, 0);
    b = ear_add(&ear, &rig, true, 0);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    yl_informer_stop(rig.informer);
    yl_informer_remove_handler(rig.informer, a);
    yl_informer_remove_handler(rig.informer, b);
    ear_assert(&ear, "");
    rig_release(&rig);
    ear_release(&ear);
}

TEST(informers_come_and_go_a_hundred_times)
{
    int i;

    for (i = 0; i < 100; i++) {
        struct rig rig;
        struct ear ear;

        rig_init(&rig, NULL);
        ear_init(&ear);
        ear_add(&ear, &rig, false, 0);
        if (i % 3) {
            rig_set(&rig, "x", "1", 1);
            yl_informer_start(rig.informer);
            rig_run(&rig);
        }
        if (i % 3 == 2) {
            yl_informer_stop(rig.informer);
        }
        rig_release(&rig);
        ear_release(&ear);
    }
}

/* A handler that keeps a model of the objects and checks that what it hears
 * fits to it. */
#define N_NAMES 8

struct model {
    uint64_t revisions[N_NAMES];    /* 0: not there. */
};

static uint64_t *
model_find(struct model *model, const struct yl_versioned *object)
{
    struct yl_str name = yl_object_name(object->object);

    return &model->revisions[name.data[0] - 'a'];
}

static void
model_added(void *model, const struct yl_versioned *object,
            bool initial YL_UNUSED)
{
    uint64_t *revision = model_find(model, object);

    assert_int_equal(*revision, 0);
    *revision = object->revision;
}

static void
model_updated(void *model, const struct yl_versioned *old,
              const struct yl_versioned *object)
{
    uint64_t *revision = model_find(model, object);

    assert_int_equal(*revision, old->revision);
    assert_true(object->revision >= old->revision);
    *revision = object->revision;
}

static void
model_deleted(void *model, const struct yl_versioned *object,
              bool tombstone YL_UNUSED)
{
    uint64_t *revision = model_find(model, object);

    assert_true(*revision && object->revision >= *revision);
    *revision = 0;
}

static const struct yl_handler model_handler = {
    .added = model_added, .updated = model_updated, .deleted = model_deleted,
};

static void
add_model(struct rig *rig, struct model *model, bool inline_, yl_msec resync)
{
    struct yl_handler_opts opts = { .inline_ = inline_, .resync = resync };

    memset(model, 0, sizeof *model);
    assert_int_equal(yl_informer_add_handler(rig->informer, &model_handler,
                                             model, &opts, NULL, NULL), 0);
}

/* A number below 'n'; the same ones for the same seed. */
static unsigned
draw(uint64_t *seed, unsigned n)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned) (*seed >> 33) % n;
}

/* One random thing happens to the source. */
static void
happen(struct rig *rig, uint64_t *seed, bool *there, int i)
{
    unsigned which = draw(seed, N_NAMES);
    char name[2] = { (char) ('a' + which), '\0' };
    char uid[16];

    snprintf(uid, sizeof uid, "u%d", there[which] ? (int) which : i);
    switch (draw(seed, 8)) {
    case 0:
        yl_fake_source_end_calls(rig->source, YL_EEXPIRED);
        break;
    case 1:
        yl_fake_source_compact(rig->source,
                               yl_fake_source_revision(rig->source));
        break;
    case 2:
    case 3:
        if (there[which]) {
            rig_delete(rig, name);
            there[which] = false;
        }
        break;
    default:
        rig_set(rig, name, uid, i);
        there[which] = true;
        break;
    }
}

TEST(each_handler_sees_a_consistent_history)
{
    uint64_t seed;

    for (seed = 1; seed <= 20; seed++) {
        struct model quick, slow, late;
        bool there[N_NAMES] = { false };
        uint64_t dice = seed;
        struct rig rig;
        int i;

        rig_init(&rig, NULL);
        add_model(&rig, &quick, true, 1000);
        add_model(&rig, &slow, false, 3000);
        yl_informer_start(rig.informer);
        for (i = 0; i < 200; i++) {
            happen(&rig, &dice, there, i);
            if (i == 100) {
                add_model(&rig, &late, false, 0);
            }
            if (draw(&dice, 3) == 0) {
                rig_pass(&rig, draw(&dice, 2000));
            }
        }
        for (i = 0; i < 5; i++) {
            rig_pass(&rig, 60 * 1000);
        }
        settle(&rig);
        for (i = 0; i < N_NAMES; i++) {
            assert_int_equal(quick.revisions[i] != 0, there[i]);
            assert_int_equal(quick.revisions[i], slow.revisions[i]);
            assert_int_equal(quick.revisions[i], late.revisions[i]);
        }
        rig_release(&rig);
    }
}
