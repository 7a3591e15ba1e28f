/* Custom kinds: reading and showing.  See apiserver/crd/custom.h for the
 * contract. */

#include "apiserver/crd/custom.h"

#include "apiserver/crd/definition.h"
#include "builtin/common/meta.h"
#include "json/member.h"
#include "json/tree.h"
#include "schema/compile.h"
#include "schema/default.h"
#include "schema/embedded.h"
#include "schema/field_error.h"
#include "schema/jsonpath.h"
#include "schema/normalize.h"
#include "schema/prune.h"
#include "schema/strict.h"
#include "yuloh/api/apiextensions_v1.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/gvk.h"
#include "yuloh/json.h"

static int decode(const struct yl_api_version *, struct yl_arena *,
                  struct yl_node *object, struct yl_strict *,
                  struct yl_error *);
static int normalize(const struct yl_api_version *, struct yl_arena *,
                     struct yl_node *object, enum yl_normal_form,
                     struct yl_error *);
static void default_(const struct yl_api_resource *,
                     const struct yl_api_version *, struct yl_arena *,
                     struct yl_node *object);
static int convert(struct yl_conversion *);
static const struct yl_api_version *stored(const struct yl_api_resource *,
                                           const struct yl_object *);
static void refresh(const struct yl_api_version *, struct yl_arena *,
                    struct yl_node *object);
static bool select_field(const struct yl_api_resource *,
                         const struct yl_api_version *,
                         const struct yl_object *, struct yl_str name,
                         struct yl_arena *, struct yl_str *ret_value);
static int read_metadata(struct yl_arena *, struct yl_node *object,
                         struct yl_strict *, struct yl_error *);
static struct yl_type_ref metadata_type(void);
static int prune(const struct yl_definition_version *, struct yl_arena *,
                 struct yl_node *, bool drop, struct yl_strict *,
                 struct yl_error *);
static const struct yl_definition_field *
find_field(const struct yl_definition_version *, struct yl_str name);
static int shown_text(const struct yl_api_resource *,
                      const struct yl_api_version *, const struct yl_object *,
                      struct yl_arena *, struct yl_str *ret_text);

const struct yl_strategy yl_custom_strategy = {
    .flags = YL_STRATEGY_IN_VERSION | YL_STRATEGY_UNSTRUCTURED
             | YL_STRATEGY_CONDITIONAL_ONLY,
    .decode = decode,
    .normalize = normalize,
    .default_ = default_,
    .convert = convert,
    .stored = stored,
    .refresh = refresh,
    .select = select_field,
    .prepare = yl_custom_prepare,
    .validate = yl_custom_validate,
    .warn = yl_custom_warn,
    .permit = yl_custom_permit,
};

static int
decode(const struct yl_api_version *version, struct yl_arena *arena,
       struct yl_node *object, struct yl_strict *strict, struct yl_error *err)
{
    size_t n = strict ? strict->n_errors : 0;
    int r = read_metadata(arena, object, strict, err);

    r = r < 0 ? r : prune(yl_custom_version(version), arena, object, false,
                          strict, err);
    if (strict) {
        /* As upstream, where the parser itself reports them. */
        yl_strict_put_repeats_first(strict, n);
    }
    return r;
}

/* Nothing is left to be done: custom resources have no Go type that would
 * leave out what is empty. */
static int
normalize(const struct yl_api_version *hub YL_UNUSED,
          struct yl_arena *arena YL_UNUSED, struct yl_node *object YL_UNUSED,
          enum yl_normal_form form YL_UNUSED, struct yl_error *err YL_UNUSED)
{
    return 0;
}

static void
default_(const struct yl_api_resource *resource YL_UNUSED,
         const struct yl_api_version *version, struct yl_arena *arena,
         struct yl_node *object)
{
    (void) yl_default_apply(arena,
                            yl_schema_type(yl_custom_version(version)->schema),
                            object, NULL);
}

/* Versions differ in apiVersion, and in the fields that they have. */
static int
convert(struct yl_conversion *c)
{
    struct yl_gv gv = { c->to->group, c->to->version };
    struct yl_str api_version = yl_gv_api_version(gv, c->arena);
    size_t i;
    int r = 0;

    if (yl_custom_version(c->to)->definition->webhook) {
        /* To convert as if there was no webhook would lose fields. */
        return yl_error_set(c->err, YL_EINTERNAL,
                            "conversion webhook for %.*s/%.*s, Kind=%.*s "
                            "failed: this server does not call conversion "
                            "webhooks yet", YL_STR_ARG(c->from->group),
                            YL_STR_ARG(c->from->version),
                            YL_STR_ARG(c->resource->kind));
    }
    for (i = 0; i < c->n_objects && r == 0; i++) {
        yl_node_set(c->arena, c->objects[i], YL_STR("apiVersion"),
                    yl_node_new_string(c->arena, api_version));
        if (!c->whole) {
            r = prune(yl_custom_version(c->to), c->arena, c->objects[i],
                      false, NULL, c->err);
        }
    }
    return r;
}

static const struct yl_api_version *
stored(const struct yl_api_resource *resource, const struct yl_object *object)
{
    const struct yl_api_version *hub = yl_api_resource_hub(resource);
    const struct yl_definition *d = yl_custom_version(hub)->definition;
    uint8_t number = (uint8_t) yl_object_schema_generation(object);
    size_t i;

    for (i = 0; i < d->n_versions && number; i++) {
        if (d->numbers[i] == number) {
            return &d->rows[i];
        }
    }
    return hub;
}

static void
refresh(const struct yl_api_version *version, struct yl_arena *arena,
        struct yl_node *object)
{
    struct yl_node *metadata = yl_member_make(arena, object, "metadata");

    yl_embedded_repair_meta(arena, metadata_type(), metadata);
    if (yl_member_is_zero(metadata, "generation")) {
        yl_meta_set_generation(arena, object);
    }
    (void) prune(yl_custom_version(version), arena, object, true, NULL, NULL);
    default_(NULL, version, arena, object);
}

static bool
select_field(const struct yl_api_resource *resource,
             const struct yl_api_version *version,
             const struct yl_object *object, struct yl_str name,
             struct yl_arena *scratch, struct yl_str *ret_value)
{
    const struct yl_definition_field *field =
        find_field(yl_custom_version(version), name);
    struct yl_json value;
    struct yl_str text;

    if (!field || !object) {
        return field != NULL;
    }
    *ret_value = YL_STR("");
    if (shown_text(resource, version, object, scratch, &text) < 0) {
        return true;
    }
    value = yl_jsonpath_first(field->path, yl_json(text), scratch);
    if (yl_json_type(value) == YL_JSON_STRING) {
        (void) yl_json_string(value, scratch, ret_value);
    } else if (yl_json_exists(value)
               && yl_json_type(value) != YL_JSON_NULL) {
        *ret_value = yl_json_raw(value);
    }
    return true;
}

/* Reads metadata as Go's decoder reads an ObjectMeta of its own. */
static int
read_metadata(struct yl_arena *arena, struct yl_node *object,
              struct yl_strict *strict, struct yl_error *err)
{
    struct yl_field_path place = yl_field_member(NULL, YL_STR("metadata"));
    struct yl_node *metadata = yl_node_get(object, YL_STR("metadata"));
    int r;

    if (!metadata) {
        return 0;
    }
    if (yl_node_type(metadata) == YL_JSON_NULL) {
        yl_member_set(arena, object, "metadata", yl_node_new_object(arena));
        return 0;
    }
    if (strict) {
        strict->place = &place;
    }
    r = yl_normalize(arena, metadata_type(), metadata, strict, err);
    if (strict) {
        strict->place = NULL;
    }
    return r;
}

/* ObjectMeta, by way of a kind that has it. */
static struct yl_type_ref
metadata_type(void)
{
    struct yl_type_ref kind =
        yl_kind_type(&apiextensions_v1_custom_resource_definition_kind);
    const struct yl_field *field = yl_type_field(kind, YL_STR("metadata"));

    return yl_value_type(kind.set, &kind.set->values[field->value]);
}

/* Drops what the version does not have, and gives the metadata of objects
 * inside the object the form of ObjectMeta; 'drop' drops what has not got that
 * form, else it is an error. */
static int
prune(const struct yl_definition_version *version, struct yl_arena *arena,
      struct yl_node *object, bool drop, struct yl_strict *strict,
      struct yl_error *err)
{
    struct yl_embedded_opts opts = { .meta = metadata_type(), .drop = drop };
    struct yl_type_ref type = yl_schema_type(version->schema);

    if (!version->definition->preserve) {
        yl_prune(type, object, strict);
        yl_prune_nulls(type, object);
    }
    return yl_schema_features(version->schema) & YL_SCHEMA_HAS_RESOURCES
           ? yl_embedded_coerce(arena, type, object, &opts, strict, err) : 0;
}

static const struct yl_definition_field *
find_field(const struct yl_definition_version *version, struct yl_str name)
{
    size_t i;

    for (i = 0; i < version->n_fields; i++) {
        if (yl_str_equal(version->fields[i].name, name)) {
            return &version->fields[i];
        }
    }
    return NULL;
}

/* The JSON of a stored object in a version. */
static int
shown_text(const struct yl_api_resource *resource,
           const struct yl_api_version *version,
           const struct yl_object *object, struct yl_arena *arena,
           struct yl_str *ret_text)
{
    struct yl_node *tree;
    struct yl_buf text;
    int r;

    if (version->hub && !yl_strategy_is_stale(resource, object)) {
        *ret_text = yl_object_json(object, arena, NULL);
        return 0;
    }
    r = yl_strategy_read_as(resource, arena, object, 0, version, &tree, NULL);
    if (r == 0) {
        yl_buf_init(&text, SIZE_MAX);
        yl_node_write(&text, tree);
        *ret_text = yl_arena_copy(arena, yl_buf_str(&text));
        yl_buf_release(&text);
    }
    return r;
}
