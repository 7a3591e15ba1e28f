/* Tests of RBAC over a keyspace: it follows writes, aggregates, and starts
 * from what is stored.  Decisions are tested with the index. */

#include "apiserver/auth/rbac.h"

#include <unistd.h>

#include "apiserver/auth/authorize.h"
#include "apiserver/auth/user.h"
#include "apiserver/keyspace/keyspace.h"
#include "base/thread.h"
#include "storage/memory.h"
#include "storage/storage.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

struct fixture {
    struct yl_storage *storage;
    struct yl_keyspace *ks;
    struct yl_rbac_opts opts;
    struct yl_rbac *rbac;
    struct yl_arena *arena;
};

static struct yl_ks_resource *
add(struct fixture *f, const char *prefix, bool namespaced, const char *kind)
{
    const struct yl_type_meta type = {
        YL_STR("rbac.authorization.k8s.io/v1"), yl_str_c(kind)
    };
    struct yl_ks_resource *resource = NULL;

    assert_int_equal(yl_keyspace_add(f->ks, yl_str_c(prefix), namespaced, type,
                                     &resource, NULL), 0);
    return resource;
}

static void
fixture_open(struct fixture *f)
{
    const struct yl_keyspace_opts opts = { .max_batch = 0 };

    f->ks = yl_keyspace_new(f->storage, &opts);
    f->opts = (struct yl_rbac_opts) {
        .keyspace = f->ks,
        .cluster_roles = add(f, "/registry/clusterroles/", false,
                             "ClusterRole"),
        .cluster_role_bindings = add(f, "/registry/clusterrolebindings/",
                                     false, "ClusterRoleBinding"),
        .roles = add(f, "/registry/roles/", true, "Role"),
        .role_bindings = add(f, "/registry/rolebindings/", true,
                             "RoleBinding"),
    };
    assert_int_equal(yl_keyspace_load(f->ks, NULL), 0);
    assert_int_equal(yl_keyspace_start(f->ks, NULL), 0);
    assert_int_equal(yl_rbac_new(&f->opts, &f->rbac, NULL), 0);
}

static void
fixture_close(struct fixture *f)
{
    yl_rbac_free(f->rbac);
    yl_keyspace_free(f->ks);
}

static void
fixture_init(struct fixture *f)
{
    f->storage = yl_memory_new(NULL);
    f->arena = yl_arena_new();
    fixture_open(f);
}

static void
fixture_release(struct fixture *f)
{
    fixture_close(f);
    yl_storage_close(f->storage);
    yl_arena_free(f->arena);
}

/* Writes an object, whose text has ' for "; NULL deletes it. */
static void
put(struct fixture *f, struct yl_ks_resource *resource, const char *name,
    const char *rest)
{
    struct yl_key key = { YL_STR(""), yl_str_c(name) };
    struct yl_ks_write write = { .resource = resource, .key = key };
    struct yl_object *old, *object = NULL;

    if (rest) {
        char *json = yl_arena_printf(f->arena, "{'metadata':{'name':'%s'%s",
                                     name, rest), *p;

        for (p = json; *p; p++) {
            *p = *p == '\'' ? '"' : *p;
        }
        assert_int_equal(yl_object_ingest(yl_str_c(json), NULL, &object,
                                          NULL), 0);
    }
    if (yl_ks_get(resource, key, &old, &write.expected) == 0) {
        yl_object_unref(old);
    }
    write.object = object;
    assert_int_equal(yl_keyspace_write_wait(f->ks, &write), 0);
    yl_object_unref(object);
}

static bool
may(struct fixture *f, const char *user, const char *resource)
{
    const struct yl_user who = { .name = yl_str_c(user) };
    const struct yl_attributes attributes = {
        .user = &who, .verb = YL_STR("get"), .is_resource = true,
        .resource = yl_str_c(resource),
    };

    return yl_rbac_authorize(f->rbac, &attributes, f->arena, NULL);
}

#define BINDING                                                               \
    "},'roleRef':{'kind':'ClusterRole','name':'all'},"                        \
    "'subjects':[{'kind':'User','name':'u'}]}"
#define RULES(RESOURCE)                                                       \
    "'rules':[{'verbs':['get'],'apiGroups':[''],'resources':['" RESOURCE      \
    "']}]}"
#define AGGREGATES                                                            \
    "},'aggregationRule':{'clusterRoleSelectors':[{'matchLabels':"            \
    "{'to':'all'}}]},'rules':null}"

TEST(a_write_is_in_force_when_it_is_answered)
{
    struct fixture f;

    fixture_init(&f);
    put(&f, f.opts.cluster_role_bindings, "b", BINDING);
    assert_false(may(&f, "u", "pods"));
    put(&f, f.opts.cluster_roles, "all", "}," RULES("pods"));
    assert_true(may(&f, "u", "pods"));
    put(&f, f.opts.cluster_roles, "all", "}," RULES("nodes"));
    assert_false(may(&f, "u", "pods"));
    assert_true(may(&f, "u", "nodes"));
    put(&f, f.opts.cluster_role_bindings, "b", NULL);
    assert_false(may(&f, "u", "nodes"));
    fixture_release(&f);
}

TEST(a_start_reads_what_is_stored)
{
    const struct yl_user user = { .name = YL_STR("u") };
    struct yl_policy policy;
    struct yl_str errors;
    struct fixture f;
    int i;

    fixture_init(&f);
    for (i = 0; i < 200; i++) {
        put(&f, f.opts.cluster_roles, yl_arena_printf(f.arena, "r%d", i),
            "}," RULES("x"));
    }
    put(&f, f.opts.cluster_role_bindings, "b", BINDING);
    put(&f, f.opts.cluster_roles, "all", "}," RULES("pods"));
    fixture_close(&f);
    fixture_open(&f);
    assert_true(may(&f, "u", "pods"));
    policy = yl_rbac_rules(f.rbac, &user, YL_STR("n"), f.arena, &errors);
    assert_int_equal(policy.n, 1);
    assert_int_equal(yl_rbac_role(f.rbac, YL_STR(""), YL_STR("r7"), f.arena,
                                  &policy), 0);
    assert_int_equal(yl_rbac_role(f.rbac, YL_STR(""), YL_STR("none"),
                                  f.arena, &policy), YL_ENOTFOUND);
    fixture_release(&f);
}

TEST(aggregated_roles_are_written)
{
    struct yl_object *object;
    struct fixture f;
    uint64_t revision;

    fixture_init(&f);
    put(&f, f.opts.cluster_role_bindings, "b", BINDING);
    put(&f, f.opts.cluster_roles, "all", AGGREGATES);
    put(&f, f.opts.cluster_roles, "part", ",'labels':{'to':'all'}},"
        RULES("pods"));
    yl_rbac_settle(f.rbac);
    assert_true(may(&f, "u", "pods"));
    assert_int_equal(yl_ks_get(f.opts.cluster_roles,
                               yl_key_make(YL_STR(""), YL_STR("all")),
                               &object, &revision), 0);
    assert_str_equal(yl_json_raw(yl_object_field(object, f.arena, "rules")),
                     "[{\"apiGroups\":[\"\"],\"resources\":[\"pods\"],"
                     "\"verbs\":[\"get\"]}]");
    yl_object_unref(object);

    /* Nothing to do is nothing done. */
    yl_rbac_settle(f.rbac);
    assert_int_equal(yl_keyspace_revision(f.ks), revision);

    /* Through another aggregated one. */
    put(&f, f.opts.cluster_roles, "middle", ",'labels':{'to':'all'}},"
        "'aggregationRule':{'clusterRoleSelectors':[{'matchLabels':"
        "{'to':'middle'}}]}}");
    put(&f, f.opts.cluster_roles, "deep", ",'labels':{'to':'middle'}},"
        RULES("deep"));
    yl_rbac_settle(f.rbac);
    assert_true(may(&f, "u", "deep"));
    put(&f, f.opts.cluster_roles, "part", NULL);
    yl_rbac_settle(f.rbac);
    assert_false(may(&f, "u", "pods"));
    fixture_release(&f);
}

/* A role that selects those labelled with the name of 'from'. */
#define SELECTS(TO, FROM, RESOURCE)                                           \
    ",'labels':{'to':'" TO "'}},'aggregationRule':{'clusterRoleSelectors':["  \
    "{'matchLabels':{'to':'" FROM "'}}]}," RULES(RESOURCE)

TEST(roles_that_select_each_other_settle)
{
    struct fixture f;
    uint64_t revision;

    fixture_init(&f);
    put(&f, f.opts.cluster_role_bindings, "b", BINDING);
    put(&f, f.opts.cluster_roles, "leaf", ",'labels':{'to':'c'}},"
        RULES("leaf"));
    put(&f, f.opts.cluster_roles, "all", SELECTS("c", "a", "one"));
    put(&f, f.opts.cluster_roles, "b", SELECTS("a", "b", "two"));
    put(&f, f.opts.cluster_roles, "c", SELECTS("b", "c", "three"));
    yl_rbac_settle(f.rbac);
    revision = yl_keyspace_revision(f.ks);
    usleep(5000);
    assert_int_equal(yl_keyspace_revision(f.ks), revision);
    assert_true(may(&f, "u", "leaf"));
    assert_false(may(&f, "u", "one"));
    assert_false(may(&f, "u", "two"));
    put(&f, f.opts.cluster_roles, "leaf", NULL);
    yl_rbac_settle(f.rbac);
    assert_false(may(&f, "u", "leaf"));
    fixture_release(&f);
}

struct storm {
    struct fixture *f;
    _Atomic bool stop;
    size_t n_allowed;
};

static void
ask(void *storm_)
{
    struct storm *storm = storm_;
    const struct yl_user who = { .name = YL_STR("u") };
    const struct yl_attributes attributes = {
        .user = &who, .verb = YL_STR("get"), .is_resource = true,
        .resource = YL_STR("pods"),
    };
    struct yl_arena *arena = yl_arena_new();
    struct yl_str reason;

    while (!storm->stop) {
        storm->n_allowed += yl_rbac_authorize(storm->f->rbac, &attributes,
                                              arena, &reason);
        yl_arena_clear(arena);
    }
    yl_arena_free(arena);
}

TEST(questions_and_changes_do_not_meet)
{
    struct fixture f;
    struct storm storms[2] = { { .f = &f }, { .f = &f } };
    struct yl_thread threads[2];
    int i;

    fixture_init(&f);
    put(&f, f.opts.cluster_role_bindings, "b", BINDING);
    for (i = 0; i < 2; i++) {
        assert_int_equal(yl_thread_start(&threads[i], "ask", ask,
                                         &storms[i]), 0);
    }
    for (i = 0; i < 200; i++) {
        put(&f, f.opts.cluster_roles, "all", "}," RULES("pods"));
        assert_true(may(&f, "u", "pods"));
        put(&f, f.opts.cluster_roles, "all", "}," RULES("nodes"));
        assert_false(may(&f, "u", "pods"));
    }
    for (i = 0; i < 2; i++) {
        storms[i].stop = true;
        yl_thread_join(&threads[i]);
    }
    fixture_release(&f);
}
