/* History.  See apiserver/keyspace/history.h for the contract.
 *
 * A bucket spans a 32nd of the age, or holds a 32nd of the bytes, so there are
 * about 64 at most, and history is some percent longer than asked for. */

#include "apiserver/keyspace/history.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "yuloh/error.h"

#define N_BUCKETS 32

/* How often to check whether a pin is gone. */
#define PIN_PERIOD 1000

struct yl_ks_bucket {
    struct yl_list node;        /* In yl_ks_history's 'buckets'. */
    yl_msec since;              /* When its first revision was noted, */
    yl_msec until;              /* and the last. */
    uint64_t revision;          /* The last revision. */
    size_t bytes;
};

static struct yl_ks_bucket *front_bucket(const struct yl_ks_history *);
static uint64_t oldest_pin(struct yl_ks_history *history, yl_msec now)
    YL_REQUIRES(history->lock);

void
yl_ks_history_init(struct yl_ks_history *history, yl_msec age,
                   size_t max_bytes)
{
    history->age = age;
    history->max_bytes = max_bytes;
    yl_mutex_init(&history->lock);
    yl_list_init(&history->pins);
    atomic_init(&history->compacted, 0);
    yl_list_init(&history->buckets);
    history->bytes = 0;
}

void
yl_ks_history_release(struct yl_ks_history *history)
{
    struct yl_ks_bucket *bucket;

    YL_LIST_FOR_EACH_SAFE (bucket, node, &history->buckets) {
        free(bucket);
    }
    yl_mutex_destroy(&history->lock);
}

void
yl_ks_history_start(struct yl_ks_history *history, uint64_t compacted)
{
    atomic_store_explicit(&history->compacted, compacted,
                          memory_order_release);
}

int
yl_ks_history_pin(struct yl_ks_history *history, struct yl_ks_pin *pin,
                  uint64_t revision, const _Atomic uint64_t *newest,
                  yl_msec deadline)
{
    int r = 0;

    yl_mutex_lock(&history->lock);
    if (revision == 0) {
        revision = atomic_load_explicit(newest, memory_order_acquire);
    }
    if (revision < yl_ks_history_compacted(history)) {
        r = YL_EEXPIRED;
    } else {
        pin->revision = revision;
        pin->deadline = deadline;
        yl_list_push_back(&history->pins, &pin->node);
    }
    yl_mutex_unlock(&history->lock);
    return r;
}

void
yl_ks_history_unpin(struct yl_ks_history *history, struct yl_ks_pin *pin)
{
    yl_mutex_lock(&history->lock);
    yl_list_remove(&pin->node);
    yl_mutex_unlock(&history->lock);
}

void
yl_ks_history_note(struct yl_ks_history *history, yl_msec now,
                   uint64_t revision, size_t bytes)
{
    struct yl_list *back = yl_list_back(&history->buckets);
    struct yl_ks_bucket *bucket
        = back ? YL_CONTAINER_OF(back, struct yl_ks_bucket, node) : NULL;

    if (!bucket || now - bucket->since > history->age / N_BUCKETS
        || bucket->bytes > history->max_bytes / N_BUCKETS) {
        bucket = yl_zalloc(sizeof *bucket);
        bucket->since = now;
        yl_list_push_back(&history->buckets, &bucket->node);
    }
    bucket->until = now;
    bucket->revision = revision;
    bucket->bytes += bytes;
    history->bytes += bytes;
}

uint64_t
yl_ks_history_advance(struct yl_ks_history *history, yl_msec now,
                      yl_msec *ret_when)
{
    struct yl_ks_bucket *bucket = front_bucket(history);
    uint64_t compacted, pinned;

    *ret_when = YL_NEVER;
    if (bucket && now - bucket->until < history->age
        && history->bytes <= history->max_bytes) {
        *ret_when = bucket->until + history->age;
        return yl_ks_history_compacted(history);
    }
    yl_mutex_lock(&history->lock);
    compacted = yl_ks_history_compacted(history);
    pinned = oldest_pin(history, now);
    for (; bucket; bucket = front_bucket(history)) {
        if (now - bucket->until < history->age
            && history->bytes <= history->max_bytes) {
            *ret_when = bucket->until + history->age;
            break;
        }
        if (bucket->revision > pinned) {
            *ret_when = now + PIN_PERIOD;
            compacted = pinned > compacted ? pinned : compacted;
            break;
        }
        compacted = bucket->revision > compacted ? bucket->revision
                                                 : compacted;
        history->bytes -= bucket->bytes;
        yl_list_remove(&bucket->node);
        free(bucket);
    }
    atomic_store_explicit(&history->compacted, compacted,
                          memory_order_release);
    yl_mutex_unlock(&history->lock);
    return compacted;
}

static struct yl_ks_bucket *
front_bucket(const struct yl_ks_history *history)
{
    struct yl_list *node = yl_list_front(&history->buckets);

    return node ? YL_CONTAINER_OF(node, struct yl_ks_bucket, node) : NULL;
}

/* The oldest revision that is still pinned. */
static uint64_t
oldest_pin(struct yl_ks_history *history, yl_msec now)
{
    uint64_t oldest = UINT64_MAX;
    struct yl_ks_pin *pin;

    YL_LIST_FOR_EACH (pin, node, &history->pins) {
        if (pin->deadline > now && pin->revision < oldest) {
            oldest = pin->revision;
        }
    }
    return oldest;
}
