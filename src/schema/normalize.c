/* Normalising.  See schema/normalize.h for the contract.
 *
 * The recursion is as deep as the tree, whose depth its parser bounds; a zero
 * struct that is written although it was absent is as deep as structs contain
 * structs by value, which is finite. */

#include "schema/normalize.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "json/tree.h"
#include "schema/field_error.h"
#include "schema/go_name.h"
#include "schema/go_set.h"
#include "schema/scalar.h"
#include "schema/strict.h"
#include "yuloh/error.h"

struct walk {
    struct yl_arena *arena;
    struct yl_strict *strict;   /* Or NULL. */
    bool decoded;               /* In the form before encoding? */
    bool stored;                /* In the form that storage returns? */
    bool remember;              /* Remember lists and maps that were empty? */
    struct yl_str fault;        /* The error, or null. */
    bool ended;                 /* Has decoding ended? */
};

/* Where a walk is. */
struct place {
    struct yl_field_path path;  /* Its parent is the parent's path. */
    const struct place *parent; /* NULL for the root. */
    struct yl_type_ref owner;   /* For a struct's field: that struct. */
};

static int normalize(struct walk *, struct yl_type_ref, struct yl_node *root,
                     struct yl_error *);
static bool walk_value(struct walk *, const struct place *,
                       const struct yl_type_set *, const struct yl_value *,
                       struct yl_node **);
static bool is_union(const struct place *, const char *name);
static void walk_union(struct walk *, const struct place *, bool with_list,
                       struct yl_node **);
static void walk_schemas(struct walk *, const struct place *,
                         struct yl_type_ref schema, struct yl_node *list);
static bool is_bare(const struct place *);
static void walk_bare(struct walk *, const struct place *, struct yl_node *);
static bool walk_struct(struct walk *, const struct place *,
                        struct yl_type_ref, bool preserve, struct yl_node *);
static bool is_type_meta(struct yl_type_ref, struct yl_str name);
static void walk_type_meta(struct walk *, const struct place *,
                           struct yl_type_ref, struct yl_node *);
static bool walk_member(struct walk *, const struct place *,
                        struct yl_type_ref, const struct yl_field *,
                        struct yl_node *);
static void leave_out(const struct walk *, const struct yl_value *,
                      struct yl_node *member);
static void add_absent(struct walk *, const struct place *, struct yl_type_ref,
                       struct yl_node *object);
static void walk_elements(struct walk *, const struct place *,
                          const struct yl_type_set *, const struct yl_value *,
                          struct yl_node *);
static bool walk_scalar(struct walk *, const struct place *,
                        const struct yl_value *, struct yl_node **);
static void write_name(struct yl_buf *, const struct place *,
                       const struct yl_type_set *, const struct yl_value *);
static const char *own_name(const struct place *);
static struct yl_node *zero_value(struct walk *, const struct place *,
                                  const struct yl_type_set *,
                                  const struct yl_value *);
static bool is_written_empty(const struct yl_value *, enum yl_presence);
static bool is_sequence(const struct yl_value *);
static bool is_empty(const struct yl_value *, const struct yl_node *,
                     bool zero);
static void report_repeats(struct walk *, const struct place *,
                           const struct yl_strict_repeat **, size_t position,
                           const struct yl_type_ref *);
static void refuse(struct walk *, const struct place *, const struct yl_node *,
                   bool with_number, struct yl_str type);
static void keep_fault(struct walk *, struct yl_str, bool ends);
static void write_field_stack(struct yl_buf *, const struct place *);
static struct place place_member(const struct place *, struct yl_str name,
                                 struct yl_type_ref owner);

int
yl_normalize(struct yl_arena *arena, struct yl_type_ref type,
             struct yl_node *root, struct yl_strict *strict,
             struct yl_error *err)
{
    struct walk walk = { arena, strict, false, false, false, { NULL, 0 },
                         false };

    return normalize(&walk, type, root, err);
}

int
yl_normalize_decoded(struct yl_arena *arena, struct yl_type_ref type,
                     struct yl_node *root, struct yl_strict *strict,
                     struct yl_error *err)
{
    struct walk walk = { arena, strict, true, false, false, { NULL, 0 },
                         false };

    return normalize(&walk, type, root, err);
}

int
yl_normalize_stored(struct yl_arena *arena, struct yl_type_ref type,
                    struct yl_node *root, struct yl_error *err)
{
    struct walk walk = { arena, NULL, false, true, false, { NULL, 0 },
                         false };

    return normalize(&walk, type, root, err);
}

int
yl_normalize_update(struct yl_arena *arena, struct yl_type_ref type,
                    struct yl_node *root, struct yl_error *err)
{
    struct walk walk = { arena, NULL, false, true, true, { NULL, 0 }, false };

    return normalize(&walk, type, root, err);
}

static int
normalize(struct walk *walk, struct yl_type_ref type, struct yl_node *root,
          struct yl_error *err)
{
    if (yl_node_type(root) != YL_JSON_OBJECT) {
        struct yl_buf name;

        yl_buf_init(&name, SIZE_MAX);
        yl_go_name_struct(&name, type);
        refuse(walk, NULL, root, false, yl_buf_str(&name));
        yl_buf_release(&name);
    } else {
        walk_struct(walk, NULL, type, false, root);
    }
    if (yl_arena_is_over(walk->arena)) {
        return yl_arena_check(walk->arena, err);
    }
    if (!yl_str_is_null(walk->fault)) {
        return yl_error_set(err, YL_EBADREQUEST, "%.*s",
                            YL_STR_ARG(walk->fault));
    }
    return 0;
}

/* Normalises a value that is not null.  Returns whether it is a zero value in
 * Go. */
static bool
walk_value(struct walk *walk, const struct place *place,
           const struct yl_type_set *set, const struct yl_value *value,
           struct yl_node **node)
{
    enum yl_json_type want = value->kind == YL_VALUE_LIST
                             ? YL_JSON_ARRAY : YL_JSON_OBJECT;

    if (value->kind == YL_VALUE_RAW
        && (is_union(place, "Array") || is_union(place, "Bool"))) {
        walk_union(walk, place, is_union(place, "Array"), node);
        return false;
    } else if (value->kind == YL_VALUE_RAW && is_bare(place)) {
        walk_bare(walk, place, *node);
        return false;
    }
    if (yl_scalar_is(value->kind)) {
        return walk_scalar(walk, place, value, node);
    }
    if (yl_node_type(*node) != want) {
        struct yl_buf name;

        yl_buf_init(&name, SIZE_MAX);
        write_name(&name, place, set, value);
        refuse(walk, place, *node, false, yl_buf_str(&name));
        yl_buf_release(&name);
        return false;
    }
    if (value->kind == YL_VALUE_STRUCT) {
        return walk_struct(walk, place, yl_value_type(set, value),
                           value->flags & YL_VALUE_PRESERVE, *node);
    }
    walk_elements(walk, place, set, value, *node);
    return false;
}

/* Is it a field that holds a schema or something else?  Go has the types
 * JSONSchemaPropsOrArray and JSONSchemaPropsOrBool for it. */
static bool
is_union(const struct place *place, const char *other)
{
    const char *name = place && place->owner.type ? own_name(place) : NULL;
    const char *end = name ? strstr(name, "JSONSchemaPropsOr") : NULL;

    return end && !strcmp(end + strlen("JSONSchemaPropsOr"), other);
}

/* Normalises such a field.  A schema there is what the field is in; it is
 * decoded apart: nobody hears of unknown members, and a fault ends
 * decoding. */
static void
walk_union(struct walk *walk, const struct place *place, bool with_list,
           struct yl_node **node)
{
    struct yl_strict *strict = walk->strict;
    struct yl_str before = walk->fault;

    walk->strict = NULL;
    walk->fault = yl_str_null();
    if (yl_node_type(*node) == YL_JSON_OBJECT) {
        walk_struct(walk, place, place->owner, false, *node);
    } else if (with_list && yl_node_type(*node) == YL_JSON_ARRAY) {
        walk_schemas(walk, place, place->owner, *node);
    } else if (with_list) {
        struct yl_node *null = yl_node_new_null(walk->arena);

        yl_node_replace(*node, null);
        *node = null;
    } else if (yl_node_type(*node) != YL_JSON_BOOL) {
        keep_fault(walk, YL_STR("boolean or JSON schema expected"), true);
    }
    walk->strict = strict;
    if (yl_str_is_null(walk->fault)) {
        walk->fault = before;
    } else {
        walk->ended = true;
    }
}

static void
walk_schemas(struct walk *walk, const struct place *parent,
             struct yl_type_ref schema, struct yl_node *list)
{
    struct yl_node *node, *next;
    size_t i = 0;

    YL_NODE_FOR_EACH_SAFE (node, next, list) {
        struct yl_type_ref none = { NULL, NULL };
        struct place place = place_member(parent, yl_str_null(), none);

        place.path.step = YL_FIELD_INDEX;
        place.path.index = i++;
        if (yl_node_type(node) == YL_JSON_NULL) {
            yl_node_replace(node, yl_node_new_object(walk->arena));
        } else if (yl_node_type(node) == YL_JSON_OBJECT) {
            walk_struct(walk, &place, schema, false, node);
        } else {
            struct yl_buf name;

            yl_buf_init(&name, SIZE_MAX);
            yl_go_name_struct(&name, schema);
            refuse(walk, &place, node, false, yl_buf_str(&name));
            yl_buf_release(&name);
        }
    }
}

/* Is it of the one struct that has no fields, and so no descriptor? */
static bool
is_bare(const struct place *place)
{
    const char *name = place && place->owner.type ? own_name(place) : NULL;

    return name && strstr(name, ".CustomResourceSubresourceStatus");
}

static void
walk_bare(struct walk *walk, const struct place *place, struct yl_node *node)
{
    struct yl_node *member, *next;

    if (yl_node_type(node) != YL_JSON_OBJECT) {
        refuse(walk, place, node, false, yl_str_c(own_name(place)));
        return;
    }
    YL_NODE_FOR_EACH_SAFE (member, next, node) {
        yl_strict_unknown(walk->strict, &place->path, yl_node_key(member));
        yl_node_detach(member);
    }
}

static bool
walk_struct(struct walk *walk, const struct place *place,
            struct yl_type_ref type, bool preserve, struct yl_node *object)
{
    const struct yl_strict_repeat *repeats = NULL;
    struct yl_node *member, *next;
    size_t position = 0;
    bool zero = true;

    preserve |= (type.type->flags & YL_VALUE_PRESERVE) != 0;
    if (walk->strict && object->flags & YL_NODE_MERGED) {
        repeats = yl_strict_repeats(walk->strict, object);
    }
    YL_NODE_FOR_EACH_SAFE (member, next, object) {
        const struct yl_field *field = yl_type_field(type,
                                                     yl_node_key(member));

        report_repeats(walk, place, &repeats, position++, &type);
        if (field) {
            zero &= walk_member(walk, place, type, field, member);
        } else if (is_type_meta(type, yl_node_key(member))) {
            walk_type_meta(walk, place, type, member);
        } else if (!preserve) {
            yl_strict_unknown(walk->strict, place ? &place->path : NULL,
                              yl_node_key(member));
            yl_node_detach(member);
        }
        if (walk->ended || yl_arena_is_over(walk->arena)) {
            return false;
        }
    }
    report_repeats(walk, place, &repeats, SIZE_MAX, &type);
    add_absent(walk, place, type, object);
    return zero;
}

/* Is it the apiVersion or kind of a kind?  Its type need not have these
 * fields. */
static bool
is_type_meta(struct yl_type_ref type, struct yl_str name)
{
    return (yl_str_equal_c(name, "apiVersion") || yl_str_equal_c(name, "kind"))
           && yl_type_is_kind(type);
}

/* Normalises such a member: a string that is left out if it is empty. */
static void
walk_type_meta(struct walk *walk, const struct place *parent,
               struct yl_type_ref type, struct yl_node *member)
{
    struct place place = place_member(parent, yl_node_key(member), type);
    struct yl_value value = { .kind = YL_VALUE_STRING };

    if (yl_node_type(member) == YL_JSON_NULL
        || walk_scalar(walk, &place, &value, &member)) {
        yl_node_detach(member);
    }
}

/* Normalises a member that is there, or removes it. */
static bool
walk_member(struct walk *walk, const struct place *parent,
            struct yl_type_ref type, const struct yl_field *field,
            struct yl_node *member)
{
    const struct yl_value *value = &type.set->values[field->value];
    struct place place = place_member(parent, yl_node_key(member), type);
    bool pointer = field->presence == YL_PRESENCE_POINTER
                   || field->presence == YL_PRESENCE_POINTER_ALWAYS;
    bool zero;

    if (yl_node_type(member) == YL_JSON_NULL
        && (pointer || value->kind != YL_VALUE_DURATION)) {
        if (field->presence != YL_PRESENCE_POINTER_ALWAYS) {
            yl_node_detach(member);
        }
        return true;
    }
    zero = walk_value(walk, &place, type.set, value, &member);
    if (pointer || (walk->decoded && is_sequence(value))) {
        return false;
    }
    if ((field->presence == YL_PRESENCE_OMIT_EMPTY
         && !is_written_empty(value, YL_PRESENCE_OMIT_EMPTY)
         && is_empty(value, member, zero))
        || (field->presence == YL_PRESENCE_OMIT_ZERO
            && is_empty(value, member, zero))) {
        leave_out(walk, value, member);
    } else if (walk->stored && is_sequence(value) && member->n == 0) {
        struct yl_node *object = member->parent;

        leave_out(walk, value, member);
        yl_node_set(walk->arena, object, yl_node_key(member),
                    yl_node_new_null(walk->arena));
    }
    return zero;
}

static void
leave_out(const struct walk *walk, const struct yl_value *value,
          struct yl_node *member)
{
    if (walk->remember && is_sequence(value)) {
        yl_node_empty_out(member);
    } else {
        yl_node_detach(member);
    }
}

/* Adds the members that are written even if they are empty. */
static void
add_absent(struct walk *walk, const struct place *parent,
           struct yl_type_ref type, struct yl_node *object)
{
    const struct yl_field *field = &type.set->fields[type.type->fields];
    const struct yl_field *end = field + type.type->n_fields;

    for (; field < end; field++) {
        const struct yl_value *value = &type.set->values[field->value];
        struct yl_str name = yl_str_n(type.set->strings + field->name,
                                      field->name_size);

        if (is_written_empty(value, field->presence)
            && !yl_node_get(object, name)) {
            struct place place = place_member(parent, name, type);

            yl_node_set(walk->arena, object, name,
                        field->presence == YL_PRESENCE_POINTER_ALWAYS
                        ? yl_node_new_null(walk->arena)
                        : zero_value(walk, &place, type.set, value));
        }
    }
}

/* Normalises the elements of a list or map. */
static void
walk_elements(struct walk *walk, const struct place *parent,
              const struct yl_type_set *set, const struct yl_value *value,
              struct yl_node *list)
{
    const struct yl_value *element = &set->values[value->element];
    const struct yl_strict_repeat *repeats = NULL;
    struct yl_node *node, *next;
    size_t i = 0;

    if (walk->strict && list->flags & YL_NODE_MERGED) {
        repeats = yl_strict_repeats(walk->strict, list);
    }
    YL_NODE_FOR_EACH_SAFE (node, next, list) {
        struct yl_type_ref none = { NULL, NULL };
        struct place place;

        report_repeats(walk, parent, &repeats, i, NULL);
        if (value->kind == YL_VALUE_MAP) {
            place = place_member(parent, yl_node_key(node), none);
        } else {
            place = place_member(parent, yl_str_null(), none);
            place.path.step = YL_FIELD_INDEX;
            place.path.index = i;
        }
        i++;
        if (yl_node_type(node) == YL_JSON_NULL
            && element->kind != YL_VALUE_DURATION) {
            struct yl_node *zero = zero_value(walk, &place, set, element);

            if (walk->stored && element->kind == YL_VALUE_BYTES) {
                zero = yl_node_new_string(walk->arena, YL_STR(""));
            }
            if (yl_node_type(zero) != YL_JSON_NULL) {
                yl_node_replace(node, zero);
            }
        } else {
            walk_value(walk, &place, set, element, &node);
        }
        if (walk->ended || yl_arena_is_over(walk->arena)) {
            return;
        }
    }
    report_repeats(walk, parent, &repeats, SIZE_MAX, NULL);
}

static bool
walk_scalar(struct walk *walk, const struct place *place,
            const struct yl_value *value, struct yl_node **node)
{
    struct yl_scalar_fault fault;
    const char *name;
    bool zero;

    switch (yl_scalar_normalize(walk->arena, value->kind, node, &zero,
                                &fault)) {
    case YL_SCALAR_TYPE:
        if (fault.ends) {
            walk->fault = yl_str_null();
        }
        name = value->kind == YL_VALUE_STRING ? own_name(place) : NULL;
        refuse(walk, place, *node, fault.with_number,
               yl_str_c(name ? name : fault.type));
        walk->ended |= fault.ends;
        break;

    case YL_SCALAR_FORM:
        keep_fault(walk, fault.message, fault.ends);
        break;

    case YL_SCALAR_OK:
        break;
    }
    return zero;
}

/* Go's name for the type of a value that is not a scalar. */
static void
write_name(struct yl_buf *buf, const struct place *place,
           const struct yl_type_set *set, const struct yl_value *value)
{
    const char *name = own_name(place);

    if (name) {
        yl_buf_append_c(buf, name);
    } else {
        yl_go_name_value(buf, set, value);
    }
}

/* Go's name for the type there, if it does not follow from descriptors: that
 * of a field, or of its elements. */
static const char *
own_name(const struct place *place)
{
    const struct yl_field *field = NULL;
    const char *name;
    size_t level = 0;

    for (; place && !place->owner.type; place = place->parent) {
        level++;
    }
    if (place) {
        field = yl_type_field(place->owner, place->path.name);
    }
    name = field ? yl_go_field_type(place->owner.set, field) : NULL;
    while (name && level--) {
        name = yl_go_element_type(name);
    }
    return name;
}

/* What Go writes for a zero of that type. */
static struct yl_node *
zero_value(struct walk *walk, const struct place *place,
           const struct yl_type_set *set, const struct yl_value *value)
{
    struct yl_node *object;

    if (value->kind != YL_VALUE_STRUCT) {
        return yl_scalar_zero(walk->arena, value->kind);
    }
    object = yl_node_new_object(walk->arena);
    walk_struct(walk, place, yl_value_type(set, value), false, object);
    return object;
}

/* Is a field written even if it is absent? */
static bool
is_written_empty(const struct yl_value *value, enum yl_presence presence)
{
    switch (presence) {
    case YL_PRESENCE_ALWAYS:
    case YL_PRESENCE_POINTER_ALWAYS:
        return true;

    case YL_PRESENCE_OMIT_EMPTY:
        /* Types that are structs in Go are never empty. */
        return value->kind == YL_VALUE_STRUCT || value->kind == YL_VALUE_TIME
               || value->kind == YL_VALUE_MICRO_TIME
               || value->kind == YL_VALUE_DURATION
               || value->kind == YL_VALUE_QUANTITY
               || value->kind == YL_VALUE_INT_OR_STRING
               || value->kind == YL_VALUE_RAW
               || value->kind == YL_VALUE_EMBEDDED;

    case YL_PRESENCE_OMIT_ZERO:
    case YL_PRESENCE_POINTER:
        break;
    }
    return false;
}

static bool
is_sequence(const struct yl_value *value)
{
    return value->kind == YL_VALUE_LIST || value->kind == YL_VALUE_MAP;
}

static bool
is_empty(const struct yl_value *value, const struct yl_node *node, bool zero)
{
    if (value->kind == YL_VALUE_BYTES) {
        return yl_node_string_is(node, YL_STR(""));
    }
    return zero || (is_sequence(value) && node->n == 0);
}

/* Reports the repeated members before the one at 'position'.  In a struct only
 * members that it has are reported; the others are unknown already. */
static void
report_repeats(struct walk *walk, const struct place *place,
               const struct yl_strict_repeat **repeats, size_t position,
               const struct yl_type_ref *type)
{
    for (; *repeats && (*repeats)->position <= position;
         *repeats = (*repeats)->next) {
        if (!type || yl_type_field(*type, (*repeats)->key)
            || is_type_meta(*type, (*repeats)->key)) {
            yl_strict_duplicate(walk->strict, place ? &place->path : NULL,
                                (*repeats)->key);
        }
    }
}

/* Sets Go's error for a value of the wrong type, if it is the first. */
static void
refuse(struct walk *walk, const struct place *place,
       const struct yl_node *node, bool with_number, struct yl_str type)
{
    static const char *const words[] = {
        [YL_JSON_NONE] = "null", [YL_JSON_NULL] = "null",
        [YL_JSON_BOOL] = "bool", [YL_JSON_NUMBER] = "number",
        [YL_JSON_STRING] = "string", [YL_JSON_ARRAY] = "array",
        [YL_JSON_OBJECT] = "object",
    };
    struct yl_str number = yl_str_null();
    struct yl_buf text;

    yl_buf_init(&text, SIZE_MAX);
    yl_buf_append_c(&text, "json: cannot unmarshal ");
    yl_buf_append_c(&text, words[yl_node_type(node)]);
    if (with_number) {
        yl_node_number(node, &number);
        yl_buf_append_char(&text, ' ');
        yl_buf_append_str(&text, number.size <= YL_FIELD_TEXT_MAX
                          ? number : YL_STR("..."));
    }
    yl_buf_append_c(&text, " into Go ");
    if (place) {
        yl_buf_append_c(&text, "struct field ");
        write_field_stack(&text, place);
    } else {
        yl_buf_append_c(&text, "value");
    }
    yl_buf_append_c(&text, " of type ");
    yl_buf_append_str(&text, type);
    keep_fault(walk, yl_buf_str(&text), false);
    yl_buf_release(&text);
}

static void
keep_fault(struct walk *walk, struct yl_str text, bool ends)
{
    if (yl_str_is_null(walk->fault) || ends) {
        walk->fault = yl_arena_copy(walk->arena, text);
        walk->ended = ends;
    }
}

/* Appends "PodSpec.spec.containers": the innermost struct, then the fields
 * from the root, without indices and the keys of maps. */
static void
write_field_stack(struct yl_buf *buf, const struct place *place)
{
    const struct place *at = place;
    struct yl_str names[YL_JSON_MAX_DEPTH];
    size_t n = 0;

    while (!at->owner.type) {
        at = at->parent;
    }
    yl_buf_append_c(buf, yl_type_set_text(at->owner.set,
                                          at->owner.type->name));
    for (; at && n < YL_JSON_MAX_DEPTH; at = at->parent) {
        unsigned depth;

        if (!at->owner.type) {
            continue;
        }
        names[n++] = at->path.name;
        if (is_type_meta(at->owner, at->path.name) && n < YL_JSON_MAX_DEPTH) {
            names[n++] = YL_STR("TypeMeta");
        }
        depth = yl_go_name_depth(at->owner, at->path.name);
        for (; depth && n < YL_JSON_MAX_DEPTH; depth--) {
            names[n++] = yl_str_c(yl_go_embedding_name(at->owner, depth));
        }
    }
    while (n--) {
        yl_buf_append_char(buf, '.');
        yl_buf_append_str(buf, names[n]);
    }
}

static struct place
place_member(const struct place *parent, struct yl_str name,
             struct yl_type_ref owner)
{
    struct place place;

    place.path = yl_field_member(parent ? &parent->path : NULL, name);
    place.parent = parent;
    place.owner = owner;
    return place;
}
