/* Strategic merge patch.  See schema/strategic.h for the contract.
 *
 * The functions follow upstream's mergeMap(), mergeSlice() and
 * mergePatchIntoOriginal().  The patch is copied first; nodes move from the
 * copy into the tree. */

#include "schema/strategic.h"

#include "base/arena.h"
#include "json/tree.h"
#include "schema/field_error.h"
#include "schema/go_print.h"
#include "schema/strategic_list.h"
#include "yuloh/error.h"

#define PATCH YL_STR("$patch")
#define RETAIN_KEYS YL_STR("$retainKeys")
#define DELETE_LIST YL_STR("$deleteFromPrimitiveList")
#define ELEMENT_ORDER YL_STR("$setElementOrder")

struct merge {
    struct yl_arena *arena;
    struct yl_error *err;
    size_t work;                /* Elements visited so far. */
};

/* What descriptors say about an object or list: for a struct its type, for
 * anything else its value. */
struct shape {
    const struct yl_type_set *set;
    const struct yl_type *type; /* Or NULL. */
    const struct yl_value *value;   /* NULL at the root. */
};

/* How a field is merged. */
struct strategy {
    bool merge;
    bool replace;
    struct yl_str key;          /* Merge key, or empty. */
};

static int merge_object(struct merge *, struct shape,
                        struct yl_node **original, struct yl_node *patch);
static int merge_member(struct merge *, struct shape, struct yl_node *original,
                        struct yl_node *patch_value);
static int apply_directive(struct merge *, struct yl_node *directive,
                           struct yl_node **original, struct yl_node *patch);
static int apply_retain_keys(struct merge *, struct yl_node *original,
                             struct yl_node *patch);
static int apply_orders(struct merge *, struct shape, struct yl_node *original,
                        struct yl_node *patch);
static int apply_order(struct merge *, struct shape, struct yl_node *original,
                       struct yl_node *patch, struct yl_str name,
                       struct yl_node *order);
static int check_order(struct merge *, const struct yl_node *patch_list,
                       const struct yl_node *order, struct yl_str key);
static int merge_list(struct merge *, struct shape, struct strategy,
                      struct yl_node **original, struct yl_node *patch,
                      bool deletes);
static int merge_elements(struct merge *, struct shape, struct yl_str key,
                          struct yl_node *original, struct yl_node *patch);
static int take_specials(struct merge *, struct yl_str key,
                         struct yl_elements *, struct yl_node *patch,
                         bool *ret_replace);
static void merge_scalars(struct merge *, struct yl_node *original,
                          struct yl_node *patch, bool deletes);
static int check_elements(struct merge *, const struct yl_node *a,
                          const struct yl_node *b, bool *ret_objects);
static int check_maps(struct merge *, const struct yl_node *list);
static int check_keys(struct merge *, const struct yl_node *list,
                      struct yl_str key);
static int spend(struct merge *, size_t n);
static int lookup(struct merge *, struct shape, struct yl_str name, bool list,
                  struct shape *ret_shape, struct strategy *ret_strategy);
static const char *go_kind(const struct shape *);
static void put(struct merge *, struct yl_node *object, struct yl_str name,
                struct yl_node *value);
static void move_all(struct yl_node *to, struct yl_node *from);
static bool remove_directives(struct yl_node *);
static void discard_nulls(struct yl_node *);
static int list_name(struct merge *, struct yl_str member,
                     struct yl_str prefix, struct yl_str *ret_name);
static int no_merge_key(struct merge *, const struct yl_node *,
                        struct yl_str key);
static int bad_type(struct merge *, const char *want, const struct yl_node *);
static int bad_format(struct merge *, const char *what);

int
yl_strategic_apply(struct yl_arena *arena, struct yl_type_ref type,
                   struct yl_node **root, const struct yl_node *patch,
                   struct yl_error *err)
{
    struct merge merge = { arena, err, 0 };
    struct shape shape = { type.set, type.type, NULL };
    struct yl_node *copy;
    int r;

    if (yl_node_type(patch) != YL_JSON_OBJECT) {
        static const char *const words[] = {
            [YL_JSON_NONE] = "null", [YL_JSON_NULL] = "null",
            [YL_JSON_BOOL] = "bool", [YL_JSON_NUMBER] = "number",
            [YL_JSON_STRING] = "string", [YL_JSON_ARRAY] = "array",
            [YL_JSON_OBJECT] = "object",
        };

        return yl_error_set(err, YL_EBADREQUEST,
                            "json: cannot unmarshal %s into Go value of type "
                            "map[string]interface {}",
                            words[yl_node_type(patch)]);
    }
    copy = yl_node_copy(arena, patch);
    r = yl_arena_check(arena, err);
    return r < 0 ? r : merge_object(&merge, shape, root, copy);
}

/* Merges 'patch' into '*original', both objects. */
static int
merge_object(struct merge *merge, struct shape shape,
             struct yl_node **original, struct yl_node *patch)
{
    struct yl_node *directive = yl_node_get(patch, PATCH);
    struct yl_node *member, *next;
    int r;

    if (directive) {
        return apply_directive(merge, directive, original, patch);
    }
    r = apply_retain_keys(merge, *original, patch);
    if (r < 0) {
        return r;
    }
    r = apply_orders(merge, shape, *original, patch);
    if (r < 0) {
        return r;
    }
    YL_NODE_FOR_EACH_SAFE (member, next, patch) {
        r = merge_member(merge, shape, *original, member);
        if (r == 0) {
            r = yl_arena_check(merge->arena, merge->err);
        }
        if (r < 0) {
            return r;
        }
    }
    return 0;
}

/* Merges one member of a patch, which is removed from it, into 'original'. */
static int
merge_member(struct merge *merge, struct shape shape, struct yl_node *original,
             struct yl_node *value)
{
    struct yl_str name = yl_node_key(value);
    bool deletes = yl_str_starts_with(name, DELETE_LIST);
    struct strategy strategy;
    struct yl_node *old;
    struct shape below;
    int r = 0;

    if (deletes) {
        r = list_name(merge, name, DELETE_LIST, &name);
        if (r < 0) {
            return r;
        }
    }
    if (yl_node_type(value) == YL_JSON_NULL) {
        yl_node_remove(original, name);
        return 0;
    }
    old = yl_node_get(original, name);
    if (yl_node_type(old) != yl_node_type(value)
        || (old->type != YL_JSON_OBJECT && old->type != YL_JSON_ARRAY)) {
        if (!deletes) {
            discard_nulls(value);
            if (remove_directives(value)) {
                put(merge, original, name, yl_node_detach(value));
            } else {
                yl_node_remove(original, name);
            }
        }
        return 0;
    }
    r = lookup(merge, shape, name, old->type == YL_JSON_ARRAY, &below,
               &strategy);
    if (r < 0) {
        return r;
    }
    if (old->type == YL_JSON_ARRAY) {
        return merge_list(merge, below, strategy, &old, value, deletes);
    } else if (strategy.replace) {
        yl_node_replace(old, yl_node_detach(value));
        return 0;
    }
    return merge_object(merge, below, &old, value);
}

/* Carries out the "$patch" of an object. */
static int
apply_directive(struct merge *merge, struct yl_node *directive,
                struct yl_node **original, struct yl_node *patch)
{
    struct yl_node *result;

    if (yl_node_string_is(directive, YL_STR("replace"))) {
        yl_node_detach(directive);
        result = yl_node_detach(patch);
    } else if (yl_node_string_is(directive, YL_STR("delete"))) {
        result = yl_node_new_object(merge->arena);
    } else {
        struct yl_buf type, map;
        int r;

        yl_buf_init(&type, SIZE_MAX);
        yl_buf_init(&map, SIZE_MAX);
        if (yl_node_type(directive) == YL_JSON_STRING) {
            yl_go_print(&type, directive);
        } else if (yl_node_type(directive) == YL_JSON_NULL) {
            yl_buf_append_c(&type, "%!s(<nil>)");
        } else {
            yl_buf_printf(&type, "%%!s(%s=", yl_go_type(directive));
            yl_go_print(&type, directive);
            yl_buf_append_char(&type, ')');
        }
        yl_go_print(&map, patch);
        r = yl_error_set(merge->err, YL_EINTERNAL,
                         "unknown patch type: %s in map: %s",
                         yl_buf_c_str(&type), yl_buf_c_str(&map));
        yl_buf_release(&type);
        yl_buf_release(&map);
        return r;
    }
    if ((*original)->parent) {
        yl_node_replace(*original, result);
    }
    *original = result;
    return 0;
}

/* Carries out "$retainKeys": drops the members of 'original' that it does not
 * name. */
static int
apply_retain_keys(struct merge *merge, struct yl_node *original,
                  struct yl_node *patch)
{
    struct yl_node *list = yl_node_get(patch, RETAIN_KEYS);
    struct yl_node *keys = yl_node_new_object(merge->arena);
    struct yl_node *member, *next;

    if (!list) {
        return 0;
    }
    yl_node_detach(list);
    if (yl_node_type(list) != YL_JSON_ARRAY) {
        return bad_format(merge, "retainKeys");
    }
    YL_NODE_FOR_EACH (member, list) {
        struct yl_str key;

        if (yl_node_string(member, merge->arena, &key) == 0) {
            yl_node_set(merge->arena, keys, key,
                        yl_node_new_null(merge->arena));
        }
    }
    YL_NODE_FOR_EACH (member, patch) {
        struct yl_str key = yl_node_key(member);

        if (yl_node_type(member) != YL_JSON_NULL
            && !yl_str_starts_with(key, DELETE_LIST)
            && !yl_str_starts_with(key, ELEMENT_ORDER)
            && !yl_node_get(keys, key)) {
            return bad_format(merge, "retainKeys");
        }
    }
    YL_NODE_FOR_EACH_SAFE (member, next, original) {
        if (!yl_node_get(keys, yl_node_key(member))) {
            yl_node_detach(member);
        }
    }
    return 0;
}

/* Merges the lists of 'patch' that have an order directive, and removes both
 * from it. */
static int
apply_orders(struct merge *merge, struct shape shape, struct yl_node *original,
             struct yl_node *patch)
{
    struct yl_node *order = patch->first;

    while (order) {
        struct yl_str name;
        int r;

        if (!yl_str_starts_with(yl_node_key(order), ELEMENT_ORDER)) {
            order = order->next;
            continue;
        }
        yl_node_detach(order);
        if (yl_node_type(order) != YL_JSON_ARRAY) {
            return bad_type(merge, "[]interface {}", order);
        }
        r = list_name(merge, yl_node_key(order), ELEMENT_ORDER, &name);
        if (r < 0) {
            return r;
        }
        r = apply_order(merge, shape, original, patch, name, order);
        if (r < 0) {
            return r;
        }
        order = patch->first;
    }
    return 0;
}

static int
apply_order(struct merge *merge, struct shape shape, struct yl_node *original,
            struct yl_node *patch, struct yl_str name, struct yl_node *order)
{
    struct yl_node *list = yl_node_get(original, name);
    struct yl_node *patch_list = yl_node_get(patch, name);
    struct yl_elements wanted, server;
    struct strategy strategy;
    struct yl_node *merged;
    struct shape below;
    bool objects;
    int r;

    if (list && list->type != YL_JSON_ARRAY) {
        return bad_type(merge, "[]interface {}", list);
    }
    if (patch_list && patch_list->type != YL_JSON_ARRAY) {
        return bad_type(merge, "[]interface {}", patch_list);
    }
    r = lookup(merge, shape, name, true, &below, &strategy);
    r = r < 0 ? r : check_order(merge, patch_list, order, strategy.key);
    r = r < 0 || (!list && !patch_list)
        ? r : check_elements(merge, list, patch_list, &objects);
    r = r < 0 ? r : spend(merge, order->n + (list ? list->n : 0));
    if (r < 0 || (!list && !patch_list)) {
        return r;
    }

    /* The order on the server, before any element moves. */
    yl_elements_init(&server, merge->arena, strategy.key);
    yl_elements_init(&wanted, merge->arena, strategy.key);
    if (list) {
        yl_elements_add_list(&server, list);
    }
    yl_elements_add_list(&wanted, order);
    merged = list;
    if (!list) {
        remove_directives(patch_list);
        merged = yl_node_detach(patch_list);
        put(merge, original, name, merged);
    } else if (patch_list) {
        r = merge_list(merge, below, strategy, &merged, patch_list, false);
        if (patch_list->parent == patch) {
            yl_node_detach(patch_list);
        }
    }
    if (r == 0 && strategy.key.size && objects) {
        r = check_keys(merge, merged, strategy.key);
        r = r < 0 || !merged->first ? r : check_maps(merge, order);
        r = r < 0 ? r : check_keys(merge, order, strategy.key);
    }
    if (r == 0) {
        yl_elements_order(merged, &wanted, &server);
    }
    yl_elements_release(&server);
    yl_elements_release(&wanted);
    return r;
}

/* Checks that the elements of 'patch_list' are in 'order', in that order. */
static int
check_order(struct merge *merge, const struct yl_node *patch_list,
            const struct yl_node *order, struct yl_str key)
{
    const struct yl_node *p = patch_list ? patch_list->first : NULL;
    const struct yl_node *o = order->first;
    struct yl_buf a, b;
    int r;

    if (!p || !o) {
        return 0;
    }
    while (p && o) {
        const struct yl_node *left = yl_element_identity(p, key);
        const struct yl_node *right = yl_element_identity(o, key);

        if (key.size && p->type != YL_JSON_OBJECT) {
            return bad_type(merge, "map[string]interface {}", p);
        }
        if (p->type == YL_JSON_OBJECT && yl_node_get(p, PATCH)) {
            p = p->next;
            continue;
        }
        if (key.size && o->type != YL_JSON_OBJECT) {
            return bad_type(merge, "map[string]interface {}", o);
        }
        if (!left || !right) {
            return no_merge_key(merge, left ? o : p, key);
        }
        p = yl_scalar_equal(left, right) ? p->next : p;
        o = o->next;
    }
    while (p && p->type == YL_JSON_OBJECT
           && yl_node_string_is(yl_node_get(p, PATCH), YL_STR("delete"))) {
        p = p->next;
    }
    if (!p) {
        return 0;
    }
    yl_buf_init(&a, SIZE_MAX);
    yl_buf_init(&b, SIZE_MAX);
    yl_go_print(&a, patch_list);
    yl_go_print(&b, order);
    r = yl_error_set(merge->err, YL_EINTERNAL,
                     "The order in patch list:\n%s\n doesn't match "
                     "$setElementOrder list:\n%s\n",
                     yl_buf_c_str(&a), yl_buf_c_str(&b));
    yl_buf_release(&a);
    yl_buf_release(&b);
    return r;
}

/* Merges list 'patch' into '*original'.  If 'deletes', its scalars are
 * removed. */
static int
merge_list(struct merge *merge, struct shape shape, struct strategy strategy,
           struct yl_node **original, struct yl_node *patch, bool deletes)
{
    bool objects = false;
    int r;

    if (!strategy.merge && !deletes) {
        yl_node_detach(patch);
        yl_node_replace(*original, patch);
        *original = patch;
        return 0;
    }
    if (!(*original)->n && !patch->n) {
        return 0;
    }
    r = check_elements(merge, *original, patch, &objects);
    r = r < 0 ? r : spend(merge, (*original)->n + patch->n);
    if (r < 0) {
        return r;
    }
    if (!objects) {
        merge_scalars(merge, *original, patch, deletes);
        return 0;
    }
    if (!strategy.key.size) {
        return yl_error_set(merge->err, YL_EINTERNAL,
                            "cannot merge lists without merge key for %s",
                            go_kind(&shape));
    }
    return merge_elements(merge, shape, strategy.key, *original, patch);
}

/* Merges two lists of objects by their key. */
static int
merge_elements(struct merge *merge, struct shape shape, struct yl_str key,
               struct yl_node *original, struct yl_node *patch)
{
    struct yl_elements elements, server, wanted;
    struct yl_node *node, *next;
    bool replace = false;
    int r;

    yl_elements_init(&elements, merge->arena, key);
    yl_elements_init(&server, merge->arena, key);
    yl_elements_init(&wanted, merge->arena, key);
    yl_elements_add_list(&elements, original);
    r = take_specials(merge, key, &elements, patch, &replace);
    if (r < 0) {
        goto out;
    }
    if (replace) {
        while (original->first) {
            yl_node_detach(original->first);
        }
        move_all(original, patch);
        r = check_keys(merge, original, key);
        goto out;
    }
    r = check_keys(merge, original, key);
    r = r < 0 ? r : check_keys(merge, patch, key);
    if (r < 0) {
        goto out;
    }
    yl_elements_add_list(&server, original);
    yl_elements_add_list(&wanted, patch);
    YL_NODE_FOR_EACH_SAFE (node, next, patch) {
        struct yl_element *twin =
            yl_elements_find(&elements, yl_element_identity(node, key));

        if (twin) {
            /* The wanted order refers to the key in 'node', which moves. */
            r = merge_object(merge, shape, &twin->node,
                             yl_node_copy(merge->arena, node));
            if (r < 0) {
                goto out;
            }
        } else {
            yl_node_append(original, yl_node_detach(node));
            yl_elements_add(&elements, node);
        }
    }
    yl_elements_order(original, &wanted, &server);

out:
    yl_elements_release(&elements);
    yl_elements_release(&server);
    yl_elements_release(&wanted);
    return r;
}

/* Carries out the elements of 'patch' that have a "$patch", and removes
 * them. */
static int
take_specials(struct merge *merge, struct yl_str key,
              struct yl_elements *elements, struct yl_node *patch,
              bool *ret_replace)
{
    struct yl_node *node, *next;

    YL_NODE_FOR_EACH_SAFE (node, next, patch) {
        struct yl_node *directive = yl_node_get(node, PATCH);

        if (!directive) {
            continue;
        }
        if (yl_node_string_is(directive, YL_STR("delete"))) {
            struct yl_element *element;

            if (!yl_node_get(node, key)) {
                return no_merge_key(merge, node, key);
            }
            element = yl_elements_find(elements, yl_node_get(node, key));
            if (element) {
                yl_elements_remove(elements, element);
            }
            for (; element; element = element->equal) {
                yl_node_detach(element->node);
            }
        } else if (yl_node_string_is(directive, YL_STR("replace"))) {
            *ret_replace = true;
        } else if (yl_node_string_is(directive, YL_STR("merge"))) {
            return yl_error_set(merge->err, YL_EINTERNAL,
                                "merging lists cannot yet be specified in the "
                                "patch");
        } else {
            struct yl_node *unused = node;

            return apply_directive(merge, directive, &unused, node);
        }
        yl_node_detach(node);
    }
    return 0;
}

/* Merges two lists of scalars as sets. */
static void
merge_scalars(struct merge *merge, struct yl_node *original,
              struct yl_node *patch, bool deletes)
{
    struct yl_elements server, wanted, seen;
    struct yl_node *node, *next;

    yl_elements_init(&server, merge->arena, yl_str_null());
    yl_elements_init(&wanted, merge->arena, yl_str_null());
    yl_elements_init(&seen, merge->arena, yl_str_null());
    yl_elements_add_list(&wanted, patch);
    if (deletes) {
        YL_NODE_FOR_EACH_SAFE (node, next, original) {
            if (yl_elements_find(&wanted, node)) {
                yl_node_detach(node);
            }
        }
    } else {
        yl_elements_add_list(&server, original);
        move_all(original, patch);
        YL_NODE_FOR_EACH_SAFE (node, next, original) {
            if (yl_elements_find(&seen, node)) {
                yl_node_detach(node);
            } else {
                yl_elements_add(&seen, node);
            }
        }
        yl_elements_order(original, &wanted, &server);
    }
    yl_elements_release(&server);
    yl_elements_release(&wanted);
    yl_elements_release(&seen);
}

/* All elements of both lists, of which one may be NULL, must have one type,
 * and not that of a list. */
static int
check_elements(struct merge *merge, const struct yl_node *a,
               const struct yl_node *b, bool *ret_objects)
{
    const struct yl_node *lists[2] = { a, b };
    const struct yl_node *node;
    const char *type = NULL;
    size_t i;

    for (i = 0; i < 2; i++) {
        if (!lists[i]) {
            continue;
        }
        YL_NODE_FOR_EACH (node, lists[i]) {
            if (!type) {
                type = yl_go_type(node);
                *ret_objects = node->type == YL_JSON_OBJECT;
                if (node->type == YL_JSON_ARRAY) {
                    return yl_error_set(merge->err, YL_EINVALID,
                                        "lists of lists are not supported");
                }
            } else if (strcmp(type, yl_go_type(node))) {
                struct yl_buf x, y;
                int r;

                yl_buf_init(&x, SIZE_MAX);
                yl_buf_init(&y, SIZE_MAX);
                yl_go_print(&x, a ? a : yl_node_new_array(merge->arena));
                yl_go_print(&y, b ? b : yl_node_new_array(merge->arena));
                r = yl_error_set(merge->err, YL_EINTERNAL,
                                 "list element types are not identical: "
                                 "[%s %s]", yl_buf_c_str(&x),
                                 yl_buf_c_str(&y));
                yl_buf_release(&x);
                yl_buf_release(&y);
                return r;
            }
        }
    }
    if (!type) {
        return yl_error_set(merge->err, YL_EINTERNAL,
                            "no elements in any of the given slices");
    }
    return 0;
}

/* Checks that the elements of an order are objects, as they are looked up by
 * key. */
static int
check_maps(struct merge *merge, const struct yl_node *list)
{
    const struct yl_node *node;
    size_t i = 0;

    YL_NODE_FOR_EACH (node, list) {
        if (node->type != YL_JSON_OBJECT) {
            return yl_error_set(merge->err, YL_EINTERNAL,
                                "value for key %zu is not a map", i);
        }
        i++;
    }
    return 0;
}

/* Every element must be an object with the merge key. */
static int
check_keys(struct merge *merge, const struct yl_node *list, struct yl_str key)
{
    const struct yl_node *node;

    YL_NODE_FOR_EACH (node, list) {
        if (node->type != YL_JSON_OBJECT) {
            return bad_type(merge, "map[string]interface {}", node);
        }
        if (!yl_node_get(node, key)) {
            return no_merge_key(merge, node, key);
        }
    }
    return 0;
}

static int
spend(struct merge *merge, size_t n)
{
    merge->work += n;
    if (merge->work > YL_STRATEGIC_MAX_WORK) {
        return yl_error_set(merge->err, YL_ETOOBIG,
                            "the patch makes more than %zu list elements be "
                            "merged", YL_STRATEGIC_MAX_WORK);
    }
    return 0;
}

/* What the descriptors say about member 'name' of an object of that shape;
 * about its elements, if it is a 'list' there. */
static int
lookup(struct merge *merge, struct shape shape, struct yl_str name, bool list,
       struct shape *ret_shape, struct strategy *ret_strategy)
{
    struct yl_type_ref type = { shape.set, shape.type };
    const struct yl_field *field;
    const struct yl_value *value;

    if (!shape.type && strcmp(go_kind(&shape), "struct")) {
        return yl_error_set(merge->err, YL_EINTERNAL,
                            "merging an object in json but data type is not "
                            "struct, instead is: %s", go_kind(&shape));
    }
    field = shape.type ? yl_type_field(type, name) : NULL;
    if (!field) {
        return yl_error_set(merge->err, YL_EINTERNAL,
                            "unable to find api field in struct %s for the "
                            "json field \"%.*s\"",
                            shape.type ? yl_type_set_text(shape.set,
                                                          shape.type->name)
                            : "RawExtension", YL_STR_ARG(name));
    }
    value = &shape.set->values[field->value];
    if (list && value->kind == YL_VALUE_LIST) {
        value = &shape.set->values[value->element];
        if (value->kind == YL_VALUE_LIST) {
            return yl_error_set(merge->err, YL_EINTERNAL,
                                "unexpected slice of slice");
        }
    } else if (list && field->presence != YL_PRESENCE_POINTER
               && field->presence != YL_PRESENCE_POINTER_ALWAYS) {
        return yl_error_set(merge->err, YL_EINTERNAL,
                            "expected slice or array type, but got: struct");
    }
    ret_shape->set = shape.set;
    ret_shape->type = NULL;
    ret_shape->value = value;
    if (value->kind == YL_VALUE_STRUCT) {
        type = yl_value_type(shape.set, value);
        ret_shape->set = type.set;
        ret_shape->type = type.type;
    }
    ret_strategy->merge = field->flags & YL_FIELD_MERGE;
    ret_strategy->replace = field->flags & YL_FIELD_REPLACE;
    ret_strategy->key = yl_str_c(yl_type_set_text(shape.set,
                                                  field->merge_key));
    return 0;
}

/* Go's name for the kind of a type. */
static const char *
go_kind(const struct shape *shape)
{
    static const char *const kinds[] = {
        [YL_VALUE_BOOL] = "bool", [YL_VALUE_INT32] = "int32",
        [YL_VALUE_INT64] = "int64", [YL_VALUE_DOUBLE] = "float64",
        [YL_VALUE_STRING] = "string", [YL_VALUE_BYTES] = "slice",
        [YL_VALUE_LIST] = "slice", [YL_VALUE_MAP] = "map",
    };

    if (shape->type || shape->value->kind >= sizeof kinds / sizeof kinds[0]
        || !kinds[shape->value->kind]) {
        return "struct";
    }
    return kinds[shape->value->kind];
}

static void
put(struct merge *merge, struct yl_node *object, struct yl_str name,
    struct yl_node *value)
{
    yl_node_set(merge->arena, object, name, value);
}

/* Appends the elements of 'from' to 'to'. */
static void
move_all(struct yl_node *to, struct yl_node *from)
{
    struct yl_node *node, *next;

    YL_NODE_FOR_EACH_SAFE (node, next, from) {
        yl_node_append(to, yl_node_detach(node));
    }
}

/* Removes the objects that have a "$patch"; false if 'node' itself is such an
 * object. */
static bool
remove_directives(struct yl_node *node)
{
    struct yl_node *child, *next;

    if (node->type == YL_JSON_OBJECT && yl_node_get(node, PATCH)) {
        return false;
    }
    YL_NODE_FOR_EACH_SAFE (child, next, node) {
        if (!remove_directives(child)) {
            yl_node_detach(child);
        }
    }
    return true;
}

/* Removes the members that are null, everywhere below 'node'. */
static void
discard_nulls(struct yl_node *node)
{
    struct yl_node *child, *next;

    YL_NODE_FOR_EACH_SAFE (child, next, node) {
        if (node->type == YL_JSON_OBJECT && child->type == YL_JSON_NULL) {
            yl_node_detach(child);
        } else {
            discard_nulls(child);
        }
    }
}

/* The "x" of "$setElementOrder/x". */
static int
list_name(struct merge *merge, struct yl_str member, struct yl_str prefix,
          struct yl_str *ret_name)
{
    if (member.size <= prefix.size || member.data[prefix.size] != '/') {
        return bad_format(merge, yl_str_equal(prefix, DELETE_LIST)
                          ? "primitive list" : "setElementOrder list");
    }
    *ret_name = yl_str_skip(member, prefix.size + 1);
    return 0;
}

static int
no_merge_key(struct merge *merge, const struct yl_node *node,
             struct yl_str key)
{
    struct yl_buf text;
    int r;

    yl_buf_init(&text, SIZE_MAX);
    yl_go_print(&text, node);
    r = yl_error_set(merge->err, YL_EINTERNAL,
                     "map: %s does not contain declared merge key: %.*s",
                     yl_buf_c_str(&text), YL_STR_ARG(key));
    yl_buf_release(&text);
    return r;
}

static int
bad_type(struct merge *merge, const char *want, const struct yl_node *node)
{
    return yl_error_set(merge->err, YL_EINTERNAL,
                        "expected a %s, but received a %s", want,
                        yl_go_type(node));
}

static int
bad_format(struct merge *merge, const char *what)
{
    return yl_error_set(merge->err, YL_EBADREQUEST,
                        "invalid patch format of %s", what);
}
