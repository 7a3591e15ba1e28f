/* Validation of Job and CronJob. */
#include <inttypes.h>
#include <strings.h>

#include "builtin/pods/pod.h"
#include "builtin/rows.h"
#include "builtin/workloads/batch.h"
#include "builtin/workloads/cron.h"

#define MAX_INDEXED 100000      /* Pods at once, and failed indexes. */
#define MANY_COMPLETIONS 100000
#define MAX_WHEN_MANY 10000
#define MAX_MANAGED_BY 63
#define N_GENERATED 4           /* Labels. */
#define MAX_CRON_NAME 52        /* What is left of 63 for a Job's name. */

static const struct yl_meta_rule subdomain =
    { YL_NAME_DNS1123_SUBDOMAIN, true, false };

static void check_meta(struct yl_check *, const struct yl_at *metadata,
                       const struct yl_at *labels);
static void check_generated(struct yl_check *, const struct yl_at *job,
                            bool prefixed);
static void check_label(struct yl_check *, const struct yl_at *metadata,
                        const char *key, struct yl_str want);
static void check_job(struct yl_check *, const struct yl_at *spec);
static void check_completion_mode(struct yl_check *,
                                  const struct yl_at *spec);
static void check_indexed(struct yl_check *, const struct yl_at *spec);
static void check_many(struct yl_check *, const struct yl_at *spec);
static void check_managed_by(struct yl_check *, const struct yl_at *);
static void check_restart(struct yl_check *, const struct yl_at *spec);
static void check_host_names(struct yl_check *, const struct yl_at *job);
static void check_schedule(struct yl_check *, const struct yl_at *schedule);
static void check_time_zone(struct yl_check *, const struct yl_at *zone);
static bool is_zone_name(struct yl_str);

void
yl_job_validate(struct yl_check *c, const struct yl_node *object)
{
    yl_check_job(c, object, true);
}

void
yl_check_job(struct yl_check *c, const struct yl_node *object, bool prefixed)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at template = yl_at(&spec, "template");
    struct yl_at meta = yl_at(&template, "metadata");
    struct yl_at labels = yl_at(&meta, "labels");

    check_meta(c, &metadata, &labels);
    check_generated(c, &root, prefixed);
    yl_check_job_spec(c, &spec);
    check_host_names(c, &root);
}

void
yl_check_job_spec(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at selector = yl_at(spec, "selector");
    struct yl_at template = yl_at(spec, "template");
    struct yl_at meta = yl_at(&template, "metadata");
    struct yl_at labels = yl_at(&meta, "labels");
    bool good = true;

    check_job(c, spec);
    if (yl_check_required(c, &selector)) {
        good = yl_check_label_selector(c, &selector);
    }
    if (good && !yl_selector_node_matches(c, selector.node, labels.node)) {
        yl_field_invalid(c->err, yl_at_path(&labels), yl_bad_at(&labels),
                         "`selector` does not match template `labels`");
    }
}

void
yl_cron_job_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at name = yl_at(&metadata, "name");
    struct yl_at spec = yl_at(&root, "spec");

    yl_check_meta(c, &metadata, &subdomain);
    yl_check_cron_job_spec(c, &spec);
    if (yl_at_str(c, &name).size > MAX_CRON_NAME) {
        yl_field_invalid(c->err, yl_at_path(&name), yl_bad_str(c, &name),
                         "must be no more than %d characters",
                         MAX_CRON_NAME);
    }
}

void
yl_check_cron_job_spec(struct yl_check *c, const struct yl_at *spec)
{
    static const char *const policies[] = { "Allow", "Forbid", "Replace",
                                            NULL };
    struct yl_at schedule = yl_at(spec, "schedule");
    struct yl_at deadline = yl_at(spec, "startingDeadlineSeconds");
    struct yl_at zone = yl_at(spec, "timeZone");
    struct yl_at policy = yl_at(spec, "concurrencyPolicy");
    struct yl_at template = yl_at(spec, "jobTemplate");
    struct yl_at job = yl_at(&template, "spec");
    struct yl_at selector = yl_at(&job, "selector");
    struct yl_at manual = yl_at(&job, "manualSelector");
    struct yl_at done = yl_at(spec, "successfulJobsHistoryLimit");
    struct yl_at failed = yl_at(spec, "failedJobsHistoryLimit");

    if (yl_check_required(c, &schedule)) {
        check_schedule(c, &schedule);
    }
    yl_check_not_negative(c, &deadline);
    if (yl_at_has(&zone)) {
        check_time_zone(c, &zone);
    }
    if (yl_check_required(c, &policy)) {
        yl_check_one_of(c, &policy, policies);
    }
    check_job(c, &job);
    if (yl_at_has(&selector)) {
        yl_field_invalid(c->err, yl_at_path(&selector),
                         yl_bad_selector(c, &selector),
                         "`selector` will be auto-generated");
    }
    if (yl_at_bool(&manual)) {
        yl_field_not_supported_text(c->err, yl_at_path(&manual),
                                    yl_bad_bool(true),
                                    YL_STR("\"nil\", \"false\""));
    }
    yl_check_not_negative(c, &done);
    yl_check_not_negative(c, &failed);
}

/* Upstream adds the generated labels to a Job without others only after
 * validation, when it is read again.  So they are not checked here.  The name
 * may be too long for a label; that is reported for the template only. */
static void
check_meta(struct yl_check *c, const struct yl_at *metadata,
           const struct yl_at *labels)
{
    struct yl_at own = yl_at(metadata, "labels");
    struct yl_at without = *metadata;

    if (yl_at_count(&own) == N_GENERATED && yl_at_has(labels)
        && yl_node_equal(own.node, labels->node)) {
        struct yl_node *copy = yl_node_copy(c->arena, metadata->node);

        yl_member_drop(copy, "labels");
        without.node = copy;
    }
    yl_check_meta(c, &without, &subdomain);
}

/* Checks the generated labels, by which a Job finds its Pods. */
static void
check_generated(struct yl_check *c, const struct yl_at *job, bool prefixed)
{
    static const char *const uids[] = {
        "controller-uid", "batch.kubernetes.io/controller-uid"
    };
    static const char *const names[] = { "job-name",
                                         "batch.kubernetes.io/job-name" };
    struct yl_at metadata = yl_at(job, "metadata");
    struct yl_at uid = yl_at(&metadata, "uid");
    struct yl_str name = yl_at_get_str(c, &metadata, "name");
    struct yl_at spec = yl_at(job, "spec");
    struct yl_at selector = yl_at(&spec, "selector");
    struct yl_at template = yl_at(&spec, "template");
    struct yl_at meta = yl_at(&template, "metadata");
    struct yl_node *expected = yl_node_new_object(c->arena);
    struct yl_error none = YL_ERROR_INIT;
    struct yl_check quiet = { c->arena, &none };
    int i;

    if (yl_at_get_bool(&spec, "manualSelector") || !yl_at_has(&selector)) {
        return;
    }
    yl_check_required(c, &uid);
    for (i = 0; i < (prefixed ? 2 : 1); i++) {
        check_label(c, &meta, uids[i], yl_at_str(c, &uid));
        check_label(c, &meta, names[i], name);
        yl_member_set(c->arena, expected, uids[i],
                      yl_node_new_string(c->arena, yl_at_str(c, &uid)));
        yl_member_set(c->arena, expected, names[i],
                      yl_node_new_string(c->arena, name));
    }
    if (yl_check_label_selector(&quiet, &selector)
        && !yl_selector_node_matches(c, selector.node, expected)) {
        yl_field_invalid(c->err, yl_at_path(&selector),
                         yl_bad_selector(c, &selector),
                         "`selector` not auto-generated");
    }
    yl_error_clear(&none);
}

static void
check_label(struct yl_check *c, const struct yl_at *metadata, const char *key,
            struct yl_str want)
{
    struct yl_at labels = yl_at(metadata, "labels");
    struct yl_at label = yl_at(&labels, key);
    struct yl_field_path path =
        yl_field_key(yl_at_path(&labels), yl_str_c(key));

    if (!yl_at_has(&label)) {
        yl_field_required(c->err, &path, "must be '%.*s'", YL_STR_ARG(want));
    } else if (!yl_str_equal(yl_at_str(c, &label), want)) {
        yl_field_invalid(c->err, &path, yl_bad_at(&labels),
                         "must be '%.*s'", YL_STR_ARG(want));
    }
}

static void
check_job(struct yl_check *c, const struct yl_at *spec)
{
    static const char *const numbers[] = {
        "parallelism", "completions", "activeDeadlineSeconds",
        "backoffLimit", "ttlSecondsAfterFinished", "backoffLimitPerIndex",
        "maxFailedIndexes"
    };
    struct yl_at per_index = yl_at(spec, "backoffLimitPerIndex");
    struct yl_at template = yl_at(spec, "template");
    size_t i;

    for (i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct yl_at number = yl_at(spec, numbers[i]);

        yl_check_not_negative(c, &number);
    }
    if (yl_at_get_has(spec, "maxFailedIndexes") && !yl_at_has(&per_index)) {
        yl_field_required(c->err, yl_at_path(&per_index),
                          "when maxFailedIndexes is specified");
    }
    check_managed_by(c, spec);
    check_completion_mode(c, spec);
    yl_check_job_policies(c, spec);
    yl_check_pod_template(c, &template);
    check_restart(c, spec);
}

static void
check_completion_mode(struct yl_check *c, const struct yl_at *spec)
{
    static const char *const modes[] = { "NonIndexed", "Indexed", NULL };
    static const char *const needs_index[] = { "backoffLimitPerIndex",
                                               "maxFailedIndexes" };
    struct yl_at mode = yl_at(spec, "completionMode");
    size_t i;

    if (yl_at_has(&mode)) {
        yl_check_one_of(c, &mode, modes);
        if (yl_at_is(&mode, "Indexed")) {
            check_indexed(c, spec);
        }
    }
    for (i = 0; i < 2; i++) {
        struct yl_at at = yl_at(spec, needs_index[i]);

        if (yl_at_has(&at)
            && (!yl_at_has(&mode) || yl_at_is(&mode, "NonIndexed"))) {
            yl_field_invalid(c->err, yl_at_path(&at),
                             yl_bad_int(yl_at_int(&at)),
                             "requires indexed completion mode");
        }
    }
}

static void
check_indexed(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at completions = yl_at(spec, "completions");
    struct yl_at parallelism = yl_at(spec, "parallelism");
    struct yl_at failed = yl_at(spec, "maxFailedIndexes");

    if (!yl_at_has(&completions)) {
        yl_field_required(c->err, yl_at_path(&completions),
                          "when completion mode is Indexed");
    }
    if (yl_at_int(&parallelism) > MAX_INDEXED) {
        yl_field_invalid(c->err, yl_at_path(&parallelism),
                         yl_bad_int(yl_at_int(&parallelism)),
                         "must be less than or equal to %d when completion "
                         "mode is Indexed", MAX_INDEXED);
    }
    if (yl_at_has(&completions) && yl_at_has(&failed)
        && yl_at_int(&failed) > yl_at_int(&completions)) {
        yl_field_invalid(c->err, yl_at_path(&failed),
                         yl_bad_int(yl_at_int(&failed)),
                         "must be less than or equal to completions");
    }
    if (yl_at_int(&failed) > MAX_INDEXED) {
        yl_field_invalid(c->err, yl_at_path(&failed),
                         yl_bad_int(yl_at_int(&failed)),
                         "must be less than or equal to %d", MAX_INDEXED);
    }
    if (yl_at_int(&completions) > MANY_COMPLETIONS
        && yl_at_get_has(spec, "backoffLimitPerIndex")) {
        check_many(c, spec);
    }
}

static void
check_many(struct yl_check *c, const struct yl_at *spec)
{
    static const char *const numbers[] = { "parallelism",
                                           "maxFailedIndexes" };
    struct yl_at failed = yl_at(spec, "maxFailedIndexes");
    int i;

    if (!yl_at_has(&failed)) {
        yl_field_required(c->err, yl_at_path(&failed),
                          "must be specified when completions is above %d",
                          MANY_COMPLETIONS);
    }
    for (i = 0; i < 2; i++) {
        struct yl_at at = yl_at(spec, numbers[i]);

        if (yl_at_int(&at) > MAX_WHEN_MANY) {
            yl_field_invalid(c->err, yl_at_path(&at),
                             yl_bad_int(yl_at_int(&at)),
                             "must be less than or equal to %d when "
                             "completions are above %d and used with backoff "
                             "limit per index", MAX_WHEN_MANY,
                             MANY_COMPLETIONS);
        }
    }
}

/* DOMAIN/PATH */
static void
check_managed_by(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at by = yl_at(spec, "managedBy");
    struct yl_str s = yl_at_str(c, &by), host = s, path = YL_STR("");
    bool good = true;
    size_t i;

    if (!yl_at_has(&by)) {
        return;
    }
    yl_str_cut(s, '/', &host, &path);
    if (!s.size) {
        yl_field_required(c->err, yl_at_path(&by), NULL);
    } else if (!host.size || !path.size) {
        yl_field_invalid(c->err, yl_at_path(&by), yl_bad_string(s),
                         "must be a domain-prefixed path (such as "
                         "\"acme.io/foo\")");
    } else {
        yl_check_name_of(c, yl_at_path(&by), YL_NAME_DNS1123_SUBDOMAIN, host);
        for (i = 0; i < path.size; i++) {
            char ch = path.data[i];

            good &= (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z')
                    || (ch >= '0' && ch <= '9')
                    || (ch && strchr("/-._~%!$&'()*+,;=:", ch));
        }
        if (!good) {
            yl_field_invalid(c->err, yl_at_path(&by), yl_bad_string(path),
                             "Invalid path (regex used for validation is "
                             "'[A-Za-z0-9/\\-._~%%!$&'()*+,;=:]+')");
        }
    }
    if (s.size > MAX_MANAGED_BY) {
        yl_field_too_long(c->err, yl_at_path(&by), MAX_MANAGED_BY);
    }
}

/* A Job ends, so the restart policy cannot be Always. */
static void
check_restart(struct yl_check *c, const struct yl_at *spec)
{
    static const char *const policies[] = { "OnFailure", "Never", NULL };
    struct yl_at template = yl_at(spec, "template");
    struct yl_at pod = yl_at(&template, "spec");
    struct yl_at restart = yl_at(&pod, "restartPolicy");

    if (yl_at_is(&restart, "") || yl_at_is(&restart, "Always")) {
        yl_field_required(c->err, yl_at_path(&restart),
                          "valid values: \"OnFailure\", \"Never\"");
    } else if (yl_check_one_of(c, &restart, policies)
               && yl_at_get_has(spec, "podFailurePolicy")
               && !yl_at_is(&restart, "Never")) {
        yl_field_invalid(c->err, yl_at_path(&restart),
                         yl_bad_str(c, &restart),
                         "only \"Never\" is supported when podFailurePolicy "
                         "is specified");
    }
}

/* Each Pod of an Indexed Job has its index in its host name. */
static void
check_host_names(struct yl_check *c, const struct yl_at *job)
{
    struct yl_at metadata = yl_at(job, "metadata");
    struct yl_at name = yl_at(&metadata, "name");
    struct yl_at spec = yl_at(job, "spec");
    int64_t n = yl_at_get_int(&spec, "completions");
    const char *longest;

    if (!yl_at_get_is(&spec, "completionMode", "Indexed") || n <= 0) {
        return;
    }
    longest = yl_arena_printf(c->arena, "%.*s-%" PRId64,
                              YL_STR_ARG(yl_at_str(c, &name)), n - 1);
    if (yl_name_check(YL_NAME_DNS1123_LABEL, yl_str_c(longest), NULL) < 0) {
        yl_field_invalid(c->err, yl_at_path(&name), yl_bad_str(c, &name),
                         "will not able to create pod with invalid DNS "
                         "label: %s", longest);
    }
}

static void
check_schedule(struct yl_check *c, const struct yl_at *schedule)
{
    struct yl_str s = yl_at_str(c, schedule);
    struct yl_error err = YL_ERROR_INIT;
    size_t i;

    if (yl_cron_check(s, &err) < 0) {
        yl_field_invalid(c->err, yl_at_path(schedule), yl_bad_string(s), "%s",
                         yl_error_message(&err));
        yl_error_clear(&err);
    }
    for (i = 0; i + 1 < s.size; i++) {
        if (s.data[i] == 'T' && s.data[i + 1] == 'Z') {
            yl_field_invalid(c->err, yl_at_path(schedule), yl_bad_string(s),
                             "cannot use TZ or CRON_TZ in schedule, use "
                             "timeZone field instead");
            break;
        }
    }
}

static void
check_time_zone(struct yl_check *c, const struct yl_at *zone)
{
    struct yl_str s = yl_at_str(c, zone);
    bool local = s.size == 5 && !strncasecmp(s.data, "Local", 5);

    if (!s.size) {
        yl_field_invalid(c->err, yl_at_path(zone), yl_bad_string(s),
                         "timeZone must be nil or non-empty string");
        return;
    }
    if (local) {
        yl_field_invalid(c->err, yl_at_path(zone), yl_bad_string(s),
                         "timeZone must be an explicit time zone as defined "
                         "in https://www.iana.org/time-zones");
    }
    if (!is_zone_name(s)
        || (!yl_str_equal_c(s, "Local") && !yl_time_zone_exists(s))) {
        yl_field_invalid(c->err, yl_at_path(zone), yl_bad_string(s),
                         "unknown time zone %.*s", YL_STR_ARG(s));
    }
}

static bool
is_zone_name(struct yl_str s)
{
    struct yl_str part, rest = s;
    bool more = true;
    size_t i;

    while (more) {
        part = rest;
        more = yl_str_cut(rest, '/', &part, &rest);
        if (!part.size || part.size > 14 || part.data[0] == '-'
            || yl_str_equal_c(part, ".") || yl_str_equal_c(part, "..")) {
            return false;
        }
        for (i = 0; i < part.size; i++) {
            char ch = part.data[i];

            if (!((ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z')
                  || (ch >= '0' && ch <= '9')
                  || (ch && strchr(".-_+", ch)))) {
                return false;
            }
        }
    }
    return true;
}
