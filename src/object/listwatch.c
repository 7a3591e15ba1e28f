/* Lister-watchers and watch frames.  See yuloh/listwatch.h for the
 * contract. */

#include "yuloh/listwatch.h"

#include "base/arena.h"
#include "object/member.h"
#include "object/object.h"
#include "yuloh/status.h"

#define INITIAL_EVENTS_END "k8s.io/initial-events-end"

static const char *const type_names[] = {
    [YL_WATCH_ADDED] = "ADDED",
    [YL_WATCH_MODIFIED] = "MODIFIED",
    [YL_WATCH_DELETED] = "DELETED",
    [YL_WATCH_BOOKMARK] = "BOOKMARK",
    [YL_WATCH_ERROR] = "ERROR",
};

static const struct yl_list_options no_options;

static int refuse(struct yl_error *, const char *why);
static int split_frame(struct yl_str frame, struct yl_json *type,
                       struct yl_str *object, struct yl_error *);
static int malformed(struct yl_str frame, struct yl_error *);
static int read_type(struct yl_json, enum yl_watch_type *ret_type,
                     struct yl_error *);
static int read_error(struct yl_str object, struct yl_watch_event *,
                      struct yl_error *);
static void read_bookmark(const struct yl_object *, struct yl_watch_event *);

int
yl_list_options_check(const struct yl_list_options *o, bool watch,
                      uint64_t *ret_revision, struct yl_error *err)
{
    bool has_revision = o->resource_version.size > 0;
    bool matches = o->resource_version_match != YL_MATCH_UNSET;
    bool exact = o->resource_version_match == YL_MATCH_EXACT;
    bool continues = o->continue_.size > 0;
    uint64_t revision;
    int r = yl_revision_parse(o->resource_version, &revision, err);

    if (r < 0) {
        return r;
    }
    if (o->limit < 0 || o->timeout_seconds < 0) {
        return refuse(err, "limit and timeout must not be negative");
    } else if (watch && continues) {
        return refuse(err, "a watch cannot continue a list");
    } else if (watch && (exact || (matches && !o->send_initial_events))) {
        return refuse(err, "resourceVersionMatch is forbidden for watch "
                           "unless it is NotOlderThan, with initial events");
    } else if (!watch && o->send_initial_events) {
        return refuse(err, "sendInitialEvents is forbidden for list");
    } else if (!watch && matches && !has_revision) {
        return refuse(err, "resourceVersionMatch is forbidden unless "
                           "resourceVersion is provided");
    } else if (exact && revision == 0) {
        return refuse(err, "resourceVersionMatch \"exact\" is forbidden for "
                           "resourceVersion \"0\"");
    } else if (continues && (matches || revision)) {
        return refuse(err, "resourceVersion and resourceVersionMatch are "
                           "forbidden when continue is provided");
    }
    *ret_revision = revision;
    return 0;
}

const char *
yl_watch_type_name(enum yl_watch_type type)
{
    return type_names[type];
}

int
yl_watch_event_parse(struct yl_str frame, const struct yl_object_opts *opts,
                     struct yl_watch_event *ret_event, struct yl_error *err)
{
    struct yl_watch_event event = { .type = YL_WATCH_ADDED };
    struct yl_json type;
    struct yl_str json;
    int r = split_frame(frame, &type, &json, err);

    if (r == 0) {
        r = read_type(type, &event.type, err);
    }
    if (r == 0) {
        r = event.type == YL_WATCH_ERROR
            ? read_error(json, &event, err)
            : yl_object_ingest(json, opts, &event.object, err);
    }
    if (r < 0) {
        return r;
    }
    if (event.object) {
        event.revision = yl_object_revision(event.object);
    }
    if (event.type == YL_WATCH_BOOKMARK) {
        read_bookmark(event.object, &event);
        event.object = yl_object_unref(event.object);
    }
    *ret_event = event;
    return 0;
}

void
yl_watch_event_clear(struct yl_watch_event *event)
{
    event->object = yl_object_unref(event->object);
    yl_error_clear(&event->error);
}

int
yl_lister_watcher_list(struct yl_lister_watcher *lw,
                       const struct yl_list_options *options,
                       const struct yl_list_sink *sink, void *aux,
                       struct yl_lister_watcher_call **ret_call,
                       struct yl_error *err)
{
    uint64_t revision;
    int r;

    options = options ? options : &no_options;
    r = yl_list_options_check(options, false, &revision, err);
    return r < 0 ? r : lw->list(lw, options, sink, aux, ret_call, err);
}

int
yl_lister_watcher_watch(struct yl_lister_watcher *lw,
                        const struct yl_list_options *options,
                        const struct yl_watch_sink *sink, void *aux,
                        struct yl_lister_watcher_call **ret_call,
                        struct yl_error *err)
{
    uint64_t revision;
    int r;

    options = options ? options : &no_options;
    r = yl_list_options_check(options, true, &revision, err);
    return r < 0 ? r : lw->watch(lw, options, sink, aux, ret_call, err);
}

void
yl_lister_watcher_stop(struct yl_lister_watcher *lw,
                       struct yl_lister_watcher_call *call)
{
    lw->stop(lw, call);
}

static int
refuse(struct yl_error *err, const char *why)
{
    return yl_error_set(err, YL_EINVALID, "%s", why);
}

/* Finds the two members of a frame. */
static int
split_frame(struct yl_str frame, struct yl_json *type, struct yl_str *object,
            struct yl_error *err)
{
    const char *limit = frame.data ? frame.data + frame.size : NULL;
    const char *p = yl_json_skip_blanks(frame.data, limit);
    struct yl_member member;
    bool first = true;
    int more;

    *type = yl_json_none();
    *object = yl_str_null();
    if (p == limit || *p != '{') {
        return malformed(frame, err);
    }
    p++;
    while ((more = yl_member_next(&p, limit, first, &member)) > 0) {
        first = false;
        p = yl_json_skip_value(p, limit);
        if (!p) {
            return malformed(frame, err);
        }
        if (yl_member_is(&member, YL_STR("type"))) {
            if (yl_json_exists(*type)) {
                return yl_error_set(err, YL_EDUPLICATE, "type is there twice");
            }
            type->start = member.value;
            type->limit = p;
        } else if (yl_member_is(&member, YL_STR("object"))) {
            if (object->data) {
                return yl_error_set(err, YL_EDUPLICATE,
                                    "object is there twice");
            }
            *object = yl_str_range(member.value, p);
        }
    }
    if (more < 0 || yl_json_skip_blanks(p, limit) != limit) {
        return malformed(frame, err);
    }
    if (!object->data) {
        return yl_error_set(err, YL_EINVALID, "watch event has no object");
    }
    return 0;
}

/* Says what is wrong with a frame that could not be walked. */
static int
malformed(struct yl_str frame, struct yl_error *err)
{
    int r = yl_json_validate(frame, NULL, err);

    return r < 0 ? r : yl_error_set(err, YL_ETYPE,
                                    "a watch event must be a JSON object");
}

static int
read_type(struct yl_json value, enum yl_watch_type *ret_type,
          struct yl_error *err)
{
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(type_names); i++) {
        if (yl_json_string_is(value, yl_str_c(type_names[i]))) {
            *ret_type = (enum yl_watch_type) i;
            return 0;
        }
    }
    return yl_error_set(err, YL_EINVALID, "watch event has an unknown type");
}

/* The error in a Status.  One that says "Success" is the server's mistake. */
static int
read_error(struct yl_str object, struct yl_watch_event *event,
           struct yl_error *err)
{
    struct yl_status status = YL_STATUS_INIT;
    int r = yl_status_parse(object, &status, err);

    if (r < 0) {
        return r;
    }
    event->error = status.error;
    status.error = (struct yl_error) YL_ERROR_INIT;
    if (!event->error.code) {
        event->error.code = YL_EINTERNAL;
    }
    yl_status_clear(&status);
    return 0;
}

static void
read_bookmark(const struct yl_object *object, struct yl_watch_event *event)
{
    struct yl_arena arena;

    yl_arena_init(&arena);
    event->initial_events_end = yl_json_string_is(
        yl_json_get(yl_object_annotations(object, &arena),
                    YL_STR(INITIAL_EVENTS_END)),
        YL_STR("true"));
    yl_arena_release(&arena);
}
