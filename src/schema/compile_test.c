/* Tests of the schema compiler. */

#include "schema/compile.h"

#include "base/account.h"
#include "base/arena.h"
#include "base/buf.h"
#include "json/tree.h"
#include "schema/default.h"
#include "schema/field_error.h"
#include "schema/openapi.h"
#include "schema/props.h"
#include "schema/prune.h"
#include "schema/strict.h"
#include "unit.h"
#include "yuloh/error.h"

/* A schema with single quotes for double ones; freed by the caller. */
static char *
quoted(const char *text)
{
    char *copy = strdup(text), *at;

    for (at = copy; *at; at++) {
        *at = *at == '\'' ? '"' : *at;
    }
    return copy;
}

/* Compiles 'json'; 0 with a schema, or the code and 'err'. */
static int
compile(struct yl_str json, const struct yl_schema_opts *opts,
        struct yl_schema **schema, struct yl_error *err)
{
    struct yl_arena *arena = yl_arena_new();
    const struct yl_schema_props *props;
    struct yl_node *node;
    int r = yl_tree_parse(arena, json, NULL, &node, err);

    if (r == 0) {
        r = yl_schema_props_read(arena, node, opts ? opts->path : NULL,
                                 &props, err);
    }
    if (r == 0) {
        r = yl_schema_compile(props, opts, schema, err);
    }
    yl_arena_free(arena);
    return r;
}

/* The schema of a text with single quotes. */
static struct yl_schema *
compiled(const char *text)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_schema *schema = NULL;
    char *json = quoted(text);

    if (compile(yl_str_c(json), NULL, &schema, &err) < 0) {
        fail_msg("%s: %s", text, yl_error_message(&err));
    }
    free(json);
    return schema;
}

static void
assert_refused(struct yl_str json, const struct yl_schema_opts *opts,
               int code, const char *words)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_schema *schema = NULL;

    assert_int_equal(compile(json, opts, &schema, &err), code);
    assert_null(schema);
    assert_string_equal(yl_error_message(&err), words);
    assert_int_equal(err.n_causes, 1);
    yl_error_clear(&err);
    assert_int_equal(compile(json, opts, &schema, NULL), code);
}

/* What 'schema' makes of 'text': pruned, without nulls, with defaults; then
 * "|" and what is wrong with it.  Freed by the caller. */
static char *
made_of(const struct yl_schema *schema, const char *text)
{
    struct yl_type_ref type = yl_schema_type(schema);
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    char *json = quoted(text), *at;
    struct yl_node *root;
    struct yl_buf buf;
    size_t i;

    assert_int_equal(yl_tree_parse(arena, yl_str_c(json), NULL, &root, NULL),
                     0);
    yl_prune(type, root, NULL);
    yl_prune_nulls(type, root);
    assert_int_equal(yl_default_apply(arena, type, root, &err), 0);
    yl_validate(type, root, NULL, &err);
    yl_buf_init(&buf, SIZE_MAX);
    yl_node_write_canonical(&buf, root);
    for (i = 0; i < err.n_causes; i++) {
        yl_buf_printf(&buf, "|%s %s", err.causes[i].field,
                      err.causes[i].message);
    }
    yl_error_clear(&err);
    yl_arena_free(arena);
    free(json);
    json = strdup(yl_buf_c_str(&buf));
    for (at = json; *at; at++) {
        *at = *at == '"' ? '\'' : *at;
    }
    yl_buf_release(&buf);
    return json;
}

/* Checks what becomes of objects whose member "a" has the schema 'a'. */
#define assert_makes(A, TEXT, WANT)                                           \
    check_makes("{'type':'object','properties':{'a':" A "}}", TEXT, WANT)
static void
check_makes(const char *schema, const char *text, const char *want)
{
    struct yl_schema *compiled_ = compiled(schema);
    char *made = made_of(compiled_, text);

    assert_string_equal(made, want);
    free(made);
    yl_schema_unref(compiled_);
}

TEST(tables_are_those_of_descriptors)
{
    struct yl_schema *schema = compiled(
        "{'type':'object','required':['b'],'description':'Top','properties':{"
        "'b':{'type':'integer','minimum':1,'exclusiveMinimum':true,"
        "'default':2},"
        "'a':{'type':'array','x-kubernetes-list-type':'map',"
        "'x-kubernetes-list-map-keys':['k','l'],'items':{'type':'object',"
        "'properties':{'k':{'type':'string'},'l':{'type':'string'}}}}}}");
    struct yl_type_ref root = yl_schema_type(schema);
    const struct yl_type_set *set = root.set;
    const struct yl_field *a = yl_type_field(root, YL_STR("a"));
    const struct yl_field *b = yl_type_field(root, YL_STR("b"));
    const struct yl_value *value = &set->values[a->value];
    const struct yl_rule *rule = &set->rules[set->values[b->value].rules];

    assert_int_equal(root.type->n_fields, 2);
    assert_ptr_equal(a + 1, b);
    assert_string_equal(set->group, "");
    assert_false(yl_type_is_kind(root));
    assert_int_equal(value->kind, YL_VALUE_LIST);
    assert_int_equal(value->topology, YL_TOPOLOGY_MAP);
    assert_string_equal(yl_type_set_text(set, value->list_keys), "k,l");
    assert_int_equal(set->values[value->element].kind, YL_VALUE_STRUCT);
    assert_int_equal(b->flags, YL_FIELD_REQUIRED);
    assert_string_equal(yl_type_set_text(set, b->default_), "2");
    assert_int_equal(set->values[b->value].n_rules, 2);
    assert_int_equal(rule[0].op, YL_RULE_EXCLUSIVE_MINIMUM);
    assert_true(rule[0].number == 1);
    assert_int_equal(rule[1].op, YL_RULE_FORMAT);
    assert_int_equal(rule[1].text, 0);
    assert_int_equal(root.type->n_rules, 1);
    assert_int_equal(set->rules[root.type->rules].op, YL_RULE_DESCRIPTION);
    yl_schema_unref(schema);
}

TEST(equal_parts_stand_once)
{
    struct yl_schema *schema = compiled(
        "{'type':'object','properties':{"
        "'a':{'type':'object','properties':{'x':{'type':'string',"
        "'minLength':1}}},"
        "'b':{'type':'array','items':{'type':'object','properties':{"
        "'x':{'minLength':1,'type':'string'}}}}}}");
    struct yl_type_ref root = yl_schema_type(schema);

    /* Row 0, the root, and what has an x. */
    assert_int_equal(root.set->n_types, 3);
    assert_int_equal(root.set->n_fields, 1 + 2 + 1);
    assert_int_equal(root.set->n_values, 1 + 3);
    yl_schema_unref(schema);
}

TEST(equal_schemas_are_equal_whatever_their_order)
{
    struct yl_schema *a = compiled(
        "{'type':'object','properties':{'x':{'type':'string','minLength':1,"
        "'pattern':'p','externalDocs':{'url':'u','description':'d'}},"
        "'y':{'type':'integer'}}}");
    struct yl_schema *b = compiled(
        "{'properties':{'y':{'type':'integer'},'x':{'pattern':'p',"
        "'externalDocs':{'description':'d','url':'u'},"
        "'minLength':1.0,'type':'string'}},'type':'object'}");
    struct yl_schema *c = compiled(
        "{'properties':{'y':{'type':'integer'},'x':{'pattern':'p',"
        "'externalDocs':{'description':'d','url':'u'},"
        "'minLength':2,'type':'string'}},'type':'object'}");

    assert_true(yl_schema_equal(a, b));
    assert_int_equal(yl_schema_hash(a), yl_schema_hash(b));
    assert_int_equal(yl_schema_size(a), yl_schema_size(b));
    assert_false(yl_schema_equal(a, c));
    assert_ptr_equal(yl_schema_ref(a), a);
    assert_null(yl_schema_unref(a));
    assert_null(yl_schema_unref(a));
    assert_null(yl_schema_unref(b));
    assert_null(yl_schema_unref(c));
    assert_null(yl_schema_unref(NULL));
}

TEST(unknown_members_are_pruned)
{
    assert_makes("{'type':'object'}", "{'a':{'x':1},'b':2,'kind':'K'}",
                 "{'a':{},'kind':'K'}");
    assert_makes("{'type':'object','x-kubernetes-preserve-unknown-fields':"
                 "true,'properties':{'k':{'type':'object'}}}",
                 "{'a':{'x':{'y':1},'k':{'z':1}}}",
                 "{'a':{'k':{},'x':{'y':1}}}");
    assert_makes("{'x-kubernetes-preserve-unknown-fields':true}",
                 "{'a':[{'x':1}]}", "{'a':[{'x':1}]}");
    assert_makes("{'type':'array','items':{'type':'object'}}",
                 "{'a':[{'x':1},{}]}", "{'a':[{},{}]}");
    assert_makes("{'type':'array','x-kubernetes-preserve-unknown-fields':true,"
                 "'items':{'type':'object'}}",
                 "{'a':[{'x':1},{}]}", "{'a':[{'x':1},{}]}");
    assert_makes("{'type':'object','additionalProperties':true}",
                 "{'a':{'x':1,'y':{'z':1},'l':[1,{'z':1}]}}",
                 "{'a':{'l':[1,{}],'x':1,'y':{}}}");
    assert_makes("{'type':'object','additionalProperties':{'type':'object'}}",
                 "{'a':{'x':{'y':1}}}", "{'a':{'x':{}}}");
    assert_makes("{'type':'array'}", "{'a':[{'x':1},[{'y':2}],3]}",
                 "{'a':[{},[{}],3]}");
}

TEST(what_says_no_type_may_be_anything)
{
    assert_makes("{'properties':{'x':{'type':'string'}}}", "{'a':5}",
                 "{'a':5}");
    assert_makes("{'properties':{'x':{'type':'string'}}}",
                 "{'a':{'x':5,'y':1}}",
                 "{'a':{'x':5}}|a.x Invalid value: 'integer': a.x in body "
                 "must be of type string: 'integer'");
    assert_makes("{'properties':{'x':{}}}", "{'a':[{'x':1}]}", "{'a':[{}]}");
    assert_makes("{'items':{'type':'string'}}", "{'a':{'x':1}}", "{'a':{}}");
    assert_makes("{'items':{'type':'string'}}", "{'a':['x',1]}",
                 "{'a':['x',1]}|a[1] Invalid value: 'integer': a[1] in body "
                 "must be of type string: 'integer'");
    assert_makes("{'additionalProperties':{'type':'string'}}",
                 "{'a':[{'x':1}]}", "{'a':[{}]}");
    assert_makes("{'additionalProperties':{'type':'string'}}",
                 "{'a':{'x':1}}",
                 "{'a':{'x':1}}|a.x Invalid value: 'integer': a.x in body "
                 "must be of type string: 'integer'");
}

TEST(embedded_resources_keep_what_they_are)
{
    assert_makes("{'type':'object','x-kubernetes-embedded-resource':true,"
                 "'properties':{'spec':{'type':'object'}}}",
                 "{'a':{'apiVersion':'v1','kind':'K','metadata':{'x':1},"
                 "'spec':{'y':1},'z':1}}",
                 "{'a':{'apiVersion':'v1','kind':'K','metadata':{'x':1},"
                 "'spec':{}}}");
}

TEST(defaults_are_put_in)
{
    assert_makes("{'type':'object','default':{},'properties':{"
                 "'x':{'type':'integer','default':5},"
                 "'y':{'type':'string','nullable':true,'default':'z'}}}",
                 "{}", "{'a':{'x':5,'y':'z'}}");
    assert_makes("{'type':'string','default':'d'}", "{'a':null}",
                 "{'a':'d'}");
    assert_makes("{'type':'string','nullable':true,'default':'d'}",
                 "{'a':null}", "{'a':null}");
    assert_makes("{'type':'string'}", "{'a':null}", "{}");
}

TEST(defaults_of_elements_replace_null)
{
    assert_makes("{'type':'array','items':{'type':'string','default':'d'}}",
                 "{'a':[null,'x',null]}", "{'a':['d','x','d']}");
    assert_makes("{'type':'array','items':{'type':'string','nullable':true,"
                 "'default':'d'}}", "{'a':[null]}", "{'a':[null]}");
    assert_makes("{'type':'object','additionalProperties':{'type':'object',"
                 "'default':{},'properties':{'x':{'type':'integer',"
                 "'default':5}}}}",
                 "{'a':{'k':null,'l':{}}}",
                 "{'a':{'k':{'x':5},'l':{'x':5}}}");
    assert_makes("{'type':'object','additionalProperties':{'type':'string'}}",
                 "{'a':{'k':null,'l':''}}", "{'a':{'l':''}}");
    assert_makes("{'type':'object','additionalProperties':true}",
                 "{'a':{'k':null,'l':{'x':1},'m':[{'y':1}]}}",
                 "{'a':{'k':null,'l':{},'m':[{}]}}");
}

TEST(other_members_of_open_objects_stay)
{
    assert_makes("{'type':'object','additionalProperties':true,"
                 "'properties':{'x':{'type':'integer'}}}",
                 "{'a':{'x':1,'y':2,'z':{'w':1}}}",
                 "{'a':{'x':1,'y':2,'z':{}}}");
}

TEST(values_are_validated)
{
    assert_makes("{'type':'integer','format':'int64'}", "{'a':true}",
                 "{'a':true}|a Invalid value: '': a in body must be of type "
                 "int64: ''");
    assert_makes("{'type':'integer'}", "{'a':true}",
                 "{'a':true}|a Invalid value: 'boolean': a in body must be of "
                 "type integer: 'boolean'");
    assert_makes("{'type':'string','enum':['x','y']}", "{'a':'z'}",
                 "{'a':'z'}|a Unsupported value: 'z': supported values: 'x', "
                 "'y'");
    assert_makes("{'type':'object','required':['x']}", "{'a':{}}",
                 "{'a':{}}|a.x Required value");
    assert_makes("{'type':'object','required':['x'],"
                 "'additionalProperties':{'type':'string'}}", "{'a':{}}",
                 "{'a':{}}|a.x Required value");
    assert_makes("{'type':'integer','not':{'enum':[1]}}", "{'a':1}",
                 "{'a':1}|<nil> Invalid value: '': 'a' must not validate the "
                 "schema (not)");
    assert_makes("{'x-kubernetes-int-or-string':true,'anyOf':["
                 "{'type':'integer'},{'type':'string'}]}", "{'a':[]}",
                 "{'a':[]}|a Invalid value: 'array': a in body must be of "
                 "type integer,string: 'array'|<nil> Invalid value: '': 'a' "
                 "must validate at least one schema (anyOf)|a Invalid value: "
                 "'array': a in body must be of type integer: 'array'");
    assert_makes("{'type':'string','anyOf':[{'pattern':'x'},{'enum':['y']}],"
                 "'properties':{'z':{'type':'integer'}}}", "{'a':'y'}",
                 "{'a':'y'}");
    assert_makes("{'type':'object','additionalProperties':{'type':'string'},"
                 "'oneOf':[{'required':['x']},{'required':['y']}]}",
                 "{'a':{'x':'1','y':'2'}}",
                 "{'a':{'x':'1','y':'2'}}|<nil> Invalid value: '': 'a' must "
                 "validate one and only one schema (oneOf). Found 2 valid "
                 "alternatives");
    assert_makes("{'type':'array','items':{'type':'array','items':{"
                 "'type':'integer'}}}", "{'a':[[1],['x']]}",
                 "{'a':[[1],['x']]}|a[1][0] Invalid value: 'string': a[1][0] "
                 "in body must be of type integer: 'string'");
}

TEST(roots_are_objects)
{
    struct yl_field_path path = yl_field_member(NULL, YL_STR("schema"));
    struct yl_schema_opts opts = { .path = &path };

    check_makes("{}", "{'a':1}", "{'a':1}");
    check_makes("{'type':'object','additionalProperties':{'type':'string'}}",
                "{'a':1}", "{'a':1}|a Invalid value: 'integer': a in body "
                "must be of type string: 'integer'");
    check_makes("{'type':'object','minProperties':2}", "{'kind':'K'}",
                "{'kind':'K'}|<nil> Invalid value: 1:  in body should have at "
                "least 2 properties");
    assert_refused(YL_STR("{\"type\":\"array\"}"), NULL, YL_EINVALID,
                   "type: must be object at the root");
    assert_refused(YL_STR("{\"type\":\"array\"}"), &opts, YL_EINVALID,
                   "schema.type: must be object at the root");
    assert_refused(YL_STR("{\"properties\":{\"a\":{\"not\":{\"type\":"
                          "\"odd\"}}}}"), NULL, YL_EINVALID,
                   "properties[a].not.type: must be array, boolean, integer, "
                   "number, object or string");
}

/* A matcher that knows only one pattern that is none. */
static int
match(void *n_calls, struct yl_str pattern, struct yl_str text,
      struct yl_error *err)
{
    ++*(unsigned *) n_calls;
    assert_int_equal(text.size, 0);
    if (yl_str_equal_c(pattern, "(")) {
        return yl_error_set(err, YL_EINVALID, "missing closing )");
    }
    return 0;
}

TEST(patterns_are_tried_by_whoever_knows_them)
{
    unsigned n = 0;
    struct yl_schema_opts opts = { .match = match, .aux = &n };
    struct yl_schema *schema;

    assert_int_equal(compile(YL_STR("{\"properties\":{\"a\":{\"type\":"
                                    "\"string\",\"pattern\":\"x\"}}}"),
                             &opts, &schema, NULL), 0);
    assert_int_equal(n, 1);
    yl_schema_unref(schema);
    assert_refused(YL_STR("{\"properties\":{\"a\":{\"items\":{\"pattern\":"
                          "\"(\"}}}}"), &opts, YL_EINVALID,
                   "properties[a].items.pattern: missing closing )");
    schema = compiled("{'properties':{'a':{'pattern':'('}}}");
    yl_schema_unref(schema);
}

/* 'before', 'n' times 'middle', 'after'. */
static char *
filled(const char *before, const char *middle, size_t n, const char *after,
       size_t *ret_size)
{
    struct yl_buf buf;
    size_t i;

    yl_buf_init(&buf, SIZE_MAX);
    yl_buf_append_c(&buf, before);
    for (i = 0; i < n; i++) {
        yl_buf_append_c(&buf, middle);
    }
    yl_buf_append_c(&buf, after);
    *ret_size = buf.size;
    return yl_buf_detach(&buf);
}

TEST(what_does_not_fit_the_tables_is_refused)
{
    static const struct {
        const char *before, *middle;
        size_t most;
        const char *after, *words;
    } cases[] = {
        { "{\"properties\":{\"", "x", UINT16_MAX, "\":{}}}",
          "properties: the name of a property is longer than 65535 bytes" },
        { "{\"properties\":{\"a\":{\"x-kubernetes-validations\":[", "{},",
          UINT16_MAX - 11, "{}]}}}",
          "properties[a]: there are more than 65535 rules" },
        { "{\"required\":[\"b\",\"a\"],\"title\":\"T\","
          "\"x-kubernetes-validations\":[", "{},", UINT16_MAX - 12, "{}]}",
          "there are more than 65535 rules" },
        { "{\"properties\":{\"a\":{\"description\":\"",
          "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
          YL_SCHEMA_MAX_TEXT / 64 - 1, "\"}}}",
          "properties[a]: the schema has more than 16777216 bytes of text" },
    };
    size_t i, size;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        char *most = filled(cases[i].before, cases[i].middle, cases[i].most,
                            cases[i].after, &size);
        struct yl_schema *schema = NULL;

        assert_int_equal(compile(yl_str_n(most, size), NULL, &schema, NULL),
                         0);
        yl_schema_unref(schema);
        free(most);
        most = filled(cases[i].before, cases[i].middle, cases[i].most + 1,
                      cases[i].after, &size);
        assert_refused(yl_str_n(most, size), NULL, YL_ETOOBIG,
                       cases[i].words);
        free(most);
    }
}

TEST(as_many_types_fit_as_there_are_schemas)
{
    struct yl_schema *schema;
    struct yl_buf buf;
    unsigned i;

    /* Each property is a different struct: two schemas. */
    yl_buf_init(&buf, SIZE_MAX);
    yl_buf_append_c(&buf, "{\"properties\":{");
    for (i = 0; i < YL_SCHEMA_MAX_SCHEMAS / 2; i++) {
        yl_buf_printf(&buf, "%s\"%u\":{\"properties\":{\"%u\":{\"title\":"
                      "\"%u\"}}}", i ? "," : "", i, i, i);
    }
    yl_buf_append_c(&buf, "}}");
    assert_int_equal(compile(yl_buf_str(&buf), NULL, &schema, NULL), 0);
    assert_int_equal(yl_schema_type(schema).set->n_types, i + 3);
    assert_int_equal(yl_schema_type(schema).set->n_values, i * 2 + 1);
    yl_schema_unref(schema);
    yl_buf_release(&buf);
}

/* The OpenAPI of a schema, which leads back to it. */
static char *
written(const struct yl_schema *schema)
{
    struct yl_schema *again = NULL;
    struct yl_buf buf;
    char *text, *at;

    yl_buf_init(&buf, SIZE_MAX);
    yl_openapi_write_type(&buf, YL_OPENAPI_V3, yl_schema_type(schema));
    assert_int_equal(compile(yl_buf_str(&buf), NULL, &again, NULL), 0);
    assert_true(yl_schema_equal(schema, again));
    yl_schema_unref(again);
    text = strdup(yl_buf_c_str(&buf));
    for (at = text; *at; at++) {
        *at = *at == '"' ? '\'' : *at;
    }
    yl_buf_release(&buf);
    return text;
}

TEST(nothing_is_lost_on_the_way_to_openapi)
{
    static const char *const cases[] = {
        "{'type':'object','properties':{'a':{'type':'integer'},"
        "'b':{'type':'integer','format':'int64'},"
        "'c':{'type':'integer','format':'int32'},"
        "'d':{'type':'string','format':'date-time'},"
        "'e':{'type':'number','format':'float'}}}",
        "{'type':'object','properties':{'a':{'type':'array','items':"
        "{'type':'array','items':{'type':'boolean'}},"
        "'x-kubernetes-preserve-unknown-fields':true}},"
        "'x-kubernetes-validations':[{'rule':'true'}]}",
        "{'type':'object','properties':{'a':{"
        "'x-kubernetes-int-or-string':true,'pattern':'x',"
        "'anyOf':[{'type':'integer'},{'type':'string'}]}}}",
        "{'type':'object','properties':{'a':{"
        "'x-kubernetes-preserve-unknown-fields':true}}}",
        "{'type':'object','properties':{'a':{'type':'object',"
        "'x-kubernetes-map-type':'atomic',"
        "'x-kubernetes-embedded-resource':true}}}",
        "{'type':'object','properties':{'a':{'type':'object',"
        "'required':['z'],'externalDocs':{'url':'u'}}}}",
        "{'type':'object','properties':{'a':{'type':'object','properties':{"
        "'b':{'type':'string','default':'x'}},'required':['b'],"
        "'minProperties':1}}}",
        "{'type':'object','properties':{'a':{'type':'array','items':"
        "{'type':'string','default':'x'}}}}",
        "{'type':'object','properties':{'a':{'type':'object',"
        "'additionalProperties':{'type':'integer','default':1},"
        "'default':{}}},'default':{'a':{}}}",
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_schema *schema = compiled(cases[i]);
        char *text = written(schema);

        assert_string_equal(text, cases[i]);
        free(text);
        yl_schema_unref(schema);
    }
}

TEST(kinds_hold_their_schema)
{
    struct yl_schema *schema = compiled("{'type':'object','properties':{"
                                        "'spec':{'type':'object'}}}");
    struct yl_schema_names names = {
        .group = YL_STR("ex.com"), .version = YL_STR("v1"),
        .kind = YL_STR("Foo"), .list_kind = YL_STR("FooList"),
        .plural = YL_STR("foos"), .singular = YL_STR("foo"),
        .flags = YL_KIND_NAMESPACED | YL_KIND_STATUS,
    };
    struct yl_kind *kind = yl_schema_kind_new(schema, &names);
    struct yl_type_ref type;

    yl_schema_unref(schema);
    type = yl_kind_type(kind);
    assert_string_equal(type.set->group, "ex.com");
    assert_string_equal(type.set->version, "v1");
    assert_string_equal(kind->name, "Foo");
    assert_string_equal(kind->list_name, "FooList");
    assert_string_equal(kind->plural, "foos");
    assert_string_equal(kind->singular, "foo");
    assert_int_equal(kind->flags, YL_KIND_NAMESPACED | YL_KIND_STATUS);
    assert_true(yl_type_is_kind(type));
    assert_non_null(yl_type_field(type, YL_STR("spec")));
    yl_schema_kind_free(kind);
    yl_schema_kind_free(NULL);
}

/* What is inside of alternatives, or does not go with a type, is kept once and
 * not at every level. */
static void
check_cost(const char *first, const char *level)
{
    struct yl_account account = { .ceiling = 0 };
    struct yl_schema_opts opts = { .account = &account };
    const char *words = "0123456789abcdef0123456789abcdef\",\"";
    size_t levels = YL_SCHEMA_MAX_DEPTH - 2, i;
    struct yl_schema *schema = NULL;
    struct yl_buf buf;

    yl_buf_init(&buf, SIZE_MAX);
    yl_buf_append_c(&buf, first);
    for (i = 0; i < levels; i++) {
        yl_buf_append_c(&buf, level);
    }
    yl_buf_append_c(&buf, ",\"enum\":[\"");
    while (buf.size < YL_SCHEMA_MAX_TEXT / 8) {
        yl_buf_append_c(&buf, words);
    }
    yl_buf_append_c(&buf, "\"]");
    for (i = 0; i <= levels; i++) {
        yl_buf_append_char(&buf, '}');
    }
    assert_int_equal(compile(yl_buf_str(&buf), &opts, &schema, NULL), 0);
    assert_true(yl_schema_size(schema) < 3 * buf.size);
    assert_true(account.peak < 30 * buf.size);
    yl_schema_unref(schema);
    yl_buf_release(&buf);
}

TEST(cost_grows_with_the_schema)
{
    check_cost("{\"type\":\"object\"", ",\"not\":{\"minProperties\":1");
    check_cost("{\"type\":\"object\",\"title\":\"\"",
               ",\"items\":{\"type\":\"string\"");
}

TEST(memory_is_charged_to_an_account)
{
    struct yl_account account = { .ceiling = (size_t) 1 << 20 };
    struct yl_schema_opts opts = { .account = &account };
    const struct yl_schema_props *props = NULL;
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_schema *schema = NULL;
    struct yl_node *node;
    struct yl_buf buf;
    unsigned i;

    yl_buf_init(&buf, SIZE_MAX);
    yl_buf_append_c(&buf, "{\"properties\":{");
    for (i = 0; i < 20000; i++) {
        yl_buf_printf(&buf, "%s\"%u\":{\"not\":{}}", i ? "," : "", i);
    }
    yl_buf_append_c(&buf, "}}");
    assert_int_equal(yl_tree_parse(arena, yl_buf_str(&buf), NULL, &node,
                                   NULL), 0);
    assert_int_equal(yl_schema_props_read(arena, node, NULL, &props, NULL),
                     0);
    assert_int_equal(yl_schema_compile(props, &opts, &schema, &err),
                     YL_ETOOBIG);
    assert_null(schema);
    assert_int_equal(account.used, 0);
    yl_error_clear(&err);

    /* So is that of the reader, whose arena is the caller's. */
    account = (struct yl_account) { .ceiling = (size_t) 1 << 20 };
    props = NULL;
    yl_arena_set_account(arena, &account);
    assert_int_equal(yl_schema_props_read(arena, node, NULL, &props, &err),
                     YL_ETOOBIG);
    assert_null(props);
    yl_error_clear(&err);
    yl_arena_free(arena);
    yl_buf_release(&buf);
}
