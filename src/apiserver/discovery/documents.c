/* Documents that are rendered once.  See documents.h. */

#include "apiserver/discovery/documents.h"

#include <openssl/sha.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/ref.h"
#include "base/thread.h"

/* A document with its count. */
struct counted {
    struct yl_document document;
    struct yl_ref ref;
};

/* Everything kept under one name. */
struct entry {
    struct yl_map_node node;    /* In yl_documents' 'entries'. */
    char *name;
    uint64_t stamp;
    yl_msec used;
    char etag[YL_ETAG_SIZE];
    struct counted *counted;    /* NULL if the document was dropped. */
};

struct yl_documents {
    struct yl_clock *clock;
    struct yl_mutex lock;       /* No other lock is taken under it. */
    struct yl_map entries YL_GUARDED;   /* By name, one for each. */
};

static struct entry *find(struct yl_documents *documents, struct yl_str name)
    YL_REQUIRES(documents->lock);
static struct counted *render_new(yl_document_render_fn *, void *aux);
static struct counted *take(struct yl_documents *, struct yl_str name,
                            uint64_t stamp);
static void keep(struct yl_documents *, struct yl_str name, uint64_t stamp,
                 struct counted *, bool body);
static void forget(struct yl_documents *documents, struct entry *)
    YL_REQUIRES(documents->lock);
static void set_etag(struct yl_document *);
static struct counted *counted_of(const struct yl_document *);

struct yl_documents *
yl_documents_new(struct yl_clock *clock)
{
    struct yl_documents *documents = yl_zalloc(sizeof *documents);

    documents->clock = clock;
    yl_mutex_init(&documents->lock);
    return documents;
}

void
yl_documents_free(struct yl_documents *documents)
{
    struct entry *entry;

    if (!documents) {
        return;
    }
    yl_mutex_lock(&documents->lock);
    YL_MAP_FOR_EACH_SAFE (entry, node, &documents->entries) {
        forget(documents, entry);
    }
    yl_map_release(&documents->entries);
    yl_mutex_unlock(&documents->lock);
    yl_mutex_destroy(&documents->lock);
    free(documents);
}

const struct yl_document *
yl_documents_get(struct yl_documents *documents, struct yl_str name,
                 uint64_t stamp, yl_document_render_fn *render, void *aux)
{
    struct counted *counted = take(documents, name, stamp);

    if (!counted) {
        counted = render_new(render, aux);
        if (!counted) {
            return NULL;
        }
        keep(documents, name, stamp, counted, true);
    }
    return &counted->document;
}

void
yl_document_unref(const struct yl_document *document)
{
    if (document && yl_ref_put(&counted_of(document)->ref)) {
        struct counted *counted = counted_of(document);

        free((char *) (uintptr_t) counted->document.body.data);
        free(counted);
    }
}

bool
yl_documents_etag(struct yl_documents *documents, struct yl_str name,
                  uint64_t stamp, yl_document_render_fn *render, void *aux,
                  char ret_etag[YL_ETAG_SIZE])
{
    struct counted *counted;
    struct entry *entry;
    bool known;

    yl_mutex_lock(&documents->lock);
    entry = find(documents, name);
    known = entry && entry->stamp == stamp;
    if (known) {
        entry->used = yl_now(documents->clock);
        memcpy(ret_etag, entry->etag, YL_ETAG_SIZE);
    }
    yl_mutex_unlock(&documents->lock);
    if (known) {
        return true;
    }
    counted = render_new(render, aux);
    if (!counted) {
        return false;
    }
    memcpy(ret_etag, counted->document.etag, YL_ETAG_SIZE);
    keep(documents, name, stamp, counted, false);
    yl_document_unref(&counted->document);
    return true;
}

void
yl_documents_sweep(struct yl_documents *documents)
{
    yl_msec now = yl_now(documents->clock);
    struct entry *entry;

    yl_mutex_lock(&documents->lock);
    YL_MAP_FOR_EACH_SAFE (entry, node, &documents->entries) {
        if (now - entry->used >= YL_DOCUMENT_FORGET) {
            forget(documents, entry);
        } else if (now - entry->used >= YL_DOCUMENT_IDLE && entry->counted) {
            yl_document_unref(&entry->counted->document);
            entry->counted = NULL;
        }
    }
    yl_mutex_unlock(&documents->lock);
}

size_t
yl_documents_count(struct yl_documents *documents, size_t *ret_bytes)
{
    struct entry *entry;
    size_t n = 0;

    *ret_bytes = 0;
    yl_mutex_lock(&documents->lock);
    YL_MAP_FOR_EACH (entry, node, &documents->entries) {
        if (entry->counted) {
            n++;
            *ret_bytes += entry->counted->document.body.size;
        }
    }
    yl_mutex_unlock(&documents->lock);
    return n;
}

static struct entry *
find(struct yl_documents *documents, struct yl_str name)
    YL_REQUIRES(documents->lock)
{
    struct entry *entry;

    YL_MAP_FOR_EACH_WITH_HASH (entry, node, yl_hash_str(name),
                               &documents->entries) {
        if (yl_str_equal_c(name, entry->name)) {
            break;
        }
    }
    return entry;
}

/* A reference to the current document, or NULL. */
static struct counted *
take(struct yl_documents *documents, struct yl_str name, uint64_t stamp)
{
    struct counted *counted = NULL;
    struct entry *entry;

    yl_mutex_lock(&documents->lock);
    entry = find(documents, name);
    if (entry && entry->stamp == stamp) {
        entry->used = yl_now(documents->clock);
        counted = entry->counted;
        if (counted) {
            yl_ref_get(&counted->ref);
        }
    }
    yl_mutex_unlock(&documents->lock);
    return counted;
}

static struct counted *
render_new(yl_document_render_fn *render, void *aux)
{
    struct counted *counted;
    struct yl_buf body;
    size_t size;

    yl_buf_init(&body, YL_DOCUMENT_MAX_SIZE);
    if (!render(&body, aux) || yl_buf_error(&body)) {
        yl_buf_release(&body);
        return NULL;
    }
    counted = yl_zalloc(sizeof *counted);
    yl_ref_init(&counted->ref);
    size = body.size;

    /* A buffer may be twice as large as its content, so give the rest back. */
    counted->document.body = yl_str_n(yl_realloc(yl_buf_detach(&body),
                                                 size + 1), size);
    set_etag(&counted->document);
    return counted;
}

/* Remembers a document's ETag and, if 'body', the document itself. */
static void
keep(struct yl_documents *documents, struct yl_str name, uint64_t stamp,
     struct counted *counted, bool body)
{
    struct counted *old = NULL;
    struct entry *entry;

    yl_mutex_lock(&documents->lock);
    entry = find(documents, name);
    if (!entry) {
        entry = yl_zalloc(sizeof *entry);
        entry->name = yl_strdup(name);
        yl_map_insert(&documents->entries, &entry->node, yl_hash_str(name));
    }
    if (entry->stamp != stamp || body) {
        old = entry->counted;
        entry->counted = NULL;
    }
    entry->stamp = stamp;
    entry->used = yl_now(documents->clock);
    memcpy(entry->etag, counted->document.etag, YL_ETAG_SIZE);
    if (body) {
        yl_ref_get(&counted->ref);
        entry->counted = counted;
    }
    yl_mutex_unlock(&documents->lock);
    yl_document_unref(old ? &old->document : NULL);
}

static void
forget(struct yl_documents *documents, struct entry *entry)
    YL_REQUIRES(documents->lock)
{
    yl_map_remove(&documents->entries, &entry->node);
    yl_document_unref(entry->counted ? &entry->counted->document : NULL);
    free(entry->name);
    free(entry);
}

static void
set_etag(struct yl_document *document)
{
    static const char digits[] = "0123456789ABCDEF";
    unsigned char hash[SHA512_DIGEST_LENGTH];
    char *out = document->etag;

    SHA512((const unsigned char *) document->body.data, document->body.size,
           hash);
    *out++ = '"';
    for (size_t i = 0; i < sizeof hash; i++) {
        *out++ = digits[hash[i] >> 4];
        *out++ = digits[hash[i] & 15];
    }
    *out++ = '"';
    *out = '\0';
}

/* Users get documents as const; only the reference count behind them
 * changes. */
static struct counted *
counted_of(const struct yl_document *document)
{
    return YL_CONTAINER_OF((struct yl_document *) (uintptr_t) document,
                           struct counted, document);
}
