/* Validation of one schema of a CustomResourceDefinition.
 *
 * First the rules of structural schemas (schema/structural.h) and of defaults,
 * then those below, which look at each schema by itself, however deep and
 * inside of whatever logic it is. */

#include "builtin/apiextensions/crd_check.h"
#include "builtin/go/go_value.h"
#include "gen/apiextensions_v1_go.h"
#include "schema/pattern.h"
#include "schema/props.h"
#include "schema/structural.h"

/* A walk through a schema.  What is below a schema is walked with a changed
 * copy. */
struct walk {
    struct yl_check *c;
    const struct yl_crd_rules *rules;
    bool no_defaults;           /* Are defaults forbidden here? */
    const char *why;            /* Why they are; "" for no reason. */
    bool in_meta;               /* Inside of apiVersion, kind or metadata? */
};

static void check_root(struct yl_check *, const struct yl_at *schema,
                       const struct yl_schema_props *);
static bool is_set(const struct yl_node *keyword);
static const char *check_structural(struct yl_check *,
                                    const struct yl_field_path *,
                                    const struct yl_crd_schema *,
                                    const struct yl_crd_rules *);
static void check_schema(const struct walk *, const struct yl_field_path *,
                         const struct yl_schema_props *, bool is_root);
static void check_plain(const struct walk *, const struct yl_field_path *,
                        const struct yl_schema_props *);
static void check_members(const struct walk *, const struct yl_field_path *,
                          const struct yl_schema_props *, bool is_root);
static void check_schemas(const struct walk *, const struct yl_field_path *,
                          const char *keyword, const struct yl_schema_list *);
static void check_others(const struct walk *, const struct yl_field_path *,
                         const struct yl_schema_props *, const char *keyword);
static void check_types(const struct walk *, const struct yl_field_path *,
                        const struct yl_schema_props *);
static void check_topology_type(const struct walk *,
                                const struct yl_field_path *,
                                const struct yl_schema_props *,
                                const char *keyword, const char *type);
static void check_set(const struct walk *, const struct yl_field_path *,
                      const struct yl_schema_props *);
static bool has_keys(const struct yl_schema_props *);
static void check_map_list(const struct walk *, const struct yl_field_path *,
                           const struct yl_schema_props *);
static void check_map_keys(const struct walk *, const struct yl_field_path *,
                           const struct yl_schema_props *);

void
yl_check_crd_schema(struct yl_check *c, const struct yl_at *schema,
                    const struct yl_crd_schema *read, bool has_status,
                    const struct yl_crd_rules *rules)
{
    struct yl_at at = yl_at(schema, "openAPIV3Schema");
    struct yl_at nullable = yl_at(&at, "nullable");
    struct walk w = { c, rules, rules->no_defaults,
                      rules->no_defaults ? rules->no_defaults : "", false };
    size_t n = yl_check_faults(c);
    const char *refusal = read->fault;

    if (!read->props) {
        if (refusal) {
            yl_field_invalid(c->err, yl_at_path(&at),
                             yl_bad_string(YL_STR("")), "%s", refusal);
        }
        return;
    }
    if (has_status) {
        check_root(c, &at, read->props);
    }
    if (yl_at_bool(&nullable)) {
        yl_field_forbidden(c->err, yl_at_path(&nullable),
                           "nullable cannot be true at the root");
    }
    if (rules->structural) {
        refusal = check_structural(c, yl_at_path(&at), read, rules);
    }
    check_schema(&w, yl_at_path(&at), read->props, true);

    /* What is refused is usually reported above, with its place. */
    if (refusal && yl_check_faults(c) == n) {
        yl_field_invalid(c->err, yl_at_path(&at), yl_bad_string(YL_STR("")),
                         "%s", refusal);
    }
}

/* With a status subresource the status is validated apart, so the root may
 * have no keyword that concerns several properties at once. */
static void
check_root(struct yl_check *c, const struct yl_at *at,
           const struct yl_schema_props *s)
{
    static const char *const allowed[] = {
        "description", "type", "format", "title", "maximum",
        "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength",
        "minLength", "pattern", "maxItems", "minItems", "uniqueItems",
        "multipleOf", "required", "items", "properties", "externalDocs",
        "example", "x-kubernetes-preserve-unknown-fields",
        "x-kubernetes-validations",
    };
    static const char *const before_type[] = { "id", "$schema", "$ref" };
    struct yl_at type = yl_at(at, "type");
    bool is_fine = true, is_early = false;
    const struct yl_node *keyword;
    size_t i;

    YL_NODE_FOR_EACH (keyword, s->node) {
        for (i = 0; i < YL_ARRAY_SIZE(allowed)
                    && !yl_str_equal_c(yl_node_key(keyword), allowed[i]);
             i++) {
            continue;
        }
        is_fine &= i < YL_ARRAY_SIZE(allowed) || !is_set(keyword);
    }
    for (i = 0; i < YL_ARRAY_SIZE(before_type); i++) {
        keyword = yl_schema_keyword(s, before_type[i]);
        is_early |= keyword && is_set(keyword);
    }
    if (s->type.size && !yl_str_equal_c(s->type, "object") && !is_early) {
        yl_field_invalid(c->err, yl_at_path(&type), yl_bad_string(s->type),
                         "only \"object\" is allowed as the type at the root "
                         "of the schema if the status subresource is "
                         "enabled");
    } else if (!is_fine) {
        yl_field_invalid(c->err, yl_at_path(at),
                         yl_bad_struct(c, s->node,
                                       YL_GO(apiextensions_v1,
                                             json_schema_props)),
                         "only [Description Type Format Title Maximum "
                         "ExclusiveMaximum Minimum ExclusiveMinimum MaxLength "
                         "MinLength Pattern MaxItems MinItems UniqueItems "
                         "MultipleOf Required Items Properties ExternalDocs "
                         "Example XPreserveUnknownFields XValidations] fields "
                         "are allowed at the root of the schema if the "
                         "status subresource is enabled");
    }
}

/* Has Go another value than without the keyword? */
static bool
is_set(const struct yl_node *keyword)
{
    static const char *const pointers[] = {
        "additionalProperties", "$ref", "x-kubernetes-list-type",
        "x-kubernetes-map-type",
    };
    bool yes = true;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(pointers); i++) {
        if (yl_str_equal_c(yl_node_key(keyword), pointers[i])) {
            return keyword->type != YL_JSON_NULL;
        }
    }
    return !(keyword->type == YL_JSON_NULL
             || (yl_node_bool(keyword, &yes) == 0 && !yes)
             || (keyword->type == YL_JSON_STRING
                 && yl_node_string_is(keyword, YL_STR(""))));
}

/* Returns why the schema cannot be a structural one at all, or NULL. */
static const char *
check_structural(struct yl_check *c, const struct yl_field_path *path,
                 const struct yl_crd_schema *read,
                 const struct yl_crd_rules *rules)
{
    struct yl_structural_opts opts = { path, yl_patterns_match,
                                       rules->patterns };
    const char *refusal = yl_structural_refusal(read->props);

    if (!refusal && yl_structural_check(read->props, &opts, c->err) == 0
        && read->facts & YL_CRD_HAS_DEFAULTS) {
        yl_check_crd_defaults(c, path, read->props, rules->patterns);
    }
    return refusal;
}

/* Checks a schema and what is in it. */
static void
check_schema(const struct walk *w, const struct yl_field_path *path,
             const struct yl_schema_props *s, bool is_root)
{
    struct yl_field_path unique =
        yl_field_member(path, YL_STR("uniqueItems"));
    struct yl_field_path not = yl_field_member(path, YL_STR("not"));
    struct yl_field_path items = yl_field_member(path, YL_STR("items"));
    const struct yl_node *node = yl_schema_keyword(s, "uniqueItems");
    bool yes = false;

    if (yl_check_is_full(w->c)) {
        return;
    }
    check_plain(w, path, s);
    if (yl_node_bool(node, &yes) == 0 && yes) {
        yl_field_forbidden(w->c->err, &unique,
                           "uniqueItems cannot be set to true since the "
                           "runtime complexity becomes quadratic");
    }
    check_members(w, path, s, is_root);
    if (s->not_) {
        check_schema(w, &not, s->not_, false);
    }
    check_schemas(w, path, "allOf", &s->all_of);
    check_schemas(w, path, "oneOf", &s->one_of);
    check_schemas(w, path, "anyOf", &s->any_of);
    check_others(w, path, s, "definitions");
    if (s->items) {
        check_schema(w, &items, s->items, false);
    } else {
        check_others(w, path, s, "items");
    }
    check_others(w, path, s, "dependencies");
    check_types(w, path, s);
    if (w->rules->keys) {
        yl_check_crd_keys(w->c, s, path);
    }
    yl_check_crd_cel(w->c, path, s);
}

/* Keywords that are forbidden, everywhere or here. */
static void
check_plain(const struct walk *w, const struct yl_field_path *path,
            const struct yl_schema_props *s)
{
    static const char *const types[] = { "array", "boolean", "integer",
                                         "number", "object", "string", NULL };
    static const struct {
        const char *keyword;
        bool even_if_empty;
    } keywords[] = {
        { "id", false }, { "additionalItems", true },
        { "patternProperties", false }, { "definitions", false },
        { "dependencies", true }, { "$ref", true },
    };
    struct yl_error *err = w->c->err;
    struct yl_field_path type = yl_field_member(path, YL_STR("type"));
    struct yl_field_path its_default =
        yl_field_member(path, YL_STR("default"));
    struct yl_field_path items = yl_field_member(path, YL_STR("items"));
    struct yl_field_path embedded =
        yl_field_member(path, YL_STR("x-kubernetes-embedded-resource"));
    const struct yl_node *node;
    size_t i;

    if (w->rules->types && s->type.size && !yl_crd_is_type(s->type)) {
        yl_field_not_supported(err, &type, yl_bad_string(s->type), types);
    }
    if (s->default_ && w->no_defaults) {
        yl_field_forbidden(err, &its_default, "must not be set%s%s",
                           *w->why ? " " : "", w->why);
    }
    for (i = 0; i < YL_ARRAY_SIZE(keywords); i++) {
        struct yl_field_path at =
            yl_field_member(path, yl_str_c(keywords[i].keyword));

        node = yl_schema_keyword(s, keywords[i].keyword);
        if (node && (keywords[i].even_if_empty || !yl_node_is_zero(node))) {
            yl_field_forbidden(err, &at, "%s is not supported",
                               keywords[i].keyword);
        }
    }
    if (yl_str_equal_c(s->type, "null")) {
        yl_field_forbidden(err, &type, "type cannot be set to null, use "
                                       "nullable as an alternative");
    }
    node = yl_schema_keyword(s, "items");
    if (yl_node_type(node) == YL_JSON_ARRAY && node->n) {
        yl_field_forbidden(err, &items, "items must be a schema object and "
                                        "not an array");
    }
    if (w->in_meta && s->flags & YL_SCHEMA_EMBEDDED) {
        yl_field_forbidden(err, &embedded, "must not be used inside of "
                                           "resource meta");
    }
}

/* Checks properties and additionalProperties. */
static void
check_members(const struct walk *w, const struct yl_field_path *path,
              const struct yl_schema_props *s, bool is_root)
{
    static const char *const meta[] = { "metadata", "kind", "apiVersion" };
    struct yl_field_path additional =
        yl_field_member(path, YL_STR("additionalProperties"));
    struct yl_field_path properties =
        yl_field_member(path, YL_STR("properties"));
    bool is_resource = is_root || s->flags & YL_SCHEMA_EMBEDDED;
    struct walk below = *w;
    size_t i, j;

    if (s->properties.n && yl_schema_has_additional(s)
        && !(s->flags & YL_SCHEMA_ADDITIONAL)) {
        yl_field_forbidden(w->c->err, &additional,
                           "additionalProperties and properties are mutual "
                           "exclusive");
    }
    if (w->in_meta) {
        below.no_defaults = true;
        below.why = "inside additionalProperties applying to object metadata";
    }
    if (s->additional) {
        check_schema(&below, &additional, s->additional, false);
    }
    for (i = 0; i < s->properties.n; i++) {
        struct yl_str name = s->by_name[i]->name;
        struct yl_field_path property = yl_field_key(&properties, name);

        below = *w;
        for (j = 0; is_resource && j < YL_ARRAY_SIZE(meta); j++) {
            if (yl_str_equal_c(name, meta[j])) {
                below.in_meta = true;
                below.no_defaults |= is_root;
                below.why = !is_root ? below.why
                            : j == 0 ? "in top-level metadata"
                            : j == 1 ? "in top-level kind"
                            : "in top-level apiVersion";
            }
        }
        check_schema(&below, &property, s->by_name[i], false);
    }
}

static void
check_schemas(const struct walk *w, const struct yl_field_path *path,
              const char *keyword, const struct yl_schema_list *list)
{
    struct yl_field_path at = yl_field_member(path, yl_str_c(keyword));
    size_t i;

    for (i = 0; i < list->n; i++) {
        struct yl_field_path item = yl_field_index(&at, i);

        check_schema(w, &item, &list->all[i], false);
    }
}

/* Checks schemas in a keyword that structural schemas do not have: faults in
 * them are reported besides. */
static void
check_others(const struct walk *w, const struct yl_field_path *path,
             const struct yl_schema_props *s, const char *keyword)
{
    struct yl_at list = { yl_field_member(path, yl_str_c(keyword)),
                          yl_schema_keyword(s, keyword), false, NULL };

    YL_CHECK_FOR_EACH (w->c, item, &list) {
        const struct yl_schema_props *schema = NULL;

        if (yl_schema_props_read(w->c->arena, item.node, NULL, &schema, NULL)
            == 0) {
            check_schema(w, yl_at_path(&item), schema, false);
        }
    }
}

/* Checks the types of lists and maps. */
static void
check_types(const struct walk *w, const struct yl_field_path *path,
            const struct yl_schema_props *s)
{
    static const char *const lists[] = { "atomic", "set", "map", NULL };
    static const char *const maps[] = { "atomic", "granular", NULL };
    struct yl_error *err = w->c->err;
    struct yl_field_path preserve = yl_field_member(
        path, YL_STR("x-kubernetes-preserve-unknown-fields"));
    struct yl_field_path list_type =
        yl_field_member(path, YL_STR("x-kubernetes-list-type"));
    struct yl_field_path map_type =
        yl_field_member(path, YL_STR("x-kubernetes-map-type"));
    const struct yl_node *list = yl_schema_keyword(s,
                                                   "x-kubernetes-list-type");
    const struct yl_node *map = yl_schema_keyword(s, "x-kubernetes-map-type");

    if (yl_schema_keyword(s, "x-kubernetes-preserve-unknown-fields")
        && !(s->flags & YL_SCHEMA_PRESERVE)) {
        yl_field_invalid(err, &preserve, yl_bad_bool(false),
                         "must be true or undefined");
    }
    if (map) {
        check_topology_type(w, path, s, "x-kubernetes-map-type", "object");
        if (!s->map_type) {
            yl_field_not_supported(err, &map_type, yl_bad_node(map), maps);
        }
    }
    if (list && !yl_str_equal_c(s->type, "array")) {
        check_topology_type(w, path, s, "x-kubernetes-list-type", "array");
    } else if (list) {
        check_set(w, path, s);
    }
    if (list && !s->list_type) {
        yl_field_not_supported(err, &list_type, yl_bad_node(list), lists);
    }
    if (has_keys(s) && !list) {
        yl_field_required(err, &list_type,
                          "must be map if x-kubernetes-list-map-keys is "
                          "non-empty");
    } else if (has_keys(s) && !yl_node_string_is(list, YL_STR("map"))) {
        yl_field_invalid(err, &list_type, yl_bad_node(list),
                         "must be map if x-kubernetes-list-map-keys is "
                         "non-empty");
    }
    if (list && yl_node_string_is(list, YL_STR("map"))) {
        check_map_list(w, path, s);
    }
}

/* A list type needs an array, a map type an object. */
static void
check_topology_type(const struct walk *w, const struct yl_field_path *path,
                    const struct yl_schema_props *s, const char *keyword,
                    const char *type)
{
    struct yl_field_path at = yl_field_member(path, YL_STR("type"));

    if (yl_str_equal_c(s->type, type)) {
        return;
    } else if (s->type.size) {
        yl_field_invalid(w->c->err, &at, yl_bad_string(s->type),
                         "must be %s if %s is specified", type, keyword);
    } else {
        yl_field_required(w->c->err, &at, "must be %s if %s is specified",
                          type, keyword);
    }
}

/* Upstream shows the list type where the map type is wrong, too. */
static void
check_set(const struct walk *w, const struct yl_field_path *path,
          const struct yl_schema_props *s)
{
    struct yl_field_path items = yl_field_member(path, YL_STR("items"));
    struct yl_field_path at;

    if (!w->rules->sets || !yl_crd_is_loose_set(s)) {
        return;
    }
    at = yl_field_member(&items, yl_str_equal_c(s->items->type, "array")
                                 ? YL_STR("x-kubernetes-list-type")
                                 : YL_STR("x-kubernetes-map-type"));
    yl_field_invalid(w->c->err, &at,
                     yl_bad_node(yl_schema_keyword(s->items,
                                                   "x-kubernetes-list-type")),
                     "must be atomic as item of a list with "
                     "x-kubernetes-list-type=set");
}

static bool
has_keys(const struct yl_schema_props *s)
{
    const struct yl_node *keys =
        yl_schema_keyword(s, "x-kubernetes-list-map-keys");

    return keys && keys->n;
}

/* Checks a list whose items have keys.  Items that are neither a schema nor a
 * list have become null when they were decoded. */
static void
check_map_list(const struct walk *w, const struct yl_field_path *path,
               const struct yl_schema_props *s)
{
    struct yl_error *err = w->c->err;
    struct yl_field_path keys =
        yl_field_member(path, YL_STR("x-kubernetes-list-map-keys"));
    struct yl_field_path items = yl_field_member(path, YL_STR("items"));
    struct yl_field_path type = yl_field_member(&items, YL_STR("type"));
    const struct yl_node *node = yl_node_get(s->node, YL_STR("items"));
    bool is_list = yl_node_type(node) == YL_JSON_ARRAY;

    if (!has_keys(s)) {
        yl_field_required(err, &keys, "must not be empty if "
                                      "x-kubernetes-list-type is map");
    }
    if (!node) {
        yl_field_required(err, &items, "must have a schema if "
                                       "x-kubernetes-list-type is map");
    } else if (!s->items) {
        yl_field_invalid(err, &items,
                         yl_bad_text(yl_str_c(yl_arena_printf(
                             w->c->arena,
                             "{\"Schema\":null,\"JSONSchemas\":%s}",
                             is_list ? "[]" : "null"))),
                         "must only have a single schema if "
                         "x-kubernetes-list-type is map");
    } else if (!yl_str_equal_c(s->items->type, "object")) {
        yl_field_invalid(err, &type, yl_bad_string(s->items->type),
                         "must be object if parent array's "
                         "x-kubernetes-list-type is map");
    } else {
        check_map_keys(w, path, s);
    }
}

static void
check_map_keys(const struct walk *w, const struct yl_field_path *path,
               const struct yl_schema_props *s)
{
    struct yl_error *err = w->c->err;
    struct yl_field_path keys =
        yl_field_member(path, YL_STR("x-kubernetes-list-map-keys"));
    struct yl_field_path items = yl_field_member(path, YL_STR("items"));
    struct yl_field_path properties =
        yl_field_member(&items, YL_STR("properties"));
    struct yl_node *seen = yl_node_new_object(w->c->arena);
    struct yl_at list = {
        keys, yl_schema_keyword(s, "x-kubernetes-list-map-keys"), false, NULL,
    };
    struct yl_bad_value bad = yl_bad_node(list.node);

    YL_CHECK_FOR_EACH (w->c, item, &list) {
        struct yl_str key = yl_at_str(w->c, &item);
        const struct yl_schema_props *property =
            yl_schema_property(s->items, key);
        struct yl_field_path at = yl_field_key(&properties, key);
        struct yl_field_path type = yl_field_member(&at, YL_STR("type"));

        if (!property) {
            yl_field_invalid(err, &keys, bad,
                             "entries must all be names of item properties");
        } else if (yl_str_equal_c(property->type, "array")
                   || yl_str_equal_c(property->type, "object")) {
            yl_field_invalid(err, &type, yl_bad_string(s->items->type),
                             "must be a scalar type if parent array's "
                             "x-kubernetes-list-type is map");
        }
        if (!yl_set_add(w->c->arena, seen, key)) {
            yl_field_invalid(err, &keys, bad,
                             "must not contain duplicate entries");
        }
    }
}
