#ifndef APISERVER_WATCH_CLASS_H
#define APISERVER_WATCH_CLASS_H 1

/* Watch class: watchers who want to see the same, and the frames they share.
 *
 *     event log -> [class: evaluated and rendered once] -> frames
 *                                                           ^ ^ ^
 *                                                     watchers' positions
 *
 * Watchers with equal resource, scope, selectors, version and form are one
 * class.  A class keeps the newest frames; a watcher is a position among them
 * and costs nothing while it is slow.  One that falls behind what is kept
 * reads the log by itself until it has caught up.
 *
 * Guarantees
 * ==========
 *
 *   - Each event of the log becomes at most one frame, once, in order.
 *
 *   - At most YL_WATCH_FRAMES frames of YL_WATCH_BYTES together are kept,
 *     but always the newest.
 *
 * Threads
 * =======
 *
 * Any thread.  A lock of each class guards its frames; it is held while news
 * are rendered, so that nobody renders them twice, and taken before the
 * resource's. */

#include <stddef.h>
#include <stdint.h>

#include "apiserver/selection.h"
#include "apiserver/view.h"
#include "base/ref.h"

struct yl_api_request;
struct yl_error;
struct yl_watch_class;
struct yl_watch_classes;

#define YL_WATCH_FRAMES 1024
#define YL_WATCH_BYTES ((size_t) 1 << 20)

/* An event as bytes, immutable and counted. */
struct yl_watch_frame {
    struct yl_ref ref;
    uint64_t revision;
    size_t columns;             /* See watch/render.h. */
    size_t size;
    char bytes[];
};

void yl_watch_frame_unref(struct yl_watch_frame *);

struct yl_watch_classes *yl_watch_classes_new(void);
void yl_watch_classes_free(struct yl_watch_classes *);

/* The class that the request's watch belongs to; a new one sees events behind
 * 'revision'.  YL_EEXPIRED. */
int yl_watch_class_join(struct yl_watch_classes *, struct yl_api_request *,
                        const struct yl_view *, const struct yl_selection *,
                        uint64_t revision, struct yl_watch_class **ret_class,
                        struct yl_error *err);
void yl_watch_class_leave(struct yl_watch_classes *, struct yl_watch_class *);

/* The position behind 'revision'; false if the class no longer has, or never
 * had, everything behind it. */
bool yl_watch_class_find(struct yl_watch_class *, uint64_t revision,
                         uint64_t *ret_position);

/* The frames from 'position' on, at most 'max': their number (the caller
 * drops the references), 0 if there are none now, with the revision up to
 * which that is so; YL_EEXPIRED if the position is no longer kept. */
int yl_watch_class_read(struct yl_watch_class *, uint64_t position,
                        struct yl_watch_frame **frames, size_t max,
                        uint64_t *ret_revision);

/* Are there frames behind 'position'?  Reads the log if need be. */
bool yl_watch_class_has_news(struct yl_watch_class *, uint64_t position);

#endif /* apiserver/watch/class.h */
