/* Claims.  See apiserver/services/claims.h.
 *
 * A value has an entry for the published Service that uses it, and one for
 * each write that holds it; all these entries have the same owner. */

#include "apiserver/services/claims.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apiserver/keyspace/keyspace.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/list.h"
#include "base/map.h"
#include "base/random.h"
#include "base/thread.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/json.h"
#include "yuloh/object.h"

/* Of a larger range only so many addresses are used. */
#define MAX_ADDRESSES ((uint64_t) 1 << 20)

#define BATCH 32

struct owner {
    struct yl_map_node node;    /* By key. */
    struct yl_key *key;
    struct yl_list claims;
};

struct claim {
    struct yl_map_node node;    /* By value. */
    struct yl_list of_owner;
    struct yl_list of_held;     /* In the list of held entries, if a write
                                 * holds it. */
    struct owner *owner;
    const void *write;          /* The write that holds it; NULL: it is
                                 * published. */
    char value[YL_IP_TEXT_SIZE];
};

struct yl_allocators {
    struct yl_ks_resource *services, *addresses;
    struct yl_ip base;          /* Of the range. */
    uint64_t n_addresses;       /* Counted from the first usable one. */
    uint16_t first_port, last_port;
    char range[YL_IP_TEXT_SIZE];

    struct yl_mutex lock;
    struct yl_ks_cursor *cursor YL_GUARDED;     /* NULL: Services must be
                                                 * loaded. */
    struct yl_map claims YL_GUARDED, owners YL_GUARDED;
    struct yl_list held YL_GUARDED;     /* Claims of writes. */
};

static int load(struct yl_allocators *all, struct yl_error *)
    YL_REQUIRES(all->lock);
static void follow(struct yl_allocators *all) YL_REQUIRES(all->lock);
static void publish(struct yl_allocators *all, const struct yl_object *service,
                    bool deleted) YL_REQUIRES(all->lock);
static struct claim *find(struct yl_allocators *all, const char *value)
    YL_REQUIRES(all->lock);
static bool is_safe(struct yl_allocators *all, const char *value,
                    const void *write) YL_REQUIRES(all->lock);
static int take(struct yl_allocators *all, const struct yl_claimant *,
                const char *value, bool dry_run) YL_REQUIRES(all->lock);
static void add(struct yl_allocators *all, const struct yl_key *owner,
                const char *value, const void *write)
    YL_REQUIRES(all->lock);
static void drop(struct yl_allocators *all, struct claim *)
    YL_REQUIRES(all->lock);
static bool has_object(const struct yl_allocators *, const char *address);
static void address_at(const struct yl_allocators *, uint64_t offset,
                       char room[YL_IP_TEXT_SIZE]);
static bool in_range(const struct yl_allocators *, const struct yl_ip *);

int
yl_allocators_new(const struct yl_claims_opts *opts,
                  struct yl_allocators **ret_allocators, struct yl_error *err)
{
    struct yl_allocators *all;
    struct yl_ip base;
    unsigned bits, free_bits;
    int r;

    if (!yl_cidr_parse(yl_str_c(opts->cidr), &base, &bits)
        || (base.family == 4 ? 32 : 128) - bits < 2) {
        return yl_error_set(err, YL_EINVALID,
                            "'%s' is no range of addresses for Services: say "
                            "something like 10.0.0.0/24", opts->cidr);
    }
    all = yl_zalloc(sizeof *all);
    all->services = opts->services;
    all->addresses = opts->addresses;
    all->base = base;
    all->first_port = opts->first_port;
    all->last_port = opts->last_port;
    free_bits = (base.family == 4 ? 32 : 128) - bits;
    all->n_addresses = free_bits >= 20 ? MAX_ADDRESSES
                                       : ((uint64_t) 1 << free_bits) - 1;
    if (base.family == 4 && free_bits < 20) {
        all->n_addresses--;     /* The last address is for broadcasts. */
    }
    yl_cidr_text(&base, bits, all->range);
    yl_mutex_init(&all->lock);
    yl_mutex_lock(&all->lock);
    yl_map_init(&all->claims);
    yl_map_init(&all->owners);
    yl_list_init(&all->held);
    r = load(all, err);
    yl_mutex_unlock(&all->lock);
    if (r < 0) {
        yl_allocators_free(all);
        return YL_EINTERNAL;
    }
    *ret_allocators = all;
    return 0;
}

void
yl_allocators_free(struct yl_allocators *all)
{
    struct owner *owner;
    struct claim *claim;

    if (!all) {
        return;
    }
    yl_mutex_lock(&all->lock);
    YL_MAP_FOR_EACH_SAFE (claim, node, &all->claims) {
        free(claim);
    }
    YL_MAP_FOR_EACH_SAFE (owner, node, &all->owners) {
        free(owner->key);
        free(owner);
    }
    yl_map_release(&all->claims);
    yl_map_release(&all->owners);
    yl_ks_cursor_close(all->cursor);
    yl_mutex_unlock(&all->lock);
    yl_mutex_destroy(&all->lock);
    free(all);
}

int
yl_claims_family(const struct yl_allocators *all)
{
    return all->base.family;
}

const char *
yl_claims_range(const struct yl_allocators *all)
{
    return all->range;
}

void
yl_claims_first(const struct yl_allocators *all, char room[YL_IP_TEXT_SIZE])
{
    address_at(all, 0, room);
}

void
yl_claims_ports(const struct yl_allocators *all, uint16_t *ret_first,
                uint16_t *ret_last)
{
    *ret_first = all->first_port;
    *ret_last = all->last_port;
}

struct yl_ks_resource *
yl_claims_objects(const struct yl_allocators *all)
{
    return all->addresses;
}

int
yl_claims_address(struct yl_allocators *all, const struct yl_claimant *who,
                  const struct yl_ip *ip, bool dry_run)
{
    char value[YL_IP_TEXT_SIZE];
    int r;

    if (!in_range(all, ip)) {
        return YL_ERANGE;
    }
    yl_ip_text(ip, value);
    yl_mutex_lock(&all->lock);
    follow(all);
    r = has_object(all, value) ? YL_EEXISTS
                               : take(all, who, value, dry_run);
    yl_mutex_unlock(&all->lock);
    return r;
}

int
yl_claims_port(struct yl_allocators *all, const struct yl_claimant *who,
               uint16_t port, bool dry_run)
{
    char value[8];
    int r;

    if (port < all->first_port || port > all->last_port) {
        return YL_ERANGE;
    }
    snprintf(value, sizeof value, "%u", port);
    yl_mutex_lock(&all->lock);
    follow(all);
    r = take(all, who, value, dry_run);
    yl_mutex_unlock(&all->lock);
    return r;
}

/* Has the address an IPAddress?  Then it is taken, whether the server or a
 * client made it. */
static bool
has_object(const struct yl_allocators *all, const char *address)
{
    struct yl_key key = yl_key_make(yl_str_null(), yl_str_c(address));

    return yl_ks_get(all->addresses, key, NULL, NULL) == 0;
}

/* The number of addresses at the start of the range that are left for Services
 * that ask for a certain address; others get one only when the rest is used
 * up.  A sixteenth of the range, but 16 at least and 256 at most. */
static uint64_t
low_band(const struct yl_allocators *all)
{
    uint64_t band = (all->n_addresses + 1) / 16;

    band = band < 16 ? 16 : band > 256 ? 256 : band;
    return band < all->n_addresses ? band : 0;
}

int
yl_claims_any_address(struct yl_allocators *all,
                      const struct yl_claimant *who, bool dry_run,
                      char room[YL_IP_TEXT_SIZE])
{
    uint64_t low = low_band(all), n = all->n_addresses - low, i;
    uint64_t start = yl_random_u64() % n;
    int r = YL_EUNAVAILABLE;

    if (dry_run) {
        yl_ip_text(&all->base, room);  /* No Service ever gets it. */
        return 0;
    }
    yl_mutex_lock(&all->lock);
    follow(all);
    for (i = 0; i < all->n_addresses && r < 0; i++) {
        uint64_t offset = i < n ? low + (start + i) % n : i - n;

        address_at(all, offset, room);
        if (offset > 0 && !find(all, room) && !has_object(all, room)) {
            r = take(all, who, room, dry_run);
        }
    }
    yl_mutex_unlock(&all->lock);
    return r;
}

int
yl_claims_any_port(struct yl_allocators *all, const struct yl_claimant *who,
                   bool dry_run, uint16_t *ret_port)
{
    uint32_t n = (uint32_t) (all->last_port - all->first_port + 1), i;
    uint32_t start = (uint32_t) (yl_random_u64() % n);
    int r = YL_EUNAVAILABLE;

    yl_mutex_lock(&all->lock);
    follow(all);
    for (i = 0; i < n && r < 0; i++) {
        char value[8];

        *ret_port = (uint16_t) (all->first_port + (start + i) % n);
        snprintf(value, sizeof value, "%u", *ret_port);
        if (!find(all, value)) {
            r = take(all, who, value, dry_run);
        }
    }
    yl_mutex_unlock(&all->lock);
    return r;
}

static struct owner *
find_owner(struct yl_allocators *all, const struct yl_key *key)
    YL_REQUIRES(all->lock)
{
    struct owner *owner;

    YL_MAP_FOR_EACH_WITH_HASH (owner, node, yl_key_hash(key), &all->owners) {
        if (yl_key_equal(owner->key, key)) {
            return owner;
        }
    }
    return NULL;
}

void
yl_claims_settle(struct yl_allocators *all, const void *write)
{
    struct claim *claim;

    yl_mutex_lock(&all->lock);
    follow(all);
    YL_LIST_FOR_EACH_SAFE (claim, of_held, &all->held) {
        if (claim->write == write) {
            drop(all, claim);
        }
    }
    yl_mutex_unlock(&all->lock);
}

/* Reads the values that all stored Services have. */
static int
load(struct yl_allocators *all, struct yl_error *err)
{
    struct yl_ks_scan_opts opts = { .revision = 0 };
    struct yl_ks_scope scope = { .name = yl_str_null() };
    struct yl_versioned items[BATCH];
    struct yl_ks_scan *scan;
    int r = yl_ks_scan_open(all->services, &opts, &scan, err), n, i;

    if (r < 0) {
        return r;
    }
    while ((n = yl_ks_scan_next(scan, items, BATCH)) > 0) {
        for (i = 0; i < n; i++) {
            publish(all, items[i].object, false);
            yl_object_unref(items[i].object);
        }
    }
    r = yl_ks_cursor_open(all->services, &scope, yl_ks_scan_revision(scan),
                          &all->cursor, err);
    yl_ks_scan_close(scan);
    return r;
}

/* Reads what was published since the last time, or loads everything again if
 * the log no longer reaches back that far. */
static void
follow(struct yl_allocators *all)
{
    struct yl_ks_event events[BATCH];
    struct claim *claim;
    int n = -1, i;

    while (all->cursor
           && (n = yl_ks_cursor_next(all->cursor, events, BATCH)) > 0) {
        for (i = 0; i < n; i++) {
            publish(all, events[i].object, events[i].type == YL_KS_DELETED);
            yl_object_unref(events[i].object);
            yl_object_unref(events[i].previous);
        }
    }
    if (n < 0) {
        yl_ks_cursor_close(all->cursor);
        all->cursor = NULL;
        YL_MAP_FOR_EACH_SAFE (claim, node, &all->claims) {
            if (!claim->write) {
                drop(all, claim);
            }
        }
        (void) load(all, NULL);
    }
}

static void
publish_value(struct yl_allocators *all, const struct yl_key *key,
              const char *value) YL_REQUIRES(all->lock)
{
    struct claim *claim;

    if (!*value || !strcmp(value, "None")) {
        return;
    }
    claim = find(all, value);
    if (!claim || (yl_key_equal(claim->owner->key, key)
                   && !is_safe(all, value, NULL))) {
        add(all, key, value, NULL);
    }
}

/* Replaces the published values of a Service by those in 'object'. */
static void
publish(struct yl_allocators *all, const struct yl_object *service,
        bool deleted)
{
    struct yl_key key = yl_object_key(service);
    struct owner *owner = find_owner(all, &key);
    struct yl_arena *arena;
    struct yl_json spec;
    struct yl_json_iter it;
    struct claim *claim;
    int64_t port;

    if (owner) {
        YL_LIST_FOR_EACH_SAFE (claim, of_owner, &owner->claims) {
            if (!claim->write) {
                drop(all, claim);
            }
        }
    }
    if (deleted) {
        return;
    }
    arena = yl_arena_new();
    spec = yl_object_field(service, arena, "spec");
    it = yl_json_iter(yl_json_get(spec, YL_STR("clusterIPs")));
    while (yl_json_next(&it)) {
        struct yl_str text;

        if (yl_json_string(it.value, arena, &text) == 0) {
            publish_value(all, &key, yl_arena_strdup(arena, text));
        }
    }
    it = yl_json_iter(yl_json_get(spec, YL_STR("ports")));
    while (yl_json_next(&it)) {
        if (yl_json_int64(yl_json_get(it.value, YL_STR("nodePort")), &port)
                == 0 && port) {
            publish_value(all, &key,
                          yl_arena_printf(arena, "%lld", (long long) port));
        }
    }
    if (yl_json_int64(yl_json_get(spec, YL_STR("healthCheckNodePort")), &port)
            == 0 && port) {
        publish_value(all, &key,
                      yl_arena_printf(arena, "%lld", (long long) port));
    }
    yl_arena_free(arena);
}

/* The owner of a value. */
static struct claim *
find(struct yl_allocators *all, const char *value)
{
    struct yl_str text = yl_str_c(value);
    struct claim *claim;

    YL_MAP_FOR_EACH_WITH_HASH (claim, node, yl_hash_str(text), &all->claims) {
        if (!strcmp(claim->value, value)) {
            break;
        }
    }
    return claim;
}

/* Is it published, or held by 'write' itself? */
static bool
is_safe(struct yl_allocators *all, const char *value, const void *write)
{
    struct yl_str text = yl_str_c(value);
    struct claim *claim;

    YL_MAP_FOR_EACH_WITH_HASH (claim, node, yl_hash_str(text), &all->claims) {
        if (!strcmp(claim->value, value)
            && (!claim->write || claim->write == write)) {
            return true;
        }
    }
    return false;
}

static int
take(struct yl_allocators *all, const struct yl_claimant *who,
     const char *value, bool dry_run)
{
    struct claim *claim = find(all, value);

    if (claim && !yl_key_equal(claim->owner->key, &who->key)) {
        return YL_EEXISTS;
    }
    if (!dry_run && !is_safe(all, value, who->write)) {
        add(all, &who->key, value, who->write);
    }
    return 0;
}

static void
add(struct yl_allocators *all, const struct yl_key *key, const char *value,
    const void *write)
{
    struct claim *claim = yl_zalloc(sizeof *claim);
    struct owner *owner = find_owner(all, key);

    if (!owner) {
        owner = yl_zalloc(sizeof *owner);
        owner->key = yl_key_new(key);
        yl_list_init(&owner->claims);
        yl_map_insert(&all->owners, &owner->node, yl_key_hash(key));
    }
    claim->owner = owner;
    claim->write = write;
    snprintf(claim->value, sizeof claim->value, "%s", value);
    yl_list_push_back(&owner->claims, &claim->of_owner);
    if (write) {
        yl_list_push_back(&all->held, &claim->of_held);
    }
    yl_map_insert(&all->claims, &claim->node, yl_hash_str(yl_str_c(value)));
}

static void
drop(struct yl_allocators *all, struct claim *claim)
{
    struct owner *owner = claim->owner;

    yl_map_remove(&all->claims, &claim->node);
    yl_list_remove(&claim->of_owner);
    if (claim->write) {
        yl_list_remove(&claim->of_held);
    }
    free(claim);
    if (yl_list_is_empty(&owner->claims)) {
        yl_map_remove(&all->owners, &owner->node);
        free(owner->key);
        free(owner);
    }
}

/* The address 'offset' behind the first that can be used. */
static void
address_at(const struct yl_allocators *all, uint64_t offset,
           char room[YL_IP_TEXT_SIZE])
{
    struct yl_ip ip = all->base;
    int i = ip.family == 4 ? 3 : 15;
    uint64_t carry = offset + 1;

    ip.mapped = false;
    for (; i >= 0 && carry; i--) {
        carry += ip.bytes[i];
        ip.bytes[i] = (uint8_t) carry;
        carry >>= 8;
    }
    yl_ip_text(&ip, room);
}

static bool
in_range(const struct yl_allocators *all, const struct yl_ip *ip)
{
    int n = all->base.family == 4 ? 4 : 16, i;
    uint64_t distance = 0;

    if (ip->family != all->base.family) {
        return false;
    }
    for (i = 0; i < n; i++) {
        int digit = ip->bytes[i] - all->base.bytes[i];

        if (distance > MAX_ADDRESSES) {
            return false;
        }
        distance = distance * 256 + (uint64_t) (int64_t) digit;
    }
    return distance >= 1 && distance <= all->n_addresses;
}
