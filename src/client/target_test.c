/* Paths and queries of requests. */

#include "client/target.h"

#include "unit.h"

#define GVR(GROUP, VERSION, RESOURCE) \
    { YL_STR_INIT(GROUP), YL_STR_INIT(VERSION), YL_STR_INIT(RESOURCE) }

static const struct yl_resource pods = {
    GVR("", "v1", "pods"), YL_STR_INIT("Pod"), true,
};
static const struct yl_resource deployments = {
    GVR("apps", "v1", "deployments"), YL_STR_INIT("Deployment"), true,
};
static const struct yl_resource nodes = {
    GVR("", "v1", "nodes"), YL_STR_INIT("Node"), false,
};

static void
check(const struct yl_target *target, const char *want)
{
    struct yl_str text;

    assert_int_equal(yl_target_text(target, &text, NULL), 0);
    assert_str_equal(text, want);
}

TEST(paths_are_those_of_the_api)
{
    static const struct {
        struct yl_target_parts parts;
        const char *want;       /* NULL: refused. */
    } cases[] = {
        { { .resource = &pods }, "/api/v1/pods" },
        { { .resource = &pods, .namespace_ = YL_STR_INIT("d") },
          "/api/v1/namespaces/d/pods" },
        { { .resource = &pods, .namespace_ = YL_STR_INIT("d"),
            .name = YL_STR_INIT("a") }, "/api/v1/namespaces/d/pods/a" },
        { { .resource = &deployments, .namespace_ = YL_STR_INIT("d"),
            .name = YL_STR_INIT("a"), .subresource = "status",
            .prefix = YL_STR_INIT("/k8s") },
          "/k8s/apis/apps/v1/namespaces/d/deployments/a/status" },
        { { .resource = &nodes, .name = YL_STR_INIT("n") },
          "/api/v1/nodes/n" },

        /* A namespace means nothing to what lives in none. */
        { { .resource = &nodes, .namespace_ = YL_STR_INIT("d") },
          "/api/v1/nodes" },

        /* Names cannot reach another path. */
        { { .resource = &nodes, .name = YL_STR_INIT("a?c#d") },
          "/api/v1/nodes/a%3Fc%23d" },
        { { .resource = &nodes, .name = YL_STR_INIT("a/b") }, NULL },
        { { .resource = &nodes, .name = YL_STR_INIT("a%2Fb") }, NULL },
        { { .resource = &nodes, .name = YL_STR_INIT("../b") }, NULL },
        { { .resource = &pods, .namespace_ = YL_STR_INIT("d/x") }, NULL },
        { { .resource = &nodes, .name = YL_STR_INIT("a"),
            .subresource = "b/c" }, NULL },
        { { .resource = &nodes, .name = YL_STR_INIT("..") }, NULL },
        { { .resource = &nodes, .name = YL_STR_INIT(".") }, NULL },
        { { .resource = &nodes, .name = YL_STR_INIT("") }, NULL },
        { { .resource = &pods, .namespace_ = YL_STR_INIT("..") }, NULL },
        { { .resource = &pods, .name = YL_STR_INIT("a") }, NULL },
        { { .resource = &nodes, .name = YL_STR_INIT("a"),
            .subresource = "" }, NULL },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_error err = YL_ERROR_INIT;
        struct yl_target target;
        int r;

        yl_target_init(&target);
        r = yl_target_path(&target, &cases[i].parts, &err);
        if (cases[i].want) {
            assert_int_equal(r, 0);
            check(&target, cases[i].want);
        } else {
            assert_int_equal(r, YL_EINVALID);
            assert_int_equal(err.code, YL_EINVALID);
        }
        yl_target_release(&target);
        yl_error_clear(&err);
    }
}

TEST(options_of_lists_and_watches_become_parameters)
{
    struct yl_list_options options = {
        .resource_version = YL_STR("7"),
        .resource_version_match = YL_MATCH_EXACT,
        .limit = 500,
        .continue_ = YL_STR("a+b="),
        .timeout_seconds = 9,
        .label_selector = YL_STR("a in (b,c)"),
        .field_selector = YL_STR("metadata.name=x"),
        .allow_watch_bookmarks = true,
    };
    struct yl_target target;

    yl_target_init(&target);
    yl_target_add_list(&target, &options, false);
    check(&target,
          "?continue=a%2Bb%3D&fieldSelector=metadata.name%3Dx"
          "&labelSelector=a+in+%28b%2Cc%29&limit=500&resourceVersion=7"
          "&resourceVersionMatch=Exact&timeoutSeconds=9");
    yl_target_release(&target);

    /* Initial events need a match, and there is only one. */
    options = (struct yl_list_options) {
        .allow_watch_bookmarks = true, .send_initial_events = true,
    };
    yl_target_init(&target);
    yl_target_add_list(&target, &options, true);
    check(&target, "?allowWatchBookmarks=true"
          "&resourceVersionMatch=NotOlderThan&sendInitialEvents=true"
          "&watch=true");
    yl_target_release(&target);

    /* Nothing asked for is nothing said. */
    options = (struct yl_list_options) { .limit = 0 };
    yl_target_init(&target);
    yl_target_add_list(&target, &options, false);
    check(&target, "");
    yl_target_release(&target);
}

TEST(options_of_writes_become_parameters)
{
    struct yl_call_opts opts = {
        .field_manager = "a b", .force = true, .dry_run = true,
        .field_validation = YL_VALIDATION_STRICT,
    };
    struct yl_target target;

    yl_target_init(&target);
    yl_target_add_write(&target, &opts, true);
    check(&target, "?dryRun=All&fieldManager=a+b&fieldValidation=Strict"
          "&force=true");
    yl_target_release(&target);
    yl_target_init(&target);
    yl_target_add_write(&target, &opts, false);
    check(&target, "?dryRun=All&fieldManager=a+b&fieldValidation=Strict");
    yl_target_release(&target);
}

TEST(a_target_has_a_ceiling)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_target target;
    struct yl_str text;
    char *long_ = malloc(YL_TARGET_MAX);

    assert_non_null(long_);
    memset(long_, 'a', YL_TARGET_MAX);
    yl_target_init(&target);
    yl_target_add(&target, "labelSelector", yl_str_n(long_, YL_TARGET_MAX));
    assert_int_equal(yl_target_text(&target, &text, &err), YL_ETOOBIG);
    yl_error_clear(&err);
    yl_target_release(&target);
    free(long_);
}
