/* Warnings about CustomResourceDefinitions: formats that mean nothing, and
 * rules in CEL, which are stored and not evaluated. */

#include "builtin/apiextensions/crd_check.h"
#include "builtin/rows.h"
#include "builtin/warnings/warnings.h"
#include "schema/format.h"
#include "schema/props.h"

/* Formats that are not known. */
struct formats {
    struct yl_arena *arena;
    struct yl_node *known;      /* Those of the old object: not told again. */
    struct yl_node *found;
};

static void find_formats(struct yl_arena *, const struct yl_crd_schemas *,
                         struct yl_node *known, struct yl_node *found);
static void look_at_format(void *formats, const struct yl_schema_props *);
static bool is_known(const struct yl_schema_props *);

void
yl_crd_warn(struct yl_warnings *warnings, const struct yl_node *object,
            const struct yl_node *old)
{
    struct yl_arena *arena = warnings->arena;
    struct yl_node *found = yl_node_new_object(arena);
    struct yl_node *known = yl_node_new_object(arena);
    struct yl_crd_schemas schemas;
    struct yl_node *format;
    struct yl_crd crd;

    if (old) {
        yl_crd_init(&crd, old);
        yl_crd_schemas_read(arena, &crd, &schemas);
        find_formats(arena, &schemas, found, known);
    }
    yl_crd_init(&crd, object);
    yl_crd_schemas_read(arena, &crd, &schemas);
    find_formats(arena, &schemas, known, found);
    YL_NODE_FOR_EACH (format, found) {
        struct yl_buf quoted;

        yl_buf_init(&quoted, SIZE_MAX);
        yl_bad_value_write(&quoted, yl_bad_string(yl_node_key(format)));
        yl_warn(warnings, "unrecognized format %s", yl_buf_c_str(&quoted));
        yl_buf_release(&quoted);
    }
    if (schemas.facts & YL_CRD_HAS_CEL) {
        yl_warn(warnings, "x-kubernetes-validations are stored, but this "
                "server does not enforce them yet");
    }
}

/* Adds formats to 'found' that are not in 'known'. */
static void
find_formats(struct yl_arena *arena, const struct yl_crd_schemas *schemas,
             struct yl_node *known, struct yl_node *found)
{
    struct formats formats = { arena, known, found };
    size_t i;

    for (i = 0; i < schemas->n; i++) {
        if (schemas->all[i].props) {
            yl_crd_schema_walk(schemas->all[i].props, look_at_format,
                               &formats);
        }
    }
}

static void
look_at_format(void *formats_, const struct yl_schema_props *s)
{
    struct formats *formats = formats_;

    if (s->format.size && !is_known(s)
        && !yl_node_get(formats->known, s->format)) {
        yl_set_add(formats->arena, formats->found, s->format);
    }
}

/* A format belongs to a type. */
static bool
is_known(const struct yl_schema_props *s)
{
    if (!s->type.size || yl_str_equal_c(s->type, "string")) {
        return yl_format_check(s->format, YL_STR("")) != YL_FORMAT_UNKNOWN;
    } else if (yl_str_equal_c(s->type, "integer")) {
        return yl_str_equal_c(s->format, "int32")
               || yl_str_equal_c(s->format, "int64");
    }
    return yl_str_equal_c(s->type, "number")
           && (yl_str_equal_c(s->format, "float")
               || yl_str_equal_c(s->format, "double"));
}
