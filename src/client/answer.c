/* Answer: what the HTTP answer to a request means. */

#include "client/answer.h"

#include <ctype.h>

#include "base/buf.h"
#include "base/quote.h"
#include "yuloh/status.h"

/* How much of a text that is no Status is repeated in a message. */
#define TEXT_MAX 2048

static int status_error(const struct yl_answer *, struct yl_error *);
static int plain_error(const struct yl_answer *, struct yl_error *);
static const char *plain_text(int http_status);
static void append_about(struct yl_buf *, const struct yl_answer *);

int
yl_answer_error(const struct yl_answer *answer, struct yl_error *err)
{
    struct yl_error local = YL_ERROR_INIT;
    yl_msec delay = yl_answer_delay(answer->retry_after);
    int r = status_error(answer, &local);

    if (r == 0) {
        r = plain_error(answer, &local);
    }
    if (local.retry_after == 0 && delay > 0) {
        local.retry_after = delay;
    }
    if (err) {
        yl_error_clear(err);
        *err = local;
    } else {
        yl_error_clear(&local);
    }
    return r;
}

yl_msec
yl_answer_delay(struct yl_str retry_after)
{
    unsigned long long seconds;

    if (!retry_after.size || retry_after.size > 9
        || yl_str_to_u64(retry_after, &seconds) < 0) {
        return -1;
    }
    return (yl_msec) seconds * 1000;
}

/* The error of the Status that the body is; 0 if it is none, or a success,
 * which contradicts the HTTP status. */
static int
status_error(const struct yl_answer *answer, struct yl_error *err)
{
    struct yl_status status = YL_STATUS_INIT;
    int code;

    if (yl_status_parse(answer->body, &status, NULL) < 0) {
        return 0;
    }
    code = status.error.code;
    if (code) {
        *err = status.error;
        status.error = (struct yl_error) YL_ERROR_INIT;
    }
    yl_status_clear(&status);
    return code;
}

static int
plain_error(const struct yl_answer *answer, struct yl_error *err)
{
    int status = answer->http_status;
    bool is_text = yl_str_starts_with(answer->content_type, YL_STR("text/"));
    struct yl_str said = is_text
        ? yl_str_trim(yl_excerpt(answer->body, TEXT_MAX)) : YL_STR("unknown");
    int code = yl_error_from_wire(status, yl_str_null());
    const char *text = plain_text(status);
    struct yl_buf message;

    if (status == 409 && yl_str_equal_c(answer->method, "POST")) {
        code = YL_EEXISTS;
    }
    yl_buf_init(&message, (size_t) 16 << 10);
    if ((status == 403 || status == 406 || status == 415) && is_text
        && said.size) {
        yl_buf_append_str(&message, said);
    } else if (text) {
        yl_buf_append_c(&message, text);
    } else if (status >= 500) {
        yl_buf_append_c(&message, "an error on the server (");
        yl_quote(&message, said);
        yl_buf_append_c(&message,
                        ") has prevented the request from succeeding");
    } else {
        yl_buf_printf(&message, "the server responded with the status code %d "
                      "but did not return more information", status);
    }
    append_about(&message, answer);
    code = yl_error_set(err, code, "%s", yl_buf_c_str(&message));
    yl_error_add_cause(err, YL_STR("UnexpectedServerResponse"), said,
                       yl_str_null());
    yl_buf_release(&message);
    return code;
}

/* What client-go says; NULL where it has no sentence of its own. */
static const char *
plain_text(int http_status)
{
    switch (http_status) {
    case 400:
        return "the server rejected our request for an unknown reason";
    case 401:
        return "the server has asked for the client to provide credentials";
    case 403:
    case 415:
        return "unknown";
    case 404:
        return "the server could not find the requested resource";
    case 405:
        return "the server does not allow this method on the requested "
               "resource";
    case 406:
        return "the server was unable to respond with a content type that "
               "the client supports";
    case 409:
        return "the server reported a conflict";
    case 422:
        return "the server rejected our request due to an error in our "
               "request";
    case 429:
        return "the server has received too many requests and has asked us "
               "to try again later";
    case 503:
        return "the server is currently unable to handle the request";
    case 504:
        return "the server was unable to return a response in the time "
               "allotted, but may still be processing the request";
    default:
        return NULL;
    }
}

/* " (get deployments.apps web)". */
static void
append_about(struct yl_buf *message, const struct yl_answer *answer)
{
    size_t i;

    if (!answer->gvr.resource.size) {
        return;
    }
    yl_buf_append_c(message, " (");
    for (i = 0; i < answer->method.size; i++) {
        char c = answer->method.data[i];

        yl_buf_append_char(message, (char) tolower((unsigned char) c));
    }
    yl_buf_append_char(message, ' ');
    yl_buf_append_str(message, answer->gvr.resource);
    if (answer->gvr.group.size) {
        yl_buf_append_char(message, '.');
        yl_buf_append_str(message, answer->gvr.group);
    }
    if (answer->name.size) {
        yl_buf_append_char(message, ' ');
        yl_buf_append_str(message, answer->name);
    }
    yl_buf_append_char(message, ')');
}
