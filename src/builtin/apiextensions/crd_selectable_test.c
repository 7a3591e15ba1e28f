/* Tests of the selectable fields of CustomResourceDefinitions, and of the
 * paths that name them. */

#include "builtin_case.h"

#define SCHEMA                                                                \
    "{'type':'object','properties':{'metadata':{'type':'object',"             \
    "'properties':{'name':{'type':'string'}}},'spec':{'type':'object',"       \
    "'properties':{'a':{'type':'string'},'b':{'type':'boolean'},"             \
    "'c':{'type':'integer'},'d':{'type':'number'},"                           \
    "'m':{'type':'object','additionalProperties':{'type':'string'}},"         \
    "'n':{'type':'object','additionalProperties':true},"                      \
    "'l':{'type':'array','items':{'type':'string'}}}}}}"
#define VERSION(NAME, SCHEMA_, FIELDS)                                        \
    "{'name':'" NAME "','served':true,'storage':"                             \
    FIELDS "'schema':{'openAPIV3Schema':" SCHEMA_ "}}"
#define CRD(VERSIONS)                                                         \
    "{'metadata':{'name':'foos.x.io'},'spec':{'group':'x.io','scope':"        \
    "'Cluster','names':{'plural':'foos','kind':'Foo'},'versions':["           \
    VERSIONS "]}}"
#define ONE(FIELDS) \
    CRD(VERSION("v1", SCHEMA, "true,'selectableFields':[" FIELDS "],"))
#define PATH(P) "{'jsonPath':'" P "'}"

TEST(paths_lead_to_single_values)
{
    static const struct builtin_case cases[] = {
        { ONE(PATH(".spec.a") "," PATH(".spec.b") "," PATH(".spec.c") ","
              PATH(".spec.m.x")), "" },
        { ONE("{}," PATH("")),
          "spec.selectableFields[0].jsonPath: Required value\n"
          "spec.selectableFields[1].jsonPath: Required value\n" },
        { ONE(PATH("spec") "," PATH(".") "," PATH(".spec.") ","
              PATH(".spec.x") "," PATH("..a") "," PATH(".spec.a.x")),
          "spec.selectableFields[0].jsonPath: Invalid value: \"spec\": is an "
          "invalid path: expected [ or . but got: spec\n"
          "spec.selectableFields[1].jsonPath: Invalid value: \".\": is an "
          "invalid path: unexpected end of JSON path\n"
          "spec.selectableFields[2].jsonPath: Invalid value: \".spec.\": is "
          "an invalid path: unexpected end of JSON path\n"
          "spec.selectableFields[3].jsonPath: Invalid value: \".spec.x\": is "
          "an invalid path: does not refer to a valid field\n"
          "spec.selectableFields[4].jsonPath: Invalid value: \"..a\": is an "
          "invalid path: does not refer to a valid field\n"
          "spec.selectableFields[5].jsonPath: Invalid value: \".spec.a.x\": "
          "is an invalid path: does not refer to a valid field\n" },
        { ONE(PATH(".spec[\\u0027a\\u0027]") "," PATH(".spec.l[0]")),
          "spec.selectableFields[0].jsonPath: Invalid value: \".spec['a']\": "
          "is an invalid path: array notation is not allowed\n"
          "spec.selectableFields[1].jsonPath: Invalid value: \".spec.l[0]\": "
          "is an invalid path: array notation is not allowed\n" },
        { ONE(PATH(".spec") "," PATH(".spec.d") "," PATH(".spec.l") ","
              PATH(".spec.n.x")),
          "spec.selectableFields[0].jsonPath: Invalid value: \".spec\": must "
          "point to a field of type string, boolean or integer. Enum string "
          "fields and strings with formats are allowed.\n"
          "spec.selectableFields[1].jsonPath: Invalid value: \".spec.d\": "
          "must point to a field of type string, boolean or integer. Enum "
          "string fields and strings with formats are allowed.\n"
          "spec.selectableFields[2].jsonPath: Invalid value: \".spec.l\": "
          "must point to a field of type string, boolean or integer. Enum "
          "string fields and strings with formats are allowed.\n"
          "spec.selectableFields[3].jsonPath: Invalid value: \".spec.n.x\": "
          "must point to a field of type string, boolean or integer. Enum "
          "string fields and strings with formats are allowed.\n" },
        { ONE(PATH(".metadata.name")),
          "spec.selectableFields[0].jsonPath: Invalid value: "
          "\".metadata.name\": must not point to fields in metadata\n" },
        { ONE(PATH(".spec.a") "," PATH(".spec.a")),
          "spec.selectableFields[1].jsonPath: Duplicate value: "
          "\".spec.a\"\n" },
    };

    CASE_RUN("CustomResourceDefinition", cases);
}

#define MANY                                                                  \
    PATH(".spec.m.a") "," PATH(".spec.m.b") "," PATH(".spec.m.c") ","         \
    PATH(".spec.m.d") "," PATH(".spec.m.e") "," PATH(".spec.m.f") ","         \
    PATH(".spec.m.g") "," PATH(".spec.m.h") "," PATH(".spec.m.i")
#define TWO_OTHER_FIELDS(FIELDS)                                              \
    CRD(VERSION("v1", SCHEMA, "true,'selectableFields':[" FIELDS "],") ","    \
        VERSION("v2", "{'type':'object','properties':{'a':{'type':"           \
                "'string'}}}", "false,'selectableFields':["                   \
                PATH(".a") "],"))

TEST(there_are_at_most_eight)
{
    static const struct builtin_case cases[] = {
        { ONE(MANY),
          "spec.selectableFields: Too many: 9: must have at most 8 items\n" },
        { TWO_OTHER_FIELDS(MANY),
          "spec.versions[0].selectableFields: Too many: 9: must have at most "
          "8 items\n" },
    };

    CASE_RUN("CustomResourceDefinition", cases);
}

TEST(more_may_stay_as_they_are)
{
    static const struct builtin_update cases[] = {
        { ONE(MANY), ONE(MANY), "" },
        { ONE(MANY), ONE(MANY "," PATH(".spec.a")),
          "spec.selectableFields: Too many: 10: must have at most 8 items\n" },
        { TWO_OTHER_FIELDS(MANY), TWO_OTHER_FIELDS(MANY), "" },
        { ONE(PATH(".spec.a")), ONE(MANY),
          "spec.selectableFields: Too many: 9: must have at most 8 items\n" },
    };

    CASE_RUN_UPDATES("CustomResourceDefinition", cases);
}

/* Fields that all versions share need a schema that all share, and others one
 * of their own. */
TEST(fields_stand_where_their_schema_is)
{
#define OTHER "{'type':'object','properties':{'spec':{'type':'object',"       \
              "'properties':{'a':{'type':'string'}}}}}"
    static const struct builtin_case cases[] = {
        { CRD(VERSION("v1", SCHEMA, "true,'selectableFields':["
                      PATH(".spec.a") "],") ","
              VERSION("v2", SCHEMA, "false,'selectableFields':["
                      PATH(".spec.a") "],")), "" },
        { CRD(VERSION("v1", SCHEMA, "true,'selectableFields':["
                      PATH(".spec.a") "],") ","
              VERSION("v2", OTHER, "false,'selectableFields':["
                      PATH(".spec.a") "],")),
          "spec.selectableFields: Invalid value: \"\": may only be set when "
          "validations.schema is included\n" },
        { CRD(VERSION("v1", SCHEMA, "true,'selectableFields':["
                      PATH(".spec.a") "],") ","
              VERSION("v2", SCHEMA, "false,")),
          "spec.versions[0].selectableFields: Invalid value: \"\": may only "
          "be set when `version.schema.openAPIV3Schema` is not included\n" },
        { CRD(VERSION("v1", SCHEMA, "true,'selectableFields':["
                      PATH(".spec.a") "],") ","
              VERSION("v2", OTHER, "false,")), "" },
        { CRD(VERSION("v1", "{'type':'object','id':'x'}",
                      "true,'selectableFields':[" PATH(".a") "],")),
          "spec.validation.openAPIV3Schema.id: Forbidden: id is not "
          "supported\n"
          "spec.schema.openAPIV3Schema: Invalid value: \"\": OpenAPIV3Schema "
          "'id' is not supported\n"
          "spec.selectableFields[0].jsonPath: Invalid value: \".a\": is an "
          "invalid path: does not refer to a valid field\n" },
    };

    CASE_RUN("CustomResourceDefinition", cases);
}
