/* Step "identify": checks that it is the object that the path names.  See
 * steps.h. */

#include "apiserver/server.h"
#include "apiserver/verbs/owners.h"
#include "apiserver/verbs/steps.h"
#include "json/member.h"
#include "schema/field_error.h"
#include "yuloh/arena.h"

static int identify_new(struct yl_write *, struct yl_status *);
static int identify_update(struct yl_write *, struct yl_status *);
static int normalize(struct yl_write *, struct yl_status *);
static int find_old(struct yl_write *, struct yl_status *);
static int create_by_put(struct yl_write *, struct yl_status *);
static void wipe_system_fields(struct yl_write *, struct yl_node *metadata);
static void drop_managed_fields(const struct yl_write *,
                                struct yl_node *metadata);
static struct yl_str storage_prefix(const struct yl_write *);
static int bad_revision(struct yl_str text, struct yl_status *);

int
yl_write_identify(struct yl_write *w, struct yl_status *status)
{
    int r;

    if (!w->tree || w->ops->order) {
        return 0;
    }
    if (!w->sent) {
        r = yl_write_check_namespace(w, w->tree, status);
        if (r == 0 && !w->creates) {
            r = yl_write_check_name(w, w->tree, status);
        }
        if (r == 0 && !w->creates) {
            r = find_old(w, status);
        }
        if (r != 0) {
            return r;
        }
    }
    return w->creates ? identify_new(w, status) : identify_update(w, status);
}

int
yl_write_check_namespace(struct yl_write *w, struct yl_node *object,
                         struct yl_status *status)
{
    struct yl_node *metadata = yl_member_make(w->arena, object, "metadata");
    struct yl_str have = yl_write_text(w, metadata, "namespace");
    struct yl_str want = w->key.namespace_;

    if (yl_str_equal(have, want)) {
        return 0;
    }
    if (!want.size) {
        yl_member_drop(metadata, "namespace");
    } else if (!have.size) {
        yl_member_set(w->arena, metadata, "namespace",
                      yl_node_new_string(w->arena, want));
    } else {
        return yl_status_bad_request(
            status, YL_STR("the namespace of the provided object does not "
                           "match the namespace sent on the request"));
    }
    return 0;
}

int
yl_write_check_name(struct yl_write *w, const struct yl_node *object,
                    struct yl_status *status)
{
    struct yl_str have =
        yl_write_text(w, yl_member_object(object, "metadata"), "name");
    struct yl_str want = w->key.name;
    const char *text;

    if (yl_str_equal(have, want)) {
        return 0;
    }
    if (!have.size) {
        text = yl_arena_printf(w->arena,
                               "the name of the object (%.*s based on URL) "
                               "was undeterminable: name must be provided",
                               YL_STR_ARG(want));
    } else {
        text = yl_arena_printf(w->arena,
                               "the name of the object (%.*s) does not match "
                               "the name on the URL (%.*s)",
                               YL_STR_ARG(have), YL_STR_ARG(want));
    }
    return yl_status_bad_request(status, yl_str_c(text));
}

int
yl_write_check_uid(struct yl_write *w, const struct yl_node *object,
                   const struct yl_node *old, struct yl_status *status)
{
    struct yl_str have =
        yl_write_text(w, yl_member_object(old, "metadata"), "uid");
    struct yl_str want =
        yl_write_text(w, yl_member_object(object, "metadata"), "uid");

    if (!want.size || yl_str_equal(have, want)) {
        return 0;
    }
    return yl_status_conflict(
        status, yl_write_gvr(w), w->key.name,
        yl_str_c(yl_arena_printf(
            w->arena, "StorageError: invalid object, Code: 4, Key: "
            "%.*s%.*s, ResourceVersion: 0, AdditionalErrorMsg: "
            "Precondition failed: UID in precondition: %.*s, UID in object "
            "meta: %.*s",
            YL_STR_ARG(storage_prefix(w)),
            YL_STR_ARG(yl_key_text(&w->key, w->arena)), YL_STR_ARG(want),
            YL_STR_ARG(have))));
}

int
yl_write_check_revision(struct yl_write *w, const struct yl_node *object,
                        struct yl_status *status)
{
    uint64_t revision = 0;
    int r = yl_write_named_revision(w, object, &revision, status);

    if (r < 0 || revision == w->base_revision) {
        return r;
    }
    if (revision) {
        return yl_status_conflict(status, yl_write_gvr(w), w->key.name,
                                  yl_str_null());
    }
    if (w->resource->strategy->flags & YL_STRATEGY_CONDITIONAL_ONLY) {
        struct yl_field_path meta = yl_field_member(NULL, YL_STR("metadata"));
        struct yl_field_path path = yl_field_member(&meta,
                                                    YL_STR("resourceVersion"));
        struct yl_gvk gvk = { w->resource->group, yl_str_null(),
                              w->resource->plural };
        struct yl_error err = YL_ERROR_INIT;

        yl_field_invalid(&err, &path, yl_bad_int(0),
                         "must be specified for an update");
        r = yl_status_invalid(status, gvk, w->key.name, &err);
        yl_error_clear(&err);
    }
    return r;
}

int
yl_write_named_revision(struct yl_write *w, const struct yl_node *object,
                        uint64_t *ret_revision, struct yl_status *status)
{
    struct yl_str text = yl_write_text(w, yl_member_object(object, "metadata"),
                                       "resourceVersion");
    unsigned long long value = 0;

    if (text.size && yl_str_to_u64(text, &value) < 0) {
        return status ? bad_revision(text, status) : YL_EINVALID;
    }
    *ret_revision = value;
    return 0;
}

static int
identify_new(struct yl_write *w, struct yl_status *status)
{
    struct yl_node *metadata = yl_member_make(w->arena, w->tree, "metadata");
    int r = w->by_put ? create_by_put(w, status) : 0;

    if (r < 0) {
        return r;
    }
    w->prefixed = yl_write_text(w, metadata, "generateName").size > 0;
    w->generated = w->prefixed && !w->by_put
                   && !yl_write_text(w, metadata, "name").size;
    wipe_system_fields(w, metadata);
    yl_owners_unique(w, metadata, false);
    return normalize(w, status);
}

static int
identify_update(struct yl_write *w, struct yl_status *status)
{
    struct yl_node *metadata = yl_member_make(w->arena, w->tree, "metadata");
    int r;

    if (w->by_put) {
        r = yl_write_check_uid(w, w->tree, w->old, status);
        if (r < 0) {
            return r;
        }
        yl_owners_unique(w, metadata, false);
    }
    drop_managed_fields(w, metadata);
    if (!w->dry_run) {
        yl_member_drop(metadata, "selfLink"); /* It is never stored. */
    }
    return normalize(w, status);
}

/* Brings the object into the form of stored ones, to which it is compared:
 * defaults set zeros that are not stored. */
static int
normalize(struct yl_write *w, struct yl_status *status)
{
    struct yl_error err = YL_ERROR_INIT;
    int r = yl_strategy_normalize(w->resource, w->arena, w->tree,
                                  YL_NORMAL_COMPARED, &err);

    if (r < 0) {
        r = yl_status_internal(status, yl_str_c(yl_error_message(&err)));
        yl_error_clear(&err);
    }
    return r;
}

/* Finds the object that is replaced; a PUT may also create one. */
static int
find_old(struct yl_write *w, struct yl_status *status)
{
    int r;

    if (w->old && w->part == 0) {
        return 0;
    }
    if (!w->base) {
        r = yl_write_not_found(w, status);
        if (r == YL_ENOTFOUND && w->by_put
            && w->resource->strategy->flags & YL_STRATEGY_CREATE_ON_UPDATE
            && yl_write_subresource(w) == YL_SUB_NONE) {
            yl_status_clear(status);
            w->creates = true;
            r = 0;
        }
        return r;
    }
    return yl_write_see(w, status);
}

static int
create_by_put(struct yl_write *w, struct yl_status *status)
{
    uint64_t ignored = 0;
    int r = yl_write_check_uid(w, w->tree, NULL, status);

    return r == 0 ? yl_write_named_revision(w, w->tree, &ignored, status) : r;
}

/* Removes the fields that clients cannot set in a new object; upstream lets a
 * PUT set some of them. */
static void
wipe_system_fields(struct yl_write *w, struct yl_node *metadata)
{
    yl_member_drop(metadata, "creationTimestamp");
    yl_member_drop(metadata, "uid");
    drop_managed_fields(w, metadata);
    if (!w->by_put) {
        yl_member_drop(metadata, "deletionTimestamp");
        yl_member_drop(metadata, "deletionGracePeriodSeconds");
    }
    if (!w->by_put || !w->dry_run) {
        yl_member_drop(metadata, "selfLink");
    }
}

/* Removes managedFields, unless the server has a function that keeps them
 * (steps "own"). */
static void
drop_managed_fields(const struct yl_write *w, struct yl_node *metadata)
{
    if (!w->request->server->opts.own) {
        yl_member_drop(metadata, "managedFields");
    }
}

/* The first part of keys; without "/registry" in upstream's dry runs. */
static struct yl_str
storage_prefix(const struct yl_write *w)
{
    struct yl_str prefix = yl_ks_resource_prefix(w->resource->objects);
    struct yl_str root = YL_STR("/registry");

    return w->dry_run && yl_str_starts_with(prefix, root)
           ? yl_str_skip(prefix, root.size) : prefix;
}

static int
bad_revision(struct yl_str text, struct yl_status *status)
{
    struct yl_error err = YL_ERROR_INIT;
    int r;

    yl_params_bad_number("ParseUint", text, &err);
    r = yl_write_odd_error(status, yl_error_message(&err));
    yl_error_clear(&err);
    return r;
}
