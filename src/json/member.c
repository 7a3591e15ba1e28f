/* Members of a tree by name.  See json/member.h for the contract. */

#include "json/member.h"

#include "base/arena.h"

static bool takes(const struct yl_arena *, const struct yl_node *object);

struct yl_node *
yl_member_object(const struct yl_node *object, const char *name)
{
    struct yl_node *node = NULL;

    if (yl_node_type(object) == YL_JSON_OBJECT) {
        node = yl_node_get(object, yl_str_c(name));
    }
    return yl_node_type(node) == YL_JSON_OBJECT ? node : NULL;
}

struct yl_node *
yl_member_array(const struct yl_node *object, const char *name)
{
    struct yl_node *node = NULL;

    if (yl_node_type(object) == YL_JSON_OBJECT) {
        node = yl_node_get(object, yl_str_c(name));
    }
    return yl_node_type(node) == YL_JSON_ARRAY ? node : NULL;
}

struct yl_node *
yl_member_first(const struct yl_node *object, const char *name)
{
    struct yl_node *list = yl_member_array(object, name);

    return list ? list->first : NULL;
}

bool
yl_member_is_zero(const struct yl_node *object, const char *name)
{
    return yl_node_type(object) != YL_JSON_OBJECT
           || yl_node_is_zero(yl_node_get(object, yl_str_c(name)));
}

bool
yl_member_is_absent(const struct yl_node *object, const char *name)
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
yl_member_make(struct yl_arena *arena, struct yl_node *object,
               const char *name)
{
    struct yl_node *node;

    if (yl_node_type(object) != YL_JSON_OBJECT) {
        return NULL;
    }
    if (yl_member_is_absent(object, name)) {
        if (!takes(arena, object)) {
            return NULL;
        }
        node = yl_node_new_object(arena);
        yl_node_set(arena, object, yl_str_c(name), node);
        return node;
    }
    return yl_member_object(object, name);
}

void
yl_member_set(struct yl_arena *arena, struct yl_node *object, const char *name,
              struct yl_node *value)
{
    if (takes(arena, object)) {
        yl_node_set(arena, object, yl_str_c(name), value);
    }
}

void
yl_member_set_str(struct yl_arena *arena, struct yl_node *object,
                  const char *name, const char *value)
{
    if (takes(arena, object)) {
        yl_member_set(arena, object, name,
                      yl_node_new_string(arena, yl_str_c(value)));
    }
}

void
yl_member_default_str(struct yl_arena *arena, struct yl_node *object,
                      const char *name, const char *value)
{
    if (yl_member_is_zero(object, name)) {
        yl_member_set_str(arena, object, name, value);
    }
}

void
yl_member_default_int(struct yl_arena *arena, struct yl_node *object,
                      const char *name, int64_t value)
{
    if (takes(arena, object) && yl_member_is_zero(object, name)) {
        yl_member_set(arena, object, name, yl_node_new_int64(arena, value));
    }
}

void
yl_member_default_str_ptr(struct yl_arena *arena, struct yl_node *object,
                          const char *name, const char *value)
{
    if (yl_member_is_absent(object, name)) {
        yl_member_set_str(arena, object, name, value);
    }
}

void
yl_member_default_int_ptr(struct yl_arena *arena, struct yl_node *object,
                          const char *name, int64_t value)
{
    if (takes(arena, object) && yl_member_is_absent(object, name)) {
        yl_member_set(arena, object, name, yl_node_new_int64(arena, value));
    }
}

void
yl_member_default_bool_ptr(struct yl_arena *arena, struct yl_node *object,
                           const char *name, bool value)
{
    if (takes(arena, object) && yl_member_is_absent(object, name)) {
        yl_member_set(arena, object, name, yl_node_new_bool(arena, value));
    }
}

void
yl_member_keep(struct yl_arena *arena, struct yl_node *object,
               const struct yl_node *old, const char *name)
{
    if (yl_member_is_absent(old, name)) {
        yl_member_drop(object, name);
    } else {
        yl_member_set(arena, object, name,
                      yl_node_copy(arena, yl_node_get(old, yl_str_c(name))));
    }
}

void
yl_member_drop(struct yl_node *object, const char *name)
{
    if (yl_node_type(object) == YL_JSON_OBJECT) {
        yl_node_remove(object, yl_str_c(name));
    }
}

/* Can a member be set?  Nothing grows any more once the arena's account has no
 * room. */
static bool
takes(const struct yl_arena *arena, const struct yl_node *object)
{
    return yl_node_type(object) == YL_JSON_OBJECT && !yl_arena_is_over(arena);
}
