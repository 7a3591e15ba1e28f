/* Tests of evictions, and of the budgets that allow or refuse them. */

#include "verb_rig.h"

#define BUDGETS "/apis/policy/v1/namespaces/ns/poddisruptionbudgets"

#define evict(STATUS, POD)                                                    \
    ask(STATUS, "POST", PODS "/" POD "/eviction",                             \
        "{'metadata':{'name':'" POD "'}}")

/* A Pod that runs, and is ready or not. */
static void
run_pod(const char *name, const char *ready)
{
    char text[256];

    snprintf(text, sizeof text, "{'metadata':{'name':'%s','labels':{'a':'b'}},"
             "'spec':{'nodeName':'n','containers':[{'name':'c',"
             "'image':'i'}]}}", name);
    ask(201, "POST", PODS, text);
    snprintf(text, sizeof text, "{'status':{'phase':'Running','conditions':"
             "[{'type':'Ready','status':'%s'}]}}", ready);
    rig.content_type = "application/merge-patch+json";
    ask(200, "PATCH", strcmp(name, "p") ? PODS "/q/status" : PODS "/p/status",
        text);
}

static void
make_budget(const char *name)
{
    char text[256];

    snprintf(text, sizeof text, "{'metadata':{'name':'%s'},'spec':"
             "{'minAvailable':1,'selector':{'matchLabels':{'a':'b'}}}}", name);
    ask(201, "POST", BUDGETS, text);
}

TEST(a_pod_without_a_budget_goes)
{
    verb_open();
    evict(404, "p");
    ask(201, "POST", PODS, POD("p", ""));
    ask(400, "POST", PODS "/p/eviction", "{'metadata':{'name':'x'}}");
    says("/message", "name in URL does not match name in Eviction object");
    ask(409, "POST", PODS "/p/eviction",
        "{'metadata':{'name':'p'},'deleteOptions':{'preconditions':"
        "{'uid':'x'}}}");
    ask(422, "POST", PODS "/p/eviction",
        "{'metadata':{'name':'p'},'deleteOptions':{'propagationPolicy':"
        "'x'}}");
    ask(201, "POST", PODS "/p/eviction?dryRun=All",
        "{'metadata':{'name':'p'}}");
    ask(200, "GET", PODS "/p", NULL);
    says("/status/conditions", "");
    evict(201, "p");
    says("/status", "Success");
    ask(404, "GET", PODS "/p", NULL);

    run_pod("q", "True");
    ask(201, "POST", PODS "/q/eviction",
        "{'apiVersion':'policy/v1beta1','kind':'Eviction','metadata':"
        "{'name':'q'},'deleteOptions':{'gracePeriodSeconds':7}}");
    ask(200, "GET", PODS "/q", NULL);
    says("/metadata/deletionGracePeriodSeconds", "7");
    says("/status/conditions/1/type", "DisruptionTarget");
    says("/status/conditions/1/reason", "EvictionByEvictionAPI");
    rig_close();
}

TEST(dry_runs_of_request_and_body_must_match)
{
    verb_open();
    run_pod("p", "True");
    ask(500, "POST", PODS "/p/eviction?dryRun=All&dryRun=All",
        "{'metadata':{'name':'p'},'deleteOptions':{'dryRun':['All']}}");
    says("/message", "Non-matching dry-run options in request and content: "
         "[All All] and [All]");
    ask(201, "POST", PODS "/p/eviction?dryRun=All",
        "{'metadata':{'name':'p'},'deleteOptions':{'dryRun':['All']}}");
    ask(200, "GET", PODS "/p", NULL);
    rig_close();
}

TEST(a_budget_is_asked_and_taken_from)
{
    verb_open();
    run_pod("p", "True");
    make_budget("b");
    evict(429, "p");
    tells("Cannot evict pod as it would violate the pod's disruption budget.");
    says("/details/causes/0/message", "The disruption budget b is still being "
         "processed by the server.");
    says("/details/retryAfterSeconds", "10");
    patch(200, "merge", BUDGETS "/b/status",
          "{'status':{'observedGeneration':1,'desiredHealthy':1,"
          "'currentHealthy':1,'expectedPods':1}}");
    evict(429, "p");
    says("/details/causes/0/message", "The disruption budget b needs 1 "
         "healthy pods and has 1 currently");
    patch(200, "merge", BUDGETS "/b/status",
          "{'status':{'disruptionsAllowed':1,'currentHealthy':2}}");
    ask(201, "POST", PODS "/p/eviction?dryRun=All",
        "{'metadata':{'name':'p'}}");
    evict(201, "p");
    ask(200, "GET", BUDGETS "/b", NULL);
    says("/status/disruptionsAllowed", "0");
    says("/status/conditions/0/reason", "InsufficientPods");
    assert_string_not_equal(text_at("/status/disruptedPods/p"), "");

    /* A Pod that ends already needs none. */
    evict(201, "p");
    rig_close();
}

TEST(a_pod_that_is_not_ready_may_go_by_itself)
{
    verb_open();
    run_pod("p", "False");
    make_budget("b");
    evict(429, "p");
    patch(200, "merge", BUDGETS "/b/status",
          "{'status':{'observedGeneration':1,'desiredHealthy':1,"
          "'currentHealthy':1,'expectedPods':2}}");
    evict(201, "p");
    ask(200, "GET", BUDGETS "/b", NULL);
    says("/status/disruptedPods", "");
    rig_close();
}

TEST(two_budgets_are_one_too_many)
{
    verb_open();
    run_pod("p", "True");
    make_budget("b");
    make_budget("c");
    evict(500, "p");
    tells("This pod has more than one PodDisruptionBudget, which the "
          "eviction subresource does not support.");
    rig_close();
}

TEST(a_budget_says_why_it_allows_nothing)
{
    static const struct {
        const char *condition, *why;
    } cases[] = {
        { "{'type':'DisruptionAllowed','status':'False','reason':'SyncFailed',"
          "'message':'m','lastTransitionTime':'2020-01-01T00:00:00Z'}",
          "because it failed sync: m" },
        { "{'type':'DisruptionAllowed','status':'False','reason':'Other',"
          "'message':'m','lastTransitionTime':'2020-01-01T00:00:00Z'}",
          "does not allow evicting pods currently (Other): m" },
        { "{'type':'Else','status':'False','reason':'Other','message':'m',"
          "'lastTransitionTime':'2020-01-01T00:00:00Z'}",
          "b does not allow evicting pods currently" },
    };
    char text[512];
    size_t i;

    verb_open();
    run_pod("p", "True");
    make_budget("b");
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        snprintf(text, sizeof text, "{'status':{'observedGeneration':1,"
                 "'desiredHealthy':1,'currentHealthy':2,'expectedPods':2,"
                 "'conditions':[%s]}}", cases[i].condition);
        patch(200, "merge", BUDGETS "/b/status", text);
        evict(429, "p");
        assert_non_null(strstr(text_at("/details/causes/0/message"),
                               cases[i].why));
    }
    rig_close();
}

TEST(a_pod_that_was_told_before_goes_too)
{
    verb_open();
    ask(201, "POST", PODS, POD("p", ""));
    patch(200, "strategic-merge", PODS "/p/status",
          "{'status':{'conditions':[{'type':'DisruptionTarget','status':"
          "'True','reason':'EvictionByEvictionAPI','message':'Eviction API: "
          "evicting','lastTransitionTime':'2026-01-01T00:00:00Z'}]}}");
    evict(201, "p");
    ask(404, "GET", PODS "/p", NULL);
    rig_close();
}
