/* Tests of objects in protobuf. */

#include "schema/protobuf.h"

#include "all_kinds.h"
#include "base/arena.h"
#include "base/buf.h"
#include "json/tree.h"
#include "schema/normalize.h"
#include "schema/wire.h"
#include "schema_set.h"
#include "unit.h"
#include "yuloh/api/answers_v1.h"
#include "yuloh/error.h"
#include "yuloh/json.h"

/* all_kinds.h declares the sets; this is the one kind that is named here. */
extern const struct yl_kind core_v1_pod_kind;

#define BYTES(TEXT) yl_str_n((TEXT), sizeof(TEXT) - 1)

static struct yl_type_ref
type_of(const struct yl_type_set *set, const char *name)
{
    struct yl_type_ref ref = { set, NULL };
    size_t i;

    for (i = 1; i < set->n_types; i++) {
        if (!strcmp(yl_type_set_text(set, set->types[i].name), name)) {
            ref.type = &set->types[i];
        }
    }
    assert_non_null(ref.type);
    return ref;
}

/* What a message is, before normalising. */
static void
assert_decodes(struct yl_type_ref type, struct yl_str message,
               const char *json)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *root = yl_node_new_object(arena);
    struct yl_error err = YL_ERROR_INIT;
    struct yl_buf text;

    if (yl_protobuf_decode(arena, type, message, root, &err) < 0) {
        fail_msg("%s", yl_error_message(&err));
    }
    yl_buf_init(&text, SIZE_MAX);
    assert_int_equal(yl_node_write_canonical(&text, root), 0);
    assert_str_equal(yl_buf_str(&text), json);
    yl_buf_release(&text);
    yl_arena_free(arena);
}

static void
assert_refused(struct yl_type_ref type, struct yl_str message,
               const char *why)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *root = yl_node_new_object(arena);
    struct yl_error err = YL_ERROR_INIT;

    assert_int_equal(yl_protobuf_decode(arena, type, message, root, &err),
                     YL_EBADREQUEST);
    assert_string_equal(yl_error_message(&err), why);
    yl_error_clear(&err);
    assert_int_equal(yl_protobuf_decode(arena, type, message,
                                        yl_node_new_object(arena), NULL),
                     YL_EBADREQUEST);
    yl_arena_free(arena);
}

static void
assert_no_envelope(struct yl_str bytes, const char *why)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_protobuf_envelope envelope;

    assert_int_equal(yl_protobuf_open(bytes, &envelope, &err),
                     YL_EBADREQUEST);
    assert_string_equal(yl_error_message(&err), why);
    yl_error_clear(&err);
}

TEST(envelopes_say_what_is_in_them)
{
    struct yl_protobuf_envelope e;

    assert_int_equal(
        yl_protobuf_open(BYTES("k8s\0" "\x0a\x09\x0a\x02v1\x12\x03Pod"
                               "\x12\x02\x0a\x00" "\x1a\x01" "e"
                               "\x22\x01t" "\x28\x01"), &e, NULL), 0);
    assert_str_equal(e.api_version, "v1");
    assert_str_equal(e.kind, "Pod");
    assert_int_equal(e.raw.size, 2);
    assert_str_equal(e.content_encoding, "e");
    assert_str_equal(e.content_type, "t");
}

TEST(what_is_no_envelope_is_refused)
{
    assert_no_envelope(YL_STR(""), "empty data");
    assert_no_envelope(YL_STR("{}"), "provided data does not appear to be a "
                       "protobuf message, expected prefix [107 56 115 0]");
    assert_no_envelope(BYTES("k8s\0"), "empty body");
    assert_no_envelope(BYTES("k8s\0\x0a\x05"), "unexpected EOF");
    assert_no_envelope(BYTES("k8s\0\x08\x05"),
                       "proto: wrong wireType = 0 for field TypeMeta");
    assert_no_envelope(BYTES("k8s\0\x10\x05"),
                       "proto: wrong wireType = 0 for field Raw");
    assert_no_envelope(BYTES("k8s\0\x18\x05"),
                       "proto: wrong wireType = 0 for field ContentEncoding");
    assert_no_envelope(BYTES("k8s\0\x20\x05"),
                       "proto: wrong wireType = 0 for field ContentType");
    assert_no_envelope(BYTES("k8s\0\x0a\x02\x08\x01"),
                       "proto: wrong wireType = 0 for field APIVersion");
    assert_no_envelope(BYTES("k8s\0\x0a\x02\x10\x01"),
                       "proto: wrong wireType = 0 for field Kind");
    assert_no_envelope(BYTES("k8s\0\x0a\x03\x12\x01\xff"),
                       "proto: TypeMeta: a string is not UTF-8");
}

TEST(only_types_with_numbers_have_a_form)
{
    struct schema_set *s = schema_set_new("example.com",
                                          "type Root\nname : string\n");

    assert_false(yl_protobuf_has(schema_set_type(s, 1)));
    assert_true(yl_protobuf_has(yl_kind_type(&core_v1_pod_kind)));
    free(s);
}

TEST(scalars_are_read)
{
    struct yl_type_ref meta = type_of(&meta_v1_types, "ObjectMeta");

    assert_decodes(meta, BYTES("\x0a\x01x" "\x38\x96\x01" "\x50\x00"),
                   "{\"deletionGracePeriodSeconds\":0,\"generation\":150,"
                   "\"name\":\"x\"}");
    assert_decodes(meta, BYTES("\x38\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
                   "{\"generation\":-1}");
    /* The last one wins; what is unknown is skipped. */
    assert_decodes(meta, BYTES("\x0a\x01x" "\xa2\x06\x01?" "\x0a\x01y"
                               "\xa3\x06\xa4\x06"), "{\"name\":\"y\"}");
    assert_decodes(type_of(&core_v1_types, "SecurityContext"),
                   BYTES("\x10\x02" "\x30\x00"),
                   "{\"privileged\":true,\"readOnlyRootFilesystem\":false}");
    assert_refused(meta, BYTES("\x08\x01"),
                   "proto: wrong wireType = 0 for field Name");
    assert_refused(meta, BYTES("\x0a\x01\xff"),
                   "proto: field name is not UTF-8");
    assert_refused(meta, BYTES("\x0a\x05x"), "unexpected EOF");
}

TEST(times_have_seconds)
{
    struct yl_type_ref meta = type_of(&meta_v1_types, "ObjectMeta");
    struct yl_type_ref lease = type_of(&coordination_v1_types, "LeaseSpec");

    assert_decodes(meta, BYTES("\x42\x04\x08\x05\x10\x07"),
                   "{\"creationTimestamp\":\"1970-01-01T00:00:05Z\"}");
    assert_decodes(meta, BYTES("\x42\x00"), "{\"creationTimestamp\":null}");
    assert_decodes(meta, BYTES("\x42\x0b\x08\x80\x92\xb8\xc3\x98\xfe\xff\xff"
                               "\xff\x01"), "{\"creationTimestamp\":null}");
    assert_decodes(lease, BYTES("\x1a\x05\x08\x05\x10\xb9\x60"),
                   "{\"acquireTime\":\"1970-01-01T00:00:05.000012Z\"}");
    assert_refused(meta, BYTES("\x42\x07\x08\xff\xff\xff\xff\xff\x7f"),
                   "proto: Timestamp: not a time in the years 0 to 9999");
    assert_refused(meta, BYTES("\x42\x03\x0a\x01x"),
                   "proto: wrong wireType = 2 for field of Timestamp");
    assert_refused(meta, BYTES("\x40\x03"),
                   "proto: wrong wireType = 0 for field CreationTimestamp");
}

TEST(values_with_forms_of_their_own_are_read)
{
    struct yl_type_ref action = type_of(&core_v1_types, "HTTPGetAction");
    struct yl_type_ref empty_dir = type_of(&core_v1_types,
                                           "EmptyDirVolumeSource");

    assert_decodes(action, BYTES("\x12\x04\x08\x00\x10\x50"), "{\"port\":80}");
    assert_decodes(action, BYTES("\x12\x06\x08\x01\x1a\x02ok"),
                   "{\"port\":\"ok\"}");
    assert_decodes(action, BYTES("\x12\x00"), "{\"port\":0}");
    assert_refused(action, BYTES("\x12\x02\x08\x05"),
                   "impossible IntOrString.Type");
    assert_refused(action, BYTES("\x12\x02\x18\x05"),
                   "proto: wrong wireType = 0 for field Port");
    assert_decodes(empty_dir, BYTES("\x12\x05\x0a\x03" "1Gi"),
                   "{\"sizeLimit\":\"1Gi\"}");
    assert_decodes(empty_dir, BYTES("\x12\x00"), "{\"sizeLimit\":\"0\"}");
    assert_refused(empty_dir, BYTES("\x12\x02\x08\x00"),
                   "proto: wrong wireType = 0 for field SizeLimit");
    assert_decodes(type_of(&resource_v1_types, "OpaqueDeviceConfiguration"),
                   BYTES("\x12\x09\x0a\x07{\"a\":1}"),
                   "{\"parameters\":{\"a\":1}}");
    assert_decodes(type_of(&resource_v1_types, "OpaqueDeviceConfiguration"),
                   BYTES("\x12\x00"), "{\"parameters\":null}");
    assert_refused(type_of(&resource_v1_types, "OpaqueDeviceConfiguration"),
                   BYTES("\x12\x03\x0a\x01?"),
                   "invalid character '?' looking for beginning of value");
}

TEST(lists_and_maps_are_read)
{
    struct yl_type_ref meta = type_of(&meta_v1_types, "ObjectMeta");
    struct yl_type_ref context = type_of(&core_v1_types,
                                         "PodSecurityContext");

    assert_decodes(meta, BYTES("\x72\x01" "a" "\x72\x01" "b"),
                   "{\"finalizers\":[\"a\",\"b\"]}");
    assert_decodes(meta, BYTES("\x5a\x06\x0a\x01" "a" "\x12\x01" "1"
                               "\x5a\x03\x0a\x01" "b" "\x5a\x00"
                               "\x5a\x06\x0a\x01" "a" "\x12\x01" "2"),
                   "{\"labels\":{\"\":\"\",\"a\":\"2\",\"b\":\"\"}}");
    assert_decodes(type_of(&core_v1_types, "Secret"),
                   BYTES("\x12\x06\x0a\x01" "a" "\x12\x01\xff"
                         "\x12\x03\x0a\x01" "b"),
                   "{\"data\":{\"a\":\"/w==\",\"b\":\"\"}}");
    /* One by one, and packed. */
    assert_decodes(context, BYTES("\x20\x01" "\x22\x03\x02\x80\x01"),
                   "{\"supplementalGroups\":[1,2,128]}");
    assert_refused(context, BYTES("\x22\x02\x02\x80"), "unexpected EOF");
    assert_refused(meta, BYTES("\x5a\x03\x0a\x01\xff"),
                   "proto: a key is not UTF-8");
    assert_refused(meta, BYTES("\x58\x03"),
                   "proto: wrong wireType = 0 for field Labels");
    /* Lists in maps stand in messages. */
    assert_decodes(type_of(&authentication_v1_types, "UserInfo"),
                   BYTES("\x22\x0b\x0a\x01k\x12\x06\x0a\x01" "a" "\x0a\x01"
                         "b" "\x22\x03\x0a\x01n"),
                   "{\"extra\":{\"k\":[\"a\",\"b\"],\"n\":[]}}");
}

TEST(what_go_embeds_is_a_message)
{
    assert_decodes(type_of(&core_v1_types, "Volume"),
                   BYTES("\x0a\x01v" "\x12\x05\x0a\x03\x0a\x01/"),
                   "{\"hostPath\":{\"path\":\"/\"},\"name\":\"v\"}");
    assert_decodes(type_of(&core_v1_types, "SecretKeySelector"),
                   BYTES("\x0a\x03\x0a\x01s" "\x12\x01k"),
                   "{\"key\":\"k\",\"name\":\"s\"}");
    assert_decodes(type_of(&admissionregistration_v1_types,
                           "NamedRuleWithOperations"),
                   BYTES("\x0a\x01n" "\x12\x08\x0a\x01o\x12\x03\x0a\x01g"),
                   "{\"apiGroups\":[\"g\"],\"operations\":[\"o\"],"
                   "\"resourceNames\":[\"n\"]}");
    assert_refused(type_of(&core_v1_types, "Volume"), BYTES("\x10\x01"),
                   "proto: wrong wireType = 0 for field ");
}

/* A message that comes in parts is one. */
TEST(messages_are_merged)
{
    assert_decodes(type_of(&core_v1_types, "Pod"),
                   BYTES("\x0a\x03\x0a\x01n" "\x0a\x03\x1a\x01s"),
                   "{\"metadata\":{\"name\":\"n\",\"namespace\":\"s\"}}");
}

TEST(schemas_stand_beside_other_things)
{
    struct yl_type_ref schema = type_of(&apiextensions_v1_types,
                                        "JSONSchemaProps");

    assert_decodes(schema, BYTES("\x42\x03\x0a\x01" "1"
                                 "\x49\x00\x00\x00\x00\x00\x00\xf8\x3f"),
                   "{\"default\":1,\"maximum\":1.5}");
    assert_refused(schema, BYTES("\x49\x00\x00\x00\x00\x00\x00\xf8\x7f"),
                   "json: unsupported value: NaN");
    assert_refused(schema, BYTES("\x49\x00\x00\x00\x00\x00\x00\xf0\xff"),
                   "json: unsupported value: -Inf");
    /* items: { 1: schema } or { 2: schemas } */
    assert_decodes(schema, BYTES("\xc2\x01\x07\x0a\x05\x0a\x00\x2a\x01t"),
                   "{\"items\":{\"type\":\"t\"}}");
    assert_decodes(schema, BYTES("\xc2\x01\x07\x12\x03\x2a\x01t\x12\x00"),
                   "{\"items\":[{\"type\":\"t\"},{}]}");
    assert_decodes(schema, BYTES("\xc2\x01\x00"), "{\"items\":null}");
    /* additionalProperties: { 1: bool, 2: schema } */
    assert_decodes(schema, BYTES("\xf2\x01\x02\x08\x01"),
                   "{\"additionalProperties\":true}");
    assert_decodes(schema, BYTES("\xf2\x01\x07\x08\x01\x12\x03\x2a\x01t"),
                   "{\"additionalProperties\":{\"type\":\"t\"}}");
    assert_decodes(schema, BYTES("\xf2\x01\x00"),
                   "{\"additionalProperties\":false}");
    assert_refused(schema, BYTES("\xf2\x01\x02\x10\x01"),
                   "proto: wrong wireType = 0 for field "
                   "AdditionalProperties");
    /* dependencies: { 1: schema, 2: strings } */
    assert_decodes(schema, BYTES("\x82\x02\x08\x0a\x01" "a" "\x12\x03\x12\x01"
                                 "b"), "{\"dependencies\":{\"a\":[\"b\"]}}");
    assert_decodes(type_of(&apiextensions_v1_types,
                           "CustomResourceSubresources"), BYTES("\x0a\x00"),
                   "{\"status\":{}}");
}

static struct yl_str
nested(struct yl_buf *buf, size_t n)
{
    struct yl_buf next;

    while (n--) {
        yl_buf_init(&next, SIZE_MAX);
        yl_wire_put_bytes(&next, 28, yl_buf_str(buf));  /* not */
        yl_buf_release(buf);
        *buf = next;
    }
    return yl_buf_str(buf);
}

TEST(depth_has_a_ceiling)
{
    struct yl_type_ref schema = type_of(&apiextensions_v1_types,
                                        "JSONSchemaProps");
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *root = yl_node_new_object(arena);
    struct yl_buf buf;

    yl_buf_init(&buf, SIZE_MAX);
    assert_int_equal(yl_protobuf_decode(arena, schema, nested(&buf, 990),
                                        root, NULL), 0);
    assert_refused(schema, nested(&buf, 20),
                   "proto: messages are more than 1000 deep");
    yl_buf_release(&buf);
    yl_arena_free(arena);
}

/* Small messages make large trees. */
TEST(memory_has_a_ceiling)
{
    struct yl_type_ref context = type_of(&core_v1_types,
                                         "PodSecurityContext");
    struct yl_arena *arena = yl_arena_new();
    size_t n = 100000;
    struct yl_account account = { .ceiling = 2 * n * sizeof(struct yl_node) };
    struct yl_error err = YL_ERROR_INIT;
    char *zeros = calloc(1, n);
    struct yl_buf buf;

    yl_buf_init(&buf, SIZE_MAX);
    yl_wire_put_bytes(&buf, 4, yl_str_n(zeros, n));
    yl_arena_set_account(arena, &account);
    assert_int_equal(yl_protobuf_decode(arena, context, yl_buf_str(&buf),
                                        yl_node_new_object(arena), &err), 0);
    assert_int_equal(yl_protobuf_decode(arena, context, yl_buf_str(&buf),
                                        yl_node_new_object(arena), &err),
                     YL_ETOOBIG);
    assert_true(account.peak < account.ceiling + (512 << 10));
    yl_error_clear(&err);
    yl_buf_release(&buf);
    free(zeros);
    yl_arena_free(arena);
}

/* What was encoded is decoded to the same. */
static void
assert_again(struct yl_type_ref type, const char *json)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_buf message;

    yl_buf_init(&message, SIZE_MAX);
    yl_protobuf_encode(&message, type, yl_json(yl_str_c(json)), arena);
    assert_decodes(type, yl_buf_str(&message), json);
    yl_buf_release(&message);
    yl_arena_free(arena);
}

TEST(objects_are_written)
{
    assert_again(type_of(&meta_v1_types, "ObjectMeta"),
                 "{\"annotations\":{\"a\\nb\":\"c\\\"\"},"
                 "\"creationTimestamp\":\"2026-01-02T03:04:05Z\","
                 "\"finalizers\":[\"x\",\"\"],"
                 "\"generation\":-3,\"managedFields\":[{\"fieldsV1\":"
                 "{\"f:a\":{}},\"manager\":\"m\"}],\"name\":\"\"}");
    assert_again(type_of(&core_v1_types, "Container"),
                 "{\"env\":[{\"name\":\"E\",\"valueFrom\":{"
                 "\"secretKeyRef\":{\"key\":\"k\",\"name\":\"s\","
                 "\"optional\":false}}}],\"livenessProbe\":{\"httpGet\":"
                 "{\"port\":\"http\"},\"periodSeconds\":7},\"resources\":"
                 "{\"limits\":{\"cpu\":\"1500m\"}},\"stdin\":true}");
    assert_again(type_of(&core_v1_types, "HTTPGetAction"),
                 "{\"port\":8080}");
    assert_again(type_of(&core_v1_types, "Secret"),
                 "{\"data\":{\"a\":\"/w==\",\"b\":\"\"}}");
    assert_again(type_of(&core_v1_types, "PodSecurityContext"),
                 "{\"supplementalGroups\":[1,-2]}");
    assert_again(type_of(&coordination_v1_types, "LeaseSpec"),
                 "{\"acquireTime\":\"2026-01-02T03:04:05.000006Z\"}");
    assert_again(type_of(&authentication_v1_types, "UserInfo"),
                 "{\"extra\":{\"a\":[\"b\",\"c\"],\"d\":[]}}");
    assert_again(type_of(&admissionregistration_v1_types,
                         "NamedRuleWithOperations"),
                 "{\"apiGroups\":[\"g\"],\"operations\":[\"o\"],"
                 "\"resourceNames\":[\"n\"],\"scope\":\"*\"}");
}

TEST(schemas_are_written)
{
    assert_again(type_of(&apiextensions_v1_types, "JSONSchemaProps"),
                 "{\"additionalItems\":false,\"additionalProperties\":"
                 "{\"type\":\"string\"},\"default\":{\"a\":[1]},"
                 "\"dependencies\":{\"a\":[\"b\"],\"c\":{\"title\":"
                 "\"t\"}},\"items\":[{\"type\":\"a\"},{}],"
                 "\"maximum\":1.5}");
    assert_again(type_of(&apiextensions_v1_types, "JSONSchemaProps"),
                 "{\"additionalProperties\":true,\"items\":{\"type\":"
                 "\"string\"}}");
    assert_again(type_of(&apiextensions_v1_types,
                         "CustomResourceSubresources"),
                 "{\"status\":{}}");
}

/* Lists of verbs have a message of their own. */
TEST(discovery_is_written)
{
    assert_again(type_of(&answers_v1_types, "APIResourceList"),
                 "{\"groupVersion\":\"v1\",\"resources\":[{\"kind\":\"Pod\","
                 "\"namespaced\":true,\"verbs\":[\"get\",\"list\"]}]}");
}

TEST(what_is_of_another_type_is_zero)
{
    struct yl_type_ref meta = type_of(&meta_v1_types, "ObjectMeta");
    struct yl_arena *arena = yl_arena_new();
    struct yl_buf message;

    yl_buf_init(&message, SIZE_MAX);
    yl_protobuf_encode(&message, meta,
                       yl_json(YL_STR("{\"name\":1,\"generation\":\"x\","
                                      "\"labels\":[1],\"unknown\":{},"
                                      "\"creationTimestamp\":7}")), arena);
    assert_decodes(meta, yl_buf_str(&message),
                   "{\"creationTimestamp\":null,\"generation\":0,"
                   "\"name\":\"\"}");
    yl_buf_release(&message);
    yl_arena_free(arena);
}

TEST(envelopes_are_written)
{
    struct yl_protobuf_envelope e;
    struct yl_buf buf;
    size_t begun;

    yl_buf_init(&buf, SIZE_MAX);
    begun = yl_protobuf_begin(&buf, YL_STR("apps/v1"), YL_STR("Deployment"));
    yl_buf_append_c(&buf, "message");
    yl_protobuf_end(&buf, begun);
    assert_int_equal(yl_protobuf_open(yl_buf_str(&buf), &e, NULL), 0);
    assert_str_equal(e.api_version, "apps/v1");
    assert_str_equal(e.kind, "Deployment");
    assert_str_equal(e.raw, "message");
    yl_buf_release(&buf);
}
