#ifndef APISERVER_VERBS_CONTINUE_TOKEN_H
#define APISERVER_VERBS_CONTINUE_TOKEN_H 1

/* Continue tokens of lists that come in pages, in Kubernetes' own form:
 *
 *     {"v":"meta.k8s.io/v1","rv":REVISION,"start":"NAMESPACE/NAME\u0000"}
 *
 * in base64 of URLs without padding.  The NUL makes 'start' the key right
 * behind the last one of the page. */

#include <stdbool.h>
#include <stdint.h>

#include "yuloh/str.h"

struct yl_arena;
struct yl_error;
struct yl_key;

struct yl_continue_token {
    int64_t revision;           /* Negative: the newest. */
    struct yl_str start;        /* The first key that may come, without a
                                 * leading '/'; empty: the very first. */
};

/* Writes a token to 'arena': the one that is given, or the one that goes on
 * after 'last' at 'revision'. */
struct yl_str yl_continue_token_write(struct yl_arena *,
                                      const struct yl_continue_token *);
struct yl_str yl_continue_token_behind(struct yl_arena *, uint64_t revision,
                                       struct yl_key last, bool in_namespace);

/* Reads 'token'.  0, or YL_EBADREQUEST in upstream's words. */
int yl_continue_token_read(struct yl_arena *, struct yl_str token,
                           struct yl_continue_token *ret_token,
                           struct yl_error *err);

#endif /* apiserver/verbs/continue_token.h */
