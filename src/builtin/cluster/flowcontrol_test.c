/* Tests of FlowSchema and PriorityLevelConfiguration. */

#include "builtin_case.h"

#define SCHEMA(MORE)                                                          \
    "{'spec':{'priorityLevelConfiguration':{'name':'p'}" MORE "}}"

#define RULE(MORE)                                                            \
    "{'spec':{'priorityLevelConfiguration':{'name':'p'},'rules':[{" MORE      \
    "}]}}"

#define LEVEL(MORE)                                                           \
    "{'spec':{'type':'Limited','limited':{" MORE "}}}"

TEST(schemas_get_defaults)
{
    CASE_DEFAULT("FlowSchema", SCHEMA(""),
                 "{'spec':{'matchingPrecedence':1000,"
                 "'priorityLevelConfiguration':{'name':'p'}}}");
}

TEST(schemas_are_checked)
{
    static const struct builtin_case cases[] = {
        { SCHEMA(""), "" },
        { SCHEMA(",'matchingPrecedence':1"),
          "spec.matchingPrecedence: Invalid value: 1: only the schema named "
          "'exempt' may have matchingPrecedence 1\n" },
        { SCHEMA(",'matchingPrecedence':-1"),
          "spec.matchingPrecedence: Invalid value: -1: must be a positive "
          "value\n" },
        { SCHEMA(",'matchingPrecedence':10001,"
                 "'distinguisherMethod':{'type':'X'}"),
          "spec.matchingPrecedence: Invalid value: 10001: must not be "
          "greater than 10000\n"
          "spec.distinguisherMethod.type: Unsupported value: "
          "{\"Type\":\"X\"}: supported values: \"ByNamespace\", \"ByUser\"\n"
          "" },
        { "{}",
          "spec.priorityLevelConfiguration.name: Required value: must "
          "reference a priority level\n" },
        { "{'spec':{'priorityLevelConfiguration':{'name':'P'}}}",
          "spec.priorityLevelConfiguration.name: Invalid value: \"P\": "
          CASE_SUBDOMAIN "\n" },
        { "{'metadata':{'name':'exempt'},'spec':"
          "{'priorityLevelConfiguration':{'name':'p'}}}",
          "spec: Invalid value: {\"PriorityLevelConfiguration\":{"
          "\"Name\":\"p\"},\"MatchingPrecedence\":1000,"
          "\"DistinguisherMethod\":null,\"Rules\":null}: spec of 'exempt' "
          "must equal the fixed value\n" },
        { "{'metadata':{'name':'exempt'},'spec':{'matchingPrecedence':1,"
          "'priorityLevelConfiguration':{'name':'exempt'},'rules':[{"
          "'nonResourceRules':[{'nonResourceURLs':['*'],'verbs':['*']}],"
          "'resourceRules':[{'apiGroups':['*'],'clusterScope':true,"
          "'namespaces':['*'],'resources':['*'],'verbs':['*']}],'subjects':["
          "{'group':{'name':'system:masters'},'kind':'Group'}]}]}}",
          "" },
        { "{'metadata':{'name':'catch-all'},'spec':{'matchingPrecedence':"
          "10000,'distinguisherMethod':{'type':'ByUser'},"
          "'priorityLevelConfiguration':{'name':'catch-all'},'rules':[{"
          "'nonResourceRules':[{'nonResourceURLs':['*'],'verbs':['*']}],"
          "'resourceRules':[{'apiGroups':['*'],'clusterScope':true,"
          "'namespaces':['*'],'resources':['*'],'verbs':['*']}],'subjects':["
          "{'group':{'name':'system:unauthenticated'},'kind':'Group'},"
          "{'group':{'name':'system:authenticated'},'kind':'Group'}]}]}}",
          "" },
        { "{'metadata':{'name':'catch-all'},'spec':{'matchingPrecedence':"
          "10000,'priorityLevelConfiguration':{'name':'catch-all'},"
          "'rules':[{'nonResourceRules':[{'nonResourceURLs':['*'],"
          "'verbs':['*']}],'subjects':[{'kind':'User','user':{'name':"
          "'u'}}]}]}}",
          "spec: Invalid value: {\"PriorityLevelConfiguration\":{"
          "\"Name\":\"catch-all\"},\"MatchingPrecedence\":10000,"
          "\"DistinguisherMethod\":null,\"Rules\":[{\"Subjects\":[{"
          "\"Kind\":\"User\",\"User\":{\"Name\":\"u\"},\"Group\":null,"
          "\"ServiceAccount\":null}],\"ResourceRules\":null,"
          "\"NonResourceRules\":[{\"Verbs\":[\"*\"],\"NonResourceURLs\":["
          "\"*\"]}]}]}: spec of 'catch-all' must equal the fixed value\n" },
    };

    CASE_RUN("FlowSchema", cases);
}

TEST(rules_are_checked)
{
    static const struct builtin_case cases[] = {
        { RULE("'subjects':[{'kind':'Group','group':{'name':'g'}}],"
               "'resourceRules':[{'verbs':['get'],'apiGroups':['*'],"
               "'resources':['*'],'clusterScope':true,'namespaces':['*']}],"
               "'nonResourceRules':[{'verbs':['*'],'nonResourceURLs':['/a',"
               "'/b/*']}]"),
          "" },
        { RULE(""),
          "spec.rules[0].subjects: Required value: subjects must contain at "
          "least one value\n"
          "spec.rules[0]: Required value: at least one of resourceRules and "
          "nonResourceRules has to be non-empty\n" },
        { RULE("'subjects':[{'kind':'X'}]"),
          "spec.rules[0].subjects[0].kind: Unsupported value: \"X\": "
          "supported values: \"Group\", \"ServiceAccount\", \"User\"\n"
          "spec.rules[0]: Required value: at least one of resourceRules and "
          "nonResourceRules has to be non-empty\n" },
        { RULE("'subjects':[{'kind':'User'},{'kind':'Group','group':{},"
               "'user':{'name':'u'}},{'kind':'ServiceAccount',"
               "'serviceAccount':{'name':'A'}},{'kind':'ServiceAccount',"
               "'serviceAccount':{'name':'*','namespace':'B'}}]"),
          "spec.rules[0].subjects[0].user: Required value: user is required "
          "when subject kind is 'User'\n"
          "spec.rules[0].subjects[1].group.name: Required value\n"
          "spec.rules[0].subjects[1].user: Forbidden: user is forbidden when "
          "subject kind is not 'User'\n"
          "spec.rules[0].subjects[2].serviceAccount.name: Invalid value: "
          "\"A\": " CASE_SUBDOMAIN "\n"
          "spec.rules[0].subjects[2].serviceAccount.namespace: Required "
          "value: must specify namespace for service account\n"
          "spec.rules[0].subjects[3].serviceAccount.namespace: Invalid "
          "value: \"B\": " CASE_LABEL "\n"
          "spec.rules[0]: Required value: at least one of resourceRules and "
          "nonResourceRules has to be non-empty\n" },
        { RULE("'subjects':[{'kind':'Group','group':{'name':'g'}}],"
               "'resourceRules':[{},{'verbs':['*','get'],'apiGroups':['*',"
               "'a'],'resources':['*','b'],'namespaces':['*','c']},"
               "{'verbs':['x'],'apiGroups':['a'],'resources':['b'],"
               "'namespaces':['C']}]"),
          "spec.rules[0].resourceRules[0].verbs: Required value: verbs must "
          "contain at least one value\n"
          "spec.rules[0].resourceRules[0].apiGroups: Required value: "
          "resource rules must supply at least one api group\n"
          "spec.rules[0].resourceRules[0].resources: Required value: "
          "resource rules must supply at least one resource\n"
          "spec.rules[0].resourceRules[0].namespaces: Required value: "
          "resource rules that are not cluster scoped must supply at least "
          "one namespace\n"
          "spec.rules[0].resourceRules[1].verbs: Invalid value: [\"*\","
          "\"get\"]: if '*' is present, must not specify other verbs\n"
          "spec.rules[0].resourceRules[1].apiGroups: Invalid value: [\"*\","
          "\"a\"]: if '*' is present, must not specify other api groups\n"
          "spec.rules[0].resourceRules[1].resources: Invalid value: [\"*\","
          "\"b\"]: if '*' is present, must not specify other resources\n"
          "spec.rules[0].resourceRules[1].namespaces: Invalid value: [\"*\","
          "\"c\"]: if '*' is present, must not specify other namespaces\n"
          "spec.rules[0].resourceRules[2].verbs: Unsupported value: [\"x\"]: "
          "supported values: \"create\", \"delete\", \"deletecollection\", "
          "\"get\", \"list\", \"patch\", \"proxy\", \"update\", \"watch\"\n"
          "spec.rules[0].resourceRules[2].namespaces[0]: Invalid value: "
          "\"C\": each member of this list must be '*' or a DNS-1123 label; "
          CASE_LABEL "\n" },
        { RULE("'subjects':[{'kind':'Group','group':{'name':'g'}}],"
               "'nonResourceRules':[{'verbs':['get']},{'verbs':['get'],"
               "'nonResourceURLs':['','a','/a "
               "b','/a//b','/a*','/*']},{'verbs':['get'],"
               "'nonResourceURLs':['*','/a']}]"),
          "spec.rules[0].nonResourceRules[0].nonResourceURLs: Required "
          "value: nonResourceURLs must contain at least one value\n"
          "spec.rules[0].nonResourceRules[1].nonResourceURLs[0]: Invalid "
          "value: \"\": must not be empty\n"
          "spec.rules[0].nonResourceRules[1].nonResourceURLs[1]: Invalid "
          "value: \"a\": must start with slash\n"
          "spec.rules[0].nonResourceRules[1].nonResourceURLs[2]: Invalid "
          "value: \"/a b\": must not contain white-space\n"
          "spec.rules[0].nonResourceRules[1].nonResourceURLs[3]: Invalid "
          "value: \"/a//b\": must not contain double slash\n"
          "spec.rules[0].nonResourceRules[1].nonResourceURLs[4]: Invalid "
          "value: \"/a*\": wildcard can only do suffix matching\n"
          "spec.rules[0].nonResourceRules[2].nonResourceURLs: Invalid "
          "value: [\"*\",\"/a\"]: if '*' is present, must not specify other "
          "non-resource URLs\n" },
    };

    CASE_RUN("FlowSchema", cases);
}

TEST(schemas_are_checked_again)
{
    static const struct builtin_update cases[] = {
        { SCHEMA(""),
          RULE(""),
          "spec.rules[0].subjects: Required value: subjects must contain at "
          "least one value\n"
          "spec.rules[0]: Required value: at least one of resourceRules and "
          "nonResourceRules has to be non-empty\n" },
    };

    CASE_RUN_UPDATES("FlowSchema", cases);
}

TEST(conditions_of_schemas_are_of_different_types)
{
    static const struct builtin_update cases[] = {
        { SCHEMA(""),
          "{'status':{'conditions':[{'type':'a'},{'type':'a'},{}]}}",
          "status.conditions[1].type: Duplicate value: \"a\"\n"
          "status.conditions[2].type: Required value\n" },
        { SCHEMA(""), "{'status':{'conditions':[{'type':'a'}]}}", "" },
    };

    CASE_RUN_STATUS("FlowSchema", cases);
}

TEST(levels_get_defaults)
{
    CASE_DEFAULT("PriorityLevelConfiguration", LEVEL(""),
                 "{'spec':{'limited':{'lendablePercent':0,"
                 "'nominalConcurrencyShares':30},'type':'Limited'}}");
    CASE_DEFAULT("PriorityLevelConfiguration",
                 "{'spec':{'type':'Exempt','exempt':{}}}",
                 "{'spec':{'exempt':{'lendablePercent':0,"
                 "'nominalConcurrencyShares':0},'type':'Exempt'}}");
    CASE_DEFAULT("PriorityLevelConfiguration",
                 LEVEL("'limitResponse':{'type':'Queue','queuing':{}}"),
                 "{'spec':{'limited':{'lendablePercent':0,'limitResponse':{"
                 "'queuing':{'handSize':8,'queueLengthLimit':50,'queues':64},"
                 "'type':'Queue'},'nominalConcurrencyShares':30},"
                 "'type':'Limited'}}");
}

TEST(levels_are_checked)
{
    static const struct builtin_case cases[] = {
        { LEVEL(""), "spec.limited.limitResponse.type: Required value\n" },
        { "{'metadata':{'name':'exempt'},'spec':{'type':'Exempt',"
          "'exempt':{'nominalConcurrencyShares':5}}}",
          "" },
        { "{'spec':{'type':'Exempt','limited':{},"
          "'exempt':{'nominalConcurrencyShares':-1,"
          "'lendablePercent':101}}}",
          "spec.type: Invalid value: \"Exempt\": must be 'Exempt' if and "
          "only if `name` is 'exempt'\n"
          "spec.limited: Forbidden: must be nil if the type is not Limited\n"
          "spec.exempt.nominalConcurrencyShares: Invalid value: -1: must be "
          "a non-negative integer\n"
          "spec.exempt.lendablePercent: Invalid value: 101: must be between "
          "0 and 100, inclusive\n" },
        { "{'metadata':{'name':'exempt'},'spec':{'type':'Limited',"
          "'exempt':{}}}",
          "spec.type: Invalid value: \"Limited\": must be 'Exempt' if and "
          "only if `name` is 'exempt'\n"
          "spec.exempt: Forbidden: must be nil if the type is Limited\n"
          "spec.limited: Required value: must not be empty when type is "
          "Limited\n"
          "spec: Invalid value: {\"Type\":\"Limited\",\"Limited\":null,"
          "\"Exempt\":{\"NominalConcurrencyShares\":0,"
          "\"LendablePercent\":0}}: spec of 'exempt' except the "
          "'spec.exempt' field must equal the fixed value\n" },
        { "{'metadata':{'name':'catch-all'},'spec':{'type':'Limited',"
          "'limited':{'nominalConcurrencyShares':5,'limitResponse':"
          "{'type':'Reject'}}}}",
          "" },
        { "{'metadata':{'name':'catch-all'},'spec':{'type':'Limited',"
          "'limited':{'nominalConcurrencyShares':6,'limitResponse':"
          "{'type':'Reject'}}}}",
          "spec: Invalid value: {\"Type\":\"Limited\",\"Limited\":{"
          "\"NominalConcurrencyShares\":6,\"LimitResponse\":{"
          "\"Type\":\"Reject\",\"Queuing\":null},\"LendablePercent\":0,"
          "\"BorrowingLimitPercent\":null},\"Exempt\":null}: spec of "
          "'catch-all' must equal the fixed value\n" },
        { "{'spec':{}}", "spec.type: Required value\n" },
        { "{'spec':{'type':'X'}}",
          "spec.type: Unsupported value: \"X\": supported values: "
          "\"Exempt\", \"Limited\"\n" },
        { LEVEL("'nominalConcurrencyShares':-1,'lendablePercent':-1,"
                "'borrowingLimitPercent':-1,'limitResponse':{'type':"
                "'Reject','queuing':{}}"),
          "spec.limited.nominalConcurrencyShares: Invalid value: -1: must "
          "be a non-negative integer\n"
          "spec.limited.limitResponse.queuing: Forbidden: must be nil if "
          "limited.limitResponse.type is not Limited\n"
          "spec.limited.lendablePercent: Invalid value: -1: must be between "
          "0 and 100, inclusive\n"
          "spec.limited.borrowingLimitPercent: Invalid value: -1: if "
          "specified, must be a non-negative integer\n" },
        { LEVEL("'limitResponse':{'type':'Queue'}"),
          "spec.limited.limitResponse.queuing: Required value: must not be "
          "empty if limited.limitResponse.type is Limited\n" },
        { LEVEL("'limitResponse':{'type':'X'}"),
          "spec.limited.limitResponse.type: Unsupported value: \"X\": "
          "supported values: \"Queue\", \"Reject\"\n" },
        { LEVEL("'limitResponse':{'type':'Queue','queuing':{'queues':-1,"
                "'handSize':-1,'queueLengthLimit':-1}}"),
          "spec.limited.limitResponse.queuing.queueLengthLimit: Invalid "
          "value: -1: must be positive\n"
          "spec.limited.limitResponse.queuing.queues: Invalid value: -1: "
          "must be positive\n"
          "spec.limited.limitResponse.queuing.handSize: Invalid value: -1: "
          "must be positive\n" },
        { LEVEL("'limitResponse':{'type':'Queue','queuing':{'queues':2,"
                "'handSize':3}}"),
          "spec.limited.limitResponse.queuing.handSize: Invalid value: 3: "
          "should not be greater than queues (2)\n" },
        { LEVEL("'limitResponse':{'type':'Queue',"
                "'queuing':{'queues':10000001,'handSize':3}}"),
          "spec.limited.limitResponse.queuing.queues: Invalid value: "
          "10000001: must not be greater than 10000000\n"
          "spec.limited.limitResponse.queuing.handSize: Invalid value: 3: "
          "required entropy bits of deckSize 10000001 and handSize 3 should "
          "not be greater than 60\n" },
        { LEVEL("'limitResponse':{'type':'Queue','queuing':{'queues':1024,"
                "'handSize':10}}"),
          "spec.limited.limitResponse.queuing.handSize: Invalid value: 10: "
          "required entropy bits of deckSize 1024 and handSize 10 should "
          "not be greater than 60\n" },
    };

    CASE_RUN("PriorityLevelConfiguration", cases);
}

TEST(levels_are_checked_again)
{
    static const struct builtin_update cases[] = {
        { LEVEL(""),
          LEVEL("'limitResponse':{'type':'X'}"),
          "spec.limited.limitResponse.type: Unsupported value: \"X\": "
          "supported values: \"Queue\", \"Reject\"\n" },
    };

    CASE_RUN_UPDATES("PriorityLevelConfiguration", cases);
}

TEST(conditions_of_levels_are_of_different_types)
{
    static const struct builtin_update cases[] = {
        { LEVEL(""),
          "{'status':{'conditions':[{'type':'a'},{'type':'a'}]}}",
          "status.conditions[1].type: Duplicate value: \"a\"\n" },
    };

    CASE_RUN_STATUS("PriorityLevelConfiguration", cases);
}
