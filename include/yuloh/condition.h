#ifndef YL_CONDITION_H
#define YL_CONDITION_H 1

/* Conditions: what a controller says about an object's state.
 *
 *     status:
 *       conditions:
 *       - { type: Ready, status: "True", reason: AllUp, message: "",
 *           lastTransitionTime: "2026-01-31T12:00:00Z" }
 *
 * They are read in place from the bytes of a conditions array, and changed by
 * making the bytes of a new array.
 *
 * Guarantees
 * ==========
 *
 *   - lastTransitionTime moves only when the status changes.
 *
 *   - Setting what is there already changes nothing and says so, so that a
 *     controller can leave out the write.
 *
 *   - Unknown content is kept: other members of a condition, and other
 *     conditions byte for byte.
 *
 * Ownership
 * =========
 *
 * Strings that are read point into the bytes, or into the arena when they had
 * escapes.  New arrays live in the arena.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread.
 *
 * Usage
 * =====
 *
 *     const struct yl_condition ready = {
 *         .type = YL_STR("Ready"), .status = YL_STR("True"),
 *         .reason = YL_STR("AllUp"),
 *     };
 *     struct yl_str conditions;
 *     int r = yl_condition_set(old, &ready, yl_time_now(), arena,
 *                              &conditions, err);
 *     if (r == 1) {
 *         ... write the status ...
 *     } */

#include <stdbool.h>
#include <stdint.h>

#include "yuloh/compiler.h"
#include "yuloh/error.h"
#include "yuloh/json.h"
#include "yuloh/str.h"
#include "yuloh/time.h"

YL_C_BEGIN

struct yl_arena;

struct yl_condition {
    struct yl_str type;
    struct yl_str status;       /* "True", "False" or "Unknown". */
    struct yl_str reason;
    struct yl_str message;
    int64_t observed_generation;        /* 0: absent. */
    struct yl_time last_transition_time;    /* Reads as yl_time_zero() if it
                                             * is absent. */
};

/* Walks over the conditions.  Elements that are not objects are passed over,
 * and members that are missing or malformed read as absent. */
struct yl_condition_iter {
    struct yl_json_iter elements;       /* Private. */
    struct yl_arena *arena;             /* Private. */
};

struct yl_condition_iter yl_condition_iter(struct yl_json conditions,
                                           struct yl_arena *arena);
bool yl_condition_next(struct yl_condition_iter *,
                       struct yl_condition *ret_condition);

/* The first condition of that type; false if there is none. */
bool yl_condition_find(struct yl_json conditions, struct yl_str type,
                       struct yl_arena *arena,
                       struct yl_condition *ret_condition);

/* Is there a condition of that type, with that status?  If there is none, the
 * answer is no.  They allocate nothing. */
bool yl_condition_is(struct yl_json conditions, struct yl_str type,
                     struct yl_str status);
bool yl_condition_is_true(struct yl_json conditions, struct yl_str type);
bool yl_condition_is_false(struct yl_json conditions, struct yl_str type);

/* Sets the condition of that type, or adds it at the end.  When the status
 * changes, its lastTransitionTime becomes the one in 'condition', or 'now' if
 * that is yl_time_zero() or was left out; otherwise it stays.
 *
 * Returns 1 if something changed, 0 if not, with the array's JSON in
 * '*ret_conditions' either way; YL_ETYPE if 'conditions' is neither an array
 * nor absent. */
int yl_condition_set(struct yl_json conditions,
                     const struct yl_condition *condition, struct yl_time now,
                     struct yl_arena *arena, struct yl_str *ret_conditions,
                     struct yl_error *err);

/* Removes every condition of that type: 1 if there was one, 0 if not,
 * YL_ETYPE as above. */
int yl_condition_remove(struct yl_json conditions, struct yl_str type,
                        struct yl_arena *arena,
                        struct yl_str *ret_conditions, struct yl_error *err);

YL_C_END

#endif /* yuloh/condition.h */
