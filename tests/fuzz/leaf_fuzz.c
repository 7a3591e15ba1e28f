/* Fuzzes the small texts that objects hold: quantities, times, durations,
 * names, keys and versions.  What is read must be the same after it was
 * written and read again. */

#include "fuzz.h"

#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/gvk.h"
#include "yuloh/key.h"
#include "yuloh/names.h"
#include "yuloh/quantity.h"
#include "yuloh/time.h"

/* The years 0 to 9999, which have a text. */
#define FIRST_SECOND INT64_C(-62167219200)
#define LAST_SECOND INT64_C(253402300799)

static void check_quantity(struct yl_str);
static bool has_suffix(const struct yl_quantity *);
static void check_sums(const struct yl_quantity *, const struct yl_quantity *);
static void check_time(struct yl_str);
static void check_micro_time(struct yl_str);
static void check_duration(struct yl_str);
static void check_names(struct yl_str);
static bool is_name(enum yl_name_rule, struct yl_str);
static void check_key(struct yl_arena *, struct yl_str);
static void check_version(struct yl_arena *, struct yl_str);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yl_str s = yl_str_n((const char *) data, size);
    struct yl_arena *arena = yl_arena_new();

    check_quantity(s);
    check_time(s);
    check_micro_time(s);
    check_duration(s);
    check_names(s);
    check_key(arena, s);
    check_version(arena, s);
    yl_arena_free(arena);
    return 0;
}

static void
check_quantity(struct yl_str s)
{
    char room[YL_QUANTITY_TEXT_SIZE], again_room[YL_QUANTITY_TEXT_SIZE];
    struct yl_str before, after, canonical, text;
    struct yl_error err = YL_ERROR_INIT;
    struct yl_quantity q, again;
    int r = yl_quantity_parse(s, &q, &err);

    CHECK(r == err.code && (r == 0 || *yl_error_message(&err)));
    yl_error_clear(&err);
    if (r == 0) {
        text = yl_quantity_text(&q, room);
        CHECK(text.size);
        canonical = yl_quantity_canonical(&q, room);
        CHECK(yl_quantity_parse(canonical, &again, NULL) == 0);
        if (has_suffix(&q)) {
            CHECK(yl_quantity_compare(&q, &again) == 0);
            CHECK(yl_str_equal(yl_quantity_canonical(&again, again_room),
                               canonical));
        }
        CHECK(yl_quantity_sign(&q) == yl_quantity_sign(&again));
        yl_quantity_forget_text(&q);
        yl_quantity_milli_value(&q);
        yl_quantity_scaled_value(&q, 3);
        check_sums(&q, &q);
    }
    if (yl_str_cut(s, ' ', &before, &after)
        && yl_quantity_parse(before, &q, NULL) == 0
        && yl_quantity_parse(after, &again, NULL) == 0) {
        check_sums(&q, &again);
    }
}

/* From 10^21 on there is no suffix in the decimal family. */
static bool
has_suffix(const struct yl_quantity *q)
{
    struct yl_quantity limit = yl_quantity_make(1, 21, YL_DECIMAL_SI);
    struct yl_quantity size = *q;

    if (yl_quantity_sign(&size) < 0) {
        yl_quantity_negate(&size);
    }
    return q->format != YL_DECIMAL_SI
           || yl_quantity_compare(&size, &limit) < 0;
}

static void
check_sums(const struct yl_quantity *x, const struct yl_quantity *y)
{
    struct yl_quantity sum = *x;
    struct yl_quantity turned = *y;
    int order = yl_quantity_compare(x, y);

    CHECK((order < 0) == (yl_quantity_compare(y, x) > 0));
    if (yl_quantity_sub(&sum, y) == 0) {
        int sign = yl_quantity_sign(&sum);

        CHECK((sign < 0) == (order < 0) && (sign > 0) == (order > 0));
        if (yl_quantity_add(&sum, y) == 0) {
            CHECK(yl_quantity_compare(&sum, x) == 0);
        }
    } else {
        CHECK(yl_quantity_compare(&sum, x) == 0);
    }
    if (yl_quantity_value(x) < yl_quantity_value(y)) {
        CHECK(order < 0);
    }
    yl_quantity_negate(&turned);
    yl_quantity_negate(&turned);
    CHECK(yl_quantity_compare(&turned, y) == 0);
}

static void
check_time(struct yl_str s)
{
    char text[YL_TIME_TEXT_SIZE];
    struct yl_time t, again;
    size_t size;

    if (yl_time_parse(s, &t, NULL) < 0) {
        return;
    }
    CHECK(t.nanos >= 0 && t.nanos < 1000000000);
    size = yl_time_write(t, text);
    CHECK(size == strlen(text));
    if (t.seconds >= FIRST_SECOND && t.seconds <= LAST_SECOND) {
        CHECK(yl_time_parse(yl_str_n(text, size), &again, NULL) == 0);
        CHECK(again.seconds == t.seconds && again.nanos == 0);
    }
    CHECK(yl_time_sub(t, t) == 0 && yl_time_compare(t, t) == 0);
    again = yl_time_add(t, 1);
    CHECK(yl_time_sub(again, t) == 1 && yl_time_compare(again, t) > 0);
}

static void
check_micro_time(struct yl_str s)
{
    char text[YL_TIME_TEXT_SIZE];
    struct yl_time t, again;
    size_t size;

    if (yl_micro_time_parse(s, &t, NULL) < 0) {
        return;
    }
    CHECK(yl_time_parse(s, &again, NULL) == 0);
    CHECK(yl_time_compare(t, again) == 0);
    size = yl_micro_time_write(t, text);
    CHECK(size == strlen(text));
    if (t.seconds >= FIRST_SECOND && t.seconds <= LAST_SECOND) {
        CHECK(yl_micro_time_parse(yl_str_n(text, size), &again, NULL) == 0);
        CHECK(again.seconds == t.seconds
              && again.nanos == t.nanos / 1000 * 1000);
    }
}

static void
check_duration(struct yl_str s)
{
    char text[YL_DURATION_TEXT_SIZE];
    int64_t nanos, again;
    size_t size;

    if (yl_duration_parse(s, &nanos, NULL) == 0) {
        size = yl_duration_write(nanos, text);
        CHECK(size == strlen(text));
        CHECK(yl_duration_parse(yl_str_n(text, size), &again, NULL) == 0);
        CHECK(again == nanos);
        size = yl_duration_write_human(nanos, text);
        CHECK(size && size == strlen(text));
    }
}

static void
check_names(struct yl_str s)
{
    int rule;

    for (rule = YL_NAME_DNS1123_LABEL; rule <= YL_NAME_PATH_SEGMENT_PREFIX;
         rule++) {
        struct yl_name_faults faults = { .n_faults = 0 };
        int r = yl_name_check((enum yl_name_rule) rule, s, &faults);

        CHECK(r == 0 ? faults.n_faults == 0
                     : faults.n_faults > 0
                       && faults.n_faults <= YL_NAME_MAX_FAULTS);
        if (r == 0) {
            CHECK(yl_name_check_prefix((enum yl_name_rule) rule, s, NULL)
                  == 0);
        } else {
            struct yl_error err = YL_ERROR_INIT;

            CHECK(yl_name_faults_error(&faults, &err) == YL_EINVALID);
            CHECK(*yl_error_message(&err));
            yl_error_clear(&err);
        }
    }
    if (is_name(YL_NAME_DNS1035_LABEL, s)) {
        CHECK(is_name(YL_NAME_DNS1123_LABEL, s));
    }
    if (is_name(YL_NAME_DNS1123_LABEL, s)) {
        CHECK(is_name(YL_NAME_DNS1123_SUBDOMAIN, s));
        CHECK(is_name(YL_NAME_QUALIFIED, s));
    }
    if (is_name(YL_NAME_DNS1123_SUBDOMAIN, s)) {
        CHECK(is_name(YL_NAME_PATH_SEGMENT, s));
    }
    if (is_name(YL_NAME_QUALIFIED, s) && !yl_str_find_char(s, '/')) {
        CHECK(is_name(YL_NAME_LABEL_VALUE, s));
    }
}

static bool
is_name(enum yl_name_rule rule, struct yl_str s)
{
    return yl_name_check(rule, s, NULL) == 0;
}

static void
check_key(struct yl_arena *arena, struct yl_str s)
{
    struct yl_key key, again;

    if (yl_key_parse(s, &key, NULL) == 0) {
        struct yl_key *copy = yl_key_new(&key);

        CHECK(yl_key_parse(yl_key_text(&key, arena), &again, NULL) == 0);
        CHECK(yl_key_equal(&key, &again) && yl_key_equal(&key, copy));
        CHECK(yl_key_compare(&key, copy) == 0);
        CHECK(yl_key_hash(&key) == yl_key_hash(copy));
        free(copy);
    }
}

static void
check_version(struct yl_arena *arena, struct yl_str s)
{
    struct yl_str before, after;
    struct yl_gvk gvk, again;

    if (yl_gvk_parse(s, YL_STR("Pod"), &gvk, NULL) == 0) {
        struct yl_str text = yl_gv_api_version(yl_gvk_gv(gvk), arena);

        CHECK(yl_gvk_parse(text, YL_STR("Pod"), &again, NULL) == 0);
        CHECK(yl_gvk_equal(gvk, again));
        CHECK(yl_gvk_text(gvk, arena).size);
    }
    if (yl_str_cut(s, '/', &before, &after)) {
        int order = yl_version_compare(before, after);
        int back = yl_version_compare(after, before);

        CHECK((order < 0) == (back > 0) && (order > 0) == (back < 0));
        CHECK(order == 0 || !yl_str_equal(before, after));
    }
}
