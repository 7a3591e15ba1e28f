/* Event log.  See apiserver/keyspace/event_log.h for the contract.
 *
 * Links are distances, not numbers: 31 bits are enough for each, for a log
 * never holds 2^31 entries (history is bounded by bytes).  A link to an entry
 * that was dropped is recognised by a comparison with 'first'. */

#include "apiserver/keyspace/event_log.h"

#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "yuloh/error.h"

#define CHUNK 256               /* Entries; 8 KB. */

struct entry {
    struct yl_ks_version *version;
    struct yl_ks_log_scope *scope;  /* The namespace; NULL if there is none. */
    uint32_t next_in_namespace;     /* Distance; 0: there is none. */
    uint32_t prev_in_namespace;
    uint32_t next_of_key;
    uint32_t prev_of_key : 31;
    uint32_t is_change : 1;     /* Neither an addition nor a deletion. */
};

struct yl_ks_log_chunk {
    struct entry entries[CHUNK];
};

struct yl_ks_log_scope {
    struct yl_map_node by_text; /* In yl_ks_log's 'scopes'. */
    bool is_key;
    uint64_t last;              /* The newest entry; 0: none since the scope
                                 * exists. */

    /* The oldest entry.  It is correct once entries of the scope were dropped,
     * and not needed before. */
    uint64_t first;
    uint64_t dropped;           /* The newest that was dropped; or 0. */
    uint64_t n_entries;         /* Of a namespace: its entries in the log. */
    uint64_t n_positions;
    size_t size;
    char text[];                /* "namespace/", or a key's text. */
};

static struct entry *entry_at(const struct yl_ks_log *, uint64_t seq);
static void grow(struct yl_ks_log *);
static struct yl_str namespace_of(struct yl_str key);
static struct yl_ks_log_scope *scope_find(const struct yl_ks_log *,
                                          struct yl_str text);
static struct yl_ks_log_scope *scope_add(struct yl_ks_log *, struct yl_str,
                                         bool is_key);
static struct yl_ks_log_scope *scope_open(struct yl_ks_log *,
                                          const struct yl_key *,
                                          const struct yl_ks_version *newest);
static void scope_drop(struct yl_ks_log_scope *, uint64_t seq, uint32_t next);
static void scope_free_if_unused(struct yl_ks_log *, struct yl_ks_log_scope *);
static void scope_free(struct yl_ks_log *, struct yl_ks_log_scope *);

void
yl_ks_log_init(struct yl_ks_log *log, bool namespaced)
{
    *log = (struct yl_ks_log) { .first = 1, .end = 1,
                                .namespaced = namespaced };
}

void
yl_ks_log_release(struct yl_ks_log *log)
{
    struct yl_ks_log_scope *scope;
    size_t i;

    YL_MAP_FOR_EACH_SAFE (scope, by_text, &log->scopes) {
        scope_free(log, scope);
    }
    yl_map_release(&log->scopes);
    for (i = 0; i < log->n_chunks; i++) {
        free(log->chunks[i]);
    }
    free(log->chunks);
    yl_ks_log_init(log, log->namespaced);
}

void
yl_ks_log_append(struct yl_ks_log *log, struct yl_str key,
                 struct yl_ks_version *version)
{
    const struct yl_ks_version *older = version->older;
    struct yl_ks_log_scope *scope;
    uint64_t seq = log->end;
    struct entry *entry;

    grow(log);
    entry = entry_at(log, seq);
    *entry = (struct entry) {
        .version = version,
        .is_change = version->object && yl_ks_version_is_change(version),
    };
    version->seq = seq;
    if (log->namespaced) {
        struct yl_str text = namespace_of(key);

        scope = scope_find(log, text);
        scope = scope ? scope : scope_add(log, text, false);
        entry->scope = scope;
        if (scope->last >= log->first) {
            entry->prev_in_namespace = (uint32_t) (seq - scope->last);
            entry_at(log, scope->last)->next_in_namespace
                = entry->prev_in_namespace;
        }
        scope->last = seq;
        scope->first = scope->first ? scope->first : seq;
        scope->n_entries++;
    }
    if (older && older->seq >= log->first) {
        uint32_t distance = (uint32_t) (seq - older->seq);

        entry->prev_of_key = distance & INT32_MAX;
        entry_at(log, older->seq)->next_of_key = distance;
    }
    if (log->n_key_scopes && (scope = scope_find(log, key)) != NULL) {
        scope->last = seq;
        scope->first = scope->first ? scope->first : seq;
    }
    log->end++;
}

struct yl_ks_version *
yl_ks_log_front(const struct yl_ks_log *log)
{
    return log->first < log->end ? entry_at(log, log->first)->version : NULL;
}

void
yl_ks_log_drop(struct yl_ks_log *log, struct yl_str key)
{
    uint64_t seq = log->first;
    struct entry *entry = entry_at(log, seq);
    struct yl_ks_log_scope *scope = entry->scope;
    struct yl_ks_log_chunk **chunk;

    assert(seq < log->end);
    if (scope) {
        scope_drop(scope, seq, entry->next_in_namespace);
        scope->n_entries--;
        scope_free_if_unused(log, scope);
    }
    if (log->n_key_scopes && (scope = scope_find(log, key)) != NULL) {
        scope_drop(scope, seq, entry->next_of_key);
    }
    log->first++;
    chunk = &log->chunks[seq / CHUNK & (log->n_chunks - 1)];
    if (log->first % CHUNK == 0) {
        free(*chunk);
        *chunk = NULL;
    }
}

struct yl_ks_version *
yl_ks_log_get(const struct yl_ks_log *log, uint64_t seq)
{
    assert(seq >= log->first && seq < log->end);
    return entry_at(log, seq)->version;
}

uint64_t
yl_ks_log_skip_changes(const struct yl_ks_log *log, uint64_t seq,
                       uint64_t end)
{
    while (seq < end && entry_at(log, seq)->is_change) {
        seq++;
    }
    return seq;
}

uint64_t
yl_ks_log_find(const struct yl_ks_log *log, uint64_t revision)
{
    uint64_t low = log->first, high = log->end;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (entry_at(log, middle)->version->revision <= revision) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void
yl_ks_log_open(struct yl_ks_log *log, const struct yl_key *scope,
               const struct yl_ks_version *newest, uint64_t revision,
               struct yl_ks_log_position *p)
{
    uint64_t seq;

    *p = (struct yl_ks_log_position) { .head = log->end };
    if (scope->namespace_.size == 0 && scope->name.size == 0) {
        p->at = yl_ks_log_find(log, revision);
        return;
    }
    p->scope = scope_open(log, scope, newest);
    seq = p->scope->last;
    while (seq >= log->first) {
        const struct entry *entry = entry_at(log, seq);
        uint32_t back = p->scope->is_key ? entry->prev_of_key
                                         : entry->prev_in_namespace;

        if (entry->version->revision <= revision) {
            p->last = seq;
            break;
        }
        p->at = seq;
        if (back == 0) {
            break;
        }
        seq -= back;
    }
}

void
yl_ks_log_close(struct yl_ks_log *log, struct yl_ks_log_position *p)
{
    if (p->scope) {
        p->scope->n_positions--;
        scope_free_if_unused(log, p->scope);
        p->scope = NULL;
    }
}

int
yl_ks_log_peek(const struct yl_ks_log *log, struct yl_ks_log_position *p,
               struct yl_ks_version **ret_version)
{
    const struct yl_ks_log_scope *scope = p->scope;

    if (!scope && p->at == log->end) {
        return 0;
    }
    if (p->at == 0) {
        if (scope->last < p->head) {
            return 0;
        }
        if (scope->dropped >= p->head) {
            return YL_EEXPIRED;
        }
        if (p->last >= log->first) {
            const struct entry *entry = entry_at(log, p->last);

            p->at = p->last + (scope->is_key ? entry->next_of_key
                                             : entry->next_in_namespace);
        } else {
            p->at = scope->first;
        }
    }
    if (p->at < log->first) {
        return YL_EEXPIRED;
    }
    *ret_version = entry_at(log, p->at)->version;
    return 1;
}

void
yl_ks_log_step(const struct yl_ks_log *log, struct yl_ks_log_position *p)
{
    const struct entry *entry = entry_at(log, p->at);
    uint32_t next;

    p->last = p->at;
    if (!p->scope) {
        p->at++;
        return;
    }
    next = p->scope->is_key ? entry->next_of_key : entry->next_in_namespace;
    p->at = next ? p->at + next : 0;
    p->head = log->end;
}

static struct entry *
entry_at(const struct yl_ks_log *log, uint64_t seq)
{
    return &log->chunks[seq / CHUNK & (log->n_chunks - 1)]
                ->entries[seq % CHUNK];
}

/* Makes room for one more entry at the end. */
static void
grow(struct yl_ks_log *log)
{
    uint64_t first = log->first / CHUNK, last = log->end / CHUNK, i;
    struct yl_ks_log_chunk **slot;

    if (last - first >= log->n_chunks) {
        size_t n = log->n_chunks ? log->n_chunks * 2 : 2;
        struct yl_ks_log_chunk **chunks
            = yl_zalloc(n * sizeof *chunks);

        for (i = first; log->n_chunks && i < last; i++) {
            chunks[i & (n - 1)] = log->chunks[i & (log->n_chunks - 1)];
        }
        free(log->chunks);
        log->chunks = chunks;
        log->n_chunks = n;
    }
    slot = &log->chunks[last & (log->n_chunks - 1)];
    if (!*slot) {
        *slot = yl_malloc(sizeof **slot);
    }
}

/* "namespace/" of "namespace/name". */
static struct yl_str
namespace_of(struct yl_str key)
{
    const char *slash = yl_str_find_char(key, '/');

    return slash ? yl_str_range(key.data, slash + 1) : yl_str_n(key.data, 0);
}

static struct yl_ks_log_scope *
scope_find(const struct yl_ks_log *log, struct yl_str text)
{
    struct yl_ks_log_scope *scope;

    YL_MAP_FOR_EACH_WITH_HASH (scope, by_text, yl_hash_str(text),
                               &log->scopes) {
        if (yl_str_equal(yl_str_n(scope->text, scope->size), text)) {
            return scope;
        }
    }
    return NULL;
}

static struct yl_ks_log_scope *
scope_add(struct yl_ks_log *log, struct yl_str text, bool is_key)
{
    struct yl_ks_log_scope *scope = yl_zalloc(sizeof *scope + text.size);

    scope->is_key = is_key;
    scope->size = text.size;
    memcpy(scope->text, text.data, text.size);
    yl_map_insert(&log->scopes, &scope->by_text, yl_hash_str(text));
    log->n_key_scopes += is_key;
    return scope;
}

static struct yl_ks_log_scope *
scope_open(struct yl_ks_log *log, const struct yl_key *key,
           const struct yl_ks_version *newest)
{
    size_t size = key->namespace_.size + key->name.size + 1;
    char *text = yl_malloc(size);
    char *p = text;
    struct yl_ks_log_scope *scope;

    if (key->namespace_.size) {
        memcpy(p, key->namespace_.data, key->namespace_.size);
        p += key->namespace_.size;
        *p++ = '/';
    }
    if (key->name.size) {
        memcpy(p, key->name.data, key->name.size);
        p += key->name.size;
    }
    scope = scope_find(log, yl_str_range(text, p));
    if (!scope) {
        scope = scope_add(log, yl_str_range(text, p), key->name.size > 0);
        if (newest && newest->seq >= log->first) {
            /* Its value does not matter until entries of the scope are
             * dropped. */
            scope->last = scope->first = newest->seq;
        }
    }
    free(text);
    scope->n_positions++;
    return scope;
}

/* Notes that entry 'seq' of the scope is dropped; the next one is 'next'
 * entries later. */
static void
scope_drop(struct yl_ks_log_scope *scope, uint64_t seq, uint32_t next)
{
    scope->dropped = seq;
    scope->first = next ? seq + next : 0;
}

static void
scope_free_if_unused(struct yl_ks_log *log, struct yl_ks_log_scope *scope)
{
    if (scope->n_positions == 0 && scope->n_entries == 0) {
        scope_free(log, scope);
    }
}

static void
scope_free(struct yl_ks_log *log, struct yl_ks_log_scope *scope)
{
    yl_map_remove(&log->scopes, &scope->by_text);
    log->n_key_scopes -= scope->is_key;
    free(scope);
}
