#ifndef TESTS_BUILTIN_CASE_H
#define TESTS_BUILTIN_CASE_H 1

/* Short ways to put a small object through the rules of src/builtin.
 *
 * Objects are written with ' for ", and get a name, a namespace and a uid when
 * they have none, as a server would give them.  Results live in the arena.
 *
 * A case states the whole result, and the comparison is exact:
 *
 *   - Causes are a line each, in order: "FIELD: MESSAGE\n".  The reason is
 *     the one that belongs to the first words of the message ("Required
 *     value" is FieldValueRequired); another one stands in brackets at the
 *     end of the line.  Further lines of a message begin with a blank.
 *
 *   - Warnings are a line each.
 *
 *   - Objects are canonical JSON, written with ' for ".
 *
 * A part that cannot be stated (a time of day) or that is long and not the
 * point is ANY_TEXT, which stands for any text within one cause, one warning
 * or one object.
 *
 * When results differ, every case of the table that does is shown, with its
 * result as a literal that can be pasted after reading it. */

#include <string.h>

#include "builtin/builtin.h"
#include "builtin/convert/convert.h"
#include "builtin/warnings/warnings.h"
#include "json/member.h"
#include "schema/at.h"
#include "unit.h"
#include "whole.h"
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

/* Upstream's messages about names, which are long and frequent. */
#define CASE_SUBDOMAIN                                                        \
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric " \
    "characters, '-' or '.', and must start and end with an alphanumeric "    \
    "character (e.g. 'example.com', regex used for validation is "            \
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
#define CASE_LABEL                                                            \
    "a lowercase RFC 1123 label must consist of lower case alphanumeric "     \
    "characters or '-', and must start and end with an alphanumeric "         \
    "character (e.g. 'my-name',  or '123-abc', regex used for validation is " \
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
#define CASE_NAME_PART                                                        \
    "name part must consist of alphanumeric characters, '-', '_' or '.', "    \
    "and must start and end with an alphanumeric character (e.g. 'MyName',  " \
    "or 'my.name',  or '123-abc', regex used for validation is "              \
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
#define CASE_LABEL_VALUE                                                      \
    "a valid label must be an empty string or consist of alphanumeric "       \
    "characters, '-', '_' or '.', and must start and end with an "            \
    "alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', "   \
    "regex used for validation is "                                           \
    "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

static inline void
case_expect(const char *file, int line, const char *given, const char *have,
            const char *want)
{
    if (!whole_check(file, line, 0, given, have, want)) {
        fail();
    }
}

/* The object in canonical form, with ' for ". */
static inline char *
case_text(struct yl_arena *arena, const struct yl_node *object)
{
    struct yl_buf buf;
    char *text, *at;

    yl_buf_init(&buf, SIZE_MAX);
    assert_int_equal(yl_node_write_canonical(&buf, object), 0);
    text = yl_arena_strdup(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    for (at = text; (at = strchr(at, '"')) != NULL;) {
        *at = '\'';
    }
    return text;
}

/* The object must be 'want'. */
#define CASE_IS(OBJECT, WANT) case_is(__FILE__, __LINE__, OBJECT, WANT)

static inline void
case_is(const char *file, int line, const struct yl_node *object,
        const char *want)
{
    struct yl_arena *arena = yl_arena_new();

    case_expect(file, line, "the object", case_text(arena, object), want);
    yl_arena_free(arena);
}

/* 'json' with its defaults must be 'want'. */
#define CASE_DEFAULT(KIND, JSON, WANT)                                        \
    case_default(__FILE__, __LINE__, KIND, JSON, WANT)

static inline void
case_default(const char *file, int line, const char *kind, const char *json,
             const char *want)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *object = case_parse(arena, json);

    yl_builtin_default(case_kind(kind), arena, object);
    case_expect(file, line, json, case_text(arena, object), want);
    yl_arena_free(arena);
}

/* The reason that belongs to a message, found by its first words. */
static inline const char *
case_reason(const char *message)
{
    static const char *const reasons[][2] = {
        { "Invalid value", "FieldValueInvalid" },
        { "Required value", "FieldValueRequired" },
        { "Forbidden", "FieldValueForbidden" },
        { "Duplicate value", "FieldValueDuplicate" },
        { "Not found", "FieldValueNotFound" },
        { "Unsupported value", "FieldValueNotSupported" },
        { "Too long", "FieldValueTooLong" },
        { "Too many", "FieldValueTooMany" },
        { "Internal error", "InternalError" },
    };
    size_t i;

    for (i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        if (!strncmp(message, reasons[i][0], strlen(reasons[i][0]))) {
            return reasons[i][1];
        }
    }
    return "";
}

/* Every cause of 'err', which is cleared, in the form of a case. */
static inline const char *
case_write_causes(struct yl_arena *arena, struct yl_error *err)
{
    const char *text, *at;
    struct yl_buf buf;
    size_t i;

    yl_buf_init(&buf, SIZE_MAX);
    for (i = 0; i < err->n_causes; i++) {
        const struct yl_cause *cause = &err->causes[i];

        yl_buf_printf(&buf, "%s: ", cause->field);
        for (at = cause->message; *at; at++) {
            yl_buf_append(&buf, at, 1);
            yl_buf_append_c(&buf, *at == '\n' ? " " : "");
        }
        if (strcmp(cause->reason, case_reason(cause->message)) != 0) {
            yl_buf_printf(&buf, " [%s]", cause->reason);
        }
        yl_buf_append_c(&buf, "\n");
    }
    text = yl_arena_strdup(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    yl_error_clear(err);
    return text;
}

/* Gives an object without them a name, a namespace and a uid. */
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

/* Does what the server does to an update: empty lists are removed, and
 * remembered. */
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

/* One object and all its causes. */
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

#define CASE_N(CASES) (sizeof(CASES) / sizeof(CASES)[0])

/* Runs a table of creates: each object must have the causes of its row. */
#define CASE_RUN(KIND, CASES)                                                 \
    case_run(__FILE__, __LINE__, case_kind(KIND), CASES, CASE_N(CASES))

static inline void
case_run(const char *file, int line, const struct yl_builtin *kind,
         const struct builtin_case *cases, size_t n)
{
    struct yl_arena *arena = yl_arena_new();
    bool good = true;
    size_t i;

    for (i = 0; i < n; i++) {
        good &= whole_check(file, line, i, cases[i].json,
                            case_causes_of(arena, kind, cases[i].json),
                            cases[i].causes);
        yl_arena_clear(arena);
    }
    yl_arena_free(arena);
    assert_true(good);
}

/* Runs a table of updates, or of updates through /status. */
#define CASE_RUN_UPDATES(KIND, CASES)                                         \
    case_run_updates(__FILE__, __LINE__, KIND, CASES, CASE_N(CASES), false)
#define CASE_RUN_STATUS(KIND, CASES)                                          \
    case_run_updates(__FILE__, __LINE__, KIND, CASES, CASE_N(CASES), true)

static inline void
case_run_updates(const char *file, int line, const char *kind,
                 const struct builtin_update *cases, size_t n, bool status)
{
    struct yl_arena *arena = yl_arena_new();
    bool good = true;
    size_t i;

    for (i = 0; i < n; i++) {
        good &= whole_check(file, line, i, cases[i].json,
                            case_update_causes(arena, kind, cases[i].old,
                                               cases[i].json, status),
                            cases[i].causes);
        yl_arena_clear(arena);
    }
    yl_arena_free(arena);
    assert_true(good);
}

static inline void
case_add_warning(void *buf, const char *text)
{
    yl_buf_printf(buf, "%s\n", text);
}

/* Runs a table whose causes are warnings.  A row without an old object is a
 * create. */
#define CASE_RUN_WARNINGS(KIND, CASES)                                        \
    case_run_warnings(__FILE__, __LINE__, KIND, CASES, CASE_N(CASES))

static inline void
case_run_warnings(const char *file, int line, const char *name,
                  const struct builtin_update *cases, size_t n)
{
    struct yl_arena *arena = yl_arena_new();
    const struct yl_builtin *kind = case_kind(name);
    bool good = true;
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
        good &= whole_check(file, line, i, cases[i].json, yl_buf_c_str(&have),
                            cases[i].causes);
        yl_buf_release(&have);
    }
    yl_arena_free(arena);
    assert_true(good);
}

#endif /* tests/builtin_case.h */
