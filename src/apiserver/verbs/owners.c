/* Repeated owner references.  See owners.h. */

#include "apiserver/verbs/owners.h"

#include "apiserver/request.h"
#include "apiserver/verbs/write.h"
#include "base/buf.h"
#include "builtin/common/checks.h"
#include "yuloh/arena.h"

static bool is_new(struct yl_arena *, struct yl_node *seen,
                   const struct yl_node *owner);

void
yl_owners_unique(struct yl_write *w, struct yl_node *metadata,
                 bool after_admission)
{
    struct yl_node *owners = yl_member_array(metadata, "ownerReferences");
    struct yl_node *seen, *owner, *next;
    bool repeated = false;
    struct yl_buf uids;

    if (!owners || owners->n < 2) {
        return;
    }
    seen = yl_node_new_object(w->arena);
    yl_buf_init(&uids, SIZE_MAX);
    YL_NODE_FOR_EACH_SAFE (owner, next, owners) {
        struct yl_str uid = YL_STR_INIT("");

        if (!is_new(w->arena, seen, owner)) {
            (void) yl_node_string(yl_node_get(owner, YL_STR("uid")), w->arena,
                                  &uid);
            yl_buf_append_c(&uids, repeated ? ", " : "");
            repeated = true;
            yl_buf_append_str(&uids, uid);
            yl_node_detach(owner);
        }
    }
    if (repeated) {
        yl_api_warn(w->request,
                    ".metadata.ownerReferences contains duplicate entries%s; "
                    "API server dedups owner references in 1.20+, and may "
                    "reject such requests as early as 1.24; please fix your "
                    "requests; duplicate UID(s) observed: %s",
                    after_admission ? " after mutating admission happens" : "",
                    yl_buf_c_str(&uids));
    }
    yl_buf_release(&uids);
}

/* Is the reference not among those seen?  Equal references have equal
 * canonical texts. */
static bool
is_new(struct yl_arena *arena, struct yl_node *seen,
       const struct yl_node *owner)
{
    struct yl_buf text;
    bool new_ = true;

    yl_buf_init(&text, SIZE_MAX);
    if (yl_node_write_canonical(&text, owner) == 0) {
        new_ = yl_set_add(arena, seen, yl_buf_str(&text));
    }
    yl_buf_release(&text);
    return new_;
}
