/* Steps "claim", "prepare" and "validate": what the kind's strategy does to an
 * object before it is stored.  See steps.h. */

#include "apiserver/verbs/steps.h"
#include "base/quote.h"
#include "json/member.h"
#include "schema/field_error.h"

static struct yl_gvk said_gvk(struct yl_write *);
static bool is_strategys(const struct yl_write *);
static struct yl_change change_of(struct yl_write *);
static void warn(struct yl_write *, const struct yl_change *,
                 enum yl_warn_time);
static void add_warning(void *request, const char *text);
static int check_length(struct yl_write *, struct yl_error *err);

int
yl_write_claim(struct yl_write *w, struct yl_status *status)
{
    enum yl_subresource part = yl_write_subresource(w);
    struct yl_change change;

    if (!is_strategys(w) || !w->resource->strategy->claim
        || (part != YL_SUB_NONE && part != YL_SUB_SCALE)) {
        return 0;
    }
    change = change_of(w);
    w->claims = true;
    return w->resource->strategy->claim(&change, status);
}

int
yl_write_prepare(struct yl_write *w, struct yl_status *status YL_UNUSED)
{
    struct yl_change change;

    if (is_strategys(w)) {
        change = change_of(w);
        warn(w, &change, YL_WARN_FIRST);
        yl_strategy_prepare(&change);
    }
    return 0;
}

int
yl_write_validate(struct yl_write *w, struct yl_status *status)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_change change;
    int r;

    if (!is_strategys(w)) {
        return 0;
    }
    change = change_of(w);
    r = yl_strategy_validate(&change, &err);
    if (r == 0) {
        warn(w, &change, YL_WARN_VALID);
        r = w->creates ? check_length(w, &err) : 0;
    }
    if (r < 0) {
        r = yl_status_invalid(status, said_gvk(w), change.key.name, &err);
    }
    yl_error_clear(&err);
    return r;
}

/* The kind that a Status is about: for an object without a Go type the one
 * that it says it is. */
static struct yl_gvk
said_gvk(struct yl_write *w)
{
    struct yl_gvk gvk = yl_write_gvk(w);
    struct yl_gv gv;

    if (w->resource->strategy->flags & YL_STRATEGY_UNSTRUCTURED
        && yl_gv_parse(yl_write_text(w, w->tree, "apiVersion"), &gv, NULL)
           == 0) {
        gvk.group = yl_excerpt_copy(w->arena, gv.group);
        gvk.version = yl_excerpt_copy(w->arena, gv.version);
        gvk.kind = yl_excerpt_copy(w->arena,
                                   yl_write_text(w, w->tree, "kind"));
    }
    return gvk;
}

/* Is the object prepared and validated by its strategy?  Not if the server
 * itself changes it on a client's order. */
static bool
is_strategys(const struct yl_write *w)
{
    return w->tree && !w->ops->order;
}

static struct yl_change
change_of(struct yl_write *w)
{
    struct yl_change change = {
        .server = w->request->server,
        .arena = w->arena,
        .resource = w->resource,
        .version = w->request->version,
        .subresource = yl_write_subresource(w),
        .key = yl_key_make(
            w->key.namespace_,
            yl_write_text(w, yl_member_object(w->tree, "metadata"), "name")),
        .object = w->tree,
        .old = w->old,
        .write = w,
        .dry_run = w->dry_run,
    };

    return change;
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

/* Refuses a key that is too long for the keyspace. */
static int
check_length(struct yl_write *w, struct yl_error *err)
{
    struct yl_field_path root = yl_field_member(NULL, YL_STR("metadata"));
    struct yl_field_path name = yl_field_member(&root, YL_STR("name"));
    size_t room = YL_KS_MAX_KEY - 1 - w->key.namespace_.size;

    return yl_write_text(w, yl_member_object(w->tree, "metadata"),
                         "name").size > room
           ? yl_field_too_long(err, &name, (int64_t) room) : 0;
}
