/* Serving a definition.  See apiserver/crd/definition_resource.h for the
 * contract. */

#include "apiserver/crd/definition_resource.h"

#include "apiserver/crd/custom.h"
#include "apiserver/crd/definition.h"
#include "apiserver/keyspace/keyspace.h"
#include "apiserver/registry/registry.h"
#include "base/buf.h"
#include "builtin/columns/columns_cell.h"
#include "schema/compile.h"
#include "yuloh/api/autoscaling_v1.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/gvk.h"

/* A row and what it needs, in the definition's arena. */
struct row {
    struct yl_definition *definition;
    struct yl_api_resource resource;
    struct yl_api_version *versions;    /* All of them. */
    size_t n_versions;
};

static void add_version(struct row *, const struct yl_definition_version *);
static const char *join_fields(struct row *,
                               const struct yl_definition_version *);
static struct yl_kind *make_kind(const struct yl_definition_version *);
static void add_subresources(struct row *, struct yl_api_version *,
                             const struct yl_definition_version *);
static const struct yl_columns *
make_columns(struct row *, const struct yl_definition_version *);
static int add_objects(struct row *, uint32_t schema, struct yl_keyspace *,
                       struct yl_error *);
static void release(void *row);

int
yl_definition_serve_take(struct yl_definition *d, uint32_t schema,
                         struct yl_registry *registry,
                         struct yl_keyspace *keyspace,
                         struct yl_ks_resource **ret_objects,
                         struct yl_error *err)
{
    struct row *row = yl_arena_zalloc(d->arena, sizeof *row);
    struct yl_ks_resource *objects;
    size_t i;
    int r;

    row->definition = d;
    row->versions = yl_arena_array(d->arena, d->n_versions,
                                   sizeof *row->versions);
    row->resource = (struct yl_api_resource) {
        .group = d->group,
        .plural = d->plural,
        .singular = d->singular,
        .kind = d->kind,
        .namespaced = d->namespaced,
        .verbs = YL_VERBS_ALL,
        .versions = row->versions,
        .short_names = d->short_names,
        .categories = d->categories,
        .custom = true,
        .strategy = &yl_custom_strategy,
    };

    /* Those that are served, the stored one first; then the others. */
    if (d->storage->served) {
        add_version(row, d->storage);
    }
    for (i = 0; i < d->n_versions; i++) {
        if (d->versions[i].served && !d->versions[i].storage) {
            add_version(row, &d->versions[i]);
        }
    }
    row->resource.n_versions = row->n_versions;
    if (!d->storage->served) {
        row->resource.unserved_hub = &row->versions[row->n_versions];
        add_version(row, d->storage);
    }
    for (i = 0; i < d->n_versions; i++) {
        if (!d->versions[i].served && !d->versions[i].storage) {
            add_version(row, &d->versions[i]);
        }
    }
    row->resource.n_unserved = row->n_versions - row->resource.n_versions;
    d->rows = row->versions;
    r = add_objects(row, schema, keyspace, err);
    if (r < 0) {
        release(row);
        return r;
    }
    objects = row->resource.objects;
    r = yl_registry_put(registry, &row->resource, release, row);
    if (r < 0) {
        return yl_error_set(err, r, "another resource has its place");
    }
    *ret_objects = objects;
    return 0;
}

static void
add_version(struct row *row, const struct yl_definition_version *version)
{
    struct yl_api_version *v = &row->versions[row->n_versions++];

    *v = (struct yl_api_version) {
        .group = row->definition->group,
        .version = version->name,
        .kind = make_kind(version),
        .selectable = join_fields(row, version),
        .hub = version->storage,
        .deprecation = version->deprecation,
        .columns = make_columns(row, version),
        .aux = version,
    };
    add_subresources(row, v, version);
}

/* "spec.color,spec.size" */
static const char *
join_fields(struct row *row, const struct yl_definition_version *version)
{
    struct yl_arena *arena = row->definition->arena;
    const char *joined;
    struct yl_buf buf;
    size_t i;

    yl_buf_init(&buf, SIZE_MAX);
    for (i = 0; i < version->n_fields; i++) {
        yl_buf_append_c(&buf, i ? "," : "");
        yl_buf_append_str(&buf, version->fields[i].name);
    }
    joined = yl_arena_strdup(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return joined;
}

static struct yl_kind *
make_kind(const struct yl_definition_version *version)
{
    const struct yl_definition *d = version->definition;
    struct yl_schema_names names = {
        .group = d->group,
        .version = version->name,
        .kind = d->kind,
        .list_kind = d->list_kind,
        .plural = d->plural,
        .singular = d->singular,
        .flags = (d->namespaced ? YL_KIND_NAMESPACED : 0u)
                 | (version->status ? YL_KIND_STATUS : 0u)
                 | (version->scale ? YL_KIND_SCALE : 0u)
                 | (version->storage ? YL_KIND_STORAGE : 0u)
                 | (version->served ? 0u : YL_KIND_UNSERVED)
                 | (version->deprecation.size ? YL_KIND_DEPRECATED : 0u)
                 | (version->published ? 0u : YL_KIND_UNDESCRIBED)
                 | (d->preserve ? YL_KIND_PRESERVE : 0u),
    };

    return yl_schema_kind_new(version->schema, &names);
}

/* In the order in which discovery lists those of custom resources. */
static void
add_subresources(struct row *row, struct yl_api_version *v,
                 const struct yl_definition_version *version)
{
    struct yl_api_subresource *all =
        yl_arena_array(row->definition->arena, 2, sizeof *all);
    uint32_t verbs = YL_VERB_GET | YL_VERB_PATCH | YL_VERB_UPDATE;

    v->subresources = all;
    if (version->status) {
        all[v->n_subresources++] = (struct yl_api_subresource) {
            .what = YL_SUB_STATUS, .name = "status", .verbs = verbs,
        };
    }
    if (version->scale) {
        all[v->n_subresources++] = (struct yl_api_subresource) {
            .what = YL_SUB_SCALE, .name = "scale", .group = "autoscaling",
            .version = "v1", .kind = "Scale", .verbs = verbs,
            .schema = &autoscaling_v1_scale_kind, .scale = version->scale,
        };
    }
}

static const struct yl_columns *
make_columns(struct row *row, const struct yl_definition_version *version)
{
    static const struct yl_table_column name = YL_COLUMN_NAME;
    struct yl_arena *arena = row->definition->arena;
    struct yl_columns *columns = yl_arena_zalloc(arena, sizeof *columns);
    struct yl_table_column *all =
        yl_arena_array(arena, version->n_columns + 1, sizeof *all);
    size_t i;

    all[0] = name;
    for (i = 0; i < version->n_columns; i++) {
        const struct yl_definition_column *column = &version->columns[i];

        all[i + 1] = (struct yl_table_column) {
            .name = column->name,
            .type = column->type,
            .format = column->format,
            .priority = column->priority,
            .write = yl_cell_json_path,
            .description = column->description,
            .json_path = column->path,
        };
    }
    columns->columns = all;
    columns->n_columns = version->n_columns + 1;
    return columns;
}

static int
add_objects(struct row *row, uint32_t schema, struct yl_keyspace *keyspace,
            struct yl_error *err)
{
    struct yl_definition *d = row->definition;
    struct yl_type_meta *types = yl_arena_array(d->arena, d->n_versions,
                                                sizeof *types);
    uint8_t *numbers = yl_arena_alloc(d->arena, d->n_versions);
    struct yl_type_meta first;
    size_t hub = (size_t) (yl_api_resource_hub(&row->resource)
                           - row->versions);
    size_t i;
    int r;

    for (i = 0; i < d->n_versions; i++) {
        struct yl_gv gv = { d->group, row->versions[i].version };

        types[i].api_version = yl_gv_api_version(gv, d->arena);
        types[i].kind = d->kind;
    }

    /* The stored version goes first. */
    first = types[hub];
    types[hub] = types[0];
    types[0] = first;
    r = yl_keyspace_add_types(keyspace,
                              yl_str_c(yl_arena_printf(
                                  d->arena, "/registry/%.*s/%.*s/",
                                  YL_STR_ARG(d->group),
                                  YL_STR_ARG(d->plural))),
                              d->namespaced, types, d->n_versions, numbers,
                              &row->resource.objects, err);
    if (r == 0) {
        uint8_t number = numbers[0];

        numbers[0] = numbers[hub];
        numbers[hub] = number;
        d->numbers = numbers;
        row->resource.schema_generation = schema << 8 | number;
    }
    return r;
}

static void
release(void *row_)
{
    struct row *row = row_;
    size_t i;

    for (i = 0; i < row->n_versions; i++) {
        yl_schema_kind_free((struct yl_kind *) (uintptr_t)
                            row->versions[i].kind);
    }
    yl_definition_free(row->definition);
}
