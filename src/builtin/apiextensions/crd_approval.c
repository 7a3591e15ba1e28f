/* Groups of the Kubernetes community (k8s.io, kubernetes.io): their
 * definitions need an annotation that points to the review of the API. */

#include "builtin/apiextensions/crd_check.h"
#include "builtin/apiextensions/definition.h"
#include "builtin/extension/webhook_client.h"

#define APPROVED "api-approved.kubernetes.io"
#define SEE ", see https://github.com/kubernetes/enhancements/pull/1111"

static const char missing[] =
    "protected groups must have approval annotation \"" APPROVED "\"" SEE;
static const char invalid[] =
    "protected groups must have approval annotation \"" APPROVED "\" with "
    "either a URL or a reason starting with \"unapproved\"" SEE;

enum approval {
    MISSING,
    BYPASSED,                   /* It says that it is not approved. */
    APPROVED_BY_URL,
    INVALID,
};

static bool is_protected(struct yl_str group);
static enum approval approval_of(const struct yl_check *,
                                 const struct yl_crd *,
                                 struct yl_str *ret_text);

void
yl_check_crd_approval(struct yl_check *c, const struct yl_crd *crd,
                      const struct yl_crd *old)
{
    struct yl_at annotations = yl_at(&crd->metadata, "annotations");
    struct yl_field_path path =
        yl_field_key(yl_at_path(&annotations), YL_STR(APPROVED));
    struct yl_str text;
    enum approval now = approval_of(c, crd, &text);

    /* An update does not have to mend it. */
    if (!is_protected(yl_at_get_str(c, &crd->spec, "group"))
        || (old && approval_of(c, old, NULL) == now)) {
        return;
    }
    if (now == MISSING) {
        yl_field_required(c->err, &path, "%s", missing);
    } else if (now == INVALID) {
        yl_field_invalid(c->err, &path, yl_bad_string(text), "%s", invalid);
    }
}

bool
yl_crd_approval_condition(struct yl_arena *arena,
                          const struct yl_node *object,
                          struct yl_crd_condition *ret_condition)
{
    struct yl_check c = { arena, NULL };
    struct yl_crd_condition *condition = ret_condition;
    struct yl_str text;
    struct yl_crd crd;
    struct yl_buf quoted;

    yl_crd_init(&crd, object);
    if (!is_protected(yl_at_get_str(&c, &crd.spec, "group"))) {
        return false;
    }
    condition->status = "False";
    switch (approval_of(&c, &crd, &text)) {
    case MISSING:
        condition->reason = "MissingAnnotation";
        condition->message = missing;
        break;

    case INVALID:
        condition->reason = "InvalidAnnotation";
        condition->message = invalid;
        break;

    case APPROVED_BY_URL:
        condition->status = "True";
        condition->reason = "ApprovedAnnotation";
        condition->message = yl_arena_printf(arena, "approved in %.*s",
                                             YL_STR_ARG(text));
        break;

    case BYPASSED:
        yl_buf_init(&quoted, SIZE_MAX);
        yl_bad_value_write(&quoted, yl_bad_string(text));
        condition->reason = "UnapprovedAnnotation";
        condition->message = yl_arena_printf(arena, "not approved: %s",
                                             yl_buf_c_str(&quoted));
        yl_buf_release(&quoted);
        break;
    }
    return true;
}

static bool
is_protected(struct yl_str group)
{
    return yl_str_equal_c(group, "k8s.io")
           || yl_str_ends_with(group, YL_STR(".k8s.io"))
           || yl_str_equal_c(group, "kubernetes.io")
           || yl_str_ends_with(group, YL_STR(".kubernetes.io"));
}

static enum approval
approval_of(const struct yl_check *c, const struct yl_crd *crd,
            struct yl_str *ret_text)
{
    struct yl_at annotations = yl_at(&crd->metadata, "annotations");
    struct yl_str s = yl_at_get_str(c, &annotations, APPROVED);
    struct yl_str scheme, rest;

    if (ret_text) {
        *ret_text = s;
    }
    if (!s.size) {
        return MISSING;
    } else if (yl_str_starts_with(s, YL_STR("unapproved"))) {
        return BYPASSED;
    } else if (!yl_url_fault(c->arena, s)
               && yl_str_cut(s, ':', &scheme, &rest) && scheme.size
               && yl_str_starts_with(rest, YL_STR("//")) && rest.size > 2
               && !yl_str_find_char(YL_STR("/?#"), rest.data[2])) {
        return APPROVED_BY_URL;
    }
    return INVALID;
}
