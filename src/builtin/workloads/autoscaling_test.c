/* Tests of HorizontalPodAutoscaler. */

#include "builtin_case.h"

#define HPA(MORE)                                                             \
    "{'spec':{'scaleTargetRef':{'apiVersion':'apps/v1','kind':'Deployment',"  \
    "'name':'d'},'maxReplicas':3" MORE "}}"

TEST(autoscalers_get_defaults)
{
    CASE_DEFAULT("HorizontalPodAutoscaler", HPA(""),
                 "{'spec':{'maxReplicas':3,'metrics':[{'resource':{"
                 "'name':'cpu','target':{'averageUtilization':80,"
                 "'type':'Utilization'}},'type':'Resource'}],'minReplicas':1,"
                 "'scaleTargetRef':{'apiVersion':'apps/v1',"
                 "'kind':'Deployment','name':'d'}}}");
    CASE_DEFAULT("HorizontalPodAutoscaler", HPA(",'behavior':{}"),
                 "{'spec':{'behavior':{'scaleDown':{'policies':[{"
                 "'periodSeconds':15,'type':'Percent','value':100}],"
                 "'selectPolicy':'Max'},'scaleUp':{'policies':[{"
                 "'periodSeconds':15,'type':'Pods','value':4},{"
                 "'periodSeconds':15,'type':'Percent','value':100}],"
                 "'selectPolicy':'Max','stabilizationWindowSeconds':0}},"
                 "'maxReplicas':3,'metrics':[{'resource':{'name':'cpu',"
                 "'target':{'averageUtilization':80,'type':'Utilization'}},"
                 "'type':'Resource'}],'minReplicas':1,'scaleTargetRef':{"
                 "'apiVersion':'apps/v1','kind':'Deployment','name':'d'}}}");
    CASE_DEFAULT("HorizontalPodAutoscaler",
                 HPA(",'behavior':{'scaleUp':{'policies':[{'type':"
                     "'Pods','value':1,'periodSeconds':1}]}}"),
                 "{'spec':{'behavior':{'scaleDown':{'policies':[{"
                 "'periodSeconds':15,'type':'Percent','value':100}],"
                 "'selectPolicy':'Max'},'scaleUp':{'policies':[{"
                 "'periodSeconds':1,'type':'Pods','value':1}],"
                 "'selectPolicy':'Max','stabilizationWindowSeconds':0}},"
                 "'maxReplicas':3,'metrics':[{'resource':{'name':'cpu',"
                 "'target':{'averageUtilization':80,'type':'Utilization'}},"
                 "'type':'Resource'}],'minReplicas':1,'scaleTargetRef':{"
                 "'apiVersion':'apps/v1','kind':'Deployment','name':'d'}}}");
}

TEST(autoscalers_are_checked)
{
    static const struct builtin_case cases[] = {
        { HPA(""), "" },
        { "{}",
          "spec.maxReplicas: Required value: must be set and greater than 0\n"
          "spec.maxReplicas: Invalid value: 0: must be greater than or "
          "equal to `minReplicas`\n"
          "spec.scaleTargetRef.kind: Required value\n"
          "spec.scaleTargetRef.name: Required value\n"
          "spec.scaleTargetRef.apiVersion: Invalid value: \"\": apiVersion "
          "must specify API group\n" },
        { HPA("0,'minReplicas':31"),
          "spec.maxReplicas: Invalid value: 30: must be greater than or "
          "equal to `minReplicas`\n" },
        { "{'spec':{'scaleTargetRef':{'kind':'a/b','name':'..',"
          "'apiVersion':'v1'},'maxReplicas':-1,'minReplicas':0}}",
          "spec.minReplicas: Invalid value: 0: must be greater than or "
          "equal to 1\n"
          "spec.maxReplicas: Invalid value: -1: must be greater than or "
          "equal to 1\n"
          "spec.maxReplicas: Invalid value: -1: must be greater than or "
          "equal to `minReplicas`\n"
          "spec.scaleTargetRef.kind: Invalid value: \"a/b\": may not "
          "contain '/'\n"
          "spec.scaleTargetRef.name: Invalid value: \"..\": may not be '..'\n"
          "spec.scaleTargetRef.apiVersion: Invalid value: \"v1\": "
          "apiVersion must specify API group\n"
          "spec.metrics: Forbidden: must specify at least one Object or "
          "External metric to support scaling to zero replicas\n" },
        { "{'spec':{'scaleTargetRef':{'kind':'ReplicationController',"
          "'name':'a','apiVersion':'v1'},'maxReplicas':1}}",
          "" },
        { "{'spec':{'scaleTargetRef':{'kind':'X','name':'a',"
          "'apiVersion':'a/b/c'},'maxReplicas':1}}",
          "spec.scaleTargetRef.apiVersion: Invalid value: \"a/b/c\": "
          "unexpected GroupVersion string: a/b/c\n" },
    };

    CASE_RUN("HorizontalPodAutoscaler", cases);
}

TEST(metrics_are_checked)
{
    static const struct builtin_case cases[] = {
        { HPA(",'metrics':[{'type':'Resource','resource':{'name':'cpu',"
              "'target':{'type':'Utilization','averageUtilization':50}}}]"),
          "" },
        { HPA(",'metrics':[{'type':'Resource','resource':{'name':'cpu',"
              "'target':{'type':'Utilization','averageUtilization':0}}}]"),
          "spec.metrics[0].resource.target.averageUtilization: Invalid "
          "value: 0: must be greater than 0\n" },
        { HPA(",'metrics':[{}]"),
          "spec.metrics[0].type: Required value: must specify a metric "
          "source type\n"
          "spec.metrics[0].type: Unsupported value: \"\": supported values: "
          "\"ContainerResource\", \"External\", \"Object\", \"Pods\", "
          "\"Resource\"\n"
          "spec.metrics[0].type: Unsupported value: \"\": supported values: "
          "\"ContainerResource\", \"External\", \"Object\", \"Pods\", "
          "\"Resource\"\n" },
        { HPA(",'metrics':[{'type':'X','resource':{}}]"),
          "spec.metrics[0].type: Unsupported value: \"X\": supported "
          "values: \"ContainerResource\", \"External\", \"Object\", "
          "\"Pods\", \"Resource\"\n"
          "spec.metrics[0].resource.name: Required value: must specify a "
          "resource name\n"
          "spec.metrics[0].resource.target.type: Required value: must "
          "specify a metric target type\n"
          "spec.metrics[0].resource.target.type: Invalid value: \"\": must "
          "be either Utilization, Value, or AverageValue\n"
          "spec.metrics[0].resource.target.averageUtilization: Required "
          "value: must set either a target raw value or a target "
          "utilization\n"
          "spec.metrics[0].type: Unsupported value: \"X\": supported "
          "values: \"ContainerResource\", \"External\", \"Object\", "
          "\"Pods\", \"Resource\"\n" },
        { HPA(",'metrics':[{'type':'Pods'}]"),
          "spec.metrics[0].pods: Required value: must populate information "
          "for the given metric source\n" },
        { HPA(",'metrics':[{'type':'Pods','pods':{'metric':{'name':'m'},"
              "'target':{'type':'Value','value':'1'}},"
              "'external':{'metric':{'name':'m'},'target':{'type':'Value',"
              "'value':'1'}}}]"),
          "spec.metrics[0].external: Forbidden: must populate the given "
          "metric source only\n" },
        { HPA(",'metrics':[{'type':'Object',"
              "'object':{'describedObject':{'kind':'S','name':'s',"
              "'apiVersion':'v1'},'metric':{'name':'a/b'},"
              "'target':{'type':'X'}}}]"),
          "spec.metrics[0].object.metric.name: Invalid value: \"a/b\": may "
          "not contain '/'\n"
          "spec.metrics[0].object.target.type: Invalid value: \"X\": must "
          "be either Utilization, Value, or AverageValue\n"
          "spec.metrics[0].object.target.averageValue: Required value: must "
          "set either a target value or averageValue\n" },
        { HPA(",'metrics':[{'type':'External','external':{'metric':{},"
              "'target':{'type':'Value','value':'1',"
              "'averageValue':'-1'}}}]"),
          "spec.metrics[0].external.metric.name: Required value: must "
          "specify a metric name\n"
          "spec.metrics[0].external.target.averageValue: Invalid value: "
          "\"-1\": must be positive\n"
          "spec.metrics[0].external.target.value: Forbidden: may not set "
          "both a target value for metric and a per-pod target\n" },
        { HPA(",'metrics':[{'type':'External',"
              "'external':{'metric':{'name':'m',"
              "'selector':{'matchLabels':{'a "
              "b':'c'}}},'target':{'type':'Value'}}}]"),
          "spec.metrics[0].external.target.averageValue: Required value: "
          "must set either a target value for metric or a per-pod target\n"
          "" },
        { HPA(",'metrics':[{'type':'ContainerResource',"
              "'containerResource':{'target':{'type':'Utilization',"
              "'averageUtilization':1,'averageValue':'1'}}}]"),
          "spec.metrics[0].containerResource.name: Required value: must "
          "specify a resource name\n"
          "spec.metrics[0].containerResource.container: Required value: "
          "must specify a container\n"
          "spec.metrics[0].containerResource.target.averageValue: "
          "Forbidden: may not set both a target raw value and a target "
          "utilization\n" },
        { HPA(",'metrics':[{'type':'ContainerResource',"
              "'containerResource':{'name':'x','container':'A',"
              "'target':{'type':'Utilization'}}}]"),
          "spec.metrics[0].containerResource.name: Invalid value: \"x\": "
          "must be a standard resource type or fully qualified\n"
          "spec.metrics[0].containerResource.name: Invalid value: \"x\": "
          "must be a standard resource for containers\n"
          "spec.metrics[0].containerResource.container: Invalid value: "
          "\"A\": " CASE_LABEL "\n"
          "spec.metrics[0].containerResource.target.averageUtilization: "
          "Required value: must set either a target raw value or a target "
          "utilization\n" },
        { HPA(",'metrics':[{'type':'Resource','resource':{'target':{}}}]"),
          "spec.metrics[0].resource.name: Required value: must specify a "
          "resource name\n"
          "spec.metrics[0].resource.target.type: Required value: must "
          "specify a metric target type\n"
          "spec.metrics[0].resource.target.type: Invalid value: \"\": must "
          "be either Utilization, Value, or AverageValue\n"
          "spec.metrics[0].resource.target.averageUtilization: Required "
          "value: must set either a target raw value or a target "
          "utilization\n" },
    };

    CASE_RUN("HorizontalPodAutoscaler", cases);
}

TEST(behaviour_is_checked)
{
    static const struct builtin_case cases[] = {
        { HPA(",'behavior':{'scaleUp':{'selectPolicy':'Min',"
              "'stabilizationWindowSeconds':3600,'tolerance':'10m'}}"),
          "" },
        { HPA(",'behavior':{'scaleUp':{'selectPolicy':'X',"
              "'stabilizationWindowSeconds':3601}}"),
          "spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: "
          "3601: must be less than or equal to 3600\n"
          "spec.behavior.scaleUp.selectPolicy: Unsupported value: \"X\": "
          "supported values: \"Disabled\", \"Max\", \"Min\"\n" },
        { HPA(",'behavior':{'scaleDown':{'stabilizationWindowSeconds':-1,"
              "'policies':[]}}"),
          "spec.behavior.scaleDown.stabilizationWindowSeconds: Invalid "
          "value: -1: must be greater than or equal to zero\n"
          "spec.behavior.scaleDown.policies: Required value: must specify "
          "at least one Policy\n" },
        { HPA(",'behavior':{'scaleDown':{'tolerance':'-1'}}"),
          "spec.behavior.scaleDown.tolerance: Invalid value: \"-1\": must "
          "be greater than or equal to 0\n" },
        { HPA(",'behavior':{'scaleDown':{'policies':[{'type':'X','value':0,"
              "'periodSeconds':0},{'type':'Pods','value':1,"
              "'periodSeconds':1801}]}}"),
          "spec.behavior.scaleDown.policies[0].type: Unsupported value: "
          "\"X\": supported values: \"Percent\", \"Pods\"\n"
          "spec.behavior.scaleDown.policies[0].value: Invalid value: 0: "
          "must be greater than zero\n"
          "spec.behavior.scaleDown.policies[0].periodSeconds: Invalid "
          "value: 0: must be greater than zero\n"
          "spec.behavior.scaleDown.policies[1].periodSeconds: Invalid "
          "value: 1801: must be less than or equal to 1800\n" },
    };

    CASE_RUN("HorizontalPodAutoscaler", cases);
}

TEST(what_was_accepted_stays_so)
{
    static const struct builtin_update cases[] = {
        { "{'spec':{'scaleTargetRef':{'apiVersion':'v1','kind':'X',"
          "'name':'d'},'maxReplicas':3}}",
          "{'spec':{'scaleTargetRef':{'apiVersion':'v1','kind':'X',"
          "'name':'e'},'maxReplicas':3}}",
          "" },
        { "{'spec':{'scaleTargetRef':{'apiVersion':'v1','kind':'X',"
          "'name':'d'},'maxReplicas':3}}",
          "{'spec':{'scaleTargetRef':{'apiVersion':'v2','kind':'X',"
          "'name':'e'},'maxReplicas':3}}",
          "spec.scaleTargetRef.apiVersion: Invalid value: \"v2\": "
          "apiVersion must specify API group\n" },
        { HPA(",'minReplicas':0"),
          HPA(",'minReplicas':0"),
          "spec.metrics: Forbidden: must specify at least one Object or "
          "External metric to support scaling to zero replicas\n" },
        { HPA(",'minReplicas':0"),
          HPA(",'minReplicas':0,'metrics':[{'type':'External',"
              "'external':{'metric':{'name':'m'},'target':{'type':'Value',"
              "'value':'1'}}}]"),
          "" },
    };

    CASE_RUN_UPDATES("HorizontalPodAutoscaler", cases);
}

TEST(replicas_are_not_negative)
{
    static const struct builtin_update cases[] = {
        { HPA(""), "{'status':{'currentReplicas':1}}", "" },
        { HPA(""),
          "{'status':{'currentReplicas':-1,'desiredReplicas':-2}}",
          "status.currentReplicas: Invalid value: -1: must be greater than "
          "or equal to 0\n"
          "status.desiredReplicas: Invalid value: -2: must be greater than "
          "or equal to 0\n" },
    };

    CASE_RUN_STATUS("HorizontalPodAutoscaler", cases);
}
