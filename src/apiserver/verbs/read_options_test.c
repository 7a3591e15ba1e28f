/* Get, list and watch, through the whole server. */

#include "api_rig.h"

#define MAPS "/api/v1/namespaces/default/configmaps"

static void
make(const char *name, const char *labels)
{
    char body[256];

    snprintf(body, sizeof body,
             "{\"metadata\":{\"name\":\"%s\",\"labels\":{%s}}}", name, labels);
    assert_int_equal(api("POST", MAPS, body), 201);
}

TEST(a_list_comes_in_pages_of_one_snapshot)
{
    char path[512];

    rig_open();
    make("a", "");
    make("b", "");
    make("c", "");
    assert_int_equal(api("GET", MAPS "?limit=2", NULL), 200);
    assert_string_equal(text_at("/items/1/metadata/name"), "b");
    assert_string_equal(text_at("/items/2"), "");
    assert_string_equal(text_at("/metadata/remainingItemCount"), "1");
    snprintf(path, sizeof path, MAPS "?limit=2&continue=%s",
             text_at("/metadata/continue"));
    make("bb", "");
    assert_int_equal(api("GET", path, NULL), 200);
    assert_string_equal(text_at("/items/0/metadata/name"), "c");
    assert_string_equal(text_at("/items/1"), "");
    assert_string_equal(text_at("/metadata/continue"), "");
    rig_close();
}

TEST(tokens_are_checked)
{
    rig_open();
    assert_int_equal(api("GET", MAPS "?continue=%25", NULL), 400);
    assert_int_equal(api("GET", MAPS "?continue=bad", NULL), 400);
    assert_int_equal(api("GET", MAPS "?continue=e30", NULL), 400);
    assert_string_equal(text_at("/reason"), "BadRequest");
    rig_close();
}

TEST(selectors_choose)
{
    rig_open();
    make("a", "\"x\":\"1\"");
    make("b", "\"x\":\"2\"");
    assert_int_equal(api("GET", MAPS "?labelSelector=x%3D2", NULL), 200);
    assert_string_equal(text_at("/items/0/metadata/name"), "b");
    assert_string_equal(text_at("/items/1"), "");
    assert_int_equal(api("GET", MAPS "?fieldSelector=metadata.name%3Da", NULL),
                     200);
    assert_string_equal(text_at("/items/0/metadata/name"), "a");
    assert_string_equal(text_at("/items/1"), "");
    assert_int_equal(api("GET", MAPS "?labelSelector=%3D", NULL), 400);
    assert_int_equal(api("GET", MAPS "?fieldSelector=spec.x%3D1", NULL), 400);
    rig_close();
}

TEST(revisions_are_exact_not_older_or_refused)
{
    char path[256], first[32];

    rig_open();
    make("a", "");
    snprintf(first, sizeof first, "%s", text_at("/metadata/resourceVersion"));
    make("b", "");
    snprintf(path, sizeof path,
             MAPS "?resourceVersion=%s&resourceVersionMatch=Exact", first);
    assert_int_equal(api("GET", path, NULL), 200);
    assert_string_equal(text_at("/metadata/resourceVersion"), first);
    assert_string_equal(text_at("/items/1"), "");
    snprintf(path, sizeof path, MAPS "?resourceVersion=%s", first);
    assert_int_equal(api("GET", path, NULL), 200);
    assert_string_equal(text_at("/items/1/metadata/name"), "b");
    assert_int_equal(api("GET", MAPS "?resourceVersion=x", NULL), 400);
    assert_int_equal(api("GET", MAPS "?resourceVersion=99999999", NULL), 504);
    assert_string_equal(text_at("/details/causes/0/reason"),
                        "ResourceVersionTooLarge");
    assert_int_equal(api("GET", MAPS "?resourceVersionMatch=Exact", NULL),
                     422);
    rig_close();
}

/* {"v":"meta.k8s.io/v1",...} with rv 0, without a start, with "../../a". */
TEST(tokens_must_make_sense)
{
    static const struct {
        const char *token, *message;
    } cases[] = {
        { "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MCwic3RhcnQiOiJhIn0",
          "incorrect encoded start resourceVersion (version "
          "meta.k8s.io/v1)" },
        { "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MX0",
          "encoded start key empty (version meta.k8s.io/v1)" },
        { "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEsInN0YXJ0IjoiLi4vLi4vYSJ9",
          "../../a" },
    };
    char path[256], message[256];
    size_t i;

    rig_open();
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        snprintf(path, sizeof path, MAPS "?continue=%s", cases[i].token);
        snprintf(message, sizeof message, "invalid continue token: continue "
                 "key is not valid: %s", cases[i].message);
        assert_int_equal(api("GET", path, NULL), 400);
        assert_string_equal(text_at("/message"), message);
    }
    rig_close();
}

/* A token of all namespaces is a place in the order of one. */
TEST(tokens_of_another_scope_are_places)
{
    rig_open();
    make("a", "");
    make("x", "");
    assert_int_equal(api("GET", MAPS "?continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEi"
                         "LCJydiI6LTEsInN0YXJ0IjoiZGVmYXVsdC9hXHUwMDAwIn0",
                         NULL), 200);
    assert_string_equal(text_at("/items/0/metadata/name"), "x");
    rig_close();
}

TEST(a_get_takes_no_nonsense)
{
    rig_open();
    make("a", "");
    assert_int_equal(api("GET", MAPS "/a?resourceVersion=x", NULL), 500);
    assert_string_equal(text_at("/reason"), "");
    assert_int_equal(api("GET", MAPS "/a?export=true", NULL), 400);
    assert_int_equal(api("GET", MAPS "/a?export=false", NULL), 200);
    assert_int_equal(api("GET", MAPS "/a?timeout=x", NULL), 400);
    assert_string_equal(text_at("/message"),
                        "invalid timeout specified in the request URL - "
                        "time: invalid duration \"x\"");
    rig_close();
}

TEST(tables_and_metadata_are_forms_of_the_same)
{
    rig_open();
    make("a", "");
    rig.headers = "accept: application/json;as=Table;v=v1;g=meta.k8s.io\r\n";
    assert_int_equal(api("GET", MAPS, NULL), 200);
    assert_string_equal(text_at("/kind"), "Table");
    assert_string_equal(text_at("/rows/0/cells/0"), "a");
    assert_string_equal(text_at("/rows/0/object/kind"),
                        "PartialObjectMetadata");
    rig.headers = "accept: application/json;as=PartialObjectMetadata;v=v1;"
                  "g=meta.k8s.io\r\n";
    assert_int_equal(api("GET", MAPS "/a", NULL), 200);
    assert_string_equal(text_at("/kind"), "PartialObjectMetadata");
    rig.headers = "accept: application/yaml\r\n";
    assert_int_equal(api("GET", MAPS, NULL), 200);
    assert_non_null(memmem(rig.body.data, rig.body.size, "name: a\n", 8));
    rig.headers = "accept: text/html\r\n";
    assert_int_equal(api("GET", MAPS, NULL), 406);
    rig.headers = "accept: application/json;as=PartialObjectMetadata;v=v1;"
                  "g=meta.k8s.io\r\n";
    assert_int_equal(api("GET", MAPS, NULL), 406);
    assert_string_equal(text_at("/message"),
                        "you requested PartialObjectMetadata, but the "
                        "requested object is a list (*core.ConfigMapList)");
    rig.headers = "accept: application/json;as=PartialObjectMetadataList;"
                  "v=v1;g=meta.k8s.io\r\n";
    assert_int_equal(api("GET", MAPS "/a", NULL), 406);
    assert_string_equal(text_at("/message"),
                        "you requested PartialObjectMetadataList, but the "
                        "requested object is not a list (*core.ConfigMap)");
    rig.headers = "accept: application/json;as=PartialObjectMetadataList;"
                  "v=v1;g=meta.k8s.io\r\n";
    assert_int_equal(api("GET", "/api/v1/namespaces/default/secrets", NULL),
                     200);
    assert_string_equal(text_at("/items"), "null");
    rig_close();
}

TEST(what_is_not_there_is_404)
{
    rig_open();
    assert_int_equal(api("GET", MAPS "/none", NULL), 404);
    assert_string_equal(text_at("/message"), "configmaps \"none\" not found");
    assert_int_equal(api("GET", "/api/v1/nothing", NULL), 404);
    assert_int_equal(api("GET", "/apis/nope/v1/things", NULL), 404);
    assert_int_equal(api("GET", MAPS "/..", NULL), 400);
    assert_int_equal(api("PUT", MAPS, "{}"), 405);
    rig_close();
}

/* Names of roles may hold anything, and a token needs six bytes for some. */
TEST(pages_go_on_behind_odd_names)
{
    static const char roles[] =
        "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles";
    char body[8192], path[20000], name[6 * 800 + 1];
    int i;

    rig_open();
    for (i = 0; i < 800; i++) {
        memcpy(name + 6 * i, "\\u0001", 6);
    }
    name[6 * i] = '\0';
    for (i = 0; i < 2; i++) {
        snprintf(body, sizeof body, "{\"metadata\":{\"name\":\"%s%d\"}}",
                 name, i);
        assert_int_equal(api("POST", roles, body), 201);
    }
    snprintf(path, sizeof path, "%s?limit=1", roles);
    assert_int_equal(api("GET", path, NULL), 200);
    snprintf(path, sizeof path, "%s?limit=1&continue=%s", roles,
             text_at("/metadata/continue"));
    assert_int_equal(api("GET", path, NULL), 200);
    assert_int_equal(strlen(text_at("/items/0/metadata/name")), 801);
    assert_string_equal(text_at("/metadata/continue"), "");
    rig_close();
}
