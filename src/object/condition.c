/* Conditions.  See yuloh/condition.h for the contract. */

#include "yuloh/condition.h"

#include "base/buf.h"
#include "json/text.h"
#include "yuloh/arena.h"

static void read_condition(struct yl_json, struct yl_arena *,
                           struct yl_condition *);
static struct yl_str read_string(struct yl_json, struct yl_arena *);
static struct yl_json find(struct yl_json conditions, struct yl_str type);
static bool is_text(struct yl_json, struct yl_str);
static bool is_same(struct yl_json old, const struct yl_condition *);
static void write_changed(struct yl_buf *, struct yl_json old,
                          const struct yl_condition *, struct yl_time now);
static void write_members(struct yl_buf *, const struct yl_condition *,
                          struct yl_str last_transition_time);
static void write_others(struct yl_buf *, struct yl_json old);
static struct yl_str time_json(const struct yl_condition *,
                               struct yl_time now,
                               char room[YL_TIME_TEXT_SIZE + 2]);
static int check_array(struct yl_json, struct yl_error *);
static struct yl_str finish(struct yl_buf *, struct yl_arena *);

struct yl_condition_iter
yl_condition_iter(struct yl_json conditions, struct yl_arena *arena)
{
    struct yl_condition_iter it;

    it.elements = yl_json_iter(yl_json_type(conditions) == YL_JSON_ARRAY
                               ? conditions : yl_json_none());
    it.arena = arena;
    return it;
}

bool
yl_condition_next(struct yl_condition_iter *it,
                  struct yl_condition *ret_condition)
{
    while (yl_json_next(&it->elements)) {
        if (yl_json_type(it->elements.value) == YL_JSON_OBJECT) {
            read_condition(it->elements.value, it->arena, ret_condition);
            return true;
        }
    }
    return false;
}

bool
yl_condition_find(struct yl_json conditions, struct yl_str type,
                  struct yl_arena *arena, struct yl_condition *ret_condition)
{
    struct yl_json found = find(conditions, type);

    if (!yl_json_exists(found)) {
        return false;
    }
    read_condition(found, arena, ret_condition);
    return true;
}

bool
yl_condition_is(struct yl_json conditions, struct yl_str type,
                struct yl_str status)
{
    return yl_json_string_is(yl_json_get(find(conditions, type),
                                         YL_STR("status")), status);
}

bool
yl_condition_is_true(struct yl_json conditions, struct yl_str type)
{
    return yl_condition_is(conditions, type, YL_STR("True"));
}

bool
yl_condition_is_false(struct yl_json conditions, struct yl_str type)
{
    return yl_condition_is(conditions, type, YL_STR("False"));
}

int
yl_condition_set(struct yl_json conditions,
                 const struct yl_condition *condition, struct yl_time now,
                 struct yl_arena *arena, struct yl_str *ret_conditions,
                 struct yl_error *err)
{
    struct yl_json old = find(conditions, condition->type);
    struct yl_json_iter it = yl_json_iter(conditions);
    struct yl_buf buf;
    size_t n = 0;
    int r = check_array(conditions, err);

    if (r < 0) {
        return r;
    } else if (yl_json_exists(old) && is_same(old, condition)) {
        *ret_conditions = yl_json_raw(conditions);
        return 0;
    }
    yl_buf_init(&buf, SIZE_MAX / 2);
    yl_buf_append_char(&buf, '[');
    while (yl_json_next(&it)) {
        yl_buf_append_c(&buf, n++ ? "," : "");
        if (it.value.start == old.start) {
            write_changed(&buf, old, condition, now);
        } else {
            yl_buf_append_str(&buf, yl_json_raw(it.value));
        }
    }
    if (!yl_json_exists(old)) {
        yl_buf_append_c(&buf, n ? "," : "");
        write_changed(&buf, old, condition, now);
    }
    *ret_conditions = finish(&buf, arena);
    return 1;
}

int
yl_condition_remove(struct yl_json conditions, struct yl_str type,
                    struct yl_arena *arena, struct yl_str *ret_conditions,
                    struct yl_error *err)
{
    struct yl_json_iter it = yl_json_iter(conditions);
    struct yl_buf buf;
    size_t n = 0;
    int r = check_array(conditions, err);

    if (r < 0) {
        return r;
    } else if (!yl_json_exists(find(conditions, type))) {
        *ret_conditions = yl_json_type(conditions) == YL_JSON_ARRAY
                          ? yl_json_raw(conditions) : YL_STR("[]");
        return 0;
    }
    yl_buf_init(&buf, SIZE_MAX / 2);
    yl_buf_append_char(&buf, '[');
    while (yl_json_next(&it)) {
        if (!is_text(yl_json_get(it.value, YL_STR("type")), type)) {
            yl_buf_append_c(&buf, n++ ? "," : "");
            yl_buf_append_str(&buf, yl_json_raw(it.value));
        }
    }
    *ret_conditions = finish(&buf, arena);
    return 1;
}

/* Reading. */

static void
read_condition(struct yl_json json, struct yl_arena *arena,
               struct yl_condition *condition)
{
    struct yl_str time
        = read_string(yl_json_get(json, YL_STR("lastTransitionTime")), arena);

    memset(condition, 0, sizeof *condition);
    condition->type = read_string(yl_json_get(json, YL_STR("type")), arena);
    condition->status = read_string(yl_json_get(json, YL_STR("status")),
                                    arena);
    condition->reason = read_string(yl_json_get(json, YL_STR("reason")),
                                    arena);
    condition->message = read_string(yl_json_get(json, YL_STR("message")),
                                     arena);
    yl_json_int64(yl_json_get(json, YL_STR("observedGeneration")),
                  &condition->observed_generation);
    condition->last_transition_time = yl_time_zero();
    yl_time_parse(time, &condition->last_transition_time, NULL);
}

static struct yl_str
read_string(struct yl_json json, struct yl_arena *arena)
{
    struct yl_str s = YL_STR("");

    yl_json_string(json, arena, &s);
    return s;
}

static struct yl_json
find(struct yl_json conditions, struct yl_str type)
{
    struct yl_json_iter it = yl_json_iter(conditions);

    while (yl_json_next(&it)) {
        if (yl_json_type(it.value) == YL_JSON_OBJECT
            && is_text(yl_json_get(it.value, YL_STR("type")), type)) {
            return it.value;
        }
    }
    return yl_json_none();
}

/* Whether the value is the string 's'; an absent value reads as "". */
static bool
is_text(struct yl_json json, struct yl_str s)
{
    return yl_json_exists(json) ? yl_json_string_is(json, s) : !s.size;
}

static bool
is_same(struct yl_json old, const struct yl_condition *condition)
{
    int64_t generation = 0;

    yl_json_int64(yl_json_get(old, YL_STR("observedGeneration")),
                  &generation);
    return is_text(yl_json_get(old, YL_STR("status")), condition->status)
           && is_text(yl_json_get(old, YL_STR("reason")), condition->reason)
           && is_text(yl_json_get(old, YL_STR("message")), condition->message)
           && generation == condition->observed_generation;
}

static int
check_array(struct yl_json conditions, struct yl_error *err)
{
    enum yl_json_type type = yl_json_type(conditions);

    if (type != YL_JSON_NONE && type != YL_JSON_NULL
        && type != YL_JSON_ARRAY) {
        return yl_error_set(err, YL_ETYPE, "conditions are not an array");
    }
    return 0;
}

/* Writing. */

static void
write_changed(struct yl_buf *buf, struct yl_json old,
              const struct yl_condition *condition, struct yl_time now)
{
    char room[YL_TIME_TEXT_SIZE + 2];
    struct yl_str time;

    if (yl_json_exists(old)
        && is_text(yl_json_get(old, YL_STR("status")), condition->status)) {
        time = yl_json_raw(yl_json_get(old, YL_STR("lastTransitionTime")));
        if (yl_str_is_null(time)) {
            time = YL_STR("null");
        }
    } else {
        time = time_json(condition, now, room);
    }
    write_members(buf, condition, time);
    write_others(buf, old);
    yl_buf_append_char(buf, '}');
}

/* Writes the members we know, in canonical order. */
static void
write_members(struct yl_buf *buf, const struct yl_condition *condition,
              struct yl_str last_transition_time)
{
    yl_buf_append_c(buf, "{\"lastTransitionTime\":");
    yl_buf_append_str(buf, last_transition_time);
    yl_buf_append_c(buf, ",\"message\":");
    yl_json_write_text(buf, condition->message);
    if (condition->observed_generation) {
        yl_buf_append_c(buf, ",\"observedGeneration\":");
        yl_json_write_int64(buf, condition->observed_generation);
    }
    yl_buf_append_c(buf, ",\"reason\":");
    yl_json_write_text(buf, condition->reason);
    yl_buf_append_c(buf, ",\"status\":");
    yl_json_write_text(buf, condition->status);
    yl_buf_append_c(buf, ",\"type\":");
    yl_json_write_text(buf, condition->type);
}

/* Writes the members of 'old' that we do not know. */
static void
write_others(struct yl_buf *buf, struct yl_json old)
{
    static const char *const known[] = {
        "lastTransitionTime", "message", "observedGeneration", "reason",
        "status", "type",
    };
    struct yl_json_iter it = yl_json_iter(old);

    while (yl_json_next(&it)) {
        bool is_known = false;
        size_t i;

        for (i = 0; i < YL_ARRAY_SIZE(known); i++) {
            is_known |= yl_json_raw_equal(it.key, yl_str_c(known[i]));
        }
        if (!is_known) {
            yl_buf_append_c(buf, ",\"");
            yl_buf_append_str(buf, it.key);
            yl_buf_append_c(buf, "\":");
            yl_buf_append_str(buf, yl_json_raw(it.value));
        }
    }
}

/* The condition's own time, or 'now' if it has none, as JSON. */
static struct yl_str
time_json(const struct yl_condition *condition, struct yl_time now,
          char room[YL_TIME_TEXT_SIZE + 2])
{
    struct yl_time time = condition->last_transition_time;
    bool absent = yl_time_is_zero(time) || (!time.seconds && !time.nanos);
    size_t size = yl_time_write(absent ? now : time, room + 1);

    room[0] = room[size + 1] = '"';
    return yl_str_n(room, size + 2);
}

/* Closes the array and moves it to the arena. */
static struct yl_str
finish(struct yl_buf *buf, struct yl_arena *arena)
{
    struct yl_str json;

    yl_buf_append_char(buf, ']');
    json = yl_arena_copy(arena, yl_buf_str(buf));
    yl_buf_release(buf);
    return json;
}
