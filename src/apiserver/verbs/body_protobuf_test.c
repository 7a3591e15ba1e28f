/* Tests of bodies in protobuf. */

#include "apiserver/verbs/body_protobuf.h"

#include "api_rig.h"

#define CONFIG_MAPS "/api/v1/namespaces/default/configmaps"

/* A request with such a body must end in that status. */
static void
ask(int status, const char *method, const char *path, const char *bytes,
    size_t size)
{
    rig.content_type = "application/vnd.kubernetes.protobuf";
    rig.body_size = size;
    if (api(method, path, bytes) != status) {
        fail_msg("%d, not %d: %.*s", rig.status, status,
                 YL_STR_ARG(rig.body));
    }
}

#define ASK(STATUS, METHOD, PATH, BYTES) \
    ask(STATUS, METHOD, PATH, BYTES, sizeof(BYTES) - 1)

#define ENVELOPE(SIZE, KIND) "k8s\0\x0a" SIZE "\x0a\x02v1\x12" KIND

static void
assert_says(const char *text)
{
    assert_non_null(strstr(text_at("/message"), text));
}

TEST(objects_are_read)
{
    rig_open();
    ASK(201, "POST", CONFIG_MAPS,
        ENVELOPE("\x0f", "\x09" "ConfigMap")
        "\x12\x0d\x0a\x03\x0a\x01" "a" "\x12\x06\x0a\x01k\x12\x01v");
    assert_string_equal(text_at("/data"), "{\"k\":\"v\"}");
    ASK(200, "PUT", CONFIG_MAPS "/a",
        ENVELOPE("\x0f", "\x09" "ConfigMap")
        "\x12\x0d\x0a\x03\x0a\x01" "a" "\x12\x06\x0a\x01k\x12\x01w");
    assert_string_equal(text_at("/data"), "{\"k\":\"w\"}");
    rig_close();
}

/* Of DeleteOptions: { 2: preconditions { 1: uid } } */
TEST(options_are_read)
{
    rig_open();
    assert_int_equal(api("POST", CONFIG_MAPS,
                         "{\"metadata\":{\"name\":\"a\"}}"), 201);
    ASK(409, "DELETE", CONFIG_MAPS "/a",
        ENVELOPE("\x13", "\x0d" "DeleteOptions")
        "\x12\x05\x12\x03\x0a\x01u");
    ASK(200, "DELETE", CONFIG_MAPS "/a",
        ENVELOPE("\x13", "\x0d" "DeleteOptions") "\x12\x00");
    rig_close();
}

TEST(what_makes_no_sense_is_refused)
{
    rig_open();
    ASK(400, "POST", CONFIG_MAPS, "{}");
    assert_says("the object provided is unrecognized (must be of type "
                "ConfigMap): provided data does not appear to be a protobuf "
                "message, expected prefix [107 56 115 0] ({})");
    ASK(400, "POST", CONFIG_MAPS, ENVELOPE("\x0f", "\x09" "ConfigMap")
        "\x12\x02\x0a\x03");
    assert_says("ConfigMap in version \"v1\" cannot be handled as a "
                "ConfigMap: unexpected EOF");
    ASK(400, "POST", CONFIG_MAPS, ENVELOPE("\x09", "\x03Pod"));
    assert_says("converting (v1.Pod) to (core.ConfigMap): unknown "
                "conversion");
    ASK(400, "DELETE", CONFIG_MAPS "/a", "k8s\0");
    assert_says("empty body");
    rig_close();
}
