/* Tests of warnings about CustomResourceDefinitions. */

#include "builtin_case.h"

#define CRD(PROPERTIES)                                                       \
    "{'spec':{'versions':[{'name':'v1','schema':{'openAPIV3Schema':{"         \
    "'type':'object','properties':{" PROPERTIES "}}}}]}}"

TEST(formats_that_mean_nothing_are_named)
{
    static const struct builtin_update cases[] = {
        { NULL, CRD("'a':{'type':'string','format':'date-time'},"
                    "'b':{'type':'integer','format':'int32'},"
                    "'c':{'type':'number','format':'double'},"
                    "'d':{'format':'uuid4'}"), "" },
        { NULL, CRD("'a':{'type':'string','format':'nope'}"),
          "unrecognized format \"nope\"\n" },
        { NULL, CRD("'a':{'type':'integer','format':'double'},"
                    "'b':{'type':'number','format':'int32'},"
                    "'c':{'type':'boolean','format':'byte'},"
                    "'d':{'type':'array','items':{'type':'string',"
                    "'format':'int64'},'not':{'format':'x'}}"),
          "unrecognized format \"double\"\n"
          "unrecognized format \"int32\"\n"
          "unrecognized format \"byte\"\n"
          "unrecognized format \"int64\"\n"
          "unrecognized format \"x\"\n" },
        { NULL, "{'spec':{'versions':[{'schema':{'openAPIV3Schema':{"
                "'format':'x'}}},{'schema':{'openAPIV3Schema':{'format':"
                "'x','title':'y'}}},{}]}}",
          "unrecognized format \"x\"\n" },
        /* An update tells of new ones only. */
        { CRD("'a':{'type':'string','format':'x'}"),
          CRD("'a':{'type':'string','format':'x'},"
              "'b':{'type':'string','format':'y'}"),
          "unrecognized format \"y\"\n" },
        { NULL, "{'spec':{'versions':[{'schema':{'openAPIV3Schema':7}}]}}",
          "" },
    };

    CASE_RUN_WARNINGS("CustomResourceDefinition", cases);
}

TEST(rules_are_stored_and_not_enforced)
{
    static const struct builtin_update cases[] = {
        { NULL, CRD("'a':{'type':'string','x-kubernetes-validations':["
                    "{'rule':'true'}]}"),
          "x-kubernetes-validations are stored, but this server does not "
          "enforce them yet\n" },
        { CRD("'a':{'x-kubernetes-validations':[{'rule':'true'}]}"),
          CRD("'a':{'x-kubernetes-validations':[{'rule':'true'}]}"),
          "x-kubernetes-validations are stored, but this server does not "
          "enforce them yet\n" },
        { CRD("'a':{'x-kubernetes-validations':[{'rule':'true'}]}"),
          CRD("'a':{}"), "" },
    };

    CASE_RUN_WARNINGS("CustomResourceDefinition", cases);
}
