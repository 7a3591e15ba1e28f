#ifndef BASE_LOG_FORMAT_H
#define BASE_LOG_FORMAT_H 1

/* Lines of the log: a record in, bytes out, nothing else.  See yuloh/log.h for
 * what a line promises. */

#include <stddef.h>
#include <time.h>

#include "yuloh/log.h"

struct yl_log_record {
    enum yl_log_severity severity;
    int level;                  /* The N of yl_log_v(N, ...). */
    const char *file;           /* As in __FILE__; its last part is shown. */
    int line;
    int code;                   /* 0 or YL_E... */
    const char *message;
    const struct yl_log_field *fields;  /* Up to YL_LOG_TYPE_END. */
    struct timespec time;       /* Since 1970. */
    int thread;
};

/* Writes the line, with its line end and without a NUL; returns its size. */
size_t yl_log_format_text(char out[YL_LOG_LINE_MAX],
                          const struct yl_log_record *);
size_t yl_log_format_json(char out[YL_LOG_LINE_MAX],
                          const struct yl_log_record *);

#endif /* base/log_format.h */
