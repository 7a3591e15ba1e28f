/* Growing buffer.  See base/buf.h for the contract. */

#include "base/buf.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "yuloh/error.h"

#define MIN_CAPACITY 256

static void grow(struct yl_buf *, size_t needed);

void
yl_buf_init(struct yl_buf *buf, size_t ceiling)
{
    memset(buf, 0, sizeof *buf);
    buf->ceiling = ceiling;
}

void
yl_buf_release(struct yl_buf *buf)
{
    free(buf->data);
    yl_buf_init(buf, buf->ceiling);
}

void
yl_buf_clear(struct yl_buf *buf)
{
    buf->size = 0;
    buf->error = 0;
}

char *
yl_buf_reserve(struct yl_buf *buf, size_t n)
{
    if (buf->error || n > buf->ceiling || buf->size > buf->ceiling - n) {
        buf->error = YL_ETOOBIG;
        return NULL;
    }
    if (buf->capacity - buf->size < n || !buf->data) {
        grow(buf, buf->size + n);
    }
    return buf->data + buf->size;
}

void
yl_buf_printf(struct yl_buf *buf, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    yl_buf_vprintf(buf, format, args);
    va_end(args);
}

void
yl_buf_vprintf(struct yl_buf *buf, const char *format, va_list args)
{
    va_list again;
    int n;

    va_copy(again, args);
    n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (n > 0 && yl_buf_reserve(buf, (size_t) n)) {
        vsnprintf(buf->data + buf->size, (size_t) n + 1, format, args);
        buf->size += (size_t) n;
    }
}

void
yl_buf_consume(struct yl_buf *buf, size_t n)
{
    assert(n <= buf->size);
    buf->size -= n;
    if (buf->size && n) {
        memmove(buf->data, buf->data + n, buf->size);
    }
}

char *
yl_buf_detach(struct yl_buf *buf)
{
    char *bytes;

    yl_buf_c_str(buf);
    bytes = buf->data;
    yl_buf_init(buf, buf->ceiling);
    return bytes;
}

const char *
yl_buf_c_str(struct yl_buf *buf)
{
    if (!buf->data) {
        grow(buf, 0);
    }
    buf->data[buf->size] = '\0';
    return buf->data;
}

/* Makes the capacity at least 'needed', which is at most the ceiling; doubles
 * it, so that appends cost a constant each in the long run. */
static void
grow(struct yl_buf *buf, size_t needed)
{
    size_t capacity = buf->capacity ? buf->capacity : MIN_CAPACITY;

    while (capacity < needed) {
        capacity = capacity > needed / 2 ? capacity * 2 : needed;
    }
    if (capacity > buf->ceiling) {
        capacity = buf->ceiling;
    }
    buf->data = yl_realloc(buf->data, capacity + 1);
    buf->capacity = capacity;
}
