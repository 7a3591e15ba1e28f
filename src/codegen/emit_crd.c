/* From the model to CustomResourceDefinitions.  See codegen/emit_crd.h. */

#include "codegen/emit_crd.h"

#include <string.h>

#include "codegen/model.h"
#include "json/tree.h"
#include "json/yaml_out.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

#define APPROVED "api-approved.kubernetes.io"

/* The versions of one kind. */
struct versions {
    struct yl_gen_unit *const *units;
    size_t n_units;
    const struct yl_gen_kind *first;
};

static bool is_first(const struct versions *, size_t unit,
                     const struct yl_gen_kind *);
static const struct yl_gen_kind *find_version(const struct versions *,
                                              size_t unit);
static int check(const struct versions *, struct yl_error *);
static struct yl_node *crd_of(const struct versions *, struct yl_error *);
static struct yl_node *names_of(struct yl_arena *,
                                const struct yl_gen_kind *);
static struct yl_node *version_of(struct yl_arena *,
                                  const struct yl_gen_kind *,
                                  struct yl_error *);
static struct yl_node *columns_of(struct yl_arena *,
                                  const struct yl_gen_column *);
static struct yl_node *subresources_of(struct yl_arena *,
                                       const struct yl_gen_kind *);

int
yl_gen_emit_crds(struct yl_gen_unit *const *units, size_t n,
                 struct yl_buf *buf, struct yl_error *err)
{
    struct versions versions = { units, n, NULL };
    const struct yl_gen_kind *kind;
    struct yl_node *crd;
    size_t i;
    int r;

    for (i = 0; i < n; i++) {
        for (kind = units[i]->kinds; kind; kind = kind->next) {
            versions.first = kind;
            if (!is_first(&versions, i, kind)) {
                continue;
            }
            r = check(&versions, err);
            if (r < 0) {
                return r;
            }
            crd = crd_of(&versions, err);
            if (!crd) {
                return YL_EINVALID;
            }
            yl_buf_append_c(buf, "---\n");
            yl_yaml_write(buf, crd);
        }
    }
    return 0;
}

static void
set(struct yl_arena *arena, struct yl_node *object, const char *key,
    struct yl_node *value)
{
    if (value) {
        yl_node_set(arena, object, yl_str_c(key), value);
    }
}

static void
set_text(struct yl_arena *arena, struct yl_node *object, const char *key,
         const char *text)
{
    set(arena, object, key, yl_node_new_string(arena, yl_str_c(text)));
}

/* A list of texts; NULL if there are none. */
static struct yl_node *
texts_of(struct yl_arena *arena, const struct yl_gen_text *texts)
{
    struct yl_node *list = texts ? yl_node_new_array(arena) : NULL;

    for (; texts; texts = texts->next) {
        yl_node_append(list, yl_node_new_string(arena,
                                                yl_str_c(texts->text)));
    }
    return list;
}

/* "key=value" texts; NULL if there are none. */
static struct yl_node *
pairs_of(struct yl_arena *arena, const struct yl_gen_text *texts)
{
    struct yl_node *object = texts ? yl_node_new_object(arena) : NULL;

    for (; texts; texts = texts->next) {
        struct yl_str key = yl_str_c(texts->text), value = YL_STR("");

        yl_str_cut(key, '=', &key, &value);
        yl_node_set(arena, object, key, yl_node_new_string(arena, value));
    }
    return object;
}

/* Is there no version of the kind in an earlier unit? */
static bool
is_first(const struct versions *versions, size_t unit,
         const struct yl_gen_kind *kind)
{
    size_t i;

    for (i = 0; i < unit; i++) {
        if (find_version(versions, i)) {
            return false;
        }
    }
    return find_version(versions, unit) == kind;
}

/* The kind of the same name in a unit of the same group; or NULL. */
static const struct yl_gen_kind *
find_version(const struct versions *versions, size_t unit)
{
    const struct yl_gen_unit *first = versions->first->type->unit;
    const struct yl_gen_kind *kind;

    if (strcmp(versions->units[unit]->group, first->group)) {
        return NULL;
    }
    for (kind = versions->units[unit]->kinds; kind; kind = kind->next) {
        if (!strcmp(kind->name, versions->first->name)) {
            break;
        }
    }
    return kind;
}

static int
check(const struct versions *versions, struct yl_error *err)
{
    const struct yl_gen_kind *first = versions->first;
    const struct yl_gen_unit *unit = first->type->unit;
    struct yl_str group = yl_str_c(unit->group);
    const struct yl_gen_text *a;
    size_t i, n_stored = 0;

    if (!group.size) {
        return yl_error_set(err, YL_EINVALID, "%s:%u: %s is in the core "
                            "group, which has no CRDs", unit->file,
                            first->type->line, first->name);
    }
    for (i = 0; i < versions->n_units; i++) {
        const struct yl_gen_kind *kind = find_version(versions, i);

        n_stored += kind && kind->storage;
    }
    if (n_stored != 1) {
        return yl_error_set(err, YL_EINVALID, "%s:%u: %zu versions of %s are "
                            "stored; write '+kubebuilder:storageversion' "
                            "above one", unit->file, first->type->line,
                            n_stored, first->name);
    }
    if (!yl_str_equal_c(group, "k8s.io")
        && !yl_str_ends_with(group, YL_STR(".k8s.io"))
        && !yl_str_equal_c(group, "kubernetes.io")
        && !yl_str_ends_with(group, YL_STR(".kubernetes.io"))) {
        return 0;
    }
    for (a = first->annotations; a; a = a->next) {
        if (yl_str_starts_with(yl_str_c(a->text), YL_STR(APPROVED "="))) {
            return 0;
        }
    }
    return yl_error_set(err, YL_EINVALID, "%s:%u: the group %s is protected; "
                        "write '+kubebuilder:metadata:annotations=\""
                        APPROVED "=URL\"' above struct %s, with the address "
                        "of the approval or \"unapproved, REASON\"",
                        unit->file, first->type->line, unit->group,
                        first->type->c_name);
}

static struct yl_node *
crd_of(const struct versions *versions, struct yl_error *err)
{
    const struct yl_gen_kind *first = versions->first;
    const struct yl_gen_unit *unit = first->type->unit;
    struct yl_arena *arena = unit->arena;
    struct yl_node *crd = yl_node_new_object(arena);
    struct yl_node *metadata = yl_node_new_object(arena);
    struct yl_node *spec = yl_node_new_object(arena);
    struct yl_node *list = yl_node_new_array(arena);
    size_t i;

    set_text(arena, crd, "apiVersion", "apiextensions.k8s.io/v1");
    set_text(arena, crd, "kind", "CustomResourceDefinition");
    set_text(arena, metadata, "name",
             yl_arena_printf(arena, "%s.%s", first->plural, unit->group));
    set(arena, metadata, "annotations", pairs_of(arena, first->annotations));
    set(arena, metadata, "labels", pairs_of(arena, first->labels));
    set(arena, crd, "metadata", metadata);

    set_text(arena, spec, "group", unit->group);
    set(arena, spec, "names", names_of(arena, first));
    set_text(arena, spec, "scope", first->cluster_scoped ? "Cluster"
                                                         : "Namespaced");
    for (i = 0; i < versions->n_units; i++) {
        const struct yl_gen_kind *kind = find_version(versions, i);
        struct yl_node *version;

        if (kind) {
            version = version_of(arena, kind, err);
            if (!version) {
                return NULL;
            }
            yl_node_append(list, version);
        }
    }
    set(arena, spec, "versions", list);
    set(arena, crd, "spec", spec);
    return crd;
}

static struct yl_node *
names_of(struct yl_arena *arena, const struct yl_gen_kind *kind)
{
    struct yl_node *names = yl_node_new_object(arena);

    set(arena, names, "categories", texts_of(arena, kind->categories));
    set_text(arena, names, "kind", kind->name);
    set_text(arena, names, "listKind", kind->list_name);
    set_text(arena, names, "plural", kind->plural);
    set(arena, names, "shortNames", texts_of(arena, kind->short_names));
    set_text(arena, names, "singular", kind->singular);
    return names;
}

static struct yl_node *
version_of(struct yl_arena *arena, const struct yl_gen_kind *kind,
           struct yl_error *err)
{
    struct yl_node *version = yl_node_new_object(arena);
    struct yl_node *schema = yl_node_new_object(arena);
    struct yl_node *root = yl_gen_schema(arena, kind->type, true, err);
    const struct yl_gen_text *path;

    if (!root) {
        return NULL;
    }
    set(arena, version, "additionalPrinterColumns",
        columns_of(arena, kind->columns));
    if (kind->deprecated) {
        set(arena, version, "deprecated", yl_node_new_bool(arena, true));
        if (kind->deprecation[0]) {
            set_text(arena, version, "deprecationWarning",
                     kind->deprecation);
        }
    }
    set_text(arena, version, "name", kind->type->unit->version);
    set(arena, schema, "openAPIV3Schema", root);
    set(arena, version, "schema", schema);
    if (kind->selectable) {
        struct yl_node *list = yl_node_new_array(arena);

        for (path = kind->selectable; path; path = path->next) {
            struct yl_node *field = yl_node_new_object(arena);

            set_text(arena, field, "jsonPath", path->text);
            yl_node_append(list, field);
        }
        set(arena, version, "selectableFields", list);
    }
    set(arena, version, "served", yl_node_new_bool(arena, !kind->unserved));
    set(arena, version, "storage", yl_node_new_bool(arena, kind->storage));
    set(arena, version, "subresources", subresources_of(arena, kind));
    return version;
}

static struct yl_node *
columns_of(struct yl_arena *arena, const struct yl_gen_column *column)
{
    struct yl_node *list = column ? yl_node_new_array(arena) : NULL;

    for (; column; column = column->next) {
        struct yl_node *node = yl_node_new_object(arena);

        if (column->description[0]) {
            set_text(arena, node, "description", column->description);
        }
        if (column->format[0]) {
            set_text(arena, node, "format", column->format);
        }
        set_text(arena, node, "jsonPath", column->json_path);
        set_text(arena, node, "name", column->name);
        if (column->priority) {
            set(arena, node, "priority",
                yl_node_new_int64(arena, column->priority));
        }
        set_text(arena, node, "type", column->type);
        yl_node_append(list, node);
    }
    return list;
}

static struct yl_node *
subresources_of(struct yl_arena *arena, const struct yl_gen_kind *kind)
{
    struct yl_node *all, *scale;

    if (!kind->status && !kind->scale) {
        return NULL;
    }
    all = yl_node_new_object(arena);
    if (kind->scale) {
        scale = yl_node_new_object(arena);
        if (kind->scale_selector[0]) {
            set_text(arena, scale, "labelSelectorPath",
                     kind->scale_selector);
        }
        set_text(arena, scale, "specReplicasPath", kind->scale_spec);
        set_text(arena, scale, "statusReplicasPath", kind->scale_status);
        set(arena, all, "scale", scale);
    }
    if (kind->status) {
        set(arena, all, "status", yl_node_new_object(arena));
    }
    return all;
}
