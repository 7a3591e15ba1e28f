/* Conditions of CRDs.  See apiserver/crd/conditions.h for the contract. */

#include "apiserver/crd/conditions.h"

#include "builtin/apiextensions/definition.h"
#include "json/member.h"
#include "json/tree.h"
#include "schema/at.h"
#include "yuloh/arena.h"
#include "yuloh/time.h"

static struct yl_node *find(const struct yl_node *crd, const char *type);
static bool set_if(struct yl_arena *, struct yl_node *crd, const char *type,
                   bool reason, const struct yl_crd_condition *);

bool
yl_conditions_set(struct yl_arena *arena, struct yl_node *crd,
                  const struct yl_definition_condition *c)
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
yl_conditions_remove(struct yl_node *crd, const char *type)
{
    struct yl_node *condition = find(crd, type);

    if (condition) {
        yl_node_detach(condition);
    }
    return condition != NULL;
}

bool
yl_conditions_is_true(const struct yl_node *crd, const char *type)
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
yl_conditions_set_approval(struct yl_arena *arena, struct yl_node *crd)
{
    struct yl_crd_condition what;

    return set_if(arena, crd, "KubernetesAPIApprovalPolicyConformant",
                  yl_crd_approval_condition(arena, crd, &what), &what);
}

bool
yl_conditions_set_structural(struct yl_arena *arena, struct yl_node *crd,
                             struct yl_patterns *patterns)
{
    struct yl_crd_condition what;

    return set_if(arena, crd, "NonStructuralSchema",
                  yl_crd_structural_condition(arena, crd, patterns, &what),
                  &what);
}

/* Sets a condition that there is reason to have, else removes it. */
static bool
set_if(struct yl_arena *arena, struct yl_node *crd, const char *type,
       bool reason, const struct yl_crd_condition *what)
{
    struct yl_definition_condition condition = { .type = type };

    if (!reason) {
        return yl_conditions_remove(crd, type);
    }
    condition.status = what->status;
    condition.reason = what->reason;
    condition.message = what->message;
    return yl_conditions_set(arena, crd, &condition);
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
