/* Tests of comments and the declarations they belong to. */

#include "codegen/source.h"

#include "codegen_unit.h"

/* A field of struct a, by its name in JSON. */
static const struct yl_gen_field *
field(const struct yl_gen_unit *unit, const char *name)
{
    return yl_gen_field_find(yl_gen_type_find(unit, "a"), name);
}

TEST(comments_belong_to_what_they_stand_at)
{
    struct yl_gen_unit *unit;

    begin();
    unit = read_text(
        "// +genclient\n"
        "\n"
        "// +genclient:noStatus\n"
        "\n"
        "/* Not the\n"
        " * description. */\n"
        "\n"
        "/* The\n"
        " * description. */\n"
        "// +kubebuilder:storageversion\n"
        "struct a { /* Of the first member. */\n"
        "    struct yl_object_meta metadata; /* Behind. */ // +protobuf=1\n"
        "    // +optional\n"
        "    const char *x; /* Behind x,\n"
        "                    * for two lines. */\n"
        "    /* Above y. */\n"
        "    // +optional\n"
        "    const char *y; // +protobuf=3\n"
        "\n"
        "    /* Above zs. */\n"
        "    const char *const *zs;\n"
        "    size_t n_zs; // +optional +protobuf=4\n"
        "    /* +protobuf=5\n"
        "     *\n"
        "     * +optional */\n"
        "    int32_t v;\n"
        "    const bool *ws; size_t n_ws; /* At the count. */\n"
        "}; // +genclient:nonNamespaced\n");
    if (!unit) {
        fail_msg("%s", yl_error_message(&fault));
    }
    assert_string_equal(unit->types->doc, "The\ndescription.");
    assert_true(unit->kinds->client && unit->kinds->client_no_status
                && unit->kinds->storage_said && unit->kinds->cluster_scoped);
    assert_int_equal(field(unit, "metadata")->number, 1);
    assert_string_equal(field(unit, "x")->doc,
                        "Behind x,\nfor two lines.");
    assert_int_equal(field(unit, "x")->presence, YL_PRESENCE_OMIT_EMPTY);
    assert_string_equal(field(unit, "y")->doc, "Above y.");
    assert_int_equal(field(unit, "y")->presence, YL_PRESENCE_OMIT_EMPTY);
    assert_int_equal(field(unit, "y")->number, 3);
    assert_string_equal(field(unit, "zs")->doc, "Above zs.");
    assert_int_equal(field(unit, "zs")->presence, YL_PRESENCE_OMIT_EMPTY);
    assert_int_equal(field(unit, "zs")->number, 4);
    assert_int_equal(field(unit, "v")->number, 5);
    assert_string_equal(field(unit, "v")->doc, "");
    assert_false(field(unit, "v")->required);
    assert_string_equal(field(unit, "ws")->doc, "At the count.");
}

TEST(markers_that_belong_to_nothing_are_refused)
{
    begin();
    assert_null(read_text(
        "struct a { int32_t x;\n"
        "    // +optional\n"
        "};\n"
        "// +genclient\n"
        "int function(void);\n"
        "// +version=v2\n"
        "// +genclient\n"));
    assert_fault(":5: '+optional' belongs to nothing");
    assert_fault(":7: '+genclient' belongs to nothing");
    assert_fault(":9: '+version=v2' belongs above the first declaration");
    assert_fault(":10: '+genclient' belongs to nothing");
}

TEST(the_compiler_complains_in_its_words)
{
    begin();
    assert_null(read_text("struct a { foo x; };\nstruct b { };;;}\n"));
    assert_fault("demo_types.h:4: unknown type name 'foo'");
    assert_null(read_text("#include \"nowhere.h\"\n"));
    assert_fault("demo_types.h:4: 'nowhere.h' file not found");
}

TEST(files_that_are_not_there_are_named)
{
    struct yl_gen_unit *unit;

    begin();
    assert_true(yl_gen_read_header(arena, "/nowhere/x.h", NULL, 0, &unit,
                                   &fault) < 0);
    assert_fault("/nowhere/x.h");
}

TEST(folders_to_search_have_a_ceiling)
{
    const char *includes[65];
    struct yl_gen_unit *unit;
    size_t i;

    begin();
    for (i = 0; i < 65; i++) {
        includes[i] = "/nowhere";
    }
    assert_int_equal(yl_gen_read_header(arena, "x.h", includes, 65, &unit,
                                        &fault), YL_ETOOBIG);
}

CODEGEN_END;
