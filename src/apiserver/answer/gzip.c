/* Gzip, on zlib.  See apiserver/answer/gzip.h for the contract. */

#include "apiserver/answer/gzip.h"

#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/buf.h"

/* Room that is made in the output at a time. */
#define ROOM ((size_t) 16 << 10)

/* The most that zlib is given at once, because its sizes are unsigned ints. */
#define MOST_INPUT ((size_t) 1 << 30)

struct yl_gzip {
    z_stream stream;
};

static void *allocate(void *aux, unsigned int n, unsigned int size);
static void give_back(void *aux, void *memory);
static void run(z_stream *, int flush, struct yl_buf *out);

struct yl_gzip *
yl_gzip_new(void)
{
    struct yl_gzip *gzip = yl_zalloc(sizeof *gzip);

    gzip->stream.zalloc = allocate;
    gzip->stream.zfree = give_back;
    /* Adding 16 to the window's bits selects the gzip format.  This cannot
     * fail: the arguments are valid, and allocate() never returns NULL. */
    if (deflateInit2(&gzip->stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        abort();
    }
    return gzip;
}

void
yl_gzip_free(struct yl_gzip *gzip)
{
    if (gzip) {
        deflateEnd(&gzip->stream);
        free(gzip);
    }
}

void
yl_gzip_add(struct yl_gzip *gzip, struct yl_str piece, struct yl_buf *out)
{
    while (piece.size) {
        size_t n = piece.size < MOST_INPUT ? piece.size : MOST_INPUT;

        gzip->stream.next_in = (unsigned char *) (uintptr_t) piece.data;
        gzip->stream.avail_in = (unsigned int) n;
        run(&gzip->stream, Z_NO_FLUSH, out);
        piece = yl_str_skip(piece, n);
    }
}

void
yl_gzip_finish(struct yl_gzip *gzip, struct yl_buf *out)
{
    gzip->stream.avail_in = 0;
    run(&gzip->stream, Z_FINISH, out);
}

/* Runs zlib until it leaves room in the output, which means that it has used
 * all input. */
static void
run(z_stream *stream, int flush, struct yl_buf *out)
{
    do {
        char *room = yl_buf_reserve(out, ROOM);

        if (!room) {
            return;             /* The buffer's error tells the caller. */
        }
        stream->next_out = (unsigned char *) room;
        stream->avail_out = ROOM;
        deflate(stream, flush);
        yl_buf_commit(out, ROOM - stream->avail_out);
    } while (stream->avail_out == 0);
}

static void *
allocate(void *aux YL_UNUSED, unsigned int n, unsigned int size)
{
    return yl_malloc_array(n, size);
}

static void
give_back(void *aux YL_UNUSED, void *memory)
{
    free(memory);
}
