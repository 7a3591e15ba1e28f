/* Conversion, by example and on generated objects.
 *
 * The generator knows the fields of all types from truth/types/fields.tsv.  It
 * prefers fields that no object has had yet, and goes on until every field
 * that can be reached has been set. */

#include "builtin/convert/convert.h"

#include "json/tree.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

#define CRD "CustomResourceDefinition"

static struct yl_node *
parse(struct yl_arena *arena, const char *text)
{
    struct yl_node *root;

    assert_int_equal(yl_tree_parse(arena, yl_str_c(text), NULL, &root, NULL),
                     0);
    return root;
}

static void
assert_nodes_equal(const struct yl_node *want, const struct yl_node *have)
{
    struct yl_buf a, b;

    if (yl_node_equal(want, have)) {
        return;
    }
    yl_buf_init(&a, YL_JSON_MAX_SIZE);
    yl_buf_init(&b, YL_JSON_MAX_SIZE);
    yl_node_write_canonical(&a, want);
    yl_node_write_canonical(&b, have);
    fail_msg("\nwant %s\nhave %s", yl_buf_c_str(&a), yl_buf_c_str(&b));
}

static void
check(const char *before, const char *version, const char *after)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *object = parse(arena, before);

    assert_int_equal(yl_builtin_convert(arena, object, yl_str_c(version),
                                        NULL), 0);
    assert_nodes_equal(parse(arena, after), object);
    yl_arena_free(arena);
}

#define HEAD(VERSION)                                                         \
    "{\"apiVersion\":\"apiextensions.k8s.io/" VERSION "\","                   \
    "\"kind\":\"" CRD "\","

TEST(hubs)
{
    assert_string_equal(yl_builtin_hub(YL_STR("batch"), YL_STR("CronJob")),
                        "v1");
    assert_string_equal(yl_builtin_hub(YL_STR("apiextensions.k8s.io"),
                                       YL_STR(CRD)), "v1");
    assert_null(yl_builtin_hub(YL_STR("batch"), YL_STR("Job")));
    assert_null(yl_builtin_hub(YL_STR(""), YL_STR("CronJob")));
}

TEST(a_crd_of_the_notes)
{
    check(HEAD("v1beta1") "\"spec\":{\"group\":\"g\",\"version\":\"v1\","
          "\"subresources\":{\"status\":{}},\"additionalPrinterColumns\":"
          "[{\"name\":\"a\",\"JSONPath\":\".a\"}]}}",
          "v1",
          HEAD("v1") "\"spec\":{\"group\":\"g\",\"versions\":[{"
          "\"name\":\"v1\",\"served\":true,\"storage\":true,"
          "\"subresources\":{\"status\":{}},\"additionalPrinterColumns\":"
          "[{\"name\":\"a\",\"jsonPath\":\".a\"}]}],"
          "\"preserveUnknownFields\":true}}");
}

TEST(webhooks_and_unknown_fields_of_a_crd)
{
    check(HEAD("v1beta1") "\"spec\":{\"version\":\"v1\",\"versions\":["
          "{\"name\":\"v1\"}],\"conversion\":{\"strategy\":\"Webhook\","
          "\"webhookClientConfig\":{\"url\":\"u\"}},"
          "\"preserveUnknownFields\":false}}",
          "v1",
          HEAD("v1") "\"spec\":{\"versions\":[{\"name\":\"v1\"}],"
          "\"conversion\":{\"strategy\":\"Webhook\",\"webhook\":{"
          "\"clientConfig\":{\"url\":\"u\"},"
          "\"conversionReviewVersions\":null}}}}");
    check(HEAD("v1") "\"spec\":{\"versions\":[{\"name\":\"a\","
          "\"schema\":{}},{\"name\":\"b\",\"schema\":{},"
          "\"selectableFields\":[{\"jsonPath\":\".x\"}]}],"
          "\"conversion\":{\"webhook\":{\"conversionReviewVersions\":"
          "[\"v1\"]}}}}",
          "v1beta1",
          HEAD("v1beta1") "\"spec\":{\"version\":\"a\",\"validation\":{},"
          "\"versions\":[{\"name\":\"a\"},{\"name\":\"b\","
          "\"selectableFields\":[{\"jsonPath\":\".x\"}]}],"
          "\"conversion\":{\"conversionReviewVersions\":[\"v1\"]},"
          "\"preserveUnknownFields\":false}}");
}

TEST(hub_to_old_drops_only_what_the_old_cannot_say)
{
    check("{\"apiVersion\":\"batch/v1\",\"kind\":\"CronJob\",\"spec\":{"
          "\"timeZone\":\"UTC\",\"schedule\":\"x\"},\"status\":{"
          "\"lastSuccessfulTime\":\"t\",\"lastScheduleTime\":\"t\"}}",
          "v2alpha1",
          "{\"apiVersion\":\"batch/v2alpha1\",\"kind\":\"CronJob\","
          "\"spec\":{\"schedule\":\"x\"},\"status\":{"
          "\"lastScheduleTime\":\"t\"}}");
    check("{\"apiVersion\":\"batch/v1beta1\",\"kind\":\"CronJob\",\"spec\":{"
          "\"timeZone\":\"UTC\"}}",
          "v2alpha1",
          "{\"apiVersion\":\"batch/v2alpha1\",\"kind\":\"CronJob\","
          "\"spec\":{}}");
}

TEST(any_tree_can_be_passed)
{
    static const char *const objects[] = {
        HEAD("v1beta1") "\"spec\":null}",
        HEAD("v1beta1") "\"spec\":{\"versions\":[]}}",
        HEAD("v1beta1") "\"spec\":{\"versions\":7,\"version\":\"\","
        "\"conversion\":[],\"validation\":null}}",
        HEAD("v1beta1") "\"spec\":{\"versions\":[1,null,[]],"
        "\"validation\":\"x\",\"preserveUnknownFields\":3,"
        "\"additionalPrinterColumns\":[1,{}]}}",
        HEAD("v1beta1") "\"spec\":{\"versions\":{},"
        "\"additionalPrinterColumns\":9}}",
        ("{\"apiVersion\":\"batch/v2alpha1\",\"kind\":\"CronJob\","
         "\"spec\":[],\"status\":1}"),
    };

    for (size_t i = 0; i < YL_ARRAY_SIZE(objects); i++) {
        struct yl_arena *arena = yl_arena_new();
        struct yl_node *object = parse(arena, objects[i]);

        assert_int_equal(yl_builtin_convert(arena, object, YL_STR("v1"),
                                            NULL), 0);
        assert_int_equal(yl_builtin_convert(arena, object, YL_STR("v1beta1"),
                                            NULL), 0);
        yl_arena_free(arena);
    }
}

TEST(a_crd_that_contradicts_itself_is_refused)
{
#define ONE(MORE) "\"versions\":[{\"name\":\"v1\"" MORE "}]}}"
    static const struct {
        const char *spec, *message;
    } cases[] = {
        { "\"version\":\"v2\"," ONE(""),
          "spec.version: Invalid value: must match the first version in "
          "spec.versions" },
        { "\"validation\":{}," ONE(",\"schema\":{}"),
          "spec.validation: Forbidden: top-level and per-version schema are "
          "mutually exclusive" },
        { "\"subresources\":{}," ONE(",\"subresources\":{}"),
          "spec.subresources: Forbidden: top-level and per-version "
          "subresources are mutually exclusive" },
        { "\"additionalPrinterColumns\":[{}],"
          ONE(",\"additionalPrinterColumns\":[{}]"),
          "spec.additionalPrinterColumns: Forbidden: top-level and "
          "per-version additionalPrinterColumns are mutually exclusive" },
        { "\"version\":\"v1\",\"additionalPrinterColumns\":[],"
          ONE(",\"additionalPrinterColumns\":[{}]"), "" },
    };

    for (size_t i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_arena *arena = yl_arena_new();
        struct yl_error err = YL_ERROR_INIT;
        const char *text = yl_arena_printf(
            arena, HEAD("v1beta1") "\"spec\":{%s", cases[i].spec);
        struct yl_node *object = parse(arena, text);
        bool refused = *cases[i].message != '\0';

        assert_int_equal(yl_builtin_convert(arena, object, YL_STR("v1"),
                                            &err), refused ? YL_EINVALID : 0);
        if (refused) {
            assert_string_equal(yl_error_message(&err), cases[i].message);
            assert_nodes_equal(parse(arena, text), object);
        }
        yl_error_clear(&err);
        yl_arena_free(arena);
    }
}

TEST(versions_that_are_none)
{
    static const char *const objects[] = {
        "{\"apiVersion\":\"batch/v1\",\"kind\":\"CronJob\"}",
        "{\"apiVersion\":\"batch/v9\",\"kind\":\"CronJob\"}",
        "{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}",
        "{}", "[]",
    };
    struct yl_error err = YL_ERROR_INIT;

    for (size_t i = 0; i < YL_ARRAY_SIZE(objects); i++) {
        struct yl_arena *arena = yl_arena_new();
        struct yl_node *object = parse(arena, objects[i]);

        assert_int_equal(yl_builtin_convert(arena, object, YL_STR("v3"),
                                            &err), YL_EINVALID);
        assert_nodes_equal(parse(arena, objects[i]), object);
        yl_error_clear(&err);
        yl_arena_free(arena);
    }
    check(objects[2], "v1", objects[2]);
}

TEST(a_crd_cannot_explode)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *object;
    struct yl_buf buf;

    yl_buf_init(&buf, 1 << 20);
    yl_buf_append_c(&buf, HEAD("v1beta1") "\"spec\":{\"validation\":{"
                    "\"a\":\"");
    for (int i = 0; i < 10000; i++) {
        yl_buf_append_char(&buf, 'x');
    }
    yl_buf_append_c(&buf, "\"},\"versions\":[{}");
    for (int i = 0; i < 500; i++) {
        yl_buf_append_c(&buf, ",{}");
    }
    yl_buf_append_c(&buf, "]}}");
    object = parse(arena, yl_buf_c_str(&buf));
    assert_int_equal(yl_builtin_convert(arena, object, YL_STR("v1"), &err),
                     YL_ETOOBIG);
    assert_nodes_equal(parse(arena, yl_buf_c_str(&buf)), object);
    yl_error_clear(&err);
    yl_buf_release(&buf);
    yl_arena_free(arena);
}

/* The generator
 * ============= */

struct generator {
    struct yl_arena *arena;
    struct yl_node *types;      /* Type -> {field: value type}. */
    struct yl_node *seen;       /* "type field" of all objects so far. */
    uint64_t random;
};

static unsigned
roll(struct generator *g, unsigned n)
{
    g->random = g->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned) (g->random >> 33) % n;
}

static void
load_types(struct generator *g)
{
    size_t size;
    char *file = read_file(truth_path("types/fields.tsv"), &size);
    struct yl_str rest = yl_arena_copy(g->arena, yl_str_n(file, size)), line;

    g->types = yl_node_new_object(g->arena);
    g->seen = yl_node_new_object(g->arena);
    while (yl_str_cut(rest, '\n', &line, &rest)) {
        struct yl_str type, field, value, tail;
        struct yl_node *fields;

        assert_true(yl_str_cut(line, '\t', &type, &tail));
        assert_true(yl_str_cut(tail, '\t', &field, &tail));
        assert_true(yl_str_cut(tail, '\t', &value, &tail));
        fields = yl_node_get(g->types, type);
        if (!fields) {
            fields = yl_node_new_object(g->arena);
            yl_node_set(g->arena, g->types, type, fields);
        }

        /* Embedded structs share a name; theirs is made up. */
        if (yl_str_equal_c(field, "(inline)")) {
            field = yl_str_c(yl_arena_printf(g->arena, "(inline) %.*s",
                                             YL_STR_ARG(value)));
        }
        yl_node_set(g->arena, fields, field,
                    yl_node_new_string(g->arena, value));
    }
    free(file);
}

/* What a value type is made of. */
enum shape { SCALAR, LIST, MAP, STRUCT };

static enum shape
shape_of(struct generator *g, struct yl_str *type)
{
    const char *equals;

    if (yl_str_starts_with(*type, YL_STR("*"))) {
        *type = yl_str_skip(*type, 1);
    }
    equals = yl_str_starts_with(*type, YL_STR("map["))
             || yl_str_starts_with(*type, YL_STR("[]"))
             ? NULL : yl_str_find_char(*type, '=');
    if (equals) {
        *type = yl_str_skip(*type, (size_t) (equals + 1 - type->data));
    }
    if (yl_str_starts_with(*type, YL_STR("[]"))) {
        *type = yl_str_skip(*type, 2);
        return LIST;
    }
    if (yl_str_starts_with(*type, YL_STR("map["))) {
        const char *end = yl_str_find_char(*type, ']');

        *type = yl_str_skip(*type, (size_t) (end + 1 - type->data));
        return MAP;
    }
    if (yl_str_find_char(*type, '/') && yl_node_get(g->types, *type)
        && !memmem(type->data, type->size, "PropsOr", 7)) {
        return STRUCT;
    }
    return SCALAR;
}

static struct yl_node *generate(struct generator *, struct yl_str type,
                                unsigned depth);

static struct yl_node *
generate_scalar(struct generator *g, struct yl_str type, unsigned depth)
{
    static const struct {
        const char *type;
        const char *values[3];
    } scalars[] = {
        { "string", { "\"a\"", "\"b c\"", "\"\\u00e9\\n\"" } },
        { "bool", { "true", "true", "true" } },
        { "int32", { "1", "-7", "2147483647" } },
        { "int64", { "1", "-7", "9007199254740993" } },
        { "float64", { "1.5", "-2", "1e21" } },
        { "bytes", { "\"YWJj\"", "\"\"", "\"/+8=\"" } },
        { "util/intstr.IntOrString", { "1", "\"50%\"", "0" } },
        { "meta/v1.FieldsV1", { "{}", "{\"f:a\":{}}", "{}" } },
        { "runtime.RawExtension", { "{}", "{\"a\":[1]}", "{\"b\":null}" } },
    };

    for (size_t i = 0; i < YL_ARRAY_SIZE(scalars); i++) {
        if (yl_str_equal_c(type, scalars[i].type)) {
            return parse(g->arena, scalars[i].values[roll(g, 3)]);
        }
    }
    if (yl_str_ends_with(type, YL_STR(".JSON"))) {
        return parse(g->arena, roll(g, 2) ? "[1,{\"a\":null}]" : "\"x\"");
    }
    if (memmem(type.data, type.size, "PropsOr", 7)) {
        struct yl_str props = yl_str_range(
            type.data, (const char *) memmem(type.data, type.size,
                                             "PropsOr", 7) + 5);

        if (roll(g, 2)) {
            return generate(g, props, depth);
        }
        return parse(g->arena, yl_str_ends_with(type, YL_STR("Bool"))
                               ? "true" : "[]");
    }
    /* A time, a duration or a quantity: text to a conversion. */
    return parse(g->arena, "\"2026-01-01T00:00:00Z\"");
}

/* Schemas are in schemas, and would never end. */
static bool
is_schema(struct yl_str type)
{
    return memmem(type.data, type.size, "JSONSchemaProps", 15) != NULL;
}

/* How often a field is set again: often, if fields are below it. */
static unsigned
chance(struct generator *g, struct yl_str type)
{
    enum shape shape;

    while ((shape = shape_of(g, &type)) == LIST || shape == MAP) {
        continue;
    }
    return shape == STRUCT && !is_schema(type) ? 70 : 10;
}

static void
generate_fields(struct generator *g, struct yl_node *object,
                struct yl_str type, unsigned depth)
{
    struct yl_node *field;

    YL_NODE_FOR_EACH (field, yl_node_get(g->types, type)) {
        struct yl_str name = yl_node_key(field), value;
        char *key = yl_arena_printf(g->arena, "%.*s %.*s", YL_STR_ARG(type),
                                    YL_STR_ARG(name));
        bool fresh = !yl_node_get(g->seen, yl_str_c(key));

        assert_int_equal(yl_node_string(field, g->arena, &value), 0);
        if (yl_str_equal_c(value, "meta/v1.TypeMeta")) {
            continue;
        } else if (yl_str_starts_with(name, YL_STR("(inline) "))) {
            generate_fields(g, object, value, depth);
        } else if (depth < 16
                   && roll(g, 100) < (fresh ? 80 : chance(g, value))) {
            yl_node_set(g->arena, object, name,
                        generate(g, value, depth + (is_schema(value) ? 5
                                                                     : 1)));
        }
    }
}

static struct yl_node *
generate(struct generator *g, struct yl_str type, unsigned depth)
{
    enum shape shape = shape_of(g, &type);
    unsigned n = 1 + roll(g, 2);
    struct yl_node *node;

    switch (shape) {
    case LIST:
        node = yl_node_new_array(g->arena);
        while (n--) {
            yl_node_append(node, generate(g, type, depth));
        }
        return node;

    case MAP:
        node = yl_node_new_object(g->arena);
        while (n--) {
            yl_node_set(g->arena, node, n ? YL_STR("k") : YL_STR("l"),
                        generate(g, type, depth));
        }
        return node;

    case STRUCT:
        node = yl_node_new_object(g->arena);
        generate_fields(g, node, type, depth);
        return node;

    case SCALAR:
        break;
    }
    return generate_scalar(g, type, depth);
}

/* The type of member 'name', also in embedded structs; NULL if there is
 * none. */
static const struct yl_node *
field_of(struct generator *g, struct yl_str *type, struct yl_str name)
{
    struct yl_node *fields = yl_node_get(g->types, *type);
    struct yl_node *field = yl_node_get(fields, name);

    if (field) {
        return field;
    }
    YL_NODE_FOR_EACH (field, fields) {
        if (yl_str_starts_with(yl_node_key(field), YL_STR("(inline) "))) {
            struct yl_str inner;
            const struct yl_node *found;

            assert_int_equal(yl_node_string(field, g->arena, &inner), 0);
            found = field_of(g, &inner, name);
            if (found) {
                *type = inner;
                return found;
            }
        }
    }
    return NULL;
}

/* Notes every field that is set, and insists that the type has it. */
static void
note(struct generator *g, struct yl_str type, const struct yl_node *node)
{
    enum shape shape = shape_of(g, &type);
    const struct yl_node *member;

    if (shape == SCALAR || yl_node_type(node) == YL_JSON_NULL) {
        /* A schema that may be something else, too. */
        const char *props = memmem(type.data, type.size, "PropsOr", 7);

        if (props && yl_node_type(node) == YL_JSON_OBJECT) {
            note(g, yl_str_range(type.data, props + 5), node);
        }
        return;
    }
    YL_NODE_FOR_EACH (member, node) {
        struct yl_str owner = type, value;
        const struct yl_node *field;

        if (shape != STRUCT) {
            note(g, type, member);
            continue;
        }
        field = field_of(g, &owner, yl_node_key(member));
        if (!field) {
            fail_msg("%.*s has no %.*s", YL_STR_ARG(type),
                     YL_STR_ARG(yl_node_key(member)));
        }
        yl_node_set(g->arena, g->seen,
                    yl_str_c(yl_arena_printf(
                        g->arena, "%.*s %.*s", YL_STR_ARG(owner),
                        YL_STR_ARG(yl_node_key(member)))),
                    yl_node_new_null(g->arena));
        assert_int_equal(yl_node_string(field, g->arena, &value), 0);
        note(g, value, member);
    }
}

/* Counts the fields below 'type' that no object has had, and names them if
 * asked. */
static unsigned
missing(struct generator *g, struct yl_node *visited, struct yl_str type,
        bool print)
{
    struct yl_node *field;
    unsigned n = 0;
    enum shape shape;

    while ((shape = shape_of(g, &type)) == LIST || shape == MAP) {
        continue;
    }
    if (shape == SCALAR && memmem(type.data, type.size, "PropsOr", 7)) {
        type.size = (size_t) ((const char *) memmem(type.data, type.size,
                                                    "PropsOr", 7)
                              - type.data) + 5;
    } else if (shape == SCALAR) {
        return 0;
    }
    if (yl_node_get(visited, type)) {
        return 0;
    }
    yl_node_set(g->arena, visited, type, yl_node_new_null(g->arena));
    YL_NODE_FOR_EACH (field, yl_node_get(g->types, type)) {
        struct yl_str value, name = yl_node_key(field);
        char *key = yl_arena_printf(g->arena, "%.*s %.*s", YL_STR_ARG(type),
                                    YL_STR_ARG(name));

        assert_int_equal(yl_node_string(field, g->arena, &value), 0);
        if (yl_str_equal_c(value, "meta/v1.TypeMeta")) {
            continue;
        }
        if (!yl_str_starts_with(name, YL_STR("(inline) "))
            && !yl_node_get(g->seen, yl_str_c(key))) {
            n++;
            if (print) {
                print_message("never set: %s\n", key);
            }
        }
        n += missing(g, visited, value, print);
    }
    return n;
}

/* Makes a generated CRD of v1beta1 valid where conversion looks at it. */
static void
make_valid(struct generator *g, struct yl_node *object)
{
    static const char *const tops[] = { "validation", "subresources",
                                        "additionalPrinterColumns",
                                        "selectableFields" };
    static const char *const eaches[] = { "schema", "subresources",
                                          "additionalPrinterColumns",
                                          "selectableFields" };
    struct yl_node *spec = yl_node_get(object, YL_STR("spec"));
    struct yl_node *versions, *version, *conversion;
    unsigned n = 0;

    if (!spec) {
        spec = yl_node_new_object(g->arena);
        yl_node_set(g->arena, object, YL_STR("spec"), spec);
    }
    versions = yl_node_get(spec, YL_STR("versions"));
    if (!versions) {
        versions = parse(g->arena, "[{\"served\":true,\"storage\":true}]");
        yl_node_set(g->arena, spec, YL_STR("versions"), versions);
    }
    YL_NODE_FOR_EACH (version, versions) {
        yl_node_set(g->arena, version, YL_STR("name"),
                    yl_node_new_string(g->arena, yl_str_c(
                        yl_arena_printf(g->arena, "v%u", ++n))));
    }
    yl_node_set(g->arena, spec, YL_STR("version"),
                yl_node_new_string(g->arena, YL_STR("v1")));
    for (size_t i = 0; i < YL_ARRAY_SIZE(tops); i++) {
        /* At the top, or in versions that are not all the same. */
        bool top = n == 1 || roll(g, 2);

        if (!top) {
            yl_node_remove(spec, yl_str_c(tops[i]));
            if (yl_node_equal(
                    yl_node_get(versions->first, yl_str_c(eaches[i])),
                    yl_node_get(versions->first->prev,
                                yl_str_c(eaches[i])))) {
                yl_node_remove(versions->first, yl_str_c(eaches[i]));
            }
        }
        YL_NODE_FOR_EACH (version, versions) {
            if (top) {
                yl_node_remove(version, yl_str_c(eaches[i]));
            }
        }
    }
    conversion = yl_node_get(spec, YL_STR("conversion"));
    if (conversion) {
        bool webhook = yl_node_get(conversion, YL_STR("webhookClientConfig"))
                       || yl_node_get(conversion,
                                      YL_STR("conversionReviewVersions"));

        yl_node_set(g->arena, conversion, YL_STR("strategy"),
                    yl_node_new_string(g->arena, webhook ? YL_STR("Webhook")
                                                         : YL_STR("None")));
    }
    if (!yl_node_get(spec, YL_STR("preserveUnknownFields")) || roll(g, 2)) {
        yl_node_set(g->arena, spec, YL_STR("preserveUnknownFields"),
                    yl_node_new_bool(g->arena, roll(g, 2)));
    }
}

static void
round_trip(const char *group, const char *kind, const char *package,
           const char *version)
{
    struct generator g = { .arena = yl_arena_new(), .random = 1 };
    struct yl_str type, hub_type;
    unsigned n = 0;

    load_types(&g);
    type = yl_str_c(yl_arena_printf(g.arena, "%s/%s.%s", package, version,
                                    kind));
    hub_type = yl_str_c(yl_arena_printf(g.arena, "%s/v1.%s", package, kind));
    do {
        struct yl_node *object = generate(&g, type, 0), *before, *hub;

        if (!strcmp(kind, CRD)) {
            make_valid(&g, object);
        }
        note(&g, type, object);
        yl_node_set(g.arena, object, YL_STR("kind"),
                    yl_node_new_string(g.arena, yl_str_c(kind)));
        yl_node_set(g.arena, object, YL_STR("apiVersion"),
                    yl_node_new_string(g.arena, yl_str_c(yl_arena_printf(
                        g.arena, "%s/%s", group, version))));
        before = yl_node_copy(g.arena, object);

        assert_int_equal(yl_builtin_convert(g.arena, object, YL_STR("v1"),
                                            NULL), 0);
        note(&g, hub_type, object);
        hub = yl_node_copy(g.arena, object);
        assert_int_equal(yl_builtin_convert(g.arena, object,
                                            yl_str_c(version), NULL), 0);
        assert_nodes_equal(before, object);
        assert_int_equal(yl_builtin_convert(g.arena, object, YL_STR("v1"),
                                            NULL), 0);
        assert_nodes_equal(hub, object);
        n++;
    } while (n < 50
             || (n < 1000 && missing(&g, yl_node_new_object(g.arena), type,
                                     false)));
    assert_int_equal(missing(&g, yl_node_new_object(g.arena), type, true), 0);
    print_message("%s %s: %u objects, %u fields\n", version, kind, n,
                  g.seen->n);
    yl_arena_free(g.arena);
}

TEST(old_to_hub_to_old_loses_nothing)
{
    round_trip("batch", "CronJob", "batch", "v1beta1");
    round_trip("batch", "CronJob", "batch", "v2alpha1");
    round_trip("apiextensions.k8s.io", CRD, "apiextensions", "v1beta1");
}
