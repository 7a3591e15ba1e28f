/* Tests of DELETE of a collection. */

#include "verb_rig.h"

static void
make(int n)
{
    char body[128];
    int i;

    for (i = 0; i < n; i++) {
        snprintf(body, sizeof body, "{'metadata':{'name':'c%03d','labels':"
                 "{'odd':'%d'}}}", i, i % 2);
        ask(201, "POST", CONFIG_MAPS, body);
    }
}

static size_t
count(void)
{
    return yl_json_count(yl_json_get(yl_json(rig.body), YL_STR("items")));
}

TEST(a_collection_is_deleted_and_listed_as_it_was)
{
    verb_open();
    make(100);
    ask(200, "DELETE", CONFIG_MAPS "?dryRun=All", NULL);
    assert_int_equal(count(), 100);
    ask(200, "DELETE", CONFIG_MAPS "?labelSelector=odd%3D1", NULL);
    says("/kind", "ConfigMapList");
    assert_int_equal(count(), 50);
    says("/items/0/metadata/name", "c001");
    says("/items/0/metadata/deletionTimestamp", "");
    ask(200, "GET", CONFIG_MAPS, NULL);
    assert_int_equal(count(), 50);
    ask(200, "DELETE", CONFIG_MAPS "?fieldSelector=metadata.name%3Dc000",
        NULL);
    assert_int_equal(count(), 1);
    ask(200, "DELETE", CONFIG_MAPS "?limit=3", NULL);
    assert_int_equal(count(), 3);
    ask(200, "DELETE", CONFIG_MAPS, NULL);
    assert_int_equal(count(), 46);
    assert_string_not_equal(text_at("/metadata/resourceVersion"), "");
    ask(200, "DELETE", CONFIG_MAPS, NULL);
    says("/items", "[]");
    ask(200, "DELETE", CONFIG_MAPS "?labelSelector=a%3Db", NULL);
    assert_string_not_equal(text_at("/metadata/resourceVersion"), "");
    rig_close();
}

TEST(options_hold_for_each_object)
{
    verb_open();
    make(3);
    ask(409, "DELETE", CONFIG_MAPS, "{'preconditions':{'uid':'other'}}");
    tells("Operation cannot be fulfilled on ConfigMap \"c000\": "
          "the UID in the precondition (other) does not match the "
          "UID in record ("
          ANY_TEXT "). The object might have been deleted and then recreated");
    ask(200, "GET", CONFIG_MAPS, NULL);
    assert_int_equal(count(), 3);
    ask(200, "DELETE", CONFIG_MAPS "?propagationPolicy=Foreground", NULL);
    says("/items/0/metadata/finalizers", "");
    ask(200, "GET", CONFIG_MAPS, NULL);
    says("/items/2/metadata/finalizers/0", "foregroundDeletion");

    ask(201, "POST", PODS, POD("p", ",'nodeName':'n'"));
    ask(201, "POST", PODS, POD("q", ""));
    ask(200, "DELETE", PODS, NULL);
    assert_int_equal(count(), 2);
    ask(200, "GET", PODS, NULL);
    assert_int_equal(count(), 1);
    says("/items/0/metadata/deletionGracePeriodSeconds", "30");
    rig_close();
}

TEST(bad_requests_delete_nothing)
{
    verb_open();
    make(1);
    ask(400, "DELETE", CONFIG_MAPS "?labelSelector=%3D%3D", NULL);
    ask(400, "DELETE", CONFIG_MAPS "?fieldSelector=data.x%3D1", NULL);
    ask(400, "DELETE", CONFIG_MAPS "?limit=x", NULL);
    ask(400, "DELETE", CONFIG_MAPS, "{");
    ask(405, "DELETE", "/api/v1/configmaps", NULL);
    ask(200, "GET", CONFIG_MAPS, NULL);
    assert_int_equal(count(), 1);
    rig_close();
}

TEST(the_list_comes_in_every_form)
{
    verb_open();
    make(2);
    rig.headers = "accept: application/yaml\r\n";
    ask(200, "DELETE", CONFIG_MAPS "?dryRun=All", NULL);
    assert_non_null(memmem(rig.body.data, rig.body.size, "name: c001", 10));
    rig.headers = "accept: application/json;as=Table;v=v1;g=meta.k8s.io\r\n";
    ask(200, "DELETE", CONFIG_MAPS "?dryRun=All", NULL);
    says("/kind", "Table");
    says("/rows/1/cells/0", "c001");
    rig_close();
}

TEST(a_page_says_how_to_go_on)
{
    verb_open();
    make(3);
    ask(200, "DELETE", CONFIG_MAPS "?dryRun=All&limit=2", NULL);
    assert_int_equal(count(), 2);
    says("/metadata/remainingItemCount", "1");
    assert_string_not_equal(text_at("/metadata/continue"), "");
    ask(200, "DELETE", CONFIG_MAPS "?dryRun=All&limit=3", NULL);
    says("/metadata/continue", "");
    ask(200, "DELETE", CONFIG_MAPS "?labelSelector=no", NULL);
    says("/items", "[]");
    assert_string_not_equal(text_at("/metadata/resourceVersion"), "");
    rig.headers = "accept: application/json;as=PartialObjectMetadataList;"
                  "v=v1;g=meta.k8s.io\r\n";
    ask(200, "DELETE", CONFIG_MAPS "?labelSelector=no", NULL);
    says("/items", "null");
    rig_close();
}

TEST(a_store_that_fails_ends_it)
{
    verb_open();
    make(2);
    yl_memory_fail(rig.storage, 100, YL_EIO);
    ask(500, "DELETE", CONFIG_MAPS, NULL);
    yl_memory_fail(rig.storage, 0, YL_EIO);
    ask(200, "GET", CONFIG_MAPS, NULL);
    assert_int_equal(count(), 2);
    rig_close();
}

/* The walk goes on turn by turn, and whenever a deletion ends. */
TEST(few_of_many_are_found)
{
    char body[128];
    int i;

    verb_open();
    for (i = 0; i < 5000; i++) {
        snprintf(body, sizeof body, "{'metadata':{'name':'c%04d','labels':"
                 "{'hundredth':'%d'}}}", i, i % 100 == 0);
        ask(201, "POST", CONFIG_MAPS, body);
    }
    ask(200, "DELETE", CONFIG_MAPS "?labelSelector=hundredth%3D1", NULL);
    assert_int_equal(count(), 50);
    ask(200, "GET", CONFIG_MAPS "?limit=1", NULL);
    says("/metadata/remainingItemCount", "4949");
    rig_close();
}
