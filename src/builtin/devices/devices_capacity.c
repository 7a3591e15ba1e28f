/* Checks of the policies for requests of a device's capacity.  See
 * builtin/devices/devices_checks.h for the contract. */

#include "builtin/devices/devices_checks.h"

#define MAX_OPTIONS 10

/* The capacity, and the amount that a request without one gets. */
struct policy {
    struct yl_quantity capacity, usual;
};

static void check_options(struct yl_check *, const struct yl_at *values,
                          const struct policy *);
static void check_range(struct yl_check *, const struct yl_at *range,
                        const struct policy *);
static void check_step(struct yl_check *, const struct yl_at *range,
                       const struct policy *, const struct yl_quantity *min);
static void check_multiple(struct yl_check *, const struct yl_at *step,
                           const struct yl_quantity *value,
                           const struct yl_quantity *min,
                           const struct yl_quantity *size);
static bool quantity_of(struct yl_check *, const struct yl_at *,
                        struct yl_quantity *);
static const char *text_of(struct yl_check *, const struct yl_quantity *);
static void too_large(struct yl_check *, const struct yl_at *,
                      const struct yl_quantity *shown, const char *what,
                      const struct yl_quantity *limit);

void
yl_check_device_capacity(struct yl_check *c, const struct yl_at *capacity,
                         bool many)
{
    struct yl_at value = yl_at(capacity, "value");
    struct yl_at at = yl_at(capacity, "requestPolicy");
    struct yl_at usual = yl_at(&at, "default");
    struct yl_at values = yl_at(&at, "validValues");
    struct yl_at range = yl_at(&at, "validRange");
    bool listed = yl_at_count(&values) != 0;
    struct policy policy;

    if (!yl_at_has(&at)) {
        return;
    }
    if (!many) {
        yl_field_forbidden(c->err, yl_at_path(&at),
                           "allowMultipleAllocations must be true");
        return;
    }
    if (listed && yl_at_has(&range)) {
        yl_field_forbidden(c->err, yl_at_path(&at),
                           "exactly one policy can be specified, cannot "
                           "specify \"validValues\" and \"validRange\" at the "
                           "same time");
        return;
    }
    if (!listed && !yl_at_has(&range)) {
        return;
    }
    if (!yl_at_has(&usual)) {
        yl_field_required(c->err, yl_at_path(&usual),
                          "required when %s is defined",
                          listed ? "validValues" : "validRange");
        return;
    }
    if (!quantity_of(c, &value, &policy.capacity)) {
        policy.capacity = yl_quantity_make(0, 0, YL_DECIMAL_SI);
    }
    if (quantity_of(c, &usual, &policy.usual)) {
        if (listed) {
            check_options(c, &values, &policy);
        } else {
            check_range(c, &range, &policy);
        }
    }
}

/* The options must be sorted, different and not above the capacity, and
 * include the default. */
static void
check_options(struct yl_check *c, const struct yl_at *values,
              const struct policy *policy)
{
    struct yl_quantity before = { 0 }, q;
    struct yl_node *seen = yl_node_new_object(c->arena);
    bool found = false;
    size_t n = 0;

    YL_CHECK_FOR_EACH (c, value, values) {
        if (quantity_of(c, &value, &q)) {
            if (n++ && yl_quantity_compare(&before, &q) > 0) {
                yl_field_invalid(c->err, yl_at_path(&value),
                                 yl_bad_string(yl_str_c(text_of(c, &q))),
                                 "values must be sorted in ascending order");
            }
            before = q;
        }
    }
    if (yl_at_count(values) > MAX_OPTIONS) {
        yl_field_too_many(c->err, yl_at_path(values),
                          (int64_t) yl_at_count(values), MAX_OPTIONS);
    } else {
        YL_CHECK_FOR_EACH (c, value, values) {
            if (quantity_of(c, &value, &q)) {
                if (yl_quantity_compare(&q, &policy->capacity) > 0) {
                    too_large(c, &value, &q, "option", &policy->capacity);
                }
                found |= yl_quantity_compare(&q, &policy->usual) == 0;
            }
        }
        YL_CHECK_FOR_EACH (c, value, values) {
            const char *key = "";

            if (quantity_of(c, &value, &q)) {
                key = yl_arena_printf(c->arena, "%lld",
                                      (long long) yl_quantity_value(&q));
            }
            if (!yl_set_add(c->arena, seen, yl_str_c(key))) {
                yl_field_duplicate(c->err, yl_at_path(&value),
                                   yl_bad_string(yl_str_c(key)));
            }
        }
    }
    if (!found) {
        yl_field_invalid(c->err, yl_at_path(values),
                         yl_bad_string(yl_str_c(text_of(c, &policy->usual))),
                         "default value is not valid according to the "
                         "requestPolicy");
    }
}

static void
check_range(struct yl_check *c, const struct yl_at *range,
            const struct policy *policy)
{
    struct yl_at low = yl_at(range, "min"), high = yl_at(range, "max");
    struct yl_quantity min, max;

    if (!quantity_of(c, &low, &min)) {
        yl_field_required(c->err, yl_at_path(&low),
                          "required when validRange is defined");
        return;
    }
    if (yl_quantity_compare(&min, &policy->capacity) > 0) {
        too_large(c, &low, &min, "min", &policy->capacity);
    }
    if (yl_quantity_compare(&policy->usual, &min) < 0) {
        yl_field_invalid(c->err, yl_at_path(&low),
                         yl_bad_string(yl_str_c(text_of(c, &policy->usual))),
                         "default is less than min: %s", text_of(c, &min));
    }
    if (quantity_of(c, &high, &max)) {
        if (yl_quantity_compare(&min, &max) > 0) {
            yl_field_invalid(c->err, yl_at_path(&high),
                             yl_bad_string(yl_str_c(text_of(c, &min))),
                             "min is larger than max: %s", text_of(c, &max));
        }
        if (yl_quantity_compare(&max, &policy->capacity) > 0) {
            too_large(c, &high, &max, "max", &policy->capacity);
        }
        if (yl_quantity_compare(&policy->usual, &max) > 0) {
            yl_field_invalid(c->err, yl_at_path(&high),
                             yl_bad_string(yl_str_c(text_of(
                                 c, &policy->usual))),
                             "default is more than max: %s",
                             text_of(c, &max));
        }
    }
    check_step(c, range, policy, &min);
}

static void
check_step(struct yl_check *c, const struct yl_at *range,
           const struct policy *policy, const struct yl_quantity *min)
{
    struct yl_at step = yl_at(range, "step"), high = yl_at(range, "max");
    struct yl_quantity size, max, sum = *min;

    if (!quantity_of(c, &step, &size)) {
        return;
    }
    if (yl_quantity_add(&sum, &size) == 0) {
        yl_quantity_forget_text(&sum);
        if (yl_quantity_compare(&sum, &policy->capacity) > 0) {
            yl_field_invalid(c->err, yl_at_path(&step),
                             yl_bad_string(yl_str_c(text_of(c, &size))),
                             "one step %s is larger than capacity value: %s",
                             text_of(c, &sum),
                             text_of(c, &policy->capacity));
        }
    }
    check_multiple(c, &step, &policy->usual, min, &size);
    if (quantity_of(c, &high, &max)) {
        check_multiple(c, &step, &max, min, &size);
    }
}

/* Checks that a value is reached from the minimum in whole steps.  A step of 0
 * is an error here; upstream divides by zero. */
static void
check_multiple(struct yl_check *c, const struct yl_at *step,
               const struct yl_quantity *value, const struct yl_quantity *min,
               const struct yl_quantity *size)
{
    struct yl_quantity way = *value;
    int64_t n = yl_quantity_value(size);

    if (yl_quantity_sub(&way, min) < 0 || !n
        || yl_quantity_value(&way) % n != 0) {
        yl_field_invalid(c->err, yl_at_path(step),
                         yl_bad_string(yl_str_c(text_of(c, value))),
                         "value is not a multiple of a given step (%s) from "
                         "(%s)", text_of(c, size), text_of(c, min));
    }
}

static bool
quantity_of(struct yl_check *c, const struct yl_at *at,
            struct yl_quantity *ret_quantity)
{
    return yl_at_has(at)
           && yl_node_quantity(c->arena, at->node, ret_quantity);
}

static const char *
text_of(struct yl_check *c, const struct yl_quantity *q)
{
    char room[YL_QUANTITY_TEXT_SIZE];

    return yl_arena_strdup(c->arena, yl_quantity_text(q, room));
}

static void
too_large(struct yl_check *c, const struct yl_at *at,
          const struct yl_quantity *shown, const char *what,
          const struct yl_quantity *limit)
{
    yl_field_invalid(c->err, yl_at_path(at),
                     yl_bad_string(yl_str_c(text_of(c, shown))),
                     "%s is larger than capacity value: %s", what,
                     text_of(c, limit));
}
