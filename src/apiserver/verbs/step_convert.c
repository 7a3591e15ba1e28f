/* Steps "convert" and "default": conversion to the stored version, and
 * defaults.  See steps.h. */

#include "apiserver/verbs/steps.h"

static int convert(struct yl_write *, const struct yl_api_version *from,
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
        r = convert(w, version, hub);
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
        yl_strategy_default(w->resource, yl_api_resource_hub(w->resource),
                            w->arena, w->tree);
    }
    return 0;
}

int
yl_write_to_version(struct yl_write *w, struct yl_status *status)
{
    const struct yl_api_version *version = w->request->version;
    int r = version->hub
            ? 0 : convert(w, yl_api_resource_hub(w->resource), version);

    return r < 0 ? failed(w, r, status, yl_status_internal) : r;
}

/* Converts the tree; called again after a wait, gets its result. */
static int
convert(struct yl_write *w, const struct yl_api_version *from,
        const struct yl_api_version *to)
{
    if (w->part > 0) {
        return w->waited;
    }
    w->part = 1;
    w->conversion = (struct yl_conversion) {
        .resource = w->resource, .from = from, .to = to, .arena = w->arena,
        .objects = &w->tree, .n_objects = 1, .wait = &w->wait,
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
