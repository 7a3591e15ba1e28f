/* Tests of builtin/builtin.h: the table itself, and what a real server made of
 * the objects that were sent to it against what the rules of this folder make
 * of them.
 *
 * Every POST of the recordings whose body is an object of a kind with rules
 * here is defaulted, prepared and validated in process.  A step counts as
 * right if the spec (or, for kinds without one, all that is not metadata and
 * status) equals the recorded one, or if the causes do.
 *
 * Left out by rule, because they take a server: bodies with parts of earlier
 * answers, what admission adds (default tolerations and taints, priority),
 * what is allocated (addresses, ports), uids, times, generated names, and
 * answers other than 201 and 422. */

#include "builtin/builtin.h"

#include "all_kinds.h"
#include "builtin_case.h"
#include "json/pointer.h"
#include "schema/normalize.h"

/* The uid that objects get here. */
#define UID "01234567-89ab-cdef-0123-456789abcdef"

struct tally {
    const char *kind;
    unsigned right;
    unsigned all;
};

struct replay {
    struct yl_arena *arena;
    struct yl_scheme *scheme;
    const char *scenario;
    struct tally tallies[96];
    size_t n_tallies;
};

static void update(const struct yl_builtin *, struct yl_arena *,
                   const struct yl_node *object, const char *body);
static void replay_files(const char *const *files, unsigned ratchet);
static void replay_file(struct replay *, const char *name);
static void replay_step(struct replay *, const struct yl_node *step);
static struct yl_node *body_of(struct replay *, const struct yl_node *step,
                               const struct yl_builtin **ret_kind);
static bool has_variable(const struct yl_node *body);
static void fill_in(struct replay *, const struct yl_builtin *,
                    struct yl_node *object);
static void normalize(struct replay *, const struct yl_builtin *,
                      struct yl_node *object);
static void restore(struct replay *, const struct yl_builtin *,
                    struct yl_node *object);
static bool same_object(struct replay *, const struct yl_node *step,
                        struct yl_node *have, struct yl_node *want,
                        struct yl_buf *why);
static bool same_kept(struct replay *, struct yl_node *have,
                      const struct yl_node *want, struct yl_buf *why);
static bool same_causes(struct replay *, const struct yl_error *,
                        const struct yl_node *body, struct yl_buf *why);
static bool same_text(struct yl_str want, const char *have);
static void drop_server_fields(struct yl_node *object);
static void drop_spec_fields(struct yl_node *spec);
static bool same(const struct yl_node *have, const struct yl_node *want,
                 struct yl_buf *path, struct yl_buf *why);
static void count(struct replay *, const char *kind, bool right);

static struct yl_node *
get(const struct yl_node *node, const char *name)
{
    return yl_node_type(node) == YL_JSON_OBJECT
           ? yl_node_get(node, yl_str_c(name)) : NULL;
}

TEST(rows_are_found_by_group_version_and_kind)
{
    assert_non_null(yl_builtin_find(YL_STR("apps"), YL_STR("v1"),
                                    YL_STR("Deployment")));
    assert_null(yl_builtin_find(YL_STR(""), YL_STR("v1"),
                                YL_STR("Deployment")));
    assert_null(yl_builtin_find(YL_STR("apps"), YL_STR("v2"),
                                YL_STR("Deployment")));
    assert_string_equal(yl_builtin_find(YL_STR("events.k8s.io"),
                                        YL_STR("v1"),
                                        YL_STR("Event"))->group,
                        "events.k8s.io");
}

/* Every kind of every stored version has a row, so that none is written by
 * accident's rules. */
TEST(rows_are_of_kinds_that_are_served)
{
    struct yl_scheme *scheme = all_kinds_new();
    const struct yl_builtin *all;
    size_t i, n;

    all = yl_builtin_all(&n);
    for (i = 0; i < n; i++) {
        const struct yl_kind *kind = yl_scheme_find(
            scheme, yl_str_c(all[i].group), yl_str_c(all[i].version),
            yl_str_c(all[i].kind));

        assert_non_null(kind);
        assert_int_equal(all[i].namespaced,
                         (kind->flags & YL_KIND_NAMESPACED) != 0);
        assert_int_equal(all[i].flags & YL_BUILTIN_UNVALIDATED ? 1 : 0,
                         !all[i].validate);
    }
    yl_scheme_free(scheme);
}

/* What an update keeps of the metadata below, but the generation. */
#define KEPT(GENERATION)                                                      \
    "'creationTimestamp':'2020-01-01T00:00:00Z',"                             \
    "'deletionGracePeriodSeconds':5,"                                         \
    "'deletionTimestamp':'2021-01-01T00:00:00Z',"                             \
    "'generation':" GENERATION ",'uid':'u'"

/* An update puts back what it may not change, and counts. */
TEST(updates_keep_identity_and_status_and_count)
{
    static const char *const old =
        "{'metadata':{'name':'a','namespace':'n','uid':'u','generation':3,"
        "'creationTimestamp':'2020-01-01T00:00:00Z','annotations':{'x':'y'},"
        "'deletionTimestamp':'2021-01-01T00:00:00Z',"
        "'deletionGracePeriodSeconds':5},"
        "'spec':{'replicas':1},'status':{'replicas':1}}";
    static const struct {
        const char *kind, *json, *want;
    } cases[] = {
        { "Deployment", "{'metadata':{'name':'a','namespace':'n',"
          "'generation':9,'annotations':{'x':'y'}},"
          "'spec':{'replicas':1},'status':{'replicas':7}}",
          "{'metadata':{'annotations':{'x':'y'},"
          "'creationTimestamp':'2020-01-01T00:00:00Z',"
          "'deletionGracePeriodSeconds':5,"
          "'deletionTimestamp':'2021-01-01T00:00:00Z',"
          "'generation':3,'name':'a','namespace':'n','uid':'u'},"
          "'spec':{'replicas':1},'status':{'replicas':1}}" },
        { "Deployment", "{'metadata':{'annotations':{'x':'y'}},"
          "'spec':{'replicas':2}}",
          "{'metadata':{'annotations':{'x':'y'}," KEPT("4") "},"
          "'spec':{'replicas':2},'status':{'replicas':1}}" },
        { "Deployment", "{'metadata':{},'spec':{'replicas':1}}",
          "{'metadata':{" KEPT("4") "},"
          "'spec':{'replicas':1},'status':{'replicas':1}}" },
        { "ReplicaSet", "{'metadata':{},'spec':{'replicas':1}}",
          "{'metadata':{" KEPT("3") "},"
          "'spec':{'replicas':1},'status':{'replicas':1}}" },
        { "ConfigMap", "{'data':{'a':'b'}}",
          "{'data':{'a':'b'},'metadata':{" KEPT("3") "}}" },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_arena *arena = yl_arena_new();
        struct yl_node *object = case_parse(arena, cases[i].json);

        yl_builtin_prepare_update(case_kind(cases[i].kind), arena, object,
                                  case_parse(arena, old));
        CASE_IS(object, cases[i].want);
        yl_arena_free(arena);
    }
}

TEST(a_write_to_status_changes_nothing_else)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *old = case_parse(
        arena, "{'apiVersion':'policy/v1','kind':'PodDisruptionBudget',"
        "'metadata':{'name':'a','namespace':'n','uid':'u','generation':3},"
        "'spec':{'a':1},'status':{'b':1}}");
    struct yl_node *object = case_parse(
        arena, "{'apiVersion':'policy/v1','kind':'PodDisruptionBudget',"
        "'metadata':{'name':'a','namespace':'n','uid':'u','generation':5},"
        "'other':1,'spec':{'a':2},'status':{'b':2}}");

    yl_builtin_prepare_status(case_kind("PodDisruptionBudget"), arena, object,
                              old);
    CASE_IS(object,
            "{'apiVersion':'policy/v1',"
            "'kind':'PodDisruptionBudget','metadata':{'generation':3,"
            "'name':'a','namespace':'n','uid':'u'},'spec':{'a':1},"
            "'status':{'b':2}}");
    assert_int_equal(yl_builtin_validate_status(
        case_kind("PodDisruptionBudget"), arena, object, old, NULL), 0);
    yl_arena_free(arena);
}

TEST(defaulting_is_idempotent)
{
    const struct yl_builtin *all;
    size_t i, n;

    all = yl_builtin_all(&n);
    for (i = 0; i < n; i++) {
        struct yl_arena *arena = yl_arena_new();
        struct yl_node *object = case_parse(
            arena, "{'metadata':{'name':'a'},'spec':{'type':'LoadBalancer',"
            "'ports':[{'port':80}],'template':{'metadata':{'labels':"
            "{'a':'b'}},'spec':{'volumes':[{'name':'v'}]}}}}");
        const char *once;

        yl_builtin_default(&all[i], arena, object);
        once = case_text(arena, object);
        yl_builtin_default(&all[i], arena, object);
        CASE_IS(object, once);
        yl_arena_free(arena);
    }
}

TEST(an_empty_object_is_no_danger)
{
    const struct yl_builtin *all;
    size_t i, n;

    all = yl_builtin_all(&n);
    for (i = 0; i < n; i++) {
        struct yl_arena *arena = yl_arena_new();
        struct yl_node *object = case_parse(arena, "{}");

        assert_int_equal(yl_builtin_validate(&all[i], arena, object, NULL),
                         YL_EINVALID);
        yl_builtin_prepare(&all[i], arena, object);
        yl_builtin_default(&all[i], arena, object);
        assert_int_equal(yl_builtin_validate(&all[i], arena, object, NULL),
                         YL_EINVALID);
        yl_arena_free(arena);
    }
}

/* Trees come from decoded objects, but a wrong type must do no harm. */
TEST(wrong_types_are_no_danger)
{
    static const char *const bodies[] = {
        "{'metadata':1,'spec':2,'status':3,'data':4}",
        "{'metadata':[],'spec':[],'status':[]}",
        "{'metadata':{'name':1,'labels':[1],'annotations':'x',"
        "'ownerReferences':[1,{}],'finalizers':[{}],'managedFields':[1]},"
        "'spec':{'template':{'spec':{'containers':[1,null,[],"
        "{'ports':[1],'env':[2],'envFrom':[[]],'volumeMounts':['x'],"
        "'resources':{'limits':[1],'requests':1}}],'volumes':[1,null]}},"
        "'containers':[1,null,{'ports':1}],'volumes':[1,[]],"
        "'ports':[1,null],'versions':[1],'taints':[1],"
        "'tolerations':[1],'strategy':'x','updateStrategy':[],"
        "'selector':'x','clusterIPs':[1],'topologySpreadConstraints':[1]}}",
    };
    const struct yl_builtin *all;
    size_t i, j, k, n;

    all = yl_builtin_all(&n);
    for (i = 0; i < n; i++) {
        for (k = 0; k < sizeof bodies / sizeof bodies[0]; k++) {
            struct yl_arena *arena = yl_arena_new();
            struct yl_node *object = case_parse(arena, bodies[k]);

            yl_builtin_default(&all[i], arena, object);
            yl_builtin_prepare(&all[i], arena, object);
            (void) yl_builtin_validate(&all[i], arena, object, NULL);
            for (j = 0; j < YL_ARRAY_SIZE(bodies); j++) {
                update(&all[i], arena, object, bodies[j]);
            }
            yl_arena_free(arena);
        }
    }
}

static void
update(const struct yl_builtin *kind, struct yl_arena *arena,
       const struct yl_node *object, const char *body)
{
    struct yl_node *old = case_parse(arena, body);
    struct yl_node *new = yl_node_copy(arena, object);

    yl_builtin_prepare_update(kind, arena, new, old);
    (void) yl_builtin_validate_update(kind, arena, new, old, NULL);
    new = yl_node_copy(arena, object);
    yl_builtin_prepare_status(kind, arena, new, old);
    (void) yl_builtin_validate_status(kind, arena, new, old, NULL);
}

TEST(recorded_answers_are_reproduced)
{
    static const char *const files[] = { "recorded/workloads.json",
                                         "recorded/kinds.json", NULL };

    replay_files(files, 991);
}

TEST(answers_recorded_for_other_ends_are_reproduced)
{
    static const char *const files[] = { "recorded/verbs.json",
                                         "recorded/patches.json",
                                         "recorded/reads.json", NULL };

    replay_files(files, 980);
}

/* Schemas are checked elsewhere, so this is about all around them. */
TEST(recorded_definitions_are_reproduced)
{
    static const char *const files[] = { "recorded/crds.json", NULL };

    replay_files(files, 550);
}

/* At least 'ratchet' of a thousand steps must be right. */
static void
replay_files(const char *const *files, unsigned ratchet)
{
    struct replay replay = { yl_arena_new(), all_kinds_new(), NULL,
                             { { NULL, 0, 0 } }, 0 };
    unsigned right = 0, all = 0;
    size_t i;

    for (; *files; files++) {
        replay_file(&replay, *files);
    }
    for (i = 0; i < replay.n_tallies; i++) {
        struct tally *t = &replay.tallies[i];

        printf("%-26s %3u of %3u\n", t->kind, t->right, t->all);
        right += t->right;
        all += t->all;
    }
    printf("%-26s %3u of %3u (%.1f %%)\n", "all", right, all,
           all ? 100.0 * right / all : 0.0);
    assert_true(all > 0);
    assert_true(right * 1000 >= all * ratchet);
    yl_scheme_free(replay.scheme);
    yl_arena_free(replay.arena);
}

static void
replay_file(struct replay *replay, const char *name)
{
    char *text = read_file(truth_path(name), NULL), *at;
    struct yl_node *root, *scenario, *step;

    /* The namespace of a scenario is a variable; give it a value of the same
     * size. */
    for (at = text; (at = strstr(at, "${NS}")) != NULL;) {
        memcpy(at, "ns-01", 5);
    }
    assert_int_equal(yl_tree_parse(replay->arena, yl_str_c(text), NULL, &root,
                                   NULL), 0);
    YL_NODE_FOR_EACH (scenario, root) {
        struct yl_at at_scenario = yl_at_root(scenario);
        struct yl_check c = { replay->arena, NULL };

        replay->scenario = yl_arena_strdup(
            replay->arena, yl_at_get_str(&c, &at_scenario, "name"));
        YL_NODE_FOR_EACH (step, get(scenario, "steps")) {
            replay_step(replay, step);
        }
    }
    free(text);
}

static void
replay_step(struct replay *replay, const struct yl_node *step)
{
    const struct yl_node *expect = get(step, "expect");
    struct yl_node *answer = get(expect, "body");
    struct yl_error err = YL_ERROR_INIT;
    const struct yl_builtin *kind;
    struct yl_node *object;
    struct yl_buf why;
    int64_t status = 0;
    bool right;

    if (!yl_node_string_is(get(step, "do"), YL_STR("POST"))
        || yl_node_int64(get(expect, "status"), &status) < 0
        || (status != 201 && status != 422)) {
        return;
    }
    object = body_of(replay, step, &kind);
    if (!object) {
        return;
    }
    yl_buf_init(&why, SIZE_MAX);
    normalize(replay, kind, object);
    yl_builtin_default(kind, replay->arena, object);
    fill_in(replay, kind, object);
    yl_builtin_prepare(kind, replay->arena, object);
    yl_builtin_validate(kind, replay->arena, object, &err);
    if (status == 422) {
        right = same_causes(replay, &err, answer, &why);
    } else if (err.n_causes) {
        yl_buf_printf(&why, "refused: %s: %s", err.causes[0].field,
                      err.causes[0].message);
        right = false;
    } else {
        restore(replay, kind, object);
        right = same_object(replay, step, object, answer, &why);
    }
    if (!right) {
        printf("%s: %s: %s\n", replay->scenario, kind->kind,
               yl_buf_c_str(&why));
    }
    count(replay, kind->kind, right);
    yl_buf_release(&why);
    yl_error_clear(&err);
}

/* A copy of the object that a step sends, if there are rules for it and its
 * path is that of a collection. */
static struct yl_node *
body_of(struct replay *replay, const struct yl_node *step,
        const struct yl_builtin **ret_kind)
{
    const struct yl_node *body = get(step, "body");
    struct yl_check c = { replay->arena, NULL };
    struct yl_at root = yl_at_root(body);
    struct yl_at at_step = yl_at_root(step);
    struct yl_str version = yl_at_get_str(&c, &root, "apiVersion");
    struct yl_str path = yl_at_get_str(&c, &at_step, "path");
    struct yl_str group = YL_STR(""), rest = version;

    if (yl_node_type(body) != YL_JSON_OBJECT || has_variable(body)
        || yl_str_ends_with(path, YL_STR("/eviction"))
        || yl_str_ends_with(path, YL_STR("/binding"))) {
        return NULL;
    }
    if (yl_str_cut(version, '/', &group, &rest)) {
        version = rest;
    }
    *ret_kind =
        yl_builtin_find(group, version, yl_at_get_str(&c, &root, "kind"));
    return *ret_kind && !((*ret_kind)->flags & YL_BUILTIN_UNVALIDATED)
           ? yl_node_copy(replay->arena, body) : NULL;
}

/* Does the body repeat parts of an earlier answer? */
static bool
has_variable(const struct yl_node *body)
{
    struct yl_buf text;
    bool found;

    yl_buf_init(&text, SIZE_MAX);
    yl_node_write(&text, body);
    found = strstr(yl_buf_c_str(&text), "${") != NULL;
    yl_buf_release(&text);
    return found;
}

/* What a server sets before it validates. */
static void
fill_in(struct replay *replay, const struct yl_builtin *kind,
        struct yl_node *object)
{
    struct yl_arena *arena = replay->arena;
    struct yl_node *metadata = yl_member_make(arena, object, "metadata");
    struct yl_check c = { arena, NULL };
    struct yl_at at = yl_at_root(metadata);
    struct yl_str prefix = yl_at_get_str(&c, &at, "generateName");

    if (prefix.size && yl_member_is_zero(metadata, "name")) {
        yl_member_set_str(
            arena, metadata, "name",
            yl_arena_printf(arena, "%.*sxxxxx", YL_STR_ARG(prefix)));
    }
    if (kind->namespaced) {
        yl_member_default_str(arena, metadata, "namespace", "ns-01");
    } else {
        yl_member_drop(metadata, "namespace");
    }
    yl_member_set_str(arena, metadata, "uid", UID);
    yl_member_drop(metadata, "managedFields");
}

/* As the kind's type would be decoded and encoded. */
static void
normalize(struct replay *replay, const struct yl_builtin *kind,
          struct yl_node *object)
{
    const struct yl_kind *k = yl_scheme_find(
        replay->scheme, yl_str_c(kind->group), yl_str_c(kind->version),
        yl_str_c(kind->kind));

    assert_non_null(k);
    (void) yl_normalize(replay->arena, yl_kind_type(k), object, NULL, NULL);
}

/* As it comes back from where it was stored. */
static void
restore(struct replay *replay, const struct yl_builtin *kind,
        struct yl_node *object)
{
    const struct yl_kind *k = yl_scheme_find(
        replay->scheme, yl_str_c(kind->group), yl_str_c(kind->version),
        yl_str_c(kind->kind));

    if (yl_str_equal_c(yl_str_c(kind->group), "apiextensions.k8s.io")) {
        normalize(replay, kind, object);
    } else {
        (void) yl_normalize_stored(replay->arena, yl_kind_type(k), object,
                                   NULL);
    }
}

static bool
same_object(struct replay *replay, const struct yl_node *step,
            struct yl_node *have, struct yl_node *want, struct yl_buf *why)
{
    struct yl_node *other = yl_node_copy(replay->arena, want);
    struct yl_buf path;
    bool right;

    if (get(step, "keep")) {
        return same_kept(replay, have, other, why);
    }
    drop_server_fields(have);
    drop_server_fields(other);
    yl_buf_init(&path, SIZE_MAX);
    right = same(have, other, &path, why);
    yl_buf_release(&path);
    return right;
}

/* Some steps only keep what some pointers lead to. */
static bool
same_kept(struct replay *replay, struct yl_node *have,
          const struct yl_node *want, struct yl_buf *why)
{
    const struct yl_node *kept;

    YL_NODE_FOR_EACH (kept, want) {
        struct yl_node *node = NULL;
        struct yl_buf path;
        bool right;

        if (kept->type == YL_JSON_NULL
            || yl_pointer_find(replay->arena, have, yl_node_key(kept), &node,
                               NULL) < 0) {
            continue;
        }
        yl_buf_init(&path, SIZE_MAX);
        right = same(node, kept, &path, why);
        yl_buf_release(&path);
        if (!right) {
            return false;
        }
    }
    return true;
}

static bool
same_causes(struct replay *replay, const struct yl_error *err,
            const struct yl_node *body, struct yl_buf *why)
{
    struct yl_node *causes = get(get(body, "details"), "causes");
    struct yl_check c = { replay->arena, NULL };
    bool *taken = yl_arena_array(replay->arena, err->n_causes + 1,
                                 sizeof *taken);
    size_t i, n = 0;

    if (!causes) {
        causes = get(body, "/details/causes");
    }
    if (!causes) {
        return err->n_causes > 0;
    }
    if (causes) {
        struct yl_at list = yl_at_root(causes);

        YL_AT_FOR_EACH (cause, &list) {
            struct yl_str message = yl_at_get_str(&c, &cause, "message");
            struct yl_str field = yl_at_get_str(&c, &cause, "field");
            struct yl_str reason = yl_at_get_str(&c, &cause, "reason");

            for (i = 0; i < err->n_causes; i++) {
                if (!taken[i] && same_text(message, err->causes[i].message)
                    && yl_str_equal_c(field, err->causes[i].field)
                    && yl_str_equal_c(reason, err->causes[i].reason)) {
                    taken[i] = true;
                    n++;
                    break;
                }
            }
            if (i == err->n_causes) {
                yl_buf_printf(why, "missing: %.*s: %.*s; ",
                              YL_STR_ARG(field), YL_STR_ARG(message));
            }
        }
    }
    for (i = 0; i < err->n_causes; i++) {
        if (!taken[i]) {
            yl_buf_printf(why, "extra: %s: %s; ", err->causes[i].field,
                          err->causes[i].message);
        }
    }
    return n == causes->n && n == err->n_causes;
}

/* The recording has "<uid 1>" where there was a uid. */
static bool
same_text(struct yl_str want, const char *have)
{
    static const char placeholder[] = "<uid 1>";
    size_t i = 0;

    while (i < want.size && *have) {
        if (want.size - i >= sizeof placeholder - 1
            && !memcmp(want.data + i, placeholder, sizeof placeholder - 1)
            && !strncmp(have, UID, sizeof UID - 1)) {
            i += sizeof placeholder - 1;
            have += sizeof UID - 1;
        } else if (want.data[i++] != *have++) {
            return false;
        }
    }
    return i == want.size && !*have;
}

static void
drop_server_fields(struct yl_node *object)
{
    struct yl_node *spec = yl_member_object(object, "spec");
    struct yl_node *template;

    yl_member_drop(object, "metadata");
    yl_member_drop(object, "status");
    yl_member_drop(object, "apiVersion");
    yl_member_drop(object, "kind");
    drop_spec_fields(spec);
    template =
        yl_member_object(yl_member_object(spec, "template"), "metadata");
    yl_member_drop(template, "creationTimestamp");
}

static void
drop_spec_fields(struct yl_node *spec)
{
    static const char *const fields[] = {
        "priority", "preemptionPolicy", "clusterIP", "clusterIPs",
        "ipFamilies", "ipFamilyPolicy", "healthCheckNodePort",
        "username", "uid", "groups",
    };
    struct yl_node *tolerations = yl_member_array(spec, "tolerations");
    struct yl_node *taints = yl_member_array(spec, "taints");
    struct yl_node *ports = yl_member_array(spec, "ports");
    struct yl_node *item, *next;
    size_t i;

    for (i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        yl_member_drop(spec, fields[i]);
    }
    if (ports) {
        YL_NODE_FOR_EACH (item, ports) {
            yl_member_drop(item, "nodePort");
        }
    }
    if (taints) {
        YL_NODE_FOR_EACH_SAFE (item, next, taints) {
            struct yl_at at = yl_at_root(item);

            if (yl_at_get_is(&at, "key", "node.kubernetes.io/not-ready")) {
                yl_node_detach(item);
            }
        }
        if (!taints->n) {
            yl_member_drop(spec, "taints");
        }
    }
    if (!tolerations) {
        return;
    }
    YL_NODE_FOR_EACH_SAFE (item, next, tolerations) {
        struct yl_at at = yl_at_root(item);

        if ((yl_at_get_is(&at, "key", "node.kubernetes.io/not-ready")
             || yl_at_get_is(&at, "key", "node.kubernetes.io/unreachable"))
            && yl_at_get_int(&at, "tolerationSeconds") == 300) {
            yl_node_detach(item);
        }
    }
    if (!tolerations->n) {
        yl_member_drop(spec, "tolerations");
    }
}

static bool
same(const struct yl_node *have, const struct yl_node *want,
     struct yl_buf *path, struct yl_buf *why)
{
    size_t size = path->size;
    const struct yl_node *a, *b;

    if (yl_node_type(want) == YL_JSON_STRING && want->raw_data
        && want->raw_size > 2 && want->raw_data[1] == '<') {
        return true;
    }
    if (yl_node_type(have) != yl_node_type(want)
        || (yl_node_type(want) < YL_JSON_ARRAY
            && !yl_node_equal(have, want))) {
        yl_buf_printf(why, "%s: ", yl_buf_c_str(path));
        if (have) {
            yl_node_write(why, have);
        }
        yl_buf_append_c(why, " instead of ");
        if (want) {
            yl_node_write(why, want);
        }
        return false;
    }
    if (want->type == YL_JSON_OBJECT) {
        YL_NODE_FOR_EACH (b, want) {
            yl_buf_printf(path, ".%.*s", YL_STR_ARG(yl_node_key(b)));
            if (!same(yl_node_get(have, yl_node_key(b)), b, path, why)) {
                return false;
            }
            path->size = size;
        }
        YL_NODE_FOR_EACH (a, have) {
            if (!yl_node_get(want, yl_node_key(a))) {
                yl_buf_printf(why, "%s.%.*s should be absent",
                              yl_buf_c_str(path), YL_STR_ARG(yl_node_key(a)));
                return false;
            }
        }
    } else if (want->type == YL_JSON_ARRAY) {
        for (a = have->first, b = want->first; a || b;
             a = a ? a->next : NULL, b = b ? b->next : NULL) {
            yl_buf_append_c(path, "[]");
            if (!same(a, b, path, why)) {
                return false;
            }
            path->size = size;
        }
    }
    return true;
}

static void
count(struct replay *replay, const char *kind, bool right)
{
    struct tally *t;
    size_t i;

    for (i = 0; i < replay->n_tallies; i++) {
        if (!strcmp(replay->tallies[i].kind, kind)) {
            break;
        }
    }
    t = &replay->tallies[i];
    if (i == replay->n_tallies) {
        t->kind = kind;
        replay->n_tallies++;
    }
    t->right += right;
    t->all++;
}
