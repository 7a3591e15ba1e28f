/* Tests of what is said before a node would be asked. */

#include "verb_rig.h"

#define SERVICES "/api/v1/namespaces/ns/services"
#define NODES "/api/v1/nodes"

static void
open_with_pods(void)
{
    verb_open();
    ask(201, "POST", PODS, POD("p", ""));
    ask(201, "POST", PODS, "{'metadata':{'name':'q'},'spec':{'containers':"
        "[{'name':'c','image':'i'},{'name':'d','image':'i'}],"
        "'initContainers':[{'name':'e','image':'i'}]}}");
    ask(201, "POST", PODS, POD("n", ",'nodeName':'node'"));
}

TEST(a_pod_without_a_node_has_no_log_yet)
{
    open_with_pods();
    ask(204, "GET", PODS "/p/log", NULL);
    assert_int_equal(rig.body.size, 0);
    ask(204, "GET", PODS "/q/log?container=e", NULL);
    ask(400, "GET", PODS "/q/log", NULL);
    says("/message", "a container name must be specified for pod q, choose "
         "one of: [e c d]");
    ask(400, "GET", PODS "/q/log?container=z", NULL);
    says("/message", "container z is not valid for pod q");
    ask(404, "GET", PODS "/none/log", NULL);
    ask(404, "GET", PODS "/n/log", NULL);
    says("/message", "pods \"node\" not found");
    ask(405, "POST", PODS "/p/log", "{}");
    rig_close();
}

TEST(options_of_logs_are_checked_first)
{
    open_with_pods();
    ask(422, "GET", PODS "/none/log?tailLines=-1&limitBytes=0", NULL);
    says("/message", "PodLogOptions \"none\" is invalid: [tailLines: Invalid "
         "value: -1: must be greater than or equal to 0, limitBytes: Invalid "
         "value: 0: must be greater than 0]");
    ask(400, "GET", PODS "/p/log?sinceSeconds=x", NULL);
    says("/message", "strconv.ParseInt: parsing \"x\": invalid syntax");
    ask(400, "GET", PODS "/p/log?sinceTime=x", NULL);
    ask(422, "GET",
        PODS "/p/log?sinceSeconds=1&sinceTime=2020-01-01T00:00:00Z", NULL);
    tells("PodLogOptions \"p\" is invalid: []: Forbidden: at most one of "
          "`sinceTime` or `sinceSeconds` may be specified");
    ask(422, "GET", PODS "/p/log?stream=All", NULL);
    rig_close();
}

TEST(commands_and_ports_need_a_host)
{
    open_with_pods();
    ask(400, "POST", PODS "/p/exec?command=ls", NULL);
    says("/message", "pod p does not have a host assigned");
    ask(400, "GET", PODS "/q/attach", NULL);
    tells("a container name must be specified for pod q, choose one of: [e c "
          "d]");
    ask(400, "GET", PODS "/q/portforward?ports=80", NULL);
    says("/message", "pod q does not have a host assigned");
    ask(400, "GET", PODS "/p/portforward?ports=x", NULL);
    says("/message", "cannot convert to []int32: strconv.ParseUint: parsing "
         "\"x\": invalid syntax");
    ask(400, "GET", PODS "/p/exec?dryRun=All", NULL);
    says("/message", "dryRun is not supported");
    ask(404, "GET", PODS "/none/exec", NULL);
    rig_close();
}

TEST(proxies_look_for_what_they_are_asked_for)
{
    open_with_pods();
    ask(400, "GET", PODS "/http:p:80/proxy/a/b", NULL);
    says("/message", "address not allowed");
    ask(400, "GET", PODS "/x:p:80/proxy", NULL);
    says("/message", "invalid pod request \"x:p:80\"");
    ask(400, "GET", PODS "/a:b:c:d/proxy", NULL);
    ask(404, "GET", PODS "/none/proxy", NULL);
    ask(201, "POST", SERVICES,
        "{'metadata':{'name':'s'},'spec':{'ports':[{'port':80}]}}");
    ask(503, "GET", SERVICES "/s:81/proxy", NULL);
    says("/message", "no service port 81 found for service \"s\"");
    ask(404, "GET", SERVICES "/s:80/proxy", NULL);
    ask(404, "GET", SERVICES "/none/proxy", NULL);
    ask(400, "GET", SERVICES "/:80/proxy", NULL);
    says("/message", "invalid service request \":80\"");
    ask(201, "POST", "/api/v1/namespaces/ns/endpoints",
        "{'metadata':{'name':'s'}}");
    ask(501, "GET", SERVICES "/s/proxy", NULL);
    rig_close();
}

TEST(nodes_are_not_connected_to)
{
    open_with_pods();
    ask(404, "GET", NODES "/node/proxy", NULL);
    ask(400, "GET", NODES "/a:b:c/proxy", NULL);
    says("/message", "invalid node request \"a:b:c\"");
    ask(201, "POST", NODES, "{'metadata':{'name':'node'}}");
    ask(500, "GET", NODES "/node:1/proxy", NULL);
    says("/message", "no preferred addresses found; known addresses: []");
    says("/reason", "");
    patch(200, "merge", NODES "/node/status", "{'status':{'addresses':"
          "[{'type':'InternalIP','address':'10.0.0.1'}]}}");
    ask(501, "GET", PODS "/n/exec", NULL);
    tells("this server has no nodes to connect to");
    patch(200, "merge", PODS "/p/status", "{'status':{'podIP':'10.0.0.2',"
          "'podIPs':[{'ip':'10.0.0.2'}]}}");
    ask(501, "GET", PODS "/p/proxy", NULL);
    rig_close();
}
