/* Parts of the server that are still being built: each row gives way to the
 * real one by itself. */

#include <stdlib.h>
#include <string.h>

#include "apiserver/admission/admission.h"
#include "apiserver/filters/filters.h"
#include "apiserver/verbs/verbs.h"
#include "base/alloc.h"

#define PENDING __attribute__((weak))

PENDING enum yl_step
yl_verb_patch(struct yl_api_request *req)
{
    return yl_api_respond_unknown(req);
}

PENDING enum yl_step
yl_verb_deletecollection(struct yl_api_request *req)
{
    return yl_api_respond_unknown(req);
}

PENDING int
yl_admit_mutate(struct yl_admission *admission YL_UNUSED,
                struct yl_status *status YL_UNUSED)
{
    return 0;
}

PENDING int
yl_admit_validate(const struct yl_admission *admission YL_UNUSED,
                  struct yl_status *status YL_UNUSED)
{
    return 0;
}
