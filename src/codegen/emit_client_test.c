/* Tests of the typed wrappers, as text; tests/e2e/gen.sh compiles them. */

#include "codegen/emit_client.h"

#include "codegen_unit.h"

static char *
generate(const char *text)
{
    struct yl_gen_unit *unit;
    struct yl_buf buf;

    begin();
    unit = read_text(text);
    if (!unit) {
        fail_msg("%s", yl_error_message(&fault));
    }
    yl_buf_init(&buf, 1 << 20);
    yl_gen_emit_client(unit, &buf);
    return yl_buf_detach(&buf);
}

static void
assert_has(const char *text, const char *part)
{
    if (!strstr(text, part)) {
        fail_msg("no \"%s\" in %s", part, text);
    }
}

static void
assert_lacks(const char *text, const char *part)
{
    if (strstr(text, part)) {
        fail_msg("\"%s\" in %s", part, text);
    }
}

#define META "struct yl_object_meta metadata;"
#define STATUS "struct foo_status { int32_t n; };\n"

TEST(kinds_with_genclient_have_every_verb)
{
    char *text = generate(STATUS "// +genclient\n"
                          "struct foo { " META
                          " struct foo_status status; };\n"
                          "// +kind\nstruct bare { " META " };\n");
    static const char *const functions[] = {
        "client_get", "client_list", "client_create", "client_update",
        "client_update_status", "client_apply", "client_patch",
        "client_delete", "client_delete_collection", "client_watch",
        "lister_get", "lister_list", "informer", "of", "update_status",
        "apply_owned", "create_or_update",
    };
    char name[64];
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(functions); i++) {
        snprintf(name, sizeof name, "\nfoo_%s(", functions[i]);
        assert_has(text, name);
    }
    assert_has(text, "#ifndef DEMO_CLIENT_H\n");
    assert_has(text, "#include \"demo.h\"\n");
    assert_has(text, "foo_update_status(struct yl_request *request, "
               "const struct foo_status *status)\n");
    assert_lacks(text, "scale");
    assert_lacks(text, "bare");
    free(text);
}

TEST(a_status_is_updated_only_if_there_is_one_without_no_status)
{
    char *text = generate("// +genclient\nstruct foo { " META " };\n");

    assert_lacks(text, "update_status");
    free(text);
    text = generate(STATUS "// +genclient\n// +genclient:noStatus\n"
                    "struct foo { " META " struct foo_status status; };\n");
    assert_lacks(text, "update_status");
    assert_has(text, "\nfoo_client_update(");
    free(text);
}

TEST(kinds_without_a_namespace_have_no_argument_for_one)
{
    char *text = generate("// +genclient\n// +genclient:nonNamespaced\n"
                          "struct foo { " META " };\n");

    assert_lacks(text, "namespace_");
    assert_has(text, "yl_typed_list(client, &foo_kind, yl_str_null(), ");
    assert_has(text, "yl_typed_lister_list(store, &foo_kind, "
               "yl_str_null(), ");
    free(text);
}

TEST(only_verbs_leaves_these)
{
    char *text = generate("// +genclient\n"
                          "// +genclient:onlyVerbs=create,get\n"
                          "struct foo { " META " };\n");

    assert_has(text, "\nfoo_client_create(");
    assert_has(text, "\nfoo_client_get(");
    assert_lacks(text, "foo_client_update");
    assert_lacks(text, "foo_client_delete");
    assert_lacks(text, "foo_lister_list");
    assert_lacks(text, "foo_informer");
    free(text);
}

TEST(kinds_with_the_scale_subresource_can_be_scaled)
{
    char *text = generate(
        "// +genclient\n"
        "// +kubebuilder:subresource:scale:specpath=.a,statuspath=.b\n"
        "struct foo { " META " };\n");

    assert_has(text, "\nfoo_client_get_scale(");
    assert_has(text, "\nfoo_client_update_scale(");
    free(text);
}

TEST(a_unit_without_such_kinds_has_no_client)
{
    begin();
    assert_false(yl_gen_has_client(
        read_text("// +kind\nstruct bare { " META " };\n")));
    assert_true(yl_gen_has_client(
        read_text("// +genclient\nstruct foo { " META " };\n")));
}

CODEGEN_END;
