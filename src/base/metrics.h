#ifndef BASE_METRICS_H
#define BASE_METRICS_H 1

/* Metrics internals: what the registry (metrics.c) and the renderer
 * (metrics_render.c) both see.  See yuloh/metrics.h for the contract.
 *
 *     registry -> metric (family) -> series -> cells
 *
 * Nothing is ever removed from a registry, so a metric or a series can be read
 * through its pointer without a lock; the locks only guard the lists and the
 * map that lead to them. */

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "base/map.h"
#include "base/thread.h"
#include "yuloh/metrics.h"

struct yl_metrics {
    struct yl_mutex lock;       /* Outer: before a metric's lock. */
    struct yl_list metrics YL_GUARDED;

    /* Held while sources are called, so what they lock comes after it. */
    struct yl_mutex sources_lock;
    struct yl_list sources YL_GUARDED;  /* Of struct yl_metrics_source. */
};

/* Somebody who knows the value of a gauge only when asked for it.  'update' is
 * called before each rendering, with no lock of a metric held.  The source is
 * lent to the registry until it is removed; after that 'update' is not running
 * and will not be called again.  Adding and removing do nothing if 'metrics'
 * is NULL. */
struct yl_metrics_source {
    struct yl_list node;        /* In yl_metrics's 'sources'. */
    void (*update)(struct yl_metrics_source *);
};

void yl_metrics_add_source(struct yl_metrics *, struct yl_metrics_source *);
void yl_metrics_remove_source(struct yl_metrics *, struct yl_metrics_source *);
void yl_metrics_update_sources(struct yl_metrics *);

/* One family.  All but the series is constant. */
struct yl_metric {
    struct yl_list node;        /* In yl_metrics's 'metrics'. */
    enum yl_metric_type type;
    char *name;
    char *help;
    char **labels;
    size_t n_labels;
    double *buckets;
    size_t n_buckets;
    size_t max_series;

    struct yl_mutex lock;       /* Inner: nothing is taken under it. */
    struct yl_map series YL_GUARDED;    /* By 'key'. */
};

/* One set of label values.  The public handles are series of a type. */
struct yl_series {
    struct yl_map_node by_key;  /* In yl_metric's 'series'. */
    struct yl_metric *metric;
    char *key;                  /* Values, each with a NUL behind it. */
    size_t key_size;

    /* A counter's value; a gauge's value or a histogram's sum, as the bits of
     * a double. */
    _Atomic uint64_t value;

    /* For a histogram: observations by bucket, not summed up; the one behind
     * the last bound is +Inf. */
    _Atomic uint64_t counts[];
};

/* Snapshots, each a malloc'ed array of pointers in the order of output. */
struct yl_metric **yl_metrics_snapshot(struct yl_metrics *, size_t *ret_n);
struct yl_series **yl_metric_snapshot(struct yl_metric *, size_t *ret_n);

static inline double
yl_bits_to_double(uint64_t bits)
{
    union {
        uint64_t bits;
        double value;
    } u = { .bits = bits };

    return u.value;
}

static inline uint64_t
yl_double_to_bits(double value)
{
    union {
        double value;
        uint64_t bits;
    } u = { .value = value };

    return u.bits;
}

#endif /* base/metrics.h */
