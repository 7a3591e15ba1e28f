/* Names, keys, group-versions and versions. */

#include "driver.h"

#include "yuloh/gvk.h"
#include "yuloh/key.h"
#include "yuloh/names.h"

/* rule, value, whether it is a prefix */
OP(name)
{
    enum yl_name_rule rule = (enum yl_name_rule) arg_int(call, 0);
    bool prefix = yl_str_equal_c(arg(call, 2), "true");
    struct yl_name_faults faults;
    size_t i;
    int r = prefix ? yl_name_check_prefix(rule, arg(call, 1), &faults)
                   : yl_name_check(rule, arg(call, 1), &faults);

    for (i = 0; r < 0 && i < faults.n_faults; i++) {
        answer_c(call, faults.faults[i]);
    }
    return 0;
}

OP(key)
{
    struct yl_key key;
    int r = yl_key_parse(arg(call, 0), &key, &call->err);

    if (r == 0) {
        answer(call, key.namespace_);
        answer(call, key.name);
        answer(call, yl_key_text(&key, call->arena));
    }
    return r;
}

OP(group_version)
{
    struct yl_gv gv;
    int r = yl_gv_parse(arg(call, 0), &gv, &call->err);

    if (r == 0) {
        answer(call, gv.group);
        answer(call, gv.version);
        answer(call, yl_gv_api_version(gv, call->arena));
    }
    return r;
}

/* group, version, kind or resource */
OP(kind_text)
{
    struct yl_gvk gvk = { arg(call, 0), arg(call, 1), arg(call, 2) };
    struct yl_gvr gvr = { arg(call, 0), arg(call, 1), arg(call, 2) };

    answer(call, yl_gvk_text(gvk, call->arena));
    answer(call, yl_gvk_short_text(gvk, call->arena));
    answer(call, yl_gvr_text(gvr, call->arena));
    answer(call, yl_gvr_short_text(gvr, call->arena));
    return 0;
}

OP(version_compare)
{
    int c = yl_version_compare(arg(call, 0), arg(call, 1));

    answer_int(call, (c > 0) - (c < 0));
    return 0;
}
