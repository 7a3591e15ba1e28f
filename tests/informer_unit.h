#ifndef TESTS_INFORMER_UNIT_H
#define TESTS_INFORMER_UNIT_H 1

/* What tests of informers share: an informer over a source in memory, a loop
 * that the test turns, and a handler that writes down what it hears. */

#include <stdatomic.h>

#include "base/buf.h"
#include "base/thread.h"
#include "informer/informer_parts.h"
#include "object/fake_source.h"
#include "unit.h"

struct rig {
    struct yl_clock *clock;
    struct yl_loop *loop;
    struct yl_fake_source *source;
    struct yl_informer *informer;
};

static inline void
rig_init(struct rig *rig, const struct yl_informer_opts *opts_)
{
    struct yl_informer_opts opts = { 0 };

    if (opts_) {
        opts = *opts_;
    }
    rig->clock = yl_clock_fake_new(1000);
    assert_int_equal(yl_loop_new(rig->clock, &rig->loop, NULL), 0);
    rig->source = yl_fake_source_new();
    opts.loop = rig->loop;
    opts.source = yl_fake_source_lister_watcher(rig->source);
    opts.reflector.seed = 1;
    rig->informer = yl_informer_new(&opts);
}

static inline void
rig_release(struct rig *rig)
{
    yl_informer_free(rig->informer);
    yl_fake_source_free(rig->source);
    yl_loop_free(rig->loop);
    yl_clock_free(rig->clock);
}

/* Lets everything happen that happens without time passing. */
static inline void
rig_run(struct rig *rig)
{
    int i;

    for (i = 0; i < 20; i++) {
        yl_loop_turn(rig->loop, false);
        yl_fake_source_run(rig->source);
    }
    yl_loop_turn(rig->loop, false);
}

static inline void
rig_pass(struct rig *rig, yl_msec time)
{
    yl_clock_fake_advance(rig->clock, time);
    rig_run(rig);
}

static inline void
rig_set(struct rig *rig, const char *name, const char *uid, int n)
{
    char json[256];

    snprintf(json, sizeof json,
             "{\"metadata\":{\"name\":\"%s\",\"namespace\":\"d\","
             "\"uid\":\"%s\"},\"spec\":{\"n\":%d}}", name, uid, n);
    assert_true(yl_fake_source_set(rig->source, yl_str_c(json), NULL) > 0);
}

static inline void
rig_delete(struct rig *rig, const char *name)
{
    struct yl_key key = yl_key_make(YL_STR("d"), yl_str_c(name));

    assert_true(yl_fake_source_delete(rig->source, key, NULL) > 0);
}

/* Writes down what it hears: "+a" (initially there: "*a"), "~a" (with the
 * same revision: "=a"), "-a" (a tombstone: "?a"), separated by blanks. */
struct ear {
    struct yl_mutex lock;
    struct yl_cond changed;
    struct yl_buf heard;
    _Atomic int n;
    bool blocked;               /* Waits in every call until it is false. */
};

static inline void
ear_init(struct ear *ear)
{
    memset(ear, 0, sizeof *ear);
    yl_mutex_init(&ear->lock);
    yl_cond_init(&ear->changed);
    yl_buf_init(&ear->heard, SIZE_MAX);
}

static inline void
ear_release(struct ear *ear)
{
    yl_buf_release(&ear->heard);
    yl_cond_destroy(&ear->changed);
    yl_mutex_destroy(&ear->lock);
}

static inline void
ear_hear(struct ear *ear, char what, const struct yl_versioned *object)
{
    yl_mutex_lock(&ear->lock);
    while (ear->blocked) {
        yl_cond_wait(&ear->changed, &ear->lock);
    }
    if (ear->heard.size) {
        yl_buf_append_char(&ear->heard, ' ');
    }
    yl_buf_append_char(&ear->heard, what);
    yl_buf_append_str(&ear->heard, yl_object_name(object->object));
    ear->n++;
    yl_cond_broadcast(&ear->changed);
    yl_mutex_unlock(&ear->lock);
}

static inline void
ear_added(void *ear, const struct yl_versioned *object, bool initial)
{
    ear_hear(ear, initial ? '*' : '+', object);
}

static inline void
ear_updated(void *ear, const struct yl_versioned *old,
            const struct yl_versioned *object)
{
    ear_hear(ear, old->revision == object->revision ? '=' : '~', object);
}

static inline void
ear_deleted(void *ear, const struct yl_versioned *object, bool tombstone)
{
    ear_hear(ear, tombstone ? '?' : '-', object);
}

static const struct yl_handler ear_handler = {
    .added = ear_added, .updated = ear_updated, .deleted = ear_deleted,
};

/* Blocks it, or lets it go on. */
static inline void
ear_block(struct ear *ear, bool blocked)
{
    yl_mutex_lock(&ear->lock);
    ear->blocked = blocked;
    yl_cond_broadcast(&ear->changed);
    yl_mutex_unlock(&ear->lock);
}

/* Waits until it has heard 'n' things in all. */
static inline void
ear_wait(struct ear *ear, int n)
{
    yl_mutex_lock(&ear->lock);
    while (ear->n < n) {
        yl_cond_wait(&ear->changed, &ear->lock);
    }
    yl_mutex_unlock(&ear->lock);
}

/* What it has heard since the last time must be 'expected'. */
static inline void
ear_assert(struct ear *ear, const char *expected)
{
    yl_mutex_lock(&ear->lock);
    assert_str_equal(yl_buf_str(&ear->heard), expected);
    yl_buf_clear(&ear->heard);
    yl_mutex_unlock(&ear->lock);
}

static inline struct yl_handler_registration *
ear_add(struct ear *ear, struct rig *rig, bool inline_, yl_msec resync)
{
    struct yl_handler_registration *h = NULL;
    struct yl_handler_opts opts = {
        .name = "ear", .inline_ = inline_, .resync = resync,
    };

    assert_int_equal(yl_informer_add_handler(rig->informer, &ear_handler, ear,
                                             &opts, &h, NULL), 0);
    return h;
}

#endif /* tests/informer_unit.h */
