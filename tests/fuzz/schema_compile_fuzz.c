/* Fuzzes the schema compiler.  Input: a schema, a zero byte, and an object for
 * it. */

#include "fuzz.h"

#include "base/buf.h"
#include "json/tree.h"
#include "schema/compile.h"
#include "schema/default.h"
#include "schema/normalize.h"
#include "schema/openapi.h"
#include "schema/openapi_custom.h"
#include "schema/props.h"
#include "schema/prune.h"
#include "schema/strict.h"
#include "schema/validate.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static struct yl_schema *compile(struct yl_arena *, struct yl_str text);
static void check_openapi(struct yl_arena *, const struct yl_schema *);
static void check_published(struct yl_schema *);
static void check_tables(struct yl_type_ref);
static void check_object(struct yl_arena *, struct yl_type_ref,
                         struct yl_node *);
static struct yl_str written(struct yl_arena *, const struct yl_node *);
static struct yl_str openapi(struct yl_arena *, const struct yl_schema *);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = fuzz_input(data, size);
    struct yl_arena *arena = yl_arena_new();
    struct yl_schema *schema = compile(arena, fuzz_text(&in));
    struct yl_node *object;

    if (schema) {
        check_tables(yl_schema_type(schema));
        check_openapi(arena, schema);
        check_published(schema);
        if (yl_tree_parse(arena, in.rest, NULL, &object, NULL) == 0) {
            check_object(arena, yl_schema_type(schema), object);
        }
    }
    yl_schema_unref(schema);
    yl_arena_free(arena);
    return 0;
}

/* Compiles a schema, or returns NULL.  A refusal must have exactly one
 * cause. */
static struct yl_schema *
compile(struct yl_arena *arena, struct yl_str text)
{
    const struct yl_schema_props *props;
    struct yl_error err = YL_ERROR_INIT;
    struct yl_schema *schema = NULL;
    struct yl_node *root;
    int r;

    if (yl_tree_parse(arena, text, NULL, &root, NULL) < 0) {
        return NULL;
    }
    r = yl_schema_props_read(arena, root, NULL, &props, &err);
    if (r == 0) {
        r = yl_schema_compile(props, NULL, &schema, &err);
    }
    if (r < 0) {
        CHECK(r == err.code && err.message && err.n_causes == 1);
        CHECK(!schema);
    }
    yl_error_clear(&err);
    return schema;
}

/* Numbers must lead to rows, and fields must be found. */
static void
check_tables(struct yl_type_ref root)
{
    const struct yl_type_set *set = root.set;
    size_t i, j;

    for (i = 1; i < set->n_types; i++) {
        struct yl_type_ref ref = { set, &set->types[i] };

        CHECK(ref.type->fields + ref.type->n_fields <= set->n_fields);
        CHECK(ref.type->rules + ref.type->n_rules <= set->n_rules);
        for (j = 0; j < ref.type->n_fields; j++) {
            const struct yl_field *field = &set->fields[ref.type->fields + j];

            CHECK(field->value && field->value < set->n_values);
            CHECK(yl_type_field(ref, yl_str_n(set->strings + field->name,
                                              field->name_size)) == field);
        }
    }
    for (i = 1; i < set->n_values; i++) {
        const struct yl_value *value = &set->values[i];

        CHECK(value->rules + value->n_rules <= set->n_rules);
        if (value->kind == YL_VALUE_STRUCT) {
            CHECK(value->type && value->type < set->n_types);
        } else if (value->kind == YL_VALUE_LIST
                   || value->kind == YL_VALUE_MAP) {
            CHECK(value->element && value->element < i);
        }
    }
}

/* The OpenAPI text of a schema must be a schema again, and give the same
 * text. */
static void
check_openapi(struct yl_arena *arena, const struct yl_schema *schema)
{
    struct yl_schema *second = compile(arena, openapi(arena, schema));
    struct yl_schema *third;

    CHECK(second);
    third = compile(arena, openapi(arena, second));
    CHECK(third && yl_schema_equal(second, third));
    CHECK(yl_schema_hash(second) == yl_schema_hash(third));
    yl_schema_unref(second);
    yl_schema_unref(third);
}

/* What is published of a kind must be JSON, in both versions. */
static void
check_published(struct yl_schema *schema)
{
    struct yl_schema_names names = {
        .group = YL_STR("example.com"), .version = YL_STR("v1"),
        .kind = YL_STR("Foo"), .list_kind = YL_STR("FooList"),
    };
    struct yl_kind *kind = yl_schema_kind_new(schema, &names);
    int version;

    for (version = 0; version < 2; version++) {
        struct yl_buf buf;

        yl_buf_init(&buf, SIZE_MAX);
        yl_buf_append_char(&buf, '{');
        yl_openapi_write_custom(&buf, version ? YL_OPENAPI_V2 : YL_OPENAPI_V3,
                                kind, "spec.a");
        yl_buf_append_char(&buf, '}');
        CHECK(yl_json_validate(yl_buf_str(&buf), NULL, NULL) == 0);
        yl_buf_release(&buf);
    }
    yl_schema_kind_free(kind);
}

/* Pruning again and defaulting again must change nothing, and neither must
 * validation. */
static void
check_object(struct yl_arena *arena, struct yl_type_ref type,
             struct yl_node *root)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_strict none;
    struct yl_str text;

    if (yl_normalize(arena, type, yl_node_copy(arena, root), NULL, &err) < 0) {
        CHECK(err.message);
        yl_error_clear(&err);
    }
    yl_prune(type, root, NULL);
    yl_strict_init(&none, arena);
    yl_prune(type, root, &none);
    CHECK(none.n_errors == 0);
    yl_strict_release(&none);
    yl_prune_nulls(type, root);
    CHECK(yl_default_apply(arena, type, root, NULL) == 0);
    text = written(arena, root);
    CHECK(yl_default_apply(arena, type, root, NULL) == 0);
    CHECK(yl_str_equal(text, written(arena, root)));
    yl_validate(type, root, NULL, &err);
    CHECK(yl_str_equal(text, written(arena, root)));
    yl_error_clear(&err);
}

static struct yl_str
written(struct yl_arena *arena, const struct yl_node *node)
{
    struct yl_str text;
    struct yl_buf buf;

    yl_buf_init(&buf, SIZE_MAX);
    yl_node_write(&buf, node);
    text = yl_arena_copy(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return text;
}

static struct yl_str
openapi(struct yl_arena *arena, const struct yl_schema *schema)
{
    struct yl_str text;
    struct yl_buf buf;

    yl_buf_init(&buf, SIZE_MAX);
    yl_openapi_write_type(&buf, YL_OPENAPI_V3, yl_schema_type(schema));
    text = yl_arena_copy(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return text;
}
