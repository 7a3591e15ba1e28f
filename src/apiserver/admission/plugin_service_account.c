/* ServiceAccount: each Pod runs as one, and gets its token.
 *
 *     Pod -> account named, there -> volume with the token -> pull secrets
 *
 * The token comes in a projected volume, with the certificate of the authority
 * and the namespace: what a client inside of a cluster needs.
 *
 * A controller makes the account "default" of a new namespace.  Whoever
 * creates a Pod there at once waits for that, for a moment. */

#include "apiserver/admission/plugin.h"
#include "apiserver/keyspace/keyspace.h"
#include "apiserver/server.h"
#include "apiserver/wait.h"
#include "base/random.h"
#include "net/loop.h"

#define DEFAULT_NAME "default"
#define MIRROR "kubernetes.io/config.mirror"
#define VOLUME_PREFIX "kube-api-access-"
#define VOLUME_SUFFIX 5
#define MOUNT_PATH "/var/run/secrets/kubernetes.io/serviceaccount"

/* How long a Pod's token is asked for; see auth/token_request.c. */
#define TOKEN_SECONDS 3607

/* How often, and how long in all, the account is waited for.  Upstream tries
 * ten times in one or two seconds. */
#define WAIT_INTERVAL 20
#define MAX_TRIES 75

/* A Pod that waits for the account of its namespace. */
struct waiter {
    struct yl_admission *admission;
    struct yl_status *status;
    struct yl_loop_timer timer;
    int tries;
};

static bool concerns(const struct yl_admission *);
static bool is_mirror(const struct yl_admission *);
static int admit(struct yl_admission *, struct yl_status *);
static bool exists(const struct yl_admission *, struct yl_str name);
static int await(struct yl_admission *, struct yl_status *);
static void on_timer(struct yl_loop_timer *);
static void stop(struct yl_wait *);
static int no_account(const struct yl_admission *, struct yl_str name,
                      struct yl_status *);
static int check_mirror(const struct yl_admission *, const struct yl_at *spec,
                        struct yl_status *);
static bool wants_token(const struct yl_at *spec, const struct yl_at *account);
static void mount_token(struct yl_admission *, struct yl_node *spec);
static struct yl_str find_volume(const struct yl_admission *,
                                 const struct yl_node *spec);
static bool mount(struct yl_admission *, struct yl_node *spec,
                  const char *containers, struct yl_str volume);
static struct yl_node *token_volume(struct yl_admission *, struct yl_str name);
static void add_pull_secrets(struct yl_admission *, struct yl_node *spec,
                             const struct yl_at *account);

int
yl_plugin_service_account(struct yl_admission *a, struct yl_status *status)
{
    struct yl_check c = { a->arena, NULL };
    struct yl_node *spec;
    struct yl_at at;

    if (!concerns(a) || a->operation != YL_OPERATION_CREATE) {
        return 0;
    }
    if (is_mirror(a)) {
        return yl_plugin_service_account_check(a, status);
    }
    spec = yl_member_make(a->arena, a->object, "spec");
    at = yl_at_root(spec);
    if (!yl_at_get_str(&c, &at, "serviceAccountName").size) {
        yl_member_set_str(a->arena, spec, "serviceAccountName", DEFAULT_NAME);
        yl_member_set_str(a->arena, spec, "serviceAccount", DEFAULT_NAME);
    }
    if (a->wait && !exists(a, yl_at_get_str(&c, &at, "serviceAccountName"))
        && yl_at_get_is(&at, "serviceAccountName", DEFAULT_NAME)) {
        return await(a, status);
    }
    return admit(a, status);
}

int
yl_plugin_service_account_check(const struct yl_admission *a,
                                struct yl_status *status)
{
    struct yl_check c = { a->arena, NULL };
    struct yl_at root = yl_at_root(a->object), spec = yl_at(&root, "spec");
    struct yl_at metadata = yl_at(&root, "metadata");
    const struct yl_node *account;
    struct yl_str name;

    if (!concerns(a)
        || (a->operation == YL_OPERATION_UPDATE
            && a->subresource == YL_SUB_NONE)) {
        return 0;
    }
    if (a->operation == YL_OPERATION_CREATE && is_mirror(a)) {
        return check_mirror(a, &spec, status);
    }
    name = yl_at_get_str(&c, &spec, "serviceAccountName");
    if (!name.size) {
        return yl_plugin_forbid(
            a, status, "no service account specified for pod %.*s/%.*s",
            YL_STR_ARG(a->namespace_),
            YL_STR_ARG(yl_at_get_str(&c, &metadata, "name")));
    }
    account = yl_plugin_read(a, "", "serviceaccounts", a->namespace_, name);
    if (!account) {
        return no_account(a, name, status);
    }
    return yl_plugin_limit_secrets(a, account, status);
}

/* Pods, and the ephemeral containers that are added to them. */
static bool
concerns(const struct yl_admission *a)
{
    return a->object && yl_str_equal_c(a->resource->plural, "pods")
           && !a->resource->group.size
           && (a->subresource == YL_SUB_NONE
               || a->subresource == YL_SUB_EPHEMERAL_CONTAINERS);
}

/* A Pod that a kubelet has from a file, and shows here.  It must not be
 * changed. */
static bool
is_mirror(const struct yl_admission *a)
{
    struct yl_at root = yl_at_root(a->object);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at annotations = yl_at(&metadata, "annotations");

    return yl_at_get_has(&annotations, MIRROR);
}

/* Changes a Pod that names its account. */
static int
admit(struct yl_admission *a, struct yl_status *status)
{
    struct yl_check c = { a->arena, NULL };
    struct yl_node *spec = yl_member_make(a->arena, a->object, "spec");
    struct yl_at at = yl_at_root(spec), account;
    struct yl_str name = yl_at_get_str(&c, &at, "serviceAccountName");
    const struct yl_node *found = yl_plugin_read(a, "", "serviceaccounts",
                                                 a->namespace_, name);

    if (!found) {
        return no_account(a, name, status);
    }
    account = yl_at_root(found);
    if (wants_token(&at, &account)) {
        mount_token(a, spec);
    }
    add_pull_secrets(a, spec, &account);
    return yl_plugin_service_account_check(a, status);
}

static bool
exists(const struct yl_admission *a, struct yl_str name)
{
    const struct yl_api_resource *accounts =
        yl_registry_builtin(a->server->registry, "", "serviceaccounts");

    return yl_ks_get(accounts->objects, yl_key_make(a->namespace_, name),
                     NULL, NULL) == 0;
}

/* Waits until the controller has made the account. */
static int
await(struct yl_admission *a, struct yl_status *status)
{
    struct waiter *waiter = yl_arena_zalloc(a->arena, sizeof *waiter);

    waiter->admission = a;
    waiter->status = status;
    waiter->timer.fire = on_timer;
    yl_loop_timer_arm(a->wait->loop, &waiter->timer,
                      yl_loop_now(a->wait->loop) + WAIT_INTERVAL);
    return yl_wait_begin(a->wait, stop, waiter);
}

static void
on_timer(struct yl_loop_timer *timer)
{
    struct waiter *waiter = YL_CONTAINER_OF(timer, struct waiter, timer);
    struct yl_admission *a = waiter->admission;

    if (++waiter->tries < MAX_TRIES && !exists(a, YL_STR(DEFAULT_NAME))) {
        yl_loop_timer_arm(a->wait->loop, timer,
                          yl_loop_now(a->wait->loop) + WAIT_INTERVAL);
    } else {
        yl_wait_end(a->wait, admit(a, waiter->status));
    }
}

static void
stop(struct yl_wait *wait)
{
    struct waiter *waiter = wait->what;

    yl_loop_timer_cancel(wait->loop, &waiter->timer);
}

static int
no_account(const struct yl_admission *a, struct yl_str name,
           struct yl_status *status)
{
    return yl_plugin_forbid(a, status,
                            "error looking up service account %.*s/%.*s: "
                            "serviceaccount \"%.*s\" not found",
                            YL_STR_ARG(a->namespace_), YL_STR_ARG(name),
                            YL_STR_ARG(name));
}

static int
check_mirror(const struct yl_admission *a, const struct yl_at *spec,
             struct yl_status *status)
{
    struct yl_check c = { a->arena, NULL };
    struct yl_at volumes = yl_at(spec, "volumes");

    if (yl_at_get_str(&c, spec, "serviceAccountName").size) {
        return yl_plugin_forbid(a, status, "a mirror pod may not reference "
                                "service accounts");
    }
    if (yl_plugin_has_secrets(a, spec)) {
        return yl_plugin_forbid(a, status,
                                "a mirror pod may not reference secrets");
    }
    YL_AT_FOR_EACH (volume, &volumes) {
        struct yl_at projected = yl_at(&volume, "projected");
        struct yl_at sources = yl_at(&projected, "sources");

        YL_AT_FOR_EACH (source, &sources) {
            if (yl_at_get_has(&source, "serviceAccountToken")) {
                return yl_plugin_forbid(a, status, "a mirror pod may not use "
                                        "ServiceAccountToken volume "
                                        "projections");
            }
        }
    }
    return 0;
}

/* The Pod's wish counts more than the account's. */
static bool
wants_token(const struct yl_at *spec, const struct yl_at *account)
{
    static const char name[] = "automountServiceAccountToken";

    return yl_at_get_has(spec, name) ? yl_at_get_bool(spec, name)
           : yl_at_get_has(account, name) ? yl_at_get_bool(account, name)
           : true;
}

/* Mounts the volume with the token in all containers that have nothing else
 * at its path. */
static void
mount_token(struct yl_admission *a, struct yl_node *spec)
{
    struct yl_str name = find_volume(a, spec);
    bool has = name.size > 0, needed;
    char suffix[VOLUME_SUFFIX + 1];

    if (!has) {
        yl_random_name(suffix, VOLUME_SUFFIX);
        name = yl_str_c(yl_arena_printf(a->arena, VOLUME_PREFIX "%s",
                                        suffix));
    }
    needed = mount(a, spec, "initContainers", name);
    needed = mount(a, spec, "containers", name) || needed;
    if (needed && !has) {
        struct yl_node *volumes = yl_member_array(spec, "volumes");

        if (!volumes) {
            volumes = yl_node_new_array(a->arena);
            yl_member_set(a->arena, spec, "volumes", volumes);
        }
        yl_node_append(volumes, token_volume(a, name));
    }
}

/* The name of a volume that looks like ours; empty if there is none. */
static struct yl_str
find_volume(const struct yl_admission *a, const struct yl_node *spec)
{
    struct yl_check c = { a->arena, NULL };
    struct yl_at at = yl_at_root(spec), volumes = yl_at(&at, "volumes");

    YL_AT_FOR_EACH (volume, &volumes) {
        struct yl_str name = yl_at_get_str(&c, &volume, "name");

        if (yl_str_starts_with(name, YL_STR(VOLUME_PREFIX))) {
            return name;
        }
    }
    return YL_STR("");
}

/* Tells whether a container needed it. */
static bool
mount(struct yl_admission *a, struct yl_node *spec, const char *containers,
      struct yl_str volume)
{
    struct yl_node *container;
    bool needed = false;

    YL_MEMBER_EACH (container, spec, containers) {
        struct yl_node *mounts = yl_member_array(container, "volumeMounts");
        struct yl_node *mount = yl_node_new_object(a->arena);
        struct yl_at at = yl_at_root(container);
        struct yl_at others = yl_at(&at, "volumeMounts");
        bool taken = false;

        YL_AT_FOR_EACH (other, &others) {
            taken = taken || yl_at_get_is(&other, "mountPath", MOUNT_PATH);
        }
        if (taken) {
            continue;
        }
        if (!mounts) {
            mounts = yl_node_new_array(a->arena);
            yl_member_set(a->arena, container, "volumeMounts", mounts);
        }
        yl_member_set(a->arena, mount, "name",
                      yl_node_new_string(a->arena, volume));
        yl_member_set(a->arena, mount, "readOnly",
                      yl_node_new_bool(a->arena, true));
        yl_member_set_str(a->arena, mount, "mountPath", MOUNT_PATH);
        yl_node_append(mounts, mount);
        needed = true;
    }
    return needed;
}

static struct yl_node *
token_volume(struct yl_admission *a, struct yl_str name)
{
    const char *json = yl_arena_printf(
        a->arena, "{\"name\":\"%.*s\",\"projected\":{\"defaultMode\":420,"
        "\"sources\":[{\"serviceAccountToken\":{\"expirationSeconds\":%d,"
        "\"path\":\"token\"}},{\"configMap\":{\"name\":\"kube-root-ca.crt\","
        "\"items\":[{\"key\":\"ca.crt\",\"path\":\"ca.crt\"}]}},"
        "{\"downwardAPI\":{\"items\":[{\"path\":\"namespace\",\"fieldRef\":"
        "{\"apiVersion\":\"v1\",\"fieldPath\":\"metadata.namespace\"}}]}}]}}",
        YL_STR_ARG(name), TOKEN_SECONDS);
    struct yl_node *volume = NULL;

    /* A generated name needs no escapes, so this is JSON. */
    (void) yl_tree_parse(a->arena, yl_str_c(json), NULL, &volume, NULL);
    return volume;
}

/* A Pod without pull secrets of its own gets the account's. */
static void
add_pull_secrets(struct yl_admission *a, struct yl_node *spec,
                 const struct yl_at *account)
{
    struct yl_check c = { a->arena, NULL };
    struct yl_at theirs = yl_at(account, "imagePullSecrets");
    struct yl_at at = yl_at_root(spec), own = yl_at(&at, "imagePullSecrets");
    struct yl_node *list;

    if (yl_at_count(&own) || !yl_at_count(&theirs)) {
        return;
    }
    list = yl_node_new_array(a->arena);
    YL_AT_FOR_EACH (item, &theirs) {
        struct yl_node *ref = yl_node_new_object(a->arena);

        yl_member_set(a->arena, ref, "name",
                      yl_node_new_string(a->arena,
                                         yl_at_get_str(&c, &item, "name")));
        yl_node_append(list, ref);
    }
    yl_member_set(a->arena, spec, "imagePullSecrets", list);
}
