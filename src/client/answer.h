#ifndef CLIENT_ANSWER_H
#define CLIENT_ANSWER_H 1

/* Answer: what the HTTP answer to a request means.
 *
 *     status, headers, body -> [answer] -> struct yl_error
 *
 * An API server answers a request that failed with a Status, whose reason,
 * message, causes and delay become the error.  Proxies on the way, and servers
 * that are in trouble, answer with something else: then the HTTP status alone
 * decides, and the message is client-go's for it. */

#include "yuloh/clock.h"
#include "yuloh/error.h"
#include "yuloh/gvk.h"
#include "yuloh/str.h"

/* Most bytes of an answer that failed which are read. */
#define YL_ANSWER_ERROR_MAX ((size_t) 4 << 20)

struct yl_answer {
    int http_status;
    struct yl_str content_type;
    struct yl_str retry_after;  /* The header; null if there is none. */
    struct yl_str body;

    /* What was asked for; zeros are left out of messages. */
    struct yl_str method;
    struct yl_gvr gvr;
    struct yl_str name;
};

/* Whether the HTTP status says that the request succeeded. */
static inline int
yl_answer_is_success(int http_status)
{
    return http_status >= 200 && http_status <= 206;
}

/* Fills in '*err', which may be NULL, for an answer that is no success, and
 * returns the code. */
int yl_answer_error(const struct yl_answer *, struct yl_error *err);

/* Reads a Retry-After in seconds: a delay, or -1 if there is none.  Dates are
 * not read, as in client-go. */
yl_msec yl_answer_delay(struct yl_str retry_after);

#endif /* client/answer.h */
