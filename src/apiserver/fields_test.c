/* Tests of the fields that selectors can name. */

#include "apiserver/fields.h"

#include "api_rig.h"

/* Does an object of the path's kind match? */
static bool
matches(const char *path, const char *selector, const char *json)
{
    const struct yl_field_selector *fields;
    struct yl_object *object = rig_object(json);
    struct yl_api_request req;
    bool result;

    rig_request_init(&req, path);
    assert_int_equal(yl_field_selector_parse(yl_str_c(selector), req.arena,
                                             &fields, NULL), 0);
    assert_int_equal(yl_fields_check(req.resource, req.version, fields, NULL),
                     0);
    result = yl_fields_match(req.resource, req.version, fields, object,
                             req.arena);
    rig_request_release(&req);
    yl_object_unref(object);
    return result;
}

/* Is it refused, in these words? */
static void
refuses(const char *path, const char *selector, const char *why)
{
    struct yl_error err = YL_ERROR_INIT;
    const struct yl_field_selector *fields;
    struct yl_api_request req;

    rig_request_init(&req, path);
    assert_int_equal(yl_field_selector_parse(yl_str_c(selector), req.arena,
                                             &fields, NULL), 0);
    assert_int_equal(yl_fields_check(req.resource, req.version, fields, &err),
                     YL_EBADREQUEST);
    assert_string_equal(yl_error_message(&err), why);
    yl_error_clear(&err);
    rig_request_release(&req);
}

#define PODS "/api/v1/pods"
#define POD(REST) \
    "{\"metadata\":{\"name\":\"p\",\"namespace\":\"n\"}," REST "}"

TEST(every_kind_has_name_and_namespace)
{
    rig_open();
    assert_true(matches("/api/v1/configmaps",
                        "metadata.name=p,metadata.namespace=n",
                        POD("\"data\":{}")));
    assert_false(matches("/api/v1/configmaps", "metadata.name!=p",
                         POD("\"data\":{}")));
    assert_false(matches("/apis/apps/v1/deployments", "metadata.namespace=m",
                         POD("\"spec\":{}")));
    rig_close();
}

TEST(pods_have_many)
{
    static const char pod[] = POD(
        "\"spec\":{\"nodeName\":\"a\",\"restartPolicy\":\"Never\","
        "\"schedulerName\":\"s\",\"serviceAccountName\":\"sa\","
        "\"hostNetwork\":true},\"status\":{\"phase\":\"Running\","
        "\"podIP\":\"10.0.0.1\",\"nominatedNodeName\":\"b\"}");
    static const char bare[] = POD(
        "\"spec\":{},\"status\":{\"podIPs\":[{\"ip\":\"10.0.0.2\"}]}");

    rig_open();
    assert_true(matches(PODS, "spec.nodeName=a,spec.host=a,"
                              "spec.restartPolicy=Never,spec.schedulerName=s,"
                              "spec.serviceAccountName=sa,"
                              "spec.hostNetwork=true,status.phase=Running,"
                              "status.podIP=10.0.0.1,status.podIPs=,"
                              "status.nominatedNodeName=b", pod));
    assert_false(matches(PODS, "spec.nodeName!=a", pod));
    assert_true(matches(PODS, "spec.nodeName=,spec.hostNetwork=false,"
                              "status.podIP=10.0.0.2,status.phase!=Running",
                        bare));
    assert_true(matches(PODS, "status.podIP=", POD("\"status\":{}")));
    rig_close();
}

TEST(events_are_found_in_both_groups)
{
    static const char event[] = POD(
        "\"involvedObject\":{\"kind\":\"Pod\",\"name\":\"x\",\"uid\":\"u\"},"
        "\"reason\":\"R\",\"type\":\"Normal\",\"reportingComponent\":\"c\","
        "\"source\":{}");

    rig_open();
    assert_true(matches("/api/v1/events",
                        "involvedObject.kind=Pod,involvedObject.uid=u,"
                        "reason=R,source=c,type=Normal", event));
    assert_true(matches("/api/v1/events", "source=d", POD(
        "\"source\":{\"component\":\"d\"},\"reportingComponent\":\"c\"")));
    assert_true(matches("/apis/events.k8s.io/v1/events",
                        "regarding.name=x,reportingController=c", event));
    refuses("/apis/events.k8s.io/v1/events", "involvedObject.name=x",
            "field label not supported: involvedObject.name");
    rig_close();
}

TEST(what_is_absent_has_the_value_it_stands_for)
{
    rig_open();
    assert_true(matches("/api/v1/nodes", "spec.unschedulable=false",
                        "{\"metadata\":{\"name\":\"n\"},\"spec\":{}}"));
    assert_true(matches("/apis/batch/v1/jobs", "status.successful=0",
                        POD("\"status\":{}")));
    assert_true(matches("/apis/batch/v1/jobs", "status.successful=3",
                        POD("\"status\":{\"succeeded\":3}")));
    assert_true(matches("/api/v1/replicationcontrollers", "status.replicas=0",
                        POD("\"spec\":{}")));
    assert_true(matches("/api/v1/secrets", "type=Opaque",
                        POD("\"type\":\"Opaque\"")));
    rig_close();
}

TEST(unknown_fields_are_refused_in_the_kinds_words)
{
    rig_open();
    refuses("/api/v1/configmaps", "data.x=1",
            "\"data.x\" is not a known field selector: only "
            "\"metadata.name\", \"metadata.namespace\"");
    refuses(PODS, "spec.x=1", "field label not supported: spec.x");
    refuses("/apis/batch/v1/jobs", "spec.x=1",
            "field label \"spec.x\" not supported for Job");
    refuses("/apis/resource.k8s.io/v1/resourceslices", "spec.x=1",
            "field label not supported for resource.k8s.io/v1, "
            "Kind=ResourceSlice: spec.x");
    refuses("/api/v1/nodes", "metadata.namespace=x",
            "field label not supported: metadata.namespace");
    rig_close();
}
