/* Fuzzes the rules of CustomResourceDefinitions.  Input: a definition of v1
 * or, if it begins with a zero byte, of v1beta1; then perhaps a zero byte and
 * the definition that replaces it. */

#include "fuzz.h"

#include "builtin/apiextensions/definition.h"
#include "builtin/builtin.h"
#include "builtin/convert/convert.h"
#include "json/member.h"
#include "schema/normalize.h"
#include "schema/pattern.h"
#include "yuloh/api/apiextensions_v1.h"
#include "yuloh/api/apiextensions_v1beta1.h"
#include "yuloh/arena.h"

static struct yl_node *read_definition(struct yl_arena *, struct yl_str text,
                                       const struct yl_builtin *);
static void check_new(struct yl_arena *, const struct yl_builtin *,
                      struct yl_node *);
static void check_update(struct yl_arena *, const struct yl_builtin *,
                         struct yl_node *, const struct yl_node *old);
static void check_conditions(struct yl_arena *, const struct yl_node *);
static void count(void *n, const char *text);
static struct yl_str written(struct yl_arena *, const struct yl_node *);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = fuzz_input(data, size);
    bool old_style = size && !data[0];
    const struct yl_builtin *rules;
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *first, *second;

    if (old_style) {
        in.rest = yl_str_skip(in.rest, 1);
    }
    rules = yl_builtin_find(YL_STR("apiextensions.k8s.io"),
                            old_style ? YL_STR("v1beta1") : YL_STR("v1"),
                            YL_STR("CustomResourceDefinition"));
    first = read_definition(arena, fuzz_text(&in), rules);
    if (first) {
        check_new(arena, rules, first);
        second = read_definition(arena, in.rest, rules);
        if (second) {
            check_update(arena, rules, second, first);
        }
    }
    yl_arena_free(arena);
    return 0;
}

/* A definition with its defaults, as v1; NULL if it is none.  Defaults change
 * nothing the second time. */
static struct yl_node *
read_definition(struct yl_arena *arena, struct yl_str text,
                const struct yl_builtin *rules)
{
    bool is_hub = !strcmp(rules->version, "v1");
    struct yl_type_ref type = yl_kind_type(
        is_hub ? &apiextensions_v1_custom_resource_definition_kind
               : &apiextensions_v1beta1_custom_resource_definition_kind);
    struct yl_node *object;
    struct yl_str before;

    if (yl_tree_parse(arena, text, NULL, &object, NULL) < 0
        || yl_normalize_decoded(arena, type, object, NULL, NULL) < 0) {
        return NULL;
    }
    yl_builtin_default(rules, arena, object);
    before = written(arena, object);
    yl_builtin_default(rules, arena, object);
    CHECK(yl_str_equal(before, written(arena, object)));
    yl_member_set_str(arena, object, "apiVersion",
                      is_hub ? "apiextensions.k8s.io/v1"
                             : "apiextensions.k8s.io/v1beta1");
    yl_member_set_str(arena, object, "kind", "CustomResourceDefinition");
    return yl_builtin_convert(arena, object, YL_STR("v1"), NULL) == 0
           ? object : NULL;
}

/* Validation changes nothing, and an error has causes. */
static void
check_new(struct yl_arena *arena, const struct yl_builtin *rules,
          struct yl_node *object)
{
    size_t n_warnings = 0;
    struct yl_warnings warnings = { arena, count, &n_warnings };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_str before;
    int r;

    yl_builtin_prepare(rules, arena, object);
    before = written(arena, object);
    r = yl_builtin_validate(rules, arena, object, &err);
    CHECK(r == (err.n_causes ? YL_EINVALID : 0));
    CHECK(err.n_causes <= YL_MAX_CAUSES);
    rules->warn(&warnings, object, NULL);
    check_conditions(arena, object);
    CHECK(yl_str_equal(before, written(arena, object)));
    yl_error_clear(&err);
}

static void
check_update(struct yl_arena *arena, const struct yl_builtin *rules,
             struct yl_node *object, const struct yl_node *old)
{
    size_t n_warnings = 0;
    struct yl_warnings warnings = { arena, count, &n_warnings };
    struct yl_node *status = yl_node_copy(arena, object);
    struct yl_error err = YL_ERROR_INIT;
    struct yl_str before = written(arena, old);

    yl_builtin_prepare_update(rules, arena, object, old);
    yl_builtin_validate_update(rules, arena, object, old, &err);
    rules->warn(&warnings, object, old);
    yl_error_clear(&err);
    yl_builtin_prepare_status(rules, arena, status, old);
    yl_builtin_validate_status(rules, arena, status, old, &err);
    CHECK(yl_str_equal(before, written(arena, old)));
    yl_error_clear(&err);
}

static void
check_conditions(struct yl_arena *arena, const struct yl_node *object)
{
    struct yl_crd_condition condition = { NULL, NULL, NULL };
    struct yl_patterns *patterns = yl_patterns_new();

    if (yl_crd_structural_condition(arena, object, patterns, &condition)) {
        CHECK(*condition.status && *condition.reason && *condition.message);
    }
    if (yl_crd_approval_condition(arena, object, &condition)) {
        CHECK(*condition.status && *condition.reason && *condition.message);
    }
    yl_patterns_free(patterns);
}

static void
count(void *n, const char *text)
{
    CHECK(*text);
    ++*(size_t *) n;
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
