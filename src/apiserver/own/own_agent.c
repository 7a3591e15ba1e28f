/* The manager that a user agent stands for.  See own.h. */

#include "apiserver/own/own.h"
#include "apiserver/request.h"
#include "apiserver/verbs/options.h"
#include "base/quote.h"
#include "yuloh/arena.h"

struct yl_str
yl_own_manager(struct yl_arena *arena, const struct yl_api_request *req,
               struct yl_str option)
{
    return option.size ? option : yl_own_agent(
        arena, yl_http_header(req->http, YL_STR("user-agent")));
}

struct yl_str
yl_own_agent(struct yl_arena *arena, struct yl_str user_agent)
{
    struct yl_str name = user_agent, rest;
    char *text = yl_arena_alloc(arena, YL_FIELD_MANAGER_MAX);
    size_t at, n, size = 0;

    yl_str_cut(user_agent, '/', &name, &rest);
    for (at = 0; at < name.size; at += n) {
        uint32_t rune;

        n = yl_rune_decode(yl_str_skip(name, at), &rune);
        if (!n) {
            n = 1;              /* Not UTF-8: U+FFFD, */
            rune = 0xfffd;      /* which is three bytes. */
        }
        if (!yl_rune_is_printable(rune)) {
            continue;
        }
        if (size + (rune == 0xfffd ? 3 : n) > YL_FIELD_MANAGER_MAX) {
            break;
        }
        if (rune == 0xfffd) {
            memcpy(text + size, "\xef\xbf\xbd", 3);
            size += 3;
        } else {
            memcpy(text + size, name.data + at, n);
            size += n;
        }
    }
    return yl_str_n(text, size);
}
