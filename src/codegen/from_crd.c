/* CustomResourceDefinitions into units.  See codegen/from_crd.h. */

#include "codegen/from_crd.h"

#include <string.h>

#include "codegen/from_schema.h"
#include "json/tree.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

#define CRD_VERSION "apiextensions.k8s.io/v1"

struct item {
    struct item *next;
    struct yl_gen_unit *unit;
};

struct yl_gen_crds {
    struct yl_arena *arena;
    struct yl_gen_unit *meta;
    struct item *units, **last;
    size_t n;
};

static int read_version(struct yl_gen_crds *, const struct yl_node *crd,
                        const struct yl_node *version, struct yl_error *);
static void add_metadata(struct yl_gen_reader *, struct yl_gen_type *);
static struct yl_gen_unit *unit_of(struct yl_gen_crds *, const char *group,
                                   const char *version);
static void read_names(struct yl_gen_reader *, const struct yl_node *crd,
                       struct yl_gen_kind *);
static void read_pairs(struct yl_gen_reader *, const struct yl_node *object,
                       struct yl_gen_text **);
static void read_state(struct yl_gen_reader *, const struct yl_node *version,
                       bool alone, struct yl_gen_kind *);
static void read_subresources(struct yl_gen_reader *, const struct yl_node *,
                              struct yl_gen_kind *);
static void read_columns(struct yl_gen_reader *, const struct yl_node *,
                         struct yl_gen_kind *);
static void read_selectable(struct yl_gen_reader *, const struct yl_node *,
                            struct yl_gen_kind *);
static bool is_true(const struct yl_node *, const char *name);
static struct yl_node *get(const struct yl_node *, const char *name);

struct yl_gen_crds *
yl_gen_crds_new(struct yl_arena *arena)
{
    struct yl_gen_crds *crds = yl_arena_zalloc(arena, sizeof *crds);

    crds->arena = arena;
    crds->meta = yl_gen_meta_unit(arena);
    crds->last = &crds->units;
    return crds;
}

int
yl_gen_crds_add(struct yl_gen_crds *crds, const struct yl_node *crd,
                struct yl_error *err)
{
    const struct yl_node *versions = get(get(crd, "spec"), "versions");
    const struct yl_node *version;

    if (!yl_node_string_is(get(crd, "kind"),
                           YL_STR("CustomResourceDefinition"))) {
        return 0;
    } else if (!yl_node_string_is(get(crd, "apiVersion"),
                                  YL_STR(CRD_VERSION))) {
        return yl_error_set(err, YL_EINVALID,
                            "only CustomResourceDefinitions of " CRD_VERSION
                            " can be read");
    } else if (yl_node_type(versions) != YL_JSON_ARRAY || !versions->n) {
        return yl_error_set(err, YL_EINVALID, "spec.versions: the CRD has no "
                            "versions");
    }
    YL_NODE_FOR_EACH (version, versions) {
        int r = read_version(crds, crd, version, err);

        if (r < 0) {
            return r;
        }
    }
    return 1;
}

struct yl_gen_unit **
yl_gen_crds_units(struct yl_gen_crds *crds, size_t *ret_n)
{
    struct yl_gen_unit **units = yl_arena_array(crds->arena, crds->n,
                                                sizeof *units);
    const struct item *item;
    size_t n = 0;

    for (item = crds->units; item; item = item->next) {
        units[n++] = item->unit;
    }
    *ret_n = n;
    return units;
}

static int
read_version(struct yl_gen_crds *crds, const struct yl_node *crd,
             const struct yl_node *version, struct yl_error *err)
{
    const struct yl_node *spec = get(crd, "spec");
    const struct yl_node *schema = get(get(version, "schema"),
                                       "openAPIV3Schema");
    struct yl_gen_unit scratch = { .arena = crds->arena };
    struct yl_gen_reader reader = {
        .unit = &scratch,
        .docs = true,
        .object_meta = yl_gen_meta_type(crds->meta, "ObjectMeta"),
    };
    const char *group = yl_gen_text_of(&reader, spec, "group");
    const char *name = yl_gen_text_of(&reader, version, "name");
    const char *kind = yl_gen_text_of(&reader, get(spec, "names"), "kind");
    struct yl_gen_type *type;
    const char *c_name;
    int r;

    if (!group[0] || !name[0] || !kind[0]) {
        return yl_error_set(err, YL_EINVALID, "the CRD lacks spec.group, "
                            "spec.names.kind or a version's name");
    } else if (yl_node_type(schema) != YL_JSON_OBJECT) {
        return yl_error_set(err, YL_EINVALID,
                            "version %s has no schema.openAPIV3Schema", name);
    }
    reader.unit = unit_of(crds, group, name);
    c_name = yl_arena_printf(crds->arena, "%s%s", reader.unit->prefix,
                             yl_gen_snake(crds->arena, kind));
    if (yl_gen_type_find(reader.unit, c_name)) {
        return yl_error_set(err, YL_EEXISTS, "%s/%s %s comes twice", group,
                            name, kind);
    }
    type = yl_gen_type_add(reader.unit, c_name);
    yl_gen_type_rename(type, kind);
    type->doc = yl_gen_text_of(&reader, schema, "description");
    yl_gen_kind_add(type)->client = true;
    yl_gen_import(reader.unit, crds->meta);
    read_names(&reader, crd, type->kind);
    read_state(&reader, version, get(spec, "versions")->n == 1, type->kind);
    read_subresources(&reader, get(version, "subresources"), type->kind);
    read_columns(&reader, get(version, "additionalPrinterColumns"),
                 type->kind);
    read_selectable(&reader, get(version, "selectableFields"), type->kind);
    r = yl_gen_read_type(&reader, schema, type, err);
    if (r < 0) {
        yl_error_prefix(err, "%s/%s %s", group, name, kind);
    } else if (!yl_gen_field_find(type, "metadata")) {
        add_metadata(&reader, type);
    }
    return r;
}

/* Every object has metadata, whether the schema says so or not. */
static void
add_metadata(struct yl_gen_reader *reader, struct yl_gen_type *type)
{
    struct yl_gen_value *value = yl_gen_value_new(reader->unit,
                                                  YL_VALUE_STRUCT);

    value->type = reader->object_meta;
    yl_gen_field_add(type, "metadata", value)->presence
        = YL_PRESENCE_OMIT_EMPTY;
}

static struct yl_gen_unit *
unit_of(struct yl_gen_crds *crds, const char *group, const char *version)
{
    struct yl_str label = yl_str_c(group), rest;
    struct item *item;
    char *base, *p;

    for (item = crds->units; item; item = item->next) {
        if (!strcmp(item->unit->group, group)
            && !strcmp(item->unit->version, version)) {
            return item->unit;
        }
    }
    yl_str_cut(label, '.', &label, &rest);
    base = yl_arena_printf(crds->arena, "%.*s_%s", YL_STR_ARG(label),
                           version);
    for (p = base; *p; p++) {
        if (!(*p >= 'a' && *p <= 'z') && !(*p >= '0' && *p <= '9')) {
            *p = '_';
        }
    }
    item = yl_arena_zalloc(crds->arena, sizeof *item);
    item->unit = yl_gen_unit_new(crds->arena, base, group, version);
    item->unit->prefix = yl_arena_printf(crds->arena, "%s_", base);
    *crds->last = item;
    crds->last = &item->next;
    crds->n++;
    return item->unit;
}

static void
read_names(struct yl_gen_reader *reader, const struct yl_node *crd,
           struct yl_gen_kind *kind)
{
    const struct yl_node *spec = get(crd, "spec"), *names = get(spec, "names");
    const char *plural = yl_gen_text_of(reader, names, "plural");
    const char *singular = yl_gen_text_of(reader, names, "singular");

    kind->plural = plural[0] ? plural : kind->plural;
    kind->singular = singular[0] ? singular : kind->singular;
    kind->cluster_scoped = yl_node_string_is(get(spec, "scope"),
                                             YL_STR("Cluster"));
    yl_gen_read_texts(reader->unit, &kind->short_names,
                      get(names, "shortNames"));
    yl_gen_read_texts(reader->unit, &kind->categories,
                      get(names, "categories"));
    read_pairs(reader, get(get(crd, "metadata"), "annotations"),
               &kind->annotations);
    read_pairs(reader, get(get(crd, "metadata"), "labels"), &kind->labels);
}

/* The members of an object of strings, as "key=value". */
static void
read_pairs(struct yl_gen_reader *reader, const struct yl_node *object,
           struct yl_gen_text **texts)
{
    const struct yl_node *member;

    if (yl_node_type(object) != YL_JSON_OBJECT) {
        return;
    }
    YL_NODE_FOR_EACH (member, object) {
        struct yl_str value, key = yl_node_key(member);

        if (!yl_node_string(member, reader->unit->arena, &value)) {
            yl_gen_text_add(reader->unit, texts,
                            yl_arena_printf(reader->unit->arena, "%.*s=%.*s",
                                            YL_STR_ARG(key),
                                            YL_STR_ARG(value)));
        }
    }
}

static void
read_state(struct yl_gen_reader *reader, const struct yl_node *version,
           bool alone, struct yl_gen_kind *kind)
{
    kind->storage = is_true(version, "storage");
    kind->storage_said = kind->storage && !alone;
    kind->unserved = !is_true(version, "served");
    kind->deprecated = is_true(version, "deprecated");
    kind->deprecation = yl_gen_text_of(reader, version, "deprecationWarning");
}

static void
read_subresources(struct yl_gen_reader *reader,
                  const struct yl_node *subresources,
                  struct yl_gen_kind *kind)
{
    const struct yl_node *scale = get(subresources, "scale");

    kind->status = get(subresources, "status") != NULL;
    kind->scale = scale != NULL;
    kind->scale_spec = yl_gen_text_of(reader, scale, "specReplicasPath");
    kind->scale_status = yl_gen_text_of(reader, scale, "statusReplicasPath");
    kind->scale_selector = yl_gen_text_of(reader, scale, "labelSelectorPath");
}

static void
read_columns(struct yl_gen_reader *reader, const struct yl_node *columns,
             struct yl_gen_kind *kind)
{
    const struct yl_node *node;

    if (yl_node_type(columns) != YL_JSON_ARRAY) {
        return;
    }
    YL_NODE_FOR_EACH (node, columns) {
        struct yl_gen_column *column = yl_gen_column_add(reader->unit, kind);
        int64_t priority = 0;

        yl_node_int64(get(node, "priority"), &priority);
        column->name = yl_gen_text_of(reader, node, "name");
        column->type = yl_gen_text_of(reader, node, "type");
        column->format = yl_gen_text_of(reader, node, "format");
        column->description = yl_gen_text_of(reader, node, "description");
        column->json_path = yl_gen_text_of(reader, node, "jsonPath");
        column->priority = priority < 0 || priority > 1000 ? 0
                                                           : (int) priority;
    }
}

static void
read_selectable(struct yl_gen_reader *reader, const struct yl_node *fields,
                struct yl_gen_kind *kind)
{
    const struct yl_node *node;

    if (yl_node_type(fields) != YL_JSON_ARRAY) {
        return;
    }
    YL_NODE_FOR_EACH (node, fields) {
        yl_gen_text_add(reader->unit, &kind->selectable,
                        yl_gen_text_of(reader, node, "jsonPath"));
    }
}

static bool
is_true(const struct yl_node *object, const char *name)
{
    bool value = false;

    yl_node_bool(get(object, name), &value);
    return value;
}

static struct yl_node *
get(const struct yl_node *object, const char *name)
{
    return yl_node_get(object, yl_str_c(name));
}
