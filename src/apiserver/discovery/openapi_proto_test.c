/* Tests of OpenAPI v2 as protobuf, read back by a small decoder. */

#include "apiserver/discovery/openapi_proto.h"

#include "apiserver/discovery/openapi_write.h"
#include "registry_unit.h"
#include "unit.h"
#include "yuloh/arena.h"

static uint64_t
read_varint(const unsigned char **p, const unsigned char *end)
{
    uint64_t value = 0;

    for (unsigned shift = 0; ; shift += 7) {
        assert_true(*p < end && shift < 64);
        value |= (uint64_t) (**p & 0x7f) << shift;
        if (!(*(*p)++ & 0x80)) {
            return value;
        }
    }
}

/* The 'n'-th field 'number' of a message: its bytes, or its varint in
 * '*ret_value'. */
static bool
find_field(struct yl_str message, unsigned number, size_t n,
           struct yl_str *ret_bytes, uint64_t *ret_value)
{
    const unsigned char *p = (const unsigned char *) message.data;
    const unsigned char *end = p + message.size;

    while (p < end) {
        uint64_t tag = read_varint(&p, end), value = 0;
        struct yl_str bytes = yl_str_null();

        switch (tag & 7) {
        case 0:
            value = read_varint(&p, end);
            break;

        case 1:
            assert_true(end - p >= 8);
            bytes = yl_str_n((const char *) p, 8);
            p += 8;
            break;

        case 2:
            value = read_varint(&p, end);
            assert_true((uint64_t) (end - p) >= value);
            bytes = yl_str_n((const char *) p, value);
            p += value;
            break;

        default:
            fail_msg("wire type %d", (int) (tag & 7));
        }
        if (tag >> 3 == number && n-- == 0) {
            *ret_bytes = bytes;
            *ret_value = value;
            return true;
        }
    }
    return false;
}

static struct yl_str
field(struct yl_str message, unsigned number)
{
    struct yl_str bytes = yl_str_null();
    uint64_t value = 0;

    if (!find_field(message, number, 0, &bytes, &value)) {
        fail_msg("no field %u", number);
    }
    return bytes;
}

static uint64_t
number(struct yl_str message, unsigned field_number)
{
    struct yl_str bytes = yl_str_null();
    uint64_t value = 0;

    assert_true(find_field(message, field_number, 0, &bytes, &value));
    return value;
}

/* The value of the pair called 'name' in repeated field 'list'. */
static struct yl_str
named(struct yl_str message, unsigned list, const char *name)
{
    struct yl_str pair = yl_str_null();
    uint64_t value = 0;

    for (size_t i = 0; find_field(message, list, i, &pair, &value); i++) {
        if (yl_str_equal_c(field(pair, 1), name)) {
            return field(pair, 2);
        }
    }
    fail_msg("no %s", name);
    return yl_str_null();
}

static struct yl_str
encode(struct yl_buf *buf, const char *json)
{
    yl_buf_init(buf, 1 << 26);
    yl_openapi_encode_v2(buf, yl_str_c(json));
    return yl_buf_str(buf);
}

TEST(scalars_have_their_fields)
{
    struct yl_buf buf;
    struct yl_str m, s, bytes;
    double real;

    m = encode(&buf, "{\"swagger\":\"2.0\",\"info\":{\"title\":\"T\"},"
                     "\"definitions\":{\"A\":{\"type\":\"object\","
                     "\"maximum\":2.5,\"minLength\":300,\"uniqueItems\":true,"
                     "\"default\":{\"a\":1},\"enum\":[\"x\",2],"
                     "\"required\":[\"p\",\"q\"],\"unknown\":1,"
                     "\"title\":\"a\\\"b\"}}}");
    assert_str_equal(field(m, 1), "2.0");
    assert_str_equal(field(field(m, 2), 1), "T");
    s = named(field(m, 9), 1, "A");
    assert_str_equal(field(field(s, 22), 1), "object");
    bytes = field(s, 7);
    memcpy(&real, bytes.data, sizeof real);
    assert_true(real == 2.5);
    assert_int_equal(number(s, 12), 300);
    assert_int_equal(number(s, 16), 1);
    assert_str_equal(field(field(s, 5), 2), "{\"a\":1}");
    assert_str_equal(field(field(s, 20), 2), "\"x\"");
    assert_str_equal(field(s, 19), "p");
    assert_str_equal(field(s, 3), "a\"b");
    yl_buf_release(&buf);
}

TEST(schemas_nest)
{
    struct yl_buf buf;
    struct yl_str s, p;

    s = named(field(encode(&buf,
                           "{\"definitions\":{\"A\":{\"properties\":{"
                           "\"p\":{\"items\":{\"$ref\":\"#/definitions/B\"},"
                           "\"x-kubernetes-list-map-keys\":[\"name\"]},"
                           "\"q\":{\"additionalProperties\":{\"type\":"
                           "\"string\"}},"
                           "\"r\":{\"additionalProperties\":true},"
                           "\"s\\u0041\":{\"allOf\":[{\"type\":\"string\"}]}"
                           "}}}}"), 9), 1, "A");
    p = named(field(s, 25), 1, "p");
    assert_str_equal(field(field(field(p, 23), 1), 1), "#/definitions/B");
    assert_str_equal(field(field(p, 31), 1), "x-kubernetes-list-map-keys");
    assert_str_equal(field(field(field(p, 31), 2), 2), "[\"name\"]");
    assert_str_equal(field(field(field(field(named(field(s, 25), 1, "q"), 21),
                                       1), 22), 1), "string");
    assert_int_equal(number(field(named(field(s, 25), 1, "r"), 21), 2), 1);
    assert_str_equal(field(field(field(named(field(s, 25), 1, "sA"), 24), 22),
                           1), "string");
    yl_buf_release(&buf);
}

TEST(operations_have_parameters_and_responses)
{
    struct yl_buf buf;
    struct yl_str item, op, response, m;

    m = encode(&buf, "{\"paths\":{\"/a/{name}\":{\"parameters\":[{\"in\":"
                     "\"path\",\"name\":\"name\",\"required\":true,"
                     "\"type\":\"string\"}],\"put\":{\"operationId\":\"put\","
                     "\"parameters\":[{\"in\":\"body\",\"name\":\"body\","
                     "\"schema\":{\"$ref\":\"#/definitions/A\"}},"
                     "{\"in\":\"query\",\"name\":\"dryRun\",\"type\":"
                     "\"string\"}],\"responses\":{\"200\":{\"description\":"
                     "\"OK\",\"schema\":{\"$ref\":\"#/definitions/A\"}}},"
                     "\"x-kubernetes-action\":\"put\"}}},"
                     "\"security\":[{\"T\":[\"s\"]}],"
                     "\"securityDefinitions\":{\"T\":{\"type\":\"apiKey\"}}}");
    item = named(field(m, 8), 2, "/a/{name}");
    assert_str_equal(field(field(field(field(field(item, 9), 1), 2), 4), 4),
                     "name");
    op = field(item, 3);
    assert_str_equal(field(op, 5), "put");
    assert_str_equal(field(field(field(field(field(op, 8), 1), 1), 5), 1),
                     "#/definitions/A");
    response = field(named(field(op, 9), 1, "200"), 1);
    assert_str_equal(field(response, 1), "OK");
    assert_str_equal(field(field(field(response, 2), 1), 1),
                     "#/definitions/A");
    assert_str_equal(field(field(op, 13), 1), "x-kubernetes-action");
    assert_str_equal(field(named(field(m, 12), 1, "T"), 1), "s");
    assert_str_equal(field(field(named(field(m, 13), 1, "T"), 2), 1),
                     "apiKey");
    yl_buf_release(&buf);
}

/* Sizes of one, two, three and four bytes. */
TEST(long_messages_have_long_sizes)
{
    static const size_t sizes[] = { 1, 127, 128, 16383, 16384, 2097152 };

    for (size_t i = 0; i < YL_ARRAY_SIZE(sizes); i++) {
        struct yl_buf json, buf;
        struct yl_str s;

        yl_buf_init(&json, 1 << 24);
        yl_buf_append_c(&json, "{\"definitions\":{\"A\":{\"title\":\"");
        memset(yl_buf_reserve(&json, sizes[i]), 'x', sizes[i]);
        yl_buf_commit(&json, sizes[i]);
        yl_buf_append_c(&json, "\"}}}");
        s = named(field(encode(&buf, yl_buf_c_str(&json)), 9), 1, "A");
        assert_int_equal(field(s, 3).size, sizes[i]);
        yl_buf_release(&json);
        yl_buf_release(&buf);
    }
}

TEST(any_bytes_do_no_harm)
{
    static const char *const texts[] = {
        "", "null", "[]", "{\"paths\":3}", "{\"definitions\":{\"A\":[1]",
        "{\"info\":\"x\",\"security\":{\"a\":1},\"swagger\":{}}",
        "{\"definitions\":{\"\\ud800\":{\"type\":1}}}",
    };
    struct yl_buf json, buf;

    for (size_t i = 0; i < YL_ARRAY_SIZE(texts); i++) {
        encode(&buf, texts[i]);
        yl_buf_release(&buf);
    }
    yl_buf_init(&json, 1 << 20);
    yl_buf_append_c(&json, "{\"definitions\":{\"A\":");
    for (size_t i = 0; i < 900; i++) {
        yl_buf_append_c(&json, "{\"items\":");
    }
    encode(&buf, yl_buf_c_str(&json));
    yl_buf_release(&buf);
    yl_buf_release(&json);

    /* A buffer that is too small says so. */
    yl_buf_init(&buf, 16);
    yl_openapi_encode_v2(&buf, YL_STR("{\"swagger\":\"2.0\",\"info\":"
                                      "{\"title\":\"abcdefghijklmnop\"}}"));
    assert_true(yl_buf_error(&buf) < 0);
    yl_buf_release(&buf);
}

TEST(all_definitions_are_there)
{
    struct yl_arena *arena = yl_arena_new();
    struct registry_unit unit;
    struct yl_buf json, buf;
    struct yl_str s;

    registry_unit_init(&unit);
    yl_buf_init(&json, 1 << 26);
    yl_buf_append_c(&json, "{\"definitions\":{");
    yl_openapi_write_v2_definitions(&json,
                                    yl_catalog_make(unit.registry, arena),
                                    NULL);
    yl_buf_append_c(&json, "}}");
    s = named(field(encode(&buf, yl_buf_c_str(&json)), 9), 1,
              "io.k8s.api.apps.v1.Deployment");
    assert_str_equal(field(named(field(s, 25), 1, "spec"), 1),
                     "#/definitions/io.k8s.api.apps.v1.DeploymentSpec");
    yl_buf_release(&json);
    yl_buf_release(&buf);
    yl_arena_free(arena);
    registry_unit_release(&unit);
}
