/* Tests of DELETE. */

#include "verb_rig.h"

TEST(an_object_is_gone_and_its_kind_says_how_that_is_told)
{
    verb_open();
    ask(201, "POST", CONFIG_MAPS, "{'metadata':{'name':'a'}}");
    ask(200, "DELETE", CONFIG_MAPS "/a?dryRun=All", NULL);
    says("/status", "Success");
    ask(200, "DELETE", CONFIG_MAPS "/a", NULL);
    says("/kind", "Status");
    says("/status", "Success");
    says("/details/name", "a");
    says("/details/kind", "configmaps");
    ask(404, "GET", CONFIG_MAPS "/a", NULL);
    ask(404, "DELETE", CONFIG_MAPS "/a", NULL);
    says("/message", "configmaps \"a\" not found");

    ask(201, "POST", "/api/v1/namespaces/ns/serviceaccounts",
        "{'metadata':{'name':'s'}}");
    ask(200, "DELETE", "/api/v1/namespaces/ns/serviceaccounts/s", NULL);
    says("/kind", "ServiceAccount");
    rig_close();
}

TEST(preconditions_must_hold)
{
    char body[256], uid[64], revision[32];

    verb_open();
    ask(201, "POST", CONFIG_MAPS, "{'metadata':{'name':'a'}}");
    snprintf(uid, sizeof uid, "%s", text_at("/metadata/uid"));
    snprintf(revision, sizeof revision, "%s",
             text_at("/metadata/resourceVersion"));
    ask(409, "DELETE", CONFIG_MAPS "/a",
        "{'preconditions':{'uid':'other'}}");
    tells("Operation cannot be fulfilled on ConfigMap \"a\": the UID in the "
          "precondition (other) does not match the UID in record");
    ask(409, "DELETE", CONFIG_MAPS "/a",
        "{'preconditions':{'resourceVersion':'1'}}");
    tells("the ResourceVersion in the precondition (1) does not match");
    snprintf(body, sizeof body, "{'preconditions':{'uid':'%s',"
             "'resourceVersion':'%s'}}", uid, revision);
    ask(200, "DELETE", CONFIG_MAPS "/a", body);

    ask(409, "DELETE", "/api/v1/namespaces/ns",
        "{'preconditions':{'uid':'other'}}");
    tells("Precondition failed: UID in precondition: other");
    ask(409, "DELETE", "/api/v1/namespaces/ns",
        "{'preconditions':{'resourceVersion':'1'}}");
    tells("Precondition failed: ResourceVersion in precondition: 1");
    rig_close();
}

TEST(finalizers_hold_an_object_back)
{
    char revision[32];

    verb_open();
    ask(201, "POST", DEPLOYMENTS,
        "{'metadata':{'name':'d','finalizers':['example.com/f']},'spec':"
        "{'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':"
        "{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c',"
        "'image':'i'}]}}}}");
    ask(200, "DELETE", DEPLOYMENTS "/d", NULL);
    says("/kind", "Deployment");
    says("/metadata/deletionGracePeriodSeconds", "0");
    says("/metadata/generation", "2");
    assert_string_not_equal(text_at("/metadata/deletionTimestamp"), "");
    snprintf(revision, sizeof revision, "%s",
             text_at("/metadata/resourceVersion"));
    ask(200, "DELETE", DEPLOYMENTS "/d", NULL);
    says("/metadata/resourceVersion", revision);
    patch(200, "merge", DEPLOYMENTS "/d", "{'metadata':{'finalizers':null}}");
    ask(404, "GET", DEPLOYMENTS "/d", NULL);
    rig_close();
}

TEST(a_propagation_policy_is_a_finalizer)
{
    static const struct {
        const char *query, *finalizers;
        int status;
    } cases[] = {
        { "propagationPolicy=Orphan", "[\"orphan\"]", 200 },
        { "propagationPolicy=Foreground", "[\"foregroundDeletion\"]", 200 },
        { "orphanDependents=true", "[\"orphan\"]", 200 },
    };
    size_t i;

    verb_open();
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        char path[128];

        snprintf(path, sizeof path, CONFIG_MAPS "/a?%s", cases[i].query);
        ask(201, "POST", CONFIG_MAPS, "{'metadata':{'name':'a'}}");
        ask(cases[i].status, "DELETE", path, NULL);
        says("/metadata/finalizers", cases[i].finalizers);

        /* The finalizer that is there goes on to count, */
        ask(200, "DELETE", CONFIG_MAPS "/a", NULL);
        says("/metadata/finalizers", cases[i].finalizers);

        /* until another policy takes it away. */
        ask(200, "DELETE", CONFIG_MAPS "/a?propagationPolicy=Background",
            NULL);
        says("/kind", "Status");
    }
    ask(201, "POST", CONFIG_MAPS,
        "{'metadata':{'name':'a','finalizers':['example.com/f']}}");
    ask(202, "DELETE", CONFIG_MAPS "/a?orphanDependents=false", NULL);
    says("/metadata/finalizers", "[\"example.com/f\"]");

    ask(201, "POST", "/api/v1/namespaces/ns/replicationcontrollers",
        "{'metadata':{'name':'r'},'spec':{'selector':{'a':'b'},'template':"
        "{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c',"
        "'image':'i'}]}}}}");
    ask(200, "DELETE", "/api/v1/namespaces/ns/replicationcontrollers/r",
        NULL);
    says("/metadata/finalizers", "[\"orphan\"]");
    rig_close();
}

TEST(who_deletes_a_job_is_warned)
{
    verb_open();
    ask(404, "DELETE", "/apis/batch/v1/namespaces/ns/jobs/j", NULL);
    assert_true(warned("child pods are preserved by default"));
    ask(200, "DELETE", "/apis/batch/v1/namespaces/ns/jobs", NULL);
    assert_true(warned("child pods are preserved by default"));
    ask(404, "DELETE", "/apis/batch/v1/namespaces/ns/jobs/j"
        "?propagationPolicy=Orphan", NULL);
    assert_false(warned("child pods"));
    rig_close();
}

TEST(a_pod_on_a_node_has_time_to_end)
{
    verb_open();
    ask(201, "POST", PODS, POD("p", ",'nodeName':'n'"));
    ask(200, "DELETE", PODS "/p?dryRun=All", NULL);
    says("/metadata/deletionGracePeriodSeconds", "30");
    ask(200, "DELETE", PODS "/p", NULL);
    says("/metadata/deletionGracePeriodSeconds", "30");
    says("/metadata/generation", "2");
    ask(200, "DELETE", PODS "/p", NULL);
    says("/metadata/deletionGracePeriodSeconds", "30");

    /* It can only become shorter. */
    ask(200, "DELETE", PODS "/p?gracePeriodSeconds=60", NULL);
    says("/metadata/deletionGracePeriodSeconds", "30");
    ask(200, "DELETE", PODS "/p?gracePeriodSeconds=10", NULL);
    says("/metadata/deletionGracePeriodSeconds", "10");
    ask(200, "DELETE", PODS "/p?gracePeriodSeconds=-3", NULL);
    says("/metadata/deletionGracePeriodSeconds", "1");
    ask(200, "DELETE", PODS "/p?gracePeriodSeconds=0", NULL);
    says("/kind", "Pod");
    says("/metadata/deletionGracePeriodSeconds", "0");
    ask(404, "GET", PODS "/p", NULL);
    rig_close();
}

TEST(a_pod_that_nobody_runs_goes_at_once)
{
    verb_open();
    ask(201, "POST", PODS, POD("p", ""));
    ask(200, "DELETE", PODS "/p?gracePeriodSeconds=100", NULL);
    says("/kind", "Pod");
    says("/metadata/deletionGracePeriodSeconds", "0");
    ask(404, "GET", PODS "/p", NULL);

    ask(201, "POST", PODS, POD("q", ",'nodeName':'n'"));
    patch(200, "merge", PODS "/q/status", "{'status':{'phase':'Failed'}}");
    ask(200, "DELETE", PODS "/q", NULL);
    ask(404, "GET", PODS "/q", NULL);

    ask(201, "POST", PODS, POD("r", ",'nodeName':'n'"));
    ask(200, "DELETE", PODS "/r?gracePeriodSeconds=-1", NULL);
    says("/metadata/deletionGracePeriodSeconds", "1");
    rig_close();
}

TEST(a_namespace_turns_terminating)
{
    char revision[32];

    verb_open();
    ask(200, "DELETE", "/api/v1/namespaces/ns?dryRun=All", NULL);
    says("/status/phase", "Terminating");
    ask(200, "GET", "/api/v1/namespaces/ns", NULL);
    says("/status/phase", "Active");
    ask(200, "DELETE", "/api/v1/namespaces/ns", NULL);
    says("/status/phase", "Terminating");
    says("/spec/finalizers/0", "kubernetes");
    snprintf(revision, sizeof revision, "%s",
             text_at("/metadata/resourceVersion"));
    ask(200, "DELETE", "/api/v1/namespaces/ns", NULL);
    says("/metadata/resourceVersion", revision);
    ask(403, "POST", CONFIG_MAPS, "{'metadata':{'name':'a'}}");
    tells("because it is being terminated");
    ask(422, "PUT", "/api/v1/namespaces/ns/finalize",
        "{'metadata':{'name':'ns'},'spec':{'finalizers':['x']}}");
    says("/details/causes/0/field", "spec.finalizers[0]");
    says("/details/causes/1", "");
    ask(200, "PUT", "/api/v1/namespaces/ns/finalize",
        "{'metadata':{'name':'ns'},'spec':{}}");
    ask(404, "GET", "/api/v1/namespaces/ns", NULL);

    /* One without finalizers goes with the second DELETE. */
    ask(201, "POST", "/api/v1/namespaces", "{'metadata':{'name':'m'}}");
    ask(200, "PUT", "/api/v1/namespaces/m/finalize",
        "{'metadata':{'name':'m'},'spec':{}}");
    says("/spec", "{}");
    ask(200, "DELETE", "/api/v1/namespaces/m", NULL);
    says("/status/phase", "Terminating");
    ask(200, "DELETE", "/api/v1/namespaces/m", NULL);
    ask(404, "GET", "/api/v1/namespaces/m", NULL);
    rig_close();
}
