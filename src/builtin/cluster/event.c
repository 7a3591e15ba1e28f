/* Validation of Events, as the core group and as events.k8s.io have them.
 *
 * Upstream has one internal type for both, so causes name the core group's
 * fields even when the other one was sent.  An object of events.k8s.io is
 * validated in either form, its own or the stored one. */

#include <string.h>

#include "builtin/common/meta.h"
#include "builtin/go/go_value.h"
#include "builtin/rows.h"
#include "gen/core_v1_go.h"
#include "yuloh/time.h"

#define MAX_TEXT 128            /* Bytes of an action, a reason, ... */
#define MAX_NOTE 1024

/* The names of a field in the core group and in events.k8s.io. */
static const char *const names[][2] = {
    { "involvedObject", "regarding" },
    { "message", "note" },
    { "reportingComponent", "reportingController" },
    { "source", "deprecatedSource" },
    { "firstTimestamp", "deprecatedFirstTimestamp" },
    { "lastTimestamp", "deprecatedLastTimestamp" },
    { "count", "deprecatedCount" },
};

static void check_event(struct yl_check *, const struct yl_at *,
                        const char *reporter);
static void check_series_kind(struct yl_check *, const struct yl_at *event,
                              const char *reporter);
static struct yl_at either(const struct yl_at *event, const char *name);
static void check_text(struct yl_check *, const struct yl_at *, size_t max,
                       bool needed);
static void check_unset(struct yl_check *, const struct yl_at *event,
                        const char *name);
static void check_series(struct yl_check *, const struct yl_at *event);
static bool is_time(const struct yl_check *, const struct yl_at *time);

void
yl_core_event_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);

    check_event(c, &root, "reportingComponent");
}

void
yl_event_validate(struct yl_check *c, const struct yl_node *object)
{
    static const struct yl_meta_rule rule =
        { YL_NAME_DNS1123_SUBDOMAIN, true, false };
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at time = yl_at(&root, "eventTime");
    struct yl_at type = yl_at(&root, "type");
    struct yl_at source = either(&root, "source");
    struct yl_bad_value none = yl_bad_string(YL_STR(""));

    check_event(c, &root, "reportingController");
    yl_check_meta(c, &metadata, &rule);
    check_series(c, &root);
    if (!is_time(c, &time)) {
        yl_field_required(c->err, yl_at_path(&time), NULL);
    }
    if (!yl_at_is(&type, "Normal") && !yl_at_is(&type, "Warning")) {
        yl_field_invalid(c->err, yl_at_path(&type), none,
                         "has invalid value: %.*s",
                         YL_STR_ARG(yl_at_str(c, &type)));
    }
    check_unset(c, &root, "firstTimestamp");
    check_unset(c, &root, "lastTimestamp");
    check_unset(c, &root, "count");
    if (yl_at_get_str(c, &source, "component").size
        || yl_at_get_str(c, &source, "host").size) {
        yl_field_invalid(c->err, yl_at_path(&source), none,
                         "needs to be unset");
    }
}

void
yl_core_event_validate_update(struct yl_check *c,
                              const struct yl_node *object,
                              const struct yl_node *old YL_UNUSED)
{
    yl_core_event_validate(c, object);
}

/* An update may change nothing but the series. */
void
yl_event_validate_update(struct yl_check *c, const struct yl_node *object,
                         const struct yl_node *old)
{
    static const struct yl_meta_rule rule =
        { YL_NAME_DNS1123_SUBDOMAIN, true, false };
    static const char *const fixed[] = {
        "involvedObject", "reason", "message", "source", "firstTimestamp",
        "lastTimestamp", "count", "reason", "type", "eventTime", "action",
        "related", "reportingController", "reportingInstance",
    };
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at series = yl_at(&root, "series");
    struct yl_at was = yl_at(&before, "series");
    size_t i;

    check_event(c, &root, "reportingController");
    yl_check_object_meta_update(c, object, old, &rule);
    if (!yl_node_same(series.node, was.node)) {
        check_series(c, &root);
    }
    for (i = 0; i < YL_ARRAY_SIZE(fixed); i++) {
        struct yl_go_type reference = YL_GO_INIT(core_v1, object_reference);
        bool reporter = !strcmp(fixed[i], "reportingController");
        const char *name = reporter ? "reportingComponent" : fixed[i];
        struct yl_at value = either(&root, name);
        struct yl_at now = yl_at_node(&root, fixed[i], value.node);
        struct yl_at then = either(&before, name);

        if (!strcmp(name, "source") && !yl_node_same(now.node, then.node)) {
            yl_field_invalid(c->err, yl_at_path(&now),
                             yl_bad_struct(c, now.node,
                                           YL_GO(core_v1, event_source)),
                             YL_IMMUTABLE);
        } else if (i == 0 && !yl_node_same(now.node, then.node)) {
            yl_field_invalid(c->err, yl_at_path(&now),
                             yl_bad_struct(c, now.node, reference),
                             YL_IMMUTABLE);
        } else if (!strcmp(name, "related")
                   && !yl_node_same(now.node, then.node)) {
            yl_field_invalid(c->err, yl_at_path(&now),
                             now.node ? yl_bad_struct(c, now.node, reference)
                                      : yl_bad_node(NULL), YL_IMMUTABLE);
        } else if (!now.node && strcmp(name, "eventTime")
                   && yl_node_type(then.node) == YL_JSON_STRING) {
            yl_field_invalid(c->err, yl_at_path(&now),
                             yl_bad_string(YL_STR("")), YL_IMMUTABLE);
        } else {
            yl_check_immutable(c, &now, then.node);
        }
    }
}

static void
check_event(struct yl_check *c, const struct yl_at *event,
            const char *reporter)
{
    struct yl_at metadata = yl_at(event, "metadata");
    struct yl_str namespace = yl_at_get_str(c, &metadata, "namespace");
    struct yl_at object = either(event, "involvedObject");
    struct yl_at time = yl_at(event, "eventTime");
    struct yl_at of = yl_at(&object, "namespace");
    struct yl_str other = yl_at_str(c, &of);
    struct yl_at path = yl_at_node(event, "namespace", NULL);
    bool series_kind = is_time(c, &time);
    bool home = yl_str_equal_c(namespace, "default")
                || (series_kind ? yl_str_equal_c(namespace, "kube-system")
                                : !namespace.size);

    if (other.size ? !series_kind && !yl_str_equal(namespace, other)
                   : !home) {
        yl_field_invalid(c->err, yl_at_path(&of), yl_bad_string(other),
                         "does not match event.namespace");
    }
    if (series_kind) {
        check_series_kind(c, event, reporter);
    }
    yl_check_name_of(c, yl_at_path(&path), YL_NAME_DNS1123_SUBDOMAIN,
                     namespace);
}

/* An Event with an eventTime was made through events.k8s.io, which requires
 * more fields. */
static void
check_series_kind(struct yl_check *c, const struct yl_at *event,
                  const char *reporter_name)
{
    struct yl_at component = either(event, "reportingComponent");
    struct yl_at reporter =
        yl_at_node(event, reporter_name, component.node);
    struct yl_at instance = yl_at(event, "reportingInstance");
    struct yl_at action = yl_at(event, "action");
    struct yl_at reason = yl_at(event, "reason");
    struct yl_at message = either(event, "message");

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
check_series(struct yl_check *c, const struct yl_at *event)
{
    struct yl_at series = yl_at(event, "series");
    struct yl_at count = yl_at(&series, "count");
    struct yl_at last = yl_at(&series, "lastObservedTime");

    if (!yl_at_has(&series)) {
        return;
    }
    if (yl_at_int(&count) < 2) {
        yl_field_invalid(c->err, yl_at_path(&count),
                         yl_bad_string(YL_STR("")), "should be at least 2");
    }
    if (!is_time(c, &last)) {
        yl_field_required(c->err, yl_at_path(&last), NULL);
    }
}

static void
check_unset(struct yl_check *c, const struct yl_at *event, const char *name)
{
    struct yl_at at = either(event, name);

    if (is_time(c, &at) || yl_at_int(&at)) {
        yl_field_invalid(c->err, yl_at_path(&at), yl_bad_string(YL_STR("")),
                         "needs to be unset");
    }
}

/* A field, given its name in the core group, whichever form the object has. */
static struct yl_at
either(const struct yl_at *event, const char *name)
{
    struct yl_at at = yl_at(event, name);
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(names) && !yl_at_has(&at); i++) {
        if (!strcmp(name, names[i][0])) {
            struct yl_at other = yl_at(event, names[i][1]);

            at.node = other.node;
        }
    }
    return at;
}

static bool
is_time(const struct yl_check *c, const struct yl_at *time)
{
    struct yl_str s = yl_at_str(c, time);
    struct yl_time t;

    return s.size && (yl_time_parse(s, &t, NULL) < 0 || !yl_time_is_zero(t));
}
