/* Objects of tokens.  See apiserver/auth/token_alive.h for the contract. */

#include "apiserver/auth/token_alive.h"

#include <openssl/crypto.h>

#include "apiserver/auth/token_claims.h"
#include "apiserver/keyspace/keyspace.h"
#include "apiserver/registry/registry.h"
#include "json/base64.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/key.h"
#include "yuloh/object.h"
#include "yuloh/time.h"

#define INVALID_SINCE "kubernetes.io/legacy-token-invalid-since"

static int check_account(const struct yl_token_objects *, struct yl_arena *,
                         const struct yl_token_claims *, int64_t now,
                         struct yl_error *);
static int check_ref(struct yl_ks_resource *, struct yl_arena *,
                     struct yl_str namespace_, const struct yl_token_ref *,
                     const char *kind, int64_t now, struct yl_error *);
static int check_legacy_claims(struct yl_arena *,
                               const struct yl_token_claims *,
                               struct yl_error *);
static int check_stored_secret(const struct yl_token_objects *,
                               struct yl_arena *,
                               const struct yl_token_claims *,
                               struct yl_str token, struct yl_error *);
static int check_legacy_account(const struct yl_token_objects *,
                                const struct yl_token_claims *,
                                struct yl_error *);
static int no_account(const struct yl_token_claims *, struct yl_error *);
static bool is_deleted(struct yl_arena *, const struct yl_object *,
                       int64_t now);
static bool has_token(struct yl_arena *, const struct yl_object *secret,
                      struct yl_str token);
static struct yl_object *get(struct yl_ks_resource *,
                             struct yl_str namespace_, struct yl_str name);
static int refuse(struct yl_error *, const char *why);

void
yl_token_objects_init(struct yl_token_objects *objects,
                      struct yl_registry *registry, bool skip_secrets)
{
    *objects = (struct yl_token_objects) {
        .accounts = yl_registry_builtin(registry, "",
                                        "serviceaccounts")->objects,
        .pods = yl_registry_builtin(registry, "", "pods")->objects,
        .secrets = yl_registry_builtin(registry, "", "secrets")->objects,
        .nodes = yl_registry_builtin(registry, "", "nodes")->objects,
        .skip_secrets = skip_secrets,
    };
}

/* The node of a Pod's token is only told, not checked. */
int
yl_token_check_bound(const struct yl_token_objects *objects,
                     struct yl_arena *arena,
                     const struct yl_token_claims *claims, int64_t now,
                     struct yl_error *err)
{
    int r = check_account(objects, arena, claims, now, err);

    if (r == 0 && claims->secret.is_set) {
        r = check_ref(objects->secrets, arena, claims->namespace_,
                      &claims->secret, "secret", now, err);
    }
    if (r == 0 && claims->pod.is_set) {
        r = check_ref(objects->pods, arena, claims->namespace_, &claims->pod,
                      "pod", now, err);
    } else if (r == 0 && claims->node.is_set) {
        r = check_ref(objects->nodes, arena, YL_STR(""), &claims->node,
                      "node", now, err);
    }
    return r;
}

int
yl_token_check_secret(const struct yl_token_objects *objects,
                      struct yl_arena *arena,
                      const struct yl_token_claims *claims,
                      struct yl_str token, struct yl_error *err)
{
    int r = check_legacy_claims(arena, claims, err);

    if (r == 0 && !objects->skip_secrets) {
        r = check_stored_secret(objects, arena, claims, token, err);
    }
    return r;
}

static int
check_account(const struct yl_token_objects *objects, struct yl_arena *arena,
              const struct yl_token_claims *claims, int64_t now,
              struct yl_error *err)
{
    const struct yl_token_ref *ref = &claims->account;
    struct yl_object *account = get(objects->accounts, claims->namespace_,
                                    ref->name);
    int r = 0;

    if (!account) {
        return no_account(claims, err);
    }
    if (!yl_str_equal(yl_object_uid(account), ref->uid)) {
        r = yl_error_set(err, YL_EUNAUTHORIZED, "service account UID (%.*s) "
                         "does not match claim (%.*s)",
                         YL_STR_ARG(yl_object_uid(account)),
                         YL_STR_ARG(ref->uid));
    } else if (is_deleted(arena, account, now)) {
        r = yl_error_set(err, YL_EUNAUTHORIZED, "service account %.*s/%.*s "
                         "has been deleted", YL_STR_ARG(claims->namespace_),
                         YL_STR_ARG(ref->name));
    }
    yl_object_unref(account);
    return r;
}

static int
check_ref(struct yl_ks_resource *objects, struct yl_arena *arena,
          struct yl_str namespace_, const struct yl_token_ref *ref,
          const char *kind, int64_t now, struct yl_error *err)
{
    struct yl_object *object = get(objects, namespace_, ref->name);
    int r = 0;

    if (object && !yl_str_equal(yl_object_uid(object), ref->uid)) {
        r = yl_error_set(err, YL_EUNAUTHORIZED, "%s UID (%.*s) does not "
                         "match service account %s ref claim (%.*s)", kind,
                         YL_STR_ARG(yl_object_uid(object)), kind,
                         YL_STR_ARG(ref->uid));
    } else if (!object || is_deleted(arena, object, now)) {
        r = refuse(err, "service account token has been invalidated");
    }
    yl_object_unref(object);
    return r;
}

static int
check_legacy_claims(struct yl_arena *arena,
                    const struct yl_token_claims *claims,
                    struct yl_error *err)
{
    const struct {
        struct yl_str claim;
        const char *missing;
    } needed[] = {
        { claims->subject, "sub claim is missing" },
        { claims->namespace_, "namespace claim is missing" },
        { claims->secret.name, "secretName claim is missing" },
        { claims->account.name, "serviceAccountName claim is missing" },
        { claims->account.uid, "serviceAccountUID claim is missing" },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(needed); i++) {
        if (!needed[i].claim.size) {
            return refuse(err, needed[i].missing);
        }
    }
    /* A colon in a name would make another user of the same text. */
    if (yl_str_find_char(claims->namespace_, ':')
        || yl_str_find_char(claims->account.name, ':')
        || !yl_str_equal(claims->subject,
                         yl_token_user_name(arena, claims->namespace_,
                                            claims->account.name))) {
        return refuse(err, "sub claim is invalid");
    }
    return 0;
}

static int
check_stored_secret(const struct yl_token_objects *objects,
                    struct yl_arena *arena,
                    const struct yl_token_claims *claims,
                    struct yl_str token, struct yl_error *err)
{
    struct yl_object *secret = get(objects->secrets, claims->namespace_,
                                   claims->secret.name);
    int r;

    if (!secret || yl_object_is_deleting(secret)) {
        r = refuse(err, "Token has been invalidated");
    } else if (!has_token(arena, secret, token)) {
        r = refuse(err, "Token does not match server's copy");
    } else {
        r = check_legacy_account(objects, claims, err);
    }
    if (r == 0
        && yl_object_label(secret, YL_STR(INVALID_SINCE), arena).size) {
        r = yl_error_set(
            err, YL_EUNAUTHORIZED, "the token in secret %.*s/%.*s for service "
            "account %.*s/%.*s has been marked invalid. Use tokens from the "
            "TokenRequest API or manually created secret-based tokens, or "
            "remove the '%s' label from the secret to temporarily allow use "
            "of this token", YL_STR_ARG(claims->namespace_),
            YL_STR_ARG(claims->secret.name), YL_STR_ARG(claims->namespace_),
            YL_STR_ARG(claims->account.name), INVALID_SINCE);
    }
    yl_object_unref(secret);
    return r;
}

static int
check_legacy_account(const struct yl_token_objects *objects,
                     const struct yl_token_claims *claims,
                     struct yl_error *err)
{
    const struct yl_token_ref *ref = &claims->account;
    struct yl_object *account = get(objects->accounts, claims->namespace_,
                                    ref->name);
    int r = 0;

    if (!account) {
        return no_account(claims, err);
    }
    if (yl_object_is_deleting(account)) {
        r = yl_error_set(err, YL_EUNAUTHORIZED, "ServiceAccount %.*s/%.*s has "
                         "been deleted", YL_STR_ARG(claims->namespace_),
                         YL_STR_ARG(ref->name));
    } else if (!yl_str_equal(yl_object_uid(account), ref->uid)) {
        r = yl_error_set(err, YL_EUNAUTHORIZED, "ServiceAccount UID (%.*s) "
                         "does not match claim (%.*s)",
                         YL_STR_ARG(yl_object_uid(account)),
                         YL_STR_ARG(ref->uid));
    }
    yl_object_unref(account);
    return r;
}

static int
no_account(const struct yl_token_claims *claims, struct yl_error *err)
{
    return yl_error_set(err, YL_EUNAUTHORIZED,
                        "serviceaccounts \"%.*s\" not found",
                        YL_STR_ARG(claims->account.name));
}

/* Was it deleted, and is that longer ago than clocks may differ? */
static bool
is_deleted(struct yl_arena *arena, const struct yl_object *object,
           int64_t now)
{
    struct yl_json root;
    struct yl_time when;
    struct yl_str text;

    if (!yl_object_is_deleting(object)) {
        return false;
    }
    root = yl_json(yl_object_json(object, arena, NULL));
    return yl_json_string(yl_json_path(root, "metadata", "deletionTimestamp",
                                       (char *) NULL), arena, &text) < 0
           || yl_time_parse(text, &when, NULL) < 0
           || when.seconds < now - YL_TOKEN_LEEWAY;
}

static bool
has_token(struct yl_arena *arena, const struct yl_object *secret,
          struct yl_str token)
{
    struct yl_json data = yl_object_field(secret, arena, "data");
    struct yl_str base64, stored;

    return yl_json_string(yl_json_get(data, YL_STR("token")), arena, &base64)
               == 0
           && yl_base64_decode(arena, base64, &stored)
           && stored.size == token.size
           && CRYPTO_memcmp(stored.data, token.data, token.size) == 0;
}

/* A reference to an object, or NULL. */
static struct yl_object *
get(struct yl_ks_resource *objects, struct yl_str namespace_,
    struct yl_str name)
{
    struct yl_object *object;
    uint64_t revision;

    return yl_ks_get(objects, yl_key_make(namespace_, name), &object,
                     &revision) < 0 ? NULL : object;
}

static int
refuse(struct yl_error *err, const char *why)
{
    return yl_error_set(err, YL_EUNAUTHORIZED, "%s", why);
}
