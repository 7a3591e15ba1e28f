#ifndef BASE_BUF_H
#define BASE_BUF_H 1

/* Growing buffer with a ceiling that is set when it is initialised.
 *
 * Bytes go in at the end and may be taken from the front.  An append that
 * would pass the ceiling adds nothing and leaves an error that sticks until
 * yl_buf_clear(), so a writer appends without checking and asks once, at the
 * end, whether everything fitted.
 *
 * Ownership
 * =========
 *
 * The buffer owns its bytes; pointers into it die at the next append,
 * reserve or consume.  yl_buf_detach() hands the bytes over. */

#include <stdarg.h>
#include <stddef.h>

#include "yuloh/compiler.h"
#include "yuloh/str.h"

struct yl_buf {
    char *data;                 /* NULL until the first byte comes. */
    size_t size;                /* Bytes in use. */
    size_t capacity;            /* Bytes there is room for, and a NUL. */
    size_t ceiling;             /* 'capacity' never passes it. */
    int error;                  /* 0 or YL_ETOOBIG. */
};

void yl_buf_init(struct yl_buf *, size_t ceiling);
void yl_buf_release(struct yl_buf *);

/* Empties the buffer and forgets its error; keeps its memory. */
void yl_buf_clear(struct yl_buf *);

/* 0, or YL_ETOOBIG if an append since the last clear did not fit. */
static inline int
yl_buf_error(const struct yl_buf *buf)
{
    return buf->error;
}

static inline struct yl_str
yl_buf_str(const struct yl_buf *buf)
{
    return yl_str_n(buf->data ? buf->data : "", buf->size);
}

/* Room for 'n' more bytes behind the last one, or NULL when the ceiling
 * forbids it (the error is set).  Write there, then yl_buf_commit() what was
 * written. */
char *yl_buf_reserve(struct yl_buf *, size_t n);

static inline void
yl_buf_commit(struct yl_buf *buf, size_t n)
{
    buf->size += n;
}

static inline void
yl_buf_append(struct yl_buf *buf, const void *bytes, size_t n)
{
    if (YL_UNLIKELY(n > buf->capacity - buf->size || buf->error)
        && !yl_buf_reserve(buf, n)) {
        return;
    }
    if (n) {
        memcpy(buf->data + buf->size, bytes, n);
        buf->size += n;
    }
}

static inline void
yl_buf_append_str(struct yl_buf *buf, struct yl_str s)
{
    yl_buf_append(buf, s.data, s.size);
}

static inline void
yl_buf_append_char(struct yl_buf *buf, char c)
{
    yl_buf_append(buf, &c, 1);
}

static inline void
yl_buf_append_c(struct yl_buf *buf, const char *s)
{
    yl_buf_append(buf, s, strlen(s));
}

void yl_buf_printf(struct yl_buf *, const char *format, ...) YL_PRINTF(2, 3);
void yl_buf_vprintf(struct yl_buf *, const char *format, va_list)
    YL_PRINTF(2, 0);

/* Drops the first 'n' bytes; what is behind them moves to the front. */
void yl_buf_consume(struct yl_buf *, size_t n);

/* Hands the bytes, NUL-terminated, to the caller, who frees them; the buffer
 * is empty then. */
char *yl_buf_detach(struct yl_buf *);

/* The bytes with a NUL behind them (not counted), lent like any pointer into
 * the buffer. */
const char *yl_buf_c_str(struct yl_buf *);

#endif /* base/buf.h */
