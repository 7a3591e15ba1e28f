/* Tests of ValidatingAdmissionPolicies. */

#include "builtin_case.h"

TEST(validating_policies_are_checked)
{
    static const struct builtin_case cases[] = {
        { "{'spec':{'matchConstraints':{'resourceRules':[{'apiGroups':['x."
          "io'],'apiVersions':['v1'],'operations':['CREATE'],"
          "'resources':['things']}]},"
          "'validations':[{'expression':'true'}]}}",
          "" },
        { "{}",
          "spec.matchConstraints: Required value\n"
          "spec.validations: Required value: validations or "
          "auditAnnotations must contain at least one item\n"
          "spec.auditAnnotations: Required value: validations or "
          "auditAnnotations must contain at least one item\n" },
        { "{'spec':{'matchConstraints':{'resourceRules':[{'apiGroups':['x."
          "io'],'apiVersions':['v1'],'operations':['CREATE'],"
          "'resources':['things']}]},"
          "'validations':[{'expression':'true'}],'failurePolicy':'X',"
          "'paramKind':{}}}",
          "spec.failurePolicy: Unsupported value: \"X\": supported "
          "values: \"Fail\", \"Ignore\"\n"
          "spec.paramKind.apiVersion: Required value\n"
          "spec.paramKind.kind: Required value\n" },
        { "{'spec':{'matchConstraints':{'resourceRules':[{'apiGroups':['x."
          "io'],'apiVersions':['v1'],'operations':['CREATE'],"
          "'resources':['things']}]},"
          "'validations':[{'expression':'true'}],"
          "'paramKind':{'apiVersion':'a/b/c','kind':'A_'}}}",
          "spec.paramKind.apiVersion: Invalid value: \"a/b/c\": "
          "unexpected GroupVersion string: a/b/c\n"
          "spec.paramKind.kind: Invalid value: \"A_\": may have mixed "
          "case, but should otherwise match: a DNS-1035 label must "
          "consist of lower case alphanumeric characters or '-', start "
          "with an alphabetic character, and end with an alphanumeric "
          "character (e.g. 'my-name',  or 'abc-123', regex used for "
          "validation is '[a-z]([-a-z0-9]*[a-z0-9])?')\n" },
        { "{'spec':{'matchConstraints':{'resourceRules':[{'apiGroups':['x."
          "io'],'apiVersions':['v1'],'operations':['CREATE'],"
          "'resources':['things']}]},"
          "'validations':[{'expression':'true'}],"
          "'paramKind':{'apiVersion':'A_/1','kind':'K'}}}",
          "spec.paramKind.apiVersion: Invalid value: \"A_\": a lowercase "
          "RFC 1123 subdomain must consist of lower case alphanumeric "
          "characters, '-' or '.', and must start and end with an "
          "alphanumeric character (e.g. 'example.com', regex used for "
          "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0"
          "-9]*[a-z0-9])?)*')\n"
          "spec.paramKind.apiVersion: Invalid value: \"1\": a DNS-1035 "
          "label must consist of lower case alphanumeric characters or "
          "'-', start with an alphabetic character, and end with an "
          "alphanumeric character (e.g. 'my-name',  or 'abc-123', regex "
          "used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')\n" },
        { "{'spec':{'matchConstraints':{'resourceRules':[{'apiGroups':['x."
          "io'],'apiVersions':['v1'],'operations':['CREATE'],"
          "'resources':['things']}]},"
          "'validations':[{'expression':'true'}],"
          "'paramKind':{'apiVersion':'g.io/','kind':'K'}}}",
          "spec.paramKind.apiVersion: Invalid value: \"g.io/\": version "
          "must be specified\n" },
        { "{'spec':{'matchConstraints':{'resourceRules':[{'apiGroups':['x."
          "io'],'apiVersions':['v1'],'operations':['CREATE'],"
          "'resources':['things']}]},"
          "'validations':[{'expression':'true'}],"
          "'paramKind':{'apiVersion':'v1','kind':'ConfigMap'}}}",
          "" },
        { "{'spec':{'matchConstraints':{'resourceRules':[{'apiGroups':['x."
          "io'],'apiVersions':['v1'],'operations':['CREATE'],"
          "'resources':['things']}]},"
          "'validations':[{'expression':'true'}],'variables':[{},"
          "{'name':'in','expression':'true'},{'name':'a-b',"
          "'expression':'1'}]}}",
          "spec.variables[0].name: Required value: name is not specified\n"
          "spec.variables[0].expression: Required value: expression is "
          "not specified\n"
          "spec.variables[1].name: Invalid value: \"in\": must be a valid "
          "CEL identifier\n"
          "spec.variables[2].name: Invalid value: \"a-b\": must be a "
          "valid CEL identifier\n" },
        { "{'spec':{'matchConstraints':{'resourceRules':[{'apiGroups':['x."
          "io'],'apiVersions':['v1'],'operations':['CREATE'],"
          "'resources':['things']}]},'validations':[{'message':' "
          "','messageExpression':' ','reason':'X'}]}}",
          "spec.validations[0].expression: Required value: expression is "
          "not specified\n"
          "spec.validations[0].messageExpression: Invalid value: \" \": "
          "must be non-empty if specified\n"
          "spec.validations[0].message: Invalid value: \" \": must be "
          "non-empty if specified\n"
          "spec.validations[0].reason: Unsupported value: \"X\": "
          "supported values: \"Forbidden\", \"Invalid\", "
          "\"RequestEntityTooLarge\"\n" },
        { "{'spec':{'matchConstraints':{'resourceRules':[{'apiGroups':['x."
          "io'],'apiVersions':['v1'],'operations':['CREATE'],"
          "'resources':['things']}]},'validations':[{'expression':'true',"
          "'message':'a\\nb'}]}}",
          "spec.validations[0].message: Invalid value: \"a\\nb\": must "
          "not contain line breaks\n" },
        { "{'spec':{'matchConstraints':{'resourceRules':[{'apiGroups':['x."
          "io'],'apiVersions':['v1'],'operations':['CREATE'],"
          "'resources':['things']}]},"
          "'validations':[{'expression':'true'}],'auditAnnotations':[{}]}}",
          "spec.auditAnnotations[0].key: Invalid value: \"a/\": name part "
          "must be non-empty\n"
          "spec.auditAnnotations[0].key: Invalid value: \"a/\": name part "
          "must consist of alphanumeric characters, '-', '_' or '.', and "
          "must start and end with an alphanumeric character (e.g. "
          "'MyName',  or 'my.name',  or '123-abc', regex used for "
          "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')\n"
          "spec.auditAnnotations[0].valueExpression: Required value: "
          "valueExpression is not specified\n" },
        { "{'spec':{'matchConstraints':{'resourceRules':[{'apiGroups':['x."
          "io'],'apiVersions':['v1'],'operations':['CREATE'],"
          "'resources':['things']}]},'auditAnnotations':[{'key':'k'},"
          "{'key':'k'}]}}",
          "spec.auditAnnotations[0].valueExpression: Required value: "
          "valueExpression is not specified\n"
          "spec.auditAnnotations[1].valueExpression: Required value: "
          "valueExpression is not specified\n"
          "spec.auditAnnotations[1].key: Duplicate value: \"k\"\n" },
        { "{'spec':{'matchConstraints':{},"
          "'auditAnnotations':[{'key':'a0'},{'key':'a1'},{'key':'a2'},"
          "{'key':'a3'},{'key':'a4'},{'key':'a5'},{'key':'a6'},"
          "{'key':'a7'},{'key':'a8'},{'key':'a9'},{'key':'a10'},"
          "{'key':'a11'},{'key':'a12'},{'key':'a13'},{'key':'a14'},"
          "{'key':'a15'},{'key':'a16'},{'key':'a17'},{'key':'a18'},"
          "{'key':'a19'},{'key':'a20'}]}}",
          "spec.matchConstraints.resourceRules: Required value\n"
          "spec.auditAnnotations: Invalid value: "
          "[{\"Key\":\"a0\",\"ValueExpression\":\"\"},{\"Key\":\"a1\","
          "\"ValueExpression\":\"\"},{\"Key\":\"a2\","
          "\"ValueExpression\":\"\"},{\"Key\":\"a3\","
          "\"ValueExpression\":\"\"},{\"Key\":\"a4\","
          "\"ValueExpression\":\"\"},{\"Key\":\"a5\","
          "\"ValueExpression\":\"\"},{\"Key\":\"a6\","
          "\"ValueExpression\":\"\"},{\"Key\":\"a7\","
          "\"ValueExpression\":\"\"},{\"Key\":\"a8\","
          "\"ValueExpression\":\"\"},{\"Key\":\"a9\","
          "\"ValueExpression\":\"\"},{\"Key\":\"a10\","
          "\"ValueExpression\":\"\"},{\"Key\":\"a11\","
          "\"ValueExpression\":\"\"},{\"Key\":\"a12\","
          "\"ValueExpression\":\"\"},{\"Key\":\"a13\","
          "\"ValueExpression\":\"\"},{\"Key\":\"a14\","
          "\"ValueExpression\":\"\"},{\"Key\":\"a15\","
          "\"ValueExpression\":\"\"},{\"Key\":\"a16\","
          "\"ValueExpression\":\"\"},{\"Key\":\"a17\","
          "\"ValueExpression\":\"\"},{\"Key\":\"a18\","
          "\"ValueExpression\":\"\"},{\"Key\":\"a19\","
          "\"ValueExpression\":\"\"},{\"Key\":\"a20\","
          "\"ValueExpression\":\"\"}]: must not have more than 20 "
          "auditAnnotations\n"
          "spec.auditAnnotations[0].valueExpression: Required value: "
          "valueExpression is not specified\n"
          "spec.auditAnnotations[1].valueExpression: Required value: "
          "valueExpression is not specified\n"
          "spec.auditAnnotations[2].valueExpression: Required value: "
          "valueExpression is not specified\n"
          "spec.auditAnnotations[3].valueExpression: Required value: "
          "valueExpression is not specified\n"
          "spec.auditAnnotations[4].valueExpression: Required value: "
          "valueExpression is not specified\n"
          "spec.auditAnnotations[5].valueExpression: Required value: "
          "valueExpression is not specified\n"
          "spec.auditAnnotations[6].valueExpression: Required value: "
          "valueExpression is not specified\n"
          "spec.auditAnnotations[7].valueExpression: Required value: "
          "valueExpression is not specified\n"
          "spec.auditAnnotations[8].valueExpression: Required value: "
          "valueExpression is not specified\n"
          "spec.auditAnnotations[9].valueExpression: Required value: "
          "valueExpression is not specified\n"
          "spec.auditAnnotations[10].valueExpression: Required value: "
          "valueExpression is not specified\n"
          "spec.auditAnnotations[11].valueExpression: Required value: "
          "valueExpression is not specified\n"
          "spec.auditAnnotations[12].valueExpression: Required value: "
          "valueExpression is not specified\n"
          "spec.auditAnnotations[13].valueExpression: Required value: "
          "valueExpression is not specified\n"
          "spec.auditAnnotations[14].valueExpression: Required value: "
          "valueExpression is not specified\n"
          "spec.auditAnnotations[15].valueExpression: Required value: "
          "valueExpression is not specified\n"
          "spec.auditAnnotations[16].valueExpression: Required value: "
          "valueExpression is not specified\n"
          "spec.auditAnnotations[17].valueExpression: Required value: "
          "valueExpression is not specified\n"
          "spec.auditAnnotations[18].valueExpression: Required value: "
          "valueExpression is not specified\n"
          "spec.auditAnnotations[19].valueExpression: Required value: "
          "valueExpression is not specified\n"
          "spec.auditAnnotations[20].valueExpression: Required value: "
          "valueExpression is not specified\n" },
        { "{'spec':{'matchConstraints':{'resourceRules':[{'apiGroups':['x."
          "io'],'apiVersions':['v1'],'operations':['CREATE'],"
          "'resources':['things']}]},"
          "'validations':[{'expression':'true'}],'matchConditions':[{},"
          "{'name':'a','expression':'true'},{'name':'a',"
          "'expression':'true'}]}}",
          "spec.matchConditions[0].expression: Required value\n"
          "spec.matchConditions[0].name: Required value\n"
          "spec.matchConditions[2].name: Duplicate value: \"a\"\n" },
    };

    CASE_RUN("ValidatingAdmissionPolicy", cases);
}

TEST(statuses_of_policies_are_checked)
{
    static const struct builtin_update cases[] = {
        { "{'spec':{'matchConstraints':{'resourceRules':[{'apiGroups':['x."
          "io'],'apiVersions':['v1'],'operations':['CREATE'],"
          "'resources':['things']}]},"
          "'validations':[{'expression':'true'}]}}",
          "{'spec':{'matchConstraints':{'resourceRules':[{'apiGroups':['x."
          "io'],'apiVersions':['v1'],'operations':['CREATE'],"
          "'resources':['things']}]},"
          "'validations':[{'expression':'true'}]},"
          "'status':{'typeChecking':{'expressionWarnings':[{},"
          "{'fieldRef':'f','warning':'w'},"
          "{'fieldRef':'spec.a[0].b','warning':'w'},"
          "{'fieldRef':' spec[','warning':'w'},"
          "{'fieldRef':'!','warning':'w'}]},'conditions':[{'type':'A'}]}}",
          "status.typeChecking.expressionWarnings[0].warning: Required "
          "value\n"
          "status.typeChecking.expressionWarnings[0].fieldRef: Required "
          "value\n"
          "status.typeChecking.expressionWarnings[3].fieldRef: Invalid value: "
          "\"spec[\": invalid JSONPath: unterminated array\n"
          "status.typeChecking.expressionWarnings[4].fieldRef: Invalid value: "
          "\"!\": invalid JSONPath: unrecognized character in action: U+0021 "
          "'!'\n"
          "status.conditions[0].status: Unsupported value: \"\": "
          "supported values: \"False\", \"True\", \"Unknown\"\n"
          "status.conditions[0].lastTransitionTime: Required value\n"
          "status.conditions[0].reason: Required value\n" },
    };

    CASE_RUN_STATUS("ValidatingAdmissionPolicy", cases);
}

TEST(policies_change)
{
    static const struct builtin_update cases[] = {
        { "{'spec':{'matchConstraints':{'resourceRules':[{'apiGroups':['x."
          "io'],'apiVersions':['v1'],'operations':['CREATE'],"
          "'resources':['things']}]},"
          "'validations':[{'expression':'true'}],"
          "'matchConditions':[{'name':'a','expression':'true'}]}}",
          "{'spec':{'matchConstraints':{'resourceRules':[{'apiGroups':['x."
          "io'],'apiVersions':['v1'],'operations':['CREATE'],"
          "'resources':['things']}]},'validations':[]}}",
          "spec.validations: Required value: validations or "
          "auditAnnotations must contain at least one item\n"
          "spec.auditAnnotations: Required value: validations or "
          "auditAnnotations must contain at least one item\n" },
        { "{'spec':{'matchConstraints':{'resourceRules':[{'apiGroups':['x."
          "io'],'apiVersions':['v1'],'operations':['CREATE'],"
          "'resources':['things']}]},"
          "'validations':[{'expression':'true'}]}}",
          "{'spec':{'matchConstraints':{'resourceRules':[{'apiGroups':['x."
          "io'],'apiVersions':['v1'],'operations':['CREATE'],"
          "'resources':['things']}]},"
          "'validations':[{'expression':'true'}],"
          "'matchConditions':[{'name':'a'}]}}",
          "spec.matchConditions[0].expression: Required value\n" },
    };

    CASE_RUN_UPDATES("ValidatingAdmissionPolicy", cases);
}
