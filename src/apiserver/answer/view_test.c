/* Tests of views: what clients see of a stored object. */

#include "apiserver/answer/view.h"

#include "api_rig.h"

static struct yl_api_request req;
static struct yl_view view;
static struct yl_buf out;

static const char map[] =
    "{\"metadata\":{\"name\":\"m\",\"namespace\":\"n\",\"creationTimestamp\":"
    "\"2026-01-01T00:00:00Z\"},\"data\":{\"a\":\"1\"}}";

static int
open_view(const char *target, enum yl_output_form form)
{
    struct yl_error err = YL_ERROR_INIT;
    int r;

    rig_open();
    rig_request_init(&req, target);
    req.accept.form = form;
    yl_buf_init(&out, 1 << 20);
    r = yl_view_init(&view, &req, req.accept.list, &err);
    assert_int_equal(r, err.code);
    yl_error_clear(&err);
    return r;
}

static void
close_view(void)
{
    yl_buf_release(&out);
    rig_request_release(&req);
    rig_close();
}

/* What is written of an object, for text_at(). */
static void
write_one(const char *json, uint64_t revision, bool first)
{
    struct yl_object *object = rig_object(json);

    yl_buf_clear(&out);
    assert_int_equal(yl_view_write_one(&view, object, revision, first, &out,
                                       NULL), 0);
    rig.body = yl_buf_str(&out);
    yl_object_unref(object);
}

static void
write_item(const char *json, uint64_t revision)
{
    struct yl_object *object = rig_object(json);

    yl_buf_clear(&out);
    assert_int_equal(yl_view_write_item(&view, object, revision, &out, NULL),
                     0);
    rig.body = yl_buf_str(&out);
    yl_object_unref(object);
}

TEST(an_object_has_its_type_and_revision)
{
    open_view("/api/v1/configmaps", YL_FORM_OBJECT);
    write_one(map, 7, true);
    assert_string_equal(text_at("/apiVersion"), "v1");
    assert_string_equal(text_at("/kind"), "ConfigMap");
    assert_string_equal(text_at("/metadata/resourceVersion"), "7");
    assert_string_equal(text_at("/data/a"), "1");
    write_one(map, 0, true);
    assert_string_equal(text_at("/metadata/resourceVersion"), "");
    close_view();
}

TEST(items_of_lists_have_no_type)
{
    open_view("/api/v1/configmaps", YL_FORM_OBJECT);
    write_item(map, 7);
    assert_string_equal(text_at("/kind"), "");
    assert_string_equal(text_at("/metadata/resourceVersion"), "7");
    yl_buf_clear(&out);
    yl_view_write_list_head(&view, 9, &out);
    assert_str_equal(yl_buf_str(&out),
                     "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\","
                     "\"metadata\":{\"resourceVersion\":\"9\"},\"items\":");
    yl_buf_clear(&out);
    yl_view_write_list_head(&view, 0, &out);
    assert_str_equal(yl_buf_str(&out),
                     "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\","
                     "\"items\":");
    close_view();
}

TEST(metadata_have_a_kind_of_their_own)
{
    open_view("/api/v1/configmaps", YL_FORM_PARTIAL);
    write_one(map, 7, true);
    assert_string_equal(text_at("/apiVersion"), "meta.k8s.io/v1");
    assert_string_equal(text_at("/kind"), "PartialObjectMetadata");
    assert_string_equal(text_at("/metadata/name"), "m");
    assert_string_equal(text_at("/data"), "");
    yl_buf_clear(&out);
    yl_view_write_list_head(&view, 9, &out);
    assert_str_equal(yl_buf_str(&out),
                     "{\"kind\":\"PartialObjectMetadataList\","
                     "\"apiVersion\":\"meta.k8s.io/v1\","
                     "\"metadata\":{\"resourceVersion\":\"9\"},\"items\":");
    close_view();
}

TEST(tables_have_rows_with_what_was_asked_for)
{
    open_view("/api/v1/configmaps", YL_FORM_TABLE);
    write_one(map, 7, true);
    assert_string_equal(text_at("/kind"), "Table");
    assert_string_equal(text_at("/metadata/resourceVersion"), "7");
    assert_string_equal(text_at("/columnDefinitions/0/name"), "Name");
    assert_string_equal(text_at("/rows/0/cells/0"), "m");
    assert_string_equal(text_at("/rows/0/object/kind"),
                        "PartialObjectMetadata");
    write_one(map, 7, false);
    assert_string_equal(text_at("/columnDefinitions"), "null");

    /* Of a dry run, which has no revision. */
    write_one(map, 0, false);
    assert_string_equal(text_at("/metadata"), "{}");
    close_view();

    assert_int_equal(open_view("/api/v1/configmaps?includeObject=Object",
                               YL_FORM_TABLE), 0);
    write_item(map, 7);
    assert_string_equal(text_at("/object/kind"), "ConfigMap");
    assert_string_equal(text_at("/object/data/a"), "1");
    close_view();

    assert_int_equal(open_view("/api/v1/configmaps?includeObject=None",
                               YL_FORM_TABLE), 0);
    write_item(map, 7);
    assert_string_equal(text_at("/object"), "null");
    close_view();

    assert_int_equal(open_view("/api/v1/configmaps?includeObject=some",
                               YL_FORM_TABLE), YL_EBADREQUEST);
    close_view();
    assert_int_equal(open_view("/api/v1/configmaps?includeObject=some",
                               YL_FORM_OBJECT), 0);
    close_view();
}

TEST(a_table_can_be_of_the_old_version)
{
    rig_open();
    rig_request_init(&req, "/api/v1/configmaps");
    req.accept = (struct yl_accept) { .form = YL_FORM_TABLE, .v1beta1 = true };
    yl_buf_init(&out, 1 << 20);
    assert_int_equal(yl_view_init(&view, &req, req.accept.list, NULL), 0);
    yl_view_write_list_head(&view, 9, &out);
    yl_buf_append_c(&out, "[]}");
    rig.body = yl_buf_str(&out);
    assert_string_equal(text_at("/apiVersion"), "meta.k8s.io/v1beta1");
    assert_string_equal(text_at("/metadata/resourceVersion"), "9");
    assert_string_equal(text_at("/rows"), "[]");
    close_view();
}

TEST(other_versions_are_converted)
{
    static const char stored[] =
        "{\"metadata\":{\"name\":\"h\",\"namespace\":\"n\"},\"spec\":{"
        "\"maxReplicas\":3,\"scaleTargetRef\":{\"kind\":\"A\",\"name\":"
        "\"a\"},\"metrics\":[{\"type\":\"Resource\",\"resource\":{\"name\":"
        "\"cpu\",\"target\":{\"type\":\"Utilization\","
        "\"averageUtilization\":80}}}]}}";
    struct yl_object *object, *seen;

    open_view("/apis/autoscaling/v2/horizontalpodautoscalers",
              YL_FORM_OBJECT);
    object = rig_object(stored);
    assert_int_equal(yl_view_convert(req.arena, req.resource, req.version,
                                     object, NULL, &seen, NULL), 0);
    assert_ptr_equal(seen, object);
    yl_object_unref(seen);
    yl_object_unref(object);
    close_view();

    open_view("/apis/autoscaling/v1/horizontalpodautoscalers",
              YL_FORM_OBJECT);
    write_one(stored, 7, true);
    assert_string_equal(text_at("/apiVersion"), "autoscaling/v1");
    assert_string_equal(text_at("/spec/targetCPUUtilizationPercentage"),
                        "80");
    assert_string_equal(text_at("/spec/metrics"), "");
    close_view();
}
