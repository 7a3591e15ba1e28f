/* Fuzzes what compiled schemas do to custom resources.  Input: a schema, an
 * object, and what the object was before, with zero bytes between them. */

#include "fuzz.h"

#include "base/buf.h"
#include "json/tree.h"
#include "schema/cache.h"
#include "schema/default.h"
#include "schema/embedded.h"
#include "schema/pattern.h"
#include "schema/props.h"
#include "schema/prune.h"
#include "schema/sets.h"
#include "schema/strict.h"
#include "schema/validate.h"
#include "yuloh/api/core_v1.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static struct yl_patterns *patterns;
static struct yl_schema_cache *cache;

static struct yl_schema *compile(struct yl_arena *, struct yl_str text);
static void prepare(struct yl_arena *, struct yl_type_ref, struct yl_node *);
static void check_validation(struct yl_arena *, struct yl_type_ref,
                             const struct yl_node *root,
                             const struct yl_node *old);
static void check_ratcheting(struct yl_type_ref, const struct yl_node *root,
                             const struct yl_node *old,
                             const struct yl_error *plain);
static bool has_cause(const struct yl_error *, const struct yl_cause *);
static struct yl_type_ref object_meta(void);
static struct yl_str written(struct yl_arena *, const struct yl_node *);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = fuzz_input(data, size);
    struct yl_arena *arena = yl_arena_new();
    struct yl_schema *schema;
    struct yl_node *root, *old = NULL;
    struct yl_str text;

    patterns = yl_patterns_new();
    cache = yl_schema_cache_new();
    schema = compile(arena, fuzz_text(&in));
    text = fuzz_text(&in);
    if (schema && yl_tree_parse(arena, text, NULL, &root, NULL) == 0
        && root->type == YL_JSON_OBJECT) {
        struct yl_type_ref type = yl_schema_type(schema);

        prepare(arena, type, root);
        if (yl_tree_parse(arena, in.rest, NULL, &old, NULL) == 0) {
            prepare(arena, type, old);
        } else {
            old = NULL;
        }
        check_validation(arena, type, root, old);
    }
    yl_schema_unref(schema);
    yl_schema_cache_free(cache);
    yl_patterns_free(patterns);
    yl_arena_free(arena);
    return 0;
}

/* Compiles a schema twice: it must be the same one. */
static struct yl_schema *
compile(struct yl_arena *arena, struct yl_str text)
{
    struct yl_schema_opts opts = { .match = yl_patterns_match,
                                   .aux = patterns };
    const struct yl_schema_props *props;
    struct yl_schema *schema = NULL, *again;
    struct yl_node *root;

    if (yl_tree_parse(arena, text, NULL, &root, NULL) < 0
        || yl_schema_props_read(arena, root, NULL, &props, NULL) < 0
        || yl_schema_cache_compile(cache, props, &opts, &schema, NULL) < 0) {
        return NULL;
    }
    CHECK(yl_schema_cache_compile(cache, props, &opts, &again, NULL) == 0);
    CHECK(again == schema);
    yl_schema_unref(again);
    return schema;
}

/* Prunes, coerces and defaults; each must change nothing the second time. */
static void
prepare(struct yl_arena *arena, struct yl_type_ref type, struct yl_node *root)
{
    struct yl_embedded_opts opts = { object_meta(), true };
    struct yl_strict none;
    struct yl_str text;

    yl_prune(type, root, NULL);
    yl_strict_init(&none, arena);
    yl_prune(type, root, &none);
    CHECK(none.n_errors == 0);
    yl_strict_release(&none);
    yl_prune_nulls(type, root);
    text = written(arena, root);
    yl_prune_nulls(type, root);
    CHECK(yl_str_equal(text, written(arena, root)));
    yl_embedded_coerce(arena, type, root, &opts, NULL, NULL);
    CHECK(yl_embedded_coerce(arena, type, root, &opts, NULL, NULL) == 0);
    CHECK(yl_default_apply(arena, type, root, NULL) == 0);
    text = written(arena, root);
    CHECK(yl_default_apply(arena, type, root, NULL) == 0);
    CHECK(yl_str_equal(text, written(arena, root)));
}

/* Validation must not change the tree, and must find the same twice. */
static void
check_validation(struct yl_arena *arena, struct yl_type_ref type,
                 const struct yl_node *root, const struct yl_node *old)
{
    struct yl_validate_opts opts = { .match = yl_patterns_match,
                                     .aux = patterns };
    struct yl_error plain = YL_ERROR_INIT, again = YL_ERROR_INIT;
    struct yl_str text = written(arena, root);
    int r = yl_validate(type, root, &opts, &plain);

    CHECK(r == (plain.n_causes ? YL_EINVALID : 0));
    CHECK(yl_validate(type, root, &opts, &again) == r);
    CHECK(plain.n_causes == again.n_causes);
    if (old) {
        check_ratcheting(type, root, old, &plain);
    }
    check_ratcheting(type, root, root, &plain);
    yl_error_clear(&again);
    r = yl_validate_sets(type, root, NULL, NULL, &again);
    CHECK(r == (again.n_causes ? YL_EINVALID : 0));
    CHECK(yl_validate_sets(type, root, root, NULL, NULL) == 0);
    yl_embedded_check(arena, type, root, NULL, &again);
    CHECK(yl_str_equal(text, written(arena, root)));
    yl_error_clear(&plain);
    yl_error_clear(&again);
}

/* With the old object beside it only faults that it has anyway are found. */
static void
check_ratcheting(struct yl_type_ref type, const struct yl_node *root,
                 const struct yl_node *old, const struct yl_error *plain)
{
    struct yl_validate_opts opts = { .match = yl_patterns_match,
                                     .aux = patterns, .old = old };
    struct yl_error err = YL_ERROR_INIT;
    int r = yl_validate(type, root, &opts, &err);
    size_t i;

    CHECK(r == (err.n_causes ? YL_EINVALID : 0));
    if (plain->n_causes < YL_MAX_CAUSES) {
        CHECK(err.n_causes <= plain->n_causes);
        for (i = 0; i < err.n_causes && plain->n_causes <= 16; i++) {
            CHECK(has_cause(plain, &err.causes[i]));
        }
    }
    yl_error_clear(&err);
}

static bool
has_cause(const struct yl_error *err, const struct yl_cause *cause)
{
    size_t i;

    for (i = 0; i < err->n_causes; i++) {
        if (!strcmp(err->causes[i].field, cause->field)
            && !strcmp(err->causes[i].message, cause->message)) {
            return true;
        }
    }
    return false;
}

static struct yl_type_ref
object_meta(void)
{
    struct yl_type_ref pod = yl_kind_type(&core_v1_pod_kind);
    const struct yl_field *field = yl_type_field(pod, YL_STR("metadata"));

    return yl_value_type(pod.set, &pod.set->values[field->value]);
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
