#ifndef CLIENT_WATCH_READER_H
#define CLIENT_WATCH_READER_H 1

/* Watch reader: the bytes of a watch become events while they arrive.
 *
 *     pieces of the body -> [frames] -> events -> function
 *
 * Guarantees
 * ==========
 *
 *   - Events do not depend on how the bytes were cut into pieces.
 *
 *   - Safe on any bytes.  A frame has a ceiling of 64 MB.
 *
 *   - A reader holds no memory between two events: a thousand quiet watches
 *     cost no buffers, however much they had to say at first.
 *
 * Ownership
 * =========
 *
 * An event is lent to the function; to keep its object take it out and leave
 * NULL. */

#include "json/split.h"
#include "yuloh/listwatch.h"

/* Receives an event.  Returns 0, or an error or a positive number, which end
 * the reading. */
typedef int yl_watch_reader_fn(void *aux, struct yl_watch_event *event);

struct yl_watch_reader {
    struct yl_splitter splitter;
    yl_watch_reader_fn *event;
    void *aux;
};

void yl_watch_reader_init(struct yl_watch_reader *, yl_watch_reader_fn *event,
                          void *aux);
void yl_watch_reader_release(struct yl_watch_reader *);

/* Takes bytes.  0, or what the function returned, or the errors of
 * yl_watch_event_parse(), or YL_ESYNTAX or YL_ETOOBIG for what is no frame.
 * Feed it no more after that. */
int yl_watch_reader_feed(struct yl_watch_reader *, struct yl_str bytes,
                         struct yl_error *err);

/* No more bytes will come: 0, or YL_EUNAVAILABLE if the last frame was not
 * complete, because then the connection broke. */
int yl_watch_reader_finish(struct yl_watch_reader *, struct yl_error *err);

#endif /* client/watch_reader.h */
