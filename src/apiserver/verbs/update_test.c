/* Tests of PUT. */

#include "verb_rig.h"

TEST(an_update_replaces_the_object_and_keeps_what_is_the_servers)
{
    char uid[64], created[64];
    unsigned long revision;

    verb_open();
    ask(201, "POST", CONFIG_MAPS,
        "{'metadata':{'name':'a','labels':{'l':'v'}},'data':{'k':'v'}}");
    snprintf(uid, sizeof uid, "%s", text_at("/metadata/uid"));
    snprintf(created, sizeof created, "%s",
             text_at("/metadata/creationTimestamp"));
    revision = strtoul(text_at("/metadata/resourceVersion"), NULL, 10);
    ask(200, "PUT", CONFIG_MAPS "/a",
        "{'metadata':{'name':'a','creationTimestamp':'2001-01-01T00:00:00Z',"
        "'generation':9},'data':{'x':'y'}}");
    says("/metadata/uid", uid);
    says("/metadata/creationTimestamp", created);
    says("/metadata/labels", "");
    says("/metadata/generation", "");
    says("/data", "{\"x\":\"y\"}");
    assert_true(strtoul(text_at("/metadata/resourceVersion"), NULL, 10)
                > revision);
    rig_close();
}

TEST(an_update_that_changes_nothing_makes_no_revision)
{
    char revision[32];

    verb_open();
    ask(201, "POST", DEPLOYMENTS, DEPLOYMENT("d"));
    snprintf(revision, sizeof revision, "%s",
             text_at("/metadata/resourceVersion"));
    ask(200, "PUT", DEPLOYMENTS "/d", DEPLOYMENT("d"));
    says("/metadata/resourceVersion", revision);
    says("/metadata/generation", "1");
    rig_close();
}

TEST(a_revision_that_is_not_the_stored_one_is_a_conflict)
{
    char body[128];

    verb_open();
    ask(201, "POST", CONFIG_MAPS, "{'metadata':{'name':'a'}}");
    snprintf(body, sizeof body, "{'metadata':{'name':'a','resourceVersion':"
             "'%s'},'data':{'n':'1'}}", text_at("/metadata/resourceVersion"));
    ask(200, "PUT", CONFIG_MAPS "/a", body);
    ask(409, "PUT", CONFIG_MAPS "/a", body);
    says("/reason", "Conflict");
    tells("Operation cannot be fulfilled on configmaps \"a\": the object has "
          "been modified; please apply your changes to the latest version "
          "and try again");
    ask(409, "PUT", CONFIG_MAPS "/a?dryRun=All", body);
    ask(200, "PUT", CONFIG_MAPS "/a",
        "{'metadata':{'name':'a','resourceVersion':'0'}}");
    ask(500, "PUT", CONFIG_MAPS "/a",
        "{'metadata':{'name':'a','resourceVersion':'abc'}}");
    says("/message", "strconv.ParseUint: parsing \"abc\": invalid syntax");
    says("/reason", "");
    rig_close();
}

TEST(what_an_update_names_must_be_what_the_path_names)
{
    static const struct {
        const char *body;
        int status;
        const char *message;
    } cases[] = {
        { "{'metadata':{'name':'b'}}", 400,
          "the name of the object (b) does not match the name on the URL "
          "(a)" },
        { "{'metadata':{}}", 400, "the name of the object (a based on URL) "
          "was undeterminable: name must be provided" },
        { "{'metadata':{'name':'a','namespace':'x'}}", 400,
          "the namespace of the provided object does not match the namespace "
          "sent on the request" },
        { "{'metadata':{'name':'a','uid':'other'}}", 409,
          "Operation cannot be fulfilled on configmaps \"a\": "
          "StorageError: invalid object, Code: 4, Key: "
          "/registry/configmaps/ns/a, ResourceVersion: 0, "
          "AdditionalErrorMsg: Precondition failed: UID in "
          "precondition: other, UID in object meta: " ANY_TEXT },
        { "{'kind':'Secret','metadata':{'name':'a'}}", 400,
          "Secret in version \"v1\" cannot be handled as a ConfigMap: "
          "converting (v1.Secret) to (core.ConfigMap): unknown conversion" },
    };
    size_t i;

    verb_open();
    ask(201, "POST", CONFIG_MAPS, "{'metadata':{'name':'a'}}");
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        ask(cases[i].status, "PUT", CONFIG_MAPS "/a", cases[i].body);
        tells(cases[i].message);
    }
    ask(404, "PUT", CONFIG_MAPS "/none", "{'metadata':{'name':'none'}}");
    says("/reason", "NotFound");
    ask(422, "PUT", CONFIG_MAPS "/a?fieldManager=%01",
        "{'metadata':{'name':'a'}}");
    tells("UpdateOptions.meta.k8s.io \"\" is invalid: fieldManager: Invalid "
          "value: \"\\x01\": invalid character U+0001 (at position 0)");
    rig_close();
}

TEST(some_kinds_are_created_by_an_update)
{
    verb_open();
    ask(201, "PUT", LEASES "/l?dryRun=All", "{'metadata':{'name':'l'}}");
    says("/metadata/resourceVersion", "");
    ask(201, "PUT", LEASES "/l",
        "{'metadata':{'name':'l','resourceVersion':'5'}}");
    assert_int_equal(strlen(text_at("/metadata/uid")), 36);
    ask(409, "PUT", LEASES "/m", "{'metadata':{'name':'m','uid':'u'}}");
    tells("Operation cannot be fulfilled on leases.coordination.k8s.io "
          "\"m\": StorageError: invalid object, Code: 4, Key: "
          "/registry/leases/ns/m, ResourceVersion: 0, AdditionalErrorMsg: "
          "Precondition failed: UID in precondition: u, UID in object meta: ");
    ask(404, "PUT", "/apis/coordination.k8s.io/v1/namespaces/none/leases/l",
        "{'metadata':{'name':'l'}}");
    says("/details/kind", "namespaces");

    /* And must be told which revision is meant. */
    ask(422, "PUT", LEASES "/l", "{'metadata':{'name':'l'}}");
    tells("leases.coordination.k8s.io \"l\" is invalid: "
          "metadata.resourceVersion: Invalid value: 0: must be specified for "
          "an update");
    rig_close();
}

TEST(a_name_that_cannot_be_is_refused)
{
    static const char why[] =
        "Name parameter invalid: \"a%b\": may not contain '%'";

    verb_open();
    patch(400, "merge", CONFIG_MAPS "/a%25b", "{");
    says("/message", why);
    ask(400, "DELETE", CONFIG_MAPS "/a%25b", NULL);
    says("/message", why);
    ask(400, "PUT", CONFIG_MAPS "/a%25b", "{'metadata':{'name':'a%b'}}");
    says("/message", why);
    ask(400, "PUT", LEASES "/a%25b", "{'metadata':{'name':'a%b'}}");
    says("/message", why);
    ask(400, "PUT", LEASES "/a%25b", "{'metadata':{'name':'a'}}");
    tells("the name of the object (a) does not match the name on the URL "
          "(a%b)");
    ask(400, "GET", DEPLOYMENTS "/%2e/scale", NULL);
    tells("Name parameter invalid: \".\": may not be '.'");
    patch(404, "merge", CONFIG_MAPS "/a", "{");
    rig_close();
}

TEST(what_a_client_may_put_of_the_servers)
{
    verb_open();
    ask(201, "PUT", LEASES "/a?dryRun=All",
        "{'metadata':{'name':'a','resourceVersion':'7','selfLink':'/x',"
        "'uid':'','deletionGracePeriodSeconds':5}}");
    says("/metadata/resourceVersion", "7");
    says("/metadata/selfLink", "/x");
    says("/metadata/deletionGracePeriodSeconds", "5");
    ask(500, "PUT", LEASES "/a",
        "{'metadata':{'name':'a','resourceVersion':'99999999999999999999'}}");
    says("/message", "strconv.ParseUint: parsing \"99999999999999999999\": "
         "value out of range");
    ask(409, "PUT", LEASES "/a?dryRun=All",
        "{'metadata':{'name':'a','uid':'x'}}");
    tells("Operation cannot be fulfilled on leases.coordination.k8s.io "
          "\"a\": StorageError: invalid object, Code: 4, Key: /leases/ns/a, "
          "ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID "
          "in precondition: x, UID in object meta: ");
    ask(409, "PUT", LEASES "/a", "{'metadata':{'name':'a','uid':'x'}}");
    tells("Operation cannot be fulfilled on leases.coordination.k8s.io "
          "\"a\": StorageError: invalid object, Code: 4, Key: "
          "/registry/leases/ns/a, ResourceVersion: 0, AdditionalErrorMsg: "
          "Precondition failed: UID in precondition: x, UID in object meta: ");
    ask(201, "PUT", LEASES "/a",
        "{'metadata':{'name':'a','selfLink':'/x','deletionTimestamp':"
        "'2001-01-01T00:00:00Z'}}");
    says("/metadata/selfLink", "");
    says("/metadata/deletionTimestamp", "2001-01-01T00:00:00Z");
    rig_close();
}

TEST(a_dry_run_of_an_update_writes_nothing)
{
    char revision[32];

    verb_open();
    ask(201, "POST", CONFIG_MAPS, "{'metadata':{'name':'a'}}");
    snprintf(revision, sizeof revision, "%s",
             text_at("/metadata/resourceVersion"));
    ask(200, "PUT", CONFIG_MAPS "/a?dryRun=All",
        "{'metadata':{'name':'a'},'data':{'k':'v'}}");
    says("/data/k", "v");
    says("/metadata/resourceVersion", revision);
    ask(200, "GET", CONFIG_MAPS "/a", NULL);
    says("/data", "");
    rig_close();
}

TEST(a_write_to_status_changes_the_status_alone)
{
    verb_open();
    ask(201, "POST", DEPLOYMENTS, DEPLOYMENT("d"));
    ask(200, "PUT", DEPLOYMENTS "/d/status",
        "{'metadata':{'name':'d'},'spec':{'replicas':9,'selector':"
        "{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}}"
        ",'spec':{'containers':[{'name':'c','image':'i'}]}}},"
        "'status':{'replicas':3}}");
    says("/spec/replicas", "2");
    says("/status/replicas", "3");
    says("/metadata/generation", "1");
    ask(200, "PUT", DEPLOYMENTS "/d", DEPLOYMENT("d"));
    says("/status/replicas", "3");
    ask(200, "GET", DEPLOYMENTS "/d/status", NULL);
    says("/status/replicas", "3");
    ask(404, "PUT", CONFIG_MAPS "/a/status", "{'metadata':{'name':'a'}}");
    rig_close();
}

TEST(the_last_finalizer_takes_the_object_with_it)
{
    char revision[32];

    verb_open();
    ask(201, "POST", CONFIG_MAPS,
        "{'metadata':{'name':'a','finalizers':['example.com/f']}}");
    ask(200, "DELETE", CONFIG_MAPS "/a", NULL);
    snprintf(revision, sizeof revision, "%s",
             text_at("/metadata/resourceVersion"));
    ask(200, "PUT", CONFIG_MAPS "/a?dryRun=All", "{'metadata':{'name':'a'}}");
    ask(200, "GET", CONFIG_MAPS "/a", NULL);
    ask(200, "PUT", CONFIG_MAPS "/a", "{'metadata':{'name':'a'}}");
    says("/metadata/resourceVersion", revision);
    says("/metadata/finalizers", "");
    ask(404, "GET", CONFIG_MAPS "/a", NULL);
    rig_close();
}

TEST(another_version_is_another_view)
{
    verb_open();
    ask(201, "POST", "/apis/batch/v1beta1/namespaces/ns/cronjobs",
        "{'metadata':{'name':'c'},'spec':{'schedule':'* * * * *',"
        "'jobTemplate':{'spec':{'template':{'spec':{'restartPolicy':'Never',"
        "'containers':[{'name':'c','image':'i'}]}}}}}}");
    says("/apiVersion", "batch/v1beta1");
    ask(200, "GET", "/apis/batch/v1/namespaces/ns/cronjobs/c", NULL);
    says("/apiVersion", "batch/v1");
    ask(400, "PUT", "/apis/batch/v1/namespaces/ns/cronjobs/c",
        "{'apiVersion':'batch/v1beta1','kind':'CronJob',"
        "'metadata':{'name':'c'}}");
    tells("the API version in the data (batch/v1beta1) does not match the "
          "expected API version (batch/v1)");
    patch(200, "merge", "/apis/batch/v1beta1/namespaces/ns/cronjobs/c",
          "{'spec':{'suspend':true}}");
    says("/apiVersion", "batch/v1beta1");
    says("/spec/suspend", "true");
    rig_close();
}
