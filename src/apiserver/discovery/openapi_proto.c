/* OpenAPI v2 as protobuf.  See openapi_proto.h. */

#include "apiserver/discovery/openapi_proto.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "json/text.h"
#include "schema/wire.h"
#include "yuloh/arena.h"
#include "yuloh/json.h"

/* How a member is encoded. */
enum form {
    STRING,
    STRINGS,                    /* Repeated. */
    BOOL,
    INT64,
    DOUBLE,
    ANY,                        /* A message with the value's text. */
    ANYS,                       /* Repeated. */
    MESSAGE,
    MESSAGES,                   /* Repeated. */
    WRAPPED,                    /* Alone in a message, as field 1. */
    WRAPPED_STRING,             /* The same for a string. */
    NAMED,                      /* An object of messages: becomes a message
                                 * whose repeated field 'list' holds pairs. */
    NAMED_WRAPPED,              /* The same, with values wrapped. */
    NAMED_STRINGS,              /* An array of objects of arrays of strings:
                                 * security requirements. */
    SCHEMA_OR_BOOL,
    PARAMETERS,
};

struct message;

struct field {
    const char *member;
    unsigned number;
    enum form form;
    const struct message *of;
    unsigned list;              /* Of NAMED. */
};

struct message {
    const struct field *fields; /* The last one has no member. */
    unsigned extensions;        /* The field of members with "x-", or 0. */
};

static const struct message schema;

static const struct field external_docs_fields[] = {
    { "description", 1, STRING, NULL, 0 },
    { "url", 2, STRING, NULL, 0 },
    { NULL, 0, STRING, NULL, 0 },
};
static const struct message external_docs = { external_docs_fields, 3 };

static const struct field schema_fields[] = {
    { "$ref", 1, STRING, NULL, 0 },
    { "format", 2, STRING, NULL, 0 },
    { "title", 3, STRING, NULL, 0 },
    { "description", 4, STRING, NULL, 0 },
    { "default", 5, ANY, NULL, 0 },
    { "multipleOf", 6, DOUBLE, NULL, 0 },
    { "maximum", 7, DOUBLE, NULL, 0 },
    { "exclusiveMaximum", 8, BOOL, NULL, 0 },
    { "minimum", 9, DOUBLE, NULL, 0 },
    { "exclusiveMinimum", 10, BOOL, NULL, 0 },
    { "maxLength", 11, INT64, NULL, 0 },
    { "minLength", 12, INT64, NULL, 0 },
    { "pattern", 13, STRING, NULL, 0 },
    { "maxItems", 14, INT64, NULL, 0 },
    { "minItems", 15, INT64, NULL, 0 },
    { "uniqueItems", 16, BOOL, NULL, 0 },
    { "maxProperties", 17, INT64, NULL, 0 },
    { "minProperties", 18, INT64, NULL, 0 },
    { "required", 19, STRINGS, NULL, 0 },
    { "enum", 20, ANYS, NULL, 0 },
    { "additionalProperties", 21, SCHEMA_OR_BOOL, NULL, 0 },
    { "type", 22, WRAPPED_STRING, NULL, 0 },
    { "items", 23, WRAPPED, &schema, 0 },
    { "allOf", 24, MESSAGES, &schema, 0 },
    { "properties", 25, NAMED, &schema, 1 },
    { "externalDocs", 29, MESSAGE, &external_docs, 0 },
    { "example", 30, ANY, NULL, 0 },
    { NULL, 0, STRING, NULL, 0 },
};
static const struct message schema = { schema_fields, 31 };

static const struct field body_fields[] = {
    { "description", 1, STRING, NULL, 0 },
    { "name", 2, STRING, NULL, 0 },
    { "in", 3, STRING, NULL, 0 },
    { "required", 4, BOOL, NULL, 0 },
    { "schema", 5, MESSAGE, &schema, 0 },
    { NULL, 0, STRING, NULL, 0 },
};
static const struct message body_parameter = { body_fields, 6 };

static const struct field query_fields[] = {
    { "required", 1, BOOL, NULL, 0 },
    { "in", 2, STRING, NULL, 0 },
    { "description", 3, STRING, NULL, 0 },
    { "name", 4, STRING, NULL, 0 },
    { "type", 6, STRING, NULL, 0 },
    { "uniqueItems", 20, BOOL, NULL, 0 },
    { NULL, 0, STRING, NULL, 0 },
};
static const struct message query_parameter = { query_fields, 23 };

static const struct field path_parameter_fields[] = {
    { "required", 1, BOOL, NULL, 0 },
    { "in", 2, STRING, NULL, 0 },
    { "description", 3, STRING, NULL, 0 },
    { "name", 4, STRING, NULL, 0 },
    { "type", 5, STRING, NULL, 0 },
    { "uniqueItems", 19, BOOL, NULL, 0 },
    { NULL, 0, STRING, NULL, 0 },
};
static const struct message path_parameter = { path_parameter_fields, 22 };

static const struct field response_fields[] = {
    { "description", 1, STRING, NULL, 0 },
    { "schema", 2, WRAPPED, &schema, 0 },
    { NULL, 0, STRING, NULL, 0 },
};
static const struct message response = { response_fields, 5 };

static const struct field operation_fields[] = {
    { "tags", 1, STRINGS, NULL, 0 },
    { "summary", 2, STRING, NULL, 0 },
    { "description", 3, STRING, NULL, 0 },
    { "operationId", 5, STRING, NULL, 0 },
    { "produces", 6, STRINGS, NULL, 0 },
    { "consumes", 7, STRINGS, NULL, 0 },
    { "parameters", 8, PARAMETERS, NULL, 0 },
    { "responses", 9, NAMED_WRAPPED, &response, 1 },
    { "schemes", 10, STRINGS, NULL, 0 },
    { NULL, 0, STRING, NULL, 0 },
};
static const struct message operation = { operation_fields, 13 };

static const struct field path_item_fields[] = {
    { "get", 2, MESSAGE, &operation, 0 },
    { "put", 3, MESSAGE, &operation, 0 },
    { "post", 4, MESSAGE, &operation, 0 },
    { "delete", 5, MESSAGE, &operation, 0 },
    { "patch", 8, MESSAGE, &operation, 0 },
    { "parameters", 9, PARAMETERS, NULL, 0 },
    { NULL, 0, STRING, NULL, 0 },
};
static const struct message path_item = { path_item_fields, 10 };

static const struct field info_fields[] = {
    { "title", 1, STRING, NULL, 0 },
    { "version", 2, STRING, NULL, 0 },
    { "description", 3, STRING, NULL, 0 },
    { NULL, 0, STRING, NULL, 0 },
};
static const struct message info = { info_fields, 7 };

static const struct field api_key_fields[] = {
    { "type", 1, STRING, NULL, 0 },
    { "name", 2, STRING, NULL, 0 },
    { "in", 3, STRING, NULL, 0 },
    { "description", 4, STRING, NULL, 0 },
    { NULL, 0, STRING, NULL, 0 },
};
static const struct message api_key = { api_key_fields, 5 };

/* A oneof for the kinds of security, of which we use the second. */
static const struct field security_fields[] = {
    { "", 2, MESSAGE, &api_key, 0 },
    { NULL, 0, STRING, NULL, 0 },
};
static const struct message security = { security_fields, 0 };

static const struct field document_fields[] = {
    { "swagger", 1, STRING, NULL, 0 },
    { "info", 2, MESSAGE, &info, 0 },
    { "paths", 8, NAMED, &path_item, 2 },
    { "definitions", 9, NAMED, &schema, 1 },
    { "security", 12, NAMED_STRINGS, NULL, 1 },
    { "securityDefinitions", 13, NAMED, &security, 1 },
    { NULL, 0, STRING, NULL, 0 },
};
static const struct message document = { document_fields, 16 };

struct encoder {
    struct yl_buf *buf;
    struct yl_arena *arena;     /* For strings with escapes. */
    unsigned depth;
};

static void encode_message(struct encoder *, const struct message *,
                           struct yl_json);
static void encode_field(struct encoder *, const struct field *,
                         struct yl_json);
static void encode_named(struct encoder *, const struct field *,
                         struct yl_json);
static void encode_extension(struct encoder *, unsigned number,
                             struct yl_str name, struct yl_json);
static void encode_parameter(struct encoder *, unsigned number,
                             struct yl_json);
static void encode_requirements(struct encoder *, unsigned number,
                                struct yl_json);
static void put_string(struct encoder *, unsigned number, struct yl_json);
static struct yl_str key_of(struct encoder *, const struct yl_json_iter *);

void
yl_openapi_encode_v2(struct yl_buf *buf, struct yl_str json)
{
    struct encoder e = { buf, yl_arena_new(), 0 };

    encode_message(&e, &document, yl_json(json));
    yl_arena_free(e.arena);
}

static void
encode_message(struct encoder *e, const struct message *message,
               struct yl_json value)
{
    struct yl_json_iter it = yl_json_iter(value);

    if (e->depth >= YL_OPENAPI_PROTO_MAX_DEPTH) {
        return;
    }
    e->depth++;
    if (!*message->fields[0].member) {
        encode_field(e, &message->fields[0], value);
        e->depth--;
        return;
    }
    while (yl_json_next(&it)) {
        struct yl_str key = key_of(e, &it);
        const struct field *field = message->fields;

        while (field->member && !yl_str_equal_c(key, field->member)) {
            field++;
        }
        if (field->member) {
            encode_field(e, field, it.value);
        } else if (message->extensions
                   && yl_str_starts_with(key, YL_STR("x-"))) {
            encode_extension(e, message->extensions, key, it.value);
        }
    }
    e->depth--;
}

static void
encode_field(struct encoder *e, const struct field *field,
             struct yl_json value)
{
    struct yl_json_iter it = yl_json_iter(value);
    size_t start, inner;
    bool truth = false;
    double real = 0;
    int64_t number = 0;

    switch (field->form) {
    case STRING:
        put_string(e, field->number, value);
        break;

    case STRINGS:
        while (yl_json_next(&it)) {
            put_string(e, field->number, it.value);
        }
        break;

    case BOOL:
        yl_json_bool(value, &truth);
        yl_wire_put_varint(e->buf, field->number, truth);
        break;

    case INT64:
        yl_json_int64(value, &number);
        yl_wire_put_varint(e->buf, field->number, (uint64_t) number);
        break;

    case DOUBLE:
        yl_json_double(value, &real);
        yl_wire_put_double(e->buf, field->number, real);
        break;

    case ANY:
        start = yl_wire_open(e->buf, field->number);
        yl_wire_put_bytes(e->buf, 2, yl_json_raw(value));
        yl_wire_close(e->buf, start);
        break;

    case ANYS:
        while (yl_json_next(&it)) {
            start = yl_wire_open(e->buf, field->number);
            yl_wire_put_bytes(e->buf, 2, yl_json_raw(it.value));
            yl_wire_close(e->buf, start);
        }
        break;

    case MESSAGE:
        start = yl_wire_open(e->buf, field->number);
        encode_message(e, field->of, value);
        yl_wire_close(e->buf, start);
        break;

    case MESSAGES:
        while (yl_json_next(&it)) {
            start = yl_wire_open(e->buf, field->number);
            encode_message(e, field->of, it.value);
            yl_wire_close(e->buf, start);
        }
        break;

    case WRAPPED:
        start = yl_wire_open(e->buf, field->number);
        inner = yl_wire_open(e->buf, 1);
        encode_message(e, field->of, value);
        yl_wire_close(e->buf, inner);
        yl_wire_close(e->buf, start);
        break;

    case WRAPPED_STRING:
        start = yl_wire_open(e->buf, field->number);
        put_string(e, 1, value);
        yl_wire_close(e->buf, start);
        break;

    case NAMED:
    case NAMED_WRAPPED:
        encode_named(e, field, value);
        break;

    case NAMED_STRINGS:
        encode_requirements(e, field->number, value);
        break;

    case SCHEMA_OR_BOOL:
        start = yl_wire_open(e->buf, field->number);
        if (yl_json_bool(value, &truth) == 0) {
            yl_wire_put_varint(e->buf, 2, truth);
        } else {
            inner = yl_wire_open(e->buf, 1);
            encode_message(e, &schema, value);
            yl_wire_close(e->buf, inner);
        }
        yl_wire_close(e->buf, start);
        break;

    case PARAMETERS:
        while (yl_json_next(&it)) {
            encode_parameter(e, field->number, it.value);
        }
        break;
    }
}

static void
encode_named(struct encoder *e, const struct field *field,
             struct yl_json value)
{
    size_t start = yl_wire_open(e->buf, field->number), pair, item, inner;
    struct yl_json_iter it = yl_json_iter(value);

    while (yl_json_next(&it)) {
        pair = yl_wire_open(e->buf, field->list);
        yl_wire_put_bytes(e->buf, 1, key_of(e, &it));
        item = yl_wire_open(e->buf, 2);
        if (field->form == NAMED_WRAPPED) {
            inner = yl_wire_open(e->buf, 1);
            encode_message(e, field->of, it.value);
            yl_wire_close(e->buf, inner);
        } else {
            encode_message(e, field->of, it.value);
        }
        yl_wire_close(e->buf, item);
        yl_wire_close(e->buf, pair);
    }
    yl_wire_close(e->buf, start);
}

static void
encode_extension(struct encoder *e, unsigned number, struct yl_str name,
                 struct yl_json value)
{
    size_t start = yl_wire_open(e->buf, number), inner;

    yl_wire_put_bytes(e->buf, 1, name);
    inner = yl_wire_open(e->buf, 2);
    yl_wire_put_bytes(e->buf, 2, yl_json_raw(value));
    yl_wire_close(e->buf, inner);
    yl_wire_close(e->buf, start);
}

/* The type of a parameter's message depends on its "in". */
static void
encode_parameter(struct encoder *e, unsigned number, struct yl_json value)
{
    struct yl_json in = yl_json_get(value, YL_STR("in"));
    size_t item = yl_wire_open(e->buf, number), parameter, non_body, start;

    parameter = yl_wire_open(e->buf, 1);
    if (yl_json_string_is(in, YL_STR("body"))) {
        start = yl_wire_open(e->buf, 1);
        encode_message(e, &body_parameter, value);
        yl_wire_close(e->buf, start);
    } else {
        bool in_path = yl_json_string_is(in, YL_STR("path"));

        non_body = yl_wire_open(e->buf, 2);
        start = yl_wire_open(e->buf, in_path ? 4 : 3);
        encode_message(e, in_path ? &path_parameter : &query_parameter,
                       value);
        yl_wire_close(e->buf, start);
        yl_wire_close(e->buf, non_body);
    }
    yl_wire_close(e->buf, parameter);
    yl_wire_close(e->buf, item);
}

static void
encode_requirements(struct encoder *e, unsigned number, struct yl_json value)
{
    struct yl_json_iter each = yl_json_iter(value);

    while (yl_json_next(&each)) {
        size_t start = yl_wire_open(e->buf, number), pair, strings;
        struct yl_json_iter it = yl_json_iter(each.value);

        while (yl_json_next(&it)) {
            struct yl_json_iter scope = yl_json_iter(it.value);

            pair = yl_wire_open(e->buf, 1);
            yl_wire_put_bytes(e->buf, 1, key_of(e, &it));
            strings = yl_wire_open(e->buf, 2);
            while (yl_json_next(&scope)) {
                put_string(e, 1, scope.value);
            }
            yl_wire_close(e->buf, strings);
            yl_wire_close(e->buf, pair);
        }
        yl_wire_close(e->buf, start);
    }
}

static void
put_string(struct encoder *e, unsigned number, struct yl_json value)
{
    struct yl_str text;

    if (yl_json_string(value, e->arena, &text) == 0) {
        yl_wire_put_bytes(e->buf, number, text);
    }
}

static struct yl_str
key_of(struct encoder *e, const struct yl_json_iter *it)
{
    char *text;
    size_t size;

    if (!it->escaped) {
        return it->key;
    }
    text = yl_arena_alloc(e->arena, it->key.size);
    return yl_json_unescape(it->key, text, &size) == 0
           ? yl_str_n(text, size) : YL_STR("");
}
