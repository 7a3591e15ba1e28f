#ifndef TESTS_BUILTIN_CASE_H
#define TESTS_BUILTIN_CASE_H 1

/* Short ways to put a small object through the rules of src/builtin.
 *
 * Objects are written with ' for ", and get a name, a namespace and a uid when
 * they have none, as from a server.  Results live in the arena. */

#include <string.h>

#include "builtin/builtin.h"
#include "builtin/convert/convert.h"
#include "builtin/warnings/warnings.h"
#include "json/member.h"
#include "schema/at.h"
#include "unit.h"
#include "yuloh/gvk.h"

static inline struct yl_node *
case_parse(struct yl_arena *arena, const char *json)
{
    char *text = yl_arena_strdup(arena, yl_str_c(json));
    struct yl_node *root = NULL;
    char *at;

    for (at = text; (at = strchr(at, '\'')) != NULL;) {
        *at = '"';
    }
    assert_int_equal(yl_tree_parse(arena, yl_str_c(text), NULL, &root, NULL),
                     0);
    return root;
}

/* 'json' as an object of 'gv' must be 'want', byte for byte. */
static inline void
case_to(const char *json, const char *gv, const char *want)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *object = case_parse(arena, json);
    struct yl_buf buf;
    struct yl_gv to;
    char *have, *at;

    assert_int_equal(yl_gv_parse(yl_str_c(gv), &to, NULL), 0);
    assert_int_equal(yl_builtin_convert_gv(arena, object, to, NULL), 0);
    yl_buf_init(&buf, SIZE_MAX);
    yl_node_write(&buf, object);
    have = yl_arena_strdup(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    for (at = have; (at = strchr(at, '"')) != NULL;) {
        *at = '\'';
    }
    assert_string_equal(have, want);
    yl_arena_free(arena);
}

static inline const struct yl_builtin *
case_kind(const char *kind)
{
    const struct yl_builtin *all;
    size_t i, n;

    all = yl_builtin_all(&n);
    for (i = 0; i < n; i++) {
        if (!strcmp(all[i].kind, kind)) {
            return &all[i];
        }
    }
    fail_msg("no kind %s", kind);
    return NULL;
}

/* The object with its defaults, in canonical form. */
static inline const char *
case_default(struct yl_arena *arena, const char *kind, const char *json)
{
    struct yl_node *object = case_parse(arena, json);
    const char *text;
    struct yl_buf buf;

    yl_builtin_default(case_kind(kind), arena, object);
    yl_buf_init(&buf, SIZE_MAX);
    assert_int_equal(yl_node_write_canonical(&buf, object), 0);
    text = yl_arena_strdup(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return text;
}

/* Must contain 'text', in canonical form. */
static inline void
case_has(struct yl_arena *arena, const struct yl_node *object,
         const char *text)
{
    char *want = yl_arena_strdup(arena, yl_str_c(text)), *at;
    struct yl_buf buf;

    for (at = want; (at = strchr(at, '\'')) != NULL;) {
        *at = '"';
    }
    yl_buf_init(&buf, SIZE_MAX);
    assert_int_equal(yl_node_write_canonical(&buf, object), 0);
    if (!strstr(yl_buf_c_str(&buf), want)) {
        fail_msg("%s\nhas no\n%s", yl_buf_c_str(&buf), want);
    }
    yl_buf_release(&buf);
}

static inline const char *
case_write_causes(struct yl_arena *arena, struct yl_error *err)
{
    const char *text;
    struct yl_buf buf;
    size_t i;

    yl_buf_init(&buf, SIZE_MAX);
    for (i = 0; i < err->n_causes; i++) {
        yl_buf_printf(&buf, "%s: %s\n", err->causes[i].field,
                      err->causes[i].message);
    }
    text = yl_arena_strdup(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    yl_error_clear(err);
    return text;
}

/* A name, a namespace and a uid for an object without. */
static inline struct yl_node *
case_identify(struct yl_arena *arena, const struct yl_builtin *kind,
              struct yl_node *object)
{
    struct yl_node *metadata = yl_member_make(arena, object, "metadata");

    if (!yl_node_get(metadata, YL_STR("name"))) {
        yl_member_set_str(arena, metadata, "name", "a");
    }
    if (kind->namespaced) {
        yl_member_default_str(arena, metadata, "namespace", "ns");
    }
    yl_member_default_str(arena, metadata, "uid", "u-1");
    return object;
}

/* Every cause as a line, "FIELD: MESSAGE\n", after defaulting and
 * preparing. */
static inline const char *
case_causes_of(struct yl_arena *arena, const struct yl_builtin *kind,
               const char *json)
{
    struct yl_node *object = case_parse(arena, json);
    struct yl_error err = YL_ERROR_INIT;
    int r;

    case_identify(arena, kind, object);
    yl_builtin_default(kind, arena, object);
    yl_builtin_prepare(kind, arena, object);
    r = yl_builtin_validate(kind, arena, object, &err);
    assert_int_equal(r, err.n_causes ? YL_EINVALID : 0);
    return case_write_causes(arena, &err);
}

/* What the server does to an update: empty lists go, and are remembered. */
static inline void
case_empty_out(struct yl_node *node)
{
    struct yl_node *child, *next;

    YL_NODE_FOR_EACH_SAFE (child, next, node) {
        case_empty_out(child);
        if (node->type == YL_JSON_OBJECT && child->type == YL_JSON_ARRAY
            && !child->n) {
            yl_node_empty_out(child);
        }
    }
}

/* The same when 'json' replaces 'old', which is defaulted and prepared;
 * through /status if 'status'. */
static inline const char *
case_update_causes(struct yl_arena *arena, const char *kind_name,
                   const char *old, const char *json, bool status)
{
    const struct yl_builtin *kind = case_kind(kind_name);
    struct yl_node *before = case_parse(arena, old);
    struct yl_node *object = case_parse(arena, json);
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *kept = yl_member_object(before, "status");
    int r;

    case_identify(arena, kind, before);
    yl_builtin_default(kind, arena, before);
    if (kept) {
        kept = yl_node_copy(arena, kept);
    }
    yl_builtin_prepare(kind, arena, before);
    if (kept) {
        yl_member_set(arena, before, "status", kept);
    }
    case_identify(arena, kind, object);
    yl_builtin_default(kind, arena, object);
    case_empty_out(object);
    if (status) {
        yl_builtin_prepare_status(kind, arena, object, before);
        r = yl_builtin_validate_status(kind, arena, object, before, &err);
    } else {
        yl_builtin_prepare_update(kind, arena, object, before);
        r = yl_builtin_validate_update(kind, arena, object, before, &err);
    }
    assert_int_equal(r, err.n_causes ? YL_EINVALID : 0);
    return case_write_causes(arena, &err);
}

static inline const char *
case_causes(struct yl_arena *arena, const char *kind, const char *json)
{
    return case_causes_of(arena, case_kind(kind), json);
}

/* One object and all its causes, or one of them. */
struct builtin_case {
    const char *json;
    const char *causes;
};

/* The same of 'json' in place of 'old'. */
struct builtin_update {
    const char *old;
    const char *json;
    const char *causes;
};

static inline void
case_expect(const char *json, const char *have, const char *want)
{
    bool good = *want ? strstr(have, want) != NULL : !*have;

    if (!good) {
        fail_msg("%s\nhas\n%sand not\n%s", json, have, want);
    }
}

static inline void
case_run(const char *kind, const struct builtin_case *cases, size_t n)
{
    struct yl_arena *arena = yl_arena_new();
    size_t i;

    for (i = 0; i < n; i++) {
        case_expect(cases[i].json, case_causes(arena, kind, cases[i].json),
                    cases[i].causes);
        yl_arena_clear(arena);
    }
    yl_arena_free(arena);
}

static inline void
case_run_updates(const char *kind, const struct builtin_update *cases,
                 size_t n, bool status)
{
    struct yl_arena *arena = yl_arena_new();
    size_t i;

    for (i = 0; i < n; i++) {
        case_expect(cases[i].json,
                    case_update_causes(arena, kind, cases[i].old,
                                       cases[i].json, status),
                    cases[i].causes);
        yl_arena_clear(arena);
    }
    yl_arena_free(arena);
}

static inline void
case_add_warning(void *buf, const char *text)
{
    yl_buf_printf(buf, "%s\n", text);
}

/* The causes of a case are the warnings, each a line. */
static inline void
case_run_warnings(const char *name, const struct builtin_update *cases,
                  size_t n)
{
    struct yl_arena *arena = yl_arena_new();
    const struct yl_builtin *kind = case_kind(name);
    struct yl_buf have;
    size_t i;

    for (i = 0; i < n; i++) {
        struct yl_warnings warnings = { arena, case_add_warning, &have };
        struct yl_node *object = case_parse(arena, cases[i].json);

        yl_buf_init(&have, SIZE_MAX);
        yl_builtin_default(kind, arena, object);
        assert_non_null(kind->warn);
        kind->warn(&warnings, object,
                   cases[i].old ? case_parse(arena, cases[i].old) : NULL);
        case_expect(cases[i].json, yl_buf_c_str(&have), cases[i].causes);
        yl_buf_release(&have);
    }
    yl_arena_free(arena);
}

#define CASE_RUN(KIND, CASES)                                                 \
    case_run(KIND, CASES, sizeof(CASES) / sizeof(CASES)[0])
#define CASE_RUN_UPDATES(KIND, CASES)                                         \
    case_run_updates(KIND, CASES, sizeof(CASES) / sizeof(CASES)[0], false)
#define CASE_RUN_STATUS(KIND, CASES)                                          \
    case_run_updates(KIND, CASES, sizeof(CASES) / sizeof(CASES)[0], true)
#define CASE_RUN_WARNINGS(KIND, CASES)                                        \
    case_run_warnings(KIND, CASES, sizeof(CASES) / sizeof(CASES)[0])

/* The canonical default of an object must contain each text. */
#define CASE_DEFAULT_HAS(ARENA, KIND, JSON, TEXT)                             \
    do {                                                                      \
        const char *have_ = case_default(ARENA, KIND, JSON);                  \
        if (!strstr(have_, TEXT)) {                                           \
            fail_msg("%s\nhas no\n%s", have_, TEXT);                          \
        }                                                                     \
    } while (0)

#endif /* tests/builtin_case.h */
