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

/* A role's rules, written out. */
#define MAX_RULES ((size_t) 8 << 20)

/* Rules that were taken, by their JSON. */
struct taken {
    struct yl_map_node node;
    struct yl_str json;
};

struct sum {
    struct yl_arena *arena;
    struct yl_map taken;
    struct yl_buf json;         /* The array so far, without its end. */
    size_t n;
};

static bool gather(const struct yl_rbac_cluster_role *, size_t n, size_t i,
                   struct sum *);
static void take(struct sum *, const struct yl_policy_rule *);
static bool is_same(struct yl_policy, const struct sum *);
static int make(const struct yl_object *, struct yl_arena *, struct yl_str,
                struct yl_object **);

bool
yl_aggregate(const struct yl_rbac_cluster_role *roles, size_t n, size_t i,
             struct yl_object **ret_object)
{
    struct sum sum = { .arena = yl_arena_new() };
    bool changed;

    yl_buf_init(&sum.json, MAX_RULES);
    yl_buf_append_char(&sum.json, '[');
    changed = gather(roles, n, i, &sum);
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

static bool
gather(const struct yl_rbac_cluster_role *roles, size_t n, size_t self,
       struct sum *sum)
{
    struct yl_json rule = yl_object_field(roles[self].object, sum->arena,
                                          "aggregationRule");
    struct yl_json_iter i
        = yl_json_iter(yl_json_get(rule, YL_STR("clusterRoleSelectors")));

    while (yl_json_next(&i)) {
        const struct yl_selector *selector;
        size_t role, k;

        if (yl_selector_from_json(i.value, sum->arena, &selector, NULL) < 0) {
            return false;
        }
        for (role = 0; role < n; role++) {
            if (role == self
                || !yl_selector_matches(
                    selector, yl_object_labels(roles[role].object))) {
                continue;
            }
            for (k = 0; k < roles[role].rules.n; k++) {
                take(sum, &roles[role].rules.all[k]);
            }
        }
    }
    return true;
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

/* The object with other rules. */
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
