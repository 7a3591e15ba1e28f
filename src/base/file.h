#ifndef BASE_FILE_H
#define BASE_FILE_H 1

/* Whole files: keys, certificates, tables of tokens.
 *
 * Guarantees
 * ==========
 *
 *   - A file that is replaced is, after any crash, either the old one or the
 *     new one, whole; it is never readable by more people than 'mode' says,
 *     not even for a moment. */

#include <sys/types.h>

#include "base/buf.h"
#include "yuloh/str.h"

struct yl_error;

/* Appends all of a file to 'buf'.  YL_ENOTFOUND, YL_EIO, or YL_ETOOBIG for
 * more than the buffer's ceiling. */
int yl_file_read(const char *path, struct yl_buf *buf, struct yl_error *err);

/* Writes a file beside 'path', flushes it, and puts it in its place.  YL_EIO
 * with the reason. */
int yl_file_replace(const char *path, struct yl_str content, mode_t mode,
                    struct yl_error *err);

/* Makes a directory with 'mode', and those above it, unless it is there. */
int yl_file_make_directory(const char *path, mode_t mode,
                           struct yl_error *err);

#endif /* base/file.h */
