/* Steps "mutate" and "admit": admission.  See steps.h. */

#include "apiserver/auth/authorize.h"
#include "apiserver/server.h"
#include "apiserver/verbs/owners.h"
#include "apiserver/verbs/steps.h"
#include "base/random.h"
#include "json/member.h"
#include "yuloh/arena.h"
#include "yuloh/log.h"
#include "yuloh/time.h"

/* Longest prefix of a generated name, and what is added to it. */
#define GENERATED_SUFFIX 5
#define GENERATED_PREFIX (63 - GENERATED_SUFFIX)

static void begin(struct yl_write *);
static int permit(struct yl_write *, struct yl_status *);
static void fill_system_fields(struct yl_write *, struct yl_node *metadata);
static void tell(struct yl_write *);

int
yl_write_mutate(struct yl_write *w, struct yl_status *status)
{
    struct yl_node *metadata;
    int r = w->waited;

    if (w->part++ == 0) {
        begin(w);
        r = 0;
    }
    if (r == 0 && !w->admitted) {
        r = yl_admit_mutate(&w->admission, status);
    }
    if (r == 0) {
        r = permit(w, status);
    }
    if (r == 0 && w->ops->merge) {
        r = w->ops->merge(w, status);
    }
    if (r != 0 || !w->tree || w->ops->order) {
        return r;
    }
    metadata = yl_member_make(w->arena, w->tree, "metadata");
    yl_owners_unique(w, metadata, true);
    if (!w->creates) {
        return yl_write_check_revision(w, w->tree, status);
    }
    fill_system_fields(w, metadata);
    return 0;
}

int
yl_write_admit(struct yl_write *w, struct yl_status *status)
{
    int r = w->part++ == 0 ? 0 : w->waited;

    if (r == 0 && !w->admitted) {
        r = yl_admit_validate(&w->admission, status);
    }
    if (r == 0 && w->creates && w->resource->no_effect) {
        tell(w);
    }
    if (r == 0 && w->creates && w->by_put) {
        r = yl_authorize_verb(w->request, "create", status);
    }
    return r;
}

/* Admission sees what was sent to a subresource, else the object. */
static void
begin(struct yl_write *w)
{
    struct yl_api_request *req = w->request;

    w->admission = (struct yl_admission) {
        .server = req->server,
        .arena = w->arena,
        .request = req,
        .user = req->user,
        .resource = w->sent ? req->resource : w->resource,
        .subresource = yl_write_subresource(w),
        .operation = w->creates ? YL_OPERATION_CREATE : w->ops->operation,
        .namespace_ = w->key.namespace_,
        .name = w->sent ? req->info.name : w->key.name,
        .object = w->sent ? w->sent : w->tree,
        .old = w->sent ? w->old_sent : w->old,
        .dry_run = w->dry_run,
        .wait = &w->wait,
    };
    if (w->creates) {
        w->admission.name = yl_write_text(
            w, yl_member_object(w->tree, "metadata"), "name");
    }
    if (w->tree && !w->sent && req->server->opts.n_plugins) {
        const struct yl_node *managed = yl_member_array(
            yl_member_object(w->tree, "metadata"), "managedFields");

        w->managed = managed ? yl_node_copy(w->arena, managed)
                             : yl_node_new_array(w->arena);
    }
}

/* May this user write such an object? */
static int
permit(struct yl_write *w, struct yl_status *status)
{
    const struct yl_strategy *strategy = w->resource->strategy;

    return w->tree && !w->sent && strategy->permit
           ? strategy->permit(&w->admission, status) : 0;
}

static void
fill_system_fields(struct yl_write *w, struct yl_node *metadata)
{
    char text[YL_TIME_TEXT_SIZE], uid[YL_UUID_LENGTH + 1];
    char suffix[GENERATED_SUFFIX + 1];
    struct yl_str prefix = yl_write_text(w, metadata, "generateName");

    yl_time_write(yl_time_now(), text);
    yl_member_set_str(w->arena, metadata, "creationTimestamp", text);
    yl_random_uuid(uid);
    yl_member_set_str(w->arena, metadata, "uid", uid);
    if (prefix.size && !yl_write_text(w, metadata, "name").size) {
        if (prefix.size > GENERATED_PREFIX) {
            prefix.size = GENERATED_PREFIX;
        }
        yl_random_name(suffix, GENERATED_SUFFIX);
        yl_member_set_str(
            w->arena, metadata, "name",
            yl_arena_printf(w->arena, "%.*s%s", YL_STR_ARG(prefix), suffix));
    }
}

/* Warns the client that the object has no effect, and logs that once for the
 * administrator. */
static void
tell(struct yl_write *w)
{
    const struct yl_api_resource *resource = w->resource;

    yl_api_warn(w->request, "%s: the object is stored and has no effect",
                resource->no_effect);
    if (!w->dry_run && yl_api_resource_tell(resource)) {
        yl_log_warning("An object is stored, but has no effect",
                       YL_LOG_STR("resource", resource->plural),
                       YL_LOG_STR("group", resource->group),
                       YL_LOG_C("why", resource->no_effect));
    }
}
