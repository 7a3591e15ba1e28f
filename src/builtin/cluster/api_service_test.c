/* Tests of APIService. */

#include "builtin_case.h"

#define SVC(MORE)                                                             \
    "{'metadata':{'name':'v1.g.io'},'spec':{'group':'g.io','version':'v1',"   \
    "'groupPriorityMinimum':1,'versionPriority':1" MORE "}}"

TEST(services_listen_on_443)
{
    CASE_DEFAULT("APIService", SVC(",'service':{'name':'a'}"),
                 "{'metadata':{'name':'v1.g.io'},'spec':{'group':'g.io',"
                 "'groupPriorityMinimum':1,'service':{'name':'a','port':443},"
                 "'version':'v1','versionPriority':1}}");
}

TEST(api_services_are_checked)
{
    static const struct builtin_case cases[] = {
        { SVC(""), "" },
        { SVC(",'service':{'name':'a','namespace':'b'},'caBundle':'QQ=='"),
          "" },
        { "{'metadata':{'name':'v1.g.io'},'spec':{'group':'G','version':'1',"
          "'groupPriorityMinimum':0,'versionPriority':1001}}",
          "metadata.name: Invalid value: \"v1.g.io\": must be "
          "`spec.version+\".\"+spec.group`: \"1.G\"\n"
          "spec.group: Invalid value: \"G\": " CASE_SUBDOMAIN "\n"
          "spec.version: Invalid value: \"1\": a DNS-1035 label must consist "
          "of lower case alphanumeric characters or '-', start with an "
          "alphabetic character, and end with an alphanumeric character "
          "(e.g. 'my-name',  or 'abc-123', regex used for validation is '["
          "a-z]([-a-z0-9]*[a-z0-9])?')\n"
          "spec.groupPriorityMinimum: Invalid value: 0: must be positive and "
          "less than 20000\n"
          "spec.versionPriority: Invalid value: 1001: must be positive and "
          "less than 1000\n" },
        { "{'metadata':{'name':'v2.'},'spec':{'version':'v2',"
          "'groupPriorityMinimum':20001,'versionPriority':0}}",
          "spec.group: Required value: only v1 may have an empty group and "
          "it better be legacy kube\n"
          "spec.groupPriorityMinimum: Invalid value: 20001: must be "
          "positive and less than 20000\n"
          "spec.versionPriority: Invalid value: 0: must be positive and "
          "less than 1000\n" },
        { "{'metadata':{'name':'v1.'},'spec':{'version':'v1',"
          "'groupPriorityMinimum':20000,'versionPriority':1000}}",
          "" },
        { SVC(",'caBundle':'QUFB','insecureSkipTLSVerify':true"),
          "spec.caBundle: Invalid value: \"3 bytes\": local APIServices may "
          "not have a caBundle\n"
          "spec.insecureSkipTLSVerify: Invalid value: true: local "
          "APIServices may not have insecureSkipTLSVerify\n" },
        { SVC(",'service':{'port':0}"),
          "spec.service.namespace: Required value\n"
          "spec.service.name: Required value\n"
          "spec.service.port: Invalid value: 0: port is not valid: must be "
          "between 1 and 65535, inclusive\n" },
        { SVC(",'service':{'name':'a','namespace':'b','port':65536},"
              "'caBundle':'QUFB','insecureSkipTLSVerify':true"),
          "spec.service.port: Invalid value: 65536: port is not valid: must "
          "be between 1 and 65535, inclusive\n"
          "spec.insecureSkipTLSVerify: Invalid value: true: may not be true "
          "if caBundle is present\n" },
    };

    CASE_RUN("APIService", cases);
}

TEST(api_services_are_checked_again)
{
    static const struct builtin_update cases[] = {
        { SVC(""), SVC(""), "" },
        { SVC(""),
          SVC(",'service':{'name':'a','namespace':''}"),
          "spec.service.namespace: Required value\n" },
    };

    CASE_RUN_UPDATES("APIService", cases);
}

TEST(conditions_of_api_services_are_checked)
{
    static const struct builtin_update cases[] = {
        { SVC(""),
          "{'metadata':{'name':'v1.g.io'},"
          "'status':{'conditions':[{'type':'Available',"
          "'status':'False'}]}}",
          "" },
        { SVC(""),
          "{'metadata':{'name':'v1.g.io'},"
          "'status':{'conditions':[{'type':'Available','status':'X'}]}}",
          "status.conditions[0].status: Unsupported value: \"X\": supported "
          "values: \"True\", \"False\", \"Unknown\"\n" },
    };

    CASE_RUN_STATUS("APIService", cases);
}

TEST(what_is_served_here_is_available)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *object = case_parse(arena, SVC(""));

    yl_builtin_prepare(case_kind("APIService"), arena, object);
    CASE_IS(object,
            "{'metadata':{'name':'v1.g.io'},'spec':{'group':'g.io',"
            "'groupPriorityMinimum':1,'version':'v1','versionPriority':1},"
            "'status':{'conditions':[{"
            "'lastTransitionTime':'20" ANY_TEXT "Z',"
            "'message':'Local APIServices are always available',"
            "'reason':'Local','status':'True','type':'Available'}]}}");
    object = case_parse(arena, SVC(",'service':{'name':'a'}}"
                                   ",'status':{'conditions':[]"));
    yl_builtin_prepare(case_kind("APIService"), arena, object);
    assert_int_equal(yl_member_object(object, "status")->n, 0);
    yl_arena_free(arena);
}
