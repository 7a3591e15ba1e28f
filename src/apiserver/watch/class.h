#ifndef APISERVER_WATCH_CLASS_H
#define APISERVER_WATCH_CLASS_H 1

/* Watch class: watchers that see the same events, and the frames they share.
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
 *     but always the newest batch.
 *
 * Threads
 * =======
 *
 * Any thread may call these.  A lock of each class guards its frames, and is
 * taken before the resource's.  It is not held while events are rendered: one
 * thread does that, and others that want the frames meanwhile are woken when
 * it has finished. */

#include <stddef.h>
#include <stdint.h>

#include "apiserver/answer/view.h"
#include "apiserver/selection.h"
#include "base/ref.h"

struct yl_api_request;
struct yl_error;
struct yl_watch_class;
struct yl_watch_classes;

#define YL_WATCH_FRAMES 1024
#define YL_WATCH_BYTES ((size_t) 1 << 20)

/* An event as bytes of its batch. */
struct yl_watch_frame {
    uint64_t revision;
    size_t columns;             /* See watch/render.h. */
    size_t end;                 /* Where its bytes end. */
};

/* Events that were rendered together, one behind the other: immutable and
 * counted. */
struct yl_watch_batch {
    struct yl_ref ref;
    uint64_t first;             /* The position of its first frame. */
    size_t n_frames;
    const char *bytes;
    struct yl_watch_frame frames[];
};

void yl_watch_batch_unref(struct yl_watch_batch *);

/* The bytes of frames 'i' to 'j' (without it). */
static inline struct yl_str
yl_watch_batch_text(const struct yl_watch_batch *batch, size_t i, size_t j)
{
    size_t start = i ? batch->frames[i - 1].end : 0;

    return yl_str_n(batch->bytes + start, batch->frames[j - 1].end - start);
}

/* Woken when new events have been rendered; for example on behalf of all
 * watchers of a loop.  It must live as long as there are classes. */
struct yl_watch_waiter {
    void (*wake)(struct yl_watch_waiter *);     /* From any thread. */
};

struct yl_watch_classes *yl_watch_classes_new(void);
void yl_watch_classes_free(struct yl_watch_classes *);

/* Finds the class that the request's watch belongs to, or makes one, which
 * sees events after 'revision'.  0, or YL_EEXPIRED. */
int yl_watch_class_join(struct yl_watch_classes *, struct yl_api_request *,
                        const struct yl_view *, const struct yl_selection *,
                        uint64_t revision, struct yl_watch_class **ret_class,
                        struct yl_error *err);
void yl_watch_class_leave(struct yl_watch_classes *, struct yl_watch_class *);

/* The position after 'revision'; false if the class does not have all events
 * after it, because it dropped some or was made later. */
bool yl_watch_class_find(struct yl_watch_class *, uint64_t revision,
                         uint64_t *ret_position);

/* The batch that contains the frame at 'position'.  Returns 1 and a reference
 * to it; 0 if there is none yet, with the revision up to which that is known;
 * YL_EEXPIRED if the frame has been dropped.  Reads the log if necessary.  If
 * another thread is doing that now, the result is 0, and the waiter is woken
 * when that thread has finished. */
int yl_watch_class_read(struct yl_watch_class *, uint64_t position,
                        struct yl_watch_waiter *,
                        struct yl_watch_batch **ret_batch,
                        uint64_t *ret_revision);

/* Whether there is something to read at 'position'.  The waiter is woken in
 * the same cases. */
bool yl_watch_class_has_news(struct yl_watch_class *, uint64_t position,
                             struct yl_watch_waiter *);

#endif /* apiserver/watch/class.h */
