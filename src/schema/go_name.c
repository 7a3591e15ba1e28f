/* Names of Go types.  See schema/go_name.h. */

#include "schema/go_name.h"

#include "schema/go_set.h"

void
yl_go_name_value(struct yl_buf *buf, const struct yl_type_set *set,
                 const struct yl_value *value)
{
    static const char *const names[] = {
        [YL_VALUE_NONE] = "interface {}", [YL_VALUE_BOOL] = "bool",
        [YL_VALUE_INT32] = "int32", [YL_VALUE_INT64] = "int64",
        [YL_VALUE_DOUBLE] = "float64", [YL_VALUE_STRING] = "string",
        [YL_VALUE_BYTES] = "[]uint8", [YL_VALUE_TIME] = "v1.Time",
        [YL_VALUE_MICRO_TIME] = "v1.MicroTime",
        [YL_VALUE_DURATION] = "v1.Duration",
        [YL_VALUE_QUANTITY] = "resource.Quantity",
        [YL_VALUE_INT_OR_STRING] = "intstr.IntOrString",
        [YL_VALUE_RAW] = "runtime.RawExtension",
        [YL_VALUE_EMBEDDED] = "runtime.RawExtension",
    };

    for (;;) {
        const struct yl_value *element = &set->values[value->element];

        if (value->kind == YL_VALUE_LIST) {
            yl_buf_append_c(buf, "[]");
        } else if (value->kind == YL_VALUE_MAP
                   && element->kind == YL_VALUE_QUANTITY) {
            yl_buf_append_c(buf, "v1.ResourceList");
            return;
        } else if (value->kind == YL_VALUE_MAP) {
            yl_buf_append_c(buf, "map[string]");
        } else {
            break;
        }
        value = element;
    }
    if (value->kind == YL_VALUE_STRUCT) {
        yl_go_name_struct(buf, yl_value_type(set, value));
    } else {
        yl_buf_append_c(buf, names[value->kind]);
    }
}

void
yl_go_name_struct(struct yl_buf *buf, struct yl_type_ref type)
{
    yl_buf_printf(buf, "%s.%s", type.set->version,
                  yl_type_set_text(type.set, type.type->name));
}

unsigned
yl_go_name_depth(struct yl_type_ref type, struct yl_str field)
{
    const struct yl_field *f = yl_type_field(type, field);

    return f ? yl_go_field_of(type.set, f)->depth : 0;
}
