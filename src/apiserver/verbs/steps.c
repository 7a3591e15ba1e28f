/* The table of steps.  See steps.h for the contract. */

#include "apiserver/verbs/steps.h"

#include "base/arena.h"

static yl_write_step_fn *const table[] = {
    yl_write_decode,
    yl_write_convert,
    yl_write_identify,
    yl_write_own,
    yl_write_mutate,
    yl_write_own_again,
    yl_write_default,
    yl_write_claim,
    yl_write_prepare,
    yl_write_validate,
    yl_write_admit,
    yl_write_store,
    yl_write_settle,
};

int
yl_write_run_steps(struct yl_write *w)
{
    while (w->step < YL_ARRAY_SIZE(table) && !w->proposed) {
        int r = table[w->step](w, &w->status);

        if (r == 0) {
            r = yl_arena_check(w->arena, &w->status.error);
        }
        if (r != 0) {
            return r;
        }
        w->step++;
        w->part = 0;
    }
    return 0;
}

int
yl_write_decode(struct yl_write *w, struct yl_status *status)
{
    int r = w->ops->decode(w, status);

    return r == 0 && w->ops->merge && !w->proposed
           ? w->ops->merge(w, status) : r;
}
