/* PriorityClass and RuntimeClass: defaults, validation, updates. */

#include "builtin/common/meta.h"
#include "builtin/go/go_value.h"
#include "builtin/pods/pod.h"
#include "builtin/pods/pod_check.h"
#include "builtin/rows.h"
#include "gen/core_v1_go.h"

#define MAX_USER_PRIORITY 1000000000
#define SYSTEM "system-"

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_SUBDOMAIN, false, false };

static const char *system_fault(struct yl_check *, const struct yl_at *class,
                                struct yl_str name);
static void check_unique(struct yl_check *, const struct yl_at *tolerations);

void
yl_priority_class_default(struct yl_arena *arena, struct yl_node *object)
{
    yl_member_default_str_ptr(arena, object, "preemptionPolicy",
                              "PreemptLowerPriority");
}

void
yl_priority_class_prepare(struct yl_arena *arena, struct yl_node *object)
{
    yl_meta_set_generation(arena, object);
}

void
yl_priority_class_validate(struct yl_check *c, const struct yl_node *object)
{
    static const char *const policies[] = { "PreemptLowerPriority", "Never",
                                            NULL };
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at name = yl_at(&metadata, "name");
    struct yl_at value = yl_at(&root, "value");
    struct yl_at policy = yl_at(&root, "preemptionPolicy");

    yl_check_object_meta(c, object, &rule);
    if (yl_str_starts_with(yl_at_str(c, &name), YL_STR(SYSTEM))) {
        const char *fault = system_fault(c, &root, yl_at_str(c, &name));

        if (fault) {
            yl_field_forbidden(c->err, yl_at_path(&name),
                               "priority class names with '" SYSTEM "' prefix "
                               "are reserved for system use only. error: %s",
                               fault);
        }
    } else if (yl_at_int(&value) > MAX_USER_PRIORITY) {
        yl_field_forbidden(c->err, yl_at_path(&value),
                           "maximum allowed value of a user defined priority "
                           "is %d", MAX_USER_PRIORITY);
    }
    if (yl_at_has(&policy) && yl_check_required(c, &policy)) {
        yl_check_one_of(c, &policy, policies);
    }
}

void
yl_priority_class_validate_update(struct yl_check *c,
                                  const struct yl_node *object,
                                  const struct yl_node *old)
{
    static const char *const fixed[] = { "preemptionPolicy" };
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at value = yl_at(&root, "value");

    yl_check_object_meta_update(c, object, old, &rule);
    if (yl_at_int(&value) != yl_at_get_int(&before, "value")) {
        yl_field_forbidden(c->err, yl_at_path(&value),
                           "may not be changed in an update.");
    }
    yl_check_fixed(c, object, old, fixed, 1);
}

void
yl_runtime_class_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *overhead = yl_member_object(object, "overhead");

    yl_resource_list_default(arena, yl_member_object(overhead, "podFixed"));
}

/* Overhead is checked as if it were a container's limits. */
void
yl_runtime_class_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at handler = yl_at(&root, "handler");
    struct yl_at overhead = yl_at(&root, "overhead");
    struct yl_at fixed = yl_at(&overhead, "podFixed");
    struct yl_at scheduling = yl_at(&root, "scheduling");
    struct yl_at selector = yl_at(&scheduling, "nodeSelector");
    struct yl_at tolerations = yl_at(&scheduling, "tolerations");

    yl_check_object_meta(c, object, &rule);
    if (yl_check_required(c, &handler)) {
        yl_check_name(c, &handler, YL_NAME_DNS1123_LABEL);
    }
    if (yl_at_has(&fixed)) {
        struct yl_node *limits = yl_node_new_object(c->arena);
        struct yl_at shown = yl_at_node(&root, "overhead", limits);

        yl_member_set(c->arena, limits, "limits",
                      yl_node_copy(c->arena, fixed.node));
        yl_check_resources(c, &shown, NULL, false);
    }
    yl_check_labels(c, &selector);
    yl_check_tolerations(c, &tolerations);
    check_unique(c, &tolerations);
}

void
yl_runtime_class_validate_update(struct yl_check *c,
                                 const struct yl_node *object,
                                 const struct yl_node *old)
{
    static const char *const fixed[] = { "handler" };

    yl_runtime_class_validate(c, object);
    yl_check_object_meta_update(c, object, old, &rule);
    yl_check_fixed(c, object, old, fixed, 1);
}

/* What is wrong with a class whose name is reserved for the system; NULL for
 * the two that exist. */
static const char *
system_fault(struct yl_check *c, const struct yl_at *class,
             struct yl_str name)
{
    static const struct {
        const char *name;
        int64_t value;
    } known[] = {
        { "system-cluster-critical", 2000000000 },
        { "system-node-critical", 2000001000 },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(known); i++) {
        if (!yl_str_equal_c(name, known[i].name)) {
            continue;
        }
        if (yl_at_get_int(class, "value") != known[i].value) {
            return yl_arena_printf(c->arena,
                                   "value of %s PriorityClass must be %lld",
                                   known[i].name,
                                   (long long) known[i].value);
        }
        return yl_at_get_bool(class, "globalDefault")
                   ? yl_arena_printf(c->arena,
                                     "globalDefault of %s PriorityClass "
                                     "must be false",
                                     known[i].name)
                   : NULL;
    }
    return yl_arena_printf(c->arena,
                           "%.*s is not a known system priority class",
                           YL_STR_ARG(name));
}

static void
check_unique(struct yl_check *c, const struct yl_at *tolerations)
{
    static const char *const keys[] = { "key", "operator", "value",
                                        "effect" };
    struct yl_node *seen = yl_node_new_object(c->arena);

    YL_CHECK_FOR_EACH (c, one, tolerations) {
        struct yl_buf text;
        size_t i;

        yl_buf_init(&text, SIZE_MAX);
        for (i = 0; i < YL_ARRAY_SIZE(keys); i++) {
            yl_bad_value_write(&text,
                               yl_bad_string(yl_at_get_str(c, &one, keys[i])));
        }
        if (!yl_set_add(c->arena, seen, yl_buf_str(&text))) {
            yl_field_duplicate(c->err, yl_at_path(&one),
                               yl_bad_struct(c, one.node,
                                             YL_GO(core_v1, toleration)));
        }
        yl_buf_release(&text);
    }
}
