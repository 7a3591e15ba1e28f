/* Tests of the schemas of CustomResourceDefinitions, with all causes: what
 * each schema may have, defaults, the form of rules in CEL.  That schemas are
 * structural is tested in schema/structural_test.c. */

#include "builtin_case.h"

/* A definition with one version, whose schema is 'schema'. */
#define CRD(SCHEMA)                                                           \
    "{'metadata':{'name':'foos.x.io'},'spec':{'group':'x.io','scope':"        \
    "'Cluster','names':{'plural':'foos','kind':'Foo'},'versions':[{"          \
    "'name':'v1','served':true,'storage':true,'schema':{"                     \
    "'openAPIV3Schema':" SCHEMA "}}]}}"
#define FIELD(SCHEMA) \
    CRD("{'type':'object','properties':{'a':" SCHEMA "}}")
#define LIST(MORE) FIELD("{'type':'array'," MORE "}")
#define WITH_STATUS(SCHEMA)                                                   \
    "{'metadata':{'name':'foos.x.io'},'spec':{'group':'x.io','scope':"        \
    "'Cluster','names':{'plural':'foos','kind':'Foo'},'versions':[{"          \
    "'name':'v1','served':true,'storage':true,'subresources':{'status':{}},"  \
    "'schema':{'openAPIV3Schema':" SCHEMA "}}]}}"

TEST(keywords_are_checked)
{
    static const struct builtin_case cases[] = {
        { FIELD("{'type':'nope'}"),
          "spec.validation.openAPIV3Schema.properties[a].type: Unsupported "
          "value: \"nope\": supported values: \"array\", \"boolean\", "
          "\"integer\", \"number\", \"object\", \"string\"\n" },
        { FIELD("{'type':'null'}"),
          "spec.validation.openAPIV3Schema.properties[a].type: Unsupported "
          "value: \"null\": supported values: \"array\", \"boolean\", "
          "\"integer\", \"number\", \"object\", \"string\"\n"
          "spec.validation.openAPIV3Schema.properties[a].type: Forbidden: "
          "type cannot be set to null, use nullable as an alternative\n" },
        { FIELD("{'type':'array','uniqueItems':true,'items':"
                "{'type':'string'}}"),
          "spec.validation.openAPIV3Schema.properties[a].uniqueItems: "
          "Forbidden: uniqueItems cannot be set to true since the runtime "
          "complexity becomes quadratic\n" },
        { FIELD("{'type':'object','properties':{'b':{'type':'string'}},"
                "'additionalProperties':{'type':'string'}}"),
          "spec.validation.openAPIV3Schema.properties["
          "a].additionalProperties: Forbidden: additionalProperties and "
          "properties are mutual exclusive\n" },
        { FIELD("{'type':'object','properties':{'b':{'type':'string'}},"
                "'additionalProperties':true}"), "" },
        { FIELD("{'type':'string','id':'x','additionalItems':true,"
                "'patternProperties':{'x':{}},'definitions':{'x':{}},"
                "'dependencies':{},'$ref':'x'}"),
          "spec.validation.openAPIV3Schema.properties[a].id: Forbidden: id is "
          "not supported\n"
          "spec.validation.openAPIV3Schema.properties[a].additionalItems: "
          "Forbidden: additionalItems is not supported\n"
          "spec.validation.openAPIV3Schema.properties[a].patternProperties: "
          "Forbidden: patternProperties is not supported\n"
          "spec.validation.openAPIV3Schema.properties[a].definitions: "
          "Forbidden: definitions is not supported\n"
          "spec.validation.openAPIV3Schema.properties[a].dependencies: "
          "Forbidden: dependencies is not supported\n"
          "spec.validation.openAPIV3Schema.properties[a].$ref: Forbidden: "
          "$ref is not supported\n" },
        { FIELD("{'type':'string','definitions':{'x':{'id':'y'}},"
                "'dependencies':{'x':{'type':'nope'},'y':['z']}}"),
          "spec.validation.openAPIV3Schema.properties[a].definitions: "
          "Forbidden: definitions is not supported\n"
          "spec.validation.openAPIV3Schema.properties[a].dependencies: "
          "Forbidden: dependencies is not supported\n"
          "spec.validation.openAPIV3Schema.properties[a].definitions[x].id: "
          "Forbidden: id is not supported\n"
          "spec.validation.openAPIV3Schema.properties[a].dependencies["
          "x].type: Unsupported value: \"nope\": supported values: \"array\", "
          "\"boolean\", \"integer\", \"number\", \"object\", \"string\"\n" },
        { FIELD("{'type':'string','$schema':'x'}"),
          "spec.validation.openAPIV3Schema: Invalid value: \"\": "
          "OpenAPIV3Schema 'schema' is not supported\n" },
        { FIELD("{'type':'array','items':[{'type':'string'}]}"),
          "spec.validation.openAPIV3Schema.properties[a].items: Forbidden: "
          "items must be a schema object and not an array\n" },
        { FIELD("{'type':'object',"
                "'x-kubernetes-preserve-unknown-fields':false}"),
          "spec.validation.openAPIV3Schema.properties["
          "a].x-kubernetes-preserve-unknown-fields: Invalid value: false: "
          "must be true or undefined\n" },
        { CRD("{'type':'object','nullable':true}"),
          "spec.validation.openAPIV3Schema.nullable: Forbidden: nullable "
          "cannot be true at the root\n" },
        { CRD("{'type':'object','properties':{'metadata':{'type':'object',"
              "'properties':{'name':{'type':'object',"
              "'x-kubernetes-embedded-resource':true,"
              "'x-kubernetes-preserve-unknown-fields':true}}}}}"),
          "spec.validation.openAPIV3Schema.properties[metadata].properties["
          "name].x-kubernetes-embedded-resource: Forbidden: must not be used "
          "inside of resource meta\n" },
        /* Each is looked at, wherever it is. */
        { FIELD("{'type':'object','not':{'uniqueItems':true},"
                "'allOf':[{'uniqueItems':true}],'oneOf':[{'uniqueItems':"
                "true}],'anyOf':[{'uniqueItems':true}],"
                "'additionalProperties':{'type':'array','uniqueItems':true,"
                "'items':{'type':'string','uniqueItems':true}}}"),
          "spec.validation.openAPIV3Schema.properties["
          "a].additionalProperties.uniqueItems: Forbidden: uniqueItems cannot "
          "be set to true since the runtime complexity becomes quadratic\n"
          "spec.validation.openAPIV3Schema.properties["
          "a].additionalProperties.items.uniqueItems: Forbidden: uniqueItems "
          "cannot be set to true since the runtime complexity becomes "
          "quadratic\n"
          "spec.validation.openAPIV3Schema.properties[a].not.uniqueItems: "
          "Forbidden: uniqueItems cannot be set to true since the runtime "
          "complexity becomes quadratic\n"
          "spec.validation.openAPIV3Schema.properties[a].allOf["
          "0].uniqueItems: Forbidden: uniqueItems cannot be set to true since "
          "the runtime complexity becomes quadratic\n"
          "spec.validation.openAPIV3Schema.properties[a].oneOf["
          "0].uniqueItems: Forbidden: uniqueItems cannot be set to true since "
          "the runtime complexity becomes quadratic\n"
          "spec.validation.openAPIV3Schema.properties[a].anyOf["
          "0].uniqueItems: Forbidden: uniqueItems cannot be set to true since "
          "the runtime complexity becomes quadratic\n" },
    };

    CASE_RUN("CustomResourceDefinition", cases);
}

TEST(list_and_map_types_are_checked)
{
    static const struct builtin_case cases[] = {
        { FIELD("{'type':'string','x-kubernetes-list-type':'set'}"),
          "spec.validation.openAPIV3Schema.properties[a].type: Invalid value: "
          "\"string\": must be array if x-kubernetes-list-type is "
          "specified\n" },
        { FIELD("{'x-kubernetes-preserve-unknown-fields':true,"
                "'x-kubernetes-list-type':'atomic',"
                "'x-kubernetes-map-type':'atomic'}"),
          "spec.validation.openAPIV3Schema.properties[a].type: Required "
          "value: must be object if x-kubernetes-map-type is specified\n"
          "spec.validation.openAPIV3Schema.properties[a].type: Required "
          "value: must be array if x-kubernetes-list-type is "
          "specified\n" },
        { FIELD("{'type':'string','x-kubernetes-map-type':'x'}"),
          "spec.validation.openAPIV3Schema.properties[a].type: Invalid value: "
          "\"string\": must be object if x-kubernetes-map-type is specified\n"
          "spec.validation.openAPIV3Schema.properties["
          "a].x-kubernetes-map-type: Unsupported value: \"x\": supported "
          "values: \"atomic\", \"granular\"\n" },
        { LIST("'items':{'type':'string'},'x-kubernetes-list-type':'x'"),
          "spec.validation.openAPIV3Schema.properties["
          "a].x-kubernetes-list-type: Unsupported value: \"x\": supported "
          "values: \"atomic\", \"set\", \"map\"\n" },
        { LIST("'items':{'type':'string'},"
               "'x-kubernetes-list-map-keys':['a']"),
          "spec.validation.openAPIV3Schema.properties["
          "a].x-kubernetes-list-type: Required value: must be map if "
          "x-kubernetes-list-map-keys is non-empty\n" },
        { LIST("'items':{'type':'string'},'x-kubernetes-list-type':'set',"
               "'x-kubernetes-list-map-keys':['a']"),
          "spec.validation.openAPIV3Schema.properties["
          "a].x-kubernetes-list-type: Invalid value: \"set\": must be map if "
          "x-kubernetes-list-map-keys is non-empty\n" },
        { LIST("'items':{'type':'object'},'x-kubernetes-list-type':'set'"),
          "spec.validation.openAPIV3Schema.properties["
          "a].items.x-kubernetes-map-type: Invalid value: null: must be "
          "atomic as item of a list with x-kubernetes-list-type=set\n" },
        { LIST("'items':{'type':'object','x-kubernetes-map-type':'atomic'},"
               "'x-kubernetes-list-type':'set'"), "" },
        { LIST("'items':{'type':'array','items':{'type':'string'},"
               "'x-kubernetes-list-type':'set'},"
               "'x-kubernetes-list-type':'set'"),
          "spec.validation.openAPIV3Schema.properties["
          "a].items.x-kubernetes-list-type: Invalid value: \"set\": must be "
          "atomic as item of a list with x-kubernetes-list-type=set\n" },
        { LIST("'items':{'type':'array','items':{'type':'string'}},"
               "'x-kubernetes-list-type':'set'"), "" },
        { LIST("'items':{'type':'string','nullable':true},"
               "'x-kubernetes-list-type':'set'"),
          "spec.validation.openAPIV3Schema.properties[a].items.nullable: "
          "Forbidden: cannot be nullable when x-kubernetes-list-type is "
          "set\n" },
        { LIST("'x-kubernetes-list-type':'map'"),
          "spec.validation.openAPIV3Schema.properties[a].items: Required "
          "value: must be specified\n"
          "spec.validation.openAPIV3Schema.properties["
          "a].x-kubernetes-list-map-keys: Required value: must not be empty "
          "if x-kubernetes-list-type is map\n"
          "spec.validation.openAPIV3Schema.properties[a].items: Required "
          "value: must have a schema if x-kubernetes-list-type is map\n" },
        /* What is neither a schema nor a list was decoded as null. */
        { LIST("'items':null,'x-kubernetes-list-type':'map',"
               "'x-kubernetes-list-map-keys':['a']"),
          "spec.validation.openAPIV3Schema.properties[a].items: Required "
          "value: must be specified\n"
          "spec.validation.openAPIV3Schema.properties[a].items: Invalid "
          "value: {\"Schema\":null,\"JSONSchemas\":null}: must only have a "
          "single schema if x-kubernetes-list-type is map\n" },
        { LIST("'items':{'type':'string'},'x-kubernetes-list-type':'map',"
               "'x-kubernetes-list-map-keys':['a']"),
          "spec.validation.openAPIV3Schema.properties[a].items.type: Invalid "
          "value: \"string\": must be object if parent array's "
          "x-kubernetes-list-type is map\n" },
        { LIST("'items':{'type':'object','required':['b','c'],'properties':"
               "{'a':{'type':'string'},'b':{'type':'array','items':"
               "{'type':'string'}},'c':{'type':'string','nullable':true}}},"
               "'x-kubernetes-list-type':'map',"
               "'x-kubernetes-list-map-keys':['a','b','c','c','','d']"),
          "spec.validation.openAPIV3Schema.properties[a].items.properties["
          "b].type: Invalid value: \"object\": must be a scalar type if "
          "parent array's x-kubernetes-list-type is map\n"
          "spec.validation.openAPIV3Schema.properties["
          "a].x-kubernetes-list-map-keys: Invalid value: [\"a\",\"b\",\"c\","
          "\"c\",\"\",\"d\"]: must not contain duplicate entries\n"
          "spec.validation.openAPIV3Schema.properties["
          "a].x-kubernetes-list-map-keys: Invalid value: [\"a\",\"b\",\"c\","
          "\"c\",\"\",\"d\"]: entries must all be names of item properties\n"
          "spec.validation.openAPIV3Schema.properties["
          "a].x-kubernetes-list-map-keys: Invalid value: [\"a\",\"b\",\"c\","
          "\"c\",\"\",\"d\"]: entries must all be names of item properties\n"
          "spec.validation.openAPIV3Schema.properties[a].items.properties["
          "a].default: Required value: this property is in "
          "x-kubernetes-list-map-keys, so it must have a default or be a "
          "required property\n"
          "spec.validation.openAPIV3Schema.properties[a].items.properties["
          "c].nullable: Forbidden: this property is in "
          "x-kubernetes-list-map-keys, so it cannot be nullable\n"
          "spec.validation.openAPIV3Schema.properties[a].items.properties["
          "c].nullable: Forbidden: this property is in "
          "x-kubernetes-list-map-keys, so it cannot be nullable\n" },
        { LIST("'items':{'type':'object','required':['a'],'properties':{"
               "'a':{'type':'string'},'b':{'type':'string','default':'x'}}},"
               "'x-kubernetes-list-type':'map',"
               "'x-kubernetes-list-map-keys':['a','b']"), "" },
    };

    CASE_RUN("CustomResourceDefinition", cases);
}

TEST(defaults_are_valid_by_their_schema)
{
    static const struct builtin_case cases[] = {
        { FIELD("{'type':'string','default':1}"),
          "spec.validation.openAPIV3Schema.properties[a].default: Invalid "
          "value: \"integer\":  in body must be of type string: \"integer\" ["
          "FieldValueTypeInvalid]\n" },
        { FIELD("{'type':'string','default':null}"), "" },
        { FIELD("{'type':'integer','maximum':3,'default':4}"),
          "spec.validation.openAPIV3Schema.properties[a].default: Invalid "
          "value: 4:  in body should be less than or equal to 3\n" },
        { FIELD("{'type':'string','pattern':'^b','default':'a'}"),
          "spec.validation.openAPIV3Schema.properties[a].default: Invalid "
          "value: \"a\":  in body should match '^b'\n" },
        { FIELD("{'type':'array','items':{'type':'string'},"
                "'default':[1]}"),
          "spec.validation.openAPIV3Schema.properties[a].default.[0]: Invalid "
          "value: \"integer\": [0] in body must be of type string: "
          "\"integer\" [FieldValueTypeInvalid]\n" },
        { FIELD("{'type':'array','items':{'type':'string','default':2}}"),
          "spec.validation.openAPIV3Schema.properties[a].items.default: "
          "Invalid value: \"integer\":  in body must be of type string: "
          "\"integer\" [FieldValueTypeInvalid]\n" },
        { FIELD("{'type':'object','required':['b',''],'properties':{'b':"
                "{'type':'string'}},'default':{'c':1}}"),
          "spec.validation.openAPIV3Schema.properties[a].default: Invalid "
          "value: {\"c\":1}: must not have unknown fields\n"
          "spec.validation.openAPIV3Schema.properties[a].default.b: Required "
          "value\n"
          "spec.validation.openAPIV3Schema.properties[a].default: Required "
          "value\n" },
        { FIELD("{'type':'object','additionalProperties':{'type':'string',"
                "'default':3}}"), "" },
        { FIELD("{'type':'object','additionalProperties':true,"
                "'default':{'b':{'c':1}}}"),
          "spec.validation.openAPIV3Schema.properties[a].default: Invalid "
          "value: {\"b\":{\"c\":1}}: must not have unknown fields\n" },
        { FIELD("{'type':'object','x-kubernetes-preserve-unknown-fields':"
                "true,'properties':{'b':{'type':'object'}},"
                "'default':{'c':{'d':1},'b':{'e':1}}}"),
          "spec.validation.openAPIV3Schema.properties[a].default: Invalid "
          "value: {\"b\":{\"e\":1},\"c\":{\"d\":1}}: must not have unknown "
          "fields\n" },
        /* Sets and integers or strings are not looked at here. */
        { FIELD("{'type':'array','items':{'type':'string'},"
                "'x-kubernetes-list-type':'set','default':['a','a']}"), "" },
        { FIELD("{'x-kubernetes-int-or-string':true,'default':true}"), "" },
        { FIELD("{'x-kubernetes-int-or-string':true,'anyOf':"
                "[{'type':'integer'},{'type':'string'}],'default':true}"),
          "spec.validation.openAPIV3Schema.properties[a].default: Invalid "
          "value: \"\": \"\" must validate at least one schema (anyOf)\n"
          "spec.validation.openAPIV3Schema.properties[a].default: Invalid "
          "value: \"boolean\":  in body must be of type integer: \"boolean\" ["
          "FieldValueTypeInvalid]\n" },
        { FIELD("{'type':'object','properties':{'b':"
                "{'x-kubernetes-int-or-string':true}},'default':{'b':[]}}"),
          "" },
        { FIELD("{'type':'object','x-kubernetes-embedded-resource':true,"
                "'x-kubernetes-preserve-unknown-fields':true,"
                "'default':{'apiVersion':'a/b/c','metadata':"
                "{'labels':{'a':'_'},'x':1}}}"),
          "spec.validation.openAPIV3Schema.properties[a].default.kind: "
          "Required value\n"
          "spec.validation.openAPIV3Schema.properties[a].default.apiVersion: "
          "Invalid value: \"a/b/c\": unexpected GroupVersion string: a/b/c\n"
          "spec.validation.openAPIV3Schema.properties["
          "a].default.metadata.labels: Invalid value: \"_\": a valid label "
          "must be an empty string or consist of alphanumeric characters, '-',"
          " '_' or '.', and must start and end with an alphanumeric character "
          "(e.g. 'MyValue',  or 'my_value',  or '12345', regex used for "
          "validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')\n" },
        { FIELD("{'type':'object','x-kubernetes-embedded-resource':true,"
                "'properties':{'kind':{'type':'string','default':'Pod'}},"
                "'default':{'apiVersion':'v1','kind':'Pod'}}"), "" },
        { CRD("{'type':'object','default':{'a':1}}"),
          "spec.validation.openAPIV3Schema.default: Invalid value: {\"a\":1}: "
          "must not have unknown fields\n"
          "spec.validation.openAPIV3Schema.default.apiVersion: Required "
          "value\n"
          "spec.validation.openAPIV3Schema.default.kind: Required value\n" },
        { CRD("{'type':'object','properties':{'metadata':{'type':'object',"
              "'default':{}},'kind':{'type':'string','default':'A'},"
              "'apiVersion':{'type':'string','default':'v1'}}}"),
          "spec.validation.openAPIV3Schema.properties[apiVersion].default: "
          "Forbidden: must not be set in top-level apiVersion\n"
          "spec.validation.openAPIV3Schema.properties[kind].default: "
          "Forbidden: must not be set in top-level kind\n"
          "spec.validation.openAPIV3Schema.properties[metadata].default: "
          "Forbidden: must not be set in top-level metadata\n" },
        /* A fault elsewhere is enough. */
        { FIELD("{'type':'nope','default':1}"),
          "spec.validation.openAPIV3Schema.properties[a].type: Unsupported "
          "value: \"nope\": supported values: \"array\", \"boolean\", "
          "\"integer\", \"number\", \"object\", \"string\"\n" },
    };

    CASE_RUN("CustomResourceDefinition", cases);
}

TEST(rules_have_their_form)
{
#define RULE(RULES) \
    FIELD("{'type':'object','properties':{'b':{'type':'string'}},"            \
          "'x-kubernetes-validations':[" RULES "]}")
    static const struct builtin_case cases[] = {
        { RULE("{'rule':'true','message':'m','reason':'FieldValueInvalid',"
               "'fieldPath':'.b','messageExpression':'1'}"), "" },
        { RULE("{'message':'x'},{'rule':' '}"),
          "spec.validation.openAPIV3Schema.properties["
          "a].x-kubernetes-validations[0].rule: Required value: rule is not "
          "specified\n"
          "spec.validation.openAPIV3Schema.properties["
          "a].x-kubernetes-validations[1].rule: Required value: rule is not "
          "specified\n" },
        { RULE("{'rule':'true','message':' '}"),
          "spec.validation.openAPIV3Schema.properties["
          "a].x-kubernetes-validations[0].message: Invalid value: \" \": must "
          "be non-empty if specified\n" },
        { RULE("{'rule':'true','message':'a\\nb'}"),
          "spec.validation.openAPIV3Schema.properties["
          "a].x-kubernetes-validations[0].message: Invalid value: \"a\\nb\": "
          "must not contain line breaks\n" },
        { RULE("{'rule':'a\\nb'},{'rule':'a\\nb','message':'c'}"),
          "spec.validation.openAPIV3Schema.properties["
          "a].x-kubernetes-validations[0].message: Required value: message "
          "must be specified if rule contains line breaks\n" },
        { RULE("{'rule':'a','messageExpression':' ','reason':'x'}"),
          "spec.validation.openAPIV3Schema.properties["
          "a].x-kubernetes-validations[0].messageExpression: Required value: "
          "messageExpression must be non-empty if specified\n"
          "spec.validation.openAPIV3Schema.properties["
          "a].x-kubernetes-validations[0].reason: Unsupported value: \"x\": "
          "supported values: \"FieldValueDuplicate\", \"FieldValueForbidden\","
          " \"FieldValueInvalid\", \"FieldValueRequired\"\n" },
        { RULE("{'rule':'a','fieldPath':' '},"
               "{'rule':'a','fieldPath':'.b\\n'},"
               "{'rule':'a','fieldPath':'.c'},"
               "{'rule':'a','fieldPath':'[\\u0027b\\u0027]'}"),
          "spec.validation.openAPIV3Schema.properties["
          "a].x-kubernetes-validations[0].fieldPath: Invalid value: \" \": "
          "must be non-empty if specified\n"
          "spec.validation.openAPIV3Schema.properties["
          "a].x-kubernetes-validations[0].fieldPath: Invalid value: \" \": "
          "must be a valid path\n"
          "spec.validation.openAPIV3Schema.properties["
          "a].x-kubernetes-validations[1].fieldPath: Invalid value: "
          "\".b\\n\": must not contain line breaks\n"
          "spec.validation.openAPIV3Schema.properties["
          "a].x-kubernetes-validations[1].fieldPath: Invalid value: "
          "\".b\\n\": must be a valid path\n"
          "spec.validation.openAPIV3Schema.properties["
          "a].x-kubernetes-validations[2].fieldPath: Invalid value: \".c\": "
          "must be a valid path\n" },
    };

    CASE_RUN("CustomResourceDefinition", cases);
}

TEST(the_root_is_plain_if_there_is_a_status)
{
    static const struct builtin_case cases[] = {
        { WITH_STATUS("{'type':'object','description':'d','required':['a'],"
                      "'properties':{'a':{'type':'string'}},'title':'',"
                      "'nullable':false,'x-kubernetes-validations':[]}"),
          "" },
        { WITH_STATUS("{'type':'array','items':{'type':'string'},"
                      "'maxProperties':1}"),
          "spec.validation.openAPIV3Schema.type: Invalid value: \"array\": "
          "only \"object\" is allowed as the type at the root of the schema "
          "if the status subresource is enabled\n"
          "spec.validation.openAPIV3Schema.type: Invalid value: \"array\": "
          "must be object at the root\n" },
        { WITH_STATUS("{'type':'object','maxProperties':1}"),
          "spec.validation.openAPIV3Schema: Invalid value: {" ANY_TEXT
          "\"MaxProperties\":1," ANY_TEXT "}: only [Description Type Format "
          "Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength "
          "MinLength Pattern MaxItems MinItems UniqueItems MultipleOf "
          "Required Items Properties ExternalDocs Example "
          "XPreserveUnknownFields XValidations] fields are allowed at the "
          "root of the schema if the status subresource is enabled\n" },
        { WITH_STATUS("{'type':'object','x-kubernetes-map-type':'atomic'}"),
          "spec.validation.openAPIV3Schema: Invalid value: {" ANY_TEXT
          "}: only [" ANY_TEXT "] fields are allowed at the root of the "
          "schema if the status subresource is enabled\n" },
    };

    CASE_RUN("CustomResourceDefinition", cases);
}

/* An update need not mend what was wrong before; but what was right must stay
 * right. */
TEST(updates_keep_what_was_wrong)
{
#define LOOSE LIST("'items':{'type':'object'},'x-kubernetes-list-type':'set'")
#define KEYS LIST("'items':{'type':'object','properties':{'k':{'type':"       \
                  "'string'}}},'x-kubernetes-list-type':'map',"               \
                  "'x-kubernetes-list-map-keys':['k']")
    static const struct builtin_update cases[] = {
        { LOOSE, LOOSE, "" },
        { KEYS, KEYS, "" },
        { LOOSE, KEYS,
          "spec.validation.openAPIV3Schema.properties[a].items.properties["
          "k].default: Required value: this property is in "
          "x-kubernetes-list-map-keys, so it must have a default or be a "
          "required property\n" },
        { FIELD("{'type':'nope'}"), FIELD("{'type':'nope'}"), "" },
        { FIELD("{'type':'string'}"), FIELD("{'type':'nope'}"),
          "spec.validation.openAPIV3Schema.properties[a].type: Unsupported "
          "value: \"nope\": supported values: \"array\", \"boolean\", "
          "\"integer\", \"number\", \"object\", \"string\"\n" },
        /* A schema must be structural if unknown fields are pruned. */
        { FIELD("{}"), FIELD("{}"),
          "spec.validation.openAPIV3Schema.properties[a].type: Required "
          "value: must not be empty for specified object fields\n" },
    };

    CASE_RUN_UPDATES("CustomResourceDefinition", cases);
}
