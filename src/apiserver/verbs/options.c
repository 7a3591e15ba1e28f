/* Options of writes.  See options.h for the contract. */

#include "apiserver/verbs/options.h"

#include "apiserver/request.h"
#include "apiserver/verbs/body.h"
#include "builtin/common/meta.h"
#include "json/member.h"
#include "json/text.h"
#include "schema/at.h"
#include "schema/field_error.h"
#include "yuloh/arena.h"
#include "yuloh/status.h"

static void read_field_manager(const struct yl_params *,
                               struct yl_write_options *, struct yl_error *);
static void read_field_validation(const struct yl_params *,
                                  struct yl_write_options *,
                                  struct yl_error *);
static bool query_dry_run(const struct yl_params *, struct yl_error *);
static int delete_from_query(const struct yl_api_request *,
                             struct yl_deletion_options *, struct yl_status *);
static struct yl_str nonempty(const struct yl_api_request *,
                              const char *name);
static int check_delete(struct yl_deletion_options *, struct yl_error *faults,
                        struct yl_status *);
static void unsupported_dry_run(struct yl_error *, struct yl_buf *list);
static int refuse(struct yl_status *, const char *kind, struct yl_error *);
static struct yl_field_path field(const char *name);

int
yl_write_options_read(const struct yl_api_request *req,
                      enum yl_write_verb verb,
                      struct yl_write_options *options,
                      struct yl_status *status)
{
    static const char *const kinds[] = { "CreateOptions", "UpdateOptions",
                                         "PatchOptions", "PatchOptions" };
    struct yl_error faults = YL_ERROR_INIT;

    *options = (struct yl_write_options) { .dry_run = false };
    if (verb == YL_WRITE_APPLY) {
        options->force = yl_params_bool(&req->params, YL_STR("force"));
        if (!yl_params_get(&req->params, YL_STR("fieldManager")).size) {
            struct yl_field_path manager = field("fieldManager");

            yl_field_required(&faults, &manager, "is required for apply "
                              "patch");
        }
    } else if (verb == YL_WRITE_PATCH
               && yl_params_has(&req->params, YL_STR("force"))) {
        struct yl_field_path force = field("force");

        yl_field_forbidden(&faults, &force,
                           "may not be specified for non-apply patch");
    }
    read_field_manager(&req->params, options, &faults);
    options->dry_run = query_dry_run(&req->params, &faults);
    read_field_validation(&req->params, options, &faults);
    return faults.n_causes ? refuse(status, kinds[verb], &faults) : 0;
}

int
yl_delete_options_read(struct yl_api_request *req,
                       struct yl_deletion_options *options,
                       struct yl_status *status)
{
    struct yl_node *root;
    int r;

    *options = (struct yl_deletion_options) { .dry_run = false };
    if (!req->http->body.size) {
        return delete_from_query(req, options, status);
    }
    r = yl_body_delete_options(req, &root, status);
    return r < 0 ? r : yl_delete_options_from(req->arena, root, options,
                                              status);
}

int
yl_delete_options_from(struct yl_arena *arena, const struct yl_node *root,
                       struct yl_deletion_options *options,
                       struct yl_status *status)
{
    struct yl_error faults = YL_ERROR_INIT;
    struct yl_check c = { arena, &faults };
    struct yl_at at = yl_at_root(root);
    struct yl_at preconditions = yl_at(&at, "preconditions");
    struct yl_at dry_run = yl_at(&at, "dryRun");
    bool other = false;
    struct yl_buf list;

    *options = (struct yl_deletion_options){
        .has_grace_period = yl_at_get_has(&at, "gracePeriodSeconds"),
        .grace_period = yl_at_get_int(&at, "gracePeriodSeconds"),
        .has_orphan = yl_at_get_has(&at, "orphanDependents"),
        .orphan = yl_at_get_bool(&at, "orphanDependents"),
    };
    if (yl_at_get_has(&at, "propagationPolicy")) {
        options->propagation =
            yl_arena_copy(arena, yl_at_get_str(&c, &at, "propagationPolicy"));
    }
    if (yl_at_get_has(&preconditions, "uid")) {
        options->uid =
            yl_arena_copy(arena, yl_at_get_str(&c, &preconditions, "uid"));
    }
    if (yl_at_get_has(&preconditions, "resourceVersion")) {
        options->resource_version = yl_arena_copy(
            arena, yl_at_get_str(&c, &preconditions, "resourceVersion"));
    }
    yl_buf_init(&list, SIZE_MAX);
    YL_AT_FOR_EACH (value, &dry_run) {
        yl_buf_append_c(&list, options->dry_run ? "," : "");
        yl_json_write_text(&list, yl_at_str(&c, &value));
        other |= !yl_at_is(&value, "All");
        options->dry_run = true;
    }
    if (other) {
        unsupported_dry_run(&faults, &list);
    }
    yl_buf_release(&list);
    return check_delete(options, &faults, status);
}

static int
delete_from_query(const struct yl_api_request *req,
                  struct yl_deletion_options *options,
                  struct yl_status *status)
{
    const struct yl_params *params = &req->params;
    struct yl_error err = YL_ERROR_INIT;
    int r = yl_params_int64(params, YL_STR("gracePeriodSeconds"),
                            &options->grace_period,
                            &options->has_grace_period, &err);

    if (r < 0) {
        r = yl_status_bad_request(status, yl_str_c(yl_error_message(&err)));
        yl_error_clear(&err);
        return r;
    }
    options->has_orphan = yl_params_has(params, YL_STR("orphanDependents"));
    options->orphan = yl_params_bool(params, YL_STR("orphanDependents"));
    if (yl_params_has(params, YL_STR("propagationPolicy"))) {
        options->propagation = yl_arena_copy(
            req->arena, yl_params_get(params, YL_STR("propagationPolicy")));
    }
    options->uid = nonempty(req, "uid");
    options->resource_version = nonempty(req, "resourceVersion");
    options->dry_run = query_dry_run(params, &err);
    return check_delete(options, &err, status);
}

/* Returns a precondition; an empty one counts as absent. */
static struct yl_str
nonempty(const struct yl_api_request *req, const char *name)
{
    struct yl_str value = yl_params_get(&req->params, yl_str_c(name));

    return value.size ? yl_arena_copy(req->arena, value) : yl_str_null();
}

/* Checks and clears 'faults', which has those of dryRun already; upstream
 * lists these last. */
static int
check_delete(struct yl_deletion_options *options, struct yl_error *faults,
             struct yl_status *status)
{
    static const char *const policies[] = { "Foreground", "Background",
                                            "Orphan", "nil", NULL };
    struct yl_field_path path = field("propagationPolicy");
    struct yl_str policy = options->propagation;
    struct yl_error all = YL_ERROR_INIT;
    size_t i;
    int r;

    if (options->has_orphan && !yl_str_is_null(policy)) {
        yl_field_invalid(&all, &path, yl_bad_string(policy),
                         "orphanDependents and deletionPropagation cannot be "
                         "both set");
    }
    if (!yl_str_is_null(policy) && !yl_str_equal(policy, YL_STR("Foreground"))
        && !yl_str_equal(policy, YL_STR("Background"))
        && !yl_str_equal(policy, YL_STR("Orphan"))) {
        yl_field_not_supported(&all, &path, yl_bad_string(policy), policies);
    }
    for (i = 0; i < faults->n_causes; i++) {
        yl_error_add_cause(&all, yl_str_c(faults->causes[i].reason),
                           yl_str_c(faults->causes[i].message),
                           yl_str_c(faults->causes[i].field));
    }
    r = all.n_causes ? refuse(status, "DeleteOptions", &all) : 0;
    yl_error_clear(&all);
    yl_error_clear(faults);
    return r;
}

static void
read_field_manager(const struct yl_params *params,
                   struct yl_write_options *options, struct yl_error *faults)
{
    struct yl_field_path path = field("fieldManager");

    options->field_manager = yl_params_get(params, YL_STR("fieldManager"));
    yl_check_manager(faults, &path, options->field_manager);
}

static void
read_field_validation(const struct yl_params *params,
                      struct yl_write_options *options,
                      struct yl_error *faults)
{
    static const char *const values[] = { "", "Ignore", "Strict", "Warn",
                                          NULL };
    struct yl_field_path path = field("fieldValidation");
    struct yl_str value = yl_params_get(params, YL_STR("fieldValidation"));

    if (yl_str_equal(value, YL_STR("Ignore"))) {
        options->field_validation = YL_FIELDS_IGNORE;
    } else if (yl_str_equal(value, YL_STR("Strict"))) {
        options->field_validation = YL_FIELDS_STRICT;
    } else if (value.size && !yl_str_equal(value, YL_STR("Warn"))) {
        yl_field_not_supported(faults, &path, yl_bad_string(value), values);
    }
}

static bool
query_dry_run(const struct yl_params *params, struct yl_error *faults)
{
    bool set = false, other = false;
    struct yl_buf list;
    size_t i;

    yl_buf_init(&list, SIZE_MAX);
    for (i = 0; i < params->n; i++) {
        if (yl_str_equal(params->all[i].name, YL_STR("dryRun"))) {
            yl_buf_append_c(&list, set ? "," : "");
            yl_json_write_text(&list, params->all[i].value);
            other |= !yl_str_equal(params->all[i].value, YL_STR("All"));
            set = true;
        }
    }
    if (other) {
        unsupported_dry_run(faults, &list);
    }
    yl_buf_release(&list);
    return set;
}

/* The values as a list, without brackets. */
static void
unsupported_dry_run(struct yl_error *faults, struct yl_buf *list)
{
    static const char *const values[] = { "All", NULL };
    struct yl_field_path path = field("dryRun");
    struct yl_buf text;

    yl_buf_init(&text, SIZE_MAX);
    yl_buf_append_char(&text, '[');
    yl_buf_append_str(&text, yl_buf_str(list));
    yl_buf_append_char(&text, ']');
    yl_field_not_supported(faults, &path, yl_bad_text(yl_buf_str(&text)),
                           values);
    yl_buf_release(&text);
}

static int
refuse(struct yl_status *status, const char *kind, struct yl_error *faults)
{
    struct yl_gvk gvk = { YL_STR("meta.k8s.io"), YL_STR("v1"),
                          yl_str_c(kind) };
    int r = yl_status_invalid(status, gvk, YL_STR(""), faults);

    yl_error_clear(faults);
    return r;
}

static struct yl_field_path
field(const char *name)
{
    return yl_field_member(NULL, yl_str_c(name));
}
