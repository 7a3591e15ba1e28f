/* What a DELETE does to a namespace.  See apiserver/strategy/builtin.h.
 *
 * The namespace becomes Terminating and accepts no new objects.  A controller
 * removes the objects in it, and then the finalizers in its spec; with the
 * last of them the namespace is removed. */

#include "apiserver/strategy/builtin.h"
#include "apiserver/verbs/delete.h"
#include "apiserver/verbs/steps.h"
#include "json/member.h"
#include "schema/at.h"
#include "yuloh/arena.h"
#include "yuloh/time.h"

bool
yl_namespaces_is_held(const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at holders = yl_at(&spec, "finalizers");

    return yl_at_count(&holders) > 0;
}

int
yl_namespaces_mark(struct yl_deletion *deletion, struct yl_node *object,
                   bool *ret_done, struct yl_status *status)
{
    struct yl_write *w = &deletion->write;
    struct yl_node *metadata = yl_member_make(w->arena, object, "metadata");
    char now[YL_TIME_TEXT_SIZE];

    if (yl_member_is_absent(metadata, "deletionTimestamp")) {
        yl_time_write(yl_time_now(), now);
        yl_member_set_str(w->arena, metadata, "deletionTimestamp", now);
        yl_member_set_str(w->arena, yl_member_make(w->arena, object, "status"),
                          "phase", "Terminating");
        yl_deletion_set_finalizers(deletion, object);
        w->action = YL_WRITE_STORE;
        *ret_done = true;
        return yl_write_propose(w, object, status);
    }
    if (yl_namespaces_is_held(object)) {
        w->action = YL_WRITE_NOTHING;
        w->object = yl_object_ref(w->base);
        *ret_done = true;
    }
    return 0;
}

/* Checks the preconditions.  The messages differ from those of other kinds. */
int
yl_namespaces_check_deletion(struct yl_deletion *deletion,
                             struct yl_status *status)
{
    struct yl_write *w = &deletion->write;
    const struct yl_deletion_options *options = &deletion->options;
    struct yl_str uid = yl_object_uid(w->base);
    const char *why = NULL;

    if (!yl_str_is_null(options->uid) && !yl_str_equal(options->uid, uid)) {
        why = yl_arena_printf(w->arena,
                              "Precondition failed: UID in precondition: "
                              "%.*s, UID in object meta: %.*s",
                              YL_STR_ARG(options->uid), YL_STR_ARG(uid));
    } else if (!yl_str_is_null(options->resource_version)) {
        const char *have = yl_arena_printf(
            w->arena, "%llu", (unsigned long long) w->base_revision);

        if (!yl_str_equal_c(options->resource_version, have)) {
            why = yl_arena_printf(
                w->arena, "Precondition failed: ResourceVersion in "
                "precondition: %.*s, ResourceVersion in object meta: %s",
                YL_STR_ARG(options->resource_version), have);
        }
    }
    return why ? yl_status_conflict(status, yl_write_gvr(w), w->key.name,
                                    yl_str_c(why))
               : 0;
}
