/* Fields of a tree.  See builtin/fields.h for the contract. */

#include "builtin/fields.h"

struct yl_at
yl_at(const struct yl_at *object, const char *name)
{
    const struct yl_node *node = NULL;
    struct yl_at at;

    if (yl_node_type(object->node) == YL_JSON_OBJECT) {
        node = yl_node_get(object->node, yl_str_c(name));
    }
    at = yl_at_node(object, name, node);
    if (!at.node) {
        at.emptied = yl_node_emptied(object->node, yl_str_c(name));
    }
    return at;
}

struct yl_at
yl_at_node(const struct yl_at *parent, const char *name,
           const struct yl_node *node)
{
    struct yl_at at;

    at.path = yl_field_member(yl_at_path(parent), yl_str_c(name));
    at.node = yl_node_type(node) == YL_JSON_NULL ? NULL : node;
    at.root = false;
    at.emptied = NULL;
    return at;
}

struct yl_at
yl_at_first(const struct yl_at *list)
{
    const struct yl_field_path *path = yl_at_path(list);
    struct yl_at at = { yl_field_index(path, 0), NULL, false, NULL };

    if (yl_node_type(list->node) == YL_JSON_ARRAY) {
        at.node = list->node->first;
    } else if (yl_node_type(list->node) == YL_JSON_OBJECT) {
        at.node = list->node->first;
        at.path = yl_field_key(path, at.node ? yl_node_key(at.node)
                                             : yl_str_null());
    }
    return at;
}

void
yl_at_next(struct yl_at *item)
{
    item->node = item->node->next;
    item->path.index++;
    if (item->node && item->path.step == YL_FIELD_KEY) {
        item->path.name = yl_node_key(item->node);
    }
}

struct yl_str
yl_at_str(const struct yl_check *c, const struct yl_at *at)
{
    struct yl_str s = YL_STR("");

    if (yl_node_type(at->node) == YL_JSON_STRING) {
        (void) yl_node_string(at->node, c->arena, &s);
    }
    return s;
}

int64_t
yl_at_int(const struct yl_at *at)
{
    int64_t value = 0;

    if (yl_node_type(at->node) == YL_JSON_NUMBER) {
        (void) yl_node_int64(at->node, &value);
    }
    return value;
}

bool
yl_at_bool(const struct yl_at *at)
{
    bool value = false;

    if (yl_node_type(at->node) == YL_JSON_BOOL) {
        (void) yl_node_bool(at->node, &value);
    }
    return value;
}

bool
yl_at_is(const struct yl_at *at, const char *text)
{
    if (!yl_at_has(at)) {
        return !*text;
    }
    return yl_node_string_is(at->node, yl_str_c(text));
}

struct yl_str
yl_get_str(const struct yl_check *c, const struct yl_at *object,
           const char *name)
{
    struct yl_at at = yl_at(object, name);

    return yl_at_str(c, &at);
}

bool
yl_get_is(const struct yl_at *object, const char *name, const char *text)
{
    struct yl_at at = yl_at(object, name);

    return yl_at_is(&at, text);
}

bool
yl_get_has(const struct yl_at *object, const char *name)
{
    struct yl_at at = yl_at(object, name);

    return yl_at_has(&at);
}

bool
yl_get_bool(const struct yl_at *object, const char *name)
{
    struct yl_at at = yl_at(object, name);

    return yl_at_bool(&at);
}

int64_t
yl_get_int(const struct yl_at *object, const char *name)
{
    struct yl_at at = yl_at(object, name);

    return yl_at_int(&at);
}

bool
yl_node_quantity(struct yl_arena *arena, const struct yl_node *node,
                 struct yl_quantity *ret_quantity)
{
    struct yl_str text;

    if (yl_node_type(node) == YL_JSON_STRING) {
        if (yl_node_string(node, arena, &text) < 0) {
            return false;
        }
    } else if (yl_node_number(node, &text) < 0) {
        return false;
    }
    return yl_quantity_parse(yl_str_trim(text), ret_quantity, NULL) == 0;
}

struct yl_node *
yl_get_object(const struct yl_node *object, const char *name)
{
    struct yl_node *node = NULL;

    if (yl_node_type(object) == YL_JSON_OBJECT) {
        node = yl_node_get(object, yl_str_c(name));
    }
    return yl_node_type(node) == YL_JSON_OBJECT ? node : NULL;
}

struct yl_node *
yl_get_array(const struct yl_node *object, const char *name)
{
    struct yl_node *node = NULL;

    if (yl_node_type(object) == YL_JSON_OBJECT) {
        node = yl_node_get(object, yl_str_c(name));
    }
    return yl_node_type(node) == YL_JSON_ARRAY ? node : NULL;
}

struct yl_node *
yl_first_of(const struct yl_node *object, const char *name)
{
    struct yl_node *list = yl_get_array(object, name);

    return list ? list->first : NULL;
}

bool
yl_is_zero(const struct yl_node *object, const char *name)
{
    return yl_node_type(object) != YL_JSON_OBJECT
           || yl_node_is_zero(yl_node_get(object, yl_str_c(name)));
}

bool
yl_is_absent(const struct yl_node *object, const char *name)
{
    return yl_node_type(object) != YL_JSON_OBJECT
           || yl_node_type(yl_node_get(object, yl_str_c(name)))
              <= YL_JSON_NULL;
}

bool
yl_node_is_zero(const struct yl_node *node)
{
    double number = 1;
    bool truth = true;

    switch (yl_node_type(node)) {
    case YL_JSON_NONE:
    case YL_JSON_NULL:
        return true;

    case YL_JSON_STRING:
        return yl_node_string_is(node, YL_STR(""));

    case YL_JSON_NUMBER:
        (void) yl_node_double(node, &number);
        return number == 0;

    case YL_JSON_BOOL:
        (void) yl_node_bool(node, &truth);
        return !truth;

    case YL_JSON_ARRAY:
    case YL_JSON_OBJECT:
        break;
    }
    return node->n == 0;
}

struct yl_node *
yl_make_object(struct yl_arena *arena, struct yl_node *object,
               const char *name)
{
    struct yl_node *node;

    if (yl_node_type(object) != YL_JSON_OBJECT) {
        return NULL;
    }
    if (yl_is_absent(object, name)) {
        node = yl_node_new_object(arena);
        yl_node_set(arena, object, yl_str_c(name), node);
        return node;
    }
    return yl_get_object(object, name);
}

void
yl_set(struct yl_arena *arena, struct yl_node *object, const char *name,
       struct yl_node *value)
{
    if (yl_node_type(object) == YL_JSON_OBJECT) {
        yl_node_set(arena, object, yl_str_c(name), value);
    }
}

void
yl_set_str(struct yl_arena *arena, struct yl_node *object, const char *name,
           const char *value)
{
    if (yl_node_type(object) == YL_JSON_OBJECT) {
        yl_set(arena, object, name,
               yl_node_new_string(arena, yl_str_c(value)));
    }
}

void
yl_default_str(struct yl_arena *arena, struct yl_node *object,
               const char *name, const char *value)
{
    if (yl_is_zero(object, name)) {
        yl_set_str(arena, object, name, value);
    }
}

void
yl_default_int(struct yl_arena *arena, struct yl_node *object,
               const char *name, int64_t value)
{
    if (object && yl_is_zero(object, name)) {
        yl_set(arena, object, name, yl_node_new_int64(arena, value));
    }
}

void
yl_default_str_ptr(struct yl_arena *arena, struct yl_node *object,
                   const char *name, const char *value)
{
    if (yl_is_absent(object, name)) {
        yl_set_str(arena, object, name, value);
    }
}

void
yl_default_int_ptr(struct yl_arena *arena, struct yl_node *object,
                   const char *name, int64_t value)
{
    if (object && yl_is_absent(object, name)) {
        yl_set(arena, object, name, yl_node_new_int64(arena, value));
    }
}

void
yl_default_bool_ptr(struct yl_arena *arena, struct yl_node *object,
                    const char *name, bool value)
{
    if (object && yl_is_absent(object, name)) {
        yl_set(arena, object, name, yl_node_new_bool(arena, value));
    }
}

void
yl_set_generation(struct yl_arena *arena, struct yl_node *object)
{
    yl_set(arena, yl_make_object(arena, object, "metadata"), "generation",
           yl_node_new_int64(arena, 1));
}

void
yl_count_generation(struct yl_arena *arena, struct yl_node *object,
                    const struct yl_node *old)
{
    struct yl_at before = yl_at_root(yl_get_object(old, "metadata"));

    yl_set(arena, yl_make_object(arena, object, "metadata"), "generation",
           yl_node_new_int64(arena, yl_get_int(&before, "generation") + 1));
}

void
yl_keep(struct yl_arena *arena, struct yl_node *object,
        const struct yl_node *old, const char *name)
{
    if (yl_is_absent(old, name)) {
        yl_drop(object, name);
    } else {
        yl_set(arena, object, name,
               yl_node_copy(arena, yl_node_get(old, yl_str_c(name))));
    }
}

void
yl_keep_metadata(struct yl_arena *arena, struct yl_node *object,
                 const struct yl_node *old)
{
    static const char *const names[] = { "deletionTimestamp", "labels",
                                         "annotations", "finalizers",
                                         "ownerReferences" };
    struct yl_node *metadata = yl_make_object(arena, object, "metadata");
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(names); i++) {
        yl_keep(arena, metadata, yl_get_object(old, "metadata"), names[i]);
    }
}

void
yl_drop(struct yl_node *object, const char *name)
{
    if (yl_node_type(object) == YL_JSON_OBJECT) {
        yl_node_remove(object, yl_str_c(name));
    }
}
