/* Tests of CustomResourceDefinition, but for its schemas. */

#include "builtin_case.h"

#define VERSION "{'name':'v1','served':true,'storage':true,'schema':"         \
                "{'openAPIV3Schema':{'type':'object'}}"
#define CRD_V(VERSIONS, MORE)                                                 \
    "{'metadata':{'name':'foos.x.io'},'spec':{'group':'x.io','scope':"        \
    "'Cluster','names':{'plural':'foos','kind':'Foo'},'versions':["           \
    VERSIONS "]" MORE "}}"
#define CRD(MORE) CRD_V(VERSION "}", MORE)

TEST(definitions_get_defaults)
{
    CASE_DEFAULT("CustomResourceDefinition", CRD(""),
                 "{'metadata':{'name':'foos.x.io'},'spec':{'conversion':{"
                 "'strategy':'None'},'group':'x.io','names':{'kind':'Foo',"
                 "'listKind':'FooList','plural':'foos','singular':'foo'},"
                 "'scope':'Cluster','versions':[{'name':'v1','schema':{"
                 "'openAPIV3Schema':{'type':'object'}},'served':true,"
                 "'storage':true}]},'status':{'storedVersions':['v1']}}");
    CASE_DEFAULT("CustomResourceDefinition", CRD(""),
                 "{'metadata':{'name':'foos.x.io'},'spec':{'conversion':{"
                 "'strategy':'None'},'group':'x.io','names':{'kind':'Foo',"
                 "'listKind':'FooList','plural':'foos','singular':'foo'},"
                 "'scope':'Cluster','versions':[{'name':'v1','schema':{"
                 "'openAPIV3Schema':{'type':'object'}},'served':true,"
                 "'storage':true}]},'status':{'storedVersions':['v1']}}");
    CASE_DEFAULT("CustomResourceDefinition",
                 CRD(",'conversion':{'webhook':{'clientConfig':"
                     "{'service':{}}}}"),
                 "{'metadata':{'name':'foos.x.io'},'spec':{'conversion':{"
                 "'webhook':{'clientConfig':{'service':{'port':443}}}},"
                 "'group':'x.io','names':{'kind':'Foo','listKind':'FooList',"
                 "'plural':'foos','singular':'foo'},'scope':'Cluster',"
                 "'versions':[{'name':'v1','schema':{'openAPIV3Schema':{"
                 "'type':'object'}},'served':true,'storage':true}]},"
                 "'status':{'storedVersions':['v1']}}");
}

/* A pass for each of them would take minutes. */
TEST(many_versions_are_looked_at_in_few_passes)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *object = case_parse(arena, CRD_V("", ""));
    struct yl_node *versions =
        yl_member_array(yl_member_object(object, "spec"), "versions");
    size_t i;

    for (i = 0; i < 50000; i++) {
        yl_node_append(versions, yl_node_new_object(arena));
    }
    assert_int_equal(yl_builtin_validate(case_kind("CustomResourceDefinition"),
                                         arena, object, &err), YL_EINVALID);
    assert_int_equal(err.n_causes, YL_MAX_CAUSES);
    yl_error_clear(&err);
    yl_arena_free(arena);
}

TEST(definitions_are_checked)
{
    static const struct builtin_case cases[] = {
        { CRD(""), "" },
        { CRD(",'group':'x'"), "metadata.name: Invalid value: \"foos.x.io\": "
          "must be spec.names.plural+\".\"+spec.group\nspec.group: Invalid "
          "value: \"x\": should be a domain with at least one dot\n" },
        { "{}",
          "metadata.name: Invalid value: \"a\": must be "
          "spec.names.plural+\".\"+spec.group\n"
          "spec.group: Required value\n"
          "spec.scope: Required value\n"
          "spec.versions: Invalid value: null: must have exactly one version "
          "marked as storage version\n"
          "spec.names.plural: Required value\n"
          "spec.names.singular: Required value\n"
          "spec.names.kind: Required value\n"
          "spec.names.listKind: Required value\n"
          "status.storedVersions: Invalid value: null: must have at least "
          "one stored version\n" },
        { "{'metadata':{'generateName':'a-','name':'A','labels':{'a':'_'}},"
          "'spec':{'group':'x.io','scope':'Cluster','names':{'plural':'foos',"
          "'kind':'Foo'},'versions':[" VERSION "}]}}",
          "metadata.generateName: Invalid value: \"a-\": must be "
          "spec.names.plural+\".\"+spec.group\n"
          "metadata.name: Invalid value: \"A\": a lowercase RFC 1123 "
          "subdomain must consist of lower case alphanumeric characters, '-' "
          "or '.', and must start and end with an alphanumeric character "
          "(e.g. 'example.com', regex used for validation is '[a-z0-9](["
          "-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')\n"
          "metadata.name: Invalid value: \"A\": must be "
          "spec.names.plural+\".\"+spec.group\n"
          "metadata.labels: Invalid value: \"_\": a valid label must be an "
          "empty string or consist of alphanumeric characters, '-', '_' or "
          "'.', and must start and end with an alphanumeric character (e.g. "
          "'MyValue',  or 'my_value',  or '12345', regex used for validation "
          "is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')\n" },
        { CRD(",'scope':'x'"),
          "spec.scope: Unsupported value: \"x\": supported values: "
          "\"Cluster\", \"Namespaced\"\n" },
        { CRD_V("{'name':'v1'},{'name':'v1','storage':true}", ""),
          "spec.versions[0].schema.openAPIV3Schema: Required value\n"
          "spec.versions[1].schema.openAPIV3Schema: Required value\n"
          "spec.versions: Invalid value: [{\"Name\":\"v1\",\"Served\":false,"
          "\"Storage\":false,\"Deprecated\":false,"
          "\"DeprecationWarning\":null,\"Schema\":null,\"Subresources\":null,"
          "\"AdditionalPrinterColumns\":null,\"SelectableFields\":null},{"
          "\"Name\":\"v1\",\"Served\":false,\"Storage\":true,"
          "\"Deprecated\":false,\"DeprecationWarning\":null,\"Schema\":null,"
          "\"Subresources\":null,\"AdditionalPrinterColumns\":null,"
          "\"SelectableFields\":null}]: must contain unique version names\n"
          "status.storedVersions: Invalid value: [\"v1\"]: must have the "
          "storage version v1\n" },
        { CRD_V(VERSION "},{'name':'v1','schema':{'openAPIV3Schema':"
                "{'type':'object'}}}", ""),
          "spec.versions: Invalid value: [{\"Name\":\"v1\",\"Served\":true,"
          "\"Storage\":true,\"Deprecated\":false,\"DeprecationWarning\":null,"
          "\"Schema\":null,\"Subresources\":null,"
          "\"AdditionalPrinterColumns\":null,\"SelectableFields\":null},{"
          "\"Name\":\"v1\",\"Served\":false,\"Storage\":false,"
          "\"Deprecated\":false,\"DeprecationWarning\":null,\"Schema\":null,"
          "\"Subresources\":null,\"AdditionalPrinterColumns\":null,"
          "\"SelectableFields\":null}]: must contain unique version names\n" },
        { CRD_V(VERSION ",'deprecationWarning':'x'}", ""),
          "spec.versions[0].deprecationWarning: Invalid value: \"x\": can "
          "only be set for deprecated versions\n" },
        { CRD_V(VERSION ",'deprecated':true,'deprecationWarning':''}", ""),
          "spec.versions[0].deprecationWarning: Invalid value: \"\": must "
          "not be an empty string\n" },
        { CRD_V(VERSION ",'deprecated':true,'deprecationWarning':'a\\n'}", ""),
          "spec.versions[0].deprecationWarning: Invalid value: \"a\\n\": "
          "must only contain printable UTF-8 characters; non-printable "
          "character found at index 1\n" },
        { CRD_V(VERSION ",'deprecated':true,'deprecationWarning':"
                "'caf\\u00e9 \\u200b'}", ""),
          "spec.versions[0].deprecationWarning: Invalid value: \"caf\303\251 "
          "\\u200b\": must only contain printable UTF-8 characters; "
          "non-printable character found at index 6\n" },
        { CRD_V(VERSION ",'subresources':{'scale':{'specReplicasPath':'x',"
                "'statusReplicasPath':'.spec.x','labelSelectorPath':'.x'}}}",
                ""),
          "spec.subresources.scale.specReplicasPath: Invalid value: \"x\": "
          "must "
          "be a simple json path starting with .\n"
          "spec.subresources.scale.statusReplicasPath: Invalid value: "
          "\".spec.x\": should be a json path under .status\n"
          "spec.subresources.scale.labelSelectorPath: Invalid value: \".x\": "
          "should be a json path under either .spec or .status\n" },
        { CRD_V(VERSION ",'additionalPrinterColumns':[{},{'name':'a','type':"
                "'x','format':'y','jsonPath':'z'}]}", ""),
          "spec.additionalPrinterColumns[0].name: Required value\n"
          "spec.additionalPrinterColumns[0].type: Required value: must be "
          "one of boolean,date,integer,number,string\n"
          "spec.additionalPrinterColumns[0].JSONPath: Required value\n"
          "spec.additionalPrinterColumns[1].type: Invalid value: \"x\": must "
          "be one of boolean,date,integer,number,string\n"
          "spec.additionalPrinterColumns[1].format: Invalid value: \"y\": "
          "must be one of byte,date,date-time,double,float,int32,int64,"
          "password\n"
          "spec.additionalPrinterColumns[1].JSONPath: Invalid value: \"z\": "
          "must be a simple json path starting with .\n" },
        { CRD_V(VERSION ",'additionalPrinterColumns':[{}]},{'name':'v2',"
                "'schema':{'openAPIV3Schema':{'type':'object'}}}", ""),
          "spec.versions[0].additionalPrinterColumns[0].name: Required "
          "value\n"
          "spec.versions[0].additionalPrinterColumns[0].type: Required "
          "value: must be one of boolean,date,integer,number,string\n"
          "spec.versions[0].additionalPrinterColumns[0].JSONPath: Required "
          "value\n" },
        { CRD(",'names':{'plural':'foos','kind':'F_','listKind':'F_',"
              "'singular':'A','shortNames':['B'],'categories':['C']}"),
          "spec.names.singular: Invalid value: \"A\": a DNS-1035 label must "
          "consist of lower case alphanumeric characters or '-', start with "
          "an alphabetic character, and end with an alphanumeric character "
          "(e.g. 'my-name',  or 'abc-123', regex used for validation is '["
          "a-z]([-a-z0-9]*[a-z0-9])?')\n"
          "spec.names.kind: Invalid value: \"F_\": may have mixed case, but "
          "should otherwise match: a DNS-1035 label must consist of lower "
          "case alphanumeric characters or '-', start with an alphabetic "
          "character, and end with an alphanumeric character (e.g. 'my-name',"
          "  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*["
          "a-z0-9])?')\n"
          "spec.names.listKind: Invalid value: \"F_\": may have mixed case, "
          "but should otherwise match: a DNS-1035 label must consist of "
          "lower case alphanumeric characters or '-', start with an "
          "alphabetic character, and end with an alphanumeric character "
          "(e.g. 'my-name',  or 'abc-123', regex used for validation is '["
          "a-z]([-a-z0-9]*[a-z0-9])?')\n"
          "spec.names.shortNames[0]: Invalid value: \"B\": a DNS-1035 label "
          "must consist of lower case alphanumeric characters or '-', start "
          "with an alphabetic character, and end with an alphanumeric "
          "character (e.g. 'my-name',  or 'abc-123', regex used for "
          "validation is '[a-z]([-a-z0-9]*[a-z0-9])?')\n"
          "spec.names.listKind: Invalid value: \"F_\": kind and listKind may "
          "not be the same\n"
          "spec.names.categories[0]: Invalid value: \"C\": a DNS-1035 label "
          "must consist of lower case alphanumeric characters or '-', start "
          "with an alphabetic character, and end with an alphanumeric "
          "character (e.g. 'my-name',  or 'abc-123', regex used for "
          "validation is '[a-z]([-a-z0-9]*[a-z0-9])?')\n" },
        { CRD(",'preserveUnknownFields':true"),
          "spec.preserveUnknownFields: Invalid value: true: cannot set to "
          "true, set x-kubernetes-preserve-unknown-fields to true in "
          "spec.versions[*].schema instead\n" },
        { "{'metadata':{'name':'foos.x.k8s.io'},'spec':{'group':'x.k8s.io',"
          "'scope':'Cluster','names':{'plural':'foos','kind':'Foo'},"
          "'versions':[" VERSION "}]}}",
          "metadata.annotations[api-approved.kubernetes.io]: Required value: "
          "protected groups must have approval annotation "
          "\"api-approved.kubernetes.io\", see "
          "https://github.com/kubernetes/enhancements/pull/1111\n" },
        { "{'metadata':{'name':'foos.x.k8s.io','annotations':"
          "{'api-approved.kubernetes.io':'x'}},'spec':{'group':'x.k8s.io',"
          "'scope':'Cluster','names':{'plural':'foos','kind':'Foo'},"
          "'versions':[" VERSION "}]}}",
          "metadata.annotations[api-approved.kubernetes.io]: Invalid value: "
          "\"x\": protected groups must have approval annotation "
          "\"api-approved.kubernetes.io\" with either a URL or a reason "
          "starting with \"unapproved\", see "
          "https://github.com/kubernetes/enhancements/pull/1111\n" },
        { "{'metadata':{'name':'foos.x.k8s.io','annotations':"
          "{'api-approved.kubernetes.io':'https://x/y'}},'spec':{'group':"
          "'x.k8s.io','scope':'Cluster','names':{'plural':'foos','kind':"
          "'Foo'},'versions':[" VERSION "}]}}", "" },
    };

    CASE_RUN("CustomResourceDefinition", cases);
}

TEST(conversions_are_checked)
{
    static const struct builtin_case cases[] = {
        { CRD(",'conversion':{'strategy':'X'}"),
          "spec.conversion.strategy: Unsupported value: \"X\": supported "
          "values: \"None\", \"Webhook\"\n" },
        { CRD(",'conversion':{'strategy':'None','webhook':{'clientConfig':{},"
              "'conversionReviewVersions':['v1']}}"),
          "spec.conversion.webhookClientConfig: Forbidden: should not be set "
          "when strategy is not set to Webhook\n"
          "spec.conversion.conversionReviewVersions: Forbidden: should not "
          "be set when strategy is not set to Webhook\n" },
        { CRD(",'conversion':{'strategy':'Webhook'}"),
          "spec.conversion.webhookClientConfig: Required value: required when "
          "strategy is set to Webhook\n"
          "spec.conversion.conversionReviewVersions: Required value\n" },
        { CRD(",'conversion':{'strategy':'Webhook','webhook':{'clientConfig':"
              "{},'conversionReviewVersions':['v2','v2','V']}}"),
          "spec.conversion.webhookClientConfig: Required value: exactly one "
          "of url or service is required\n"
          "spec.conversion.conversionReviewVersions[1]: Invalid value: "
          "\"v2\": duplicate version\n"
          "spec.conversion.conversionReviewVersions[2]: Invalid value: "
          "\"V\": a DNS-1035 label must consist of lower case alphanumeric "
          "characters or '-', start with an alphabetic character, and end "
          "with an alphanumeric character (e.g. 'my-name',  or 'abc-123', "
          "regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')\n"
          "spec.conversion.conversionReviewVersions: Invalid value: [\"v2\","
          "\"v2\",\"V\"]: must include at least one of v1, v1beta1\n" },
        { CRD(",'conversion':{'strategy':'Webhook','webhook':{'clientConfig':"
              "{'service':{'name':'a'}},'conversionReviewVersions':['v1']}}"),
          "spec.conversion.webhookClientConfig.service.name: Required "
          "value\n" },
        { CRD(",'conversion':{'strategy':'Webhook','webhook':{'clientConfig':"
              "{'url':'http://u@/x?q#f'},'conversionReviewVersions':['v1']}}"),
          "spec.conversion.webhookClientConfig.url: Invalid value: \"http\": "
          "'https' is the only allowed URL scheme; desired format: "
          "https://host[/path]\n"
          "spec.conversion.webhookClientConfig.url: Invalid value: \"\": host "
          "must be specified; desired format: https://host[/path]\n"
          "spec.conversion.webhookClientConfig.url: Invalid value: \"u\": "
          "user "
          "information is not permitted in the URL\n"
          "spec.conversion.webhookClientConfig.url: Invalid value: \"f\": "
          "fragments are not permitted in the URL\n"
          "spec.conversion.webhookClientConfig.url: Invalid value: \"q\": "
          "query "
          "parameters are not permitted in the URL\n" },
        { CRD(",'conversion':{'strategy':'Webhook','webhook':{'clientConfig':"
              "{'service':{'port':70000,'path':'/a//B/'}},"
              "'conversionReviewVersions':['v1']}}"),
          "spec.conversion.webhookClientConfig.service.name: Required value\n"
          "spec.conversion.webhookClientConfig.service.namespace: Required "
          "value\n"
          "spec.conversion.webhookClientConfig.service.port: Invalid value: "
          "70000: port is not valid: must be between 1 and 65535, inclusive\n"
          "spec.conversion.webhookClientConfig.service.path: Invalid value: "
          "\"/a//B/\": segment[1] may not be empty\n"
          "spec.conversion.webhookClientConfig.service.path: Invalid value: "
          "\"/a//B/\": segment[2]: " CASE_SUBDOMAIN "\n" },
        { CRD(",'conversion':{'strategy':'Webhook','webhook':{'clientConfig':"
              "{'service':{'name':'a','namespace':'b','path':'//'}},"
              "'conversionReviewVersions':['v1']}}"),
          "spec.conversion.webhookClientConfig.service.path: Invalid value: "
          "\"//\": segment[0] may not be empty\n" },
        { CRD(",'conversion':{'strategy':'Webhook','webhook':{'clientConfig':"
              "{'service':{'name':'a','namespace':'b','path':'/x'}},"
              "'conversionReviewVersions':['v1']}}"), "" },
    };

    CASE_RUN("CustomResourceDefinition", cases);
}

TEST(conversion_needs_pruning)
{
    static const struct builtin_case cases[] = {
        { CRD(",'preserveUnknownFields':true,'conversion':{'strategy':"
              "'Webhook','webhook':{'clientConfig':{'url':'https://a/b'},"
              "'conversionReviewVersions':['v1']}}"),
          "spec.conversion.strategy: Invalid value: \"Webhook\": must be "
          "None if spec.preserveUnknownFields is true\n"
          "spec.preserveUnknownFields: Invalid value: true: cannot set to "
          "true, set x-kubernetes-preserve-unknown-fields to true in "
          "spec.versions[*].schema instead\n" },
    };

    CASE_RUN("CustomResourceDefinition", cases);
}

#define ESTABLISHED \
    ",'status':{'storedVersions':['v1'],'conditions':[{'type':"               \
    "'Established','status':'True'}]}}"
#define WITH(MORE, STATUS)                                                    \
    "{'metadata':{'name':'foos.x.io'},'spec':{'group':'x.io','scope':"        \
    "'Cluster','names':{'plural':'foos','kind':'Foo'},'versions':["           \
    VERSION "}]" MORE "}" STATUS
#define WEBHOOK(CLIENT, REVIEWS)                                              \
    ",'conversion':{'strategy':'Webhook','webhook':{'clientConfig':{'url':"   \
    "'https://a'" CLIENT "},'conversionReviewVersions':[" REVIEWS "]}}"

TEST(updates_are_checked)
{
    static const struct builtin_update cases[] = {
        { WITH("", ESTABLISHED), WITH("", "}"), "" },
        { WITH("", ESTABLISHED),
          WITH(",'scope':'Bogus','names':{'plural':'bars','kind':'Bar'},"
               "'group':'y.io'", "}"),
          "spec.scope: Unsupported value: \"Bogus\": supported values: "
          "\"Cluster\", \"Namespaced\"\n"
          "spec.scope: Invalid value: \"Bogus\": field is immutable\n"
          "spec.names.kind: Invalid value: \"Bar\": field is immutable\n"
          "spec.group: Invalid value: \"y.io\": field is immutable\n"
          "spec.names.plural: Invalid value: \"bars\": field is immutable\n" },
        /* Until it is established, kind and scope may change. */
        { WITH("", "}"), WITH(",'scope':'Namespaced','names':{'plural':"
                              "'foos','kind':'Bar'}", "}"), "" },
        { WITH("", ESTABLISHED), CRD_V(
              "{'name':'v2','served':true,'storage':true,'schema':"
              "{'openAPIV3Schema':{'type':'object'}}}", ""),
          "status.storedVersions[0]: Invalid value: \"v1\": missing from "
          "spec.versions; v1 was previously a storage version, and must "
          "remain in spec.versions until a storage migration ensures no data "
          "remains persisted in v1 and removes v1 from "
          "status.storedVersions\n" },
        { WITH("", ",'status':{'storedVersions':['v0','v1','v0']}}"),
          WITH("", "}"),
          "status.storedVersions[2]: Invalid value: \"v0\": missing from "
          "spec.versions; v0 was previously a storage version, and must "
          "remain in spec.versions until a storage migration ensures no data "
          "remains persisted in v0 and removes v0 from "
          "status.storedVersions\n" },
        { WITH("", ESTABLISHED), CRD_V(VERSION ",'deprecated':true}", ""),
          "" },
        { WITH("", ESTABLISHED), CRD_V("{'name':'v1','storage':true,"
                                       "'served':true}", ""),
          "spec.versions[0].schema.openAPIV3Schema: Required value\n" },
        { CRD_V("{'name':'v1','storage':true,'served':true}", ""),
          CRD_V("{'name':'v1','storage':true,'served':true}", ""),
          "spec.versions[0].schema.openAPIV3Schema: Required value: because "
          "otherwise all fields are pruned\n" },
        { CRD_V("{'name':'v1','storage':true,'served':true}",
                ",'preserveUnknownFields':true"),
          CRD_V("{'name':'v1','storage':true,'served':true}",
                ",'preserveUnknownFields':true"), "" },
        { CRD(""), CRD(",'preserveUnknownFields':true"),
          "spec.preserveUnknownFields: Invalid value: true: cannot set to "
          "true, set x-kubernetes-preserve-unknown-fields to true in "
          "spec.versions[*].schema instead\n" },
    };

    CASE_RUN_UPDATES("CustomResourceDefinition", cases);
}

TEST(updates_of_conversion_are_checked)
{
    static const struct builtin_update cases[] = {
        { WITH(WEBHOOK("", "'v2'"), "}"), WITH(WEBHOOK("", "'v3'"), "}"),
          "" },
        { WITH(WEBHOOK("", "'v1'"), "}"), WITH(WEBHOOK("", "'v3'"), "}"),
          "spec.conversion.conversionReviewVersions: Invalid value: [\"v3\"]: "
          "must include at least one of v1, v1beta1\n" },
        /* A bundle must be valid once the definition is established, unless
         * it was not before. */
        { WITH("", "}"), WITH(WEBHOOK(",'caBundle':'eA=='", "'v1'"), "}"),
          "" },
        { WITH("", ESTABLISHED),
          WITH(WEBHOOK(",'caBundle':'eA=='", "'v1'"), "}"),
          "spec.conversion.webhookClientConfig.caBundle: Invalid value: "
          "\"eA==\": unable to load root certificates: unable to parse bytes "
          "as PEM block\n" },
        { WITH(WEBHOOK(",'caBundle':'eQ=='", "'v1'"), ESTABLISHED),
          WITH(WEBHOOK(",'caBundle':'eA=='", "'v1'"), "}"), "" },
    };

    CASE_RUN_UPDATES("CustomResourceDefinition", cases);
}

#define PROTECTED(ANNOTATION, MORE)                                           \
    "{'metadata':{'name':'foos.x.k8s.io','annotations':{"                     \
    "'api-approved.kubernetes.io':'" ANNOTATION "'}},'spec':{'group':"        \
    "'x.k8s.io','scope':'Cluster','names':{'plural':'foos','kind':'Foo'},"    \
    "'versions':[" VERSION "}]" MORE "}}"

TEST(an_approval_that_was_wrong_may_stay_wrong)
{
    static const struct builtin_update cases[] = {
        { PROTECTED("x", ""), PROTECTED("y", ""), "" },
        { PROTECTED("", ""), PROTECTED("", ""), "" },
        { PROTECTED("unapproved", ""), PROTECTED("y", ""),
          "metadata.annotations[api-approved.kubernetes.io]: Invalid value: "
          "\"y\": protected groups must have approval annotation "
          "\"api-approved.kubernetes.io\" with either a URL or a reason "
          "starting with \"unapproved\", see "
          "https://github.com/kubernetes/enhancements/pull/1111\n" },
        { PROTECTED("https://x/y", ""), PROTECTED("", ""),
          "metadata.annotations[api-approved.kubernetes.io]: Required value: "
          "protected groups must have approval annotation "
          "\"api-approved.kubernetes.io\", see "
          "https://github.com/kubernetes/enhancements/pull/1111\n" },
    };

    CASE_RUN_UPDATES("CustomResourceDefinition", cases);
}

TEST(a_status_has_valid_names)
{
    static const struct builtin_update cases[] = {
        { WITH("", ESTABLISHED), WITH("", ",'status':{'acceptedNames':"
                                          "{'plural':'A','kind':'K',"
                                          "'listKind':'K'}}}"),
          "status.acceptedNames.plural: Invalid value: \"A\": a DNS-1035 "
          "label must consist of lower case alphanumeric characters or '-', "
          "start with an alphabetic character, and end with an alphanumeric "
          "character (e.g. 'my-name',  or 'abc-123', regex used for "
          "validation is '[a-z]([-a-z0-9]*[a-z0-9])?')\n"
          "status.acceptedNames.listKind: Invalid value: \"K\": kind and "
          "listKind may not be the same\n" },
        { WITH("", ESTABLISHED), WITH("", ",'status':{}}"), "" },
    };

    CASE_RUN_STATUS("CustomResourceDefinition", cases);
}

/* The form of the notes: one version, no schema.  It comes here as v1. */
TEST(v1beta1_asks_for_less)
{
    static const struct builtin_case cases[] = {
        { CRD_V("{'name':'v1','served':true,'storage':true}", ""), "" },
        { CRD_V("{'name':'v1','served':true,'storage':true,'schema':"
                "{'openAPIV3Schema':{'properties':{'a':{'type':'x',"
                "'default':1}}}}}", ""),
          "spec.validation.openAPIV3Schema.properties[a].default: Forbidden: "
          "must not be set (cannot set default values in "
          "apiextensions.k8s.io/v1beta1 CRDs, must use "
          "apiextensions.k8s.io/v1)\n" },
        { CRD_V("{'name':'v1','served':true,'storage':true,'schema':"
                "{'openAPIV3Schema':{'properties':{'a':{}}}}}",
                ",'preserveUnknownFields':false"),
          "spec.validation.openAPIV3Schema.properties[a].type: Required "
          "value: must not be empty for specified object fields\n"
          "spec.validation.openAPIV3Schema.type: Required value: must not be "
          "empty at the root\n" },
        { CRD_V("{'name':'v1','served':true,'storage':true}",
                ",'preserveUnknownFields':false"),
          "spec.versions[0].schema.openAPIV3Schema: Required value: because "
          "otherwise all fields are pruned\n" },
        { CRD_V("{'name':'v1','served':true,'storage':true,'schema':"
                "{'openAPIV3Schema':{'properties':{'a':"
                "{'x-kubernetes-int-or-string':true}}}}}", ""),
          "spec.validation.openAPIV3Schema.type: Required value: must not be "
          "empty at the root\n" },
        { CRD_V("{'name':'v1'}", ",'conversion':{'strategy':'Webhook'}"),
          "spec.versions: Invalid value: [{\"Name\":\"v1\",\"Served\":false,"
          "\"Storage\":false,\"Deprecated\":false,\"DeprecationWarning\":null,"
          "\"Schema\":null,\"Subresources\":null,"
          "\"AdditionalPrinterColumns\":null,\"SelectableFields\":null}]: "
          "must have exactly one version marked as storage version\n"
          "spec.conversion.strategy: Invalid value: \"Webhook\": must be None "
          "if spec.preserveUnknownFields is true\n"
          "spec.conversion.webhookClientConfig: Required value: required when "
          "strategy is set to Webhook\n"
          "spec.conversion.conversionReviewVersions: Required value\n"
          "status.storedVersions: Invalid value: null: must have at least one "
          "stored version\n" },
        { "{'metadata':{'name':'foos.x.k8s.io'},'spec':{'group':'x.k8s.io',"
          "'names':{'plural':'foos','kind':'Foo'},'version':'v1'}}", "" },
    };
    const struct yl_builtin *kind = yl_builtin_find(
        YL_STR("apiextensions.k8s.io"), YL_STR("v1beta1"),
        YL_STR("CustomResourceDefinition"));

    case_run(__FILE__, __LINE__, kind, cases, CASE_N(cases));
}
