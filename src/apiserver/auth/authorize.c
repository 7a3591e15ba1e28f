/* Authorization.  See apiserver/auth/authorize.h. */

#include "apiserver/auth/authorize.h"

#include <stdlib.h>

#include "apiserver/auth/rbac.h"
#include "apiserver/auth/user.h"
#include "apiserver/info.h"
#include "apiserver/registry/registry.h"
#include "apiserver/request.h"
#include "apiserver/server.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/quote.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/status.h"

/* The longest message, in which paths and names are repeated. */
#define MAX_MESSAGE ((size_t) 1 << 20)

#define RBAC_GROUP "rbac.authorization.k8s.io"

struct yl_authorizer {
    bool allow_all;
    struct yl_rbac *rbac;
};

static struct yl_ks_resource *objects(struct yl_registry *,
                                      const char *plural);
static void describe(const struct yl_attributes *, struct yl_buf *);
static struct yl_str escape_html(struct yl_arena *, struct yl_str);

int
yl_authorizer_new(const struct yl_authorizer_opts *opts,
                  struct yl_authorizer **ret_authorizer,
                  struct yl_error *err)
{
    struct yl_registry *registry = opts->registry;
    const struct yl_rbac_opts rbac = {
        .keyspace = opts->keyspace,
        .cluster_roles = objects(registry, "clusterroles"),
        .cluster_role_bindings = objects(registry, "clusterrolebindings"),
        .roles = objects(registry, "roles"),
        .role_bindings = objects(registry, "rolebindings"),
    };
    struct yl_authorizer *authorizer = yl_zalloc(sizeof *authorizer);
    int r = yl_rbac_new(&rbac, &authorizer->rbac, err);

    if (r < 0) {
        free(authorizer);
        return r;
    }
    authorizer->allow_all = opts->allow_all;
    *ret_authorizer = authorizer;
    return 0;
}

void
yl_authorizer_free(struct yl_authorizer *authorizer)
{
    if (authorizer) {
        yl_rbac_free(authorizer->rbac);
        free(authorizer);
    }
}

bool
yl_authorize(struct yl_authorizer *authorizer,
             const struct yl_attributes *attributes, struct yl_arena *arena,
             struct yl_str *ret_reason)
{
    if (authorizer->allow_all
        || yl_user_in_group(attributes->user, YL_STR("system:masters"))) {
        if (ret_reason) {
            *ret_reason = YL_STR("");
        }
        return true;
    }
    return yl_rbac_authorize(authorizer->rbac, attributes, arena, ret_reason);
}

struct yl_policy
yl_authorizer_rules(struct yl_authorizer *authorizer,
                    const struct yl_user *user, struct yl_str namespace_,
                    struct yl_arena *arena, struct yl_str *ret_errors)
{
    if (authorizer->allow_all) {
        *ret_errors = YL_STR("");
        return yl_policy_everything();
    }
    return yl_rbac_rules(authorizer->rbac, user, namespace_, arena,
                         ret_errors);
}

struct yl_rbac *
yl_authorizer_rbac(struct yl_authorizer *authorizer)
{
    return authorizer->rbac;
}

struct yl_attributes
yl_attributes_of(const struct yl_request_info *info,
                 const struct yl_user *user)
{
    return (struct yl_attributes) {
        .user = user,
        .verb = info->verb,
        .is_resource = info->is_resource,
        .path = info->path,
        .group = info->group,
        .version = info->version,
        .resource = info->resource,
        .subresource = info->subresource,
        .namespace_ = info->namespace_,
        .name = info->name,
    };
}

int
yl_authorize_verb(const struct yl_api_request *req, const char *verb,
                  struct yl_status *status)
{
    struct yl_attributes attributes = yl_attributes_of(&req->info, req->user);
    struct yl_str reason;

    attributes.verb = yl_str_c(verb);
    return yl_authorize(req->server->authorizer, &attributes, req->arena,
                        &reason)
           ? 0 : yl_attributes_refuse(&attributes, req->arena, reason,
                                      status);
}

int
yl_attributes_refuse(const struct yl_attributes *attributes,
                     struct yl_arena *arena, struct yl_str reason,
                     struct yl_status *status)
{
    const struct yl_gvr gvr = {
        attributes->group, attributes->version, attributes->resource
    };
    struct yl_buf text;
    struct yl_str why;

    yl_buf_init(&text, MAX_MESSAGE);
    describe(attributes, &text);
    why = escape_html(arena, yl_buf_str(&text));
    if (!yl_str_is_empty(reason)) {
        why = yl_str_c(yl_arena_printf(arena, "%.*s: %.*s", YL_STR_ARG(why),
                                       YL_STR_ARG(reason)));
    }
    yl_buf_release(&text);
    return yl_status_forbidden(status, gvr, attributes->name, why);
}

static struct yl_ks_resource *
objects(struct yl_registry *registry, const char *plural)
{
    return yl_registry_builtin(registry, RBAC_GROUP, plural)->objects;
}

static void
describe(const struct yl_attributes *attributes, struct yl_buf *text)
{
    yl_buf_append_c(text, "User ");
    yl_quote_excerpt(text, attributes->user->name);
    yl_buf_printf(text, " cannot %.*s ", YL_STR_ARG(attributes->verb));
    if (!attributes->is_resource) {
        yl_buf_append_c(text, "path ");
        yl_quote_excerpt(text, attributes->path);
        return;
    }
    yl_buf_append_c(text, "resource ");
    if (yl_str_is_empty(attributes->subresource)) {
        yl_quote_excerpt(text, attributes->resource);
    } else {
        struct yl_buf both;

        yl_buf_init(&both, MAX_MESSAGE);
        yl_buf_printf(&both, "%.*s/%.*s", YL_STR_ARG(attributes->resource),
                      YL_STR_ARG(attributes->subresource));
        yl_quote_excerpt(text, yl_buf_str(&both));
        yl_buf_release(&both);
    }
    yl_buf_append_c(text, " in API group ");
    yl_quote_excerpt(text, attributes->group);
    if (yl_str_is_empty(attributes->namespace_)) {
        yl_buf_append_c(text, " at the cluster scope");
    } else {
        yl_buf_append_c(text, " in the namespace ");
        yl_quote_excerpt(text, attributes->namespace_);
    }
}

/* The message repeats the path, and a browser may show it, so it must not
 * contain HTML. */
static struct yl_str
escape_html(struct yl_arena *arena, struct yl_str s)
{
    struct yl_buf out;
    struct yl_str copy;

    yl_buf_init(&out, 8 * MAX_MESSAGE);
    yl_quote_html(&out, s);
    copy = yl_arena_copy(arena, yl_buf_str(&out));
    yl_buf_release(&out);
    return copy;
}
