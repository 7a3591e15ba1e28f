/* root-ca-certificate-publisher-controller: the ConfigMap "kube-root-ca.crt"
 * of every namespace.
 *
 * Clients inside of a cluster verify the API server with it.  What somebody
 * else writes into it is put right again. */

#include "controllers/controllers.h"
#include "controllers/namespaces.h"
#include "json/member.h"
#include "json/tree.h"
#include "schema/at.h"
#include "yuloh/api/core_v1.h"
#include "yuloh/arena.h"
#include "yuloh/store.h"

#define NAME "kube-root-ca.crt"
#define DESCRIPTION_KEY "kubernetes.io/description"
#define DESCRIPTION                                                           \
    "Contains a CA bundle that can be used to verify the kube-apiserver "     \
    "when using internal endpoints such as the internal service IP or "       \
    "kubernetes.default.svc. No other usage is guaranteed across "            \
    "distributions of Kubernetes clusters."

static int create(struct yl_request *, struct yl_str namespace_);
static int correct(struct yl_request *, const struct yl_versioned *);
static bool is_right(struct yl_request *, const struct yl_node *);
static void set_right(struct yl_request *, struct yl_node *);

static int
reconcile(struct yl_request *req)
{
    struct yl_arena *arena = yl_request_arena(req);
    struct yl_key key = yl_key_make(yl_request_key(req)->name, YL_STR(NAME));
    struct yl_versioned found;

    if (!yl_namespace_is_active(req)) {
        return 0;
    }
    if (yl_store_get(yl_request_store(req, &core_v1_config_map_kind), &key,
                     arena, &found)) {
        return correct(req, &found);
    }
    return create(req, key.namespace_);
}

static int
create(struct yl_request *req, struct yl_str namespace_)
{
    struct yl_arena *arena = yl_request_arena(req);
    struct yl_node *root = yl_node_new_object(arena), *metadata;
    struct yl_buf json;
    int r;

    yl_member_set_str(arena, root, "apiVersion", "v1");
    yl_member_set_str(arena, root, "kind", "ConfigMap");
    metadata = yl_member_make(arena, root, "metadata");
    yl_member_set_str(arena, metadata, "name", NAME);
    yl_member_set(arena, metadata, "namespace",
                  yl_node_new_string(arena, namespace_));
    set_right(req, root);
    yl_buf_init(&json, YL_OBJECT_MAX_SIZE);
    yl_node_write(&json, root);
    r = yl_namespace_created(
        req, yl_request_create(req, &core_v1_config_map_kind,
                               yl_buf_str(&json), NULL));
    yl_buf_release(&json);
    return r;
}

static int
correct(struct yl_request *req, const struct yl_versioned *found)
{
    struct yl_arena *arena = yl_request_arena(req);
    const struct yl_object_head head = {
        .type = { YL_STR_INIT("v1"), YL_STR_INIT("ConfigMap") },
        .revision = found->revision,
    };
    struct yl_node *root;
    struct yl_buf json;
    int r = yl_tree_parse(arena, yl_object_json(found->object, arena, &head),
                          NULL, &root, yl_request_error(req));

    if (r < 0 || is_right(req, root)) {
        return r;
    }
    set_right(req, root);
    yl_buf_init(&json, YL_OBJECT_MAX_SIZE);
    yl_node_write(&json, root);
    r = yl_request_update(req, &core_v1_config_map_kind, yl_buf_str(&json),
                          NULL);
    yl_buf_release(&json);
    return r;
}

static bool
is_right(struct yl_request *req, const struct yl_node *map)
{
    const struct yl_root_ca *ca = yl_request_aux(req);
    struct yl_check c = { yl_request_arena(req), NULL };
    struct yl_at root = yl_at_root(map), data = yl_at(&root, "data");
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at annotations = yl_at(&metadata, "annotations");

    return yl_at_count(&data) == 1
           && yl_str_equal(yl_at_get_str(&c, &data, "ca.crt"), ca->pem)
           && yl_at_get_is(&annotations, DESCRIPTION_KEY, DESCRIPTION);
}

static void
set_right(struct yl_request *req, struct yl_node *map)
{
    const struct yl_root_ca *ca = yl_request_aux(req);
    struct yl_arena *arena = yl_request_arena(req);
    struct yl_node *data = yl_node_new_object(arena);
    struct yl_node *metadata = yl_member_make(arena, map, "metadata");

    yl_member_set_str(arena, yl_member_make(arena, metadata, "annotations"),
                      DESCRIPTION_KEY, DESCRIPTION);
    yl_member_set(arena, data, "ca.crt",
                  yl_node_new_string(arena, ca->pem));
    yl_member_set(arena, map, "data", data);
}

const struct yl_controller yl_root_ca_controller = {
    .name = "root-ca-certificate-publisher-controller",
    .reconcile = reconcile,
    .watches = (const struct yl_watch[]) {
        { .for_ = &core_v1_namespace__kind },
        { .other = &core_v1_config_map_kind,
          .map = yl_namespace_of_object,
          .field_selector = "metadata.name=" NAME },
        { .for_ = NULL },
    },
};
