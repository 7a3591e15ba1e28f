/* Tests of gzip: what zlib makes of it again is what was added. */

#include "apiserver/answer/gzip.h"

#include <malloc.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "unit.h"
#include "yuloh/error.h"

static void
assert_unzips(const struct yl_buf *zipped, const struct yl_buf *plain)
{
    size_t size = plain->size + 1;
    char *out = yl_malloc(size);
    z_stream stream = { 0 };

    assert_int_equal(inflateInit2(&stream, 15 + 16), Z_OK);
    stream.next_in = (unsigned char *) zipped->data;
    stream.avail_in = (unsigned int) zipped->size;
    stream.next_out = (unsigned char *) out;
    stream.avail_out = (unsigned int) size;
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_int_equal(stream.avail_in, 0);
    assert_int_equal(stream.total_out, plain->size);
    assert_memory_equal(out, plain->data ? plain->data : "", plain->size);
    inflateEnd(&stream);
    free(out);
}

/* One gzip member, whatever the pieces were, and within its memory. */
TEST(what_was_added_comes_out)
{
    static const size_t pieces[] = { 0, 1, 7, 4096, 300000 };

    for (size_t i = 0; i < YL_ARRAY_SIZE(pieces); i++) {
        size_t before = mallinfo2().uordblks;
        struct yl_gzip *gzip = yl_gzip_new();
        struct yl_buf plain, zipped;
        unsigned int seed = 1;

        assert_true(mallinfo2().uordblks - before <= YL_GZIP_MEMORY);
        yl_buf_init(&plain, SIZE_MAX);
        yl_buf_init(&zipped, SIZE_MAX);
        for (int n = 0; n < 20; n++) {
            size_t start = plain.size;

            for (size_t j = 0; j < pieces[i]; j++) {
                seed = seed * 1103515245 + 12345;
                yl_buf_append_char(&plain, n % 2 ? (char) (seed >> 16)
                                                 : "abc"[j % 3]);
            }
            yl_gzip_add(gzip, yl_str_skip(yl_buf_str(&plain), start),
                        &zipped);
        }
        yl_gzip_finish(gzip, &zipped);
        assert_unzips(&zipped, &plain);
        yl_gzip_free(gzip);
        yl_buf_release(&plain);
        yl_buf_release(&zipped);
    }
}

TEST(an_output_that_is_full_keeps_its_error)
{
    struct yl_gzip *gzip = yl_gzip_new();
    struct yl_buf out;

    yl_buf_init(&out, 100);
    yl_gzip_add(gzip, YL_STR("abc"), &out);
    yl_gzip_finish(gzip, &out);
    assert_int_equal(yl_buf_error(&out), YL_ETOOBIG);
    yl_buf_release(&out);
    yl_gzip_free(gzip);
    yl_gzip_free(NULL);
}
