/* Statuses and conditions. */

#include "driver.h"

#include "yuloh/condition.h"
#include "yuloh/gvk.h"
#include "yuloh/status.h"

/* What makes a status: its name, then a function of the arguments that come
 * behind the name: group, resource or kind, name, why, seconds. */
typedef int status_fn(struct yl_status *, const struct call *);

static struct yl_gvr resource(const struct call *);
static int invalid(struct yl_status *, const struct call *);
static int answer_conditions(struct call *, int changed, struct yl_str);

#define STATUS(NAME, ...)                                                     \
    static int status_##NAME(struct yl_status *s, const struct call *call)    \
    {                                                                         \
        return yl_status_##NAME(s, __VA_ARGS__);                              \
    }
STATUS(not_found, resource(call), arg(call, 3))
STATUS(exists, resource(call), arg(call, 3))
STATUS(conflict, resource(call), arg(call, 3), arg(call, 4))
STATUS(forbidden, resource(call), arg(call, 3), arg(call, 4))
STATUS(method_not_supported, resource(call), arg(call, 3))
STATUS(server_timeout, resource(call), arg(call, 3), (int) arg_int(call, 5))
STATUS(unauthorized, arg(call, 4))
STATUS(bad_request, arg(call, 4))
STATUS(expired, arg(call, 4))
STATUS(unavailable, arg(call, 4))
STATUS(internal, arg(call, 4))
STATUS(timeout, arg(call, 4), (int) arg_int(call, 5))
STATUS(too_many_requests, arg(call, 4), (int) arg_int(call, 5))
STATUS(too_large, arg(call, 4))
#undef STATUS

static const struct {
    const char *name;
    status_fn *make;
} makers[] = {
    { "not_found", status_not_found },
    { "exists", status_exists },
    { "conflict", status_conflict },
    { "forbidden", status_forbidden },
    { "method_not_supported", status_method_not_supported },
    { "server_timeout", status_server_timeout },
    { "unauthorized", status_unauthorized },
    { "bad_request", status_bad_request },
    { "expired", status_expired },
    { "unavailable", status_unavailable },
    { "internal", status_internal },
    { "timeout", status_timeout },
    { "too_many_requests", status_too_many_requests },
    { "too_large", status_too_large },
    { "invalid", invalid },
};

OP(status)
{
    struct yl_status status = YL_STATUS_INIT;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(makers); i++) {
        if (yl_str_equal_c(arg(call, 0), makers[i].name)) {
            makers[i].make(&status, call);
            answer(call, yl_status_json(&status, call->arena));
        }
    }
    yl_status_clear(&status);
    return 0;
}

/* A Status, read and written again. */
OP(status_again)
{
    struct yl_status status = YL_STATUS_INIT;
    int r = yl_status_parse(arg(call, 0), &status, &call->err);

    if (r == 0) {
        answer(call, yl_status_json(&status, call->arena));
    }
    yl_status_clear(&status);
    return r;
}

/* conditions, type, status, reason, message, generation, seconds */
OP(condition_set)
{
    struct yl_condition condition = {
        .type = arg(call, 1),
        .status = arg(call, 2),
        .reason = arg(call, 3),
        .message = arg(call, 4),
        .observed_generation = arg_int(call, 5),
        .last_transition_time = yl_time_zero(),
    };
    struct yl_time now = { arg_int(call, 6), 0 };
    struct yl_str conditions;
    int r = yl_condition_set(yl_json(arg(call, 0)), &condition, now,
                             call->arena, &conditions, &call->err);

    return r < 0 ? r : answer_conditions(call, r, conditions);
}

/* conditions, type */
OP(condition_remove)
{
    struct yl_str conditions;
    struct yl_json old = yl_json(arg(call, 0));
    int r = yl_condition_remove(old, arg(call, 1), call->arena, &conditions,
                                &call->err);

    if (r >= 0) {
        answer_bool(call, yl_condition_is_true(old, arg(call, 1)));
        answer_bool(call, yl_condition_is_false(old, arg(call, 1)));
        r = answer_conditions(call, r, conditions);
    }
    return r;
}

static struct yl_gvr
resource(const struct call *call)
{
    struct yl_gvr gvr = { arg(call, 1), YL_STR("v1"), arg(call, 2) };

    return gvr;
}

/* A fault of the field that 'why' names, and another one if there are
 * seconds. */
static int
invalid(struct yl_status *status, const struct call *call)
{
    struct yl_gvk gvk = { arg(call, 1), YL_STR("v1"), arg(call, 2) };
    struct yl_error faults = YL_ERROR_INIT;
    int r;

    yl_error_add_cause(&faults, YL_STR("FieldValueRequired"),
                       YL_STR("Required value: why"), arg(call, 4));
    if (arg_int(call, 5) > 0) {
        yl_error_add_cause(&faults, YL_STR("FieldValueForbidden"),
                           YL_STR("Forbidden: because"), YL_STR("spec.b"));
    }
    r = yl_status_invalid(status, gvk, arg(call, 3), &faults);
    yl_error_clear(&faults);
    return r;
}

static int
answer_conditions(struct call *call, int changed, struct yl_str conditions)
{
    answer_bool(call, changed == 1);
    return answer_json(call, conditions);
}
