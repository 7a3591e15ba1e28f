/* CertificateSigningRequest: validation, updates, approval. */

#include "builtin/access/x509.h"
#include "builtin/common/meta.h"
#include "builtin/common/subresources.h"
#include "builtin/rows.h"
#include "json/base64.h"
#include "yuloh/time.h"

#define MIN_SECONDS 600
#define MAX_SIGNER 571

static const struct yl_meta_rule rule =
    { YL_NAME_PATH_SEGMENT, false, false };

/* What the subresource may change. */
enum {
    MAY_APPROVE = 1 << 0,
    MAY_SIGN = 1 << 1,
};

static void keep_conditions(struct yl_arena *, struct yl_node *status,
                            const struct yl_node *old, const char *type);
static void set_times(struct yl_arena *, struct yl_node *status,
                      const struct yl_node *old);
static struct yl_str condition_key(struct yl_arena *,
                                   const struct yl_node *condition);
static void check_csr(struct yl_check *, const struct yl_node *object,
                      const struct yl_node *old);
static void check_usages(struct yl_check *, const struct yl_at *usages);
static void check_signer(struct yl_check *, const struct yl_at *signer);
static void check_parts(struct yl_check *, const struct yl_at *,
                        struct yl_str whole, enum yl_name_rule);
static void check_conditions(struct yl_check *, const struct yl_at *list);
static void check_certificate(struct yl_check *, const struct yl_at *);
static void check_update(struct yl_check *, const struct yl_node *object,
                         const struct yl_node *old, unsigned may);
static struct yl_node *conditions_of(struct yl_arena *,
                                     const struct yl_node *object,
                                     const char *type);

static yl_prepare_change_fn prepare_approval;
static yl_validate_change_fn validate_approval;

const struct yl_builtin_subresource yl_csr_approval = {
    prepare_approval, validate_approval, false
};

void
yl_csr_prepare(struct yl_arena *arena YL_UNUSED, struct yl_node *object)
{
    yl_member_drop(object, "status");
}

void
yl_csr_prepare_update(struct yl_arena *arena, struct yl_node *object,
                      const struct yl_node *old)
{
    yl_member_keep(arena, object, old, "spec");
}

/* /status cannot approve or deny: such conditions are put back or, if their
 * number has changed, refused by validation. */
void
yl_csr_prepare_status(struct yl_arena *arena, struct yl_node *object,
                      const struct yl_node *old)
{
    struct yl_node *status = yl_member_make(arena, object, "status");
    struct yl_node *before = yl_member_object(old, "status");

    keep_conditions(arena, status, before, "Approved");
    keep_conditions(arena, status, before, "Denied");
    set_times(arena, status, before);
}

static void
prepare_approval(struct yl_arena *arena, struct yl_node *object,
                 const struct yl_node *old)
{
    struct yl_node *status = yl_member_make(arena, object, "status");
    struct yl_node *conditions;

    set_times(arena, status, yl_member_object(old, "status"));
    conditions = yl_member_array(status, "conditions");
    if (conditions) {
        conditions = yl_node_copy(arena, conditions);
    }
    yl_member_keep(arena, object, old, "spec");
    yl_member_keep(arena, object, old, "status");
    status = yl_member_make(arena, object, "status");
    yl_member_drop(status, "conditions");
    if (conditions && conditions->n) {
        yl_member_set(arena, status, "conditions", conditions);
    }
}

void
yl_csr_validate(struct yl_check *c, const struct yl_node *object)
{
    check_csr(c, object, NULL);
}

void
yl_csr_validate_update(struct yl_check *c, const struct yl_node *object,
                       const struct yl_node *old)
{
    check_update(c, object, old, 0);
}

void
yl_csr_validate_status(struct yl_check *c, const struct yl_node *object,
                       const struct yl_node *old)
{
    check_update(c, object, old, MAY_SIGN);
}

static void
validate_approval(struct yl_check *c, const struct yl_node *object,
                  const struct yl_node *old)
{
    check_update(c, object, old, MAY_APPROVE);
}

/* Puts back the old conditions of 'type', if their number is the same. */
static void
keep_conditions(struct yl_arena *arena, struct yl_node *status,
                const struct yl_node *old, const char *type)
{
    struct yl_node *was = yl_member_first(old, "conditions"), *condition,
                   *next;
    size_t n = 0, n_old = 0;

    YL_MEMBER_EACH (condition, status, "conditions") {
        struct yl_at at = yl_at_root(condition);

        n += yl_at_get_is(&at, "type", type);
    }
    YL_MEMBER_EACH (condition, old, "conditions") {
        struct yl_at at = yl_at_root(condition);

        n_old += yl_at_get_is(&at, "type", type);
    }
    if (n != n_old) {
        return;
    }
    for (condition = yl_member_first(status, "conditions"); condition;
         condition = next) {
        struct yl_at at = yl_at_root(condition);

        next = condition->next;
        if (!yl_at_get_is(&at, "type", type)) {
            continue;
        }
        for (; was; was = was->next) {
            struct yl_at old_at = yl_at_root(was);

            if (yl_at_get_is(&old_at, "type", type)) {
                yl_node_replace(condition, yl_node_copy(arena, was));
                was = was->next;
                break;
            }
        }
    }
}

/* Sets missing times to now, except that a condition whose status has not
 * changed keeps its lastTransitionTime. */
static void
set_times(struct yl_arena *arena, struct yl_node *status,
          const struct yl_node *old)
{
    struct yl_node *before = yl_node_new_object(arena), *condition;
    char now[YL_TIME_TEXT_SIZE];

    YL_MEMBER_EACH (condition, old, "conditions") {
        if (!yl_member_is_zero(condition, "lastTransitionTime")
            && !yl_node_get(before, condition_key(arena, condition))) {
            yl_node_set(arena, before, condition_key(arena, condition),
                        yl_node_copy(arena, condition));
        }
    }
    yl_time_write(yl_time_now(), now);
    YL_MEMBER_EACH (condition, status, "conditions") {
        struct yl_node *was = yl_node_get(before,
                                          condition_key(arena, condition));

        yl_member_default_str(arena, condition, "lastUpdateTime", now);
        if (yl_member_is_zero(condition, "lastTransitionTime") && was) {
            yl_member_keep(arena, condition, was, "lastTransitionTime");
        }
        yl_member_default_str(arena, condition, "lastTransitionTime", now);
    }
}

/* The status and the type of a condition, as a key. */
static struct yl_str
condition_key(struct yl_arena *arena, const struct yl_node *condition)
{
    struct yl_check c = { arena, NULL };
    struct yl_at at = yl_at_root(condition);
    struct yl_str type = yl_at_get_str(&c, &at, "type");
    struct yl_str status = yl_at_get_str(&c, &at, "status");

    return yl_str_c(yl_arena_printf(arena, "%.*s %.*s", YL_STR_ARG(status),
                                    YL_STR_ARG(type)));
}

static void
check_csr(struct yl_check *c, const struct yl_node *object,
          const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at request = yl_at(&spec, "request");
    struct yl_at usages = yl_at(&spec, "usages");
    struct yl_at signer = yl_at(&spec, "signerName");
    struct yl_at seconds = yl_at(&spec, "expirationSeconds");
    struct yl_at status = yl_at(&root, "status");
    struct yl_at conditions = yl_at(&status, "conditions");
    struct yl_at certificate = yl_at(&status, "certificate");
    struct yl_str pem = yl_str_null();
    const char *why;

    yl_check_object_meta(c, object, &rule);
    (void) yl_base64_decode(c->arena, yl_at_str(c, &request), &pem);
    why = yl_x509_check_request(c->arena, pem);
    if (why) {
        yl_field_invalid(c->err, yl_at_path(&request), yl_bad_at(&request),
                         "%s", why);
    }
    check_usages(c, &usages);
    check_signer(c, &signer);
    if (yl_at_has(&seconds) && yl_at_int(&seconds) < MIN_SECONDS) {
        yl_field_invalid(c->err, yl_at_path(&seconds),
                         yl_bad_int(yl_at_int(&seconds)),
                         "may not specify a duration less than 600 seconds "
                         "(10 minutes)");
    }
    check_conditions(c, &conditions);
    if (!old
        || !yl_node_same(certificate.node,
                         yl_node_get(yl_member_object(old, "status"),
                                     YL_STR("certificate")))) {
        check_certificate(c, &certificate);
    }
}

static void
check_usages(struct yl_check *c, const struct yl_at *usages)
{
    static const char *const known[] = {
        "any", "cert sign", "client auth", "code signing",
        "content commitment", "crl sign", "data encipherment",
        "decipher only", "digital signature", "email protection",
        "encipher only", "ipsec end system", "ipsec tunnel", "ipsec user",
        "key agreement", "key encipherment", "microsoft sgc",
        "netscape sgc", "ocsp signing", "s/mime", "server auth", "signing",
        "timestamping", NULL
    };
    struct yl_node *seen = yl_node_new_object(c->arena);

    yl_check_required(c, usages);
    YL_CHECK_FOR_EACH (c, usage, usages) {
        yl_check_one_of(c, &usage, known);
    }
    YL_CHECK_FOR_EACH (c, usage, usages) {
        if (!yl_set_add(c->arena, seen, yl_at_str(c, &usage))) {
            yl_field_duplicate(c->err, yl_at_path(&usage),
                               yl_bad_str(c, &usage));
        }
    }
}

/* example.com/signer */
static void
check_signer(struct yl_check *c, const struct yl_at *signer)
{
    struct yl_str s = yl_at_str(c, signer), domain, path, rest;

    if (yl_str_equal_c(s, "kubernetes.io/legacy-unknown")) {
        yl_field_invalid(c->err, yl_at_path(signer), yl_bad_string(s),
                         "the legacy signerName is not allowed via this API "
                         "version");
        return;
    }
    if (!yl_check_required(c, signer)) {
        return;
    }
    if (!yl_str_cut(s, '/', &domain, &path)
        || yl_str_cut(path, '/', &rest, &rest)) {
        yl_field_invalid(c->err, yl_at_path(signer), yl_bad_string(s),
                         "must be a fully qualified domain and path of the "
                         "form 'example.com/signer-name'");
        return;
    }
    if (domain.size > YL_NAME_SUBDOMAIN_MAX) {
        yl_field_too_long(c->err, yl_at_path(signer), YL_NAME_SUBDOMAIN_MAX);
    }
    check_parts(c, signer, domain, YL_NAME_DNS1123_LABEL);
    if (!yl_str_find_char(domain, '.')) {
        yl_field_invalid(c->err, yl_at_path(signer), yl_bad_string(domain),
                         "should be a domain with at least two segments "
                         "separated by dots");
    }
    check_parts(c, signer, path, YL_NAME_DNS1123_SUBDOMAIN);
    if (s.size > MAX_SIGNER) {
        yl_field_too_long(c->err, yl_at_path(signer), MAX_SIGNER);
    }
}

/* Checks the parts between dots, and stops after the first bad one. */
static void
check_parts(struct yl_check *c, const struct yl_at *at, struct yl_str whole,
            enum yl_name_rule name_rule)
{
    struct yl_str rest = whole, part;
    struct yl_name_faults faults;
    bool more = true;
    size_t i;

    while (more) {
        part = rest;
        more = yl_str_cut(rest, '.', &part, &rest);
        if (yl_name_check(name_rule, part, &faults) < 0) {
            for (i = 0; i < faults.n_faults; i++) {
                yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(whole),
                                 "validating label \"%.*s\": %s",
                                 YL_STR_ARG(part), faults.faults[i]);
            }
            return;
        }
    }
}

static void
check_conditions(struct yl_check *c, const struct yl_at *list)
{
    static const char *const any[] = { "False", "True", "Unknown", NULL };
    static const char *const yes[] = { "True", NULL };
    struct yl_node *types = yl_node_new_object(c->arena);

    YL_CHECK_FOR_EACH (c, condition, list) {
        struct yl_at type = yl_at(&condition, "type");
        struct yl_at status = yl_at(&condition, "status");
        bool approved = yl_at_is(&type, "Approved");
        bool denied = yl_at_is(&type, "Denied");

        yl_check_required(c, &type);
        if (yl_check_required(c, &status)) {
            yl_check_one_of(c, &status,
                            approved || denied || yl_at_is(&type, "Failed")
                            ? yes : any);
        }
        if ((approved && yl_node_get(types, YL_STR("Denied")))
            || (denied && yl_node_get(types, YL_STR("Approved")))) {
            yl_field_invalid(c->err, yl_at_path(list), yl_bad_str(c, &type),
                             "Approved and Denied conditions are mutually "
                             "exclusive");
        }
        if (!yl_set_add(c->arena, types, yl_at_str(c, &type))) {
            yl_field_duplicate(c->err, yl_at_path(&type),
                               yl_bad_str(c, &type));
        }
    }
}

static void
check_certificate(struct yl_check *c, const struct yl_at *certificate)
{
    struct yl_str pem;
    const char *why;

    if (yl_at_is(certificate, "")
        || !yl_base64_decode(c->arena, yl_at_str(c, certificate), &pem)) {
        return;
    }
    why = yl_x509_check_certificates(c->arena, pem);
    if (why) {
        yl_field_invalid(c->err, yl_at_path(certificate),
                         yl_bad_string(YL_STR("<certificate data>")), "%s",
                         why);
    }
}

static void
check_update(struct yl_check *c, const struct yl_node *object,
             const struct yl_node *old, unsigned may)
{
    static const char *const types[] = { "Approved", "Denied", "Failed" };
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at status = yl_at(&root, "status");
    struct yl_at then = yl_at(&before, "status");
    struct yl_at conditions = yl_at(&status, "conditions");
    struct yl_at now = yl_at(&status, "certificate");
    struct yl_at was = yl_at(&then, "certificate");
    size_t i;

    check_csr(c, object, old);
    for (i = 0; i < YL_ARRAY_SIZE(types); i++) {
        struct yl_node *new = conditions_of(c->arena, object, types[i]);
        struct yl_node *had = conditions_of(c->arena, old, types[i]);
        const char *verb = NULL;

        if (new->n < had->n) {
            verb = "remove";
        } else if (i < 2 && !(may & MAY_APPROVE) && new->n > had->n) {
            verb = "add";
        } else if (i < 2 && !(may & MAY_APPROVE)
                   && !yl_node_equal(new, had)) {
            verb = "modify";
        }
        if (verb) {
            yl_field_forbidden(c->err, yl_at_path(&conditions),
                               "updates may not %s a condition of type "
                               "\"%s\"", verb, types[i]);
        }
    }
    if (!yl_node_same(now.node, was.node)) {
        if (!(may & MAY_SIGN)) {
            yl_field_forbidden(c->err, yl_at_path(&now),
                               "updates may not set certificate content");
        } else if (!yl_at_is(&was, "")) {
            yl_field_forbidden(c->err, yl_at_path(&now),
                               "updates may not modify existing certificate "
                               "content");
        }
    }
    yl_check_object_meta_update(c, object, old, &rule);
}

static struct yl_node *
conditions_of(struct yl_arena *arena, const struct yl_node *object,
              const char *type)
{
    struct yl_node *list = yl_node_new_array(arena), *condition;

    YL_MEMBER_EACH (condition, yl_member_object(object, "status"),
                    "conditions") {
        struct yl_at at = yl_at_root(condition);

        if (yl_at_get_is(&at, "type", type)) {
            yl_node_append(list, yl_node_copy(arena, condition));
        }
    }
    return list;
}
