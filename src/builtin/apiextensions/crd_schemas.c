/* The schemas of a CustomResourceDefinition, read once for all rules. */

#include "builtin/apiextensions/crd_check.h"
#include "schema/props.h"
#include "schema/structural.h"

struct facts {
    struct yl_arena *arena;
    unsigned facts;             /* enum yl_crd_facts. */
};

static void read_schema(struct yl_arena *, const struct yl_at *open_api,
                        struct yl_crd_schemas *);
static void add_facts(void *facts, const struct yl_schema_props *);
static void walk_list(const struct yl_schema_list *,
                      void (*visit)(void *, const struct yl_schema_props *),
                      void *aux);

void
yl_crd_schemas_read(struct yl_arena *arena, const struct yl_crd *crd,
                    struct yl_crd_schemas *schemas)
{
    size_t n = crd->shares_schema ? 1 : yl_at_count(&crd->versions);

    schemas->all = yl_arena_array(arena, n, sizeof *schemas->all);
    schemas->n = 0;
    schemas->facts = 0;
    if (crd->shares_schema) {
        read_schema(arena, &crd->shared.open_api, schemas);
        return;
    }
    YL_AT_FOR_EACH (version, &crd->versions) {
        struct yl_crd_fields own;

        yl_crd_own_fields(crd, &version, &own);
        read_schema(arena, &own.open_api, schemas);
    }
}

void
yl_crd_schema_walk(const struct yl_schema_props *s,
                   void (*visit)(void *aux, const struct yl_schema_props *),
                   void *aux)
{
    size_t i;

    visit(aux, s);
    if (s->items) {
        yl_crd_schema_walk(s->items, visit, aux);
    }
    walk_list(&s->all_of, visit, aux);
    walk_list(&s->any_of, visit, aux);
    walk_list(&s->one_of, visit, aux);
    if (s->not_) {
        yl_crd_schema_walk(s->not_, visit, aux);
    }
    for (i = 0; i < s->properties.n; i++) {
        yl_crd_schema_walk(s->by_name[i], visit, aux);
    }
    if (s->additional) {
        yl_crd_schema_walk(s->additional, visit, aux);
    }
}

bool
yl_crd_is_type(struct yl_str type)
{
    static const char *const types[] = { "array", "boolean", "integer",
                                         "number", "object", "string" };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(types); i++) {
        if (yl_str_equal_c(type, types[i])) {
            return true;
        }
    }
    return false;
}

bool
yl_crd_keyword_is(const struct yl_schema_props *s, const char *keyword,
                  const char *text)
{
    const struct yl_node *node = yl_schema_keyword(s, keyword);

    return node && yl_node_string_is(node, yl_str_c(text));
}

/* An array without a list type is atomic, an object without a map type is
 * not. */
bool
yl_crd_is_loose_set(const struct yl_schema_props *s)
{
    if (!s->items || !yl_crd_keyword_is(s, "x-kubernetes-list-type", "set")) {
        return false;
    } else if (yl_str_equal_c(s->items->type, "array")) {
        return yl_schema_keyword(s->items, "x-kubernetes-list-type")
               && !yl_crd_keyword_is(s->items, "x-kubernetes-list-type",
                                     "atomic");
    }
    return yl_str_equal_c(s->items->type, "object")
           && !yl_crd_keyword_is(s->items, "x-kubernetes-map-type", "atomic");
}

void
yl_check_crd_keys(struct yl_check *c, const struct yl_schema_props *s,
                  const struct yl_field_path *path)
{
    struct yl_field_path items = yl_field_member(path, YL_STR("items"));
    struct yl_field_path nullable =
        yl_field_member(&items, YL_STR("nullable"));
    struct yl_field_path properties =
        yl_field_member(&items, YL_STR("properties"));
    bool is_map = yl_crd_keyword_is(s, "x-kubernetes-list-type", "map");
    struct yl_at keys = {
        yl_field_member(path, YL_STR("x-kubernetes-list-map-keys")),
        yl_schema_keyword(s, "x-kubernetes-list-map-keys"), false, NULL,
    };

    if (!s->items
        || (!is_map
            && !yl_crd_keyword_is(s, "x-kubernetes-list-type", "set"))) {
        return;
    }
    if (s->items->flags & YL_SCHEMA_NULLABLE) {
        yl_field_forbidden(c->err, &nullable,
                           "cannot be nullable when x-kubernetes-list-type "
                           "is %s", is_map ? "map" : "set");
    }
    if (!is_map) {
        return;
    }
    YL_CHECK_FOR_EACH (c, item, &keys) {
        struct yl_str key = yl_at_str(c, &item);
        const struct yl_schema_props *property =
            yl_schema_property(s->items, key);
        struct yl_field_path at = yl_field_key(&properties, key);
        struct yl_field_path its_default =
            yl_field_member(&at, YL_STR("default"));
        struct yl_field_path its_nullable =
            yl_field_member(&at, YL_STR("nullable"));

        if (property && !property->default_
            && !(property->flags & YL_SCHEMA_REQUIRED)) {
            yl_field_required(c->err, &its_default,
                              "this property is in "
                              "x-kubernetes-list-map-keys, so it must have a "
                              "default or be a required property");
        }
        if (property && property->flags & YL_SCHEMA_NULLABLE) {
            yl_field_forbidden(c->err, &its_nullable,
                               "this property is in "
                               "x-kubernetes-list-map-keys, so it cannot be "
                               "nullable");
        }
    }
}

static void
read_schema(struct yl_arena *arena, const struct yl_at *open_api,
            struct yl_crd_schemas *schemas)
{
    struct yl_crd_schema *schema = &schemas->all[schemas->n];
    struct yl_error err = YL_ERROR_INIT;

    *schema = (struct yl_crd_schema) { NULL, NULL, 0 };
    schemas->n++;
    if (!yl_at_has(open_api)) {
        return;
    }
    if (yl_schema_props_read(arena, open_api->node, NULL, &schema->props,
                             &err) < 0) {
        schema->fault = yl_arena_strdup(arena,
                                        yl_str_c(yl_error_message(&err)));
    } else {
        struct facts facts = { arena, 0 };

        yl_crd_schema_walk(schema->props, add_facts, &facts);
        schema->facts = facts.facts;
        schemas->facts |= facts.facts;
    }
    yl_error_clear(&err);
}

static void
add_facts(void *facts_, const struct yl_schema_props *s)
{
    const unsigned extensions = YL_SCHEMA_EMBEDDED | YL_SCHEMA_PRESERVE
                                | YL_SCHEMA_INT_OR_STRING;
    struct facts *facts = facts_;
    struct yl_error err = YL_ERROR_INIT;
    struct yl_check c = { facts->arena, &err };

    if (s->default_) {
        facts->facts |= YL_CRD_HAS_DEFAULTS;
    }
    if (yl_schema_rule_of(s, YL_RULE_CEL)) {
        facts->facts |= YL_CRD_HAS_CEL | YL_CRD_HAS_EXTENSIONS;
    }
    if (s->flags & extensions || *s->list_keys
        || yl_schema_keyword(s, "x-kubernetes-list-type")
        || yl_schema_keyword(s, "x-kubernetes-preserve-unknown-fields")) {
        facts->facts |= YL_CRD_HAS_EXTENSIONS;
    }
    if (s->type.size && !yl_crd_is_type(s->type)) {
        facts->facts |= YL_CRD_HAS_BAD_TYPES;
    }
    if (yl_crd_is_loose_set(s)) {
        facts->facts |= YL_CRD_HAS_LOOSE_SETS;
    }
    yl_check_crd_keys(&c, s, NULL);
    if (err.n_causes) {
        facts->facts |= YL_CRD_HAS_BAD_KEYS;
    }
    yl_error_clear(&err);
}

static void
walk_list(const struct yl_schema_list *list,
          void (*visit)(void *, const struct yl_schema_props *), void *aux)
{
    size_t i;

    for (i = 0; i < list->n; i++) {
        yl_crd_schema_walk(&list->all[i], visit, aux);
    }
}
