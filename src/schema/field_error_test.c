/* Tests of field errors: the words are upstream's. */

#include "schema/field_error.h"

#include "json/tree.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/status.h"

/* The error has one cause, this one; it is cleared. */
static void
assert_cause(struct yl_error *err, const char *reason, const char *field,
             const char *message)
{
    assert_int_equal(err->code, YL_EINVALID);
    assert_int_equal(err->n_causes, 1);
    assert_string_equal(err->causes[0].reason, reason);
    assert_string_equal(err->causes[0].field, field);
    assert_string_equal(err->causes[0].message, message);
    yl_error_clear(err);
}

static void
assert_value(struct yl_bad_value value, const char *text)
{
    struct yl_buf buf;

    yl_buf_init(&buf, SIZE_MAX);
    yl_bad_value_write(&buf, value);
    assert_str_equal(yl_buf_str(&buf), text);
    yl_buf_release(&buf);
}

static void
assert_path(const struct yl_field_path *path, const char *text)
{
    struct yl_buf buf;

    yl_buf_init(&buf, SIZE_MAX);
    yl_field_path_write(&buf, path);
    assert_str_equal(yl_buf_str(&buf), text);
    yl_buf_release(&buf);
}

TEST(paths_have_members_indices_and_keys)
{
    struct yl_field_path spec = yl_field_member(NULL, YL_STR("spec"));
    struct yl_field_path ports = yl_field_member(&spec, YL_STR("ports"));
    struct yl_field_path port = yl_field_index(&ports, 12);
    struct yl_field_path key = yl_field_key(&port, YL_STR("a.b/c"));
    struct yl_field_path name = yl_field_member(&key, YL_STR("name"));

    assert_path(&spec, "spec");
    assert_path(&name, "spec.ports[12][a.b/c].name");
    assert_path(NULL, "<nil>");
}

TEST(long_paths_keep_their_order)
{
    struct yl_field_path steps[200];
    char text[2000];
    size_t i, n = 0;

    for (i = 0; i < 200; i++) {
        steps[i] = yl_field_index(i ? &steps[i - 1] : NULL, i);
        n += (size_t) snprintf(text + n, sizeof text - n, "[%zu]", i);
    }
    assert_path(&steps[199], text);
}

TEST(values_are_shown_as_upstream_shows_them)
{
    assert_value(yl_bad_string(YL_STR("a\"\n")), "\"a\\\"\\n\"");
    assert_value(yl_bad_text(YL_STR("{\"A\":1}")), "{\"A\":1}");
    assert_value(yl_bad_int(-3), "-3");
    assert_value(yl_bad_double(1.5), "1.5");
    assert_value(yl_bad_double(1e21), "1e+21");
    assert_value(yl_bad_bool(true), "true");
    assert_value(yl_bad_bool(false), "false");
    assert_value(yl_bad_node(NULL), "null");
    assert_value(yl_bad_omitted(), "");
}

TEST(nodes_are_shown_as_go_would)
{
    static const struct {
        const char *json, *text;
    } cases[] = {
        { "\"a\\u0062\"", "\"ab\"" },
        { "12", "12" },
        { "-9223372036854775808", "-9223372036854775808" },
        { "1.50", "1.5" },
        { "1e3", "1000" },
        { "1e400", "1e400" },
        { "true", "true" },
        { "null", "null" },
        { "[]", "[]" },
        { "{ \"b\": [1, 2], \"a\": \"x<y>&\" }",
          "{\"a\":\"x\\u003cy\\u003e\\u0026\",\"b\":[1,2]}" },
        { "[1e400]", "[1e400]" },
    };
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *node;
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(yl_tree_parse(arena, yl_str_c(cases[i].json), NULL,
                                       &node, NULL), 0);
        assert_value(yl_bad_node(node), cases[i].text);
    }
    yl_arena_free(arena);
}

TEST(each_fault_has_upstreams_words)
{
    static const char *const two[] = { "A", "B\"", NULL };
    static const char *const none[] = { NULL };
    struct yl_field_path p = yl_field_member(NULL, YL_STR("spec"));
    struct yl_bad_value x = yl_bad_string(YL_STR("x"));
    struct yl_error err = YL_ERROR_INIT;

    yl_field_invalid(&err, &p, x, "must be %d", 1);
    assert_cause(&err, "FieldValueInvalid", "spec",
                 "Invalid value: \"x\": must be 1");
    yl_field_invalid(&err, &p, yl_bad_node(NULL), NULL);
    assert_cause(&err, "FieldValueInvalid", "spec", "Invalid value: null");
    yl_field_type_invalid(&err, &p, yl_bad_int(3), "%s", "no");
    assert_cause(&err, "FieldValueTypeInvalid", "spec",
                 "Invalid value: 3: no");
    yl_field_required(&err, &p, NULL);
    assert_cause(&err, "FieldValueRequired", "spec", "Required value");
    yl_field_required(&err, &p, "%s", "y");
    assert_cause(&err, "FieldValueRequired", "spec", "Required value: y");
    yl_field_forbidden(&err, &p, "not here");
    assert_cause(&err, "FieldValueForbidden", "spec", "Forbidden: not here");
    yl_field_internal(&err, &p, "oh");
    assert_cause(&err, "InternalError", "spec", "Internal error: oh");
    yl_field_duplicate(&err, &p, x);
    assert_cause(&err, "FieldValueDuplicate", "spec",
                 "Duplicate value: \"x\"");
    yl_field_not_found(&err, &p, x);
    assert_cause(&err, "FieldValueNotFound", "spec", "Not found: \"x\"");
    yl_field_not_supported(&err, &p, x, two);
    assert_cause(&err, "FieldValueNotSupported", "spec",
                 "Unsupported value: \"x\": supported values: \"A\", "
                 "\"B\\\"\"");
    yl_field_not_supported(&err, &p, x, none);
    assert_cause(&err, "FieldValueNotSupported", "spec",
                 "Unsupported value: \"x\"");
}

TEST(limits_are_named_in_upstreams_words)
{
    struct yl_field_path p = yl_field_member(NULL, YL_STR("a"));
    struct yl_error err = YL_ERROR_INIT;

    yl_field_too_long(&err, &p, 63);
    assert_cause(&err, "FieldValueTooLong", "a",
                 "Too long: may not be more than 63 bytes");
    yl_field_too_long(&err, &p, 1);
    assert_cause(&err, "FieldValueTooLong", "a",
                 "Too long: may not be more than 1 byte");
    yl_field_too_long(&err, &p, -1);
    assert_cause(&err, "FieldValueTooLong", "a",
                 "Too long: value is too long");
    yl_field_too_many(&err, &p, 5, 4);
    assert_cause(&err, "FieldValueTooMany", "a",
                 "Too many: 5: must have at most 4 items");
    yl_field_too_many(&err, &p, -1, 1);
    assert_cause(&err, "FieldValueTooMany", "a",
                 "Too many: must have at most 1 item");
    yl_field_too_many(&err, &p, 5, -1);
    assert_cause(&err, "FieldValueTooMany", "a",
                 "Too many: 5: has too many items");
}

TEST(faults_need_no_error_and_keep_its_code)
{
    struct yl_error err = YL_ERROR_INIT;

    assert_int_equal(yl_field_required(NULL, NULL, NULL), YL_EINVALID);
    err.code = YL_ETYPE;
    assert_int_equal(yl_field_required(&err, NULL, NULL), YL_EINVALID);
    assert_int_equal(err.code, YL_ETYPE);
    assert_string_equal(err.causes[0].field, "<nil>");
    yl_error_clear(&err);
}

TEST(texts_and_causes_have_a_ceiling)
{
    struct yl_error err = YL_ERROR_INIT;
    size_t size = 2 * YL_FIELD_TEXT_MAX + 1;
    char *text = malloc(size);
    struct yl_field_path p;
    size_t i;

    /* An odd offset puts the cut inside a character. */
    text[0] = 'x';
    for (i = 1; i < size; i += 2) {
        memcpy(text + i, "\xc3\xa9", 2);
    }
    p = yl_field_member(NULL, yl_str_n(text, size));
    yl_field_invalid(&err, &p, yl_bad_string(yl_str_n(text, size)), "z");
    assert_int_equal(strlen(err.causes[0].field), YL_FIELD_TEXT_MAX + 2);
    assert_string_equal(err.causes[0].field + YL_FIELD_TEXT_MAX - 3,
                        "\xc3\xa9...");
    assert_string_equal(strstr(err.causes[0].message, "\"..."), "\"...: z");
    for (i = 0; i < YL_MAX_CAUSES + 5; i++) {
        yl_field_required(&err, NULL, NULL);
    }
    assert_int_equal(err.n_causes, YL_MAX_CAUSES);
    yl_error_clear(&err);
    free(text);
}

TEST(causes_become_a_status)
{
    struct yl_field_path spec = yl_field_member(NULL, YL_STR("spec"));
    struct yl_field_path n = yl_field_member(&spec, YL_STR("replicas"));
    struct yl_status status = YL_STATUS_INIT;
    struct yl_error err = YL_ERROR_INIT;
    struct yl_gvk gvk = { YL_STR_INIT("apps"), YL_STR_INIT("v1"),
                          YL_STR_INIT("Deployment") };

    yl_field_invalid(&err, &n, yl_bad_int(-1),
                     "must be greater than or equal to 0");
    yl_field_required(&err, &spec, NULL);
    yl_status_invalid(&status, gvk, YL_STR("web"), &err);
    assert_string_equal(status.error.message,
                        "Deployment.apps \"web\" is invalid: "
                        "[spec.replicas: Invalid value: -1: must be greater "
                        "than or equal to 0, spec: Required value]");
    yl_status_clear(&status);
    yl_error_clear(&err);
}
