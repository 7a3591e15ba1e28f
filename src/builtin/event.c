/* Validation of Events, as the core group and as events.k8s.io have them.
 *
 * Both are one thing upstream, so causes name the core group's fields even
 * when the other one was sent. */

#include "builtin/rows.h"
#include "builtin/meta.h"

#include "yuloh/time.h"

#define MAX_TEXT 128            /* Bytes of an action, a reason, ... */
#define MAX_NOTE 1024

/* Where the two groups keep the same thing. */
struct names {
    const char *object;
    const char *message;
    const char *reporter;
};

static const struct names core_names =
    { "involvedObject", "message", "reportingComponent" };
static const struct names events_names =
    { "regarding", "note", "reportingController" };

static void check_event(struct yl_check *, const struct yl_at *,
                        const struct names *);
static void check_series_kind(struct yl_check *, const struct yl_at *event,
                              const struct names *);
static void check_text(struct yl_check *, const struct yl_at *, size_t max,
                       bool needed);
static void check_unset(struct yl_check *, const struct yl_at *event,
                        const char *deprecated, const char *name);
static bool has_time(struct yl_check *, const struct yl_at *event,
                     const char *name);

void
yl_core_event_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);

    check_event(c, &root, &core_names);
}

void
yl_event_validate(struct yl_check *c, const struct yl_node *object)
{
    static const struct yl_meta_rule rule =
        { YL_NAME_DNS1123_SUBDOMAIN, true, false };
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at series = yl_at(&root, "series");
    struct yl_at time = yl_at(&root, "eventTime");
    struct yl_at type = yl_at(&root, "type");
    struct yl_at source = yl_at(&root, "deprecatedSource");
    struct yl_bad_value none = yl_bad_string(YL_STR(""));

    check_event(c, &root, &events_names);
    yl_check_meta(c, &metadata, &rule);
    if (yl_at_has(&series)) {
        struct yl_at count = yl_at(&series, "count");
        struct yl_at last = yl_at(&series, "lastObservedTime");

        if (yl_at_int(&count) < 2) {
            yl_field_invalid(c->err, yl_at_path(&count), none,
                             "should be at least 2");
        }
        if (!has_time(c, &series, "lastObservedTime")) {
            yl_field_required(c->err, yl_at_path(&last), NULL);
        }
    }
    if (!has_time(c, &root, "eventTime")) {
        yl_field_required(c->err, yl_at_path(&time), NULL);
    }
    if (!yl_at_is(&type, "Normal") && !yl_at_is(&type, "Warning")) {
        yl_field_invalid(c->err, yl_at_path(&type), none,
                         "has invalid value: %.*s",
                         YL_STR_ARG(yl_at_str(c, &type)));
    }
    check_unset(c, &root, "deprecatedFirstTimestamp", "firstTimestamp");
    check_unset(c, &root, "deprecatedLastTimestamp", "lastTimestamp");
    check_unset(c, &root, "deprecatedCount", "count");
    if (yl_get_str(c, &source, "component").size
        || yl_get_str(c, &source, "host").size) {
        struct yl_at at = yl_at_node(&root, "source", NULL);

        yl_field_invalid(c->err, yl_at_path(&at), none, "needs to be unset");
    }
}

static void
check_event(struct yl_check *c, const struct yl_at *event,
            const struct names *names)
{
    struct yl_at metadata = yl_at(event, "metadata");
    struct yl_str namespace = yl_get_str(c, &metadata, "namespace");
    struct yl_at about = yl_at(event, names->object);
    struct yl_at object =
        yl_at_node(event, "involvedObject", about.node);
    struct yl_at of = yl_at(&object, "namespace");
    struct yl_str other = yl_at_str(c, &of);
    struct yl_at path = yl_at_node(event, "namespace", NULL);
    bool series_kind = has_time(c, event, "eventTime");
    bool home = yl_str_equal_c(namespace, "default")
                || (series_kind ? yl_str_equal_c(namespace, "kube-system")
                                : !namespace.size);

    if (other.size ? !series_kind && !yl_str_equal(namespace, other)
                   : !home) {
        yl_field_invalid(c->err, yl_at_path(&of), yl_bad_string(other),
                         "does not match event.namespace");
    }
    if (series_kind) {
        check_series_kind(c, event, names);
    }
    yl_check_name_of(c, yl_at_path(&path), YL_NAME_DNS1123_SUBDOMAIN,
                     namespace);
}

/* An Event with an eventTime comes from the newer interface. */
static void
check_series_kind(struct yl_check *c, const struct yl_at *event,
                  const struct names *names)
{
    struct yl_at reporter = yl_at(event, names->reporter);
    struct yl_at instance = yl_at(event, "reportingInstance");
    struct yl_at action = yl_at(event, "action");
    struct yl_at reason = yl_at(event, "reason");
    struct yl_at text = yl_at(event, names->message);
    struct yl_at message = yl_at_node(event, "message", text.node);

    yl_check_required(c, &reporter);
    yl_check_name(c, &reporter, YL_NAME_QUALIFIED);
    check_text(c, &instance, MAX_TEXT, true);
    check_text(c, &action, MAX_TEXT, true);
    check_text(c, &reason, MAX_TEXT, true);
    check_text(c, &message, MAX_NOTE, false);
}

static void
check_text(struct yl_check *c, const struct yl_at *at, size_t max,
           bool needed)
{
    if (needed) {
        yl_check_required(c, at);
    }
    if (yl_at_str(c, at).size > max) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(YL_STR("")),
                         "can have at most %zu characters", max);
    }
}

static void
check_unset(struct yl_check *c, const struct yl_at *event,
            const char *deprecated, const char *name)
{
    struct yl_at at = yl_at_node(event, name, NULL);

    if (has_time(c, event, deprecated) || yl_get_int(event, deprecated)) {
        yl_field_invalid(c->err, yl_at_path(&at), yl_bad_string(YL_STR("")),
                         "needs to be unset");
    }
}

static bool
has_time(struct yl_check *c, const struct yl_at *event, const char *name)
{
    struct yl_str s = yl_get_str(c, event, name);
    struct yl_time t;

    return s.size && (yl_time_parse(s, &t, NULL) < 0 || !yl_time_is_zero(t));
}
