/* Tests of the codec, on a type that has every kind of value, with tables
 * written by hand. */

#include "yuloh/record.h"

#include "base/arena.h"
#include "schema/record.h"
#include "unit.h"
#include "yuloh/error.h"

struct part {
    const char *name;
    int32_t weight;
    const struct part *parts;
    size_t n_parts;
};

struct part_pair {
    const char *key;
    struct part value;
};

struct thing {
    const char *always;
    bool flag;
    const bool *maybe;
    int64_t big;
    const int32_t *count;
    double ratio;
    struct yl_bytes data;
    struct yl_time at;
    const struct yl_time *when;
    struct yl_micro_time micro;
    struct yl_duration wait;
    struct yl_quantity size;
    struct yl_int_or_string port;
    struct yl_raw any;
    struct yl_embedded object;
    struct part part;
    struct part zero;
    const struct part *pointer;
    const char *const *args;
    size_t n_args;
    const int64_t *numbers;
    size_t n_numbers;
    const struct yl_string_pair *labels;
    size_t n_labels;
    const struct yl_strings_pair *extra;
    size_t n_extra;
    const struct part_pair *by_name;
    size_t n_by_name;
    const struct part *must;
    const char *const *list;
    size_t n_list;
};

static const char strings[] =
    "\0always\0any\0args\0at\0big\0byName\0count\0data\0extra\0flag\0labels"
    "\0list\0maybe\0micro\0must\0name\0numbers\0object\0part\0parts\0pointer"
    "\0port\0ratio\0size\0wait\0weight\0when\0zero";

enum {
    VALUE_STRING = 1, VALUE_BOOL, VALUE_INT32, VALUE_INT64, VALUE_DOUBLE,
    VALUE_BYTES, VALUE_TIME, VALUE_MICRO, VALUE_DURATION, VALUE_QUANTITY,
    VALUE_PORT, VALUE_RAW, VALUE_EMBEDDED, VALUE_PART, VALUE_STRINGS,
    VALUE_NUMBERS, VALUE_LABELS, VALUE_EXTRA, VALUE_PARTS, VALUE_BY_NAME,
};

static const struct yl_value values[] = {
    [VALUE_STRING] = { .kind = YL_VALUE_STRING },
    [VALUE_BOOL] = { .kind = YL_VALUE_BOOL },
    [VALUE_INT32] = { .kind = YL_VALUE_INT32 },
    [VALUE_INT64] = { .kind = YL_VALUE_INT64 },
    [VALUE_DOUBLE] = { .kind = YL_VALUE_DOUBLE },
    [VALUE_BYTES] = { .kind = YL_VALUE_BYTES },
    [VALUE_TIME] = { .kind = YL_VALUE_TIME },
    [VALUE_MICRO] = { .kind = YL_VALUE_MICRO_TIME },
    [VALUE_DURATION] = { .kind = YL_VALUE_DURATION },
    [VALUE_QUANTITY] = { .kind = YL_VALUE_QUANTITY },
    [VALUE_PORT] = { .kind = YL_VALUE_INT_OR_STRING },
    [VALUE_RAW] = { .kind = YL_VALUE_RAW },
    [VALUE_EMBEDDED] = { .kind = YL_VALUE_EMBEDDED },
    [VALUE_PART] = { .kind = YL_VALUE_STRUCT, .type = 2 },
    [VALUE_STRINGS] = { .kind = YL_VALUE_LIST, .element = VALUE_STRING,
                        .element_size = sizeof(char *) },
    [VALUE_NUMBERS] = { .kind = YL_VALUE_LIST, .element = VALUE_INT64,
                        .element_size = sizeof(int64_t) },
    [VALUE_LABELS] = { .kind = YL_VALUE_MAP, .element = VALUE_STRING,
                       .element_size = sizeof(struct yl_string_pair) },
    [VALUE_EXTRA] = { .kind = YL_VALUE_MAP, .element = VALUE_STRINGS,
                      .element_size = sizeof(struct yl_strings_pair) },
    [VALUE_PARTS] = { .kind = YL_VALUE_LIST, .element = VALUE_PART,
                      .element_size = sizeof(struct part) },
    [VALUE_BY_NAME] = { .kind = YL_VALUE_MAP, .element = VALUE_PART,
                        .element_size = sizeof(struct part_pair) },
};

#define FIELD(AT, SIZE, VALUE, MEMBER, PRESENCE)                              \
    { .name = (AT), .name_size = (SIZE), .value = VALUE_##VALUE,              \
      .offset = offsetof(struct thing, MEMBER),                               \
      .presence = YL_PRESENCE_##PRESENCE }
#define MANY(AT, SIZE, VALUE, MEMBER, PRESENCE)                               \
    { .name = (AT), .name_size = (SIZE), .value = VALUE_##VALUE,              \
      .offset = offsetof(struct thing, MEMBER),                               \
      .count_offset = offsetof(struct thing, n_##MEMBER),                     \
      .presence = YL_PRESENCE_##PRESENCE }

static const struct yl_field fields[] = {
    { 0 },
    FIELD(1, 6, STRING, always, ALWAYS),
    FIELD(8, 3, RAW, any, OMIT_EMPTY),
    MANY(12, 4, STRINGS, args, OMIT_EMPTY),
    FIELD(17, 2, TIME, at, OMIT_ZERO),
    FIELD(20, 3, INT64, big, OMIT_EMPTY),
    MANY(24, 6, BY_NAME, by_name, OMIT_EMPTY),
    FIELD(31, 5, INT32, count, POINTER),
    FIELD(37, 4, BYTES, data, OMIT_EMPTY),
    MANY(42, 5, EXTRA, extra, OMIT_EMPTY),
    FIELD(48, 4, BOOL, flag, OMIT_EMPTY),
    MANY(53, 6, LABELS, labels, OMIT_EMPTY),
    MANY(60, 4, STRINGS, list, ALWAYS),
    FIELD(65, 5, BOOL, maybe, POINTER),
    FIELD(71, 5, MICRO, micro, OMIT_EMPTY),
    FIELD(77, 4, PART, must, POINTER_ALWAYS),
    MANY(87, 7, NUMBERS, numbers, OMIT_EMPTY),
    FIELD(95, 6, EMBEDDED, object, OMIT_EMPTY),
    FIELD(102, 4, PART, part, OMIT_EMPTY),
    FIELD(113, 7, PART, pointer, POINTER),
    FIELD(121, 4, PORT, port, OMIT_ZERO),
    FIELD(126, 5, DOUBLE, ratio, OMIT_EMPTY),
    FIELD(132, 4, QUANTITY, size, OMIT_EMPTY),
    FIELD(137, 4, DURATION, wait, OMIT_ZERO),
    FIELD(149, 4, TIME, when, POINTER),
    FIELD(154, 4, PART, zero, OMIT_ZERO),
    /* struct part */
    { .name = 82, .name_size = 4, .value = VALUE_STRING,
      .offset = offsetof(struct part, name),
      .presence = YL_PRESENCE_OMIT_EMPTY },
    { .name = 107, .name_size = 5, .value = VALUE_PARTS,
      .offset = offsetof(struct part, parts),
      .count_offset = offsetof(struct part, n_parts),
      .presence = YL_PRESENCE_OMIT_EMPTY },
    { .name = 142, .name_size = 6, .value = VALUE_INT32,
      .offset = offsetof(struct part, weight),
      .presence = YL_PRESENCE_OMIT_EMPTY },
};

static const struct yl_type types[] = {
    { 0 },
    { .fields = 1, .n_fields = 25, .record_size = sizeof(struct thing) },
    { .fields = 26, .n_fields = 3, .record_size = sizeof(struct part) },
};

static const struct yl_type_set set;
static const struct yl_kind thing_kind = {
    .set = &set, .name = "Thing", .type = 1,
};
static const struct yl_kind part_kind = {
    .set = &set, .name = "Part", .type = 2,
};
static const struct yl_kind *const kinds[] = { &thing_kind, &part_kind };
static const struct yl_type_set set = {
    .group = "example.com", .version = "v1", .strings = strings,
    .types = types, .fields = fields, .values = values,
    .kinds = kinds, .n_kinds = 2,
};

static struct yl_arena *arena;

static int
decode_with(const char *text, const struct yl_decode_opts *opts,
            struct thing *thing, struct yl_error *err)
{
    size_t size = strlen(text);
    char *copy = malloc(size + 1);
    struct yl_json json;
    int r;

    /* The record must not point into the text. */
    memcpy(copy, text, size + 1);
    json = yl_json(yl_str_n(copy, size));
    r = yl_record_decode(&thing_kind, json, arena, opts, thing, err);
    memset(copy, 'X', size);
    free(copy);
    return r;
}

/* Decodes 'text' and encodes it again. */
static void
round_trip(const char *text, const char *expected)
{
    struct thing thing, copy;
    struct yl_arena *second = yl_arena_new();

    arena = yl_arena_new();
    assert_int_equal(decode_with(text, NULL, &thing, NULL), 0);
    assert_str_equal(yl_record_encode(&thing_kind, &thing, arena), expected);

    /* A copy is equal and shares nothing. */
    yl_record_copy(&thing_kind, &thing, second, &copy);
    assert_true(yl_record_equal(&thing_kind, &thing, &copy));
    yl_arena_free(arena);
    assert_str_equal(yl_record_encode(&thing_kind, &copy, second), expected);
    yl_arena_free(second);
}

/* 'text' must fail with 'code' and 'message'. */
static void
refuse(const char *text, int code, const char *message)
{
    const struct yl_decode_opts strict = { .refuse_unknown = true };
    struct yl_error err = YL_ERROR_INIT;
    struct thing thing;

    arena = yl_arena_new();
    assert_int_equal(decode_with(text, &strict, &thing, &err), code);
    assert_string_equal(yl_error_message(&err), message);
    assert_int_equal(err.code, code);
    assert_int_equal(decode_with(text, &strict, &thing, NULL), code);
    yl_error_clear(&err);
    yl_arena_free(arena);
}

#define HEAD "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Thing\","
#define EMPTY_TAIL(MICRO) \
    "\"list\":null,\"micro\":" MICRO ",\"must\":null,\"part\":{}," \
    "\"size\":\"0\"}"

TEST(empty_values_are_written_as_their_presence_says)
{
    round_trip("{}", HEAD "\"always\":\"\"," EMPTY_TAIL("null"));
    round_trip("{\"count\":0,\"maybe\":false,\"pointer\":{},\"args\":[],"
               "\"list\":[],\"flag\":false,\"big\":0,\"labels\":{}}",
               HEAD "\"always\":\"\",\"count\":0,\"list\":[],\"maybe\":false,"
               "\"micro\":null,\"must\":null,\"part\":{},\"pointer\":{},"
               "\"size\":\"0\"}");
}

TEST(null_is_absent)
{
    round_trip("{\"always\":null,\"count\":null,\"part\":null,\"list\":null,"
               "\"labels\":null,\"at\":null,\"when\":null}",
               HEAD "\"always\":\"\"," EMPTY_TAIL("null"));
}

TEST(every_kind_of_value_comes_back)
{
    round_trip(
        " { \"kind\" : \"Thing\" , \"zero\":{\"weight\":1}, "
        "\"when\":\"2026-11-15T10:41:00Z\", \"wait\":\"1m30s\", "
        "\"size\":\"100Mi\",\"ratio\":1.5,\"port\":\"http\","
        "\"pointer\":{\"name\":\"p\",\"parts\":[{\"name\":\"q\"},{}]},"
        "\"part\":{\"weight\":-5},\"object\":{\"kind\":\"X\"},"
        "\"numbers\":[1,-2,9223372036854775807],\"must\":{\"weight\":7},"
        "\"micro\":\"2026-11-15T10:41:00.123456Z\",\"maybe\":true,"
        "\"list\":[\"x\"],\"labels\":{\"a\":\"b\",\"c\":\"d\\u0065\"},"
        "\"flag\":true,\"extra\":{\"k\":[\"v\",\"w\"],\"l\":null},"
        "\"data\":\"/wA=\",\"count\":3,\"byName\":{\"one\":{\"weight\":1}},"
        "\"big\":-9223372036854775808,\"at\":\"1970-01-01T00:00:00Z\","
        "\"args\":[\"a\",\"b\",\"c\",\"d\",\"e\"],\"any\":[1, {\"x\":null}],"
        "\"always\":\"\\\"quoted\\\"\",\"apiVersion\":\"example.com/v1\"}",
        HEAD "\"always\":\"\\\"quoted\\\"\",\"any\":[1, {\"x\":null}],"
        "\"args\":[\"a\",\"b\",\"c\",\"d\",\"e\"],"
        "\"at\":\"1970-01-01T00:00:00Z\",\"big\":-9223372036854775808,"
        "\"byName\":{\"one\":{\"weight\":1}},\"count\":3,\"data\":\"/wA=\","
        "\"extra\":{\"k\":[\"v\",\"w\"],\"l\":null},\"flag\":true,"
        "\"labels\":{\"a\":\"b\",\"c\":\"de\"},\"list\":[\"x\"],"
        "\"maybe\":true,\"micro\":\"2026-11-15T10:41:00.123456Z\","
        "\"must\":{\"weight\":7},\"numbers\":[1,-2,9223372036854775807],"
        "\"object\":{\"kind\":\"X\"},\"part\":{\"weight\":-5},"
        "\"pointer\":{\"name\":\"p\",\"parts\":[{\"name\":\"q\"},{}]},"
        "\"port\":\"http\",\"ratio\":1.5,\"size\":\"100Mi\","
        "\"wait\":\"1m30s\",\"when\":\"2026-11-15T10:41:00Z\","
        "\"zero\":{\"weight\":1}}");
}

TEST(numbers_may_stand_for_ports_and_quantities)
{
    round_trip("{\"port\":8080,\"size\":5}",
               HEAD "\"always\":\"\",\"list\":null,\"micro\":null,"
               "\"must\":null,\"part\":{},\"port\":8080,\"size\":\"5\"}");
}

TEST(escaped_member_names_are_understood)
{
    round_trip("{\"fla\\u0067\":true}",
               HEAD "\"always\":\"\",\"flag\":true," EMPTY_TAIL("null"));
}

TEST(unknown_members_are_passed_over_or_refused)
{
    round_trip("{\"nope\":{\"x\":[1]},\"flag\":true}",
               HEAD "\"always\":\"\",\"flag\":true," EMPTY_TAIL("null"));
    refuse("{\"part\":{\"parts\":[{},{\"nope\":1}]}}", YL_EBADREQUEST,
           "unknown field \"part.parts[1].nope\"");
}

TEST(what_an_object_inside_another_calls_itself_is_passed_over)
{
    const struct yl_decode_opts strict = { .refuse_unknown = true };
    struct thing thing;

    arena = yl_arena_new();
    assert_int_equal(decode_with("{\"part\":{\"apiVersion\":\"v1\",\"kind\":"
                                 "\"X\",\"name\":\"n\"}}",
                                 &strict, &thing, NULL), 0);
    assert_string_equal(thing.part.name, "n");
    yl_arena_free(arena);
}

static void
note_unknown(void *aux, struct yl_str path, struct yl_json value)
{
    struct yl_buf *buf = aux;

    yl_buf_printf(buf, "%.*s=%.*s;", YL_STR_ARG(path),
                  YL_STR_ARG(yl_json_raw(value)));
}

TEST(unknown_members_are_reported_when_asked)
{
    struct yl_buf buf;
    struct yl_decode_opts opts = { .on_unknown = note_unknown, .aux = &buf };
    struct thing thing;

    yl_buf_init(&buf, 1000);
    arena = yl_arena_new();
    assert_int_equal(decode_with("{\"x\":1,\"byName\":{\"k\":{\"y\":[2]}}}",
                                 &opts, &thing, NULL), 0);
    assert_str_equal(yl_buf_str(&buf), "x=1;byName.k.y=[2];");
    yl_arena_free(arena);
    yl_buf_release(&buf);
}

TEST(errors_name_the_field)
{
    refuse("[]", YL_ETYPE, "must be an object");
    refuse("{\"flag\":1}", YL_ETYPE, "flag: must be true or false, not a "
                                     "number");
    refuse("{\"part\":{\"parts\":[{},{\"weight\":\"x\"}]}}", YL_ETYPE,
           "part.parts[1].weight: must be an int32, not a string");
    refuse("{\"count\":2147483648}", YL_ERANGE,
           "count: 2147483648 is not an int32");
    refuse("{\"big\":1.5}", YL_ERANGE, "big: 1.5 is not an int64");
    refuse("{\"args\":{}}", YL_ETYPE, "args: must be an array, not an object");
    refuse("{\"args\":[true]}", YL_ETYPE,
           "args[0]: must be a string, not a bool");
    refuse("{\"labels\":[]}", YL_ETYPE,
           "labels: must be an object, not an array");
    refuse("{\"part\":7}", YL_ETYPE, "part: must be an object, not a number");
    refuse("{\"object\":7}", YL_ETYPE,
           "object: must be an object, not a number");
    refuse("{\"port\":true}", YL_ETYPE,
           "port: must be a number or a string, not a bool");
    refuse("{\"size\":true}", YL_ETYPE,
           "size: must be a quantity, not a bool");
    refuse("{\"data\":\"*\"}", YL_EINVALID, "data: illegal base64 data");
    refuse("{\"always\":\"a\\u0000b\"}", YL_EINVALID,
           "always: a string with a NUL in it");
    refuse("{\"always\":\"\\x\"}", YL_ESYNTAX, "always: a broken escape");
    refuse("{\"always\":\"\xff\"}", YL_ESYNTAX, "always: not UTF-8");
    refuse("{\"kind\":\"Other\"}", YL_EBADREQUEST,
           "kind: must be \"Thing\"");
    refuse("{\"apiVersion\":\"v1\"}", YL_EBADREQUEST,
           "apiVersion: must be \"example.com/v1\"");
}

TEST(broken_times_and_amounts_are_errors)
{
    static const char *const broken[] = {
        "{\"at\":\"yesterday\"}", "{\"micro\":\"2026-11-15T10:41:00Z\"}",
        "{\"wait\":\"5\"}", "{\"size\":\"much\"}",
    };
    size_t i;

    arena = yl_arena_new();
    for (i = 0; i < YL_ARRAY_SIZE(broken); i++) {
        struct yl_error err = YL_ERROR_INIT;
        struct thing thing;

        assert_true(decode_with(broken[i], NULL, &thing, &err) < 0);
        assert_non_null(strstr(yl_error_message(&err), ": "));
        yl_error_clear(&err);
    }
    yl_arena_free(arena);
}

TEST(truncated_text_is_an_error_at_every_byte)
{
    static const char text[] =
        "{\"part\":{\"parts\":[{\"name\":\"x\"},null]},\"labels\":{\"a\":"
        "\"b\",\"c\":null},\"any\":[1],\"data\":\"/wA=\",\"port\":5,"
        "\"maybe\":null,\"nope\":{}}";
    size_t size;

    for (size = 0; size < sizeof text - 1; size++) {
        char *copy = malloc(size + 1);
        struct thing thing;

        memcpy(copy, text, size);
        copy[size] = '\0';
        arena = yl_arena_new();
        assert_true(decode_with(copy, NULL, &thing, NULL) < 0);
        yl_arena_free(arena);
        free(copy);
    }
}

TEST(depth_has_a_ceiling)
{
    struct yl_error err = YL_ERROR_INIT;
    struct thing thing;
    struct yl_buf buf;
    int i;

    yl_buf_init(&buf, 1 << 20);
    yl_buf_append_c(&buf, "{\"part\":{");
    for (i = 0; i < 1200; i++) {
        yl_buf_append_c(&buf, "\"parts\":[{");
    }
    for (i = 0; i < 1200; i++) {
        yl_buf_append_c(&buf, "}]");
    }
    yl_buf_append_c(&buf, "}}");
    arena = yl_arena_new();
    assert_int_equal(decode_with(yl_buf_c_str(&buf), NULL, &thing, &err),
                     YL_ETOODEEP);
    yl_error_clear(&err);
    yl_arena_free(arena);
    yl_buf_release(&buf);
}

/* Each pair differs in one thing. */
TEST(records_differ_when_a_value_does)
{
    static const char *const pairs[][2] = {
        { "{}", "{\"flag\":true}" },
        { "{}", "{\"count\":0}" },
        { "{\"count\":1}", "{\"count\":2}" },
        { "{\"big\":1}", "{\"big\":2}" },
        { "{\"ratio\":1}", "{\"ratio\":2}" },
        { "{\"always\":\"a\"}", "{\"always\":\"b\"}" },
        { "{\"data\":\"AA==\"}", "{\"data\":\"AQ==\"}" },
        { "{\"when\":\"2026-11-15T10:41:00Z\"}",
          "{\"when\":\"2026-11-15T10:41:01Z\"}" },
        { "{\"wait\":\"1s\"}", "{\"wait\":\"2s\"}" },
        { "{\"size\":\"1\"}", "{\"size\":\"2\"}" },
        { "{\"port\":1}", "{\"port\":\"1\"}" },
        { "{\"port\":1}", "{\"port\":2}" },
        { "{\"any\":{\"a\":1}}", "{\"any\":{\"a\":2}}" },
        { "{\"part\":{\"weight\":1}}", "{\"part\":{\"weight\":2}}" },
        { "{\"args\":[\"a\"]}", "{\"args\":[\"a\",\"b\"]}" },
        { "{\"args\":[\"a\"]}", "{\"args\":[\"b\"]}" },
        { "{\"labels\":{\"a\":\"b\"}}", "{\"labels\":{\"a\":\"c\"}}" },
        { "{\"labels\":{\"a\":\"b\"}}", "{\"labels\":{\"b\":\"b\"}}" },
        { "{\"labels\":{\"a\":\"b\"}}", "{}" },
        { "{\"extra\":{\"a\":[\"b\"]}}", "{\"extra\":{\"a\":[\"c\"]}}" },
    };
    size_t i;

    arena = yl_arena_new();
    for (i = 0; i < YL_ARRAY_SIZE(pairs); i++) {
        struct thing a, b;

        assert_int_equal(decode_with(pairs[i][0], NULL, &a, NULL), 0);
        assert_int_equal(decode_with(pairs[i][1], NULL, &b, NULL), 0);
        assert_false(yl_record_equal(&thing_kind, &a, &b));
        assert_true(yl_record_equal(&thing_kind, &a, &a));
        assert_true(yl_record_equal(&thing_kind, &b, &b));
    }
    yl_arena_free(arena);
}

TEST(records_are_equal_in_meaning)
{
    struct thing a, b;

    arena = yl_arena_new();
    assert_int_equal(decode_with("{\"always\":\"\",\"args\":[],"
                                 "\"labels\":{\"a\":\"1\",\"b\":\"2\"},"
                                 "\"size\":\"1000m\",\"any\":{\"x\":1.0}}",
                                 NULL, &a, NULL), 0);
    assert_int_equal(decode_with("{\"labels\":{\"b\":\"2\",\"a\":\"1\"},"
                                 "\"size\":\"1\",\"any\":{ \"x\":1}}",
                                 NULL, &b, NULL), 0);
    assert_true(yl_record_equal(&thing_kind, &a, &b));
    yl_arena_free(arena);
}

TEST(any_type_decodes_alone)
{
    struct yl_type_ref ref = { &set, &types[2] };
    struct part part, copy;

    arena = yl_arena_new();
    assert_int_equal(yl_type_decode(ref, yl_json(YL_STR("{\"name\":\"n\"}")),
                                    arena, NULL, &part, NULL), 0);
    assert_string_equal(part.name, "n");
    yl_type_copy(ref, &part, arena, &copy);
    assert_true(yl_type_equal(ref, &part, &copy));
    assert_str_equal(yl_type_encode(ref, &copy, arena), "{\"name\":\"n\"}");
    memset(&part, 0, sizeof part);
    assert_str_equal(yl_type_encode(ref, &part, arena), "{}");
    yl_arena_free(arena);
}
