/* Kinds of compiled schemas.  See schema/compile.h. */

#include "schema/compile.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "yuloh/compiler.h"

/* One block: a set of its own that has the schema's tables, and the texts. */
struct schema_kind {
    struct yl_kind kind;
    struct yl_type_set set;
    const struct yl_kind *kinds[1];
    struct yl_schema *schema;
    char texts[];
};

static const char *copy(char **at, struct yl_str);

struct yl_kind *
yl_schema_kind_new(struct yl_schema *schema,
                   const struct yl_schema_names *names)
{
    struct yl_type_ref root = yl_schema_type(schema);
    size_t size = names->group.size + names->version.size + names->kind.size
                  + names->list_kind.size + names->plural.size
                  + names->singular.size + 6;
    struct schema_kind *of = yl_zalloc(sizeof *of + size);
    char *at = of->texts;

    of->schema = yl_schema_ref(schema);
    of->set = *root.set;
    of->set.group = copy(&at, names->group);
    of->set.version = copy(&at, names->version);
    of->kinds[0] = &of->kind;
    of->set.kinds = of->kinds;
    of->set.n_kinds = 1;
    of->kind.set = &of->set;
    of->kind.name = copy(&at, names->kind);
    of->kind.list_name = copy(&at, names->list_kind);
    of->kind.plural = copy(&at, names->plural);
    of->kind.singular = copy(&at, names->singular);
    of->kind.type = (uint16_t) (root.type - root.set->types);
    of->kind.flags = (uint16_t) names->flags;
    return &of->kind;
}

void
yl_schema_kind_free(struct yl_kind *kind)
{
    if (kind) {
        struct schema_kind *of = YL_CONTAINER_OF(kind, struct schema_kind,
                                                 kind);

        yl_schema_unref(of->schema);
        free(of);
    }
}

/* Copies a text to '*at' and moves '*at' behind it. */
static const char *
copy(char **at, struct yl_str text)
{
    char *to = *at;

    if (text.size) {
        memcpy(to, text.data, text.size);
    }
    *at += text.size + 1;
    return to;
}
