/* Tests of the policies of admission and their bindings. */

#include "builtin_case.h"

#define POLICY(MORE)                                                          \
    "{'spec':{'reinvocationPolicy':'Never',"                                  \
    "'matchConstraints':{'resourceRules':[{'operations':['CREATE'],"          \
    "'apiGroups':[''],'apiVersions':['v1'],'resources':['pods']}]},"          \
    "'mutations':[{'patchType':'JSONPatch',"                                  \
    "'jsonPatch':{'expression':'[]'}}]" MORE "}}"

#define MUTATION(MORE)                                                        \
    "{'spec':{'reinvocationPolicy':'Never',"                                  \
    "'matchConstraints':{'resourceRules':[{'operations':['CREATE'],"          \
    "'apiGroups':[''],'apiVersions':['v1'],'resources':['pods']}]},"          \
    "'mutations':[{" MORE "}]}}"

#define BINDING(MORE)                                                         \
    "{'spec':{'policyName':'p','validationActions':['Deny']" MORE "}}"

TEST(policies_get_defaults)
{
    CASE_DEFAULT("MutatingAdmissionPolicy",
                 "{'spec':{'matchConstraints':{'resourceRules':[{}],"
                 "'excludeResourceRules':[{}]}}}",
                 "{'spec':{'failurePolicy':'Fail','matchConstraints':{"
                 "'excludeResourceRules':[{'scope':'*'}],"
                 "'matchPolicy':'Equivalent','namespaceSelector':{},"
                 "'objectSelector':{},'resourceRules':[{'scope':'*'}]}}}");
}

TEST(validating_policies_get_defaults)
{
    CASE_DEFAULT("ValidatingAdmissionPolicy",
                 "{'spec':{'matchConstraints':{}}}",
                 "{'spec':{'failurePolicy':'Fail','matchConstraints':{"
                 "'matchPolicy':'Equivalent','namespaceSelector':{},"
                 "'objectSelector':{}}}}");
}

TEST(bindings_get_defaults)
{
    CASE_DEFAULT("MutatingAdmissionPolicyBinding",
                 "{'spec':{'matchResources':{}}}",
                 "{'spec':{'matchResources':{'matchPolicy':'Equivalent',"
                 "'namespaceSelector':{},'objectSelector':{}}}}");
}

TEST(policies_are_checked)
{
    static const struct builtin_case cases[] = {
        { POLICY(""), "" },
        { "{}",
          "spec.matchConstraints: Required value\n"
          "spec.mutations: Required value: mutations must contain at least "
          "one item\n"
          "spec.reinvocationPolicy: Required value\n" },
        { "{'spec':{'failurePolicy':'X','reinvocationPolicy':'X',"
          "'matchConstraints':{'matchPolicy':'X',"
          "'namespaceSelector':{'matchLabels':{'a "
          "b':'c'}},'objectSelector':{'matchLabels':{'a "
          "b':'c'}}},'mutations':[{}]}}",
          "spec.failurePolicy: Unsupported value: \"X\": supported values: "
          "\"Fail\", \"Ignore\"\n"
          "spec.matchConstraints.matchPolicy: Unsupported value: \"X\": "
          "supported values: \"Equivalent\", \"Exact\"\n"
          "spec.matchConstraints.namespaceSelector.matchLabels: Invalid "
          "value: \"a b\": " CASE_NAME_PART "\n"
          "spec.matchConstraints.objectSelector.matchLabels: Invalid value: "
          "\"a b\": " CASE_NAME_PART "\n"
          "spec.matchConstraints.resourceRules: Required value\n"
          "spec.mutations[0].patchType: Required value\n"
          "spec.reinvocationPolicy: Unsupported value: \"X\": supported "
          "values: \"IfNeeded\", \"Never\"\n" },
        { "{'spec':{'reinvocationPolicy':'Never',"
          "'matchConstraints':{'resourceRules':[{'operations':['DELETE'],"
          "'apiGroups':[''],'apiVersions':['v1'],'resources':['pods'],"
          "'resourceNames':['a','a','b/c']}]},"
          "'mutations':[{'patchType':'X'}]}}",
          "spec.matchConstraints.resourceRules[0].resourceNames[1]: "
          "Duplicate value: \"a\"\n"
          "spec.matchConstraints.resourceRules[0].resourceNames[2]: Invalid "
          "value: \"b/c\": may not contain '/'\n"
          "spec.matchConstraints.resourceRules.operations: Unsupported "
          "value: \"DELETE\": supported values: \"*\", \"CONNECT\", "
          "\"CREATE\", \"UPDATE\"\n"
          "spec.mutations[0].patchType: Unsupported value: \"X\": supported "
          "values: \"ApplyConfiguration\", \"JSONPatch\"\n" },
    };

    CASE_RUN("MutatingAdmissionPolicy", cases);
}

TEST(mutations_are_checked)
{
    static const struct builtin_case cases[] = {
        { MUTATION("'patchType':'ApplyConfiguration',"
                   "'applyConfiguration':{'expression':'Object{}'}"),
          "" },
        { MUTATION("'patchType':'ApplyConfiguration'"),
          "spec.mutations[0].applyConfiguration: Required value: must be "
          "specified when patchType is ApplyConfiguration\n" },
        { MUTATION("'patchType':'JSONPatch','jsonPatch':{'expression':' "
                   "'},'applyConfiguration':{'expression':'x'}"),
          "spec.mutations[0].jsonPatch.expression: Required value\n"
          "spec.mutations[0].applyConfiguration: Invalid value: "
          "\"{applyConfiguration}\": must not be specified when patchType "
          "is JSONPatch\n" },
    };

    CASE_RUN("MutatingAdmissionPolicy", cases);
}

TEST(policies_are_checked_again)
{
    static const struct builtin_update cases[] = {
        { POLICY(""),
          POLICY(",'failurePolicy':'X'"),
          "spec.failurePolicy: Unsupported value: \"X\": supported values: "
          "\"Fail\", \"Ignore\"\n" },
    };

    CASE_RUN_UPDATES("MutatingAdmissionPolicy", cases);
}

TEST(bindings_are_checked)
{
    static const struct builtin_case cases[] = {
        { BINDING(""), "" },
        { "{}",
          "spec.policyName: Required value\n"
          "spec.validationActions: Required value: at least one validation "
          "action is required\n" },
        { BINDING(",'validationActions':['Deny','Warn','X','Deny'],"
                  "'policyName':'A'"),
          "spec.policyName: Invalid value: \"A\": " CASE_SUBDOMAIN "\n"
          "spec.validationActions[2]: Unsupported value: \"X\": supported "
          "values: \"Audit\", \"Deny\", \"Warn\"\n"
          "spec.validationActions[3]: Duplicate value: \"Deny\"\n"
          "spec.validationActions: Invalid value: [\"Deny\",\"Warn\",\"X\","
          "\"Deny\"]: must not contain both Deny and Warn (repeating the "
          "same validation failure information in the API response and "
          "headers serves no purpose)\n" },
        { BINDING(",'paramRef':{}"),
          "spec.paramRef: Required value: one of name or selector must be "
          "specified\n"
          "spec.paramRef.parameterNotFoundAction: Required value\n" },
        { BINDING(",'paramRef':{'name':'a','selector':{'matchLabels':{'a "
                  "b':'c'}},'parameterNotFoundAction':'X'}"),
          "spec.paramRef.name: Forbidden: name and selector are mutually "
          "exclusive\n"
          "spec.paramRef.selector.matchLabels: Invalid value: \"a b\": "
          CASE_NAME_PART "\n"
          "spec.paramRef.selector: Forbidden: name and selector are mutually "
          "exclusive\n"
          "spec.paramRef.parameterNotFoundAction: Unsupported value: \"X\": "
          "supported values: \"Deny\", \"Allow\"\n" },
        { BINDING(",'paramRef':{'name':'a','parameterNotFoundAction':'Deny'}"
                  ",'matchResources':{'matchPolicy':'X'}"),
          "spec.matchResources.matchPolicy: Unsupported value: \"X\": "
          "supported values: \"Equivalent\", \"Exact\"\n" },
    };

    CASE_RUN("ValidatingAdmissionPolicyBinding", cases);
}

TEST(bindings_are_checked_again)
{
    static const struct builtin_update cases[] = {
        { BINDING(""),
          BINDING(",'policyName':''"),
          "spec.policyName: Required value\n" },
    };

    CASE_RUN_UPDATES("ValidatingAdmissionPolicyBinding", cases);
}

TEST(mutating_bindings_are_checked)
{
    static const struct builtin_case cases[] = {
        { "{'spec':{'policyName':'p','matchResources':{'resourceRules':"
          "[{'operations':['DELETE'],'apiGroups':[''],'apiVersions':['v1'],"
          "'resources':['pods']}]}}}",
          "spec.matchResources.resourceRules.operations: Unsupported value: "
          "\"DELETE\": supported values: \"*\", \"CONNECT\", \"CREATE\", "
          "\"UPDATE\"\n" },
    };

    CASE_RUN("MutatingAdmissionPolicyBinding", cases);
}

TEST(mutating_bindings_are_checked_again)
{
    static const struct builtin_update cases[] = {
        { "{'spec':{'policyName':'p'}}",
          "{'spec':{}}",
          "spec.policyName: Required value\n" },
    };

    CASE_RUN_UPDATES("MutatingAdmissionPolicyBinding", cases);
}
