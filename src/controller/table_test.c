/* Tests of controllers' tables. */

#include "controller/table.h"

#include "unit.h"
#include "yuloh/api/apps_v1.h"
#include "yuloh/api/coordination_v1.h"
#include "yuloh/api/core_v1.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static int
nothing(struct yl_request *req YL_UNUSED)
{
    return 0;
}

static void
map(struct yl_enqueuer *to YL_UNUSED, const struct yl_object *o YL_UNUSED,
    const struct yl_object *old YL_UNUSED, void *aux YL_UNUSED)
{
}

static const struct yl_controller good = {
    .name = "demo",
    .reconcile = nothing,
    .watches = YL_WATCHES({ .for_ = &coordination_v1_lease_kind,
                            .changed = YL_GENERATION | YL_LABELS,
                            .namespace_ = "default",
                            .label_selector = "a=b" },
                          { .owns = &apps_v1_deployment_kind,
                            .any_owner = true },
                          { .other = &core_v1_node_kind, .map = map,
                            .resync = 1000 }),
    .cleanup = nothing,
    .workers = 2,
};

static void
assert_refused(const struct yl_controller *controller, const char *words)
{
    struct yl_error err = YL_ERROR_INIT;

    assert_int_equal(yl_controller_check(controller, &err), YL_EINVALID);
    if (!strstr(yl_error_message(&err), words)) {
        fail_msg("\"%s\" does not say \"%s\"", yl_error_message(&err),
                 words);
    }
    yl_error_clear(&err);
}

/* 'good' with one member replaced. */
#define REFUSED(MEMBER, VALUE, WORDS)                                         \
    do {                                                                      \
        struct yl_controller bad = good;                                      \
                                                                              \
        bad.MEMBER = VALUE;                                                   \
        assert_refused(&bad, WORDS);                                          \
    } while (0)

#define REFUSED_WATCH(WORDS, ...)                                             \
    REFUSED(watches,                                                          \
            YL_WATCHES({ .for_ = &coordination_v1_lease_kind },               \
                       { __VA_ARGS__ }), WORDS)

TEST(a_good_table_is_accepted)
{
    struct yl_error err = YL_ERROR_INIT;

    assert_int_equal(yl_controller_check(&good, &err), 0);
    assert_ptr_equal(yl_controller_kind(&good), &coordination_v1_lease_kind);
}

TEST(nonsense_about_itself_is_refused)
{
    static const struct yl_watch none[] = { { .for_ = NULL } };

    REFUSED(name, NULL, "needs a name");
    REFUSED(name, "", "needs a name");
    REFUSED(name, "Demo controller", "lower case letters");
    REFUSED(reconcile, NULL, "needs a 'reconcile'");
    REFUSED(watches, NULL, "watches nothing");
    REFUSED(watches, none, "watches nothing");
    REFUSED(timeout, -1, "a time below 0");
    REFUSED(own_write_timeout, -1, "a time below 0");
    REFUSED(workers, 1000000, "more than 1024 workers");
}

TEST(nonsense_in_watches_is_refused)
{
    REFUSED(watches, YL_WATCHES({ .owns = &apps_v1_deployment_kind }),
            "exactly one watch with 'for_', it has 0");
    REFUSED_WATCH("exactly one watch with 'for_', it has 2",
                  .for_ = &apps_v1_deployment_kind);
    REFUSED_WATCH("the one of Deployment has more",
                  .owns = &apps_v1_deployment_kind,
                  .other = &core_v1_node_kind);
    REFUSED_WATCH("the watch of Node needs a 'map', which says which Lease",
                  .other = &core_v1_node_kind);
    REFUSED_WATCH("which only 'other' has",
                  .owns = &apps_v1_deployment_kind, .map = map);
    REFUSED_WATCH("which only 'owns' has", .other = &core_v1_node_kind,
                  .map = map, .any_owner = true);
    REFUSED_WATCH("unknown bits", .owns = &apps_v1_deployment_kind,
                  .changed = 1 << 20);
    REFUSED_WATCH("a time below 0", .owns = &apps_v1_deployment_kind,
                  .resync = -1);
    REFUSED_WATCH("nodes are in none", .other = &core_v1_node_kind,
                  .map = map, .namespace_ = "default");
    REFUSED_WATCH("watch of Deployment: ", .owns = &apps_v1_deployment_kind,
                  .label_selector = "a in b");
    REFUSED_WATCH("watch of Deployment: ", .owns = &apps_v1_deployment_kind,
                  .field_selector = "x");
    REFUSED(watches, YL_WATCHES({ .for_ = &coordination_v1_lease_kind },
                                { .owns = &apps_v1_deployment_kind },
                                { .owns = &apps_v1_deployment_kind }),
            "watches Deployment twice");
}

TEST(finalizers_have_a_domain_and_a_cleanup)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_controller other = good;

    assert_true(yl_str_equal_c(yl_controller_finalizer(&good, arena),
                               "coordination.k8s.io/demo"));
    other.finalizer = "example.com/mine";
    assert_int_equal(yl_controller_check(&other, NULL), 0);
    assert_true(yl_str_equal_c(yl_controller_finalizer(&other, arena),
                               "example.com/mine"));
    REFUSED(finalizer, "mine", "must look like example.com/name");
    other.cleanup = NULL;
    assert_refused(&other, "no 'cleanup'");
    other.finalizer = NULL;
    assert_int_equal(yl_controller_check(&other, NULL), 0);
    assert_int_equal(yl_controller_finalizer(&other, arena).size, 0);
    REFUSED(watches, YL_WATCHES({ .for_ = &core_v1_pod_kind }),
            "name a 'finalizer', such as example.com/demo");
    yl_arena_free(arena);
}
