/* Facts about upstream's Go types.  See schema/go_set.h for the contract. */

#include "schema/go_set.h"

#include <string.h>

const struct yl_go_set *
yl_go_set_of(const struct yl_type_set *set)
{
    size_t i;

    for (i = 0; i < yl_n_go_sets; i++) {
        if (yl_go_sets[i].set == set) {
            return yl_go_sets[i].go;
        }
    }
    return NULL;
}

const struct yl_go_field *
yl_go_field_of(const struct yl_type_set *set, const struct yl_field *field)
{
    static const struct yl_go_field none = { 0, 0, 0, 0 };
    const struct yl_go_set *go = yl_go_set_of(set);

    return go ? &go->fields[field - set->fields] : &none;
}

const char *
yl_go_field_type(const struct yl_type_set *set, const struct yl_field *field)
{
    const struct yl_go_set *go = yl_go_set_of(set);
    uint16_t type = go ? go->fields[field - set->fields].type : 0;

    return type ? go->strings + type : NULL;
}

const char *
yl_go_element_type(const char *type)
{
    const char *end = NULL;

    if (type && (type[0] == '[' || !strncmp(type, "map[", 4))) {
        end = strchr(type, ']');
    }
    return end ? end + 1 : NULL;
}

const struct yl_go_embedding *
yl_go_embedding(struct yl_type_ref type, unsigned depth)
{
    const struct yl_go_set *go = yl_go_set_of(type.set);
    size_t i = (size_t) (type.type - type.set->types);

    if (!go || depth < 1
        || depth > (unsigned) (go->types[i + 1].embeddings
                               - go->types[i].embeddings)) {
        return NULL;
    }
    return &go->embeddings[go->types[i].embeddings + depth - 1];
}

const char *
yl_go_embedding_name(struct yl_type_ref type, unsigned depth)
{
    const struct yl_go_embedding *embedding = yl_go_embedding(type, depth);

    return embedding ? yl_go_set_of(type.set)->strings + embedding->name : "";
}
