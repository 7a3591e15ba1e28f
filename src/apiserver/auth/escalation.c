/* Escalation.  See apiserver/auth/escalation.h. */

#include "apiserver/auth/escalation.h"

#include "apiserver/admission/admission.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/auth/policy_cover.h"
#include "apiserver/auth/rbac.h"
#include "apiserver/auth/user.h"
#include "apiserver/request.h"
#include "apiserver/server.h"
#include "apiserver/verbs/write.h"
#include "base/quote.h"
#include "json/tree.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

#define RBAC "rbac.authorization.k8s.io"
#define MAX_TEXT ((size_t) 4 << 20)

static int check_role(const struct yl_admission *, struct yl_status *);
static int check_binding(const struct yl_admission *, struct yl_status *);
static int check_policy(const struct yl_admission *, struct yl_policy,
                        const char *instead, struct yl_status *);
static int refuse_kind(const struct yl_admission *, struct yl_str kind,
                       struct yl_status *);
static bool may(const struct yl_admission *, const char *verb,
                const char *resource, struct yl_str name);
static bool changes_only_links(const struct yl_admission *);
static bool aggregates(const struct yl_node *role);
static struct yl_gvr gvr_of(const struct yl_admission *);
static struct yl_str text_at(const struct yl_admission *, const char *member,
                             const char *name);

int
yl_rbac_check_escalation(const struct yl_admission *admission,
                         struct yl_status *status)
{
    struct yl_str plural = admission->resource->plural;

    if (!yl_str_equal(admission->resource->group, YL_STR(RBAC))
        || !admission->object
        || yl_user_in_group(admission->user, YL_STR("system:masters"))) {
        return 0;
    }
    return yl_str_equal(plural, YL_STR("roles"))
           || yl_str_equal(plural, YL_STR("clusterroles"))
           ? check_role(admission, status) : check_binding(admission, status);
}

static int
check_role(const struct yl_admission *admission, struct yl_status *status)
{
    const char *plural = yl_arena_strdup(admission->arena,
                                         admission->resource->plural);

    /* The name in the request's path, which a create does not have.  So, as in
     * upstream, permission to escalate a new role cannot be given by its
     * name. */
    struct yl_str name = admission->request ? admission->request->info.name
                                            : yl_str_null();
    int r;

    if (may(admission, "escalate", plural, name)
        || changes_only_links(admission)) {
        return 0;
    }
    r = check_policy(admission,
                     yl_policy_from_tree(admission->arena,
                                         yl_node_get(admission->object,
                                                     YL_STR("rules"))),
                     NULL, status);
    if (r == 0 && (aggregates(admission->object)
                   || aggregates(admission->old))) {
        r = check_policy(admission, yl_policy_everything(),
                         "must have cluster-admin privileges to use the "
                         "aggregationRule", status);
    }
    return r;
}

static int
check_binding(const struct yl_admission *admission, struct yl_status *status)
{
    struct yl_rbac *rbac = yl_authorizer_rbac(admission->server->authorizer);
    struct yl_str kind = text_at(admission, "roleRef", "kind");
    struct yl_str name = text_at(admission, "roleRef", "name");
    bool is_role = yl_str_equal(kind, YL_STR("Role"));
    struct yl_policy policy;

    /* Validation will refuse a Role in a binding without a namespace. */
    if (changes_only_links(admission)
        || (is_role && yl_str_is_empty(admission->namespace_))) {
        return 0;
    }
    if (!is_role && !yl_str_equal(kind, YL_STR("ClusterRole"))) {
        return refuse_kind(admission, kind, status);
    }
    if (may(admission, "bind", is_role ? "roles" : "clusterroles", name)) {
        return 0;
    }
    if (yl_rbac_role(rbac, is_role ? admission->namespace_ : yl_str_null(),
                     name, admission->arena, &policy) < 0) {
        return yl_status_not_found(status, gvr_of(admission), name);
    }
    return check_policy(admission, policy, NULL, status);
}

/* Checks that the user holds all permissions of 'policy'.  If not, the message
 * lists the missing ones, or is 'instead' if that is not NULL. */
static int
check_policy(const struct yl_admission *admission, struct yl_policy policy,
             const char *instead, struct yl_status *status)
{
    struct yl_rbac *rbac = yl_authorizer_rbac(admission->server->authorizer);
    const struct yl_user *user = admission->user;
    struct yl_policy owned, missing;
    struct yl_str errors;
    struct yl_buf text;
    size_t i;
    int r;

    owned = yl_rbac_rules(rbac, user, admission->namespace_,
                          admission->arena, &errors);
    r = yl_policy_missing(admission->arena, owned, policy, &missing);
    if (r == 0 && missing.n == 0) {
        return 0;
    }
    yl_buf_init(&text, MAX_TEXT);
    if (r < 0) {
        yl_buf_append_c(&text, "the rules are too many to be compared with "
                               "those of the user");
    } else if (instead) {
        yl_buf_append_c(&text, instead);
    } else {
        yl_buf_append_c(&text, "user ");
        yl_quote(&text, user->name);
        yl_buf_append_c(&text, " (groups=[");
        for (i = 0; i < user->n_groups; i++) {
            yl_buf_append_c(&text, i ? " " : "");
            yl_quote(&text, user->groups[i]);
        }
        yl_buf_append_c(&text, "]) is attempting to grant RBAC permissions "
                               "not currently held:\n");
        yl_buf_append_str(&text, yl_policy_describe(admission->arena,
                                                    missing));
        if (errors.size) {
            yl_buf_printf(&text, "; resolution errors: [%.*s]",
                          YL_STR_ARG(errors));
        }
    }
    yl_status_forbidden(status, gvr_of(admission),
                        text_at(admission, "metadata", "name"),
                        yl_buf_str(&text));
    yl_buf_release(&text);
    return YL_EFORBIDDEN;
}

static int
refuse_kind(const struct yl_admission *admission, struct yl_str kind,
            struct yl_status *status)
{
    struct yl_buf text;
    int r;

    yl_buf_init(&text, MAX_TEXT);
    yl_buf_append_c(&text, "unsupported role reference kind: ");
    yl_quote(&text, kind);
    r = yl_write_odd_error(status,
                             yl_arena_strdup(admission->arena,
                                             yl_buf_str(&text)));
    yl_buf_release(&text);
    return r;
}

static bool
may(const struct yl_admission *admission, const char *verb,
    const char *resource, struct yl_str name)
{
    const struct yl_attributes attributes = {
        .user = admission->user,
        .verb = yl_str_c(verb),
        .is_resource = true,
        .group = YL_STR(RBAC),
        .version = YL_STR("*"),
        .resource = yl_str_c(resource),
        .namespace_ = admission->namespace_,
        .name = name,
    };

    return yl_authorize(admission->server->authorizer, &attributes,
                        admission->arena, NULL);
}

/* Whether an update changes nothing but finalizers and owner references. */
static bool
changes_only_links(const struct yl_admission *admission)
{
    static const char *const links[] = {
        "ownerReferences", "finalizers", "selfLink", "managedFields",
        "resourceVersion",
    };
    struct yl_node *trees[2];
    size_t i, k;

    if (!admission->old) {
        return false;
    }
    trees[0] = yl_node_copy(admission->arena, admission->object);
    trees[1] = yl_node_copy(admission->arena, admission->old);
    for (i = 0; i < 2; i++) {
        struct yl_node *metadata = yl_node_get(trees[i], YL_STR("metadata"));

        for (k = 0; metadata && k < YL_ARRAY_SIZE(links); k++) {
            yl_node_remove(metadata, yl_str_c(links[k]));
        }
    }
    return yl_node_equal(trees[0], trees[1]);
}

static bool
aggregates(const struct yl_node *role)
{
    const struct yl_node *rule = yl_node_get(role, YL_STR("aggregationRule"));
    const struct yl_node *selectors
        = yl_node_get(rule, YL_STR("clusterRoleSelectors"));

    return yl_node_type(selectors) == YL_JSON_ARRAY && selectors->n > 0;
}

static struct yl_gvr
gvr_of(const struct yl_admission *admission)
{
    struct yl_gvr gvr = { admission->resource->group, YL_STR("v1"),
                          admission->resource->plural };

    return gvr;
}

static struct yl_str
text_at(const struct yl_admission *admission, const char *member,
        const char *name)
{
    const struct yl_node *object = yl_node_get(admission->object,
                                               yl_str_c(member));
    struct yl_str text = YL_STR("");

    yl_node_string(yl_node_get(object, yl_str_c(name)), admission->arena,
                   &text);
    return text;
}
