/* Events of two groups.  See builtin/convert/convert_event.h for the
 * contract. */

#include "builtin/convert/convert_event.h"

#include "json/member.h"
#include "schema/at.h"

/* The names of a field in the core group and in events.k8s.io, and whether the
 * latter leaves it out if it is empty. */
static const struct name {
    const char *core, *events;
    bool optional;
} names[] = {
    { "involvedObject", "regarding", true },
    { "message", "note", true },
    { "source", "deprecatedSource", false },
    { "firstTimestamp", "deprecatedFirstTimestamp", false },
    { "lastTimestamp", "deprecatedLastTimestamp", false },
    { "count", "deprecatedCount", true },
    { "reportingComponent", "reportingController", true },
    { "reportingInstance", "reportingInstance", true },
};

static void rename_member(struct yl_arena *, struct yl_node *object,
                          const char *from, const char *to);

int
yl_convert_event_to_core(struct yl_arena *arena, struct yl_node *object,
                         struct yl_error *err YL_UNUSED)
{
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(names); i++) {
        rename_member(arena, object, names[i].events, names[i].core);
    }
    return 0;
}

int
yl_convert_event_to_events(struct yl_arena *arena, struct yl_node *object,
                           struct yl_error *err YL_UNUSED)
{
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(names); i++) {
        if (names[i].optional && yl_member_is_zero(object, names[i].core)
            && !yl_member_object(object, names[i].core)) {
            yl_member_drop(object, names[i].core);
        }
        rename_member(arena, object, names[i].core, names[i].events);
    }
    return 0;
}

static void
rename_member(struct yl_arena *arena, struct yl_node *object,
              const char *from, const char *to)
{
    struct yl_node *member = yl_node_type(object) == YL_JSON_OBJECT
                             ? yl_node_get(object, yl_str_c(from)) : NULL;

    if (member) {
        yl_node_set(arena, object, yl_str_c(to), yl_node_detach(member));
    }
}
