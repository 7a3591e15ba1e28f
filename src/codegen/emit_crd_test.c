/* Tests of CustomResourceDefinitions. */

#include "codegen/emit_crd.h"

#include "codegen_unit.h"
#include "json/tree.h"
#include "yuloh/yaml.h"

static struct yl_gen_unit *
need(struct yl_gen_unit *unit)
{
    struct yl_gen_kind *kind;

    if (!unit) {
        fail_msg("%s", yl_error_message(&fault));
    }
    for (kind = unit->kinds; kind; kind = kind->next) {
        kind->storage = kind->storage_said || !kind->unserved;
    }
    return unit;
}

/* The CRD of the only kind in 'text', as canonical JSON. */
static const char *
crd_of(struct yl_gen_unit **units, size_t n)
{
    struct yl_buf buf, out;
    struct yl_node *root;
    struct yl_str json;
    const char *result;

    yl_buf_init(&buf, 1 << 20);
    if (yl_gen_emit_crds(units, n, &buf, &fault) < 0) {
        yl_buf_release(&buf);
        return NULL;
    }
    assert_true(yl_str_starts_with(yl_buf_str(&buf), YL_STR("---\n")));
    assert_int_equal(yl_yaml_to_json(arena,
                                     yl_str_skip(yl_buf_str(&buf), 4), NULL,
                                     &json, &fault), 0);
    assert_int_equal(yl_tree_parse(arena, json, NULL, &root, &fault), 0);
    yl_buf_init(&out, 1 << 20);
    yl_node_write_canonical(&out, root);
    result = yl_arena_strdup(arena, yl_buf_str(&out));
    yl_buf_release(&buf);
    yl_buf_release(&out);
    return result;
}

static void
assert_has(const char *text, const char *part)
{
    if (!text || !strstr(text, part)) {
        fail_msg("no %s in %s", part, text ? text : yl_error_message(&fault));
    }
}

TEST(a_crd_says_what_the_markers_say)
{
    struct yl_gen_unit *unit;
    const char *crd;

    begin();
    unit = need(read_text(
        "struct foo_spec { const char *color; };\n"
        "/* A Foo. */\n"
        "// +genclient +genclient:nonNamespaced\n"
        "// +kubebuilder:resource:path=fooz,shortName=f,categories=all\n"
        "// +kubebuilder:subresource:status\n"
        "// +kubebuilder:subresource:scale:specpath=.a,statuspath=.b,"
        "selectorpath=.c\n"
        "// +kubebuilder:printcolumn:name=A,type=date,JSONPath=.x\n"
        "// +kubebuilder:printcolumn:name=B,type=integer,JSONPath=.y,"
        "format=int32,description=\"How\",priority=1\n"
        "// +kubebuilder:deprecatedversion:warning=\"old\"\n"
        "// +kubebuilder:selectablefield:JSONPath=.spec.color\n"
        "// +kubebuilder:metadata:annotations=\"k=v\",labels=\"l=w\"\n"
        "struct foo { struct yl_object_meta metadata; struct foo_spec spec;\n"
        "    struct foo_spec status; // +optional\n"
        "};\n"));
    crd = crd_of(&unit, 1);
    assert_has(crd, "\"metadata\":{\"annotations\":{\"k\":\"v\"},"
               "\"labels\":{\"l\":\"w\"},\"name\":\"fooz.demo.example.com\"}");
    assert_has(crd, "\"names\":{\"categories\":[\"all\"],\"kind\":\"Foo\","
               "\"listKind\":\"FooList\",\"plural\":\"fooz\","
               "\"shortNames\":[\"f\"],\"singular\":\"foo\"}");
    assert_has(crd, "\"scope\":\"Cluster\"");
    assert_has(crd, "{\"jsonPath\":\".x\",\"name\":\"A\",\"type\":\"date\"}");
    assert_has(crd, "{\"description\":\"How\",\"format\":\"int32\","
               "\"jsonPath\":\".y\",\"name\":\"B\",\"priority\":1,");
    assert_has(crd, "\"deprecated\":true,\"deprecationWarning\":\"old\"");
    assert_has(crd, "\"selectableFields\":[{\"jsonPath\":\".spec.color\"}]");
    assert_has(crd, "\"served\":true,\"storage\":true");
    assert_has(crd, "\"scale\":{\"labelSelectorPath\":\".c\","
               "\"specReplicasPath\":\".a\",\"statusReplicasPath\":\".b\"},"
               "\"status\":{}");
    assert_has(crd, "{\"openAPIV3Schema\":{\"description\":\"A Foo.\","
               "\"properties\":{\"apiVersion\":{\"type\":\"string\"},"
               "\"kind\":{\"type\":\"string\"},"
               "\"metadata\":{\"type\":\"object\"},");
    assert_has(crd, "\"required\":[\"spec\"],\"type\":\"object\"}}");
}

TEST(versions_share_a_crd)
{
    struct yl_gen_unit *units[2];
    const char *crd;

    begin();
    units[0] = need(read_named("a_types.h",
        "// +groupName=g.io\n// +version=v1beta1\n#include <yuloh/types.h>\n"
        "/* +genclient +kubebuilder:unservedversion */\n"
        "struct foo { struct yl_object_meta metadata; };\n"));
    units[1] = need(read_named("b_types.h",
        "// +groupName=g.io\n// +version=v1\n#include <yuloh/types.h>\n"
        "/* +genclient +kubebuilder:storageversion */\n"
        "struct foo { struct yl_object_meta metadata; };\n"));
    crd = crd_of(units, 2);
    assert_has(crd, "\"name\":\"v1beta1\"");
    assert_has(crd, "\"name\":\"v1\"");
    assert_has(crd, "\"served\":false,\"storage\":false");
    units[0]->kinds->storage = true;
    assert_null(crd_of(units, 2));
    assert_fault("2 versions of Foo are stored; write "
                 "'+kubebuilder:storageversion'");
}

TEST(protected_groups_need_approval)
{
    struct yl_gen_unit *unit;

    begin();
    unit = need(read_named("a_types.h",
        "// +groupName=a.k8s.io\n// +version=v1\n#include <yuloh/types.h>\n"
        "// +genclient\n"
        "struct foo { struct yl_object_meta metadata; };\n"));
    assert_null(crd_of(&unit, 1));
    assert_fault(":5: the group a.k8s.io is protected");
    yl_gen_text_add(unit, &unit->kinds->annotations,
                    "api-approved.kubernetes.io=unapproved");
    assert_non_null(crd_of(&unit, 1));
    unit->group = "kubernetes.io";
    assert_non_null(crd_of(&unit, 1));
    unit->group = "";
    assert_null(crd_of(&unit, 1));
    assert_fault("is in the core group, which has no CRDs");
}

TEST(structs_that_contain_themselves_have_no_schema)
{
    struct yl_gen_unit *unit;

    begin();
    unit = need(read_text("// +genclient\n"
        "struct foo { struct yl_object_meta metadata;\n"
        "    const struct foo *next; };\n"));
    assert_null(crd_of(&unit, 1));
    assert_fault("struct foo contains itself, which a CRD cannot say");
    unit = need(read_text("// +genclient\n"
        "struct foo { struct yl_object_meta metadata;\n"
        "    const struct foo *all; size_t n_all; };\n"));
    assert_null(crd_of(&unit, 1));
}

CODEGEN_END;
