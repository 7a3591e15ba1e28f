/* Events as JSON.  See controller/event.h. */

#include "controller/event.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/random.h"
#include "json/text.h"
#include "yuloh/names.h"

static struct yl_str copy(char **at, struct yl_str);
static struct yl_str cut(struct yl_str, size_t max);
static void member(struct yl_buf *, const char *name, struct yl_str value);
static void time_member(struct yl_buf *, const char *name, struct yl_time);
static struct yl_str finish(struct yl_buf *, struct yl_arena *);

struct yl_event *
yl_event_new(const struct yl_event_subject *s, struct yl_str type,
             struct yl_str reason, struct yl_str message, struct yl_time time)
{
    struct yl_event *event;
    char *at;

    reason = cut(reason, YL_EVENT_MAX_REASON);
    message = cut(message, YL_EVENT_MAX_MESSAGE);
    event = yl_malloc(sizeof *event + s->api_version.size + s->kind.size
                      + s->key.namespace_.size + s->key.name.size + s->uid.size
                      + s->field_path.size + type.size + reason.size
                      + message.size);
    at = (char *) (event + 1);
    yl_list_init(&event->node);
    event->subject.api_version = copy(&at, s->api_version);
    event->subject.kind = copy(&at, s->kind);
    event->subject.key.namespace_ = copy(&at, s->key.namespace_);
    event->subject.key.name = copy(&at, s->key.name);
    event->subject.uid = copy(&at, s->uid);
    event->subject.revision = s->revision;
    event->subject.field_path = copy(&at, s->field_path);
    event->type = copy(&at, type);
    event->reason = copy(&at, reason);
    event->message = copy(&at, message);
    event->time = time;
    return event;
}

struct yl_str
yl_event_namespace(const struct yl_event *event)
{
    return event->subject.key.namespace_.size ? event->subject.key.namespace_
                                              : YL_STR("default");
}

void
yl_event_name(const struct yl_event *event, char name[YL_EVENT_NAME_SIZE])
{
    uint64_t nanos = (uint64_t) event->time.seconds * 1000000000
                     + (uint64_t) event->time.nanos;
    int n = snprintf(name, YL_EVENT_NAME_SIZE, "%.*s.%" PRIx64,
                     YL_STR_ARG(event->subject.key.name), nanos);

    if (n >= YL_EVENT_NAME_SIZE
        || yl_name_check(YL_NAME_DNS1123_SUBDOMAIN,
                         yl_str_n(name, (size_t) n), NULL) < 0) {
        yl_random_uuid(name);
    }
}

struct yl_event_subject
yl_event_subject_of(struct yl_type_meta type, struct yl_versioned object)
{
    return (struct yl_event_subject) {
        .api_version = type.api_version,
        .kind = type.kind,
        .key = yl_object_key(object.object),
        .uid = yl_object_uid(object.object),
        .revision = object.revision,
    };
}

struct yl_str
yl_event_json(const struct yl_event *event,
              const struct yl_event_source *source,
              const struct yl_event_series *series, struct yl_arena *arena)
{
    const struct yl_event_subject *s = &event->subject;
    struct yl_buf buf;
    char revision[24];

    yl_buf_init(&buf, SIZE_MAX);
    yl_buf_append_c(&buf, "{\"apiVersion\":\"v1\",\"kind\":\"Event\","
                    "\"metadata\":{");
    member(&buf, "name", yl_str_c(series->name));
    member(&buf, "namespace", yl_event_namespace(event));
    yl_buf_append_c(&buf, "},\"involvedObject\":{");
    member(&buf, "kind", s->kind);
    member(&buf, "namespace", s->key.namespace_);
    member(&buf, "name", s->key.name);
    member(&buf, "uid", s->uid);
    member(&buf, "apiVersion", s->api_version);
    if (s->revision) {
        snprintf(revision, sizeof revision, "%" PRIu64, s->revision);
        member(&buf, "resourceVersion", yl_str_c(revision));
    }
    member(&buf, "fieldPath", s->field_path);
    yl_buf_append_c(&buf, "}");
    member(&buf, "reason", event->reason);
    member(&buf, "message", series->message);
    yl_buf_append_c(&buf, ",\"source\":{");
    member(&buf, "component", source->component);
    member(&buf, "host", source->host);
    yl_buf_append_c(&buf, "}");
    time_member(&buf, "firstTimestamp", series->first);
    time_member(&buf, "lastTimestamp", event->time);
    yl_buf_printf(&buf, ",\"count\":%" PRId64, series->count);
    member(&buf, "type", event->type);
    member(&buf, "reportingComponent", source->component);
    member(&buf, "reportingInstance", source->host);
    yl_buf_append_c(&buf, "}");
    return finish(&buf, arena);
}

struct yl_str
yl_event_patch(const struct yl_event *event,
               const struct yl_event_series *series, struct yl_arena *arena)
{
    struct yl_buf buf;

    yl_buf_init(&buf, SIZE_MAX);
    yl_buf_printf(&buf, "{\"count\":%" PRId64, series->count);
    time_member(&buf, "lastTimestamp", event->time);
    member(&buf, "message", series->message);
    yl_buf_append_c(&buf, "}");
    return finish(&buf, arena);
}

static struct yl_str
copy(char **at, struct yl_str s)
{
    char *start = *at;

    if (s.size) {
        memcpy(start, s.data, s.size);
    }
    *at += s.size;
    return yl_str_n(start, s.size);
}

/* At most 'max' bytes of 's', and no part of a character. */
static struct yl_str
cut(struct yl_str s, size_t max)
{
    if (s.size > max) {
        while (max > 0 && ((unsigned char) s.data[max] & 0xc0) == 0x80) {
            max--;
        }
        s.size = max;
    }
    return s;
}

/* A member, unless its value is empty. */
static void
member(struct yl_buf *buf, const char *name, struct yl_str value)
{
    if (value.size) {
        if (buf->data[buf->size - 1] != '{') {
            yl_buf_append_char(buf, ',');
        }
        yl_buf_printf(buf, "\"%s\":", name);
        yl_json_write_text(buf, value);
    }
}

static void
time_member(struct yl_buf *buf, const char *name, struct yl_time time)
{
    char text[YL_TIME_TEXT_SIZE];
    size_t n = yl_time_write(time, text);

    member(buf, name, yl_str_n(text, n));
}

static struct yl_str
finish(struct yl_buf *buf, struct yl_arena *arena)
{
    struct yl_str json = yl_arena_copy(arena, yl_buf_str(buf));

    yl_buf_release(buf);
    return json;
}
