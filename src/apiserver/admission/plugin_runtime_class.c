/* RuntimeClass: adds to a Pod what its RuntimeClass asks for. */

#include "apiserver/admission/plugin.h"
#include "base/alloc.h"
#include "builtin/common/meta.h"
#include "yuloh/names.h"

#define MISMATCH                                                              \
    "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined "      \
    "Overhead"

/* If there are more tolerations than this, the lists are concatenated and not
 * compared. */
#define MAX_MERGED 512

static int find_class(const struct yl_admission *, struct yl_node **ret_class,
                      struct yl_status *);
static int refuse_name(struct yl_status *, const char *why);
static int set_selector(const struct yl_admission *, struct yl_node *spec,
                        const struct yl_node *selector, struct yl_status *);
static void merge_tolerations(struct yl_arena *, struct yl_node *spec,
                              const struct yl_node *more);
static bool covers(const struct yl_node *big, const struct yl_node *small);
static bool same_overhead(struct yl_arena *, const struct yl_node *,
                          const struct yl_node *);

int
yl_plugin_runtime_class(struct yl_admission *a, struct yl_status *status)
{
    struct yl_node *class, *overhead, *scheduling, *spec;
    int r;

    r = find_class(a, &class, status);
    if (r < 0 || !class) {
        return r;
    }
    spec = yl_member_object(a->object, "spec");
    overhead = yl_member_object(class, "overhead");
    if (overhead) {
        struct yl_node *fixed = yl_member_object(overhead, "podFixed");
        struct yl_node *own = yl_member_object(spec, "overhead");

        if (own && own->n && !same_overhead(a->arena, own, fixed)) {
            return yl_plugin_forbid(a, status, MISMATCH);
        }
        yl_member_drop(spec, "overhead");
        if (fixed) {
            yl_member_set(a->arena, spec, "overhead",
                          yl_node_copy(a->arena, fixed));
        }
    }
    scheduling = yl_member_object(class, "scheduling");
    if (scheduling) {
        r = set_selector(a, spec, yl_member_object(scheduling, "nodeSelector"),
                         status);
        if (r < 0) {
            return r;
        }
        merge_tolerations(a->arena, spec,
                          yl_member_array(scheduling, "tolerations"));
    }
    return 0;
}

int
yl_plugin_pod_overhead(const struct yl_admission *a, struct yl_status *status)
{
    const struct yl_node *spec = yl_member_object(a->object, "spec");
    struct yl_node *class, *overhead, *own;
    int r;

    r = find_class(a, &class, status);
    if (r < 0 || !yl_plugin_is_for(a, "", "pods")) {
        return r;
    }
    own = yl_member_object(spec, "overhead");
    overhead = yl_member_object(class, "overhead");
    if (overhead) {
        return same_overhead(a->arena, own,
                             yl_member_object(overhead, "podFixed"))
                   ? 0
                   : yl_plugin_forbid(a, status, MISMATCH);
    }

    /* An empty map counts, too. */
    return own || (spec && yl_node_emptied(spec, YL_STR("overhead")))
           ? yl_plugin_forbid(a, status,
                              "pod rejected: Pod Overhead set without "
                              "corresponding RuntimeClass defined Overhead")
           : 0;
}

/* The class that a Pod names; NULL if it names none, or is no Pod. */
static int
find_class(const struct yl_admission *a, struct yl_node **ret_class,
           struct yl_status *status)
{
    struct yl_check c = { a->arena, NULL };
    struct yl_at spec;
    struct yl_name_faults faults;
    struct yl_str name;

    *ret_class = NULL;
    if (!yl_plugin_is_for(a, "", "pods")) {
        return 0;
    }
    spec = yl_at_root(yl_member_object(a->object, "spec"));
    if (!yl_at_get_has(&spec, "runtimeClassName")) {
        return 0;
    }
    name = yl_at_get_str(&c, &spec, "runtimeClassName");
    if (!name.size) {
        return refuse_name(status, "resource name may not be empty");
    }
    if (yl_name_check(YL_NAME_PATH_SEGMENT, name, &faults) < 0) {
        return refuse_name(status, yl_arena_printf(
            a->arena, "invalid resource name \"%.*s\": [%s%s%s]",
            YL_STR_ARG(name), faults.faults[0],
            faults.n_faults > 1 ? " " : "",
            faults.n_faults > 1 ? faults.faults[1] : ""));
    }
    *ret_class = yl_plugin_read(a, "node.k8s.io", "runtimeclasses",
                                YL_STR(""), name);
    return *ret_class ? 0
           : yl_plugin_forbid(a, status, "pod rejected: RuntimeClass \"%.*s\" "
                                         "not found", YL_STR_ARG(name));
}

/* Refuses a name in the words of upstream's client library, whose error has no
 * reason. */
static int
refuse_name(struct yl_status *status, const char *why)
{
    struct yl_error err = YL_ERROR_INIT;
    int r = yl_error_set(&err, YL_EINTERNAL, "%s", why);

    yl_status_take_error(status, &err);
    status->reason = yl_strdup(YL_STR(""));
    return r;
}

static int
set_selector(const struct yl_admission *a, struct yl_node *spec,
             const struct yl_node *selector, struct yl_status *status)
{
    struct yl_check c = { a->arena, NULL };
    struct yl_at more = yl_at_root(selector);
    struct yl_node *own;

    if (!yl_at_count(&more)) {
        return 0;
    }
    own = yl_member_make(a->arena, spec, "nodeSelector");
    YL_AT_FOR_EACH (value, &more) {
        struct yl_str key = yl_at_key(&value);
        struct yl_at had = yl_at_root(own ? yl_node_get(own, key) : NULL);

        if (yl_at_has(&had) && !yl_node_equal(had.node, value.node)) {
            struct yl_str ours = yl_at_str(&c, &value);
            struct yl_str theirs = yl_at_str(&c, &had);

            return yl_plugin_forbid(
                a, status, "conflict: runtimeClass.scheduling.nodeSelector"
                "[%.*s] = %.*s; pod.spec.nodeSelector[%.*s] = %.*s",
                YL_STR_ARG(key), YL_STR_ARG(ours), YL_STR_ARG(key),
                YL_STR_ARG(theirs));
        }
        if (own) {
            yl_node_set(a->arena, own, key,
                        yl_node_copy(a->arena, value.node));
        }
    }
    return 0;
}

/* Merges both lists, without tolerations that another one covers. */
static void
merge_tolerations(struct yl_arena *arena, struct yl_node *spec,
                  const struct yl_node *more)
{
    struct yl_node *merged = yl_node_new_array(arena), *kept;
    struct yl_node *all = yl_member_array(spec, "tolerations");
    const struct yl_node *one, *other;

    all = all ? yl_node_copy(arena, all) : yl_node_new_array(arena);
    if (more) {
        YL_NODE_FOR_EACH (one, more) {
            yl_node_append(all, yl_node_copy(arena, one));
        }
    }
    YL_NODE_FOR_EACH (one, all) {
        bool covered = false;

        if (all->n <= MAX_MERGED) {
            YL_NODE_FOR_EACH (kept, merged) {
                covered = covered || covers(kept, one);
            }
            for (other = one->next; other && !covered; other = other->next) {
                covered = !yl_node_equal(one, other) && covers(other, one);
            }
        }
        if (!covered) {
            yl_node_append(merged, yl_node_copy(arena, one));
        }
    }
    yl_member_drop(spec, "tolerations");
    if (merged->n) {
        yl_member_set(arena, spec, "tolerations", merged);
    }
}

static bool
covers(const struct yl_node *big, const struct yl_node *small)
{
    struct yl_at b = yl_at_root(big), s = yl_at_root(small);
    struct yl_at b_key = yl_at(&b, "key"), s_key = yl_at(&s, "key");
    struct yl_at b_effect = yl_at(&b, "effect");
    struct yl_at s_effect = yl_at(&s, "effect");
    struct yl_at b_value = yl_at(&b, "value"), s_value = yl_at(&s, "value");

    if (yl_node_equal(big, small)) {
        return true;
    }
    if (!yl_node_same(b_key.node, s_key.node)
        && (!yl_at_is(&b_key, "")
            || !yl_at_get_is(&b, "operator", "Exists"))) {
        return false;
    }
    if (!yl_node_same(b_effect.node, s_effect.node)
        && !yl_at_is(&b_effect, "")) {
        return false;
    }
    if (yl_at_is(&b_effect, "NoExecute")
        && yl_at_get_has(&b, "tolerationSeconds")
        && (!yl_at_get_has(&s, "tolerationSeconds")
            || yl_at_get_int(&s, "tolerationSeconds")
                   > yl_at_get_int(&b, "tolerationSeconds"))) {
        return false;
    }
    if (yl_at_get_is(&b, "operator", "")
        || yl_at_get_is(&b, "operator", "Equal")) {
        return yl_at_get_is(&s, "operator", "Equal")
               && yl_node_same(b_value.node, s_value.node);
    }
    return yl_at_get_is(&b, "operator", "Exists");
}

/* Are both overheads equal?  Quantities are compared by value. */
static bool
same_overhead(struct yl_arena *arena, const struct yl_node *a,
              const struct yl_node *b)
{
    const struct yl_node *one;

    if ((a ? a->n : 0) != (b ? b->n : 0)) {
        return false;
    }
    if (!a) {
        return true;
    }
    YL_NODE_FOR_EACH (one, a) {
        struct yl_quantity x, y;

        if (!b || !yl_node_quantity(arena, one, &x)
            || !yl_node_quantity(arena, yl_node_get(b, yl_node_key(one)), &y)
            || yl_quantity_compare(&x, &y) != 0) {
            return false;
        }
    }
    return true;
}
