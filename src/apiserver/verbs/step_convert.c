/* Steps "convert", "default" and "store": conversion to the stored version,
 * and defaults.  See steps.h. */

#include "apiserver/verbs/steps.h"

static bool is_in_version(const struct yl_write *);
static int convert(struct yl_write *, struct yl_node **object,
                   const struct yl_api_version *from,
                   const struct yl_api_version *to);
static int failed(struct yl_write *, int code, struct yl_status *,
                  int (*say)(struct yl_status *, struct yl_str why));

int
yl_write_convert(struct yl_write *w, struct yl_status *status)
{
    const struct yl_api_version *version = w->request->version;
    const struct yl_api_version *hub;
    int r;

    if (!w->tree || w->in_hub) {
        return 0;
    }
    hub = yl_api_resource_hub(w->resource);
    if (!version->hub) {
        if (w->part == 0) {
            yl_strategy_default(w->resource, version, w->arena, w->tree);
        }
        if (is_in_version(w)) {
            return 0;
        }
        r = convert(w, &w->tree, version, hub);
        if (r != 0) {
            return r < 0 ? failed(w, r, status, yl_status_bad_request) : r;
        }
    }
    yl_strategy_default(w->resource, hub, w->arena, w->tree);
    return 0;
}

int
yl_write_default(struct yl_write *w, struct yl_status *status YL_UNUSED)
{
    if (w->tree && !w->sent && w->admission.patched) {
        yl_strategy_default(w->resource,
                            is_in_version(w)
                            ? w->request->version
                            : yl_api_resource_hub(w->resource),
                            w->arena, w->tree);
    }
    return 0;
}

int
yl_write_store(struct yl_write *w, struct yl_status *status)
{
    int r = w->tree && is_in_version(w)
            ? convert(w, &w->tree, w->request->version,
                      yl_api_resource_hub(w->resource))
            : 0;

    return r < 0 ? failed(w, r, status, yl_status_internal) : r;
}

int
yl_write_see(struct yl_write *w, struct yl_status *status)
{
    const struct yl_api_version *from = NULL;
    int r = 0;

    if (!(w->resource->strategy->flags & YL_STRATEGY_IN_VERSION)) {
        w->old = yl_write_base_tree(w, status);
        return w->old ? 0 : YL_EINTERNAL;
    }
    if (w->part == 0) {
        r = yl_strategy_read(w->resource, w->arena, w->base, w->base_revision,
                             &from, &w->old, &w->conversion_error);
    }
    if (r == 0) {
        r = convert(w, &w->old, from, w->request->version);
    }
    return r < 0 ? failed(w, r, status, yl_status_internal) : r;
}

int
yl_write_to_version(struct yl_write *w, struct yl_status *status)
{
    const struct yl_api_version *version = w->request->version;
    int r = version->hub || is_in_version(w)
            ? 0 : convert(w, &w->tree, yl_api_resource_hub(w->resource),
                          version);

    return r < 0 ? failed(w, r, status, yl_status_internal) : r;
}

/* Is the write handled in another version than the hub's? */
static bool
is_in_version(const struct yl_write *w)
{
    return w->resource->strategy->flags & YL_STRATEGY_IN_VERSION
           && w->request->resource == w->resource && w->request->version
           && !w->request->version->hub;
}

/* Converts a tree; called again after a wait, gets its result. */
static int
convert(struct yl_write *w, struct yl_node **object,
        const struct yl_api_version *from, const struct yl_api_version *to)
{
    if (w->part > 0) {
        return w->waited;
    }
    w->part = 1;
    w->conversion = (struct yl_conversion) {
        .resource = w->resource, .from = from, .to = to, .arena = w->arena,
        .objects = object, .n_objects = 1, .wait = &w->wait,
        .err = &w->conversion_error,
    };
    return yl_strategy_convert(&w->conversion);
}

static int
failed(struct yl_write *w, int code, struct yl_status *status,
       int (*say)(struct yl_status *, struct yl_str why))
{
    const struct yl_error *err = &w->conversion_error;
    int r = say(status, yl_str_c(err->code ? yl_error_message(err)
                                           : yl_error_text(code)));

    yl_error_clear(&w->conversion_error);
    return r;
}
