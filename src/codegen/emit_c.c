/* C text that several writers need.  See codegen/emit_c.h. */

#include "codegen/emit_c.h"

#include <string.h>

#include "yuloh/arena.h"

#define COLUMNS 79

void
yl_gen_emit_call(struct yl_buf *buf, const char *indent, const char *name,
                 const char *const *args, const char *end)
{
    size_t start = strlen(indent) + strlen(name) + 1, column = start;
    size_t i;

    yl_buf_printf(buf, "%s%s(", indent, name);
    for (i = 0; args[i]; i++) {
        size_t size = strlen(args[i]) + (args[i + 1] ? 1 : strlen(end) + 1);

        if (i && column + 1 + size > COLUMNS) {
            yl_buf_printf(buf, "\n%*s", (int) start, "");
            column = start;
        } else if (i) {
            yl_buf_append_char(buf, ' ');
            column++;
        }
        yl_buf_printf(buf, "%s%s", args[i], args[i + 1] ? "," : ")");
        column += size;
    }
    yl_buf_printf(buf, "%s\n", end);
}

const char *
yl_gen_macro_name(struct yl_arena *arena, const char *name)
{
    char *copy = yl_arena_strdup(arena, yl_str_c(name)), *p;

    for (p = copy; *p; p++) {
        if (*p >= 'a' && *p <= 'z') {
            *p = (char) (*p - 'a' + 'A');
        } else if (!(*p >= 'A' && *p <= 'Z') && !(*p >= '0' && *p <= '9')) {
            *p = '_';
        }
    }
    return copy;
}
