/* Tests of what reconciles write: status, owned objects, finalizers. */

#include "controller/request.h"

#include "controller/applied.h"
#include "controller_rig.h"
#include "json/tree.h"
#include "yuloh/api/apps_v1_client.h"
#include "yuloh/api/core_v1_client.h"
#include "yuloh/api/networking_v1_client.h"
#include "yuloh/metrics.h"
#include "yuloh/schema.h"
#include "yuloh/store.h"

/* The JSON of an object on the server, in 'scratch'. */
static const char *
on_server(const char *path)
{
    struct yl_str body;

    if (yl_testenv_request(env, "GET", path, NULL, NULL, scratch, &body,
                           &fault) < 0) {
        fail_msg("%s: %s", path, yl_error_message(&fault));
    }
    return yl_arena_strdup(scratch, body);
}

static void
patch_on_server(const char *path, const char *patch)
{
    struct yl_str body;

    if (yl_testenv_request(env, "PATCH", path, "application/merge-patch+json",
                           patch, scratch, &body, &fault) < 0) {
        fail_msg("%s: %s", path, yl_error_message(&fault));
    }
}

static void
assert_has(const char *text, const char *part)
{
    if (!strstr(text, part)) {
        fail_msg("no %s in %s", part, text);
    }
}

#define DEPLOYMENT                                                            \
    "apiVersion: apps/v1\nkind: Deployment\n"                                 \
    "metadata: {name: web, namespace: default}\n"                             \
    "spec:\n"                                                                 \
    "  selector: {matchLabels: {a: b}}\n"                                     \
    "  template:\n"                                                           \
    "    metadata: {labels: {a: b}}\n"                                        \
    "    spec: {containers: [{name: c, image: i}]}\n"
#define WEB "/apis/apps/v1/namespaces/default/deployments/web"

static atomic_uint n_patches;

/* Writes the same status each time. */
static int
write_status(struct yl_request *req)
{
    const struct apps_v1_deployment *d = apps_v1_deployment_of(req);
    struct yl_versioned before = { NULL, yl_request_revision(req) };
    int r;

    assert_non_null(d);
    assert_string_equal(d->metadata.name, "web");
    assert_null(core_v1_config_map_of(req));
    r = apps_v1_deployment_update_status(
        req, &(struct apps_v1_deployment_status) {
            .replicas = 3,
            .observed_generation = d->metadata.generation });
    if (yl_request_revision(req) != before.revision) {
        n_patches++;
    }
    note_call(req);
    return r;
}

static const struct yl_controller status_writer = {
    .name = "status-writer",
    .reconcile = write_status,
    .watches = YL_WATCHES({ .for_ = &apps_v1_deployment_kind }),
};

TEST(a_status_is_written_once)
{
    begin();
    n_patches = 0;
    start(&status_writer);
    apply(DEPLOYMENT);
    /* The first writes, and its own event leads to the second. */
    wait_for_calls(2);
    wait_until_idle();
    assert_int_equal(n_patches, 1);
    assert_has(on_server(WEB), "\"replicas\":3");
    assert_has(on_server(WEB), "\"manager\":\"status-writer\"");
    end();
}

TEST(a_status_becomes_what_the_record_says)
{
    begin();
    n_patches = 0;
    apply(DEPLOYMENT);
    patch_on_server(WEB "/status",
                    "{\"status\":{\"readyReplicas\":2,\"replicas\":2,"
                    "\"conditions\":[{\"type\":\"A\",\"status\":\"True\"}]}}");
    start(&status_writer);
    wait_for_calls(2);
    wait_until_idle();

    /* What the type knows is as the record says, empty or not. */
    assert_has(on_server(WEB), "\"replicas\":3");
    assert_null(strstr(on_server(WEB), "readyReplicas"));
    assert_null(strstr(on_server(WEB), "\"type\":\"A\""));
    end();
}

/* Deployments as an older program knows them: their status has two fields,
 * availableReplicas and collisionCount. */
static struct yl_type old_types[256];
static struct yl_type_set old_set;
static struct yl_kind old_kind;

static void
make_old_kind(void)
{
    const struct yl_type_set *set = apps_v1_deployment_kind.set;
    struct yl_type_ref type = yl_kind_type(&apps_v1_deployment_kind);
    const struct yl_field *status = yl_type_field(type, YL_STR("status"));

    assert_true(set->n_types <= YL_ARRAY_SIZE(old_types));
    memcpy(old_types, set->types, set->n_types * sizeof *old_types);
    old_types[set->values[status->value].type].n_fields = 2;
    old_set = *set;
    old_set.types = old_types;
    old_kind = apps_v1_deployment_kind;
    old_kind.set = &old_set;
}

static int
write_old_status(struct yl_request *req)
{
    const struct apps_v1_deployment_status status = {
        .available_replicas = 1, .replicas = 9 };
    const struct apps_v1_deployment *d = yl_request_record(req, &old_kind);
    int r;

    assert_int_equal(d->status.replicas, 0);
    r = yl_request_update_status(req, &old_kind, &status);
    note_call(req);
    return r;
}

static const struct yl_controller old_status_writer = {
    .name = "old-status-writer",
    .reconcile = write_old_status,
    .watches = YL_WATCHES({ .for_ = &old_kind }),
};

TEST(members_of_a_status_that_the_record_does_not_know_stay)
{
    begin();
    make_old_kind();
    apply(DEPLOYMENT);
    patch_on_server(WEB "/status",
                    "{\"status\":{\"readyReplicas\":3,\"replicas\":3}}");
    start(&old_status_writer);
    wait_for_calls(2);
    wait_until_idle();
    assert_has(on_server(WEB), "\"availableReplicas\":1");
    assert_has(on_server(WEB), "\"replicas\":3");
    assert_has(on_server(WEB), "\"readyReplicas\":3");
    end();
}

/* Own writes: each reconcile counts up a number that it reads from the cache.
 * If it ever saw an old one, a number would come twice. */
static atomic_uint n_conflicts;
static unsigned rounds;

static int
count_up(struct yl_request *req)
{
    const struct core_v1_config_map *map = core_v1_config_map_of(req);
    long value = map->n_data ? strtol(map->data[0].value, NULL, 10) : 0;
    const char *json;
    int r;

    if (value >= (long) rounds) {
        note_call(req);
        return 0;
    }
    json = yl_arena_printf(
        yl_request_arena(req),
        "{\"metadata\":{\"resourceVersion\":\"%llu\"},"
        "\"data\":{\"n\":\"%ld\"}}",
        (unsigned long long) yl_request_revision(req), value + 1);
    r = yl_request_patch(req, &core_v1_config_map_kind, yl_request_key(req),
                         NULL, yl_str_c(json), NULL);
    n_conflicts += r == YL_ECONFLICT;
    if (r == 0) {
        yl_requeue_after(req, 0);
    }
    return r;
}

static const struct yl_controller counter = {
    .name = "counter",
    .reconcile = count_up,
    .watches = YL_WATCHES({ .for_ = &core_v1_config_map_kind,
                            .namespace_ = "default" }),
};

TEST(a_key_waits_until_the_cache_has_its_own_writes)
{
    begin();
    n_conflicts = 0;
    rounds = 50;
    start(&counter);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(1);
    wait_until_idle();
    assert_int_equal(n_conflicts, 0);
    assert_has(on_server("/api/v1/namespaces/default/configmaps/one"),
               "\"n\":\"50\"");
    end();
}

/* Owned objects. */
static _Atomic(const char *) wanted;    /* A value of the owned object. */
static atomic_uint n_applies;

static int
own(struct yl_request *req)
{
    const struct core_v1_config_map *map = core_v1_config_map_of(req);
    const char *value = wanted;
    const struct yl_string_pair data[] = {
        { "a", value }, { "b", "always" } };
    const struct core_v1_config_map want = {
        .metadata.name = "owned",
        .data = value ? data : data + 1,
        .n_data = value ? 2 : 1,
    };
    const struct core_v1_config_map *have = NULL;
    int r;

    if (!map || !strcmp(map->metadata.name, "owned")) {
        return 0;
    }
    r = core_v1_config_map_apply_owned(req, &want, &have);
    if (r == 0) {
        assert_string_equal(have->metadata.name, "owned");
        assert_int_equal(have->n_data, want.n_data);
        assert_string_equal(have->metadata.owner_references[0].name,
                            map->metadata.name);
    }
    note_call(req);
    return r;
}

/* Owner and owned are of one kind. */
static const struct yl_controller maker = {
    .name = "maker",
    .reconcile = own,
    .watches = YL_WATCHES({ .for_ = &core_v1_config_map_kind,
                            .namespace_ = "default" }),
};

TEST(owned_objects_are_applied_with_an_owner_reference)
{
    const char *json;

    begin();
    wanted = "x";
    start(&maker);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(1);
    json = on_server("/api/v1/namespaces/default/configmaps/owned");
    assert_has(json, "\"a\":\"x\"");
    assert_has(json, "\"blockOwnerDeletion\":true");
    assert_has(json, "\"controller\":true");
    assert_has(json, "\"manager\":\"maker\"");
    assert_has(json, "\"operation\":\"Apply\"");

    /* What is no longer wanted goes. */
    wanted = NULL;
    apply(CONFIG_MAP("one", "data: {x: z}"));
    wait_for_calls(2);
    json = on_server("/api/v1/namespaces/default/configmaps/owned");
    assert_null(strstr(json, "\"a\":\"x\""));
    end();
}

static int
own_secret(struct yl_request *req)
{
    const struct core_v1_secret want = {
        .metadata.name = "owned",
        .type = "example.com/mine",
    };
    const struct core_v1_secret *have;
    int r;

    if (!core_v1_config_map_of(req)) {
        return 0;
    }
    r = core_v1_secret_apply_owned(req, &want, &have);
    n_applies += req->n_awaits != 0;
    if (r == 0) {
        assert_string_equal(have->metadata.namespace_, "default");
    }
    note_call(req);
    return r;
}

static const struct yl_controller secret_maker = {
    .name = "secret-maker",
    .reconcile = own_secret,
    .watches = YL_WATCHES({ .for_ = &core_v1_config_map_kind,
                            .namespace_ = "default" },
                          { .owns = &core_v1_secret_kind }),
};

TEST(what_is_applied_already_is_not_sent_again)
{
    begin();
    n_applies = 0;
    start(&secret_maker);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(2);          /* Its own event is the second. */
    wait_until_idle();
    assert_int_equal(n_applies, 1);

    /* Somebody takes something of it away: then it is. */
    patch_on_server("/api/v1/namespaces/default/secrets/owned",
                    "{\"metadata\":{\"ownerReferences\":null}}");
    wait_for_calls(3);
    wait_until_idle();
    assert_has(on_server("/api/v1/namespaces/default/secrets/owned"),
               "\"ownerReferences\"");
    assert_int_equal(n_applies, 2);
    end();
}

/* Nobody says when an object that is not watched goes. */
static int
own_unwatched(struct yl_request *req)
{
    const struct core_v1_service_account want = { .metadata.name = "owned" };
    int r;

    if (!yl_request_object(req)) {
        return 0;
    }
    r = core_v1_service_account_apply_owned(req, &want, NULL);
    note_call(req);
    return r;
}

static const struct yl_controller account_maker = {
    .name = "account-maker",
    .reconcile = own_unwatched,
    .watches = YL_WATCHES({ .for_ = &core_v1_config_map_kind,
                            .namespace_ = "default" }),
};

TEST(what_no_cache_shows_is_not_remembered)
{
    begin();
    start(&account_maker);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(1);
    wait_until_idle();
    assert_has(on_server("/api/v1/namespaces/default/serviceaccounts/owned"),
               "\"name\":\"owned\"");
    assert_int_equal(yl_applied_count(manager->runners[0]->applied), 0);
    end();
}

/* An empty object says something. */
static int
own_policy(struct yl_request *req)
{
    static const struct yl_label_selector all;
    static const struct networking_v1_network_policy_peer peer = {
        .pod_selector = &all, .namespace_selector = &all };
    static const struct networking_v1_network_policy_ingress_rule rule = {
        .from = &peer, .n_from = 1 };
    static const struct networking_v1_network_policy want = {
        .metadata.name = "owned",
        .spec.ingress = &rule,
        .spec.n_ingress = 1,
    };
    int r;

    if (!yl_request_object(req)) {
        return 0;
    }
    r = networking_v1_network_policy_apply_owned(req, &want, NULL);
    n_applies += req->n_awaits != 0;
    note_call(req);
    return r;
}

static const struct yl_controller policy_maker = {
    .name = "policy-maker",
    .reconcile = own_policy,
    .watches = YL_WATCHES({ .for_ = &core_v1_config_map_kind,
                            .namespace_ = "default" },
                          { .owns = &networking_v1_network_policy_kind }),
};
#define POLICY                                                                \
    "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies/owned"

TEST(an_empty_object_that_was_taken_away_is_applied_again)
{
    begin();
    n_applies = 0;
    start(&policy_maker);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(2);
    wait_until_idle();
    assert_int_equal(n_applies, 1);
    patch_on_server(POLICY, "{\"spec\":{\"ingress\":[{\"from\":"
                            "[{\"podSelector\":{}}]}]}}");
    wait_for_calls(4);
    wait_until_idle();
    assert_int_equal(n_applies, 2);
    assert_has(on_server(POLICY), "\"namespaceSelector\":{}");
    end();
}

/* Cleanup. */
static atomic_uint n_cleanups;
static int cleanup_result;

static int
cleanup(struct yl_request *req)
{
    assert_non_null(core_v1_config_map_of(req));
    n_cleanups++;
    return cleanup_result++ < 0 ? YL_EUNAVAILABLE : 0;
}

static int
see_finalizer(struct yl_request *req)
{
    assert_non_null(yl_request_object(req));
    assert_true(yl_request_has_finalizer(req));
    note_call(req);
    return 0;
}

static const struct yl_controller cleaner = {
    .name = "cleaner",
    .reconcile = see_finalizer,
    .cleanup = cleanup,
    .finalizer = "example.com/cleaner",
    .watches = YL_WATCHES({ .for_ = &core_v1_config_map_kind,
                            .namespace_ = "default" }),
    .retry_max = 1,
};

static bool
is_on_server(const char *name)
{
    struct yl_key key = yl_key_make(YL_STR("default"), yl_str_c(name));
    struct core_v1_config_map map;

    return core_v1_config_map_client_get(the_client, &key, NULL, scratch,
                                         &map, NULL) == 0;
}

TEST(cleanup_runs_before_the_object_goes_until_it_succeeds)
{
    struct yl_key key = yl_key_make(YL_STR("default"), YL_STR("one"));

    begin();
    n_cleanups = 0;
    cleanup_result = -2;
    start(&cleaner);
    apply("apiVersion: v1\nkind: ConfigMap\n"
          "metadata: {name: one, namespace: default, "
          "finalizers: [example.com/other]}\n");
    wait_for_calls(1);
    assert_has(on_server("/api/v1/namespaces/default/configmaps/one"),
               "[\"example.com/other\",\"example.com/cleaner\"]");
    wait_until_idle();
    assert_int_equal(core_v1_config_map_client_delete(
        the_client, &key, NULL, NULL, &fault), 0);
    while (strstr(on_server("/api/v1/namespaces/default/configmaps/one"),
                  "example.com/cleaner")) {
        sched_yield();
    }
    assert_int_equal(n_cleanups, 3);
    assert_true(is_on_server("one"));
    patch_on_server("/api/v1/namespaces/default/configmaps/one",
                    "{\"metadata\":{\"finalizers\":null}}");
    assert_false(is_on_server("one"));
    wait_until_idle();
    assert_int_equal(n_cleanups, 3);
    end();
}

/* Create or update. */
static int
set_value(struct yl_request *req YL_UNUSED, void *record, void *aux)
{
    static const struct yl_string_pair data[] = { { "k", "v" } };
    struct core_v1_secret *secret = record;

    assert_ptr_equal(aux, &n_applies);
    secret->string_data = NULL;
    secret->type = "example.com/x";
    secret->metadata.labels = data;
    secret->metadata.n_labels = 1;
    return 0;
}

static int results[8];

static int
ensure(struct yl_request *req)
{
    struct yl_key key = yl_key_make(YL_STR("default"), YL_STR("made"));
    const struct core_v1_secret *have;
    int r = core_v1_secret_create_or_update(req, &key, set_value, &n_applies,
                                            &have);

    if (r >= 0) {
        assert_string_equal(have->metadata.labels[0].value, "v");
    }
    results[n_calls] = r;
    note_call(req);
    return r;
}

static const struct yl_controller ensurer = {
    .name = "ensurer",
    .reconcile = ensure,
    .watches = YL_WATCHES({ .for_ = &core_v1_config_map_kind,
                            .namespace_ = "default" },
                          { .other = &core_v1_secret_kind, .map = NULL }),
};

static void
to_one(struct yl_enqueuer *to, const struct yl_object *object YL_UNUSED,
       const struct yl_object *old YL_UNUSED, void *aux YL_UNUSED)
{
    struct yl_key key = yl_key_make(YL_STR("default"), YL_STR("one"));

    yl_enqueue(to, &key);
}

TEST(create_or_update_writes_only_what_changes)
{
    struct yl_watch watches[3];
    struct yl_controller mine = ensurer;

    memcpy(watches, ensurer.watches, sizeof watches);
    watches[1].map = to_one;
    mine.watches = watches;
    begin();
    start(&mine);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(2);
    wait_until_idle();
    assert_int_equal(results[0], 1);
    assert_int_equal(results[1], 0);
    patch_on_server("/api/v1/namespaces/default/secrets/made",
                    "{\"metadata\":{\"labels\":{\"k\":\"w\",\"z\":\"z\"}}}");
    wait_for_calls(4);
    wait_until_idle();
    assert_int_equal(results[2], 1);
    assert_int_equal(results[3], 0);
    assert_has(on_server("/api/v1/namespaces/default/secrets/made"),
               "\"k\":\"v\"");
    end();
}

static bool
contains(const char *have, const char *want)
{
    struct yl_node *have_node, *want_node;

    assert_int_equal(yl_tree_parse(scratch, yl_str_c(have), NULL, &have_node,
                                   NULL), 0);
    assert_int_equal(yl_tree_parse(scratch, yl_str_c(want), NULL, &want_node,
                                   NULL), 0);
    return yl_contains(have_node, want_node);
}

TEST(contains_compares_what_is_wanted)
{
    scratch = yl_arena_new();
    assert_true(contains("{\"a\":1,\"b\":2}", "{\"a\":1}"));
    assert_false(contains("{\"a\":1,\"b\":2}", "{\"a\":2}"));
    assert_false(contains("{\"b\":2}", "{\"a\":2}"));
    assert_true(contains("{\"b\":2}", "{\"c\":[],\"d\":null}"));
    assert_false(contains("{\"b\":2}", "{\"a\":{}}"));
    assert_false(contains("{\"d\":2}", "{\"d\":null}"));
    assert_false(contains("{\"a\":2}", "{\"a\":{}}"));
    assert_true(contains("{\"a\":[{\"x\":1,\"y\":2}]}",
                         "{\"a\":[{\"x\":1}]}"));
    assert_false(contains("{\"a\":[1,2]}", "{\"a\":[1]}"));
    assert_false(contains("{\"a\":[1]}", "{\"a\":[]}"));
    yl_arena_free(scratch);
}

/* A conflict: somebody else writes between the reading and the writing. */
static uint64_t seen_revisions[4];

static int
collide(struct yl_request *req)
{
    seen_revisions[n_calls] = yl_request_revision(req);
    if (n_calls == 0) {
        patch_on_server(WEB, "{\"metadata\":{\"labels\":{\"x\":\"z\"}}}");
    }
    note_call(req);
    return apps_v1_deployment_update_status(
        req, &(struct apps_v1_deployment_status) { .replicas = 3 });
}

static const struct yl_controller colliding = {
    .name = "colliding",
    .reconcile = collide,
    .watches = YL_WATCHES({ .for_ = &apps_v1_deployment_kind,
                            .changed = YL_GENERATION }),
    .retry_min = 3600 * 1000,   /* A back-off would never end. */
    .retry_max = 3600 * 1000,
};

TEST(after_a_conflict_the_key_waits_for_something_newer)
{
    begin();
    start(&colliding);
    apply(DEPLOYMENT);
    wait_for_calls(2);
    wait_until_idle();
    assert_true(seen_revisions[1] > seen_revisions[0]);
    assert_has(on_server(WEB), "\"replicas\":3");
    assert_has(on_server(WEB), "\"x\":\"z\"");
    end();
}

/* The same with something that it owns, which the cache has shown again before
 * the answer has come: nothing newer will follow. */
static int
meddle(struct yl_request *req, void *record, void *aux YL_UNUSED)
{
    static const bool yes = true;
    struct core_v1_secret *secret = record;
    struct yl_key key = yl_key_make(YL_STR("default"), YL_STR("made"));
    struct yl_store *store = yl_request_store(req, &core_v1_secret_kind);
    struct yl_versioned before, now;

    if (n_calls == 0) {
        assert_true(yl_store_get(store, &key, yl_request_arena(req),
                                 &before));
        patch_on_server("/api/v1/namespaces/default/secrets/made",
                        "{\"metadata\":{\"labels\":{\"x\":\"z\"}}}");
        do {
            assert_true(yl_store_get(store, &key, yl_request_arena(req),
                                     &now));
        } while (now.revision == before.revision);
    }
    secret->immutable = &yes;
    return 0;
}

static int
collide_with_secret(struct yl_request *req)
{
    struct yl_key key = yl_key_make(YL_STR("default"), YL_STR("made"));
    int r = core_v1_secret_create_or_update(req, &key, meddle, NULL, NULL);

    note_call(req);
    return r;
}

static const struct yl_controller colliding_with_secret = {
    .name = "colliding-with-secret",
    .reconcile = collide_with_secret,
    .watches = YL_WATCHES({ .for_ = &core_v1_config_map_kind,
                            .namespace_ = "default" },
                          { .owns = &core_v1_secret_kind }),
    .retry_min = 3600 * 1000,
    .retry_max = 3600 * 1000,
};

TEST(after_a_conflict_the_key_does_not_wait_for_what_was_seen)
{
    begin_held();               /* No wait ends by itself. */
    apply("apiVersion: v1\nkind: Secret\n"
          "metadata: {name: made, namespace: default}\n");
    start(&colliding_with_secret);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(2);
    wait_until_idle();
    assert_has(on_server("/api/v1/namespaces/default/secrets/made"),
               "\"immutable\":true");
    end();
}

/* Objects of another namespace than that of the request. */
static int
ensure_elsewhere(struct yl_request *req)
{
    struct yl_key key = yl_key_make(YL_STR("other"), YL_STR("made"));
    const struct core_v1_config_map astray = {
        .metadata.name = "x", .metadata.namespace_ = "other" };
    int r = core_v1_secret_create_or_update(req, &key, set_value, &n_applies,
                                            NULL);

    assert_int_equal(core_v1_config_map_apply_owned(req, &astray, NULL),
                     YL_EINVALID);
    assert_non_null(strstr(yl_error_message(yl_request_error(req)),
                           "in another namespace"));
    results[0] = r;
    note_call(req);
    return 0;
}

static const struct yl_controller elsewhere = {
    .name = "elsewhere",
    .reconcile = ensure_elsewhere,
    .watches = YL_WATCHES({ .for_ = &core_v1_config_map_kind,
                            .namespace_ = "default" }),
};

TEST(another_namespace_is_written_to_but_nothing_there_is_owned)
{
    begin();
    apply("apiVersion: v1\nkind: Namespace\nmetadata: {name: other}\n");
    start(&elsewhere);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(1);
    assert_int_equal(results[0], 1);
    assert_has(on_server("/api/v1/namespaces/other/secrets/made"),
               "\"k\":\"v\"");
    end();
}

/* A kind may be watched several times, each time a part of it. */
static int
use_parts(struct yl_request *req)
{
    struct yl_key made = yl_key_make(YL_STR("default"), YL_STR("made"));
    struct yl_key hidden = yl_key_make(YL_STR("default"), YL_STR("hidden"));

    if (n_calls == 0) {
        /* Its labels are those of the second watch. */
        results[0] = core_v1_secret_create_or_update(req, &made, set_value,
                                                     &n_applies, NULL);
        assert_int_equal(req->n_awaits, 1);
        assert_int_equal(req->awaits[0].source, 2);

        /* No cache has it, but the server does. */
        results[1] = core_v1_secret_create_or_update(req, &hidden, set_value,
                                                     &n_applies, NULL);
        yl_requeue_after(req, 0);
    } else if (n_calls == 1) {
        results[2] = core_v1_secret_create_or_update(req, &made, set_value,
                                                     &n_applies, NULL);
        results[3] = core_v1_secret_create_or_update(req, &hidden, set_value,
                                                     &n_applies, NULL);
    }
    note_call(req);
    return 0;
}

static const struct yl_controller using_parts = {
    .name = "using-parts",
    .reconcile = use_parts,
    .watches = YL_WATCHES({ .for_ = &core_v1_config_map_kind,
                            .namespace_ = "default" },
                          { .owns = &core_v1_secret_kind,
                            .namespace_ = "kube-system" },
                          { .owns = &core_v1_secret_kind,
                            .label_selector = "k=v" }),
};

TEST(each_watch_of_a_kind_counts)
{
    begin();
    apply("apiVersion: v1\nkind: Secret\n"
          "metadata: {name: hidden, namespace: default}\n"
          "type: example.com/x\n");
    start(&using_parts);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(2);
    wait_until_idle();
    assert_int_equal(results[0], 1);
    assert_int_equal(results[1], 1);
    assert_int_equal(results[2], 0);
    assert_int_equal(results[3], 0);
    end();
}

/* What a selector hides is not waited for. */
static int
hide(struct yl_request *req)
{
    int r = 0;

    if (yl_request_object(req)) {
        r = yl_request_patch(req, &core_v1_config_map_kind,
                             yl_request_key(req), NULL,
                             YL_STR("{\"metadata\":{\"labels\":null}}"), NULL);
        assert_int_equal(req->n_awaits, 0);
    }
    note_call(req);
    return r;
}

static const struct yl_controller hiding = {
    .name = "hiding",
    .reconcile = hide,
    .watches = YL_WATCHES({ .for_ = &core_v1_config_map_kind,
                            .label_selector = "mine" }),
};

TEST(writes_that_the_cache_cannot_show_are_not_awaited)
{
    begin();
    start(&hiding);
    apply("apiVersion: v1\nkind: ConfigMap\n"
          "metadata: {name: one, namespace: default, labels: {mine: z}}\n");
    wait_for_calls(2);
    assert_false(last_existed);
    end();
}

/* Deleting what one owns. */
static int
delete_secret(struct yl_request *req)
{
    struct yl_key key = yl_key_make(YL_STR("default"), YL_STR("old"));
    struct yl_versioned item;
    int r = 0;

    if (yl_store_get(yl_request_store(req, &core_v1_secret_kind), &key,
                     yl_request_arena(req), &item)) {
        r = yl_request_delete(req, &core_v1_secret_kind, &key,
                              yl_object_uid(item.object));
        assert_int_equal(req->n_awaits, 1);
        yl_requeue_after(req, 0);
    } else {
        assert_int_equal(yl_request_delete(req, &core_v1_secret_kind, &key,
                                           yl_str_null()), 0);
        note_call(req);
    }
    assert_null(yl_request_store(req, &core_v1_pod_kind));
    return r;
}

static const struct yl_controller deleting = {
    .name = "deleting",
    .reconcile = delete_secret,
    .watches = YL_WATCHES({ .for_ = &core_v1_config_map_kind,
                            .namespace_ = "default" },
                          { .owns = &core_v1_secret_kind }),
};

TEST(a_key_waits_until_what_it_deleted_is_gone)
{
    begin();
    apply("apiVersion: v1\nkind: Secret\n"
          "metadata: {name: old, namespace: default}\n");
    start(&deleting);
    apply(CONFIG_MAP("one", ""));

    /* If it saw its own past, it would find the Secret once more and fail to
     * delete it: the uid is a precondition. */
    wait_for_calls(1);
    wait_until_idle();
    assert_int_equal(
        yl_counter_value(manager->runners[0]->errors), 0);
    end();
}

static int
misuse(struct yl_request *req)
{
    const struct core_v1_config_map nameless = { .data = NULL };
    const struct core_v1_node node = { .metadata.name = "x" };

    if (yl_request_object(req)) {
        assert_int_equal(core_v1_config_map_apply_owned(req, &nameless, NULL),
                         YL_EINVALID);
        assert_int_equal(core_v1_node_apply_owned(req, &node, NULL),
                         YL_EINVALID);
        assert_non_null(strstr(yl_error_message(yl_request_error(req)),
                               "cannot own a Node"));
        assert_int_equal(yl_request_update_status(
            req, &core_v1_config_map_kind, NULL), YL_EINVALID);
        assert_int_equal(yl_request_update_status(
            req, &core_v1_pod_kind, NULL), YL_EINVALID);
        assert_int_equal(yl_request_time_left(req), YL_NEVER);
        assert_string_equal(yl_request_call_opts(req)->field_manager,
                            "misusing");
        assert_ptr_equal(yl_request_controller(req)->reconcile, misuse);
        assert_int_equal(yl_request_n_failures(req), 0);
    } else {
        assert_int_equal(core_v1_config_map_apply_owned(req, &nameless, NULL),
                         YL_ENOTFOUND);
        assert_int_equal(yl_request_owner_json(req).size, 0);
    }
    note_call(req);
    return 0;
}

static const struct yl_controller misusing = {
    .name = "misusing",
    .reconcile = misuse,
    .watches = YL_WATCHES({ .for_ = &core_v1_config_map_kind,
                            .namespace_ = "default" }),
};

TEST(misuse_is_an_error_that_says_what)
{
    struct yl_key key = yl_key_make(YL_STR("default"), YL_STR("one"));

    begin();
    start(&misusing);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(1);
    assert_int_equal(core_v1_config_map_client_delete(
        the_client, &key, NULL, NULL, &fault), 0);
    wait_for_calls(2);
    end();
}
