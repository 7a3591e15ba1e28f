#ifndef CONTROLLER_EVENT_H
#define CONTROLLER_EVENT_H 1

/* Event: one thing that happened to an object, and the JSON of it. */

#include "base/list.h"
#include "yuloh/recorder.h"
#include "yuloh/time.h"

struct yl_arena;

/* Longest reason and message; more is cut. */
#define YL_EVENT_MAX_REASON 128
#define YL_EVENT_MAX_MESSAGE 1024

/* Room for a name: that of the object, or a UUID. */
#define YL_EVENT_NAME_SIZE 320

/* All slices point into the same block. */
struct yl_event {
    struct yl_list node;        /* In a recorder's queue. */
    struct yl_event_subject subject;
    struct yl_str type, reason, message;
    struct yl_time time;
};

/* Who says it. */
struct yl_event_source {
    struct yl_str component, host;
};

/* Copies everything into one block, which goes back with free(). */
struct yl_event *yl_event_new(const struct yl_event_subject *,
                              struct yl_str type, struct yl_str reason,
                              struct yl_str message, struct yl_time);

/* Where the Event object is: in the namespace of its subject, or in "default"
 * if that has none. */
struct yl_str yl_event_namespace(const struct yl_event *);

/* A name for the Event object: that of its subject and the time, or a random
 * UUID if that would be no name. */
void yl_event_name(const struct yl_event *, char name[YL_EVENT_NAME_SIZE]);

/* What the correlator made of it: which Event object it is, and how often that
 * has happened. */
struct yl_event_series {
    const char *name;
    int64_t count;
    struct yl_time first;
    struct yl_str message;      /* The event's, or a combined one. */
};

/* The JSON of an Event object, or of the patch that counts it up. */
struct yl_str yl_event_json(const struct yl_event *,
                            const struct yl_event_source *,
                            const struct yl_event_series *,
                            struct yl_arena *);
struct yl_str yl_event_patch(const struct yl_event *,
                             const struct yl_event_series *,
                             struct yl_arena *);

#endif /* controller/event.h */
