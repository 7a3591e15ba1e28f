/* Tests of validation: the words are kube-apiserver's. */

#include "schema/validate.h"

#include "base/account.h"
#include "compiled_schema.h"
#include "json/tree.h"
#include "schema/field_error.h"
#include "schema_set.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static const char types_text[] =
    "type Root\n"
    "spec required type:minProperties=0 : Spec\n"
    "type Spec\n"
    "b omit : bool\n"
    "i32 omit : int32\n"
    "i64 omit : int64\n"
    "fl omit format=float : double\n"
    "mi omit minimum=1 : int64\n"
    "ma omit maximum=10 : int64\n"
    "emi omit exclusiveMinimum=1 : double\n"
    "ema omit exclusiveMaximum=10 : double\n"
    "mo omit multipleOf=3 : int64\n"
    "mof omit multipleOf=0.1 : double\n"
    "s omit : string\n"
    "smi omit minLength=2 : string\n"
    "sma omit maxLength=3 : string\n"
    "pa omit pattern=^[a-z]+$ : string\n"
    "bad omit pattern=( : string\n"
    "en omit enum=[\"a\",\"b\"] : string\n"
    "ei omit enum=[1,2] : int64\n"
    "eo omit nullable enum=[{\"a\":1}] : raw\n"
    "dt omit : time\n"
    "by omit : bytes\n"
    "q omit : quantity\n"
    "io omit : intOrString\n"
    "any omit : raw\n"
    "emb omit : embedded\n"
    "li omit minItems=2 maxItems=3 each:minimum=1 : [] int64\n"
    "un omit uniqueItems : [] raw\n"
    "se omit set : [] string\n"
    "lm omit listMap=p,q : [] Port\n"
    "ma1 omit minProperties=1 maxProperties=2 : {} int64\n"
    "no omit nullable : string\n"
    "child pointer : Child\n"
    "sc omit schema={\"allOf\":[{\"minimum\":1},{\"maximum\":5}]} : int64\n"
    "sa omit schema={\"anyOf\":[{\"maximum\":1},{\"minimum\":5}]} : int64\n"
    "so omit schema={\"oneOf\":[{\"minimum\":1},{\"maximum\":5}]} : int64\n"
    "sn omit schema={\"not\":{\"enum\":[1]}} : int64\n"
    "sp omit schema={\"anyOf\":[{\"required\":[\"x\"]},"
    "{\"properties\":{\"y\":{\"type\":\"string\",\"pattern\":\"^y\"}},"
    "\"required\":[\"y\"]}],"
    "\"additionalProperties\":{\"nullable\":true,\"type\":\"string\"}} : raw\n"
    "sl omit schema={\"items\":{\"type\":\"object\",\"maxProperties\":1},"
    "\"maxItems\":1} : raw\n"
    "type Child\n"
    "a required type:maxProperties=2 : string\n"
    "z required : string\n"
    "type Port\n"
    "p omit : int32\n"
    "q omit : string\n"
    "r omit : string\n";

static struct schema_set *types;
static struct yl_arena *arena;

/* Knows two patterns. */
static int
match(void *aux, struct yl_str pattern, struct yl_str text,
      struct yl_error *err)
{
    size_t i;

    assert_ptr_equal(aux, &types);
    if (yl_str_equal_c(pattern, "^y")) {
        return yl_str_starts_with(text, YL_STR("y"));
    } else if (!yl_str_equal_c(pattern, "^[a-z]+$")) {
        return yl_error_set(err, YL_EINVALID, "no pattern");
    }
    for (i = 0; i < text.size; i++) {
        if (text.data[i] < 'a' || text.data[i] > 'z') {
            return 0;
        }
    }
    return text.size > 0;
}

static void
setup(void)
{
    types = schema_set_new("", types_text);
    arena = yl_arena_new();
}

static void
teardown(void)
{
    yl_arena_free(arena);
    free(types);
}

/* Validates {"spec": SPEC}; the causes as "REASON FIELD MESSAGE\n"... */
static const char *
faults_of(const char *spec)
{
    struct yl_validate_opts opts = { .match = match, .aux = &types };
    struct yl_error err = YL_ERROR_INIT;
    char *text = yl_arena_printf(arena, "{\"spec\":%s}", spec);
    const char *faults = "";
    struct yl_node *root;
    size_t i;
    int r;

    assert_int_equal(yl_tree_parse(arena, yl_str_c(text), NULL, &root, NULL),
                     0);
    r = yl_validate(schema_set_type(types, 1), root, &opts, &err);
    assert_int_equal(r, err.n_causes ? YL_EINVALID : 0);
    assert_int_equal(r, err.code);
    for (i = 0; i < err.n_causes; i++) {
        faults = yl_arena_printf(arena, "%s%s%s %s %s", faults, i ? "\n" : "",
                                 err.causes[i].reason, err.causes[i].field,
                                 err.causes[i].message);
    }
    yl_error_clear(&err);
    return faults;
}

#define INVALID "FieldValueInvalid "
#define TYPE "FieldValueTypeInvalid "

TEST(what_is_valid_passes)
{
    setup();
    assert_string_equal(faults_of(
        "{\"b\":true,\"i32\":-1,\"i64\":1.0,\"fl\":1,\"mi\":1,\"ma\":10,"
        "\"emi\":1.5,\"ema\":9.5,\"mo\":9,\"mof\":0.3,\"smi\":\"ab\","
        "\"sma\":\"\xc3\xa4\xc3\xb6\xc3\xbc\",\"pa\":\"abc\",\"en\":\"b\","
        "\"ei\":2,\"eo\":{\"a\":1},\"dt\":\"2026-01-01T00:00:00Z\","
        "\"by\":\"aGk=\",\"q\":\"1.5Gi\",\"io\":\"x\",\"any\":[{}],"
        "\"emb\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\"},\"li\":[1,2],"
        "\"un\":[1,\"1\"],\"se\":[\"a\",\"b\"],\"lm\":[{\"p\":1},{\"p\":1,"
        "\"q\":\"x\"}],\"ma1\":{\"k\":1},\"no\":null,\"child\":{\"a\":\"\","
        "\"z\":\"\"},\"sc\":3,\"sa\":6,\"so\":0,\"sn\":2,"
        "\"sp\":{\"y\":\"yes\"},\"sl\":[{}],\"unknown\":{}}"),
        "");
    assert_string_equal(faults_of("{\"q\":5,\"io\":5,\"so\":7}"), "");
    teardown();
}

TEST(types_are_checked)
{
    static const struct {
        const char *spec, *faults;
    } cases[] = {
        { "1", TYPE "spec Invalid value: \"integer\": spec in body must be of "
               "type object: \"integer\"" },
        { "null", TYPE "spec Invalid value: \"null\": spec in body must be of "
                  "type object: \"null\"" },
        { "{\"s\":1}", TYPE "spec.s Invalid value: \"integer\": spec.s in "
                       "body must be of type string: \"integer\"" },
        { "{\"s\":null}", TYPE "spec.s Invalid value: \"null\": spec.s in "
                          "body must be of type string: \"null\"" },
        { "{\"b\":\"x\"}", TYPE "spec.b Invalid value: \"string\": spec.b in "
                           "body must be of type boolean: \"string\"" },
        { "{\"i64\":1.5}",
          TYPE "spec.i64 Invalid value: \"float64\": spec.i64 in body must be "
          "of type int64: \"float64\"\n"
          INVALID "<nil> Invalid value: \"\": Checked value must be of type "
          "integer with format int64 in spec.i64" },
        { "{\"i32\":1.5}",
          TYPE "spec.i32 Invalid value: \"float64\": spec.i32 in body must be "
          "of type int32: \"float64\"\n"
          INVALID "<nil> Invalid value: \"\": Checked value must be of type "
          "integer with format int32 in spec.i32" },
        { "{\"i32\":2147483648}",
          INVALID "<nil> Invalid value: \"\": Checked value must be of type "
          "integer with format int32 in spec.i32" },
        { "{\"fl\":1e39}",
          INVALID "<nil> Invalid value: \"\": Checked value must be of type "
          "number with format float in spec.fl" },
        { "{\"fl\":[]}", TYPE "spec.fl Invalid value: \"array\": spec.fl in "
                         "body must be of type number: \"array\"" },
        { "{\"io\":true}", TYPE "spec.io Invalid value: \"boolean\": spec.io "
                           "in body must be of type integer,string: "
                           "\"boolean\"" },
        { "{\"li\":{}}", TYPE "spec.li Invalid value: \"object\": spec.li in "
                         "body must be of type array: \"object\"" },
        { "{\"dt\":\"x\"}", TYPE "spec.dt Invalid value: \"x\": spec.dt in "
                            "body must be of type date-time: \"x\"" },
        { "{\"dt\":5}", TYPE "spec.dt Invalid value: \"int64\": spec.dt in "
                        "body must be of type date-time: \"int64\"" },
        { "{\"by\":\"x\"}", TYPE "spec.by Invalid value: \"x\": spec.by in "
                            "body must be of type byte: \"x\"" },
    };
    size_t i;

    setup();
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_string_equal(faults_of(cases[i].spec), cases[i].faults);
    }
    teardown();
}

TEST(rules_are_checked)
{
    static const struct {
        const char *spec, *faults;
    } cases[] = {
        { "{\"mi\":0}", INVALID "spec.mi Invalid value: 0: spec.mi in body "
                        "should be greater than or equal to 1" },
        { "{\"ma\":11}", INVALID "spec.ma Invalid value: 11: spec.ma in body "
                         "should be less than or equal to 10" },
        { "{\"emi\":1}", INVALID "spec.emi Invalid value: 1: spec.emi in body "
                         "should be greater than 1" },
        { "{\"ema\":11.5}", INVALID "spec.ema Invalid value: 11.5: spec.ema "
                            "in body should be less than 10" },
        { "{\"mo\":10}", INVALID "spec.mo Invalid value: 10: spec.mo in body "
                         "should be a multiple of 3" },
        { "{\"mof\":0.35}", INVALID "spec.mof Invalid value: 0.35: spec.mof "
                            "in body should be a multiple of 0.1" },
        { "{\"smi\":\"\xc3\xa4\"}",
          INVALID "spec.smi Invalid value: \"\xc3\xa4\": spec.smi in body "
          "should be at least 2 chars long" },
        { "{\"sma\":\"abcd\"}", "FieldValueTooLong spec.sma Too long: may not "
                                "be more than 3 bytes" },
        { "{\"pa\":\"A\"}", INVALID "spec.pa Invalid value: \"A\": spec.pa in "
                            "body should match '^[a-z]+$'" },
        { "{\"bad\":\"A\"}", INVALID "spec.bad Invalid value: \"A\": spec.bad "
                             "in body should match '(, but pattern is "
                             "invalid: no pattern'" },
        { "{\"en\":\"c\"}", "FieldValueNotSupported spec.en Unsupported "
                            "value: \"c\": supported values: \"a\", \"b\"" },
        { "{\"ei\":3}", "FieldValueNotSupported spec.ei Unsupported value: 3: "
                        "supported values: \"1\", \"2\"" },
        { "{\"eo\":{\"a\":2}}",
          "FieldValueNotSupported spec.eo Unsupported value: {\"a\":2}: "
          "supported values: \"{\\\"a\\\":1}\"" },
        { "{\"eo\":null}", "FieldValueNotSupported spec.eo Unsupported value: "
                           "null: supported values: \"{\\\"a\\\":1}\"" },
        { "{\"li\":[0]}",
          INVALID "spec.li[0] Invalid value: 0: spec.li[0] in body should be "
          "greater than or equal to 1\n"
          INVALID "spec.li Invalid value: 1: spec.li in body should have at "
          "least 2 items" },
        { "{\"li\":[1,2,3,4]}", "FieldValueTooMany spec.li Too many: 4: must "
                                "have at most 3 items" },
        { "{\"un\":[{\"a\":1},{\"a\":1}]}",
          INVALID "spec.un Invalid value: \"\": spec.un in body shouldn't "
          "contain duplicates" },
        { "{\"ma1\":{}}", INVALID "spec.ma1 Invalid value: 0: spec.ma1 in "
                          "body should have at least 1 properties" },
        { "{\"ma1\":{\"a\":1,\"b\":2,\"c.d\":\"x\"}}",
          "FieldValueTooMany spec.ma1 Too many: 3: must have at most 2 "
          "items\n"
          TYPE "spec.ma1.c.d Invalid value: \"string\": spec.ma1.c.d in body "
          "must be of type integer: \"string\"" },
        { "{\"child\":{}}", "FieldValueRequired spec.child.a Required value\n"
                            "FieldValueRequired spec.child.z Required value" },
        { "{\"child\":{\"a\":\"\",\"z\":\"\",\"y\":1}}",
          "FieldValueTooMany spec.child Too many: 3: must have at most 2 "
          "items" },
        { "{\"q\":\"x\"}",
          INVALID "spec.q Invalid value: \"x\": spec.q in body should match "
          "'^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|"
          "[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$'" },
    };
    size_t i;

    setup();
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_string_equal(faults_of(cases[i].spec), cases[i].faults);
    }
    teardown();
}

TEST(combined_schemas_are_checked)
{
    static const struct {
        const char *spec, *faults;
    } cases[] = {
        { "{\"sc\":0}",
          INVALID "spec.sc Invalid value: 0: spec.sc in body should be "
          "greater than or equal to 1\n"
          INVALID "<nil> Invalid value: \"\": \"spec.sc\" must validate all "
          "the schemas (allOf)" },
        { "{\"sa\":3}",
          INVALID "<nil> Invalid value: \"\": \"spec.sa\" must validate at "
          "least one schema (anyOf)\n"
          INVALID "spec.sa Invalid value: 3: spec.sa in body should be less "
          "than or equal to 1" },
        { "{\"so\":3}",
          INVALID "<nil> Invalid value: \"\": \"spec.so\" must validate one "
          "and only one schema (oneOf). Found 2 valid alternatives" },
        { "{\"sn\":1}",
          INVALID "<nil> Invalid value: \"\": \"spec.sn\" must not validate "
          "the schema (not)" },
        { "{\"sp\":{\"y\":\"no\"}}",
          INVALID "<nil> Invalid value: \"\": \"spec.sp\" must validate at "
          "least one schema (anyOf)\n"
          INVALID "spec.sp.y Invalid value: \"no\": spec.sp.y in body should "
          "match '^y'" },
        { "{\"sp\":{\"x\":1}}",
          TYPE "spec.sp.x Invalid value: \"integer\": spec.sp.x in body must "
          "be of type string: \"integer\"" },
        { "{\"sl\":[1,{\"a\":1,\"b\":2}]}",
          TYPE "spec.sl[0] Invalid value: \"integer\": spec.sl[0] in body "
          "must be of type object: \"integer\"\n"
          "FieldValueTooMany spec.sl[1] Too many: 2: must have at most 1 "
          "item\n"
          "FieldValueTooMany spec.sl Too many: 2: must have at most 1 item" },
    };
    size_t i;

    setup();
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_string_equal(faults_of(cases[i].spec), cases[i].faults);
    }
    teardown();
}

TEST(roots_have_no_name)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *root;

    setup();
    yl_tree_parse(arena, YL_STR("[]"), NULL, &root, NULL);
    assert_int_equal(yl_validate(schema_set_type(types, 1), root, NULL, &err),
                     YL_EINVALID);
    assert_string_equal(err.causes[0].field, "<nil>");
    assert_string_equal(err.causes[0].message,
                        "Invalid value: \"array\":  in body must be of type "
                        "object: \"array\"");
    yl_error_clear(&err);
    yl_tree_parse(arena, YL_STR("{}"), NULL, &root, NULL);
    assert_int_equal(yl_validate(schema_set_type(types, 1), root, NULL, NULL),
                     YL_EINVALID);
    teardown();
}

TEST(trees_may_stand_below_a_path)
{
    struct yl_field_path path = yl_field_member(NULL, YL_STR("default"));
    struct yl_validate_opts opts = { .path = &path };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *root;

    setup();
    yl_tree_parse(arena, YL_STR("{}"), NULL, &root, NULL);
    assert_int_equal(yl_validate(schema_set_type(types, 1), root, &opts, &err),
                     YL_EINVALID);
    assert_string_equal(err.causes[0].field, "default.spec");
    yl_error_clear(&err);
    teardown();
}

/* Validates 'object' by a compiled schema, as a part of an object at "status".
 */
static const char *
faults_by(const char *schema, const char *object)
{
    struct yl_field_path path = yl_field_member(NULL, YL_STR("status"));
    struct yl_validate_opts opts = { .path = &path };
    struct yl_schema *compiled = schema_of(
        arena, yl_arena_printf(arena, "{'type':'object','properties':{"
                               "'status':%s}}", schema));
    struct yl_type_ref type = yl_schema_type(compiled);
    const struct yl_field *field = yl_type_field(type, YL_STR("status"));
    struct yl_error err = YL_ERROR_INIT;

    yl_validate_value(type.set, &type.set->values[field->value],
                      tree_of(arena, object), &opts, &err);
    yl_schema_unref(compiled);
    return causes_of(arena, &err);
}

TEST(parts_of_objects_are_named_from_there)
{
    arena = yl_arena_new();
    assert_string_equal(
        faults_by("{'type':'object','properties':{'n':{'type':'integer'}}}",
                  "{'n':'x'}"),
        TYPE "status.n Invalid value: \"string\": n in body must be of type "
        "integer: \"string\"");
    assert_string_equal(
        faults_by("{'type':'object','additionalProperties':"
                  "{'type':'object','additionalProperties':"
                  "{'type':'integer'}}}", "{'n':{'m':'x'}}"),
        TYPE "status.n.m Invalid value: \"string\": .n.m in body must be of "
        "type integer: \"string\"");
    assert_string_equal(
        faults_by("{'type':'object','not':{}}", "{}"),
        INVALID "status Invalid value: \"\": \"\" must not validate the "
        "schema (not)");
    assert_string_equal(
        faults_by("{'type':'array','items':{'type':'string'}}", "[1]"),
        TYPE "status[0] Invalid value: \"integer\": [0] in body must be of "
        "type string: \"integer\"");
    yl_arena_free(arena);
}

TEST(faults_come_in_upstreams_order)
{
    arena = yl_arena_new();
    assert_string_equal(
        faults_by("{'type':'object','properties':{'s':{'type':'string',"
                  "'allOf':[{'minLength':9}],'maxLength':2,'format':'ipv4',"
                  "'enum':['x']}}}", "{'s':'abc'}"),
        INVALID "status.s Invalid value: \"abc\": s in body should be at "
        "least 9 chars long\n"
        INVALID "status Invalid value: \"\": \"s\" must validate all the "
        "schemas (allOf). None validated\n"
        "FieldValueTooLong status.s Too long: may not be more than 2 bytes\n"
        TYPE "status.s Invalid value: \"abc\": s in body must be of type "
        "ipv4: \"abc\"\n"
        "FieldValueNotSupported status.s Unsupported value: \"abc\": "
        "supported values: \"x\"");
    assert_string_equal(
        faults_by("{'type':'object','required':['z'],'maxProperties':1,"
                  "'enum':[{}],'properties':{'l':{'type':'array',"
                  "'items':{'type':'string'},'maxItems':0}}}",
                  "{'l':[1],'m':1}"),
        "FieldValueNotSupported status Unsupported value: {\"l\":[1],"
        "\"m\":1}: supported values: \"{}\"\n"
        "FieldValueTooMany status Too many: 2: must have at most 1 item\n"
        TYPE "status.l[0] Invalid value: \"integer\": l[0] in body must be of "
        "type string: \"integer\"\n"
        "FieldValueTooMany status.l Too many: 1: must have at most 0 items\n"
        "FieldValueRequired status.z Required value");

    /* The same fault twice is one. */
    assert_string_equal(
        faults_by("{'type':'object','allOf':[{'required':['a']},"
                  "{'required':['a']}],'properties':{'a':{}}}", "{}"),
        "FieldValueRequired status.a Required value\n"
        INVALID "status Invalid value: \"\": \"\" must validate all the "
        "schemas (allOf). None validated");
    yl_arena_free(arena);
}

TEST(what_is_valid_allocates_nothing)
{
    struct yl_account account = { .ceiling = 0 };
    struct yl_validate_opts opts = { .account = &account };
    struct yl_schema *compiled;

    arena = yl_arena_new();
    compiled = schema_of(
        arena, "{'type':'object','required':['s'],'properties':{"
        "'s':{'type':'string','enum':['a','b'],'maxLength':3,'pattern':'b'},"
        "'n':{'x-kubernetes-int-or-string':true,'anyOf':[{'type':'integer'},"
        "{'type':'string'}]},'l':{'type':'array','items':{'type':'number',"
        "'minimum':1,'multipleOf':0.5}},'t':{'type':'string',"
        "'format':'date-time'},'o':{'type':'object','oneOf':["
        "{'required':['x']},{'required':['y']}],'properties':{'x':{},"
        "'y':{'type':'boolean'}}},'z':{'type':'string','not':{"
        "'enum':['q']}}}}");
    assert_int_equal(yl_validate(
        yl_schema_type(compiled),
        tree_of(arena, "{'s':'b','n':'x','l':[1.5,2.5],"
                "'t':'2026-01-01T00:00:00Z','o':{'y':true},'z':''}"), &opts,
        NULL), 0);
    assert_int_equal(account.peak, 0);
    yl_schema_unref(compiled);
    yl_arena_free(arena);
}
