/* Where messages differ from objects.  See schema/protobuf_layout.h. */

#include "schema/protobuf_layout.h"

#include <string.h>

#include "schema/go_set.h"
#include "yuloh/compiler.h"

static bool is_called(struct yl_type_ref owner, const struct yl_field *,
                      const char *type);

struct yl_layout
yl_layout_of(struct yl_type_ref type)
{
    struct yl_layout layout;

    layout.type = type;
    layout.name = yl_type_set_text(type.set, type.type->name);
    layout.depth = 0;
    layout.embedding = yl_go_embedding(type, 1);
    layout.shared = layout.embedding != NULL;
    return layout;
}

struct yl_layout
yl_layout_embedded(const struct yl_layout *outer)
{
    struct yl_layout layout = *outer;

    layout.depth++;
    layout.name = yl_go_embedding_name(layout.type, layout.depth);
    layout.embedding = yl_go_embedding(layout.type, layout.depth + 1);
    return layout;
}

const struct yl_field *
yl_layout_field(const struct yl_layout *layout, unsigned number)
{
    const struct yl_type_set *set = layout->type.set;
    const struct yl_field *field = &set->fields[layout->type.type->fields];
    const struct yl_field *end = field + layout->type.type->n_fields;

    for (; field < end; field++) {
        if (field->number == number && number
            && yl_layout_has(layout, field)) {
            return field;
        }
    }
    return NULL;
}

bool
yl_layout_has(const struct yl_layout *layout, const struct yl_field *field)
{
    return !layout->shared
           || yl_go_field_of(layout->type.set, field)->depth == layout->depth;
}

enum yl_raw_form
yl_layout_raw_form(struct yl_type_ref owner, const struct yl_field *field)
{
    static const struct {
        const char *type;       /* Go's. */
        enum yl_raw_form form;
    } rows[] = {
        { "JSONSchemaPropsOrArray", YL_RAW_SCHEMA_OR_LIST },
        { "JSONSchemaPropsOrBool", YL_RAW_SCHEMA_OR_BOOL },
        { "JSONSchemaDependencies", YL_RAW_SCHEMA_OR_STRINGS },
        { "CustomResourceSubresourceStatus", YL_RAW_EMPTY },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(rows); i++) {
        if (is_called(owner, field, rows[i].type)) {
            return rows[i].form;
        }
    }
    return YL_RAW_JSON;
}

bool
yl_layout_wraps(struct yl_type_ref owner, const struct yl_field *field)
{
    return is_called(owner, field, "Verbs");
}

/* Is this Go's name for the field's type, in whatever package? */
static bool
is_called(struct yl_type_ref owner, const struct yl_field *field,
          const char *type)
{
    const char *name = yl_go_field_type(owner.set, field);
    const char *dot = name ? strrchr(name, '.') : NULL;

    return dot && !strcmp(dot + 1, type);
}
