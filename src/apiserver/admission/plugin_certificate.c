/* CertificateApproval and CertificateSigning: a user that approves a request,
 * or signs it, must be allowed to do so for its signer.
 * CertificateSubjectRestriction: a client certificate for the group
 * system:masters cannot be requested.  And the requesting user is recorded in
 * the request, which upstream does not in a plugin but in the strategy of its
 * creation. */

#include "apiserver/admission/plugin.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/auth/user.h"
#include "apiserver/server.h"
#include "base/quote.h"
#include "builtin/access/x509.h"
#include "json/base64.h"

#define GROUP "certificates.k8s.io"
#define PLURAL "certificatesigningrequests"
#define SIGNER "kubernetes.io/kube-apiserver-client"

static bool is_of(const struct yl_admission *, enum yl_subresource);
static int check_signer(const struct yl_admission *, const char *verb,
                        struct yl_status *);
static bool may(const struct yl_admission *, const char *verb,
                struct yl_str signer);
static bool is_same(const struct yl_admission *, const char *field);
static struct yl_node *list_of(struct yl_arena *, const struct yl_str *texts,
                               size_t n);

int
yl_plugin_certificate_approval(const struct yl_admission *a,
                               struct yl_status *status)
{
    return is_of(a, YL_SUB_APPROVAL) ? check_signer(a, "approve", status) : 0;
}

int
yl_plugin_certificate_signing(const struct yl_admission *a,
                              struct yl_status *status)
{
    return is_of(a, YL_SUB_STATUS)
           && !(is_same(a, "certificate") && is_same(a, "conditions"))
           ? check_signer(a, "sign", status) : 0;
}

int
yl_plugin_certificate_subject(const struct yl_admission *a,
                              struct yl_status *status)
{
    struct yl_check c = { a->arena, NULL };
    struct yl_at spec = yl_at_root(yl_member_object(a->object, "spec"));
    struct yl_str pem;

    if (!yl_plugin_is_for(a, GROUP, PLURAL)
        || !yl_at_get_is(&spec, "signerName", SIGNER)
        || !yl_base64_decode(a->arena, yl_at_get_str(&c, &spec, "request"),
                             &pem)) {
        return 0;
    }
    return yl_x509_request_is_of(a->arena, pem, "system:masters")
           ? yl_plugin_forbid(a, status, "use of " SIGNER " signer with "
                                         "system:masters group is not "
                                         "allowed") : 0;
}

int
yl_plugin_certificate_user(struct yl_admission *a,
                           struct yl_status *status YL_UNUSED)
{
    static const char *const fields[] = { "username", "uid", "groups",
                                          "extra" };
    const struct yl_user *user = a->user;
    struct yl_node *spec, *extra;
    size_t i;

    if (!yl_plugin_is_for(a, GROUP, PLURAL)) {
        return 0;
    }
    spec = yl_member_make(a->arena, a->object, "spec");
    for (i = 0; i < YL_ARRAY_SIZE(fields); i++) {
        yl_member_drop(spec, fields[i]);
    }
    if (!user) {
        return 0;
    }
    yl_member_set(a->arena, spec, "username",
                  yl_node_new_string(a->arena, user->name));
    if (user->uid.size) {
        yl_member_set(a->arena, spec, "uid",
                      yl_node_new_string(a->arena, user->uid));
    }
    if (user->n_groups) {
        yl_member_set(a->arena, spec, "groups",
                      list_of(a->arena, user->groups, user->n_groups));
    }
    if (user->n_extra) {
        extra = yl_member_make(a->arena, spec, "extra");
        for (i = 0; i < user->n_extra; i++) {
            yl_node_set(a->arena, extra, user->extra[i].key,
                        list_of(a->arena, user->extra[i].values,
                                user->extra[i].n_values));
        }
    }
    return 0;
}

static bool
is_of(const struct yl_admission *a, enum yl_subresource subresource)
{
    return a->subresource == subresource
           && yl_str_equal_c(a->resource->plural, PLURAL)
           && yl_str_equal_c(a->resource->group, GROUP);
}

/* Checks the right for the stored signer, whatever the update says; it may be
 * granted for the signer or for its whole domain. */
static int
check_signer(const struct yl_admission *a, const char *verb,
             struct yl_status *status)
{
    struct yl_check c = { a->arena, NULL };
    struct yl_at spec = yl_at_root(yl_member_object(a->old, "spec"));
    struct yl_str signer = yl_at_get_str(&c, &spec, "signerName");
    struct yl_str domain = signer, rest;
    struct yl_buf quoted;
    int r;

    yl_str_cut(signer, '/', &domain, &rest);
    if (may(a, verb, signer)
        || may(a, verb, yl_str_c(yl_arena_printf(a->arena, "%.*s/*",
                                                 YL_STR_ARG(domain))))) {
        return 0;
    }
    yl_buf_init(&quoted, SIZE_MAX);
    yl_quote(&quoted, signer);
    r = yl_plugin_forbid(a, status,
                         "user not permitted to %s requests with signerName "
                         "%s", verb, yl_buf_c_str(&quoted));
    yl_buf_release(&quoted);
    return r;
}

static bool
may(const struct yl_admission *a, const char *verb, struct yl_str signer)
{
    const struct yl_attributes attributes = {
        .user = a->user,
        .verb = yl_str_c(verb),
        .is_resource = true,
        .group = YL_STR(GROUP),
        .version = YL_STR("*"),
        .resource = YL_STR("signers"),
        .name = signer,
    };

    return yl_authorize(a->server->authorizer, &attributes, a->arena, NULL);
}

/* Does the update leave this field of the status as it was? */
static bool
is_same(const struct yl_admission *a, const char *field)
{
    const struct yl_node *now = yl_member_object(a->object, "status");
    const struct yl_node *then = yl_member_object(a->old, "status");

    return (yl_member_is_zero(now, field) && yl_member_is_zero(then, field))
           || yl_node_equal(yl_node_get(now, yl_str_c(field)),
                            yl_node_get(then, yl_str_c(field)));
}

static struct yl_node *
list_of(struct yl_arena *arena, const struct yl_str *texts, size_t n)
{
    struct yl_node *list = yl_node_new_array(arena);
    size_t i;

    for (i = 0; i < n; i++) {
        yl_node_append(list, yl_node_new_string(arena, texts[i]));
    }
    return list;
}
