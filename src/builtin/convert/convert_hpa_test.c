/* Tests of HorizontalPodAutoscalers of two versions. */

#include "builtin_case.h"

#define V2(MORE)                                                              \
    "{'apiVersion':'autoscaling/v2','kind':'HorizontalPodAutoscaler',"        \
    "'spec':{'maxReplicas':3" MORE "}}"

#define V1(MORE)                                                              \
    "{'apiVersion':'autoscaling/v1','kind':'HorizontalPodAutoscaler',"        \
    "'spec':{'maxReplicas':3" MORE "}}"

/* What v1 without any metric means. */
#define CPU_80                                                                \
    "'metrics':[{'resource':{'target':{'type':'Utilization',"                 \
    "'averageUtilization':80},'name':'cpu'},'type':'Resource'}]"

TEST(the_utilization_of_cpu_is_a_field)
{
    case_to(V2(",'metrics':[{'type':'Resource','resource':{'name':'cpu',"
               "'target':{'type':'Utilization','averageUtilization':50}}}]"),
            "autoscaling/v1",
            "{'apiVersion':'autoscaling/v1','kind':'HorizontalPodAutoscaler',"
            "'spec':{'maxReplicas':3,'targetCPUUtilizationPercentage':50},"
            "'status':{'currentReplicas':0}}");
    case_to(V1(",'targetCPUUtilizationPercentage':50"),
            "autoscaling/v2",
            "{'apiVersion':'autoscaling/v2','kind':'HorizontalPodAutoscaler',"
            "'spec':{'maxReplicas':3,'metrics':[{'resource':{'target':{'type':"
            "'Utilization','averageUtilization':50},'name':'cpu'},"
            "'type':'Resource'}]},'status':{}}");
}

TEST(other_metrics_are_annotations)
{
    case_to(V2(",'metrics':[{'type':'Resource','resource':{'name':'cpu',"
               "'target':{'type':'Utilization','averageUtilization':50}}},"
               "{'type':'Object','object':{'describedObject':{'kind':'S',"
               "'name':'s'},'metric':{'name':'m','selector':{}},"
               "'target':{'type':'Value','value':'1'}}},{'type':'Pods',"
               "'pods':{'metric':{'name':'m'},'target':{'type':'AverageValue',"
               "'averageValue':'1'}}},{'type':'Resource',"
               "'resource':{'name':'memory','target':{'type':'AverageValue',"
               "'averageValue':'1Gi'}}},{'type':'ContainerResource',"
               "'containerResource':{'name':'cpu','container':'c',"
               "'target':{'type':'Utilization','averageUtilization':5}}},"
               "{'type':'External','external':{'metric':{'name':'m'},"
               "'target':{'type':'Value','value':'1'}}}]"),
            "autoscaling/v1",
            "{'apiVersion':'autoscaling/v1','kind':'HorizontalPodAutoscaler',"
            "'spec':{'maxReplicas':3,'targetCPUUtilizationPercentage':50},"
            "'status':{'currentReplicas':0},"
            "'metadata':{'annotations':{'autoscaling.alpha.kubernetes."
            "io/metrics':'[{\\'type\\':\\'Object\\',"
            "\\'object\\':{\\'target\\':{\\'kind\\':\\'S\\',"
            "\\'name\\':\\'s\\'},\\'metricName\\':\\'m\\',"
            "\\'targetValue\\':\\'1\\',\\'selector\\':{}}},"
            "{\\'type\\':\\'Pods\\',\\'pods\\':{\\'metricName\\':\\'m\\',"
            "\\'targetAverageValue\\':\\'1\\'}},{\\'type\\':\\'Resource\\',"
            "\\'resource\\':{\\'name\\':\\'memory\\',"
            "\\'targetAverageValue\\':\\'1Gi\\'}},"
            "{\\'type\\':\\'ContainerResource\\',"
            "\\'containerResource\\':{\\'name\\':\\'cpu\\',"
            "\\'targetAverageUtilization\\':5,\\'container\\':\\'c\\'}},"
            "{\\'type\\':\\'External\\',\\'external\\':{\\'metricName\\':"
            "\\'m\\',\\'targetValue\\':\\'1\\'}}]'}}}");
}

TEST(annotations_are_metrics_again)
{
    case_to("{'apiVersion':'autoscaling/v1','kind':'HorizontalPodAutoscaler',"
            "'spec':{'maxReplicas':3},'metadata':{'annotations':{'x':'y',"
            "'autoscaling.alpha.kubernetes.io/metrics':'[{\\\"type\\\":"
            "\\\"Pods\\\",\\\"pods\\\":{\\\"metricName\\\":\\\"m\\\","
            "\\\"targetAverageValue\\\":\\\"1\\\"}},"
            "{\\\"type\\\":\\\"External\\\","
            "\\\"external\\\":{\\\"metricName\\\":\\\"m\\\","
            "\\\"targetValue\\\":\\\"1\\\"}}]'}}}",
            "autoscaling/v2",
            "{'apiVersion':'autoscaling/v2','kind':'HorizontalPodAutoscaler',"
            "'spec':{'maxReplicas':3,'metrics':[{'type':'Pods',"
            "'pods':{'metric':{'name':'m'},'target':{'averageValue':'1',"
            "'type':'AverageValue'}}},{'type':'External',"
            "'external':{'metric':{'name':'m'},'target':{'value':'1',"
            "'type':'Value'}}}]},'metadata':{'annotations':{'x':'y'}},"
            "'status':{}}");
}

TEST(behaviour_is_an_annotation)
{
    case_to(V2(",'behavior':{'scaleUp':{'selectPolicy':'Max',"
               "'policies':[{'type':'Pods','value':1,'periodSeconds':2}],"
               "'tolerance':'1'},'scaleDown':{'stabilizationWindowSeconds':1}}"
               ""),
            "autoscaling/v1",
            "{'apiVersion':'autoscaling/v1','kind':'HorizontalPodAutoscaler',"
            "'spec':{'maxReplicas':3},'status':{'currentReplicas':0},"
            "'metadata':{'annotations':{'autoscaling.alpha.kubernetes."
            "io/behavior':'{\\'ScaleUp\\':{\\'StabilizationWindowSeconds\\':"
            "null,\\'SelectPolicy\\':\\'Max\\',"
            "\\'Policies\\':[{\\'Type\\':\\'Pods\\',\\'Value\\':1,"
            "\\'PeriodSeconds\\':2}],\\'Tolerance\\':\\'1\\'},"
            "\\'ScaleDown\\':{\\'StabilizationWindowSeconds\\':1,"
            "\\'SelectPolicy\\':null,\\'Policies\\':null,"
            "\\'Tolerance\\':null}}'}}}");
    case_to("{'apiVersion':'autoscaling/v1','kind':'HorizontalPodAutoscaler',"
            "'spec':{'maxReplicas':3},'metadata':{'annotations':"
            "{'autoscaling.alpha.kubernetes.io/behavior':'{\\\"ScaleUp\\\":"
            "{\\\"StabilizationWindowSeconds\\\":1,"
            "\\\"Policies\\\":[{\\\"Type\\\":\\\"Pods\\\",\\\"Value\\\":1,"
            "\\\"PeriodSeconds\\\":2}]},\\\"ScaleDown\\\":null}'}}}",
            "autoscaling/v2",
            "{'apiVersion':'autoscaling/v2','kind':'HorizontalPodAutoscaler',"
            "'spec':{'maxReplicas':3," CPU_80 ",'behavior':{'scaleUp':"
            "{'stabilizationWindowSeconds':1,'policies':[{'type':'Pods',"
            "'value':1,'periodSeconds':2}]}}},'metadata':{},'status':{}}");
    case_to("{'apiVersion':'autoscaling/v1','kind':'HorizontalPodAutoscaler',"
            "'spec':{'maxReplicas':3},'metadata':{'annotations':"
            "{'autoscaling.alpha.kubernetes.io/behavior':'{\\\"ScaleUp\\\":"
            "null,\\\"ScaleDown\\\":null}'}}}",
            "autoscaling/v2",
            "{'apiVersion':'autoscaling/v2','kind':'HorizontalPodAutoscaler',"
            "'spec':{'maxReplicas':3," CPU_80 "},'metadata':{},"
            "'status':{}}");
}

TEST(statuses_are_annotations)
{
    case_to(V2("},'status':{'currentReplicas':1,'conditions':[{'message':'x',"
               "'type':'A','status':'True'}],"
               "'currentMetrics':[{'type':'Resource','resource':{'name':'cpu',"
               "'current':{'averageUtilization':5,'averageValue':'1'}}},"
               "{'type':'Pods','pods':{'metric':{'name':'m'},"
               "'current':{'averageValue':'2'}}}]"),
            "autoscaling/v1",
            "{'apiVersion':'autoscaling/v1','kind':'HorizontalPodAutoscaler',"
            "'spec':{'maxReplicas':3},'status':{'currentReplicas':1,"
            "'currentCPUUtilizationPercentage':5},"
            "'metadata':{'annotations':{'autoscaling.alpha.kubernetes."
            "io/current-metrics':'[{\\'type\\':\\'Resource\\',"
            "\\'resource\\':{\\'name\\':\\'cpu\\',"
            "\\'currentAverageUtilization\\':5,"
            "\\'currentAverageValue\\':\\'1\\'}},{\\'type\\':\\'Pods\\',"
            "\\'pods\\':{\\'metricName\\':\\'m\\',"
            "\\'currentAverageValue\\':\\'2\\'}}]',"
            "'autoscaling.alpha.kubernetes.io/conditions':'[{\\'type\\':"
            "\\'A\\',\\'status\\':\\'True\\',\\'lastTransitionTime\\':null,"
            "\\'message\\':\\'x\\'}]'}}}");
    case_to("{'apiVersion':'autoscaling/v1','kind':'HorizontalPodAutoscaler',"
            "'spec':{'maxReplicas':3},'metadata':{'annotations':"
            "{'autoscaling.alpha.kubernetes.io/conditions':'[{\\\"type\\\":"
            "\\\"A\\\",\\\"status\\\":\\\"True\\\"}]',"
            "'autoscaling.alpha.kubernetes.io/current-metrics':"
            "'[{\\\"type\\\":\\\"Resource\\\","
            "\\\"resource\\\":{\\\"name\\\":\\\"memory\\\","
            "\\\"currentAverageValue\\\":\\\"1\\\"}}]'}},"
            "'status':{'currentCPUUtilizationPercentage':5}}",
            "autoscaling/v2",
            "{'apiVersion':'autoscaling/v2','kind':'HorizontalPodAutoscaler',"
            "'spec':{'maxReplicas':3," CPU_80 "},'metadata':{},"
            "'status':{'currentMetrics':[{'type':'Resource',"
            "'resource':{'name':'memory','current':{'averageValue':'1'}}}],"
            "'conditions':[{'type':'A','status':'True'}]}}");
}

TEST(annotations_that_are_no_json_are_ignored)
{
    case_to(V1("},'metadata':{'annotations':{"
               "'autoscaling.alpha.kubernetes.io/metrics':'x',"
               "'autoscaling.alpha.kubernetes.io/behavior':'[]',"
               "'autoscaling.alpha.kubernetes.io/conditions':'{}'}"),
            "autoscaling/v2",
            "{'apiVersion':'autoscaling/v2','kind':'HorizontalPodAutoscaler',"
            "'spec':{'maxReplicas':3," CPU_80 "},'metadata':{},'status':{}}");
    case_to(V1(",'x':1},'status':7,'metadata':{'y':2"),
            "autoscaling/v2",
            "{'apiVersion':'autoscaling/v2','kind':'HorizontalPodAutoscaler',"
            "'spec':{'maxReplicas':3,'x':1," CPU_80 "},'status':7,"
            "'metadata':{'y':2}}");
    case_to(V2(",'metrics':7,'behavior':[]},'status':{'currentMetrics':{}"),
            "autoscaling/v1",
            "{'apiVersion':'autoscaling/v1','kind':'HorizontalPodAutoscaler',"
            "'spec':{'maxReplicas':3},'status':{'currentReplicas':0}}");
}
