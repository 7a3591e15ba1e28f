/* Tests of POST. */

#include "verb_rig.h"
#include "yuloh/log.h"

TEST(a_created_object_has_what_the_server_gives)
{
    verb_open();
    ask(201, "POST", CONFIG_MAPS,
        "{'metadata':{'name':'a','uid':'mine','creationTimestamp':"
        "'2001-01-01T00:00:00Z','selfLink':'/x','deletionTimestamp':"
        "'2001-01-01T00:00:00Z','generation':7},'data':{'k':'v'}}");
    says("/kind", "ConfigMap");
    says("/apiVersion", "v1");
    says("/metadata/namespace", "ns");
    says("/metadata/generation", "7");
    says("/metadata/deletionTimestamp", "");
    says("/metadata/selfLink", "");
    says("/data/k", "v");
    assert_int_equal(strlen(text_at("/metadata/uid")), 36);
    assert_string_not_equal(text_at("/metadata/creationTimestamp"),
                            "2001-01-01T00:00:00Z");
    assert_true(strtoul(text_at("/metadata/resourceVersion"), NULL, 10) > 0);

    ask(201, "POST", DEPLOYMENTS, DEPLOYMENT("d"));
    says("/metadata/generation", "1");
    rig_close();
}

TEST(a_name_is_used_once)
{
    verb_open();
    ask(201, "POST", CONFIG_MAPS, "{'metadata':{'name':'a'}}");
    ask(409, "POST", CONFIG_MAPS, "{'metadata':{'name':'a'}}");
    says("/reason", "AlreadyExists");
    says("/message", "configmaps \"a\" already exists");
    ask(409, "POST", CONFIG_MAPS "?dryRun=All", "{'metadata':{'name':'a'}}");
    says("/reason", "AlreadyExists");

    ask(201, "POST", CONFIG_MAPS,
        "{'metadata':{'name':'b','finalizers':['example.com/f']}}");
    ask(200, "DELETE", CONFIG_MAPS "/b", NULL);
    ask(409, "POST", CONFIG_MAPS, "{'metadata':{'name':'b'}}");
    says("/message", "object is being deleted: configmaps \"b\" already "
         "exists");
    rig_close();
}

TEST(names_are_generated)
{
    char first[64];

    verb_open();
    ask(201, "POST", CONFIG_MAPS, "{'metadata':{'generateName':'x-'}}");
    snprintf(first, sizeof first, "%s", text_at("/metadata/name"));
    assert_int_equal(strlen(first), 7);
    assert_memory_equal(first, "x-", 2);
    ask(201, "POST", CONFIG_MAPS, "{'metadata':{'generateName':'x-'}}");
    assert_string_not_equal(text_at("/metadata/name"), first);
    ask(201, "POST", CONFIG_MAPS,
        "{'metadata':{'name':'y','generateName':'x-'}}");
    says("/metadata/name", "y");
    ask(409, "POST", CONFIG_MAPS,
        "{'metadata':{'name':'y','generateName':'x-'}}");
    says("/message", "configmaps \"y\" already exists, the server was not "
                     "able to generate a unique name for the object");
    says("/details/retryAfterSeconds", "1");

    /* A long prefix is cut. */
    ask(201, "POST", CONFIG_MAPS,
        "{'metadata':{'generateName':'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'}}");
    assert_int_equal(strlen(text_at("/metadata/name")), 63);
    rig_close();
}

TEST(what_cannot_be_created_is_refused)
{
    static const struct {
        const char *path, *body;
        int status;
        const char *message;
    } cases[] = {
        { CONFIG_MAPS, "{'metadata':{'name':'a','namespace':'other'}}", 400,
          "the namespace of the provided object does not match the namespace "
          "sent on the request" },
        { CONFIG_MAPS, "{'metadata':{'name':'a','resourceVersion':'5'}}", 500,
          "resourceVersion should not be set on objects to be created" },
        { CONFIG_MAPS, "{}", 422,
          "ConfigMap \"\" is invalid: metadata.name: Required value: name or "
          "generateName is required" },
        { CONFIG_MAPS, "{'metadata':{'name':'A'}}", 422,
          "ConfigMap \"A\" is invalid: metadata.name: Invalid value: \"A\": "
          "a lowercase RFC 1123 subdomain must consist of lower case "
          "alphanumeric characters, '-' or '.', and must start and end with "
          "an alphanumeric character (e.g. 'example.com', regex used for "
          "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]("
          "[-a-z0-9]*[a-z0-9])?)*')" },
        { "/api/v1/namespaces/none/configmaps", "{'metadata':{'name':'a'}}",
          404, "namespaces \"none\" not found" },
        { CONFIG_MAPS "?fieldManager=a%0Ab", "{'metadata':{'name':'a'}}", 422,
          "CreateOptions.meta.k8s.io \"\" is invalid: fieldManager: Invalid "
          "value: \"a\\nb\": invalid character U+000A (at position 1)" },
        { "/api/v1/configmaps", "{'metadata':{'name':'a'}}", 405,
          "the server does not allow this method on the requested resource" },
    };
    size_t i;

    verb_open();
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        ask(cases[i].status, "POST", cases[i].path, cases[i].body);
        tells(cases[i].message);
    }
    ask(201, "POST", CONFIG_MAPS,
        "{'metadata':{'name':'a','resourceVersion':'abc'}}");
    rig_close();
}

TEST(a_dry_run_writes_nothing)
{
    verb_open();
    ask(201, "POST", CONFIG_MAPS "?dryRun=All", "{'metadata':{'name':'a'}}");
    says("/metadata/resourceVersion", "");
    assert_int_equal(strlen(text_at("/metadata/uid")), 36);
    ask(404, "GET", CONFIG_MAPS "/a", NULL);
    rig_close();
}

TEST(repeated_owners_are_merged_with_a_warning)
{
    verb_open();
    ask(201, "POST", CONFIG_MAPS,
        "{'metadata':{'name':'a','ownerReferences':["
        "{'apiVersion':'v1','kind':'Pod','name':'p','uid':'u1'},"
        "{'uid':'u1','kind':'Pod','name':'p','apiVersion':'v1'},"
        "{'apiVersion':'v1','kind':'Pod','name':'q','uid':'u1'}]}}");
    says("/metadata/ownerReferences/1/name", "q");
    says("/metadata/ownerReferences/2", "");
    assert_true(warned("duplicate UID(s) observed: u1"));
    assert_false(warned("after mutating admission"));
    rig_close();
}

TEST(cluster_scope_has_no_namespace)
{
    verb_open();
    ask(201, "POST", "/api/v1/nodes",
        "{'metadata':{'name':'n','namespace':'x'}}");
    says("/metadata/namespace", "");
    ask(201, "POST", "/api/v1/namespaces",
        "{'metadata':{'name':'other','namespace':'x'}}");
    says("/metadata/namespace", "");
    says("/spec/finalizers/0", "kubernetes");
    rig_close();
}

TEST(a_store_that_fails_answers_500_and_recovers)
{
    verb_open();
    yl_memory_fail(rig.storage, 1, YL_EIO);
    ask(500, "POST", CONFIG_MAPS, "{'metadata':{'name':'a'}}");
    says("/reason", "InternalError");
    yl_memory_fail(rig.storage, 1, YL_EUNAVAILABLE);
    ask(503, "POST", CONFIG_MAPS, "{'metadata':{'name':'a'}}");
    says("/reason", "ServiceUnavailable");
    ask(404, "GET", CONFIG_MAPS "/a", NULL);
    ask(201, "POST", CONFIG_MAPS, "{'metadata':{'name':'a'}}");
    rig_close();
}

TEST(a_name_beyond_all_bounds_is_refused)
{
    char body[2048];

    verb_open();
    snprintf(body, sizeof body, "{'metadata':{'name':'%01024d'}}", 7);
    ask(422, "POST", "/apis/rbac.authorization.k8s.io/v1/clusterroles", body);
    tells("ClusterRole.rbac.authorization.k8s.io \"0000" ANY_TEXT "7\" is "
          "invalid: metadata.name: Too long: may not be more than 1023 bytes");
    snprintf(body, sizeof body, "{'metadata':{'name':'%01023d'}}", 7);
    ask(201, "POST", "/apis/rbac.authorization.k8s.io/v1/clusterroles", body);
    rig_close();
}

static unsigned n_told;

static void
hear(const struct yl_log_sink *sink YL_UNUSED, const char *line, size_t size)
{
    n_told += memmem(line, size, "has no effect", 13) != NULL;
}

TEST(who_makes_what_has_no_effect_is_told)
{
    static const struct yl_log_sink ear = { .write = hear };

    verb_open();
    yl_log_set_sink(&ear);
    ask(201, "POST", "/api/v1/namespaces/ns/resourcequotas?dryRun=All",
        "{'metadata':{'name':'a'},'spec':{}}");
    assert_true(warned("does not enforce quotas yet"));
    assert_int_equal(n_told, 0);
    ask(201, "POST", "/api/v1/namespaces/ns/resourcequotas",
        "{'metadata':{'name':'a'},'spec':{}}");
    assert_true(warned("has no effect"));
    ask(201, "POST", "/api/v1/namespaces/ns/resourcequotas",
        "{'metadata':{'name':'b'},'spec':{}}");
    assert_int_equal(n_told, 1);
    yl_log_set_sink(NULL);
    rig_close();
}
