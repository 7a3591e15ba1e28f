/* What should a controller do about an answer from the API server?
 *
 *     $ build/examples/retry 409 Conflict
 *     ECONFLICT (409 Conflict): object has changed; retry now
 *
 * The error table of yuloh/error.h has the answer. */

#include <stdio.h>

#include "yuloh/error.h"
#include "yuloh/str.h"

static const char *advice(enum yl_retry retry);

int
main(int argc, char *argv[])
{
    long long status;
    int code;

    if (argc < 2 || argc > 3
        || yl_str_to_i64(yl_str_c(argv[1]), &status) < 0
        || status < 100 || status > 599) {
        fprintf(stderr, "usage: retry HTTP-STATUS [REASON]\n");
        return 2;
    }
    code = yl_error_from_wire((int) status, yl_str_c(argv[2]));
    printf("%s (%d %s): %s; %s\n", yl_error_name(code),
           yl_error_http_status(code), yl_error_reason(code),
           yl_error_text(code), advice(yl_error_retry(code)));
    return 0;
}

static const char *
advice(enum yl_retry retry)
{
    switch (retry) {
    case YL_RETRY_NEVER:
        return "do not retry";
    case YL_RETRY_NOW:
        return "retry now";
    case YL_RETRY_BACKOFF:
        return "retry after a growing delay";
    case YL_RETRY_AS_TOLD:
        return "retry after the delay that the server names";
    case YL_RETRY_RELIST:
        return "list again";
    }
    return "";
}
