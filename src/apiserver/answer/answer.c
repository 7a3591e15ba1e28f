/* Answers: how they leave the server.  See request.h. */

#include "apiserver/request.h"

#include <stdlib.h>

#include "apiserver/answer/accept.h"
#include "apiserver/answer/compress.h"
#include "apiserver/answer/protobuf.h"
#include "apiserver/answer/view.h"
#include "apiserver/filters/filters.h"
#include "base/quote.h"
#include "json/indent.h"
#include "json/utf8.h"
#include "object/object.h"
#include "yuloh/arena.h"
#include "yuloh/yaml.h"

/* The largest answer that is made in one piece. */
#define MAX_WHOLE ((size_t) 64 << 20)

/* The longest message of a failure without causes, escaped; and the longest
 * for who is not known. */
#define MAX_MESSAGE ((size_t) 64 << 10)
#define MAX_STRANGE_MESSAGE ((size_t) 2 * YL_EXCERPT_MAX)

#define MAX_HEADERS (4 + YL_MAX_WARNINGS + 8)

/* The limit in characters for all Warnings together.  When it is passed, each
 * Warning is cut to the second limit; when that does not help, no more are
 * sent.  Upstream does the same. */
#define MAX_WARNED 4096
#define MAX_CUT_WARNING 256

/* A source whose pieces are indented while they are sent. */
struct yl_api_pump {
    const struct yl_http_source *source;
    void *aux;
    struct yl_json_indenter indenter;
    struct yl_buf piece;
};

/* An object whose conversion may have to wait. */
struct object_answer {
    struct yl_api_request *req;
    int http_status;
    struct yl_view view;
    struct yl_view_wait wait;
    struct yl_object *object;
    uint64_t revision;
};

static enum yl_step respond_view(struct yl_api_request *, int http_status,
                                 const struct yl_view *,
                                 const struct yl_object *, uint64_t revision);
static enum yl_step respond_converted(struct object_answer *);
static void on_converted(struct yl_view_wait *);
static void cancel_answer(struct yl_api_request *);
static void release_answer(void *answer);
static enum yl_step respond(struct yl_api_request *, int http_status,
                            const char *content_type, struct yl_str body,
                            struct yl_str recorded, bool lent);
static size_t make_headers(struct yl_api_request *, const char *content_type,
                           struct yl_http_header *headers);
static size_t add_warnings(struct yl_api_request *,
                           struct yl_http_header *headers);
static size_t count_characters(struct yl_str text, size_t max,
                               size_t *ret_bytes);
static void blame_memory(struct yl_api_request *, struct yl_status *);
static void shorten(const struct yl_api_request *, struct yl_status *);
static void negotiate_failure(struct yl_api_request *);
static enum yl_http_pull pull_indented(void *pump, struct yl_buf *out);

enum yl_step
yl_api_respond(struct yl_api_request *req, int http_status,
               const char *content_type, struct yl_str body)
{
    return respond(req, http_status, content_type, body, body, false);
}

enum yl_step
yl_api_respond_lent(struct yl_api_request *req, int http_status,
                    const char *content_type, struct yl_str body)
{
    return respond(req, http_status, content_type, body, body, true);
}

enum yl_step
yl_api_respond_document(struct yl_api_request *req, int http_status,
                        const char *params, struct yl_str json)
{
    struct yl_json_indenter indenter = YL_JSON_INDENTER_INIT;
    struct yl_error err = YL_ERROR_INIT;
    struct yl_buf body;
    enum yl_step step;

    params = params ? params : "";
    if (req->accept.protobuf) {
        yl_buf_init(&body, 4 * MAX_WHOLE);
        if (yl_answer_protobuf(req, json, &body)) {
            step = respond(req, http_status,
                           yl_arena_printf(req->arena, "%s%s",
                                           YL_PROTOBUF_MEDIA_TYPE, params),
                           yl_buf_str(&body), json, false);
            yl_buf_release(&body);
            return step;
        }
    }
    if (req->accept.yaml) {
        struct yl_str yaml;

        if (yl_yaml_from_json(req->arena, json, &yaml, &err) == 0) {
            return yl_api_respond(req, http_status,
                                  yl_arena_printf(req->arena,
                                                  "application/yaml%s",
                                                  params), yaml);
        }
        yl_error_clear(&err);
    }
    yl_buf_init(&body, 4 * MAX_WHOLE);
    if (req->accept.pretty) {
        yl_json_indent(&indenter, json, &body);
    } else {
        yl_buf_append_str(&body, json);
        yl_buf_append_char(&body, '\n');
    }
    step = yl_api_respond(req, http_status,
                          yl_arena_printf(req->arena, "application/json%s",
                                          params), yl_buf_str(&body));
    yl_buf_release(&body);
    return step;
}

enum yl_step
yl_api_respond_status(struct yl_api_request *req, struct yl_status *status)
{
    struct yl_str json;
    int http_status;

    if (req->account.refused && yl_status_http(status) >= 400) {
        blame_memory(req, status);
    }
    shorten(req, status);
    json = yl_status_json(status, req->arena);
    http_status = yl_status_http(status);
    if (status->error.retry_after) {
        yl_api_add_header(req, YL_STR("retry-after"),
                          yl_str_c(yl_arena_printf(
                              req->arena, "%lld",
                              (long long) (status->error.retry_after + 999)
                                  / 1000)));
    }
    yl_status_clear(status);
    if (http_status >= 400) {
        negotiate_failure(req);
    }
    return yl_api_respond_document(req, http_status, NULL, json);
}

enum yl_step
yl_api_respond_error(struct yl_api_request *req, struct yl_error *err)
{
    struct yl_status status = YL_STATUS_INIT;

    yl_status_take_error(&status, err);
    return yl_api_respond_status(req, &status);
}

enum yl_step
yl_api_respond_object(struct yl_api_request *req, int http_status,
                      const struct yl_object *object, uint64_t revision)
{
    struct object_answer *answer;
    struct yl_error err = YL_ERROR_INIT;
    struct yl_view view;

    if (yl_view_init(&view, req, false, &err) < 0) {
        return yl_api_respond_error(req, &err);
    }
    if (view.version->hub) {
        return respond_view(req, http_status, &view, object, revision);
    }
    answer = yl_arena_zalloc(req->arena, sizeof *answer);
    answer->req = req;
    answer->http_status = http_status;
    answer->view = view;
    answer->view.wait = &answer->wait;
    answer->object = yl_object_ref(object);
    answer->revision = revision;
    yl_view_wait_init(&answer->wait, req->http->loop, on_converted);
    yl_arena_attach(req->arena, release_answer, answer);
    return respond_converted(answer);
}

enum yl_step
yl_api_respond_source(struct yl_api_request *req, int http_status,
                      const char *content_type,
                      const struct yl_http_source *source, void *aux)
{
    static const struct yl_http_source indented = { pull_indented };
    struct yl_http_header headers[MAX_HEADERS];
    size_t n = make_headers(req, content_type, headers);

    req->answered = true;
    req->http_status = http_status;
    yl_filter_audit_source(req, &source, &aux);
    if (req->accept.pretty && !req->accept.protobuf) {
        struct yl_api_pump *pump = yl_arena_zalloc(req->arena, sizeof *pump);

        pump->source = source;
        pump->aux = aux;
        yl_buf_init(&pump->piece, MAX_WHOLE);
        yl_arena_attach(req->arena, (yl_release_fn *) yl_buf_release,
                        &pump->piece);
        source = &indented;
        aux = pump;
    }
    if (yl_str_equal(req->info.verb, YL_STR("watch"))) {
        /* Events are not compressed: that would delay them. */
        yl_http_respond_source(req->http, http_status, headers, n, source,
                               aux);
    } else {
        yl_compress_respond_source(req, http_status, headers, n, source, aux);
    }
    return YL_STEP_DONE;
}

enum yl_step
yl_api_respond_unknown(struct yl_api_request *req)
{
    struct yl_status status = YL_STATUS_INIT;

    yl_error_set(&status.error, YL_ENOTFOUND,
                 "the server could not find the requested resource");
    status.has_details = true;
    return yl_api_respond_status(req, &status);
}

enum yl_step
yl_api_respond_no_page(struct yl_api_request *req)
{
    yl_api_add_header(req, YL_STR("x-content-type-options"),
                      YL_STR("nosniff"));
    return yl_api_respond(req, 404, "text/plain; charset=utf-8",
                          YL_STR("404 page not found\n"));
}

/* Answers, unless the object's conversion has to wait. */
static enum yl_step
respond_view(struct yl_api_request *req, int http_status,
             const struct yl_view *view, const struct yl_object *object,
             uint64_t revision)
{
    struct yl_error err = YL_ERROR_INIT;
    enum yl_step step = YL_STEP_WAIT;
    struct yl_buf body;
    int r;

    yl_buf_init(&body, MAX_WHOLE);
    r = yl_view_write_one(view, object, revision, true, &body, &err);
    if (r < 0) {
        step = yl_api_respond_error(req, &err);
    } else if (r == 0) {
        step = yl_api_respond_document(req, http_status, NULL,
                                       yl_buf_str(&body));
    }
    yl_buf_release(&body);
    return step;
}

static enum yl_step
respond_converted(struct object_answer *answer)
{
    enum yl_step step = respond_view(answer->req, answer->http_status,
                                     &answer->view, answer->object,
                                     answer->revision);

    if (step == YL_STEP_WAIT) {
        answer->req->verb = answer;
        answer->req->cancel = cancel_answer;
    }
    return step;
}

static void
on_converted(struct yl_view_wait *wait)
{
    struct object_answer *answer = YL_CONTAINER_OF(wait, struct object_answer,
                                                   wait);
    struct yl_api_request *req = answer->req;

    yl_api_hold(req);
    req->cancel = NULL;
    respond_converted(answer);
    yl_api_release(req);
}

static void
cancel_answer(struct yl_api_request *req)
{
    struct object_answer *answer = req->verb;

    yl_view_wait_release(&answer->wait);
}

static void
release_answer(void *aux)
{
    struct object_answer *answer = aux;

    yl_view_wait_release(&answer->wait);
    yl_object_unref(answer->object);
}

/* Sends 'body'.  'recorded' is for the audit log: always JSON or YAML,
 * whatever encoding is sent. */
static enum yl_step
respond(struct yl_api_request *req, int http_status, const char *content_type,
        struct yl_str body, struct yl_str recorded, bool lent)
{
    struct yl_http_header headers[MAX_HEADERS];
    size_t n = make_headers(req, content_type, headers);

    req->answered = true;
    req->http_status = http_status;
    yl_filter_audit_response(req, recorded);
    yl_compress_respond(req, http_status, headers, n, body, lent);
    return YL_STEP_DONE;
}

static void
add(struct yl_http_header *headers, size_t *n, struct yl_str name,
    struct yl_str value)
{
    headers[*n].name = name;
    headers[(*n)++].value = value;
}

/* A Warning's text as a quoted string: quotes and backslashes are escaped,
 * control characters become blanks. */
static struct yl_str
warning_value(struct yl_arena *arena, struct yl_str text)
{
    struct yl_buf out;
    struct yl_str value;
    size_t i;

    yl_buf_init(&out, SIZE_MAX);
    yl_buf_append_c(&out, "299 - \"");
    for (i = 0; i < text.size; i++) {
        char c = text.data[i];

        if (c == '"' || c == '\\') {
            yl_buf_append_char(&out, '\\');
        }
        yl_buf_append_char(&out, (unsigned char) c < ' ' || c == 0x7f ? ' '
                                                                      : c);
    }
    yl_buf_append_char(&out, '"');
    value = yl_arena_copy(arena, yl_buf_str(&out));
    yl_buf_release(&out);
    return value;
}

static size_t
make_headers(struct yl_api_request *req, const char *content_type,
             struct yl_http_header *headers)
{
    size_t n = 0, i;

    add(headers, &n, YL_STR("audit-id"), req->audit_id);
    add(headers, &n, YL_STR("cache-control"), YL_STR("no-cache, private"));
    if (content_type) {
        add(headers, &n, YL_STR("content-type"), yl_str_c(content_type));
    }
    for (i = 0; i < req->n_headers; i++) {
        if (yl_str_equal(req->headers[i].name, YL_STR("cache-control"))) {
            headers[1].value = req->headers[i].value;
        } else {
            headers[n++] = req->headers[i];
        }
    }
    return n + add_warnings(req, headers + n);
}

static size_t
add_warnings(struct yl_api_request *req, struct yl_http_header *headers)
{
    size_t n = 0, total = 0, written = 0, seen, i;

    for (seen = 0; seen < req->n_warnings && total <= MAX_WARNED; seen++) {
        total += count_characters(req->warnings[seen], SIZE_MAX, NULL);
    }
    for (i = 0; i < req->n_warnings; i++) {
        struct yl_str text = req->warnings[i];

        if (total > MAX_WARNED) {
            if (i >= seen && written >= MAX_WARNED) {
                break;
            }
            written += count_characters(text, MAX_CUT_WARNING, &text.size);
        }
        add(headers, &n, YL_STR("warning"), warning_value(req->arena, text));
    }
    return n;
}

/* How many characters a text has, 'max' at most, and how many bytes those
 * are. */
static size_t
count_characters(struct yl_str text, size_t max, size_t *ret_bytes)
{
    size_t n = 0, at = 0;

    for (; at < text.size && n < max; n++) {
        size_t size = yl_utf8_char_size(yl_str_skip(text, at));

        at += size ? size : 1;
    }
    if (ret_bytes) {
        *ret_bytes = at;
    }
    return n;
}

/* Whatever has failed did so because it could not be finished. */
static void
blame_memory(struct yl_api_request *req, struct yl_status *status)
{
    struct yl_account *account = &req->account;

    yl_status_clear(status);
    if (account->refused == YL_ETOOBIG) {
        yl_error_set(&status->error, YL_ETOOBIG,
                     "Request entity too large: it needs more memory than "
                     "a request may have: limit is %zu bytes",
                     account->ceiling);
    } else {
        yl_status_too_many_requests(
            status, YL_STR("the server has too many large requests in "
                           "flight, please try again later"), 1);
    }

    /* The answer itself is small and must be complete. */
    account->refused = 0;
}

/* Messages repeat parts of the request, most of them up to YL_EXCERPT_MAX
 * bytes.  This is for the others: who is not known gets no long answers, and
 * nobody gets one that grows with what he sends. */
static void
shorten(const struct yl_api_request *req, struct yl_status *status)
{
    bool known = req->user && !yl_str_equal(req->user->name,
                                            YL_STR("system:anonymous"));
    struct yl_str message, shown;
    struct yl_buf text;

    if (!status->error.message || status->error.n_causes) {
        return;
    }
    message = yl_str_c(status->error.message);
    shown = yl_excerpt(message, known ? MAX_MESSAGE : MAX_STRANGE_MESSAGE);
    if (shown.size == message.size) {
        return;
    }
    yl_buf_init(&text, SIZE_MAX);
    yl_buf_append_str(&text, shown);
    yl_buf_append_c(&text, "...");
    free(status->error.message);
    status->error.message = yl_buf_detach(&text);
}

/* A failure has only one form.  It is sent even to a client that accepts none
 * of its encodings: as indented JSON then. */
static void
negotiate_failure(struct yl_api_request *req)
{
    struct yl_accept accept;
    bool type_known;

    if (yl_accept_parse(yl_http_header(req->http, YL_STR("accept")),
                        YL_ACCEPT_ANY_SUBTYPE | YL_ACCEPT_PROTOBUF, &accept,
                        &type_known) < 0) {
        accept = (struct yl_accept) { .pretty = true };
    }
    req->accept.yaml = accept.yaml;
    req->accept.protobuf = accept.protobuf;
    req->accept.pretty |= accept.pretty;
}

static enum yl_http_pull
pull_indented(void *aux, struct yl_buf *out)
{
    struct yl_api_pump *pump = aux;
    enum yl_http_pull pulled;

    yl_buf_clear(&pump->piece);
    pulled = pump->source->pull(pump->aux, &pump->piece);
    yl_json_indent(&pump->indenter, yl_buf_str(&pump->piece), out);
    return pulled;
}
