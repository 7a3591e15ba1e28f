/* Tests of strategies: kinds that Kubernetes does not know go through every
 * verb. */

#include "widgets.h"

#include "base/arena.h"
#include "schema/at.h"

static const struct yl_strategy own = { WIDGETS_STRATEGY };
static const struct yl_strategy nothing = { .flags = 0 };

static void
open_widgets(const struct yl_strategy *strategy)
{
    verb_open();
    widgets_add(strategy);
}

static void
close_widgets(void)
{
    rig_close();
    widgets_release();
}

/* What is so for every strategy. */
static void
go_through_the_verbs(void)
{
    struct rig_watch watch;

    ask(200, "GET", WIDGETS, NULL);
    says("/kind", "WidgetList");
    says("/items", "[]");
    assert_int_equal(rig_watch_open(&watch, WIDGETS "?watch=true"), 200);

    ask(201, "POST", WIDGETS "?dryRun=All", "{'metadata':{'name':'a'}}");
    ask(404, "GET", WIDGETS "/a", NULL);
    ask(201, "POST", WIDGETS,
        "{'apiVersion':'example.com/v1','kind':'Widget','metadata':"
        "{'name':'a','labels':{'l':'v'}},'spec':{'replicas':3,'huh':1,"
        "'parts':[{'name':'x','weight':1}]}}");
    assert_true(warned("unknown field \\\"spec.huh\\\""));
    says("/kind", "Widget");
    says("/apiVersion", "example.com/v1");
    says("/spec/replicas", "3");
    says("/spec/huh", "");
    assert_int_equal(strlen(text_at("/metadata/uid")), 36);
    assert_string_equal(rig_watch_next(&watch), "ADDED");
    says("/object/metadata/name", "a");
    ask(409, "POST", WIDGETS, "{'metadata':{'name':'a'}}");
    ask(422, "POST", WIDGETS, "{'metadata':{'name':'a/b'}}");
    ask(400, "POST", WIDGETS, "{'kind':'Gadget','metadata':{'name':'b'}}");
    ask(201, "POST", WIDGETS, "{'metadata':{'generateName':'g-'}}");

    ask(200, "GET", WIDGETS "/a", NULL);
    says("/metadata/labels/l", "v");
    ask(200, "GET", WIDGETS "?labelSelector=l%3Dv", NULL);
    says("/items/0/metadata/name", "a");
    says("/items/1", "");

    ask(200, "PUT", WIDGETS "/a",
        "{'metadata':{'name':'a','labels':{'l':'w'}},'spec':{'replicas':4,"
        "'parts':[{'name':'x','weight':1}]}}");
    says("/metadata/labels/l", "w");
    says("/spec/replicas", "4");
    ask(409, "PUT", WIDGETS "/a",
        "{'metadata':{'name':'a','resourceVersion':'1'}}");
    ask(404, "PUT", WIDGETS "/none", "{'metadata':{'name':'none'}}");

    patch(200, "merge", WIDGETS "/a", "{'spec':{'replicas':5}}");
    says("/spec/replicas", "5");
    patch(200, "json", WIDGETS "/a",
          "[{'op':'replace','path':'/spec/replicas','value':6}]");
    says("/spec/replicas", "6");
    patch(200, "strategic-merge", WIDGETS "/a",
          "{'spec':{'parts':[{'name':'y'}]}}");
    says("/spec/parts/1/name", "x");

    patch(200, "merge", WIDGETS "/a/status", "{'status':{'replicas':2}}");
    says("/status/replicas", "2");
    ask(200, "GET", WIDGETS "/a/status", NULL);
    says("/spec/replicas", "6");

    ask(200, "GET", WIDGETS "/a/scale", NULL);
    says("/kind", "Scale");
    says("/spec/replicas", "6");
    says("/status/replicas", "2");
    ask(200, "PUT", WIDGETS "/a/scale",
        "{'metadata':{'name':'a'},'spec':{'replicas':7}}");
    says("/spec/replicas", "7");
    patch(200, "merge", WIDGETS "/a/scale", "{'spec':{'replicas':8}}");
    ask(200, "GET", WIDGETS "/a", NULL);
    says("/spec/replicas", "8");
    says("/spec/parts/1/name", "x");

    rig.headers = "accept: application/json;as=Table;v=v1;g=meta.k8s.io\r\n";
    ask(200, "GET", WIDGETS, NULL);
    says("/kind", "Table");
    says("/rows/0/cells/0", "a");
    rig.headers = "accept: application/json;as=PartialObjectMetadata;v=v1;"
                  "g=meta.k8s.io\r\n";
    ask(200, "GET", WIDGETS "/a", NULL);
    says("/kind", "PartialObjectMetadata");
    says("/spec", "");
    rig.headers = "accept: application/yaml\r\n";
    ask(200, "GET", WIDGETS, NULL);

    ask(200, "GET", WIDGETS_BETA "/a", NULL);
    says("/apiVersion", "example.com/v1beta1");
    ask(200, "GET", WIDGETS_BETA, NULL);
    says("/apiVersion", "example.com/v1beta1");
    says("/items/0/apiVersion", "");

    patch(200, "merge", WIDGETS "/a",
          "{'metadata':{'finalizers':['x.y/z']}}");
    ask(200, "DELETE", WIDGETS "/a", NULL);
    assert_int_equal(strlen(text_at("/metadata/deletionTimestamp")), 20);
    patch(200, "merge", WIDGETS "/a", "{'metadata':{'finalizers':null}}");
    ask(404, "GET", WIDGETS "/a", NULL);
    ask(201, "POST", WIDGETS, "{'metadata':{'name':'b'}}");
    ask(200, "DELETE", WIDGETS "/b", NULL);
    says("/status", "Success");
    ask(200, "DELETE", WIDGETS, NULL);
    ask(200, "GET", WIDGETS, NULL);
    says("/items", "[]");
    rig_watch_close(&watch);
}

TEST(a_kind_with_its_own_strategy_has_every_verb)
{
    open_widgets(&own);
    go_through_the_verbs();
    close_widgets();
}

TEST(a_kind_with_an_empty_strategy_has_every_verb)
{
    open_widgets(&nothing);
    go_through_the_verbs();
    close_widgets();
}

TEST(a_kind_without_a_strategy_has_every_verb)
{
    open_widgets(NULL);
    go_through_the_verbs();
    close_widgets();
}

TEST(a_strategy_says_how_its_kind_behaves)
{
    open_widgets(&own);
    ask(201, "POST", WIDGETS, "{'metadata':{'name':'a'},'status':"
        "{'phase':'Mine'}}");
    says("/spec/color", "red");
    says("/metadata/generation", "1");
    says("/status/phase", "New");
    ask(422, "POST", WIDGETS,
        "{'metadata':{'name':'b'},'spec':{'color':'none'}}");
    says("/message", "Widget.example.com \"b\" is invalid: spec.color: "
         "Required value: it must have one");
    patch(200, "merge", WIDGETS "/a", "{'spec':{'color':'pink'},"
          "'status':{'phase':'Mine'}}");
    assert_true(warned("pink is out of fashion"));
    says("/metadata/generation", "2");
    says("/status/phase", "New");
    patch(200, "merge", WIDGETS "/a/status",
          "{'spec':{'color':'blue'},'status':{'labels':'l=v'}}");
    says("/spec/color", "pink");
    says("/metadata/generation", "2");
    ask(200, "GET", WIDGETS "/a/scale", NULL);
    says("/status/selector", "l=v");
    close_widgets();
}

TEST(a_strategy_converts_between_versions)
{
    struct rig_watch watch;

    open_widgets(&own);
    assert_int_equal(rig_watch_open(&watch, WIDGETS_BETA "?watch=true"), 200);
    ask(201, "POST", WIDGETS_BETA,
        "{'metadata':{'name':'a'},'spec':{'count':3}}");
    says("/apiVersion", "example.com/v1beta1");
    says("/spec/count", "3");
    assert_string_equal(rig_watch_next(&watch), "ADDED");
    says("/object/spec/count", "3");
    ask(200, "GET", WIDGETS "/a", NULL);
    says("/spec/replicas", "3");
    says("/spec/count", "");
    patch(200, "merge", WIDGETS_BETA "/a", "{'spec':{'count':4}}");
    says("/spec/count", "4");
    ask(200, "GET", WIDGETS_BETA, NULL);
    says("/items/0/spec/count", "4");
    ask(400, "POST", WIDGETS_BETA,
        "{'apiVersion':'example.com/v1','metadata':{'name':'b'}}");
    says("/message", "the API version in the data (example.com/v1) does not "
         "match the expected API version (example.com/v1beta1)");
    rig_watch_close(&watch);
    close_widgets();
}

/* A strategy whose conversions wait for a timer, as those of a webhook wait
 * for its answer. */
#define DELAY 5000

static struct {
    struct yl_loop_timer timer;
    struct yl_conversion *conversion;
    bool fail;
    bool silent;                /* Fail without a word. */
    int n_begun, n_converted, n_cancelled;
} slow;

static void
on_timer(struct yl_loop_timer *timer YL_UNUSED)
{
    int r = 0;

    slow.n_converted++;
    if (slow.silent) {
        r = YL_EUNAVAILABLE;
    } else if (slow.fail) {
        r = yl_error_set(slow.conversion->err, YL_EINTERNAL, "no webhook");
    } else {
        widgets_convert(slow.conversion);
    }
    yl_wait_end(slow.conversion->wait, r);
}

static void
on_cancel(struct yl_wait *wait)
{
    slow.n_cancelled++;
    yl_loop_timer_cancel(wait->loop, &slow.timer);
}

static int
convert_slowly(struct yl_conversion *c)
{
    if (c->n_objects == 0) {
        return 0;
    }
    if (!c->wait) {
        return yl_error_set(c->err, YL_EUNAVAILABLE, "this would take time");
    }
    slow.n_begun++;
    slow.conversion = c;
    slow.timer = (struct yl_loop_timer) { .fire = on_timer };
    yl_loop_timer_arm(c->wait->loop, &slow.timer,
                      yl_loop_now(c->wait->loop) + DELAY);
    return yl_wait_begin(c->wait, on_cancel, NULL);
}

static const struct yl_strategy sluggish = {
    .default_ = widgets_default, .convert = convert_slowly,
};

static void
open_sluggish(void)
{
    memset(&slow, 0, sizeof slow);
    rig_open_fake();
    ask(201, "POST", "/api/v1/namespaces", "{'metadata':{'name':'ns'}}");
    widgets_add(&sluggish);
}

/* Sends a request and moves the clock until it has had its conversions. */
static int
ask_slowly(const char *method, const char *path, const char *body,
           int conversions)
{
    int begun = slow.n_begun, fd = rig_send(method, path, verb_json(body));
    int i;

    for (i = 1; i <= conversions; i++) {
        while (slow.n_begun < begun + i) {
            yl_http_server_turn(rig.http, false);
        }
        rig_advance(DELAY);
    }
    yl_arena_clear(rig.arena);
    yl_buf_clear(&rig.answer);
    while (rig_receive(fd) && !rig_split()) {
        yl_http_server_turn(rig.http, false);
    }
    close(fd);
    assert_int_equal(slow.n_begun, begun + conversions);
    return rig.status;
}

TEST(writes_and_answers_wait_for_conversions)
{
    open_sluggish();
    ask(201, "POST", WIDGETS,
        "{'metadata':{'name':'a'},'spec':{'replicas':1}}");
    assert_int_equal(slow.n_begun, 0);

    /* In, and out again. */
    assert_int_equal(ask_slowly("POST", WIDGETS_BETA, "{'metadata':{'name':"
                                "'b'},'spec':{'count':2}}", 2), 201);
    says("/apiVersion", "example.com/v1beta1");
    says("/spec/count", "2");
    ask(200, "GET", WIDGETS "/b", NULL);
    says("/spec/replicas", "2");
    says("/spec/color", "red");
    rig.content_type = "application/merge-patch+json";
    assert_int_equal(ask_slowly("PATCH", WIDGETS_BETA "/b",
                                "{'spec':{'count':3}}", 3), 200);
    says("/spec/count", "3");
    assert_int_equal(ask_slowly("GET", WIDGETS_BETA "/b", NULL, 1), 200);
    says("/spec/count", "3");

    slow.fail = true;
    assert_int_equal(ask_slowly("GET", WIDGETS_BETA "/b", NULL, 1), 500);
    says("/message", "no webhook");
    assert_int_equal(ask_slowly("PUT", WIDGETS_BETA "/b",
                                "{'metadata':{'name':'b'}}", 1), 400);
    rig.content_type = "application/merge-patch+json";
    assert_int_equal(ask_slowly("PATCH", WIDGETS_BETA "/b", "{}", 1), 500);

    slow.silent = true;
    assert_int_equal(ask_slowly("GET", WIDGETS_BETA "/b", NULL, 1), 503);
    says("/message", yl_error_text(YL_EUNAVAILABLE));
    assert_int_equal(ask_slowly("PUT", WIDGETS_BETA "/b",
                                "{'metadata':{'name':'b'}}", 1), 400);
    says("/message", yl_error_text(YL_EUNAVAILABLE));
    close_widgets();
}

TEST(lists_wait_for_conversions)
{
    open_sluggish();
    ask(201, "POST", WIDGETS,
        "{'metadata':{'name':'a'},'spec':{'replicas':1}}");
    ask(201, "POST", WIDGETS,
        "{'metadata':{'name':'b'},'spec':{'replicas':2}}");
    assert_int_equal(ask_slowly("GET", WIDGETS_BETA, NULL, 2), 200);
    says("/items/0/spec/count", "1");
    says("/items/1/spec/count", "2");
    says("/items/2", "");
    assert_int_equal(ask_slowly("GET", WIDGETS_BETA "?limit=1", NULL, 1), 200);
    says("/items/0/spec/count", "1");
    says("/metadata/remainingItemCount", "1");
    rig.headers = "accept: application/yaml\r\n";
    assert_int_equal(ask_slowly("GET", WIDGETS_BETA, NULL, 2), 200);
    assert_non_null(strstr(yl_arena_strdup(rig.arena, rig.body),
                           "count: 2"));
    rig.headers = "accept-encoding: gzip\r\n";
    assert_int_equal(ask_slowly("GET", WIDGETS_BETA, NULL, 2), 200);
    says("/items/1/spec/count", "2");
    rig.headers = "accept: application/json;as=Table;v=v1;g=meta.k8s.io\r\n";
    assert_int_equal(ask_slowly("GET", WIDGETS_BETA "/b", NULL, 1), 200);
    says("/rows/0/cells/0", "b");
    says("/rows/1", "");
    slow.fail = true;
    rig.headers = "accept: application/yaml\r\n";
    assert_int_equal(ask_slowly("GET", WIDGETS_BETA, NULL, 1), 500);
    assert_non_null(strstr(yl_arena_strdup(rig.arena, rig.body),
                           "message: no webhook"));
    rig.headers = "accept: application/yaml\r\n";
    assert_int_equal(ask_slowly("DELETE", WIDGETS_BETA "?dryRun=All", NULL, 1),
                     500);
    slow.fail = false;
    rig.headers = "accept: application/yaml\r\n";
    assert_int_equal(ask_slowly("DELETE", WIDGETS_BETA "?dryRun=All", NULL, 2),
                     200);
    assert_non_null(strstr(yl_arena_strdup(rig.arena, rig.body),
                           "count: 2"));
    rig.headers = NULL;
    assert_int_equal(ask_slowly("DELETE", WIDGETS_BETA, NULL, 2), 200);
    says("/items/0/spec/count", "1");
    says("/items/1/spec/count", "2");
    says("/items/2", "");
    close_widgets();
}

TEST(a_conversion_is_cancelled_with_its_request)
{
    static const struct {
        const char *method, *path, *body, *headers;
    } cases[] = {
        { "POST", WIDGETS_BETA, "{'metadata':{'name':'b'}}", NULL },
        { "GET", WIDGETS_BETA "/a", NULL, NULL },
        { "GET", WIDGETS_BETA, NULL, NULL },
        { "GET", WIDGETS_BETA, NULL, "accept-encoding: gzip\r\n" },
        { "GET", WIDGETS_BETA, NULL, "accept: application/yaml\r\n" },
        { "DELETE", WIDGETS_BETA "?dryRun=All", NULL, NULL },
        { "DELETE", WIDGETS_BETA "?dryRun=All", NULL,
          "accept: application/yaml\r\n" },
    };
    int i, fd;

    open_sluggish();
    ask(201, "POST", WIDGETS, "{'metadata':{'name':'a'}}");
    for (i = 0; i < (int) YL_ARRAY_SIZE(cases); i++) {
        rig.headers = cases[i].headers;
        fd = rig_send(cases[i].method, cases[i].path,
                      verb_json(cases[i].body));
        while (slow.n_begun == i) {
            yl_http_server_turn(rig.http, false);
        }
        close(fd);
        while (slow.n_cancelled == i) {
            yl_http_server_turn(rig.http, false);
        }
    }

    /* The deadline, and the server's end. */
    fd = rig_send("GET", WIDGETS_BETA "/a?timeout=1s", NULL);
    while (slow.n_begun == i) {
        yl_http_server_turn(rig.http, false);
    }
    rig_advance(2000);
    assert_int_equal(slow.n_cancelled, i + 1);
    close(fd);
    fd = rig_send("GET", WIDGETS_BETA "/a", NULL);
    while (slow.n_begun == i + 1) {
        yl_http_server_turn(rig.http, false);
    }
    close_widgets();
    assert_int_equal(slow.n_cancelled, i + 2);
    assert_int_equal(slow.n_converted, 0);
    close(fd);
}

static int
refuse_to_convert(struct yl_conversion *c)
{
    return yl_error_set(c->err, YL_EINTERNAL, "no");
}

/* The class of the watch cannot show it, and neither can the watch alone. */
TEST(a_watch_ends_at_an_event_that_cannot_be_shown)
{
    static const struct yl_strategy mute = { .convert = refuse_to_convert };
    struct rig_watch watch;

    verb_open();
    widgets_add(&mute);
    ask(201, "POST", WIDGETS, "{'apiVersion':'example.com/v1','kind':"
        "'Widget','metadata':{'name':'a'}}");
    assert_int_equal(rig_watch_open(&watch, WIDGETS_BETA
                                    "?watch=true&resourceVersion=1"), 200);
    while (!watch.ended) {
        rig_watch_receive(&watch);
    }
    rig_watch_close(&watch);
    rig_close();
    widgets_release();
}

static void
grow(const struct yl_api_version *version YL_UNUSED, struct yl_arena *arena,
     struct yl_node *object YL_UNUSED)
{
    (void) yl_arena_alloc(arena, 1 << 20);
}

/* Defaults that came later may be too large, and end in the middle then. */
TEST(an_object_that_needs_too_much_memory_is_not_read_in_part)
{
    static const struct yl_strategy growing = { .refresh = grow };
    struct yl_gvr gvr = { YL_STR("example.com"), YL_STR("v1"),
                          YL_STR("widgets") };
    struct yl_account account = { .ceiling = 1 << 19 };
    struct yl_arena *arena = yl_arena_new();
    const struct yl_api_resource *resource;
    const struct yl_api_version *version;
    struct yl_api_resource newer;
    struct yl_object *object;
    struct yl_node *tree;

    verb_open();
    widgets_add(&growing);
    ask(201, "POST", WIDGETS, "{'apiVersion':'example.com/v1','kind':"
        "'Widget','metadata':{'name':'a'}}");
    assert_int_equal(yl_registry_find(rig.server->registry, gvr, &resource,
                                      &version), 0);
    assert_int_equal(yl_ks_get(resource->objects,
                               yl_key_make(YL_STR("ns"), YL_STR("a")),
                               &object, NULL), 0);
    newer = *resource;
    newer.schema_generation = 9;
    assert_int_equal(yl_strategy_read(&newer, arena, object, 0, &version,
                                      &tree, NULL), 0);
    yl_arena_clear(arena);
    yl_arena_set_account(arena, &account);
    assert_true(yl_strategy_read(&newer, arena, object, 0, &version, &tree,
                                 NULL) < 0);
    yl_arena_free(arena);
    yl_object_unref(object);
    yl_api_resource_unref(resource);
    rig_close();
    widgets_release();
}
