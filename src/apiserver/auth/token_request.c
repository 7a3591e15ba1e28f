/* TokenRequest.  See apiserver/auth/token_request.h.
 *
 * It goes through the steps of a write, for the sake of admission, with the
 * ServiceAccount as the object that is written to; but the proposal is to
 * write nothing. */

#include "apiserver/auth/token_request.h"

#include "apiserver/auth/audit.h"
#include "apiserver/auth/service_accounts.h"
#include "apiserver/auth/token_claims.h"
#include "apiserver/own/own.h"
#include "apiserver/server.h"
#include "apiserver/verbs/body.h"
#include "apiserver/verbs/steps.h"
#include "base/random.h"
#include "json/member.h"
#include "schema/at.h"
#include "schema/normalize.h"
#include "yuloh/api/authentication_v1.h"
#include "yuloh/arena.h"
#include "yuloh/time.h"

#define GROUP "authentication.k8s.io"
#define DEFAULT_SECONDS 3600
#define MIN_SECONDS 600
#define MAX_SECONDS (INT64_C(1) << 32)

/* A Pod asks for this time by default.  Its token really lasts for a year, and
 * its use after this time is recorded, so that programs which never read it
 * again go on working. */
#define WARN_SECONDS 3607
#define EXTENDED_SECONDS (365 * 24 * 3600)

#define MAX_TOKEN ((size_t) 128 << 10)

struct token_request {
    struct yl_write write;
    struct yl_node *managed;    /* managedFields of the request; or NULL. */
    struct yl_buf answer;       /* JSON. */
};

/* A TokenRequest as a resource of its own, for what owns its fields. */
static const struct yl_api_version request_version = {
    .group = YL_STR_INIT(GROUP),
    .version = YL_STR_INIT("v1"),
    .kind = &authentication_v1_token_request_kind,
    .hub = true,
};
static const struct yl_api_resource request_resource = {
    .group = YL_STR_INIT(GROUP),
    .plural = YL_STR_INIT("tokenrequests"),
    .kind = YL_STR_INIT("TokenRequest"),
    .namespaced = true,
    .versions = &request_version,
    .n_versions = 1,
    .strategy = &yl_strategy_plain,
};

static int decode(struct yl_write *, struct yl_status *);
static struct yl_node *own(struct yl_write *, const struct yl_node *root);
static int propose(struct yl_write *, struct yl_status *);
static int check_identity(struct yl_write *, struct yl_node *metadata,
                          struct yl_status *);
static int check_expiration(struct yl_write *, int64_t seconds,
                            struct yl_status *);
static int bind(struct yl_write *, const struct yl_at *ref,
                struct yl_token_claims *, struct yl_status *);
static int bind_pod(struct yl_write *, struct yl_str name,
                    struct yl_token_claims *, struct yl_status *);
static int find(struct yl_write *, const char *plural,
                struct yl_str namespace_, struct yl_str name,
                struct yl_object **ret_object, struct yl_status *);
static void read_audiences(struct yl_write *, struct yl_node *spec,
                           struct yl_token_claims *);
static bool is_for_api(const struct yl_service_accounts *,
                       const struct yl_token_claims *);
static int answer(struct yl_write *, struct yl_node *root,
                  const struct yl_token_claims *, int64_t seconds,
                  struct yl_status *);
static void finish(struct yl_write *);
static void release(void *request);

static const struct yl_write_ops ops = {
    .operation = YL_OPERATION_CREATE,
    .decode = decode,
    .propose = propose,
    .order = true,
    .unowned = true,
};

enum yl_step
yl_service_accounts_serve(struct yl_api_request *req)
{
    struct yl_status status = YL_STATUS_INIT;
    struct token_request *request;
    int r;

    if (!req->subresource || req->subresource->what != YL_SUB_TOKEN) {
        return YL_STEP_NEXT;
    }
    request = yl_write_new(req, sizeof *request, &ops);
    yl_buf_init(&request->answer, req->server->opts.max_body + MAX_TOKEN);
    yl_arena_attach(req->arena, release, request);
    r = yl_body_begin(req, &status);
    if (r == 0) {
        r = yl_write_options_read(req, YL_WRITE_CREATE,
                                  &request->write.options, &status);
    }
    if (r < 0) {
        return yl_api_respond_status(req, &status);
    }
    request->write.dry_run = request->write.options.dry_run;
    request->write.finish = finish;
    return yl_write_go(&request->write);
}

static int
decode(struct yl_write *w, struct yl_status *status)
{
    struct token_request *request = YL_CONTAINER_OF(w, struct token_request,
                                                    write);
    struct yl_node *root;
    int r = yl_body_object(w->request, w->arena,
                           &authentication_v1_token_request_kind,
                           w->options.field_validation, &root, status);

    if (r == 0) {
        r = yl_write_check_namespace(w, root, status);
    }
    if (r < 0) {
        return r;
    }
    yl_member_default_int_ptr(w->arena, yl_member_make(w->arena, root, "spec"),
                              "expirationSeconds", DEFAULT_SECONDS);
    yl_member_drop(yl_member_object(root, "metadata"), "managedFields");
    request->managed = own(w, root);
    w->sent = root;
    return 0;
}

/* The managedFields that the request has as any object that is created. */
static struct yl_node *
own(struct yl_write *w, const struct yl_node *root)
{
    struct yl_ownership o = {
        .request = w->request,
        .arena = w->arena,
        .resource = &request_resource,
        .version = &request_version,
        .subresource = YL_SUB_TOKEN,
        .part = YL_STR("token"),
        .manager = yl_own_manager(w->arena, w->request,
                                  w->options.field_manager),
        .now = yl_time_now(),
        .object = yl_node_copy(w->arena, root),
    };
    struct yl_status ignored = YL_STATUS_INIT;
    struct yl_node *managed;

    if (!w->request->server->opts.own
        || yl_normalize(w->arena,
                        yl_kind_type(&authentication_v1_token_request_kind),
                        o.object, NULL, NULL) < 0
        || w->request->server->opts.own(&o, &ignored) < 0) {
        yl_status_clear(&ignored);
        return NULL;
    }
    managed = yl_member_array(yl_member_object(o.object, "metadata"),
                              "managedFields");
    return managed ? yl_node_copy(w->arena, managed) : NULL;
}

/* The checks stand in upstream's order. */
static int
propose(struct yl_write *w, struct yl_status *status)
{
    const struct yl_service_account_opts *opts =
        yl_service_accounts_opts(w->request->server->service_accounts);
    struct yl_node *spec = yl_member_make(w->arena, w->sent, "spec");
    struct yl_at at = yl_at_root(spec), ref = yl_at(&at, "boundObjectRef");
    int64_t seconds = yl_at_get_int(&at, "expirationSeconds");
    struct yl_token_claims claims = { .issued = yl_time_now().seconds };
    int r = check_identity(w, yl_member_make(w->arena, w->sent, "metadata"),
                           status);

    if (r == 0) {
        r = check_expiration(w, seconds, status);
    }
    if (r == 0) {
        claims.namespace_ = w->key.namespace_;
        claims.account = (struct yl_token_ref) {
            true, w->key.name, yl_object_uid(w->base),
        };
        read_audiences(w, spec, &claims);
        r = yl_at_has(&ref) ? bind(w, &ref, &claims, status) : 0;
    }
    if (r < 0) {
        return r;
    }
    if (opts->max_expiration > 0 && seconds > opts->max_expiration) {
        yl_api_warn(w->request, "requested expiration of %lld seconds "
                    "shortened to %lld seconds", (long long) seconds,
                    (long long) opts->max_expiration);
        seconds = opts->max_expiration;
        yl_member_set(w->arena, spec, "expirationSeconds",
                      yl_node_new_int64(w->arena, seconds));
    }
    return answer(w, w->sent, &claims, seconds, status);
}

/* Checks that the request is about the ServiceAccount of the path, and fills
 * in the name and uid of that. */
static int
check_identity(struct yl_write *w, struct yl_node *metadata,
               struct yl_status *status)
{
    static const struct yl_gvk gvk = {
        YL_STR_INIT(GROUP), YL_STR_INIT("v1"), YL_STR_INIT("TokenRequest"),
    };
    static const struct yl_gvr gvr = {
        YL_STR_INIT(GROUP), YL_STR_INIT("v1"), YL_STR_INIT("TokenRequest"),
    };
    struct yl_str name = yl_write_text(w, metadata, "name");
    struct yl_str uid = yl_write_text(w, metadata, "uid"), own_uid;
    struct yl_error faults = YL_ERROR_INIT;
    char now[YL_TIME_TEXT_SIZE];
    int r;

    if (name.size && !yl_str_equal(name, w->key.name)) {
        struct yl_at at = yl_at_root(w->sent);
        struct yl_at meta = yl_at(&at, "metadata");
        struct yl_at field = yl_at(&meta, "name");

        yl_field_invalid(&faults, yl_at_path(&field), yl_bad_string(name),
                         "must match the service account name if specified");
        r = yl_status_invalid(status, gvk, w->key.name, &faults);
        yl_error_clear(&faults);
        return r;
    }
    if (!w->base) {
        return yl_status_not_found(status, yl_write_gvr(w), w->key.name);
    }
    own_uid = yl_object_uid(w->base);
    if (uid.size && !yl_str_equal(uid, own_uid)) {
        return yl_status_conflict(status, gvr, w->key.name, yl_str_c(
            yl_arena_printf(w->arena, "the UID in the token request (%.*s) "
                            "does not match the UID of the service account "
                            "(%.*s)", YL_STR_ARG(uid), YL_STR_ARG(own_uid))));
    }
    yl_member_set(w->arena, metadata, "name",
                  yl_node_new_string(w->arena, w->key.name));
    yl_member_set(w->arena, metadata, "uid",
                  yl_node_new_string(w->arena, own_uid));
    yl_time_write((struct yl_time) { yl_time_now().seconds, 0 }, now);
    yl_member_set_str(w->arena, metadata, "creationTimestamp", now);
    return 0;
}

static int
check_expiration(struct yl_write *w, int64_t seconds,
                 struct yl_status *status)
{
    static const struct yl_gvk gvk = {
        YL_STR_INIT(GROUP), YL_STR_INIT("v1"), YL_STR_INIT("TokenRequest"),
    };
    struct yl_at root = yl_at_root(w->sent), spec = yl_at(&root, "spec");
    struct yl_at field = yl_at(&spec, "expirationSeconds");
    struct yl_error faults = YL_ERROR_INIT;
    int r = 0;

    if (seconds < MIN_SECONDS) {
        yl_field_invalid(&faults, yl_at_path(&field), yl_bad_int(seconds),
                         "may not specify a duration less than 10 minutes");
    }
    if (seconds > MAX_SECONDS) {
        yl_field_invalid(&faults, yl_at_path(&field), yl_bad_int(seconds),
                         "may not specify a duration larger than 2^32 "
                         "seconds");
    }
    if (faults.n_causes) {
        r = yl_status_invalid(status, gvk, YL_STR(""), &faults);
    }
    yl_error_clear(&faults);
    return r;
}

/* Binds the token to the object that the request names. */
static int
bind(struct yl_write *w, const struct yl_at *ref,
     struct yl_token_claims *claims, struct yl_status *status)
{
    struct yl_check c = { w->arena, NULL };
    struct yl_str kind = yl_at_get_str(&c, ref, "kind");
    struct yl_str name = yl_at_get_str(&c, ref, "name");
    struct yl_str uid = yl_at_get_str(&c, ref, "uid");
    struct yl_gv gv = { YL_STR_INIT(""), YL_STR_INIT("") };
    struct yl_gvr gvr = { .resource = kind };
    struct yl_token_ref *bound;
    struct yl_object *object = NULL;
    int r;

    /* A version that cannot be read is none. */
    (void) yl_gv_parse(yl_at_get_str(&c, ref, "apiVersion"), &gv, NULL);
    if (!gv.group.size && yl_str_equal_c(kind, "Pod")) {
        bound = &claims->pod;
        r = bind_pod(w, name, claims, status);
    } else if (!gv.group.size && yl_str_equal_c(kind, "Node")) {
        bound = &claims->node;
        r = find(w, "nodes", YL_STR(""), name, &object, status);
    } else if (!gv.group.size && yl_str_equal_c(kind, "Secret")) {
        bound = &claims->secret;
        r = find(w, "secrets", w->key.namespace_, name, &object, status);
    } else {
        return yl_status_bad_request(status, yl_str_c(yl_arena_printf(
            w->arena, "cannot bind token to object of type %.*s/%.*s, "
            "Kind=%.*s", YL_STR_ARG(gv.group), YL_STR_ARG(gv.version),
            YL_STR_ARG(kind))));
    }
    if (r < 0) {
        return r;
    }
    if (object) {
        *bound = (struct yl_token_ref) {
            true, name, yl_arena_copy(w->arena, yl_object_uid(object)),
        };
        yl_object_unref(object);
    }
    if (uid.size && !yl_str_equal(uid, bound->uid)) {
        return yl_status_conflict(status, gvr, name, yl_str_c(
            yl_arena_printf(w->arena, "the UID in the bound object reference "
                            "(%.*s) does not match the UID in record. The "
                            "object might have been deleted and then "
                            "recreated", YL_STR_ARG(uid))));
    }
    return 0;
}

/* A Pod must run as the account.  The token tells its node, too. */
static int
bind_pod(struct yl_write *w, struct yl_str name,
         struct yl_token_claims *claims, struct yl_status *status)
{
    struct yl_registry *registry = w->request->server->registry;
    struct yl_str account = YL_STR(""), node_name = YL_STR("");
    struct yl_object *pod, *node;
    struct yl_json spec;
    uint64_t revision;
    int r = find(w, "pods", w->key.namespace_, name, &pod, status);

    if (r < 0) {
        return r;
    }
    spec = yl_object_field(pod, w->arena, "spec");
    (void) yl_json_string(yl_json_get(spec, YL_STR("serviceAccountName")),
                          w->arena, &account);
    (void) yl_json_string(yl_json_get(spec, YL_STR("nodeName")), w->arena,
                          &node_name);
    claims->pod = (struct yl_token_ref) {
        true, name, yl_arena_copy(w->arena, yl_object_uid(pod)),
    };
    if (node_name.size) {
        claims->node = (struct yl_token_ref) {
            true, yl_arena_copy(w->arena, node_name), YL_STR_INIT(""),
        };
    }
    account = yl_arena_copy(w->arena, account);
    yl_object_unref(pod);
    if (!yl_str_equal(account, w->key.name)) {
        return yl_status_bad_request(status, yl_str_c(yl_arena_printf(
            w->arena, "cannot bind token for serviceaccount \"%.*s\" to pod "
            "running with different serviceaccount name.",
            YL_STR_ARG(w->key.name))));
    }
    if (node_name.size
        && yl_ks_get(yl_registry_builtin(registry, "", "nodes")->objects,
                     yl_key_make(YL_STR(""), claims->node.name), &node,
                     &revision) == 0) {
        claims->node.uid = yl_arena_copy(w->arena, yl_object_uid(node));
        yl_object_unref(node);
    }
    return 0;
}

static int
find(struct yl_write *w, const char *plural, struct yl_str namespace_,
     struct yl_str name, struct yl_object **ret_object,
     struct yl_status *status)
{
    const struct yl_api_resource *resource =
        yl_registry_builtin(w->request->server->registry, "", plural);
    struct yl_gvr gvr = { .resource = resource->plural };
    uint64_t revision;

    if (!name.size) {
        return yl_status_bad_request(status,
                                     YL_STR("Name parameter required."));
    }
    return yl_ks_get(resource->objects, yl_key_make(namespace_, name),
                     ret_object, &revision) < 0
           ? yl_status_not_found(status, gvr, name) : 0;
}

/* The audiences of the request; those of the API if it names none. */
static void
read_audiences(struct yl_write *w, struct yl_node *spec,
               struct yl_token_claims *claims)
{
    struct yl_node *list = yl_member_array(spec, "audiences"), *item;
    struct yl_str *all;
    size_t i = 0;

    if (!list || !list->n) {
        const struct yl_str *own = yl_service_accounts_audiences(
            w->request->server->service_accounts, &claims->n_audiences);

        claims->audiences = own;
        list = yl_node_new_array(w->arena);
        for (i = 0; i < claims->n_audiences; i++) {
            yl_node_append(list, yl_node_new_string(w->arena, own[i]));
        }
        yl_member_set(w->arena, spec, "audiences", list);
        return;
    }
    all = yl_arena_array(w->arena, list->n, sizeof *all);
    YL_NODE_FOR_EACH (item, list) {
        all[i] = YL_STR("");
        (void) yl_node_string(item, w->arena, &all[i++]);
    }
    claims->audiences = all;
    claims->n_audiences = i;
}

/* Is each of the token's audiences one of the API's? */
static bool
is_for_api(const struct yl_service_accounts *accounts,
           const struct yl_token_claims *claims)
{
    size_t n, i, j;
    const struct yl_str *own = yl_service_accounts_audiences(accounts, &n);

    for (i = 0; i < claims->n_audiences; i++) {
        for (j = 0; j < n && !yl_str_equal(claims->audiences[i], own[j]);) {
            j++;
        }
        if (j == n) {
            return false;
        }
    }
    return true;
}

/* Makes the token, and the answer that carries it. */
static int
answer(struct yl_write *w, struct yl_node *root,
       const struct yl_token_claims *found, int64_t seconds,
       struct yl_status *status)
{
    struct token_request *request = YL_CONTAINER_OF(w, struct token_request,
                                                    write);
    struct yl_service_accounts *accounts =
        w->request->server->service_accounts;
    struct yl_token_claims claims = *found;
    char id[YL_UUID_LENGTH + 1], until[YL_TIME_TEXT_SIZE];
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *state;
    struct yl_buf token;
    int r;

    yl_random_uuid(id);
    claims.id = yl_str_c(id);
    claims.subject = yl_token_user_name(w->arena, claims.namespace_,
                                        claims.account.name);
    claims.not_before = claims.issued;
    claims.expires = claims.issued + seconds;
    if (!yl_service_accounts_opts(accounts)->exact_expiration
        && claims.pod.is_set && seconds == WARN_SECONDS
        && is_for_api(accounts, &claims)) {
        claims.warn_after = claims.expires;
        claims.expires = claims.issued + EXTENDED_SECONDS;
    }
    yl_buf_init(&token, MAX_TOKEN);
    r = yl_service_accounts_issue(accounts, &claims, &token, &err);
    if (r < 0) {
        yl_error_prefix(&err, "failed to generate token");
        r = yl_status_internal(status, yl_str_c(yl_error_message(&err)));
        yl_error_clear(&err);
        yl_buf_release(&token);
        return r;
    }
    yl_time_write((struct yl_time) { claims.issued + seconds, 0 }, until);
    state = yl_node_new_object(w->arena);
    yl_member_set(w->arena, root, "status", state);
    yl_member_set(w->arena, state, "token",
                  yl_node_new_string(w->arena, yl_arena_copy(
                      w->arena, yl_buf_str(&token))));
    yl_member_set_str(w->arena, state, "expirationTimestamp", until);
    yl_buf_release(&token);
    if (request->managed) {
        yl_member_set(w->arena, yl_member_object(root, "metadata"),
                      "managedFields", request->managed);
    }
    r = yl_normalize(w->arena,
                     yl_kind_type(&authentication_v1_token_request_kind),
                     root, NULL, &err);
    if (r == 0) {
        yl_node_write(&request->answer, root);
        r = yl_buf_error(&request->answer);
    }
    if (r == 0 && w->request->audit) {
        w->request->audit->issued = yl_str_c(
            yl_arena_printf(w->request->arena, "JTI=%s", id));
    }
    if (r < 0) {
        r = yl_status_internal(status, YL_STR("the answer is too large"));
    }
    yl_error_clear(&err);
    return r;
}

static void
finish(struct yl_write *w)
{
    struct token_request *request = YL_CONTAINER_OF(w, struct token_request,
                                                    write);

    if (w->result < 0) {
        yl_api_respond_status(w->request, &w->status);
    } else {
        yl_api_respond_document(w->request, 201, NULL,
                                yl_buf_str(&request->answer));
    }
}

static void
release(void *request)
{
    yl_buf_release(&((struct token_request *) request)->answer);
}
