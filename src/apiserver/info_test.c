/* Tests of request info. */

#include "apiserver/info.h"

#include "apiserver/params.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static struct yl_arena *arena;

static struct yl_request_info
info(const char *method, const char *path, const char *query)
{
    struct yl_request_info found;
    struct yl_params params;

    assert_int_equal(yl_params_parse(arena, yl_str_c(query), &params, NULL),
                     0);
    assert_int_equal(yl_request_info_parse(arena, yl_str_c(method),
                                           yl_str_c(path), &params, &found),
                     0);
    return found;
}

#define SAME(STR, TEXT) assert_true(yl_str_equal_c(STR, TEXT))

TEST(resources_are_taken_apart)
{
    struct yl_request_info i;

    arena = yl_arena_new();
    i = info("GET", "/apis/apps/v1/namespaces/shop/deployments/web/status",
             "");
    assert_true(i.is_resource);
    SAME(i.verb, "get");
    SAME(i.group, "apps");
    SAME(i.version, "v1");
    SAME(i.namespace_, "shop");
    SAME(i.resource, "deployments");
    SAME(i.name, "web");
    SAME(i.subresource, "status");

    i = info("DELETE", "/api/v1/namespaces/shop/pods/", "");
    SAME(i.verb, "deletecollection");
    SAME(i.resource, "pods");
    i = info("GET", "/api/v1/pods", "watch=true");
    SAME(i.verb, "watch");
    i = info("GET", "/api/v1/watch/namespaces/a/pods", "");
    SAME(i.verb, "watch");
    SAME(i.namespace_, "a");
    SAME(i.resource, "pods");
    i = info("GET", "/api/v1/pods", "fieldSelector=metadata.name%3Dx");
    SAME(i.verb, "list");
    SAME(i.name, "x");
    i = info("GET", "/api/v1/pods", "fieldSelector=metadata.name%3D..");
    SAME(i.name, "");
    yl_arena_free(arena);
}

TEST(namespaces_are_objects_and_places)
{
    struct yl_request_info i;

    arena = yl_arena_new();
    i = info("PUT", "/api/v1/namespaces/shop/finalize", "");
    SAME(i.resource, "namespaces");
    SAME(i.name, "shop");
    SAME(i.namespace_, "shop");
    SAME(i.subresource, "finalize");
    i = info("GET", "/api/v1/namespaces", "");
    SAME(i.verb, "list");
    SAME(i.resource, "namespaces");
    SAME(i.namespace_, "");
    yl_arena_free(arena);
}

TEST(parts_are_not_more_than_are_kept)
{
    struct yl_request_info i;

    arena = yl_arena_new();
    i = info("GET", "/api/v1/a/b/c/d/e/f/g/h/i/j", "");
    assert_int_equal(i.n_parts, YL_ARRAY_SIZE(i.parts));
    SAME(i.parts[7], "h");
    yl_arena_free(arena);
}

TEST(other_paths_have_a_verb_only)
{
    struct yl_request_info i;

    arena = yl_arena_new();
    i = info("GET", "/healthz", "");
    assert_false(i.is_resource);
    SAME(i.verb, "get");
    SAME(i.path, "/healthz");
    assert_false(info("GET", "/apis/apps/v1", "").is_resource);
    assert_false(info("GET", "/api/v1", "").is_resource);
    assert_false(info("POST", "/", "").is_resource);
    assert_false(info("GET",
                      "/api/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u",
                      "").is_resource);
    yl_arena_free(arena);
}

TEST(paths_are_decoded_before_they_are_split)
{
    struct yl_request_info i;
    struct yl_params none = { NULL, 0 };

    arena = yl_arena_new();
    i = info("GET", "/%61pi/v1/namespaces/a/pods/x%2Fy", "");
    SAME(i.name, "x");
    SAME(i.subresource, "y");
    assert_true(yl_request_info_parse(arena, YL_STR("GET"), YL_STR("/%zz"),
                                      &none, &i) < 0);
    yl_arena_free(arena);
}

TEST(dots_are_names_like_others)
{
    struct yl_request_info i;

    arena = yl_arena_new();
    i = info("GET", "/api/v1/namespaces/../pods", "");
    SAME(i.namespace_, "..");
    SAME(i.resource, "pods");
    i = info("GET", "/api/v1/namespaces/%2E/pods/x", "");
    SAME(i.namespace_, ".");
    SAME(i.name, "x");
    yl_arena_free(arena);
}

TEST(a_path_must_say_what_is_to_be_watched)
{
    struct yl_params none = { NULL, 0 };
    struct yl_request_info i;

    arena = yl_arena_new();
    assert_int_equal(yl_request_info_parse(arena, YL_STR("GET"),
                                           YL_STR("/api/v1/watch"), &none,
                                           &i), YL_EINVALID);
    assert_int_equal(yl_request_info_parse(arena, YL_STR("POST"),
                                           YL_STR("/apis/apps/v1/proxy/"),
                                           &none, &i), YL_EINVALID);
    yl_arena_free(arena);
}
