/* Tests of Ingress and IngressClass. */

#include "builtin_case.h"

#define ING(MORE)                                                             \
    "{'spec':{'rules':[{" MORE "}]}}"

TEST(ingresses_are_checked)
{
    static const struct builtin_case cases[] = {
        { ING("'host':'a.example.com','http':{'paths':[{'path':'/',"
              "'pathType':'Prefix','backend':{'service':{'name':'s',"
              "'port':{'number':80}}}}]}"),
          "" },
        { "{'spec':{}}",
          "spec: Invalid value: null: either `defaultBackend` or `rules` "
          "must be specified\n" },
        { "{'spec':{'defaultBackend':{}}}",
          "spec.defaultBackend: Invalid value: \"\": resource or service "
          "backend is required\n" },
        { "{'spec':{'defaultBackend':{'service':{'name':'s',"
          "'port':{'name':'p'}},'resource':{'kind':'K','name':'n'}}}}",
          "spec.defaultBackend: Invalid value: \"\": cannot set both "
          "resource and service backends\n" },
        { "{'spec':{'defaultBackend':{'resource':{'apiGroup':'A',"
          "'name':'a/b'}}}}",
          "spec.defaultBackend.resource.apiGroup: Invalid value: \"A\": "
          CASE_SUBDOMAIN "\n"
          "spec.defaultBackend.resource.kind: Required value\n"
          "spec.defaultBackend.resource.name: Invalid value: \"a/b\": may "
          "not contain '/'\n" },
        { "{'spec':{'defaultBackend':{'service':{'port':{'name':'p',"
          "'number':1}}}}}",
          "spec.defaultBackend.service.name: Required value\n"
          "spec.defaultBackend: Invalid value: \"\": cannot set both port "
          "name & port number\n" },
        { "{'spec':{'defaultBackend':{'service':{'name':'A','port':{}}}}}",
          "spec.defaultBackend.service.name: Invalid value: \"A\": "
          CASE_LABEL "\n"
          "spec.defaultBackend: Required value: port name or number is "
          "required\n" },
        { "{'spec':{'defaultBackend':{'service':{'name':'a',"
          "'port':{'name':'a_'}}}}}",
          "spec.defaultBackend.service.port.name: Invalid value: \"a_\": "
          "must contain only alpha-numeric characters (a-z, 0-9), and "
          "hyphens (-)\n" },
        { "{'spec':{'defaultBackend':{'service':{'name':'a',"
          "'port':{'number':65536}}}}}",
          "spec.defaultBackend.service.port.number: Invalid value: 65536: "
          "must be between 1 and 65535, inclusive\n" },
        { ING("'host':'1.2.3.4'"),
          "spec.rules[0].host: Invalid value: \"1.2.3.4\": must be a DNS "
          "name, not an IP address\n" },
        { ING("'host':'*.example.com'"), "" },
        { ING("'host':'a.*.b'"),
          "spec.rules[0].host: Invalid value: \"a.*.b\": a wildcard DNS-1123 "
          "subdomain must start with '*.', followed by a valid DNS subdomain,"
          " which must consist of lower case alphanumeric characters, '-' or "
          "'.' and end with an alphanumeric character (e.g. '*.example.com', "
          "regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*["
          "a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')\n" },
        { ING("'host':'A'"),
          "spec.rules[0].host: Invalid value: \"A\": " CASE_SUBDOMAIN "\n" },
        { ING("'http':{}"), "spec.rules[0].http.paths: Required value\n" },
        { ING("'http':{'paths':[{}]}"),
          "spec.rules[0].http.paths[0].pathType: Required value: pathType "
          "must be specified\n" },
        { ING("'http':{'paths':[{'pathType':'X',"
              "'backend':{'service':{'name':'s','port':{'number':80}}}},"
              "{'pathType':'ImplementationSpecific','path':'a',"
              "'backend':{'service':{'name':'s','port':{'number':80}}}}]}"),
          "spec.rules[0].http.paths[0].pathType: Unsupported value: \"X\": "
          "supported values: \"Exact\", \"ImplementationSpecific\", "
          "\"Prefix\"\n"
          "spec.rules[0].http.paths[1].path: Invalid value: \"a\": must be "
          "an absolute path\n" },
        { ING("'http':{'paths':[{'pathType':'Exact',"
              "'path':'a//b/./c/../d%2f%2F/..',"
              "'backend':{'service':{'name':'s','port':{'number':80}}}},"
              "{'pathType':'Exact','path':'/.',"
              "'backend':{'service':{'name':'s','port':{'number':80}}}}]}"),
          "spec.rules[0].http.paths[0].path: Invalid value: "
          "\"a//b/./c/../d%2f%2F/..\": must be an absolute path\n"
          "spec.rules[0].http.paths[0].path: Invalid value: "
          "\"a//b/./c/../d%2f%2F/..\": must not contain '//'\n"
          "spec.rules[0].http.paths[0].path: Invalid value: "
          "\"a//b/./c/../d%2f%2F/..\": must not contain '/./'\n"
          "spec.rules[0].http.paths[0].path: Invalid value: "
          "\"a//b/./c/../d%2f%2F/..\": must not contain '/../'\n"
          "spec.rules[0].http.paths[0].path: Invalid value: "
          "\"a//b/./c/../d%2f%2F/..\": must not contain '%2f'\n"
          "spec.rules[0].http.paths[0].path: Invalid value: "
          "\"a//b/./c/../d%2f%2F/..\": must not contain '%2F'\n"
          "spec.rules[0].http.paths[0].path: Invalid value: "
          "\"a//b/./c/../d%2f%2F/..\": cannot end with '/..'\n"
          "spec.rules[0].http.paths[1].path: Invalid value: \"/.\": cannot "
          "end with '/.'\n" },
        { ING("},{'host':'a'}],'tls':[{'hosts':['A'],'secretName':'B'}],"
              "'ingressClassName':'C','x':[{"),
          "spec.tls[0].hosts[0]: Invalid value: \"A\": " CASE_SUBDOMAIN "\n"
          "spec.tls[0].secretName: Invalid value: \"B\": "
          CASE_SUBDOMAIN "\n"
          "spec.ingressClassName: Invalid value: \"C\": "
          CASE_SUBDOMAIN "\n" },
        { "{'metadata':{'annotations':{'kubernetes.io/ingress.class':'a'}},"
          "'spec':{'ingressClassName':'b','rules':[{}]}}",
          "annotations.kubernetes.io/ingress.class: Invalid value: \"a\": "
          "must match `ingressClassName` when both are specified\n" },
    };

    CASE_RUN("Ingress", cases);
}

TEST(ingresses_are_checked_again)
{
    static const struct builtin_update cases[] = {
        { ING(""),
          "{'metadata':{'annotations':{'kubernetes.io/ingress.class':'a'}},"
          "'spec':{'ingressClassName':'b','rules':[{}]}}",
          "" },
        { ING(""),
          "{'spec':{}}",
          "spec: Invalid value: null: either `defaultBackend` or `rules` "
          "must be specified\n" },
    };

    CASE_RUN_UPDATES("Ingress", cases);
}

TEST(balancers_have_addresses)
{
    static const struct builtin_update cases[] = {
        { ING(""),
          "{'status':{'loadBalancer':{'ingress':[{'ip':'1.2.3.4',"
          "'hostname':'a.b'}]}}}",
          "" },
        { ING(""),
          "{'status':{'loadBalancer':{'ingress':[{'ip':'x',"
          "'hostname':'1.2.3.4'}]}}}",
          "status.loadBalancer.ingress[0].ip: Invalid value: \"x\": must be "
          "a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)\n"
          "status.loadBalancer.ingress[0].hostname: Invalid value: "
          "\"1.2.3.4\": must be a DNS name, not an IP address\n" },
    };

    CASE_RUN_STATUS("Ingress", cases);
}

TEST(parameters_are_of_the_cluster)
{
    CASE_DEFAULT("IngressClass", "{'spec':{'parameters':{}}}",
                 "{'spec':{'parameters':{'scope':'Cluster'}}}");
}

TEST(classes_are_checked)
{
    static const struct builtin_case cases[] = {
        { "{'spec':{'controller':'a.io/b'}}", "" },
        { "{'spec':{}}", "spec.controller: Required value\n" },
        { "{'spec':{'controller':'a'}}",
          "spec.controller: Invalid value: \"a\": must be a domain-prefixed "
          "path (such as \"acme.io/foo\")\n" },
        { "{'spec':{'controller':'A/b c'}}",
          "spec.controller: Invalid value: \"A\": " CASE_SUBDOMAIN "\n"
          "spec.controller: Invalid value: \"b c\": Invalid path (regex used "
          "for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')\n" },
        { "{'spec':{'controller':'a/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
          "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
          "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
          "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
          "bbbbbbbbbbbbbb'}}",
          "spec.controller: Too long: may not be more than 250 bytes\n" },
        { "{'spec':{'controller':'a/b','parameters':{'scope':'Namespace',"
          "'kind':'K','name':'n'}}}",
          "spec.parameters.namespace: Required value: `parameters.scope` is "
          "set to 'Namespace'\n" },
        { "{'spec':{'controller':'a/b','parameters':{'scope':'Namespace',"
          "'kind':'K','name':'n','namespace':'A'}}}",
          "spec.parameters.namespace: Invalid value: \"A\": "
          CASE_LABEL "\n" },
        { "{'spec':{'controller':'a/b','parameters':{'kind':'K','name':'n',"
          "'namespace':'a'}}}",
          "spec.parameters.namespace: Forbidden: `parameters.scope` is set "
          "to 'Cluster'\n" },
        { "{'spec':{'controller':'a/b','parameters':{'kind':'K','name':'n',"
          "'scope':'X'}}}",
          "spec.parameters.scope: Unsupported value: \"X\": supported "
          "values: \"Cluster\", \"Namespace\"\n" },
    };

    CASE_RUN("IngressClass", cases);
}

TEST(classes_keep_their_controller)
{
    static const struct builtin_update cases[] = {
        { "{'spec':{'controller':'a.io/b'}}",
          "{'spec':{'controller':'a.io/c'}}",
          "spec.controller: Invalid value: \"a.io/c\": field is immutable\n"
          "" },
    };

    CASE_RUN_UPDATES("IngressClass", cases);
}
