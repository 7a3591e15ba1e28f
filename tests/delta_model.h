#ifndef TESTS_DELTA_MODEL_H
#define TESTS_DELTA_MODEL_H 1

/* The simplest consumer of a delta queue, for tests: an array of objects, and
 * a text of what happened.
 *
 *     struct model model;
 *     model_init(&model, NULL);
 *     ... put something into model.queue ...
 *     model_drain(&model);
 *     assert_string_equal(model_log(&model), "ADDED a@1;");
 *
 * Every delta is checked against the state: an ADDED object must not be there,
 * a DELETED one must be. */

#include <inttypes.h>

#include "unit.h"

#include "base/buf.h"
#include "yuloh/delta.h"

struct model {
    struct yl_delta_queue *queue;
    struct yl_versioned objects[512];
    size_t n_objects;
    uint64_t revision;          /* Of the last batch. */
    struct yl_buf log;
    size_t n_batches, n_replacements;
    bool lenient;               /* Do not check ADDED and UPDATED. */
};

static inline size_t
model_find(const struct model *model, const struct yl_key *key)
{
    size_t i;

    for (i = 0; i < model->n_objects; i++) {
        struct yl_key other = yl_object_key(model->objects[i].object);

        if (yl_key_equal(&other, key)) {
            break;
        }
    }
    return i;
}

static inline bool
model_known_find(void *aux, const struct yl_key *key,
                 struct yl_versioned *ret)
{
    struct model *model = aux;
    size_t i = model_find(model, key);

    if (i == model->n_objects) {
        return false;
    }
    *ret = model->objects[i];
    return true;
}

static inline void
model_known_each(void *aux, void (*fn)(void *, struct yl_versioned),
                 void *fn_aux)
{
    struct model *model = aux;
    size_t i;

    for (i = 0; i < model->n_objects; i++) {
        fn(fn_aux, model->objects[i]);
    }
}

static inline void
model_init(struct model *model, const struct yl_delta_queue_opts *opts)
{
    static const struct yl_delta_known known = {
        model_known_find, model_known_each,
    };
    struct yl_delta_queue_opts o = opts ? *opts
                                        : (struct yl_delta_queue_opts) { 0 };

    memset(model, 0, sizeof *model);
    yl_buf_init(&model->log, SIZE_MAX);
    o.known = &known;
    o.known_aux = model;
    model->queue = yl_delta_queue_new(&o);
}

static inline void
model_release(struct model *model)
{
    yl_delta_queue_free(model->queue);
    while (model->n_objects > 0) {
        yl_object_unref(model->objects[--model->n_objects].object);
    }
    yl_buf_release(&model->log);
}

static inline void
model_apply_delta(struct model *model, const struct yl_delta *delta)
{
    struct yl_key key = yl_object_key(delta->object.object);
    size_t i = model_find(model, &key);
    bool found = i < model->n_objects;

    yl_buf_printf(&model->log, "%s%s%s %.*s@%" PRIu64 ";",
                  delta->initial ? "initial " : "",
                  delta->tombstone ? "missed " : "",
                  yl_delta_type_name(delta->type), YL_STR_ARG(key.name),
                  delta->object.revision);
    switch (delta->type) {
    case YL_DELTA_DELETED:
        assert_true(found);
        yl_object_unref(model->objects[i].object);
        model->objects[i] = model->objects[--model->n_objects];
        return;

    case YL_DELTA_SYNC:
        assert_true(found);
        return;

    case YL_DELTA_ADDED:
        assert_true(!found || model->lenient);
        break;

    case YL_DELTA_UPDATED:
        assert_true(found || model->lenient);
        break;

    case YL_DELTA_REPLACED:
        break;
    }
    if (found) {
        yl_object_unref(model->objects[i].object);
    } else {
        assert_true(model->n_objects < YL_ARRAY_SIZE(model->objects));
        model->n_objects++;
    }
    model->objects[i] = delta->object;
    yl_object_ref(delta->object.object);
}

static inline void
model_apply(void *aux, const struct yl_delta_batch *batch)
{
    struct model *model = aux;
    size_t i;

    for (i = 0; i < batch->n_deltas; i++) {
        model_apply_delta(model, &batch->deltas[i]);
    }
    model->revision = batch->revision;
    model->n_batches++;
    model->n_replacements += batch->replaces;
}

static inline void
model_drain(struct model *model)
{
    yl_delta_queue_drain(model->queue, model_apply, model);
}

/* What happened since the last call, lent until the next one. */
static inline const char *
model_log(struct model *model)
{
    static char text[16384];

    snprintf(text, sizeof text, "%s", yl_buf_c_str(&model->log));
    yl_buf_clear(&model->log);
    return text;
}

#define assert_log(MODEL, TEXT)                                               \
    do {                                                                      \
        model_drain(MODEL);                                                   \
        assert_string_equal(model_log(MODEL), TEXT);                          \
    } while (0)

/* An object {name, uid, revision}; 'uid' may be "". */
static inline struct yl_versioned
thing(const char *name, const char *uid, uint64_t revision)
{
    struct yl_versioned versioned = { NULL, revision };
    char json[256];

    snprintf(json, sizeof json, "{\"metadata\":{\"name\":\"%s\","
             "\"namespace\":\"d\",\"uid\":\"%s\",\"labels\":{\"v\":\"%" PRIu64
             "\"}}}", name, uid, revision);
    assert_int_equal(yl_object_ingest(yl_str_c(json), NULL, &versioned.object,
                                      NULL), 0);
    return versioned;
}

#endif /* tests/delta_model.h */
