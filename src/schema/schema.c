/* Descriptors: looking things up.  See yuloh/schema.h. */

#include "yuloh/schema.h"

const struct yl_field *
yl_type_field(struct yl_type_ref ref, struct yl_str name)
{
    const struct yl_field *fields = &ref.set->fields[ref.type->fields];
    size_t low = 0, high = ref.type->n_fields;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct yl_field *field = &fields[middle];
        int c = yl_str_compare(name, yl_str_n(ref.set->strings + field->name,
                                              field->name_size));

        if (c == 0) {
            return field;
        } else if (c < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}

bool
yl_type_is_kind(struct yl_type_ref ref)
{
    size_t i;

    for (i = 0; i < ref.set->n_kinds; i++) {
        if (&ref.set->types[ref.set->kinds[i]->type] == ref.type) {
            return true;
        }
    }
    return false;
}
