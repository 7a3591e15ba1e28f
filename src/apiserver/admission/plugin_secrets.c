/* Which Secrets a Pod names, and which of them its ServiceAccount allows.
 *
 * An account with the annotation kubernetes.io/enforce-mountable-secrets lets
 * its Pods use only the Secrets that it lists. */

#include "apiserver/admission/plugin.h"
#include "base/hash.h"
#include "base/map.h"

#define ENFORCE "kubernetes.io/enforce-mountable-secrets"

/* A name in a set of names. */
struct name {
    struct yl_str text;
    struct yl_map_node node;
};

/* The Secrets that a Pod may use, and how to complain of others. */
struct limit {
    const struct yl_admission *admission;
    struct yl_map allowed;
    struct yl_str account;
    struct yl_status *status;
};

static bool is_enforced(const struct yl_admission *,
                        const struct yl_at *account);
static void allow(struct limit *, const struct yl_at *refs);
static bool is_allowed(const struct limit *, struct yl_str name);
static int check_volumes(const struct limit *, const struct yl_at *spec);
static int check_containers(const struct limit *, const struct yl_at *spec,
                            const char *list, const char *what);
static int check_pull_secrets(const struct limit *, const struct yl_at *spec);
static bool container_has_secrets(const struct yl_check *,
                                  const struct yl_at *container);
static bool volume_has_secret(const struct yl_check *,
                              const struct yl_at *volume);

int
yl_plugin_limit_secrets(const struct yl_admission *a,
                        const struct yl_node *account,
                        struct yl_status *status)
{
    struct yl_check c = { a->arena, NULL };
    struct yl_at root = yl_at_root(a->object), spec = yl_at(&root, "spec");
    struct yl_at owner = yl_at_root(account);
    struct yl_at metadata = yl_at(&owner, "metadata");
    struct yl_at refs = yl_at(&owner, "secrets");
    struct limit limit = { a, YL_MAP_INIT, YL_STR_INIT(""), status };
    int r = 0;

    if (!is_enforced(a, &owner)) {
        return 0;
    }
    limit.account = yl_at_get_str(&c, &metadata, "name");
    allow(&limit, &refs);
    if (a->subresource == YL_SUB_EPHEMERAL_CONTAINERS) {
        r = check_containers(&limit, &spec, "ephemeralContainers",
                             "ephemeral container");
        yl_map_release(&limit.allowed);
        return r;
    }
    r = check_volumes(&limit, &spec);
    if (r == 0) {
        r = check_containers(&limit, &spec, "initContainers",
                             "init container");
    }
    if (r == 0) {
        r = check_containers(&limit, &spec, "containers", "container");
    }
    yl_map_clear(&limit.allowed);
    if (r == 0) {
        refs = yl_at(&owner, "imagePullSecrets");
        allow(&limit, &refs);
        r = check_pull_secrets(&limit, &spec);
    }
    yl_map_release(&limit.allowed);
    return r;
}

bool
yl_plugin_has_secrets(const struct yl_admission *a, const struct yl_at *spec)
{
    static const char *const lists[] = {
        "initContainers", "containers", "ephemeralContainers",
    };
    struct yl_check c = { a->arena, NULL };
    struct yl_at pull = yl_at(spec, "imagePullSecrets");
    struct yl_at volumes = yl_at(spec, "volumes");
    size_t i;

    YL_AT_FOR_EACH (ref, &pull) {
        if (yl_at_get_str(&c, &ref, "name").size) {
            return true;
        }
    }
    for (i = 0; i < YL_ARRAY_SIZE(lists); i++) {
        struct yl_at containers = yl_at(spec, lists[i]);

        YL_AT_FOR_EACH (container, &containers) {
            if (container_has_secrets(&c, &container)) {
                return true;
            }
        }
    }
    YL_AT_FOR_EACH (volume, &volumes) {
        if (volume_has_secret(&c, &volume)) {
            return true;
        }
    }
    return false;
}

/* The values that Go takes for true. */
static bool
is_enforced(const struct yl_admission *a, const struct yl_at *account)
{
    static const char *const yes[] = {
        "1", "t", "T", "TRUE", "true", "True",
    };
    struct yl_check c = { a->arena, NULL };
    struct yl_at metadata = yl_at(account, "metadata");
    struct yl_at annotations = yl_at(&metadata, "annotations");
    struct yl_str value = yl_at_get_str(&c, &annotations, ENFORCE);
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(yes); i++) {
        if (yl_str_equal_c(value, yes[i])) {
            return true;
        }
    }
    return false;
}

static void
allow(struct limit *limit, const struct yl_at *refs)
{
    struct yl_check c = { limit->admission->arena, NULL };

    YL_AT_FOR_EACH (ref, refs) {
        struct name *name = yl_arena_alloc(c.arena, sizeof *name);

        name->text = yl_at_get_str(&c, &ref, "name");
        yl_map_insert(&limit->allowed, &name->node, yl_hash_str(name->text));
    }
}

static bool
is_allowed(const struct limit *limit, struct yl_str text)
{
    struct name *name;

    YL_MAP_FOR_EACH_WITH_HASH (name, node, yl_hash_str(text),
                               &limit->allowed) {
        if (yl_str_equal(name->text, text)) {
            return true;
        }
    }
    return false;
}

static int
check_volumes(const struct limit *limit, const struct yl_at *spec)
{
    const struct yl_admission *a = limit->admission;
    struct yl_check c = { a->arena, NULL };
    struct yl_at volumes = yl_at(spec, "volumes");

    YL_AT_FOR_EACH (volume, &volumes) {
        struct yl_at secret = yl_at(&volume, "secret");
        struct yl_str name = yl_at_get_str(&c, &secret, "secretName");

        if (yl_at_has(&secret) && !is_allowed(limit, name)) {
            return yl_plugin_forbid(
                a, limit->status, "volume with secret.secretName=\"%.*s\" is "
                "not allowed because service account %.*s does not reference "
                "that secret", YL_STR_ARG(name), YL_STR_ARG(limit->account));
        }
    }
    return 0;
}

static int
check_containers(const struct limit *limit, const struct yl_at *spec,
                 const char *list, const char *what)
{
    const struct yl_admission *a = limit->admission;
    struct yl_check c = { a->arena, NULL };
    struct yl_at containers = yl_at(spec, list);

    YL_AT_FOR_EACH (container, &containers) {
        struct yl_str own_name = yl_at_get_str(&c, &container, "name");
        struct yl_at env = yl_at(&container, "env");
        struct yl_at from = yl_at(&container, "envFrom");

        YL_AT_FOR_EACH (variable, &env) {
            struct yl_at source = yl_at(&variable, "valueFrom");
            struct yl_at ref = yl_at(&source, "secretKeyRef");
            struct yl_str name = yl_at_get_str(&c, &ref, "name");

            if (yl_at_has(&ref) && !is_allowed(limit, name)) {
                return yl_plugin_forbid(
                    a, limit->status, "%s %.*s with envVar %.*s referencing "
                    "secret.secretName=\"%.*s\" is not allowed because "
                    "service account %.*s does not reference that secret",
                    what, YL_STR_ARG(own_name),
                    YL_STR_ARG(yl_at_get_str(&c, &variable, "name")),
                    YL_STR_ARG(name), YL_STR_ARG(limit->account));
            }
        }
        YL_AT_FOR_EACH (source, &from) {
            struct yl_at ref = yl_at(&source, "secretRef");
            struct yl_str name = yl_at_get_str(&c, &ref, "name");

            if (yl_at_has(&ref) && !is_allowed(limit, name)) {
                return yl_plugin_forbid(
                    a, limit->status, "%s %.*s with envFrom referencing "
                    "secret.secretName=\"%.*s\" is not allowed because "
                    "service account %.*s does not reference that secret",
                    what, YL_STR_ARG(own_name), YL_STR_ARG(name),
                    YL_STR_ARG(limit->account));
            }
        }
    }
    return 0;
}

static int
check_pull_secrets(const struct limit *limit, const struct yl_at *spec)
{
    const struct yl_admission *a = limit->admission;
    struct yl_check c = { a->arena, NULL };
    struct yl_at refs = yl_at(spec, "imagePullSecrets");
    int i = 0;

    YL_AT_FOR_EACH (ref, &refs) {
        struct yl_str name = yl_at_get_str(&c, &ref, "name");

        if (!is_allowed(limit, name)) {
            return yl_plugin_forbid(
                a, limit->status, "imagePullSecrets[%d].name=\"%.*s\" is not "
                "allowed because service account %.*s does not reference that "
                "imagePullSecret", i, YL_STR_ARG(name),
                YL_STR_ARG(limit->account));
        }
        i++;
    }
    return 0;
}

static bool
container_has_secrets(const struct yl_check *c, const struct yl_at *container)
{
    struct yl_at env = yl_at(container, "env");
    struct yl_at from = yl_at(container, "envFrom");

    YL_AT_FOR_EACH (source, &from) {
        struct yl_at ref = yl_at(&source, "secretRef");

        if (yl_at_get_str(c, &ref, "name").size) {
            return true;
        }
    }
    YL_AT_FOR_EACH (variable, &env) {
        struct yl_at source = yl_at(&variable, "valueFrom");
        struct yl_at ref = yl_at(&source, "secretKeyRef");

        if (yl_at_get_str(c, &ref, "name").size) {
            return true;
        }
    }
    return false;
}

static bool
volume_has_secret(const struct yl_check *c, const struct yl_at *volume)
{
    static const char *const with_ref[] = {
        "cephfs", "cinder", "flexVolume", "rbd", "scaleIO", "iscsi",
        "storageos",
    };
    struct yl_at azure = yl_at(volume, "azureFile");
    struct yl_at secret = yl_at(volume, "secret"), csi = yl_at(volume, "csi");
    struct yl_at publish = yl_at(&csi, "nodePublishSecretRef");
    struct yl_at projected = yl_at(volume, "projected");
    struct yl_at sources = yl_at(&projected, "sources");
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(with_ref); i++) {
        struct yl_at source = yl_at(volume, with_ref[i]);
        struct yl_at ref = yl_at(&source, "secretRef");

        if (yl_at_get_str(c, &ref, "name").size) {
            return true;
        }
    }
    YL_AT_FOR_EACH (source, &sources) {
        struct yl_at part = yl_at(&source, "secret");

        if (yl_at_get_str(c, &part, "name").size) {
            return true;
        }
    }
    return yl_at_get_str(c, &azure, "secretName").size
           || yl_at_get_str(c, &secret, "secretName").size
           || yl_at_get_str(c, &publish, "name").size;
}
