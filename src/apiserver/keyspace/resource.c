/* A resource: reads the newest version, publishes, drops history.  See
 * apiserver/keyspace/keyspace.h and resource.h for the contract. */

#include "apiserver/keyspace/resource.h"

#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "json/text.h"

/* The memory of an event besides the object that it replaces: its version and
 * its entry in the log. */
#define EVENT_BYTES 64

/* Events dropped under one hold of the lock. */
#define TRIM_STEP 64

static struct yl_key event_key(const struct yl_ks_version *);
static bool is_in_log(struct yl_ks_resource *resource,
                      const struct yl_ks_version *)
    YL_REQUIRES(resource->lock);
static void forget_unreadable(struct yl_ks_resource *resource,
                              struct yl_str text, struct yl_ks_version *)
    YL_REQUIRES(resource->lock);
static struct yl_ks_version *drop_front(struct yl_ks_resource *resource)
    YL_REQUIRES(resource->lock);

struct yl_ks_resource *
yl_ks_resource_new(struct yl_ks_history *history,
                   const _Atomic uint64_t *published, struct yl_clock *clock,
                   struct yl_str prefix, bool namespaced)
    YL_NO_THREAD_SAFETY
{
    struct yl_ks_resource *resource = yl_zalloc(sizeof *resource);

    yl_list_init(&resource->node);
    resource->history = history;
    resource->published = published;
    resource->clock = clock;
    resource->prefix = yl_strdup(prefix);
    resource->prefix_size = prefix.size;
    resource->namespaced = namespaced;
    yl_mutex_init(&resource->lock);
    yl_btree_init(&resource->tree);
    yl_ks_log_init(&resource->log, namespaced);
    atomic_init(&resource->log_end, resource->log.end);
    yl_ks_pool_init(&resource->pool);
    yl_mutex_init(&resource->listen_lock);
    yl_cond_init(&resource->woken);
    yl_list_init(&resource->listeners);
    return resource;
}

struct yl_str
yl_ks_resource_prefix(const struct yl_ks_resource *resource)
{
    return yl_str_n(resource->prefix, resource->prefix_size);
}

void
yl_ks_resource_free(struct yl_ks_resource *resource)
    YL_NO_THREAD_SAFETY
{
    struct yl_ks_head *head;
    struct yl_btree_at at;

    if (!resource) {
        return;
    }
    for (at = yl_btree_seek(&resource->tree, YL_STR("")); at.leaf;
         yl_btree_next(&at)) {
        yl_ks_pool_put(&resource->pool, yl_btree_value(at));
    }
    yl_btree_release(&resource->tree);
    yl_ks_log_release(&resource->log);
    yl_ks_pool_release(&resource->pool);
    head = atomic_load_explicit(&resource->heads, memory_order_relaxed);
    while (head) {
        struct yl_ks_head *older = head->older;

        free(head);
        head = older;
    }
    yl_cond_destroy(&resource->woken);
    yl_mutex_destroy(&resource->listen_lock);
    yl_mutex_destroy(&resource->lock);
    free(resource->prefix);
    free(resource);
}

uint8_t
yl_ks_resource_store_as(struct yl_ks_resource *resource,
                        struct yl_type_meta type)
{
    struct yl_ks_head *last
        = atomic_load_explicit(&resource->heads, memory_order_acquire);
    struct yl_ks_head *head;
    struct yl_buf buf;

    yl_buf_init(&buf, SIZE_MAX);
    yl_buf_append_c(&buf, "{\"apiVersion\":");
    yl_json_write_string(&buf, type.api_version);
    yl_buf_append_c(&buf, ",\"kind\":");
    yl_json_write_string(&buf, type.kind);
    yl_buf_append_c(&buf, ",\"metadata\":{");
    for (head = last; head; head = head->older) {
        if (yl_str_equal(yl_str_n(head->text, head->size),
                         yl_buf_str(&buf))) {
            break;
        }
    }
    if (!head) {
        head = yl_malloc(sizeof *head + buf.size + type.api_version.size);
        head->older = last;
        head->number = !last ? 1
                       : last->number && last->number < UINT8_MAX
                       ? (uint8_t) (last->number + 1) : 0;
        head->size = buf.size;
        memcpy(head->text, buf.data, buf.size);
        memcpy(head->text + buf.size, type.api_version.data,
               type.api_version.size);
        head->api_version = yl_str_n(head->text + buf.size,
                                     type.api_version.size);
        atomic_store_explicit(&resource->heads, head, memory_order_release);
    }
    atomic_store_explicit(&resource->head, head, memory_order_release);
    yl_buf_release(&buf);
    return head->number;
}

uint8_t
yl_ks_resource_number(const struct yl_ks_resource *resource,
                      struct yl_str api_version)
{
    const struct yl_ks_head *head
        = atomic_load_explicit(&resource->heads, memory_order_acquire);

    while (head && !yl_str_equal(head->api_version, api_version)) {
        head = head->older;
    }
    return head ? head->number : 0;
}

const struct yl_ks_head *
yl_ks_resource_head(const struct yl_ks_resource *resource,
                    const struct yl_object *object)
{
    uint8_t number = (uint8_t) yl_object_schema_generation(object);
    const struct yl_ks_head *head
        = atomic_load_explicit(&resource->heads, memory_order_acquire);

    while (head && number && head->number != number) {
        head = head->older;
    }
    return head && number
           ? head
           : atomic_load_explicit(&resource->head, memory_order_acquire);
}

struct yl_str
yl_ks_resource_text(const struct yl_ks_resource *resource,
                    const struct yl_key *key, char *space)
{
    struct yl_str ns = key->namespace_, name = key->name;
    char *p = space;

    if (name.size == 0 || (ns.size > 0) != resource->namespaced
        || ns.size >= YL_KS_MAX_KEY || name.size >= YL_KS_MAX_KEY
        || ns.size + 1 + name.size > YL_KS_MAX_KEY
        || yl_str_find_char(ns, '/') || yl_str_find_char(name, '/')) {
        return yl_str_null();
    }
    if (ns.size) {
        memcpy(p, ns.data, ns.size);
        p += ns.size;
        *p++ = '/';
    }
    memcpy(p, name.data, name.size);
    return yl_str_range(space, p + name.size);
}

int
yl_ks_resource_parse(const struct yl_ks_resource *resource,
                     struct yl_str text, struct yl_key *ret_key)
{
    struct yl_key key = yl_key_make(yl_str_null(), text);

    if (text.size > YL_KS_MAX_KEY
        || (resource->namespaced
            && (!yl_str_cut(text, '/', &key.namespace_, &key.name)
                || key.namespace_.size == 0))
        || key.name.size == 0 || yl_str_find_char(key.name, '/')) {
        return YL_EINVALID;
    }
    *ret_key = key;
    return 0;
}

uint64_t
yl_ks_oldest(struct yl_ks_resource *resource)
{
    return yl_ks_history_compacted(resource->history);
}

int
yl_ks_get(struct yl_ks_resource *resource, struct yl_key key,
          struct yl_object **ret_object, uint64_t *ret_revision)
{
    uint64_t published = atomic_load_explicit(resource->published,
                                              memory_order_acquire);
    char space[YL_KS_MAX_KEY];
    struct yl_str text = yl_ks_resource_text(resource, &key, space);
    const struct yl_ks_version *version;

    if (yl_str_is_null(text)) {
        return YL_ENOTFOUND;
    }
    yl_mutex_lock(&resource->lock);
    version = yl_ks_version_at(yl_btree_get(&resource->tree, text),
                               published);
    if (version) {
        if (ret_object) {
            *ret_object = yl_object_ref(version->object);
        }
        if (ret_revision) {
            *ret_revision = version->revision;
        }
    }
    yl_mutex_unlock(&resource->lock);
    return version ? 0 : YL_ENOTFOUND;
}

uint64_t
yl_ks_count(struct yl_ks_resource *resource)
{
    uint64_t n;

    yl_mutex_lock(&resource->lock);
    n = resource->tree.n_live;
    yl_mutex_unlock(&resource->lock);
    return n;
}

const struct yl_ks_version *
yl_ks_resource_last(struct yl_ks_resource *resource, struct yl_str text)
    YL_NO_THREAD_SAFETY
{
    return yl_btree_get(&resource->tree, text);
}

size_t
yl_ks_resource_put(struct yl_ks_resource *resource, struct yl_str text,
                   struct yl_ks_version *version)
{
    size_t bytes = EVENT_BYTES;

    version->older = yl_btree_set(&resource->tree, text, version,
                                  version->object != NULL);
    yl_ks_log_append(&resource->log, text, version);
    atomic_store_explicit(&resource->log_end, resource->log.end,
                          memory_order_release);
    if (yl_ks_version_is_change(version)) {
        bytes += yl_object_footprint(version->older->object);
    }
    return bytes;
}

size_t
yl_ks_resource_put_foreign(struct yl_ks_resource *resource,
                           struct yl_str text, struct yl_ks_version *version,
                           bool unreadable)
{
    struct yl_ks_version *last;

    if (version->object) {
        return yl_ks_resource_put(resource, text, version);
    }
    last = yl_btree_get(&resource->tree, text);
    version->unreadable = unreadable;
    if (last && last->object) {
        return yl_ks_resource_put(resource, text, version);
    }

    /* Readers see no difference, so there is no event. */
    if (!unreadable) {
        if (last && last->unreadable) {
            forget_unreadable(resource, text, last);
        }
        yl_ks_pool_put(&resource->pool, version);
    } else if (last && last->unreadable && !is_in_log(resource, last)) {
        last->revision = version->revision;
        yl_ks_pool_put(&resource->pool, version);
    } else {
        /* The log links the key's last event to this one. */
        version->older = yl_btree_set(&resource->tree, text, version, false);
        version->seq = last ? last->seq : 0;
    }
    return 0;
}

size_t
yl_ks_resource_trim(struct yl_ks_resource *resource, uint64_t compacted,
                    size_t max)
    YL_NO_THREAD_SAFETY
{
    const struct yl_ks_version *front = yl_ks_log_front(&resource->log);
    size_t n = 0;

    while (n < max && front && front->revision <= compacted) {
        struct yl_ks_version *gone[TRIM_STEP];
        size_t i, n_gone = 0;

        /* References to objects are dropped without the lock. */
        yl_mutex_lock(&resource->lock);
        while (n_gone < TRIM_STEP && front && front->revision <= compacted) {
            gone[n_gone++] = drop_front(resource);
            front = yl_ks_log_front(&resource->log);
        }
        yl_mutex_unlock(&resource->lock);
        for (i = 0; i < n_gone; i++) {
            yl_ks_pool_put(&resource->pool, gone[i]);
        }
        n += n_gone;
    }
    return n;
}

/* The key of an event. */
static struct yl_key
event_key(const struct yl_ks_version *version)
{
    return yl_object_key(version->object ? version->object
                                         : version->older->object);
}

static bool
is_in_log(struct yl_ks_resource *resource,
          const struct yl_ks_version *version)
{
    return version->seq >= resource->log.first
           && yl_ks_log_get(&resource->log, version->seq) == version;
}

/* Forgets 'last', the last version of 'text', which was unreadable and is
 * deleted now.  If it is in the log, as the deletion that readers saw, it is
 * dropped with the log.  If not, it is freed at once, and replaced by an older
 * version that is in the log, if there is one. */
static void
forget_unreadable(struct yl_ks_resource *resource, struct yl_str text,
                  struct yl_ks_version *last)
{
    struct yl_ks_version *older = last->older;

    if (is_in_log(resource, last)) {
        last->unreadable = false;
        return;
    }
    if (older && is_in_log(resource, older)) {
        older->unreadable = false;
        last->older = NULL;
        yl_btree_set(&resource->tree, text, older, false);
    } else {
        yl_btree_remove(&resource->tree, text);
    }
    yl_ks_pool_put(&resource->pool, last);
}

/* Drops the oldest event, and cuts off and returns the version that it
 * replaced.  If the event is a deletion and the key was not written since, the
 * key is removed too, unless it is only unreadable. */
static struct yl_ks_version *
drop_front(struct yl_ks_resource *resource)
{
    struct yl_ks_version *version = yl_ks_log_front(&resource->log);
    struct yl_ks_version *older = version->older;
    struct yl_key key = event_key(version);
    char space[YL_KS_MAX_KEY];
    struct yl_str text = yl_ks_resource_text(resource, &key, space);

    assert(text.size);
    yl_ks_log_drop(&resource->log, text);
    resource->dropped = version->revision;
    version->older = NULL;
    if (!version->object && !version->unreadable
        && yl_btree_get(&resource->tree, text) == version) {
        yl_btree_remove(&resource->tree, text);
        version->older = older;
        return version;
    }
    return older;
}
