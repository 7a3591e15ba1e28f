/* Documents that are rendered once.  See documents.h. */

#include "apiserver/discovery/documents.h"

#include <openssl/sha.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/ref.h"
#include "base/thread.h"

struct entry {
    struct yl_document document;
    struct yl_ref ref;          /* One is the map's, while it is in it. */
    struct yl_map_node node;    /* In yl_documents' 'entries'. */
    char *name;
    uint64_t stamp;
    yl_msec used;               /* Under the lock of yl_documents. */
};

struct yl_documents {
    struct yl_clock *clock;
    struct yl_mutex lock;       /* Taken last. */
    struct yl_map entries YL_GUARDED;   /* By name, one for each. */
};

static struct entry *find(struct yl_documents *documents, struct yl_str name)
    YL_REQUIRES(documents->lock);
static struct entry *render_entry(struct yl_str name, uint64_t stamp,
                                  yl_document_render_fn *, void *aux);
static struct entry *keep(struct yl_documents *, struct entry *);
static void set_etag(struct yl_document *);
static struct entry *entry_of(const struct yl_document *);

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
        yl_map_remove(&documents->entries, &entry->node);
        yl_document_unref(&entry->document);
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
    yl_msec now = yl_now(documents->clock);
    struct entry *entry;

    yl_mutex_lock(&documents->lock);
    entry = find(documents, name);
    if (entry && entry->stamp == stamp) {
        yl_ref_get(&entry->ref);
        entry->used = now;
    } else {
        entry = NULL;
    }
    yl_mutex_unlock(&documents->lock);

    yl_documents_sweep(documents);
    if (!entry) {
        entry = render_entry(name, stamp, render, aux);
        if (!entry) {
            return NULL;
        }
        entry->used = now;
        entry = keep(documents, entry);
    }
    return &entry->document;
}

void
yl_document_unref(const struct yl_document *document)
{
    if (document && yl_ref_put(&entry_of(document)->ref)) {
        struct entry *entry = entry_of(document);

        free((char *) (uintptr_t) entry->document.body.data);
        free(entry->name);
        free(entry);
    }
}

void
yl_documents_sweep(struct yl_documents *documents)
{
    yl_msec now = yl_now(documents->clock);
    struct entry *entry;

    yl_mutex_lock(&documents->lock);
    YL_MAP_FOR_EACH_SAFE (entry, node, &documents->entries) {
        if (now - entry->used >= YL_DOCUMENT_IDLE) {
            yl_map_remove(&documents->entries, &entry->node);
            yl_document_unref(&entry->document);
        }
    }
    yl_mutex_unlock(&documents->lock);
}

size_t
yl_documents_count(struct yl_documents *documents, size_t *ret_bytes)
{
    struct entry *entry;
    size_t n;

    yl_mutex_lock(&documents->lock);
    n = yl_map_count(&documents->entries);
    *ret_bytes = 0;
    YL_MAP_FOR_EACH (entry, node, &documents->entries) {
        *ret_bytes += entry->document.body.size;
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

static struct entry *
render_entry(struct yl_str name, uint64_t stamp,
             yl_document_render_fn *render, void *aux)
{
    struct entry *entry;
    struct yl_buf body;
    size_t size;

    yl_buf_init(&body, YL_DOCUMENT_MAX_SIZE);
    if (!render(&body, aux) || yl_buf_error(&body)) {
        yl_buf_release(&body);
        return NULL;
    }
    entry = yl_zalloc(sizeof *entry);
    yl_ref_init(&entry->ref);
    entry->name = yl_strdup(name);
    entry->stamp = stamp;
    size = body.size;

    /* A buffer has up to twice the room that it needs. */
    entry->document.body = yl_str_n(yl_realloc(yl_buf_detach(&body),
                                               size + 1), size);
    set_etag(&entry->document);
    return entry;
}

/* Puts a new document in the place of an older one, unless somebody was
 * faster: returns the one that is there, with a reference for the caller. */
static struct entry *
keep(struct yl_documents *documents, struct entry *entry)
{
    struct entry *old;

    yl_mutex_lock(&documents->lock);
    old = find(documents, yl_str_c(entry->name));
    if (old && old->stamp == entry->stamp) {
        yl_ref_get(&old->ref);
    } else {
        if (old) {
            yl_map_remove(&documents->entries, &old->node);
        }
        yl_ref_get(&entry->ref);
        yl_map_insert(&documents->entries, &entry->node,
                      yl_hash_str(yl_str_c(entry->name)));
    }
    yl_mutex_unlock(&documents->lock);

    if (old && old->stamp == entry->stamp) {
        yl_document_unref(&entry->document);
        return old;
    }
    yl_document_unref(old ? &old->document : NULL);
    return entry;
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

/* Users see documents as constant; their count is not part of what is. */
static struct entry *
entry_of(const struct yl_document *document)
{
    return YL_CONTAINER_OF((struct yl_document *) (uintptr_t) document,
                           struct entry, document);
}
