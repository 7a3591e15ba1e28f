/* Watch reader: the bytes of a watch become events while they arrive. */

#include "client/watch_reader.h"

static int take_events(struct yl_watch_reader *, struct yl_error *);

void
yl_watch_reader_init(struct yl_watch_reader *reader, yl_watch_reader_fn *event,
                     void *aux)
{
    yl_splitter_init(&reader->splitter, YL_SPLIT_FRAMES, 0);
    reader->event = event;
    reader->aux = aux;
}

void
yl_watch_reader_release(struct yl_watch_reader *reader)
{
    yl_splitter_release(&reader->splitter);
}

int
yl_watch_reader_feed(struct yl_watch_reader *reader, struct yl_str bytes,
                     struct yl_error *err)
{
    int r = 0;

    while (r == 0 && bytes.size) {
        size_t n = bytes.size < YL_SPLIT_MAX_PIECE ? bytes.size
                                                   : YL_SPLIT_MAX_PIECE;

        yl_splitter_feed(&reader->splitter, yl_str_n(bytes.data, n));
        bytes = yl_str_skip(bytes, n);
        r = take_events(reader, err);
    }
    if (r == 0 && yl_splitter_pending(&reader->splitter) == 0) {
        yl_splitter_release(&reader->splitter);
        yl_splitter_init(&reader->splitter, YL_SPLIT_FRAMES, 0);
    }
    return r;
}

int
yl_watch_reader_finish(struct yl_watch_reader *reader, struct yl_error *err)
{
    int r;

    yl_splitter_finish(&reader->splitter);
    r = take_events(reader, err);
    if (r == YL_ETRUNCATED) {
        r = yl_error_set(err, YL_EUNAVAILABLE,
                         "the watch ended in the middle of an event");
    }
    return r;
}

static int
take_events(struct yl_watch_reader *reader, struct yl_error *err)
{
    struct yl_str frame;
    int r;

    while ((r = yl_splitter_next(&reader->splitter, &frame, err))
           == YL_SPLIT_VALUE) {
        struct yl_watch_event event;

        r = yl_watch_event_parse(frame, NULL, &event, err);
        if (r < 0) {
            yl_error_prefix(err, "unable to decode an event from the watch "
                            "stream");
            return r;
        }
        r = reader->event(reader->aux, &event);
        yl_watch_event_clear(&event);
        if (r) {
            return r;
        }
    }
    return r < 0 ? r : 0;
}
