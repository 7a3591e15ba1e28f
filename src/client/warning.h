#ifndef CLIENT_WARNING_H
#define CLIENT_WARNING_H 1

/* Warnings: what a server wants people to know although it did what was
 * asked.
 *
 *     Warning: 299 - "v1 ComponentStatus is deprecated in v1.19+"
 *
 * Guarantees
 * ==========
 *
 *   - Reading is safe on any bytes.  What is malformed is passed over, and
 *     with it the rest of that header, as in client-go.
 *
 *   - The log gets each text once, and of a long one only the beginning.  It
 *     remembers YL_WARNINGS_MAX of them; when there are more it forgets them
 *     all and starts over. */

#include "base/map.h"
#include "base/thread.h"
#include "yuloh/str.h"

struct yl_arena;
struct yl_error;

#define YL_WARNINGS_MAX 1000

struct yl_warning {
    int code;                   /* Three digits; 299 is the usual one. */
    struct yl_str agent;        /* Who warns; "-" if nobody in particular. */
    struct yl_str text;
};

/* Takes the next warning off the front of '*header': 1, or 0 at the end, or
 * YL_EINVALID in client-go's words.  Text that has escapes is unescaped into
 * 'arena'. */
int yl_warning_next(struct yl_str *header, struct yl_arena *arena,
                    struct yl_warning *ret_warning, struct yl_error *err);

/* The texts that were logged; any thread. */
struct yl_warning_log {
    struct yl_mutex lock;
    struct yl_map seen YL_GUARDED;
};

void yl_warning_log_init(struct yl_warning_log *);
void yl_warning_log_release(struct yl_warning_log *);

/* Logs a warning unless its text was logged before; true if it was not.  Only
 * those with code 299 and a text are logged. */
bool yl_warning_log_once(struct yl_warning_log *, const struct yl_warning *);

#endif /* client/warning.h */
