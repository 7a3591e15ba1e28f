/* serviceaccount-token-controller: tokens in Secrets.
 *
 *     Secret of type kubernetes.io/service-account-token
 *       annotation kubernetes.io/service-account.name -> account
 *       account there: data.token, data["ca.crt"], data.namespace
 *       account gone:  the Secret is deleted
 *
 * Programs of today ask for a token that expires (TokenRequest); these are for
 * those that cannot. */

#include "controllers/controllers.h"
#include "json/base64.h"
#include "json/member.h"
#include "json/tree.h"
#include "yuloh/api/core_v1.h"
#include "yuloh/arena.h"
#include "yuloh/client.h"
#include "yuloh/store.h"

#define TYPE "kubernetes.io/service-account-token"
#define NAME_KEY "kubernetes.io/service-account.name"
#define UID_KEY "kubernetes.io/service-account.uid"
#define MAX_TOKEN ((size_t) 64 << 10)
#define MAX_VALUE ((size_t) 2 << 20)

/* The account whose Secrets are looked for. */
struct search {
    struct yl_enqueuer *enqueuer;
    const struct yl_object *account;
    struct yl_arena *arena;
};

const char yl_secret_tokens_selector[] = "type=" TYPE;

static int find_account(struct yl_request *, struct yl_str name,
                        struct yl_str uid, struct yl_str *ret_uid);
static int fill(struct yl_request *, struct yl_str account,
                struct yl_str uid);
static bool is_filled(struct yl_request *, const struct yl_node *secret);
static bool has_value(const struct yl_node *data, const char *name);
static void set_value(struct yl_arena *, struct yl_node *data,
                      const char *name, struct yl_str bytes);
static int set_token(struct yl_request *, struct yl_node *data,
                     struct yl_str account, struct yl_str uid);
static int update(struct yl_request *, const struct yl_node *secret);
static bool add_secret(void *search, const struct yl_versioned *secret);

static int
reconcile(struct yl_request *req)
{
    const struct yl_object *secret = yl_request_object(req);
    struct yl_arena *arena = yl_request_arena(req);
    struct yl_str name, uid, own_uid;
    int r;

    if (!secret || yl_object_is_deleting(secret)) {
        return 0;
    }
    name = yl_object_annotation(secret, YL_STR(NAME_KEY), arena);
    uid = yl_object_annotation(secret, YL_STR(UID_KEY), arena);
    r = find_account(req, name, uid, &own_uid);
    if (r == YL_ENOTFOUND) {
        yl_error_clear(yl_request_error(req));
        return yl_request_delete(req, &core_v1_secret_kind,
                                 yl_request_key(req), yl_object_uid(secret));
    }
    return r < 0 ? r : fill(req, name, own_uid);
}

/* The uid of the account, which must be 'uid' unless that is empty.  Before it
 * is missed, the server is asked: the cache may be behind. */
static int
find_account(struct yl_request *req, struct yl_str name, struct yl_str uid,
             struct yl_str *ret_uid)
{
    struct yl_arena *arena = yl_request_arena(req);
    struct yl_resource accounts =
        yl_resource_of(&core_v1_service_account_kind);
    struct yl_key key = yl_key_make(yl_request_key(req)->namespace_, name);
    struct yl_versioned found;
    int r;

    if (yl_store_get(yl_request_store(req, &core_v1_service_account_kind),
                     &key, arena, &found)
        && (!uid.size || yl_str_equal(uid, yl_object_uid(found.object)))) {
        *ret_uid = yl_object_uid(found.object);
        return 0;
    }
    if (!name.size) {
        return YL_ENOTFOUND;
    }
    r = yl_client_get(yl_request_client(req), &accounts, &key,
                      yl_request_call_opts(req), &found,
                      yl_request_error(req));
    if (r < 0) {
        return r;
    }
    *ret_uid = yl_arena_copy(arena, yl_object_uid(found.object));
    yl_object_unref(found.object);
    return !uid.size || yl_str_equal(uid, *ret_uid) ? 0 : YL_ENOTFOUND;
}

/* Puts in what is missing. */
static int
fill(struct yl_request *req, struct yl_str account, struct yl_str uid)
{
    const struct yl_secret_tokens *tokens = yl_request_aux(req);
    struct yl_arena *arena = yl_request_arena(req);
    const struct yl_object_head head = {
        .type = { YL_STR_INIT("v1"), YL_STR_INIT("Secret") },
        .revision = yl_request_revision(req),
    };
    struct yl_node *root, *data, *annotations;
    int r = yl_tree_parse(arena, yl_object_json(yl_request_object(req), arena,
                                                &head), NULL, &root,
                          yl_request_error(req));

    if (r < 0 || is_filled(req, root)) {
        return r;
    }
    data = yl_member_make(arena, root, "data");
    annotations = yl_member_make(arena,
                                 yl_member_make(arena, root, "metadata"),
                                 "annotations");
    if (tokens->root_ca.size) {
        set_value(arena, data, "ca.crt", tokens->root_ca);
    }
    if (!has_value(data, "namespace")) {
        set_value(arena, data, "namespace", yl_request_key(req)->namespace_);
    }
    if (!has_value(data, "token")) {
        r = set_token(req, data, account, uid);
    }
    yl_member_set(arena, annotations, UID_KEY,
                  yl_node_new_string(arena, uid));
    return r < 0 ? r : update(req, root);
}

static bool
is_filled(struct yl_request *req, const struct yl_node *secret)
{
    const struct yl_secret_tokens *tokens = yl_request_aux(req);
    struct yl_arena *arena = yl_request_arena(req);
    const struct yl_node *data = yl_member_object(secret, "data");
    struct yl_str base64, ca = YL_STR("");

    if (yl_node_string(yl_node_get(data, YL_STR("ca.crt")), arena, &base64)
        == 0) {
        (void) yl_base64_decode(arena, base64, &ca);
    }
    return has_value(data, "token") && has_value(data, "namespace")
           && (!tokens->root_ca.size || yl_str_equal(ca, tokens->root_ca));
}

static bool
has_value(const struct yl_node *data, const char *name)
{
    return !yl_member_is_zero(data, name);
}

static void
set_value(struct yl_arena *arena, struct yl_node *data, const char *name,
          struct yl_str bytes)
{
    struct yl_buf base64;

    yl_buf_init(&base64, MAX_VALUE);
    yl_base64_write(&base64, bytes);
    yl_member_set(arena, data, name,
                  yl_node_new_string(arena, yl_arena_copy(
                      arena, yl_buf_str(&base64))));
    yl_buf_release(&base64);
}

static int
set_token(struct yl_request *req, struct yl_node *data,
          struct yl_str account, struct yl_str uid)
{
    const struct yl_secret_tokens *tokens = yl_request_aux(req);
    const struct yl_secret_token what = {
        .namespace_ = yl_request_key(req)->namespace_,
        .account = account,
        .account_uid = uid,
        .secret = yl_request_key(req)->name,
    };
    struct yl_buf token;
    int r;

    yl_buf_init(&token, MAX_TOKEN);
    r = tokens->sign(tokens->sign_aux, &what, &token, yl_request_error(req));
    if (r == 0) {
        set_value(yl_request_arena(req), data, "token", yl_buf_str(&token));
    }
    yl_buf_release(&token);
    return r;
}

static int
update(struct yl_request *req, const struct yl_node *secret)
{
    struct yl_buf json;
    int r;

    yl_buf_init(&json, YL_OBJECT_MAX_SIZE);
    yl_node_write(&json, secret);
    r = yl_request_update(req, &core_v1_secret_kind, yl_buf_str(&json), NULL);
    yl_buf_release(&json);
    return r;
}

/* An event of an account is about the Secrets that name it. */
static void
map_account(struct yl_enqueuer *enqueuer, const struct yl_object *account,
            const struct yl_object *old YL_UNUSED, void *tokens_)
{
    const struct yl_secret_tokens *tokens = tokens_;
    struct search search = { enqueuer, account, yl_arena_new() };
    const struct yl_store_filter filter = {
        .namespace_ = yl_object_namespace(account),
    };

    (void) yl_store_each(tokens->secrets, &filter, add_secret, &search, NULL);
    yl_arena_free(search.arena);
}

static bool
add_secret(void *search_, const struct yl_versioned *secret)
{
    struct search *search = search_;
    struct yl_key key = yl_object_key(secret->object);

    if (yl_str_equal(yl_object_annotation(secret->object, YL_STR(NAME_KEY),
                                          search->arena),
                     yl_object_name(search->account))) {
        yl_enqueue(search->enqueuer, &key);
    }
    return true;
}

const struct yl_controller yl_secret_token_controller = {
    .name = "serviceaccount-token-controller",
    .reconcile = reconcile,
    .watches = (const struct yl_watch[]) {
        { .for_ = &core_v1_secret_kind,
          .field_selector = yl_secret_tokens_selector },
        { .other = &core_v1_service_account_kind, .map = map_account },
        { .for_ = NULL },
    },
};
