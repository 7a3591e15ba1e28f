/* DeleteOptions: the body of a deletion. */

#include "client/delete_body.h"

#include "json/text.h"

static void begin(struct yl_buf *, size_t start, const char *name);
static void write_preconditions(struct yl_buf *,
                                const struct yl_delete_opts *);

void
yl_delete_body_write(struct yl_buf *out, const struct yl_delete_opts *options,
                     const struct yl_call_opts *opts)
{
    static const char *const propagations[] = {
        [YL_PROPAGATION_DEFAULT] = NULL,
        [YL_PROPAGATION_ORPHAN] = "Orphan",
        [YL_PROPAGATION_BACKGROUND] = "Background",
        [YL_PROPAGATION_FOREGROUND] = "Foreground",
    };
    size_t start = out->size;

    if (options && options->grace_period_seconds) {
        begin(out, start, "gracePeriodSeconds");
        yl_json_write_int64(out, *options->grace_period_seconds);
    }
    if (options && (options->uid.size || options->resource_version.size)) {
        begin(out, start, "preconditions");
        write_preconditions(out, options);
    }
    if (options && options->propagation != YL_PROPAGATION_DEFAULT) {
        begin(out, start, "propagationPolicy");
        yl_json_write_string(out,
                             yl_str_c(propagations[options->propagation]));
    }
    if (opts && opts->dry_run) {
        begin(out, start, "dryRun");
        yl_buf_append_c(out, "[\"All\"]");
    }
    if (out->size > start) {
        yl_buf_append_char(out, '}');
    }
}

/* Begins the member called 'name', and the object before the first. */
static void
begin(struct yl_buf *out, size_t start, const char *name)
{
    if (out->size == start) {
        yl_buf_append_c(out, "{\"kind\":\"DeleteOptions\","
                             "\"apiVersion\":\"v1\"");
    }
    yl_buf_append_c(out, ",\"");
    yl_buf_append_c(out, name);
    yl_buf_append_c(out, "\":");
}

static void
write_preconditions(struct yl_buf *out, const struct yl_delete_opts *options)
{
    yl_buf_append_char(out, '{');
    if (options->uid.size) {
        yl_buf_append_c(out, "\"uid\":");
        yl_json_write_text(out, options->uid);
    }
    if (options->resource_version.size) {
        yl_buf_append_c(out, options->uid.size ? ",\"resourceVersion\":"
                                               : "\"resourceVersion\":");
        yl_json_write_text(out, options->resource_version);
    }
    yl_buf_append_char(out, '}');
}
