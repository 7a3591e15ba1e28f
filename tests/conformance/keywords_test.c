/* Every keyword of the schemas of real CRDs, at work.
 *
 * The test finds each place of a schema where a keyword stands, and makes two
 * objects of the schema: one that is valid and has a value at that place, and
 * one whose value there breaks the keyword.  The first must be accepted, and
 * the second refused with a cause that names the place.
 *
 * Where no valid object can be made (a pattern that none of the samples
 * matches) the place is counted as missed.  Of each keyword there must be a
 * place where both objects were made and judged rightly, and none where one
 * was judged wrongly. */

#include <glob.h>

#include "base/buf.h"
#include "compiled_schema.h"
#include "schema/default.h"
#include "schema/pattern.h"
#include "schema/prune.h"
#include "schema/sets.h"
#include "schema/validate.h"
#include "yuloh/yaml.h"

/* A keyword, and what it does to a value at its place. */
struct keyword {
    const char *name;
    struct yl_node *(*break_)(const struct yl_node *schema,
                              struct yl_node *valid);
    const char *below;          /* Appended to the place that is named. */
    unsigned n_done, n_missed;
};

/* A place: schemas from the root to it, and the names between them. */
#define MAX_DEPTH 64
struct place {
    const struct yl_node *schemas[MAX_DEPTH];
    struct yl_str names[MAX_DEPTH];     /* Of members; null for elements. */
    bool in_map[MAX_DEPTH];     /* Is it a key of a map? */
    size_t depth;
};

static struct yl_arena *arena;
static struct yl_patterns *patterns;
static struct yl_schema *schema_;
static unsigned n_wrong;

static struct yl_node *make(const struct yl_node *schema);

static struct yl_node *
get(const struct yl_node *node, const char *name)
{
    return yl_node_get(node, yl_str_c(name));
}

static bool
type_is(const struct yl_node *schema, const char *type)
{
    return yl_node_string_is(get(schema, "type"), yl_str_c(type));
}

static double
number_of(const struct yl_node *schema, const char *keyword, double otherwise)
{
    yl_node_double(get(schema, keyword), &otherwise);
    return otherwise;
}

static struct yl_node *
text_node(const char *text)
{
    return yl_node_new_string(arena, yl_str_c(text));
}

/* Valid values
 * ============ */

/* A string that all of the schema allows; NULL if no sample fits. */
static struct yl_node *
make_string(const struct yl_node *schema)
{
    static const char *const samples[] = {
        "", "a", "ab", "abc", "v1", "1", "10", "a.b", "a/b", "/a", "1s", "1h",
        "5m", "1Gi", "10.0.0.1", "10.0.0.0/8", "fd00::1", "https://a.b/c",
        "2026-01-01T00:00:00Z", "00000000-0000-4000-8000-000000000000",
        "aGk=", "Foo", "a-b", "*.a.b", "AAAA", "a.b/c", "a:b", "100",
    };
    struct yl_validate_opts opts = { .match = yl_patterns_match,
                                     .aux = patterns };
    struct yl_schema *compiled;
    const struct yl_schema_props *props;
    struct yl_schema_opts any = { .any = true };
    struct yl_node *found = NULL;
    size_t i;

    assert_int_equal(yl_schema_props_read(arena, schema, NULL, &props, NULL),
                     0);
    assert_int_equal(yl_schema_compile(props, &any, &compiled, NULL), 0);
    for (i = 0; i < sizeof samples / sizeof samples[0] && !found; i++) {
        found = text_node(samples[i]);
        if (yl_validate_value(yl_schema_type(compiled).set,
                              yl_schema_value(compiled), found, &opts, NULL)
            < 0) {
            found = NULL;
        }
    }
    yl_schema_unref(compiled);
    return found;
}

static struct yl_node *
make_object(const struct yl_node *schema)
{
    struct yl_node *object = yl_node_new_object(arena);
    const struct yl_node *name, *properties = get(schema, "properties");
    const struct yl_node *required = get(schema, "required");

    if (required) {
        YL_NODE_FOR_EACH (name, required) {
            struct yl_str text;
            struct yl_node *value = NULL;

            yl_node_string(name, arena, &text);
            if (yl_node_get(properties, text)) {
                value = make(yl_node_get(properties, text));
            }
            if (!value) {
                return NULL;
            }
            yl_node_set(arena, object, text, value);
        }
    }
    if (number_of(schema, "minProperties", 0) > object->n) {
        struct yl_node *value = NULL;

        if (get(schema, "additionalProperties")) {
            value = make(get(schema, "additionalProperties"));
        }
        if (!value) {
            return NULL;
        }
        yl_node_set(arena, object, YL_STR("k"), value);
    }
    return object;
}

/* A small value that the schema allows, or NULL. */
static struct yl_node *
make(const struct yl_node *schema)
{
    struct yl_node *value;
    int64_t i;
    double n;

    if (get(schema, "enum")) {
        return yl_node_copy(arena, get(schema, "enum")->first);
    } else if (type_is(schema, "object")) {
        return make_object(schema);
    } else if (type_is(schema, "array")) {
        struct yl_node *list = yl_node_new_array(arena);

        for (i = (int64_t) number_of(schema, "minItems", 0); i > 0; i--) {
            value = make(get(schema, "items"));
            if (!value) {
                return NULL;
            }
            yl_node_append(list, value);
        }
        return list;
    } else if (type_is(schema, "integer") || type_is(schema, "number")) {
        n = number_of(schema, "minimum", 0);
        return yl_node_new_int64(arena, (int64_t) (
            n > number_of(schema, "maximum", n)
                ? number_of(schema, "maximum", n) : n));
    } else if (type_is(schema, "boolean")) {
        return yl_node_new_bool(arena, true);
    } else if (type_is(schema, "string")
               || get(schema, "x-kubernetes-int-or-string")) {
        return make_string(schema);
    }
    return yl_node_new_object(arena);
}

/* An object with 'value' at the place, and otherwise as little as possible;
 * NULL if it cannot be made. */
static struct yl_node *
make_around(const struct place *place, size_t depth, struct yl_node *value)
{
    const struct yl_node *schema = place->schemas[depth];
    struct yl_node *around, *below;

    if (depth == place->depth) {
        return value;
    }
    around = make(schema);
    below = make_around(place, depth + 1, value);
    if (!around || !below) {
        return NULL;
    }
    if (around->type == YL_JSON_OBJECT) {
        yl_node_set(arena, around, place->names[depth], below);
    } else if (around->first) {
        yl_node_replace(around->first, below);
    } else {
        yl_node_append(around, below);
    }
    return around;
}

/* Values that break a keyword
 * =========================== */

static struct yl_node *
break_type(const struct yl_node *schema,
           struct yl_node *valid __attribute__((unused)))
{
    if (type_is(schema, "integer") || type_is(schema, "number")) {
        return text_node("x");
    }
    return get(schema, "type") ? yl_node_new_int64(arena, 5) : NULL;
}

static struct yl_node *
break_int_or_string(const struct yl_node *schema __attribute__((unused)),
                    struct yl_node *valid __attribute__((unused)))
{
    return yl_node_new_bool(arena, true);
}

static struct yl_node *
break_min_length(const struct yl_node *schema,
                 struct yl_node *valid __attribute__((unused)))
{
    return number_of(schema, "minLength", 0) > 0 ? text_node("") : NULL;
}

static struct yl_node *
break_max_length(const struct yl_node *schema,
                 struct yl_node *valid __attribute__((unused)))
{
    size_t n = (size_t) number_of(schema, "maxLength", 0) + 1;
    char *text = yl_arena_alloc(arena, n + 1);

    memset(text, 'a', n);
    text[n] = '\0';
    return text_node(text);
}

static struct yl_node *
break_pattern(const struct yl_node *schema,
              struct yl_node *valid __attribute__((unused)))
{
    static const char *const samples[] = { "\x01\x01", "-", "aaaa", "" };
    struct yl_str pattern;
    size_t i;

    yl_node_string(get(schema, "pattern"), arena, &pattern);
    for (i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        struct yl_str s = yl_str_c(samples[i]);

        if (s.size >= number_of(schema, "minLength", 0)
            && yl_patterns_match(patterns, pattern, s, NULL) == 0) {
            return text_node(samples[i]);
        }
    }
    return NULL;
}

static struct yl_node *
break_format(const struct yl_node *schema,
             struct yl_node *valid __attribute__((unused)))
{
    static const char *const unchecked[] = { "int64", "double", "" };
    size_t i;

    for (i = 0; i < 3; i++) {
        if (yl_node_string_is(get(schema, "format"), yl_str_c(unchecked[i]))) {
            return break_type(schema, valid);
        }
    }
    return type_is(schema, "string") ? text_node("\x01")
                                     : yl_node_new_double(arena, 1e40);
}

static struct yl_node *
break_minimum(const struct yl_node *schema,
              struct yl_node *valid __attribute__((unused)))
{
    return yl_node_new_int64(
        arena, (int64_t) number_of(schema, "minimum", 0) - 1);
}

static struct yl_node *
break_maximum(const struct yl_node *schema,
              struct yl_node *valid __attribute__((unused)))
{
    return yl_node_new_int64(
        arena, (int64_t) number_of(schema, "maximum", 0) + 1);
}

static struct yl_node *
break_enum(const struct yl_node *schema __attribute__((unused)),
           struct yl_node *valid __attribute__((unused)))
{
    return text_node("no such value");
}

static struct yl_node *
break_min_items(const struct yl_node *schema,
                struct yl_node *valid __attribute__((unused)))
{
    return number_of(schema, "minItems", 0) > 0 ? yl_node_new_array(arena)
                                                : NULL;
}

static struct yl_node *
break_max_items(const struct yl_node *schema,
                struct yl_node *valid __attribute__((unused)))
{
    struct yl_node *list = yl_node_new_array(arena);
    int64_t i;

    for (i = (int64_t) number_of(schema, "maxItems", 0); i >= 0; i--) {
        struct yl_node *item = make(get(schema, "items"));

        if (!item) {
            return NULL;
        }
        yl_node_append(list, item);
    }
    return list;
}

static struct yl_node *
break_min_properties(const struct yl_node *schema,
                     struct yl_node *valid __attribute__((unused)))
{
    return number_of(schema, "minProperties", 0) > 0
           ? yl_node_new_object(arena) : NULL;
}

static struct yl_node *
break_max_properties(const struct yl_node *schema,
                     struct yl_node *valid __attribute__((unused)))
{
    const struct yl_node *below = get(schema, "additionalProperties");
    struct yl_node *object = yl_node_new_object(arena);
    int64_t i;

    if (!below || below->type != YL_JSON_OBJECT) {
        return NULL;
    }
    for (i = (int64_t) number_of(schema, "maxProperties", 0); i >= 0; i--) {
        yl_node_set(arena, object,
                    yl_str_c(yl_arena_printf(arena, "k%lld", (long long) i)),
                    make(below));
    }
    return object;
}

/* Removes the first member that is required. */
static struct yl_node *
break_required(const struct yl_node *schema, struct yl_node *valid)
{
    struct yl_str name;

    yl_node_string(get(schema, "required")->first, arena, &name);
    return yl_node_remove(valid, name) ? valid : NULL;
}

static struct yl_node *
break_items(const struct yl_node *schema, struct yl_node *valid)
{
    struct yl_node *bad = break_type(get(schema, "items"), NULL);
    struct yl_node *list = yl_node_new_array(arena);

    (void) valid;
    if (!bad) {
        return NULL;
    }
    yl_node_append(list, bad);
    return list;
}

static struct yl_node *
break_additional(const struct yl_node *schema, struct yl_node *valid)
{
    struct yl_node *bad = break_type(get(schema, "additionalProperties"),
                                     NULL);

    if (bad) {
        yl_node_set(arena, valid, YL_STR("k"), bad);
    }
    return bad ? valid : NULL;
}

/* The first property of the wrong type. */
static struct yl_node *
break_properties(const struct yl_node *schema, struct yl_node *valid)
{
    const struct yl_node *first = get(schema, "properties")->first;
    struct yl_node *bad = first ? break_type(first, NULL) : NULL;

    if (bad) {
        yl_node_set(arena, valid, yl_node_key(first), bad);
    }
    return bad ? valid : NULL;
}

/* The same element twice. */
static struct yl_node *
break_list_type(const struct yl_node *schema, struct yl_node *valid)
{
    struct yl_node *item = make(get(schema, "items"));
    struct yl_node *list = yl_node_new_array(arena);

    (void) valid;
    if (!item || yl_node_string_is(get(schema, "x-kubernetes-list-type"),
                                   YL_STR("atomic"))) {
        return NULL;
    }
    yl_node_append(list, item);
    yl_node_append(list, yl_node_copy(arena, item));
    return list;
}

/* Members with the values that alternatives ask for, and with others: one of
 * the alternatives asks for more than a schema without them allows. */
static struct yl_node *
break_alternatives(const struct yl_node *schema, struct yl_node *valid)
{
    const struct yl_node *one, *property;

    if (get(schema, "x-kubernetes-int-or-string")) {
        return yl_node_new_bool(arena, true);
    } else if (yl_node_type(valid) != YL_JSON_OBJECT
               || !get(schema, "oneOf")) {
        return NULL;
    }
    YL_NODE_FOR_EACH (one, get(schema, "oneOf")) {
        if (!get(one, "properties")) {
            continue;
        }
        YL_NODE_FOR_EACH (property, get(one, "properties")) {
            const struct yl_node *wanted = get(property, "enum");

            if (wanted || !get(property, "not")) {
                yl_node_set(arena, valid, yl_node_key(property),
                            wanted ? yl_node_copy(arena, wanted->first)
                                   : text_node("zz zz"));
            }
        }
    }
    return valid;
}

static struct yl_node *
break_nothing(const struct yl_node *schema __attribute__((unused)),
              struct yl_node *valid __attribute__((unused)))
{
    return NULL;
}

/* Keywords that refuse nothing have no place where both objects are made:
 * break_nothing. */
static struct keyword keywords[] = {
    { "type", break_type, "", 0, 0 },
    { "properties", break_properties, "*", 0, 0 },
    { "required", break_required, "*", 0, 0 },
    { "items", break_items, "[0]", 0, 0 },
    { "additionalProperties", break_additional, ".k", 0, 0 },
    { "minLength", break_min_length, "", 0, 0 },
    { "maxLength", break_max_length, "", 0, 0 },
    { "pattern", break_pattern, "", 0, 0 },
    { "format", break_format, "", 0, 0 },
    { "minimum", break_minimum, "", 0, 0 },
    { "maximum", break_maximum, "", 0, 0 },
    { "enum", break_enum, "", 0, 0 },
    { "minItems", break_min_items, "", 0, 0 },
    { "maxItems", break_max_items, "", 0, 0 },
    { "minProperties", break_min_properties, "", 0, 0 },
    { "maxProperties", break_max_properties, "", 0, 0 },
    { "nullable", break_type, "", 0, 0 },
    { "default", break_type, "", 0, 0 },
    { "anyOf", break_alternatives, "", 0, 0 },
    { "oneOf", break_alternatives, "", 0, 0 },
    { "not", break_alternatives, "", 0, 0 },
    { "x-kubernetes-int-or-string", break_int_or_string, "", 0, 0 },
    { "x-kubernetes-list-type", break_list_type, "[1]", 0, 0 },
    { "x-kubernetes-list-map-keys", break_list_type, "[1]", 0, 0 },
    { "x-kubernetes-preserve-unknown-fields", break_type, "", 0, 0 },
    { "description", break_nothing, "", 0, 0 },
    { "x-kubernetes-map-type", break_nothing, "", 0, 0 },
    { "x-kubernetes-validations", break_nothing, "", 0, 0 },
};

/* Judging
 * ======= */

/* Does to 'root' what a server does; the causes are in 'err'. */
static int
judge(struct yl_node *root, struct yl_error *err)
{
    struct yl_validate_opts opts = { .match = yl_patterns_match,
                                     .aux = patterns };
    struct yl_type_ref type = yl_schema_type(schema_);
    int r, r2;

    yl_prune(type, root, NULL);
    assert_int_equal(yl_default_apply(arena, type, root, NULL), 0);
    r = yl_validate(type, root, &opts, err);
    r2 = yl_validate_sets(type, root, NULL, NULL, err);
    return r < 0 ? r : r2;
}

/* The place as causes name it; repeated elements have keys in brackets. */
static const char *
path_of(const struct place *place, bool brackets)
{
    const char *path = "";
    size_t i;

    for (i = 0; i < place->depth; i++) {
        if (!place->names[i].size) {
            path = yl_arena_printf(arena, "%s[0]", path);
        } else {
            bool key = brackets && place->in_map[i];

            path = yl_arena_printf(arena, "%s%s%.*s%s", path,
                                   key ? "[" : i ? "." : "",
                                   YL_STR_ARG(place->names[i]),
                                   key ? "]" : "");
        }
    }
    return path;
}

/* Does a cause name the place?  Some do so in their message only. */
static bool
is_named(const struct yl_error *err, const char *path, const char *below)
{
    const char *field = yl_arena_printf(arena, "%s%s", path, below);
    bool prefix = !strcmp(below, "*");
    size_t i;

    for (i = 0; i < err->n_causes; i++) {
        const struct yl_cause *cause = &err->causes[i];

        if ((prefix ? !strncmp(cause->field, path, strlen(path))
                    : !strcmp(cause->field, field))
            || (!strcmp(cause->field, "<nil>")
                && strstr(cause->message, path))) {
            return true;
        }
    }
    return false;
}

static void count_not(const struct yl_node *alternatives);

static void
check_keyword(struct keyword *keyword, const struct place *place)
{
    const struct yl_node *schema = place->schemas[place->depth];
    const char *path = path_of(place, keyword->break_ == break_list_type);
    struct yl_node *valid = make(schema), *broken = NULL, *object = NULL;
    struct yl_error err = YL_ERROR_INIT;

    if (keyword->break_ == break_nothing) {
        keyword->n_done++;
        return;
    }
    if (valid && !strcmp(keyword->name, "nullable")) {
        valid = yl_node_new_null(arena);
    }
    if (valid) {
        object = make_around(place, 0, yl_node_copy(arena, valid));
        broken = keyword->break_(schema, valid);
        broken = broken ? make_around(place, 0, broken) : NULL;
    }
    if (!object || !broken || judge(object, &err) < 0) {
        keyword->n_missed++;
        yl_error_clear(&err);
        return;
    }
    if (judge(broken, &err) == 0 || !is_named(&err, path, keyword->below)) {
        print_message("%s %s: %s\n", keyword->name, path,
                      causes_of(arena, &err));
        n_wrong++;
    }
    keyword->n_done++;
    if (keyword->break_ == break_alternatives) {
        count_not(get(schema, keyword->name));
    }
    yl_error_clear(&err);
}

/* In these CRDs "not" stands in alternatives only; it has done its work if
 * they were judged rightly. */
static void
count_not(const struct yl_node *alternatives)
{
    const struct yl_node *child;
    struct keyword *keyword = keywords;

    while (strcmp(keyword->name, "not")) {
        keyword++;
    }
    YL_NODE_FOR_EACH (child, alternatives) {
        if (alternatives->type == YL_JSON_OBJECT
            && yl_str_equal_c(yl_node_key(child), "not")) {
            keyword->n_done++;
        }
        count_not(child);
    }
}

/* Visits a schema and those below it that describe values. */
static void
visit(struct place *place)
{
    const struct yl_node *schema = place->schemas[place->depth];
    const struct yl_node *keyword, *property;
    size_t i;

    YL_NODE_FOR_EACH (keyword, schema) {
        for (i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
            if (yl_str_equal_c(yl_node_key(keyword), keywords[i].name)) {
                break;
            }
        }
        if (i == sizeof keywords / sizeof keywords[0]) {
            fail_msg("the keyword %.*s has no row",
                     YL_STR_ARG(yl_node_key(keyword)));
        }
        if (place->depth) {
            check_keyword(&keywords[i], place);
        }
    }
    place->depth++;
    assert_true(place->depth < MAX_DEPTH);
    if (get(schema, "properties")) {
        YL_NODE_FOR_EACH (property, get(schema, "properties")) {
            place->names[place->depth - 1] = yl_node_key(property);
            place->in_map[place->depth - 1] = false;
            place->schemas[place->depth] = property;
            visit(place);
        }
    }
    if (get(schema, "items") && type_is(schema, "array")) {
        place->names[place->depth - 1] = yl_str_null();
        place->schemas[place->depth] = get(schema, "items");
        visit(place);
    }
    if (yl_node_type(get(schema, "additionalProperties")) == YL_JSON_OBJECT) {
        place->names[place->depth - 1] = YL_STR("k");
        place->in_map[place->depth - 1] = true;
        place->schemas[place->depth] = get(schema, "additionalProperties");
        visit(place);
    }
    place->depth--;
}

static void
check_version(const struct yl_node *version)
{
    const struct yl_node *root = get(get(version, "schema"),
                                     "openAPIV3Schema");
    const struct yl_schema_props *props;
    struct place place = { .schemas = { root } };

    assert_int_equal(yl_schema_props_read(arena, root, NULL, &props, NULL), 0);
    assert_int_equal(yl_schema_compile(props, NULL, &schema_, NULL), 0);
    visit(&place);
    yl_schema_unref(schema_);
}

TEST(every_keyword_of_real_crds_is_at_work)
{
    glob_t files;
    size_t i;

    patterns = yl_patterns_new();
    assert_int_equal(glob(truth_path("crds/*/*.yaml"), 0, NULL, &files), 0);
    for (i = 0; i < files.gl_pathc; i++) {
        size_t size;
        char *text = read_file(files.gl_pathv[i], &size);
        struct yl_yaml_stream stream = yl_yaml_stream(yl_str_n(text, size));
        struct yl_str json;

        for (;;) {
            const struct yl_node *versions, *version;
            struct yl_node *root;

            arena = yl_arena_new();
            if (yl_yaml_next_json(&stream, arena, NULL, &json, NULL) <= 0) {
                yl_arena_free(arena);
                break;
            }
            assert_int_equal(yl_tree_parse(arena, json, NULL, &root, NULL),
                             0);
            versions = get(get(root, "spec"), "versions");
            if (yl_node_string_is(get(root, "kind"),
                                  YL_STR("CustomResourceDefinition"))) {
                YL_NODE_FOR_EACH (version, versions) {
                    check_version(version);
                }
            }
            yl_arena_free(arena);
        }
        free(text);
    }
    globfree(&files);
    for (i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
        print_message("%-38s %5u places, %u missed\n", keywords[i].name,
                      keywords[i].n_done, keywords[i].n_missed);
        assert_true(keywords[i].n_done > 0);
    }
    assert_int_equal(n_wrong, 0);
    yl_patterns_free(patterns);
}
