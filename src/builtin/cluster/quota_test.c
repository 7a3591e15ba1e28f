/* Tests of ResourceQuota. */

#include "builtin_case.h"

#define QUOTA(MORE)                                                           \
    "{'spec':{'hard':{'pods':'1'" MORE "}}}"

TEST(amounts_are_rounded_up)
{
    CASE_DEFAULT("ResourceQuota",
                 "{'spec':{'hard':{'cpu':'0.0001'}},"
                 "'status':{'hard':{'cpu':'1u'},'used':{'cpu':'1n'}}}",
                 "{'spec':{'hard':{'cpu':'1m'}},'status':{'hard':{"
                 "'cpu':'1m'},'used':{'cpu':'1m'}}}");
}

TEST(quotas_are_checked)
{
    static const struct builtin_case cases[] = {
        { QUOTA(""), "" },
        { QUOTA(",'example.com/x':'1','count/pods':'1',"
                "'requests.hugepages-2Mi':'1Gi'"),
          "" },
        { QUOTA(",'x':'1','a b':'1'"),
          "spec.hard[x]: Invalid value: \"x\": must be a standard resource "
          "type or fully qualified\n"
          "spec.hard[x]: Invalid value: \"x\": must be a standard resource "
          "for quota\n"
          "spec.hard[a b]: Invalid value: \"a b\": " CASE_NAME_PART "\n"
          "spec.hard[a b]: Invalid value: \"a b\": must be a standard "
          "resource for quota\n" },
        { QUOTA(",'services':'1.5','secrets':'-1'"),
          "spec.hard[services]: Invalid value: \"1500m\": must be an "
          "integer\n"
          "spec.hard[secrets]: Invalid value: \"-1\": must be greater than "
          "or equal to 0\n" },
        { QUOTA("},'scopes':['Terminating','BestEffort'],'x':{"), "" },
        { QUOTA(",'cpu':'1'},'scopes':['BestEffort','NotBestEffort','X'],"
                "'y':{"),
          "spec.scopes: Invalid value: [\"BestEffort\",\"NotBestEffort\","
          "\"X\"]: unsupported scope applied to resource\n"
          "spec.scopes: Invalid value: [\"BestEffort\",\"NotBestEffort\","
          "\"X\"]: unsupported scope\n"
          "spec.scopes: Invalid value: [\"BestEffort\",\"NotBestEffort\","
          "\"X\"]: conflicting scopes\n" },
        { QUOTA(",'services':'1'},'scopes':['Terminating','NotTerminating'],"
                "'y':{"),
          "spec.scopes: Invalid value: [\"Terminating\","
          "\"NotTerminating\"]: unsupported scope applied to resource\n"
          "spec.scopes: Invalid value: [\"Terminating\","
          "\"NotTerminating\"]: unsupported scope applied to resource\n"
          "spec.scopes: Invalid value: [\"Terminating\","
          "\"NotTerminating\"]: conflicting scopes\n" },
        { "{'spec':{'hard':{'requests.storage':'1Gi'},"
          "'scopes':['VolumeAttributesClass']}}",
          "" },
        { "{'spec':{'hard':{'hugepages-2Mi':'1','ephemeral-storage':'1',"
          "'pods':'1'},'scopes':['NotBestEffort']}}",
          "spec.scopes: Invalid value: [\"NotBestEffort\"]: unsupported "
          "scope applied to resource\n"
          "spec.scopes: Invalid value: [\"NotBestEffort\"]: unsupported "
          "scope applied to resource\n" },
    };

    CASE_RUN("ResourceQuota", cases);
}

TEST(selectors_of_scopes_are_checked)
{
    static const struct builtin_case cases[] = {
        { QUOTA("},'scopeSelector':{'matchExpressions':[{'scopeName':"
                "'PriorityClass','operator':'In','values':['a']}]"),
          "" },
        { QUOTA("},'scopeSelector':{'matchExpressions':[{'scopeName':'X',"
                "'operator':'Y'}]"),
          "spec.scopeSelector.matchExpressions.scopeName: Invalid value: "
          "\"X\": unsupported scope\n"
          "spec.scopeSelector.matchExpressions.operator: Invalid value: "
          "\"Y\": not a valid selector operator\n" },
        { QUOTA("},'scopeSelector':{'matchExpressions':[{'scopeName':"
                "'PriorityClass','operator':'In'}]"),
          "spec.scopeSelector.matchExpressions.values: Required value: must "
          "be at least one value when `operator` is 'In' or 'NotIn' for "
          "scope selector\n" },
        { QUOTA("},'scopeSelector':{'matchExpressions':[{'scopeName':"
                "'PriorityClass','operator':'Exists','values':['a']}]"),
          "spec.scopeSelector.matchExpressions.values: Invalid value: "
          "[\"a\"]: must be no value when `operator` is 'Exist' or "
          "'DoesNotExist' for scope selector\n" },
        { QUOTA(",'cpu':'1'},'scopeSelector':{'matchExpressions':"
                "[{'scopeName':'BestEffort','operator':'In',"
                "'values':['a']}]"),
          "spec.scopeSelector.matchExpressions: Invalid value: "
          "{\"MatchExpressions\":[{\"ScopeName\":\"BestEffort\","
          "\"Operator\":\"In\",\"Values\":[\"a\"]}]}: unsupported scope "
          "applied to resource\n"
          "spec.scopeSelector.matchExpressions.operator: Invalid value: "
          "\"In\": must be 'Exists' when scope is any of "
          "ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, "
          "ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or "
          "ResourceQuotaScopeCrossNamespacePodAffinity\n" },
        { QUOTA("},'scopeSelector':{'matchExpressions':[{'scopeName':"
                "'Terminating','operator':'Exists'},"
                "{'scopeName':'NotTerminating','operator':'Exists'}]"),
          "spec.scopeSelector.matchExpressions: Invalid value: null: "
          "conflicting scopes\n" },
    };

    CASE_RUN("ResourceQuota", cases);
}

TEST(scopes_are_kept)
{
    static const struct builtin_update cases[] = {
        { QUOTA("},'scopes':['Terminating','NotBestEffort'],'x':{"),
          QUOTA(",'cpu':'1'},'scopes':['NotBestEffort','Terminating'],"
                "'x':{"),
          "" },
        { QUOTA(""),
          QUOTA("},'scopes':['Terminating'],'x':{"),
          "spec.scopes: Invalid value: [\"Terminating\"]: field is "
          "immutable\n" },
    };

    CASE_RUN_UPDATES("ResourceQuota", cases);
}

TEST(what_is_used_is_checked)
{
    static const struct builtin_update cases[] = {
        { QUOTA(""),
          "{'status':{'hard':{'pods':'1'},'used':{'pods':'1'}}}",
          "" },
        { QUOTA(""),
          "{'status':{'hard':{'x':'1'},'used':{'pods':'0.5'}}}",
          "status.hard[x]: Invalid value: \"x\": must be a standard "
          "resource type or fully qualified\n"
          "status.hard[x]: Invalid value: \"x\": must be a standard "
          "resource for quota\n"
          "status.used[pods]: Invalid value: \"500m\": must be an integer\n"
          "" },
    };

    CASE_RUN_STATUS("ResourceQuota", cases);
}
