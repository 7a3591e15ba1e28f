/* IPAddresses of Services.  See claims_addresses.h. */

#include "apiserver/services/claims_addresses.h"

#include <stdbool.h>

#include "apiserver/keyspace/keyspace.h"
#include "base/random.h"
#include "json/member.h"
#include "json/tree.h"
#include "object/object.h"
#include "schema/at.h"
#include "yuloh/arena.h"
#include "yuloh/json.h"
#include "yuloh/time.h"

/* The most addresses that a Service can have: one of each family. */
#define MAX_ADDRESSES (YL_KS_MAX_WITH / 2)

static bool has(const struct yl_ip *ips, size_t n, const struct yl_ip *);
static int make(struct yl_arena *, const struct yl_ip *,
                const struct yl_key *service, struct yl_ks_write *,
                struct yl_error *);
static int remove_or_mark(struct yl_ks_resource *, struct yl_arena *,
                          const struct yl_ip *, struct yl_ks_write *,
                          struct yl_error *);
static int mark(struct yl_arena *, const struct yl_object *,
                struct yl_object **ret_marked, struct yl_error *);
static void set_now(struct yl_arena *, struct yl_node *metadata,
                    const char *name);

size_t
yl_service_addresses(const struct yl_object *service, struct yl_ip *ips,
                     size_t max)
{
    struct yl_json_iter it;
    struct yl_arena *arena;
    struct yl_str text;
    size_t n = 0;

    if (!service) {
        return 0;
    }
    arena = yl_arena_new();
    it = yl_json_iter(yl_json_get(yl_object_field(service, arena, "spec"),
                                  YL_STR("clusterIPs")));
    while (n < max && yl_json_next(&it)) {
        n += yl_json_string(it.value, arena, &text) == 0
             && yl_ip_parse(text, &ips[n]);
    }
    yl_arena_free(arena);
    return n;
}

struct yl_node *
yl_service_address_object(struct yl_arena *arena, const struct yl_ip *ip,
                          const struct yl_key *service)
{
    struct yl_node *object = yl_node_new_object(arena);
    struct yl_node *metadata = yl_member_make(arena, object, "metadata");
    struct yl_node *labels = yl_member_make(arena, metadata, "labels");
    struct yl_node *spec = yl_member_make(arena, object, "spec");
    struct yl_node *parent = yl_member_make(arena, spec, "parentRef");
    char name[YL_IP_TEXT_SIZE];

    yl_ip_text(ip, name);
    yl_member_set_str(arena, metadata, "name", name);
    yl_member_set_str(arena, labels, "ipaddress.kubernetes.io/ip-family",
                      ip->family == 6 ? "IPv6" : "IPv4");
    yl_member_set_str(arena, labels, "ipaddress.kubernetes.io/managed-by",
                      "ipallocator.k8s.io");
    yl_member_set_str(arena, parent, "resource", "services");
    yl_member_set(arena, parent, "namespace",
                  yl_node_new_string(arena, service->namespace_));
    yl_member_set(arena, parent, "name",
                  yl_node_new_string(arena, service->name));
    return object;
}

int
yl_service_address_writes(struct yl_ks_resource *addresses,
                          struct yl_arena *arena,
                          const struct yl_object *before,
                          const struct yl_object *after,
                          struct yl_ks_write *writes, struct yl_error *err)
{
    struct yl_ip old[MAX_ADDRESSES], new[MAX_ADDRESSES];
    size_t n_old = yl_service_addresses(before, old, MAX_ADDRESSES);
    size_t n_new = yl_service_addresses(after, new, MAX_ADDRESSES);
    struct yl_key service = yl_object_key(after ? after : before);
    size_t i;
    int n = 0, r = 0;

    for (i = 0; i < n_new && r >= 0; i++) {
        if (!has(old, n_old, &new[i])) {
            writes[n] = (struct yl_ks_write) { .resource = addresses };
            r = make(arena, &new[i], &service, &writes[n], err);
            n += r == 0;
        }
    }
    for (i = 0; i < n_old && r >= 0; i++) {
        if (!has(new, n_new, &old[i])) {
            writes[n] = (struct yl_ks_write) { .resource = addresses };
            r = remove_or_mark(addresses, arena, &old[i], &writes[n], err);
            n += r > 0;
        }
    }
    while (r < 0 && n > 0) {
        yl_object_unref(writes[--n].object);
    }
    return r < 0 ? r : n;
}

static bool
has(const struct yl_ip *ips, size_t n, const struct yl_ip *ip)
{
    char a[YL_IP_TEXT_SIZE], b[YL_IP_TEXT_SIZE];
    size_t i;

    yl_ip_text(ip, a);
    for (i = 0; i < n; i++) {
        yl_ip_text(&ips[i], b);
        if (yl_str_equal_c(yl_str_c(a), b)) {
            return true;
        }
    }
    return false;
}

static int
make(struct yl_arena *arena, const struct yl_ip *ip,
     const struct yl_key *service, struct yl_ks_write *write,
     struct yl_error *err)
{
    struct yl_node *object = yl_service_address_object(arena, ip, service);
    struct yl_node *metadata = yl_member_object(object, "metadata");
    char uid[YL_UUID_LENGTH + 1];
    int r;

    yl_random_uuid(uid);
    yl_member_set_str(arena, metadata, "uid", uid);
    set_now(arena, metadata, "creationTimestamp");
    r = yl_object_from_tree(object, NULL, &write->object, err);
    if (r == 0) {
        write->key = yl_key_make(yl_str_null(), yl_arena_copy(
            arena, yl_object_key(write->object).name));
    }
    return r;
}

/* Returns 1 if there is something to write. */
static int
remove_or_mark(struct yl_ks_resource *addresses, struct yl_arena *arena,
               const struct yl_ip *ip, struct yl_ks_write *write,
               struct yl_error *err)
{
    char name[YL_IP_TEXT_SIZE];
    struct yl_object *object;
    int r;

    yl_ip_text(ip, name);
    write->key.name = yl_arena_copy(arena, yl_str_c(name));
    if (yl_ks_get(addresses, write->key, &object, &write->expected) < 0) {
        return 0;
    }
    r = mark(arena, object, &write->object, err);
    yl_object_unref(object);
    return r;
}

/* Marks an IPAddress as being deleted if finalizers hold it.  Returns 1,
 * without an object if nothing holds it; 0 if it is marked already. */
static int
mark(struct yl_arena *arena, const struct yl_object *object,
     struct yl_object **ret_marked, struct yl_error *err)
{
    struct yl_node *tree, *metadata;
    int r = yl_tree_parse(arena, yl_object_json(object, arena, NULL), NULL,
                          &tree, err);

    if (r < 0) {
        return r;
    }
    metadata = yl_member_object(tree, "metadata");
    if (yl_member_is_zero(metadata, "finalizers")) {
        return 1;
    }
    if (!yl_member_is_absent(metadata, "deletionTimestamp")) {
        return 0;
    }
    set_now(arena, metadata, "deletionTimestamp");
    yl_member_set(arena, metadata, "deletionGracePeriodSeconds",
                  yl_node_new_int64(arena, 0));
    r = yl_object_from_tree(tree, NULL, ret_marked, err);
    return r < 0 ? r : 1;
}

static void
set_now(struct yl_arena *arena, struct yl_node *metadata, const char *name)
{
    struct yl_time time = yl_time_now();
    char text[YL_TIME_TEXT_SIZE];

    time.nanos = 0;
    yl_time_write(time, text);
    yl_member_set_str(arena, metadata, name, text);
}
