#ifndef BUILTIN_CONVERT_CONVERT_EVENT_H
#define BUILTIN_CONVERT_CONVERT_EVENT_H 1

/* Event: events.k8s.io/v1 to v1 of the core group, and back. */

struct yl_arena;
struct yl_error;
struct yl_node;

int yl_convert_event_to_core(struct yl_arena *, struct yl_node *object,
                             struct yl_error *err);
int yl_convert_event_to_events(struct yl_arena *, struct yl_node *object,
                               struct yl_error *err);

#endif /* builtin/convert/convert_event.h */
