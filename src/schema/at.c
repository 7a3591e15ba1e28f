/* A field with its path.  See schema/at.h for the contract. */

#include "schema/at.h"

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
yl_at_get_str(const struct yl_check *c, const struct yl_at *object,
              const char *name)
{
    struct yl_at at = yl_at(object, name);

    return yl_at_str(c, &at);
}

bool
yl_at_get_is(const struct yl_at *object, const char *name, const char *text)
{
    struct yl_at at = yl_at(object, name);

    return yl_at_is(&at, text);
}

bool
yl_at_get_has(const struct yl_at *object, const char *name)
{
    struct yl_at at = yl_at(object, name);

    return yl_at_has(&at);
}

bool
yl_at_get_bool(const struct yl_at *object, const char *name)
{
    struct yl_at at = yl_at(object, name);

    return yl_at_bool(&at);
}

int64_t
yl_at_get_int(const struct yl_at *object, const char *name)
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
