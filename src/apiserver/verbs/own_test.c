/* Tests of the station where managedFields are kept: it is called for every
 * write, with the right objects. */

#include "apiserver/verbs/own.h"

#include "apiserver/request.h"
#include "apiserver/wait.h"
#include "widgets.h"

#define MAX_CALLS 16

/* What one call saw. */
struct call {
    char text[512];
};

static struct {
    struct call calls[MAX_CALLS];
    int n;
    const char *managed;        /* What it sets managedFields to; or NULL. */
} recorded;

static const char *
text_in(struct yl_arena *arena, const struct yl_node *object,
        const char *first, const char *second)
{
    const struct yl_node *node =
        yl_node_get(yl_member_object(object, first), yl_str_c(second));
    struct yl_buf text;
    const char *copy;

    if (!node) {
        return "-";
    }
    yl_buf_init(&text, SIZE_MAX);
    yl_node_write(&text, node);
    copy = yl_arena_strdup(arena, yl_buf_str(&text));
    yl_buf_release(&text);
    return copy;
}

/* Writes down: verb, version, subresource, manager, and of the object and the
 * live one the replicas, the node and the status' phase. */
static int
record(struct yl_ownership *o, struct yl_status *status YL_UNUSED)
{
    struct call *call = &recorded.calls[recorded.n];
    struct yl_node *managed;

    if (!yl_str_equal(o->resource->kind, YL_STR("Widget"))
        && !yl_str_equal(o->resource->kind, YL_STR("Pod"))) {
        return 0;
    }
    assert_true(recorded.n++ < MAX_CALLS);
    assert_true(o->version >= o->resource->versions
                && o->version < o->resource->versions
                                + o->resource->n_versions);
    assert_false(o->again);
    snprintf(call->text, sizeof call->text,
             "%.*s %.*s %.*s %.*s: %s %s %s < %s %s",
             YL_STR_ARG(o->request->info.verb),
             YL_STR_ARG(o->version->version),
             YL_STR_ARG(o->part.size ? o->part : YL_STR("-")),
             YL_STR_ARG(o->manager.size ? o->manager : YL_STR("-")),
             text_in(o->arena, o->object, "spec", "replicas"),
             text_in(o->arena, o->object, "spec", "nodeName"),
             text_in(o->arena, o->object, "status", "phase"),
             o->live ? text_in(o->arena, o->live, "spec", "replicas")
                     : "nothing",
             o->live ? text_in(o->arena, o->live, "status", "phase") : "");
    if (recorded.managed) {
        assert_int_equal(yl_tree_parse(o->arena, yl_str_c(recorded.managed),
                                       NULL, &managed, NULL), 0);
        yl_member_set(o->arena, yl_member_make(o->arena, o->object,
                                               "metadata"),
                      "managedFields", managed);
    }
    return 0;
}

static const struct yl_strategy own = { WIDGETS_STRATEGY };

static void
open_recorder(void)
{
    memset(&recorded, 0, sizeof recorded);
    rig_open_with((struct yl_apiserver_opts) { .authorize_always = true,
                                               .own = record });
    ask(201, "POST", "/api/v1/namespaces", "{'metadata':{'name':'ns'}}");
    widgets_add(&own);
}

static void
close_recorder(void)
{
    rig_close();
    widgets_release();
}

/* The last write has called it once, before admission; the call saw this. */
#define saw(TEXT)                                                             \
    do {                                                                      \
        assert_int_equal(recorded.n, 1);                                      \
        assert_string_equal(recorded.calls[0].text, TEXT);                    \
        recorded.n = 0;                                                       \
    } while (0)

TEST(every_write_of_an_object_passes_the_station)
{
    open_recorder();
    ask(201, "POST", WIDGETS "?fieldManager=me",
        "{'metadata':{'name':'a'},'spec':{'replicas':1}}");
    saw("create v1 - me: 1 - - < nothing ");
    ask(200, "PUT", WIDGETS "/a?fieldManager=me",
        "{'metadata':{'name':'a'},'spec':{'replicas':2}}");
    saw("update v1 - me: 2 - - < 1 \"New\"");
    patch(200, "merge", WIDGETS "/a", "{'spec':{'replicas':3}}");
    saw("patch v1 - -: 3 - \"New\" < 2 \"New\"");
    patch(200, "json", WIDGETS "/a",
          "[{'op':'replace','path':'/spec/replicas','value':4}]");
    saw("patch v1 - -: 4 - \"New\" < 3 \"New\"");
    patch(200, "strategic-merge", WIDGETS "/a", "{'spec':{'replicas':5}}");
    saw("patch v1 - -: 5 - \"New\" < 4 \"New\"");

    /* In the request's version, of which the trees are the hub's. */
    patch(200, "merge", WIDGETS_BETA "/a", "{'spec':{'count':6}}");
    saw("patch v1beta1 - -: 6 - \"New\" < 5 \"New\"");
    ask(200, "PUT", WIDGETS "/a?dryRun=All",
        "{'metadata':{'name':'a'},'spec':{'replicas':7}}");
    saw("update v1 - -: 7 - - < 6 \"New\"");
    ask(200, "DELETE", WIDGETS "/a", NULL);
    assert_int_equal(recorded.n, 0);
    close_recorder();
}

TEST(writes_of_subresources_pass_the_station)
{
    open_recorder();
    ask(201, "POST", WIDGETS,
        "{'metadata':{'name':'a'},'spec':{'replicas':1}}");
    recorded.n = 0;
    patch(200, "merge", WIDGETS "/a/status", "{'status':{'phase':'Old'}}");
    saw("patch v1 status -: 1 - \"Old\" < 1 \"New\"");
    ask(200, "PUT", WIDGETS "/a/status?fieldManager=me",
        "{'metadata':{'name':'a'},'status':{'phase':'Older'}}");
    saw("update v1 status me: - - \"Older\" < 1 \"Old\"");
    ask(200, "PUT", WIDGETS "/a/scale?fieldManager=me",
        "{'metadata':{'name':'a'},'spec':{'replicas':2}}");
    saw("update v1 scale me: 2 - \"Older\" < 1 \"Older\"");
    patch(200, "merge", WIDGETS "/a/scale", "{'spec':{'replicas':3}}");
    saw("patch v1 scale -: 3 - \"Older\" < 2 \"Older\"");

    ask(201, "POST", PODS, POD("p", ""));
    saw("create v1 - -: - - - < nothing ");
    ask(201, "POST", PODS "/p/binding",
        "{'metadata':{'name':'p'},'target':{'kind':'Node','name':'n'}}");

    /* Whoever binds a Pod does not come to own its nodeName. */
    assert_int_equal(recorded.n, 0);
    patch(200, "strategic-merge", PODS "/p/ephemeralcontainers",
          "{'spec':{'ephemeralContainers':[{'name':'e','image':'i',"
          "'terminationMessagePolicy':'File'}]}}");
    saw("patch v1 ephemeralcontainers -: - \"n\" \"Pending\" < - \"Pending\"");
    patch(200, "strategic-merge", PODS "/p/resize", "{}");
    saw("patch v1 resize -: - \"n\" \"Pending\" < - \"Pending\"");

    /* The server writes for itself. */
    ask(201, "POST", PODS "/p/eviction", "{'metadata':{'name':'p'}}");
    assert_int_equal(recorded.n, 0);
    close_recorder();
}

#define MANAGED(TIME, MANAGER)                                                \
    "[{\"manager\":\"" MANAGER "\",\"operation\":\"Update\",\"time\":\""      \
    TIME "\"}]"

TEST(a_write_that_changes_only_times_changes_nothing)
{
    char revision[32];

    open_recorder();
    recorded.managed = MANAGED("2026-01-01T00:00:00Z", "me");
    ask(201, "POST", WIDGETS, "{'metadata':{'name':'a'}}");
    says("/metadata/managedFields/0/time", "2026-01-01T00:00:00Z");
    snprintf(revision, sizeof revision, "%s",
             text_at("/metadata/resourceVersion"));

    recorded.n = 0;
    recorded.managed = MANAGED("2026-01-02T00:00:00Z", "me");
    patch(200, "merge", WIDGETS "/a", "{}");
    says("/metadata/resourceVersion", revision);
    says("/metadata/managedFields/0/time", "2026-01-01T00:00:00Z");

    recorded.n = 0;
    patch(200, "merge", WIDGETS "/a", "{'spec':{'color':'blue'}}");
    assert_string_not_equal(text_at("/metadata/resourceVersion"), revision);
    says("/metadata/managedFields/0/time", "2026-01-02T00:00:00Z");
    snprintf(revision, sizeof revision, "%s",
             text_at("/metadata/resourceVersion"));

    recorded.n = 0;
    recorded.managed = MANAGED("2026-01-02T00:00:00Z", "you");
    patch(200, "merge", WIDGETS "/a", "{}");
    assert_string_not_equal(text_at("/metadata/resourceVersion"), revision);
    close_recorder();
}

/* A keeper that waits: all that it was given is there when that is over. */
static struct {
    struct yl_ownership *ownership;
    struct yl_loop_task task;
    int n;
} patient;

static void
go_on(struct yl_loop_task *task YL_UNUSED)
{
    struct yl_ownership *o = patient.ownership;
    struct yl_node *managed;

    patient.n++;
    assert_int_equal(yl_tree_parse(o->arena, YL_STR(
        MANAGED("2026-01-01T00:00:00Z", "m")), NULL, &managed, NULL), 0);
    yl_member_set(o->arena, yl_member_make(o->arena, o->object, "metadata"),
                  "managedFields", managed);
    yl_wait_end(o->wait, 0);
}

static void
give_up(struct yl_wait *wait YL_UNUSED)
{
    fail_msg("nobody left");
}

static int
take_time(struct yl_ownership *o, struct yl_status *status YL_UNUSED)
{
    if (!o->request) {
        return 0;               /* A start's own objects. */
    }
    patient.ownership = o;
    patient.task.run = go_on;
    yl_loop_post(o->wait->loop, &patient.task);
    return yl_wait_begin(o->wait, give_up, NULL);
}

TEST(a_keeper_may_wait)
{
    patient.n = 0;
    rig_open_with((struct yl_apiserver_opts) { .authorize_always = true,
                                               .own = take_time });
    ask(201, "POST", "/api/v1/namespaces", "{'metadata':{'name':'ns'}}");
    ask(201, "POST", CONFIG_MAPS, "{'metadata':{'name':'a'}}");
    says("/metadata/managedFields/0/manager", "m");
    assert_int_equal(patient.n, 2);
    rig_close();
}

TEST(without_a_keeper_there_are_no_managed_fields)
{
    verb_open();
    ask(201, "POST", CONFIG_MAPS,
        "{'metadata':{'name':'a','managedFields':[{'manager':'me'}]}}");
    says("/metadata/managedFields", "");
    rig_close();
}
