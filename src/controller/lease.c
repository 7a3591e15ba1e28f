/* Leases as JSON.  See controller/lease.h. */

#include "controller/lease.h"

#include "base/arena.h"
#include "base/buf.h"
#include "json/tree.h"
#include "yuloh/json.h"
#include "yuloh/leader_election.h"

static void read_time(struct yl_json, struct yl_arena *, struct yl_time *);
static void set_spec(struct yl_arena *, struct yl_node *root,
                     const struct yl_lease *);
static void set_labels(struct yl_arena *, struct yl_node *metadata,
                       const struct yl_lease_label *, size_t n);
static struct yl_node *child(struct yl_arena *, struct yl_node *parent,
                             struct yl_str name);
static void set_string(struct yl_arena *, struct yl_node *object,
                       struct yl_str name, struct yl_str value);
static void set_time(struct yl_arena *, struct yl_node *object,
                     struct yl_str name, struct yl_time);
static struct yl_str write(struct yl_arena *, const struct yl_node *);

void
yl_lease_read(const struct yl_object *object, struct yl_arena *arena,
              struct yl_lease *ret_lease)
{
    struct yl_json spec = yl_object_field(object, arena, "spec");
    struct yl_lease lease = {
        .holder = YL_STR(""), .acquired = yl_time_zero(),
        .renewed = yl_time_zero(),
    };
    struct yl_str holder;

    if (yl_json_string(yl_json_get(spec, YL_STR("holderIdentity")), arena,
                       &holder) == 0) {
        lease.holder = holder;
    }
    yl_json_int64(yl_json_get(spec, YL_STR("leaseDurationSeconds")),
                  &lease.duration_seconds);
    yl_json_int64(yl_json_get(spec, YL_STR("leaseTransitions")),
                  &lease.transitions);
    read_time(yl_json_get(spec, YL_STR("acquireTime")), arena,
              &lease.acquired);
    read_time(yl_json_get(spec, YL_STR("renewTime")), arena, &lease.renewed);
    *ret_lease = lease;
}

struct yl_str
yl_lease_create(const struct yl_key *key, const struct yl_lease *lease,
                const struct yl_lease_label *labels, size_t n_labels,
                struct yl_arena *arena)
{
    struct yl_node *root = yl_node_new_object(arena), *metadata;

    set_string(arena, root, YL_STR("apiVersion"),
               YL_STR("coordination.k8s.io/v1"));
    set_string(arena, root, YL_STR("kind"), YL_STR("Lease"));
    metadata = child(arena, root, YL_STR("metadata"));
    set_string(arena, metadata, YL_STR("name"), key->name);
    set_string(arena, metadata, YL_STR("namespace"), key->namespace_);
    set_labels(arena, metadata, labels, n_labels);
    set_spec(arena, root, lease);
    return write(arena, root);
}

int
yl_lease_change(struct yl_versioned old, const struct yl_lease *lease,
                const struct yl_lease_label *labels, size_t n_labels,
                struct yl_arena *arena, struct yl_str *ret_json,
                struct yl_error *err)
{
    struct yl_str json = yl_object_json(
        old.object, arena, &(struct yl_object_head) {
            .type = { YL_STR("coordination.k8s.io/v1"), YL_STR("Lease") },
            .revision = old.revision,
            .without_managed_fields = true,
        });
    struct yl_node *root;
    int r = yl_tree_parse(arena, json, NULL, &root, err);

    if (r < 0) {
        return r;
    }
    set_labels(arena, child(arena, root, YL_STR("metadata")), labels,
               n_labels);
    set_spec(arena, root, lease);
    *ret_json = write(arena, root);
    return 0;
}

static void
read_time(struct yl_json json, struct yl_arena *arena, struct yl_time *time)
{
    struct yl_str text;
    struct yl_time read;

    if (yl_json_string(json, arena, &text) == 0
        && yl_micro_time_parse(text, &read, NULL) == 0) {
        *time = read;
    }
}

static void
set_spec(struct yl_arena *arena, struct yl_node *root,
         const struct yl_lease *lease)
{
    struct yl_node *spec = child(arena, root, YL_STR("spec"));

    set_string(arena, spec, YL_STR("holderIdentity"), lease->holder);
    yl_node_set(arena, spec, YL_STR("leaseDurationSeconds"),
                yl_node_new_int64(arena, lease->duration_seconds));
    set_time(arena, spec, YL_STR("acquireTime"), lease->acquired);
    set_time(arena, spec, YL_STR("renewTime"), lease->renewed);
    yl_node_set(arena, spec, YL_STR("leaseTransitions"),
                yl_node_new_int64(arena, lease->transitions));
}

static void
set_labels(struct yl_arena *arena, struct yl_node *metadata,
           const struct yl_lease_label *labels, size_t n)
{
    struct yl_node *map;
    size_t i;

    if (n == 0) {
        return;
    }
    map = child(arena, metadata, YL_STR("labels"));
    for (i = 0; i < n; i++) {
        set_string(arena, map, yl_str_c(labels[i].name),
                   yl_str_c(labels[i].value));
    }
}

/* The member 'name' of 'parent', an object; a new one if there is none. */
static struct yl_node *
child(struct yl_arena *arena, struct yl_node *parent, struct yl_str name)
{
    struct yl_node *node = yl_node_get(parent, name);

    if (!node || yl_node_type(node) != YL_JSON_OBJECT) {
        node = yl_node_new_object(arena);
        yl_node_set(arena, parent, name, node);
    }
    return node;
}

static void
set_string(struct yl_arena *arena, struct yl_node *object, struct yl_str name,
           struct yl_str value)
{
    yl_node_set(arena, object, name, yl_node_new_string(arena, value));
}

static void
set_time(struct yl_arena *arena, struct yl_node *object, struct yl_str name,
         struct yl_time time)
{
    char text[YL_TIME_TEXT_SIZE];
    size_t n;

    if (yl_time_is_zero(time)) {
        yl_node_remove(object, name);
        return;
    }
    n = yl_micro_time_write(time, text);
    set_string(arena, object, name, yl_arena_copy(arena, yl_str_n(text, n)));
}

static struct yl_str
write(struct yl_arena *arena, const struct yl_node *root)
{
    struct yl_buf buf;
    struct yl_str json;

    yl_buf_init(&buf, SIZE_MAX);
    yl_node_write(&buf, root);
    json = yl_arena_copy(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return json;
}
