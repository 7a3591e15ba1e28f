/* What a DELETE does to a CustomResourceDefinition.  See
 * apiserver/crd/lifecycle_mark.h.
 *
 * It is marked and gets a finalizer, which stays until its objects are deleted
 * (lifecycle.h). */

#include "apiserver/crd/lifecycle_mark.h"

#include "apiserver/crd/conditions.h"
#include "apiserver/verbs/delete.h"
#include "apiserver/verbs/steps.h"
#include "json/member.h"
#include "json/tree.h"
#include "yuloh/time.h"

int
yl_crds_mark(struct yl_deletion *deletion, struct yl_node *object,
             bool *ret_done, struct yl_status *status)
{
    static const struct yl_definition_condition pending = {
        "Terminating", "True", "InstanceDeletionPending",
        "CustomResourceDefinition marked for deletion; CustomResource "
        "deletion will begin soon",
    };
    struct yl_write *w = &deletion->write;
    struct yl_node *metadata = yl_member_make(w->arena, object, "metadata");
    struct yl_node *finalizers = yl_member_array(metadata, "finalizers");
    char now[YL_TIME_TEXT_SIZE];

    if (!yl_member_is_absent(metadata, "deletionTimestamp")) {
        return 0;
    }
    yl_time_write((struct yl_time) { yl_time_now().seconds, 0 }, now);
    yl_member_set_str(w->arena, metadata, "deletionTimestamp", now);
    if (!finalizers) {
        finalizers = yl_node_new_array(w->arena);
        yl_member_set(w->arena, metadata, "finalizers", finalizers);
    }
    if (!yl_finalizer_find(object, YL_CRD_FINALIZER)) {
        yl_node_append(finalizers,
                       yl_node_new_string(w->arena,
                                          YL_STR(YL_CRD_FINALIZER)));
    }
    yl_conditions_set(w->arena, object, &pending);
    w->action = YL_WRITE_STORE;
    *ret_done = true;
    return yl_write_propose(w, object, status);
}
