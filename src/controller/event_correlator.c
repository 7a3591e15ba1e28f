/* Event correlator.  See controller/event_correlator.h. */

#include "controller/event_correlator.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/map.h"

#define COMBINED "(combined from similar events): "

/* What a table remembers of a key.  Each table uses one part. */
struct entry {
    struct yl_map_node by_key;  /* In table's 'by_key'. */
    struct yl_list by_use;      /* In table's 'by_use'. */

    /* Similar events: hashes of their messages. */
    yl_msec last;               /* When the last one was seen. */
    size_t *messages;
    int n_messages;

    /* Equal events. */
    int64_t count;
    struct yl_time first;
    char *name;                 /* Of the Event object. */

    /* Events of an object: a bucket of tokens, in milliseconds of refill. */
    yl_msec credit;
    yl_msec refilled;           /* When the credit was computed. */
    bool is_new;
};

struct table {
    struct yl_map by_key;
    struct yl_list by_use;      /* The one that was used last comes last. */
};

struct yl_event_correlator {
    struct yl_event_correlator_opts opts;   /* Defaults filled in. */
    struct table similar, equal, objects;
    struct yl_buf message;      /* Of a combined event. */
};

static size_t hash_event(const struct yl_event *,
                         const struct yl_event_source *, bool reason,
                         bool message);
static bool is_one_of_many(struct yl_event_correlator *, struct entry *,
                           const struct yl_event *, yl_msec now);
static bool is_flood(struct yl_event_correlator *, struct entry *,
                     yl_msec now);
static struct entry *table_use(struct yl_event_correlator *, struct table *,
                               size_t key);
static void table_init(struct table *);
static void table_release(struct table *);
static void entry_free(struct table *, struct entry *);

struct yl_event_correlator *
yl_event_correlator_new(const struct yl_event_correlator_opts *opts)
{
    struct yl_event_correlator *c = yl_zalloc(sizeof *c);
    struct yl_event_correlator_opts *o = &c->opts;

    *o = *opts;
    o->max_similar = o->max_similar > 0 ? o->max_similar : 10;
    o->similar_within = o->similar_within > 0 ? o->similar_within : 600000;
    o->burst = o->burst > 0 ? o->burst : 25;
    o->refill = o->refill > 0 ? o->refill : 300000;
    o->max_entries = o->max_entries > 0 ? o->max_entries : 4096;
    table_init(&c->similar);
    table_init(&c->equal);
    table_init(&c->objects);
    yl_buf_init(&c->message, SIZE_MAX);
    return c;
}

void
yl_event_correlator_free(struct yl_event_correlator *c)
{
    if (!c) {
        return;
    }
    table_release(&c->similar);
    table_release(&c->equal);
    table_release(&c->objects);
    yl_buf_release(&c->message);
    free(c);
}

enum yl_event_verdict
yl_event_correlate(struct yl_event_correlator *c, const struct yl_event *event,
                   const struct yl_event_source *source, yl_msec now,
                   struct yl_event_series *ret_series)
{
    size_t group = hash_event(event, source, true, false);
    size_t key = hash_event(event, source, true, true);
    struct yl_str message = event->message;
    char name[YL_EVENT_NAME_SIZE];
    struct entry *entry;
    bool known;

    if (is_one_of_many(c, table_use(c, &c->similar, group), event, now)) {
        key = group;
        yl_buf_clear(&c->message);
        yl_buf_append_c(&c->message, COMBINED);
        yl_buf_append_str(&c->message, message);
        message = yl_buf_str(&c->message);
    }

    /* The count grows even if nothing is said of it, and shows the next time
     * that something is. */
    entry = table_use(c, &c->equal, key);
    known = entry->count > 0;
    if (!known) {
        yl_event_name(event, name);
        entry->name = yl_strdup(yl_str_c(name));
        entry->first = event->time;
    }
    entry->count++;
    if (is_flood(c, table_use(c, &c->objects,
                              hash_event(event, source, false, false)),
                 now)) {
        return YL_EVENT_SKIP;
    }
    *ret_series = (struct yl_event_series) {
        entry->name, entry->count, entry->first, message,
    };
    return known ? YL_EVENT_PATCH : YL_EVENT_CREATE;
}

static void
add_part(struct yl_buf *buf, struct yl_str part)
{
    yl_buf_append_str(buf, part);
    yl_buf_append_char(buf, '\0');
}

/* Of what makes an event equal to another (all), similar (without 'message'),
 * or about the same object (without 'reason', too). */
static size_t
hash_event(const struct yl_event *event, const struct yl_event_source *source,
           bool reason, bool message)
{
    const struct yl_event_subject *s = &event->subject;
    struct yl_buf buf;
    size_t hash;

    yl_buf_init(&buf, SIZE_MAX);
    add_part(&buf, source->component);
    add_part(&buf, source->host);
    add_part(&buf, s->kind);
    add_part(&buf, s->key.namespace_);
    add_part(&buf, s->key.name);
    add_part(&buf, s->uid);
    add_part(&buf, s->api_version);
    add_part(&buf, event->type);
    if (reason) {
        add_part(&buf, event->reason);
    }
    if (message) {
        add_part(&buf, s->field_path);
        add_part(&buf, event->message);
    }
    hash = yl_hash_str(yl_buf_str(&buf));
    yl_buf_release(&buf);
    return hash;
}

/* Have so many similar events, with other messages, come in a while that this
 * one is to be combined with them? */
static bool
is_one_of_many(struct yl_event_correlator *c, struct entry *entry,
               const struct yl_event *event, yl_msec now)
{
    size_t message = yl_hash_str(event->message);
    int i;

    if (!entry->messages) {
        entry->messages = yl_malloc_array((size_t) c->opts.max_similar,
                                          sizeof *entry->messages);
    } else if (now - entry->last > c->opts.similar_within) {
        entry->n_messages = 0;
    }
    entry->last = now;
    for (i = 0; i < entry->n_messages && entry->messages[i] != message; i++) {
        continue;
    }
    if (i == entry->n_messages) {
        entry->messages[entry->n_messages++] = message;
    }
    if (entry->n_messages < c->opts.max_similar) {
        return false;
    }

    /* Forget one, so that there is room for the next. */
    entry->n_messages--;
    memmove(entry->messages, entry->messages + 1,
            (size_t) entry->n_messages * sizeof *entry->messages);
    return true;
}

/* Has the object used up its tokens? */
static bool
is_flood(struct yl_event_correlator *c, struct entry *entry, yl_msec now)
{
    yl_msec full = c->opts.burst * c->opts.refill;

    if (entry->is_new) {
        entry->is_new = false;
        entry->credit = full;
    } else {
        entry->credit += now - entry->refilled;
        entry->credit = entry->credit > full ? full : entry->credit;
    }
    entry->refilled = now;
    if (entry->credit < c->opts.refill) {
        return true;
    }
    entry->credit -= c->opts.refill;
    return false;
}

/* The entry of 'key', a new one if there is none; the one that was used
 * longest ago makes room for it. */
static struct entry *
table_use(struct yl_event_correlator *c, struct table *table, size_t key)
{
    struct entry *entry;

    YL_MAP_FOR_EACH_WITH_HASH (entry, by_key, key, &table->by_key) {
        yl_list_remove(&entry->by_use);
        yl_list_push_back(&table->by_use, &entry->by_use);
        return entry;
    }
    if (yl_map_count(&table->by_key) >= c->opts.max_entries) {
        entry_free(table, YL_CONTAINER_OF(yl_list_front(&table->by_use),
                                          struct entry, by_use));
    }
    entry = yl_zalloc(sizeof *entry);
    entry->is_new = true;
    yl_map_insert(&table->by_key, &entry->by_key, key);
    yl_list_push_back(&table->by_use, &entry->by_use);
    return entry;
}

static void
table_init(struct table *table)
{
    yl_map_init(&table->by_key);
    yl_list_init(&table->by_use);
}

static void
table_release(struct table *table)
{
    struct entry *entry;

    YL_LIST_FOR_EACH_SAFE (entry, by_use, &table->by_use) {
        entry_free(table, entry);
    }
    yl_map_release(&table->by_key);
}

static void
entry_free(struct table *table, struct entry *entry)
{
    yl_map_remove(&table->by_key, &entry->by_key);
    yl_list_remove(&entry->by_use);
    free(entry->messages);
    free(entry->name);
    free(entry);
}
