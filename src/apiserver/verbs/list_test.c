/* Lists: pages, tokens that have expired, and forms. */

#include "api_rig.h"

#define MAPS "/api/v1/namespaces/default/configmaps"

static unsigned long long
make(const char *name, const char *labels)
{
    char body[256];

    snprintf(body, sizeof body,
             "{\"metadata\":{\"name\":\"%s\",\"labels\":{%s}}}", name, labels);
    assert_int_equal(api("POST", MAPS, body), 201);
    return strtoull(text_at("/metadata/resourceVersion"), NULL, 10);
}

static bool
says(const char *text)
{
    return memmem(rig.body.data, rig.body.size, text, strlen(text)) != NULL;
}

/* The next page, of the token of the last answer. */
static int
go_on(const char *collection)
{
    char path[1024];

    snprintf(path, sizeof path, "%s?limit=2&continue=%s", collection,
             text_at("/metadata/continue"));
    return api("GET", path, NULL);
}

static void
forget_history(unsigned long long revision)
{
    struct yl_ks_resource *objects = yl_registry_builtin(
        rig.server->registry, "", "configmaps")->objects;

    yl_clock_fake_advance(rig.clock, 10 * 60 * 1000);
    make("z", "");
    while (yl_ks_oldest(objects) <= revision) {
        usleep(50);
    }
}

TEST(a_page_whose_revision_is_gone_can_be_gone_on_from)
{
    unsigned long long revision;

    rig_open_fake();
    make("a", "");
    make("b", "");
    revision = make("c", "");
    assert_int_equal(api("GET", MAPS "?limit=2", NULL), 200);
    assert_int_equal(api("DELETE", MAPS "/c", NULL), 200);
    assert_int_equal(api("GET", MAPS "?limit=1", NULL), 200);
    forget_history(revision);
    assert_int_equal(api("GET", MAPS "?limit=1", NULL), 200);
    {
        char path[1024];

        snprintf(path, sizeof path, MAPS "?resourceVersion=%llu"
                 "&resourceVersionMatch=Exact", revision);
        assert_int_equal(api("GET", path, NULL), 410);
        assert_string_equal(text_at("/reason"), "Expired");
        assert_string_equal(text_at("/metadata/continue"), "");
    }
    rig_close();
}

/* The only map that every server has. */
#define TRACKING "/api/v1/namespaces/kube-system/configmaps/" \
    "kube-apiserver-legacy-service-account-token-tracking"

TEST(an_expired_token_comes_with_another_one)
{
    static const char *const places[] = { MAPS, "/api/v1/configmaps" };
    unsigned long long revision;
    size_t i;

    for (i = 0; i < 2; i++) {
        char path[1024];

        rig_open_fake();
        assert_int_equal(api("DELETE", TRACKING, NULL), 200);
        make("a", "");
        revision = make("b", "");
        make("c", "");
        snprintf(path, sizeof path, "%s?limit=1", places[i]);
        assert_int_equal(api("GET", path, NULL), 200);
        snprintf(path, sizeof path, "%s?limit=2&continue=%s", places[i],
                 text_at("/metadata/continue"));
        assert_int_equal(api("DELETE", MAPS "/b", NULL), 200);
        make("d", "");
        forget_history(revision + 2);
        assert_int_equal(api("GET", path, NULL), 410);
        assert_string_equal(text_at("/reason"), "Expired");
        assert_string_not_equal(text_at("/metadata/continue"), "");
        assert_int_equal(go_on(places[i]), 200);
        assert_string_equal(text_at("/items/0/metadata/name"), "c");
        assert_string_equal(text_at("/items/1/metadata/name"), "d");
        assert_int_equal(go_on(places[i]), 200);
        assert_string_equal(text_at("/items/0/metadata/name"), "z");
        assert_string_equal(text_at("/items/1"), "");
        assert_string_equal(text_at("/metadata/continue"), "");
        rig_close();
    }
}

TEST(pages_of_a_selection_do_not_count_the_rest)
{
    rig_open();
    make("a", "\"x\":\"1\"");
    make("b", "");
    make("c", "\"x\":\"1\"");
    make("d", "\"x\":\"1\"");
    assert_int_equal(api("GET", MAPS "?limit=2&labelSelector=x", NULL), 200);
    assert_string_equal(text_at("/items/1/metadata/name"), "c");
    assert_string_equal(text_at("/metadata/remainingItemCount"), "");
    assert_string_not_equal(text_at("/metadata/continue"), "");
    assert_int_equal(go_on(MAPS), 200);
    assert_string_equal(text_at("/items/0/metadata/name"), "d");
    rig_close();
}

TEST(tokens_cannot_be_mixed_with_revisions)
{
    char path[1024];

    rig_open();
    make("a", "");
    make("b", "");
    assert_int_equal(api("GET", MAPS "?limit=1", NULL), 200);
    snprintf(path, sizeof path, MAPS "?continue=%s&resourceVersion=5",
             text_at("/metadata/continue"));
    assert_int_equal(api("GET", path, NULL), 400);
    tells("specifying resource version is not allowed when using continue");
    rig_close();
}

/* Lists look at a thousand objects in a turn of the loop. */
TEST(a_long_search_lets_others_have_their_turn)
{
    char name[16];
    int i;

    rig_open();
    for (i = 0; i < 1100; i++) {
        snprintf(name, sizeof name, "m%d", i);
        make(name, "");
    }
    assert_int_equal(api("GET", MAPS "?labelSelector=x", NULL), 200);
    assert_string_equal(text_at("/items"), "[]");
    rig.headers = "accept: application/yaml\r\n";
    assert_int_equal(api("GET", MAPS "?labelSelector=x", NULL), 200);
    assert_true(says("items: []\n"));
    assert_int_equal(api("GET", MAPS "?limit=1000&pretty=1", NULL), 200);
    assert_string_equal(text_at("/items/999/metadata/namespace"), "default");
    assert_string_equal(text_at("/metadata/remainingItemCount"), "100");
    rig_close();
}

TEST(lists_are_pretty_yaml_or_tables)
{
    rig_open();
    make("a", "");
    assert_int_equal(api("GET", MAPS "?pretty=true", NULL), 200);
    assert_int_equal(strncmp(rig.body.data,
                             "{\n  \"kind\": \"ConfigMapList\"", 27), 0);
    assert_string_equal(text_at("/items/0/metadata/name"), "a");
    rig.headers = "accept: application/yaml\r\n";
    assert_int_equal(api("GET", MAPS "?limit=1", NULL), 200);
    assert_true(says("kind: ConfigMapList\n"));
    rig.headers = "accept: application/json;as=Table;v=v1;g=meta.k8s.io\r\n";
    assert_int_equal(api("GET", "/api/v1/namespaces/none/configmaps", NULL),
                     200);
    assert_string_equal(text_at("/rows"), "[]");
    rig.headers = "accept: application/json;as=Table;v=v1;g=meta.k8s.io\r\n";
    assert_int_equal(api("GET", MAPS "?includeObject=x", NULL), 400);
    rig_close();
}

TEST(a_client_may_leave_in_the_middle_of_a_list)
{
    char name[16];
    int fd, i;

    rig_open();
    for (i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "m%d", i);
        make(name, "\"x\":\"1\"");
    }
    fd = rig_send("GET", MAPS, NULL);
    yl_http_server_turn(rig.http, false);
    close(fd);
    assert_int_equal(api("GET", MAPS "?limit=1", NULL), 200);
    rig_close();
}
