/* From a decoded object to a proposal.  See propose.h for the contract. */

#include "apiserver/verbs/propose.h"

#include "apiserver/admission/admission.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/request.h"
#include "apiserver/server.h"
#include "apiserver/strategy/strategy.h"
#include "apiserver/verbs/owners.h"
#include "apiserver/verbs/write.h"
#include "base/alloc.h"
#include "base/random.h"
#include "json/member.h"
#include "object/object.h"
#include "schema/at.h"
#include "yuloh/arena.h"
#include "yuloh/log.h"
#include "yuloh/time.h"

/* Longest prefix of a generated name, and what is added to it. */
#define GENERATED_SUFFIX 5
#define GENERATED_PREFIX (63 - GENERATED_SUFFIX)

static int create(struct yl_write *, struct yl_node *object, bool put,
                  struct yl_status *);
static int convert(struct yl_write *, const struct yl_api_version *from,
                   const struct yl_api_version *to, struct yl_node *object,
                   struct yl_error *err);
static struct yl_change change_of(struct yl_write *, enum yl_subresource,
                                  struct yl_node *object,
                                  const struct yl_node *old);
static int permit(const struct yl_admission *, struct yl_status *);
static int claim(struct yl_write *, const struct yl_change *,
                 struct yl_status *);
static int check_length(struct yl_write *, const struct yl_node *metadata,
                        struct yl_error *err);
static void tell(struct yl_write *);
static void settle_claims(struct yl_write *);
static void wipe_system_fields(struct yl_node *metadata, bool put,
                               bool keep_link);
static void fill_system_fields(struct yl_write *, struct yl_node *metadata);
static struct yl_str storage_prefix(const struct yl_write *);
static int revision_of(struct yl_write *, const struct yl_node *metadata,
                       uint64_t *ret_revision, struct yl_status *);
static int bad_revision(struct yl_str text, struct yl_status *);
static bool is_released(const struct yl_write *, const struct yl_node *object,
                        const struct yl_node *old);
static struct yl_admission admission_of(struct yl_write *,
                                        enum yl_operation,
                                        enum yl_subresource,
                                        struct yl_node *object,
                                        const struct yl_node *old);
static int invalid(struct yl_write *, const struct yl_node *object,
                   struct yl_error *, struct yl_status *);
static struct yl_str text_of(struct yl_write *, const struct yl_node *object,
                             const char *name);
static void warn(struct yl_write *, const struct yl_change *,
                 enum yl_warn_time);
static void add_warning(void *request, const char *text);

int
yl_propose_hub(struct yl_write *w, const struct yl_api_version *version,
               struct yl_node *object, struct yl_status *status)
{
    const struct yl_api_version *hub = yl_api_resource_hub(w->resource);
    struct yl_error err = YL_ERROR_INIT;

    if (!version->hub) {
        yl_strategy_default(w->resource, version, w->arena, object);
        if (convert(w, version, hub, object, &err) < 0) {
            yl_status_bad_request(status, yl_str_c(yl_error_message(&err)));
            yl_error_clear(&err);
            return YL_EBADREQUEST;
        }
    }
    yl_strategy_default(w->resource, hub, w->arena, object);
    return 0;
}

int
yl_propose_version(struct yl_write *w, const struct yl_api_version *version,
                   struct yl_node *object, struct yl_status *status)
{
    struct yl_error err = YL_ERROR_INIT;

    if (!version->hub
        && convert(w, yl_api_resource_hub(w->resource), version, object,
                   &err) < 0) {
        yl_status_internal(status, yl_str_c(yl_error_message(&err)));
        yl_error_clear(&err);
        return YL_EINTERNAL;
    }
    return 0;
}

int
yl_propose_namespace(struct yl_write *w, struct yl_node *object,
                     struct yl_status *status)
{
    struct yl_node *metadata = yl_member_make(w->arena, object, "metadata");
    struct yl_str have = text_of(w, metadata, "namespace");
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
yl_propose_name(struct yl_write *w, const struct yl_node *object,
                struct yl_status *status)
{
    struct yl_str have =
        text_of(w, yl_member_object(object, "metadata"), "name");
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
yl_propose_check_uid(struct yl_write *w, const struct yl_node *object,
                     const struct yl_node *old, struct yl_status *status)
{
    struct yl_str have = text_of(w, yl_member_object(old, "metadata"), "uid");
    struct yl_str want =
        text_of(w, yl_member_object(object, "metadata"), "uid");

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
yl_propose_check_revision(struct yl_write *w, const struct yl_node *object,
                          struct yl_status *status)
{
    uint64_t revision = 0;
    int r = revision_of(w, yl_member_object(object, "metadata"), &revision,
                        status);

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

bool
yl_propose_has_prefix(struct yl_write *w, const struct yl_node *object,
                      bool *ret_generates)
{
    const struct yl_node *metadata = yl_member_object(object, "metadata");
    bool has_prefix = text_of(w, metadata, "generateName").size > 0;

    *ret_generates = has_prefix && !text_of(w, metadata, "name").size;
    return has_prefix;
}

int
yl_propose_create(struct yl_write *w, struct yl_node *object,
                  struct yl_status *status)
{
    const struct yl_node *metadata;
    uint64_t revision = 0;
    int r = create(w, object, false, status);

    if (r < 0) {
        return r;
    }
    metadata = yl_member_object(object, "metadata");
    w->key.name = yl_arena_copy(w->request->arena,
                                text_of(w, metadata, "name"));
    if (!w->dry_run && revision_of(w, metadata, &revision, NULL) == 0
        && revision) {
        return yl_propose_odd_error(status,
                                    "resourceVersion should not be set on "
                                    "objects to be created");
    }
    return yl_propose_object(w, object, status);
}

int
yl_propose_create_by_put(struct yl_write *w, struct yl_node *object,
                         struct yl_status *status)
{
    uint64_t ignored = 0;
    int r = yl_propose_check_uid(w, object, NULL, status);

    if (r == 0) {
        r = revision_of(w, yl_member_object(object, "metadata"), &ignored,
                        status);
    }
    if (r == 0) {
        r = create(w, object, true, status);
    }
    if (r == 0) {
        r = yl_authorize_verb(w->request, "create", status);
    }
    return r == 0 ? yl_propose_object(w, object, status) : r;
}

int
yl_propose_update(struct yl_write *w, struct yl_node *object,
                  const struct yl_node *old,
                  const struct yl_propose_opts *opts,
                  struct yl_status *status)
{
    struct yl_node *metadata = yl_member_make(w->arena, object, "metadata");
    struct yl_admission admission;
    struct yl_error err = YL_ERROR_INIT;
    struct yl_change change;
    int r;

    r = opts->put ? yl_propose_check_uid(w, object, old, status) : 0;
    if (r < 0) {
        return r;
    }
    if (opts->put) {
        yl_owners_unique(w, metadata, false);
    }
    yl_member_drop(metadata, "managedFields");
    if (!w->dry_run) {
        yl_member_drop(metadata, "selfLink"); /* It is never stored. */
    }

    /* What is compared with the stored object must have its form: defaults
     * set zeros that are not stored. */
    if (yl_strategy_normalize(w->resource, w->arena, object,
                              YL_NORMAL_COMPARED, &err) < 0) {
        yl_status_internal(status, yl_str_c(yl_error_message(&err)));
        yl_error_clear(&err);
        return YL_EINTERNAL;
    }
    metadata = yl_member_make(w->arena, object, "metadata");
    admission = admission_of(w, YL_OPERATION_UPDATE, opts->subresource,
                             object, old);
    r = yl_admit_mutate(&admission, status);
    if (r == 0) {
        r = permit(&admission, status);
    }
    if (r == 0) {
        yl_owners_unique(w, metadata, true);
        r = yl_propose_check_revision(w, object, status);
    }
    if (r < 0) {
        return r;
    }
    change = change_of(w, opts->subresource, object, old);
    if (opts->subresource == YL_SUB_NONE
        || opts->subresource == YL_SUB_SCALE) {
        r = claim(w, &change, status);
        if (r < 0) {
            return r;
        }
    }
    yl_strategy_prepare(&change);
    if (yl_strategy_validate(&change, &err) < 0) {
        return invalid(w, object, &err, status);
    }
    warn(w, &change, YL_WARN_VALID);
    if (r == 0) {
        r = yl_admit_validate(&admission, status);
    }
    if (r < 0) {
        return r;
    }
    w->released = is_released(w, object, old);
    w->action = w->released ? YL_WRITE_DELETE : YL_WRITE_STORE;
    return yl_propose_object(w, object, status);
}

int
yl_propose_object(struct yl_write *w, struct yl_node *object,
                  struct yl_status *status)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *metadata = yl_member_object(object, "metadata");
    int r;

    if (w->dry_run && !w->base) {
        /* Nobody minds which revision it says it has: it comes back. */
        (void) revision_of(w, metadata, &w->base_revision, NULL);
    }
    yl_member_drop(metadata, "resourceVersion");
    r = yl_strategy_normalize(w->resource, w->arena, object,
                              YL_NORMAL_STORED, &err);
    if (r == 0) {
        r = yl_object_from_tree(object, NULL, &w->object, &err);
    }
    if (r < 0) {
        yl_status_internal(status, yl_str_c(yl_error_message(&err)));
        yl_error_clear(&err);
    }
    return r;
}

int
yl_propose_odd_error(struct yl_status *status, const char *message)
{
    yl_status_clear(status);
    status->reason = yl_strdup(YL_STR(""));
    return yl_error_set(&status->error, YL_EINTERNAL, "%s", message);
}

/* Everything up to the form in which it is stored. */
static int
create(struct yl_write *w, struct yl_node *object, bool put,
       struct yl_status *status)
{
    struct yl_node *metadata = yl_member_make(w->arena, object, "metadata");
    struct yl_admission admission;
    struct yl_error err = YL_ERROR_INIT;
    struct yl_change change;
    int r;

    wipe_system_fields(metadata, put, put && w->dry_run);
    yl_owners_unique(w, metadata, false);
    admission = admission_of(w, YL_OPERATION_CREATE, YL_SUB_NONE, object,
                             NULL);
    admission.name = text_of(w, metadata, "name");
    r = yl_admit_mutate(&admission, status);
    if (r == 0) {
        r = permit(&admission, status);
    }
    if (r < 0) {
        return r;
    }
    yl_owners_unique(w, metadata, true);
    fill_system_fields(w, metadata);
    change = change_of(w, YL_SUB_NONE, object, NULL);
    r = claim(w, &change, status);
    if (r < 0) {
        return r;
    }
    warn(w, &change, YL_WARN_FIRST);
    yl_strategy_prepare(&change);
    if (yl_strategy_validate(&change, &err) < 0) {
        return invalid(w, object, &err, status);
    }
    warn(w, &change, YL_WARN_VALID);
    if (check_length(w, metadata, &err) < 0) {
        return invalid(w, object, &err, status);
    }
    w->action = YL_WRITE_STORE;
    r = yl_admit_validate(&admission, status);
    if (r == 0 && w->resource->no_effect) {
        tell(w);
    }
    return r;
}

/* The keys of the keyspace have an end. */
static int
check_length(struct yl_write *w, const struct yl_node *metadata,
             struct yl_error *err)
{
    struct yl_field_path root = yl_field_member(NULL, YL_STR("metadata"));
    struct yl_field_path name = yl_field_member(&root, YL_STR("name"));
    size_t room = YL_KS_MAX_KEY - 1 - w->key.namespace_.size;

    return text_of(w, metadata, "name").size > room
           ? yl_field_too_long(err, &name, (int64_t) room) : 0;
}

/* Who makes an object should know that nothing will come of it, and who runs
 * the server what it does not do. */
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

static struct yl_change
change_of(struct yl_write *w, enum yl_subresource subresource,
          struct yl_node *object, const struct yl_node *old)
{
    struct yl_change change = {
        .server = w->request->server,
        .arena = w->arena,
        .resource = w->resource,
        .version = w->request->version,
        .subresource = subresource,
        .key = yl_key_make(
            w->key.namespace_,
            text_of(w, yl_member_object(object, "metadata"), "name")),
        .object = object,
        .old = old,
        .write = w,
        .dry_run = w->dry_run,
    };

    return change;
}

static int
permit(const struct yl_admission *admission, struct yl_status *status)
{
    const struct yl_strategy *strategy = admission->resource->strategy;

    return strategy->permit ? strategy->permit(admission, status) : 0;
}

static int
claim(struct yl_write *w, const struct yl_change *change,
      struct yl_status *status)
{
    if (!w->resource->strategy->claim) {
        return 0;
    }
    w->settle = settle_claims;
    return w->resource->strategy->claim(change, status);
}

static void
settle_claims(struct yl_write *w)
{
    w->resource->strategy->settle(w->request->server, w);
}

/* What clients cannot say of a new object; upstream lets them say some of it
 * if they put it there. */
static void
wipe_system_fields(struct yl_node *metadata, bool put, bool keep_link)
{
    yl_member_drop(metadata, "creationTimestamp");
    yl_member_drop(metadata, "uid");
    yl_member_drop(metadata, "managedFields");
    if (!put) {
        yl_member_drop(metadata, "deletionTimestamp");
        yl_member_drop(metadata, "deletionGracePeriodSeconds");
    }
    if (!keep_link) {
        yl_member_drop(metadata, "selfLink");
    }
}

static void
fill_system_fields(struct yl_write *w, struct yl_node *metadata)
{
    char text[YL_TIME_TEXT_SIZE], uid[YL_UUID_LENGTH + 1];
    char suffix[GENERATED_SUFFIX + 1];
    struct yl_str prefix = text_of(w, metadata, "generateName");

    yl_time_write(yl_time_now(), text);
    yl_member_set_str(w->arena, metadata, "creationTimestamp", text);
    yl_random_uuid(uid);
    yl_member_set_str(w->arena, metadata, "uid", uid);
    if (prefix.size && !text_of(w, metadata, "name").size) {
        if (prefix.size > GENERATED_PREFIX) {
            prefix.size = GENERATED_PREFIX;
        }
        yl_random_name(suffix, GENERATED_SUFFIX);
        yl_member_set_str(
            w->arena, metadata, "name",
            yl_arena_printf(w->arena, "%.*s%s", YL_STR_ARG(prefix), suffix));
    }
}

/* What keys begin with; upstream's dry runs know less of it. */
static struct yl_str
storage_prefix(const struct yl_write *w)
{
    struct yl_str prefix = yl_ks_resource_prefix(w->resource->objects);
    struct yl_str root = YL_STR("/registry");

    return w->dry_run && yl_str_starts_with(prefix, root)
           ? yl_str_skip(prefix, root.size) : prefix;
}

/* The revision that an object names; 0 if it names none. */
static int
revision_of(struct yl_write *w, const struct yl_node *metadata,
            uint64_t *ret_revision, struct yl_status *status)
{
    struct yl_str text = text_of(w, metadata, "resourceVersion");
    unsigned long long value = 0;

    if (text.size && yl_str_to_u64(text, &value) < 0) {
        return status ? bad_revision(text, status) : YL_EINVALID;
    }
    *ret_revision = value;
    return 0;
}

static int
bad_revision(struct yl_str text, struct yl_status *status)
{
    struct yl_error err = YL_ERROR_INIT;
    int r;

    yl_params_bad_number("ParseUint", text, &err);
    r = yl_propose_odd_error(status, yl_error_message(&err));
    yl_error_clear(&err);
    return r;
}

/* Was the object being deleted, and has this update taken the last thing away
 * that held it back? */
static bool
is_released(const struct yl_write *w, const struct yl_node *object,
            const struct yl_node *old)
{
    struct yl_at now = yl_at_root(yl_member_object(object, "metadata"));
    struct yl_at then = yl_at_root(yl_member_object(old, "metadata"));
    struct yl_at finalizers = yl_at(&now, "finalizers");

    if (yl_at_count(&finalizers)
        || !yl_at_get_has(&then, "deletionTimestamp")) {
        return false;
    }
    if (w->resource->strategy->is_held) {
        return !w->resource->strategy->is_held(object);
    }
    return yl_at_get_int(&then, "deletionGracePeriodSeconds") == 0;
}

static struct yl_admission
admission_of(struct yl_write *w, enum yl_operation operation,
             enum yl_subresource subresource, struct yl_node *object,
             const struct yl_node *old)
{
    struct yl_admission admission = {
        .server = w->request->server,
        .arena = w->arena,
        .request = w->request,
        .user = w->request->user,
        .resource = w->resource,
        .subresource = subresource,
        .operation = operation,
        .namespace_ = w->key.namespace_,
        .name = w->key.name,
        .object = object,
        .old = old,
        .dry_run = w->dry_run,
    };

    return admission;
}

static int
invalid(struct yl_write *w, const struct yl_node *object,
        struct yl_error *err, struct yl_status *status)
{
    struct yl_str name =
        text_of(w, yl_member_object(object, "metadata"), "name");
    int r = yl_status_invalid(status, yl_write_gvk(w), name, err);

    yl_error_clear(err);
    return r;
}

static struct yl_str
text_of(struct yl_write *w, const struct yl_node *object, const char *name)
{
    struct yl_str text = YL_STR_INIT("");

    (void) yl_node_string(yl_node_get(object, yl_str_c(name)), w->arena,
                          &text);
    return text;
}

static int
convert(struct yl_write *w, const struct yl_api_version *from,
        const struct yl_api_version *to, struct yl_node *object,
        struct yl_error *err)
{
    struct yl_conversion conversion = {
        .resource = w->resource, .from = from, .to = to, .arena = w->arena,
        .objects = &object, .n_objects = 1, .err = err,
    };

    return yl_strategy_convert(&conversion);
}

static void
warn(struct yl_write *w, const struct yl_change *change,
     enum yl_warn_time when)
{
    struct yl_warnings warnings = { w->arena, add_warning, w->request };

    if (w->resource->strategy->warn) {
        w->resource->strategy->warn(change, when, &warnings);
    }
}

static void
add_warning(void *request, const char *text)
{
    yl_api_warn(request, "%s", text);
}
