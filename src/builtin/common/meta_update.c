/* Checks of metadata in updates.  See builtin/common/meta.h for the
 * contract. */

#include "builtin/common/meta.h"

#include <stdlib.h>

static void check_new_finalizers(struct yl_check *, const struct yl_at *,
                                 const struct yl_node *old);
static void check_finalizer_names(struct yl_check *, const struct yl_at *);
static bool is_nothing(const struct yl_node *);
static bool same_members(const struct yl_node *a,
                         const struct yl_node *b);
static int compare_strs(const void *, const void *);

void
yl_check_meta_update(struct yl_check *c, const struct yl_at *metadata,
                     const struct yl_node *old,
                     const struct yl_meta_rule *rule)
{
    static const char *const fixed[] = {
        "name", "namespace", "uid", "creationTimestamp", "deletionTimestamp",
        "deletionGracePeriodSeconds",
    };
    struct yl_at before = yl_at_root(old);
    struct yl_at generation = yl_at(metadata, "generation");
    struct yl_at finalizers = yl_at(metadata, "finalizers");
    struct yl_at labels = yl_at(metadata, "labels");
    struct yl_at annotations = yl_at(metadata, "annotations");
    struct yl_at owners = yl_at(metadata, "ownerReferences");
    struct yl_at managed = yl_at(metadata, "managedFields");
    size_t i;

    if (yl_at_get_has(&before, "deletionTimestamp")) {
        struct yl_at had = yl_at(&before, "finalizers");

        check_new_finalizers(c, &finalizers, had.node);
    }
    if (yl_at_int(&generation) < yl_at_get_int(&before, "generation")) {
        yl_field_invalid(c->err, yl_at_path(&generation),
                         yl_bad_int(yl_at_int(&generation)),
                         "must not be decremented");
    }
    for (i = 0; i < YL_ARRAY_SIZE(fixed); i++) {
        struct yl_at now = yl_at(metadata, fixed[i]);
        struct yl_at then = yl_at(&before, fixed[i]);

        yl_check_immutable(c, &now, then.node);
    }
    yl_check_labels(c, &labels);
    yl_check_annotations(c, &annotations);
    yl_check_owners(c, &owners);
    yl_check_managed_fields(c, &managed);
    if (!rule->any_finalizer) {
        check_finalizer_names(c, &finalizers);
    }
}

bool
yl_check_immutable(struct yl_check *c, const struct yl_at *field,
                   const struct yl_node *old_value)
{
    if (yl_node_same(field->node, old_value)) {
        return true;
    }
    yl_field_invalid(c->err, yl_at_path(field), yl_bad_at(field),
                     YL_IMMUTABLE);
    return false;
}

void
yl_check_fixed(struct yl_check *c, const struct yl_node *object,
               const struct yl_node *old, const char *const *names, size_t n)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    size_t i;

    for (i = 0; i < n; i++) {
        struct yl_at now = yl_at(&root, names[i]);
        struct yl_at then = yl_at(&before, names[i]);

        yl_check_immutable(c, &now, then.node);
    }
}

bool
yl_node_same(const struct yl_node *a, const struct yl_node *b)
{
    const struct yl_node *x, *y;

    if (is_nothing(a) || is_nothing(b)) {
        return is_nothing(a) && is_nothing(b);
    }
    if (a->type == YL_JSON_OBJECT && b->type == YL_JSON_OBJECT) {
        return same_members(a, b);
    }
    if (a->type != YL_JSON_ARRAY || b->type != YL_JSON_ARRAY) {
        return yl_node_equal(a, b);
    }
    for (x = a->first, y = b->first; x && y; x = x->next, y = y->next) {
        if (!yl_node_same(x, y)) {
            return false;
        }
    }
    return !x && !y;
}

static bool
is_nothing(const struct yl_node *node)
{
    return yl_node_type(node) <= YL_JSON_NULL
           || (node->type == YL_JSON_ARRAY && !node->n);
}

/* Whether two objects have the same members; absent, null and empty ones do
 * not count. */
static bool
same_members(const struct yl_node *a, const struct yl_node *b)
{
    const struct yl_node *member;
    size_t n = 0;

    YL_NODE_FOR_EACH (member, a) {
        if (!is_nothing(member)) {
            n++;
            if (!yl_node_same(member, yl_node_get(b, yl_node_key(member)))) {
                return false;
            }
        }
    }
    YL_NODE_FOR_EACH (member, b) {
        n -= !is_nothing(member);
    }
    return n == 0;
}

/* While an object is being deleted, no finalizer may be added. */
static void
check_new_finalizers(struct yl_check *c, const struct yl_at *finalizers,
                     const struct yl_node *old)
{
    struct yl_node *had = yl_node_new_object(c->arena);
    struct yl_at before = yl_at_root(old);
    struct yl_str *extra = yl_arena_array(
        c->arena, yl_at_count(finalizers) + 1, sizeof *extra);
    struct yl_buf text;
    size_t i, n = 0;

    YL_CHECK_FOR_EACH (c, finalizer, &before) {
        yl_set_add(c->arena, had, yl_at_str(c, &finalizer));
    }
    YL_CHECK_FOR_EACH (c, finalizer, finalizers) {
        struct yl_str name = yl_at_str(c, &finalizer);

        if (yl_set_add(c->arena, had, name)) {
            extra[n++] = name;
        }
    }
    if (!n) {
        return;
    }
    qsort(extra, n, sizeof *extra, compare_strs);
    yl_buf_init(&text, SIZE_MAX);
    for (i = 0; i < n; i++) {
        yl_buf_append_c(&text, i ? ", " : "");
        yl_bad_value_write(&text, yl_bad_string(extra[i]));
    }
    yl_field_forbidden(c->err, yl_at_path(finalizers),
                       "no new finalizers can be added if the object is being "
                       "deleted, found new finalizers []string{%s}",
                       yl_buf_c_str(&text));
    yl_buf_release(&text);
}

static void
check_finalizer_names(struct yl_check *c, const struct yl_at *finalizers)
{
    YL_CHECK_FOR_EACH (c, finalizer, finalizers) {
        yl_check_finalizer(c, &finalizer, yl_at_str(c, &finalizer));
    }
}

static int
compare_strs(const void *a, const void *b)
{
    return yl_str_compare(*(const struct yl_str *) a,
                          *(const struct yl_str *) b);
}
