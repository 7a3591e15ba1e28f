/* Events as bytes.  See apiserver/watch/render.h for the contract. */

#include "apiserver/watch/render.h"

#include "apiserver/answer/protobuf.h"
#include "apiserver/request.h"
#include "json/tree.h"
#include "object/object.h"
#include "schema/normalize.h"
#include "schema/wire.h"
#include "yuloh/arena.h"
#include "yuloh/status.h"

static int write_message(const struct yl_view *, const char *type,
                         const struct yl_object *, uint64_t revision,
                         struct yl_buf *, struct yl_error *);
static void write_frame(struct yl_buf *, const char *event,
                        struct yl_type_ref, struct yl_str json,
                        struct yl_arena *scratch);

int
yl_watch_render(const struct yl_view *view,
                const struct yl_selection *selection,
                const struct yl_ks_event *event, struct yl_buf *out,
                size_t *ret_columns, struct yl_error *err)
{
    static const char *const names[] = {
        [YL_KS_ADDED] = "ADDED",
        [YL_KS_MODIFIED] = "MODIFIED",
        [YL_KS_DELETED] = "DELETED",
    };
    const struct yl_object *object;
    enum yl_ks_event_type type;
    int r;

    if (!yl_selection_sees(selection, event, view->scratch, &type, &object)) {
        return 0;
    }
    r = yl_watch_render_object(view, names[type], object, event->revision,
                               out, ret_columns, err);
    return r < 0 ? r : 1;
}

int
yl_watch_render_object(const struct yl_view *view, const char *type,
                       const struct yl_object *object, uint64_t revision,
                       struct yl_buf *out, size_t *ret_columns,
                       struct yl_error *err)
{
    static const char columns[] = "\"columnDefinitions\":";
    size_t start = out->size;
    int r;

    *ret_columns = YL_WATCH_NO_COLUMNS;
    if (view->protobuf) {
        return write_message(view, type, object, revision, out, err);
    }
    yl_buf_printf(out, "{\"type\":\"%s\",\"object\":", type);
    r = yl_view_write_one(view, object, revision, false, out, err);
    if (r < 0) {
        return r;
    }
    if (view->form == YL_FORM_TABLE) {
        const char *found = memmem(out->data + start, out->size - start,
                                   columns, sizeof columns - 1);

        if (found) {
            *ret_columns = (size_t) (found - out->data) - start
                           + sizeof columns - 1;
        }
    }
    yl_buf_append_c(out, "}\n");
    return yl_buf_error(out);
}

int
yl_watch_render_bookmark(const struct yl_view *view, uint64_t revision,
                         bool initial_events_end, struct yl_buf *out,
                         size_t *ret_columns, struct yl_error *err)
{
    struct yl_arena *arena = view->scratch;
    struct yl_object *zero;
    struct yl_node *root;
    int r;

    r = yl_tree_parse(arena,
                      initial_events_end
                          ? YL_STR("{\"metadata\":{\"annotations\":{"
                                   "\"k8s.io/initial-events-end\":\"true\"}}}")
                          : YL_STR("{\"metadata\":{}}"),
                      NULL, &root, err);
    /* Custom kinds have no members that are always there. */
    if (r == 0 && !view->resource->custom) {
        r = yl_normalize_stored(arena, yl_kind_type(view->version->kind), root,
                                err);
    }
    if (r == 0) {
        r = yl_object_from_tree(root, NULL, &zero, err);
    }
    if (r == 0) {
        struct yl_view as_is = *view;
        struct yl_api_version hub = *view->version;

        hub.hub = true;         /* The object is in the asked version
                                 * already. */
        as_is.version = &hub;
        r = yl_watch_render_object(&as_is, "BOOKMARK", zero, revision, out,
                                   ret_columns, err);
        yl_object_unref(zero);
    }
    return r;
}

void
yl_watch_render_expired(const struct yl_view *view, uint64_t revision,
                        uint64_t oldest, struct yl_buf *out)
{
    struct yl_status status = YL_STATUS_INIT;
    struct yl_arena *scratch = view->scratch;
    struct yl_str json;

    yl_status_expired(&status, yl_str_c(yl_arena_printf(
        scratch, "too old resource version: %llu (%llu)",
        (unsigned long long) revision, (unsigned long long) oldest)));
    json = yl_status_json(&status, scratch);
    if (view->protobuf) {
        write_frame(out, "ERROR", yl_answer_type(YL_STR("Status")), json,
                    scratch);
    } else {
        yl_buf_append_c(out, "{\"type\":\"ERROR\",\"object\":");
        yl_buf_append_str(out, json);
        yl_buf_append_c(out, "}\n");
    }
    yl_status_clear(&status);
}

static int
write_message(const struct yl_view *view, const char *type,
              const struct yl_object *object, uint64_t revision,
              struct yl_buf *out, struct yl_error *err)
{
    struct yl_buf json;
    int r;

    yl_buf_init(&json, SIZE_MAX);
    r = yl_view_write_one(view, object, revision, false, &json, err);
    if (r == 0) {
        write_frame(out, type, view->message, yl_buf_str(&json),
                    view->scratch);
        r = yl_buf_error(out);
    }
    yl_buf_release(&json);
    return r;
}

static void
write_frame(struct yl_buf *out, const char *event, struct yl_type_ref type,
            struct yl_str json, struct yl_arena *scratch)
{
    size_t start, object, raw, i;

    yl_buf_append(out, "\0\0\0\0", 4);
    start = out->size;
    yl_wire_put_bytes(out, 1, yl_str_c(event));
    object = yl_wire_open(out, 2);
    raw = yl_wire_open(out, 1);
    yl_answer_envelope(out, type, yl_json(json), scratch);
    yl_wire_close(out, raw);
    yl_wire_close(out, object);
    for (i = 1; i <= 4 && !yl_buf_error(out); i++) {
        out->data[start - i] = (char) ((out->size - start) >> (8 * (i - 1))
                                       & 0xff);
    }
}
