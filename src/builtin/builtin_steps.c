/* The steps that every kind goes through, with the functions of its own.  See
 * builtin/builtin.h for the contract. */

#include "builtin/builtin.h"
#include "builtin/common/meta.h"
#include "json/member.h"
#include "schema/at.h"

static void keep_metadata(struct yl_arena *, struct yl_node *metadata,
                          const struct yl_node *old);
static bool spec_changed(const struct yl_builtin *,
                         const struct yl_node *object,
                         const struct yl_node *old);
static bool has_other(const struct yl_node *a, const struct yl_node *b);
static bool has_emptied(const struct yl_node *object);
static bool was_emptied(const struct yl_node *);
static bool is_of_spec(const struct yl_node *member);
static int validate_with(const struct yl_builtin *, struct yl_arena *,
                         const struct yl_node *object,
                         const struct yl_node *old, struct yl_error *err,
                         void (*own)(struct yl_check *,
                                     const struct yl_node *,
                                     const struct yl_node *));

void
yl_builtin_default(const struct yl_builtin *kind, struct yl_arena *arena,
                   struct yl_node *object)
{
    if (kind->default_) {
        kind->default_(arena, object);
    }
}

void
yl_builtin_prepare(const struct yl_builtin *kind, struct yl_arena *arena,
                   struct yl_node *object)
{
    if (kind->flags & YL_BUILTIN_GENERATION) {
        yl_meta_set_generation(arena, object);
    }
    if (kind->prepare) {
        kind->prepare(arena, object);
    } else if (kind->flags & YL_BUILTIN_STATUS) {
        yl_member_drop(object, "status");
    }
}

int
yl_builtin_validate(const struct yl_builtin *kind, struct yl_arena *arena,
                    const struct yl_node *object, struct yl_error *err)
{
    struct yl_error own = { 0 };
    struct yl_check c = { arena, err ? err : &own };
    size_t n = c.err->n_causes;
    int r;

    if (kind->validate) {
        kind->validate(&c, object);
    }
    if (c.err->n_causes == n) {
        struct yl_meta_rule rule = { YL_NAME_PATH_SEGMENT, kind->namespaced,
                                     true };
        struct yl_at root = yl_at_root(object);
        struct yl_at metadata = yl_at(&root, "metadata");

        /* Checks metadata, which every kind has. */
        yl_check_meta(&c, &metadata, &rule);
    }
    r = c.err->n_causes > n ? YL_EINVALID : 0;
    if (!err) {
        yl_error_clear(&own);
    }
    return r;
}

void
yl_builtin_prepare_update(const struct yl_builtin *kind,
                          struct yl_arena *arena, struct yl_node *object,
                          const struct yl_node *old)
{
    struct yl_node *metadata = yl_member_make(arena, object, "metadata");
    const struct yl_node *before = yl_member_object(old, "metadata");

    yl_member_keep(arena, metadata, before, "generation");
    if (kind->flags & YL_BUILTIN_STATUS) {
        yl_member_keep(arena, object, old, "status");
    }
    if (kind->prepare_update) {
        kind->prepare_update(arena, object, old);
    }
    if (kind->flags & YL_BUILTIN_GENERATION
        && spec_changed(kind, object, old)) {
        yl_meta_count_generation(arena, object, old);
    }
    keep_metadata(arena, metadata, before);
}

int
yl_builtin_validate_update(const struct yl_builtin *kind,
                           struct yl_arena *arena,
                           const struct yl_node *object,
                           const struct yl_node *old, struct yl_error *err)
{
    return validate_with(kind, arena, object, old, err,
                         kind->validate_update);
}

void
yl_builtin_prepare_status(const struct yl_builtin *kind,
                          struct yl_arena *arena, struct yl_node *object,
                          const struct yl_node *old)
{
    struct yl_node *metadata = yl_member_make(arena, object, "metadata");
    const struct yl_node *before = yl_member_object(old, "metadata");
    struct yl_node *member, *next;

    yl_member_keep(arena, metadata, before, "generation");
    YL_NODE_FOR_EACH_SAFE (member, next, object) {
        if (is_of_spec(member)) {
            yl_node_detach(member);
        }
    }
    YL_NODE_FOR_EACH (member, old) {
        if (is_of_spec(member)) {
            yl_node_set(arena, object, yl_node_key(member),
                        yl_node_copy(arena, member));
        }
    }
    if (kind->prepare_status) {
        kind->prepare_status(arena, object, old);
    }
    keep_metadata(arena, metadata, before);
}

int
yl_builtin_validate_status(const struct yl_builtin *kind,
                           struct yl_arena *arena,
                           const struct yl_node *object,
                           const struct yl_node *old, struct yl_error *err)
{
    return validate_with(kind, arena, object, old, err,
                         kind->validate_status);
}

/* Keeps the identity of an object, and its deletion, which an update cannot
 * undo. */
static void
keep_metadata(struct yl_arena *arena, struct yl_node *metadata,
              const struct yl_node *old)
{
    if (yl_member_is_zero(metadata, "uid")) {
        yl_member_keep(arena, metadata, old, "uid");
    }
    if (!yl_member_is_absent(old, "creationTimestamp")) {
        yl_member_keep(arena, metadata, old, "creationTimestamp");
    }
    if (!yl_member_is_absent(old, "deletionTimestamp")) {
        yl_member_keep(arena, metadata, old, "deletionTimestamp");
    }
    if (yl_member_is_absent(metadata, "deletionGracePeriodSeconds")) {
        yl_member_keep(arena, metadata, old, "deletionGracePeriodSeconds");
    }
}

/* Has anything changed that counts for the generation? */
static bool
spec_changed(const struct yl_builtin *kind, const struct yl_node *object,
             const struct yl_node *old)
{
    if (kind->flags & YL_BUILTIN_COUNTS_ANNOTATIONS) {
        struct yl_node *now = yl_member_object(
            yl_member_object(object, "metadata"), "annotations");
        struct yl_node *then =
            yl_member_object(yl_member_object(old, "metadata"), "annotations");

        if ((now ? now->n : 0) != (then ? then->n : 0)
            || (now && now->n && !yl_node_equal(now, then))) {
            return true;
        }
    }
    if (kind->flags & YL_BUILTIN_COUNTS_EMPTY && has_emptied(object)) {
        return true;
    }
    return has_other(object, old) || has_other(old, object);
}

/* Was any part of the spec sent as an empty list or map? */
static bool
has_emptied(const struct yl_node *object)
{
    const struct yl_node *member;

    YL_NODE_FOR_EACH (member, object) {
        if (is_of_spec(member) && was_emptied(member)) {
            return true;
        }
    }
    for (member = object->emptied; member; member = member->next) {
        if (is_of_spec(member)) {
            return true;
        }
    }
    return false;
}

/* The recursion is as deep as the tree, whose depth its parser bounds. */
static bool
was_emptied(const struct yl_node *node)
{
    const struct yl_node *child;

    YL_NODE_FOR_EACH (child, node) {
        if (was_emptied(child)) {
            return true;
        }
    }
    return node->emptied != NULL;
}

/* Has 'a' a member of the spec that 'b' does not have? */
static bool
has_other(const struct yl_node *a, const struct yl_node *b)
{
    const struct yl_node *member;

    YL_NODE_FOR_EACH (member, a) {
        if (is_of_spec(member)
            && !yl_node_same(member, yl_node_get(b, yl_node_key(member)))) {
            return true;
        }
    }
    return false;
}

/* Most kinds have a member "spec"; in others everything except metadata and
 * status counts. */
static bool
is_of_spec(const struct yl_node *member)
{
    struct yl_str key = yl_node_key(member);

    return !yl_str_equal_c(key, "metadata") && !yl_str_equal_c(key, "status")
           && !yl_str_equal_c(key, "apiVersion")
           && !yl_str_equal_c(key, "kind");
}

/* Validates what every kind has in common, then runs the kind's own function.
 * Both check metadata, so a fault there is reported more than once, as
 * upstream does. */
static int
validate_with(const struct yl_builtin *kind, struct yl_arena *arena,
              const struct yl_node *object, const struct yl_node *old,
              struct yl_error *err,
              void (*own)(struct yl_check *, const struct yl_node *,
                          const struct yl_node *))
{
    struct yl_meta_rule rule = { YL_NAME_PATH_SEGMENT, kind->namespaced,
                                 true };
    struct yl_error none = { 0 };
    struct yl_check c = { arena, err ? err : &none };
    size_t n = c.err->n_causes;
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");
    int r;

    yl_check_meta(&c, &metadata, &rule);
    yl_check_meta_update(&c, &metadata, yl_member_object(old, "metadata"),
                         &rule);
    if (own) {
        own(&c, object, old);
    }
    r = c.err->n_causes > n ? YL_EINVALID : 0;
    if (!err) {
        yl_error_clear(&none);
    }
    return r;
}
