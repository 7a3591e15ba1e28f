/* Structural schemas.  See schema/structural.h for the contract.
 *
 * Two walks.  The first follows the structure (properties, items,
 * additionalProperties) and the logic in it, and checks each schema by itself.
 * The second follows the logic beside the structure and finds what is
 * described in the logic alone.
 *
 * Schemas inside of the logic are called nested.  The recursion is as deep as
 * the schema, whose depth its reader bounds. */

#include "schema/structural.h"

#include <stdlib.h>
#include <string.h>

#include "json/tree.h"
#include "schema/field_error.h"
#include "schema/props.h"
#include "yuloh/error.h"

/* Where a schema stands in the structure. */
enum level {
    ROOT,
    ITEM,
    FIELD,
};

struct walk {
    const struct yl_structural_opts *opts;
    struct yl_error *faults;
};

/* What a nested schema restricts. */
struct target {
    const struct yl_schema_props *schema;   /* NULL: it is not described. */
    const struct yl_field_path *path;
};

static const char *unsupported(const struct yl_schema_props *);
static const char *first_refusal(const struct yl_schema_list *);
static bool is_full(const struct walk *);
static void check_schema(struct walk *, const struct yl_field_path *,
                         const struct yl_schema_props *, enum level);
static void check_extensions(struct walk *, const struct yl_field_path *,
                             const struct yl_schema_props *);
static void check_type(struct walk *, const struct yl_field_path *,
                       const struct yl_schema_props *, enum level);
static void check_resource(struct walk *, const struct yl_field_path *,
                           const struct yl_schema_props *, enum level);
static void check_metadata(struct walk *, const struct yl_field_path *,
                           const struct yl_schema_props *, bool is_resource,
                           enum level);
static bool is_plain_metadata(const struct yl_schema_props *);
static bool is_empty_keyword(const struct yl_node *keyword);
static void check_logic(struct walk *, const struct yl_field_path *,
                        const struct yl_schema_props *, bool skip_any_of,
                        bool skip_first);
static void check_nested(struct walk *, const struct yl_field_path *,
                         const struct yl_schema_props *, bool skip_any_of);
static void check_forbidden(struct walk *, const struct yl_field_path *,
                            const struct yl_schema_props *);
static void check_pattern(struct walk *, const struct yl_field_path *,
                          const struct yl_schema_props *);
static bool is_int_or_string(const struct yl_schema_list *any_of);
static bool says_only_type(const struct yl_schema_props *, const char *type);
static void complete_logic(struct walk *, const struct yl_field_path *,
                           const struct yl_schema_props *,
                           const struct target *);
static void complete_list(struct walk *, const struct yl_field_path *,
                          const char *keyword, const struct yl_schema_list *,
                          const struct target *);
static void complete_nested(struct walk *, const struct yl_field_path *,
                            const struct yl_schema_props *,
                            const struct target *);
static void sort_causes(struct yl_error *);

const char *
yl_structural_refusal(const struct yl_schema_props *s)
{
    const struct yl_node *preserve, *items;
    const char *why = unsupported(s);
    bool on = true;
    size_t i;

    why = why || !s->not_ ? why : yl_structural_refusal(s->not_);
    why = why ? why : first_refusal(&s->all_of);
    why = why ? why : first_refusal(&s->any_of);
    why = why ? why : first_refusal(&s->one_of);
    preserve = yl_schema_keyword(s, "x-kubernetes-preserve-unknown-fields");
    if (!why && yl_node_bool(preserve, &on) == 0 && !on) {
        why = "internal error: 'x-kubernetes-preserve-unknown-fields' must be "
              "true or undefined";
    }
    items = yl_schema_keyword(s, "items");
    if (!why && yl_node_type(items) == YL_JSON_ARRAY && items->n) {
        why = "OpenAPIV3Schema 'items' must be a schema, but is an array";
    }
    why = why || !s->items ? why : yl_structural_refusal(s->items);
    for (i = 0; !why && i < s->properties.n; i++) {
        why = yl_structural_refusal(s->by_name[i]);
    }
    return why || !s->additional ? why
                                 : yl_structural_refusal(s->additional);
}

int
yl_structural_check(const struct yl_schema_props *s,
                    const struct yl_structural_opts *opts,
                    struct yl_error *err)
{
    static const struct yl_structural_opts no_opts;
    struct yl_error faults = YL_ERROR_INIT;
    struct walk w = { opts ? opts : &no_opts, &faults };
    struct target target = { s, w.opts->path };
    size_t i;

    check_schema(&w, w.opts->path, s, ROOT);
    complete_logic(&w, w.opts->path, s, &target);
    sort_causes(&faults);
    if (err && faults.n_causes) {
        err->code = err->code ? err->code : YL_EINVALID;
    }
    for (i = 0; err && i < faults.n_causes; i++) {
        yl_error_add_cause(err, yl_str_c(faults.causes[i].reason),
                           yl_str_c(faults.causes[i].message),
                           yl_str_c(faults.causes[i].field));
    }
    i = faults.n_causes;
    yl_error_clear(&faults);
    return i ? YL_EINVALID : 0;
}

const struct yl_node *
yl_schema_keyword(const struct yl_schema_props *s, const char *keyword)
{
    const struct yl_node *node = yl_node_get(s->node, yl_str_c(keyword));

    if (!node) {
        node = yl_node_emptied(s->node, yl_str_c(keyword));
    }
    return yl_node_type(node) == YL_JSON_NULL ? NULL : node;
}

bool
yl_schema_has_additional(const struct yl_schema_props *s)
{
    return s->additional || s->flags & YL_SCHEMA_ADDITIONAL
           || yl_schema_keyword(s, "additionalProperties");
}

const struct yl_schema_rule *
yl_schema_rule_of(const struct yl_schema_props *s, enum yl_rule_op op)
{
    const struct yl_schema_rule *rule;

    for (rule = s->rules; rule && rule->op != op; rule = rule->next) {
        continue;
    }
    return rule;
}

/* Keywords of JSON schemas that structural ones do not have. */
static const char *
unsupported(const struct yl_schema_props *s)
{
    static const struct {
        const char *keyword;
        bool even_if_empty;
        const char *why;
    } keywords[] = {
        { "id", false, "OpenAPIV3Schema 'id' is not supported" },
        { "$schema", false, "OpenAPIV3Schema 'schema' is not supported" },
        { "$ref", false, "OpenAPIV3Schema '$ref' is not supported" },
        { "patternProperties", false,
          "OpenAPIV3Schema 'patternProperties' is not supported" },
        { "dependencies", false,
          "OpenAPIV3Schema 'dependencies' is not supported" },
        { "additionalItems", true,
          "OpenAPIV3Schema 'additionalItems' is not supported" },
        { "definitions", false,
          "OpenAPIV3Schema 'definitions' is not supported" },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(keywords); i++) {
        const struct yl_node *node =
            yl_schema_keyword(s, keywords[i].keyword);

        if (node && (keywords[i].even_if_empty || !is_empty_keyword(node))) {
            return keywords[i].why;
        }
    }
    return NULL;
}

static const char *
first_refusal(const struct yl_schema_list *list)
{
    const char *why = NULL;
    size_t i;

    for (i = 0; !why && i < list->n; i++) {
        why = yl_structural_refusal(&list->all[i]);
    }
    return why;
}

/* Causes beyond the ceiling are dropped, so there is no use in looking for
 * more. */
static bool
is_full(const struct walk *w)
{
    return w->faults->n_causes >= YL_MAX_CAUSES;
}

/* The structure
 * ============= */

static void
check_schema(struct walk *w, const struct yl_field_path *path,
             const struct yl_schema_props *s, enum level level)
{
    struct yl_field_path items = yl_field_member(path, YL_STR("items"));
    struct yl_field_path properties =
        yl_field_member(path, YL_STR("properties"));
    struct yl_field_path additional =
        yl_field_member(path, YL_STR("additionalProperties"));
    size_t i;

    if (s->items) {
        check_schema(w, &items, s->items, ITEM);
    } else if (yl_str_equal_c(s->type, "array")) {
        yl_field_required(w->faults, &items, "must be specified");
    }
    for (i = 0; i < s->properties.n && !is_full(w); i++) {
        struct yl_field_path property =
            yl_field_key(&properties, s->by_name[i]->name);

        check_schema(w, &property, s->by_name[i], FIELD);
    }
    if (level == ROOT && yl_schema_has_additional(s)) {
        yl_field_forbidden(w->faults, &additional,
                           "must not be used at the root");
    }
    if (s->additional) {
        check_schema(w, &additional, s->additional, FIELD);
    }
    check_extensions(w, path, s);
    check_logic(w, path, s, is_int_or_string(&s->any_of),
                s->all_of.n && is_int_or_string(&s->all_of.all[0].any_of));
    check_type(w, path, s, level);
    check_resource(w, path, s, level);
}

static void
check_extensions(struct walk *w, const struct yl_field_path *path,
                 const struct yl_schema_props *s)
{
    struct yl_field_path preserve = yl_field_member(
        path, YL_STR("x-kubernetes-preserve-unknown-fields"));
    struct yl_field_path embedded = yl_field_member(
        path, YL_STR("x-kubernetes-embedded-resource"));

    if (!(s->flags & YL_SCHEMA_INT_OR_STRING)) {
        return;
    }
    if (s->flags & YL_SCHEMA_PRESERVE) {
        yl_field_invalid(w->faults, &preserve, yl_bad_bool(true),
                         "must be false if x-kubernetes-int-or-string is "
                         "true");
    }
    if (s->flags & YL_SCHEMA_EMBEDDED) {
        yl_field_invalid(w->faults, &embedded, yl_bad_bool(true),
                         "must be false if x-kubernetes-int-or-string is "
                         "true");
    }
}

static void
check_type(struct walk *w, const struct yl_field_path *path,
           const struct yl_schema_props *s, enum level level)
{
    static const char *const places[] = {
        [ROOT] = "must not be empty at the root",
        [ITEM] = "must not be empty for specified array items",
        [FIELD] = "must not be empty for specified object fields",
    };
    static const char embedded[] =
        "must be object if x-kubernetes-embedded-resource is true";
    struct yl_field_path type = yl_field_member(path, YL_STR("type"));
    bool is_object = yl_str_equal_c(s->type, "object");

    if (s->flags & YL_SCHEMA_EMBEDDED && !is_object) {
        if (s->type.size) {
            yl_field_invalid(w->faults, &type, yl_bad_string(s->type), "%s",
                             embedded);
        } else {
            yl_field_required(w->faults, &type, "%s", embedded);
        }
    } else if (!s->type.size
               && !(s->flags
                    & (YL_SCHEMA_INT_OR_STRING | YL_SCHEMA_PRESERVE))) {
        yl_field_required(w->faults, &type, "%s", places[level]);
    }
    if (level == ROOT && s->type.size && !is_object) {
        yl_field_invalid(w->faults, &type, yl_bad_string(s->type),
                         "must be object at the root");
    }
}

/* Rules for the root, and for objects embedded in it. */
static void
check_resource(struct walk *w, const struct yl_field_path *path,
               const struct yl_schema_props *s, enum level level)
{
    static const char *const texts[] = { "kind", "apiVersion" };
    bool is_embedded = s->flags & YL_SCHEMA_EMBEDDED;
    bool is_resource = level == ROOT || is_embedded;
    struct yl_field_path properties =
        yl_field_member(path, YL_STR("properties"));
    struct yl_field_path additional =
        yl_field_member(path, YL_STR("additionalProperties"));
    struct yl_field_path at = yl_field_key(&properties, YL_STR("metadata"));
    const struct yl_schema_props *metadata;
    size_t i;

    if (is_embedded && yl_schema_has_additional(s)) {
        yl_field_forbidden(w->faults, &additional,
                           "must not be used if "
                           "x-kubernetes-embedded-resource is set");
    }
    for (i = 0; is_resource && i < YL_ARRAY_SIZE(texts); i++) {
        const struct yl_schema_props *text =
            yl_schema_property(s, yl_str_c(texts[i]));
        struct yl_field_path key =
            yl_field_key(&properties, yl_str_c(texts[i]));
        struct yl_field_path type = yl_field_member(&key, YL_STR("type"));

        if (text && !yl_str_equal_c(text->type, "string")) {
            yl_field_invalid(w->faults, &type, yl_bad_string(text->type),
                             "must be string");
        }
    }
    metadata = yl_schema_property(s, YL_STR("metadata"));
    if (metadata) {
        check_metadata(w, &at, metadata, is_resource, level);
    }
    if (is_embedded && !(s->flags & YL_SCHEMA_PRESERVE)
        && !s->properties.n) {
        yl_field_required(w->faults, &properties,
                          "must not be empty if "
                          "x-kubernetes-embedded-resource is true without "
                          "x-kubernetes-preserve-unknown-fields");
    }
}

static void
check_metadata(struct walk *w, const struct yl_field_path *path,
               const struct yl_schema_props *metadata, bool is_resource,
               enum level level)
{
    struct yl_field_path type = yl_field_member(path, YL_STR("type"));

    if (is_resource && !yl_str_equal_c(metadata->type, "object")) {
        yl_field_invalid(w->faults, &type, yl_bad_string(metadata->type),
                         "must be object");
    }
    if (level == ROOT && !is_plain_metadata(metadata)) {
        yl_field_forbidden(w->faults, path,
                           "must not specify anything other than name and "
                           "generateName, but metadata is implicitly "
                           "specified");
    }
}

/* At the root metadata may restrict names, and nothing else. */
static bool
is_plain_metadata(const struct yl_schema_props *s)
{
    const struct yl_node *keyword;
    size_t i;

    YL_NODE_FOR_EACH (keyword, s->node) {
        struct yl_str key = yl_node_key(keyword);

        if (!yl_str_equal_c(key, "type") && !yl_str_equal_c(key, "default")
            && !yl_str_equal_c(key, "properties")
            && !is_empty_keyword(keyword)) {
            return false;
        }
    }
    for (keyword = s->node->emptied; keyword; keyword = keyword->next) {
        if (!is_empty_keyword(keyword)) {
            return false;
        }
    }
    for (i = 0; i < s->properties.n; i++) {
        if (!yl_str_equal_c(s->by_name[i]->name, "name")
            && !yl_str_equal_c(s->by_name[i]->name, "generateName")) {
            return false;
        }
    }
    return true;
}

/* Does the keyword say nothing, so that Go has the same value as without
 * it? */
static bool
is_empty_keyword(const struct yl_node *keyword)
{
    static const char *const pointers[] = {
        "additionalProperties", "x-kubernetes-list-type",
        "x-kubernetes-map-type", "required", "x-kubernetes-list-map-keys",
        "x-kubernetes-validations", "not", "items", "externalDocs",
        "default", "example",
    };
    struct yl_str key = yl_node_key(keyword);
    bool yes = true;
    size_t i;

    if (keyword->type == YL_JSON_NULL) {
        return true;
    }
    for (i = 0; i < YL_ARRAY_SIZE(pointers); i++) {
        if (yl_str_equal_c(key, pointers[i])) {
            return false;
        }
    }
    switch (yl_node_type(keyword)) {
    case YL_JSON_BOOL:
        return yl_node_bool(keyword, &yes) == 0 && !yes;
    case YL_JSON_STRING:
        return yl_node_string_is(keyword, YL_STR(""));
    case YL_JSON_ARRAY:
    case YL_JSON_OBJECT:
        return keyword->n == 0;
    case YL_JSON_NONE:
    case YL_JSON_NULL:
    case YL_JSON_NUMBER:
        break;
    }
    return false;
}

/* The logic
 * ========= */

static void
check_list(struct walk *w, const struct yl_field_path *path,
           const char *keyword, const struct yl_schema_list *list,
           bool skip_first)
{
    struct yl_field_path at = yl_field_member(path, yl_str_c(keyword));
    size_t i;

    for (i = 0; i < list->n && !is_full(w); i++) {
        struct yl_field_path item = yl_field_index(&at, i);

        check_nested(w, &item, &list->all[i], skip_first && i == 0);
    }
}

/* Checks the logic of a schema.  'skip_any_of' and 'skip_first' name places
 * where an integer or a string may be described: in anyOf, or in anyOf of the
 * first schema of allOf. */
static void
check_logic(struct walk *w, const struct yl_field_path *path,
            const struct yl_schema_props *s, bool skip_any_of,
            bool skip_first)
{
    struct yl_field_path not = yl_field_member(path, YL_STR("not"));

    if (!skip_any_of) {
        check_list(w, path, "anyOf", &s->any_of, false);
    }
    check_list(w, path, "allOf", &s->all_of, skip_first);
    check_list(w, path, "oneOf", &s->one_of, false);
    if (s->not_) {
        check_nested(w, &not, s->not_, false);
    }
    check_pattern(w, path, s);
}

static void
check_nested(struct walk *w, const struct yl_field_path *path,
             const struct yl_schema_props *s, bool skip_any_of)
{
    struct yl_field_path items = yl_field_member(path, YL_STR("items"));
    struct yl_field_path properties =
        yl_field_member(path, YL_STR("properties"));
    struct yl_field_path metadata =
        yl_field_key(&properties, YL_STR("metadata"));
    size_t i;

    check_logic(w, path, s, skip_any_of, false);
    if (s->items) {
        check_nested(w, &items, s->items, false);
    }
    for (i = 0; i < s->properties.n && !is_full(w); i++) {
        struct yl_field_path property =
            yl_field_key(&properties, s->by_name[i]->name);

        check_nested(w, &property, s->by_name[i], false);
    }
    check_forbidden(w, path, s);
    if (yl_schema_property(s, YL_STR("metadata"))) {
        yl_field_forbidden(w->faults, &metadata,
                           "must not be specified in a nested context");
    }
}

/* Checks for keywords that belong to the structure. */
static void
check_forbidden(struct walk *w, const struct yl_field_path *path,
                const struct yl_schema_props *s)
{
    static const char empty[] = "must be empty to be structural";
    static const char undefined[] = "must be undefined to be structural";
    static const char is_false[] = "must be false to be structural";
    const struct {
        bool is_set;
        const char *keyword, *detail;
    } keywords[] = {
        { s->type.size, "type", empty },
        { s->additional || s->flags & YL_SCHEMA_ADDITIONAL,
          "additionalProperties", undefined },
        { s->default_, "default", undefined },
        { !yl_node_string_is(yl_schema_keyword(s, "title"), YL_STR(""))
          && yl_schema_keyword(s, "title"), "title", empty },
        { s->description.size, "description", empty },
        { s->flags & YL_SCHEMA_NULLABLE, "nullable", is_false },
        { s->flags & YL_SCHEMA_PRESERVE,
          "x-kubernetes-preserve-unknown-fields", is_false },
        { s->flags & YL_SCHEMA_EMBEDDED, "x-kubernetes-embedded-resource",
          is_false },
        { s->flags & YL_SCHEMA_INT_OR_STRING, "x-kubernetes-int-or-string",
          is_false },
        { *s->list_keys, "x-kubernetes-list-map-keys", empty },
        { yl_schema_keyword(s, "x-kubernetes-list-type"),
          "x-kubernetes-list-type", undefined },
        { yl_schema_keyword(s, "x-kubernetes-map-type"),
          "x-kubernetes-map-type", undefined },
        { yl_schema_rule_of(s, YL_RULE_CEL), "x-kubernetes-validations",
          empty },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(keywords); i++) {
        struct yl_field_path at =
            yl_field_member(path, yl_str_c(keywords[i].keyword));

        if (keywords[i].is_set) {
            yl_field_forbidden(w->faults, &at, "%s", keywords[i].detail);
        }
    }
}

static void
check_pattern(struct walk *w, const struct yl_field_path *path,
              const struct yl_schema_props *s)
{
    struct yl_field_path at = yl_field_member(path, YL_STR("pattern"));
    const struct yl_schema_rule *rule = yl_schema_rule_of(s, YL_RULE_PATTERN);
    struct yl_error err = YL_ERROR_INIT;

    if (!rule || !rule->text.size || !w->opts->match) {
        return;
    }
    if (w->opts->match(w->opts->aux, rule->text, YL_STR(""), &err) < 0) {
        yl_field_invalid(w->faults, &at, yl_bad_string(rule->text),
                         "must be a valid regular expression, but isn't: %s",
                         yl_error_message(&err));
    }
    yl_error_clear(&err);
}

/* Is it [{"type":"integer"},{"type":"string"}]? */
static bool
is_int_or_string(const struct yl_schema_list *any_of)
{
    return any_of->n == 2 && says_only_type(&any_of->all[0], "integer")
           && says_only_type(&any_of->all[1], "string");
}

static bool
says_only_type(const struct yl_schema_props *s, const char *type)
{
    const struct yl_node *keyword;

    YL_NODE_FOR_EACH (keyword, s->node) {
        if (!yl_str_equal_c(yl_node_key(keyword), "type")
            && !is_empty_keyword(keyword)) {
            return false;
        }
    }
    for (keyword = s->node->emptied; keyword; keyword = keyword->next) {
        if (!is_empty_keyword(keyword)) {
            return false;
        }
    }
    return yl_str_equal_c(s->type, type);
}

/* What is described in the logic alone
 * ==================================== */

/* Checks that what the logic of 's' restricts is described by the target. */
static void
complete_logic(struct walk *w, const struct yl_field_path *path,
               const struct yl_schema_props *s, const struct target *target)
{
    struct yl_field_path not = yl_field_member(path, YL_STR("not"));

    if (s->not_) {
        complete_nested(w, &not, s->not_, target);
    }
    complete_list(w, path, "allOf", &s->all_of, target);
    complete_list(w, path, "anyOf", &s->any_of, target);
    complete_list(w, path, "oneOf", &s->one_of, target);
}

static void
complete_list(struct walk *w, const struct yl_field_path *path,
              const char *keyword, const struct yl_schema_list *list,
              const struct target *target)
{
    struct yl_field_path at = yl_field_member(path, yl_str_c(keyword));
    size_t i;

    for (i = 0; i < list->n && !is_full(w); i++) {
        struct yl_field_path item = yl_field_index(&at, i);

        complete_nested(w, &item, &list->all[i], target);
    }
}

static void
complete_nested(struct walk *w, const struct yl_field_path *path,
                const struct yl_schema_props *s, const struct target *target)
{
    struct yl_field_path items = yl_field_member(path, YL_STR("items"));
    struct yl_field_path properties =
        yl_field_member(path, YL_STR("properties"));
    struct yl_field_path its_items =
        yl_field_member(target->path, YL_STR("items"));
    struct yl_field_path its_properties =
        yl_field_member(target->path, YL_STR("properties"));
    size_t i;

    if (!target->schema) {
        struct yl_buf buf;

        yl_buf_init(&buf, YL_FIELD_TEXT_MAX);
        yl_field_path_write(&buf, path);
        yl_field_required(w->faults, target->path,
                          "because it is defined in %s", yl_buf_c_str(&buf));
        yl_buf_release(&buf);
        return;
    }
    complete_logic(w, path, s, target);
    if (s->items) {
        struct target below = { target->schema->items, &its_items };

        complete_nested(w, &items, s->items, &below);
    }
    for (i = 0; i < s->properties.n && !is_full(w); i++) {
        struct yl_str name = s->by_name[i]->name;
        struct yl_field_path property = yl_field_key(&properties, name);
        struct yl_field_path its_property =
            yl_field_key(&its_properties, name);
        struct target below = { yl_schema_property(target->schema, name),
                                &its_property };

        complete_nested(w, &property, s->by_name[i], &below);
    }
}

/* Causes
 * ====== */

/* Byte 'i' of "FIELD: MESSAGE", 0 at its end. */
static int
byte_of(const struct yl_cause *cause, size_t n_field, size_t i)
{
    return i < n_field ? (unsigned char) cause->field[i]
           : i < n_field + 2 ? ": "[i - n_field]
           : (unsigned char) cause->message[i - n_field - 2];
}

static int
compare_causes(const void *a_, const void *b_)
{
    const struct yl_cause *a = a_, *b = b_;
    size_t n = strlen(a->field), m = strlen(b->field), i;

    for (i = 0; byte_of(a, n, i) && byte_of(a, n, i) == byte_of(b, m, i);
         i++) {
        continue;
    }
    return byte_of(a, n, i) - byte_of(b, m, i);
}

static void
sort_causes(struct yl_error *err)
{
    if (err->n_causes > 1) {
        qsort(err->causes, err->n_causes, sizeof *err->causes,
              compare_causes);
    }
}
