/* Reading a definition.  See apiserver/crd/definition.h for the contract. */

#include "apiserver/crd/definition.h"

#include <assert.h>
#include <stdatomic.h>

#include "base/arena.h"
#include "base/buf.h"
#include "json/member.h"
#include "json/tree.h"
#include "schema/at.h"
#include "schema/cache.h"
#include "schema/jsonpath.h"
#include "schema/pattern.h"
#include "schema/props.h"
#include "schema/structural.h"
#include "yuloh/error.h"
#include "yuloh/gvk.h"

/* What reading one needs. */
struct reader {
    struct yl_definition *definition;
    const struct yl_definition_opts *opts;
    struct yl_arena *arena;     /* The definition's: what is kept. */
    struct yl_arena work;       /* Freed at the end. */
    struct yl_account account;  /* Of 'work'. */
    struct yl_check texts;      /* Copies texts to 'work'. */
};

static int read_names(struct reader *, const struct yl_at *crd,
                      struct yl_error *);
static int read_versions(struct reader *, const struct yl_at *spec,
                         struct yl_error *);
static int read_version(struct reader *, const struct yl_at *,
                        struct yl_definition_version *, struct yl_error *);
static int read_schema(struct reader *, const struct yl_at *version,
                       struct yl_definition_version *, struct yl_error *);
static bool is_structural(struct reader *, const struct yl_schema_props *);
static const struct yl_node *open_schema(struct reader *);
static void read_subresources(struct reader *, const struct yl_at *version,
                              struct yl_definition_version *);
static void read_columns(struct reader *, const struct yl_at *version,
                         struct yl_definition_version *);
static void read_fields(struct reader *, const struct yl_at *version,
                        struct yl_definition_version *);
static void set_deprecations(struct reader *, const struct yl_at *spec);
static struct yl_str newest_version(struct reader *,
                                    const struct yl_at *versions);
static struct yl_str default_warning(struct reader *, struct yl_str kind,
                                     struct yl_str version,
                                     struct yl_str newest);
static bool is_true(const struct yl_at *status, const char *condition);
static struct yl_str text(struct reader *, const struct yl_at *object,
                          const char *name);
static const char *c_text(struct reader *, const struct yl_at *object,
                          const char *name);
static const char *joined(struct reader *, const struct yl_at *object,
                          const char *name);

int
yl_definition_new(const struct yl_node *crd,
                  const struct yl_definition_opts *opts,
                  struct yl_definition **ret_definition, struct yl_error *err)
{
    struct yl_arena *arena = yl_arena_new();
    struct reader reader = {
        .definition = yl_arena_zalloc(arena, sizeof *reader.definition),
        .opts = opts,
        .arena = arena,
        .account = { .ceiling = YL_DEFINITION_MAX_MEMORY },
    };
    struct yl_at root = yl_at_root(crd), spec = yl_at(&root, "spec");
    int r;

    reader.definition->arena = arena;
    reader.definition->patterns = opts->patterns;
    yl_arena_init(&reader.work);
    yl_arena_set_account(&reader.work, &reader.account);
    reader.texts.arena = &reader.work;
    r = read_names(&reader, &root, err);
    if (r == 0) {
        r = read_versions(&reader, &spec, err);
    }
    if (r == 0) {
        r = yl_arena_check(&reader.work, err);
    }
    yl_arena_release(&reader.work);
    if (r < 0) {
        yl_definition_free(reader.definition);
        return r;
    }
    *ret_definition = reader.definition;
    return 0;
}

void
yl_definition_free(struct yl_definition *definition)
{
    size_t i;

    if (!definition) {
        return;
    }
    for (i = 0; i < definition->n_versions; i++) {
        yl_schema_unref(definition->versions[i].schema);
    }
    yl_arena_free(definition->arena);
}

const struct yl_definition_version *
yl_definition_version(const struct yl_definition *definition,
                      struct yl_str name)
{
    size_t i;

    for (i = 0; i < definition->n_versions; i++) {
        if (yl_str_equal(definition->versions[i].name, name)) {
            return &definition->versions[i];
        }
    }
    return NULL;
}

void
yl_definition_terminate(struct yl_definition *definition)
{
    atomic_store(&definition->terminating, true);
}

static int
read_names(struct reader *r, const struct yl_at *crd, struct yl_error *err)
{
    struct yl_definition *d = r->definition;
    struct yl_at spec = yl_at(crd, "spec"), status = yl_at(crd, "status");
    struct yl_at names = yl_at(&status, "acceptedNames");
    struct yl_at conversion = yl_at(&spec, "conversion");

    d->group = text(r, &spec, "group");
    d->plural = text(r, &names, "plural");
    d->singular = text(r, &names, "singular");
    d->kind = text(r, &names, "kind");
    d->list_kind = text(r, &names, "listKind");
    d->short_names = joined(r, &names, "shortNames");
    d->categories = joined(r, &names, "categories");
    d->namespaced = yl_at_get_is(&spec, "scope", "Namespaced");
    d->preserve = yl_at_get_bool(&spec, "preserveUnknownFields");
    d->webhook = yl_at_get_is(&conversion, "strategy", "Webhook");
    d->terminating = is_true(&status, "Terminating");
    return d->plural.size && d->singular.size && d->kind.size
           && d->list_kind.size
           ? 0 : yl_error_set(err, YL_EINVALID,
                              "not all of its names are accepted");
}

static int
read_versions(struct reader *r, const struct yl_at *spec,
              struct yl_error *err)
{
    struct yl_definition *d = r->definition;
    struct yl_at list = yl_at(spec, "versions");
    struct yl_definition_version *versions;

    versions = yl_arena_array(r->arena, yl_at_count(&list) + 1,
                              sizeof *versions);
    d->versions = versions;
    YL_AT_FOR_EACH (version, &list) {
        struct yl_definition_version *v = &versions[d->n_versions];
        int result;

        *v = (struct yl_definition_version) { .definition = d };
        result = read_version(r, &version, v, err);
        if (result < 0) {
            return result;
        }
        d->n_versions++;
        if (v->storage) {
            d->storage = v;
        }
    }
    if (!d->storage) {
        return yl_error_set(err, YL_EINVALID, "no version is stored");
    }
    set_deprecations(r, spec);
    return 0;
}

static int
read_version(struct reader *r, const struct yl_at *version,
             struct yl_definition_version *v, struct yl_error *err)
{
    v->name = text(r, version, "name");
    v->served = yl_at_get_bool(version, "served");
    v->storage = yl_at_get_bool(version, "storage");
    read_subresources(r, version, v);
    read_columns(r, version, v);
    read_fields(r, version, v);
    return read_schema(r, version, v, err);
}

static int
read_schema(struct reader *r, const struct yl_at *version,
            struct yl_definition_version *v, struct yl_error *err)
{
    struct yl_schema_opts opts = {
        .match = yl_patterns_match,
        .aux = r->opts->patterns,
        .account = &r->account,
    };
    struct yl_at schema = yl_at(version, "schema");
    struct yl_at root = yl_at(&schema, "openAPIV3Schema");
    const struct yl_schema_props *props;
    int result;

    v->has_schema = yl_at_has(&root);
    result = yl_schema_props_read(&r->work,
                                  v->has_schema ? root.node : open_schema(r),
                                  NULL, &props, err);
    if (result < 0) {
        return result;
    }
    v->published = v->has_schema && is_structural(r, props);
    return yl_schema_cache_compile(r->opts->schemas, props, &opts, &v->schema,
                                   err);
}

/* A schema can be another one only if unknown fields are preserved. */
static bool
is_structural(struct reader *r, const struct yl_schema_props *props)
{
    struct yl_structural_opts opts = { .path = NULL };
    struct yl_error why = YL_ERROR_INIT;
    bool is;

    if (!r->definition->preserve) {
        return true;
    }
    is = !yl_structural_refusal(props)
         && yl_structural_check(props, &opts, &why) == 0;
    yl_error_clear(&why);
    return is;
}

/* The schema of a version that has none. */
static const struct yl_node *
open_schema(struct reader *r)
{
    struct yl_node *schema = NULL;
    int result = yl_tree_parse(
        &r->work, YL_STR("{\"type\":\"object\","
                         "\"x-kubernetes-preserve-unknown-fields\":true}"),
        NULL, &schema, NULL);

    assert(result == 0);
    (void) result;
    return schema;
}

static void
read_subresources(struct reader *r, const struct yl_at *version,
                  struct yl_definition_version *v)
{
    struct yl_at subresources = yl_at(version, "subresources");
    struct yl_at scale = yl_at(&subresources, "scale");

    v->status = yl_at_get_has(&subresources, "status");
    if (yl_at_has(&scale)) {
        struct yl_scale_paths *paths = yl_arena_zalloc(r->arena,
                                                       sizeof *paths);

        paths->spec_replicas = c_text(r, &scale, "specReplicasPath");
        paths->status_replicas = c_text(r, &scale, "statusReplicasPath");
        paths->selector = yl_at_get_has(&scale, "labelSelectorPath")
                          ? c_text(r, &scale, "labelSelectorPath") : NULL;
        v->scale = paths;
    }
}

/* A path that cannot be read ends the columns, as upstream's do. */
static void
read_columns(struct reader *r, const struct yl_at *version,
             struct yl_definition_version *v)
{
    struct yl_at list = yl_at(version, "additionalPrinterColumns");
    struct yl_definition_column *columns;

    columns = yl_arena_array(r->arena, yl_at_count(&list) + 1,
                             sizeof *columns);
    v->columns = columns;
    if (!yl_at_count(&list)) {
        columns[v->n_columns++] = (struct yl_definition_column) {
            .name = "Age", .type = "date", .format = "", .description = "",
        };
        (void) yl_jsonpath_parse(YL_STR(".metadata.creationTimestamp"),
                                 r->arena, &columns[0].path, NULL);
        return;
    }
    YL_AT_FOR_EACH (column, &list) {
        struct yl_str path = text(r, &column, "jsonPath");
        const char *description = c_text(r, &column, "description");
        struct yl_definition_column *c = &columns[v->n_columns];

        *c = (struct yl_definition_column) {
            .name = c_text(r, &column, "name"),
            .type = c_text(r, &column, "type"),
            .format = c_text(r, &column, "format"),
            .description = *description ? description : yl_arena_printf(
                r->arena, "Custom resource definition column (in JSONPath "
                "format): %.*s", YL_STR_ARG(path)),
            .priority = (int) yl_at_get_int(&column, "priority"),
        };
        if (yl_jsonpath_parse(path, r->arena, &c->path, NULL) < 0) {
            return;
        }
        v->n_columns++;
    }
}

static void
read_fields(struct reader *r, const struct yl_at *version,
            struct yl_definition_version *v)
{
    struct yl_at list = yl_at(version, "selectableFields");
    struct yl_definition_field *fields;

    fields = yl_arena_array(r->arena, yl_at_count(&list) + 1, sizeof *fields);
    v->fields = fields;
    YL_AT_FOR_EACH (field, &list) {
        struct yl_str path = text(r, &field, "jsonPath");
        struct yl_definition_field *f = &fields[v->n_fields];

        f->name = yl_str_starts_with(path, YL_STR(".")) ? yl_str_skip(path, 1)
                                                        : path;
        if (yl_jsonpath_parse(path, r->arena, &f->path, NULL) == 0) {
            v->n_fields++;
        }
    }
}

static void
set_deprecations(struct reader *r, const struct yl_at *spec)
{
    struct yl_definition_version *v =
        (struct yl_definition_version *) (uintptr_t) r->definition->versions;
    struct yl_at list = yl_at(spec, "versions"), names = yl_at(spec, "names");
    struct yl_str kind = text(r, &names, "kind");
    struct yl_str newest = newest_version(r, &list);

    YL_AT_FOR_EACH (version, &list) {
        if (yl_at_get_bool(&version, "deprecated")) {
            v->deprecation = yl_at_get_has(&version, "deprecationWarning")
                             ? text(r, &version, "deprecationWarning")
                             : default_warning(r, kind, v->name, newest);
        }
        v++;
    }
}

/* The newest version that is served and not deprecated; empty if there is
 * none. */
static struct yl_str
newest_version(struct reader *r, const struct yl_at *versions)
{
    const struct yl_definition_version *v = r->definition->versions;
    struct yl_str newest = yl_str_null();

    YL_AT_FOR_EACH (version, versions) {
        if (v->served && !yl_at_get_bool(&version, "deprecated")
            && (!newest.size || yl_version_compare(newest, v->name) < 0)) {
            newest = v->name;
        }
        v++;
    }
    return newest;
}

/* Names the newest version as the one to use instead, if it is newer. */
static struct yl_str
default_warning(struct reader *r, struct yl_str kind, struct yl_str version,
                struct yl_str newest)
{
    struct yl_str group = r->definition->group;

    return yl_str_c(
        newest.size && yl_version_compare(version, newest) < 0
        ? yl_arena_printf(r->arena, "%.*s/%.*s %.*s is deprecated; use "
                          "%.*s/%.*s %.*s", YL_STR_ARG(group),
                          YL_STR_ARG(version), YL_STR_ARG(kind),
                          YL_STR_ARG(group), YL_STR_ARG(newest),
                          YL_STR_ARG(kind))
        : yl_arena_printf(r->arena, "%.*s/%.*s %.*s is deprecated",
                          YL_STR_ARG(group), YL_STR_ARG(version),
                          YL_STR_ARG(kind)));
}

static bool
is_true(const struct yl_at *status, const char *condition)
{
    struct yl_at list = yl_at(status, "conditions");

    YL_AT_FOR_EACH (one, &list) {
        if (yl_at_get_is(&one, "type", condition)) {
            return yl_at_get_is(&one, "status", "True");
        }
    }
    return false;
}

/* A text that the definition keeps; ends with a NUL. */
static const char *
c_text(struct reader *r, const struct yl_at *object, const char *name)
{
    return yl_arena_strdup(r->arena, yl_at_get_str(&r->texts, object, name));
}

static struct yl_str
text(struct reader *r, const struct yl_at *object, const char *name)
{
    return yl_str_c(c_text(r, object, name));
}

/* A list of texts, joined by commas. */
static const char *
joined(struct reader *r, const struct yl_at *object, const char *name)
{
    struct yl_at list = yl_at(object, name);
    struct yl_buf all;
    const char *result;

    yl_buf_init(&all, SIZE_MAX);
    YL_AT_FOR_EACH (one, &list) {
        yl_buf_append_c(&all, all.size ? "," : "");
        yl_buf_append_str(&all, yl_at_str(&r->texts, &one));
    }
    result = yl_arena_strdup(r->arena, yl_buf_str(&all));
    yl_buf_release(&all);
    return result;
}
