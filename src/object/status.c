/* Status to and from JSON.  See yuloh/status.h for the contract. */

#include "yuloh/status.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buf.h"
#include "json/text.h"
#include "yuloh/json.h"

static void parse_details(struct yl_json details, struct yl_status *,
                          struct yl_arena *);
static struct yl_str string_of(struct yl_json object, struct yl_str key,
                               struct yl_arena *);
static char *dup_of(struct yl_json object, struct yl_str key,
                    struct yl_arena *);
static void write_details(const struct yl_status *, struct yl_buf *);
static void write_cause(const struct yl_cause *, struct yl_buf *);
static void write_text(struct yl_buf *, const char *name, const char *value);
static void begin_member(struct yl_buf *, const char *name);
static bool is_set(const char *text);
static void write_status(const struct yl_status *, struct yl_buf *);

void
yl_status_clear(struct yl_status *status)
{
    if (status) {
        yl_error_clear(&status->error);
        free(status->reason);
        free(status->name);
        free(status->group);
        free(status->kind);
        free(status->uid);
        free(status->continue_);
        memset(status, 0, sizeof *status);
    }
}

int
yl_status_http(const struct yl_status *status)
{
    return status->http_status ? status->http_status
           : status->error.code ? yl_error_http_status(status->error.code)
           : 200;
}

int
yl_status_parse(struct yl_str json, struct yl_status *ret_status,
                struct yl_error *err)
{
    struct yl_json root = yl_json(json);
    struct yl_json version;
    struct yl_status status = YL_STATUS_INIT;
    struct yl_arena arena;
    int64_t code = 0;
    int r = yl_json_validate(json, NULL, err);

    if (r < 0) {
        return r;
    }
    version = yl_json_get(root, YL_STR("apiVersion"));
    if (!yl_json_string_is(yl_json_get(root, YL_STR("kind")), YL_STR("Status"))
        || !(yl_json_string_is(version, YL_STR("v1"))
             || yl_json_string_is(version, YL_STR("meta.k8s.io/v1")))) {
        return yl_error_set(err, YL_ETYPE, "the object is not a Status");
    }

    yl_arena_init(&arena);
    if (yl_json_int64(yl_json_get(root, YL_STR("code")), &code) == 0
        && code > 0 && code <= 999) {
        status.http_status = (int) code;
    }
    if (!yl_json_string_is(yl_json_get(root, YL_STR("status")),
                           YL_STR("Success"))) {
        struct yl_str reason = string_of(root, YL_STR("reason"), &arena);

        status.reason = yl_strdup(reason);
        status.error.code = yl_error_from_wire(status.http_status, reason);
    }
    status.error.message = dup_of(root, YL_STR("message"), &arena);
    status.continue_ = dup_of(yl_json_get(root, YL_STR("metadata")),
                              YL_STR("continue"), &arena);
    parse_details(yl_json_get(root, YL_STR("details")), &status, &arena);
    yl_arena_release(&arena);

    yl_status_clear(ret_status);
    *ret_status = status;
    return 0;
}

struct yl_str
yl_status_json(const struct yl_status *status, struct yl_arena *arena)
{
    struct yl_str json;
    struct yl_buf buf;

    yl_buf_init(&buf, SIZE_MAX);
    write_status(status, &buf);
    json = yl_arena_copy(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return json;
}

void
yl_status_take_error(struct yl_status *status, struct yl_error *err)
{
    yl_status_clear(status);
    status->error = *err;
    memset(err, 0, sizeof *err);
}

/* Appends the Status' JSON. */
static void
write_status(const struct yl_status *status, struct yl_buf *buf)
{
    const struct yl_error *error = &status->error;

    yl_buf_append_c(buf, "{\"kind\":\"Status\",\"apiVersion\":\"v1\","
                         "\"metadata\":{");
    if (is_set(status->continue_)) {
        yl_buf_append_c(buf, "\"continue\":");
        yl_json_write_text(buf, yl_str_c(status->continue_));
    }
    yl_buf_append_char(buf, '}');
    write_text(buf, "status", error->code ? "Failure" : "Success");
    if (error->code) {
        write_text(buf, "message", yl_error_message(error));
        write_text(buf, "reason", status->reason
                   ? status->reason : yl_error_reason(error->code));
    } else {
        write_text(buf, "message", error->message);
    }
    write_details(status, buf);
    if (error->code || status->http_status) {
        begin_member(buf, "code");
        yl_json_write_int64(buf, yl_status_http(status));
    }
    yl_buf_append_char(buf, '}');
}

static void
parse_details(struct yl_json details, struct yl_status *status,
              struct yl_arena *arena)
{
    struct yl_json_iter it;
    int64_t seconds;

    if (yl_json_type(details) != YL_JSON_OBJECT) {
        return;
    }
    status->has_details = true;
    status->name = dup_of(details, YL_STR("name"), arena);
    status->group = dup_of(details, YL_STR("group"), arena);
    status->kind = dup_of(details, YL_STR("kind"), arena);
    status->uid = dup_of(details, YL_STR("uid"), arena);
    if (yl_json_int64(yl_json_get(details, YL_STR("retryAfterSeconds")),
                      &seconds) == 0
        && seconds > 0 && seconds <= INT32_MAX) {
        status->error.retry_after = seconds * 1000;
    }
    it = yl_json_iter(yl_json_get(details, YL_STR("causes")));
    while (status->error.n_causes < YL_MAX_CAUSES && yl_json_next(&it)) {
        yl_error_add_cause(&status->error,
                           string_of(it.value, YL_STR("reason"), arena),
                           string_of(it.value, YL_STR("message"), arena),
                           string_of(it.value, YL_STR("field"), arena));
    }
}

/* A member's text; empty if there is none. */
static struct yl_str
string_of(struct yl_json object, struct yl_str key, struct yl_arena *arena)
{
    struct yl_str value = YL_STR("");

    yl_json_string(yl_json_get(object, key), arena, &value);
    return value;
}

/* The same as a string of its own, or NULL if it is empty. */
static char *
dup_of(struct yl_json object, struct yl_str key, struct yl_arena *arena)
{
    struct yl_str value = string_of(object, key, arena);

    return value.size ? yl_strdup(value) : NULL;
}

static void
write_details(const struct yl_status *status, struct yl_buf *buf)
{
    const struct yl_error *error = &status->error;
    size_t i;

    if (!status->has_details && !is_set(status->name) && !is_set(status->group)
        && !is_set(status->kind) && !is_set(status->uid) && !error->n_causes
        && error->retry_after < 1000) {
        return;
    }
    begin_member(buf, "details");
    yl_buf_append_char(buf, '{');
    write_text(buf, "name", status->name);
    write_text(buf, "group", status->group);
    write_text(buf, "kind", status->kind);
    write_text(buf, "uid", status->uid);
    if (error->n_causes) {
        begin_member(buf, "causes");
        for (i = 0; i < error->n_causes; i++) {
            yl_buf_append_char(buf, i ? ',' : '[');
            write_cause(&error->causes[i], buf);
        }
        yl_buf_append_char(buf, ']');
    }
    if (error->retry_after >= 1000) {
        begin_member(buf, "retryAfterSeconds");
        yl_json_write_int64(buf, error->retry_after / 1000);
    }
    yl_buf_append_char(buf, '}');
}

static void
write_cause(const struct yl_cause *cause, struct yl_buf *buf)
{
    yl_buf_append_char(buf, '{');
    write_text(buf, "reason", cause->reason);
    write_text(buf, "message", cause->message);
    write_text(buf, "field", cause->field);
    yl_buf_append_char(buf, '}');
}

/* Writes a member unless it is empty. */
static void
write_text(struct yl_buf *buf, const char *name, const char *value)
{
    if (is_set(value)) {
        begin_member(buf, name);
        yl_json_write_text(buf, yl_str_c(value));
    }
}

/* Writes a member's name, and a comma if it is not the first in its object. */
static void
begin_member(struct yl_buf *buf, const char *name)
{
    if (buf->size && buf->data[buf->size - 1] != '{') {
        yl_buf_append_char(buf, ',');
    }
    yl_json_write_string(buf, yl_str_c(name));
    yl_buf_append_char(buf, ':');
}

static bool
is_set(const char *text)
{
    return text && *text;
}
