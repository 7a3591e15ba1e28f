/* What JSON makes of YAML scalars.  See json/yaml_value.h. */

#include "json/yaml_value.h"

#include <math.h>

#include "base/buf.h"
#include "json/base64.h"
#include "json/text.h"
#include "json/tree.h"
#include "json/yaml_scalar.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static const struct tag {
    const char *name;
    enum yl_yaml_type type;
} tags[] = {
    { "null", YL_YAML_NULL },
    { "bool", YL_YAML_BOOL },
    { "int", YL_YAML_INT },
    { "float", YL_YAML_FLOAT },
    { "timestamp", YL_YAML_TIME },
};

static const struct tag *find_tag(struct yl_str name);

int
yl_yaml_resolve_tagged(struct yl_arena *arena, const char *tag,
                       struct yl_str text, struct yl_yaml_scalar *ret_scalar,
                       struct yl_error *err)
{
    const struct yl_str prefix = YL_STR("tag:yaml.org,2002:");
    struct yl_yaml_scalar scalar = { YL_YAML_STRING, text, { false } };
    struct yl_str name = yl_str_c(tag);
    const struct tag *known = NULL;

    if (yl_str_starts_with(name, prefix)) {
        name = yl_str_skip(name, prefix.size);
        known = find_tag(name);
        if (yl_str_equal(name, YL_STR("binary"))
            && !yl_base64_decode_text(arena, text, &scalar.text)) {
            return yl_error_set(err, YL_ETYPE, "!!binary value contains "
                                "invalid base64 data");
        }
    }
    if (known) {
        scalar = yl_yaml_resolve(text);
        if (known->type == YL_YAML_FLOAT && scalar.type == YL_YAML_INT) {
            scalar.type = YL_YAML_FLOAT;
            scalar.as.real = (double) scalar.as.integer;
        }
        if (scalar.type != known->type
            && (known->type != YL_YAML_INT || scalar.type != YL_YAML_UINT)) {
            text.size = text.size < 64 ? text.size : 64;
            return yl_error_set(err, YL_ETYPE, "cannot decode `%.*s` as a "
                                "!!%s", YL_STR_ARG(text), known->name);
        }
    }
    *ret_scalar = scalar;
    return 0;
}

int
yl_yaml_to_node(struct yl_arena *arena, const struct yl_yaml_scalar *scalar,
                struct yl_node **ret_node, struct yl_error *err)
{
    struct yl_node *node = NULL;
    struct yl_buf buf;

    switch (scalar->type) {
    case YL_YAML_NULL:
        node = yl_node_new_null(arena);
        break;

    case YL_YAML_BOOL:
        node = yl_node_new_bool(arena, scalar->as.truth);
        break;

    case YL_YAML_INT:
        node = yl_node_new_int64(arena, scalar->as.integer);
        break;

    case YL_YAML_UINT:
        yl_buf_init(&buf, 64);
        yl_json_write_uint64(&buf, scalar->as.natural);
        node = yl_node_new_number(arena, yl_buf_str(&buf));
        yl_buf_release(&buf);
        break;

    case YL_YAML_FLOAT:
        if (!isfinite(scalar->as.real)) {
            return yl_error_set(err, YL_ERANGE, "JSON cannot say %.*s",
                                YL_STR_ARG(scalar->text));
        }
        node = yl_node_new_double(arena, scalar->as.real);
        break;

    case YL_YAML_TIME:
    case YL_YAML_STRING:
        node = yl_node_new_string(arena, scalar->text);
        break;
    }
    *ret_node = node;
    return 0;
}

int
yl_yaml_to_key(struct yl_arena *arena, const struct yl_yaml_scalar *scalar,
               struct yl_str *ret_key, struct yl_error *err)
{
    struct yl_buf buf;

    switch (scalar->type) {
    case YL_YAML_NULL:
        return yl_error_set(err, YL_ESYNTAX, "null cannot be a map key");

    case YL_YAML_UINT:
        return yl_error_set(err, YL_ESYNTAX, "%.*s is too large for a map "
                            "key", YL_STR_ARG(scalar->text));

    case YL_YAML_BOOL:
        *ret_key = scalar->as.truth ? YL_STR("true") : YL_STR("false");
        break;

    case YL_YAML_INT:
    case YL_YAML_FLOAT:
        yl_buf_init(&buf, 64);
        if (scalar->type == YL_YAML_INT) {
            yl_json_write_int64(&buf, scalar->as.integer);
        } else {
            yl_yaml_write_float(&buf, scalar->as.real, true);
        }
        *ret_key = yl_arena_copy(arena, yl_buf_str(&buf));
        yl_buf_release(&buf);
        break;

    case YL_YAML_TIME:
    case YL_YAML_STRING:
        *ret_key = scalar->text;
        break;
    }
    return 0;
}

static const struct tag *
find_tag(struct yl_str name)
{
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(tags); i++) {
        if (yl_str_equal_c(name, tags[i].name)) {
            return &tags[i];
        }
    }
    return NULL;
}
