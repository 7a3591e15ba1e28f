/* Tests of a watch's events as bytes. */

#include "apiserver/watch/render.h"

#include "api_rig.h"
#include "schema/protobuf.h"
#include "schema/wire.h"

#define MAPS "/api/v1/namespaces/n/configmaps"

static struct yl_api_request req;
static struct yl_selection selection;
static struct yl_view view;
static struct yl_buf out;
static size_t columns;

static void
start(const char *target, enum yl_output_form form)
{
    rig_open();
    rig_request_init(&req, target);
    req.accept.form = form;
    assert_int_equal(yl_selection_init(&selection, &req, NULL), 0);
    assert_int_equal(yl_view_init(&view, &req, false, NULL), 0);
    yl_buf_init(&out, 1 << 20);
}

static void
stop(void)
{
    yl_buf_release(&out);
    rig_request_release(&req);
    rig_close();
}

/* An object with the label "x", or none if that is NULL. */
static struct yl_object *
labelled(const char *x)
{
    char json[256];

    if (!x) {
        return NULL;
    }
    snprintf(json, sizeof json,
             "{\"metadata\":{\"name\":\"m\",\"namespace\":\"n\",\"labels\":{"
             "\"x\":\"%s\"}}}", x);
    return rig_object(json);
}

/* What becomes of a change: the type, "" for none. */
static const char *
render(enum yl_ks_event_type type, const char *was, const char *is)
{
    struct yl_ks_event event = { .type = type, .revision = 9 };
    int r;

    event.previous = labelled(was);
    event.object = labelled(type == YL_KS_DELETED ? was : is);
    yl_buf_clear(&out);
    r = yl_watch_render(&view, &selection, &event, &out, &columns, NULL);
    yl_object_unref(event.previous);
    yl_object_unref(event.object);
    assert_true(r == 0 || r == 1);
    assert_int_equal(r != 0, out.size != 0);
    rig.body = yl_buf_str(&out);
    return r ? text_at("/type") : "";
}

TEST(a_change_is_what_it_makes_of_the_selection)
{
    start(MAPS "?labelSelector=x%3D1", YL_FORM_OBJECT);
    assert_string_equal(render(YL_KS_ADDED, NULL, "1"), "ADDED");
    assert_string_equal(text_at("/object/metadata/resourceVersion"), "9");
    assert_int_equal(columns, YL_WATCH_NO_COLUMNS);
    assert_int_equal(out.data[out.size - 1], '\n');
    assert_string_equal(render(YL_KS_ADDED, NULL, "2"), "");
    assert_string_equal(render(YL_KS_MODIFIED, "1", "1"), "MODIFIED");
    assert_string_equal(render(YL_KS_MODIFIED, "2", "1"), "ADDED");
    assert_string_equal(text_at("/object/metadata/labels/x"), "1");
    assert_string_equal(render(YL_KS_MODIFIED, "1", "2"), "DELETED");
    assert_string_equal(text_at("/object/metadata/labels/x"), "1");
    assert_string_equal(text_at("/object/metadata/resourceVersion"), "9");
    assert_string_equal(render(YL_KS_MODIFIED, "2", "3"), "");
    assert_string_equal(render(YL_KS_DELETED, "1", NULL), "DELETED");
    assert_string_equal(render(YL_KS_DELETED, "2", NULL), "");
    stop();
}

TEST(a_table_says_where_its_columns_would_be)
{
    start(MAPS, YL_FORM_TABLE);
    assert_string_equal(render(YL_KS_ADDED, NULL, "1"), "ADDED");
    assert_true(columns < out.size);
    assert_memory_equal(out.data + columns, "null", 4);
    assert_memory_equal(out.data + columns - 2, "\":", 2);
    stop();
}

TEST(columns_are_not_looked_for_in_the_object)
{
    struct yl_object *object;

    start(MAPS "?includeObject=Object", YL_FORM_TABLE);
    object = rig_object("{\"metadata\":{\"name\":\"m\",\"namespace\":\"n\","
                        "\"labels\":{\"columnDefinitions\":\"null\"}}}");
    yl_buf_append_c(&out, "before");
    assert_int_equal(yl_watch_render_object(&view, "ADDED", object, 9, &out,
                                            &columns, NULL), 0);
    assert_memory_equal(out.data + 6 + columns, "null,\"rows\"", 11);
    yl_object_unref(object);
    stop();
}

TEST(bookmarks_have_a_revision_and_nothing_else)
{
    start("/apis/apps/v1/deployments", YL_FORM_OBJECT);
    assert_int_equal(yl_watch_render_bookmark(&view, 12, false, &out,
                                              &columns, NULL), 0);
    rig.body = yl_buf_str(&out);
    assert_string_equal(text_at("/type"), "BOOKMARK");
    assert_string_equal(text_at("/object/kind"), "Deployment");
    assert_string_equal(text_at("/object/apiVersion"), "apps/v1");
    assert_string_equal(text_at("/object/metadata/resourceVersion"), "12");
    assert_string_equal(text_at("/object/metadata/name"), "");
    assert_string_equal(text_at("/object/metadata/annotations"), "");
    yl_buf_clear(&out);
    assert_int_equal(yl_watch_render_bookmark(&view, 12, true, &out, &columns,
                                              NULL), 0);
    rig.body = yl_buf_str(&out);
    assert_string_equal(text_at("/object/metadata/annotations"),
                        "{\"k8s.io/initial-events-end\":\"true\"}");
    stop();
}

TEST(bookmarks_of_old_versions_are_of_the_old_version)
{
    start("/apis/autoscaling/v1/horizontalpodautoscalers", YL_FORM_OBJECT);
    assert_int_equal(yl_watch_render_bookmark(&view, 12, true, &out, &columns,
                                              NULL), 0);
    rig.body = yl_buf_str(&out);
    assert_string_equal(text_at("/object/apiVersion"), "autoscaling/v1");
    stop();
}

TEST(what_is_too_old_is_a_status)
{
    start(MAPS, YL_FORM_OBJECT);
    yl_watch_render_expired(&view, 5, 7, &out);
    rig.body = yl_buf_str(&out);
    assert_string_equal(text_at("/type"), "ERROR");
    assert_string_equal(text_at("/object/kind"), "Status");
    assert_string_equal(text_at("/object/code"), "410");
    assert_string_equal(text_at("/object/message"),
                        "too old resource version: 5 (7)");
    stop();
}

TEST(an_event_that_does_not_fit_is_an_error)
{
    struct yl_object *object = labelled("1");
    struct yl_buf small;

    start(MAPS, YL_FORM_OBJECT);
    yl_buf_init(&small, 10);
    assert_true(yl_watch_render_object(&view, "ADDED", object, 9, &small,
                                       &columns, NULL) < 0);
    yl_buf_release(&small);
    yl_object_unref(object);
    stop();
}

/* The envelope in a frame: its size, then { 1: event, 2: { 1: envelope } }. */
static struct yl_protobuf_envelope
read_frame(const char *event)
{
    const unsigned char *head = (const unsigned char *) out.data;
    struct yl_str rest = yl_str_skip(yl_buf_str(&out), 4);
    struct yl_protobuf_envelope envelope;
    struct yl_wire_field field;

    assert_int_equal((size_t) head[0] << 24 | (size_t) head[1] << 16
                     | (size_t) head[2] << 8 | head[3], rest.size);
    assert_int_equal(yl_wire_next(&rest, "", &field, NULL), 1);
    assert_int_equal(field.number, 1);
    assert_str_equal(field.bytes, event);
    assert_int_equal(yl_wire_next(&rest, "", &field, NULL), 1);
    assert_int_equal(field.number, 2);
    assert_int_equal(yl_wire_next(&rest, "", &field, NULL), 0);
    rest = field.bytes;
    assert_int_equal(yl_wire_next(&rest, "", &field, NULL), 1);
    assert_int_equal(field.number, 1);
    assert_int_equal(yl_protobuf_open(field.bytes, &envelope, NULL), 0);
    return envelope;
}

TEST(events_in_protobuf_are_frames)
{
    struct yl_object *object = labelled("1");
    struct yl_protobuf_envelope envelope;
    struct yl_node *root;

    start(MAPS, YL_FORM_OBJECT);
    view.protobuf = true;
    assert_int_equal(yl_watch_render_object(&view, "ADDED", object, 9, &out,
                                            &columns, NULL), 0);
    assert_true(columns == YL_WATCH_NO_COLUMNS);
    envelope = read_frame("ADDED");
    assert_str_equal(envelope.api_version, "v1");
    assert_str_equal(envelope.kind, "ConfigMap");
    root = yl_node_new_object(rig.arena);
    assert_int_equal(yl_protobuf_decode(rig.arena, view.message, envelope.raw,
                                        root, NULL), 0);
    root = yl_node_get(root, YL_STR("metadata"));
    assert_true(yl_node_string_is(yl_node_get(root, YL_STR("name")),
                                  YL_STR("m")));
    assert_true(yl_node_string_is(yl_node_get(root,
                                              YL_STR("resourceVersion")),
                                  YL_STR("9")));
    yl_buf_clear(&out);
    yl_watch_render_expired(&view, 5, 7, &out);
    envelope = read_frame("ERROR");
    assert_str_equal(envelope.kind, "Status");
    yl_object_unref(object);
    stop();
}
