/* Controllers inside.  See controllers/inside.h for the contract. */

#include "controllers/inside.h"

#include <stdlib.h>

#include "apiserver/auth/service_accounts.h"
#include "apiserver/auth/token_claims.h"
#include "apiserver/auth/user.h"
#include "apiserver/local/source.h"
#include "apiserver/registry/registry.h"
#include "apiserver/server.h"
#include "base/alloc.h"
#include "controllers/choose.h"
#include "controllers/controllers.h"
#include "net/server.h"
#include "yuloh/api/core_v1.h"
#include "yuloh/arena.h"
#include "yuloh/client.h"
#include "yuloh/client_config.h"
#include "yuloh/error.h"
#include "yuloh/informer.h"
#include "yuloh/manager.h"

/* Long enough for a write that waits for the disk. */
#define STOP_TIMEOUT 10000

/* A client that acts as some user. */
struct actor {
    struct yl_http_server *http;
    const struct yl_user *user;
    struct yl_client *client;
};

/* A controller, and whom it acts as. */
struct member {
    struct yl_controller table;
    struct actor actor;
};

struct yl_inside {
    struct yl_inside_opts opts;
    struct yl_manager *manager;
    struct actor actor;         /* The manager's, which sends nothing. */
    struct member members[3];
    size_t n_members;
    struct yl_root_ca root_ca;
    struct yl_secret_tokens tokens;
    char *pem;
};

static const struct yl_str account_groups[] = {
    YL_STR_INIT("system:serviceaccounts"),
    YL_STR_INIT("system:serviceaccounts:kube-system"),
    YL_STR_INIT("system:authenticated"),
};

#define ACCOUNT(NAME)                                                         \
    { .name = YL_STR_INIT("system:serviceaccount:kube-system:" NAME),         \
      .groups = account_groups, .n_groups = YL_ARRAY_SIZE(account_groups) }

static const struct yl_user service_account_user =
    ACCOUNT("service-account-controller");
static const struct yl_user root_ca_user = ACCOUNT("root-ca-cert-publisher");
static const struct yl_user manager_user = {
    .name = YL_STR_INIT("system:kube-controller-manager"),
    .groups = &account_groups[2],
    .n_groups = 1,
};

static int new_manager(struct yl_inside *, struct yl_error *);
static int add_all(struct yl_inside *, struct yl_error *);
static int add(struct yl_inside *, const struct yl_controller *,
               const struct yl_user *, void *aux, struct yl_error *);
static int actor_init(struct actor *, struct yl_http_server *,
                      const struct yl_user *, struct yl_error *);
static int connect_inside(void *actor, struct yl_cancel *, int *ret_fd,
                          struct yl_error *);
static int sign(void *inside, const struct yl_secret_token *, struct yl_buf *,
                struct yl_error *);
static struct yl_store *secrets_of(struct yl_inside *);
static struct yl_lister_watcher *new_source(void *inside, struct yl_loop *,
                                            const struct yl_resource *,
                                            const struct yl_informer_scope *);
static void free_source(void *inside, struct yl_lister_watcher *);
static void release(struct yl_inside *);

int
yl_inside_start(const struct yl_inside_opts *opts,
                struct yl_inside **ret_inside, struct yl_error *err)
{
    struct yl_inside *inside = yl_zalloc(sizeof *inside);
    int r;

    inside->opts = *opts;
    inside->pem = yl_strdup(opts->root_ca);
    inside->root_ca.pem = yl_str_c(inside->pem);
    inside->tokens = (struct yl_secret_tokens) {
        .root_ca = inside->root_ca.pem, .sign = sign, .sign_aux = inside,
    };
    r = new_manager(inside, err);
    if (r == 0) {
        r = add_all(inside, err);
    }
    if (r == 0 && inside->n_members) {
        r = yl_manager_start(inside->manager, err);
    }
    if (r < 0 || !inside->n_members) {
        release(inside);
        inside = NULL;
    }
    if (r == 0) {
        *ret_inside = inside;
    }
    return r;
}

void
yl_inside_stop(struct yl_inside *inside)
{
    if (inside) {
        yl_manager_stop(inside->manager);
        (void) yl_manager_join(inside->manager, NULL);
        release(inside);
    }
}

bool
yl_inside_is_idle(struct yl_inside *inside)
{
    return !inside || (yl_manager_is_ready(inside->manager)
                       && yl_manager_is_idle(inside->manager));
}

static int
new_manager(struct yl_inside *inside, struct yl_error *err)
{
    const struct yl_informer_factory_opts informers = {
        .as_is = true,
        .never_pack = true,
        .new_source = new_source,
        .free_source = free_source,
        .source_aux = inside,
    };
    struct yl_manager_opts opts = {
        .stop_timeout = STOP_TIMEOUT,
        .informers = &informers,
    };
    int r = actor_init(&inside->actor, inside->opts.http, &manager_user, err);

    if (r < 0) {
        return r;
    }
    opts.client = inside->actor.client;
    return yl_manager_new(&opts, &inside->manager, err);
}

static int
add_all(struct yl_inside *inside, struct yl_error *err)
{
    int r = add(inside, &yl_service_account_controller, &service_account_user,
                NULL, err);

    if (r == 0 && inside->root_ca.pem.size) {
        r = add(inside, &yl_root_ca_controller, &root_ca_user,
                &inside->root_ca, err);
    }
    if (r == 0) {
        r = add(inside, &yl_secret_token_controller, &manager_user,
                &inside->tokens, err);
    }
    return r;
}

/* Adds a controller, if it is chosen. */
static int
add(struct yl_inside *inside, const struct yl_controller *table,
    const struct yl_user *user, void *aux, struct yl_error *err)
{
    struct member *member = &inside->members[inside->n_members];
    int r;

    if (!yl_controllers_is_chosen(inside->opts.names, inside->opts.n_names,
                                  table->name)) {
        return 0;
    }
    if (aux == &inside->tokens) {
        inside->tokens.secrets = secrets_of(inside);
    }
    r = actor_init(&member->actor, inside->opts.http, user, err);
    if (r < 0) {
        return r;
    }
    inside->n_members++;
    member->table = *table;
    member->table.client = member->actor.client;
    member->table.aux = aux;
    return yl_manager_add(inside->manager, &member->table, err);
}

static int
actor_init(struct actor *actor, struct yl_http_server *http,
           const struct yl_user *user, struct yl_error *err)
{
    const struct yl_client_config config = {
        .server = "http://localhost",
        .connect = connect_inside,
        .connect_aux = actor,
        .connect_is_quick = true,
        .user_agent = "kube-controller-manager/yuloh",
    };

    actor->http = http;
    actor->user = user;
    return yl_client_new(&config, NULL, &actor->client, err);
}

static int
connect_inside(void *actor_, struct yl_cancel *cancel YL_UNUSED, int *ret_fd,
               struct yl_error *err)
{
    const struct actor *actor = actor_;

    return yl_http_server_connect(actor->http, false, actor->user, ret_fd,
                                  err);
}

static int
sign(void *inside_, const struct yl_secret_token *what, struct yl_buf *token,
     struct yl_error *err)
{
    const struct yl_inside *inside = inside_;
    struct yl_arena *arena = yl_arena_new();
    const struct yl_token_claims claims = {
        .issuer = YL_STR_INIT(YL_TOKEN_LEGACY_ISSUER),
        .subject = yl_token_user_name(arena, what->namespace_, what->account),
        .expires = YL_TOKEN_NEVER,
        .not_before = INT64_MIN,
        .issued = INT64_MIN,
        .namespace_ = what->namespace_,
        .account = { true, what->account, what->account_uid },
        .secret = { true, what->secret, YL_STR_INIT("") },
    };
    int r = yl_service_accounts_issue(inside->opts.server->service_accounts,
                                      &claims, token, err);

    yl_arena_free(arena);
    return r;
}

/* The store that the controller of tokens watches Secrets in. */
static struct yl_store *
secrets_of(struct yl_inside *inside)
{
    const struct yl_resource secrets = yl_resource_of(&core_v1_secret_kind);
    const struct yl_informer_scope scope = {
        .field_selector = yl_str_c(yl_secret_tokens_selector),
    };

    return yl_informer_store(yl_informer_factory_get(
        yl_manager_factory(inside->manager), &secrets, &scope));
}

static struct yl_lister_watcher *
new_source(void *inside_, struct yl_loop *loop,
           const struct yl_resource *resource,
           const struct yl_informer_scope *scope)
{
    const struct yl_inside *inside = inside_;
    struct yl_apiserver *server = inside->opts.server;
    const struct yl_api_resource *found;
    const struct yl_api_version *version;
    struct yl_local_source *source;

    if (yl_registry_find(server->registry, resource->gvr, &found, &version)
        < 0) {
        return NULL;
    }
    source = yl_local_source_new(&(struct yl_local_source_opts) {
        .keyspace = server->keyspace,
        .loop = loop,
        .resource = found,
        .namespace_ = scope->namespace_,
        .label_selector = scope->label_selector,
        .field_selector = scope->field_selector,
    });
    yl_api_resource_unref(found);
    return yl_local_source_lister_watcher(source);
}

static void
free_source(void *inside YL_UNUSED, struct yl_lister_watcher *source)
{
    yl_local_source_free(yl_local_source_of(source));
}

static void
release(struct yl_inside *inside)
{
    size_t i;

    yl_manager_free(inside->manager);
    yl_client_unref(inside->actor.client);
    for (i = 0; i < inside->n_members; i++) {
        yl_client_unref(inside->members[i].actor.client);
    }
    free(inside->pem);
    free(inside);
}
