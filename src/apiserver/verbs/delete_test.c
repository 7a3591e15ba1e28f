/* Tests of DELETE. */

#include "apiserver/verbs/delete.h"

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
    tells("Operation cannot be fulfilled on ConfigMap \"a\": the "
          "UID in the precondition (other) does not match the UID "
          "in record ("
          ANY_TEXT "). The object might have been deleted and then recreated");
    ask(409, "DELETE", CONFIG_MAPS "/a",
        "{'preconditions':{'resourceVersion':'1'}}");
    tells("Operation cannot be fulfilled on ConfigMap \"a\": the "
          "ResourceVersion in the precondition (1) does not match "
          "the ResourceVersion in record ("
          ANY_TEXT "). The object might have been modified");
    snprintf(body, sizeof body, "{'preconditions':{'uid':'%s',"
             "'resourceVersion':'%s'}}", uid, revision);
    ask(200, "DELETE", CONFIG_MAPS "/a", body);

    ask(409, "DELETE", "/api/v1/namespaces/ns",
        "{'preconditions':{'uid':'other'}}");
    tells("Operation cannot be fulfilled on namespaces \"ns\": "
          "Precondition failed: UID in precondition: other, UID in "
          "object meta: " ANY_TEXT);
    ask(409, "DELETE", "/api/v1/namespaces/ns",
        "{'preconditions':{'resourceVersion':'1'}}");
    tells("Operation cannot be fulfilled on namespaces \"ns\": "
          "Precondition failed: ResourceVersion in precondition: 1,"
          " ResourceVersion in object meta: " ANY_TEXT);
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
    tells("configmaps \"a\" is forbidden: unable to create new content in "
          "namespace ns because it is being terminated");
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

/* Reads the answer of a request that was sent before. */
static int
answer_of(int fd)
{
    yl_arena_clear(rig.arena);
    yl_buf_clear(&rig.answer);
    while (rig_receive(fd) && !rig_split()) {
        yl_http_server_turn(rig.http, false);
    }
    close(fd);
    return rig.status;
}

/* Deletes "p" with these options while its finalizers are patched. */
static void
race(const char *options, const char *patch_body, int *ret_deleted,
     int *ret_patched)
{
    int deletes, patches;

    rig.content_type = "application/merge-patch+json";
    patches = rig_send("PATCH", PODS "/p", verb_json(patch_body));
    deletes = rig_send("DELETE", PODS "/p", verb_json(options));
    *ret_deleted = answer_of(deletes);
    *ret_patched = answer_of(patches);
}

TEST(a_deletion_that_loses_a_race_looks_again)
{
    int i, deleted, patched;

    verb_open();
    for (i = 0; i < 50; i++) {
        ask(201, "POST", PODS, POD("p", ""));
        race("{}", "{'metadata':{'finalizers':['a/b']}}", &deleted, &patched);
        assert_int_equal(deleted, 200);
        if (patched == 200) {
            /* The finalizer was there before the deletion was. */
            ask(200, "GET", PODS "/p", NULL);
            says("/metadata/finalizers/0", "a/b");
            assert_string_not_equal(text_at("/metadata/deletionTimestamp"),
                                    "");
            patch(200, "merge", PODS "/p",
                  "{'metadata':{'finalizers':null}}");
        }
        ask(404, "GET", PODS "/p", NULL);
    }
    rig_close();
}

TEST(preconditions_must_hold_after_a_lost_race)
{
    char options[128];
    int i, deleted, patched;

    verb_open();
    for (i = 0; i < 50; i++) {
        ask(201, "POST", PODS, POD("p", ""));
        snprintf(options, sizeof options,
                 "{'preconditions':{'resourceVersion':'%s'}}",
                 text_at("/metadata/resourceVersion"));
        race(options, "{'metadata':{'labels':{'a':'b'}}}", &deleted,
             &patched);
        if (patched == 200 && deleted == 200) {
            assert_string_not_equal(text_at("/metadata/deletionTimestamp"),
                                    "");
        } else {
            assert_true(deleted == 409 || patched == 404);
        }
        api("DELETE", PODS "/p", NULL);
    }
    rig_close();
}

TEST(a_deletion_goes_on_when_its_client_is_gone)
{
    char path[64];
    int i, fd, left;

    verb_open();
    for (i = 0; i < 20; i++) {
        char pod[128];

        snprintf(pod, sizeof pod, "{'metadata':{'name':'p%d'},'spec':{"
                 "'containers':[{'name':'c','image':'i'}]}}", i);
        ask(201, "POST", PODS, pod);
    }
    for (i = 0; i < 20; i++) {
        snprintf(path, sizeof path, PODS "/p%d", i);
        fd = rig_send("DELETE", path, NULL);
        yl_http_server_turn(rig.http, false);
        close(fd);
        yl_http_server_turn(rig.http, false);
    }
    for (i = 0, left = 20; i < 50000 && left; i++) {
        usleep(i < 100 ? 0 : 1000);
        ask(200, "GET", PODS, NULL);
        left = (int) yl_json_count(yl_json_get(yl_json(rig.body),
                                               YL_STR("items")));
    }
    assert_int_equal(left, 0);
    rig_close();
}

/* A deletion whose mark is stored, when 'base' has the object's name. */
static void
remove_marked(struct yl_deletion *deletion, const char *base)
{
    static const char mark[] = "{\"metadata\":{\"name\":\"p\",\"uid\":\"1\"}}";

    memset(deletion, 0, sizeof *deletion);
    deletion->write.rounds = deletion->marked_by = 1;
    deletion->deleted = true;
    assert_int_equal(yl_object_ingest(yl_str_c(mark), NULL,
                                      &deletion->write.stored, NULL), 0);
    deletion->write.stored_revision = 7;
    if (base) {
        assert_int_equal(yl_object_ingest(yl_str_c(base), NULL,
                                          &deletion->write.base, NULL), 0);
        deletion->write.base_revision = 9;
    }
    assert_int_equal(yl_deletion_decode(&deletion->write, NULL), 0);
    assert_true(deletion->deleted);
}

static void
release(struct yl_deletion *deletion)
{
    yl_object_unref(deletion->write.stored);
    yl_object_unref(deletion->write.base);
    yl_object_unref(deletion->write.object);
}

TEST(what_somebody_else_removed_is_gone_and_what_came_then_stays)
{
    static const char *const others[] = {
        NULL, "{\"metadata\":{\"name\":\"p\",\"uid\":\"2\"}}",
    };
    struct yl_deletion deletion;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(others); i++) {
        remove_marked(&deletion, others[i]);
        assert_int_equal(deletion.write.action, YL_WRITE_NOTHING);
        assert_int_equal(deletion.write.base_revision, 7);
        assert_true(yl_str_equal_c(yl_object_uid(deletion.write.object),
                                   "1"));
        release(&deletion);
    }
    remove_marked(&deletion, "{\"metadata\":{\"name\":\"p\",\"uid\":\"1\"}}");
    assert_int_equal(deletion.write.action, YL_WRITE_DELETE);
    assert_int_equal(deletion.write.base_revision, 9);
    release(&deletion);
}
