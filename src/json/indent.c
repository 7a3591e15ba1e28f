/* Indentation of a stream.  See json/indent.h. */

#include "json/indent.h"

static void
new_line(const struct yl_json_indenter *in, struct yl_buf *out)
{
    unsigned i;

    yl_buf_append_char(out, '\n');
    for (i = 0; i < in->depth; i++) {
        yl_buf_append(out, "  ", 2);
    }
}

/* Passes the rest of a string on; returns how many bytes that were. */
static size_t
pass_string(struct yl_json_indenter *in, struct yl_str piece,
            struct yl_buf *out)
{
    size_t i;

    for (i = 0; i < piece.size && in->in_string; i++) {
        if (in->escaped) {
            in->escaped = false;
        } else if (piece.data[i] == '\\') {
            in->escaped = true;
        } else if (piece.data[i] == '"') {
            in->in_string = false;
        }
    }
    yl_buf_append(out, piece.data, i);
    return i;
}

void
yl_json_indent(struct yl_json_indenter *in, struct yl_str piece,
               struct yl_buf *out)
{
    size_t i = 0;

    while (i < piece.size) {
        char c = piece.data[i];

        if (in->in_string) {
            i += pass_string(in, yl_str_skip(piece, i), out);
            continue;
        }
        i++;
        if (c == '}' || c == ']') {
            in->depth--;
            if (!in->opened) {
                new_line(in, out);
            }
            in->opened = false;
            yl_buf_append_char(out, c);
            continue;
        }
        if (in->opened) {
            new_line(in, out);
            in->opened = false;
        }
        yl_buf_append_char(out, c);
        if (c == '"') {
            in->in_string = true;
        } else if (c == '{' || c == '[') {
            in->depth++;
            in->opened = true;
        } else if (c == ',') {
            new_line(in, out);
        } else if (c == ':') {
            yl_buf_append_char(out, ' ');
        }
    }
}
