/* Tests of Events of two groups. */

#include "builtin_case.h"

TEST(events_of_the_core_group)
{
    case_to("{'apiVersion':'v1','kind':'Event','involvedObject':{'name':'a'},"
            "'message':'m','source':{'component':'c'},'firstTimestamp':null,"
            "'lastTimestamp':'t','count':2,'reportingComponent':'',"
            "'reportingInstance':'i'}",
            "events.k8s.io/v1",
            "{'apiVersion':'events.k8s.io/v1','kind':'Event',"
            "'regarding':{'name':'a'},'note':'m',"
            "'deprecatedSource':{'component':'c'},"
            "'deprecatedFirstTimestamp':null,'deprecatedLastTimestamp':'t',"
            "'deprecatedCount':2,'reportingInstance':'i'}");
    case_to("{'apiVersion':'v1','kind':'Event','involvedObject':{},"
            "'message':'','count':0}",
            "events.k8s.io/v1",
            "{'apiVersion':'events.k8s.io/v1','kind':'Event',"
            "'regarding':{}}");
}

TEST(events_of_the_other_group)
{
    case_to("{'apiVersion':'events.k8s.io/v1','kind':'Event',"
            "'regarding':{'name':'a'},'note':'m','deprecatedSource':{},"
            "'deprecatedCount':1,'reportingController':'c','eventTime':'t'}",
            "v1",
            "{'apiVersion':'v1','kind':'Event','eventTime':'t',"
            "'involvedObject':{'name':'a'},'message':'m','source':{},"
            "'count':1,'reportingComponent':'c'}");
}
