/* CertificateSubjectRestriction: nobody gets a client certificate that makes
 * him a master by asking for one.  And whoever asks is named in the request,
 * which is no plugin upstream but a part of creating it. */

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include "apiserver/admission/plugin.h"
#include "apiserver/auth/user.h"
#include "json/base64.h"

#define SIGNER "kubernetes.io/kube-apiserver-client"

static struct yl_node *list_of(struct yl_arena *, const struct yl_str *texts,
                               size_t n);
static bool is_master(struct yl_str pem);
static bool names_masters(X509_NAME *subject);

int
yl_plugin_certificate_subject(const struct yl_admission *a,
                              struct yl_status *status)
{
    struct yl_check c = { a->arena, NULL };
    struct yl_at spec = yl_at_root(yl_get_object(a->object, "spec"));
    struct yl_str pem;

    if (!yl_plugin_is_for(a, "certificates.k8s.io",
                          "certificatesigningrequests")
        || !yl_get_is(&spec, "signerName", SIGNER)
        || !yl_base64_decode(a->arena, yl_get_str(&c, &spec, "request"),
                             &pem)) {
        return 0;
    }
    return is_master(pem)
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

    if (!yl_plugin_is_for(a, "certificates.k8s.io",
                          "certificatesigningrequests")) {
        return 0;
    }
    spec = yl_make_object(a->arena, a->object, "spec");
    for (i = 0; i < YL_ARRAY_SIZE(fields); i++) {
        yl_drop(spec, fields[i]);
    }
    if (!user) {
        return 0;
    }
    yl_set(a->arena, spec, "username",
           yl_node_new_string(a->arena, user->name));
    if (user->uid.size) {
        yl_set(a->arena, spec, "uid",
               yl_node_new_string(a->arena, user->uid));
    }
    if (user->n_groups) {
        yl_set(a->arena, spec, "groups",
               list_of(a->arena, user->groups, user->n_groups));
    }
    if (user->n_extra) {
        extra = yl_make_object(a->arena, spec, "extra");
        for (i = 0; i < user->n_extra; i++) {
            yl_node_set(a->arena, extra, user->extra[i].key,
                        list_of(a->arena, user->extra[i].values,
                                user->extra[i].n_values));
        }
    }
    return 0;
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

static bool
is_master(struct yl_str pem)
{
    BIO *bio = BIO_new_mem_buf(pem.data, (int) pem.size);
    X509_REQ *request = PEM_read_bio_X509_REQ(bio, NULL, NULL, NULL);
    bool found = request && names_masters(X509_REQ_get_subject_name(request));

    X509_REQ_free(request);
    BIO_free(bio);
    ERR_clear_error();
    return found;
}

static bool
names_masters(X509_NAME *subject)
{
    int at = -1;

    while ((at = X509_NAME_get_index_by_NID(subject, NID_organizationName,
                                            at)) >= 0) {
        const ASN1_STRING *value = X509_NAME_ENTRY_get_data(
            X509_NAME_get_entry(subject, at));
        struct yl_str s = yl_str_n(
            (const char *) ASN1_STRING_get0_data(value),
            (size_t) ASN1_STRING_length(value));

        if (yl_str_equal_c(s, "system:masters")) {
            return true;
        }
    }
    return false;
}
