/* Requests: what a reconcile is about.  See yuloh/controller.h; what it writes
 * is in request_write.c. */

#include "controller/request.h"

#include "controller/runner.h"
#include "yuloh/arena.h"
#include "yuloh/cancel.h"
#include "yuloh/owner.h"
#include "yuloh/record.h"
#include "yuloh/recorder.h"
#include "yuloh/schema.h"
#include "yuloh/typed.h"

static void unref(void *object);

const struct yl_key *
yl_request_key(const struct yl_request *req)
{
    return req->key;
}

const struct yl_object *
yl_request_object(const struct yl_request *req)
{
    return req->object.object;
}

uint64_t
yl_request_revision(const struct yl_request *req)
{
    return req->object.revision;
}

const void *
yl_request_record(const struct yl_request *req, const struct yl_kind *kind)
{
    return kind == req->runner->kind ? req->record : NULL;
}

struct yl_arena *
yl_request_arena(struct yl_request *req)
{
    return req->arena;
}

const char *
yl_request_reason(const struct yl_request *req)
{
    return req->reason;
}

unsigned
yl_request_n_failures(const struct yl_request *req)
{
    return req->n_failures;
}

const struct yl_controller *
yl_request_controller(const struct yl_request *req)
{
    return req->runner->controller;
}

void *
yl_request_aux(const struct yl_request *req)
{
    return req->runner->controller->aux;
}

struct yl_client *
yl_request_client(const struct yl_request *req)
{
    return req->runner->opts.client;
}

struct yl_store *
yl_request_store(const struct yl_request *req, const struct yl_kind *kind)
{
    struct yl_source *source = yl_runner_source(req->runner, kind);

    return source ? source->store : NULL;
}

struct yl_error *
yl_request_error(struct yl_request *req)
{
    return &req->error;
}

int
yl_request_fail(struct yl_request *req, int code, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    yl_error_vset(&req->error, code, format, args);
    va_end(args);
    return code;
}

const struct yl_call_opts *
yl_request_call_opts(struct yl_request *req)
{
    const struct yl_runner_opts *runner = &req->runner->opts;
    yl_msec left = yl_request_time_left(req);

    if (runner->still_works && !runner->still_works(runner->aux)) {
        yl_cancel_now(runner->cancel);
    }

    /* A call's timeout of 0 would be the default. */
    req->opts = (struct yl_call_opts) {
        .timeout = left == YL_NEVER ? 0 : left > 0 ? left : 1,
        .cancel = runner->cancel,
        .field_manager = req->runner->controller->name,
    };
    return &req->opts;
}

struct yl_cancel *
yl_request_cancel(const struct yl_request *req)
{
    return req->runner->opts.cancel;
}

yl_msec
yl_request_time_left(const struct yl_request *req)
{
    yl_msec now;

    if (req->deadline == YL_NEVER) {
        return YL_NEVER;
    }
    now = yl_now(req->runner->opts.clock);
    return now < req->deadline ? req->deadline - now : 0;
}

void
yl_requeue_after(struct yl_request *req, yl_msec delay)
{
    if (delay < 0) {
        delay = 0;
    }
    if (delay < req->requeue_after) {
        req->requeue_after = delay;
    }
}

struct yl_str
yl_request_owner_json(struct yl_request *req)
{
    const struct yl_kind *kind = req->runner->kind;
    const struct yl_gvk gvk = {
        .group = yl_str_c(kind->set->group),
        .version = yl_str_c(kind->set->version),
        .kind = yl_str_c(kind->name),
    };
    struct yl_owner owner;

    if (!req->object.object) {
        return yl_str_null();
    }
    owner = yl_owner_make_controller(gvk, yl_object_name(req->object.object),
                                     yl_object_uid(req->object.object),
                                     req->arena);
    return yl_owner_json(&owner, req->arena);
}

void
yl_request_event(struct yl_request *req, const char *type,
                 const char *reason, const char *format, ...)
{
    struct yl_runner *runner = req->runner;
    const struct yl_kind *kind = runner->kind;
    struct yl_event_subject subject = {
        .api_version = yl_gv_api_version(
            (struct yl_gv) { yl_str_c(kind->set->group),
                             yl_str_c(kind->set->version) }, req->arena),
        .kind = yl_str_c(kind->name),
        .key = *req->key,
    };
    va_list args;

    if (req->object.object) {
        subject = yl_event_subject_of(
            (struct yl_type_meta) { subject.api_version, subject.kind },
            req->object);
    }
    va_start(args, format);
    yl_recorder_veventf(yl_runner_recorder(runner), &subject, type, reason,
                        format, args);
    va_end(args);
}

void
yl_request_keep(struct yl_request *req, struct yl_versioned item,
                struct yl_versioned *ret)
{
    if (item.object) {
        yl_arena_attach(req->arena, unref, item.object);
    }
    if (ret) {
        *ret = item;
    }
}

int
yl_request_decode(struct yl_request *req, const struct yl_kind *kind,
                  const struct yl_versioned *item, const void **ret_record)
{
    size_t size = yl_kind_type(kind).type->record_size;
    void *record;
    int r;

    if (!size) {
        *ret_record = NULL;
        return 0;
    }
    record = yl_arena_zalloc(req->arena, size);
    r = yl_typed_decode(kind, item->object, item->revision, req->arena,
                        record, &req->error);
    if (r == 0) {
        *ret_record = record;
    }
    return r;
}

static void
unref(void *object)
{
    yl_object_unref(object);
}
