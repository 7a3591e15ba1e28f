/* Tests of the condition of flow schemas, through the whole server. */

#include "apiserver/flow_status.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "verb_rig.h"

#define FLOWS "/apis/flowcontrol.apiserver.k8s.io/v1"
#define SCHEMAS FLOWS "/flowschemas"
#define LEVELS FLOWS "/prioritylevelconfigurations"

static void
settle(void)
{
    struct yl_flow_status_opts opts = {
        .keyspace = rig.server->keyspace,
        .schemas = yl_registry_builtin(rig.server->registry,
                                       "flowcontrol.apiserver.k8s.io",
                                       "flowschemas")->objects,
        .levels = yl_registry_builtin(rig.server->registry,
                                      "flowcontrol.apiserver.k8s.io",
                                      "prioritylevelconfigurations")->objects,
    };

    yl_flow_status_settle(&opts);
}

TEST(a_schema_says_whether_its_level_is_there)
{
    char *revision;

    rig_open();
    ask(201, "POST", SCHEMAS,
        "{'metadata':{'name':'s'},'spec':{'priorityLevelConfiguration':"
        "{'name':'l'}}}");
    settle();
    ask(200, "GET", SCHEMAS "/s", NULL);
    says("/status/conditions/0/type", "Dangling");
    says("/status/conditions/0/status", "True");
    says("/status/conditions/0/reason", "NotFound");
    says("/status/conditions/0/message",
         "This FlowSchema references the PriorityLevelConfiguration object "
         "named \"l\" but there is no such object");
    says("/metadata/generation", "1");
    revision = yl_strdup(yl_str_c(text_at("/metadata/resourceVersion")));
    settle();
    ask(200, "GET", SCHEMAS "/s", NULL);
    says("/metadata/resourceVersion", revision);
    free(revision);

    ask(201, "POST", LEVELS,
        "{'metadata':{'name':'l'},'spec':{'type':'Limited','limited':"
        "{'limitResponse':{'type':'Reject'}}}}");
    settle();
    ask(200, "GET", SCHEMAS "/s", NULL);
    says("/status/conditions/0/status", "False");
    says("/status/conditions/0/reason", "Found");
    says("/status/conditions/1/type", "");
    rig_close();
}

TEST(the_schemas_that_a_server_has_do_not_dangle)
{
    char *revision;

    rig_open();
    settle();
    ask(200, "GET", SCHEMAS "/catch-all", NULL);
    says("/status/conditions/0/status", "False");
    revision = yl_strdup(yl_str_c(text_at("/metadata/resourceVersion")));
    settle();
    ask(200, "GET", SCHEMAS "/catch-all", NULL);
    says("/metadata/resourceVersion", revision);
    free(revision);
    rig_close();
}
