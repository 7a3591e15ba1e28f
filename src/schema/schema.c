/* Descriptors: looking things up.  See yuloh/schema.h. */

#include "yuloh/schema.h"

/* Most names differ in their first byte. */
static inline int
compare(struct yl_str a, struct yl_str b)
{
    if (a.size && b.size && a.data[0] != b.data[0]) {
        return (unsigned char) a.data[0] < (unsigned char) b.data[0] ? -1 : 1;
    }
    return yl_str_compare(a, b);
}

const struct yl_field *
yl_type_field(struct yl_type_ref ref, struct yl_str name)
{
    const struct yl_field *fields = &ref.set->fields[ref.type->fields];
    size_t low = 0, high = ref.type->n_fields;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct yl_field *field = &fields[middle];
        int c = compare(name, yl_str_n(ref.set->strings + field->name,
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
