/* Conditions of CRDs.  See apiserver/crd/conditions.h for the contract. */

#include "apiserver/crd/conditions.h"

#include "json/member.h"
#include "json/tree.h"
#include "schema/at.h"
#include "yuloh/arena.h"
#include "yuloh/time.h"

#define APPROVED "api-approved.kubernetes.io"
#define SEE "see https://github.com/kubernetes/enhancements/pull/1111"

static struct yl_node *find(const struct yl_node *crd, const char *type);
static bool is_protected(struct yl_str group);
static bool is_url(struct yl_str);

bool
yl_condition_set(struct yl_arena *arena, struct yl_node *crd,
                 const struct yl_condition *c)
{
    struct yl_node *status = yl_member_make(arena, crd, "status");
    struct yl_node *list = yl_member_array(status, "conditions");
    struct yl_node *condition = find(crd, c->type);
    struct yl_at before = yl_at_root(condition);
    char now[YL_TIME_TEXT_SIZE];

    if (condition && yl_at_get_is(&before, "status", c->status)
        && yl_at_get_is(&before, "reason", c->reason)
        && yl_at_get_is(&before, "message", c->message)) {
        return false;
    }
    if (!list) {
        list = yl_node_new_array(arena);
        yl_member_set(arena, status, "conditions", list);
    }
    if (!condition) {
        condition = yl_node_new_object(arena);
        yl_member_set_str(arena, condition, "type", c->type);
        yl_node_append(list, condition);
    }
    if (!yl_at_get_is(&before, "status", c->status)) {
        yl_time_write((struct yl_time) { yl_time_now().seconds, 0 }, now);
        yl_member_set_str(arena, condition, "lastTransitionTime", now);
    }
    yl_member_set_str(arena, condition, "status", c->status);
    yl_member_set_str(arena, condition, "reason", c->reason);
    yl_member_set_str(arena, condition, "message", c->message);
    return true;
}

bool
yl_condition_remove(struct yl_node *crd, const char *type)
{
    struct yl_node *condition = find(crd, type);

    if (condition) {
        yl_node_detach(condition);
    }
    return condition != NULL;
}

bool
yl_condition_is_true(const struct yl_node *crd, const char *type)
{
    struct yl_at condition = yl_at_root(find(crd, type));

    return yl_at_get_is(&condition, "status", "True");
}

struct yl_node *
yl_finalizer_find(const struct yl_node *crd, const char *name)
{
    struct yl_node *list = yl_member_array(yl_member_object(crd, "metadata"),
                                           "finalizers");
    struct yl_node *one;

    if (list) {
        YL_NODE_FOR_EACH (one, list) {
            if (yl_node_string_is(one, yl_str_c(name))) {
                return one;
            }
        }
    }
    return NULL;
}

bool
yl_condition_set_approval(struct yl_arena *arena, struct yl_node *crd)
{
    struct yl_check c = { arena, NULL };
    struct yl_at root = yl_at_root(crd), spec = yl_at(&root, "spec");
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at annotations = yl_at(&metadata, "annotations");
    struct yl_str text = yl_at_get_str(&c, &annotations, APPROVED);
    struct yl_condition condition = {
        .type = "KubernetesAPIApprovalPolicyConformant",
        .status = "False",
    };

    if (!is_protected(yl_at_get_str(&c, &spec, "group"))) {
        return false;
    }
    if (!text.size) {
        condition.reason = "MissingAnnotation";
        condition.message = "protected groups must have approval annotation "
                            "\"" APPROVED "\", " SEE;
    } else if (yl_str_starts_with(text, YL_STR("unapproved"))) {
        condition.reason = "UnapprovedAnnotation";
        condition.message = yl_arena_printf(arena, "not approved: \"%.*s\"",
                                            YL_STR_ARG(text));
    } else if (is_url(text)) {
        condition.status = "True";
        condition.reason = "ApprovedAnnotation";
        condition.message = yl_arena_printf(arena, "approved in %.*s",
                                            YL_STR_ARG(text));
    } else {
        condition.reason = "InvalidAnnotation";
        condition.message = "protected groups must have approval annotation "
                            "\"" APPROVED "\" with either a URL or a reason "
                            "starting with \"unapproved\", " SEE;
    }
    return yl_condition_set(arena, crd, &condition);
}

bool
yl_condition_set_structural(struct yl_arena *arena, struct yl_node *crd)
{
    struct yl_at root = yl_at_root(crd), spec = yl_at(&root, "spec");
    struct yl_condition condition = {
        .type = "NonStructuralSchema",
        .status = "True",
        .reason = "Violations",
        .message = "spec.preserveUnknownFields: Invalid value: true: must be "
                   "false",
    };

    return yl_at_get_bool(&spec, "preserveUnknownFields")
           ? yl_condition_set(arena, crd, &condition)
           : yl_condition_remove(crd, condition.type);
}

static struct yl_node *
find(const struct yl_node *crd, const char *type)
{
    struct yl_node *list = yl_member_array(yl_member_object(crd, "status"),
                                           "conditions");
    struct yl_node *one;

    if (list) {
        YL_NODE_FOR_EACH (one, list) {
            if (yl_node_type(one) == YL_JSON_OBJECT
                && yl_node_string_is(yl_node_get(one, YL_STR("type")),
                                     yl_str_c(type))) {
                return one;
            }
        }
    }
    return NULL;
}

static bool
is_protected(struct yl_str group)
{
    return yl_str_equal_c(group, "k8s.io")
           || yl_str_equal_c(group, "kubernetes.io")
           || yl_str_ends_with(group, YL_STR(".k8s.io"))
           || yl_str_ends_with(group, YL_STR(".kubernetes.io"));
}

/* Does it have a scheme and a host? */
static bool
is_url(struct yl_str text)
{
    struct yl_str scheme, rest;
    size_t i;

    if (!yl_str_cut(text, ':', &scheme, &rest) || !scheme.size
        || !yl_str_starts_with(rest, YL_STR("//")) || rest.size < 3
        || rest.data[2] == '/') {
        return false;
    }
    for (i = 0; i < scheme.size; i++) {
        char c = scheme.data[i];

        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
              || (i && ((c >= '0' && c <= '9') || c == '+' || c == '-'
                        || c == '.')))) {
            return false;
        }
    }
    return true;
}
