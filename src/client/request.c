/* Requests that are sent as they are. */

#include "yuloh/client.h"

#include "client/answer.h"
#include "client/call.h"
#include "yuloh/arena.h"

/* How long a request takes at most if nobody says more. */
#define TIMEOUT 60000

int
yl_client_request(struct yl_client *client,
                  const struct yl_client_request *request,
                  const struct yl_call_opts *opts, struct yl_arena *arena,
                  struct yl_client_answer *ret, struct yl_error *err)
{
    struct yl_call_answer answer = { .http_status = 0 };
    struct yl_call call = {
        .client = client,
        .method = request->method ? request->method : "GET",
        .body = request->body,
        .content_type = request->content_type ? request->content_type
                                              : "application/json",
        .accept = request->accept,
        .opts = opts,
        .timeout = TIMEOUT,
    };
    int r;

    if (!yl_str_starts_with(request->path, YL_STR("/"))) {
        return yl_error_set(err, YL_EINVALID, "the path \"%.*s\" does not "
                            "begin with a slash", YL_STR_ARG(request->path));
    }
    call.target = yl_str_c(yl_arena_printf(arena, "%s%.*s", client->prefix,
                                           YL_STR_ARG(request->path)));
    yl_buf_init(&answer.body, YL_CLIENT_MAX_BODY);
    r = yl_call_run(&call, NULL, NULL, &answer, err);
    if (r == 0) {
        ret->http_status = answer.http_status;
        ret->content_type = yl_arena_copy(arena,
                                          yl_str_c(answer.content_type));
        ret->body = yl_arena_copy(arena, yl_buf_str(&answer.body));
    }
    yl_buf_release(&answer.body);
    return r;
}

int
yl_client_answer_error(const struct yl_client_answer *answer,
                       struct yl_error *err)
{
    if (yl_answer_is_success(answer->http_status)) {
        return 0;
    }
    return yl_answer_error(&(struct yl_answer) {
        .http_status = answer->http_status,
        .content_type = answer->content_type,
        .body = answer->body,
    }, err);
}
