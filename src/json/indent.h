#ifndef JSON_INDENT_H
#define JSON_INDENT_H 1

/* Indents JSON while it is being sent: bytes in, bytes out, cut anywhere.
 *
 * Members keep their order.  The text must be valid and without white space
 * between its tokens; a level is two blanks, and empty containers stay on
 * their line, as Go's encoder indents. */

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "yuloh/str.h"

struct yl_json_indenter {
    unsigned depth;
    bool in_string;
    bool escaped;               /* The character before was a backslash. */
    bool opened;                /* The character before opened a container. */
};

#define YL_JSON_INDENTER_INIT { 0, false, false, false }

void yl_json_indent(struct yl_json_indenter *, struct yl_str piece,
                    struct yl_buf *out);

#endif /* json/indent.h */
