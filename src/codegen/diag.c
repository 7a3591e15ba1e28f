/* Faults of a header, collected.  See codegen/diag.h. */

#include "codegen/diag.h"

#include <stdarg.h>

#include "yuloh/error.h"

/* More errors than this are not shown: most are caused by the first ones. */
#define MAX_SHOWN 50
#define MAX_TEXT ((size_t) 64 << 10)

void
yl_diag_init(struct yl_diag *diag)
{
    yl_buf_init(&diag->text, MAX_TEXT);
    diag->n = 0;
}

void
yl_diag_release(struct yl_diag *diag)
{
    yl_buf_release(&diag->text);
}

void
yl_diag_add(struct yl_diag *diag, const char *file, unsigned line,
            const char *format, ...)
{
    va_list args;

    if (diag->n++ >= MAX_SHOWN) {
        return;
    }
    if (diag->n > 1) {
        yl_buf_append_char(&diag->text, '\n');
    }
    if (line) {
        yl_buf_printf(&diag->text, "%s:%u: ", file, line);
    } else {
        yl_buf_printf(&diag->text, "%s: ", file);
    }
    va_start(args, format);
    yl_buf_vprintf(&diag->text, format, args);
    va_end(args);
}

int
yl_diag_result(const struct yl_diag *diag, struct yl_error *err)
{
    if (!diag->n) {
        return 0;
    } else if (diag->n > MAX_SHOWN) {
        return yl_error_set(err, YL_EINVALID, "%.*s\nand %zu more",
                            YL_STR_ARG(yl_buf_str(&diag->text)),
                            diag->n - MAX_SHOWN);
    }
    return yl_error_set(err, YL_EINVALID, "%.*s",
                        YL_STR_ARG(yl_buf_str(&diag->text)));
}
