/* The manager that a user agent stands for.  See own.h. */

#include "apiserver/own/own.h"
#include "apiserver/request.h"
#include "apiserver/verbs/options.h"
#include "base/quote.h"
#include "json/utf8.h"
#include "yuloh/arena.h"

/* U+FFFD */
#define REPLACEMENT YL_STR("\xef\xbf\xbd")

static struct yl_str printable(struct yl_arena *, struct yl_str text,
                               size_t max);

struct yl_str
yl_own_manager(struct yl_arena *arena, const struct yl_api_request *req,
               struct yl_str option)
{
    if (!option.size) {
        return yl_own_agent(arena, yl_http_header(req->http,
                                                  YL_STR("user-agent")));
    }
    return yl_utf8_find_invalid(option)
           ? printable(arena, option, option.size * REPLACEMENT.size)
           : option;
}

struct yl_str
yl_own_agent(struct yl_arena *arena, struct yl_str user_agent)
{
    struct yl_str name = user_agent, rest;

    yl_str_cut(user_agent, '/', &name, &rest);
    return printable(arena, name, YL_FIELD_MANAGER_MAX);
}

/* The characters of 'text' that can be printed, up to 'max' bytes; what is not
 * UTF-8 is replaced, as Go does it. */
static struct yl_str
printable(struct yl_arena *arena, struct yl_str text, size_t max)
{
    char *out = yl_arena_alloc(arena, max);
    size_t at, n, size = 0;

    for (at = 0; at < text.size; at += n) {
        struct yl_str piece;
        uint32_t rune = 0xfffd;

        n = yl_rune_decode(yl_str_skip(text, at), &rune);
        piece = n ? yl_str_n(text.data + at, n) : REPLACEMENT;
        n = n ? n : 1;
        if (!yl_rune_is_printable(rune)) {
            continue;
        }
        if (size + piece.size > max) {
            break;
        }
        memcpy(out + size, piece.data, piece.size);
        size += piece.size;
    }
    return yl_str_n(out, size);
}
