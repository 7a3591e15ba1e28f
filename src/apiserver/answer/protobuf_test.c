/* Answers in protobuf: read back, by descriptors. */

#include "apiserver/answer/protobuf.h"

#include "api_rig.h"
#include "schema/protobuf.h"
#include "yuloh/api/apps_v1.h"
#include "yuloh/api/autoscaling_v1.h"
#include "yuloh/api/core_v1.h"

#define MAPS "/api/v1/namespaces/default/configmaps"

/* Asks for protobuf; the status. */
static int
ask_as(const char *params, const char *method, const char *path,
       const char *body)
{
    static char header[256];

    snprintf(header, sizeof header, "accept: %s%s\r\n",
             YL_PROTOBUF_MEDIA_TYPE, params);
    rig.headers = header;
    return api(method, path, body);
}

static int
ask(const char *method, const char *path, const char *body)
{
    return ask_as("", method, path, body);
}

static bool
has_type(const char *type)
{
    char line[256];

    snprintf(line, sizeof line, "content-type: %s%s\r\n",
             YL_PROTOBUF_MEDIA_TYPE, type);
    return memmem(rig.head.data, rig.head.size, line, strlen(line)) != NULL;
}

/* Puts the JSON of an envelope, which must be of 'kind', in the place of the
 * answer's body. */
static void
translate(struct yl_str bytes, struct yl_type_ref type, const char *kind)
{
    struct yl_node *root = yl_node_new_object(rig.arena);
    struct yl_protobuf_envelope e;
    struct yl_buf json;

    assert_int_equal(yl_protobuf_open(bytes, &e, NULL), 0);
    assert_str_equal(e.kind, kind);
    assert_int_equal(yl_protobuf_decode(rig.arena, type, e.raw, root,
                                        NULL), 0);
    yl_buf_init(&json, SIZE_MAX);
    yl_node_write(&json, root);
    rig.body = yl_arena_copy(rig.arena, yl_buf_str(&json));
    yl_buf_release(&json);
}

static struct yl_type_ref
list_type(const struct yl_kind *kind)
{
    struct yl_type_ref type = { kind->set,
                                &kind->set->types[kind->list_type] };

    return type;
}

static void
make(const char *name)
{
    char body[256];

    snprintf(body, sizeof body,
             "{\"metadata\":{\"name\":\"%s\"},\"data\":{\"k\":\"v\"}}",
             name);
    assert_int_equal(ask("POST", MAPS, body), 201);
}

TEST(objects_are_answered)
{
    rig_open();
    make("a");
    assert_true(has_type(""));
    translate(rig.body, yl_kind_type(&core_v1_config_map_kind), "ConfigMap");
    assert_string_equal(text_at("/data/k"), "v");
    assert_string_equal(text_at("/metadata/name"), "a");
    rig_close();
}

TEST(failures_are_answered)
{
    rig_open();
    assert_int_equal(ask("GET", MAPS "/none", NULL), 404);
    assert_true(has_type(""));
    translate(rig.body, yl_answer_type(YL_STR("Status")), "Status");
    assert_string_equal(text_at("/code"), "404");
    assert_string_equal(text_at("/details/name"), "none");
    rig_close();
}

TEST(lists_are_answered)
{
    rig_open();
    assert_int_equal(ask("GET", MAPS, NULL), 200);
    translate(rig.body, list_type(&core_v1_config_map_kind), "ConfigMapList");
    assert_string_equal(text_at("/items/0"), "");
    make("a");
    make("b");
    make("c");
    assert_int_equal(ask("GET", MAPS, NULL), 200);
    assert_true(has_type(""));
    translate(rig.body, list_type(&core_v1_config_map_kind), "ConfigMapList");
    assert_string_equal(text_at("/items/2/metadata/name"), "c");
    assert_string_equal(text_at("/metadata/continue"), "");
    assert_true(*text_at("/metadata/resourceVersion"));
    assert_int_equal(ask("GET", MAPS "?limit=2", NULL), 200);
    translate(rig.body, list_type(&core_v1_config_map_kind), "ConfigMapList");
    assert_string_equal(text_at("/items/1/metadata/name"), "b");
    assert_string_equal(text_at("/items/2"), "");
    assert_true(*text_at("/metadata/continue"));
    assert_string_equal(text_at("/metadata/remainingItemCount"), "1");
    rig_close();
}

/* More than what is sent in one piece. */
TEST(large_lists_are_answered)
{
    struct yl_buf body;
    int i;

    rig_open();
    yl_buf_init(&body, SIZE_MAX);
    for (i = 0; i < 8; i++) {
        yl_buf_clear(&body);
        yl_buf_printf(&body, "{\"metadata\":{\"name\":\"m%d\"},\"data\":"
                             "{\"k\":\"%0100000d\"}}", i, 0);
        assert_int_equal(api("POST", MAPS, yl_buf_c_str(&body)), 201);
    }
    yl_buf_release(&body);
    assert_int_equal(ask("GET", MAPS, NULL), 200);
    assert_true(rig.body.size > 800000);
    translate(rig.body, list_type(&core_v1_config_map_kind), "ConfigMapList");
    assert_string_equal(text_at("/items/7/metadata/name"), "m7");
    rig_close();
}

TEST(metadata_alone_are_answered)
{
    static const char one[] = ";as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
    static const char list[] =
        ";as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

    rig_open();
    make("a");
    assert_int_equal(ask_as(one, "GET", MAPS "/a", NULL), 200);
    translate(rig.body, yl_answer_type(YL_STR("PartialObjectMetadata")),
              "PartialObjectMetadata");
    assert_string_equal(text_at("/metadata/name"), "a");
    assert_int_equal(ask_as(list, "GET", MAPS, NULL), 200);
    translate(rig.body, yl_answer_type(YL_STR("PartialObjectMetadataList")),
              "PartialObjectMetadataList");
    assert_string_equal(text_at("/items/0/metadata/name"), "a");
    assert_int_equal(ask_as(";as=Table;v=v1;g=meta.k8s.io", "GET", MAPS,
                            NULL), 406);
    assert_false(has_type(""));
    rig_close();
}

TEST(subresources_and_collections_are_answered)
{
    rig_open();
    assert_int_equal(
        ask("POST", "/apis/apps/v1/namespaces/default/deployments",
            "{\"metadata\":{\"name\":\"w\"},\"spec\":{\"selector\":"
            "{\"matchLabels\":{\"a\":\"b\"}},\"template\":{\"metadata\":"
            "{\"labels\":{\"a\":\"b\"}},\"spec\":{\"containers\":"
            "[{\"name\":\"c\",\"image\":\"i\"}]}}}}"), 201);
    translate(rig.body, yl_kind_type(&apps_v1_deployment_kind), "Deployment");
    assert_string_equal(text_at("/spec/strategy/rollingUpdate/maxSurge"),
                        "25%");
    assert_int_equal(
        ask("GET", "/apis/apps/v1/namespaces/default/deployments/w/scale",
            NULL), 200);
    translate(rig.body, yl_kind_type(&autoscaling_v1_scale_kind), "Scale");
    assert_string_equal(text_at("/spec/replicas"), "1");
    make("a");
    assert_int_equal(ask("DELETE", MAPS, NULL), 200);
    translate(rig.body, list_type(&core_v1_config_map_kind), "ConfigMapList");
    assert_string_equal(text_at("/items/0/metadata/name"), "a");
    rig_close();
}

TEST(discovery_is_answered)
{
    static const char aggregated[] =
        ";g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

    rig_open();
    assert_int_equal(ask("GET", "/api", NULL), 200);
    assert_true(has_type(""));
    translate(rig.body, yl_answer_type(YL_STR("APIVersions")), "APIVersions");
    assert_string_equal(text_at("/versions"), "[\"v1\"]");
    assert_int_equal(ask("GET", "/apis/apps/v1", NULL), 200);
    translate(rig.body, yl_answer_type(YL_STR("APIResourceList")),
              "APIResourceList");
    assert_string_equal(text_at("/groupVersion"), "apps/v1");
    assert_true(*text_at("/resources/0/verbs/0"));
    assert_int_equal(ask_as(aggregated, "GET", "/apis", NULL), 200);
    assert_true(has_type(aggregated));
    translate(rig.body, yl_answer_type(YL_STR("APIGroupDiscoveryList")),
              "APIGroupDiscoveryList");
    assert_true(*text_at("/items/0/versions/0/resources/0/responseKind/kind"));
    /* There is none of what is no object. */
    rig.headers = "accept: application/vnd.kubernetes.protobuf,*/*\r\n";
    assert_int_equal(api("GET", "/version", NULL), 200);
    assert_string_equal(text_at("/major"), "1");
    rig_close();
}
