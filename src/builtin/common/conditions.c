/* Checks of conditions.  See builtin/common/conditions.h for the contract. */

#include "builtin/common/conditions.h"

#define MAX_REASON 1024
#define MAX_MESSAGE (32 * 1024)

static void check_condition(struct yl_check *, const struct yl_at *);
static bool is_reason(struct yl_str);

void
yl_check_conditions(struct yl_check *c, const struct yl_at *conditions)
{
    struct yl_node *types = yl_node_new_object(c->arena);

    YL_CHECK_FOR_EACH (c, condition, conditions) {
        struct yl_at type = yl_at(&condition, "type");

        if (!yl_set_add(c->arena, types, yl_at_str(c, &type))) {
            yl_field_duplicate(c->err, yl_at_path(&type),
                               yl_bad_str(c, &type));
        }
        check_condition(c, &condition);
    }
}

static void
check_condition(struct yl_check *c, const struct yl_at *condition)
{
    static const char *const statuses[] = { "False", "True", "Unknown",
                                            NULL };
    struct yl_at type = yl_at(condition, "type");
    struct yl_at status = yl_at(condition, "status");
    struct yl_at generation = yl_at(condition, "observedGeneration");
    struct yl_at time = yl_at(condition, "lastTransitionTime");
    struct yl_at reason = yl_at(condition, "reason");
    struct yl_at message = yl_at(condition, "message");

    yl_check_name(c, &type, YL_NAME_QUALIFIED);
    yl_check_one_of(c, &status, statuses);
    if (yl_at_int(&generation) < 0) {
        yl_field_invalid(c->err, yl_at_path(&generation),
                         yl_bad_int(yl_at_int(&generation)),
                         "must be greater than or equal to zero");
    }
    yl_check_required(c, &time);
    if (yl_check_required(c, &reason)) {
        if (!is_reason(yl_at_str(c, &reason))) {
            yl_field_invalid(c->err, yl_at_path(&reason),
                             yl_bad_str(c, &reason),
                             "a condition reason must start with alphabetic "
                             "character, optionally followed by a string of "
                             "alphanumeric characters or '_,:', and must end "
                             "with an alphanumeric character or '_' (e.g. "
                             "'my_name',  or 'MY_NAME',  or 'MyName',  or "
                             "'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex "
                             "used for validation is '[A-Za-z]"
                             "([A-Za-z0-9_,:]*[A-Za-z0-9_])?')");
        }
        if (yl_at_str(c, &reason).size > MAX_REASON) {
            yl_field_too_long(c->err, yl_at_path(&reason), MAX_REASON);
        }
    }
    if (yl_at_str(c, &message).size > MAX_MESSAGE) {
        yl_field_too_long(c->err, yl_at_path(&message), MAX_MESSAGE);
    }
}

static bool
is_reason(struct yl_str s)
{
    size_t i;

    for (i = 0; i < s.size; i++) {
        char ch = s.data[i];
        bool letter = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z');
        bool other = (ch >= '0' && ch <= '9') || ch == '_';

        if (!letter && (!i || !other)
            && (!i || i + 1 == s.size || (ch != ',' && ch != ':'))) {
            return false;
        }
    }
    return s.size > 0;
}
