/* A condition of a Pod.  See pod_condition.h. */

#include "apiserver/strategy/pod_condition.h"

#include "json/member.h"
#include "schema/at.h"
#include "yuloh/time.h"

static void set_text(struct yl_arena *, struct yl_node *, const char *name,
                     const char *text);

void
yl_pod_set_condition(struct yl_arena *arena, struct yl_node *pod,
                     const char *type, const char *reason,
                     const char *message)
{
    struct yl_node *status = yl_member_make(arena, pod, "status");
    struct yl_node *list = yl_member_array(status, "conditions");
    struct yl_node *condition = NULL, *node;
    char now[YL_TIME_TEXT_SIZE];
    struct yl_at at;

    if (!list) {
        list = yl_node_new_array(arena);
        yl_member_set(arena, status, "conditions", list);
    }
    YL_NODE_FOR_EACH (node, list) {
        if (yl_node_string_is(yl_node_get(node, YL_STR("type")),
                              yl_str_c(type))) {
            condition = node;
        }
    }
    if (!condition) {
        condition = yl_node_new_object(arena);
        yl_member_set_str(arena, condition, "type", type);
        yl_node_append(list, condition);
    }
    at = yl_at_root(condition);
    if (!yl_at_get_is(&at, "status", "True")) {
        yl_time_write(yl_time_now(), now);
        yl_member_set_str(arena, condition, "lastTransitionTime", now);
    }
    yl_member_set_str(arena, condition, "status", "True");
    yl_member_set(arena, condition, "lastProbeTime", yl_node_new_null(arena));
    set_text(arena, condition, "reason", reason);
    set_text(arena, condition, "message", message);
}

static void
set_text(struct yl_arena *arena, struct yl_node *condition, const char *name,
         const char *text)
{
    if (text) {
        yl_member_set_str(arena, condition, name, text);
    } else {
        yl_member_drop(condition, name);
    }
}
