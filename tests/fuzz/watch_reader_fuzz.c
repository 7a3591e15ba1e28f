/* Fuzzes the reader of watches: however the bytes are cut into pieces, the
 * same events come out, and the same result.
 *
 * Input: a byte from which the sizes of the pieces are made, and the bytes of
 * the watch. */

#include "fuzz.h"

#include "base/buf.h"
#include "client/watch_reader.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static int on_event(void *out, struct yl_watch_event *);
static int read_watch(struct yl_str text, unsigned seed, struct yl_buf *out);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = fuzz_input(data, size);
    unsigned seed = fuzz_below(&in, 255) + 1;
    struct yl_buf whole, pieces;
    int r;

    yl_buf_init(&whole, SIZE_MAX / 2);
    yl_buf_init(&pieces, SIZE_MAX / 2);
    r = read_watch(in.rest, 0, &whole);
    CHECK(read_watch(in.rest, seed, &pieces) == r);
    CHECK(yl_str_equal(yl_buf_str(&whole), yl_buf_str(&pieces)));
    yl_buf_release(&whole);
    yl_buf_release(&pieces);
    return 0;
}

static int
read_watch(struct yl_str text, unsigned seed, struct yl_buf *out)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_watch_reader reader;
    int r = 0;

    yl_watch_reader_init(&reader, on_event, out);
    while (r == 0 && text.size) {
        size_t n = text.size;

        if (seed) {
            seed = seed * 1103515245 + 12345;
            n = (seed >> 16) % (seed >> 28 ? 12 : 300) + 1;
            n = n < text.size ? n : text.size;
        }
        r = yl_watch_reader_feed(&reader, yl_str_n(text.data, n), &err);
        text = yl_str_skip(text, n);
    }
    if (r == 0) {
        r = yl_watch_reader_finish(&reader, &err);
    }
    CHECK(r <= 0 && err.code == r);
    yl_error_clear(&err);
    yl_watch_reader_release(&reader);
    return r;
}

static int
on_event(void *out, struct yl_watch_event *event)
{
    struct yl_arena *arena = yl_arena_new();

    yl_buf_printf(out, "%s %llu %d %d ", yl_watch_type_name(event->type),
                  (unsigned long long) event->revision,
                  event->initial_events_end, event->error.code);
    CHECK((event->object == NULL) == (event->type == YL_WATCH_BOOKMARK
                                      || event->type == YL_WATCH_ERROR));
    CHECK((event->error.code < 0) == (event->type == YL_WATCH_ERROR));
    if (event->object) {
        yl_buf_append_str(out, yl_object_json(event->object, arena, NULL));
    }
    yl_arena_free(arena);
    return 0;
}
