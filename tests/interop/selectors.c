/* Label selectors, in both forms, and field selectors. */

#include "driver.h"

#include "yuloh/json.h"
#include "yuloh/selector.h"

static void answer_selector(struct call *, const struct yl_selector *);
static struct yl_str get_field(void *call, struct yl_str field);

/* text, labels, key */
OP(label_selector)
{
    const struct yl_selector *selector;
    int r = yl_selector_parse(arg(call, 0), call->arena, &selector,
                              &call->err);

    if (r == 0) {
        answer_selector(call, selector);
    }
    return r;
}

/* LabelSelector, labels, key */
OP(label_selector_object)
{
    const struct yl_selector *selector;
    int r = yl_selector_from_json(yl_json(arg(call, 0)), call->arena,
                                  &selector, &call->err);

    if (r == 0) {
        answer_selector(call, selector);
    }
    return r;
}

/* text, fields, field */
OP(field_selector)
{
    const struct yl_field_selector *selector;
    struct yl_str value;
    bool found;
    int r = yl_field_selector_parse(arg(call, 0), call->arena, &selector,
                                    &call->err);

    if (r < 0) {
        return r;
    }
    answer(call, yl_field_selector_text(selector, call->arena));
    answer_bool(call, yl_field_selector_matches(selector, get_field, call));
    found = yl_field_selector_exact_value(selector, arg(call, 2), &value);
    answer_bool(call, found);
    answer(call, found ? value : YL_STR(""));
    return 0;
}

static void
answer_selector(struct call *call, const struct yl_selector *selector)
{
    struct yl_str value;
    bool found = yl_selector_exact_value(selector, arg(call, 2), &value);

    answer(call, yl_selector_text(selector, call->arena));
    answer_bool(call, yl_selector_matches(selector, yl_json(arg(call, 1))));
    answer_bool(call, found);
    answer(call, found ? value : YL_STR(""));
}

static struct yl_str
get_field(void *call_, struct yl_str field)
{
    struct call *call = call_;
    struct yl_str value = YL_STR("");

    yl_json_string(yl_json_get(yl_json(arg(call, 1)), field), call->arena,
                   &value);
    return value;
}
