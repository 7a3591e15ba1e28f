/* Watches, through the whole server. */

#include "api_rig.h"

#include "apiserver/registry/registry.h"
#include "apiserver/watch/hub.h"
#include "base/alloc.h"
#include "storage/memory_control.h"
#include "yuloh/clock.h"

#define MAPS "/api/v1/namespaces/default/configmaps"
#define TABLE "accept: application/json;as=Table;v=v1;g=meta.k8s.io\r\n"
#define INITIAL "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
#define QUIET 200

/* Makes or changes one; its revision. */
static unsigned long long
put(const char *method, const char *name, const char *labels)
{
    char body[256], path[256];

    snprintf(body, sizeof body,
             "{\"metadata\":{\"name\":\"%s\",\"labels\":{%s}}}", name, labels);
    snprintf(path, sizeof path, MAPS "%s%s", *method == 'P' ? "/" : "",
             *method == 'P' ? name : "");
    assert_int_equal(api(*method == 'P' ? "PUT" : "POST",
                         *method == 'P' ? path : MAPS, body),
                     *method == 'P' ? 200 : 201);
    return strtoull(text_at("/metadata/resourceVersion"), NULL, 10);
}

#define make(NAME, LABELS) put("CREATE", NAME, LABELS)
#define change(NAME, LABELS) put("PUT", NAME, LABELS)

static void
destroy(const char *name)
{
    char path[256];

    snprintf(path, sizeof path, MAPS "/%s", name);
    assert_int_equal(api("DELETE", path, NULL), 200);
}

/* The next event is of this type and about this object. */
static void
expect(struct rig_watch *w, const char *type, const char *name)
{
    assert_string_equal(rig_watch_next(w), type);
    assert_string_equal(text_at("/object/metadata/name"), name);
}

static unsigned long long
revision_seen(void)
{
    return strtoull(text_at("/object/metadata/resourceVersion"), NULL, 10);
}

/* Opens a watch behind a revision. */
static void
watch_from(struct rig_watch *w, unsigned long long revision, const char *more)
{
    char path[512];

    snprintf(path, sizeof path, MAPS "?watch=1&resourceVersion=%llu%s",
             revision, more);
    assert_int_equal(rig_watch_open(w, path), 200);
}

static struct yl_ks_resource *
objects(void)
{
    return yl_registry_builtin(rig.server->registry, "",
                               "configmaps")->objects;
}

/* Lets time pass until the log no longer reaches back to 'revision'. */
static void
forget_history(unsigned long long revision)
{
    yl_clock_fake_advance(rig.clock, 10 * 60 * 1000);
    make("forget", "");
    while (yl_ks_oldest(objects()) <= revision) {
        usleep(50);
    }
}

TEST(a_watch_starts_with_the_state)
{
    struct rig_watch w, zero;

    rig_open();
    make("b", "");
    make("a", "");
    assert_int_equal(rig_watch_open(&w, MAPS "?watch=1"), 200);
    assert_int_equal(rig_watch_open(&zero, MAPS "?watch=1&resourceVersion=0"),
                     200);
    expect(&w, "ADDED", "a");
    assert_string_equal(text_at("/object/kind"), "ConfigMap");
    expect(&w, "ADDED", "b");
    change("b", "\"x\":\"1\"");
    expect(&w, "MODIFIED", "b");
    destroy("a");
    expect(&w, "DELETED", "a");
    assert_string_equal(rig_watch_try(&w, QUIET), "NONE");
    expect(&zero, "ADDED", "a");
    expect(&zero, "ADDED", "b");
    expect(&zero, "MODIFIED", "b");
    expect(&zero, "DELETED", "a");
    rig_watch_close(&w);
    rig_watch_close(&zero);
    rig_close();
}

TEST(a_watch_goes_on_behind_a_revision)
{
    unsigned long long first, second, third;
    struct rig_watch w;

    rig_open();
    first = make("a", "");
    second = change("a", "\"x\":\"1\"");
    destroy("a");
    third = make("b", "");
    watch_from(&w, first, "");
    expect(&w, "MODIFIED", "a");
    assert_int_equal(revision_seen(), second);
    expect(&w, "DELETED", "a");
    assert_true(revision_seen() > second && revision_seen() < third);
    expect(&w, "ADDED", "b");
    assert_int_equal(revision_seen(), third);
    assert_string_equal(rig_watch_try(&w, QUIET), "NONE");
    rig_watch_close(&w);
    rig_close();
}

TEST(a_revision_of_the_future_is_waited_for)
{
    unsigned long long now;
    struct rig_watch w;

    rig_open();
    now = make("a", "");
    watch_from(&w, now + 1, "");
    make("b", "");
    make("c", "");
    expect(&w, "ADDED", "c");
    rig_watch_close(&w);
    assert_int_equal(rig_watch_open(&w, MAPS "?watch=1&resourceVersion=99999"
                                        INITIAL), 504);
    rig_watch_close(&w);
    rig_close();
}

TEST(who_comes_to_match_is_added_and_who_ceases_is_deleted)
{
    unsigned long long start, changed;
    struct rig_watch live, replay;

    rig_open();
    start = make("a", "\"x\":\"1\"");
    make("b", "\"x\":\"2\"");
    watch_from(&live, start, "&labelSelector=x%3D2");
    expect(&live, "ADDED", "b");
    change("a", "\"x\":\"2\"");
    expect(&live, "ADDED", "a");
    changed = change("b", "\"x\":\"3\"");
    expect(&live, "DELETED", "b");
    assert_int_equal(revision_seen(), changed);
    assert_string_equal(text_at("/object/metadata/labels/x"), "2");
    change("b", "\"x\":\"4\"");
    change("a", "\"x\":\"2\",\"y\":\"\"");
    expect(&live, "MODIFIED", "a");
    destroy("b");
    destroy("a");
    expect(&live, "DELETED", "a");
    watch_from(&replay, start, "&labelSelector=x%3D2");
    expect(&replay, "ADDED", "b");
    expect(&replay, "ADDED", "a");
    expect(&replay, "DELETED", "b");
    expect(&replay, "MODIFIED", "a");
    expect(&replay, "DELETED", "a");
    assert_string_equal(rig_watch_try(&replay, QUIET), "NONE");
    rig_watch_close(&live);
    rig_watch_close(&replay);
    rig_close();
}

/* Somebody else writes three large ones at once, under one revision. */
static void
others_make_three(void)
{
    static const char *const names[] = { "x", "y", "z" };
    char keys[3][64], *texts[3];
    struct yl_storage_write writes[3];
    struct yl_storage_group group = { .writes = writes, .n_writes = 3 };
    struct yl_str values[3];
    int i;

    for (i = 0; i < 3; i++) {
        texts[i] = yl_malloc(YL_HTTP_PIECE + 200);
        snprintf(keys[i], sizeof keys[i], "/registry/configmaps/default/%s",
                 names[i]);
        snprintf(texts[i], YL_HTTP_PIECE + 200,
                 "{\"metadata\":{\"name\":\"%s\","
                 "\"namespace\":\"default\"},\"data\":{\"a\":\"%0*d\"}}",
                 names[i], (int) YL_HTTP_PIECE, 0);
        values[i] = yl_str_c(texts[i]);
        writes[i] = (struct yl_storage_write) {
            .key = yl_str_c(keys[i]), .value = &values[i], .n_value = 1,
        };
    }
    assert_int_equal(yl_memory_write(rig.storage, &group), 0);
    for (i = 0; i < 3; i++) {
        free(texts[i]);
    }
}

TEST(events_may_have_one_revision)
{
    unsigned long long start;
    struct rig_watch w;

    rig_memory = (struct yl_memory_opts) {
        .shared = true, .one_revision = true,
    };
    rig_open();
    start = make("a", "");
    watch_from(&w, start, "");
    others_make_three();
    expect(&w, "ADDED", "x");
    expect(&w, "ADDED", "y");
    expect(&w, "ADDED", "z");
    assert_int_equal(revision_seen(), start + 1);
    rig_watch_close(&w);
    rig_close();
    rig_memory = (struct yl_memory_opts) { .shared = false };
}

TEST(what_matches_is_found_behind_much_that_does_not)
{
    unsigned long long start;
    struct rig_watch live, replay, initial;
    char name[32];
    int i;

    rig_open();
    start = make("a", "");
    watch_from(&live, start, "&labelSelector=x");
    for (i = 0; i < 1500; i++) {
        snprintf(name, sizeof name, "n%d", i);
        make(name, "");
    }
    make("z", "\"x\":\"1\"");
    watch_from(&replay, start, "&labelSelector=x,!y");
    expect(&replay, "ADDED", "z");
    expect(&live, "ADDED", "z");
    assert_int_equal(rig_watch_open(&initial,
                                    MAPS "?watch=1&labelSelector=x,!z"), 200);
    expect(&initial, "ADDED", "z");
    rig_watch_close(&live);
    rig_watch_close(&replay);
    rig_watch_close(&initial);
    rig_close();
}

/* The loop sleeps while much is written, and is woken once. */
TEST(a_burst_is_seen_to_its_end)
{
    const struct yl_api_resource *maps;
    struct yl_ks_write write;
    struct rig_watch w;
    int i;

    rig_open();
    watch_from(&w, make("a", ""), "&labelSelector=x");
    assert_string_equal(rig_watch_try(&w, QUIET), "NONE");
    maps = yl_registry_builtin(rig.server->registry, "", "configmaps");
    for (i = 0; i < 200; i++) {
        char json[256];

        snprintf(json, sizeof json,
                 "{\"metadata\":{\"name\":\"n%d\",\"namespace\":\"default\","
                 "\"labels\":{%s}}}", i, i == 199 ? "\"x\":\"1\"" : "");
        write = (struct yl_ks_write) { .resource = maps->objects };
        assert_int_equal(yl_object_ingest(yl_str_c(json), NULL,
                                          &write.object, NULL), 0);
        write.key = yl_object_key(write.object);
        assert_int_equal(yl_keyspace_write_wait(rig.server->keyspace, &write),
                         0);
        yl_object_unref(write.object);
    }
    expect(&w, "ADDED", "n199");
    rig_watch_close(&w);
    rig_close();
}

TEST(one_object_can_be_watched)
{
    struct rig_watch w, field;

    rig_open();
    make("a", "");
    make("b", "");
    assert_int_equal(rig_watch_open(
        &w, "/api/v1/watch/namespaces/default/configmaps/b"), 200);
    assert_int_equal(rig_watch_open(
        &field, "/api/v1/configmaps?watch=1&fieldSelector=metadata.name%3Db"),
                     200);
    expect(&w, "ADDED", "b");
    expect(&field, "ADDED", "b");
    change("a", "\"x\":\"1\"");
    destroy("b");
    expect(&w, "DELETED", "b");
    expect(&field, "DELETED", "b");
    rig_watch_close(&w);
    rig_watch_close(&field);
    rig_close();
}

TEST(bookmarks_say_how_far_a_quiet_watch_has_seen)
{
    unsigned long long start, now;
    struct rig_watch with, without;

    rig_open_fake();
    start = make("a", "");
    watch_from(&with, start, "&allowWatchBookmarks=true");
    watch_from(&without, start, "");
    assert_int_equal(api("POST", "/api/v1/namespaces",
                         "{\"metadata\":{\"name\":\"n\"}}"), 201);
    now = strtoull(text_at("/metadata/resourceVersion"), NULL, 10);
    rig_advance(60 * 1000);
    assert_string_equal(rig_watch_next(&with), "BOOKMARK");
    assert_true(revision_seen() >= now);
    assert_string_equal(text_at("/object/kind"), "ConfigMap");
    assert_string_equal(text_at("/object/metadata/annotations"), "");
    rig_advance(60 * 1000);
    assert_string_equal(rig_watch_next(&with), "BOOKMARK");
    assert_string_equal(rig_watch_try(&without, QUIET), "NONE");
    rig_watch_close(&with);
    rig_watch_close(&without);
    rig_close();
}

TEST(bookmarks_come_when_they_are_asked_for)
{
    unsigned long long start, now;
    struct rig_watch with, without;

    rig_open_fake();
    start = make("a", "");
    watch_from(&with, start, "&allowWatchBookmarks=true");
    watch_from(&without, start, "");
    make("b", "");
    expect(&with, "ADDED", "b");
    expect(&without, "ADDED", "b");
    for (int i = 0; i < 3; i++) {
        assert_int_equal(api("POST", "/api/v1/namespaces",
                             "{\"metadata\":{\"generateName\":\"n\"}}"),
                         201);
        now = strtoull(text_at("/metadata/resourceVersion"), NULL, 10);
        yl_watch_hub_ask_bookmarks(rig.server->watches);
        assert_string_equal(rig_watch_next(&with), "BOOKMARK");
        assert_true(revision_seen() >= now);
        assert_string_equal(rig_watch_try(&with, QUIET), "NONE");
    }
    assert_string_equal(rig_watch_try(&without, QUIET), "NONE");
    rig_watch_close(&with);
    rig_watch_close(&without);
    rig_close();
}

TEST(initial_events_end_with_a_bookmark)
{
    unsigned long long start;
    struct rig_watch w;

    rig_open();
    start = make("a", "");
    assert_int_equal(rig_watch_open(&w, MAPS "?watch=1&allowWatchBookmarks=1"
                                        INITIAL), 200);
    expect(&w, "ADDED", "a");
    assert_string_equal(rig_watch_next(&w), "BOOKMARK");
    assert_true(revision_seen() >= start);
    assert_string_equal(
        text_at("/object/metadata/annotations/k8s.io~1initial-events-end"),
        "");                    /* text_at() knows no escapes: */
    assert_non_null(memmem(rig.body.data, rig.body.size,
                           "\"k8s.io/initial-events-end\":\"true\"", 34));
    change("a", "\"x\":\"1\"");
    expect(&w, "MODIFIED", "a");
    rig_watch_close(&w);

    watch_from(&w, start, INITIAL);
    expect(&w, "ADDED", "a");
    assert_string_equal(rig_watch_try(&w, QUIET), "NONE");
    rig_watch_close(&w);
    rig_close();
}

TEST(initial_events_can_be_declined)
{
    struct rig_watch w;

    rig_open();
    make("a", "");
    assert_int_equal(rig_watch_open(
        &w, MAPS "?watch=1&sendInitialEvents=false"
            "&resourceVersionMatch=NotOlderThan"), 200);
    make("b", "");
    expect(&w, "ADDED", "b");
    rig_watch_close(&w);
    rig_close();
}

TEST(options_that_make_no_sense_are_refused)
{
    rig_open();
    assert_int_equal(api("GET", MAPS "?watch=1&sendInitialEvents=true", NULL),
                     422);
    assert_int_equal(api("GET", MAPS "?watch=1&resourceVersionMatch="
                                "NotOlderThan", NULL), 422);
    assert_int_equal(api("GET", MAPS "?watch=1&sendInitialEvents=true&"
                                "resourceVersionMatch=Exact", NULL), 422);
    assert_int_equal(api("GET", MAPS "?sendInitialEvents=true", NULL), 422);
    assert_int_equal(api("GET", MAPS "?watch=1&timeoutSeconds=x", NULL), 400);
    assert_int_equal(api("GET", MAPS "?watch=1&labelSelector=%3D", NULL), 400);
    assert_int_equal(api("GET", MAPS "?watch=1&resourceVersion=x", NULL), 500);
    rig.headers = TABLE;
    assert_int_equal(api("GET", MAPS "?watch=1&includeObject=x", NULL), 400);
    rig.headers = "accept: application/yaml\r\n";
    assert_int_equal(api("GET", MAPS "?watch=1", NULL), 406);
    assert_int_equal(yl_watch_hub_count(rig.server->watches), 0);
    rig_close();
}

TEST(the_first_table_has_the_columns)
{
    struct rig_watch w, other;
    unsigned long long start;

    rig_open();
    start = make("a", "");
    make("b", "");
    rig.headers = TABLE;
    assert_int_equal(rig_watch_open(&w, MAPS "?watch=1"), 200);
    assert_string_equal(rig_watch_next(&w), "ADDED");
    assert_string_equal(text_at("/object/kind"), "Table");
    assert_string_equal(text_at("/object/columnDefinitions/0/name"), "Name");
    assert_string_equal(text_at("/object/rows/0/cells/0"), "a");
    assert_string_equal(text_at("/object/rows/0/object/kind"),
                        "PartialObjectMetadata");
    assert_string_equal(rig_watch_next(&w), "ADDED");
    assert_string_equal(text_at("/object/columnDefinitions"), "null");
    assert_string_equal(text_at("/object/rows/0/cells/0"), "b");
    rig.headers = TABLE;
    watch_from(&other, start, "&includeObject=Object");
    assert_string_equal(rig_watch_next(&other), "ADDED");
    assert_string_equal(text_at("/object/columnDefinitions/0/name"), "Name");
    assert_string_equal(text_at("/object/rows/0/object/kind"), "ConfigMap");
    change("a", "\"x\":\"1\"");
    assert_string_equal(rig_watch_next(&w), "MODIFIED");
    assert_string_equal(text_at("/object/columnDefinitions"), "null");
    assert_string_equal(rig_watch_next(&other), "MODIFIED");
    assert_string_equal(text_at("/object/columnDefinitions"), "null");
    rig_watch_close(&w);
    rig_watch_close(&other);
    rig_close();
}

TEST(a_tables_bookmark_is_a_table)
{
    struct rig_watch w;

    rig_open();
    rig.headers = TABLE;
    assert_int_equal(rig_watch_open(&w, "/api/v1/namespaces/none/configmaps"
                                        "?watch=1&allowWatchBookmarks=1"
                                        INITIAL), 200);
    assert_string_equal(rig_watch_next(&w), "BOOKMARK");
    assert_string_equal(text_at("/object/kind"), "Table");
    assert_string_equal(text_at("/object/columnDefinitions/0/name"), "Name");
    rig_watch_close(&w);
    rig_close();
}

TEST(metadata_alone_can_be_watched)
{
    struct rig_watch w;

    rig_open();
    make("a", "");
    rig.headers = "accept: application/json;as=PartialObjectMetadata;v=v1;"
                  "g=meta.k8s.io\r\n";
    assert_int_equal(rig_watch_open(&w, MAPS "?watch=1"), 200);
    expect(&w, "ADDED", "a");
    assert_string_equal(text_at("/object/kind"), "PartialObjectMetadata");
    rig_watch_close(&w);
    rig_close();
}

/* No event is a list, and upstream finds out when there is one. */
TEST(who_wants_lists_of_a_watch_gets_nothing)
{
    struct rig_watch w;

    rig_open();
    rig.headers = "accept: application/json;as=PartialObjectMetadataList;"
                  "v=v1;g=meta.k8s.io\r\n";
    assert_int_equal(rig_watch_open(&w, MAPS "?watch=1"), 200);
    assert_string_equal(rig_watch_try(&w, QUIET), "NONE");
    make("a", "");
    assert_string_equal(rig_watch_next(&w), "END");
    rig_watch_close(&w);
    rig_close();
}

/* Which is what sendInitialEvents=true says. */
TEST(a_watch_from_anywhere_wants_the_state_first)
{
    struct rig_watch w;

    rig_open();
    make("a", "");
    assert_int_equal(rig_watch_open(&w,
                                    MAPS "?watch=1&allowWatchBookmarks=1"),
                     200);
    expect(&w, "ADDED", "a");
    assert_string_equal(rig_watch_next(&w), "BOOKMARK");
    assert_non_null(memmem(rig.body.data, rig.body.size,
                           "\"k8s.io/initial-events-end\":\"true\"", 34));
    rig_watch_close(&w);
    assert_int_equal(api("GET", MAPS "?watch=1&continue=x", NULL), 422);
    rig_close();
}

TEST(other_versions_see_their_own_form)
{
    struct rig_watch w;

    rig_open();
    assert_int_equal(
        api("POST", "/api/v1/namespaces/default/events",
            "{\"metadata\":{\"name\":\"e\"},\"involvedObject\":{\"namespace\":"
            "\"default\",\"name\":\"p\"},\"message\":\"hello\"}"), 201);
    assert_int_equal(
        rig_watch_open(&w, "/apis/events.k8s.io/v1/namespaces/default/events"
                           "?watch=1&allowWatchBookmarks=1" INITIAL
                           "&fieldSelector=regarding.name%3Dp"), 200);
    expect(&w, "ADDED", "e");
    assert_string_equal(text_at("/object/apiVersion"), "events.k8s.io/v1");
    assert_string_equal(text_at("/object/note"), "hello");
    assert_string_equal(rig_watch_next(&w), "BOOKMARK");
    assert_string_equal(text_at("/object/apiVersion"), "events.k8s.io/v1");
    rig_watch_close(&w);
    rig_close();
}

TEST(a_watch_ends_when_it_was_asked_to)
{
    struct rig_watch w, long_one;

    rig_open_fake();
    make("a", "");
    assert_int_equal(rig_watch_open(&w, MAPS "?watch=1&timeoutSeconds=5"),
                     200);
    assert_int_equal(rig_watch_open(&long_one, MAPS "?watch=1"
                                               "&timeoutSeconds=999999999"),
                     200);
    expect(&w, "ADDED", "a");
    rig_advance(4999);
    assert_string_equal(rig_watch_try(&w, QUIET), "NONE");
    rig_advance(1);
    assert_string_equal(rig_watch_next(&w), "END");
    rig_watch_close(&w);

    assert_int_equal(rig_watch_open(&w, MAPS "?watch=1"), 200);
    expect(&w, "ADDED", "a");
    rig_advance(30 * 60 * 1000 - 1);
    assert_string_equal(rig_watch_try(&w, QUIET), "NONE");
    rig_advance(30 * 60 * 1000 + 1);
    assert_string_equal(rig_watch_next(&w), "END");
    rig_watch_close(&w);
    expect(&long_one, "ADDED", "a");
    assert_string_equal(rig_watch_try(&long_one, QUIET), "NONE");
    rig_watch_close(&long_one);
    rig_close();
}

TEST(what_is_too_old_is_an_error_in_the_stream)
{
    unsigned long long start;
    struct rig_watch w;

    rig_open_fake();
    start = make("a", "");
    make("b", "");
    forget_history(start);
    watch_from(&w, start, "");
    assert_string_equal(rig_watch_next(&w), "ERROR");
    assert_string_equal(text_at("/object/kind"), "Status");
    assert_string_equal(text_at("/object/code"), "410");
    assert_string_equal(text_at("/object/reason"), "Expired");
    assert_string_equal(rig_watch_next(&w), "END");
    rig_watch_close(&w);
    rig_close();
}

TEST(watchers_of_a_class_see_the_same_and_others_their_own)
{
    struct rig_watch same[3], others[3];
    unsigned long long start, later;
    size_t i;

    rig_open();
    start = make("a", "\"x\":\"1\"");
    watch_from(&same[0], start, "&labelSelector=x");
    later = change("a", "\"x\":\"2\"");
    watch_from(&same[1], start, "&labelSelector=x");
    watch_from(&same[2], later, "&labelSelector=x");
    watch_from(&others[0], start, "");
    watch_from(&others[1], start, "&labelSelector=x%3D3");
    watch_from(&others[2], start, "&fieldSelector=metadata.name%3Db");
    assert_int_equal(yl_watch_hub_count(rig.server->watches), 6);
    change("a", "\"x\":\"3\"");
    for (i = 0; i < 3; i++) {
        if (i < 2) {
            expect(&same[i], "MODIFIED", "a");
            assert_int_equal(revision_seen(), later);
        }
        expect(&same[i], "MODIFIED", "a");
        assert_string_equal(text_at("/object/metadata/labels/x"), "3");
    }
    expect(&others[0], "MODIFIED", "a");
    expect(&others[0], "MODIFIED", "a");
    expect(&others[1], "ADDED", "a");
    assert_string_equal(rig_watch_try(&others[2], QUIET), "NONE");
    for (i = 0; i < 3; i++) {
        rig_watch_close(&same[i]);
        rig_watch_close(&others[i]);
    }
    rig_close();
}

/* Changes "a" often, with much in it, so that sockets fill up and a class
 * drops its oldest frames. */
static void
change_much(int n)
{
    char *body = malloc(20000);
    int i;

    for (i = 0; i < n; i++) {
        snprintf(body, 20000, "{\"data\":{\"n\":\"%d\",\"x\":\"%0*d\"}}", i,
                 15000, 0);
        rig.content_type = "application/merge-patch+json";
        assert_int_equal(api("PATCH", MAPS "/a", body), 200);
    }
    free(body);
}

TEST(a_slow_watcher_misses_nothing)
{
    unsigned long long start, last = 0;
    struct rig_watch slow, quick;
    int i, n = 200;

    rig_open();
    start = make("a", "");
    watch_from(&slow, start, "");
    watch_from(&quick, start, "");
    for (i = 0; i < 4; i++) {
        change_much(n / 4);
        while (!strcmp(rig_watch_try(&quick, QUIET), "MODIFIED")) {
            continue;
        }
    }
    for (i = 0; i < n; i++) {
        char text[16];

        expect(&slow, "MODIFIED", "a");
        assert_true(revision_seen() > last);
        last = revision_seen();
        snprintf(text, sizeof text, "%d", i % (n / 4));
        assert_string_equal(text_at("/object/data/n"), text);
    }
    assert_string_equal(rig_watch_try(&slow, QUIET), "NONE");
    change("a", "");
    expect(&slow, "MODIFIED", "a");
    rig_watch_close(&slow);
    rig_watch_close(&quick);
    rig_close();
}

/* How often to change "a" until it does not fit into a socket any more. */
static int
changes_to_fill(int fd)
{
    int size = 0;
    socklen_t n = sizeof size;

    assert_int_equal(getsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, &n), 0);
    return 60 + size / 15000 * 2;
}

TEST(who_is_too_slow_for_history_is_told)
{
    unsigned long long start;
    struct rig_watch slow, late;
    const char *type;
    int n = 0, n_changes;

    rig_open_at(yl_clock_fake_new(1000000), NULL);
    start = make("a", "");
    watch_from(&slow, start, "&labelSelector=!x");
    assert_string_equal(rig_watch_try(&slow, QUIET), "NONE");
    n_changes = changes_to_fill(slow.fd);
    change_much(n_changes);
    start = change("a", "\"y\":\"1\"");
    forget_history(start - 1);
    while (!strcmp(type = rig_watch_next(&slow), "MODIFIED")) {
        n++;
    }
    assert_string_equal(type, "ERROR");
    assert_string_equal(text_at("/object/code"), "410");
    assert_true(n > 0 && n < n_changes);
    assert_string_equal(rig_watch_next(&slow), "END");
    assert_int_equal(rig_watch_open(&late, MAPS "?watch=1&labelSelector=!x"),
                     200);
    expect(&late, "ADDED", "a");
    expect(&late, "ADDED", "forget");
    rig_watch_close(&slow);
    rig_watch_close(&late);
    rig_close();
}

TEST(watches_end_when_the_server_drains)
{
    struct rig_watch w, late;

    rig_open();
    make("a", "");
    assert_int_equal(rig_watch_open(&w, MAPS "?watch=1"), 200);
    expect(&w, "ADDED", "a");
    yl_apiserver_drain(rig.server);
    assert_int_equal(rig_watch_open(&late, MAPS "?watch=1"), 200);
    expect(&late, "ADDED", "a");
    assert_string_equal(rig_watch_next(&late), "END");
    yl_http_server_begin_drain(rig.http);
    assert_string_equal(rig_watch_next(&w), "END");
    rig_watch_close(&w);
    rig_watch_close(&late);
    rig_close();
}

TEST(a_client_that_goes_away_is_forgotten)
{
    struct rig_watch w[4];
    size_t i;

    rig_open();
    make("a", "");
    for (i = 0; i < 4; i++) {
        assert_int_equal(rig_watch_open(&w[i], MAPS "?watch=1"), 200);
    }
    assert_int_equal(yl_watch_hub_count(rig.server->watches), 4);
    for (i = 0; i < 4; i++) {
        rig_watch_close(&w[i]);
        assert_int_equal(yl_watch_hub_count(rig.server->watches), 3 - i);
        change("a", i % 2 ? "" : "\"x\":\"1\"");
    }
    rig_close();
}

TEST(events_are_counted_as_they_are_sent)
{
    static const char line[] =
        "\napiserver_watch_events_total{group=\"\",resource=\"configmaps\","
        "version=\"v1\"} 4\n";
    struct rig_watch w;

    rig_open();
    make("a", "");
    make("b", "");
    assert_int_equal(rig_watch_open(&w, MAPS "?watch=1"), 200);
    expect(&w, "ADDED", "a");
    expect(&w, "ADDED", "b");
    make("c", "");
    expect(&w, "ADDED", "c");
    destroy("c");
    expect(&w, "DELETED", "c");
    rig_watch_close(&w);
    assert_int_equal(api("GET", "/metrics", NULL), 200);
    assert_non_null(memmem(rig.body.data, rig.body.size, line,
                           sizeof line - 1));
    rig_close();
}
