/* Tests of reading JSONSchemaProps. */

#include "schema/props.h"

#include "base/buf.h"
#include "json/tree.h"
#include "schema/field_error.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static struct yl_arena *arena;

/* What 'json' says; it must be a schema. */
static const struct yl_schema_props *
read_props(const char *json)
{
    const struct yl_schema_props *props = NULL;
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *node;

    yl_arena_free(arena);
    arena = yl_arena_new();
    if (yl_tree_parse(arena, yl_str_c(json), NULL, &node, &err) < 0
        || yl_schema_props_read(arena, node, NULL, &props, &err) < 0) {
        fail_msg("%s: %s", json, yl_error_message(&err));
    }
    return props;
}

static void
done(void)
{
    yl_arena_free(arena);
    arena = NULL;
}

/* Checks the code, the place and the words of a refusal. */
static void
assert_refused(const char *json, int code, const char *field,
               const char *words)
{
    const struct yl_schema_props *props = NULL;
    struct yl_arena *own = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *node;
    char message[256];

    assert_int_equal(yl_tree_parse(own, yl_str_c(json), NULL, &node, &err),
                     0);
    assert_int_equal(yl_schema_props_read(own, node, NULL, &props, &err),
                     code);
    assert_null(props);
    snprintf(message, sizeof message, "%s%s%s", field, field[0] ? ": " : "",
             words);
    assert_string_equal(yl_error_message(&err), message);
    assert_int_equal(err.n_causes, 1);
    assert_string_equal(err.causes[0].field, field);
    assert_string_equal(err.causes[0].message, words);
    yl_error_clear(&err);
    assert_int_equal(yl_schema_props_read(own, node, NULL, &props, NULL),
                     code);
    yl_arena_free(own);
}

static void
assert_text(struct yl_str text, const char *want)
{
    assert_true(yl_str_equal_c(text, want));
}

TEST(each_keyword_has_its_place)
{
    const struct yl_schema_props *p = read_props(
        "{\"type\":\"array\",\"format\":\"f\",\"description\":\"d\\n\","
        "\"nullable\":true,\"items\":{\"type\":\"string\"},"
        "\"default\":[1],\"x-kubernetes-list-type\":\"map\","
        "\"x-kubernetes-list-map-keys\":[\"a\",\"b\"],"
        "\"x-kubernetes-preserve-unknown-fields\":true,"
        "\"x-kubernetes-embedded-resource\":true,"
        "\"x-kubernetes-map-type\":\"granular\","
        "\"allOf\":[{\"type\":\"a\"},{\"type\":\"b\"}],"
        "\"anyOf\":[{}],\"oneOf\":[{}],\"not\":{\"type\":\"c\"},"
        "\"externalDocs\":{\"url\":\"x\"}}");

    assert_text(p->type, "array");
    assert_text(p->format, "f");
    assert_text(p->description, "d\n");
    assert_int_equal(p->kind, YL_VALUE_LIST);
    assert_int_equal(p->flags, YL_SCHEMA_NULLABLE | YL_SCHEMA_PRESERVE
                               | YL_SCHEMA_EMBEDDED);
    assert_text(p->items->type, "string");
    assert_int_equal(p->default_->n, 1);
    assert_int_equal(p->list_type, YL_TOPOLOGY_MAP);
    assert_int_equal(p->map_type, YL_TOPOLOGY_GRANULAR);
    assert_string_equal(p->list_keys, "a,b");
    assert_int_equal(p->all_of.n, 2);
    assert_text(p->all_of.all[1].type, "b");
    assert_int_equal(p->any_of.n, 1);
    assert_int_equal(p->one_of.n, 1);
    assert_text(p->not_->type, "c");
    assert_non_null(yl_node_get(p->node, YL_STR("externalDocs")));
    done();
}

TEST(rules_stand_in_the_order_of_the_text)
{
    const struct yl_schema_rule *rule = read_props(
        "{\"pattern\":\"\\u0061\",\"minimum\":1.5,"
        "\"x-kubernetes-validations\":[{\"rule\":\"a\"},{\"rule\":\"b\"}],"
        "\"uniqueItems\":false,\"exclusiveMaximum\":true,"
        "\"enum\":[1,2],\"example\":{\"x\":1},\"maxLength\":3e0}")->rules;
    static const enum yl_rule_op ops[] = {
        YL_RULE_PATTERN, YL_RULE_MINIMUM, YL_RULE_CEL, YL_RULE_CEL,
        YL_RULE_EXCLUSIVE_MAXIMUM, YL_RULE_ENUM, YL_RULE_EXAMPLE,
        YL_RULE_MAX_LENGTH,
    };
    size_t i;

    assert_text(rule->text, "a");
    assert_true(rule->next->number == 1.5);
    for (i = 0; i < YL_ARRAY_SIZE(ops); i++, rule = rule->next) {
        assert_int_equal(rule->op, ops[i]);
    }
    assert_null(rule);
    done();
}

TEST(properties_are_found_by_name_and_know_whether_they_are_required)
{
    const struct yl_schema_props *p = read_props(
        "{\"required\":[\"a\",\"none\",\"c\"],\"properties\":{"
        "\"c\":{},\"a\":{\"type\":\"string\"},\"b\":{}}}");

    assert_int_equal(p->properties.n, 3);
    assert_text(p->properties.all[0].name, "c");
    assert_text(p->by_name[0]->name, "a");
    assert_text(yl_schema_property(p, YL_STR("a"))->type, "string");
    assert_int_equal(yl_schema_property(p, YL_STR("a"))->flags,
                     YL_SCHEMA_REQUIRED);
    assert_int_equal(yl_schema_property(p, YL_STR("b"))->flags, 0);
    assert_int_equal(yl_schema_property(p, YL_STR("c"))->flags,
                     YL_SCHEMA_REQUIRED);
    assert_null(yl_schema_property(p, YL_STR("none")));
    done();
}

TEST(kinds_follow_from_types)
{
    static const struct {
        const char *json;
        enum yl_value_kind kind;
    } cases[] = {
        { "{\"type\":\"object\"}", YL_VALUE_STRUCT },
        { "{\"type\":\"object\",\"additionalProperties\":{}}", YL_VALUE_MAP },
        { "{\"type\":\"object\",\"additionalProperties\":true}",
          YL_VALUE_MAP },
        { "{\"type\":\"object\",\"additionalProperties\":false}",
          YL_VALUE_STRUCT },
        { "{\"type\":\"object\",\"additionalProperties\":{},"
          "\"properties\":{\"a\":{}}}", YL_VALUE_STRUCT },
        { "{\"type\":\"array\"}", YL_VALUE_LIST },
        { "{\"type\":\"string\"}", YL_VALUE_STRING },
        { "{\"type\":\"string\",\"format\":\"byte\"}", YL_VALUE_BYTES },
        { "{\"type\":\"string\",\"format\":\"date-time\"}", YL_VALUE_TIME },
        { "{\"type\":\"boolean\"}", YL_VALUE_BOOL },
        { "{\"type\":\"integer\"}", YL_VALUE_INT64 },
        { "{\"type\":\"integer\",\"format\":\"int32\"}", YL_VALUE_INT32 },
        { "{\"type\":\"number\"}", YL_VALUE_DOUBLE },
        { "{\"type\":\"odd\"}", YL_VALUE_RAW },
        { "{}", YL_VALUE_RAW },
        { "{\"properties\":{\"a\":{}}}", YL_VALUE_STRUCT },
        { "{\"additionalProperties\":{}}", YL_VALUE_MAP },
        { "{\"items\":{}}", YL_VALUE_LIST },
        { "{\"items\":[{}]}", YL_VALUE_RAW },
        { "{\"x-kubernetes-int-or-string\":true,\"type\":\"string\"}",
          YL_VALUE_INT_OR_STRING },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        assert_int_equal(read_props(cases[i].json)->kind, cases[i].kind);
    }
    done();
}

TEST(null_is_as_good_as_absent)
{
    const struct yl_schema_props *p = read_props(
        "{\"type\":null,\"minimum\":null,\"default\":null,\"items\":null,"
        "\"nullable\":null,\"not\":null}");

    assert_text(p->type, "");
    assert_null(p->rules);
    assert_null(p->default_);
    assert_null(p->items);
    assert_null(p->not_);
    assert_int_equal(p->flags, 0);
    done();
}

TEST(what_a_kind_says_needs_no_rule)
{
    const struct yl_schema_props *p = read_props(
        "{\"x-kubernetes-int-or-string\":true,\"pattern\":\"x\","
        "\"anyOf\":[{\"type\":\"integer\"},{\"type\":\"string\"}],"
        "\"oneOf\":[{\"type\":\"integer\",\"minimum\":1},"
        "{\"type\":\"string\"}]}");

    assert_true(yl_schema_is_said(p, p->kind, YL_STR("anyOf")));
    assert_false(yl_schema_is_said(p, p->kind, YL_STR("oneOf")));
    assert_false(yl_schema_is_said(p, p->kind, YL_STR("pattern")));
    assert_true(yl_schema_is_said(p, YL_VALUE_QUANTITY, YL_STR("pattern")));
    assert_false(yl_schema_is_quantity(p));
    p = read_props("{\"type\":\"string\",\"format\":\"byte\","
                   "\"properties\":{},\"items\":{}}");
    assert_true(yl_schema_is_said(p, p->kind, YL_STR("type")));
    assert_true(yl_schema_is_said(p, p->kind, YL_STR("format")));
    assert_false(yl_schema_is_said(p, YL_VALUE_STRING, YL_STR("format")));
    assert_false(yl_schema_is_said(p, p->kind, YL_STR("properties")));
    assert_false(yl_schema_is_said(p, p->kind, YL_STR("items")));
    assert_false(yl_schema_is_said(p, p->kind, YL_STR("externalDocs")));
    p = read_props("{\"pattern\":\"^(\\\\+|-)?(([0-9]+(\\\\.[0-9]*)?)|x)$\"}");
    assert_true(yl_schema_is_quantity(p));
    done();
}

TEST(faults_have_their_place)
{
    assert_refused("1", YL_EINVALID, "", "a schema must be an object");
    assert_refused("{\"properties\":{\"a\":{\"items\":{\"minimum\":\"1\"}}}}",
                   YL_EINVALID, "properties[a].items.minimum",
                   "must be a number");
    assert_refused("{\"allOf\":[{},{\"not\":[]}]}", YL_EINVALID,
                   "allOf[1].not", "a schema must be an object");
    assert_refused("{\"maxLength\":1.5}", YL_EINVALID, "maxLength",
                   "must be a whole number of 64 bits");
    assert_refused("{\"maxItems\":1e19}", YL_EINVALID, "maxItems",
                   "must be a whole number of 64 bits");
    assert_refused("{\"uniqueItems\":1}", YL_EINVALID, "uniqueItems",
                   "must be true or false");
    assert_refused("{\"nullable\":\"yes\"}", YL_EINVALID, "nullable",
                   "must be true or false");
    assert_refused("{\"pattern\":1}", YL_EINVALID, "pattern",
                   "must be a text");
    assert_refused("{\"type\":[\"string\"]}", YL_EINVALID, "type",
                   "must be a text");
    assert_refused("{\"title\":\"a\\u0000b\"}", YL_EINVALID, "title",
                   "a text with a NUL in it is not supported");
    assert_refused("{\"properties\":{\"\\u0000\":{}}}", YL_EINVALID,
                   "properties", "the name of a property has a NUL in it");
    assert_refused("{\"default\":{\"a\":[1e999]}}", YL_EINVALID, "default",
                   "has a number that is too large");
    assert_refused("{\"enum\":[1e999]}", YL_EINVALID, "enum",
                   "has a number that is too large");
    assert_refused("{\"items\":[{\"minimum\":1e999}]}", YL_EINVALID, "items",
                   "has a number that is too large");
    assert_refused("{\"externalDocs\":-1e999}", YL_EINVALID, "externalDocs",
                   "has a number that is too large");
    assert_refused("{\"x-kubernetes-validations\":[{\"a\":1e999}]}",
                   YL_EINVALID, "x-kubernetes-validations",
                   "has a number that is too large");
    assert_refused("{\"minimum\":1e999}", YL_EINVALID, "minimum",
                   "must be a number");
    assert_refused("{\"enum\":{}}", YL_EINVALID, "enum", "must be an array");
    assert_refused("{\"properties\":[]}", YL_EINVALID, "properties",
                   "must be an object of schemas");
    assert_refused("{\"anyOf\":{}}", YL_EINVALID, "anyOf",
                   "must be an array of schemas");
    assert_refused("{\"required\":\"a\"}", YL_EINVALID, "required",
                   "must be an array of texts");
    assert_refused("{\"required\":[1]}", YL_EINVALID, "required",
                   "must be an array of texts");
    assert_refused("{\"additionalProperties\":1}", YL_EINVALID,
                   "additionalProperties", "a schema must be an object");
    assert_refused("{\"x-kubernetes-validations\":{}}", YL_EINVALID,
                   "x-kubernetes-validations", "must be an array of rules");
    assert_refused("{\"x-kubernetes-validations\":[1]}", YL_EINVALID,
                   "x-kubernetes-validations", "a rule must be an object");
    assert_refused("{\"x-kubernetes-list-type\":1}", YL_EINVALID,
                   "x-kubernetes-list-type", "must be a text");
    assert_refused("{\"x-kubernetes-map-type\":1}", YL_EINVALID,
                   "x-kubernetes-map-type", "must be a text");
    assert_refused("{\"x-kubernetes-list-map-keys\":{}}", YL_EINVALID,
                   "x-kubernetes-list-map-keys", "must be an array of texts");
    assert_refused("{\"x-kubernetes-list-map-keys\":[1]}", YL_EINVALID,
                   "x-kubernetes-list-map-keys", "must be a text");
    assert_refused("{\"x-kubernetes-list-map-keys\":[\"a,b\"]}", YL_EINVALID,
                   "x-kubernetes-list-map-keys",
                   "a key with a comma in it is not supported");
}

TEST(a_place_may_stand_below_a_path)
{
    struct yl_field_path path = yl_field_member(NULL, YL_STR("schema"));
    const struct yl_schema_props *props;
    struct yl_arena *own = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *node;

    yl_tree_parse(own, YL_STR("{\"items\":1}"), NULL, &node, NULL);
    assert_int_equal(yl_schema_props_read(own, node, &path, &props, &err),
                     YL_EINVALID);
    assert_string_equal(err.causes[0].field, "schema.items");
    yl_error_clear(&err);
    yl_arena_free(own);
}

/* 'open', 'n' times, then 'middle', then 'close', 'n' times; freed by the
 * caller. */
static char *
repeat(const char *open, const char *middle, const char *close, size_t n)
{
    struct yl_buf buf;
    size_t i;

    yl_buf_init(&buf, SIZE_MAX);
    for (i = 0; i < n; i++) {
        yl_buf_append_c(&buf, open);
    }
    yl_buf_append_c(&buf, middle);
    for (i = 0; i < n; i++) {
        yl_buf_append_c(&buf, close);
    }
    return yl_buf_detach(&buf);
}

/* Reads and forgets; the code. */
static int
code_of(const char *json, const char *words)
{
    const struct yl_schema_props *props;
    struct yl_arena *own = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *node;
    int r;

    assert_int_equal(yl_tree_parse(own, yl_str_c(json), NULL, &node, NULL),
                     0);
    r = yl_schema_props_read(own, node, NULL, &props, &err);
    if (r < 0) {
        assert_non_null(strstr(yl_error_message(&err), words));
    }
    yl_error_clear(&err);
    yl_arena_free(own);
    return r;
}

TEST(depth_is_bounded)
{
    char *most = repeat("{\"items\":", "{}", "}", YL_SCHEMA_MAX_DEPTH - 1);
    char *more = repeat("{\"not\":", "{}", "}", YL_SCHEMA_MAX_DEPTH);

    assert_int_equal(code_of(most, ""), 0);
    assert_int_equal(code_of(more, "not: schemas are nested deeper than 200"),
                     YL_ETOODEEP);
    free(most);
    free(more);
}

/* {"properties":{"a":{"KEYWORD":[...]},"b":{}}}, with 'n' elements. */
static char *
with_list(const char *keyword, size_t n)
{
    char *list = repeat("{},", "{}", "", n - 1), *text;
    struct yl_buf buf;

    yl_buf_init(&buf, SIZE_MAX);
    yl_buf_printf(&buf, "{\"properties\":{\"a\":{\"%s\":[%s]},\"b\":{}}}",
                  keyword, list);
    text = yl_buf_detach(&buf);
    free(list);
    return text;
}

TEST(the_number_of_schemas_is_bounded)
{
    /* The root, a and b take three. */
    char *most = with_list("allOf", YL_SCHEMA_MAX_SCHEMAS - 3);
    char *more = with_list("anyOf", YL_SCHEMA_MAX_SCHEMAS - 2);

    assert_int_equal(code_of(most, ""), 0);
    assert_int_equal(code_of(more, "properties[a].anyOf: there are more than "
                                   "65535 schemas"), YL_ETOOBIG);
    free(most);
    free(more);
}
