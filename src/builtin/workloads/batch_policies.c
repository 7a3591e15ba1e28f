/* Validation of a Job's policies. */

#include <inttypes.h>

#include "base/quote.h"
#include "builtin/go/go_value.h"
#include "builtin/workloads/batch.h"
#include "gen/batch_v1_go.h"

#define MAX_RULES 20
#define MAX_PATTERNS 20
#define MAX_CODES 255
#define MAX_INDEXES (64 * 1024) /* Bytes of text. */

static void check_failure_policy(struct yl_check *, const struct yl_at *spec);
static void check_failure_rule(struct yl_check *, const struct yl_at *spec,
                               const struct yl_at *rule,
                               const struct yl_node *names);
static void check_exit_codes(struct yl_check *, const struct yl_at *codes,
                             const struct yl_node *names);
static void check_codes(struct yl_check *, const struct yl_at *codes);
static void check_conditions(struct yl_check *, const struct yl_at *list);
static void check_success_policy(struct yl_check *, const struct yl_at *spec);
static void check_success_rule(struct yl_check *, const struct yl_at *rule,
                               int64_t completions);
static bool next_interval(struct yl_check *, struct yl_str *rest,
                          bool *more, int64_t completions, int64_t *ret_first,
                          int64_t *ret_last);
static const char *parse_interval(struct yl_check *, struct yl_str,
                                  int64_t completions, int64_t *ret_first,
                                  int64_t *ret_last);
static const char *quoted(struct yl_check *, struct yl_str);

void
yl_check_job_policies(struct yl_check *c, const struct yl_at *spec)
{
    static const char *const failed[] = { "Failed", NULL };
    static const char *const both[] = { "Failed", "TerminatingOrFailed",
                                        NULL };
    struct yl_at success = yl_at(spec, "successPolicy");
    struct yl_at replacement = yl_at(spec, "podReplacementPolicy");
    bool has_failure = yl_at_get_has(spec, "podFailurePolicy");

    if (has_failure) {
        check_failure_policy(c, spec);
    }
    if (yl_at_has(&success)) {
        check_success_policy(c, spec);
    }
    if (yl_at_has(&replacement)) {
        yl_check_one_of(c, &replacement, has_failure ? failed : both);
    }
}

const char *
yl_job_indexes(struct yl_check *c, struct yl_str s, int64_t completions,
               int64_t *ret_total)
{
    struct yl_str part, rest = s;
    int64_t first = 0, last = 0, before = -1, total = 0;
    bool more = s.size != 0;

    while (more) {
        const char *fault;

        part = rest;
        more = yl_str_cut(rest, ',', &part, &rest);
        fault = parse_interval(c, part, completions, &first, &last);
        if (fault) {
            return fault;
        }
        if (before >= first && total) {
            return yl_arena_printf(c->arena,
                                   "non-increasing order, previous: %" PRId64
                                   ", current: %" PRId64, before, first);
        }
        total += last - first + 1;
        before = last;
    }
    *ret_total = total;
    return NULL;
}

bool
yl_job_indexes_overlap(struct yl_check *c, struct yl_str a, struct yl_str b,
                       int64_t completions, int64_t *ret_index)
{
    bool more_a = a.size != 0, more_b = b.size != 0;
    int64_t a_first = 0, a_last = 0, b_first = 0, b_last = 0;
    bool has_a, has_b;

    has_a = next_interval(c, &a, &more_a, completions, &a_first, &a_last);
    has_b = next_interval(c, &b, &more_b, completions, &b_first, &b_last);
    while (has_a && has_b) {
        if (a_first <= b_last && b_first <= a_last) {
            *ret_index = a_first > b_first ? a_first : b_first;
            return true;
        }
        if (a_first <= b_first) {
            has_a = next_interval(c, &a, &more_a, completions, &a_first,
                                  &a_last);
        } else {
            has_b = next_interval(c, &b, &more_b, completions, &b_first,
                                  &b_last);
        }
    }
    return false;
}

static void
check_failure_policy(struct yl_check *c, const struct yl_at *spec)
{
    static const char *const lists[] = { "containers", "initContainers" };
    struct yl_at policy = yl_at(spec, "podFailurePolicy");
    struct yl_at rules = yl_at(&policy, "rules");
    struct yl_at template = yl_at(spec, "template");
    struct yl_at pod = yl_at(&template, "spec");
    struct yl_node *names = yl_node_new_object(c->arena);
    int i;

    if (yl_at_count(&rules) > MAX_RULES) {
        yl_field_too_many(c->err, yl_at_path(&rules),
                          (int64_t) yl_at_count(&rules), MAX_RULES);
    }
    for (i = 0; i < 2; i++) {
        struct yl_at list = yl_at(&pod, lists[i]);

        YL_CHECK_FOR_EACH (c, container, &list) {
            yl_set_add(c->arena, names, yl_at_get_str(c, &container, "name"));
        }
    }
    YL_CHECK_FOR_EACH (c, rule, &rules) {
        check_failure_rule(c, spec, &rule, names);
    }
}

static void
check_failure_rule(struct yl_check *c, const struct yl_at *spec,
                   const struct yl_at *rule, const struct yl_node *names)
{
    static const char *const actions[] = { "Count", "FailIndex", "FailJob",
                                           "Ignore", NULL };
    struct yl_at action = yl_at(rule, "action");
    struct yl_at codes = yl_at(rule, "onExitCodes");
    struct yl_at conditions = yl_at(rule, "onPodConditions");
    bool has_conditions = yl_at_count(&conditions) > 0;

    if (yl_at_is(&action, "")) {
        yl_field_required(c->err, yl_at_path(&action),
                          "valid values: [\"Count\" \"FailIndex\" "
                          "\"FailJob\" \"Ignore\"]");
    } else if (!yl_at_is(&action, "FailIndex")) {
        yl_check_one_of(c, &action, actions);
    } else if (!yl_at_get_has(spec, "backoffLimitPerIndex")) {
        yl_field_invalid(c->err, yl_at_path(&action), yl_bad_str(c, &action),
                         "requires the backoffLimitPerIndex to be set");
    }
    if (yl_at_has(&codes)) {
        check_exit_codes(c, &codes, names);
    }
    check_conditions(c, &conditions);
    if (yl_at_has(&codes) && has_conditions) {
        yl_field_invalid(c->err, yl_at_path(rule), yl_bad_omitted(),
                         "specifying both OnExitCodes and OnPodConditions is "
                         "not supported");
    }
    if (!yl_at_has(&codes) && !has_conditions) {
        yl_field_invalid(c->err, yl_at_path(rule), yl_bad_omitted(),
                         "specifying one of OnExitCodes and OnPodConditions "
                         "is required");
    }
}

static void
check_exit_codes(struct yl_check *c, const struct yl_at *codes,
                 const struct yl_node *names)
{
    static const char *const operators[] = { "In", "NotIn", NULL };
    struct yl_at op = yl_at(codes, "operator");
    struct yl_at name = yl_at(codes, "containerName");

    if (yl_at_is(&op, "")) {
        yl_field_required(c->err, yl_at_path(&op),
                          "valid values: [\"In\" \"NotIn\"]");
    } else {
        yl_check_one_of(c, &op, operators);
    }
    if (yl_at_has(&name) && !yl_node_get(names, yl_at_str(c, &name))) {
        yl_field_invalid(c->err, yl_at_path(&name), yl_bad_str(c, &name),
                         "must be one of the container or initContainer "
                         "names in the pod template");
    }
    check_codes(c, codes);
}

static void
check_codes(struct yl_check *c, const struct yl_at *codes)
{
    struct yl_at values = yl_at(codes, "values");
    struct yl_node *seen = yl_node_new_object(c->arena);
    bool in = yl_at_get_is(codes, "operator", "In"), ordered = true;
    int64_t before = INT64_MIN;

    if (!yl_at_count(&values)) {
        yl_field_invalid(c->err, yl_at_path(&values), yl_bad_at(&values),
                         "at least one value is required");
    } else if (yl_at_count(&values) > MAX_CODES) {
        yl_field_too_many(c->err, yl_at_path(&values),
                          (int64_t) yl_at_count(&values), MAX_CODES);
    }
    YL_CHECK_FOR_EACH (c, value, &values) {
        int64_t code = yl_at_int(&value);

        if (in && !code) {
            yl_field_invalid(c->err, yl_at_path(&value), yl_bad_int(code),
                             "must not be 0 for the In operator");
        }
        if (!yl_set_add(c->arena, seen,
                        yl_str_c(yl_arena_printf(c->arena, "%" PRId64,
                                                 code)))) {
            yl_field_duplicate(c->err, yl_at_path(&value), yl_bad_int(code));
        }
        ordered &= before <= code;
        before = code;
    }
    if (!ordered) {
        yl_field_invalid(c->err, yl_at_path(&values), yl_bad_at(&values),
                         "must be ordered");
    }
}

static void
check_conditions(struct yl_check *c, const struct yl_at *list)
{
    static const char *const statuses[] = { "False", "True", "Unknown",
                                            NULL };

    if (yl_at_count(list) > MAX_PATTERNS) {
        yl_field_too_many(c->err, yl_at_path(list),
                          (int64_t) yl_at_count(list), MAX_PATTERNS);
    }
    YL_CHECK_FOR_EACH (c, pattern, list) {
        struct yl_at type = yl_at(&pattern, "type");
        struct yl_at status = yl_at(&pattern, "status");

        yl_check_name(c, &type, YL_NAME_QUALIFIED);
        if (yl_at_is(&status, "")) {
            yl_field_required(c->err, yl_at_path(&status),
                              "valid values: [\"False\" \"True\" "
                              "\"Unknown\"]");
        } else {
            yl_check_one_of(c, &status, statuses);
        }
    }
}

static void
check_success_policy(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at policy = yl_at(spec, "successPolicy");
    struct yl_at rules = yl_at(&policy, "rules");

    if (!yl_at_get_is(spec, "completionMode", "Indexed")) {
        yl_field_invalid(c->err, yl_at_path(&policy),
                         yl_bad_struct(c, policy.node,
                                       YL_GO(batch_v1, success_policy)),
                         "requires indexed completion mode");
        return;
    }
    if (!yl_at_count(&rules)) {
        yl_field_required(c->err, yl_at_path(&rules),
                          "at least one rules must be specified when the "
                          "successPolicy is specified");
    } else if (yl_at_count(&rules) > MAX_RULES) {
        yl_field_too_many(c->err, yl_at_path(&rules),
                          (int64_t) yl_at_count(&rules), MAX_RULES);
    }
    YL_CHECK_FOR_EACH (c, rule, &rules) {
        check_success_rule(c, &rule, yl_at_get_int(spec, "completions"));
    }
}

static void
check_success_rule(struct yl_check *c, const struct yl_at *rule,
                   int64_t completions)
{
    struct yl_at count = yl_at(rule, "succeededCount");
    struct yl_at indexes = yl_at(rule, "succeededIndexes");
    struct yl_str s = yl_at_str(c, &indexes);
    int64_t total = 0, n = yl_at_int(&count);
    const char *fault;

    if (!yl_at_has(&count) && !yl_at_has(&indexes)) {
        yl_field_required(c->err, yl_at_path(rule),
                          "at least one of succeededCount or "
                          "succeededIndexes must be specified");
    }
    if (yl_at_has(&indexes)) {
        if (s.size > MAX_INDEXES) {
            yl_field_too_long(c->err, yl_at_path(&indexes), MAX_INDEXES);
        }
        fault = yl_job_indexes(c, s, completions, &total);
        if (fault) {
            yl_field_invalid(c->err, yl_at_path(&indexes), yl_bad_string(s),
                             "error parsing succeededIndexes: %s", fault);
        }
    }
    if (!yl_at_has(&count)) {
        return;
    }
    yl_check_not_negative(c, &count);
    if (n > completions) {
        yl_field_invalid(c->err, yl_at_path(&count), yl_bad_int(n),
                         "must be less than or equal to %" PRId64 " (the "
                         "number of specified completions)", completions);
    }
    if (yl_at_has(&indexes) && n > total) {
        yl_field_invalid(c->err, yl_at_path(&count), yl_bad_int(n),
                         "must be less than or equal to %" PRId64 " (the "
                         "number of indexes in the specified "
                         "succeededIndexes field)", total);
    }
}

/* The next well-formed interval; false if there is none. */
static bool
next_interval(struct yl_check *c, struct yl_str *rest, bool *more,
              int64_t completions, int64_t *ret_first, int64_t *ret_last)
{
    while (*more) {
        struct yl_str part = *rest;

        *more = yl_str_cut(*rest, ',', &part, rest);
        if (!parse_interval(c, part, completions, ret_first, ret_last)) {
            return true;
        }
    }
    return false;
}

static const char *
parse_interval(struct yl_check *c, struct yl_str s, int64_t completions,
               int64_t *ret_first, int64_t *ret_last)
{
    struct yl_str ends[2] = { s, YL_STR("") };
    int64_t values[2] = { 0, 0 };
    int i, n = yl_str_cut(s, '-', &ends[0], &ends[1]) ? 2 : 1;

    if (n == 2 && yl_str_find_char(ends[1], '-')) {
        return yl_arena_printf(c->arena,
                               "the fragment %s violates the "
                               "requirement that an index interval can have "
                               "at most two parts separated by '-'",
                               quoted(c, s));
    }
    for (i = 0; i < n; i++) {
        long long value;

        if (yl_str_to_i64(ends[i], &value) < 0) {
            return yl_arena_printf(c->arena,
                                   "cannot convert string to integer for "
                                   "index: %s", quoted(c, ends[i]));
        }
        if (value >= completions) {
            return yl_arena_printf(c->arena, "too large index: %s",
                                   quoted(c, ends[i]));
        }
        values[i] = value;
    }
    if (n == 2 && values[0] >= values[1]) {
        return yl_arena_printf(c->arena,
                               "non-increasing order, previous: %" PRId64
                               ", current: %" PRId64, values[0], values[1]);
    }
    *ret_first = values[0];
    *ret_last = n == 2 ? values[1] : values[0];
    return NULL;
}

/* As Go's %q shows it. */
static const char *
quoted(struct yl_check *c, struct yl_str s)
{
    struct yl_buf buf;
    const char *text;

    yl_buf_init(&buf, SIZE_MAX);
    yl_quote(&buf, s);
    text = yl_arena_strdup(c->arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return text;
}
