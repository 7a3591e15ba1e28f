/* Defaults.  See schema/default.h for the contract. */

#include "schema/default.h"

#include "base/arena.h"
#include "json/tree.h"
#include "yuloh/error.h"

struct walk {
    struct yl_arena *arena;
    struct yl_error *err;
    unsigned depth;
};

static int default_struct(struct walk *, struct yl_type_ref, struct yl_node *);
static int default_field(struct walk *, struct yl_type_ref,
                         const struct yl_field *, struct yl_node *object);
static struct yl_node *make_default(struct walk *, const char *text);
static int default_value(struct walk *, const struct yl_type_set *,
                         const struct yl_value *, struct yl_node *);
static struct yl_node *default_element(struct walk *,
                                       const struct yl_type_set *,
                                       const struct yl_value *,
                                       struct yl_node *null);

int
yl_default_apply(struct yl_arena *arena, struct yl_type_ref type,
                 struct yl_node *root, struct yl_error *err)
{
    struct walk walk = { arena, err, 0 };
    int r = default_struct(&walk, type, root);

    return r < 0 ? r : yl_arena_check(arena, err);
}

static int
default_struct(struct walk *walk, struct yl_type_ref type,
               struct yl_node *object)
{
    const struct yl_field *field = &type.set->fields[type.type->fields];
    const struct yl_field *end = field + type.type->n_fields;
    struct yl_node *member;
    int r = 0;

    if (yl_node_type(object) != YL_JSON_OBJECT) {
        return 0;
    }
    if (++walk->depth > YL_DEFAULT_MAX_DEPTH) {
        return yl_error_set(walk->err, YL_ETOODEEP,
                            "defaults are nested more than %d deep",
                            YL_DEFAULT_MAX_DEPTH);
    }
    for (; field < end && r == 0; field++) {
        if (field->default_) {
            r = default_field(walk, type, field, object);
        }
    }
    YL_NODE_FOR_EACH (member, object) {
        if (r < 0) {
            break;
        }
        field = yl_type_field(type, yl_node_key(member));
        if (field) {
            r = default_value(walk, type.set,
                              &type.set->values[field->value], member);
        }
    }
    walk->depth--;
    return r;
}

/* Puts the default of 'field' into 'object', if that lacks it. */
static int
default_field(struct walk *walk, struct yl_type_ref type,
              const struct yl_field *field, struct yl_node *object)
{
    const struct yl_value *value = &type.set->values[field->value];
    struct yl_str name = yl_str_n(type.set->strings + field->name,
                                  field->name_size);
    struct yl_node *member = yl_node_get(object, name);

    if ((member && (member->type != YL_JSON_NULL
                    || value->flags & YL_VALUE_NULLABLE))
        || yl_arena_is_over(walk->arena)) {
        return 0;
    }

    member = make_default(walk, yl_type_set_text(type.set, field->default_));
    if (!member) {
        return yl_error_set(walk->err, YL_EINTERNAL,
                            "the default of %s.%.*s is not JSON",
                            yl_type_set_text(type.set, type.type->name),
                            YL_STR_ARG(name));
    }
    yl_node_set(walk->arena, object, name, member);
    return 0;
}

/* The tree of a default; NULL if it is not JSON.  The text is copied, since
 * the tree may outlive a set that was made at run time. */
static struct yl_node *
make_default(struct walk *walk, const char *text)
{
    struct yl_str copy = yl_arena_copy(walk->arena, yl_str_c(text));
    struct yl_node *node;

    return yl_tree_parse(walk->arena, copy, NULL, &node, NULL) == 0 ? node
                                                                    : NULL;
}

static int
default_value(struct walk *walk, const struct yl_type_set *set,
              const struct yl_value *value, struct yl_node *node)
{
    const struct yl_value *element = &set->values[value->element];
    struct yl_node *child, *next;
    int r = 0;

    if (value->kind == YL_VALUE_STRUCT) {
        return default_struct(walk, yl_value_type(set, value), node);
    }
    if ((value->kind == YL_VALUE_LIST && node->type == YL_JSON_ARRAY)
        || (value->kind == YL_VALUE_MAP && node->type == YL_JSON_OBJECT)) {
        YL_NODE_FOR_EACH_SAFE (child, next, node) {
            if (child->type == YL_JSON_NULL) {
                child = default_element(walk, set, element, child);
            }
            r = default_value(walk, set, element, child);
            if (r < 0) {
                break;
            }
        }
    }
    return r;
}

/* Puts the default of an element in the place of 'null', if it has one.
 * Returns what stands there then. */
static struct yl_node *
default_element(struct walk *walk, const struct yl_type_set *set,
                const struct yl_value *element, struct yl_node *null)
{
    struct yl_node *node;
    size_t i;

    for (i = 0; i < element->n_rules; i++) {
        const struct yl_rule *rule = &set->rules[element->rules + i];

        if (rule->op == YL_RULE_DEFAULT
            && !(element->flags & YL_VALUE_NULLABLE)
            && !yl_arena_is_over(walk->arena)) {
            node = make_default(walk, yl_type_set_text(set, rule->text));
            if (node && node->type != YL_JSON_NULL) {
                yl_node_replace(null, node);
                return node;
            }
        }
    }
    return null;
}
