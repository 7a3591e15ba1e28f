/* Quantities, times and durations. */

#include "driver.h"

#include "yuloh/quantity.h"
#include "yuloh/time.h"

static void answer_time(struct call *, struct yl_time);

/* text, scale */
OP(quantity)
{
    struct yl_quantity q;
    char room[YL_QUANTITY_TEXT_SIZE];
    int r = yl_quantity_parse(arg(call, 0), &q, &call->err);

    if (r < 0) {
        return r;
    }
    answer(call, yl_quantity_text(&q, room));
    answer(call, yl_quantity_canonical(&q, room));
    answer_int(call, yl_quantity_sign(&q));
    answer_int(call, yl_quantity_value(&q));
    answer_int(call, yl_quantity_milli_value(&q));
    answer_int(call, yl_quantity_scaled_value(&q,
                                              (int32_t) arg_int(call, 1)));
    return 0;
}

/* Two texts: the order, the sum, the difference. */
OP(quantity_pair)
{
    struct yl_quantity a, b, sum, difference;
    char room[YL_QUANTITY_TEXT_SIZE];
    int c;
    int r = yl_quantity_parse(arg(call, 0), &a, &call->err);

    if (r == 0) {
        r = yl_quantity_parse(arg(call, 1), &b, &call->err);
    }
    if (r < 0) {
        return r;
    }
    c = yl_quantity_compare(&a, &b);
    answer_int(call, (c > 0) - (c < 0));
    sum = difference = a;
    r = yl_quantity_add(&sum, &b);
    answer(call, r < 0 ? YL_STR("range") : yl_quantity_text(&sum, room));
    r = yl_quantity_sub(&difference, &b);
    answer(call, r < 0 ? YL_STR("range")
                       : yl_quantity_text(&difference, room));
    yl_quantity_negate(&a);
    answer(call, yl_quantity_text(&a, room));
    return 0;
}

/* value, scale, format */
OP(quantity_make)
{
    struct yl_quantity q = yl_quantity_make(
        arg_int(call, 0), (int32_t) arg_int(call, 1),
        (enum yl_quantity_format) arg_int(call, 2));
    char room[YL_QUANTITY_TEXT_SIZE];

    answer(call, yl_quantity_text(&q, room));
    return 0;
}

OP(time)
{
    struct yl_time t;
    int r = yl_time_parse(arg(call, 0), &t, &call->err);

    if (r == 0) {
        answer_time(call, t);
    }
    return r;
}

OP(micro_time)
{
    struct yl_time t;
    int r = yl_micro_time_parse(arg(call, 0), &t, &call->err);

    if (r == 0) {
        answer_time(call, t);
    }
    return r;
}

/* seconds, nanoseconds, nanoseconds to add */
OP(time_add)
{
    struct yl_time t = { arg_int(call, 0), (int32_t) arg_int(call, 1) };
    struct yl_time sum = yl_time_add(t, arg_int(call, 2));

    answer_time(call, sum);
    answer_int(call, yl_time_sub(sum, t));
    answer_int(call, yl_time_compare(sum, t));
    return 0;
}

OP(duration)
{
    char text[YL_DURATION_TEXT_SIZE];
    int64_t nanos;
    int r = yl_duration_parse(arg(call, 0), &nanos, &call->err);

    if (r == 0) {
        answer_int(call, nanos);
        answer(call, yl_str_n(text, yl_duration_write(nanos, text)));
        answer(call, yl_str_n(text, yl_duration_write_human(nanos, text)));
    }
    return r;
}

OP(duration_text)
{
    char text[YL_DURATION_TEXT_SIZE];
    int64_t nanos = arg_int(call, 0);

    answer(call, yl_str_n(text, yl_duration_write(nanos, text)));
    answer(call, yl_str_n(text, yl_duration_write_human(nanos, text)));
    return 0;
}

static void
answer_time(struct call *call, struct yl_time t)
{
    char text[YL_TIME_TEXT_SIZE];

    answer_int(call, t.seconds);
    answer_int(call, t.nanos);
    answer(call, yl_str_n(text, yl_time_write(t, text)));
    answer(call, yl_str_n(text, yl_micro_time_write(t, text)));
}
