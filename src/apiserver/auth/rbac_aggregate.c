/* Aggregation.  See apiserver/auth/rbac_aggregate.h. */

#include "apiserver/auth/rbac_aggregate.h"

#include "apiserver/auth/rbac_index.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/map.h"
#include "json/tree.h"
#include "object/object.h"
#include "yuloh/arena.h"
#include "yuloh/selector.h"

/* The ceiling for a role's rules as JSON. */
#define MAX_RULES ((size_t) 8 << 20)

/* How many levels of roles that aggregate aggregated roles are followed; below
 * that, the stored rules count. */
#define MAX_DEPTH 32

/* A rule that was taken, found by its JSON so that each is taken once. */
struct taken {
    struct yl_map_node node;
    struct yl_str json;
};

struct sum {
    const struct yl_rbac_cluster_role *roles;
    size_t n_roles;
    bool *visited;              /* For each role, whether its rules were
                                 * taken. */
    struct yl_arena *arena;
    struct yl_map taken;
    struct yl_buf json;         /* The array so far, without its end. */
    size_t n;
};

static bool gather(struct sum *, size_t i, int depth);
static void gather_from(struct sum *, size_t i, int depth);
static void take(struct sum *, const struct yl_policy_rule *);
static bool is_same(struct yl_policy, const struct sum *);
static int make(const struct yl_object *, struct yl_arena *, struct yl_str,
                struct yl_object **);

bool
yl_aggregate(const struct yl_rbac_cluster_role *roles, size_t n, size_t i,
             struct yl_object **ret_object)
{
    struct sum sum = { .roles = roles, .n_roles = n,
                       .arena = yl_arena_new() };
    bool changed;

    sum.visited = yl_arena_array(sum.arena, n, sizeof *sum.visited);
    yl_buf_init(&sum.json, MAX_RULES);
    yl_buf_append_char(&sum.json, '[');
    changed = gather(&sum, i, 0);
    yl_buf_append_char(&sum.json, ']');
    changed = changed && yl_buf_error(&sum.json) == 0
              && !is_same(roles[i].rules, &sum)
              && make(roles[i].object, sum.arena, yl_buf_str(&sum.json),
                      ret_object) == 0;
    yl_buf_release(&sum.json);
    yl_map_release(&sum.taken);
    yl_arena_free(sum.arena);
    return changed;
}

/* Takes the rules of all roles that role 'self' selects.  Returns false if a
 * selector is malformed. */
static bool
gather(struct sum *sum, size_t self, int depth)
{
    struct yl_json rule = yl_object_field(sum->roles[self].object, sum->arena,
                                          "aggregationRule");
    struct yl_json_iter i
        = yl_json_iter(yl_json_get(rule, YL_STR("clusterRoleSelectors")));
    size_t role;

    sum->visited[self] = true;
    while (yl_json_next(&i)) {
        const struct yl_selector *selector;

        if (yl_selector_from_json(i.value, sum->arena, &selector, NULL) < 0) {
            return false;
        }
        for (role = 0; role < sum->n_roles; role++) {
            if (!sum->visited[role]
                && yl_selector_matches(
                    selector, yl_object_labels(sum->roles[role].object))) {
                gather_from(sum, role, depth);
            }
        }
    }
    return true;
}

/* Takes the rules of role 'i', unless they were taken already. */
static void
gather_from(struct sum *sum, size_t i, int depth)
{
    const struct yl_rbac_cluster_role *role = &sum->roles[i];
    size_t k;

    sum->visited[i] = true;
    if (role->aggregates && depth < MAX_DEPTH
        && gather(sum, i, depth + 1)) {
        return;
    }
    for (k = 0; k < role->rules.n; k++) {
        take(sum, &role->rules.all[k]);
    }
}

static void
take(struct sum *sum, const struct yl_policy_rule *rule)
{
    struct taken *taken;
    struct yl_str json;
    struct yl_buf buf;
    size_t hash;

    yl_buf_init(&buf, MAX_RULES);
    yl_policy_rule_write(rule, &buf);
    json = yl_buf_str(&buf);
    hash = yl_hash_str(json);
    YL_MAP_FOR_EACH_WITH_HASH (taken, node, hash, &sum->taken) {
        if (yl_str_equal(taken->json, json)) {
            break;
        }
    }
    if (!taken) {
        taken = yl_arena_alloc(sum->arena, sizeof *taken);
        taken->json = yl_arena_copy(sum->arena, json);
        yl_map_insert(&sum->taken, &taken->node, hash);
        yl_buf_append_c(&sum->json, sum->n++ ? "," : "");
        yl_buf_append_str(&sum->json, json);
    }
    yl_buf_release(&buf);
}

static bool
is_same(struct yl_policy rules, const struct sum *sum)
{
    struct yl_buf json;
    bool same;
    size_t i;

    if (rules.n != sum->n) {
        return false;
    }
    yl_buf_init(&json, MAX_RULES);
    yl_buf_append_char(&json, '[');
    for (i = 0; i < rules.n; i++) {
        yl_buf_append_c(&json, i ? "," : "");
        yl_policy_rule_write(&rules.all[i], &json);
    }
    yl_buf_append_char(&json, ']');
    same = yl_str_equal(yl_buf_str(&json), yl_buf_str(&sum->json));
    yl_buf_release(&json);
    return same;
}

/* Makes a copy of the object with other rules. */
static int
make(const struct yl_object *object, struct yl_arena *arena,
     struct yl_str rules_json, struct yl_object **ret_object)
{
    struct yl_node *root, *rules;
    int r = yl_tree_parse(arena, yl_object_json(object, arena, NULL), NULL,
                          &root, NULL);

    if (r == 0) {
        r = yl_tree_parse(arena, yl_arena_copy(arena, rules_json), NULL,
                          &rules, NULL);
    }
    if (r < 0) {
        return r;
    }
    if (rules->n == 0) {
        rules = yl_node_new_null(arena);
    }
    yl_node_set(arena, root, YL_STR("rules"), rules);
    return yl_object_from_tree(root, NULL, ret_object, NULL);
}
